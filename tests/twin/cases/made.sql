Relations that a session makes of others.

-- case: made a table of a query
-- modes: simple text declared binary
create temp table picked as select id, user_id, status from orders;
select * from picked order by id;
select p.id, o.id, o.user_id = p.user_id as same from picked p join orders o on o.id = p.id order by p.id;
select u.name, count(*) from picked p join users u on u.id = p.user_id group by u.name order by u.name;
-- with: :users.ann
select id from picked where user_id = $1 order by id;
select array_agg(id order by id), min(user_id), max(id) from picked;
-- fails: 42883
select id + 1 from picked;
-- fails: 42883
select id from picked where user_id = 5;
select 'o-' || id as label, to_jsonb(p) from picked p order by id;
-- refused: 0A000
select md5(id::text) from picked;
drop table picked;
-- fails: 42P01
select * from picked;

-- case: made a table that may be there already
create temp table if not exists once as select id, name from users where is_active;
select id, name from once order by id;
-- with: :users.ann
select name from once where id = $1;

-- case: made a table of a query with literals and parameters
-- modes: simple text declared binary
create temp table mine as select id, total_cents from orders where user_id = ':users.ann';
select id, total_cents + 1 as more from mine order by id;
-- with: :users.bob
create temp table theirs as select id, user_id from orders where user_id = $1;
select id, user_id from theirs order by id;

-- case: made names of columns
-- modes: simple text declared binary
create temp table named (a, b, c) as select id, name, login_count from users;
select a, b, c + 1 as c1 from named order by a;
-- fails: 42703
select id from named;
-- fails: 42883
select a + 1 from named;

-- case: made without rows, then filled
-- modes: simple text declared binary
create temp table empty as select id, user_id, note from orders with no data;
select * from empty;
insert into empty select id, user_id, 'copied' from orders;
select * from empty order by id;
-- with: :orders.one, :users.bob
insert into empty (id, user_id) values ($1, $2) returning id, user_id, note;
update empty set user_id = ':users.ann' where note = 'copied';
select distinct user_id from empty order by user_id;
delete from empty where user_id = ':users.ann' returning id;

-- case: made of a table, of values, and of a query in parentheses
-- modes: simple text declared binary
create temporary table all_tags as table tags;
select * from all_tags order by id;
create temp table three as values (1, 'a'), (2, 'b'), (3, null);
select column1 + 1 as n, column2 from three order by 1;
create temp table paired as (select id from users union select owner_id from teams);
select id from paired order by id;
create temp table deep as with recursive c as (select id, parent_id, 1 as level from comments where parent_id is null union all select k.id, k.parent_id, c.level + 1 from comments k join c on k.parent_id = c.id) select * from c with data;
select id, parent_id, level from deep order by id;

-- case: made expressions that carry ids
-- modes: simple text declared binary
create temp table carried as select coalesce(parent_id, id) as root, array_agg(id order by id) as ids, min(author_id), count(*) as n from comments group by 1;
select root, ids, min, n from carried order by root;
select unnest(ids) as id from carried order by 1;
-- with: :comments.root
select n from carried where root = $1;
select c.body from carried r join comments c on c.id = any (r.ids) order by c.id;

-- case: made arrays of ids
-- modes: simple text declared binary
create temp table met as select id, participant_ids from events;
select id, participant_ids, cardinality(participant_ids) from met order by id;
-- with: :users.ann
select id from met where $1 = any (participant_ids) order by id;

-- case: made narrow keys
-- modes: simple text declared binary
create temp table narrow as select p.id, s.amount, r.id as region from products p join stock s on s.product_id = p.id cross join (select id from regions order by id limit 1) r;
select id, amount + 1 as more, region from narrow order by id, amount;
-- with: :products.pen
select amount from narrow where id = $1 order by amount;

-- case: made no id comes in
-- modes: simple text declared binary
create temp table counted as select status, count(*) as n, sum(total_cents) as total from orders group by status;
select status, n + 1 as more, total * 2 as twice from counted order by status;
create table public.lasting as select u.name, count(o.id) as n from users u left join orders o on o.user_id = u.id group by u.name;
select name, n * 2 as twice from lasting order by name;

-- case: made text that is built of ids is not stored
-- modes: simple text declared binary
-- refused: 0A000
create temp table labels as select 'user-' || id as label from users;
-- refused: 0A000
create temp table objects as select to_jsonb(u) as object from users u;
-- refused: 0A000
create temp table texts as select id::text as t from users;
-- refused: 0A000
create temp table hashes as select md5(id::text) as h from users;

