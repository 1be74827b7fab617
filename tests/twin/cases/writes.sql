INSERT, UPDATE, DELETE, MERGE and RETURNING.

-- case: an insert lets the database make the id
insert into users (email, name, created_at) values ('fay@example.test', 'Fay', '2026-03-01 10:00:00Z') returning id, email;
-- modes: simple text declared binary

-- case: an insert with default for the id
-- modes: simple text declared binary
-- with: 'fay@example.test', 'Fay'
insert into users (id, email, name) values (default, $1, $2) returning id, name;

-- case: an insert with a reference
-- with: :users.ann, 'new', 500
insert into orders (user_id, status, total_cents, placed_at) values ($1, $2, $3, '2026-03-01 10:00:00Z') returning *;

-- case: an insert with a literal reference
insert into orders (user_id, status) values (':users.bob', 'new') returning user_id, status;
insert into orders (user_id, status) values (':users.bob'::uuid, 'new') returning user_id, status;

-- case: an insert of many rows
-- with: :users.ann, :users.bob
insert into orders (user_id, status) values ($1, 'a'), ($2, 'b'), (':users.cai', 'c') returning id, user_id, status;

-- case: what was inserted is found by its id
insert into tags (name) values ('fresh'), ('stale') on conflict do nothing returning id;
select t.name from tags t where t.id > ':tags.gift' order by t.id;

-- case: an insert without columns
-- with: :orders.five, :tags.gift
insert into order_tags values ($1, $2) on conflict do nothing returning *;

-- case: an insert of a select
insert into order_tags (order_id, tag_id) select o.id, t.id from orders o cross join tags t where o.status = 'new' on conflict do nothing returning order_id, tag_id;

-- case: an insert of a select with parameters
-- with: :orders.five, :tags.rush
insert into order_tags (order_id, tag_id) select $1, $2::uuid where not exists (select 1 from order_tags where order_id = $1 and tag_id = $2) returning order_id, tag_id;

-- case: an insert of arrays side by side
-- with: {:orders.four,:orders.five}, {:tags.gift,:tags.rush}
insert into order_tags (order_id, tag_id) select * from unnest($1::uuid[], $2::uuid[]) on conflict do nothing returning order_id, tag_id;

-- case: on conflict do nothing
-- with: :teams.red, :users.ann
insert into memberships (team_id, user_id) values ($1, $2) on conflict (team_id, user_id) do nothing;

-- case: on conflict do update
-- with: :teams.red, :users.ann, 'guest'
insert into memberships as m (team_id, user_id, role) values ($1, $2, $3) on conflict (team_id, user_id) do update set role = excluded.role returning m.team_id, m.user_id, m.role;

-- case: on conflict on a constraint, with a condition on the id
-- with: 'ann@example.test'
insert into users (email, name) values ($1, 'Anna') on conflict on constraint users_email_key do update set name = excluded.name where users.id = ':users.ann' returning id, name;

-- case: on conflict that changes a reference
insert into teams (name, slug, owner_id) values ('Red', 'red', ':users.cai') on conflict (slug) do update set owner_id = excluded.owner_id returning id, owner_id;

-- case: an insert of an array of ids
-- with: {:users.ann,:users.dee}, :users.eli
insert into events (kind, participant_ids, actor_id, occurred_at) values ('made', $1, $2, '2026-03-01 10:00:00Z') returning id, participant_ids, actor_id;
insert into events (kind, participant_ids) values ('made', '{:users.ann}'), ('made', array[':users.bob']::uuid[]) returning participant_ids;
insert into events (kind, participant_ids) values ('none', '{}') returning participant_ids;

-- case: an update by id
-- with: 'Anna', :users.ann
update users set name = $1, login_count = login_count + 1 where id = $2 returning id, name, login_count;

-- case: an update of a reference
-- with: :users.cai, :teams.grey
update teams set owner_id = $1 where id = $2 returning id, owner_id;
update teams set owner_id = ':users.dee'::uuid where slug = 'grey' returning owner_id;
update teams set owner_id = null where id = ':teams.red' returning *;

-- case: an update of several columns at once
-- with: 'Purple', :users.eli, :teams.red
update teams set (name, owner_id) = ($1, $2) where id = $3 returning name, owner_id;
update teams set (owner_id) = (select id from users where name = 'Cai') where slug = 'blue' returning owner_id;

