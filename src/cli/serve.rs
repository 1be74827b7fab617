//! `pgveil serve`: runs the proxy in the foreground until SIGTERM or SIGINT, which drain it; the
//! second one ends it at once.

use std::cell::RefCell;
use std::io;
use std::panic::{self, PanicHookInfo};
use std::path::PathBuf;

use clap::Args;
use sd_notify::NotifyState;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::{mpsc, oneshot, watch};
use tracing::{error, info, warn};

use super::log::{self, Logging};
use super::progress::{Progress, Slow, Step, is_terminal};
use super::{CliError, ConfigFile, Outcome, Overriding};
use crate::admin::{Admin, Controls, SetLevel};
use crate::config::{AdminAddress, Building, Config, ConfigError, Fault, Overrides};
use crate::proxy::{Reload, Server};

#[derive(Debug, Args)]
pub(super) struct Serve {
    #[command(flatten)]
    file: ConfigFile,
    #[command(flatten)]
    overriding: Overriding,
}

/// Where the configuration comes from, at the start and at each reload.
#[derive(Debug, Clone)]
struct Source {
    file: PathBuf,
    overrides: Overrides,
}

impl Serve {
    pub(super) fn run(self) -> Result<Outcome, CliError> {
        let source = Source {
            file: self.file.path()?,
            overrides: self.overriding.into_overrides(),
        };
        let logging = log::start(&Config::peek_log(&source.file, &source.overrides)?)?;
        panic::set_hook(Box::new(log_panic));
        let config = load(&source)?;
        // Clients are served by threads of their own.
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        runtime.block_on(serve(config, &source, &logging))?;
        Ok(Outcome::Success)
    }
}

async fn serve(config: Config, source: &Source, logging: &Logging) -> Result<(), CliError> {
    // Installed first: a signal that comes while the listeners open is not lost.
    let terminate = signal(SignalKind::terminate())?;
    let interrupt = signal(SignalKind::interrupt())?;
    let hangup = signal(SignalKind::hangup())?;
    let listen: Vec<String> = config.listen.iter().map(ToString::to_string).collect();
    let (listen, upstream) = (listen.join(", "), config.upstream.to_string());
    let domains = config.domains.len();
    let settings = config.admin.clone();
    let level = config.log.level.clone();
    let server = Server::bind(config).await?;
    logging.count_in(server.vitals().counters());
    let (stops, drain) = (watch::Sender::new(0), watch::Sender::new(false));
    // One waits at most.
    let (reloads, asked) = mpsc::channel(1);
    let controls = Controls {
        reloads,
        drain: drain.clone(),
        set_level: logging.set_level.clone(),
    };
    let admin = Admin::bind(&settings, &server.vitals(), &controls).await?;
    drop(controls);
    info!(listen, upstream, domains, "serving");
    tell(&[NotifyState::Ready]);
    if settings.is_somewhere() {
        let (listen, probes) = (settings.listen, settings.probes);
        let console = settings.console.map(|address| address.to_string());
        let shown = |address: Option<_>| address.map(|address: AdminAddress| address.to_string());
        info!(
            listen = shown(listen),
            probes = shown(probes),
            console,
            "the admin endpoint is there"
        );
    }
    let reloading = Reloading {
        reload: server.reload(),
        source,
        set_level: &logging.set_level,
        level,
    };
    let reloading = reloading.run(hangup, asked);
    let (mut first, mut second) = (stops.subscribe(), stops.subscribe());
    let mut told = drain.subscribe();
    let stop = async {
        tokio::select! {
            _ = first.wait_for(|stops| *stops >= 1) => {}
            _ = told.wait_for(|drain| *drain) => {}
        }
        tell(&[NotifyState::Stopping]);
    };
    let at_once = async {
        let _ = second.wait_for(|stops| *stops >= 2).await;
    };
    tokio::select! {
        () = server.run_until(stop, at_once) => {}
        () = count_stops(terminate, interrupt, &stops) => {}
        () = reloading => {}
        () = admin.run() => {}
    }
    Ok(())
}

/// Tells systemd how it is, if that has started it and wants to hear.
fn tell(state: &[NotifyState<'_>]) {
    if let Err(error) = sd_notify::notify(state) {
        warn!(%error, "systemd can't be told");
    }
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

/// What reads the file anew.
struct Reloading<'s> {
    reload: Reload,
    source: &'s Source,
    set_level: &'s SetLevel,
    /// The level of the log in the file that was taken last.
    level: String,
}

impl Reloading<'_> {
    /// Reads the file anew at each signal, and for whoever asks the admin endpoint for it, who hears
    /// whether it was taken.
    async fn run(mut self, mut hangup: Signal, mut asked: mpsc::Receiver<oneshot::Sender<bool>>) {
        loop {
            let waiting = tokio::select! {
                Some(()) = hangup.recv() => None,
                Some(waiting) = asked.recv() => Some(waiting),
                else => return std::future::pending().await,
            };
            if let Ok(now) = NotifyState::monotonic_usec_now() {
                tell(&[NotifyState::Reloading, now]);
            }
            let taken = self.once().await;
            tell(&[NotifyState::Ready]);
            if let Some(waiting) = waiting {
                // Whoever has asked may be gone.
                let _ = waiting.send(taken);
            }
        }
    }

    /// Reads the file anew, and says whether it was taken. A faulty file changes nothing. Key sources
    /// may be slow programs and counters take their time, so that has a thread of its own.
    async fn once(&mut self) -> bool {
        let source = self.source.clone();
        match tokio::task::spawn_blocking(move || load(&source)).await {
            Ok(Ok(config)) => {
                let level = config.log.level.clone();
                let taken = self.reload.apply(config);
                if taken {
                    self.apply_level(level);
                }
                return taken;
            }
            Ok(Err(faults)) => error!(%faults, "the configuration is not reloaded"),
            Err(panic) => error!(%panic, "the configuration is not reloaded"),
        }
        self.reload.count_failure();
        false
    }

    /// Sets the level of the log if the file says another one than before; one that the admin endpoint
    /// has set stays as long as it does not.
    fn apply_level(&mut self, level: String) {
        if level == self.level {
            return;
        }
        match (self.set_level)(&level) {
            true => info!(level, "the level of the log is another one now"),
            false => warn!(level, "the level of the log changes with a restart only"),
        }
        self.level = level;
    }
}

/// Loads a configuration and logs what an operator should know of it.
fn load(source: &Source) -> Result<Config, ConfigError> {
    let Source { file, overrides } = source;
    let config = if is_terminal() {
        let mut stderr = io::stderr();
        let progress = RefCell::new(Progress::new(&mut stderr));
        let tell = |building: Building<'_>| progress.borrow_mut().building(building);
        Config::load_with_progress(file, overrides, &tell)?
    } else {
        let telling = RefCell::new(Slow::default());
        let tell = |building: Building<'_>| match telling.borrow_mut().step(building) {
            Some(Step::Begins) => info!(domain = building.domain, "building counters"),
            Some(Step::Ends(took)) => {
                info!(domain = building.domain, ?took, "counters built");
            }
            None => {}
        };
        Config::load_with_progress(file, overrides, &tell)?
    };
    for Fault {
        line,
        cause,
        advice,
        stderr,
    } in &config.warnings
    {
        let (file, line) = config.files().place(*line);
        warn!(file = %file.display(), line, advice, stderr, "{cause}");
    }
    Ok(config)
}

/// Logs where a panic, a fault of pgveil's own, was raised. What it says may hold a value.
fn log_panic(panic: &PanicHookInfo<'_>) {
    let place = panic.location().map(ToString::to_string);
    error!(place, "a fault of pgveil's own");
}
