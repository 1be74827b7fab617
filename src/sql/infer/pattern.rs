//! `LIKE` and its like. Over the text of an id (`upper(id::text) LIKE upper('%…%')`) it is a
//! comparison, if no more than one id matches the pattern: the text of ids is nothing that the
//! database has. So is `upper(id::text) = upper('…')`, where nothing in the text stands for others.

use std::ops::Range;

use sqlparser::ast::{
    BinaryOperator, Expr, Function, FunctionArg, FunctionArgExpr, FunctionArguments, Spanned,
    Value as SqlValue,
};

use crate::catalog::KeyType;
use crate::pg::functions::Reading;
use crate::sql::parse::{range, string_value};
use crate::sql::plan::{self, Edit, Letters, Pattern, Replacement, Sought};
use crate::sql::refusal::Refusal;
use crate::sql::scope::Found;
use crate::sql::types::{BOOL, Id, Shape, TypeVar};

use super::cast::unnested;
use super::span::{At, span_of};
use super::texts::text_leaves;
use super::{Binder, Check, Value};

/// An id that is sought by a pattern.
struct Search<'e> {
    /// The id, cast to text.
    id: &'e Expr,
    /// The literal or parameter with the pattern.
    value: &'e Expr,
    /// Where that stands, without casts.
    leaf: Range<usize>,
    pattern: Pattern,
    /// What goes: the names of functions that change the case of either side, what is put around
    /// the value, and what escapes.
    gone: Vec<Range<usize>>,
    /// The operator.
    operator: Range<usize>,
    /// What stands in its place.
    instead: Option<&'static str>,
}

/// How deep a pattern may be put together: `'%' || $1 || '%'` and little more.
const MOST_JOINED: usize = 16;

impl Search<'_> {
    const fn is_joined(&self) -> bool {
        !self.pattern.before.is_empty() || !self.pattern.after.is_empty()
    }
}

/// What `lower` (false) or `upper` is applied to an expression by, if any is.
type Fold = Option<(Range<usize>, bool)>;

