SELECT least(id::text, 'zz') FROM users
-- refused expression 0A000: pgveil can't encrypt an id inside the result of least [least(id::text, 'zz']

SELECT greatest('zz', id::text) FROM users
-- refused expression 0A000: pgveil can't encrypt an id inside the result of greatest [greatest('zz', id]

SELECT greatest(id::text, $1) FROM users
-- refused expression 0A000: pgveil can't encrypt an id inside the result of greatest [greatest(id::text, $1]

SELECT least(id::text, max(id)::text) FROM users GROUP BY id
-- edited SELECT least(id::pg_catalog.int8, max(id)::pg_catalog.int8) FROM users GROUP BY id | columns least:user(int8 as text)

SELECT id FROM users WHERE id::text < 'zz'
-- refused expression 0A000: pgveil can't encrypt an id inside the result of < [<]

SELECT id FROM users WHERE id::text BETWEEN 'a' AND 'z'
-- refused expression 0A000: pgveil can't encrypt an id inside the result of >= [BETWEEN]

SELECT id FROM users WHERE id::text NOT BETWEEN 'a' AND $1
-- refused expression 0A000: pgveil can't encrypt an id inside the result of < [NOT]

SELECT id FROM users WHERE id::text > ANY (ARRAY['a'])
-- refused expression 0A000: pgveil can't encrypt an id inside the result of > [>]

SELECT id FROM users WHERE id::text <= ALL (SELECT email FROM users)
-- refused expression 0A000: pgveil can't encrypt an id inside the result of <= []

SELECT id FROM users WHERE (id::text, 1) < ('a', 2)
-- refused expression 0A000: pgveil can't encrypt an id inside the result of < [<]

SELECT id FROM (SELECT id, id::text AS t FROM users) s WHERE t >= 'a'
-- refused expression 0A000: pgveil can't encrypt an id inside the result of >= [>=]

SELECT array_agg(id::text) < ARRAY['a'] FROM users
-- refused expression 0A000: pgveil can't encrypt an id inside the result of < [<]

SELECT id FROM users ORDER BY coalesce(id::text, 'none')
-- refused expression 0A000: pgveil can't encrypt an id inside the result of ORDER BY [coalesce(id::text, 'none']

SELECT id FROM users ORDER BY coalesce(id::text, $1)
-- refused expression 0A000: pgveil can't encrypt an id inside the result of ORDER BY [coalesce(id::text, $1]

SELECT coalesce(user_id::text, 'none') AS u FROM orders ORDER BY u
-- refused expression 0A000: pgveil can't encrypt an id inside the result of ORDER BY [u]

SELECT coalesce(user_id::text, 'none') FROM orders ORDER BY 1
-- refused expression 0A000: pgveil can't encrypt an id inside the result of ORDER BY [1]

SELECT row_number() OVER (ORDER BY coalesce(id::text, 'none')) FROM users
-- refused expression 0A000: pgveil can't encrypt an id inside the result of ORDER BY [coalesce(id::text, 'none']

SELECT array_agg(name ORDER BY coalesce(id::text, name)) FROM teams
-- refused expression 0A000: pgveil can't encrypt an id inside the result of ORDER BY [coalesce(id::text, name]

SELECT min(coalesce(id::text, 'none')) FROM users
-- refused expression 0A000: pgveil can't encrypt an id inside the result of min [min(coalesce(id::text, 'none']

SELECT max(coalesce(id::text, $1)) FROM users
-- refused expression 0A000: pgveil can't encrypt an id inside the result of max [max(coalesce(id::text, $1]

SELECT x FROM (SELECT 'u' || id AS x FROM users UNION SELECT 'nobody') s ORDER BY x
-- refused expression 0A000: pgveil can't encrypt an id inside the result of ORDER BY [x]

SELECT x FROM (SELECT 'u' || id AS x FROM users UNION ALL SELECT name FROM teams) s ORDER BY x
-- refused expression 0A000: pgveil can't encrypt an id inside the result of ORDER BY [x]

SELECT id FROM orders ORDER BY CASE WHEN status = 'a' THEN id::text ELSE user_id::text END
-- refused expression 0A000: pgveil can't encrypt an id inside the result of ORDER BY [CASE WHEN status = 'a' THEN id::text ELSE user_id::text END]

