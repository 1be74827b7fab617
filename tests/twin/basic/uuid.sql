What only ids that are uuids do.

-- case: every spelling of a uuid
-- with: :owners.ann/upper
select name from owners where id = $1;
-- with: :owners.ann/hex
select name from owners where id = $1;
-- with: :owners.ann/braced
select name from owners where id = $1;

-- case: what is no uuid is an error
-- note: the value that fails in its place, where keys are text, is not quoted by Postgres
-- with: 'nonsense'
-- fails: 22P02
-- except: context
select name from owners where id = $1;
-- fails: 22P02
-- early
select name from owners where id = 'nonsense';
-- fails: 22P02
-- early
select name from owners where id = '42';

-- case: uuids have no arithmetic
-- fails: 42883
select id + 1 from owners;

-- case: text and json that are built from ids
select id::text, 'owner ' || id, concat(id, '/', referrer_id) from owners o order by o.id;
select json_build_object('id', id, 'name', name), to_jsonb(o) from owners o order by id;
select json_agg(t order by t.id), string_agg(t.id::text, ',' order by t.id) from things t;
select array_to_string(watcher_ids, ','), to_json(watcher_ids) from things order by id;

-- case: a value that nobody issued bounds no range
-- with: '7d3f0b52-9a41-0c68-01de-5e2f8c90a7b4'
-- refused: 22023
select name from owners where id > $1;
-- with: '7d3f0b52-9a41-0c68-01de-5e2f8c90a7b4', :owners.bob
-- refused: 22023
select name from owners where id between $1 and $2;
-- with: '7d3f0b52-9a41-0c68-01de-5e2f8c90a7b4'
-- refused: 22023
select label from things where (owner_id, label) >= ($1, 'a');
-- refused: 22023
-- early
select name from owners where id < '12345678-9abc-0def-0123-456789abcdef';
-- refused: 22023
-- early
select name from owners where id between '00000000-0000-0000-0000-000000000000' and 'f2345678-9abc-0def-0123-456789abcdef';
-- refused: 22023
-- early
select greatest(id, '12345678-9abc-0def-0123-456789abcdef') from owners;
-- with: '7d3f0b52-9a41-0c68-01de-5e2f8c90a7b4'
-- refused: 22023
select least(id, $1) from owners;

-- case: what is before all ids bounds a range
-- with: '00000000-0000-0000-0000-000000000000'
select name from owners where id > $1 order by id;
select name from owners where id >= '00000000-0000-0000-0000-000000000000' order by id;
select name from owners where id < '00000000-0000-0000-0000-000000000000' or id = '12345678-9abc-0def-0123-456789abcdef';
select name from owners where id between '00000000-0000-0000-0000-000000000000' and ':owners.bob' and id <> '12345678-9abc-0def-0123-456789abcdef' order by id;
