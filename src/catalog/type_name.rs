//! The names of Postgres's own types, for messages and for casts.

/// The built-in types that error messages and casts name: oid, the name that `format_type` gives,
/// and the other spellings.
const BUILT_IN: &[(u32, &str, &[&str])] = &[
    (16, "boolean", &["bool"]),
    (17, "bytea", &[]),
    (18, "\"char\"", &[]),
    (19, "name", &[]),
    (20, "bigint", &["int8"]),
    (21, "smallint", &["int2"]),
    (23, "integer", &["int", "int4"]),
    (25, "text", &[]),
    (26, "oid", &[]),
    (114, "json", &[]),
    (142, "xml", &[]),
    (700, "real", &["float4"]),
    (701, "double precision", &["float8", "float"]),
    (705, "unknown", &[]),
    (1042, "character", &["char", "bpchar"]),
    (1043, "character varying", &["varchar"]),
    (1082, "date", &[]),
    (1083, "time without time zone", &["time"]),
    (1114, "timestamp without time zone", &["timestamp"]),
    (1184, "timestamp with time zone", &["timestamptz"]),
    (1186, "interval", &[]),
    (1266, "time with time zone", &["timetz"]),
    (1700, "numeric", &["decimal", "dec"]),
    (2205, "regclass", &[]),
    (2249, "record", &[]),
    (2950, "uuid", &[]),
    (2951, "uuid[]", &[]),
    (1001, "bytea[]", &[]),
    (1005, "smallint[]", &[]),
    (1007, "integer[]", &[]),
    (1009, "text[]", &[]),
    (1014, "character[]", &[]),
    (1015, "character varying[]", &[]),
    (1016, "bigint[]", &[]),
    (3614, "tsvector", &[]),
    (3802, "jsonb", &[]),
];

/// The name of a built-in type as Postgres's messages write it.
#[must_use]
pub(crate) fn type_name(oid: u32) -> Option<&'static str> {
    BUILT_IN
        .iter()
        .find(|(known, ..)| *known == oid)
        .map(|(_, name, _)| *name)
}

/// The oid of a built-in type by any of its names, 0 if it is none of those listed.
#[must_use]
pub(crate) fn type_oid(name: &str) -> u32 {
    BUILT_IN
        .iter()
        .find(|(_, known, others)| *known == name || others.contains(&name))
        .map_or(0, |(oid, ..)| *oid)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_type_is_found_by_each_of_its_names() {
        assert_eq!(type_oid("int8"), 20);
        assert_eq!(type_oid("bigint"), 20);
        assert_eq!(type_name(20), Some("bigint"));
        assert_eq!(type_oid("no_type"), 0);
    }
}
