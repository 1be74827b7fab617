CREATE TEMP TABLE x AS SELECT id, name FROM users WHERE id = '0190a3b4-0000-8000-8000-000000000001'
-- edited CREATE TEMP TABLE x AS SELECT id, name FROM users WHERE id = <user> | columns none | ddl

CREATE TEMP TABLE x AS SELECT count(*) FROM users
-- same | columns none | ddl

CREATE TABLE x AS SELECT name, count(*) AS n FROM users GROUP BY name
-- same | columns none | ddl

CREATE TABLE x AS SELECT u.id AS user_id, o.id FROM users u JOIN orders o ON o.user_id = u.id
-- refused unsupported 0A000: column "user_id" of the new table "x" would hold ids of "user", and nothing tells so [CREATE TABLE x AS SELECT u.id AS user_id, o.id FROM users u JOIN orders o ON o.user_id = u.id]

CREATE TEMP TABLE IF NOT EXISTS pg_temp.x (a, b) WITH (fillfactor = 70) ON COMMIT DROP AS (SELECT id, $1 FROM users) WITH NO DATA
-- same | columns none | ddl

CREATE TABLE pg_temp.x AS TABLE users
-- same | columns none | ddl

CREATE TEMP TABLE x AS VALUES (1)
-- same | clean | ddl

CREATE TEMP TABLE x AS SELECT id::text FROM users
-- refused expression 0A000: pgveil can't store text or JSON that is built from ids in column "id" [CREATE TEMP TABLE x AS SELECT id::text FROM users]

CREATE TEMP TABLE x AS SELECT 'a' || id FROM users
-- refused expression 0A000: pgveil can't store text or JSON that is built from ids in column "?column?" [SELECT 'a' || id FROM users]

CREATE TEMP TABLE x AS SELECT to_jsonb(u) FROM users u
-- refused expression 0A000: pgveil can't store text or JSON that is built from ids in column "to_jsonb" [SELECT to_jsonb(u) FROM users u]

CREATE TEMP TABLE x AS SELECT md5(id::text) FROM users
-- refused expression 0A000: pgveil can't apply md5 to an id: the database knows only its key [md5(id]

CREATE TEMP TABLE x AS EXECUTE p
-- refused unsupported 0A000: pgveil does not support CREATE TABLE AS EXECUTE [CREATE TEMP TABLE x AS EXECUTE p]

CREATE TEMP TABLE x AS SELECT * FROM nowhere
-- same | clean | ddl

CREATE TEMP TABLE x (LIKE orders INCLUDING ALL, n int)
-- refused unsupported 0A000: pgveil does not support a temporary table whose ids are counted anew [CREATE TEMP TABLE x (LIKE orders INCLUDING ALL, n int)]

CREATE TEMP TABLE x (LIKE orders INCLUDING ALL EXCLUDING IDENTITY, n int)
-- same | clean | ddl

CREATE TEMP TABLE x (id uuid, n int)
-- same | clean | ddl

CREATE TABLE x (LIKE orders)
-- same | clean | ddl

SELECT id, name INTO TEMP x FROM users WHERE id = '0190a3b4-0000-8000-8000-000000000001'
-- edited SELECT id, name INTO TEMP x FROM users WHERE id = <user> | columns none | ddl

SELECT id INTO UNLOGGED TABLE x FROM users
-- refused unsupported 0A000: column "id" of the new table "x" would hold ids of "user", and nothing tells so [SELECT id INTO UNLOGGED TABLE x FROM users]

SELECT count(*) INTO x FROM users
-- same | columns none | ddl

SELECT id INTO temp FROM users
-- refused unsupported 0A000: column "id" of the new table "temp" would hold ids of "user", and nothing tells so [SELECT id INTO temp FROM users]

WITH w AS (SELECT id FROM users) SELECT id INTO TEMP x FROM w
-- same | columns none | ddl

WITH w AS (SELECT id FROM users) INSERT INTO orders (user_id) SELECT id FROM w
-- same | columns none

CREATE TEMP TABLE x AS SELECT id FROM users; SELECT * FROM x
-- same | columns none | ddl
-- refused unknown-name 0A000: pgveil has not seen yet what the statements before this one have defined [SELECT * FROM x]

