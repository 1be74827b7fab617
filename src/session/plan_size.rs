//! What an analysed text takes in memory, for the budget of the plan cache. Counted from the
//! sizes of things and the capacities of what they hold; `cargo bench --bench analyse -- --table`
//! compares the count with what a process really takes.

use std::mem::size_of;

use crate::catalog::IdType;
use crate::sql::plan::{
    Columns, IdUsage, JsonShape, Parameters, Plan, Replacement, SentField, SentRow,
};
use crate::sql::{Statement, Verdict};

/// What the allocator adds to each block: its own field, and half of what rounding adds.
const BLOCK: usize = 16;

/// The heap behind the statements of a text.
pub(super) fn of_statements(statements: &[Statement]) -> usize {
    let each = statements.iter().map(|statement| match &statement.verdict {
        Verdict::Forward(plan) => of_plan(plan),
        // A message and some words of advice.
        Verdict::Refuse(refusal) => {
            let hint = refusal.hint.as_ref().map_or(0, String::capacity);
            refusal.message.capacity() + hint + 2 * BLOCK
        }
    });
    block(size_of_val(statements)) + each.sum::<usize>()
}

fn of_plan(plan: &Plan) -> usize {
    let edits = plan.edits.iter().map(|edit| match &edit.with {
        Replacement::Text(text) => block(text.capacity()),
        Replacement::Id { usage, literal } | Replacement::IdArray { usage, literal } => {
            block(literal.capacity()) + of_usage(usage)
        }
        Replacement::Json { shape, literal } => block(literal.capacity()) + of_shape(shape),
        Replacement::Row { row, literal } => block(literal.capacity()) + of_row(row),
        _ => 0,
    });
    let columns = match &plan.columns {
        Columns::Clean | Columns::Explained(_) => 0,
        Columns::Known(columns) => {
            let names = columns.iter().map(|column| block(column.name.capacity()));
            block(size_of_val(columns.as_slice())) + names.sum::<usize>()
        }
        Columns::Copy(copy) => {
            let columns = copy.columns.iter();
            let names = columns.map(|column| block(column.name.capacity()));
            block(size_of_val(copy.columns.as_slice())) + names.sum::<usize>() + block(256)
        }
    };
    let kept = plan.effect.keeps.as_ref().map_or(0, |_| block(256));
    let objects = plan.effect.objects.as_ref();
    let objects = objects.map_or(0, |objects| block(objects.bytes()));
    block(size_of_val(&plan.edits[..]))
        + edits.sum::<usize>()
        + of_parameters(&plan.parameters)
        + columns
        + block(size_of_val(plan.arguments.as_slice()))
        + kept
        + objects
}

fn of_parameters(parameters: &Parameters) -> usize {
    let Parameters { shown, sent } = parameters;
    let usages = sent.iter().filter_map(|sent| sent.id.as_ref());
    block(size_of_val(shown.as_slice()))
        + block(size_of_val(sent.as_slice()))
        + usages.map(of_usage).sum::<usize>()
        + sent
            .iter()
            .filter_map(|sent| sent.json.as_ref())
            .map(|json| of_shape(&json.shape))
            .sum::<usize>()
        + sent
            .iter()
            .filter_map(|sent| sent.row.as_ref())
            .map(of_row)
            .sum::<usize>()
}

fn of_row(row: &SentRow) -> usize {
    let fields = row.fields.iter().map(|field| match field {
        SentField::Clean => 0,
        SentField::Id(usage) | SentField::IdArray(usage) => of_usage(usage),
        SentField::Row(row) => of_row(row),
    });
    block(size_of_val(row.fields.as_slice())) + fields.sum::<usize>()
}

fn of_shape(shape: &JsonShape) -> usize {
    let leaf = shape.leaf.as_ref().map_or(0, |leaf| of_usage(&leaf.usage));
    let members = shape.members.iter();
    let members = members.map(|(name, part)| block(name.capacity()) + of_shape(part));
    let elements = shape.elements.as_ref();
    let elements = elements.map_or(0, |part| block(size_of::<JsonShape>()) + of_shape(part));
    block(size_of_val(shape.members.as_slice())) + leaf + members.sum::<usize>() + elements
}

fn of_usage(usage: &IdUsage) -> usize {
    let Some(stored) = &usage.stored else {
        return 0;
    };
    let key = stored.foreign_key.iter();
    let key = key.map(|(name, table)| block(name.capacity()) + block(table.capacity()));
    block(stored.schema.capacity())
        + block(stored.table.capacity())
        + block(stored.column.capacity())
        + block(stored.others.capacity() * size_of::<IdType>())
        + key.sum::<usize>()
}

/// A block of memory; nothing if it is empty.
pub(super) const fn block(bytes: usize) -> usize {
    if bytes == 0 { 0 } else { bytes + BLOCK }
}
