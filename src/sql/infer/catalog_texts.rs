//! The texts of which [`super::catalogs`] is put together: what is said of a row in the place of what
//! the database would say. The braces and the names in them are explained there.

/// What `pg_type` says of the type that is shown.
macro_rules! of_type {
    ($own:literal, $column:literal) => {
        (
            $own,
            concat!(
                "CASE WHEN r.shown IS NULL THEN r.",
                $own,
                " ELSE (SELECT t.",
                $column,
                " FROM pg_catalog.pg_type t WHERE t.oid OPERATOR(pg_catalog.=) r.shown) END"
            ),
        )
    };
}

/// This, where another type is shown.
macro_rules! shown {
    ($own:literal, $instead:expr) => {
        (
            $own,
            concat!(
                "CASE WHEN r.shown IS NULL THEN r.",
                $own,
                " ELSE ",
                $instead,
                " END"
            ),
        )
    };
}

/// The type of the state of a declared aggregate: that which clients see of the result or of an
/// argument, if it is the same, or arrays of that of an argument.
macro_rules! state_of_aggregate {
    ($own:literal) => {
        concat!(
            "COALESCE((SELECT CASE WHEN p.prorettype OPERATOR(pg_catalog.=) r.",
            $own,
            " THEN {result} END FROM pg_catalog.pg_proc p WHERE p.oid OPERATOR(pg_catalog.=) \
             r.oid), (SELECT CASE WHEN k.v OPERATOR(pg_catalog.=) r.",
            $own,
            " THEN s.oid ELSE s.typarray END FROM (SELECT u.v, (u.k OPERATOR(pg_catalog.-) \
             1)::pg_catalog.int4 AS k FROM pg_catalog.pg_proc p CROSS JOIN LATERAL \
             pg_catalog.unnest(p.proargtypes::pg_catalog._oid) WITH ORDINALITY u(v, k) WHERE p.oid \
             OPERATOR(pg_catalog.=) r.oid) k JOIN pg_catalog.pg_type o ON o.oid \
             OPERATOR(pg_catalog.=) k.v JOIN pg_catalog.pg_type s ON s.oid OPERATOR(pg_catalog.=) \
             {argument} WHERE r.",
            $own,
            " OPERATOR(pg_catalog.=) ANY (ARRAY[o.oid, o.typarray]) AND r.",
            $own,
            " OPERATOR(pg_catalog.<>) '0' ORDER BY k.k LIMIT 1), r.",
            $own,
            ")"
        )
    };
}

/// This, of a function that is declared.
macro_rules! declared {
    ($own:literal, $instead:expr) => {
        (
            $own,
            concat!(
                "CASE WHEN r.oid OPERATOR(pg_catalog.=) ANY ({declared}) THEN ",
                $instead,
                " ELSE r.",
                $own,
                " END"
            ),
        )
    };
}

/// The oid at the end of the name that the information schema gives a function.
macro_rules! oid_of_routine {
    () => {
        "pg_catalog.substring(r.specific_name::pg_catalog.text, '[0-9]+$')::pg_catalog.oid"
    };
}

/// The type that is shown of a parameter of the information schema.
macro_rules! one_of_any {
    () => {
        "(SELECT {any} FROM (SELECT r.ordinal_position::pg_catalog.int4 AS k) x)"
    };
}

/// What the information schema calls a type of the system.
macro_rules! word_of_type {
    () => {
        "(CASE WHEN t.typlen OPERATOR(pg_catalog.=) '-1' AND t.typelem OPERATOR(pg_catalog.<>) '0' \
         THEN 'ARRAY' ELSE pg_catalog.format_type(t.oid, NULL) \
         END)::information_schema.character_data"
    };
}

/// What is said of the type that is shown in the place of that of a function, if one is.
macro_rules! of_routine {
    ($own:literal, $shown:expr, $said:expr) => {
        (
            $own,
            concat!(
                "CASE WHEN r.oid OPERATOR(pg_catalog.=) ANY ({declared}) AND ",
                $shown,
                " IS NOT NULL THEN (SELECT ",
                $said,
                " FROM pg_catalog.pg_type t WHERE t.oid OPERATOR(pg_catalog.=) ",
                $shown,
                ") ELSE r.",
                $own,
                " END"
            ),
        )
    };
}

