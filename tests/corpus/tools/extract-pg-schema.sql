-- extract-pg-schema 5.8.2 (of kanel): extractSchemas of public.

select version();

select "nspname" from "pg_catalog"."pg_namespace" where not "nspname" = 'information_schema' and not "nspname" like 'pg\_%';

select "c"."oid" from "pg_extension" as "e" inner join "pg_depend" as "d" on "d"."refobjid" = "e"."oid" inner join "pg_class" as "c" on "c"."oid" = "d"."objid" inner join "pg_namespace" as "ns" on "ns"."oid" = "e"."extnamespace" where "d"."deptype" = 'e';

select "t"."oid" from "pg_extension" as "e" inner join "pg_depend" as "d" on "d"."refobjid" = "e"."oid" inner join "pg_type" as "t" on "t"."oid" = "d"."objid" inner join "pg_namespace" as "ns" on "ns"."oid" = "e"."extnamespace" where "d"."deptype" = 'e';

select "p"."oid" from "pg_extension" as "e" inner join "pg_depend" as "d" on "d"."refobjid" = "e"."oid" inner join "pg_proc" as "p" on "p"."oid" = "d"."objid" inner join "pg_namespace" as "ns" on "ns"."oid" = "e"."extnamespace" where "d"."deptype" = 'e';

select "typname" as "name", "nspname" as "schemaName", case typtype
        when 'c' then case relkind
          when 'r' then 'table'
when 'p' then 'table'
when 'v' then 'view'
when 'm' then 'materializedView'
when 'c' then 'compositeType'
when 'f' then 'foreignTable'
          end
      when 'd' then 'domain'
when 'e' then 'enum'
when 'r' then 'range'
       end as kind, COALESCE(
          obj_description(COALESCE(pg_class.oid, pg_type.oid)),
          obj_description(pg_type.oid)
        ) as comment from "pg_catalog"."pg_type" inner join "pg_catalog"."pg_namespace" on "pg_namespace"."oid" = "pg_type"."typnamespace" full outer join "pg_catalog"."pg_class" on "pg_type"."typrelid" = "pg_class"."oid" where ("pg_class"."oid" is null or ("pg_class"."relispartition" = 'false' and "pg_class"."relkind" not in ('S') and 1 = '1')) and 1 = '1' and "pg_type"."typtype" in ('c', 'd', 'e', 'r') and "pg_namespace"."nspname" in ('public') union select "proname" as "name", "nspname" as "schemaName", case prokind
        when 'f' then 'function'
        when 'p' then 'procedure'
        when 'a' then 'aggregate'
        when 'w' then 'window'
        end as kind, obj_description(pg_proc.oid) as comment from "pg_catalog"."pg_proc" inner join "pg_catalog"."pg_namespace" on "pg_namespace"."oid" = "pg_proc"."pronamespace" inner join "pg_catalog"."pg_language" on "pg_language"."oid" = "pg_proc"."prolang" where "pg_proc"."oid" not in (select objid from pg_depend where deptype = 'e' and classid = 'pg_proc'::regclass) and "pg_namespace"."nspname" in ('public') and "prokind" in ('f', 'p') and not "pg_language"."lanname" = 'internal';

select * from "information_schema"."views" where "table_name" = 'user_order_totals' and "table_schema" = 'public';

select * from "information_schema"."tables" where "table_name" = 'users' and "table_schema" = 'public';

select * from "information_schema"."tables" where "table_name" = 'audit_log' and "table_schema" = 'public';

select * from "information_schema"."tables" where "table_name" = 'orders' and "table_schema" = 'public';

select * from "information_schema"."tables" where "table_name" = 'order_items' and "table_schema" = 'public';

select * from "information_schema"."tables" where "table_name" = 'documents' and "table_schema" = 'public';

select * from "information_schema"."tables" where "table_name" = 'comments' and "table_schema" = 'public';

WITH
    fake_info_schema_columns AS (
  SELECT current_database()::information_schema.sql_identifier AS table_catalog,
    nc.nspname::information_schema.sql_identifier AS table_schema,
    c.relname::information_schema.sql_identifier AS table_name,
    a.attname::information_schema.sql_identifier AS column_name,
    a.attnum::information_schema.cardinal_number AS ordinal_position,
    pg_get_expr(ad.adbin, ad.adrelid)::information_schema.character_data AS column_default,
        CASE
            WHEN a.attnotnull OR t.typtype = 'd'::"char" AND t.typnotnull THEN 'NO'::text
            ELSE 'YES'::text
        END::information_schema.yes_or_no AS is_nullable,
        CASE
            WHEN t.typtype = 'd'::"char" THEN
            CASE
                WHEN bt.typelem <> 0::oid AND bt.typlen = '-1'::integer THEN 'ARRAY'::text
                WHEN nbt.nspname = 'pg_catalog'::name THEN format_type(t.typbasetype, NULL::integer)
                ELSE 'USER-DEFINED'::text
            END
            ELSE
            CASE
                WHEN t.typelem <> 0::oid AND t.typlen = '-1'::integer THEN 'ARRAY'::text
                WHEN nt.nspname = 'pg_catalog'::name THEN format_type(a.atttypid, NULL::integer)
                ELSE 'USER-DEFINED'::text
            END
        END::information_schema.character_data AS data_type,
    information_schema._pg_char_max_length(information_schema._pg_truetypid(a.*, t.*), information_schema._pg_truetypmod(a.*, t.*))::information_schema.cardinal_number AS character_maximum_length,
    information_schema._pg_char_octet_length(information_schema._pg_truetypid(a.*, t.*), information_schema._pg_truetypmod(a.*, t.*))::information_schema.cardinal_number AS character_octet_length,
    information_schema._pg_numeric_precision(information_schema._pg_truetypid(a.*, t.*), information_schema._pg_truetypmod(a.*, t.*))::information_schema.cardinal_number AS numeric_precision,
    information_schema._pg_numeric_precision_radix(information_schema._pg_truetypid(a.*, t.*), information_schema._pg_truetypmod(a.*, t.*))::information_schema.cardinal_number AS numeric_precision_radix,
    information_schema._pg_numeric_scale(information_schema._pg_truetypid(a.*, t.*), information_schema._pg_truetypmod(a.*, t.*))::information_schema.cardinal_number AS numeric_scale,
    information_schema._pg_datetime_precision(information_schema._pg_truetypid(a.*, t.*), information_schema._pg_truetypmod(a.*, t.*))::information_schema.cardinal_number AS datetime_precision,
    information_schema._pg_interval_type(information_schema._pg_truetypid(a.*, t.*), information_schema._pg_truetypmod(a.*, t.*))::information_schema.character_data AS interval_type,
    NULL::integer::information_schema.cardinal_number AS interval_precision,
    NULL::character varying::information_schema.sql_identifier AS character_set_catalog,
    NULL::character varying::information_schema.sql_identifier AS character_set_schema,
    NULL::character varying::information_schema.sql_identifier AS character_set_name,
        CASE
            WHEN nco.nspname IS NOT NULL THEN current_database()
            ELSE NULL::name
        END::information_schema.sql_identifier AS collation_catalog,
    nco.nspname::information_schema.sql_identifier AS collation_schema,
    co.collname::information_schema.sql_identifier AS collation_name,
        CASE
            WHEN t.typtype = 'd'::"char" THEN current_database()
            ELSE NULL::name
        END::information_schema.sql_identifier AS domain_catalog,
        CASE
            WHEN t.typtype = 'd'::"char" THEN nt.nspname
            ELSE NULL::name
        END::information_schema.sql_identifier AS domain_schema,
        CASE
            WHEN t.typtype = 'd'::"char" THEN t.typname
            ELSE NULL::name
        END::information_schema.sql_identifier AS domain_name,
    current_database()::information_schema.sql_identifier AS udt_catalog,
    COALESCE(nbt.nspname, nt.nspname)::information_schema.sql_identifier AS udt_schema,
    COALESCE(bt.typname, t.typname)::information_schema.sql_identifier AS udt_name,
    NULL::character varying::information_schema.sql_identifier AS scope_catalog,
    NULL::character varying::information_schema.sql_identifier AS scope_schema,
    NULL::character varying::information_schema.sql_identifier AS scope_name,
    NULL::integer::information_schema.cardinal_number AS maximum_cardinality,
    a.attnum::information_schema.sql_identifier AS dtd_identifier,
    'NO'::character varying::information_schema.yes_or_no AS is_self_referencing,
        CASE
            WHEN a.attidentity = ANY (ARRAY['a'::"char", 'd'::"char"]) THEN 'YES'::text
            ELSE 'NO'::text
        END::information_schema.yes_or_no AS is_identity,
        CASE a.attidentity
            WHEN 'a'::"char" THEN 'ALWAYS'::text
            WHEN 'd'::"char" THEN 'BY DEFAULT'::text
            ELSE NULL::text
        END::information_schema.character_data AS identity_generation,
    seq.seqstart::information_schema.character_data AS identity_start,
    seq.seqincrement::information_schema.character_data AS identity_increment,
    seq.seqmax::information_schema.character_data AS identity_maximum,
    seq.seqmin::information_schema.character_data AS identity_minimum,
        CASE
            WHEN seq.seqcycle THEN 'YES'::text
            ELSE 'NO'::text
        END::information_schema.yes_or_no AS identity_cycle,
    'NEVER'::character varying::information_schema.character_data AS is_generated,
    NULL::character varying::information_schema.character_data AS generation_expression,
        CASE
            WHEN (c.relkind = ANY (ARRAY['r'::"char", 'p'::"char"])) OR (c.relkind = ANY (ARRAY['v'::"char", 'f'::"char"])) AND pg_column_is_updatable(c.oid::regclass, a.attnum, false) THEN 'YES'::text
            ELSE 'NO'::text
        END::information_schema.yes_or_no AS is_updatable
   FROM pg_attribute a
     LEFT JOIN pg_attrdef ad ON a.attrelid = ad.adrelid AND a.attnum = ad.adnum
     JOIN (pg_class c
     JOIN pg_namespace nc ON c.relnamespace = nc.oid) ON a.attrelid = c.oid
     JOIN (pg_type t
     JOIN pg_namespace nt ON t.typnamespace = nt.oid) ON a.atttypid = t.oid
     LEFT JOIN (pg_type bt
     JOIN pg_namespace nbt ON bt.typnamespace = nbt.oid) ON t.typtype = 'd'::"char" AND t.typbasetype = bt.oid
     LEFT JOIN (pg_collation co
     JOIN pg_namespace nco ON co.collnamespace = nco.oid) ON a.attcollation = co.oid AND (nco.nspname <> 'pg_catalog'::name OR co.collname <> 'default'::name)
     LEFT JOIN (pg_depend dep
     JOIN pg_sequence seq ON dep.classid = 'pg_class'::regclass::oid AND dep.objid = seq.seqrelid AND dep.deptype = 'i'::"char") ON dep.refclassid = 'pg_class'::regclass::oid AND dep.refobjid = c.oid AND dep.refobjsubid = a.attnum
  WHERE NOT pg_is_other_temp_schema(nc.oid) AND a.attnum > 0 AND NOT a.attisdropped AND (c.relkind = ANY (ARRAY['r'::"char", 'v'::"char", 'f'::"char", 'p'::"char", 'm'::"char", 'c'::"char"])) AND (pg_has_role(c.relowner, 'USAGE'::text) OR has_column_privilege(c.oid, a.attnum, 'SELECT, INSERT, UPDATE, REFERENCES'::text))
    ),
    type_map AS (
  select
    pg_attribute.attname as "column_name",
    typnamespace::regnamespace::text||'.'||(case when (t.typelem <> 0::oid AND t.typlen = '-1'::integer) then substring(typname, 2)||'[]' else typname end)::text as "expanded_name",
    json_build_object(
      'fullName', typnamespace::regnamespace::text||'.'||substring(typname, (case when (t.typelem <> 0::oid AND t.typlen = '-1'::integer) then 2 else 1 end))::text,
      'kind', case
        when typtype = 'd' then 'domain'
        when typtype = 'r' then 'range'
        when typtype = 'c' then 'composite'
        when typtype = 'e' then 'enum'
        when typtype = 'b' then COALESCE((select case
          when i.typtype = 'r' then 'range'
          when i.typtype = 'd' then 'domain'
          when i.typtype = 'c' then 'composite'
          when i.typtype = 'e' then 'enum'
        end as inner_kind from pg_type i where i.oid = t.typelem), 'base')
      ELSE 'unknown'
      end
    ) as "type_info"
  from pg_type t
  join pg_attribute on pg_attribute.atttypid = t.oid
  join pg_class on pg_attribute.attrelid = pg_class.oid
  join pg_namespace on pg_class.relnamespace = pg_namespace.oid
  WHERE
    pg_namespace.nspname = 'public'
    and pg_class.relname = 'contact'
    ),
    comment_map AS (
  SELECT
    a.attname as "column_name",
    col_description(c.oid, a.attnum::int) as "comment"
  FROM
    pg_class c
    JOIN pg_attribute a on a.attrelid=c.oid
    JOIN pg_namespace n ON c.relnamespace = n.oid
  WHERE
    n.nspname = 'public'
    AND c.relname = 'contact'
    )
    SELECT
      columns.column_name AS "name",
      type_map.expanded_name AS "expandedType",
      type_map.type_info AS "type",
      comment_map.comment AS "comment",
      character_maximum_length AS "maxLength",
      column_default AS "defaultValue",
      is_nullable = 'YES' AS "isNullable",
      data_type = 'ARRAY' AS "isArray",
      is_identity = 'YES' AS "isIdentity",
      is_updatable = 'YES' AS "isUpdatable",
      ordinal_position AS "ordinalPosition",
      CASE WHEN is_identity = 'YES' THEN
        identity_generation
      ELSE
        is_generated
      END AS "generated",
      row_to_json(columns.*) AS "fakeInformationSchemaValue"
    FROM
      fake_info_schema_columns columns
      LEFT JOIN type_map ON type_map.column_name = columns.column_name
      LEFT JOIN comment_map ON comment_map.column_name = columns.column_name
    WHERE
      table_name = 'contact'
      AND table_schema = 'public';

select * from "information_schema"."tables" where "table_name" = 'crews' and "table_schema" = 'public';

select * from "information_schema"."tables" where "table_name" = 'memberships' and "table_schema" = 'public';

select * from "information_schema"."tables" where "table_name" = 'makes' and "table_schema" = 'public';

select * from "information_schema"."tables" where "table_name" = 'tags' and "table_schema" = 'public';

select * from "information_schema"."tables" where "table_name" = 'visits' and "table_schema" = 'public';

SELECT
      i.typnamespace::regnamespace::text||'.'||i.typname as "innerType",
      row_to_json(domains.*) AS "informationSchemaValue"
    FROM
      information_schema.domains,
      pg_type t
    JOIN pg_type i on t.typbasetype = i.oid
    WHERE
      domain_name = 'made'
      AND t.typname = 'made'
      AND t.typtype = 'd'
      AND domain_schema = 'public'
      AND t.typnamespace::regnamespace::text = 'public';

SELECT
      i.typnamespace::regnamespace::text||'.'||i.typname as "innerType",
      row_to_json(domains.*) AS "informationSchemaValue"
    FROM
      information_schema.domains,
      pg_type t
    JOIN pg_type i on t.typbasetype = i.oid
    WHERE
      domain_name = 'deep_ref'
      AND t.typname = 'deep_ref'
      AND t.typtype = 'd'
      AND domain_schema = 'public'
      AND t.typnamespace::regnamespace::text = 'public';

select * from "information_schema"."tables" where "table_name" = 'placed' and "table_schema" = 'public';

SELECT
      i.typnamespace::regnamespace::text||'.'||i.typname as "innerType",
      row_to_json(domains.*) AS "informationSchemaValue"
    FROM
      information_schema.domains,
      pg_type t
    JOIN pg_type i on t.typbasetype = i.oid
    WHERE
      domain_name = 'user_refs'
      AND t.typname = 'user_refs'
      AND t.typtype = 'd'
      AND domain_schema = 'public'
      AND t.typnamespace::regnamespace::text = 'public';

SELECT
      i.typnamespace::regnamespace::text||'.'||i.typname as "innerType",
      row_to_json(domains.*) AS "informationSchemaValue"
    FROM
      information_schema.domains,
      pg_type t
    JOIN pg_type i on t.typbasetype = i.oid
    WHERE
      domain_name = 'counter'
      AND t.typname = 'counter'
      AND t.typtype = 'd'
      AND domain_schema = 'public'
      AND t.typnamespace::regnamespace::text = 'public';

select * from "information_schema"."routines" where "routine_name" = 'user_email' and "routine_schema" = 'public';

select * from "information_schema"."views" where "table_name" = 'guests' and "table_schema" = 'public';

select * from "information_schema"."tables" where "table_name" = 'events' and "table_schema" = 'public';

select * from "information_schema"."tables" where "table_name" = 'teams' and "table_schema" = 'public';

select * from "information_schema"."tables" where "table_name" = 'order_tags' and "table_schema" = 'public';

SELECT
      i.typnamespace::regnamespace::text||'.'||i.typname as "innerType",
      row_to_json(domains.*) AS "informationSchemaValue"
    FROM
      information_schema.domains,
      pg_type t
    JOIN pg_type i on t.typbasetype = i.oid
    WHERE
      domain_name = 'user_ref'
      AND t.typname = 'user_ref'
      AND t.typtype = 'd'
      AND domain_schema = 'public'
      AND t.typnamespace::regnamespace::text = 'public';

