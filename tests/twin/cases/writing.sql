Writing, as applications do it: rows in and what came of them. A case is one statement.

-- case: writing: an insert of one row
insert into orders (user_id, status, placed_at) values (':users.dee', 'new', '2026-03-01Z') returning user_id, status, placed_at;

-- case: writing: an insert of several rows
-- modes: simple text declared binary
insert into memberships (team_id, user_id) values (':teams.grey', ':users.ann'), (':teams.grey', ':users.bob') returning team_id, user_id;

-- case: writing: an insert without columns
-- modes: simple text declared binary
insert into order_tags values (':orders.five', ':tags.rush') returning *;

-- case: writing: an insert of a default beside values
-- modes: simple text declared binary
insert into memberships (team_id, user_id, role) values (':teams.grey', ':users.ann', default) returning role;

-- case: writing: an insert from a query
-- modes: simple text declared binary
insert into memberships (team_id, user_id) select ':teams.grey', user_id from orders where status = 'paid' group by user_id returning user_id;

-- case: writing: an insert from a join
-- modes: simple text declared binary
insert into order_tags (order_id, tag_id) select o.id, t.id from orders o cross join tags t where o.user_id = ':users.ann' and t.name = 'gift' returning order_id, tag_id;

-- case: writing: an insert of a subquery's value
insert into orders (user_id) values ((select id from users where email = 'eli@example.test')) returning user_id;

-- case: writing: an insert of a null
-- modes: simple text declared binary
insert into teams (name, slug, owner_id) values ('N', 'n', null) returning owner_id, slug;

-- case: writing: an insert of an array
insert into events (kind, participant_ids) values ('new', array[':users.ann', ':users.dee']::uuid[]) returning participant_ids;

-- case: writing: an insert of an array literal
insert into events (kind, participant_ids) values ('new', '{:users.dee}') returning participant_ids, kind;

-- case: writing: an insert of an aggregated array
insert into events (kind, participant_ids) select 'all', array_agg(id order by id) from users where is_active returning participant_ids;

-- case: writing: an insert from values that are joined
insert into orders (user_id, note) select u.id, v.note from (values ('ann@example.test', 'x'), ('bob@example.test', 'y')) v(email, note) join users u on u.email = v.email returning user_id, note;

-- case: writing: an insert of many from arrays
-- modes: simple text declared binary
insert into order_tags (order_id, tag_id) select * from unnest('{:orders.two,:orders.four}'::uuid[], '{:tags.rush,:tags.gift}'::uuid[]) returning order_id, tag_id;

-- case: writing: an insert that may conflict
insert into memberships (team_id, user_id) values (':teams.red', ':users.ann') on conflict do nothing returning user_id;

-- case: writing: an insert that conflicts on its key
insert into memberships (team_id, user_id, role) values (':teams.red', ':users.ann', 'admin') on conflict (team_id, user_id) do update set role = excluded.role returning team_id, user_id, role;

-- case: writing: an insert that conflicts on a constraint
insert into memberships (team_id, user_id, role) values (':teams.red', ':users.bob', 'admin') on conflict on constraint memberships_pkey do update set role = excluded.role || '+' || memberships.role returning user_id, role;

-- case: writing: an upsert that takes the new owner
insert into teams (name, slug, owner_id) values ('Red', 'red', ':users.dee') on conflict (slug) do update set owner_id = excluded.owner_id, name = excluded.name returning id, owner_id;

-- case: writing: an upsert that keeps the old owner
insert into teams as t (name, slug, owner_id) values ('Red', 'red', ':users.dee') on conflict (slug) do update set owner_id = coalesce(t.owner_id, excluded.owner_id) returning t.id, t.owner_id;

-- case: writing: an upsert with a condition
insert into teams as t (name, slug, owner_id) values ('Red', 'red', ':users.dee') on conflict (slug) do update set owner_id = excluded.owner_id where t.owner_id <> excluded.owner_id returning t.owner_id;

-- case: writing: an upsert with a condition that fails
insert into teams as t (name, slug, owner_id) values ('Red', 'red', ':users.ann') on conflict (slug) do update set owner_id = excluded.owner_id where t.owner_id is distinct from excluded.owner_id returning t.id;

-- case: writing: an upsert of several columns at once
insert into teams (name, slug, owner_id) values ('Red', 'red', ':users.bob') on conflict (slug) do update set (name, owner_id) = (excluded.name, excluded.owner_id) returning name, owner_id;

-- case: writing: an upsert of many rows
insert into stock (product_id, warehouse, amount) values (':products.pen', 'north', 1), (':products.pad', 'north', 2) on conflict (product_id, warehouse) do update set amount = stock.amount + excluded.amount returning product_id, amount;

-- case: writing: an upsert that tells whether it was new
insert into order_items (order_id, sku, qty) values (':orders.one', 'apple', 5) on conflict (order_id, sku) do update set qty = excluded.qty returning id, order_id, qty;

-- case: writing: an update by id
update users set name = 'Anna' where id = ':users.ann' returning id, name;

-- case: writing: an update of a key
update orders set user_id = ':users.dee' where id = ':orders.one' returning id, user_id;

-- case: writing: an update of a key to null
update teams set owner_id = null where owner_id = ':users.ann' returning id, owner_id;

-- case: writing: an update of a key to a default
update events set actor_id = default where id = ':events.met' returning id, actor_id;

