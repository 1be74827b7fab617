-- The functions that casts run which have been defined, by the types of which a value is there then: what
-- is cast from or, if that is Postgres's own, to, and what holds such values; 0 if both are Postgres's own.
casting (type, function) AS (
  SELECT CASE WHEN k.castsource OPERATOR(pg_catalog.>=) 16384 THEN k.castsource
              WHEN k.casttarget OPERATOR(pg_catalog.>=) 16384 THEN k.casttarget ELSE 0::pg_catalog.oid END, k.castfunc
  FROM pg_catalog.pg_cast k WHERE k.oid OPERATOR(pg_catalog.>=) 16384 AND k.castfunc OPERATOR(pg_catalog.<>) 0::pg_catalog.oid
  UNION
  SELECT h.holder, c.function FROM casting c JOIN holding h ON h.held OPERATOR(pg_catalog.=) c.type
  WHERE c.type OPERATOR(pg_catalog.<>) 0::pg_catalog.oid)
