pg_catalog.encode(pg_catalog.convert_to(CURRENT_USER::pg_catalog.text, 'SQL_ASCII')
         OPERATOR(pg_catalog.||) pg_catalog.decode('00', 'hex')
         OPERATOR(pg_catalog.||) pg_catalog.convert_to(pg_catalog.current_setting('search_path'), 'SQL_ASCII'), 'escape')
