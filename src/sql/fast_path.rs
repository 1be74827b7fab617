//! A glance at the tokens of a text, for the many statements that have nothing to do with ids:
//! when every relation and function that they name is known and harmless, nobody needs the tree.
//! Nor where nothing is annotated at all. A glance never refuses; what it can't clear goes to the
//! analysis.

use super::Context;
use super::implicit_calls::hidden_calls;
use super::infer::may_be_retold;
use super::late::makes_in_front;
use super::lex::{self, Token};
use super::parse::keywords::is_keyword;
use super::shadowed::may_mean_others;
use crate::catalog::FunctionKind;
use crate::pg::functions::{Effect, effect};

/// Words behind which a relation is named.
const BEFORE_RELATION: &[&str] = &["from", "into", "join", "only", "table", "update", "using"];

/// Whether a text is a single query or data-modifying statement that reaches nothing protected,
/// and so is forwarded as it is, or one that begins or ends a transaction.
#[must_use]
pub fn is_clean_at_a_glance(text: &[u8], context: &Context<'_>) -> bool {
    let Ok(text) = std::str::from_utf8(text) else {
        return false;
    };
    if !text.is_ascii() {
        return false;
    }
    let Ok(tokens) = lex::lex(text, context.standard_conforming_strings) else {
        return false;
    };
    let tokens = match tokens.split_last() {
        Some((last, rest)) if last.written(text) == ";" => rest,
        _ => &tokens,
    };
    match tokens.first().and_then(Token::word) {
        Some("begin") => tokens.len() == 1,
        // Triggers that were put off run then.
        Some("commit" | "end") => tokens.len() == 1 && !makes_in_front(context.snapshot),
        Some("select" | "values" | "with" | "merge" | "insert" | "update" | "delete")
            if !context.snapshot.can_have_ids() =>
        {
            leaves_nothing(text, tokens)
        }
        Some("select" | "insert" | "update" | "delete") => Glance {
            text,
            tokens,
            context,
        }
        .clears(),
        _ => false,
    }
}

/// Whether a text that is clean at a glance may be answered with rows: what they hold is judged
/// by their description, which may need the analysis after all.
#[must_use]
pub fn may_return_rows(text: &[u8]) -> bool {
    let start = text.trim_ascii_start();
    let writes = ["insert", "update", "delete"].iter().any(|word| {
        let first = start.get(..word.len());
        first.is_some_and(|first| first.eq_ignore_ascii_case(word.as_bytes()))
    });
    let returning = |window: &[u8]| window.eq_ignore_ascii_case(b"returning");
    !writes || text.windows("returning".len()).any(returning)
}

/// Whether tokens are a single statement after which names and texts mean what they did, where
/// nothing is annotated and never will be.
fn leaves_nothing(text: &str, tokens: &[Token<'_>]) -> bool {
    let writes = matches!(
        tokens.first().and_then(Token::word),
        Some("insert" | "merge")
    );
    tokens.iter().all(|token| match token.word() {
        // `SELECT … INTO`, which makes a relation.
        Some("into") => writes,
        Some(word) => !matches!(effect(word), Effect::Sets | Effect::Notifies),
        None => token.written(text) != ";",
    })
}

struct Glance<'a> {
    text: &'a str,
    tokens: &'a [Token<'a>],
    context: &'a Context<'a>,
}

impl Glance<'_> {
    fn mark(&self, index: usize) -> Option<&str> {
        Some(self.tokens.get(index)?.written(self.text))
    }

    fn word(&self, index: usize) -> Option<&str> {
        self.tokens.get(index).and_then(Token::word)
    }

    fn clears(&self) -> bool {
        let context = self.context;
        if context.unseen || context.made || may_mean_others(context) {
            return false;
        }
        if makes_in_front(context.snapshot) {
            return false;
        }
        let functions = self.context.snapshot.functions();
        let mut hidden = hidden_calls(self.tokens, self.text, self.context);
        if hidden.next().is_some() {
            return false;
        }
        // Between FROM and the next clause a comma may introduce a relation.
        let mut in_from = false;
        (0..self.tokens.len()).all(|index| match self.word(index) {
            Some(word) => {
                let behind = index.checked_sub(1).and_then(|before| self.word(before));
                let names_relation = behind.is_some_and(|word| BEFORE_RELATION.contains(&word));
                in_from = match word {
                    "from" | "using" => true,
                    "as" => in_from,
                    word => in_from && !is_keyword(word),
                };
                // What is written to comes behind the first word of these.
                let written = match self.word(0) {
                    Some("update" | "insert" | "delete") => names_relation && !is_keyword(word),
                    _ => false,
                };
                let select_into = word == "into" && self.word(0) == Some("select");
                // `t.f` is a call too.
                let dotted = index > 0 && self.mark(index - 1) == Some(".");
                let calls = dotted && self.is_reader(word);
                !select_into
                    && !calls
                    && !self.context.snapshot.is_protected_name(word)
                    && !may_be_retold(word, self.context.snapshot)
                    && !functions.sets(word, self.word(0) != Some("select"))
                    && (!names_relation || self.relation_is_known(index))
                    && (!written || self.is_written_plainly(index))
                    && (self.mark(index + 1) != Some("(")
                        || self.call_is_harmless(word, is_keyword(word)))
            }
            None => match self.mark(index) {
                Some(",") => !in_from,
                Some(";") => false,
                _ => true,
            },
        })
    }

    /// Whether the name at a place, behind FROM or its like, is that of a known relation.
    fn relation_is_known(&self, index: usize) -> bool {
        let name = self.name(index);
        name.is_some_and(|name| self.context.snapshot.is_relation_name(name))
    }

    /// The name of the relation at a place, without its schema.
    fn name(&self, index: usize) -> Option<&str> {
        match self.mark(index + 1) {
            Some(".") => self.word(index + 2),
            _ => self.word(index),
        }
    }

    /// Whether to write to the relation at a place is all that is done: no rule, no `pg_settings`.
    fn is_written_plainly(&self, index: usize) -> bool {
        let name = self.name(index);
        name.is_some_and(|name| self.context.snapshot.is_plain_table(name))
    }

    /// Whether `(value).name` may be the call of a function that no statement clears by itself.
    fn is_reader(&self, name: &str) -> bool {
        match self.context.snapshot.functions().kind(None, name) {
            FunctionKind::Opaque => true,
            FunctionKind::BuiltIn { .. } => !self.call_is_harmless(name, false),
            FunctionKind::Unknown => false,
        }
    }

    fn call_is_harmless(&self, name: &str, is_keyword: bool) -> bool {
        match self.context.snapshot.functions().kind(None, name) {
            FunctionKind::BuiltIn { returns_data } => match effect(name) {
                Effect::Sets => false,
                Effect::Notifies => !self.context.snapshot.has_channels(),
                _ => !returns_data,
            },
            FunctionKind::Opaque => false,
            // `VALUES (`, `IN (`; or the columns of an INSERT.
            FunctionKind::Unknown => is_keyword || self.context.snapshot.is_relation_name(name),
        }
    }
}
