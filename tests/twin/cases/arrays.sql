Arrays of ids: made, taken apart, searched and compared. A case is one statement.

-- case: arrays: an array of literals
select array[':users.ann', ':users.bob']::uuid[];

-- case: arrays: an array of a column and a literal
select array[id, ':users.bob'] from users order by id;

-- case: arrays: an array of a subquery
select array(select id from users order by id);

-- case: arrays: an array of an ordered subquery in a row
select t.id, array(select user_id from memberships m where m.team_id = t.id order by user_id) as members from teams t order by t.id;

-- case: arrays: an empty array
select '{}'::uuid[], array[]::uuid[];

-- case: arrays: a subscript
select id, participant_ids[1], participant_ids[3] from events order by id;

-- case: arrays: a subscript from the end
select id, participant_ids[array_upper(participant_ids, 1)] from events order by id;

-- case: arrays: a slice
select id, participant_ids[1:1], participant_ids[2:], participant_ids[:1] from events order by id;

-- case: arrays: a subscript of an aggregate
select (array_agg(id order by id desc))[1:2] from users;

-- case: arrays: a subscript of a subquery
select (array(select id from users order by id))[2];

-- case: arrays: appended
select id, participant_ids || ':users.dee'::uuid from events order by id;

-- case: arrays: prepended
select id, ':users.dee'::uuid || participant_ids from events order by id;

-- case: arrays: joined with itself
select id, participant_ids || participant_ids from events order by id;

-- case: arrays: joined with a literal array
select id, participant_ids || array[':users.dee', ':users.eli']::uuid[] from events order by id;

-- case: arrays: joined with an untyped literal
select id, participant_ids || '{:users.dee}' from events order by id;

-- case: arrays: joined with a column
select id, participant_ids || actor_id from events order by id;

-- case: arrays: appended by the function
select id, array_append(participant_ids, actor_id), array_prepend(actor_id, participant_ids) from events order by id;

-- case: arrays: joined by the function
select id, array_cat(participant_ids, array[actor_id]) from events order by id;

-- case: arrays: removed
select id, array_remove(participant_ids, ':users.bob') from events order by id;

-- case: arrays: replaced
select id, array_replace(participant_ids, ':users.bob', ':users.eli') from events order by id;

-- case: arrays: nulls removed
select array_remove(array_agg(owner_id order by id), null) from teams;

-- case: arrays: a position
select id, array_position(participant_ids, ':users.bob') from events order by id;

-- case: arrays: a position from a start
select id, array_position(participant_ids, ':users.bob', 2) from events order by id;

-- case: arrays: positions
select array_positions(array_agg(user_id order by id), ':users.ann') from orders;

-- case: arrays: contains
select id from events where participant_ids @> array[':users.ann']::uuid[] order by id;

-- case: arrays: contains a column
select e.id, u.id from events e, users u where e.participant_ids @> array[u.id] order by 1, 2;

-- case: arrays: is contained
select id from events where participant_ids <@ array[':users.ann', ':users.bob', ':users.cai']::uuid[] order by id;

-- case: arrays: overlaps
select id from events where participant_ids && '{:users.bob,:users.cai}' order by id;

-- case: arrays: overlaps a subquery
select id from events where participant_ids && array(select user_id from orders) order by id;

-- case: arrays: equals
select id from events where participant_ids = '{:users.ann,:users.bob}';

-- case: arrays: equals an empty array
select id from events where participant_ids = '{}';

-- case: arrays: differs
select id from events where participant_ids <> array[':users.cai']::uuid[] order by id;

-- case: arrays: any of a column
select id from events where ':users.ann' = any (participant_ids) order by id;

-- case: arrays: all of a column
select id from events where ':users.ann' <> all (participant_ids) order by id;

-- case: arrays: any of a literal
select id from users where id = any ('{:users.ann,:users.cai}') order by id;

-- case: arrays: any of a cast literal
select id from users where id = any ('{:users.ann,:users.cai}'::uuid[]) order by id;

-- case: arrays: any of an array made of literals
select id from users where id = any (array[':users.ann'::uuid, ':users.cai']) order by id;

-- case: arrays: any in a join
select u.id, e.id from users u left join events e on u.id = any (e.participant_ids) order by 1, 2;

-- case: arrays: the length
select id, cardinality(participant_ids), array_length(participant_ids, 1), array_ndims(participant_ids) from events order by id;

-- case: arrays: bounds
select id, array_lower(participant_ids, 1), array_upper(participant_ids, 1), array_dims(participant_ids) from events order by id;

-- case: arrays: trimmed
select id, trim_array(participant_ids, cardinality(participant_ids)) from events order by id;

