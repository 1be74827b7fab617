-- The schema of both worlds. Where an application keeps ids it says
--   {id NAME}    a generated id: uuid, or bigint as identity; NAME is the id domain
--   {id4 NAME}   the same over integer        {id2 NAME}   over smallint
--   {key}, {key4}, {key2}                     a reference to such an id
-- Everything else is the same text in both.

create table users (
  id {id users} primary key,
  email text not null constraint users_email_key unique,
  name varchar(120) not null,
  is_active boolean not null default true,
  login_count bigint not null default 0,          -- a plain bigint, never an id
  auth_subject uuid,                              -- a real uuid, not a key: passes untouched
  created_at timestamptz not null default now()
);
create table teams (
  id {id teams} primary key,
  name text not null,
  slug varchar(80) not null constraint teams_slug_key unique,
  owner_id {key} constraint teams_owner_id_fkey references users(id) on delete set null,
  created_at timestamptz not null default now()
);
create table memberships (
  team_id {key} not null constraint memberships_team_id_fkey references teams(id) on delete cascade,
  user_id {key} not null constraint memberships_user_id_fkey references users(id) on delete cascade,
  role text not null default 'member',
  created_at timestamptz not null default now(),
  constraint memberships_pkey primary key (team_id, user_id)
);
-- A composite foreign key: both columns take their domains through it.
create table seats (
  team_id {key} not null,
  user_id {key} not null,
  number integer not null,
  constraint seats_pkey primary key (team_id, number),
  constraint seats_membership_fkey foreign key (team_id, user_id)
    references memberships(team_id, user_id) on delete cascade
);
create table orders (
  id {id orders} primary key,
  user_id {key} not null constraint orders_user_id_fkey references users(id) on delete cascade,
  status text not null default 'new',
  total_cents bigint not null default 0 constraint orders_total_cents_check check (total_cents >= 0),
  note text,
  placed_at timestamptz not null default now()
);
create index orders_user_id_idx on orders(user_id);
create table order_items (
  id {id order_items} primary key,
  order_id {key} not null constraint order_items_order_id_fkey references orders(id) on delete cascade,
  sku text not null,
  qty integer not null default 1,
  price_cents bigint not null default 0,
  constraint order_items_order_id_sku_key unique (order_id, sku)
);
-- A chain of keys: invoice_lines -> invoices -> orders.
create table invoices (
  order_id {key} constraint invoices_pkey primary key
    constraint invoices_order_id_fkey references orders(id),
  due date not null
);
create table invoice_lines (
  invoice_id {key} not null constraint invoice_lines_invoice_id_fkey references invoices(order_id),
  line integer not null,
  amount bigint not null,
  constraint invoice_lines_pkey primary key (invoice_id, line)
);
create table comments (
  id {id comments} primary key,
  author_id {key} not null constraint comments_author_id_fkey references users(id) on delete cascade,
  order_id {key} constraint comments_order_id_fkey references orders(id) on delete cascade,
  parent_id {key} constraint comments_parent_id_fkey references comments(id) on delete cascade,
  body text not null,
  created_at timestamptz not null default now()
);
create table tags (
  id {id tags} primary key,
  name text not null constraint tags_name_key unique
);
create table order_tags (
  order_id {key} not null constraint order_tags_order_id_fkey references orders(id) on delete cascade,
  tag_id {key} not null constraint order_tags_tag_id_fkey references tags(id) on delete cascade,
  constraint order_tags_pkey primary key (order_id, tag_id)
);
create table documents (
  id {id documents} primary key,
  owner_id {key} not null constraint documents_owner_id_fkey references users(id) on delete cascade,
  title text not null,
  body jsonb not null default '{}'::jsonb,
  updated_at timestamptz not null default now()
);
create table events (
  id {id events} primary key,
  kind text not null,
  actor_id {key} constraint events_actor_id_fkey references users(id) on delete set null,
  participant_ids {key}[] not null default '{}',  -- soft references to users
  payload jsonb,
  occurred_at timestamptz not null default now()
);
create table audit_log (
  id {id audit_log} primary key,
  table_name text not null,
  record_id {key} not null,                       -- a soft reference to orders
  actor_id {key},                                 -- a soft reference to users
  action text not null,
  at timestamptz not null default now()
);
create table products (
  id {id4 products} primary key,
  name text not null constraint products_name_key unique,
  maker_id {key} constraint products_maker_id_fkey references teams(id)
);
create table stock (
  product_id {key4} not null constraint stock_product_id_fkey references products(id),
  warehouse text not null,
  amount integer not null,
  constraint stock_pkey primary key (product_id, warehouse)
);
create table regions (
  id {id2 regions} primary key,
  name text not null,
  within {key2} constraint regions_within_fkey references regions(id)
);
create table measurements (
  id {id measurements} not null,
  user_id {key} not null constraint measurements_user_id_fkey references users(id),
  at date not null,
  value double precision not null,
  constraint measurements_pkey primary key (id, at, user_id)
) partition by range (at, user_id);
create table measurements_2025 partition of measurements
  for values from ('2025-01-01', minvalue) to ('2026-01-01', minvalue);
