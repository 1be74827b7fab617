SELECT * FROM ledger WHERE id = 42
-- edited SELECT * FROM ledger WHERE id = <ledger(int8 as int4)>::pg_catalog.int8 | columns id:ledger(int8 as int8), amount, memo, balance

SELECT id FROM ledger WHERE id IN (1, 2, -5, '7') AND amount = 42 AND balance > 1.5
-- edited SELECT id FROM ledger WHERE id IN (<ledger(int8 as int4)>::pg_catalog.int8, <ledger(int8 as int4)>::pg_catalog.int8, <ledger(int8 as int4)>::pg_catalog.int8, <ledger(int8 as int8)>) AND amount = 42 AND balance > 1.5 | columns id:ledger(int8 as int8)

SELECT id FROM ledger WHERE id = $1 AND amount > $2
-- same | parameters $1:ledger(int8 as int8):20 shown 20, $2:-:0 | columns id:ledger(int8 as int8)

/* 23, 20, 21 */ SELECT id FROM ledger WHERE id = $1 OR id = $2 OR id = $3
-- same | parameters $1:ledger(int8 as int4):20 shown 23, $2:ledger(int8 as int8):20 shown 20, $3:ledger(int8 as int2):20 shown 21 | columns id:ledger(int8 as int8)

/* 20 */ SELECT id FROM counters WHERE id = $1
-- same | parameters $1:counter(int8 as int8):20 shown 20 | columns id:counter(int4 as int4)

/* 1700 */ SELECT id FROM ledger WHERE id = $1
-- refused mixed-domains 0A000: an id of "ledger" can't be used together with a value that is no id [=]

/* 25 */ SELECT id FROM ledger WHERE id = $1
-- refused uuid-type 42883: operator does not exist: bigint = text [=]

SELECT id FROM ledger WHERE id = $1::bigint OR id = $2::int OR id = '42'::bigint OR id = bigint '43' OR id = 44::bigint
-- edited SELECT id FROM ledger WHERE id = $1::bigint OR id = $2::pg_catalog.int8 OR id = <ledger(int8 as int8)>::bigint OR id = bigint <ledger(int8 as int8)> OR id = <ledger(int8 as int8)>::bigint | parameters $1:ledger(int8 as int8):20 shown 20, $2:ledger(int8 as int4):20 shown 23 | columns id:ledger(int8 as int8)

/* 25 */ SELECT id FROM ledger WHERE id = $1::bigint
-- same | parameters $1:ledger(int8 as int8):25 textual | columns id:ledger(int8 as int8)

SELECT id FROM counters WHERE id = $1::int4 OR id = $1
-- same | parameters $1:counter(int4 as int4):23 shown 23 | columns id:counter(int4 as int4)

SELECT id FROM ledger WHERE id = $1::int4 OR id = $1
-- edited SELECT id FROM ledger WHERE id = $1::pg_catalog.int8 OR id = $1 | parameters $1:ledger(int8 as int4):20 shown 23 | columns id:ledger(int8 as int8)

SELECT id FROM counters WHERE id = 5 OR id = 5000000000
-- edited SELECT id FROM counters WHERE id = <counter(int4 as int4)>::pg_catalog.int4 OR id = <counter(int8 as int8)>::pg_catalog.int8 | columns id:counter(int4 as int4)

SELECT small_id FROM counter_uses WHERE small_id = 5 AND counter_id = $1 AND n = 3
-- edited SELECT small_id FROM counter_uses WHERE small_id = <counter(int4 as int4)>::pg_catalog.int4 AND counter_id = $1 AND n = 3 | parameters $1:counter(int8 as int8):20 shown 20 | columns small_id:counter(int2 as int2)

