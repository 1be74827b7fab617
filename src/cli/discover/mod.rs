//! `pgveil discover`: a configuration for a live database, and whether there is something to decide
//! on. Reads catalogs only, in one read-only
//! transaction: no key is read, and none printed.
//!
//! The engine is that of `pgveil check` too: `survey` asks the database, `keys`, `references` and
//! `documents` say what a column could be, `engine` puts it together, and `page` writes it down. What
//! the catalogs alone tell of keys is in `catalog::keys`, as the proxy asks that too.

mod documents;
mod engine;
mod keys;
mod page;
mod proposal;
mod references;
mod survey;
mod targets;

use std::io::Write;
use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::database::{Database, DatabaseUrl, about};
use super::{CliError, Outcome};
use crate::config::NamePattern;

pub(super) use engine::propose;
pub(super) use proposal::{Decided, Proposal, What};
pub(super) use survey::Survey;

#[derive(Debug, Args)]
pub(super) struct Discover {
    #[command(flatten)]
    url: DatabaseUrl,
    /// Print only what this configuration has not decided yet.
    #[arg(long, value_name = "FILE")]
    against: Option<PathBuf>,
    /// What ids are to be: UUIDs, or integers where keys are integers.
    #[arg(long, value_enum, default_value_t = Ids::Uuid, value_name = "IDS")]
    ids: Ids,
    /// Only schemas of this name, in which * stands for anything; may be given several times.
    #[arg(long = "schema", value_name = "PATTERN", num_args = 1..)]
    schemas: Vec<String>,
}

/// What ids are to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Ids {
    /// UUIDs.
    Uuid,
    /// Values of the type of the key.
    Native,
}

impl Discover {
    pub(super) fn run(
        self,
        out: &mut dyn Write,
        notes: &mut dyn Write,
    ) -> Result<Outcome, CliError> {
        let load = |file: &PathBuf| super::load(file, &mut *notes);
        let config = self.against.as_ref().map(load).transpose()?;
        let (found, views, decided) =
            self.url.ask_once(config.as_ref(), notes, async |client| {
                let config = match &config {
                    Some(config) => Some(about(client, config).await?.0),
                    None => None,
                };
                let database = match &config {
                    Some(config) => Database::load(client, config).await?,
                    None => Database::load_under(client, Vec::new()).await?,
                };
                let survey = Survey::read(client, &database).await?;
                let decided = config.as_ref().map(Decided::by).unwrap_or_default();
                let found = propose(&survey, &decided, self.ids);
                let views = survey.views();
                Ok((found, views, config))
            })?;
        let (found, views) = (self.within(found), self.count(&views));
        let is_new = self.against.is_some();
        let mut proposals = found.proposals.iter();
        let outcome = match proposals.any(|proposal| is_new || !proposal.certain) {
            true => Outcome::Finding,
            false => Outcome::Success,
        };
        let page = page::Page {
            found: &found,
            views,
            config: decided.as_ref(),
        };
        let address = self.url.address(config.as_ref())?;
        match &self.against {
            None => page.whole(out, &address)?,
            Some(file) => page.news(out, file)?,
        }
        Ok(outcome)
    }

    /// What is in the schemas that were asked for.
    fn within(&self, mut found: proposal::Found) -> proposal::Found {
        found
            .proposals
            .retain(|proposal| self.wants(&proposal.column.schema));
        found
            .left_out
            .retain(|(column, _)| self.wants(&column.schema));
        found
    }

    fn count(&self, views: &[(String, usize)]) -> usize {
        let views = views.iter().filter(|(schema, _)| self.wants(schema));
        views.map(|(_, count)| count).sum()
    }

    fn wants(&self, schema: &str) -> bool {
        let mut patterns = self.schemas.iter();
        self.schemas.is_empty() || patterns.any(|pattern| NamePattern::new(pattern).matches(schema))
    }
}
