//! `pgveil serve`: runs the proxy in the foreground until SIGTERM or SIGINT, which drain it; the
//! second one ends it at once.

use std::cell::RefCell;
use std::io;
use std::panic::{self, PanicHookInfo};
use std::path::Path;

use clap::Args;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::watch;
use tracing::{error, info, warn};

use super::progress::{Progress, Slow, Step, is_terminal};
use super::{CliError, ConfigFile, Outcome, log};
use crate::config::{Building, Config, ConfigError, Fault};
use crate::proxy::{Reload, Server};

/// The stack of a thread: a tree of some thousand levels is walked on it, and only for a deeper one
/// another is mapped and given back. Only what has been used of it takes memory.
const STACK_BYTES: usize = 16 << 20;

#[derive(Debug, Args)]
pub(super) struct Serve {
    #[command(flatten)]
    file: ConfigFile,
}

impl Serve {
    pub(super) fn run(self) -> Result<Outcome, CliError> {
        log::start(&Config::peek_log(&self.file.config)?);
        panic::set_hook(Box::new(log_panic));
        let config = load(&self.file.config)?;
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .enable_all()
            .thread_stack_size(STACK_BYTES)
            .build()?;
        runtime.block_on(serve(config, &self.file.config))?;
        Ok(Outcome::Success)
    }
}

async fn serve(config: Config, file: &Path) -> Result<(), CliError> {
    // Installed first: a signal that comes while the listeners open is not lost.
    let terminate = signal(SignalKind::terminate())?;
    let interrupt = signal(SignalKind::interrupt())?;
    let hangup = signal(SignalKind::hangup())?;
    let listen: Vec<String> = config.listen.iter().map(ToString::to_string).collect();
    let (listen, upstream) = (listen.join(", "), config.upstream.to_string());
    let domains = config.domains.len();
    let server = Server::bind(config).await?;
    info!(listen, upstream, domains, "serving");
    let reloading = reload_on(hangup, server.reload(), file);
    let stops = watch::Sender::new(0);
    let (mut first, mut second) = (stops.subscribe(), stops.subscribe());
    let stop = async {
        let _ = first.wait_for(|stops| *stops >= 1).await;
    };
    let at_once = async {
        let _ = second.wait_for(|stops| *stops >= 2).await;
    };
    tokio::select! {
        () = server.run_until(stop, at_once) => {}
        () = count_stops(terminate, interrupt, &stops) => {}
        () = reloading => {}
    }
    Ok(())
}

/// Counts the signals that end the proxy.
async fn count_stops(mut terminate: Signal, mut interrupt: Signal, stops: &watch::Sender<usize>) {
    loop {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
        stops.send_modify(|stops| *stops += 1);
    }
}

/// Reads the file anew at each signal. A faulty file changes nothing. Key sources may be slow
/// programs and counters take their time, so that has a thread of its own.
async fn reload_on(mut hangup: Signal, reload: Reload, file: &Path) {
    while hangup.recv().await.is_some() {
        let file = file.to_owned();
        match tokio::task::spawn_blocking(move || load(&file)).await {
            Ok(Ok(config)) => {
                reload.apply(config);
                continue;
            }
            Ok(Err(faults)) => error!(%faults, "the configuration is not reloaded"),
            Err(panic) => error!(%panic, "the configuration is not reloaded"),
        }
        reload.count_failure();
    }
    std::future::pending().await
}

/// Loads a configuration and logs what an operator should know of it.
fn load(file: &Path) -> Result<Config, ConfigError> {
    let config = if is_terminal() {
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
        stderr,
    } in &config.warnings
    {
        warn!(line, advice, stderr, "{cause}");
    }
    Ok(config)
}

/// Logs where a panic, a fault of pgveil's own, was raised. What it says may hold a value.
fn log_panic(panic: &PanicHookInfo<'_>) {
    let place = panic.location().map(ToString::to_string);
    error!(place, "a fault of pgveil's own");
}
