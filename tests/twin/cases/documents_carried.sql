Documents of a column that go through functions and operators.

-- case: carried documents: as text
select body::text from letters order by id;
select raw::text, cast(body as text) from letters order by id;
select jsonb_pretty(body) from letters order by id;
select id from letters where body::text = '{"to": [":users.bob", ":users.cai"], "user": {"n": 1.50, "id": ":users.ann"}, "title": "Hi"}';
select body ->> 'user', body ->> 'to', body #>> '{user}' from letters order by id;
select (body -> 'user')::text, (body -> 'user' -> 'id')::text from letters order by id;
select raw::jsonb, body::json, raw::jsonb -> 'from' from letters order by id;

-- case: carried documents: parts removed
select (body -> 'user') - 'n' from letters order by id;
select body - 'user', body - 'title' - 'to', body - '{title,to}'::text[] from letters order by id;
select body #- '{user,id}', body #- '{user}', body #- '{to,0}' from letters order by id;
select body - array['title', 'n'] from letters order by id;
select jsonb_strip_nulls(body), json_strip_nulls(raw) from letters order by id;
select (body -> 'to') - 0 from letters where id = ':letters.one';
-- with: 'title'
-- types: text
select body - $1 from letters order by id;

-- case: carried documents: joined with others
select body || '{"a": 1}' from letters order by id;
select body || '{"user": {"id": ":users.dee"}}' from letters order by id;
-- with: '{"title": "x", "to": [":users.eli"]}'
select body || $1 from letters order by id;
-- with: '{"title": "x", "to": [":users.eli"]}'
select body || $1::jsonb || '{"b": [1]}' from letters order by id;
select '{"title": "default", "n": 1}' || body from letters order by id;
select body || jsonb_build_object('title', 'new', 'at', 5) from letters order by id;
-- with: 'new'
-- types: text
select body || jsonb_build_object('title', $1) from letters order by id;
select coalesce(body, '{}') || '{"a": 1}' from letters order by id;
select (body -> 'to') || '[":users.dee"]', (body -> 'to') || '":users.eli"' from letters where id = ':letters.one';
select (body || '{"a": 1}') -> 'user' ->> 'id', (body || '{"title": "z"}') ->> 'title' from letters order by id;

-- case: carried documents: joined and stored
-- with: '{"title": "changed", "user": {"id": ":users.dee", "n": 2}}', :letters.one
update letters set body = body || $1 where id = $2 returning body;
update letters set body = body || '{"seen": true}' returning body, body -> 'user' ->> 'id';
update letters set body = body || jsonb_build_object('count', 7) where id = ':letters.two' returning body;
update letters set body = coalesce(body, '{}'::jsonb) || '{"to": [":users.ann"]}'::jsonb where id = ':letters.three' returning body;
update letters set body = body - 'reply to' where id = ':letters.two' returning body;
update letters set body = body #- '{user,n}' where id = ':letters.one' returning body;
insert into letters (id, body) values (':letters.one', '{"title": "again", "user": {"id": ":users.eli"}}') on conflict (id) do update set body = letters.body || excluded.body returning body;
select body from letters order by id;

