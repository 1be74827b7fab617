-- diesel_cli 2.3.14 and diesel 2.3.14: print-schema, and the look-up of types.

SELECT "information_schema"."tables"."table_name" FROM "information_schema"."tables" WHERE ((("information_schema"."tables"."table_schema" = 'public') AND ("information_schema"."tables"."table_name" NOT LIKE '\_\_%')) AND ("information_schema"."tables"."table_type" LIKE 'BASE TABLE'));

SELECT "information_schema"."columns"."column_name", "information_schema"."columns"."udt_name", "information_schema"."columns"."udt_schema", "information_schema"."columns"."domain_name", "information_schema"."columns"."domain_schema", "information_schema"."columns"."is_nullable", "information_schema"."columns"."character_maximum_length", col_description(quote_ident('users')::regclass, "information_schema"."columns"."ordinal_position") FROM "information_schema"."columns" WHERE (("information_schema"."columns"."table_name" = 'users') AND ("information_schema"."columns"."table_schema" = 'public')) ORDER BY "information_schema"."columns"."ordinal_position";

SELECT "information_schema"."key_column_usage"."column_name" FROM "information_schema"."key_column_usage" WHERE ((("information_schema"."key_column_usage"."constraint_name" = ANY(SELECT "information_schema"."table_constraints"."constraint_name" FROM "information_schema"."table_constraints" WHERE ("information_schema"."table_constraints"."constraint_type" = 'PRIMARY KEY'))) AND ("information_schema"."key_column_usage"."table_name" = 'users')) AND ("information_schema"."key_column_usage"."table_schema" = 'public')) ORDER BY "information_schema"."key_column_usage"."ordinal_position";

SELECT "information_schema"."columns"."column_name", "information_schema"."columns"."udt_name", "information_schema"."columns"."udt_schema", "information_schema"."columns"."domain_name", "information_schema"."columns"."domain_schema", "information_schema"."columns"."is_nullable", "information_schema"."columns"."character_maximum_length", col_description(quote_ident('orders')::regclass, "information_schema"."columns"."ordinal_position") FROM "information_schema"."columns" WHERE (("information_schema"."columns"."table_name" = 'orders') AND ("information_schema"."columns"."table_schema" = 'public')) ORDER BY "information_schema"."columns"."ordinal_position";

SELECT "information_schema"."key_column_usage"."column_name" FROM "information_schema"."key_column_usage" WHERE ((("information_schema"."key_column_usage"."constraint_name" = ANY(SELECT "information_schema"."table_constraints"."constraint_name" FROM "information_schema"."table_constraints" WHERE ("information_schema"."table_constraints"."constraint_type" = 'PRIMARY KEY'))) AND ("information_schema"."key_column_usage"."table_name" = 'orders')) AND ("information_schema"."key_column_usage"."table_schema" = 'public')) ORDER BY "information_schema"."key_column_usage"."ordinal_position";

SELECT "information_schema"."columns"."column_name", "information_schema"."columns"."udt_name", "information_schema"."columns"."udt_schema", "information_schema"."columns"."domain_name", "information_schema"."columns"."domain_schema", "information_schema"."columns"."is_nullable", "information_schema"."columns"."character_maximum_length", col_description(quote_ident('memberships')::regclass, "information_schema"."columns"."ordinal_position") FROM "information_schema"."columns" WHERE (("information_schema"."columns"."table_name" = 'memberships') AND ("information_schema"."columns"."table_schema" = 'public')) ORDER BY "information_schema"."columns"."ordinal_position";

SELECT "information_schema"."key_column_usage"."column_name" FROM "information_schema"."key_column_usage" WHERE ((("information_schema"."key_column_usage"."constraint_name" = ANY(SELECT "information_schema"."table_constraints"."constraint_name" FROM "information_schema"."table_constraints" WHERE ("information_schema"."table_constraints"."constraint_type" = 'PRIMARY KEY'))) AND ("information_schema"."key_column_usage"."table_name" = 'memberships')) AND ("information_schema"."key_column_usage"."table_schema" = 'public')) ORDER BY "information_schema"."key_column_usage"."ordinal_position";

SELECT "information_schema"."columns"."column_name", "information_schema"."columns"."udt_name", "information_schema"."columns"."udt_schema", "information_schema"."columns"."domain_name", "information_schema"."columns"."domain_schema", "information_schema"."columns"."is_nullable", "information_schema"."columns"."character_maximum_length", col_description(quote_ident('visits')::regclass, "information_schema"."columns"."ordinal_position") FROM "information_schema"."columns" WHERE (("information_schema"."columns"."table_name" = 'visits') AND ("information_schema"."columns"."table_schema" = 'public')) ORDER BY "information_schema"."columns"."ordinal_position";

