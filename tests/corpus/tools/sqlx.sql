-- sqlx 0.9.0: what query! and describe ask of types, columns and whether they may be null.

SELECT pg_type.oid,
pg_type.oid::regtype::text pretty_name,
typname catalog_name,
original_name,
typtype,
typcategory,
NULLIF(typelem, 0::oid) typelem,
NULLIF(typbasetype, 0::oid) typbasetype,
rngsubtype,
COALESCE(
(SELECT array_agg(enumlabel) FROM (SELECT *
FROM pg_catalog.pg_enum
WHERE enumtypid = pg_type.oid
ORDER BY enumsortorder) labels),
'{}') enum_labels,
COALESCE(
(SELECT array_agg((attname, atttypid)) FROM (SELECT *
FROM pg_catalog.pg_attribute
WHERE attrelid = pg_type.typrelid
AND NOT attisdropped
AND attnum > 0
ORDER BY attnum) attributes),
'{}') record_attributes
FROM (SELECT DISTINCT ON(lookup_oid) original_name, lookup_oid
FROM (VALUES ('users', 'users'::regtype::oid)) lookup_inner(original_name, lookup_oid)
ORDER BY lookup_oid) type_lookup
INNER JOIN pg_catalog.pg_type ON type_lookup.lookup_oid = pg_type.oid
LEFT JOIN pg_catalog.pg_range ON pg_type.oid = pg_range.rngtypid;

SELECT pg_type.oid,
pg_type.oid::regtype::text pretty_name,
typname catalog_name,
original_name,
typtype,
typcategory,
NULLIF(typelem, 0::oid) typelem,
NULLIF(typbasetype, 0::oid) typbasetype,
rngsubtype,
COALESCE(
(SELECT array_agg(enumlabel) FROM (SELECT *
FROM pg_catalog.pg_enum
WHERE enumtypid = pg_type.oid
ORDER BY enumsortorder) labels),
'{}') enum_labels,
COALESCE(
(SELECT array_agg((attname, atttypid)) FROM (SELECT *
FROM pg_catalog.pg_attribute
WHERE attrelid = pg_type.typrelid
AND NOT attisdropped
AND attnum > 0
ORDER BY attnum) attributes),
'{}') record_attributes
FROM (SELECT DISTINCT ON(lookup_oid) original_name, lookup_oid
FROM (VALUES ('orders', 'orders'::regtype::oid)) lookup_inner(original_name, lookup_oid)
ORDER BY lookup_oid) type_lookup
INNER JOIN pg_catalog.pg_type ON type_lookup.lookup_oid = pg_type.oid
LEFT JOIN pg_catalog.pg_range ON pg_type.oid = pg_range.rngtypid;

SELECT pg_type.oid,
pg_type.oid::regtype::text pretty_name,
typname catalog_name,
original_name,
typtype,
typcategory,
NULLIF(typelem, 0::oid) typelem,
NULLIF(typbasetype, 0::oid) typbasetype,
rngsubtype,
COALESCE(
(SELECT array_agg(enumlabel) FROM (SELECT *
FROM pg_catalog.pg_enum
WHERE enumtypid = pg_type.oid
ORDER BY enumsortorder) labels),
'{}') enum_labels,
COALESCE(
(SELECT array_agg((attname, atttypid)) FROM (SELECT *
FROM pg_catalog.pg_attribute
WHERE attrelid = pg_type.typrelid
AND NOT attisdropped
AND attnum > 0
ORDER BY attnum) attributes),
'{}') record_attributes
FROM (SELECT DISTINCT ON(lookup_oid) original_name, lookup_oid
FROM (VALUES ('contact', 'contact'::regtype::oid)) lookup_inner(original_name, lookup_oid)
ORDER BY lookup_oid) type_lookup
INNER JOIN pg_catalog.pg_type ON type_lookup.lookup_oid = pg_type.oid
LEFT JOIN pg_catalog.pg_range ON pg_type.oid = pg_range.rngtypid;

