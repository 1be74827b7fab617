PREPARE q AS SELECT id, name FROM users WHERE id = $1
-- edited PREPARE q (pg_catalog.int8) AS SELECT id, name FROM users WHERE id = $1 | columns none

PREPARE q (uuid) AS SELECT id, name FROM users WHERE id = $1
-- edited PREPARE q (pg_catalog.int8) AS SELECT id, name FROM users WHERE id = $1 | columns none

PREPARE q (text, uuid[], uuid) AS SELECT id FROM users WHERE name = $1 AND id = ANY($2) AND id <> $3
-- edited PREPARE q (text, pg_catalog.int8[], pg_catalog.int8) AS SELECT id FROM users WHERE name = $1 AND id = ANY($2) AND id <> $3 | columns none

PREPARE q (int) AS SELECT id FROM users WHERE login_count > $1 AND id = $2
-- edited PREPARE q (int, pg_catalog.int8) AS SELECT id FROM users WHERE login_count > $1 AND id = $2 | columns none

PREPARE q AS INSERT INTO orders (user_id) VALUES ($1) RETURNING id
-- edited PREPARE q (pg_catalog.int8) AS INSERT INTO orders (user_id) VALUES ($1) RETURNING id | columns none

PREPARE q AS SELECT id FROM users WHERE id = '0190a3b4-0000-8000-8000-000000000001'
-- edited PREPARE q AS SELECT id FROM users WHERE id = <user> | columns none

PREPARE q (varchar(20)) AS SELECT id FROM users WHERE id = $1
-- refused uuid-type 42883: operator does not exist: uuid = character varying [=]

PREPARE q AS SELECT $1::uuid, id FROM users WHERE id = $1
-- refused unsupported 0A000: pgveil does not support PREPARE of a statement that uses one parameter both as an id and otherwise [PREPARE q AS SELECT $1::uuid, id FROM users WHERE id = $1]

PREPARE q (int) AS SELECT $1 + 1
-- same | clean

PREPARE q AS SELECT md5(id::text) FROM users
-- refused expression 0A000: pgveil can't apply md5 to an id: the database knows only its key [md5(id]

EXECUTE q
-- same | clean

EXECUTE q('0190a3b4-0000-8000-8000-000000000001', 5, NULL)
-- same | clean

EXECUTE q(currval('users_id_seq'))
-- refused function 0A000: the result of function currval may hold a key [currval('users_id_seq']

EXECUTE q(newest_user())
-- refused unsupported 0A000: pgveil does not support this argument of EXECUTE [EXECUTE q(newest_user())]

DEALLOCATE q
-- same | clean

DECLARE c CURSOR FOR SELECT id, name FROM users WHERE id > '0190a3b4-0000-8000-8000-000000000001'
-- edited DECLARE c CURSOR FOR SELECT id, name FROM users WHERE id > <user bound> | columns none

DECLARE "My Cursor" NO SCROLL CURSOR WITH HOLD FOR SELECT id FROM users WHERE id = $1 FOR UPDATE
-- same | parameters $1:user:20 | columns none

DECLARE c SCROLL CURSOR WITHOUT HOLD FOR SELECT 1
-- same | clean

DECLARE c CURSOR FOR SELECT md5(id::text) FROM users
-- refused expression 0A000: pgveil can't apply md5 to an id: the database knows only its key [md5(id]

FETCH FORWARD 5 FROM "My Cursor"
-- same | clean

FETCH ALL c
-- same | clean

MOVE 5 IN c
-- same | clean

CLOSE c
-- same | clean

UPDATE users SET name = 'x' WHERE CURRENT OF c
-- same | columns none

DECLARE c CURSOR FOR CREATE TABLE made ()
-- refused unparsed 42601: syntax error at or near "CREATE" [CREATE TABLE made ()]

PREPARE q AS SHOW search_path
-- same | clean

PREPARE q AS SELECT id INTO made FROM users
-- refused unsupported 0A000: column "id" of the new table "made" would hold ids of "user", and nothing tells so [SELECT id INTO made FROM users]

SELECT id, 1500::numeric(2, -3) FROM users
-- same | columns id:user, numeric

