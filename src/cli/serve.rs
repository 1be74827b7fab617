//! `pgveil serve`: runs the proxy in the foreground until SIGTERM or SIGINT.

use std::cell::RefCell;
use std::fs;
use std::io::{self, IsTerminal};
use std::path::Path;

use clap::Args;
use tokio::signal::unix::{SignalKind, signal};
use tracing::{error, info, warn};
use tracing_subscriber::EnvFilter;

use super::progress::{Progress, Slow, Step};
use super::{CliError, ConfigFile, Outcome};
use crate::config::{Building, Config, ConfigError, Fault, Log, LogFormat};
use crate::proxy::{Reload, Server, limits};

#[derive(Debug, Args)]
pub(super) struct Serve {
    #[command(flatten)]
    file: ConfigFile,
}

impl Serve {
    pub(super) fn run(self) -> Result<Outcome, CliError> {
        start_log(&Config::peek_log(&self.file.config)?);
        let config = load(&self.file.config)?;
        warn_of_few_descriptors(config.max_connections);
        let runtime = tokio::runtime::Runtime::new()?;
        runtime.block_on(serve(config, &self.file.config))?;
        Ok(Outcome::Success)
    }
}

async fn serve(config: Config, file: &Path) -> Result<(), CliError> {
    // Installed first: a signal that comes while the listeners open is not lost.
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    let hangup = signal(SignalKind::hangup())?;
    let listen: Vec<String> = config.listen.iter().map(ToString::to_string).collect();
    let (listen, upstream) = (listen.join(", "), config.upstream.to_string());
    let domains = config.domains.len();
    let server = Server::bind(config).await?;
    info!(listen, upstream, domains, "serving");
    let reloading = reload_on(hangup, server.reload(), file);
    let stop = async {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
            () = reloading => {}
        }
    };
    server.run(stop).await;
    Ok(())
}

/// Reads the file anew at each signal. A faulty file changes nothing. Key sources may be slow
/// programs and counters take their time, so that has a thread of its own.
async fn reload_on(mut hangup: tokio::signal::unix::Signal, reload: Reload, file: &Path) {
    while hangup.recv().await.is_some() {
        let file = file.to_owned();
        match tokio::task::spawn_blocking(move || load(&file)).await {
            Ok(Ok(config)) => reload.apply(config),
            Ok(Err(faults)) => error!(%faults, "the configuration is not reloaded"),
            Err(panic) => error!(%panic, "the configuration is not reloaded"),
        }
    }
    std::future::pending().await
}

/// Loads a configuration and logs what an operator should know of it.
fn load(file: &Path) -> Result<Config, ConfigError> {
    let config = if io::stderr().is_terminal() {
        let mut stderr = io::stderr();
        let progress = RefCell::new(Progress::new(&mut stderr));
        let tell = |building: Building<'_>| progress.borrow_mut().building(building);
        Config::load_telling(file, &tell)?
    } else {
        let telling = RefCell::new(Slow::default());
        let tell = |building: Building<'_>| match telling.borrow_mut().step(building) {
            Some(Step::Begins) => info!(domain = building.domain, "building counters"),
            Some(Step::Ends(took)) => {
                info!(domain = building.domain, ?took, "counters built");
            }
            None => {}
        };
        Config::load_telling(file, &tell)?
    };
    for Fault {
        line,
        cause,
        advice,
    } in &config.warnings
    {
        warn!(line, advice, "{cause}");
    }
    Ok(config)
}

/// Sends log records to standard error.
fn start_log(log: &Log) {
    let filter = EnvFilter::builder().parse_lossy(&log.level);
    let builder = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(io::stderr)
        .with_ansi(io::stderr().is_terminal());
    // Fails only if a subscriber is set already; then that one gets the records.
    let _ = match log.format {
        LogFormat::Json => builder.json().flatten_event(true).try_init(),
        LogFormat::Pretty => builder.try_init(),
    };
}

/// A session has two sockets. The limit of the process is often 1024, less than the default
/// number of connections needs.
fn warn_of_few_descriptors(max_connections: usize) {
    let needed = 2 * max_connections + limits::STARTUP_SURPLUS;
    let limit = fs::read_to_string("/proc/self/limits")
        .ok()
        .and_then(|limits| {
            let line = limits
                .lines()
                .find(|line| line.starts_with("Max open files"))?;
            line.split_whitespace().nth(3)?.parse::<usize>().ok()
        });
    if let Some(limit) = limit.filter(|limit| *limit < needed) {
        let advice = "raise the limit (ulimit -n, LimitNOFILE) or lower server.max_connections";
        warn!(
            limit,
            needed, advice, "too few file descriptors for max_connections"
        );
    }
}
