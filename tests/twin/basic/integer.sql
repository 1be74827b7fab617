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

-- case: ids are numbers in json
select json_build_array(id), json_build_object('id', id, 'name', name, 'by', referrer_id) from owners order by id;
select to_json(id), to_jsonb(id), jsonb_build_array(id, 1, null, 'x') from owners order by id;
select row_to_json(o), to_jsonb(o), to_json(o.*) from owners o order by o.id;
select json_agg(o order by o.id), jsonb_agg(to_jsonb(o) order by o.id) from owners o;
select json_agg(id order by id), jsonb_agg(distinct owner_id) from things;
select json_object_agg(name, id order by id), json_object_agg(id, name order by id) from owners;
select json_build_object(id, id) from owners order by id;
select watcher_ids, to_json(watcher_ids), array_to_json(watcher_ids), to_jsonb(t) from things t order by id;
select to_json(array_agg(id order by id)), to_jsonb(array(select id from owners order by id)) from owners;
select json_build_object('text', id::text, 'number', id, 'both', json_build_array(id, id::text)) from owners order by id;
select json_build_object('either', coalesce(referrer_id, o.id), 'case', case when size > 1 then t.id end) from owners o left join things t on t.owner_id = o.id order by o.id, t.id;

-- case: json of ids is written in other things
select json_build_object('id', id)::text, to_jsonb(id)::text, to_json(id)::varchar from owners order by id;
select 'it is ' || json_build_array(id)::text, concat(to_json(id), '!'), format('%s', jsonb_build_object('id', id)) from owners order by id;
select to_json(json_build_object('id', id)::text), json_build_array(json_build_array(to_jsonb(id)::text)::text, id) from owners order by id;
select row(to_json(id), json_build_object('id', id), name) from owners order by id;
select string_agg(to_jsonb(id)::text, ',' order by id), array_to_string(array_agg(json_build_object('id', id) order by id), ';') from owners;
select jsonb_pretty(jsonb_build_object('id', id, 'by', referrer_id)) from owners order by id;
select quote_literal(json_build_object('id', id)::text), quote_literal(to_json(json_build_object('id', id)::text)::text) from owners order by id;

-- case: arrays of json of ids
-- modes: simple text declared
select array_agg(to_json(id) order by id), array_agg(jsonb_build_object('id', id) order by id), array[to_json(max(id))] from owners;
select array_agg(j ->> 'id'), array_agg(j) from (select to_jsonb(o) as j from owners o order by o.id) x;

