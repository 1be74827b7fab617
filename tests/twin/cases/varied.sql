Joins, sets, groups, windows and writes in the forms that are less often written.

-- case: varied: columns by the name of a join
select x.order_id, t.tag_id, i.sku from order_items i join order_tags t using (order_id) as x order by 1, 2, 3;
-- with: :orders.one
select x.* from order_items i left join order_tags t using (order_id) as x where x.order_id = $1 order by 1;
select j.team_id, j.user_id, m.role from memberships m join seats s using (team_id, user_id) as j where j.user_id <> ':users.ann' order by 1;
select u.name, x.id from (select id from users where is_active) a join users u using (id) as x order by x.id;
select count(x.order_id), max(x.order_id) from order_items join order_tags using (order_id) as x;
select x.order_id, m.order_id from order_items i full join order_tags t using (order_id) as x join invoices m using (order_id) order by 1, 2;

-- case: varied: a join with a name that is quoted, in a subquery, in a view
select "X".order_id from order_items join order_tags using (order_id) as "X" order by 1;
select id from orders where id in (select x.order_id from order_items join order_tags using (order_id) as x) order by id;

-- case: varied: the name of a join is no id of another kind
-- fails: 42703
-- except: hint
select x.tag_id from order_items i join order_tags t using (order_id) as x;
-- fails: 42P01
select x.order_id from order_items i join order_tags t using (order_id);

-- case: varied: natural joins of several
select * from (select id as order_id, user_id from orders) o natural join invoices natural join (select order_id, tag_id from order_tags) t order by order_id, tag_id;
select team_id, user_id, number from seats natural right join memberships order by team_id, user_id;

-- case: varied: full joins on ids
select coalesce(a.user_id, b.author_id) as who, count(a.id), count(b.id) from orders a full join comments b on b.author_id = a.user_id group by 1 order by 1;
select user_id, o.id, m.role from (select id, user_id from orders) o full join (select user_id, role from memberships) m using (user_id) order by user_id, o.id, m.role;

-- case: varied: lateral of lateral with limits
select u.id, x.id, y.sku from users u cross join lateral (select id from orders o where o.user_id = u.id order by id desc limit 1) x left join lateral (select sku from order_items i where i.order_id = x.id order by sku limit 1) y on true order by u.id;

-- case: varied: parentheses around parentheses
select u.id, o.id from ((users u join (orders o join order_items i on i.order_id = o.id) on o.user_id = u.id)) order by u.id, o.id, i.id;
(((select id from tags order by id)));
select * from ((select id from tags) union (select id from tags)) s order by id;

-- case: varied: semi and anti joins by rows
select id from orders o where exists (select 1 from memberships m where (m.user_id, m.role) = (o.user_id, 'owner')) order by id;
select u.id from users u where not exists (select from orders o where o.user_id = u.id) order by u.id;
select u.id from users u left join orders o on o.user_id = u.id where o.id is null order by u.id;
select id from users where (id, name) in (select user_id, 'Ann' from orders) order by id;

-- case: varied: a self join by neighbours
select a.id, b.id from users a left join users b on b.id = (select min(c.id) from users c where c.id > a.id) order by a.id;

-- case: varied: grouping sets, rollup and cube
select user_id, status, count(*) from orders group by grouping sets ((user_id, status), (user_id), ()) order by user_id nulls last, status nulls last;
select user_id, status, sum(total_cents) from orders group by rollup (user_id, status) order by 1 nulls last, 2 nulls last;
select team_id, user_id, count(*), grouping(team_id, user_id) from memberships group by cube (team_id, user_id) order by 1 nulls last, 2 nulls last;
select coalesce(user_id, ':users.eli') as who, count(*) from orders group by rollup (user_id) order by 1, 2;
select user_id from orders group by distinct rollup (user_id), rollup (user_id) order by 1 nulls last;

-- case: varied: grouping sets within grouping sets
select user_id, count(*) from orders group by grouping sets (cube (user_id, status), (user_id), ()) order by 1 nulls last, 2;
select user_id, status, grouping(user_id) from orders group by grouping sets (rollup (user_id), cube (status)) order by 1 nulls last, 2 nulls last;

-- case: varied: windows with frames
select id, first_value(id) over w, last_value(id) over w, nth_value(id, 2) over w from orders window w as (partition by user_id order by id rows between unbounded preceding and unbounded following) order by id;
select id, max(id) over (order by id rows between 1 preceding and 1 following) as near from users order by id;
select id, lag(id, 2) over (order by id) as two, lead(id, 1, id) over (order by id) as next from users order by id;
select id, array_agg(id) over (order by id rows between 1 preceding and current row exclude current row) as others from tags order by id;
select id, count(*) over (partition by user_id order by id groups between 1 preceding and current row) from orders order by id;
select user_id, min(id) over (partition by user_id) as least, row_number() over (partition by user_id order by id desc) as n from orders order by 1, 3;
select id from (select id, rank() over (partition by user_id order by total_cents desc) as r from orders) s where r = 1 order by id;
select id, first_value(user_id) over (order by total_cents desc, id range between unbounded preceding and current row) from orders order by id;

