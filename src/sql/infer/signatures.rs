//! What the catalogs say of the arguments and results of declared functions: the types that clients
//! see, in `pg_proc`, in the views of the information schema over it, and in what the functions tell
//! that write a signature as text.

use std::collections::BTreeMap;

use crate::catalog::{Part, ShownPart, Snapshot};

/// Whether the configuration makes functions that write signatures say something else.
pub(super) fn tells_signatures(snapshot: &Snapshot) -> bool {
    snapshot.shows_ids() && !snapshot.functions().shown_otherwise().is_empty()
}

/// Texts with the oids of functions and types in them, in the place of the braces.
pub(super) fn with_signatures(text: &str, snapshot: &Snapshot) -> String {
    if !text.contains("{declared}") {
        return text.to_owned();
    }
    let parts = snapshot.functions().shown_otherwise();
    let mut functions: Vec<u32> = parts.iter().map(|part| part.function.0).collect();
    functions.dedup();
    let functions: Vec<String> = functions.iter().map(u32::to_string).collect();
    let declared = format!("'{{{}}}'::pg_catalog._oid", functions.join(","));
    text.replace("{declared}", &declared)
        .replace("{result}", &shown(&parts, "0"))
        .replace("{argument}", &shown(&parts, "k.k OPERATOR(pg_catalog.+) 1"))
        .replace("{any}", &any(&parts))
}

/// The number of a part within its function.
fn number(part: Part) -> u32 {
    match part {
        Part::Result => 0,
        Part::Argument(index) => u32::from(index),
        Part::Column(index) => (1 << 16) + u32::from(index),
    }
}

/// The oid of the type that is shown of the part with a number of the row `r`; null if it is its own.
fn shown(parts: &[ShownPart], place: &str) -> String {
    let mut by_type: BTreeMap<u32, Vec<String>> = BTreeMap::new();
    for part in parts {
        let numbers = by_type.entry(part.shown).or_default();
        let number = i64::from(part.function.0) * (1 << 17) + i64::from(number(part.part));
        numbers.push(number.to_string());
    }
    if by_type.is_empty() {
        return "NULL::pg_catalog.oid".to_owned();
    }
    let mut text = "CASE".to_owned();
    for (shown, numbers) in by_type {
        text += &format!(
            " WHEN r.oid::pg_catalog.int8 OPERATOR(pg_catalog.*) 131072 OPERATOR(pg_catalog.+) \
             ({place}) OPERATOR(pg_catalog.=) ANY ('{{{}}}'::pg_catalog._int8) THEN \
             '{shown}'::pg_catalog.oid",
            numbers.join(",")
        );
    }
    text + " END"
}

/// The oid of the type that is shown of the one of all arguments, of calls and of results, whose
/// number is `x.k`.
fn any(parts: &[ShownPart]) -> String {
    let counted = |modes: &str| {
        let without_modes = if modes.contains('i') { "x.k" } else { "0" };
        format!(
            "CASE WHEN r.proargmodes IS NULL THEN {without_modes} ELSE (SELECT pg_catalog.count(*) \
             FROM pg_catalog.unnest(r.proargmodes) WITH ORDINALITY j(mode, j) WHERE j.j \
             OPERATOR(pg_catalog.<=) x.k AND j.mode::pg_catalog.text OPERATOR(pg_catalog.=) ANY \
             ('{{{modes}}}'::pg_catalog._text)) END"
        )
    };
    format!(
        "CASE WHEN COALESCE(r.proargmodes[x.k]::pg_catalog.text, 'i') OPERATOR(pg_catalog.=) ANY \
         ('{{i,b,v}}'::pg_catalog._text) THEN {} ELSE {} END",
        shown(parts, &counted("i,b,v")),
        shown(
            parts,
            &format!("65536 OPERATOR(pg_catalog.+) ({})", counted("o,b,t"))
        )
    )
}

