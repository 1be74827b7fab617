Ids inside JSON that the client sends.

-- case: json on the way in: a list of ids
-- with: '[":users.ann", ":users.cai"]'
select name from users where id = any(select value::uuid from jsonb_array_elements_text($1) as value) order by id;
-- with: '[":users.ann", ":users.cai"]'
select name from users where id in (select value::uuid from json_array_elements_text($1)) order by id;
-- with: '[":users.ann", ":users.cai"]'
select name from users where id = any(array(select jsonb_array_elements_text($1::jsonb))::uuid[]) order by id;
-- with: '[":users.ann", ":users.cai"]'
select name from users where id = any((select array_agg(value) from jsonb_array_elements_text($1))::uuid[]) order by id;
-- with: '[]'
select name from users where id = any(select value::uuid from jsonb_array_elements_text($1));
-- with: '[null, ":users.bob"]'
select name from users where id = any(select value::uuid from jsonb_array_elements_text($1));
-- with: null
select name from users where id = any(select value::uuid from jsonb_array_elements_text($1));
select name from users where id = any(select value::uuid from jsonb_array_elements_text('[":users.dee"]'));
select u.name, t.ordinality from jsonb_array_elements_text('[":users.bob", ":users.ann"]') with ordinality as t(uid, ordinality) join users u on u.id = t.uid::uuid order by t.ordinality;

-- case: json on the way in: a list of objects
-- with: '[{"id": ":users.ann", "n": 1}, {"n": 2, "id": ":users.bob"}]'
select u.name from users u where u.id in (select (e ->> 'id')::uuid from jsonb_array_elements($1::jsonb) as e) order by u.id;
-- with: '[{"id": ":users.ann", "n": 1}, {"n": 2, "id": ":users.bob"}]'
select u.name, e.value -> 'n' from users u join json_array_elements($1::json) e on (e.value ->> 'id')::uuid = u.id order by u.id;
-- with: '[{"user": {"id": ":users.ann"}}]'
select name from users where id = ($1::jsonb -> 0 -> 'user' ->> 'id')::uuid;
-- with: '{"users": [{"id": ":users.ann"}, {"id": ":users.bob"}]}'
select name from users where id in (select (e ->> 'id')::uuid from jsonb_array_elements($1::jsonb -> 'users') e) order by id;

