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
