//! Parameters that are text because of what they meet first, as in `$1 = '' OR id = $1::uuid`: a
//! literal or parameter of no type that is compared with another is text in Postgres's eyes, and a
//! cast behind that reads an id from it. What it is compared with and is no id, such as `''`, it
//! stays.

mod columns;
mod elements;
mod rows;
mod unknown;

use std::collections::{BTreeSet, HashMap, HashSet};
use std::ops::Range;
use std::sync::Arc;

use sqlparser::ast::{
    Expr, Function, GroupByExpr, Query, SelectItem, SetExpr, TrimWhereField, Value as SqlValue,
};

use crate::catalog::KeyType;
use crate::pg::functions::{self, Reading, Rule};
use crate::sql::normalize::string_of;
use crate::sql::parse::{is_string, range};
use crate::sql::plan::TextChange;
use crate::sql::types::{Shape, TypeVar};

use super::callee::Callee;
use super::cast::unnested;
use super::column_name::last;
use super::document::argument_exprs;
use super::tag_comparison::{free_constant, is_free};
use super::type_name::is_text_name;
use super::value_sites::is_bare;
use super::{Binder, Value};
use columns::hangs_on_constants;
use rows::Rows;

/// The functions of Postgres's own whose first arguments, so many, are text if they have no type.
const OF_TEXT: [(&str, usize); 38] = [
    ("ascii", 1),
    ("bit_length", 1),
    ("btrim", 2),
    ("char_length", 1),
    ("character_length", 1),
    ("hashtext", 1),
    ("initcap", 1),
    ("left", 1),
    ("length", 1),
    ("lower", 1),
    ("lpad", 1),
    ("ltrim", 2),
    ("md5", 1),
    ("normalize", 1),
    ("octet_length", 1),
    ("quote_ident", 1),
    ("quote_literal", 1),
    ("regexp_count", 2),
    ("regexp_instr", 2),
    ("regexp_like", 2),
    ("regexp_match", 2),
    ("regexp_matches", 2),
    ("regexp_replace", 3),
    ("regexp_split_to_array", 2),
    ("regexp_substr", 2),
    ("repeat", 1),
    ("replace", 3),
    ("reverse", 1),
    ("right", 1),
    ("rpad", 1),
    ("rtrim", 2),
    ("split_part", 2),
    ("starts_with", 2),
    ("strpos", 2),
    ("substr", 1),
    ("substring", 1),
    ("translate", 3),
    ("upper", 1),
];

/// What is known of values that stay text though ids are read from them.
#[derive(Debug, Default)]
pub(in crate::sql) struct Texts {
    /// What the statement does to such a text, by where the value begins.
    pub(in crate::sql) changes: HashMap<usize, Changed>,
    /// The parameters that are text because of what they met first, by their index, and the constants
    /// without ids that they are compared with.
    settled: HashMap<usize, Vec<String>>,
    /// The constants without ids for which NULLIF makes a value NULL, by where that begins.
    pub(in crate::sql) nulled: HashMap<usize, Vec<String>>,
    /// Where such constants begin.
    pub(in crate::sql) nulling: HashSet<usize>,
    /// The columns of queries that are nothing but literals and parameters of no type, and where
    /// these stand.
    pub(super) columns: HashMap<TypeVar, Vec<Range<usize>>>,
    /// How those of them that stand in FROM as rows of one value are made of it.
    rows: HashMap<TypeVar, Rows>,
    /// Where values of those begin that the statement casts.
    pub(in crate::sql) cast: HashSet<usize>,
    /// The columns that stand apart, for they are cast.
    pub(super) apart: HashSet<TypeVar>,
    /// The values that are text if they have no type, because of what they are compared with.
    compared: HashSet<TypeVar>,
    /// How many expressions are being walked in which they may be read.
    pub(super) reading: usize,
    /// Where values of theirs begin that a cast has read.
    pub(super) read: HashSet<usize>,
    /// The constants without ids that they are compared with, by where their values begin.
    kept: HashMap<usize, BTreeSet<String>>,
}

/// What an expression hands through to a cast that reads text.
#[derive(Debug, Default)]
pub(super) struct TextLeaves {
    /// The places of the literals and parameters.
    pub(super) leaves: Vec<Range<usize>>,
    /// The constants without ids that they are compared with.
    kept: Vec<String>,
    /// Where those begin that are trimmed, and those whose letters are made small or capital.
    trimmed: HashSet<usize>,
    pub(super) folded: HashSet<usize>,
    /// Whether one of them becomes NULL for what it is.
    compares: bool,
    /// The columns among them that are such literals and parameters.
    pub(super) columns: Vec<TypeVar>,
}