-- case: writing: an update from a subquery
update teams set owner_id = (select id from users where name = 'Dee') where slug = 'grey' returning id, owner_id;

-- case: writing: an update of two columns from a subquery
update orders set (user_id, note) = (select id, name from users where name = 'Eli') where id = ':orders.two' returning user_id, note;

-- case: writing: an update from another table
update orders o set note = u.name from users u where u.id = o.user_id and o.status = 'paid' returning o.id, u.id, o.note;

-- case: writing: an update from a join
update orders o set note = t.name from order_tags x join tags t on t.id = x.tag_id where x.order_id = o.id and t.name = 'gift' returning o.id, t.id;

-- case: writing: an update from values
update users u set name = v.name from (values (':users.ann'::uuid, 'A'), (':users.bob', 'B')) as v(id, name) where u.id = v.id returning u.id, u.name;

-- case: writing: an update of keys from values
update orders o set user_id = v.who from (values (':orders.one'::uuid, ':users.bob'::uuid), (':orders.two', ':users.cai')) v(id, who) where o.id = v.id returning o.id, o.user_id;

-- case: writing: an update from arrays
update users u set login_count = x.n from unnest('{:users.ann,:users.cai}'::uuid[], array[1, 2]) x(id, n) where x.id = u.id returning u.id, u.login_count;

-- case: writing: an update from an aggregate
update users u set login_count = s.n from (select user_id, count(*) as n from orders group by user_id) s where s.user_id = u.id returning u.id, u.login_count;

-- case: writing: an update of an array
update events set participant_ids = participant_ids || ':users.dee'::uuid where id = ':events.met' returning participant_ids;

-- case: writing: an update of an array that appends
update events set participant_ids = array_append(participant_ids, ':users.eli') where kind = 'idle' returning id, participant_ids;

-- case: writing: an update of an array that removes
update events set participant_ids = array_remove(participant_ids, ':users.ann') where ':users.ann' = any (participant_ids) returning id, participant_ids;

-- case: writing: an update of an element
update events set participant_ids[1] = ':users.dee' where id = ':events.met' returning participant_ids;

-- case: writing: an update by case
update teams set owner_id = case slug when 'red' then ':users.bob'::uuid when 'blue' then ':users.ann' end returning id, owner_id;

-- case: writing: an update of rows that a lock leaves
update orders set note = 'taken' where id = (select id from orders where status = 'new' order by id limit 1 for update skip locked) returning id, user_id;

-- case: writing: an update by a list
update orders set note = 'l' where id in (':orders.one', ':orders.two') returning id;

-- case: writing: an update by any
update orders set note = 'l' where id = any ('{:orders.one,:orders.two}') returning id;

-- case: writing: an update that exchanges owners
update teams t set owner_id = o.owner_id from teams o where t.slug = 'red' and o.slug = 'blue' returning t.id, t.owner_id;

-- case: writing: an update that returns a star
update orders set note = 'r' where id = ':orders.three' returning *;

-- case: writing: a delete by id
delete from order_tags where order_id = ':orders.one' and tag_id = ':tags.rush' returning *;

-- case: writing: a delete by a list
delete from comments where id in (':comments.deep', ':comments.other') returning id, author_id;

-- case: writing: a delete with using
delete from order_items i using orders o where o.id = i.order_id and o.user_id = ':users.bob' returning i.id, o.id;

-- case: writing: a delete with exists
delete from order_tags t where exists (select from orders o where o.id = t.order_id and o.user_id = ':users.ann') returning t.order_id;

-- case: writing: a delete of what is not referred to
delete from tags t where not exists (select from order_tags x where x.tag_id = t.id) returning id;

-- case: writing: a delete that cascades
delete from users where id = ':users.eli' returning id, name;

-- case: writing: a delete of duplicates
delete from orders a using orders b where a.user_id = b.user_id and a.id > b.id and a.status = 'void' returning a.id;

-- case: writing: a delete by an aggregate
delete from order_tags where order_id in (select order_id from order_tags group by order_id having count(*) > 1) returning order_id, tag_id;

-- case: writing: a merge that updates
merge into stock s using (values (':products.pen'::uuid, 'north', 9)) v(id, w, n) on s.product_id = v.id and s.warehouse = v.w when matched then update set amount = v.n when not matched then insert values (v.id, v.w, v.n);

-- case: writing: a merge that inserts
merge into stock s using (values (':products.pad'::uuid, 'west', 9)) v(id, w, n) on s.product_id = v.id and s.warehouse = v.w when matched then update set amount = v.n when not matched then insert (product_id, warehouse, amount) values (v.id, v.w, v.n);

-- case: writing: a merge that deletes
merge into order_tags t using orders o on o.id = t.order_id when matched and o.status = 'paid' then delete;

-- case: writing: a merge of a query
merge into memberships m using (select ':teams.grey'::uuid as team, user_id from orders group by user_id) s on m.team_id = s.team and m.user_id = s.user_id when not matched then insert (team_id, user_id, role) values (s.team, s.user_id, 'buyer');

-- case: writing: a merge that does nothing
merge into memberships m using teams t on m.team_id = t.id and m.user_id = t.owner_id when matched then do nothing;

-- case: writing: a merge that changes a key
merge into orders o using users u on u.id = o.user_id and u.name = 'Cai' when matched then update set user_id = ':users.ann';
