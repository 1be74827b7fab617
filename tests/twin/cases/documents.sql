Ids inside the documents of a column.

-- case: documents: shown
select * from letters order by id;
select body, raw from letters order by id;
select l.body from letters l join users u on u.id = (l.body -> 'user' ->> 'id')::uuid order by l.id;
select body -> 'user', body -> 'user' -> 'id', body -> 'to', body -> 'to' -> 0, raw -> 'from' from letters order by id;
select body['user']['id'], body #> '{user,id}', body #> array['user'] from letters order by id;
select coalesce(raw, '{"from": null}') from letters order by id;
select x.b from (select body as b, id from letters) x order by x.id;
with l as (select * from letters) select body from l order by id;
select body from letters union all select null;
select (select body from letters where id = ':letters.one');

-- case: documents: values in them
select body ->> 'title', body -> 'user' ->> 'n', body -> 'title', raw ->> 'n', raw -> 'a' ->> 'from' from letters order by id;
select body -> 'user' ->> 'id', body ->> 'reply to', body #>> '{user,id}', raw ->> 'from' from letters order by id;
select (body -> 'user' ->> 'id')::uuid, cast(body ->> 'reply to' as uuid) from letters order by id;
select e from letters, jsonb_array_elements(body -> 'to') e order by id, e;
-- fails: 42703
select nothing from letters;
select 'to ' || (body -> 'user' ->> 'id') from letters order by id;
select concat('to ', body -> 'user' ->> 'id'), json_build_object('user', body -> 'user' ->> 'id') from letters order by id;
select coalesce(body -> 'user' ->> 'id', 'nobody'), pg_typeof(body -> 'user' ->> 'id') from letters order by id;
select count(*), count(body), count(body -> 'user' ->> 'id') from letters;
select id from letters where raw is null and body is not null;

-- case: documents: compared
-- with: :users.ann
select id from letters where (body -> 'user' ->> 'id')::uuid = $1;
-- with: ':users.ann'
-- types: text
select id from letters where body -> 'user' ->> 'id' = $1;
select id from letters where body -> 'user' ->> 'id' = ':users.bob';
select id from letters where body -> 'user' ->> 'id' in (':users.bob', ':users.ann') order by id;
select id from letters where (body ->> 'reply to')::uuid = ':letters.one';
select a.id, b.id from letters a join letters b on (b.body ->> 'reply to')::uuid = a.id;
select id from letters where body @> '{"user": {"id": ":users.ann"}}';
-- with: '{"to": [":users.cai"]}'
select id from letters where body @> $1;
-- with: '{"to": [":users.cai"], "title": "Hi"}'
select id from letters where body @> $1::jsonb;
select id from letters where body @> '{"user": {"id": ":fixed.unknown"}}';
select u.name from users u where exists (select from letters where (body -> 'user' ->> 'id')::uuid = u.id) order by u.id;

-- case: documents: stored
-- with: '{"user": {"id": ":users.dee"}, "to": [":users.eli", null], "n": 1.0}'
insert into letters (body) values ($1) returning body, body -> 'user' ->> 'id';
-- with: '{"user": {"id": ":users.dee"}, "to": []}', '{"from":  ":users.eli", "x": [ ]}'
insert into letters (body, raw) values ($1::jsonb, $2::json) returning body, raw;
insert into letters (body) values ('{"user": {"id": ":users.dee"}}') returning body;
insert into letters (body) select body from letters where id = ':letters.one' returning body;
update letters set body = '{"user": {"id": ":users.cai"}}' where id = ':letters.one' returning body;
-- with: '{"from": ":users.cai"}', :letters.two
update letters set raw = $1 where id = $2 returning raw;
insert into letters (id, body) values (':letters.one', '{"user": {"id": ":users.dee"}}') on conflict (id) do update set body = excluded.body returning body;
insert into letters default values returning body, raw;
-- refused: 22023
insert into letters (body) values ('{"user": {"id": ":fixed.unknown"}}');
-- early
-- fails: 22P02
-- except: context detail position
insert into letters (body) values ('{"user": {"id": "x"');

-- case: documents: an error that quotes one
-- fails: 23514
-- except: detail
insert into letters (body) values ('{"title": "bad", "user": {"id": ":users.dee"}}');

-- case: documents: taken apart by rows
-- refused: 0A000
select * from letters, jsonb_each(body);

-- case: documents: stored in a column that is not declared
-- refused: 0A000
insert into events (kind, payload) select 'x', body from letters;
