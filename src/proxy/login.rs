//! Authentication by pgveil itself, on each leg with that leg's own channel binding: a client
//! proves its role to pgveil, and with what that teaches pgveil proves it to Postgres. Postgres's
//! word counts: the client hears of success only after AuthenticationOk.

use std::io;

use bytes::{Buf, BufMut, BytesMut};

use super::authentication::{AuthenticationError, frame, is_not_now, mechanisms};
use super::leg::Leg;
use super::scram::{Challenge, Credentials, Login, LoginError, Offer, ScramError, nonce};
use super::strikes::Guard;
use super::tls;
use crate::config::Verifier;
use crate::session::Fatal;
use crate::wire::report::{Report, field};
use crate::wire::{Reader, WireError, message};

/// A client that has proven its role, and has not been told yet.
pub(super) struct Proven {
    credentials: Credentials,
    /// The server's last message: the proof that pgveil knows the verifier.
    last: String,
}

/// Has a client prove its role by the verifier; `guard` is told if it does not.
pub(super) async fn prove(
    client: &mut Leg,
    offer: &Offer<'_>,
    verifier: Verifier,
    guard: Guard<'_>,
) -> Result<Proven, AuthenticationError> {
    let mut names = BytesMut::new();
    for mechanism in offer.mechanisms() {
        names.put_slice(mechanism.as_bytes());
        names.put_u8(0);
    }
    names.put_u8(0);
    client.write(&request(SASL, &names)).await?;
    let initial = response(client).await?;
    let (mechanism, first) = initial_response(&initial)?;
    let nonce = nonce().map_err(io::Error::from)?;
    let challenge = Challenge::new(offer, verifier, mechanism, first, &nonce)?;
    let message = request(SASL_CONTINUE, challenge.message.as_bytes());
    client.write(&message).await?;
    let answer = response(client).await?;
    let attempt = guard.attempt().await?;
    let finished = challenge.finish(text(&answer)?);
    if matches!(finished, Err(ScramError::Password)) {
        attempt.fail();
    }
    let (credentials, last) = finished?;
    Ok(Proven { credentials, last })
}

impl Proven {
    /// Logs in to a server that has been sent the startup packet.
    pub(super) async fn log_in(
        &self,
        client: &mut Leg,
        server: &mut Leg,
        demand: Demand,
    ) -> Result<(), AuthenticationError> {
        let keys = Keys::Proven(&self.credentials);
        exchange(&keys, Some(client), server, demand).await
    }

    /// Lets the client in.
    pub(super) async fn welcome(self, client: &mut Leg) -> io::Result<()> {
        let mut welcome = request(SASL_FINAL, self.last.as_bytes());
        welcome.unsplit(request(OK, &[]));
        client.write(&welcome).await
    }
}

/// What is demanded of a server that a role logs in to.
#[derive(Debug, Clone, Copy)]
pub(super) struct Demand {
    /// To bind the authentication to its certificate.
    pub(super) binding: bool,
    /// To ask for a proof, and to prove itself that it knows the verifier.
    pub(super) proof: bool,
}

