The protocol message by message: pipelines, portals, row limits, Describe, Flush, Close, errors
until Sync, several statements in one Query.

-- case: several statements in one query
-- script
select id from users order by id limit 1; select name from tags order by name; select count(*) from orders

-- case: several statements with ids in one query
-- script
select id from users where id = ':users.ann'; update orders set note = 'x' where id = ':orders.one'::uuid returning id, user_id; select id, kind from events where ':users.bob' = any(participant_ids) order by id

-- case: an error in the middle of several statements
-- autocommit
-- fails: 22P02
-- script
insert into tags (name) values ('lost'); select id from tags where id = 'x'; select 1

-- script
select count(*) from tags where name = 'lost'

-- case: a database error in the middle of several statements
-- autocommit
-- fails: 23503
-- script
select id from users where id = ':users.bob'; insert into orders (user_id) values (':fixed.unknown'); select 1

-- case: results in front of a statement that names nothing that is there
-- autocommit
-- fails: 42703
-- script
select count(*), name from tags group by name order by name; select max(user_id) from orders; select nonexistent from tags; select 1

-- case: constants behind changes of the database
-- script
create temp table made (a int); select 1, 'two' as two; drop table made; values (null, true), (1.5, false)

-- case: a refusal in the middle of several statements
-- autocommit
-- refused: 0A000
-- script
insert into tags (name) values ('lost'); select md5(id::text) from tags; select 1

-- case: an empty query and stray semicolons
-- script
;;

-- script
-- wire
query

-- script
select 1;; select id from users where id = ':users.ann';;

-- case: comments between statements
-- script
/* first */ select id from users where id = ':users.ann' /* ; */; select ';', 'a''b;c', $q$;$q$; select id from tags order by id

-- case: a transaction in one query
-- autocommit
-- script
begin; insert into tags (name) values ('a') returning name; rollback; select count(*) from tags

-- case: a commit and more in one query
-- autocommit
-- script
begin; insert into tags (name) values ('b'); commit; select name from tags where id > ':tags.gift' order by id

-- case: several queries sent at once
-- wire
query: select id from users order by id limit 1
query: select id from orders where user_id = ':users.bob' order by id
query: select 1

-- case: a named statement bound several times
-- wire
parse s: select id, name from users where id = $1
describe statement s
bind - s: :users.ann
execute -
bind - s: :users.bob
execute -
bind - s binary: :fixed.unknown
execute -
sync

-- case: formats change from bind to bind
-- wire
parse s: select id, participant_ids from events where actor_id = $1
bind - s text: :users.ann
execute -
bind - s binary uuid: :users.bob
execute -
bind - s text uuid: :users.bob
describe portal -
execute -
bind - s binary: :users.ann
describe portal -
execute -
sync

-- case: a pipeline of reads and writes
-- wire
parse - uuid text: insert into orders (user_id, status) values ($1, $2) returning id, user_id, status
bind - -: :users.ann, 'a'
execute -
bind - -: :users.bob, 'b'
execute -
sync
parse -: select count(*) from orders where user_id = $1
bind - -: :users.ann
execute -
sync

-- case: an error in a pipeline skips to the next sync
-- autocommit
-- fails: 22P02
-- wire
parse -: select id from users where id = $1
bind - -: :users.ann
execute -
bind - -: bad
execute -
bind - -: :users.bob
execute -
sync
parse -: select id from users where id = $1
bind - -: :users.cai
execute -
sync

-- case: a foreign key error in a pipeline
-- autocommit
-- fails: 23503
-- early
-- wire
parse -: insert into orders (user_id, status) values ($1, 'x')
bind - -: :users.ann
execute -
bind - -: :fixed.unknown
execute -
parse never: select 1
sync
parse -: select count(*) from orders
bind - -
execute -
sync

-- case: a refusal in a pipeline skips to the next sync
-- autocommit
-- refused: 0A000
-- wire
parse -: select id from users where id = $1
bind - -: :users.ann
execute -
parse -: select md5(id::text) from users
bind - -
execute -
sync

-- case: after a refusal the session goes on
-- wire
parse good: select id from users where id = $1
sync
bind - good: :users.ann
execute -
sync

-- case: a query inside a failed pipeline is skipped
-- autocommit
-- fails: 22P02
-- wire
parse -: select id from users where id = 'bad'
skipped query: select id from users order by id
sync
query: select id from tags order by id

-- case: a portal is read in steps
-- wire
parse s: select id, name from users order by id
bind p s
describe portal p
execute p 2
execute p 2
execute p 2
sync

-- case: a portal is read across syncs in a transaction
-- wire
parse s: select id from users where id > $1 order by id
bind p s: :fixed.nil
execute p 1
sync
execute p 3
sync
execute p
sync
close portal p
sync

-- case: a portal does not survive its transaction
-- autocommit
-- fails: 34000
-- wire
parse s: select id from users order by id
bind p s
execute p 1
sync
execute p 1
sync

