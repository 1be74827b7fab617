WITH RECURSIVE moment AS MATERIALIZED (
  SELECT pg_catalog.pg_current_snapshot()::pg_catalog.text AS now,
         CAST(pg_catalog.pg_snapshot_xmin(pg_catalog.pg_current_snapshot()) AS pg_catalog.xid) AS horizon),
ages AS MATERIALIZED (
  SELECT pg_catalog.age(m.horizon) AS since FROM moment m),
recent AS MATERIALIZED ({recent}),
counts AS MATERIALIZED ({counts}),
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
  FROM pg_catalog.pg_index i WHERE i.indexprs IS NOT NULL OR i.indpred IS NOT NULL
  UNION ALL
  SELECT 'pg_catalog.pg_rewrite'::pg_catalog.regclass::pg_catalog.oid, r.oid, r.ev_class,
         CASE WHEN r.ev_type OPERATOR(pg_catalog.=) '1' THEN 'read' ELSE 'written' END, pg_catalog.concat(r.ev_action, r.ev_qual)
  FROM pg_catalog.pg_rewrite r WHERE r.ev_class OPERATOR(pg_catalog.>=) 16384),
-- What may change settings by which later statements are read: functions, relations by what they
-- run, and types by their checks. A setting whose name has a dot is none of those.
changing (kind, oid, name) AS (
  (SELECT 'function', p.oid, p.proname::pg_catalog.text FROM pg_catalog.pg_proc p JOIN pg_catalog.pg_language l ON l.oid OPERATOR(pg_catalog.=) p.prolang
   WHERE p.pronamespace OPERATOR(pg_catalog.<>) ALL (ARRAY['pg_catalog'::pg_catalog.regnamespace, 'information_schema'::pg_catalog.regnamespace]::pg_catalog.oid[])
     AND l.lanname OPERATOR(pg_catalog.<>) ALL ('{c,internal}')
     AND (pg_catalog.regexp_replace(p.prosrc, 'set_config[[:space:]]*[(][[:space:]]*''[^''.]+[.][^'']*''', '', 'gi') OPERATOR(pg_catalog.~*)
            'set_config|search_path|client_encoding|standard_conforming_strings|pg_settings|set[[:space:]]+(local[[:space:]]+|session[[:space:]]+)?(names|role|schema|authorization)|reset[[:space:]]'
          OR p.prosrc OPERATOR(pg_catalog.=) '' AND pg_catalog.strpos(pg_catalog.to_jsonb(p) OPERATOR(pg_catalog.->>) 'prosqlbody', ':funcid 2078 ') OPERATOR(pg_catalog.>) 0)
   UNION ALL
   SELECT h.kind, c.oid, c.relname::pg_catalog.text FROM holders h JOIN pg_catalog.pg_class c ON c.oid OPERATOR(pg_catalog.=) h.relation
   WHERE pg_catalog.strpos(h.code, ':funcid 2078 ') OPERATOR(pg_catalog.>) 0
   UNION ALL
   SELECT 'type', t.oid, t.typname::pg_catalog.text FROM pg_catalog.pg_constraint k JOIN pg_catalog.pg_type t ON t.oid OPERATOR(pg_catalog.=) k.contypid
   WHERE pg_catalog.strpos(k.conbin::pg_catalog.text, ':funcid 2078 ') OPERATOR(pg_catalog.>) 0)
  UNION
  SELECT s.kind, s.oid, s.name::pg_catalog.text FROM changing c CROSS JOIN LATERAL (
    SELECT 'function' AS kind, p.oid, p.proname AS name FROM pg_catalog.pg_proc p
    WHERE p.pronamespace OPERATOR(pg_catalog.<>) ALL (ARRAY['pg_catalog'::pg_catalog.regnamespace, 'information_schema'::pg_catalog.regnamespace]::pg_catalog.oid[])
      AND pg_catalog.strpos(pg_catalog.lower(p.prosrc), pg_catalog.lower(c.name)) OPERATOR(pg_catalog.>) 0
      AND p.prosrc OPERATOR(pg_catalog.~*) pg_catalog.concat('(^|[^[:alnum:]_])', pg_catalog.regexp_replace(c.name, '([^[:alnum:]_])', pg_catalog.concat(pg_catalog.repeat(pg_catalog.chr(92), 3), '1'), 'g'), '([^[:alnum:]_]|$)')
    UNION ALL
    SELECT h.kind, t.oid, t.relname FROM pg_catalog.pg_depend d JOIN holders h ON h.catalog OPERATOR(pg_catalog.=) d.classid AND h.oid OPERATOR(pg_catalog.=) d.objid
         JOIN pg_catalog.pg_class t ON t.oid OPERATOR(pg_catalog.=) h.relation
    WHERE c.kind OPERATOR(pg_catalog.=) 'function'
      AND (d.refclassid OPERATOR(pg_catalog.=) 'pg_catalog.pg_proc'::pg_catalog.regclass AND d.refobjid OPERATOR(pg_catalog.=) c.oid
           OR d.refclassid OPERATOR(pg_catalog.=) 'pg_catalog.pg_operator'::pg_catalog.regclass
              AND d.refobjid OPERATOR(pg_catalog.=) ANY (ARRAY(SELECT o.oid FROM pg_catalog.pg_operator o WHERE o.oprcode OPERATOR(pg_catalog.=) c.oid)))
    UNION ALL
    SELECT 'type', t.oid, t.typname FROM pg_catalog.pg_depend d JOIN pg_catalog.pg_constraint k ON k.oid OPERATOR(pg_catalog.=) d.objid
         JOIN pg_catalog.pg_type t ON t.oid OPERATOR(pg_catalog.=) k.contypid
    WHERE c.kind OPERATOR(pg_catalog.=) 'function' AND d.classid OPERATOR(pg_catalog.=) 'pg_catalog.pg_constraint'::pg_catalog.regclass
      AND d.refclassid OPERATOR(pg_catalog.=) 'pg_catalog.pg_proc'::pg_catalog.regclass AND d.refobjid OPERATOR(pg_catalog.=) c.oid
    UNION ALL
    SELECT 'type', t.oid, t.typname FROM pg_catalog.pg_cast k JOIN pg_catalog.pg_type t ON t.oid OPERATOR(pg_catalog.=) ANY (ARRAY[k.castsource, k.casttarget]::pg_catalog.oid[])
    WHERE c.kind OPERATOR(pg_catalog.=) 'function' AND k.castfunc OPERATOR(pg_catalog.=) c.oid AND t.oid OPERATOR(pg_catalog.>=) 16384
    UNION ALL
    SELECT 'operator', o.oid, o.oprname FROM pg_catalog.pg_operator o
    WHERE c.kind OPERATOR(pg_catalog.=) 'function' AND o.oprcode OPERATOR(pg_catalog.=) c.oid
    UNION ALL
    SELECT 'type', t.oid, t.typname FROM pg_catalog.pg_type t
    WHERE c.kind OPERATOR(pg_catalog.=) 'type' AND (t.typbasetype OPERATOR(pg_catalog.=) c.oid OR t.typelem OPERATOR(pg_catalog.=) c.oid)
    UNION ALL
    SELECT 'written', t.oid, t.relname FROM pg_catalog.pg_attribute a JOIN pg_catalog.pg_class t ON t.oid OPERATOR(pg_catalog.=) a.attrelid
    WHERE c.kind OPERATOR(pg_catalog.=) 'type' AND a.atttypid OPERATOR(pg_catalog.=) c.oid AND NOT a.attisdropped
    UNION ALL
    SELECT 'type', t.oid, t.typname FROM pg_catalog.pg_type t
    WHERE c.kind OPERATOR(pg_catalog.=) 'written' AND t.typrelid OPERATOR(pg_catalog.=) c.oid
    UNION ALL
    SELECT c.kind, t.oid, t.relname FROM pg_catalog.pg_inherits i JOIN pg_catalog.pg_class t ON t.oid OPERATOR(pg_catalog.=) i.inhrelid OR t.oid OPERATOR(pg_catalog.=) i.inhparent
    WHERE c.kind OPERATOR(pg_catalog.=) ANY ('{read,written}') AND (i.inhrelid OPERATOR(pg_catalog.=) c.oid OR i.inhparent OPERATOR(pg_catalog.=) c.oid)
    UNION ALL
    SELECT 'written', t.oid, t.relname FROM pg_catalog.pg_constraint k JOIN pg_catalog.pg_class t ON t.oid OPERATOR(pg_catalog.=) k.confrelid
    WHERE c.kind OPERATOR(pg_catalog.=) ANY ('{read,written}') AND k.contype OPERATOR(pg_catalog.=) 'f' AND k.conrelid OPERATOR(pg_catalog.=) c.oid
    UNION ALL
    SELECT c.kind, t.oid, t.relname FROM pg_catalog.pg_depend d JOIN pg_catalog.pg_rewrite r ON r.oid OPERATOR(pg_catalog.=) d.objid
         JOIN pg_catalog.pg_class t ON t.oid OPERATOR(pg_catalog.=) r.ev_class
    WHERE c.kind OPERATOR(pg_catalog.=) ANY ('{read,written}') AND d.classid OPERATOR(pg_catalog.=) 'pg_catalog.pg_rewrite'::pg_catalog.regclass
      AND d.refclassid OPERATOR(pg_catalog.=) 'pg_catalog.pg_class'::pg_catalog.regclass AND d.refobjid OPERATOR(pg_catalog.=) c.oid) s)