create table measurements_2026 partition of measurements
  for values from ('2026-01-01', minvalue) to ('2027-01-01', minvalue);
create table notes (
  id {id notes} primary key,
  author_id {key} not null constraint notes_author_id_fkey references users(id),
  body text not null
);
create table urgent_notes (
  until date not null
) inherits (notes);
-- An exclusion constraint on an id.
create table bookings (
  order_id {key} not null constraint bookings_order_id_fkey references orders(id),
  room text not null,
  constraint bookings_order_id_excl exclude (order_id with =)
);
-- A trigger that talks about the ids it sees.
create table tickets (
  id {id tickets} primary key,
  owner_id {key} not null constraint tickets_owner_id_fkey references users(id),
  title text not null
);
create function tickets_speak() returns trigger language plpgsql as $body$
begin
  if NEW.title = 'notice' then
    raise notice 'ticket % of %', NEW.id, NEW.owner_id;
  elsif NEW.title = 'detail' then
    raise notice 'a ticket came' using detail = 'Its id is ' || NEW.id, hint = 'Ask ' || NEW.owner_id;
  elsif NEW.title = 'error' then
    raise exception 'ticket % is not wanted by %', NEW.id, NEW.owner_id;
  elsif NEW.title = 'custom' then
    raise exception 'no ticket' using errcode = 'P0404', detail = 'It was ' || NEW.id, hint = 'Ask ' || NEW.owner_id;
  elsif NEW.title = 'notify' then
    perform pg_notify('tickets', 'ticket ' || NEW.id);
  elsif NEW.title = 'made' then
    perform pg_notify('ticket_made', NEW.id::text);
    perform pg_notify('Owner of a ticket', NEW.owner_id::text);
  elsif NEW.title = 'json' then
    perform pg_notify('ticket_json',
      json_build_object('id', NEW.id, 'owner', json_build_object('id', NEW.owner_id), 'n', 3)::text);
  end if;
  return NEW;
end $body$;
create trigger tickets_speak before insert or update on tickets
  for each row execute function tickets_speak();
