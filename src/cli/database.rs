//! Asks a live database for its catalog, for the commands that analyse without a proxy.

use std::io::Write;
use std::sync::Arc;

use clap::Args;
use tokio_postgres::{Client, SimpleQueryMessage, SimpleQueryRow};

use super::CliError;
use super::target::{self, Target};
use crate::catalog::{IdAnnotation, Loader, SearchPath, Snapshot, Told};
use crate::config::Config;

/// Which database to ask.
#[derive(Debug, Args)]
pub(super) struct DatabaseUrl {
    /// The database itself, not the proxy, as libpq reads it; PG* variables, services and ~/.pgpass
    /// count too
    #[arg(long, env = "DATABASE_URL", hide_env_values = true, value_name = "URL")]
    database_url: Option<String>,
}

/// A database as far as the analysis needs to know it.
pub(super) struct Database {
    pub(super) snapshot: Snapshot,
    pub(super) search_path: SearchPath,
    /// What it has told of itself.
    pub(super) told: Arc<Told>,
}

impl DatabaseUrl {
    /// Whether a database was named.
    pub(super) fn is_given(&self) -> bool {
        self.database_url.is_some() || target::is_in_environment()
    }

    /// Runs `questions` on a connection. Where no database is named, it is the one that a
    /// configuration stands in front of.
    pub(super) fn ask<T>(
        &self,
        file: Option<&Config>,
        notes: &mut dyn Write,
        questions: impl AsyncFnOnce(&Client) -> Result<T, CliError>,
    ) -> Result<T, CliError> {
        let target = self.target(file)?;
        for warning in target.warnings() {
            writeln!(notes, "warning: {warning}")?;
        }
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        runtime.block_on(async {
            let (client, connection) = target.connect().await?;
            let answer = questions(&client).await;
            connection.abort();
            answer
        })
    }

    /// Runs `questions` on a connection in one transaction that writes nothing, so that all of them
    /// are about one moment.
    pub(super) fn ask_once<T>(
        &self,
        file: Option<&Config>,
        notes: &mut dyn Write,
        questions: impl AsyncFnOnce(&Client) -> Result<T, CliError>,
    ) -> Result<T, CliError> {
        self.ask(file, notes, async |client| {
            client.batch_execute(ONE_MOMENT).await?;
            questions(client).await
        })
    }

    /// Where the database is, as `upstream.address` says it.
    pub(super) fn address(&self, file: Option<&Config>) -> Result<String, CliError> {
        Ok(self.target(file)?.address())
    }

    fn target(&self, file: Option<&Config>) -> Result<Target, CliError> {
        Target::new(self.database_url.as_deref(), file)
    }
}

/// How a transaction begins that only reads, and sees one state of the database.
const ONE_MOMENT: &str = "BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY";

impl Database {
    /// Loads the catalog under the annotations of a configuration.
    pub(super) async fn load(client: &Client, config: &Config) -> Result<Self, CliError> {
        let loader = Loader::new(config.annotations().into());
        let loader = loader
            .declaring(config.functions.clone())
            .notifying(config.channels.clone())
            .showing(config.policy.catalog)
            .deciding(config.decisions());
        Self::load_with(client, loader).await
    }

    /// Loads the catalog under these annotations.
    pub(super) async fn load_under(
        client: &Client,
        annotations: Vec<IdAnnotation>,
    ) -> Result<Self, CliError> {
        Self::load_with(client, Loader::new(annotations.into())).await
    }

    async fn load_with(client: &Client, mut loader: Loader) -> Result<Self, CliError> {
        for row in rows(client, &Loader::alone()).await? {
            let fields: Vec<Option<&[u8]>> = (0..row.len())
                .map(|index| row.get(index).map(str::as_bytes))
                .collect();
            loader.row(&fields)?;
        }
        let loaded = loader.finish();
        Ok(Self {
            snapshot: loaded.snapshot.with(&loaded.temporary),
            search_path: loaded.path,
            told: loaded.told,
        })
    }
}

/// A configuration as far as it is about the database that is asked, and the name of that.
pub(super) async fn about(client: &Client, config: &Config) -> Result<(Config, String), CliError> {
    let name = rows(client, "SELECT pg_catalog.current_database()").await?;
    let name = name.first().and_then(|row| row.get(0));
    let name = name.unwrap_or_default();
    Ok((config.of_database(name), name.to_owned()))
}

/// The rows of a query of the simple protocol, of all its results.
pub(super) async fn rows(client: &Client, query: &str) -> Result<Vec<SimpleQueryRow>, CliError> {
    let messages = client.simple_query(query).await?;
    let row = |message| match message {
        SimpleQueryMessage::Row(row) => Some(row),
        _ => None,
    };
    Ok(messages.into_iter().filter_map(row).collect())
}
