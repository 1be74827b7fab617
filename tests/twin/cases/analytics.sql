Questions of reports: windows, sets, groups, series, arrays, and queries inside of queries. A case is one question.

-- case: analytics: first and last of each group
select distinct user_id, first_value(id) over w as first, last_value(id) over w as last, nth_value(id, 2) over w as second
from orders window w as (partition by user_id order by placed_at rows between unbounded preceding and unbounded following) order by user_id;

-- case: analytics: rank by what was spent
select user_id, sum(total_cents) as spent, rank() over (order by sum(total_cents) desc), dense_rank() over (order by count(*)) from orders group by user_id order by spent desc, user_id;

-- case: analytics: the gap to the order before
select id, user_id, placed_at - lag(placed_at) over (partition by user_id order by placed_at) as gap from orders order by user_id, placed_at;

-- case: analytics: sessions of events
select id, actor_id, sum(fresh) over (order by occurred_at) as session from (
  select id, actor_id, occurred_at, case when occurred_at - lag(occurred_at) over (order by occurred_at) < interval '1 hour' then 0 else 1 end as fresh from events) e order by occurred_at;

-- case: analytics: moving ids in a frame
select id, array_agg(id) over (order by id rows between 1 preceding and 1 following) as near from orders order by id;

-- case: analytics: ids in a frame without the current row
select id, array_agg(id) over (order by id rows between 2 preceding and current row exclude current row) as before from orders order by id;

-- case: analytics: groups of equal values in a frame
select id, status, count(*) over (order by status groups between current row and 1 following) from orders order by status, id;

-- case: analytics: quarters of the users
select id, ntile(4) over (order by login_count) as quarter, percent_rank() over (order by login_count), cume_dist() over (order by login_count) from users order by id;

-- case: analytics: all that somebody has done
select 'order' as what, id::text as id, placed_at as at from orders where user_id = ':users.ann'
union all select 'comment', id::text, created_at from comments where author_id = ':users.ann' order by at;

-- case: analytics: buyers and writers
select user_id from orders union select author_id from comments order by 1;

-- case: analytics: buyers who also write
select user_id as id from orders intersect select author_id from comments order by id;

-- case: analytics: buyers who do not write
select user_id as id from orders except all select author_id from comments order by id;

-- case: analytics: a set of sets
(select user_id from orders except select author_id from comments) union (select user_id from memberships intersect select owner_id from teams) order by 1;

-- case: analytics: values beside a query
select id, name from users where is_active union all values (':users.cai'::uuid, 'again'), (null, 'nobody') order by 2;

-- case: analytics: grouping sets with their level
select user_id, status, grouping(user_id, status) as level, count(*), min(id) from orders group by grouping sets ((user_id, status), (user_id), ()) order by level, user_id, status;

-- case: analytics: a cube
select team_id, role, count(*) from memberships group by cube (team_id, role) order by team_id nulls last, role nulls last;

-- case: analytics: having by an id
select user_id, count(*) from orders group by user_id having min(id) <= ':orders.three' order by user_id;

-- case: analytics: distinct ids in a group
select status, count(distinct user_id), array_agg(distinct user_id order by user_id) from orders group by status order by status;

-- case: analytics: how often each pair occurs
select a.tag_id, b.tag_id as beside, count(*) from order_tags a join order_tags b on a.order_id = b.order_id and a.tag_id < b.tag_id group by 1, 2 order by 1, 2;

-- case: analytics: a full join of two counts
select coalesce(o.user_id, c.author_id) as id, o.n as orders, c.n as comments
from (select user_id, count(*) as n from orders group by 1) o full join (select author_id, count(*) as n from comments group by 1) c on c.author_id = o.user_id order by 1;

-- case: analytics: a full join with using
select author_id, n, m from (select author_id, count(*) as n from notes group by 1) a full join (select author_id, count(*) as m from comments group by 1) b using (author_id) order by author_id;

-- case: analytics: a natural join
select team_id, user_id, number, role from memberships natural join seats order by number;

-- case: analytics: a chain of ctes
with paid as (select id, user_id, total_cents from orders where status = 'paid'),
  buyers as (select user_id, sum(total_cents) as spent from paid group by user_id),
  best as (select user_id from buyers order by spent desc limit 1)
