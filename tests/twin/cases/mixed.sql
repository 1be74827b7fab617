Ids of several kinds, and ids and real uuids, in one column; text with ids in it beside constants
and in recursions.

-- case: mixed: the first of two ids
select coalesce(o.id, o.user_id) from orders o;

-- case: mixed: the first of two ids that there is
select e.kind, coalesce(e.actor_id, e.id) from events e order by e.kind, e.id;

-- case: mixed: the first of three ids of tables of different keys
select c.body, coalesce(c.parent_id, c.order_id, c.author_id) as about from comments c order by c.id;

-- case: mixed: an id or another by a condition
select o.status, case when o.status = 'new' then o.id else o.user_id end from orders o order by o.id;

-- case: mixed: an id or another by a value
select case t.name when 'x' then t.id when 'y' then null else u.id end as k, t.name from tags t cross join users u order by t.id, u.id;

-- case: mixed: a case of many branches
select o.status, case o.status when 's0' then o.user_id when 's1' then o.id when 's2' then o.id when 's3' then o.user_id when 's4' then o.id when 's5' then o.id when 's6' then o.user_id when 's7' then o.id when 's8' then o.id when 's9' then o.user_id when 's10' then o.id when 's11' then o.id when 's12' then o.user_id when 's13' then o.id when 's14' then o.id when 's15' then o.user_id when 's16' then o.id when 's17' then o.id when 'new' then o.id else o.user_id end from orders o order by o.id;
select o.status, case when o.status = 's0' then o.user_id when o.status = 's1' then o.id when o.status = 's2' then o.id when o.status = 's3' then o.user_id when o.status = 's4' then o.id when o.status = 's5' then o.id when o.status = 's6' then o.user_id when o.status = 's7' then o.id when o.status = 's8' then o.id when o.status = 's9' then o.user_id when o.status = 's10' then o.id when o.status = 's11' then o.id when o.status = 's12' then o.user_id when o.status = 's13' then o.id when o.status = 's14' then o.id when o.status = 'new' then o.id when o.status = 'paid' then o.user_id end from orders o order by o.id;
select o.status, case o.status when 's0' then o.user_id when 's1' then o.id when 's2' then o.id when 's3' then o.user_id when 's4' then o.id when 's5' then o.id when 's6' then o.user_id when 's7' then o.id when 's8' then o.id when 's9' then o.user_id when 's10' then o.id when 's11' then o.id when 's12' then o.user_id when 's13' then o.id when 's14' then o.id when 's15' then o.user_id when 's16' then o.id when 's17' then o.id when 'new' then o.id else o.user_id end as k, case when o.status = 's0' then o.user_id when o.status = 's1' then o.id when o.status = 's2' then o.id when o.status = 's3' then o.user_id when o.status = 's4' then o.id when o.status = 's5' then o.id when o.status = 's6' then o.user_id when o.status = 's7' then o.id when o.status = 's8' then o.id when o.status = 's9' then o.user_id when o.status = 's10' then o.id when o.status = 's11' then o.id when o.status = 's12' then o.user_id when o.status = 's13' then o.id when o.status = 's14' then o.id when o.status = 'new' then o.id when o.status = 'paid' then o.user_id end::text as t from orders o order by o.id;

-- case: mixed: a case of many branches, one of them null or a real uuid
select o.status, case o.status when 's0' then o.user_id when 's1' then o.id when 's2' then o.id when 's3' then o.user_id when 's4' then o.id when 's5' then o.id when 's6' then o.user_id when 's7' then o.id when 's8' then o.id when 's9' then o.user_id when 's10' then o.id when 's11' then o.id when 's12' then o.user_id when 's13' then o.id when 's14' then o.id when 's15' then o.user_id when 's16' then o.id when 's17' then o.id when 'new' then t.id when 'paid' then null else o.user_id end from orders o, tags t order by o.id, t.id;
select u.name, case u.name when 's0' then u.auth_subject when 's1' then u.id when 's2' then u.id when 's3' then u.auth_subject when 's4' then u.id when 's5' then u.id when 's6' then u.auth_subject when 's7' then u.id when 's8' then u.id when 's9' then u.auth_subject when 's10' then u.id when 's11' then u.id when 's12' then u.auth_subject when 's13' then u.id when 's14' then u.id when 's15' then u.auth_subject when 's16' then u.id when 's17' then u.id when 'Ann' then u.auth_subject else u.id end from users u order by u.id;

