SELECT 'relation', c.oid::pg_catalog.text,
       pg_catalog.encode(pg_catalog.convert_to(n.nspname::pg_catalog.text, 'UTF8'), 'escape'),
       pg_catalog.encode(pg_catalog.convert_to(c.relname::pg_catalog.text, 'UTF8'), 'escape'),
       c.relkind::pg_catalog.text,
       CASE WHEN c.relkind IN ('v', 'm') AND n.nspname NOT IN ('pg_catalog', 'information_schema')
            THEN pg_catalog.encode(pg_catalog.convert_to(pg_catalog.pg_get_viewdef(c.oid), 'UTF8'), 'escape') END
FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
WHERE c.relkind IN ('r', 'p', 'f', 'v', 'm', 'S', 'c') AND n.nspname !~ '^pg_toast'
  AND (c.relpersistence <> 't' OR c.relnamespace = pg_catalog.pg_my_temp_schema());
SELECT 'column', a.attrelid::pg_catalog.text, a.attnum::pg_catalog.text,
       pg_catalog.encode(pg_catalog.convert_to(a.attname::pg_catalog.text, 'UTF8'), 'escape'),
       a.atttypid::pg_catalog.text
FROM pg_catalog.pg_attribute a JOIN pg_catalog.pg_class c ON c.oid = a.attrelid
     JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
WHERE a.attnum > 0 AND NOT a.attisdropped AND c.relkind IN ('r', 'p', 'f', 'v', 'm', 'S', 'c')
  AND n.nspname !~ '^pg_toast' AND n.nspname NOT IN ('pg_catalog', 'information_schema')
  AND (c.relpersistence <> 't' OR c.relnamespace = pg_catalog.pg_my_temp_schema())
ORDER BY a.attrelid, a.attnum;
SELECT 'domain', t.oid::pg_catalog.text, t.typbasetype::pg_catalog.text
FROM pg_catalog.pg_type t WHERE t.typtype = 'd';
SELECT 'row type', t.oid::pg_catalog.text, t.typarray::pg_catalog.text, t.typrelid::pg_catalog.text
FROM pg_catalog.pg_type t JOIN pg_catalog.pg_namespace n ON n.oid = t.typnamespace
WHERE t.typtype = 'c' AND n.nspname !~ '^pg_toast' AND n.nspname NOT IN ('pg_catalog', 'information_schema');
SELECT 'foreign key', o.conrelid::pg_catalog.text,
       pg_catalog.encode(pg_catalog.convert_to(o.conname::pg_catalog.text, 'UTF8'), 'escape'),
       pg_catalog.array_to_string(o.conkey, ','), o.confrelid::pg_catalog.text,
       pg_catalog.array_to_string(o.confkey, ',')
FROM pg_catalog.pg_constraint o JOIN pg_catalog.pg_class c ON c.oid = o.conrelid
WHERE o.contype = 'f' AND (c.relpersistence <> 't' OR c.relnamespace = pg_catalog.pg_my_temp_schema());
SELECT 'inherits', i.inhrelid::pg_catalog.text, i.inhparent::pg_catalog.text
FROM pg_catalog.pg_inherits i JOIN pg_catalog.pg_class c ON c.oid = i.inhrelid
WHERE c.relkind IN ('r', 'p', 'f') AND (c.relpersistence <> 't' OR c.relnamespace = pg_catalog.pg_my_temp_schema());
SELECT 'sequence', d.objid::pg_catalog.text, d.refobjid::pg_catalog.text, d.refobjsubid::pg_catalog.text
FROM pg_catalog.pg_depend d JOIN pg_catalog.pg_class c ON c.oid = d.objid AND c.relkind = 'S'
WHERE d.classid = 'pg_catalog.pg_class'::pg_catalog.regclass
  AND d.refclassid = 'pg_catalog.pg_class'::pg_catalog.regclass
  AND d.refobjsubid > 0 AND d.deptype IN ('a', 'i')
  AND (c.relpersistence <> 't' OR c.relnamespace = pg_catalog.pg_my_temp_schema());