/// What pgveil logs in with.
pub(super) enum Keys<'a> {
    /// What a client has proven.
    Proven(&'a Credentials),
    /// A password of pgveil's own.
    Password(&'a str),
    /// Nothing: the server must trust it.
    None,
}

/// Logs in to a server that has been sent the startup packet. `client` hears the server's notices
/// and the error that ends it all.
pub(super) async fn exchange(
    keys: &Keys<'_>,
    mut client: Option<&mut Leg>,
    server: &mut Leg,
    demand: Demand,
) -> Result<(), AuthenticationError> {
    let (code, body) = ask(server, client.as_deref_mut()).await?;
    match code {
        SASL if !matches!(keys, Keys::None) => {}
        // The server trusts whoever comes from here: pgveil has asked for the proof.
        OK if demand.binding => return Err(LoginError::Unbound.into()),
        OK if demand.proof => return Err(LoginError::Unproven.into()),
        OK => return Ok(()),
        other => return Err(LoginError::Method(other).into()),
    }
    let offered: Vec<&str> = mechanisms(&body)
        .filter_map(|name| std::str::from_utf8(name).ok())
        .collect();
    let certificate = server.peer_certificate();
    let login = Login::new(
        &offered,
        certificate.and_then(tls::end_point),
        server.is_encrypted(),
        demand.binding,
        &nonce().map_err(io::Error::from)?,
    )?;
    let first = login.first();
    let mut initial = BytesMut::new();
    message(&mut initial, b'p', |out| {
        out.put_slice(login.mechanism().as_bytes());
        out.put_u8(0);
        crate::wire::sized(out, |out| out.put_slice(first.as_bytes()));
    });
    send(server, &initial).await?;

    let challenge = expect(SASL_CONTINUE, ask(server, client.as_deref_mut()).await?)?;
    let challenge = server_text(&challenge)?;
    let (answer, expected) = match keys {
        Keys::Proven(credentials) => login.answer(challenge, credentials)?,
        Keys::Password(password) => {
            let credentials = Credentials::of_password(password, challenge)?;
            login.answer(challenge, &credentials)?
        }
        Keys::None => return Err(LoginError::Method(SASL).into()),
    };
    let mut response = BytesMut::new();
    message(&mut response, b'p', |out| out.put_slice(answer.as_bytes()));
    send(server, &response).await?;

    let last = expect(SASL_FINAL, ask(server, client.as_deref_mut()).await?)?;
    expected.verify(server_text(&last)?)?;
    expect(OK, ask(server, client).await?)?;
    Ok(())
}

// The codes of the requests for authentication.
const OK: u32 = 0;
const SASL: u32 = 10;
const SASL_CONTINUE: u32 = 11;
const SASL_FINAL: u32 = 12;

/// A request for authentication.
fn request(code: u32, body: &[u8]) -> BytesMut {
    let mut out = BytesMut::new();
    message(&mut out, b'R', |out| {
        out.put_u32(code);
        out.put_slice(body);
    });
    out
}

/// The body of the client's next message, which must be an answer.
async fn response(client: &mut Leg) -> Result<BytesMut, AuthenticationError> {
    loop {
        // Refused with the first byte: what follows may be of any length.
        if let Some(kind) = client.input.first().filter(|kind| **kind != b'p') {
            return Err(Fatal::Client(WireError::Type(*kind)).into());
        }
        if let Some(length) = frame(&client.input).map_err(Fatal::Client)? {
            let mut message = client.input.split_to(length);
            message.advance(5);
            return Ok(message);
        }
        if client.read().await? == 0 {
            return Err(AuthenticationError::ClientGone);
        }
    }
}

/// SASLInitialResponse: the mechanism and the client's first message.
fn initial_response(body: &[u8]) -> Result<(&str, &str), AuthenticationError> {
    let mut reader = Reader::new(body);
    let mechanism = reader.string().map_err(Fatal::Client)?;
    let length = reader.u32().map_err(Fatal::Client)?;
    let first = reader.rest();
    if usize::try_from(length) != Ok(first.len()) {
        return Err(Fatal::Client(WireError::Length).into());
    }
    Ok((text(mechanism)?, text(first)?))
}

/// The text of a SCRAM message; all of them are ASCII.
fn text(bytes: &[u8]) -> Result<&str, ScramError> {
    let text = std::str::from_utf8(bytes).ok();
    text.filter(|text| text.is_ascii())
        .ok_or(ScramError::Malformed("The message is no text."))
}

/// A text of the server, of which nothing else is kept.
fn server_text(bytes: &[u8]) -> Result<&str, LoginError> {
    text(bytes).map_err(|_| LoginError::Malformed)
}

async fn send(server: &mut Leg, message: &[u8]) -> Result<(), AuthenticationError> {
    let sent = server.write(message).await;
    sent.map_err(|_| Fatal::ServerGone.into())
}

/// The server's next request: its code and its frame. The client gets notices and the error that ends it all.
async fn ask(
    server: &mut Leg,
    mut client: Option<&mut Leg>,
) -> Result<(u32, BytesMut), AuthenticationError> {
    loop {
        if let Some(length) = frame(&server.input).map_err(Fatal::Server)? {
            let message = server.input.split_to(length);
            match (&message[..], client.as_deref_mut()) {
                (&[b'R', _, _, _, _, a, b, c, d, ..], _) => {
                    return Ok((u32::from_be_bytes([a, b, c, d]), message));
                }
                ([b'N', ..], Some(client)) => client.write(&message).await?,
                ([b'N', ..], None) => {}
                ([b'E', ..], _) if is_not_now(&message) => {
                    return Err(AuthenticationError::NotNow(message));
                }
                ([b'E', ..], Some(client)) => {
                    client.write(&message).await?;
                    return Err(AuthenticationError::Refused);
                }
                ([b'E', body @ ..], None) => {
                    let body = body.get(4..).unwrap_or_default();
                    return Err(AuthenticationError::Denied(words(body)));
                }
                ([kind, ..], _) => return Err(Fatal::Unexpected(*kind).into()),
                ([], _) => return Err(Fatal::Server(WireError::Truncated).into()),
            }
        } else if !matches!(server.read().await, Ok(1..)) {
            return Err(Fatal::ServerGone.into());
        }
    }
}

/// The body of a request that must have this code.
fn expect(
    wanted: u32,
    (code, mut message): (u32, BytesMut),
) -> Result<BytesMut, AuthenticationError> {
    if code != wanted {
        return Err(LoginError::Method(code).into());
    }
    message.advance(9);
    Ok(message)
}

/// SQLSTATE and message of an ErrorResponse.
pub(super) fn words(body: &[u8]) -> String {
    let Ok(report) = Report::decode(body) else {
        return "an error that can't be read".to_owned();
    };
    let text = |code| report.get(code).unwrap_or_default();
    let code = text(field::CODE).escape_ascii().to_string();
    let message = String::from_utf8_lossy(text(field::MESSAGE));
    let message = message.replace(char::is_control, " ");
    format!("{code} {message}")
}
