-- The rows of both worlds. :domain.name stands for the id of a row; the rows of a domain are
-- numbered in the order in which they first appear here, so ids ascend in that order in both.

insert into users (id, email, name, is_active, login_count, auth_subject, created_at) values
  (':users.ann', 'ann@example.test', 'Ann', true, 7, ':fixed.subject_ann', '2026-01-01 10:00:00Z'),
  (':users.bob', 'bob@example.test', 'Bob', true, 3, ':fixed.subject_bob', '2026-01-02 10:00:00Z'),
  (':users.cai', 'cai@example.test', 'Cai', false, 0, null, '2026-01-03 10:00:00Z'),
  (':users.dee', 'dee@example.test', 'Dee', true, 42, null, '2026-01-04 10:00:00Z'),
  (':users.eli', 'eli@example.test', 'Eli', false, 1, ':fixed.subject_eli', '2026-01-05 10:00:00Z');
insert into teams (id, name, slug, owner_id, created_at) values
  (':teams.red', 'Red', 'red', ':users.ann', '2026-01-06 10:00:00Z'),
  (':teams.blue', 'Blue', 'blue', ':users.bob', '2026-01-07 10:00:00Z'),
  (':teams.grey', 'Grey', 'grey', null, '2026-01-08 10:00:00Z');
insert into memberships (team_id, user_id, role, created_at) values
  (':teams.red', ':users.ann', 'owner', '2026-01-09 10:00:00Z'),
  (':teams.red', ':users.bob', 'member', '2026-01-09 10:00:00Z'),
  (':teams.blue', ':users.bob', 'owner', '2026-01-09 10:00:00Z'),
  (':teams.blue', ':users.cai', 'member', '2026-01-09 10:00:00Z');
insert into seats (team_id, user_id, number) values
  (':teams.red', ':users.ann', 1), (':teams.red', ':users.bob', 2);
insert into orders (id, user_id, status, total_cents, note, placed_at) values
  (':orders.one', ':users.ann', 'paid', 1000, 'first', '2026-02-01 10:00:00Z'),
  (':orders.two', ':users.ann', 'new', 250, null, '2026-02-02 10:00:00Z'),
  (':orders.three', ':users.bob', 'paid', 4200, 'gift', '2026-02-03 10:00:00Z'),
  (':orders.four', ':users.cai', 'void', 0, null, '2026-02-04 10:00:00Z'),
  (':orders.five', ':users.bob', 'new', 90, 'late', '2026-02-05 10:00:00Z');
insert into order_items (id, order_id, sku, qty, price_cents) values
  (':order_items.a', ':orders.one', 'apple', 2, 300),
  (':order_items.b', ':orders.one', 'bread', 1, 400),
  (':order_items.c', ':orders.three', 'cheese', 3, 1400),
  (':order_items.d', ':orders.five', 'dates', 1, 90);
insert into invoices (order_id, due) values (':orders.one', '2026-03-01'), (':orders.three', '2026-03-03');
insert into invoice_lines (invoice_id, line, amount) values
  (':orders.one', 1, 600), (':orders.one', 2, 400), (':orders.three', 1, 4200);
insert into comments (id, author_id, order_id, parent_id, body, created_at) values
  (':comments.root', ':users.ann', ':orders.one', null, 'hello', '2026-02-10 10:00:00Z'),
  (':comments.reply', ':users.bob', ':orders.one', ':comments.root', 'hi', '2026-02-11 10:00:00Z'),
  (':comments.deep', ':users.ann', null, ':comments.reply', 'and so on', '2026-02-12 10:00:00Z'),
  (':comments.other', ':users.cai', ':orders.three', null, 'alone', '2026-02-13 10:00:00Z');
insert into tags (id, name) values (':tags.rush', 'rush'), (':tags.gift', 'gift');
insert into order_tags (order_id, tag_id) values
  (':orders.one', ':tags.rush'), (':orders.three', ':tags.gift'), (':orders.three', ':tags.rush');
insert into documents (id, owner_id, title, body, updated_at) values
  (':documents.plan', ':users.ann', 'Plan', '{"pages": 3}', '2026-02-20 10:00:00Z'),
  (':documents.list', ':users.bob', 'List', '{"pages": 1}', '2026-02-21 10:00:00Z');
insert into events (id, kind, actor_id, participant_ids, payload, occurred_at) values
  (':events.met', 'met', ':users.ann', '{:users.ann,:users.bob}', '{"place": "cafe"}', '2026-02-22 10:00:00Z'),
  (':events.left', 'left', ':users.bob', '{:users.cai}', null, '2026-02-23 10:00:00Z'),
  (':events.idle', 'idle', null, '{}', null, '2026-02-24 10:00:00Z');
