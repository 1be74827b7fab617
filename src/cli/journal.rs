//! The audit trail on its way out of the process: each event in one envelope, with whose session it
//! is, to the log, to standard output or to a file of its own. [`Trail`] decides what is written.

use std::io::{self, Write};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use serde::Serialize;
use serde_json::{Map, Value};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record as Values};
use tracing::{Event, Subscriber};
use tracing_appender::non_blocking::{NonBlocking, WorkerGuard};
use tracing_appender::rolling::{RollingFileAppender, Rotation};
use tracing_subscriber::Layer;
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::time::{FormatTime as _, SystemTime};
use tracing_subscriber::layer::Context;
use tracing_subscriber::registry::LookupSpan;

use super::CliError;
use super::log::Escaping;
use crate::audit::{self, Counters, Line, Trail};
use crate::config::{AuditSink, Log, LogFormat};

/// The version of the envelope.
const VERSION: u32 = 1;

/// How often it is looked what has waited.
const TICK: Duration = Duration::from_secs(1);

/// What is always written, and at once: each of these is one of a kind.
const SINGLE: [&str; 4] = ["session_start", "session_end", "operator_decode", "reload"];

/// Each of these has a bound of its own.
const BOUNDED: [&str; 7] = [
    "refused",
    "would_refuse",
    "id_unknown",
    "old_key",
    "catalog_drift",
    "disagreement",
    "fault",
];

/// What makes two events the same, beside their names.
const KIND: [&str; 8] = [
    "code",
    "statement",
    "domain",
    "reason",
    "role",
    "database",
    "function",
    "column",
];

/// Writes the audit trail.
pub(super) struct Journal {
    trail: Trail<Record>,
    shapes: bool,
    /// For people rather than for programs.
    pretty: bool,
    out: Mutex<Out>,
    /// Where it is counted what was lost, once there is such a place.
    counters: OnceLock<Arc<Counters>>,
}

struct Out {
    /// Written to by a thread of its own: who reads slowly stops nobody.
    writer: NonBlocking,
    /// Ends that thread, when all is written.
    worker: Option<WorkerGuard>,
    /// How many records it had no room for, as far as that was told.
    dropped: usize,
}

/// An event before it is written.
struct Record {
    time: String,
    level: &'static str,
    event: String,
    fields: Map<String, Value>,
}

/// A line as programs read it.
#[derive(Serialize)]
struct Envelope<'a> {
    ts: &'a str,
    v: u32,
    event: &'a str,
    level: &'a str,
    #[serde(flatten)]
    fields: &'a Map<String, Value>,
    count: u64,
}

impl Journal {
    /// Opens the sink, and has what waits looked after by a thread of its own.
    pub(super) fn open(log: &Log) -> Result<Arc<Self>, CliError> {
        let audit = &log.audit;
        let journal = Arc::new(Self {
            trail: Trail::new(audit.window, audit.most_per_second, Instant::now()),
            shapes: audit.shapes,
            pretty: audit.sink == AuditSink::Log && log.format == LogFormat::Pretty,
            out: Mutex::new(Out::open(&audit.sink)?),
            counters: OnceLock::new(),
        });
        let watched = Arc::downgrade(&journal);
        let tick = move || {
            while let Some(journal) = watched.upgrade() {
                journal.tick();
                drop(journal);
                thread::sleep(TICK);
            }
        };
        thread::Builder::new()
            .name("pgveil-audit".to_owned())
            .spawn(tick)?;
        Ok(journal)
    }

    /// Says where it is to be counted what nobody has read.
    pub(super) fn count_in(&self, counters: Arc<Counters>) {
        // There is one proxy in a process.
        let _ = self.counters.set(counters);
    }

    /// Writes what has waited long enough, and how much was lost.
    fn tick(&self) {
        let lines = self.trail.tick(Instant::now());
        let dropped = self.out().newly_dropped();
        if let Some(counters) = self.counters.get() {
            counters.audit_dropped.add(dropped);
        }
        let dropped = (dropped > 0).then_some(Line::Suppressed(dropped));
        self.write(lines.into_iter().chain(dropped));
    }

