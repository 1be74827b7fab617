EXPLAIN. The ids of the statement are shown as ids; every other constant that could be a key is
masked, so what the twin says is compared with its constants masked where a step says so. Costs and
widths are those of other types, so they are left out. Where ids are compared for order, the plan is
the one for values that the planner does not know, so that the ways to scan are told where it would
choose another.

-- case: explain: an id in a condition is shown as the client sent it
set local enable_seqscan = off;
explain (costs off) select name from users where id = ':users.ann';
-- with: :users.ann
explain (costs off) select name from users where id = $1;
explain (costs off, verbose) select name from users where id = uuid ':users.ann';
explain (costs off) select name from users where id = ':users.ann'::uuid;
explain (costs off) select name from users where id = cast(':users.ann' as uuid);
explain (costs off) select o.id from orders o where o.user_id = ':users.ann' and o.status = 'new';
explain (costs off) select name from users where ':users.ann' = id;

-- case: explain: every kind of comparison
set local enable_seqscan = off;
set local enable_bitmapscan = off;
explain (costs off) select name from users where id > ':users.ann' and id <= ':users.bob';
explain (costs off) select name from users where id between ':users.ann' and ':users.bob';
explain (costs off) select name from users where id in (':users.ann', ':users.bob');
explain (costs off) select name from users where id in (':users.ann', null);
explain (costs off) select name from users where id not in (':users.ann', ':users.bob');
explain (costs off) select name from users where id = any('{:users.ann,:users.bob}');
explain (costs off) select name from users where id = any(array[':users.ann', ':users.bob']::uuid[]);
explain (costs off) select name from users where id in (':users.ann'::uuid, ':users.bob'::uuid);
explain (costs off) select name from users where id in (':users.ann', uuid ':users.bob');
explain (costs off) select name from users where users.id /* these */ in ( -- two
  ':users.ann' , ':users.bob') and name in ('Ann', 'Bob');
explain (costs off) select name from users where true = id in (':users.ann', ':users.bob');
explain (costs off) select name from users where (id) not in (':users.ann', ':users.bob') is not false;
explain (costs off) select name from users where coalesce(id, ':users.ann') in (':users.ann', ':users.bob');
explain (costs off) select name from users where id <> all(array[':users.ann', uuid ':users.bob']);
explain (costs off, verbose) select array[id, ':users.ann'] from users where id = any(array[':users.ann', ':users.bob']::uuid[]);
explain (costs off) select name from users where id <> ':users.ann' or id is null;
explain (costs off) select name from users where id is distinct from ':users.ann';
explain (costs off) select id from orders where (user_id, id) > (':users.ann', ':orders.one');
-- with: {:users.ann,:users.bob}
explain (costs off) select name from users where id = any($1);
-- with: :users.ann, :users.bob
explain (costs off) select name from users where id in ($1, $2);

-- case: explain: an id that nobody has
set local enable_seqscan = off;
explain (costs off) select name from users where id = '00000000-0000-4000-8000-00000000dead';
explain (costs off) select name from users where id < 'ffffffff-ffff-ffff-ffff-ffffffffffff';
-- fails: 22P02
explain (costs off) select name from users where id = 'x';
-- fails: 42883
-- except: hint
explain (costs off) select name from users where id = 5;

-- case: explain: joins carry the constant to both sides
set local enable_seqscan = off;
set local enable_hashjoin = off;
set local enable_mergejoin = off;
set local enable_bitmapscan = off;
explain (costs off) select u.name, o.status from users u join orders o on o.user_id = u.id where u.id = ':users.ann';
explain (costs off) select name from users u where exists (select from orders o where o.user_id = u.id and o.id = ':orders.one');
explain (costs off) select name, (select max(o.status) from orders o where o.user_id = u.id) from users u where id = ':users.ann';
explain (costs off) with c as materialized (select id from users where id = ':users.ann') select * from c;

-- case: explain: verbose output
explain (costs off, verbose) select id, 'user-' || id, json_build_object('id', id) from users;
explain (costs off, verbose) select u, u.* from users u;
explain (costs off, verbose) select ':users.ann'::uuid, name from users;
explain (costs off, verbose) select s.id, s.who from (select id, ':users.ann'::uuid as who from users offset 0) s;
explain (costs off, verbose) select id, status from orders order by user_id desc, id;
explain (costs off, verbose) select user_id, count(*), array_agg(id) from orders group by user_id;

-- case: explain: other constants are masked
-- masked
explain (costs off) select name from users where id = ':users.ann' and login_count > 5;
-- masked
explain (costs off) select name from users where login_count in (1, 2, 30) and name <> 'Bob 3';
-- masked
explain (costs off) select name from users where login_count = -5 or name = 'it''s 5';
-- masked
explain (costs off) select name from users where auth_subject = '11111111-1111-4111-8111-111111111111';
explain (costs off) select name from users where name = 'Bob' and is_active;
explain (costs off) select name from users where created_at > '2024-01-01' and created_at < now();
-- masked
-- with: 5
explain (costs off) select name from users where login_count = $1;
-- masked
explain (costs off, verbose) select id, total_cents::numeric(12,2), 7 from orders limit 3;
-- masked
explain (costs off) select name from settings where weight > 5 and exists (select from users where id = ':users.ann');

