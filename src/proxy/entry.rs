//! The way in: opening, encryption, authentication, a connection to Postgres. Every way that ends
//! here without a session ends with the words that belong to it, within the startup timeout, and
//! at once when the place is needed or the proxy drains.

use std::future::Future;
use std::sync::Arc;

use bytes::{Bytes, BytesMut};
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::{Instant, sleep_until, timeout};
use tracing::{debug, info, warn};

use super::authentication::{AuthenticationError, Binding, authenticate, cancellation, settled};
use super::connection::{Admitted, Connection, Entered, Phase};
use super::hosts::{Greeting, Host};
use super::leg::Leg;
use super::limits;
use super::login::{Demand, Proven, prove};
use super::refused::Refused;
use super::scram::{Offer, stand_in};
use super::startup::{Asked, Handshake, Opening, Request};
use super::stream::Stream;
use super::tls::{ServerSide, speaks_postgres};
use super::upstream::UpstreamError;
use super::waiting::Stage;
use super::way::Way;
use super::weakened::requires_scram;
use crate::config::{Address, Auth, ChannelBinding, Verifier};
use crate::session::Mode;

impl Connection {
    /// Leads a client through opening and authentication. `None` if it ended there.
    pub(super) async fn admit(&self, stream: Stream) -> Option<Admitted> {
        let deadline = Instant::now() + self.settings.config.limits.startup_timeout;
        let (mut client, opening) = self.open(stream, deadline).await?;
        self.place.turn(Stage::Served);
        let request = match opening {
            Opening::Session(request) => request,
            Opening::Cancel(packet) => {
                self.cancel(packet).await;
                return None;
            }
            Opening::OtherProtocol(packet) => {
                self.other_protocol(client, packet, deadline).await;
                return None;
            }
            Opening::Tls(_) => return None,
        };
        let entered = self.unless_over(deadline, self.enter(&mut client, &request));
        match entered.await.flatten() {
            Ok((entered, permit)) => Some(Admitted {
                cancellation: cancellation(&entered.server.input),
                request,
                client,
                entered,
                permit,
            }),
            Err(refusal) => {
                self.refuse(client, &request, refusal).await;
                None
            }
        }
    }

    /// Goes on until something ends every startup: the timeout, the proxy, a client that needs
    /// the place.
    async fn unless_over<T>(
        &self,
        deadline: Instant,
        step: impl Future<Output = T>,
    ) -> Result<T, Refused> {
        let mut phase = self.phase.clone();
        tokio::select! {
            biased;
            () = self.place.given_up() => Err(Refused::GaveWay),
            done = step => Ok(done),
            _ = phase.wait_for(|phase| *phase != Phase::Open) => Err(Refused::Closing),
            () = sleep_until(deadline) => {
                let is_served = self.place.is_served();
                Err(if is_served { Refused::Unanswered } else { Refused::Late })
            }
        }
    }

    /// Hears what a client wants, with TLS where it asks for it.
    async fn open(&self, stream: Stream, deadline: Instant) -> Option<(Leg, Opening)> {
        // A Unix socket has no TLS: nobody is on the way.
        let tls = self.settings.tls.server.as_ref();
        let tls = tls.filter(|_| matches!(stream, Stream::Tcp(_)));
        let mut client = Leg::new(stream, Arc::clone(&self.buffers));
        let mut asked = Asked::default();
        let heard = || self.place.turn(Stage::Begun);
        loop {
            let opening = asked.opening(&mut client, tls.is_some(), heard);
            match (self.unless_over(deadline, opening).await, tls) {
                (Ok(Ok(Opening::Tls(handshake))), Some(tls)) => {
                    let secure = self.secure(client, tls, handshake);
                    client = match self.unless_over(deadline, secure).await {
                        Ok(client) => client?,
                        Err(refusal) => {
                            self.log_refusal(&refusal);
                            return None;
                        }
                    }
                }
                (Ok(Ok(opening)), _) => return Some((client, opening)),
                (Ok(Err(error)), _) => {
                    self.count_refusal("protocol");
                    debug!(peer = self.peer, %error, "no session");
                    self.part(client, error.words()).await;
                    return None;
                }
                (Err(refusal), _) => {
                    self.log_refusal(&refusal);
                    self.part(client, refusal.words(None)).await;
                    return None;
                }
            }
        }
    }