-- case: made a lasting table of ids needs an annotation
-- modes: simple text declared binary
-- refused: 0A000
create table lasting as select id from users;
-- refused: 0A000
create unlogged table lasting (user_id, name) as select id, name from users;
-- refused: 0A000
select id, name into lasting from users;

-- case: made select into
-- modes: simple text declared binary
select id, name into temp chosen from users where is_active;
select id, name from chosen order by id;
select o.id as order_id, u.id as user_id into temporary table joined from orders o join users u on u.id = o.user_id;
select order_id, user_id from joined order by order_id;
select name, login_count into temp plain from users;
select name, login_count + 1 as more from plain order by name;
with w as (select id from teams) select id into pg_temp.withs from w;
select id from pg_temp.withs order by id;

-- case: made made like a table, and filled
-- modes: simple text declared binary
create temp table staged (like orders including defaults, line integer);
select * from staged;
insert into staged (id, user_id, status, total_cents, placed_at, line) select id, user_id, status, total_cents, placed_at, 1 from orders;
select id, user_id, line from staged order by id;
update orders o set note = 'seen' from staged s where s.id = o.id and s.user_id = ':users.ann' returning o.id, s.user_id;
-- fails: 42883
select id + 1 from staged;

-- case: made made like a table twice
-- modes: simple text declared binary
create temp table twin1 (like users);
create temp table twin2 (like twin1, extra text);
insert into twin2 select u.*, 'x' from users u;
insert into twin1 select id, email, name, is_active, login_count, auth_subject, created_at from twin2;
select id, auth_subject from twin1 order by id;

-- case: made a real uuid stays one
-- modes: simple text declared binary
create temp table loaded (id uuid, n integer);
insert into loaded values (':fixed.subject_ann', 1), (':fixed.unknown', 2);
select id, n from loaded order by n;
select u.name from users u join loaded l on l.id = u.auth_subject;
-- refused: 0A000
select u.name from users u join loaded l on l.id = u.id;
-- refused: 0A000
insert into orders (user_id) select id from loaded where false;
-- except: position
-- fails: 42804
insert into orders (user_id) select n from loaded;

-- case: made a number takes no id
-- modes: simple text declared binary
create temp table numbers (n bigint);
-- except: position
-- fails: 42804
insert into numbers select id from users;
insert into numbers values (5);
select n + 1 as more from numbers;

-- case: made until the transaction ends
-- autocommit
-- modes: simple text declared binary
begin;
create temp table brief on commit drop as select id, name from users;
select id, name from brief order by id;
commit;
-- fails: 42P01
select id from brief;
begin;
create temp table brief on commit delete rows as select id from tags;
select id from brief order by id;
commit;
select id from brief;
drop table brief;

-- case: made undone with its transaction
-- autocommit
-- modes: simple text declared binary
begin;
create temp table undone as select id from users;
select id from undone order by id;
rollback;
-- fails: 42P01
select id from undone;
create temp table undone as select id as id, 1 as n from tags;
select id, n + 1 as more from undone order by id;
drop table undone;

-- case: made undone with a savepoint
-- autocommit
-- modes: simple text declared binary
begin;
savepoint s;
create temp table tags as select id as name, login_count as id from users;
select name, id + 1 as more from tags order by name;
rollback to s;
select id, name from tags order by id;
rollback;

-- case: made one name for two tables in time
-- autocommit
-- modes: simple text declared binary
create temp table again as select id, login_count as n from users;
select id, n + 1 as more from again order by id;
drop table again;
create temp table again as select login_count as id, id as n from users;
select id + 1 as more, n from again order by n;
alter table again rename column n to user_id;
select user_id, id * 2 as twice from again order by user_id;
alter table again rename to other;
select user_id, id * 2 as twice from other order by user_id;
-- with: :users.ann
select id from other where user_id = $1;
-- fails: 42P01
select * from again;
drop table other;

-- case: made in front of an annotated table
-- modes: simple text declared binary
create temp table teams as select id as name, name as id from users;
select name, id || '!' as loud from teams order by name;
select id, name from public.teams order by id;
drop table teams;
select id, name || '!' as loud from teams order by id;

