What only ids do that are uuids where keys are text.

-- case: no text is behind all keys, so nothing stands for the end of a range
-- with: 'ffffffff-ffff-ffff-ffff-ffffffffffff'
-- refused: 22023
select name from owners where id < $1;
-- refused: 22023
-- early
select name from owners where id between '00000000-0000-0000-0000-000000000000' and 'ffffffff-ffff-ffff-ffff-ffffffffffff';
-- refused: 22023
-- early
select name from owners where array[id] <= array['ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid];
-- refused: 22023
-- early
select rank('ffffffff-ffff-ffff-ffff-ffffffffffff') within group (order by id) from owners;
select name from owners where id = 'ffffffff-ffff-ffff-ffff-ffffffffffff' or id > '00000000-0000-0000-0000-000000000000' order by id;
