Statements and cursors under names of SQL: PREPARE and EXECUTE, DECLARE and FETCH.

-- case: a statement prepared in sql
-- modes: simple text declared binary
deallocate all;
prepare p as select id, name from users where id = $1;
execute p(':users.ann');
execute p(':users.bob'::uuid);
execute p(null);
execute p(':fixed.unknown');
-- fails: 22P02
-- early
execute p('42');
execute p(uuid ':users.bob');
deallocate p;
-- fails: 26000
execute p(':users.ann');

-- case: a statement prepared in sql with types
-- modes: simple text declared binary
deallocate all;
prepare p (text, uuid[], uuid) as select id, user_id from orders where status <> $1 and user_id = any($2) and id <> $3 order by id;
execute p('none', '{:users.ann,:users.bob}', ':orders.one');
execute p('none', array[]::uuid[], null);
execute p('none', array[':users.ann', ':users.bob']::uuid[], ':orders.one');
execute p('none', array[':users.ann', null]::uuid[], null);
deallocate all;

-- case: types of some parameters
-- modes: simple text declared binary
deallocate all;
prepare p (bigint) as select id from users where login_count >= $1 and id <> $2 order by id;
execute p(0, ':users.ann');

-- case: arguments that are lists, patterns and optional ids
-- modes: simple text declared binary
deallocate all;
prepare listed (text) as select name from users where id = any(string_to_array($1, ',')::uuid[]) order by id;
execute listed(':users.ann,:users.bob');
execute listed(':users.ann'::text);
execute listed('');
execute listed(null);
-- fails: 22P02
-- early
-- except: message position
execute listed('7001,7002');
prepare optional (text) as select name from users where id = nullif($1, '')::uuid order by id;
execute optional(':users.bob');
execute optional('');
-- fails: 22P02
-- early
-- except: message position
execute optional('7001');
prepare texts (text[]) as select name from users where id = any($1::uuid[]) order by id;
execute texts('{:users.ann,:users.bob,null}');
execute texts('{:users.ann}'::text[]);
execute texts('{}');
-- fails: 22P02
-- early
-- except: message position
execute texts('{7001}');
prepare sought (text) as select name from users where id::text like $1 order by id;
execute sought(':users.ann');
execute sought('x');
deallocate all;

-- case: an argument that is computed
-- modes: simple text declared binary
deallocate all;
prepare p (text, uuid) as select id from users where name <> $1 and id <> $2 order by id;
execute p(lower('ANN'), ':users.ann');
execute p(lower('ANN') || 'a', uuid ':users.ann');

-- case: an argument that is a computed id
-- modes: simple text declared binary
deallocate all;
prepare p (text, uuid) as select id from users where name <> $1 and id <> $2 order by id;
-- refused: 0A000
execute p('x', coalesce(null, ':users.ann')::uuid);

-- case: writing by a statement prepared in sql
-- modes: simple text declared binary
deallocate all;
prepare p as insert into orders (user_id, note) values ($1, $2) returning user_id, note;
execute p(':users.ann', 'first');
-- fails: 23503
-- early
execute p(':fixed.unknown', 'second');
prepare u (uuid, text) as update orders set note = $2 where user_id = $1 returning note;
execute u(':users.ann', 'third');
select count(*) from orders where note = 'third';

-- case: a statement of the protocol executed in sql
-- fails: 22P02
-- wire
parse s: select id, name from users where id = $1
sync
query: execute s(':users.ann')
query: execute s(':fixed.unknown')
query: execute s('42')

-- case: a statement of sql executed by the protocol
-- wire
query: prepare s (uuid) as select id, name from users where id = $1
describe statement s
bind - s: :users.ann
execute -
bind - s binary: :users.bob
describe portal -
execute -
sync
query: deallocate s

-- case: a name that is used again
-- wire
query: prepare s as select id from users order by id limit 1
query: execute s
query: deallocate s
query: prepare s as select name, id from teams order by id limit 1
query: execute s
query: deallocate s
parse s: select max(id::text) from settings, (select 'x' as id) t
sync
query: deallocate s

-- case: a name that is taken
-- autocommit
-- fails: 42P05
-- wire
query: begin
query: prepare s as select id from users order by id limit 1
query: savepoint a
query: prepare s as select name from users order by id limit 1
query: rollback to a
query: execute s
query: execute s
query: commit
query: deallocate s

