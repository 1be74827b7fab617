pg_catalog.hashtextextended(pg_catalog.concat({}.nspname, ' ', {}.nspowner, ' ',
  (SELECT pg_catalog.string_agg(pg_catalog.concat(e.grantor, ' ', e.grantee, ' ', e.privilege_type, ' ', e.is_grantable), ','
            ORDER BY e.grantor, e.grantee, e.privilege_type, e.is_grantable)
   FROM pg_catalog.aclexplode(COALESCE({}.nspacl, pg_catalog.acldefault('n', {}.nspowner))) e), ' ',
  CASE WHEN EXISTS (
    SELECT FROM (SELECT {}.nspowner AS role
                 UNION ALL SELECT e.grantee FROM pg_catalog.aclexplode({}.nspacl) e WHERE e.is_grantable) w
         JOIN pg_catalog.pg_roles r ON r.oid OPERATOR(pg_catalog.=)
           CASE WHEN w.role OPERATOR(pg_catalog.=) 6171::pg_catalog.oid
                THEN (SELECT d.datdba FROM pg_catalog.pg_database d WHERE d.datname OPERATOR(pg_catalog.=) pg_catalog.current_database())
                ELSE w.role END
    WHERE NOT r.rolsuper) THEN {}.xmin::pg_catalog.text END), '0'::pg_catalog.int8)
