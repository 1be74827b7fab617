//! `pgveil demo`: a throwaway Postgres with a sample shop, the proxy before it, and a tour that
//! shows the same rows from both sides. Leaves no process and no file behind.

mod table;
mod tour;

use std::io::Write;
use std::net::SocketAddr;
use std::path::Path;

use clap::Args;
use tokio::signal::unix::{SignalKind, signal};
use tokio_postgres::{Client, NoTls};

use super::{CliError, Outcome};
use crate::codec::Secret;
use crate::config::{Config, ConfigError, Environment, Files};
use crate::postgres::{Options, Postgres};
use crate::proxy::{ProxyError, Server};

const SHOP: &str = include_str!("shop.sql");
const CONFIG: &str = include_str!("shop.toml");
const DATABASE: &str = "postgres";

/// Where the proxy listens if nobody else does.
const PORT: u16 = 6432;

#[derive(Debug, Args)]
pub(super) struct Demo {
    /// Exit after the tour instead of staying up.
    #[arg(long)]
    once: bool,
}

impl Demo {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<Outcome, CliError> {
        writeln!(out, "Starting a throwaway Postgres …")?;
        let postgres = Postgres::start(&Options::from_env())?;
        let runtime = tokio::runtime::Runtime::new()?;
        runtime.block_on(demonstrate(&postgres, self.once, out))?;
        Ok(Outcome::Success)
    }
}

async fn demonstrate(postgres: &Postgres, once: bool, out: &mut dyn Write) -> Result<(), CliError> {
    // Installed first, so that an impatient Ctrl-C leaves nothing behind either.
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    let show = async {
        let inside = connect(&postgres.url(DATABASE)).await?;
        inside.batch_execute(SHOP).await?;
        let (server, address) = proxy(postgres, out).await?;
        let url = format!("postgres://{}@{address}/{DATABASE}", postgres.superuser());
        let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
        let serving = tokio::spawn(server.run(async move {
            // Both a message and its sender's end mean: stop.
            let _ = stopped.await;
        }));
        tour::tour(&inside, &connect(&url).await?, out).await?;
        if !once {
            writeln!(
                out,
                "\nThe proxy stays up. In another terminal:\n\n    psql {url}\n"
            )?;
            writeln!(
                out,
                "Ctrl-C stops proxy and Postgres and deletes everything."
            )?;
            out.flush()?;
            std::future::pending::<()>().await;
        }
        drop(stop);
        // The sessions of the tour end with their clients; a task that failed is gone anyway.
        let _ = serving.await;
        Ok(())
    };
    tokio::select! {
        shown = show => shown,
        _ = interrupt.recv() => Ok(()),
        _ = terminate.recv() => Ok(()),
    }
}

/// The proxy before `postgres`, with a new key.
async fn proxy(postgres: &Postgres, out: &mut dyn Write) -> Result<(Server, SocketAddr), CliError> {
    let key = Secret::generate_hex()?;
    let upstream = format!("{}:{}", postgres.host(), postgres.port());
    let config = |port: u16| {
        let text = format!(
            "{CONFIG}\n[server]\nlisten = [\"127.0.0.1:{port}\"]\n[upstream]\naddress = \"{upstream}\"\n"
        );
        let around = Environment {
            folder: Path::new("."),
            env: &|name| (name == "DEMO_KEY").then(|| key.to_string()),
        };
        Config::parse(&text, &around).map_err(|faults| ConfigError::Faulty {
            files: Files::of(Path::new("shop.toml")),
            faults,
        })
    };
    let server = match Server::bind(config(PORT)?).await {
        Err(ProxyError::Listen { .. }) => {
            writeln!(
                out,
                "Port {PORT} is taken, so the proxy listens at another one."
            )?;
            Server::bind(config(0)?).await?
        }
        server => server?,
    };
    let address = server.local_addr().ok_or(CliError::NoAddress)?;
    writeln!(
        out,
        "Postgres is at {upstream} (inside), pgveil at {address} (outside)."
    )?;
    Ok((server, address))
}

async fn connect(url: &str) -> Result<Client, CliError> {
    let (client, connection) = tokio_postgres::connect(url, NoTls).await?;
    // Its end shows at the client, too.
    tokio::spawn(connection);
    Ok(client)
}
