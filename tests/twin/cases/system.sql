What the system's relations tell of sequences: a database with uuids has none for its ids.

-- case: system: sequences
-- autocommit
create table if not exists system_counted (n serial, note text);
select sequencename, start_value, cycle, last_value from pg_sequences where sequencename like '%users%' or sequencename like 'system%' order by 1;
select s.sequencename, s.last_value from pg_sequences s where s.schemaname = 'public' and sequencename !~ '^ids' order by 1;
select c.relname, seqstart, seqincrement, seqmax, seqmin, seqcache, seqcycle from pg_sequence join pg_class c on c.oid = seqrelid where c.relname like '%id_seq' or c.relname like 'system%' order by 1;
select sequence_schema, sequence_name, data_type, numeric_precision, start_value, minimum_value, maximum_value, increment, cycle_option from information_schema.sequences where sequence_name like 'orders%' or sequence_name like 'system%' order by sequence_name;
select count(*) from (select * from information_schema.sequences) s where sequence_name like 'orders%' or sequence_name like 'system%';
select count(*) from pg_catalog.pg_sequence as s (a, b) where s.a::regclass::text like '%users%';
with s as (select * from pg_sequences) select count(*) from s where sequencename like 'system%';
select schemaname, relname from pg_statio_user_sequences where relname like '%users%' or relname like 'system%' order by 2;
select count(*) from pg_statio_all_sequences s where s.relname like '%orders%' and blks_hit > 0;
select u.name, (select count(*) from pg_sequences where sequencename like '%users%') from users u order by u.id;
-- with: 'public'
select sequencename from pg_sequences where schemaname = $1 and sequencename like 'system%' order by 1;
select count(*) from (table pg_sequences) s where sequencename like '%users%' or sequencename like 'system%';
with s as (table only pg_sequence) select count(*) from s where seqrelid::regclass::text like 'system%' or seqrelid::regclass::text like '%users%';
select count(*) from only pg_catalog.pg_sequence where seqrelid::regclass::text like '%users%';
select count(*) from only (pg_sequence) as s where s.seqrelid::regclass::text like '%users%' or s.seqrelid = 'system_counted_n_seq'::regclass;
select pg_catalog.pg_sequence.seqstart, pg_catalog.pg_sequence.seqcycle from pg_catalog.pg_sequence where pg_catalog.pg_sequence.seqrelid = 'system_counted_n_seq'::regclass;
select information_schema.sequences.* from information_schema.sequences where information_schema.sequences.sequence_name like 'system%' and sequence_catalog is null;
drop table if exists system_counted;

-- case: system: the sequence of a column
-- autocommit
create table if not exists system_serial (n serial, note text);
select pg_get_serial_sequence('system_serial', 'n');
select pg_get_serial_sequence('users', 'id');
select pg_catalog.pg_get_serial_sequence('public.users', 'id') is null as none, pg_get_serial_sequence('users', 'name') is null as neither;
select coalesce(pg_get_serial_sequence('shop.carts', 'id'), 'no sequence') as one, 'of ' || pg_get_serial_sequence('system_serial', 'n') as other;
select c.relname, a.attname, pg_get_serial_sequence(c.oid::regclass::text, a.attname) from pg_class c join pg_attribute a on a.attrelid = c.oid where a.attnum > 0 and c.relname in ('orders', 'teams', 'system_serial') and a.attname in ('id', 'n', 'note') order by 1, 2;
select max(pg_get_serial_sequence(c.oid::regclass::text, 'id')) from pg_class c where c.relname in ('orders', 'teams');
select u.name, pg_get_serial_sequence('users', 'id') from users u order by u.id;
-- with: 'users', 'id'
select pg_get_serial_sequence($1, $2);
-- with: 'system_serial', 'n'
select pg_get_serial_sequence($1, $2);
drop table if exists system_serial;