SELECT 'version', {identity}, m.horizon::pg_catalog.text, m.now, s.counts OPERATOR(pg_catalog.||) ' ' OPERATOR(pg_catalog.||)
         (SELECT {fingerprint} FROM recent r),
       NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
FROM moment m, counts s
UNION ALL
SELECT 'relation', c.oid::pg_catalog.text,
       pg_catalog.encode(pg_catalog.convert_to(n.nspname::pg_catalog.text, 'UTF8'), 'escape'),
       pg_catalog.encode(pg_catalog.convert_to(c.relname::pg_catalog.text, 'UTF8'), 'escape'),
       c.relkind::pg_catalog.text,
       CASE WHEN c.relkind OPERATOR(pg_catalog.=) ANY ('{v,m}') AND n.nspname OPERATOR(pg_catalog.<>) ALL ('{pg_catalog,information_schema}')
             AND {readable c.oid}
            THEN pg_catalog.encode(pg_catalog.convert_to(pg_catalog.pg_get_viewdef(c.oid), 'UTF8'), 'escape') END,
       CASE WHEN c.relkind OPERATOR(pg_catalog.=) ANY ('{v,m}') AND n.nspname OPERATOR(pg_catalog.<>) ALL ('{pg_catalog,information_schema}')
             AND NOT {readable c.oid} THEN 'unread' END,
       CASE WHEN c.relkind OPERATOR(pg_catalog.=) ANY ('{v,m}')
            THEN (SELECT r.xmin::pg_catalog.text OPERATOR(pg_catalog.||) r.ctid::pg_catalog.text FROM pg_catalog.pg_rewrite r
                  WHERE r.ev_class OPERATOR(pg_catalog.=) c.oid AND r.ev_type OPERATOR(pg_catalog.=) '1') END, NULL, NULL, NULL, NULL, NULL
FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid OPERATOR(pg_catalog.=) c.relnamespace
WHERE c.relkind OPERATOR(pg_catalog.=) ANY ('{r,p,f,v,m,S,c}') AND n.nspname OPERATOR(pg_catalog.!~) '^pg_toast'
  AND (c.relpersistence OPERATOR(pg_catalog.<>) 't' OR c.relnamespace OPERATOR(pg_catalog.=) pg_catalog.pg_my_temp_schema())
UNION ALL
SELECT 'column', a.attrelid::pg_catalog.text, a.attnum::pg_catalog.text,
       pg_catalog.encode(pg_catalog.convert_to(a.attname::pg_catalog.text, 'UTF8'), 'escape'),
       a.atttypid::pg_catalog.text, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
FROM pg_catalog.pg_attribute a JOIN pg_catalog.pg_class c ON c.oid OPERATOR(pg_catalog.=) a.attrelid
     JOIN pg_catalog.pg_namespace n ON n.oid OPERATOR(pg_catalog.=) c.relnamespace
WHERE a.attnum OPERATOR(pg_catalog.>) 0 AND NOT a.attisdropped AND c.relkind OPERATOR(pg_catalog.=) ANY ('{r,p,f,v,m,S,c}')
  AND n.nspname OPERATOR(pg_catalog.!~) '^pg_toast' AND n.nspname OPERATOR(pg_catalog.<>) ALL ('{pg_catalog,information_schema}')
  AND (c.relpersistence OPERATOR(pg_catalog.<>) 't' OR c.relnamespace OPERATOR(pg_catalog.=) pg_catalog.pg_my_temp_schema())
