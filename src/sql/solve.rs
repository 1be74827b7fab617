//! Turns what the inference found into a plan: edits of the text, and rules for parameters and
//! result columns.

mod json;
mod list;
mod row;

use std::collections::HashMap;
use std::sync::Arc;

use crate::catalog::{DomainId, KeyType};
use crate::pg::oid;

use super::encoding::is_ascii_safe;
use super::explain_tag;
use super::infer::{Alias, Binder, Occurrence, Tag, TagPart, Value};
use super::plan::{
    Bound, Column, ColumnValue, Columns, Edit, Edits, IdUsage, JsonUsage, Parameters, Plan,
    Reading, Replacement, SentParameter, SentRow, When,
};
use super::refusal::{Code, Refusal};
use super::scope::Output;
use super::types::{Shape, TypeVar};
use list::Lists;

/// How one occurrence of a literal or parameter turned out.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Use {
    usage: IdUsage,
    array: bool,
}

/// The occurrences of one parameter.
#[derive(Debug, Default)]
struct Uses {
    /// The type that the statement or the client declares where it is mentioned first.
    declared: Option<KeyType>,
    /// The type of JSON that the server takes it for where it is mentioned first.
    json: Option<u32>,
    groups: Vec<Group>,
    /// The groups by how they are used, once there are many.
    places: HashMap<Alike, usize>,
}

/// How an occurrence is used: two that are used alike can stay one parameter.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Alike {
    id: Option<(bool, DomainId, KeyType)>,
    json: Option<Box<JsonUsage>>,
    row: Option<SentRow>,
    textual: bool,
    reading: Reading,
    when: Option<When>,
}

/// The occurrences of one parameter that are used alike and so can stay one parameter.
#[derive(Debug)]
struct Group {
    usage: Option<Use>,
    used: Alike,
    /// The number in the edited statement, from 1.
    number: usize,
}

/// From so many groups on they are looked up by a table.
const MANY: usize = 16;

impl Uses {
    /// The place of the group that is used like this.
    fn place(&mut self, used: &Alike) -> Option<usize> {
        if self.groups.len() < MANY {
            return self.groups.iter().position(|group| group.used == *used);
        }
        for place in self.places.len()..self.groups.len() {
            let used = self.groups.get(place).map(|group| group.used.clone());
            self.places.extend(used.map(|used| (used, place)));
        }
        self.places.get(used).copied()
    }
}

impl Uses {
    /// The number of the parameter that an occurrence becomes, which is used like this; `next` is
    /// the first that is free.
    fn number(&mut self, used: Alike, usage: Option<Use>, index: usize, next: &mut usize) -> usize {
        let place = self.place(&used);
        if let Some(group) = place.and_then(|place| self.groups.get_mut(place)) {
            if let (Some(known), Some(new)) = (&mut group.usage, usage) {
                known.usage.stored = known.usage.stored.take().or(new.usage.stored);
                known.usage.bound = Bound::and(known.usage.bound, new.usage.bound);
            }
            return group.number;
        }
        let is_first = self.groups.is_empty();
        let number = if is_first { index + 1 } else { *next };
        *next += usize::from(!is_first);
        self.groups.push(Group {
            usage,
            used,
            number,
        });
        number
    }
}

impl Use {
    /// What two have in common that are used alike.
    const fn told(&self) -> (bool, DomainId, KeyType) {
        let id = self.usage.id;
        (self.array, id.domain, id.key_type)
    }
}

