//! Asks a live database for its catalog, for the commands that analyse without a proxy.

use clap::Args;
use tokio_postgres::config::Host;
use tokio_postgres::{Client, NoTls, SimpleQueryMessage, SimpleQueryRow};

use super::CliError;
use crate::catalog::{IdAnnotation, Loader, SearchPath, Snapshot};
use crate::config::Config;

/// Which database to ask.
#[derive(Debug, Args)]
pub(super) struct DatabaseUrl {
    /// The database itself, not the proxy.
    #[arg(long, env = "DATABASE_URL", hide_env_values = true, value_name = "URL")]
    database_url: Option<String>,
}

/// What sessions of the commands are called, in logs and in `pg_stat_activity`.
pub(super) const PROGRAM: &str = "pgveil";

/// A database as far as the analysis needs to know it.
pub(super) struct Database {
    pub(super) snapshot: Snapshot,
    pub(super) search_path: SearchPath,
}

impl DatabaseUrl {
    /// Whether a database was named.
    pub(super) fn is_given(&self) -> bool {
        self.database_url.is_some()
    }

    /// Runs `questions` on a connection.
    pub(super) fn ask<T>(
        &self,
        questions: impl AsyncFnOnce(&Client) -> Result<T, CliError>,
    ) -> Result<T, CliError> {
        let url = self.database_url.as_deref().ok_or(CliError::NoDatabase)?;
        let mut config: tokio_postgres::Config = url.parse()?;
        if config.get_application_name().is_none() {
            config.application_name(PROGRAM);
        }
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        runtime.block_on(async {
            let (client, connection) = config.connect(NoTls).await?;
            let connection = tokio::spawn(connection);
            let answer = questions(&client).await;
            connection.abort();
            answer
        })
    }

    /// The same in one transaction that writes nothing, so that all questions are about one moment.
    pub(super) fn ask_once<T>(
        &self,
        questions: impl AsyncFnOnce(&Client) -> Result<T, CliError>,
    ) -> Result<T, CliError> {
        self.ask(async |client| {
            client.batch_execute(ONE_MOMENT).await?;
            questions(client).await
        })
    }

    /// Where the database is, as `upstream.address` says it.
    pub(super) fn address(&self) -> Result<String, CliError> {
        let url = self.database_url.as_deref().ok_or(CliError::NoDatabase)?;
        let config: tokio_postgres::Config = url.parse()?;
        let port = config.get_ports().first().copied().unwrap_or(5432);
        Ok(match config.get_hosts().first() {
            Some(Host::Tcp(host)) if host.contains(':') => format!("[{host}]:{port}"),
            Some(Host::Tcp(host)) => format!("{host}:{port}"),
            #[cfg(unix)]
            Some(Host::Unix(folder)) => format!("unix:{}:{port}", folder.display()),
            None => format!("127.0.0.1:{port}"),
        })
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
            .showing(config.policy.catalog);
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
        let loaded = loader.finish()?;
        Ok(Self {
            snapshot: loaded.snapshot.with(&loaded.temporary),
            search_path: loaded.path,
        })
    }
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
