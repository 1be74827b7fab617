SELECT * FROM traces WHERE id = '0190a3b4-0000-7000-8000-000000000001'
-- edited SELECT * FROM traces WHERE id = <trace(uuid as uuid)> | columns id:trace(uuid as uuid), request, name

SELECT id FROM traces WHERE id = '0190a3b4-0000-7000-8000-000000000001'::uuid OR id = uuid '0190a3b4-0000-7000-8000-000000000002'
-- edited SELECT id FROM traces WHERE id = <trace(uuid as uuid)>::uuid OR id = uuid <trace(uuid as uuid)> | columns id:trace(uuid as uuid)

SELECT id FROM traces WHERE id = $1 OR id = ANY($2::uuid[])
-- same | parameters $1:trace(uuid as uuid):2950, $2:trace(uuid as uuid)[]:2951 | columns id:trace(uuid as uuid)

/* 2950, 2951 */ SELECT id FROM traces WHERE id = $1 OR id = ANY($2)
-- same | parameters $1:trace(uuid as uuid):2950, $2:trace(uuid as uuid)[]:2951 | columns id:trace(uuid as uuid)

/* 25 */ SELECT id FROM traces WHERE id = $1
-- refused uuid-type 42883: operator does not exist: uuid = text [=]

/* 25 */ SELECT id FROM traces WHERE id = $1::uuid
-- same | parameters $1:trace(uuid as uuid):25 textual | columns id:trace(uuid as uuid)

SELECT id::uuid, request FROM traces
-- same | columns id:trace(uuid as uuid), request

SELECT id FROM traces WHERE request = '0190a3b4-0000-7000-8000-000000000001'::uuid AND request <> $1
-- same | columns id:trace(uuid as uuid)

SELECT id FROM traces WHERE id = request
-- refused mixed-domains 0A000: an id of "trace" can't be used together with a value that is no id [=]

SELECT id FROM traces WHERE id = gen_random_uuid()
-- same | columns id:trace(uuid as uuid)

INSERT INTO traces (id, name) VALUES (gen_random_uuid(), 'x')
-- same | columns none

INSERT INTO spans (trace_id, parent, n) VALUES ($1, $2, 5) RETURNING trace_id
-- same | parameters $1:trace(uuid as uuid) stored:2950, $2:-:0 | columns trace_id:trace(uuid as uuid)

SELECT min(id) FROM traces
-- same | columns min:trace(uuid as uuid)

SELECT t.id, s.parent FROM traces t JOIN spans s ON s.trace_id = t.id
-- same | columns id:trace(uuid as uuid), parent

SELECT id FROM traces WHERE id = 5
-- refused uuid-type 42883: operator does not exist: uuid = integer [=]

SELECT id::text FROM traces
-- edited SELECT id::pg_catalog.uuid FROM traces | columns id:trace(uuid as text)

SELECT trace_of() FROM traces
-- refused function 0A000: function trace_of is defined by the user and its result may hold a key [trace_of]

SELECT COALESCE(id, '0190a3b4-0000-7000-8000-000000000001'::uuid) FROM traces UNION SELECT '0190a3b4-0000-7000-8000-000000000002'::uuid
-- edited SELECT COALESCE(id, <trace(uuid as uuid)>::uuid) FROM traces UNION SELECT <trace(uuid as uuid)>::uuid | columns coalesce:trace(uuid as uuid)

SELECT uuid_send(id) FROM traces
-- refused expression 0A000: pgveil can't encrypt an id inside the result of uuid_send [uuid_send(id]

SELECT id FROM traces UNION SELECT id FROM users
-- edited SELECT <tag trace(uuid as uuid): id> AS "id" FROM traces UNION SELECT <tag user: id> AS "id" FROM users | columns id:mixed

SELECT * FROM members WHERE id = $1 AND name = 'a'::text
-- same | parameters $1:member(text as uuid):25 | columns id:member(text as uuid), name

