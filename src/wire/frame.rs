//! Splitting a byte stream into frames: a type byte, a length word that counts itself, a body.
//! Only the header is judged here; the limits are those of Postgres (`SocketBackend`).

use super::WireError;

/// The type byte and the length word.
pub const HEADER_BYTES: usize = 5;

/// The limit for messages that have no business to be large (`PQ_SMALL_MESSAGE_LIMIT`).
pub const SMALL_MESSAGE_BYTES: usize = 10_000;

/// The limit for all others (`PQ_LARGE_MESSAGE_LIMIT`): what Postgres can allocate at once.
pub const LARGE_MESSAGE_BYTES: usize = 0x3fff_fffe;

/// The largest messages that are taken from a client, in bytes as the length word counts them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FrameLimits {
    /// Close, Describe, Execute, Flush, Sync, Terminate, CopyDone, CopyFail.
    pub small_bytes: usize,
    /// Parse, Bind, Query, FunctionCall, CopyData.
    pub large_bytes: usize,
}

impl Default for FrameLimits {
    fn default() -> Self {
        Self {
            small_bytes: SMALL_MESSAGE_BYTES,
            large_bytes: LARGE_MESSAGE_BYTES,
        }
    }
}

/// The beginning of a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Header {
    /// The type byte.
    pub kind: u8,
    /// The bytes of the whole frame, the type byte included.
    pub total: usize,
}

impl Header {
    /// Reads the header at the beginning of `bytes`; `None` if it is not all there.
    fn read(bytes: &[u8]) -> Result<Option<Self>, WireError> {
        let Some((&[kind, a, b, c, d], _)) = bytes.split_first_chunk::<HEADER_BYTES>() else {
            return Ok(None);
        };
        // "Length of message contents in bytes, including self."
        let length = i32::from_be_bytes([a, b, c, d]);
        match usize::try_from(length) {
            Ok(length @ 4..) => Ok(Some(Self {
                kind,
                total: length + 1,
            })),
            _ => Err(WireError::Length),
        }
    }

    /// The header of a message from a client that has been authenticated.
    ///
    /// # Errors
    /// If the type is unknown (already with the first byte) or the length out of bounds.
    pub fn from_client(bytes: &[u8], limits: FrameLimits) -> Result<Option<Self>, WireError> {
        let Some(&kind) = bytes.first() else {
            return Ok(None);
        };
        let limit = match kind {
            b'Q' | b'P' | b'B' | b'F' | b'd' => limits.large_bytes,
            b'C' | b'D' | b'E' | b'H' | b'S' | b'X' | b'c' | b'f' => limits.small_bytes,
            _ => return Err(WireError::Type(kind)),
        };
        let header = Self::read(bytes)?;
        match header {
            Some(header) if header.total - 1 > limit => Err(WireError::Length),
            header => Ok(header),
        }
    }

    /// The header of a message from the server after authentication.
    ///
    /// # Errors
    /// If the type is unknown (already with the first byte) or the length invalid.
    pub fn from_server(bytes: &[u8]) -> Result<Option<Self>, WireError> {
        let Some(&kind) = bytes.first() else {
            return Ok(None);
        };
        match kind {
            b'1'..=b'3'
            | b'A'
            | b'C'..=b'E'
            | b'G'..=b'I'
            | b'K'
            | b'N'
            | b'S'
            | b'T'
            | b'V'
            | b'W'
            | b'Z'
            | b'c'
            | b'd'
            | b'n'
            | b's'
            | b't' => Self::read(bytes),
            _ => Err(WireError::Type(kind)),
        }
    }
}

/// The body of the complete frame at the beginning of `bytes`.
///
/// # Errors
/// [`WireError::Truncated`] if it is not complete.
pub fn body(bytes: &[u8], header: Header) -> Result<&[u8], WireError> {
    bytes
        .get(HEADER_BYTES..header.total)
        .ok_or(WireError::Truncated)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_for_a_whole_header() {
        for length in 0..HEADER_BYTES {
            let bytes = b"Q\0\0\0\x09select";
            assert_eq!(
                Header::from_client(&bytes[..length], FrameLimits::default()),
                Ok(None)
            );
        }
    }

    #[test]
    fn refuses_an_unknown_type_with_its_first_byte() {
        assert_eq!(
            Header::from_client(b"G", FrameLimits::default()),
            Err(WireError::Type(b'G'))
        );
        assert_eq!(Header::from_server(b"!"), Err(WireError::Type(b'!')));
    }

    #[test]
    fn bounds_lengths_as_postgres_does() {
        let header = |bytes: &[u8]| Header::from_client(bytes, FrameLimits::default());
        assert_eq!(header(b"S\0\0\0\x03"), Err(WireError::Length));
        assert_eq!(header(b"S\xff\xff\xff\xff"), Err(WireError::Length));
        assert_eq!(header(b"S\0\0\x27\x11"), Err(WireError::Length));
        assert_eq!(
            header(b"S\0\0\x27\x10"),
            Ok(Some(Header {
                kind: b'S',
                total: 10_001
            }))
        );
        assert_eq!(header(b"Q\x3f\xff\xff\xff"), Err(WireError::Length));
    }
}
