//! One client from its first byte to its last: opening, authentication, relay, farewell. Every
//! way out ends here, with one line in the log.

use std::future::poll_fn;
use std::io;
use std::sync::Arc;

use bytes::{Bytes, BytesMut};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, TryAcquireError, watch};
use tokio::time::{Instant, timeout};
use tracing::{debug, info, warn};

use super::authentication::{AuthenticationError, authenticate};
use super::buffers::Buffers;
use super::catalogs::Supply;
use super::leg::Leg;
use super::limits;
use super::relay::{End, Relay, Stop};
use super::settings::Settings;
use super::startup::{Opening, Request, opening};
use super::stream::Stream;
use crate::audit::{self, Event};
use crate::session::{Fatal, Session};
use crate::wire::report;

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
}

/// A session that Postgres has let in.
struct Admitted {
    request: Request,
    client: Leg,
    server: Leg,
    /// Counts against `max_connections` as long as it lives.
    permit: OwnedSemaphorePermit,
}

impl Connection {
    /// Serves one client until it is gone.
    pub(super) async fn serve(mut self, stream: Stream) {
        let limit = self.settings.config.limits.startup_timeout;
        // Boxed, so that an idle session does not carry the memory of its startup.
        let admitted = timeout(limit, Box::pin(self.admit(stream))).await;
        match admitted {
            Ok(Some(admitted)) => self.run(admitted).await,
            Ok(None) => {}
            Err(_) => info!(peer = self.peer, "startup takes too long"),
        }
    }

    /// Leads a client through opening and authentication. `None` if it ended there.
    async fn admit(&self, stream: Stream) -> Option<Admitted> {
        let mut client = Leg::new(stream, Arc::clone(&self.buffers));
        let request = match opening(&mut client).await {
            Ok(Opening::Session(request)) => request,
            Ok(Opening::Cancel(packet)) => return self.cancel(packet).await,
            Ok(Opening::OtherProtocol(packet)) => {
                return self.other_protocol(client, packet).await;
            }
            Err(error) => {
                debug!(peer = self.peer, %error, "no session");
                client.farewell(error.words()).await;
                return None;
            }
        };
        match self.enter(&mut client, &request).await {
            Ok((server, permit)) => Some(Admitted {
                request,
                client,
                server,
                permit,
            }),
            Err(refusal) => {
                self.refuse(client, &request, refusal).await;
                None
            }
        }
    }

    /// Connects and authenticates.
    async fn enter(
        &self,
        client: &mut Leg,
        request: &Request,
    ) -> Result<(Leg, OwnedSemaphorePermit), Refused> {
        if request.replication && !self.settings.bypasses(&request.user) {
            return Err(Refused::Replication);
        }
        if *self.phase.borrow() != Phase::Open {
            return Err(Refused::Closing);
        }
        let permit = Arc::clone(&self.sessions).try_acquire_owned()?;
        let mut server = self.connect().await.map_err(Refused::Upstream)?;
        server
            .write(&request.packet)
            .await
            .map_err(Refused::Upstream)?;
        authenticate(client, &mut server).await?;
        Ok((server, permit))
    }

    async fn connect(&self) -> io::Result<Leg> {
        let upstream = &self.settings.config.upstream;
        let stream = Stream::connect(upstream).await?;
        Ok(Leg::new(stream, Arc::clone(&self.buffers)))
    }

    async fn refuse(&self, client: Leg, request: &Request, refusal: Refused) {
        let user = request.user.escape_ascii();
        let database = request.database.escape_ascii();
        info!(peer = self.peer, %user, %database, reason = %refusal, "no session");
        client.farewell(refusal.words()).await;
    }

    /// Passes a cancellation on and waits until the server has taken it, since clients take the
    /// close for the sign that it arrived.
    async fn cancel(&self, packet: Bytes) -> Option<Admitted> {
        let relay = async {
            let mut server = self.connect().await?;
            server.write(&packet).await?;
            while server.read().await? > 0 {}
            io::Result::Ok(())
        };
        match timeout(limits::CANCEL_TIMEOUT, relay).await {
            Ok(Ok(())) => debug!(peer = self.peer, "cancellation passed on"),
            Ok(Err(error)) => warn!(peer = self.peer, %error, "cancellation lost"),
            Err(_) => warn!(peer = self.peer, "cancellation lost: it takes too long"),
        }
        None
    }

    /// Lets Postgres answer a protocol that is not ours, in that protocol. Nothing but its
    /// refusal can come back: no session begins.
    async fn other_protocol(&self, client: Leg, packet: Bytes) -> Option<Admitted> {
        let answer = async {
            let mut server = self.connect().await?;
            server.write(&packet).await?;
            while server.input.len() < limits::AUTHENTICATION_MESSAGE_BYTES
                && server.read().await? > 0
            {}
            io::Result::Ok(server.input)
        };
        let answer = answer.await.unwrap_or_default();
        // Only an error, whose first byte is the same in every version.
        let answer = Some(answer).filter(|answer| answer.first() == Some(&b'E'));
        debug!(peer = self.peer, "no session: another protocol");
        client.farewell(answer.unwrap_or_default()).await;
        None
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
            };
            match stop {
                Stop::NeedsCatalog => match catalogs.supply(max_age).await {
                    Supply::Use(catalog) => relay.session.use_catalog(catalog),
                    Supply::Load(permit, old) => {
                        loading = permit;
                        relay.session.load_catalog(old.as_deref());
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

/// Why a client with a sound startup packet gets no session.
#[derive(Debug, thiserror::Error)]
enum Refused {
    #[error("replication is refused")]
    Replication,
    #[error("the proxy is shutting down")]
    Closing,
    #[error("too many clients")]
    Full(#[from] TryAcquireError),
    #[error("Postgres can't be reached: {0}")]
    Upstream(io::Error),
    #[error("authentication: {0}")]
    Authentication(#[from] AuthenticationError),
}

impl Refused {
    /// What the client is told; nothing if Postgres has told it already. Never the address of
    /// Postgres, which is none of its business.
    fn words(&self) -> BytesMut {
        let mut words = BytesMut::new();
        match self {
            Self::Replication => {
                let text = "replication connections are refused: they would show internal keys";
                let detail = "Connect to Postgres itself, or with a role listed in bypass_roles.";
                report::fatal("0A000", text, Some(detail), &mut words);
            }
            Self::Closing => {
                let text = "the database system is shutting down";
                report::fatal("57P03", text, None, &mut words);
            }
            Self::Full(_) => Fatal::TooManyClients.encode(&mut words),
            Self::Upstream(error) if super::is_out_of_descriptors(error) => {
                Fatal::TooManyClients.encode(&mut words);
            }
            Self::Upstream(_) => {
                let text = "pgveil can't reach the database server";
                report::fatal("08006", text, None, &mut words);
            }
            Self::Authentication(AuthenticationError::Fatal(fatal)) => fatal.encode(&mut words),
            Self::Authentication(_) => {}
        }
        words
    }
}
