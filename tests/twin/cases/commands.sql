What applications do beside queries: PREPARE, cursors, COPY, savepoints, search_path, temporary
objects in front of others, functions and several statements at once.

-- case: command prepare a join with arrays
-- modes: simple text declared binary
deallocate all;
prepare by_users (uuid[]) as select o.id, u.name from orders o join users u on u.id = o.user_id where u.id = any ($1) order by o.id;
execute by_users('{:users.ann,:users.bob}');
execute by_users('{}');
execute by_users(null);
deallocate prepare by_users;
-- fails: 26000
execute by_users('{}');

-- case: command prepare a statement that counts
-- modes: simple text declared binary
deallocate all;
prepare many as select count(*) as n, max(total_cents) as most from orders where user_id = $1;
execute many(':users.ann');
execute many(':users.dee');
deallocate all;

-- case: command prepare changes with returning
-- modes: simple text declared binary
deallocate all;
prepare rename (uuid, text) as update users set name = $2 where id = $1 returning id, name;
prepare forget as delete from order_tags where order_id = $1 and tag_id = $2 returning order_id, tag_id;
execute rename(':users.cai', 'Kai');
execute rename(':fixed.unknown', 'Nobody');
execute forget(':orders.one', ':tags.rush');
execute forget(':orders.one', ':tags.rush');
select name from users where id = ':users.cai';
deallocate rename;
deallocate forget;

-- case: command prepare an upsert
-- modes: simple text declared binary
deallocate all;
prepare seat (uuid, uuid, integer) as insert into seats (team_id, user_id, number) values ($1, $2, $3) on conflict (team_id, number) do update set user_id = excluded.user_id returning team_id, user_id, number;
execute seat(':teams.red', ':users.bob', 1);
execute seat(':teams.blue', ':users.cai', 7);
deallocate seat;

-- case: command prepare a recursive query
-- modes: simple text declared binary
deallocate all;
prepare thread as with recursive t as (select id, parent_id, 1 as depth from comments where id = $1 union all select c.id, c.parent_id, t.depth + 1 from comments c join t on c.parent_id = t.id) select id, parent_id, depth from t order by depth;
execute thread(':comments.root');
execute thread(':comments.deep');
deallocate thread;

-- case: command prepare values that are no ids
-- modes: simple text declared binary
deallocate all;
prepare cheap (bigint, text) as select id, status from orders where total_cents < $1 and status <> $2 order by id;
execute cheap(1000, 'void');
execute cheap(90 + 10, 'x' || 'y');
deallocate cheap;

-- case: command a cursor goes back and forth
-- modes: simple text declared binary
declare c scroll cursor for select id, user_id, total_cents from orders order by id;
fetch 2 from c;
fetch prior from c;
fetch first from c;
fetch last from c;
fetch backward 2 from c;
move absolute 0 in c;
fetch forward all from c;
move backward all in c;
fetch relative 2 from c;
fetch relative 0 from c;
close c;

-- case: command a cursor of a window and of text
-- modes: simple text declared binary
declare w cursor for select id, lag(id) over (order by id) as before, 'o-' || id as label from orders order by id;
fetch 2 from w;
move 1 in w;
fetch all from w;
close w;

-- case: command two cursors in turns
-- modes: simple text declared binary
declare a cursor for select id from users order by id;
declare b cursor for select id from teams order by id;
fetch a;
fetch b;
fetch a;
fetch b;
close all;
-- fails: 34000
fetch a;

-- case: command a cursor over a union and a join
-- modes: simple text declared binary
declare c cursor for select u.id, u.name from users u where u.is_active union select m.user_id, m.role from memberships m order by 2, 1;
fetch 3 from c;
fetch all from c;
close c;

-- case: command a cursor that outlives its transaction
-- autocommit
-- wire
query: begin
query: declare held scroll cursor with hold for select o.id, u.id as buyer from orders o join users u on u.id = o.user_id order by o.id
query: fetch 2 from held
query: commit
query: fetch 2 from held
query: fetch backward 1 from held
query: fetch first from held
query: close held

-- case: command update and delete at a cursor
-- modes: simple text declared binary
declare c cursor for select * from order_tags order by order_id, tag_id for update;
fetch 1 from c;
delete from order_tags where current of c returning order_id, tag_id;
fetch 1 from c;
close c;
select * from order_tags order by order_id, tag_id;

