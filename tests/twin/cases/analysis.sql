Statements as analysts write them: groups, windows, sets of groups, shares and ranks. A case is one statement.

-- case: analysis: revenue by customer, the best first
select u.id, u.name, sum(o.total_cents) as revenue from users u join orders o on o.user_id = u.id group by u.id order by revenue desc, u.id;

-- case: analysis: customers grouped by their key carry their other columns
select u.id, u.email, u.created_at, count(o.*) from users u left join orders o on o.user_id = u.id group by u.id order by u.id;

-- case: analysis: the largest order of each customer
select distinct on (o.user_id) o.user_id, o.id, o.total_cents from orders o order by o.user_id, o.total_cents desc, o.id;

-- case: analysis: the latest order of each customer by a window
select user_id, id from (select user_id, id, row_number() over (partition by user_id order by placed_at desc) as n from orders) ranked where n = 1 order by user_id;

-- case: analysis: the share of each customer in the revenue
select user_id, round(100.0 * sum(total_cents) / sum(sum(total_cents)) over (), 2) as percent from orders group by user_id order by user_id;

-- case: analysis: a running total by customer
select user_id, id, sum(total_cents) over (partition by user_id order by id rows between unbounded preceding and current row) from orders order by user_id, id;

-- case: analysis: a moving average over the orders
select id, avg(total_cents) over (order by id rows between 1 preceding and 1 following)::int from orders order by id;

-- case: analysis: the order before and after each
select id, lag(id) over w as before, lead(id) over w as after from orders window w as (partition by user_id order by id) order by id;

-- case: analysis: the order two before, or itself
select id, lag(id, 2, id) over (order by id) from orders order by id;

-- case: analysis: the next order, or none by a typed null
select id, lead(id, 1, null::uuid) over (order by id) from orders order by id;

-- case: analysis: the next order, or one that is named
select id, lead(id, 1, ':orders.one') over (order by id) from orders order by id;

-- case: analysis: first and last of the window's frame
select id, first_value(id) over w, last_value(id) over w, nth_value(id, 2) over w from orders window w as (partition by user_id order by id rows between unbounded preceding and unbounded following) order by id;

-- case: analysis: first buyer of each status
select distinct status, first_value(user_id) over (partition by status order by placed_at) from orders order by status;

-- case: analysis: quartiles by ntile
select id, ntile(2) over (order by id) from orders order by id;

-- case: analysis: ranks by revenue
select user_id, rank() over (order by sum(total_cents) desc), dense_rank() over (order by count(*) desc) from orders group by user_id order by user_id;

-- case: analysis: cumulative distribution over ids
select id, cume_dist() over (order by id), percent_rank() over (order by id) from users order by id;

-- case: analysis: a window that extends another
select id, count(*) over (w rows unbounded preceding) from orders window w as (partition by user_id order by id) order by id;

-- case: analysis: a window by groups of peers
select id, user_id, count(*) over (order by user_id groups between 1 preceding and current row) from orders order by id;

-- case: analysis: a window that leaves the current row out
select id, count(*) over (order by id rows between unbounded preceding and unbounded following exclude current row) from orders order by id;

-- case: analysis: a window of ids gathered into an array
select id, array_agg(id) over (partition by user_id order by id) from orders order by id;

-- case: analysis: the smallest id of a partition
select id, min(id) over (partition by user_id), max(id) over (partition by user_id) from orders order by id;

-- case: analysis: a filtered aggregate in a window
select id, count(*) filter (where status = 'paid') over (partition by user_id) from orders order by id;

-- case: analysis: filters beside each other
select user_id, count(*) filter (where status = 'paid') as paid, count(*) filter (where status <> 'paid') as other from orders group by user_id order by user_id;

-- case: analysis: ids gathered by a filter
select user_id, array_agg(id order by id) filter (where total_cents > 100) as large from orders group by user_id order by user_id;

-- case: analysis: a count of distinct buyers by status
select status, count(distinct user_id) from orders group by status order by status;

