Errors and notices of Postgres that quote ids, and transactions that fail.

-- case: a foreign key that does not exist
-- with: :fixed.unknown
-- fails: 23503
-- early
insert into orders (user_id, status) values ($1, 'new');
-- fails: 23503
-- early
insert into orders (user_id, status) values (':fixed.unknown8', 'new');

-- case: a foreign key with an id of another domain
-- with: :orders.one
-- fails: 23503
-- early
insert into orders (user_id, status) values ($1, 'new');

-- case: a foreign key with a forged id
-- with: :users.ann/forged
-- fails: 23503
-- early
insert into orders (user_id, status) values ($1, 'new');

-- case: a foreign key with the nil uuid
-- with: :fixed.nil
-- fails: 23503
-- early
insert into orders (user_id, status) values ($1, 'new');

-- case: a foreign key with an id that was deleted
-- with: :users.dee
delete from users where id = $1;
-- with: :users.dee
-- fails: 23503
insert into orders (user_id, status) values ($1, 'new');

-- case: an update of a foreign key to nothing
-- with: :fixed.unknown, :orders.one
-- fails: 23503
-- early
update orders set user_id = $1 where id = $2;

-- case: a composite foreign key that does not exist
-- with: :teams.grey, :users.ann
-- fails: 23503
insert into seats (team_id, user_id, number) values ($1, $2, 9);

-- case: a row that is still referenced
-- fails: 23503
delete from orders where id = ':orders.one';
-- fails: 23503
delete from products where id = ':products.pen';

-- case: a row that is still referenced by a chain of keys
-- fails: 23503
delete from invoices where order_id = ':orders.one';

-- case: a duplicate primary key
-- with: :tags.gift
-- fails: 23505
insert into tags (id, name) values ($1, 'other');

-- case: a duplicate composite key
-- with: :teams.red, :users.bob
-- fails: 23505
insert into memberships (team_id, user_id) values ($1, $2);

-- case: a duplicate key of an id and a text
-- with: :orders.one
-- fails: 23505
insert into order_items (order_id, sku) values ($1, 'apple');

-- case: a duplicate key of an id and a text with commas and brackets
-- modes: simple text declared binary
-- with: :orders.two
insert into order_items (order_id, sku) values ($1, 'a, b)=(c');
-- with: :orders.two
-- fails: 23505
-- except: detail
insert into order_items (order_id, sku) values ($1, 'a, b)=(c');

-- case: a duplicate key without an id
-- fails: 23505
insert into users (email, name) values ('ann@example.test', 'Second');
-- fails: 23505
insert into settings (name) values ('colour');

-- case: a duplicate key by an update
-- with: :teams.blue, :users.cai
-- fails: 23505
update memberships set user_id = ':users.bob' where team_id = $1 and user_id = $2;

-- case: an exclusion constraint
-- with: :orders.one
-- fails: 23P01
insert into bookings (order_id, room) values ($1, 'red room');

-- case: a check constraint shows the failing row
-- with: :orders.one
-- fails: 23514
update orders set total_cents = -1 where id = $1;

-- case: a not-null constraint shows the failing row
-- with: :orders.one
-- fails: 23502
update orders set user_id = null where id = $1;
-- fails: 23502
update users set email = null where id = ':users.cai';

-- case: a failing row with an array of ids
-- fails: 23502
update events set kind = null where id = ':events.left';

-- case: a failing row with an array that Postgres cuts off
-- fails: 23502
-- except: detail
update events set kind = null where id = ':events.met';

-- case: a failing row without ids
-- fails: 23502
update settings set weight = null where name = 'size';

-- case: no partition for a row
-- with: :users.ann
-- fails: 23514
insert into measurements (user_id, at, value) values ($1, '2031-01-01', 1);

-- case: errors that quote no id
-- fails: 22012
select id, 1 / (login_count - login_count) from users;
-- fails: 42703
select id, nothing from users;
-- fails: 42P01
select id from nowhere;
-- fails: 42601
-- except: detail
select id from users wheres id = 1 2;
-- fails: 22P02
select id from users where login_count = 'many';

-- case: the position of an error after an id
-- fails: 42703
select id from users where id = ':users.ann'::uuid and nothing = 1;
-- fails: 42703
select 'é', id from users where id = ':users.ann' and id in (':users.bob'::uuid) and 'ü' = nothing;

-- case: an ambiguous column
-- fails: 42702
select id from users u join orders o on o.user_id = u.id;

-- case: a subquery with more than one row
-- fails: 21000
select (select id from users) from orders;

-- case: a trigger's notice quotes ids
-- with: :users.ann
-- masked
insert into tickets (owner_id, title) values ($1, 'notice') returning owner_id;

-- case: a trigger's notice quotes ids in its detail
-- with: :users.ann
-- masked
insert into tickets (owner_id, title) values ($1, 'detail') returning owner_id;

