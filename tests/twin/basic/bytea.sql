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