impl Binder<'_> {
    pub(super) fn pattern(
        &mut self,
        operator: &str,
        expr: &Expr,
        pattern: &Expr,
        escape: Option<&Expr>,
    ) -> Check<TypeVar> {
        if let Some(result) = self.id_like(operator, expr, pattern, escape)? {
            return Ok(result);
        }
        self.native_pattern(operator, expr, pattern, escape)
    }

    /// A pattern for values that are no ids.
    pub(super) fn native_pattern(
        &mut self,
        operator: &str,
        expr: &Expr,
        pattern: &Expr,
        escape: Option<&Expr>,
    ) -> Check<TypeVar> {
        let (left, right) = (self.expr(expr)?, self.expr(pattern)?);
        if self.types.has_id(left) || self.types.has_id(right) {
            let at = self.place(At::Between(expr, pattern));
            return Err(self.no_operator((left, right), operator, at));
        }
        self.types.resolve_plain(left);
        self.types.resolve_plain(right);
        if let Some(escape) = escape {
            self.native(escape)?;
        }
        Ok(self.types.native(BOOL))
    }

    /// The comparison that a pattern for the text of an id means; `None` for any other.
    pub(super) fn id_like(
        &mut self,
        operator: &str,
        expr: &Expr,
        pattern: &Expr,
        escape: Option<&Expr>,
    ) -> Check<Option<TypeVar>> {
        match self.search(operator, expr, pattern, escape) {
            Some(search) => self.sought_id(search, operator).map(Some),
            None => Ok(None),
        }
    }

    /// The comparison of the text of an id with another text where letters of one of them are made
    /// small or capital; `None` for any other.
    pub(super) fn id_in_case(
        &mut self,
        operator: &str,
        left: &Expr,
        right: &Expr,
    ) -> Check<Option<TypeVar>> {
        let found = self.compared(operator, (left, right), (left, right));
        let found = found.or_else(|| self.compared(operator, (right, left), (left, right)));
        match found {
            Some(search) => self.sought_id(search, operator).map(Some),
            None => Ok(None),
        }
    }

    /// Whether the text of an id is compared with each of a list where letters of either are made small
    /// or capital.
    pub(super) fn ids_in_case(&mut self, expr: &Expr, list: &[Expr]) -> Check<bool> {
        let searches = |binder: &Self, item| binder.compared("=", (expr, item), (expr, item));
        let searches = |binder: &Self| -> Option<Vec<_>> {
            let all = list.iter().map(|item| searches(binder, item));
            all.collect()
        };
        let Some(searches) = searches(self) else {
            return Ok(false);
        };
        for search in searches {
            self.sought_id(search, "=")?;
        }
        Ok(true)
    }

    /// The comparison that a search for an id means.
    fn sought_id(&mut self, search: Search<'_>, operator: &str) -> Check<TypeVar> {
        let left = self.expr(search.id)?;
        let Shape::Id(Id { shown, .. }) = self.types.shape(left) else {
            return Err(self.shows("LIKE", search.operator));
        };
        if !matches!(shown, KeyType::Text | KeyType::Varchar) {
            return Err(self.shows("LIKE", search.operator));
        }
        let right = self.expr(search.value)?;
        self.read_pattern(&search)?;
        let is_text = match self.types.shape(right) {
            Shape::Unknown => true,
            Shape::Typed(declared) => declared.is_text(),
            _ => false,
        };
        if search.is_joined() && !is_text {
            return Err(self.shows("LIKE", search.operator));
        }
        self.compare_nodes((left, right), operator, search.operator.clone())?;
        if let Some(instead) = search.instead {
            self.instead(search.operator, instead.to_owned());
        }
        for gone in search.gone {
            self.instead(gone, String::new());
        }
        Ok(self.types.native(BOOL))
    }

    fn instead(&mut self, span: Range<usize>, with: String) {
        let with = Replacement::Text(with);
        self.replaced.push(Edit { span, with });
    }

    /// A literal becomes the id that it means; a parameter will be read so.
    fn read_pattern(&mut self, search: &Search<'_>) -> Check<()> {
        let Search { leaf, pattern, .. } = search;
        let mut occurrences = self.occurrences.iter_mut().rev();
        let Some(occurrence) = occurrences.find(|occurrence| occurrence.span == *leaf) else {
            // NULL matches nothing, and differs from nothing.
            return Ok(());
        };
        match &mut occurrence.value {
            Value::Literal(value) => match pattern.sought(value) {
                Sought::One(id) => *value = id,
                Sought::Nothing => value.clear(),
                Sought::Several => return Err(Box::new(Refusal::part_of_id().at(leaf.clone()))),
            },
            Value::Number(_) => return Err(self.shows("LIKE", leaf.clone())),
            Value::Parameter { .. } => {
                let first = self.readings.entry(leaf.start);
                first.or_insert_with(|| plan::Reading::Pattern(pattern.clone()));
            }
        }
        Ok(())
    }

    /// The parts of a search for an id. Told by what is written and the columns in reach, for
    /// what is looked at as an expression is found only once.
    fn search<'e>(
        &self,
        operator: &str,
        expr: &'e Expr,
        pattern: &'e Expr,
        escape: Option<&Expr>,
    ) -> Option<Search<'e>> {
        let folds = match operator {
            "~~" | "!~~" => false,
            "~~*" | "!~~*" => true,
            _ => return None,
        };
        let mut search = self.parts_of_search(folds, expr, pattern)?;
        if let Some(escape) = escape {
            search.pattern.escape = self.written_escape(escape, &mut search.gone)?;
        }
        search.operator = self.written_operator(expr, pattern)?;
        // It binds as tightly as the operands need.
        search.instead = Some(match operator.starts_with('!') {
            true => "OPERATOR(pg_catalog.<>)",
            false => "OPERATOR(pg_catalog.=)",
        });
        Some(search)
    }

    /// The parts of a comparison of an id as text with another text, of which a case is changed; as
    /// they are written the one is `left`.
    fn compared<'e>(
        &self,
        operator: &str,
        (expr, text): (&'e Expr, &'e Expr),
        (left, right): (&Expr, &Expr),
    ) -> Option<Search<'e>> {
        let is_folded = |expr| self.folded_case(expr).0.is_some();
        if !matches!(operator, "=" | "<>") || !(is_folded(expr) || is_folded(text)) {
            return None;
        }
        let mut search = self.parts_of_search(false, expr, text)?;
        search.pattern.literal = true;
        search.operator = self.place(At::Between(left, right));
        Some(search)
    }

    /// What a search for an id and a comparison have in common.
    fn parts_of_search<'e>(
        &self,
        folds: bool,
        expr: &'e Expr,
        pattern: &'e Expr,
    ) -> Option<Search<'e>> {
        let (left, id) = self.folded_case(expr);
        let (right, sought) = self.folded_case(pattern);
        // What is written elsewhere can't be edited.
        let elsewhere = self.types.in_definition || self.parameters.is_some();
        if elsewhere || !self.is_uuid_as_text(id) {
            return None;
        }
        let letters = letters(folds, &left, &right)?;
        let mut gone: Vec<Range<usize>> = Vec::new();
        gone.extend([left, right].into_iter().flatten().map(|(name, _)| name));
        let (value, before, after) = joined(sought)?;
        let mut leaves = Vec::new();
        if !text_leaves(value, &mut leaves) {
            return None;
        }
        let whole = self.extent_of_operation(sought)?;
        let kept = self.extent_of_operation(value)?;
        gone.extend([whole.start..kept.start, kept.end..whole.end]);
        gone.retain(|span| !span.is_empty());
        Some(Search {
            id,
            value,
            leaf: leaves.pop()?,
            pattern: Pattern {
                letters,
                literal: false,
                escape: Some('\\'),
                before,
                after,
            },
            gone,
            operator: 0..0,
            instead: None,
        })
    }

    /// `ESCAPE '…'`, which goes.
    fn written_escape(&self, escape: &Expr, gone: &mut Vec<Range<usize>>) -> Option<Option<char>> {
        let Expr::Value(value) = escape else {
            return None;
        };
        let mut letters = string_value(&value.value)?.chars();
        let (letter, None) = (letters.next(), letters.next()) else {
            return None;
        };
        let literal = range(value.span);
        let word = self.token_before(literal.start);
        let is_escape = self.written(&word).eq_ignore_ascii_case("escape");
        gone.push(word.start..literal.end);
        is_escape.then_some(letter)
    }

    /// What `lower` or `upper` is applied to, with the name and whether it is `upper`; or the
    /// expression itself.
    fn folded_case<'e>(&self, expr: &'e Expr) -> (Fold, &'e Expr) {
        let Expr::Function(function) = unnested(expr) else {
            return (None, expr);
        };
        match self.only_argument(function) {
            Some((reading, argument)) => {
                let span = range(function.name.span());
                (Some((span, reading == Reading::Upper)), argument)
            }
            None => (None, expr),
        }
    }

    fn only_argument<'e>(&self, function: &'e Function) -> Option<(Reading, &'e Expr)> {
        let FunctionArguments::List(list) = &function.args else {
            return None;
        };
        let is_plain = function.over.is_none()
            && function.filter.is_none()
            && function.within_group.is_empty()
            && function.null_treatment.is_none()
            && list.duplicate_treatment.is_none()
            && list.clauses.is_empty();
        let reading = self.callee(&function.name).ok()?.only_builtin()?.reading?;
        match (list.args.as_slice(), reading) {
            (
                [FunctionArg::Unnamed(FunctionArgExpr::Expr(argument))],
                Reading::Lower | Reading::Upper,
            ) if is_plain => Some((reading, argument)),
            _ => None,
        }
    }

    /// Whether an expression is a column of ids that are uuids, cast to text.
    fn is_uuid_as_text(&self, expr: &Expr) -> bool {
        let Expr::Cast { expr: column, .. } = unnested(expr) else {
            return false;
        };
        let found = match unnested(column) {
            Expr::Identifier(ident) => self.scopes.unqualified(&ident.value),
            Expr::CompoundIdentifier(idents) => match idents.as_slice() {
                [table, column] => self.scopes.qualified(None, &table.value, &column.value),
                [schema, table, column] => {
                    let schema = Some(schema.value.as_str());
                    self.scopes.qualified(schema, &table.value, &column.value)
                }
                _ => Found::Nothing,
            },
            _ => Found::Nothing,
        };
        let Found::Column(node) = found else {
            return false;
        };
        matches!(
            self.types.shape(node),
            Shape::Id(Id {
                shown: KeyType::Uuid,
                ..
            })
        )
    }

    /// The operator between two expressions, all of it: `NOT LIKE`.
    fn written_operator(&self, left: &Expr, right: &Expr) -> Option<Range<usize>> {
        let (left, right) = (self.extent(left)?, span_of(right));
        let tokens = self.tokens_from(left.end).iter();
        let tokens: Vec<_> = tokens
            .take_while(|token| token.span.start < right.start)
            .take(2)
            .collect();
        let is = |index: usize, words: &[&str]| {
            let token = tokens.get(index);
            token.is_some_and(|token| {
                let word = token.keyword().unwrap_or_else(|| token.written(self.text));
                words.contains(&word)
            })
        };
        let first = tokens.first()?.span.clone();
        if is(0, &["like", "ilike", "~~", "~~*", "!~~", "!~~*"]) {
            return Some(first);
        }
        (is(0, &["not"]) && is(1, &["like", "ilike"]))
            .then(|| first.start..tokens.get(1).map_or(first.end, |token| token.span.end))
    }
}