SELECT "information_schema"."key_column_usage"."column_name" FROM "information_schema"."key_column_usage" WHERE ((("information_schema"."key_column_usage"."constraint_name" = ANY(SELECT "information_schema"."table_constraints"."constraint_name" FROM "information_schema"."table_constraints" WHERE ("information_schema"."table_constraints"."constraint_type" = 'PRIMARY KEY'))) AND ("information_schema"."key_column_usage"."table_name" = 'visits')) AND ("information_schema"."key_column_usage"."table_schema" = 'public')) ORDER BY "information_schema"."key_column_usage"."ordinal_position";

SELECT "information_schema"."columns"."column_name", "information_schema"."columns"."udt_name", "information_schema"."columns"."udt_schema", "information_schema"."columns"."domain_name", "information_schema"."columns"."domain_schema", "information_schema"."columns"."is_nullable", "information_schema"."columns"."character_maximum_length", col_description(quote_ident('crews')::regclass, "information_schema"."columns"."ordinal_position") FROM "information_schema"."columns" WHERE (("information_schema"."columns"."table_name" = 'crews') AND ("information_schema"."columns"."table_schema" = 'public')) ORDER BY "information_schema"."columns"."ordinal_position";

SELECT "information_schema"."key_column_usage"."column_name" FROM "information_schema"."key_column_usage" WHERE ((("information_schema"."key_column_usage"."constraint_name" = ANY(SELECT "information_schema"."table_constraints"."constraint_name" FROM "information_schema"."table_constraints" WHERE ("information_schema"."table_constraints"."constraint_type" = 'PRIMARY KEY'))) AND ("information_schema"."key_column_usage"."table_name" = 'crews')) AND ("information_schema"."key_column_usage"."table_schema" = 'public')) ORDER BY "information_schema"."key_column_usage"."ordinal_position";

SELECT "information_schema"."columns"."column_name", "information_schema"."columns"."udt_name", "information_schema"."columns"."udt_schema", "information_schema"."columns"."domain_name", "information_schema"."columns"."domain_schema", "information_schema"."columns"."is_nullable", "information_schema"."columns"."character_maximum_length", col_description(quote_ident('events')::regclass, "information_schema"."columns"."ordinal_position") FROM "information_schema"."columns" WHERE (("information_schema"."columns"."table_name" = 'events') AND ("information_schema"."columns"."table_schema" = 'public')) ORDER BY "information_schema"."columns"."ordinal_position";

SELECT "information_schema"."key_column_usage"."column_name" FROM "information_schema"."key_column_usage" WHERE ((("information_schema"."key_column_usage"."constraint_name" = ANY(SELECT "information_schema"."table_constraints"."constraint_name" FROM "information_schema"."table_constraints" WHERE ("information_schema"."table_constraints"."constraint_type" = 'PRIMARY KEY'))) AND ("information_schema"."key_column_usage"."table_name" = 'events')) AND ("information_schema"."key_column_usage"."table_schema" = 'public')) ORDER BY "information_schema"."key_column_usage"."ordinal_position";

SELECT "information_schema"."columns"."column_name", "information_schema"."columns"."udt_name", "information_schema"."columns"."udt_schema", "information_schema"."columns"."domain_name", "information_schema"."columns"."domain_schema", "information_schema"."columns"."is_nullable", "information_schema"."columns"."character_maximum_length", col_description(quote_ident('makes')::regclass, "information_schema"."columns"."ordinal_position") FROM "information_schema"."columns" WHERE (("information_schema"."columns"."table_name" = 'makes') AND ("information_schema"."columns"."table_schema" = 'public')) ORDER BY "information_schema"."columns"."ordinal_position";

SELECT "information_schema"."key_column_usage"."column_name" FROM "information_schema"."key_column_usage" WHERE ((("information_schema"."key_column_usage"."constraint_name" = ANY(SELECT "information_schema"."table_constraints"."constraint_name" FROM "information_schema"."table_constraints" WHERE ("information_schema"."table_constraints"."constraint_type" = 'PRIMARY KEY'))) AND ("information_schema"."key_column_usage"."table_name" = 'makes')) AND ("information_schema"."key_column_usage"."table_schema" = 'public')) ORDER BY "information_schema"."key_column_usage"."ordinal_position";

SELECT "information_schema"."columns"."column_name", "information_schema"."columns"."udt_name", "information_schema"."columns"."udt_schema", "information_schema"."columns"."domain_name", "information_schema"."columns"."domain_schema", "information_schema"."columns"."is_nullable", "information_schema"."columns"."character_maximum_length", col_description(quote_ident('placed')::regclass, "information_schema"."columns"."ordinal_position") FROM "information_schema"."columns" WHERE (("information_schema"."columns"."table_name" = 'placed') AND ("information_schema"."columns"."table_schema" = 'public')) ORDER BY "information_schema"."columns"."ordinal_position";

