//! A client that says what it likes: messages of the protocol, one by one, awaited or pipelined.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;

use pgveil::wire::frontend::{BindWriter, Execute, Formats, Query, Target, parse};

use super::CANARY;

/// A message of a client.
#[derive(Debug, Clone)]
pub(crate) enum Say {
    Query(String),
    /// A Parse under a name.
    Parse(&'static str, String),
    /// Bind, Describe of the portal and Execute of the statement of a name.
    Run(&'static str),
    /// Parse and the same under the name of nothing.
    Do(String),
    /// Describe of a statement.
    Describe(&'static str),
    Close(&'static str),
    Sync,
}

impl Say {
    fn encode(&self, out: &mut bytes::BytesMut) {
        let nothing = [].into_iter();
        match self {
            Self::Query(text) => Query {
                text: text.as_bytes(),
            }
            .encode(out),
            Self::Parse(name, text) => parse(name.as_bytes(), text.as_bytes(), nothing, out),
            Self::Run(name) => {
                BindWriter::new(out, b"", name.as_bytes(), [].into_iter(), 0)
                    .finish(Formats::default());
                Target::Portal(b"").describe(out);
                Execute {
                    portal: b"",
                    limit: 0,
                }
                .encode(out);
            }
            Self::Do(text) => {
                Self::Parse("", text.clone()).encode(out);
                Self::Run("").encode(out);
            }
            Self::Describe(name) => Target::Statement(name.as_bytes()).describe(out),
            Self::Close(name) => Target::Statement(name.as_bytes()).close(out),
            Self::Sync => out.extend_from_slice(b"S\0\0\0\x04"),
        }
    }

    const fn ends(&self) -> bool {
        matches!(self, Self::Sync | Self::Query(_))
    }
}

/// A message of the server: its type and its body.
pub(crate) type Heard = (u8, Vec<u8>);

/// A session.
pub(crate) struct Raw(TcpStream);

impl Raw {
    pub(crate) fn connect(port: u16, database: &str) -> Self {
        let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
        stream
            .set_read_timeout(Some(Duration::from_secs(30)))
            .unwrap();
        let parameters = format!("user\0postgres\0database\0{database}\0\0");
        let mut packet = u32::try_from(8 + parameters.len())
            .unwrap()
            .to_be_bytes()
            .to_vec();
        packet.extend_from_slice(&196_608_u32.to_be_bytes());
        packet.extend_from_slice(parameters.as_bytes());
        stream.write_all(&packet).unwrap();
        let mut this = Self(stream);
        this.hear(1);
        this
    }

    /// Says all of it at once, or waits at each end of a batch. Nothing that comes holds a key.
    pub(crate) fn say(&mut self, all: &[Say], pipelined: bool) -> Vec<Heard> {
        let mut heard = Vec::new();
        let mut out = bytes::BytesMut::new();
        let mut owed = 0;
        for say in all {
            say.encode(&mut out);
            owed += usize::from(say.ends());
            if say.ends() && !pipelined {
                self.0.write_all(&std::mem::take(&mut out)).unwrap();
                heard.extend(self.hear(std::mem::take(&mut owed)));
            }
        }
        self.0.write_all(&out).unwrap();
        heard.extend(self.hear(owed));
        for (_, body) in &heard {
            let text = String::from_utf8_lossy(body);
            assert!(!text.contains(CANARY), "{all:?}: {text}");
        }
        heard
    }

    /// What comes up to so many ReadyForQuery, or the end.
    fn hear(&mut self, mut owed: usize) -> Vec<Heard> {
        let mut heard = Vec::new();
        while owed > 0 {
            let mut head = [0; 5];
            if self.0.read_exact(&mut head).is_err() {
                heard.push((b'!', Vec::new()));
                break;
            }
            let length = u32::from_be_bytes(head[1..].try_into().unwrap());
            let mut body = vec![0; usize::try_from(length).unwrap() - 4];
            self.0.read_exact(&mut body).unwrap();
            owed -= usize::from(head[0] == b'Z');
            heard.push((head[0], body));
        }
        heard
    }
}

/// What the errors say.
pub(crate) fn errors(heard: &[Heard]) -> Vec<String> {
    let errors = heard.iter().filter(|(kind, _)| *kind == b'E');
    let text = errors.map(|(_, body)| String::from_utf8_lossy(body).replace('\0', " "));
    text.collect()
}

/// The SQLSTATEs of the errors.
pub(crate) fn codes(heard: &[Heard]) -> Vec<String> {
    let errors = heard.iter().filter(|(kind, _)| *kind == b'E');
    let code = |(_, body): &Heard| {
        let mut fields = body.split(|byte| *byte == 0);
        let code = fields.find(|field| field.first() == Some(&b'C')).unwrap();
        String::from_utf8_lossy(&code[1..]).into_owned()
    };
    errors.map(code).collect()
}

/// The kinds of the messages, without those that say nothing of the statements.
pub(crate) fn kinds(heard: &[Heard]) -> String {
    let kinds = heard.iter().map(|(kind, _)| char::from(*kind));
    kinds.filter(|kind| *kind != 'S').collect()
}