SELECT id FROM teams ORDER BY name || id
-- refused expression 0A000: pgveil can't encrypt an id inside the result of ORDER BY [name || id]

SELECT rank('zz') WITHIN GROUP (ORDER BY id::text) FROM users
-- refused expression 0A000: pgveil can't encrypt an id inside the result of rank [rank('zz') WITHIN GROUP (ORDER BY id]

SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY coalesce(id::text, $1)) FROM users
-- refused expression 0A000: pgveil can't encrypt an id inside the result of percentile_disc [percentile_disc(0.5) WITHIN GROUP (ORDER BY coalesce(id::text, $1]

SELECT id FROM users ORDER BY jsonb_build_object('id', coalesce(id::text, 'none'))
-- refused expression 0A000: pgveil can't encrypt an id inside the result of ORDER BY [jsonb_build_object('id', coalesce(id::text, 'none']

SELECT id FROM users ORDER BY jsonb_build_object('id', coalesce(id::text, 'none')) ->> 'id'
-- refused expression 0A000: pgveil can't encrypt an id inside the result of ORDER BY [jsonb_build_object('id', coalesce(id::text, 'none')) ->> 'id']

SELECT id FROM users ORDER BY to_jsonb(id), jsonb_build_object('n', 1, 'id', id) ->> 'id'
-- edited SELECT id FROM users ORDER BY to_jsonb(<tag user: id>), jsonb_build_object('n', 1, 'id', <tag user: id>) ->> 'id' | columns id:user

SELECT id::text FROM users ORDER BY id::text
-- edited SELECT id::pg_catalog.int8 FROM users ORDER BY id::pg_catalog.int8 | columns id:user(int8 as text)

SELECT 'u' || id FROM users ORDER BY 'u' || id
-- edited SELECT 'u' || <tag user: id> FROM users ORDER BY 'u' || <tag user: id> | columns ?column?:tagged

SELECT label FROM (SELECT 'u' || id AS label FROM users) s ORDER BY label
-- edited SELECT label FROM (SELECT 'u' || <tag user: id> AS label FROM users) s ORDER BY label | columns label:tagged

SELECT id || name FROM teams ORDER BY id || name
-- edited SELECT <tag team: id> || name FROM teams ORDER BY <tag team: id> || name | columns ?column?:tagged

SELECT min(id::text), max(id::text), least(id, $1) FROM users GROUP BY id
-- edited SELECT min(id::pg_catalog.int8), max(id::pg_catalog.int8), least(id, $1) FROM users GROUP BY id | parameters $1:user first:20 | columns min:user(int8 as text), max:user(int8 as text), least:user

SELECT string_agg(DISTINCT id::text, ','), jsonb_agg(DISTINCT id), string_agg(id::text, ',' ORDER BY id::text) FROM users
-- edited SELECT string_agg(DISTINCT <tag user(int8 as text): id::pg_catalog.int8>, ','), jsonb_agg(DISTINCT <tag user: id>), string_agg(<tag user(int8 as text): id::pg_catalog.int8>, ',' ORDER BY id::pg_catalog.int8) FROM users | columns string_agg:tagged, jsonb_agg:tagged, string_agg:tagged

SELECT id FROM events ORDER BY payload::text
-- refused expression 0A000: pgveil can't encrypt an id inside the result of ORDER BY [payload]

SELECT max(payload::text) FROM events
-- refused expression 0A000: pgveil can't encrypt an id inside the result of max [max(payload]

SELECT rank() OVER (ORDER BY payload ->> 'user') FROM events
-- refused expression 0A000: pgveil can't encrypt an id inside the result of ORDER BY [payload ->> 'user']

SELECT id FROM events a WHERE EXISTS (SELECT FROM events b WHERE b.payload::text < a.payload::text)
-- refused expression 0A000: pgveil can't encrypt an id inside the result of < [<]

SELECT id FROM events ORDER BY payload ->> 'title'
-- same | columns id:event

SELECT greatest(payload::text, 'x') FROM events
-- refused expression 0A000: pgveil can't encrypt an id inside the result of greatest [greatest(payload::text, 'x']