-- case: system: the types of columns
select a.attname, format_type(a.atttypid, a.atttypmod), a.attlen, a.attbyval, a.attalign, a.attstorage, a.attcollation, a.attndims, a.attnotnull, a.atthasdef, a.attidentity from pg_attribute a where a.attrelid = 'users'::regclass and a.attnum > 0 order by a.attnum;
select c.relname, a.attname, t.typname, a.atttypid, a.attlen from pg_class c join pg_attribute a on a.attrelid = c.oid join pg_type t on t.oid = a.atttypid where c.relname in ('events', 'products', 'stock', 'regions', 'notes', 'urgent_notes', 'measurements_2025') and a.attnum > 0 order by 1, a.attnum;
select i.relname, a.attname, a.atttypid::regtype, a.attlen, a.attalign from pg_index x join pg_class i on i.oid = x.indexrelid join pg_attribute a on a.attrelid = i.oid where x.indrelid in ('memberships'::regclass, 'orders'::regclass, 'seats'::regclass) order by 1, a.attnum;
select u.name, (select format_type(atttypid, null) from pg_attribute where attrelid = 'teams'::regclass and attname = 'id') from users u order by u.id;
select pg_catalog.pg_attribute.attname, pg_attribute.atttypid = 'uuid'::regtype from only pg_catalog.pg_attribute where pg_catalog.pg_attribute.attrelid = 'teams'::regclass and attnum > 0 order by attnum;
select a.tableoid::regclass, a.attname, a.atttypid::regtype from pg_attribute a where a.attrelid = 'teams'::regclass and xmax is not null and attnum > 0 order by a.attnum;
select to_jsonb(a) ->> 'atttypid' as type, (a).attlen, a is null as none from pg_attribute a where a.attrelid = 'teams'::regclass and a.attnum = 1;
select count(*) from pg_attribute a natural join (select attrelid, attnum, atttypid from pg_attribute) b where a.attrelid = 'orders'::regclass;
select a.name, a.type::regtype from pg_attribute as a (relation, name, type) where a.relation = 'orders'::regclass and a.attnum > 0 order by a.attnum;
with c as (table pg_attribute) select attname, atttypid::regtype from c where attrelid = 'orders'::regclass and attnum > 0 order by attnum;
explain (costs off, format json) select attname from pg_attribute where attrelid = 0 and false;
-- with: 'orders', 'user_id'
select atttypid::regtype, attlen from pg_attribute where attrelid = $1::regclass and attname = $2;

-- case: system: rows of catalogs as values, samples of them, and their hidden columns
select a, pg_typeof(a), (a).attlen from pg_attribute a where a.attrelid = 'pg_language'::regclass and a.attnum = 1;
select row_to_json(a)::jsonb -> 'attlen', jsonb_agg(to_jsonb(a) - 'attmissingval') over () -> 0 -> 'attname' from pg_attribute a where a.attrelid = 'teams'::regclass and a.attnum > 0 order by a.attnum;
select (array_agg(a order by a.attnum))[1].attname, count(a.*) from pg_attribute a where a.attrelid = 'teams'::regclass and a.attnum > 0;
select (lag(a) over (order by a.attnum)).attname, (x.a).attnum from (select a, attnum from pg_attribute a where a.attrelid = 'teams'::regclass and a.attnum > 0) x, pg_attribute a where a.attrelid = 'teams'::regclass and a.attnum = x.attnum order by 2;
select c.relname, a is null as none, count(a) over () from pg_class c left join pg_attribute a on a.attrelid = c.oid and a.attnum = 1 and a.attname = 'none' where c.oid = 'teams'::regclass;
select u.id, (a).attname, a::text like '%2950%' as told from users u, pg_attribute a where a.attrelid = 'teams'::regclass and a.attnum = 1 order by u.id;
select a.attname, a.atttypid::regtype from pg_attribute a tablesample bernoulli (100) where a.attrelid = 'teams'::regclass and a.attnum > 0 order by a.attnum;
select x.name, x.type::regtype from only pg_catalog.pg_attribute as x (relation, name, type) tablesample system (100) repeatable (3) where x.relation = 'teams'::regclass and attnum > 0 order by attnum;
select a.tableoid::regclass, a.* from pg_attribute a where a.attrelid = 'pg_language'::regclass and a.attnum = 1;
select r.xmax is null as none, r.*, pgveil.tableoid::regclass::text as of, pgveil.* from pg_attribute r, pg_attribute pgveil where r.attrelid = 'pg_language'::regclass and r.attnum = 1 and pgveil.attrelid = r.attrelid and pgveil.attnum = 2;
select *, xmin is null as none from pg_attribute where attrelid = 'pg_language'::regclass and attnum = 1;
select d.tableoid::regclass, d.*, d.ctid is null as none from pg_depend d where d.refobjid = 'active_users'::regclass and d.deptype = 'i' and d.classid = 'pg_type'::regclass and false;
select d.tableoid::regclass, d.xmin is null as none, (d.*) is null as row, d.deptype from pg_depend d where d.refobjid = 'teams'::regclass and d.classid = 'pg_type'::regclass;
select c.relname, d.tableoid, d.* from pg_class c left join pg_depend d on d.objid = c.oid and d.deptype = 'x' and d.refobjid = 0 where c.oid = 'teams'::regclass;
select attname, atttypid::regtype from pg_attribute * where attrelid = 'teams'::regclass and attnum > 0 order by attnum;
select x.name, x.type::regtype from pg_catalog.pg_attribute * as x (relation, name, type) join pg_class * c on c.oid = x.relation where c.relname = 'teams' and attnum > 0 order by attnum;
select u.id, t.name from users * u join public.teams * t on t.owner_id = u.id order by t.name;
select c.column_name, c.data_type, t.table_type from information_schema.columns c natural join information_schema.tables t where c.table_name = 'teams' and c.table_schema = 'public' order by c.ordinal_position;
select a.atttypid::regtype, o.* from pg_attribute a, pg_options_to_table(array['a=1']) o where a.attrelid = 'teams'::regclass and a.attnum = 1;
select a.atttypid::regtype, (aclexplode(array['postgres=r/postgres'::aclitem])).privilege_type from pg_attribute a where a.attrelid = 'teams'::regclass and a.attnum = 1;
select a.atttypid::regtype from pg_attribute a where a.attrelid = 'teams'::regclass and a.attnum = 1 and to_jsonb(a.attname) in (select * from jsonb_array_elements('["id"]'));

