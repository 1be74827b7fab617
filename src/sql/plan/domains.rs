//! Of which domains a plan finds ids.

use std::collections::BTreeSet;

use super::{
    ColumnValue, Columns, IdUsage, JsonShape, Plan, Replacement, SentField, SentParameter, SentRow,
};
use crate::catalog::DomainId;

/// The domains that have been found.
type Found = BTreeSet<DomainId>;

impl Plan {
    /// Adds the domains of the ids in the statement's literals, its parameters and its result.
    pub fn add_domains(&self, found: &mut Found) {
        for edit in self.edits.iter() {
            of_replacement(&edit.with, found);
        }
        for parameter in &self.parameters.sent {
            of_parameter(parameter, found);
        }
        match &self.columns {
            Columns::Clean | Columns::Explained(_) => {}
            Columns::Known(columns) => {
                for column in columns {
                    of_value(&column.value, found);
                }
            }
            Columns::Copy(copy) => {
                for column in &copy.columns {
                    of_value(&column.value, found);
                }
            }
        }
    }
}

fn of_usage(usage: &IdUsage, found: &mut Found) {
    found.insert(usage.id.domain);
}

fn of_replacement(with: &Replacement, found: &mut Found) {
    match with {
        Replacement::Text(_) | Replacement::TagClose => {}
        Replacement::Id { usage, .. } | Replacement::IdArray { usage, .. } => {
            of_usage(usage, found);
        }
        Replacement::Row { row, .. } => of_row(row, found),
        Replacement::Json { shape, .. } => of_document(shape, found),
        Replacement::TagOpen { id, .. }
        | Replacement::Untag(id)
        | Replacement::KeyOpen(id)
        | Replacement::KeyClose(id)
        | Replacement::MarkOpen { id, .. } => {
            found.insert(id.domain);
        }
    }
}

fn of_parameter(parameter: &SentParameter, found: &mut Found) {
    if let Some(usage) = &parameter.id {
        of_usage(usage, found);
    }
    if let Some(json) = &parameter.json {
        of_document(&json.shape, found);
    }
    if let Some(row) = &parameter.row {
        of_row(row, found);
    }
}

fn of_value(value: &ColumnValue, found: &mut Found) {
    match value {
        // What is tagged has been found among the edits.
        ColumnValue::Clean | ColumnValue::Tagged { .. } => {}
        ColumnValue::Id(id) | ColumnValue::IdArray(id) => {
            found.insert(id.domain);
        }
        ColumnValue::Json(shape) | ColumnValue::JsonArray(shape) => of_document(shape, found),
        ColumnValue::Record { fields, .. } => {
            for field in fields.iter() {
                of_value(field, found);
            }
        }
    }
}

fn of_row(row: &SentRow, found: &mut Found) {
    for field in &row.fields {
        match field {
            SentField::Clean => {}
            SentField::Id(usage) | SentField::IdArray(usage) => of_usage(usage, found),
            SentField::Row(row) => of_row(row, found),
        }
    }
}

fn of_document(shape: &JsonShape, found: &mut Found) {
    let mut shapes = vec![shape];
    while let Some(shape) = shapes.pop() {
        if let Some(leaf) = &shape.leaf {
            of_usage(&leaf.usage, found);
        }
        shapes.extend(shape.members.iter().map(|(_, member)| member));
        shapes.extend(shape.others.as_deref());
        shapes.extend(shape.elements.as_deref());
    }
}
