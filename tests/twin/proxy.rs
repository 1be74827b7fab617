//! pgveil itself, in this process, in front of a server.

use std::net::SocketAddr;
use std::path::Path;
use std::thread::JoinHandle;
use std::time::Duration;

use pgveil::config::{CatalogShows, Config, Environment, Mode};
use pgveil::proxy::Server;
use tokio::runtime::Runtime;
use tokio::sync::oneshot;

use super::client::Address;
use super::kind::Kind;
use super::pgbouncer::PgBouncer;

const CONFIG: &str = include_str!("pgveil.toml");

/// A proxy that runs until it is dropped.
pub(crate) struct Proxy {
    pub(crate) address: Address,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
    pooler: Option<PgBouncer>,
}

fn pooler(before: &Address) -> Result<PgBouncer, String> {
    let more = "ignore_startup_parameters = extra_float_digits,options";
    PgBouncer::start((&before.host, before.port), "transaction", 2, more)
}

fn address_of(pooler: &PgBouncer) -> Address {
    Address {
        host: "127.0.0.1".to_owned(),
        port: pooler.port,
    }
}

/// The configuration of the tests, for this server and some free port.
pub(crate) fn config(upstream: &Address) -> Result<Config, String> {
    filled(CONFIG, upstream)
}

/// This configuration, for this server and some free port.
pub(crate) fn filled(text: &str, upstream: &Address) -> Result<Config, String> {
    let text = text.replace("{listen}", "127.0.0.1:0").replace(
        "{upstream}",
        &format!("{}:{}", upstream.host, upstream.port),
    );
    let around = Environment {
        folder: Path::new(""),
        env: &|name| (name == "TWIN_KEY").then(|| "5eed".repeat(16)),
    };
    Config::parse(&text, &around).map_err(|faults| format!("{faults:?}"))
}

impl Proxy {
    /// Starts one in front of this server.
    pub(crate) fn start(upstream: &Address) -> Result<Self, String> {
        Self::with(config(upstream)?)
    }

    /// Starts one for the basic schema of this kind.
    pub(crate) fn of(kind: Kind, mode: Mode, upstream: &Address) -> Result<Self, String> {
        let mut config = filled(&kind.config(), upstream)?;
        config.policy.mode = mode;
        Self::with(config)
    }

    /// Starts one that looks at the database before each batch.
    pub(crate) fn watchful(upstream: &Address) -> Result<Self, String> {
        let mut config = config(upstream)?;
        config.limits.catalog_max_age = Duration::ZERO;
        Self::with(config)
    }

    /// Starts one that passes on what it would refuse.
    pub(crate) fn auditing(upstream: &Address) -> Result<Self, String> {
        let mut config = config(upstream)?;
        config.policy.mode = Mode::Audit;
        Self::with(config)
    }

    /// Starts one behind which the catalogs say what is stored.
    pub(crate) fn truthful(upstream: &Address) -> Result<Self, String> {
        let mut config = config(upstream)?;
        config.policy.catalog = CatalogShows::Truth;
        Self::with(config)
    }

    /// Starts one behind which a PgBouncer takes a connection for each transaction.
    pub(crate) fn before_a_pooler(upstream: &Address) -> Result<Self, String> {
        let pooler = pooler(upstream)?;
        let mut config = config(&address_of(&pooler))?;
        config.upstream_pooled = true;
        let mut proxy = Self::with(config)?;
        proxy.pooler = Some(pooler);
        Ok(proxy)
    }

    /// Starts one, and such a PgBouncer through which it is reached.
    pub(crate) fn behind_a_pooler(upstream: &Address) -> Result<Self, String> {
        let mut proxy = Self::start(upstream)?;
        let pooler = pooler(&proxy.address)?;
        proxy.address = address_of(&pooler);
        proxy.pooler = Some(pooler);
        Ok(proxy)
    }

    /// Starts one with this configuration.
    pub(crate) fn with(config: Config) -> Result<Self, String> {
        let runtime = Runtime::new().map_err(|error| error.to_string())?;
        let server = runtime
            .block_on(Server::bind(config))
            .map_err(|error| error.to_string())?;
        let local: SocketAddr = server.local_addr().ok_or("the proxy listens nowhere")?;
        let (stop, stopped) = oneshot::channel();
        let thread = std::thread::spawn(move || {
            runtime.block_on(server.run(async {
                // An error only says that the sender is gone, which means the same.
                let _ = stopped.await;
            }));
        });
        Ok(Self {
            address: Address {
                host: local.ip().to_string(),
                port: local.port(),
            },
            stop: Some(stop),
            thread: Some(thread),
            pooler: None,
        })
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
