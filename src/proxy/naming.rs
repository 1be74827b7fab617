//! What Postgres sees as the `application_name` of a session, where that is to tell the client's
//! address too, and that the client is told the name that it has given itself.

use std::net::IpAddr;

use bytes::{Bytes, BytesMut};

use super::authentication::frame;
use crate::wire::backend::parameter_status;
use crate::wire::startup::{self, MAX_BYTES, Packet, Startup};
use crate::wire::{MAX_NAME_BYTES, message};

const APPLICATION_NAME: &str = "application_name";

/// A name with the address of its client behind it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Signed {
    /// The name that the client gives itself; empty if it gives none.
    name: Box<[u8]>,
    /// What stands behind it.
    suffix: String,
}

/// A startup packet that tells Postgres the client's address behind the name that it gives itself, and
/// what became of the name. `None` if that can't be: the options of the packet set it in a way of their
/// own, or it would be too long.
pub(super) fn signed(packet: &[u8], address: IpAddr) -> Option<(Bytes, Signed)> {
    let Ok(Packet::Startup(startup)) = startup::packet(packet) else {
        return None;
    };
    let name = startup.parameter(APPLICATION_NAME);
    if name.is_none() && options_name_it(&startup) {
        return None;
    }
    let name = name.unwrap_or_default();
    let suffix = format!("via {address}");
    let suffix = match name.is_empty() {
        true => suffix,
        false => format!(" {suffix}"),
    };
    let kept = fitting(name, MAX_NAME_BYTES.saturating_sub(suffix.len()));
    let value = [kept, suffix.as_bytes()].concat();
    let packet = startup.with_parameter(APPLICATION_NAME, &value).freeze();
    let name = name.into();
    (packet.len() <= MAX_BYTES).then_some((packet, Signed { name, suffix }))
}

/// Whether the options may set the name: they would hold for a client that gives none beside them.
fn options_name_it(startup: &Startup<'_>) -> bool {
    let options = startup.parameter("options").unwrap_or_default();
    let options = options.to_ascii_lowercase();
    // A backslash may stand before any character.
    let options: Vec<u8> = options.into_iter().filter(|byte| *byte != b'\\').collect();
    let names = [&b"application_name"[..], b"application-name"];
    let mut names = names.into_iter();
    names.any(|name| memchr::memmem::find(&options, name).is_some())
}

/// As much of a name as Postgres shows in so many bytes. What is not printable ASCII becomes up to four
/// characters there, so that a part of it would push the address out.
fn fitting(name: &[u8], most: usize) -> &[u8] {
    let cost = |byte: u8| match byte {
        b' '..=b'~' => 1,
        _ => 4,
    };
    let mut left = most;
    let fits = |byte: &&u8| match left.checked_sub(cost(**byte)) {
        Some(rest) => {
            left = rest;
            true
        }
        None => false,
    };
    let length = name.iter().take_while(fits).count();
    let (mut kept, rest) = name.split_at(length);
    // Not in the middle of a character.
    if rest.first().is_some_and(|byte| is_continuation(*byte)) {
        while let Some((last, before)) = kept.split_last() {
            kept = before;
            if !is_continuation(*last) {
                break;
            }
        }
    }
    kept
}

/// Whether a byte is behind the first one of a character, in UTF-8.
const fn is_continuation(byte: u8) -> bool {
    byte & 0xc0 == 0x80
}

impl Signed {
    /// What Postgres has reported so far, with the client's own name where it reports the longer one.
    pub(super) fn retold(&self, said: &[u8]) -> Option<BytesMut> {
        let mut rest = said;
        while let Ok(Some(length)) = frame(rest) {
            let (status, behind) = rest.split_at_checked(length)?;
            if let Some(value) = self.own(status) {
                let before = said.len() - rest.len();
                let mut out = BytesMut::from(said.get(..before)?);
                message(&mut out, b'S', |out| {
                    out.extend_from_slice(APPLICATION_NAME.as_bytes());
                    out.extend_from_slice(b"\0");
                    out.extend_from_slice(value);
                    out.extend_from_slice(b"\0");
                });
                out.extend_from_slice(behind);
                return Some(out);
            }
            rest = behind;
        }
        None
    }

