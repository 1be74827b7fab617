//! Authentication, passed through end to end: the proxy knows no password and keeps none. It
//! reads no more of a message than tells whose turn it is, and logs none.
//!
//! Every request of the server is answered by exactly one message of the client. What the client
//! sends beyond that stays in its buffer for the session, so that no query slips past it.

use std::io;

use bytes::Buf;

use super::leg::Leg;
use super::limits;
use crate::session::Fatal;
use crate::wire::WireError;

/// How the authentication ended without success.
#[derive(Debug, thiserror::Error)]
pub(super) enum AuthenticationError {
    /// The server said no, to the client, and closed.
    #[error("the server refused")]
    Refused,
    /// The client went.
    #[error("the client went")]
    ClientGone,
    /// One of the two broke the protocol, or the server went.
    #[error(transparent)]
    Fatal(#[from] Fatal),
    /// The client's socket failed.
    #[error(transparent)]
    Lost(#[from] io::Error),
}

/// What a message of the server means for the turn.
enum Turn {
    Server,
    Client,
    Done,
    /// The server has sent an error and will close.
    Over,
}

/// Passes messages until the server's AuthenticationOk has been passed.
pub(super) async fn authenticate(
    client: &mut Leg,
    server: &mut Leg,
) -> Result<(), AuthenticationError> {
    let mut turn = Turn::Server;
    loop {
        while let Some(length) = frame(&server.input).map_err(Fatal::Server)? {
            turn = turn_after(&server.input[..length])?;
            client.write(&server.input[..length]).await?;
            server.input.advance(length);
            if let Turn::Done = turn {
                return Ok(());
            }
        }
        let awaits_client = matches!(turn, Turn::Client);
        if awaits_client && let Some(length) = frame(&client.input).map_err(Fatal::Client)? {
            let sent = server.write(&client.input[..length]).await;
            client.input.advance(length);
            turn = Turn::Server;
            // If the server is gone, it may have left the reason behind.
            if sent.is_ok() {
                continue;
            }
        }
        tokio::select! {
            read = server.read() => match (read, &turn) {
                (Ok(0) | Err(_), Turn::Over) => return Err(AuthenticationError::Refused),
                (Ok(0) | Err(_), _) => return Err(Fatal::ServerGone.into()),
                (Ok(_), _) => {}
            },
            read = client.read(), if awaits_client => if read? == 0 {
                return Err(AuthenticationError::ClientGone);
            },
        }
    }
}

/// The length of the complete message at the front, its type byte included.
fn frame(bytes: &[u8]) -> Result<Option<usize>, WireError> {
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
