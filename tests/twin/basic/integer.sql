What only ids that are integers do.

-- case: a number finds its row
select id, name from owners where id = :owners.bob;
select id, name from owners where id in (:owners.ann, :owners.cai) order by id;
insert into things (owner_id, label) values (:owners.dee, 'cap') returning id, owner_id;

-- case: what is no number is an error
-- with: 'nonsense'
-- fails: 22P02
select name from owners where id = $1;
-- fails: 22P02
-- early
select name from owners where id = 'nonsense';

-- case: numbers beside ids stay numbers
-- with: :owners.ann, 2
select id, size + 1, 42 from things where owner_id = $1 and size < $2 order by id limit 1;

-- case: arithmetic on ids is refused
-- refused: 0A000
select id + 1 from owners;
-- refused: 0A000
select sum(id) from owners;

-- case: text that is built from ids
select id::text, 'owner ' || id, concat(id, '/', referrer_id) from owners o order by o.id;
select string_agg(t.id::text, ',' order by t.id) from things t;
-- refused: 0A000
select json_build_object('id', id) from owners;