-- case: mixed: a case of many branches in a list with others
select case o.status when 's0' then o.user_id when 's1' then o.id when 's2' then o.id when 's3' then o.user_id when 's4' then o.id when 's5' then o.id when 's6' then o.user_id when 's7' then o.id when 's8' then o.id when 's9' then o.user_id when 's10' then o.id when 's11' then o.id when 's12' then o.user_id when 's13' then o.id when 's14' then o.id when 's15' then o.user_id when 's16' then o.id when 's17' then o.id when 'new' then o.id else o.user_id end from orders o union select id from orders union select id from users;
select case o.status when 's0' then o.user_id when 's1' then o.id when 's2' then o.id when 's3' then o.user_id when 's4' then o.id when 's5' then o.id when 's6' then o.user_id when 's7' then o.id when 's8' then o.id when 's9' then o.user_id when 's10' then o.id when 's11' then o.id when 's12' then o.user_id when 's13' then o.id when 's14' then o.id when 's15' then o.user_id when 's16' then o.id when 's17' then o.id when 'new' then o.id else o.user_id end from orders o union all select case when o.status = 's0' then o.user_id when o.status = 's1' then o.id when o.status = 's2' then o.id when o.status = 's3' then o.user_id when o.status = 's4' then o.id when o.status = 's5' then o.id when o.status = 's6' then o.user_id when o.status = 's7' then o.id when o.status = 's8' then o.id when o.status = 's9' then o.user_id when o.status = 's10' then o.id when o.status = 's11' then o.id when o.status = 's12' then o.user_id when o.status = 's13' then o.id when o.status = 's14' then o.id when o.status = 'new' then o.id when o.status = 'paid' then o.user_id end from orders o;

