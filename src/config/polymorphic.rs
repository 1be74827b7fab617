//! The `[[polymorphic]]` tables: columns with keys of several tables, of which another column of the
//! same row says which one is meant.

use super::fault::Faults;
use super::ids::{column_pattern, identifiers};
use super::section::{TextOrTable, nearest};
use super::{ColumnPattern, IdDomain, name, raw};

/// A column whose sibling tells of which domain the key in each row is.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct PolymorphicAnnotation {
    /// The column, or several in tables alike.
    pub column: ColumnPattern,
    /// The name of the sibling, which is in the same table.
    pub by: String,
    /// The values of the sibling with the positions of the domains that they stand for.
    pub ids: Vec<(String, u16)>,
    /// Where the file says so.
    pub line: usize,
}

/// The annotations that have no fault.
pub(super) fn annotations(
    raw: Vec<raw::Polymorphic>,
    ids: &[raw::Id],
    faults: &mut Faults<'_>,
) -> Vec<PolymorphicAnnotation> {
    let names = ids.iter().map(|id| id.name.as_ref());
    let domains: Vec<&str> = names
        .map(|name| name.map_or("", |name| name.value.as_str()))
        .collect();
    let mut known: Vec<PolymorphicAnnotation> = Vec::new();
    for one in raw {
        let Some(new) = annotation(one, &domains, faults) else {
            continue;
        };
        if known.iter().any(|known| known.column.meets(&new.column)) {
            let cause = format!("{} is polymorphic twice", new.column);
            faults.add(new.line, cause, "remove one of the two [[polymorphic]]");
        }
        known.push(new);
    }
    known
}

fn annotation(
    raw: raw::Polymorphic,
    domains: &[&str],
    faults: &mut Faults<'_>,
) -> Option<PolymorphicAnnotation> {
    let (Some(column), Some(by)) = (raw.column, raw.by) else {
        let advice = "add column = \"public.comments.commentable_id\" and \
                      by = \"public.comments.commentable_type\"";
        faults.add(raw.line, "[[polymorphic]] has no column or no by", advice);
        return None;
    };
    let pattern = column_pattern(&column, faults)?;
    let sibling = match (identifiers(&column.value), identifiers(&by.value)) {
        (Some(of), Some(mut by)) if of.len() == 3 && by.len() == 3 && of[..2] == by[..2] => {
            by.pop().filter(|(name, bare)| !bare || !name.contains('*'))
        }
        _ => None,
    };
    let Some((sibling, _)) = sibling else {
        let cause = format!("`{}` is no column beside {pattern}", by.value);
        let advice = "name a column of the same table, without *";
        faults.add(by.line, cause, advice);
        return None;
    };
    name::is_kept(&sibling, by.line, faults).then_some(())?;
    let ids = match raw.ids {
        Some(TextOrTable::Table(ids)) if !ids.is_empty() => ids,
        _ => {
            let cause = format!("{pattern} has no ids");
            let advice = "add ids = { Post = \"post\", User = \"user\" }: for each value of the \
                          other column the name of an [[id]]";
            faults.add(raw.line, cause, advice);
            return None;
        }
    };
    let ids = ids.into_iter().map(|(value, of)| {
        let Some(domain) = domains.iter().position(|domain| *domain == of.value) else {
            let cause = format!("there is no id domain `{}`", of.value);
            let advice = match nearest(&of.value, domains) {
                Some(near) => format!("did you mean `{near}`?"),
                None => "write the name of an [[id]]".to_owned(),
            };
            faults.add(of.line, cause, advice);
            return None;
        };
        Some((value, u16::try_from(domain).ok()?))
    });
    Some(PolymorphicAnnotation {
        column: pattern,
        by: sibling,
        ids: ids.collect::<Option<_>>()?,
        line: raw.line,
    })
}

/// Reports columns that are in an id domain too.
pub(super) fn distinct(
    polymorphic: &[PolymorphicAnnotation],
    domains: Option<&[IdDomain]>,
    faults: &mut Faults<'_>,
) {
    for one in polymorphic {
        let holds = |domain: &&IdDomain| {
            let json = &domain.annotation.json;
            domain.columns().any(|(known, _)| known.meets(&one.column))
                || json.iter().any(|json| json.column.meets(&one.column))
        };
        if let Some(domain) = domains.unwrap_or_default().iter().find(holds) {
            let name = &domain.annotation.name;
            let cause = format!("{} is polymorphic and in id domain `{name}`", one.column);
            faults.add(one.line, cause, "remove it from one of the two");
        }
    }
}
