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
drop table if exists system_counted;
