Functions of the user: with a body, with rows of a table, declared, and without ids.

-- case: a function with a body takes and gives ids
select user_email(':users.ann');
select user_email(id), id from users order by id;
-- with: :users.bob
select user_email($1);
select user_email(uid => ':users.bob');
select user_email('00000000-0000-0000-0000-000000000000');
select newest_user();
select newest_user() <> ':users.ann' as other;
select name from users where id = newest_user();
select n, u.name from newest_user() n join users u on u.id = n;
select * from newest_user();
select itself(id) from users order by id;
select count(*) from users where id in (select itself(user_id) from orders);

-- case: a function with a body takes no number for an id
-- fails: 42883
select user_email(login_count) from users;
-- fails: 42883
select user_email(5);
-- fails: 22P02
select user_email('5');

-- case: a function with a body returns rows
select * from orders_of(':users.ann');
select id, total_cents from orders_of(':users.ann', 100) o where o.id <> ':orders.one';
-- with: :users.ann, 0
select o.id, o.user_id from orders_of($1, $2) o;
select o.id, u.name from users u, lateral orders_of(u.id) o order by o.id;
select * from spent(':users.ann');
select s.user_id, s.cents + 1 as more from users u, lateral spent(u.id) s order by s.user_id;
select * from known(array[':users.ann', ':users.bob']::uuid[]) k;
-- with: {:users.ann}
select * from known($1) with ordinality;
select known(array_agg(id)) from users;

-- case: a function that returns rows of a table
select * from users_called('A%');
select id, name from users_called('%') where id = ':users.ann';
select count(*) from orders where user_id in (select id from users_called('%'));

-- case: a declared function
select owner_of(':orders.one');
-- with: :orders.one
select name from users where id = owner_of($1);
select owner_of(id), user_id from orders order by id;
select * from bill(':users.ann', '2000-01-01');
-- with: :users.ann, 2000-01-01
select order_id, cents from bill($1, $2);
select b.order_id from users u, lateral bill(u.id, '2000-01-01') b order by b.order_id;
-- fails: 42883
select owner_of(5);

-- case: functions that take and give no ids
select slug(name), id from users order by id;
select weight_over(3), id from users order by id;
select name from settings where slug(name) <> 'x' order by name;

-- case: what nothing tells to be an id passes as it is
-- note: inside the database they take a bigint, and no body or declaration says which.
-- refused: 0A000
select is_active(':users.ann');
-- refused: 22P02
select itself(':users.ann');
