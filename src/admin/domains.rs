//! The id domains with what was counted of them, and the keys of the ring with what they still decode.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::proxy::Vitals;

/// The document of domains.
#[derive(Debug, Serialize)]
pub(super) struct Domains {
    domains: Vec<Domain>,
}

/// A domain.
#[derive(Debug, Serialize)]
pub(super) struct Domain {
    name: String,
    /// The defining column; `null` if only an earlier configuration has the domain.
    column: Option<String>,
    encoded: u64,
    /// By the names of the keys of the ring.
    decoded: BTreeMap<String, u64>,
    unknown: u64,
}

/// The document of keys.
#[derive(Debug, Serialize)]
pub(super) struct Keys {
    keys: Vec<Key>,
}

/// A key of the ring, of which nothing is told but its name.
#[derive(Debug, Serialize)]
pub(super) struct Key {
    name: String,
    /// `current`, `older`, or `removed` from the configuration.
    state: &'static str,
    /// How many ids that it has issued came in.
    decoded: u64,
}

/// What stands for several older keys, of which nobody knows which one has issued an id.
const OLDER: &str = "older";

/// All domains.
pub(super) fn domains(vitals: &Vitals) -> Domains {
    Domains {
        domains: list(vitals),
    }
}

/// All keys.
pub(super) fn keys(vitals: &Vitals) -> Keys {
    Keys { keys: ring(vitals) }
}

/// The domains by their names.
pub(super) fn list(vitals: &Vitals) -> Vec<Domain> {
    let columns: BTreeMap<String, String> = vitals.with_config(|config| {
        let domains = config.domains.iter().map(|domain| &domain.annotation);
        domains
            .map(|domain| (domain.name.clone(), domain.column.to_string()))
            .collect()
    });
    let counted = vitals.counters().domains().into_iter();
    counted
        .map(|(name, domain)| Domain {
            column: columns.get(&name).cloned(),
            name,
            encoded: domain.encoded.get(),
            decoded: domain.decoded().into_iter().collect(),
            unknown: domain.unknown().map(|(_, count)| count).sum(),
        })
        .collect()
}

/// The keys of the ring, the current one first.
pub(super) fn ring(vitals: &Vitals) -> Vec<Key> {
    let mut sums: BTreeMap<String, u64> = BTreeMap::new();
    for (_, domain) in vitals.counters().domains() {
        for (name, sum) in domain.decoded() {
            *sums.entry(name).or_default() += sum;
        }
    }
    let names: Vec<String> =
        vitals.with_config(|config| config.keys.iter().map(|key| key.name.clone()).collect());
    let of_ring = names.into_iter().enumerate().map(|(place, name)| Key {
        state: if place == 0 { "current" } else { "older" },
        decoded: sums.remove(&name).unwrap_or_default(),
        name,
    });
    let mut keys: Vec<Key> = of_ring.collect();
    let others = sums.into_iter().filter(|(name, _)| !name.is_empty());
    keys.extend(others.map(|(name, decoded)| Key {
        state: if name == OLDER { "older" } else { "removed" },
        name,
        decoded,
    }));
    keys
}
