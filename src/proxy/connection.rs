//! One client from its first byte to its last: the entry, the relay, the farewell, with one line
//! in the log for the beginning of its session and one for the end.

use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::time::{Instant, Sleep, sleep};

use super::buffers::Buffers;
use super::catalogs::Supply;
use super::leg::Leg;
use super::relay::{End, Relay, Stop};
use super::settings::Settings;
use super::startup::Request;
use super::stream::Stream;
use super::tally::Tallies;
use super::waiting::{Place, Stage, Waiting};
use crate::audit::{self, Event};
use crate::session::{Fatal, Session};

/// What is left of the life of the proxy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Phase {
    /// Serving.
    Open,
    /// Sessions end when they are idle.
    Draining,
    /// Sessions end at once.
    Closing,
}

/// A client that was let in, and what it needs.
pub(super) struct Connection {
    pub(super) peer: String,
    pub(super) settings: Arc<Settings>,
    pub(super) phase: watch::Receiver<Phase>,
    /// One permit for each session that may run at once.
    pub(super) sessions: Arc<Semaphore>,
    pub(super) buffers: Arc<Buffers>,
    pub(super) waiting: Arc<Waiting>,
    pub(super) place: Place,
    pub(super) tallies: Tallies,
}

/// A session that Postgres has let in.
pub(super) struct Admitted {
    pub(super) request: Request,
    pub(super) client: Leg,
    pub(super) server: Leg,
    /// Counts against `max_connections` as long as it lives.
    pub(super) permit: OwnedSemaphorePermit,
}

impl Connection {
    /// Serves one client until it is gone.
    pub(super) async fn serve(mut self, stream: Stream) {
        // Boxed, so that an idle session does not carry the memory of its startup.
        if let Some(admitted) = Box::pin(self.admit(stream)).await {
            self.place.turn(Stage::In);
            self.run(admitted).await;
        }
    }

    /// Runs the session.
    async fn run(&mut self, admitted: Admitted) {
        let Admitted {
            request,
            client,
            server,
            permit: _permit,
        } = admitted;
        let user = request.user.escape_ascii().to_string();
        let database = request.database.escape_ascii().to_string();
        let mode = self.settings.mode(&request.user);
        let ends = audit::Session {
            peer: self.peer.clone(),
            user,
            database,
        };
        let begin = Event::SessionStart {
            session: ends.clone(),
            mode: mode.as_str(),
        };
        begin.emit();
        let started = Instant::now();

        let catalogs = self.settings.catalogs.database(&request.database);
        let session = Session::new(Arc::clone(&self.settings.shared), mode);
        let mut relay = {
            let since = self.settings.since;
            Relay::new(client, server, session, since, catalogs.news())
        };
        drop(request);
        let end = self.relay(&mut relay, &catalogs).await;

        let seconds = started.elapsed().as_secs_f64();
        let (reason, sqlstate) = match &end {
            End::Closed => (None, None),
            End::ClientLost(error) => (Some(format!("client lost: {error}")), None),
            End::Fatal(fatal) => (Some(fatal.to_string()), Some(fatal.sqlstate())),
        };
        let over = Event::SessionEnd {
            session: ends,
            seconds,
            reason,
            sqlstate,
        };
        over.emit();
        if !matches!(end, End::ClientLost(_)) {
            let words = std::mem::take(relay.session.to_client());
            let client = relay.into_client();
            client.farewell(words).await;
        }
    }

    /// Drives the relay, brings it the catalog that it asks for, and hears of the end.
    async fn relay(&mut self, relay: &mut Relay, catalogs: &super::catalogs::Database) -> End {
        let max_age = self.settings.config.limits.catalog_max_age;
        let mut loading = None;
        let mut serving = true;
        let idle_timeout = self.settings.config.limits.idle_timeout;
        // Boxed, so that sessions without the timeout do not carry a timer.
        let mut alarm = idle_timeout.map(|after| Box::pin(sleep(after)));
        loop {
            let stop = tokio::select! {
                biased;
                stop = poll_fn(|cx| relay.poll(cx)) => stop,
                _ = self.phase.changed(), if serving => {
                    let phase = *self.phase.borrow_and_update();
                    match phase {
                        Phase::Open => {}
                        Phase::Draining => relay.drain(),
                        Phase::Closing => {
                            serving = false;
                            relay.close();
                        }
                    }
                    continue;
                }
                after = ring(&mut alarm, idle_timeout) => {
                    match relay.patience(after) {
                        Some(left) => alarm = Some(Box::pin(sleep(left))),
                        None => {
                            relay.session.end(&Fatal::Idle);
                            return End::Fatal(Fatal::Idle);
                        }
                    }
                    continue;
                }
            };
            match stop {
                Stop::NeedsCatalog => match catalogs.supply(max_age).await {
                    Supply::Use(catalog) => relay.session.use_catalog(catalog),
                    Supply::Load(permit, old) => {
                        loading = permit;
                        relay.session.load_catalog(old);
                    }
                },
                Stop::Loaded(catalog) => {
                    catalogs.publish(catalog);
                    loading = None;
                }
                Stop::End(end) => {
                    drop(loading);
                    return end;
                }
            }
        }
    }
}

/// Waits for the alarm and gives the idle timeout that set it; for ever without one.
async fn ring(alarm: &mut Option<Pin<Box<Sleep>>>, after: Option<Duration>) -> Duration {
    match (alarm, after) {
        (Some(alarm), Some(after)) => {
            alarm.await;
            after
        }
        _ => std::future::pending().await,
    }
}