WITH
    reference_map AS (
      SELECT
        source_attr.attname AS "column_name",
        json_agg(json_build_object(
            'schemaName', expanded_constraint.target_schema,
            'tableName', expanded_constraint.target_table,
            'columnName', target_attr.attname,
            'onUpdate', case expanded_constraint.confupdtype
              when 'a' then 'NO ACTION'
when 'r' then 'RESTRICT'
when 'c' then 'CASCADE'
when 'n' then 'SET NULL'
when 'd' then 'SET DEFAULT'
              end,
            'onDelete', case expanded_constraint.confdeltype
              when 'a' then 'NO ACTION'
when 'r' then 'RESTRICT'
when 'c' then 'CASCADE'
when 'n' then 'SET NULL'
when 'd' then 'SET DEFAULT'
              end,
            'name', expanded_constraint.conname
            )) AS references
      FROM (
        SELECT
          unnest(conkey) AS "source_attnum",
          unnest(confkey) AS "target_attnum",
          target_namespace.nspname as "target_schema",
          target_class.relname as "target_table",
          confrelid,
          conrelid,
          conname,
          confupdtype,
          confdeltype
        FROM
          pg_constraint
          JOIN pg_class source_class ON conrelid = source_class.oid
          JOIN pg_namespace source_namespace ON source_class.relnamespace = source_namespace.oid
          JOIN pg_class target_class ON confrelid = target_class.oid
          JOIN pg_namespace target_namespace ON target_class.relnamespace = target_namespace.oid
        WHERE
          source_class.relname = 'documents'
          AND source_namespace.nspname = 'public'
          AND contype = 'f') expanded_constraint
        JOIN pg_attribute target_attr ON target_attr.attrelid = expanded_constraint.confrelid
          AND target_attr.attnum = expanded_constraint.target_attnum
        JOIN pg_attribute source_attr ON source_attr.attrelid = expanded_constraint.conrelid
          AND source_attr.attnum = expanded_constraint.source_attnum
        JOIN pg_class target_class ON target_class.oid = expanded_constraint.confrelid
      WHERE
        target_class.relispartition = FALSE
      GROUP BY
        source_attr.attname
    ),
    index_map AS (
  SELECT
    a.attname AS column_name,
    bool_or(ix.indisprimary) AS is_primary,
    json_agg(json_build_object(
        'name', i.relname,
        'isPrimary', ix.indisprimary)
      ) AS indices
  FROM
    pg_class t,
    pg_class i,
    pg_index ix,
    pg_attribute a,
    pg_namespace n
  WHERE
    t.oid = ix.indrelid
    AND i.oid = ix.indexrelid
    AND a.attrelid = t.oid
    AND n.oid = t.relnamespace
    AND a.attnum = ANY (ix.indkey)
    AND t.relkind = 'r'
    AND t.relname = 'documents'
    AND n.nspname = 'public'
  GROUP BY
    a.attname
    ),
    type_map AS (
select
  pg_attribute.attname as "column_name",
  typnamespace::regnamespace::text||'.'||substring(typname, (case when attndims > 0 then 2 else 1 end))::text||repeat('[]', attndims) as "expanded_name",
  attndims as "dimensions",
  json_build_object(
	  'fullName', typnamespace::regnamespace::text||'.'||substring(typname, (case when attndims > 0 then 2 else 1 end))::text,
    'kind', case
      when typtype = 'd' then 'domain'
      when typtype = 'r' then 'range'
      when typtype = 'c' then 'composite'
      when typtype = 'e' then 'enum'
      when typtype = 'b' then COALESCE((select case
        when i.typtype = 'r' then 'range'
        when i.typtype = 'd' then 'domain'
        when i.typtype = 'c' then 'composite'
        when i.typtype = 'e' then 'enum'
      end as inner_kind from pg_type i where i.oid = t.typelem), 'base')
    ELSE 'unknown'
    end
  ) as "type_info"
from pg_type t
join pg_attribute on pg_attribute.atttypid = t.oid
join pg_class on pg_attribute.attrelid = pg_class.oid
join pg_namespace on pg_class.relnamespace = pg_namespace.oid
WHERE
  pg_namespace.nspname = 'public'
  and pg_class.relname = 'documents'
    ),
    comment_map AS (
  SELECT
    a.attname as "column_name",
    col_description(c.oid, a.attnum::int) as "comment"
  FROM
    pg_class c
    JOIN pg_attribute a on a.attrelid=c.oid
    JOIN pg_namespace n ON c.relnamespace = n.oid
  WHERE
    n.nspname = 'public'
    AND c.relname = 'documents'
    ),
    inheritance_map AS (
   SELECT
      a.attname AS column_name,
      pa.attname as parent_column_name,
      p.relname AS parent_name
     FROM pg_class c
     JOIN pg_attribute a ON a.attrelid=c.oid
     JOIN pg_catalog.pg_inherits i ON a.attrelid=i.inhrelid
     JOIN pg_class p ON p.oid = i.inhparent
     JOIN pg_namespace p_namespace ON p.relnamespace = p_namespace.oid
     JOIN pg_attribute pa ON pa.attrelid=p.oid
     WHERE
      c.relname = 'documents'
      AND p_namespace.nspname = 'public'
      AND a.attnum > 0
      AND a.attname = pa.attname
    )
    SELECT
      columns.column_name AS "name",
      type_map.expanded_name AS "expandedType",
      type_map.dimensions AS "dimensions",
      type_map.type_info AS "type",
      comment_map.comment AS "comment",
      character_maximum_length AS "maxLength",
      column_default AS "defaultValue",
      is_nullable = 'YES' AS "isNullable",
      data_type = 'ARRAY' AS "isArray",
      is_identity = 'YES' AS "isIdentity",
      is_updatable = 'YES' AS "isUpdatable",
      ordinal_position AS "ordinalPosition",
      CASE WHEN is_identity = 'YES' THEN
        identity_generation
      ELSE
        is_generated
      END AS "generated",
      COALESCE(index_map.is_primary, FALSE) AS "isPrimaryKey",
      COALESCE(index_map.indices, '[]'::json) AS "indices",
      COALESCE(reference_map.references, '[]'::json) AS "references",
      inheritance_map.parent_name AS "parentTable",
      row_to_json(columns.*) AS "informationSchemaValue"
    FROM
      information_schema.columns
      LEFT JOIN index_map ON index_map.column_name = columns.column_name
      LEFT JOIN reference_map ON reference_map.column_name = columns.column_name
      LEFT JOIN type_map ON type_map.column_name = columns.column_name
      LEFT JOIN comment_map ON comment_map.column_name = columns.column_name
      LEFT JOIN inheritance_map ON inheritance_map.parent_column_name = columns.column_name
    WHERE
      table_name = 'documents'
      AND table_schema = 'public';

select * from "information_schema"."triggers" where "event_object_table" = 'user_order_totals' and "event_object_schema" = 'public';

WITH
    reference_map AS (
      SELECT
        source_attr.attname AS "column_name",
        json_agg(json_build_object(
            'schemaName', expanded_constraint.target_schema,
            'tableName', expanded_constraint.target_table,
            'columnName', target_attr.attname,
            'onUpdate', case expanded_constraint.confupdtype
              when 'a' then 'NO ACTION'
when 'r' then 'RESTRICT'
when 'c' then 'CASCADE'
when 'n' then 'SET NULL'
when 'd' then 'SET DEFAULT'
              end,
            'onDelete', case expanded_constraint.confdeltype
              when 'a' then 'NO ACTION'
when 'r' then 'RESTRICT'
when 'c' then 'CASCADE'
when 'n' then 'SET NULL'
when 'd' then 'SET DEFAULT'
              end,
            'name', expanded_constraint.conname
            )) AS references
      FROM (
        SELECT
          unnest(conkey) AS "source_attnum",
          unnest(confkey) AS "target_attnum",
          target_namespace.nspname as "target_schema",
          target_class.relname as "target_table",
          confrelid,
          conrelid,
          conname,
          confupdtype,
          confdeltype
        FROM
          pg_constraint
          JOIN pg_class source_class ON conrelid = source_class.oid
          JOIN pg_namespace source_namespace ON source_class.relnamespace = source_namespace.oid
          JOIN pg_class target_class ON confrelid = target_class.oid
          JOIN pg_namespace target_namespace ON target_class.relnamespace = target_namespace.oid
        WHERE
          source_class.relname = 'users'
          AND source_namespace.nspname = 'public'
          AND contype = 'f') expanded_constraint
        JOIN pg_attribute target_attr ON target_attr.attrelid = expanded_constraint.confrelid
          AND target_attr.attnum = expanded_constraint.target_attnum
        JOIN pg_attribute source_attr ON source_attr.attrelid = expanded_constraint.conrelid
          AND source_attr.attnum = expanded_constraint.source_attnum
        JOIN pg_class target_class ON target_class.oid = expanded_constraint.confrelid
      WHERE
        target_class.relispartition = FALSE
      GROUP BY
        source_attr.attname
    ),
    index_map AS (
  SELECT
    a.attname AS column_name,
    bool_or(ix.indisprimary) AS is_primary,
    json_agg(json_build_object(
        'name', i.relname,
        'isPrimary', ix.indisprimary)
      ) AS indices
  FROM
    pg_class t,
    pg_class i,
    pg_index ix,
    pg_attribute a,
    pg_namespace n
  WHERE
    t.oid = ix.indrelid
    AND i.oid = ix.indexrelid
    AND a.attrelid = t.oid
    AND n.oid = t.relnamespace
    AND a.attnum = ANY (ix.indkey)
    AND t.relkind = 'r'
    AND t.relname = 'users'
    AND n.nspname = 'public'
  GROUP BY
    a.attname
    ),
    type_map AS (
select
  pg_attribute.attname as "column_name",
  typnamespace::regnamespace::text||'.'||substring(typname, (case when attndims > 0 then 2 else 1 end))::text||repeat('[]', attndims) as "expanded_name",
  attndims as "dimensions",
  json_build_object(
	  'fullName', typnamespace::regnamespace::text||'.'||substring(typname, (case when attndims > 0 then 2 else 1 end))::text,
    'kind', case
      when typtype = 'd' then 'domain'
      when typtype = 'r' then 'range'
      when typtype = 'c' then 'composite'
      when typtype = 'e' then 'enum'
      when typtype = 'b' then COALESCE((select case
        when i.typtype = 'r' then 'range'
        when i.typtype = 'd' then 'domain'
        when i.typtype = 'c' then 'composite'
        when i.typtype = 'e' then 'enum'
      end as inner_kind from pg_type i where i.oid = t.typelem), 'base')
    ELSE 'unknown'
    end
  ) as "type_info"
from pg_type t
join pg_attribute on pg_attribute.atttypid = t.oid
join pg_class on pg_attribute.attrelid = pg_class.oid
join pg_namespace on pg_class.relnamespace = pg_namespace.oid
WHERE
  pg_namespace.nspname = 'public'
  and pg_class.relname = 'users'
    ),
    comment_map AS (
  SELECT
    a.attname as "column_name",
    col_description(c.oid, a.attnum::int) as "comment"
  FROM
    pg_class c
    JOIN pg_attribute a on a.attrelid=c.oid
    JOIN pg_namespace n ON c.relnamespace = n.oid
  WHERE
    n.nspname = 'public'
    AND c.relname = 'users'
    ),
    inheritance_map AS (
   SELECT
      a.attname AS column_name,
      pa.attname as parent_column_name,
      p.relname AS parent_name
     FROM pg_class c
     JOIN pg_attribute a ON a.attrelid=c.oid
     JOIN pg_catalog.pg_inherits i ON a.attrelid=i.inhrelid
     JOIN pg_class p ON p.oid = i.inhparent
     JOIN pg_namespace p_namespace ON p.relnamespace = p_namespace.oid
     JOIN pg_attribute pa ON pa.attrelid=p.oid
     WHERE
      c.relname = 'users'
      AND p_namespace.nspname = 'public'
      AND a.attnum > 0
      AND a.attname = pa.attname
    )
    SELECT
      columns.column_name AS "name",
      type_map.expanded_name AS "expandedType",
      type_map.dimensions AS "dimensions",
      type_map.type_info AS "type",
      comment_map.comment AS "comment",
      character_maximum_length AS "maxLength",
      column_default AS "defaultValue",
      is_nullable = 'YES' AS "isNullable",
      data_type = 'ARRAY' AS "isArray",
      is_identity = 'YES' AS "isIdentity",
      is_updatable = 'YES' AS "isUpdatable",
      ordinal_position AS "ordinalPosition",
      CASE WHEN is_identity = 'YES' THEN
        identity_generation
      ELSE
        is_generated
      END AS "generated",
      COALESCE(index_map.is_primary, FALSE) AS "isPrimaryKey",
      COALESCE(index_map.indices, '[]'::json) AS "indices",
      COALESCE(reference_map.references, '[]'::json) AS "references",
      inheritance_map.parent_name AS "parentTable",
      row_to_json(columns.*) AS "informationSchemaValue"
    FROM
      information_schema.columns
      LEFT JOIN index_map ON index_map.column_name = columns.column_name
      LEFT JOIN reference_map ON reference_map.column_name = columns.column_name
      LEFT JOIN type_map ON type_map.column_name = columns.column_name
      LEFT JOIN comment_map ON comment_map.column_name = columns.column_name
      LEFT JOIN inheritance_map ON inheritance_map.parent_column_name = columns.column_name
    WHERE
      table_name = 'users'
      AND table_schema = 'public';

WITH
    reference_map AS (
      SELECT
        source_attr.attname AS "column_name",
        json_agg(json_build_object(
            'schemaName', expanded_constraint.target_schema,
            'tableName', expanded_constraint.target_table,
            'columnName', target_attr.attname,
            'onUpdate', case expanded_constraint.confupdtype
              when 'a' then 'NO ACTION'
when 'r' then 'RESTRICT'
when 'c' then 'CASCADE'
when 'n' then 'SET NULL'
when 'd' then 'SET DEFAULT'
              end,
            'onDelete', case expanded_constraint.confdeltype
              when 'a' then 'NO ACTION'
when 'r' then 'RESTRICT'
when 'c' then 'CASCADE'
when 'n' then 'SET NULL'
when 'd' then 'SET DEFAULT'
              end,
            'name', expanded_constraint.conname
            )) AS references
      FROM (
        SELECT
          unnest(conkey) AS "source_attnum",
          unnest(confkey) AS "target_attnum",
          target_namespace.nspname as "target_schema",
          target_class.relname as "target_table",
          confrelid,
          conrelid,
          conname,
          confupdtype,
          confdeltype
        FROM
          pg_constraint
          JOIN pg_class source_class ON conrelid = source_class.oid
          JOIN pg_namespace source_namespace ON source_class.relnamespace = source_namespace.oid
          JOIN pg_class target_class ON confrelid = target_class.oid
          JOIN pg_namespace target_namespace ON target_class.relnamespace = target_namespace.oid
        WHERE
          source_class.relname = 'order_items'
          AND source_namespace.nspname = 'public'
          AND contype = 'f') expanded_constraint
        JOIN pg_attribute target_attr ON target_attr.attrelid = expanded_constraint.confrelid
          AND target_attr.attnum = expanded_constraint.target_attnum
        JOIN pg_attribute source_attr ON source_attr.attrelid = expanded_constraint.conrelid
          AND source_attr.attnum = expanded_constraint.source_attnum
        JOIN pg_class target_class ON target_class.oid = expanded_constraint.confrelid
      WHERE
        target_class.relispartition = FALSE
      GROUP BY
        source_attr.attname
    ),
    index_map AS (
  SELECT
    a.attname AS column_name,
    bool_or(ix.indisprimary) AS is_primary,
    json_agg(json_build_object(
        'name', i.relname,
        'isPrimary', ix.indisprimary)
      ) AS indices
  FROM
    pg_class t,
    pg_class i,
    pg_index ix,
    pg_attribute a,
    pg_namespace n
  WHERE
    t.oid = ix.indrelid
    AND i.oid = ix.indexrelid
    AND a.attrelid = t.oid
    AND n.oid = t.relnamespace
    AND a.attnum = ANY (ix.indkey)
    AND t.relkind = 'r'
    AND t.relname = 'order_items'
    AND n.nspname = 'public'
  GROUP BY
    a.attname
    ),
    type_map AS (
select
  pg_attribute.attname as "column_name",
  typnamespace::regnamespace::text||'.'||substring(typname, (case when attndims > 0 then 2 else 1 end))::text||repeat('[]', attndims) as "expanded_name",
  attndims as "dimensions",
  json_build_object(
	  'fullName', typnamespace::regnamespace::text||'.'||substring(typname, (case when attndims > 0 then 2 else 1 end))::text,
    'kind', case
      when typtype = 'd' then 'domain'
      when typtype = 'r' then 'range'
      when typtype = 'c' then 'composite'
      when typtype = 'e' then 'enum'
      when typtype = 'b' then COALESCE((select case
        when i.typtype = 'r' then 'range'
        when i.typtype = 'd' then 'domain'
        when i.typtype = 'c' then 'composite'
        when i.typtype = 'e' then 'enum'
      end as inner_kind from pg_type i where i.oid = t.typelem), 'base')
    ELSE 'unknown'
    end
  ) as "type_info"
from pg_type t
join pg_attribute on pg_attribute.atttypid = t.oid
join pg_class on pg_attribute.attrelid = pg_class.oid
join pg_namespace on pg_class.relnamespace = pg_namespace.oid
WHERE
  pg_namespace.nspname = 'public'
  and pg_class.relname = 'order_items'
    ),
    comment_map AS (
  SELECT
    a.attname as "column_name",
    col_description(c.oid, a.attnum::int) as "comment"
  FROM
    pg_class c
    JOIN pg_attribute a on a.attrelid=c.oid
    JOIN pg_namespace n ON c.relnamespace = n.oid
  WHERE
    n.nspname = 'public'
    AND c.relname = 'order_items'
    ),
    inheritance_map AS (
   SELECT
      a.attname AS column_name,
      pa.attname as parent_column_name,
      p.relname AS parent_name
     FROM pg_class c
     JOIN pg_attribute a ON a.attrelid=c.oid
     JOIN pg_catalog.pg_inherits i ON a.attrelid=i.inhrelid
     JOIN pg_class p ON p.oid = i.inhparent
     JOIN pg_namespace p_namespace ON p.relnamespace = p_namespace.oid
     JOIN pg_attribute pa ON pa.attrelid=p.oid
     WHERE
      c.relname = 'order_items'
      AND p_namespace.nspname = 'public'
      AND a.attnum > 0
      AND a.attname = pa.attname
    )
    SELECT
      columns.column_name AS "name",
      type_map.expanded_name AS "expandedType",
      type_map.dimensions AS "dimensions",
      type_map.type_info AS "type",
      comment_map.comment AS "comment",
      character_maximum_length AS "maxLength",
      column_default AS "defaultValue",
      is_nullable = 'YES' AS "isNullable",
      data_type = 'ARRAY' AS "isArray",
      is_identity = 'YES' AS "isIdentity",
      is_updatable = 'YES' AS "isUpdatable",
      ordinal_position AS "ordinalPosition",
      CASE WHEN is_identity = 'YES' THEN
        identity_generation
      ELSE
        is_generated
      END AS "generated",
      COALESCE(index_map.is_primary, FALSE) AS "isPrimaryKey",
      COALESCE(index_map.indices, '[]'::json) AS "indices",
      COALESCE(reference_map.references, '[]'::json) AS "references",
      inheritance_map.parent_name AS "parentTable",
      row_to_json(columns.*) AS "informationSchemaValue"
    FROM
      information_schema.columns
      LEFT JOIN index_map ON index_map.column_name = columns.column_name
      LEFT JOIN reference_map ON reference_map.column_name = columns.column_name
      LEFT JOIN type_map ON type_map.column_name = columns.column_name
      LEFT JOIN comment_map ON comment_map.column_name = columns.column_name
      LEFT JOIN inheritance_map ON inheritance_map.parent_column_name = columns.column_name
    WHERE
      table_name = 'order_items'
      AND table_schema = 'public';

