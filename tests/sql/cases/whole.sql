TABLE users
-- same | columns id:user, email, name, is_active, login_count, auth_subject, created_at

VALUES (1, '0190a3b4-0000-8000-8000-000000000001')
-- same | clean

SELECT v.id FROM (VALUES ('0190a3b4-0000-8000-8000-000000000001'::uuid, 1)) v(id, n) JOIN users u ON u.id = v.id
-- edited SELECT v.id FROM (VALUES (<user>::pg_catalog.int8, 1)) v(id, n) JOIN users u ON u.id = v.id | columns id:user

WITH RECURSIVE t(id, path) AS (SELECT id, ARRAY[id] FROM comments WHERE parent_id IS NULL UNION ALL SELECT c.id, t.path || c.id FROM comments c JOIN t ON c.parent_id = t.id WHERE NOT c.id = ANY(t.path)) SELECT * FROM t
-- same | columns id:comment, path:comment[]

WITH RECURSIVE t AS (SELECT id, 1 AS depth FROM comments UNION ALL SELECT c.id, depth + 1 FROM comments c JOIN t ON c.parent_id = t.id) SEARCH DEPTH FIRST BY id SET ordercol SELECT * FROM t
-- same | columns id:comment, depth, ordercol:(comment)[]

SELECT user_id, count(*) FROM orders GROUP BY GROUPING SETS ((user_id), ())
-- same | columns user_id:user, count

SELECT user_id, status, count(*) FROM orders GROUP BY ROLLUP (user_id, status)
-- same | columns user_id:user, status, count

SELECT user_id, status, grouping(user_id) FROM orders GROUP BY CUBE (user_id, status)
-- same | columns user_id:user, status, grouping

SELECT DISTINCT ON (user_id) user_id, id FROM orders ORDER BY user_id, id DESC
-- same | columns user_id:user, id:order

SELECT id, lag(id) OVER w, first_value(user_id) OVER (w ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) FROM orders WINDOW w AS (PARTITION BY user_id ORDER BY id)
-- same | columns id:order, lag:order, first_value:user

SELECT u.id, l.id FROM users u LEFT JOIN LATERAL (SELECT o.id FROM orders o WHERE o.user_id = u.id ORDER BY o.id LIMIT 1) l ON true
-- same | columns id:user, id:order

SELECT * FROM orders NATURAL JOIN (SELECT id AS user_id, email FROM users) u
-- same | columns user_id:user, id:order, status, total_cents, note, placed_at, email

SELECT user_id, a.id, b.body FROM orders a FULL JOIN (SELECT author_id AS user_id, body FROM comments) b USING (user_id)
-- same | columns user_id:user, id:order, body

SELECT * FROM unnest($1::uuid[], $2::text[]) WITH ORDINALITY AS t(id, name, n) JOIN users USING (id)
-- edited SELECT * FROM unnest($1::pg_catalog.int8[], $2::text[]) WITH ORDINALITY AS t(id, name, n) JOIN users USING (id) | parameters $1:user[]:1016, $2:-:0 | columns id:user, name, n, email, name, is_active, login_count, auth_subject, created_at

SELECT x.id, x.n FROM events e, unnest(e.participant_ids) WITH ORDINALITY AS x(id, n)
-- same | columns id:user, n

SELECT * FROM ROWS FROM (unnest($1::uuid[]), generate_series(1, 3)) AS t(id, n)
-- same | clean

SELECT id FROM users TABLESAMPLE SYSTEM (10)
-- same | columns id:user

SELECT id FROM users TABLESAMPLE BERNOULLI (50) REPEATABLE (1)
-- same | columns id:user

SELECT u.id FROM users u JOIN orders o ON o.user_id = u.id FOR UPDATE OF u SKIP LOCKED
-- same | columns id:user

SELECT id FROM users FOR NO KEY UPDATE NOWAIT
-- same | columns id:user

SELECT (u).id, (u).email FROM users u
-- same | columns id:user, email

SELECT (u).* FROM users u
-- same | columns id:user, email, name, is_active, login_count, auth_subject, created_at

SELECT (x).id FROM (SELECT u AS x FROM users u) s
-- same | columns id:user

SELECT (x).* FROM (SELECT u AS x FROM users u) s
-- same | columns id:user, email, name, is_active, login_count, auth_subject, created_at

SELECT (array_agg(u))[1] FROM users u
-- same | columns array_agg:(user, -, -, -, -, -, -)

SELECT ROW(id, email) FROM users
-- same | columns row:(user, -)

SELECT u.* FROM users u ORDER BY u
-- same | columns id:user, email, name, is_active, login_count, auth_subject, created_at

SELECT count(*) FROM users u WHERE u IS NOT NULL
-- same | columns count

