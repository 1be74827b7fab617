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

SELECT 'trace_of(uuid)'::regprocedure::oid
-- edited SELECT (SELECT CASE WHEN f.o IS NOT NULL THEN f.o::pg_catalog.regprocedure WHEN pg_catalog.to_regprocedure(v.t)::pg_catalog.oid OPERATOR(pg_catalog.=) ANY ('{16422,16434}'::pg_catalog._oid) THEN (pg_catalog.rtrim(v.t, ' )') OPERATOR(pg_catalog.||) ', unknown)')::pg_catalog.regprocedure ELSE v.t::pg_catalog.regprocedure END AS to_regprocedure FROM (SELECT ('trace_of(uuid)')::pg_catalog.text AS t) AS v LEFT JOIN LATERAL (SELECT r.oid AS o FROM (SELECT p.*, pg_catalog.split_part(v.t, '(', 1) AS named, n.nspname FROM pg_catalog.pg_proc p JOIN pg_catalog.pg_namespace n ON n.oid OPERATOR(pg_catalog.=) p.pronamespace WHERE p.oid OPERATOR(pg_catalog.=) ANY ('{16422,16434}'::pg_catalog._oid) OFFSET 0) r WHERE CASE WHEN pg_catalog.btrim(CASE WHEN pg_catalog.strpos(r.named, '"') OPERATOR(pg_catalog.=) 0 THEN pg_catalog.lower(r.named) ELSE r.named END) OPERATOR(pg_catalog.=) ANY (ARRAY[CASE WHEN pg_catalog.pg_function_is_visible(r.oid) THEN pg_catalog.quote_ident(r.proname) END, pg_catalog.quote_ident(r.nspname) OPERATOR(pg_catalog.||) '.' OPERATOR(pg_catalog.||) pg_catalog.quote_ident(r.proname)]) AND pg_catalog.strpos(v.t, '(') OPERATOR(pg_catalog.>) 0 THEN ARRAY(SELECT pg_catalog.to_regtype(pg_catalog.btrim(w.w))::pg_catalog.oid FROM pg_catalog.unnest(pg_catalog.string_to_array(NULLIF(pg_catalog.btrim(pg_catalog.rtrim(pg_catalog.substr(v.t, pg_catalog.strpos(v.t, '(') OPERATOR(pg_catalog.+) 1), ' )')), ''), ',')) WITH ORDINALITY w(w, k) ORDER BY w.k) OPERATOR(pg_catalog.=) ARRAY(SELECT COALESCE(CASE WHEN r.oid::pg_catalog.int8 OPERATOR(pg_catalog.*) 131072 OPERATOR(pg_catalog.+) (k.k OPERATOR(pg_catalog.+) 1) OPERATOR(pg_catalog.=) ANY ('{2152464385,2154037249,2154102785}'::pg_catalog._int8) THEN '2950'::pg_catalog.oid END, k.t) FROM (SELECT u.t, (u.k OPERATOR(pg_catalog.-) 1)::pg_catalog.int4 AS k FROM pg_catalog.unnest(r.proargtypes::pg_catalog._oid) WITH ORDINALITY u(t, k)) k ORDER BY k.k) ELSE false END LIMIT 1) f ON true)::regprocedure::oid AS "oid" | clean

SELECT 'user_email(bigint)'::regprocedure, 'lower(text)'::regprocedure::text
-- same | clean

SELECT 'user_email(bigint)'::regprocedure::text
-- same | clean

SELECT p.oid::regprocedure FROM pg_class p
-- refused unsupported 0A000: a function is shown by its signature, which clients see otherwise []

