//! `pgveil rehearse`: which of the statements that an application sends are ready for pgveil, and
//! what the others need, by the analysis that the proxy does. No statement is run.
//!
//! What is shown of a statement is its shape: no literal, no comment. What the analysis says of it
//! is shown unless it quotes a literal.

mod log;
mod report;
mod source;
mod tally;

use std::io::Write;

use clap::{Args, ValueEnum};

use super::database::{Database, DatabaseUrl, rows};
use super::{CliError, ConfigFile, Outcome};
use crate::config::Config;
use crate::sql::refusal::Code;
use crate::sql::{Context, Refusal, Script, Verdict, analyse, with_named_literals};
use source::{Kind, Source};
use tally::Tally;

#[derive(Debug, Args)]
pub(super) struct Rehearse {
    #[command(flatten)]
    file: ConfigFile,
    #[command(flatten)]
    url: DatabaseUrl,
    /// Where the statements are: pg_stat_statements of the database; a file of SQL, or a log of
    /// Postgres as csvlog or jsonlog; - for the same from standard input.
    #[arg(long, value_name = "SOURCE", default_value = "pg_stat_statements")]
    from: Source,
    /// How to print.
    #[arg(long, value_enum, default_value_t = Format::Text, value_name = "FORMAT")]
    format: Format,
    /// Exit with status 1 if less than so much of all calls is ready.
    #[arg(long, value_name = "PERCENT", value_parser = percent)]
    fail_under: Option<f64>,
}

/// How to print.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people.
    Text,
    /// For programs.
    Json,
}

/// Parts of the questions that pgveil asks itself, here and in the proxy: no application sends them.
const OWN: &[&str] = &[
    "pg_catalog.pg_snapshot_xmin(pg_catalog.pg_current_snapshot())",
    "THEN pg_catalog.current_schemas(true) ELSE ARRAY(",
    "pg_catalog.col_description(a.attrelid, a.attnum)",
    ".pg_stat_statements s",
];

/// Reads a number from 0 to 100.
fn percent(text: &str) -> Result<f64, String> {
    let number: Option<f64> = text.trim_end_matches('%').parse().ok();
    let number = number.filter(|number| (0.0..=100.0).contains(number));
    number.ok_or_else(|| "write a number from 0 to 100".to_owned())
}

impl Rehearse {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<Outcome, CliError> {
        let config = Config::load(&self.file.config)?;
        let (database, name, recorded) = self.url.ask_once(async |client| {
            let database = Database::load(client, &config).await?;
            let name = rows(client, "SELECT pg_catalog.current_database()").await?;
            let name = name.first().and_then(|row| row.get(0)).map(str::to_owned);
            let recorded = match self.from {
                Source::Statistics => source::statistics(client).await?,
                Source::File(_) | Source::Input => Vec::new(),
            };
            Ok((database, name.unwrap_or_default(), recorded))
        })?;
        let mut tally = Tally::default();
        let judge = Judge(&database);
        let mut take = |text: &str, calls, kind| match kind {
            _ if OWN.iter().any(|own| text.contains(own)) => {}
            Kind::Normalised => tally.add(text, calls, judge.normalised(text)),
            Kind::Sent => tally.add(text, calls, judge.sent(text)),
        };
        for (text, calls) in &recorded {
            take(text, *calls, Kind::Normalised);
        }
        self.from.read(&name, &mut take)?;
        let report = tally.report();
        let of = self.from.name(&name);
        match self.format {
            Format::Text => report.text(&of, out)?,
            Format::Json => report.json(&of, out)?,
        }
        // Nothing is no proof of anything.
        let fails = self
            .fail_under
            .is_some_and(|least| report.calls == 0 || report.percent() < least);
        Ok(if fails {
            Outcome::Finding
        } else {
            Outcome::Success
        })
    }
}

/// Judges texts as the proxy does.
struct Judge<'a>(&'a Database);

impl Judge<'_> {
    /// The first refusal of a text as a client has sent it.
    fn sent(&self, text: &str) -> Option<Refusal> {
        let context = Context::new(&self.0.snapshot, &self.0.search_path);
        first_refusal(analyse(text.as_bytes(), &context))
    }

    /// The same of a text whose literals were replaced by parameters, also where the grammar has
    /// none.
    fn normalised(&self, text: &str) -> Option<Refusal> {
        let refusal = self.sent(text)?;
        match with_named_literals(text) {
            Some(text) if refusal.code == Code::Unparsed => self.sent(&text),
            _ => Some(refusal),
        }
    }
}

fn first_refusal(script: Script) -> Option<Refusal> {
    let verdicts = script
        .statements
        .into_iter()
        .map(|statement| statement.verdict);
    verdicts.into_iter().find_map(|verdict| match verdict {
        Verdict::Refuse(refusal) => Some(refusal),
        Verdict::Forward(_) => None,
    })
}
