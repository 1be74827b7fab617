UPDATE events SET participant_ids[1] = $1 WHERE id = $2
-- same | parameters $1:user stored:20, $2:event:20 | columns none

UPDATE events SET participant_ids[1:2] = $1, kind = 'x'
-- same | parameters $1:user[] stored:1016 | columns none

UPDATE events SET participant_ids[$2::int][1] = '0190a3b4-0000-8000-8000-000000000001', participant_ids[2] = 5
-- refused uuid-type 42804: subscripted assignment to "participant_ids" requires type uuid but expression is of type integer [participant_ids]

UPDATE events SET participant_ids[(SELECT max(id) FROM users)] = $1
-- refused expression 0A000: pgveil can't encrypt the result of this expression over an id [SELECT max(id) FROM users]

UPDATE events SET payload['a']['b'] = to_jsonb($1::int), kind = $2
-- same | columns none

UPDATE events SET payload['a'] = to_jsonb(id)
-- refused expression 0A000: pgveil can't store an id as text in column "payload" [to_jsonb(id]

UPDATE events SET participant_ids[1] = (SELECT max(o.id) FROM orders o)
-- refused mixed-domains 0A000: ids of "order" and of "user" can't be used in one place [participant_ids]

UPDATE users SET name[1] = id::text
-- refused expression 0A000: pgveil can't store an id as text in column "name" [id]

INSERT INTO events (kind) VALUES ('x') ON CONFLICT (id) DO UPDATE SET participant_ids[1] = $1
-- same | parameters $1:user stored:20 | columns none

SELECT (ARRAY[ARRAY[id, $1], ARRAY[id, id]])[1][2] FROM users
-- same | parameters $1:user:20 | columns array:user

SELECT (ARRAY[participant_ids])[1:1][2], array_agg(participant_ids) FROM events GROUP BY participant_ids
-- same | columns array:user[], array_agg:user[]

SELECT id::text::uuid, id::varchar(36), id::char(36), id::varchar(64) FROM users
-- edited SELECT id::pg_catalog.int8::pg_catalog.int8, id::pg_catalog.int8, id::pg_catalog.int8, id::pg_catalog.int8 FROM users | columns id:user, id:user(int8 as varchar), id:user(int8 as bpchar), id:user(int8 as varchar)

SELECT id::varchar(35) FROM users
-- refused expression 0A000: pgveil can't encrypt an id that is cast to character varying [::]

SELECT id::char(37) FROM users
-- refused expression 0A000: pgveil can't encrypt an id that is cast to character [::]

SELECT name FROM users WHERE id = lower($1)::uuid OR id = upper('0190a3b4-0000-8000-8000-000000000001')::uuid
-- edited SELECT name FROM users WHERE id = lower($1)::pg_catalog.int8 OR id = upper(<user>)::pg_catalog.int8 | parameters $1:user:25 textual | columns name

INSERT INTO orders (user_id) SELECT coalesce($1, id::text)::uuid FROM users
-- edited INSERT INTO orders (user_id) SELECT coalesce($1, id::pg_catalog.int8)::pg_catalog.int8 FROM users | parameters $1:user(int8 as text) stored:20 shown 25 | columns none

SELECT pg_typeof(id), pg_typeof(participant_ids) FROM events
-- edited SELECT pg_typeof(CASE WHEN (id) IS NULL THEN NULL::pg_catalog.uuid END), pg_typeof(CASE WHEN (participant_ids) IS NULL THEN NULL::pg_catalog.uuid[] END) FROM events | columns pg_typeof, pg_typeof

SELECT (id, name, participant_ids)::text FROM events e, LATERAL (SELECT 'x' AS name) n
-- edited SELECT (<tag event: id>, name, (SELECT CASE WHEN pgveil_a.v IS NOT NULL THEN ARRAY(SELECT <tag user: pgveil_e.v> FROM pg_catalog.unnest(pgveil_a.v) WITH ORDINALITY AS pgveil_e(v, o) ORDER BY pgveil_e.o) END FROM (SELECT participant_ids AS v) AS pgveil_a))::text AS "row" FROM events e, LATERAL (SELECT 'x' AS name) n | columns row:tagged