SELECT 'draws', f.adrelid::pg_catalog.text, f.adnum::pg_catalog.text, d.refobjid::pg_catalog.text
FROM pg_catalog.pg_attrdef f JOIN pg_catalog.pg_depend d ON d.objid = f.oid
     JOIN pg_catalog.pg_class c ON c.oid = d.refobjid AND c.relkind = 'S'
WHERE d.classid = 'pg_catalog.pg_attrdef'::pg_catalog.regclass
  AND d.refclassid = 'pg_catalog.pg_class'::pg_catalog.regclass
  AND NOT EXISTS (SELECT FROM pg_catalog.pg_class t WHERE t.oid = f.adrelid
                  AND t.relpersistence = 't' AND t.relnamespace <> pg_catalog.pg_my_temp_schema());
SELECT DISTINCT 'depends', r.ev_class::pg_catalog.text, d.refobjid::pg_catalog.text
FROM pg_catalog.pg_depend d JOIN pg_catalog.pg_rewrite r ON r.oid = d.objid
     JOIN pg_catalog.pg_class c ON c.oid = r.ev_class
WHERE d.classid = 'pg_catalog.pg_rewrite'::pg_catalog.regclass
  AND d.refclassid = 'pg_catalog.pg_class'::pg_catalog.regclass AND d.refobjid <> r.ev_class
  AND (c.relpersistence <> 't' OR c.relnamespace = pg_catalog.pg_my_temp_schema());
SELECT 'rule', r.ev_class::pg_catalog.text, r.ev_type::pg_catalog.text,
       pg_catalog.encode(pg_catalog.convert_to(pg_catalog.pg_get_ruledef(r.oid), 'UTF8'), 'escape')
FROM pg_catalog.pg_rewrite r JOIN pg_catalog.pg_class c ON c.oid = r.ev_class
     JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
WHERE r.ev_type <> '1' AND c.relkind IN ('r', 'p', 'f', 'v', 'm')
  AND n.nspname NOT IN ('pg_catalog', 'information_schema')
  AND (c.relpersistence <> 't' OR c.relnamespace = pg_catalog.pg_my_temp_schema())
ORDER BY r.ev_class, r.rulename;
SELECT DISTINCT 'opaque view', r.ev_class::pg_catalog.text
FROM pg_catalog.pg_depend d JOIN pg_catalog.pg_rewrite r ON r.oid = d.objid
     JOIN pg_catalog.pg_proc p ON p.oid = d.refobjid
     JOIN pg_catalog.pg_class c ON c.oid = r.ev_class
WHERE d.classid = 'pg_catalog.pg_rewrite'::pg_catalog.regclass
  AND d.refclassid = 'pg_catalog.pg_proc'::pg_catalog.regclass
  AND p.pronamespace NOT IN ('pg_catalog'::pg_catalog.regnamespace, 'information_schema'::pg_catalog.regnamespace)
  AND p.provolatile <> 'i'
  AND (c.relpersistence <> 't' OR c.relnamespace = pg_catalog.pg_my_temp_schema());
