SELECT 'column', a.attrelid::pg_catalog.text, a.attnum::pg_catalog.text,
       pg_catalog.col_description(a.attrelid, a.attnum),
       pg_catalog.format_type(a.atttypid, a.atttypmod)
FROM pg_catalog.pg_attribute a
     JOIN pg_catalog.pg_class c ON c.oid OPERATOR(pg_catalog.=) a.attrelid
     JOIN pg_catalog.pg_namespace n ON n.oid OPERATOR(pg_catalog.=) c.relnamespace
WHERE c.relkind OPERATOR(pg_catalog.=) ANY ('{r,p,f}') AND c.relpersistence OPERATOR(pg_catalog.<>) 't'
  AND n.nspname OPERATOR(pg_catalog.!~) '^pg_' AND n.nspname OPERATOR(pg_catalog.<>) 'information_schema'
  AND a.attnum OPERATOR(pg_catalog.>) 0 AND NOT a.attisdropped
  -- What a partition or a child has of its parent is the parent's.
  AND a.attinhcount OPERATOR(pg_catalog.=) 0
UNION ALL
SELECT CASE WHEN i.indisprimary THEN 'primary' ELSE 'unique' END, i.indrelid::pg_catalog.text,
       pg_catalog.array_to_string((i.indkey::pg_catalog.int2[])[0:i.indnkeyatts OPERATOR(pg_catalog.-) 1], ','),
       NULL, NULL
FROM pg_catalog.pg_index i
WHERE i.indisunique AND i.indisvalid AND i.indpred IS NULL AND i.indexprs IS NULL
UNION ALL
SELECT 'inherits', h.inhrelid::pg_catalog.text, h.inhparent::pg_catalog.text, NULL, NULL
FROM pg_catalog.pg_inherits h
