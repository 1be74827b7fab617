Ids that nobody has, where Postgres shows again what the client sent.

-- case: echo: an unknown id beside a comparison
select ('12345678-1234-4234-8234-123456789abc'::uuid) as sent, u.name from users u where u.id <> '12345678-1234-4234-8234-123456789abc' order by u.id limit 1;
-- with: 12345678-1234-4234-8234-123456789abc
select $1::uuid as sent, count(*) from users where id = $1;
-- with: 12345678-1234-4234-8234-123456789abc
select u.name, case when u.id = $1 then u.id else $1 end as either from users u order by u.id limit 2;
-- with: 12345678-1234-4234-8234-123456789abc
select coalesce((select id from users where id = $1), $1) as found;
-- with: 12345678-1234-4234-8234-123456789abc
select coalesce(max(id), $1) from users where id = $1;
-- with: 12345678-1234-4234-8234-123456789abc
select nullif($1, id) from users order by id limit 1;

-- case: echo: an unknown id in lists and rows of values
-- with: 12345678-1234-4234-8234-123456789abc
select v.id, u.name from (values ($1::uuid)) v(id) left join users u on u.id = v.id;
-- with: {12345678-1234-4234-8234-123456789abc,:users.ann}
select w.id, u.name from unnest($1::uuid[]) w(id) left join users u on u.id = w.id order by u.name nulls first;
-- with: 12345678-1234-4234-8234-123456789abc
select array[$1, id] from users where name = 'Ann';
-- with: 12345678-1234-4234-8234-123456789abc
select id from users where name = 'Ann' union all select $1;
-- with: 12345678-1234-4234-8234-123456789abc
select array_agg(x) from (select $1 as x union all select id from users where name = 'Ann') t;

-- case: echo: an unknown id as text and JSON
-- with: 12345678-1234-4234-8234-123456789abc
select coalesce((select id from users where id = $1), $1)::text;
-- with: 12345678-1234-4234-8234-123456789abc
select 'user-' || coalesce((select id from users where id = $1), $1);
-- with: 12345678-1234-4234-8234-123456789abc
select json_build_object('id', coalesce((select id from users where id = $1), $1));
-- with: 12345678-1234-4234-8234-123456789abc
select jsonb_agg(v.id) from (values ($1::uuid)) v(id) left join users u on u.id = v.id;
-- with: 12345678-1234-4234-8234-123456789abc
select string_agg(v.id::text, ',') from (values ($1::uuid)) v(id) left join users u on u.id = v.id;

-- case: echo: two unknown ids in one place
select case when id <> '12345678-1234-4234-8234-123456789abc' then '12345678-1234-4234-8234-123456789abd'::uuid else id end from users limit 1;
-- with: 12345678-1234-4234-8234-123456789abc, 12345678-1234-4234-8234-123456789abd
select v.a, v.b from (values ($1::uuid, $2::uuid)) v(a, b) left join users u on u.id in (v.a, v.b);

-- case: echo: many unknown ids in one statement
-- with: {12345678-1234-4234-8234-123456789abc,:users.ann,12345678-1234-4234-8234-123456789abd,12345678-1234-4234-8234-123456789abe}
select w.id, u.name from unnest($1::uuid[]) w(id) left join users u on u.id = w.id order by u.name, w.id::text;
-- with: {12345678-1234-4234-8234-123456789abc,12345678-1234-4234-8234-123456789abc,12345678-1234-4234-8234-123456789abd}
select count(distinct w.id), count(*) from unnest($1::uuid[]) w(id) left join users u on u.id = w.id;
select ('12345678-1234-4234-8234-123456789abc' = any(array_agg(id) || '12345678-1234-4234-8234-123456789abd'::uuid)) as found from users;
-- with: 12345678-1234-4234-8234-123456789abc, 12345678-1234-4234-8234-123456789abd
select v.a = v.b as same, u.name from (values ($1::uuid, $2::uuid)) v(a, b) left join users u on u.id in (v.a, v.b);

