//! What the statements before one have defined, or brought back, and no picture of the database shows
//! yet. What it is called tells that a name may mean it; nothing tells what it would do.

use super::Context;
use super::lex::{Token, TokenKind, lex};
use super::parse::keywords::is_keyword;
use super::plan::Unseen;
use super::refusal::{Code, Refusal};
use super::statement::Analysis;
use crate::catalog::{FunctionKind, is_temporary};

/// Words behind which the name of a relation stands, perhaps with a list in brackets behind it.
const BEFORE_LISTS: &[&str] = &["exists", "into", "recursive", "references", "table", "with"];

/// What may be asked for behind something that no picture shows.
const HINT: &str = "Send this statement after the one before it has been answered.";

impl Analysis<'_> {
    /// Refuses a statement that may run code which no picture shows.
    pub(super) fn check_unseen(&self) -> Result<(), Box<Refusal>> {
        let context = self.context;
        if context.unseen == Unseen::Nothing || !context.snapshot.has_ids() {
            return Ok(());
        }
        let runs = match self.word(0) {
            "" | "call" | "copy" | "declare" | "delete" | "execute" | "explain" | "insert"
            | "merge" | "prepare" | "select" | "table" | "update" | "values" | "with" => {
                runs_own(self.tokens, self.text, context)
            }
            "do" => self.strings().any(|code| runs_unseen(code, context)),
            "create" if self.position("rule").is_some() || self.position("as").is_some() => {
                self.position("view").is_none() && runs_own(self.tokens, self.text, context)
            }
            "alter" => self.has_reference() && self.protected_word().is_some(),
            _ => false,
        };
        match runs {
            true => Err(self.unseen()),
            false => Ok(()),
        }
    }

    /// Whether the statement calls what no picture shows.
    pub(super) fn calls_unseen(&self) -> bool {
        let (tokens, text, context) = (self.tokens, self.text, self.context);
        context.unseen != Unseen::Nothing
            && (runs_own(tokens, text, context) || calls_unknown(tokens, text, context))
    }

    /// The refusal of a statement that does, or may do so.
    pub(super) fn unseen(&self) -> Box<Refusal> {
        let message = "pgveil has not seen yet what the statements before this one have defined";
        let refusal = Refusal::unsupported(Code::UnknownName, message).at(self.at());
        Box::new(refusal.hint(HINT))
    }

    fn has_reference(&self) -> bool {
        let words = ["attach", "inherit", "references"];
        (0..self.tokens.len()).any(|at| words.contains(&self.word(at)))
    }

    /// The values of the string literals.
    pub(super) fn strings(&self) -> impl Iterator<Item = &str> {
        self.tokens.iter().filter_map(|token| match &token.kind {
            TokenKind::String(value) => Some(value.as_ref()),
            _ => None,
        })
    }
}

/// Whether code of another language may run what no picture shows.
fn runs_unseen(code: &str, context: &Context<'_>) -> bool {
    match lex(code, context.standard_conforming_strings) {
        Ok(tokens) => {
            runs_own(&tokens, code, context)
                || calls_unknown(&tokens, code, context)
                || tokens.iter().any(|token| match &token.kind {
                    TokenKind::String(inner) => inner.contains("pg_temp"),
                    _ => false,
                })
        }
        Err(_) => true,
    }
}

/// Whether tokens call something of the temporary schema, which has to be named with it, be it a
/// function or an operator.
fn runs_own(tokens: &[Token<'_>], text: &str, context: &Context<'_>) -> bool {
    let snapshot = context.snapshot;
    (0..tokens.len()).any(|at| {
        let word = word(tokens, at);
        let is_own = word == "pg_temp" || is_temporary(word);
        if !is_own || mark(tokens, text, at + 1) != "." {
            return false;
        }
        let named = self::word(tokens, at + 2);
        let is_operator = named.is_empty();
        let is_listed = at > 0 && BEFORE_LISTS.contains(&self::word(tokens, at - 1));
        let called = mark(tokens, text, at + 3) == "(" && !is_listed;
        // A relation that is not in the picture may be a view.
        let is_known = snapshot.is_relation_name(named) || is_listed;
        is_operator || called || context.unseen == Unseen::Undone && !is_known
    })
}

/// Whether tokens call a function that the picture does not show.
fn calls_unknown(tokens: &[Token<'_>], text: &str, context: &Context<'_>) -> bool {
    let snapshot = context.snapshot;
    (0..tokens.len()).any(|at| {
        if mark(tokens, text, at + 1) != "(" {
            return false;
        }
        let Some(TokenKind::Word { value, quoted }) = tokens.get(at).map(|token| &token.kind)
        else {
            return false;
        };
        let is_dotted = at > 1 && mark(tokens, text, at - 1) == ".";
        let (schema, first) = match is_dotted {
            true => (Some(word(tokens, at - 2)), at - 2),
            false => (None, at),
        };
        let is_listed = first > 0 && BEFORE_LISTS.contains(&word(tokens, first - 1));
        let is_word = schema.is_none() && !quoted && is_keyword(value);
        let kind = snapshot.functions().kind(schema, value);
        kind == FunctionKind::Unknown && !is_listed && !is_word && !snapshot.is_relation_name(value)
    })
}

fn word<'t>(tokens: &'t [Token<'_>], at: usize) -> &'t str {
    match tokens.get(at).map(|token| &token.kind) {
        Some(TokenKind::Word { value, .. }) => value,
        _ => "",
    }
}

fn mark<'t>(tokens: &[Token<'_>], text: &'t str, at: usize) -> &'t str {
    let token = tokens.get(at);
    let token = token.filter(|token| matches!(token.kind, TokenKind::Punctuation));
    token
        .and_then(|token| text.get(token.span.clone()))
        .unwrap_or_default()
}