UNION ALL
SELECT 'domain', t.oid::pg_catalog.text, t.typbasetype::pg_catalog.text, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
FROM pg_catalog.pg_type t WHERE t.typtype OPERATOR(pg_catalog.=) 'd'
UNION ALL
SELECT 'row type', t.oid::pg_catalog.text, t.typarray::pg_catalog.text, c.oid::pg_catalog.text, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
FROM pg_catalog.pg_class c JOIN pg_catalog.pg_type t ON t.oid OPERATOR(pg_catalog.=) c.reltype JOIN pg_catalog.pg_namespace n ON n.oid OPERATOR(pg_catalog.=) c.relnamespace
WHERE n.nspname OPERATOR(pg_catalog.!~) '^pg_toast' AND n.nspname OPERATOR(pg_catalog.<>) ALL ('{pg_catalog,information_schema}')
  AND (c.relpersistence OPERATOR(pg_catalog.<>) 't' OR c.relnamespace OPERATOR(pg_catalog.=) pg_catalog.pg_my_temp_schema())
UNION ALL
SELECT 'foreign key', o.conrelid::pg_catalog.text,
       pg_catalog.encode(pg_catalog.convert_to(o.conname::pg_catalog.text, 'UTF8'), 'escape'),
       pg_catalog.array_to_string(o.conkey, ','), o.confrelid::pg_catalog.text,
       pg_catalog.array_to_string(o.confkey, ','), NULL, NULL, NULL, NULL, NULL, NULL, NULL
FROM pg_catalog.pg_constraint o JOIN pg_catalog.pg_class c ON c.oid OPERATOR(pg_catalog.=) o.conrelid
WHERE o.contype OPERATOR(pg_catalog.=) 'f' AND (c.relpersistence OPERATOR(pg_catalog.<>) 't' OR c.relnamespace OPERATOR(pg_catalog.=) pg_catalog.pg_my_temp_schema())
UNION ALL
SELECT 'inherits', i.inhrelid::pg_catalog.text, i.inhparent::pg_catalog.text, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
FROM pg_catalog.pg_inherits i JOIN pg_catalog.pg_class c ON c.oid OPERATOR(pg_catalog.=) i.inhrelid
WHERE c.relkind OPERATOR(pg_catalog.=) ANY ('{r,p,f}') AND (c.relpersistence OPERATOR(pg_catalog.<>) 't' OR c.relnamespace OPERATOR(pg_catalog.=) pg_catalog.pg_my_temp_schema())
UNION ALL
SELECT 'sequence', d.objid::pg_catalog.text, d.refobjid::pg_catalog.text, d.refobjsubid::pg_catalog.text, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
FROM pg_catalog.pg_depend d JOIN pg_catalog.pg_class c ON c.oid OPERATOR(pg_catalog.=) d.objid AND c.relkind OPERATOR(pg_catalog.=) 'S'
WHERE d.classid OPERATOR(pg_catalog.=) 'pg_catalog.pg_class'::pg_catalog.regclass
  AND d.refclassid OPERATOR(pg_catalog.=) 'pg_catalog.pg_class'::pg_catalog.regclass
  AND d.refobjsubid OPERATOR(pg_catalog.>) 0 AND d.deptype OPERATOR(pg_catalog.=) ANY ('{a,i}')
  AND (c.relpersistence OPERATOR(pg_catalog.<>) 't' OR c.relnamespace OPERATOR(pg_catalog.=) pg_catalog.pg_my_temp_schema())
UNION ALL
SELECT 'draws', f.adrelid::pg_catalog.text, f.adnum::pg_catalog.text, d.refobjid::pg_catalog.text, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
FROM pg_catalog.pg_attrdef f JOIN pg_catalog.pg_depend d ON d.objid OPERATOR(pg_catalog.=) f.oid
     JOIN pg_catalog.pg_class c ON c.oid OPERATOR(pg_catalog.=) d.refobjid AND c.relkind OPERATOR(pg_catalog.=) 'S'