-- case: system: rows of catalogs as text and in XML, and beside the rows of functions
select a.*::text, (a.*)::text = a::text as same, a.* is not null as filled, (a.*) is null as none from pg_attribute a where a.attrelid = 'pg_language'::regclass and a.attnum = 1;
select a.attname from pg_attribute a where a.* is distinct from null and a::text like '%,2950,%' and a.attrelid = 'teams'::regclass order by 1;
select xmlelement(name c, xmlattributes(attname as n, attlen), atttypid::regtype, xmlelement(name d)) from pg_attribute where attrelid = 'teams'::regclass and attnum > 0 order by attnum;
select xmlforest(attname, atttypid::regtype as type) from pg_attribute where attrelid = 'teams'::regclass and attnum > 0 order by attnum;
select xmlserialize(content xmlagg(xmlelement(name c, column_name || ' ' || data_type) order by ordinal_position) as text) as told from information_schema.columns where table_name = 'teams' and table_schema = 'public';
select xmlpi(name told, data_type), xmlparse(document '<a>' || data_type || '</a>') from information_schema.columns where table_name = 'teams' and table_schema = 'public' and column_name = 'id';
select i.indexrelid::regclass::text, x.* from pg_index i, rows from (unnest(i.indclass), unnest(i.indkey)) with ordinality x (class, key, n) where i.indrelid = 'memberships'::regclass order by 1, x.n;
select a.attname, a.atttypid::regtype, x.n from pg_attribute a, rows from (generate_series(1, 2), generate_series(1, 3)) as x (n, m) where a.attrelid = 'teams'::regclass and a.attnum = 1 order by x.m;

-- case: system: functions that tell of catalogs in the place of tables
select * from pg_get_serial_sequence('users', 'id') s;
select pg_get_serial_sequence is null as none, x.s is null as none_there from pg_get_serial_sequence('users', 'id'), pg_catalog.pg_get_serial_sequence('users', 'name') as x (s);
select p.proname, a, r.r from pg_proc p, pg_get_function_arguments(p.oid) a cross join lateral pg_get_function_result(p.oid) as r (r) where p.proname in ('owner_of', 'bill') order by 1;
select u.id, r from users u left join lateral pg_get_function_identity_arguments('bill'::regproc) r on true order by u.id;
select p.proname, a.*, r.n, r.r from pg_proc p, pg_get_function_arguments(p.oid) with ordinality a cross join lateral pg_get_function_result(p.oid) with ordinality as r (r, n) where p.proname in ('owner_of', 'bill') order by 1;
select * from pg_get_serial_sequence('users', 'id') with ordinality;
select x.s is null as none, x.n from pg_get_serial_sequence('users', 'id') with ordinality x (s, n);
select d.adnum, e as written, ordinality from pg_attrdef d, pg_get_expr(d.adbin, d.adrelid) with ordinality e (e) where d.adrelid = 'events'::regclass and d.adnum > 1 order by 1;
select d.adnum, e as written from pg_attrdef d, pg_get_expr(d.adbin, d.adrelid) e where d.adrelid = 'events'::regclass and d.adnum > 1 order by 1;