-- case: command a cursor and a savepoint
-- modes: simple text declared binary
declare c cursor for select id from orders order by id;
fetch 1 from c;
savepoint s;
fetch 1 from c;
declare d cursor for select id from users order by id;
fetch 1 from d;
rollback to s;
fetch 1 from c;

-- case: command copy queries out
-- modes: simple text
copy (select u.id, o.id as order_id from users u join orders o on o.user_id = u.id order by o.id) to stdout;
copy (select id, name from users where id <> ':users.ann' order by id) to stdout with (format csv, header);
copy (select user_id, count(*) from orders group by user_id order by user_id) to stdout (format csv, force_quote *);
copy (values (':users.ann', 1)) to stdout;
copy (select id, participant_ids from events order by id) to stdout with (format text, null 'none');

-- case: command copy a query out in binary
-- modes: simple text
copy (select id, user_id, total_cents, status from orders order by id) to stdout (format binary);
copy (select array_agg(id order by id), count(*) from users) to stdout (format binary);

-- case: command copy columns out
-- modes: simple text
copy memberships (role, user_id) to stdout;
copy orders (id, status, user_id) to stdout with (format csv, delimiter ';');
copy products (name, id, maker_id) to stdout (format binary);

-- case: command copy changes out
-- modes: simple text
copy (update orders set note = 'seen' where user_id = ':users.bob' returning id, user_id, note) to stdout;
copy (delete from order_tags where order_id = ':orders.one' returning *) to stdout csv;

-- case: command table
table order_tags;
select * from (table teams) t order by id;
with t as (table memberships) select team_id, user_id from t order by 1, 2;
select count(*) from (table users union all table users) x;
table users order by id limit 2;

-- case: command savepoints around writes
-- modes: simple text declared binary
savepoint a;
update orders set user_id = ':users.dee' where id = ':orders.one' returning id, user_id;
savepoint b;
delete from invoice_lines where invoice_id = ':orders.one' returning invoice_id, line;
rollback to b;
select invoice_id, line from invoice_lines where invoice_id = ':orders.one' order by line;
release b;
select user_id from orders where id = ':orders.one';
rollback to a;
select user_id from orders where id = ':orders.one';
release savepoint a;

-- case: command an error inside a savepoint
-- autocommit
-- fails: 22P02 23503
-- wire
query: begin
query: savepoint s
query: select id from users where id = 'nonsense'
query: rollback to s
query: select id, name from users where name = 'Ann'
query: insert into orders (user_id) values (':fixed.unknown')
query: rollback to savepoint s
query: select count(*) from orders
query: rollback

-- case: command search_path inside a transaction
-- modes: simple text declared binary
select id, name from users order by id limit 1;
set local search_path = shop, public;
select id, nick from users order by id limit 1;
select c.id, c.user_id from carts c join users u on u.id = c.user_id order by c.id;
select id from public.users order by id limit 1;
set local search_path to public;
select name from users order by id limit 1;
reset search_path;
select name from users order by id limit 1;

-- case: command search_path goes back with a savepoint
-- modes: simple text declared binary
savepoint s;
set search_path = shop;
select nick from users order by id limit 1;
rollback to s;
select name from users order by id limit 1;

-- case: command a temporary table in front of an annotated one
-- modes: simple text declared binary
create temp table users (id integer, name text);
insert into users values (1, 'one'), (2, 'two');
select id, name from users order by id;
select id + 1 as next from users order by id;
select u.id, p.id as pid, p.name from users u join public.users p on p.name = 'Ann' order by u.id;
drop table users;
select id, name from users order by id limit 1;

-- case: command a temporary view in front of an annotated table
-- modes: simple text declared binary
create temp view teams as select id, name from public.teams where name <> 'Red';
select id, name from teams order by id;
select name from teams where id = ':teams.blue';
drop view teams;
select count(*) from teams;

-- case: command select into a temporary table
-- modes: simple text declared binary
select id, user_id, total_cents into temp mine from orders where user_id = ':users.ann';
select id, user_id from mine order by id;
select sum(total_cents) from mine;
-- with: :orders.two
delete from mine where id = $1 returning id;
drop table mine;

