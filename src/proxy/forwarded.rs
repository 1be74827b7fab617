//! Where a client really comes from, as the balancer before pgveil says it: the header of the PROXY
//! protocol, version 1 or 2, before everything else on the connection, TLS too.
//!
//! <https://www.haproxy.org/download/2.9/doc/proxy-protocol.txt>

use std::io;
use std::net::{IpAddr, SocketAddr};

use ppp::{HeaderResult, v1, v2};
use tokio::io::AsyncReadExt as _;
use tokio::net::TcpStream;

/// The longest line of version 1, with its end.
const LONGEST_LINE: usize = 107;
/// The shortest one: `PROXY UNKNOWN`.
const SHORTEST_LINE: usize = 15;
/// What version 2 begins with, up to its length: signature, command, family.
const FIXED: usize = 16;
/// The longest header of version 2 that is read; some balancers add what they know of TLS.
const LONGEST: usize = 4096;
const SIGNATURE: &[u8] = v2::PROTOCOL_PREFIX;
const WORD: &[u8] = b"PROXY ";

/// Why there is no header.
#[derive(Debug, thiserror::Error)]
pub(super) enum HeaderError {
    #[error(
        "no header of the PROXY protocol, which server.proxy_protocol expects from this address"
    )]
    Missing,
    #[error("a malformed header of the PROXY protocol")]
    Malformed,
    #[error(transparent)]
    Lost(#[from] io::Error),
}

/// Takes the header off a connection, and nothing behind it: TLS may be what follows. Gives the
/// address in it: none if the balancer speaks for itself, as when it looks whether anybody is there,
/// or does not know.
pub(super) async fn header(client: &mut TcpStream) -> Result<Option<SocketAddr>, HeaderError> {
    let mut header = Vec::with_capacity(LONGEST_LINE);
    loop {
        let more = match length(&header)? {
            Some(length) if header.len() == length => return address(&header),
            Some(length) => length - header.len(),
            // A line, of which nobody knows how long it is.
            None if header.len() >= SHORTEST_LINE && header.starts_with(WORD) => {
                let mut ahead = [0; LONGEST_LINE];
                let there = client.peek(&mut ahead).await?;
                let ahead = ahead.get(..there).unwrap_or(&ahead);
                ahead
                    .iter()
                    .position(|byte| *byte == b'\n')
                    .map_or(there, |end| end + 1)
            }
            None if header.len() < SHORTEST_LINE => SHORTEST_LINE - header.len(),
            None => FIXED - header.len(),
        };
        let mut read = client.take(more as u64);
        if more == 0 || read.read_buf(&mut header).await? == 0 {
            return Err(HeaderError::Missing);
        }
    }
}

/// The length of the header, once that can be told.
fn length(input: &[u8]) -> Result<Option<usize>, HeaderError> {
    let begins_with = |word: &[u8]| {
        let common = input.len().min(word.len());
        input.get(..common) == word.get(..common)
    };
    if begins_with(SIGNATURE) {
        let Some([high, low]) = input.get(FIXED - 2..FIXED) else {
            return Ok(None);
        };
        let length = FIXED + usize::from(u16::from_be_bytes([*high, *low]));
        if length > LONGEST {
            return Err(HeaderError::Malformed);
        }
        return Ok(Some(length));
    }
    if !begins_with(WORD) {
        return Err(HeaderError::Missing);
    }
    let line = input.get(..input.len().min(LONGEST_LINE)).unwrap_or(input);
    match line.windows(2).position(|end| end == b"\r\n") {
        Some(end) => Ok(Some(end + 2)),
        None if line.len() == LONGEST_LINE => Err(HeaderError::Malformed),
        None => Ok(None),
    }
}

