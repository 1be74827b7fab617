What uuid refuses too, what uuid allows but cannot be done on the wire, and for each of these its
nearest neighbour that is allowed.

-- case: arithmetic on an id
-- fails: 42883
-- except: hint
select id + 1 from users;
-- fails: 42883
-- except: hint
select -id from users;
-- fails: 42883
-- except: hint
select id % 2 from users order by 1;
-- fails: 42883
-- except: hint
select name from users where id * 2 > login_count;
select login_count + 1 from users order by id;

-- case: aggregates that uuid does not have
-- fails: 42883
-- except: hint
select sum(id) from users;
-- fails: 42883
-- except: hint
select avg(user_id) from orders;
-- fails: 42883
-- except: hint
select bit_and(id) from users;
select sum(login_count), count(id) from users;

-- case: casts that uuid does not have
-- fails: 42846
-- except: hint
select id::bigint from users;
-- fails: 42846
-- except: hint
select cast(id as numeric) from users;
-- fails: 42846
-- except: hint
select id::int from users;
select id::uuid, login_count::numeric from users order by id;

-- case: functions of numbers that uuid does not have
-- fails: 42883
-- except: hint
select abs(id) from users;
-- fails: 42883
-- except: hint
select to_char(id, '999') from users;
-- fails: 42883
-- except: hint
select to_hex(id) from users;
-- fails: 42883
-- except: hint
select generate_series(1, id) from users;
select abs(login_count), to_char(login_count, '999'), to_hex(login_count) from users order by id;

-- case: an id compared with a number
-- fails: 42883
-- except: hint
select name from users where id = login_count;
-- fails: 42883
-- except: hint
select u.name from users u join orders o on o.total_cents = u.id;
select u.name from users u join orders o on o.total_cents = u.login_count;

-- case: like on an id
-- fails: 42883
-- except: hint
select name from users where id like '0%';
-- fails: 42883
-- except: hint
select name from users where id ~ '^0';
-- refused: 0A000
select name from users where id::text like '0%';
-- refused: 0A000
select name from users where id::text ~ '^0';
select id from users where name like 'A%';

-- case: a hash of an id
-- refused: 0A000
select md5(id::text) from users;
-- refused: 0A000
select hashtext(id::text) from users;
-- refused: 0A000
select encode(sha256(id::text::bytea), 'hex') from users;
select id, md5(email), hashtext(email) from users order by id;

-- case: parts of an id
-- refused: 0A000
select left(id::text, 4) from users;
-- refused: 0A000
select substring(id::text from 1 for 3) from users;
-- refused: 0A000
select replace(id::text, '-', '') from users;
-- refused: 0A000
select upper(id::text) from users;
-- refused: 0A000
select name from users where length(id::text) = 3;
select id, left(name, 1), replace(email, '@', ' at ') from users order by id;

-- case: text built from an id that is not carried as it is
-- refused: 0A000
select format('user %I', id) from users;
-- refused: 0A000
select format('user %40s', id) from users;
select quote_literal(id) from users;
-- refused: 0A000
select upper('user-' || id) from users;
-- refused: 0A000
select name from users where 'user-' || id like 'user-%';
-- refused: 0A000
select max('user-' || id) from users;
-- refused: 0A000
select greatest('user-' || id, 'v') from users;
-- refused: 0A000
select length(concat(id)) from users;
-- refused: 0A000
insert into tags (name) select 'user-' || id from users;
-- refused: 0A000
update users set name = concat(id, '-', name);
select id, 'user-' || name, concat(name, 1), format('%s', email) from users order by id;

-- case: text built from an id beside a constant
select name from users where 'user-' || id = 'user-1';
select nullif('user-' || id, 'v') from users;

-- case: json built from an id that is not carried as it is
-- with: :users.ann
-- refused: 0A000
select json_object_agg(id, name) -> $1 from users;
select jsonb_array_elements_text(jsonb_agg(id)) from users;
-- refused: 0A000
select md5(row_to_json(u)::text) from users u;
-- refused: 0A000
select name from users u where to_jsonb(u) @> '{"name": "Ann"}';
select jsonb_array_elements(jsonb_agg(u)) from users u;
select name from users u where to_jsonb(u) ->> 'id' = 'x';
select id, json_build_object('name', name), to_jsonb(email) from users order by id;
-- refused: 22023
update letters set body = body || '[]' where id = ':letters.one';
-- refused: 22023
update letters set body = '5' || body;
-- refused: 22023
select body || 'null'::jsonb from letters;
-- refused: 22023
update letters set body = coalesce(nullif(body, '{}'), '[]') || '{"a": 1}';
-- refused: 22023
update letters set raw = (raw::jsonb || '"x"')::json;
-- refused: 22023
update letters set body = jsonb_set(body, '{to}', (body -> 'to') || '{}') where id = ':letters.one';
-- with: '[]'
-- early
-- refused: 22023
update letters set body = body || $1;
select id, body, raw from letters order by id;

-- case: xml and other representations of a table
-- refused: 0A000
select query_to_xml('select id from users', true, true, '');
-- refused: 0A000
select table_to_xml('users', true, true, '');
-- refused: 0A000
select ts_stat from ts_stat('select id::text::tsvector from users');

-- case: a whole row
select (u)::text from users u;
-- refused: 0A000
select count(u.*) filter (where u::text like '%1') from users u;
select s from settings s where s.name = 'empty';

-- case: sizes, types and hidden columns
-- refused: 0A000
select pg_column_size(id) from users;
-- refused: 0A000
select ctid from users;
-- refused: 0A000
select xmin from users;
select ctid is not null from settings;

