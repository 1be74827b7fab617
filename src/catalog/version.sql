SELECT 'version', pg_catalog.sum(pg_catalog.hashtextextended(
         row.place OPERATOR(pg_catalog.||) ' ' OPERATOR(pg_catalog.||) row.xmin::pg_catalog.text OPERATOR(pg_catalog.||) row.ctid::pg_catalog.text,
         '0'::pg_catalog.int8))::pg_catalog.text
FROM (
      SELECT 'pg_aggregate' AS place, xmin, ctid FROM pg_catalog.pg_aggregate
      UNION ALL SELECT 'pg_attrdef' AS place, xmin, ctid FROM pg_catalog.pg_attrdef
      UNION ALL SELECT 'pg_attribute' AS place, xmin, ctid FROM pg_catalog.pg_attribute
      UNION ALL SELECT 'pg_cast' AS place, xmin, ctid FROM pg_catalog.pg_cast
      UNION ALL SELECT 'pg_class' AS place, xmin, ctid FROM pg_catalog.pg_class
      UNION ALL SELECT 'pg_constraint' AS place, xmin, ctid FROM pg_catalog.pg_constraint
      UNION ALL SELECT 'pg_depend' AS place, xmin, ctid FROM pg_catalog.pg_depend
      UNION ALL SELECT 'pg_index' AS place, xmin, ctid FROM pg_catalog.pg_index
      UNION ALL SELECT 'pg_inherits' AS place, xmin, ctid FROM pg_catalog.pg_inherits
      UNION ALL SELECT 'pg_language' AS place, xmin, ctid FROM pg_catalog.pg_language
      UNION ALL SELECT 'pg_namespace' AS place, xmin, ctid FROM pg_catalog.pg_namespace
      UNION ALL SELECT 'pg_operator' AS place, xmin, ctid FROM pg_catalog.pg_operator
      UNION ALL SELECT 'pg_policy' AS place, xmin, ctid FROM pg_catalog.pg_policy
      UNION ALL SELECT 'pg_proc' AS place, xmin, ctid FROM pg_catalog.pg_proc
      UNION ALL SELECT 'pg_rewrite' AS place, xmin, ctid FROM pg_catalog.pg_rewrite
      UNION ALL SELECT 'pg_trigger' AS place, xmin, ctid FROM pg_catalog.pg_trigger
      UNION ALL SELECT 'pg_type' AS place, xmin, ctid FROM pg_catalog.pg_type) row;