SELECT id FROM ledger WHERE id = ANY($1) OR id = ANY('{1,2}') OR id = ANY(ARRAY[1, 2]) OR id = ANY($2::bigint[]) OR id = ANY(ARRAY[$3, 4]::bigint[])
-- edited SELECT id FROM ledger WHERE id = ANY($1) OR id = ANY(<ledger(int8 as int8)[]>) OR id = ANY(ARRAY[<ledger(int8 as int4)>::pg_catalog.int8, <ledger(int8 as int4)>::pg_catalog.int8]) OR id = ANY($2::bigint[]) OR id = ANY(ARRAY[$3, <ledger(int8 as int4)>::pg_catalog.int8]::bigint[]) | parameters $1:ledger(int8 as int8)[]:1016 shown 1016, $2:ledger(int8 as int8)[]:1016 shown 1016, $3:ledger(int8 as int8):20 shown 20 | columns id:ledger(int8 as int8)

/* 1007 */ SELECT id FROM ledger WHERE id = ANY($1)
-- same | parameters $1:ledger(int8 as int4)[]:1016 shown 1007 | columns id:ledger(int8 as int8)

SELECT id + 1 FROM ledger
-- refused expression 0A000: pgveil can't apply + to an id: the database knows only its key [+]

SELECT id % 2, amount % 2 FROM ledger
-- refused expression 0A000: pgveil can't apply % to an id: the database knows only its key [%]

SELECT id FROM ledger WHERE id % 2 = 0
-- refused expression 0A000: pgveil can't apply % to an id: the database knows only its key [%]

SELECT -id FROM ledger
-- refused expression 0A000: pgveil can't apply - to an id: the database knows only its key [-]

SELECT sum(id) FROM ledger
-- refused expression 0A000: pgveil can't apply sum to an id: the database knows only its key [sum(id]

SELECT abs(id) FROM ledger
-- refused expression 0A000: pgveil can't apply abs to an id: the database knows only its key [abs(id]

SELECT generate_series(1, id) FROM ledger
-- refused expression 0A000: pgveil can't apply generate_series to an id: the database knows only its key [generate_series(1, id]

SELECT id, generate_series(1, 3) FROM ledger
-- same | columns id:ledger(int8 as int8), generate_series

SELECT * FROM ledger, generate_series(1, ledger.id) g
-- refused expression 0A000: pgveil can't apply generate_series to an id: the database knows only its key [generate_series]

SELECT id FROM ledger WHERE id > 0 ORDER BY id LIMIT 10 OFFSET 5
-- edited SELECT id FROM ledger WHERE id > <ledger(int8 as int4) bound>::pg_catalog.int8 ORDER BY id LIMIT 10 OFFSET 5 | columns id:ledger(int8 as int8)

SELECT id FROM ledger WHERE id BETWEEN 1 AND 100 ORDER BY 1 DESC
-- edited SELECT id FROM ledger WHERE id BETWEEN <ledger(int8 as int4) first>::pg_catalog.int8 AND <ledger(int8 as int4) bound>::pg_catalog.int8 ORDER BY 1 DESC | columns id:ledger(int8 as int8)

SELECT id FROM ledger WHERE id = 1.5
-- refused mixed-domains 0A000: an id of "ledger" can't be used together with a value that is no id [=]

SELECT id FROM ledger WHERE id = 99999999999999999999
-- refused mixed-domains 0A000: an id of "ledger" can't be used together with a value that is no id [=]

SELECT id FROM ledger WHERE id = -(5)
-- refused mixed-domains 0A000: an id of "ledger" can't be used together with a value that is no id [=]

SELECT id FROM ledger WHERE id = - 5 OR id = +6
-- edited SELECT id FROM ledger WHERE id = <ledger(int8 as int4)>::pg_catalog.int8 OR id = <ledger(int8 as int4)>::pg_catalog.int8 | columns id:ledger(int8 as int8)

SELECT id FROM ledger WHERE id = 1 + 1
-- refused mixed-domains 0A000: an id of "ledger" can't be used together with a value that is no id [=]

SELECT id FROM ledger WHERE id = amount
-- refused mixed-domains 0A000: an id of "ledger" can't be used together with a value that is no id [=]

SELECT id FROM ledger WHERE id = amount + 5
-- refused mixed-domains 0A000: an id of "ledger" can't be used together with a value that is no id [=]

SELECT id FROM ledger WHERE id = 'x'::text
-- refused uuid-type 42883: operator does not exist: bigint = text [=]