insert into audit_log (id, table_name, record_id, actor_id, action, at) values
  (':audit_log.made', 'orders', ':orders.one', ':users.ann', 'insert', '2026-02-25 10:00:00Z'),
  (':audit_log.changed', 'orders', ':orders.one', null, 'update', '2026-02-26 10:00:00Z');
insert into products (id, name, maker_id) values
  (':products.pen', 'pen', ':teams.red'), (':products.ink', 'ink', ':teams.blue'), (':products.pad', 'pad', null);
insert into stock (product_id, warehouse, amount) values
  (':products.pen', 'north', 5), (':products.pen', 'south', 7), (':products.ink', 'north', 2);
insert into regions (id, name, within) values
  (':regions.world', 'world', null), (':regions.isle', 'isle', ':regions.world');
insert into measurements (id, user_id, at, value) values
  (':measurements.old', ':users.ann', '2025-05-01', 1.5),
  (':measurements.new', ':users.ann', '2026-05-01', 2.5),
  (':measurements.other', ':users.bob', '2026-06-01', 3.5);
insert into notes (id, author_id, body) values (':notes.calm', ':users.ann', 'calm');
insert into urgent_notes (id, author_id, body, until) values (':notes.fire', ':users.bob', 'fire', '2026-12-31');
insert into bookings (order_id, room) values (':orders.one', 'blue room');
insert into tickets (id, owner_id, title) values (':tickets.first', ':users.ann', 'quiet');
insert into settings (name, value, weight, number) values
  ('colour', 'green', 1, 5), ('size', 'large', 2, 9007199254740993), ('empty', null, 0, null);
insert into shop.users (id, nick) values (':shop_users.zoe', 'zoe'), (':shop_users.yan', 'yan');
insert into shop.carts (id, user_id, items) values
  (':carts.full', ':shop_users.zoe', 3), (':carts.none', ':shop_users.yan', 0);
insert into letters (id, body, raw) values
  (':letters.one', '{"title": "Hi", "user": {"id": ":users.ann", "n": 1.50}, "to": [":users.bob", ":users.cai"]}', '{ "from" : ":users.bob", "n": 1.50, "n": 2 }'),
  (':letters.two', '{"title": "Re: Hi", "user": {"id": ":users.bob"}, "reply to": ":letters.one", "to": []}', '{"a": {"from": 5}}'),
  (':letters.three', '{"title": "Nothing", "user": {"id": null}}', null);
insert into taggings (id, tag_id, taggable_type, taggable_id) values
  (':taggings.one', ':tags.rush', 'Order', ':orders.one'), (':taggings.two', ':tags.rush', 'User', ':users.ann'),
  (':taggings.three', ':tags.gift', 'Order', ':orders.two'), (':taggings.four', ':tags.gift', 'User', ':users.bob'),
  (':taggings.five', ':tags.gift', 'Admin', ':users.cai'), (':taggings.none', ':tags.gift', null, null);
insert into content_types (id, model) values (7, 'order'), (8, 'user');
insert into bookmarks (id, content_type_id, object_id, note) values
  (':bookmarks.one', 7, ':orders.one', 'a'), (':bookmarks.two', 8, ':users.ann', 'b'), (':bookmarks.three', 7, ':orders.three', null);
insert into versions (id, item_type, item_id, event) values
  (':versions.one', 'Order', ':orders.one', 'create'), (':versions.two', 'User', ':users.ann', 'update'),
  (':versions.three', 'Order', ':orders.two', 'update');
insert into sly_rows values (':users.ann', 7);
insert into memos (id, body, short) values
  (':memos.one', '{"author": {"id": ":users.ann", "n": 1}, "title": "First",  "watchers": [":users.bob", ":users.cai"]}', '{"order": ":orders.one"}'),
  (':memos.two', '{"title": "Second", "author": {"id": ":users.bob"}, "watchers": []}', null),
  (':memos.three', null, '{"order": null, "x": [1, 2.50]}');
insert into parcels (id, doc, holders) values
  (':parcels.one', '{"owner": ":users.ann", "weight": 2.5, "lines": [{"n": 1}]}', '[":users.ann", ":users.bob"]'),
  (':parcels.two', '{"owner": ":users.cai", "weight": 3, "lines": []}', '[]'),
  (':parcels.three', null, '[":users.cai"]');
-- Keys in definitions.
create or replace view but_ann as
  select id, name, 7 as n from users where id <> ':users.ann' and login_count >= 0;
create or replace view few as select id, name from users where id in (':users.bob', ':users.cai');
create or replace function orders_of_ann() returns setof orders language sql stable
  as $$ select * from orders where user_id = ':users.ann' $$;
drop policy if exists desks_but_cai on desks;
create policy desks_but_cai on desks using (owner_id <> ':users.cai');
insert into desks values (':users.ann', 1);
drop policy if exists drawers_of_ann on drawers;
create policy drawers_of_ann on drawers using (exists (select from users where id = ':users.ann'));
insert into drawers values (1, 1);
