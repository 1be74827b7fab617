Ids as text, and inside text and JSON that queries build.

-- case: an id cast to text
select id::text, cast(id as text), cast(id as varchar), id::character varying from users u order by u.id;
select id::text as shown, owner_id::text from teams order by id;
select max(id::text) is not null, count(distinct id::text) from users;
select coalesce(owner_id::text, 'none') from teams order by id;
select case when is_active then id::text end from users order by id;
select participant_ids::text[] from events order by id;
select array_agg(id::text order by id) from users;
-- refused: 0A000
select id::varchar(10) from users;
select id::char(36) from users;

-- case: an id compared as text
-- with: :users.ann
-- types: text
select name from users where id::text = $1;
-- with: :users.ann
select name from users where id::text = $1;
-- with: :users.ann
-- types: varchar
select name from users where $1 = cast(id as varchar);
select name from users where id::text = 'no id';
select name from users where id::text <> 'no id' order by id;
select name from users where id::text in ('no id', 'neither') order by id;
-- with: :users.ann, :users.bob
-- types: text text
select name from users where id::text in ($1, $2) order by id;
select name from users u where id::text in (select user_id::text from orders) order by id;
select distinct user_id::text from orders where user_id is not null;
select user_id::text, count(*) from orders group by user_id::text order by 2, 1;
select user_id::text, count(*) from orders group by 1 order by 2, 1;
-- fails: 42883
-- except: hint
select name from users where id::text = id;
-- refused: 0A000
select name from users where id::text = email;

-- case: an id in text
select 'user-' || id from users order by id;
select id || '-user' from users order by id;
select 'user-' || id::text || '/' || name from users order by id;
select 'a' || (id) || 'b' || cast(id as text) from users order by id;
select concat('user-', id, ':', name) from users order by id;
select concat_ws('/', id, null, name, owner_id) from teams order by id;
select 'owner ' || owner_id from teams order by id;
select format('user %s is %s', id, name) from users order by id;
select format('%2$s %1$s 100%%', id, name) from users order by id;
select string_agg(id::text, ',' order by id) from users;
select string_agg('#' || id, ', ' order by id) from users;
select string_agg(u.id::text, ',' order by u.id) filter (where u.is_active) from users u;
select array_to_string(array_agg(id order by id), ',') from users;
select array_to_string(participant_ids, ',', '-') from events order by id;
select array_agg('u' || id order by id) from users;
select coalesce('user-' || owner_id, 'none') from teams order by id;
select case when is_active then 'user-' || id else 'inactive' end from users order by id;
select distinct 'user-' || user_id from orders where user_id is null;
select 'user-' || user_id as k, count(*) from orders group by 1 order by 2, min(user_id);
select 'user-' || user_id, count(*) from orders group by 'user-' || user_id order by 2, min(user_id);
with t as (select id, 'user-' || id as label from users) select label, name from t join users using (id) order by id;
select label from (select id, 'user-' || id || '!' as label from users) s order by id;

-- case: text with ids in it and text without in order
-- refused: 0A000
select 'user-' || id from users union all select 'nobody' order by 1 desc limit 1;
-- refused: 0A000
select count(*) from (select 'u' || id from users union select 'u:users.ann') s;
-- refused: 0A000
select count(*) from (select 'u:users.ann' as x union select 'u' || id from users) s;
-- refused: 0A000
select count(distinct x) from (select 'u' || id as x from users union all select 'u:users.ann'::text) s;
-- refused: 0A000
select count(*) from (select 'u' || id from users union values ('a'), ('u:users.ann')) s;
-- refused: 0A000
select 'u' || id from users except select 'u:users.ann';

