//! The way in: opening, encryption, authentication, a connection to Postgres. Every way that ends
//! here without a session ends with the words that belong to it, within the startup timeout, and
//! at once when the place is needed or the proxy drains.

use std::future::Future;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;

use bytes::{Bytes, BytesMut};
use tokio::sync::OwnedSemaphorePermit;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep_until, timeout, timeout_at};
use tracing::{debug, info, warn};

use super::authentication::{
    AuthenticationError, Binding, Unsaid, authenticate, cancellation, settled,
};
use super::buffers::Buffers;
use super::cancels::Found;
use super::connection::{Admitted, Connection, Entered, Phase};
use super::forwarded;
use super::hosts::{Greeting, Host, Kind};
use super::leg::Leg;
use super::limits;
use super::login::{Demand, Proven, prove};
use super::naming::{Signed, signed};
use super::origin::Origin;
use super::reach::Reach;
use super::refused::Refused;
use super::scram::{Offer, stand_in};
use super::seats::{Claim, Seat};
use super::settings::Settings;
use super::startup::{Asked, Handshake, Opening, Request};
use super::stream::Stream;
use super::strikes::Guard;
use super::tls::{ServerSide, speaks_postgres};
use super::upstream::UpstreamError;
use super::waiting::{Stage, Waiting};
use super::way::{self, Traveller, Way};
use super::weakened::requires_scram;
use crate::config::{Address, ApplicationName, Auth, ChannelBinding, Verifier};
use crate::session::{Fatal, Mode};