/// Builds the plan of a statement whose walk is done.
pub(super) fn solve(binder: &Binder<'_>, outputs: &[Output]) -> Result<Plan, Box<Refusal>> {
    folded(binder)?;
    binder.check_made()?;
    json::check(binder)?;
    let (mut edits, mut aliases) = (Vec::new(), Vec::new());
    let lists = Lists::of(binder);
    let marks = explain_tag::Marks::of(binder);
    literals(binder, (&lists, &marks), &mut edits, &mut aliases)?;
    type_names(binder, &marks, &mut edits, &mut aliases)?;
    collations(binder, &mut edits);
    edits.extend_from_slice(&binder.replaced);
    edits.append(&mut binder.stand_in_edits()?);
    list::edits(binder, &mut edits);
    let mut numbers = Vec::new();
    let all = (&mut edits, &mut numbers);
    let parameters = parameters(binder, (&lists, &marks), all, &mut aliases)?;
    // What a tag would lead the client to, EXPLAIN does not show.
    let mut tags: Vec<&Tag> = (binder.tags.iter())
        .filter(|tag| tag.kept || !binder.explained)
        .filter(|tag| !matches!(&tag.with, TagPart::Text(text) if text.is_empty()))
        .collect();
    tags.sort_by_key(|tag| tag.order);
    for tag in tags {
        edits.push(Edit {
            span: tag.span.clone(),
            with: tag_part(binder, &tag.with, &numbers)?,
        });
    }
    // The sort is stable: at one place a cast comes first, then what closes a tag, then a name.
    edits.append(&mut aliases);
    edits.sort_by_key(|edit| (edit.span.start, edit.span.end));
    edits.dedup();
    let edits = Edits::new(edits)?;
    let columns = if binder.explained {
        Vec::new()
    } else {
        columns(binder, outputs)?
    };
    let is_clean = !binder.protected && edits.is_empty() && parameters.is_plain();
    Ok(Plan {
        columns: if is_clean {
            Columns::Clean
        } else {
            Columns::Known(columns)
        },
        edits,
        parameters,
        orders_ids: binder.orders_ids(),
        ..Plan::default()
    })
}

/// The text of a key must be the same key in capitals.
fn folded(binder: &Binder<'_>) -> Result<(), Box<Refusal>> {
    for occurrence in &binder.occurrences {
        let usage = usage_of(binder, occurrence.node);
        let is_bare = usage.is_some_and(|used| {
            let key_type = used.usage.id.key_type;
            key_type.is_text() || key_type == KeyType::Bytea
        });
        if is_bare && binder.folded.contains(&occurrence.span.start) {
            let message = "pgveil can't change the case of an id over a key of this type";
            let refusal = Refusal::unsupported(Code::Expression, message);
            return Err(Box::new(refusal.at(occurrence.span.clone())));
        }
    }
    Ok(())
}

fn tag_part(
    binder: &Binder<'_>,
    part: &TagPart,
    numbers: &[(usize, usize)],
) -> Result<Replacement, Box<Refusal>> {
    Ok(match part {
        TagPart::Again(place) => return again(binder, *place, numbers),
        TagPart::Text(text) => Replacement::Text(text.clone()),
        TagPart::Close => Replacement::TagClose,
        TagPart::Untag(id) => Replacement::Untag(*id),
        TagPart::KeyOpen(id) => Replacement::KeyOpen(*id),
        TagPart::KeyClose(id) => Replacement::KeyClose(*id),
        TagPart::Open { node, number } => match binder.types.shape(*node) {
            // Nothing but the domain tells keys apart; a plan shows that as it is.
            Shape::Id(id) if binder.explained => {
                let domain = "~".repeat(usize::from(id.domain.0) + 1);
                Replacement::Text(format!("('{domain}' OPERATOR(pg_catalog.||) ("))
            }
            Shape::Id(id) => Replacement::TagOpen {
                id,
                number: *number,
            },
            _ => return Err(unexplained("?column?")),
        },
    })
}

/// What stands at an occurrence that is put in once more. `numbers`: those of the parameters at
/// occurrences, ascending.
fn again(
    binder: &Binder<'_>,
    place: usize,
    numbers: &[(usize, usize)],
) -> Result<Replacement, Box<Refusal>> {
    let number = numbers.binary_search_by_key(&place, |(place, _)| *place);
    if let Some((_, number)) = number.ok().and_then(|found| numbers.get(found)) {
        return Ok(Replacement::Text(format!("${number}")));
    }
    let occurrence = binder.occurrences.get(place);
    let Some((occurrence, used)) =
        occurrence.and_then(|one| Some((one, usage_of_literal(binder, one)?)))
    else {
        return Err(unexplained("?column?"));
    };
    let Use { usage, array } = used;
    let (Value::Literal(literal) | Value::Number(literal)) = &occurrence.value else {
        return Err(unexplained("?column?"));
    };
    let literal = literal.clone();
    Ok(match array {
        true => Replacement::IdArray { usage, literal },
        false => Replacement::Id { usage, literal },
    })
}