SELECT pg_type.oid,
pg_type.oid::regtype::text pretty_name,
typname catalog_name,
original_name,
typtype,
typcategory,
NULLIF(typelem, 0::oid) typelem,
NULLIF(typbasetype, 0::oid) typbasetype,
rngsubtype,
COALESCE(
(SELECT array_agg(enumlabel) FROM (SELECT *
FROM pg_catalog.pg_enum
WHERE enumtypid = pg_type.oid
ORDER BY enumsortorder) labels),
'{}') enum_labels,
COALESCE(
(SELECT array_agg((attname, atttypid)) FROM (SELECT *
FROM pg_catalog.pg_attribute
WHERE attrelid = pg_type.typrelid
AND NOT attisdropped
AND attnum > 0
ORDER BY attnum) attributes),
'{}') record_attributes
FROM (SELECT DISTINCT ON(lookup_oid) original_name, lookup_oid
FROM (VALUES ('user_ref', 'user_ref'::regtype::oid)) lookup_inner(original_name, lookup_oid)
ORDER BY lookup_oid) type_lookup
INNER JOIN pg_catalog.pg_type ON type_lookup.lookup_oid = pg_type.oid
LEFT JOIN pg_catalog.pg_range ON pg_type.oid = pg_range.rngtypid;

SELECT pg_type.oid,
pg_type.oid::regtype::text pretty_name,
typname catalog_name,
original_name,
typtype,
typcategory,
NULLIF(typelem, 0::oid) typelem,
NULLIF(typbasetype, 0::oid) typbasetype,
rngsubtype,
COALESCE(
(SELECT array_agg(enumlabel) FROM (SELECT *
FROM pg_catalog.pg_enum
WHERE enumtypid = pg_type.oid
ORDER BY enumsortorder) labels),
'{}') enum_labels,
COALESCE(
(SELECT array_agg((attname, atttypid)) FROM (SELECT *
FROM pg_catalog.pg_attribute
WHERE attrelid = pg_type.typrelid
AND NOT attisdropped
AND attnum > 0
ORDER BY attnum) attributes),
'{}') record_attributes
FROM (SELECT DISTINCT ON(lookup_oid) original_name, lookup_oid
FROM (VALUES ('deep_ref', 'deep_ref'::regtype::oid)) lookup_inner(original_name, lookup_oid)
ORDER BY lookup_oid) type_lookup
INNER JOIN pg_catalog.pg_type ON type_lookup.lookup_oid = pg_type.oid
LEFT JOIN pg_catalog.pg_range ON pg_type.oid = pg_range.rngtypid;

SELECT pg_type.oid,
pg_type.oid::regtype::text pretty_name,
typname catalog_name,
original_name,
typtype,
typcategory,
NULLIF(typelem, 0::oid) typelem,
NULLIF(typbasetype, 0::oid) typbasetype,
rngsubtype,
COALESCE(
(SELECT array_agg(enumlabel) FROM (SELECT *
FROM pg_catalog.pg_enum
WHERE enumtypid = pg_type.oid
ORDER BY enumsortorder) labels),
'{}') enum_labels,
COALESCE(
(SELECT array_agg((attname, atttypid)) FROM (SELECT *
FROM pg_catalog.pg_attribute
WHERE attrelid = pg_type.typrelid
AND NOT attisdropped
AND attnum > 0
ORDER BY attnum) attributes),
'{}') record_attributes
FROM (SELECT DISTINCT ON(lookup_oid) original_name, lookup_oid
FROM (VALUES ('user_refs', 'user_refs'::regtype::oid)) lookup_inner(original_name, lookup_oid)
ORDER BY lookup_oid) type_lookup
INNER JOIN pg_catalog.pg_type ON type_lookup.lookup_oid = pg_type.oid
LEFT JOIN pg_catalog.pg_range ON pg_type.oid = pg_range.rngtypid;

SELECT pg_type.oid,
pg_type.oid::regtype::text pretty_name,
typname catalog_name,
original_name,
typtype,
typcategory,
NULLIF(typelem, 0::oid) typelem,
NULLIF(typbasetype, 0::oid) typbasetype,
rngsubtype,
COALESCE(
(SELECT array_agg(enumlabel) FROM (SELECT *
FROM pg_catalog.pg_enum
WHERE enumtypid = pg_type.oid
ORDER BY enumsortorder) labels),
'{}') enum_labels,
COALESCE(
(SELECT array_agg((attname, atttypid)) FROM (SELECT *
FROM pg_catalog.pg_attribute
WHERE attrelid = pg_type.typrelid
AND NOT attisdropped
AND attnum > 0
ORDER BY attnum) attributes),
'{}') record_attributes
FROM (SELECT DISTINCT ON(lookup_oid) original_name, lookup_oid
FROM (VALUES ('made', 'made'::regtype::oid)) lookup_inner(original_name, lookup_oid)
ORDER BY lookup_oid) type_lookup
INNER JOIN pg_catalog.pg_type ON type_lookup.lookup_oid = pg_type.oid
LEFT JOIN pg_catalog.pg_range ON pg_type.oid = pg_range.rngtypid;

