//! Code of the database that looks for its names when it runs: which names are in it, and whether it
//! may put others together, of what nobody sees in its text.

use super::lex::{self, Token, TokenKind, names_in_code, possible_names};
use crate::catalog::{Code, LateCode, Made, Snapshot, is_temporary};
use crate::pg::functions::{Effect, effect};

/// What code of a database names when it runs. What sessions have defined for themselves is not among
/// it: others run none of that.
pub(super) fn late_code(snapshot: &Snapshot) -> &LateCode {
    snapshot.late_code(|| {
        let mut late = LateCode {
            builds: snapshot.has_draws_by_name(),
            ..LateCode::default()
        };
        let functions = snapshot.functions().all_of_user();
        for function in functions.filter(|function| !is_temporary(&function.schema)) {
            match &function.code {
                Code::Hidden => {}
                Code::Atomic(code) => late.builds |= builds_names(code),
                Code::Sql(code) | Code::Other(code) => {
                    late.builds |= builds_names(code);
                    late.made.join(made_by(code));
                    let names = names_in_code(code).into_iter();
                    late.names.extend(names.map(String::into_boxed_str));
                }
            }
        }
        let runs = snapshot.relations().flat_map(|relation| &relation.runs);
        for arguments in runs.filter_map(|run| run.arguments.as_deref()) {
            let names = possible_names(arguments);
            late.names.extend(names.map(String::into_boxed_str));
        }
        late
    })
}

/// The names that code looks for when it runs: those that no schema is said for.
pub(super) fn looked_for(code: &str) -> Vec<String> {
    let Ok(tokens) = lex::lex(code, true) else {
        return names_in_code(code);
    };
    let is_qualified = |at: usize| {
        let before = at.checked_sub(1).and_then(|before| tokens.get(before));
        before.is_some_and(|before| before.written(code) == ".")
    };
    let mut names = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        match &token.kind {
            TokenKind::Word { value, .. } if !is_qualified(at) => {
                names.push(value.to_string());
            }
            TokenKind::String(value) => names.extend(names_in_code(value)),
            _ => {}
        }
    }
    names.sort_unstable();
    names.dedup();
    names
}

/// Whether code may put together names of what it reads, of whatever language it is: one that pgveil
/// can't read runs its queries by an `execute` or by functions whose names begin with `spi`.
pub(super) fn builds_names(code: &str) -> bool {
    let Ok(tokens) = lex::lex(code, true) else {
        return true;
    };
    tokens.iter().enumerate().any(|(at, token)| {
        let Some(name) = token.word() else {
            return false;
        };
        name == "execute"
            || name == "spi"
            || name.starts_with("spi_")
            || match effect(name) {
                Effect::Looks => true,
                // What stands there as a constant is among the names of the code.
                Effect::Draws => !takes_constant(code, tokens.get(at + 1..)),
                _ => false,
            }
    })
}

