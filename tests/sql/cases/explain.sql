EXPLAIN SELECT * FROM users WHERE id = $1
-- edited EXPLAIN SELECT * FROM users WHERE id = <mark user: $1::pg_catalog.int8 END) | parameters $1:user:20 | explained Text

EXPLAIN (ANALYZE, FORMAT json) SELECT name FROM users WHERE id = '0190a3b4-0000-8000-8000-000000000001'
-- edited EXPLAIN (ANALYZE, FORMAT json) SELECT name FROM users WHERE id = <mark user: <user>::pg_catalog.int8 END) | explained Json

EXPLAIN (FORMAT xml, FORMAT 'yaml') SELECT name FROM users WHERE id = uuid '0190a3b4-0000-8000-8000-000000000001'
-- edited EXPLAIN (FORMAT xml, FORMAT 'yaml') SELECT name FROM users WHERE id = <mark user:  <user>::pg_catalog.int8 END) | explained Yaml

EXPLAIN ANALYZE VERBOSE SELECT name FROM users WHERE id = ANY ('{0190a3b4-0000-8000-8000-000000000001}'::uuid[])
-- edited EXPLAIN ANALYZE VERBOSE SELECT name FROM users WHERE id = ANY (<mark user[]: <user[]>::pg_catalog.int8[] END)::pg_catalog.int8[]) | explained Text

EXPLAIN SELECT $1::uuid, '0190a3b4-0000-8000-8000-000000000001'::uuid FROM users WHERE id IN ($1, $2)
-- edited EXPLAIN SELECT $3::uuid, '0190a3b4-0000-8000-8000-000000000001'::uuid FROM users WHERE id IN (<mark user: $1::pg_catalog.int8 END), <mark user: $2::pg_catalog.int8 END)) | parameters $1:user:20, $2:user:20, $1:-:2950 | explained Text

EXPLAIN SELECT u, 'user-' || id FROM users u WHERE email = $1
-- same | explained Text

EXPLAIN SELECT * FROM (SELECT $1 AS id UNION SELECT id FROM users) u
-- edited EXPLAIN SELECT * FROM (SELECT <mark user: $1::pg_catalog.int8 END) AS id UNION SELECT id FROM users) u | parameters $1:user:20 | explained Text

EXPLAIN INSERT INTO orders (user_id) VALUES ($1), ('0190a3b4-0000-8000-8000-000000000001')
-- edited EXPLAIN INSERT INTO orders (user_id) VALUES (<mark user: $1::pg_catalog.int8 END)), (<mark user: <user stored>::pg_catalog.int8 END)) | parameters $1:user stored:20 | explained Text

EXPLAIN (SELECT id FROM users WHERE id = '0190a3b4-0000-8000-8000-000000000001') UNION SELECT $1
-- edited EXPLAIN (SELECT id FROM users WHERE id = <mark user: <user>::pg_catalog.int8 END)) UNION SELECT <mark user: $1::pg_catalog.int8 END) AS "?column?" | parameters $1:user:20 | explained Text

EXPLAIN ((SELECT id FROM users) LIMIT 1)
-- same | explained Text

EXPLAIN (VALUES ('0190a3b4-0000-8000-8000-000000000001'::uuid)) UNION SELECT id FROM users
-- edited EXPLAIN (VALUES (<mark user: <user>::pg_catalog.int8 END)::pg_catalog.int8)) UNION SELECT id FROM users | explained Text

EXPLAIN (WITH u AS (SELECT id FROM users) SELECT * FROM u) LIMIT 1
-- same | explained Text

EXPLAIN (TABLE users)
-- same | explained Text

EXPLAIN ("table") SELECT id FROM users
-- same | explained Text

EXPLAIN ("select" off, values) SELECT id FROM users
-- same | explained Text

EXPLAIN DECLARE c CURSOR FOR SELECT id FROM users WHERE id = '0190a3b4-0000-8000-8000-000000000001'
-- edited EXPLAIN DECLARE c CURSOR FOR SELECT id FROM users WHERE id = <mark user: <user>::pg_catalog.int8 END) | explained Text

EXPLAIN (FORMAT json) EXECUTE s('0190a3b4-0000-8000-8000-000000000001')
-- same | explained Json

EXPLAIN EXECUTE s((SELECT id FROM users LIMIT 1))
-- refused unsupported 0A000: pgveil does not support this argument of EXECUTE [EXECUTE s((SELECT id FROM users LIMIT 1))]