-- case: system: the columns of the information schema
select column_name, ordinal_position, data_type, udt_schema, udt_name, character_maximum_length, character_octet_length, numeric_precision, numeric_precision_radix, numeric_scale, collation_name, domain_name, is_nullable, is_identity, identity_generation, identity_start, identity_increment, identity_maximum, identity_minimum, identity_cycle, is_generated, is_updatable from information_schema.columns where table_schema = 'public' and table_name = 'users' order by ordinal_position;
select table_schema, table_name, column_name, data_type, udt_name from information_schema.columns where table_name in ('events', 'products', 'stock', 'regions', 'carts', 'memberships') order by 1, 2, ordinal_position;
select count(*) from information_schema.columns where data_type = 'bigint' and table_name in ('orders', 'users', 'comments') and table_schema = 'public';
select u.name, c.data_type from users u join information_schema.columns c on c.table_name = 'users' and c.column_name = 'id' and c.table_schema = 'public' order by u.id;
-- with: 'orders', 'id'
select data_type, udt_name::text from information_schema.columns where table_name = $1 and column_name = $2;

-- case: system: the types of the columns of views
select c.relname, a.attname, format_type(a.atttypid, a.atttypmod), a.attlen, a.attbyval, a.attalign, a.attstorage, a.attcollation, a.atthasdef, a.attidentity from pg_class c join pg_attribute a on a.attrelid = c.oid where c.relkind in ('v', 'm') and c.relnamespace = 'public'::regnamespace and c.relname not in ('domain_view', 'with_row', 'all_taggings') and a.attnum > 0 order by 1, a.attnum;
select table_name, column_name, data_type, udt_name, numeric_precision, column_default, is_identity, is_updatable from information_schema.columns where table_name in ('active_users', 'active_names', 'orders_by_user', 'owners', 'threads', 'order_counts', 'meetings', 'calm_notes') order by 1, ordinal_position;
select attname, atttypid::regtype from pg_attribute where attrelid = 'orders_by_user'::regclass and attnum > 0 order by attnum;
select u.id, a.attname from active_users u, pg_attribute a where a.attrelid = 'active_users'::regclass and a.atttypid = 'uuid'::regtype order by u.id;

-- case: system: views of users over catalogs
-- modes: simple text
create view pg_told as select a.attrelid, a.attname, a.attnum, a.atttypid, a.attnotnull from pg_attribute a where a.attnum > 0;
select attname, attnotnull from pg_told where attrelid = 'teams'::regclass order by attnum;
create view relations as select c.oid, c.relname, n.nspname, c.relkind, pg_get_userbyid(c.relowner) as owner from pg_class c join pg_namespace n on n.oid = c.relnamespace;
select relname, nspname, owner is null as none from relations where relname in ('teams', 'users') order by 1, 2;
select r.*, u.id from relations r, users u where r.relname = 'pg_language' order by u.id;
create view named as select r.relname, t.attname from relations r join pg_told t on t.attrelid = r.oid;
select * from named where relname = 'teams' order by 1, 2;
create materialized view kept as select relname, relkind from pg_class where relname = 'teams';
select * from kept;

