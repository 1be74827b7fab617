//! JSON documents of the client's: which of their values are ids is told by what becomes of them,
//! by way of `->`, of the functions that take documents apart, and of casts.

use std::collections::HashSet;
use std::ops::Range;

use sqlparser::ast::{
    DataType, Expr, Function, ObjectName, Spanned, TableAlias, TableAliasColumnDef, UnaryOperator,
    Value as SqlValue,
};

use crate::catalog::KeyType;
use crate::pg::functions::{Builtin, Document};
use crate::pg::oid;
use crate::sql::parse::{range, string_value};
use crate::sql::plan::Reading;
use crate::sql::scope::{Output, Scope};
use crate::sql::types::{INT8, Id, JSON, JSONB, Kind, Leaf, Place, Shape, Step, TEXT, TypeVar};

use super::cast::unnested;
use super::column_name::last;
use super::from::named;
use super::routine::output;
use super::span::end_of;
use super::tag::text;
use super::texts::text_leaves;
use super::type_name::{innermost, named_oid};
use super::{Binder, Check, TagPart, TypeName, Value};

impl Binder<'_> {
    /// A cast to JSON of what the client sends, or of one of its documents; a cast of the text of
    /// a value in one; `first` is the first literal or parameter in the expression. `None` if it is
    /// another cast.
    pub(super) fn cast_json(
        &mut self,
        (inner, first): (&Expr, usize),
        node: TypeVar,
        data_type: &DataType,
    ) -> Option<TypeVar> {
        if self.types.in_definition {
            return None;
        }
        match self.types.shape(node) {
            Shape::Id(_) => self.cast_leaf(node, inner, data_type),
            Shape::Json(place, _) => match json_oid(data_type) {
                Some(oid) => Some(self.document_as((node, place), oid)),
                None => self.cast_document((node, place), inner, data_type),
            },
            Shape::Unknown if matches!(unnested(inner), Expr::Value(_)) => {
                let document = self.types.document(json_oid(data_type)?);
                let _ = self.types.unify(node, document);
                Some(document)
            }
            Shape::Unknown | Shape::Typed(KeyType::Text | KeyType::Varchar) => {
                let oid = json_oid(data_type)?;
                let mut leaves = Vec::new();
                if !text_leaves(inner, &mut leaves) {
                    return None;
                }
                let document = self.types.document(oid);
                self.read_as_text(&leaves, first, document);
                Some(document)
            }
            Shape::JsonText(place) => self.cast_piece(node, place, inner, data_type),
            Shape::Array(element) => {
                let Shape::JsonText(place) = self.types.shape(element) else {
                    return None;
                };
                let target = self.cast_target(|| end_of(inner), data_type)?;
                if !target.array || target.key_type.is_text() || target.length.is_some() {
                    return None;
                }
                let element = self.read_piece(place, target.key_type, target.span);
                Some(self.types.node(Shape::Array(element)))
            }
            _ => None,
        }
    }

    /// The literals and parameters at these places, from the first on that is known, are text that
    /// the statement casts.
    fn read_as_text(&mut self, leaves: &[Range<usize>], first: usize, document: TypeVar) {
        let starts: HashSet<usize> = leaves.iter().map(|leaf| leaf.start).collect();
        for occurrence in self.occurrences.get_mut(first..).unwrap_or_default() {
            if starts.contains(&occurrence.span.start) {
                occurrence.node = document;
                if let Value::Parameter { textual, .. } = &mut occurrence.value {
                    *textual = true;
                }
            }
        }
    }

    /// The text of a value as something else, which may turn out to be an id.
    fn cast_piece(
        &mut self,
        node: TypeVar,
        place: Place,
        inner: &Expr,
        data_type: &DataType,
    ) -> Option<TypeVar> {
        let target = self.cast_target(|| end_of(inner), data_type)?;
        if target.array || target.length.is_some() {
            return None;
        }
        if target.key_type.is_text() {
            return Some(node);
        }
        Some(self.read_piece(place, target.key_type, target.span))
    }

    fn read_piece(&mut self, place: Place, key_type: KeyType, span: Range<usize>) -> TypeVar {
        let read = self.types.node(Shape::Typed(key_type));
        self.types.read(place, read);
        self.name_type(TypeName {
            node: read,
            span,
            named: key_type,
            length: None,
            alias: None,
        });
        read
    }

    /// `->`, `->>`, `#>` and `#>>` with a constant; `None` if the operator is another, or the left
    /// side none of the documents that are watched.
    pub(super) fn json_operator(
        &mut self,
        (a, left): (TypeVar, &Expr),
        word: &str,
        right: &Expr,
    ) -> Option<TypeVar> {
        let Shape::Json(place, oid @ (JSON | JSONB)) = self.types.shape(a) else {
            return None;
        };
        let part = match word {
            "->" | "->>" => match step(right) {
                Some(step) => self.next_part(place, &step)?,
                None => self.named_by_parameter(place, right)?,
            },
            "#>" | "#>>" => {
                let mut part = place;
                for name in names(right)? {
                    part = self.next_part(part, &self.step_of_path(part, name)?)?;
                }
                part
            }
            _ => return None,
        };
        if !word.ends_with(">>") {
            return Some(self.part_as(part, oid));
        }
        let leaf = self.types.known(part).and_then(|known| known.leaf);
        match leaf {
            Some(Leaf { id, .. }) => {
                let left = self.extent_of_operation(left)?;
                let right = self.extent_of_operation(right)?;
                self.key_at(id, left.start..right.end)
            }
            None => {
                if self.types.place_has_tag(part) {
                    self.as_text(left, right)?;
                }
                Some(self.text_at(part))
            }
        }
    }

    /// `document ->> $1` where members are keys of one kind: one of them, or the value is refused.
    fn named_by_parameter(&mut self, place: Place, right: &Expr) -> Option<Place> {
        let Expr::Value(value) = unnested(right) else {
            return None;
        };
        let start = range(value.span).start;
        let mut occurrences = self.occurrences.iter().rev();
        let occurrence = occurrences.find(|occurrence| occurrence.span.start == start)?;
        let is_text = match self.types.shape(occurrence.node) {
            Shape::Unknown => true,
            Shape::Typed(of) => matches!(of, KeyType::Text | KeyType::Varchar),
            _ => false,
        };
        let is_parameter = matches!(occurrence.value, Value::Parameter { .. });
        let of_members = is_text && is_parameter && self.types.kind(place) == Kind::Object;
        if !of_members || self.types.in_definition || self.types.place_has_tag(place) {
            return None;
        }
        let known = self.types.known(place)?;
        let is_key = |(_, part): &&(Step, Place)| self.types.kind(*part) == Kind::Key;
        let parts: Vec<_> = known.parts.iter().filter(is_key).collect();
        let (_, first) = parts.first()?;
        let leaf = self.types.known(*first)?.leaf?;
        // In another encoding the bytes of others could be another name.
        let name = |(step, part): &&(Step, Place)| match step {
            Step::Member(name) if name.is_ascii() => {
                let is_alike = self.types.known(*part)?.leaf == Some(leaf);
                is_alike.then(|| name.clone())
            }
            _ => None,
        };
        let (first, names) = (*first, parts.iter().map(name).collect::<Option<_>>()?);
        if !known.declared {
            return None;
        }
        self.readings.insert(start, Reading::Member(names));
        Some(first)
    }

    fn next_part(&mut self, place: Place, step: &Step) -> Option<Place> {
        let leads_on = self.types.leads_on(place, step);
        leads_on.then(|| self.types.part(place, step))
    }

    /// A number may be the name of a member or the place of an element, which only the document
    /// tells.
    fn step_of_path(&self, place: Place, name: String) -> Option<Step> {
        let declared = self.types.known(place)?.declared;
        match (is_number(&name), self.types.kind(place)) {
            (false, _) => Some(Step::Member(name)),
            (true, Kind::Array) if declared => Some(Step::Element),
            (true, Kind::Clean) if declared => Some(Step::Member(name)),
            (true, _) => None,
        }
    }

    /// A part of a document, which may be nothing but tags.
    fn part_as(&mut self, part: Place, oid: u32) -> TypeVar {
        let is_tagged = self.types.place_has_tag(part) && !self.types.place_has_key(part);
        let node = self.types.node(if is_tagged {
            Shape::Tagged(oid)
        } else {
            Shape::Json(part, oid)
        });
        // At one place of a document stands the same kind of value in all rows.
        self.types.sort_like(node, is_tagged);
        node
    }

    /// A key that is taken out of a document of the database as text. What is no key becomes NULL:
    /// an error about it would quote it.
    fn key_at(&mut self, id: Id, extent: Range<usize>) -> Option<TypeVar> {
        if self.types.in_definition {
            return None;
        }
        let shown = KeyType::Text;
        let node = self.types.node(Shape::Id(Id { shown, ..id }));
        self.note_leaf(node, id);
        let [open, close] = as_key(id)?;
        self.keeping_tags(|binder| binder.enclose(&extent, vec![open], vec![close]));
        Some(node)
    }

    /// `FROM jsonb_array_elements_text(document)` where the elements are keys: a query over it that
    /// gives the keys.
    fn key_table(
        &mut self,
        id: Id,
        name: &ObjectName,
        alias: Option<&TableAlias>,
    ) -> Option<(Vec<Output>, TypeVar)> {
        let start = range(name.span()).start;
        let lateral = self.text.get(self.token_before(start))?;
        let open = self.tokens_from(range(name.span()).end).first()?.span.start;
        let end = self.closing(open)?;
        if self.types.in_definition || lateral.eq_ignore_ascii_case("lateral") {
            return None;
        }
        let function = last(name);
        // The name of the function stands for its value, that of a query for a row.
        let column = match alias {
            Some(alias) if alias.columns.is_empty() => alias.name.value.as_str(),
            _ => "value",
        };
        let column = format!("\"{}\"", column.replace('"', "\"\""));
        let [to_key, key] = as_key(id)?;
        let open = vec![
            text("LATERAL (SELECT "),
            to_key,
            text("pgveil_e.pgveil_v"),
            key,
            text(&format!(" AS {column} FROM ")),
        ];
        let named = alias.is_none().then(|| format!(" AS {function}"));
        let close = format!(" AS pgveil_e(pgveil_v)){}", named.unwrap_or_default());
        self.keeping_tags(|binder| binder.enclose(&(start..end), open, vec![text(&close)]));
        let shown = KeyType::Text;
        let node = self.types.node(Shape::Id(Id { shown, ..id }));
        self.note_leaf(node, id);
        let name = column.trim_matches('"').to_owned();
        Some((vec![output(&name, node)], node))
    }

    fn note_leaf(&mut self, node: TypeVar, id: Id) {
        self.types.mark_leaf(node);
        self.leaves.insert(node, id);
    }

    /// A cast of such a key to the type of its ids.
    fn cast_leaf(&mut self, node: TypeVar, inner: &Expr, data_type: &DataType) -> Option<TypeVar> {
        let leaf = self.types.leaf(node)?;
        let id = *self.leaves.get(&leaf)?;
        let target = self.cast_target(|| end_of(inner), data_type)?;
        if target.array || target.length.is_some() || !target.key_type.is_like(id.shown) {
            return None;
        }
        let cast = self.types.node(Shape::Id(Id {
            shown: target.key_type,
            ..id
        }));
        self.name_type(TypeName {
            node: cast,
            span: target.span,
            named: target.key_type,
            length: None,
            alias: None,
        });
        Some(cast)
    }

    /// `document['name']`. The document decides whether what looks like a number is a name or
    /// counts elements, so that it is either only where one of the two has no keys to show.
    pub(super) fn subscript(&mut self, place: Place, oid: u32, index: &Expr) -> Option<TypeVar> {
        let step = step(index)?;
        let counts = |step: &Step| match step {
            Step::Member(name) => is_number(name),
            Step::Other | Step::Element => false,
        };
        let mut parts = self.types.known(place)?.parts.iter();
        if counts(&step) || step == Step::Element && parts.any(|(part, _)| counts(part)) {
            return None;
        }
        let part = self.next_part(place, &step)?;
        Some(self.part_as(part, oid))
    }

    /// The value at a place as text.
    fn text_at(&mut self, place: Place) -> TypeVar {
        let declared = self.types.known(place).is_some_and(|known| known.declared);
        match (declared, self.types.place_has_id(place)) {
            (false, _) => self.types.text_of(place),
            (true, false) => self.types.native(TEXT),
            (true, true) => self.part_as(place, TEXT),
        }
    }

    /// A call that takes a document apart, in an expression.
    pub(super) fn json_call(
        &mut self,
        function: &Function,
        builtin: &Builtin,
        args: &[TypeVar],
    ) -> Option<TypeVar> {
        let (Some((Document::Elements { text }, oid)), [document]) = (builtin.document, args)
        else {
            return None;
        };
        if let (true, Some(leaf)) = (text, self.leaf_of_elements(*document)) {
            let extent = self.extent(&Expr::Function(function.clone()))?;
            return self.key_at(leaf, extent);
        }
        self.elements_of(*document, oid, text)
    }

    /// The keys that the elements of a document of the database are.
    fn leaf_of_elements(&mut self, document: TypeVar) -> Option<Id> {
        let Shape::Json(place, JSON | JSONB) = self.types.shape(document) else {
            return None;
        };
        let element = self.next_part(place, &Step::Element)?;
        Some(self.types.known(element)?.leaf?.id)
    }

    fn elements_of(&mut self, document: TypeVar, oid: u32, text: bool) -> Option<TypeVar> {
        let place = self.document_at(document, oid)?;
        let element = self.next_part(place, &Step::Element)?;
        let is_number = self.numbers && self.types.place_has_tag(element);
        if text && (is_number || self.types.known(element)?.leaf.is_some()) {
            return None;
        }
        if text {
            return Some(self.text_at(element));
        }
        Some(self.part_as(element, oid))
    }

    /// The place of a document that is watched: one of the client's.
    pub(super) fn document_at(&mut self, node: TypeVar, oid: u32) -> Option<Place> {
        if self.types.in_definition {
            return None;
        }
        if self.types.shape(node) == Shape::Unknown {
            let document = self.types.document(oid);
            let _ = self.types.unify(node, document);
        }
        match self.types.shape(node) {
            Shape::Json(place, JSON | JSONB) => Some(place),
            _ => None,
        }
    }

    /// A function that takes a document apart in the place of a table.
    #[expect(clippy::too_many_lines, reason = "one arm per function")]
    pub(super) fn json_table(
        &mut self,
        (name, builtin): (&ObjectName, &Builtin),
        (exprs, nodes): (&[&Expr], &[TypeVar]),
        ordinality: bool,
        alias: Option<&TableAlias>,
    ) -> Check<Option<Scope>> {
        let Some((does, oid)) = builtin.document else {
            return Ok(None);
        };
        let function = builtin.name;
        let mut columns: Vec<Output> = match (does, exprs, nodes) {
            (Document::Defined { set }, [_], [document]) => {
                let definitions = alias.map_or(&[][..], |alias| &alias.columns);
                if definitions.iter().any(|column| column.data_type.is_none()) {
                    return Ok(None);
                }
                let Some(place) = self.document_at(*document, oid) else {
                    return Ok(None);
                };
                if self.types.known(place).is_some_and(|known| known.declared) {
                    return Ok(None);
                }
                let record = self.record_of(place, set);
                let columns = definitions.iter();
                columns
                    .map(|column| self.defined(record, column, oid))
                    .collect()
            }
            (Document::Populated { set }, [row, _], [_, document]) => {
                let Some(relation) = self.row_type(row)? else {
                    return Ok(None);
                };
                let Some(place) = self.document_at(*document, oid) else {
                    return Ok(None);
                };
                if self.types.known(place).is_some_and(|known| known.declared) {
                    return Ok(None);
                }
                let record = self.record_of(place, set);
                self.populated(record, &relation, oid)
            }
            (Document::Elements { text: true }, [_], [document])
                if let Some(id) = self.leaf_of_elements(*document) =>
            {
                let keys = (!ordinality).then(|| self.key_table(id, name, alias));
                let Some((columns, _)) = keys.flatten() else {
                    return Ok(None);
                };
                return Ok(Some(Scope::of(named(columns, alias, function))));
            }
            (Document::Keys, [_], [document]) if self.names_are_clean(*document) => {
                let name = self.types.native(TEXT);
                if !ordinality {
                    self.scalars.insert(name);
                }
                vec![output(function, name)]
            }
            (Document::Elements { text }, [_], [document]) => {
                let element = match self.tagged(*document) {
                    // A number stands there as a string.
                    Some(false) if text && self.numbers => None,
                    Some(false) => {
                        let oid = if text { TEXT } else { oid };
                        Some(self.types.tagged_as(*document, oid))
                    }
                    _ => self.elements_of(*document, oid, text),
                };
                let Some(element) = element else {
                    return Ok(None);
                };
                if !ordinality {
                    // The name of the table then stands for the element.
                    self.scalars.insert(element);
                }
                vec![output("value", element)]
            }
            _ => return Ok(None),
        };
        if ordinality {
            columns.push(output("ordinality", self.types.native(INT8)));
        }
        let mut table = named(columns, alias, function);
        table.other_row = !matches!(does, Document::Defined { .. });
        Ok(Some(Scope::of(table)))
    }

    pub(super) fn record_of(&mut self, document: Place, set: bool) -> Place {
        if set {
            self.types.part(document, &Step::Element)
        } else {
            document
        }
    }

    /// A column of a column definition list.
    fn defined(&mut self, record: Place, column: &TableAliasColumnDef, oid: u32) -> Output {
        let name = &column.name.value;
        let place = self.types.part(record, &Step::Member(name.clone()));
        let data_type = column.data_type.as_ref();
        let target = data_type.and_then(|data_type| {
            self.cast_target(|| range(column.name.span).end, data_type)
                .filter(|target| target.length.is_none())
        });
        let node = match (target, data_type) {
            (Some(target), _) if target.array && !target.key_type.is_text() => {
                let element = self.types.node(Shape::Typed(target.key_type));
                let array = self.types.node(Shape::Array(element));
                self.types.read(place, array);
                self.name_type(TypeName {
                    node: element,
                    span: target.span,
                    named: target.key_type,
                    length: None,
                    alias: None,
                });
                array
            }
            (Some(target), _) if !target.array && target.key_type.is_text() => {
                self.types.text_of(place)
            }
            (Some(target), _) if !target.array => {
                self.read_piece(place, target.key_type, target.span)
            }
            (_, Some(data_type)) => match json_oid(data_type) {
                Some(oid) => self.types.node(Shape::Json(place, oid)),
                None => {
                    self.types.use_place(place);
                    self.types.native(0)
                }
            },
            (_, None) => self.types.node(Shape::Json(place, oid)),
        };
        output(name, node)
    }

    /// The columns of a table that a document fills in. The server knows their types.
    fn populated(
        &mut self,
        record: Place,
        relation: &crate::catalog::Relation,
        oid: u32,
    ) -> Vec<Output> {
        let mut columns = Vec::new();
        for column in &relation.columns {
            let place = self.types.part(record, &Step::Member(column.name.clone()));
            let node = match (column.id, column.type_oid.0) {
                (Some(id), _) => {
                    let key = self.of_column(id);
                    self.types.read(place, key);
                    key
                }
                (None, JSON | JSONB) => self.types.node(Shape::Json(place, oid)),
                (None, other) => {
                    self.types.use_place(place);
                    self.types.native(other)
                }
            };
            columns.push(output(&column.name, node));
        }
        columns
    }

    /// The table whose row type a NULL is cast to.
    fn row_type(&mut self, row: &Expr) -> Check<Option<std::sync::Arc<crate::catalog::Relation>>> {
        let Expr::Cast {
            expr,
            data_type: DataType::Custom(name, modifiers),
            ..
        } = unnested(row)
        else {
            return Ok(None);
        };
        let is_null = matches!(unnested(expr), Expr::Value(value) if value.value == SqlValue::Null);
        if !is_null || !modifiers.is_empty() {
            return Ok(None);
        }
        let (schema, table) = self.relation_name(name)?;
        let known = self.context.snapshot.resolve(schema, table, self.path);
        if known.is_none() && schema.is_none() && oid::named(table) != 0 {
            // A type of Postgres's own, as `record`; none of them has columns.
            return Ok(None);
        }
        let relation = self.relation(name)?;
        Ok(relation.filter(|relation| {
            use crate::catalog::RelationKind;
            matches!(relation.kind, RelationKind::Table | RelationKind::Composite)
                && !relation
                    .columns
                    .iter()
                    .any(crate::catalog::Column::is_composed)
        }))
    }
}

