//! Authentication, passed through end to end: the proxy knows no password and keeps none. It
//! reads no more of a message than tells whose turn it is, and logs none.
//!
//! Every request of the server is answered by exactly one message of the client. What the client
//! sends beyond that stays in its buffer for the session, so that no query slips past it.
//!
//! One thing cannot pass: SCRAM-SHA-256-PLUS binds a password to the TLS connection on which it
//! is proven, and there are two of them. The table in docs/security.md says what works.

use std::io;

use bytes::{Buf, BufMut, Bytes, BytesMut};
use tokio::time::{Instant, sleep_until};

use super::hosts::Greeting;
use super::leg::Leg;
use super::limits;
use super::scram::{LoginError, PLUS, ScramError};
use super::strikes::{Attempt, Barred, Guard};
use super::tls::Tls;
use super::waiting::{Place, Stage};
use super::way::Fault;
use crate::session::Fatal;
use crate::wire::backend::parameter_status;
use crate::wire::report::{Report, field};
use crate::wire::{WireError, message, startup};

/// How the authentication ended without success.
#[derive(Debug, thiserror::Error)]
pub(super) enum AuthenticationError {
    /// The server said no, to the client, and closed.
    #[error("the server refused")]
    Refused,
    /// Too many logins from where the client comes have failed.
    #[error("too many failed logins from its address")]
    Barred,
    /// The server takes no sessions at this time, and has said so (57P03): the client has not been
    /// told. The message.
    #[error("the server takes no sessions now")]
    NotNow(BytesMut),
    /// The server says nothing, for longer than one of several may.
    #[error("the server takes the connection and does not answer")]
    Silent,
    /// The server said no to pgveil itself: SQLSTATE and message.
    #[error("the server refused the login: {0}")]
    Denied(String),
    /// The client went.
    #[error("the client went")]
    ClientGone,
    /// The client binds its password to a certificate that Postgres does not have.
    #[error("the client binds its password to pgveil's certificate")]
    Bound,
    /// pgveil itself does not let the client in.
    #[error("{0}")]
    Scram(#[from] ScramError),
    /// The client is right, but Postgres and pgveil don't agree.
    #[error("{0}")]
    Login(#[from] LoginError),
    /// One of the two broke the protocol, or the server went.
    #[error(transparent)]
    Fatal(#[from] Fatal),
    /// The client's socket failed.
    #[error(transparent)]
    Lost(#[from] io::Error),
}

impl From<Barred> for AuthenticationError {
    fn from(Barred: Barred) -> Self {
        Self::Barred
    }
}

impl AuthenticationError {
    /// Whether it is the host's trouble, so that another one may do better.
    pub(super) fn is_of_the_host(&self) -> bool {
        matches!(
            self,
            Self::NotNow(_) | Self::Silent | Self::Fatal(Fatal::ServerGone)
        )
    }

    /// What is wrong with the host, if it is the host's trouble.
    pub(super) fn fault(&self) -> Option<Fault> {
        match self {
            Self::NotNow(_) => Some(Fault::Rests),
            Self::Fatal(Fatal::ServerGone) => Some(Fault::Closes),
            Self::Silent => Some(Fault::Silent),
            _ => None,
        }
    }
}

/// What a message of the server means for the turn.
#[derive(Clone, Copy)]
enum Turn {
    Server,
    Client,
    /// The client's, to choose a mechanism of SASL.
    Mechanism,
    Done,
    /// The server has sent an error, which is its last word.
    Over,
}

/// What becomes of channel binding when messages are passed on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Binding {
    /// It passes: no leg has TLS, or only that of the client, so that Postgres does not offer it;
    /// or both show the same certificate.
    Passes,
    /// Only the server's leg has TLS. Clients that are offered a binding without TLS rightly
    /// smell a rat, so it is not offered to them.
    Withheld,
    /// Both legs have TLS, with different certificates.
    Broken,
}

impl Binding {
    pub(super) fn between(client: &Leg, server: &Leg, tls: &Tls) -> Self {
        let shows = |certificate| {
            tls.server
                .as_ref()
                .is_some_and(|tls| tls.shows(certificate))
        };
        match (client.is_encrypted(), server.peer_certificate()) {
            (_, None) => Self::Passes,
            (false, Some(_)) => Self::Withheld,
            (true, Some(certificate)) if shows(certificate) => Self::Passes,
            (true, Some(_)) => Self::Broken,
        }
    }
}

/// What a server has said that its client has not been told. As long as the client has heard nothing,
/// another server may take the place of this one.
#[derive(Debug, Default)]
pub(super) struct Unsaid {
    words: BytesMut,
    /// The client has been told something.
    pub(super) is_heard: bool,
}

impl Unsaid {
    /// Tells the client.
    pub(super) async fn tell(&mut self, client: &mut Leg) -> io::Result<()> {
        self.is_heard = true;
        client.write(&self.words.split()).await
    }
}

/// Passes messages until the server's AuthenticationOk, which is left unsaid, as is what came before
/// anything that wants an answer. `place` is told whose turn it is, and `guard` what becomes of proofs;
/// the server must have said something to be told by this time.
pub(super) async fn authenticate(
    client: &mut Leg,
    server: &mut Leg,
    (binding, by): (Binding, Option<Instant>),
    (place, guard): (&Place, Guard<'_>),
    unsaid: &mut Unsaid,
) -> Result<(), AuthenticationError> {
    let mut turn = Turn::Server;
    let mut attempt: Option<Attempt<'_>> = None;
    loop {
        while let Some(length) = frame(&server.input).map_err(Fatal::Server)? {
            turn = turn_after(&server.input[..length])?;
            let frame = server.input.split_to(length);
            if !unsaid.is_heard && is_not_now(&frame) {
                return Err(AuthenticationError::NotNow(frame));
            }
            let is_verdict = frame.first() != Some(&b'N');
            if let Some(attempt) = attempt.take_if(|_| is_verdict)
                && is_no_proof(&frame)
            {
                attempt.fail();
            }
            match (turn, binding) {
                (Turn::Mechanism, Binding::Withheld) => unsaid.words.unsplit(without_plus(&frame)),
                _ => unsaid.words.extend_from_slice(&frame),
            }
            let is_much = unsaid.words.len() > limits::AUTHENTICATION_MESSAGE_BYTES;
            match turn {
                Turn::Done => return Ok(()),
                Turn::Server if !unsaid.is_heard && !is_much => {}
                _ => unsaid.tell(client).await?,
            }
            if matches!(turn, Turn::Over) {
                return Err(AuthenticationError::Refused);
            }
        }
        let awaits_client = matches!(turn, Turn::Client | Turn::Mechanism);
        place.turn(if awaits_client {
            Stage::Asked
        } else {
            Stage::Served
        });
        if awaits_client && let Some(length) = frame(&client.input).map_err(Fatal::Client)? {
            let answer = &client.input[..length];
            if let (Turn::Mechanism, Binding::Broken) = (turn, binding)
                && answer.get(5..).is_some_and(chooses_plus)
            {
                return Err(AuthenticationError::Bound);
            }
            attempt = Some(guard.attempt().await?);
            let sent = server.write(answer).await;
            client.input.advance(length);
            turn = Turn::Server;
            // If the server is gone, it may have left the reason behind.
            if sent.is_ok() {
                continue;
            }
        }
        tokio::select! {
            read = server.read() => if matches!(read, Ok(0) | Err(_)) {
                return Err(Fatal::ServerGone.into());
            },
            read = client.read(), if awaits_client => if read? == 0 {
                return Err(AuthenticationError::ClientGone);
            },
            () = reached(by), if !unsaid.is_heard => return Err(AuthenticationError::Silent),
        }
    }
}

/// Waits until this time; for ever if there is none.
async fn reached(time: Option<Instant>) {
    match time {
        Some(time) => sleep_until(time).await,
        None => std::future::pending().await,
    }
}

/// Whether a message is the error of a server that takes no sessions now: it starts, stops or
/// recovers.
pub(super) fn is_not_now(frame: &[u8]) -> bool {
    code_of(frame).as_deref() == Some(b"57P03")
}

/// Whether a message is the error of a server that does not believe what was to prove a role: its code
/// is of the class "invalid authorization specification".
fn is_no_proof(frame: &[u8]) -> bool {
    code_of(frame).is_some_and(|code| code.starts_with(b"28"))
}

/// The SQLSTATE of a message that is an error.
fn code_of(frame: &[u8]) -> Option<Vec<u8>> {
    let body = frame.strip_prefix(b"E")?.get(4..)?;
    let report = Report::decode(body).ok()?;
    report.get(field::CODE).map(<[u8]>::to_vec)
}

/// Waits until the server has said that the session is ready, or why it is not, so that one which
/// falls silent behind its AuthenticationOk is still a login without an answer. What it says stays
/// in the buffer for the session, its end too. Gives what it tells of itself and of the session.
pub(super) async fn settled(server: &mut Leg) -> Greeting {
    let mut greeting = Greeting::default();
    let mut at = 0;
    loop {
        while let Ok(Some(length)) = frame(server.input.get(at..).unwrap_or_default()) {
            let message = server.input.get(at..at + length).unwrap_or_default();
            if greeting.hears(message) {
                return greeting;
            }
            at += length;
        }
        // Settings and notices take far less; more is for the session to judge.
        if server.input.len() - at >= limits::AUTHENTICATION_MESSAGE_BYTES
            || at >= limits::HIGH_WATER_BYTES
        {
            return greeting;
        }
        if !matches!(server.read().await, Ok(1..)) {
            greeting.is_cut = true;
            return greeting;
        }
    }
}

/// The packet that cancels what a session runs, by its BackendKeyData among what the server has said
/// so far; `None` if it gives none.
pub(super) fn cancellation(said: &[u8]) -> Option<Bytes> {
    let mut rest = said;
    while let Ok(Some(length)) = frame(rest) {
        let (message, behind) = rest.split_at_checked(length)?;
        if let Some(key) = message.strip_prefix(b"K") {
            return startup::cancel_request(key.get(4..)?);
        }
        rest = behind;
    }
    None
}

impl Greeting {
    /// Takes a message, and says whether it is the last.
    pub(super) fn hears(&mut self, message: &[u8]) -> bool {
        let body = message.get(5..).unwrap_or_default();
        match message.first() {
            Some(b'S') => {
                let is_on = |value: &[u8]| value == b"on";
                match parameter_status(body) {
                    Ok((b"in_hot_standby", value)) => self.standby = Some(is_on(value)),
                    Ok((b"default_transaction_read_only", value)) => {
                        self.read_only = Some(is_on(value));
                    }
                    _ => {}
                }
            }
            Some(b'K') => self.key = Some(body.into()),
            Some(b'E') => self.is_over = true,
            Some(b'Z') => self.is_whole = true,
            _ => {}
        }
        matches!(message.first(), Some(b'Z' | b'E'))
    }
}

/// The names in AuthenticationSASL.
pub(super) fn mechanisms(frame: &[u8]) -> impl Iterator<Item = &[u8]> {
    let names = frame.get(9..).unwrap_or_default().split(|byte| *byte == 0);
    names.take_while(|name| !name.is_empty())
}

/// AuthenticationSASL without the mechanism that binds.
fn without_plus(frame: &[u8]) -> BytesMut {
    let mut out = BytesMut::new();
    message(&mut out, b'R', |out| {
        out.put_u32(10);
        for name in mechanisms(frame).filter(|name| *name != PLUS.as_bytes()) {
            out.put_slice(name);
            out.put_u8(0);
        }
        out.put_u8(0);
    });
    out
}

/// Whether the body of a SASLInitialResponse chooses the mechanism that binds.
fn chooses_plus(body: &[u8]) -> bool {
    let rest = body.strip_prefix(PLUS.as_bytes());
    rest.is_some_and(|rest| rest.first() == Some(&0))
}

/// The length of the complete message at the front, its type byte included.
pub(super) fn frame(bytes: &[u8]) -> Result<Option<usize>, WireError> {
    let Some((&[_, a, b, c, d], _)) = bytes.split_first_chunk::<5>() else {
        return Ok(None);
    };
    match usize::try_from(i32::from_be_bytes([a, b, c, d])) {
        Ok(length @ 4..=limits::AUTHENTICATION_MESSAGE_BYTES) => {
            Ok(Some(length + 1).filter(|length| *length <= bytes.len()))
        }
        _ => Err(WireError::Length),
    }
}

fn turn_after(frame: &[u8]) -> Result<Turn, Fatal> {
    match frame {
        [b'R', _, _, _, _, a, b, c, d, ..] => Ok(match u32::from_be_bytes([*a, *b, *c, *d]) {
            0 => Turn::Done,
            10 => Turn::Mechanism,
            // AuthenticationSASLFinal: "Authentication succeeded", AuthenticationOk follows.
            12 => Turn::Server,
            _ => Turn::Client,
        }),
        // NegotiateProtocolVersion and NoticeResponse want no answer.
        [b'v' | b'N', ..] => Ok(Turn::Server),
        [b'E', ..] => Ok(Turn::Over),
        [other, ..] => Err(Fatal::Unexpected(*other)),
        [] => Err(Fatal::Server(WireError::Truncated)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn withholds_the_mechanism_that_binds_and_no_other() {
        let offer = b"R\0\0\0\x2aSASLSCRAM-SHA-256-PLUS\0SCRAM-SHA-256\0\0";
        let names: Vec<_> = mechanisms(offer).collect();
        assert_eq!(names, [&b"SCRAM-SHA-256-PLUS"[..], b"SCRAM-SHA-256"]);
        let offer = without_plus(offer);
        assert_eq!(&offer[..], b"R\0\0\0\x17\0\0\0\x0aSCRAM-SHA-256\0\0");
        assert!(chooses_plus(b"SCRAM-SHA-256-PLUS\0\0\0\0\0"));
        assert!(!chooses_plus(b"SCRAM-SHA-256\0\0\0\0\0"));
        assert!(!chooses_plus(b"SCRAM-SHA-256-PLUS"));
    }

    #[test]
    fn waits_for_a_whole_message_and_bounds_its_length() {
        let message = b"p\0\0\0\x08abcd";
        for length in 0..message.len() {
            assert_eq!(frame(&message[..length]), Ok(None));
        }
        assert_eq!(frame(message), Ok(Some(9)));
        assert_eq!(frame(b"p\0\0\0\x03"), Err(WireError::Length));
        assert_eq!(frame(b"p\0\x01\0\0"), Err(WireError::Length));
        assert_eq!(frame(b"p\xff\xff\xff\xff"), Err(WireError::Length));
    }
}
