Constructs of SQL that few applications use.

-- case: a table as a query
table tags;
select id from users where id in (select user_id from (table orders) o) order by id;

-- case: a table sample
select count(*) >= 0 from users tablesample system (50);
select id from users tablesample bernoulli (100) repeatable (1) order by id;
select u.id from users as u tablesample bernoulli (100) join orders o on o.user_id = u.id order by o.id;

-- case: members of rows
select (u).id, (u).name from users u order by (u).id;
select (o).user_id, (x).n from (select o, 1 as n from orders o) x order by (x.o).id;
select (x.o).* from (select o from orders o) x order by (x.o).id;
select (u).* from users u where (u).id = ':users.ann';
select (select o from orders o where o.id = ':orders.one').user_id;
select (array_agg(u order by u.id))[1].id from users u;

-- case: subscripts of columns with the name of their table
select e.id, e.participant_ids[1], e.participant_ids[1:1] from events e order by e.id;
select events.participant_ids[1] from events order by events.id;

-- case: merge by every action
merge into orders o using (values (':orders.one'::uuid, 'changed')) v(id, note) on o.id = v.id when matched then update set note = v.note when not matched then do nothing;
select id, note from orders where note = 'changed';
-- with: :users.ann, :users.bob
merge into orders o using users u on o.user_id = u.id and u.id <> $1 when matched and o.user_id = $2 and o.status = 'none' then delete when matched then update set note = 'kept' when not matched then insert (user_id, note) values (u.id, 'new');
select user_id, note from orders order by user_id, note;

-- case: merge of new rows
merge into teams t using users u on t.owner_id = u.id when not matched then insert (id, name, slug, owner_id) values (default, u.name, u.email, u.id);
select owner_id, slug from teams order by slug;
-- with: :fixed.unknown
-- fails: 23503
merge into orders o using users u on false when not matched then insert (user_id) values ($1);

-- case: merge of defaults
merge into orders o using users u on o.user_id = u.id when not matched and false then insert default values;
-- fails: 23502
merge into tags t using users u on false when not matched then insert default values;

-- case: merge of what can't be compared
-- fails: 42883
merge into orders o using users u on o.user_id = 5 when matched then delete;
-- fails: 42804
merge into orders o using users u on o.user_id = u.id when matched then update set user_id = u.login_count;
-- refused: 0A000
merge into orders o using users u on o.id = u.id when matched then delete;

-- case: new ids that the statement makes
-- modes: simple text declared binary
insert into tags (id, name) values (gen_random_uuid(), 'made');
insert into tags (id, name) values (gen_random_uuid(), 'made too'), (default, 'by default'), (pg_catalog.gen_random_uuid(), 'made three') returning name;
select count(distinct id) from tags where name like 'made%' or name = 'by default';
insert into tags as t (id, name) values (gen_random_uuid(), 'made') on conflict (name) do update set name = 'made again' returning t.name;

-- case: new ids where no new row is made
-- refused: 0A000
update tags set id = gen_random_uuid() where false;
-- refused: 0A000
insert into audit_log (table_name, record_id, action) values ('x', gen_random_uuid(), 'y');

-- case: defaults
-- modes: simple text declared binary
insert into users values (default, 'd@example.test', 'D') returning name;
-- fails: 23502
insert into tags default values;
insert into tags (id, name) values (default, 'one'), (default, 'two') returning name;
-- with: :tags.gift
update tags set name = default where id <> $1 and false;
-- with: :users.ann, :orders.one
update orders set (user_id, note) = ($1, default) where id = $2 returning user_id, note;

-- case: what is stored by way of a subquery
-- with: :fixed.unknown
-- fails: 23503
insert into orders (user_id) select s.x from (select coalesce($1, id) as x from users) s;
-- with: :fixed.unknown
-- fails: 23503
insert into orders (user_id) select x from (values ($1::uuid)) s(x);
-- with: {:fixed.unknown}
-- fails: 23503
insert into orders (user_id) select unnest($1::uuid[]);
-- with: :users.ann
insert into orders (user_id) select s.x from (select coalesce($1, id) as x from users limit 1) s returning user_id;

-- case: grouping sets
select user_id, status, count(*), grouping(user_id) from orders group by cube (user_id, status) order by 1, 2, 4;
select user_id, count(*) from orders group by grouping sets ((user_id), ()) order by 1;
select distinct on (user_id) user_id, id from orders order by user_id, id desc;
select distinct on (user_id) date '2026-01-01', user_id from orders order by user_id;
select distinct on ((user_id), status) uuid ':users.ann', interval '1 day' as d from orders order by user_id, status;
select id, placed_at operator(pg_catalog.>) timestamptz '2020-01-01' from orders order by id;

-- case: rows of functions
select t.id, t.n from events e, unnest(e.participant_ids) with ordinality as t(id, n) order by t.n, t.id;
-- with: {:users.ann,:users.bob}
select u.id, t.n from unnest($1::uuid[], array['a', 'b']) with ordinality as t(id, tag, n) join users u using (id) order by t.n;

-- case: locks
select u.id from users u join orders o on o.user_id = u.id order by o.id for update of u skip locked;
select id from users order by id for no key update nowait;
