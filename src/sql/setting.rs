//! SET and RESET: the settings that change what a statement means.

use super::create::with_temporary;
use super::definition::is_own;
use super::lex::{self, Token, TokenKind};
use super::plan::{PathChange, Plan};
use super::refusal::{Code, Refusal};
use super::statement::with_path;
use crate::catalog::Snapshot;

/// The keyword at a place, which nobody has quoted.
fn keyword<'t>(tokens: &'t [Token<'_>], at: usize) -> Option<&'t str> {
    tokens.get(at)?.keyword()
}

/// The name of a setting at a place as Postgres compares it: quoted or not, its case is no matter.
fn name(tokens: &[Token<'_>], at: usize) -> Option<String> {
    tokens
        .get(at)
        .and_then(Token::word)
        .map(str::to_ascii_lowercase)
}

/// `SET [SESSION | LOCAL] name { TO | = } value`, and its relatives. A form that is none of those
/// that Postgres has may change anything.
pub(super) fn set(
    tokens: &[Token<'_>],
    text: &str,
    snapshot: &Snapshot,
) -> Result<Plan, Box<Refusal>> {
    let rest = tokens.get(1..).unwrap_or_default();
    let local = keyword(rest, 0) == Some("local");
    let is_scope = match (keyword(rest, 0), keyword(rest, 1)) {
        (Some("session"), Some("authorization" | "characteristics")) => false,
        (Some("session" | "local"), _) => !assigns(rest, text),
        _ => false,
    };
    let rest = rest.get(usize::from(is_scope)..).unwrap_or_default();
    if assigns(rest, text) {
        return assigned(rest, text, local, snapshot);
    }
    // One of an extension, whose name has a dot, changes no meaning.
    let is_of_extension =
        is_mark(rest, 1, text, ".") && assigns(rest.get(2..).unwrap_or_default(), text);
    if is_of_extension {
        return Ok(Plan::default());
    }
    match (keyword(rest, 0), keyword(rest, 1)) {
        (Some("schema"), _) => {
            let values = rest.get(1..).unwrap_or_default();
            Ok(with_path(predicted(
                values,
                local,
                snapshot.temporary_schema(),
            )))
        }
        (Some("names"), _) => Ok(with_settings()),
        // Triggers that were put off run now.
        (Some("constraints"), _) if !snapshot.functions().has_setters() => Ok(Plan::default()),
        (Some("constraints"), _) if rest.last().and_then(Token::word) == Some("deferred") => {
            Ok(Plan::default())
        }
        (Some("transaction"), _)
        | (Some("session"), Some("characteristics"))
        | (Some("time"), Some("zone"))
        | (Some("xml"), Some("option")) => Ok(Plan::default()),
        _ => Ok(with_path(PathChange::Unknown)),
    }
}

/// Whether tokens begin with `name =`, `name TO` or `name FROM CURRENT`.
fn assigns(tokens: &[Token<'_>], text: &str) -> bool {
    let is_name = tokens.first().and_then(Token::word).is_some();
    is_name && (matches!(keyword(tokens, 1), Some("to" | "from")) || is_mark(tokens, 1, text, "="))
}

fn is_mark(tokens: &[Token<'_>], at: usize, text: &str, mark: &str) -> bool {
    let token = tokens.get(at);
    token.is_some_and(|token| token.written(text) == mark)
}

/// `name { TO | = } value`
fn assigned(
    tokens: &[Token<'_>],
    text: &str,
    local: bool,
    snapshot: &Snapshot,
) -> Result<Plan, Box<Refusal>> {
    let values = tokens.get(2..).unwrap_or_default();
    match name(tokens, 0).as_deref() {
        // FROM CURRENT
        Some("search_path") if keyword(tokens, 1) == Some("from") => {
            Ok(with_path(PathChange::Unknown))
        }
        Some("search_path") => Ok(with_path(predicted(
            values,
            local,
            snapshot.temporary_schema(),
        ))),
        Some("role" | "session_authorization") => Ok(with_path(PathChange::Unknown)),
        Some("standard_conforming_strings") if !is_on(values, text) => {
            let message = "pgveil reads string literals as the SQL standard does";
            let at = super::split::bytes(tokens);
            let refusal = Refusal::unsupported(Code::Unsupported, message).at(at);
            Err(Box::new(refusal.hint(
                "Leave standard_conforming_strings on; write E'…' for escapes.",
            )))
        }
        Some("standard_conforming_strings" | "client_encoding") => Ok(with_settings()),
        _ => Ok(Plan::default()),
    }
}

fn with_settings() -> Plan {
    let mut plan = Plan::default();
    plan.effect.settings = true;
    plan
}

/// `RESET name` and `RESET ALL`.
pub(super) fn reset(tokens: &[Token<'_>]) -> Plan {
    match name(tokens, 1).as_deref() {
        Some("all" | "search_path" | "role" | "session" | "session_authorization") => {
            with_path(PathChange::Unknown)
        }
        Some("standard_conforming_strings" | "client_encoding") => with_settings(),
        _ => Plan::default(),
    }
}

fn is_on(values: &[Token<'_>], text: &str) -> bool {
    match values {
        [value] => match &value.kind {
            TokenKind::Word { value, .. } => value == "on" || value == "true",
            TokenKind::String(value) => {
                matches!(value.to_lowercase().as_str(), "on" | "true" | "yes" | "1")
            }
            TokenKind::Number => value.written(text) == "1",
            _ => false,
        },
        _ => false,
    }
}

/// A list of more tokens is left to the server: of schemas that exist there are not so many, and each
/// statement behind it would carry all of them.
const MOST_TOKENS: usize = 2000;

/// The path that a list of schemas gives. The server is asked for the real one at the next
/// opportunity; this holds until then, for names that mean the same in every schema of it.
fn predicted(values: &[Token<'_>], local: bool, temporary: Option<&str>) -> PathChange {
    if values.len() > MOST_TOKENS {
        return PathChange::Unknown;
    }
    let mut schemas = Vec::new();
    for value in values {
        match &value.kind {
            TokenKind::Word {
                value,
                quoted: false,
            } if value == "default" => {
                return PathChange::Unknown;
            }
            TokenKind::Word { value, .. } | TokenKind::String(value) if value == "$user" => {
                return PathChange::Unknown;
            }
            TokenKind::Word { value, .. } | TokenKind::String(value) if !value.is_empty() => {
                // A string is cut as a name is.
                schemas.push(lex::truncated(value).to_owned());
            }
            TokenKind::Punctuation => {}
            _ => return PathChange::Unknown,
        }
    }
    // Postgres looks into pg_catalog first unless the path names it.
    if !schemas.iter().any(|schema| schema == "pg_catalog") {
        schemas.insert(0, "pg_catalog".to_owned());
    }
    let names_temporary = schemas.iter().any(|schema| is_own(schema));
    let mut path = with_temporary(schemas, temporary);
    if names_temporary {
        path = path.naming_temporary();
    }
    let path = path.assumed();
    PathChange::Predicted { path, local }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_schema_in_a_string_is_cut_as_a_name_is() {
        let path = |list: &str| {
            let text = format!("SET search_path = {list}");
            let tokens = lex::lex(&text, true).unwrap();
            let plan = set(&tokens, &text, &Snapshot::default()).unwrap();
            plan.effect.search_path
        };
        let (long, cut) = ("s".repeat(64), "s".repeat(63));
        let cut = path(&cut);
        for list in [long.clone(), format!("\"{long}\""), format!("'{long}'")] {
            assert_eq!(path(&list), cut, "{list}");
        }
    }

    #[test]
    fn a_path_of_any_length_is_not_carried() {
        let path = |schemas: usize| {
            let list: Vec<String> = (0..schemas).map(|n| format!("s{n}")).collect();
            let text = format!("SET search_path = {}", list.join(", "));
            let tokens = lex::lex(&text, true).unwrap();
            set(&tokens, &text, &Snapshot::default())
                .unwrap()
                .effect
                .search_path
        };
        assert!(matches!(path(100), PathChange::Predicted { .. }));
        assert_eq!(path(2000), PathChange::Unknown);
    }

    #[test]
    fn a_setting_is_known_however_it_is_written() {
        let moves = |text: &str| {
            let tokens = lex::lex(text, true).unwrap();
            let plan = match keyword(&tokens, 0) {
                Some("reset") => Ok(reset(&tokens)),
                _ => set(&tokens, text, &Snapshot::default()),
            };
            plan.is_err() || plan.is_ok_and(|plan| plan.effect.moves_meanings())
        };
        for scope in ["", "SESSION ", "LOCAL ", "session ", "lOcAl "] {
            for set in [
                "search_path = a",
                "Search_Path TO a",
                "\"SEARCH_PATH\" = a",
                "U&\"search\\005fpath\" = a",
                "search_path FROM CURRENT",
                "SCHEMA 'a'",
                "ROLE a",
                "\"ROLE\" = a",
                "role TO a",
                "SESSION AUTHORIZATION a",
                "SESSION AUTHORIZATION DEFAULT",
                "session_authorization = a",
                "\"Session_Authorization\" = a",
                "NAMES 'LATIN1'",
                "\"Client_Encoding\" = 'LATIN1'",
                "\"STANDARD_CONFORMING_STRINGS\" = on",
                "\"STANDARD_CONFORMING_STRINGS\" = off",
                "something else",
            ] {
                assert!(moves(&format!("SET {scope}{set}")), "{scope}{set}");
            }
            for set in [
                "statement_timeout = 1",
                "\"TimeZone\" TO 'UTC'",
                "TIME ZONE 'UTC'",
                "XML OPTION DOCUMENT",
                "app.tenant = 'a'",
                "\"search_path\".a = 'b'",
            ] {
                assert!(!moves(&format!("SET {scope}{set}")), "{scope}{set}");
            }
        }
        assert!(moves("RESET \"SEARCH_PATH\""));
        assert!(moves("RESET \"Session_Authorization\""));
        assert!(moves("RESET SESSION AUTHORIZATION"));
        assert!(moves("RESET ALL"));
        assert!(!moves("RESET TIME ZONE"));
        assert!(!moves("SET TRANSACTION ISOLATION LEVEL SERIALIZABLE"));
        assert!(!moves(
            "SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY"
        ));
        assert!(!moves("SET CONSTRAINTS ALL IMMEDIATE"));
    }
}