-- case: two portals are read in turns
-- wire
parse u: select id from users order by id
parse o: select id, user_id from orders order by id
bind pu u
bind po o binary
execute pu 1
execute po 1
execute pu 1
execute po 1
sync

-- case: a parameter is described before anything ran
-- wire
parse s: select orders.id, user_id, status, participant_ids from orders, events where orders.user_id = $1 and participant_ids = $2 and status = $3 and orders.id = any($4)
describe statement s
sync

-- case: an insert is described before it ran
-- wire
parse s: insert into events (kind, actor_id, participant_ids) values ($1, $2, $3) returning id, actor_id
describe statement s
sync
describe statement s
bind - s: 'x', :users.ann, {:users.bob}
describe portal -
execute -
describe portal -
sync

-- case: a probe of the columns as copies make it
-- wire
parse s: select id, user_id, status from orders limit 1
describe statement s
sync
close statement s
sync

-- case: declared types are described as they were declared
-- wire
parse s uuid int4: select id from users where id = $1 limit $2
describe statement s
bind - s uuid int4: :users.ann, 1
execute -
sync

-- case: a type declared as unknown is described as uuid
-- wire
parse s unknown text: select id from users where id = $1 and name = $2
describe statement s
bind - s: :users.ann, 'Ann'
execute -
sync

-- case: statements without results are described
-- wire
parse s: update users set name = 'x' where id = $1
describe statement s
bind - s: :users.ann
describe portal -
execute -
sync

-- case: flush brings answers without sync
-- wire
parse s: select id from users where id = $1
describe statement s
flush
wait 3
bind - s: :users.ann
flush
wait 1
execute -
flush
wait 2
sync

-- case: a parse of a name in use fails
-- autocommit
-- fails: 42P05
-- wire
parse twice: select id from users
sync
parse twice: select id from orders
sync
bind - twice
execute - 1
sync

-- case: a closed statement is gone
-- autocommit
-- fails: 26000
-- wire
parse gone: select id from users
close statement gone
sync
bind - gone
sync

-- case: what was never there can be closed
-- wire
close statement nobody
close portal nobody
sync

-- case: a statement and a portal that nobody knows
-- autocommit
-- fails: 26000 34000
-- wire
bind - unknown: :users.ann
sync
execute unknown
sync
describe statement unknown
sync
describe portal unknown
sync

-- case: a parse that failed leaves nothing behind
-- autocommit
-- fails: 42703
-- wire
parse broken: select nothing from users
sync
parse broken: select id from users order by id
describe statement broken
bind - broken
execute - 2
sync

-- case: a refused parse leaves nothing behind
-- autocommit
-- wire
parse fresh: select id from users order by id
bind - fresh
execute - 1
sync

-- case: too few and too many parameters
-- autocommit
-- fails: 08P01
-- wire
parse s: select id from users where id = $1
bind - s
sync
bind - s: :users.ann, :users.bob
sync
bind - s: :users.ann
execute -
sync

-- case: a binary uuid of a wrong length
-- autocommit
-- fails: 22P03 08P01
-- wire
parse s: select id from users where id = $1
bind - s int8: 42
execute -
sync

-- case: a binary text where the id is cast
-- wire
parse s text: select id from users where id = $1::uuid
describe statement s
bind - s text text: :users.ann
execute -
sync

-- case: the unnamed statement is replaced
-- wire
parse -: select id from users where id = $1
parse -: select id, user_id from orders where user_id = $1 order by id
bind - -: :users.bob
describe portal -
execute -
sync
describe statement -
sync

-- case: an empty statement
-- wire
parse -
describe statement -
bind - -
describe portal -
execute -
sync

-- case: sql prepare of what holds no ids, bound by name
-- wire
query: prepare plain (int) as select $1 + 1
bind - plain: 41
execute -
sync
query: execute plain(1)
query: deallocate plain

-- case: discard drops the statements
-- autocommit
-- fails: 26000
-- wire
parse s: select id from users
sync
query: discard all
bind - s
sync

-- case: a function call by its oid
-- autocommit
-- refused: 0A000
-- wire
call user_email: :users.ann

-- case: a function call of a built-in function
-- autocommit
-- refused: 0A000
-- wire
call int4pl(integer, integer): 1, 2

-- case: deferred work of a pipeline fails at its sync
-- autocommit
-- wire
query: begin
parse -: select id from users where id = $1
bind - -: :users.ann
execute -
sync
query: commit

-- case: a fetch through simple cursors of clean tables
-- script
begin; declare c cursor for select name from settings order by name; fetch all from c; commit

-- case: copy of a clean table
-- script
copy settings (name, weight) to stdout

-- case: copy of a protected table out
-- script
copy users to stdout

-- case: copy of a query over a protected table
-- script
copy (select id from users) to stdout

-- case: a copy among several statements
-- script
select 1; copy orders (id) to stdout; select 2