SELECT id FROM ledger WHERE id = gen_random_uuid()
-- refused uuid-type 42883: operator does not exist: bigint = uuid [=]

SELECT id::text FROM ledger
-- edited SELECT id::pg_catalog.int8 FROM ledger | columns id:ledger(int8 as text)

SELECT id::int8, CAST(id AS bigint) FROM ledger
-- same | columns id:ledger(int8 as int8), id:ledger(int8 as int8)

SELECT id::int4 FROM ledger
-- refused expression 0A000: pgveil can't encrypt an id that is cast to integer [::]

SELECT id::numeric FROM ledger
-- refused expression 0A000: pgveil can't encrypt an id that is cast to numeric [::]

SELECT id::uuid FROM ledger
-- refused uuid-type 42846: cannot cast type bigint to uuid [::]

SELECT id::bigint FROM counters
-- same | columns id:counter(int8 as int8)

SELECT id::bigint = $1 FROM counters
-- same | parameters $1:counter(int8 as int8):20 shown 20 | columns ?column?

SELECT 42 UNION SELECT id FROM ledger
-- edited SELECT <ledger(int8 as int4)>::pg_catalog.int8 AS "?column?" UNION SELECT id FROM ledger | columns ?column?:ledger(int8 as int8)

SELECT 42, 43 AS x, 44::bigint, '45', '46'::bigint UNION ALL SELECT id, id, id, id, id FROM counters
-- edited SELECT <counter(int4 as int4)>::pg_catalog.int4 AS "?column?", <counter(int4 as int4)>::pg_catalog.int4 AS x, <counter(int8 as int8)>::bigint, <counter(int4 as int4)>, <counter(int8 as int8)>::bigint UNION ALL SELECT id, id, id, id, id FROM counters | columns ?column?:counter(int4 as int4), x:counter(int4 as int4), int8:counter(int8 as int8), ?column?:counter(int4 as int4), int8:counter(int8 as int8)

SELECT s.int8 FROM (SELECT 5::bigint UNION SELECT id FROM counters) s
-- edited SELECT s.int8 FROM (SELECT <counter(int8 as int8)>::bigint UNION SELECT id FROM counters) s | columns int8:counter(int8 as int8)

SELECT v.id FROM (VALUES (1, 'a'), (2, 'b')) v(id, name) JOIN ledger ON ledger.id = v.id
-- edited SELECT v.id FROM (VALUES (<ledger(int8 as int4)>::pg_catalog.int8, 'a'), (<ledger(int8 as int4)>::pg_catalog.int8, 'b')) v(id, name) JOIN ledger ON ledger.id = v.id | columns id:ledger(int8 as int8)

SELECT v.id + 1, (SELECT count(*) FROM ledger WHERE ledger.id = v.id) FROM (VALUES (1)) v(id)
-- refused mixed-domains 0A000: an id of "ledger" can't be used together with a value that is no id [=]

SELECT v.n + 1 FROM (VALUES (1)) v(n) JOIN ledger ON ledger.id = v.n
-- refused expression 0A000: pgveil can't apply + to an id: the database knows only its key [+]

SELECT COALESCE(id, 0), COALESCE(id, $1), NULLIF(id, 7) FROM counters
-- edited SELECT COALESCE(id, <counter(int4 as int4)>::pg_catalog.int4), COALESCE(id, $1), NULLIF(id, <counter(int4 as int4)>::pg_catalog.int4) FROM counters | parameters $1:counter(int4 as int4):23 shown 23 | columns coalesce:counter(int4 as int4), coalesce:counter(int4 as int4), nullif:counter(int4 as int4)

SELECT COALESCE(id, 0::bigint) FROM counters
-- edited SELECT COALESCE(id, <counter(int8 as int8)>::bigint) FROM counters | columns coalesce:counter(int8 as int8)

SELECT COALESCE(id, amount) FROM ledger
-- refused mixed-domains 0A000: an id of "ledger" can't be used together with a value that is no id [amount]

SELECT CASE WHEN amount > 5 THEN 1 ELSE id END FROM ledger
-- edited SELECT CASE WHEN amount > 5 THEN <ledger(int8 as int4)>::pg_catalog.int8 ELSE id END FROM ledger | columns id:ledger(int8 as int8)