    /// Writes what still waits, and waits until it is written.
    pub(super) fn finish(&self) {
        self.write(self.trail.finish());
        drop(self.out().worker.take());
    }

    fn take(&self, level: &'static str, mut fields: Map<String, Value>) {
        let event = fields.remove("event");
        let event = event.and_then(|event| event.as_str().map(str::to_owned));
        let event = event.unwrap_or_default();
        let count = fields.remove("count").and_then(|count| count.as_u64());
        let count = count.unwrap_or(1);
        fields.remove("message");
        let is_single = SINGLE.contains(&event.as_str());
        // Those that are not listed share one bound.
        let listed = BOUNDED.iter().find(|bounded| **bounded == event);
        let name = listed.copied().unwrap_or_default();
        let kind = kind(&event, &fields);
        if !self.shapes {
            fields.remove("shape");
        }
        let record = Record {
            time: now(),
            level,
            event,
            fields,
        };
        match is_single {
            true => self.write([Line::Record(record, count)]),
            false => {
                let kind = (name, kind);
                self.write(self.trail.take(Instant::now(), kind, record, count));
            }
        }
    }

    fn write(&self, lines: impl IntoIterator<Item = Line<Record>>) {
        let mut text = String::new();
        for line in lines {
            match line {
                Line::Record(record, count) => self.append(&record, count, &mut text),
                Line::Suppressed(count) => {
                    let record = Record {
                        time: now(),
                        level: "warn",
                        event: "suppressed".to_owned(),
                        fields: Map::new(),
                    };
                    self.append(&record, count, &mut text);
                }
            }
        }
        if !text.is_empty() {
            // Nobody can be told that the log can't be written.
            let _ = self.out().writer.write_all(text.as_bytes());
        }
    }

    fn append(&self, record: &Record, count: u64, text: &mut String) {
        match self.pretty {
            true => record.append_pretty(count, text),
            false => record.append_json(count, text),
        }
        text.push('\n');
    }

    fn out(&self) -> MutexGuard<'_, Out> {
        self.out.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Out {
    fn open(sink: &AuditSink) -> Result<Self, CliError> {
        let (writer, worker) = match sink {
            AuditSink::Stdout => tracing_appender::non_blocking(io::stdout()),
            AuditSink::File { path, daily, keep } => {
                let unwritable = |cause: String| CliError::AuditFile {
                    file: path.display().to_string(),
                    cause,
                };
                let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else {
                    return Err(unwritable("it is no file".to_owned()));
                };
                let rotation = match daily {
                    true => Rotation::DAILY,
                    false => Rotation::NEVER,
                };
                let builder = RollingFileAppender::builder()
                    .rotation(rotation)
                    .filename_prefix(name.to_string_lossy());
                let builder = match daily {
                    true => builder.max_log_files(*keep),
                    false => builder,
                };
                let appender = builder.build(folder);
                let appender = appender.map_err(|error| unwritable(error.to_string()))?;
                tracing_appender::non_blocking(appender)
            }
            _ => tracing_appender::non_blocking(io::stderr()),
        };
        Ok(Self {
            writer,
            worker: Some(worker),
            dropped: 0,
        })
    }

    /// How many records were lost since this was asked.
    fn newly_dropped(&mut self) -> u64 {
        let dropped = self.writer.error_counter().dropped_lines();
        let before = std::mem::replace(&mut self.dropped, dropped);
        dropped.saturating_sub(before) as u64
    }
}

impl Record {
    fn append_json(&self, count: u64, text: &mut String) {
        let envelope = Envelope {
            ts: &self.time,
            v: VERSION,
            event: &self.event,
            level: self.level,
            fields: &self.fields,
            count,
        };
        text.push_str(&serde_json::to_string(&envelope).unwrap_or_default());
    }

