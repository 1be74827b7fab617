Rows with text built from ids in them, rows as text, and objects of arrays of text.

-- case: row texts: rows that are written out
select (id, name)::text, row(id, name)::text, cast((name, id) as text) from users order by id;
select (id, (name, id), null, 'a b')::text from users order by id;
select ((id, 1), (2, user_id), ((id)))::text from orders order by id;
select (id, participant_ids, actor_id)::text from events order by id;
select row(u, 1)::text, (u.id, u)::text from users u order by id;
select row('user-' || id, id::text, upper(name))::text from users order by id;
select 'row ' || (id, name)::text || '.' from users order by id;
select (id::text || ',(' || name, id)::text, row(id)::text from users order by id;
select json_build_object('row', (id, name)::text) from users order by id;
select string_agg((id, name)::text, ';' order by id) from users;
select array[(id, name)::text, name] from users order by id;
-- with: 7
select (id, $1::int, case when is_active then id end)::text from users order by id;
select ((select id from users order by id limit 1), 2)::text;
select (coalesce(owner_id, ':users.ann'), name)::text from teams order by id;

-- case: row texts: rows with text in them
select (id, 'user-' || id) from users order by id;
select row('a' || id, id::text, name, id), row(to_jsonb(id), json_build_object('id', id)) from users order by id;
select (id, ('x ' || id || ' "quoted", y', name)) from users order by id;
select array_agg((id || '!', name) order by id), array_agg(row(array['u' || id, name])) from users;
select (participant_ids, array_to_string(participant_ids, ',')), row(participant_ids::text) from events order by id;
select s from (select id, 'user-' || id as label, jsonb_build_object('id', id) as doc from users) s order by s.id;
select array_agg(s order by s.id) from (select id, id || '?' as label from users) s;
select row(null, 'none: ' || owner_id) from teams order by id;
select (s).label, s from (select id, 'user-' || id as label from users) s order by 1;
select array(select (id, 'u' || id) from users order by id);
select id, 'user-' || id, (id, 'user-' || id), u from users u order by id;
select (select ('t' || t.id, t.name) from teams t where t.owner_id = u.id) from users u order by u.id;

-- case: row texts: rows behind a cursor
-- modes: simple text declared binary
-- autocommit
begin;
declare c cursor for select id, (id, 'user-' || id) from users order by id;
fetch 2 from c;
fetch all from c;
declare b binary cursor for select (id, 'user-' || id, to_jsonb(id)), array_agg(row(name || id)) from users group by id order by id;
fetch all from b;
rollback;

-- case: row texts: rows unnested with their columns
select q.a, q.b from unnest(array(select row(id, name) from users)) as q(a uuid, b varchar(120)) order by q.b;
select u.name, q.n from unnest(array(select row(user_id, count(*)) from orders group by user_id)) as q(who uuid, n bigint) join users u on u.id = q.who order by u.id;
select q.* from unnest((select array_agg(row(id, participant_ids, kind) order by id) from events)) as q(id uuid, who uuid[], kind text) order by q.id;

-- case: row texts: rows unnested with a column of another type
-- fails: 42804
-- early
-- except: detail position
select q.a from unnest(array(select row(id, name) from users)) as q(a bigint, b varchar(120));

-- case: row texts: objects of arrays
select json_object(array['id', id::text, 'name', name]) from users order by id;
select jsonb_object(array['id', id::text, 'name', name]) from users order by id;
select json_object(array['id', 'owner'], array[id::text, owner_id::text]) from teams order by id;
select json_object(array[['id', id::text], ['name', name]]) from users order by id;
select jsonb_object(array['id', 'name'], array[id::text, name]) ->> 'id' from users order by id;
select json_object(array_agg(name::text order by id), array_agg(id::text order by id)) from users;
select json_object('{a,1,b,2}'), jsonb_object('{a,b}', '{1,2}'), json_object(array['a', name]) from users order by id;

-- case: row texts: arrays of ids and other text
select array['id', id::text], array[name, id::text], array[id::text, 'user-' || id] from users order by id;
select array[array['id', id::text], array['name', name]] from users order by id;
select array_to_string(array['a', id::text, name], '/') from users order by id;
select unnest(array['a', id::text]) from users where name = 'Ann';
select array_append(array['a', id::text], name), array['a', id::text] || name from users order by id;
