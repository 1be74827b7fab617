SELECT a.attrelid AS oid, pg_catalog.age(a.xmin) AS age, 'pg_attribute' OPERATOR(pg_catalog.||) a.xmin::pg_catalog.text OPERATOR(pg_catalog.||) a.ctid::pg_catalog.text AS row
FROM pg_catalog.pg_attribute a WHERE pg_catalog.age(a.xmin) OPERATOR(pg_catalog.<=) (SELECT g.since FROM ages g)
UNION ALL
SELECT c.oid AS oid, pg_catalog.age(c.xmin) AS age, 'pg_class' OPERATOR(pg_catalog.||) c.xmin::pg_catalog.text OPERATOR(pg_catalog.||) c.ctid::pg_catalog.text AS row
FROM pg_catalog.pg_class c WHERE pg_catalog.age(c.xmin) OPERATOR(pg_catalog.<=) (SELECT g.since FROM ages g)
UNION ALL
SELECT k.conrelid AS oid, pg_catalog.age(k.xmin) AS age, 'pg_constraint' OPERATOR(pg_catalog.||) k.xmin::pg_catalog.text OPERATOR(pg_catalog.||) k.ctid::pg_catalog.text AS row
FROM pg_catalog.pg_constraint k WHERE pg_catalog.age(k.xmin) OPERATOR(pg_catalog.<=) (SELECT g.since FROM ages g)
UNION ALL
SELECT f.adrelid AS oid, pg_catalog.age(f.xmin) AS age, 'pg_attrdef' OPERATOR(pg_catalog.||) f.xmin::pg_catalog.text OPERATOR(pg_catalog.||) f.ctid::pg_catalog.text AS row
FROM pg_catalog.pg_attrdef f WHERE pg_catalog.age(f.xmin) OPERATOR(pg_catalog.<=) (SELECT g.since FROM ages g)
UNION ALL
SELECT i.indrelid AS oid, pg_catalog.age(i.xmin) AS age, 'pg_index' OPERATOR(pg_catalog.||) i.xmin::pg_catalog.text OPERATOR(pg_catalog.||) i.ctid::pg_catalog.text AS row
FROM pg_catalog.pg_index i WHERE pg_catalog.age(i.xmin) OPERATOR(pg_catalog.<=) (SELECT g.since FROM ages g) AND (i.indexprs IS NOT NULL OR i.indpred IS NOT NULL)
UNION ALL
SELECT h.inhrelid AS oid, pg_catalog.age(h.xmin) AS age, 'pg_inherits' OPERATOR(pg_catalog.||) h.xmin::pg_catalog.text OPERATOR(pg_catalog.||) h.ctid::pg_catalog.text AS row
FROM pg_catalog.pg_inherits h WHERE pg_catalog.age(h.xmin) OPERATOR(pg_catalog.<=) (SELECT g.since FROM ages g)
UNION ALL
SELECT p.polrelid AS oid, pg_catalog.age(p.xmin) AS age, 'pg_policy' OPERATOR(pg_catalog.||) p.xmin::pg_catalog.text OPERATOR(pg_catalog.||) p.ctid::pg_catalog.text AS row
FROM pg_catalog.pg_policy p WHERE pg_catalog.age(p.xmin) OPERATOR(pg_catalog.<=) (SELECT g.since FROM ages g)
UNION ALL
SELECT r.ev_class AS oid, pg_catalog.age(r.xmin) AS age, 'pg_rewrite' OPERATOR(pg_catalog.||) r.xmin::pg_catalog.text OPERATOR(pg_catalog.||) r.ctid::pg_catalog.text AS row
FROM pg_catalog.pg_rewrite r WHERE pg_catalog.age(r.xmin) OPERATOR(pg_catalog.<=) (SELECT g.since FROM ages g)
UNION ALL
SELECT s.seqrelid AS oid, pg_catalog.age(s.xmin) AS age, 'pg_sequence' OPERATOR(pg_catalog.||) s.xmin::pg_catalog.text OPERATOR(pg_catalog.||) s.ctid::pg_catalog.text AS row
FROM pg_catalog.pg_sequence s WHERE pg_catalog.age(s.xmin) OPERATOR(pg_catalog.<=) (SELECT g.since FROM ages g)
UNION ALL
SELECT g.tgrelid AS oid, pg_catalog.age(g.xmin) AS age, 'pg_trigger' OPERATOR(pg_catalog.||) g.xmin::pg_catalog.text OPERATOR(pg_catalog.||) g.ctid::pg_catalog.text AS row
FROM pg_catalog.pg_trigger g WHERE pg_catalog.age(g.xmin) OPERATOR(pg_catalog.<=) (SELECT g.since FROM ages g) AND NOT g.tgisinternal
UNION ALL
SELECT '0'::pg_catalog.oid AS oid, pg_catalog.age(x.xmin) AS age, 'pg_aggregate' OPERATOR(pg_catalog.||) x.xmin::pg_catalog.text OPERATOR(pg_catalog.||) x.ctid::pg_catalog.text AS row
FROM pg_catalog.pg_aggregate x WHERE pg_catalog.age(x.xmin) OPERATOR(pg_catalog.<=) (SELECT g.since FROM ages g)
UNION ALL
SELECT '0'::pg_catalog.oid AS oid, pg_catalog.age(x.xmin) AS age, 'pg_cast' OPERATOR(pg_catalog.||) x.xmin::pg_catalog.text OPERATOR(pg_catalog.||) x.ctid::pg_catalog.text AS row
FROM pg_catalog.pg_cast x WHERE pg_catalog.age(x.xmin) OPERATOR(pg_catalog.<=) (SELECT g.since FROM ages g)
UNION ALL
SELECT '0'::pg_catalog.oid AS oid, pg_catalog.age(x.xmin) AS age, 'pg_language' OPERATOR(pg_catalog.||) x.xmin::pg_catalog.text OPERATOR(pg_catalog.||) x.ctid::pg_catalog.text AS row
FROM pg_catalog.pg_language x WHERE pg_catalog.age(x.xmin) OPERATOR(pg_catalog.<=) (SELECT g.since FROM ages g)
UNION ALL
SELECT '0'::pg_catalog.oid AS oid, pg_catalog.age(x.xmin) AS age, 'pg_operator' OPERATOR(pg_catalog.||) x.xmin::pg_catalog.text OPERATOR(pg_catalog.||) x.ctid::pg_catalog.text AS row
FROM pg_catalog.pg_operator x WHERE pg_catalog.age(x.xmin) OPERATOR(pg_catalog.<=) (SELECT g.since FROM ages g)
UNION ALL
SELECT '0'::pg_catalog.oid AS oid, pg_catalog.age(x.xmin) AS age, 'pg_proc' OPERATOR(pg_catalog.||) x.xmin::pg_catalog.text OPERATOR(pg_catalog.||) x.ctid::pg_catalog.text AS row
FROM pg_catalog.pg_proc x WHERE pg_catalog.age(x.xmin) OPERATOR(pg_catalog.<=) (SELECT g.since FROM ages g)
UNION ALL
SELECT '0'::pg_catalog.oid AS oid, pg_catalog.age(x.xmin) AS age, 'pg_type' OPERATOR(pg_catalog.||) x.xmin::pg_catalog.text OPERATOR(pg_catalog.||) x.ctid::pg_catalog.text AS row
FROM pg_catalog.pg_type x WHERE pg_catalog.age(x.xmin) OPERATOR(pg_catalog.<=) (SELECT g.since FROM ages g) AND x.typtype OPERATOR(pg_catalog.<>) 'c' AND x.typcategory OPERATOR(pg_catalog.<>) 'A'
UNION ALL
SELECT '1'::pg_catalog.oid AS oid, pg_catalog.age(x.xmin) AS age, 'pg_namespace' OPERATOR(pg_catalog.||) x.xmin::pg_catalog.text OPERATOR(pg_catalog.||) x.ctid::pg_catalog.text AS row
FROM pg_catalog.pg_namespace x WHERE pg_catalog.age(x.xmin) OPERATOR(pg_catalog.<=) (SELECT g.since FROM ages g) AND x.nspname OPERATOR(pg_catalog.!~) '^pg_(toast_)?temp_'