SELECT count(DISTINCT (user_id, id)) FROM orders
-- same | columns count

MERGE INTO orders o USING (VALUES ('0190a3b4-0000-8000-8000-000000000001'::uuid, 'x')) v(id, note) ON o.id = v.id WHEN MATCHED AND v.note = 'y' THEN DELETE WHEN MATCHED THEN UPDATE SET note = v.note WHEN NOT MATCHED THEN DO NOTHING
-- edited MERGE INTO orders o USING (VALUES (<order>::pg_catalog.int8, 'x')) v(id, note) ON o.id = v.id WHEN MATCHED AND v.note = 'y' THEN DELETE WHEN MATCHED THEN UPDATE SET note = v.note WHEN NOT MATCHED THEN DO NOTHING | columns none

MERGE INTO orders o USING orders s ON o.id = s.id AND s.user_id = $1 WHEN NOT MATCHED THEN INSERT (user_id, status) VALUES (s.user_id, 'x')
-- same | parameters $1:user:20 | columns none

MERGE INTO ONLY orders AS o USING users u ON o.user_id = u.id WHEN NOT MATCHED THEN INSERT (user_id) VALUES ($1) WHEN MATCHED THEN UPDATE SET user_id = u.id, (status, note) = ('a', DEFAULT)
-- same | parameters $1:user stored:20 | columns none

MERGE INTO orders o USING users u ON o.user_id = u.id WHEN NOT MATCHED THEN INSERT DEFAULT VALUES
-- same | columns none

MERGE INTO orders o USING users u ON o.user_id = 5 WHEN MATCHED THEN DELETE
-- refused uuid-type 42883: operator does not exist: uuid = integer [=]

MERGE INTO orders o USING users u ON o.id = u.id WHEN MATCHED THEN DELETE
-- refused mixed-domains 0A000: ids of "order" and of "user" can't be used in one place [=]

INSERT INTO users VALUES (DEFAULT, 'a@b', 'c')
-- same | columns none

INSERT INTO users DEFAULT VALUES RETURNING id
-- same | columns id:user

INSERT INTO users (id, email, name) VALUES (gen_random_uuid(), 'a', 'b') RETURNING id
-- edited INSERT INTO users (id, email, name) VALUES (DEFAULT, 'a', 'b') RETURNING id | columns id:user

INSERT INTO users (id, email, name) VALUES (gen_random_uuid(), 'a', 'b'), (DEFAULT, 'c', 'd'), (uuid_generate_v4(), 'e', 'f')
-- edited INSERT INTO users (id, email, name) VALUES (DEFAULT, 'a', 'b'), (DEFAULT, 'c', 'd'), (DEFAULT, 'e', 'f') | columns none

INSERT INTO users (id, email, name) SELECT gen_random_uuid(), 'a', 'b'
-- refused mixed-domains 0A000: an id of "user" can't be used together with a value that is no id [gen_random_uuid]

INSERT INTO orders (id, user_id) VALUES (gen_random_uuid(), gen_random_uuid())
-- refused mixed-domains 0A000: an id of "user" can't be used together with a value that is no id [gen_random_uuid]

INSERT INTO orders (id, user_id) VALUES (gen_random_uuid(), $1) ON CONFLICT (id) DO UPDATE SET id = DEFAULT RETURNING *
-- edited INSERT INTO orders (id, user_id) VALUES (DEFAULT, $1) ON CONFLICT (id) DO UPDATE SET id = DEFAULT RETURNING * | parameters $1:user stored:20 | columns id:order, user_id:user, status, total_cents, note, placed_at

UPDATE users SET id = DEFAULT WHERE id = $1
-- same | parameters $1:user:20 | columns none

UPDATE users SET id = gen_random_uuid() WHERE id = $1
-- refused mixed-domains 0A000: an id of "user" can't be used together with a value that is no id [gen_random_uuid]

UPDATE orders SET (user_id, note) = ($1, DEFAULT) WHERE id = $2
-- same | parameters $1:user stored:20, $2:order:20 | columns none

UPDATE orders SET (user_id, note) = (SELECT id, name FROM users WHERE id = $1) WHERE id = $2
-- same | parameters $1:user:20, $2:order:20 | columns none

UPDATE orders SET user_id = v.u FROM (VALUES ($1::uuid, $2::uuid)) v(o, u) WHERE orders.id = v.o
-- edited UPDATE orders SET user_id = v.u FROM (VALUES ($1::pg_catalog.int8, $2::pg_catalog.int8)) v(o, u) WHERE orders.id = v.o | parameters $1:order:20, $2:user stored:20 | columns none

INSERT INTO orders (user_id) SELECT s.x FROM (SELECT COALESCE($1, user_id) AS x FROM orders) s
-- same | parameters $1:user stored:20 | columns none