-- case: mixed: a case of many branches, distinct and grouped
select distinct case o.status when 's0' then o.user_id when 's1' then o.id when 's2' then o.id when 's3' then o.user_id when 's4' then o.id when 's5' then o.id when 's6' then o.user_id when 's7' then o.id when 's8' then o.id when 's9' then o.user_id when 's10' then o.id when 's11' then o.id when 's12' then o.user_id when 's13' then o.id when 's14' then o.id when 's15' then o.user_id when 's16' then o.id when 's17' then o.id when 'new' then o.id else o.user_id end from orders o;
select case o.status when 's0' then o.user_id when 's1' then o.id when 's2' then o.id when 's3' then o.user_id when 's4' then o.id when 's5' then o.id when 's6' then o.user_id when 's7' then o.id when 's8' then o.id when 's9' then o.user_id when 's10' then o.id when 's11' then o.id when 's12' then o.user_id when 's13' then o.id when 's14' then o.id when 's15' then o.user_id when 's16' then o.id when 's17' then o.id when 'new' then o.id else o.user_id end as k, count(*) from orders o group by k;
select case o.status when 's0' then o.user_id when 's1' then o.id when 's2' then o.id when 's3' then o.user_id when 's4' then o.id when 's5' then o.id when 's6' then o.user_id when 's7' then o.id when 's8' then o.id when 's9' then o.user_id when 's10' then o.id when 's11' then o.id when 's12' then o.user_id when 's13' then o.id when 's14' then o.id when 's15' then o.user_id when 's16' then o.id when 's17' then o.id when 'new' then o.id else o.user_id end, count(*) from orders o group by case o.status when 's0' then o.user_id when 's1' then o.id when 's2' then o.id when 's3' then o.user_id when 's4' then o.id when 's5' then o.id when 's6' then o.user_id when 's7' then o.id when 's8' then o.id when 's9' then o.user_id when 's10' then o.id when 's11' then o.id when 's12' then o.user_id when 's13' then o.id when 's14' then o.id when 's15' then o.user_id when 's16' then o.id when 's17' then o.id when 'new' then o.id else o.user_id end;
select count(distinct case o.status when 's0' then o.user_id when 's1' then o.id when 's2' then o.id when 's3' then o.user_id when 's4' then o.id when 's5' then o.id when 's6' then o.user_id when 's7' then o.id when 's8' then o.id when 's9' then o.user_id when 's10' then o.id when 's11' then o.id when 's12' then o.user_id when 's13' then o.id when 's14' then o.id when 's15' then o.user_id when 's16' then o.id when 's17' then o.id when 'new' then o.id else o.user_id end) from orders o;
select o.status, count(*) over (partition by case o.status when 's0' then o.user_id when 's1' then o.id when 's2' then o.id when 's3' then o.user_id when 's4' then o.id when 's5' then o.id when 's6' then o.user_id when 's7' then o.id when 's8' then o.id when 's9' then o.user_id when 's10' then o.id when 's11' then o.id when 's12' then o.user_id when 's13' then o.id when 's14' then o.id when 's15' then o.user_id when 's16' then o.id when 's17' then o.id when 'new' then o.id else o.user_id end), lag(case when o.status = 's0' then o.user_id when o.status = 's1' then o.id when o.status = 's2' then o.id when o.status = 's3' then o.user_id when o.status = 's4' then o.id when o.status = 's5' then o.id when o.status = 's6' then o.user_id when o.status = 's7' then o.id when o.status = 's8' then o.id when o.status = 's9' then o.user_id when o.status = 's10' then o.id when o.status = 's11' then o.id when o.status = 's12' then o.user_id when o.status = 's13' then o.id when o.status = 's14' then o.id when o.status = 'new' then o.id when o.status = 'paid' then o.user_id end) over (order by o.id) from orders o order by o.id;
select o.status, array_agg(case o.status when 's0' then o.user_id when 's1' then o.id when 's2' then o.id when 's3' then o.user_id when 's4' then o.id when 's5' then o.id when 's6' then o.user_id when 's7' then o.id when 's8' then o.id when 's9' then o.user_id when 's10' then o.id when 's11' then o.id when 's12' then o.user_id when 's13' then o.id when 's14' then o.id when 's15' then o.user_id when 's16' then o.id when 's17' then o.id when 'new' then o.id else o.user_id end order by o.id) from orders o group by o.status order by 1;
select coalesce(case when o.status = 's0' then o.user_id when o.status = 's1' then o.id when o.status = 's2' then o.id when o.status = 's3' then o.user_id when o.status = 's4' then o.id when o.status = 's5' then o.id when o.status = 's6' then o.user_id when o.status = 's7' then o.id when o.status = 's8' then o.id when o.status = 's9' then o.user_id when o.status = 's10' then o.id when o.status = 's11' then o.id when o.status = 's12' then o.user_id when o.status = 's13' then o.id when o.status = 's14' then o.id when o.status = 'new' then o.id when o.status = 'paid' then o.user_id end, o.id) from orders o order by o.id;

-- case: mixed: a case of many branches over sums
select case count(*) when '10' then (array_agg(o.user_id order by o.id))[1] when '11' then (array_agg(o.id order by o.id))[1] when '12' then (array_agg(o.id order by o.id))[1] when '13' then (array_agg(o.user_id order by o.id))[1] when '14' then (array_agg(o.id order by o.id))[1] when '15' then (array_agg(o.id order by o.id))[1] when '16' then (array_agg(o.user_id order by o.id))[1] when '17' then (array_agg(o.id order by o.id))[1] when '18' then (array_agg(o.id order by o.id))[1] when '19' then (array_agg(o.user_id order by o.id))[1] when '110' then (array_agg(o.id order by o.id))[1] when '111' then (array_agg(o.id order by o.id))[1] when '112' then (array_agg(o.user_id order by o.id))[1] when '113' then (array_agg(o.id order by o.id))[1] when '114' then (array_agg(o.id order by o.id))[1] when '115' then (array_agg(o.user_id order by o.id))[1] when '116' then (array_agg(o.id order by o.id))[1] when '117' then (array_agg(o.id order by o.id))[1] else (array_agg(o.id order by o.id))[1] end from orders o group by o.status order by o.status;

