//! The `[[id]]` tables: names, columns, and what no two domains may share. What becomes of the
//! settings of one is `domain`'s.

use std::sync::Arc;

use super::domain::{Built, CodecSpec};
use super::fault::Faults;
use super::keys::Ring;
use super::section::At;
use super::{Building, ColumnPattern, Environment, IdAnnotation, IdDomain, json, name, raw};
use crate::codec::{ColumnTypes, DomainName};

/// A domain that has no codec yet.
struct Draft {
    line: usize,
    prefix_line: usize,
    domain: DomainName,
    annotation: IdAnnotation,
    database: Option<String>,
    lines: Vec<usize>,
    spec: CodecSpec,
}

/// The domains; `None` if the keys or an annotation are faulty.
pub(super) fn domains(
    ring: Option<Ring>,
    ids: Vec<raw::Id>,
    around: &Environment<'_>,
    progress: &dyn Fn(Building<'_>),
    faults: &mut Faults<'_>,
) -> Option<Vec<IdDomain>> {
    if ids.len() > usize::from(u16::MAX) {
        faults.add(1, "too many [[id]] tables", "write at most 65535");
    }
    let mut drafts: Vec<Draft> = Vec::new();
    let mut complete = true;
    for id in ids {
        let Some(draft) = draft(id, around, faults) else {
            complete = false;
            continue;
        };
        for known in &drafts {
            distinct(&draft, known, faults);
        }
        drafts.push(draft);
    }
    // Counters take long: a file with faults waits for none.
    if !complete || faults.any() {
        return None;
    }
    if drafts.is_empty() {
        return Some(Vec::new());
    }
    let ring = ring?;
    let build = |draft| build(draft, &ring, progress, faults);
    drafts.into_iter().map(build).collect()
}

fn build(
    draft: Draft,
    ring: &Ring,
    progress: &dyn Fn(Building<'_>),
    faults: &mut Faults<'_>,
) -> Option<IdDomain> {
    let Built {
        codec,
        current_only,
        codecs,
    } = draft.spec.build(&draft.domain, ring, progress, faults)?;
    let annotation = IdAnnotation {
        types: codec.column_types(),
        ..draft.annotation
    };
    Some(IdDomain {
        annotation,
        database: draft.database,
        codec: Arc::new(codec),
        current_only,
        codecs,
        lines: draft.lines,
    })
}

fn draft(id: raw::Id, around: &Environment<'_>, faults: &mut Faults<'_>) -> Option<Draft> {
    let spec = CodecSpec::read(&id, around.folder, faults);
    let Some(name) = id.name else {
        let advice = "add name = \"…\", such as the table in singular";
        faults.add(id.line, "[[id]] has no name", advice);
        return None;
    };
    let Some(column) = id.column else {
        let cause = format!("id `{}` has no column", name.value);
        let advice = "add column = \"schema.table.column\", the key that the ids stand for";
        faults.add(id.line, cause, advice);
        return None;
    };
    let domain = name.value.parse::<DomainName>();
    if domain.is_err() {
        let cause = format!("`{}` can't name an id domain", name.value);
        let advice = "use 1 to 64 of the characters A-Z a-z 0-9 . _ -";
        faults.add(name.line, cause, advice);
    }
    let mut lines = vec![column.line];
    let mut references = Vec::new();
    for reference in id.references.map_or_else(Vec::new, |list| list.value) {
        lines.push(reference.line);
        references.extend(column_pattern(&reference, faults));
    }
    let json = json::annotations(id.json, faults);
    for (index, one) in json.iter().enumerate() {
        json::distinct(one, json.iter().take(index), faults);
    }
    let database = match &id.database {
        Some(At { value, line }) if value.is_empty() => {
            let advice = "leave it out if every database is meant";
            faults.add(*line, "`id.database` names none", advice);
            None
        }
        Some(At { value, line }) => name::is_kept(value, *line, faults).then(|| value.clone()),
        None => None,
    };
    let annotation = IdAnnotation {
        column: column_pattern(&column, faults)?,
        name: name.value,
        references,
        json,
        types: ColumnTypes::default(),
    };
    Some(Draft {
        line: id.line,
        prefix_line: id.prefix.map_or(id.line, |prefix| prefix.line),
        domain: domain.ok()?,
        annotation,
        database,
        lines,
        spec: spec?,
    })
}

/// Reports what a domain shares with one before it.
fn distinct(new: &Draft, known: &Draft, faults: &mut Faults<'_>) {
    let name = &known.annotation.name;
    if *name == new.annotation.name {
        let cause = format!("there are two id domains `{name}`");
        faults.add(new.line, cause, "give each [[id]] a name of its own");
    }
    let databases = (&known.database, &new.database);
    if !matches!(databases, (Some(known), Some(new)) if known != new) {
        distinct_columns(new, known, faults);
    }
    if let (Some((form, prefix)), Some(other)) = (new.spec.prefix(), known.spec.prefix())
        && (form, prefix) == other
    {
        let word = form.word();
        let cause = format!("ids of `{name}` have the form \"{word}\" and the prefix {prefix} too");
        let advice =
            "give each id domain a prefix of its own, so that nobody takes one id for another";
        faults.add(new.prefix_line, cause, advice);
    }
    if let (Some(file), Some(other)) = (new.spec.counters(), known.spec.counters())
        && file.value == other.value
    {
        let cause = format!(
            "`{name}` keeps its counters in {} too",
            file.value.display()
        );
        faults.add(file.line, cause, "give each id domain a file of its own");
    }
}

/// Reports a column that is in two domains of a database.
fn distinct_columns(new: &Draft, known: &Draft, faults: &mut Faults<'_>) {
    let name = &known.annotation.name;
    let columns = |draft: &Draft| -> Vec<ColumnPattern> {
        let IdAnnotation {
            column, references, ..
        } = &draft.annotation;
        std::iter::once(column).chain(references).cloned().collect()
    };
    let taken = columns(known);
    for (column, line) in columns(new).iter().zip(&new.lines) {
        let Some(other) = taken.iter().find(|taken| taken.meets(column)) else {
            continue;
        };
        let cause = match other == column {
            true => format!("{column} is in id domain `{name}` already"),
            false => format!(
                "{column} can mean a column that {other} means, which is in id domain `{name}`"
            ),
        };
        let advice = "a column belongs to one id domain; remove it from the other";
        faults.add(*line, cause, advice);
    }
    for one in &new.annotation.json {
        json::distinct(one, known.annotation.json.iter(), faults);
    }
}

/// Reads `schema.table.column`; a part in double quotes may hold a dot, and without them `*` stands
/// for anything.
pub(super) fn column_pattern(text: &At<String>, faults: &mut Faults<'_>) -> Option<ColumnPattern> {
    let parts = identifiers(&text.value);
    if let Some(Ok(parts)) = parts.map(<[(String, bool); 3]>::try_from) {
        for (part, bare) in &parts {
            let shortest = match bare {
                true => part.replace('*', ""),
                false => part.clone(),
            };
            name::is_kept(&shortest, text.line, faults).then_some(())?;
        }
        return Some(ColumnPattern::of(parts));
    }
    let cause = format!("`{}` is no column", text.value);
    faults.add(
        text.line,
        cause,
        "write \"schema.table.column\", such as \"public.users.id\"",
    );
    None
}

/// The parts of a name, of each whether it stands without quotes.
pub(super) fn identifiers(text: &str) -> Option<Vec<(String, bool)>> {
    let mut parts = Vec::new();
    let mut rest = text;
    loop {
        let (part, after, bare) = match rest.strip_prefix('"') {
            Some(quoted) => {
                let (part, after) = quoted.split_once('"')?;
                (part, after, false)
            }
            None => {
                let (part, after) = rest.split_at(rest.find('.').unwrap_or(rest.len()));
                (part, after, true)
            }
        };
        if part.is_empty() {
            return None;
        }
        parts.push((part.to_owned(), bare));
        match after.strip_prefix('.') {
            Some(next) => rest = next,
            None => return after.is_empty().then_some(parts),
        }
    }
}
