pg_catalog.encode((
  SELECT pg_catalog.string_agg(pg_catalog.convert_to(s.name::pg_catalog.text, 'SQL_ASCII'), pg_catalog.decode('00', 'hex') ORDER BY s.place)
  FROM pg_catalog.unnest(
  CASE WHEN pg_catalog.current_setting('search_path') OPERATOR(pg_catalog.~*) '(^|,)[[:space:]]*"?pg_temp(_[0-9]+)?"?[[:space:]]*(,|$)'
       THEN ARRAY['pg_temp']::pg_catalog.name[] ELSE '{}'::pg_catalog.name[] END OPERATOR(pg_catalog.||)
  CASE WHEN pg_catalog.pg_my_temp_schema() OPERATOR(pg_catalog.<>) 0::pg_catalog.oid
         OR pg_catalog.current_setting('search_path') OPERATOR(pg_catalog.!~) '^[[:space:]]*"?pg_temp"?[[:space:]]*(,|$)'
       THEN pg_catalog.current_schemas(true)
       -- current_schemas would make the temporary schema.
       ELSE ARRAY(
         SELECT n.nspname
         FROM (SELECT '0'::pg_catalog.int8 AS place, 'pg_catalog' AS name
               WHERE pg_catalog.current_setting('search_path') OPERATOR(pg_catalog.!~) '(^|,)[[:space:]]*"?pg_catalog"?[[:space:]]*(,|$)'
               UNION ALL
               SELECT place, CASE WHEN word OPERATOR(pg_catalog.=) '"$user"' OR word OPERATOR(pg_catalog.=) '$user' THEN CURRENT_USER::pg_catalog.text
                                  WHEN word OPERATOR(pg_catalog.~) '^"' THEN pg_catalog.replace(pg_catalog.btrim(word, '"'), '""', '"')
                                  ELSE pg_catalog.lower(word) END
               FROM (SELECT pg_catalog.btrim(part) AS word, place
                     FROM pg_catalog.regexp_split_to_table(pg_catalog.current_setting('search_path'), ',')
                       WITH ORDINALITY AS p (part, place)) words) named
              JOIN pg_catalog.pg_namespace n ON n.nspname OPERATOR(pg_catalog.=) named.name
         WHERE pg_catalog.has_schema_privilege(n.oid, 'USAGE')
         ORDER BY place)
  END) WITH ORDINALITY AS s (name, place)), 'escape')
