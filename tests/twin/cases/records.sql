Rows as values: of tables, of subqueries, made with ROW, in arrays, inside each other.

-- case: the row of a table
select u from users u order by u.id;
select u from users u where u.id = ':users.ann';
select o from orders o order by o.id;
select t.name, u from teams t left join users u on u.id = t.owner_id order by t.id;
select m from memberships m order by m.team_id, m.user_id;
select e from events e order by e.id;
select p, s from products p join stock s on s.product_id = p.id order by p.id, s.warehouse;
select r from regions r order by r.id;
select d from documents d order by d.id;
select users from users order by users.id;

-- case: the row of a table with one quoted in it
-- with: 'a "b" \c, (d)'
update users set name = $1;
select u from users u order by u.id;
select array_agg(u order by u.id) from users u;
select row(u, array[u]) from users u order by u.id;

-- case: rows made of the columns of a table
select row(u.*) from users u order by u.id;
select row(t.name, u.*, 1) from users u join teams t on t.owner_id = u.id order by t.id;
select row(n.*, u.id) from (select name from teams order by id limit 1) n, users u order by u.id;
select count(*) from users u where row(u.*) is distinct from row(u.*);
select array[row(x.*)] from (select id, name from users) x order by x.id;

-- case: rows made of values
select row(id, name) from users order by id;
select (id, name, login_count) from users order by id;
select row(id), row(id, null), row(null, id), row('', id) from users order by id;
select row(id, id), row(user_id, id) from orders order by id;
select row(u.id, t.id) from users u join teams t on t.owner_id = u.id order by t.id;
select row(id::text, name) from users order by id;
select row(participant_ids, id) from events order by id;
select row(array[id], array_append(array[id], null)) from users order by id;
select (id, (name, id)) from users order by id;
select row(1, 'a') from users order by id;

-- case: rows made of parameters
-- with: :users.ann, 'x'
select row($1::uuid, $2::text), id from users where id = $1 order by id;
-- with: :users.ann
select (id, name) = ($1, 'Ann') from users order by id;

-- case: arrays of rows
select array_agg(u order by u.id) from users u;
select array_agg((id, name) order by id) from users;
select array[(id, name), (id, email)] from users order by id;
select array(select u from users u order by u.id);
select array(select (id, name) from users order by id);
select user_id, array_agg(o order by o.id) from orders o group by user_id order by user_id;
select array_agg((id, array[id], (name, id)) order by id) from users;
select (array_agg(u order by u.id))[1] from users u;
select (array_agg(u order by u.id))[1:2] from users u;
select array_agg(u) from users u where false;
select array_agg(t.owner order by t.id) from (select t.id, u as owner from teams t left join users u on u.id = t.owner_id) t;
select array_remove(array_agg(u order by u.id), null) from users u;
select unnest(array_agg(u order by u.id)) from users u;

-- case: rows of subqueries
select s from (select id, name from users) s order by s.id;
select s from (select o.id, u.name from orders o join users u on u.id = o.user_id) s order by s.id;
with s as (select id, email from users) select s from s order by s.id;
with s as materialized (select user_id, count(*) as n from orders group by 1) select s, s.n from s order by s.user_id;
select (select u from users u where u.id = o.user_id) from orders o order by o.id;
select j from (users u join orders o on o.user_id = u.id) as j(a) order by j.a, j.status;
select v from (values (1, 'a'), (2, 'b')) v order by 1;
select s from (select id, (name, id) as pair from users) s order by s.id;
select u from users u(a, b) order by u.a;

-- case: members of rows as values
select (u).id from users u order by 1;
select (u).* from users u order by u.id;
select (s.u).id, (s.u).name from (select u from users u) s order by 1;
select (s.u).* from (select u from users u) s order by 1;
select (s.r).f1 from (select row(id, name) as r from users) s order by 1;
select (s.r).f2, (s.r).f1 from (select row(name, id) as r from users offset 0) s order by 2;
select ((array_agg(u order by u.id))[1]).id from users u;
select ((array_agg(u order by u.id))[2]).name from users u;
select (orders_of(':users.ann')).id;
select count(*) from (select u from users u) s where (s.u).id = ':users.ann';
select (coalesce(u, u)).id from users u order by 1;

-- case: rows are carried
select coalesce(u, null) from users u order by u.id;
select case when is_active then u end from users u order by u.id;
select lag(u) over (order by id) from users u order by id;
select first_value((id, name)) over (order by id) from users order by id;
select distinct u from users u order by u;
select distinct (user_id, status) from orders order by 1;
select (user_id, status), count(*) from orders group by 1 order by 1;
select u, count(o.id) from users u left join orders o on o.user_id = u.id group by u order by u;
select u from users u union all select u from users u where u.is_active order by 1;
select row(id, name) from users union select row(id, name) from users order by 1;
select u from users u except select u from users u where u.is_active order by 1;
select u from users u order by u desc;
select count(u), count(distinct u) from users u;
select nullif(u, null) from users u order by u.id;
select u is null, u is not null, (id, null) is null from users u order by u.id;
select a.name from users a join users b on a = b order by a.id;
select u.name from users u where u in (select u from users u where u.is_active) order by u.id;

