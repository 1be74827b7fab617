SELECT * FROM users WHERE id = '0190a3b4-0000-8000-8000-000000000001'
-- edited SELECT * FROM users WHERE id = <user> | columns id:user, email, name, is_active, login_count, auth_subject, created_at

SELECT id, email FROM users WHERE id = $1
-- same | parameters $1:user:20 | columns id:user, email

SELECT u.id, o.id AS order_id FROM users u JOIN orders o ON o.user_id = u.id WHERE u.id IN ($1, $2)
-- same | parameters $1:user:20, $2:user:20 | columns id:user, order_id:order

SELECT * FROM orders WHERE user_id = ANY($1)
-- same | parameters $1:user[]:1016 | columns id:order, user_id:user, status, total_cents, note, placed_at

SELECT * FROM orders WHERE id = ANY($1::uuid[])
-- edited SELECT * FROM orders WHERE id = ANY($1::pg_catalog.int8[]) | parameters $1:order[]:1016 | columns id:order, user_id:user, status, total_cents, note, placed_at

SELECT '0190a3b4-0000-8000-8000-000000000001'::uuid
-- same | clean

SELECT id::uuid, '0190a3b4-0000-8000-8000-000000000001'::uuid FROM users
-- edited SELECT id::pg_catalog.int8, '0190a3b4-0000-8000-8000-000000000001'::uuid FROM users | columns id:user, uuid

SELECT COALESCE(actor_id, '0190a3b4-0000-8000-8000-000000000001'::uuid) FROM events
-- edited SELECT COALESCE(actor_id, <user>::pg_catalog.int8) FROM events | columns coalesce:user

SELECT CASE WHEN id = $1 THEN $2 ELSE user_id END FROM orders
-- same | parameters $1:order:20, $2:user:20 | columns user_id:user

SELECT (CASE WHEN id = $1 THEN $2 END)::uuid, user_id FROM orders WHERE user_id = (CASE WHEN id = $1 THEN $2 END)::uuid
-- edited SELECT (CASE WHEN id = $1 THEN $3 END)::uuid, user_id FROM orders WHERE user_id = (CASE WHEN id = $1 THEN $2 END)::pg_catalog.int8 | parameters $1:order:20, $2:user:25 textual, $2:-:0 | columns uuid, user_id:user

SELECT id FROM users WHERE id = 5
-- refused uuid-type 42883: operator does not exist: uuid = integer [=]

SELECT id + 1 FROM users
-- refused uuid-type 42883: operator does not exist: uuid + integer [+]