SELECT array_agg(p.oid::regprocedure) FROM pg_class p
-- refused unsupported 0A000: a function is shown by its signature, which clients see otherwise [array_agg(p.oid]

SELECT $1::regprocedure::oid
-- refused unsupported 0A000: pgveil can't say of which function this is the signature [$1]

SELECT regprocedure 'trace_of(uuid)'
-- refused unsupported 0A000: pgveil can't say of which function this is the signature ['trace_of(uuid)']

SELECT p.relname FROM pg_class p WHERE p.oid = to_regprocedure($1)
-- edited SELECT p.relname FROM pg_class p WHERE p.oid = (SELECT CASE WHEN f.o IS NOT NULL THEN f.o::pg_catalog.regprocedure WHEN pg_catalog.to_regprocedure(v.t)::pg_catalog.oid OPERATOR(pg_catalog.=) ANY ('{16422,16434}'::pg_catalog._oid) THEN NULL ELSE pg_catalog.to_regprocedure(v.t) END AS to_regprocedure FROM (SELECT ($1)::pg_catalog.text AS t) AS v LEFT JOIN LATERAL (SELECT r.oid AS o FROM (SELECT p.*, pg_catalog.split_part(v.t, '(', 1) AS named, n.nspname FROM pg_catalog.pg_proc p JOIN pg_catalog.pg_namespace n ON n.oid OPERATOR(pg_catalog.=) p.pronamespace WHERE p.oid OPERATOR(pg_catalog.=) ANY ('{16422,16434}'::pg_catalog._oid) OFFSET 0) r WHERE CASE WHEN pg_catalog.btrim(CASE WHEN pg_catalog.strpos(r.named, '"') OPERATOR(pg_catalog.=) 0 THEN pg_catalog.lower(r.named) ELSE r.named END) OPERATOR(pg_catalog.=) ANY (ARRAY[CASE WHEN pg_catalog.pg_function_is_visible(r.oid) THEN pg_catalog.quote_ident(r.proname) END, pg_catalog.quote_ident(r.nspname) OPERATOR(pg_catalog.||) '.' OPERATOR(pg_catalog.||) pg_catalog.quote_ident(r.proname)]) AND pg_catalog.strpos(v.t, '(') OPERATOR(pg_catalog.>) 0 THEN ARRAY(SELECT pg_catalog.to_regtype(pg_catalog.btrim(w.w))::pg_catalog.oid FROM pg_catalog.unnest(pg_catalog.string_to_array(NULLIF(pg_catalog.btrim(pg_catalog.rtrim(pg_catalog.substr(v.t, pg_catalog.strpos(v.t, '(') OPERATOR(pg_catalog.+) 1), ' )')), ''), ',')) WITH ORDINALITY w(w, k) ORDER BY w.k) OPERATOR(pg_catalog.=) ARRAY(SELECT COALESCE(CASE WHEN r.oid::pg_catalog.int8 OPERATOR(pg_catalog.*) 131072 OPERATOR(pg_catalog.+) (k.k OPERATOR(pg_catalog.+) 1) OPERATOR(pg_catalog.=) ANY ('{2152464385,2154037249,2154102785}'::pg_catalog._int8) THEN '2950'::pg_catalog.oid END, k.t) FROM (SELECT u.t, (u.k OPERATOR(pg_catalog.-) 1)::pg_catalog.int4 AS k FROM pg_catalog.unnest(r.proargtypes::pg_catalog._oid) WITH ORDINALITY u(t, k)) k ORDER BY k.k) ELSE false END LIMIT 1) f ON true) | clean

SELECT has_function_privilege('report(uuid, bigint)', 'execute'), has_function_privilege('lower(text)', 'execute')
-- edited SELECT has_function_privilege((SELECT CASE WHEN f.o IS NOT NULL THEN f.o::pg_catalog.regprocedure WHEN pg_catalog.to_regprocedure(v.t)::pg_catalog.oid OPERATOR(pg_catalog.=) ANY ('{16422,16434}'::pg_catalog._oid) THEN (pg_catalog.rtrim(v.t, ' )') OPERATOR(pg_catalog.||) ', unknown)')::pg_catalog.regprocedure ELSE v.t::pg_catalog.regprocedure END AS to_regprocedure FROM (SELECT ('report(uuid, bigint)')::pg_catalog.text AS t) AS v LEFT JOIN LATERAL (SELECT r.oid AS o FROM (SELECT p.*, pg_catalog.split_part(v.t, '(', 1) AS named, n.nspname FROM pg_catalog.pg_proc p JOIN pg_catalog.pg_namespace n ON n.oid OPERATOR(pg_catalog.=) p.pronamespace WHERE p.oid OPERATOR(pg_catalog.=) ANY ('{16422,16434}'::pg_catalog._oid) OFFSET 0) r WHERE CASE WHEN pg_catalog.btrim(CASE WHEN pg_catalog.strpos(r.named, '"') OPERATOR(pg_catalog.=) 0 THEN pg_catalog.lower(r.named) ELSE r.named END) OPERATOR(pg_catalog.=) ANY (ARRAY[CASE WHEN pg_catalog.pg_function_is_visible(r.oid) THEN pg_catalog.quote_ident(r.proname) END, pg_catalog.quote_ident(r.nspname) OPERATOR(pg_catalog.||) '.' OPERATOR(pg_catalog.||) pg_catalog.quote_ident(r.proname)]) AND pg_catalog.strpos(v.t, '(') OPERATOR(pg_catalog.>) 0 THEN ARRAY(SELECT pg_catalog.to_regtype(pg_catalog.btrim(w.w))::pg_catalog.oid FROM pg_catalog.unnest(pg_catalog.string_to_array(NULLIF(pg_catalog.btrim(pg_catalog.rtrim(pg_catalog.substr(v.t, pg_catalog.strpos(v.t, '(') OPERATOR(pg_catalog.+) 1), ' )')), ''), ',')) WITH ORDINALITY w(w, k) ORDER BY w.k) OPERATOR(pg_catalog.=) ARRAY(SELECT COALESCE(CASE WHEN r.oid::pg_catalog.int8 OPERATOR(pg_catalog.*) 131072 OPERATOR(pg_catalog.+) (k.k OPERATOR(pg_catalog.+) 1) OPERATOR(pg_catalog.=) ANY ('{2152464385,2154037249,2154102785}'::pg_catalog._int8) THEN '2950'::pg_catalog.oid END, k.t) FROM (SELECT u.t, (u.k OPERATOR(pg_catalog.-) 1)::pg_catalog.int4 AS k FROM pg_catalog.unnest(r.proargtypes::pg_catalog._oid) WITH ORDINALITY u(t, k)) k ORDER BY k.k) ELSE false END LIMIT 1) f ON true)::pg_catalog.oid, 'execute'), has_function_privilege('lower(text)', 'execute') | clean

SELECT pg_describe_object(d.classid, d.objid, d.objsubid) FROM (VALUES (1255, 16422, 0)) AS d (classid, objid, objsubid)
-- edited SELECT (SELECT CASE WHEN v.c::pg_catalog.oid OPERATOR(pg_catalog.=) 'pg_catalog.pg_proc'::pg_catalog.regclass AND v.o::pg_catalog.oid OPERATOR(pg_catalog.=) ANY ('{16422,16434}'::pg_catalog._oid) THEN (SELECT pg_catalog.replace(pg_catalog.pg_describe_object(v.c::pg_catalog.oid, v.o::pg_catalog.oid, v.s::pg_catalog.int4), r.oid::pg_catalog.regprocedure::pg_catalog.text, (CASE WHEN pg_catalog.pg_function_is_visible(r.oid) THEN '' ELSE (SELECT pg_catalog.quote_ident(n.nspname) OPERATOR(pg_catalog.||) '.' FROM pg_catalog.pg_namespace n WHERE n.oid OPERATOR(pg_catalog.=) r.pronamespace) END OPERATOR(pg_catalog.||) pg_catalog.quote_ident(r.proname) OPERATOR(pg_catalog.||) '(' OPERATOR(pg_catalog.||) (SELECT COALESCE(pg_catalog.string_agg(pg_catalog.format_type(a.t, NULL), ',' ORDER BY a.k), '') FROM pg_catalog.unnest(ARRAY(SELECT COALESCE(CASE WHEN r.oid::pg_catalog.int8 OPERATOR(pg_catalog.*) 131072 OPERATOR(pg_catalog.+) (k.k OPERATOR(pg_catalog.+) 1) OPERATOR(pg_catalog.=) ANY ('{2152464385,2154037249,2154102785}'::pg_catalog._int8) THEN '2950'::pg_catalog.oid END, k.t) FROM (SELECT u.t, (u.k OPERATOR(pg_catalog.-) 1)::pg_catalog.int4 AS k FROM pg_catalog.unnest(r.proargtypes::pg_catalog._oid) WITH ORDINALITY u(t, k)) k ORDER BY k.k)) WITH ORDINALITY a(t, k)) OPERATOR(pg_catalog.||) ')')) FROM pg_catalog.pg_proc r WHERE r.oid OPERATOR(pg_catalog.=) v.o::pg_catalog.oid) ELSE pg_catalog.pg_describe_object(v.c::pg_catalog.oid, v.o::pg_catalog.oid, v.s::pg_catalog.int4) END AS pg_describe_object FROM (SELECT d.classid, d.objid, d.objsubid) AS v (c, o, s)) FROM (VALUES (1255, 16422, 0)) AS d (classid, objid, objsubid) | clean

SELECT * FROM pg_identify_object(1255, 16422, 0)
-- refused unsupported 0A000: pgveil does not support this call in FROM in a statement that names annotated tables [pg_identify_object]