    fn append_pretty(&self, count: u64, text: &mut String) {
        use std::fmt::Write as _;
        let level = self.level.to_uppercase();
        let _ = write!(
            text,
            "{} {level:>5} {}: {}",
            self.time,
            audit::TARGET,
            self.event
        );
        for (name, value) in &self.fields {
            let _ = write!(text, " {name}=");
            let _ = match value {
                Value::String(value) => write!(Escaping(text), "{value}"),
                value => write!(Escaping(text), "{value}"),
            };
        }
        if count > 1 {
            let _ = write!(text, " count={count}");
        }
    }
}

fn now() -> String {
    let mut time = String::new();
    let _ = SystemTime.format_time(&mut Writer::new(&mut time));
    time
}

/// What makes an event one with others.
fn kind(event: &str, fields: &Map<String, Value>) -> String {
    let mut kind = event.to_owned();
    for name in KIND {
        kind.push('\u{1f}');
        if let Some(Value::String(value)) = fields.get(name) {
            kind.push_str(value);
        }
    }
    kind
}

/// Hears the events of the audit trail, and whose sessions they are of.
pub(super) struct Listener(pub(super) Arc<Journal>);

/// Whose session a span is about.
struct Who(Fields);

#[derive(Default)]
struct Fields(Map<String, Value>);

impl Fields {
    fn put(&mut self, field: &Field, value: Value) {
        self.0.insert(field.name().to_owned(), value);
    }
}

impl Visit for Fields {
    fn record_str(&mut self, field: &Field, value: &str) {
        self.put(field, value.into());
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.put(field, value.into());
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.put(field, value.into());
    }

    fn record_f64(&mut self, field: &Field, value: f64) {
        self.put(field, value.into());
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.put(field, value.into());
    }

    fn record_debug(&mut self, field: &Field, value: &dyn std::fmt::Debug) {
        self.put(field, format!("{value:?}").into());
    }
}

impl<S: Subscriber + for<'s> LookupSpan<'s>> Layer<S> for Listener {
    fn on_new_span(&self, attributes: &Attributes<'_>, id: &Id, context: Context<'_, S>) {
        if attributes.metadata().name() != audit::SPAN {
            return;
        }
        let mut fields = Fields::default();
        attributes.record(&mut fields);
        if let Some(span) = context.span(id) {
            span.extensions_mut().insert(Who(fields));
        }
    }

    fn on_record(&self, id: &Id, values: &Values<'_>, context: Context<'_, S>) {
        if let Some(span) = context.span(id)
            && let Some(Who(fields)) = span.extensions_mut().get_mut::<Who>()
        {
            values.record(fields);
        }
    }

