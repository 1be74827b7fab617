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
