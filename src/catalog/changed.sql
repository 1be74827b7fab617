-- What the earlier snapshot has known, and what of it is another one now.
known AS MATERIALIZED (
  SELECT pg_catalog.unnest(pg_catalog.string_to_array('{known}', ' ')) AS pair),
there AS MATERIALIZED (
  SELECT b.bucket::pg_catalog.text OPERATOR(pg_catalog.||) ':' OPERATOR(pg_catalog.||) b.before::pg_catalog.text AS pair FROM buckets b),
changes AS MATERIALIZED (
  SELECT DISTINCT pg_catalog.split_part(d.pair, ':', 1)::pg_catalog.int8 AS bucket
  FROM (SELECT k.pair FROM known k UNION ALL SELECT t.pair FROM there t) d
  GROUP BY d.pair HAVING pg_catalog.count(*) OPERATOR(pg_catalog.=) 1),
-- Schemas that may have been renamed, and all that is in them with them.
schemas AS MATERIALIZED (
  SELECT n.oid FROM pg_catalog.pg_namespace n
  WHERE pg_catalog.age(n.xmin) OPERATOR(pg_catalog.<=) (SELECT g.since FROM ages g)
    AND EXISTS (SELECT FROM changes c WHERE c.bucket OPERATOR(pg_catalog.=) '-2'::pg_catalog.int8)),
-- Without any of those no relation is looked at.
moved AS MATERIALIZED (
  SELECT c.oid, c.reltype FROM pg_catalog.pg_class c
  WHERE (EXISTS (SELECT FROM changes h WHERE h.bucket OPERATOR(pg_catalog.>=) '0'::pg_catalog.int8)
         OR EXISTS (SELECT FROM schemas) OR pg_catalog.pg_my_temp_schema() OPERATOR(pg_catalog.<>) 0::pg_catalog.oid)
    AND c.relkind OPERATOR(pg_catalog.<>) 'i' AND c.relkind OPERATOR(pg_catalog.<>) 't' AND c.relkind OPERATOR(pg_catalog.<>) 'I'
    AND (c.oid::pg_catalog.int8 OPERATOR(pg_catalog.%) {buckets} OPERATOR(pg_catalog.=) ANY (ARRAY(SELECT h.bucket FROM changes h))
         OR c.relnamespace OPERATOR(pg_catalog.=) ANY (ARRAY(SELECT s.oid FROM schemas s UNION ALL SELECT pg_catalog.pg_my_temp_schema())))),
-- What definitions may name that has another name now. An array is compared with an index, and a
-- join of CTEs, of which nobody knows how few rows they have, with the whole of a catalog.
named AS MATERIALIZED (
  SELECT m.oid FROM moved m
  UNION ALL
  SELECT k.oid FROM pg_catalog.pg_type t CROSS JOIN LATERAL pg_catalog.unnest(ARRAY[t.oid, t.typarray]::pg_catalog.oid[]) k (oid)
  WHERE t.oid OPERATOR(pg_catalog.=) ANY (ARRAY(SELECT m.reltype FROM moved m))
  UNION ALL
  SELECT s.oid FROM (
    SELECT k.oid, x.xmin AS since, x.typnamespace AS namespace
    FROM types x CROSS JOIN LATERAL pg_catalog.unnest(ARRAY[x.oid, x.typarray]::pg_catalog.oid[]) k (oid)
    UNION ALL
    SELECT x.oid, x.xmin, x.pronamespace FROM pg_catalog.pg_proc x
    UNION ALL
    SELECT x.oid, x.xmin, x.oprnamespace FROM pg_catalog.pg_operator x) s
  WHERE EXISTS (SELECT FROM changes c WHERE c.bucket OPERATOR(pg_catalog.<) '0'::pg_catalog.int8)
    AND (pg_catalog.age(s.since) OPERATOR(pg_catalog.<=) (SELECT g.since FROM ages g)
         OR s.namespace OPERATOR(pg_catalog.=) ANY (ARRAY(SELECT n.oid FROM schemas n)))),
-- What names any of it; or something else of the same oid, which does no harm.
naming AS MATERIALIZED (
  SELECT d.classid, d.objid FROM pg_catalog.pg_depend d
  WHERE d.refclassid OPERATOR(pg_catalog.=) ANY ('{pg_catalog.pg_class,pg_catalog.pg_type,pg_catalog.pg_proc,pg_catalog.pg_operator}'::pg_catalog.regclass[]::pg_catalog.oid[])
    AND d.refobjid OPERATOR(pg_catalog.=) ANY (ARRAY(SELECT o.oid FROM named o))),
changed AS MATERIALIZED (
  SELECT m.oid FROM moved m
  UNION
  SELECT r.ev_class FROM pg_catalog.pg_rewrite r
  WHERE r.oid OPERATOR(pg_catalog.=) ANY (ARRAY(SELECT d.objid FROM naming d WHERE d.classid OPERATOR(pg_catalog.=) 'pg_catalog.pg_rewrite'::pg_catalog.regclass))
  UNION
  SELECT f.adrelid FROM pg_catalog.pg_attrdef f
  WHERE f.oid OPERATOR(pg_catalog.=) ANY (ARRAY(SELECT d.objid FROM naming d WHERE d.classid OPERATOR(pg_catalog.=) 'pg_catalog.pg_attrdef'::pg_catalog.regclass))
  UNION
  SELECT pg_catalog.unnest({asked})),
-- In which buckets something has changed; and what has changed with it and is not told: all, if the
-- view of the rows is older than that of the earlier snapshot, or what is about no relation.
extent (changes, lacks) AS MATERIALIZED (
  SELECT COALESCE((SELECT pg_catalog.string_agg(c.bucket::pg_catalog.text, ' ') FROM changes c), ''),
         CASE WHEN g.since OPERATOR(pg_catalog.<) g.now
                OR pg_catalog.pg_snapshot_xmax(pg_catalog.pg_current_snapshot()) OPERATOR(pg_catalog.<) pg_catalog.pg_snapshot_xmax('{moment}'::pg_catalog.pg_snapshot)
                OR EXISTS (SELECT FROM pg_catalog.pg_snapshot_xip(pg_catalog.pg_current_snapshot()) x (xid)
                           WHERE pg_catalog.pg_visible_in_snapshot(x.xid, '{moment}'::pg_catalog.pg_snapshot)) THEN 'all'
              WHEN EXISTS (SELECT FROM changes c WHERE c.bucket OPERATOR(pg_catalog.<) '0'::pg_catalog.int8)
                OR EXISTS (SELECT FROM naming d WHERE d.classid OPERATOR(pg_catalog.=) 'pg_catalog.pg_proc'::pg_catalog.regclass)
                OR EXISTS (SELECT FROM holders h WHERE h.relation OPERATOR(pg_catalog.=) ANY (ARRAY(SELECT m.oid FROM changed m))
                             AND pg_catalog.strpos(h.code, ':funcid 2078 ') OPERATOR(pg_catalog.>) 0)
              THEN 'shared' END
  FROM ages g)