WITH
    reference_map AS (
      SELECT
        source_attr.attname AS "column_name",
        json_agg(json_build_object(
            'schemaName', expanded_constraint.target_schema,
            'tableName', expanded_constraint.target_table,
            'columnName', target_attr.attname,
            'onUpdate', case expanded_constraint.confupdtype
              when 'a' then 'NO ACTION'
when 'r' then 'RESTRICT'
when 'c' then 'CASCADE'
when 'n' then 'SET NULL'
when 'd' then 'SET DEFAULT'
              end,
            'onDelete', case expanded_constraint.confdeltype
              when 'a' then 'NO ACTION'
when 'r' then 'RESTRICT'
when 'c' then 'CASCADE'
when 'n' then 'SET NULL'
when 'd' then 'SET DEFAULT'
              end,
            'name', expanded_constraint.conname
            )) AS references
      FROM (
        SELECT
          unnest(conkey) AS "source_attnum",
          unnest(confkey) AS "target_attnum",
          target_namespace.nspname as "target_schema",
          target_class.relname as "target_table",
          confrelid,
          conrelid,
          conname,
          confupdtype,
          confdeltype
        FROM
          pg_constraint
          JOIN pg_class source_class ON conrelid = source_class.oid
          JOIN pg_namespace source_namespace ON source_class.relnamespace = source_namespace.oid
          JOIN pg_class target_class ON confrelid = target_class.oid
          JOIN pg_namespace target_namespace ON target_class.relnamespace = target_namespace.oid
        WHERE
          source_class.relname = 'comments'
          AND source_namespace.nspname = 'public'
          AND contype = 'f') expanded_constraint
        JOIN pg_attribute target_attr ON target_attr.attrelid = expanded_constraint.confrelid
          AND target_attr.attnum = expanded_constraint.target_attnum
        JOIN pg_attribute source_attr ON source_attr.attrelid = expanded_constraint.conrelid
          AND source_attr.attnum = expanded_constraint.source_attnum
        JOIN pg_class target_class ON target_class.oid = expanded_constraint.confrelid
      WHERE
        target_class.relispartition = FALSE
      GROUP BY
        source_attr.attname
    ),
    index_map AS (
  SELECT
    a.attname AS column_name,
    bool_or(ix.indisprimary) AS is_primary,
    json_agg(json_build_object(
        'name', i.relname,
        'isPrimary', ix.indisprimary)
      ) AS indices
  FROM
    pg_class t,
    pg_class i,
    pg_index ix,
    pg_attribute a,
    pg_namespace n
  WHERE
    t.oid = ix.indrelid
    AND i.oid = ix.indexrelid
    AND a.attrelid = t.oid
    AND n.oid = t.relnamespace
    AND a.attnum = ANY (ix.indkey)
    AND t.relkind = 'r'
    AND t.relname = 'comments'
    AND n.nspname = 'public'
  GROUP BY
    a.attname
    ),
    type_map AS (
select
  pg_attribute.attname as "column_name",
  typnamespace::regnamespace::text||'.'||substring(typname, (case when attndims > 0 then 2 else 1 end))::text||repeat('[]', attndims) as "expanded_name",
  attndims as "dimensions",
  json_build_object(
	  'fullName', typnamespace::regnamespace::text||'.'||substring(typname, (case when attndims > 0 then 2 else 1 end))::text,
    'kind', case
      when typtype = 'd' then 'domain'
      when typtype = 'r' then 'range'
      when typtype = 'c' then 'composite'
      when typtype = 'e' then 'enum'
      when typtype = 'b' then COALESCE((select case
        when i.typtype = 'r' then 'range'
        when i.typtype = 'd' then 'domain'
        when i.typtype = 'c' then 'composite'
        when i.typtype = 'e' then 'enum'
      end as inner_kind from pg_type i where i.oid = t.typelem), 'base')
    ELSE 'unknown'
    end
  ) as "type_info"
from pg_type t
join pg_attribute on pg_attribute.atttypid = t.oid
join pg_class on pg_attribute.attrelid = pg_class.oid
join pg_namespace on pg_class.relnamespace = pg_namespace.oid
WHERE
  pg_namespace.nspname = 'public'
  and pg_class.relname = 'comments'
    ),
    comment_map AS (
  SELECT
    a.attname as "column_name",
    col_description(c.oid, a.attnum::int) as "comment"
  FROM
    pg_class c
    JOIN pg_attribute a on a.attrelid=c.oid
    JOIN pg_namespace n ON c.relnamespace = n.oid
  WHERE
    n.nspname = 'public'
    AND c.relname = 'comments'
    ),
    inheritance_map AS (
   SELECT
      a.attname AS column_name,
      pa.attname as parent_column_name,
      p.relname AS parent_name
     FROM pg_class c
     JOIN pg_attribute a ON a.attrelid=c.oid
     JOIN pg_catalog.pg_inherits i ON a.attrelid=i.inhrelid
     JOIN pg_class p ON p.oid = i.inhparent
     JOIN pg_namespace p_namespace ON p.relnamespace = p_namespace.oid
     JOIN pg_attribute pa ON pa.attrelid=p.oid
     WHERE
      c.relname = 'comments'
      AND p_namespace.nspname = 'public'
      AND a.attnum > 0
      AND a.attname = pa.attname
    )
    SELECT
      columns.column_name AS "name",
      type_map.expanded_name AS "expandedType",
      type_map.dimensions AS "dimensions",
      type_map.type_info AS "type",
      comment_map.comment AS "comment",
      character_maximum_length AS "maxLength",
      column_default AS "defaultValue",
      is_nullable = 'YES' AS "isNullable",
      data_type = 'ARRAY' AS "isArray",
      is_identity = 'YES' AS "isIdentity",
      is_updatable = 'YES' AS "isUpdatable",
      ordinal_position AS "ordinalPosition",
      CASE WHEN is_identity = 'YES' THEN
        identity_generation
      ELSE
        is_generated
      END AS "generated",
      COALESCE(index_map.is_primary, FALSE) AS "isPrimaryKey",
      COALESCE(index_map.indices, '[]'::json) AS "indices",
      COALESCE(reference_map.references, '[]'::json) AS "references",
      inheritance_map.parent_name AS "parentTable",
      row_to_json(columns.*) AS "informationSchemaValue"
    FROM
      information_schema.columns
      LEFT JOIN index_map ON index_map.column_name = columns.column_name
      LEFT JOIN reference_map ON reference_map.column_name = columns.column_name
      LEFT JOIN type_map ON type_map.column_name = columns.column_name
      LEFT JOIN comment_map ON comment_map.column_name = columns.column_name
      LEFT JOIN inheritance_map ON inheritance_map.parent_column_name = columns.column_name
    WHERE
      table_name = 'comments'
      AND table_schema = 'public';

WITH
    reference_map AS (
      SELECT
        source_attr.attname AS "column_name",
        json_agg(json_build_object(
            'schemaName', expanded_constraint.target_schema,
            'tableName', expanded_constraint.target_table,
            'columnName', target_attr.attname,
            'onUpdate', case expanded_constraint.confupdtype
              when 'a' then 'NO ACTION'
when 'r' then 'RESTRICT'
when 'c' then 'CASCADE'
when 'n' then 'SET NULL'
when 'd' then 'SET DEFAULT'
              end,
            'onDelete', case expanded_constraint.confdeltype
              when 'a' then 'NO ACTION'
when 'r' then 'RESTRICT'
when 'c' then 'CASCADE'
when 'n' then 'SET NULL'
when 'd' then 'SET DEFAULT'
              end,
            'name', expanded_constraint.conname
            )) AS references
      FROM (
        SELECT
          unnest(conkey) AS "source_attnum",
          unnest(confkey) AS "target_attnum",
          target_namespace.nspname as "target_schema",
          target_class.relname as "target_table",
          confrelid,
          conrelid,
          conname,
          confupdtype,
          confdeltype
        FROM
          pg_constraint
          JOIN pg_class source_class ON conrelid = source_class.oid
          JOIN pg_namespace source_namespace ON source_class.relnamespace = source_namespace.oid
          JOIN pg_class target_class ON confrelid = target_class.oid
          JOIN pg_namespace target_namespace ON target_class.relnamespace = target_namespace.oid
        WHERE
          source_class.relname = 'audit_log'
          AND source_namespace.nspname = 'public'
          AND contype = 'f') expanded_constraint
        JOIN pg_attribute target_attr ON target_attr.attrelid = expanded_constraint.confrelid
          AND target_attr.attnum = expanded_constraint.target_attnum
        JOIN pg_attribute source_attr ON source_attr.attrelid = expanded_constraint.conrelid
          AND source_attr.attnum = expanded_constraint.source_attnum
        JOIN pg_class target_class ON target_class.oid = expanded_constraint.confrelid
      WHERE
        target_class.relispartition = FALSE
      GROUP BY
        source_attr.attname
    ),
    index_map AS (
  SELECT
    a.attname AS column_name,
    bool_or(ix.indisprimary) AS is_primary,
    json_agg(json_build_object(
        'name', i.relname,
        'isPrimary', ix.indisprimary)
      ) AS indices
  FROM
    pg_class t,
    pg_class i,
    pg_index ix,
    pg_attribute a,
    pg_namespace n
  WHERE
    t.oid = ix.indrelid
    AND i.oid = ix.indexrelid
    AND a.attrelid = t.oid
    AND n.oid = t.relnamespace
    AND a.attnum = ANY (ix.indkey)
    AND t.relkind = 'r'
    AND t.relname = 'audit_log'
    AND n.nspname = 'public'
  GROUP BY
    a.attname
    ),
    type_map AS (
select
  pg_attribute.attname as "column_name",
  typnamespace::regnamespace::text||'.'||substring(typname, (case when attndims > 0 then 2 else 1 end))::text||repeat('[]', attndims) as "expanded_name",
  attndims as "dimensions",
  json_build_object(
	  'fullName', typnamespace::regnamespace::text||'.'||substring(typname, (case when attndims > 0 then 2 else 1 end))::text,
    'kind', case
      when typtype = 'd' then 'domain'
      when typtype = 'r' then 'range'
      when typtype = 'c' then 'composite'
      when typtype = 'e' then 'enum'
      when typtype = 'b' then COALESCE((select case
        when i.typtype = 'r' then 'range'
        when i.typtype = 'd' then 'domain'
        when i.typtype = 'c' then 'composite'
        when i.typtype = 'e' then 'enum'
      end as inner_kind from pg_type i where i.oid = t.typelem), 'base')
    ELSE 'unknown'
    end
  ) as "type_info"
from pg_type t
join pg_attribute on pg_attribute.atttypid = t.oid
join pg_class on pg_attribute.attrelid = pg_class.oid
join pg_namespace on pg_class.relnamespace = pg_namespace.oid
WHERE
  pg_namespace.nspname = 'public'
  and pg_class.relname = 'audit_log'
    ),
    comment_map AS (
  SELECT
    a.attname as "column_name",
    col_description(c.oid, a.attnum::int) as "comment"
  FROM
    pg_class c
    JOIN pg_attribute a on a.attrelid=c.oid
    JOIN pg_namespace n ON c.relnamespace = n.oid
  WHERE
    n.nspname = 'public'
    AND c.relname = 'audit_log'
    ),
    inheritance_map AS (
   SELECT
      a.attname AS column_name,
      pa.attname as parent_column_name,
      p.relname AS parent_name
     FROM pg_class c
     JOIN pg_attribute a ON a.attrelid=c.oid
     JOIN pg_catalog.pg_inherits i ON a.attrelid=i.inhrelid
     JOIN pg_class p ON p.oid = i.inhparent
     JOIN pg_namespace p_namespace ON p.relnamespace = p_namespace.oid
     JOIN pg_attribute pa ON pa.attrelid=p.oid
     WHERE
      c.relname = 'audit_log'
      AND p_namespace.nspname = 'public'
      AND a.attnum > 0
      AND a.attname = pa.attname
    )
    SELECT
      columns.column_name AS "name",
      type_map.expanded_name AS "expandedType",
      type_map.dimensions AS "dimensions",
      type_map.type_info AS "type",
      comment_map.comment AS "comment",
      character_maximum_length AS "maxLength",
      column_default AS "defaultValue",
      is_nullable = 'YES' AS "isNullable",
      data_type = 'ARRAY' AS "isArray",
      is_identity = 'YES' AS "isIdentity",
      is_updatable = 'YES' AS "isUpdatable",
      ordinal_position AS "ordinalPosition",
      CASE WHEN is_identity = 'YES' THEN
        identity_generation
      ELSE
        is_generated
      END AS "generated",
      COALESCE(index_map.is_primary, FALSE) AS "isPrimaryKey",
      COALESCE(index_map.indices, '[]'::json) AS "indices",
      COALESCE(reference_map.references, '[]'::json) AS "references",
      inheritance_map.parent_name AS "parentTable",
      row_to_json(columns.*) AS "informationSchemaValue"
    FROM
      information_schema.columns
      LEFT JOIN index_map ON index_map.column_name = columns.column_name
      LEFT JOIN reference_map ON reference_map.column_name = columns.column_name
      LEFT JOIN type_map ON type_map.column_name = columns.column_name
      LEFT JOIN comment_map ON comment_map.column_name = columns.column_name
      LEFT JOIN inheritance_map ON inheritance_map.parent_column_name = columns.column_name
    WHERE
      table_name = 'audit_log'
      AND table_schema = 'public';

WITH
    reference_map AS (
      SELECT
        source_attr.attname AS "column_name",
        json_agg(json_build_object(
            'schemaName', expanded_constraint.target_schema,
            'tableName', expanded_constraint.target_table,
            'columnName', target_attr.attname,
            'onUpdate', case expanded_constraint.confupdtype
              when 'a' then 'NO ACTION'
when 'r' then 'RESTRICT'
when 'c' then 'CASCADE'
when 'n' then 'SET NULL'
when 'd' then 'SET DEFAULT'
              end,
            'onDelete', case expanded_constraint.confdeltype
              when 'a' then 'NO ACTION'
when 'r' then 'RESTRICT'
when 'c' then 'CASCADE'
when 'n' then 'SET NULL'
when 'd' then 'SET DEFAULT'
              end,
            'name', expanded_constraint.conname
            )) AS references
      FROM (
        SELECT
          unnest(conkey) AS "source_attnum",
          unnest(confkey) AS "target_attnum",
          target_namespace.nspname as "target_schema",
          target_class.relname as "target_table",
          confrelid,
          conrelid,
          conname,
          confupdtype,
          confdeltype
        FROM
          pg_constraint
          JOIN pg_class source_class ON conrelid = source_class.oid
          JOIN pg_namespace source_namespace ON source_class.relnamespace = source_namespace.oid
          JOIN pg_class target_class ON confrelid = target_class.oid
          JOIN pg_namespace target_namespace ON target_class.relnamespace = target_namespace.oid
        WHERE
          source_class.relname = 'crews'
          AND source_namespace.nspname = 'public'
          AND contype = 'f') expanded_constraint
        JOIN pg_attribute target_attr ON target_attr.attrelid = expanded_constraint.confrelid
          AND target_attr.attnum = expanded_constraint.target_attnum
        JOIN pg_attribute source_attr ON source_attr.attrelid = expanded_constraint.conrelid
          AND source_attr.attnum = expanded_constraint.source_attnum
        JOIN pg_class target_class ON target_class.oid = expanded_constraint.confrelid
      WHERE
        target_class.relispartition = FALSE
      GROUP BY
        source_attr.attname
    ),
    index_map AS (
  SELECT
    a.attname AS column_name,
    bool_or(ix.indisprimary) AS is_primary,
    json_agg(json_build_object(
        'name', i.relname,
        'isPrimary', ix.indisprimary)
      ) AS indices
  FROM
    pg_class t,
    pg_class i,
    pg_index ix,
    pg_attribute a,
    pg_namespace n
  WHERE
    t.oid = ix.indrelid
    AND i.oid = ix.indexrelid
    AND a.attrelid = t.oid
    AND n.oid = t.relnamespace
    AND a.attnum = ANY (ix.indkey)
    AND t.relkind = 'r'
    AND t.relname = 'crews'
    AND n.nspname = 'public'
  GROUP BY
    a.attname
    ),
    type_map AS (
select
  pg_attribute.attname as "column_name",
  typnamespace::regnamespace::text||'.'||substring(typname, (case when attndims > 0 then 2 else 1 end))::text||repeat('[]', attndims) as "expanded_name",
  attndims as "dimensions",
  json_build_object(
	  'fullName', typnamespace::regnamespace::text||'.'||substring(typname, (case when attndims > 0 then 2 else 1 end))::text,
    'kind', case
      when typtype = 'd' then 'domain'
      when typtype = 'r' then 'range'
      when typtype = 'c' then 'composite'
      when typtype = 'e' then 'enum'
      when typtype = 'b' then COALESCE((select case
        when i.typtype = 'r' then 'range'
        when i.typtype = 'd' then 'domain'
        when i.typtype = 'c' then 'composite'
        when i.typtype = 'e' then 'enum'
      end as inner_kind from pg_type i where i.oid = t.typelem), 'base')
    ELSE 'unknown'
    end
  ) as "type_info"
from pg_type t
join pg_attribute on pg_attribute.atttypid = t.oid
join pg_class on pg_attribute.attrelid = pg_class.oid
join pg_namespace on pg_class.relnamespace = pg_namespace.oid
WHERE
  pg_namespace.nspname = 'public'
  and pg_class.relname = 'crews'
    ),
    comment_map AS (
  SELECT
    a.attname as "column_name",
    col_description(c.oid, a.attnum::int) as "comment"
  FROM
    pg_class c
    JOIN pg_attribute a on a.attrelid=c.oid
    JOIN pg_namespace n ON c.relnamespace = n.oid
  WHERE
    n.nspname = 'public'
    AND c.relname = 'crews'
    ),
    inheritance_map AS (
   SELECT
      a.attname AS column_name,
      pa.attname as parent_column_name,
      p.relname AS parent_name
     FROM pg_class c
     JOIN pg_attribute a ON a.attrelid=c.oid
     JOIN pg_catalog.pg_inherits i ON a.attrelid=i.inhrelid
     JOIN pg_class p ON p.oid = i.inhparent
     JOIN pg_namespace p_namespace ON p.relnamespace = p_namespace.oid
     JOIN pg_attribute pa ON pa.attrelid=p.oid
     WHERE
      c.relname = 'crews'
      AND p_namespace.nspname = 'public'
      AND a.attnum > 0
      AND a.attname = pa.attname
    )
    SELECT
      columns.column_name AS "name",
      type_map.expanded_name AS "expandedType",
      type_map.dimensions AS "dimensions",
      type_map.type_info AS "type",
      comment_map.comment AS "comment",
      character_maximum_length AS "maxLength",
      column_default AS "defaultValue",
      is_nullable = 'YES' AS "isNullable",
      data_type = 'ARRAY' AS "isArray",
      is_identity = 'YES' AS "isIdentity",
      is_updatable = 'YES' AS "isUpdatable",
      ordinal_position AS "ordinalPosition",
      CASE WHEN is_identity = 'YES' THEN
        identity_generation
      ELSE
        is_generated
      END AS "generated",
      COALESCE(index_map.is_primary, FALSE) AS "isPrimaryKey",
      COALESCE(index_map.indices, '[]'::json) AS "indices",
      COALESCE(reference_map.references, '[]'::json) AS "references",
      inheritance_map.parent_name AS "parentTable",
      row_to_json(columns.*) AS "informationSchemaValue"
    FROM
      information_schema.columns
      LEFT JOIN index_map ON index_map.column_name = columns.column_name
      LEFT JOIN reference_map ON reference_map.column_name = columns.column_name
      LEFT JOIN type_map ON type_map.column_name = columns.column_name
      LEFT JOIN comment_map ON comment_map.column_name = columns.column_name
      LEFT JOIN inheritance_map ON inheritance_map.parent_column_name = columns.column_name
    WHERE
      table_name = 'crews'
      AND table_schema = 'public';

