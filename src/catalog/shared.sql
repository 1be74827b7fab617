SELECT 'domain', t.oid::pg_catalog.text, t.typbasetype::pg_catalog.text,
       (SELECT pg_catalog.encode(pg_catalog.convert_to(n.nspname::pg_catalog.text, 'SQL_ASCII'), 'escape')
        FROM pg_catalog.pg_namespace n WHERE n.oid OPERATOR(pg_catalog.=) t.typnamespace),
       pg_catalog.encode(pg_catalog.convert_to(t.typname::pg_catalog.text, 'SQL_ASCII'), 'escape'), NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
FROM types t WHERE t.typtype OPERATOR(pg_catalog.=) 'd'
UNION ALL
-- The default of a domain over a domain is a copy.
SELECT 'domain draws', t.oid::pg_catalog.text, d.refobjid::pg_catalog.text, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
FROM types t JOIN pg_catalog.pg_depend d ON d.objid OPERATOR(pg_catalog.=) t.oid
     JOIN pg_catalog.pg_class q ON q.oid OPERATOR(pg_catalog.=) d.refobjid AND q.relkind OPERATOR(pg_catalog.=) 'S'
WHERE t.typtype OPERATOR(pg_catalog.=) 'd' AND t.typdefaultbin IS NOT NULL
  AND d.classid OPERATOR(pg_catalog.=) 'pg_catalog.pg_type'::pg_catalog.regclass
  AND d.refclassid OPERATOR(pg_catalog.=) 'pg_catalog.pg_class'::pg_catalog.regclass
UNION ALL
SELECT 'domain filled', t.oid::pg_catalog.text, n.names, n.defined, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
FROM types t CROSS JOIN LATERAL {called t.typdefaultbin} n
WHERE t.typtype OPERATOR(pg_catalog.=) 'd' AND t.typdefaultbin IS NOT NULL AND n.names IS NOT NULL
UNION ALL
SELECT 'domain runs', pg_catalog.encode(pg_catalog.convert_to(t.typname::pg_catalog.text, 'SQL_ASCII'), 'escape'), c.type::pg_catalog.text, c.function::pg_catalog.text, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
FROM checking c JOIN pg_catalog.pg_type t ON t.oid OPERATOR(pg_catalog.=) c.type
UNION ALL
SELECT 'function', pg_catalog.encode(pg_catalog.convert_to(n.nspname::pg_catalog.text, 'SQL_ASCII'), 'escape'),
       pg_catalog.encode(pg_catalog.convert_to(p.proname::pg_catalog.text, 'SQL_ASCII'), 'escape'), p.oid::pg_catalog.text,
       p.prokind::pg_catalog.text
         OPERATOR(pg_catalog.||) CASE WHEN p.prokind OPERATOR(pg_catalog.<>) 'a' THEN p.provolatile::pg_catalog.text
                 WHEN a.calm THEN 'i' ELSE 'v' END
         OPERATOR(pg_catalog.||) CASE WHEN p.provariadic OPERATOR(pg_catalog.<>) 0 THEN 'v' ELSE '-' END OPERATOR(pg_catalog.||) t.typtype::pg_catalog.text
         OPERATOR(pg_catalog.||) CASE WHEN EXISTS (SELECT FROM pg_catalog.unnest(p.proconfig) o (setting) WHERE pg_catalog.starts_with(o.setting, 'search_path=')) THEN 'p'
                 WHEN p.prosecdef OR p.proconfig IS NOT NULL THEN 'c' ELSE '-' END
         OPERATOR(pg_catalog.||) CASE WHEN l.lanname OPERATOR(pg_catalog.=) 'sql' THEN CASE WHEN p.prosrc OPERATOR(pg_catalog.=) '' THEN 'a' ELSE 's' END
                 WHEN l.lanname OPERATOR(pg_catalog.=) ANY ('{c,internal}') THEN 'c' ELSE 'o' END
         OPERATOR(pg_catalog.||) CASE WHEN p.proargdefaults IS NULL OR f.defaults OPERATOR(pg_catalog.!~) '(^|[^A-Z])(?!(CONST|ARRAY|ARRAYEXPR|RELABELTYPE|SQLVALUEFUNCTION) :|FUNCEXPR :funcid [0-9][0-9]?[0-9]?[0-9]? :funcresulttype [0-9]+ :funcretset false :funcvariadic false :funcformat 2 )[A-Z]+ :' THEN '-' ELSE 'd' END
         OPERATOR(pg_catalog.||) CASE WHEN l.lanname OPERATOR(pg_catalog.=) ANY ('{c,internal}') OR p.prosrc OPERATOR(pg_catalog.!~*) '(^|[^[:alnum:]_''])open[[:space:]]+["[:alpha:]_$]|declare[[:space:]][^;]*cursor' THEN '-' ELSE 'o' END,
       p.prorettype::pg_catalog.text, t.typrelid::pg_catalog.text, p.proargtypes::pg_catalog.text,
       pg_catalog.concat(p.pronargdefaults, ' ', v.version, ' ', p.xmin, ' ', a.versions), pg_catalog.array_to_string(p.proargmodes, ''),
       pg_catalog.encode((
         SELECT pg_catalog.string_agg(pg_catalog.convert_to(a.name, 'SQL_ASCII'), pg_catalog.decode('00', 'hex') ORDER BY a.place)
         FROM pg_catalog.unnest(p.proargnames) WITH ORDINALITY AS a (name, place)), 'escape'),
       pg_catalog.array_to_string(p.proallargtypes, ','),
       CASE WHEN p.prokind OPERATOR(pg_catalog.=) 'f' AND l.lanname OPERATOR(pg_catalog.<>) ALL ('{c,internal}')
            THEN pg_catalog.encode(pg_catalog.convert_to(
              CASE WHEN l.lanname OPERATOR(pg_catalog.<>) 'sql' OR p.prosrc OPERATOR(pg_catalog.<>) '' THEN f.prosrc
                   WHEN f.fits AND {readable p.oid} THEN pg_catalog.pg_get_functiondef(p.oid) END,
              'SQL_ASCII'), 'escape')
            ELSE pg_catalog.encode(pg_catalog.convert_to(a.code, 'SQL_ASCII'), 'escape') END
