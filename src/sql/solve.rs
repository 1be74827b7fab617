//! Turns what the inference found into a plan: edits of the text, and rules for parameters and
//! result columns.

use crate::catalog::KeyType;

use super::infer::{Binder, Value};
use super::plan::{
    Column, ColumnValue, Columns, Edit, IdUsage, Parameters, Plan, Replacement, SentParameter,
};
use super::refusal::{Code, Refusal};
use super::scope::Output;
use super::types::{Node, Shape, UUID, UUID_ARRAY};

/// How one occurrence of a literal or parameter turned out.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Use {
    usage: IdUsage,
    array: bool,
}

/// The occurrences of one parameter that are used alike and so can stay one parameter.
#[derive(Debug)]
struct Group {
    usage: Option<Use>,
    textual: bool,
    /// The number in the edited statement, from 1.
    number: usize,
}

/// Builds the plan of a statement whose walk is done.
pub(super) fn solve(binder: &Binder<'_>, outputs: &[Output]) -> Result<Plan, Box<Refusal>> {
    let mut edits = Vec::new();
    literals(binder, &mut edits);
    uuid_names(binder, &mut edits);
    let parameters = parameters(binder, &mut edits);
    edits.sort_by_key(|edit| (edit.span.start, edit.span.end));
    edits.dedup();
    let columns = columns(binder, outputs)?;
    let is_clean = !binder.protected && edits.is_empty() && parameters.is_plain();
    Ok(Plan {
        columns: if is_clean {
            Columns::Clean
        } else {
            Columns::Known(columns)
        },
        edits,
        parameters,
        ..Plan::default()
    })
}

fn usage_of(binder: &Binder<'_>, node: Node) -> Option<Use> {
    let (id, array) = match binder.types.shape(node) {
        Shape::Id(id) => (id, false),
        Shape::Array(element) => match binder.types.shape(element) {
            Shape::Id(id) => (id, true),
            _ => return None,
        },
        _ => return None,
    };
    let stored = binder.types.stored(node).cloned();
    let usage = IdUsage { id, stored };
    Some(Use { usage, array })
}

fn literals(binder: &Binder<'_>, edits: &mut Vec<Edit>) {
    for occurrence in &binder.occurrences {
        let Value::Literal(literal) = &occurrence.value else {
            continue;
        };
        let Some(Use { usage, array }) = usage_of(binder, occurrence.node) else {
            continue;
        };
        let literal = literal.clone();
        let with = if array {
            Replacement::IdArray { usage, literal }
        } else {
            Replacement::Id { usage, literal }
        };
        edits.push(Edit {
            span: occurrence.span.clone(),
            with,
        });
    }
}

fn uuid_names(binder: &Binder<'_>, edits: &mut Vec<Edit>) {
    for name in &binder.uuid_names {
        let Shape::Id(id) = binder.types.shape(name.node) else {
            continue;
        };
        let with = Replacement::Text(id.key_type.sql().to_owned());
        edits.push(Edit {
            span: name.span.clone(),
            with,
        });
        if let Some(at) = name.alias_at {
            edits.push(Edit {
                span: at..at,
                with: Replacement::Text(" AS uuid".to_owned()),
            });
        }
    }
}

/// Groups the occurrences of each parameter by use. The first group keeps the parameter's number,
/// each further one gets a new number behind all others.
fn parameters(binder: &Binder<'_>, edits: &mut Vec<Edit>) -> Parameters {
    let declared = binder.context.declared;
    let used = binder
        .occurrences
        .iter()
        .filter_map(|occurrence| match occurrence.value {
            Value::Parameter { index, .. } => Some(index + 1),
            Value::Literal(_) => None,
        });
    let count = used.max().unwrap_or(0).max(declared.len());
    let mut groups: Vec<Vec<Group>> = Vec::new();
    groups.resize_with(count, Vec::new);
    let mut next = count + 1;
    for occurrence in &binder.occurrences {
        let Value::Parameter { index, textual } = occurrence.value else {
            continue;
        };
        let Some(own) = groups.get_mut(index) else {
            continue;
        };
        let usage = usage_of(binder, occurrence.node);
        let textual = textual && usage.is_some();
        let number = match own
            .iter_mut()
            .find(|group| alike(group, usage.as_ref(), textual))
        {
            Some(group) => {
                if let (Some(known), Some(new)) = (&mut group.usage, usage) {
                    known.usage.stored = known.usage.stored.take().or(new.usage.stored);
                }
                group.number
            }
            None => {
                let number = if own.is_empty() { index + 1 } else { next };
                next += usize::from(!own.is_empty());
                own.push(Group {
                    usage,
                    textual,
                    number,
                });
                number
            }
        };
        if number != index + 1 {
            let with = Replacement::Text(format!("${number}"));
            edits.push(Edit {
                span: occurrence.span.clone(),
                with,
            });
        }
    }
    describe(&groups, declared, next - 1)
}