SELECT CASE WHEN amount > 5 THEN 1 ELSE amount END FROM ledger WHERE id = 1
-- edited SELECT CASE WHEN amount > 5 THEN 1 ELSE amount END FROM ledger WHERE id = <ledger(int8 as int4)>::pg_catalog.int8 | columns amount

SELECT CASE WHEN l.amount > 5 THEN 1 ELSE l.amount END = l.id FROM ledger l
-- refused mixed-domains 0A000: an id of "ledger" can't be used together with a value that is no id [=]

SELECT id FROM ledger WHERE id = ANY(ARRAY[5] || amount)
-- refused mixed-domains 0A000: an id of "ledger" can't be used together with a value that is no id [=]

SELECT id FROM counters UNION SELECT counter_id FROM counter_uses
-- same | columns id:counter(int8 as int8)

SELECT c.id, u.counter_id, u.small_id FROM counters c JOIN counter_uses u ON u.counter_id = c.id AND u.small_id = c.id
-- same | columns id:counter(int4 as int4), counter_id:counter(int8 as int8), small_id:counter(int2 as int2)

SELECT counter_id FROM counter_uses WHERE counter_id = $1 OR small_id = $1
-- edited SELECT counter_id FROM counter_uses WHERE counter_id = $1 OR small_id = $2 | parameters $1:counter(int8 as int8):20 shown 20, $1:counter(int2 as int8):21 shown 20 | columns counter_id:counter(int8 as int8)

SELECT l.id FROM ledger l JOIN counters c ON c.id = l.id
-- refused mixed-domains 0A000: ids of "counter" and of "ledger" can't be used in one place [=]

SELECT l.id FROM ledger l JOIN users u ON u.id = l.id
-- refused uuid-type 42883: operator does not exist: uuid = bigint [=]

INSERT INTO ledger (id, amount) VALUES (1, 2), ($1, $2), (DEFAULT, 3) RETURNING id
-- edited INSERT INTO ledger (id, amount) VALUES (<ledger(int8 as int4) stored>::pg_catalog.int8, 2), ($1, $2), (DEFAULT, 3) RETURNING id | parameters $1:ledger(int8 as int8) stored:20 shown 20, $2:-:0 | columns id:ledger(int8 as int8)

INSERT INTO ledger_lines (ledger_id, amount) SELECT id, amount FROM ledger WHERE id = 5
-- edited INSERT INTO ledger_lines (ledger_id, amount) SELECT id, amount FROM ledger WHERE id = <ledger(int8 as int4)>::pg_catalog.int8 | columns none

INSERT INTO ledger_lines (ledger_id, amount) SELECT amount, amount FROM ledger
-- refused mixed-domains 0A000: an id of "ledger" can't be used together with a value that is no id []

INSERT INTO ledger (amount) SELECT id FROM ledger
-- refused mixed-domains 0A000: an id of "ledger" can't be used together with a value that is no id []

INSERT INTO ledger (memo) SELECT id FROM ledger
-- refused expression 0A000: pgveil can't store an id as text in column "memo" []

UPDATE ledger_lines SET ledger_id = 7, amount = amount + 1 WHERE ledger_id = 8 AND amount = 9
-- edited UPDATE ledger_lines SET ledger_id = <ledger(int8 as int4) stored>::pg_catalog.int8, amount = amount + 1 WHERE ledger_id = <ledger(int8 as int4)>::pg_catalog.int8 AND amount = 9 | columns none

UPDATE ledger SET amount = id
-- refused mixed-domains 0A000: an id of "ledger" can't be used together with a value that is no id [id]

SELECT amount + 1, amount * 2, amount - 3, abs(-amount), '5'::bigint, 6 FROM ledger WHERE amount IN (1, 2) GROUP BY 1, amount HAVING count(*) > 1
-- same | columns ?column?, ?column?, ?column?, abs, int8, ?column?

SELECT row_number() OVER (ORDER BY id), sum(amount) OVER (ORDER BY id ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) FROM ledger
-- same | columns row_number, sum

