//! Which columns refer to keys without a foreign key: by their names, by what stands beside them, or
//! by what is said of them.

use crate::config::ColumnName;

use super::survey::Site;
use super::targets::{Nearness, Standing, Target};
use crate::catalog::keys::words;
use crate::catalog::{KeyType, Oid};
use crate::pg::oid;

/// What a column is taken to refer to.
#[derive(Debug)]
pub(super) enum Referring {
    /// Rows of one table: the target by its place in the list.
    To {
        target: usize,
        certain: bool,
        evidence: String,
    },
    /// Rows of several tables, of which another column tells.
    Pair { by: String },
    /// Rows of a table that nothing tells.
    Unknown,
}

/// Finds what a column refers to, if its type is one of keys and something says so.
pub(super) fn find(site: &Site<'_>, targets: &[Target]) -> Option<Referring> {
    let (of, array) = site.key_type()?;
    let name = words::snake(&site.column.name);
    // `reviewers bigint[]` has no ending that says what it holds.
    let plural = words::singular(&name);
    let stem = words::stem(&name, array).or((array && plural != name).then_some(&*plural));
    let fitting: Vec<(usize, &Target)> = targets
        .iter()
        .enumerate()
        .filter(|(_, target)| target.fits.holds(of))
        .collect();
    let named = stem.and_then(|stem| by_name(site, stem, &fitting));
    let by = stem.and_then(|stem| beside(site, stem));
    match (named, by) {
        // An order may have a type of its own.
        (Some(Referring::To { target, .. }), Some(by)) if !stem.is_some_and(words::is_any) => {
            return Some(guess(
                target,
                format!("by its name: though {by} stands beside it"),
            ));
        }
        (_, Some(by)) => return Some(Referring::Pair { by }),
        (Some(found), None) => return Some(found),
        (None, None) => {}
    }
    if let Some(found) = same_name(site, &name, &fitting) {
        return Some(found);
    }
    let bare = stem.unwrap_or(&name);
    if words::is_own(bare) || words::is_own(&name) {
        let own = fitting.iter().find(|(_, target)| is_own(site, target));
        if let Some((target, _)) = own {
            return Some(guess(
                *target,
                "by its name: a row of the same table".to_owned(),
            ));
        }
    }
    if !of.is_text()
        && (words::is_person(bare) || words::is_doer(&name))
        && let Some(target) = of_people(site, &fitting)
    {
        let evidence = format!("by its name: {bare} is said of people");
        return Some(guess(target, evidence));
    }
    if let Some(target) = by_comment(site, &fitting) {
        return Some(guess(target, "by its comment".to_owned()));
    }
    if let Some((target, evidence)) = stem.and_then(|stem| by_ending(stem, &fitting)) {
        return Some(guess(target, evidence));
    }
    let ends_so = ["_id", "_ids", "_fk"]
        .iter()
        .any(|ending| name.ends_with(ending));
    // Of text and of uuids there are many that come from elsewhere.
    (ends_so && of.is_integer()).then_some(Referring::Unknown)
}

fn guess(target: usize, evidence: String) -> Referring {
    Referring::To {
        target,
        certain: false,
        evidence,
    }
}

/// The column beside this one that says of which table its rows are: `item_type` of `item_id`,
/// `table_name` of `record_id`.
fn beside(site: &Site<'_>, stem: &str) -> Option<String> {
    let endings = ["type", "class", "kind", "table", "model"];
    let is_sibling = |name: &str| {
        let of_stem = name
            .strip_prefix(stem)
            .and_then(|rest| rest.strip_prefix('_'));
        of_stem.is_some_and(|ending| endings.contains(&ending))
            || (words::is_any(stem) && words::is_table(name))
    };
    let mut columns = site.relation.columns.iter();
    let found = columns.find(|column| {
        column.attnum != site.column.attnum && is_sibling(&words::snake(&column.name))
    });
    found.map(|column| column.name.clone())
}

/// The values that may stand beside keys of several tables, and the domain of each: the names of the
/// tables near by, or those of their classes in Rails and Laravel.
pub(super) fn kinds(site: &Site<'_>, by: &str, targets: &[Target]) -> Vec<(String, String)> {
    let of = site.key_type().map(|(of, _)| of);
    let mut columns = site.relation.columns.iter();
    let is_text = |type_oid: Oid| [oid::TEXT, oid::VARCHAR].contains(&type_oid.0);
    if !columns.any(|column| column.name == by && is_text(column.type_oid)) {
        return Vec::new();
    }
    let holds = |target: &&Target| {
        let is_written = of.is_some_and(KeyType::is_text);
        is_written || of.is_some_and(|of| target.fits.holds(of))
    };
    let near = targets.iter().filter(holds).filter(|target| {
        let is_main = !target.names.table[1].is_empty();
        let is_one = target.standing != Standing::Plain && !target.domain.is_empty();
        is_main && is_one && target.nearness(site) != Nearness::Other
    });
    let value = |target: &Target| match words::snake(by)
        .split('_')
        .any(|word| word.starts_with("table"))
    {
        true => target.column.words().table.clone(),
        false => words::class(&target.names.table[0]),
    };
    near.map(|target| (value(target), target.domain.clone()))
        .collect()
}

