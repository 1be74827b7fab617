//! Text with ids in it beside constants. Each id in such a text is the text of an id outside and a
//! tag inside; a constant in which no id could be is equal to neither as soon as there is one, and
//! without one the text is the same on both sides. So the comparison is that of the client.

use sqlparser::ast::{
    Expr, Function, FunctionArg, FunctionArgExpr, FunctionArguments, SelectItem, SetExpr,
    Value as SqlValue,
};

use crate::pg::functions::{Rule, rule};
use crate::sql::parse::string_value;
use crate::sql::types::{Shape, TypeVar, UUID, may_be_text};

use super::document::constant;
use super::span::{At, span_of};
use super::{Binder, Check};

/// No id that is shown as text is as short; a uuid has 32 digits at least, the shortest forms of
/// text have 22 characters.
const SHORTER_THAN_IDS: usize = 20;

impl Binder<'_> {
    /// A comparison of two expressions for being equal, or another.
    pub(super) fn compare_exprs(
        &mut self,
        (a, left): (TypeVar, &Expr),
        word: &str,
        (b, right): (TypeVar, &Expr),
        at: At<'_>,
    ) -> Check<()> {
        self.settle_as_text((a, left), (b, right));
        let is_equality = matches!(word, "=" | "<>");
        let is_settled = is_equality
            && (self.is_built_beside_constant(a, right) || self.is_built_beside_constant(b, left));
        if is_settled {
            self.types.resolve_plain(a);
            self.types.resolve_plain(b);
            return Ok(());
        }
        self.compare_nodes((a, b), word, at)
    }

    /// `nullif` of such a text and such a constant: the text.
    pub(super) fn nullif_constant(
        &mut self,
        function: &Function,
        arguments: &[TypeVar],
    ) -> Option<TypeVar> {
        let FunctionArguments::List(list) = &function.args else {
            return None;
        };
        let ([_, FunctionArg::Unnamed(FunctionArgExpr::Expr(constant))], [text, other]) =
            (list.args.as_slice(), arguments)
        else {
            return None;
        };
        // Under a name in quotes, or one with a schema, it may be a function of the user.
        if rule(&function.name.to_string()) != Some(Rule::NullIf) {
            return None;
        }
        if !self.is_built_beside_constant(*text, constant) {
            return None;
        }
        self.types.resolve_plain(*other);
        Some(*text)
    }

    /// Refuses constants in a column of a query beside text with ids in it, if an id could be in one:
    /// it would be another text than that of the id's tag.
    pub(super) fn check_free_of_ids(&self, body: &SetExpr, index: usize, word: &str) -> Check<()> {
        let mut bodies = vec![body];
        while let Some(body) = bodies.pop() {
            let exprs: Vec<&Expr> = match body {
                SetExpr::Query(query) => {
                    bodies.push(&query.body);
                    continue;
                }
                SetExpr::SetOperation { left, right, .. } => {
                    bodies.extend([right, left].map(|side| &**side));
                    continue;
                }
                SetExpr::Select(select) => items(&select.projection, index).into_iter().collect(),
                SetExpr::Values(values) => {
                    let rows = values.rows.iter();
                    rows.filter_map(|row| row.get(index)).collect()
                }
                _ => continue,
            };
            let has_id = |text: String| {
                let has_digit = text.bytes().any(|byte| byte.is_ascii_digit());
                !has_no_id(&text) || self.short_ids && has_digit
            };
            let mut exprs = exprs.into_iter();
            if let Some(expr) = exprs.find(|expr| constant(expr).is_some_and(has_id)) {
                return Err(self.shows(word, span_of(expr)));
            }
        }
        Ok(())
    }

    /// Whether a value is text with ids in it, and an expression a constant in which there is none.
    fn is_built_beside_constant(&self, built: TypeVar, constant: &Expr) -> bool {
        let is_built = match self.types.shape(built) {
            Shape::Tagged(oid) => oid != UUID && may_be_text(oid),
            _ => false,
        };
        // Ids that are shown as integers could be any digits.
        is_built && !self.short_ids && is_free_of_ids(constant)
    }
}

/// The expression of a result column, if as many stand before it as columns.
fn items(items: &[SelectItem], index: usize) -> Option<&Expr> {
    let is_one = |item: &SelectItem| {
        matches!(
            item,
            SelectItem::UnnamedExpr(_) | SelectItem::ExprWithAlias { .. }
        )
    };
    match items.get(index)? {
        SelectItem::UnnamedExpr(expr) | SelectItem::ExprWithAlias { expr, .. } => {
            items.iter().take(index).all(is_one).then_some(expr)
        }
        _ => None,
    }
}

fn is_free_of_ids(constant: &Expr) -> bool {
    match constant {
        Expr::Nested(inner) => is_free_of_ids(inner),
        Expr::Value(value) => match &value.value {
            SqlValue::Null => true,
            literal => string_value(literal).is_some_and(has_no_id),
        },
        _ => false,
    }
}

/// The text of a constant in which there is no id, and that no key is written as: of those, the
/// texts have as many letters as ids.
pub(super) fn free_constant(constant: &Expr) -> Option<String> {
    match constant {
        Expr::Nested(inner) => free_constant(inner),
        Expr::Value(value) => {
            let text = string_value(&value.value)?;
            is_free(text).then(|| text.to_owned())
        }
        _ => None,
    }
}

/// Whether no part of a text can be an id, and that is no number.
pub(super) fn is_free(text: &str) -> bool {
    has_no_id(text) && !text.bytes().any(|byte| byte.is_ascii_digit())
}

/// Whether no part of a constant can be an id. Ids are written with letters, digits, `-` and `_`.
fn has_no_id(text: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_');
    text.split(|c| !is_part(c))
        .all(|part| part.chars().count() < SHORTER_THAN_IDS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_constant_has_no_id_unless_a_part_of_it_is_as_long_as_one() {
        assert!(has_no_id(""));
        assert!(has_no_id("the words of a sentence, however long it is"));
        assert!(!has_no_id("user 7d3f0b529a414c68b1de5e2f8c90a7b4"));
        assert!(!has_no_id("order_01h455vb4pex5vsknk084sn02q"));
        assert!(!has_no_id("2VZ8KFdEDIGUvxXbdmn8Cx"));
    }
}