/// Whether an occurrence can share the parameter of a group.
fn alike(group: &Group, usage: Option<&Use>, textual: bool) -> bool {
    group.textual == textual
        && match (&group.usage, usage) {
            (None, None) => true,
            (Some(a), Some(b)) => a.array == b.array && a.usage.id == b.usage.id,
            _ => false,
        }
}

fn describe(groups: &[Vec<Group>], declared: &[u32], count: usize) -> Parameters {
    let is_id = |group: &Group| group.usage.is_some();
    if !groups.iter().flatten().any(is_id) {
        return Parameters::default();
    }
    let mut shown = Vec::new();
    let mut sent: Vec<Option<SentParameter>> = vec![None; count];
    for (source, own) in groups.iter().enumerate() {
        let said = declared.get(source).copied().unwrap_or(0);
        let as_uuid = own.iter().filter(|group| !group.textual).find_map(|group| {
            group
                .usage
                .as_ref()
                .map(|usage| if usage.array { UUID_ARRAY } else { UUID })
        });
        shown.push(as_uuid);
        for group in own {
            let oid = match &group.usage {
                Some(_) if group.textual && said == 0 => super::types::TEXT,
                Some(_) if group.textual => said,
                Some(usage) => declared_oid(usage.usage.id.key_type, usage.array),
                // Beside an id the same parameter is a uuid in Postgres's eyes.
                None if said == 0 => as_uuid.unwrap_or(0),
                None => said,
            };
            let parameter = SentParameter {
                source,
                declared: oid,
                id: group.usage.as_ref().map(|usage| usage.usage.clone()),
                array: group.usage.as_ref().is_some_and(|usage| usage.array),
                textual: group.textual,
            };
            if let Some(slot) = sent.get_mut(group.number - 1) {
                *slot = Some(parameter);
            }
        }
    }
    // A parameter that the statement never mentions keeps its place.
    let sent = sent.into_iter().enumerate().map(|(source, parameter)| {
        let declared = declared.get(source).copied().unwrap_or(0);
        parameter.unwrap_or(SentParameter {
            source,
            declared,
            id: None,
            array: false,
            textual: false,
        })
    });
    Parameters {
        shown,
        sent: sent.collect(),
    }
}

const fn declared_oid(key_type: KeyType, array: bool) -> u32 {
    if array {
        key_type.array_oid()
    } else {
        key_type.oid()
    }
}

fn columns(binder: &Binder<'_>, outputs: &[Output]) -> Result<Vec<Column>, Box<Refusal>> {
    outputs
        .iter()
        .map(|output| {
            let value = match usage_of(binder, output.node) {
                Some(Use {
                    usage: IdUsage { id, .. },
                    array: false,
                }) => ColumnValue::Id(id),
                Some(Use {
                    usage: IdUsage { id, .. },
                    array: true,
                }) => ColumnValue::IdArray(id),
                None if binder.types.has_id(output.node) => return Err(whole_row(&output.name)),
                None => ColumnValue::Clean,
            };
            Ok(Column {
                name: output.name.clone(),
                value,
            })
        })
        .collect()
}

fn whole_row(name: &str) -> Box<Refusal> {
    let message = format!("result column {name:?} is a row or a computed value with ids in it");
    Box::new(
        Refusal::unsupported(Code::Expression, message)
            .hint("Select the columns of the row, or the columns that the value is computed from."),
    )
}