SELECT id::uuid FROM members WHERE id = '0190a3b4-0000-7000-8000-000000000001'::uuid
-- edited SELECT id::pg_catalog.text FROM members WHERE id = <member(text as uuid)>::pg_catalog.text | columns id:member(text as uuid)

SELECT '0190a3b4-0000-7000-8000-000000000001'::uuid UNION SELECT id FROM members
-- edited SELECT <member(text as uuid)>::pg_catalog.text AS uuid UNION SELECT id FROM members | columns uuid:member(text as uuid)

SELECT id FROM members WHERE id = 'x'::text
-- refused uuid-type 42883: operator does not exist: uuid = text [=]

SELECT * FROM member_names WHERE id = $1
-- same | parameters $1:member(text as uuid):25 | columns id:member(text as uuid), name

INSERT INTO traces (id, name) SELECT gen_random_uuid(), 'x' RETURNING id
-- same | columns id:trace(uuid as uuid)

INSERT INTO traces (id, name) VALUES (COALESCE($1::uuid, gen_random_uuid()), $2)
-- same | parameters $1:trace(uuid as uuid) stored:2950, $2:-:0 | columns none

INSERT INTO traces (id, name) SELECT j.id, j.name FROM (SELECT COALESCE($1::uuid, gen_random_uuid()) AS id, $2 AS name, CASE WHEN right($3, 1) = 'Z' THEN CAST($3 AS timestamptz) ELSE now() + CAST(COALESCE($3, '0') AS interval) END AS start_after) j ON CONFLICT DO NOTHING RETURNING id
-- same | parameters $1:trace(uuid as uuid) stored:2950, $2:-:0, $3:-:0 | columns id:trace(uuid as uuid)

WITH next AS (SELECT id FROM traces WHERE name = $1 ORDER BY id LIMIT $2 FOR UPDATE SKIP LOCKED) UPDATE traces t SET name = $3 FROM next WHERE t.name = $1 AND t.id = next.id RETURNING t.id, t.name
-- same | columns id:trace(uuid as uuid), name

WITH results AS (UPDATE traces SET name = $3 WHERE name = $1 AND id IN (SELECT UNNEST($2::uuid[])) RETURNING *) SELECT COUNT(*) FROM results
-- same | parameters $1:-:0, $2:trace(uuid as uuid)[]:2951, $3:-:0 | columns count

UPDATE traces SET id = gen_random_uuid() WHERE id = $1
-- same | parameters $1:trace(uuid as uuid):2950 | columns none

UPDATE traces SET id = CASE WHEN name = 'x' THEN gen_random_uuid() ELSE id END
-- same | columns none

INSERT INTO traces (id, name) VALUES (nullif($1::uuid, gen_random_uuid()), 'x')
-- same | parameters $1:trace(uuid as uuid) stored:2950 | columns none

SELECT gen_random_uuid(), gen_random_uuid()::text
-- same | clean

SELECT replace(gen_random_uuid()::text, '-', '') FROM traces WHERE id = $1
-- same | parameters $1:trace(uuid as uuid):2950 | columns replace

SELECT id FROM traces UNION ALL SELECT gen_random_uuid()
-- same | columns id:trace(uuid as uuid)

SELECT id FROM users UNION ALL SELECT gen_random_uuid()
-- edited SELECT <tag user: id> AS "id" FROM users UNION ALL SELECT (gen_random_uuid())::pg_catalog.uuid::pg_catalog.text AS "gen_random_uuid" | columns id:mixed

SELECT id FROM users WHERE id = gen_random_uuid()
-- refused mixed-domains 0A000: an id of "user" can't be used together with a value that is no id [gen_random_uuid]

UPDATE traces SET request = gen_random_uuid() WHERE id = $1
-- same | parameters $1:trace(uuid as uuid):2950 | columns none

SELECT request FROM traces WHERE request <> gen_random_uuid()
-- same | columns request

SELECT max(id::text) FROM traces
-- refused expression 0A000: pgveil can't apply max to an id: the database knows only its key [max(id]

SELECT max(id) FROM traces
-- same | columns max:trace(uuid as uuid)

