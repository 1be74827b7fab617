What applications ask every day: pages, counts, reports, trees, bulk changes. A case is one question.

-- case: everyday: a page behind the last id
-- with: :orders.two, 2
select id, user_id, total_cents from orders where id > $1 order by id limit $2;

-- case: everyday: a page behind a time and an id
-- with: '2026-02-02 10:00:00Z', :orders.two
select id, placed_at from orders where (placed_at, id) > ($1, $2) order by placed_at, id limit 2;

-- case: everyday: a page backwards
-- with: :orders.four
select * from (select id, status from orders where id < $1 order by id desc limit 2) page order by id;

-- case: everyday: a page with the count of all
select id, name, count(*) over () as total from users where is_active order by name limit 2 offset 1;

-- case: everyday: the newest order of each user
select distinct on (user_id) user_id, id, placed_at from orders order by user_id, placed_at desc;

-- case: everyday: the newest order of each user by a lateral join
select u.id, u.name, o.id as order_id, o.total_cents
from users u left join lateral (select id, total_cents from orders where user_id = u.id order by placed_at desc limit 1) o on true
order by u.id;

-- case: everyday: the best two orders of each user
select user_id, id, place from (
  select user_id, id, row_number() over (partition by user_id order by total_cents desc, id) as place from orders) ranked
where place <= 2 order by user_id, place;

-- case: everyday: users without orders
select u.id, u.name from users u where not exists (select from orders o where o.user_id = u.id) order by u.id;

-- case: everyday: users without orders by an outer join
select u.id from users u left join orders o on o.user_id = u.id where o.id is null order by u.id;

-- case: everyday: what is spent by each user
select u.id, u.name, coalesce(sum(o.total_cents), 0) as spent, count(o.id) as orders, min(o.id) as first, max(o.id) as last
from users u left join orders o on o.user_id = u.id group by u.id order by spent desc, u.id;

-- case: everyday: who spends more than most
select user_id, sum(total_cents) from orders group by user_id having sum(total_cents) > (select avg(total_cents) from orders) order by user_id;

-- case: everyday: totals with a line for all
select user_id, status, sum(total_cents) from orders group by rollup (user_id, status) order by user_id nulls last, status nulls last;

-- case: everyday: counts by condition
select o.user_id, count(*) filter (where status = 'paid') as paid, count(*) filter (where status <> 'paid') as open,
  array_agg(o.id order by o.id) filter (where total_cents > 100) as large
from orders o group by o.user_id order by o.user_id;

-- case: everyday: a pivot
select u.id, max(o.id) filter (where o.status = 'paid') as paid, max(o.id) filter (where o.status = 'new') as new
from users u join orders o on o.user_id = u.id group by u.id order by u.id;

-- case: everyday: days without orders
select d::date as day, o.id from generate_series('2026-02-01'::timestamp, '2026-02-06', '1 day') d
left join orders o on o.placed_at::date = d::date order by 1;

-- case: everyday: a running total
select id, user_id, sum(total_cents) over (partition by user_id order by placed_at, id) from orders order by user_id, placed_at;

-- case: everyday: the order before and the one after
select id, lag(id) over w as before, lead(id) over w as after from orders window w as (order by placed_at) order by placed_at;

-- case: everyday: members with their teams
select t.id as team_id, t.name, u.id as user_id, u.name as member, m.role
from teams t join memberships m on m.team_id = t.id join users u on u.id = m.user_id order by t.id, u.id;

-- case: everyday: members of both teams
-- with: :teams.red, :teams.blue
select user_id from memberships where team_id = $1 intersect select user_id from memberships where team_id = $2;

-- case: everyday: members of one team and not of the other
-- with: :teams.blue, :teams.red
select user_id from memberships where team_id = $1 except select user_id from memberships where team_id = $2;

-- case: everyday: pairs of colleagues
select a.user_id, b.user_id as colleague, a.team_id from memberships a join memberships b on b.team_id = a.team_id and b.user_id > a.user_id
order by a.team_id, a.user_id, b.user_id;

-- case: everyday: orders with all of several tags
-- with: '{:tags.rush,:tags.gift}'
select order_id from order_tags where tag_id = any ($1) group by order_id having count(*) = cardinality($1::uuid[]) order by order_id;

