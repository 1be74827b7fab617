Views of every kind, generated columns, domains, and temporary tables in front of others.

-- case: a view on a view
select uid, loud from active_names order by uid;
-- with: :users.ann
select loud from active_names where uid = $1;
select a.uid, o.id from active_names a join orders o on o.user_id = a.uid order by o.id;

-- case: a view that calls functions
select * from buyers order by order_id;
-- with: :users.ann
select order_id, email, slug from buyers where user_id = $1 order by order_id;
select * from newest;
select name from users where id = (select again from newest);
select * from spenders order by user_id;

-- case: a view with a security barrier
select * from barrier order by id;
select name from barrier where id = ':users.ann';

-- case: a materialized view
-- with: :users.ann
select n from order_counts where user_id = $1;
select * from order_counts order by user_id;
select u.name, c.n from users u left join order_counts c on c.user_id = u.id order by u.id;
refresh materialized view order_counts;

-- case: a view of arrays of ids
select * from orders_by_user order by user_id;
select user_id from orders_by_user where ':orders.one' = any (order_ids);
select o.user_id, x from orders_by_user o, unnest(order_ids) x order by x;

-- case: views with windows, unions, branches and recursion
select * from neighbours order by id;
select * from owners order by id;
select * from chosen order by id;
select * from threads order by id;
-- with: :users.ann
select count(*) from owners where id = $1;

-- case: a view that can be written to
-- modes: simple text binary
insert into active_users (name, email) values ('Vera', 'vera@example.test') returning id, name;
update active_users set name = 'Ann B' where id = ':users.ann' returning id, name;
delete from active_users where name = 'Vera' returning id;

-- case: a view with a rule
insert into outbox values (':users.ann', 'hello') returning user_id, body;
select * from outbox;
select * from inbox where user_id = ':users.ann';

-- case: a generated column and a domain
insert into domained (owner, n) values (':users.ann', 2) returning owner, twice;
insert into domained (owner, n) values (':users.bob', 3) returning owner, n, twice;
select owner, twice from domained order by n;
select * from domain_view where owner = ':users.bob';
update domained set owner = ':users.bob' where owner = ':users.ann' returning twice;

-- case: a temporary table in front of an annotated one
-- modes: simple text
create temp table users (number bigint, note text);
insert into users values (1, 'mine') returning number + 1;
select number + 1 as more, note from users;
select id, name from public.users where id = ':users.ann';
drop table users;
select name from users where id = ':users.ann';

-- case: a temporary view in front of an annotated table
-- modes: simple text
create temp view orders as select id as user_id, name from public.users;
select user_id, name from orders order by user_id;
select id from public.orders order by id;
drop view orders;
select id from orders order by id;

-- case: a temporary table in front of a view
-- modes: simple text
create temp table barrier (id integer, name text);
insert into barrier values (7, 'x');
select id + 1 as more from barrier;
drop table barrier;
select id from barrier order by id;

-- case: a column of a view that the analysis cannot explain hides no other
select id, name from with_text order by id;
-- with: :users.ann
select name from with_text where id = $1;
-- refused: 0A000
select label from with_text;
-- refused: 0A000
select * from with_text;
-- refused: 0A000
select id from with_text order by length(label);

-- case: a view of whole rows
select id from with_row;

-- case: a whole row of a view
-- note: its definition is written out as u.*::users, which is not followed
-- refused: 0A000
select whole from with_row;