-- case: explain: statements that write
set local enable_seqscan = off;
-- masked
explain (costs off, verbose) insert into seats values (':teams.red', ':users.ann', 5);
explain (costs off) update orders set user_id = ':users.bob' where id = ':orders.one';
explain (costs off) delete from orders where id = ':orders.one' returning id;
explain (costs off) insert into order_tags values (':orders.one', ':tags.gift') on conflict do nothing;
-- fails: 23503
-- early
explain (analyze, costs off, buffers off) insert into orders (user_id) values ('00000000-0000-4000-8000-00000000dead');

-- case: explain: what is analysed runs
set local enable_seqscan = off;
explain (analyze, costs off, buffers off, timing off, summary off) select name from users where id = ':users.ann';
explain (analyze, costs off, buffers off, timing off, summary off) update users set name = 'Anna' where id = ':users.ann';
select name from users where id = ':users.ann';
explain (analyze, costs off, buffers off, timing off, summary off) select name from users where id = '00000000-0000-4000-8000-00000000dead';
explain (costs off) delete from users where id = ':users.ann';
select count(*) from users where id = ':users.ann';

-- case: explain: documents
set local enable_bitmapscan = off;
set local enable_seqscan = off;
explain (costs off, format json) select name from users where id = ':users.ann';
explain (costs off, format yaml) select name from users where id = ':users.ann';
explain (costs off, format xml) select name from users where id = ':users.ann';
explain (costs off, verbose, format json) select id, "name" as "a ""b""" from users where id in (':users.ann', ':users.bob') and name <> 'a\b"c' and id > ':users.ann';
explain (costs off, verbose, format 'yaml') select id, "name" as "a ""b""" from users where id in (':users.ann', ':users.bob') and name <> 'a\b"c' and id > ':users.ann';
explain (costs off, verbose, "format" xml) select id, "name" as "a ""b""" from users where id in (':users.ann', ':users.bob') and name <> 'a\b"c' and id > ':users.ann';
explain (format xml, format json, costs off, settings) select user_id, count(*) from orders where id > ':orders.one' group by user_id;

-- case: explain: documents with ids in them
-- masked
explain (costs off) select id from letters where body @> '{"user": {"id": ":users.ann"}, "n": 7}';
-- masked
explain (costs off, verbose) select id, body, raw from letters where body = '{"user": {"id": ":users.ann"}, "n": 7}';
-- with: '{"to": [":users.cai"], "n": 7}'
-- masked
explain (costs off) select id from letters where body @> $1;
-- masked
explain (costs off, format json) select id from letters where body @> '{"user": {"id": ":users.ann"}, "n": 7}';
-- masked
explain (costs off, format yaml) select id from letters where body @> '{"user": {"id": ":users.ann"}, "n": 7}';
-- masked
explain (costs off) select x.id from jsonb_to_recordset('[{"id": ":users.ann", "n": 7}]') as x(id uuid) join users u on u.id = x.id;
-- masked
explain (costs off) select id from memos where body = '{"author": {"id": ":users.ann"}, "n": 7}';
explain (analyze, costs off, buffers off, timing off, summary off) insert into letters (body) values ('{"user": {"id": ":users.dee"}}');
select count(*) from letters where body @> '{"user": {"id": ":users.dee"}}';

-- case: explain: parentheses and words
set local enable_seqscan = off;
explain (costs off) (select name from users where id = ':users.ann') union all (select name from users where id = ':users.bob');
explain (costs off) ((with u as (select * from users) select name from u where id = ':users.ann') limit 1);
explain (costs false, analyze off) (values (':users.ann'::uuid)) union all select id from users;
-- fails: 22023
explain (format nothing) select id from users;
-- fails: 42601
explain (nothing) select id from users;

-- case: explain: cursors and prepared statements
set local enable_seqscan = off;
explain (costs off) declare c cursor for select name from users where id = ':users.ann';
-- fails: 34000
fetch c;

-- case: explain: of what is prepared all constants are masked
-- modes: simple
set local enable_seqscan = off;
prepare by_id (uuid) as select name from users where id = $1;
explain (costs off, analyze, buffers off, timing off, summary off) execute by_id(null);
deallocate by_id;

-- case: explain: views show their own constants masked
set local enable_seqscan = off;
explain (costs off) select * from active_names where uid = ':users.ann';
-- masked
explain (costs off) select * from user_order_totals where user_id = ':users.ann';
-- masked
explain (costs off) select * from orders_of(':users.ann');

-- case: explain: what names nothing protected is masked alike
-- masked
explain (costs off) select * from settings where weight = 5;
explain (costs off) select * from settings where name = 'colour';
explain (costs off) select 1;

-- case: explain: still refused
-- refused: 0A000
explain select label from with_text where label = 'x';
-- refused: 0A000
explain select md5(id::text) from users;
-- refused: 0A000
explain create table taken as select id from users;
