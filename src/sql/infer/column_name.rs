//! The name that Postgres gives to a result column without an alias.

use std::collections::HashMap;

use sqlparser::ast::{BinaryOperator, Expr, FunctionArguments, ObjectName, SelectItem, SetExpr};

use crate::sql::parse::range;

/// How a name came about: a type's name gives way to a better one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Strength {
    None,
    Weak,
    Strong,
}

/// The names of the first columns of the SELECT lists that have been walked, by where those begin:
/// who asks at each of many levels for the name of what is below finds it here.
#[derive(Debug, Default)]
pub(super) struct FirstNames(HashMap<usize, Option<String>>);

impl FirstNames {
    /// Takes down the first name of a list that begins behind a place.
    pub(super) fn note(&mut self, behind: usize, items: &[SelectItem]) {
        let name = self.of_items(items);
        self.0.insert(behind, name);
    }

    /// The name, as `FigureColname` in Postgres's `parse_target.c` finds it.
    pub(super) fn column_name(&self, expr: &Expr) -> String {
        self.figure(expr).0
    }

    /// Whether the name of a cast is that of the type.
    pub(super) fn is_named_after_type(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Nested(inner) => self.is_named_after_type(inner),
            Expr::Cast { expr, .. } => self.figure(expr).1 < Strength::Strong,
            _ => false,
        }
    }

    fn figure(&self, expr: &Expr) -> (String, Strength) {
        let strong = |name: &str| (name.to_owned(), Strength::Strong);
        match expr {
            Expr::Identifier(ident) => strong(&ident.value),
            Expr::CompoundIdentifier(idents) => {
                strong(idents.last().map_or("", |ident| ident.value.as_str()))
            }
            Expr::Function(function) => {
                let name = last(&function.name);
                match &function.args {
                    FunctionArguments::Subquery(_) => strong("array"),
                    _ => strong(&name),
                }
            }
            Expr::Nested(inner) | Expr::Collate { expr: inner, .. } => self.figure(inner),
            Expr::CompoundFieldAccess { root, access_chain } => {
                use sqlparser::ast::AccessExpr;
                let field = access_chain.iter().rev().find_map(|access| match access {
                    AccessExpr::Dot(Expr::Identifier(ident)) => Some(strong(&ident.value)),
                    AccessExpr::Dot(_) | AccessExpr::Subscript(_) => None,
                });
                field.unwrap_or_else(|| self.figure(root))
            }
            Expr::Cast {
                expr, data_type, ..
            } => match self.figure(expr) {
                (name, Strength::Strong) => (name, Strength::Strong),
                _ => (type_word(&data_type.to_string()), Strength::Weak),
            },
            Expr::Case { else_result, .. } => {
                match else_result.as_deref().map(|expr| self.figure(expr)) {
                    Some((name, Strength::Strong)) => (name, Strength::Strong),
                    _ => ("case".to_owned(), Strength::Weak),
                }
            }
            Expr::Subquery(query) => match self.first_name(&query.body) {
                Some(name) => (name, Strength::Strong),
                None => ("?column?".to_owned(), Strength::None),
            },
            Expr::Exists { .. } => strong("exists"),
            Expr::Array(_) => strong("array"),
            Expr::Tuple(_) => strong("row"),
            Expr::Extract { .. } => strong("extract"),
            Expr::Substring { .. } => strong("substring"),
            Expr::Trim { .. } => strong("btrim"),
            Expr::Overlay { .. } => strong("overlay"),
            Expr::Position { .. } => strong("position"),
            Expr::Ceil { .. } => strong("ceil"),
            Expr::Floor { .. } => strong("floor"),
            Expr::AtTimeZone { .. } => strong("timezone"),
            _ => ("?column?".to_owned(), Strength::None),
        }
    }

    /// The name of the first column of a query, unless it is that of a table's. Whatever it is, nothing
    /// around the query gives it another.
    fn first_name(&self, body: &SetExpr) -> Option<String> {
        match body {
            SetExpr::Select(select) => {
                let known = self.0.get(&range(select.select_token.0.span).end);
                let name = known.cloned();
                name.unwrap_or_else(|| self.of_items(&select.projection))
            }
            SetExpr::SetOperation { left, .. } => self.first_name(left),
            SetExpr::Query(query) => self.first_name(&query.body),
            SetExpr::Values(_) => Some("column1".to_owned()),
            _ => None,
        }
    }

    fn of_items(&self, items: &[SelectItem]) -> Option<String> {
        match items.first()? {
            SelectItem::ExprWithAlias { alias, .. } => Some(alias.value.clone()),
            SelectItem::UnnamedExpr(expr) => Some(self.column_name(expr)),
            _ => None,
        }
    }
}

/// Whether an expression is a CASE, which may be called after its last branch.
pub(super) fn is_case(expr: &Expr) -> bool {
    match expr {
        Expr::Nested(inner) | Expr::Cast { expr: inner, .. } => is_case(inner),
        Expr::Case { .. } => true,
        _ => false,
    }
}

/// Whether an expression takes text out of JSON, which has no name, but would have one in a call.
pub(super) fn is_text_of_json(expr: &Expr) -> bool {
    match expr {
        Expr::Nested(inner) => is_text_of_json(inner),
        Expr::BinaryOp { op, .. } => matches!(
            op,
            BinaryOperator::LongArrow | BinaryOperator::HashLongArrow
        ),
        _ => false,
    }
}

pub(super) fn is_cast(expr: &Expr) -> bool {
    match expr {
        Expr::Nested(inner) => is_cast(inner),
        _ => matches!(expr, Expr::Cast { .. }),
    }
}

/// Whether an expression is a literal, which has no name, but would have one with a cast.
pub(super) fn is_nameless_value(expr: &Expr) -> bool {
    match expr {
        Expr::Nested(inner) => is_nameless_value(inner),
        Expr::Value(_) => true,
        Expr::UnaryOp { expr, .. } => matches!(expr.as_ref(), Expr::Value(_)),
        _ => false,
    }
}

pub(super) fn last(name: &ObjectName) -> String {
    name.0
        .last()
        .and_then(|part| part.as_ident())
        .map(|ident| ident.value.clone())
        .unwrap_or_default()
}

/// The internal name of a type as it stands in a cast.
fn type_word(written: &str) -> String {
    let word = written.to_lowercase();
    let word = word
        .trim_end_matches("[]")
        .rsplit('.')
        .next()
        .unwrap_or_default();
    let word = word
        .split('(')
        .next()
        .unwrap_or_default()
        .trim()
        .trim_matches('"');
    match word {
        "bigint" => "int8",
        "integer" | "int" => "int4",
        "smallint" => "int2",
        "boolean" => "bool",
        "character varying" => "varchar",
        "char" | "character" => "bpchar",
        other => other,
    }
    .to_owned()
}