-- case: mixed: a case of many branches where rows are grouped by an expression or a part of it
select case lower(o.status) when 's0' then o.user_id when 's1' then o.id when 's2' then o.id when 's3' then o.user_id when 's4' then o.id when 's5' then o.id when 's6' then o.user_id when 's7' then o.id when 's8' then o.id when 's9' then o.user_id when 's10' then o.id when 's11' then o.id when 's12' then o.user_id when 's13' then o.id when 's14' then o.id when 's15' then o.user_id when 's16' then o.id when 's17' then o.id else (array_agg(o.id order by o.id))[1] end from orders o group by lower(o.status), o.id, o.user_id order by lower(o.status), o.id;
select case o.status || 'x' when 's0' then o.user_id when 's1' then o.id when 's2' then o.id when 's3' then o.user_id when 's4' then o.id when 's5' then o.id when 's6' then o.user_id when 's7' then o.id when 's8' then o.id when 's9' then o.user_id when 's10' then o.id when 's11' then o.id when 's12' then o.user_id when 's13' then o.id when 's14' then o.id when 's15' then o.user_id when 's16' then o.id when 's17' then o.id else null end is null, count(*) from orders o group by o.status || 'x', o.id, o.user_id order by o.id;
select case o.total_cents + 1 when '0' then o.user_id when '1' then o.id when '2' then o.id when '3' then o.user_id when '4' then o.id when '5' then o.id when '6' then o.user_id when '7' then o.id when '8' then o.id when '9' then o.user_id when '10' then o.id when '11' then o.id when '12' then o.user_id when '13' then o.id when '14' then o.id when '15' then o.user_id when '16' then o.id when '17' then o.id else o.user_id end, count(*) from orders o group by o.total_cents + 1, o.id, o.user_id order by o.total_cents + 1, o.id;

-- case: mixed: a case of many branches that run up to their words, and without columns
select case o.status when 's0' then(o.user_id) when 's1' then"o"."id" when 's2' then"o"."id" when 's3' then(o.user_id) when 's4' then"o"."id" when 's5' then"o"."id" when 's6' then(o.user_id) when 's7' then"o"."id" when 's8' then"o"."id" when 's9' then(o.user_id) when 's10' then"o"."id" when 's11' then"o"."id" when 's12' then(o.user_id) when 's13' then"o"."id" when 's14' then"o"."id" when 's15' then(o.user_id) when 's16' then"o"."id" when 's17' then"o"."id" else"id"end from orders o order by o.id;
select case o.status when 's0' then"user_id" when 's1' then"o"."id" when 's2' then"o"."id" when 's3' then"user_id" when 's4' then"o"."id" when 's5' then"o"."id" when 's6' then"user_id" when 's7' then"o"."id" when 's8' then"o"."id" when 's9' then"user_id" when 's10' then"o"."id" when 's11' then"o"."id" when 's12' then"user_id" when 's13' then"o"."id" when 's14' then"o"."id" when 's15' then"user_id" when 's16' then"o"."id" when 's17' then"o"."id" else"id"end from orders o order by o.id;
select count(distinct x) > 1 from (select case (random() * 17)::int when 0 then (select id from orders order by id limit 1) when 1 then (select id from users order by id limit 1) when 2 then (select id from orders order by id limit 1) when 3 then (select id from users order by id limit 1) when 4 then (select id from orders order by id limit 1) when 5 then (select id from users order by id limit 1) when 6 then (select id from orders order by id limit 1) when 7 then (select id from users order by id limit 1) when 8 then (select id from orders order by id limit 1) when 9 then (select id from users order by id limit 1) when 10 then (select id from orders order by id limit 1) when 11 then (select id from users order by id limit 1) when 12 then (select id from orders order by id limit 1) when 13 then (select id from users order by id limit 1) when 14 then (select id from orders order by id limit 1) when 15 then (select id from users order by id limit 1) when 16 then (select id from orders order by id limit 1) when 17 then (select id from users order by id limit 1) end as x from generate_series(1, 200)) s;

