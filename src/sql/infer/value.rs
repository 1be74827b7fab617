//! The leaves of expressions: columns, literals and parameters.

use std::ops::Range;

use sqlparser::ast::{Ident, Value as SqlValue};

use crate::catalog::KeyType;
use crate::pg::oid;
use crate::sql::parse::{range, string_unread};
use crate::sql::refusal::{Code, Refusal};
use crate::sql::scope::Found;
use crate::sql::types::{Because, JSON, JSONB, NUMERIC, Shape, TypeVar};

use super::call::literal_oid;
use super::{Binder, Check, Occurrence, Value};

impl Binder<'_> {
    pub(super) fn identifier(&mut self, ident: &Ident) -> Check<TypeVar> {
        let at = range(ident.span);
        let found = self.scopes.unqualified(&ident.value);
        if let Found::Hidden { stands_in, .. } = found {
            self.asks_hidden(stands_in, &ident.value, at.clone());
        }
        self.found(found, &ident.value, None, at)
    }

    pub(super) fn compound(&mut self, idents: &[Ident]) -> Check<TypeVar> {
        let at = idents.first().map_or(0..0, |first| {
            range(first.span).start..range(idents.last().unwrap_or(first).span).end
        });
        let (schema, table, column) = match idents {
            [table, column] => (None, table, column),
            [schema, table, column] | [_, schema, table, column] => {
                (Some(schema.value.as_str()), table, column)
            }
            _ => return self.unsupported("this form of a column name", at),
        };
        let found = self.scopes.qualified(schema, &table.value, &column.value);
        if matches!(found, Found::Nothing | Found::Open)
            && let Some(called) =
                self.called_as_column(schema, &table.value, column, at.clone().into())?
        {
            // Of no column that may be there are there keys.
            let is_known = matches!(found, Found::Nothing) || self.is_without_keys(called);
            return match is_known {
                true => Ok(called),
                false => Err(not_told(&column.value, at)),
            };
        }
        let mut scopes = self.scopes.iter();
        if !scopes.any(|scope| scope.table(schema, &table.value).is_some()) {
            self.unknown_name
                .get_or_insert_with(|| column.value.clone());
            let message = format!("missing FROM-clause entry for table \"{}\"", table.value);
            let refusal = Refusal::new(Code::UnknownName, "42P01", message);
            return Err(Box::new(refusal.at(at)));
        }
        if let [parts @ .., _] = idents {
            self.unqualify(schema, parts);
        }
        if let Found::Hidden { stands_in, .. } = found {
            let named = range(table.span).start..at.end;
            self.asks_hidden(stands_in, &column.value, named);
        }
        self.found(found, &column.value, Some(&table.value), at)
    }

    fn found(
        &mut self,
        found: Found,
        name: &str,
        table: Option<&str>,
        at: Range<usize>,
    ) -> Check<TypeVar> {
        match found {
            Found::Column(node) => {
                if let Some(because) = self.types.is_hidden(node) {
                    let opened = self.opened(node, &at).or_else(|| self.read_apart(node));
                    if let Some(opened) = opened {
                        return Ok(opened);
                    }
                    return Err(Box::new(hidden(name, because).at(at)));
                }
                let mention = self.types.instantiate(node);
                self.set_modifier(mention, self.modifier(node));
                if self.recomputed.contains(&node) {
                    self.recomputed.insert(mention);
                }
                Ok(mention)
            }
            Found::Open => {
                let has_keys = |node| !self.is_without_keys(node);
                if table.is_none() && self.scopes.may_have_keys(name, has_keys) {
                    return Err(not_told(name, at));
                }
                Ok(self.unnamed_column(table, name))
            }
            Found::Row(table) => {
                self.asks_row(table.stands_in, at.clone());
                let mut mixed = table.columns.iter();
                if let Some(refusal) = mixed.find_map(|column| self.is_of_several_kinds(column)) {
                    return Err(Box::new(refusal.at(at)));
                }
                Ok(self.row(table, at))
            }
            Found::Hidden {
                protected: true, ..
            } => {
                let told = match name {
                    "tableoid" => "the partition, and so something of the key, of a row",
                    _ => "the order in which rows were stored",
                };
                let message = format!("system column \"{name}\" tells {told}");
                let refusal = Refusal::unsupported(Code::Expression, message).at(at);
                Err(Box::new(refusal.hint("Use the primary key to name a row.")))
            }
            Found::Hidden { .. } => Ok(self.types.native(0)),
            Found::Nothing => {
                self.unknown_name.get_or_insert_with(|| name.to_owned());
                let message = match table {
                    Some(table) => {
                        // A row that RETURNING has given a name is marked by a letter no text has.
                        let table = table.trim_end_matches('\0');
                        format!("column {table}.{name} does not exist")
                    }
                    None => format!("column \"{name}\" does not exist"),
                };
                Err(Box::new(
                    Refusal::new(Code::UnknownName, "42703", message).at(at),
                ))
            }
        }
    }

    pub(super) fn value(&mut self, value: &SqlValue, span: Range<usize>) -> Check<TypeVar> {
        if let Some(literal) = string_unread(value) {
            let node = self.types.node(Shape::Unknown);
            let value = Value::Literal(literal);
            self.occurrences.push(Occurrence::new(node, span, value));
            return Ok(node);
        }
        match value {
            SqlValue::Number(digits, _) => Ok(self.number(digits.clone(), span)),
            SqlValue::Null => Ok(self.types.node(Shape::Unknown)),
            SqlValue::Placeholder(name) => self.parameter(name, span),
            other => match literal_oid(other) {
                Some(oid) => Ok(self.types.native(oid)),
                None => self.unsupported("this kind of literal", span),
            },
        }
    }

    fn parameter(&mut self, name: &str, span: Range<usize>) -> Check<TypeVar> {
        let number = name
            .strip_prefix('$')
            .and_then(|digits| digits.parse::<usize>().ok());
        // Postgres takes $1 to $65535.
        let Some(number @ 1..=65_535) = number else {
            let refusal = Refusal::new(
                Code::UuidType,
                "42P02",
                format!("there is no parameter {name}"),
            );
            return Err(Box::new(refusal.at(span)));
        };
        if let Some(parameters) = &self.parameters {
            return match parameters.get(number - 1) {
                Some(node) => Ok(self.types.instantiate(*node)),
                None => self.unsupported("a parameter that the function does not have", span),
            };
        }
        let said = self.context.declared.get(number - 1).copied();
        if let Some(row) = said.and_then(|said| self.context.snapshot.row_type(said)) {
            return self.row_parameter(row, number - 1, span);
        }
        let declared = said.and_then(KeyType::from_oid);
        let shape = match (said, declared) {
            (Some(oid @ (JSON | JSONB)), _) if !self.types.in_definition => {
                let document = self.types.document(oid);
                self.types.shape(document)
            }
            (None | Some(0 | oid::UNKNOWN), _) => Shape::Unknown,
            (_, Some((key_type, false))) => Shape::Typed(key_type),
            (_, Some((key_type, true))) => Shape::Array(self.types.node(Shape::Typed(key_type))),
            (Some(oid), None) => Shape::Plain(oid),
        };
        let node = self.types.node(shape);
        let value = Value::Parameter {
            index: number - 1,
            textual: false,
        };
        let declared = declared.map(|(key_type, _)| key_type);
        self.occurrences.push(Occurrence {
            declared,
            ..Occurrence::new(node, span, value)
        });
        Ok(node)
    }

    /// A number, with its sign if it has one.
    pub(super) fn number(&mut self, digits: String, span: Range<usize>) -> TypeVar {
        let declared = if digits.parse::<i32>().is_ok() {
            KeyType::Int4
        } else if digits.parse::<i64>().is_ok() {
            KeyType::Int8
        } else {
            return self.types.native(NUMERIC);
        };
        let node = self.types.node(Shape::Typed(declared));
        self.occurrences.push(Occurrence {
            declared: Some(declared),
            ..Occurrence::new(node, span, Value::Number(digits))
        });
        node
    }
}