    /// The handshake with a client. One that fails has said why in TLS's own words.
    async fn secure(&self, client: Leg, tls: &ServerSide, handshake: Handshake) -> Option<Leg> {
        let (stream, buffers) = client.into_plain()?;
        let reason = match tls.accept(stream).await {
            Ok(stream) if handshake == Handshake::Direct && !speaks_postgres(&stream) => {
                "direct TLS without ALPN".to_owned()
            }
            Ok(stream) => return Some(Leg::new(Stream::Tls(Box::new(stream)), buffers)),
            Err(error) => format!("the TLS handshake failed: {error}"),
        };
        self.count_refusal("tls");
        let peer = self.peer.clone();
        let tell = move |count| info!(count, peer, reason, "no session");
        self.tallies.handshake.count(tell);
        None
    }

    /// Connects and authenticates.
    async fn enter(
        &self,
        client: &mut Leg,
        request: &Request,
    ) -> Result<(Entered, OwnedSemaphorePermit), Refused> {
        self.judge_encryption(client, request)?;
        if request.replication && self.settings.mode(request) != Mode::Bypass {
            return Err(Refused::Replication);
        }
        let permit = self.permit().await?;
        let entered = match &self.settings.config.auth {
            Auth::PassThrough => self.pass_through(client, request).await?,
            Auth::Verifier(verifiers) => {
                let verifier = verifiers.of(&request.user).cloned();
                let iterations = verifiers.iterations_of(&request.user);
                self.vouch(client, request, verifier, iterations).await?
            }
            Auth::Query(query) => {
                let lookups = &self.settings.lookups;
                let must_bind = self.must_bind_upstream();
                let found = lookups.find(query, &request.user, must_bind, self.way(&request.user));
                let verifier = found.await?;
                let iterations = lookups.iterations();
                let entered = self.vouch(client, request, verifier, iterations).await;
                if entered.as_ref().is_err_and(Refused::is_wrong_password) {
                    lookups.forget(&request.user);
                }
                entered?
            }
        };
        self.place.turn(Stage::Served);
        Ok((entered, permit))
    }

    /// Lets the client and Postgres authenticate each other. Once they have begun, no other host can
    /// take part: one that turns out to be something else ends the login.
    async fn pass_through(&self, client: &mut Leg, request: &Request) -> Result<Entered, Refused> {
        let mut way = self.way(&request.user);
        let mut refusal = None;
        loop {
            let (host, mut server) = match way.next().await {
                Ok(reached) => reached,
                Err(error) => return Err(refusal.unwrap_or_else(|| error.into())),
            };
            self.send(&mut server, &request.packet).await?;
            let binding = Binding::between(client, &server, &self.settings.tls);
            match authenticate(client, &mut server, binding, &self.place).await {
                Err(error @ AuthenticationError::NotNow(_)) => {
                    host.rests();
                    refusal = Some(error.into());
                }
                Err(error) => return Err(error.into()),
                Ok(()) => {
                    self.place.turn(Stage::Served);
                    let greeting = settled(&mut server).await;
                    way.judge(host, &greeting)?;
                    return Ok(self.entered(host, server, &greeting));
                }
            }
        }
    }

    /// A session on a host, which a cancellation finds.
    fn entered(&self, host: &Host, server: Leg, greeting: &Greeting) -> Entered {
        let key = greeting.key.as_ref();
        let key = key.filter(|_| self.settings.hosts.are_several());
        let cancels = &self.settings.lasting.cancels;
        Entered {
            server,
            host: host.address.to_string(),
            cancellable: key.map(|key| cancels.note(key, host.address.clone())),
        }
    }