-- case: analysis: groups of several keys
select o.user_id, i.sku, sum(i.qty) from orders o join order_items i on i.order_id = o.id group by o.user_id, i.sku order by o.user_id, i.sku;

-- case: analysis: a group by the name of an output
select user_id as buyer, count(*) from orders group by buyer order by buyer;

-- case: analysis: a group by its place
select user_id, status from orders group by 1, 2 order by 1, 2;

-- case: analysis: a rollup with the total at the end
select user_id, status, sum(total_cents) from orders group by rollup (user_id, status) order by user_id nulls last, status nulls last;

-- case: analysis: a cube
select user_id, status, count(*) from orders group by cube (user_id, status) order by user_id nulls first, status nulls first;

-- case: analysis: grouping sets and what was grouped
select user_id, order_id, grouping(user_id, order_id), count(*) from comments c join orders o on o.id = c.order_id group by grouping sets ((user_id), (order_id), ()) order by 3, 1, 2;
select user_id, order_id, count(*) from comments c join orders o on o.id = c.order_id group by grouping sets (grouping sets ((user_id), (order_id)), ()) order by 3, 1, 2;
select user_id, status, count(*) from orders group by grouping sets (rollup (user_id), grouping sets (cube (status), (user_id, status))) order by 3, 1, 2;

-- case: analysis: a rollup in which groups are told apart
select case when grouping(user_id) = 1 then 'all' else 'one' end as kind, user_id, count(*) from orders group by rollup (user_id) order by 1 desc, 2;

-- case: analysis: groups whose key is one of several
select user_id from orders group by user_id having user_id in (':users.ann', ':users.cai') order by user_id;

-- case: analysis: groups with more than one member
select user_id, array_agg(id order by id desc) from orders group by user_id having count(*) > 1 order by user_id;

-- case: analysis: groups whose smallest id is given
select user_id from orders group by user_id having min(id) = ':orders.one';

-- case: analysis: groups ordered by an aggregate of ids
select user_id, count(*) from orders group by user_id order by max(id) desc;

-- case: analysis: groups ordered by an id that is not shown
select status from orders group by status order by min(id);

-- case: analysis: an aggregate over all rows
select min(id), max(id), count(*) from orders;

-- case: analysis: an aggregate over no rows
select min(id), max(id), array_agg(id) from orders where false;

-- case: analysis: an aggregate of a case
select count(distinct case when status = 'paid' then user_id end) from orders;

-- case: analysis: an aggregate of a coalesced id
select max(coalesce(t.owner_id, ':users.bob')) from teams t;

-- case: analysis: a boolean aggregate over ids
select user_id, bool_and(id > ':orders.one'), bool_or(id = ':orders.one') from orders group by user_id order by user_id;

-- case: analysis: sums of conditions over ids
select sum((user_id = ':users.ann')::int), sum(case when user_id = ':users.bob' then total_cents else 0 end) from orders;

-- case: analysis: customers without orders, by a left join
select u.id from users u left join orders o on o.user_id = u.id where o.id is null order by u.id;

-- case: analysis: customers without orders, by not exists
select u.id from users u where not exists (select 1 from orders o where o.user_id = u.id) order by u.id;

-- case: analysis: customers without orders, by except
select id from users except select user_id from orders order by 1;

-- case: analysis: customers above the average
select user_id from orders group by user_id having avg(total_cents) > (select avg(total_cents) from orders) order by user_id;

-- case: analysis: a histogram of orders per customer
select n, count(*), array_agg(user_id order by user_id) from (select user_id, count(*) as n from orders group by user_id) c group by n order by n;

-- case: analysis: retention: a first and a last order
select user_id, min(placed_at)::date as first, max(placed_at)::date as last, min(id) as first_id, max(id) as last_id from orders group by user_id order by user_id;

-- case: analysis: orders by month
select date_trunc('month', placed_at) as month, count(distinct user_id), array_agg(distinct user_id) from orders group by month order by month;