-- case: mixed: a parameter among the many branches of a case
-- with: :orders.one
select o.status, case o.status when 's0' then o.user_id when 's1' then o.id when 's2' then o.id when 's3' then o.user_id when 's4' then o.id when 's5' then o.id when 's6' then o.user_id when 's7' then o.id when 's8' then o.id when 's9' then o.user_id when 's10' then o.id when 's11' then o.id when 's12' then o.user_id when 's13' then o.id when 's14' then o.id when 's15' then o.user_id when 's16' then o.id when 's17' then o.id when 'new' then $1 else o.user_id end from orders o where o.id = $1 order by o.id;

-- case: mixed: a case of many branches in text and JSON
select 'k' || case o.status when 's0' then o.user_id when 's1' then o.id when 's2' then o.id when 's3' then o.user_id when 's4' then o.id when 's5' then o.id when 's6' then o.user_id when 's7' then o.id when 's8' then o.id when 's9' then o.user_id when 's10' then o.id when 's11' then o.id when 's12' then o.user_id when 's13' then o.id when 's14' then o.id when 's15' then o.user_id when 's16' then o.id when 's17' then o.id when 'new' then o.id else o.user_id end from orders o order by o.id;
select json_build_object('k', case o.status when 's0' then o.user_id when 's1' then o.id when 's2' then o.id when 's3' then o.user_id when 's4' then o.id when 's5' then o.id when 's6' then o.user_id when 's7' then o.id when 's8' then o.id when 's9' then o.user_id when 's10' then o.id when 's11' then o.id when 's12' then o.user_id when 's13' then o.id when 's14' then o.id when 's15' then o.user_id when 's16' then o.id when 's17' then o.id when 'new' then o.id else o.user_id end, 'n', case when o.status = 's0' then o.user_id when o.status = 's1' then o.id when o.status = 's2' then o.id when o.status = 's3' then o.user_id when o.status = 's4' then o.id when o.status = 's5' then o.id when o.status = 's6' then o.user_id when o.status = 's7' then o.id when o.status = 's8' then o.id when o.status = 's9' then o.user_id when o.status = 's10' then o.id when o.status = 's11' then o.id when o.status = 's12' then o.user_id when o.status = 's13' then o.id when o.status = 's14' then o.id when o.status = 'new' then o.id when o.status = 'paid' then o.user_id end) from orders o order by o.id;

-- case: mixed: a case of many branches in what is stored and given back
update orders o set note = 'x' where o.status = 'new' returning case o.status when 's0' then o.user_id when 's1' then o.id when 's2' then o.id when 's3' then o.user_id when 's4' then o.id when 's5' then o.id when 's6' then o.user_id when 's7' then o.id when 's8' then o.id when 's9' then o.user_id when 's10' then o.id when 's11' then o.id when 's12' then o.user_id when 's13' then o.id when 's14' then o.id when 's15' then o.user_id when 's16' then o.id when 's17' then o.id when 'new' then o.id else o.user_id end;

-- case: mixed: a case without else
select o.status, case when o.status = 'new' then o.id when o.status = 'paid' then o.user_id end from orders o order by o.id;

-- case: mixed: a real uuid or an id
select name, coalesce(auth_subject, id) from users order by id;
select name, coalesce(id, auth_subject) from users order by id;

-- case: mixed: a real uuid or an id by a condition
select name, case when is_active then id else auth_subject end from users order by id;

-- case: mixed: a constant uuid among ids of two kinds
select status, case status when 'new' then id when 'paid' then user_id else ':fixed.unknown' end from orders order by id;
select status, case status when 'new' then id when 'paid' then user_id else uuid ':fixed.max' end as k from orders order by id;

-- case: mixed: a constant uuid that is written in another way
select status, case status when 'new' then id when 'paid' then user_id else '{7D3F0B529a414c68B1DE5E2F8C90A7B4}' end from orders order by id;