-- case: varied: filters of aggregates
select count(*) filter (where user_id = ':users.ann') as ann, max(id) filter (where status = 'paid') as paid, array_agg(id order by id) filter (where status = 'new') as new from orders;
-- with: :users.bob
select user_id, count(distinct id) filter (where user_id <> $1) from orders group by user_id order by user_id;
select array_agg(distinct user_id order by user_id) filter (where total_cents > 0) from orders;
select mode() within group (order by user_id), percentile_disc(0.5) within group (order by id) from orders;

-- case: varied: distinct on
select distinct on (user_id) user_id, id, status from orders order by user_id, id desc;
select distinct on (o.user_id, status) o.id, u.name from orders o join users u on u.id = o.user_id order by o.user_id, status, o.id;
select count(*) from (select distinct on (user_id) id from orders order by user_id) s;
select distinct user_id, status is null from orders order by 1;

-- case: varied: MERGE with all actions
merge into order_tags t using (values (':orders.one'::uuid, ':tags.rush'::uuid), (':orders.two', ':tags.gift')) v(o, g) on t.order_id = v.o and t.tag_id = v.g when matched then delete when not matched then insert (order_id, tag_id) values (v.o, v.g);
select * from order_tags order by 1, 2;
merge into orders o using users u on o.user_id = u.id and u.name = 'Bob' when matched and o.status = 'new' then update set user_id = ':users.dee', note = 'moved' when matched and o.status = 'paid' then do nothing when matched then delete when not matched and u.id = ':users.eli' then insert (user_id, status) values (u.id, 'merged') when not matched then do nothing;
select id, user_id, status, note from orders where status <> 'merged' order by id;
select user_id from orders where status = 'merged';
-- with: :users.cai, :teams.red
merge into memberships m using (select $1::uuid as u, $2::uuid as t) s on (m.user_id, m.team_id) = (s.u, s.t) when not matched then insert values (s.t, s.u, 'guest', default) when matched then update set role = 'guest';
select team_id, role from memberships where user_id = ':users.cai' order by 1;
with late as (select id from orders where status = 'void') merge into orders o using late on late.id = o.id when matched then update set status = 'late', user_id = (select max(id) from users);
select id, user_id from orders where status = 'late';

-- case: varied: MERGE of an id that nobody has
-- fails: 23503
-- early
merge into memberships m using teams t on t.id = m.team_id and m.user_id = ':users.ann' when not matched then insert (team_id, user_id) values (t.id, '11111111-2222-4333-8444-555555555555');

-- case: varied: ON CONFLICT in its forms
insert into order_tags values (':orders.one', ':tags.rush') on conflict do nothing returning *;
insert into order_tags values (':orders.one', ':tags.rush'), (':orders.two', ':tags.rush') on conflict (order_id, tag_id) do update set tag_id = excluded.tag_id returning *;
insert into memberships (team_id, user_id) values (':teams.red', ':users.ann') on conflict on constraint memberships_pkey do update set role = 'x' || memberships.role where memberships.user_id = excluded.user_id returning user_id, role;
insert into memberships as m (team_id, user_id) values (':teams.red', ':users.bob') on conflict (team_id, user_id) do update set (role, user_id) = ('y', m.user_id) returning m.*;
insert into memberships (team_id, user_id) select ':teams.grey', id from users on conflict (team_id, user_id) do update set role = 'again' returning user_id, role;
insert into teams (name, slug, owner_id) values ('Red 2', 'red', ':users.cai') on conflict (slug) do update set owner_id = coalesce(excluded.owner_id, teams.owner_id), name = excluded.name returning id, owner_id, name;
insert into teams (name, slug, owner_id) values ('Red 3', 'red', null) on conflict (slug) do update set owner_id = (select max(id) from users) where teams.owner_id is not null returning owner_id;