SELECT id FROM users WHERE id < $1 AND id >= 'x' AND $2 <= id AND id BETWEEN $3 AND $4
-- edited SELECT id FROM users WHERE id < $1 AND id >= <user first> AND $2 <= id AND id BETWEEN $3 AND $4 | parameters $1:user first:20, $2:user first:20, $3:user first:20, $4:user bound:20 | columns id:user

SELECT id FROM users WHERE id BETWEEN SYMMETRIC $1 AND $2 OR id NOT BETWEEN SYMMETRIC (($3)) AND $4
-- same | parameters $1:user first:20, $2:user first:20, $3:user first:20, $4:user first:20 | columns id:user

SELECT id FROM users WHERE (id, email) >= ($1, 'a') OR ROW(id) < ROW('x') OR (id, id) > ALL (SELECT $2::uuid, 'x'::uuid)
-- edited SELECT id FROM users WHERE (id, email) >= ($1, 'a') OR ROW(id) < ROW(<user first>) OR (id, id) > ALL (SELECT $2::pg_catalog.int8 AS uuid, <user bound>::pg_catalog.int8 AS uuid) | parameters $1:user first:20, $2:user bound:20 | columns id:user

SELECT id FROM users WHERE ARRAY[id] > ARRAY['x'::uuid] OR ARRAY[id, $1] BETWEEN $2 AND '{x}' OR ROW(ARRAY[id]) >= ROW(ARRAY[$3])
-- edited SELECT id FROM users WHERE ARRAY[id] > ARRAY[<user bound>::pg_catalog.int8] OR ARRAY[id, $1] BETWEEN $2 AND <user[] bound> OR ROW(ARRAY[id]) >= ROW(ARRAY[$3]) | parameters $1:user bound:20, $2:user[] first:1016, $3:user first:20 | columns id:user

SELECT id FROM users WHERE id > ANY ('{x}') OR id <= ALL ($1) OR id >= SOME (ARRAY[$2, 'x'])
-- edited SELECT id FROM users WHERE id > ANY (<user[] bound>) OR id <= ALL ($1) OR id >= SOME (ARRAY[$2, <user first>]) | parameters $1:user[] bound:1016, $2:user first:20 | columns id:user

SELECT greatest(ARRAY[id], ARRAY[$1]), least(id, 'x') = id FROM users WHERE id > greatest($2, 'x')
-- edited SELECT greatest(ARRAY[id], ARRAY[$1]), least(id, <user first>) = id FROM users WHERE id > greatest($2, <user bound>) | parameters $1:user first:20, $2:user bound:20 | columns greatest:user[], ?column?

SELECT rank('x') WITHIN GROUP (ORDER BY id), cume_dist($1) WITHIN GROUP (ORDER BY id DESC), dense_rank('a', $2) WITHIN GROUP (ORDER BY email, id), percent_rank('{x}') WITHIN GROUP (ORDER BY ARRAY[id]) FROM users
-- edited SELECT rank(<user first>) WITHIN GROUP (ORDER BY id), cume_dist($1) WITHIN GROUP (ORDER BY id DESC), dense_rank('a', $2) WITHIN GROUP (ORDER BY email, id), percent_rank(<user[] first>) WITHIN GROUP (ORDER BY ARRAY[id]) FROM users | parameters $1:user first:20, $2:user first:20 | columns rank, cume_dist, dense_rank, percent_rank

SELECT max(coalesce(id, $1)), percentile_disc(0.5) WITHIN GROUP (ORDER BY coalesce(id, 'x')) FROM users
-- edited SELECT max(coalesce(id, $1)), percentile_disc(0.5) WITHIN GROUP (ORDER BY coalesce(id, <user first>)) FROM users | parameters $1:user first:20 | columns max:user, percentile_disc:user

SELECT u.id FROM users u, (VALUES ('x'::uuid)) v(x) WHERE u.id <> v.x AND u.id > v.x
-- edited SELECT u.id FROM users u, (VALUES (<user bound>::pg_catalog.int8)) v(x) WHERE u.id <> v.x AND u.id > v.x | columns id:user

SELECT s.id FROM (SELECT coalesce(id, $1) AS id FROM users) s WHERE s.id = $2 OR s.id < $3
-- same | parameters $1:user bound:20, $2:user:20, $3:user first:20 | columns id:user

