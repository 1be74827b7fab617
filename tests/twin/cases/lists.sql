Functions and operators of arrays, and what is taken out of them. A case is one statement.

-- case: lists: places of a parameter
-- with: :users.bob
select id, array_position(participant_ids, $1), array_positions(participant_ids, $1) from events order by id;

-- case: lists: places of a typed parameter
-- with: :users.bob
-- types: uuid
select id, array_position(participant_ids, $1) from events order by id;

-- case: lists: places of a column
select e.id, u.id, array_position(e.participant_ids, u.id) from events e, users u order by 1, 2;

-- case: lists: places of null
select array_position(array_agg(owner_id order by id), null), array_positions(array_agg(owner_id order by id), null) from teams;

-- case: lists: removed by a column
select id, array_remove(participant_ids, actor_id) from events order by id;

-- case: lists: removed by a parameter
-- with: :users.cai
select id, array_remove(participant_ids, $1) from events order by id;

-- case: lists: replaced by parameters
-- with: :users.ann, :users.dee
select id, array_replace(participant_ids, $1, $2) from events order by id;

-- case: lists: replaced by null
select id, array_replace(participant_ids, ':users.ann', null) from events order by id;

-- case: lists: replaced by columns
select id, array_replace(participant_ids, actor_id, coalesce(actor_id, ':users.ann')) from events order by id;

-- case: lists: joined by parameters
-- with: {:users.dee}, {:users.eli,:users.eli}
select array_cat($1::uuid[], participant_ids) || $2::uuid[] from events order by id;

-- case: lists: joined with null
select participant_ids || null::uuid, participant_ids || null::uuid[], null::uuid || participant_ids from events order by id;

-- case: lists: appended to nothing
select array_append(null::uuid[], id), array_prepend(id, null), array_append('{}', id) from users order by id;

-- case: lists: appended by a subquery
select participant_ids || (select max(id) from users) from events order by id;

-- case: lists: appended by a parameter
-- with: :users.eli
select participant_ids || $1::uuid, array_append(participant_ids, $1) from events order by id;

-- case: lists: contains a parameter's array
-- with: {:users.ann}
select id from events where participant_ids @> $1 order by id;

-- case: lists: contains each other
select a.id, b.id from events a join events b on a.participant_ids @> b.participant_ids order by 1, 2;

-- case: lists: is contained in a subquery
select id from events where participant_ids <@ (select array_agg(user_id) from memberships) order by id;

-- case: lists: is contained in a parameter's array
-- with: {:users.ann,:users.bob}
-- types: uuid[]
select id from events where participant_ids <@ $1 order by id;

-- case: lists: overlaps a column
select e.id, t.id from events e join teams t on e.participant_ids && array[t.owner_id] order by 1, 2;

-- case: lists: overlaps a list of parameters
-- with: :users.ann, :users.cai
select id from events where participant_ids && array[$1, $2]::uuid[] order by id;

-- case: lists: does not overlap
select id from events where not participant_ids && array[':users.cai'::uuid] order by id;

-- case: lists: compared by size
select id from events where participant_ids >= array[':users.ann'::uuid] order by id;

-- case: lists: distinct from an array
select id from events where participant_ids is distinct from '{:users.cai}' order by id;

-- case: lists: not distinct from a parameter's array
-- with: {:users.cai}
select id from events where participant_ids is not distinct from $1 order by id;

-- case: lists: in a list of arrays
select id from events where participant_ids in ('{:users.cai}', array[':users.ann', ':users.bob']::uuid[]) order by id;

-- case: lists: in a subquery of arrays
select id from events where participant_ids in (select array_agg(user_id order by user_id) from memberships group by team_id) order by id;

-- case: lists: between arrays
select id from events where participant_ids between '{:users.ann}' and '{:users.bob}' order by id;

-- case: lists: unnested with null for the shorter
select * from unnest(array[':users.ann', ':users.bob']::uuid[], array[':orders.one']::uuid[]) as x(u, o) left join users on users.id = x.u left join orders on orders.id = x.o order by x.u;

-- case: lists: unnested from parameters
-- with: {:users.bob,:users.ann}, {x,y}
select u.name, x.label from unnest($1::uuid[], $2::text[]) as x(id, label) join users u on u.id = x.id order by x.label;

-- case: lists: unnested with places of parameters
-- with: {:users.bob,:users.ann}
select u.id, x.at from unnest($1::uuid[]) with ordinality as x(id, at) join users u using (id) order by x.at;

-- case: lists: unnested of a column and its places
select e.id, x.* from events e, unnest(e.participant_ids, array[1, 2]) with ordinality as x(who, n, at) order by 1, at;