impl Binder<'_> {
    /// Takes down a comparison of two expressions of no type, which are text then.
    pub(super) fn settle_as_text(
        &mut self,
        (a, left): (TypeVar, &Expr),
        (b, right): (TypeVar, &Expr),
    ) {
        let may_be_text = |node| match self.types.shape(node) {
            Shape::Unknown => true,
            Shape::Typed(of) => of.is_text(),
            _ => false,
        };
        if !may_be_text(a) || !may_be_text(b) {
            return;
        }
        let mut read = TextLeaves::default();
        if !read.read(left) || !read.read(right) {
            return;
        }
        let TextLeaves {
            leaves, mut kept, ..
        } = read;
        kept.extend(self.free_literals(&leaves));
        for index in self.parameters_at(&leaves) {
            if self.texts.settled.contains_key(&index) || self.is_met_first(index, &leaves) {
                let known = self.texts.settled.entry(index).or_default();
                known.extend_from_slice(&kept);
            }
        }
    }

    /// Takes down that an expression of no type stands where Postgres takes it for text.
    pub(super) fn settle_alone(&mut self, expr: &Expr) {
        let mut read = TextLeaves::default();
        if !read.read(expr) {
            return;
        }
        for index in self.parameters_at(&read.leaves) {
            if self.is_met_first(index, &read.leaves) {
                self.texts.settled.entry(index).or_default();
            }
        }
    }

    /// Takes down that the arguments of a function of Postgres's own are text where they have no type.
    pub(super) fn settle_argument(&mut self, function: &Function, callee: &Callee<'_>) {
        let name = last(&function.name);
        let known = OF_TEXT.iter().find(|(known, _)| *known == name);
        let Some((_, count)) = known.filter(|_| !callee.is_own) else {
            return;
        };
        let arguments = argument_exprs(function).into_iter().flatten();
        for argument in arguments.take(*count) {
            self.settle_alone(argument);
        }
    }

    /// Takes down that NULLIF makes a literal or parameter NULL where it is a constant without ids: such
    /// as `''`, which no key is. False for any other call.
    pub(super) fn nulls_constant(
        &mut self,
        function: &Function,
        callee: &Callee<'_>,
        value: TypeVar,
    ) -> bool {
        let may_be_text = match self.types.shape(value) {
            Shape::Unknown => true,
            Shape::Typed(of) => of.is_text(),
            _ => false,
        };
        let is_nullif = !callee.is_own && callee.rule() == Some(Rule::NullIf);
        if !may_be_text || !is_nullif {
            return false;
        }
        let of_value = |expr: &Expr| match unnested(expr) {
            Expr::Value(value) => Some(range(value.span)),
            _ => None,
        };
        let places = match argument_exprs(function).as_deref() {
            Some([value, constant]) => of_value(value).zip(of_value(constant)),
            _ => None,
        };
        let Some((value_at, constant_at)) = places else {
            return false;
        };
        let constants = self.free_literals(std::slice::from_ref(&constant_at));
        if constants.is_empty() {
            return false;
        }
        // Which literal the value is decides whether it is NULL.
        self.free_literals(std::slice::from_ref(&value_at));
        self.note_text(value);
        let nulled = self.texts.nulled.entry(value_at.start).or_default();
        nulled.extend(constants);
        self.texts.nulling.insert(constant_at.start);
        let mut occurrences = self.occurrences.iter_mut().rev();
        if let Some(constant) = occurrences.find(|of| of.span == constant_at) {
            constant.node = value;
        }
        true
    }

    /// The constants without ids among literals and parameters. Which of them a literal is, decides
    /// what becomes of it.
    fn free_literals(&self, leaves: &[Range<usize>]) -> Vec<String> {
        let literals = leaves.iter().filter_map(|leaf| {
            let text = self.tokens_from(leaf.start).first().and_then(string_of)?;
            is_free(text).then(|| text.to_owned())
        });
        literals.collect()
    }

    /// The indices of the parameters at some places.
    fn parameters_at(&self, leaves: &[Range<usize>]) -> Vec<usize> {
        let starts: HashSet<usize> = leaves.iter().map(|leaf| leaf.start).collect();
        let of_parameter = |value: &Value| match value {
            Value::Parameter { index, .. } => Some(*index),
            _ => None,
        };
        let occurrences = self.occurrences.iter().rev();
        let within = occurrences.filter(|of| starts.contains(&of.span.start));
        within.filter_map(|of| of_parameter(&of.value)).collect()
    }

    /// Whether a parameter stands nowhere before.
    fn is_met_first(&self, index: usize, leaves: &[Range<usize>]) -> bool {
        let starts: HashSet<usize> = leaves.iter().map(|leaf| leaf.start).collect();
        let is_it =
            |value: &Value| matches!(value, Value::Parameter { index: of, .. } if *of == index);
        let mut others = self.occurrences.iter().filter(|of| is_it(&of.value));
        others.all(|of| starts.contains(&of.span.start))
    }

    /// Whether an expression is a parameter that is text because of what it met first.
    pub(super) fn is_settled_as_text(&self, value: &Expr) -> bool {
        let Expr::Value(value) = unnested(value) else {
            return false;
        };
        let at = range(value.span);
        let indices = self.parameters_at(std::slice::from_ref(&at));
        let mut indices = indices.iter();
        indices
            .any(|index| self.texts.settled.contains_key(index) || self.is_text_before(*index, &at))
    }

    /// Whether a parameter has met something before this place that makes it text.
    fn is_text_before(&self, index: usize, at: &Range<usize>) -> bool {
        let first = self.first_use_before(index, at);
        first.is_some_and(|first| self.is_text(first.node))
    }

    /// Takes down what a statement does to text before an id is read from it.
    pub(super) fn change_text(&mut self, read: &TextLeaves) {
        let mut kept: BTreeSet<String> = read.kept.iter().cloned().collect();
        for index in self.parameters_at(&read.leaves) {
            let known = self.texts.settled.get(&index);
            kept.extend(known.into_iter().flatten().cloned());
        }
        // Which literals they are decides what becomes of them.
        let asks = !kept.is_empty() || read.leaves.len() > 1 || !read.trimmed.is_empty();
        let beside: BTreeSet<String> = match asks {
            true => self.free_literals(&read.leaves).into_iter().collect(),
            false => BTreeSet::new(),
        };
        let texts = |all: &BTreeSet<String>| all.iter().cloned().collect::<Arc<[String]>>();
        let compared = texts(&kept);
        kept.extend(beside);
        let all = texts(&kept);
        for leaf in &read.leaves {
            let start = leaf.start;
            let change = |kept: &Arc<[String]>| TextChange {
                kept: Arc::clone(kept),
                trimmed: read.trimmed.contains(&start),
                folded: read.folded.contains(&start),
            };
            let changed = Changed {
                compared: change(&compared),
                all: change(&all),
            };
            self.texts.changes.insert(start, changed);
            if !read.columns.is_empty() {
                self.keep_in_text(start, &all);
            }
        }
    }

    /// Lets constants without ids stay what they are wherever the value that begins at a place is read
    /// as an id.
    pub(super) fn keep_in_text(&mut self, start: usize, constants: &[String]) {
        let kept = self.texts.kept.entry(start).or_default();
        kept.extend(constants.iter().cloned());
        let kept: Vec<String> = kept.iter().cloned().collect();
        if let Some(changed) = self.texts.changes.get_mut(&start) {
            for change in [&mut changed.compared, &mut changed.all] {
                let all: BTreeSet<String> = change.kept.iter().chain(&kept).cloned().collect();
                change.kept = all.into_iter().collect();
            }
        }
    }
}