FROM pg_catalog.pg_proc p JOIN pg_catalog.pg_namespace n ON n.oid OPERATOR(pg_catalog.=) p.pronamespace
     JOIN spaces v ON v.oid OPERATOR(pg_catalog.=) n.oid
     JOIN pg_catalog.pg_type t ON t.oid OPERATOR(pg_catalog.=) p.prorettype JOIN pg_catalog.pg_language l ON l.oid OPERATOR(pg_catalog.=) p.prolang
     JOIN functions f ON f.oid OPERATOR(pg_catalog.=) p.oid
     -- One whose code can't be read may run anything.
     LEFT JOIN LATERAL (
       SELECT pg_catalog.bool_and(s.calm) AS calm,
              pg_catalog.string_agg(s.version, ' ' ORDER BY s.oid) AS versions,
              pg_catalog.string_agg(CASE WHEN NOT s.fits OR c.prosrc IS NULL THEN 'execute'
                   WHEN c.prosrc OPERATOR(pg_catalog.<>) '' THEN c.prosrc
                   WHEN {readable s.oid} THEN pg_catalog.pg_get_functiondef(s.oid) ELSE 'execute' END, pg_catalog.chr(10) ORDER BY s.oid)
                FILTER (WHERE s.prolang OPERATOR(pg_catalog.<>) ALL {compiled}) AS code
       FROM parts s LEFT JOIN functions c ON c.oid OPERATOR(pg_catalog.=) s.oid
       WHERE s.aggregate OPERATOR(pg_catalog.=) p.oid) a ON p.prokind OPERATOR(pg_catalog.=) 'a'
WHERE p.oid OPERATOR(pg_catalog.>=) 16384::pg_catalog.oid AND n.nspname OPERATOR(pg_catalog.<>) ALL ('{pg_catalog,information_schema}')
UNION ALL
SELECT 'changes settings', c.oid::pg_catalog.text, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
FROM changing c WHERE c.kind OPERATOR(pg_catalog.=) 'function'
UNION ALL
SELECT 'sets', c.kind, pg_catalog.encode(pg_catalog.convert_to(c.name, 'SQL_ASCII'), 'escape'), NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
FROM changing c WHERE c.kind OPERATOR(pg_catalog.<>) ALL ('{function,no word}')
UNION ALL
SELECT 'hidden call', pg_catalog.encode(pg_catalog.convert_to(h.name::pg_catalog.text, 'SQL_ASCII'), 'escape'), h.type::pg_catalog.text, h.function::pg_catalog.text,
       (SELECT p.proname::pg_catalog.text FROM pg_catalog.pg_proc p
        WHERE p.oid OPERATOR(pg_catalog.=) h.function AND p.pronamespace OPERATOR(pg_catalog.=) 'pg_catalog'::pg_catalog.regnamespace), NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