/// What stands around a text to make a key of it, or NULL if it is none.
pub(super) fn as_key(id: Id) -> Option<[TagPart; 2]> {
    let is_text = id.key_type != KeyType::Bytea;
    is_text.then_some([TagPart::KeyOpen(id), TagPart::KeyClose(id)])
}

/// The oid of `json` or `jsonb`, if a type is one of them.
pub(super) fn json_oid(data_type: &DataType) -> Option<u32> {
    let word = match data_type {
        DataType::JSON | DataType::JSONB => None,
        DataType::Custom(name, modifiers) if modifiers.is_empty() => {
            let schema = name.0.len().checked_sub(2).and_then(|at| name.0.get(at));
            let schema = schema.and_then(|part| part.as_ident());
            if schema.is_some_and(|schema| schema.value != "pg_catalog") {
                return None;
            }
            Some(last(name))
        }
        _ => return None,
    };
    let oid = named_oid(data_type, word.as_deref());
    matches!(oid, JSON | JSONB).then_some(oid)
}

/// Whether Postgres takes a step of a path for the number of an element, if it is in an array.
pub(super) fn is_number(step: &str) -> bool {
    step.trim().parse::<i64>().is_ok()
}

/// The member or the elements that the right side of `->` names, if it is a constant.
fn step(expr: &Expr) -> Option<Step> {
    match expr {
        Expr::Nested(inner) => step(inner),
        Expr::Cast {
            expr, data_type, ..
        } => {
            let step = step(expr)?;
            (keeps_text(data_type) && matches!(step, Step::Member(_))).then_some(step)
        }
        Expr::UnaryOp {
            op: UnaryOperator::Minus,
            expr,
        } => match step(expr)? {
            Step::Element => Some(Step::Element),
            Step::Member(_) | Step::Other => None,
        },
        Expr::Value(value) => match &value.value {
            SqlValue::Number(digits, _) if digits.parse::<i32>().is_ok() => Some(Step::Element),
            value => string_value(value).map(|name| Step::Member(name.to_owned())),
        },
        _ => None,
    }
}

