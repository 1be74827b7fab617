//! Types of rows: a value that is cast to one, or that the client declares to be of one, has the
//! ids of its relation.

use std::ops::Range;
use std::sync::Arc;

use sqlparser::ast::{ArrayElemTypeDef, CastKind, DataType, Expr, ObjectName, Spanned};

use crate::catalog::{Oid, Relation, RelationKind, is_temporary};
use crate::pg::functions::{Builtin, Document};
use crate::pg::oid;
use crate::sql::parse::range;
use crate::sql::plan::{Edit, Replacement};
use crate::sql::refusal::{Code, Refusal};
use crate::sql::scope::Output;
use crate::sql::types::{Shape, Step, TypeVar};

use super::cast::unnested;
use super::span::{At, span_of};
use super::texts::text_leaves;
use super::{Binder, Check, Occurrence, Value};

/// Types of Postgres's own, beside those that `oid::named` knows, that a table may share its name
/// with.
const OWN_TYPES: [&str; 15] = [
    "bit",
    "box",
    "cidr",
    "circle",
    "inet",
    "line",
    "lseg",
    "macaddr",
    "money",
    "path",
    "point",
    "polygon",
    "refcursor",
    "trigger",
    "varbit",
];

/// A type of rows in which keys can be seen, as a cast names it.
struct RowType {
    relation: Arc<Relation>,
    array: bool,
    /// The name, without brackets.
    span: Range<usize>,
    /// The name of the type with its schema, if it is written without.
    qualified: Option<String>,
    /// The sign or word of the cast.
    cast: Range<usize>,
}

