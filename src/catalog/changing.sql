-- The functions that somebody has defined: their oids begin with this one, so an index has them. Code
-- that is too long, by itself or behind that of others, is not read: it may run and set anything.
-- What defaults are made of is compressed, which nothing but reading it undoes.
functions AS MATERIALIZED (
  SELECT f.oid, f.proname, f.prolang, f.fits, CASE WHEN f.fits THEN f.body END AS body, CASE WHEN f.fits THEN f.prosrc ELSE 'execute set_config' END AS prosrc,
         CASE WHEN f.defaults OPERATOR(pg_catalog.<=) {default bytes} AND f.defaults_together OPERATOR(pg_catalog.<=) {all default bytes} THEN f.proargdefaults::pg_catalog.text END AS defaults
  FROM (SELECT w.*, w.length OPERATOR(pg_catalog.<=) {code bytes} AND w.together OPERATOR(pg_catalog.<=) {all code bytes} AS fits
        FROM (SELECT v.*, pg_catalog.sum(v.length) OVER (ORDER BY v.oid) AS together, pg_catalog.sum(v.defaults) OVER (ORDER BY v.oid) AS defaults_together
              FROM (SELECT p.oid, p.proname, p.prolang, p.prosrc, p.proargdefaults, b.body,
                           pg_catalog.octet_length(p.prosrc)::pg_catalog.int8 OPERATOR(pg_catalog.+) COALESCE(pg_catalog.octet_length(b.body), 0) AS length,
                           COALESCE(pg_catalog.pg_column_size(p.proargdefaults), 0)::pg_catalog.int8 AS defaults
                    FROM pg_catalog.pg_proc p CROSS JOIN LATERAL (
                      SELECT CASE WHEN p.prosrc OPERATOR(pg_catalog.=) '' THEN pg_catalog.to_jsonb(p) OPERATOR(pg_catalog.->>) 'prosqlbody' END AS body) b
                    WHERE p.oid OPERATOR(pg_catalog.>=) 16384::pg_catalog.oid
                      AND p.pronamespace OPERATOR(pg_catalog.<>) ALL (ARRAY['pg_catalog'::pg_catalog.regnamespace, 'information_schema'::pg_catalog.regnamespace]::pg_catalog.oid[])) v) w) f),
-- The functions of which aggregates consist: their code comes again for each of these.
parts AS MATERIALIZED (
  SELECT x.aggregate, x.oid, x.prolang, x.calm, x.version, pg_catalog.sum(x.length) OVER (ORDER BY x.aggregate, x.oid) OPERATOR(pg_catalog.<=) {all code bytes} AS fits
  FROM (SELECT g.aggfnoid::pg_catalog.oid AS aggregate, s.oid, s.prolang, s.provolatile OPERATOR(pg_catalog.=) 'i' AS calm, s.xmin::pg_catalog.text AS version,
               pg_catalog.octet_length(f.prosrc)::pg_catalog.int8 OPERATOR(pg_catalog.+) COALESCE(pg_catalog.octet_length(f.body), 0) AS length
        FROM pg_catalog.pg_aggregate g
             JOIN pg_catalog.pg_proc s ON s.oid OPERATOR(pg_catalog.=) ANY (ARRAY[g.aggtransfn, g.aggfinalfn, g.aggcombinefn, g.aggserialfn, g.aggdeserialfn, g.aggmtransfn, g.aggminvtransfn, g.aggmfinalfn]::pg_catalog.oid[])
             LEFT JOIN functions f ON f.oid OPERATOR(pg_catalog.=) s.oid
        WHERE g.aggfnoid OPERATOR(pg_catalog.>=) 16384::pg_catalog.oid) x),
-- Which of them have a name of something else in them, by the words of their code: each text is read
-- once, however many names are looked for.
words AS MATERIALIZED (
  SELECT pg_catalog.jsonb_object_agg(w.word, w.oids) AS words
  FROM (SELECT t.word, pg_catalog.jsonb_agg(DISTINCT t.oid::pg_catalog.text) AS oids
        FROM (SELECT x.word, p.oid FROM functions p
                     CROSS JOIN LATERAL pg_catalog.regexp_split_to_table(pg_catalog.lower(p.prosrc), '[^[:alnum:]_]+') x (word)) t
             JOIN (SELECT pg_catalog.lower(p.proname::pg_catalog.text) AS name FROM functions p
                   UNION SELECT pg_catalog.lower(c.relname::pg_catalog.text) FROM pg_catalog.pg_class c WHERE c.oid OPERATOR(pg_catalog.>=) 16384::pg_catalog.oid
                   UNION SELECT pg_catalog.lower(k.typname::pg_catalog.text) FROM pg_catalog.pg_type k WHERE k.oid OPERATOR(pg_catalog.>=) 16384::pg_catalog.oid) n
               ON n.name OPERATOR(pg_catalog.=) t.word
        GROUP BY t.word) w),