SELECT 'function', pg_catalog.encode(pg_catalog.convert_to(n.nspname::pg_catalog.text, 'UTF8'), 'escape'),
       pg_catalog.encode(pg_catalog.convert_to(p.proname::pg_catalog.text, 'UTF8'), 'escape'), p.oid::pg_catalog.text,
       p.prokind::pg_catalog.text
         || CASE WHEN p.prokind <> 'a' THEN p.provolatile::pg_catalog.text
                 WHEN EXISTS (SELECT FROM pg_catalog.pg_aggregate g
                      JOIN pg_catalog.pg_proc s ON s.oid IN (g.aggtransfn, g.aggfinalfn, g.aggcombinefn, g.aggmtransfn, g.aggmfinalfn)
                      WHERE g.aggfnoid = p.oid AND s.provolatile <> 'i') THEN 'v' ELSE 'i' END
         || CASE WHEN p.provariadic <> 0 THEN 'v' ELSE '-' END || t.typtype::pg_catalog.text
         || CASE WHEN p.prosecdef OR p.proconfig IS NOT NULL THEN 'c' ELSE '-' END
         || CASE WHEN l.lanname = 'sql' THEN CASE WHEN p.prosrc = '' THEN 'a' ELSE 's' END
                 WHEN l.lanname IN ('c', 'internal') THEN 'c' ELSE 'o' END
         || CASE WHEN pg_catalog.pg_get_expr(p.proargdefaults, 0) ~ '[(]' THEN 'd' ELSE '-' END,
       p.prorettype::pg_catalog.text, t.typrelid::pg_catalog.text, p.proargtypes::pg_catalog.text,
       p.pronargdefaults::pg_catalog.text, pg_catalog.array_to_string(p.proargmodes, ''),
       pg_catalog.encode(pg_catalog.convert_to(pg_catalog.array_to_string(p.proargnames, pg_catalog.chr(1)), 'UTF8'), 'escape'),
       pg_catalog.array_to_string(p.proallargtypes, ','),
       CASE WHEN p.prokind = 'f' AND (l.lanname = 'sql' OR p.provolatile = 'i' AND l.lanname NOT IN ('c', 'internal'))
            THEN pg_catalog.encode(pg_catalog.convert_to(
              CASE WHEN l.lanname = 'sql' AND p.prosrc = '' THEN pg_catalog.pg_get_functiondef(p.oid) ELSE p.prosrc END,
              'UTF8'), 'escape') END
FROM pg_catalog.pg_proc p JOIN pg_catalog.pg_namespace n ON n.oid = p.pronamespace
     JOIN pg_catalog.pg_type t ON t.oid = p.prorettype JOIN pg_catalog.pg_language l ON l.oid = p.prolang
WHERE n.nspname NOT IN ('pg_catalog', 'information_schema');
SELECT 'enumeration', t.oid::pg_catalog.text FROM pg_catalog.pg_type t WHERE t.typtype = 'e';
SELECT 'generated', a.attrelid::pg_catalog.text, a.attnum::pg_catalog.text,
       pg_catalog.encode(pg_catalog.convert_to(pg_catalog.pg_get_expr(d.adbin, d.adrelid), 'UTF8'), 'escape')
FROM pg_catalog.pg_attribute a JOIN pg_catalog.pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
     JOIN pg_catalog.pg_class c ON c.oid = a.attrelid
WHERE a.attgenerated <> '' AND NOT a.attisdropped
  AND (c.relpersistence <> 't' OR c.relnamespace = pg_catalog.pg_my_temp_schema());
SELECT 'built in', pg_catalog.string_agg(DISTINCT p.proname::pg_catalog.text, ' ')
FROM pg_catalog.pg_proc p WHERE p.pronamespace = 'pg_catalog'::pg_catalog.regnamespace;
SELECT 'built in', pg_catalog.string_agg(DISTINCT t.typname::pg_catalog.text, ' ')
FROM pg_catalog.pg_type t
WHERE t.typnamespace = 'pg_catalog'::pg_catalog.regnamespace AND t.typtype IN ('b', 'r', 'm') AND t.typcategory <> 'A';
SELECT 'type', pg_catalog.encode(pg_catalog.convert_to(t.typname::pg_catalog.text, 'UTF8'), 'escape')
FROM pg_catalog.pg_type t
WHERE t.typnamespace NOT IN ('pg_catalog'::pg_catalog.regnamespace, 'information_schema'::pg_catalog.regnamespace)
  AND t.typtype IN ('b', 'd', 'e', 'r', 'm') AND t.typcategory <> 'A';
SELECT 'volatile', pg_catalog.string_agg(DISTINCT p.proname::pg_catalog.text, ' ')
FROM pg_catalog.pg_proc p
WHERE p.pronamespace = 'pg_catalog'::pg_catalog.regnamespace AND p.provolatile = 'v';