select u.id, u.name, (select array_agg(p.id order by p.id) from paid p where p.user_id = u.id) as orders from users u join best on best.user_id = u.id;

-- case: analytics: a cte used twice
with spent as materialized (select user_id, sum(total_cents) as cents from orders group by user_id)
select a.user_id, b.user_id as richer from spent a join spent b on b.cents > a.cents order by 1, 2;

-- case: analytics: a correlated query in the list
select u.id, (select o.id from orders o where o.user_id = u.id order by o.total_cents desc limit 1) as best from users u order by u.id;

-- case: analytics: a correlated query in a condition
select id, user_id from orders o where total_cents = (select max(total_cents) from orders where user_id = o.user_id) order by id;

-- case: analytics: any and all of a query
select id from users where id = any (select user_id from orders where status = 'paid') and id <> all (select author_id from comments where parent_id is not null) order by id;

-- case: analytics: a row in a query
select team_id, user_id from memberships where (team_id, user_id) in (select team_id, user_id from seats) order by 1, 2;

-- case: analytics: a row in a list
select role from memberships where (team_id, user_id) in ((':teams.red', ':users.bob'), (':teams.blue', ':users.cai')) order by role;

-- case: analytics: three levels of queries
select id from users where id in (select user_id from memberships where team_id in (select id from teams where owner_id in (select user_id from orders where status = 'paid'))) order by id;

-- case: analytics: arrays of ids side by side
select t.id, array(select user_id from memberships m where m.team_id = t.id order by user_id) as members, array(select number from seats s where s.team_id = t.id order by number) as seats from teams t order by t.id;

-- case: analytics: what two arrays have in common
select a.id, b.id as other from events a join events b on a.participant_ids && b.participant_ids or cardinality(a.participant_ids) = 0 order by 1, 2;

-- case: analytics: arrays joined and cut
select kind, participant_ids || actor_id as all_of_them, participant_ids[1:1] as first, participant_ids[1] as one, cardinality(participant_ids) from events order by kind;

-- case: analytics: arrays of arrays of rows
select status, json_agg(json_build_array(id, user_id) order by id) from orders group by status order by status;

-- case: analytics: an object by id
select json_object_agg(id, name order by id) from teams;

-- case: analytics: rows as json
select row_to_json(t) from (select id, name, owner_id from teams order by id) t;

-- case: analytics: json in json
select jsonb_build_object('teams', jsonb_agg(jsonb_build_object('id', t.id, 'members', m.list) order by t.id)) from teams t
left join lateral (select jsonb_agg(user_id order by user_id) as list from memberships where team_id = t.id) m on true;

-- case: analytics: a graph of who works with whom
with recursive reach(id) as (
  select ':users.ann'::uuid union select b.user_id from reach join memberships a on a.user_id = reach.id join memberships b on b.team_id = a.team_id)
select id from reach order by id;

-- case: analytics: steps of a graph
with recursive steps(id, path) as (
  select ':users.ann'::uuid, array[':users.ann'::uuid]
  union all select b.user_id, s.path || b.user_id from steps s join memberships a on a.user_id = s.id join memberships b on b.team_id = a.team_id where b.user_id <> all (s.path))
select id, path from steps order by cardinality(path), path;

-- case: analytics: partitions as one
select user_id, count(*), min(id), max(id) from measurements where at between '2025-01-01' and '2026-12-31' group by user_id order by user_id;

-- case: analytics: a view in a report
select a.id, a.name, count(o.id) from active_users a left join orders o on o.user_id = a.id group by a.id, a.name order by a.id;

-- case: analytics: conditions on conditions
select id from orders where (status, user_id) = ('paid', ':users.ann') or (note is not null and user_id is not distinct from ':users.bob') order by id;

-- case: analytics: between two ids
select id from orders where id between ':orders.two' and ':orders.four' and id not between ':orders.three' and ':orders.three' order by id;

-- case: analytics: the lesser and the greater
select id, least(id, ':orders.three') as low, greatest(id, ':orders.three') as high from orders order by id;

-- case: analytics: nothing instead of somebody
select id, nullif(user_id, ':users.ann') as other, coalesce(nullif(user_id, ':users.bob'), ':users.dee') as instead from orders order by id;

-- case: analytics: sorted by a condition on ids
select id from users order by id = ':users.cai' desc, id in (':users.dee', ':users.eli') desc, id;