SELECT "information_schema"."columns"."column_name", "information_schema"."columns"."udt_name", "information_schema"."columns"."udt_schema", "information_schema"."columns"."domain_name", "information_schema"."columns"."domain_schema", "information_schema"."columns"."is_nullable", "information_schema"."columns"."character_maximum_length", col_description(quote_ident('order_items')::regclass, "information_schema"."columns"."ordinal_position") FROM "information_schema"."columns" WHERE (("information_schema"."columns"."table_name" = 'order_items') AND ("information_schema"."columns"."table_schema" = 'public')) ORDER BY "information_schema"."columns"."ordinal_position";

SELECT "information_schema"."key_column_usage"."column_name" FROM "information_schema"."key_column_usage" WHERE ((("information_schema"."key_column_usage"."constraint_name" = ANY(SELECT "information_schema"."table_constraints"."constraint_name" FROM "information_schema"."table_constraints" WHERE ("information_schema"."table_constraints"."constraint_type" = 'PRIMARY KEY'))) AND ("information_schema"."key_column_usage"."table_name" = 'order_items')) AND ("information_schema"."key_column_usage"."table_schema" = 'public')) ORDER BY "information_schema"."key_column_usage"."ordinal_position";

SELECT obj_description(quote_ident('users')::regclass, 'pg_class');

SELECT
   sch.nspname                                   AS "self_schema",
   tbl.relname                                   AS "self_table",
   ARRAY_AGG(col.attname ORDER BY u.attposition) AS "self_columns",
   f_sch.nspname                                 AS "foreign_schema",
   f_tbl.relname                                 AS "foreign_table",
   ARRAY_AGG(f_col.attname ORDER BY f_u.attposition) AS "foreign_columns"
FROM pg_constraint c
       LEFT JOIN LATERAL UNNEST(c.conkey) WITH ORDINALITY AS u(attnum, attposition) ON TRUE
       LEFT JOIN LATERAL UNNEST(c.confkey) WITH ORDINALITY AS f_u(attnum, attposition) ON f_u.attposition = u.attposition
       JOIN pg_class tbl ON tbl.oid = c.conrelid
       JOIN pg_namespace sch ON sch.oid = tbl.relnamespace
       LEFT JOIN pg_attribute col ON (col.attrelid = tbl.oid AND col.attnum = u.attnum)
       LEFT JOIN pg_class f_tbl ON f_tbl.oid = c.confrelid
       LEFT JOIN pg_namespace f_sch ON f_sch.oid = f_tbl.relnamespace
       LEFT JOIN pg_attribute f_col ON (f_col.attrelid = f_tbl.oid AND f_col.attnum = f_u.attnum)
WHERE sch.nspname = 'public' and f_sch.nspname = 'public' and c.contype = 'f'
GROUP BY "self_schema", "self_table", "foreign_schema", "foreign_table"
ORDER BY "self_schema", "self_table";

SELECT "pg_type"."oid", "pg_type"."typarray" FROM ("pg_type" INNER JOIN "pg_namespace" ON ("pg_type"."typnamespace" = "pg_namespace"."oid")) WHERE (("pg_type"."typname" = 'contact') AND ("pg_namespace"."nspname" = 'public'));

SELECT "pg_type"."oid", "pg_type"."typarray" FROM "pg_type" WHERE ("pg_type"."oid" = quote_ident('contact')::regtype::oid);

SELECT "pg_type"."oid", "pg_type"."typarray" FROM ("pg_type" INNER JOIN "pg_namespace" ON ("pg_type"."typnamespace" = "pg_namespace"."oid")) WHERE (("pg_type"."typname" = 'user_ref') AND ("pg_namespace"."nspname" = 'public'));

SELECT "pg_type"."oid", "pg_type"."typarray" FROM "pg_type" WHERE ("pg_type"."oid" = quote_ident('user_ref')::regtype::oid);

SELECT "pg_type"."oid", "pg_type"."typarray" FROM ("pg_type" INNER JOIN "pg_namespace" ON ("pg_type"."typnamespace" = "pg_namespace"."oid")) WHERE (("pg_type"."typname" = 'deep_ref') AND ("pg_namespace"."nspname" = 'public'));

SELECT "pg_type"."oid", "pg_type"."typarray" FROM "pg_type" WHERE ("pg_type"."oid" = quote_ident('deep_ref')::regtype::oid);