/// The oid of a relation by its name.
macro_rules! oid_of {
    ($schema:literal, $name:literal) => {
        concat!(
            "(SELECT c.oid FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid \
             OPERATOR(pg_catalog.=) c.relnamespace WHERE c.relname OPERATOR(pg_catalog.=) ",
            $name,
            " AND n.nspname OPERATOR(pg_catalog.=) ",
            $schema,
            ")"
        )
    };
}

/// The oid of a domain by its name, if what is under it is a type of the system.
macro_rules! oid_of_domain {
    ($schema:literal, $name:literal) => {
        concat!(
            "(SELECT t.oid FROM pg_catalog.pg_type t JOIN pg_catalog.pg_namespace n ON n.oid \
             OPERATOR(pg_catalog.=) t.typnamespace WHERE t.typname OPERATOR(pg_catalog.=) ",
            $name,
            " AND n.nspname OPERATOR(pg_catalog.=) ",
            $schema,
            " AND r.udt_schema OPERATOR(pg_catalog.=) 'pg_catalog')"
        )
    };
}

/// What a row of the information schema says of the size of numbers and texts: of the type that is
/// shown, with what is said beside that.
macro_rules! of_sizes {
    ($($more:expr),* $(,)?) => {
        &[
            $($more,)*
            shown!("numeric_precision", "NULL"),
            shown!("numeric_precision_radix", "NULL"),
            shown!("numeric_scale", "NULL"),
            shown!("character_maximum_length", "NULL"),
            (
                "character_octet_length",
                "CASE WHEN r.shown IS NULL THEN r.character_octet_length WHEN r.shown \
                 OPERATOR(pg_catalog.=) 'pg_catalog.text'::pg_catalog.regtype THEN \
                 '1073741824'::information_schema.cardinal_number END",
            ),
            shown!("collation_catalog", "NULL"),
            shown!("collation_schema", "NULL"),
            shown!("collation_name", "NULL"),
        ]
    };
}

/// The type of a column, as the information schema writes it.
macro_rules! word_of_shown {
    () => {
        concat!(
            "(SELECT ",
            word_of_type!(),
            " FROM pg_catalog.pg_type t WHERE t.oid OPERATOR(pg_catalog.=) r.shown)"
        )
    };
}

/// The name of the type that is shown.
macro_rules! name_of_shown {
    () => {
        "(SELECT t.typname FROM pg_catalog.pg_type t WHERE t.oid OPERATOR(pg_catalog.=) \
         r.shown)::information_schema.sql_identifier"
    };
}

/// The expressions by which columns of keys count.
macro_rules! counters {
    () => {
        "ARRAY(SELECT pg_catalog.format('nextval(%L::regclass)', o.o::pg_catalog.regclass) FROM \
         pg_catalog.unnest({counting}) o(o))"
    };
}

/// An expression that is the default of no column: a list. It stands for the one that fills a column
/// at random, which the server may not have anywhere, and nobody can write an expression.
macro_rules! at_random {
    () => {
        "(SELECT p.proargdefaults FROM pg_catalog.pg_proc p WHERE p.oid OPERATOR(pg_catalog.=) \
         'pg_catalog.make_interval'::pg_catalog.regproc)"
    };
}

/// The text of a statement, in the word that Postgres has for what a role must not see.
macro_rules! unshown {
    ($own:literal) => {
        (
            $own,
            concat!(
                "CASE WHEN r.",
                $own,
                " IS NOT NULL THEN '<insufficient privilege>'::pg_catalog.text END"
            ),
        )
    };
}

/// The default of a domain, if it does not count keys.
macro_rules! default_of_domain {
    ($own:literal, $expression:literal, $instead:expr) => {
        (
            $own,
            concat!(
                "CASE WHEN ",
                $expression,
                " OPERATOR(pg_catalog.=) ANY (",
                counters!(),
                ") THEN ",
                $instead,
                " ELSE r.",
                $own,
                " END"
            ),
        )
    };
}