WHERE d.classid OPERATOR(pg_catalog.=) 'pg_catalog.pg_attrdef'::pg_catalog.regclass
  AND d.refclassid OPERATOR(pg_catalog.=) 'pg_catalog.pg_class'::pg_catalog.regclass
  AND NOT EXISTS (SELECT FROM pg_catalog.pg_class t WHERE t.oid OPERATOR(pg_catalog.=) f.adrelid
                  AND t.relpersistence OPERATOR(pg_catalog.=) 't' AND t.relnamespace OPERATOR(pg_catalog.<>) pg_catalog.pg_my_temp_schema())
UNION ALL
SELECT DISTINCT 'computes', x.relation::pg_catalog.text, d.refobjid::pg_catalog.text, d.refobjsubid::pg_catalog.text, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
FROM (SELECT 'pg_catalog.pg_constraint'::pg_catalog.regclass AS catalog, k.oid, k.conrelid AS relation FROM pg_catalog.pg_constraint k WHERE k.contype OPERATOR(pg_catalog.=) 'c'
      UNION ALL SELECT 'pg_catalog.pg_policy'::pg_catalog.regclass, p.oid, p.polrelid FROM pg_catalog.pg_policy p
      UNION ALL SELECT 'pg_catalog.pg_trigger'::pg_catalog.regclass, g.oid, g.tgrelid FROM pg_catalog.pg_trigger g WHERE g.tgqual IS NOT NULL
      UNION ALL SELECT 'pg_catalog.pg_class'::pg_catalog.regclass, i.indexrelid, i.indrelid FROM pg_catalog.pg_index i
                WHERE i.indexprs IS NOT NULL OR i.indpred IS NOT NULL) x
     JOIN pg_catalog.pg_depend d ON d.classid OPERATOR(pg_catalog.=) x.catalog AND d.objid OPERATOR(pg_catalog.=) x.oid
     JOIN pg_catalog.pg_class c ON c.oid OPERATOR(pg_catalog.=) x.relation
WHERE d.refclassid OPERATOR(pg_catalog.=) 'pg_catalog.pg_class'::pg_catalog.regclass AND d.refobjsubid OPERATOR(pg_catalog.>) 0
  AND x.relation OPERATOR(pg_catalog.>=) 16384
  AND (c.relpersistence OPERATOR(pg_catalog.<>) 't' OR c.relnamespace OPERATOR(pg_catalog.=) pg_catalog.pg_my_temp_schema())
UNION ALL
SELECT 'computes', a.attrelid::pg_catalog.text, a.attrelid::pg_catalog.text, a.attnum::pg_catalog.text, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
FROM pg_catalog.pg_attribute a JOIN pg_catalog.pg_class c ON c.oid OPERATOR(pg_catalog.=) a.attrelid
     JOIN pg_catalog.pg_type t ON t.oid OPERATOR(pg_catalog.=) a.atttypid
WHERE a.attrelid OPERATOR(pg_catalog.>=) 16384 AND a.attnum OPERATOR(pg_catalog.>) 0 AND t.typtype OPERATOR(pg_catalog.=) 'd'
  AND (c.relpersistence OPERATOR(pg_catalog.<>) 't' OR c.relnamespace OPERATOR(pg_catalog.=) pg_catalog.pg_my_temp_schema())
UNION ALL
SELECT DISTINCT 'depends', r.ev_class::pg_catalog.text, d.refobjid::pg_catalog.text, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
FROM pg_catalog.pg_depend d JOIN pg_catalog.pg_rewrite r ON r.oid OPERATOR(pg_catalog.=) d.objid
     JOIN pg_catalog.pg_class c ON c.oid OPERATOR(pg_catalog.=) r.ev_class
WHERE d.classid OPERATOR(pg_catalog.=) 'pg_catalog.pg_rewrite'::pg_catalog.regclass
  AND d.refclassid OPERATOR(pg_catalog.=) 'pg_catalog.pg_class'::pg_catalog.regclass AND d.refobjid OPERATOR(pg_catalog.<>) r.ev_class
  AND (c.relpersistence OPERATOR(pg_catalog.<>) 't' OR c.relnamespace OPERATOR(pg_catalog.=) pg_catalog.pg_my_temp_schema())
