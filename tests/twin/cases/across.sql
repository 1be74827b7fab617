Joins, sets and lists of values: how ids of several tables meet. A case is one statement.

-- case: across: a nested join in parentheses
select u.id, o.id, i.sku from users u left join (orders o join order_items i on i.order_id = o.id) on o.user_id = u.id order by u.id, o.id, i.sku;

-- case: across: a nested join with a name
select j.owner_id, j.id from (teams t join memberships m on m.team_id = t.id) as j order by j.id, j.user_id;

-- case: across: a join of joins
select u.id, t.id from (users u join memberships m on m.user_id = u.id) join (teams t left join users w on w.id = t.owner_id) on t.id = m.team_id order by u.id, t.id;

-- case: across: a right join by the key
select o.id, u.id from orders o right join users u on u.id = o.user_id order by u.id, o.id;

-- case: across: a full join that finds what is missing
select coalesce(u.id, t.owner_id) as id, t.slug from users u full join teams t on t.owner_id = u.id where u.id is null or t.id is null order by 1 nulls last;

-- case: across: a full join with using
select owner_id, t.slug, d.title from teams t full join documents d using (owner_id) order by owner_id nulls last;

-- case: across: a left join with using of two columns
select team_id, user_id, m.role, s.number from memberships m left join seats s using (team_id, user_id) order by team_id, user_id;

-- case: across: a join with using and a name for what is joined
select x.order_id, i.sku from order_items i join order_tags t using (order_id) as x order by 1, 2;

-- case: across: a natural left join
select * from memberships natural left join seats order by team_id, user_id;

-- case: across: a natural full join of chosen columns
select id from (select id from users where is_active) a natural full join (select owner_id as id from teams) b order by id;

-- case: across: a natural join of nothing in common
select a.x, b.y from (select id as x from tags) a natural join (select id as y from products) b order by x, y;

-- case: across: a cross join of two domains
select u.id, t.id from users u cross join tags t order by u.id, t.id;

-- case: across: a join on several conditions
select o.id from orders o join comments c on c.order_id = o.id and c.author_id = o.user_id order by o.id;

-- case: across: a join on either of two keys
select distinct u.id from users u join comments c on c.author_id = u.id or c.order_id in (select id from orders where user_id = u.id) order by u.id;

-- case: across: a join on a range of ids
select a.id, b.id from users a join users b on a.id < b.id and b.id <= ':users.cai' order by 1, 2;

-- case: across: a join on what is not distinct
select t.id, u.id from teams t left join users u on u.id is not distinct from t.owner_id order by t.id;

-- case: across: a join on a coalesced id
select t.id, u.name from teams t join users u on u.id = coalesce(t.owner_id, ':users.eli') order by t.id;

-- case: across: a join on an element of an array
select e.id, u.id from events e join users u on u.id = any (e.participant_ids) order by e.id, u.id;

-- case: across: a join on the first element
select e.id, u.name from events e join users u on u.id = e.participant_ids[1] order by e.id;

-- case: across: a lateral join that is not found
select u.id, l.id from users u left join lateral (select c.id from comments c where c.author_id = u.id and c.parent_id is null limit 1) l on true order by u.id;

-- case: across: a lateral join on a lateral join
select u.id, o.id, i.id from users u, lateral (select * from orders where user_id = u.id) o, lateral (select * from order_items where order_id = o.id) i order by i.id;

-- case: across: a lateral aggregate
select u.id, s.n, s.newest from users u left join lateral (select count(*) as n, max(id) as newest from orders where user_id = u.id) s on true order by u.id;

-- case: across: a lateral function of an array
select e.id, k from events e, lateral unnest(e.participant_ids) k order by e.id, k;

-- case: across: a table joined with itself three times
select a.id, b.id, c.id from comments a join comments b on b.parent_id = a.id join comments c on c.parent_id = b.id;

-- case: across: members of a user's teams
select distinct m2.user_id from memberships m1 join memberships m2 on m2.team_id = m1.team_id where m1.user_id = ':users.ann' order by m2.user_id;

-- case: across: many to many through a table
select t.name, o.id from tags t join order_tags x on x.tag_id = t.id join orders o on o.id = x.order_id order by t.id, o.id;

-- case: across: many to many with all of several
select order_id from order_tags where tag_id in (':tags.rush', ':tags.gift') group by order_id having count(distinct tag_id) = 2;

-- case: across: a semi join by in
select id from orders where user_id in (select owner_id from teams) order by id;

-- case: across: a semi join by any
select id from orders where user_id = any (select owner_id from teams) order by id;

-- case: across: an anti join by not in without nulls
select id from users where id not in (select owner_id from teams where owner_id is not null) order by id;

-- case: across: an anti join by not in with a null finds nothing
select id from users where id not in (select owner_id from teams);

-- case: across: an anti join by all
select id from users where id <> all (select author_id from comments) order by id;

-- case: across: a comparison with all of an array
select id from users where id <> all (array[':users.ann', ':users.bob']::uuid[]) order by id;

-- case: across: a comparison with some
select id from users where id = some (array(select user_id from orders)) order by id;

-- case: across: a row in a subquery
select team_id, number from seats where (team_id, user_id) = (select team_id, user_id from memberships where role = 'owner' and team_id = ':teams.red');

-- case: across: a row not in a subquery
select team_id, user_id from memberships where (team_id, user_id) not in (select team_id, user_id from seats) order by 1, 2;

-- case: across: rows in a list
select role from memberships where (team_id, user_id) in ((':teams.red', ':users.bob'), (':teams.blue', ':users.cai')) order by role;

-- case: across: a subquery in a subquery in a join
select o.id from orders o join (select id from users where id in (select user_id from memberships where team_id in (select id from teams where slug = 'red'))) u on u.id = o.user_id order by o.id;