/// A vector of oids, one for each column of an index: this one, if there is one. Of a series Postgres
/// would expect a thousand, and compile the statement for them.
macro_rules! of_each {
    ($own:literal, $instead:expr) => {
        (
            $own,
            concat!(
                "(SELECT COALESCE(pg_catalog.string_agg(COALESCE((",
                $instead,
                "), r.",
                $own,
                "[k.k])::pg_catalog.text, ' ' ORDER BY k.k), '')::pg_catalog.oidvector FROM \
                 (SELECT (u.k OPERATOR(pg_catalog.-) 1)::pg_catalog.int4 AS k FROM \
                 pg_catalog.unnest(r.",
                $own,
                "::pg_catalog._oid) WITH ORDINALITY u(v, k)) k)"
            ),
        )
    };
}

/// The default operator class of the type that is shown, if that of the column is the default one.
macro_rules! class_of_shown {
    ($own:literal) => {
        concat!(
            "SELECT n.oid FROM pg_catalog.pg_opclass o JOIN pg_catalog.pg_opclass n ON n.opcmethod \
             OPERATOR(pg_catalog.=) o.opcmethod WHERE o.oid OPERATOR(pg_catalog.=) r.",
            $own,
            "[k.k] AND o.opcdefault AND n.opcdefault AND n.opcintype OPERATOR(pg_catalog.=) {shown}"
        )
    };
}

/// An array of operators, one for each column of a constraint: the one of this name between values of
/// the type that is shown, if there is one.
macro_rules! operators_of_each {
    ($own:literal) => {
        (
            $own,
            concat!(
                "CASE WHEN r.",
                $own,
                " IS NOT NULL THEN ARRAY(SELECT COALESCE((SELECT o.oid FROM pg_catalog.pg_operator o \
                 JOIN pg_catalog.pg_operator x ON x.oprname OPERATOR(pg_catalog.=) o.oprname AND \
                 x.oprnamespace OPERATOR(pg_catalog.=) o.oprnamespace WHERE x.oid \
                 OPERATOR(pg_catalog.=) r.",
                $own,
                "[k.k] AND o.oprleft OPERATOR(pg_catalog.=) {shown} AND o.oprright \
                 OPERATOR(pg_catalog.=) {shown}), r.",
                $own,
                "[k.k]) FROM (SELECT u.k::pg_catalog.int4 AS k FROM pg_catalog.unnest(r.",
                $own,
                ") WITH ORDINALITY u(v, k)) k ORDER BY k.k) END"
            ),
        )
    };
}

/// The collation of the type that is shown.
macro_rules! collation_of_shown {
    () => {
        "SELECT t.typcollation FROM pg_catalog.pg_type t WHERE t.oid OPERATOR(pg_catalog.=) {shown}"
    };
}

/// The type of a column of the information schema, or of its domain, if it is one of the system.
macro_rules! in_catalog {
    ($oid:literal, $name:literal) => {
        concat!(
            "(SELECT t.",
            $oid,
            " FROM pg_catalog.pg_type t WHERE t.typname OPERATOR(pg_catalog.=) ",
            $name,
            " AND t.typnamespace OPERATOR(pg_catalog.=) 'pg_catalog'::pg_catalog.regnamespace)"
        )
    };
}

/// By what a column of uuids is filled, and what is written of another type in the default of one of
/// arrays.
macro_rules! default {
    () => {
        concat!(
            "CASE WHEN r.is_identity OPERATOR(pg_catalog.=) 'YES' OR r.column_default \
             OPERATOR(pg_catalog.=) ANY (",
            counters!(),
            ") THEN 'gen_random_uuid()'::information_schema.character_data ELSE \
             pg_catalog.replace(r.column_default::pg_catalog.text, '::' OPERATOR(pg_catalog.||) \
             pg_catalog.format_type(",
            in_catalog!("oid", "r.udt_name"),
            ", NULL), '::' OPERATOR(pg_catalog.||) pg_catalog.format_type(r.shown, NULL))\
             ::information_schema.character_data END"
        )
    };
}

pub(super) use {
    at_random, class_of_shown, collation_of_shown, counters, declared, default, default_of_domain,
    in_catalog, name_of_shown, of_each, of_routine, of_sizes, of_type, oid_of, oid_of_domain,
    oid_of_routine, one_of_any, operators_of_each, shown, state_of_aggregate, unshown,
    word_of_shown, word_of_type,
};
