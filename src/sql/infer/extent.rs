//! The exact bytes of an expression. The spans of sqlparser leave out parentheses, the names of
//! types and the ends of calls, so the tokens say where those are. What is not certain is `None`.

use std::iter::Peekable;
use std::ops::Range;

use sqlparser::ast::{AccessExpr, CastKind, Expr, Function, SetExpr, Spanned};

use crate::sql::lex::{Partners, Token, TokenKind};
use crate::sql::parse::range;
use crate::sql::plan::{Edit, Replacement};
use crate::sql::types::{Shape, TypeVar};

use super::document::has_pairs;
use super::span::{end_of, span_of, start_of};
use super::{Binder, TypeName};

/// The words in front of brackets that are no call.
const BEFORE_BRACKETS: [&str; 12] = [
    "and", "between", "by", "else", "having", "not", "on", "or", "select", "then", "when", "where",
];

/// A token, or a pair of brackets with what is in them.
pub(super) struct Step<'t> {
    token: &'t Token<'t>,
    /// The token, or the first bracket, as it is written.
    pub(super) written: &'t str,
    pub(super) tokens: Range<usize>,
    /// The bytes of all of them.
    pub(super) span: Range<usize>,
}

impl Step<'_> {
    /// Whether it is one of some keywords.
    pub(super) fn is_word(&self, words: &[&str]) -> bool {
        let word = self.token.keyword();
        word.is_some_and(|word| words.contains(&word))
    }
}

