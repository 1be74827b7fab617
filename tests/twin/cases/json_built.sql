JSON that queries build of ids, in the ways of ORMs and of hand-written queries.

-- case: built json: nested lists by lateral subqueries
select u.id, o.list from users u left join lateral (select coalesce(json_agg(json_build_object('id', o.id, 'status', o.status) order by o.id), '[]'::json) as list from orders o where o.user_id = u.id) o on true order by u.id;
select coalesce(json_agg(t."data"), '[]') as root from (select json_build_object('id', u.id, 'name', u.name, 'orders', (select coalesce(json_agg(json_build_object('id', o.id, 'userId', o.user_id) order by o.id), '[]') from orders o where o.user_id = u.id)) as "data" from users u order by u.id) t;
select json_agg(row_to_json(x)) from (select u.id, u.name, (select json_agg(y order by y.id) from (select o.id, o.status from orders o where o.user_id = u.id) y) as orders from users u order by u.id) x;
select to_jsonb(u) || jsonb_build_object('order_count', (select count(*) from orders o where o.user_id = u.id)) from users u order by u.id;
select to_jsonb(u) || jsonb_build_object('orders', coalesce((select jsonb_agg(to_jsonb(o) order by o.id) from orders o where o.user_id = u.id), '[]')) from users u order by u.id;

-- case: built json: prisma
select coalesce(jsonb_agg("__prisma_data__"), '[]') as "__prisma_data__" from (select "t2"."__prisma_data__" from (select jsonb_build_object('id', "t1"."id", 'userId', "t1"."user_id") as "__prisma_data__" from (select "t0".* from "public"."orders" as "t0" order by "t0"."id") as "t1") as "t2") as "t3";
select "t0"."id", "t0"."name", "User_orders"."__prisma_data__" as "orders" from "public"."users" as "t0" left join lateral (select coalesce(jsonb_agg("__prisma_data__"), '[]') as "__prisma_data__" from (select "t3"."__prisma_data__" from (select jsonb_build_object('id', "t2"."id", 'status', "t2"."status") as "__prisma_data__" from (select "t1".* from "public"."orders" as "t1" where "t0"."id" = "t1"."user_id" order by "t1"."id") as "t2") as "t3") as "t4") as "User_orders" on true order by "t0"."id";

-- case: built json: drizzle
select "users"."id", "users"."name", "users_orders"."data" as "orders" from "users" left join lateral (select coalesce(json_agg(json_build_array("users_orders"."id", "users_orders"."user_id", "users_orders"."status") order by "users_orders"."id"), '[]'::json) as "data" from "orders" "users_orders" where "users_orders"."user_id" = "users"."id") "users_orders" on true order by "users"."id";
select o.id, u.data from orders o left join lateral (select json_build_array(u.id, u.email) as data from (select * from users u where u.id = o.user_id limit 1) u) u on true order by o.id;

-- case: built json: hasura
select coalesce(json_agg("root" order by "root.pg.id" asc), '[]') as "root" from (select row_to_json((select "_e" from (select "_root.base"."id" as "id", "_root.base"."name" as "name") as "_e")) as "root", "_root.base"."id" as "root.pg.id" from (select * from "public"."users" where ('true')) as "_root.base") as "_root";
select json_build_object('users', (select coalesce(json_agg(u order by u.id), '[]') from (select id, name from users) u), 'orders', (select count(*) from orders)) as data;

-- case: built json: postgrest
select coalesce(json_agg(_postgrest_t), '[]')::text as body from (select "users"."id", "users"."name" from "public"."users" order by "users"."id") _postgrest_t;
with pgrst_source as (select "orders"."id", "orders"."status", row_to_json("orders_users_1".*) as "user" from "public"."orders" left join lateral (select "users_1"."id", "users_1"."name" from "public"."users" as "users_1" where "users_1"."id" = "orders"."user_id") as "orders_users_1" on true order by "orders"."id") select null::bigint as total_result_set, pg_catalog.count(_postgrest_t) as page_total, coalesce(json_agg(_postgrest_t), '[]') as body from (select * from pgrst_source) _postgrest_t;