-- case: mixed: no uuid among ids of two kinds
-- fails: 22P02
select case status when 'new' then id when 'paid' then user_id else 'nobody' end from orders order by id;

-- case: mixed: a parameter among ids of two kinds
-- with: 7d3f0b52-9a41-4c68-b1de-5e2f8c90a7b4
select coalesce(e.actor_id, $1, e.id) from events e;
-- with: 7d3f0b52-9a41-4c68-b1de-5e2f8c90a7b4
-- types: uuid
select case when e.kind = 'login' then e.actor_id when e.kind = 'x' then e.id else $1::uuid end from events e;

-- case: mixed: no parameter among ids of two kinds
-- with: null
select coalesce($1, t.owner_id, t.id) from teams t;

-- case: mixed: two tables in one list
select id from users union select id from orders;

-- case: mixed: two tables in one list with all
select id from users union all select id from orders;

-- case: mixed: rows of two tables with their kinds
select 'user' as kind, id, name from users union all select 'order', id, status from orders order by kind, name;

-- case: mixed: rows of three tables
select id, created_at is not null as old from users union all select id, true from orders union all select id, false from tags;

-- case: mixed: ids beside nothing in a list
select id, null from users union all select id, user_id from orders;
select null as id union all select id from users union all select id from orders;

-- case: mixed: lists of one kind before another
select user_id from orders union select author_id from comments union select id from orders;

-- case: mixed: lists in parentheses
(select id from users order by id limit 2) union all (select id from orders order by id desc limit 1);
select id from users union (select id from orders union all select id from tags);

-- case: mixed: rows of all columns
select * from (select id, name from tags) t union all select * from (select id, name from teams) s order by name;

-- case: mixed: a real uuid in a list with ids
select id from users union select auth_subject from users;
select auth_subject from users union all select id from users;

-- case: mixed: a made uuid in a list with ids
select count(*) from (select id from users union all select gen_random_uuid() from users) s;

-- case: mixed: what two tables have in common
select id from users intersect select id from orders;
select id from users except select id from orders;

-- case: mixed: ids of equal keys are different
select count(*) from (select id from users union select id from orders union select id from tags) s;

-- case: mixed: a list counted, grouped and filtered by other columns
select kind, count(*), count(distinct id) from (select 'u' as kind, id from users union all select 'o', user_id from orders union all select 'o', id from orders) s where id is not null group by kind order by kind;

-- case: mixed: a list in a with
with things as (select id, 'user' as kind from users union all select id, 'order' from orders) select t.kind, t.id from things t where t.kind <> 'x' order by t.kind;

-- case: mixed: a list in a subquery
select (select id from users where name = 'Ann' union all select id from orders where false) as one;
select exists (select id from users union select id from orders) as some;

-- case: mixed: distinct and grouped
select distinct coalesce(o.user_id, o.id) from orders o;
select coalesce(e.actor_id, e.id), count(*) from events e group by coalesce(e.actor_id, e.id);
select coalesce(e.actor_id, e.id) as k, count(*) from events e group by k;
select coalesce(e.actor_id, e.id) as k, count(*) from events e group by 1 having count(*) > 0;

-- case: mixed: windows over ids of two kinds
select status, count(*) over (partition by case when status = 'new' then id else user_id end), first_value(case when status = 'new' then id else user_id end) over (order by id), lag(case when status = 'new' then id else user_id end) over (order by id) from orders order by id;

-- case: mixed: arrays of ids of two kinds
select array[o.id, o.user_id] from orders o order by o.id;

-- case: mixed: arrays with nothing and a real uuid in them
select array[u.id, null, u.auth_subject] from users u order by u.id;
select array[u.id, ':fixed.unknown', u.auth_subject] from users u order by u.id;

-- case: mixed: arrays that are collected
select array_agg(coalesce(auth_subject, id) order by id) from users;
select array(select id from users where name = 'Ann' union all select id from orders where false);

