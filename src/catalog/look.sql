WITH moment AS MATERIALIZED (
  SELECT pg_catalog.pg_current_snapshot()::pg_catalog.text AS now),
ages AS MATERIALIZED (SELECT {since} AS since),
recent AS MATERIALIZED ({recent}),
counts AS MATERIALIZED ({counts})
SELECT 'look', CASE
         WHEN {identity} OPERATOR(pg_catalog.<>) '{known identity}' THEN 'changed'
         WHEN m.now OPERATOR(pg_catalog.=) '{known moment}' THEN 'same'
         WHEN (SELECT c.counts OPERATOR(pg_catalog.||) ' ' OPERATOR(pg_catalog.||) (SELECT {fingerprint} FROM recent r) FROM counts c)
              OPERATOR(pg_catalog.=) '{known}' THEN 'same'
         ELSE 'changed' END, m.now
FROM moment m