UNION ALL
SELECT 'rule', r.ev_class::pg_catalog.text, r.ev_type::pg_catalog.text,
       CASE WHEN {readable r.ev_class} THEN pg_catalog.encode(pg_catalog.convert_to(pg_catalog.pg_get_ruledef(r.oid), 'UTF8'), 'escape') END, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
FROM pg_catalog.pg_rewrite r JOIN pg_catalog.pg_class c ON c.oid OPERATOR(pg_catalog.=) r.ev_class
     JOIN pg_catalog.pg_namespace n ON n.oid OPERATOR(pg_catalog.=) c.relnamespace
WHERE r.ev_type OPERATOR(pg_catalog.<>) '1' AND c.relkind OPERATOR(pg_catalog.=) ANY ('{r,p,f,v,m}')
  AND n.nspname OPERATOR(pg_catalog.<>) ALL ('{pg_catalog,information_schema}')
  AND (c.relpersistence OPERATOR(pg_catalog.<>) 't' OR c.relnamespace OPERATOR(pg_catalog.=) pg_catalog.pg_my_temp_schema())
UNION ALL
SELECT DISTINCT 'opaque view', r.ev_class::pg_catalog.text, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
FROM pg_catalog.pg_depend d JOIN pg_catalog.pg_rewrite r ON r.oid OPERATOR(pg_catalog.=) d.objid
     JOIN pg_catalog.pg_proc p ON p.oid OPERATOR(pg_catalog.=) d.refobjid
     JOIN pg_catalog.pg_class c ON c.oid OPERATOR(pg_catalog.=) r.ev_class
WHERE d.classid OPERATOR(pg_catalog.=) 'pg_catalog.pg_rewrite'::pg_catalog.regclass
  AND d.refclassid OPERATOR(pg_catalog.=) 'pg_catalog.pg_proc'::pg_catalog.regclass
  AND p.pronamespace OPERATOR(pg_catalog.<>) ALL (ARRAY['pg_catalog'::pg_catalog.regnamespace, 'information_schema'::pg_catalog.regnamespace]::pg_catalog.oid[])
  AND p.provolatile OPERATOR(pg_catalog.<>) 'i'
  AND (c.relpersistence OPERATOR(pg_catalog.<>) 't' OR c.relnamespace OPERATOR(pg_catalog.=) pg_catalog.pg_my_temp_schema())
UNION ALL
SELECT 'function', pg_catalog.encode(pg_catalog.convert_to(n.nspname::pg_catalog.text, 'UTF8'), 'escape'),
       pg_catalog.encode(pg_catalog.convert_to(p.proname::pg_catalog.text, 'UTF8'), 'escape'), p.oid::pg_catalog.text,
       p.prokind::pg_catalog.text
         OPERATOR(pg_catalog.||) CASE WHEN p.prokind OPERATOR(pg_catalog.<>) 'a' THEN p.provolatile::pg_catalog.text
                 WHEN EXISTS (SELECT FROM pg_catalog.pg_aggregate g
                      JOIN pg_catalog.pg_proc s ON s.oid OPERATOR(pg_catalog.=) ANY (ARRAY[g.aggtransfn, g.aggfinalfn, g.aggcombinefn, g.aggmtransfn, g.aggmfinalfn]::pg_catalog.oid[])
                      WHERE g.aggfnoid OPERATOR(pg_catalog.=) p.oid AND s.provolatile OPERATOR(pg_catalog.<>) 'i') THEN 'v' ELSE 'i' END
         OPERATOR(pg_catalog.||) CASE WHEN p.provariadic OPERATOR(pg_catalog.<>) 0 THEN 'v' ELSE '-' END OPERATOR(pg_catalog.||) t.typtype::pg_catalog.text
         OPERATOR(pg_catalog.||) CASE WHEN p.prosecdef OR p.proconfig IS NOT NULL THEN 'c' ELSE '-' END
         OPERATOR(pg_catalog.||) CASE WHEN l.lanname OPERATOR(pg_catalog.=) 'sql' THEN CASE WHEN p.prosrc OPERATOR(pg_catalog.=) '' THEN 'a' ELSE 's' END
                 WHEN l.lanname OPERATOR(pg_catalog.=) ANY ('{c,internal}') THEN 'c' ELSE 'o' END
         OPERATOR(pg_catalog.||) CASE WHEN NOT {readable p.oid} OR pg_catalog.pg_get_expr(p.proargdefaults, 0) OPERATOR(pg_catalog.~) '[(]' THEN 'd' ELSE '-' END,
       p.prorettype::pg_catalog.text, t.typrelid::pg_catalog.text, p.proargtypes::pg_catalog.text,
       p.pronargdefaults::pg_catalog.text, pg_catalog.array_to_string(p.proargmodes, ''),
       pg_catalog.encode(pg_catalog.convert_to(pg_catalog.array_to_string(p.proargnames, pg_catalog.chr(1)), 'UTF8'), 'escape'),
       pg_catalog.array_to_string(p.proallargtypes, ','),
       CASE WHEN p.prokind OPERATOR(pg_catalog.=) 'f' AND (l.lanname OPERATOR(pg_catalog.=) 'sql' OR p.provolatile OPERATOR(pg_catalog.=) 'i' AND l.lanname OPERATOR(pg_catalog.<>) ALL ('{c,internal}'))
            THEN pg_catalog.encode(pg_catalog.convert_to(
              CASE WHEN l.lanname OPERATOR(pg_catalog.<>) 'sql' OR p.prosrc OPERATOR(pg_catalog.<>) '' THEN p.prosrc
                   WHEN {readable p.oid} THEN pg_catalog.pg_get_functiondef(p.oid) END,
              'UTF8'), 'escape') END