-- case: json of ids is taken apart again
select j -> 'id', j ->> 'id', j -> 'by', j ->> 'by', j ->> 'name' from (select json_build_object('id', id, 'by', referrer_id, 'name', name) as j from owners order by id) x;
select to_json(j ->> 'id'), json_build_object('id', j ->> 'id', 'n', j -> 'id') from (select to_jsonb(o) as j from owners o order by o.id) x;
select '"' || (j ->> 'id') || '"', '[' || (j #>> '{a,b}') || ']' from (select jsonb_build_object('id', id, 'a', json_build_object('b', id)) as j from owners order by id) x;
select j #> '{a,0}', j #>> '{a,0}', j ->> 'a' from (select jsonb_build_object('a', json_build_array(id, name)) as j from owners order by id) x;
select e, e ->> 'id' as id from (select json_agg(o order by o.id) as list from owners o) x, json_array_elements(x.list) e;
select json_array_length(json_agg(id)) from owners;
select to_jsonb(o) - 'name', jsonb_set(to_jsonb(o), '{name}', to_jsonb(o.id)), to_jsonb(o) || jsonb_build_object('at', id) from owners o order by id;
select jsonb_strip_nulls(to_jsonb(o)), json_strip_nulls(row_to_json(o)) from owners o order by id;
select to_json(o)::jsonb, to_jsonb(o)::json from owners o order by id;
-- refused: 0A000
select json_typeof(to_json(id)) from owners;
-- refused: 0A000
select e from (select json_agg(id) as list from owners) x, json_array_elements_text(x.list) e;
-- refused: 0A000
select json_array_elements_text(json_agg(id)) from owners;
-- refused: 0A000
select to_jsonb(id) = '5' from owners;

-- case: json of ids in the ways of clients
select "owners"."id", "owners"."name", "owners_things"."data" as "things" from "owners" left join lateral (select coalesce(json_agg(json_build_array("owners_things"."id", "owners_things"."owner_id", "owners_things"."label") order by "owners_things"."id"), '[]'::json) as "data" from "things" "owners_things" where "owners_things"."owner_id" = "owners"."id") "owners_things" on true order by "owners"."id";
select coalesce(json_agg(_postgrest_t), '[]')::text as body from (select "owners"."id", "owners"."name" from "public"."owners" order by "owners"."id") _postgrest_t;
with pgrst_source as (select "things"."id", "things"."label", row_to_json("things_owners_1".*) as "owner" from "public"."things" left join lateral (select "owners_1"."id", "owners_1"."name" from "public"."owners" as "owners_1" where "owners_1"."id" = "things"."owner_id") as "things_owners_1" on true order by "things"."id") select null::bigint as total_result_set, pg_catalog.count(_postgrest_t) as page_total, coalesce(json_agg(_postgrest_t), '[]') as body from (select * from pgrst_source) _postgrest_t;
select coalesce(json_agg("root" order by "root.pg.id" asc), '[]') as "root" from (select row_to_json((select "_e" from (select "_root.base"."id" as "id", "_root.base"."name" as "name") as "_e")) as "root", "_root.base"."id" as "root.pg.id" from (select * from "public"."owners" where ('true')) as "_root.base") as "_root";
with made as (insert into owners (name, referrer_id) values ('Json', :owners.ann) returning id, name, referrer_id) select row_to_json(made) from made;

-- case: a row with ids as text
select o::text, row(id, name)::text from owners o order by id;

-- case: the text of an id is not cut, and not compared with that of none
-- refused: 0A000
select id::varchar(3) from owners;
-- refused: 0A000
select name from owners where id::varchar(3) = '677';
-- refused: 0A000
select string_agg(id::text, '') = ':owners.ann' from owners where id = ':owners.ann';

-- case: one as the first of a range bounds all ids in whatever way it is written
select name from owners where (id, name) >= (1, '') and (id, 1) >= (1, 1) order by id;
select name from owners where (id, id) >= (1, 1) and row(id) >= row(1) order by id;
select name from owners where (1, '') <= (id, name) and not (id, name) < (1, '') order by id;
select name from owners where array[id::bigint] >= array[1::bigint] and array[id::bigint, 7] >= array[1::bigint, 7] order by id;
select name from owners where id >= all (array[1]) and id >= any ('{1}') order by id;
select name from owners where id between symmetric 9223372036854775807 and 1 order by id;
select name from owners where id between symmetric (1) and (9223372036854775807) order by id;
select name from owners where id not between symmetric 9223372036854775807 and 1;
select name from owners where id >= least(1, 5) and id >= greatest(1, 0) order by id;
select name from owners where id between least(1, 2) and 9223372036854775807 order by id;
-- with: 0
-- types: {shown}
select name from owners where id >= greatest($1, 1) order by id;
-- with: 1
-- types: {shown}
select name from owners where (id, name) >= ($1, '') order by id;
-- with: 1
-- types: {shown}
select name from owners where id between symmetric 9223372036854775807 and $1 order by id;
-- with: {1}
select name from owners where array[id] >= $1::{shown}[] order by id;
select greatest(id, 1) = id, least(id, 1) = id, greatest(array[id::bigint], array[1::bigint]) = array[id::bigint] from owners order by id;
select rank(1) within group (order by id), dense_rank(1) within group (order by id), percent_rank(1) within group (order by id), cume_dist(0) within group (order by id), rank(1) within group (order by id desc) from owners;
select max(coalesce(referrer_id, 1)) = max(referrer_id) from owners;

-- case: text that a guard keeps from a cast is read as an id where it is one
-- modes: text declared binary prepared
-- with: ann
select name from owners where case when $1 ~ '^-?[0-9]+$' then id = $1::{shown} else name = $1 end;
-- with: :owners.ann
select name from owners where case when $1 ~ '^-?[0-9]+$' then id = $1::{shown} else name = $1 end;
-- with: all
select name from owners where case when $1 = any(array['', 'all']) then true else id = $1::{shown} end order by name;
-- with: :owners.bob
select name from owners where case when $1 = any(array['', 'all']) then true else id = $1::{shown} end order by name;
-- with: '{all}'
select name from owners where case when 'all' = any($1::text[]) then true else id = any($1::{shown}[]) end order by name;
-- with: '{:owners.ann,:owners.bob}'
select name from owners where case when 'all' = any($1::text[]) then true else id = any($1::{shown}[]) end order by name;
-- with: 99999999999999999999
-- fails: 22003
select name from owners where case when $1 ~ '^x' then true else id = $1::{shown} end;
