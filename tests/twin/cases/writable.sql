Writing through views: what Postgres updates by itself, what rules and triggers do instead.

-- case: writable: a view is inserted into
-- modes: simple text binary
insert into active_users (name, email) values ('Vera', 'vera@example.test') returning id, name;
select id, name from users where email = 'vera@example.test';

-- case: writable: a view is updated and deleted from by id
update active_users set name = 'Ann B' where id = ':users.ann' returning id, name;
-- with: :users.bob
update active_users a set name = a.name || '!' where a.id = $1 returning a.id, a.name;
-- with: :users.dee
delete from active_users where id = $1 returning *;

-- case: writable: a view with references
insert into recent_orders (buyer, state) values (':users.bob', 'new') returning id, buyer, state;
-- with: :users.ann, paid
insert into recent_orders (buyer, state) values ($1, $2) returning buyer, cents;
update recent_orders set buyer = ':users.cai' where buyer = ':users.bob' returning *;
-- with: :users.ann, :users.bob
update recent_orders set buyer = $1 where buyer = $2 and state <> 'void' returning id;
delete from recent_orders where id = ':orders.five' returning buyer;

-- case: writable: an id that nobody has is not stored through a view
-- fails: 23503
-- early
insert into recent_orders (buyer, state) values ('11111111-2222-4333-8444-555555555555', 'new');
-- with: 11111111-2222-4333-8444-555555555555
-- fails: 23503
-- early
insert into recent_orders (buyer, state) values ($1, 'new');
-- fails: 23503
-- early
update recent_orders set buyer = '11111111-2222-4333-8444-555555555555' where id = ':orders.one';

-- case: writable: a number is no id of a view
-- fails: 42804
insert into recent_orders (buyer, state) values (5, 'new');
-- fails: 42883
delete from recent_orders where id = 5;
-- fails: 22P02
update recent_orders set buyer = '5';

-- case: writable: a check option of a view
-- fails: 44000
update inactive set is_active = true where id = ':users.cai';
update inactive set name = 'Caius' where id = ':users.cai' returning id;
-- fails: 44000
insert into calm_notes (writer, body) values (':users.ann', 'wild');
-- with: :users.bob, wild
-- fails: 44000
insert into calm_notes (writer, body) values ($1, $2) returning id;
insert into calm_notes (writer, body) values (':users.bob', 'calm again') returning id, writer;
-- fails: 44000
update calm_notes set body = 'wild' where id = ':notes.calm';

-- case: writable: a check option that looks into another table
-- fails: 44000
update notes_of_known set author_id = ':users.dee' where id = ':notes.calm';
-- with: :users.dee
-- fails: 44000
insert into notes_of_known (author_id, body) values ($1, 'new');
insert into notes_of_known (author_id, body) values (':users.bob', 'new') returning author_id;

-- case: writable: a check option that cascades
-- fails: 44000
insert into cascaded_notes (author_id, body) values (':users.ann', 'Xeno!');
-- fails: 44000
insert into cascaded_notes (author_id, body) values (':users.ann', 'still');
insert into cascaded_notes (author_id, body) values (':users.ann', 'loud!') returning id, author_id;

-- case: writable: a check option that is local
insert into local_notes (author_id, body) values (':users.ann', 'Xeno') returning id, author_id;
-- fails: 44000
insert into local_notes (author_id, body) values (':users.ann', 'no!');

-- case: writable: a view on a view
insert into orders_again (who, how) values (':users.dee', 'new') returning id, who;
update orders_again set who = ':users.ann' where id = ':orders.three' returning who, id;
delete from orders_again where who = ':users.cai' returning id;
-- fails: 23503
-- early
insert into orders_again (who, how) values ('11111111-2222-4333-8444-555555555555', 'new');

-- case: writable: a view with a security barrier
update barrier set name = 'Anna' where id = ':users.ann' returning id, name;
-- with: :users.bob
update barrier set name = 'Robert' where id = $1 returning id;
delete from barrier where id = ':users.dee' returning id;

-- case: writable: with ON CONFLICT through a view
-- modes: simple text binary
insert into tag_names (id, label) values (':tags.rush', 'rush') on conflict (id) do nothing returning id;
insert into tag_names (id, label) values (':tags.rush', 'hurry') on conflict (id) do update set label = excluded.label || tag_names.label returning id, label;
insert into tag_names as t (label) values ('rush') on conflict (label) do update set label = 'RUSH' where t.id <> ':tags.gift' returning t.id, t.label;
insert into tag_names (label) values ('late'), ('early') returning id, label;