/// What a statement does to a text before a cast reads an id from it.
#[derive(Debug)]
pub(in crate::sql) struct Changed {
    /// With the constants that the text is compared with.
    compared: TextChange,
    /// With those that stand beside it too: Postgres refuses them where they are read, but for keys
    /// that are text.
    all: TextChange,
}

impl Changed {
    /// What it comes to for keys of a type.
    pub(in crate::sql) const fn of(&self, key_type: KeyType) -> &TextChange {
        if key_type.is_text() {
            &self.compared
        } else {
            &self.all
        }
    }
}

/// Whether an expression hands through nothing but literals and parameters, as they stand; their
/// places.
pub(super) fn text_leaves(expr: &Expr, leaves: &mut Vec<Range<usize>>) -> bool {
    let mut read = TextLeaves::default();
    let is_read = read.read(expr);
    let is_as_it_stands = read.trimmed.is_empty() && read.folded.is_empty();
    leaves.append(&mut read.leaves);
    is_read && is_as_it_stands && !read.compares
}

impl TextLeaves {
    /// Whether an expression hands through nothing but literals and parameters where the text is
    /// read as an id, behind comparisons with constants that are none: with those that NULLIF and
    /// the conditions of CASE take out.
    pub(super) fn read(&mut self, expr: &Expr) -> bool {
        self.read_in(None, expr)
    }