INSERT INTO orders (user_id) WITH s AS (SELECT CASE WHEN true THEN $1 ELSE user_id END AS x FROM orders) SELECT x FROM s
-- same | parameters $1:user stored:20 | columns none

INSERT INTO orders (user_id) SELECT x FROM (VALUES ($1::uuid)) s(x)
-- edited INSERT INTO orders (user_id) SELECT x FROM (VALUES ($1::pg_catalog.int8)) s(x) | parameters $1:user stored:20 | columns none

UPDATE orders SET user_id = s.x FROM (SELECT GREATEST($1, id) AS x FROM users) s
-- same | parameters $1:user stored:20 | columns none

SELECT id FROM users UNION SELECT NULL UNION ALL SELECT $1 ORDER BY 1
-- same | parameters $1:user:20 | columns id:user

SELECT id FROM users GROUP BY DISTINCT id
-- same | columns id:user

SELECT s.* FROM (SELECT id, 'x' FROM users) AS s(a, b), LATERAL (SELECT o.user_id FROM orders o WHERE o.user_id = s.a) AS t
-- same | columns a:user, b

SELECT nth_value(id, 2) OVER (ORDER BY id) FROM users
-- same | columns nth_value:user

SELECT mode() WITHIN GROUP (ORDER BY user_id) FROM orders
-- same | columns mode:user

SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY user_id) FROM orders
-- same | columns percentile_disc:user

SELECT array_agg(id ORDER BY id) FILTER (WHERE name LIKE 'a%') FROM users
-- same | columns array_agg:user[]

SELECT (SELECT o FROM orders o LIMIT 1).id
-- same | columns id:order

SELECT id FROM ((users CROSS JOIN (SELECT 1) x))
-- same | columns id:user

SELECT j.id FROM (users u JOIN orders o ON o.user_id = u.id) AS j(id)
-- same | columns id:user

SELECT * FROM users u JOIN orders o USING (id)
-- refused mixed-domains 0A000: ids of "user" and of "order" can't be used in one place [orders o USING (id]

SELECT EXISTS (TABLE users), (SELECT max(id) FROM users)
-- same | columns exists, max:user

WITH moved AS (DELETE FROM orders WHERE user_id = $1 RETURNING *) INSERT INTO orders SELECT * FROM moved RETURNING id
-- same | parameters $1:user:20 | columns id:order

WITH m AS (UPDATE orders SET user_id = $1 RETURNING id, user_id) SELECT * FROM m JOIN users ON users.id = m.user_id
-- same | parameters $1:user stored:20 | columns id:order, user_id:user, id:user, email, name, is_active, login_count, auth_subject, created_at

DELETE FROM orders o USING users u WHERE o.user_id = u.id AND u.id IN (SELECT unnest($1::uuid[])) RETURNING o.*, u.id
-- edited DELETE FROM orders o USING users u WHERE o.user_id = u.id AND u.id IN (SELECT unnest($1::pg_catalog.int8[])) RETURNING o.*, u.id | parameters $1:user[]:1016 | columns id:order, user_id:user, status, total_cents, note, placed_at, id:user

DELETE FROM orders WHERE CURRENT OF c
-- same | columns none

SELECT id, row_number() OVER (), rank() OVER (ORDER BY id), count(*) OVER (PARTITION BY id) FROM users
-- same | columns id:user, row_number, rank, count

SELECT id FROM users ORDER BY id USING <
-- same | columns id:user

SELECT id FROM users FETCH FIRST 5 ROWS WITH TIES
-- same | columns id:user

SELECT ALL id FROM ONLY (users)
-- same | columns id:user

SELECT o FROM users o JOIN LATERAL unnest(ARRAY[o.id]) WITH ORDINALITY u(id, n) ON u.id = o.id
-- same | columns o:(user, -, -, -, -, -, -)

SELECT users FROM users
-- same | columns users:(user, -, -, -, -, -, -)

SELECT e.participant_ids[1], e.participant_ids[1:2] FROM events e
-- same | columns participant_ids:user, participant_ids:user[]

SELECT j.id, j.status FROM ((users u CROSS JOIN (SELECT 1) x) JOIN orders o ON o.user_id = u.id) j (id)
-- same | columns id:user, status

SELECT id, o.status FROM ((users u JOIN orders o USING (id)) JOIN comments c USING (id))
-- refused mixed-domains 0A000: ids of "user" and of "order" can't be used in one place [orders o USING (id]

SELECT * FROM ((SELECT id AS user_id FROM users) q JOIN orders USING (user_id)) j WHERE user_id = '00000000-0000-8000-8000-000000000001'
-- edited SELECT * FROM ((SELECT id AS user_id FROM users) q JOIN orders USING (user_id)) j WHERE user_id = <user> | columns user_id:user, id:order, status, total_cents, note, placed_at

