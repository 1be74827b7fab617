//! Which columns of a result hold keys: the plan and the server's word on each column's origin
//! are compared here, and nowhere else.

use std::sync::Arc;

use super::catalog_view::CatalogView;
use super::codecs::Codecs;
use super::explain::Explained;
use super::fatal::disagreement;
use super::id_field::IdField;
use super::price::Price;
use super::shared::Catalog;
use super::teller::Teller;
use crate::audit::Event;
use crate::catalog::{IdColumn, IdType, KeyType, Oid, RelationKind};
use crate::codec::ValueType;
use crate::pg::oid::{self, JSON, JSONB, RECORD, RECORD_ARRAY, TEXT, VARCHAR};
use crate::sql::Refusal;
use crate::sql::plan::{
    Column, ColumnValue, Columns, CopyDirection, CopyPlan, JsonShape, Plan, PlanFormat, Source,
};
use crate::sql::refusal::Code;
use crate::wire::backend::Field;
use crate::wire::composite::{Leaf, Nested};
use crate::wire::value::{Shape, Type, Types};

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

/// A column in whose values keys stand beside other things: rows, arrays of them, documents, and text
/// with tags.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ComposedField {
    pub(super) index: usize,
    pub(super) value: Nested<Part>,
    /// Whether the server has said that it is of type `jsonb`, whose binary form has a version in
    /// front.
    pub(super) jsonb: bool,
}

impl ComposedField {
    /// Whether documents of the database are its values.
    const fn is_document(&self) -> bool {
        matches!(self.value, Nested::Text(Part::Document(_)))
    }

    /// The text in its values, or in the elements of those, and whether these are arrays.
    fn text(&self) -> Option<(&Part, bool)> {
        match &self.value {
            Nested::Text(part) => Some((part, false)),
            Nested::Array(element) => match &**element {
                Nested::Text(part) => Some((part, true)),
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether values of the type that the server gives the column can be such.
    fn suits(&self, type_oid: u32) -> bool {
        let is_of_user = type_oid >= oid::FIRST_NORMAL;
        match (self.text(), &self.value) {
            // The edits of the statement make text of it.
            (Some((Part::Mixed, false)), _) => type_oid == TEXT,
            (Some((Part::Mixed, true)), _) => type_oid == oid::TEXT_ARRAY,
            (Some((Part::Tagged, false)), _) => oid::is_text_or_document(type_oid),
            (Some((Part::Tagged, true)), _) => oid::is_array_of_texts_or_documents(type_oid),
            (Some((_, false)), _) => matches!(type_oid, JSON | JSONB | TEXT | VARCHAR),
            (Some((_, true)), _) => oid::is_array_of_texts_or_documents(type_oid) || is_of_user,
            (None, Nested::Array(_)) => type_oid == RECORD_ARRAY || is_of_user,
            (None, _) => type_oid == RECORD || is_of_user,
        }
    }

    /// Says of a field of a RowDescription what the client sees of the column.
    fn tell(&self, field: &mut Field<'_>, column: Option<(u32, i16)>) {
        let Some((part, array)) = self.text() else {
            return;
        };
        if matches!(part, Part::Tagged | Part::Mixed) {
            tell_column(field, column);
        }
        if *part == Part::Mixed {
            (field.type_oid, field.type_size) = match array {
                false => (Type::Uuid.oid(), Type::Uuid.size()),
                true => (Type::Uuid.array_oid(), -1),
            };
            field.type_modifier = -1;
        }
    }
}

/// A column that is not shown as it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum ShownField {
    /// Its values are keys, or arrays of keys.
    Id(IdField),
    /// There are keys in its values.
    Composed(ComposedField),
}

impl ShownField {
    /// Its place among the columns.
    #[inline]
    pub(super) const fn index(&self) -> usize {
        match self {
            Self::Id(field) => field.index,
            Self::Composed(field) => field.index,
        }
    }
}

/// The columns of a result that are not shown as they stand.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct ResultShape {
    /// They are in order.
    pub(super) fields: Vec<ShownField>,
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
    /// Whether it says of all columns what the plan does.
    pub(super) agreed: bool,
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
        // The server has to say whether they are of type jsonb.
        if (columns.iter()).any(|column| matches!(column.value, ColumnValue::Json(_))) {
            return None;
        }
        let columns = columns.iter().enumerate();
        let fields = columns.filter_map(|(index, column)| shown_field(index, &column.value));
        Some(Self {
            fields: fields.collect(),
            explained: None,
        })
    }

    /// Whether no value holds more than one key.
    pub(super) fn has_scalars_only(&self) -> bool {
        let is_scalar = |field: &ShownField| match field {
            ShownField::Id(field) => field.shape == Shape::Scalar,
            ShownField::Composed(_) => false,
        };
        self.explained.is_none() && self.fields.iter().all(is_scalar)
    }

    /// Whether keys stand beside other things in some values.
    pub(super) fn has_composed(&self) -> bool {
        let is_composed = |field: &ShownField| matches!(field, ShownField::Composed(_));
        self.fields.iter().any(is_composed)
    }

    /// What the ids in its values cost.
    pub(super) fn price(&self, codecs: &Codecs) -> Price {
        let fields = self.fields.iter().map(|field| match field {
            ShownField::Id(field) => codecs.price(field.domain, field.shape),
            ShownField::Composed(_) => codecs.slowest(),
        });
        let explained = self.explained.is_some().then(|| codecs.slowest());
        fields.chain(explained).max().unwrap_or_default()
    }