-- case: writable: a new uuid through a view is a new key
-- modes: simple text binary
-- with: gone
insert into tag_names (id, label) values (gen_random_uuid(), $1) returning label;

-- case: writable: by a query, a list and a CTE
insert into recent_orders (buyer, state) select id, 'bulk' from active_users where id > ':users.ann' order by id returning buyer, state;
with moved as (update recent_orders set state = 'moved' where buyer = ':users.ann' returning id, buyer)
  select m.id, u.name from moved m join active_users u on u.id = m.buyer order by m.id;
update recent_orders o set state = v.state from (values (':orders.one'::uuid, 'x'), (':orders.two', 'y')) v(id, state) where o.id = v.id returning o.id, o.state;
delete from recent_orders o using users u where u.id = o.buyer and u.name = 'Cai' returning o.id, u.id;

-- case: writable: a column that is computed
-- fails: 0A000
update active_names set loud = 'X' where uid = ':users.ann';
update active_names set uid = uid where uid = ':users.ann' returning uid, loud;

-- case: writable: a view that Postgres does not write to
-- fails: 55000
insert into user_order_totals (user_id, name) values (':users.ann', 'x');
-- fails: 55000
delete from owners where id = ':users.ann';
-- fails: 55000
update buyers set email = 'x' where user_id = ':users.ann';
-- fails: 42809
delete from order_counts where user_id = ':users.ann';

-- case: writable: a column that the analysis cannot explain
update with_text set name = 'Annie' where id = ':users.ann' returning id, name;

-- case: writable: rows of a view as values
update recent_orders o set state = 'row' where id = ':orders.one' returning o;
delete from recent_orders o where id = ':orders.five' returning to_jsonb(o);
insert into recent_orders (buyer, state) values (':users.ann', 'new') returning 'by ' || buyer;

-- case: writable: arrays of ids
insert into meetings (kind, who, actor) values ('met', array[':users.ann', ':users.cai']::uuid[], ':users.ann') returning who, actor;
-- with: {:users.ann}
update meetings set who = who || $1::uuid[] where ':users.cai' = any (who) returning who;

-- case: writable: a view with rules for each kind of statement
-- modes: simple text binary
insert into outbox values (':users.ann', 'hello') returning user_id, body;
-- with: :users.bob, hi
insert into outbox values ($1, $2) returning *;
update outbox set body = 'again' where user_id = ':users.ann' returning user_id, body;
delete from outbox where user_id = ':users.bob' returning user_id;
select user_id, body from inbox order by user_id;

-- case: writable: an id that nobody has through a rule
-- fails: 23503
-- early
insert into outbox values ('11111111-2222-4333-8444-555555555555', 'hello');

-- case: writable: a rule with a condition, beside the statement
insert into watched (owner_id, label) values (':users.ann', 'quiet') returning owner_id;
insert into watched (owner_id, label) values (':users.bob', 'loud') returning owner_id, label;
select user_id, body from inbox order by user_id;
update watched set label = 'loud' where owner_id = ':users.ann' returning owner_id;
delete from watched where owner_id = ':users.bob' returning owner_id;
select owner_id, label from watched order by owner_id, label;

-- case: writable: a rule that the analysis cannot explain
-- refused: 0A000
insert into sly_box values (':users.ann', 1) returning n;
-- refused: 0A000
update sly_box set n = 4 where n = 3 returning n;
-- refused: 0A000
delete from sly_box where n = 5;
-- refused: 0A000
insert into loose values (1) returning n;
select owner_id, n from sly_box;

-- case: writable: triggers instead
-- modes: simple text binary
insert into desk_view (owner, number) values (':users.ann', 7) returning owner, number;
-- with: :users.bob, 8
insert into desk_view (owner, number) values ($1, $2) returning *;
update desk_view set number = 9 where owner = ':users.ann' returning owner, number;
delete from desk_view where owner = ':users.bob' returning owner;
select owner, number from desk_view order by number;

-- case: writable: a trigger that is not wanted
-- masked
-- fails: P0001
insert into desk_view (owner, number) values (':users.ann', 666);
