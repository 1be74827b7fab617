Ids inside documents that stand in rows, in arrays, and in what is copied of those.

-- case: documents in rows
select l from letters l order by l.id;
select l, l.* from letters l order by l.id;
select row(id, body, raw), row(body -> 'user', body -> 'to', 1) from letters order by id;
select (l).body, (l).raw from (select l from letters l order by l.id) x;
select m, p from memos m, parcels p order by m.id, p.id;
select x from (select id, body, body -> 'user' ->> 'id' as who, row_to_json(l) as whole from letters l) x order by x.id;
select a, b from letters a left join letters b on false order by a.id;
select row(id, row(body, row(raw))) from letters order by id;
select coalesce(l, l) from letters l order by l.id;
with l as (select * from letters) select l from l order by id;
insert into letters (body) values ('{"user": {"id": ":users.dee"}, "to": [":users.ann"]}') returning letters;
update letters set body = '{"user": {"id": ":users.cai"}}' where id = ':letters.one' returning letters;

-- case: arrays of documents
-- modes: simple text declared
select array_agg(body order by id), array_agg(raw order by id) from letters;
select array[body], array[raw, null, '{"from": ":users.bob"}'] from letters order by id;
select array(select body from letters order by id);
select (array_agg(body order by id))[1] from letters;
select e from (select array_agg(body order by id) as list from letters) x, unnest(list) e;
select array_agg(l order by l.id), array_agg(row(l.id, l.body) order by l.id) from letters l;
select array_agg(body order by id), array_agg(short order by id) from memos;
select array_agg(body -> 'user' order by id), array_agg(body -> 'title' order by id) from letters;
select array_length(array_agg(body), 1), to_json(array_agg(body order by id)) from letters;
select array_agg(j order by id) from (select id, jsonb_build_object('doc', body, 'id', id) as j from letters) x;
select array_agg(body) filter (where false) from letters;

-- case: arrays of documents in binary
-- modes: binary
select array_agg(body) from letters where id = ':letters.one';
select row(array_agg(raw)) from letters where id = ':letters.one';

-- case: documents that are built are copied
copy (select row_to_json(l) from letters l order by l.id) to stdout;
copy (select to_jsonb(l), row_to_json(u) from letters l, users u where u.id = ':users.ann' order by l.id) to stdout (format csv);
copy (select jsonb_agg(to_jsonb(l) order by l.id) from letters l) to stdout (format csv, force_quote *);
copy (select jsonb_build_object('doc', body, 'who', id) from letters order by id) to stdout (format binary);
copy (select json_agg(u order by u.id) from users u) to stdout;

-- case: documents in rows and arrays are copied
copy (select l from letters l order by l.id) to stdout;
copy (select l, row(raw, 'a"b', E'c\\d') from letters l order by l.id) to stdout (format csv);
copy (select array_agg(body order by id), array_agg(raw order by id) from letters) to stdout;
copy (select array_agg(l order by l.id) from letters l) to stdout (format csv, delimiter ';');
copy (select l, array[body] from letters l where l.id = ':letters.one') to stdout (format binary);

-- case: what is no document of the table's stays refused
-- refused: 0A000
select l::text from letters l;
-- refused: 0A000
select array_agg(body)::text from letters;
-- refused: 0A000
create temporary table t as select array_agg(body) as list from letters;
