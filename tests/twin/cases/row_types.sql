Values of row types that come from no table: literals and parameters cast to them, rows made of
values, arrays of them, and what is taken out of them.

-- case: a literal of a row type
select '(:users.ann,a@x,Ann,t,1,,2026-01-01)'::users;
select ('(:users.ann,a@x,Ann,t,1,,2026-01-01)'::users).id;
select (' (":users.ann","a ""b"" \\c",Ann,t,1,,"2026-01-01")	'::users).*;
select name from users where id = ('(:users.ann,,,,,,)'::users).id;
select name from users where id in (select (x).id from unnest(array['(:users.bob,,,,,,)', '(:users.ann,,,,,,)']::users[]) x) order by 1;
select (u = '(:users.ann,ann@example.test,Ann,t,7,:fixed.subject_ann,"2026-01-01 10:00:00+00")'::users) from users u order by u.id;
select cast('(:users.ann,,,,,,)' as users), cast('(:users.ann,,,,,,)' as public.users) from settings limit 1;
select '{"(:orders.one,:users.ann,new,5,,)",NULL}'::orders[];
select ('{"(:orders.one,:users.ann,new,5,,)"}'::orders[])[1], (('{"(:orders.one,:users.ann,new,5,,)"}'::public.orders[])[1]).user_id;
select ('{"(:orders.one,:users.ann,new,5,,)"}'::_orders)[1];
select ('(:events.met,k,:users.ann,"{:users.bob,:users.cai}",,2026-01-01)'::events).participant_ids;
select users '(:users.ann,a@x,Ann,t,1,,2026-01-01)';
select '(:users.ann,,,,,,)'::text::users;
select (case when true then '(:users.ann,,,,,,)' end)::users;
select null::users, (null::users).id, (null::orders[])[1] is null;
select coalesce(null::users, u) from users u order by u.id;
select case when id = ':users.ann' then '(:users.bob,b@x,B,t,1,,2026-01-01)'::users else u end from users u order by u.id;
select '(:users.ann,a@x,Ann,t,1,,2026-01-01)'::users union all select u from users u order by 1;
select array['(:users.eli,e@x,E,t,1,,2026-01-01)'::users] || array_agg(u order by u.id) from users u;
select (x).id from (values ('(:users.ann,,,,,,)'::users), (null)) v(x);

-- case: ids that nobody issued in a row
select ('(00000000-0000-4000-8000-000000000001,,,,,,)'::users).id;
select '(00000000-0000-4000-8000-000000000001,,,,,,)'::users;
select name from users where id = ('(00000000-0000-4000-8000-000000000001,,,,,,)'::users).id;

-- case: what is no row of a type
-- fails: 22P02
select '(7001,e,n,t,1,,)'::users;
-- fails: 22P02
select ('(7001,,,,,,)'::users).id;
-- fails: 22P02
select '(:users.ann'::users;
-- fails: 22P02
select '(:users.ann,a)'::users;
-- fails: 22P02
select ':users.ann,a'::users;
-- fails: 22P02
select '(:users.ann,,,,,,,)'::users;
-- fails: 22P02
select '(:users.ann,,,,,,)x'::users;
-- fails: 22P02
select '(:users.ann,",,,,,)'::users;
-- fails: 22P02
select '{"(7001,,,,,)"}'::orders[];
-- fails: 42846
select row(7001, 'e', 'n', true, 1, null, '2026-01-01')::users;
-- fails: 42846
select row(':users.ann', 'e')::users;
-- fails: 42846
select row(':users.ann', 'e', 'n', true, 1, null, '2026-01-01', 3)::users;

