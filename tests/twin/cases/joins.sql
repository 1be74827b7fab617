Joins, subqueries, CTEs, aliases and stars.

-- case: an inner join by id
-- with: :users.ann
select o.id, u.id as user_id, u.name from orders o join users u on u.id = o.user_id where u.id = $1 order by o.id;

-- case: a left join shows NULL ids
select u.id, o.id from users u left join orders o on o.user_id = u.id order by u.id, o.id;

-- case: a right join and a full join
select u.name, t.id, t.owner_id from users u right join teams t on t.owner_id = u.id order by t.id;
select u.id, t.id from users u full join teams t on t.owner_id = u.id order by u.id nulls last, t.id;

-- case: a join with using
select team_id, m.user_id, s.number from memberships m join seats s using (team_id, user_id) order by s.number;

-- case: a full join with using merges the column
select order_id, t.tag_id, i.sku from order_tags t full join order_items i using (order_id) order by order_id, tag_id, sku;

-- case: a natural join
select * from memberships natural join seats order by number;

-- case: a join with using and an alias star
select s.*, m.role from memberships m join seats s using (team_id, user_id) order by s.number;

-- case: a cross join and a comma join
select u.id, t.id from users u cross join teams t where u.id = ':users.ann' order by t.id;
select u.id, o.id from users u, orders o where o.user_id = u.id order by o.id;

-- case: a self join
select c.id, p.id as parent, p.parent_id as grandparent from comments c join comments p on p.id = c.parent_id order by c.id;

-- case: four tables along the keys
-- with: :users.ann
select i.id, o.id, u.id, t.tag_id from order_items i join orders o on o.id = i.order_id join users u on u.id = o.user_id left join order_tags t on t.order_id = o.id where u.id = $1 order by i.id, t.tag_id;

-- case: a chain of keys is one domain
select l.invoice_id, l.line, o.id from invoice_lines l join invoices i on i.order_id = l.invoice_id join orders o on o.id = l.invoice_id order by o.id, l.line;
-- with: :orders.one
select sum(amount) from invoice_lines where invoice_id = $1;

-- case: a lateral join
select u.id, l.id, l.total_cents from users u cross join lateral (select o.id, o.total_cents from orders o where o.user_id = u.id order by o.total_cents desc, o.id limit 1) l order by u.id;

-- case: a star
-- with: :orders.one
select * from orders where id = $1;
select * from users order by id;

-- case: stars of two tables
select * from users u join teams t on t.owner_id = u.id order by t.id;
select t.*, u.name from users u join teams t on t.owner_id = u.id order by t.id;

-- case: table, the statement
table tags;

-- case: aliases of columns and tables
select x.a as b, x.c from (select id as a, name as c from users) as x where x.a = ':users.ann';
select x.a, x.b from users as x(a, b) order by x.a limit 2;

-- case: a column with the name of a type or a keyword
select id as uuid, id as "select", id "order" from users order by 1 limit 1;

-- case: a scalar subquery
select id, (select max(o.id) from orders o where o.user_id = u.id) as latest from users u order by id;
select (select id from users where email = 'ann@example.test') as ann;

-- case: in a subquery
select id, name from users where id in (select user_id from orders where status = 'paid') order by id;
select id, name from users where id not in (select user_id from orders) order by id;

-- case: any and all of a subquery
select id from users where id = any(select owner_id from teams where owner_id is not null) order by id;
select id from users where id >= all(select user_id from orders) order by id;

-- case: rows in a subquery
select team_id, user_id from memberships where (team_id, user_id) in (select team_id, user_id from seats) order by team_id, user_id;

-- case: exists, correlated
-- with: 'paid'
select u.id from users u where exists (select 1 from orders o where o.user_id = u.id and o.status = $1) order by u.id;
select u.id from users u where not exists (select from orders o where o.user_id = u.id) order by u.id;

-- case: a derived table
select d.user_id, d.n from (select user_id, count(*) as n from orders group by user_id) d order by d.user_id;

-- case: a subquery compared with an id
select name from users where id = (select user_id from orders where id = ':orders.three');

-- case: nested subqueries
select id from users where id in (select user_id from orders where id in (select order_id from order_items where sku in ('cheese', 'dates'))) order by id;

-- case: a cte
-- with: :users.ann
with mine as (select id, user_id, status from orders where user_id = $1) select m.id, u.id as owner from mine m join users u on u.id = m.user_id order by m.id;

-- case: a cte with column names
with t(a, b) as (select id, name from users) select a, b from t where a = ':users.bob';

-- case: ctes that build on each other
with a as (select id from users where is_active), b as materialized (select o.id, o.user_id from orders o join a on a.id = o.user_id) select b.id, b.user_id from b order by b.id;

-- case: a recursive cte along a self reference
-- with: :comments.root
with recursive thread as (select id, parent_id, 0 as depth from comments where id = $1 union all select c.id, c.parent_id, t.depth + 1 from comments c join thread t on c.parent_id = t.id) select id, parent_id, depth from thread order by depth;

-- case: a recursive cte with a path of ids
with recursive thread as (select id, array[id] as path from comments where parent_id is null union all select c.id, t.path || c.id from comments c join thread t on c.parent_id = t.id) select id, path from thread order by path;

-- case: a cte that hides a table
with users as (select id as key, email from public.users where is_active) select key, email from users order by key;

-- case: a cte that changes data
-- with: :orders.two
with gone as (delete from orders where id = $1 returning id, user_id) select g.id, u.name from gone g join users u on u.id = g.user_id;

-- case: a cte that inserts for another insert
-- modes: simple text declared binary
with fresh as (insert into users (email, name) values ('new@example.test', 'New') returning id) insert into orders (user_id, status, placed_at) select id, 'new', '2026-03-01 10:00:00Z' from fresh returning id, user_id;

-- case: values joined by id
select v.n, u.id from (values (':users.ann'::uuid, 1), (':users.bob', 2)) as v(id, n) join users u on u.id = v.id order by v.n;

-- case: values in a list
select id from users where id in (values (':users.ann'::uuid), (':users.cai')) order by id;

-- case: unnest of ids joined
-- with: {:users.ann,:users.cai}
select u.id, u.name from unnest($1::uuid[]) as k(id) join users u on u.id = k.id order by u.id;

-- case: unnest of a column
select e.id, p.user_id, u.name from events e cross join lateral unnest(e.participant_ids) as p(user_id) join users u on u.id = p.user_id order by e.id, p.user_id;

-- case: a view
select user_id, name, order_count, total_cents from user_order_totals order by user_id;
-- with: :users.bob
select * from user_order_totals where user_id = $1;

-- case: a view joined
select t.order_count, u.id from user_order_totals t join users u on u.id = t.user_id order by u.id;
