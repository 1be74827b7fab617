//! A client that keeps every byte it receives. It speaks the protocol frame by frame, waits at
//! most ten seconds for an answer, and knows no authentication but trust.

use std::io::{ErrorKind, Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;

use super::message::{self, Message, Raw};

/// Where a server or proxy listens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Address {
    pub(crate) host: String,
    pub(crate) port: u16,
}

/// A session.
pub(crate) struct Client {
    stream: TcpStream,
    unanalysed: Vec<u8>,
    received: Vec<u8>,
}

impl Client {
    /// Opens a session and reads up to its first ReadyForQuery.
    pub(crate) fn connect(at: &Address, user: &str, database: &str) -> Result<Self, String> {
        Self::connect_with(at, &[("user", user), ("database", database)])
    }

    /// The same with these parameters of the startup packet.
    pub(crate) fn connect_with(at: &Address, parameters: &[(&str, &str)]) -> Result<Self, String> {
        let stream = TcpStream::connect((at.host.as_str(), at.port))
            .map_err(|error| format!("no connection to {}:{}: {error}", at.host, at.port))?;
        let limit = Some(Duration::from_secs(10));
        stream
            .set_read_timeout(limit)
            .and_then(|()| stream.set_write_timeout(limit))
            .and_then(|()| stream.set_nodelay(true))
            .map_err(|error| error.to_string())?;
        let mut client = Self {
            stream,
            unanalysed: Vec::new(),
            received: Vec::new(),
        };
        client.send(&message::startup(parameters))?;
        let answers = client.until_ready(1)?;
        client.forget_secret();
        match answers.iter().find_map(Message::sqlstate) {
            None => Ok(client),
            Some(_) => Err(format!("the session is refused: {answers:?}")),
        }
    }

    /// Leaves the BackendKeyData out of what has arrived: its secret is random, and four bytes of that
    /// are a key by chance.
    fn forget_secret(&mut self) {
        let received = std::mem::take(&mut self.received);
        let mut rest = &received[..];
        while let Some((head, _)) = rest.split_at_checked(5) {
            let length = u32::from_be_bytes([head[1], head[2], head[3], head[4]]) as usize;
            let (frame, behind) = rest.split_at((1 + length).min(rest.len()));
            if head[0] != b'K' {
                self.received.extend(frame);
            }
            rest = behind;
        }
        self.received.extend(rest);
    }

    /// Sends these bytes.
    pub(crate) fn send(&mut self, bytes: &[u8]) -> Result<(), String> {
        self.stream
            .write_all(bytes)
            .map_err(|error| format!("can't send: {error}"))
    }

    /// Waits for the next message.
    pub(crate) fn receive(&mut self) -> Result<Message, String> {
        loop {
            if let Some((head, rest)) = self.unanalysed.split_at_checked(5) {
                let length = u32::from_be_bytes([head[1], head[2], head[3], head[4]]) as usize;
                let length = length
                    .checked_sub(4)
                    .ok_or("a frame is shorter than its length")?;
                if let Some(body) = rest.get(..length) {
                    let message = Message::parse(head[0], body)?;
                    self.unanalysed.drain(..5 + length);
                    return Ok(message);
                }
            }
            let mut buffer = [0; 16_384];
            match self.stream.read(&mut buffer) {
                Ok(0) => return Err("the connection was closed".to_owned()),
                Ok(count) => {
                    self.unanalysed.extend(&buffer[..count]);
                    self.received.extend(&buffer[..count]);
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(format!("no answer: {error}")),
            }
        }
    }

    /// Reads up to and with the given number of ReadyForQuery. An error that ends the session
    /// ends the reading too.
    pub(crate) fn until_ready(&mut self, mut ready: usize) -> Result<Vec<Message>, String> {
        let mut answers = Vec::new();
        while ready > 0 {
            let answer = match self.receive() {
                Ok(answer) => answer,
                Err(reason) => return Err(format!("{reason}, after {answers:?}")),
            };
            ready -= usize::from(matches!(answer, Message::ReadyForQuery(_)));
            let fatal = matches!(&answer, Message::Error(fields)
                if fields.get(&'V').is_some_and(|severity| severity != "ERROR"));
            answers.push(answer);
            if fatal {
                break;
            }
        }
        Ok(answers)
    }

    /// Sends messages that bring this number of ReadyForQuery and reads the answers.
    pub(crate) fn exchange(&mut self, bytes: &[u8], ready: usize) -> Result<Vec<Message>, String> {
        self.send(bytes)?;
        self.until_ready(ready)
    }

    /// Runs SQL that must succeed.
    pub(crate) fn run(&mut self, sql: &str) -> Result<Vec<Message>, String> {
        let answers = self.exchange(&message::query(sql), 1)?;
        match answers.iter().find(|answer| answer.sqlstate().is_some()) {
            None => Ok(answers),
            Some(error) => Err(format!("{sql}\n{error:?}")),
        }
    }

    /// The values of the rows of a query that must succeed, as text; NULL is empty.
    pub(crate) fn rows(&mut self, sql: &str) -> Result<Vec<Vec<String>>, String> {
        let text = |value: &Option<Raw>| {
            let bytes = value.as_ref().map(|raw| raw.0.as_slice());
            String::from_utf8_lossy(bytes.unwrap_or_default()).into_owned()
        };
        let row = |answer: &Message| match answer {
            Message::DataRow(values) => Some(values.iter().map(text).collect()),
            _ => None,
        };
        Ok(self.run(sql)?.iter().filter_map(row).collect())
    }

    /// Every byte that arrived since the last call.
    pub(crate) fn recorded(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.received)
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        // Terminate; if the other side is gone already, so much the better.
        let _ = self.send(b"X\0\0\0\x04");
    }
}