-- case: mixed: the elements and sizes of arrays
select (array[o.id, o.user_id])[2], cardinality(array[o.id, o.user_id]), (array[o.id, o.user_id])[3] from orders o order by o.id;
select unnest(array[o.id, o.user_id]) from orders o;
select o.status, x.id, x.n from orders o cross join lateral unnest(array[o.id, o.user_id]) with ordinality as x(id, n) order by o.id, x.n;

-- case: mixed: values as a table
select v.kind, v.id from users u cross join lateral (values ('user', u.id), ('subject', u.auth_subject), ('none', null)) as v(kind, id) order by u.id, v.kind;

-- case: mixed: values of two tables
select v.kind, v.id from orders o, lateral (values ('order', o.id), ('user', o.user_id)) v(kind, id) where v.kind <> 'x' order by o.id, 1;

-- case: mixed: values by themselves
values ((select id from users where name = 'Ann')), ((select id from orders where false)), (null);

-- case: mixed: as text
select coalesce(o.id, o.user_id)::text, cast(coalesce(o.id, o.user_id) as varchar) from orders o order by o.id;
select coalesce(e.actor_id::text, e.id::text), coalesce(e.actor_id, e.id)::uuid from events e order by e.id;
select id::text from users union all select id::text from orders;
select id::text from users union all select name from users;

-- case: mixed: in text
select 'about ' || coalesce(o.id, o.user_id) || '.' from orders o order by o.id;
select concat(coalesce(o.user_id, o.id), '/', o.status), format('%s-%s', coalesce(o.id, o.user_id), o.status) from orders o order by o.id;

-- case: mixed: in json
select json_build_object('ref', coalesce(e.actor_id, e.id), 'kind', e.kind) from events e order by e.id;
select jsonb_agg(x) from (select id, 'user' as kind from users where name = 'Ann' union all select id, 'order' from orders where false) x;
select to_jsonb(coalesce(auth_subject, id)), json_agg(array[id, auth_subject]) over (order by id) from users order by id;

-- case: mixed: rows of lists in json
select row_to_json(x) from (select id, name from tags union all select id, name from teams) x order by x.name;

-- case: mixed: a list without rows
select id from users where false union select id from orders where false;

-- case: mixed: ids of narrow keys
select id from products union all select id from regions union all select product_id from stock;

-- case: mixed: the column keeps its name
select case when true then o.id else o.user_id end, (case when true then o.id else o.user_id end), coalesce(o.user_id, o.id) from orders o order by o.id;
select o.id from orders o union all select u.id as other from users u;
select u.id::uuid from users u union all select o.id from orders o;
select max(name) from users union all select min(status) from orders;

-- case: mixed: cursors over a list
-- modes: simple text
declare c cursor for select id from users union all select id from orders;
fetch 3 from c;
fetch all from c;
close c;

-- case: mixed: a prepared statement over a list
-- modes: simple text
prepare mixed_list(text) as select id from users where name = $1 union all select id from orders where status = $1;
execute mixed_list('Ann');
execute mixed_list('new');
deallocate mixed_list;

-- case: mixed: returned by a statement that writes
update orders set note = 'n' returning coalesce(user_id, id), array[id, user_id];

-- case: mixed: lists of windows and aggregates
select count(*) filter (where is_active), array_agg(id order by id) from users union all select 0, array_agg(user_id order by id) from orders;

-- case: mixed: text of an id beside constants
select name from users where coalesce(id::text, 'none') = 'none';
select name from teams where coalesce(owner_id::text, 'none') = 'none' order by id;
select name from teams where coalesce(owner_id::text, 'none') <> 'none' order by id;
select name from teams where coalesce('owner ' || owner_id, '') in ('', 'nobody') order by id;
select name from teams where coalesce('owner ' || owner_id, '') not in ('', 'nobody') order by id;
select name from users where 'user-' || id = 'user-1';
select name from users where 'user-' || id <> 'user-1' order by id;
select name from users where 'user-' || id is distinct from 'user-1' order by id;
select name, case 'u' || id when 'u1' then 1 when 'u' then 2 else 3 end from users order by id;
select nullif('user-' || id, 'v') from users order by id;
select nullif(coalesce('owner ' || owner_id, 'none'), 'none') from teams order by id;
select name from users u where to_jsonb(u) ->> 'name' = 'Ann';
select count(*) from users u where row_to_json(u) ->> 'id' = 'x';
select name from teams where concat('o', owner_id) = 'o' order by id;

