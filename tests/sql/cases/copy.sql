COPY users TO STDOUT
-- edited COPY users ("id", "email", "name", "is_active", "login_count", "auth_subject", "created_at") TO STDOUT | ToClient "users" (id:user, email, name, is_active, login_count, auth_subject, created_at) \t null "\\N"

COPY users FROM STDIN
-- edited COPY users ("id", "email", "name", "is_active", "login_count", "auth_subject", "created_at") FROM STDIN | FromClient "users" (id:user stored, email, name, is_active, login_count, auth_subject, created_at) \t null "\\N"

COPY public.orders (user_id, status) FROM STDIN BINARY
-- same | FromClient "orders" (user_id:user foreign, status) binary

COPY orders(id, user_id) FROM STDIN WITH (FORMAT csv, HEADER match, NULL 'n', DEFAULT '\D', QUOTE '''', ESCAPE '\', FORCE_NOT_NULL (user_id), ENCODING 'latin1')
-- same | FromClient "orders" (id:order stored, user_id:user foreign not null) , null "n" default "\\D" header csv \' \\

COPY orders (id, user_id, status) TO STDOUT CSV HEADER DELIMITER ';' FORCE QUOTE id, status
-- same | ToClient "orders" (id:order quoted, user_id:user, status quoted) ; null "" header csv \" \"

COPY orders (status) TO STDOUT (format fancy, unheard_of)
-- same | ToClient "orders" (status)

COPY users (name) TO '/tmp/names'
-- same | ToClient "users" (name)

COPY (SELECT id FROM users) TO STDOUT
-- same | ToClient "" (id:user) \t null "\\N"

COPY (SELECT array_agg(id) AS ids, count(*) FROM users WHERE id <> '00000000-0000-8000-8000-000000000001') TO STDOUT (FORMAT binary)
-- edited COPY (SELECT array_agg(id) AS ids, count(*) FROM users WHERE id <> <user>) TO STDOUT (FORMAT binary) | ToClient "" (ids:user[], count) binary

COPY (INSERT INTO orders (user_id) VALUES ('00000000-0000-8000-8000-000000000001') RETURNING id) TO STDOUT
-- edited COPY (INSERT INTO orders (user_id) VALUES (<user stored>) RETURNING id) TO STDOUT | ToClient "" (id:order) \t null "\\N"

COPY (SELECT md5(id::text) FROM users) TO STDOUT
-- refused expression 0A000: pgveil can't apply md5 to an id: the database knows only its key [md5(id]

COPY (SELECT count(*) FROM users) TO '/tmp/count'
-- same | ToClient "" (count)

COPY (SELECT id FROM users) TO PROGRAM 'cat'
-- refused unsupported 0A000: pgveil does not support COPY between annotated tables and files or programs of the server [COPY (SELECT id FROM users) TO PROGRAM 'cat']

COPY (SELECT id FROM users WHERE id = $1) TO STDOUT
-- refused unsupported 42P02: there is no parameter $1 []

COPY orders (id, user_id) FROM STDIN WHERE user_id = '00000000-0000-8000-8000-000000000001' AND status = 'paid'
-- edited COPY orders (id, user_id) FROM STDIN WHERE user_id = <user> AND status = 'paid' | FromClient "orders" (id:order stored, user_id:user foreign) \t null "\\N"

COPY orders FROM STDIN WHERE user_id = 5
-- refused uuid-type 42883: operator does not exist: uuid = integer [=]

COPY orders FROM '/tmp/orders'
-- refused unsupported 0A000: pgveil does not support COPY between annotated tables and files or programs of the server [COPY orders FROM '/tmp/orders']

COPY orders (id, nothing) FROM STDIN
-- refused unknown-name 42703: column "nothing" of relation "orders" does not exist []

COPY orders FROM STDIN (FORMAT csv, ON_ERROR ignore)
-- refused unsupported 0A000: pgveil does not support ON_ERROR other than stop in a COPY with ids [ON_ERROR]

COPY orders FROM STDIN (FORMAT csv, ON_ERROR stop, LOG_VERBOSITY verbose)
-- edited COPY orders ("id", "user_id", "status", "total_cents", "note", "placed_at") FROM STDIN (FORMAT csv, ON_ERROR stop, LOG_VERBOSITY verbose) | FromClient "orders" (id:order stored, user_id:user foreign, status, total_cents, note, placed_at) , null "" csv \" \"

COPY orders FROM STDIN (FORMAT csv, FORMAT csv)
-- refused unparsed 42601: conflicting or redundant options [FORMAT]

COPY orders FROM STDIN (FORMAT xml)
-- refused unparsed 22023: COPY format "xml" not recognized []

COPY orders FROM STDIN (NEW_OPTION 1)
-- refused unparsed 42601: option "new_option" not recognized [NEW_OPTION]

COPY orders FROM STDIN (ENCODING 'sjis')
-- refused unsupported 0A000: pgveil can't translate COPY data in encoding sjis []

COPY orders FROM STDIN (FORMAT binary, ENCODING 'sjis')
-- edited COPY orders ("id", "user_id", "status", "total_cents", "note", "placed_at") FROM STDIN (FORMAT binary, ENCODING 'sjis') | FromClient "orders" (id:order stored, user_id:user foreign, status, total_cents, note, placed_at) binary

COPY orders TO STDOUT (NULL '42')
-- refused unsupported 0A000: pgveil does not support this string for NULL in a COPY with ids: "42" could be a key of column "id" []

COPY orders TO STDOUT (NULL 'null')
-- edited COPY orders ("id", "user_id", "status", "total_cents", "note", "placed_at") TO STDOUT (NULL 'null') | ToClient "orders" (id:order, user_id:user, status, total_cents, note, placed_at) \t null "null"

COPY orders TO STDOUT (FORMAT csv, NULL '42')
-- edited COPY orders ("id", "user_id", "status", "total_cents", "note", "placed_at") TO STDOUT (FORMAT csv, NULL '42') | ToClient "orders" (id:order, user_id:user, status, total_cents, note, placed_at) , null "42" csv \" \"

COPY orders FROM STDIN (NULL '42')
-- edited COPY orders ("id", "user_id", "status", "total_cents", "note", "placed_at") FROM STDIN (NULL '42') | FromClient "orders" (id:order stored, user_id:user foreign, status, total_cents, note, placed_at) \t null "42"

COPY orders FROM STDIN (FORMAT csv, NULL '42', FORCE_NULL (user_id))
-- refused unsupported 0A000: pgveil does not support this string for NULL in a COPY with ids: "42" could be a key of column "user_id" []

COPY orders FROM STDIN (DELIMITER 'ab')
-- refused unparsed 0A000: COPY delimiter must be a single one-byte character []

COPY orders FROM STDIN WITH CSV nonsense
-- refused unparsed 0A000: pgveil does not know the syntax at or near "nonsense" [nonsense]

COPY tags FROM STDIN
-- same | clean

COPY tags FROM STDIN; SELECT id FROM users
-- same | clean
-- same | columns id:user