-- case: command a temporary table like another
-- modes: simple text declared binary
create temp table staged (like order_items including defaults);
-- with: :order_items.a, :orders.two
insert into staged (id, order_id, sku) values ($1, $2, 'new') returning id, order_id, qty;
insert into staged select * from order_items where order_id = ':orders.one';
select order_id, array_agg(sku order by sku) from staged group by order_id order by order_id;
update order_items i set qty = 9 from staged s where s.order_id = i.order_id returning i.id, i.qty;

-- case: command functions that return sets of a table
select * from orders_of(':users.bob') o order by o.id desc;
select u.name, o.id from users u left join lateral orders_of(u.id, 200) o on true order by u.name, o.id;
select array_agg(o.id order by o.id) from orders_of(':users.ann') o;
select (o).id, (o).total_cents from (select orders_of(':users.ann') as o) x order by 1;
select count(*) from users_called('%i%');

-- case: command functions that return tables
select user_id, cents * 2 as twice from spent(':users.ann');
select u.id = s.user_id as same from users u, spent(u.id) s order by u.id;
select b.* from bill(':users.ann', '2000-01-01') b order by b.order_id;
select b.order_id, o.status from bill(':users.bob', '2026-01-01') b join orders o on o.id = b.order_id order by 1;

-- case: command functions with a body in the standard
select k from known(array[':users.bob', ':users.ann']::uuid[]) k;
select u.name from known((select array_agg(user_id) from orders)) k join users u on u.id = k order by u.name;
select id from users where itself(id) = ':users.dee';

-- case: command functions of the configuration
select owner_of(id) = user_id as right, id from orders order by id;
select u.name, o.id from orders o join users u on u.id = owner_of(o.id) order by o.id;
select distinct owner_of(id) from orders order by 1;

-- case: command triggers see keys and clients see ids
insert into tickets (owner_id, title) values (':users.ann', 'plain') returning owner_id, title;
-- with: :users.bob
update tickets set owner_id = $1, title = 'again' returning owner_id, title;
select t.title, u.name from tickets t join users u on u.id = t.owner_id order by t.id;

-- case: command statements of all kinds in one query
-- script
begin; select id from users where name = 'Ann'; savepoint s; update users set name = 'Anna' where id = ':users.ann' returning id, name; rollback to s; select name from users where id = ':users.ann'; commit

-- case: command prepare and deallocate in one query
-- script
deallocate all; prepare q (uuid) as select id, name from users where id = $1; deallocate q; select id from users where name = 'Bob'

-- case: command cursors in one query
-- script
begin; declare c scroll cursor for select id, status from orders order by id; fetch 2 from c; move last in c; fetch backward 1 from c; close c; rollback

-- case: command copy between other statements in one query
-- script
select count(*) from users; copy (select id, name from teams order by id) to stdout; select id from teams order by id limit 1

-- case: command explain what is prepared and what is not
-- modes: simple text
explain (costs off) select name from users where id = ':users.ann';
explain (costs off, verbose) select o.status from orders o where o.user_id = ':users.bob' and o.id <> ':orders.one';

-- case: command show and set do not matter
select name from users where id = ':users.ann';
set local work_mem = '8MB';
show work_mem;
select id from users where name = 'Ann';
set local statement_timeout = 0;
select current_setting('work_mem'), id from users where name = 'Bob';

-- case: command transactions with modes
-- autocommit
-- wire
query: begin isolation level repeatable read read only
query: select id, name from users order by id limit 2
query: commit
query: start transaction isolation level serializable
query: select count(*) from orders
query: select id from orders where user_id = ':users.ann' order by id
query: commit and chain
query: select id from teams order by id limit 1
query: rollback

-- case: command locks
-- modes: simple text declared binary
lock table orders in share mode;
select id from orders where user_id = ':users.ann' order by id for update;
select o.id, u.id as buyer from orders o join users u on u.id = o.user_id order by o.id for share of o;
select id from users order by id limit 1 for no key update skip locked;

-- case: command copy with a sign for null that begins a number
-- modes: simple text
copy (select id, participant_ids from events order by id) to stdout with (format text, null '-');

-- case: command a literal for a function that only hands it back
-- refused: 22P02
select itself(':users.ann');