-- case: varied: CTEs that write and read each other
with gone as (delete from order_items where order_id = ':orders.one' returning *), kept as (insert into order_items (order_id, sku, qty) select ':orders.two', sku, qty from gone returning order_id, sku) select k.order_id, k.sku, g.id from kept k join gone g using (sku) order by g.id;
with up as (update users set name = name || '!' where id in (select user_id from orders) returning id, name) select up.id, o.id from up join orders o on o.user_id = up.id order by up.id, o.id;
with t as (update teams set owner_id = ':users.dee' where id = ':teams.red' returning id, owner_id), m as (delete from memberships where team_id in (select id from t) returning team_id, user_id) select t.owner_id, m.user_id from t left join m on m.team_id = t.id order by m.user_id;
with x(id) as (values (':users.ann'::uuid)), y as (delete from memberships using x where user_id = x.id returning user_id) select count(*), max(user_id) from y;

-- case: varied: UPDATE FROM lists, joins and itself
update orders o set status = v.status, user_id = v.who from (values (':orders.one'::uuid, 'a', ':users.cai'::uuid), (':orders.two', 'b', ':users.dee')) as v(id, status, who) where v.id = o.id returning o.id, o.user_id, v.who, v.status;
update comments c set author_id = o.user_id from orders o join users u on u.id = o.user_id where c.order_id = o.id and u.name = 'Ann' returning c.id, c.author_id, u.id;
update comments c set parent_id = p.parent_id from comments p where p.id = c.parent_id returning c.id, c.parent_id, p.id;
update teams set (owner_id, name) = (select id, name from users where id = ':users.eli') where slug = 'grey' returning owner_id, name;
update teams set (owner_id, name) = (':users.ann', default) where false returning id;
-- with: '{:orders.one,:orders.two}', '{:users.bob,:users.cai}'
update orders o set user_id = s.who from unnest($1::uuid[], $2::uuid[]) as s(id, who) where s.id = o.id returning o.id, o.user_id;

-- case: varied: DELETE USING
delete from order_tags t using orders o, users u where t.order_id = o.id and u.id = o.user_id and u.name = 'Bob' returning t.order_id, t.tag_id, u.id;
delete from seats s using memberships m natural join (select id as team_id from teams where slug = 'red') r where (s.team_id, s.user_id) = (m.team_id, m.user_id) returning s.user_id, m.team_id, number;
delete from comments c using (values (':comments.other'::uuid)) v(id) where v.id = c.id returning c.*;

-- case: varied: RETURNING expressions
-- modes: simple text
insert into orders (user_id) values (':users.ann') returning user_id = ':users.ann' as hers, user_id is null, coalesce(id, id) is not null, (select name from users u where u.id = user_id), array[user_id], case when true then user_id end as who;
update orders set note = 'n' where id = ':orders.one' returning id::text, 'order ' || id, json_build_object('id', id, 'user', user_id), (id, user_id), greatest(user_id, user_id), exists (select from comments c where c.order_id = orders.id);
delete from order_items where id = ':order_items.a' returning order_items, (select array_agg(id order by id) from orders) as all_orders;

-- case: varied: rows of which some have defaults
-- modes: simple text
insert into orders (id, user_id, status, note) values (default, ':users.ann', default, 'a'), (default, ':users.bob', 'x', default) returning user_id, status, note;
insert into comments (author_id, order_id, parent_id, body) values (':users.ann', null, ':comments.root', '1'), (':users.bob', ':orders.one', default, '2') returning author_id, order_id, parent_id, body;
-- with: :users.cai, hi, :users.dee, ho
insert into notes (author_id, body) values ($1, $2), ($3, $4) returning author_id, body;
insert into letters default values returning body;

-- case: varied: partitions take rows where they belong
-- modes: simple text binary
insert into measurements (user_id, at, value) values (':users.bob', '2025-06-01', 7), (':users.cai', '2026-06-02', 8) returning user_id, at;
select user_id, value from measurements_2025 order by value;
insert into measurements_2026 (id, user_id, at, value) values (':measurements.new', ':users.dee', '2026-07-01', 9) returning id, user_id;
update measurements set at = '2025-12-01' where user_id = ':users.bob' and at > '2026-01-01' returning id, at;
insert into measurements (id, user_id, at, value) values (':measurements.old', ':users.ann', '2025-05-01', 99) on conflict (id, at, user_id) do update set value = excluded.value + measurements.value returning id, user_id, value;
insert into measurements (id, user_id, at, value) values (':measurements.old', ':users.ann', '2025-05-01', 99) on conflict do nothing;
delete from measurements m using users u where u.id = m.user_id and u.name = 'Ann' returning m.id, u.id;
-- fails: 23514
insert into measurements (id, user_id, at, value) values (':measurements.old', ':users.ann', '2030-05-01', 1);
-- fails: 23514
insert into measurements_2026 (id, user_id, at, value) values (':measurements.old', ':users.ann', '2025-05-01', 1);