-- case: a trigger's error quotes ids
-- with: :users.ann
-- fails: P0001
-- masked
insert into tickets (owner_id, title) values ($1, 'error');

-- case: a trigger's error with an SQLSTATE of its own
-- fails: P0404
-- masked
update tickets set title = 'custom' where id = ':tickets.first';

-- case: a failed transaction answers nothing but errors
-- autocommit
begin;
-- fails: 23505
insert into tags (id, name) values (':tags.gift', 'other');
-- with: :users.ann
-- fails: 25P02
select id from users where id = $1;
-- fails: 25P02
select id from users where id = ':users.ann';
rollback;
-- with: :users.ann
select id from users where id = $1;

-- case: a savepoint brings a failed transaction back
-- with: :users.ann
select id from users where id = $1;
savepoint s;
-- fails: 22P02
select id from users where id = 'x';
rollback to s;
-- with: :users.bob
select id from users where id = $1;
release s;

-- case: a commit keeps what was written
-- autocommit
-- modes: simple text
begin;
insert into tags (name) values ('kept');
commit;
select count(*) from tags where name = 'kept';

-- case: a commit of a failed transaction rolls back
-- autocommit
-- modes: simple text
begin;
insert into tags (name) values ('lost');
-- fails: 22P02
select id from tags where id = 'x';
commit;
select count(*) from tags where name = 'lost';

-- case: an error outside a transaction leaves the session idle
-- autocommit
-- fails: 23503
-- early
-- with: :fixed.unknown
insert into orders (user_id, status) values ($1, 'new');
-- with: :users.ann
select id from users where id = $1;

-- case: more arguments than a call can have
-- fails: 54023
select json_build_array(u, u, u, u, u, u, u, u, u, u, u, u, u, u, u, u, u, u, u, u, u, u, u, u, u, u, u, u, u, u, u, u, u, u, u, u, u, u, u, u, u, u, u, u, u, u, u, u, u, u, u, u, u, u, u, u, u, u, u, u, u, u, u, u, u, u, u, u, u, u, u, u, u, u, u, u, u, u, u, u, u, u, u, u, u, u, u, u, u, u, u, u, u, u, u, u, u, u, u, u, u) from users u;
-- fails: 54023
select * from json_build_array(1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1) t, users limit 1;
select json_array_length(json_build_array(1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1)) from users limit 1;

-- case: more values than a call can have where nothing is called
select coalesce(1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1), greatest(1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1) from users limit 1;
select count(*) from unnest(array[1], array[1], array[1], array[1], array[1], array[1], array[1], array[1], array[1], array[1], array[1], array[1], array[1], array[1], array[1], array[1], array[1], array[1], array[1], array[1], array[1], array[1], array[1], array[1], array[1], array[1], array[1], array[1], array[1], array[1], array[1], array[1], array[1], array[1], array[1], array[1], array[1], array[1], array[1], array[1], array[1], array[1], array[1], array[1], array[1], array[1], array[1], array[1], array[1], array[1], array[1], array[1], array[1], array[1], array[1], array[1], array[1], array[1], array[1], array[1], array[1], array[1], array[1], array[1], array[1], array[1], array[1], array[1], array[1], array[1], array[1], array[1], array[1], array[1], array[1], array[1], array[1], array[1], array[1], array[1], array[1], array[1], array[1], array[1], array[1], array[1], array[1], array[1], array[1], array[1], array[1], array[1], array[1], array[1], array[1], array[1], array[1], array[1], array[1], array[1], array[1]) t, users;

-- case: two FROM items of one name
-- fails: 42712
-- early
select 1 from users join users on true;
-- fails: 42712
-- early
select 1 from users u, (orders cross join teams u);
-- fails: 42712
-- early
select 1 from generate_series(1, 2), generate_series(1, 3);
-- fails: 42712
-- early
with a as (select 1 as x) select 1 from a natural join a;
-- fails: 42712
-- early
select 1 from (users a join orders b on true) j, teams j;
-- fails: 42712
-- early
update users set name = 'x' from orders, users where false;
-- fails: 42712
-- early
delete from users u using teams u where false;
-- fails: 42712
-- early
select 1 from (memberships m join seats s using (team_id, user_id) as j) cross join teams j;

-- case: FROM items whose names are not one
select u.id, j.first from users u join (users x join teams u on x.id = u.owner_id) j (first) on j.first = u.id order by 1, 2;
select count(*) from users u where exists (select from orders u where u.user_id is null);
select count(*) from users join shop.users on true;

-- case: a value of another type is pointed at among those that one is chosen of
-- fails: 42804
select least(id, 5) from users;
-- fails: 42804
select name, coalesce(id, id, true) from users;
-- fails: 42804
select greatest(5, login_count, id) from users where coalesce(name, email) <> '';