fn usage_of(binder: &Binder<'_>, node: TypeVar) -> Option<Use> {
    let stored = binder.types.stored(node);
    let (id, value, array, stored) = match binder.types.shape(node) {
        Shape::Id(id) => (id, node, false, stored),
        Shape::Array(element) => match binder.types.shape(element) {
            // What is stored may be an element.
            Shape::Id(id) => {
                let stored = stored.or_else(|| binder.types.stored(element));
                (id, element, true, stored)
            }
            _ => return None,
        },
        _ => return None,
    };
    let stored = stored.cloned();
    let bound = binder.types.bound(value);
    let usage = IdUsage {
        id,
        stored: stored.map(Box::new),
        bound,
    };
    Some(Use { usage, array })
}

/// The usage of a literal as an id, which may be declared as another type of the same kind.
fn usage_of_literal(binder: &Binder<'_>, literal: &Occurrence) -> Option<Use> {
    let mut used = usage_of(binder, literal.node)?;
    let shown = &mut used.usage.id.shown;
    *shown = (literal.declared)
        .filter(|declared| declared.is_like(*shown))
        .unwrap_or(*shown);
    Some(used)
}

fn insert(at: usize, text: String) -> Edit {
    Edit {
        span: at..at,
        with: Replacement::Text(text),
    }
}

fn alias(alias: &Alias) -> Edit {
    let name = alias.name.replace('"', "\"\"");
    let is_word = name
        .bytes()
        .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
    let name = if is_word { name } else { format!("\"{name}\"") };
    insert(alias.at, format!(" AS {name}"))
}

fn literals(
    binder: &Binder<'_>,
    (lists, marks): (&Lists<'_>, &explain_tag::Marks<'_>),
    edits: &mut Vec<Edit>,
    aliases: &mut Vec<Edit>,
) -> Result<(), Box<Refusal>> {
    let id_of = |occurrence: &Occurrence| {
        let used = usage_of_literal(binder, occurrence).filter(|used| !used.array)?;
        let id = used.usage.id;
        (lists.reading(&occurrence.span, id.key_type) == Reading::Plain).then_some(id)
    };
    let marked = marks.lists(binder, id_of, edits);
    let mut marked = marked.into_iter().flatten().peekable();
    for (place, occurrence) in binder.occurrences.iter().enumerate() {
        let is_marked = marked.next_if_eq(&place).is_some();
        if occurrence.again {
            continue;
        }
        let (literal, is_number) = match &occurrence.value {
            Value::Literal(literal) => (literal.clone(), false),
            Value::Number(digits) => (digits.clone(), true),
            Value::Parameter { .. } => continue,
        };
        if let Some(JsonUsage { shape, .. }) = json::usage(binder, occurrence, false)? {
            marks.check_unmarked(binder, occurrence)?;
            let span = occurrence.span.clone();
            let with = Replacement::Json { shape, literal };
            edits.push(Edit { span, with });
            continue;
        }
        if let Some(row) = row::usage(binder, occurrence.node, &occurrence.span)? {
            marks.check_unmarked(binder, occurrence)?;
            let span = occurrence.span.clone();
            let with = Replacement::Row { row, literal };
            edits.push(Edit { span, with });
            continue;
        }
        let Some(Use { usage, array }) = usage_of_literal(binder, occurrence) else {
            json::check_array(binder, occurrence.node, &occurrence.span)?;
            continue;
        };
        let key_type = usage.id.key_type;
        if lists.keeps(&occurrence.span, &literal, key_type) {
            continue;
        }
        if usage.id.shown.is_text() && !array && lists.is_null(&occurrence.span, &literal) {
            let span = occurrence.span.clone();
            let with = Replacement::Text(format!("NULL::{}", usage.id.key_type.sql()));
            edits.push(Edit { span, with });
            continue;
        }
        let literal = lists.literal(&occurrence.span, literal, key_type);
        // What Postgres takes a literal for where nothing else tells its type: a number is one,
        // and a string is text.
        let is_text = usage.id.shown.is_text() && !key_type.is_text();
        let untyped = !occurrence.cast && (is_number || is_text) && !binder.explained;
        if binder.explained && !is_marked {
            edits.extend(marks.literal(occurrence, &usage, array));
            aliases.extend(occurrence.alias.as_ref().map(alias));
        }
        let with = if array {
            Replacement::IdArray { usage, literal }
        } else {
            Replacement::Id { usage, literal }
        };
        let span = occurrence.span.clone();
        if untyped {
            let brackets = if array { "[]" } else { "" };
            edits.push(insert(span.end, format!("::{}{brackets}", key_type.sql())));
            aliases.extend(occurrence.alias.as_ref().map(alias));
        }
        edits.push(Edit { span, with });
    }
    Ok(())
}