-- case: prepared and executed in one query
-- script
prepare s as select id from users order by id limit 2; execute s; deallocate s

-- case: a cursor
-- modes: simple text declared binary
declare c cursor for select id, name from users where id > ':users.ann' order by id;
fetch c;
fetch next from c;
fetch forward 2 in c;
move 1 in c;
fetch all from c;
close c;
-- fails: 34000
fetch c;

-- case: a cursor that scrolls
-- modes: simple text declared binary
declare "My Cursor" scroll cursor without hold for select user_id, array_agg(id order by id) from orders group by user_id order by user_id;
fetch last from "My Cursor";
fetch prior "My Cursor";
fetch absolute 1 from "My Cursor";
fetch relative 1 from "My Cursor";
fetch backward all from "My Cursor";

-- case: a cursor over what has no origin
-- modes: simple text declared binary
declare c no scroll cursor for select max(id) as last, count(*) from users union all select min(id), 1 from users order by 2;
fetch 5 from c;

-- case: a cursor with parameters
-- modes: text declared binary
-- with: :users.ann
declare c cursor for select id, user_id from orders where user_id = $1 order by id;
fetch all from c;

-- case: a cursor and an id that is unknown
-- modes: simple text declared binary
declare c cursor for select ':fixed.unknown'::uuid as a, id from users where id <> ':fixed.unknown' order by id;
fetch 1 from c;

-- case: rows at a cursor
-- modes: simple text declared binary
declare c cursor for select id, note from orders order by id for update;
fetch c;
update orders set note = 'here' where current of c returning id, note;
fetch c;

-- case: a cursor that is held
-- autocommit
-- fails: 34000
-- wire
query: begin
query: declare c cursor with hold for select id from users order by id
query: commit
query: fetch 1 from c
query: begin
query: fetch 1 from c
query: rollback
query: fetch 1 from c
query: close c
query: fetch 1 from c

-- case: a held cursor outside of a transaction
-- autocommit
-- fails: 42P03
-- wire
query: declare c cursor with hold for select id, name from teams order by id
query: fetch 1 from c
query: declare c cursor with hold for select name, id from users order by id
query: fetch 1 from c
query: close all

-- case: a cursor is described and executed by the protocol
-- autocommit
-- wire
query: begin
query: declare c cursor for select id, max(user_id) over () as top from orders order by id
describe portal c
execute c 1
execute c 1
sync
parse -: fetch forward 1 from c
bind - - binary
describe portal -
execute -
sync
query: commit

-- case: a cursor is declared and read in one batch
-- autocommit
-- wire
query: begin
parse -: declare c cursor for select id from users order by id
bind - -
execute -
parse -: fetch 2 from c
describe statement -
bind - -
execute -
sync
query: commit

-- case: a cursor that another one of its name replaces
-- autocommit
-- fails: 42P03
-- wire
query: begin
query: declare c cursor for select max(id) from users
query: savepoint a
query: declare c cursor for select 1
query: rollback to a
query: fetch c
query: close c
query: declare c cursor for select 'x', min(id) from users
query: fetch c
query: rollback

-- case: cursors of binary rows
-- modes: simple
declare c binary cursor for select id, user_id from orders order by id;
fetch 2 from c;

-- case: a cursor in one query
-- script
begin; declare c cursor for select id from users order by id; fetch 2 from c; commit

-- case: what is left under a name is a query
-- autocommit
-- fails: 42601
-- wire
query: declare c cursor for create table made (id bigint)
query: prepare p as drop table users
query: prepare p as show search_path
query: select id from users order by id

-- case: an item goes on behind words that begin a clause elsewhere
select case when true then (select (d.body #>> '{user,id}')::uuid from letters d where d.body #>> '{user,id}' = ':users.eli' limit 1) else mode() within group (order by id) end from users;
select case when c.id is distinct from c.parent_id then c.parent_id::text else c.id::text end from comments c order by c.id;
select case when x.id = ':comments.root' then (x.id::text)::uuid else x.group end from (select id, parent_id as "group" from comments) x order by x.id;
select x.group::text, x.order::text::uuid from (select id, parent_id as "group", order_id as "order" from comments) x order by x.id;
