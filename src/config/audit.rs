//! `[audit]`: where the audit trail is written, and how much of it.

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::check::{choice, positive, zero_or_more};
use super::fault::Faults;
use super::section::{At, Section};

/// How often an event of one kind is written.
const WINDOW: Duration = Duration::from_secs(60);

/// How many lines a second may have.
const MOST_PER_SECOND: u32 = 50;

/// What a file ends in of which there is one for each day: older ones are known by the beginning of
/// their names, and nobody else's file begins so.
const SUFFIX: &str = ".jsonl";

/// How many files are kept.
const KEPT_FILES: usize = 14;

/// Where the audit trail is written, and how much of it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Audit {
    /// Where to.
    pub sink: AuditSink,
    /// Whether records have the shapes of statements beside their fingerprints.
    pub shapes: bool,
    /// Within this time the repeats of an event are one record.
    pub window: Duration,
    /// So many records of events that repeat may be written in a second.
    pub most_per_second: u32,
}

/// Where the audit trail is written.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum AuditSink {
    /// The log, as far as its level lets it.
    Log,
    /// Standard output.
    Stdout,
    /// A file of its own.
    File {
        /// The file; the day is appended if there is one for each.
        path: PathBuf,
        /// Whether there is a file for each day.
        daily: bool,
        /// How many files of days are kept.
        keep: usize,
    },
}

impl Default for Audit {
    fn default() -> Self {
        Self {
            sink: AuditSink::Log,
            shapes: true,
            window: WINDOW,
            most_per_second: MOST_PER_SECOND,
        }
    }
}

/// The table as it is written.
#[derive(Debug, Default)]
pub(super) struct Raw {
    sink: Option<At<String>>,
    file: Option<At<String>>,
    rotate: Option<At<String>>,
    keep: Option<At<i64>>,
    statements: Option<At<String>>,
    window_s: Option<At<i64>>,
    max_per_s: Option<At<i64>>,
}

impl Raw {
    pub(super) fn read(section: &mut Section<'_>, faults: &mut Faults<'_>) -> Self {
        Self {
            sink: section.text("sink", faults),
            file: section.text("file", faults),
            rotate: section.text("rotate", faults),
            keep: section.integer("keep", faults),
            statements: section.text("statements", faults),
            window_s: section.integer("window_s", faults),
            max_per_s: section.integer("max_per_s", faults),
        }
    }
}

/// What a sink is called.
#[derive(Clone, Copy)]
enum Kind {
    Log,
    Stdout,
    File,
}

/// Judges `[audit]`; relative paths start at `folder`.
pub(super) fn check(raw: Raw, folder: &Path, faults: &mut Faults<'_>) -> Audit {
    let sinks = [
        ("log", Kind::Log),
        ("stdout", Kind::Stdout),
        ("file", Kind::File),
    ];
    let line = raw.sink.as_ref().map(|sink| sink.line);
    let kind = choice(raw.sink, "audit.sink", &sinks, faults).unwrap_or(Kind::Log);
    let words = [("daily", true), ("never", false)];
    let daily = choice(raw.rotate, "audit.rotate", &words, faults).unwrap_or(true);
    let keep = positive(raw.keep, "audit.keep", faults).unwrap_or(KEPT_FILES);
    let sink = match (kind, raw.file) {
        (Kind::File, Some(file)) if daily && !file.value.ends_with(SUFFIX) => {
            let cause = format!(
                "files of days whose names begin with `{}` are removed in time",
                file.value
            );
            let advice = "let the name end in .jsonl, or write rotate = \"never\"";
            faults.add(file.line, cause, advice);
            AuditSink::Log
        }
        (Kind::File, Some(file)) => AuditSink::File {
            path: folder.join(file.value),
            daily,
            keep,
        },
        (Kind::File, None) => {
            let cause = "[audit] does not say which file";
            faults.add(line.unwrap_or(1), cause, "add file = \"audit.jsonl\"");
            AuditSink::Log
        }
        (_, Some(file)) => {
            let advice = "write sink = \"file\", or remove file";
            faults.add(
                file.line,
                "nothing is written to the file of [audit]",
                advice,
            );
            AuditSink::Log
        }
        (Kind::Stdout, None) => AuditSink::Stdout,
        (Kind::Log, None) => AuditSink::Log,
    };
    let words = [("shape", true), ("fingerprint", false)];
    let defaults = Audit::default();
    let window = zero_or_more(&raw.window_s, "audit.window_s", faults);
    let most = positive(raw.max_per_s, "audit.max_per_s", faults);
    Audit {
        sink,
        shapes: choice(raw.statements, "audit.statements", &words, faults).unwrap_or(true),
        window: window.map_or(defaults.window, |seconds| {
            Duration::from_secs(seconds as u64)
        }),
        most_per_second: most
            .and_then(|most| u32::try_from(most).ok())
            .unwrap_or(defaults.most_per_second),
    }
}
