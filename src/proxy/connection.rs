//! One client from its first byte to its last: opening, authentication, relay, farewell. Every
//! way out ends here, with one line in the log.

use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::time::{Instant, Sleep, sleep, timeout};
use tracing::{debug, info, warn};

use super::authentication::{Binding, authenticate};
use super::buffers::Buffers;
use super::catalogs::Supply;
use super::leg::Leg;
use super::limits;
use super::login::prove;
use super::refused::Refused;
use super::relay::{End, Relay, Stop};
use super::scram::{DEFAULT_ITERATIONS, Offer, stand_in};
use super::settings::Settings;
use super::startup::{Asked, Handshake, Opening, Request};
use super::stream::Stream;
use super::tls::{ServerSide, speaks_postgres};
use super::upstream::{self, UpstreamError};
use crate::audit::{self, Event};
use crate::config::{Auth, ChannelBinding, Verifier};
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
        let (mut client, opening) = self.open(stream).await?;
        let request = match opening {
            Opening::Session(request) => request,
            Opening::Cancel(packet) => return self.cancel(packet).await,
            Opening::OtherProtocol(packet) => return self.other_protocol(client, packet).await,
            Opening::Tls(_) => return None,
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

    /// Hears what a client wants, with TLS where it asks for it.
    async fn open(&self, stream: Stream) -> Option<(Leg, Opening)> {
        // A Unix socket has no TLS: nobody is on the way.
        let tls = self.settings.tls.server.as_ref();
        let tls = tls.filter(|_| matches!(stream, Stream::Tcp(_)));
        let mut client = Leg::new(stream, Arc::clone(&self.buffers));
        let mut asked = Asked::default();
        loop {
            match (asked.opening(&mut client, tls.is_some()).await, tls) {
                (Ok(Opening::Tls(handshake)), Some(tls)) => {
                    client = self.secure(client, tls, handshake).await?;
                }
                (Ok(opening), _) => return Some((client, opening)),
                (Err(error), _) => {
                    debug!(peer = self.peer, %error, "no session");
                    client.farewell(error.words()).await;
                    return None;
                }
            }
        }
    }

    /// The handshake with a client. One that fails has said why in TLS's own words.
    async fn secure(&self, client: Leg, tls: &ServerSide, handshake: Handshake) -> Option<Leg> {
        let (stream, buffers) = client.into_plain()?;
        match tls.accept(stream).await {
            Ok(stream) if handshake == Handshake::Direct && !speaks_postgres(&stream) => {
                info!(peer = self.peer, "no session: direct TLS without ALPN");
                None
            }
            Ok(stream) => Some(Leg::new(Stream::Tls(Box::new(stream)), buffers)),
            Err(error) => {
                info!(peer = self.peer, %error, "no session: the TLS handshake failed");
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
        self.judge_encryption(client, request)?;
        if request.replication && !self.settings.bypasses(&request.user) {
            return Err(Refused::Replication);
        }
        if *self.phase.borrow() != Phase::Open {
            return Err(Refused::Closing);
        }
        let permit = Arc::clone(&self.sessions).try_acquire_owned()?;
        let server = match &self.settings.config.auth {
            Auth::PassThrough => {
                let mut server = self.connect().await?;
                self.send(&mut server, &request.packet).await?;
                let binding = Binding::between(client, &server, &self.settings.tls);
                authenticate(client, &mut server, binding).await?;
                server
            }
            Auth::Verifier(verifiers) => {
                let verifier = verifiers.of(&request.user).cloned();
                let iterations = verifiers.iterations;
                self.vouch(client, request, verifier, iterations).await?
            }
            Auth::Query(query) => {
                let lookups = &self.settings.lookups;
                let must_bind = self.must_bind_upstream();
                let found = lookups.find(query, &request.user, must_bind, self.connect());
                let verifier = found.await?;
                let iterations = DEFAULT_ITERATIONS;
                let server = self.vouch(client, request, verifier, iterations).await;
                if server.as_ref().is_err_and(Refused::is_wrong_password) {
                    lookups.forget(&request.user);
                }
                server?
            }
        };
        Ok((server, permit))
    }

    /// Whether a client comes as safely as `[server.tls]` demands.
    fn judge_encryption(&self, client: &Leg, request: &Request) -> Result<(), Refused> {
        let Some(tls) = &self.settings.tls.server else {
            return Ok(());
        };
        if client.is_local() {
            return Ok(());
        }
        if client.is_encrypted() {
            return Ok(tls.admits(client.peer_certificate(), &request.user)?);
        }
        let must_bind = tls.settings.channel_binding == ChannelBinding::Require;
        if tls.is_required() || must_bind {
            return Err(Refused::Unencrypted);
        }
        Ok(())
    }

    /// Authenticates the client, then itself to Postgres in the client's role.
    async fn vouch(
        &self,
        client: &mut Leg,
        request: &Request,
        verifier: Option<Verifier>,
        iterations: u32,
    ) -> Result<Leg, Refused> {
        let (packet, negotiation) = request.as_first_version();
        client.write(&negotiation).await.map_err(Refused::Client)?;
        let tls = self.settings.tls.server.as_ref();
        let tls = tls.filter(|_| client.is_encrypted());
        let offer = Offer {
            end_point: tls.and_then(ServerSide::end_point),
            is_required: tls
                .is_some_and(|tls| tls.settings.channel_binding == ChannelBinding::Require),
        };
        let verifier = verifier
            .unwrap_or_else(|| stand_in(&request.user, iterations, &self.settings.stand_ins));
        let proven = prove(client, &offer, verifier).await?;
        let mut server = self.connect().await?;
        self.send(&mut server, &packet).await?;
        let must_bind = self.must_bind_upstream();
        proven.log_in(client, &mut server, must_bind).await?;
        Ok(server)
    }

    /// Whether pgveil must bind its logins to the certificate of Postgres.
    fn must_bind_upstream(&self) -> bool {
        let tls = self.settings.tls.upstream.as_ref();
        tls.is_some_and(|tls| tls.settings.channel_binding == ChannelBinding::Require)
    }

    async fn connect(&self) -> Result<Leg, UpstreamError> {
        let tls = self.settings.tls.upstream.as_ref();
        let address = &self.settings.config.upstream;
        upstream::connect(address, tls, Arc::clone(&self.buffers)).await
    }

    async fn send(&self, server: &mut Leg, packet: &[u8]) -> Result<(), UpstreamError> {
        Ok(server.write(packet).await?)
    }

    async fn refuse(&self, client: Leg, request: &Request, refusal: Refused) {
        let user = request.user.escape_ascii();
        let database = request.database.escape_ascii();
        if refusal.is_for_the_operator() {
            warn!(peer = self.peer, %user, %database, reason = %refusal, "no session");
        } else {
            info!(peer = self.peer, %user, %database, reason = %refusal, "no session");
        }
        client.farewell(refusal.words(request)).await;
    }

    /// Passes a cancellation on and waits until the server has taken it, since clients take the
    /// close for the sign that it arrived.
    async fn cancel(&self, packet: Bytes) -> Option<Admitted> {
        let relay = async {
            let mut server = self.connect().await?;
            server.write(&packet).await?;
            while server.read().await? > 0 {}
            Ok::<_, UpstreamError>(())
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
            Ok::<_, UpstreamError>(server.input)
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
