//! The log: records on standard error, a line each, whatever strangers have put into their words.

use std::fmt::{self, Write as _};
use std::io::{self, IsTerminal};
use std::sync::Arc;

use tracing_subscriber::EnvFilter;
use tracing_subscriber::field::MakeExt as _;
use tracing_subscriber::fmt::format::{FormatFields, Writer, debug_fn};
use tracing_subscriber::reload::Handle;

use crate::admin::SetLevel;
use crate::config::{Log, LogFormat};

/// Sends log records to standard error, and gives the way to change which ones.
pub(super) fn start(log: &Log) -> SetLevel {
    let filter = EnvFilter::builder().parse_lossy(&log.level);
    let builder = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(io::stderr)
        .with_ansi(io::stderr().is_terminal());
    // Starting fails only if a subscriber is set already; then that one gets the records.
    match log.format {
        LogFormat::Json => {
            let builder = builder.json().flatten_event(true).with_filter_reloading();
            let handle = builder.reload_handle();
            let _ = builder.try_init();
            changing(handle)
        }
        LogFormat::Pretty => {
            let builder = builder.fmt_fields(fields()).with_filter_reloading();
            let handle = builder.reload_handle();
            let _ = builder.try_init();
            changing(handle)
        }
    }
}

fn changing<S: 'static>(handle: Handle<EnvFilter, S>) -> SetLevel {
    Arc::new(move |level| {
        // What others may send is no expression that takes its time to be compiled.
        let filter = EnvFilter::builder().with_regex(false).parse(level);
        filter.is_ok_and(|filter| handle.reload(filter).is_ok())
    })
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
struct Escaping<'a, 'w>(&'a mut Writer<'w>);

impl fmt::Write for Escaping<'_, '_> {
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
