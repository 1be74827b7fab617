//! Which columns of a result hold keys: the plan and the server's word on each column's origin
//! are compared here, and nowhere else.

use std::sync::Arc;

use super::codecs::Codecs;
use super::explain::Explained;
use super::pictures::Pictures;
use super::price::Price;
use super::shared::Catalog;
use super::tags;
use super::teller::Teller;
use crate::audit::Event;
use crate::catalog::{DomainId, IdColumn, IdType, KeyType, Oid, RelationKind};
use crate::codec::ValueType;
use crate::pg::oid::{self, JSON, JSONB, RECORD, RECORD_ARRAY, TEXT, VARCHAR};
use crate::sql::Refusal;
use crate::sql::plan::{
    Column, ColumnValue, Columns, CopyDirection, CopyPlan, JsonShape, Plan, PlanFormat, Source,
};
use crate::sql::refusal::Code;
use crate::wire::backend::Field;
use crate::wire::nested::{Leaf, Nested};
use crate::wire::value::{Shape, Type, Types};

/// A column that holds keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct IdField {
    pub(super) index: usize,
    pub(super) domain: DomainId,
    /// The type of the keys.
    pub(super) of: Type,
    /// The type of the ids.
    pub(super) shown: Type,
    pub(super) shape: Shape,
}

impl IdField {
    pub(super) const fn types(&self) -> Types {
        Types {
            from: self.of,
            to: self.shown,
        }
    }
}

/// What holds keys inside a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Part {
    /// A key.
    Id(IdField),
    /// Text or JSON with tags in it.
    Tagged,
    /// Text that is one tag or the text of a uuid, and shown as `uuid`.
    Mixed,
    /// A document with keys in it, which may have tags in it too.
    Document(Arc<JsonShape>),
}

impl Leaf for Part {
    fn types(&self) -> Types {
        match self {
            Self::Id(field) => field.types(),
            Self::Tagged | Self::Document(_) => Types {
                from: Type::Text,
                to: Type::Text,
            },
            Self::Mixed => Types {
                from: Type::Text,
                to: Type::Uuid,
            },
        }
    }
}

/// A column of rows that hold keys.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct RecordField {
    pub(super) index: usize,
    pub(super) value: Nested<Part>,
}

/// A column of text or JSON that holds tags.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TaggedField {
    pub(super) index: usize,
    pub(super) array: bool,
    /// Whether a value is one tag or the text of a uuid, and shown as `uuid`.
    pub(super) uuid: bool,
}

impl TaggedField {
    /// The type by which the client knows the column, and its size; `None` if it is the server's.
    const fn shown(self) -> Option<(u32, i16)> {
        match (self.uuid, self.array) {
            (false, _) => None,
            (true, false) => Some((Type::Uuid.oid(), Type::Uuid.size())),
            (true, true) => Some((Type::Uuid.array_oid(), -1)),
        }
    }
}

/// A column of JSON documents with keys in them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct JsonField {
    pub(super) index: usize,
    pub(super) shape: Arc<JsonShape>,
    /// Whether it is of type `jsonb`, whose binary form has a version in front.
    pub(super) binary: bool,
}

/// The columns of a result that hold keys, in order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct ResultShape {
    pub(super) ids: Vec<IdField>,
    /// Those that hold tags with keys in them.
    pub(super) tagged: Box<[TaggedField]>,
    /// Those that hold documents with keys in them.
    pub(super) json: Box<[JsonField]>,
    /// Those whose values are rows with keys in them.
    pub(super) records: Box<[RecordField]>,
    /// Present if it is what EXPLAIN tells of a statement over something protected.
    pub(super) explained: Option<Arc<Explained>>,
}

/// What a RowDescription says about the age of the snapshot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Age {
    /// The snapshot knows all origins.
    Current,
    /// It does not know one of them.
    Stale,
    /// It does not know one of them, and the column could hold keys.
    Dangerous,
}

/// What a RowDescription told.
#[derive(Debug)]
pub(super) struct Description {
    pub(super) shape: ResultShape,
    /// What it says about the age of the snapshot.
    pub(super) age: Age,
}