-- case: varied: a partition that comes
-- modes: simple
create table measurements_2027 partition of measurements for values from ('2027-01-01', minvalue) to ('2028-01-01', minvalue);
insert into measurements (user_id, at, value) values (':users.eli', '2027-06-01', 7) returning user_id;
select id, user_id, value from measurements where at >= '2026-06-01' order by value;
select user_id, value from measurements_2027;
drop table measurements_2027;

-- case: varied: a partition that goes
-- note: what holds it to its annotation would be gone
-- modes: simple
-- refused: 0A000
alter table measurements detach partition measurements_2025;

-- case: varied: inherited rows
select n.id, n.author_id from notes n order by n.id;
update notes set body = 'all' returning id, author_id;
update only notes set body = 'own' returning id;
update urgent_notes set author_id = ':users.ann', until = '2027-01-01' where id = ':notes.fire' returning id, author_id, until;
delete from notes where author_id = ':users.ann' and body = 'own' returning id;
delete from only notes returning id, author_id;
select u.id, n.until from urgent_notes n join users u on u.id = n.author_id order by 1, 2;

-- case: varied: a domain over the type of the keys
insert into domained (owner, n) select id, 5 from users where name = 'Cai' returning owner, again, n;
update domained set owner = ':users.dee' where owner = ':users.cai' returning owner, again;
select d.owner, u.id from domained d join users u on u.id = d.owner order by 1;
select owner::uuid from domained where owner in (':users.dee', ':users.ann') order by 1;
delete from domained where again = ':users.dee' returning n;

-- case: varied: names in capitals and with blanks
-- modes: simple text
create temp table "Odd Names" (like orders);
insert into "Odd Names" select * from orders;
select o.id as "The Id", o.user_id "Who" from "Odd Names" as o order by 1;
drop table "Odd Names";

-- case: varied: names in capitals, in aliases and CTEs
with "Late Ones" as (select id as "Id", user_id as "Who" from orders where status = 'new') select l."Id", u.name from "Late Ones" l join users u on u.id = l."Who" order by 1;
select "O"."id", "O".user_id as "user_id", O.id from orders "O", orders o where "O".id = o.id order by 1;
select U."id" from "public".USERS U where U."name" = 'Ann';
-- fails: 42703
select "ID" from users;
-- fails: 42P01
select id from "Users";

-- case: varied: schemas in every place
insert into shop.carts (user_id, items) values (':shop_users.zoe', 1) returning carts.user_id, shop.carts.items;
update shop.carts set items = 9 where shop.carts.user_id = ':shop_users.zoe' returning carts.id, items;
delete from shop.carts c using shop.users u where u.id = c.user_id and u.nick = 'yan' returning c.id, u.id;
select c.id, (select nick from shop.users where id = c.user_id) from shop.carts c order by c.id;
-- refused: 0A000
select u.id from public.users u join shop.users s on s.id = u.id;
-- fails: 23503
-- early
insert into shop.carts (user_id) values (':users.ann');

-- case: varied: views with joins, groups, sets and windows, joined again
select t.user_id, n.before, t.order_count from user_order_totals t join neighbours n on n.id = t.user_id order by 1;
select o.id, b.email from owners o left join buyers b on b.user_id = o.id order by o.id, b.order_id;
select a.uid, exists (select from order_counts c where c.user_id = a.uid) from active_names a order by 1;
select c.last_order, c.same_id from chosen c where c.active_id = ':users.ann' or c.last_order = ':orders.three' order by 2;
select distinct x from orders_by_user, unnest(order_ids) x where x > ':orders.one' order by x;
with v as (select * from threads where depth > 1) select v.id, v.root, c.author_id from v join comments c using (id) order by v.id;
select r.id, r.who, i.id from orders_again r left join order_items i on i.order_id = r.id order by 1, 3;
select id, who from meetings where who @> array[':users.ann']::uuid[] order by id;

-- case: varied: a materialized view is filled again
-- modes: simple text
insert into orders (user_id) values (':users.eli');
select user_id from order_counts where user_id = ':users.eli';
refresh materialized view order_counts;
select user_id, n from order_counts where user_id = ':users.eli';
refresh materialized view concurrently order_counts;
refresh materialized view order_counts with no data;
-- fails: 55000
select * from order_counts;

-- case: varied: a view that is made and replaced through here
-- modes: simple
create view made_view as select id, user_id as who from orders where status <> 'void';
select id, who from made_view order by id;
insert into made_view (who) values (':users.dee') returning who;
create or replace view made_view as select id, user_id as who, note from orders with check option;
update made_view set note = 'seen', who = ':users.eli' where id = ':orders.one' returning *;
drop view made_view;

-- case: varied: a view that gets another name
-- modes: simple
-- refused: 0A000
alter view active_names rename to active_again;