-- case: system: the signatures of declared functions
select p.proname, p.prorettype::regtype::text, p.proargtypes[0]::regtype, p.proargtypes[1]::regtype, array_upper(p.proargtypes, 1), p.pronargs, p.proretset from pg_proc p where p.proname in ('log_by_code', 'log_through', 'read_by_code', 'owner_of', 'bill', 'users_called') order by 1;
select p.proname, t.n, t.t::regtype, p.proargmodes[t.n] from pg_proc p, unnest(p.proallargtypes) with ordinality t (t, n) where p.proname in ('bill', 'owner_of') order by 1, 2;
select p.proname, pg_get_function_arguments(p.oid), pg_catalog.pg_get_function_identity_arguments(p.oid), pg_get_function_result(p.oid) from pg_proc p where p.proname in ('log_by_code', 'log_through', 'read_by_code', 'owner_of', 'bill', 'users_called') order by 1;
select pg_get_function_arguments('bill'::regproc), pg_get_function_result('owner_of'::regproc);
select split_part(pg_get_functiondef(p.oid), ' AS ', 1) from pg_proc p where p.proname in ('log_by_code', 'owner_of', 'bill') order by 1;
select max(pg_get_function_result(p.oid)), count(*) from pg_proc p where p.proname in ('owner_of', 'read_by_code') group by pg_get_function_arguments(p.oid) order by 1;
select routine_name, data_type, type_udt_name, type_udt_schema, dtd_identifier, external_language from information_schema.routines where routine_name in ('log_by_code', 'owner_of', 'bill', 'users_called') order by 1;
select r.routine_name, p.ordinal_position, p.parameter_mode, p.parameter_name, p.data_type, p.udt_name, p.parameter_default from information_schema.parameters p join information_schema.routines r using (specific_name) where r.routine_name in ('log_by_code', 'owner_of', 'bill', 'users_called') order by 1, 2;
select n.nspname, p.proname, pg_catalog.pg_get_function_result(p.oid) as "Result data type", pg_catalog.pg_get_function_arguments(p.oid) as "Argument data types", case p.prokind when 'a' then 'agg' when 'w' then 'window' when 'p' then 'proc' else 'func' end as "Type" from pg_catalog.pg_proc p left join pg_catalog.pg_namespace n on n.oid = p.pronamespace where p.proname operator(pg_catalog.~) '^(owner_of|bill)$' collate pg_catalog.default and pg_catalog.pg_function_is_visible(p.oid) order by 1, 2, 4;

-- case: system: declared functions by their signatures
select 'owner_of(uuid)'::regprocedure::oid = 'owner_of'::regproc::oid as found, to_regprocedure('owner_of(uuid)') is null as none, to_regprocedure(' public.bill ( uuid, pg_catalog.date ) ') is null as neither;
select to_regprocedure('owner_of(bigint)') is null as none, to_regprocedure('lower(text)')::text, to_regprocedure('none(uuid)') is null as unknown, 'public.users_called(text)'::regprocedure::text;
select p.oid::regprocedure::text, 'f: ' || cast(p.oid as regprocedure)::text as f, p.oid::regproc::text from pg_proc p where p.proname in ('owner_of', 'bill', 'log_by_code', 'users_called') order by 1;
select 'owner_of(uuid)'::regprocedure::text, cast('owner_of(uuid)' as regprocedure)::varchar, ('bill(uuid,date)'::regprocedure)::oid::regprocedure::text as bill;
select pg_describe_object('pg_proc'::regclass, 'owner_of'::regproc, 0), pg_describe_object(c.tableoid, c.oid, 0) as of_table, pg_describe_object(1255, 'lower(text)'::regprocedure, 0) from pg_class c where c.oid = 'users'::regclass;
select pg_get_function_result('owner_of(uuid)'::regprocedure), pg_function_is_visible('bill(uuid,date)'::regprocedure), has_function_privilege('owner_of(uuid)', 'execute'), has_function_privilege(current_user, 'bill(uuid, date)', 'execute');
select proname from pg_proc where oid = 'bill(uuid, date)'::regprocedure or oid in ('owner_of(uuid)'::regprocedure, 'lower(text)'::regprocedure) order by 1;
select x.f::text, count(*) from (select p.oid::regprocedure as f from pg_proc p where p.proname in ('owner_of', 'bill')) x group by x.f order by 1;
select p.oid::regprocedure::text as f, max(p.proname) from pg_proc p where p.proname in ('owner_of', 'bill') group by p.oid::regprocedure::text order by p.oid::regprocedure::text;
select max(p.oid)::regprocedure::text from pg_proc p where p.proname = 'owner_of';
select u.id, 'owner_of(uuid)'::regprocedure::text from users u order by u.id;
select a.aggfnoid::text, a.aggtranstype::regtype, a.aggfnoid::regprocedure::text, a.aggkind from pg_aggregate a where a.aggfnoid::text in ('first_user', 'count') order by 3;
select pg_describe_object('pg_proc'::regclass, 'first_user'::regproc, 0), aggtransfn::text, aggtranstype = 'uuid'::regtype as same from pg_aggregate where aggfnoid = 'first_user(uuid)'::regprocedure;
select null::regprocedure::text as none, 0::regprocedure::text as nothing;
-- with: 'owner_of(uuid)'
select to_regprocedure($1)::text;
-- with: 'owner_of(uuid)'
select ($1::text)::regprocedure::oid = to_regproc('owner_of') as same;
-- fails: 42883
select 'no_function(uuid)'::regprocedure::oid;

