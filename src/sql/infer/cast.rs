//! Casts: to uuid, where a literal or parameter may turn out to be an id, and from ids.

use std::ops::Range;

use sqlparser::ast::{
    ArrayElemTypeDef, CastKind, DataType, Expr, FunctionArg, FunctionArgExpr, FunctionArguments,
    ObjectName, Spanned, Value as SqlValue,
};

use crate::sql::lex::{Token, TokenKind};
use crate::sql::parse::{range, string_value};
use crate::sql::refusal::{Code, Refusal};
use crate::sql::types::{Node, Shape, TEXT, UUID, type_oid};

use super::name::last;
use super::{Binder, Check, UuidName, Value};

impl Binder<'_> {
    pub(super) fn cast(
        &mut self,
        kind: &CastKind,
        inner: &Expr,
        data_type: &DataType,
    ) -> Check<Node> {
        let node = self.expr(inner)?;
        let (name, dimensions) = element_type(data_type);
        let word = name.map(last);
        if let Some(name) = name.filter(|name| is_uuid(name)) {
            let uuid = self.types.node(Shape::Uuid);
            let span = range(name.span());
            self.uuid_names.push(UuidName {
                node: uuid,
                span,
                alias_at: None,
            });
            let target = if dimensions > 0 {
                self.types.node(Shape::Array(uuid))
            } else {
                uuid
            };
            return Ok(self.cast_to_uuid(inner, node, target));
        }
        if self.types.has_id(node) {
            let at = match kind {
                CastKind::DoubleColon => self.cast_sign(range(inner.span()).end),
                _ => self.cast_keyword(range(inner.span()).start),
            };
            return Err(self.refuse_cast(node, word.as_deref(), dimensions, at));
        }
        let oid = if dimensions > 0 {
            0
        } else {
            named_oid(data_type, word.as_deref())
        };
        let native = self.types.native(oid);
        if matches!(self.types.shape(node), Shape::Unknown) {
            let _ = self.types.same(node, native);
        }
        Ok(native)
    }

    /// A literal or parameter that is cast takes the type of the cast. An expression of nothing
    /// but those, such as CASE, is text in Postgres's eyes, which the cast then reads: its
    /// parameters stay text and hold the text of ids, as does one that the client declares so.
    fn cast_to_uuid(&mut self, inner: &Expr, node: Node, target: Node) -> Node {
        let mut leaves = Vec::new();
        let direct = matches!(unnested(inner), Expr::Value(_));
        let is_text = matches!(self.types.shape(node), Shape::Native(TEXT | 1042 | 1043))
            || (!direct && matches!(self.types.shape(node), Shape::Unknown));
        if is_text && text_leaves(inner, &mut leaves) {
            for occurrence in &mut self.occurrences {
                if leaves.contains(&occurrence.span) {
                    occurrence.node = target;
                    if let Value::Parameter { textual, .. } = &mut occurrence.value {
                        *textual = true;
                    }
                }
            }
            return target;
        }
        if let Shape::Native(_) = self.types.shape(node) {
            // Text that the statement computes, or a real uuid: never an id.
            return self.types.native(UUID);
        }
        // A mismatch (an array cast to a scalar) is Postgres's to refuse.
        let _ = self.types.same(node, target);
        if self.types.has_id(node) {
            node
        } else {
            target
        }
    }

    fn cast_sign(&self, from: usize) -> Range<usize> {
        let sign = self
            .tokens_from(from)
            .iter()
            .find(|token| self.text.get(token.span.clone()) == Some("::"));
        sign.map_or(from..from, |token| token.span.clone())
    }

    fn cast_keyword(&self, before: usize) -> Range<usize> {
        let is_cast = |token: &&Token<'_>| {
            token.span.start < before
                && matches!(&token.kind, TokenKind::Word { value, .. } if value == "cast")
        };
        let keyword = self.tokens.iter().rev().find(is_cast);
        keyword.map_or(before..before, |token| token.span.clone())
    }

    fn refuse_cast(
        &self,
        node: Node,
        word: Option<&str>,
        dimensions: usize,
        at: Range<usize>,
    ) -> Box<Refusal> {
        let target = word.unwrap_or("this type");
        if dimensions > 0
            || matches!(
                target,
                "text" | "varchar" | "bpchar" | "char" | "name" | "character varying"
            )
        {
            let message = format!("pgveil can't encrypt an id that is cast to {target}");
            return Box::new(
                Refusal::unsupported(Code::Expression, message)
                    .at(at)
                    .hint("Leave the cast out: the client receives the id as a uuid."),
            );
        }
        let source = self
            .describe_node(node)
            .unwrap_or_else(|| "uuid".to_owned());
        let name = crate::sql::types::type_name(type_oid(target)).unwrap_or(target);
        let message = format!("cannot cast type {source} to {name}");
        Box::new(Refusal::new(Code::UuidType, "42846", message).at(at))
    }
}

/// The name of a type, without array brackets, and the number of brackets.
fn element_type(data_type: &DataType) -> (Option<&ObjectName>, usize) {
    match data_type {
        DataType::Custom(name, _) => (Some(name), 0),
        DataType::Array(
            ArrayElemTypeDef::SquareBracket(element, _)
            | ArrayElemTypeDef::AngleBracket(element)
            | ArrayElemTypeDef::Parenthesis(element)
            | ArrayElemTypeDef::Qualified(element, _),
        ) => {
            let (name, dimensions) = element_type(element);
            (name, dimensions + 1)
        }
        DataType::Array(ArrayElemTypeDef::None) => (None, 1),
        _ => (None, 0),
    }
}

fn unnested(mut expr: &Expr) -> &Expr {
    while let Expr::Nested(inner) = expr {
        expr = inner;
    }
    expr
}

/// Whether an expression hands through nothing but literals and parameters; their places.
fn text_leaves(expr: &Expr, leaves: &mut Vec<Range<usize>>) -> bool {
    match expr {
        Expr::Nested(inner) => text_leaves(inner, leaves),
        Expr::Value(value) => {
            leaves.push(range(value.span));
            matches!(value.value, SqlValue::Placeholder(_) | SqlValue::Null)
                || string_value(&value.value).is_some()
        }
        Expr::Case {
            conditions,
            else_result,
            ..
        } => {
            conditions
                .iter()
                .all(|branch| text_leaves(&branch.result, leaves))
                && else_result
                    .as_ref()
                    .is_none_or(|result| text_leaves(result, leaves))
        }
        Expr::Function(function) if last(&function.name) == "coalesce" => match &function.args {
            FunctionArguments::List(list) => list.args.iter().all(|arg| match arg {
                FunctionArg::Unnamed(FunctionArgExpr::Expr(expr)) => text_leaves(expr, leaves),
                _ => false,
            }),
            _ => false,
        },
        _ => false,
    }
}

/// `uuid` or `pg_catalog.uuid`.
fn is_uuid(name: &ObjectName) -> bool {
    last(name) == "uuid"
        && match name.0.as_slice() {
            [_] => true,
            [schema, _] => schema
                .as_ident()
                .is_some_and(|ident| ident.value == "pg_catalog"),
            _ => false,
        }
}

fn named_oid(data_type: &DataType, word: Option<&str>) -> u32 {
    match word {
        Some(word) => type_oid(word),
        None => {
            let written = data_type.to_string().to_lowercase();
            let word = written
                .split('(')
                .next()
                .unwrap_or_default()
                .trim()
                .to_owned();
            type_oid(&word)
        }
    }
}
