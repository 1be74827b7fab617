WITH moment AS MATERIALIZED (
  SELECT pg_catalog.pg_current_snapshot()::pg_catalog.text AS now),
ages AS MATERIALIZED (SELECT {since} AS since)
SELECT 'look', CASE
         WHEN {identity} OPERATOR(pg_catalog.<>) '{known identity}' THEN 'changed'
         WHEN m.now OPERATOR(pg_catalog.=) '{known moment}' THEN 'same'
         WHEN (SELECT pg_catalog.sum(r.there) OPERATOR(pg_catalog.+) COALESCE(pg_catalog.sum(r.row), '0') FROM ({rows}) r)::pg_catalog.text
              OPERATOR(pg_catalog.=) '{known}' THEN 'same'
         ELSE 'changed' END, m.now
FROM moment m