    /// Whether all values are shown as they are.
    pub(super) const fn is_clean(&self) -> bool {
        self.fields.is_empty() && self.explained.is_none()
    }
}

/// A column in whose values keys stand beside other things, by the plan or else by its origin.
fn composed(
    catalog_view: &CatalogView,
    by_plan: Option<&Column>,
    (index, field): (usize, &mut Field<'_>),
) -> Result<Option<ComposedField>, Box<Refusal>> {
    let planned = by_plan.and_then(|column| composed_field(index, &column.value));
    let found = planned.or_else(|| {
        let column = origin(catalog_view, field).filter(|column| !column.json.is_empty())?;
        let shape = JsonShape::of_column(&column.json, None);
        let value = Nested::Text(Part::Document(Arc::new(shape)));
        Some(ComposedField {
            index,
            value,
            jsonb: false,
        })
    });
    let Some(mut found) = found else {
        return Ok(None);
    };
    found.jsonb = found.is_document() && field.type_oid == JSONB;
    if !found.suits(field.type_oid) {
        return Err(disagreement());
    }
    found.tell(field, by_plan.and_then(|column| column.column));
    Ok(Some(found))
}

/// The column of a relation that a column of a result comes from, if it is known.
fn origin<'p>(
    catalog_view: &'p CatalogView,
    field: &Field<'_>,
) -> Option<&'p crate::catalog::Column> {
    let relation = catalog_view.origin(Oid(field.table))?;
    relation.attribute(field.attnum)
}

/// The column of a table that a column of a result is known to be.
fn column_of_table<'p>(
    catalog_view: &'p CatalogView,
    field: &Field<'_>,
) -> Option<&'p crate::catalog::Column> {
    let relation = catalog_view.origin(Oid(field.table));
    let table = relation.filter(|relation| relation.kind == RelationKind::Table);
    table?.attribute(field.attnum)
}

/// Refuses a column of a table with keys of several domains in which the plan sees none.
fn check_polymorphic(
    (teller, catalog_view): (&Teller, &CatalogView),
    is_plain: bool,
    field: &Field<'_>,
) -> Result<(), Box<Refusal>> {
    let column = column_of_table(catalog_view, field).filter(|_| is_plain);
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
fn is_another(catalog_view: &CatalogView, field: &Field<'_>, planned: IdColumn) -> bool {
    column_of_table(catalog_view, field).is_some_and(|column| {
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
    catalog_view: &CatalogView,
    plan: Option<&Plan>,
    fields: &mut [Field<'_>],
) -> Result<Description, Box<Refusal>> {
    if let Some(Columns::Explained(format)) = plan.map(|plan| &plan.columns) {
        return explained(catalog_view.catalog(), *format, fields);
    }
    let planned = planned_columns(plan, fields.len())?;
    let mut shown = Vec::new();
    let (mut age, mut agreed) = (Age::Current, true);
    for (index, field) in fields.iter_mut().enumerate() {
        let by_plan = planned.and_then(|columns| columns.get(index));
        if let Some(found) = composed(catalog_view, by_plan, (index, field))? {
            // The server has to say again whether they are of type jsonb.
            agreed &= !found.is_document();
            shown.push(ShownField::Composed(found));
            continue;
        }
        let modifier = by_plan.map_or(-1, |column| column.modifier);
        let computed = by_plan.is_some_and(|column| column.computed);
        let told = by_plan.and_then(|column| column.column);
        let by_plan = by_plan.and_then(|column| planned_id(&column.value));
        let by_origin = origin(catalog_view, field).and_then(|column| column.id);
        let is_plain = by_plan.is_none() && plan.is_some();
        check_polymorphic((teller, catalog_view), is_plain, field)?;
        match by_plan {
            None => age = age.max(age_of(catalog_view, field)),
            // What the plan takes for a key is a number, and would be shown as an id.
            Some(found) if by_origin.is_none() && is_another(catalog_view, field, found) => {
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
        shown.push(ShownField::Id(id));
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
    Ok(Description {
        shape: ResultShape {
            fields: shown,
            explained: None,
        },
        age,
        agreed: agreed && age == Age::Current,
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
            agreed: false,
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

/// Whether a snapshot of a database knows the origin of a column.
fn age_of(catalog_view: &CatalogView, field: &Field<'_>) -> Age {
    if field.table < oid::FIRST_NORMAL || field.attnum <= 0 {
        return Age::Current;
    }
    let catalog = catalog_view.catalog();
    match catalog_view.origin(Oid(field.table)) {
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
pub(super) fn is_certain(catalog_view: &CatalogView, field: &Field<'_>) -> bool {
    is_harmless(catalog_view.catalog(), field.type_oid)
        || column_of_table(catalog_view, field).is_some()
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

/// The column, if it is not shown as it stands.
pub(super) fn shown_field(index: usize, value: &ColumnValue) -> Option<ShownField> {
    match planned_id(value) {
        Some(id) => Some(ShownField::Id(id_field(index, id))),
        None => composed_field(index, value).map(ShownField::Composed),
    }
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

/// The column, if keys stand beside other things in its values.
pub(super) fn composed_field(index: usize, value: &ColumnValue) -> Option<ComposedField> {
    let is_composed = match value {
        ColumnValue::Record { .. }
        | ColumnValue::Tagged { .. }
        | ColumnValue::Json(_)
        | ColumnValue::JsonArray(_) => true,
        ColumnValue::Clean | ColumnValue::Id(_) | ColumnValue::IdArray(_) => false,
    };
    is_composed.then(|| ComposedField {
        index,
        value: nested(index, value),
        jsonb: false,
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