SELECT a.user_id FROM (((SELECT id AS user_id FROM users) q JOIN orders USING (user_id)) NATURAL JOIN memberships) a
-- same | columns user_id:user

SELECT j.status, user_id FROM ((orders o JOIN users u ON u.id = o.user_id) k LEFT JOIN pg_class c ON true) j
-- same | columns status, user_id:user

SELECT j.relname FROM ((orders o JOIN users u ON u.id = o.user_id) k LEFT JOIN pg_class c ON true) j
-- same | columns relname

SELECT * FROM ((orders o JOIN users u ON u.id = o.user_id) k LEFT JOIN pg_class c ON true) j
-- refused unsupported 0A000: * covers a relation whose columns pgveil does not know [*]

SELECT relname FROM (users u JOIN pg_class c ON true) j
-- same | columns relname

SELECT u FROM pg_class c, users u
-- refused unknown-name 0A000: pgveil can't tell whether "u" is a column of a relation that it does not know [u]

SELECT u::text FROM users u CROSS JOIN pg_class
-- refused unknown-name 0A000: pgveil can't tell whether "u" is a column of a relation that it does not know [u]

SELECT row_to_json(u) FROM pg_class c, users u
-- refused unknown-name 0A000: pgveil can't tell whether "u" is a column of a relation that it does not know [u]

SELECT count(u), max(c.relname) FROM pg_class c, users u
-- refused unknown-name 0A000: pgveil can't tell whether "u" is a column of a relation that it does not know [u]

SELECT users::text FROM users, pg_class
-- refused unknown-name 0A000: pgveil can't tell whether "users" is a column of a relation that it does not know [users]

SELECT q::text FROM (SELECT id FROM users) q, pg_class
-- refused unknown-name 0A000: pgveil can't tell whether "q" is a column of a relation that it does not know [q]

WITH q AS (SELECT id FROM users) SELECT q::text FROM q, pg_class
-- refused unknown-name 0A000: pgveil can't tell whether "q" is a column of a relation that it does not know [q]

SELECT q::text FROM (SELECT name FROM users) q, pg_class
-- same | columns q

SELECT (SELECT u::text FROM pg_class LIMIT 1) FROM users u
-- refused unknown-name 0A000: pgveil can't tell whether "u" is a column of a relation that it does not know [u]

SELECT 1 FROM users u WHERE EXISTS (SELECT 1 FROM pg_class WHERE relname = u::text)
-- refused unknown-name 0A000: pgveil can't tell whether "u" is a column of a relation that it does not know [u]

SELECT relname FROM pg_class c, users u ORDER BY u
-- refused unknown-name 0A000: pgveil can't tell whether "u" is a column of a relation that it does not know [u]

SELECT max(relname) FROM pg_class c, users u GROUP BY u
-- refused unknown-name 0A000: pgveil can't tell whether "u" is a column of a relation that it does not know [u]

UPDATE users u SET name = u::text FROM pg_class
-- refused unknown-name 0A000: pgveil can't tell whether "u" is a column of a relation that it does not know [u]

DELETE FROM users USING pg_class RETURNING users::text
-- refused unknown-name 0A000: pgveil can't tell whether "users" is a column of a relation that it does not know [users]

SELECT ctid FROM pg_class, users
-- refused unknown-name 0A000: pgveil can't tell whether "ctid" is a column of a relation that it does not know [ctid]

SELECT (SELECT min(ctid) FROM pg_class) FROM users
-- refused unknown-name 0A000: pgveil can't tell whether "ctid" is a column of a relation that it does not know [ctid]

SELECT (SELECT min(xmin::text) FROM pg_class) FROM users
-- refused unknown-name 0A000: pgveil can't tell whether "xmin" is a column of a relation that it does not know [xmin]

SELECT (SELECT min(xmax::text) FROM pg_class) FROM users
-- same | columns min

SELECT (SELECT min(id) FROM pg_class) FROM users
-- refused unknown-name 0A000: pgveil can't tell whether "id" is a column of a relation that it does not know [id]

SELECT (SELECT min(email) FROM pg_class) FROM users
-- same | columns min

SELECT c FROM pg_class c, users u
-- same | columns c

SELECT c, relname FROM (SELECT * FROM pg_class) c, users u
-- same | columns c, relname

SELECT (SELECT payload FROM pg_class LIMIT 1) FROM events
-- refused unknown-name 0A000: pgveil can't tell whether "payload" is a column of a relation that it does not know [payload]

