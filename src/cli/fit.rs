//! Whether the columns that a configuration names have types that its codecs have ids for: each
//! that has not, with the line that names it and what would fit.

use crate::catalog::{CatalogError, KeyType, Snapshot};
use crate::config::{Config, Fault, IdDomain, ValueType, advice_for};
use crate::pg::oid;

/// The misfits in a database whose catalog was loaded without annotations.
pub(super) fn misfits(snapshot: &Snapshot, config: &Config) -> Vec<Fault> {
    let domains = config.domains.iter();
    domains
        .flat_map(|domain| [of_domain(snapshot, domain), documents(snapshot, domain)].concat())
        .collect()
}

/// The columns that patterns take for documents and that are none: one that is written out keeps
/// the catalog from being loaded.
fn documents(snapshot: &Snapshot, domain: &IdDomain) -> Vec<Fault> {
    let mut faults = Vec::new();
    let patterns = domain.annotation.json.iter();
    for json in patterns.filter(|json| json.column.name().is_none()) {
        for (relation, column) in snapshot.matching(&json.column) {
            if !oid::is_text_or_document(column.type_oid.0) {
                let cause = format!("{} is no document", relation.name_of(column));
                faults.push(Fault::new(json.line, cause, NO_DOCUMENT));
            }
        }
    }
    faults
}

const NO_DOCUMENT: &str = "name columns of type json, jsonb, text or varchar";

fn of_domain(snapshot: &Snapshot, domain: &IdDomain) -> Vec<Fault> {
    let mut faults = Vec::new();
    let mut defining = None;
    let columns = domain.columns().enumerate();
    let found = columns.flat_map(|(place, (pattern, line))| {
        let columns = snapshot.matching(pattern).into_iter();
        columns.map(move |(relation, column)| (place, relation.name_of(column), line, column))
    });
    // A column that is not there is reported as missing.
    for (place, name, line, column) in found {
        let mut add = |cause: String, advice: String| {
            faults.push(Fault::new(line, cause, advice));
        };
        let known = KeyType::from_oid(column.type_oid.0);
        let Some((key_type, _)) = known.filter(|(_, array)| place > 0 || !array) else {
            let cause = match known {
                Some(_) => format!("{name} is an array, and a key is none"),
                None => format!("{name} is of a type that holds no keys"),
            };
            add(cause, NO_KEYS.to_owned());
            continue;
        };
        let value = key_type.value_type();
        let kind = std::mem::discriminant(&value);
        if domain.annotation.types.shown(value).is_none() {
            let (type_name, id) = (key_type.name(), &domain.annotation.name);
            let cause =
                format!("{name} is {type_name}, and the codec of `{id}` has no ids for that");
            add(cause, advice_for(value).to_owned());
        } else if defining.is_some_and(|defining| defining != kind) {
            let cause = format!(
                "{name} is {}, but {} is of another kind, so the two never have the same id",
                key_type.name(),
                domain.annotation.column
            );
            add(
                cause,
                "a domain has columns of one kind; remove this one".to_owned(),
            );
        }
        if place == 0 {
            defining = defining.or(Some(kind));
        }
    }
    faults
}

const NO_KEYS: &str = "keys are smallint, integer, bigint, uuid, text or bytea; references may be \
                       arrays of these";

/// Where annotations lead to a column that does not fit, by foreign keys or partitions.
pub(super) fn spread(error: &CatalogError, config: &Config) -> Option<Fault> {
    let (domain, cause) = match error {
        CatalogError::Row(_) => return None,
        CatalogError::TwoDomains { second, .. } => (second, error.to_string()),
        CatalogError::Json { column, domain, .. } => {
            return misplaced(error, (column, domain), config);
        }
        CatalogError::Type { column, domain, .. } => (
            domain,
            format!(
                "{column} holds keys of `{domain}` too, by a foreign key or a partition, but its \
                 type is none that the codec has ids for"
            ),
        ),
    };
    let mut domains = config.domains.iter();
    let found = domains.find(|known| known.annotation.name == *domain)?;
    let (_, line) = found.columns().next()?;
    let advice = match error {
        CatalogError::Type { .. } => {
            "give the column the type of the key, or choose a codec whose ids fit both"
        }
        _ => "remove one of the two [[id]]: a column that refers to another has its ids",
    };
    Some(Fault::new(line, cause, advice))
}

/// Where the file names a column for documents that is none.
fn misplaced(error: &CatalogError, place: (&str, &str), config: &Config) -> Option<Fault> {
    let (column, domain) = place;
    let mut domains = config.domains.iter();
    let found = domains.find(|known| known.annotation.name == domain)?;
    let mut json = found.annotation.json.iter();
    let named = json.find(|json| json.column.to_string() == column)?;
    let advice = "name a column of type json, jsonb, text or varchar, or remove the [[id.json]]";
    Some(Fault::new(named.line, error.to_string(), advice))
}

/// What becomes of ids of older keys, where only the type of the column tells.
pub(super) fn rotation(snapshot: &Snapshot, config: &Config) -> Vec<Fault> {
    let warning = |domain: &IdDomain| {
        let (name, line) = domain.columns().next()?;
        let found = snapshot.matching(name);
        let (_, column) = found.first()?;
        let (key_type, _) = KeyType::from_oid(column.type_oid.0)?;
        let value = key_type.value_type();
        let mut current_only = domain.current_only.iter();
        current_only.find(|types| types.shown(value).is_some())?;
        let cause = format!(
            "`{}` decodes with the current key only: ids of a column of type {} do not tell which \
             key they are of",
            domain.annotation.name,
            key_type.name()
        );
        let advice = match value {
            ValueType::Uuid => EPOCHS,
            _ => "ids of the older keys now mean other rows or none",
        };
        Some(Fault::new(line, cause, advice))
    };
    config.domains.iter().filter_map(warning).collect()
}

const EPOCHS: &str =
    "ids of the older keys now mean other rows or none; epochs = true would keep them";