-- Ids inside documents.
create table letters (
  id {id letters} primary key,
  body jsonb not null default '{}',
  raw json,
  constraint letters_body_check check (body ->> 'title' <> 'bad')
);
create table archived_letters (
  id {id archived_letters} primary key,
  body jsonb not null default '{}',
  raw json
);
create view letters_shown as select id, body, raw, body ->> 'title' as title, body -> 'user' as sender from letters;
create view letters_as_rows as select id, jsonb_build_object('letter', body, 'n', 1) as doc from letters;
-- Ids inside documents in columns of text, and keys that are numbers in documents.
create table memos (
  id {id memos} primary key,
  body text,
  short varchar(300)
);
create table parcels (
  id {id parcels} primary key,
  doc jsonb,
  holders jsonb not null default '[]',
  label text generated always as (upper(doc ->> 'label')) stored,
  depth text generated always as (((doc -> 'size') -> 'depth') ->> 'of') stored
);
-- Ids of several kinds in one column, by the column beside it: of Rails and Laravel, of Django, and
-- of PaperTrail and Django as text.
create table taggings (
  id {id taggings} primary key,
  tag_id {key} not null constraint taggings_tag_id_fkey references tags(id) on delete cascade,
  taggable_type varchar(60),
  taggable_id {key},
  context text not null default 'tags' constraint taggings_context_check check (context <> 'bad')
);
create index taggings_taggable_idx on taggings(taggable_type, taggable_id);
create table content_types (
  id integer constraint content_types_pkey primary key,
  model text not null
);
create table bookmarks (
  id {id bookmarks} primary key,
  content_type_id integer not null constraint bookmarks_content_type_id_fkey references content_types(id),
  object_id {key} not null,
  note text
);
create table versions (
  id {id versions} primary key,
  item_type text not null,
  item_id varchar not null,
  event text not null
);
create view order_taggings as select id, tag_id, taggable_id from taggings where taggable_type = 'Order';
create view all_taggings as select id, tag_id, taggable_type, taggable_id from taggings;
-- Nothing in this table is an id.
create table settings (
  name text constraint settings_pkey primary key,
  value text,
  weight integer not null default 0,
  number bigint
);
-- The same table name with a domain of its own in another schema.
create schema shop;
create table shop.users (
  id {id shop_users} constraint shop_users_pkey primary key,
  nick text not null
);
create table shop.carts (
  id {id carts} primary key,
  user_id {key} not null constraint carts_user_id_fkey references shop.users(id),
  items integer not null default 0
);
create view user_order_totals as
  select u.id as user_id, u.name, count(o.id) as order_count, coalesce(sum(o.total_cents), 0)::bigint as total_cents
  from users u left join orders o on o.user_id = u.id group by u.id, u.name;
create function user_email(uid {key}) returns text language sql stable as 'select email from users where id = uid';
create function newest_user() returns {key} language sql stable as 'select id from users order by id desc limit 1';
-- Functions by what is known of them: a body, the type of the result, a mark, a declaration.
create function orders_of(uid {key}, above bigint default 0) returns setof orders language sql stable
  as 'select * from orders where user_id = uid and total_cents >= above order by id';
create function spent(who {key}) returns table (user_id {key}, cents bigint) language sql stable
  as 'select user_id, sum(total_cents)::bigint from orders where user_id = who group by user_id';
create function known(ids {key}[]) returns setof {key} language sql stable
  begin atomic select id from users where id = any (ids) order by id; end;
create function order_for(uid {key}, what text) returns {key} language sql
  as 'insert into orders (user_id, note) values (uid, what) returning id';
create function rename_user(uid {key}, called text) returns void language sql
  as 'update users set name = called where id = uid';
create function move_items(source {key}, target {key}) returns setof order_items language sql as $body$
  update orders set note = 'moved' where id = source;
  update order_items set order_id = target where order_id = source returning *;
$body$;
create function leave_teams(ids {key}[], team {key}) returns bigint language sql begin atomic
  delete from memberships where user_id = any (ids) and team_id = team;
  select count(*) from memberships where team_id = team;
end;
create function join_team(ids {key}[], team {key}) returns setof memberships language sql as $body$
  insert into memberships (team_id, user_id) select team, * from unnest(ids) on conflict do nothing;
  select * from memberships where user_id = any (ids) order by user_id, team_id;
$body$;
create function log_rename(uid {key}, what text) returns void language sql as $body$
  update users set name = name where id = uid;
  insert into audit_log (table_name, record_id, actor_id, action)
    select 'users', (select id from orders where note = 'first'), uid, what;
$body$;
create function log_renames(ids {key}[], what text) returns void language sql begin atomic
  update users set name = name where id = any (ids);
  insert into audit_log (table_name, record_id, actor_id, action)
    select 'users', (select id from orders where note = 'first'), i, what from unnest(ids) i;
end;
create function log_other(uid {key}, what text) returns void language sql as $body$
  with x as (select id from users where id <> uid limit 1)
  insert into audit_log (table_name, record_id, actor_id, action)
    select 'users', (select id from orders where note = 'first'), uid, what from x;
$body$;
create function log_one(uid {key}, what text) returns void language sql as $body$
  insert into audit_log (table_name, record_id, actor_id, action)
    select 'users', (select id from orders where note = 'first'), uid, what;
$body$;
create function or_itself(uid {key}) returns {key} language sql stable
  as 'select coalesce((select id from users where id = uid), uid)';
create function or_themselves(ids {key}[]) returns setof {key} language sql stable
  as 'select unnest(ids) union select id from users where false';