SELECT pg_type.oid,
pg_type.oid::regtype::text pretty_name,
typname catalog_name,
original_name,
typtype,
typcategory,
NULLIF(typelem, 0::oid) typelem,
NULLIF(typbasetype, 0::oid) typbasetype,
rngsubtype,
COALESCE(
(SELECT array_agg(enumlabel) FROM (SELECT *
FROM pg_catalog.pg_enum
WHERE enumtypid = pg_type.oid
ORDER BY enumsortorder) labels),
'{}') enum_labels,
COALESCE(
(SELECT array_agg((attname, atttypid)) FROM (SELECT *
FROM pg_catalog.pg_attribute
WHERE attrelid = pg_type.typrelid
AND NOT attisdropped
AND attnum > 0
ORDER BY attnum) attributes),
'{}') record_attributes
FROM (SELECT DISTINCT ON(lookup_oid) original_name, lookup_oid
FROM (VALUES ('counter', 'counter'::regtype::oid)) lookup_inner(original_name, lookup_oid)
ORDER BY lookup_oid) type_lookup
INNER JOIN pg_catalog.pg_type ON type_lookup.lookup_oid = pg_type.oid
LEFT JOIN pg_catalog.pg_range ON pg_type.oid = pg_range.rngtypid;

SELECT pg_type.oid,
pg_type.oid::regtype::text pretty_name,
typname catalog_name,
original_name,
typtype,
typcategory,
NULLIF(typelem, 0::oid) typelem,
NULLIF(typbasetype, 0::oid) typbasetype,
rngsubtype,
COALESCE(
(SELECT array_agg(enumlabel) FROM (SELECT *
FROM pg_catalog.pg_enum
WHERE enumtypid = pg_type.oid
ORDER BY enumsortorder) labels),
'{}') enum_labels,
COALESCE(
(SELECT array_agg((attname, atttypid)) FROM (SELECT *
FROM pg_catalog.pg_attribute
WHERE attrelid = pg_type.typrelid
AND NOT attisdropped
AND attnum > 0
ORDER BY attnum) attributes),
'{}') record_attributes
FROM (SELECT DISTINCT ON(lookup_oid) original_name, lookup_oid
FROM (VALUES ('uuid', 'uuid'::regtype::oid)) lookup_inner(original_name, lookup_oid)
ORDER BY lookup_oid) type_lookup
INNER JOIN pg_catalog.pg_type ON type_lookup.lookup_oid = pg_type.oid
LEFT JOIN pg_catalog.pg_range ON pg_type.oid = pg_range.rngtypid;

SELECT pg_type.oid,
pg_type.oid::regtype::text pretty_name,
typname catalog_name,
original_name,
typtype,
typcategory,
NULLIF(typelem, 0::oid) typelem,
NULLIF(typbasetype, 0::oid) typbasetype,
rngsubtype,
COALESCE(
(SELECT array_agg(enumlabel) FROM (SELECT *
FROM pg_catalog.pg_enum
WHERE enumtypid = pg_type.oid
ORDER BY enumsortorder) labels),
'{}') enum_labels,
COALESCE(
(SELECT array_agg((attname, atttypid)) FROM (SELECT *
FROM pg_catalog.pg_attribute
WHERE attrelid = pg_type.typrelid
AND NOT attisdropped
AND attnum > 0
ORDER BY attnum) attributes),
'{}') record_attributes
FROM (SELECT DISTINCT ON(lookup_oid) original_name, lookup_oid
FROM (VALUES ('int8', 'int8'::regtype::oid)) lookup_inner(original_name, lookup_oid)
ORDER BY lookup_oid) type_lookup
INNER JOIN pg_catalog.pg_type ON type_lookup.lookup_oid = pg_type.oid
LEFT JOIN pg_catalog.pg_range ON pg_type.oid = pg_range.rngtypid;

