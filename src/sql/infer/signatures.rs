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

/// What comes of a text that names no function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Missing {
    /// An error, as of a cast.
    Fails,
    /// Null.
    Null,
}

/// The oids of the types of the arguments of the row `r` as clients see them.
const ARGUMENTS: &str = "ARRAY(SELECT COALESCE({argument}, k.t) FROM (SELECT u.t, (u.k \
     OPERATOR(pg_catalog.-) 1)::pg_catalog.int4 AS k FROM \
     pg_catalog.unnest(r.proargtypes::pg_catalog._oid) WITH ORDINALITY u(t, k)) k ORDER BY k.k)";

/// The signature of the row `r`, as `regprocedure` writes it.
fn signature() -> String {
    format!(
        "(CASE WHEN pg_catalog.pg_function_is_visible(r.oid) THEN '' ELSE (SELECT \
         pg_catalog.quote_ident(n.nspname) OPERATOR(pg_catalog.||) '.' FROM \
         pg_catalog.pg_namespace n WHERE n.oid OPERATOR(pg_catalog.=) r.pronamespace) END \
         OPERATOR(pg_catalog.||) pg_catalog.quote_ident(r.proname) OPERATOR(pg_catalog.||) '(' \
         OPERATOR(pg_catalog.||) (SELECT COALESCE(pg_catalog.string_agg(pg_catalog.format_type(a.t, \
         NULL), ',' ORDER BY a.k), '') FROM pg_catalog.unnest({ARGUMENTS}) WITH ORDINALITY a(t, \
         k)) OPERATOR(pg_catalog.||) ')')"
    )
}

/// What stands around a value of `regprocedure` that becomes text.
pub(super) fn around_shown_procedure(snapshot: &Snapshot) -> [String; 2] {
    let signature = signature();
    let open = format!(
        "(SELECT CASE WHEN pgveil.o OPERATOR(pg_catalog.=) ANY ({{declared}}) THEN (SELECT \
         {signature} FROM pg_catalog.pg_proc r WHERE r.oid OPERATOR(pg_catalog.=) pgveil.o) ELSE \
         pgveil.o::pg_catalog.regprocedure::pg_catalog.text END FROM (SELECT ("
    );
    let close = ")::pg_catalog.oid AS o) AS pgveil)".to_owned();
    [with_signatures(&open, snapshot), close]
}

/// What stands around a text that is read as a signature. Only where the name is that of a declared
/// function are the types looked at; and by those that are stored nobody finds one.
pub(super) fn around_procedure(missing: Missing, snapshot: &Snapshot) -> [String; 2] {
    let (hidden, other) = match missing {
        Missing::Fails => (
            "(pg_catalog.rtrim(v.t, ' )') OPERATOR(pg_catalog.||) ', \
             unknown)')::pg_catalog.regprocedure",
            "v.t::pg_catalog.regprocedure",
        ),
        Missing::Null => ("NULL", "pg_catalog.to_regprocedure(v.t)"),
    };
    let close = format!(
        ")::pg_catalog.text AS t) AS v LEFT JOIN LATERAL (SELECT r.oid AS o FROM (SELECT p.*, \
         pg_catalog.split_part(v.t, '(', 1) AS named, n.nspname FROM pg_catalog.pg_proc p JOIN \
         pg_catalog.pg_namespace n ON n.oid OPERATOR(pg_catalog.=) p.pronamespace WHERE p.oid \
         OPERATOR(pg_catalog.=) ANY ({{declared}}) OFFSET 0) r WHERE CASE WHEN \
         pg_catalog.btrim(CASE WHEN pg_catalog.strpos(r.named, '\"') OPERATOR(pg_catalog.=) 0 THEN \
         pg_catalog.lower(r.named) ELSE r.named END) OPERATOR(pg_catalog.=) ANY \
         (ARRAY[CASE WHEN pg_catalog.pg_function_is_visible(r.oid) THEN \
         pg_catalog.quote_ident(r.proname) END, pg_catalog.quote_ident(r.nspname) \
         OPERATOR(pg_catalog.||) '.' OPERATOR(pg_catalog.||) pg_catalog.quote_ident(r.proname)]) \
         AND pg_catalog.strpos(v.t, '(') OPERATOR(pg_catalog.>) 0 THEN ARRAY(SELECT \
         pg_catalog.to_regtype(pg_catalog.btrim(w.w))::pg_catalog.oid FROM \
         pg_catalog.unnest(pg_catalog.string_to_array(NULLIF(pg_catalog.btrim(pg_catalog.rtrim(\
         pg_catalog.substr(v.t, pg_catalog.strpos(v.t, '(') OPERATOR(pg_catalog.+) 1), ' )')), ''), \
         ',')) WITH ORDINALITY w(w, k) ORDER BY w.k) OPERATOR(pg_catalog.=) {ARGUMENTS} ELSE false \
         END LIMIT 1) f ON true)"
    );
    let open = format!(
        "(SELECT CASE WHEN f.o IS NOT NULL THEN f.o::pg_catalog.regprocedure WHEN \
         pg_catalog.to_regprocedure(v.t)::pg_catalog.oid OPERATOR(pg_catalog.=) ANY \
         ({{declared}}) THEN {hidden} ELSE {other} END AS to_regprocedure FROM (SELECT ("
    );
    [
        with_signatures(&open, snapshot),
        with_signatures(&close, snapshot),
    ]
}

/// What stands around the arguments of a call that describes an object.
pub(super) fn around_description(snapshot: &Snapshot) -> [String; 2] {
    let signature = signature();
    let described = "pg_catalog.pg_describe_object(v.c::pg_catalog.oid, v.o::pg_catalog.oid, \
         v.s::pg_catalog.int4)";
    let open = format!(
        "(SELECT CASE WHEN v.c::pg_catalog.oid OPERATOR(pg_catalog.=) \
         'pg_catalog.pg_proc'::pg_catalog.regclass AND v.o::pg_catalog.oid OPERATOR(pg_catalog.=) \
         ANY ({{declared}}) THEN (SELECT pg_catalog.replace({described}, \
         r.oid::pg_catalog.regprocedure::pg_catalog.text, {signature}) FROM pg_catalog.pg_proc r \
         WHERE r.oid OPERATOR(pg_catalog.=) v.o::pg_catalog.oid) ELSE {described} END AS \
         pg_describe_object FROM (SELECT "
    );
    [
        with_signatures(&open, snapshot),
        ") AS v (c, o, s))".to_owned(),
    ]
}