-- case: built json: maps by id
select json_object_agg(id, name order by id) from users;
select jsonb_object_agg(name, id) from users;
select json_object_agg(u.name, (select json_agg(o.id order by o.id) from orders o where o.user_id = u.id) order by u.id) from users u;
select jsonb_object_agg(o.status, o.user_id) filter (where o.status <> 'new') from orders o;

-- case: built json: lists
select json_agg(id order by id), jsonb_agg(id order by id) from users;
select json_agg(u.id order by u.id) filter (where is_active), jsonb_agg(distinct user_id) from orders o, users u where user_id = u.id;
select array_to_json(array_agg(id order by id)) from users;
select to_json(array_agg(id order by id)), to_jsonb(array(select id from users order by id)) from users;
select json_build_array(id, name, user_ids) from (select t.id, t.name, array(select user_id from memberships m where m.team_id = t.id order by user_id) as user_ids from teams t) x order by id;
select array_to_json(participant_ids), to_jsonb(participant_ids) from events order by id;

-- case: built json: taken apart again
select json_agg(u order by id) -> 0 ->> 'id' from users u;
select json_agg(json_build_object('id', id, 'name', name) order by id) -> 0 -> 'id' from users;
select to_jsonb(u) -> 'id', to_jsonb(u) ->> 'id', to_jsonb(u) ->> 'name' from users u order by id;
select x.j ->> 'id', x.j -> 'name' from (select row_to_json(u) as j from users u) x order by 1;
select j #>> '{user,id}', j #> '{user}' from (select jsonb_build_object('user', jsonb_build_object('id', id)) as j from users) x order by 1;
select jsonb_build_object('a', jsonb_build_object('b', id)) -> 'a' ->> 'b' from users order by id;
select e ->> 'id' from (select jsonb_agg(to_jsonb(u) order by u.id) as list from users u) x, jsonb_array_elements(x.list) e;
select jsonb_array_length(jsonb_agg(id)), json_typeof(to_json(max(id))) from users group by is_active order by 1;
select to_jsonb(u) - 'email' - 'created_at', to_jsonb(u) - array['email', 'created_at'] from users u order by id;
select jsonb_set(to_jsonb(u), '{name}', '"x"') from users u order by id;
select jsonb_strip_nulls(to_jsonb(o)) from orders o order by id;
select jsonb_pretty(jsonb_build_object('id', id)) from users order by id;

-- case: built json: written back
-- modes: simple text declared binary
with made as (insert into orders (user_id, status) values (':users.ann', 'json') returning id, user_id, status) select row_to_json(made) from made;
update orders set status = 'told' where id = ':orders.one' returning json_build_object('id', id, 'user', user_id);
delete from order_items where order_id = ':orders.one' returning to_jsonb(order_items.*);
insert into tags (name) values ('built') returning json_build_object('id', id, 'name', name) as tag;

-- case: built text: lists of ids
select string_agg(id::text, ',' order by id) from users;
select u.name || ': ' || string_agg(o.id::text, ', ' order by o.id) from users u join orders o on o.user_id = u.id group by u.id, u.name order by u.id;
select concat_ws('/', 'users', id, name), concat('u', id), format('%s <%s>', name, id) from users order by id;
select array_to_string(array_agg(u.id order by u.id), ','), array_to_string(participant_ids, ' ') from users u, events group by participant_ids order by 2;
select array_to_string(array(select id::text from users order by id), E'\n');
select format('/users/%s/orders/%s', o.user_id, o.id) as path, 'urn:order:' || o.id::text as urn from orders o order by o.id;
select string_agg(format('%s=%s', name, id), '&' order by id) from users;
select coalesce(string_agg(o.id::text, ','), 'none') from users u left join orders o on o.user_id = u.id group by u.id order by u.id;

-- case: built json: cursors
-- modes: simple text declared binary
declare built cursor for select json_build_object('id', id) from users order by id;
fetch 2 from built;
fetch all from built;
close built;

