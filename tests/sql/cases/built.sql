SELECT id::text, CAST(id AS varchar), id::varchar(36), id::character varying(255) FROM users
-- edited SELECT id::pg_catalog.int8, CAST(id AS pg_catalog.int8), id::pg_catalog.int8, id::pg_catalog.int8 FROM users | columns id:user(int8 as text), id:user(int8 as varchar), id:user(int8 as varchar), id:user(int8 as varchar)

SELECT id::varchar(35) FROM users
-- refused expression 0A000: pgveil can't encrypt an id that is cast to character varying [::]

SELECT id::char(36) FROM users
-- edited SELECT id::pg_catalog.int8 FROM users | columns id:user(int8 as bpchar)

SELECT id FROM users WHERE id::text = $1 OR id::text = ANY($2::text[]) OR id::text IN ('a', $3)
-- edited SELECT id FROM users WHERE id::pg_catalog.int8 = $1 OR id::pg_catalog.int8 = ANY($2::pg_catalog.int8[]) OR id::pg_catalog.int8 IN (<user(int8 as text)>::pg_catalog.int8, $3) | parameters $1:user(int8 as text):20 shown 25, $2:user(int8 as text)[]:1016 shown 1009, $3:user(int8 as text):20 shown 25 | columns id:user

SELECT id FROM users WHERE id::text = id
-- refused uuid-type 42883: operator does not exist: text = uuid [=]

SELECT id FROM users WHERE id::text = email
-- refused mixed-domains 0A000: an id of "user" can't be used together with a value that is no id [=]

SELECT user_id::text, count(*) FROM orders GROUP BY user_id::text
-- edited SELECT user_id::pg_catalog.int8, count(*) FROM orders GROUP BY user_id::pg_catalog.int8 | columns user_id:user(int8 as text), count

SELECT array_agg(id)::text[] FROM users
-- edited SELECT array_agg(id)::pg_catalog.int8[] FROM users | columns array_agg:user(int8 as text)[]

SELECT id FROM users WHERE id = $1::text::uuid OR id = '11111111-1111-8111-8111-111111111111'::text::uuid
-- edited SELECT id FROM users WHERE id = $1::text::pg_catalog.int8 OR id = <user>::text::pg_catalog.int8 | parameters $1:user:25 textual | columns id:user

SELECT coalesce(user_id::text, 'none'), coalesce(user_id::text, $1) FROM orders
-- edited SELECT coalesce(<tag user(int8 as text): user_id::pg_catalog.int8>, 'none'), coalesce(user_id::pg_catalog.int8, $1) FROM orders | parameters $1:user(int8 as text):20 shown 25 | columns coalesce:tagged, coalesce:user(int8 as text)

SELECT CASE WHEN status = 'a' THEN 'x' || id ELSE id::text END FROM orders
-- edited SELECT CASE WHEN status = 'a' THEN 'x' || <tag order: id> ELSE <tag order(int8 as text): id::pg_catalog.int8> END AS "id" FROM orders | columns id:tagged

SELECT 'x' || id, (id) || 'x', id::text || 'x', CAST(id AS text) || 'x', max(id::text) || 'x' FROM users
-- edited SELECT 'x' || <tag user: id>, <tag user: (id)> || 'x', <tag user(int8 as text): id::pg_catalog.int8> || 'x', <tag user(int8 as text): CAST(id AS pg_catalog.int8)> || 'x', <tag user(int8 as text): max(id::pg_catalog.int8)> || 'x' FROM users | columns ?column?:tagged, ?column?:tagged, ?column?:tagged, ?column?:tagged, ?column?:tagged

SELECT "u"."id"::text || 'x' FROM "users" AS "u"
-- edited SELECT <tag user(int8 as text): "u"."id"::pg_catalog.int8> || 'x' FROM "users" AS "u" | columns ?column?:tagged

SELECT id || id FROM users
-- refused uuid-type 42883: operator does not exist: uuid || uuid [||]

SELECT 'x' || id || ARRAY['a'] FROM users
-- edited SELECT 'x' || <tag user: id> || ARRAY['a'] FROM users | columns ?column?:tagged[]

SELECT concat('a', id), concat_ws('/', id, email), format('%s %2$s', id, email), string_agg(DISTINCT id::text, ',') FROM users
-- edited SELECT concat('a', <tag user: id>), concat_ws('/', <tag user: id>, email), format('%s %2$s', <tag user: id>, email), string_agg(DISTINCT <tag user(int8 as text): id::pg_catalog.int8>, ',') FROM users | columns concat:tagged, concat_ws:tagged, format:tagged, string_agg:tagged

