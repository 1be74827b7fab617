WITH RECURSIVE moment AS MATERIALIZED (
  SELECT pg_catalog.pg_current_snapshot()::pg_catalog.text AS now,
         CAST(pg_catalog.pg_snapshot_xmin(pg_catalog.pg_current_snapshot()) AS pg_catalog.xid) AS horizon),
ages AS MATERIALIZED (
  SELECT {since} AS since, pg_catalog.age(m.horizon) AS now FROM moment m),
-- The rows of the catalogs, in buckets: by what the earlier snapshot took for young, and by what this one does.
buckets AS MATERIALIZED (
  SELECT r.place OPERATOR(pg_catalog.%) {buckets} AS bucket,
         pg_catalog.sum(r.there) OPERATOR(pg_catalog.+) COALESCE(pg_catalog.sum(r.row), '0') AS before,
         pg_catalog.sum(r.there) OPERATOR(pg_catalog.+) COALESCE(pg_catalog.sum(r.row) FILTER (WHERE r.age OPERATOR(pg_catalog.<=) (SELECT g.now FROM ages g)), '0') AS now
  FROM ({rows}) r GROUP BY 1),
-- The types that are neither of rows nor arrays.
types AS MATERIALIZED (
  SELECT t.oid, t.xmin, t.typname, t.typnamespace, t.typtype, t.typcategory, t.typbasetype, t.typarray, t.typdefaultbin
  FROM pg_catalog.pg_type t
  WHERE t.typtype OPERATOR(pg_catalog.<>) 'c' AND (t.typtype OPERATOR(pg_catalog.<>) 'b' OR t.typcategory OPERATOR(pg_catalog.<>) 'A')),
-- What is locked so that its definition can't be read without waiting, and what is defined over it.
locked AS MATERIALIZED (
  SELECT l.relation AS oid FROM pg_catalog.pg_locks l
  WHERE l.locktype OPERATOR(pg_catalog.=) 'relation' AND l.mode OPERATOR(pg_catalog.=) 'AccessExclusiveLock'
    AND l.relation IS NOT NULL AND l.pid OPERATOR(pg_catalog.<>) pg_catalog.pg_backend_pid()
    AND l.database OPERATOR(pg_catalog.=) (SELECT d.oid FROM pg_catalog.pg_database d WHERE d.datname OPERATOR(pg_catalog.=) pg_catalog.current_database())),
held AS MATERIALIZED (
  SELECT l.oid FROM locked l
  UNION ALL
  SELECT r.ev_class FROM pg_catalog.pg_depend d JOIN pg_catalog.pg_rewrite r ON r.oid OPERATOR(pg_catalog.=) d.objid
  WHERE d.classid OPERATOR(pg_catalog.=) 'pg_catalog.pg_rewrite'::pg_catalog.regclass
    AND d.refclassid OPERATOR(pg_catalog.=) 'pg_catalog.pg_class'::pg_catalog.regclass
    AND d.refobjid OPERATOR(pg_catalog.=) ANY (ARRAY(SELECT l.oid FROM locked l))
  UNION ALL
  SELECT d.objid FROM pg_catalog.pg_depend d
  WHERE d.classid OPERATOR(pg_catalog.=) 'pg_catalog.pg_proc'::pg_catalog.regclass
    AND d.refclassid OPERATOR(pg_catalog.=) 'pg_catalog.pg_class'::pg_catalog.regclass
    AND d.refobjid OPERATOR(pg_catalog.=) ANY (ARRAY(SELECT l.oid FROM locked l))),