    /// Whether an expression is read so, also through columns of such values if a walk over
    /// the statement knows them.
    pub(super) fn read_in(&mut self, walk: Option<&Binder<'_>>, expr: &Expr) -> bool {
        match expr {
            Expr::Nested(inner) => self.read_in(walk, inner),
            Expr::Identifier(_) | Expr::CompoundIdentifier(_) => {
                let column = walk.and_then(|binder| binder.text_column(expr));
                let Some((node, leaves)) = column else {
                    return false;
                };
                if walk.is_some_and(|binder| binder.texts.rows.contains_key(&node)) {
                    return false;
                }
                self.columns.push(node);
                self.leaves.extend_from_slice(leaves);
                true
            }
            Expr::Cast {
                expr, data_type, ..
            } => is_text_name(data_type) && self.read_in(walk, expr),
            Expr::Value(value) => {
                self.leaves.push(range(value.span));
                matches!(value.value, SqlValue::Placeholder(_) | SqlValue::Null)
                    || is_string(&value.value)
            }
            Expr::Case {
                operand,
                conditions,
                else_result,
                ..
            } => {
                for branch in conditions {
                    if let Some(binder) = walk
                        && !hangs_on_constants(binder, operand.as_deref(), &branch.condition)
                    {
                        return false;
                    }
                    match operand {
                        Some(_) => self.kept.extend(free_constant(&branch.condition)),
                        None => compared_constants(&branch.condition, &mut self.kept),
                    }
                }
                let mut results = conditions.iter().map(|branch| &branch.result);
                results.all(|result| self.read_in(walk, result))
                    && else_result
                        .as_ref()
                        .is_none_or(|result| self.read_in(walk, result))
            }
            Expr::Trim {
                expr,
                trim_where: None | Some(TrimWhereField::Both),
                trim_what: None,
                trim_characters: None,
            } => self.changed((walk, expr), |read| &mut read.trimmed),
            Expr::Function(function) => self.read_call(walk, function),
            Expr::Subquery(query) => {
                only_value(query).is_some_and(|value| self.read_in(walk, value))
            }
            _ => false,
        }
    }

    /// What a function that is given text hands through of it.
    fn read_call(&mut self, walk: Option<&Binder<'_>>, function: &Function) -> bool {
        let Some(arguments) = argument_exprs(function) else {
            return false;
        };
        // Under a name in quotes, or one with a schema, it may be a function of the user.
        let name = function.name.to_string().to_ascii_lowercase();
        let reading = functions::named(&name).and_then(|builtin| builtin.reading);
        match (functions::rule(&name), reading, arguments.as_slice()) {
            (Some(Rule::First), _, all) => all.iter().all(|text| self.read_in(walk, text)),
            (Some(Rule::NullIf), _, [text, constant]) => {
                self.compares = true;
                if let Some(free) = free_constant(constant) {
                    self.kept.push(free);
                    return self.read_in(walk, text);
                }
                // Two ids are compared as keys, whatever is done to their texts.
                let changed = self.folded.len() + self.trimmed.len();
                self.read_in(walk, text)
                    && self.read_in(walk, constant)
                    && self.folded.len() + self.trimmed.len() == changed
            }
            (_, Some(Reading::Lower | Reading::Upper), [text]) => {
                self.changed((walk, text), |read| &mut read.folded)
            }
            (_, Some(Reading::Trim), [text]) => {
                self.changed((walk, text), |read| &mut read.trimmed)
            }
            _ => false,
        }
    }

    /// Reads text that is changed in a way.
    fn changed(
        &mut self,
        (walk, text): (Option<&Binder<'_>>, &Expr),
        changed: impl Fn(&mut Self) -> &mut HashSet<usize>,
    ) -> bool {
        let first = self.leaves.len();
        let is_read = self.read_in(walk, text);
        let leaves = self.leaves.iter().skip(first);
        let starts: Vec<usize> = leaves.map(|leaf| leaf.start).collect();
        changed(self).extend(starts);
        is_read
    }
}

/// The value of a query that does nothing but give one: `(SELECT nullif($1, ''))`.
fn only_value(query: &Query) -> Option<&Expr> {
    let SetExpr::Select(select) = &*query.body else {
        return None;
    };
    // With a WHERE it may have no row, which is NULL.
    let gives_one = is_bare(query)
        && select.from.is_empty()
        && select.distinct.is_none()
        && select.having.is_none()
        && matches!(&select.group_by, GroupByExpr::Expressions(by, _) if by.is_empty());
    match select.projection.as_slice() {
        [SelectItem::UnnamedExpr(value) | SelectItem::ExprWithAlias { expr: value, .. }]
            if gives_one =>
        {
            Some(value)
        }
        _ => None,
    }
}

/// The constants without ids that a condition compares text with.
fn compared_constants(condition: &Expr, constants: &mut Vec<String>) {
    let mut rest = vec![condition];
    while let Some(expr) = rest.pop() {
        match expr {
            Expr::Nested(inner) | Expr::UnaryOp { expr: inner, .. } => rest.push(inner),
            Expr::BinaryOp { left, right, .. }
            | Expr::IsDistinctFrom(left, right)
            | Expr::IsNotDistinctFrom(left, right) => rest.extend([&**left, &**right]),
            Expr::InList { expr, list, .. } => {
                rest.push(expr);
                rest.extend(list);
            }
            _ => constants.extend(free_constant(expr)),
        }
    }
}