WITH
    reference_map AS (
      SELECT
        source_attr.attname AS "column_name",
        json_agg(json_build_object(
            'schemaName', expanded_constraint.target_schema,
            'tableName', expanded_constraint.target_table,
            'columnName', target_attr.attname,
            'onUpdate', case expanded_constraint.confupdtype
              when 'a' then 'NO ACTION'
when 'r' then 'RESTRICT'
when 'c' then 'CASCADE'
when 'n' then 'SET NULL'
when 'd' then 'SET DEFAULT'
              end,
            'onDelete', case expanded_constraint.confdeltype
              when 'a' then 'NO ACTION'
when 'r' then 'RESTRICT'
when 'c' then 'CASCADE'
when 'n' then 'SET NULL'
when 'd' then 'SET DEFAULT'
              end,
            'name', expanded_constraint.conname
            )) AS references
      FROM (
        SELECT
          unnest(conkey) AS "source_attnum",
          unnest(confkey) AS "target_attnum",
          target_namespace.nspname as "target_schema",
          target_class.relname as "target_table",
          confrelid,
          conrelid,
          conname,
          confupdtype,
          confdeltype
        FROM
          pg_constraint
          JOIN pg_class source_class ON conrelid = source_class.oid
          JOIN pg_namespace source_namespace ON source_class.relnamespace = source_namespace.oid
          JOIN pg_class target_class ON confrelid = target_class.oid
          JOIN pg_namespace target_namespace ON target_class.relnamespace = target_namespace.oid
        WHERE
          source_class.relname = 'orders'
          AND source_namespace.nspname = 'public'
          AND contype = 'f') expanded_constraint
        JOIN pg_attribute target_attr ON target_attr.attrelid = expanded_constraint.confrelid
          AND target_attr.attnum = expanded_constraint.target_attnum
        JOIN pg_attribute source_attr ON source_attr.attrelid = expanded_constraint.conrelid
          AND source_attr.attnum = expanded_constraint.source_attnum
        JOIN pg_class target_class ON target_class.oid = expanded_constraint.confrelid
      WHERE
        target_class.relispartition = FALSE
      GROUP BY
        source_attr.attname
    ),
    index_map AS (
  SELECT
    a.attname AS column_name,
    bool_or(ix.indisprimary) AS is_primary,
    json_agg(json_build_object(
        'name', i.relname,
        'isPrimary', ix.indisprimary)
      ) AS indices
  FROM
    pg_class t,
    pg_class i,
    pg_index ix,
    pg_attribute a,
    pg_namespace n
  WHERE
    t.oid = ix.indrelid
    AND i.oid = ix.indexrelid
    AND a.attrelid = t.oid
    AND n.oid = t.relnamespace
    AND a.attnum = ANY (ix.indkey)
    AND t.relkind = 'r'
    AND t.relname = 'orders'
    AND n.nspname = 'public'
  GROUP BY
    a.attname
    ),
    type_map AS (
select
  pg_attribute.attname as "column_name",
  typnamespace::regnamespace::text||'.'||substring(typname, (case when attndims > 0 then 2 else 1 end))::text||repeat('[]', attndims) as "expanded_name",
  attndims as "dimensions",
  json_build_object(
	  'fullName', typnamespace::regnamespace::text||'.'||substring(typname, (case when attndims > 0 then 2 else 1 end))::text,
    'kind', case
      when typtype = 'd' then 'domain'
      when typtype = 'r' then 'range'
      when typtype = 'c' then 'composite'
      when typtype = 'e' then 'enum'
      when typtype = 'b' then COALESCE((select case
        when i.typtype = 'r' then 'range'
        when i.typtype = 'd' then 'domain'
        when i.typtype = 'c' then 'composite'
        when i.typtype = 'e' then 'enum'
      end as inner_kind from pg_type i where i.oid = t.typelem), 'base')
    ELSE 'unknown'
    end
  ) as "type_info"
from pg_type t
join pg_attribute on pg_attribute.atttypid = t.oid
join pg_class on pg_attribute.attrelid = pg_class.oid
join pg_namespace on pg_class.relnamespace = pg_namespace.oid
WHERE
  pg_namespace.nspname = 'public'
  and pg_class.relname = 'orders'
    ),
    comment_map AS (
  SELECT
    a.attname as "column_name",
    col_description(c.oid, a.attnum::int) as "comment"
  FROM
    pg_class c
    JOIN pg_attribute a on a.attrelid=c.oid
    JOIN pg_namespace n ON c.relnamespace = n.oid
  WHERE
    n.nspname = 'public'
    AND c.relname = 'orders'
    ),
    inheritance_map AS (
   SELECT
      a.attname AS column_name,
      pa.attname as parent_column_name,
      p.relname AS parent_name
     FROM pg_class c
     JOIN pg_attribute a ON a.attrelid=c.oid
     JOIN pg_catalog.pg_inherits i ON a.attrelid=i.inhrelid
     JOIN pg_class p ON p.oid = i.inhparent
     JOIN pg_namespace p_namespace ON p.relnamespace = p_namespace.oid
     JOIN pg_attribute pa ON pa.attrelid=p.oid
     WHERE
      c.relname = 'orders'
      AND p_namespace.nspname = 'public'
      AND a.attnum > 0
      AND a.attname = pa.attname
    )
    SELECT
      columns.column_name AS "name",
      type_map.expanded_name AS "expandedType",
      type_map.dimensions AS "dimensions",
      type_map.type_info AS "type",
      comment_map.comment AS "comment",
      character_maximum_length AS "maxLength",
      column_default AS "defaultValue",
      is_nullable = 'YES' AS "isNullable",
      data_type = 'ARRAY' AS "isArray",
      is_identity = 'YES' AS "isIdentity",
      is_updatable = 'YES' AS "isUpdatable",
      ordinal_position AS "ordinalPosition",
      CASE WHEN is_identity = 'YES' THEN
        identity_generation
      ELSE
        is_generated
      END AS "generated",
      COALESCE(index_map.is_primary, FALSE) AS "isPrimaryKey",
      COALESCE(index_map.indices, '[]'::json) AS "indices",
      COALESCE(reference_map.references, '[]'::json) AS "references",
      inheritance_map.parent_name AS "parentTable",
      row_to_json(columns.*) AS "informationSchemaValue"
    FROM
      information_schema.columns
      LEFT JOIN index_map ON index_map.column_name = columns.column_name
      LEFT JOIN reference_map ON reference_map.column_name = columns.column_name
      LEFT JOIN type_map ON type_map.column_name = columns.column_name
      LEFT JOIN comment_map ON comment_map.column_name = columns.column_name
      LEFT JOIN inheritance_map ON inheritance_map.parent_column_name = columns.column_name
    WHERE
      table_name = 'orders'
      AND table_schema = 'public';

WITH
    reference_map AS (
      SELECT
        source_attr.attname AS "column_name",
        json_agg(json_build_object(
            'schemaName', expanded_constraint.target_schema,
            'tableName', expanded_constraint.target_table,
            'columnName', target_attr.attname,
            'onUpdate', case expanded_constraint.confupdtype
              when 'a' then 'NO ACTION'
when 'r' then 'RESTRICT'
when 'c' then 'CASCADE'
when 'n' then 'SET NULL'
when 'd' then 'SET DEFAULT'
              end,
            'onDelete', case expanded_constraint.confdeltype
              when 'a' then 'NO ACTION'
when 'r' then 'RESTRICT'
when 'c' then 'CASCADE'
when 'n' then 'SET NULL'
when 'd' then 'SET DEFAULT'
              end,
            'name', expanded_constraint.conname
            )) AS references
      FROM (
        SELECT
          unnest(conkey) AS "source_attnum",
          unnest(confkey) AS "target_attnum",
          target_namespace.nspname as "target_schema",
          target_class.relname as "target_table",
          confrelid,
          conrelid,
          conname,
          confupdtype,
          confdeltype
        FROM
          pg_constraint
          JOIN pg_class source_class ON conrelid = source_class.oid
          JOIN pg_namespace source_namespace ON source_class.relnamespace = source_namespace.oid
          JOIN pg_class target_class ON confrelid = target_class.oid
          JOIN pg_namespace target_namespace ON target_class.relnamespace = target_namespace.oid
        WHERE
          source_class.relname = 'memberships'
          AND source_namespace.nspname = 'public'
          AND contype = 'f') expanded_constraint
        JOIN pg_attribute target_attr ON target_attr.attrelid = expanded_constraint.confrelid
          AND target_attr.attnum = expanded_constraint.target_attnum
        JOIN pg_attribute source_attr ON source_attr.attrelid = expanded_constraint.conrelid
          AND source_attr.attnum = expanded_constraint.source_attnum
        JOIN pg_class target_class ON target_class.oid = expanded_constraint.confrelid
      WHERE
        target_class.relispartition = FALSE
      GROUP BY
        source_attr.attname
    ),
    index_map AS (
  SELECT
    a.attname AS column_name,
    bool_or(ix.indisprimary) AS is_primary,
    json_agg(json_build_object(
        'name', i.relname,
        'isPrimary', ix.indisprimary)
      ) AS indices
  FROM
    pg_class t,
    pg_class i,
    pg_index ix,
    pg_attribute a,
    pg_namespace n
  WHERE
    t.oid = ix.indrelid
    AND i.oid = ix.indexrelid
    AND a.attrelid = t.oid
    AND n.oid = t.relnamespace
    AND a.attnum = ANY (ix.indkey)
    AND t.relkind = 'r'
    AND t.relname = 'memberships'
    AND n.nspname = 'public'
  GROUP BY
    a.attname
    ),
    type_map AS (
select
  pg_attribute.attname as "column_name",
  typnamespace::regnamespace::text||'.'||substring(typname, (case when attndims > 0 then 2 else 1 end))::text||repeat('[]', attndims) as "expanded_name",
  attndims as "dimensions",
  json_build_object(
	  'fullName', typnamespace::regnamespace::text||'.'||substring(typname, (case when attndims > 0 then 2 else 1 end))::text,
    'kind', case
      when typtype = 'd' then 'domain'
      when typtype = 'r' then 'range'
      when typtype = 'c' then 'composite'
      when typtype = 'e' then 'enum'
      when typtype = 'b' then COALESCE((select case
        when i.typtype = 'r' then 'range'
        when i.typtype = 'd' then 'domain'
        when i.typtype = 'c' then 'composite'
        when i.typtype = 'e' then 'enum'
      end as inner_kind from pg_type i where i.oid = t.typelem), 'base')
    ELSE 'unknown'
    end
  ) as "type_info"
from pg_type t
join pg_attribute on pg_attribute.atttypid = t.oid
join pg_class on pg_attribute.attrelid = pg_class.oid
join pg_namespace on pg_class.relnamespace = pg_namespace.oid
WHERE
  pg_namespace.nspname = 'public'
  and pg_class.relname = 'memberships'
    ),
    comment_map AS (
  SELECT
    a.attname as "column_name",
    col_description(c.oid, a.attnum::int) as "comment"
  FROM
    pg_class c
    JOIN pg_attribute a on a.attrelid=c.oid
    JOIN pg_namespace n ON c.relnamespace = n.oid
  WHERE
    n.nspname = 'public'
    AND c.relname = 'memberships'
    ),
    inheritance_map AS (
   SELECT
      a.attname AS column_name,
      pa.attname as parent_column_name,
      p.relname AS parent_name
     FROM pg_class c
     JOIN pg_attribute a ON a.attrelid=c.oid
     JOIN pg_catalog.pg_inherits i ON a.attrelid=i.inhrelid
     JOIN pg_class p ON p.oid = i.inhparent
     JOIN pg_namespace p_namespace ON p.relnamespace = p_namespace.oid
     JOIN pg_attribute pa ON pa.attrelid=p.oid
     WHERE
      c.relname = 'memberships'
      AND p_namespace.nspname = 'public'
      AND a.attnum > 0
      AND a.attname = pa.attname
    )
    SELECT
      columns.column_name AS "name",
      type_map.expanded_name AS "expandedType",
      type_map.dimensions AS "dimensions",
      type_map.type_info AS "type",
      comment_map.comment AS "comment",
      character_maximum_length AS "maxLength",
      column_default AS "defaultValue",
      is_nullable = 'YES' AS "isNullable",
      data_type = 'ARRAY' AS "isArray",
      is_identity = 'YES' AS "isIdentity",
      is_updatable = 'YES' AS "isUpdatable",
      ordinal_position AS "ordinalPosition",
      CASE WHEN is_identity = 'YES' THEN
        identity_generation
      ELSE
        is_generated
      END AS "generated",
      COALESCE(index_map.is_primary, FALSE) AS "isPrimaryKey",
      COALESCE(index_map.indices, '[]'::json) AS "indices",
      COALESCE(reference_map.references, '[]'::json) AS "references",
      inheritance_map.parent_name AS "parentTable",
      row_to_json(columns.*) AS "informationSchemaValue"
    FROM
      information_schema.columns
      LEFT JOIN index_map ON index_map.column_name = columns.column_name
      LEFT JOIN reference_map ON reference_map.column_name = columns.column_name
      LEFT JOIN type_map ON type_map.column_name = columns.column_name
      LEFT JOIN comment_map ON comment_map.column_name = columns.column_name
      LEFT JOIN inheritance_map ON inheritance_map.parent_column_name = columns.column_name
    WHERE
      table_name = 'memberships'
      AND table_schema = 'public';

WITH
    reference_map AS (
      SELECT
        source_attr.attname AS "column_name",
        json_agg(json_build_object(
            'schemaName', expanded_constraint.target_schema,
            'tableName', expanded_constraint.target_table,
            'columnName', target_attr.attname,
            'onUpdate', case expanded_constraint.confupdtype
              when 'a' then 'NO ACTION'
when 'r' then 'RESTRICT'
when 'c' then 'CASCADE'
when 'n' then 'SET NULL'
when 'd' then 'SET DEFAULT'
              end,
            'onDelete', case expanded_constraint.confdeltype
              when 'a' then 'NO ACTION'
when 'r' then 'RESTRICT'
when 'c' then 'CASCADE'
when 'n' then 'SET NULL'
when 'd' then 'SET DEFAULT'
              end,
            'name', expanded_constraint.conname
            )) AS references
      FROM (
        SELECT
          unnest(conkey) AS "source_attnum",
          unnest(confkey) AS "target_attnum",
          target_namespace.nspname as "target_schema",
          target_class.relname as "target_table",
          confrelid,
          conrelid,
          conname,
          confupdtype,
          confdeltype
        FROM
          pg_constraint
          JOIN pg_class source_class ON conrelid = source_class.oid
          JOIN pg_namespace source_namespace ON source_class.relnamespace = source_namespace.oid
          JOIN pg_class target_class ON confrelid = target_class.oid
          JOIN pg_namespace target_namespace ON target_class.relnamespace = target_namespace.oid
        WHERE
          source_class.relname = 'makes'
          AND source_namespace.nspname = 'public'
          AND contype = 'f') expanded_constraint
        JOIN pg_attribute target_attr ON target_attr.attrelid = expanded_constraint.confrelid
          AND target_attr.attnum = expanded_constraint.target_attnum
        JOIN pg_attribute source_attr ON source_attr.attrelid = expanded_constraint.conrelid
          AND source_attr.attnum = expanded_constraint.source_attnum
        JOIN pg_class target_class ON target_class.oid = expanded_constraint.confrelid
      WHERE
        target_class.relispartition = FALSE
      GROUP BY
        source_attr.attname
    ),
    index_map AS (
  SELECT
    a.attname AS column_name,
    bool_or(ix.indisprimary) AS is_primary,
    json_agg(json_build_object(
        'name', i.relname,
        'isPrimary', ix.indisprimary)
      ) AS indices
  FROM
    pg_class t,
    pg_class i,
    pg_index ix,
    pg_attribute a,
    pg_namespace n
  WHERE
    t.oid = ix.indrelid
    AND i.oid = ix.indexrelid
    AND a.attrelid = t.oid
    AND n.oid = t.relnamespace
    AND a.attnum = ANY (ix.indkey)
    AND t.relkind = 'r'
    AND t.relname = 'makes'
    AND n.nspname = 'public'
  GROUP BY
    a.attname
    ),
    type_map AS (
select
  pg_attribute.attname as "column_name",
  typnamespace::regnamespace::text||'.'||substring(typname, (case when attndims > 0 then 2 else 1 end))::text||repeat('[]', attndims) as "expanded_name",
  attndims as "dimensions",
  json_build_object(
	  'fullName', typnamespace::regnamespace::text||'.'||substring(typname, (case when attndims > 0 then 2 else 1 end))::text,
    'kind', case
      when typtype = 'd' then 'domain'
      when typtype = 'r' then 'range'
      when typtype = 'c' then 'composite'
      when typtype = 'e' then 'enum'
      when typtype = 'b' then COALESCE((select case
        when i.typtype = 'r' then 'range'
        when i.typtype = 'd' then 'domain'
        when i.typtype = 'c' then 'composite'
        when i.typtype = 'e' then 'enum'
      end as inner_kind from pg_type i where i.oid = t.typelem), 'base')
    ELSE 'unknown'
    end
  ) as "type_info"
from pg_type t
join pg_attribute on pg_attribute.atttypid = t.oid
join pg_class on pg_attribute.attrelid = pg_class.oid
join pg_namespace on pg_class.relnamespace = pg_namespace.oid
WHERE
  pg_namespace.nspname = 'public'
  and pg_class.relname = 'makes'
    ),
    comment_map AS (
  SELECT
    a.attname as "column_name",
    col_description(c.oid, a.attnum::int) as "comment"
  FROM
    pg_class c
    JOIN pg_attribute a on a.attrelid=c.oid
    JOIN pg_namespace n ON c.relnamespace = n.oid
  WHERE
    n.nspname = 'public'
    AND c.relname = 'makes'
    ),
    inheritance_map AS (
   SELECT
      a.attname AS column_name,
      pa.attname as parent_column_name,
      p.relname AS parent_name
     FROM pg_class c
     JOIN pg_attribute a ON a.attrelid=c.oid
     JOIN pg_catalog.pg_inherits i ON a.attrelid=i.inhrelid
     JOIN pg_class p ON p.oid = i.inhparent
     JOIN pg_namespace p_namespace ON p.relnamespace = p_namespace.oid
     JOIN pg_attribute pa ON pa.attrelid=p.oid
     WHERE
      c.relname = 'makes'
      AND p_namespace.nspname = 'public'
      AND a.attnum > 0
      AND a.attname = pa.attname
    )
    SELECT
      columns.column_name AS "name",
      type_map.expanded_name AS "expandedType",
      type_map.dimensions AS "dimensions",
      type_map.type_info AS "type",
      comment_map.comment AS "comment",
      character_maximum_length AS "maxLength",
      column_default AS "defaultValue",
      is_nullable = 'YES' AS "isNullable",
      data_type = 'ARRAY' AS "isArray",
      is_identity = 'YES' AS "isIdentity",
      is_updatable = 'YES' AS "isUpdatable",
      ordinal_position AS "ordinalPosition",
      CASE WHEN is_identity = 'YES' THEN
        identity_generation
      ELSE
        is_generated
      END AS "generated",
      COALESCE(index_map.is_primary, FALSE) AS "isPrimaryKey",
      COALESCE(index_map.indices, '[]'::json) AS "indices",
      COALESCE(reference_map.references, '[]'::json) AS "references",
      inheritance_map.parent_name AS "parentTable",
      row_to_json(columns.*) AS "informationSchemaValue"
    FROM
      information_schema.columns
      LEFT JOIN index_map ON index_map.column_name = columns.column_name
      LEFT JOIN reference_map ON reference_map.column_name = columns.column_name
      LEFT JOIN type_map ON type_map.column_name = columns.column_name
      LEFT JOIN comment_map ON comment_map.column_name = columns.column_name
      LEFT JOIN inheritance_map ON inheritance_map.parent_column_name = columns.column_name
    WHERE
      table_name = 'makes'
      AND table_schema = 'public';