-- case: echo: the nil and the max uuid are shown again
-- with: 00000000-0000-0000-0000-000000000000, ffffffff-ffff-ffff-ffff-ffffffffffff
select v.a, v.b from (values ($1::uuid, $2::uuid)) v(a, b) left join users u on u.id in (v.a, v.b);
select coalesce(min(id), '00000000-0000-0000-0000-000000000000') from users where name = 'nobody';
select coalesce(max(id), 'ffffffff-ffff-ffff-ffff-ffffffffffff') from users where name = 'nobody';

-- case: echo: an id of another kind is shown again
-- with: :teams.red
select coalesce((select id from users where id = $1), $1);
-- with: :teams.red
select v.id, u.name, t.name from (values ($1::uuid)) v(id) left join users u on u.id = v.id cross join teams t where t.id = ':teams.red';

-- case: echo: prepared statements and cursors show what was sent
-- modes: simple text declared binary
prepare echo_one (uuid) as select coalesce((select id from users where id = $1), $1);
execute echo_one ('12345678-1234-4234-8234-123456789abc');
execute echo_one ('12345678-1234-4234-8234-123456789abd');
execute echo_one (':users.ann');
deallocate echo_one;
declare echo_two cursor for select v.id, u.name from (values ('12345678-1234-4234-8234-123456789abc'::uuid)) v(id) left join users u on u.id = v.id;
fetch all from echo_two;
close echo_two;

-- case: echo: an error shows the id that was sent
-- fails: 22P02
select v.id::text::int from (values ('12345678-1234-4234-8234-123456789abc'::uuid)) v(id);
-- fails: 42883
select coalesce((select id from users where id = '12345678-1234-4234-8234-123456789abc'), '12345678-1234-4234-8234-123456789abc') + 1;

-- case: echo: an id that can not be stored
-- with: 12345678-1234-4234-8234-123456789abc
-- fails: 23503
insert into orders (user_id, status) values ($1, 'echo') returning user_id;
-- fails: 23503
-- early
insert into orders (user_id, status) values ('12345678-1234-4234-8234-123456789abc', 'echo') returning user_id;
-- with: 12345678-1234-4234-8234-123456789abc
-- fails: 23503
update orders set user_id = $1 where status = 'new' returning user_id;
-- with: 12345678-1234-4234-8234-123456789abc
delete from orders where user_id = $1 returning user_id, $1::uuid;
-- with: 12345678-1234-4234-8234-123456789abc
update orders set status = status where user_id <> $1 and status = 'new' returning $1::uuid as sent, status;

-- case: echo: pages from an unknown id
-- with: 12345678-1234-4234-8234-123456789abc
select $1::uuid as after, (select count(*) from users where id <> $1) as rest, (select name from users where id = $1) as none;
-- with: 12345678-1234-4234-8234-123456789abc
select row_number() over (order by v.id), v.id from (values ($1::uuid)) v(id) where v.id not in (select id from users);
-- with: 12345678-1234-4234-8234-123456789abc
with wanted as (select $1::uuid as id) select w.id, u.id from wanted w left join users u using (id);
-- with: 12345678-1234-4234-8234-123456789abc
with wanted as (select $1::uuid as id) select id from wanted except select id from users;
-- with: 12345678-1234-4234-8234-123456789abc
select distinct v.id from (values ($1::uuid), ($1::uuid)) v(id) where v.id not in (select id from users);
-- with: {12345678-1234-4234-8234-123456789abc}
select $1::uuid[] as sent, array(select id from users where id = any($1::uuid[])) as found;
-- with: {12345678-1234-4234-8234-123456789abc,:users.ann}
select x from unnest($1::uuid[]) x where x not in (select id from users);

-- case: a text that is no id beside the nil uuid
select ''::text union all (select id::text from teams where id = ':fixed.nil' order by 1);
