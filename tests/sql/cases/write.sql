INSERT INTO orders (user_id, status) VALUES ($1, $2) RETURNING id, user_id
-- same | parameters $1:user stored:20, $2:-:0 | columns id:order, user_id:user

INSERT INTO orders (user_id) VALUES ('0190a3b4-0000-8000-8000-000000000001'), ($1), (DEFAULT) RETURNING *
-- edited INSERT INTO orders (user_id) VALUES (<user stored>), ($1), (DEFAULT) RETURNING * | parameters $1:user stored:20 | columns id:order, user_id:user, status, total_cents, note, placed_at

INSERT INTO users VALUES (DEFAULT, 'a', 'b')
-- same | columns none

INSERT INTO orders (user_id) SELECT id FROM users WHERE id = $1
-- same | parameters $1:user:20 | columns none

INSERT INTO orders (user_id) SELECT '0190a3b4-0000-8000-8000-000000000001'
-- edited INSERT INTO orders (user_id) SELECT <user stored> | columns none

INSERT INTO orders (user_id, total_cents) VALUES (5, 1)
-- refused uuid-type 42804: column "user_id" is of type uuid but expression is of type integer [5]

INSERT INTO orders (user_id, total_cents) SELECT id, id FROM users
-- refused uuid-type 42804: column "total_cents" is of type bigint but expression is of type uuid []

INSERT INTO users (id, email, name) VALUES (gen_random_uuid(), 'a', 'b')
-- edited INSERT INTO users (id, email, name) VALUES (DEFAULT, 'a', 'b') | columns none

INSERT INTO memberships (team_id, user_id) VALUES ($1, $2) ON CONFLICT (team_id, user_id) DO UPDATE SET role = excluded.role WHERE memberships.user_id = $3 RETURNING *
-- same | parameters $1:team stored:20, $2:user stored:20, $3:user:20 | columns team_id:team, user_id:user, role, created_at

INSERT INTO audit_log (table_name, record_id, actor_id, action) VALUES ('users', 1, $1, 'x')
-- same | parameters $1:user stored:20 | columns none

UPDATE orders SET user_id = $1 WHERE id = $2 RETURNING *
-- same | parameters $1:user stored:20, $2:order:20 | columns id:order, user_id:user, status, total_cents, note, placed_at

UPDATE orders SET user_id = COALESCE($1, user_id), status = $3 WHERE id = $2
-- same | parameters $1:user stored:20, $2:order:20, $3:-:0 | columns none

UPDATE orders o SET status = v.status FROM (VALUES ($1::uuid, 'x'), ($2::uuid, 'y')) AS v(id, status) WHERE o.id = v.id
-- edited UPDATE orders o SET status = v.status FROM (VALUES ($1::pg_catalog.int8, 'x'), ($2::pg_catalog.int8, 'y')) AS v(id, status) WHERE o.id = v.id | parameters $1:order:20, $2:order:20 | columns none

UPDATE orders SET (user_id, status) = ($1, $2) WHERE id = $3
-- same | parameters $1:user stored:20, $2:-:0, $3:order:20 | columns none

UPDATE orders SET note = id WHERE id = $1
-- refused expression 0A000: pgveil can't store an id as text in column "note" [id]

UPDATE orders SET user_id = id
-- refused mixed-domains 0A000: ids of "order" and of "user" can't be used in one place [id]

UPDATE events SET participant_ids = participant_ids || $1::uuid, actor_id = $1 WHERE id = $2
-- edited UPDATE events SET participant_ids = participant_ids || $1::pg_catalog.int8, actor_id = $1 WHERE id = $2 | parameters $1:user stored:20, $2:event:20 | columns none

UPDATE events SET participant_ids = array_append(participant_ids, $1) WHERE id = $2
-- same | parameters $1:user stored:20, $2:event:20 | columns none

DELETE FROM orders WHERE id = $1 RETURNING id
-- same | parameters $1:order:20 | columns id:order

DELETE FROM orders o USING users u WHERE o.user_id = u.id AND u.email = $1
-- same | columns none

WITH d AS (DELETE FROM orders WHERE user_id = $1 RETURNING id, user_id) SELECT * FROM d
-- same | parameters $1:user:20 | columns id:order, user_id:user

COPY users TO STDOUT
-- edited COPY users ("id", "email", "name", "is_active", "login_count", "auth_subject", "created_at") TO STDOUT | ToClient "users" (id:user, email, name, is_active, login_count, auth_subject, created_at) \t null "\\N"

COPY (SELECT id FROM users) TO STDOUT
-- same | ToClient "" (id:user) \t null "\\N"

COPY tags FROM STDIN
-- same | clean

EXPLAIN SELECT * FROM users
-- same | explained Text

EXPLAIN (ANALYZE, FORMAT json) SELECT * FROM tags
-- same | explained Json

DO $$ BEGIN PERFORM id FROM users; END $$
-- refused unsupported 0A000: pgveil does not support DO blocks that name annotated tables [DO $$ BEGIN PERFORM id FROM users; END $$]

DO $$ BEGIN PERFORM 1; END $$
-- same | clean

PREPARE p AS SELECT * FROM users
-- same | columns none

DECLARE c CURSOR FOR SELECT * FROM tags
-- same | clean

CREATE TABLE copy AS SELECT id FROM users
-- refused unsupported 0A000: column "id" of the new table "copy" would hold ids of "user", and nothing tells so [CREATE TABLE copy AS SELECT id FROM users]

CREATE TEMP TABLE t (id int)
-- same | clean | ddl

ALTER TABLE users RENAME TO people
-- refused unsupported 0A000: pgveil does not support this change of an annotated table [ALTER TABLE users RENAME TO people]

ALTER TABLE users ADD COLUMN x int
-- same | clean | ddl

SELECT id INTO copy FROM users
-- refused unsupported 0A000: column "id" of the new table "copy" would hold ids of "user", and nothing tells so [SELECT id INTO copy FROM users]

MERGE INTO orders o USING users u ON o.user_id = u.id WHEN MATCHED THEN DELETE
-- same | columns none

SET search_path TO other, public
-- same | clean

DROP TABLE users
-- same | clean | ddl

FETCH ALL FROM c
-- same | clean

TRUNCATE users
-- same | clean

