//! Frames and startup packets: a header never promises what its limits forbid, and a stream is
//! cut into the same frames wherever it is cut into reads.

use pgveil::wire::WireError;
use pgveil::wire::frame::{self, FrameLimits, HEADER_BYTES, Header};
use pgveil::wire::startup::{self, Packet};

use super::input::{Cuts, Input};

/// The type byte and the body.
type Frame = (u8, Vec<u8>);

/// Who has sent the bytes.
#[derive(Clone, Copy)]
enum Side {
    Client(FrameLimits),
    Server,
}

impl Side {
    fn header(self, bytes: &[u8]) -> Result<Option<Header>, WireError> {
        match self {
            Self::Client(limits) => Header::from_client(bytes, limits),
            Self::Server => Header::from_server(bytes),
        }
    }
}

/// The target.
pub fn run(data: &[u8]) {
    let mut input = Input::new(data);
    let side = if input.flag() {
        Side::Server
    } else {
        Side::Client(FrameLimits {
            small_bytes: 8 + usize::from(input.byte()),
            large_bytes: 64 + usize::from(input.byte()) * 16,
        })
    };
    let mut cuts = Cuts::read(&mut input);
    let stream = input.rest();
    let whole = split(side, [stream]);
    let pieces = split(side, cuts.cut(stream));
    assert_eq!(whole, pieces, "the cuts of a stream change its frames");
    packets(stream);
}

/// The frames of a stream that arrives in pieces, the fault that ends it, and what is left.
fn split<'a>(
    side: Side,
    pieces: impl IntoIterator<Item = &'a [u8]>,
) -> (Vec<Frame>, Option<WireError>, Vec<u8>) {
    let mut buffer: Vec<u8> = Vec::new();
    let mut frames = Vec::new();
    for piece in pieces {
        buffer.extend_from_slice(piece);
        loop {
            let header = match side.header(&buffer) {
                Ok(Some(header)) => header,
                Ok(None) => {
                    assert!(
                        buffer.len() < HEADER_BYTES,
                        "a header that is there is not read"
                    );
                    break;
                }
                Err(fault) => return (frames, Some(fault), Vec::new()),
            };
            assert!(header.total >= HEADER_BYTES);
            if let Side::Client(limits) = side {
                let limit = limits.large_bytes.max(limits.small_bytes);
                assert!(header.total - 1 <= limit, "a frame beyond its limit");
            }
            match frame::body(&buffer, header) {
                Ok(body) => {
                    assert_eq!(body.len(), header.total - HEADER_BYTES);
                    frames.push((header.kind, body.to_vec()));
                    buffer.drain(..header.total);
                }
                Err(fault) => {
                    assert_eq!(fault, WireError::Truncated);
                    assert!(buffer.len() < header.total);
                    break;
                }
            }
        }
    }
    (frames, None, buffer)
}

/// A packet that is taken comes back from its parts.
fn packets(bytes: &[u8]) {
    let Ok(Some(length)) = startup::packet_bytes(bytes) else {
        return;
    };
    let Some(packet) = bytes.get(..length) else {
        return;
    };
    let Ok(Packet::Startup(first)) = startup::packet(packet) else {
        return;
    };
    let mut out = bytes::BytesMut::new();
    startup::negotiate_first_version(&first, &mut out);
    if first.version >> 16 != 3 {
        return;
    }
    let again = first.as_first_version();
    match startup::packet(&again) {
        Ok(Packet::Startup(second)) => {
            assert_eq!(second.version, 3 << 16);
            assert_eq!(second.protocol_options().count(), 0);
            let kept = first
                .parameters()
                .filter(|(name, _)| !name.starts_with(b"_pq_."));
            assert!(kept.eq(second.parameters()), "a parameter is lost");
        }
        other => panic!("a packet of our own is not understood: {other:?}"),
    }
}