impl ResultShape {
    /// The shape of a plan that a server has already agreed with, or that has no result.
    pub(super) fn planned(plan: &Plan) -> Option<Self> {
        if plan.source != Source::Itself || !needs_no_description(plan) {
            return None;
        }
        let columns: &[Column] = match &plan.columns {
            Columns::Clean | Columns::Copy(_) | Columns::Explained(_) => &[],
            Columns::Known(columns) => columns,
        };
        let values = || columns.iter().map(|column| &column.value);
        // The server has to say whether they are of type jsonb.
        if values().any(|value| matches!(value, ColumnValue::Json(_))) {
            return None;
        }
        let tagged = values().enumerate();
        let tagged = tagged.filter_map(|(index, value)| tagged_field(index, value));
        let records = values().enumerate();
        let records = records.filter_map(|(index, value)| record_field(index, value));
        Some(Self {
            ids: id_fields(values()),
            tagged: tagged.collect(),
            json: Box::default(),
            records: records.collect(),
            explained: None,
        })
    }

    /// Whether no value holds more than one key.
    pub(super) fn has_scalars_only(&self) -> bool {
        self.tagged.is_empty()
            && self.json.is_empty()
            && self.records.is_empty()
            && self.explained.is_none()
            && self.ids.iter().all(|field| field.shape == Shape::Scalar)
    }

    /// What the ids in its values cost.
    pub(super) fn price(&self, codecs: &Codecs) -> Price {
        let ids = self.ids.iter();
        let ids = ids.map(|field| codecs.price(field.domain, field.shape));
        let parts = self.tagged.is_empty()
            && self.json.is_empty()
            && self.records.is_empty()
            && self.explained.is_none();
        let parts = (!parts).then(|| codecs.slowest());
        ids.chain(parts).max().unwrap_or_default()
    }

    /// Whether all values are shown as they are.
    pub(super) const fn is_clean(&self) -> bool {
        self.ids.is_empty()
            && self.tagged.is_empty()
            && self.json.is_empty()
            && self.records.is_empty()
            && self.explained.is_none()
    }
}

/// The columns in whose values keys stand beside other things.
#[derive(Debug, Default)]
struct Composed {
    tagged: Vec<TaggedField>,
    json: Vec<JsonField>,
    records: Vec<RecordField>,
}

impl Composed {
    /// Takes a column that is one of them, by the plan or by its origin. Whether it is.
    fn take(
        &mut self,
        pictures: &Pictures,
        by_plan: Option<&Column>,
        (index, field): (usize, &mut Field<'_>),
    ) -> Result<bool, Box<Refusal>> {
        let value = by_plan.map(|column| &column.value);
        if let Some(found) = value.and_then(|value| record_field(index, value)) {
            if !is_record(&found, field.type_oid) {
                return Err(disagreement());
            }
            self.records.push(found);
            return Ok(true);
        }
        if let Some(found) = value.and_then(|value| tagged_field(index, value)) {
            if !tags::carries(found, field.type_oid) {
                return Err(disagreement());
            }
            self.tagged.push(found);
            tell_column(field, by_plan.and_then(|column| column.column));
            if let Some(shown) = found.shown() {
                (field.type_oid, field.type_size) = shown;
                field.type_modifier = -1;
            }
            return Ok(true);
        }
        let by_origin = || {
            let column = origin(pictures, field).filter(|column| !column.json.is_empty())?;
            Some(Arc::new(JsonShape::of_column(&column.json, None)))
        };
        let shape = match value {
            Some(ColumnValue::Json(shape)) => Some(Arc::clone(shape)),
            _ => by_origin(),
        };
        let Some(shape) = shape else {
            return Ok(false);
        };
        if !matches!(field.type_oid, JSON | JSONB | TEXT | VARCHAR) {
            return Err(disagreement());
        }
        if shape.tagged {
            let array = false;
            self.tagged.push(TaggedField {
                index,
                array,
                uuid: false,
            });
        }
        self.json.push(JsonField {
            index,
            shape,
            binary: field.type_oid == JSONB,
        });
        Ok(true)
    }
}

/// The column of a relation that a column of a result comes from, if it is known.
fn origin<'p>(pictures: &'p Pictures, field: &Field<'_>) -> Option<&'p crate::catalog::Column> {
    let relation = pictures.origin(Oid(field.table))?;
    relation.attribute(field.attnum)
}

/// The column of a table that a column of a result is known to be.
fn column_of_table<'p>(
    pictures: &'p Pictures,
    field: &Field<'_>,
) -> Option<&'p crate::catalog::Column> {
    let relation = pictures.origin(Oid(field.table));
    let table = relation.filter(|relation| relation.kind == RelationKind::Table);
    table?.attribute(field.attnum)
}

/// Refuses a column of a table with keys of several domains in which the plan sees none.
fn check_polymorphic(
    (teller, pictures): (&Teller, &Pictures),
    is_plain: bool,
    field: &Field<'_>,
) -> Result<(), Box<Refusal>> {
    let column = column_of_table(pictures, field).filter(|_| is_plain);
    if column.is_some_and(|column| column.polymorphic.is_some()) {
        teller.tell(disagreed(field));
        return Err(disagreement());
    }
    Ok(())
}

