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
