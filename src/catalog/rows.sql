SELECT a.attrelid::pg_catalog.int8 AS place, '0'::pg_catalog.int8 AS there, pg_catalog.age(a.xmin) AS age, pg_catalog.hashtextextended(a.xmin::pg_catalog.text OPERATOR(pg_catalog.||) a.ctid::pg_catalog.text, '1'::pg_catalog.int8) AS row
FROM pg_catalog.pg_attribute a WHERE pg_catalog.age(a.xmin) OPERATOR(pg_catalog.<=) (SELECT g.since FROM ages g)
UNION ALL
SELECT c.oid::pg_catalog.int8 AS place, pg_catalog.hashoidextended(c.oid, '2'::pg_catalog.int8) AS there, pg_catalog.age(c.xmin) AS age,
       CASE WHEN pg_catalog.age(c.xmin) OPERATOR(pg_catalog.<=) (SELECT g.since FROM ages g) THEN pg_catalog.hashtextextended(c.xmin::pg_catalog.text OPERATOR(pg_catalog.||) c.ctid::pg_catalog.text, '2'::pg_catalog.int8) END AS row
FROM pg_catalog.pg_class c WHERE c.relkind OPERATOR(pg_catalog.=) ANY ('{r,p,f,v,m,S,c}')
UNION ALL
SELECT CASE WHEN k.contypid OPERATOR(pg_catalog.=) 0::pg_catalog.oid THEN k.conrelid::pg_catalog.int8 ELSE '-1'::pg_catalog.int8 END AS place, pg_catalog.hashoidextended(k.oid, '3'::pg_catalog.int8) AS there, pg_catalog.age(k.xmin) AS age,
       CASE WHEN pg_catalog.age(k.xmin) OPERATOR(pg_catalog.<=) (SELECT g.since FROM ages g) THEN pg_catalog.hashtextextended(k.xmin::pg_catalog.text OPERATOR(pg_catalog.||) k.ctid::pg_catalog.text, '3'::pg_catalog.int8) END AS row
FROM pg_catalog.pg_constraint k WHERE k.contype OPERATOR(pg_catalog.=) ANY ('{c,f}')
UNION ALL
SELECT f.adrelid::pg_catalog.int8 AS place, pg_catalog.hashoidextended(f.oid, '4'::pg_catalog.int8) AS there, pg_catalog.age(f.xmin) AS age,
       CASE WHEN pg_catalog.age(f.xmin) OPERATOR(pg_catalog.<=) (SELECT g.since FROM ages g) THEN pg_catalog.hashtextextended(f.xmin::pg_catalog.text OPERATOR(pg_catalog.||) f.ctid::pg_catalog.text, '4'::pg_catalog.int8) END AS row
FROM pg_catalog.pg_attrdef f
UNION ALL
SELECT i.indrelid::pg_catalog.int8 AS place, pg_catalog.hashoidextended(i.indexrelid, '5'::pg_catalog.int8) AS there, pg_catalog.age(i.xmin) AS age,
       CASE WHEN pg_catalog.age(i.xmin) OPERATOR(pg_catalog.<=) (SELECT g.since FROM ages g) THEN pg_catalog.hashtextextended(i.xmin::pg_catalog.text OPERATOR(pg_catalog.||) i.ctid::pg_catalog.text, '5'::pg_catalog.int8) END AS row
FROM pg_catalog.pg_index i WHERE (i.indexprs IS NOT NULL OR i.indpred IS NOT NULL)
UNION ALL
SELECT h.inhrelid::pg_catalog.int8 AS place, pg_catalog.hashoidextended(h.inhparent, pg_catalog.hashoidextended(h.inhrelid, '6'::pg_catalog.int8)) AS there, pg_catalog.age(h.xmin) AS age,
       CASE WHEN pg_catalog.age(h.xmin) OPERATOR(pg_catalog.<=) (SELECT g.since FROM ages g) THEN pg_catalog.hashtextextended(h.xmin::pg_catalog.text OPERATOR(pg_catalog.||) h.ctid::pg_catalog.text, '6'::pg_catalog.int8) END AS row
FROM pg_catalog.pg_inherits h
UNION ALL
SELECT p.polrelid::pg_catalog.int8 AS place, pg_catalog.hashoidextended(p.oid, '7'::pg_catalog.int8) AS there, pg_catalog.age(p.xmin) AS age,
       CASE WHEN pg_catalog.age(p.xmin) OPERATOR(pg_catalog.<=) (SELECT g.since FROM ages g) THEN pg_catalog.hashtextextended(p.xmin::pg_catalog.text OPERATOR(pg_catalog.||) p.ctid::pg_catalog.text, '7'::pg_catalog.int8) END AS row
FROM pg_catalog.pg_policy p
UNION ALL
SELECT r.ev_class::pg_catalog.int8 AS place, pg_catalog.hashoidextended(r.oid, '8'::pg_catalog.int8) AS there, pg_catalog.age(r.xmin) AS age,
       CASE WHEN pg_catalog.age(r.xmin) OPERATOR(pg_catalog.<=) (SELECT g.since FROM ages g) THEN pg_catalog.hashtextextended(r.xmin::pg_catalog.text OPERATOR(pg_catalog.||) r.ctid::pg_catalog.text, '8'::pg_catalog.int8) END AS row
FROM pg_catalog.pg_rewrite r
UNION ALL
SELECT s.seqrelid::pg_catalog.int8 AS place, pg_catalog.hashoidextended(s.seqrelid, '9'::pg_catalog.int8) AS there, pg_catalog.age(s.xmin) AS age,
       CASE WHEN pg_catalog.age(s.xmin) OPERATOR(pg_catalog.<=) (SELECT g.since FROM ages g) THEN pg_catalog.hashtextextended(s.xmin::pg_catalog.text OPERATOR(pg_catalog.||) s.ctid::pg_catalog.text, '9'::pg_catalog.int8) END AS row