-- case: across: a subquery that refers outwards twice
select u.id from users u where exists (select from orders o where o.user_id = u.id and exists (select from comments c where c.order_id = o.id and c.author_id <> u.id)) order by u.id;

-- case: across: a union of two sources of one domain
select user_id from orders union select author_id from comments order by 1;

-- case: across: a union all with where it came from
select 'order' as kind, user_id as who from orders union all select 'comment', author_id from comments order by 1, 2;

-- case: across: a union with nulls and literals
select id, name from users where id = ':users.ann' union all select null, 'nobody' union all select ':users.bob', 'literal' order by 2;

-- case: across: a union that begins with a null
select null as id union all select id from tags order by 1 nulls first;

-- case: across: a union that begins with a null of a type
select null::uuid as id, 1 as n union all select id, 2 from tags order by 2, 1;

-- case: across: a union of three
select user_id from orders union select owner_id from teams union select author_id from comments order by 1 nulls first;

-- case: across: a union of parts in parentheses
(select id from users order by id limit 1) union all (select id from users order by id desc limit 1) order by 1;

-- case: across: a union within a join
select u.name, x.kind from (select user_id, 'buyer' as kind from orders union select owner_id, 'owner' from teams) x join users u on u.id = x.user_id order by 1, 2;

-- case: across: a union of wide rows
select id, user_id, status from orders where status = 'paid' union all select id, user_id, status from orders where status = 'new' order by id;

-- case: across: an intersection
select user_id from orders intersect select author_id from comments order by 1;

-- case: across: an intersection of all
select user_id from orders intersect all select author_id from comments order by 1;

-- case: across: a difference of all
select user_id from orders except all select author_id from comments order by 1;

-- case: across: a difference of a union
(select id from users union select owner_id from teams) except select user_id from orders order by 1 nulls last;

-- case: across: sets in their precedence
select id from users union select owner_id from teams intersect select user_id from orders order by 1;

-- case: across: a set with a limit over it
select user_id from orders union select author_id from comments order by 1 desc limit 2 offset 1;

-- case: across: a set counted
select count(*) from (select user_id from orders union select author_id from comments) s;

-- case: across: a set of rows of two ids
select team_id, user_id from memberships except select team_id, user_id from seats order by 1, 2;

-- case: across: values as a table
select v.id, u.name from (values (':users.bob'::uuid, 2), (':users.ann', 1)) v(id, place) join users u on u.id = v.id order by v.place;

-- case: across: values with a null
select v.id, u.name from (values (':users.bob'::uuid), (null)) v(id) left join users u on u.id = v.id order by u.name;

-- case: across: values that keep an order asked for
select o.id from orders o join (values (':orders.three'::uuid, 1), (':orders.one', 2)) as wanted(id, at) using (id) order by wanted.at;

-- case: across: values in a with
with wanted(id) as (values (':users.cai'::uuid), (':users.ann')) select u.id, u.name from users u join wanted using (id) order by u.id;

-- case: across: values by themselves
values (':users.ann'::uuid, 'a'), (':users.bob', 'b');

-- case: across: values of columns
select v.k from orders o, lateral (values (o.user_id), (o.user_id)) v(k) order by o.id;

-- case: across: values in a union
select id from users where name = 'Ann' union values (':users.bob'::uuid) order by 1;

-- case: across: values in an in
select name from users where id in (values (':users.ann'::uuid), (':users.bob'::uuid)) order by name;

-- case: across: a table as a statement in a set
select id, name from tags union all (table tags) order by id;

-- case: across: a subquery as the only table
select * from (select id as a, user_id as b from orders) as s(x) order by x;

-- case: across: a subquery with a star and more
select s.*, s.id as again from (select id, name from users) s order by id;

-- case: across: the columns of one of two tables
select o.* from orders o join users u on u.id = o.user_id where u.name = 'Bob' order by o.id;

-- case: across: a star of a join with using
select * from orders o join order_tags t on t.order_id = o.id join tags g on g.id = t.tag_id order by o.id, g.id;

-- case: across: a column qualified by a schema
select public.users.id from public.users order by public.users.id;

-- case: across: two schemas in one statement
select u.id, s.id from public.users u cross join shop.users s where u.name = 'Ann' order by s.id;

-- case: across: a join in another schema
select c.id, u.id, u.nick from shop.carts c join shop.users u on u.id = c.user_id order by c.id;

-- case: across: quoted names
select "u"."id" as "User Id", "u"."name" from "public"."users" as "u" order by "u"."id";

-- case: across: names in capitals
SELECT U.ID, U.NAME FROM USERS U ORDER BY U.ID;

-- case: across: a comment within
select id /* the key */ from users -- all of them
order by id;

-- case: across: nothing but a where
select 1 from users where id = ':users.ann';

-- case: across: an empty list of columns
select from users where id = ':users.ann';

-- case: across: a partition by itself
select id, user_id, value from measurements_2025;

-- case: across: a partitioned table
select m.id, u.name, m.value from measurements m join users u on u.id = m.user_id order by m.id, m.at;

-- case: across: only the parent of what inherits
select id from only notes order by id;

-- case: across: a parent with its heirs
select n.id, n.author_id, n.body from notes n order by n.id;

-- case: across: an heir
select id, author_id, until from urgent_notes;

-- case: across: narrow keys joined
select p.id, p.name, s.amount, t.slug from products p left join stock s on s.product_id = p.id left join teams t on t.id = p.maker_id order by p.id, s.warehouse;

-- case: across: the narrowest keys joined
select r.id, w.id as within from regions r left join regions w on w.id = r.within order by r.id;