create function log_itself(uid {key}, what text) returns void language sql
  as 'select log_one(or_itself(uid), what)';
create function whole_user(uid {key}) returns users language sql stable
  as 'select u from users u where id = uid';
create function log_by_code(uid {key}, what text) returns {key} language plpgsql as $body$
begin
  insert into audit_log (table_name, record_id, actor_id, action)
    values ('users', (select id from orders where note = 'first'), uid, what);
  return uid;
end $body$;
create function log_through(uid {key}, what text) returns {key} language plpgsql
  as 'begin return log_by_code(uid, what); end';
create function read_by_code(uid {key}) returns {key} language plpgsql
  as 'begin return (select id from users where id = uid); end';
create function letters_about(called text) returns setof letters language sql stable
  as 'select * from letters where body ->> ''title'' = called order by id';
create function bodies_about(called text) returns table (body jsonb, raw json) language sql stable
  as 'select body, raw from letters where body ->> ''title'' = called order by id';
create function itself(uid {key}) returns {key} language sql immutable return uid;
create function users_called(pattern text) returns setof users language plpgsql stable
  as 'begin return query select * from users where name like pattern order by id; end';
create function slug(t text) returns text language plpgsql immutable
  as 'begin return lower(replace(t, '' '', ''-'')); end';
create function sly() returns text language plpgsql immutable
  as 'begin return (select string_agg(id::text, '','') from users); end';
create function owner_of(o {key}) returns {key} language plpgsql stable
  as 'begin return (select user_id from orders where id = o); end';
create function bill(uid {key}, since date) returns table (order_id {key}, cents bigint) language plpgsql stable
  as 'begin return query select id, total_cents from orders where user_id = uid and placed_at >= since order by id; end';
create function either_user(a {key}, b {key}) returns {key} language plpgsql immutable
  as 'begin return coalesce(a, b); end';
create aggregate first_user({key}) (sfunc = either_user, stype = {key});
create function is_active(uid {key}) returns boolean language plpgsql stable
  as 'begin return (select u.is_active from users u where id = uid); end';
create function weight_over(above integer) returns boolean language plpgsql stable
  as 'begin return exists (select from settings where weight > above); end';
-- Views of every kind.
create view active_users as select id, name, email from users where is_active;
create view active_names as select id as uid, upper(name) as loud from active_users;
create view buyers as
  select o.id as order_id, u.id as user_id, user_email(u.id) as email, slug(u.name) as slug
  from orders o join users u on u.id = o.user_id;
create view newest as select newest_user() as id, itself(newest_user()) as again;
create view spenders as select u.name, s.* from users u, lateral spent(u.id) s;
create view barrier with (security_barrier) as select id, name from users where name <> 'Bob';
create materialized view order_counts as select user_id, count(*) as n from orders group by user_id;
create unique index order_counts_user_id on order_counts(user_id);
create view orders_by_user as select user_id, array_agg(id order by id) as order_ids from orders group by user_id;
create view neighbours as
  select id, lag(id) over (order by id) as before, first_value(id) over (order by id) as first from users;
create view owners as select id from users where is_active union select owner_id from teams where owner_id is not null;
create view chosen as
  select id, case when is_active then id end as active_id, coalesce(nullif(id, id), id) as same_id,
    (select max(o.id) from orders o where o.user_id = u.id) as last_order from users u;
create recursive view threads (id, root, depth) as
  select id, id, 1 from comments where parent_id is null
  union all select c.id, t.root, t.depth + 1 from comments c join threads t on c.parent_id = t.id;
create view with_text as select id, name, 'user ' || id as label from users;
create view with_row as select u as whole, u.id from users u;
create domain user_ref as {key};
create table domained (
  owner user_ref not null constraint domained_owner_fkey references users(id),
  n integer not null,
  twice integer generated always as (n * 2) stored,
  again {key} generated always as (owner) stored
);
create view domain_view as select owner, twice from domained;
-- A check, a policy, an index of an expression and a trigger with WHEN, each over a key.
create table guarded (
  owner {key} not null constraint guarded_owner_fkey references users(id),
  kind text,
  amount numeric,
  constraint guarded_owner_check check (owner::text <> 'nobody')
);
create index guarded_owner_text on guarded ((owner::text));
alter table guarded enable row level security;
create policy guarded_owner on guarded using (owner is not null);
create function guarded_written() returns trigger language plpgsql as 'begin return NEW; end';
create trigger guarded_written before insert or update on guarded
  for each row when (NEW.owner is not null) execute function guarded_written();
