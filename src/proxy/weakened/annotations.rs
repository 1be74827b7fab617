//! What a reload takes from what is annotated: columns, documents, functions and channels that it
//! leaves to be shown as they are.

use std::collections::BTreeSet;

use crate::config::{
    ChannelAnnotation, ColumnPattern, Config, FunctionAnnotation, FunctionResult, NewKeys, PathStep,
};

/// So many of one kind are named.
const MOST_NAMED: usize = 10;

/// What the new configuration takes for plain and the old one did not, in words.
pub(super) fn of_annotations(was: &Config, is: &Config) -> Vec<String> {
    let mut found = Vec::new();
    let mut note = |names: Vec<String>, words: &str| {
        if !names.is_empty() {
            found.push(format!("{words}: {}", listed(names)));
        }
    };
    note(columns(was, is), "keys of columns are shown as they are");
    note(
        documents(was, is),
        "keys in documents are shown as they are",
    );
    note(as_is(was, is), "values are shown as they are");
    note(plain(was, is), "columns are known to be plain: check.plain");
    note(
        functions(was, is),
        "functions are believed to take or give no ids",
    );
    note(
        channels(was, is),
        "what is in notifications passes as it is",
    );
    found
}

fn listed(mut names: Vec<String>) -> String {
    names.dedup();
    let more = names.len().saturating_sub(MOST_NAMED);
    names.truncate(MOST_NAMED);
    let names = names.join(", ");
    match more {
        0 => names,
        more => format!("{names} and {more} more"),
    }
}

/// The columns that are annotated, with the databases in which they are; `None` for all.
fn annotated(config: &Config) -> Vec<(&ColumnPattern, Option<&str>)> {
    let mut found = Vec::new();
    for domain in &config.domains {
        let of = &domain.annotation;
        let columns = std::iter::once(&of.column).chain(&of.references);
        found.extend(columns.map(|column| (column, domain.database.as_deref())));
    }
    let polymorphic = config.polymorphic.iter();
    found.extend(polymorphic.map(|of| (&of.column, None)));
    found
}

/// Whether what is said of one column in some databases is said of another one too.
fn covers(
    (is, in_new): (&ColumnPattern, Option<&str>),
    (was, in_old): (&ColumnPattern, Option<&str>),
) -> bool {
    let is_there = in_new.is_none() || in_new == in_old;
    let named = was.name().is_some_and(|name| is.matches(name));
    is_there && (is == was || named)
}

fn columns(was: &Config, is: &Config) -> Vec<String> {
    let now = annotated(is);
    let gone = annotated(was).into_iter();
    let gone = gone.filter(|of| !now.iter().any(|now| covers(*now, *of)));
    gone.map(|(column, _)| column.to_string()).collect()
}

type Place<'c> = (&'c ColumnPattern, &'c [PathStep], Option<&'c str>);

fn places(config: &Config) -> Vec<Place<'_>> {
    let mut places = Vec::new();
    for domain in &config.domains {
        for json in &domain.annotation.json {
            places.push((&json.column, &json.path[..], domain.database.as_deref()));
        }
    }
    places
}

fn documents(was: &Config, is: &Config) -> Vec<String> {
    let now = places(is);
    let covered = |(column, path, database): &Place<'_>| {
        let mut now = now.iter();
        now.any(|(of, at, within)| at == path && covers((*of, *within), (*column, *database)))
    };
    let gone = places(was).into_iter().filter(|place| !covered(place));
    gone.map(|(column, ..)| column.to_string()).collect()
}

/// The domains with values of `as_is` that they had not before.
fn as_is(was: &Config, is: &Config) -> Vec<String> {
    let marks = |config: &'_ Config, name: &str| {
        let written = config.marks_of(name).unwrap_or_default().to_owned();
        // They are hexadecimal, or other words without quotes in them.
        let quoted = written.split('"').skip(1).step_by(2);
        quoted.map(str::to_owned).collect::<BTreeSet<_>>()
    };
    let names = is.domains.iter().map(|domain| &domain.annotation.name);
    let adds = |name: &&String| !marks(is, name).is_subset(&marks(was, name));
    names
        .filter(adds)
        .map(|name| format!("as_is of `{name}`"))
        .collect()
}

/// The columns that are not closed any more because they are in the list, or that count along with ids.
fn plain(was: &Config, is: &Config) -> Vec<String> {
    let closes = was.policy.new_keys == NewKeys::Refuse && is.policy.new_keys == NewKeys::Refuse;
    let is_known = |column: &ColumnPattern| {
        let mut known = was.plain.iter();
        known.any(|(known, _)| covers((known, None), (column, None)))
    };
    let new = is
        .plain
        .iter()
        .filter(|(column, _)| closes && !is_known(column));
    new.map(|(column, _)| column.to_string()).collect()
}

fn name_of(config: &Config, domain: Option<u16>) -> Option<&str> {
    let domain = config.domains.get(usize::from(domain?))?;
    Some(&domain.annotation.name)
}

/// What a declaration says, by the names of domains; and whether it says of anything that it is no id.
fn said<'c>(config: &'c Config, of: &'c FunctionAnnotation) -> (Vec<Option<&'c str>>, bool) {
    let results: Vec<Option<u16>> = match &of.result {
        FunctionResult::Value(domain) => vec![*domain],
        FunctionResult::Columns(columns) => columns.iter().map(|(_, domain)| *domain).collect(),
    };
    let all = of.arguments.iter().copied().chain(results);
    let said: Vec<_> = all.map(|domain| name_of(config, domain)).collect();
    // The columns of a row that are not named are no ids.
    let is_row = matches!(of.result, FunctionResult::Columns(_));
    let trusts = is_row || said.iter().any(Option::is_none);
    (said, trusts)
}

fn functions(was: &Config, is: &Config) -> Vec<String> {
    let is_known = |of: &FunctionAnnotation, says: &[Option<&str>]| {
        let mut known = was.functions.iter();
        known.any(|known| {
            (&known.schema, &known.name) == (&of.schema, &of.name) && said(was, known).0 == says
        })
    };
    let mut new = Vec::new();
    for of in is.functions.iter() {
        let (says, trusts) = said(is, of);
        if trusts && !is_known(of, &says) {
            new.push(format!("{}.{}", of.schema, of.name));
        }
    }
    new
}

fn channels(was: &Config, is: &Config) -> Vec<String> {
    let carries = |of: &&ChannelAnnotation| of.domain.is_some();
    let open = is.channels.iter().filter(|of| of.domain.is_none());
    let was_open = |of: &&ChannelAnnotation| {
        let mut known = was.channels.iter();
        known.any(|known| known.domain.is_none() && known.name == of.name)
    };
    // Of a channel that is declared nothing but the places that are is taken for an id.
    let kept = |of: &&ChannelAnnotation| {
        let mut same = is
            .channels
            .iter()
            .filter(carries)
            .filter(|is| is.name == of.name);
        same.clone().next().is_none() || same.any(|is| is.path == of.path)
    };
    let opened = open.filter(|of| !was_open(of));
    let lost = was.channels.iter().filter(carries).filter(|of| !kept(of));
    opened.chain(lost).map(|of| of.name.clone()).collect()
}