SELECT sum(id) FROM users
-- refused uuid-type 42883: function sum(uuid) does not exist [sum(id]

SELECT md5(id::text) FROM users
-- refused expression 0A000: pgveil can't apply md5 to an id: the database knows only its key [md5(id]

SELECT id::text FROM users
-- edited SELECT id::pg_catalog.int8 FROM users | columns id:user(int8 as text)

SELECT id::int FROM users
-- refused uuid-type 42846: cannot cast type uuid to integer [::]

SELECT 'user-' || id FROM users
-- edited SELECT 'user-' || <tag user: id> FROM users | columns ?column?:tagged

SELECT row_to_json(u) FROM users u
-- edited SELECT row_to_json((SELECT pgveil_r FROM (SELECT <tag user: u."id"> AS "id", u."email" AS "email", u."name" AS "name", u."is_active" AS "is_active", u."login_count" AS "login_count", u."auth_subject" AS "auth_subject", u."created_at" AS "created_at") AS pgveil_r WHERE u IS DISTINCT FROM NULL)) FROM users u | columns row_to_json:tagged

SELECT u FROM users u
-- same | columns u:(user, -, -, -, -, -, -)

SELECT count(u), count(*), count(DISTINCT id) FROM users u
-- same | columns count, count, count

SELECT max(id), min(id), array_agg(id ORDER BY id) FROM users
-- same | columns max:user, min:user, array_agg:user[]

SELECT id FROM users UNION SELECT user_id FROM orders ORDER BY 1
-- same | columns id:user

SELECT id FROM users UNION SELECT id FROM orders
-- edited SELECT <tag user: id> AS "id" FROM users UNION SELECT <tag order: id> AS "id" FROM orders | columns id:mixed

SELECT id FROM users UNION ALL SELECT NULL UNION ALL SELECT '0190a3b4-0000-8000-8000-000000000001'
-- edited SELECT id FROM users UNION ALL SELECT NULL UNION ALL SELECT <user> | columns id:user

SELECT * FROM users u LEFT JOIN orders o USING (id)
-- refused mixed-domains 0A000: ids of "user" and of "order" can't be used in one place [orders o USING (id]

SELECT * FROM memberships NATURAL JOIN orders
-- same | columns user_id:user, team_id:team, role, created_at, id:order, status, total_cents, note, placed_at

WITH RECURSIVE tree AS (SELECT id, parent_id, ARRAY[id] AS path FROM comments WHERE id = $1 UNION ALL SELECT c.id, c.parent_id, t.path || c.id FROM comments c JOIN tree t ON c.parent_id = t.id) SELECT * FROM tree
-- same | parameters $1:comment:20 | columns id:comment, parent_id:comment, path:comment[]

SELECT (SELECT id FROM orders o WHERE o.user_id = u.id LIMIT 1) FROM users u
-- same | columns id:order

SELECT x.id FROM (SELECT id FROM users) x WHERE EXISTS (SELECT 1 FROM orders WHERE user_id = x.id)
-- same | columns id:user

SELECT (placed_at, id) < ($1, $2) FROM orders
-- same | parameters $1:-:0, $2:order first:20 | columns ?column?

SELECT * FROM orders WHERE (placed_at, id) < ($1, $2) ORDER BY placed_at DESC, id DESC LIMIT $3
-- same | parameters $1:-:0, $2:order first:20, $3:-:0 | columns id:order, user_id:user, status, total_cents, note, placed_at

SELECT * FROM memberships WHERE (team_id, user_id) IN (($1, $2), ($3, $4))
-- same | parameters $1:team:20, $2:user:20, $3:team:20, $4:user:20 | columns team_id:team, user_id:user, role, created_at

SELECT participant_ids[1], participant_ids FROM events WHERE participant_ids @> ARRAY[$1]
-- same | parameters $1:user:20 | columns participant_ids:user, participant_ids:user[]

SELECT participant_ids FROM events WHERE $1 = ANY(participant_ids)
-- same | parameters $1:user:20 | columns participant_ids:user[]

SELECT unnest(participant_ids) FROM events
-- same | columns unnest:user

SELECT p FROM events, unnest(participant_ids) AS p
-- same | columns p:user

SELECT * FROM user_order_totals WHERE user_id = $1
-- same | parameters $1:user:20 | columns user_id:user, name, order_count, total_cents

SELECT user_email($1)
-- same | parameters $1:user:20 | columns user_email

SELECT * FROM pg_stats
-- refused system-relation 0A000: pg_stats shows keys [pg_stats]

SELECT nextval('users_id_seq')
-- refused function 0A000: the result of function nextval may hold a key [nextval('users_id_seq']

SELECT last_value FROM users_id_seq
-- refused system-relation 0A000: sequence "users_id_seq" shows keys [users_id_seq]

SELECT relname FROM pg_class
-- same | clean

SELECT ctid FROM users
-- refused expression 0A000: system column "ctid" tells the order in which rows were stored [ctid]

SELECT xmax = 0 AS inserted FROM users
-- same | columns inserted

SELECT $1::uuid IS NULL OR id = $1 FROM users
-- edited SELECT $1::uuid IS NULL OR id = $2 FROM users | parameters $1:-:2950, $1:user:20 | columns ?column?

SELECT id FROM users WHERE id = $1 OR auth_subject = $1
-- edited SELECT id FROM users WHERE id = $1 OR auth_subject = $2 | parameters $1:user:20, $1:-:2950 | columns id:user

SELECT COALESCE(auth_subject, id) FROM users
-- edited SELECT COALESCE((auth_subject)::pg_catalog.uuid::pg_catalog.text, <tag user: id>) FROM users | columns coalesce:mixed

SELECT id FROM users WHERE id::text LIKE '%a%'
-- refused expression 0A000: pgveil can't search for a part of an id: the database knows only its key ['%a%']

SELECT id FROM users WHERE email LIKE '%a%' AND name ILIKE $1
-- same | columns id:user

SELECT nope FROM users
-- refused unknown-name 42703: column "nope" does not exist [nope]

SELECT * FROM users, nope
-- refused unknown-name 42P01: relation "nope" does not exist [nope]

SELECT id FROM users WHERE id BETWEEN $1 AND 'ffffffff-ffff-ffff-ffff-ffffffffffff'
-- edited SELECT id FROM users WHERE id BETWEEN $1 AND <user bound> | parameters $1:user first:20 | columns id:user

SELECT lag(id) OVER (PARTITION BY user_id ORDER BY placed_at) FROM orders
-- same | columns lag:order

SELECT DISTINCT ON (user_id) user_id, id FROM orders ORDER BY user_id, placed_at DESC
-- same | columns user_id:user, id:order

SELECT user_id, count(*) FROM orders GROUP BY user_id HAVING count(*) > 1
-- same | columns user_id:user, count

SELECT json_agg(json_build_object('id', o.id)) FROM orders o
-- edited SELECT json_agg(json_build_object('id', <tag order: o.id>)) FROM orders o | columns json_agg:tagged

SELECT v.u FROM (VALUES ($1::uuid, 1)) AS v(u, n) JOIN users ON users.id = v.u
-- edited SELECT v.u FROM (VALUES ($1::pg_catalog.int8, 1)) AS v(u, n) JOIN users ON users.id = v.u | parameters $1:user:20 | columns u:user

TABLE users
-- same | columns id:user, email, name, is_active, login_count, auth_subject, created_at

SELECT '1'::bigint FROM users WHERE nullif(id, $1) IS NULL
-- same | parameters $1:user:20 | columns int8

SELECT array_to_string(ARRAY(SELECT id FROM users), ',')
-- edited SELECT array_to_string((SELECT CASE WHEN pgveil_a.v IS NOT NULL THEN ARRAY(SELECT <tag user: pgveil_e.v> FROM pg_catalog.unnest(pgveil_a.v) WITH ORDINALITY AS pgveil_e(v, o) ORDER BY pgveil_e.o) END FROM (SELECT ARRAY(SELECT id FROM users) AS v) AS pgveil_a), ',') | columns array_to_string:tagged

SELECT login_count + 1, upper(name), now() FROM users FOR UPDATE
-- same | columns ?column?, upper, now

BEGIN; SELECT id FROM users; COMMIT
-- same | clean
-- same | columns id:user
-- same | clean

SELECT generate_series(1, id) FROM users
-- refused uuid-type 42883: function generate_series(integer, uuid) does not exist [generate_series(1, id]

SELECT x FROM (SELECT id AS x FROM users) t WHERE (SELECT x FROM tags x LIMIT 1) IS NOT NULL
-- same | columns x:user

SELECT NOT id FROM users
-- refused uuid-type 42804: argument of NOT must be type boolean, not type uuid [id]

SELECT -id FROM users
-- refused uuid-type 42883: operator does not exist: - uuid [-]

SELECT greatest(id, $1), least(id, '0190a3b4-0000-8000-8000-000000000001') FROM users
-- edited SELECT greatest(id, $1), least(id, <user first>) FROM users | parameters $1:user first:20 | columns greatest:user, least:user

SELECT query_to_xml('select * from users', true, true, '')
-- refused function 0A000: the result of function query_to_xml may hold a key [query_to_xml('select * from users', true, true, '']

SELECT id FROM users WHERE
-- refused unparsed 0A000: pgveil does not know the syntax at the end of this statement []

SELECT id FROM users ORDER BY id OFFSET $1 LIMIT $2
-- same | columns id:user

WITH RECURSIVE a AS (SELECT max(id) FROM tags), tags AS (SELECT id FROM users) SELECT * FROM a
-- refused unsupported 0A000: pgveil does not support this reference of WITH RECURSIVE in a statement that names annotated tables [tags]

SELECT (SELECT d.x FROM tags t, (SELECT name AS x) d LIMIT 1) FROM (SELECT id AS name FROM users) q
-- same | columns x:user

SELECT (SELECT 1 FROM tags t, documents d JOIN tags s ON name = d.title LIMIT 1) FROM (SELECT id AS name FROM users) q
-- same | columns ?column?

SELECT lag(name, id) OVER () FROM users
-- refused uuid-type 42883: function lag(character varying, uuid) does not exist [lag(name, id]

SELECT ntile(id) OVER () FROM users
-- refused uuid-type 42883: function ntile(uuid) does not exist [ntile(id]

SELECT lag(id, 1, $1) OVER (ORDER BY id) FROM users
-- same | parameters $1:user:20 | columns lag:user

SELECT array_position(participant_ids, $1), array_remove(participant_ids, '0190a3b4-0000-8000-8000-000000000001') FROM events
-- edited SELECT array_position(participant_ids, $1), array_remove(participant_ids, <user>) FROM events | parameters $1:user:20 | columns array_position, array_remove:user[]

SELECT cardinality(participant_ids), array_length(participant_ids, 1) FROM events
-- same | columns cardinality, array_length

SELECT id FROM users LIMIT (SELECT max(id) FROM users)
-- refused expression 0A000: pgveil can't encrypt the result of this expression over an id [SELECT max(id) FROM users]

WITH users AS (SELECT 1 AS id) SELECT id FROM users
-- same | clean

SELECT * FROM users u, LATERAL (SELECT u.id AS x) s
-- same | columns id:user, email, name, is_active, login_count, auth_subject, created_at, x:user

SELECT u.row_to_json FROM users u
-- refused unknown-name 42703: column u.row_to_json does not exist [u.row_to_json]

SELECT email(u) FROM users u
-- refused unknown-name 42883: function email(record) does not exist [email(u]

SELECT set_config('a.b', id, false) FROM users
-- refused uuid-type 42883: function set_config(unknown, uuid, boolean) does not exist [set_config('a.b', id, false]

SELECT id FROM users, pg_class WHERE oid = 1
-- same | columns id:user

SELECT id FROM users WHERE id IN (1, 2)
-- refused uuid-type 42883: operator does not exist: uuid = integer [IN]

SELECT CAST(id AS bigint) FROM users
-- refused uuid-type 42846: cannot cast type uuid to bigint [CAST]

SELECT (CASE WHEN id = $1 THEN $2 WHEN id = $3 THEN '0190a3b4-0000-8000-8000-000000000001' END)::uuid = user_id FROM orders
-- edited SELECT (CASE WHEN id = $1 THEN $2 WHEN id = $3 THEN <user> END)::pg_catalog.int8 = user_id FROM orders | parameters $1:order:20, $2:user:25 textual, $3:order:20 | columns ?column?

select array[id, o.owner_id] from users cross join (select owner_id from teams where slug = 'blue') o
-- same | columns array:user[]

SELECT title, owner_id FROM documents
-- same | columns title, owner_id:user

SELECT twin FROM documents
-- same | columns twin:user

SELECT * FROM documents
-- same | columns id, owner_id:user, title, body, updated_at, twin:user

SELECT current_query() FROM users
-- refused function 0A000: the result of function current_query may hold a key [current_query]

SELECT no_such_function(id) FROM users
-- refused unknown-name 42883: function no_such_function(uuid) does not exist [no_such_function(id]

SELECT attname, atttypid FROM pg_attribute
-- edited SELECT attname, atttypid FROM (SELECT r.attrelid, r.attname, CASE WHEN r.atttypid OPERATOR(pg_catalog.=) ANY ('{}'::pg_catalog._oid) THEN r.atttypid ELSE COALESCE(r.shown, r.atttypid) END AS atttypid, r.attnum, (r.atthasdef OR r.shown IS NOT NULL AND r.attidentity OPERATOR(pg_catalog.<>) '') AS atthasdef, CASE WHEN r.shown IS NULL THEN r.attidentity ELSE ''::pg_catalog."char" END AS attidentity FROM (SELECT r.*, CASE WHEN r.atttypid OPERATOR(pg_catalog.=) ANY ('{20,23,25,1016}'::pg_catalog._oid) THEN CASE WHEN r.number OPERATOR(pg_catalog.=) ANY ('{1735065601,1735524353,1737162753}'::pg_catalog._int8) THEN '25'::pg_catalog.oid WHEN r.number OPERATOR(pg_catalog.=) ANY ('{1735065603}'::pg_catalog._int8) THEN '1009'::pg_catalog.oid WHEN r.number OPERATOR(pg_catalog.=) ANY ('{1073872897,1074724865,1074724868,1075707905,1075707906,1077018625,1077018626,1078132737,1078132738,1079246849,1079246850,1079246851,1079246852,1081409537,1082458114,1082458118,1083441153,1083441155,1084424196,1084948481,1736179713,1737424897}'::pg_catalog._int8) THEN '2950'::pg_catalog.oid WHEN r.number OPERATOR(pg_catalog.=) ANY ('{1083441156}'::pg_catalog._int8) THEN '2951'::pg_catalog.oid END END AS shown FROM (SELECT r.*, s.number FROM pg_catalog.pg_attribute r CROSS JOIN LATERAL (SELECT COALESCE((SELECT i.indrelid::pg_catalog.int8 OPERATOR(pg_catalog.*) 65536 OPERATOR(pg_catalog.+) i.indkey[r.attnum OPERATOR(pg_catalog.-) 1] FROM pg_catalog.pg_index i WHERE i.indexrelid OPERATOR(pg_catalog.=) r.attrelid), r.attrelid::pg_catalog.int8 OPERATOR(pg_catalog.*) 65536 OPERATOR(pg_catalog.+) r.attnum) AS number OFFSET 0) s) r) r) AS pg_attribute | clean

SELECT c.relname, pg_catalog.pg_attribute.xmin FROM pg_class c, ONLY pg_catalog.pg_attribute
-- edited SELECT c.relname, pg_attribute.xmin FROM pg_class c, (SELECT r.attrelid, r.attname, CASE WHEN r.atttypid OPERATOR(pg_catalog.=) ANY ('{}'::pg_catalog._oid) THEN r.atttypid ELSE COALESCE(r.shown, r.atttypid) END AS atttypid, r.attnum, (r.atthasdef OR r.shown IS NOT NULL AND r.attidentity OPERATOR(pg_catalog.<>) '') AS atthasdef, CASE WHEN r.shown IS NULL THEN r.attidentity ELSE ''::pg_catalog."char" END AS attidentity, r.xmin FROM (SELECT r.*, CASE WHEN r.atttypid OPERATOR(pg_catalog.=) ANY ('{20,23,25,1016}'::pg_catalog._oid) THEN CASE WHEN r.number OPERATOR(pg_catalog.=) ANY ('{1735065601,1735524353,1737162753}'::pg_catalog._int8) THEN '25'::pg_catalog.oid WHEN r.number OPERATOR(pg_catalog.=) ANY ('{1735065603}'::pg_catalog._int8) THEN '1009'::pg_catalog.oid WHEN r.number OPERATOR(pg_catalog.=) ANY ('{1073872897,1074724865,1074724868,1075707905,1075707906,1077018625,1077018626,1078132737,1078132738,1079246849,1079246850,1079246851,1079246852,1081409537,1082458114,1082458118,1083441153,1083441155,1084424196,1084948481,1736179713,1737424897}'::pg_catalog._int8) THEN '2950'::pg_catalog.oid WHEN r.number OPERATOR(pg_catalog.=) ANY ('{1083441156}'::pg_catalog._int8) THEN '2951'::pg_catalog.oid END END AS shown FROM (SELECT r.*, r.xmin, s.number FROM pg_catalog.pg_attribute r CROSS JOIN LATERAL (SELECT COALESCE((SELECT i.indrelid::pg_catalog.int8 OPERATOR(pg_catalog.*) 65536 OPERATOR(pg_catalog.+) i.indkey[r.attnum OPERATOR(pg_catalog.-) 1] FROM pg_catalog.pg_index i WHERE i.indexrelid OPERATOR(pg_catalog.=) r.attrelid), r.attrelid::pg_catalog.int8 OPERATOR(pg_catalog.*) 65536 OPERATOR(pg_catalog.+) r.attnum) AS number OFFSET 0) s) r) r) AS pg_attribute | clean

TABLE pg_attribute
-- edited SELECT * FROM (SELECT r.attrelid, r.attname, CASE WHEN r.atttypid OPERATOR(pg_catalog.=) ANY ('{}'::pg_catalog._oid) THEN r.atttypid ELSE COALESCE(r.shown, r.atttypid) END AS atttypid, r.attnum, (r.atthasdef OR r.shown IS NOT NULL AND r.attidentity OPERATOR(pg_catalog.<>) '') AS atthasdef, CASE WHEN r.shown IS NULL THEN r.attidentity ELSE ''::pg_catalog."char" END AS attidentity FROM (SELECT r.*, CASE WHEN r.atttypid OPERATOR(pg_catalog.=) ANY ('{20,23,25,1016}'::pg_catalog._oid) THEN CASE WHEN r.number OPERATOR(pg_catalog.=) ANY ('{1735065601,1735524353,1737162753}'::pg_catalog._int8) THEN '25'::pg_catalog.oid WHEN r.number OPERATOR(pg_catalog.=) ANY ('{1735065603}'::pg_catalog._int8) THEN '1009'::pg_catalog.oid WHEN r.number OPERATOR(pg_catalog.=) ANY ('{1073872897,1074724865,1074724868,1075707905,1075707906,1077018625,1077018626,1078132737,1078132738,1079246849,1079246850,1079246851,1079246852,1081409537,1082458114,1082458118,1083441153,1083441155,1084424196,1084948481,1736179713,1737424897}'::pg_catalog._int8) THEN '2950'::pg_catalog.oid WHEN r.number OPERATOR(pg_catalog.=) ANY ('{1083441156}'::pg_catalog._int8) THEN '2951'::pg_catalog.oid END END AS shown FROM (SELECT r.*, s.number FROM pg_catalog.pg_attribute r CROSS JOIN LATERAL (SELECT COALESCE((SELECT i.indrelid::pg_catalog.int8 OPERATOR(pg_catalog.*) 65536 OPERATOR(pg_catalog.+) i.indkey[r.attnum OPERATOR(pg_catalog.-) 1] FROM pg_catalog.pg_index i WHERE i.indexrelid OPERATOR(pg_catalog.=) r.attrelid), r.attrelid::pg_catalog.int8 OPERATOR(pg_catalog.*) 65536 OPERATOR(pg_catalog.+) r.attnum) AS number OFFSET 0) s) r) r) AS pg_attribute | clean

SELECT a.ctid, a.* FROM pg_attribute a
-- edited SELECT (SELECT pgveil.ctid FROM pg_catalog.pg_attribute AS pgveil WHERE pgveil.attrelid OPERATOR(pg_catalog.=) "a"."attrelid" AND pgveil.attnum OPERATOR(pg_catalog.=) "a"."attnum" LIMIT 1), a.* FROM (SELECT r.attrelid, r.attname, CASE WHEN r.atttypid OPERATOR(pg_catalog.=) ANY ('{}'::pg_catalog._oid) THEN r.atttypid ELSE COALESCE(r.shown, r.atttypid) END AS atttypid, r.attnum, (r.atthasdef OR r.shown IS NOT NULL AND r.attidentity OPERATOR(pg_catalog.<>) '') AS atthasdef, CASE WHEN r.shown IS NULL THEN r.attidentity ELSE ''::pg_catalog."char" END AS attidentity FROM (SELECT r.*, CASE WHEN r.atttypid OPERATOR(pg_catalog.=) ANY ('{20,23,25,1016}'::pg_catalog._oid) THEN CASE WHEN r.number OPERATOR(pg_catalog.=) ANY ('{1735065601,1735524353,1737162753}'::pg_catalog._int8) THEN '25'::pg_catalog.oid WHEN r.number OPERATOR(pg_catalog.=) ANY ('{1735065603}'::pg_catalog._int8) THEN '1009'::pg_catalog.oid WHEN r.number OPERATOR(pg_catalog.=) ANY ('{1073872897,1074724865,1074724868,1075707905,1075707906,1077018625,1077018626,1078132737,1078132738,1079246849,1079246850,1079246851,1079246852,1081409537,1082458114,1082458118,1083441153,1083441155,1084424196,1084948481,1736179713,1737424897}'::pg_catalog._int8) THEN '2950'::pg_catalog.oid WHEN r.number OPERATOR(pg_catalog.=) ANY ('{1083441156}'::pg_catalog._int8) THEN '2951'::pg_catalog.oid END END AS shown FROM (SELECT r.*, s.number FROM pg_catalog.pg_attribute r CROSS JOIN LATERAL (SELECT COALESCE((SELECT i.indrelid::pg_catalog.int8 OPERATOR(pg_catalog.*) 65536 OPERATOR(pg_catalog.+) i.indkey[r.attnum OPERATOR(pg_catalog.-) 1] FROM pg_catalog.pg_index i WHERE i.indexrelid OPERATOR(pg_catalog.=) r.attrelid), r.attrelid::pg_catalog.int8 OPERATOR(pg_catalog.*) 65536 OPERATOR(pg_catalog.+) r.attnum) AS number OFFSET 0) s) r) r) a | clean

SELECT attname FROM pg_attribute TABLESAMPLE SYSTEM (10)
-- edited SELECT attname FROM (SELECT r.attrelid, r.attname, CASE WHEN r.atttypid OPERATOR(pg_catalog.=) ANY ('{}'::pg_catalog._oid) THEN r.atttypid ELSE COALESCE(r.shown, r.atttypid) END AS atttypid, r.attnum, (r.atthasdef OR r.shown IS NOT NULL AND r.attidentity OPERATOR(pg_catalog.<>) '') AS atthasdef, CASE WHEN r.shown IS NULL THEN r.attidentity ELSE ''::pg_catalog."char" END AS attidentity FROM (SELECT r.*, CASE WHEN r.atttypid OPERATOR(pg_catalog.=) ANY ('{20,23,25,1016}'::pg_catalog._oid) THEN CASE WHEN r.number OPERATOR(pg_catalog.=) ANY ('{1735065601,1735524353,1737162753}'::pg_catalog._int8) THEN '25'::pg_catalog.oid WHEN r.number OPERATOR(pg_catalog.=) ANY ('{1735065603}'::pg_catalog._int8) THEN '1009'::pg_catalog.oid WHEN r.number OPERATOR(pg_catalog.=) ANY ('{1073872897,1074724865,1074724868,1075707905,1075707906,1077018625,1077018626,1078132737,1078132738,1079246849,1079246850,1079246851,1079246852,1081409537,1082458114,1082458118,1083441153,1083441155,1084424196,1084948481,1736179713,1737424897}'::pg_catalog._int8) THEN '2950'::pg_catalog.oid WHEN r.number OPERATOR(pg_catalog.=) ANY ('{1083441156}'::pg_catalog._int8) THEN '2951'::pg_catalog.oid END END AS shown FROM (SELECT r.*, s.number FROM pg_catalog.pg_attribute r  TABLESAMPLE SYSTEM (10) CROSS JOIN LATERAL (SELECT COALESCE((SELECT i.indrelid::pg_catalog.int8 OPERATOR(pg_catalog.*) 65536 OPERATOR(pg_catalog.+) i.indkey[r.attnum OPERATOR(pg_catalog.-) 1] FROM pg_catalog.pg_index i WHERE i.indexrelid OPERATOR(pg_catalog.=) r.attrelid), r.attrelid::pg_catalog.int8 OPERATOR(pg_catalog.*) 65536 OPERATOR(pg_catalog.+) r.attnum) AS number OFFSET 0) s) r) r) AS pg_attribute | clean

SELECT u.id, a.ctid, a.* FROM users u, pg_attribute a
-- edited SELECT u.id, (SELECT pgveil.ctid FROM pg_catalog.pg_attribute AS pgveil WHERE pgveil.attrelid OPERATOR(pg_catalog.=) "a"."attrelid" AND pgveil.attnum OPERATOR(pg_catalog.=) "a"."attnum" LIMIT 1), a.* FROM users u, (SELECT r.attrelid, r.attname, CASE WHEN r.atttypid OPERATOR(pg_catalog.=) ANY ('{}'::pg_catalog._oid) THEN r.atttypid ELSE COALESCE(r.shown, r.atttypid) END AS atttypid, r.attnum, (r.atthasdef OR r.shown IS NOT NULL AND r.attidentity OPERATOR(pg_catalog.<>) '') AS atthasdef, CASE WHEN r.shown IS NULL THEN r.attidentity ELSE ''::pg_catalog."char" END AS attidentity FROM (SELECT r.*, CASE WHEN r.atttypid OPERATOR(pg_catalog.=) ANY ('{20,23,25,1016}'::pg_catalog._oid) THEN CASE WHEN r.number OPERATOR(pg_catalog.=) ANY ('{1735065601,1735524353,1737162753}'::pg_catalog._int8) THEN '25'::pg_catalog.oid WHEN r.number OPERATOR(pg_catalog.=) ANY ('{1735065603}'::pg_catalog._int8) THEN '1009'::pg_catalog.oid WHEN r.number OPERATOR(pg_catalog.=) ANY ('{1073872897,1074724865,1074724868,1075707905,1075707906,1077018625,1077018626,1078132737,1078132738,1079246849,1079246850,1079246851,1079246852,1081409537,1082458114,1082458118,1083441153,1083441155,1084424196,1084948481,1736179713,1737424897}'::pg_catalog._int8) THEN '2950'::pg_catalog.oid WHEN r.number OPERATOR(pg_catalog.=) ANY ('{1083441156}'::pg_catalog._int8) THEN '2951'::pg_catalog.oid END END AS shown FROM (SELECT r.*, s.number FROM pg_catalog.pg_attribute r CROSS JOIN LATERAL (SELECT COALESCE((SELECT i.indrelid::pg_catalog.int8 OPERATOR(pg_catalog.*) 65536 OPERATOR(pg_catalog.+) i.indkey[r.attnum OPERATOR(pg_catalog.-) 1] FROM pg_catalog.pg_index i WHERE i.indexrelid OPERATOR(pg_catalog.=) r.attrelid), r.attrelid::pg_catalog.int8 OPERATOR(pg_catalog.*) 65536 OPERATOR(pg_catalog.+) r.attnum) AS number OFFSET 0) s) r) r) a | columns id:user, ctid, attrelid, attname, atttypid, attnum, atthasdef, attidentity

SELECT u.id, a.attname FROM users u, pg_attribute a TABLESAMPLE SYSTEM (10)
-- edited SELECT u.id, a.attname FROM users u, (SELECT r.attrelid, r.attname, CASE WHEN r.atttypid OPERATOR(pg_catalog.=) ANY ('{}'::pg_catalog._oid) THEN r.atttypid ELSE COALESCE(r.shown, r.atttypid) END AS atttypid, r.attnum, (r.atthasdef OR r.shown IS NOT NULL AND r.attidentity OPERATOR(pg_catalog.<>) '') AS atthasdef, CASE WHEN r.shown IS NULL THEN r.attidentity ELSE ''::pg_catalog."char" END AS attidentity FROM (SELECT r.*, CASE WHEN r.atttypid OPERATOR(pg_catalog.=) ANY ('{20,23,25,1016}'::pg_catalog._oid) THEN CASE WHEN r.number OPERATOR(pg_catalog.=) ANY ('{1735065601,1735524353,1737162753}'::pg_catalog._int8) THEN '25'::pg_catalog.oid WHEN r.number OPERATOR(pg_catalog.=) ANY ('{1735065603}'::pg_catalog._int8) THEN '1009'::pg_catalog.oid WHEN r.number OPERATOR(pg_catalog.=) ANY ('{1073872897,1074724865,1074724868,1075707905,1075707906,1077018625,1077018626,1078132737,1078132738,1079246849,1079246850,1079246851,1079246852,1081409537,1082458114,1082458118,1083441153,1083441155,1084424196,1084948481,1736179713,1737424897}'::pg_catalog._int8) THEN '2950'::pg_catalog.oid WHEN r.number OPERATOR(pg_catalog.=) ANY ('{1083441156}'::pg_catalog._int8) THEN '2951'::pg_catalog.oid END END AS shown FROM (SELECT r.*, s.number FROM pg_catalog.pg_attribute r  TABLESAMPLE SYSTEM (10) CROSS JOIN LATERAL (SELECT COALESCE((SELECT i.indrelid::pg_catalog.int8 OPERATOR(pg_catalog.*) 65536 OPERATOR(pg_catalog.+) i.indkey[r.attnum OPERATOR(pg_catalog.-) 1] FROM pg_catalog.pg_index i WHERE i.indexrelid OPERATOR(pg_catalog.=) r.attrelid), r.attrelid::pg_catalog.int8 OPERATOR(pg_catalog.*) 65536 OPERATOR(pg_catalog.+) r.attnum) AS number OFFSET 0) s) r) r) a | columns id:user, attname

CREATE VIEW v AS SELECT attname FROM pg_attribute
-- same | clean | ddl

UPDATE pg_attribute SET attname = 'a'
-- same | clean

SELECT seqstart FROM pg_sequence
-- refused unknown-name 42P01: relation "pg_sequence" does not exist [pg_sequence]

CREATE VIEW v AS SELECT id FROM users; SELECT * FROM v
-- same | clean | ddl
-- refused unknown-name 0A000: pgveil has not seen this yet: relation "v" does not exist [v]

SELECT no_such_function(1)
-- same | clean

select id as both from users
-- same | columns both:user

select trim(both from name), trim(leading 'x' from name) from users
-- same | columns btrim, btrim

SELECT id FROM users UNION SELECT id FROM orders ORDER BY id
-- refused mixed-domains 0A000: ids of several kinds, or ids and other uuids, can't be sorted in one column [id]

SELECT id, email FROM users UNION ALL SELECT id, status FROM orders ORDER BY email
-- edited SELECT <tag user: id> AS "id", email FROM users UNION ALL SELECT <tag order: id> AS "id", status FROM orders ORDER BY email | columns id:mixed, email

(SELECT id FROM users ORDER BY id LIMIT 1) UNION ALL SELECT id FROM orders
-- edited SELECT <tag user: pgveil_q0.c0> AS "id" FROM ((SELECT id FROM users ORDER BY id LIMIT 1)) AS pgveil_q0(c0) UNION ALL SELECT <tag order: id> AS "id" FROM orders | columns id:mixed

(SELECT id, null FROM users ORDER BY id LIMIT 1) UNION ALL SELECT id, 1 FROM orders
-- refused expression 0A000: column "id" holds ids of several kinds, and nothing tells which is which []

INSERT INTO orders (user_id) SELECT id FROM users UNION SELECT id FROM orders
-- refused mixed-domains 0A000: pgveil can't store ids of several kinds in column "user_id" []

CREATE TEMP TABLE x AS SELECT id FROM users UNION SELECT id FROM orders
-- refused expression 0A000: pgveil can't store text or JSON that is built from ids in column "id" [SELECT id FROM users UNION SELECT id FROM orders]

COPY (SELECT id FROM users UNION SELECT id FROM orders) TO STDOUT
-- edited COPY (SELECT <tag user: id> AS "id" FROM users UNION SELECT <tag order: id> AS "id" FROM orders) TO STDOUT | ToClient "" (id:tagged) \t null "\\N"

EXPLAIN SELECT id FROM users UNION SELECT id FROM orders
-- edited EXPLAIN SELECT ('~' OPERATOR(pg_catalog.||) (id> AS "id" FROM users UNION SELECT ('~~~' OPERATOR(pg_catalog.||) (id> AS "id" FROM orders | explained Text

SELECT id FROM orders WHERE coalesce(id, user_id) = $1
-- refused expression 0A000: pgveil can't encrypt an id inside the result of = [=]

SELECT max(coalesce(id, user_id)) FROM orders
-- refused expression 0A000: pgveil can't encrypt an id inside the result of max [max(coalesce(id, user_id]

SELECT coalesce(id, user_id)::json FROM orders
-- refused expression 0A000: pgveil can't encrypt an id that is cast to json [::]

SELECT md5(coalesce(id, user_id)::text) FROM orders
-- refused expression 0A000: pgveil can't apply md5 to an id: the database knows only its key [md5(coalesce(id, user_id]

SELECT array[id, user_id] || id FROM orders
-- refused expression 0A000: pgveil can't encrypt an id inside the result of || [||]

SELECT array[id, user_id] || '{x}' FROM orders
-- refused expression 0A000: pgveil can't encrypt an id inside the result of || [||]

SELECT id FROM orders WHERE 'x' || id = '11111111-1111-8111-8111-111111111111'
-- refused expression 0A000: pgveil can't encrypt an id inside the result of = [=]

SELECT id FROM orders WHERE 'x' || id = $1
-- refused expression 0A000: pgveil can't encrypt an id inside the result of = [=]

SELECT id FROM orders WHERE id::text = 'x' OR 'x' || id > 'x'
-- refused expression 0A000: pgveil can't encrypt an id inside the result of > [>]

SELECT ROW(u.*) FROM users u
-- same | columns row:(user, -, -, -, -, -, -)

SELECT ROW(u.*, 1) = ROW('x', 'y', 1) FROM (SELECT id, email FROM users) u
-- edited SELECT ROW(u.*, 1) = ROW(<user>, 'y', 1) FROM (SELECT id, email FROM users) u | columns ?column?

SELECT count(u.*) FROM users u
-- same | columns count

SELECT id FROM users WHERE id OPERATOR(pg_catalog.=) 'x' OR id OPERATOR(=) $1::uuid OR id OPERATOR(pg_catalog.<>) 'x'
-- edited SELECT id FROM users WHERE id OPERATOR(pg_catalog.=) <user> OR id OPERATOR(=) $1::pg_catalog.int8 OR id OPERATOR(pg_catalog.<>) <user> | parameters $1:user:20 | columns id:user

SELECT id FROM orders WHERE id OPERATOR(pg_catalog.>) $1 AND user_id OPERATOR(pg_catalog.=) id
-- refused mixed-domains 0A000: ids of "user" and of "order" can't be used in one place [OPERATOR]

SELECT id FROM orders WHERE id OPERATOR(pg_catalog.=) ANY ($1)
-- same | parameters $1:order[]:1016 | columns id:order

SELECT u.id FROM users * u WHERE u.login_count IS DISTINCT FROM u.login_count * 2
-- same | columns id:user

SELECT extract(epoch FROM created_at) * 2 AS t, id FROM public.users * WHERE name IS NOT NULL
-- same | columns t, id:user

SELECT attname FROM pg_attribute * AS a
-- edited SELECT attname FROM (SELECT r.attrelid, r.attname, CASE WHEN r.atttypid OPERATOR(pg_catalog.=) ANY ('{}'::pg_catalog._oid) THEN r.atttypid ELSE COALESCE(r.shown, r.atttypid) END AS atttypid, r.attnum, (r.atthasdef OR r.shown IS NOT NULL AND r.attidentity OPERATOR(pg_catalog.<>) '') AS atthasdef, CASE WHEN r.shown IS NULL THEN r.attidentity ELSE ''::pg_catalog."char" END AS attidentity FROM (SELECT r.*, CASE WHEN r.atttypid OPERATOR(pg_catalog.=) ANY ('{20,23,25,1016}'::pg_catalog._oid) THEN CASE WHEN r.number OPERATOR(pg_catalog.=) ANY ('{1735065601,1735524353,1737162753}'::pg_catalog._int8) THEN '25'::pg_catalog.oid WHEN r.number OPERATOR(pg_catalog.=) ANY ('{1735065603}'::pg_catalog._int8) THEN '1009'::pg_catalog.oid WHEN r.number OPERATOR(pg_catalog.=) ANY ('{1073872897,1074724865,1074724868,1075707905,1075707906,1077018625,1077018626,1078132737,1078132738,1079246849,1079246850,1079246851,1079246852,1081409537,1082458114,1082458118,1083441153,1083441155,1084424196,1084948481,1736179713,1737424897}'::pg_catalog._int8) THEN '2950'::pg_catalog.oid WHEN r.number OPERATOR(pg_catalog.=) ANY ('{1083441156}'::pg_catalog._int8) THEN '2951'::pg_catalog.oid END END AS shown FROM (SELECT r.*, s.number FROM pg_catalog.pg_attribute r CROSS JOIN LATERAL (SELECT COALESCE((SELECT i.indrelid::pg_catalog.int8 OPERATOR(pg_catalog.*) 65536 OPERATOR(pg_catalog.+) i.indkey[r.attnum OPERATOR(pg_catalog.-) 1] FROM pg_catalog.pg_index i WHERE i.indexrelid OPERATOR(pg_catalog.=) r.attrelid), r.attrelid::pg_catalog.int8 OPERATOR(pg_catalog.*) 65536 OPERATOR(pg_catalog.+) r.attnum) AS number OFFSET 0) s) r) r) AS a | clean

SELECT s.n FROM pg_get_serial_sequence('users', 'id') WITH ORDINALITY AS s (s, n)
-- edited SELECT s.n FROM LATERAL (SELECT (SELECT CASE WHEN pgveil.s::pg_catalog.regclass::pg_catalog.oid OPERATOR(pg_catalog.=) ANY ('{16385,16398,16433,16450,16467,16531}'::pg_catalog._oid) THEN NULL ELSE pgveil.s END AS pg_get_serial_sequence FROM (SELECT pg_get_serial_sequence('users', 'id') AS s) AS pgveil) AS pg_get_serial_sequence, '1'::pg_catalog.int8 AS ordinality)  AS s (s, n) | clean