/// What of the text of an id a pattern is matched with; `None` if capitals are with small letters.
const fn letters(folds: bool, id: &Fold, pattern: &Fold) -> Option<Letters> {
    Some(match (id, pattern) {
        _ if folds => Letters::Any,
        (None | Some((_, false)), None) => Letters::Small,
        (Some((_, true)), None) => Letters::Capital,
        (None | Some((_, false)), Some((_, false))) | (Some((_, true)), Some((_, true))) => {
            Letters::Any
        }
        (None | Some((_, false)), Some((_, true))) | (Some((_, true)), Some((_, false))) => {
            return None;
        }
    })
}

/// The only literal or parameter of a pattern, and the constants around it: `'%' || $1 || '%'`.
fn joined(expr: &Expr) -> Option<(&Expr, String, String)> {
    let mut parts = Vec::new();
    operands(expr, &mut parts, MOST_JOINED)?;
    if let [only] = parts.as_slice() {
        let is_read = constant(literal_of(only)).is_some() || is_parameter(only);
        return is_read.then(|| (*only, String::new(), String::new()));
    }
    // Of constants alone, one is as good as another.
    let at = parts.iter().position(|part| is_parameter(part));
    let at = at.unwrap_or(parts.len() / 2);
    let text = |parts: &[&Expr]| {
        let constants = parts.iter().map(|part| constant(part));
        constants.collect::<Option<String>>()
    };
    let (before, rest) = parts.split_at(at);
    let (value, after) = rest.split_first()?;
    let is_read = constant(literal_of(value)).is_some() || is_parameter(value);
    is_read.then_some((*value, text(before)?, text(after)?))
}

/// The operands of `||`, if they don't nest deeper than this.
fn operands<'e>(expr: &'e Expr, parts: &mut Vec<&'e Expr>, depth: usize) -> Option<()> {
    let deeper = depth.checked_sub(1)?;
    match expr {
        Expr::Nested(inner) => operands(inner, parts, deeper)?,
        Expr::BinaryOp {
            left,
            op: BinaryOperator::StringConcat,
            right,
        } => {
            operands(left, parts, deeper)?;
            operands(right, parts, deeper)?;
        }
        other => parts.push(other),
    }
    Some(())
}

fn literal_of(expr: &Expr) -> &Expr {
    match expr {
        Expr::Cast { expr, .. } => literal_of(expr),
        Expr::Nested(inner) => literal_of(inner),
        other => other,
    }
}

fn constant(expr: &Expr) -> Option<&str> {
    match expr {
        Expr::Value(value) => string_value(&value.value),
        _ => None,
    }
}

/// Whether an expression is a parameter, or NULL.
fn is_parameter(expr: &Expr) -> bool {
    let is_value = |value: &SqlValue| matches!(value, SqlValue::Placeholder(_) | SqlValue::Null);
    matches!(literal_of(expr), Expr::Value(value) if is_value(&value.value))
}
