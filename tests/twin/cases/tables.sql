Narrow keys, partitions, inheritance, schemas, temporary tables and DDL.

-- case: keys of four bytes
-- with: :products.pen
select id, name, maker_id from products where id = $1;
select p.id, s.product_id, s.amount from products p join stock s on s.product_id = p.id order by p.id, s.warehouse;
-- with: {:products.pen,:products.ink}
select array_agg(id order by id) from products where id = any($1);
insert into products (name, maker_id) values ('cap', ':teams.red') on conflict (name) do nothing returning id, maker_id;

-- case: unknown ids for keys of four bytes
-- with: :fixed.unknown
select id from products where id = $1;
-- with: :fixed.nil
select id from products where id > $1 order by id;
-- with: :fixed.max
select id from products where id < $1 order by id;
-- with: :users.ann
select id from products where id = $1;
-- with: :fixed.unknown
-- fails: 23503
-- early
insert into stock (product_id, warehouse, amount) values ($1, 'east', 1);

-- case: keys of two bytes
-- with: :regions.isle
select id, name, within from regions where id = $1;
select r.id, w.id from regions r left join regions w on w.id = r.within order by r.id;
-- with: :fixed.unknown8
select id from regions where id <> $1 order by id;
select max(id), array_agg(within order by within) from regions;

-- case: two widths of keys in one row
select p.id, p.maker_id, t.owner_id, s.amount from stock s join products p on p.id = s.product_id join teams t on t.id = p.maker_id order by p.id, s.warehouse;

-- case: a partitioned table
-- with: :users.ann
select id, user_id, at, value from measurements where user_id = $1 order by id;
select id from measurements where id = ':measurements.new';
insert into measurements (user_id, at, value) values (':users.cai', '2026-07-01', 9) returning id, user_id;

-- case: a partition by its own name
select id, user_id from measurements_2025 order by id;
select m.* from measurements_2026 m where m.id = ':measurements.other';

-- case: an inherited table
select id, author_id, body from notes order by id;
select id, author_id, until from urgent_notes order by id;
select id from only notes order by id;
-- with: :users.bob
select n.id, u.id from urgent_notes n join users u on u.id = n.author_id where u.id = $1;

-- case: the same name in two schemas
select id from shop.users order by id;
select id from public.users order by id;
-- with: :shop_users.zoe
select c.id, u.id, u.nick from shop.carts c join shop.users u on u.id = c.user_id where u.id = $1;

-- case: the search path decides
select id from users order by id limit 1;
set local search_path = shop, public;
select id, nick from users order by id;
-- with: :shop_users.yan
select id from users where id = $1;
select o.id from orders o order by o.id limit 1;
set local search_path = public;
-- with: :users.ann
select id, email from users where id = $1;

-- case: a savepoint restores the search path
savepoint before;
set local search_path = shop;
select id from users order by id;
rollback to before;
select id, name from users order by id;

-- case: set_config changes the search path
-- modes: simple text
select set_config('search_path', 'shop', true);
select id, nick from users order by id;

-- case: the search path of a session ends with its transaction
-- autocommit
begin;
set search_path = shop;
select id from users order by id;
rollback;
select id, name from users order by id;

-- case: quoted schema names
select "shop"."users"."id" from "shop"."users" order by 1;

-- case: a temporary table without ids
-- modes: simple text declared binary
create temp table scratch (n integer, t text) on commit drop;
insert into scratch values (1, 'a'), (2, 'b');
select s.n, u.id from scratch s join users u on u.login_count = s.n + 1 order by s.n;
drop table scratch;

-- case: a table made and dropped
-- modes: simple text
create table passing (n integer);
insert into passing values (1);
select * from passing;
alter table passing add column m text;
select * from passing;
drop table passing;

-- case: a new table with a foreign key inherits the domain
-- autocommit
-- modes: simple text
create table favourites as select 1 as n where false;
alter table favourites add column note text;
select * from favourites;
drop table favourites;

-- case: tables without ids are left alone
-- with: 'size'
select * from settings where name = $1;
-- with: 'new', 'value', 3, 12
insert into settings values ($1, $2, $3, $4) on conflict (name) do update set value = excluded.value returning *;
update settings set weight = weight + 1, number = number * 2 where number is not null;
select md5(value), length(value), number % 7, number::text || '!' from settings order by name;
delete from settings where weight > 100;

-- case: statements without tables
select 1 as one, 'two' as two, 3.5, now() is not null, null;
select generate_series(1, 3) as n;
select current_database() is not null as named, version() like 'PostgreSQL%';
show standard_conforming_strings;
set local statement_timeout = 10000;
values (1, 'a'), (2, 'b');

-- case: bigint constants that look like keys of nobody
select 9007199254740993 as n, 9007199254740993::text, array[1, 2]::bigint[];

-- case: the catalogs of the system
select relname from pg_class where relname = 'users' and relnamespace = 'public'::regnamespace;
select count(*) from pg_catalog.pg_tables where schemaname = 'shop';
select table_name from information_schema.tables where table_schema = 'shop' order by 1;
select typname, oid from pg_type where oid in (20, 2950) order by oid;