WITH
    reference_map AS (
      SELECT
        source_attr.attname AS "column_name",
        json_agg(json_build_object(
            'schemaName', expanded_constraint.target_schema,
            'tableName', expanded_constraint.target_table,
            'columnName', target_attr.attname,
            'onUpdate', case expanded_constraint.confupdtype
              when 'a' then 'NO ACTION'
when 'r' then 'RESTRICT'
when 'c' then 'CASCADE'
when 'n' then 'SET NULL'
when 'd' then 'SET DEFAULT'
              end,
            'onDelete', case expanded_constraint.confdeltype
              when 'a' then 'NO ACTION'
when 'r' then 'RESTRICT'
when 'c' then 'CASCADE'
when 'n' then 'SET NULL'
when 'd' then 'SET DEFAULT'
              end,
            'name', expanded_constraint.conname
            )) AS references
      FROM (
        SELECT
          unnest(conkey) AS "source_attnum",
          unnest(confkey) AS "target_attnum",
          target_namespace.nspname as "target_schema",
          target_class.relname as "target_table",
          confrelid,
          conrelid,
          conname,
          confupdtype,
          confdeltype
        FROM
          pg_constraint
          JOIN pg_class source_class ON conrelid = source_class.oid
          JOIN pg_namespace source_namespace ON source_class.relnamespace = source_namespace.oid
          JOIN pg_class target_class ON confrelid = target_class.oid
          JOIN pg_namespace target_namespace ON target_class.relnamespace = target_namespace.oid
        WHERE
          source_class.relname = 'tags'
          AND source_namespace.nspname = 'public'
          AND contype = 'f') expanded_constraint
        JOIN pg_attribute target_attr ON target_attr.attrelid = expanded_constraint.confrelid
          AND target_attr.attnum = expanded_constraint.target_attnum
        JOIN pg_attribute source_attr ON source_attr.attrelid = expanded_constraint.conrelid
          AND source_attr.attnum = expanded_constraint.source_attnum
        JOIN pg_class target_class ON target_class.oid = expanded_constraint.confrelid
      WHERE
        target_class.relispartition = FALSE
      GROUP BY
        source_attr.attname
    ),
    index_map AS (
  SELECT
    a.attname AS column_name,
    bool_or(ix.indisprimary) AS is_primary,
    json_agg(json_build_object(
        'name', i.relname,
        'isPrimary', ix.indisprimary)
      ) AS indices
  FROM
    pg_class t,
    pg_class i,
    pg_index ix,
    pg_attribute a,
    pg_namespace n
  WHERE
    t.oid = ix.indrelid
    AND i.oid = ix.indexrelid
    AND a.attrelid = t.oid
    AND n.oid = t.relnamespace
    AND a.attnum = ANY (ix.indkey)
    AND t.relkind = 'r'
    AND t.relname = 'tags'
    AND n.nspname = 'public'
  GROUP BY
    a.attname
    ),
    type_map AS (
select
  pg_attribute.attname as "column_name",
  typnamespace::regnamespace::text||'.'||substring(typname, (case when attndims > 0 then 2 else 1 end))::text||repeat('[]', attndims) as "expanded_name",
  attndims as "dimensions",
  json_build_object(
	  'fullName', typnamespace::regnamespace::text||'.'||substring(typname, (case when attndims > 0 then 2 else 1 end))::text,
    'kind', case
      when typtype = 'd' then 'domain'
      when typtype = 'r' then 'range'
      when typtype = 'c' then 'composite'
      when typtype = 'e' then 'enum'
      when typtype = 'b' then COALESCE((select case
        when i.typtype = 'r' then 'range'
        when i.typtype = 'd' then 'domain'
        when i.typtype = 'c' then 'composite'
        when i.typtype = 'e' then 'enum'
      end as inner_kind from pg_type i where i.oid = t.typelem), 'base')
    ELSE 'unknown'
    end
  ) as "type_info"
from pg_type t
join pg_attribute on pg_attribute.atttypid = t.oid
join pg_class on pg_attribute.attrelid = pg_class.oid
join pg_namespace on pg_class.relnamespace = pg_namespace.oid
WHERE
  pg_namespace.nspname = 'public'
  and pg_class.relname = 'tags'
    ),
    comment_map AS (
  SELECT
    a.attname as "column_name",
    col_description(c.oid, a.attnum::int) as "comment"
  FROM
    pg_class c
    JOIN pg_attribute a on a.attrelid=c.oid
    JOIN pg_namespace n ON c.relnamespace = n.oid
  WHERE
    n.nspname = 'public'
    AND c.relname = 'tags'
    ),
    inheritance_map AS (
   SELECT
      a.attname AS column_name,
      pa.attname as parent_column_name,
      p.relname AS parent_name
     FROM pg_class c
     JOIN pg_attribute a ON a.attrelid=c.oid
     JOIN pg_catalog.pg_inherits i ON a.attrelid=i.inhrelid
     JOIN pg_class p ON p.oid = i.inhparent
     JOIN pg_namespace p_namespace ON p.relnamespace = p_namespace.oid
     JOIN pg_attribute pa ON pa.attrelid=p.oid
     WHERE
      c.relname = 'tags'
      AND p_namespace.nspname = 'public'
      AND a.attnum > 0
      AND a.attname = pa.attname
    )
    SELECT
      columns.column_name AS "name",
      type_map.expanded_name AS "expandedType",
      type_map.dimensions AS "dimensions",
      type_map.type_info AS "type",
      comment_map.comment AS "comment",
      character_maximum_length AS "maxLength",
      column_default AS "defaultValue",
      is_nullable = 'YES' AS "isNullable",
      data_type = 'ARRAY' AS "isArray",
      is_identity = 'YES' AS "isIdentity",
      is_updatable = 'YES' AS "isUpdatable",
      ordinal_position AS "ordinalPosition",
      CASE WHEN is_identity = 'YES' THEN
        identity_generation
      ELSE
        is_generated
      END AS "generated",
      COALESCE(index_map.is_primary, FALSE) AS "isPrimaryKey",
      COALESCE(index_map.indices, '[]'::json) AS "indices",
      COALESCE(reference_map.references, '[]'::json) AS "references",
      inheritance_map.parent_name AS "parentTable",
      row_to_json(columns.*) AS "informationSchemaValue"
    FROM
      information_schema.columns
      LEFT JOIN index_map ON index_map.column_name = columns.column_name
      LEFT JOIN reference_map ON reference_map.column_name = columns.column_name
      LEFT JOIN type_map ON type_map.column_name = columns.column_name
      LEFT JOIN comment_map ON comment_map.column_name = columns.column_name
      LEFT JOIN inheritance_map ON inheritance_map.parent_column_name = columns.column_name
    WHERE
      table_name = 'tags'
      AND table_schema = 'public';

WITH
    reference_map AS (
      SELECT
        source_attr.attname AS "column_name",
        json_agg(json_build_object(
            'schemaName', expanded_constraint.target_schema,
            'tableName', expanded_constraint.target_table,
            'columnName', target_attr.attname,
            'onUpdate', case expanded_constraint.confupdtype
              when 'a' then 'NO ACTION'
when 'r' then 'RESTRICT'
when 'c' then 'CASCADE'
when 'n' then 'SET NULL'
when 'd' then 'SET DEFAULT'
              end,
            'onDelete', case expanded_constraint.confdeltype
              when 'a' then 'NO ACTION'
when 'r' then 'RESTRICT'
when 'c' then 'CASCADE'
when 'n' then 'SET NULL'
when 'd' then 'SET DEFAULT'
              end,
            'name', expanded_constraint.conname
            )) AS references
      FROM (
        SELECT
          unnest(conkey) AS "source_attnum",
          unnest(confkey) AS "target_attnum",
          target_namespace.nspname as "target_schema",
          target_class.relname as "target_table",
          confrelid,
          conrelid,
          conname,
          confupdtype,
          confdeltype
        FROM
          pg_constraint
          JOIN pg_class source_class ON conrelid = source_class.oid
          JOIN pg_namespace source_namespace ON source_class.relnamespace = source_namespace.oid
          JOIN pg_class target_class ON confrelid = target_class.oid
          JOIN pg_namespace target_namespace ON target_class.relnamespace = target_namespace.oid
        WHERE
          source_class.relname = 'visits'
          AND source_namespace.nspname = 'public'
          AND contype = 'f') expanded_constraint
        JOIN pg_attribute target_attr ON target_attr.attrelid = expanded_constraint.confrelid
          AND target_attr.attnum = expanded_constraint.target_attnum
        JOIN pg_attribute source_attr ON source_attr.attrelid = expanded_constraint.conrelid
          AND source_attr.attnum = expanded_constraint.source_attnum
        JOIN pg_class target_class ON target_class.oid = expanded_constraint.confrelid
      WHERE
        target_class.relispartition = FALSE
      GROUP BY
        source_attr.attname
    ),
    index_map AS (
  SELECT
    a.attname AS column_name,
    bool_or(ix.indisprimary) AS is_primary,
    json_agg(json_build_object(
        'name', i.relname,
        'isPrimary', ix.indisprimary)
      ) AS indices
  FROM
    pg_class t,
    pg_class i,
    pg_index ix,
    pg_attribute a,
    pg_namespace n
  WHERE
    t.oid = ix.indrelid
    AND i.oid = ix.indexrelid
    AND a.attrelid = t.oid
    AND n.oid = t.relnamespace
    AND a.attnum = ANY (ix.indkey)
    AND t.relkind = 'r'
    AND t.relname = 'visits'
    AND n.nspname = 'public'
  GROUP BY
    a.attname
    ),
    type_map AS (
select
  pg_attribute.attname as "column_name",
  typnamespace::regnamespace::text||'.'||substring(typname, (case when attndims > 0 then 2 else 1 end))::text||repeat('[]', attndims) as "expanded_name",
  attndims as "dimensions",
  json_build_object(
	  'fullName', typnamespace::regnamespace::text||'.'||substring(typname, (case when attndims > 0 then 2 else 1 end))::text,
    'kind', case
      when typtype = 'd' then 'domain'
      when typtype = 'r' then 'range'
      when typtype = 'c' then 'composite'
      when typtype = 'e' then 'enum'
      when typtype = 'b' then COALESCE((select case
        when i.typtype = 'r' then 'range'
        when i.typtype = 'd' then 'domain'
        when i.typtype = 'c' then 'composite'
        when i.typtype = 'e' then 'enum'
      end as inner_kind from pg_type i where i.oid = t.typelem), 'base')
    ELSE 'unknown'
    end
  ) as "type_info"
from pg_type t
join pg_attribute on pg_attribute.atttypid = t.oid
join pg_class on pg_attribute.attrelid = pg_class.oid
join pg_namespace on pg_class.relnamespace = pg_namespace.oid
WHERE
  pg_namespace.nspname = 'public'
  and pg_class.relname = 'visits'
    ),
    comment_map AS (
  SELECT
    a.attname as "column_name",
    col_description(c.oid, a.attnum::int) as "comment"
  FROM
    pg_class c
    JOIN pg_attribute a on a.attrelid=c.oid
    JOIN pg_namespace n ON c.relnamespace = n.oid
  WHERE
    n.nspname = 'public'
    AND c.relname = 'visits'
    ),
    inheritance_map AS (
   SELECT
      a.attname AS column_name,
      pa.attname as parent_column_name,
      p.relname AS parent_name
     FROM pg_class c
     JOIN pg_attribute a ON a.attrelid=c.oid
     JOIN pg_catalog.pg_inherits i ON a.attrelid=i.inhrelid
     JOIN pg_class p ON p.oid = i.inhparent
     JOIN pg_namespace p_namespace ON p.relnamespace = p_namespace.oid
     JOIN pg_attribute pa ON pa.attrelid=p.oid
     WHERE
      c.relname = 'visits'
      AND p_namespace.nspname = 'public'
      AND a.attnum > 0
      AND a.attname = pa.attname
    )
    SELECT
      columns.column_name AS "name",
      type_map.expanded_name AS "expandedType",
      type_map.dimensions AS "dimensions",
      type_map.type_info AS "type",
      comment_map.comment AS "comment",
      character_maximum_length AS "maxLength",
      column_default AS "defaultValue",
      is_nullable = 'YES' AS "isNullable",
      data_type = 'ARRAY' AS "isArray",
      is_identity = 'YES' AS "isIdentity",
      is_updatable = 'YES' AS "isUpdatable",
      ordinal_position AS "ordinalPosition",
      CASE WHEN is_identity = 'YES' THEN
        identity_generation
      ELSE
        is_generated
      END AS "generated",
      COALESCE(index_map.is_primary, FALSE) AS "isPrimaryKey",
      COALESCE(index_map.indices, '[]'::json) AS "indices",
      COALESCE(reference_map.references, '[]'::json) AS "references",
      inheritance_map.parent_name AS "parentTable",
      row_to_json(columns.*) AS "informationSchemaValue"
    FROM
      information_schema.columns
      LEFT JOIN index_map ON index_map.column_name = columns.column_name
      LEFT JOIN reference_map ON reference_map.column_name = columns.column_name
      LEFT JOIN type_map ON type_map.column_name = columns.column_name
      LEFT JOIN comment_map ON comment_map.column_name = columns.column_name
      LEFT JOIN inheritance_map ON inheritance_map.parent_column_name = columns.column_name
    WHERE
      table_name = 'visits'
      AND table_schema = 'public';

WITH
    reference_map AS (
      SELECT
        source_attr.attname AS "column_name",
        json_agg(json_build_object(
            'schemaName', expanded_constraint.target_schema,
            'tableName', expanded_constraint.target_table,
            'columnName', target_attr.attname,
            'onUpdate', case expanded_constraint.confupdtype
              when 'a' then 'NO ACTION'
when 'r' then 'RESTRICT'
when 'c' then 'CASCADE'
when 'n' then 'SET NULL'
when 'd' then 'SET DEFAULT'
              end,
            'onDelete', case expanded_constraint.confdeltype
              when 'a' then 'NO ACTION'
when 'r' then 'RESTRICT'
when 'c' then 'CASCADE'
when 'n' then 'SET NULL'
when 'd' then 'SET DEFAULT'
              end,
            'name', expanded_constraint.conname
            )) AS references
      FROM (
        SELECT
          unnest(conkey) AS "source_attnum",
          unnest(confkey) AS "target_attnum",
          target_namespace.nspname as "target_schema",
          target_class.relname as "target_table",
          confrelid,
          conrelid,
          conname,
          confupdtype,
          confdeltype
        FROM
          pg_constraint
          JOIN pg_class source_class ON conrelid = source_class.oid
          JOIN pg_namespace source_namespace ON source_class.relnamespace = source_namespace.oid
          JOIN pg_class target_class ON confrelid = target_class.oid
          JOIN pg_namespace target_namespace ON target_class.relnamespace = target_namespace.oid
        WHERE
          source_class.relname = 'placed'
          AND source_namespace.nspname = 'public'
          AND contype = 'f') expanded_constraint
        JOIN pg_attribute target_attr ON target_attr.attrelid = expanded_constraint.confrelid
          AND target_attr.attnum = expanded_constraint.target_attnum
        JOIN pg_attribute source_attr ON source_attr.attrelid = expanded_constraint.conrelid
          AND source_attr.attnum = expanded_constraint.source_attnum
        JOIN pg_class target_class ON target_class.oid = expanded_constraint.confrelid
      WHERE
        target_class.relispartition = FALSE
      GROUP BY
        source_attr.attname
    ),
    index_map AS (
  SELECT
    a.attname AS column_name,
    bool_or(ix.indisprimary) AS is_primary,
    json_agg(json_build_object(
        'name', i.relname,
        'isPrimary', ix.indisprimary)
      ) AS indices
  FROM
    pg_class t,
    pg_class i,
    pg_index ix,
    pg_attribute a,
    pg_namespace n
  WHERE
    t.oid = ix.indrelid
    AND i.oid = ix.indexrelid
    AND a.attrelid = t.oid
    AND n.oid = t.relnamespace
    AND a.attnum = ANY (ix.indkey)
    AND t.relkind = 'r'
    AND t.relname = 'placed'
    AND n.nspname = 'public'
  GROUP BY
    a.attname
    ),
    type_map AS (
select
  pg_attribute.attname as "column_name",
  typnamespace::regnamespace::text||'.'||substring(typname, (case when attndims > 0 then 2 else 1 end))::text||repeat('[]', attndims) as "expanded_name",
  attndims as "dimensions",
  json_build_object(
	  'fullName', typnamespace::regnamespace::text||'.'||substring(typname, (case when attndims > 0 then 2 else 1 end))::text,
    'kind', case
      when typtype = 'd' then 'domain'
      when typtype = 'r' then 'range'
      when typtype = 'c' then 'composite'
      when typtype = 'e' then 'enum'
      when typtype = 'b' then COALESCE((select case
        when i.typtype = 'r' then 'range'
        when i.typtype = 'd' then 'domain'
        when i.typtype = 'c' then 'composite'
        when i.typtype = 'e' then 'enum'
      end as inner_kind from pg_type i where i.oid = t.typelem), 'base')
    ELSE 'unknown'
    end
  ) as "type_info"
from pg_type t
join pg_attribute on pg_attribute.atttypid = t.oid
join pg_class on pg_attribute.attrelid = pg_class.oid
join pg_namespace on pg_class.relnamespace = pg_namespace.oid
WHERE
  pg_namespace.nspname = 'public'
  and pg_class.relname = 'placed'
    ),
    comment_map AS (
  SELECT
    a.attname as "column_name",
    col_description(c.oid, a.attnum::int) as "comment"
  FROM
    pg_class c
    JOIN pg_attribute a on a.attrelid=c.oid
    JOIN pg_namespace n ON c.relnamespace = n.oid
  WHERE
    n.nspname = 'public'
    AND c.relname = 'placed'
    ),
    inheritance_map AS (
   SELECT
      a.attname AS column_name,
      pa.attname as parent_column_name,
      p.relname AS parent_name
     FROM pg_class c
     JOIN pg_attribute a ON a.attrelid=c.oid
     JOIN pg_catalog.pg_inherits i ON a.attrelid=i.inhrelid
     JOIN pg_class p ON p.oid = i.inhparent
     JOIN pg_namespace p_namespace ON p.relnamespace = p_namespace.oid
     JOIN pg_attribute pa ON pa.attrelid=p.oid
     WHERE
      c.relname = 'placed'
      AND p_namespace.nspname = 'public'
      AND a.attnum > 0
      AND a.attname = pa.attname
    )
    SELECT
      columns.column_name AS "name",
      type_map.expanded_name AS "expandedType",
      type_map.dimensions AS "dimensions",
      type_map.type_info AS "type",
      comment_map.comment AS "comment",
      character_maximum_length AS "maxLength",
      column_default AS "defaultValue",
      is_nullable = 'YES' AS "isNullable",
      data_type = 'ARRAY' AS "isArray",
      is_identity = 'YES' AS "isIdentity",
      is_updatable = 'YES' AS "isUpdatable",
      ordinal_position AS "ordinalPosition",
      CASE WHEN is_identity = 'YES' THEN
        identity_generation
      ELSE
        is_generated
      END AS "generated",
      COALESCE(index_map.is_primary, FALSE) AS "isPrimaryKey",
      COALESCE(index_map.indices, '[]'::json) AS "indices",
      COALESCE(reference_map.references, '[]'::json) AS "references",
      inheritance_map.parent_name AS "parentTable",
      row_to_json(columns.*) AS "informationSchemaValue"
    FROM
      information_schema.columns
      LEFT JOIN index_map ON index_map.column_name = columns.column_name
      LEFT JOIN reference_map ON reference_map.column_name = columns.column_name
      LEFT JOIN type_map ON type_map.column_name = columns.column_name
      LEFT JOIN comment_map ON comment_map.column_name = columns.column_name
      LEFT JOIN inheritance_map ON inheritance_map.parent_column_name = columns.column_name
    WHERE
      table_name = 'placed'
      AND table_schema = 'public';

SELECT
      p.proname,
      p.prorettype::regtype::text AS return_type,
      l.lanname AS language,
      p.prosrc AS definition,
      p.proisstrict AS is_strict,
      p.prosecdef AS is_security_definer,
      p.proleakproof AS is_leak_proof,
      p.proretset AS returns_set,
      p.provolatile,
      p.proparallel,
      p.procost AS estimated_cost,
      CASE WHEN p.proretset THEN p.prorows ELSE NULL END AS estimated_rows,
      d.description AS comment,
      p.proargmodes,
      p.proargnames,
      array_to_string(COALESCE(p.proallargtypes::regtype[], p.proargtypes::regtype[]), ',') AS arg_types,
      p.pronargdefaults,
      pg_get_function_arguments(p.oid) AS arg_list,
      pg_get_function_identity_arguments(p.oid) AS identity_args,
      pg_get_function_result(p.oid) as full_return_type
    FROM pg_proc p
    LEFT JOIN pg_namespace n ON n.oid = p.pronamespace
    LEFT JOIN pg_description d ON d.objoid = p.oid
    LEFT JOIN pg_language l ON l.oid = p.prolang
    WHERE n.nspname = 'public' AND p.proname = 'user_email';