-- case: an id in json
select to_json(id), to_jsonb(id) from users order by id;
select json_build_object('id', id, 'name', name) from users order by id;
select jsonb_build_object('id', id, 'name', name) from users order by id;
select json_build_array(id, name, 1, null), jsonb_build_array(id) from users order by id;
select json_agg(id order by id), jsonb_agg(id order by id) from users;
select json_agg(distinct is_active) from users;
select json_object_agg(id, name order by id) from users;
select json_object_agg(name, id order by id) from users;
select json_agg(json_build_object('id', o.id, 'user', json_build_object('id', u.id)) order by o.id) from orders o join users u on u.id = o.user_id;
select to_json(array_agg(id order by id)), json_build_object('ids', array_agg(id order by id)) from users;
select json_build_object('ids', array_agg(id order by id)) from users where false;
select to_json(participant_ids), array_to_json(participant_ids) from events order by id;
select jsonb_build_object('id', id) || jsonb_build_object('name', name) from users order by id;
select jsonb_build_object('id', id) || '{"a": 1}' from users order by id;
select jsonb_set(jsonb_build_object('id', id), '{name}', to_jsonb(name)) from users order by id;
select jsonb_set('{"a": 1}'::jsonb, '{id}', to_jsonb(id)) from users order by id;
select json_strip_nulls(json_build_object('o', owner_id)), jsonb_strip_nulls(jsonb_build_object('o', owner_id)) from teams order by id;
select json_build_object('id', id)::text, json_build_object('id', id)::jsonb from users order by id;
select json_build_object('id', id) -> 'id', json_build_object('id', id) ->> 'id' from users order by id;
select jsonb_build_object('u', jsonb_build_object('id', id)) #>> '{u,id}', jsonb_build_object('u', id) #> '{u}' from users order by id;
select coalesce(json_agg(json_build_object('id', id)) filter (where false), '[]'::json) from users;
select coalesce(jsonb_agg(id) filter (where false), '[]') from users;
select (select json_agg(o.id order by o.id) from orders o where o.user_id = u.id) as orders from users u order by id;
select u.id, x.data from users u left join lateral (select json_agg(json_build_array(o.id, o.status) order by o.id) as data from orders o where o.user_id = u.id) x on true order by u.id;
select jsonb_build_object(id, name) from users order by id;
select to_jsonb(u) - 'created_at' - '{email,name}'::text[] from users u order by id;
select jsonb_build_object('u', jsonb_build_object('id', id, 'name', name)) #- '{u,name}' from users order by id;
select jsonb_build_object('doc', t.id, 'owner', to_jsonb(u.*) - 'created_at') from teams t join users u on u.id = t.owner_id order by t.id;

-- case: an id as text beside other text
select coalesce(owner_id::text, ''), coalesce(owner_id::text, 'none') from teams order by id;
select case when is_active then id::text when login_count > 1 then 'x' else 'y' end from users order by users.id;
select name from users where coalesce(id::text, 'none') = 'none';
select coalesce(owner_id::text, name) from teams order by id;
select coalesce(name, owner_id::text) from teams order by id;
select case when is_active then id::text else name end from users order by id;
select case when is_active then name when login_count > 1 then 'u' || id else id::text end from users u order by u.id;

-- case: a recursion over text
with recursive t(id, path) as (select id, id::text from comments where parent_id is null union all select c.id, t.path from t join comments c on c.parent_id = t.id) select path from t order by id;
with recursive t(n, path) as (select 1, '' union all select n + 1, path || o.id from t join orders o on o.total_cents > n where n < 3) select path from t;

-- case: the length of text that a recursion builds
-- refused: 0A000
with recursive t(n, path) as (select 1, '' union all select n + 1, path || o.id from t join orders o on o.total_cents > n where n < 3) select path, length(path) from t;
-- refused: 0A000
with recursive t(n, path) as (select 1, name::text from users union all select n + 1, path || '/' || (select max(id::text) from users) from t where n < 3 and length(path) < 200) select path from t;