    /// The client's own name, if this message reports the longer one. What Postgres has made of a name
    /// that is not printable stays.
    fn own<'s>(&'s self, status: &'s [u8]) -> Option<&'s [u8]> {
        let body = status.strip_prefix(b"S")?.get(4..)?;
        let (name, value) = parameter_status(body).ok()?;
        if name != APPLICATION_NAME.as_bytes() {
            return None;
        }
        let shown = value.strip_suffix(self.suffix.as_bytes())?;
        let is_printable = self.name.iter().all(|byte| matches!(byte, b' '..=b'~'));
        Some(if is_printable { &self.name } else { shown })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn packet(parameters: &[(&str, &str)]) -> Vec<u8> {
        let mut body = (3u32 << 16).to_be_bytes().to_vec();
        for (name, value) in parameters {
            body.extend_from_slice(format!("{name}\0{value}\0").as_bytes());
        }
        body.push(0);
        let length = u32::try_from(body.len() + 4).unwrap();
        [&length.to_be_bytes()[..], &body].concat()
    }

    /// What Postgres gets as the name, if the packet is changed.
    fn told(parameters: &[(&str, &str)], address: &str) -> Option<String> {
        let (packet, _) = signed(&packet(parameters), address.parse().unwrap())?;
        let Ok(Packet::Startup(startup)) = startup::packet(&packet) else {
            panic!("it is none any more");
        };
        assert_eq!(startup.parameter("user"), Some(&b"app"[..]));
        let name = startup.parameter(APPLICATION_NAME).unwrap();
        assert!(name.len() <= MAX_NAME_BYTES);
        Some(String::from_utf8(name.to_vec()).unwrap())
    }

    #[test]
    fn the_address_stands_behind_the_name_whatever_its_length() {
        let user = ("user", "app");
        let name = |name| told(&[user, (APPLICATION_NAME, name)], "192.0.2.7").unwrap();
        assert_eq!(name("shop"), "shop via 192.0.2.7");
        assert_eq!(name(""), "via 192.0.2.7");
        assert_eq!(told(&[user], "2001:db8::1").unwrap(), "via 2001:db8::1");
        let long = "x".repeat(400);
        assert_eq!(name(&long).len(), MAX_NAME_BYTES);
        assert!(name(&long).ends_with("x via 192.0.2.7"));
        // 49 bytes are left, and each byte of these may become four.
        assert_eq!(
            name(&"é".repeat(99)),
            format!("{} via 192.0.2.7", "é".repeat(6))
        );
        // The last one counts, as in Postgres.
        let twice = [user, (APPLICATION_NAME, "a"), (APPLICATION_NAME, "b")];
        assert_eq!(told(&twice, "192.0.2.7").unwrap(), "b via 192.0.2.7");
    }

    #[test]
    fn what_the_options_say_stays_and_so_does_a_packet_that_is_full() {
        let user = ("user", "app");
        for options in [
            "-c application_name=x",
            "--application-name=x",
            "-c APPLICATION_\\NAME=x",
        ] {
            assert_eq!(told(&[user, ("options", options)], "192.0.2.7"), None);
            let both = [user, ("options", options), (APPLICATION_NAME, "b")];
            assert_eq!(told(&both, "192.0.2.7").unwrap(), "b via 192.0.2.7");
        }
        let full = "x".repeat(MAX_BYTES - 50);
        assert_eq!(told(&[user, ("options", &full)], "192.0.2.7"), None);
    }

    #[test]
    fn the_client_is_told_its_own_name() {
        let status = |name: &str, value: &str| {
            let mut out = BytesMut::new();
            message(&mut out, b'S', |out| {
                out.extend_from_slice(format!("{name}\0{value}\0").as_bytes());
            });
            out
        };
        let signed = |name: &str| Signed {
            name: name.as_bytes().into(),
            suffix: " via ::1".to_owned(),
        };
        let said = |name: &str| [status("a", "b"), status(APPLICATION_NAME, name)].concat();
        let retold = signed("shop").retold(&said("shop via ::1")).unwrap();
        assert_eq!(retold, said("shop"));
        let long = "x".repeat(99);
        let retold = signed(&long).retold(&said("xxx via ::1")).unwrap();
        assert_eq!(retold, said(&long));
        let retold = signed("é").retold(&said("\\xc3\\xa9 via ::1")).unwrap();
        assert_eq!(retold, said("\\xc3\\xa9"));
        // A pooler, or a trigger on login, has given it another.
        assert_eq!(signed("shop").retold(&said("other")), None);
        let cut = said("shop via ::1");
        assert_eq!(signed("shop").retold(&cut[..cut.len() - 1]), None);
    }
}
