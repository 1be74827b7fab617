SELECT payload, payload -> 'user', payload -> 'title', payload -> 'ids' -> 0 FROM events
-- same | columns payload:{user: {id: user as number}, ids: {*: user as string}}, ?column?:{id: user as number}, ?column?, ?column?:user as string

SELECT payload ->> 'title', payload -> 'user' ->> 'id', payload #>> '{user,id}', payload ->> 'user' FROM events
-- edited SELECT payload ->> 'title', <key user: payload -> 'user' ->> 'id'> AS "?column?", <key user: payload #>> '{user,id}'> AS "?column?", payload ->> 'user' FROM events | columns ?column?, ?column?:user(int8 as text), ?column?:user(int8 as text), ?column?:{id: user as number}

SELECT payload -> 'user' ->> 'id', (payload #>> '{user,id}')::uuid FROM events
-- edited SELECT <key user: payload -> 'user' ->> 'id'> AS "?column?", (<key user: payload #>> '{user,id}'>)::pg_catalog.int8 AS "uuid" FROM events | columns ?column?:user(int8 as text), uuid:user

SELECT e FROM events, jsonb_array_elements(payload -> 'ids') e
-- same | columns e:user as string

SELECT e FROM events, jsonb_array_elements_text(payload -> 'ids') e
-- edited SELECT e FROM events, LATERAL (SELECT <key user: pgveil_e.pgveil_v> AS "e" FROM jsonb_array_elements_text(payload -> 'ids') AS pgveil_e(pgveil_v)) e | columns e:user(int8 as text)

SELECT e FROM events, jsonb_array_elements_text(payload -> 'names') e
-- same | columns e

SELECT id FROM events WHERE payload @> '{"user": {"id": "x"}}' AND payload @> $1
-- edited SELECT id FROM events WHERE payload @> <{user: {id: user as number}, ids: {*: user as string}}> AND payload @> $1 | parameters $1:{user: {id: user as number}, ids: {*: user as string}}:3802 | columns id:event

SELECT id FROM events WHERE payload -> 'user' ->> 'id' = $1 AND (payload -> 'user' ->> 'id')::uuid = $2
-- edited SELECT id FROM events WHERE <key user: payload -> 'user' ->> 'id'> = $1 AND (<key user: payload -> 'user' ->> 'id'>)::pg_catalog.int8 = $2 | parameters $1:user(int8 as text):20 shown 25, $2:user:20 | columns id:event

SELECT id FROM events WHERE payload -> 'user' ->> 'id' < $1
-- refused expression 0A000: pgveil can't encrypt an id inside the result of < [<]

SELECT payload -> 'user' -> 'id' -> 0 FROM events
-- refused expression 0A000: pgveil can't encrypt an id inside the result of -> [->]

SELECT payload -> $1 FROM events
-- refused expression 0A000: pgveil can't encrypt an id inside the result of -> [->]

SELECT payload::text FROM events
-- same | columns payload:{user: {id: user as number}, ids: {*: user as string}}

SELECT to_jsonb(e) FROM events e
-- edited SELECT to_jsonb((SELECT pgveil_r FROM (SELECT <tag event: e."id"> AS "id", e."kind" AS "kind", <tag user: e."actor_id"> AS "actor_id", CASE WHEN e."participant_ids" IS NOT NULL THEN ARRAY(SELECT <tag user: pgveil_e.v> FROM pg_catalog.unnest(e."participant_ids") WITH ORDINALITY AS pgveil_e(v, o) ORDER BY pgveil_e.o) END AS "participant_ids", e."payload" AS "payload", e."occurred_at" AS "occurred_at") AS pgveil_r WHERE e IS DISTINCT FROM NULL)) FROM events e | columns to_jsonb:{payload: {user: {id: user as number}, ids: {*: user as string}}, tagged}

SELECT e.payload FROM events e UNION ALL SELECT '{}'
-- edited SELECT e.payload FROM events e UNION ALL SELECT <{user: {id: user as number}, ids: {*: user as string}}> | columns payload:{user: {id: user as number}, ids: {*: user as string}}

INSERT INTO events (kind, payload) VALUES ('a', $1), ('b', '{"ids": []}'), ('c', $2::jsonb) RETURNING payload
-- edited INSERT INTO events (kind, payload) VALUES ('a', $1), ('b', <{user: {id: user as number stored}, ids: {*: user as string stored}}>), ('c', $2::jsonb) RETURNING payload | parameters $1:{user: {id: user as number stored}, ids: {*: user as string stored}}:3802, $2:{user: {id: user as number stored}, ids: {*: user as string stored}}:3802 | columns payload:{user: {id: user as number}, ids: {*: user as string}}

UPDATE events SET payload = jsonb_build_object('user', coalesce('{"id": "x"}', payload -> 'user'), 'ids', payload -> 'ids')
-- edited UPDATE events SET payload = jsonb_build_object('user', coalesce(<{id: user as number stored}>, payload -> 'user'), 'ids', payload -> 'ids') | columns none

UPDATE events SET payload = jsonb_build_object('user', jsonb_build_object('id', CASE WHEN true THEN '"x"' ELSE payload -> 'user' -> 'id' END), 'ids', payload -> 'ids')
-- edited UPDATE events SET payload = jsonb_build_object('user', jsonb_build_object('id', CASE WHEN true THEN <user as number stored> ELSE payload -> 'user' -> 'id' END), 'ids', payload -> 'ids') | columns none

INSERT INTO events (kind, payload) VALUES ('a', jsonb_build_object('user', 1))
-- refused mixed-domains 0A000: JSON with ids in it can't be used together with JSON or text without [jsonb_build_object('user', 1]

UPDATE events SET payload['user'] = '1'
-- edited UPDATE events SET payload['user'] = <{id: user as number stored}> | columns none

INSERT INTO settings (name, value) SELECT 'x', payload -> 'user' ->> 'id' FROM events
-- refused unknown-name 42P01: relation "settings" does not exist [settings]

SELECT coalesce(payload -> 'user' ->> 'id', 'none'), 'u-' || (payload -> 'user' ->> 'id') FROM events
-- edited SELECT coalesce(<key user: payload -> 'user' ->> 'id'>, <user(int8 as text)>::pg_catalog.int8) AS "coalesce", 'u-' || <tag user(int8 as text): (<key user: payload -> 'user' ->> 'id'>)> FROM events | columns coalesce:user(int8 as text), ?column?:tagged

COPY events TO STDOUT
-- edited COPY events ("id", "kind", "actor_id", "participant_ids", "payload", "occurred_at") TO STDOUT | ToClient "events" (id:event, kind, actor_id:user, participant_ids:user[], payload:json, occurred_at) \t null "\\N"

COPY events (id, kind) TO STDOUT
-- same | ToClient "events" (id:event, kind) \t null "\\N"

COPY (SELECT payload FROM events) TO STDOUT
-- same | ToClient "" (payload:json) \t null "\\N"

SELECT x.id FROM events, jsonb_to_record(payload) x(id uuid)
-- refused expression 0A000: pgveil can't apply jsonb_to_record to an id: the database knows only its key [jsonb_to_record]

SELECT e FROM events e
-- same | columns e:(event, -, user, user[], json, -)

SELECT ROW(payload) FROM events
-- same | columns row:(json)

SELECT array_agg(ROW(id, payload -> 'user')) FROM events
-- same | columns array_agg:(event, json)[]

SELECT ROW(payload -> 'title', id) FROM events
-- same | columns row:(-, event)

SELECT payload['ids']['0'] FROM events
-- refused unsupported 0A000: pgveil does not support a subscript here in a statement that names annotated tables [payload]

SELECT payload[0] FROM events
-- refused unsupported 0A000: pgveil does not support a subscript here in a statement that names annotated tables [payload]

SELECT payload['ids'][0] FROM events
-- same | columns payload:user as string

CREATE TEMP TABLE t AS SELECT payload FROM events
-- refused expression 0A000: pgveil can't store text or JSON that is built from ids in column "payload" [CREATE TEMP TABLE t AS SELECT payload FROM events]

CREATE TEMP TABLE t AS SELECT payload -> 'user' AS u FROM events
-- refused expression 0A000: pgveil can't store text or JSON that is built from ids in column "u" [CREATE TEMP TABLE t AS SELECT payload -> 'user' AS u FROM events]

CREATE TEMP TABLE t AS SELECT payload ->> 'title' AS title, id FROM events
-- same | columns none | ddl

CREATE TEMP TABLE t AS SELECT payload -> 'user' ->> 'id' AS u FROM events
-- refused expression 0A000: pgveil can't store text or JSON that is built from ids in column "u" [CREATE TEMP TABLE t AS SELECT payload -> 'user' ->> 'id' AS u FROM events]

EXPLAIN SELECT id FROM events WHERE payload @> '{"user": {"id": "00000000-0000-8000-8000-000000000001"}}'
-- edited EXPLAIN SELECT id FROM events WHERE payload @> <{user: {id: user as number}, ids: {*: user as string}}> | explained Text

EXPLAIN SELECT id FROM events WHERE payload @> $1
-- same | parameters $1:{user: {id: user as number}, ids: {*: user as string}}:3802 | explained Text

EXPLAIN SELECT payload -> 'title' FROM events
-- same | explained Text

EXPLAIN SELECT x.id FROM jsonb_to_recordset('[{"id": "00000000-0000-8000-8000-000000000001"}]') AS x(id uuid) JOIN users u ON u.id = x.id
-- edited EXPLAIN SELECT x.id FROM jsonb_to_recordset(<{*: {id: user}}>) AS x(id pg_catalog.int8) JOIN users u ON u.id = x.id | explained Text

WITH RECURSIVE r AS (SELECT id, payload FROM events UNION ALL SELECT e.id, e.payload FROM events e, r WHERE false) SEARCH DEPTH FIRST BY payload SET o SELECT o FROM r
-- same | columns o:(json)[]

SELECT payload = payload, payload -> 'user' < '{}' FROM events
-- refused expression 0A000: pgveil can't encrypt an id inside the result of < [<]

SELECT jsonb_build_object('a', payload -> 'user' ->> 'id'), concat(payload -> 'user' ->> 'id', '!') FROM events
-- edited SELECT jsonb_build_object('a', <tag user(int8 as text): <key user: payload -> 'user' ->> 'id'>>), concat(<tag user(int8 as text): <key user: payload -> 'user' ->> 'id'>>, '!') FROM events | columns jsonb_build_object:tagged, concat:tagged

SELECT coalesce(payload -> 'user' ->> 'id', kind), pg_typeof(payload -> 'user' ->> 'id') FROM events
-- edited SELECT coalesce(<tag user(int8 as text): <key user: payload -> 'user' ->> 'id'>>, kind), pg_typeof(CASE WHEN (<key user: payload -> 'user' ->> 'id'>) IS NULL THEN NULL::pg_catalog.text END) FROM events | columns coalesce:tagged, pg_typeof

SELECT payload -> 'user' ->> 'id' FROM events UNION ALL SELECT kind FROM events
-- edited SELECT <tag user(int8 as text): <key user: payload -> 'user' ->> 'id'>> AS "?column?" FROM events UNION ALL SELECT kind FROM events | columns ?column?:tagged

SELECT jsonb_object_agg(kind, payload) FROM events
-- same | columns jsonb_object_agg:{others: {user: {id: user as number}, ids: {*: user as string}}}

SELECT coalesce(nullif(array[payload -> 'user'], array[payload -> 'user']), '{7}') FROM events
-- refused unsupported 0A000: pgveil can't find ids in the documents of an array that is one value ['{7}']

SELECT coalesce(array[payload], $1) FROM events
-- refused unsupported 0A000: pgveil can't find ids in the documents of an array that is one value [$1]

SELECT array[payload -> 'user'] <= '{7}' FROM events
-- refused expression 0A000: pgveil can't encrypt an id inside the result of <= [<=]

SELECT payload::text = ANY ('{"{}"}') FROM events
-- refused unsupported 0A000: pgveil can't find ids in the documents of an array that is one value ['{"{}"}']

SELECT CASE WHEN id IS NULL THEN array[payload -> 'user'] ELSE '{5,1}' END FROM events
-- refused unsupported 0A000: pgveil can't find ids in the documents of an array that is one value ['{5,1}']

SELECT row(array[payload], 1) = row('{}', 1) FROM events
-- refused unsupported 0A000: pgveil can't find ids in the documents of an array that is one value ['{}']

UPDATE events SET payload = ('{"{}"}'::jsonb[])[1]
-- refused mixed-domains 0A000: JSON with ids in it can't be used together with JSON or text without ['{"{}"}'::jsonb[])[1]

SELECT array[payload -> 'title'] = '{7}' FROM events
-- same | columns ?column?

SELECT id FROM events ORDER BY row(payload::text)
-- refused expression 0A000: pgveil can't encrypt an id inside the result of ORDER BY [row(payload]

SELECT id FROM events ORDER BY array[payload::text]
-- refused expression 0A000: pgveil can't encrypt an id inside the result of ORDER BY [payload]

SELECT max(array[payload::text]) FROM events
-- refused expression 0A000: pgveil can't encrypt an id inside the result of max [max(array[payload]

SELECT row(a.payload::text) < row(b.payload::text) FROM events a, events b
-- refused expression 0A000: pgveil can't encrypt an id inside the result of < [<]

SELECT rank() OVER (ORDER BY row(1, payload ->> 'user')) FROM events
-- refused expression 0A000: pgveil can't encrypt an id inside the result of ORDER BY [row(1, payload ->> 'user']