SELECT sum(amount) OVER (ORDER BY id RANGE BETWEEN 5 PRECEDING AND CURRENT ROW) FROM ledger
-- refused unsupported 0A000: pgveil does not support RANGE with an offset over ids in a statement that names annotated tables [5]

SELECT nth_value(id, 2) OVER (), lag(id, 1, 0) OVER (), max(id) OVER (), ntile(4) OVER () FROM ledger
-- edited SELECT nth_value(id, 2) OVER (), lag(id, 1, <ledger(int8 as int4)>::pg_catalog.int8) OVER (), max(id) OVER (), ntile(4) OVER () FROM ledger | columns nth_value:ledger(int8 as int8), lag:ledger(int8 as int8), max:ledger(int8 as int8), ntile

SELECT * FROM ledger_all WHERE id = 5
-- edited SELECT * FROM ledger_all WHERE id = <ledger(int8 as int4)>::pg_catalog.int8 | columns id:ledger(int8 as int8), amount

SELECT * FROM counters_all WHERE id = $1
-- same | parameters $1:counter(int8 as int8):20 shown 20 | columns id:counter(int8 as int8), total

SELECT (ARRAY[1, 2])[1] = id FROM ledger
-- edited SELECT (ARRAY[<ledger(int8 as int4)>::pg_catalog.int8, <ledger(int8 as int4)>::pg_catalog.int8])[1] = id FROM ledger | columns ?column?

SELECT $1 + 5, id FROM ledger WHERE amount = $1
-- same | columns ?column?, id:ledger(int8 as int8)

SELECT 5 IN (id, amount) FROM ledger
-- refused mixed-domains 0A000: an id of "ledger" can't be used together with a value that is no id [IN]

SELECT id FROM ledger WHERE $1 = 5 OR 5 = id
-- edited SELECT id FROM ledger WHERE $1 = 5 OR <ledger(int8 as int4)>::pg_catalog.int8 = id | columns id:ledger(int8 as int8)

WITH RECURSIVE s(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < 10) SELECT s.n, ledger.id FROM s, ledger
-- same | columns n, id:ledger(int8 as int8)

WITH RECURSIVE s(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < 10) SELECT ledger.id FROM s JOIN ledger ON ledger.id = s.n
-- refused mixed-domains 0A000: an id of "ledger" can't be used together with a value that is no id [=]

SELECT id FROM ledger WHERE (amount, id) > (5, 6)
-- edited SELECT id FROM ledger WHERE (amount, id) > (5, <ledger(int8 as int4) bound>::pg_catalog.int8) | columns id:ledger(int8 as int8)

SELECT id FROM ledger WHERE id = ALL (SELECT 5)
-- edited SELECT id FROM ledger WHERE id = ALL (SELECT <ledger(int8 as int4)>::pg_catalog.int8 AS "?column?") | columns id:ledger(int8 as int8)

/* 1700 */ SELECT id FROM ledger WHERE id = $1::bigint
-- refused mixed-domains 0A000: an id of "ledger" can't be used together with a value that is no id [=]

/* 20 */ SELECT id FROM counters WHERE id = $1::int4
-- edited SELECT id FROM counters WHERE id = $1::pg_catalog.int8 | parameters $1:counter(int8 as int8):20 shown 20 | columns id:counter(int4 as int4)

SELECT id FROM ledger WHERE id = 5::text::bigint
-- refused mixed-domains 0A000: an id of "ledger" can't be used together with a value that is no id [=]

SELECT id FROM ledger WHERE id = '5'::text::bigint
-- edited SELECT id FROM ledger WHERE id = <ledger(int8 as int8)>::text::bigint | columns id:ledger(int8 as int8)

SELECT (SELECT 42) = id, (SELECT 43 LIMIT 1) = id FROM ledger
-- edited SELECT (SELECT <ledger(int8 as int4)>::pg_catalog.int8 AS "?column?") = id, (SELECT <ledger(int8 as int4)>::pg_catalog.int8 AS "?column?" LIMIT 1) = id FROM ledger | columns ?column?, ?column?