/// Says of a field which column of a table it is, where the server takes it for computed.
const fn tell_column(field: &mut Field<'_>, column: Option<(u32, i16)>) {
    if let Some((table, attnum)) = column {
        (field.table, field.attnum) = (table, attnum);
    }
}

/// Whether a column of a result is known to be that of a table, and that to hold no such ids.
fn is_another(pictures: &Pictures, field: &Field<'_>, planned: IdColumn) -> bool {
    column_of_table(pictures, field).is_some_and(|column| {
        let kind = column.polymorphic.as_deref();
        let kind = kind.and_then(|of| of.of(planned.id.domain));
        kind.is_none() || planned.array
    })
}

/// Compares a RowDescription with the plan, and rewrites the types of its id columns.
///
/// # Errors
/// If the plan does not fit, so that it can't be said which columns hold keys.
pub(super) fn describe(
    teller: &Teller,
    pictures: &Pictures,
    plan: Option<&Plan>,
    fields: &mut [Field<'_>],
) -> Result<Description, Box<Refusal>> {
    if let Some(Columns::Explained(format)) = plan.map(|plan| &plan.columns) {
        return explained(pictures.catalog(), *format, fields);
    }
    let planned = planned_columns(plan, fields.len())?;
    let (mut ids, mut composed) = (Vec::new(), Composed::default());
    let (mut age, mut agreed) = (Age::Current, true);
    for (index, field) in fields.iter_mut().enumerate() {
        let by_plan = planned.and_then(|columns| columns.get(index));
        if composed.take(pictures, by_plan, (index, field))? {
            continue;
        }
        let modifier = by_plan.map_or(-1, |column| column.modifier);
        let computed = by_plan.is_some_and(|column| column.computed);
        let told = by_plan.and_then(|column| column.column);
        let by_plan = by_plan.and_then(|column| planned_id(&column.value));
        let by_origin = origin(pictures, field).and_then(|column| column.id);
        let is_plain = by_plan.is_none() && plan.is_some();
        check_polymorphic((teller, pictures), is_plain, field)?;
        match by_plan {
            None => age = age.max(age_of(pictures, field)),
            // What the plan takes for a key is a number, and would be shown as an id.
            Some(found) if by_origin.is_none() && is_another(pictures, field, found) => {
                teller.tell(disagreed(field));
                return Err(disagreement());
            }
            Some(_) => {}
        }
        if by_origin.is_some() && !agree(by_plan, by_origin) {
            agreed = false;
            // Of a statement that passes unexplained nothing was said with which to disagree.
            if plan.is_some() {
                teller.tell(disagreed(field));
            }
        }
        let Some(id) = by_plan.or(by_origin) else {
            continue;
        };
        let Some(found) = of_kind(id, field.type_oid) else {
            teller.tell(disagreed(field));
            return Err(disagreement());
        };
        // A confirmed plan is trusted without a description.
        agreed &= found == id;
        let id = id_field(index, found);
        ids.push(id);
        (field.type_oid, field.type_size) = match id.shape {
            Shape::Scalar => (id.shown.oid(), id.shown.size()),
            Shape::Array => (id.shown.array_oid(), -1),
        };
        field.type_modifier = modifier;
        tell_column(field, told);
        // A cast of an id to text is none that Postgres leaves out.
        let is_text = |origin: IdColumn| !origin.id.shown.is_like(found.id.shown);
        if computed || by_origin.is_some_and(is_text) {
            (field.table, field.attnum) = (0, 0);
        }
    }
    if let Some(plan) = plan
        && agreed
        && age == Age::Current
        && composed.json.is_empty()
    {
        plan.confirm();
    }
    Ok(Description {
        shape: ResultShape {
            ids,
            tagged: composed.tagged.into(),
            json: composed.json.into(),
            records: composed.records.into(),
            explained: None,
        },
        age,
    })
}

/// The columns of a plan, if they are more than clean.
fn planned_columns(plan: Option<&Plan>, count: usize) -> Result<Option<&[Column]>, Box<Refusal>> {
    match plan.map(|plan| &plan.columns) {
        None | Some(Columns::Clean) => Ok(None),
        Some(Columns::Known(columns)) if columns.len() == count => Ok(Some(columns)),
        // The data of COPY have no description.
        Some(Columns::Known(_) | Columns::Copy(_) | Columns::Explained(_)) => Err(disagreement()),
    }
}

/// The one column that EXPLAIN has.
fn explained(
    catalog: &Catalog,
    format: PlanFormat,
    fields: &[Field<'_>],
) -> Result<Description, Box<Refusal>> {
    let expected = match format {
        PlanFormat::Text | PlanFormat::Yaml => TEXT,
        PlanFormat::Json => JSON,
        PlanFormat::Xml => oid::XML,
    };
    match fields {
        [field] if field.type_oid == expected && field.table == 0 => Ok(Description {
            shape: ResultShape {
                explained: Some(Arc::new(Explained::new(format, catalog.stored))),
                ..ResultShape::default()
            },
            age: Age::Current,
        }),
        _ => Err(disagreement()),
    }
}

/// The plan and the server's word on a column's origin differ.
const fn disagreed(field: &Field<'_>) -> Event {
    Event::Disagreement {
        table: field.table,
        attnum: field.attnum,
    }
}

/// The column with the type that the server gives it, if that is of the same kind: how wide an
/// integer is, or which of the types of text it has, can be the statement's doing.
fn of_kind(id: IdColumn, type_oid: u32) -> Option<IdColumn> {
    let (key_type, array) = KeyType::from_oid(type_oid)?;
    let shown = match (id.id.key_type.value_type(), key_type.value_type()) {
        (ValueType::Integer(_), ValueType::Integer(_)) => match id.id.shown.value_type() {
            ValueType::Integer(_) => key_type,
            _ => id.id.shown,
        },
        (planned, found) if planned == found => id.id.shown,
        _ => return None,
    };
    let id_type = IdType {
        key_type,
        shown,
        ..id.id
    };
    (array == id.array).then_some(IdColumn { id: id_type, array })
}

/// Whether a picture of a database knows the origin of a column.
fn age_of(pictures: &Pictures, field: &Field<'_>) -> Age {
    if field.table < oid::FIRST_NORMAL || field.attnum <= 0 {
        return Age::Current;
    }
    let catalog = pictures.catalog();
    match pictures.origin(Oid(field.table)) {
        Some(relation) if relation.attribute(field.attnum).is_some() => Age::Current,
        _ if is_harmless(catalog, field.type_oid) => Age::Stale,
        _ if catalog.snapshot.has_ids() => Age::Dangerous,
        _ => Age::Stale,
    }
}

/// Whether values of a type are no keys and show none.
fn is_harmless(catalog: &Catalog, type_oid: u32) -> bool {
    (type_oid == oid::UUID || oid::NEVER_KEYS.contains(&type_oid))
        && !catalog.stored.may_be(type_oid)
}

/// The refusal of a result with a column that was made behind the proxy's back.
pub(super) fn outdated() -> Box<Refusal> {
    Box::new(
        Refusal::new(
            Code::UnknownName,
            "58000",
            "the result has a column that pgveil has not seen yet and that could hold keys: the \
             database has been changed",
        )
        .hint("Connect anew."),
    )
}

/// Whether a column can be judged without the analysis: by its origin, or because values of its
/// type are no keys.
pub(super) fn is_certain(pictures: &Pictures, field: &Field<'_>) -> bool {
    is_harmless(pictures.catalog(), field.type_oid) || column_of_table(pictures, field).is_some()
}

/// The refusal of a result of which nothing is certain.
pub(super) fn doubtful() -> Box<Refusal> {
    Box::new(
        Refusal::new(
            Code::UnknownName,
            "58000",
            "the result of a statement that pgveil has not seen, or behind one that changed the \
             database in the same batch, could show a key",
        )
        .hint(
            "Send it when the change has been answered; DECLARE a cursor, and PREPARE a statement, \
             by a statement of your own rather than in a function.",
        ),
    )
}

/// The fields of a record that hold keys.
pub(super) fn id_fields<'v>(values: impl Iterator<Item = &'v ColumnValue>) -> Vec<IdField> {
    values
        .enumerate()
        .filter_map(|(index, value)| Some(id_field(index, planned_id(value)?)))
        .collect()
}

const fn planned_id(value: &ColumnValue) -> Option<IdColumn> {
    let (id, array) = match value {
        ColumnValue::Clean
        | ColumnValue::Tagged { .. }
        | ColumnValue::Json(_)
        | ColumnValue::JsonArray(_)
        | ColumnValue::Record { .. } => return None,
        ColumnValue::Id(id) => (*id, false),
        ColumnValue::IdArray(id) => (*id, true),
    };
    Some(IdColumn { id, array })
}

const fn tagged_field(index: usize, value: &ColumnValue) -> Option<TaggedField> {
    match value {
        ColumnValue::Tagged { array, uuid } => Some(TaggedField {
            index,
            array: *array,
            uuid: *uuid,
        }),
        ColumnValue::Clean
        | ColumnValue::Id(_)
        | ColumnValue::IdArray(_)
        | ColumnValue::Json(_)
        | ColumnValue::JsonArray(_)
        | ColumnValue::Record { .. } => None,
    }
}

/// The column, if keys stand beside other things in its values, in a row or in text.
pub(super) fn composed_field(index: usize, value: &ColumnValue) -> Option<RecordField> {
    let is_composed = match value {
        ColumnValue::Record { .. } | ColumnValue::Tagged { .. } | ColumnValue::JsonArray(_) => true,
        ColumnValue::Json(shape) => shape.tagged,
        ColumnValue::Clean | ColumnValue::Id(_) | ColumnValue::IdArray(_) => false,
    };
    is_composed.then(|| RecordField {
        index,
        value: nested(index, value),
    })
}

fn record_field(index: usize, value: &ColumnValue) -> Option<RecordField> {
    let is_nested = matches!(
        value,
        ColumnValue::Record { .. } | ColumnValue::JsonArray(_)
    );
    is_nested.then(|| RecordField {
        index,
        value: nested(index, value),
    })
}

/// What the keys are inside the value of a column.
fn nested(index: usize, value: &ColumnValue) -> Nested<Part> {
    let leaf = |id: &IdType| {
        let id = IdColumn {
            id: *id,
            array: false,
        };
        Nested::Leaf(Part::Id(id_field(index, id)))
    };
    let text = |uuid: bool| if uuid { Part::Mixed } else { Part::Tagged };
    match value {
        ColumnValue::Clean => Nested::Clean,
        ColumnValue::Json(shape) => Nested::Text(Part::Document(Arc::clone(shape))),
        ColumnValue::JsonArray(shape) => {
            let document = Nested::Text(Part::Document(Arc::clone(shape)));
            Nested::Array(Box::new(document))
        }
        ColumnValue::Tagged { array: false, uuid } => Nested::Text(text(*uuid)),
        ColumnValue::Tagged { array: true, uuid } => {
            Nested::Array(Box::new(Nested::Text(text(*uuid))))
        }
        ColumnValue::Id(id) => leaf(id),
        ColumnValue::IdArray(id) => Nested::Array(Box::new(leaf(id))),
        ColumnValue::Record { fields, array } => {
            let fields = fields.iter().map(|field| nested(index, field)).collect();
            match array {
                true => Nested::Array(Box::new(Nested::Record(fields))),
                false => Nested::Record(fields),
            }
        }
    }
}

/// Whether values of the type that the server gives a column can be such rows.
fn is_record(field: &RecordField, type_oid: u32) -> bool {
    let is_known = match &field.value {
        Nested::Array(element) if matches!(**element, Nested::Text(_)) => {
            oid::is_array_of_texts_or_documents(type_oid)
        }
        Nested::Array(_) => type_oid == RECORD_ARRAY,
        _ => type_oid == RECORD,
    };
    is_known || type_oid >= oid::FIRST_NORMAL
}

fn agree(by_plan: Option<IdColumn>, by_origin: Option<IdColumn>) -> bool {
    match (by_plan, by_origin) {
        (Some(plan), Some(origin)) => {
            plan.id.domain == origin.id.domain && plan.array == origin.array
        }
        _ => false,
    }
}

const fn id_field(index: usize, id: IdColumn) -> IdField {
    IdField {
        index,
        domain: id.id.domain,
        of: id.id.key_type,
        shown: id.id.shown,
        shape: if id.array {
            Shape::Array
        } else {
            Shape::Scalar
        },
    }
}

pub(super) fn disagreement() -> Box<Refusal> {
    Box::new(Refusal::new(
        Code::Disagreement,
        "58000",
        "the result of the statement is not what the analysis expects, so that it could \
                  show a key",
    ))
}

/// Whether the columns of a plan are certain without the server's description.
pub(super) fn needs_no_description(plan: &Plan) -> bool {
    plan.is_confirmed()
        || match &plan.columns {
            Columns::Known(columns) => columns.is_empty(),
            Columns::Copy(_) => true,
            Columns::Clean | Columns::Explained(_) => false,
        }
}

/// Whether a plan begins a COPY FROM STDIN with ids in it.
pub(super) fn takes_ids(plan: &Plan) -> bool {
    matches!(&plan.columns, Columns::Copy(copy)
        if copy.direction == CopyDirection::FromClient && has_ids(copy))
}

pub(super) fn has_ids(copy: &CopyPlan) -> bool {
    let mut columns = copy.columns.iter();
    columns.any(|column| column.value != ColumnValue::Clean)
}
