//! `pgveil check`: judges the configuration, and whether it fits a live database: annotated
//! columns that are not there or of a type that the codec has no ids for, columns that could show
//! keys and are neither annotated nor to stay as they are, keys that can't be shown.
//!
//! With `--sample` also what rows show: text and documents that hold keys.
//!
//! What a column could be is found by the engine of `pgveil discover`; here it becomes a finding.

mod chance;
mod finding;
mod report;
mod sample;
mod values;

use std::collections::{BTreeSet, HashSet};
use std::io::Write;

use clap::{Args, ValueEnum};
use tokio_postgres::Client;

use super::database::{Database, DatabaseUrl, about, rows};
use super::discover::{Decided, Ids, Proposal, Survey, What, propose};
use super::{CliError, ConfigFile, Outcome};
use super::{column_types, key_range, load};
use crate::catalog::Snapshot;
use crate::config::{ColumnPattern, Config, ConfigError, Fault};
use finding::Finding;
use report::Report;

/// What everybody may define, and how that is taken back.
const OPEN: &str = "
    SELECT 'every role may make temporary relations: REVOKE TEMPORARY ON DATABASE '
             || pg_catalog.quote_ident(d.datname) || ' FROM PUBLIC'
    FROM pg_catalog.pg_database d
    WHERE d.datname = pg_catalog.current_database()
      AND pg_catalog.has_database_privilege('public', d.oid, 'TEMPORARY')
    UNION ALL
    SELECT 'every role may define things in a schema: REVOKE CREATE ON SCHEMA '
             || pg_catalog.quote_ident(n.nspname) || ' FROM PUBLIC'
    FROM pg_catalog.pg_namespace n
    WHERE pg_catalog.has_schema_privilege('public', n.oid, 'CREATE')
    ORDER BY 1";

#[derive(Debug, Args)]
pub(super) struct Check {
    #[command(flatten)]
    file: ConfigFile,
    #[command(flatten)]
    url: DatabaseUrl,
    /// How to print: for people, as JSON, or as annotations of GitHub's actions.
    #[arg(long, value_enum, default_value_t = Format::Text, value_name = "FORMAT")]
    format: Format,
    /// Prints JSON, as --format json does.
    #[arg(long, conflicts_with = "format")]
    json: bool,
    /// Look at some rows, too: whether text and documents without annotation hold keys. No value is
    /// printed.
    #[arg(long)]
    sample: bool,
}

/// How to print findings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people.
    Text,
    /// For programs.
    Json,
    /// Annotations of GitHub's actions.
    Github,
}

impl Check {
    pub(super) fn run(
        self,
        out: &mut dyn Write,
        notes: &mut dyn Write,
    ) -> Result<Outcome, CliError> {
        let format = if self.json { Format::Json } else { self.format };
        let path = self.file.path()?;
        let file = path.as_path();
        let config = match load(file, notes) {
            Ok(config) => config,
            Err(error) => {
                if let CliError::Config(ConfigError::Faulty { files, faults }) = &error {
                    report::faulty((file, files), faults, format, out)?;
                }
                return Err(error);
            }
        };
        let mut report = Report {
            file,
            files: config.files(),
            config: &config,
            warnings: config.warnings.clone(),
            notes: Vec::new(),
            skipped: None,
            findings: None,
        };
        if self.url.is_given() || self.sample {
            let (open, live) = self.url.ask_once(Some(&config), notes, async |client| {
                let open = rows(client, OPEN).await?;
                let (config, _) = about(client, &config).await?;
                Ok((open, live(client, &config, self.sample).await?))
            })?;
            report.warnings.extend(live.warnings);
            let notes = open.iter().filter_map(|row| row.get(0));
            report.notes.extend(notes.map(str::to_owned));
            report.findings = Some(live.findings);
            report.skipped = live.skipped;
        }
        report.print(format, out)?;
        Ok(match report.findings {
            Some(findings) if !findings.is_empty() => Outcome::Finding,
            _ => Outcome::Success,
        })
    }
}

/// What a live database has to do with a configuration.
struct Live {
    warnings: Vec<Fault>,
    /// What does not fit, in a stable order.
    findings: BTreeSet<Finding>,
    /// What has not been looked at, if rows were to be.
    skipped: Option<Vec<String>>,
}

