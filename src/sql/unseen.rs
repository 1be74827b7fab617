//! What the statements before one have defined, and no snapshot of the database shows yet. What it is
//! called tells that a name may mean it; nothing tells what it would do.

use super::Context;
use super::definition::is_own;
use super::lex::{Cursor, Token, TokenKind, identifiers, lex};
use super::parse::keywords::is_keyword;
use super::plan::Effect;
use super::refusal::{Code, Refusal, SEND_LATER};
use super::statement::Analysis;
use crate::catalog::{FunctionKind, is_temporary};

/// What is defined with code, or runs such.
const CODE: &[&str] = &[
    "aggregate",
    "cast",
    "domain",
    "extension",
    "function",
    "operator",
    "policy",
    "procedure",
    "routine",
    "rule",
    "trigger",
    "type",
    "view",
];

/// Words behind which the name of a relation or of a type stands, or an alias, perhaps with a list in
/// brackets behind it.
const BEFORE_LISTS: &[&str] = &[
    "as",
    "exists",
    "into",
    "recursive",
    "references",
    "table",
    "with",
];

/// Words of PL/pgSQL behind which an expression may stand in brackets.
const PLPGSQL: &[&str] = &[
    "assert", "elseif", "elsif", "exit", "foreach", "perform", "raise", "while",
];

impl Analysis<'_> {
    /// Takes down what code a statement defines.
    pub(super) fn note_code(&self, effect: &mut Effect) {
        let snapshot = self.context.snapshot;
        let Some(defined) = self.defined().filter(|_| snapshot.has_ids()) else {
            return;
        };
        if !CODE.contains(&defined.kind) {
            return;
        }
        let is_temporary_relation =
            |word: &str| snapshot.named(word).any(|of| is_temporary(&of.schema));
        let on = match defined.kind {
            "trigger" => self.position("on"),
            "rule" => self.position("to"),
            _ => None,
        };
        let own = identifiers(self.tokens).any(is_own)
            || (1..defined.at).any(|at| matches!(self.word(at), "temp" | "temporary"))
            || self.path.is_none_or(|path| path.creates_temporary())
            || on.is_some_and(|on| !self.is_known_to_last(on + 1))
            || defined.kind == "view" && identifiers(self.tokens).any(is_temporary_relation);
        effect.blinds |= own;
        effect.defines |= !own;
    }

    /// Whether it defines what is judged where it is used, and runs nothing.
    pub(super) fn defines_for_later(&self) -> bool {
        let kinds = ["function", "procedure", "view"];
        let defined = self.defined();
        defined.is_some_and(|of| of.creates && kinds.contains(&of.kind))
    }

    /// Refuses a statement that may run code which no snapshot shows.
    pub(super) fn check_unseen(&self) -> Result<(), Box<Refusal>> {
        let context = self.context;
        if !context.snapshot.has_ids() {
            return Ok(());
        }
        let runs = match self.word(0) {
            "do" => context.unseen && self.strings().any(|code| runs_unknown(code, context)),
            "create" if self.position("rule").is_some() => self.calls_unseen(),
            "alter" => self.refers_to_own_keys(),
            _ => false,
        };
        match runs {
            true => Err(self.unseen()),
            false => Ok(()),
        }
    }

    /// Whether the statement calls what no snapshot shows.
    pub(super) fn calls_unseen(&self) -> bool {
        self.context.unseen && calls_unknown(self.tokens, self.text, self.context)
    }

    /// The refusal of a statement that does, or may do so.
    pub(super) fn unseen(&self) -> Box<Refusal> {
        let message = "pgveil has not seen yet what the statements before this one have defined";
        let refusal = Refusal::unsupported(Code::UnknownName, message).at(self.at());
        Box::new(refusal.hint(SEND_LATER))
    }

    /// Whether a relation that no snapshot shows gets something of a temporary one with keys.
    fn refers_to_own_keys(&self) -> bool {
        let snapshot = self.context.snapshot;
        let words = ["attach", "inherit", "references"];
        let refers = identifiers(self.tokens).any(|word| words.contains(&word));
        let own = |word| {
            let mut named = snapshot.named(word);
            named.any(|of| of.protected && is_temporary(&of.schema))
        };
        let (_, name) = self.name_at(self.behind_options(2));
        refers && !snapshot.is_relation_name(name) && identifiers(self.tokens).any(own)
    }

    /// The values of the string literals.
    pub(super) fn strings(&self) -> impl Iterator<Item = &str> {
        self.tokens.iter().filter_map(|token| match &token.kind {
            TokenKind::String(value) => Some(value.as_ref()),
            _ => None,
        })
    }
}

/// Whether code of another language may run what no snapshot shows.
fn runs_unknown(code: &str, context: &Context<'_>) -> bool {
    match lex(code, context.standard_conforming_strings) {
        Ok(tokens) => calls_unknown(&tokens, code, context),
        Err(_) => true,
    }
}

/// Whether tokens call a function that the snapshot does not show.
fn calls_unknown(tokens: &[Token<'_>], text: &str, context: &Context<'_>) -> bool {
    let snapshot = context.snapshot;
    let place = |at: usize| Cursor::new(text, tokens, at);
    (0..tokens.len()).any(|at| {
        if place(at + 1).written() != "(" {
            return false;
        }
        let Some(TokenKind::Word { value, quoted }) = tokens.get(at).map(|token| &token.kind)
        else {
            return false;
        };
        let is_dotted = at > 1 && place(at - 1).written() == ".";
        let (schema, first) = match is_dotted {
            true => (Some(place(at - 2).word()), at - 2),
            false => (None, at),
        };
        let is_word =
            schema.is_none() && !quoted && (is_keyword(value) || PLPGSQL.contains(&value.as_ref()));
        let is_listed = first > 0 && is_before_list(place, first - 1);
        let kind = snapshot.functions().kind(schema, value);
        kind == FunctionKind::Unknown && !is_listed && !is_word && !snapshot.is_relation_name(value)
    })
}

/// Whether what comes behind a token is no call, for it is the name of a relation or an alias.
fn is_before_list<'t>(place: impl Fn(usize) -> Cursor<'t>, at: usize) -> bool {
    let before = place(at).word();
    let back = (0..at).rev().map(&place);
    let mut back = back.take_while(|place| place.written() != ";");
    match before {
        "" => place(at).written() == ")",
        "on" => back.any(|place| place.word() == "index"),
        _ => BEFORE_LISTS.contains(&before) || !is_keyword(before) && !PLPGSQL.contains(&before),
    }
}
