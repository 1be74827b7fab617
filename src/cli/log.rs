//! The log: records on standard error, a line each, whatever strangers have put into their words.

use std::fmt::{self, Write as _};
use std::io::{self, IsTerminal};
use std::sync::Arc;

use tracing_subscriber::field::MakeExt as _;
use tracing_subscriber::filter::{FilterExt, filter_fn};
use tracing_subscriber::fmt::format::{FormatFields, Writer, debug_fn};
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;
use tracing_subscriber::{EnvFilter, Layer as _, reload};

use super::CliError;
use super::journal::{Journal, Listener};
use crate::admin::SetLevel;
use crate::audit::{self, Counters};
use crate::config::{AuditSink, Log, LogFormat};

/// The log of a process that runs.
pub(super) struct Logging {
    /// The way to change which records are written.
    pub(super) set_level: SetLevel,
    journal: Arc<Journal>,
}

impl Logging {
    /// Says where it is to be counted what of the audit trail nobody has read.
    pub(super) fn count_in(&self, counters: Arc<Counters>) {
        self.journal.count_in(counters);
    }
}

impl Drop for Logging {
    fn drop(&mut self) {
        self.journal.finish();
    }
}

/// Sends log records to standard error, and audit events to where they belong, until the result is
/// dropped.
pub(super) fn start(log: &Log) -> Result<Logging, CliError> {
    let journal = Journal::open(log)?;
    let (level, of_records) = reload::Layer::new(directives(&log.level));
    let is_record = filter_fn(|metadata| metadata.target() != audit::TARGET);
    let records = tracing_subscriber::fmt::layer()
        .with_writer(io::stderr)
        .with_ansi(io::stderr().is_terminal());
    let records = match log.format {
        LogFormat::Json => {
            let records = records.json().flatten_event(true).with_span_list(false);
            records.boxed()
        }
        LogFormat::Pretty => records.fmt_fields(fields()).boxed(),
    };
    let (audited, of_audit) = reload::Layer::new(directives(&log.level));
    let is_audit = filter_fn(|metadata| metadata.is_span() || metadata.target() == audit::TARGET);
    // What has a sink of its own is complete, whatever the level of the log.
    let is_audit = match log.audit.sink {
        AuditSink::Log => FilterExt::boxed(is_audit.and(audited)),
        _ => FilterExt::boxed(is_audit),
    };
    // Starting fails only if a subscriber is set already; then that one gets the records.
    let _ = tracing_subscriber::registry()
        .with(records.with_filter(level.and(is_record)))
        .with(Listener(Arc::clone(&journal)).with_filter(is_audit))
        .try_init();
    let set_level: SetLevel = Arc::new(move |level| {
        // What others may send is no expression that takes its time to be compiled.
        let parse = || EnvFilter::builder().with_regex(false).parse(level);
        let (Ok(records), Ok(audited)) = (parse(), parse()) else {
            return false;
        };
        // Without a sink of the log nobody has the second one.
        let _ = of_audit.reload(audited);
        of_records.reload(records).is_ok()
    });
    Ok(Logging { set_level, journal })
}

fn directives(level: &str) -> EnvFilter {
    EnvFilter::builder().parse_lossy(level)
}

/// Writes fields for people to read. A server's error, a file's name or a role may hold anything,
/// also what looks like the next record.
fn fields() -> impl for<'w> FormatFields<'w> + Send + Sync + 'static {
    debug_fn(|writer: &mut Writer<'_>, field, value| {
        if field.name() != "message" {
            write!(writer, "{}=", field.name())?;
        }
        write!(Escaping(writer), "{value:?}")
    })
    .delimited(" ")
}

/// Puts `\n` and its like in the place of characters that control a terminal or end a line.
pub(super) struct Escaping<'a, W>(pub(super) &'a mut W);

impl<W: fmt::Write> fmt::Write for Escaping<'_, W> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let controls = |c: char| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}');
        for part in text.split_inclusive(controls) {
            match part.chars().next_back().filter(|last| controls(*last)) {
                Some(last) => {
                    let before = part.get(..part.len() - last.len_utf8());
                    self.0.write_str(before.unwrap_or_default())?;
                    write!(self.0, "{}", last.escape_default())?;
                }
                None => self.0.write_str(part)?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::sync::Mutex;

    use super::*;

    #[derive(Clone, Default)]
    struct Written(Arc<Mutex<Vec<u8>>>);

    impl Write for Written {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().extend(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn whatever_a_record_quotes_it_is_one_line() {
        let written = Written::default();
        let writer = written.clone();
        let subscriber = tracing_subscriber::fmt()
            .with_writer(move || writer.clone())
            .with_ansi(false)
            .fmt_fields(fields())
            .finish();
        let forged = "no\r\n2026-01-01T00:00:00Z  INFO all is well\u{1b}[2J\u{9b}1m\u{2028}\0é";
        tracing::subscriber::with_default(subscriber, || {
            let span = tracing::info_span!("session", role = %forged);
            let _inside = span.enter();
            tracing::warn!(error = %forged, words = forged, other = ?forged, "refused: {forged}");
        });
        let text = String::from_utf8(written.0.lock().unwrap().clone()).unwrap();
        assert_eq!(text.lines().count(), 1, "{text}");
        let line = text.strip_suffix('\n').unwrap();
        assert!(
            !line.contains(|c: char| c.is_control() || c == '\u{2028}'),
            "{line:?}"
        );
        assert!(
            line.contains(r"refused: no\r\n2026") && line.contains('é'),
            "{line}"
        );
        assert!(line.contains(" error=no\\r\\n2026"), "{line}");
    }
}
