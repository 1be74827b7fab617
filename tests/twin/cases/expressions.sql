Grouping, ordering, aggregates, conditional expressions, set operations and windows.

-- case: order by an id, both ways
select id from orders order by id;
select id from orders order by id desc;
select id, user_id from orders order by user_id desc nulls last, id asc;
select id as key from orders order by key desc limit 2;
select id from orders order by 1;

-- case: keyset pages
-- with: :users.bob, 2
select id, name from users where id > $1 order by id limit $2;
-- with: :users.dee, 2
select id, name from users where id < $1 order by id desc limit $2;

-- case: group by an id
select user_id, count(*), sum(total_cents) from orders group by user_id order by user_id;
select user_id, status, count(*) from orders group by 1, 2 order by 1, 2;

-- case: having
-- with: 1
select user_id from orders group by user_id having count(*) > $1 order by user_id;
-- with: :users.ann
select user_id from orders group by user_id having user_id <> $1 order by user_id;

-- case: distinct ids
select distinct user_id from orders order by user_id;
select distinct on (user_id) user_id, id from orders order by user_id, placed_at desc;

-- case: the smallest and the largest id
select min(id), max(id) from users;
select user_id, min(id) as first, max(id) as last from orders group by user_id order by user_id;

-- case: counts of ids
select count(id), count(distinct user_id), count(*) from orders;
select count(owner_id) filter (where owner_id <> ':users.ann') from teams;

-- case: array_agg
select user_id, array_agg(id order by id) as ids from orders group by user_id order by user_id;
select array_agg(distinct user_id) from orders;
select array_agg(id) from users where false;

-- case: an array of a subquery
select u.id, array(select o.id from orders o where o.user_id = u.id order by o.id) as orders from users u order by u.id;

-- case: an array column and its parts
select id, participant_ids from events order by id;
select id, participant_ids[1] as first, participant_ids[1:1] as head, cardinality(participant_ids), array_length(participant_ids, 1) from events order by id;

-- case: array constructors and operations
select array[id, owner_id_of.owner_id] as both from users cross join (select owner_id from teams where slug = 'blue') owner_id_of order by id;
-- with: :users.dee
select id, participant_ids || $1::uuid as more, array_append(participant_ids, $1), array_remove(participant_ids, $1), array_position(participant_ids, $1) from events order by id;

-- case: nested arrays
select array[array[id, id], array[id, null]] from users where id = ':users.ann';

-- case: coalesce
select id, coalesce(owner_id, ':users.eli') as owner from teams order by id;
-- with: :users.eli
select id, coalesce(owner_id, $1) as owner from teams order by id;

-- case: nullif
-- with: :users.ann
select id, nullif(owner_id, $1) as owner from teams order by id;

-- case: greatest and least
select id, greatest(owner_id, ':users.ann'), least(owner_id, ':users.bob') from teams order by id;

-- case: case with ids as results
select id, case when status = 'paid' then user_id end as payer, case status when 'new' then user_id else null end from orders order by id;
-- with: :users.eli
select id, case when owner_id is null then $1 else owner_id end as owner from teams order by id;

-- case: case that compares ids
-- with: :users.ann
select name, case id when $1 then 'first' when ':users.bob' then 'second' else 'other' end from users order by id;

-- case: an update by case as bulk updates write it
-- with: :orders.one, :users.bob, :orders.two, :users.cai
update orders set user_id = case when id = $1 then $2 when id = $3 then $4 end::uuid where id in ($1, $3) returning id, user_id;

-- case: union
select id from users where is_active union select owner_id from teams order by id nulls last;
select user_id from orders union all select owner_id from teams where owner_id is not null order by 1;

-- case: intersect and except
select id from users intersect select user_id from orders order by id;
select id from users except select user_id from orders order by id;
select id from users except all (select user_id from orders union select ':users.dee'::uuid) order by 1;

-- case: a union with NULL and a literal
select id, name from users where id = ':users.ann' union all select null, 'none' order by 2;
select ':users.bob' as id union select id from users where id = ':users.ann' order by 1;

-- case: windows
select id, user_id, row_number() over (partition by user_id order by id), lag(id) over (order by id), lead(id) over w, first_value(id) over w from orders window w as (order by id) order by id;

-- case: rank and a running count by id
select user_id, rank() over (order by user_id), count(*) over (partition by user_id) from orders order by id;

-- case: an id cast to itself
select id::uuid from users order by id;
select cast(id as uuid) as again from users order by id;

-- case: a typed literal in the select list keeps its name
select ':users.ann'::uuid;
select s.uuid from (select ':fixed.unknown'::uuid) s;

-- case: a NULL of type uuid
select null::uuid as nothing, id from users where id = ':users.ann';

-- case: an id as text
select id::text from users order by id;
select cast(id as text) as id, name from users order by users.id;
select name::text, login_count::text from users order by id;

-- case: an id as text compared with text
-- with: :users.ann
select id from users where id::text = $1;
-- with: :users.ann
select id from users where id = $1::text::uuid;

-- case: numbers that are no ids stay
select login_count, login_count + 1, login_count * 2, -login_count from users order by id;
select sum(total_cents), avg(total_cents), max(total_cents), min(total_cents) from orders;
select number, number + weight from settings order by name;

-- case: a mixture of clean expressions and ids
select id, upper(name), length(email), created_at + interval '1 day', name || ' <' || email || '>' from users order by id;

-- case: json of what is no id
select body ->> 'pages', body -> 'pages', jsonb_array_length('[1,2]') from documents order by id;
select payload from events order by id;

-- case: grouping sets over ids
select user_id, status, count(*) from orders group by grouping sets ((user_id), (status), ()) order by user_id nulls last, status nulls last;

-- case: fetch first and offset
select id from users order by id offset 1 rows fetch first 2 rows only;

-- case: bool aggregates over comparisons
-- with: :users.ann
select bool_or(user_id = $1), every(user_id = $1) from orders;
