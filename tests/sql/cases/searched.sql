SELECT name FROM users WHERE UPPER("users"."id"::text) LIKE UPPER('%A2020e46-17f6-4475-9fb8-a3a8a91b8b98%')
-- edited SELECT name FROM users WHERE ("users"."id"::pg_catalog.int8) OPERATOR(pg_catalog.=) (<user(int8 as text)>::pg_catalog.int8) | columns name

SELECT name FROM users WHERE UPPER("users"."id"::text) LIKE UPPER($1)
-- edited SELECT name FROM users WHERE ("users"."id"::pg_catalog.int8) OPERATOR(pg_catalog.=) ($1) | parameters $1:user(int8 as text):20 shown 25 | columns name

SELECT name FROM users WHERE id::text NOT LIKE 'ann'
-- edited SELECT name FROM users WHERE id::pg_catalog.int8 OPERATOR(pg_catalog.<>) <user(int8 as text)>::pg_catalog.int8 | columns name

SELECT name FROM users WHERE id::text ILIKE '%' || $1 || '%' ESCAPE '' OR name ILIKE '%' || $1 || '%'
-- edited SELECT name FROM users WHERE id::pg_catalog.int8 OPERATOR(pg_catalog.=) $1  OR name ILIKE '%' || $2 || '%' | parameters $1:user(int8 as text):20 shown 25, $1:-:25 | columns name

SELECT name FROM users WHERE id::text LIKE 'a2020e46%'
-- refused expression 0A000: pgveil can't search for a part of an id: the database knows only its key ['a2020e46%']

SELECT name FROM users WHERE id::text LIKE $1 ESCAPE $2
-- refused expression 0A000: pgveil can't apply LIKE to an id: the database knows only its key [LIKE]

SELECT name FROM users WHERE id::text LIKE name
-- refused expression 0A000: pgveil can't apply LIKE to an id: the database knows only its key [LIKE]

SELECT name FROM users WHERE id::text LIKE ANY ($1)
-- refused expression 0A000: pgveil can't apply LIKE to an id: the database knows only its key [LIKE]

SELECT name FROM users WHERE id::text ~~ $1 OR CAST(id AS text) !~~* $1
-- edited SELECT name FROM users WHERE id::pg_catalog.int8 OPERATOR(pg_catalog.=) $1 OR CAST(id AS pg_catalog.int8) OPERATOR(pg_catalog.<>) $2 | parameters $1:user(int8 as text):20 shown 25, $1:user(int8 as text):20 shown 25 | columns name

SELECT name FROM users WHERE id LIKE $1
-- refused uuid-type 42883: operator does not exist: uuid ~~ unknown [LIKE]

SELECT u.id FROM users u JOIN (SELECT relname AS email FROM pg_class) c USING (email)
-- same | columns id:user

SELECT u.id FROM pg_class c JOIN (SELECT id, email AS relname FROM users) u USING (relname)
-- same | columns id:user

SELECT u.id FROM pg_class c JOIN (SELECT id AS oid FROM users) u USING (oid)
-- refused mixed-domains 0A000: an id of "user" can't be used together with a value that is no id [SELECT id AS oid FROM users) u USING (oid]

