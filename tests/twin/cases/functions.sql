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

-- case: a function that writes takes and gives ids
select order_for(':users.bob', 'by a function') is not null as made;
select user_id, note from orders where note = 'by a function';
select o.user_id, o.note from orders o join (select order_for(':users.ann', 'joined') as id) made on made.id <> o.id where o.note = 'by a function';
-- with: :users.cai, by a parameter
select user_id from orders where id = order_for($1, $2) or note = $2;
select rename_user(':users.ann', 'Anna');
-- with: :users.bob, Robert
select rename_user($1, $2);
select id, name from users where name in ('Anna', 'Robert') order by name;
select * from move_items(':orders.one', ':orders.two') order by id;
select id, note from orders where note = 'moved';
select order_id, count(*) from order_items group by order_id order by order_id;
select leave_teams(array[':users.ann', ':users.bob']::uuid[], ':teams.red');
-- with: {:users.ann,:users.bob}, :teams.red
select team_id, user_id from join_team($1, $2);
select team_id, user_id, role from join_team(array[':users.cai']::uuid[], ':teams.red') order by team_id;
select rename_user(id, upper(name)) from users;
select order_for(user_id, 'again') is not null from orders where note = 'moved';

-- case: a function that writes takes no number for an id
-- fails: 42883
select rename_user(login_count, name) from users;
-- fails: 42883
select order_for(5, 'x');
-- fails: 22P02
select rename_user('5', 'x');
-- fails: 22P02
select leave_teams('{5}', ':teams.red');
select count(*) from users where name = 'x';

-- case: a function that writes stores no id that was not issued
-- fails: 23503
-- early
-- except: context
select order_for(':fixed.unknown', 'x');
-- with: :fixed.unknown
-- fails: 23503
-- early
-- except: context
select order_for($1, 'x');
-- with: :orders.one
-- fails: 23503
-- early
-- except: context
select order_for($1, 'x');
-- with: {:orders.one}, :teams.red
-- fails: 23503
-- early
-- except: context
select * from join_team($1, $2);
select rename_user(':fixed.unknown', 'x');
select count(*) from orders where note = 'x';

-- case: a function that compares and stores, or is declared and may store, takes no id that was not issued
select log_rename(':users.ann', 'x'), log_other(':users.ann', 'x'), log_one(':users.ann', 'x');
select log_renames(array[':users.ann', ':users.bob']::uuid[], 'x');
select actor_id, action from audit_log where action = 'x' order by actor_id;
-- refused: 22023
select log_rename(':fixed.unknown', 'y');
-- with: :fixed.unknown, y
-- refused: 22023
select log_rename($1, $2);
-- refused: 22023
select log_renames(array[':fixed.unknown']::uuid[], 'y');
-- refused: 22023
select log_other(':fixed.unknown', 'y');
-- refused: 22023
select log_one(':fixed.unknown', 'y');
-- refused: 22023
select log_one(coalesce(':fixed.unknown', id), 'y') from users limit 1;
-- refused: 22023
select log_one(case when true then ':fixed.unknown' else id end, 'y') from users limit 1;
-- refused: 22023
select log_one(or_itself(':fixed.unknown'), 'y');
-- refused: 22023
select log_itself(':fixed.unknown', 'y');
-- refused: 22023
select log_one(i, 'y') from or_themselves(array[':fixed.unknown']::uuid[]) i;
-- with: :fixed.unknown
-- refused: 22023
select log_one(or_itself(or_itself($1)), 'y');
-- refused: 22023
insert into audit_log (table_name, record_id, actor_id, action) select 'x', ':orders.one', or_itself(':fixed.unknown'), 'y';
-- refused: 22023
insert into audit_log (table_name, record_id, actor_id, action) with x as (select or_itself(':fixed.unknown') v) select 'x', ':orders.one', v, 'y' from x;
select log_itself(':users.ann', 'z'), log_one(or_itself(':users.bob'), 'z');
select actor_id from audit_log where action = 'z' order by actor_id;
select * from whole_user(':users.ann');
select (whole_user(':users.ann')).id;
-- refused: 22023
select log_one(k, 'y') from users u right join (select ':fixed.unknown'::uuid k) x on u.id = x.k;
select log_by_code(':users.ann', 'w'), log_through(':users.bob', 'w');
-- refused: 22023
select log_by_code(':fixed.unknown', 'v');
-- with: :fixed.unknown
-- refused: 22023
select log_through($1, 'v');
-- refused: 22023
select log_by_code(read_by_code(':fixed.unknown'), 'v');
-- refused: 22023
select log_one(log_by_code(':fixed.unknown', 'v'), 'v');
select read_by_code(':fixed.unknown') is null as nobody, read_by_code(':users.ann') = ':users.ann' as somebody;
select actor_id, action from audit_log where action in ('v', 'w') order by actor_id;

-- case: a function in SQL that returns documents
select id, body, raw from letters_about((select body ->> 'title' from letters order by id limit 1));
select body -> 'user' ->> 'id' as who, body -> 'to' from letters_about((select body ->> 'title' from letters order by id limit 1));
select * from bodies_about((select body ->> 'title' from letters order by id limit 1));
select l from letters_about((select body ->> 'title' from letters order by id limit 1)) l;

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