SELECT id FROM users WHERE id > ($1::jsonb ->> 'after')::uuid AND id <> ($1::jsonb ->> 'after')::uuid
-- edited SELECT id FROM users WHERE id > ($1::jsonb ->> 'after')::pg_catalog.int8 AND id <> ($2::jsonb ->> 'after')::pg_catalog.int8 | parameters $1:{after: user bound}:3802, $1:{after: user}:3802 | columns id:user

SELECT id FROM users WHERE id <> $1 AND id IN ($2, 'x') AND id IS DISTINCT FROM $3 AND ARRAY[id] = ARRAY[$4] AND ARRAY[id] @> $5
-- edited SELECT id FROM users WHERE id <> $1 AND id IN ($2, <user>) AND id IS DISTINCT FROM $3 AND ARRAY[id] = ARRAY[$4] AND ARRAY[id] @> $5 | parameters $1:user:20, $2:user:20, $3:user:20, $4:user:20, $5:user[]:1016 | columns id:user

SELECT id FROM events WHERE payload -> 'user' -> 'id' > '"x"'
-- refused expression 0A000: pgveil can't encrypt an id inside the result of > [>]

SELECT id FROM events WHERE payload -> 'user' <= $1
-- refused expression 0A000: pgveil can't encrypt an id inside the result of <= [<=]

SELECT id FROM events WHERE payload < $1::jsonb
-- refused expression 0A000: pgveil can't encrypt an id inside the result of < [<]

SELECT id FROM events WHERE payload -> 'ids' BETWEEN '[]' AND '[1]'
-- refused expression 0A000: pgveil can't encrypt an id inside the result of >= [BETWEEN]

SELECT id FROM events WHERE (payload -> 'ids' -> 0, 1) < ('"x"', 0)
-- refused expression 0A000: pgveil can't encrypt an id inside the result of < [<]

SELECT id FROM events WHERE payload -> 'user' -> 'id' >= ANY (ARRAY['"x"'::jsonb])
-- refused expression 0A000: pgveil can't encrypt an id inside the result of >= [>=]

SELECT id FROM events WHERE ARRAY[payload -> 'user'] > ARRAY[$1::jsonb]
-- refused expression 0A000: pgveil can't encrypt an id inside the result of > [>]

SELECT greatest(payload -> 'user' -> 'id', '"x"') FROM events
-- refused expression 0A000: pgveil can't encrypt an id inside the result of greatest [greatest(payload -> 'user' -> 'id', '"x"']

SELECT least($1, payload) FROM events
-- refused expression 0A000: pgveil can't encrypt an id inside the result of least [least($1, payload]

SELECT rank('"x"') WITHIN GROUP (ORDER BY payload -> 'user' -> 'id') FROM events
-- refused expression 0A000: pgveil can't encrypt an id inside the result of rank [rank('"x"') WITHIN GROUP (ORDER BY payload -> 'user' -> 'id']

SELECT a.id FROM events a, events b WHERE a.payload < b.payload
-- refused expression 0A000: pgveil can't encrypt an id inside the result of < [<]

SELECT id FROM events WHERE payload -> 'title' > '"x"' AND payload -> 'user' -> 'id' = '"x"'
-- edited SELECT id FROM events WHERE payload -> 'title' > '"x"' AND payload -> 'user' -> 'id' = <user as number> | columns id:event

SELECT greatest(payload -> 'title', $1) FROM events
-- same | columns greatest

SELECT id FROM users WHERE id = ($1::jsonb ->> 'id')::uuid AND $1::jsonb -> 'id' < '"x"'
-- edited SELECT id FROM users WHERE id = ($1::jsonb ->> 'id')::pg_catalog.int8 AND $2::jsonb -> 'id' < '"x"' | parameters $1:{id: user}:3802, $1:-:3802 | columns id:user

SELECT coalesce(max(id), $1), coalesce(greatest(id, $2), $3), percentile_disc(0.5) WITHIN GROUP (ORDER BY id) = $4 FROM users GROUP BY id
-- same | parameters $1:user:20, $2:user first:20, $3:user:20, $4:user:20 | columns coalesce:user, coalesce:user, ?column?

SELECT id FROM users WHERE greatest(coalesce(id, $1), $2) > $3
-- same | parameters $1:user first:20, $2:user first:20, $3:user bound:20 | columns id:user