    /// The permit for a session; if need be, that of a client which owes an answer for long.
    async fn permit(&self) -> Result<OwnedSemaphorePermit, Refused> {
        let sessions = || Arc::clone(&self.sessions);
        if let Ok(permit) = sessions().try_acquire_owned() {
            return Ok(permit);
        }
        if !self.waiting.hurry(limits::ANSWER_PATIENCE) {
            return Err(Refused::Full);
        }
        let handed_over = timeout(limits::HANDOVER_TIMEOUT, sessions().acquire_owned());
        let permit = handed_over.await.ok().and_then(Result::ok);
        permit.ok_or(Refused::Full)
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
    ) -> Result<Entered, Refused> {
        // A client that was asked for its password takes that for a server which can be used.
        if self.settings.hosts.are_doubtful(&request.user) {
            self.way(&request.user).next().await?;
        }
        let (packet, negotiation) = request.as_first_version();
        client.write(&negotiation).await.map_err(Refused::Client)?;
        let tls = self.settings.tls.server.as_ref();
        let tls = tls.filter(|_| client.is_encrypted());
        let offer = Offer {
            end_point: tls.and_then(ServerSide::end_point),
            is_required: tls
                .is_some_and(|tls| tls.settings.channel_binding == ChannelBinding::Require),
        };
        let verifier = verifier.unwrap_or_else(|| {
            stand_in(
                &request.user,
                iterations,
                self.settings.stand_ins.as_bytes(),
            )
        });
        self.place.turn(Stage::Asked);
        let proven = prove(client, &offer, verifier).await?;
        self.place.turn(Stage::Served);
        let entered = self.log_in(client, &request.user, &packet, &proven).await?;
        proven.welcome(client).await.map_err(Refused::Client)?;
        Ok(entered)
    }

    /// Logs in with what a client has proven: to the first host that is what sessions are to be on,
    /// or what comes next to it.
    async fn log_in(
        &self,
        client: &mut Leg,
        role: &[u8],
        packet: &[u8],
        proven: &Proven,
    ) -> Result<Entered, Refused> {
        let mut way = self.way(role);
        let (mut refusal, mut will_do) = (None, None);
        loop {
            let (host, mut server) = match way.next().await {
                Ok(reached) => reached,
                Err(error) => {
                    let refusal = || refusal.unwrap_or_else(|| error.into());
                    return will_do.ok_or_else(refusal);
                }
            };
            match self.log_in_to(&mut server, client, packet, proven).await {
                Ok(()) => {}
                Err(error) if error.is_of_the_host() => {
                    if error.is_not_now() {
                        host.rests();
                    }
                    refusal = Some(error);
                    continue;
                }
                Err(error) => return Err(error),
            }
            let greeting = settled(&mut server).await;
            match way.judge(host, &greeting) {
                Ok(true) => return Ok(self.entered(host, server, &greeting)),
                Ok(false) => {
                    will_do.get_or_insert_with(|| self.entered(host, server, &greeting));
                }
                Err(misfit) => refusal = Some(misfit.into()),
            }
        }
    }

    async fn log_in_to(
        &self,
        server: &mut Leg,
        client: &mut Leg,
        packet: &[u8],
        proven: &Proven,
    ) -> Result<(), Refused> {
        self.send(server, packet).await?;
        let demand = Demand {
            binding: self.must_bind_upstream(),
            proof: requires_scram(&self.settings.config.auth),
        };
        Ok(proven.log_in(client, server, demand).await?)
    }

    /// Whether pgveil must bind its logins to the certificate of Postgres.
    fn must_bind_upstream(&self) -> bool {
        let tls = self.settings.tls.upstream.as_ref();
        tls.is_some_and(|tls| tls.settings.channel_binding == ChannelBinding::Require)
    }

    /// The hosts that a login of this role may try.
    fn way<'a>(&'a self, role: &'a [u8]) -> Way<'a> {
        Way::new(&self.settings, &self.waiting, &self.buffers, role)
    }

    async fn send(&self, server: &mut Leg, packet: &[u8]) -> Result<(), UpstreamError> {
        Ok(server.write(packet).await?)
    }

    /// Tells a client whose startup packet is sound why it gets no session.
    async fn refuse(&self, client: Leg, request: &Request, refusal: Refused) {
        if refusal.is_for_anyone() {
            self.log_refusal(&refusal);
        } else {
            self.count_refusal(refusal.reason());
            let user = request.user.escape_ascii();
            let database = request.database.escape_ascii();
            if refusal.is_for_the_operator() {
                warn!(peer = self.peer, %user, %database, reason = %refusal, "no session");
            } else {
                info!(peer = self.peer, %user, %database, reason = %refusal, "no session");
            }
        }
        self.part(client, refusal.words(Some(request))).await;
    }

