//! The databases and sessions that the targets work on.

use std::sync::Arc;

use bytes::{Buf, BytesMut};
use pgveil::catalog::{ColumnTypes, IdAnnotation, Loader, Snapshot};
use pgveil::codec::{Codec, DomainName, IdCodec, Key, KeyRing, Presentation, Secret, Version};
use pgveil::config::ColumnName;
use pgveil::session::{Analyzer, Earlier, Limits, Mode, Session, Shared};
use pgveil::wire::frame::FrameLimits;

/// The first key of every table: neither its digits nor its bytes may reach a client.
pub const CANARY: i64 = 8_613_972_450_000_001;

/// What all canaries have in common, as text and in binary.
const CANARY_DIGITS: &[u8] = b"86139724500000";
const CANARY_BYTES: &[u8] = &[0x1e, 0x9a, 0x5c, 0xbf, 0xfc, 0xbc];

fn annotation(name: &str, table: &str, references: &[&str]) -> IdAnnotation {
    let column = |table: &str, column: &str| {
        let name = ColumnName {
            schema: "public".to_owned(),
            table: table.to_owned(),
            column: column.to_owned(),
        };
        name.into()
    };
    let references = references.iter().filter_map(|name| name.split_once('.'));
    IdAnnotation {
        name: name.to_owned(),
        column: column(table, "id"),
        json: Vec::new(),
        references: references
            .map(|(table, name)| column(table, name))
            .collect(),
        types: ColumnTypes::INTEGERS_AS_UUIDS,
    }
}

/// A shop with views, arrays and functions, as recorded from a real database.
pub fn shop() -> Snapshot {
    shop_and("")
}

/// The shop with definitions that compute with keys: CHECKs, policies, a domain over keys.
pub fn computing_shop() -> Snapshot {
    shop_and(include_str!("../../tests/sql/computing.tsv"))
}

fn shop_and(more: &str) -> Snapshot {
    let soft = ["events.participant_ids", "audit_log.actor_id"];
    let annotations = [
        annotation("user", "users", &soft),
        annotation("team", "teams", &[]),
        annotation("order", "orders", &[]),
        annotation("order_item", "order_items", &[]),
        annotation("comment", "comments", &[]),
        annotation("event", "events", &[]),
    ];
    let mut loader = Loader::new(Arc::from(annotations));
    let recorded = include_str!("../../tests/sql/catalog.tsv");
    for line in recorded.lines().chain(more.lines()) {
        let fields = line.split('\t');
        let fields: Vec<Option<&[u8]>> = fields
            .map(|field| (field != "\\N").then_some(field.as_bytes()))
            .collect();
        loader.row(&fields).expect("a recorded row");
    }
    loader.finish().snapshot
}

fn codec(domain: &str) -> IdCodec {
    let secret = Secret::parse(&"0123456789abcdef".repeat(4)).expect("a secret");
    let name: DomainName = domain.parse().expect("a name");
    IdCodec::feistel(&KeyRing::new(secret), &name, Version::V8)
}

/// The id of a user, as text and in binary.
pub fn id(key: i64) -> (String, [u8; 16]) {
    let id = codec("user").encode(Key::new(key));
    let text = String::from_utf8_lossy(&id.to_text()).into_owned();
    (text, id.to_bytes())
}

/// Limits that a small input can reach, or those of every day.
pub fn limits(narrow: bool) -> Limits {
    let everyday = Limits {
        plan_cache_bytes: 1 << 20,
        ..Limits::default()
    };
    if !narrow {
        return everyday;
    }
    Limits {
        frames: FrameLimits {
            small_bytes: 64,
            large_bytes: 400,
        },
        statements: 2,
        portals: 2,
        catalog_max_age: std::time::Duration::ZERO,
        ..everyday
    }
}

/// What sessions share in which `users.id` and `orders.id` are annotated.
pub fn shared(limits: Limits) -> Arc<Shared> {
    let domain = |name: &str, table: &str| {
        let codec = Codec::ids(codec(name), Presentation::Native);
        (Arc::new(codec), annotation(name, table, &[]))
    };
    let domains = [domain("user", "users"), domain("order", "orders")];
    Arc::new(Shared::new(domains, limits, Analyzer::default(), |_| ()))
}

/// A session and the bytes that wait before it and behind it.
#[derive(Debug)]
pub struct Stage {
    /// The session.
    pub session: Session,
    /// What the client has sent and the session has not taken.
    pub from_client: BytesMut,
    /// What the server has sent and the session has not taken.
    pub from_server: BytesMut,
    /// Whether the session has ended.
    pub ended: bool,
}

impl Stage {
    /// A session behind AuthenticationOk.
    pub fn new(shared: &Arc<Shared>, mode: Mode) -> Self {
        Self {
            session: Session::new(Arc::clone(shared), mode),
            from_client: BytesMut::new(),
            from_server: BytesMut::new(),
            ended: false,
        }
    }

    /// Hands over what the client has sent, in these pieces.
    pub fn client<'a>(&mut self, pieces: impl IntoIterator<Item = &'a [u8]>) {
        for piece in pieces {
            self.from_client.extend_from_slice(piece);
            let result = self.session.client_bytes(&mut self.from_client);
            self.judge(result);
        }
    }

    /// Hands over what the server has sent, in these pieces; then what the client had to wait with.
    pub fn server<'a>(&mut self, pieces: impl IntoIterator<Item = &'a [u8]>) {
        for piece in pieces {
            self.from_server.extend_from_slice(piece);
            // As the relay does: what is left may be taken in the next phase.
            while self.read_server() {}
        }
        self.session.take_loaded();
        self.client([&b""[..]]);
    }

    /// Whether anything was taken.
    fn read_server(&mut self) -> bool {
        let before = self.from_server.len();
        let result = self.session.server_bytes(&mut self.from_server);
        self.judge(result);
        if self.session.needs_catalog() {
            self.session.load_catalog(Earlier::Unknown);
        }
        self.from_server.len() < before
    }

    fn judge(&mut self, result: Result<(), pgveil::session::Fatal>) {
        if let Err(fatal) = result {
            self.session.end(&fatal);
            self.ended = true;
        }
    }

    /// Takes what the server is sent.
    pub fn sent(&mut self) -> Vec<u8> {
        drain(self.session.to_server())
    }

    /// Takes what the client is sent.
    pub fn show(&mut self) -> Vec<u8> {
        drain(self.session.to_client())
    }
}

fn drain(output: &mut impl Buf) -> Vec<u8> {
    let mut bytes = vec![0; output.remaining()];
    output.copy_to_slice(&mut bytes);
    bytes
}

/// Whether a key is in some bytes.
pub fn leaks(bytes: &[u8]) -> bool {
    let holds = |needle: &[u8]| bytes.windows(needle.len()).any(|window| window == needle);
    holds(CANARY_DIGITS) || holds(CANARY_BYTES)
}
