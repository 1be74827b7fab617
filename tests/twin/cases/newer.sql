The syntax and the functions of Postgres 16 and later, where the server has them.

-- case: SQL/JSON constructors over plain columns
-- since: 16
select id, json_array(name, login_count, null) from users order by id;
select id, json_array(name, null null on null returning jsonb) from users order by id;
select json_array(select name from users order by id);
select id, json_object('name': name, 'n' value login_count, 'none': null absent on null) from users order by id;
select id, json_object('name': name returning jsonb) from users order by id;
select json_arrayagg(name order by id) from users;
select json_arrayagg(note order by id null on null returning jsonb) from orders;
select is_active, json_arrayagg(name order by name) filter (where login_count > 0) from users group by is_active order by is_active;
select json_objectagg(name: login_count) from users where name < 'C';
select json_objectagg(name value login_count absent on null with unique keys returning jsonb) from users;
select name from users where id = ':users.ann' and '{"a": 1}' is json;
select name, note is json object, note is not json array with unique keys from orders join users on users.id = user_id order by orders.id;

-- case: SQL/JSON constructors over ids
-- since: 16
select json_array(id) from users order by id;
select json_array(id, name, user_id) from (select u.id, u.name, o.user_id from users u left join orders o on o.user_id = u.id) q order by id, user_id;
select json_array(id, owner_id null on null returning jsonb) from teams order by id;
-- refused: 0A000
select json_array(id returning text) from users order by id;
select json_object('id': id, 'name': name) from users order by id;
select json_object('id' value id, 'owner' value owner_id absent on null returning jsonb) from teams order by id;
select json_arrayagg(id order by id) from users;
select json_arrayagg(owner_id order by id null on null returning jsonb) from teams;
select json_objectagg(name: id) from users;
select json_objectagg(name value id returning jsonb) from users;
select json_object('id': id, 'orders': (select json_arrayagg(json_object('id': o.id, 'status': o.status) order by o.id) from orders o where o.user_id = u.id)) from users u order by id;
select json_object(id: name) from users order by id;
select json_array(select id from users order by id);
select json_array(select user_id from orders order by id returning jsonb);
select json_array(select parent_id from comments order by id);
select id, json_array(select o.id from orders o where o.user_id = u.id order by o.id) from users u order by id;
select json_array(with t as (select owner_id from teams) select owner_id from t where owner_id = ':users.ann');
-- refused: 0A000
select json_array(select participant_ids from events order by id);
-- refused: 0A000
select json_array(select parent_id from comments order by id returning text);
select json_objectagg(id: name) from users;
select json_object(id value user_id, 'value': status) from orders order by id;
select name, json_arrayagg(u.id) filter (where u.name > 'A') over (partition by is_active order by id) from users u order by id;
select json_array(array[id], participant_ids) from events order by id;
select json_object('user': (select json_object('id': u.id, 'teams': json_array(t.id, t.owner_id)) from users u where u.id = t.owner_id) null on null returning jsonb) from teams t order by t.id;
select json_object('id': id)::jsonb ->> 'id' from users order by id;

-- case: SQL/JSON constructors over documents with ids
-- since: 16
select json_array(body) from letters order by id;
select json_object('letter': body, 'n': 1 returning jsonb) from letters order by id;
select json_object('letter' value body null on null), json_object('raw': raw) from letters order by id;
select json_arrayagg(body order by id) from letters;
select json_objectagg((id::text) value body returning jsonb) from letters;

-- case: SQL/JSON query functions over documents with ids, and over ids
-- since: 17
-- refused: 0A000
select json_value(body, '$.user.id') from letters order by id;
-- refused: 0A000
select json_query(body, '$.to' with wrapper) from letters order by id;
-- refused: 0A000
select t.a from letters l, json_table(l.body, '$' columns (a text path '$.user.id')) t;
-- refused: 0A000
select json_exists(body, '$.a ? (@ == $x)' passing owner_id as x) from documents;
-- refused: 0A000
select json_value(json_object('id': id), '$.id') from users order by id;
-- refused: 0A000
select json_serialize(json_object('id': id)) from users order by id;
-- refused: 0A000
select json_scalar(id) from users order by id;

-- case: SQL/JSON query functions over plain documents
-- since: 17
select id, json_value(body, '$.pages' returning int) from documents order by id;
select id, json_value(body, '$.pages' returning int default 0 on empty default -1 on error) from documents order by id;
select id, json_query(body, '$.pages' with wrapper) from documents order by id;
select id, json_query(body, '$.pages' with conditional wrapper null on empty error on error) from documents order by id;
select id, json_query(body, '$.pages' returning text omit quotes) from documents order by id;
select id from documents where json_exists(body, '$.pages ? (@ > $n)' passing 2 as n) order by id;
select id, json_exists(body, 'strict $.nothing' true on error) from documents order by id;
select id, json_scalar(title), json(title::text::jsonb::text) from documents where title is json order by id;
select id, json_serialize(body returning bytea) from documents order by id;
select d.id, t.* from documents d, json_table(d.body, '$' columns (row for ordinality, pages int path '$.pages', has boolean exists path '$.nothing', whole jsonb format json path '$')) t order by d.id;
select d.id, t.n from documents d left join json_table(d.body, '$' columns (n int path '$.nothing' default 7 on empty)) as t on true order by d.id;
select u.name, t.a, t.b from users u, json_table('[{"a": 1, "b": [2, 3]}]', '$[*]' as root columns (a int path '$.a', nested path '$.b[*]' as inner_path columns (b int path '$'))) t where u.id = ':users.ann' order by t.b;