-- case: carried documents: a part set
update letters set body = jsonb_set(body, '{title}', '"x"') returning body;
update letters set body = jsonb_set(body, '{user,id}', '":users.eli"') where id = ':letters.one' returning body, body -> 'user' ->> 'id';
update letters set body = jsonb_set(body, '{user}', '{"id": ":users.cai", "n": 5}') where id = ':letters.two' returning body;
-- with: '{"id": ":users.dee"}'
update letters set body = jsonb_set(body, '{user}', $1) where id = ':letters.two' returning body;
-- with: '[":users.dee", ":users.ann"]'
update letters set body = jsonb_set(body, '{to}', $1::jsonb, true) where id = ':letters.three' returning body;
-- with: 'text'
-- types: text
update letters set body = jsonb_set(body, '{title}', to_jsonb($1::text)) where id = ':letters.one' returning body;
update letters set body = jsonb_set(body, '{n}', to_jsonb(5)) where id = ':letters.one' returning body;
select jsonb_insert(body, '{user,mood}', '"good"') from letters order by id;
update letters set body = jsonb_set(jsonb_set(body, '{user,id}', '":users.bob"'), '{title}', '"both"') where id = ':letters.one' returning body;
select jsonb_set(body, array['user', 'id'], 'null') from letters order by id;
-- refused: 22023
update letters set body = jsonb_set(body, '{user,id}', '":fixed.unknown"');
select jsonb_set(body, '{user,id}', '":fixed.unknown"') from letters order by id;
-- refused: 0A000
update letters set body = jsonb_set(body, '{user,id}', to_jsonb(id));
-- refused: 0A000
update letters l set body = jsonb_set(l.body, '{title}', to_jsonb(u.id)) from users u;
-- refused: 0A000
update parcels p set doc = jsonb_set('{}', '{owner}', to_jsonb(u.id)) from users u where u.id = ':users.bob';
-- refused: 0A000
update parcels p set holders = jsonb_set(p.holders, '{0}', to_jsonb(u.id)) from users u where u.id = ':users.bob';
-- refused: 22023
update parcels p set doc = jsonb_set(p.doc, '{owner}', to_jsonb(coalesce(u.id, ':fixed.unknown'))) from users u where u.id = ':users.bob';
-- refused: 22023
update parcels p set doc = p.doc || jsonb_build_object('owner', coalesce(u.id, ':fixed.unknown')) from users u where u.id = ':users.bob';
-- refused: 22023
update parcels p set doc['owner'] = to_jsonb(coalesce(u.id, ':fixed.unknown')) from users u where u.id = ':users.bob';
select jsonb_set(p.doc, '{owner}', to_jsonb(coalesce((select id from users where false), ':fixed.unknown'))) from parcels p order by id;
-- refused: 0A000
update parcels p set doc = p.doc || jsonb_build_object('owner', 'x' || u.id) from users u where u.id = ':users.bob';
-- refused: 0A000
update letters l set body = jsonb_set(l.body, '{to}', (select jsonb_agg(distinct u.id) from users u)) where id = ':letters.one';
-- refused: 0A000
update letters l set body = jsonb_set(l.body, '{to}', jsonb_build_object('0', u.id)) from users u where u.id = ':users.bob';
-- refused: 0A000
update letters l set body = jsonb_set(l.body, '{user}', jsonb_build_array(u.id)) from users u where u.id = ':users.bob';
-- refused: 0A000
update letters l set body = jsonb_set(l.body, '{user,id}', jsonb_build_object('id', u.id)) from users u where u.id = ':users.bob';
-- refused: 0A000
update letters l set body = l.body || jsonb_build_array(u.id) from users u where u.id = ':users.bob';
-- refused: 0A000
update letters l set body = l.body || jsonb_build_object('user', jsonb_build_object('id', t.id)) from teams t where t.id = ':teams.red';
-- refused: 0A000
update letters l set body = jsonb_set(l.body, '{user}', jsonb_build_object('id', u.id, 'of', u.id)) from users u where u.id = ':users.bob';
-- refused: 0A000
update letters l set body = jsonb_set(l.body, '{user}', jsonb_build_object('id', l.id)) where id = ':letters.one';
-- refused: 0A000
update letters l set body = jsonb_set(l.body, '{user}', jsonb_build_object('idx'::varchar(2), u.id)) from users u where u.id = ':users.bob';
-- refused: 0A000
update letters l set body = jsonb_set(l.body, array['user', 'idx'::varchar(2)], to_jsonb(u.id)) from users u where u.id = ':users.bob';
-- refused: 0A000
update letters l set body = jsonb_set(l.body, array['user', 'idx']::varchar(2)[], to_jsonb(u.id)) from users u where u.id = ':users.bob';
-- refused: 0A000
update letters l set body = jsonb_set(l.body, '{user}', jsonb_build_object(variadic array['id', u.id::text])) from users u where u.id = ':users.bob';