-- Code that runs unasked, and the relation that it runs for: whenever rows of it are read, or only
-- when they are written.
holders (catalog, oid, relation, kind, code) AS NOT MATERIALIZED (
  SELECT 'pg_catalog.pg_constraint'::pg_catalog.regclass::pg_catalog.oid, k.oid, k.conrelid, 'written', k.conbin::pg_catalog.text
  FROM pg_catalog.pg_constraint k WHERE k.contype OPERATOR(pg_catalog.=) 'c'
  UNION ALL
  SELECT 'pg_catalog.pg_policy'::pg_catalog.regclass::pg_catalog.oid, p.oid, p.polrelid, 'read', pg_catalog.concat(p.polqual, p.polwithcheck)
  FROM pg_catalog.pg_policy p
  UNION ALL
  SELECT 'pg_catalog.pg_trigger'::pg_catalog.regclass::pg_catalog.oid, g.oid, g.tgrelid, 'written', g.tgqual::pg_catalog.text
  FROM pg_catalog.pg_trigger g WHERE NOT g.tgisinternal
  UNION ALL
  SELECT 'pg_catalog.pg_attrdef'::pg_catalog.regclass::pg_catalog.oid, f.oid, f.adrelid, 'written', f.adbin::pg_catalog.text
  FROM pg_catalog.pg_attrdef f
  UNION ALL
  SELECT 'pg_catalog.pg_class'::pg_catalog.regclass::pg_catalog.oid, i.indexrelid, i.indrelid, 'written', pg_catalog.concat(i.indexprs, i.indpred)
  FROM (SELECT q.indexrelid, q.indrelid, q.indexprs, q.indpred FROM pg_catalog.pg_index q WHERE NOT q.indisprimary OFFSET 0) i
  WHERE i.indexprs IS NOT NULL OR i.indpred IS NOT NULL
  UNION ALL
  SELECT 'pg_catalog.pg_rewrite'::pg_catalog.regclass::pg_catalog.oid, r.oid, r.ev_class,
         CASE WHEN r.ev_type OPERATOR(pg_catalog.=) '1' THEN 'read' ELSE 'written' END, pg_catalog.concat(r.ev_action, r.ev_qual)
  FROM pg_catalog.pg_rewrite r WHERE r.ev_class OPERATOR(pg_catalog.>=) 16384){changing}{changed},
-- Where a definition calls one of Postgres's own functions that may return data.
reading AS MATERIALIZED (
  SELECT pg_catalog.concat(':(funcid|opfuncid|aggfnoid|winfnoid) (', pg_catalog.string_agg(p.oid::pg_catalog.text, '|'), ') ') AS pattern
  FROM pg_catalog.pg_proc p
  WHERE p.pronamespace OPERATOR(pg_catalog.=) 'pg_catalog'::pg_catalog.regnamespace
    AND (p.proname OPERATOR(pg_catalog.=) ANY ('{readers}') OR p.provolatile OPERATOR(pg_catalog.=) 'v' AND p.proname OPERATOR(pg_catalog.<>) ALL ('{harmless}'))),
-- The versions of schemas.
spaces AS MATERIALIZED (
  SELECT n.oid, {schema n} AS version FROM pg_catalog.pg_namespace n),
-- The relations that are told of: neither those of TOAST nor the temporary ones of others.
told AS MATERIALIZED (
  SELECT c.oid, c.relname, c.relkind, c.reltype, c.relnatts, n.nspname, v.version AS named,
         n.nspname OPERATOR(pg_catalog.<>) ALL ('{pg_catalog,information_schema}') AS defined,
         n.nspname OPERATOR(pg_catalog.=) 'pg_catalog' AND c.relkind OPERATOR(pg_catalog.=) 'r'
           OR pg_catalog.concat(n.nspname, '.', c.relname) OPERATOR(pg_catalog.=) ANY ('{pg_catalog.pg_cursors,pg_catalog.pg_prepared_statements,pg_catalog.pg_sequences,pg_catalog.pg_stat_activity,pg_catalog.pg_statio_all_sequences,pg_catalog.pg_statio_sys_sequences,pg_catalog.pg_statio_user_sequences,information_schema.attributes,information_schema.columns,information_schema.domains,information_schema.element_types,information_schema.parameters,information_schema.routines,information_schema.sequences}') AS described
  FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid OPERATOR(pg_catalog.=) c.relnamespace
       JOIN spaces v ON v.oid OPERATOR(pg_catalog.=) n.oid
  WHERE c.relkind OPERATOR(pg_catalog.=) ANY ('{r,p,f,v,m,S,c}') AND n.nspname OPERATOR(pg_catalog.!~) '^pg_toast'
    AND (c.relpersistence OPERATOR(pg_catalog.<>) 't' OR c.relnamespace OPERATOR(pg_catalog.=) pg_catalog.pg_my_temp_schema()){among c.oid})
SELECT 'version', {identity}, m.horizon::pg_catalog.text, m.now,
       (SELECT pg_catalog.sum(b.now) FROM buckets b)::pg_catalog.text,
       (SELECT pg_catalog.string_agg(b.bucket::pg_catalog.text OPERATOR(pg_catalog.||) ':' OPERATOR(pg_catalog.||) b.now::pg_catalog.text, ' ') FROM buckets b),
       {extent}, pg_catalog.getdatabaseencoding(), NULL, NULL, NULL, NULL