SELECT id FROM ledger WHERE (id, amount) >= (1, 0) AND id BETWEEN SYMMETRIC 5 AND 1 AND id >= least(1, $1) AND id > 1
-- edited SELECT id FROM ledger WHERE (id, amount) >= (<ledger(int8 as int4) first>::pg_catalog.int8, 0) AND id BETWEEN SYMMETRIC <ledger(int8 as int4) first>::pg_catalog.int8 AND <ledger(int8 as int4) first>::pg_catalog.int8 AND id >= least(<ledger(int8 as int4) first>::pg_catalog.int8, $1) AND id > <ledger(int8 as int4) bound>::pg_catalog.int8 | parameters $1:ledger(int8 as int8) first:20 shown 20 | columns id:ledger(int8 as int8)

SELECT greatest(id, 1) = id, rank(1) WITHIN GROUP (ORDER BY id) FROM ledger GROUP BY id
-- edited SELECT greatest(id, <ledger(int8 as int4) first>::pg_catalog.int8) = id, rank(<ledger(int8 as int4) first>::pg_catalog.int8) WITHIN GROUP (ORDER BY id) FROM ledger GROUP BY id | columns ?column?, rank

SELECT count(*) FROM (SELECT 'l' AS kind, id FROM ledger UNION ALL SELECT 'c', counter_id FROM counter_uses) x
-- same | columns count

SELECT kind, count(*) FROM (SELECT 'l' AS kind, id FROM ledger UNION ALL SELECT 'c', counter_id FROM counter_uses) x GROUP BY kind
-- same | columns kind, count

SELECT name FROM users WHERE EXISTS (SELECT FROM (SELECT 'l' AS kind, id FROM ledger UNION ALL SELECT 'c', counter_id FROM counter_uses) x WHERE kind = 'l')
-- same | columns name

SELECT id FROM ledger UNION ALL SELECT counter_id FROM counter_uses
-- refused expression 0A000: column "id" holds ids of several kinds, and nothing tells which is which []

SELECT count(DISTINCT id) FROM (SELECT 'l' AS kind, id FROM ledger UNION ALL SELECT 'c', counter_id FROM counter_uses) x
-- refused expression 0A000: column "id" holds ids of several kinds, and nothing tells which is which [id]

SELECT * FROM (SELECT 'l' AS kind, id FROM ledger UNION ALL SELECT 'c', counter_id FROM counter_uses) x
-- refused expression 0A000: column "id" holds ids of several kinds, and nothing tells which is which []

SELECT x FROM (SELECT 'l' AS kind, id FROM ledger UNION ALL SELECT 'c', counter_id FROM counter_uses) x
-- refused expression 0A000: column "id" holds ids of several kinds, and nothing tells which is which [x]

SELECT to_jsonb(x) FROM (SELECT 'l' AS kind, id FROM ledger UNION ALL SELECT 'c', counter_id FROM counter_uses) x
-- refused expression 0A000: column "id" holds ids of several kinds, and nothing tells which is which [x]

SELECT kind FROM (SELECT 'l' AS kind, id FROM ledger UNION ALL SELECT 'c', counter_id FROM counter_uses) x WHERE id = 5
-- refused expression 0A000: column "id" holds ids of several kinds, and nothing tells which is which [id]

SELECT kind FROM (SELECT 'l' AS kind, id FROM ledger UNION ALL SELECT 'c', counter_id FROM counter_uses) x ORDER BY id
-- refused expression 0A000: column "id" holds ids of several kinds, and nothing tells which is which [id]

SELECT kind FROM (SELECT 'l' AS kind, id FROM ledger UNION ALL SELECT 'c', counter_id FROM counter_uses) x JOIN ledger USING (id)
-- refused mixed-domains 0A000: an id of "ledger" can't be used together with a value that is no id [ledger USING (id]

SELECT id FROM ledger UNION SELECT counter_id FROM counter_uses
-- refused mixed-domains 0A000: ids of "ledger" and of "counter" can't be used in one place [SELECT counter_id FROM counter_uses]

SELECT count(*) FROM (SELECT id FROM ledger UNION SELECT counter_id FROM counter_uses) x
-- refused mixed-domains 0A000: ids of "ledger" and of "counter" can't be used in one place [SELECT counter_id FROM counter_uses]

