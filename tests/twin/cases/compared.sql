Comparisons, choices between values, and values without a column. A case is one statement.

-- case: compared: rows of columns and literals
select team_id, user_id from memberships where (team_id, user_id) > (':teams.red', ':users.ann') order by 1, 2;

-- case: compared: rows of parameters
-- with: :teams.red, :users.ann
select team_id, user_id from memberships where (team_id, user_id) >= ($1, $2) order by 1, 2;

-- case: compared: rows with row
select role from memberships where row(team_id, user_id) = row(':teams.red'::uuid, ':users.bob'::uuid);

-- case: compared: rows in rows
select role from memberships where (user_id, team_id) in ((':users.ann', ':teams.red'), (':users.cai', ':teams.blue')) order by 1;

-- case: compared: rows in a subquery
select role from memberships where (team_id, user_id) in (select team_id, user_id from seats) order by 1;

-- case: compared: rows not in a subquery
select role from memberships m where (team_id, user_id) not in (select team_id, user_id from seats) order by 1;

-- case: compared: rows equal to a subquery
select role from memberships where (team_id, user_id) = (select team_id, user_id from seats where number = 1);

-- case: compared: rows any of a subquery
select role from memberships where (team_id, user_id) = any (select team_id, user_id from seats) order by 1;

-- case: compared: rows in values
select role from memberships where (team_id, user_id) in (values (':teams.red'::uuid, ':users.ann'::uuid), (':teams.blue', ':users.bob')) order by 1;

-- case: compared: rows in values of parameters
-- with: :teams.red, :users.ann
select role from memberships where (team_id, user_id) in (values ($1::uuid, $2::uuid)) order by 1;

-- case: compared: rows distinct
select role from memberships where (team_id, user_id) is distinct from (':teams.red'::uuid, ':users.ann'::uuid) order by 1;

-- case: compared: rows with null
select id from teams where (id, owner_id) is null or row(owner_id) is null or (id, owner_id) is not null order by id;

-- case: compared: rows mixed with other values
-- with: 250, :orders.two
select id from orders where (total_cents, id) <= ($1, $2) order by id;

-- case: compared: nested rows
select role from memberships where ((team_id, user_id), role) = ((':teams.red'::uuid, ':users.ann'::uuid), 'owner');

-- case: compared: whole rows
select a.id from users a join users b on a = b order by 1;

-- case: compared: whole rows differ
select count(*) from users a, users b where a <> b;

-- case: compared: whole rows distinct
select count(*) from users a, users b where a is distinct from b;

-- case: compared: whole rows in a subquery
select id from users u where u in (select x from users x where is_active) order by id;

-- case: compared: distinct from a parameter
-- with: :users.ann
select id from teams where owner_id is distinct from $1 order by id;

-- case: compared: distinct from a null parameter
-- with: null
select id from teams where owner_id is not distinct from $1 order by id;

-- case: compared: distinct from a column
select u.id, t.id from users u join teams t on t.owner_id is not distinct from u.id order by 1;

-- case: compared: distinct from a subquery
select id from teams where owner_id is distinct from (select id from users where name = 'Ann') order by id;

-- case: compared: between parameters
-- with: :users.bob, :users.dee
select id from users where id between $1 and $2 order by id;

-- case: compared: between a column and a literal
select o.id from orders o join users u on u.id between o.user_id and ':users.bob' order by o.id, u.id;

-- case: compared: between subqueries
select id from users where id between (select min(user_id) from orders) and (select max(user_id) from orders) order by id;

-- case: compared: not between in a case
select id, case when id not between ':users.bob' and ':users.cai' then 'out' else 'in' end from users order by id;

-- case: compared: in a list of columns
select o.id from orders o, teams t where o.user_id in (t.owner_id, ':users.cai') order by o.id, t.id;

-- case: compared: in a list with parameters and casts
-- with: :users.ann, :users.bob
select id from users where id in ($1, $2::uuid, ':users.cai', null, cast(':users.dee' as uuid)) order by id;

-- case: compared: in a list with a case
-- with: :users.ann
select id from users where id in (case when is_active then $1::uuid else ':users.cai' end) order by id;

-- case: compared: in a list with subqueries
select id from users where id in ((select min(user_id) from orders), (select max(user_id) from orders)) order by id;

-- case: compared: not in with null
select id from users where id not in (':users.ann', null) order by id;

-- case: compared: in a subquery with a limit
select id from users where id in (select user_id from orders order by total_cents desc limit 2) order by id;

-- case: compared: in a union
select id from users where id in (select owner_id from teams union all select user_id from orders) order by id;

-- case: compared: a literal in a subquery
select ':users.ann' in (select user_id from orders), ':users.eli' in (select user_id from orders);

-- case: compared: a parameter in a subquery
-- with: :users.ann
select $1 in (select user_id from orders) as known;

-- case: compared: null compared
select id = null, id <> null, null = id, id is null, id is not null, (id = id) is true from users order by id;

-- case: compared: a comparison of comparisons
select (id = ':users.ann') = is_active from users order by id;

-- case: compared: case of an id with parameters
-- with: :users.ann, :users.bob
select name, case id when $1 then 'first' when $2 then 'second' end from users order by name;