-- case: an update from another table
update orders set note = u.name from users u where u.id = orders.user_id and u.id in (':users.ann', ':users.bob') returning orders.id, u.id, orders.note;

-- case: an update from values
update users set name = v.name from (values (':users.ann'::uuid, 'A'), (':users.bob'::uuid, 'B')) as v(id, name) where users.id = v.id returning users.id, users.name;

-- case: an update of an array column
-- with: :users.eli
update events set participant_ids = participant_ids || $1::uuid where kind = 'met' returning participant_ids;
-- with: :users.ann
update events set participant_ids = array_remove(participant_ids, $1) where kind = 'met' returning participant_ids;
update events set participant_ids = '{:users.dee,:users.bob}' where kind = 'idle' returning participant_ids;

-- case: an update without returning
-- with: :orders.one
update orders set status = 'sent' where user_id = (select user_id from orders where id = $1);

-- case: a delete by id
-- with: :orders.two
delete from orders where id = $1;
delete from order_items where id in (':order_items.a', ':order_items.d') returning id, order_id;

-- case: a delete using another table
-- with: :users.bob
delete from order_items i using orders o where o.id = i.order_id and o.user_id = $1 returning i.id, o.id as order_id;

-- case: a delete that cascades
-- with: :users.cai
delete from users where id = $1 returning id;
select count(*) from orders;

-- case: returning of everything and of expressions
-- with: :users.ann
update users set is_active = not is_active where id = $1 returning *, id as again, id = $1 as same;

-- case: an insert through a composite key
-- modes: simple text declared binary
-- with: :teams.blue, :users.bob, 7
insert into seats (team_id, user_id, number) values ($1, $2, $3) returning *;

-- case: an id that the client made up is not stored
-- with: :fixed.unknown
-- refused: 22023
insert into users (id, email, name) values ($1, 'made@example.test', 'Made');
-- refused: 22023
insert into tags (id, name) values (':fixed.unknown8', 'made');
insert into tags (name) values ('unmade') on conflict do nothing;

-- case: a made-up id is not stored by an update
-- with: :fixed.unknown, :documents.plan
-- refused: 22023
update documents set id = $1 where id = $2;
-- with: :documents.plan
update documents set id = $1 where id = $1 returning id;

-- case: a made-up soft reference is not stored
-- with: :fixed.unknown
-- refused: 22023
insert into audit_log (table_name, record_id, action) values ('orders', $1, 'x');
-- with: {:users.ann,:fixed.unknown}
-- refused: 22023
insert into events (kind, participant_ids) values ('made', $1);
-- with: :fixed.unknown
-- refused: 22023
update events set participant_ids[1] = $1;
-- with: {:users.ann,:fixed.unknown}
-- refused: 22023
update events set participant_ids[1:2] = $1;
-- refused: 22023
update events set participant_ids[2] = ':fixed.unknown8';
-- with: :orders.two
insert into audit_log (table_name, record_id, action) values ('orders', $1, 'x') returning record_id;

-- case: an issued id is stored as an id again
-- with: :orders.two, :users.ann
insert into audit_log (table_name, record_id, actor_id, action) values ('orders', $1, $2, 'sent') returning record_id, actor_id;

-- case: an id moves from one row to another
-- with: :tags.rush
delete from order_tags where tag_id = $1;
-- with: :tags.rush
delete from tags where id = $1;
-- modes: simple text declared binary
-- with: :tags.rush
insert into tags (id, name) values ($1, 'rush again') returning id, name;

-- case: merge
-- with: :teams.red, :users.ann, 'guest'
merge into memberships m using (select $1::uuid as team_id, $2::uuid as user_id) s on m.team_id = s.team_id and m.user_id = s.user_id when matched then update set role = $3 when not matched then insert (team_id, user_id, role) values (s.team_id, s.user_id, $3);

-- case: integers are not stored as ids
-- modes: simple text
-- fails: 42804
insert into orders (user_id, status) values (5, 'new');
-- fails: 42804
update orders set user_id = 5;
-- fails: 42804
insert into tags (id, name) values (1, 'one');

-- case: malformed ids are not stored
-- with: 'nobody'
-- fails: 22P02
insert into orders (user_id, status) values ($1, 'new');
-- fails: 22P02
insert into orders (user_id, status) values ('12', 'new');
