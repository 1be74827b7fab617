//! The packets with which a connection begins: they have a length word but no type byte.

use std::ops::RangeInclusive;

use bytes::{BufMut, Bytes, BytesMut};

use super::{MAX_NAME_BYTES, Reader, WireError, kept_name};

/// The largest startup packet (`MAX_STARTUP_PACKET_LENGTH`), as its length word counts.
pub const MAX_BYTES: usize = 10_000;

/// A process id and a key of 4 bytes, since protocol 3.2 of up to 256.
const CANCEL_KEY_BYTES: RangeInclusive<usize> = 8..=260;

const CANCEL: u32 = 1234 << 16 | 5678;
const SSL: u32 = 1234 << 16 | 5679;
const GSSENC: u32 = 1234 << 16 | 5680;

/// The packet with which a client asks for TLS.
#[must_use]
pub fn ssl_request() -> [u8; 8] {
    let mut packet = [0, 0, 0, 8, 0, 0, 0, 0];
    let (_, code) = packet.split_at_mut(4);
    code.copy_from_slice(&SSL.to_be_bytes());
    packet
}

/// The packet that cancels what another connection runs, by the body of the BackendKeyData that the
/// connection was given; `None` if that is none.
#[must_use]
pub fn cancel_request(key: &[u8]) -> Option<Bytes> {
    if !CANCEL_KEY_BYTES.contains(&key.len()) {
        return None;
    }
    let mut packet = BytesMut::new();
    packet.put_u32(u32::try_from(8 + key.len()).ok()?);
    packet.put_u32(CANCEL);
    packet.put_slice(key);
    Some(packet.freeze())
}

/// The first packet of a connection, or the next one after a refused encryption.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Packet<'a> {
    /// Asks for TLS.
    Ssl,
    /// Asks for GSSAPI encryption.
    GssEnc,
    /// Asks to cancel what another connection runs: to be passed on as it is.
    Cancel,
    /// Opens a session.
    Startup(Startup<'a>),
}

/// The StartupMessage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Startup<'a> {
    /// The major version in the upper 16 bits, the minor in the lower.
    pub version: u32,
    parameters: &'a [u8],
}

impl<'a> Startup<'a> {
    /// The parameters in order: names and values, without their zero bytes. Empty for versions
    /// other than 3, whose layout is another.
    pub fn parameters(&self) -> impl Iterator<Item = (&'a [u8], &'a [u8])> + use<'a> {
        let mut reader = Reader::new(self.parameters);
        std::iter::from_fn(move || {
            let name = reader.string().ok().filter(|name| !name.is_empty())?;
            Some((name, reader.string().ok()?))
        })
    }

    /// The last value of a parameter; the server takes the last one too.
    #[must_use]
    pub fn parameter(&self, name: &str) -> Option<&'a [u8]> {
        self.parameters()
            .filter(|(key, _)| *key == name.as_bytes())
            .last()
            .map(|(_, value)| value)
    }

    /// The packet with the names of role and database cut as the server cuts them; `None` if
    /// none is longer than that. Whoever judges a role must judge the one that Postgres lets in.
    #[must_use]
    pub fn with_kept_names(&self) -> Option<BytesMut> {
        let is_name = |name: &[u8]| matches!(name, b"user" | b"database");
        let mut names = self.parameters().filter(|(name, _)| is_name(name));
        names.find(|(_, value)| value.len() > MAX_NAME_BYTES)?;
        let cut = |(name, value)| match is_name(name) {
            true => (name, kept_name(value)),
            false => (name, value),
        };
        Some(packet_of(self.version, self.parameters().map(cut)))
    }

    /// The packet with this value for a parameter.
    #[must_use]
    pub fn with_parameter(&self, name: &str, value: &[u8]) -> BytesMut {
        let others = self.parameters().filter(|(key, _)| *key != name.as_bytes());
        packet_of(self.version, others.chain([(name.as_bytes(), value)]))
    }

    /// The names of the options that belong to later versions of the protocol (`_pq_.…`).
    pub fn protocol_options(&self) -> impl Iterator<Item = &'a [u8]> + use<'a> {
        self.parameters()
            .map(|(name, _)| name)
            .filter(|name| name.starts_with(b"_pq_."))
    }

    /// Gives this packet for version 3.0, without the options of later ones.
    #[must_use]
    pub fn as_first_version(&self) -> BytesMut {
        let known = |(name, _): &(&[u8], &[u8])| !name.starts_with(b"_pq_.");
        packet_of(3 << 16, self.parameters().filter(known))
    }
}

/// A StartupMessage of these parameters.
fn packet_of<'a>(version: u32, parameters: impl Iterator<Item = (&'a [u8], &'a [u8])>) -> BytesMut {
    let mut packet = BytesMut::new();
    packet.put_u32(0);
    packet.put_u32(version);
    for (name, value) in parameters {
        packet.put_slice(name);
        packet.put_u8(0);
        packet.put_slice(value);
        packet.put_u8(0);
    }
    packet.put_u8(0);
    let length = packet.len();
    super::set_word(&mut packet, 0, length);
    packet
}