-- Which types hold values of others: domains, arrays and ranges.
holding (held, holder) AS MATERIALIZED (
  SELECT t.typbasetype, t.oid FROM pg_catalog.pg_type t WHERE t.typbasetype OPERATOR(pg_catalog.<>) 0::pg_catalog.oid
  UNION ALL
  SELECT t.typelem, t.oid FROM pg_catalog.pg_type t WHERE t.typelem OPERATOR(pg_catalog.<>) 0::pg_catalog.oid
  UNION ALL
  SELECT r.rngsubtype, k.oid FROM pg_catalog.pg_range r CROSS JOIN LATERAL pg_catalog.unnest(ARRAY[r.rngtypid, r.rngmultitypid]::pg_catalog.oid[]) k (oid)),
-- What may change settings by which later statements are read: functions, relations by what they
-- run, and types by their checks. A setting whose name has a dot is none of those.
changing (kind, oid, name) AS (
  (SELECT 'function', p.oid, p.proname::pg_catalog.text FROM functions p
   WHERE p.prolang OPERATOR(pg_catalog.<>) ALL {compiled}
     AND (pg_catalog.regexp_replace(p.prosrc, 'set_config[[:space:]]*[(][[:space:]]*''[^''.]+[.][^'']*''', '', 'gi') OPERATOR(pg_catalog.~*)
            'set_config|search_path|client_encoding|standard_conforming_strings|pg_settings|session_authorization|set[^[:alnum:]_]+((local|session)[^[:alnum:]_]+)*(names|role|schema|authorization|constraints)|reset[^[:alnum:]_]'
          OR pg_catalog.strpos(p.body, ':funcid 2078 ') OPERATOR(pg_catalog.>) 0)
   UNION ALL
   SELECT h.kind, c.oid, c.relname::pg_catalog.text FROM holders h JOIN pg_catalog.pg_class c ON c.oid OPERATOR(pg_catalog.=) h.relation
   WHERE pg_catalog.strpos(h.code, ':funcid 2078 ') OPERATOR(pg_catalog.>) 0
   UNION ALL
   SELECT 'type', t.oid, t.typname::pg_catalog.text FROM pg_catalog.pg_constraint k JOIN pg_catalog.pg_type t ON t.oid OPERATOR(pg_catalog.=) k.contypid
   WHERE k.contypid OPERATOR(pg_catalog.>) 0::pg_catalog.oid AND pg_catalog.strpos(k.conbin::pg_catalog.text, ':funcid 2078 ') OPERATOR(pg_catalog.>) 0)
  UNION
  SELECT s.kind, s.oid, s.name::pg_catalog.text FROM changing c CROSS JOIN LATERAL (
    SELECT 'function' AS kind, p.oid, p.proname AS name
    FROM pg_catalog.jsonb_array_elements_text((SELECT w.words FROM words w) OPERATOR(pg_catalog.->) pg_catalog.lower(c.name)) e (oid)
         JOIN pg_catalog.pg_proc p ON p.oid OPERATOR(pg_catalog.=) e.oid::pg_catalog.oid
    UNION ALL
    -- A name that is no word, as that of an operator, may be in any code.
    SELECT 'no word', 0::pg_catalog.oid, ''::pg_catalog.name WHERE c.kind OPERATOR(pg_catalog.<>) 'no word' AND c.name OPERATOR(pg_catalog.!~) '^[[:alnum:]_]+$'
    UNION ALL
    SELECT 'function', p.oid, p.proname FROM functions p WHERE c.kind OPERATOR(pg_catalog.=) 'no word'
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
    SELECT 'type', t.oid, t.typname FROM holding h JOIN pg_catalog.pg_type t ON t.oid OPERATOR(pg_catalog.=) h.holder
    WHERE c.kind OPERATOR(pg_catalog.=) 'type' AND h.held OPERATOR(pg_catalog.=) c.oid
    UNION ALL
    SELECT 'written', t.oid, t.relname FROM pg_catalog.pg_depend d JOIN pg_catalog.pg_class t ON t.oid OPERATOR(pg_catalog.=) d.objid
    WHERE c.kind OPERATOR(pg_catalog.=) 'type' AND d.classid OPERATOR(pg_catalog.=) 'pg_catalog.pg_class'::pg_catalog.regclass AND d.objsubid OPERATOR(pg_catalog.>) 0
      AND d.refclassid OPERATOR(pg_catalog.=) 'pg_catalog.pg_type'::pg_catalog.regclass AND d.refobjid OPERATOR(pg_catalog.=) c.oid
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
