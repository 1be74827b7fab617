//! What a connection begins with: requests for encryption, a TLS handshake, a cancellation, or
//! the startup packet of a session.

use std::io;

use bytes::{Bytes, BytesMut};

use super::hosts::Kind;
use super::leg::Leg;
use crate::wire::startup::{self, Packet};
use crate::wire::{WireError, report};

/// What the client wants.
#[derive(Debug)]
pub(super) enum Opening {
    /// A session of protocol 3.
    Session(Request),
    /// To cancel what another session runs: the packet.
    Cancel(Bytes),
    /// A protocol that this proxy does not know: the packet. Postgres knows what to answer.
    OtherProtocol(Bytes),
    /// TLS, and its handshake is the next to come.
    Tls(Handshake),
}

/// How a client comes to TLS.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Handshake {
    /// It asked, and was told yes.
    Negotiated,
    /// It begins at once, as clients may since Postgres 17.
    Direct,
}

/// The startup packet of a session.
#[derive(Debug)]
pub(super) struct Request {
    /// As the client sent it, with names cut as the server cuts them.
    pub(super) packet: Bytes,
    /// The role; empty if the client names none.
    pub(super) user: Box<[u8]>,
    /// The database; Postgres takes the name of the role if the client names none.
    pub(super) database: Box<[u8]>,
    /// What the client calls itself; empty if it does not say.
    pub(super) application: Box<[u8]>,
    /// Whether the client wants a stream of the write-ahead log instead of SQL.
    pub(super) replication: bool,
    /// What decides the settings that the session begins with.
    pub(super) kind: Kind,
}

/// Why there is no opening.
#[derive(Debug, thiserror::Error)]
pub(super) enum OpeningError {
    /// Postgres closes without a word in these cases: the peer may not speak the protocol.
    #[error("no startup packet: {0}")]
    Silent(&'static str),
    /// The packet has the wrong layout.
    #[error("invalid startup packet: {0}")]
    Layout(WireError),
    /// Bytes came behind the request for TLS: someone on the way wants them to be taken for a
    /// part of the encrypted stream (CVE-2021-23214).
    #[error("received unencrypted data after SSL request")]
    Stuffed,
    #[error(transparent)]
    Lost(#[from] io::Error),
}

impl OpeningError {
    /// What the client is told.
    pub(super) fn error_response(&self) -> BytesMut {
        let mut words = BytesMut::new();
        let text = self.to_string();
        match self {
            Self::Layout(_) => report::fatal("08P01", &text, None, &mut words),
            Self::Stuffed => {
                let detail = "This could be either a client-software bug or evidence of an \
                              attempted man-in-the-middle attack.";
                report::fatal("08P01", &text, Some(detail), &mut words);
            }
            Self::Silent(_) | Self::Lost(_) => {}
        }
        words
    }
}

/// Which encryption a client has asked for already.
#[derive(Debug, Default)]
pub(super) struct Asked {
    ssl: bool,
    gssenc: bool,
}

impl Asked {
    /// Reads up to the first packet that is no request for an encryption that it does not get.
    /// Those are answered `N`: "the server is unwilling to perform" it, and the client may go on
    /// without. A request for TLS is answered `S` where pgveil has TLS. `heard` is called when
    /// the client has sent something.
    pub(super) async fn opening(
        &mut self,
        client: &mut Leg,
        has_tls: bool,
        heard: impl Fn(),
    ) -> Result<Opening, OpeningError> {
        if has_tls && !self.ssl && !self.gssenc && client.begins_tls().await? {
            self.ssl = true;
            heard();
            return Ok(Opening::Tls(Handshake::Direct));
        }
        loop {
            let bytes = packet(client, &heard).await?;
            let (asked, granted) = match startup::packet(&bytes).map_err(OpeningError::Layout)? {
                Packet::Ssl => (&mut self.ssl, has_tls),
                Packet::GssEnc => (&mut self.gssenc, false),
                Packet::Cancel => return Ok(Opening::Cancel(bytes)),
                Packet::Startup(startup) if startup.version >> 16 != 3 => {
                    return Ok(Opening::OtherProtocol(bytes));
                }
                Packet::Startup(startup) => {
                    let cut = startup.with_kept_names().map(BytesMut::freeze);
                    let bytes = cut.unwrap_or_else(|| bytes.clone());
                    return request(bytes)
                        .map_err(OpeningError::Layout)
                        .map(Opening::Session);
                }
            };
            if std::mem::replace(asked, true) {
                return Err(OpeningError::Silent("encryption was asked for twice"));
            }
            if granted {
                if !client.input.is_empty() {
                    return Err(OpeningError::Stuffed);
                }
                client.write(b"S").await?;
                return Ok(Opening::Tls(Handshake::Negotiated));
            }
            client.write(b"N").await?;
        }
    }
}

impl Request {
    /// The packet as one of protocol 3.0, and what the client is told if it wants a later one:
    /// where pgveil authenticates, it speaks before it knows what Postgres would say.
    pub(super) fn as_first_version(&self) -> (Bytes, BytesMut) {
        let mut negotiation = BytesMut::new();
        match startup::packet(&self.packet) {
            Ok(Packet::Startup(startup))
                if startup.version != 3 << 16 || startup.protocol_options().next().is_some() =>
            {
                startup::negotiate_first_version(&startup, &mut negotiation);
                (startup.as_first_version().freeze(), negotiation)
            }
            _ => (self.packet.clone(), negotiation),
        }
    }
}

fn request(packet: Bytes) -> Result<Request, WireError> {
    let Packet::Startup(startup) = startup::packet(&packet)? else {
        return Err(WireError::Range);
    };
    let user = startup.parameter("user").unwrap_or_default();
    let database = startup
        .parameter("database")
        .filter(|name| !name.is_empty());
    Ok(Request {
        user: user.into(),
        database: database.unwrap_or(user).into(),
        application: startup
            .parameter("application_name")
            .unwrap_or_default()
            .into(),
        kind: Kind::of(startup.parameters()),
        replication: startup.parameter("replication").is_some_and(is_not_false),
        packet,
    })
}

/// Whether Postgres would not read the value as false (`parse_bool`).
fn is_not_false(value: &[u8]) -> bool {
    let value = value.to_ascii_lowercase();
    let short = |word: &[u8], least: usize| value.len() >= least && word.starts_with(&value);
    !(short(b"false", 1) || short(b"no", 1) || short(b"off", 2) || value == b"0")
}

/// Reads exactly one packet.
async fn packet(client: &mut Leg, heard: &impl Fn()) -> Result<Bytes, OpeningError> {
    loop {
        let length = startup::packet_bytes(&client.input)
            .map_err(|_| OpeningError::Silent("no valid length"))?;
        if let Some(length) = length.filter(|length| *length <= client.input.len()) {
            return Ok(client.input.split_to(length).freeze());
        }
        if client.read().await? == 0 {
            return Err(OpeningError::Silent("the client went"));
        }
        heard();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_a_boolean_as_postgres_does() {
        for value in ["false", "F", "fal", "no", "N", "off", "OF", "0"] {
            assert!(!is_not_false(value.as_bytes()), "{value}");
        }
        for value in ["true", "on", "o", "1", "database", "falsey"] {
            assert!(is_not_false(value.as_bytes()), "{value}");
        }
    }
}
