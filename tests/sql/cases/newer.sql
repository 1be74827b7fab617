SELECT json_value(payload, '$.title') FROM events
-- refused expression 0A000: pgveil can't encrypt an id inside the result of json_value [json_value(payload, '$.title']

SELECT kind, json_value(kind::jsonb, '$.title' RETURNING int DEFAULT 0 ON EMPTY) FROM events
-- same | columns kind, json_value

SELECT json_query(kind::jsonb, '$.a' WITH WRAPPER) FROM events
-- same | columns json_query

SELECT id FROM events WHERE json_exists(kind::jsonb, '$.a')
-- same | columns id:event

SELECT id FROM events WHERE json_exists(kind::jsonb, '$.a' PASSING 1 AS x ERROR ON ERROR)
-- same | columns id:event

SELECT id, json_array(kind, 1, 2) FROM events
-- same | columns id:event, json_array

SELECT id, json_array(kind NULL ON NULL RETURNING jsonb) FROM events
-- same | columns id:event, json_array

SELECT json_array(id, kind) FROM events
-- edited SELECT json_array(<tag event: id>, kind) FROM events | columns json_array:tagged

SELECT json_arrayagg(kind ORDER BY kind) FROM events
-- same | columns json_arrayagg

SELECT json_arrayagg(id) FROM events
-- edited SELECT json_arrayagg(<tag event: id>) FROM events | columns json_arrayagg:tagged

SELECT json_objectagg(kind: 1) FROM events
-- same | columns json_objectagg

SELECT json_objectagg(kind VALUE id) FROM events
-- edited SELECT json_objectagg(kind VALUE <tag event: id>) FROM events | columns json_objectagg:tagged

SELECT json_objectagg(kind VALUE 1) FROM events
-- same | columns json_objectagg

SELECT json_objectagg(kind: id) FROM events
-- edited SELECT json_objectagg(kind: <tag event: id>) FROM events | columns json_objectagg:tagged

SELECT json_object('kind': kind, 'n': 1) FROM events
-- same | columns json_object

SELECT json_object('kind' VALUE kind) FROM events
-- same | columns json_object

SELECT json_object('id': id) FROM events
-- edited SELECT json_object('id': <tag event: id>) FROM events | columns json_object:tagged

SELECT json_scalar(kind) FROM events
-- same | columns json_scalar

SELECT json_scalar(id) FROM events
-- refused expression 0A000: pgveil can't encrypt an id inside the result of json_scalar [json_scalar(id]

SELECT json(kind) FROM events
-- same | columns json

SELECT json_serialize(kind::json RETURNING text) FROM events
-- same | columns json_serialize

SELECT id FROM events WHERE kind IS JSON
-- same | columns id:event

SELECT id FROM events WHERE kind IS JSON OBJECT WITH UNIQUE KEYS
-- same | columns id:event

SELECT id IS JSON FROM events
-- refused expression 0A000: pgveil can't encrypt the result of this expression over an id [id]

SELECT id, j.a FROM events, JSON_TABLE(kind::jsonb, '$[*]' COLUMNS (a int PATH '$.a')) AS j
-- same | columns id:event, a

SELECT j.* FROM events, JSON_TABLE(payload, '$[*]' COLUMNS (a int PATH '$.a', NESTED PATH '$.b' COLUMNS (c text))) j
-- refused expression 0A000: pgveil can't encrypt an id inside the result of json_table [JSON_TABLE]

UPDATE users SET name = 'x' RETURNING old.name, new.name
-- same | columns name, name

UPDATE users SET name = 'x' RETURNING old.id, new.id
-- same | columns id:user, id:user

INSERT INTO users (name) VALUES ('x') RETURNING new.id
-- same | columns id:user

DELETE FROM users RETURNING old.*
-- same | columns id:user, email, name, is_active, login_count, auth_subject, created_at

UPDATE users SET name = 'x' RETURNING WITH (OLD AS o, NEW AS n) o.name, n.id
-- same | columns name, id:user

SELECT uuid_extract_timestamp(id) FROM events
-- refused unknown-name 42883: function uuid_extract_timestamp(uuid) does not exist [uuid_extract_timestamp(id]

SELECT uuid_extract_version(kind::uuid) FROM events
-- refused unknown-name 42883: function uuid_extract_version(uuid) does not exist [uuid_extract_version(kind]

MERGE INTO users u USING teams t ON t.id = u.id WHEN MATCHED THEN DELETE RETURNING merge_action(), u.id
-- refused mixed-domains 0A000: ids of "team" and of "user" can't be used in one place [=]

SELECT any_value(id), any_value(kind) FROM events
-- refused unknown-name 42883: function any_value(uuid) does not exist [any_value(id]

SELECT random(1, 10), kind FROM events
-- same | columns random, kind

SELECT json_object(id: 1) FROM events
-- edited SELECT json_object(<tag event: id>: 1) FROM events | columns json_object:tagged

SELECT json_objectagg(id: kind) FROM events
-- edited SELECT json_objectagg(<tag event: id>: kind) FROM events | columns json_objectagg:tagged

SELECT * FROM events, json_object(id: kind) o
-- refused unsupported 0A000: pgveil does not support this form of argument in a statement that names annotated tables [json_object]

SELECT json_value(kind, '$' RETURNING uuid) FROM events
-- same | columns json_value

SELECT id FROM events WHERE id = json_value(kind, '$' RETURNING uuid)
-- refused mixed-domains 0A000: an id of "event" can't be used together with a value that is no id [=]

SELECT json_query(payload, '$.user.id') FROM events
-- refused expression 0A000: pgveil can't encrypt an id inside the result of json_query [json_query(payload, '$.user.id']

SELECT json_scalar(payload ->> 'title') FROM events
-- same | columns json_scalar

UPDATE events SET payload = '{}' RETURNING old.payload, new.payload -> 'user' ->> 'id', old.kind
-- edited UPDATE events SET payload = <{user: {id: user as number stored}, ids: {*: user as string stored}}> RETURNING old.payload, <key user: new.payload -> 'user' ->> 'id'> AS "?column?", old.kind | columns payload:{user: {id: user as number}, ids: {*: user as string}}, ?column?:user(int8 as text), kind

UPDATE users old SET name = 'x' RETURNING old.id, new.name
-- same | columns id:user, name

INSERT INTO users (name) VALUES ('x') RETURNING *, old.id IS NULL
-- same | columns id:user, email, name, is_active, login_count, auth_subject, created_at, ?column?

