//! `pgveil rehearse`: which of the statements that an application sends are ready for pgveil, and
//! what the others need, by the analysis that the proxy does. No statement is run.
//!
//! What is shown of a statement is its shape: no literal, no comment. What the analysis says of it
//! is shown unless it quotes the statement.

mod log;
mod observed;
mod page;
mod report;
mod source;
mod tally;

use std::io::Write;

use clap::{Args, ValueEnum};

use super::database::{Database, DatabaseUrl, about};
use super::{CliError, ConfigFile, Outcome};
use crate::sql::refusal::Code;
use crate::sql::{
    Context, Refusal, Script, Verdict, analyse, shape, statements, with_named_literals,
};
use report::Report;
use source::{Kind, Source, Whose};
use tally::Tally;

pub(super) use report::escaped;

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
    /// Ask a running proxy instead what it has seen with policy.mode = "observe": the one of the
    /// configuration's [admin], or the one at http://host:port or unix:/path/of/socket.
    #[arg(
        long,
        value_name = "URL",
        num_args = 0..=1,
        default_missing_value = "",
        conflicts_with = "from"
    )]
    from_proxy: Option<String>,
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
    /// One page for a browser, that needs no network.
    Html,
}

/// How the questions begin that pgveil asks itself, here and in the proxy, as [`form`] has them. No
/// application sends them; one that asks for the same things writes it in another way.
const OWN: &[&str] = &[
    "WITH RECURSIVE moment AS MATERIALIZED ( SELECT pg_catalog.pg_current_snapshot()::pg_catalog.text AS now, ",
    "WITH moment AS MATERIALIZED ( SELECT pg_catalog.pg_current_snapshot()::pg_catalog.text AS now), ages AS MATERIALIZED (",
    "WITH moment AS MATERIALIZED ( SELECT pg_catalog.pg_snapshot_xmax(pg_catalog.pg_current_snapshot())::pg_catalog.text::pg_catalog.int8 AS next), ",
    "SELECT ?, pg_catalog.encode(( SELECT pg_catalog.string_agg(pg_catalog.convert_to(s.name::pg_catalog.text, ",
    "SELECT ?, a.attrelid::pg_catalog.text, a.attnum::pg_catalog.text, pg_catalog.col_description(a.attrelid, a.attnum), ",
    "SELECT CASE WHEN NOT pg_catalog.pg_column_size(",
    "SELECT pg_catalog.quote_ident(n.nspname), EXISTS ( SELECT FROM pg_catalog.pg_class c JOIN pg_catalog.pg_attribute a ",
    "SELECT s.query, pg_catalog.sum(s.calls)::pg_catalog.text, r.rolname FROM ",
];

/// Whether pgveil has sent a text itself.
fn is_own(text: &str) -> bool {
    // Most texts are told apart by that.
    if !text.contains("pg_catalog.") {
        return false;
    }
    let is_question = |statement: &str| {
        let form = form(statement);
        form.is_some_and(|form| OWN.iter().any(|own| form.starts_with(own)))
    };
    let mut ranges = statements(text).unwrap_or_default().into_iter();
    ranges.any(|range| text.get(range).is_some_and(is_question))
}

/// The shape of a statement with `?` for its parameters too, for the statistics have parameters in
/// the place of literals.
fn form(statement: &str) -> Option<String> {
    let shape = shape(statement)?;
    let mut parts = shape.split('$');
    let mut form = parts.next()?.to_owned();
    for part in parts {
        let rest = part.trim_start_matches(|c: char| c.is_ascii_digit());
        form.push(if rest.len() < part.len() { '?' } else { '$' });
        form.push_str(rest);
    }
    Some(form)
}

/// Reads a number from 0 to 100.
fn percent(text: &str) -> Result<f64, String> {
    let number: Option<f64> = text.trim_end_matches('%').parse().ok();
    let number = number.filter(|number| (0.0..=100.0).contains(number));
    number.ok_or_else(|| "write a number from 0 to 100".to_owned())
}

impl Rehearse {
    pub(super) fn run(
        self,
        out: &mut dyn Write,
        notes: &mut dyn Write,
    ) -> Result<Outcome, CliError> {
        let config = self.file.load_silently()?;
        if let Some(url) = &self.from_proxy {
            let (of, report) = observed::ask(url, &config)?;
            return self.print(&report, &of, out);
        }
        let (database, name, recorded) =
            self.url.ask_once(Some(&config), notes, async |client| {
                let (about, name) = about(client, &config).await?;
                let database = Database::load(client, &about).await?;
                let whose = Whose {
                    database: &name,
                    config: &config,
                };
                let recorded = match self.from {
                    Source::Statistics => source::statistics(client, &whose).await?,
                    Source::File(_) | Source::Input => Vec::new(),
                };
                Ok((database, name, recorded))
            })?;
        let mut tally = Tally::default();
        let judge = Judge(&database);
        let mut take = |text: &str, calls, kind| match kind {
            _ if is_own(text) => {}
            Kind::Normalised => tally.add(text, calls, judge.normalised(text)),
            Kind::Sent => tally.add(text, calls, judge.sent(text)),
        };
        for (text, calls) in &recorded {
            take(text, *calls, Kind::Normalised);
        }
        let whose = Whose {
            database: &name,
            config: &config,
        };
        self.from.read(&whose, &mut take)?;
        self.print(&tally.report(), &self.from.name(&name), out)
    }

    /// Prints what was found, and says whether it is enough.
    fn print(&self, report: &Report, of: &str, out: &mut dyn Write) -> Result<Outcome, CliError> {
        match self.format {
            Format::Text => report.text(of, out)?,
            Format::Json => report.json(of, out)?,
            Format::Html => page::page(report, of, out)?,
        }
        // Nothing is no proof of anything.
        let fails = self
            .fail_under
            .is_some_and(|least| report.calls == 0 || report.proven() < least);
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

    /// The first refusal of a text whose literals were replaced by parameters, also where the
    /// grammar has none.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::{Loader, SETTINGS, SUPERSEDED};

    #[test]
    fn the_questions_of_pgveil_are_its_own() {
        let survey = include_str!("../discover/survey.sql");
        let alone = Loader::alone();
        let (_, picture) = alone.split_once(";\n").unwrap();
        for text in [
            alone.as_str(),
            picture,
            SETTINGS,
            SUPERSEDED,
            survey,
            source::EXTENSION,
            &source::question("public", true),
            &source::question("public", false),
        ] {
            assert!(is_own(text), "{text}");
        }
        let normalised = survey.replacen("'column'", "$1", 1).replacen("''", "$2", 1);
        assert!(is_own(&normalised), "{normalised}");
    }

    #[test]
    fn what_an_application_asks_of_the_catalogs_is_its_own() {
        for text in [
            "SELECT query, calls FROM public.pg_stat_statements s WHERE pg_catalog.length(query) > 1",
            "SELECT pg_catalog.col_description(a.attrelid, a.attnum) FROM pg_catalog.pg_attribute a",
            "SELECT pg_catalog.pg_snapshot_xmin(pg_catalog.pg_current_snapshot())",
            "SELECT id FROM users WHERE name = 'WITH RECURSIVE moment AS MATERIALIZED (pg_catalog.'",
        ] {
            assert!(!is_own(text), "{text}");
        }
    }

    #[test]
    fn a_form_is_that_of_the_statistics_too() {
        for text in [
            "select 'a', b$c from t where d = 1;",
            "select $1, b$c from t where d = $20",
        ] {
            assert_eq!(
                form(text).as_deref(),
                Some("select ?, b$c from t where d = ?")
            );
        }
    }
}