-- case: mixed: a recursion that builds paths of text
with recursive t(n, path) as (select 1, '' union all select n + 1, path || o.id from t join orders o on o.total_cents > n where n < 3) select path from t;
with recursive t(id, path) as (select id, id::text from comments where parent_id is null union all select c.id, t.path || '/' || c.id from t join comments c on c.parent_id = t.id) select path from t order by id;

-- case: mixed: a tree with paths of text
with recursive t(id, path, level) as (select id, '/' || id, 0 from comments where parent_id is null union all select c.id, t.path || '/' || c.id, t.level + 1 from t join comments c on c.parent_id = t.id) select t.path, t.level, c.body from t join comments c using (id) order by t.level, t.id;

-- case: mixed: a tree of regions with paths of names and ids
with recursive t(id, path) as (select id, name || ':' || id from regions where within is null union all select r.id, t.path || ' > ' || r.name || ':' || r.id::text from t join regions r on r.within = t.id) select path from t order by id;

-- case: mixed: a tree in order of its paths of text
with recursive t(id, path) as (select id, '/' || id from comments where parent_id is null union all select c.id, t.path || '/' || c.id from t join comments c on c.parent_id = t.id) select id, path from t order by path;

-- case: mixed: a tree with its path as json
with recursive t(id, path) as (select id, jsonb_build_array(id) from comments where parent_id is null union all select c.id, t.path || to_jsonb(c.id) from t join comments c on c.parent_id = t.id) select path from t order by id;

-- case: mixed: a recursion whose text gets an id in its second step
with recursive t(n, a, b) as (select 1, 'a', 'b' union all select n + 1, b, (select 'u' || id from users where name = 'Ann') from t where n < 4) select n, a, b from t order by n;

-- case: mixed: a recursion over ids of two kinds
with recursive t(n, id) as (select 1, id from users where name = 'Ann' union all select n + 1, o.id from t join orders o on true where n < 2) select n, id from t order by n;

-- case: mixed: a walk through two tables
with recursive t(kind, id, at) as (select 'user', u.id, u.id from users u where u.name = 'Ann' union select 'order', o.id, t.at from t join orders o on o.user_id = t.at where t.kind = 'user') select kind, id from t order by kind;

-- case: mixed: a graph that stops at cycles by its path of text
with recursive g(id, path, n) as (select id, 'x' || id, 1 from users union all select o.user_id, g.path || '>' || o.user_id, g.n + 1 from g join orders o on o.user_id = g.id where g.n < 3) select n, count(*), count(distinct path) from g group by n order by n;

-- case: mixed: a walk with union and text
with recursive t(id, label) as (select id, 'c' || id from comments where parent_id is null union select c.id, 'c' || c.id from comments c join t on c.parent_id = t.id) select label from t order by id;

-- case: mixed: text collected of lists
select string_agg('#' || x.id, ', ' order by x.k) from (select 'a' || name as k, id from tags union all select 'b' || name, id from teams) x;
select array_to_string(array[o.id, o.user_id], ' and ') from orders o order by o.id;
select concat_ws(', ', coalesce(e.actor_id, e.id), e.kind) from events e order by e.id;

-- case: mixed: comparing and sorting stay refused
-- refused: 0A000
select coalesce(o.id, o.user_id) from orders o order by 1;
-- refused: 0A000
select id from users union select id from orders order by id;
-- refused: 0A000
select status from orders o where coalesce(o.id, o.user_id) in (select id from users);
-- refused: 0A000
select row_number() over (order by coalesce(o.id, o.user_id)) from orders o;
-- refused: 0A000
select array_agg(distinct coalesce(o.id, o.user_id)) from orders o;
-- refused: 0A000
select id from users except select auth_subject from users;
-- refused: 0A000
select greatest(o.id, o.user_id) from orders o;