-- case: made temporary views
-- modes: simple text declared binary
create temp view viewed as select o.id, u.id as user_id, u.name from orders o join users u on u.id = o.user_id;
select id, user_id, name from viewed order by id;
create temp table of_view as select user_id, count(*) as n from viewed group by user_id;
create temp view of_table as select user_id, n + 1 as more from of_view;
select user_id, more from of_table order by user_id;
create temp table like_view (like viewed);
insert into like_view select * from viewed;
select id, user_id from like_view order by id;
-- fails: 42883
select id + 1 from of_table v join viewed w on w.user_id = v.user_id;

-- case: made changed afterwards
-- modes: simple text declared binary
create temp table changing as select id, name from users;
alter table changing add column n integer default 3;
create index on changing (id);
analyze changing;
select id, n + 1 as more from changing order by id;
alter table changing drop column name;
select * from changing order by id;
truncate changing;
select * from changing;

-- case: made copy into it and out of it
-- autocommit
-- wire
query: create temp table bulk as select id, user_id, note from orders with no data
query: insert into bulk select id, user_id, 'n' from orders
query: copy bulk to stdout
query: copy bulk (user_id, id) from stdin
line: :users.ann~t:orders.one
line: :users.bob~t\N
done
query: select count(*) from bulk
query: drop table bulk

-- case: made cursors over it
-- modes: simple text
create temp table walked as select id, name from users;
declare w cursor for select id from walked order by id;
fetch 2 from w;
fetch all from w;
close w;

-- case: made in one text
-- modes: simple
-- autocommit
-- script
begin; create temp table texted as select id, name from users; commit

select id, name from texted order by id;
-- refused: 0A000
-- script
create temp table texted2 as select id from users; select * from texted2

drop table texted;

-- case: made by SEARCH and CYCLE
with recursive t(id, parent_id) as (select id, parent_id from comments where parent_id is null union all select c.id, c.parent_id from comments c join t on c.parent_id = t.id) search depth first by id set path select id, parent_id from t order by path;
with recursive t as (select id, parent_id, body from comments where parent_id is null union all select c.id, c.parent_id, c.body from comments c join t on c.parent_id = t.id) search breadth first by body, id set level select t.id, u.name from t join comments k on k.id = t.id join users u on u.id = k.author_id order by level;
with recursive t(id, parent_id) as (select id, parent_id from comments where id = ':comments.root' union all select c.id, c.parent_id from comments c join t on c.parent_id = t.id) cycle id set seen using path select id, seen from t order by path;
-- with: :comments.root
with recursive t(id, parent_id) as (select id, parent_id from comments where id = $1 union all select c.id, c.parent_id from comments c join t on c.parent_id = t.id) search depth first by id set o cycle id set seen to 'y' default 'n' using path select id, seen, cardinality(path) as length from t order by o;
with recursive t(id, parent_id) as (select id, parent_id from comments where parent_id is null union all select c.id, c.parent_id from comments c join t on c.parent_id = t.id where not seen) cycle id set seen using path select id from t where not seen order by id;
with recursive t(id, parent_id) as (select id, parent_id from comments where parent_id is null union all select c.id, c.parent_id from comments c join t on c.parent_id = t.id) cycle id set seen using path select path from t;
with recursive t(id, parent_id) as (select id, parent_id from comments where parent_id is null union all select c.id, c.parent_id from comments c join t on c.parent_id = t.id) search breadth first by id set level select * from t;
with recursive t(n) as (select 1 union all select n + 1 from t where n < 3) search depth first by n set path select n, path from t order by path;

-- case: made and walked after it is gone
-- autocommit
-- modes: simple text
begin;
create temp table walked as select id, login_count as n from users;
declare w cursor with hold for select id, n from walked order by id;
commit;
fetch 1 from w;
drop table walked;
fetch all from w;
close w;

-- case: made cursors do not outlast their transaction
-- autocommit
-- modes: simple text
begin;
declare lost cursor with hold for select id from users order by id;
rollback;
-- fails: 34000
fetch all from lost;
begin;
declare lost cursor with hold for select name from users order by id;
fetch 1 from lost;
commit;
fetch 1 from lost;
close lost;

-- case: made by calling a type
select int4(login_count) as n, text(name) as t, int8(int4 '7') as i, date('2026-01-01') as d from users order by id;
-- fails: 42883
select int4(id) from users;
select tsvector('a b') @@ tsquery('a') as found, regclass('pg_class') as c;

-- case: made of rows without names
select q.a, q.b + 1 as more from unnest(array[row(1, 2), row(3, 4)]) as q(a int, b int) order by q.a;
select q.a, q.b from unnest(array(select row(id, name) from users)) as q(a uuid, b varchar(120)) order by q.b;
