//! The metrics: one table of all families, each with how it is read from what is counted. The same
//! table is `docs/metrics.md`. Labels are names of the configuration, names of Postgres in a bounded
//! number, and words of pgveil's own.

use std::fmt;

use prometheus_client::collector::Collector;
use prometheus_client::encoding::text::encode;
use prometheus_client::encoding::{DescriptorEncoder, MetricEncoder, NoLabelSet};
use prometheus_client::metrics::MetricType;
use prometheus_client::registry::Registry;

use crate::audit::{Count, Counters, Statements};
use crate::proxy::{HostState, Vitals};

/// What [`text`] gives.
pub const CONTENT_TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// Metrics of one name.
pub struct Family {
    /// The name, without the prefix and without the `_total` or `_info` of its kind.
    pub name: &'static str,
    /// What it says, as a sentence.
    pub help: &'static str,
    /// `counter`, `gauge`, `histogram` or `info`.
    pub kind: MetricType,
    /// The names of its labels.
    pub labels: &'static [&'static str],
    read: fn(&Vitals, &Counters) -> Vec<Sample>,
}

/// The values of the labels, and the number.
type Sample = (Vec<String>, Value);

enum Value {
    Counter(u64),
    Gauge(u64),
    Seconds(f64),
    Info,
    Histogram(f64, Vec<(f64, u64)>),
}

/// The prefix of all names.
pub const PREFIX: &str = "pgveil";