-- case: lists: unnested with nulls
select x from unnest(array[':users.ann', null]::uuid[]) x order by x nulls first;

-- case: lists: unnested twice in a list
select unnest(participant_ids), unnest(array[actor_id, actor_id, actor_id]) from events where kind = 'met';

-- case: lists: unnested and left joined
select e.id, w.who from events e left join lateral unnest(e.participant_ids) as w(who) on true order by 1, 2;

-- case: lists: unnested in a subquery
select id from users where id in (select unnest(participant_ids) from events) order by id;

-- case: lists: unnested in exists
select name from users u where exists (select from events e, unnest(e.participant_ids) p where p = u.id) order by name;

-- case: lists: unnested slice
select unnest(participant_ids[2:]) from events order by 1;

-- case: lists: subscripts generated
select id, s, participant_ids[s] from events, generate_subscripts(participant_ids, 1) s order by id, s;

-- case: lists: subscripts generated in a list
select id, generate_subscripts(participant_ids, 1) from events order by 1, 2;

-- case: lists: dimensions
select array_dims(participant_ids || participant_ids), array_ndims(array[participant_ids]), cardinality(participant_ids[1:1]) from events order by id;

-- case: lists: a length of nothing
select cardinality('{}'::uuid[]), array_length(array[id], 2), array_length(null::uuid[], 1) from users order by id;

-- case: lists: bounds of a slice
select array_lower(participant_ids[2:], 1), array_upper(participant_ids[2:], 1) from events order by id;

-- case: lists: as json
select array_to_json(participant_ids), to_json(array[actor_id]), to_jsonb(participant_ids || actor_id) from events order by id;

-- case: lists: as pretty json
select array_to_json(participant_ids, true) from events order by id;

-- case: lists: in a json object
select json_build_object('who', participant_ids, 'first', participant_ids[1], 'none', null::uuid) from events order by id;

-- case: lists: as text with a word for null
select array_to_string(array[actor_id, ':users.ann', null]::uuid[], ', ', 'none') from events order by id;

-- case: lists: as text
select participant_ids::text, array[actor_id]::text, cast(array[id, null] as text) from events order by id;

-- case: lists: any of a subquery
select name from users where id = any (select user_id from orders) order by name;

-- case: lists: all of a subquery
select name from users where id <> all (select user_id from orders) order by name;

-- case: lists: less than all of a subquery
select name from users where id < all (select user_id from orders where user_id <> users.id) order by name;

-- case: lists: some of an array
select name from users where id = some (array[':users.ann', ':users.dee']::uuid[]) order by name;

-- case: lists: any of a parameter in a case
-- with: {:users.ann,:users.dee}
select name, case when id = any ($1) then 'in' else 'out' end from users order by name;

-- case: lists: any of nothing
-- with: {}
select name from users where id = any ($1) or id = any ('{}') order by name;

-- case: lists: any of nulls
-- with: {NULL,:users.ann}
select name from users where id = any ($1::uuid[]) order by name;

-- case: lists: all of a null
-- with: null
select name from users where id <> all ($1::uuid[]) order by name;

-- case: lists: any in a join's condition
select e.id, u.id from events e join users u on u.id = any (e.participant_ids || e.actor_id) order by 1, 2;

-- case: lists: any of a slice
select id from events where ':users.ann' = any (participant_ids[1:1]) order by id;

-- case: lists: any of an aggregate
select name from users where id = any ((select array_agg(user_id) from orders)::uuid[]) order by name;

-- case: lists: any of an array of a subquery
select name from users where id = any (array(select user_id from orders where status = 'paid')) order by name;

-- case: lists: any of a column's text
select id from events where ':users.ann' = any (participant_ids::text[]) order by id;

-- case: lists: gathered in order
select array_agg(users.id order by name desc, orders.id), array_agg(distinct user_id) filter (where user_id is not null) from users left join orders on user_id = users.id;

-- case: lists: gathered over a window
select id, array_agg(id) over (order by id rows between 1 preceding and current row) from users order by id;

-- case: lists: gathered by a group and compared
select team_id from memberships group by team_id having array_agg(user_id order by user_id) @> array[':users.cai']::uuid[];

-- case: lists: gathered and unnested
select u.name from (select array_agg(distinct user_id) as ids from orders) s join users u on u.id = any (s.ids) order by 1;

-- case: lists: first and last
select participant_ids[1], participant_ids[array_length(participant_ids, 1)], participant_ids[99] from events order by id;

-- case: lists: an element compared
select id from events where participant_ids[1] = ':users.ann' or participant_ids[1] = actor_id order by id;

-- case: lists: an element joined
select e.id, u.name from events e join users u on u.id = e.participant_ids[2] order by 1;

