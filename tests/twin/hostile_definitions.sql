-- Ways to get at a key by what a client defines: whatever comes back, a key must not be in it.

-- Errors of what is computed when something is defined, or later.
create index on users ((('x' || id::text)::int));
alter table users add check (('x' || id::text)::int > 0);
alter table users add check ((id::text || 'x')::json is not null);
alter table users add check (('x' || id::text)::regclass is not null);
alter table users add check (current_setting('x.x' || id) <> '');
alter table users add column g int generated always as (('x' || id::text)::int) stored;
alter table users add column g text generated always as ('x' || id::text) stored; alter table users alter column g drop expression; select g from users; alter table users drop column if exists g;
alter table users add column g text generated always as ('x' || id::text) stored;
alter table users alter column g drop expression;
select g from users;
select users from users; table users; copy users to stdout; select max(g) from users;
alter table users drop column if exists g;
create materialized view quoting as select ('x' || id)::int as n from users;
create materialized view quoting as select 1 as n from users where ('x' || id)::regclass is not null;
create statistics quoting on (('x' || id::text)::int) from users; analyze users; drop statistics if exists quoting;
create unique index on orders ((user_id + 0));
create unique index on orders ((user_id % 100000), status);
alter table orders add exclude ((user_id + 0) with =);
alter domain user_ref add constraint quoting check (('x' || value::text)::int > 0);
insert into domained (owner, n) values (':users.ann', 1);
alter domain user_ref drop constraint if exists quoting;
begin; create policy quoting on users using (('x' || id::text)::int > 0); alter table users enable row level security; alter table users force row level security; select name from users; rollback;
begin; create policy quoting on users using (('x' || id::text)::int > 0); alter table users enable row level security; alter table users force row level security; commit;
select name from users;
alter table users disable row level security; alter table users no force row level security; drop policy if exists quoting on users;
create trigger quoting before update on users for each row when (('x' || new.id::text)::int > 0) execute function tickets_speak();
update users set name = name where name = 'Ann';
drop trigger if exists quoting on users;
create table quoting (user_id bigint references users check (('x' || user_id::text)::int > 0));
insert into quoting values (':users.ann');
drop table if exists quoting;
create temp view quoting as select distinct name, ('x' || id)::regclass as r from users; select name from quoting; drop view quoting;
create temp view quoting as select distinct name, ('x' || id)::regclass as r from users;
select name from quoting;
prepare quoting as select name from quoting; execute quoting; select name from (select * from quoting) q;
drop view if exists quoting;
create temp view quoting as select name, rank() over (order by ('x' || id)::int) as r from users;
select name from quoting; declare quoting_c cursor with hold for select name from quoting; fetch all from quoting_c;
drop view if exists quoting;

-- Columns that have shown keys and look as if they did no more.
alter table settings alter number set default nextval('users_id_seq');
insert into settings (name) values ('counted') returning number;
alter table settings alter number drop default;
select number from settings where name = 'counted'; select max(number) from settings where name = 'counted';
delete from settings where name = 'counted';

-- Cursors and statements that code of the user leaves under a name.
create function opening() returns void language plpgsql as 'declare c refcursor := ''opened''; begin open c for select id, id + 0 as n, id::text as t from users; end';
begin; select opening(); fetch all from opened; commit;
begin; select opening(); fetch 1 from opened; fetch backward 1 from opened; move 1 in opened; close opened; rollback;
drop function opening();
create function preparing() returns void language plpgsql as $$ begin execute 'prepare prepared_so as select id, id + 0 as n, id::text as t from users'; end $$;
select preparing(); execute prepared_so;
create temp table of_prepared as execute prepared_so;
explain (analyze, verbose) execute prepared_so;
deallocate prepared_so;
drop function preparing();

-- Operators that mean something else.
create operator public.= (leftarg = bigint, rightarg = bigint, function = int8pl);
set search_path = public, pg_catalog;
select id = id from users;
select (id = id) from users; select id = any (array[id]) from users; select ids from (select id = id as ids from users) s;
select id operator(public.=) id from users;
create temp view added as select id = id as n from users; select n from added; select * from added; drop view added;
create function pg_temp.added() returns setof bigint language sql as 'select id = id from users'; select pg_temp.added();
select name from users where id in (':users.ann'); select case id when id then 1 end, nullif(id, id) from users; select u.name from users u join users v using (id);
reset search_path;
select id operator(public.=) id from users;
drop operator if exists public.= (bigint, bigint);
create operator public.|| (leftarg = bigint[], rightarg = bigint[], function = array_cat);
create operator public.@> (leftarg = bigint[], rightarg = bigint, function = array_position);
select participant_ids || participant_ids from events; select participant_ids @> participant_ids[1] from events;
drop operator if exists public.|| (bigint[], bigint[]); drop operator if exists public.@> (bigint[], bigint);
create operator public.|| (leftarg = text, rightarg = text, function = texteq);
set search_path = public, pg_catalog;
select 'x' || id from users; select id::text || name from users;
reset search_path;
drop operator if exists public.|| (text, text);