/// All families of metrics.
pub const FAMILIES: &[Family] = &[
    Family {
        name: "build",
        help: "The version that runs.",
        kind: MetricType::Info,
        labels: &["version"],
        read: |_, _| vec![(vec![env!("CARGO_PKG_VERSION").to_owned()], Value::Info)],
    },
    Family {
        name: "sessions",
        help: "Sessions that run now.",
        kind: MetricType::Gauge,
        labels: &["database", "role", "mode"],
        read: |_, counters| {
            let running = counters.sessions.running().into_iter();
            let sample = |(kind, count): (crate::audit::Kind, u64)| {
                let labels = vec![kind.database, kind.role, kind.mode.to_owned()];
                (labels, Value::Gauge(count))
            };
            running.map(sample).collect()
        },
    },
    Family {
        name: "sessions_refused",
        help: "Clients that got no session.",
        kind: MetricType::Counter,
        labels: &["reason"],
        read: |_, counters| {
            let reasons = counters.turned_away.all().into_iter();
            let sample =
                |(reason, sum): (&str, u64)| (vec![reason.to_owned()], Value::Counter(sum));
            reasons.map(sample).collect()
        },
    },
    Family {
        name: "statements",
        help: "Statements by what became of them.",
        kind: MetricType::Counter,
        labels: &["mode", "verdict", "code"],
        read: |_, counters| {
            let mut samples = statements("enforce", &counters.enforced);
            samples.extend(statements("audit", &counters.audited));
            samples.extend(observed(counters));
            samples
        },
    },
    Family {
        name: "statements_unjudged",
        help: "Observed statements of which nobody knows what would become of them.",
        kind: MetricType::Counter,
        labels: &["reason"],
        read: |_, counters| {
            let observed = &counters.observed;
            let sums = [
                ("dropped", &observed.dropped),
                ("search_path", &observed.unjudged),
                ("beyond", &observed.beyond),
            ];
            sums.map(one_label).into()
        },
    },
    Family {
        name: "ids_encoded",
        help: "Keys that became ids.",
        kind: MetricType::Counter,
        labels: &["domain"],
        read: |_, counters| {
            let domains = counters.domains().into_iter();
            domains
                .map(|(name, domain)| (vec![name], whole(&domain.encoded)))
                .collect()
        },
    },
    Family {
        name: "ids_decoded",
        help: "Ids that became keys, by the key of the ring that had issued them.",
        kind: MetricType::Counter,
        labels: &["domain", "key"],
        read: |_, counters| {
            let mut samples = Vec::new();
            for (name, domain) in counters.domains() {
                let sample = |(key, sum)| (vec![name.clone(), key], Value::Counter(sum));
                samples.extend(domain.decoded().into_iter().map(sample));
            }
            samples
        },
    },
    Family {
        name: "ids_unknown",
        help: "Ids from clients that stand for no key.",
        kind: MetricType::Counter,
        labels: &["domain", "reason"],
        read: |_, counters| {
            let mut samples = Vec::new();
            for (name, domain) in counters.domains() {
                samples.extend(domain.unknown().map(|(reason, sum)| {
                    let labels = vec![name.clone(), reason.as_str().to_owned()];
                    (labels, Value::Counter(sum))
                }));
            }
            samples
        },
    },
    Family {
        name: "disagreements",
        help: "Result columns on which the analysis and Postgres disagreed.",
        kind: MetricType::Counter,
        labels: &[],
        read: |_, counters| one(&counters.disagreements),
    },
    Family {
        name: "faults",
        help: "Faults of pgveil's own that were contained.",
        kind: MetricType::Counter,
        labels: &[],
        read: |_, counters| one(&counters.faults),
    },
    Family {
        name: "notifications_dropped",
        help: "Notifications that were not delivered because a key could be in them.",
        kind: MetricType::Counter,
        labels: &[],
        read: |_, counters| one(&counters.notifications_dropped),
    },
    Family {
        name: "audit_events_dropped",
        help: "Records of the audit trail that were lost because nobody read those before.",
        kind: MetricType::Counter,
        labels: &[],
        read: |_, counters| one(&counters.audit_dropped),
    },
    Family {
        name: "plan_cache_lookups",
        help: "Texts looked for in the plan cache: as sent, then without literals.",
        kind: MetricType::Counter,
        labels: &["level", "outcome"],
        read: |_, counters| {
            let lookups = &counters.lookups;
            let sums = [
                ("sent", "hit", &lookups.sent_hits),
                ("sent", "miss", &lookups.sent_misses),
                ("blanked", "hit", &lookups.blanked_hits),
                ("blanked", "miss", &lookups.blanked_misses),
            ];
            sums.map(two_labels).into()
        },
    },
    Family {
        name: "catalog_age_seconds",
        help: "How long ago the snapshot of a database was known to be right.",
        kind: MetricType::Gauge,
        labels: &["database"],
        read: |vitals, _| {
            let ages = vitals.catalogs().into_iter();
            ages.map(|(database, age)| (vec![database], Value::Seconds(age.as_secs_f64())))
                .collect()
        },
    },
    Family {
        name: "unannotated_keys",
        help: "Columns of keys that are neither annotated nor said to stay as they are.",
        kind: MetricType::Gauge,
        labels: &["database"],
        read: |vitals, _| {
            let undecided = vitals.undecided().into_iter();
            undecided
                .map(|(database, columns)| (vec![database], Value::Gauge(columns as u64)))
                .collect()
        },
    },
    Family {
        name: "catalog_loads",
        help: "Snapshots of databases that were loaded, or given up with their session.",
        kind: MetricType::Counter,
        labels: &["outcome"],
        read: |_, counters| {
            let sums = [
                ("loaded", &counters.catalogs_loaded),
                ("abandoned", &counters.catalogs_abandoned),
            ];
            sums.map(one_label).into()
        },
    },
    Family {
        name: "upstream_up",
        help: "1 if a host of Postgres can be used, 0 if not.",
        kind: MetricType::Gauge,
        labels: &[],
        read: |vitals, _| {
            let is_up = vitals.upstream().is_up;
            vec![(Vec::new(), Value::Gauge(is_up.into()))]
        },
    },
    Family {
        name: "upstream_host",
        help: "1 for the host of Postgres where the next session would be first, 0 for the others.",
        kind: MetricType::Gauge,
        labels: &["host", "role"],
        read: |vitals, _| {
            let hosts = vitals.hosts().into_iter();
            let row = |host: HostState| {
                let role = host.role().unwrap_or("unknown").to_owned();
                let labels = vec![host.number.to_string(), role];
                (labels, Value::Gauge(host.is_used.into()))
            };
            hosts.map(row).collect()
        },
    },
    Family {
        name: "upstream_connect_seconds",
        help: "How long connecting to Postgres took, TLS included, where it succeeded.",
        kind: MetricType::Histogram,
        labels: &[],
        read: |_, counters| {
            let (sum, counts) = counters.connects.read();
            vec![(Vec::new(), Value::Histogram(sum, counts))]
        },
    },
    Family {
        name: "bytes",
        help: "Bytes that sessions have moved, TLS aside.",
        kind: MetricType::Counter,
        labels: &["leg", "direction"],
        read: |_, counters| {
            let (client, server) = (&counters.client, &counters.server);
            let sums = [
                ("client", "received", &client.received),
                ("client", "sent", &client.sent),
                ("server", "received", &server.received),
                ("server", "sent", &server.sent),
            ];
            sums.map(two_labels).into()
        },
    },
    Family {
        name: "config_reloads",
        help: "Attempts to reload the configuration.",
        kind: MetricType::Counter,
        labels: &["outcome"],
        read: |_, counters| {
            let sums = [
                ("applied", &counters.reloads_applied),
                ("failed", &counters.reloads_failed),
            ];
            sums.map(one_label).into()
        },
    },
    Family {
        name: "memory_held_bytes",
        help: "What all sessions together hold back beyond their reserves.",
        kind: MetricType::Gauge,
        labels: &[],
        read: |vitals, _| vec![(Vec::new(), Value::Gauge(vitals.memory().0 as u64))],
    },
    Family {
        name: "memory_limit_bytes",
        help: "What they may hold back: limits.memory_bytes.",
        kind: MetricType::Gauge,
        labels: &[],
        read: |vitals, _| vec![(Vec::new(), Value::Gauge(vitals.memory().1 as u64))],
    },
];