-- case: ids of two domains are compared
-- with: 12345678-1234-4234-8234-123456789abc
-- refused: 22023
select greatest(id, $1) from users where name = 'nobody';
-- refused: 0A000
select u.name from users u join orders o on o.id = u.id;
-- refused: 0A000
select id from orders where id in (select user_id from orders);
select o.id, o.user_id from orders o order by o.id;

-- case: ids of two domains in one place
select id from users union select id from orders;
select coalesce(o.id, o.user_id) from orders o;
select case when o.status = 'new' then o.id else o.user_id end from orders o;
select array[o.id, o.user_id] from orders o;

-- case: an id and a real uuid are compared
-- refused: 0A000
select id from users where auth_subject = id;
-- refused: 0A000
select id from users where id = gen_random_uuid();
select id, coalesce(auth_subject, ':fixed.nil') from users order by id;

-- case: an id and a real uuid in one place
select coalesce(auth_subject, id) from users;
select id from users union select auth_subject from users;

-- case: an id is written into a column that holds none
-- refused: 0A000
update users set name = id::text;
-- refused: 0A000
insert into settings (name, value) select 'id', id::text from users limit 1;
-- refused: 0A000
update users set auth_subject = id;
-- refused: 0A000
update documents set body = jsonb_set(body, '{owner}', to_jsonb(owner_id));
update users set name = email;

-- case: a number is written into an id
-- modes: simple text
-- fails: 42804
-- except: hint position
update users set id = login_count;
-- fails: 42804
-- except: hint position
insert into tags (id, name) select login_count, name from users;

-- case: an id generated by the client's sql is not stored
-- refused: 0A000
insert into users (id, email, name) select gen_random_uuid(), 'x@example.test', 'X';
insert into settings (name, value) values ('random', left(gen_random_uuid()::text, 0)) on conflict do nothing;

-- case: user functions
-- refused: 0A000
select is_active(id) from users;
-- refused: 0A000
select sly() is not null;
-- refused: 0A000
select slug(id::text) is not null from users;
-- refused: 0A000
select 'owner_of(uuid)'::regprocedure, 'no function';
-- refused: 0A000
select format('%s', p.oid::regprocedure) from pg_proc p where p.proname = 'owner_of';
-- refused: 0A000
select 'f: ' || p.oid::regprocedure from pg_proc p where p.proname = 'owner_of';
-- refused: 0A000
select x::text from (select p.oid::regprocedure as f from pg_proc p where p.proname = 'owner_of') x;
-- refused: 0A000
select (pg_identify_object('pg_proc'::regclass, 'owner_of'::regproc, 0)).identity;
-- refused: 0A000
select f from to_regprocedure('owner_of(uuid)') f;

-- case: a do block
-- refused: 0A000
do $$ begin perform id from users; end $$;
-- refused: 0A000
do $$ begin execute 'select id from ' || 'users'; end $$;

-- case: statistics
-- refused: 0A000
select histogram_bounds from pg_stats where tablename = 'users';
-- refused: 0A000
select tablename, histogram_bounds::text from pg_stats;
-- refused: 0A000
select most_common_vals from pg_catalog.pg_stats where tablename = 'orders' and attname = 'user_id';
select relname from pg_class where relname = 'orders';

-- case: other sessions' statements
-- refused: 0A000
select pg_stat_get_activity(null);
-- refused: 0A000
select statement from pg_prepared_statement();

-- case: lasting copies of ids
-- modes: simple text
-- refused: 0A000
create table copied as select id from users;
-- refused: 0A000
select id into copied from users;
create temp view peek as select id, name from users;
select id, name from peek order by id;
create temp table copied on commit drop as select name from settings;
select name from copied order by name;
create view told as select attrelid, attname, atttypid, format_type(atttypid, atttypmod) as type from pg_attribute where attnum > 0;
select attname from told where attrelid = 'teams'::regclass order by 1;
-- refused: 0A000
select attname, atttypid::regtype from told where attrelid = 'teams'::regclass;
-- refused: 0A000
select t.type from told t where attrelid = 'teams'::regclass;
-- refused: 0A000
select count(*) from told where atttypid = 20;
-- refused: 0A000
select t::text from told t;
create view joined as select a.attname, t.typname from pg_attribute a join pg_type t on t.oid = a.atttypid;
-- refused: 0A000
select attname from joined;
create view again as select attname, type from told;
select attname from again where attname = 'oid' limit 1;
-- refused: 0A000
select * from again;
create materialized view kept as select column_name, data_type from information_schema.columns;
-- refused: 0A000
select data_type from kept;
create temp view written as select oid, pg_get_function_result(oid) as result from pg_proc;
-- refused: 0A000
select result from written;
select oid is null as none from written where oid = 1397;

-- case: settings that are told to the client
-- refused: 0A000
select set_config('application_name', max(id)::text, false) from users;
select set_config('application_name', 'clean', true);

-- case: notify with an id
-- modes: simple text
-- refused: 0A000
select pg_notify('channel', id::text) from users;
notify channel, 'hello';

-- case: what can not be parsed and names a protected table
-- modes: simple text
-- refused: 0A000
select id from users tablesample system ((select 100));
-- refused: 0A000
select xmlserialize(content xmlelement(name u, id) as text) from users;

-- case: what can not be parsed and names nothing protected
-- modes: simple text
select xmlserialize(content xmlelement(name u, name) as text) from settings order by name;

-- case: a function that only names what it is asked for
select * from pg_get_serial_sequence('settings', 'name') s;