-- case: system: catalogs that are grouped, copied and named in other ways
-- autocommit
create table if not exists system_named (n serial primary key, note text default 'none', at int generated always as identity);
select c.relname, count(*) from pg_class c join pg_attribute a on a.attrelid = c.oid where c.relname in ('teams', 'orders') and a.attnum > 0 group by c.oid order by 1;
select a.attname, a.attnotnull, count(*) from pg_attribute a where a.attrelid = 'teams'::regclass and a.attnum > 0 group by a.attrelid, a.attnum order by a.attnum;
select atttypid::regtype, count(*) from pg_attribute where attrelid = 'teams'::regclass and attnum > 0 group by atttypid order by 1;
select x.indisprimary, count(*) from pg_index x where x.indrelid = 'teams'::regclass group by x.indexrelid order by 1, 2;
copy (select column_name, data_type from information_schema.columns where table_name = 'orders' and table_schema = 'public' order by ordinal_position) to stdout;
copy (select attname, atttypid::regtype from pg_attribute where attrelid = 'teams'::regclass and attnum > 0 order by attnum) to stdout csv header;
select e.adnum, pg_get_expr(e.adbin, e.adrelid) from pg_attrdef e where e.adrelid = 'events'::regclass and e.adnum > 1 order by 1;
select pg_get_expr(s.adbin, s.adrelid) from pg_attrdef s where s.adrelid = 'system_named'::regclass order by 1;
select pg_get_expr(x.adbin, x.adrelid) from (select adbin, adrelid from pg_attrdef where adrelid = 'system_named'::regclass) x order by 1;
select (select pg_get_expr(d.adbin, d.adrelid) from pg_attrdef d where d.adrelid = a.attrelid and d.adnum = a.attnum) from pg_attribute a where a.attrelid = 'events'::regclass and a.attnum > 1 order by a.attnum;
drop table if exists system_named;

-- case: system: a recursion that is read twice, for it builds text from ids
with recursive t (n, x) as (select 1, ''::text union all select n + 1, x || u.id::text || a.atttypid from t, users u, pg_attribute a where n < 2 and a.attname = 'id' and a.attrelid = 'users'::regclass) select n, x from t;
with recursive t (n, x) as (select 1, ''::text union all select n + 1, x || u.id::text from t, users u, pg_attribute a where n < 2 and a.xmin is not null and a.attname = 'id' and a.attrelid = 'users'::regclass) select n, x from t;

