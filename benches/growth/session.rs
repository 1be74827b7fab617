//! The whole way of a Query through a session: frame, analysis, edits.

use std::cell::RefCell;
use std::sync::Arc;

use bytes::{Buf, BytesMut};
use pgveil::codec::{Codec, DomainName, IdCodec, KeyRing, Presentation, Secret, Version};
use pgveil::session::{Analyzer, Earlier, Limits, Mode, Session, Shared};

use super::snapshot;

/// What the sessions have in common. No plan is kept.
pub(crate) fn shared() -> Arc<Shared> {
    let domains = snapshot::annotations().into_iter().map(|annotation| {
        let secret = Secret::parse(&"0123456789abcdef".repeat(4)).expect("a key");
        let name: DomainName = annotation.name.parse().expect("a name");
        let codec = IdCodec::feistel(&KeyRing::new(secret), &name, Version::V8);
        let codec = Codec::ids(codec, Presentation::Native);
        (Arc::new(codec), annotation)
    });
    let limits = Limits {
        plan_cache_bytes: 0,
        ..Limits::default()
    };
    Arc::new(Shared::new(domains, limits, Analyzer::default(), |_| ()))
}

/// A session and the Query that it gets next.
pub(crate) struct Opened {
    session: RefCell<Session>,
    query: RefCell<BytesMut>,
}

/// What is longer is analysed before it is sent, what is shorter perhaps when its result comes.
const LONG_BYTES: usize = 16 * 1024;

impl Opened {
    /// Whether the text is a long one.
    pub(crate) fn is_long(&self) -> bool {
        self.query.borrow().len() > LONG_BYTES
    }
}

fn frame(out: &mut BytesMut, kind: u8, body: &[u8]) {
    out.extend_from_slice(&[kind]);
    let length = u32::try_from(body.len() + 4).expect("a length");
    out.extend_from_slice(&length.to_be_bytes());
    out.extend_from_slice(body);
}

/// The server's answer to the question for the catalog.
fn catalog() -> BytesMut {
    let mut answer = BytesMut::new();
    let more = super::catalog::extra();
    for line in snapshot::lines(&more) {
        let fields: Vec<_> = line.split('\t').map(snapshot::field).collect();
        let mut body = u16::try_from(fields.len())
            .expect("a number")
            .to_be_bytes()
            .to_vec();
        for field in fields {
            let length = field.map_or(-1, |field| i32::try_from(field.len()).expect("a length"));
            body.extend_from_slice(&length.to_be_bytes());
            body.extend_from_slice(field.unwrap_or_default());
        }
        frame(&mut answer, b'D', &body);
    }
    frame(&mut answer, b'C', b"SELECT 1\0");
    frame(&mut answer, b'Z', b"I");
    answer
}

/// A session that has loaded the catalog, with a text to send.
pub(crate) fn opened(shared: &Arc<Shared>, text: &str) -> Opened {
    thread_local! {
        static CATALOG: BytesMut = catalog();
        static KNOWN: RefCell<Option<Arc<pgveil::session::Catalog>>> = const { RefCell::new(None) };
    }
    let mut session = Session::new(Arc::clone(shared), Mode::Enforce);
    let mut server = BytesMut::new();
    frame(&mut server, b'Z', b"I");
    session.server_bytes(&mut server).expect("ready");
    let known = KNOWN.with_borrow(Clone::clone);
    match known {
        Some(known) => {
            session.use_catalog(known);
            let mut body = vec![0, 2];
            for field in ["search path", "pg_catalog\\000public"] {
                body.extend_from_slice(
                    &u32::try_from(field.len()).expect("a length").to_be_bytes(),
                );
                body.extend_from_slice(field.as_bytes());
            }
            frame(&mut server, b'D', &body);
            frame(&mut server, b'C', b"SELECT 1\0");
            frame(&mut server, b'Z', b"I");
        }
        None => {
            session.load_catalog(Earlier::Unknown);
            server.extend_from_slice(&CATALOG.with(Clone::clone));
        }
    }
    session.server_bytes(&mut server).expect("a catalog");
    if let Some(loaded) = session.take_loaded() {
        KNOWN.set(Some(loaded));
    }
    let sent = session.to_server().remaining();
    session.to_server().advance(sent);
    let mut query = BytesMut::new();
    frame(&mut query, b'Q', format!("{text}\0").as_bytes());
    Opened {
        session: RefCell::new(session),
        query: RefCell::new(query),
    }
}

impl Opened {
    /// Sends it, once.
    pub(crate) fn run(&self) -> Result<(), String> {
        let mut session = self.session.borrow_mut();
        session
            .client_bytes(&mut self.query.borrow_mut())
            .map_err(|fatal| fatal.to_string())?;
        let server = session.to_server();
        let poison = b"pgveil refuses this statement";
        let start = server.chunk();
        let start = start.get(..64).unwrap_or(start);
        let is_poison = start.windows(poison.len()).any(|window| window == poison);
        match server.remaining() {
            0 => Err("nothing was sent".to_owned()),
            _ if is_poison => Err("refused".to_owned()),
            _ => Ok(()),
        }
    }
}
