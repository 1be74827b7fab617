//! Casts: to uuid, where a literal or parameter may turn out to be an id, and from ids.

use sqlparser::ast::{ArrayElemTypeDef, DataType, Expr, ObjectName, Spanned};

use crate::sql::parse::range;
use crate::sql::refusal::{Code, Refusal};
use crate::sql::types::{Node, Shape, TEXT, UUID, type_oid};

use super::name::last;
use super::{Binder, Check, UuidName, Value};

impl Binder<'_> {
    pub(super) fn cast(&mut self, inner: &Expr, data_type: &DataType) -> Check<Node> {
        let first = self.occurrences.len();
        let node = self.expr(inner)?;
        let (name, dimensions) = element_type(data_type);
        let word = name.map(last);
        if word.as_deref() == Some("uuid") && name.is_some_and(is_plain_or_catalog) {
            let Some(span) = name.map(|name| range(name.span())) else {
                return self.unsupported("this cast", range(inner.span()));
            };
            let uuid = self.types.node(Shape::Uuid);
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
            return self.cast_to_uuid(node, target, first);
        }
        if self.types.has_id(node) {
            return Err(self.refuse_cast(node, word.as_deref(), dimensions, inner));
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

    fn cast_to_uuid(&mut self, node: Node, target: Node, first: usize) -> Check<Node> {
        match self.types.shape(node) {
            // `cast($1 as uuid)` with `$1` declared as text: its value is the text of an id.
            Shape::Native(TEXT | 1043 | 1042) => {
                let parameter = self
                    .occurrences
                    .get_mut(first..)
                    .and_then(|found| match found {
                        [occurrence] if occurrence.node == node => Some(occurrence),
                        _ => None,
                    });
                match parameter {
                    Some(occurrence) => {
                        if let Value::Parameter { textual, .. } = &mut occurrence.value {
                            *textual = true;
                        }
                        occurrence.node = target;
                        Ok(target)
                    }
                    None => Ok(self.types.native(UUID)),
                }
            }
            // Text that the statement computes, or a real uuid: never an id.
            Shape::Native(_) => Ok(self.types.native(UUID)),
            _ => {
                // A mismatch (an array cast to a scalar) is Postgres's to refuse.
                let _ = self.types.same(node, target);
                if self.types.has_id(node) {
                    Ok(node)
                } else {
                    Ok(target)
                }
            }
        }
    }

    fn refuse_cast(
        &self,
        node: Node,
        word: Option<&str>,
        dimensions: usize,
        inner: &Expr,
    ) -> Box<Refusal> {
        let at = range(inner.span());
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

/// `uuid` or `pg_catalog.uuid`.
fn is_plain_or_catalog(name: &ObjectName) -> bool {
    match name.0.as_slice() {
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
