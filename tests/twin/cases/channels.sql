Notifications with ids, on channels that are declared to carry them.

-- case: notify with an id as a literal
-- autocommit
listen user_changed;
notify user_changed, ':users.ann';
notify user_changed, E':users.bob';
notify "user_changed", $$:users.cai$$;
notify user_changed;
-- refused: 22P02
notify user_changed, ' :users.ann';
-- refused: 22P02
notify user_changed, '42';
-- refused: 22P02
notify user_changed, 'reload';
-- refused: 22023
notify user_changed, ':teams.red';
-- refused: 22023
notify user_changed, '00000000-0000-0000-0000-000000000000';
unlisten user_changed;

-- case: notify in a script
-- autocommit
-- script
listen user_changed; notify user_changed, ':users.ann'; select name from users where id = ':users.ann'; unlisten *

-- case: pg_notify with an id as a literal or a parameter
-- autocommit
listen user_changed;
select pg_notify('user_changed', ':users.ann');
select pg_notify('user_changed', ':users.bob'::text), 1 as one;
select pg_notify('user_changed'::text, ':users.cai'::uuid::text);
-- with: :users.ann
select pg_notify('user_changed', $1);
-- with: :users.bob
-- types: text
select pg_notify('user_changed', $1);
-- with: :users.cai
select pg_catalog.pg_notify('user_changed', ($1)::text);
-- with: :users.ann
-- types: uuid
select pg_notify('user_changed', $1::text);
-- with: :users.bob
select pg_notify('user_changed', cast($1::uuid as varchar));
select pg_notify('user_changed', null);
-- with: null
select pg_notify('user_changed', $1);
unlisten user_changed;

-- case: pg_notify with ids of the database
-- autocommit
listen user_changed;
select pg_notify('user_changed', id::text) from users where name = 'Ann';
select name, pg_notify('user_changed', cast(id as text)) from users where id = ':users.bob';
select count(pg_notify('user_changed', user_id::text)) from orders where status = 'new';
select pg_notify('user_changed', coalesce(max(id), ':users.ann')::text) from users where name = 'nobody';
with changed as (update users set name = name where id = ':users.cai' returning id) select pg_notify('user_changed', id::text) from changed;
unlisten *;

-- case: a trigger notifies
-- autocommit
listen ticket_made;
listen "Owner of a ticket";
insert into tickets (owner_id, title) values (':users.ann', 'made') returning id;
unlisten *;

-- case: what is no id of the channel is not sent
-- autocommit
-- modes: simple text
listen user_changed;
-- refused: 42804
select pg_notify('user_changed', name) from users;
-- refused: 0A000
select pg_notify('user_changed', t.id::text) from teams t;
-- refused: 42804
select pg_notify('user_changed', '4' || '2');
-- refused: 42804
select pg_notify('user_changed', 42::text);
-- refused: 42804
select pg_notify('user_changed', id::text || '') from users;
-- refused: 0A000
select pg_notify('user_' || 'changed', '42');
-- refused: 0A000
select * from pg_notify('user_changed', '42');
-- refused: 22P02
select pg_notify('user_changed', '42');
-- refused: 22023
select pg_notify('user_changed', ':teams.red');
-- fails: 42883
select pg_notify('user_changed', id) from users;
select pg_notify('another', 'hello');
unlisten user_changed;

-- case: notify with arrays of ids
-- autocommit
listen user_changed;
notify user_changed, '{:users.ann,:users.bob}';
notify user_changed, '{}';
select pg_notify('user_changed', '{:users.cai,NULL}');
select pg_notify('user_changed', array_agg(id order by id)::text) from users;
select pg_notify('user_changed', participant_ids::text) from events where participant_ids is not null;
select pg_notify('user_changed', array[':users.ann', ':users.bob']::uuid[]::text);
-- refused: 22P02
notify user_changed, '{42}';
-- refused: 22P02
notify user_changed, '{:users.ann';
-- refused: 22023
notify user_changed, '{:teams.red}';
-- refused: 0A000
select pg_notify('user_changed', array_agg(id)::text) from teams;
unlisten user_changed;

-- case: notify with ids in a document
-- autocommit
listen ticket_json;
listen users_json;
insert into tickets (owner_id, title) values (':users.ann', 'json') returning id;
notify ticket_json, '{"owner": {"id": ":users.bob", "name": "Bob"}, "n": 7}';
notify users_json, ' [ {"id":":users.ann"}, {"id" : ":users.cai", "more": [1, 2]}, {"id": null} ] ';
select pg_notify('users_json', '[{"id": ":users.ann"}]');
select pg_notify('users_json', null), pg_notify('ticket_json', '{"owner": {"id": ":users.ann"}}'::text);
-- refused: 22P02
notify users_json, '[{"id": 42}]';
-- refused: 22P02
notify users_json, '[{"id": "x"}]';
-- refused: 22P02
notify users_json, 'no document';
-- refused: 22023
notify users_json, '[{"id": ":teams.red"}]';
-- refused: 0A000
select pg_notify('users_json', json_agg(u)::text) from users u;
unlisten *;

-- case: notify with a document as a parameter
-- autocommit
-- modes: text declared
-- with: '[]'
-- refused: 0A000
select pg_notify('users_json', $1);