/// By the name of a table: `user_id`, `billing_user_id`, or by that of a domain. Of several the
/// longest name counts, then the nearest schema.
fn by_name(site: &Site<'_>, stem: &str, targets: &[(usize, &Target)]) -> Option<Referring> {
    let ends_so = |name: &str| {
        let before = stem.strip_suffix(name);
        !name.is_empty() && before.is_some_and(|before| before.is_empty() || before.ends_with('_'))
    };
    let length = |target: &Target| {
        let names = target.names.table.iter();
        let lengths = names.filter(|name| ends_so(name)).map(String::len);
        lengths.max()
    };
    let called = targets.iter().filter_map(|(index, target)| {
        let rank = (std::cmp::Reverse(length(target)?), target.nearness(site));
        Some((rank, *index))
    });
    let mut called: Vec<_> = called.collect();
    called.sort();
    let Some(((length, nearness), index)) = called.first().copied() else {
        return by_domain(stem, targets);
    };
    // `billing_user_id` may be of `billing.users`, too.
    let full = |target: &Target| {
        let schema = words::snake(&target.column.words().schema);
        stem == format!("{schema}_{}", target.names.table[0])
    };
    let also = targets
        .iter()
        .any(|(other, target)| *other != index && full(target));
    let alike = called
        .iter()
        .filter(|((other, _), _)| *other == length)
        .count();
    let ways = if nearness == Nearness::Same { 1 } else { alike } + usize::from(also);
    let evidence = match (ways, stem.len() == length.0) {
        (1, true) => "by its name".to_owned(),
        (1, false) => format!("by its name: {} in a role", &stem[stem.len() - length.0..]),
        _ => format!("by its name: {ways} tables may be meant"),
    };
    Some(Referring::To {
        target: index,
        certain: ways == 1,
        evidence,
    })
}

/// By the name of a domain that is not that of its table.
fn by_domain(stem: &str, targets: &[(usize, &Target)]) -> Option<Referring> {
    let called = |target: &Target| {
        let domain = &target.names.domain;
        let before = stem.strip_suffix(domain.as_str());
        !domain.is_empty()
            && before.is_some_and(|before| before.is_empty() || before.ends_with('_'))
    };
    let mut found = targets.iter().filter(|(_, target)| called(target));
    let (target, _) = found.next()?;
    Some(Referring::To {
        target: *target,
        certain: found.next().is_none(),
        evidence: "by its name".to_owned(),
    })
}

/// By the end of the name of one table: `user_id` of `auth_user`.
fn by_ending(stem: &str, targets: &[(usize, &Target)]) -> Option<(usize, String)> {
    let ending = format!("_{stem}");
    let mut found = targets
        .iter()
        .filter(|(_, target)| target.names.table[0].ends_with(&ending));
    let (index, target) = found.next()?;
    let evidence = format!("by its name: {} ends so", target.column.words().table);
    found.next().is_none().then_some((*index, evidence))
}

/// Names that are too common to tell anything.
const COMMON: &[&str] = &[
    "id", "code", "name", "number", "no", "position", "version", "key", "uuid", "ulid", "uid",
    "slug", "seq", "rank",
];

/// By the name of a key that is called in its own way: `customer_no`.
fn same_name(site: &Site<'_>, name: &str, targets: &[(usize, &Target)]) -> Option<Referring> {
    if COMMON.contains(&name) {
        return None;
    }
    let mut same = targets
        .iter()
        .filter(|(_, target)| target.names.column == name && !target.places.contains(&site.place));
    let (target, found) = same.next()?;
    if same.next().is_some() {
        return None;
    }
    let ColumnName { table, column, .. } = found.column.words();
    let evidence = format!("by its name: that of {table}.{column}");
    Some(guess(*target, evidence))
}

fn is_own(site: &Site<'_>, target: &Target) -> bool {
    let mut places = target.places.iter();
    places.any(|place| place.0 == site.relation.oid)
}

/// The table of people: the likeliest name in the nearest schema.
fn of_people(site: &Site<'_>, targets: &[(usize, &Target)]) -> Option<usize> {
    let rank = |target: &Target| {
        let single = &target.names.table[0];
        let domain = &target.names.domain;
        let known = |people: &&str| single == people || domain == people;
        let rank = words::OF_PEOPLE.iter().position(known)?;
        Some((target.nearness(site), rank))
    };
    let ranked = targets
        .iter()
        .filter_map(|(index, target)| Some((rank(target)?, *index)));
    ranked.min().map(|(_, index)| index)
}

/// By the words that somebody has written about a column: a table, and that it is a key.
fn by_comment(site: &Site<'_>, targets: &[(usize, &Target)]) -> Option<usize> {
    let comment = site.fact.comment.as_deref()?.to_lowercase();
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let said: Vec<&str> = comment.split(|c| !is_part(c)).collect();
    let telling = [
        "id",
        "ids",
        "key",
        "keys",
        "fk",
        "references",
        "reference",
        "refers",
    ];
    if !said.iter().any(|word| telling.contains(word)) {
        return None;
    }
    let named = |target: &Target| {
        let mut names = target.names.table.iter();
        names.any(|name| said.contains(&name.as_str()))
    };
    let found = targets.iter().filter(|(_, target)| named(target));
    let nearest = found.min_by_key(|(index, target)| (target.nearness(site), *index));
    nearest.map(|(index, _)| *index)
}