SELECT (SELECT payload::text FROM pg_class LIMIT 1), (SELECT max(kind) FROM pg_class) FROM events
-- refused unknown-name 0A000: pgveil can't tell whether "payload" is a column of a relation that it does not know [payload]

SELECT c.relname, u.id FROM (SELECT * FROM pg_class) c, users u
-- same | columns relname, id:user

SELECT row_to_json(c), u.id FROM (SELECT * FROM pg_class) c, users u
-- same | columns row_to_json, id:user

SELECT x.one, x.relname, u.id FROM users u, (SELECT *, 1 AS one FROM pg_class UNION SELECT *, 2 FROM pg_class) x
-- same | columns one, relname, id:user

WITH x AS (SELECT c.* FROM pg_class c) SELECT x.relname, u.id FROM x, users u WHERE u.id = $1
-- same | parameters $1:user:20 | columns relname, id:user

WITH RECURSIVE x AS (SELECT * FROM pg_class UNION ALL SELECT * FROM x) SELECT u.id, relname FROM x, users u
-- same | columns id:user, relname

SELECT id FROM users WHERE EXISTS (SELECT * FROM pg_class)
-- same | columns id:user

SELECT id FROM users u WHERE EXISTS (SELECT *, u.id FROM pg_class)
-- refused unsupported 0A000: * covers a relation whose columns pgveil does not know [*]

SELECT x.* FROM (SELECT * FROM pg_class) x, users
-- refused unsupported 0A000: * covers a relation whose columns pgveil does not know [x.*]

SELECT (x).*, id FROM (SELECT * FROM pg_class) x, users
-- refused unsupported 0A000: * covers a relation whose columns pgveil does not know [x).*]

SELECT id FROM users WHERE id IN (SELECT * FROM pg_class)
-- refused mixed-domains 0A000: an id of "user" can't be used together with a value that is no id []

SELECT id, (SELECT * FROM pg_class) FROM users
-- same | columns id:user, ?column?

SELECT ARRAY(SELECT * FROM pg_class), id FROM users
-- same | columns array, id:user

SELECT u.id FROM users u, (SELECT * FROM pg_class UNION SELECT 1 AS a, 2 AS b) x
-- refused unsupported 0A000: * covers a relation whose columns pgveil does not know [SELECT 1 AS a, 2 AS b]

SELECT u.id FROM users u, (SELECT * FROM pg_class) x (a)
-- refused unsupported 0A000: pgveil does not support names for columns that it does not know in a statement that names annotated tables [a]

WITH x (a) AS (SELECT * FROM pg_class) SELECT a, id FROM x, users
-- refused unsupported 0A000: * covers a relation whose columns pgveil does not know [*]

SELECT x.relname, u.id FROM users u, (SELECT * FROM pg_class ORDER BY 1, relname LIMIT 5) x
-- same | columns relname, id:user

SELECT row_to_json(x) FROM (SELECT *, u.id FROM pg_class c, users u) x
-- refused unsupported 0A000: * covers a relation whose columns pgveil does not know [*]

SELECT x.relname FROM (SELECT c.*, u.id FROM pg_class c, users u) x
-- refused unsupported 0A000: * covers a relation whose columns pgveil does not know [c.*]

SELECT row_to_json(x) FROM (SELECT c.*, $1 AS p FROM pg_class c) x JOIN users u ON u.id = x.p
-- refused mixed-domains 0A000: an id of "user" can't be used together with a value that is no id [=]

SELECT row_to_json(x) FROM (SELECT c.*, '00000000-0000-8000-8000-000000000001' AS p FROM pg_class c) x JOIN users u ON u.id = x.p
-- refused mixed-domains 0A000: an id of "user" can't be used together with a value that is no id [=]

SELECT row_to_json(x) FROM (SELECT c.*, ARRAY[$1] AS p FROM pg_class c) x JOIN users u ON u.id = ANY (x.p)
-- refused mixed-domains 0A000: an id of "user" can't be used together with a value that is no id [=]

SELECT row_to_json(x) FROM (SELECT c.*, (SELECT max(id) FROM users) AS p FROM pg_class c) x
-- refused unsupported 0A000: * covers a relation whose columns pgveil does not know [c.*]

WITH x AS (SELECT c.*, u FROM pg_class c, users u) SELECT x::text FROM x
-- refused unknown-name 0A000: pgveil can't tell whether "u" is a column of a relation that it does not know [u]

WITH x AS (SELECT * FROM pg_class c NATURAL JOIN users u) SELECT x::text FROM x
-- refused unsupported 0A000: pgveil does not support NATURAL JOIN with a relation whose columns are not known in a statement that names annotated tables [users u]

INSERT INTO users SELECT * FROM pg_class
-- refused unsupported 0A000: * covers a relation whose columns pgveil does not know [*]

