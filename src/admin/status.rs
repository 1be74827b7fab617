//! The state in one JSON document, for people and scripts; a client of metrics has more.

use std::collections::BTreeMap;

use serde::Serialize;

use super::domains;
use crate::audit::Statements;
use crate::proxy::Vitals;

/// The document.
#[derive(Debug, Serialize)]
pub(super) struct Status {
    version: &'static str,
    state: &'static str,
    uptime_s: u64,
    upstream: Upstream,
    /// By mode.
    sessions: BTreeMap<&'static str, u64>,
    statements: Verdicts,
    /// By the code of the refusal.
    refusals: BTreeMap<&'static str, Refusals>,
    /// Clients that got no session, by the reason.
    turned_away: BTreeMap<&'static str, u64>,
    memory: Memory,
    domains: Vec<domains::Domain>,
    catalogs: Vec<Catalog>,
}

#[derive(Debug, Serialize)]
struct Upstream {
    address: String,
    up: bool,
    /// `null` if the last attempt failed.
    last_ok_s: Option<f64>,
    hosts: Vec<Host>,
}

#[derive(Debug, Serialize)]
struct Host {
    address: String,
    up: bool,
    /// `primary` or `standby`; `null` as long as no session has told.
    role: Option<&'static str>,
    used: bool,
}

#[derive(Debug, Default, Serialize)]
struct Verdicts {
    forwarded: u64,
    edited: u64,
    refused: u64,
    would_refuse: u64,
}

#[derive(Debug, Default, Serialize)]
struct Refusals {
    refused: u64,
    would_refuse: u64,
}

#[derive(Debug, Serialize)]
struct Memory {
    held_bytes: usize,
    limit_bytes: usize,
}

#[derive(Debug, Serialize)]
struct Catalog {
    database: String,
    age_s: f64,
    /// Columns of keys that nobody has decided on.
    undecided_keys: usize,
}

/// The state now.
pub(super) fn of(vitals: &Vitals) -> Status {
    let counters = vitals.counters();
    let mut sessions =
        BTreeMap::from([("audit", 0), ("bypass", 0), ("enforce", 0), ("observe", 0)]);
    for (kind, count) in counters.sessions.running() {
        *sessions.entry(kind.mode).or_default() += count;
    }
    let mut statements = Verdicts::default();
    let mut refusals = BTreeMap::new();
    for counted in [&counters.enforced, &counters.audited] {
        statements.add(counted);
        add_refusals(&mut refusals, counted);
    }
    let upstream = vitals.upstream();
    let hosts = vitals.hosts().into_iter().map(|host| Host {
        address: host.address.to_string(),
        up: host.is_up,
        role: host.role(),
        used: host.is_used,
    });
    let (held_bytes, limit_bytes) = vitals.memory();
    Status {
        version: env!("CARGO_PKG_VERSION"),
        state: if vitals.is_draining() {
            "draining"
        } else {
            "serving"
        },
        uptime_s: vitals.uptime().as_secs(),
        upstream: Upstream {
            address: vitals.upstream_address(),
            up: upstream.is_up,
            last_ok_s: upstream.age.map(|age| age.as_secs_f64()),
            hosts: hosts.collect(),
        },
        sessions,
        statements,
        refusals,
        turned_away: counters.turned_away.all().into_iter().collect(),
        memory: Memory {
            held_bytes,
            limit_bytes,
        },
        domains: domains::list(vitals),
        catalogs: catalogs(vitals),
    }
}

fn catalogs(vitals: &Vitals) -> Vec<Catalog> {
    let undecided: BTreeMap<String, usize> = vitals.undecided().into_iter().collect();
    let ages = vitals.catalogs().into_iter();
    ages.map(|(database, age)| Catalog {
        undecided_keys: undecided.get(&database).copied().unwrap_or_default(),
        database,
        age_s: age.as_secs_f64(),
    })
    .collect()
}

fn add_refusals(sums: &mut BTreeMap<&'static str, Refusals>, statements: &Statements) {
    for (code, sum) in statements.refused.all() {
        sums.entry(code).or_default().refused += sum;
    }
    for (code, sum) in statements.would_refuse.all() {
        sums.entry(code).or_default().would_refuse += sum;
    }
}

impl Verdicts {
    fn add(&mut self, statements: &Statements) {
        self.forwarded += statements.forwarded.get();
        self.edited += statements.edited.get();
        let sum = |named: &crate::audit::Named| named.all().iter().map(|(_, sum)| sum).sum::<u64>();
        self.refused += sum(&statements.refused);
        self.would_refuse += sum(&statements.would_refuse);
    }
}