WITH
    reference_map AS (
      SELECT
        source_attr.attname AS "column_name",
        json_agg(json_build_object(
            'schemaName', expanded_constraint.target_schema,
            'tableName', expanded_constraint.target_table,
            'columnName', target_attr.attname,
            'onUpdate', case expanded_constraint.confupdtype
              when 'a' then 'NO ACTION'
when 'r' then 'RESTRICT'
when 'c' then 'CASCADE'
when 'n' then 'SET NULL'
when 'd' then 'SET DEFAULT'
              end,
            'onDelete', case expanded_constraint.confdeltype
              when 'a' then 'NO ACTION'
when 'r' then 'RESTRICT'
when 'c' then 'CASCADE'
when 'n' then 'SET NULL'
when 'd' then 'SET DEFAULT'
              end,
            'name', expanded_constraint.conname
            )) AS references
      FROM (
        SELECT
          unnest(conkey) AS "source_attnum",
          unnest(confkey) AS "target_attnum",
          target_namespace.nspname as "target_schema",
          target_class.relname as "target_table",
          confrelid,
          conrelid,
          conname,
          confupdtype,
          confdeltype
        FROM
          pg_constraint
          JOIN pg_class source_class ON conrelid = source_class.oid
          JOIN pg_namespace source_namespace ON source_class.relnamespace = source_namespace.oid
          JOIN pg_class target_class ON confrelid = target_class.oid
          JOIN pg_namespace target_namespace ON target_class.relnamespace = target_namespace.oid
        WHERE
          source_class.relname = 'teams'
          AND source_namespace.nspname = 'public'
          AND contype = 'f') expanded_constraint
        JOIN pg_attribute target_attr ON target_attr.attrelid = expanded_constraint.confrelid
          AND target_attr.attnum = expanded_constraint.target_attnum
        JOIN pg_attribute source_attr ON source_attr.attrelid = expanded_constraint.conrelid
          AND source_attr.attnum = expanded_constraint.source_attnum
        JOIN pg_class target_class ON target_class.oid = expanded_constraint.confrelid
      WHERE
        target_class.relispartition = FALSE
      GROUP BY
        source_attr.attname
    ),
    index_map AS (
  SELECT
    a.attname AS column_name,
    bool_or(ix.indisprimary) AS is_primary,
    json_agg(json_build_object(
        'name', i.relname,
        'isPrimary', ix.indisprimary)
      ) AS indices
  FROM
    pg_class t,
    pg_class i,
    pg_index ix,
    pg_attribute a,
    pg_namespace n
  WHERE
    t.oid = ix.indrelid
    AND i.oid = ix.indexrelid
    AND a.attrelid = t.oid
    AND n.oid = t.relnamespace
    AND a.attnum = ANY (ix.indkey)
    AND t.relkind = 'r'
    AND t.relname = 'teams'
    AND n.nspname = 'public'
  GROUP BY
    a.attname
    ),
    type_map AS (
select
  pg_attribute.attname as "column_name",
  typnamespace::regnamespace::text||'.'||substring(typname, (case when attndims > 0 then 2 else 1 end))::text||repeat('[]', attndims) as "expanded_name",
  attndims as "dimensions",
  json_build_object(
	  'fullName', typnamespace::regnamespace::text||'.'||substring(typname, (case when attndims > 0 then 2 else 1 end))::text,
    'kind', case
      when typtype = 'd' then 'domain'
      when typtype = 'r' then 'range'
      when typtype = 'c' then 'composite'
      when typtype = 'e' then 'enum'
      when typtype = 'b' then COALESCE((select case
        when i.typtype = 'r' then 'range'
        when i.typtype = 'd' then 'domain'
        when i.typtype = 'c' then 'composite'
        when i.typtype = 'e' then 'enum'
      end as inner_kind from pg_type i where i.oid = t.typelem), 'base')
    ELSE 'unknown'
    end
  ) as "type_info"
from pg_type t
join pg_attribute on pg_attribute.atttypid = t.oid
join pg_class on pg_attribute.attrelid = pg_class.oid
join pg_namespace on pg_class.relnamespace = pg_namespace.oid
WHERE
  pg_namespace.nspname = 'public'
  and pg_class.relname = 'teams'
    ),
    comment_map AS (
  SELECT
    a.attname as "column_name",
    col_description(c.oid, a.attnum::int) as "comment"
  FROM
    pg_class c
    JOIN pg_attribute a on a.attrelid=c.oid
    JOIN pg_namespace n ON c.relnamespace = n.oid
  WHERE
    n.nspname = 'public'
    AND c.relname = 'teams'
    ),
    inheritance_map AS (
   SELECT
      a.attname AS column_name,
      pa.attname as parent_column_name,
      p.relname AS parent_name
     FROM pg_class c
     JOIN pg_attribute a ON a.attrelid=c.oid
     JOIN pg_catalog.pg_inherits i ON a.attrelid=i.inhrelid
     JOIN pg_class p ON p.oid = i.inhparent
     JOIN pg_namespace p_namespace ON p.relnamespace = p_namespace.oid
     JOIN pg_attribute pa ON pa.attrelid=p.oid
     WHERE
      c.relname = 'teams'
      AND p_namespace.nspname = 'public'
      AND a.attnum > 0
      AND a.attname = pa.attname
    )
    SELECT
      columns.column_name AS "name",
      type_map.expanded_name AS "expandedType",
      type_map.dimensions AS "dimensions",
      type_map.type_info AS "type",
      comment_map.comment AS "comment",
      character_maximum_length AS "maxLength",
      column_default AS "defaultValue",
      is_nullable = 'YES' AS "isNullable",
      data_type = 'ARRAY' AS "isArray",
      is_identity = 'YES' AS "isIdentity",
      is_updatable = 'YES' AS "isUpdatable",
      ordinal_position AS "ordinalPosition",
      CASE WHEN is_identity = 'YES' THEN
        identity_generation
      ELSE
        is_generated
      END AS "generated",
      COALESCE(index_map.is_primary, FALSE) AS "isPrimaryKey",
      COALESCE(index_map.indices, '[]'::json) AS "indices",
      COALESCE(reference_map.references, '[]'::json) AS "references",
      inheritance_map.parent_name AS "parentTable",
      row_to_json(columns.*) AS "informationSchemaValue"
    FROM
      information_schema.columns
      LEFT JOIN index_map ON index_map.column_name = columns.column_name
      LEFT JOIN reference_map ON reference_map.column_name = columns.column_name
      LEFT JOIN type_map ON type_map.column_name = columns.column_name
      LEFT JOIN comment_map ON comment_map.column_name = columns.column_name
      LEFT JOIN inheritance_map ON inheritance_map.parent_column_name = columns.column_name
    WHERE
      table_name = 'teams'
      AND table_schema = 'public';

WITH
    reference_map AS (
      SELECT
        source_attr.attname AS "column_name",
        json_agg(json_build_object(
            'schemaName', expanded_constraint.target_schema,
            'tableName', expanded_constraint.target_table,
            'columnName', target_attr.attname,
            'onUpdate', case expanded_constraint.confupdtype
              when 'a' then 'NO ACTION'
when 'r' then 'RESTRICT'
when 'c' then 'CASCADE'
when 'n' then 'SET NULL'
when 'd' then 'SET DEFAULT'
              end,
            'onDelete', case expanded_constraint.confdeltype
              when 'a' then 'NO ACTION'
when 'r' then 'RESTRICT'
when 'c' then 'CASCADE'
when 'n' then 'SET NULL'
when 'd' then 'SET DEFAULT'
              end,
            'name', expanded_constraint.conname
            )) AS references
      FROM (
        SELECT
          unnest(conkey) AS "source_attnum",
          unnest(confkey) AS "target_attnum",
          target_namespace.nspname as "target_schema",
          target_class.relname as "target_table",
          confrelid,
          conrelid,
          conname,
          confupdtype,
          confdeltype
        FROM
          pg_constraint
          JOIN pg_class source_class ON conrelid = source_class.oid
          JOIN pg_namespace source_namespace ON source_class.relnamespace = source_namespace.oid
          JOIN pg_class target_class ON confrelid = target_class.oid
          JOIN pg_namespace target_namespace ON target_class.relnamespace = target_namespace.oid
        WHERE
          source_class.relname = 'events'
          AND source_namespace.nspname = 'public'
          AND contype = 'f') expanded_constraint
        JOIN pg_attribute target_attr ON target_attr.attrelid = expanded_constraint.confrelid
          AND target_attr.attnum = expanded_constraint.target_attnum
        JOIN pg_attribute source_attr ON source_attr.attrelid = expanded_constraint.conrelid
          AND source_attr.attnum = expanded_constraint.source_attnum
        JOIN pg_class target_class ON target_class.oid = expanded_constraint.confrelid
      WHERE
        target_class.relispartition = FALSE
      GROUP BY
        source_attr.attname
    ),
    index_map AS (
  SELECT
    a.attname AS column_name,
    bool_or(ix.indisprimary) AS is_primary,
    json_agg(json_build_object(
        'name', i.relname,
        'isPrimary', ix.indisprimary)
      ) AS indices
  FROM
    pg_class t,
    pg_class i,
    pg_index ix,
    pg_attribute a,
    pg_namespace n
  WHERE
    t.oid = ix.indrelid
    AND i.oid = ix.indexrelid
    AND a.attrelid = t.oid
    AND n.oid = t.relnamespace
    AND a.attnum = ANY (ix.indkey)
    AND t.relkind = 'r'
    AND t.relname = 'events'
    AND n.nspname = 'public'
  GROUP BY
    a.attname
    ),
    type_map AS (
select
  pg_attribute.attname as "column_name",
  typnamespace::regnamespace::text||'.'||substring(typname, (case when attndims > 0 then 2 else 1 end))::text||repeat('[]', attndims) as "expanded_name",
  attndims as "dimensions",
  json_build_object(
	  'fullName', typnamespace::regnamespace::text||'.'||substring(typname, (case when attndims > 0 then 2 else 1 end))::text,
    'kind', case
      when typtype = 'd' then 'domain'
      when typtype = 'r' then 'range'
      when typtype = 'c' then 'composite'
      when typtype = 'e' then 'enum'
      when typtype = 'b' then COALESCE((select case
        when i.typtype = 'r' then 'range'
        when i.typtype = 'd' then 'domain'
        when i.typtype = 'c' then 'composite'
        when i.typtype = 'e' then 'enum'
      end as inner_kind from pg_type i where i.oid = t.typelem), 'base')
    ELSE 'unknown'
    end
  ) as "type_info"
from pg_type t
join pg_attribute on pg_attribute.atttypid = t.oid
join pg_class on pg_attribute.attrelid = pg_class.oid
join pg_namespace on pg_class.relnamespace = pg_namespace.oid
WHERE
  pg_namespace.nspname = 'public'
  and pg_class.relname = 'events'
    ),
    comment_map AS (
  SELECT
    a.attname as "column_name",
    col_description(c.oid, a.attnum::int) as "comment"
  FROM
    pg_class c
    JOIN pg_attribute a on a.attrelid=c.oid
    JOIN pg_namespace n ON c.relnamespace = n.oid
  WHERE
    n.nspname = 'public'
    AND c.relname = 'events'
    ),
    inheritance_map AS (
   SELECT
      a.attname AS column_name,
      pa.attname as parent_column_name,
      p.relname AS parent_name
     FROM pg_class c
     JOIN pg_attribute a ON a.attrelid=c.oid
     JOIN pg_catalog.pg_inherits i ON a.attrelid=i.inhrelid
     JOIN pg_class p ON p.oid = i.inhparent
     JOIN pg_namespace p_namespace ON p.relnamespace = p_namespace.oid
     JOIN pg_attribute pa ON pa.attrelid=p.oid
     WHERE
      c.relname = 'events'
      AND p_namespace.nspname = 'public'
      AND a.attnum > 0
      AND a.attname = pa.attname
    )
    SELECT
      columns.column_name AS "name",
      type_map.expanded_name AS "expandedType",
      type_map.dimensions AS "dimensions",
      type_map.type_info AS "type",
      comment_map.comment AS "comment",
      character_maximum_length AS "maxLength",
      column_default AS "defaultValue",
      is_nullable = 'YES' AS "isNullable",
      data_type = 'ARRAY' AS "isArray",
      is_identity = 'YES' AS "isIdentity",
      is_updatable = 'YES' AS "isUpdatable",
      ordinal_position AS "ordinalPosition",
      CASE WHEN is_identity = 'YES' THEN
        identity_generation
      ELSE
        is_generated
      END AS "generated",
      COALESCE(index_map.is_primary, FALSE) AS "isPrimaryKey",
      COALESCE(index_map.indices, '[]'::json) AS "indices",
      COALESCE(reference_map.references, '[]'::json) AS "references",
      inheritance_map.parent_name AS "parentTable",
      row_to_json(columns.*) AS "informationSchemaValue"
    FROM
      information_schema.columns
      LEFT JOIN index_map ON index_map.column_name = columns.column_name
      LEFT JOIN reference_map ON reference_map.column_name = columns.column_name
      LEFT JOIN type_map ON type_map.column_name = columns.column_name
      LEFT JOIN comment_map ON comment_map.column_name = columns.column_name
      LEFT JOIN inheritance_map ON inheritance_map.parent_column_name = columns.column_name
    WHERE
      table_name = 'events'
      AND table_schema = 'public';

WITH
    reference_map AS (
      SELECT
        source_attr.attname AS "column_name",
        json_agg(json_build_object(
            'schemaName', expanded_constraint.target_schema,
            'tableName', expanded_constraint.target_table,
            'columnName', target_attr.attname,
            'onUpdate', case expanded_constraint.confupdtype
              when 'a' then 'NO ACTION'
when 'r' then 'RESTRICT'
when 'c' then 'CASCADE'
when 'n' then 'SET NULL'
when 'd' then 'SET DEFAULT'
              end,
            'onDelete', case expanded_constraint.confdeltype
              when 'a' then 'NO ACTION'
when 'r' then 'RESTRICT'
when 'c' then 'CASCADE'
when 'n' then 'SET NULL'
when 'd' then 'SET DEFAULT'
              end,
            'name', expanded_constraint.conname
            )) AS references
      FROM (
        SELECT
          unnest(conkey) AS "source_attnum",
          unnest(confkey) AS "target_attnum",
          target_namespace.nspname as "target_schema",
          target_class.relname as "target_table",
          confrelid,
          conrelid,
          conname,
          confupdtype,
          confdeltype
        FROM
          pg_constraint
          JOIN pg_class source_class ON conrelid = source_class.oid
          JOIN pg_namespace source_namespace ON source_class.relnamespace = source_namespace.oid
          JOIN pg_class target_class ON confrelid = target_class.oid
          JOIN pg_namespace target_namespace ON target_class.relnamespace = target_namespace.oid
        WHERE
          source_class.relname = 'order_tags'
          AND source_namespace.nspname = 'public'
          AND contype = 'f') expanded_constraint
        JOIN pg_attribute target_attr ON target_attr.attrelid = expanded_constraint.confrelid
          AND target_attr.attnum = expanded_constraint.target_attnum
        JOIN pg_attribute source_attr ON source_attr.attrelid = expanded_constraint.conrelid
          AND source_attr.attnum = expanded_constraint.source_attnum
        JOIN pg_class target_class ON target_class.oid = expanded_constraint.confrelid
      WHERE
        target_class.relispartition = FALSE
      GROUP BY
        source_attr.attname
    ),
    index_map AS (
  SELECT
    a.attname AS column_name,
    bool_or(ix.indisprimary) AS is_primary,
    json_agg(json_build_object(
        'name', i.relname,
        'isPrimary', ix.indisprimary)
      ) AS indices
  FROM
    pg_class t,
    pg_class i,
    pg_index ix,
    pg_attribute a,
    pg_namespace n
  WHERE
    t.oid = ix.indrelid
    AND i.oid = ix.indexrelid
    AND a.attrelid = t.oid
    AND n.oid = t.relnamespace
    AND a.attnum = ANY (ix.indkey)
    AND t.relkind = 'r'
    AND t.relname = 'order_tags'
    AND n.nspname = 'public'
  GROUP BY
    a.attname
    ),
    type_map AS (
select
  pg_attribute.attname as "column_name",
  typnamespace::regnamespace::text||'.'||substring(typname, (case when attndims > 0 then 2 else 1 end))::text||repeat('[]', attndims) as "expanded_name",
  attndims as "dimensions",
  json_build_object(
	  'fullName', typnamespace::regnamespace::text||'.'||substring(typname, (case when attndims > 0 then 2 else 1 end))::text,
    'kind', case
      when typtype = 'd' then 'domain'
      when typtype = 'r' then 'range'
      when typtype = 'c' then 'composite'
      when typtype = 'e' then 'enum'
      when typtype = 'b' then COALESCE((select case
        when i.typtype = 'r' then 'range'
        when i.typtype = 'd' then 'domain'
        when i.typtype = 'c' then 'composite'
        when i.typtype = 'e' then 'enum'
      end as inner_kind from pg_type i where i.oid = t.typelem), 'base')
    ELSE 'unknown'
    end
  ) as "type_info"
from pg_type t
join pg_attribute on pg_attribute.atttypid = t.oid
join pg_class on pg_attribute.attrelid = pg_class.oid
join pg_namespace on pg_class.relnamespace = pg_namespace.oid
WHERE
  pg_namespace.nspname = 'public'
  and pg_class.relname = 'order_tags'
    ),
    comment_map AS (
  SELECT
    a.attname as "column_name",
    col_description(c.oid, a.attnum::int) as "comment"
  FROM
    pg_class c
    JOIN pg_attribute a on a.attrelid=c.oid
    JOIN pg_namespace n ON c.relnamespace = n.oid
  WHERE
    n.nspname = 'public'
    AND c.relname = 'order_tags'
    ),
    inheritance_map AS (
   SELECT
      a.attname AS column_name,
      pa.attname as parent_column_name,
      p.relname AS parent_name
     FROM pg_class c
     JOIN pg_attribute a ON a.attrelid=c.oid
     JOIN pg_catalog.pg_inherits i ON a.attrelid=i.inhrelid
     JOIN pg_class p ON p.oid = i.inhparent
     JOIN pg_namespace p_namespace ON p.relnamespace = p_namespace.oid
     JOIN pg_attribute pa ON pa.attrelid=p.oid
     WHERE
      c.relname = 'order_tags'
      AND p_namespace.nspname = 'public'
      AND a.attnum > 0
      AND a.attname = pa.attname
    )
    SELECT
      columns.column_name AS "name",
      type_map.expanded_name AS "expandedType",
      type_map.dimensions AS "dimensions",
      type_map.type_info AS "type",
      comment_map.comment AS "comment",
      character_maximum_length AS "maxLength",
      column_default AS "defaultValue",
      is_nullable = 'YES' AS "isNullable",
      data_type = 'ARRAY' AS "isArray",
      is_identity = 'YES' AS "isIdentity",
      is_updatable = 'YES' AS "isUpdatable",
      ordinal_position AS "ordinalPosition",
      CASE WHEN is_identity = 'YES' THEN
        identity_generation
      ELSE
        is_generated
      END AS "generated",
      COALESCE(index_map.is_primary, FALSE) AS "isPrimaryKey",
      COALESCE(index_map.indices, '[]'::json) AS "indices",
      COALESCE(reference_map.references, '[]'::json) AS "references",
      inheritance_map.parent_name AS "parentTable",
      row_to_json(columns.*) AS "informationSchemaValue"
    FROM
      information_schema.columns
      LEFT JOIN index_map ON index_map.column_name = columns.column_name
      LEFT JOIN reference_map ON reference_map.column_name = columns.column_name
      LEFT JOIN type_map ON type_map.column_name = columns.column_name
      LEFT JOIN comment_map ON comment_map.column_name = columns.column_name
      LEFT JOIN inheritance_map ON inheritance_map.parent_column_name = columns.column_name
    WHERE
      table_name = 'order_tags'
      AND table_schema = 'public';