UPDATE users SET (email, name) = (SELECT * FROM pg_class)
-- refused unsupported 0A000: pgveil does not support this form of assignment in a statement that names annotated tables [SELECT * FROM pg_class]

CREATE TEMPORARY TABLE t AS SELECT x.*, id FROM (SELECT * FROM pg_class) x, users
-- refused unsupported 0A000: * covers a relation whose columns pgveil does not know [x.*]

SELECT 1 FROM users u JOIN (users z CROSS JOIN orders) USING (id)
-- refused unknown-name 42702: common column name "id" appears more than once in right table [users z CROSS JOIN orders) USING (id]

SELECT 1 FROM (users z CROSS JOIN orders) JOIN users u USING (id)
-- refused unknown-name 42702: common column name "id" appears more than once in left table [users u USING (id]

SELECT 1 FROM users u JOIN (users u JOIN (users z CROSS JOIN orders) USING (id)) USING (id)
-- refused unknown-name 42702: common column name "id" appears more than once in right table [users z CROSS JOIN orders) USING (id]

SELECT 1 FROM users u JOIN orders o USING (id, id)
-- refused unknown-name 42701: column name "id" appears more than once in USING clause [orders o USING (id, id]

SELECT 1 FROM users u JOIN orders o USING (status)
-- refused unknown-name 42703: column "status" specified in USING clause does not exist in left table [orders o USING (status]

SELECT 1 FROM users u JOIN users z USING (id, email, id)
-- refused unknown-name 42701: column name "id" appears more than once in USING clause [users z USING (id, email, id]

SELECT 1 FROM (users u CROSS JOIN users z) NATURAL JOIN users o
-- refused unknown-name 42702: common column name "id" appears more than once in left table [users o]

SELECT u.id FROM users u, ((SELECT u.id) q JOIN orders ON true)
-- refused unknown-name 42P01: missing FROM-clause entry for table "u" [u.id]

SELECT u.id FROM users u, LATERAL ((SELECT u.id) q JOIN orders ON true)
-- refused unsupported 0A000: pgveil does not support this kind of literal in a statement that names annotated tables []

SELECT 1 FROM ((SELECT id FROM users) q JOIN orders ON true UNION SELECT 1) x
-- refused unparsed 0A000: pgveil does not know the syntax at or near "UNION" [UNION]

SELECT ((id, (name, (id)))::text), (((id, 1), (id, 2))::text), ((name, ((id), 'a'))::text) FROM users
-- edited SELECT ((<tag user: id>, (name, <tag user: (id)>))::text) AS "row", (((<tag user: id>, 1), (<tag user: id>, 2))::text) AS "row", ((name, (<tag user: (id)>, 'a'))::text) AS "row" FROM users | columns row:tagged, row:tagged, row:tagged

SELECT ((1, 2), (id, name), 3)::text, ROW((id, 1), ROW((id), ((id, 3))))::text FROM users
-- edited SELECT ((1, 2), (<tag user: id>, name), 3)::text AS "row", ROW((<tag user: id>, 1), ROW(<tag user: (id)>, ((<tag user: id>, 3))))::text AS "row" FROM users | columns row:tagged, row:tagged

SELECT id::character varying::uuid, CAST(CAST(id AS char varying) AS uuid), id::character varying(40) AS c FROM users
-- edited SELECT id::pg_catalog.int8::pg_catalog.int8, CAST(CAST(id AS pg_catalog.int8) AS pg_catalog.int8), id::pg_catalog.int8 AS c FROM users | columns id:user, id:user, c:user(int8 as varchar)

SELECT id::text, name FROM users UNION ALL SELECT name, id::text FROM users UNION ALL SELECT id::text, id::text FROM orders
-- edited SELECT <tag user(int8 as text): id::pg_catalog.int8> AS "id", name FROM users UNION ALL SELECT name, <tag user(int8 as text): id::pg_catalog.int8> AS "id" FROM users UNION ALL SELECT <tag order(int8 as text): id::pg_catalog.int8> AS "id", <tag order(int8 as text): id::pg_catalog.int8> AS "id" FROM orders | columns id:tagged, name:tagged

SELECT id FROM users UNION ALL SELECT id FROM orders UNION ALL SELECT user_id FROM orders ORDER BY 1
-- refused mixed-domains 0A000: ids of several kinds, or ids and other uuids, can't be sorted in one column [1]

SELECT id AS a, name AS b, id AS a FROM users ORDER BY a, b
-- same | columns a:user, b, a:user

SELECT id::text AS a, id FROM users GROUP BY a, id ORDER BY a, id
-- edited SELECT id::pg_catalog.int8 AS a, id FROM users GROUP BY a, id ORDER BY a, id | columns a:user(int8 as text), id:user

SELECT xmlelement(name a, xmlattributes(name AS n, email), 'x', name) FROM users
-- same | columns xmlelement

SELECT xmlelement(name a, id) FROM users
-- refused expression 0A000: pgveil can't encrypt an id inside the result of xmlelement [xmlelement(name a, id]

SELECT xmlelement(name a, xmlattributes(id AS n)) FROM users
-- refused expression 0A000: pgveil can't encrypt an id inside the result of xmlelement [xmlelement(name a, xmlattributes(id]

SELECT xmlelement(name a, xmlattributes(name AS n, id AS m)) FROM users
-- refused expression 0A000: pgveil can't encrypt an id inside the result of xmlelement [xmlelement(name a, xmlattributes(name AS n, id]

SELECT xmlforest(name, email AS mail), id FROM users
-- same | columns xmlforest, id:user

SELECT xmlforest(name, id AS mail) FROM users
-- refused expression 0A000: pgveil can't encrypt an id inside the result of xmlforest [xmlforest(name, id]

SELECT xmlserialize(content xmlelement(name a) AS text), id FROM users
-- same | columns xmlserialize, id:user

SELECT xmlserialize(content xmlelement(name a, id) AS text) FROM users
-- refused expression 0A000: pgveil can't encrypt an id inside the result of xmlelement [xmlelement(name a, id]

SELECT xmlpi(name a, email), xmlparse(document '<a/>'), id FROM users
-- same | columns xmlpi, xmlparse, id:user

SELECT u.id, x.n FROM users u, ROWS FROM (generate_series(1, 2), unnest(ARRAY[u.name])) WITH ORDINALITY x (n, m, o)
-- same | columns id:user, n

SELECT x.n FROM users u, ROWS FROM (generate_series(1, 2), unnest(ARRAY[u.id])) x (m, n)
-- refused unsupported 0A000: pgveil does not support ROWS FROM over ids in a statement that names annotated tables [unnest(ARRAY[u.id]

SELECT u.* IS NOT NULL, u.id FROM users u
-- refused unsupported 0A000: pgveil does not support this form of a row in a statement that names annotated tables [u.*]

SELECT u.*::text FROM users u
-- refused unsupported 0A000: pgveil does not support this form of a row in a statement that names annotated tables [u.*]

SELECT (u.*)::text FROM users u
-- refused unsupported 0A000: pgveil does not support this form of a row in a statement that names annotated tables [u.*]

SELECT a.*::text, (a.*) IS NULL, xmlforest(a.attname AS n) FROM pg_attribute a
-- edited SELECT (SELECT CASE WHEN "a".* IS NOT DISTINCT FROM NULL THEN NULL ELSE ROW("a".*)::pg_catalog.pg_attribute END AS "a")::text, ((SELECT CASE WHEN "a".* IS NOT DISTINCT FROM NULL THEN NULL ELSE ROW("a".*)::pg_catalog.pg_attribute END AS "a")) IS NULL, xmlforest(a.attname AS n) FROM (SELECT r.attrelid, r.attname, CASE WHEN r.atttypid OPERATOR(pg_catalog.=) ANY ('{}'::pg_catalog._oid) THEN r.atttypid ELSE COALESCE(r.shown, r.atttypid) END AS atttypid, r.attnum, (r.atthasdef OR r.shown IS NOT NULL AND r.attidentity OPERATOR(pg_catalog.<>) '') AS atthasdef, CASE WHEN r.shown IS NULL THEN r.attidentity ELSE ''::pg_catalog."char" END AS attidentity FROM (SELECT r.*, CASE WHEN r.atttypid OPERATOR(pg_catalog.=) ANY ('{20,23,25,1016}'::pg_catalog._oid) THEN CASE WHEN r.number OPERATOR(pg_catalog.=) ANY ('{1735065601,1735524353,1737162753}'::pg_catalog._int8) THEN '25'::pg_catalog.oid WHEN r.number OPERATOR(pg_catalog.=) ANY ('{1735065603}'::pg_catalog._int8) THEN '1009'::pg_catalog.oid WHEN r.number OPERATOR(pg_catalog.=) ANY ('{1073872897,1074724865,1074724868,1075707905,1075707906,1077018625,1077018626,1078132737,1078132738,1079246849,1079246850,1079246851,1079246852,1081409537,1082458114,1082458118,1083441153,1083441155,1084424196,1084948481,1736179713,1737424897}'::pg_catalog._int8) THEN '2950'::pg_catalog.oid WHEN r.number OPERATOR(pg_catalog.=) ANY ('{1083441156}'::pg_catalog._int8) THEN '2951'::pg_catalog.oid END END AS shown FROM (SELECT r.*, s.number FROM pg_catalog.pg_attribute r CROSS JOIN LATERAL (SELECT COALESCE((SELECT i.indrelid::pg_catalog.int8 OPERATOR(pg_catalog.*) 65536 OPERATOR(pg_catalog.+) i.indkey[r.attnum OPERATOR(pg_catalog.-) 1] FROM pg_catalog.pg_index i WHERE i.indexrelid OPERATOR(pg_catalog.=) r.attrelid), r.attrelid::pg_catalog.int8 OPERATOR(pg_catalog.*) 65536 OPERATOR(pg_catalog.+) r.attnum) AS number OFFSET 0) s) r) r) a | clean

SELECT r.xmin, r.* FROM pg_attribute r
-- edited SELECT (SELECT pgveil.xmin FROM pg_catalog.pg_attribute AS pgveil WHERE pgveil.attrelid OPERATOR(pg_catalog.=) "r"."attrelid" AND pgveil.attnum OPERATOR(pg_catalog.=) "r"."attnum" LIMIT 1), r.* FROM (SELECT r.attrelid, r.attname, CASE WHEN r.atttypid OPERATOR(pg_catalog.=) ANY ('{}'::pg_catalog._oid) THEN r.atttypid ELSE COALESCE(r.shown, r.atttypid) END AS atttypid, r.attnum, (r.atthasdef OR r.shown IS NOT NULL AND r.attidentity OPERATOR(pg_catalog.<>) '') AS atthasdef, CASE WHEN r.shown IS NULL THEN r.attidentity ELSE ''::pg_catalog."char" END AS attidentity FROM (SELECT r.*, CASE WHEN r.atttypid OPERATOR(pg_catalog.=) ANY ('{20,23,25,1016}'::pg_catalog._oid) THEN CASE WHEN r.number OPERATOR(pg_catalog.=) ANY ('{1735065601,1735524353,1737162753}'::pg_catalog._int8) THEN '25'::pg_catalog.oid WHEN r.number OPERATOR(pg_catalog.=) ANY ('{1735065603}'::pg_catalog._int8) THEN '1009'::pg_catalog.oid WHEN r.number OPERATOR(pg_catalog.=) ANY ('{1073872897,1074724865,1074724868,1075707905,1075707906,1077018625,1077018626,1078132737,1078132738,1079246849,1079246850,1079246851,1079246852,1081409537,1082458114,1082458118,1083441153,1083441155,1084424196,1084948481,1736179713,1737424897}'::pg_catalog._int8) THEN '2950'::pg_catalog.oid WHEN r.number OPERATOR(pg_catalog.=) ANY ('{1083441156}'::pg_catalog._int8) THEN '2951'::pg_catalog.oid END END AS shown FROM (SELECT r.*, s.number FROM pg_catalog.pg_attribute r CROSS JOIN LATERAL (SELECT COALESCE((SELECT i.indrelid::pg_catalog.int8 OPERATOR(pg_catalog.*) 65536 OPERATOR(pg_catalog.+) i.indkey[r.attnum OPERATOR(pg_catalog.-) 1] FROM pg_catalog.pg_index i WHERE i.indexrelid OPERATOR(pg_catalog.=) r.attrelid), r.attrelid::pg_catalog.int8 OPERATOR(pg_catalog.*) 65536 OPERATOR(pg_catalog.+) r.attnum) AS number OFFSET 0) s) r) r) r | clean

SELECT xmlparse(content id::text) FROM users
-- refused expression 0A000: pgveil can't apply xmlparse to an id: the database knows only its key [xmlparse(content id]

SELECT xmlpi(name a, id::text) FROM users
-- refused expression 0A000: pgveil can't apply xmlpi to an id: the database knows only its key [xmlpi(name a, id]

SELECT xmlserialize(content id::text::xml AS text) FROM users
-- refused expression 0A000: pgveil can't encrypt an id that is cast to xml [::]

SELECT xmlelement(name a, u) FROM users u
-- refused expression 0A000: pgveil can't encrypt an id inside the result of xmlelement [xmlelement(name a, u]

SELECT xmlforest(u AS a) FROM users u
-- refused expression 0A000: pgveil can't encrypt an id inside the result of xmlforest [xmlforest(u]

SELECT xmlelement(name a, xmlattributes((SELECT max(id) FROM users) AS a)) FROM users u
-- refused expression 0A000: pgveil can't encrypt an id inside the result of xmlelement [xmlelement(name a, xmlattributes((SELECT max(id) FROM users]

SELECT u.id, u.name FROM users u, ROWS FROM (jsonb_array_elements(to_jsonb(u)), unnest(ARRAY[1])) x
-- refused unsupported 0A000: pgveil does not support ROWS FROM over ids in a statement that names annotated tables [jsonb_array_elements(to_jsonb(u]