-- case: carried documents: a key put at a place
update letters l set body = jsonb_set(l.body, '{user,id}', to_jsonb(u.id)) from users u where u.id = ':users.dee' and l.id = ':letters.one' returning l.body, l.body -> 'user' ->> 'id';
select jsonb_set(l.body, '{user,id}', to_jsonb(u.id)) from letters l, users u where u.id = ':users.ann' order by l.id;
select jsonb_set(l.body, array['user', 'id'], to_jsonb(u.id::text), false) from letters l, users u where u.id = ':users.ann' order by l.id;
select (jsonb_set(l.body, '{user,id}', to_jsonb(u.id)) -> 'user' ->> 'id')::uuid = u.id from letters l, users u where u.id = ':users.ann' order by l.id;
update letters set body['user']['id'] = to_jsonb((select id from users where id = ':users.eli')) where id = ':letters.one' returning body;
update letters set body['user'] = jsonb_build_object('id', (select id from users where id = ':users.bob'), 'n', 1.50) where id = ':letters.one' returning body;
update letters set body = jsonb_set(body, array['reply to'], to_jsonb(id)) where id = ':letters.three' returning body;
-- with: :users.dee
select name from users, letters where users.id = $1 and (jsonb_set(body, '{user,id}', to_jsonb(users.id)) -> 'user' ->> 'id')::uuid = $1 order by letters.id;
select id, body from letters where body -> 'user' ->> 'id' = ':users.bob' order by id;
select id from letters where body @> '{"user": {"id": ":users.bob"}}' order by id;
copy (select body from letters order by id) to stdout;

update letters l set body = jsonb_set(l.body, '{user,id}', to_jsonb(u.id)) from users u where u.id = ':fixed.unknown' returning body;
update letters l set body = jsonb_set(l.body, '{user}', jsonb_build_object('id', null, 'n', 1)) returning body;
update letters l set body = jsonb_set(l.body, '{user}', jsonb_build_object('n', 2)) where id = ':letters.one' returning body;

-- case: carried documents: keys of a query put at a place
update letters l set body = jsonb_set(l.body, '{to}', (select jsonb_agg(u.id order by u.id desc) from users u)) where id = ':letters.one' returning body;
update letters l set body = jsonb_set(l.body, '{to}', coalesce((select jsonb_agg(u.id) from users u where false), '[]')) where id = ':letters.one' returning body;
update letters l set body = l.body || jsonb_build_object('user', (select jsonb_build_object('id', u.id, 'n', 1) from users u where u.id = ':users.eli')) returning body;
update parcels p set holders = p.holders || (select jsonb_agg(u.id order by u.name) filter (where u.id <> ':users.ann') from users u) where id = ':parcels.one' returning holders;
update parcels p set doc = jsonb_set(p.doc, '{owner}', (select to_jsonb(u.id) from users u where u.id = ':users.eli')) returning doc;
select l.id, u.name from letters l, jsonb_array_elements_text(l.body -> 'to') x join users u on u.id = x::uuid order by 1, 2;

-- case: carried documents: a key put at a place that is not there
update parcels p set doc = jsonb_set(p.doc, '{owner}', to_jsonb(u.id)) from users u where u.id = ':users.dee' returning p.id, p.doc;
update parcels p set doc = jsonb_set(p.doc || '{"a": 1}', '{owner}', to_jsonb(u.id), true) from users u where u.id = ':users.dee' returning p.id, p.doc;
update parcels p set doc = jsonb_set(p.doc - 'owner', '{owner}', to_jsonb(u.id), false) from users u where u.id = ':users.dee' returning p.id, p.doc;
update parcels p set doc = jsonb_set(p.doc, '{owner}', to_jsonb(u.id), true) from users u where u.id = ':users.bob' returning p.id, p.doc, p.doc ->> 'owner';
select jsonb_set(body - 'user', '{user,id}', to_jsonb(u.id)) from letters l, users u where u.id = ':users.ann' order by l.id;
select jsonb_set('{}'::jsonb || body, '{user}', jsonb_build_object('id', u.id)) from letters l, users u where u.id = ':users.ann' order by l.id;
select jsonb_insert(body - 'user', '{user}', jsonb_build_object('id', u.id)) from letters l, users u where u.id = ':users.ann' order by l.id;
select jsonb_insert(doc - 'owner', '{owner}', to_jsonb(u.id)), jsonb_insert(doc - 'owner', '{owner}', to_jsonb(u.id), true) from parcels, users u where u.id = ':users.ann' order by parcels.id;
-- fails: 22023
select jsonb_insert(doc, '{owner}', to_jsonb(u.id)) from parcels, users u where u.id = ':users.ann' and doc ? 'owner';
-- types: uuid
-- with: :users.eli
update parcels set doc = jsonb_set(doc, '{owner}', to_jsonb((select id from users where id = $1))) where id = ':parcels.one' returning doc;
select id, doc ->> 'owner' from parcels order by id;