WITH
    type_map AS (
select
  pg_attribute.attname as "column_name",
  typnamespace::regnamespace::text||'.'||(case when (t.typelem <> 0::oid AND t.typlen = '-1'::integer) then substring(typname, 2)||'[]' else typname end)::text as "expanded_name",
  json_build_object(
	  'fullName', typnamespace::regnamespace::text||'.'||substring(typname, (case when (t.typelem <> 0::oid AND t.typlen = '-1'::integer) then 2 else 1 end))::text,
    'kind', case
      when typtype = 'd' then 'domain'
      when typtype = 'r' then 'range'
      when typtype = 'c' then 'composite'
      when typtype = 'e' then 'enum'
      when typtype = 'b' then COALESCE((select case
        when i.typtype = 'r' then 'range'
        when i.typtype = 'd' then 'domain'
        when i.typtype = 'c' then 'composite'
        when i.typtype = 'e' then 'enum'
      end as inner_kind from pg_type i where i.oid = t.typelem), 'base')
    ELSE 'unknown'
    end
  ) as "type_info"
from pg_type t
join pg_attribute on pg_attribute.atttypid = t.oid
join pg_class on pg_attribute.attrelid = pg_class.oid
join pg_namespace on pg_class.relnamespace = pg_namespace.oid
WHERE
  pg_namespace.nspname = 'public'
  and pg_class.relname = 'user_order_totals'
    ),
    comment_map AS (
  SELECT
    a.attname as "column_name",
    col_description(c.oid, a.attnum::int) as "comment"
  FROM
    pg_class c
    JOIN pg_attribute a on a.attrelid=c.oid
    JOIN pg_namespace n ON c.relnamespace = n.oid
  WHERE
    n.nspname = 'public'
    AND c.relname = 'user_order_totals'
    )
    SELECT
      columns.column_name AS "name",
      type_map.expanded_name AS "expandedType",
      type_map.type_info AS "type",
      comment_map.comment AS "comment",
      character_maximum_length AS "maxLength",
      column_default AS "defaultValue",
      data_type = 'ARRAY' AS "isArray",
      is_identity = 'YES' AS "isIdentity",
      is_updatable = 'YES' AS "isUpdatable",
      ordinal_position AS "ordinalPosition",
      CASE WHEN is_identity = 'YES' THEN
        identity_generation
      ELSE
        is_generated
      END AS "generated",
      row_to_json(columns.*) AS "informationSchemaValue"
    FROM
      information_schema.columns
      LEFT JOIN type_map ON type_map.column_name = columns.column_name
      LEFT JOIN comment_map ON comment_map.column_name = columns.column_name
    WHERE
      table_name = 'user_order_totals'
      AND table_schema = 'public';

WITH index_columns AS (
      SELECT
        ix.indexrelid,
        json_agg(json_build_object(
          'name', a.attname,
          'definition', pg_get_indexdef(ix.indexrelid, keys.key_order::integer, true),
          'predicate', pg_get_expr(ix.indpred, ix.indrelid)
        ) ORDER BY keys.key_order) AS columns
      FROM
        pg_index ix
        CROSS JOIN unnest(ix.indkey) WITH ORDINALITY AS keys(key, key_order)
        LEFT JOIN pg_attribute a ON ix.indrelid = a.attrelid AND key = a.attnum
      GROUP BY ix.indexrelid, ix.indrelid
    )
    SELECT
      i.relname AS "name",
      ix.indisprimary AS "isPrimary",
      ix.indisunique AS "isUnique",
      index_columns.columns
    FROM
      pg_index ix
      INNER JOIN pg_class i ON ix.indexrelid = i.oid
      INNER JOIN pg_class t ON ix.indrelid = t.oid
      INNER JOIN pg_namespace n ON t.relnamespace = n.oid
      INNER JOIN index_columns ON ix.indexrelid = index_columns.indexrelid
    WHERE
      t.relname = 'comments'
      AND n.nspname = 'public';

WITH index_columns AS (
      SELECT
        ix.indexrelid,
        json_agg(json_build_object(
          'name', a.attname,
          'definition', pg_get_indexdef(ix.indexrelid, keys.key_order::integer, true),
          'predicate', pg_get_expr(ix.indpred, ix.indrelid)
        ) ORDER BY keys.key_order) AS columns
      FROM
        pg_index ix
        CROSS JOIN unnest(ix.indkey) WITH ORDINALITY AS keys(key, key_order)
        LEFT JOIN pg_attribute a ON ix.indrelid = a.attrelid AND key = a.attnum
      GROUP BY ix.indexrelid, ix.indrelid
    )
    SELECT
      i.relname AS "name",
      ix.indisprimary AS "isPrimary",
      ix.indisunique AS "isUnique",
      index_columns.columns
    FROM
      pg_index ix
      INNER JOIN pg_class i ON ix.indexrelid = i.oid
      INNER JOIN pg_class t ON ix.indrelid = t.oid
      INNER JOIN pg_namespace n ON t.relnamespace = n.oid
      INNER JOIN index_columns ON ix.indexrelid = index_columns.indexrelid
    WHERE
      t.relname = 'documents'
      AND n.nspname = 'public';

WITH index_columns AS (
      SELECT
        ix.indexrelid,
        json_agg(json_build_object(
          'name', a.attname,
          'definition', pg_get_indexdef(ix.indexrelid, keys.key_order::integer, true),
          'predicate', pg_get_expr(ix.indpred, ix.indrelid)
        ) ORDER BY keys.key_order) AS columns
      FROM
        pg_index ix
        CROSS JOIN unnest(ix.indkey) WITH ORDINALITY AS keys(key, key_order)
        LEFT JOIN pg_attribute a ON ix.indrelid = a.attrelid AND key = a.attnum
      GROUP BY ix.indexrelid, ix.indrelid
    )
    SELECT
      i.relname AS "name",
      ix.indisprimary AS "isPrimary",
      ix.indisunique AS "isUnique",
      index_columns.columns
    FROM
      pg_index ix
      INNER JOIN pg_class i ON ix.indexrelid = i.oid
      INNER JOIN pg_class t ON ix.indrelid = t.oid
      INNER JOIN pg_namespace n ON t.relnamespace = n.oid
      INNER JOIN index_columns ON ix.indexrelid = index_columns.indexrelid
    WHERE
      t.relname = 'audit_log'
      AND n.nspname = 'public';

WITH index_columns AS (
      SELECT
        ix.indexrelid,
        json_agg(json_build_object(
          'name', a.attname,
          'definition', pg_get_indexdef(ix.indexrelid, keys.key_order::integer, true),
          'predicate', pg_get_expr(ix.indpred, ix.indrelid)
        ) ORDER BY keys.key_order) AS columns
      FROM
        pg_index ix
        CROSS JOIN unnest(ix.indkey) WITH ORDINALITY AS keys(key, key_order)
        LEFT JOIN pg_attribute a ON ix.indrelid = a.attrelid AND key = a.attnum
      GROUP BY ix.indexrelid, ix.indrelid
    )
    SELECT
      i.relname AS "name",
      ix.indisprimary AS "isPrimary",
      ix.indisunique AS "isUnique",
      index_columns.columns
    FROM
      pg_index ix
      INNER JOIN pg_class i ON ix.indexrelid = i.oid
      INNER JOIN pg_class t ON ix.indrelid = t.oid
      INNER JOIN pg_namespace n ON t.relnamespace = n.oid
      INNER JOIN index_columns ON ix.indexrelid = index_columns.indexrelid
    WHERE
      t.relname = 'users'
      AND n.nspname = 'public';

WITH index_columns AS (
      SELECT
        ix.indexrelid,
        json_agg(json_build_object(
          'name', a.attname,
          'definition', pg_get_indexdef(ix.indexrelid, keys.key_order::integer, true),
          'predicate', pg_get_expr(ix.indpred, ix.indrelid)
        ) ORDER BY keys.key_order) AS columns
      FROM
        pg_index ix
        CROSS JOIN unnest(ix.indkey) WITH ORDINALITY AS keys(key, key_order)
        LEFT JOIN pg_attribute a ON ix.indrelid = a.attrelid AND key = a.attnum
      GROUP BY ix.indexrelid, ix.indrelid
    )
    SELECT
      i.relname AS "name",
      ix.indisprimary AS "isPrimary",
      ix.indisunique AS "isUnique",
      index_columns.columns
    FROM
      pg_index ix
      INNER JOIN pg_class i ON ix.indexrelid = i.oid
      INNER JOIN pg_class t ON ix.indrelid = t.oid
      INNER JOIN pg_namespace n ON t.relnamespace = n.oid
      INNER JOIN index_columns ON ix.indexrelid = index_columns.indexrelid
    WHERE
      t.relname = 'order_items'
      AND n.nspname = 'public';

WITH index_columns AS (
      SELECT
        ix.indexrelid,
        json_agg(json_build_object(
          'name', a.attname,
          'definition', pg_get_indexdef(ix.indexrelid, keys.key_order::integer, true),
          'predicate', pg_get_expr(ix.indpred, ix.indrelid)
        ) ORDER BY keys.key_order) AS columns
      FROM
        pg_index ix
        CROSS JOIN unnest(ix.indkey) WITH ORDINALITY AS keys(key, key_order)
        LEFT JOIN pg_attribute a ON ix.indrelid = a.attrelid AND key = a.attnum
      GROUP BY ix.indexrelid, ix.indrelid
    )
    SELECT
      i.relname AS "name",
      ix.indisprimary AS "isPrimary",
      ix.indisunique AS "isUnique",
      index_columns.columns
    FROM
      pg_index ix
      INNER JOIN pg_class i ON ix.indexrelid = i.oid
      INNER JOIN pg_class t ON ix.indrelid = t.oid
      INNER JOIN pg_namespace n ON t.relnamespace = n.oid
      INNER JOIN index_columns ON ix.indexrelid = index_columns.indexrelid
    WHERE
      t.relname = 'crews'
      AND n.nspname = 'public';

WITH index_columns AS (
      SELECT
        ix.indexrelid,
        json_agg(json_build_object(
          'name', a.attname,
          'definition', pg_get_indexdef(ix.indexrelid, keys.key_order::integer, true),
          'predicate', pg_get_expr(ix.indpred, ix.indrelid)
        ) ORDER BY keys.key_order) AS columns
      FROM
        pg_index ix
        CROSS JOIN unnest(ix.indkey) WITH ORDINALITY AS keys(key, key_order)
        LEFT JOIN pg_attribute a ON ix.indrelid = a.attrelid AND key = a.attnum
      GROUP BY ix.indexrelid, ix.indrelid
    )
    SELECT
      i.relname AS "name",
      ix.indisprimary AS "isPrimary",
      ix.indisunique AS "isUnique",
      index_columns.columns
    FROM
      pg_index ix
      INNER JOIN pg_class i ON ix.indexrelid = i.oid
      INNER JOIN pg_class t ON ix.indrelid = t.oid
      INNER JOIN pg_namespace n ON t.relnamespace = n.oid
      INNER JOIN index_columns ON ix.indexrelid = index_columns.indexrelid
    WHERE
      t.relname = 'orders'
      AND n.nspname = 'public';

WITH index_columns AS (
      SELECT
        ix.indexrelid,
        json_agg(json_build_object(
          'name', a.attname,
          'definition', pg_get_indexdef(ix.indexrelid, keys.key_order::integer, true),
          'predicate', pg_get_expr(ix.indpred, ix.indrelid)
        ) ORDER BY keys.key_order) AS columns
      FROM
        pg_index ix
        CROSS JOIN unnest(ix.indkey) WITH ORDINALITY AS keys(key, key_order)
        LEFT JOIN pg_attribute a ON ix.indrelid = a.attrelid AND key = a.attnum
      GROUP BY ix.indexrelid, ix.indrelid
    )
    SELECT
      i.relname AS "name",
      ix.indisprimary AS "isPrimary",
      ix.indisunique AS "isUnique",
      index_columns.columns
    FROM
      pg_index ix
      INNER JOIN pg_class i ON ix.indexrelid = i.oid
      INNER JOIN pg_class t ON ix.indrelid = t.oid
      INNER JOIN pg_namespace n ON t.relnamespace = n.oid
      INNER JOIN index_columns ON ix.indexrelid = index_columns.indexrelid
    WHERE
      t.relname = 'visits'
      AND n.nspname = 'public';

WITH index_columns AS (
      SELECT
        ix.indexrelid,
        json_agg(json_build_object(
          'name', a.attname,
          'definition', pg_get_indexdef(ix.indexrelid, keys.key_order::integer, true),
          'predicate', pg_get_expr(ix.indpred, ix.indrelid)
        ) ORDER BY keys.key_order) AS columns
      FROM
        pg_index ix
        CROSS JOIN unnest(ix.indkey) WITH ORDINALITY AS keys(key, key_order)
        LEFT JOIN pg_attribute a ON ix.indrelid = a.attrelid AND key = a.attnum
      GROUP BY ix.indexrelid, ix.indrelid
    )
    SELECT
      i.relname AS "name",
      ix.indisprimary AS "isPrimary",
      ix.indisunique AS "isUnique",
      index_columns.columns
    FROM
      pg_index ix
      INNER JOIN pg_class i ON ix.indexrelid = i.oid
      INNER JOIN pg_class t ON ix.indrelid = t.oid
      INNER JOIN pg_namespace n ON t.relnamespace = n.oid
      INNER JOIN index_columns ON ix.indexrelid = index_columns.indexrelid
    WHERE
      t.relname = 'makes'
      AND n.nspname = 'public';

WITH index_columns AS (
      SELECT
        ix.indexrelid,
        json_agg(json_build_object(
          'name', a.attname,
          'definition', pg_get_indexdef(ix.indexrelid, keys.key_order::integer, true),
          'predicate', pg_get_expr(ix.indpred, ix.indrelid)
        ) ORDER BY keys.key_order) AS columns
      FROM
        pg_index ix
        CROSS JOIN unnest(ix.indkey) WITH ORDINALITY AS keys(key, key_order)
        LEFT JOIN pg_attribute a ON ix.indrelid = a.attrelid AND key = a.attnum
      GROUP BY ix.indexrelid, ix.indrelid
    )
    SELECT
      i.relname AS "name",
      ix.indisprimary AS "isPrimary",
      ix.indisunique AS "isUnique",
      index_columns.columns
    FROM
      pg_index ix
      INNER JOIN pg_class i ON ix.indexrelid = i.oid
      INNER JOIN pg_class t ON ix.indrelid = t.oid
      INNER JOIN pg_namespace n ON t.relnamespace = n.oid
      INNER JOIN index_columns ON ix.indexrelid = index_columns.indexrelid
    WHERE
      t.relname = 'tags'
      AND n.nspname = 'public';

WITH index_columns AS (
      SELECT
        ix.indexrelid,
        json_agg(json_build_object(
          'name', a.attname,
          'definition', pg_get_indexdef(ix.indexrelid, keys.key_order::integer, true),
          'predicate', pg_get_expr(ix.indpred, ix.indrelid)
        ) ORDER BY keys.key_order) AS columns
      FROM
        pg_index ix
        CROSS JOIN unnest(ix.indkey) WITH ORDINALITY AS keys(key, key_order)
        LEFT JOIN pg_attribute a ON ix.indrelid = a.attrelid AND key = a.attnum
      GROUP BY ix.indexrelid, ix.indrelid
    )
    SELECT
      i.relname AS "name",
      ix.indisprimary AS "isPrimary",
      ix.indisunique AS "isUnique",
      index_columns.columns
    FROM
      pg_index ix
      INNER JOIN pg_class i ON ix.indexrelid = i.oid
      INNER JOIN pg_class t ON ix.indrelid = t.oid
      INNER JOIN pg_namespace n ON t.relnamespace = n.oid
      INNER JOIN index_columns ON ix.indexrelid = index_columns.indexrelid
    WHERE
      t.relname = 'placed'
      AND n.nspname = 'public';

WITH
    type_map AS (
select
  pg_attribute.attname as "column_name",
  typnamespace::regnamespace::text||'.'||(case when (t.typelem <> 0::oid AND t.typlen = '-1'::integer) then substring(typname, 2)||'[]' else typname end)::text as "expanded_name",
  json_build_object(
	  'fullName', typnamespace::regnamespace::text||'.'||substring(typname, (case when (t.typelem <> 0::oid AND t.typlen = '-1'::integer) then 2 else 1 end))::text,
    'kind', case
      when typtype = 'd' then 'domain'
      when typtype = 'r' then 'range'
      when typtype = 'c' then 'composite'
      when typtype = 'e' then 'enum'
      when typtype = 'b' then COALESCE((select case
        when i.typtype = 'r' then 'range'
        when i.typtype = 'd' then 'domain'
        when i.typtype = 'c' then 'composite'
        when i.typtype = 'e' then 'enum'
      end as inner_kind from pg_type i where i.oid = t.typelem), 'base')
    ELSE 'unknown'
    end
  ) as "type_info"
from pg_type t
join pg_attribute on pg_attribute.atttypid = t.oid
join pg_class on pg_attribute.attrelid = pg_class.oid
join pg_namespace on pg_class.relnamespace = pg_namespace.oid
WHERE
  pg_namespace.nspname = 'public'
  and pg_class.relname = 'guests'
    ),
    comment_map AS (
  SELECT
    a.attname as "column_name",
    col_description(c.oid, a.attnum::int) as "comment"
  FROM
    pg_class c
    JOIN pg_attribute a on a.attrelid=c.oid
    JOIN pg_namespace n ON c.relnamespace = n.oid
  WHERE
    n.nspname = 'public'
    AND c.relname = 'guests'
    )
    SELECT
      columns.column_name AS "name",
      type_map.expanded_name AS "expandedType",
      type_map.type_info AS "type",
      comment_map.comment AS "comment",
      character_maximum_length AS "maxLength",
      column_default AS "defaultValue",
      data_type = 'ARRAY' AS "isArray",
      is_identity = 'YES' AS "isIdentity",
      is_updatable = 'YES' AS "isUpdatable",
      ordinal_position AS "ordinalPosition",
      CASE WHEN is_identity = 'YES' THEN
        identity_generation
      ELSE
        is_generated
      END AS "generated",
      row_to_json(columns.*) AS "informationSchemaValue"
    FROM
      information_schema.columns
      LEFT JOIN type_map ON type_map.column_name = columns.column_name
      LEFT JOIN comment_map ON comment_map.column_name = columns.column_name
    WHERE
      table_name = 'guests'
      AND table_schema = 'public';

SELECT
      source_namespace.nspname as "schema",
      source_class.relname as "table",
      json_agg(json_build_object(
                 'name', con.conname,
                 'clause', SUBSTRING(pg_get_constraintdef(con.oid) FROM 7)
      )) as checks
    FROM
     pg_constraint con,
     pg_class source_class,
     pg_namespace source_namespace
    WHERE
     source_class.relname = 'comments'
     AND source_namespace.nspname = 'public'
     AND conrelid = source_class.oid
     AND source_class.relnamespace = source_namespace.oid
     AND con.contype = 'c'
    GROUP BY source_namespace.nspname, source_class.relname;

WITH index_columns AS (
      SELECT
        ix.indexrelid,
        json_agg(json_build_object(
          'name', a.attname,
          'definition', pg_get_indexdef(ix.indexrelid, keys.key_order::integer, true),
          'predicate', pg_get_expr(ix.indpred, ix.indrelid)
        ) ORDER BY keys.key_order) AS columns
      FROM
        pg_index ix
        CROSS JOIN unnest(ix.indkey) WITH ORDINALITY AS keys(key, key_order)
        LEFT JOIN pg_attribute a ON ix.indrelid = a.attrelid AND key = a.attnum
      GROUP BY ix.indexrelid, ix.indrelid
    )
    SELECT
      i.relname AS "name",
      ix.indisprimary AS "isPrimary",
      ix.indisunique AS "isUnique",
      index_columns.columns
    FROM
      pg_index ix
      INNER JOIN pg_class i ON ix.indexrelid = i.oid
      INNER JOIN pg_class t ON ix.indrelid = t.oid
      INNER JOIN pg_namespace n ON t.relnamespace = n.oid
      INNER JOIN index_columns ON ix.indexrelid = index_columns.indexrelid
    WHERE
      t.relname = 'memberships'
      AND n.nspname = 'public';

SELECT
      CASE
        WHEN c.relkind = 'v' THEN (
          SELECT option_value
          FROM pg_options_to_table(reloptions)
          WHERE option_name = 'check_option'
        )
      END as check_option,
      COALESCE((
        SELECT option_value::boolean
        FROM pg_options_to_table(reloptions)
        WHERE option_name = 'security_barrier'
      ), false) as security_barrier,
      COALESCE((
        SELECT option_value::boolean
        FROM pg_options_to_table(reloptions)
        WHERE option_name = 'security_invoker'
      ), false) as security_invoker
    FROM pg_class c
    JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = 'public'
    AND c.relname = 'user_order_totals';