/// Whether a cast leaves text, or texts in an array, as they are: one with a length may cut them.
pub(super) fn keeps_text(data_type: &DataType) -> bool {
    let element = innermost(data_type);
    let word = match element {
        DataType::Custom(name, _) => Some(last(name)),
        _ => None,
    };
    let is_text = matches!(named_oid(element, word.as_deref()), TEXT | oid::VARCHAR);
    is_text && !element.to_string().contains('(')
}

/// The names in the path that the right side of `#>` is, if it is a constant.
pub(super) fn names(expr: &Expr) -> Option<Vec<String>> {
    let names: Vec<String> = match expr {
        Expr::Nested(inner) => return names(inner),
        Expr::Cast {
            expr, data_type, ..
        } => return keeps_text(data_type).then(|| names(expr))?,
        Expr::Array(array) => {
            let name = |element: &Expr| match step(element)? {
                Step::Member(name) => Some(name),
                Step::Other | Step::Element => None,
            };
            array.elem.iter().map(name).collect::<Option<_>>()?
        }
        Expr::Value(value) => {
            let text = string_value(&value.value)?;
            let inner = text.strip_prefix('{')?.strip_suffix('}')?;
            if inner.contains(['"', '\\', '{', '}']) {
                return None;
            }
            let names = inner.split(',').map(|name| name.trim().to_owned());
            if inner.trim().is_empty() {
                Vec::new()
            } else {
                names.collect()
            }
        }
        _ => return None,
    };
    let is_name = |name: &String| !name.is_empty() && !name.eq_ignore_ascii_case("null");
    names.iter().all(is_name).then_some(names)
}