/// Casts to the type of the ids become casts to the type of the keys.
fn type_names(
    binder: &Binder<'_>,
    marks: &explain_tag::Marks<'_>,
    edits: &mut Vec<Edit>,
    aliases: &mut Vec<Edit>,
) -> Result<(), Box<Refusal>> {
    for name in &binder.type_names {
        let Shape::Id(id) = binder.types.shape(name.node) else {
            continue;
        };
        let cuts = |length: &u64| name.named.is_text() && binder.cuts(id, *length);
        if let Some(length) = name.length.filter(cuts) {
            let message = format!("pgveil can't cut an id to {length} characters");
            let refusal = Refusal::unsupported(Code::Expression, message);
            let hint = "Cast to text, or to a length that ids fit into.";
            return Err(Box::new(refusal.at(name.span.clone()).hint(hint)));
        }
        if binder.explained && marks.is_before_a_literal(name) {
            aliases.extend(name.alias.as_ref().map(alias));
            continue;
        }
        let both_text = id.key_type.is_text() && name.named.is_text();
        if (id.key_type == name.named || both_text) && name.length.is_none() {
            continue;
        }
        let span = name.span.clone();
        let with = Replacement::Text(id.key_type.sql().to_owned());
        edits.push(Edit { span, with });
        // A key has none where it is no text, and none changes which ids are equal.
        if let Some(span) = binder
            .collation_behind(name)
            .filter(|_| !id.key_type.is_text())
        {
            let with = Replacement::Text(String::new());
            edits.push(Edit { span, with });
        }
        aliases.extend(name.alias.as_ref().map(alias));
    }
    Ok(())
}

/// Takes the COLLATE behind literals and parameters away that become keys of another type than text.
fn collations(binder: &Binder<'_>, edits: &mut Vec<Edit>) {
    for occurrence in &binder.occurrences {
        let usage = usage_of(binder, occurrence.node);
        let is_text = usage.is_none_or(|used| used.array || used.usage.id.key_type.is_text());
        if !is_text && let Some(span) = binder.collation_behind_value(occurrence.span.clone()) {
            let with = Replacement::Text(String::new());
            edits.push(Edit { span, with });
        }
    }
}

/// The highest number of a parameter; 0 if there is none.
fn last_parameter(binder: &Binder<'_>) -> usize {
    let occurrences = binder.occurrences.iter();
    let used = occurrences.filter_map(|occurrence| match occurrence.value {
        Value::Parameter { index, .. } => Some(index + 1),
        Value::Literal(_) | Value::Number(_) => None,
    });
    used.max().unwrap_or(0)
}