fn whole(count: &Count) -> Value {
    Value::Counter(count.get())
}

fn one(count: &Count) -> Vec<Sample> {
    vec![(Vec::new(), whole(count))]
}

fn one_label((label, count): (&str, &Count)) -> Sample {
    (vec![label.to_owned()], whole(count))
}

fn two_labels((first, second, count): (&str, &str, &Count)) -> Sample {
    (vec![first.to_owned(), second.to_owned()], whole(count))
}

/// Statements of one mode; what was not refused has no code.
fn statements(mode: &str, statements: &Statements) -> Vec<Sample> {
    let sample = |verdict: &str, code: &str, sum| {
        let labels = [mode, verdict, code].map(str::to_owned);
        (labels.into(), Value::Counter(sum))
    };
    let mut samples = vec![
        sample("forwarded", "", statements.forwarded.get()),
        sample("edited", "", statements.edited.get()),
    ];
    let refused = statements.refused.all().into_iter();
    samples.extend(refused.map(|(code, sum)| sample("refused", code, sum)));
    let passed = statements.would_refuse.all().into_iter();
    samples.extend(passed.map(|(code, sum)| sample("would_refuse", code, sum)));
    samples
}

/// Statements that were only looked at, by what would have become of them.
fn observed(counters: &Counters) -> Vec<Sample> {
    let sample = |verdict: &str, code: &str, sum| {
        let labels = ["observe", verdict, code].map(str::to_owned);
        (labels.into(), Value::Counter(sum))
    };
    let (ready, refused) = counters.observed.sums();
    let mut samples = vec![sample("forwarded", "", ready)];
    let refused = refused.into_iter();
    samples.extend(refused.map(|(code, sum)| sample("would_refuse", code, sum)));
    samples
}

/// Reads all families of a proxy.
struct Families(Vitals);

impl fmt::Debug for Families {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Families")
    }
}