-- case: everyday: a thread of comments
-- with: :comments.root
with recursive thread as (
  select id, parent_id, body, 0 as depth from comments where id = $1
  union all
  select c.id, c.parent_id, c.body, t.depth + 1 from comments c join thread t on c.parent_id = t.id)
select * from thread order by depth, id;

-- case: everyday: the way up to the root
-- with: :comments.deep
with recursive up as (
  select id, parent_id, 1 as step from comments where id = $1
  union all select c.id, c.parent_id, step + 1 from comments c join up on up.parent_id = c.id)
select id, step from up order by step;

-- case: everyday: the whole path of each region
with recursive tree as (
  select id, name, array[id] as path, name as line from regions where within is null
  union all select r.id, r.name, t.path || r.id, t.line || ' > ' || r.name from regions r join tree t on r.within = t.id)
select id, path, line from tree order by line;

-- case: everyday: an order with its items as json
-- with: :orders.one
select o.id, json_agg(json_build_object('id', i.id, 'sku', i.sku, 'qty', i.qty) order by i.id) as items
from orders o join order_items i on i.order_id = o.id where o.id = $1 group by o.id;

-- case: everyday: users with their orders as json
select u.id, coalesce(o.list, '[]') as orders from users u
left join lateral (select jsonb_agg(jsonb_build_object('id', id, 'status', status) order by id) as list from orders where user_id = u.id) o on true
order by u.id;

-- case: everyday: a document of everything about a user
-- with: :users.bob
select json_build_object('id', u.id, 'name', u.name,
  'orders', (select json_agg(o.id order by o.id) from orders o where o.user_id = u.id),
  'teams', (select json_agg(json_build_object('id', m.team_id, 'role', m.role) order by m.team_id) from memberships m where m.user_id = u.id))
from users u where u.id = $1;

-- case: everyday: labels
select u.name || ' (' || u.id || ')' as label, format('order %s of %s', o.id, o.user_id) as title
from users u join orders o on o.user_id = u.id order by o.id;

-- case: everyday: a list of ids as text
select status, string_agg(id::text, ', ' order by id) as ids from orders group by status order by status;

-- case: everyday: search by name or id
-- with: '%o%', :users.ann
select id, name from users where name ilike $1 or id = $2 order by id;

-- case: everyday: a filter that may be absent
-- with: null, 'paid'
select id, status from orders where ($1::uuid is null or user_id = $1::uuid) and ($2::text is null or status = $2) order by id;

-- case: everyday: a filter that is there
-- with: :users.bob, null
select id, status from orders where ($1::uuid is null or user_id = $1::uuid) and ($2::text is null or status = $2) order by id;

-- case: everyday: rows in the order of a list
-- with: '{:users.cai,:users.ann,:users.bob}'
select u.id, u.name from unnest($1::uuid[]) with ordinality as wanted(id, place) join users u on u.id = wanted.id order by wanted.place;

-- case: everyday: rows in the order of a list by position
-- with: '{:users.cai,:users.ann}'
select id from users where id = any ($1::uuid[]) order by array_position($1::uuid[], id);

-- case: everyday: insert or find
-- with: 'ann@example.test', 'Anna'
insert into users (email, name) values ($1, $2) on conflict (email) do update set name = excluded.name returning id, name, xmax <> 0 as found;

-- case: everyday: a membership that may exist
-- with: :teams.red, :users.cai
insert into memberships (team_id, user_id) values ($1, $2) on conflict (team_id, user_id) do nothing returning team_id, user_id;

-- case: everyday: many rows by arrays
-- with: '{:users.ann,:users.bob}', '{100,200}'
insert into orders (user_id, total_cents) select * from unnest($1::uuid[], $2::bigint[]) returning user_id, total_cents;

-- case: everyday: an order with its items in one statement
-- with: :users.dee, 'fig', 3
with o as (insert into orders (user_id, status) values ($1, 'new') returning id, user_id),
  i as (insert into order_items (order_id, sku, qty) select o.id, $2, $3 from o returning order_id, sku, qty)
select o.user_id, i.sku, i.qty, o.id = i.order_id as same from o join i on i.order_id = o.id;

