Ids inside documents in columns of text, and keys that are numbers in them.

-- case: documents in text: shown
select * from memos order by id;
select body, short from memos order by id;
select body::json, body::jsonb from memos order by id;
select body::json -> 'author' ->> 'id', body::jsonb -> 'watchers', (short::json ->> 'order')::uuid from memos order by id;
select n.id, u.name from memos n join users u on (n.body::json -> 'author' ->> 'id')::uuid = u.id order by n.id;
select body::jsonb ->> 'title', short::json -> 'x' from memos order by id;
select coalesce(body, '') from memos order by id;
select case when short is null then body else '{"author": {"id": ":users.ann"}}' end from memos order by id;

-- case: documents in text: compared
select id from memos where body::jsonb @> '{"author": {"id": ":users.ann"}}';
-- with: ':users.bob'
select id from memos where body::json -> 'author' ->> 'id' = $1;
select id from memos where body::jsonb @> '{"watchers": [":users.bob"]}';
select id from memos where body = '{"author": {"id": ":users.ann", "n": 1}, "title": "First",  "watchers": [":users.bob", ":users.cai"]}';
-- with: '{"order": ":orders.one"}'
select id from memos where short = $1;
select count(*), count(distinct body) from memos;
select id from memos where body is null;

-- case: documents in text: stored
-- with: '{"author": {"id":  ":users.dee"}, "watchers": [ ":users.ann"]}'
insert into memos (body) values ($1) returning body;
-- with: '{"author": {"id":  ":users.dee"}}', '{"order": ":orders.two"}'
-- types: text varchar
insert into memos (body, short) values ($1, $2) returning body, short;
insert into memos (body) values ('{"author": {"id": ":users.cai"}}'), (null), ('') returning body;
update memos set body = '{"author": {"id": ":users.eli"}}' where id = ':memos.one' returning body;
update memos set body = (body::jsonb || '{"author": {"id": ":users.eli"}}')::text where id = ':memos.two' returning body::json;
insert into memos (body) select body from memos where id = ':memos.two' returning body;
-- refused: 22023
insert into memos (body) values ('{"author": {"id": ":fixed.unknown"}}');

-- case: documents in text: what is none
-- refused: 22P02
insert into memos (body) values ('some words');
-- refused: 22P02
-- with: '{"author": {"id": ":users.ann"'
insert into memos (body) values ($1);

-- case: documents in text: copied
copy memos to stdout;
copy memos to stdout (format csv);
copy memos (short) to stdout (format binary);

-- case: documents with numbers: shown
-- with: '[{"order": ":orders.one", "n": 1}, {"order": ":orders.two", "n": 2}]', :parcels.one
update parcels set doc['lines'] = $1 where id = $2 returning doc;
select * from parcels order by id;
select doc -> 'owner', doc ->> 'owner', doc -> 'lines', doc -> 'lines' -> 0 -> 'order', doc -> 'lines' -> 0 ->> 'order' from parcels order by id;
select l ->> 'order', l -> 'n' from parcels, jsonb_array_elements(doc -> 'lines') l order by 1;
select o.status from parcels p, jsonb_array_elements(p.doc -> 'lines') l join orders o on o.id = (l ->> 'order')::uuid order by o.id;
select holders, holders -> 0, holders ->> 0, jsonb_array_length(holders) from parcels order by id;
select jsonb_array_elements_text(holders) from parcels order by 1;
select row_to_json(p) from parcels p order by id;
select jsonb_pretty(doc) from parcels order by id;

-- case: documents with numbers: changed
update parcels set doc = jsonb_set(doc, '{owner}', '":users.dee"') where id = ':parcels.one' returning doc;
update parcels set doc = doc || '{"owner": ":users.eli"}' where id = ':parcels.two' returning doc;
update parcels set holders = holders || '[":users.dee"]' returning holders;
update parcels set holders = holders || '":users.eli"' where id = ':parcels.one' returning holders;
update parcels set holders = holders - 0 where id = ':parcels.one' returning holders;
-- with: '[{"order": ":orders.two", "n": 5}]'
update parcels set doc['lines'] = $1 where id = ':parcels.two' returning doc;
select id from parcels where holders @> '[":users.cai"]' order by id;
select id from parcels where doc @> '{"lines": [{"order": ":orders.two"}]}';
select id from parcels where doc -> 'owner' = '":users.eli"';
select id from parcels where holders ? ':users.bob';

-- case: documents: columns generated from members without ids
select id, label, depth, label || '!' from parcels order by id;
select p.*, to_jsonb(p) -> 'label' as l from parcels p order by id;
update parcels set doc = doc || '{"label": "x", "size": {"depth": {"of": "y"}}}' where id <> ':parcels.three' returning id, label, depth;
select id from parcels where label = 'X' and depth = 'y' order by id;

-- case: documents: the types of what stands in them
select id, jsonb_typeof(body -> 'user' -> 'id'), jsonb_typeof(body -> 'to'), jsonb_typeof(body #> '{to,0}'), json_typeof(raw -> 'user') from letters order by id;
select jsonb_typeof(body -> 'user' -> 'id') as kind, count(*) from letters group by jsonb_typeof(body -> 'user' -> 'id') order by 1;
select id from letters where jsonb_typeof(body -> 'user' -> 'id') = 'string' order by id;
select jsonb_typeof(x) from letters, jsonb_array_elements(body -> 'to') x where id = ':letters.one';
select jsonb_typeof(doc -> 'lines' -> 0 -> 'order'), jsonb_typeof(doc -> 'owner'), jsonb_typeof(l -> 'order') from parcels left join lateral jsonb_array_elements(doc -> 'lines') l on true order by id, 3;