WITH index_columns AS (
      SELECT
        ix.indexrelid,
        json_agg(json_build_object(
          'name', a.attname,
          'definition', pg_get_indexdef(ix.indexrelid, keys.key_order::integer, true),
          'predicate', pg_get_expr(ix.indpred, ix.indrelid)
        ) ORDER BY keys.key_order) AS columns
      FROM
        pg_index ix
        CROSS JOIN unnest(ix.indkey) WITH ORDINALITY AS keys(key, key_order)
        LEFT JOIN pg_attribute a ON ix.indrelid = a.attrelid AND key = a.attnum
      GROUP BY ix.indexrelid, ix.indrelid
    )
    SELECT
      i.relname AS "name",
      ix.indisprimary AS "isPrimary",
      ix.indisunique AS "isUnique",
      index_columns.columns
    FROM
      pg_index ix
      INNER JOIN pg_class i ON ix.indexrelid = i.oid
      INNER JOIN pg_class t ON ix.indrelid = t.oid
      INNER JOIN pg_namespace n ON t.relnamespace = n.oid
      INNER JOIN index_columns ON ix.indexrelid = index_columns.indexrelid
    WHERE
      t.relname = 'events'
      AND n.nspname = 'public';

WITH index_columns AS (
      SELECT
        ix.indexrelid,
        json_agg(json_build_object(
          'name', a.attname,
          'definition', pg_get_indexdef(ix.indexrelid, keys.key_order::integer, true),
          'predicate', pg_get_expr(ix.indpred, ix.indrelid)
        ) ORDER BY keys.key_order) AS columns
      FROM
        pg_index ix
        CROSS JOIN unnest(ix.indkey) WITH ORDINALITY AS keys(key, key_order)
        LEFT JOIN pg_attribute a ON ix.indrelid = a.attrelid AND key = a.attnum
      GROUP BY ix.indexrelid, ix.indrelid
    )
    SELECT
      i.relname AS "name",
      ix.indisprimary AS "isPrimary",
      ix.indisunique AS "isUnique",
      index_columns.columns
    FROM
      pg_index ix
      INNER JOIN pg_class i ON ix.indexrelid = i.oid
      INNER JOIN pg_class t ON ix.indrelid = t.oid
      INNER JOIN pg_namespace n ON t.relnamespace = n.oid
      INNER JOIN index_columns ON ix.indexrelid = index_columns.indexrelid
    WHERE
      t.relname = 'teams'
      AND n.nspname = 'public';

WITH index_columns AS (
      SELECT
        ix.indexrelid,
        json_agg(json_build_object(
          'name', a.attname,
          'definition', pg_get_indexdef(ix.indexrelid, keys.key_order::integer, true),
          'predicate', pg_get_expr(ix.indpred, ix.indrelid)
        ) ORDER BY keys.key_order) AS columns
      FROM
        pg_index ix
        CROSS JOIN unnest(ix.indkey) WITH ORDINALITY AS keys(key, key_order)
        LEFT JOIN pg_attribute a ON ix.indrelid = a.attrelid AND key = a.attnum
      GROUP BY ix.indexrelid, ix.indrelid
    )
    SELECT
      i.relname AS "name",
      ix.indisprimary AS "isPrimary",
      ix.indisunique AS "isUnique",
      index_columns.columns
    FROM
      pg_index ix
      INNER JOIN pg_class i ON ix.indexrelid = i.oid
      INNER JOIN pg_class t ON ix.indrelid = t.oid
      INNER JOIN pg_namespace n ON t.relnamespace = n.oid
      INNER JOIN index_columns ON ix.indexrelid = index_columns.indexrelid
    WHERE
      t.relname = 'order_tags'
      AND n.nspname = 'public';

SELECT
      c.relrowsecurity AS "isRowLevelSecurityEnabled",
      c.relforcerowsecurity AS "isRowLevelSecurityEnforced",
      coalesce(json_agg(json_build_object(
        'name', p.policyname,
        'isPermissive', p.permissive = 'PERMISSIVE',
        'rolesAppliedTo', p.roles,
        'commandType', p.cmd,
        'visibilityExpression', p.qual,
        'modifiabilityExpression', p.with_check
      )) FILTER (WHERE p.policyname IS NOT NULL), '[]'::json) AS "securityPolicies"
    FROM
      pg_class c
      INNER JOIN pg_namespace n ON c.relnamespace = n.oid
      LEFT JOIN pg_policies p ON c.relname = p.tablename AND n.nspname = p.schemaname
    WHERE
      c.relname = 'audit_log'
      AND n.nspname = 'public'
    GROUP BY c.relrowsecurity, c.relforcerowsecurity;

SELECT
      CASE
        WHEN c.relkind = 'v' THEN (
          SELECT option_value
          FROM pg_options_to_table(reloptions)
          WHERE option_name = 'check_option'
        )
      END as check_option,
      COALESCE((
        SELECT option_value::boolean
        FROM pg_options_to_table(reloptions)
        WHERE option_name = 'security_barrier'
      ), false) as security_barrier,
      COALESCE((
        SELECT option_value::boolean
        FROM pg_options_to_table(reloptions)
        WHERE option_name = 'security_invoker'
      ), false) as security_invoker
    FROM pg_class c
    JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = 'public'
    AND c.relname = 'guests';

SELECT
      c.relrowsecurity AS "isRowLevelSecurityEnabled",
      c.relforcerowsecurity AS "isRowLevelSecurityEnforced",
      coalesce(json_agg(json_build_object(
        'name', p.policyname,
        'isPermissive', p.permissive = 'PERMISSIVE',
        'rolesAppliedTo', p.roles,
        'commandType', p.cmd,
        'visibilityExpression', p.qual,
        'modifiabilityExpression', p.with_check
      )) FILTER (WHERE p.policyname IS NOT NULL), '[]'::json) AS "securityPolicies"
    FROM
      pg_class c
      INNER JOIN pg_namespace n ON c.relnamespace = n.oid
      LEFT JOIN pg_policies p ON c.relname = p.tablename AND n.nspname = p.schemaname
    WHERE
      c.relname = 'comments'
      AND n.nspname = 'public'
    GROUP BY c.relrowsecurity, c.relforcerowsecurity;

SELECT
      c.relrowsecurity AS "isRowLevelSecurityEnabled",
      c.relforcerowsecurity AS "isRowLevelSecurityEnforced",
      coalesce(json_agg(json_build_object(
        'name', p.policyname,
        'isPermissive', p.permissive = 'PERMISSIVE',
        'rolesAppliedTo', p.roles,
        'commandType', p.cmd,
        'visibilityExpression', p.qual,
        'modifiabilityExpression', p.with_check
      )) FILTER (WHERE p.policyname IS NOT NULL), '[]'::json) AS "securityPolicies"
    FROM
      pg_class c
      INNER JOIN pg_namespace n ON c.relnamespace = n.oid
      LEFT JOIN pg_policies p ON c.relname = p.tablename AND n.nspname = p.schemaname
    WHERE
      c.relname = 'documents'
      AND n.nspname = 'public'
    GROUP BY c.relrowsecurity, c.relforcerowsecurity;

SELECT
      c.relrowsecurity AS "isRowLevelSecurityEnabled",
      c.relforcerowsecurity AS "isRowLevelSecurityEnforced",
      coalesce(json_agg(json_build_object(
        'name', p.policyname,
        'isPermissive', p.permissive = 'PERMISSIVE',
        'rolesAppliedTo', p.roles,
        'commandType', p.cmd,
        'visibilityExpression', p.qual,
        'modifiabilityExpression', p.with_check
      )) FILTER (WHERE p.policyname IS NOT NULL), '[]'::json) AS "securityPolicies"
    FROM
      pg_class c
      INNER JOIN pg_namespace n ON c.relnamespace = n.oid
      LEFT JOIN pg_policies p ON c.relname = p.tablename AND n.nspname = p.schemaname
    WHERE
      c.relname = 'orders'
      AND n.nspname = 'public'
    GROUP BY c.relrowsecurity, c.relforcerowsecurity;

SELECT
      c.relrowsecurity AS "isRowLevelSecurityEnabled",
      c.relforcerowsecurity AS "isRowLevelSecurityEnforced",
      coalesce(json_agg(json_build_object(
        'name', p.policyname,
        'isPermissive', p.permissive = 'PERMISSIVE',
        'rolesAppliedTo', p.roles,
        'commandType', p.cmd,
        'visibilityExpression', p.qual,
        'modifiabilityExpression', p.with_check
      )) FILTER (WHERE p.policyname IS NOT NULL), '[]'::json) AS "securityPolicies"
    FROM
      pg_class c
      INNER JOIN pg_namespace n ON c.relnamespace = n.oid
      LEFT JOIN pg_policies p ON c.relname = p.tablename AND n.nspname = p.schemaname
    WHERE
      c.relname = 'users'
      AND n.nspname = 'public'
    GROUP BY c.relrowsecurity, c.relforcerowsecurity;

SELECT
      c.relrowsecurity AS "isRowLevelSecurityEnabled",
      c.relforcerowsecurity AS "isRowLevelSecurityEnforced",
      coalesce(json_agg(json_build_object(
        'name', p.policyname,
        'isPermissive', p.permissive = 'PERMISSIVE',
        'rolesAppliedTo', p.roles,
        'commandType', p.cmd,
        'visibilityExpression', p.qual,
        'modifiabilityExpression', p.with_check
      )) FILTER (WHERE p.policyname IS NOT NULL), '[]'::json) AS "securityPolicies"
    FROM
      pg_class c
      INNER JOIN pg_namespace n ON c.relnamespace = n.oid
      LEFT JOIN pg_policies p ON c.relname = p.tablename AND n.nspname = p.schemaname
    WHERE
      c.relname = 'order_items'
      AND n.nspname = 'public'
    GROUP BY c.relrowsecurity, c.relforcerowsecurity;

SELECT
      c.relrowsecurity AS "isRowLevelSecurityEnabled",
      c.relforcerowsecurity AS "isRowLevelSecurityEnforced",
      coalesce(json_agg(json_build_object(
        'name', p.policyname,
        'isPermissive', p.permissive = 'PERMISSIVE',
        'rolesAppliedTo', p.roles,
        'commandType', p.cmd,
        'visibilityExpression', p.qual,
        'modifiabilityExpression', p.with_check
      )) FILTER (WHERE p.policyname IS NOT NULL), '[]'::json) AS "securityPolicies"
    FROM
      pg_class c
      INNER JOIN pg_namespace n ON c.relnamespace = n.oid
      LEFT JOIN pg_policies p ON c.relname = p.tablename AND n.nspname = p.schemaname
    WHERE
      c.relname = 'crews'
      AND n.nspname = 'public'
    GROUP BY c.relrowsecurity, c.relforcerowsecurity;

SELECT
      c.relrowsecurity AS "isRowLevelSecurityEnabled",
      c.relforcerowsecurity AS "isRowLevelSecurityEnforced",
      coalesce(json_agg(json_build_object(
        'name', p.policyname,
        'isPermissive', p.permissive = 'PERMISSIVE',
        'rolesAppliedTo', p.roles,
        'commandType', p.cmd,
        'visibilityExpression', p.qual,
        'modifiabilityExpression', p.with_check
      )) FILTER (WHERE p.policyname IS NOT NULL), '[]'::json) AS "securityPolicies"
    FROM
      pg_class c
      INNER JOIN pg_namespace n ON c.relnamespace = n.oid
      LEFT JOIN pg_policies p ON c.relname = p.tablename AND n.nspname = p.schemaname
    WHERE
      c.relname = 'makes'
      AND n.nspname = 'public'
    GROUP BY c.relrowsecurity, c.relforcerowsecurity;

SELECT
      c.relrowsecurity AS "isRowLevelSecurityEnabled",
      c.relforcerowsecurity AS "isRowLevelSecurityEnforced",
      coalesce(json_agg(json_build_object(
        'name', p.policyname,
        'isPermissive', p.permissive = 'PERMISSIVE',
        'rolesAppliedTo', p.roles,
        'commandType', p.cmd,
        'visibilityExpression', p.qual,
        'modifiabilityExpression', p.with_check
      )) FILTER (WHERE p.policyname IS NOT NULL), '[]'::json) AS "securityPolicies"
    FROM
      pg_class c
      INNER JOIN pg_namespace n ON c.relnamespace = n.oid
      LEFT JOIN pg_policies p ON c.relname = p.tablename AND n.nspname = p.schemaname
    WHERE
      c.relname = 'tags'
      AND n.nspname = 'public'
    GROUP BY c.relrowsecurity, c.relforcerowsecurity;

SELECT
      c.relrowsecurity AS "isRowLevelSecurityEnabled",
      c.relforcerowsecurity AS "isRowLevelSecurityEnforced",
      coalesce(json_agg(json_build_object(
        'name', p.policyname,
        'isPermissive', p.permissive = 'PERMISSIVE',
        'rolesAppliedTo', p.roles,
        'commandType', p.cmd,
        'visibilityExpression', p.qual,
        'modifiabilityExpression', p.with_check
      )) FILTER (WHERE p.policyname IS NOT NULL), '[]'::json) AS "securityPolicies"
    FROM
      pg_class c
      INNER JOIN pg_namespace n ON c.relnamespace = n.oid
      LEFT JOIN pg_policies p ON c.relname = p.tablename AND n.nspname = p.schemaname
    WHERE
      c.relname = 'visits'
      AND n.nspname = 'public'
    GROUP BY c.relrowsecurity, c.relforcerowsecurity;

SELECT
      c.relrowsecurity AS "isRowLevelSecurityEnabled",
      c.relforcerowsecurity AS "isRowLevelSecurityEnforced",
      coalesce(json_agg(json_build_object(
        'name', p.policyname,
        'isPermissive', p.permissive = 'PERMISSIVE',
        'rolesAppliedTo', p.roles,
        'commandType', p.cmd,
        'visibilityExpression', p.qual,
        'modifiabilityExpression', p.with_check
      )) FILTER (WHERE p.policyname IS NOT NULL), '[]'::json) AS "securityPolicies"
    FROM
      pg_class c
      INNER JOIN pg_namespace n ON c.relnamespace = n.oid
      LEFT JOIN pg_policies p ON c.relname = p.tablename AND n.nspname = p.schemaname
    WHERE
      c.relname = 'placed'
      AND n.nspname = 'public'
    GROUP BY c.relrowsecurity, c.relforcerowsecurity;

SELECT
      t.tgname AS "name",
      t.tgenabled AS "enabled",
      t.tgfoid AS "function_oid",
      t.tgargs AS "function_args",
      t.tgtype AS "trigger_type",
      p.proname AS "function_name",
      p.proargnames AS "function_arg_names",
      ns.nspname AS "function_schema",
      d.description AS "comment",
      -- Extract events using the same logic as information_schema
      CASE WHEN (t.tgtype & 4) <> 0 THEN 'INSERT' END AS "insert_event",
      CASE WHEN (t.tgtype & 8) <> 0 THEN 'DELETE' END AS "delete_event",
      CASE WHEN (t.tgtype & 16) <> 0 THEN 'UPDATE' END AS "update_event",
      -- Extract timing using the same logic as information_schema
      CASE (t.tgtype & 66)
        WHEN 2 THEN 'BEFORE'
        WHEN 64 THEN 'INSTEAD OF'
        ELSE 'AFTER'
      END AS "action_timing",
      -- Extract orientation using the same logic as information_schema
      CASE (t.tgtype & 1)
        WHEN 1 THEN 'ROW'
        ELSE 'STATEMENT'
      END AS "action_orientation",
      -- Extract condition using the same logic as information_schema
      CASE
        WHEN pg_has_role(c.relowner, 'USAGE') THEN
          (regexp_match(pg_get_triggerdef(t.oid), 'WHEN \((.*?)\) EXECUTE FUNCTION'))[1]
        ELSE NULL
      END AS "action_condition"
    FROM
      pg_trigger t
      JOIN pg_class c ON t.tgrelid = c.oid
      JOIN pg_namespace n ON c.relnamespace = n.oid
      JOIN pg_proc p ON t.tgfoid = p.oid
      JOIN pg_namespace ns ON p.pronamespace = ns.oid
      LEFT JOIN pg_description d ON t.oid = d.objoid
    WHERE
      c.relname = 'comments'
      AND n.nspname = 'public'
      AND NOT t.tgisinternal
    ORDER BY t.tgname;

SELECT
      c.relrowsecurity AS "isRowLevelSecurityEnabled",
      c.relforcerowsecurity AS "isRowLevelSecurityEnforced",
      coalesce(json_agg(json_build_object(
        'name', p.policyname,
        'isPermissive', p.permissive = 'PERMISSIVE',
        'rolesAppliedTo', p.roles,
        'commandType', p.cmd,
        'visibilityExpression', p.qual,
        'modifiabilityExpression', p.with_check
      )) FILTER (WHERE p.policyname IS NOT NULL), '[]'::json) AS "securityPolicies"
    FROM
      pg_class c
      INNER JOIN pg_namespace n ON c.relnamespace = n.oid
      LEFT JOIN pg_policies p ON c.relname = p.tablename AND n.nspname = p.schemaname
    WHERE
      c.relname = 'memberships'
      AND n.nspname = 'public'
    GROUP BY c.relrowsecurity, c.relforcerowsecurity;

SELECT
      c.relrowsecurity AS "isRowLevelSecurityEnabled",
      c.relforcerowsecurity AS "isRowLevelSecurityEnforced",
      coalesce(json_agg(json_build_object(
        'name', p.policyname,
        'isPermissive', p.permissive = 'PERMISSIVE',
        'rolesAppliedTo', p.roles,
        'commandType', p.cmd,
        'visibilityExpression', p.qual,
        'modifiabilityExpression', p.with_check
      )) FILTER (WHERE p.policyname IS NOT NULL), '[]'::json) AS "securityPolicies"
    FROM
      pg_class c
      INNER JOIN pg_namespace n ON c.relnamespace = n.oid
      LEFT JOIN pg_policies p ON c.relname = p.tablename AND n.nspname = p.schemaname
    WHERE
      c.relname = 'teams'
      AND n.nspname = 'public'
    GROUP BY c.relrowsecurity, c.relforcerowsecurity;

SELECT
      c.relrowsecurity AS "isRowLevelSecurityEnabled",
      c.relforcerowsecurity AS "isRowLevelSecurityEnforced",
      coalesce(json_agg(json_build_object(
        'name', p.policyname,
        'isPermissive', p.permissive = 'PERMISSIVE',
        'rolesAppliedTo', p.roles,
        'commandType', p.cmd,
        'visibilityExpression', p.qual,
        'modifiabilityExpression', p.with_check
      )) FILTER (WHERE p.policyname IS NOT NULL), '[]'::json) AS "securityPolicies"
    FROM
      pg_class c
      INNER JOIN pg_namespace n ON c.relnamespace = n.oid
      LEFT JOIN pg_policies p ON c.relname = p.tablename AND n.nspname = p.schemaname
    WHERE
      c.relname = 'events'
      AND n.nspname = 'public'
    GROUP BY c.relrowsecurity, c.relforcerowsecurity;

SELECT
      c.relrowsecurity AS "isRowLevelSecurityEnabled",
      c.relforcerowsecurity AS "isRowLevelSecurityEnforced",
      coalesce(json_agg(json_build_object(
        'name', p.policyname,
        'isPermissive', p.permissive = 'PERMISSIVE',
        'rolesAppliedTo', p.roles,
        'commandType', p.cmd,
        'visibilityExpression', p.qual,
        'modifiabilityExpression', p.with_check
      )) FILTER (WHERE p.policyname IS NOT NULL), '[]'::json) AS "securityPolicies"
    FROM
      pg_class c
      INNER JOIN pg_namespace n ON c.relnamespace = n.oid
      LEFT JOIN pg_policies p ON c.relname = p.tablename AND n.nspname = p.schemaname
    WHERE
      c.relname = 'order_tags'
      AND n.nspname = 'public'
    GROUP BY c.relrowsecurity, c.relforcerowsecurity;