/// The refusal of a column that can't be shown.
pub(super) fn hidden(name: &str, because: Because) -> Refusal {
    let (message, hint) = match because {
        Because::Undecided => return Refusal::undecided(name),
        Because::View => (
            format!(
                "column \"{name}\" of a view is computed from ids in a way that pgveil can't explain"
            ),
            "Compute it from the tables behind the view, or leave it out.",
        ),
        Because::Catalog => (
            format!("column \"{name}\" of a view over catalogs tells what is stored"),
            super::user_views::INSTEAD,
        ),
        Because::Generated => (
            format!("column \"{name}\" is generated from ids in a way that pgveil can't explain"),
            "Select the columns that it is generated from, or leave it out.",
        ),
        Because::Counts => (
            format!("column \"{name}\" counts with the keys of an id, so it tells what they are"),
            "Leave it out, or give the column a sequence of its own.",
        ),
        Because::Closed => (
            format!(
                "column \"{name}\" can't hold the ids that the configuration and its foreign keys say it \
                 holds, so it is closed"
            ),
            "Let all that is said of it be about one kind of id, and of its type: `pgveil check` names \
             what is not.",
        ),
        Because::Temporary => (
            format!("pgveil does not know what column \"{name}\" of a temporary table holds"),
            "Make the table again, with the statement alone in its message.",
        ),
        Because::Polymorphic => (
            format!(
                "column \"{name}\" holds ids of several kinds, and nothing here tells of which"
            ),
            "Compare the column beside it, which tells, with a constant in the same WHERE, or select both and compare in the application.",
        ),
        Because::Mixed => (
            format!(
                "column \"{name}\" holds ids of several kinds, and nothing tells which is which"
            ),
            "Select the ids of each kind as a column of their own, or leave them out.",
        ),
        Because::Built => (
            format!("column \"{name}\" is built from ids in a way that pgveil can't explain"),
            "Select the ids as columns of their own, or leave it out.",
        ),
    };
    Refusal::unsupported(Code::Expression, message).hint(hint)
}

/// A name may be that of a column of a relation of which not all are known, or mean keys.
fn not_told(name: &str, at: Range<usize>) -> Box<Refusal> {
    let message = format!(
        "pgveil can't tell whether \"{name}\" is a column of a relation that it does not know"
    );
    let refusal = Refusal::unsupported(Code::UnknownName, message).at(at);
    let hint = "Write a column with the name of its table, a call with brackets, and list the \
                columns of a row.";
    Box::new(refusal.hint(hint))
}
