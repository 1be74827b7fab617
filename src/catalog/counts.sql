SELECT t.own OPERATOR(pg_catalog.||) ' ' OPERATOR(pg_catalog.||) t.shared AS counts FROM (SELECT
  (SELECT pg_catalog.count(*) FROM pg_catalog.pg_class c)::pg_catalog.text
  OPERATOR(pg_catalog.||) ' ' OPERATOR(pg_catalog.||) (SELECT pg_catalog.count(*) FROM pg_catalog.pg_constraint k)::pg_catalog.text
  OPERATOR(pg_catalog.||) ' ' OPERATOR(pg_catalog.||) (SELECT pg_catalog.count(*) FROM pg_catalog.pg_attrdef f)::pg_catalog.text
  OPERATOR(pg_catalog.||) ' ' OPERATOR(pg_catalog.||) (SELECT pg_catalog.count(*) FROM pg_catalog.pg_index i WHERE (i.indexprs IS NOT NULL OR i.indpred IS NOT NULL))::pg_catalog.text
  OPERATOR(pg_catalog.||) ' ' OPERATOR(pg_catalog.||) (SELECT pg_catalog.count(*) FROM pg_catalog.pg_inherits h)::pg_catalog.text
  OPERATOR(pg_catalog.||) ' ' OPERATOR(pg_catalog.||) (SELECT pg_catalog.count(*) FROM pg_catalog.pg_policy p)::pg_catalog.text
  OPERATOR(pg_catalog.||) ' ' OPERATOR(pg_catalog.||) (SELECT pg_catalog.count(*) FROM pg_catalog.pg_rewrite r)::pg_catalog.text
  OPERATOR(pg_catalog.||) ' ' OPERATOR(pg_catalog.||) (SELECT pg_catalog.count(*) FROM pg_catalog.pg_sequence s)::pg_catalog.text
  OPERATOR(pg_catalog.||) ' ' OPERATOR(pg_catalog.||) (SELECT pg_catalog.count(*) FROM pg_catalog.pg_trigger g WHERE NOT g.tgisinternal)::pg_catalog.text
  OPERATOR(pg_catalog.||) ' ' OPERATOR(pg_catalog.||) (SELECT pg_catalog.count(*) FROM pg_catalog.pg_namespace x WHERE x.nspname OPERATOR(pg_catalog.!~) '^pg_(toast_)?temp_')::pg_catalog.text AS own,
  (SELECT pg_catalog.count(*) FROM pg_catalog.pg_aggregate x)::pg_catalog.text
  OPERATOR(pg_catalog.||) ' ' OPERATOR(pg_catalog.||) (SELECT pg_catalog.count(*) FROM pg_catalog.pg_cast x)::pg_catalog.text
  OPERATOR(pg_catalog.||) ' ' OPERATOR(pg_catalog.||) (SELECT pg_catalog.count(*) FROM pg_catalog.pg_language x)::pg_catalog.text
  OPERATOR(pg_catalog.||) ' ' OPERATOR(pg_catalog.||) (SELECT pg_catalog.count(*) FROM pg_catalog.pg_operator x)::pg_catalog.text
  OPERATOR(pg_catalog.||) ' ' OPERATOR(pg_catalog.||) (SELECT pg_catalog.count(*) FROM pg_catalog.pg_proc x)::pg_catalog.text
  OPERATOR(pg_catalog.||) ' ' OPERATOR(pg_catalog.||) (SELECT pg_catalog.count(*) FROM pg_catalog.pg_type x WHERE x.typtype OPERATOR(pg_catalog.<>) 'c' AND x.typcategory OPERATOR(pg_catalog.<>) 'A')::pg_catalog.text AS shared) t