create table inbox (user_id {key} not null constraint inbox_user_id_fkey references users(id), body text);
-- What has keys in its definition is made with the rows.
create table desks (
  owner_id {key} not null constraint desks_owner_id_fkey references users(id),
  number integer not null
);
alter table desks enable row level security;
alter table desks force row level security;
create table drawers (n integer not null, owner bigint);  -- not annotated
alter table drawers enable row level security;
alter table drawers force row level security;
create view outbox as select user_id, body from inbox;
create rule outbox_insert as on insert to outbox do instead
  insert into inbox values (new.user_id, new.body) returning inbox.user_id, inbox.body;
-- Views that can be written to.
create view recent_orders as
  select id, user_id as buyer, status as state, total_cents as cents from orders where placed_at > '2026-01-01';
create view orders_again as select o.buyer as who, o.state as how, o.id from recent_orders o where o.state <> 'hidden';
create view inactive as select id, name, email, is_active from users where not is_active with check option;
create view calm_notes as select id, author_id as writer, body from notes where body like 'calm%' with check option;
create view plain_notes as select id, author_id, body from notes where body not like 'X%';
create view loud_notes as select id, author_id, body from plain_notes where body like '%!';
create view cascaded_notes as select * from loud_notes with cascaded check option;
create view local_notes as select * from loud_notes where body <> 'no!' with local check option;
create view notes_of_known as
  select id, author_id, body from notes where author_id in (select id from users where is_active and name <> 'Dee')
  with local check option;
create view tag_names as select id, name as label from tags;
create view meetings as select id, kind, participant_ids as who, actor_id as actor from events;
create rule outbox_update as on update to outbox do instead
  update inbox set body = new.body where user_id = old.user_id returning inbox.*;
create rule outbox_delete as on delete to outbox do instead
  delete from inbox where user_id = old.user_id and body = old.body returning inbox.user_id, inbox.body;
create table watched (
  owner_id {key} not null constraint watched_owner_id_fkey references users(id),
  label text not null
);
create rule watched_insert as on insert to watched where new.label = 'loud' do also
  insert into inbox values (new.owner_id, 'see ' || new.label);
create rule watched_update as on update to watched do also
  (insert into inbox values (old.owner_id, old.label); update users set login_count = login_count + 1 where id = new.owner_id);
create rule watched_delete as on delete to watched do instead update watched set label = 'gone' where owner_id = old.owner_id returning watched.*;
create table sly_rows (owner_id {key} references users(id), n bigint);
create view sly_box as select owner_id, n from sly_rows;
create rule sly_insert as on insert to sly_box do instead
  insert into sly_rows values (new.owner_id, new.n) returning owner_id, n + hashtext(owner_id::text);
create rule sly_update as on update to sly_box do instead
  update sly_rows set n = 1 where n = old.n and n <> 3 returning owner_id, owner_id::text::bigint;
create table loose (n bigint);
create rule loose_insert as on insert to loose do instead
  insert into sly_rows select id, 5 from users where name = 'none' returning owner_id::text::bigint;
create rule sly_delete as on delete to sly_box do instead (delete from sly_rows where n = old.n; select max(id) from users);
create table kept_desks (owner_id {key} not null references users(id), number integer not null);
create view desk_view as select owner_id as owner, number from kept_desks;
create function desk_written() returns trigger language plpgsql as $body$
begin
  if TG_OP = 'DELETE' then
    delete from kept_desks where owner_id = OLD.owner and number = OLD.number;
    return OLD;
  elsif TG_OP = 'UPDATE' then
    update kept_desks set owner_id = NEW.owner, number = NEW.number where owner_id = OLD.owner and number = OLD.number;
  elsif NEW.number = 666 then
    raise exception 'no such desk for %', NEW.owner;
  else
    insert into kept_desks values (NEW.owner, NEW.number);
  end if;
  return NEW;
end $body$;
create trigger desk_written instead of insert or update or delete on desk_view
  for each row execute function desk_written();