/// Groups the occurrences of each parameter by use. The first group keeps the parameter's number,
/// each further one gets a new number behind all others.
fn parameters(
    binder: &Binder<'_>,
    (lists, marks): (&Lists<'_>, &explain_tag::Marks<'_>),
    (edits, numbers): (&mut Vec<Edit>, &mut Vec<(usize, usize)>),
    aliases: &mut Vec<Edit>,
) -> Result<Parameters, Box<Refusal>> {
    let declared = binder.context.declared;
    let count = last_parameter(binder).max(declared.len());
    let mut all: Vec<Uses> = Vec::new();
    all.resize_with(count, Uses::default);
    let mut next = count + 1;
    for (place, occurrence) in binder.occurrences.iter().enumerate() {
        let Value::Parameter { index, textual } = occurrence.value else {
            continue;
        };
        let Some(uses) = all.get_mut(index) else {
            continue;
        };
        let own = &mut uses.groups;
        if own.is_empty() {
            uses.declared = occurrence.declared;
        }
        let usage = usage_of(binder, occurrence.node);
        let json = json::usage(binder, occurrence, textual)?;
        let row = row::usage(binder, occurrence.node, &occurrence.span)?;
        if json.is_some() || row.is_some() {
            marks.check_unmarked(binder, occurrence)?;
        } else if usage.is_none() {
            json::check_array(binder, occurrence.node, &occurrence.span)?;
        }
        let textual = textual && (usage.is_some() || json.is_some() || row.is_some());
        if own.is_empty() {
            uses.json = match (&json, binder.types.shape(occurrence.node)) {
                (Some(json), _) => Some(json.type_oid),
                (None, Shape::Json(_, oid)) => Some(oid),
                _ => None,
            };
        }
        if let Some(Use { usage, array }) = usage.as_ref().filter(|_| binder.explained) {
            edits.extend(marks.parameter(&occurrence.span, usage, *array, textual));
            aliases.extend(occurrence.alias.as_ref().map(alias));
        }
        let reading = match &usage {
            Some(used) => lists.reading(&occurrence.span, used.usage.id.key_type),
            None => match binder.readings.get(&occurrence.span.start) {
                Some(names @ Reading::Member(_)) => names.clone(),
                _ => Reading::Plain,
            },
        };
        let used = Alike {
            id: usage.as_ref().map(Use::told),
            json: json.map(Box::new),
            row,
            textual,
            reading,
            when: occurrence.when.clone(),
        };
        let number = uses.number(used, usage, index, &mut next);
        numbers.push((place, number));
        if number != index + 1 && !occurrence.again {
            let with = Replacement::Text(format!("${number}"));
            edits.push(Edit {
                span: occurrence.span.clone(),
                with,
            });
        }
    }
    Ok(describe(&all, declared, next - 1))
}

fn describe(all: &[Uses], declared: &[u32], count: usize) -> Parameters {
    let mut groups = all.iter().flat_map(|uses| &uses.groups);
    let has_ids = |group: &Group| {
        let used = &group.used;
        let is_name = matches!(used.reading, Reading::Member(_));
        group.usage.is_some() || used.json.is_some() || used.row.is_some() || is_name
    };
    if !groups.any(has_ids) {
        return Parameters::default();
    }
    let mut shown = Vec::new();
    let mut sent: Vec<Option<SentParameter>> = vec![None; count];
    for (source, uses) in all.iter().enumerate() {
        let said = match declared.get(source).copied() {
            None | Some(0 | oid::UNKNOWN) => 0,
            Some(said) => said,
        };
        let outside = uses.outside();
        let as_id = outside.map(|(shown, array)| declared_oid(shown, array));
        shown.push(as_id);
        for group in &uses.groups {
            let oid = match &group.usage {
                _ if group.used.textual && said == 0 => match group.used.reading {
                    Reading::Texts(of) => of.array_oid(),
                    _ => super::types::TEXT,
                },
                _ if group.used.textual => said,
                Some(usage) => declared_oid(usage.usage.id.key_type, usage.array),
                // The statement says of which type the row is.
                None if group.used.row.is_some() => said,
                // Beside an id the same parameter is of the type of the ids in Postgres's eyes.
                None if said == 0 => as_id.or(uses.json).unwrap_or(0),
                None => said,
            };
            let mut id = group.usage.as_ref().map(|usage| usage.usage.clone());
            if let (Some(usage), Some((shown, _)), false) = (&mut id, outside, group.used.textual) {
                usage.id.shown = shown;
            }
            let parameter = SentParameter {
                source,
                declared: oid,
                id,
                array: group.usage.as_ref().is_some_and(|usage| usage.array),
                textual: group.used.textual,
                reading: group.used.reading.clone(),
                when: group.used.when.clone(),
                row: group.used.row.clone(),
                json: group.used.json.as_ref().map(|json| json.declared(oid)),
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
            reading: Reading::Plain,
            when: None,
            json: None,
            row: None,
        })
    });
    Parameters {
        shown,
        sent: sent.collect(),
    }
}

