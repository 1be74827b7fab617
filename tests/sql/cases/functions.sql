SELECT user_email($1)
-- same | parameters $1:user:20 | columns user_email

SELECT user_email('00000000-0000-0000-0000-000000000001')
-- edited SELECT user_email(<user>) | columns user_email

SELECT user_email(id), id FROM users
-- same | columns user_email, id:user

SELECT user_email(5)
-- refused uuid-type 42883: function user_email(integer) does not exist [user_email(5]

SELECT user_email(login_count) FROM users
-- refused uuid-type 42883: function user_email(bigint) does not exist [user_email(login_count]

SELECT user_email(uid => $1)
-- same | parameters $1:user:20 | columns user_email

SELECT user_email(user_id) FROM teams, orders
-- same | columns user_email

SELECT user_email(id) FROM orders
-- refused function 0A000: function user_email is defined by the user and its result may hold a key [user_email(id]

SELECT newest_user()
-- same | columns newest_user:user

SELECT name FROM users WHERE id = newest_user()
-- same | columns name

SELECT * FROM newest_user() n
-- same | columns n:user

SELECT n.newest_user FROM newest_user() n(newest_user) JOIN users ON users.id = n.newest_user
-- same | columns newest_user:user

SELECT newest_atomic(5)
-- same | columns newest_atomic:user

SELECT same_user(id), same_user(5) FROM users
-- same | columns same_user:user, same_user

SELECT is_user(5)
-- same | clean

SELECT is_user(id) FROM users
-- refused function 0A000: function is_user is defined by the user and its result may hold a key [is_user(id]

SELECT * FROM users_like('a%')
-- same | columns id:user, email, name, is_active, login_count, auth_subject, created_at

SELECT id, name FROM users_like($1) u WHERE u.id = $2
-- same | parameters $1:-:0, $2:user:20 | columns id:user, name

SELECT users_like('a%')
-- same | columns users_like:(user, -, -, -, -, -, -)

SELECT * FROM users_like((SELECT id::text FROM users LIMIT 1))
-- refused function 0A000: function users_like is defined by the user and its result may hold a key [users_like]

SELECT * FROM totals($1)
-- same | parameters $1:user:20 | columns user_id:user, total

SELECT t.user_id, t.total + 1 FROM users u, LATERAL totals(u.id) t WHERE t.user_id <> $1
-- same | parameters $1:user:20 | columns user_id:user, ?column?

SELECT members($1)
-- same | parameters $1:user[]:1016 | columns members:user

SELECT * FROM members(ARRAY['00000000-0000-0000-0000-000000000001'::uuid]) AS m
-- edited SELECT * FROM members(ARRAY[<user>::pg_catalog.int8]) AS m | columns m:user

SELECT slug(name) FROM users
-- same | columns slug

SELECT slug(id::text) FROM users
-- refused function 0A000: function slug is defined by the user and its result may hold a key [slug(id]

SELECT sly()
-- refused function 0A000: function sly is defined by the user and its result may hold a key [sly]

SELECT as_text()
-- refused function 0A000: function as_text is defined by the user and its result may hold a key [as_text]

SELECT shade(3), id FROM users
-- same | columns shade, id:user

SELECT shade(id) FROM users
-- refused function 0A000: function shade is defined by the user and its result may hold a key [shade(id]

SELECT * FROM report($1, 5)
-- same | parameters $1:user:20 | columns user_id:user, amount

SELECT * FROM orders_of($1, 5)
-- same | parameters $1:user:20 | columns id:order, user_id:user, status, total_cents, note, placed_at

SELECT * FROM orders_of($1)
-- same | parameters $1:user:20 | columns id:order, user_id:user, status, total_cents, note, placed_at

SELECT touch($1)
-- same | parameters $1:user:20 | columns touch

SELECT touch(5)
-- refused uuid-type 42883: function touch(integer) does not exist [touch(5]

SELECT biggest(login_count), biggest(3) FROM users
-- same | columns biggest, biggest

SELECT biggest(id) FROM users
-- refused function 0A000: function biggest is defined by the user and its result may hold a key [biggest(id]

SELECT initcap(name), id FROM users
-- same | columns initcap, id:user

SELECT initcap(id::text) FROM users
-- refused expression 0A000: pgveil can't apply initcap to an id: the database knows only its key [initcap(id]

SELECT plus_one(5)
-- same | clean

SELECT plus_one(id) FROM users
-- refused function 0A000: function plus_one is defined by the user and its result may hold a key [plus_one(id]

SELECT secret_key()
-- refused function 0A000: function secret_key is defined by the user and its result may hold a key [secret_key]

SELECT trace_of($1)
-- same | parameters $1:order stored:20 | columns trace_of:trace(uuid as uuid)

SELECT * FROM report('00000000-0000-0000-0000-000000000001', 5) r WHERE r.user_id = $1
-- edited SELECT * FROM report(<user>, 5) r WHERE r.user_id = $1 | parameters $1:user:20 | columns user_id:user, amount

SELECT * FROM report(5, 5)
-- refused uuid-type 42883: function report(integer, integer) does not exist [report]

SELECT * FROM report(b => 5, a => $1)
-- same | parameters $1:user:20 | columns user_id:user, amount

SELECT * FROM report(o.user_id, o.id) r, orders o
-- refused unknown-name 42P01: missing FROM-clause entry for table "o" [o.user_id]

SELECT trace_of(id) FROM orders
-- same | columns trace_of:trace(uuid as uuid)

SELECT (totals($1)).total
-- same | parameters $1:user:20 | columns total

SELECT t FROM totals($1) t
-- same | parameters $1:user:20 | columns t:(user, -)

SELECT orders_of(least_total => 5, uid => $1)
-- same | parameters $1:user:20 | columns orders_of:(order, user, -, -, -, -)

SELECT id, row_number() OVER () FROM orders_of($1) WITH ORDINALITY
-- same | parameters $1:user:20 | columns id:order, row_number

SELECT make_interval(days => 5), id FROM users
-- same | columns make_interval, id:user

EXPLAIN SELECT * FROM totals($1)
-- edited EXPLAIN SELECT * FROM totals(<mark unestimated user: $1::pg_catalog.int8 END)) | parameters $1:user:20 | explained Text

SELECT * FROM user_email($1) e
-- same | parameters $1:user:20 | columns e

SELECT pg_stat_get_blocks_hit(16384), pg_stat_get_xact_blocks_fetched(16384)
-- refused function 0A000: the result of function pg_stat_get_blocks_hit may hold a key [pg_stat_get_blocks_hit(16384]