    /// Writes the line of a refusal that says nothing of the one who was refused, and that may be
    /// one of many.
    fn log_refusal(&self, refusal: &Refused) {
        self.count_refusal(refusal.reason());
        let (peer, reason) = (self.peer.clone(), refusal.to_string());
        let tally = match refusal {
            Refused::GaveWay => {
                let tell = move |count| warn!(count, peer, "gave way: {reason}");
                return self.tallies.crowd.count(tell);
            }
            // That Postgres is down has had its line.
            _ if refusal.is_unreachable() && self.settings.hosts.are_down() => {
                return debug!(peer, reason, "no session");
            }
            _ if refusal.is_not_now() => &self.tallies.upstream,
            Refused::Upstream(_) | Refused::Lookup(_) | Refused::Unanswered => {
                let tell = move |count| warn!(count, peer, reason, "no session");
                return self.tallies.upstream.count(tell);
            }
            Refused::Full => &self.tallies.full,
            Refused::Late => &self.tallies.late,
            _ => return debug!(peer, reason, "no session"),
        };
        tally.count(move |count| info!(count, peer, reason, "no session"));
    }

    fn count_refusal(&self, reason: &'static str) {
        self.settings.lasting.counters.turned_away.add(reason);
    }

    /// Says the last words and closes. Whoever has been told gives way first, and at once.
    async fn part(&self, client: Leg, words: BytesMut) {
        self.place.turn(Stage::Told);
        tokio::select! {
            biased;
            () = client.farewell(words) => {}
            () = self.place.given_up() => {}
        }
    }

    /// Passes a cancellation on to the host that the session is on. Where that is not known, as it
    /// may be the session of another pgveil, every host gets it: only the one that knows the key acts.
    pub(super) async fn cancel(&self, packet: Bytes) {
        let lasting = &self.settings.lasting;
        let hosts = match lasting.cancels.host(&packet) {
            Some(address) => vec![address],
            None => {
                let hosts = self.settings.hosts.all().iter();
                hosts.map(|host| host.address.clone()).collect()
            }
        };
        for address in hosts {
            let relay = self.relay_cancellation(&address, &packet);
            let reason = match timeout(limits::CANCEL_TIMEOUT, relay).await {
                Ok(Ok(())) => {
                    debug!(peer = self.peer, "cancellation passed on");
                    continue;
                }
                Ok(Err(error)) => error.to_string(),
                Err(_) => "it takes too long".to_owned(),
            };
            let peer = self.peer.clone();
            let tell = move |count| warn!(count, peer, reason, "cancellation lost");
            self.tallies.cancel.count(tell);
        }
    }

    /// Waits until the server has taken it, since clients take the close for the sign that it
    /// arrived.
    async fn relay_cancellation(
        &self,
        address: &Address,
        packet: &[u8],
    ) -> Result<(), UpstreamError> {
        let mut server = match self.settings.hosts.at(address) {
            Some(host) => self.way(b"").connect(host).await?,
            // The session is of an earlier configuration.
            None => {
                let buffers = Arc::clone(&self.buffers);
                self.settings.connect_to(address, buffers).await?
            }
        };
        self.send(&mut server, packet).await?;
        while server.read().await? > 0 {}
        Ok(())
    }

    /// Lets Postgres answer a protocol that is not ours, in that protocol. Nothing but its
    /// refusal can come back: no session begins.
    async fn other_protocol(&self, client: Leg, packet: Bytes, deadline: Instant) {
        let answer = async {
            let (_, mut server) = self.way(b"").next().await?;
            self.send(&mut server, &packet).await?;
            while server.input.len() < limits::AUTHENTICATION_MESSAGE_BYTES
                && matches!(server.read().await, Ok(1..))
            {}
            Ok::<_, UpstreamError>(server.input)
        };
        let answer = self.unless_over(deadline, answer).await;
        let answer = answer.ok().and_then(Result::ok);
        // Only an error, whose first byte is the same in every version.
        let answer = answer.filter(|answer| answer.first() == Some(&b'E'));
        debug!(peer = self.peer, "no session: another protocol");
        self.part(client, answer.unwrap_or_default()).await;
    }
}
