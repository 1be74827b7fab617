//! Whether the columns that a configuration names have types that its codecs have ids for: each
//! that has not, with the line that names it and what would fit.

use crate::catalog::{KeyType, Misfit, MisfitCause, Snapshot};
use crate::config::{ColumnName, Config, Fault, IdDomain, ValueType, advice_for};

/// The columns that do not fit: in a database whose catalog was loaded without annotations those
/// that the file names, and then those that annotations lead to, by foreign keys or partitions.
pub(super) fn misfits(bare: &Snapshot, snapshot: &Snapshot, config: &Config) -> Vec<Fault> {
    let domains = config.domains.iter();
    let named: Vec<_> = domains.flat_map(|domain| of_domain(bare, domain)).collect();
    let misfits = snapshot.misfits().iter();
    let further =
        misfits.filter(|misfit| !named.iter().any(|(column, _)| *column == misfit.column));
    let further: Vec<_> = further
        .filter_map(|misfit| spread(misfit, config))
        .collect();
    let named = named.into_iter().map(|(_, fault)| fault);
    named.chain(further).collect()
}

/// The columns of types that hold no ids of the domain, where the file names them.
fn of_domain(snapshot: &Snapshot, domain: &IdDomain) -> Vec<(ColumnName, Fault)> {
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
            let fault = Fault::new(line, cause, advice);
            faults.push((name.clone(), fault));
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
        let (types, text) = (
            domain.annotation.types,
            std::mem::discriminant(&ValueType::Text),
        );
        let refers = kind == text && !types.can_define(value);
        let of_uuid = defining == Some(std::mem::discriminant(&ValueType::Uuid));
        if types.shown(value).is_none() || refers && !of_uuid {
            let (type_name, id) = (key_type.name(), &domain.annotation.name);
            let cause =
                format!("{name} is {type_name}, and the codec of `{id}` has no ids for that");
            add(cause, advice_for(value).to_owned());
        } else if defining.is_some_and(|defining| defining != kind)
            && !(of_uuid && kind == text && types.are_texts_of_uuids())
        {
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

/// The line that leads to a column that does not fit.
fn spread(misfit: &Misfit, config: &Config) -> Option<Fault> {
    let Misfit { column, domain, .. } = misfit;
    let mut domains = config.domains.iter();
    let found = domains.find(|known| known.annotation.name == *domain)?;
    let (_, line) = found.columns().next()?;
    let fault = match misfit.cause {
        MisfitCause::Document { .. } => {
            let mut json = found.annotation.json.iter();
            let named = json.find(|json| json.column.matches(column));
            let line = named.map_or(line, |json| json.line);
            Fault::new(line, misfit.to_string(), NO_DOCUMENT)
        }
        MisfitCause::Polymorphic { .. } => {
            let mut polymorphic = config.polymorphic.iter();
            let named = polymorphic.find(|one| one.column.matches(column));
            let line = named.map_or(line, |one| one.line);
            Fault::new(line, misfit.to_string(), NOT_POLYMORPHIC)
        }
        MisfitCause::Type { .. } => {
            let cause = format!(
                "{column} holds keys of `{domain}` too, by a foreign key or a partition, but its \
                 type is none that the codec has ids for"
            );
            let advice =
                "give the column the type of the key, or choose a codec whose ids fit both";
            Fault::new(line, cause, advice)
        }
        _ => {
            let advice = "remove one of the two [[id]], or the foreign key: a column that refers to \
                          another has its ids";
            Fault::new(line, misfit.to_string(), advice)
        }
    };
    Some(fault)
}

const NOT_POLYMORPHIC: &str = "name a column of the keys' type or of text, beside a column that tells \
                               what each is, or remove the [[polymorphic]]";

const NO_DOCUMENT: &str =
    "name a column of type json, jsonb, text or varchar, or remove the [[id.json]]";

/// What becomes of ids of older keys, where only the type of the column tells.
pub(super) fn rotation(snapshot: &Snapshot, config: &Config) -> Vec<Fault> {
    let warning = |domain: &IdDomain| {
        let (name, line) = domain.columns().next()?;
        let found = snapshot.matching(name);
        let (_, column) = found.first()?;
        let (key_type, _) = KeyType::from_oid(column.type_oid.0)?;
        let value = key_type.value_type();
        let mut current_only = domain.current_only.iter();
        current_only.find(|types| types.can_define(value))?;
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
