//! The oids of Postgres's own types (`pg_type.dat`), and their names.

/// The first oid that objects of users get.
pub const FIRST_NORMAL: u32 = 16_384;

/// Declares oids as constants, and those that messages and casts name as a table: the oid, the
/// name that `format_type` gives, and the other spellings.
macro_rules! types {
    (
        named: $($oid:literal $constant:ident $name:literal $($other:literal)*;)*
        others: $($hidden:literal $unnamed:ident $told:literal;)*
    ) => {
        $(#[doc = concat!("The oid of `", $name, "`.")] pub const $constant: u32 = $oid;)*
        $(#[doc = concat!("The oid of `", $told, "`.")] pub const $unnamed: u32 = $hidden;)*

        const NAMED: &[(u32, &str, &[&str])] = &[$(($oid, $name, &[$($other),*])),*];
    };
}

types! {
    named:
    16 BOOL "boolean" "bool";
    17 BYTEA "bytea";
    18 CHAR "\"char\"";
    19 NAME "name";
    20 INT8 "bigint" "int8";
    21 INT2 "smallint" "int2";
    23 INT4 "integer" "int" "int4";
    25 TEXT "text";
    26 OID "oid";
    114 JSON "json";
    142 XML "xml";
    700 FLOAT4 "real" "float4";
    701 FLOAT8 "double precision" "float8" "float";
    705 UNKNOWN "unknown";
    1042 BPCHAR "character" "char" "bpchar";
    1043 VARCHAR "character varying" "varchar";
    1082 DATE "date";
    1083 TIME "time without time zone" "time";
    1114 TIMESTAMP "timestamp without time zone" "timestamp";
    1184 TIMESTAMPTZ "timestamp with time zone" "timestamptz";
    1186 INTERVAL "interval";
    1266 TIMETZ "time with time zone" "timetz";
    1700 NUMERIC "numeric" "decimal" "dec";
    24 REGPROC "regproc";
    2202 REGPROCEDURE "regprocedure";
    2205 REGCLASS "regclass";
    2249 RECORD "record";
    2279 TRIGGER "trigger";
    2950 UUID "uuid";
    2951 UUID_ARRAY "uuid[]";
    1001 BYTEA_ARRAY "bytea[]";
    1005 INT2_ARRAY "smallint[]";
    1007 INT4_ARRAY "integer[]";
    1009 TEXT_ARRAY "text[]";
    1014 BPCHAR_ARRAY "character[]";
    1015 VARCHAR_ARRAY "character varying[]";
    1016 INT8_ARRAY "bigint[]";
    3614 TSVECTOR "tsvector";
    3802 JSONB "jsonb";

    others:
    28 XID "xid";
    194 PG_NODE_TREE "pg_node_tree";
    790 MONEY "money";
    1034 ACLITEM_ARRAY "aclitem[]";
    2277 ANYARRAY "anyarray";
    5069 XID8 "xid8";
    199 JSON_ARRAY "json[]";
    2206 REGTYPE "regtype";
    2278 VOID "void";
    2287 RECORD_ARRAY "record[]";
    3807 JSONB_ARRAY "jsonb[]";
}

/// Types whose values are no keys, whatever a database stores.
pub const NEVER_KEYS: [u32; 9] = [
    BOOL,
    CHAR,
    DATE,
    TIME,
    TIMESTAMP,
    TIMESTAMPTZ,
    INTERVAL,
    TIMETZ,
    VOID,
];

/// The name of a built-in type as Postgres's messages write it.
#[must_use]
pub fn name(oid: u32) -> Option<&'static str> {
    let mut types = NAMED.iter();
    types.find_map(|(known, name, _)| (*known == oid).then_some(*name))
}

/// The oid of a built-in type by any of its names, 0 if it is none of those listed.
#[must_use]
pub fn named(name: &str) -> u32 {
    let mut types = NAMED.iter();
    let found = types.find(|(_, known, others)| *known == name || others.contains(&name));
    found.map_or(0, |(oid, ..)| *oid)
}

/// Tells whether a type is one of Postgres's own for strings.
#[must_use]
pub const fn is_string(oid: u32) -> bool {
    matches!(oid, CHAR | NAME | TEXT | BPCHAR | VARCHAR)
}

/// Tells whether values of a type are text or a document, so that there may be documents in them.
#[must_use]
pub const fn is_text_or_document(oid: u32) -> bool {
    matches!(oid, TEXT | VARCHAR | JSON | JSONB)
}

/// Tells the same of the elements of a type of arrays.
#[must_use]
pub const fn is_array_of_texts_or_documents(oid: u32) -> bool {
    matches!(oid, TEXT_ARRAY | VARCHAR_ARRAY | JSON_ARRAY | JSONB_ARRAY)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_type_is_found_by_each_of_its_names() {
        assert_eq!(named("int8"), INT8);
        assert_eq!(named("bigint"), INT8);
        assert_eq!(name(INT8), Some("bigint"));
        assert_eq!(named("no_type"), 0);
    }
}