-- case: rows of functions and views
select orders_of(':users.ann');
select o from orders_of(':users.ann') o order by o.id;
select spent(':users.ann');
select s from spent(':users.ann') s;
select v from buyers v order by v.order_id;
select v from orders_by_user v order by v.user_id;
select v from order_counts v order by v.user_id;
select v from neighbours v order by v.id;
select a from active_names a order by a.uid;

-- case: rows that are written
-- modes: simple text declared binary
insert into tags (name) values ('a row') returning tags;
update users u set name = 'x, "y"' where id = ':users.ann' returning u, (u).id, row(u.id, name);
delete from tags t where name = 'a row' returning t;
with t as (insert into tags (name) values ('row two') returning *) select t from t;
insert into users as u (email, name) values ('row@example.test', 'Row') on conflict (email) do update set name = excluded.name returning (u.id, u.name);

-- case: rows of partitions and children
select m from measurements m order by m.id;
select m from measurements_2025 m order by m.id;
select n from notes n order by n.id;
select n from urgent_notes n order by n.id;
select d from domained d order by d.n;
select v from domain_view v order by v.twice;

-- case: rows behind names
-- modes: simple text declared binary
deallocate all;
prepare p as select u, array[(id, name)] from users u order by id;
execute p;
begin;
declare c cursor for select u, (id, name) from users u order by u.id;
fetch 2 from c;
fetch all from c;
close c;
declare b binary cursor for select u, (id, name) from users u order by u.id;
fetch all from b;
close b;
rollback;

-- case: the only result of a function is no row
select count(f) from unnest(array[':users.ann']::uuid[]) f(x);
-- refused: 0A000
select f from (select id from users where id = ':users.ann') s, unnest(array[s.id]) f(x);
select f from (select id from users where id = ':users.ann') s, unnest(array[s.id]) f;

-- case: columns of rows
-- modes: simple text declared binary
create table kept (n int, old users, olds orders[]);
insert into kept select 1, u, (select array_agg(o order by o.id) from orders o where o.user_id = u.id) from users u where id = ':users.ann';
insert into kept (n, old) values (2, row(':users.bob', 'b@example.test', 'Bob', true, 1, null, '2026-01-01'));
insert into kept (n) values (3);
update kept set old = (select u from users u where u.id = ':users.cai') where n = 3;
select old from kept order by n;
select * from kept order by n;
select (old).id, (old).name, (olds[1]).user_id from kept order by n;
select kept from kept order by n;
select n from kept where (old).id = ':users.ann';
select u.name from kept k join users u on u = k.old order by 1;
insert into kept (n, old) values (4, '(:users.ann,,,,,,)') returning old;
-- fails: 0A000
-- except: message hint position
select n from kept where old = '(:users.ann,,,,,,)';
copy kept to stdout;
copy kept (olds, n) to stdout (format csv, force_quote *);

-- case: columns of rows in what an error quotes
-- modes: simple text declared binary
create table kept (n int not null, old users, olds orders[], check (n > 0));
-- fails: 23502
insert into kept (old) values ('(:users.ann,,,,,,)');
-- fails: 23514
insert into kept values (-1, '(:users.bob,,,,,,)', null);
-- fails: 23514
insert into kept (n, olds) values (-1, '{"(:orders.one,,,,,)"}');
insert into kept values (1, '(:users.bob,,,,,,)', null);
create unique index on kept (old);
-- fails: 23505
insert into kept values (2, '(:users.bob,,,,,,)', null);
drop table kept;

-- case: a row quoted in an error
-- fails: 23502
insert into domained (owner, n) values (':users.ann', null);
-- fails: 23502
insert into domained values (':users.ann', null);
select owner, again from domained order by n;
select d from domained d order by n;

-- case: rows that hold what is not carried
select (id, 'user-' || id) from users;
-- refused: 0A000
select w from with_text w;
select u::text from users u;
select array_agg(('u' || id, name)) from users;

-- case: a member of a row that is written with a star
select (u.*).id from users u order by 1;
select (u.*).name, (public.users.*).id from users join users u using (id) order by 1;
select t1.user_id, (select (r.*).x from (select t1.user_id as x) r) from orders t1 order by t1.id;
select (select (r.*).x from (select u.id as x) r) = u.id, max((u.*).id) over () is null from users u;
-- with: :users.ann
select (o.*).id, (o.*).status from orders o where (o.*).user_id = $1 order by (o.*).id;
select json_build_object('id', (u.*).id) from users u order by u.id;
select (u.*).id::text || '!' from users u order by 1;