/// Whether the first argument behind the name of a function is a constant.
fn takes_constant(code: &str, behind: Option<&[Token<'_>]>) -> bool {
    let Some([open, argument, end, ..]) = behind else {
        return false;
    };
    open.written(code) == "("
        && matches!(argument.kind, TokenKind::String(_))
        && matches!(end.written(code), ")" | "," | "::")
}

/// How deep literals in code are read that are code themselves.
const MAX_LITERALS: usize = 4;

/// Words between TEMPORARY and a name.
const BEFORE_MADE: [&str; 6] = ["exists", "if", "not", "sequence", "table", "view"];

/// What code of the database, of whatever language, makes of temporary relations: the names that
/// follow such words, in its literals too.
pub(super) fn made_by(code: &str) -> Made {
    let mut made = Made::default();
    if says_temporary(code) {
        made.note(code, MAX_LITERALS, false);
    }
    made
}

/// Whether the word may stand in code.
fn says_temporary(code: &str) -> bool {
    const WORD: &[u8] = b"temp";
    let mut parts = code.as_bytes().windows(WORD.len());
    parts.any(|part| part.eq_ignore_ascii_case(WORD))
}

impl Made {
    /// Takes those in a text. What a literal leaves open is put together.
    fn note(&mut self, code: &str, depth: usize, is_literal: bool) {
        let Ok(tokens) = lex::lex(code, true) else {
            self.builds |= says_temporary(code);
            return;
        };
        let word = |at: usize| tokens.get(at).and_then(Token::word).unwrap_or_default();
        for (at, token) in tokens.iter().enumerate() {
            let name = match &token.kind {
                TokenKind::String(value) => {
                    match depth.checked_sub(1) {
                        Some(depth) => self.note(value, depth, true),
                        None => self.builds |= says_temporary(value),
                    }
                    continue;
                }
                TokenKind::Word { value, .. } => match &**value {
                    "temp" | "temporary" => {
                        let skipped = |at: &usize| {
                            BEFORE_MADE.contains(&word(*at)) || word(*at) == "recursive"
                        };
                        (at + 1..).find(|at| !skipped(at))
                    }
                    "rename" if word(at + 1) == "to" => Some(at + 2),
                    "pg_temp" if tokens.get(at + 1).is_some_and(|of| of.written(code) == ".") => {
                        Some(at + 2)
                    }
                    // The path, perhaps.
                    "pg_temp" => {
                        self.builds = true;
                        None
                    }
                    _ => None,
                },
                _ => None,
            };
            match name.map(word) {
                None => {}
                Some("") => self.builds |= is_literal,
                Some(name) => drop(self.names.insert(name.into())),
            }
        }
    }
}

/// Whether code of the database may put a temporary relation in front of one that lasts.
pub(super) fn makes_in_front(snapshot: &Snapshot) -> bool {
    let made = &late_code(snapshot).made;
    let lasts = |name: &str| {
        let mut named = snapshot.named(name);
        named.any(|relation| !is_temporary(&relation.schema))
    };
    snapshot.has_ids() && (made.builds || made.names.iter().any(|name| lasts(name)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_names_of_temporary_relations_that_code_makes_are_seen() {
        let made = |code: &str| {
            let made = made_by(code);
            let mut names: Vec<String> = made.names.iter().map(|name| name.to_string()).collect();
            names.sort_unstable();
            (names.join(" "), made.builds)
        };
        for (code, names) in [
            ("begin create temp table users as select 1; end", "users"),
            (
                "begin CREATE LOCAL TEMPORARY TABLE IF NOT EXISTS \"Users\" (); end",
                "Users",
            ),
            (
                "begin create temp /* of */ table -- it\n users (); end",
                "users",
            ),
            (
                "begin create temporary recursive view v (n) as select 1; end",
                "v",
            ),
            ("begin create or replace temp view v as select 1; end", "v"),
            ("begin create temporary sequence s; end", "s"),
            ("begin create unlogged table pg_temp.users (); end", "users"),
            ("begin select 1 into temp table users; end", "users"),
            ("begin select 1 into temporary users; end", "users"),
            (
                "begin create temp table a (); alter table a rename to users; end",
                "a users",
            ),
            (
                "begin execute 'create temp table users as select 1'; end",
                "users",
            ),
            (
                "begin execute $q$do 'begin create temp table users (); end'$q$; end",
                "users",
            ),
            ("begin drop table users; end", ""),
        ] {
            assert_eq!(made(code), (names.to_owned(), false), "{code}");
        }
        for code in [
            "begin execute 'create temp table ' || name; end",
            "begin execute format('create temporary table if not exists %I ()', name); end",
            "begin execute 'create temp ' || 'table users ()'; end",
            "begin execute format('create table pg_temp.%I ()', name); end",
            "begin perform set_config('search_path', 'pg_temp', true); end",
            "begin perform 'temp",
        ] {
            assert!(made(code).1, "{code}");
        }
        for code in [
            "declare temp integer; begin temp := 5; temp = temp || 'x'; end",
            "begin perform 'no template '; end",
        ] {
            assert!(!made(code).1, "{code}");
        }
    }

    #[test]
    fn what_is_no_constant_is_put_together() {
        for code in [
            "begin execute format('insert into %I values (1)', tg_argv[0]); end",
            "begin new.id := nextval(tg_argv[0]); end",
            "select nextval($1)",
            "begin perform setval('a' || 'b', 1); end",
            "begin perform U&\"next\\0076al\"(s); end",
            "select query_to_xml($1, true, true, '')",
            "my $rv = spi_exec_query(\"select 1\"); return 'it's';",
            "begin perform 'no end",
        ] {
            assert!(builds_names(code), "{code}");
        }
        for code in [
            "begin new.id := nextval('a_seq'); return new; end",
            "begin perform nextval('a_seq'::regclass), setval('b_seq', 1); end",
            "begin -- execute\n insert into log values (tg_argv[0], 'execute'); end",
        ] {
            assert!(!builds_names(code), "{code}");
        }
    }
}
