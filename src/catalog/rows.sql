SELECT w.place, w.there, pg_catalog.age(w.xmin) AS age,
       -- Which version of it there is if that is younger than the earlier snapshot.
       CASE WHEN pg_catalog.age(w.xmin) OPERATOR(pg_catalog.<=) (SELECT g.since FROM ages g)
            THEN pg_catalog.hashtextextended(w.xmin::pg_catalog.text OPERATOR(pg_catalog.||) w.ctid::pg_catalog.text, w.tableoid::pg_catalog.int8) END AS row
FROM (
SELECT a.attrelid::pg_catalog.int8 AS place, '0'::pg_catalog.int8 AS there, a.xmin, a.ctid, a.tableoid
FROM pg_catalog.pg_attribute a WHERE pg_catalog.age(a.xmin) OPERATOR(pg_catalog.<=) (SELECT g.since FROM ages g)
UNION ALL
SELECT c.oid::pg_catalog.int8 AS place, pg_catalog.hashoidextended(c.oid, '2'::pg_catalog.int8) AS there, c.xmin, c.ctid, c.tableoid
FROM pg_catalog.pg_class c WHERE c.relkind OPERATOR(pg_catalog.<>) 'i' AND c.relkind OPERATOR(pg_catalog.<>) 't' AND c.relkind OPERATOR(pg_catalog.<>) 'I'
UNION ALL
SELECT CASE WHEN k.contypid OPERATOR(pg_catalog.=) 0::pg_catalog.oid THEN k.conrelid::pg_catalog.int8 ELSE '-1'::pg_catalog.int8 END AS place, pg_catalog.hashoidextended(k.oid, '3'::pg_catalog.int8) AS there, k.xmin, k.ctid, k.tableoid
FROM pg_catalog.pg_constraint k WHERE k.contype OPERATOR(pg_catalog.=) ANY ('{p,c,f}')
UNION ALL
SELECT f.adrelid::pg_catalog.int8 AS place, pg_catalog.hashoidextended(f.oid, '4'::pg_catalog.int8) AS there, f.xmin, f.ctid, f.tableoid
FROM pg_catalog.pg_attrdef f
UNION ALL
SELECT i.indrelid::pg_catalog.int8 AS place, pg_catalog.hashoidextended(i.indexrelid, '5'::pg_catalog.int8) AS there, i.xmin, i.ctid, i.tableoid
FROM (
  -- OFFSET keeps the rows of primary keys, which have neither expressions nor conditions, from being taken apart.
  SELECT q.indrelid, q.indexrelid, q.indisunique, q.indexprs, q.indpred, q.xmin, q.ctid, q.tableoid
  FROM pg_catalog.pg_index q WHERE NOT q.indisprimary OFFSET 0) i
WHERE i.indisunique OR i.indexprs IS NOT NULL OR i.indpred IS NOT NULL
UNION ALL
SELECT h.inhrelid::pg_catalog.int8 AS place, pg_catalog.hashoidextended(h.inhparent, pg_catalog.hashoidextended(h.inhrelid, '6'::pg_catalog.int8)) AS there, h.xmin, h.ctid, h.tableoid
FROM pg_catalog.pg_inherits h
UNION ALL
SELECT p.polrelid::pg_catalog.int8 AS place, pg_catalog.hashoidextended(p.oid, '7'::pg_catalog.int8) AS there, p.xmin, p.ctid, p.tableoid
FROM pg_catalog.pg_policy p
UNION ALL
SELECT r.ev_class::pg_catalog.int8 AS place, pg_catalog.hashoidextended(r.oid, '8'::pg_catalog.int8) AS there, r.xmin, r.ctid, r.tableoid
FROM pg_catalog.pg_rewrite r
UNION ALL
SELECT s.seqrelid::pg_catalog.int8 AS place, pg_catalog.hashoidextended(s.seqrelid, '9'::pg_catalog.int8) AS there, s.xmin, s.ctid, s.tableoid
FROM pg_catalog.pg_sequence s
UNION ALL
SELECT t.tgrelid::pg_catalog.int8 AS place, pg_catalog.hashoidextended(t.oid, '10'::pg_catalog.int8) AS there, t.xmin, t.ctid, t.tableoid
FROM pg_catalog.pg_trigger t WHERE NOT t.tgisinternal
UNION ALL
SELECT '-1'::pg_catalog.int8 AS place, pg_catalog.hashoidextended(x.aggfnoid::pg_catalog.oid, '11'::pg_catalog.int8) AS there, x.xmin, x.ctid, x.tableoid
FROM pg_catalog.pg_aggregate x
UNION ALL
SELECT '-1'::pg_catalog.int8 AS place, pg_catalog.hashtextextended(pg_catalog.concat(x.oid, CASE WHEN x.oid OPERATOR(pg_catalog.>=) 16384 THEN
         (SELECT pg_catalog.string_agg(t.typname::pg_catalog.text, ' ' ORDER BY t.oid) FROM pg_catalog.pg_type t WHERE t.oid OPERATOR(pg_catalog.=) ANY (ARRAY[x.castsource, x.casttarget]::pg_catalog.oid[])) END), '12'::pg_catalog.int8) AS there, x.xmin, x.ctid, x.tableoid
FROM pg_catalog.pg_cast x
UNION ALL
SELECT '-1'::pg_catalog.int8 AS place, pg_catalog.hashoidextended(x.oid, '13'::pg_catalog.int8) AS there, x.xmin, x.ctid, x.tableoid
FROM pg_catalog.pg_language x
UNION ALL
SELECT '-1'::pg_catalog.int8 AS place, pg_catalog.hashoidextended(x.oid, '14'::pg_catalog.int8) AS there, x.xmin, x.ctid, x.tableoid
FROM pg_catalog.pg_operator x
UNION ALL
SELECT '-1'::pg_catalog.int8 AS place, pg_catalog.hashoidextended(x.oid, '15'::pg_catalog.int8) AS there, x.xmin, x.ctid, x.tableoid
FROM pg_catalog.pg_proc x
UNION ALL
SELECT '-1'::pg_catalog.int8 AS place, pg_catalog.hashoidextended(x.oid, '16'::pg_catalog.int8) AS there, x.xmin, x.ctid, x.tableoid
FROM pg_catalog.pg_type x WHERE x.typtype OPERATOR(pg_catalog.<>) 'c' AND (x.typtype OPERATOR(pg_catalog.<>) 'b' OR x.typcategory OPERATOR(pg_catalog.<>) 'A')
UNION ALL
-- By what is in it: whoever may use a schema can have its row written anew, with nothing else in it.
SELECT '-2'::pg_catalog.int8 AS place, pg_catalog.hashint8extended({schema x}, pg_catalog.hashoidextended(x.oid, '17'::pg_catalog.int8)) AS there, NULL::pg_catalog.xid, NULL::pg_catalog.tid, x.tableoid
FROM pg_catalog.pg_namespace x WHERE x.nspname OPERATOR(pg_catalog.!~) '^pg_(toast_)?temp_') w
