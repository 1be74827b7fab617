//! Parameters that are text because of what they meet first, as in `$1 = '' OR id = $1::uuid`: a
//! literal or parameter of no type that is compared with another is text in Postgres's eyes, and a
//! cast behind that reads an id from it. What it is compared with and is no id, such as `''`, it
//! stays.

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::rc::Rc;

use sqlparser::ast::{Expr, FunctionArg, FunctionArgExpr, FunctionArguments, Value as SqlValue};

use crate::pg::functions::{self, Rule};
use crate::sql::normalize::string_of;
use crate::sql::parse::{is_string, range};
use crate::sql::types::{Shape, TypeVar};

use super::cast::{is_text_name, unnested};
use super::tag_comparison::{free_constant, is_free};
use super::{Binder, Value};

/// What is known of values that stay text though ids are read from them.
#[derive(Debug, Default)]
pub(in crate::sql) struct Texts {
    /// The constants that such a value stays if it is one of them, by where the value begins.
    pub(in crate::sql) kept: HashMap<usize, Rc<[String]>>,
    /// The parameters that are text because of what they met first, by their index, and the constants
    /// without ids that they are compared with.
    settled: HashMap<usize, Vec<String>>,
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
        let (mut leaves, mut kept) = (Vec::new(), Vec::new());
        let mut is_read = |expr| read_leaves(expr, &mut leaves, Some(&mut kept));
        if !is_read(left) || !is_read(right) {
            return;
        }
        for leaf in &leaves {
            let literal = self.tokens_from(leaf.start).first().and_then(string_of);
            kept.extend(literal.filter(|text| is_free(text)).map(str::to_owned));
        }
        for index in self.parameters_at(&leaves) {
            if self.texts.settled.contains_key(&index) || self.is_met_first(index, &leaves) {
                let known = self.texts.settled.entry(index).or_default();
                known.extend_from_slice(&kept);
            }
        }
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
        let indices = self.parameters_at(&[range(value.span)]);
        let mut indices = indices.iter();
        indices.any(|index| self.texts.settled.contains_key(index))
    }

    /// Adds the constants that parameters at some places have been compared with before.
    pub(super) fn compared_before(&self, leaves: &[Range<usize>], kept: &mut Vec<String>) {
        for index in self.parameters_at(leaves) {
            let known = self.texts.settled.get(&index);
            kept.extend(known.into_iter().flatten().cloned());
        }
    }
}

/// Whether an expression hands through nothing but literals and parameters; their places.
pub(super) fn text_leaves(expr: &Expr, leaves: &mut Vec<Range<usize>>) -> bool {
    read_leaves(expr, leaves, None)
}

/// Whether an expression hands through nothing but literals and parameters where the text is read
/// as an id, behind comparisons with constants that are none: with those that NULLIF and the
/// conditions of CASE take out.
pub(super) fn read_leaves(
    expr: &Expr,
    leaves: &mut Vec<Range<usize>>,
    mut kept: Option<&mut Vec<String>>,
) -> bool {
    match expr {
        Expr::Nested(inner) => read_leaves(inner, leaves, kept),
        Expr::Cast {
            expr, data_type, ..
        } => is_text_name(data_type) && read_leaves(expr, leaves, kept),
        Expr::Value(value) => {
            leaves.push(range(value.span));
            matches!(value.value, SqlValue::Placeholder(_) | SqlValue::Null)
                || is_string(&value.value)
        }
        Expr::Case {
            operand,
            conditions,
            else_result,
            ..
        } => {
            if let Some(kept) = kept.as_deref_mut() {
                for branch in conditions {
                    match operand {
                        Some(_) => kept.extend(free_constant(&branch.condition)),
                        None => compared_constants(&branch.condition, kept),
                    }
                }
            }
            let mut results = conditions.iter().map(|branch| &branch.result);
            results.all(|result| read_leaves(result, leaves, kept.as_deref_mut()))
                && else_result
                    .as_ref()
                    .is_none_or(|result| read_leaves(result, leaves, kept))
        }
        Expr::Function(function) => {
            let arguments = match &function.args {
                FunctionArguments::List(list) => list.args.as_slice(),
                _ => return false,
            };
            let mut texts = arguments.iter().map(|arg| match arg {
                FunctionArg::Unnamed(FunctionArgExpr::Expr(expr)) => Some(expr),
                _ => None,
            });
            // Under a name in quotes, or one with a schema, it may be a function of the user.
            let name = function.name.to_string().to_ascii_lowercase();
            match (functions::rule(&name), kept) {
                (Some(Rule::First), mut kept) => texts.all(|text| {
                    text.is_some_and(|text| read_leaves(text, leaves, kept.as_deref_mut()))
                }),
                (Some(Rule::NullIf), Some(kept)) => {
                    match (texts.next().flatten(), texts.next().flatten()) {
                        (Some(text), Some(constant)) => {
                            let free = free_constant(constant);
                            let is_free = free.is_some();
                            kept.extend(free);
                            read_leaves(text, leaves, Some(kept))
                                && (is_free || read_leaves(constant, leaves, Some(kept)))
                        }
                        _ => false,
                    }
                }
                _ => false,
            }
        }
        _ => false,
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
