Common table expressions, recursion and paths. A case is one statement.

-- case: trees: a with that filters
with paid as (select * from orders where status = 'paid') select id, user_id from paid order by id;

-- case: trees: two withs that are joined
with a as (select id from users where is_active), b as (select user_id, count(*) as n from orders group by user_id) select a.id, coalesce(b.n, 0) from a left join b on b.user_id = a.id order by a.id;

-- case: trees: a with used twice
with p as (select id, user_id from orders) select a.id, b.id from p a join p b on b.user_id = a.user_id and b.id > a.id order by a.id, b.id;

-- case: trees: a with in a with
with a as (with b as (select id from users) select id from b where id > ':users.ann') select id from a order by id;

-- case: trees: a with in a subquery
select id from users where id in (with b as (select user_id from orders) select user_id from b) order by id;

-- case: trees: a with that is not materialized
with a as not materialized (select id from users) select id from a order by id limit 2;

-- case: trees: a with that names its columns
with a(k, v) as (select id, name from users) select k, v from a order by k;

-- case: trees: a with of a union
with people as (select user_id as id from orders union select author_id from comments) select p.id, u.name from people p join users u on u.id = p.id order by p.id;

-- case: trees: a with that is counted
with a as (select id from users) select count(*) from a;

-- case: trees: a with over windows
with ranked as (select id, user_id, row_number() over (partition by user_id order by id) as n from orders) select id, user_id from ranked where n = 1 order by id;

-- case: trees: a tree from its root
with recursive t as (select id, parent_id, 1 as level from comments where parent_id is null union all select c.id, c.parent_id, t.level + 1 from comments c join t on t.id = c.parent_id) select * from t order by level, id;

-- case: trees: a tree up from a leaf
with recursive up as (select id, parent_id from comments where id = ':comments.deep' union all select c.id, c.parent_id from comments c, up where c.id = up.parent_id) select id from up order by id;

-- case: trees: a tree with the path to each
with recursive t(id, path) as (select id, array[id] from comments where parent_id is null union all select c.id, path || c.id from comments c join t on c.parent_id = t.id) select id, path, cardinality(path) from t order by path;

-- case: trees: a tree with paths appended
with recursive t as (select id, array[id]::uuid[] as path from comments where parent_id is null union all select c.id, array_append(t.path, c.id) from comments c join t on c.parent_id = t.id) select id, path[1] as root from t order by id;

-- case: trees: a tree that stops at cycles
with recursive t as (select id, parent_id, array[id] as seen from comments where parent_id is null union all select c.id, c.parent_id, seen || c.id from comments c join t on c.parent_id = t.id where not c.id = any (seen)) select id, seen from t order by id;

-- case: trees: a tree that stops at cycles by position
with recursive t as (select id, array[id] as seen, false as again from comments where parent_id is null union all select c.id, t.seen || c.id, array_position(t.seen, c.id) is not null from comments c join t on c.parent_id = t.id where not t.again) select id, again from t order by id;

-- case: trees: a tree with its root beside each
with recursive t as (select id, id as root, 0 as depth from comments where parent_id is null union all select c.id, t.root, t.depth + 1 from comments c join t on c.parent_id = t.id) select root, count(*), max(depth) from t group by root order by root;

-- case: trees: a tree by union without all
with recursive t as (select id, parent_id from comments where id = ':comments.root' union select c.id, c.parent_id from comments c join t on c.parent_id = t.id) select id from t order by id;

-- case: trees: a tree of the narrowest keys
with recursive t as (select id, name, within, array[id] as path from regions where within is null union all select r.id, r.name, r.within, path || r.id from regions r join t on t.id = r.within) select name, path from t order by path;

-- case: trees: a tree with rows in its path
with recursive t as (select id, array[row(id, body)::text] as n, 1 as level from (select ':comments.root'::uuid as id, 'x'::text as body where false) s union all select id, n, level from t where false) select level from t;

-- case: trees: a recursion that only counts
with recursive n(i) as (select 1 union all select i + 1 from n where i < 3) select i, u.id from n, users u where u.name = 'Ann' order by i;

-- case: trees: a graph of who shares a team with whom
with recursive reach(id) as (select ':users.ann'::uuid union select b.user_id from reach r join memberships a on a.user_id = r.id join memberships b on b.team_id = a.team_id) select u.id, u.name from reach join users u using (id) order by u.id;

-- case: trees: the distance in that graph
with recursive reach(id, steps) as (select ':users.ann'::uuid, 0 union select b.user_id, steps + 1 from reach r join memberships a on a.user_id = r.id join memberships b on b.team_id = a.team_id where steps < 3) select id, min(steps) from reach group by id order by id;

-- case: trees: a recursion that begins with values
with recursive t(id, n) as (values (':comments.root'::uuid, 1) union all select c.id, n + 1 from comments c join t on c.parent_id = t.id) select id, n from t order by n;

-- case: trees: a recursion joined afterwards
with recursive t as (select id, author_id from comments where parent_id is null union all select c.id, c.author_id from comments c join t on c.parent_id = t.id) select t.id, u.name from t join users u on u.id = t.author_id order by t.id;

-- case: trees: depth first
with recursive t as (select id, parent_id from comments where parent_id is null union all select c.id, c.parent_id from comments c join t on c.parent_id = t.id) search depth first by id set path select id from t order by path;

-- case: trees: breadth first
with recursive t as (select id, parent_id from comments where parent_id is null union all select c.id, c.parent_id from comments c join t on c.parent_id = t.id) search breadth first by id set path select id from t order by path;

-- case: trees: cycles found by postgres
with recursive t as (select id, parent_id from comments where parent_id is null union all select c.id, c.parent_id from comments c join t on c.parent_id = t.id) cycle id set looped using path select id, looped from t order by id;

-- case: trees: a with that deletes and tells
with gone as (delete from order_tags where tag_id = ':tags.rush' returning order_id) select order_id from gone order by order_id;

-- case: trees: a with that updates and is joined
with touched as (update orders set note = 'seen' where user_id = ':users.bob' returning id, user_id) select t.id, u.name from touched t join users u on u.id = t.user_id order by t.id;

-- case: trees: a with that inserts and is counted
-- modes: simple text declared binary
with fresh as (insert into memberships (team_id, user_id) select ':teams.grey', id from users where is_active returning user_id) select count(*), array_agg(user_id order by user_id) from fresh;

-- case: trees: a with that moves rows
with moved as (delete from order_tags where order_id = ':orders.one' returning *) insert into order_tags (order_id, tag_id) select ':orders.five', tag_id from moved returning order_id, tag_id;

-- case: trees: a with that deletes what another found
with old as (select id from comments where parent_id is null and order_id = ':orders.three') delete from comments using old where comments.id = old.id returning comments.id;

-- case: trees: a with before an update
with best as (select user_id, sum(total_cents) as s from orders group by user_id) update users u set login_count = best.s from best where best.user_id = u.id returning u.id, u.login_count;

-- case: trees: a with before an insert
with src as (select id from users where name = 'Dee') insert into documents (id, owner_id, title) select default_id.id, src.id, 'T' from src, (select id from documents where false) default_id returning owner_id;
