pg_catalog.hashtextextended(pg_catalog.concat({}.nspname, ' ', {}.xmin), '0'::pg_catalog.int8)
