Small expressions over ids: conditions, choices, NULL, casts, rows and text. A case is one statement.

-- case: small: is null and is not null
select id, owner_id is null, owner_id is not null from teams order by id;

-- case: small: isnull, as postgres also writes it
select id from teams where owner_id isnull;

-- case: small: is distinct from a literal
select id from teams where owner_id is distinct from ':users.ann' order by id;

-- case: small: is not distinct from null
select id from teams where owner_id is not distinct from null;

-- case: small: between
select id from users where id between ':users.bob' and ':users.dee' order by id;

-- case: small: not between
select id from users where id not between ':users.bob' and ':users.dee' order by id;

-- case: small: between symmetric
select id from users where id between symmetric ':users.dee' and ':users.bob' order by id;

-- case: small: between columns
select o.id from orders o where o.user_id between (select min(id) from users) and ':users.ann' order by id;

-- case: small: a comparison chain by and
select id from users where id >= ':users.bob' and id < ':users.eli' order by id;

-- case: small: not
select id from users where not id = ':users.ann' order by id;

-- case: small: a condition that is shown
select id, id = ':users.ann' as is_ann, id <> ':users.bob' as is_not_bob from users order by id;

-- case: small: a condition is true
select id from teams where (owner_id = ':users.ann') is true;

-- case: small: a condition is not true
select id from teams where (owner_id = ':users.ann') is not true order by id;

-- case: small: a condition is unknown
select id from teams where (owner_id = ':users.ann') is unknown;

-- case: small: in a list with a null
select id from teams where owner_id in (':users.ann', null);

-- case: small: not in a list
select id from users where id not in (':users.ann', ':users.bob') order by id;

-- case: small: in a list of one
select id from users where id in (':users.ann');

-- case: small: a list of mixed spellings
select id from users where id in (':users.ann', ':users.bob'::uuid, cast(':users.cai' as uuid), uuid ':users.dee') order by id;

-- case: small: coalesce of two columns
select c.id, coalesce(c.parent_id, c.id) from comments c order by c.id;

-- case: small: coalesce of a subquery
select t.id, coalesce(t.owner_id, (select min(id) from users)) from teams t order by t.id;

-- case: small: coalesce of many
select id, coalesce(null, owner_id, null, ':users.dee') from teams order by id;

-- case: small: nullif of columns
select c.id, nullif(c.parent_id, ':comments.root') from comments c order by c.id;

-- case: small: nullif of an id and itself
select nullif(id, id) from tags;

-- case: small: greatest and least of columns
select c.id, greatest(c.id, c.parent_id), least(c.id, c.parent_id) from comments c order by c.id;

-- case: small: greatest with literals
select greatest(':users.ann'::uuid, ':users.bob') = max(id) from users where id <= ':users.bob';

-- case: small: a searched case
select id, case when owner_id is null then ':users.dee' when owner_id = ':users.ann' then ':users.bob' else owner_id end from teams order by id;

-- case: small: a simple case on an id
select id, case id when ':users.ann' then 1 when ':users.bob' then 2 else 0 end from users order by id;

-- case: small: a case that yields ids or null
select id, case when is_active then id end from users order by id;

-- case: small: a case within a case
select id, case when owner_id is null then null else case when slug = 'red' then owner_id else ':users.eli' end end from teams order by id;

-- case: small: a case in order by
select id from users order by case id when ':users.cai' then 0 else 1 end, id;

-- case: small: a case in where
select id from orders where case when status = 'paid' then user_id else ':users.ann' end = ':users.bob' order by id;

-- case: small: order by an id with nulls
select id, owner_id from teams order by owner_id desc nulls last, id;

-- case: small: order by using
select id from users order by id using >;

-- case: small: distinct ids
select distinct owner_id from teams order by owner_id nulls first;

-- case: small: distinct rows
select distinct user_id, status from orders order by 1, 2;

-- case: small: a cast to its own type
select id::uuid, cast(user_id as uuid) from orders order by id;

-- case: small: a cast to text and back
select id::text::uuid from users order by id;

-- case: small: a cast of a literal in front
select uuid ':users.ann' as id;

-- case: small: a cast to varchar with room
select id::varchar from users order by id;

-- case: small: text compared with a literal
select name from users where id::text = ':users.ann';

-- case: small: text in a list of literals
select name from users where id::text in (':users.ann', ':users.cai') order by name;

-- case: small: a literal in upper case
select name from users where id = upper(':users.ann')::uuid or name = 'Bob' and false;

-- case: small: ids put together with text
select 'order ' || id || ' of ' || user_id from orders order by id;

-- case: small: an address made of an id
select '/users/' || u.id || '/orders/' || o.id as url from users u join orders o on o.user_id = u.id order by o.id;

-- case: small: concat of ids of two domains
select concat(user_id, ':', id) from orders order by id;

-- case: small: concat with a separator
select concat_ws('-', user_id, status, id) from orders order by id;

-- case: small: format with ids
select format('%s bought %s', user_id, id) from orders order by id;

-- case: small: format of an id as a literal
select format('id = %L', id) from users order by id;

-- case: small: an id quoted as a literal
select quote_literal(id), quote_nullable(id) from users order by id;

-- case: small: a missing id quoted
select quote_nullable(owner_id), format('%L', owner_id) from teams order by id;

-- case: small: ids listed as text
select user_id, string_agg(id::text, ', ' order by id) from orders group by user_id order by user_id;

-- case: small: ids in a json object
select json_build_object('user', user_id, 'order', id, 'n', 1) from orders order by id;