FROM moment m
UNION ALL
SELECT 'relation', c.oid::pg_catalog.text,
       pg_catalog.encode(pg_catalog.convert_to(c.nspname::pg_catalog.text, 'SQL_ASCII'), 'escape'),
       pg_catalog.encode(pg_catalog.convert_to(c.relname::pg_catalog.text, 'SQL_ASCII'), 'escape'),
       c.relkind::pg_catalog.text,
       CASE WHEN c.relkind OPERATOR(pg_catalog.=) ANY ('{v,m}') AND c.defined
             AND {readable c.oid}
            THEN pg_catalog.encode(pg_catalog.convert_to(pg_catalog.pg_get_viewdef(c.oid), 'SQL_ASCII'), 'escape') END,
       CASE WHEN c.relkind OPERATOR(pg_catalog.=) ANY ('{v,m}') AND c.defined
             AND NOT {readable c.oid} THEN 'unread' END,
       CASE WHEN c.relkind OPERATOR(pg_catalog.=) ANY ('{v,m}')
            THEN (SELECT r.xmin::pg_catalog.text OPERATOR(pg_catalog.||) r.ctid::pg_catalog.text FROM pg_catalog.pg_rewrite r
                  WHERE r.ev_class OPERATOR(pg_catalog.=) c.oid AND r.ev_type OPERATOR(pg_catalog.=) '1') END,
       c.relnatts::pg_catalog.text, c.named::pg_catalog.text,
       CASE WHEN c.relkind OPERATOR(pg_catalog.=) ANY ('{v,m}') AND c.defined
             AND EXISTS (SELECT FROM pg_catalog.pg_depend d
                         WHERE d.classid OPERATOR(pg_catalog.=) 'pg_catalog.pg_class'::pg_catalog.regclass
                           AND d.objid OPERATOR(pg_catalog.=) c.oid AND d.deptype OPERATOR(pg_catalog.=) 'e')
            THEN 'extension' END, NULL, NULL
FROM told c
UNION ALL
SELECT 'column', a.attrelid::pg_catalog.text, a.attnum::pg_catalog.text,
       pg_catalog.encode(pg_catalog.convert_to(a.attname::pg_catalog.text, 'SQL_ASCII'), 'escape'),
       a.atttypid::pg_catalog.text,
       CASE WHEN a.attidentity OPERATOR(pg_catalog.<>) '' THEN 'identity' WHEN a.atthasdef THEN 'default' END, a.xmin::pg_catalog.text, NULL, NULL, NULL, NULL, NULL, NULL
FROM pg_catalog.pg_attribute a JOIN told c ON c.oid OPERATOR(pg_catalog.=) a.attrelid
WHERE (c.defined OR c.described) AND a.attnum OPERATOR(pg_catalog.>) 0 AND NOT a.attisdropped
UNION ALL
SELECT 'row type', t.oid::pg_catalog.text, t.typarray::pg_catalog.text, c.oid::pg_catalog.text, t.xmin::pg_catalog.text, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
FROM told c JOIN pg_catalog.pg_type t ON t.oid OPERATOR(pg_catalog.=) c.reltype
WHERE c.defined
UNION ALL
SELECT 'foreign key', o.conrelid::pg_catalog.text,
       pg_catalog.encode(pg_catalog.convert_to(o.conname::pg_catalog.text, 'SQL_ASCII'), 'escape'),
       pg_catalog.array_to_string(o.conkey, ','), o.confrelid::pg_catalog.text,
       pg_catalog.array_to_string(o.confkey, ','), NULL, NULL, NULL, NULL, NULL, NULL, NULL
FROM pg_catalog.pg_constraint o JOIN told c ON c.oid OPERATOR(pg_catalog.=) o.conrelid
WHERE o.contype OPERATOR(pg_catalog.=) 'f'
UNION ALL
SELECT 'inherits', i.inhrelid::pg_catalog.text, i.inhparent::pg_catalog.text, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
FROM pg_catalog.pg_inherits i JOIN told c ON c.oid OPERATOR(pg_catalog.=) i.inhrelid
WHERE c.relkind OPERATOR(pg_catalog.=) ANY ('{r,p,f}')
UNION ALL
SELECT 'sequence', d.objid::pg_catalog.text, d.refobjid::pg_catalog.text, d.refobjsubid::pg_catalog.text, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
FROM pg_catalog.pg_depend d JOIN told c ON c.oid OPERATOR(pg_catalog.=) d.objid AND c.relkind OPERATOR(pg_catalog.=) 'S'
WHERE d.classid OPERATOR(pg_catalog.=) 'pg_catalog.pg_class'::pg_catalog.regclass
  AND d.refclassid OPERATOR(pg_catalog.=) 'pg_catalog.pg_class'::pg_catalog.regclass
  AND d.refobjsubid OPERATOR(pg_catalog.>) 0 AND d.deptype OPERATOR(pg_catalog.=) ANY ('{a,i}')
