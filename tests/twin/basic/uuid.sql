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

-- case: a value that nobody issued bounds no range in whatever way it is compared
-- refused: 22023
-- early
select name from owners where array[id] > array['12345678-9abc-0def-0123-456789abcdef'::{shown}];
-- refused: 22023
-- early
select name from owners where array[id] < '{12345678-9abc-0def-0123-456789abcdef}';
-- refused: 22023
-- early
select name from owners where array[id, id]::{shown}[] >= array['12345678-9abc-0def-0123-456789abcdef', '12345678-9abc-0def-0123-456789abcdef']::{shown}[];
-- refused: 22023
-- early
select name from owners where array[id] between array['12345678-9abc-0def-0123-456789abcdef'::{shown}] and array[id];
-- refused: 22023
-- early
select name from owners where row(array[id]) > row(array['12345678-9abc-0def-0123-456789abcdef'::{shown}]);
-- refused: 22023
-- early
select name from owners where row(id, name) <= row('12345678-9abc-0def-0123-456789abcdef'::{shown}, 'a');
-- refused: 22023
-- early
select name from owners where id between symmetric '12345678-9abc-0def-0123-456789abcdef' and ':owners.bob';
-- refused: 22023
-- early
select name from owners where id > any (array['12345678-9abc-0def-0123-456789abcdef'::{shown}]);
-- refused: 22023
-- early
select name from owners where id <= all (values ('12345678-9abc-0def-0123-456789abcdef'::{shown}));
-- refused: 22023
-- early
select name from owners where id < (select '12345678-9abc-0def-0123-456789abcdef'::{shown});
-- refused: 22023
-- early
select greatest(array[id], array['12345678-9abc-0def-0123-456789abcdef'::{shown}]) from owners;
-- refused: 22023
-- early
select name from owners where id > greatest(id, '12345678-9abc-0def-0123-456789abcdef');
-- refused: 22023
-- early
select * from behind('12345678-9abc-0def-0123-456789abcdef');
-- refused: 22023
-- early
select rank('12345678-9abc-0def-0123-456789abcdef') within group (order by id) from owners;
-- refused: 22023
-- early
select dense_rank('12345678-9abc-0def-0123-456789abcdef') within group (order by id desc) from owners;
-- refused: 22023
-- early
select percent_rank('a', '12345678-9abc-0def-0123-456789abcdef') within group (order by name, id) from owners;
-- refused: 22023
-- early
select cume_dist('12345678-9abc-0def-0123-456789abcdef') within group (order by id) from owners;
-- refused: 22023
-- early
select o.name from owners o, (values ('12345678-9abc-0def-0123-456789abcdef'::{shown})) v(x) where o.id <> v.x and o.id > v.x;
-- with: '12345678-9abc-0def-0123-456789abcdef'
-- refused: 22023
select name from owners where array[id]::{shown}[] > array[$1]::{shown}[];
-- with: {12345678-9abc-0def-0123-456789abcdef}
-- refused: 22023
select name from owners where array[id] > $1;
-- with: {12345678-9abc-0def-0123-456789abcdef}
-- refused: 22023
select name from owners where id > any ($1);
-- with: '12345678-9abc-0def-0123-456789abcdef'
-- refused: 22023
select rank($1) within group (order by id) from owners;
-- with: '12345678-9abc-0def-0123-456789abcdef'
-- refused: 22023
select name from owners where id between symmetric $1 and ':owners.bob';

-- case: what is before all ids bounds a range in whatever way it is compared
select name from owners where array[id] > '{00000000-0000-0000-0000-000000000000}' and (id, name) > ('00000000-0000-0000-0000-000000000000', 'z') order by id;
select name from owners where id between symmetric ':owners.bob' and '00000000-0000-0000-0000-000000000000' order by id;
select rank('00000000-0000-0000-0000-000000000000') within group (order by id), cume_dist('00000000-0000-0000-0000-000000000000') within group (order by id) from owners;
-- with: {00000000-0000-0000-0000-000000000000}
select name from owners where array[id] >= $1 order by id;

-- case: what is behind all ids bounds a range
select name from owners where id <= 'ffffffff-ffff-ffff-ffff-ffffffffffff' and array[id] < array['ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid] order by id;
select name from owners where id between symmetric 'ffffffff-ffff-ffff-ffff-ffffffffffff' and '00000000-0000-0000-0000-000000000000' order by id;
select name from owners where (id, name) <= ('ffffffff-ffff-ffff-ffff-ffffffffffff', 'z') and id < all (array['ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid]) order by id;
select rank('ffffffff-ffff-ffff-ffff-ffffffffffff') within group (order by id), percent_rank('ffffffff-ffff-ffff-ffff-ffffffffffff') within group (order by id) from owners;
-- with: ffffffff-ffff-ffff-ffff-ffffffffffff
select name from owners where id < $1 and least(id, $1) = id order by id;