-- case: system: what fills a column, and how it is indexed
-- autocommit
create table if not exists system_filled (n serial primary key, note text default 'none', at int generated always as identity);
select d.adnum, pg_get_expr(d.adbin, d.adrelid), pg_catalog.pg_get_expr(adbin, adrelid, true) from pg_attrdef d where d.adrelid = 'system_filled'::regclass order by 1;
select a.attname, pg_get_expr(d.adbin, d.adrelid) as written from pg_attribute a left join pg_attrdef d on (a.attrelid, a.attnum) = (d.adrelid, d.adnum) and a.atthasdef where a.attrelid = 'system_filled'::regclass and attnum > 0 order by attnum;
select max(pg_get_expr(d.adbin, d.adrelid)), count(*) from pg_attrdef d where d.adrelid = 'system_filled'::regclass group by pg_get_expr(d.adbin, d.adrelid), d.adnum order by d.adnum;
select d.tableoid::regclass, d.xmax is null as none, d.adnum from pg_catalog.pg_attrdef d where d.adrelid = 'system_filled'::regclass order by d.adnum;
select c.relname, o.opcname, s.k, x.indcollation[s.k - 1] from pg_index x join pg_class c on c.oid = x.indexrelid cross join lateral generate_series(1, x.indnkeyatts) s (k) join pg_opclass o on o.oid = x.indclass[s.k - 1] where x.indrelid in ('users'::regclass, 'orders'::regclass, 'memberships'::regclass, 'events'::regclass, 'system_filled'::regclass) order by 1, s.k;
select x.indexrelid::regclass::text, o.n, c.opcintype::regtype from pg_index x, unnest(x.indclass) with ordinality o (c, n) join pg_opclass c on c.oid = o.c where x.indrelid in ('seats'::regclass, 'orders'::regclass) order by 1, 2;
select c.conname, c.conkey, c.conpfeqop, c.conppeqop, c.conffeqop, c.conexclop is null from pg_constraint c where c.conrelid in ('orders'::regclass, 'memberships'::regclass, 'events'::regclass) and contype in ('f', 'p', 'c') order by 1;
select c.conrelid::regclass::text, count(*), max(o.oprname), c.conname from pg_constraint c, unnest(c.conpfeqop) e join pg_operator o on o.oid = e where c.conrelid = 'orders'::regclass group by c.oid order by c.conname;
select a.attname, pg_get_expr(d.adbin, d.adrelid), pg_get_expr(adbin, adrelid), pg_catalog.pg_get_expr(d.adbin, 'events'::regclass) from pg_attrdef d join pg_attribute a on a.attrelid = d.adrelid and a.attnum = d.adnum where d.adrelid = 'events'::regclass and d.adnum > 1 order by a.attnum;
select pg_get_expr(pg_catalog.pg_attrdef.adbin, adrelid) from pg_catalog.pg_attrdef where adrelid in ('events'::regclass, 'system_filled'::regclass) and (adnum > 1 or adrelid = 'system_filled'::regclass) order by 1;
select column_name, column_default from information_schema.columns where table_name in ('events', 'system_filled', 'orders') and table_schema = 'public' and (ordinal_position > 1 or table_name = 'system_filled') order by table_name, ordinal_position;
drop table if exists system_filled;

-- case: system: sequences among relations
-- autocommit
create table if not exists system_owner (n serial, note text);
create sequence if not exists system_free;
select relname, relkind from pg_class where relkind = 'S' and relname like 'system%' order by 1;
select count(*) from pg_class where relname in ('users_id_seq', 'orders_id_seq', 'teams_id_seq');
select d.deptype, d.refobjid::regclass::text, d.refobjsubid from pg_depend d where d.objid = 'system_owner_n_seq'::regclass and d.refclassid = 'pg_class'::regclass order by 1, 2;
select count(*) from pg_depend d where d.refobjid = 'teams'::regclass and d.classid = 'pg_class'::regclass and d.deptype in ('a', 'i') and d.refobjsubid = 1 and (select relkind from pg_class where oid = d.objid) = 'S';
select u.name, (select count(*) from pg_class where relkind = 'r' and relname = 'users' and pg_table_is_visible(oid)) from users u order by u.id;
drop table if exists system_owner;
drop sequence if exists system_free;

-- case: system: what sessions do
-- autocommit
select count(*) > 0 as some, bool_and(usename is not null) as named from pg_stat_activity where datname = current_database() and backend_type = 'client backend';
select a.state, a.pid = pg_backend_pid() as own from pg_stat_activity a where a.pid = pg_backend_pid();
select count(*) from pg_cursors where name = 'none';
select count(*) from pg_prepared_statements where name = 'none';
select count(*) from pg_stat_activity a join pg_locks l using (pid) where a.query like '%' and l.granted and false;

-- case: system: what is locked
-- autocommit
-- fails: 42501
select attname from pg_attribute where attrelid = 'users'::regclass for update;
-- fails: 42501
select a.attname from pg_class c, pg_attribute a where a.attrelid = c.oid and c.relname = 'users' for share of a;
-- fails: 42501
select seqstart from pg_sequence s for update of s;

-- case: system: catalogs are copied as they are told
-- script
copy pg_language (lanname) to stdout

-- script
copy (select seqincrement from pg_sequence where seqrelid::regclass::text like '%users%') to stdout

-- case: system: names that are like all patterns, or any
select table_name, column_name, data_type from information_schema.columns where table_schema not like all ('{pg_%,information%}') and table_name ilike any (array['users', 'team%']) order by 1, 2;
select name from users where name not like all (array['A%', 'B%']) and email like all ('{%@%}') order by name;