-- case: RETURNING old and new
-- since: 18
-- modes: simple text declared binary
update users set name = 'x' where id = ':users.ann' returning old.id, new.id, old.name, new.name, name;
update users set name = 'y' where id = ':users.ann' returning with (old as o, new as n) o.id, n.id, o.name, n.name;
update users set name = 'z' where id = ':users.ann' returning with (new as after) old.name, after.*;
insert into users (email, name) values ('new@example.test', 'New') returning old.id is null, old.id, new.name;
insert into tags (id, name) values (':tags.rush', 'again') on conflict (id) do update set name = excluded.name returning old.id, old.name, new.id, new.name;
delete from order_tags where order_id = ':orders.one' returning old.order_id, new.order_id, old.tag_id;
delete from order_tags where order_id = ':orders.three' returning old.*;
with changed as (update orders set user_id = ':users.cai' where id = ':orders.one' returning old.user_id as was, new.user_id as now) select u.name, v.name from changed join users u on u.id = was join users v on v.id = now;

-- case: MERGE with RETURNING
-- since: 17
merge into tags t using (values ('rush'), ('calm')) v(name) on t.name = v.name when matched then update set name = 'hurry' when not matched then do nothing returning merge_action(), t.id, t.name;
merge into orders o using users u on u.id = o.user_id when matched and u.name = 'Cai' then delete returning merge_action(), o.id, u.id;
merge into tags t using (values ('rush'), ('gift')) v(name) on t.name = v.name when not matched by source then delete when matched then do nothing returning merge_action(), t.id;

-- case: functions of later versions
-- since: 16
select any_value(name) from users where id = ':users.bob';
select any_value(id), count(*) from users where id = ':users.bob';
select user_id, any_value(user_id), any_value(status) from orders where user_id = ':users.cai' group by user_id;
select array_sample(array[id], 1) from users where id = ':users.ann';
select array_shuffle(array[id]) from users where id = ':users.ann';
select 1_000, 0x1F, 0o17, 0b11, name from users where id = ':users.ann';

-- case: functions of Postgres 17 and 18
-- since: 18
select uuid_extract_version(auth_subject), name from users where id = ':users.ann';
select array_reverse(array_agg(id order by id)) from users;
select array_sort(participant_ids), array_sort(participant_ids, true), array_reverse(participant_ids) from events order by id;
select array_sort(array_agg(name)) from users;
select id, casefold(name) from users order by id;
select users.name from users where id = any (array_reverse(array[':users.ann', ':users.bob']::uuid[])) order by id;

-- case: other syntax of Postgres 16 and later
-- since: 16
select * from (select id from users order by id limit 1);
select count(*) from (values (1), (2)), (select id from tags) where id = ':tags.rush';
select u.id, system_user is null from users u where u.id = ':users.ann';

-- case: columns that are computed when they are read
-- since: 18
-- modes: simple text declared binary
create temp table ledger (id uuid, n int, twice int generated always as (n * 2), third int generated always as (n * 3) virtual);
insert into ledger (n) values (2) returning n, twice, third;


-- case: JSON_TABLE has the columns of nested paths behind those of their level
-- since: 17
select t.* from json_table('[{"a": 1, "b": [2, 3]}]', '$[*]' columns (nested '$.b[*]' columns (b int path '$'), a int path '$.a')) as t (x);
select (select x from json_table('[{"id": 1}]', '$[*]' columns (nested path '$.b[*]' columns (b int path '$'), id int path '$.id')) as t (x)) from users order by id;
select (select id from json_table('[{"id": 1}]', '$[*]' columns (nested path '$.b[*]' columns (b int path '$'), id int path '$.id')) as t (x)) from users order by id;

-- case: names of rows in RETURNING that mean something else besides
-- since: 18
-- modes: simple text declared binary
update users set name = name from (select 1 as id) old where users.id = ':users.ann' returning with (old as o) o.id, old.id;
update users set name = name from (select 1 as id) new where users.id = ':users.ann' returning with (new as n) n.id, new.id;
-- fails: 42883
update users set name = name from (select 1 as id) old where users.id = ':users.ann' returning with (old as o) o.id + 0;

-- case: members whose values have words of the syntax in them
-- since: 16
-- refused: 0A000
select json_object('a': case when value then 1 end, 'b': case when value then 2 end, 'c': x format json, 'd': id) from users, (select true as value, null::text as x) v order by id;
-- refused: 0A000
select json_object('a' value case when value then id end) from users, (select true as value) v order by id;
select json_object('value' value id, 'b': v.value) from users, (select true as value) v order by id;
