The basic cases, for each kind of key and of id. {shown} is the type of the ids.

-- case: a parameter finds its row
-- with: :owners.ann
select id, name, referrer_id from owners where id = $1;

-- case: a declared parameter finds its row
-- with: :owners.bob
-- types: {shown}
select id, name, referrer_id from owners where $1 = id;

-- case: a literal finds its row, with and without a cast
select id, name from owners where id = ':owners.bob';
select id, name from owners where id = ':owners.bob'::{shown};
select id, name from owners where id = cast(':owners.cai' as {shown});

-- case: a parameter with a cast
-- with: :owners.cai
select id, name from owners where id = $1::{shown};
-- with: null
select id, name from owners where ($1::{shown} is null or id = $1) order by id;

-- case: lists
-- with: :owners.ann, :owners.dee
select id from owners where id in ($1, $2, ':owners.cai') order by id;
-- with: :owners.ann
select id from owners where id not in ($1, ':owners.cai') order by id desc;

-- case: any of an array parameter
-- with: {:owners.ann,:owners.dee}
select id, name from owners where id = any($1) order by id;
-- with: {:owners.ann,NULL,:owners.dee}
select id, name from owners where id = any($1::{shown}[]) order by id;

-- case: any of an array literal and of a constructor
select id from owners where id = any('{:owners.ann,:owners.bob}') order by id;
-- with: :owners.ann
select id from owners where id = any(array[$1, ':owners.bob']::{shown}[]) order by id;

-- case: an unknown id finds nothing and differs from everything
-- with: :fixed.unknown
select name from owners where id = $1;
-- with: :fixed.unknown
select name from owners where id <> $1 order by name;
select name from owners where id in (':fixed.unknown', ':owners.dee');

-- case: pages by key
select id, name from owners order by id limit 2;
-- with: :owners.bob
select id, name from owners where id > $1 order by id limit 2;
-- with: :owners.cai
select id, name from owners where id <= $1 order by id desc;
-- with: :owners.bob, :owners.cai
select id, name from owners where id between $1 and $2 order by id;

-- case: a function compares what it is given
select * from behind(':owners.bob');
-- with: :owners.ann
-- types: {shown}
select * from behind($1);

-- case: NULL tests and DISTINCT FROM
select name from owners where referrer_id is null order by name;
-- with: :owners.ann
select name from owners where referrer_id is distinct from $1 order by name;

-- case: joins
select o.id, o.name, t.id, t.label from owners o join things t on t.owner_id = o.id order by t.id;
select o.id, t.id from owners o left join things t on t.owner_id = o.id order by o.id, t.id;
select o.name, r.id from owners o join owners r on r.id = o.referrer_id order by o.name;

-- case: everything
select * from things order by id;
select t.* from things t order by t.id desc;

-- case: groups
select owner_id, count(*) from things group by owner_id order by owner_id;
select distinct owner_id from things;
select count(distinct owner_id) from things;

-- case: set operations
select id from owners where name = 'Ann' union all select owner_id from things order by 1;
select owner_id from things intersect select referrer_id from owners;
select id from owners except select owner_id from things;

-- case: subqueries
select name from owners where id in (select owner_id from things) order by name;
select name from owners o where exists (select 1 from things t where t.owner_id = o.id) order by name;
select name, (select max(t.label) from things t where t.owner_id = o.id) from owners o order by name;
select (select id from owners where name = 'Bob') as it;

-- case: common table expressions
with mine as (select id, owner_id from things where label <> 'ink') select m.id, o.name from mine m join owners o on o.id = m.owner_id order by m.id;

-- case: a recursive chain
with recursive chain as (
  select id, referrer_id, 1 as depth from owners where referrer_id is null
  union all select o.id, o.referrer_id, c.depth + 1 from owners o join chain c on o.referrer_id = c.id
) select id, depth from chain order by id;

-- case: conditional expressions
select coalesce(referrer_id, id) from owners order by id;
select nullif(referrer_id, ':owners.ann') from owners order by id;
select case when size > 1 then owner_id else ':owners.dee' end from things order by id;