FROM pg_catalog.pg_proc p JOIN pg_catalog.pg_namespace n ON n.oid OPERATOR(pg_catalog.=) p.pronamespace
     JOIN pg_catalog.pg_type t ON t.oid OPERATOR(pg_catalog.=) p.prorettype JOIN pg_catalog.pg_language l ON l.oid OPERATOR(pg_catalog.=) p.prolang
WHERE n.nspname OPERATOR(pg_catalog.<>) ALL ('{pg_catalog,information_schema}')
UNION ALL
SELECT 'changes settings', c.oid::pg_catalog.text, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
FROM changing c WHERE c.kind OPERATOR(pg_catalog.=) 'function'
UNION ALL
SELECT 'sets', c.kind, pg_catalog.encode(pg_catalog.convert_to(c.name, 'UTF8'), 'escape'), NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
FROM changing c WHERE c.kind OPERATOR(pg_catalog.<>) 'function'
  AND NOT EXISTS (SELECT FROM pg_catalog.pg_class t WHERE t.oid OPERATOR(pg_catalog.=) c.oid AND t.relpersistence OPERATOR(pg_catalog.=) 't')
UNION ALL
SELECT 'partitioned', p.partrelid::pg_catalog.text, k.attnum::pg_catalog.text, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
FROM pg_catalog.pg_partitioned_table p JOIN pg_catalog.pg_class c ON c.oid OPERATOR(pg_catalog.=) p.partrelid
     CROSS JOIN LATERAL pg_catalog.unnest(p.partattrs::pg_catalog.int2[]) k (attnum)
WHERE c.relpersistence OPERATOR(pg_catalog.<>) 't' OR c.relnamespace OPERATOR(pg_catalog.=) pg_catalog.pg_my_temp_schema()
UNION ALL
SELECT 'hidden call', o.oprname::pg_catalog.text, o.oprcode::pg_catalog.oid::pg_catalog.text, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
FROM pg_catalog.pg_operator o JOIN pg_catalog.pg_proc p ON p.oid OPERATOR(pg_catalog.=) o.oprcode
WHERE p.pronamespace OPERATOR(pg_catalog.<>) ALL (ARRAY['pg_catalog'::pg_catalog.regnamespace, 'information_schema'::pg_catalog.regnamespace]::pg_catalog.oid[])
UNION ALL
SELECT 'hidden call', t.typname::pg_catalog.text, k.castfunc::pg_catalog.text, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
FROM pg_catalog.pg_cast k JOIN pg_catalog.pg_proc p ON p.oid OPERATOR(pg_catalog.=) k.castfunc
     JOIN pg_catalog.pg_type t ON t.oid OPERATOR(pg_catalog.=) ANY (ARRAY[k.castsource, k.casttarget]::pg_catalog.oid[])
