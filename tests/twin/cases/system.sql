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
