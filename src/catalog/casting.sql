-- The functions that casts run which have been defined, by the types of which a value is there then: what
-- is cast from or, if that is Postgres's own, to, and what holds such values; 0 if both are Postgres's own.
casting (type, function) AS (
  SELECT CASE WHEN k.castsource OPERATOR(pg_catalog.>=) 16384 THEN k.castsource
              WHEN k.casttarget OPERATOR(pg_catalog.>=) 16384 THEN k.casttarget ELSE 0::pg_catalog.oid END, k.castfunc
  FROM pg_catalog.pg_cast k WHERE k.oid OPERATOR(pg_catalog.>=) 16384 AND k.castfunc OPERATOR(pg_catalog.<>) 0::pg_catalog.oid
  UNION
  SELECT h.holder, c.function FROM casting c JOIN holding h ON h.held OPERATOR(pg_catalog.=) c.type
  WHERE c.type OPERATOR(pg_catalog.<>) 0::pg_catalog.oid),
-- The functions that domains run by their checks and defaults, by the types that hold values of these.
checking (type, function) AS (
  (SELECT k.contypid, d.refobjid
   FROM pg_catalog.pg_depend d JOIN pg_catalog.pg_constraint k ON k.oid OPERATOR(pg_catalog.=) d.objid
   WHERE d.classid OPERATOR(pg_catalog.=) 'pg_catalog.pg_constraint'::pg_catalog.regclass AND k.contypid OPERATOR(pg_catalog.>) 0::pg_catalog.oid
     AND d.refclassid OPERATOR(pg_catalog.=) 'pg_catalog.pg_proc'::pg_catalog.regclass AND d.refobjid OPERATOR(pg_catalog.>=) 16384::pg_catalog.oid
   UNION ALL
   SELECT t.oid, d.refobjid
   FROM pg_catalog.pg_depend d JOIN types t ON t.oid OPERATOR(pg_catalog.=) d.objid AND t.typtype OPERATOR(pg_catalog.=) 'd'
   WHERE d.classid OPERATOR(pg_catalog.=) 'pg_catalog.pg_type'::pg_catalog.regclass
     AND d.refclassid OPERATOR(pg_catalog.=) 'pg_catalog.pg_proc'::pg_catalog.regclass AND d.refobjid OPERATOR(pg_catalog.>=) 16384::pg_catalog.oid)
  UNION
  SELECT h.holder, c.function FROM checking c JOIN holding h ON h.held OPERATOR(pg_catalog.=) c.type)
