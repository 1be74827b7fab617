What only ids that are bytes do.

-- case: bytes that are no id find nothing
-- with: '\x00'
select name from owners where id = $1;
select name from owners where id = '\xdeadbeef';

-- case: parts of an id are refused
-- refused: 0A000
select substring(id from 1 for 4) from owners;
-- refused: 0A000
select encode(id, 'hex') from owners;
-- refused: 0A000
select length(id) from owners;

-- case: a value that nobody issued bounds no range
-- with: '\x00'
-- refused: 22023
select name from owners where id > $1;
-- with: '\x00', :owners.bob
-- refused: 22023
select name from owners where id between $1 and $2;
-- with: '\x00'
-- refused: 22023
select label from things where (owner_id, label) >= ($1, 'a');
-- refused: 22023
-- early
select name from owners where id < '\x01';
-- refused: 22023
-- early
select name from owners where id between '\x' and '\xff';
-- refused: 22023
-- early
select greatest(id, '\x01') from owners;
-- with: '\x00'
-- refused: 22023
select least(id, $1) from owners;

-- case: what is before all ids bounds a range
-- with: '\x'
select name from owners where id > $1 order by id;
select name from owners where id >= '\x' order by id;
select name from owners where id < '\x' or id = '\x01';
select name from owners where id between '\x' and ':owners.bob' and id <> '\x01' order by id;

-- case: a value that nobody issued bounds no range in whatever way it is compared
-- refused: 22023
-- early
select name from owners where array[id] > array['\x01'::{shown}];
-- refused: 22023
-- early
select name from owners where array[id] < '{"\\x01"}';
-- refused: 22023
-- early
select name from owners where array[id, id]::{shown}[] >= array['\x01', '\x01']::{shown}[];
-- refused: 22023
-- early
select name from owners where array[id] between array['\x01'::{shown}] and array[id];
-- refused: 22023
-- early
select name from owners where row(array[id]) > row(array['\x01'::{shown}]);
-- refused: 22023
-- early
select name from owners where row(id, name) <= row('\x01'::{shown}, 'a');
-- refused: 22023
-- early
select name from owners where id between symmetric '\x01' and ':owners.bob';
-- refused: 22023
-- early
select name from owners where id > any (array['\x01'::{shown}]);
-- refused: 22023
-- early
select name from owners where id <= all (values ('\x01'::{shown}));
-- refused: 22023
-- early
select name from owners where id < (select '\x01'::{shown});
-- refused: 22023
-- early
select greatest(array[id], array['\x01'::{shown}]) from owners;
-- refused: 22023
-- early
select name from owners where id > greatest(id, '\x01');
-- refused: 22023
-- early
select * from behind('\x01');
-- refused: 22023
-- early
select rank('\x01') within group (order by id) from owners;
-- refused: 22023
-- early
select dense_rank('\x01') within group (order by id desc) from owners;
-- refused: 22023
-- early
select percent_rank('a', '\x01') within group (order by name, id) from owners;
-- refused: 22023
-- early
select cume_dist('\x01') within group (order by id) from owners;
-- refused: 22023
-- early
select o.name from owners o, (values ('\x01'::{shown})) v(x) where o.id <> v.x and o.id > v.x;
-- with: '\x01'
-- refused: 22023
select name from owners where array[id]::{shown}[] > array[$1]::{shown}[];
-- with: {\x01}
-- refused: 22023
select name from owners where array[id] > $1;
-- with: {\x01}
-- refused: 22023
select name from owners where id > any ($1);
-- with: '\x01'
-- refused: 22023
select rank($1) within group (order by id) from owners;
-- with: '\x01'
-- refused: 22023
select name from owners where id between symmetric $1 and ':owners.bob';
-- refused: 0A000
select json_build_object('k', id::text) from owners;
-- refused: 0A000
select array_agg(id::text)::text from owners;
-- refused: 0A000
select to_json('x' || id::text) from owners;

-- case: what is before all ids bounds a range in whatever way it is compared
select name from owners where array[id] > array['\x'::bytea] and (id, name) > ('\x', 'z') and id > all (array['\x'::bytea]) order by id;
select name from owners where id between symmetric ':owners.bob' and '\x' order by id;
select rank('\x') within group (order by id), percent_rank('\x') within group (order by id) from owners;