FROM pg_catalog.pg_sequence s
UNION ALL
SELECT t.tgrelid::pg_catalog.int8 AS place, pg_catalog.hashoidextended(t.oid, '10'::pg_catalog.int8) AS there, pg_catalog.age(t.xmin) AS age,
       CASE WHEN pg_catalog.age(t.xmin) OPERATOR(pg_catalog.<=) (SELECT g.since FROM ages g) THEN pg_catalog.hashtextextended(t.xmin::pg_catalog.text OPERATOR(pg_catalog.||) t.ctid::pg_catalog.text, '10'::pg_catalog.int8) END AS row
FROM pg_catalog.pg_trigger t WHERE NOT t.tgisinternal
UNION ALL
SELECT '-1'::pg_catalog.int8 AS place, pg_catalog.hashoidextended(x.aggfnoid::pg_catalog.oid, '11'::pg_catalog.int8) AS there, pg_catalog.age(x.xmin) AS age,
       CASE WHEN pg_catalog.age(x.xmin) OPERATOR(pg_catalog.<=) (SELECT g.since FROM ages g) THEN pg_catalog.hashtextextended(x.xmin::pg_catalog.text OPERATOR(pg_catalog.||) x.ctid::pg_catalog.text, '11'::pg_catalog.int8) END AS row
FROM pg_catalog.pg_aggregate x
UNION ALL
SELECT '-1'::pg_catalog.int8 AS place, pg_catalog.hashtextextended(pg_catalog.concat(x.oid, CASE WHEN x.oid OPERATOR(pg_catalog.>=) 16384 THEN
         (SELECT pg_catalog.string_agg(t.typname::pg_catalog.text, ' ' ORDER BY t.oid) FROM pg_catalog.pg_type t WHERE t.oid OPERATOR(pg_catalog.=) ANY (ARRAY[x.castsource, x.casttarget]::pg_catalog.oid[])) END), '12'::pg_catalog.int8) AS there, pg_catalog.age(x.xmin) AS age,
       CASE WHEN pg_catalog.age(x.xmin) OPERATOR(pg_catalog.<=) (SELECT g.since FROM ages g) THEN pg_catalog.hashtextextended(x.xmin::pg_catalog.text OPERATOR(pg_catalog.||) x.ctid::pg_catalog.text, '12'::pg_catalog.int8) END AS row
FROM pg_catalog.pg_cast x
UNION ALL
SELECT '-1'::pg_catalog.int8 AS place, pg_catalog.hashoidextended(x.oid, '13'::pg_catalog.int8) AS there, pg_catalog.age(x.xmin) AS age,
       CASE WHEN pg_catalog.age(x.xmin) OPERATOR(pg_catalog.<=) (SELECT g.since FROM ages g) THEN pg_catalog.hashtextextended(x.xmin::pg_catalog.text OPERATOR(pg_catalog.||) x.ctid::pg_catalog.text, '13'::pg_catalog.int8) END AS row
FROM pg_catalog.pg_language x
UNION ALL
SELECT '-1'::pg_catalog.int8 AS place, pg_catalog.hashoidextended(x.oid, '14'::pg_catalog.int8) AS there, pg_catalog.age(x.xmin) AS age,
       CASE WHEN pg_catalog.age(x.xmin) OPERATOR(pg_catalog.<=) (SELECT g.since FROM ages g) THEN pg_catalog.hashtextextended(x.xmin::pg_catalog.text OPERATOR(pg_catalog.||) x.ctid::pg_catalog.text, '14'::pg_catalog.int8) END AS row
FROM pg_catalog.pg_operator x
UNION ALL
SELECT '-1'::pg_catalog.int8 AS place, pg_catalog.hashoidextended(x.oid, '15'::pg_catalog.int8) AS there, pg_catalog.age(x.xmin) AS age,
       CASE WHEN pg_catalog.age(x.xmin) OPERATOR(pg_catalog.<=) (SELECT g.since FROM ages g) THEN pg_catalog.hashtextextended(x.xmin::pg_catalog.text OPERATOR(pg_catalog.||) x.ctid::pg_catalog.text, '15'::pg_catalog.int8) END AS row
FROM pg_catalog.pg_proc x
UNION ALL
SELECT '-1'::pg_catalog.int8 AS place, pg_catalog.hashoidextended(x.oid, '16'::pg_catalog.int8) AS there, pg_catalog.age(x.xmin) AS age,
       CASE WHEN pg_catalog.age(x.xmin) OPERATOR(pg_catalog.<=) (SELECT g.since FROM ages g) THEN pg_catalog.hashtextextended(x.xmin::pg_catalog.text OPERATOR(pg_catalog.||) x.ctid::pg_catalog.text, '16'::pg_catalog.int8) END AS row
FROM pg_catalog.pg_type x WHERE x.typtype OPERATOR(pg_catalog.<>) 'c' AND x.typcategory OPERATOR(pg_catalog.<>) 'A'
UNION ALL
SELECT '-2'::pg_catalog.int8 AS place, pg_catalog.hashoidextended(x.oid, '17'::pg_catalog.int8) AS there, pg_catalog.age(x.xmin) AS age,
       CASE WHEN pg_catalog.age(x.xmin) OPERATOR(pg_catalog.<=) (SELECT g.since FROM ages g) THEN pg_catalog.hashtextextended(x.xmin::pg_catalog.text OPERATOR(pg_catalog.||) x.ctid::pg_catalog.text, '17'::pg_catalog.int8) END AS row
FROM pg_catalog.pg_namespace x WHERE x.nspname OPERATOR(pg_catalog.!~) '^pg_(toast_)?temp_'