FROM (SELECT o.oprname AS name, NULL::pg_catalog.oid AS type, o.oprcode::pg_catalog.oid AS function FROM pg_catalog.pg_operator o WHERE o.oid OPERATOR(pg_catalog.>=) 16384
      UNION
      SELECT o.oprname, NULL, c.function FROM casting c JOIN pg_catalog.pg_operator o ON c.type OPERATOR(pg_catalog.=) ANY (ARRAY[o.oprleft, o.oprright, o.oprresult]::pg_catalog.oid[])
      UNION
      SELECT t.typname, NULL, c.function FROM casting c JOIN pg_catalog.pg_type t ON t.oid OPERATOR(pg_catalog.=) c.type
      UNION
      SELECT NULL, c.type, c.function FROM casting c) h
WHERE h.function OPERATOR(pg_catalog.<>) 0::pg_catalog.oid
UNION ALL
SELECT 'operator', pg_catalog.encode(pg_catalog.convert_to(o.oprname::pg_catalog.text, 'SQL_ASCII'), 'escape'),
       o.oprleft::pg_catalog.text, o.oprright::pg_catalog.text, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
FROM pg_catalog.pg_operator o
WHERE o.oprnamespace OPERATOR(pg_catalog.<>) 'pg_catalog'::pg_catalog.regnamespace
  AND o.oprleft OPERATOR(pg_catalog.<) 16384 AND o.oprright OPERATOR(pg_catalog.<) 16384
UNION ALL
SELECT 'enumeration', t.oid::pg_catalog.text, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
FROM types t WHERE t.typtype OPERATOR(pg_catalog.=) 'e'
UNION ALL
SELECT 'built in', pg_catalog.string_agg(p.proname::pg_catalog.text, ' '), NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
FROM (SELECT DISTINCT p.proname FROM pg_catalog.pg_proc p WHERE p.pronamespace OPERATOR(pg_catalog.=) 'pg_catalog'::pg_catalog.regnamespace ORDER BY p.proname) p
UNION ALL
SELECT 'built in', pg_catalog.string_agg(DISTINCT t.typname::pg_catalog.text, ' '), NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
FROM types t
WHERE t.typnamespace OPERATOR(pg_catalog.=) 'pg_catalog'::pg_catalog.regnamespace AND t.typtype OPERATOR(pg_catalog.=) ANY ('{b,r,m}') AND t.typcategory OPERATOR(pg_catalog.<>) 'A'
UNION ALL
SELECT 'type', pg_catalog.encode(pg_catalog.convert_to(t.typname::pg_catalog.text, 'SQL_ASCII'), 'escape'), NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
FROM types t
WHERE t.typnamespace OPERATOR(pg_catalog.<>) ALL (ARRAY['pg_catalog'::pg_catalog.regnamespace, 'information_schema'::pg_catalog.regnamespace]::pg_catalog.oid[])
  AND t.typtype OPERATOR(pg_catalog.=) ANY ('{b,d,e,r,m}') AND t.typcategory OPERATOR(pg_catalog.<>) 'A'
UNION ALL
SELECT 'raised', pg_catalog.string_agg(DISTINCT r.found[1], ' '), NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
FROM functions p CROSS JOIN LATERAL pg_catalog.regexp_matches(p.prosrc, '''([0-9A-Z][0-9A-Z][0-9A-Z][0-9A-Z][0-9A-Z])''', 'g') r (found)
UNION ALL
SELECT 'volatile', pg_catalog.string_agg(DISTINCT p.proname::pg_catalog.text, ' '), NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
FROM pg_catalog.pg_proc p
WHERE p.pronamespace OPERATOR(pg_catalog.=) 'pg_catalog'::pg_catalog.regnamespace AND p.provolatile OPERATOR(pg_catalog.=) 'v'
UNION ALL
SELECT 'hidden version', pg_catalog.sum(h.version)::pg_catalog.text, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
FROM (SELECT pg_catalog.hashtextextended(pg_catalog.concat(o.oid, ' ', o.xmin), 0) AS version FROM pg_catalog.pg_operator o
      -- Nobody else finds those of a temporary schema.
      WHERE o.oid OPERATOR(pg_catalog.>=) 16384
        AND o.oprnamespace OPERATOR(pg_catalog.<>) ALL (ARRAY(SELECT n.oid FROM pg_catalog.pg_namespace n WHERE n.nspname OPERATOR(pg_catalog.~) '^pg_temp_'))
      UNION ALL
      SELECT pg_catalog.hashtextextended(pg_catalog.concat(k.oid, ' ', k.xmin), 1) FROM pg_catalog.pg_cast k WHERE k.oid OPERATOR(pg_catalog.>=) 16384) h