-- case: carried documents: no key put at a place
update letters l set body = coalesce(jsonb_set(l.body, '{user,id}', to_jsonb((select u.id from users u where false))), l.body) where id = ':letters.one' returning body;
-- fails: 23502
-- except: detail
update letters l set body = jsonb_set(l.body, '{user,id}', to_jsonb((select u.id from users u where false))) where id = ':letters.one';
update parcels set doc = jsonb_set(doc, '{owner}', to_jsonb((select u.id from users u where false))) where id = ':parcels.one' returning doc;
update parcels set doc = jsonb_set_lax(doc, '{owner}', to_jsonb((select u.id from users u where false))) where id = ':parcels.two' returning doc;
update parcels set doc = jsonb_set_lax(doc, '{owner}', to_jsonb((select u.id from users u where false)), true, 'delete_key') where id = ':parcels.two' returning doc;
update parcels set doc = jsonb_set(coalesce(doc, '{}'), '{owner}', coalesce(to_jsonb((select u.id from users u where false)), 'null')) where id = ':parcels.two' returning doc;
update parcels p set doc = jsonb_set(p.doc, '{owner}', case when u.name = 'Ann' then to_jsonb(u.id) end) from users u where u.id = ':users.bob' and p.id = ':parcels.three' returning doc;
update parcels p set doc = jsonb_set(coalesce(p.doc, '{}'), '{owner}', case when u.name = 'Ann' then to_jsonb(u.id) else 'null'::jsonb end) from users u where u.id = ':users.ann' and p.id = ':parcels.three' returning doc;
update parcels p set doc = p.doc || jsonb_build_object('owner', (select u.id from users u where false), 'n', null) where id = ':parcels.three' returning doc;
update parcels p set doc = p.doc || jsonb_build_object('owner', null) where id = ':parcels.three' returning doc;
select id, doc from parcels order by id;

-- case: carried documents: a member that a parameter names
-- with: owner
-- types: text
select id, doc ->> $1 from parcels order by id;
-- with: 'owner', :users.cai
select id, (doc ->> $1)::uuid from parcels where (doc ->> $1)::uuid = $2;
-- with: from, '":users.bob"'
select id from letters where raw::jsonb -> $1 = $2;
-- with: from
select l.id, u.name from letters l join users u on u.id::text = l.raw ->> $1;

-- case: carried documents: a member that an argument names
-- modes: simple text declared binary
prepare named (text, uuid) as select id, doc ->> $1 from parcels where (doc ->> $1)::uuid = $2;
execute named ('owner', ':users.cai');
deallocate named;

-- case: carried documents: a member without ids that an argument or a parameter names
-- modes: declared binary
prepare named (text) as select id, doc ->> $1 from parcels order by id;
execute named ('owner');
-- refused: 0A000
execute named ('weight');
deallocate named;
-- refused: 0A000
-- early
-- with: weight
-- types: text
select doc ->> $1 from parcels order by id;