-- case: a parameter of a row type
-- with: '(:users.ann,a@x,Ann,t,1,,2026-01-01)'
select ($1::users).id, $1::users;
-- with: '(:users.ann,a@x,Ann,t,1,,2026-01-01)'
select name from users where id = ($1::users).id;
-- with: '(:users.ann,a@x,Ann,t,1,,2026-01-01)'
select u.name from users u where u.id = ($1::users).id or u = $1::users order by 1;
-- with: '(:users.ann,a@x,Ann,t,1,,2026-01-01)'
select cast($1 as users);
-- with: '(:users.ann,a@x,Ann,t,1,,2026-01-01)'
-- types: text
select ($1::users).id;
-- with: '(:users.ann,a@x,Ann,t,1,,2026-01-01)'
-- types: varchar
select $1::users;
-- with: '{"(:orders.one,:users.ann,new,5,,)","(:orders.two,:users.bob,old,6,\"a \\\"b\\\" c\",)"}'
select $1::orders[];
-- with: '{"(:orders.one,:users.ann,new,5,,)","(:orders.two,:users.bob,old,6,\"a \\\"b\\\" c\",)"}'
select x.id, x.user_id, x.note from unnest($1::orders[]) x;
-- with: '{"(:orders.one,:users.ann,new,5,,)","(:orders.two,:users.bob,old,6,\"a \\\"b\\\" c\",)"}'
select x from unnest($1::orders[]) x;
-- with: '{"(:orders.one,:users.ann,new,5,,)","(:orders.two,:users.bob,old,6,\"a \\\"b\\\" c\",)"}'
select * from unnest($1::orders[]) with ordinality x order by x.ordinality;
-- with: '{"(:orders.one,:users.ann,new,5,,)","(:orders.two,:users.bob,old,6,\"a \\\"b\\\" c\",)"}'
select o.status, x.status from unnest($1::orders[]) x join orders o on o.id = x.id order by 1;
-- with: '{"(:orders.one,:users.ann,new,5,,)","(:orders.two,:users.bob,old,6,\"a \\\"b\\\" c\",)"}'
select a.id, b from unnest($1::orders[]) a, unnest(array[a.user_id]) b;
-- with: '{"(:orders.one,:users.ann,new,5,,)","(:orders.two,:users.bob,old,6,\"a \\\"b\\\" c\",)"}'
select (unnest($1::orders[])).user_id;
-- with: '{"(:orders.one,:users.ann,new,5,,)","(:orders.two,:users.bob,old,6,\"a \\\"b\\\" c\",)"}'
select (array_agg(x order by x.id))[1] from unnest($1::orders[]) x;
-- with: '{"(:orders.one,:users.ann,new,5,,)","(:orders.two,:users.bob,old,6,\"a \\\"b\\\" c\",)"}'
select id, n from unnest($1::orders[], array[7, 8]) as t(id, user_id, status, cents, note, at, n);
-- with: '(7001,a@x,Ann,t,1,,2026-01-01)'
-- fails: 22P02
-- early
select ($1::users).id;
-- with: '{"(7001,,,,,)"}'
-- fails: 22P02
-- early
select x.id from unnest($1::orders[]) x;
-- with: null
select ($1::users).id, $1::users;

-- case: rows of values cast to a row type
-- with: ':users.ann', 'a@x'
select row($1, $2, 'n', true, 1, null, '2026-01-01')::users;
-- with: ':users.ann', 'a@x'
select (row($1, $2, 'n', true, 1, null, '2026-01-01')::users).id;
-- with: ':users.ann', 'a@x'
select name from users where id = (($1, $2, 'n', true, 1, null, '2026-01-01')::users).id;
-- with: ':users.ann', 'a@x'
select array[row($1, $2, 'n', true, 1, null, '2026-01-01')]::users[];
select row(u.id, u.email, u.name, u.is_active, 0, null, u.created_at)::users from users u order by u.id;
select (row(u.id, u.email, u.name, u.is_active, 0, null, u.created_at)::users).id from users u order by 1;
select u::users from users u order by u.id;
select array_agg(u order by u.id)::users[] from users u;

-- case: rows that are stored
-- modes: simple text declared binary
create table kept (old users, olds orders[]);
-- with: '(:users.ann,a@x,Ann,t,1,,2026-01-01)', '{"(:orders.one,:users.bob,new,5,,)"}'
insert into kept values ($1, $2) returning old, olds, (old).id, (olds[1]).user_id;
-- with: '(:users.ann,a@x,Ann,t,1,,2026-01-01)', '{"(:orders.one,:users.bob,new,5,,)"}'
insert into kept values ($1::users, $2::orders[]) returning old, olds;
-- with: '(:users.ann,a@x,Ann,t,1,,2026-01-01)', '{"(:orders.one,:users.bob,new,5,,)"}'
insert into kept select $1::users, $2::orders[] returning *;
-- with: '(:users.ann,a@x,Ann,t,1,,2026-01-01)', '{"(:orders.one,:users.bob,new,5,,)"}'
update kept set old = $1, olds = $2 returning old;
-- with: '{"(:orders.one,:users.bob,new,5,,)"}'
insert into order_items (order_id, sku) select x.id, 'unnested' from unnest($1::orders[]) x returning order_id, sku;
insert into kept values (row(':users.ann', 'a@x', 'n', true, 1, null, '2026-01-01')::users) returning (old).id;
insert into kept select '(:users.ann,a@x,Ann,t,1,,2026-01-01)'::users returning (old).id;
-- fails: 22P02
insert into kept values ('(7001,,,,,,)');
-- fails: 22P02
insert into kept select '(7001,,,,,,)'::users;