-- case: json on the way in: a member of an object
-- with: '{"user_id": ":users.ann"}'
select name from users where id = ($1::jsonb ->> 'user_id')::uuid;
-- with: '{"user_id": ":users.ann"}'
select name from users where id = ($1::json ->> 'user_id')::uuid;
-- with: '{"user_id": ":users.ann"}'
-- types: text
select name from users where id = ($1::jsonb ->> 'user_id')::uuid;
-- with: '{"user_id": ":users.ann"}'
-- types: varchar
select name from users where id = ($1::json ->> 'user_id')::uuid;
-- with: '{"user": {"id": ":users.bob"}}'
select name from users where id = ($1::jsonb #>> '{user,id}')::uuid;
-- with: '{"user": {"id": ":users.bob"}}'
select name from users where id = ($1::jsonb #>> array['user', 'id'])::uuid;
-- with: '{"user": {"id": ":users.bob"}}'
select name from users where id = cast($1::jsonb -> 'user' ->> 'id' as uuid);
select name from users where id = ('{"a": ":users.bob", "b": [1.50, {"c": null}]}'::jsonb ->> 'a')::uuid;
select name from users where id = (jsonb '{"a": ":users.bob"}' ->> 'a')::uuid;
-- with: '{"user_id": ":users.ann/upper"}'
select name from users where id = ($1::jsonb ->> 'user_id')::uuid;
-- with: '{"user\u005fid": ":users.ann", "user_id2": "x"}'
select name from users where id = ($1::jsonb ->> 'user_id')::uuid;
-- with: '{"user_id": ":users.bob", "user_id": ":users.ann"}'
select name from users where id = ($1::jsonb ->> 'user_id')::uuid;
-- with: '{"user_id": null}'
select name from users where id = ($1::jsonb ->> 'user_id')::uuid;
-- with: '{}'
select name from users where id = ($1::jsonb ->> 'user_id')::uuid;
-- with: '[1, "x"]'
select name from users where id = ($1::jsonb ->> 'user_id')::uuid;
-- with: '{"user_id": ":users.ann", "email": "ann@example.test"}'
select name from users where id = ($1::jsonb ->> 'user_id')::uuid and email = $1::jsonb ->> 'email';
-- with: '{"user_id": ":users.ann", "n": 12345678901234567890.50}'
select name, $1::jsonb -> 'n', $1::jsonb from users where id = ($1::jsonb ->> 'user_id')::uuid;
-- with: '{"user_id": ":users.ann", "tags": {"a": [1, 2]}}'
select name, d -> 'tags', d #>> '{tags,a}' from users, (select $1::jsonb as d) x where id = (d ->> 'user_id')::uuid;

-- case: json on the way in: rows with a column definition list
-- with: '[{"user_id": ":users.ann", "status": "json one"}, {"status": "json two", "user_id": ":users.bob"}]'
insert into orders (user_id, status) select x.user_id, x.status from json_to_recordset($1) as x(user_id uuid, status text) returning user_id, status;
-- with: '[{"user_id": ":users.ann", "status": "json one", "total": 12}]'
insert into orders (user_id, status, total_cents) select * from jsonb_to_recordset($1::jsonb) as x(user_id uuid, status text, total bigint) returning user_id, status, total_cents;
-- with: '[{"id": ":users.ann", "n": 1}, {"id": ":users.bob", "n": null}]'
select x.*, u.name from jsonb_to_recordset($1) as x(id uuid, n int) join users u on u.id = x.id order by u.id;
-- with: '[{"id": ":users.ann", "n": 1}, {"id": ":users.bob", "n": null}]'
select x.id::text, u.id = x.id from jsonb_to_recordset($1) as x(id uuid, n int) join users u on u.id = x.id order by u.id;
-- with: '{"id": ":users.ann", "ids": [":users.ann", ":users.bob"]}'
select x.id, x.ids, u.name from jsonb_to_record($1) as x(id uuid, ids uuid[]) join users u on u.id = any(x.ids) and x.id is not null order by u.id;
-- with: '{"ids": "{:users.ann,:users.bob}"}'
select u.name from json_to_record($1) as x(ids uuid[]) join users u on u.id = any(x.ids) order by u.id;
-- with: '[{"id": ":orders.two", "status": "json"}, {"id": ":orders.four", "status": "json too"}]'
update orders o set status = x.status from jsonb_to_recordset($1) as x(id uuid, status text) where o.id = x.id returning o.id, o.status;
-- with: '[{"id": ":orders.two"}]'
delete from order_items where order_id in (select id from jsonb_to_recordset($1) as x(id uuid));
-- with: '[{"id": ":users.ann"}, {"id": ":users.bob"}]'
select json_agg(x order by u.id) from jsonb_to_recordset($1) as x(id uuid, n int) join users u on u.id = x.id;
-- with: '[{"id": ":users.ann", "d": {"order": ":orders.one"}}]'
select u.name, o.status from jsonb_to_recordset($1) as x(id uuid, d jsonb) join users u on u.id = x.id join orders o on o.id = (x.d ->> 'order')::uuid;

-- case: json on the way in: rows of a table
-- with: '[{"user_id": ":users.ann", "status": "populated", "total_cents": 5, "placed_at": "2026-01-01T00:00:00Z"}]'
insert into orders (user_id, status, total_cents, placed_at) select user_id, status, total_cents, placed_at from jsonb_populate_recordset(null::orders, $1) returning user_id, status;
-- with: '{"id": ":orders.one", "user_id": ":users.bob"}'
update orders set user_id = x.user_id from json_populate_record(null::orders, $1::json) x where orders.id = x.id returning orders.id, orders.user_id;
-- with: '[{"kind": "json", "participant_ids": [":users.ann", ":users.dee"], "payload": {"a": [1,  2.0]}}]'
insert into events (kind, participant_ids, payload) select kind, participant_ids, payload from jsonb_populate_recordset(null::public.events, $1) returning kind, participant_ids, payload;
-- with: '[{"id": ":users.ann"}, {"id": ":users.bob", "name": "x"}]'
select p.id, p.name, u.name from jsonb_populate_recordset(null::users, $1) p join users u using (id) order by u.id;

-- case: json on the way in: what is no id
-- early
-- fails: 22P02
-- with: '{"user_id": "no id"}'
-- except: context
select name from users where id = ($1::jsonb ->> 'user_id')::uuid;
-- early
-- fails: 22P02
-- with: '{"user_id": 42}'
select name from users where id = ($1::jsonb ->> 'user_id')::uuid;
-- early
-- fails: 22P02
-- with: '{"user_id": true}'
select name from users where id = ($1::jsonb ->> 'user_id')::uuid;
-- early
-- fails: 22P02
-- with: '[{"id": "42"}]'
select u.name from jsonb_to_recordset($1) as x(id uuid) join users u on u.id = x.id;
-- early
-- fails: 22P02
-- except: context detail
-- with: '{"user_id": ":users.ann"'
select name from users where id = ($1::jsonb ->> 'user_id')::uuid;
-- early
-- fails: 22P05
-- except: context
-- with: '{"user_id": ":users.ann", "x": "\u0000"}'
select name from users where id = ($1::jsonb ->> 'user_id')::uuid;
-- with: '{"user_id": "11111111-1111-4111-8111-111111111111"}'
select name from users where id = ($1::jsonb ->> 'user_id')::uuid;
-- with: '{"user_id": ":orders.one"}'
select name from users where id = ($1::jsonb ->> 'user_id')::uuid;
-- with: '[{"id": "11111111-1111-4111-8111-111111111111"}]'
select x.id from jsonb_to_recordset($1) as x(id uuid) left join users u on u.id = x.id;
-- early
-- fails: 23503
-- with: '[{"user_id": "11111111-1111-4111-8111-111111111111"}]'
insert into orders (user_id) select user_id from jsonb_to_recordset($1) as x(user_id uuid);
-- fails: 42883
-- with: '{"user_id": ":users.ann"}'
select name from users where id = $1::jsonb ->> 'user_id';

-- case: json on the way in: what is shown of it
-- refused: 0A000
-- with: '[":users.ann"]'
select value from jsonb_array_elements_text($1) where value::uuid in (select id from users);
-- refused: 0A000
-- with: '{"user_id": ":users.ann"}'
select d from users, (select $1::jsonb as d) x where id = (d ->> 'user_id')::uuid;
-- with: '{"user_id": ":users.ann"}'
select name, $1::jsonb ->> 'user_id', length($1::jsonb ->> 'user_id') from users where id = ($1::jsonb ->> 'user_id')::uuid;