-- case: compared: case that yields parameters
-- with: :users.ann, :users.bob
select case when is_active then $1 else $2 end::uuid = id from users order by id;

-- case: compared: case that yields ids of a join
select case when o.user_id = u.id then o.id end, case when o.user_id <> u.id then u.id else o.user_id end from orders o, users u order by o.id, u.id;

-- case: compared: case in an aggregate
select max(case when is_active then id end::text) is not null, count(case when id > ':users.bob' then 1 end), array_agg(case when is_active then id end order by id) from users;

-- case: compared: case without else
select case when id = ':users.ann' then id end from users order by users.id;

-- case: compared: case with null
select case when is_active then null else id end, case id when null then id else null end from users order by users.id;

-- case: compared: coalesce of parameters
-- with: null, :users.ann
select id from users where id = coalesce($1::uuid, $2::uuid);

-- case: compared: coalesce of an unknown parameter
-- with: null
select id from teams where coalesce($1, owner_id) = owner_id order by id;

-- case: compared: coalesce as an optional filter
-- with: null, paid
select id from orders where user_id = coalesce($1, user_id) and status = coalesce($2, status) order by id;

-- case: compared: coalesce of a scalar subquery
select t.id, coalesce((select u.id from users u where u.id = t.owner_id and u.is_active), ':users.eli') from teams t order by 1;

-- case: compared: nullif with a parameter
-- with: :users.ann
select nullif(owner_id, $1), nullif($1, owner_id) from teams order by id;

-- case: compared: nullif with a literal in a join
select u.id from users u join teams t on u.id = nullif(t.owner_id, ':users.ann') order by 1;

-- case: compared: greatest and least with nulls
select greatest(owner_id, null, ':users.ann'), least(owner_id, ':users.bob') from teams order by id;

-- case: compared: greatest of parameters
-- with: :users.ann, :users.bob
select id from users where id = greatest($1::uuid, $2) order by id;

-- case: compared: least of two columns
select least(e.actor_id, u.id), greatest(e.actor_id, u.id) from events e, users u order by e.id, u.id;

-- case: compared: a parameter that may be null
-- with: null
select id from users where $1::uuid is null or id = $1 order by id;

-- case: compared: a parameter that may be an empty list
-- with: {}
select id from users where cardinality($1::uuid[]) = 0 or id = any ($1) order by id;

-- case: compared: a parameter as text and as an id
-- with: :users.ann
-- types: text
select id, $1 from users where id = $1::uuid;

-- case: compared: text of a parameter
-- with: :users.ann
select name from users where id::text = $1 or id::text = any (array[$1]);

-- case: compared: text that is no id
-- with: none
select name from users where id::text = $1 or id::text in ('x', $1);

-- case: compared: text in a list of parameters
-- with: :users.ann, :users.bob
-- types: text text
select name from users where id::text in ($1, $2) order by name;

-- case: compared: text any of an array
-- with: {:users.ann,none}
select name from users where id::text = any ($1::text[]) order by name;

-- case: compared: text in a subquery
select name from users where id::text in (select user_id::text from orders) order by name;

-- case: compared: text joined with text
select u.name, o.id from users u join orders o on o.user_id::text = u.id::text order by 2;

-- case: compared: text distinct from a literal
select id from teams where owner_id::text is distinct from ':users.ann' order by id;

-- case: compared: ids under having
select user_id from orders group by user_id having user_id <> ':users.ann' and min(user_id::text) is not null order by 1;

-- case: compared: a filter by a parameter
-- with: :users.ann
select count(*) filter (where user_id = $1), array_agg(id order by id) filter (where user_id <> $1) from orders;

-- case: compared: ordered by a comparison
-- with: :users.cai
select id from users order by id = $1 desc, id;

-- case: compared: ordered by a case
select id from users order by case when id = ':users.cai' then ':users.ann'::uuid else id end, name;

-- case: compared: grouped by a comparison
select id = ':users.ann' as a, count(*) from users group by id = ':users.ann' order by 1;

-- case: compared: grouped by a case
select case when is_active then id end, count(*) from users group by case when is_active then id end order by 1;

-- case: compared: distinct on a coalesce
select distinct on (coalesce(owner_id, ':users.ann')) id, owner_id from teams order by coalesce(owner_id, ':users.ann'), id;

-- case: compared: limited by a comparison of counts
select id from users order by id limit (select count(*) from orders where user_id = ':users.ann');

-- case: compared: values beside values
select column1, column2 from (values (':users.ann'::uuid, 1), (null, 2), (':users.bob', 3)) v order by 2;

-- case: compared: values joined
select u.name, v.n from users u join (values (':users.ann', 1), (':users.bob', 2)) v(id, n) on u.id = v.id::uuid order by 2;

-- case: compared: values of parameters joined
-- with: :users.ann, 1, :users.bob, 2
select u.name, v.n from (values ($1::uuid, $2::int), ($3, $4)) v(id, n) join users u on u.id = v.id order by 2;

-- case: compared: a subquery compared with a subquery
select (select min(id) from users) = (select min(user_id) from orders), (select id from users where false) is null;

-- case: compared: an exists of a parameter
-- with: :users.ann
select exists (select from orders where user_id = $1) as yes, not exists (select 1 from teams where owner_id = $1) as no;