SELECT pg_type.oid,
pg_type.oid::regtype::text pretty_name,
typname catalog_name,
original_name,
typtype,
typcategory,
NULLIF(typelem, 0::oid) typelem,
NULLIF(typbasetype, 0::oid) typbasetype,
rngsubtype,
COALESCE(
(SELECT array_agg(enumlabel) FROM (SELECT *
FROM pg_catalog.pg_enum
WHERE enumtypid = pg_type.oid
ORDER BY enumsortorder) labels),
'{}') enum_labels,
COALESCE(
(SELECT array_agg((attname, atttypid)) FROM (SELECT *
FROM pg_catalog.pg_attribute
WHERE attrelid = pg_type.typrelid
AND NOT attisdropped
AND attnum > 0
ORDER BY attnum) attributes),
'{}') record_attributes
FROM (SELECT DISTINCT ON(lookup_oid) original_name, lookup_oid
FROM (VALUES ('_uuid', '_uuid'::regtype::oid)) lookup_inner(original_name, lookup_oid)
ORDER BY lookup_oid) type_lookup
INNER JOIN pg_catalog.pg_type ON type_lookup.lookup_oid = pg_type.oid
LEFT JOIN pg_catalog.pg_range ON pg_type.oid = pg_range.rngtypid;

SELECT pg_type.oid,
pg_type.oid::regtype::text pretty_name,
typname catalog_name,
original_name,
typtype,
typcategory,
NULLIF(typelem, 0::oid) typelem,
NULLIF(typbasetype, 0::oid) typbasetype,
rngsubtype,
COALESCE(
(SELECT array_agg(enumlabel) FROM (SELECT *
FROM pg_catalog.pg_enum
WHERE enumtypid = pg_type.oid
ORDER BY enumsortorder) labels),
'{}') enum_labels,
COALESCE(
(SELECT array_agg((attname, atttypid)) FROM (SELECT *
FROM pg_catalog.pg_attribute
WHERE attrelid = pg_type.typrelid
AND NOT attisdropped
AND attnum > 0
ORDER BY attnum) attributes),
'{}') record_attributes
FROM (SELECT DISTINCT ON(lookup_oid) original_name, lookup_oid
FROM (VALUES ('contact[]', 'contact[]'::regtype::oid)) lookup_inner(original_name, lookup_oid)
ORDER BY lookup_oid) type_lookup
INNER JOIN pg_catalog.pg_type ON type_lookup.lookup_oid = pg_type.oid
LEFT JOIN pg_catalog.pg_range ON pg_type.oid = pg_range.rngtypid;

SELECT pg_type.oid,
pg_type.oid::regtype::text pretty_name,
typname catalog_name,
original_name,
typtype,
typcategory,
NULLIF(typelem, 0::oid) typelem,
NULLIF(typbasetype, 0::oid) typbasetype,
rngsubtype,
COALESCE(
(SELECT array_agg(enumlabel) FROM (SELECT *
FROM pg_catalog.pg_enum
WHERE enumtypid = pg_type.oid
ORDER BY enumsortorder) labels),
'{}') enum_labels,
COALESCE(
(SELECT array_agg((attname, atttypid)) FROM (SELECT *
FROM pg_catalog.pg_attribute
WHERE attrelid = pg_type.typrelid
AND NOT attisdropped
AND attnum > 0
ORDER BY attnum) attributes),
'{}') record_attributes
FROM (SELECT DISTINCT ON(lookup_oid) original_name, lookup_oid
FROM (VALUES ('placed', 'placed'::regtype::oid)) lookup_inner(original_name, lookup_oid)
ORDER BY lookup_oid) type_lookup
INNER JOIN pg_catalog.pg_type ON type_lookup.lookup_oid = pg_type.oid
LEFT JOIN pg_catalog.pg_range ON pg_type.oid = pg_range.rngtypid;