UNION ALL
SELECT 'draws', f.adrelid::pg_catalog.text, f.adnum::pg_catalog.text, d.refobjid::pg_catalog.text, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
FROM told c JOIN pg_catalog.pg_attrdef f ON f.adrelid OPERATOR(pg_catalog.=) c.oid
     JOIN pg_catalog.pg_depend d ON d.objid OPERATOR(pg_catalog.=) f.oid
     JOIN pg_catalog.pg_class q ON q.oid OPERATOR(pg_catalog.=) d.refobjid AND q.relkind OPERATOR(pg_catalog.=) 'S'
WHERE d.classid OPERATOR(pg_catalog.=) 'pg_catalog.pg_attrdef'::pg_catalog.regclass
  AND d.refclassid OPERATOR(pg_catalog.=) 'pg_catalog.pg_class'::pg_catalog.regclass
UNION ALL
SELECT DISTINCT 'computes', x.relation::pg_catalog.text, d.refobjid::pg_catalog.text, d.refobjsubid::pg_catalog.text, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
FROM (SELECT 'pg_catalog.pg_constraint'::pg_catalog.regclass AS catalog, k.oid, k.conrelid AS relation FROM pg_catalog.pg_constraint k WHERE k.contype OPERATOR(pg_catalog.=) 'c'
      UNION ALL SELECT 'pg_catalog.pg_policy'::pg_catalog.regclass, p.oid, p.polrelid FROM pg_catalog.pg_policy p
      UNION ALL SELECT 'pg_catalog.pg_trigger'::pg_catalog.regclass, g.oid, g.tgrelid FROM pg_catalog.pg_trigger g WHERE g.tgqual IS NOT NULL
      UNION ALL SELECT 'pg_catalog.pg_class'::pg_catalog.regclass, i.indexrelid, i.indrelid FROM pg_catalog.pg_index i
                WHERE i.indexprs IS NOT NULL OR i.indpred IS NOT NULL) x
     JOIN pg_catalog.pg_depend d ON d.classid OPERATOR(pg_catalog.=) x.catalog AND d.objid OPERATOR(pg_catalog.=) x.oid
     JOIN told c ON c.oid OPERATOR(pg_catalog.=) x.relation
WHERE d.refclassid OPERATOR(pg_catalog.=) 'pg_catalog.pg_class'::pg_catalog.regclass AND d.refobjsubid OPERATOR(pg_catalog.>) 0
  AND x.relation OPERATOR(pg_catalog.>=) 16384{among x.relation}
UNION ALL
SELECT 'computes', a.attrelid::pg_catalog.text, a.attrelid::pg_catalog.text, a.attnum::pg_catalog.text, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
FROM pg_catalog.pg_attribute a JOIN told c ON c.oid OPERATOR(pg_catalog.=) a.attrelid
     JOIN pg_catalog.pg_type t ON t.oid OPERATOR(pg_catalog.=) a.atttypid
WHERE a.attrelid OPERATOR(pg_catalog.>=) 16384 AND a.attnum OPERATOR(pg_catalog.>) 0 AND t.typtype OPERATOR(pg_catalog.=) 'd'
UNION ALL
-- The session's own types, but for those of rows and arrays.
SELECT 'own type', pg_catalog.encode(pg_catalog.convert_to(t.typname::pg_catalog.text, 'SQL_ASCII'), 'escape'), NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
FROM types t WHERE t.typnamespace OPERATOR(pg_catalog.=) pg_catalog.pg_my_temp_schema()
UNION ALL
-- Code that runs unasked, whether it may be put off to the end of the transaction, what a trigger gives
-- it, and when it runs.
SELECT DISTINCT 'runs', h.relation::pg_catalog.text, d.refobjid::pg_catalog.text,
       CASE WHEN g.tgdeferrable THEN 'late' END,
       CASE WHEN g.tgnargs OPERATOR(pg_catalog.>) '0'::pg_catalog.int2 THEN pg_catalog.encode(g.tgargs, 'escape') END,
       h.kind, NULL, NULL, NULL, NULL, NULL, NULL, NULL