-- case: lists: elements sorted
select array(select p from unnest(participant_ids) p order by p desc) from events order by id;

-- case: lists: elements without doubles
select array(select distinct p from unnest(participant_ids || participant_ids) p order by p) from events order by id;

-- case: lists: elements in both
select array(select unnest(participant_ids) intersect select id from users where is_active order by 1) from events order by id;

-- case: lists: trimmed
-- with: 1
select trim_array(participant_ids, 1) from events where cardinality(participant_ids) >= $1 order by id;

-- case: lists: in a set operation
select participant_ids from events union select array[user_id] from orders order by 1;

-- case: lists: in values
select v.who, u.name from (values (array[':users.ann', ':users.bob']::uuid[], 1), ('{:users.cai}', 2)) v(who, n) join users u on u.id = any (v.who) order by n, u.id;

-- case: lists: of a record's field
select (e).participant_ids[1], (e).id from events e order by 2;

-- case: lists: greatest and least
select greatest(participant_ids, array[actor_id]), least(participant_ids, '{}') from events order by id;

-- case: lists: coalesced elements
select coalesce(participant_ids[1], actor_id, ':users.ann') from events order by id;

-- case: lists: counted
select participant_ids[1], count(*), count(distinct participant_ids) from events group by participant_ids[1] order by 1;

-- case: lists: ordered by an element
select id from events order by participant_ids[1] desc nulls last, id;

-- case: lists: a window over an element
select id, rank() over (order by participant_ids[1]), lag(participant_ids) over (order by id) from events order by id;

-- case: lists: taken out of text
select name from users where id = any (string_to_array(':users.ann,:users.cai', ',')::uuid[]) order by name;

-- case: lists: taken out of a parameter
-- with: ':users.ann,:users.cai'
select name from users where id = any (string_to_array($1, ',')::uuid[]) order by name;

-- case: lists: taken out of text one by one
select name from users where id in (select unnest(string_to_array(':users.ann,:users.cai', ','))::uuid) order by name;

-- case: lists: taken out of a parameter one by one
-- with: ':users.ann,:users.cai'
select name from users where id in (select unnest(string_to_array($1, ','))::uuid) order by name;

-- case: lists: taken out of a parameter and joined
-- with: ':users.ann,:users.cai'
select u.name from users u join (select cast(unnest(string_to_array($1::text, ',')) as uuid) as id) x on x.id = u.id order by u.name;

-- case: lists: taken out of a parameter with nothing in it, one by one
-- with: ''
select name from users where id in (select unnest(string_to_array($1, ','))::uuid) order by name;

-- case: lists: taken out of a typed parameter
-- with: ':users.ann; :users.cai'
-- types: text
select name from users where id = any (string_to_array($1, '; ')::uuid[]) order by name;

-- case: lists: taken out of a cast parameter
-- with: ':users.ann'
select name from users where id = any (cast(string_to_array($1::text, ',') as uuid[])) order by name;

-- case: lists: taken out of an empty parameter
-- with: ''
select name from users where id = any (string_to_array($1, ',')::uuid[]) or id = any (string_to_array('', ',')::uuid[]);

-- case: lists: taken out of a null
-- with: null
select name from users where id = any (string_to_array($1, ',')::uuid[]) or id = any (string_to_array(null, ',')::uuid[]);

-- case: lists: taken out of text with one that nobody has
select name from users where id = any (string_to_array(':users.ann,:fixed.unknown', ',')::uuid[]);

-- case: lists: taken out of text with something else
-- fails: 22P02
-- early
-- except: position
select name from users where id = any (string_to_array(':users.ann,x', ',')::uuid[]);

-- case: lists: taken out of a parameter with something else
-- with: ':users.ann,42'
-- fails: 22P02
-- early
-- except: position context
select name from users where id = any (string_to_array($1, ',')::uuid[]);

-- case: lists: taken out of text and unnested
select u.name from unnest(string_to_array(':users.cai,:users.ann', ',')::uuid[]) with ordinality x(id, at) join users u using (id) order by x.at;

-- case: lists: taken out of text into a column
insert into events (kind, participant_ids) values ('made', string_to_array(':users.ann|:users.bob', '|')::uuid[]) returning participant_ids;

-- case: lists: taken out of text that is no ids
select string_to_array(':users.ann,:users.cai', ',')::uuid[], string_to_array('a,b', ','), name from users where auth_subject = any (string_to_array(':fixed.subject_ann', ',')::uuid[]);

-- case: lists: filled
select array_fill(null::uuid, array[2]), cardinality(array_fill(1, array[3])) from users order by id limit 1;