-- case: everyday: a copy of an order
-- with: :orders.three
insert into orders (user_id, status, total_cents, note) select user_id, 'new', total_cents, note from orders where id = $1 returning user_id, status, total_cents;

-- case: everyday: many rows changed by a list
-- with: :orders.one, 'sent', :orders.two, 'void'
update orders set status = v.status from (values ($1::uuid, $2), ($3::uuid, $4)) as v(id, status) where orders.id = v.id returning orders.id, orders.status;

-- case: everyday: a row changed if nobody was faster
-- with: 'taken', :orders.two, 'new'
update orders set status = $1 where id = $2 and status = $3 returning id, status;

-- case: everyday: the next job
update orders set status = 'busy' where id = (select id from orders where status = 'new' order by id limit 1 for update skip locked) returning id, user_id;

-- case: everyday: jobs taken in batches
with next as (select id from orders where status = 'new' order by id limit 2 for update skip locked)
update orders o set status = 'busy' from next where o.id = next.id returning o.id;

-- case: everyday: a counter
-- with: :users.ann
update users set login_count = login_count + 1 where id = $1 returning id, login_count;

-- case: everyday: rows moved to an archive
with gone as (delete from comments where order_id = ':orders.three' returning id, author_id, body)
insert into notes (author_id, body) select author_id, body from gone returning author_id, body;

-- case: everyday: duplicates removed
delete from order_tags a using order_tags b where a.order_id = b.order_id and a.tag_id > b.tag_id returning a.order_id, a.tag_id;

-- case: everyday: rows whose parent is gone
select a.id, a.record_id from audit_log a left join orders o on o.id = a.record_id where o.id is null or a.actor_id is null order by a.id;

-- case: everyday: events in which a user takes part
-- with: :users.bob
select id, kind from events where actor_id = $1 or participant_ids @> array[$1::uuid] order by id;

-- case: everyday: everybody who takes part
select e.id, u.id as user_id, u.name from events e cross join unnest(e.participant_ids) as p(id) join users u on u.id = p.id order by e.id, u.id;

-- case: everyday: who takes part in how many
select p.id, count(*) from events e, unnest(e.participant_ids) as p(id) group by p.id order by p.id;

-- case: everyday: somebody joins and leaves
update events set participant_ids = array_append(participant_ids, ':users.dee') where kind = 'met' returning participant_ids;
update events set participant_ids = array_remove(participant_ids, ':users.ann') where kind = 'met' returning participant_ids;

-- case: everyday: a status for each order
select id, case when status = 'paid' and exists (select from order_tags t where t.order_id = o.id and t.tag_id = ':tags.rush') then 'hurry'
  when user_id = ':users.ann' then 'ann' else status end as line from orders o order by id;

-- case: everyday: the owner or somebody of the team
select t.id, coalesce(t.owner_id, (select min(m.user_id) from memberships m where m.team_id = t.id)) as contact from teams t order by t.id;

-- case: everyday: what happened to a record
-- with: :orders.one
select at, action, actor_id, u.name from audit_log a left join users u on u.id = a.actor_id where table_name = 'orders' and record_id = $1 order by at;

-- case: everyday: stock of what a team makes
-- with: :teams.red
select p.id, p.name, sum(s.amount) from products p join stock s on s.product_id = p.id where p.maker_id = $1 group by p.id, p.name order by p.id;

-- case: everyday: what is billed
select i.order_id, i.due, sum(l.amount), o.user_id from invoices i join invoice_lines l on l.invoice_id = i.order_id join orders o on o.id = i.order_id
group by i.order_id, i.due, o.user_id order by i.order_id;

-- case: everyday: the median order of each status
select status, percentile_disc(0.5) within group (order by id) as middle, mode() within group (order by user_id) as buyer from orders group by status order by status;

-- case: everyday: a random sample that is everything
select count(distinct id) from (select id from users order by random() limit 100) sample;

-- case: everyday: is it there
-- with: :users.ann
select exists (select 1 from users where id = $1 and is_active);

-- case: everyday: all of these are there
-- with: '{:users.ann,:users.bob}'
select count(*) = cardinality($1::uuid[]) from users where id = any ($1::uuid[]);