/// What stands in the place of the name of such a function with its first parenthesis, and in that of
/// the last one.
pub(super) fn around_signature(name: &str, snapshot: &Snapshot) -> [String; 2] {
    let arguments = |defaults: bool| {
        let default = match defaults {
            // The default of an id is a key.
            true => {
                "COALESCE(' DEFAULT ' OPERATOR(pg_catalog.||) CASE WHEN a.s IS NULL THEN \
                     pg_catalog.pg_get_function_arg_default(r.oid, a.k::pg_catalog.int4) WHEN \
                     pg_catalog.pg_get_function_arg_default(r.oid, a.k::pg_catalog.int4) IS NOT \
                     NULL THEN 'NULL::' OPERATOR(pg_catalog.||) pg_catalog.format_type(a.s, NULL) \
                     END, '')"
            }
            false => "''",
        };
        format!(
            "(SELECT COALESCE(pg_catalog.string_agg(CASE a.m WHEN 'o' THEN 'OUT ' WHEN 'b' THEN \
             'INOUT ' WHEN 'v' THEN 'VARIADIC ' ELSE CASE WHEN r.prokind OPERATOR(pg_catalog.=) \
             'p' AND pg_catalog.current_setting('server_version_num')::pg_catalog.int4 \
             OPERATOR(pg_catalog.>=) 140000 THEN 'IN ' ELSE '' END END OPERATOR(pg_catalog.||) \
             COALESCE(pg_catalog.quote_ident(NULLIF(r.proargnames[a.k], '')) \
             OPERATOR(pg_catalog.||) ' ', '') OPERATOR(pg_catalog.||) \
             pg_catalog.format_type(COALESCE(a.s, a.t), NULL) OPERATOR(pg_catalog.||) {default}, \
             ', ' ORDER BY a.k), '') FROM (SELECT x.k, x.t, {{any}} AS s, \
             COALESCE(r.proargmodes[x.k]::pg_catalog.text, 'i') AS m FROM \
             pg_catalog.unnest(COALESCE(r.proallargtypes, r.proargtypes::pg_catalog._oid)) WITH \
             ORDINALITY x(t, k)) a WHERE a.m OPERATOR(pg_catalog.<>) 't')"
        )
    };
    let result = "CASE WHEN r.prokind OPERATOR(pg_catalog.=) 'p' THEN NULL WHEN 't' \
         OPERATOR(pg_catalog.=) ANY (r.proargmodes::pg_catalog._text) THEN (SELECT 'TABLE(' \
         OPERATOR(pg_catalog.||) pg_catalog.string_agg(pg_catalog.quote_ident(r.proargnames[a.k]) \
         OPERATOR(pg_catalog.||) ' ' OPERATOR(pg_catalog.||) \
         pg_catalog.format_type(COALESCE(a.s, a.t), NULL), ', ' ORDER BY a.k) \
         OPERATOR(pg_catalog.||) ')' FROM (SELECT x.k, x.t, {any} AS s FROM \
         pg_catalog.unnest(r.proallargtypes) WITH ORDINALITY x(t, k)) a WHERE r.proargmodes[a.k] \
         OPERATOR(pg_catalog.=) 't') ELSE CASE WHEN r.proretset THEN 'SETOF ' ELSE '' END \
         OPERATOR(pg_catalog.||) pg_catalog.format_type(COALESCE({result}, r.prorettype), NULL) END";
    let text = match name {
        "pg_get_function_arguments" => arguments(true),
        "pg_get_function_identity_arguments" => arguments(false),
        "pg_get_function_result" => result.to_owned(),
        _ => format!(
            "pg_catalog.replace(pg_catalog.replace(pg_catalog.pg_get_functiondef(r.oid), '(' \
             OPERATOR(pg_catalog.||) pg_catalog.pg_get_function_arguments(r.oid) \
             OPERATOR(pg_catalog.||) E')\\n', '(' OPERATOR(pg_catalog.||) {} \
             OPERATOR(pg_catalog.||) E')\\n'), E'\\n RETURNS ' OPERATOR(pg_catalog.||) \
             pg_catalog.pg_get_function_result(r.oid) OPERATOR(pg_catalog.||) E'\\n', E'\\n \
             RETURNS ' OPERATOR(pg_catalog.||) {result} OPERATOR(pg_catalog.||) E'\\n')",
            arguments(true)
        ),
    };
    let open = format!(
        "(SELECT CASE WHEN pgveil.o OPERATOR(pg_catalog.=) ANY ({{declared}}) THEN (SELECT {text} \
         FROM pg_catalog.pg_proc r WHERE r.oid OPERATOR(pg_catalog.=) pgveil.o) ELSE \
         pg_catalog.{name}(pgveil.o) END AS {name} FROM (SELECT ("
    );
    let close = ")::pg_catalog.oid AS o) AS pgveil)".to_owned();
    [with_signatures(&open, snapshot), close]
}
