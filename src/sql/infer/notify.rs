//! `pg_notify` of a channel that is declared to carry an id. The payload that goes through the
//! database is the key as text, as a trigger would write it; so it must be an id here: a literal,
//! a parameter, or an id that is cast to text.

use std::ops::Range;

use sqlparser::ast::{
    CastKind, DataType, Expr, FunctionArg, FunctionArgExpr, FunctionArgumentList, Value as SqlValue,
};

use crate::catalog::ChannelId;
use crate::pg::functions::Effect;
use crate::sql::parse::string_value;
use crate::sql::plan::{Edit, Replacement, TargetColumn};
use crate::sql::refusal::{Code, Refusal};
use crate::sql::types::{Id, Shape, TypeVar, VOID};
use crate::sql::{channel_payload, channel_shape};

use super::callee::Callee;
use super::column_name::last;
use super::span::{At, span_of};
use super::{Binder, Check, Value};

impl Binder<'_> {
    /// A call with a declared channel; `None` for every other call.
    pub(super) fn notification(
        &mut self,
        callee: &Callee<'_>,
        list: &FunctionArgumentList,
        at: At<'_>,
    ) -> Check<Option<TypeVar>> {
        let snapshot = self.context.snapshot;
        let notifies = !callee.is_own && callee.does(Effect::Notifies);
        let is_body = self.types.in_definition || self.parameters.is_some();
        if !snapshot.has_channels() || !notifies || is_body {
            return Ok(None);
        }
        let [
            FunctionArg::Unnamed(FunctionArgExpr::Expr(channel)),
            FunctionArg::Unnamed(FunctionArgExpr::Expr(payload)),
        ] = list.args.as_slice()
        else {
            return Ok(None);
        };
        let (channel, _) = without_casts_to_text(channel);
        let literal = match channel {
            Expr::Value(value) => string_value(&value.value),
            _ => None,
        };
        let Some(channel) = literal else {
            let message = "pgveil must know the channel of pg_notify, for some carry ids";
            let refusal = Refusal::unsupported(Code::Unsupported, message).at(self.place(at));
            return Err(Box::new(
                refusal.hint("Write the name of the channel as a literal."),
            ));
        };
        let Some(ids) = snapshot.channel(channel) else {
            return Ok(None);
        };
        self.protected = true;
        match ids {
            [ChannelId { path, id }] if path.is_empty() => {
                self.payload(payload, *id, channel, at)?;
            }
            ids => self.document(payload, ids, channel, at)?,
        }
        Ok(Some(self.types.native(VOID)))
    }

    /// A document must be a literal: then it is known where its ids are.
    fn document(
        &mut self,
        payload: &Expr,
        ids: &[ChannelId],
        channel: &str,
        at: At<'_>,
    ) -> Check<()> {
        let (inner, _) = without_casts_to_text(payload);
        let literal = match inner {
            Expr::Value(value) if value.value == SqlValue::Null => return Ok(()),
            Expr::Value(value) => string_value(&value.value),
            _ => None,
        };
        let Some(literal) = literal else {
            let message =
                format!("pgveil supports only a literal as the payload for channel \"{channel}\"");
            let refusal = Refusal::unsupported(Code::Unsupported, message).at(self.place(at));
            return Err(Box::new(refusal.hint(
                "Write the document into the statement, or notify from a trigger.",
            )));
        };
        self.replaced.push(Edit {
            span: span_of(inner),
            with: Replacement::Json {
                shape: channel_shape(ids, channel),
                literal: literal.to_owned(),
            },
        });
        Ok(())
    }

    fn payload(&mut self, payload: &Expr, id: Id, channel: &str, at: At<'_>) -> Check<()> {
        let (inner, is_cast) = without_casts_to_text(payload);
        if let Expr::Value(value) = inner
            && let Some(literal) = string_value(&value.value).filter(|text| text.starts_with('{'))
        {
            self.replaced.push(Edit {
                span: span_of(inner),
                with: channel_payload(id, channel, literal.to_owned()),
            });
            return Ok(());
        }
        let node = self.expr(inner)?;
        if let Expr::Value(value) = inner {
            if value.value == SqlValue::Null {
                return Ok(());
            }
            if self.is_text_of_an_id(inner) {
                let id = self.sent_to(id, channel);
                if let Some(occurrence) = self.occurrences.last_mut() {
                    occurrence.node = id;
                    // A literal needs none to become the text of a key.
                    occurrence.cast = true;
                    if let Value::Parameter { textual, .. } = &mut occurrence.value {
                        *textual = true;
                    }
                }
                return Ok(());
            }
        }
        let mut wanted = self.sent_to(id, channel);
        if matches!(self.types.shape(node), Shape::Array(_)) {
            wanted = self.types.node(Shape::Array(wanted));
        }
        let described = self.describe_node(node);
        self.types.unify(node, wanted).map_err(|clash| {
            self.clash(&clash, (node, wanted), self.place(at), |_, _| {
                no_id(channel, self.place(at))
            })
        })?;
        if !is_cast {
            let types = ["unknown".to_owned(), described.unwrap_or_default()];
            return Err(Box::new(
                Refusal::no_function("pg_notify", &types).at(self.place(at)),
            ));
        }
        Ok(())
    }

    /// A key that goes to a channel, where nobody could tell which id a sentinel stands for.
    fn sent_to(&mut self, id: Id, channel: &str) -> TypeVar {
        let node = self.types.node(Shape::Id(id));
        self.types.store(node, &TargetColumn::in_channel(channel));
        node
    }

    /// Whether the last occurrence, which is this expression, is text for all that Postgres knows.
    fn is_text_of_an_id(&self, expr: &Expr) -> bool {
        let last = self.occurrences.last();
        last.is_some_and(|occurrence| {
            occurrence.span == span_of(expr)
                && !matches!(occurrence.value, Value::Number(_))
                && match self.types.shape(occurrence.node) {
                    Shape::Unknown => true,
                    Shape::Typed(declared) => declared.is_text(),
                    _ => false,
                }
        })
    }
}

fn no_id(channel: &str, at: Range<usize>) -> Refusal {
    let message = format!("the payload for channel \"{channel}\" must be an id");
    Refusal::new(Code::UuidType, "42804", message)
        .at(at)
        .hint("Write a literal, a parameter, or an id that is cast to text.")
}

/// An expression without what casts it to text and takes nothing away, and whether anything did.
fn without_casts_to_text(mut expr: &Expr) -> (&Expr, bool) {
    let mut is_cast = false;
    loop {
        expr = match expr {
            Expr::Nested(inner) => inner,
            Expr::Cast {
                kind: CastKind::Cast | CastKind::DoubleColon,
                expr: inner,
                data_type,
                ..
            } if is_text(data_type) => {
                is_cast = true;
                inner
            }
            _ => return (expr, is_cast),
        };
    }
}

fn is_text(data_type: &DataType) -> bool {
    match data_type {
        DataType::Text | DataType::CharacterVarying(None) | DataType::Varchar(None) => true,
        DataType::Custom(name, modifiers) => {
            modifiers.is_empty() && matches!(last(name).as_str(), "text" | "varchar")
        }
        _ => false,
    }
}