EXPLAIN SELECT set_config('search_path', 'other', false)
-- same | explained Text

EXPLAIN ANALYZE SELECT set_config('search_path', 'other', false), id FROM users
-- same | explained Text

EXPLAIN SELECT 1
-- same | explained Text

EXPLAIN SELECT id + 1 FROM users
-- refused uuid-type 42883: operator does not exist: uuid + integer [+]

EXPLAIN SELECT id FROM users WHERE id = 5
-- refused uuid-type 42883: operator does not exist: uuid = integer [=]

EXPLAIN CREATE TABLE taken AS SELECT id FROM users
-- refused unsupported 0A000: column "id" of the new table "taken" would hold ids of "user", and nothing tells so [CREATE TABLE taken AS SELECT id FROM users]

EXPLAIN EXPLAIN SELECT id FROM users
-- refused unsupported 0A000: pgveil does not support EXPLAIN of this kind of statement over annotated tables [EXPLAIN EXPLAIN SELECT id FROM users]

EXPLAIN SELECT name FROM users WHERE id IN ('0190a3b4-0000-8000-8000-000000000001', '0190a3b4-0000-8000-8000-000000000002')
--
-- edited EXPLAIN SELECT name FROM users WHERE (id = ANY (<mark user[]: ARRAY[<user>, <user>]::pg_catalog.int8[] END))) | explained Text

EXPLAIN SELECT name FROM users WHERE id NOT IN ('0190a3b4-0000-8000-8000-000000000001'::uuid, '0190a3b4-0000-8000-8000-000000000002') AND id IN ('0190a3b4-0000-8000-8000-000000000001')
--
-- edited EXPLAIN SELECT name FROM users WHERE (id <> ALL (<mark user[]: ARRAY[<user>::pg_catalog.int8, <user>]::pg_catalog.int8[] END))) AND id IN (<mark user: <user>::pg_catalog.int8 END)) | explained Text

EXPLAIN SELECT name FROM users WHERE id IN ('0190a3b4-0000-8000-8000-000000000001', uuid '0190a3b4-0000-8000-8000-000000000002')
--
-- edited EXPLAIN SELECT name FROM users WHERE id IN (<mark user: <user>::pg_catalog.int8 END), <mark user:  <user>::pg_catalog.int8 END)) | explained Text

EXPLAIN SELECT name FROM users WHERE id IN ('0190a3b4-0000-8000-8000-000000000001', $1)
--
-- edited EXPLAIN SELECT name FROM users WHERE id IN (<mark user: <user>::pg_catalog.int8 END), <mark user: $1::pg_catalog.int8 END)) | parameters $1:user:20 | explained Text

EXPLAIN SELECT name FROM users WHERE (id) IN ('0190a3b4-0000-8000-8000-000000000001', /* and */ '0190a3b4-0000-8000-8000-000000000002') = true
--
-- edited EXPLAIN SELECT name FROM users WHERE ((id) = ANY (<mark user[]: ARRAY[<user>, /* and */ <user>]::pg_catalog.int8[] END))) = true | explained Text

EXPLAIN SELECT name FROM users WHERE id = ANY (ARRAY['0190a3b4-0000-8000-8000-000000000001', '0190a3b4-0000-8000-8000-000000000002']) AND name IN ('Ann', 'Bob')
--
-- edited EXPLAIN SELECT name FROM users WHERE id = ANY (<mark user[]: ARRAY[<user>, <user>]::pg_catalog.int8[] END)) AND name IN ('Ann', 'Bob') | explained Text

EXPLAIN SELECT name FROM users WHERE id = ANY (ARRAY['0190a3b4-0000-8000-8000-000000000001', '0190a3b4-0000-8000-8000-000000000002']::uuid[])
--
-- edited EXPLAIN SELECT name FROM users WHERE id = ANY (<mark user[]: ARRAY[<user>, <user>]::pg_catalog.int8[] END)::pg_catalog.int8[]) | explained Text

EXPLAIN SELECT name FROM users WHERE id IN ('0190a3b4-0000-8000-8000-000000000001', '0190a3b4-0000-8000-8000-000000000002', NULL)
--
-- edited EXPLAIN SELECT name FROM users WHERE id IN (<mark user: <user>::pg_catalog.int8 END), <mark user: <user>::pg_catalog.int8 END), NULL) | explained Text