FROM pg_catalog.pg_depend d JOIN holders h ON h.catalog OPERATOR(pg_catalog.=) d.classid AND h.oid OPERATOR(pg_catalog.=) d.objid
     JOIN told c ON c.oid OPERATOR(pg_catalog.=) h.relation
     LEFT JOIN pg_catalog.pg_trigger g ON h.catalog OPERATOR(pg_catalog.=) 'pg_catalog.pg_trigger'::pg_catalog.regclass::pg_catalog.oid AND g.oid OPERATOR(pg_catalog.=) h.oid
WHERE d.refclassid OPERATOR(pg_catalog.=) 'pg_catalog.pg_proc'::pg_catalog.regclass AND d.refobjid OPERATOR(pg_catalog.>=) 16384::pg_catalog.oid
UNION ALL
SELECT DISTINCT 'depends', r.ev_class::pg_catalog.text, d.refobjid::pg_catalog.text, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
FROM pg_catalog.pg_depend d JOIN pg_catalog.pg_rewrite r ON r.oid OPERATOR(pg_catalog.=) d.objid
     JOIN told c ON c.oid OPERATOR(pg_catalog.=) r.ev_class
WHERE d.classid OPERATOR(pg_catalog.=) 'pg_catalog.pg_rewrite'::pg_catalog.regclass
  AND d.refclassid OPERATOR(pg_catalog.=) 'pg_catalog.pg_class'::pg_catalog.regclass AND d.refobjid OPERATOR(pg_catalog.<>) r.ev_class
UNION ALL
-- Nor on the relations that Postgres begins with.
SELECT 'depends', r.ev_class::pg_catalog.text, s.oid::pg_catalog.text, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
FROM (SELECT w.ev_class, w.ev_action FROM pg_catalog.pg_rewrite w
      WHERE w.ev_class OPERATOR(pg_catalog.=) ANY (ARRAY(SELECT c.oid FROM told c WHERE c.defined))
        AND w.ev_type OPERATOR(pg_catalog.=) '1' OFFSET 0) r
     JOIN pg_catalog.pg_class s ON s.relname OPERATOR(pg_catalog.=) ANY ('{showing}')
       AND s.relnamespace OPERATOR(pg_catalog.=) 'pg_catalog'::pg_catalog.regnamespace AND s.relkind OPERATOR(pg_catalog.=) 'r'
WHERE pg_catalog.strpos(r.ev_action::pg_catalog.text, pg_catalog.concat(':relid ', s.oid, ' ')) OPERATOR(pg_catalog.>) 0
UNION ALL
SELECT 'rule', r.ev_class::pg_catalog.text, r.ev_type::pg_catalog.text,
       CASE WHEN {readable r.ev_class} THEN pg_catalog.encode(pg_catalog.convert_to(pg_catalog.pg_get_ruledef(r.oid), 'SQL_ASCII'), 'escape') END, r.xmin::pg_catalog.text, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
FROM pg_catalog.pg_rewrite r JOIN told c ON c.oid OPERATOR(pg_catalog.=) r.ev_class
WHERE r.ev_type OPERATOR(pg_catalog.<>) '1' AND c.defined AND c.relkind OPERATOR(pg_catalog.=) ANY ('{r,p,f,v,m}')
UNION ALL
SELECT 'opaque view', v.oid::pg_catalog.text, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
FROM (SELECT r.ev_class AS oid
      FROM pg_catalog.pg_depend d JOIN pg_catalog.pg_rewrite r ON r.oid OPERATOR(pg_catalog.=) d.objid
           JOIN told c ON c.oid OPERATOR(pg_catalog.=) r.ev_class
           LEFT JOIN pg_catalog.pg_operator o ON d.refclassid OPERATOR(pg_catalog.=) 'pg_catalog.pg_operator'::pg_catalog.regclass AND o.oid OPERATOR(pg_catalog.=) d.refobjid
           JOIN pg_catalog.pg_proc p ON p.oid OPERATOR(pg_catalog.=) COALESCE(o.oprcode::pg_catalog.oid, d.refobjid)
      WHERE d.classid OPERATOR(pg_catalog.=) 'pg_catalog.pg_rewrite'::pg_catalog.regclass
        AND d.refclassid OPERATOR(pg_catalog.=) ANY ('{pg_catalog.pg_proc,pg_catalog.pg_operator}'::pg_catalog.regclass[]::pg_catalog.oid[])
        AND p.pronamespace OPERATOR(pg_catalog.<>) ALL (ARRAY['pg_catalog'::pg_catalog.regnamespace, 'information_schema'::pg_catalog.regnamespace]::pg_catalog.oid[])
        AND (p.provolatile OPERATOR(pg_catalog.<>) 'i' OR p.prokind OPERATOR(pg_catalog.=) 'a' OR p.prolang OPERATOR(pg_catalog.<>) ALL {compiled})
      UNION
      -- Nothing depends on Postgres's own functions, be they called by name or by an operator.
      -- The text of no other view, which may be long, is looked at: an array is compared with an
      -- index, and OFFSET keeps what is asked of the text from being asked first.
      SELECT r.ev_class FROM (
        SELECT w.ev_class, w.ev_action FROM pg_catalog.pg_rewrite w
        WHERE w.ev_class OPERATOR(pg_catalog.=) ANY (ARRAY(SELECT c.oid FROM told c WHERE c.defined AND c.relkind OPERATOR(pg_catalog.=) ANY ('{v,m}')))
          AND w.ev_type OPERATOR(pg_catalog.=) '1' OFFSET 0) r
      WHERE r.ev_action::pg_catalog.text OPERATOR(pg_catalog.~) (SELECT b.pattern FROM reading b)) v