async fn live(client: &Client, config: &Config, samples: bool) -> Result<Live, CliError> {
    let bare = Database::load_under(client, Vec::new()).await?.snapshot;
    let warnings = column_types::rotation(&bare, config);
    let database = Database::load(client, config).await?;
    let snapshot = &database.snapshot;
    let misfits = column_types::misfits(&bare, snapshot, config);
    let mut findings: BTreeSet<Finding> = misfits.into_iter().map(Finding::fault).collect();
    findings.extend(lacking(snapshot));
    findings.extend(not_plain(snapshot, config));
    let survey = Survey::read(client, &database).await?;
    let found = propose(&survey, &Decided::by(config), Ids::Uuid);
    let closed = snapshot.undecided().iter().map(|name| &**name);
    let closed: HashSet<_> = closed.filter(|_| snapshot.closes_undecided()).collect();
    let what = |proposal: &Proposal| open(proposal, closed.contains(&proposal.column));
    findings.extend(found.proposals.iter().map(what));
    let unfit = key_range::unfit(client, snapshot, config).await?;
    findings.extend(
        unfit
            .into_iter()
            .map(|(column, fault)| Finding::column("unshowable-key", &column, fault)),
    );
    let mut skipped = None;
    if samples {
        let written = survey.written(&Decided::by(config));
        let sampled = sample::sample(client, snapshot, config, &written).await?;
        findings.extend(sampled.findings);
        skipped = Some(sampled.skipped);
    }
    Ok(Live {
        warnings,
        findings,
        skipped,
    })
}

/// What the configuration names and the database does not have, or has otherwise.
fn lacking(snapshot: &Snapshot) -> Vec<Finding> {
    let missing = snapshot.missing().iter().map(|column| {
        let message = match column.name() {
            Some(_) => "annotated, but there is no such column".to_owned(),
            None => "annotated, but no column is called so".to_owned(),
        };
        Finding::column("missing-column", column, message)
    });
    let functions = snapshot.missing_functions().iter().map(|name| {
        let message = format!("{name}: declared, but there is no such function");
        Finding::other("missing-function", message)
    });
    let misfits = snapshot.misfit_functions().iter();
    let misfits = misfits.map(|message| Finding::other("function", message.clone()));
    missing.chain(functions).chain(misfits).collect()
}

/// Columns that are to stay as they are and can't, for there is none, or a foreign key makes it one
/// of ids.
fn not_plain(snapshot: &Snapshot, config: &Config) -> Vec<Finding> {
    let faults = |pattern: &ColumnPattern| {
        let found = snapshot.matching(pattern);
        if found.is_empty() {
            let message = match pattern.name() {
                Some(_) => "in check.plain, but there is no such column",
                None => "in check.plain, but no column is called so",
            };
            return vec![(pattern.to_string(), message.to_owned())];
        }
        let ids = found.into_iter().filter_map(|(relation, column)| {
            let domain = snapshot.domain_name(column.id?.id.domain);
            let message = format!("in check.plain, but it holds ids of `{domain}`");
            Some((relation.name_of(column).to_string(), message))
        });
        ids.collect()
    };
    let plain = config.plain.iter();
    let faults = plain.flat_map(|(column, line)| {
        let faults = faults(column).into_iter();
        faults.map(move |(column, message)| (column, message, *line))
    });
    faults
        .map(|(column, message, line)| Finding::column("plain", &column, message).on(line))
        .collect()
}

/// What is to be said of a column that nothing has been decided on, and that is closed or not.
fn open(proposal: &Proposal, is_closed: bool) -> Finding {
    let Proposal {
        column, evidence, ..
    } = proposal;
    let by = match evidence.split_once(':') {
        Some((by, _)) => by,
        None => evidence,
    };
    let shown = match is_closed {
        true => "what reads it is refused",
        false => "its values are shown as they are",
    };
    let (code, message) = match &proposal.what {
        What::Key(_) if proposal.certain => ("key", format!("a key without annotation; {shown}")),
        What::Key(_) => (
            "key",
            format!("a key without annotation, as it seems; {shown} ({evidence})"),
        ),
        What::Reference(whose) if whose.configured => (
            "reference",
            format!(
                "{by} it holds ids of `{}`; add it to references",
                whose.domain
            ),
        ),
        What::Reference(whose) => (
            "reference",
            format!(
                "{by} it holds keys of {}, which have no ids yet",
                whose.column
            ),
        ),
        What::Pair { by, .. } => (
            "pair",
            format!(
                "by its name it holds keys of several tables, as {by} tells; add a [[polymorphic]]"
            ),
        ),
        What::Unknown => (
            "reference",
            "by its name it holds keys, nobody knows of what; add it to references".to_owned(),
        ),
        What::Document => (
            "document",
            format!("{evidence}; add an [[id.json]] for each path"),
        ),
        What::Unfit => (
            "unfit-key",
            format!("a key that can have no ids ({evidence}); {shown}"),
        ),
    };
    Finding::column(code, column, message)
}
