SELECT id FROM users WHERE id = ANY(SELECT value::uuid FROM jsonb_array_elements_text($1))
-- edited SELECT id FROM users WHERE id = ANY(SELECT value::pg_catalog.int8 FROM jsonb_array_elements_text($1)) | parameters $1:{*: user}:3802 | columns id:user

SELECT id FROM users WHERE id IN (SELECT (e ->> 'id')::uuid FROM jsonb_array_elements($1::jsonb) AS e)
-- edited SELECT id FROM users WHERE id IN (SELECT (e ->> 'id')::pg_catalog.int8 AS uuid FROM jsonb_array_elements($1::jsonb) AS e) | parameters $1:{*: {id: user}}:3802 | columns id:user

SELECT id FROM users WHERE id = ($1::jsonb ->> 'user_id')::uuid
-- edited SELECT id FROM users WHERE id = ($1::jsonb ->> 'user_id')::pg_catalog.int8 | parameters $1:{user_id: user}:3802 | columns id:user

SELECT id FROM users WHERE id = ($1::jsonb #>> '{a,b}')::uuid OR id = CAST($1::jsonb -> 'a' ->> 'b' AS uuid)
-- edited SELECT id FROM users WHERE id = ($1::jsonb #>> '{a,b}')::pg_catalog.int8 OR id = CAST($1::jsonb -> 'a' ->> 'b' AS pg_catalog.int8) | parameters $1:{a: {b: user}}:3802 | columns id:user

SELECT id FROM users WHERE id = ('{"user_id": "11111111-1111-8111-8111-111111111111"}'::jsonb ->> 'user_id')::uuid
-- edited SELECT id FROM users WHERE id = (<{user_id: user}>::jsonb ->> 'user_id')::pg_catalog.int8 | columns id:user

INSERT INTO orders (user_id, status) SELECT x.user_id, x.status FROM json_to_recordset($1) AS x(user_id uuid, status text)
-- edited INSERT INTO orders (user_id, status) SELECT x.user_id, x.status FROM json_to_recordset($1) AS x(user_id pg_catalog.int8, status text) | parameters $1:{*: {user_id: user stored}}:114 | columns none

INSERT INTO orders (user_id, status) SELECT * FROM jsonb_to_recordset($1::jsonb) AS x(user_id uuid, status text) RETURNING id
-- edited INSERT INTO orders (user_id, status) SELECT * FROM jsonb_to_recordset($1::jsonb) AS x(user_id pg_catalog.int8, status text) RETURNING id | parameters $1:{*: {user_id: user stored}}:3802 | columns id:order

SELECT x.* FROM jsonb_to_recordset($1) AS x(id uuid, n int) JOIN users u ON u.id = x.id
-- edited SELECT x.* FROM jsonb_to_recordset($1) AS x(id pg_catalog.int8, n int) JOIN users u ON u.id = x.id | parameters $1:{*: {id: user}}:3802 | columns id:user, n

SELECT x.id FROM jsonb_to_record($1) x(id uuid, ids uuid[]) JOIN users u ON u.id = x.id AND u.id = ANY(x.ids)
-- edited SELECT x.id FROM jsonb_to_record($1) x(id pg_catalog.int8, ids pg_catalog.int8[]) JOIN users u ON u.id = x.id AND u.id = ANY(x.ids) | parameters $1:{id: user, ids: user[]}:3802 | columns id:user

INSERT INTO orders SELECT * FROM jsonb_populate_recordset(null::orders, $1)
-- edited INSERT INTO orders SELECT * FROM jsonb_populate_recordset(null::"public"."orders", $1) | parameters $1:{*: {id: order stored, user_id: user stored}}:3802 | columns none

UPDATE orders SET user_id = x.user_id FROM jsonb_populate_record(null::orders, $1::jsonb) x WHERE orders.id = x.id
-- edited UPDATE orders SET user_id = x.user_id FROM jsonb_populate_record(null::"public"."orders", $1::jsonb) x WHERE orders.id = x.id | parameters $1:{id: order, user_id: user stored}:3802 | columns none

SELECT x.id, x.id::text FROM jsonb_to_recordset($1) AS x(id uuid) JOIN users u ON u.id = x.id
-- edited SELECT x.id, x.id::pg_catalog.int8 FROM jsonb_to_recordset($1) AS x(id pg_catalog.int8) JOIN users u ON u.id = x.id | parameters $1:{*: {id: user}}:3802 | columns id:user, id:user(int8 as text)

SELECT value FROM jsonb_array_elements_text($1) WHERE value::uuid IN (SELECT id FROM users)
-- refused expression 0A000: result column "value" is a row or a computed value with ids in it []

SELECT x FROM jsonb_array_elements($1::jsonb) x JOIN users u ON u.id = (x ->> 'id')::uuid
-- refused expression 0A000: result column "x" is a row or a computed value with ids in it []

SELECT x.doc FROM (SELECT $1::jsonb AS doc) x JOIN users u ON u.id = (x.doc ->> 'id')::uuid
-- refused expression 0A000: result column "doc" is a row or a computed value with ids in it []

SELECT x.doc -> 'other', x.doc ->> 'name' FROM (SELECT $1::jsonb AS doc) x JOIN users u ON u.id = (x.doc ->> 'id')::uuid
-- edited SELECT x.doc -> 'other', x.doc ->> 'name' FROM (SELECT $1::jsonb AS doc) x JOIN users u ON u.id = (x.doc ->> 'id')::pg_catalog.int8 | parameters $1:{id: user}:3802 | columns ?column?, ?column?

SELECT x.doc ->> 'id' FROM (SELECT $1::jsonb AS doc) x JOIN users u ON u.id = (x.doc ->> 'id')::uuid
-- refused expression 0A000: result column "?column?" is a row or a computed value with ids in it []

SELECT x.doc -> $2 FROM (SELECT $1::jsonb AS doc) x JOIN users u ON u.id = (x.doc ->> 'id')::uuid
-- refused expression 0A000: pgveil can't encrypt an id inside the result of -> [->]

SELECT md5(x.doc::text) FROM (SELECT $1::jsonb AS doc) x JOIN users u ON u.id = (x.doc ->> 'id')::uuid
-- refused expression 0A000: pgveil can't encrypt an id that is cast to text [::]

SELECT $1::jsonb FROM users WHERE id = ($1::jsonb ->> 'id')::uuid
-- edited SELECT $2::jsonb FROM users WHERE id = ($1::jsonb ->> 'id')::pg_catalog.int8 | parameters $1:{id: user}:3802, $1:-:3802 | columns jsonb

SELECT id FROM users WHERE id = ($1::jsonb ->> 'id')::uuid OR email = $1::jsonb ->> 'email'
-- edited SELECT id FROM users WHERE id = ($1::jsonb ->> 'id')::pg_catalog.int8 OR email = $2::jsonb ->> 'email' | parameters $1:{id: user}:3802, $1:-:3802 | columns id:user

SELECT id FROM users, (SELECT $1::jsonb AS d) x WHERE id = (d ->> 'a')::uuid AND EXISTS (SELECT FROM orders WHERE orders.id = (d ->> 'a')::uuid)
-- refused expression 0A000: a value in a JSON document is used as an id and as something else []

SELECT id FROM users, (SELECT $1::jsonb AS d) x WHERE id = (d ->> 'a')::uuid OR auth_subject = (d ->> 'a')::uuid
-- refused expression 0A000: a value in a JSON document is used as an id and as something else []

SELECT id FROM users WHERE id = $1::jsonb ->> 'id'
-- refused uuid-type 42883: operator does not exist: uuid = text [=]

SELECT id FROM users WHERE id = ANY(ARRAY(SELECT jsonb_array_elements_text($1::jsonb))::uuid[])
-- edited SELECT id FROM users WHERE id = ANY(ARRAY(SELECT jsonb_array_elements_text($1::jsonb))::pg_catalog.int8[]) | parameters $1:{*: user}:3802 | columns id:user

SELECT id FROM users WHERE id = ANY((SELECT array_agg(value) FROM jsonb_array_elements_text($1))::uuid[])
-- edited SELECT id FROM users WHERE id = ANY((SELECT array_agg(value) FROM jsonb_array_elements_text($1))::pg_catalog.int8[]) | parameters $1:{*: user}:3802 | columns id:user

/* 1043 */ SELECT id FROM users WHERE id = ($1::jsonb ->> 'id')::uuid
-- edited SELECT id FROM users WHERE id = ($1::jsonb ->> 'id')::pg_catalog.int8 | parameters $1:{id: user}:1043 textual | columns id:user

/* 114 */ SELECT id FROM users WHERE id = ($1::jsonb ->> 'id')::uuid
-- edited SELECT id FROM users WHERE id = ($1::jsonb ->> 'id')::pg_catalog.int8 | parameters $1:{id: user}:114 | columns id:user

SELECT id FROM users WHERE id = (CAST($1 AS text)::json ->> 'id')::uuid
-- edited SELECT id FROM users WHERE id = (CAST($1 AS text)::json ->> 'id')::pg_catalog.int8 | parameters $1:{id: user}:25 textual | columns id:user

SELECT id FROM users WHERE id = ($1::jsonb -> 0 ->> 'id')::uuid OR id = ($1::jsonb #>> '{0,id}')::uuid
-- refused mixed-domains 0A000: an id of "user" can't be used together with a value that is no id [=]

SELECT id FROM users WHERE id = (coalesce($1::jsonb, '{"id": "x"}') ->> 'id')::uuid
-- edited SELECT id FROM users WHERE id = (coalesce($1::jsonb, <{id: user}>) ->> 'id')::pg_catalog.int8 | parameters $1:{id: user}:3802 | columns id:user

SELECT id FROM users WHERE id = (($1::jsonb || '{}') ->> 'id')::uuid
-- refused mixed-domains 0A000: an id of "user" can't be used together with a value that is no id [=]

INSERT INTO events (kind, payload) VALUES ($1, $2::jsonb), ('a', '{"id": 1}')
-- edited INSERT INTO events (kind, payload) VALUES ($1, $2::jsonb), ('a', <{user: {id: user as number stored}, ids: {*: user as string stored}}>) | parameters $1:-:0, $2:{user: {id: user as number stored}, ids: {*: user as string stored}}:3802 | columns none

INSERT INTO orders (user_id, status) VALUES (($1::jsonb ->> 'user_id')::uuid, $1::jsonb ->> 'status') RETURNING id
-- edited INSERT INTO orders (user_id, status) VALUES (($1::jsonb ->> 'user_id')::pg_catalog.int8, $2::jsonb ->> 'status') RETURNING id | parameters $1:{user_id: user stored}:3802, $1:-:3802 | columns id:order

SELECT json_agg(x) FROM jsonb_to_recordset($1) AS x(id uuid, n int) JOIN users u ON u.id = x.id
-- edited SELECT json_agg((SELECT pgveil_r FROM (SELECT <tag user: x."id"> AS "id", x."n" AS "n") AS pgveil_r WHERE x IS DISTINCT FROM NULL)) FROM jsonb_to_recordset($1) AS x(id pg_catalog.int8, n int) JOIN users u ON u.id = x.id | parameters $1:{*: {id: user}}:3802 | columns json_agg:tagged

SELECT json_agg(x) FROM jsonb_to_recordset($1) AS x(id uuid, d jsonb) JOIN users u ON u.id = x.id AND u.id = (x.d ->> 'a')::uuid
-- refused expression 0A000: pgveil can't encrypt an id inside the result of json_agg [json_agg(x]

SELECT id FROM users WHERE id = ($1::jsonb)['id']::text::uuid
-- refused mixed-domains 0A000: an id of "user" can't be used together with a value that is no id [=]

SELECT id FROM invoices WHERE id = $1::jsonb ->> 'id'
-- refused mixed-domains 0A000: an id of "invoice" can't be used together with a value that is no id [=]

SELECT id FROM notes WHERE id = $1::jsonb ->> 'id' OR id IN (SELECT x.id FROM jsonb_to_recordset($2) AS x(id text))
-- same | parameters $1:{id: note(text as text)}:3802, $2:{*: {id: note(text as text)}}:3802 | columns id:note(text as text)

SELECT id FROM ledger WHERE id = ($1::jsonb ->> 'id')::bigint
-- same | parameters $1:{id: ledger(int8 as int8)}:3802 | columns id:ledger(int8 as int8)

SELECT length(($1::jsonb ->> 'id')::text), id FROM users WHERE id = ($1::jsonb ->> 'id')::uuid
-- edited SELECT length(($2::jsonb ->> 'id')::text), id FROM users WHERE id = ($1::jsonb ->> 'id')::pg_catalog.int8 | parameters $1:{id: user}:3802, $1:-:3802 | columns length, id:user

SELECT x.a FROM (SELECT $1::jsonb ->> 'id' AS a) x JOIN users u ON u.id = x.a::uuid
-- refused expression 0A000: result column "a" is a row or a computed value with ids in it []

SELECT min(x.a) FROM (SELECT $1::jsonb ->> 'id' AS a) x JOIN users u ON u.id = x.a::uuid
-- refused expression 0A000: result column "min" is a row or a computed value with ids in it []

SELECT count(x.a) FROM (SELECT $1::jsonb ->> 'id' AS a) x JOIN users u ON u.id = x.a::uuid
-- edited SELECT count(x.a) FROM (SELECT $1::jsonb ->> 'id' AS a) x JOIN users u ON u.id = x.a::pg_catalog.int8 | parameters $1:{id: user}:3802 | columns count

SELECT 'u-' || u.id || x.name FROM jsonb_to_recordset($1) AS x(id uuid, name text) JOIN users u ON u.id = x.id
-- edited SELECT 'u-' || <tag user: u.id> || x.name FROM jsonb_to_recordset($1) AS x(id pg_catalog.int8, name text) JOIN users u ON u.id = x.id | parameters $1:{*: {id: user}}:3802 | columns ?column?:tagged

SELECT x.d -> 'ids' -> 0 FROM (SELECT $1::jsonb AS d) x, jsonb_to_record(x.d) y(ids uuid[]), users u WHERE u.id = ANY(y.ids)
-- refused expression 0A000: a value in a JSON document is used as an id and as something else []

SELECT x.d -> 'id' -> 0 FROM (SELECT $1::jsonb AS d) x JOIN users u ON u.id = (x.d ->> 'id')::uuid
-- refused expression 0A000: a value in a JSON document is used as an id and as something else []

SELECT * FROM json_populate_record(null::record, '{"x": 1}') AS (x int, y int)
-- same | clean