/// Appends NegotiateProtocolVersion: that 3.0 is the newest version, and which options are not
/// known.
pub fn negotiate_first_version(startup: &Startup<'_>, out: &mut BytesMut) {
    super::message(out, b'v', |out| {
        let count = startup.protocol_options().count();
        out.put_u32(3 << 16);
        out.put_u32(u32::try_from(count).unwrap_or(u32::MAX));
        for name in startup.protocol_options() {
            out.put_slice(name);
            out.put_u8(0);
        }
    });
}

/// The length of the packet at the beginning of `bytes`, itself included; `None` if fewer than
/// four bytes are there.
///
/// # Errors
/// [`WireError::Length`] if it can't be a startup packet.
pub fn packet_bytes(bytes: &[u8]) -> Result<Option<usize>, WireError> {
    let Some((&length, _)) = bytes.split_first_chunk::<4>() else {
        return Ok(None);
    };
    match usize::try_from(i32::from_be_bytes(length)) {
        Ok(length @ 8..=MAX_BYTES) => Ok(Some(length)),
        _ => Err(WireError::Length),
    }
}

/// Decodes exactly one packet.
///
/// # Errors
/// If its fields don't fill it.
pub fn packet(bytes: &[u8]) -> Result<Packet<'_>, WireError> {
    let mut reader = Reader::new(bytes);
    let length = reader.u32()?;
    if usize::try_from(length) != Ok(bytes.len()) {
        return Err(WireError::Length);
    }
    let code = reader.u32()?;
    match code {
        SSL => reader.finish().map(|()| Packet::Ssl),
        GSSENC => reader.finish().map(|()| Packet::GssEnc),
        CANCEL if CANCEL_KEY_BYTES.contains(&reader.rest().len()) => Ok(Packet::Cancel),
        CANCEL => Err(WireError::Truncated),
        version if version >> 16 == 3 => {
            let parameters = reader.rest();
            loop {
                let name = reader.string()?;
                if name.is_empty() {
                    break;
                }
                reader.string()?;
            }
            reader.finish()?;
            Ok(Packet::Startup(Startup {
                version,
                parameters,
            }))
        }
        version => Ok(Packet::Startup(Startup {
            version,
            parameters: &[],
        })),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with_length(body: &[u8]) -> Vec<u8> {
        let length = u32::try_from(body.len() + 4).unwrap();
        [&length.to_be_bytes()[..], body].concat()
    }

    #[test]
    fn reads_the_parameters_of_a_startup_message() {
        let bytes = with_length(b"\0\x03\0\0user\0ann\0database\0shop\0options\0-c a=b\0\0");
        let Ok(Packet::Startup(startup)) = packet(&bytes) else {
            panic!("not a startup message");
        };
        assert_eq!(startup.version, 3 << 16);
        assert_eq!(startup.parameter("database"), Some(&b"shop"[..]));
        assert_eq!(startup.parameters().count(), 3);
        assert_eq!(startup.as_first_version(), bytes);
        for length in 0..bytes.len() {
            assert!(packet(&bytes[..length]).is_err());
            let mut shorter = bytes[..length].to_vec();
            if length >= 9 {
                shorter = with_length(&shorter[4..]);
                assert!(packet(&shorter).is_err(), "{length}");
            }
        }
    }

    #[test]
    fn a_later_version_is_negotiated_down() {
        let later = with_length(b"\0\x03\0\x02user\0ann\0_pq_.x\0on\0\0");
        let Ok(Packet::Startup(startup)) = packet(&later) else {
            panic!("not a startup message");
        };
        let first = with_length(b"\0\x03\0\0user\0ann\0\0");
        assert_eq!(startup.as_first_version(), first);
        let mut out = BytesMut::new();
        negotiate_first_version(&startup, &mut out);
        assert_eq!(&out[..], b"v\0\0\0\x13\0\x03\0\0\0\0\0\x01_pq_.x\0");
    }

    #[test]
    fn names_of_roles_and_databases_are_cut_as_the_server_cuts_them() {
        let of = |user: &str, other: &str| {
            let body = format!("\0\x03\0\x02user\0{user}\0database\0{user}\0x\0{other}\0\0");
            with_length(body.as_bytes())
        };
        let (kept, long) = ("é".repeat(31) + "a", "é".repeat(31) + "ab");
        let read = |bytes: &[u8]| match packet(bytes) {
            Ok(Packet::Startup(startup)) => startup.with_kept_names(),
            other => panic!("{other:?}"),
        };
        assert_eq!(read(&of(&kept, &long)), None);
        assert_eq!(read(&of(&long, &long)).unwrap(), of(&kept, &long));
    }

    #[test]
    fn tells_the_requests_apart() {
        assert_eq!(packet(&ssl_request()), Ok(Packet::Ssl));
        assert_eq!(packet(&with_length(&SSL.to_be_bytes())), Ok(Packet::Ssl));
        assert_eq!(
            packet(&with_length(&GSSENC.to_be_bytes())),
            Ok(Packet::GssEnc)
        );
        let cancel = [&CANCEL.to_be_bytes()[..], &[1; 8]].concat();
        assert_eq!(packet(&with_length(&cancel)), Ok(Packet::Cancel));
        assert_eq!(packet_bytes(b"\0\0\0\x07"), Err(WireError::Length));
        assert_eq!(packet_bytes(b"GET "), Err(WireError::Length));
    }
}