-- case: arrays: unnested as a column
select id, unnest(participant_ids) from events order by 1, 2;

-- case: arrays: unnested in from
select p from events, unnest(participant_ids) p order by p;

-- case: arrays: unnested with its place
select e.id, p.who, p.at from events e, unnest(e.participant_ids) with ordinality p(who, at) order by 1, 3;

-- case: arrays: unnested beside another array
select x.id, x.label from unnest(array[':users.ann', ':users.bob']::uuid[], array['first', 'second', 'third']) x(id, label) order by x.label;

-- case: arrays: unnested beside numbers with their place
select x.id, x.n, x.at from unnest('{:users.ann,:users.bob}'::uuid[], array[10, 20]) with ordinality as x(id, n, at) order by x.at;

-- case: arrays: unnested and joined in the order given
select u.id, u.name from unnest(array[':users.cai', ':users.ann']::uuid[]) with ordinality w(id, at) join users u on u.id = w.id order by w.at;

-- case: arrays: unnested and gathered again
select array_agg(distinct p order by p) from events, unnest(participant_ids) p;

-- case: arrays: unnested and counted
select p as who, count(*) from events cross join unnest(participant_ids) as p group by p order by p;

-- case: arrays: unnested and filtered
select array(select p from unnest(participant_ids) p where p <> ':users.bob' order by p) from events order by id;

-- case: arrays: unnested from several tables of rows
select * from rows from (unnest(array[':users.ann', ':users.bob']::uuid[]), generate_series(1, 3)) as r(id, n) order by n;

-- case: arrays: arrays of arrays
select array[array[id, id], array[id, id]] from tags order by id;

-- case: arrays: arrays gathered from arrays
select array_agg(participant_ids order by id) from events where cardinality(participant_ids) = 1;

-- case: arrays: an array taken apart at a depth
select (array[array[id, ':tags.rush'], array[id, id]])[1][2] from tags order by id;

-- case: arrays: distinct ids gathered
select array_agg(distinct user_id order by user_id) from orders;

-- case: arrays: ids gathered with nulls
select array_agg(owner_id order by id) from teams;

-- case: arrays: ids gathered from a join
select t.id, array_agg(u.id order by u.id) filter (where u.id is not null) as members from teams t left join memberships m on m.team_id = t.id left join users u on u.id = m.user_id group by t.id order by t.id;

-- case: arrays: a coalesced array
select t.id, coalesce(array_agg(m.user_id order by m.user_id) filter (where m.user_id is not null), '{}') as members from teams t left join memberships m on m.team_id = t.id group by t.id order by t.id;

-- case: arrays: an array as text
select id, array_to_string(participant_ids, ', ') from events order by id;

-- case: arrays: an array as its text form
select id, participant_ids::text from events order by id;

-- case: arrays: gathered ids as their text form
select array_agg(id order by id)::text from users;

-- case: arrays: an array literal as its text form
select array[id, id]::text from tags order by id;

-- case: arrays: an empty or null array as text
select coalesce(participant_ids, '{}')::text, nullif(participant_ids, '{}')::text from events order by id;

-- case: arrays: the array of a subquery as its text form
select (select array_agg(id order by id) from users)::text;

-- case: arrays: a part of an array as its text form
select participant_ids[1:1]::text from events;

-- case: arrays: an array as json
select id, to_json(participant_ids), array_to_json(participant_ids) from events order by id;

-- case: arrays: arrays ordered
select id from events order by participant_ids, id;

-- case: arrays: arrays compared
select id from events where participant_ids > '{}' order by id;

-- case: arrays: arrays distinct
select distinct participant_ids from events order by 1;

-- case: arrays: arrays grouped
select participant_ids, count(*) from events group by participant_ids order by 1;

-- case: arrays: an array in a case
select id, case when actor_id is null then '{}' else participant_ids end from events order by id;

-- case: arrays: an array of a parameter's type
select id from users where id = any (string_to_array(':users.ann', ',')::uuid[]) and false;

-- case: arrays: a larger and a smaller array
select max(participant_ids), min(participant_ids) from events;

-- case: arrays: an array literal within text and json
select 'both ' || array[user_id, ':users.ann']::text, to_json(array[user_id]) from orders order by id;

-- case: arrays: an array of one case as its text form
select array[case when is_active then id end]::text from users order by id;

-- case: arrays: subqueries within text
select 'newest ' || (select max(id) from users), concat('of ', (select o.user_id from orders o where o.id = ':orders.one'));

-- case: arrays: a subquery of nothing within text
select concat('none', (select id from users where false)), (select array_agg(id) from users where false)::text is null;
