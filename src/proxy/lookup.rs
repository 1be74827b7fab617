//! The verifiers that a query gives, each kept for a while. Every look-up is a connection of its
//! own, by the role that the configuration names, and they are few at once: strangers who try names
//! cost no more than that.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use bytes::{Buf, BufMut, BytesMut};
use tokio::sync::Semaphore;
use tokio::time::Instant;
use tracing::warn;

use super::authentication::{AuthenticationError, frame, settled};
use super::hosts::{Greeting, Host};
use super::leg::Leg;
use super::login::{self, Demand, Keys, words};
use super::scram::DEFAULT_ITERATIONS;
use super::upstream::UpstreamError;
use super::waiting::{Place, Stage};
use super::way::{Fault, Way};
use crate::config::{AuthQuery, Verifier};
use crate::session::Fatal;
use crate::wire::backend;
use crate::wire::frontend::{self, BindWriter, Formats};
use crate::wire::message;

/// Why nobody knows the verifier of a role.
#[derive(Debug, thiserror::Error)]
pub(super) enum LookupError {
    #[error("auth.query: {0}")]
    Upstream(#[from] UpstreamError),
    #[error("auth.query: {0}")]
    Authentication(#[from] AuthenticationError),
    /// SQLSTATE and message of Postgres.
    #[error("auth.query: the statement fails: {0}")]
    Statement(String),
    #[error("auth.query: the statement gives more than one row, or other columns than two")]
    Shape,
}

impl LookupError {
    /// Whether another host may do better.
    fn is_of_the_host(&self) -> bool {
        match self {
            Self::Upstream(_) => true,
            Self::Authentication(error) => error.is_of_the_host(),
            Self::Statement(_) | Self::Shape => false,
        }
    }

    /// What is wrong with the host, if it is the host's trouble.
    fn fault(&self) -> Option<Fault> {
        match self {
            Self::Upstream(error) => error.fault(),
            Self::Authentication(error) => error.fault(),
            _ => None,
        }
    }
}

/// What is known by the name of the role.
#[derive(Debug)]
pub(super) struct Lookups {
    known: Mutex<HashMap<Box<[u8]>, Known>>,
    asking: Semaphore,
    /// What the last verifier that was found had been hashed with, so often; 0 before.
    iterations: AtomicU32,
}

/// An answer: no verifier for a role that does not exist, or can't use SCRAM.
#[derive(Debug, Clone)]
struct Known {
    verifier: Option<Verifier>,
    since: Instant,
}

/// So many roles are remembered. When there are more, all are forgotten.
const MOST_KNOWN: usize = 10_000;

/// So many connections ask at once.
const MOST_ASKING: usize = 4;

impl Default for Lookups {
    fn default() -> Self {
        Self {
            known: Mutex::default(),
            asking: Semaphore::new(MOST_ASKING),
            iterations: AtomicU32::new(0),
        }
    }
}

impl Lookups {
    /// The verifier of a role, by an answer that is young enough or by a new one.
    pub(super) async fn find(
        &self,
        query: &AuthQuery,
        role: &[u8],
        is_binding_required: bool,
        way: Way<'_>,
    ) -> Result<Option<Verifier>, LookupError> {
        // No statement could ask for it, and Postgres knows no such role.
        if std::str::from_utf8(role).is_err() {
            return Ok(None);
        }
        if let Some(known) = self.known(role, query.max_age) {
            return Ok(known.verifier);
        }
        // Never closed.
        let _permit = self.asking.acquire().await.ok();
        if let Some(known) = self.known(role, query.max_age) {
            return Ok(known.verifier);
        }
        let since = Instant::now();
        let verifier = ask_any(way, query, role, is_binding_required).await?;
        if let Some(verifier) = &verifier {
            let iterations = verifier.iterations;
            self.iterations.store(iterations, Ordering::Relaxed);
        }
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= MOST_KNOWN {
            known.clear();
        }
        let answer = Known {
            verifier: verifier.clone(),
            since,
        };
        known.insert(role.into(), answer);
        Ok(verifier)
    }

    /// How often passwords are hashed here, as far as is known: an unknown role must not differ.
    pub(super) fn iterations(&self) -> u32 {
        match self.iterations.load(Ordering::Relaxed) {
            0 => DEFAULT_ITERATIONS,
            found => found,
        }
    }

    /// Forgets a role whose proof was wrong: its password may have been changed.
    pub(super) fn forget(&self, role: &[u8]) {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.remove(role);
    }

    fn known(&self, role: &[u8], max_age: Duration) -> Option<Known> {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let known = known.get(role)?;
        (known.since.elapsed() < max_age).then(|| known.clone())
    }
}

/// Asks the first host that is what sessions are to be on, as far as that does not depend on the
/// settings of this one session; or else the first that lets it in: all have the same roles, though a
/// standby may be late.
async fn ask_any(
    mut way: Way<'_>,
    query: &AuthQuery,
    role: &[u8],
    is_binding_required: bool,
) -> Result<Option<Verifier>, LookupError> {
    let (mut failure, mut will_do) = (None, Vec::new());
    loop {
        let (host, mut server) = match way.next().await {
            Ok(reached) => reached,
            Err(error) => {
                failure.get_or_insert_with(|| error.into());
                break;
            }
        };
        let step = log_in(&mut server, query, is_binding_required, way.place());
        let suits = match way.answer(step).await.map_err(LookupError::from) {
            Ok(Ok(greeting)) => way.suits(host, &greeting),
            Ok(Err(error)) | Err(error) if error.is_of_the_host() => {
                way.blame(host, error.fault());
                failure = Some(error);
                continue;
            }
            Ok(Err(error)) | Err(error) => return Err(error),
        };
        if !suits {
            way.keep();
            will_do.push((host, server));
            continue;
        }
        match answer(&mut way, host, server, query, role).await {
            Err(error) if error.is_of_the_host() => failure = Some(error),
            answered => return answered,
        }
    }
    for (host, server) in will_do {
        match answer(&mut way, host, server, query, role).await {
            Err(error) if error.is_of_the_host() => failure = Some(error),
            answered => return answered,
        }
    }
    Err(failure.unwrap_or_else(|| fatal(Fatal::ServerGone)))
}

/// Asks a host that has let pgveil in.
async fn answer(
    way: &mut Way<'_>,
    host: &Host,
    mut server: Leg,
    query: &AuthQuery,
    role: &[u8],
) -> Result<Option<Verifier>, LookupError> {
    way.place().turn(Stage::Settling);
    let answered = way.answer(ask(&mut server, query, role)).await;
    let answered = answered.map_err(LookupError::from).flatten();
    if let Err(error) = &answered {
        way.blame(host, error.fault());
    }
    answered
}

/// Logs in.
async fn log_in(
    server: &mut Leg,
    query: &AuthQuery,
    is_binding_required: bool,
    place: &Place,
) -> Result<Greeting, LookupError> {
    write(server, &startup(query)).await?;
    let keys = match &query.password {
        Some(password) => Keys::Password(password),
        None => Keys::None,
    };
    let demand = Demand {
        binding: is_binding_required,
        // One without a password must be trusted.
        proof: query.require_scram && query.password.is_some(),
    };
    login::exchange(&keys, None, server, demand).await?;
    place.turn(Stage::Settling);
    let greeting = settled(server).await;
    match greeting.is_cut {
        true => Err(fatal(Fatal::ServerGone)),
        false => Ok(greeting),
    }
}

/// Asks on a connection that has settled, and takes its leave.
async fn ask(
    server: &mut Leg,
    query: &AuthQuery,
    role: &[u8],
) -> Result<Option<Verifier>, LookupError> {
    until_ready(server, |_, _| Ok(())).await?;
    write(server, &question(query, role)).await?;
    let mut row = None;
    until_ready(server, |kind, body| {
        if kind != b'D' {
            return Ok(());
        }
        let fields = backend::data_row(body).map_err(|_| LookupError::Shape)?;
        let ([name, verifier], None) = (fields.as_slice(), &row) else {
            return Err(LookupError::Shape);
        };
        // A function that finds nobody may give a row of NULLs.
        let verifier = verifier.filter(|_| *name == Some(role));
        let verifier = verifier.map(|text| String::from_utf8_lossy(text).into_owned());
        row = Some(verifier.map(zeroize::Zeroizing::new));
        Ok(())
    })
    .await?;
    let mut bye = BytesMut::new();
    message(&mut bye, b'X', |_| {});
    write(server, &bye).await?;
    let Some(text) = row.flatten() else {
        return Ok(None);
    };
    let verifier = Verifier::parse(&text);
    if verifier.is_none() {
        let user = role.escape_ascii();
        warn!(%user, "the role has another kind of password than SCRAM-SHA-256: set it anew");
    }
    Ok(verifier)
}

async fn write(server: &mut Leg, bytes: &[u8]) -> Result<(), LookupError> {
    let written = server.write(bytes).await;
    written.map_err(|error| UpstreamError::from(error).into())
}

fn startup(query: &AuthQuery) -> BytesMut {
    let mut body = BytesMut::new();
    body.put_u32(3 << 16);
    for (name, value) in [
        ("user", query.user.as_str()),
        ("database", &query.database),
        ("application_name", "pgveil auth.query"),
    ] {
        frontend::put_string(&mut body, name.as_bytes());
        frontend::put_string(&mut body, value.as_bytes());
    }
    body.put_u8(0);
    let mut packet = BytesMut::new();
    packet.put_u32(u32::try_from(body.len() + 4).unwrap_or(u32::MAX));
    packet.unsplit(body);
    packet
}

fn question(query: &AuthQuery, role: &[u8]) -> BytesMut {
    let mut out = BytesMut::new();
    frontend::parse(b"", query.statement.as_bytes(), [].into_iter(), &mut out);
    let mut bind = BindWriter::new(&mut out, b"", b"", [].into_iter(), 1);
    bind.value(|out| out.put_slice(role));
    bind.finish(Formats::default());
    message(&mut out, b'E', |out| {
        out.put_u8(0);
        out.put_u32(0);
    });
    message(&mut out, b'S', |_| {});
    out
}

/// Takes the server's messages up to ReadyForQuery.
async fn until_ready(
    server: &mut Leg,
    mut take: impl FnMut(u8, &[u8]) -> Result<(), LookupError>,
) -> Result<(), LookupError> {
    loop {
        let length = frame(&server.input).map_err(|error| fatal(Fatal::Server(error)))?;
        let Some(length) = length else {
            if !matches!(server.read().await, Ok(1..)) {
                return Err(fatal(Fatal::ServerGone));
            }
            continue;
        };
        let mut message = server.input.split_to(length);
        let kind = message.get_u8();
        message.advance(4);
        match kind {
            b'Z' => return Ok(()),
            b'E' => return Err(LookupError::Statement(words(&message))),
            _ => take(kind, &message)?,
        }
    }
}

fn fatal(fatal: Fatal) -> LookupError {
    AuthenticationError::from(fatal).into()
}