impl Uses {
    /// The type that the client sends where the parameter is an id, and whether it is an array of
    /// it. A type of the same kind may be declared instead of that of the ids.
    fn outside(&self) -> Option<(KeyType, bool)> {
        let id = self.groups.iter().filter(|group| !group.used.textual);
        let id = id.filter_map(|group| group.usage.as_ref()).next()?;
        let shown = id.usage.id.shown;
        let declared = self.declared.filter(|declared| declared.is_like(shown));
        Some((declared.unwrap_or(shown), id.array))
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
                None if json::shows_key(binder, output.node) => {
                    return Err(unexplained(&output.name));
                }
                None if let Some(shape) = json::stored(binder, output.node)? => {
                    ColumnValue::Json(Arc::new(shape))
                }
                None if binder.types.has_id(output.node) => match binder.tagged(output.node) {
                    Some(array) => ColumnValue::Tagged {
                        array,
                        uuid: binder.types.is_mixed(output.node),
                    },
                    None => record(binder, output.node).ok_or_else(|| {
                        let hidden = binder.is_of_several_kinds(output);
                        hidden.unwrap_or_else(|| unexplained(&output.name))
                    })?,
                },
                None => {
                    binder.writes_no_signature(&[output.node], 0..0)?;
                    ColumnValue::Clean
                }
            };
            Ok(Column {
                name: output.name.clone(),
                value,
                modifier: binder.modifier(output.node),
                computed: binder.recomputed.contains(&output.node),
                column: binder.told_columns.get(&output.node).copied(),
            })
        })
        .collect()
}

/// A row, or an array of rows, whose fields can all be explained; of which no part shows a key.
fn record(binder: &Binder<'_>, node: TypeVar) -> Option<ColumnValue> {
    // In other encodings a backslash can't be told from the half of a letter.
    if !is_ascii_safe(binder.context.client_encoding) {
        return None;
    }
    if !binder.types.step() {
        return None;
    }
    match binder.types.shape(node) {
        Shape::Record(fields) => Some(ColumnValue::Record {
            fields: (fields.iter().map(|field| member(binder, *field))).collect::<Option<_>>()?,
            array: false,
        }),
        Shape::Array(element) if let Some(shape) = json::stored(binder, element).ok()? => {
            Some(ColumnValue::JsonArray(Arc::new(shape)))
        }
        Shape::Array(element) => match record(binder, element)? {
            // The type of an array doesn't show how many dimensions it has.
            ColumnValue::Record { fields, .. } => Some(ColumnValue::Record {
                fields,
                array: true,
            }),
            _ => None,
        },
        _ => None,
    }
}

/// A field of a row.
fn member(binder: &Binder<'_>, node: TypeVar) -> Option<ColumnValue> {
    binder.types.spend(1);
    match usage_of(binder, node) {
        Some(Use {
            usage,
            array: false,
        }) => Some(ColumnValue::Id(usage.id)),
        Some(Use { usage, array: true }) => Some(ColumnValue::IdArray(usage.id)),
        None if let Some(shape) = json::stored(binder, node).ok()? => {
            Some(ColumnValue::Json(Arc::new(shape)))
        }
        None if let Some(array) = binder.tagged(node) => {
            let uuid = binder.types.is_mixed(node);
            Some(ColumnValue::Tagged { array, uuid })
        }
        None if binder.types.has_id(node) => record(binder, node),
        None => Some(ColumnValue::Clean),
    }
}

fn unexplained(name: &str) -> Box<Refusal> {
    let message = format!("result column \"{name}\" is a row or a computed value with ids in it");
    Box::new(
        Refusal::unsupported(Code::Expression, message)
            .hint("Select the columns of the row, or the columns that the value is computed from."),
    )
}