impl Collector for Families {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> fmt::Result {
        let counters = self.0.counters();
        for family in FAMILIES {
            let mut metric =
                encoder.encode_descriptor(family.name, family.help, None, family.kind)?;
            for (labels, value) in (family.read)(&self.0, &counters) {
                let names = family.labels.iter().copied();
                let labels: Vec<(&str, String)> = names.zip(labels).collect();
                write_sample(&mut metric, &labels, &value)?;
            }
        }
        Ok(())
    }
}

fn write_sample(
    metric: &mut MetricEncoder<'_>,
    labels: &Vec<(&str, String)>,
    value: &Value,
) -> fmt::Result {
    if matches!(value, Value::Info) {
        return metric.encode_info(labels);
    }
    match labels.is_empty() {
        true => write_value(metric, value),
        false => write_value(&mut metric.encode_family(labels)?, value),
    }
}

fn write_value(metric: &mut MetricEncoder<'_>, value: &Value) -> fmt::Result {
    match value {
        Value::Counter(number) => metric.encode_counter::<NoLabelSet, _, u64>(number, None),
        Value::Gauge(number) => metric.encode_gauge(number),
        Value::Seconds(number) => metric.encode_gauge(number),
        Value::Info => Ok(()),
        Value::Histogram(sum, counts) => {
            let count = counts.iter().map(|(_, count)| count).sum();
            metric.encode_histogram::<NoLabelSet>(*sum, count, counts, None)
        }
    }
}

/// A registry of all metrics of a proxy.
#[must_use]
pub fn registry(vitals: Vitals) -> Registry {
    let mut registry = Registry::with_prefix(PREFIX);
    registry.register_collector(Box::new(Families(vitals)));
    registry
}

/// The metrics as text; `None` if they can't be written, which is a fault of pgveil's own.
#[must_use]
pub fn text(registry: &Registry) -> Option<String> {
    let mut text = String::new();
    encode(&mut text, registry).ok()?;
    Some(text)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    const PAGE: &str = include_str!("../../docs/metrics.md");

    /// As Prometheus knows a family.
    fn name_of(family: &Family) -> String {
        let suffix = match family.kind {
            MetricType::Counter => "_total",
            MetricType::Info => "_info",
            _ => "",
        };
        format!("{PREFIX}_{}{suffix}", family.name)
    }

    /// The words in backticks.
    fn words(cell: &str) -> Vec<&str> {
        cell.split('`').skip(1).step_by(2).collect()
    }

    #[test]
    fn the_page_has_every_family_and_no_other() {
        let rows = PAGE.lines().filter(|line| line.starts_with("| `pgveil_"));
        let mut page = BTreeMap::new();
        for row in rows {
            let cells: Vec<&str> = row.split('|').map(str::trim).collect();
            let [_, name, kind, labels, meaning, _, _] = cells[..] else {
                panic!("{row}");
            };
            assert!(meaning.ends_with('.'), "{row}");
            let known = page.insert(words(name)[0].to_owned(), (kind, words(labels)));
            assert!(known.is_none(), "{name} is there twice");
        }
        let family = |family: &'static Family| {
            (
                name_of(family),
                (family.kind.as_str(), family.labels.to_vec()),
            )
        };
        let table: BTreeMap<_, _> = FAMILIES.iter().map(family).collect();
        assert_eq!(page, table);
    }

    #[test]
    fn the_rules_for_alerts_name_no_other() {
        let rules = include_str!("../../examples/prometheus/alerts.yaml");
        let names: Vec<String> = FAMILIES.iter().map(name_of).collect();
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let words = rules.split(|c: char| !is_part(c));
        let mut used = 0;
        for word in words.filter(|word| word.starts_with("pgveil_")) {
            assert!(names.iter().any(|name| name == word), "{word}");
            used += 1;
        }
        assert!(used > 5, "the rules name their metrics in another way");
    }

    #[test]
    fn the_page_has_every_word_of_the_labels() {
        let reasons = crate::audit::Unknown::ALL.map(crate::audit::Unknown::as_str);
        for reason in reasons {
            assert!(PAGE.contains(&format!("`{reason}` (")), "{reason}");
        }
    }
}