WITH RECURSIVE t AS (SELECT id FROM ledger UNION ALL SELECT u.counter_id FROM counter_uses u JOIN t ON t.id = 5) SELECT count(*) FROM t
-- refused expression 0A000: column "id" holds ids of several kinds, and nothing tells which is which [SELECT u.counter_id FROM counter_uses u JOIN t ON t.id = 5]

INSERT INTO ledger (id) SELECT id FROM (SELECT 'l' AS kind, id FROM ledger UNION ALL SELECT 'c', counter_id FROM counter_uses) x
-- refused expression 0A000: column "id" holds ids of several kinds, and nothing tells which is which [id]

SELECT count(DISTINCT x) FROM (SELECT id FROM ledger UNION ALL SELECT counter_id FROM counter_uses) x
-- refused expression 0A000: column "id" holds ids of several kinds, and nothing tells which is which [x]

SELECT count(DISTINCT x.*) FROM (SELECT id FROM ledger UNION ALL SELECT counter_id FROM counter_uses) x
-- refused expression 0A000: column "id" holds ids of several kinds, and nothing tells which is which [x]

SELECT count(*) FROM (SELECT DISTINCT * FROM (SELECT id FROM ledger UNION ALL SELECT counter_id FROM counter_uses) x) y
-- refused expression 0A000: column "id" holds ids of several kinds, and nothing tells which is which [SELECT]

SELECT count(*) FROM (SELECT id FROM ledger UNION ALL SELECT counter_id FROM counter_uses) x GROUP BY x
-- refused expression 0A000: column "id" holds ids of several kinds, and nothing tells which is which [x]

SELECT count(*) OVER (PARTITION BY x) FROM (SELECT id FROM ledger UNION ALL SELECT counter_id FROM counter_uses) x
-- refused expression 0A000: column "id" holds ids of several kinds, and nothing tells which is which [x]

SELECT rank() OVER (ORDER BY x) FROM (SELECT id FROM ledger UNION ALL SELECT counter_id FROM counter_uses) x
-- refused expression 0A000: column "id" holds ids of several kinds, and nothing tells which is which [x]

SELECT k FROM (SELECT id, 'l' AS k FROM ledger UNION ALL SELECT counter_id, 'c' FROM counter_uses ORDER BY id LIMIT 5) y
-- refused expression 0A000: column "id" holds ids of several kinds, and nothing tells which is which [id]

SELECT k FROM (SELECT id, 'l' AS k FROM ledger UNION ALL SELECT counter_id, 'c' FROM counter_uses ORDER BY 1 LIMIT 5) y
-- refused expression 0A000: column "id" holds ids of several kinds, and nothing tells which is which [1]

SELECT k FROM (SELECT * FROM (SELECT id, 'l' AS k FROM ledger UNION ALL SELECT counter_id, 'c' FROM counter_uses) x ORDER BY 1 LIMIT 5) y
-- refused expression 0A000: column "id" holds ids of several kinds, and nothing tells which is which [1]

SELECT k FROM (SELECT id, 'l' AS k FROM ledger UNION ALL SELECT counter_id, 'c' FROM counter_uses ORDER BY k LIMIT 5) y
-- same | columns k

SELECT count(*) FROM (SELECT id FROM ledger UNION ALL SELECT counter_id FROM counter_uses UNION ALL SELECT id FROM ledger) x
-- same | columns count

SELECT count(*) FROM (SELECT id FROM ledger UNION ALL (SELECT counter_id FROM counter_uses UNION ALL SELECT id FROM ledger)) x
-- same | columns count

SELECT id FROM ledger UNION ALL SELECT counter_id FROM counter_uses UNION SELECT id FROM ledger
-- refused expression 0A000: column "id" holds ids of several kinds, and nothing tells which is which [SELECT id FROM ledger]

SELECT count(*) FROM (SELECT id FROM ledger UNION ALL SELECT counter_id FROM counter_uses UNION ALL SELECT 5) x
-- refused expression 0A000: column "id" holds ids of several kinds, and nothing tells which is which [SELECT 5]