-- case: a whole row in json
select row_to_json(u) from users u order by id;
select to_jsonb(u), to_json(u) from users u order by id;
select row_to_json(users) from users order by id;
select row_to_json(u.*) from users u order by id;
select json_agg(t order by t.id) from teams t;
select coalesce(jsonb_agg(t.* order by t.id), '[]'::jsonb) from teams t;
select row_to_json(x) from (select id, name from users) x order by x.id;
select row_to_json((select r from (select u.id, u.name as "The Name") r)) from users u order by u.id;
select row_to_json(t) from users u left join teams t on t.owner_id = u.id order by u.id, t.id;
select u.id, json_agg(t order by t.id) from users u left join teams t on t.owner_id = u.id group by u.id order by u.id;
select to_jsonb(e) from events e order by id;
select json_agg(x order by x.id) from (select o.id, json_build_object('id', o.user_id) as u, array(select i.id from order_items i where i.order_id = o.id order by i.id) as items from orders o) x;
select row_to_json(x) -> 'id' from (select id, 'u' || id as label from users) x order by x.id;
update tags set name = name returning row_to_json(tags), json_build_object('id', id), 'tag ' || id;
insert into teams (name, slug) select 'built', 'built' where false returning row_to_json(teams);

-- case: built: what is sorted with ids in it
select string_agg(distinct id::text, ' ') from users where name = 'ann';
select count(*), jsonb_array_length(jsonb_agg(distinct id)) from users;
select count(*) from (select 'user-' || id as label from users order by label) s;

-- case: what counts the rows around ids that become text
-- refused: 0A000
select array_to_string(case when count(*) > 1 then array(select id from users order by id) end, ',') from orders;
-- refused: 0A000
select array_to_string(case when sum(1) > 1 then array(select id from users order by id) end, ',') from orders;
-- refused: 0A000
select array_to_string(case when row_number() over () > 1 then array(select id from users order by id) end, ',') from orders;
-- refused: 0A000
select array_to_string(array_agg(id) over (order by id), ',') from users order by id;
-- refused: 0A000
select array_to_string(case when percentile_disc(0.5) within group (order by (select id from users where false)) is null then array(select id from users order by id) end, ',') from orders;
select array_to_string(case when max(total_cents) > 0 then array_agg(id order by id) end, ',') from orders;
select array_to_string(case when count(user_id) > 1 then array(select id from users order by id) end, ',') from orders;
select array_to_string(array_agg(distinct user_id order by user_id) filter (where user_id is not null), ',') from orders;

-- case: a constant without ids beside text with ids in a set operation
select count(*) from (select 'user-' || id from users union select 'nobody') s;
select x from (select 'user-' || id as x from users union all select 'nobody') s where x = 'nobody';
select count(*) from (select 'user-' || id from users union values ('a'), ('b'), ('a')) s;

-- case: a value that a cast cuts to an id
select name from users where ':users.ann xyz'::varchar(36) = id::varchar(36);
select name from users where id::varchar(36) = cast(':users.ann xyz' as character varying(36));
select name from users where id::varchar(40) = ':users.ann xyz'::varchar(40);
-- with: ':users.ann xyz'
-- types: text
select name from users where id::varchar(36) = $1::varchar(36);
-- with: ':users.ann xyz'
select name from users where id::varchar(36) = $1::varchar(36);
-- with: ':users.ann'
select name from users where id::varchar(36) = $1::varchar(36);
-- with: ':users.ann xyz'
select name from users where id::varchar(36) = $1::varchar(38)::varchar(36);
-- with: ':users.ann xyz'
select name from users where id::varchar(36) = $1::varchar(36)::varchar(38)::text;
select name from users where id::varchar(36) = (':users.ann xyz'::varchar(38))::varchar(36)::text;
select name from users where id::varchar(36) = ':users.ann xyz'::text::varchar(36);
-- with: ':users.ann xyz'
select name from users where id::varchar(36) = $1::varchar(38)::varchar(39)::varchar(40)::varchar(41)::varchar(42)::varchar(36);