-- Numbers that code of the user puts to words.
create function gluing() returns trigger language plpgsql as $$ begin raise notice 'ticket_% of user%', new.id, new.owner_id; perform pg_notify('glued', 'ticket_' || new.id); perform pg_notify('glued', 'u' || new.owner_id || '_changed'); if new.title = 'glued' then raise exception 'no ticket_% of u%x', new.id, new.owner_id; end if; return new; end $$;
create trigger gluing before insert on tickets for each row execute function gluing();
listen glued; insert into tickets (owner_id, title) values (':users.ann', 'glue');
insert into tickets (owner_id, title) values (':users.ann', 'glued');
drop trigger if exists gluing on tickets; drop function if exists gluing();

-- What is read of bodies is as strict as what is read of views.
create function drifted() returns setof boolean language sql stable as 'select (''x'' || id)::int is null from users';
select * from drifted(); select count(*) from drifted() d where d;
prepare drifted as select * from drifted(); execute drifted; deallocate drifted;
drop function drifted();
create function drifted() returns setof boolean language sql stable begin atomic select ('x' || id)::regclass is null from users; end;
select * from drifted() d where d;
drop function drifted();

-- Functions that no text names: behind operators and casts.
create operator pg_temp.## (rightarg = regclass, function = pg_catalog.nextval);
select operator(pg_temp.##) 'users_id_seq'::regclass;
create operator public.## (rightarg = regclass, function = pg_catalog.pg_sequence_last_value);
select ## 'users_id_seq'::regclass; select name from settings where ## 'users_id_seq'::regclass > 0; copy (select ## 'users_id_seq'::regclass) to stdout;
prepare sharp as select ## 'users_id_seq'::regclass; execute sharp; create temp view sharp as select ## 'users_id_seq'::regclass as n; select n from sharp;
create table sharp (n bigint default ## 'users_id_seq'::regclass, m int); insert into sharp (m) values (1) returning n; select n from sharp; drop table if exists sharp;
drop operator if exists public.## (none, regclass);
create operator public.## (leftarg = tsquery, rightarg = text, function = pg_catalog.ts_rewrite);
select 'a'::tsquery ## 'select ''a''::tsquery, plainto_tsquery(id::text) from users';
drop operator if exists public.## (tsquery, text);
create type held as enum ('a'); create table holds (h held, hs held[], n int); create domain held_so as held; create type held_in as (h held, n int);
create function held_key(held) returns bigint language plpgsql as 'begin return max(id) from users; end';
create function held_one() returns held language sql as 'select ''a''::held'; create function held_row() returns holds language sql as 'select h, hs, n from holds';
create cast (held as bigint) with function held_key(held) as implicit;
insert into holds values ('a', '{a}', 1);
select h::bigint from holds; select 1 + h from holds; select 1 + holds.h from holds; select n from holds where h > 2; select 1 + (select h from holds);
select 1 + hs[1] from holds; select 1 + unnest(hs) from holds; select 1 + held_one(); select 1 + (held_row()).h; select 1 + 'a'::held_so; select 1 + (row('a', 1)::held_in).h;
select 1 + (h2).h from (select h2 from holds h2) x; select 1 + h from (table holds) x; with x as (select h from holds) select int8pl(h, 1) from x;
insert into settings (name, number) select 'cast', h from holds returning number; select number from settings where name = 'cast'; delete from settings where name = 'cast';
create view held_seen as select 1 + h as n from holds; select n from held_seen; drop view if exists held_seen;
drop cast if exists (held as bigint);
drop table holds; drop function held_one(); drop function held_row(); drop function held_key(held); drop type held_in; drop domain held_so; drop type held;

-- Views whose code reads data without naming it: by Postgres's own functions, by those of the session whatever their mark, by operators.
create temp view reading as select query_to_xml('select id from users', true, true, '')::text as n;
select * from reading;
select n from reading;
copy (select n from reading) to stdout;
do $$ begin insert into settings (name, number) select 'read', (regexp_match(n, '>(\d+)<'))[1]::bigint from reading; end $$;
select number from settings where name = 'read';
delete from settings where name = 'read';
create temp view over_reading as select n from reading;
select n from over_reading;
drop view if exists over_reading;
drop view if exists reading;
create temp view reading as select ts_rewrite('a'::tsquery, 'select ''a''::tsquery, plainto_tsquery(''simple'', string_agg(id::text, '' '')) from users') as n;
select n from reading;
drop view if exists reading;
create temp view reading as select current_query() as n;
select reading.n from reading, users where users.id = ':users.ann';
drop view if exists reading;
create temp view reading as select pg_sequence_last_value(('us' || 'ers_id_seq')::regclass) as n;
select n from reading;
drop view if exists reading;
create temp view reading as select ('x' || query_to_xml('select max(id) from users', true, true, '')::text)::int as n;
select n from reading;
drop view if exists reading;
create temp view reading as select seqstart, seqrelid from pg_sequence;
select * from reading;
copy reading to stdout;
drop view if exists reading;
create function pg_temp.reads(text) returns text immutable language plpgsql as $$ begin return (select string_agg(id::text, ' ') from users where name = $1); end $$;
create temp view reading as select pg_temp.reads(name) as n from settings;
select n from reading;
select n from reading where n is not null;
drop view if exists reading;
drop function if exists pg_temp.reads(text);
create operator pg_temp.#?? (leftarg = tsquery, rightarg = text, function = pg_catalog.ts_rewrite);
create temp view reading as select 'a'::tsquery operator(pg_temp.#??) 'select ''a''::tsquery, plainto_tsquery(string_agg(id::text, '' '')) from users'::text as n;
select n from reading;
drop view if exists reading;
do $$ begin update settings set name = ('a'::tsquery operator(pg_temp.#??) ('select ''a''::tsquery, plainto_tsquery(string_agg(id::text, '' '')) from us' || 'ers'))::text where false; insert into settings (name) select ('a'::tsquery operator(pg_temp.#??) ('select ''a''::tsquery, plainto_tsquery(string_agg(id::text, '' '')) from us' || 'ers'))::text; end $$;
select name from settings;
delete from settings where name like '%&%';
create temp table computed (t text default ('a'::tsquery operator(pg_temp.#??) ('select ''a''::tsquery, plainto_tsquery(string_agg(id::text, '' '')) from us' || 'ers'))::text, n int);
insert into computed (n) values (1) returning t;
drop table if exists computed;
create temp table computed (t text, n int);
insert into computed values ('a', 1);
alter table computed alter t type text using ('a'::tsquery operator(pg_temp.#??) ('select ''a''::tsquery, plainto_tsquery(string_agg(id::text, '' '')) from us' || 'ers'))::text;
select t from computed;
alter table computed alter t set default ('a'::tsquery operator(pg_temp.#??) ('select ''a''::tsquery, plainto_tsquery(string_agg(id::text, '' '')) from us' || 'ers'))::text;
insert into computed (n) values (2) returning t;
drop table if exists computed;
drop operator if exists pg_temp.#?? (tsquery, text);
select query_to_xmlschema('select 1 / (id - 5) from users', true, true, '');

-- What the statements before have defined, or brought back, in the same text.
create function pg_temp.fills() returns void language plpgsql as $f$ begin insert into settings (name, number) select 'filled', max(id) from users; end $f$; do $a$ begin perform pg_temp.fills(); end $a$;
drop function if exists pg_temp.fills();
create procedure pg_temp.fills() language plpgsql as $f$ begin insert into settings (name, number) select 'filled', max(id) from users; end $f$; call pg_temp.fills();
drop procedure if exists pg_temp.fills();
create function pg_temp.gives() returns bigint language plpgsql as $f$ begin return (select max(id) from users); end $f$; insert into settings (name, number) select 'filled', pg_temp.gives();
drop function if exists pg_temp.gives();
create function pg_temp.gives() returns bigint language plpgsql as $f$ begin return (select max(id) from users); end $f$; create temp view given as select pg_temp.gives() as n; insert into settings (name, number) select 'filled', n from given;
drop view if exists given;
drop function if exists pg_temp.gives();
create temp table ruled (n int);
create function pg_temp.gives() returns bigint language plpgsql as $f$ begin insert into settings (name, number) select 'filled', max(id) from users; return 1; end $f$; create rule giving as on insert to ruled do also select pg_temp.gives(); insert into ruled values (1);
drop table if exists ruled;
drop function if exists pg_temp.gives();
create operator pg_temp.## (rightarg = regclass, function = pg_catalog.nextval); insert into settings (name, number) select 'filled', operator(pg_temp.##) (('users' || '_id_seq')::regclass);
drop operator if exists pg_temp.## (none, regclass);
create function pg_temp.fills() returns void language plpgsql as $f$ begin insert into settings (name, number) select 'filled', max(id) from users; end $f$;
begin;
drop function pg_temp.fills();
select 1;
rollback; do $a$ begin perform pg_temp.fills(); end $a$;
drop function if exists pg_temp.fills();
select number from settings where name = 'filled';
delete from settings where name = 'filled';

-- Policies, range types and checks that run unasked.
create temp table narrowed (n bigint);
insert into narrowed select generate_series(1, 20);
create policy narrowing on narrowed using (n in (select id from users));
alter table narrowed enable row level security;
alter table narrowed force row level security;
select n from narrowed;
insert into narrowed values (3);
drop table if exists narrowed;
create function pg_temp.apart(bigint, bigint) returns float8 immutable language plpgsql as $f$ begin insert into settings (name, number) select 'apart', max(id) from users; return 1; end $f$;
create type pg_temp.span as range (subtype = int8, subtype_diff = pg_temp.apart);
create temp table spans (s span);
insert into spans values ('[1,2)'), ('[2,5)'), ('[3,9)');
analyze spans;
select number from settings where name = 'apart';
drop table if exists spans;
drop type if exists pg_temp.span;
drop function if exists pg_temp.apart(bigint, bigint);
create temp table counted (n int check (nextval('users_id_seq') > 10));
insert into counted values (1);
drop table if exists counted;
create temp table keyed_so as select id from users;
create unique index on keyed_so (id);
create temp table guessing (x bigint); insert into guessing values (1); alter table guessing add foreign key (x) references keyed_so (id);
drop table if exists guessing;
drop table if exists keyed_so;


-- A transaction that is taken back, by which the next of its text was judged.
create temp view back_again as select query_to_xml('select id from users', true, true, '')::text as v; create temp table took (t text);
begin;
drop view back_again;
rollback; do $$ begin insert into took select v from back_again; end $$;
select * from took;
begin; drop view back_again; create temp view back_again as select 'harmless'::text as v;
rollback; insert into took select v from back_again returning t;
begin; drop view back_again; create temp view back_again as select 'harmless'::text as v;
prepare takes as insert into took select v from back_again;
rollback; execute takes;
deallocate takes;
begin; drop view back_again; create temp view back_again as select 'harmless'::text as v;
select 1 / 0;
commit; insert into took select v from back_again returning t;
select * from took;
drop view if exists back_again;
create temp table back_again as select id from users;
begin; drop table back_again; create temp table back_again (id bigint); select id from back_again;
rollback; insert into took select id::text from back_again returning t;
rollback;
select * from took;
drop table if exists back_again; drop table if exists took;

-- A function that is replaced, and called where nothing names it: by what was prepared, by a view, by an open cursor.
create temp table took (t text);
create function pg_temp.turns() returns text language sql strict volatile as 'select ''h''::text limit 1';
prepare takes as insert into took select pg_temp.turns();
create temp view turning as select pg_temp.turns() as v;
create or replace function pg_temp.turns() returns text language sql strict volatile as 'select max(id)::text from users'; execute takes;
create or replace function pg_temp.turns() returns text language sql strict volatile as 'select ''h''::text limit 1';
create or replace function pg_temp.turns() returns text language sql strict volatile as 'select max(id)::text from users'; insert into took select v from turning returning t;
create or replace function pg_temp.turns() returns text language sql strict volatile as 'select ''h''::text limit 1';
begin;
declare turned cursor with hold for select pg_temp.turns() from generate_series(1, 3);
fetch turned;
create or replace function pg_temp.turns() returns text language sql strict volatile as 'select max(id)::text from users';
fetch turned;
commit;
fetch turned; close turned;
rollback;
select * from took;
deallocate takes;
drop view if exists turning; drop function if exists pg_temp.turns(); drop table if exists took;

-- Options of a definition in quotes, and functions in strings.
create function pg_temp.apart(bigint, bigint) returns float8 immutable language plpgsql as $f$ begin return 1; end $f$;
create type pg_temp.span as range (subtype = int8, "subtype_diff" = pg_temp.apart);
do $$ begin create type pg_temp.span as range (subtype = int8, subtype_diff = pg_temp.apart); end $$;
drop type if exists pg_temp.span; drop function if exists pg_temp.apart(bigint, bigint);
create operator pg_temp.#?? (leftarg = tsquery, rightarg = text, function = 'ts_rewrite'); create temp table computed (n int, t text default ('a'::tsquery operator(pg_temp.#??) ('select ''a''::tsquery, plainto_tsquery(string_agg(id::text, '' '')) from us' || 'ers'))::text);
insert into computed (n) values (1) returning t;
begin; drop operator pg_temp.#?? (tsquery, text); select 1;
rollback; create temp table computed (n int, t text default ('a'::tsquery operator(pg_temp.#??) ('select ''a''::tsquery, plainto_tsquery(string_agg(id::text, '' '')) from us' || 'ers'))::text);
insert into computed (n) values (1) returning t;
drop table if exists computed; drop operator if exists pg_temp.#?? (tsquery, text);