-- case: analysis: gaps between orders by windows
select user_id, id, placed_at - lag(placed_at) over (partition by user_id order by id) as gap from orders order by user_id, id;

-- case: analysis: pairs of customers of one team
select a.user_id, b.user_id as other, a.team_id from memberships a join memberships b on a.team_id = b.team_id and a.user_id < b.user_id order by 1, 2, 3;

-- case: analysis: things bought together
select a.sku, b.sku as other, count(*) from order_items a join order_items b on a.order_id = b.order_id and a.id < b.id group by a.sku, b.sku order by 1, 2;

-- case: analysis: the median order of each customer
select user_id, percentile_disc(0.5) within group (order by id) as middle from orders group by user_id order by user_id;

-- case: analysis: the customer with most orders
select user_id from orders group by user_id order by count(*) desc, user_id limit 1;

-- case: analysis: ties with the best
select id, name from users order by is_active fetch first 1 row with ties;

-- case: analysis: top two of each group by a lateral join
select u.id, t.id as order_id from users u join lateral (select id from orders o where o.user_id = u.id order by total_cents desc, id limit 2) t on true order by u.id, t.id;

-- case: analysis: totals of a page beside it
select id, count(*) over () as total from users order by id limit 2 offset 1;

-- case: analysis: a page by keyset over two columns
select id, user_id from orders where (user_id, id) > (':users.ann', ':orders.one') order by user_id, id limit 3;

-- case: analysis: a page by keyset over a date and an id
select id from orders where (placed_at, id) < ('2026-02-04 10:00:00Z', ':orders.four') order by placed_at desc, id desc limit 2;

-- case: analysis: groups of a lateral value
select x.buyer, count(*) from orders o cross join lateral (select o.user_id as buyer) x group by x.buyer order by x.buyer;

-- case: analysis: an aggregate over a join of views
select t.user_id, t.order_count, c.n from user_order_totals t join order_counts c using (user_id) order by t.user_id;

-- case: analysis: a scalar aggregate as a column
select u.id, (select array_agg(o.id order by o.id) from orders o where o.user_id = u.id) as ids from users u order by u.id;

-- case: analysis: the same aggregate twice
select user_id, max(id), max(id) = min(id) as single from orders group by user_id order by user_id;

-- case: analysis: a difference of two aggregates in having
select user_id from orders group by user_id having max(id) <> min(id) order by user_id;

-- case: analysis: statistics over two tables
select (select count(*) from users) as users, (select count(distinct user_id) from orders) as buyers, (select max(id) from users) as newest;

-- case: analysis: a pivot by filters
select user_id, max(id) filter (where status = 'paid') as paid, max(id) filter (where status = 'new') as fresh from orders group by user_id order by user_id;

-- case: analysis: a pivot by case
select user_id, max(case when status = 'paid' then id end) as paid, min(case status when 'new' then id end) as fresh from orders group by user_id order by user_id;

-- case: analysis: an unpivot by values
select o.id, v.kind, v.who from orders o left join teams t on t.owner_id = o.user_id cross join lateral (values ('buyer', o.user_id), ('owner', t.owner_id)) v(kind, who) order by o.id, v.kind;

-- case: analysis: any value of a group by array
select status, (array_agg(user_id order by id))[1] as someone from orders group by status order by status;

-- case: analysis: sums over a series of days
select d::date as day, count(o.id), array_remove(array_agg(o.id), null) from generate_series('2026-02-01'::timestamptz, '2026-02-03', '1 day') d left join orders o on o.placed_at::date = d::date group by d order by d;

-- case: analysis: windows over an aggregate of ids
select status, max(id), lag(max(id)) over (order by status) as previous from orders group by status order by status;

-- case: analysis: islands of one buyer
select user_id, min(id), max(id), count(*) from (select id, user_id, row_number() over (order by id) - row_number() over (partition by user_id order by id) as island from orders) s group by user_id, island order by min(id);