impl Connection {
    /// Leads a client through opening and authentication. `None` if it ended there.
    pub(super) async fn admit(&mut self, stream: Stream) -> Option<Admitted> {
        let deadline = Instant::now() + self.settings.config.limits.startup_timeout;
        let stream = self.forwarded(stream, deadline).await?;
        let (mut client, opening) = self.open(stream, deadline).await?;
        self.place.turn(Stage::Served);
        let mut request = match opening {
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
        let signed = self.sign(&mut request);
        let entered = self.unless_over(deadline, self.enter(&mut client, &request, deadline));
        match entered.await.flatten() {
            Ok((mut entered, seat, permit)) => {
                let said = &entered.server.input;
                if let Some(retold) = signed.and_then(|signed| signed.retold(said)) {
                    entered.server.input = retold;
                }
                Some(Admitted {
                    cancellation: cancellation(&entered.server.input),
                    request,
                    client,
                    entered,
                    seat,
                    permit,
                    deadline,
                })
            }
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
        // Whoever had come before it was told to stop is let in, if that does not take long.
        let closing = async {
            let _ = phase.wait_for(|phase| *phase != Phase::Open).await;
            let _ = timeout(
                limits::NEW_SESSION,
                phase.wait_for(|phase| *phase == Phase::Closing),
            )
            .await;
        };
        tokio::select! {
            biased;
            () = self.place.given_up() => Err(Refused::GaveWay),
            done = step => Ok(done),
            () = closing => Err(Refused::Closing),
            () = sleep_until(deadline) => {
                let is_served = self.place.is_served();
                Err(if is_served { Refused::Unanswered } else { Refused::Late })
            }
        }
    }

    /// Learns from a balancer where the client comes from.
    async fn forwarded(&mut self, mut stream: Stream, deadline: Instant) -> Option<Stream> {
        let Stream::Tcp(socket) = &mut stream else {
            return Some(stream);
        };
        let networks = &self.settings.config.proxy_protocol;
        let speaks_it = |address: SocketAddr| {
            let address = address.ip().to_canonical();
            networks.iter().any(|network| network.contains(&address))
        };
        if networks.is_empty() || !socket.peer_addr().is_ok_and(speaks_it) {
            return Some(stream);
        }
        match self.unless_over(deadline, forwarded::header(socket)).await {
            Ok(Ok(None)) => {
                // The balancer speaks for itself, or for somebody whom it does not know.
                self.address = None;
                Some(stream)
            }
            Ok(Ok(Some(address))) => {
                self.peer = address.to_string();
                self.address = Some(address.ip());
                self.span.record("peer", &self.peer);
                Some(stream)
            }
            Ok(Err(error)) => {
                self.count_refusal("protocol");
                let (peer, reason) = (self.peer.clone(), error.to_string());
                let tell = move |count| info!(count, peer, reason, "no session");
                self.tallies.handshake.count(tell);
                None
            }
            Err(refusal) => {
                self.log_refusal(&refusal);
                None
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
                    self.part(client, error.error_response()).await;
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
        deadline: Instant,
    ) -> Result<(Entered, Seat, OwnedSemaphorePermit), Refused> {
        self.guard().check().map_err(AuthenticationError::from)?;
        self.judge_encryption(client, request)?;
        if request.replication && self.settings.mode(request) != Mode::Bypass {
            return Err(Refused::Replication);
        }
        let seat = self.seat(request).await?;
        let permit = self.permit().await?;
        let entered = self.let_in(client, request, deadline).await;
        self.settings.revisit();
        let entered = entered?;
        self.place.turn(Stage::Served);
        Ok((entered, seat, permit))
    }

    /// Has Postgres told where the client comes from, if that is wanted.
    fn sign(&self, request: &mut Request) -> Option<Signed> {
        let wanted = self.settings.config.upstream.application_name;
        let address = self
            .address
            .filter(|_| wanted == ApplicationName::AppendPeer)?;
        let (packet, signed) = signed(&request.packet, address)?;
        request.packet = packet;
        Some(signed)
    }

    /// What is known of logins from where the client comes.
    fn guard(&self) -> Guard<'_> {
        let most = self.settings.config.failed_logins_per_minute;
        let strikes = &self.settings.lasting.strikes;
        strikes.guard(self.address.map(Origin::of), most)
    }

    /// The seat of a session; if need be, that of a client which owes an answer for long, among those
    /// who are counted with this one.
    async fn seat(&self, request: &Request) -> Result<Seat, Refused> {
        let config = &self.settings.config;
        let claim = Claim {
            number: self.place.number(),
            role: &request.user,
            database: &request.database,
            origin: self.address.map(Origin::of),
            limits: &config.session_limits,
            max_per_address: config.max_per_address,
        };
        let seats = &self.settings.lasting.seats;
        let crowded = match seats.take(&claim) {
            Ok(seat) => return Ok(seat),
            Err(crowded) => crowded,
        };
        let is_counted = |number| crowded.holders.contains(&number);
        if !self.waiting.hurry(limits::ANSWER_PATIENCE, is_counted) {
            return Err(Refused::Limited(crowded.full));
        }
        let handed_over = timeout(limits::HANDOVER_TIMEOUT, seats.taken(&claim)).await;
        handed_over.map_err(|_| Refused::Limited(crowded.full))
    }

    /// Has whoever is to judge that judge whether a client may come in.
    async fn let_in(
        &self,
        client: &mut Leg,
        request: &Request,
        deadline: Instant,
    ) -> Result<Entered, Refused> {
        match &self.settings.config.auth {
            Auth::PassThrough => self.pass_through(client, request, deadline).await,
            Auth::Verifier(verifiers) => {
                let verifier = verifiers.of(&request.user).cloned();
                let iterations = verifiers.iterations_of(&request.user);
                let verifier = (verifier, iterations);
                self.authenticate_client(client, request, verifier, deadline)
                    .await
            }
            Auth::Query(query) => {
                let lookups = &self.settings.lookups;
                let must_bind = self.must_bind_upstream();
                let way = Way::to_any(self.traveller(Kind::default(), deadline));
                let found = lookups.find(query, &request.user, must_bind, way).await?;
                let verifier = (found, lookups.iterations());
                let entered = self
                    .authenticate_client(client, request, verifier, deadline)
                    .await;
                if entered.as_ref().is_err_and(Refused::is_wrong_password) {
                    lookups.forget(&request.user);
                }
                entered
            }
        }
    }

    /// Lets the client and Postgres authenticate each other. Once the client has heard anything of
    /// that, no other host can take part: one that turns out to be something else ends the login.
    async fn pass_through(
        &self,
        client: &mut Leg,
        request: &Request,
        deadline: Instant,
    ) -> Result<Entered, Refused> {
        let mut scout = self.settings.hosts.scout(request.kind).await;
        let mut way = Way::new(self.traveller(request.kind, deadline));
        let (mut refusal, mut will_do) = (None, None);
        loop {
            let (host, mut server) = match (way.next().await, will_do.take()) {
                (Ok(reached), kept) => {
                    will_do = kept;
                    reached
                }
                (Err(_), Some((entered, unsaid))) => return told(client, entered, unsaid).await,
                (Err(error), None) => return Err(refusal.unwrap_or_else(|| error.into())),
            };
            let mut unsaid = Unsaid::default();
            let by = way.answer_by();
            let passed = self.pass_to(client, request, (&mut server, by), &mut unsaid);
            let judged = match self.while_scouting(&mut scout, passed).await {
                Ok(greeting) => way
                    .judge(host, &greeting)
                    .map(|is_best| (is_best, greeting))
                    .map_err(Refused::from),
                Err(error) => Err(error),
            };
            match judged {
                Ok((is_best, greeting)) => {
                    let entered = self.entered(host, server, &greeting);
                    if is_best || unsaid.is_heard {
                        return told(client, entered, unsaid).await;
                    }
                    way.keep();
                    will_do.get_or_insert((entered, unsaid));
                }
                Err(error) if unsaid.is_heard || !error.is_of_the_host() => return Err(error),
                Err(error) => {
                    way.blame(host, error.fault());
                    refusal = Some(error);
                }
            }
        }
    }

    /// Goes on with a step of a login. If the client owes an answer for long meanwhile, another login
    /// may find out what the host is.
    async fn while_scouting<T, S>(
        &self,
        scout: &mut Option<S>,
        step: impl Future<Output = T>,
    ) -> T {
        let mut step = pin!(step);
        if scout.is_some() {
            tokio::select! {
                biased;
                done = &mut step => return done,
                () = self.place.owes_for(limits::SCOUT_OWES) => *scout = None,
            }
        }
        step.await
    }

    /// Passes a login to a host, which is to have said something by a time, if there are others.
    async fn pass_to(
        &self,
        client: &mut Leg,
        request: &Request,
        (server, by): (&mut Leg, Option<Instant>),
        unsaid: &mut Unsaid,
    ) -> Result<Greeting, Refused> {
        self.send(server, &request.packet).await?;
        let binding = Binding::between(client, server, &self.settings.tls);
        let observed = (&self.place, self.guard());
        authenticate(client, server, (binding, by), observed, unsaid).await?;
        self.place.turn(Stage::Settling);
        let settled = settled(server);
        let greeting = match by.filter(|_| !unsaid.is_heard) {
            Some(by) => {
                let settled = timeout_at(by, settled).await;
                settled.map_err(|_| AuthenticationError::Silent)?
            }
            None => settled.await,
        };
        if greeting.is_cut && !unsaid.is_heard {
            return Err(AuthenticationError::from(Fatal::ServerGone).into());
        }
        Ok(greeting)
    }

    /// A session on a host, which a cancellation finds.
    fn entered(&self, host: &Host, server: Leg, greeting: &Greeting) -> Entered {
        let key = greeting.key.as_ref();
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
        if !self.waiting.hurry(limits::ANSWER_PATIENCE, |_| true) {
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
    async fn authenticate_client(
        &self,
        client: &mut Leg,
        request: &Request,
        (verifier, iterations): (Option<Verifier>, u32),
        deadline: Instant,
    ) -> Result<Entered, Refused> {
        let traveller = self.traveller(request.kind, deadline);
        // A client that was asked for its password takes that for a server which can be used.
        if self.settings.hosts.are_doubtful(request.kind) {
            Way::new(traveller).next().await?;
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
        let proven = prove(client, &offer, verifier, self.guard()).await?;
        self.place.turn(Stage::Served);
        let entered = self.log_in(client, Way::new(traveller), &packet, &proven);
        let entered = entered.await?;
        proven.welcome(client).await.map_err(Refused::Client)?;
        Ok(entered)
    }

    /// Logs in with what a client has proven: to the first host that is what sessions are to be on,
    /// or what comes next to it.
    async fn log_in(
        &self,
        client: &mut Leg,
        mut way: Way<'_>,
        packet: &[u8],
        proven: &Proven,
    ) -> Result<Entered, Refused> {
        let (mut refusal, mut will_do) = (None, None);
        loop {
            let (host, mut server) = match way.next().await {
                Ok(reached) => reached,
                Err(error) => {
                    let refusal = || refusal.unwrap_or_else(|| error.into());
                    return will_do.ok_or_else(refusal);
                }
            };
            let step = self.log_in_to(&mut server, client, packet, proven);
            let greeting = match way.answer(step).await {
                Ok(Ok(greeting)) => greeting,
                Ok(Err(error)) if !error.is_of_the_host() => return Err(error),
                Ok(Err(error)) => {
                    way.blame(host, error.fault());
                    refusal = Some(error);
                    continue;
                }
                Err(silent) => {
                    way.blame(host, silent.fault());
                    refusal = Some(silent.into());
                    continue;
                }
            };
            match way.judge(host, &greeting) {
                Ok(true) => return Ok(self.entered(host, server, &greeting)),
                Ok(false) => {
                    way.keep();
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
    ) -> Result<Greeting, Refused> {
        self.send(server, packet).await?;
        let demand = Demand {
            binding: self.must_bind_upstream(),
            proof: requires_scram(&self.settings.config.auth),
        };
        proven.log_in(client, server, demand).await?;
        self.place.turn(Stage::Settling);
        let greeting = settled(server).await;
        match greeting.is_cut {
            true => Err(AuthenticationError::from(Fatal::ServerGone).into()),
            false => Ok(greeting),
        }
    }

    /// Whether pgveil must bind its logins to the certificate of Postgres.
    fn must_bind_upstream(&self) -> bool {
        let tls = self.settings.tls.upstream.as_ref();
        tls.is_some_and(|tls| tls.settings.channel_binding == ChannelBinding::Require)
    }

    /// A login of this kind on its way to a host.
    fn traveller(&self, kind: Kind, deadline: Instant) -> Traveller<'_> {
        Traveller {
            settings: &self.settings,
            waiting: &self.waiting,
            buffers: &self.buffers,
            place: &self.place,
            kind,
            deadline,
        }
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
            Refused::Limited(_) => &self.tallies.limited,
            Refused::Authentication(AuthenticationError::Barred) => &self.tallies.barred,
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
            _ = client.farewell(words) => {}
            () = self.place.given_up() => {}
        }
    }

    /// Passes a cancellation on to the host that the session is on. Where that is not known, as it
    /// may be the session of another pgveil, every host gets it: only the one that knows the key acts.
    /// If two hosts have given the same key, nobody gets it: it would cancel for both.
    async fn cancel(&self, packet: Bytes) {
        let cancels = &self.settings.lasting.cancels;
        cancels.ring(&packet).await;
        let hosts = match cancels.find(&packet) {
            Found::On(address) => vec![address],
            Found::Nowhere => {
                let hosts = self.settings.hosts.all().iter();
                hosts.map(|host| host.address.clone()).collect()
            }
            Found::Ambiguous => {
                return self
                    .cancellation_lost("sessions on two hosts have the same key".to_owned());
            }
        };
        self.cancel_on(hosts, packet).await;
    }

    /// Sends a cancellation to hosts, all at once: one that does not answer must not hold it up.
    pub(super) async fn cancel_on(&self, hosts: Vec<Address>, packet: Bytes) {
        let within = match hosts.len() {
            1 => limits::CANCEL_TIMEOUT,
            _ => limits::HOST_TIMEOUT,
        };
        let mut relays = JoinSet::new();
        for address in hosts {
            let (settings, waiting) = (Arc::clone(&self.settings), Arc::clone(&self.waiting));
            let (buffers, packet) = (Arc::clone(&self.buffers), packet.clone());
            relays.spawn(async move {
                let relay = relay_cancellation(&settings, &waiting, &buffers, &address, &packet);
                timeout(within, relay).await
            });
        }
        while let Some(ended) = relays.join_next().await {
            match ended {
                Ok(Ok(Ok(()))) => debug!(peer = self.peer, "cancellation passed on"),
                Ok(Ok(Err(error))) => self.cancellation_lost(error.to_string()),
                Ok(Err(_)) => self.cancellation_lost("it takes too long".to_owned()),
                Err(panic) => self.cancellation_lost(panic.to_string()),
            }
        }
    }

    fn cancellation_lost(&self, reason: String) {
        let peer = self.peer.clone();
        let tell = move |count| warn!(count, peer, reason, "cancellation lost");
        self.tallies.cancel.count(tell);
    }

    /// Lets Postgres answer a protocol that is not ours, in that protocol. Nothing but its
    /// refusal can come back: no session begins.
    async fn other_protocol(&self, client: Leg, packet: Bytes, deadline: Instant) {
        let answer = async {
            let mut way = Way::to_any(self.traveller(Kind::default(), deadline));
            loop {
                let (host, mut server) = way.next().await?;
                let answer = async {
                    let _ = self.send(&mut server, &packet).await;
                    while server.input.len() < limits::AUTHENTICATION_MESSAGE_BYTES
                        && matches!(server.read().await, Ok(1..))
                    {}
                    server.input
                };
                match way.answer(answer).await {
                    Ok(answer) => return Ok::<_, UpstreamError>(answer),
                    Err(silent) => way.blame(host, silent.fault()),
                }
            }
        };
        let answer = self.unless_over(deadline, answer).await;
        let answer = answer.ok().and_then(Result::ok);
        // Only an error, whose first byte is the same in every version.
        let answer = answer.filter(|answer| answer.first() == Some(&b'E'));
        debug!(peer = self.peer, "no session: another protocol");
        self.part(client, answer.unwrap_or_default()).await;
    }
}

/// Tells a client what a server has said, whose session it gets.
async fn told(client: &mut Leg, entered: Entered, mut unsaid: Unsaid) -> Result<Entered, Refused> {
    unsaid.tell(client).await.map_err(Refused::Client)?;
    Ok(entered)
}

/// Waits until the server has taken it, since clients take the close for the sign that it arrived.
async fn relay_cancellation(
    settings: &Settings,
    waiting: &Waiting,
    buffers: &Arc<Buffers>,
    address: &Address,
    packet: &[u8],
) -> Result<(), UpstreamError> {
    let within = settings.connect_within();
    let mut server = match settings.hosts.at(address) {
        Some(host) => {
            let insisting = (host, Reach::insist());
            way::connect(settings, waiting, buffers, insisting, within).await?
        }
        // The session is of an earlier configuration.
        None => {
            let buffers = Arc::clone(buffers);
            settings.connect_to(address, within, buffers).await?
        }
    };
    server.write(packet).await?;
    while server.read().await? > 0 {}
    Ok(())
}
