//! The keywords of Postgres.

/// Whether a word, in lower case, is a keyword of Postgres (15 to 18) that the grammar needs as
/// such. Everything else is a name, whatever other dialects of SQL make of it. Not in
/// the list, although keywords, are the words that only name a type.
pub(in crate::sql) fn is_keyword(word: &str) -> bool {
    KEYWORDS.binary_search(&word).is_ok()
}

/// In ascending order.
#[rustfmt::skip]
const KEYWORDS: &[&str] = &[
    "abort", "absent", "absolute", "access", "action", "add", "admin", "after", "aggregate",
    "all", "also", "alter", "always", "analyse", "analyze", "and", "any", "array", "as", "asc",
    "asensitive", "assertion", "assignment", "asymmetric", "at", "atomic", "attach", "attribute",
    "authorization", "backward", "before", "begin", "between", "binary", "both", "breadth",
    "by", "cache", "call", "called", "cascade", "cascaded", "case", "cast", "catalog", "chain",
    "characteristics", "check", "checkpoint", "class", "close", "cluster",
    "coalesce", "collate", "collation", "column", "columns", "comment", "comments", "commit",
    "committed", "compression", "concurrently", "configuration", "conflict", "connection",
    "constraint", "constraints", "content", "continue", "conversion", "copy", "cost", "create",
    "cross", "csv", "cube", "current", "current_catalog", "current_date", "current_role",
    "current_schema", "current_time", "current_timestamp", "current_user", "cursor", "cycle",
    "data", "database", "day", "deallocate", "declare", "default", "defaults", "deferrable",
    "deferred", "definer", "delete", "delimiter", "delimiters", "depends", "depth", "desc",
    "detach", "dictionary", "disable", "discard", "distinct", "do", "document", "domain",
    "double", "drop", "each", "else", "enable", "encoding", "encrypted", "end", "enum", "escape",
    "event", "except", "exclude", "excluding", "exclusive", "execute", "exists", "explain",
    "expression", "extension", "external", "extract", "false", "family", "fetch", "filter",
    "finalize", "first", "following", "for", "force", "foreign", "forward", "freeze", "from",
    "full", "function", "functions", "generated", "global", "grant", "granted", "greatest",
    "group", "grouping", "groups", "handler", "having", "header", "hold", "hour", "identity",
    "if", "ilike", "immediate", "immutable", "implicit", "import", "in", "include", "including",
    "increment", "index", "indexes", "inherit", "inherits", "initially", "inline", "inner",
    "inout", "input", "insensitive", "insert", "instead", "intersect", "interval", "into",
    "invoker", "is", "isnull", "isolation", "join", "json_table", "key", "keys", "label",
    "language", "large", "last", "lateral", "leading", "leakproof", "least", "left", "level",
    "like", "limit", "listen", "load", "local", "localtime", "localtimestamp", "location", "lock",
    "locked", "logged", "mapping", "matched", "materialized", "maxvalue", "merge",
    "merge_action", "method", "minute", "minvalue", "mode", "month", "move", "names", "national",
    "natural", "nested", "new", "next", "nfc", "nfd", "nfkc", "nfkd", "no", "none", "normalize",
    "normalized", "not", "nothing", "notify", "notnull", "nowait", "null", "nullif", "nulls",
    "object", "of", "off", "offset", "oids", "old", "on", "only", "operator", "option", "options",
    "or", "order", "ordinality", "others", "out", "outer", "over", "overlaps", "overlay",
    "overriding", "owned", "owner", "parallel", "parameter", "parser", "partial", "partition",
    "passing", "password", "placing", "plans", "policy", "position", "preceding", "precision",
    "prepare", "prepared", "preserve", "primary", "prior", "privileges", "procedural",
    "procedure", "procedures", "program", "publication", "quote", "range", "read", "reassign",
    "recheck", "recursive", "ref", "references", "referencing", "refresh", "reindex", "relative",
    "release", "rename", "repeatable", "replace", "replica", "reset", "restart", "restrict",
    "return", "returning", "returns", "revoke", "right", "role", "rollback", "rollup", "routine",
    "routines", "row", "rows", "rule", "savepoint", "scalar", "schema", "schemas", "scroll",
    "search", "second", "security", "select", "sequence", "sequences", "serializable", "server",
    "session", "session_user", "set", "setof", "sets", "share", "show", "similar", "simple",
    "skip", "snapshot", "some", "source", "sql", "stable", "standalone", "start", "statement",
    "statistics", "stdin", "stdout", "storage", "stored", "strict", "strip", "subscription",
    "substring", "support", "symmetric", "sysid", "system", "system_user", "table", "tables",
    "tablesample", "tablespace", "target", "temp", "template", "temporary", "then", "ties",
    "time", "timestamp", "to", "trailing", "transaction", "transform", "treat", "trigger", "trim",
    "true", "truncate", "trusted", "type", "types", "uescape", "unbounded", "uncommitted",
    "unencrypted", "union", "unique", "unknown", "unlisten", "unlogged", "unnest", "until",
    "update", "user", "using", "vacuum", "valid", "validate", "validator", "value", "values",
    "variadic", "varying", "verbose", "version", "view", "views", "volatile", "when", "where",
    "whitespace", "window", "with", "within", "without", "work", "wrapper", "write",
    "xmlattributes", "xmlconcat", "xmlelement", "xmlexists", "xmlforest", "xmlnamespaces",
    "xmlparse", "xmlpi", "xmlroot", "xmlserialize", "xmltable", "year", "yes", "zone",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn are_in_ascending_order() {
        assert!(KEYWORDS.is_sorted());
    }
}