    fn on_event(&self, event: &Event<'_>, context: Context<'_, S>) {
        let metadata = event.metadata();
        if metadata.target() != audit::TARGET {
            return;
        }
        let mut fields = Fields::default();
        for span in context.event_scope(event).into_iter().flatten() {
            if let Some(Who(who)) = span.extensions().get::<Who>() {
                fields.0.extend(who.0.clone());
            }
        }
        event.record(&mut fields);
        let level = match *metadata.level() {
            tracing::Level::ERROR => "error",
            tracing::Level::WARN => "warn",
            _ => "info",
        };
        self.0.take(level, fields.0);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{Receiver, channel};

    use tracing_appender::non_blocking::NonBlockingBuilder;
    use tracing_subscriber::layer::SubscriberExt as _;

    use super::*;

    /// Takes nothing before it is told to.
    struct Slow(Receiver<()>);

    impl Write for Slow {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let _ = self.0.recv();
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// Makes one of each event.
    fn all() -> Vec<audit::Event> {
        use audit::Event as E;
        let session = || audit::Session {
            peer: "10.0.3.9:51422".to_owned(),
            user: "app".to_owned(),
            database: "shop".to_owned(),
        };
        let refused = |passed| E::Refused {
            code: "expression",
            sqlstate: "0A000",
            passed,
            statement: Some(audit::Statement::new("SELECT ? FROM users")),
            position: Some(8),
        };
        let (domain, column) = ("user".to_owned(), "public.users.id".to_owned());
        vec![
            E::SessionStart {
                session: session(),
                mode: "enforce",
            },
            E::SessionEnd {
                session: session(),
                seconds: 0.5,
                reason: Some("client lost".to_owned()),
                sqlstate: Some("57P01"),
            },
            refused(false),
            refused(true),
            E::IdUnknown {
                domain: domain.clone(),
                reason: audit::Unknown::NotIssued,
                count: 2,
            },
            E::OldKey {
                domain: domain.clone(),
                count: 1,
            },
            E::NotificationDropped { passed: false },
            E::Misfit {
                function: "public.f: result".to_owned(),
            },
            E::ColumnMisfit {
                column: column.clone(),
            },
            E::CatalogDrift {
                column,
                refused: true,
            },
            E::Reload {
                changes: vec!["policy.mode: enforce → audit".to_owned()],
            },
            E::Fault { stage: "analysis" },
            E::OperatorDecode {
                domains: domain,
                reason: Some("a ticket".to_owned()),
                revealed: false,
            },
            E::Disagreement {
                table: 16_384,
                attnum: -1,
            },
        ]
    }

    /// Has no arm for others, so that a new event is made in [`all`], too.
    fn is_made(event: &audit::Event) -> bool {
        use audit::Event as E;
        match event {
            E::SessionStart { .. }
            | E::SessionEnd { .. }
            | E::Refused { .. }
            | E::IdUnknown { .. }
            | E::OldKey { .. }
            | E::NotificationDropped { .. }
            | E::Misfit { .. }
            | E::ColumnMisfit { .. }
            | E::CatalogDrift { .. }
            | E::Reload { .. }
            | E::Fault { .. }
            | E::OperatorDecode { .. }
            | E::Disagreement { .. } => true,
        }
    }

    #[test]
    fn each_event_is_as_the_schema_and_the_page_say() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("audit.jsonl");
        let log = Log {
            format: LogFormat::Json,
            level: "info".to_owned(),
            audit: crate::config::Audit {
                sink: AuditSink::File {
                    path: path.clone(),
                    daily: false,
                    keep: 1,
                },
                shapes: true,
                window: Duration::ZERO,
                most_per_second: 1000,
            },
        };
        let journal = Journal::open(&log).unwrap();
        let subscriber = tracing_subscriber::registry().with(Listener(Arc::clone(&journal)));
        tracing::subscriber::with_default(subscriber, || {
            let (peer, role, database) = ("10.0.3.9:51422", "app", "shop");
            let client = tracing::info_span!("client", session = 7_u64, peer, role, database);
            let _inside = client.enter();
            all()
                .into_iter()
                .filter(is_made)
                .for_each(audit::Event::emit);
        });
        journal.write([Line::Suppressed(3)]);
        journal.finish();

        let schema: Value =
            serde_json::from_str(include_str!("../../docs/audit.schema.json")).unwrap();
        let validator = jsonschema::validator_for(&schema).unwrap();
        let page = include_str!("../../docs/audit.md");
        let mut written = Vec::new();
        for line in std::fs::read_to_string(path).unwrap().lines() {
            let record: Value = serde_json::from_str(line).unwrap();
            let fault = validator.validate(&record).err();
            assert!(fault.is_none(), "{fault:?}: {line}");
            let record = record.as_object().unwrap();
            let event = record["event"].as_str().unwrap().to_owned();
            for name in record.keys().chain([&event]) {
                assert!(
                    page.contains(&format!("`{name}`")),
                    "{name} is not on the page"
                );
            }
            written.push(event);
        }
        let mut told: Vec<&str> = (schema["properties"]["event"]["enum"].as_array().unwrap())
            .iter()
            .map(|event| event.as_str().unwrap())
            .collect();
        told.sort_unstable();
        written.sort_unstable();
        assert_eq!(written, told);
    }

    #[test]
    fn what_nobody_has_read_is_counted() {
        let (read, told) = channel();
        let builder = NonBlockingBuilder::default().buffered_lines_limit(2);
        let (writer, worker) = builder.finish(Slow(told));
        let journal = Journal {
            trail: Trail::new(Duration::ZERO, u32::MAX, Instant::now()),
            shapes: true,
            pretty: false,
            out: Mutex::new(Out {
                writer,
                worker: Some(worker),
                dropped: 0,
            }),
            counters: OnceLock::new(),
        };
        let counters = Arc::new(Counters::default());
        journal.count_in(Arc::clone(&counters));
        for _ in 0..50 {
            let fields = Map::from_iter([("event".to_owned(), "refused".into())]);
            journal.take("warn", fields);
        }
        journal.tick();
        // One is being written, and two wait.
        assert!(counters.audit_dropped.get() >= 47);
        drop(read);
        journal.finish();
    }
}
