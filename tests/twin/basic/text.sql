What only ids that are text do.

-- case: a text that is no id finds nothing
-- with: 'nonsense'
select name from owners where id = $1;
select name from owners where id = 'it''s no id';
select name from owners where id = '';
-- with: '42'
select name from owners where id = $1;

-- case: an id is text already
-- with: :owners.bob
select id::text, name from owners where id::text = $1;
select cast(id as text) from owners order by id;

-- case: a text that is no id is not stored
-- with: 'nonsense'
-- fails: 23503
-- early
insert into things (owner_id, label) values ($1, 'ghost');

-- case: a text can't be compared with a number
-- fails: 42883
select name from owners where id = 42;

-- case: parts of an id are refused
-- refused: 0A000
select left(id, 4) from owners;
-- refused: 0A000
select name from owners where id like 'a%';
-- refused: 0A000
select upper(id) from owners;

-- case: text and json that are built from ids
select 'owner ' || id, concat(id, '/', referrer_id) from owners order by id;
select json_build_object('id', id, 'name', name), to_jsonb(o) from owners o order by id;
select json_agg(t order by t.id), string_agg(t.id, ',' order by t.id) from things t;
select array_to_string(watcher_ids, ','), to_json(watcher_ids) from things order by id;
