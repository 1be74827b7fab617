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