WHERE p.pronamespace OPERATOR(pg_catalog.<>) ALL (ARRAY['pg_catalog'::pg_catalog.regnamespace, 'information_schema'::pg_catalog.regnamespace]::pg_catalog.oid[])
UNION ALL
SELECT 'operator', pg_catalog.encode(pg_catalog.convert_to(o.oprname::pg_catalog.text, 'UTF8'), 'escape'),
       o.oprleft::pg_catalog.text, o.oprright::pg_catalog.text, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
FROM pg_catalog.pg_operator o
WHERE o.oprnamespace OPERATOR(pg_catalog.<>) 'pg_catalog'::pg_catalog.regnamespace
  AND o.oprleft OPERATOR(pg_catalog.<) 16384 AND o.oprright OPERATOR(pg_catalog.<) 16384
UNION ALL
SELECT 'enumeration', t.oid::pg_catalog.text, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
FROM pg_catalog.pg_type t WHERE t.typtype OPERATOR(pg_catalog.=) 'e'
UNION ALL
SELECT 'generated', a.attrelid::pg_catalog.text, a.attnum::pg_catalog.text,
       CASE WHEN {readable d.adrelid} THEN pg_catalog.encode(pg_catalog.convert_to(pg_catalog.pg_get_expr(d.adbin, d.adrelid), 'UTF8'), 'escape') END, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
FROM pg_catalog.pg_attribute a JOIN pg_catalog.pg_attrdef d ON d.adrelid OPERATOR(pg_catalog.=) a.attrelid AND d.adnum OPERATOR(pg_catalog.=) a.attnum
     JOIN pg_catalog.pg_class c ON c.oid OPERATOR(pg_catalog.=) a.attrelid
WHERE a.attgenerated OPERATOR(pg_catalog.<>) '' AND NOT a.attisdropped
  AND (c.relpersistence OPERATOR(pg_catalog.<>) 't' OR c.relnamespace OPERATOR(pg_catalog.=) pg_catalog.pg_my_temp_schema())
UNION ALL
SELECT 'built in', pg_catalog.string_agg(DISTINCT p.proname::pg_catalog.text, ' '), NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
FROM pg_catalog.pg_proc p WHERE p.pronamespace OPERATOR(pg_catalog.=) 'pg_catalog'::pg_catalog.regnamespace
UNION ALL
SELECT 'built in', pg_catalog.string_agg(DISTINCT t.typname::pg_catalog.text, ' '), NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
FROM pg_catalog.pg_type t
WHERE t.typnamespace OPERATOR(pg_catalog.=) 'pg_catalog'::pg_catalog.regnamespace AND t.typtype OPERATOR(pg_catalog.=) ANY ('{b,r,m}') AND t.typcategory OPERATOR(pg_catalog.<>) 'A'
UNION ALL
SELECT 'type', pg_catalog.encode(pg_catalog.convert_to(t.typname::pg_catalog.text, 'UTF8'), 'escape'), NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
FROM pg_catalog.pg_type t
WHERE t.typnamespace OPERATOR(pg_catalog.<>) ALL (ARRAY['pg_catalog'::pg_catalog.regnamespace, 'information_schema'::pg_catalog.regnamespace]::pg_catalog.oid[])
  AND t.typtype OPERATOR(pg_catalog.=) ANY ('{b,d,e,r,m}') AND t.typcategory OPERATOR(pg_catalog.<>) 'A'
UNION ALL
SELECT 'raised', pg_catalog.string_agg(DISTINCT r.found[1], ' '), NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
FROM pg_catalog.pg_proc p CROSS JOIN LATERAL pg_catalog.regexp_matches(p.prosrc, '''([0-9A-Z][0-9A-Z][0-9A-Z][0-9A-Z][0-9A-Z])''', 'g') r (found)
WHERE p.pronamespace OPERATOR(pg_catalog.<>) ALL (ARRAY['pg_catalog'::pg_catalog.regnamespace, 'information_schema'::pg_catalog.regnamespace]::pg_catalog.oid[])
UNION ALL
SELECT 'volatile', pg_catalog.string_agg(DISTINCT p.proname::pg_catalog.text, ' '), NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
FROM pg_catalog.pg_proc p
WHERE p.pronamespace OPERATOR(pg_catalog.=) 'pg_catalog'::pg_catalog.regnamespace AND p.provolatile OPERATOR(pg_catalog.=) 'v'
