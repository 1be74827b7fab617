//! The name that Postgres gives to a result column without an alias.

use sqlparser::ast::{Expr, FunctionArguments, ObjectName, SelectItem, SetExpr};

/// How a name came about: a type's name gives way to a better one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Strength {
    None,
    Weak,
    Strong,
}

/// The name, as `FigureColname` in Postgres's `parse_target.c` finds it.
pub(super) fn column_name(expr: &Expr) -> String {
    figure(expr).0
}

/// Whether the name of a cast is that of the type.
pub(super) fn is_named_after_type(expr: &Expr) -> bool {
    match expr {
        Expr::Nested(inner) => is_named_after_type(inner),
        Expr::Cast { expr, .. } => figure(expr).1 < Strength::Strong,
        _ => false,
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

fn figure(expr: &Expr) -> (String, Strength) {
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
        Expr::Nested(inner) | Expr::Collate { expr: inner, .. } => figure(inner),
        Expr::CompoundFieldAccess { root, access_chain } => {
            use sqlparser::ast::AccessExpr;
            let field = access_chain.iter().rev().find_map(|access| match access {
                AccessExpr::Dot(Expr::Identifier(ident)) => Some(strong(&ident.value)),
                AccessExpr::Dot(_) | AccessExpr::Subscript(_) => None,
            });
            field.unwrap_or_else(|| figure(root))
        }
        Expr::Cast {
            expr, data_type, ..
        } => match figure(expr) {
            (name, Strength::Strong) => (name, Strength::Strong),
            _ => (type_word(&data_type.to_string()), Strength::Weak),
        },
        Expr::Case { else_result, .. } => match else_result.as_deref().map(figure) {
            Some((name, Strength::Strong)) => (name, Strength::Strong),
            _ => ("case".to_owned(), Strength::Weak),
        },
        Expr::Subquery(query) => match first_name(&query.body) {
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
fn first_name(body: &SetExpr) -> Option<String> {
    match body {
        SetExpr::Select(select) => match select.projection.first()? {
            SelectItem::ExprWithAlias { alias, .. } => Some(alias.value.clone()),
            SelectItem::UnnamedExpr(expr) => Some(column_name(expr)),
            _ => None,
        },
        SetExpr::SetOperation { left, .. } => first_name(left),
        SetExpr::Query(query) => first_name(&query.body),
        SetExpr::Values(_) => Some("column1".to_owned()),
        _ => None,
    }
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