impl Binder<'_> {
    /// A cast to the type of a relation's rows, or of arrays of them; `None` if it is none.
    /// `first`: the first literal or parameter in the expression.
    pub(super) fn cast_to_row(
        &mut self,
        (inner, first): (&Expr, usize),
        node: TypeVar,
        (kind, data_type): (&CastKind, &DataType),
    ) -> Check<Option<TypeVar>> {
        let Some(mut of) = self.row_type_named(data_type)? else {
            return Ok(None);
        };
        let at = of.span.clone();
        of.cast = self.cast_place(kind, inner);
        self.protected = true;
        self.unanalysed |= of.relation.computes;
        let target = self.row_column(of.relation.oid, of.array, &at)?;
        self.cast_into_row((inner, first), node, (target, &of))?;
        // A type of this name could be in a schema that comes before.
        if let Some(qualified) = of.qualified.filter(|_| !self.types.in_definition) {
            let with = Replacement::Text(qualified);
            self.replaced.push(Edit { span: at, with });
        }
        Ok(Some(target))
    }

    fn cast_into_row(
        &mut self,
        (inner, first): (&Expr, usize),
        node: TypeVar,
        (target, of): (TypeVar, &RowType),
    ) -> Check<()> {
        let shape = self.types.shape(node);
        // What stands in an array is cast by itself.
        if let (Shape::Array(source), Shape::Array(element)) = (&shape, self.types.shape(target)) {
            return self.coerce_row(*source, element, (inner, of));
        }
        let is_text = match &shape {
            Shape::Typed(declared) => declared.is_text(),
            Shape::Unknown => !matches!(unnested(inner), Expr::Value(_)),
            _ => false,
        };
        if !is_text {
            return self.coerce_row(node, target, (inner, of));
        }
        // The cast reads text, which holds ids where it is all the client's.
        let mut leaves = Vec::new();
        if !text_leaves(inner, &mut leaves) {
            return self.not_a_row(inner);
        }
        for occurrence in self.occurrences.get_mut(first..).unwrap_or_default() {
            if leaves.contains(&occurrence.span) {
                occurrence.node = target;
                if let Value::Parameter { textual, .. } = &mut occurrence.value {
                    *textual = true;
                }
            }
        }
        Ok(())
    }

    /// A value that becomes such a row: a literal or a parameter, or a row of its own.
    fn coerce_row(&mut self, node: TypeVar, target: TypeVar, of: (&Expr, &RowType)) -> Check<()> {
        let (inner, row_type) = of;
        let (source, fields) = match (self.types.shape(node), self.types.shape(target)) {
            (Shape::Unknown, _) => {
                return match self.types.unify(node, target) {
                    Ok(()) => Ok(()),
                    Err(_) => self.not_a_row(inner),
                };
            }
            (Shape::Record(source), Shape::Record(fields)) => (source, fields),
            _ => return self.not_a_row(inner),
        };
        // The row of another table is cast by the names of its columns.
        if let (Some(from), Some(to)) = (self.named_members(node), self.named_members(target))
            && !(from.iter().map(|member| &member.name)).eq(to.iter().map(|member| &member.name))
        {
            return self.not_a_row(inner);
        }
        let name = &row_type.relation.name;
        let cannot = |detail: String| {
            let message = format!("cannot cast type record to {name}");
            let refusal = Refusal::new(Code::UuidType, "42846", message).detail(detail);
            Err(Box::new(refusal.at(row_type.cast.clone())))
        };
        if source.len() != fields.len() {
            let many = if source.len() > fields.len() {
                "many"
            } else {
                "few"
            };
            return cannot(format!("Input has too {many} columns."));
        }
        for (place, (from, to)) in source.iter().zip(&*fields).enumerate() {
            let Err(clash) = self.types.unify(*from, *to) else {
                continue;
            };
            if let (Shape::Typed(_), Shape::Id(_)) = (&clash.0, &clash.1)
                && let (Some(from), Some(to)) = (self.describe_node(*from), self.describe_node(*to))
            {
                let place = place + 1;
                return cannot(format!(
                    "Cannot cast type {from} to {to} in column {place}."
                ));
            }
            return Err(self.mixed(&clash, span_of(inner)));
        }
        Ok(())
    }

    fn not_a_row<T>(&self, inner: &Expr) -> Check<T> {
        self.unsupported(
            "a cast of such a value to a row with ids in it",
            span_of(inner),
        )
    }

    /// The members of a row with ids in it that `jsonb_populate_record` and its like fill from a
    /// document; `None` if the call is none of those.
    pub(super) fn populated_row(
        &mut self,
        builtin: &Builtin,
        arguments: &[TypeVar],
        at: At<'_>,
    ) -> Check<Option<Vec<Output>>> {
        let Some((Document::Populated { set }, json)) = builtin.document else {
            return Ok(None);
        };
        let [row, document] = *arguments else {
            return Ok(None);
        };
        if !self.types.has_id(row) {
            return Ok(None);
        }
        let unexplained = |binder: &Self| {
            let what = "a row with ids in it that is filled from such JSON";
            binder.unsupported(what, binder.place(at))
        };
        let Some(members) = self.named_members(row) else {
            return unexplained(self);
        };
        let place = self.document_at(document, json);
        let place = place.filter(|place| {
            let known = self.types.known(*place);
            known.is_some_and(|known| !known.declared)
        });
        let Some(place) = place else {
            return unexplained(self);
        };
        let record = self.record_of(place, set);
        let mut columns = Vec::new();
        for Output { name, node: member } in members {
            let place = self.types.part(record, &Step::Member(name.clone()));
            // What the document lacks is that of the row, of the same kind.
            let node = match self.types.shape(member) {
                Shape::Id(id) => {
                    let key = self.types.node(Shape::Id(id));
                    self.types.read(place, key);
                    key
                }
                Shape::Array(element) if let Shape::Id(id) = self.types.shape(element) => {
                    let key = self.types.node(Shape::Id(id));
                    let keys = self.types.node(Shape::Array(key));
                    self.types.read(place, keys);
                    keys
                }
                _ if self.types.has_id(member) => return unexplained(self),
                shape => {
                    self.types.use_place(place);
                    self.types.native(shape.outside_oid())
                }
            };
            let node = self.joined(builtin.name, node, member);
            columns.push(Output { name, node });
        }
        Ok(Some(columns))
    }

    /// A parameter that the client declares to be such a row.
    pub(super) fn row_parameter(
        &mut self,
        (relation, array): (Oid, bool),
        index: usize,
        span: Range<usize>,
    ) -> Check<TypeVar> {
        self.protected = true;
        let node = self.row_column(relation, array, &span)?;
        let textual = false;
        let value = Value::Parameter { index, textual };
        self.occurrences.push(Occurrence::new(node, span, value));
        Ok(node)
    }

    /// The relation whose rows a type consists of, if keys can be seen in them.
    fn row_type_named(&self, data_type: &DataType) -> Check<Option<RowType>> {
        let (mut element, mut array) = (data_type, false);
        while let DataType::Array(
            ArrayElemTypeDef::SquareBracket(of, _)
            | ArrayElemTypeDef::AngleBracket(of)
            | ArrayElemTypeDef::Parenthesis(of)
            | ArrayElemTypeDef::Qualified(of, _),
        ) = element
        {
            (element, array) = (of, true);
        }
        let DataType::Custom(name, modifiers) = element else {
            return Ok(None);
        };
        if !modifiers.is_empty() {
            return Ok(None);
        }
        let span = range(name.span());
        let found = self.relation_of_type(name)?.map(|found| (found, array));
        // The type of the arrays has a name of its own.
        let found = match found {
            None => self.relation_of_arrays(name)?.map(|found| (found, true)),
            found => found,
        };
        Ok(found.map(|((relation, qualified), array)| RowType {
            relation,
            array,
            span,
            qualified,
            cast: 0..0,
        }))
    }

    /// The relation that a name of a type means, with the name as it is written with its schema if
    /// it is not.
    fn relation_of_type(
        &self,
        name: &ObjectName,
    ) -> Check<Option<(Arc<Relation>, Option<String>)>> {
        let (schema, table) = self.relation_name(name)?;
        Ok(self.rows_named(schema, table, table))
    }

    fn relation_of_arrays(
        &self,
        name: &ObjectName,
    ) -> Check<Option<(Arc<Relation>, Option<String>)>> {
        let (schema, written) = self.relation_name(name)?;
        let table = written.strip_prefix('_');
        Ok(table.and_then(|table| self.rows_named(schema, table, written)))
    }

    fn rows_named(
        &self,
        schema: Option<&str>,
        table: &str,
        written: &str,
    ) -> Option<(Arc<Relation>, Option<String>)> {
        // Postgres's own types come first.
        let is_own = oid::named(written) != 0 || OWN_TYPES.contains(&written);
        if schema.is_none() && is_own {
            return None;
        }
        let relation = self.context.snapshot.resolve(schema, table, self.path)?;
        let has_rows = !matches!(relation.kind, RelationKind::Sequence);
        if !relation.protected || !has_rows {
            return None;
        }
        let quoted = |name: &str| format!("\"{}\"", name.replace('"', "\"\""));
        let is_bare = schema.is_none() && !is_temporary(&relation.schema);
        let qualified =
            is_bare.then(|| format!("{}.{}", quoted(&relation.schema), quoted(written)));
        Some((Arc::clone(relation), qualified))
    }
}