SELECT format('%I', id) FROM users
-- refused expression 0A000: pgveil can't encrypt an id inside the result of format [format('%I', id]

SELECT format(email, id) FROM users
-- refused expression 0A000: pgveil can't encrypt an id inside the result of format [format(email, id]

SELECT string_agg(DISTINCT id::text, ',' ORDER BY id::text) FROM users
-- refused expression 0A000: pgveil can't encrypt an id inside the result of string_agg [string_agg(DISTINCT id::text, ',' ORDER BY id]

SELECT concat(VARIADIC array_agg(id)) FROM users
-- refused expression 0A000: pgveil can't encrypt an id inside the result of concat [concat(VARIADIC array_agg(id]

SELECT array_to_string(array_agg(id), ',') FROM users
-- edited SELECT array_to_string((SELECT CASE WHEN pgveil_a.v IS NOT NULL THEN ARRAY(SELECT <tag user: pgveil_e.v> FROM pg_catalog.unnest(pgveil_a.v) WITH ORDINALITY AS pgveil_e(v, o) ORDER BY pgveil_e.o) END FROM (SELECT array_agg(id) AS v) AS pgveil_a), ',') FROM users | columns array_to_string:tagged

SELECT json_build_object('id', id) -> 'id', to_jsonb(u) - 'email' ->> 'id' FROM users u
-- edited SELECT json_build_object('id', <tag user: id>) -> 'id', to_jsonb((SELECT pgveil_r FROM (SELECT <tag user: u."id"> AS "id", u."email" AS "email", u."name" AS "name", u."is_active" AS "is_active", u."login_count" AS "login_count", u."auth_subject" AS "auth_subject", u."created_at" AS "created_at") AS pgveil_r WHERE u IS DISTINCT FROM NULL)) - 'email' ->> 'id' FROM users u | columns ?column?:tagged, ?column?:tagged

SELECT json_build_object(id, 1) -> $1 FROM users
-- refused expression 0A000: pgveil can't encrypt an id inside the result of -> [->]

SELECT json_build_object(id, 1) -> '11111111-1111-8111-8111-111111111111' FROM users
-- refused expression 0A000: pgveil can't encrypt an id inside the result of -> [->]

SELECT row_to_json("My T") FROM (SELECT id, email AS "a ""b" FROM users) AS "My T"
-- edited SELECT row_to_json((SELECT pgveil_r FROM (SELECT <tag user: "My T"."id"> AS "id", "My T"."a ""b" AS "a ""b") AS pgveil_r WHERE "My T" IS DISTINCT FROM NULL)) FROM (SELECT id, email AS "a ""b" FROM users) AS "My T" | columns row_to_json:tagged

SELECT row_to_json((SELECT x FROM (SELECT u.id, u.email) x)) FROM users u
-- edited SELECT row_to_json((SELECT (SELECT pgveil_r FROM (SELECT <tag user: x."id"> AS "id", x."email" AS "email") AS pgveil_r WHERE x IS DISTINCT FROM NULL) FROM (SELECT u.id, u.email) x)) FROM users u | columns row_to_json:tagged

SELECT json_agg(u.* ORDER BY u.id) FROM users u
-- edited SELECT json_agg((SELECT pgveil_r FROM (SELECT <tag user: u."id"> AS "id", u."email" AS "email", u."name" AS "name", u."is_active" AS "is_active", u."login_count" AS "login_count", u."auth_subject" AS "auth_subject", u."created_at" AS "created_at") AS pgveil_r WHERE u IS DISTINCT FROM NULL) ORDER BY u.id) FROM users u | columns json_agg:tagged

SELECT json_agg(x) FROM (SELECT u FROM users u) x
-- refused expression 0A000: pgveil can't encrypt an id inside the result of json_agg [json_agg(x]

SELECT length(x.j::text) FROM (SELECT json_agg(u) AS j FROM users u) x
-- refused expression 0A000: pgveil can't apply length to an id: the database knows only its key [length(x.j]

SELECT lower(x) FROM unnest((SELECT array_agg('x' || id) FROM users)) x
-- refused expression 0A000: pgveil can't apply lower to an id: the database knows only its key [lower(x]