-- case: carried documents: keys joined to documents
update parcels p set doc = p.doc || jsonb_build_object('owner', u.id) from users u where u.id = ':users.cai' returning p.id, p.doc;
update parcels p set doc = coalesce(p.doc, '{}') || jsonb_build_object('owner', u.id, 'name', u.name, 'n', 2.50) from users u where u.id = ':users.bob' returning p.id, p.doc;
select l.body || jsonb_build_object('user', jsonb_build_object('id', u.id, 'n', 1), 'reply to', l.id) from letters l, users u where u.id = ':users.ann' order by l.id;
select jsonb_build_object('user', jsonb_build_object('id', u.id), 'more', 1) || l.body from letters l, users u where u.id = ':users.eli' order by l.id;
select l.body || jsonb_build_object('to', jsonb_build_array(u.id, (select min(id) from users), null)) from letters l, users u where u.id = ':users.eli' order by l.id;
update parcels p set holders = p.holders || to_jsonb(u.id) from users u where u.id = ':users.eli' returning p.id, p.holders;
update parcels p set holders = jsonb_build_array(u.id, v.id) || p.holders from users u, users v where u.id = ':users.eli' and v.id = ':users.ann' returning p.id, p.holders;
update parcels p set doc = jsonb_set(p.doc, '{lines}', (p.doc -> 'lines') || jsonb_build_object('order', o.id, 'n', 2)) from orders o where o.id = ':orders.one' and p.id = ':parcels.one' returning p.doc;
update parcels p set doc = jsonb_set(p.doc, '{lines}', jsonb_build_array(jsonb_build_object('order', o.id), jsonb_build_object('n', 3))) from orders o where o.id = ':orders.one' and p.id = ':parcels.two' returning p.doc;
update letters l set body = jsonb_set(l.body, '{to}', coalesce(l.body -> 'to', '[]') || to_jsonb(u.id)) from users u where u.id = ':users.dee' returning l.id, l.body;
select p.id, o.total_cents from parcels p, jsonb_array_elements(p.doc -> 'lines') x join orders o on o.id = (x ->> 'order')::uuid order by 1;
select id from parcels where holders ? ':users.eli' order by id;
select id, doc, holders from parcels order by id;

-- case: carried documents: stored as they are built of keys
insert into letters (body, raw) values (jsonb_build_object('title', 'built', 'user', jsonb_build_object('id', (select id from users where id = ':users.dee'))), json_build_object('from', (select id from users where id = ':users.ann'))) returning body, raw;
update parcels p set doc = jsonb_build_object('owner', u.id), holders = jsonb_build_array(u.id) from users u where u.id = ':users.bob' returning p.id, p.doc, p.holders;

-- case: carried documents: a part assigned
update letters set body['user']['id'] = '":users.ann"' returning body;
update letters set body['title'] = '"title"' where id = ':letters.one' returning body;
-- with: '":users.dee"'
update letters set body['user']['id'] = $1 where id = ':letters.one' returning body, body['user']['id'];
-- with: '[":users.dee"]'
update letters set body['to'] = $1 where id = ':letters.one' returning body;
update letters set body['user'] = '{"id": ":users.eli"}', raw = '{"from": ":users.ann"}' where id = ':letters.one' returning body, raw;
-- refused: 22023
update letters set body['user']['id'] = '":fixed.unknown"';

-- case: carried documents: what is in them
select id from letters where body ? 'user' order by id;
select id from letters where body ?| array['reply to', 'none'] order by id;
select id from letters where body ?& array['user', 'to'] order by id;
select id from letters where body -> 'user' ? 'n';
select jsonb_typeof(body), jsonb_typeof(body -> 'user' -> 'id'), json_typeof(raw), jsonb_array_length(body -> 'to') from letters where id = ':letters.one';
select jsonb_object_keys(body) as k from letters order by k;
select k from letters, jsonb_object_keys(body) k order by k;
select id, jsonb_array_elements_text(body -> 'to') from letters order by 1, 2;
select id, jsonb_array_elements(body -> 'to') from letters order by 1, 2;
select e from letters, jsonb_array_elements_text(body -> 'to') e order by e;
select l.id, u.name from letters l, jsonb_array_elements_text(l.body -> 'to') t(uid) join users u on u.id = t.uid::uuid order by 1, 2;
select id from letters where ':users.bob' in (select jsonb_array_elements_text(body -> 'to'));
select id from letters where body -> 'to' ? ':users.bob';
select id from letters where body -> 'user' @> '{"id": ":users.ann"}';
select id from letters where body -> 'to' @> '":users.bob"';
select id from letters where not body @> '{"user": {"id": ":users.ann"}}' order by id;
select id from letters where '{"user": {"id": ":users.ann", "n": 1.5}, "title": "Hi", "to": [":users.bob", ":users.cai"]}' @> body;
select id from letters where body = '{"user": {"id": ":users.ann", "n": 1.5}, "title": "Hi", "to": [":users.bob", ":users.cai"]}';
select count(distinct body), count(distinct body -> 'user') from letters;
select body -> 'user', count(*) from letters group by 1 order by 2, 1;

