SELECT 1 AS into, id FROM users
-- same | columns into, id:user

SELECT (u).into, id FROM (SELECT 1 AS into, id FROM users) u
-- same | columns into, id:user

COPY (SELECT 1 AS into, id FROM users) TO STDOUT
-- same | ToClient "" (into, id:user) \t null "\\N"

COPY (SELECT 1 AS as INTO x FROM users) TO STDOUT
-- refused unsupported 0A000: pgveil does not support COPY of a statement that makes a table [COPY (SELECT 1 AS as INTO x FROM users) TO STDOUT]

COPY (SELECT id INTO TEMP x FROM users) TO STDOUT
-- refused unsupported 0A000: pgveil does not support COPY of a statement that makes a table [COPY (SELECT id INTO TEMP x FROM users) TO STDOUT]

SELECT 1 AS as INTO TEMP x FROM users
-- same | columns none | ddl

DECLARE c CURSOR FOR SELECT 1 AS into, id FROM users
-- same | columns none

DO $$ BEGIN PERFORM set_config('search_path', 'shop', false); END $$
-- same | clean

DO $$ BEGIN PERFORM set_config('search_path', 'shop', false); END $$; SELECT id FROM users
-- same | clean
-- refused unknown-name 0A000: pgveil does not know which "users" is meant: the search_path has just changed [users]

SET client_encoding = 'SJIS'; COPY (SELECT id FROM users) TO STDOUT
-- same | clean
-- refused unsupported 0A000: pgveil can't translate COPY data in encoding unknown []

SET client_encoding = 'SJIS'; EXPLAIN SELECT id FROM users
-- same | clean
-- refused unsupported 0A000: pgveil does not support EXPLAIN in this client_encoding [EXPLAIN SELECT id FROM users]

SET client_encoding = 'SJIS'; SELECT id FROM users
-- same | clean
-- same | columns id:user

