WITH moment AS MATERIALIZED (
  SELECT pg_catalog.pg_snapshot_xmax(pg_catalog.pg_current_snapshot())::pg_catalog.text::pg_catalog.int8 AS next),
spaces AS MATERIALIZED (
  SELECT n.oid FROM pg_catalog.pg_namespace n WHERE n.nspname OPERATOR(pg_catalog.~) '^pg_temp_'),
temporary AS MATERIALIZED (
  SELECT c.oid FROM pg_catalog.pg_class c WHERE c.relpersistence OPERATOR(pg_catalog.=) 't'),
-- A row that an older snapshot still shows names the transaction that has put another in its place.
rows AS (
  SELECT a.attrelid AS place, a.xmax AS writer FROM pg_catalog.pg_attribute a UNION ALL
  SELECT c.oid, c.xmax FROM pg_catalog.pg_class c WHERE c.relkind OPERATOR(pg_catalog.=) ANY ('{r,p,f,v,m,S,c}') UNION ALL
  SELECT k.conrelid, k.xmax FROM pg_catalog.pg_constraint k UNION ALL
  SELECT f.adrelid, f.xmax FROM pg_catalog.pg_attrdef f UNION ALL
  SELECT i.indrelid, i.xmax FROM pg_catalog.pg_index i WHERE (i.indexprs IS NOT NULL OR i.indpred IS NOT NULL) UNION ALL
  SELECT h.inhrelid, h.xmax FROM pg_catalog.pg_inherits h UNION ALL
  SELECT p.polrelid, p.xmax FROM pg_catalog.pg_policy p UNION ALL
  SELECT r.ev_class, r.xmax FROM pg_catalog.pg_rewrite r UNION ALL
  SELECT s.seqrelid, s.xmax FROM pg_catalog.pg_sequence s UNION ALL
  SELECT t.tgrelid, t.xmax FROM pg_catalog.pg_trigger t UNION ALL
  SELECT 0::pg_catalog.oid, x.xmax FROM pg_catalog.pg_aggregate x UNION ALL
  SELECT 0::pg_catalog.oid, x.xmax FROM pg_catalog.pg_cast x UNION ALL
  SELECT 0::pg_catalog.oid, x.xmax FROM pg_catalog.pg_language x UNION ALL
  SELECT 0::pg_catalog.oid, x.xmax FROM pg_catalog.pg_operator x WHERE x.oprnamespace OPERATOR(pg_catalog.<>) ALL (ARRAY(SELECT n.oid FROM spaces n)) UNION ALL
  SELECT 0::pg_catalog.oid, x.xmax FROM pg_catalog.pg_proc x WHERE x.pronamespace OPERATOR(pg_catalog.<>) ALL (ARRAY(SELECT n.oid FROM spaces n)) UNION ALL
  SELECT 0::pg_catalog.oid, x.xmax FROM pg_catalog.pg_type x WHERE x.typtype OPERATOR(pg_catalog.<>) 'c' AND (x.typtype OPERATOR(pg_catalog.<>) 'b' OR x.typcategory OPERATOR(pg_catalog.<>) 'A')
    AND x.typnamespace OPERATOR(pg_catalog.<>) ALL (ARRAY(SELECT n.oid FROM spaces n)) UNION ALL
  SELECT 0::pg_catalog.oid, x.xmax FROM pg_catalog.pg_namespace x WHERE x.nspname OPERATOR(pg_catalog.!~) '^pg_(toast_)?temp_'),
written AS (
  SELECT w.place, w.writer::pg_catalog.text::pg_catalog.int8 AS writer FROM rows w WHERE w.writer OPERATOR(pg_catalog.<>) '0'::pg_catalog.xid)
SELECT 'superseded', CASE WHEN pg_catalog.current_setting('transaction_isolation') OPERATOR(pg_catalog.=) ANY ('{repeatable read,serializable}') THEN
  EXISTS (SELECT FROM written w CROSS JOIN moment m
          WHERE w.place OPERATOR(pg_catalog.<>) ALL (ARRAY(SELECT t.oid FROM temporary t))
            -- The transaction with these 32 bits that is nearest to the snapshot.
            AND pg_catalog.txid_status(m.next OPERATOR(pg_catalog.+)
                  ((w.writer OPERATOR(pg_catalog.-) m.next OPERATOR(pg_catalog.%) 4294967296 OPERATOR(pg_catalog.+) 6442450944) OPERATOR(pg_catalog.%) 4294967296 OPERATOR(pg_catalog.-) 2147483648))
                OPERATOR(pg_catalog.=) 'committed')
  -- Or another relation has come in front of one that had the name.
  OR EXISTS (SELECT FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid OPERATOR(pg_catalog.=) c.relnamespace
             WHERE n.nspname OPERATOR(pg_catalog.=) ANY (pg_catalog.current_schemas(true))
             GROUP BY c.relname HAVING NOT pg_catalog.bool_or(pg_catalog.pg_table_is_visible(c.oid)))
  ELSE false END
