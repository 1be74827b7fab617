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

-- case: text that is cut to fewer characters than ids have is none of them
-- with: :owners.bob
select name from owners where id = $1::varchar(100);
-- with: :owners.bob
select name from owners where id = any (array[cast($1 as character varying(66))]);
select name from owners where id = ':owners.bob'::varchar(70);
select name from owners where id::varchar(66) = ':owners.bob';
-- with: :owners.bob
-- refused: 0A000
select name from owners where id = $1::varchar(10);
-- with: {:owners.bob}
-- refused: 0A000
select name from owners where id = any ($1::varchar(21)[]);
-- with: :owners.bob
-- refused: 0A000
select name from owners where id = coalesce($1::varchar(20), '');
-- refused: 0A000
select name from owners where id = ':owners.bob'::varchar(10);
-- refused: 0A000
select name from owners where id = varchar(10) ':owners.bob';
-- refused: 0A000
select name from owners where id in ('x', cast(':owners.bob' as character varying(12)));
-- with: :owners.bob
-- refused: 0A000
select name from owners where id = $1::char(5);

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

-- case: a value that nobody issued bounds no range
-- with: 'nonsense'
-- refused: 22023
select name from owners where id > $1;
-- with: 'nonsense', :owners.bob
-- refused: 22023
select name from owners where id between $1 and $2;
-- with: 'nonsense'
-- refused: 22023
select label from things where (owner_id, label) >= ($1, 'a');
-- refused: 22023
-- early
select name from owners where id < 'a';
-- refused: 22023
-- early
select name from owners where id between '' and 'zz';
-- refused: 22023
-- early
select greatest(id, 'a') from owners;
-- with: 'nonsense'
-- refused: 22023
select least(id, $1) from owners;

-- case: what is before all ids bounds a range
-- with: ''
select name from owners where id > $1 order by id;
select name from owners where id >= '' order by id;
select name from owners where id < '' or id = 'a';
select name from owners where id between '' and ':owners.bob' and id <> 'a' order by id;

-- case: a value that nobody issued bounds no range in whatever way it is compared
-- refused: 22023
-- early
select name from owners where array[id] > array['zzz'::{shown}];
-- refused: 22023
-- early
select name from owners where array[id] < '{zzz}';
-- refused: 22023
-- early
select name from owners where array[id, id]::{shown}[] >= array['zzz', 'zzz']::{shown}[];
-- refused: 22023
-- early
select name from owners where array[id] between array['zzz'::{shown}] and array[id];
-- refused: 22023
-- early
select name from owners where row(array[id]) > row(array['zzz'::{shown}]);
-- refused: 22023
-- early
select name from owners where row(id, name) <= row('zzz'::{shown}, 'a');
-- refused: 22023
-- early
select name from owners where id between symmetric 'zzz' and ':owners.bob';
-- refused: 22023
-- early
select name from owners where id > any (array['zzz'::{shown}]);
-- refused: 22023
-- early
select name from owners where id <= all (values ('zzz'::{shown}));
-- refused: 22023
-- early
select name from owners where id < (select 'zzz'::{shown});
-- refused: 22023
-- early
select greatest(array[id], array['zzz'::{shown}]) from owners;
-- refused: 22023
-- early
select name from owners where id > greatest(id, 'zzz');
-- refused: 22023
-- early
select * from behind('zzz');
-- refused: 22023
-- early
select rank('zzz') within group (order by id) from owners;
-- refused: 22023
-- early
select dense_rank('zzz') within group (order by id desc) from owners;
-- refused: 22023
-- early
select percent_rank('a', 'zzz') within group (order by name, id) from owners;
-- refused: 22023
-- early
select cume_dist('zzz') within group (order by id) from owners;
-- refused: 22023
-- early
select o.name from owners o, (values ('zzz'::{shown})) v(x) where o.id <> v.x and o.id > v.x;
-- with: 'zzz'
-- refused: 22023
select name from owners where array[id]::{shown}[] > array[$1]::{shown}[];
-- with: {zzz}
-- refused: 22023
select name from owners where array[id] > $1;
-- with: {zzz}
-- refused: 22023
select name from owners where id > any ($1);
-- with: 'zzz'
-- refused: 22023
select rank($1) within group (order by id) from owners;
-- with: 'zzz'
-- refused: 22023
select name from owners where id between symmetric $1 and ':owners.bob';

-- case: what is before all ids bounds a range in whatever way it is compared
select name from owners where array[id]::text[] > array[''] and (id, name) > ('', 'z') and id > all (array['']) order by id;
select name from owners where id between symmetric ':owners.bob' and '' order by id;
select rank('') within group (order by id), percent_rank('') within group (order by id) from owners;

-- case: an optional filter, and an optional reference that is stored
-- with: :owners.bob
select name from owners where id = nullif($1, '');
-- with: ''
select name from owners where id = nullif($1, '');
-- with: ''
select name from owners where id = coalesce(nullif($1, ''), id) order by id;
-- with: :owners.bob
select name from owners where id = nullif($1, 'none') or nullif($1, '') is null;
-- with: :owners.ann
update owners set referrer_id = nullif($1, '') where name = 'Dee' returning referrer_id;
-- with: ''
update owners set referrer_id = nullif($1, '') where name = 'Dee' returning referrer_id;
update owners set referrer_id = nullif(':owners.bob', '') where name = 'Dee' returning referrer_id;
update owners set referrer_id = nullif('', '') where name = 'Dee' returning referrer_id;
-- with: 'none'
insert into owners (name, referrer_id) values ('Fay', nullif($1, 'none')) returning referrer_id;
-- with: :owners.cai
insert into owners (name, referrer_id) select 'Gus', nullif($1, '') returning referrer_id;
select name, referrer_id from owners order by name;
-- with: 'none'
select name from owners where id = coalesce(nullif(nullif($1, ''), 'none'), id) order by id;
-- with: null, ''
select name from owners where id = coalesce(nullif(coalesce($1, $2), ''), id) order by id;
-- with: ''
with p as (select $1::text as u) select u, count(*) from p, owners where p.u = '' group by u;
