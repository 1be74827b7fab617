Reading by id: parameters, literals, casts, lists, arrays, row comparisons and NULL tests.

-- case: a parameter finds its row
-- with: :users.ann
select id, email, auth_subject from users where id = $1;

-- case: the parameter may stand on the left
-- with: :orders.two
select id, user_id, status from orders where $1 = id;

-- case: a literal finds its row
select id, email from users where id = ':users.bob';

-- case: a literal with a cast finds its row
select id, email from users where id = ':users.bob'::uuid;

-- case: the three other ways to write a typed literal
select id from users where id = uuid ':users.bob';
select id from users where id = cast(':users.bob' as uuid);
select id from users where id = ':users.ann'::pg_catalog.uuid;

-- case: an escape string and a dollar-quoted string hold ids
select name from users where id = E':users.bob';
select name from users where id = $id$:users.ann$id$;
select name from users where id = U&':users.cai';

-- case: a string continued on the next line is one id
-- modes: simple text
select name from users where id = ''
':users.bob';

-- case: a parameter with a cast finds its row
-- with: :users.cai
select id, name from users where id = $1::uuid;
-- with: :users.cai
select id, name from users where id = cast($1 as uuid);

-- case: an optional parameter is tested for NULL and compared
-- with: :users.ann
select name from users where ($1::uuid is null or id = $1) order by id;
-- with: null
select name from users where ($1::uuid is null or id = $1) order by id;

-- case: a parameter that is NULL finds nothing
-- with: null
select name from users where id = $1;

-- case: a list of parameters
-- with: :users.ann, :users.dee, :users.cai
select id, name from users where id in ($1, $2, $3) order by id;

-- case: a list of literals, with and without casts
select id, name from users where id in (':users.ann', ':users.dee'::uuid, uuid ':users.eli') order by id;

-- case: a list to be left out
-- with: :users.ann
select id from users where id not in ($1, ':users.bob') order by id desc;

-- case: any of an array parameter
-- with: {:users.ann,:users.eli}
select id, name from users where id = any($1) order by id;

-- case: any of an array parameter with a cast
-- with: {:users.ann,:users.eli,NULL}
select id, name from users where id = any($1::uuid[]) order by id;

-- case: any of an empty array
-- with: {}
select id, name from users where id = any($1::uuid[]) order by id;

-- case: any of an array literal
select id from users where id = any('{:users.ann,:users.bob}') order by id;
select id from users where id = any('{":users.ann",":users.bob"}'::uuid[]) order by id;

-- case: any of an array constructor
-- with: :users.ann
select id from users where id = any(array[$1, ':users.bob']::uuid[]) order by id;
select id from users where id = any(array[':users.ann', ':users.cai'::uuid]) order by id;

-- case: all of an array
-- with: {:users.ann,:users.eli}
select id from users where id <> all($1) order by id;

-- case: an id is in the array of the column
-- with: :users.bob
select id, kind from events where $1 = any(participant_ids) order by id;

-- case: the array of the column contains an array
-- with: :users.bob
select id, kind from events where participant_ids @> array[$1]::uuid[] order by id;
-- with: {:users.bob,:users.ann}
select id, kind from events where participant_ids @> $1 order by id;
select id, kind from events where participant_ids && '{:users.cai,:users.dee}' order by id;

-- case: arrays of ids are equal, and empty
-- with: {:users.ann,:users.bob}
select id from events where participant_ids = $1 order by id;
select id from events where participant_ids = '{}' order by id;
select id from events where participant_ids <> '{:users.cai}'::uuid[] order by id;

-- case: between two ids
-- with: :users.bob, :users.dee
select id from users where id between $1 and $2 order by id;
-- with: :users.bob
select id from users where id not between $1 and ':users.dee' order by id;

-- case: each comparison of an id
-- with: :users.cai
select id from users where id < $1 order by id;
-- with: :users.cai
select id from users where id <= $1 order by id;
-- with: :users.cai
select id from users where id > $1 order by id;
-- with: :users.cai
select id from users where id >= $1 order by id;
-- with: :users.cai
select id from users where id <> $1 order by id;
-- with: :users.cai
select id from users where id != $1 order by id;

-- case: is distinct from an id
-- with: :users.ann
select id, owner_id from teams where owner_id is distinct from $1 order by id;
-- with: :users.ann
select id, owner_id from teams where owner_id is not distinct from $1 order by id;

-- case: an id is NULL or not
select id, owner_id from teams where owner_id is null order by id;
select id, owner_id from teams where owner_id is not null order by id;

-- case: rows of ids are equal
-- with: :teams.red, :users.bob
select role from memberships where (team_id, user_id) = ($1, $2);
select role from memberships where (team_id, user_id) = (':teams.blue', ':users.bob');

-- case: rows of ids are in a list
-- with: :teams.red, :users.bob, :teams.blue, :users.cai
select team_id, user_id, role from memberships where (team_id, user_id) in (($1, $2), ($3, $4)) order by team_id, user_id;

-- case: a row comparison of a time and an id
-- with: '2026-02-03 10:00:00Z', :orders.three
select id, placed_at from orders where (placed_at, id) < ($1::timestamptz, $2) order by placed_at desc, id desc limit 2;

-- case: boolean combinations
-- with: :users.ann, :users.bob
select id from users where (id = $1 or id = $2) and not (id = $1 and is_active) order by id;

-- case: the result of a comparison is a column
-- with: :users.bob
select name, id = $1 as is_bob, id <> ':users.ann' as not_ann, id in ($1) from users order by id;

-- case: a condition on a quoted name in another case
select "users"."id" as "Id" from "users" where "users"."id" = ':users.ann';
SELECT ID, EMAIL FROM USERS WHERE ID = ':users.ann';

-- case: comments and odd spacing around an id
-- with: :users.ann
select/* an id */id/**/,name from users where/*'*/id=$1-- the end '
  and true;

-- case: a limit and an offset beside an id
-- with: :users.ann, 2, 1
select id from users where id > $1 order by id limit $2 offset $3;

-- case: for update
-- with: :orders.one
select id, user_id from orders where id = $1 for update;
select id, user_id from orders where id = ':orders.two' for no key update of orders skip locked;