-- case: small: ids as the keys of an object
select json_object_agg(id, name order by id) from users;

-- case: small: an object of two arrays
select json_object(array['id', 'name'], array[id::text, name]) from users order by id;

-- case: small: an object of pairs
select json_object(array['id', id::text, 'name', name]) from users order by id;

-- case: small: a jsonb object of pairs
select jsonb_object(array['id', id::text, 'name', name]) from users order by id;

-- case: small: ids in a json array
select json_build_array(id, name, 1) from users order by id;

-- case: small: a row as json
select row_to_json(t) from tags t order by t.id;

-- case: small: a row as jsonb without a column
select to_jsonb(t) - 'name' from tags t order by t.id;

-- case: small: a row as jsonb and more
select to_jsonb(t) || jsonb_build_object('n', 1) from tags t order by t.id;

-- case: small: rows gathered as json
select json_agg(t order by t.id) from tags t;

-- case: small: rows gathered as jsonb with a name
select jsonb_build_object('tags', jsonb_agg(t order by t.id)) from tags t;

-- case: small: rows of a subquery as json
select json_agg(s) from (select id, name from tags order by id) s;

-- case: small: nested rows as json
select json_agg(json_build_object('id', u.id, 'orders', (select json_agg(o.id order by o.id) from orders o where o.user_id = u.id)) order by u.id) from users u;

-- case: small: the length of gathered json
select json_array_length(json_agg(id)), jsonb_array_length(jsonb_agg(id)) from users;

-- case: small: the kind of json
select json_typeof(to_json(id)), jsonb_typeof(to_jsonb(owner_id)) from teams order by id;

-- case: small: a member of a built object
select json_build_object('id', id, 'n', 1) ->> 'id', json_build_object('id', id) -> 'id' from users order by id;

-- case: small: elements of gathered json
select e from (select json_agg(id order by id) as list from users) s, json_array_elements_text(s.list) e;

-- case: small: elements of gathered rows
select e ->> 'id' from (select jsonb_agg(t order by t.id) as list from tags t) s, jsonb_array_elements(s.list) e;

-- case: small: a row value
select (id, name) from tags order by id;

-- case: small: a row value with row
select row(user_id, id, 1) from orders order by id;

-- case: small: a whole row
select t from tags t order by t.id;

-- case: small: a whole row as text
select t::text from tags t order by t.id;

-- case: small: a row value as text
select (id, name)::text from tags order by id;

-- case: small: a member of a whole row
select (t).id, (t).name from tags t order by 1;

-- case: small: a row of a subquery
select s from (select id, name from tags) s order by s.id;

-- case: small: rows gathered
select array_agg(t order by t.id) from tags t;

-- case: small: a whole row compared
select a.id from tags a join tags b on a = b order by a.id;

-- case: small: a whole row is null
select u.id, o is null from users u left join orders o on o.user_id = u.id and o.status = 'void' order by u.id;

-- case: small: rows compared by order
select id from orders where (user_id, id) >= (':users.bob', ':orders.three') order by id;

-- case: small: rows compared as equal
select id from orders where (user_id, status) = (':users.bob', 'new');

-- case: small: rows compared as distinct
select id from orders where row(user_id, status) is distinct from row(':users.ann'::uuid, 'paid') order by id;

-- case: small: rows between
select id from orders where row(user_id, id) between row(':users.ann'::uuid, ':orders.two'::uuid) and row(':users.bob'::uuid, ':orders.three'::uuid) order by id;

-- case: small: counted ids
select count(id), count(distinct id), count(owner_id) from teams;

-- case: small: counted missing ids
select num_nulls(owner_id, id), num_nonnulls(owner_id, id) from teams order by id;

-- case: small: the type of an id
select pg_typeof(id)::text from tags limit 1;

-- case: small: a limit by a subquery
select id from users order by id limit (select count(*) from tags);

-- case: small: a lock of rows
select id from orders where user_id = ':users.ann' order by id for update;

-- case: small: a lock that is shared
select o.id from orders o join users u on u.id = o.user_id where u.name = 'Ann' order by o.id for share of o;

-- case: small: a table sample
select count(*) from users tablesample system (100);

-- case: small: a function of an id that is declared
select id, owner_of(id) from orders order by id;

-- case: small: a function of an id with a body
select id, user_email(id) from users order by id;

-- case: small: a function that returns rows
select o.id, o.status from orders_of(':users.ann') o order by o.id;

-- case: small: a function joined laterally
select u.name, s.cents from users u, lateral spent(u.id) s order by u.id;

-- case: small: a view of a union
select id from owners order by id;

-- case: small: a view with a window
select id, before, first from neighbours order by id;

-- case: small: a view with arrays
select user_id, order_ids from orders_by_user order by user_id;

-- case: small: a recursive view
select id, root, depth from threads order by id;

-- case: small: a materialized view
select c.user_id, c.n, u.name from order_counts c join users u on u.id = c.user_id order by c.user_id;

-- case: small: a width would count what stands for an id
-- refused: 0A000
select format('%90s', 'user-' || id) from users;

-- case: small: an identifier is quoted by what is in it
-- refused: 0A000
select format('%I', 'user-' || id) from users;

-- case: small: rows with arrays and NULLs as text
select e::text from events e order by e.id;

-- case: small: a row that an outer join has not found as text
select t.id, u::text from teams t left join users u on u.id = t.owner_id order by t.id;

-- case: small: a row as text within text
select 'it is ' || t::text from tags t order by t.id;

-- case: small: text of an array within text
select 'ids ' || participant_ids::text || '.' from events order by id;