UNION ALL
SELECT 'partitioned', p.partrelid::pg_catalog.text, k.attnum::pg_catalog.text, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
FROM pg_catalog.pg_partitioned_table p JOIN told c ON c.oid OPERATOR(pg_catalog.=) p.partrelid
     CROSS JOIN LATERAL pg_catalog.unnest(p.partattrs::pg_catalog.int2[]) k (attnum)
UNION ALL
SELECT 'unique', i.indrelid::pg_catalog.text,
       pg_catalog.array_to_string((i.indkey::pg_catalog.int2[])[0:i.indnkeyatts OPERATOR(pg_catalog.-) 1], ','),
       CASE WHEN i.indisprimary THEN 'primary' END, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
FROM pg_catalog.pg_index i JOIN told c ON c.oid OPERATOR(pg_catalog.=) i.indrelid
WHERE c.defined AND i.indisunique AND i.indisvalid AND i.indpred IS NULL AND i.indexprs IS NULL
UNION ALL
-- The functions that fill columns of unique keys, and those that are filled by the next number of a sequence
-- that nothing depends on, as it is looked for by its name. On Postgres's own functions nothing depends.
SELECT 'filled', f.adrelid::pg_catalog.text, f.adnum::pg_catalog.text, n.names, n.defined, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
FROM told c JOIN pg_catalog.pg_attrdef f ON f.adrelid OPERATOR(pg_catalog.=) c.oid
     JOIN pg_catalog.pg_attribute a ON a.attrelid OPERATOR(pg_catalog.=) f.adrelid AND a.attnum OPERATOR(pg_catalog.=) f.adnum
     CROSS JOIN LATERAL {called f.adbin} n
WHERE c.defined AND a.attgenerated OPERATOR(pg_catalog.=) '' AND n.names IS NOT NULL
  AND (EXISTS (SELECT FROM pg_catalog.pg_index i
               WHERE i.indrelid OPERATOR(pg_catalog.=) f.adrelid AND i.indisunique
                 AND f.adnum OPERATOR(pg_catalog.=) ANY (i.indkey::pg_catalog.int2[]))
       OR pg_catalog.strpos(f.adbin::pg_catalog.text, ':funcid 1574 ') OPERATOR(pg_catalog.>) 0)
UNION ALL
-- To write one out Postgres compares the names of all columns with each other.
SELECT 'generated', a.attrelid::pg_catalog.text, a.attnum::pg_catalog.text,
       CASE WHEN {readable d.adrelid}
             AND pg_catalog.sum(c.relnatts::pg_catalog.int8 OPERATOR(pg_catalog.*) c.relnatts) OVER (ORDER BY a.attrelid, a.attnum) OPERATOR(pg_catalog.<=) {comparisons} THEN pg_catalog.encode(pg_catalog.convert_to(pg_catalog.pg_get_expr(d.adbin, d.adrelid), 'SQL_ASCII'), 'escape') END, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
FROM pg_catalog.pg_attribute a JOIN pg_catalog.pg_attrdef d ON d.adrelid OPERATOR(pg_catalog.=) a.attrelid AND d.adnum OPERATOR(pg_catalog.=) a.attnum
     JOIN told c ON c.oid OPERATOR(pg_catalog.=) a.attrelid
WHERE a.attgenerated OPERATOR(pg_catalog.<>) '' AND NOT a.attisdropped{shared}
