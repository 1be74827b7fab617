-- case: widened: a relation of the system merged by USING
select typname, sp.r from pg_catalog.pg_type left join (select ns.oid as nspoid, ns.nspname, r.r from pg_namespace as ns join (select s.r, (current_schemas(false))[s.r] as nspname from generate_series(1, array_upper(current_schemas(false), 1)) as s(r)) as r using (nspname)) as sp on sp.nspoid = typnamespace where pg_type.oid = 20 order by sp.r, pg_type.oid desc;
select u.id, t.relname from users u join (select relname, 'ann@example.test' as email from pg_class where relname = 'users' and relkind = 'r' limit 1) t using (email);

-- case: widened: a result of a function as the JDBC driver asks for it
-- modes: declared
-- types: void uuid
-- with: null, :users.ann
select * from user_email($1, $2) as result;
-- types: uuid void
-- with: :users.bob, null
select result from user_email(($1), ($2)) as result;

-- case: widened: of several faults Postgres tells the first
-- fails: 42703
select nothing from users where neither = 1;
-- fails: 42P01
select x.id from users where y.id = 'a';
-- fails: 42703
select nothing from users where id = 5;
-- fails: 42883
select id + 1 from users where nothing;

-- case: widened: what is compared tells what is shown
-- with: {:users.ann,:users.bob}
select k.id, k.id::text as t, 'user-' || k.id as label, json_build_object('id', k.id) as doc from unnest($1::uuid[]) k(id), users u where u.id = k.id order by u.email;
select x.v::text, u.name from (values (':users.ann'::uuid), (':users.bob')) x(v), users u where u.id = x.v order by 2;

-- case: widened: of several faults of an update the first is told
-- fails: 42703
update users set nothing = 1 where neither = 1;
-- fails: 42703
update users set name = nobody where nothing = id;
-- fails: 42883
update users set name = nobody where id = 5;
