//! Code of the database that looks for its names when it runs: which names are in it, and whether it
//! may put others together, of what nobody sees in its text.

use super::lex::{self, Token, TokenKind, names_in_code, possible_names};
use crate::catalog::{Code, LateCode, Snapshot, is_temporary};
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

#[cfg(test)]
mod tests {
    use super::*;

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
