//! Postgres's wire protocol, version 3: bytes to exactly bounded frames, frames to the messages
//! that the proxy inspects, and their values between text and binary. Knows nothing of SQL, of
//! keys or of sockets.
//!
//! Everything is decoded by the checked [`Reader`] from one frame at a time, and encoded straight
//! into a `BytesMut`: pgwire's message decoders panic on truncated messages and read past the end
//! of a frame (`witness` shows which), and its encoders want owned strings for each message.
#![warn(
    clippy::indexing_slicing,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_possible_wrap
)]

pub(crate) mod array_text;
pub mod backend;
pub mod bytea;
pub mod composite;
pub mod copy;
pub mod frame;
pub mod frontend;
mod integer;
pub(crate) mod json;
mod output;
mod reader;
pub mod report;
pub mod sqlstate;
pub mod startup;
pub mod uuid_text;
pub mod value;
#[cfg(test)]
mod witness;

pub use output::Output;
pub use reader::Reader;

use bytes::{BufMut, BytesMut};

/// Appends a message: its type byte, its length word and the body that `write` appends.
pub fn message(out: &mut BytesMut, kind: u8, write: impl FnOnce(&mut BytesMut)) {
    out.put_u8(kind);
    let start = out.len();
    out.put_i32(0);
    write(out);
    // "Length of message contents in bytes, including self."
    set_word(out, start, out.len() - start);
}

/// Appends a value that `write` appends, with its length in front.
pub fn sized(out: &mut BytesMut, write: impl FnOnce(&mut BytesMut)) {
    let start = out.len();
    out.put_i32(0);
    write(out);
    set_word(out, start, out.len() - start - 4);
}

/// Sets the length word at `at`.
pub(crate) fn set_word(out: &mut BytesMut, at: usize, length: usize) {
    let length = i32::try_from(length).unwrap_or(i32::MAX);
    if let Some(place) = out.get_mut(at..at + 4) {
        place.copy_from_slice(&length.to_be_bytes());
    }
}

/// Names of more bytes than these are cut by the server (`NAMEDATALEN - 1`).
pub const MAX_NAME_BYTES: usize = 63;

/// A name as the server keeps it: roles and databases in a startup packet, statements and portals
/// of the protocol are told apart by their first 63 bytes, whatever characters they cut
/// (`ProcessStartupPacket`, `strlcpy` of a hash table's key).
#[must_use]
pub fn kept_name(name: &[u8]) -> &[u8] {
    name.get(..MAX_NAME_BYTES).unwrap_or(name)
}

/// What is wrong with bytes that should be a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum WireError {
    /// The length word is smaller than itself or over the limit.
    #[error("invalid message length")]
    Length,
    /// No message of the protocol starts with this byte.
    #[error("invalid message type {0}")]
    Type(u8),
    /// A field needs more bytes than the message has.
    #[error("insufficient data left in message")]
    Truncated,
    /// The message has more bytes than its fields.
    #[error("invalid message format")]
    Leftover,
    /// A string has no terminator within the message.
    #[error("invalid string in message")]
    Unterminated,
    /// A Describe or Close names neither a statement nor a portal.
    #[error("invalid message subtype {0}")]
    Subtype(u8),
    /// A count or a code is out of its range.
    #[error("invalid count or code in message")]
    Range,
}