-- case: built json: sets
select to_jsonb(u) from users u union all select to_jsonb(o) from orders o where o.id = ':orders.one';
select json_build_object('id', id)::jsonb from users union select jsonb_build_object('id', id) from teams;
with u as materialized (select to_jsonb(u) as j from users u) select j from u order by j ->> 'name';
select distinct to_jsonb(user_id) from orders order by 1;
select user_id, jsonb_agg(jsonb_build_object('id', id)) over (partition by user_id order by id) from orders order by user_id, id;

-- case: built json: conditions beside it
select json_build_object('id', id, 'rich', total_cents > 100, 'mine', user_id = ':users.ann') from orders order by id;
select json_build_object('id', id, 'user', case when user_id = ':users.ann' then 'ann' else 'another' end) from orders order by id;
select json_build_object('user', nullif(user_id, ':users.ann'), 'either', coalesce(user_id, ':users.bob')) from orders order by id;
select jsonb_build_object('kind', kind, 'actor', actor_id, 'all', participant_ids, 'payload', payload) from events order by id;
select case when is_active then json_build_object('id', id) end from users order by id;
select coalesce(to_jsonb(o.*), '{}') from users u left join orders o on o.user_id = u.id order by u.id, o.id;

-- case: json that a row is filled from: more shapes
-- with: '[{"id": ":orders.two", "user_id": ":users.bob", "status": "filled"}]'
update orders o set status = r.status from jsonb_populate_recordset(null::public.orders, $1) as r where o.id = r.id returning o.id, o.status;
-- with: '{"user_id": ":users.ann", "status": "filled"}'
insert into orders (user_id, status) select r.user_id, r.status from jsonb_populate_record(null::orders, $1) r returning user_id, status;
-- with: '{"rows": [{"user_id": ":users.ann", "status": "nested"}]}'
insert into orders (user_id, status) select r.user_id, r.status from jsonb_populate_recordset(null::orders, $1::jsonb -> 'rows') r returning user_id, status;
-- with: '[{"user_id": ":users.ann", "status": "cte"}]'
with rows as (select * from jsonb_to_recordset($1) as x(user_id uuid, status text)) insert into orders (user_id, status) select user_id, status from rows returning user_id, status;

-- case: json that a row is filled from: as a value
-- with: '{"user_id": ":users.ann", "status": "filled"}'
insert into orders (user_id, status) select (r).user_id, (r).status from (select jsonb_populate_record(null::orders, $1) as r) x returning user_id, status;

-- case: an id comes back out of json that is built of it
select (jsonb_build_object('k', id) ->> 'k')::uuid, name from users order by id;
select cast(json_build_object('k', id, 'n', name) ->> 'k' as uuid) as key from users order by id;
select name from users where (jsonb_build_object('k', id) ->> 'k')::uuid = ':users.ann';
select id from orders where (jsonb_build_object('k', user_id) ->> 'k')::uuid in (':users.bob', ':users.cai') order by id;
-- with: :users.bob
select count(*) from users where (jsonb_build_array(id) ->> 0)::uuid <> $1;
select (to_jsonb(u) ->> 'id')::uuid, u.name from users u order by (to_jsonb(u) ->> 'id')::uuid;
with built as (select json_build_object('user', json_build_object('id', user_id)) as doc from orders) select u.name from built b join users u on u.id = (b.doc #>> '{user,id}')::uuid order by u.name;
select q.key from (select (jsonb_build_object('k', id) ->> 'k')::uuid as key from teams) q order by q.key;
select (jsonb_build_object('k', id) ->> 'other')::uuid is null from teams order by id;
select max((jsonb_build_object('k', id) ->> 'k')::uuid) is null, array_agg((jsonb_build_object('k', id) ->> 'k')::uuid order by id) from users;
select (e ->> 'id')::uuid from (select jsonb_agg(jsonb_build_object('id', u.id) order by u.id) as list from users u) x, jsonb_array_elements(x.list) e order by 1;
update orders set user_id = (jsonb_build_object('k', user_id) ->> 'k')::uuid where id = ':orders.one' returning user_id;