-- case: windows
select id, lag(id) over (order by id), row_number() over (order by id) from owners order by id;

-- case: arrays of ids
select id, watcher_ids from things order by id;
select array_agg(id order by id) from owners;
select w from things, unnest(watcher_ids) w order by label, w;
-- with: :owners.cai
select label from things where $1 = any(watcher_ids);
select watcher_ids[1] from things order by label;

-- case: a view
select * from owned order by thing_id;
-- with: :owners.ann
select thing_id, label from owned where owner_id = $1 order by thing_id;

-- case: the database makes the id
insert into owners (name) values ('Eve') returning id, name;
select id, name from owners order by id;

-- case: a parameter is stored
-- with: :owners.dee, 'cap'
insert into things (owner_id, label) values ($1, $2) returning id, owner_id, label;
select owner_id from things where label = 'cap';

-- case: a literal and several rows are stored
insert into things (owner_id, label) values (':owners.dee', 'a'), (':owners.cai', 'b'), (':owners.cai'::{shown}, 'c');
select owner_id, label from things where length(label) = 1 order by label;

-- case: an array is stored
-- with: {:owners.dee,:owners.ann}
update things set watcher_ids = $1 where label = 'ink' returning watcher_ids;
update things set watcher_ids = '{:owners.bob}' where label = 'ink' returning watcher_ids;
-- with: :owners.cai
update things set watcher_ids = array_append(watcher_ids, $1) where label = 'ink' returning watcher_ids;

-- case: rows are copied
-- modes: simple text declared binary
insert into shares (thing_id, owner_id) select t.id, t.owner_id from things t where t.label <> 'pad' returning thing_id, owner_id;

-- case: a reference changes
-- with: :owners.cai, :things.ink
update things set owner_id = $1 where id = $2 returning id, owner_id;
update things set owner_id = (select id from owners where name = 'Dee') where label = 'pen' returning owner_id;

-- case: rows go
-- with: :things.ink
delete from things where id = $1 returning id, owner_id;

-- case: a conflict is resolved
-- with: :things.pen, :owners.bob
insert into shares (thing_id, owner_id, part) values ($1, $2, 9) on conflict (thing_id, owner_id) do update set part = excluded.part returning thing_id, owner_id, part;

-- case: a conflict is an error that shows the id
-- with: :things.pen, :owners.bob
-- fails: 23505
insert into shares (thing_id, owner_id) values ($1, $2);

-- case: an id that no row has is not stored
-- with: :fixed.unknown
-- fails: 23503
-- early
insert into things (owner_id, label) values ($1, 'ghost');
select count(*) from things;

-- case: a referenced row stays
-- with: :things.pen
-- fails: 23503
delete from things where id = $1;

-- case: a failing row is shown with its ids
-- with: :owners.ann
-- fails: 23502
insert into things (owner_id, label) values ($1, null);

-- case: a missing column is an error
-- fails: 42703
select id, nothing from owners;

-- case: ids are copied out
-- script
copy things (id, label, owner_id) to stdout csv; copy (select thing_id, part, owner_id from shares order by part) to stdout csv force quote *

-- case: ids are copied in
-- wire
query: copy things (label, owner_id, size) from stdin csv
line: copied,:owners.ann,7
line: "copied",":owners.bob",8
done
query: select owner_id, size from things where label = 'copied' order by size

-- case: an id that no row has is not copied in
-- wire
-- fails: 23503
query: copy things (label, owner_id) from stdin csv
line: lost,:owners.ann
line: lost,:fixed.unknown
done

-- case: an operator is named with its schema
select name from owners where id operator(pg_catalog.=) ':owners.bob';
-- with: :owners.bob
select name from owners where id operator(pg_catalog.=) $1::{shown} or referrer_id operator(pg_catalog.=) $1 order by name;
select name from owners where id operator(pg_catalog.<>) ':owners.bob' and (id operator(pg_catalog.=) referrer_id) is not true order by name;
select name from owners where id operator(pg_catalog.>) ':owners.bob' order by id;
