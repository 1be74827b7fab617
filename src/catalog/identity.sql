(SELECT d.oid::pg_catalog.text FROM pg_catalog.pg_database d WHERE d.datname OPERATOR(pg_catalog.=) pg_catalog.current_database())
         OPERATOR(pg_catalog.||) ' ' OPERATOR(pg_catalog.||)
         ((pg_catalog.date_part('epoch', pg_catalog.pg_postmaster_start_time()) OPERATOR(pg_catalog.*) '1000')::pg_catalog.int8)::pg_catalog.text