SELECT * FROM json_to_recordset((SELECT json_agg(u) FROM users u)) AS x(id text)
-- refused expression 0A000: pgveil can't apply json_to_recordset to an id: the database knows only its key [json_to_recordset]

SELECT id FROM users WHERE 'x' || id = 'x1'
-- edited SELECT id FROM users WHERE 'x' || <tag user: id> = 'x1' | columns id:user

SELECT id FROM users WHERE 'x' || id IN ('x1')
-- edited SELECT id FROM users WHERE 'x' || <tag user: id> IN ('x1') | columns id:user

SELECT id FROM users WHERE 'x' || id LIKE 'x%'
-- refused expression 0A000: pgveil can't encrypt an id inside the result of ~~ [LIKE]

SELECT CASE 'x' || id WHEN 'x1' THEN 1 END FROM users
-- edited SELECT CASE 'x' || <tag user: id> WHEN 'x1' THEN 1 END FROM users | columns case

SELECT nullif('x' || id, 'y') FROM users
-- edited SELECT nullif('x' || <tag user: id>, 'y') FROM users | columns nullif:tagged

SELECT greatest('x' || id, 'y') FROM users
-- refused expression 0A000: pgveil can't encrypt an id inside the result of greatest [greatest('x' || id, 'y']

SELECT max('x' || id) FROM users
-- refused expression 0A000: pgveil can't encrypt an id inside the result of max [max('x' || id]

SELECT array_position(array_agg('x' || id), 'x1') FROM users
-- refused expression 0A000: pgveil can't encrypt an id inside the result of array_position [array_position(array_agg('x' || id), 'x1']

SELECT array_remove(array_agg('x' || id), 'x1') FROM users
-- refused expression 0A000: pgveil can't encrypt an id inside the result of array_remove [array_remove(array_agg('x' || id), 'x1']

SELECT row('x' || id) = row('x1') FROM users
-- refused expression 0A000: pgveil can't encrypt an id inside the result of = [=]

SELECT ('u' || id)::varchar(3) FROM users
-- refused expression 0A000: pgveil can't encrypt an id that is cast to character varying [::]

SELECT to_json(id)::text::int FROM users
-- refused expression 0A000: pgveil can't encrypt an id that is cast to integer [::]

SELECT count('x' || id), count(DISTINCT id::text) FROM users
-- edited SELECT count('x' || <tag user: id>), count(DISTINCT id::pg_catalog.int8) FROM users | columns count, count

SELECT 'x' || id FROM users UNION SELECT 'y'
-- edited SELECT 'x' || <tag user: id> FROM users UNION SELECT 'y' | columns ?column?:tagged

SELECT 'x' || id FROM users INTERSECT SELECT 'x1'
-- refused expression 0A000: pgveil can't encrypt an id inside the result of INTERSECT [SELECT 'x1']

WITH t AS (SELECT json_build_object('id', id) AS j FROM users) SELECT j FROM t
-- edited WITH t AS (SELECT json_build_object('id', <tag user: id>) AS j FROM users) SELECT j FROM t | columns j:tagged

WITH RECURSIVE t(n, p) AS (SELECT 1, email FROM users UNION ALL SELECT n + 1, p || u.id FROM t JOIN users u ON t.n < 3 AND length(p) < 9) SELECT p FROM t
-- refused expression 0A000: pgveil can't apply length to an id: the database knows only its key [length(p]

INSERT INTO users (email) SELECT 'x' || id FROM users
-- refused expression 0A000: pgveil can't store an id as text in column "email" []

UPDATE users SET email = concat(id, email)
-- refused expression 0A000: pgveil can't store an id as text in column "email" [concat(id, email]

UPDATE users SET email = id::text
-- refused expression 0A000: pgveil can't store an id as text in column "email" [id]

COPY (SELECT 'x' || id FROM users) TO STDOUT
-- edited COPY (SELECT 'x' || <tag user: id> FROM users) TO STDOUT | ToClient "" (?column?:tagged) \t null "\\N"

COPY (SELECT id::text FROM users) TO STDOUT
-- edited COPY (SELECT id::pg_catalog.int8 FROM users) TO STDOUT | ToClient "" (id:user(int8 as text)) \t null "\\N"

CREATE TABLE t AS SELECT 'x' || id AS x FROM users
-- refused expression 0A000: pgveil can't store text or JSON that is built from ids in column "x" [SELECT 'x' || id AS x FROM users]