-- case: carried documents: inside built ones
select row_to_json(l) from letters l order by id;
select to_jsonb(l) from letters l order by id;
select to_json(l) from letters l order by id;
select json_agg(l order by id) from letters l;
select jsonb_agg(to_jsonb(l) order by id) from letters l;
select json_agg(body order by id), jsonb_agg(raw order by id) from letters;
select coalesce(json_agg(l), '[]') from letters l where false;
select coalesce(jsonb_agg(body order by id), '[]'::jsonb) from letters;
select json_build_object('id', id, 'body', body, 'raw', raw, 'n', 1) from letters order by id;
select jsonb_build_object('user', body -> 'user', 'from', id) from letters order by id;
select json_build_array(body) from letters order by id;
select json_object_agg(id, body order by id) from letters;
select jsonb_object_agg(body ->> 'title', body) from letters where body ? 'title';
select to_jsonb(l) || jsonb_build_object('author', 'x') from letters l order by id;
select to_jsonb(l) || jsonb_build_object('again', l.id) from letters l order by id;
select to_jsonb(l) - 'raw' from letters l order by id;
select row_to_json(x) from (select id, body -> 'user' as sender, body ->> 'title' as title from letters) x order by id;
select (select json_agg(x) from (select l.id, l.body from letters l where l.body -> 'user' ->> 'id' = u.id::text) x) from users u order by u.id;
select u.name, x.letters from users u left join lateral (select coalesce(json_agg(json_build_object('id', l.id, 'body', l.body)), '[]') as letters from letters l where (l.body -> 'user' ->> 'id')::uuid = u.id) x on true order by u.id;
select array_to_json(array_agg(body order by id)) from letters;

-- case: carried documents: built and taken apart
select json_agg(l order by id) -> 0 -> 'body' -> 'user' ->> 'id' from letters l;
select to_jsonb(l) -> 'body', to_jsonb(l) -> 'id', to_jsonb(l) ->> 'id', to_jsonb(l) -> 'body' ->> 'title' from letters l order by id;
select json_build_object('b', body) -> 'b' -> 'user' from letters order by id;
select x.j -> 'body' -> 'user', x.j ->> 'id' from (select to_jsonb(l) as j from letters l) x order by x.j ->> 'id';

-- case: carried documents: from one column to another
insert into archived_letters (body) select body from letters where id = ':letters.one' returning body;
insert into archived_letters (body, raw) select body, raw from letters order by id returning body, raw;
insert into archived_letters (body) select body || '{"archived": true}' from letters where id = ':letters.two' returning body;
update letters l set body = a.body from archived_letters a where a.body ->> 'title' = l.body ->> 'title' returning l.body;
with gone as (delete from letters where id = ':letters.three' returning body, raw) insert into archived_letters (body, raw) select body, raw from gone returning body;
select a.body from archived_letters a join letters l on l.body = a.body order by a.id;
select body from letters union select body from archived_letters order by 1;

-- case: carried documents: views
select * from letters_shown order by id;
select body -> 'user' ->> 'id', sender, sender ->> 'id', title from letters_shown order by id;
select id from letters_shown where (body -> 'user' ->> 'id')::uuid = ':users.ann';
select id from letters_shown where body @> '{"user": {"id": ":users.ann"}}';
select row_to_json(v) from letters_shown v order by id;
select doc from letters_as_rows order by id;
select doc -> 'letter' -> 'user' ->> 'id', doc -> 'n' from letters_as_rows order by id;

-- case: carried documents: copied
copy letters to stdout;
copy letters (body, id) to stdout (format csv);
copy (select body, raw from letters order by id) to stdout;
copy (select body -> 'user', body ->> 'title' from letters order by id) to stdout (format csv, header);
copy letters to stdout (format binary);