-- case: rows that are stored with an id that nobody issued
-- fails: 23503
-- early
insert into comments (author_id, body) select x.author_id, x.body from unnest('{"(,00000000-0000-4000-8000-000000000001,,,hello,)"}'::comments[]) x;

-- case: rows of computed text
-- refused: 0A000
select ('(' || ':users.ann' || ',,,,,,)')::text::users from users;
-- refused: 0A000
select ((email || '')::users).id from users where false;
-- refused: 0A000
copy (select row(id, 'a') from users order by id) to stdout (null '(7001,a)');

-- case: rows that a document fills
-- with: '{"id": ":users.ann", "name": "x", "created_at": "2026-01-01", "email": "e", "is_active": true, "login_count": 5}'
select jsonb_populate_record(null::users, $1);
-- with: '{"id": ":users.ann", "name": "x"}'
select (jsonb_populate_record(null::users, $1)).id, (jsonb_populate_record(null::public.users, $1)).name;
-- with: '{"id": ":users.ann", "name": "x"}'
select name from users where id = (jsonb_populate_record(null::users, $1)).id;
-- with: '{"name": "x"}'
select jsonb_populate_record(u, $1) from users u order by u.id;
-- with: '{"id": ":users.ann"}'
select y.id, y.name from users u, jsonb_populate_record(u, $1) y order by y.name;
select jsonb_populate_recordset(null::orders, '[{"id": ":orders.one", "user_id": ":users.ann"}, {"id": null}]');
select (jsonb_populate_record(null::events, '{"participant_ids": [":users.ann", ":users.bob"]}')).participant_ids;
select (jsonb_populate_record('(:users.ann,a@x,,,,,)'::users, '{"name": "x"}')).*;
-- fails: 22P02
-- early
-- except: context
select (jsonb_populate_record(null::users, '{"id": 7001}')).id;
-- with: '{"id": "7001"}'
-- fails: 22P02
-- early
-- except: context
select jsonb_populate_record(null::users, $1);

-- case: rows and texts of ids are copied
-- modes: raw
-- script
copy (select u from users u order by u.id) to stdout;

-- script
copy (select u, row(id, 'a b,"c"\d'), array_agg(u) over () from users u order by u.id) to stdout (format csv, header);

-- script
copy (select 'user-' || id, id::text || ',x', array['u' || id, null] from users order by id) to stdout;

-- script
copy (select 'user-' || id, format('"%s";%s', id, name) from users order by id) to stdout (format csv, delimiter ';', force_quote *);

-- script
copy (select u, 'user-' || id, id from users u order by id) to stdout (format binary);

-- script
copy (select array_agg(o order by o.id), row(row(user_id), 'x' || user_id) from orders o group by user_id order by user_id) to stdout (format binary);

-- script
copy (select x.id from (select id, name as n from users union all select id, status from orders) x order by x.n) to stdout;

-- script
copy (select x.id, row(x.id, x.n) from (select id, name as n from users union all select id, note from orders) x order by x.n) to stdout (format binary);

-- script
copy (select coalesce(o.user_id, u.id), row(u.id, o.id) from users u left join orders o on o.user_id = u.id order by u.id, o.id) to stdout (delimiter '~');

-- script
copy (select null::users, '(:users.ann,a@x,Ann,t,1,,2026-01-01)'::users, (null::users).id) to stdout (null 'none');

-- case: ids of several domains in a record
select row(x.id, x.n) from (select id, name as n from users union all select id, status from orders) x order by x.n;
select array_agg(row(x.id, 1) order by x.n) from (select id, name as n from users union all select id, status from orders) x;
select row(case when o.total_cents > 100 then o.id else o.user_id end, o.status) from orders o order by o.id;
select x from (select id, name as n from users union all select id, status from orders) x order by x.n;
select row(array_agg(x.id order by x.n), 1) from (select id, name as n from users union all select id, status from orders) x;
select row(row(coalesce(c.order_id, c.author_id)), c.body) from comments c order by c.id;

-- case: rows as arguments of EXECUTE
-- modes: simple text declared binary
deallocate all;
prepare p as select ($1::users).id, name from users where id = ($1::users).id;
execute p('(:users.ann,,,,,,)');
execute p(null);
-- fails: 22P02
-- early
execute p('(7001,,,,,,)');
-- fails: 22P02
-- early
execute p(':users.ann');
prepare q as select x.id, x.user_id from unnest($1::orders[]) x;
execute q('{"(:orders.one,:users.ann,,,,)"}');
-- fails: 22P02
-- early
execute q('{"(7001,,,,,)"}');