/// The address in a whole header.
fn address(header: &[u8]) -> Result<Option<SocketAddr>, HeaderError> {
    let at = |ip: IpAddr, port: u16| Some(SocketAddr::new(ip.to_canonical(), port));
    match HeaderResult::parse(header) {
        HeaderResult::V1(Ok(header)) => Ok(match header.addresses {
            v1::Addresses::Unknown => None,
            v1::Addresses::Tcp4(of) => at(of.source_address.into(), of.source_port),
            v1::Addresses::Tcp6(of) => at(of.source_address.into(), of.source_port),
        }),
        HeaderResult::V2(Ok(header)) if header.command == v2::Command::Local => Ok(None),
        HeaderResult::V2(Ok(header)) => Ok(match header.addresses {
            v2::Addresses::IPv4(of) => at(of.source_address.into(), of.source_port),
            v2::Addresses::IPv6(of) => at(of.source_address.into(), of.source_port),
            v2::Addresses::Unspecified | v2::Addresses::Unix(_) => None,
        }),
        HeaderResult::V1(Err(_)) | HeaderResult::V2(Err(_)) => Err(HeaderError::Malformed),
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::AsyncWriteExt as _;
    use tokio::net::TcpListener;

    use super::*;

    /// A header of version 2: command and family, and what follows the length.
    fn second(command: u8, family: u8, rest: &[u8]) -> Vec<u8> {
        let length = u16::try_from(rest.len()).unwrap().to_be_bytes();
        [SIGNATURE, &[command, family], &length, rest].concat()
    }

    /// What is read of this, and what is left behind it.
    async fn sent(parts: &[&[u8]]) -> (Result<Option<SocketAddr>, HeaderError>, Vec<u8>) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let mut client = TcpStream::connect(listener.local_addr().unwrap())
            .await
            .unwrap();
        let (mut server, _) = listener.accept().await.unwrap();
        client.set_nodelay(true).unwrap();
        let sending = async {
            for part in parts {
                client.write_all(part).await.unwrap();
                tokio::task::yield_now().await;
            }
            drop(client);
        };
        let (found, ()) = tokio::join!(header(&mut server), sending);
        let mut rest = Vec::new();
        let _ = server.read_to_end(&mut rest).await;
        (found, rest)
    }

    #[tokio::test]
    async fn reads_both_versions_wherever_they_are_cut() {
        let four = [192, 0, 2, 7, 10, 0, 0, 1, 0xd4, 0x31, 0x19, 0x20];
        let six = [
            &[0x20, 1, 0xd, 0xb8],
            &[0; 11][..],
            &[9],
            &[0; 16],
            &[0, 80, 0, 81],
        ]
        .concat();
        for (header, shown) in [
            (
                b"PROXY TCP4 192.0.2.7 10.0.0.1 54321 6432\r\n".to_vec(),
                Some("192.0.2.7:54321"),
            ),
            (
                b"PROXY TCP6 2001:db8::9 ::1 80 81\r\n".to_vec(),
                Some("[2001:db8::9]:80"),
            ),
            (b"PROXY UNKNOWN\r\n".to_vec(), None),
            (second(0x21, 0x11, &four), Some("192.0.2.7:54321")),
            (
                second(0x21, 0x11, &[&four[..], &[4, 0, 1, 0]].concat()),
                Some("192.0.2.7:54321"),
            ),
            (second(0x21, 0x21, &six), Some("[2001:db8::9]:80")),
            (second(0x20, 0x00, &[]), None),
            (second(0x20, 0x11, &four), None),
            (second(0x21, 0x00, &[]), None),
        ] {
            let behind = b"\0\0\0\x08\x04\xd2\x16\x2f";
            let whole = [&header[..], behind].concat();
            for cut in 0..=whole.len() {
                let (first, second) = whole.split_at(cut);
                let (found, rest) = sent(&[first, second]).await;
                let found = found.unwrap().map(|address| address.to_string());
                assert_eq!(found.as_deref(), shown, "{cut} of {header:?}");
                assert_eq!(rest, behind);
            }
            for end in 0..header.len() {
                let (found, _) = sent(&[&header[..end]]).await;
                assert!(found.is_err(), "{end} of {header:?}");
            }
        }
    }

    #[test]
    fn takes_nothing_else_for_one() {
        let long = [WORD, &[b'x'; 200][..]].concat();
        let huge = [SIGNATURE, &[0x21, 0x11, 0xff, 0xff]].concat();
        for sent in [
            &b"\0\0\0\x08"[..],
            b"\x16\x03\x01",
            b"GET / HTTP/1.1\r\n",
            &long,
            &huge,
        ] {
            assert!(length(sent).is_err(), "{sent:?}");
        }
        for header in [
            b"PROXY TCP4 192.0.2.7 10.0.0.1 54321\r\n".to_vec(),
            b"PROXY TCP4 192.0.2.700 10.0.0.1 1 2\r\n".to_vec(),
            b"PROXY TCP9 1 2 3 4\r\n".to_vec(),
            second(0x21, 0x11, &[1, 2, 3]),
            second(0x31, 0x11, &[0; 12]),
        ] {
            assert!(address(&header).is_err(), "{header:?}");
        }
    }
}