SELECT ((id, 2), (kind, id))::text FROM events
-- edited SELECT ((<tag event: id>, 2), (kind, <tag event: id>))::text AS "row" FROM events | columns row:tagged

SELECT (id, 'user-' || id), array_agg((id::text, 'x' || id)) FROM users GROUP BY id
-- edited SELECT (id, 'user-' || <tag user: id>), array_agg((id::pg_catalog.int8, 'x' || <tag user: id>)) FROM users GROUP BY id | columns row:(user, tagged), array_agg:(user(int8 as text), tagged)[]

SELECT json_object(ARRAY['id', id::text]), jsonb_object(ARRAY[id::text], ARRAY['x']) FROM users
-- edited SELECT json_object(ARRAY['id', <tag user(int8 as text): id::pg_catalog.int8>]), jsonb_object((SELECT CASE WHEN pgveil_a.v IS NOT NULL THEN ARRAY(SELECT <tag user(int8 as text): pgveil_e.v> FROM pg_catalog.unnest(pgveil_a.v) WITH ORDINALITY AS pgveil_e(v, o) ORDER BY pgveil_e.o) END FROM (SELECT ARRAY[id::pg_catalog.int8] AS v) AS pgveil_a), ARRAY['x']) FROM users | columns json_object:tagged, jsonb_object:tagged

SELECT json_object(participant_ids) FROM events
-- refused expression 0A000: pgveil can't encrypt an id inside the result of json_object [json_object(participant_ids]

SELECT q.a FROM unnest(ARRAY(SELECT row(id, name) FROM users)) AS q(a uuid, b text)
-- edited SELECT q.a FROM unnest(ARRAY(SELECT row(id, name) FROM users)) AS q(a pg_catalog.int8, b text) | columns a:user

SELECT q.a FROM unnest(ARRAY(SELECT row(id, name) FROM users)) AS q(a bigint, b text)
-- refused uuid-type 42804: function return row and query-specified return row do not match [q]

SELECT ARRAY['a', u.id::text, o.id::text] FROM users u JOIN orders o ON o.user_id = u.id
-- edited SELECT ARRAY['a', <tag user(int8 as text): u.id::pg_catalog.int8>, <tag order(int8 as text): o.id::pg_catalog.int8>] FROM users u JOIN orders o ON o.user_id = u.id | columns array:tagged[]

SELECT id FROM users WHERE id = ANY(string_to_array($1, ',')::uuid[]) OR id = ANY(CAST(string_to_array('0190a3b4-0000-8000-8000-000000000001', ';') AS uuid[]))
-- edited SELECT id FROM users WHERE id = ANY(($1)::pg_catalog.int8[]) OR id = ANY(CAST((<user[]>) AS pg_catalog.int8[])) | parameters $1:user[]:25 textual | columns id:user

SELECT string_to_array($1, ',')::uuid[]
-- same | clean

SELECT id FROM users WHERE id IN (SELECT unnest(string_to_array($1, ','))::uuid) OR id IN (SELECT CAST(unnest(string_to_array('0190a3b4-0000-8000-8000-000000000001', ';')) AS uuid))
-- edited SELECT id FROM users WHERE id IN (SELECT unnest(($1::pg_catalog.int8[]))::pg_catalog.int8 AS unnest) OR id IN (SELECT CAST(unnest((<user[]>::pg_catalog.int8[])) AS pg_catalog.int8) AS unnest) | parameters $1:user[]:25 textual | columns id:user

SELECT unnest(string_to_array($1, ','))::uuid
-- same | clean

SELECT id FROM users WHERE id = ANY(string_to_array($1, $2)::uuid[])
-- refused expression 0A000: pgveil can't encrypt an id inside the result of = [=]

SELECT id FROM users WHERE id = ANY(string_to_array($1, ',', 'none')::uuid[])
-- refused expression 0A000: pgveil can't encrypt an id inside the result of = [=]

SELECT id FROM users WHERE id = ANY(string_to_array(email, ',')::uuid[])
-- refused expression 0A000: pgveil can't encrypt an id inside the result of = [=]

SELECT id FROM users WHERE id IN ((SELECT min(user_id) FROM orders), $1, (SELECT max(user_id) FROM orders))
-- same | parameters $1:user:20 | columns id:user

