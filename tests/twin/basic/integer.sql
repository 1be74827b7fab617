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

-- case: numbers that nobody was given bound all ids or none
select name from owners where id > 0 order by id;
select name from owners where id > -1 and id >= 0 and id >= 1 order by id;
select name from owners where 0 < id and 1 <= id and not id <= 0 order by id;
select name from owners where id < 0 or id <= -1 or 0 >= id;
select name from owners where id between 1 and 9223372036854775807 order by id;
select name from owners where id not between 1 and 9223372036854775807;
select count(*) from things where owner_id between 0 and 9223372036854775807 and owner_id < 9223372036854775807;
-- with: 0
select name from owners where id > $1 order by id limit 2;
-- with: -1
select name from owners where id > $1 order by id limit 2;
-- with: :owners.bob
select name from owners where id > $1 order by id limit 2;
-- with: 0
select count(*) from owners where id >= $1 and owners.id < 9223372036854775807;
select o.name from owners o left join owners r on r.id = o.referrer_id where coalesce(o.referrer_id, 0) = 0 order by o.id;
select count(*) from owners where referrer_id = 0 or referrer_id = -1 or id = 0;
select name from owners where (id, name) > (0, '') order by id;
select name from owners where id > any (array[0, -1]) order by id;