BEGIN; CREATE TEMP TABLE x AS SELECT id FROM users; COMMIT
-- same | clean
-- same | columns none | ddl
-- same | clean

CREATE TEMP TABLE x AS SELECT id FROM users; CREATE TEMP TABLE y AS SELECT id FROM users
-- same | columns none | ddl
-- refused unknown-name 0A000: pgveil has not seen yet what the statements before this one have defined [CREATE TEMP TABLE y AS SELECT id FROM users]

CREATE TEMP TABLE x (LIKE users); CREATE TEMP TABLE y (LIKE orders)
-- same | clean | ddl
-- same | clean | ddl

EXPLAIN CREATE TEMP TABLE x AS SELECT id FROM users
-- refused unsupported 0A000: pgveil does not support EXPLAIN of this kind of statement over annotated tables [EXPLAIN CREATE TEMP TABLE x AS SELECT id FROM users]

WITH RECURSIVE t AS (SELECT id, 1 AS n FROM users UNION ALL SELECT id, n + 1 FROM t) SEARCH DEPTH FIRST BY id SET path SELECT id, n FROM t ORDER BY path
-- same | columns id:user, n

WITH RECURSIVE t AS (SELECT id, 1 AS n FROM users UNION ALL SELECT id, n + 1 FROM t) SEARCH BREADTH FIRST BY id, n SET path SELECT path FROM t
-- same | columns path:(-, user, -)

WITH RECURSIVE t AS (SELECT id, 1 AS n FROM users UNION ALL SELECT id, n + 1 FROM t) CYCLE id SET seen USING path SELECT id, seen FROM t
-- same | columns id:user, seen

WITH RECURSIVE t AS (SELECT id, 1 AS n FROM users UNION ALL SELECT id, n + 1 FROM t) CYCLE id SET seen TO 'y' DEFAULT 'n' USING path SELECT * FROM t
-- same | columns id:user, n, seen, path:(user)[]

WITH RECURSIVE t AS (SELECT id, 1 AS n FROM users UNION ALL SELECT id, n + 1 FROM t) CYCLE other SET seen USING path SELECT id, seen FROM t
-- refused unsupported 0A000: pgveil does not support this column of SEARCH or CYCLE in a statement that names annotated tables [CYCLE]

WITH RECURSIVE t AS (SELECT id, 1 AS n FROM users UNION ALL SELECT id, n + 1 FROM t) CYCLE id SET seen TO $1 DEFAULT 'n' USING path SELECT id, seen FROM t
-- refused unparsed 0A000: pgveil does not know the syntax at or near "CYCLE" [CYCLE]

EXPLAIN ANALYZE SELECT id INTO TEMP x FROM users
-- refused unsupported 0A000: pgveil does not support EXPLAIN of this kind of statement over annotated tables [EXPLAIN ANALYZE SELECT id INTO TEMP x FROM users]

CREATE TABLE zy (a int); SELECT * FROM zy
-- same | clean | ddl
-- refused unknown-name 0A000: pgveil has not seen this yet: relation "zy" does not exist [zy]

CREATE TABLE zy (a int); COPY zy TO STDOUT
-- same | clean | ddl
-- refused unknown-name 0A000: pgveil has not seen this yet: relation "zy" does not exist [COPY zy TO STDOUT]

CREATE TABLE zy (a int); SELECT zy.a, id FROM users, zy
-- same | clean | ddl
-- refused unknown-name 0A000: pgveil has not seen this yet: relation "zy" does not exist [zy]

CREATE FUNCTION fy(uuid) RETURNS int LANGUAGE sql AS 'SELECT 1'; SELECT fy(id) FROM users
-- same | clean | ddl
-- refused unknown-name 0A000: pgveil has not seen this yet: function fy(uuid) does not exist [fy(id]

ALTER TABLE users ADD COLUMN zy int; SELECT zy FROM users
-- same | clean | ddl
-- refused unknown-name 0A000: pgveil has not seen this yet: column "zy" does not exist [zy]

CREATE TABLE zy (a int); INSERT INTO zy VALUES (1)
-- same | clean | ddl
-- same | clean