SELECT pg_type.oid,
pg_type.oid::regtype::text pretty_name,
typname catalog_name,
original_name,
typtype,
typcategory,
NULLIF(typelem, 0::oid) typelem,
NULLIF(typbasetype, 0::oid) typbasetype,
rngsubtype,
COALESCE(
(SELECT array_agg(enumlabel) FROM (SELECT *
FROM pg_catalog.pg_enum
WHERE enumtypid = pg_type.oid
ORDER BY enumsortorder) labels),
'{}') enum_labels,
COALESCE(
(SELECT array_agg((attname, atttypid)) FROM (SELECT *
FROM pg_catalog.pg_attribute
WHERE attrelid = pg_type.typrelid
AND NOT attisdropped
AND attnum > 0
ORDER BY attnum) attributes),
'{}') record_attributes
FROM (SELECT DISTINCT ON(lookup_oid) original_name, lookup_oid
FROM (VALUES ('users', 'users'::regtype::oid), ('orders', 'orders'::regtype::oid), ('contact', 'contact'::regtype::oid), ('user_ref', 'user_ref'::regtype::oid), ('deep_ref', 'deep_ref'::regtype::oid), ('user_refs', 'user_refs'::regtype::oid), ('made', 'made'::regtype::oid), ('counter', 'counter'::regtype::oid), ('uuid', 'uuid'::regtype::oid), ('int8', 'int8'::regtype::oid), ('_uuid', '_uuid'::regtype::oid), ('contact[]', 'contact[]'::regtype::oid), ('placed', 'placed'::regtype::oid)) lookup_inner(original_name, lookup_oid)
ORDER BY lookup_oid) type_lookup
INNER JOIN pg_catalog.pg_type ON type_lookup.lookup_oid = pg_type.oid
LEFT JOIN pg_catalog.pg_range ON pg_type.oid = pg_range.rngtypid;

SELECT
attrelid table_oid,
attrelid::regclass::text table_name,
array_agg(ROW(attnum, attname)) AS columns
FROM (VALUES ('orders'::regclass::oid, 1), ('orders'::regclass::oid, 2), ('users'::regclass::oid, 1)) lookup(table_oid, attribute_num)
INNER JOIN pg_catalog.pg_attribute ON lookup.table_oid = attrelid AND lookup.attribute_num = attnum
GROUP BY attrelid;

SELECT
attrelid table_oid,
attrelid::regclass::text table_name,
array_agg(ROW(attnum, attname)) AS columns
FROM (VALUES ('visits'::regclass::oid, 1), ('visits'::regclass::oid, 2), ('visits'::regclass::oid, 3)) lookup(table_oid, attribute_num)
INNER JOIN pg_catalog.pg_attribute ON lookup.table_oid = attrelid AND lookup.attribute_num = attnum
GROUP BY attrelid;

SELECT
attrelid table_oid,
attrelid::regclass::text table_name,
array_agg(ROW(attnum, attname)) AS columns
FROM (VALUES ('guests'::regclass::oid, 1)) lookup(table_oid, attribute_num)
INNER JOIN pg_catalog.pg_attribute ON lookup.table_oid = attrelid AND lookup.attribute_num = attnum
GROUP BY attrelid;

SELECT NOT attnotnull FROM ( ( SELECT 0::int4 AS idx, 'orders'::regclass::int4 AS table_id, 1::int2 AS col_idx ) UNION ALL ( SELECT 1::int4, 'orders'::regclass::int4, 2::int2 ) UNION ALL ( SELECT 2::int4, 'users'::regclass::int4, 3::int2 ) UNION ALL ( SELECT 3::int4, NULL::int4, NULL::int2 ) ) AS col LEFT JOIN pg_catalog.pg_attribute ON table_id IS NOT NULL AND attrelid = table_id AND attnum = col_idx ORDER BY idx;

SELECT NOT attnotnull FROM ( ( SELECT 0::int4 AS idx, 'visits'::regclass::int4 AS table_id, 1::int2 AS col_idx ) UNION ALL ( SELECT 1::int4, 'visits'::regclass::int4, 2::int2 ) UNION ALL ( SELECT 2::int4, 'guests'::regclass::int4, 1::int2 ) UNION ALL ( SELECT 3::int4, 'comments'::regclass::int4, 4::int2 ) ) AS col LEFT JOIN pg_catalog.pg_attribute ON table_id IS NOT NULL AND attrelid = table_id AND attnum = col_idx ORDER BY idx;
