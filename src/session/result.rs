//! Which columns of a result hold keys: the plan and the server's word on each column's origin
//! are compared here, and nowhere else.

use super::ids;
use super::shared::Shared;
use super::statements::needs_no_description;
use crate::audit::Event;
use crate::catalog::{DomainId, IdColumn, Oid, RelationKind, Snapshot};
use crate::sql::Refusal;
use crate::sql::plan::{Column, ColumnValue, Columns, Plan, Source};
use crate::sql::refusal::Code;
use crate::wire::backend::Field;
use crate::wire::value::{Int, Shape, UUID_ARRAY_OID, UUID_OID};

/// The first oid that objects of users get.
const FIRST_NORMAL_OID: u32 = 16_384;

/// Types whose values are no keys: bool, "char", date, time, timestamp, timestamptz, interval,
/// timetz, uuid, void.
const HARMLESS_TYPES: [u32; 10] = [16, 18, 1082, 1083, 1114, 1184, 1186, 1266, 2950, 2278];

/// A column that holds keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct IdField {
    pub(super) index: usize,
    pub(super) domain: DomainId,
    pub(super) int: Int,
    pub(super) shape: Shape,
}

/// The columns of a result that hold keys, in order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct ResultShape {
    pub(super) ids: Box<[IdField]>,
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
            Columns::Clean => &[],
            Columns::Known(columns) => columns,
        };
        let ids = columns
            .iter()
            .enumerate()
            .filter_map(|(index, column)| {
                let id = planned_id(column.value)?;
                Some(id_field(index, id, ids::int(id.id.key_type)))
            })
            .collect();
        Some(Self { ids })
    }
}

/// Compares a RowDescription with the plan, and rewrites the types of its id columns.
///
/// # Errors
/// If the plan does not fit, so that it can't be said which columns hold keys.
pub(super) fn describe(
    shared: &Shared,
    snapshot: &Snapshot,
    plan: Option<&Plan>,
    fields: &mut [Field<'_>],
) -> Result<Description, Box<Refusal>> {
    let planned = match plan.map(|plan| &plan.columns) {
        None | Some(Columns::Clean) => None,
        Some(Columns::Known(columns)) if columns.len() == fields.len() => Some(columns),
        Some(Columns::Known(_)) => return Err(disagreement()),
    };
    let mut ids = Vec::new();
    let (mut age, mut agreed) = (Age::Current, true);
    for (index, field) in fields.iter_mut().enumerate() {
        let by_plan = planned
            .and_then(|columns| columns.get(index))
            .and_then(|column| planned_id(column.value));
        let by_origin = snapshot.provenance(Oid(field.table), field.attnum);
        if by_plan.is_none() {
            age = age.max(age_of(snapshot, field));
        }
        if by_origin.is_some() && !agree(by_plan, by_origin) {
            agreed = false;
            shared.tell(Event::Disagreement {
                table: field.table,
                attnum: field.attnum,
            });
        }
        let Some(id) = by_plan.or(by_origin) else {
            continue;
        };
        let int = if id.array {
            Int::from_array_oid(field.type_oid)
        } else {
            Int::from_oid(field.type_oid)
        };
        let Some(int) = int else {
            shared.tell(Event::Disagreement {
                table: field.table,
                attnum: field.attnum,
            });
            return Err(disagreement());
        };
        ids.push(id_field(index, id, int));
        (field.type_oid, field.type_size) = if id.array {
            (UUID_ARRAY_OID, -1)
        } else {
            (UUID_OID, 16)
        };
        field.type_modifier = -1;
    }
    if let Some(plan) = plan
        && agreed
        && age == Age::Current
    {
        plan.confirm();
    }
    Ok(Description {
        shape: ResultShape { ids: ids.into() },
        age,
    })
}

/// Whether a snapshot knows the origin of a column.
fn age_of(snapshot: &Snapshot, field: &Field<'_>) -> Age {
    if field.table < FIRST_NORMAL_OID || field.attnum <= 0 {
        return Age::Current;
    }
    match snapshot.relation(Oid(field.table)) {
        Some(relation) if relation.attribute(field.attnum).is_some() => Age::Current,
        // A column that was added to a table holds keys only if it is a foreign key.
        Some(relation) if relation.kind == RelationKind::Table && !is_integer(field.type_oid) => {
            Age::Stale
        }
        _ if HARMLESS_TYPES.contains(&field.type_oid) => Age::Stale,
        _ if snapshot.has_ids() => Age::Dangerous,
        _ => Age::Stale,
    }
}

fn is_integer(type_oid: u32) -> bool {
    Int::from_oid(type_oid).is_some() || Int::from_array_oid(type_oid).is_some()
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
pub(super) fn is_certain(snapshot: &Snapshot, field: &Field<'_>) -> bool {
    let relation = snapshot.relation(Oid(field.table));
    HARMLESS_TYPES.contains(&field.type_oid)
        || relation.is_some_and(|relation| {
            relation.kind == RelationKind::Table && relation.attribute(field.attnum).is_some()
        })
}

/// The refusal of a result of which nothing is certain.
pub(super) fn doubtful() -> Box<Refusal> {
    Box::new(
        Refusal::new(
            Code::UnknownName,
            "58000",
            "the result of a statement behind one that changed the database, in the same batch, \
             could show a key",
        )
        .hint("Send it when the change has been answered."),
    )
}

const fn planned_id(value: ColumnValue) -> Option<IdColumn> {
    let (id, array) = match value {
        ColumnValue::Clean => return None,
        ColumnValue::Id(id) => (id, false),
        ColumnValue::IdArray(id) => (id, true),
    };
    Some(IdColumn { id, array })
}

fn agree(by_plan: Option<IdColumn>, by_origin: Option<IdColumn>) -> bool {
    match (by_plan, by_origin) {
        (Some(plan), Some(origin)) => {
            plan.id.domain == origin.id.domain && plan.array == origin.array
        }
        _ => false,
    }
}

const fn id_field(index: usize, id: IdColumn, int: Int) -> IdField {
    IdField {
        index,
        domain: id.id.domain,
        int,
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