impl Binder<'_> {
    /// The last token that begins before a place.
    pub(super) fn token_before(&self, place: usize) -> Range<usize> {
        let token = self
            .index_of(place)
            .checked_sub(1)
            .and_then(|index| self.tokens.get(index));
        token.map_or(place..place, |token| token.span.clone())
    }

    /// The sign or word of a cast.
    pub(super) fn cast_place(&self, kind: &CastKind, inner: &Expr) -> Range<usize> {
        match kind {
            CastKind::DoubleColon => self.cast_sign(end_of(inner)),
            _ => self.cast_keyword(start_of(inner)),
        }
    }

    fn cast_sign(&self, from: usize) -> Range<usize> {
        let sign = self
            .tokens_from(from)
            .iter()
            .find(|token| token.written(self.text) == "::");
        sign.map_or(from..from, |token| token.span.clone())
    }

    fn cast_keyword(&self, before: usize) -> Range<usize> {
        let is_cast =
            |token: &&Token<'_>| token.span.start < before && token.word() == Some("cast");
        let keyword = self.tokens.iter().rev().find(is_cast);
        keyword.map_or(before..before, |token| token.span.clone())
    }

    /// The bytes of an expression that binds tighter than any operator.
    pub(super) fn extent(&self, expr: &Expr) -> Option<Range<usize>> {
        match expr {
            Expr::Identifier(_) | Expr::CompoundIdentifier(_) => Some(span_of(expr)),
            Expr::Nested(inner) => self.in_brackets(self.extent_of_operation(inner)?),
            Expr::Function(function) => self.extent_of_call(function),
            Expr::Cast {
                kind: CastKind::DoubleColon,
                expr,
                ..
            } => match expr.as_ref() {
                // `uuid '…'` is a cast, too.
                Expr::Value(value) => {
                    let value = range(value.span);
                    let before = self.token_before(value.start);
                    let is_typed = |token: Range<usize>| self.type_name_ends.contains(&token.end);
                    match self.extent_of_cast(value.clone()) {
                        None if is_typed(before.clone()) => Some(before.start..value.end),
                        cast => cast,
                    }
                }
                expr => self.extent_of_cast(self.extent(expr)?),
            },
            Expr::Cast { expr, .. } => {
                let inner = self.extent_of_operation(expr)?;
                let open = self.token_before(inner.start);
                let cast = self.token_before(open.start);
                let is_cast = self.written(&cast).eq_ignore_ascii_case("cast");
                if !is_cast || self.written(&open) != "(" {
                    return None;
                }
                Some(cast.start..self.closing(open.start)?)
            }
            Expr::Case {
                case_token,
                end_token,
                ..
            } => Some(range(case_token.0.span).start..range(end_token.0.span).end),
            Expr::Subquery(query) => {
                // A set operation may begin with brackets of its own.
                let (None, SetExpr::Select(select)) = (&query.with, query.body.as_ref()) else {
                    return None;
                };
                let first = range(select.select_token.0.span);
                self.bracketed(first.start, "(")
            }
            Expr::QualifiedWildcard(name, star) => {
                Some(range(name.span()).start..range(star.0.span).end)
            }
            Expr::CompoundFieldAccess { root, access_chain } => {
                self.extent_of_parts(self.extent(root)?, access_chain)
            }
            Expr::Array(array) if array.named => {
                let first = self.extent_of_operation(array.elem.first()?)?;
                let whole = self.bracketed(first.start, "[")?;
                let name = self.token_before(whole.start);
                let is_array = self.written(&name).eq_ignore_ascii_case("array");
                is_array.then_some(name.start..whole.end)
            }
            _ => None,
        }
    }

    /// What `[…]` and `.name` behind an expression add to it.
    fn extent_of_parts(&self, root: Range<usize>, parts: &[AccessExpr]) -> Option<Range<usize>> {
        let mut end = root.end;
        for part in parts {
            let next = self.tokens_from(end).first()?.span.clone();
            end = match (self.written(&next), part) {
                ("[", AccessExpr::Subscript(_)) => self.closing(next.start)?,
                (".", AccessExpr::Dot(_)) => self.tokens_from(next.end).first()?.span.end,
                _ => return None,
            };
        }
        Some(root.start..end)
    }

    /// From the bracket before a place to the one that closes it.
    pub(super) fn bracketed(&self, first: usize, bracket: &str) -> Option<Range<usize>> {
        let open = self.token_before(first);
        let is_open = self.written(&open) == bracket;
        Some(open.start..self.closing(open.start)?).filter(|_| is_open)
    }

    /// The bytes of an expression in brackets, which may be an operation.
    pub(super) fn extent_of_operation(&self, expr: &Expr) -> Option<Range<usize>> {
        match expr {
            Expr::BinaryOp { left, right, .. } => {
                let (left, right) = (
                    self.extent_of_operation(left)?,
                    self.extent_of_operation(right)?,
                );
                Some(left.start..right.end)
            }
            Expr::Value(value) => Some(range(value.span)),
            _ => self.extent(expr),
        }
    }

    /// The brackets directly around a range.
    fn in_brackets(&self, inner: Range<usize>) -> Option<Range<usize>> {
        let open = self.token_before(inner.start);
        let close = self.tokens_from(inner.end).first()?.span.clone();
        (self.written(&open) == "(" && self.written(&close) == ")").then_some(open.start..close.end)
    }

    pub(super) fn written(&self, span: &Range<usize>) -> &str {
        self.text.get(span.clone()).unwrap_or_default()
    }

    /// The COLLATE behind a cast to this type.
    pub(in crate::sql) fn collation_behind(&self, name: &TypeName) -> Option<Range<usize>> {
        let mut tokens = self.tokens_from(name.span.end).iter().peekable();
        let before = self.token_before(name.span.start);
        if self.written(&before).eq_ignore_ascii_case("as") {
            tokens.next_if(|token| token.written(self.text) == ")")?;
        }
        self.collation(tokens)
    }

    /// The COLLATE behind a value, which may be in brackets of its own.
    pub(in crate::sql) fn collation_behind_value(
        &self,
        value: Range<usize>,
    ) -> Option<Range<usize>> {
        let mut inner = value;
        while let Some(outer) = self.in_brackets(inner.clone()) {
            let before = self.token_before(outer.start);
            let word = self.written(&before).to_ascii_lowercase();
            let is_call = word.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '"'));
            if is_call && !BEFORE_BRACKETS.contains(&word.as_str()) {
                return None;
            }
            inner = outer;
        }
        self.collation(self.tokens_from(inner.end).iter().peekable())
    }

    /// The COLLATE that some tokens begin with.
    fn collation<'t>(
        &self,
        mut tokens: Peekable<impl Iterator<Item = &'t Token<'t>>>,
    ) -> Option<Range<usize>> {
        let collate = tokens.next()?;
        if collate.keyword() != Some("collate") {
            return None;
        }
        let mut end = tokens.next()?.span.end;
        while tokens
            .next_if(|token| token.written(self.text) == ".")
            .is_some()
        {
            end = tokens.next()?.span.end;
        }
        Some(collate.span.start..end)
    }

    /// Takes the COLLATE behind a column away whose keys are no text: they have none, and none changes
    /// which ids are equal.
    pub(super) fn uncollated(&mut self, node: TypeVar, column: &Expr) -> TypeVar {
        if let Shape::Id(id) = self.types.shape(node)
            && id.shown.is_text()
            && !id.key_type.is_text()
            && let Some(span) = self.collation_behind_value(span_of(column))
        {
            let with = Replacement::Text(String::new());
            self.replaced.push(Edit { span, with });
        }
        node
    }

    pub(super) fn extent_of_call(&self, function: &Function) -> Option<Range<usize>> {
        if function.null_treatment.is_some() || !function.within_group.is_empty() {
            return None;
        }
        let name = range(function.name.span());
        let open = self.tokens_from(name.end).first()?;
        if self.written(&open.span) != "(" {
            return None;
        }
        let mut end = self.closing(open.span.start)?;
        for (word, follows) in [
            ("filter", function.filter.is_some()),
            ("over", function.over.is_some()),
        ] {
            if !follows {
                continue;
            }
            let [keyword, next, ..] = self.tokens_from(end) else {
                return None;
            };
            if !self.written(&keyword.span).eq_ignore_ascii_case(word) {
                return None;
            }
            end = match self.written(&next.span) {
                "(" => self.closing(next.span.start)?,
                _ => next.span.end,
            };
        }
        Some(name.start..end)
    }

    /// The end of the brackets that open at a place.
    pub(super) fn closing(&self, open: usize) -> Option<usize> {
        let first = self.index_of(open);
        let token = self.tokens.get(first)?;
        match self.written(&token.span) {
            "(" | "[" => Some(self.tokens.get(self.partner(first)?)?.span.end),
            ")" | "]" => None,
            _ => Some(token.span.end),
        }
    }

    /// The index of the token that closes what the bracket at an index opens.
    pub(super) fn partner(&self, open: usize) -> Option<usize> {
        self.partners().of_bracket(open)
    }

    /// Which brackets of the text belong together.
    pub(super) fn partners(&self) -> &Partners {
        let partners = || Partners::of(self.text, self.tokens);
        self.brackets.get_or_init(partners)
    }

    /// A cast with `::` behind an expression.
    fn extent_of_cast(&self, inner: Range<usize>) -> Option<Range<usize>> {
        let mut tokens = self.tokens_from(inner.end).iter().peekable();
        let sign = tokens.next()?;
        if self.written(&sign.span) != "::" {
            return None;
        }
        let name = tokens.next()?;
        let mut end = match &name.kind {
            TokenKind::Word { .. } => name.span.end,
            _ => return None,
        };
        while let Some(token) = tokens.next() {
            let written = self.written(&token.span);
            let is_name = matches!(&token.kind, TokenKind::Word { .. });
            match written {
                "." => end = tokens.next()?.span.end,
                "(" | "[" => {
                    end = self.closing(token.span.start)?;
                    while tokens.next_if(|token| token.span.start < end).is_some() {}
                }
                // `double precision`, `timestamp with time zone`, `character varying`
                _ if is_name
                    && ["varying", "precision", "with", "without", "time", "zone"]
                        .contains(&written.to_ascii_lowercase().as_str()) =>
                {
                    end = token.span.end;
                }
                _ => break,
            }
        }
        Some(inner.start..end)
    }

    /// The bytes of each argument of a call, without `DISTINCT` and ORDER BY. `None` if they are
    /// written in another way.
    pub(super) fn argument_extents(&self, function: &Function) -> Option<Vec<Range<usize>>> {
        let name = range(function.name.span());
        let open = self.tokens_from(name.end).first()?.span.clone();
        if self.written(&open) != "(" {
            return None;
        }
        self.items(open, has_pairs(function))
    }

    /// The bytes of the query that is the only argument of `JSON_ARRAY(SELECT …)`.
    pub(super) fn query_extent(&self, function: &Function) -> Option<Range<usize>> {
        let name = range(function.name.span());
        let open = self.tokens_from(name.end).first()?.span.start;
        let mut extent: Option<Range<usize>> = None;
        for step in self.level(self.index_of(open) + 1) {
            self.types.spend(1);
            if self.ends_json(step.tokens.start) {
                break;
            }
            let start = extent.map_or(step.span.start, |known| known.start);
            extent = Some(start..step.span.end);
        }
        extent
    }

    /// The bytes of each item of a list whose opening bracket this is.
    pub(super) fn listed(&self, open: Range<usize>) -> Option<Vec<Range<usize>>> {
        self.items(open, false)
    }

    /// The same, where an item may be the name and the value of a member.
    fn items(&self, open: Range<usize>, pairs: bool) -> Option<Vec<Range<usize>>> {
        let first = self.index_of(open.start);
        self.partner(first)?;
        let mut extents = Vec::new();
        let mut current: Option<Range<usize>> = None;
        // Between name and value of a member one sign or word stands that looks so, and no more.
        let mut dividers = 0;
        for step in self.level(first + 1) {
            self.types.spend(1);
            let at = step.tokens.start;
            if step.written == "," {
                if pairs && dividers != 1 {
                    return None;
                }
                dividers = 0;
                extents.extend(current.take());
                continue;
            }
            if pairs && self.divides_member(at, current.is_some()) {
                dividers += 1;
                extents.extend(current.take());
                continue;
            }
            if step.is_word(&["order"]) {
                break;
            }
            if self.ends_json(at) {
                // What is in a text that is taken for JSON, and what would come behind, nobody lists.
                let goes_on = self.level(at).any(|step| step.written == ",");
                if goes_on || step.is_word(&["format"]) {
                    return None;
                }
                break;
            }
            if current.is_none() {
                if extents.is_empty() && step.is_word(&["all", "distinct"]) {
                    continue;
                }
                if step.is_word(&["variadic"]) {
                    return None;
                }
            }
            let start = current.map_or(step.span.start, |known| known.start);
            current = Some(start..step.span.end);
        }
        extents.extend(current);
        (!pairs || dividers == 1).then_some(extents)
    }

    /// The tokens from an index on, in steps over what is in brackets, up to the bracket that closes
    /// what they stand in. One that nothing closes goes on to the end.
    pub(super) fn level(&self, from: usize) -> impl Iterator<Item = Step<'_>> {
        let mut at = from;
        std::iter::from_fn(move || {
            let token = self.tokens.get(at)?;
            let written = self.written(&token.span);
            let last = match written {
                ")" | "]" => return None,
                "(" | "[" => self.partner(at).unwrap_or(self.tokens.len() - 1),
                _ => at,
            };
            let span = token.span.start..self.tokens.get(last)?.span.end;
            let tokens = at..last + 1;
            at = tokens.end;
            Some(Step {
                token,
                written,
                tokens,
                span,
            })
        })
    }

    /// Whether the token at an index stands between the name and the value of a member, of which
    /// something has been read.
    fn divides_member(&self, at: usize, has_begun: bool) -> bool {
        let Some(token) = self.tokens.get(at) else {
            return false;
        };
        let is_value = token.keyword() == Some("value");
        let before = at.checked_sub(1).and_then(|before| self.tokens.get(before));
        let ends_operand = before.is_some_and(|before| match before.kind {
            TokenKind::Punctuation => matches!(self.written(&before.span), ")" | "]"),
            TokenKind::Operator => false,
            _ => true,
        });
        has_begun && (self.written(&token.span) == ":" || is_value && ends_operand)
    }

    /// Whether a clause begins at an index that says how a constructor of SQL/JSON makes its
    /// document.
    fn ends_json(&self, at: usize) -> bool {
        let word = |index: usize| self.tokens.get(index)?.keyword();
        match word(at) {
            Some("absent" | "null") => word(at + 1) == Some("on") && word(at + 2) == Some("null"),
            Some("format") => word(at + 1) == Some("json"),
            Some("returning") => true,
            Some("with" | "without") => word(at + 1) == Some("unique"),
            _ => false,
        }
    }
}
