Names that are keywords elsewhere, and settings changed in front of what they are for.

-- case: a column is called into
select 1 as into, id from users where email = 'ann@example.test';
select (x).into, x.id from (select 2 as into, id from users where email = 'bob@example.test') x;
select 1 as union, id as where, 2 as limit from users where email = 'ann@example.test';
-- script
copy (select 1 as into, id, participant_ids from events order by id) to stdout

-- case: a block that sets the search path
do $$ begin perform set_config('search_path', 'shop, public', true); end $$;
select u.id, c.id from users u join carts c on c.user_id = u.id order by c.id;

-- case: the encoding is set in front of a statement
-- script
set local client_encoding = 'UTF8'; select id from users where email = 'ann@example.test'

-- case: a text beyond ASCII behind a change of the encoding
set local client_encoding = 'UTF8';
select 'é\', id from users where email = 'ann@example.test';

-- case: a column is called table
select id as table, name as "select" from users order by id;
select x.table, count(*) as table from (select id as table from users) x group by x.table order by x.table;
create temp table if not exists labelled as table users;
with t as (table users) select count(*) as table from t;
