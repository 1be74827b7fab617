//! A session with a client and a server that are played by the test.

use std::sync::{Arc, Mutex};

use bytes::{Buf, BufMut, BytesMut};
use pgveil::catalog::{ChannelAnnotation, ColumnTypes, IdAnnotation, PathStep};
use pgveil::codec::{Codec, DomainName, IdCodec, Key, KeyRing, Presentation, Secret, Version};
use pgveil::config::ColumnName;
use pgveil::session::{Analyzer, Catalog, Earlier, Event, Fatal, Limits, Mode, Session, Shared};

/// The first key of the domain `user` in these tests.
pub(crate) const KEY: i64 = 8_613_972_450_000_001;

pub(crate) fn codec(domain: &str) -> IdCodec {
    let secret = Secret::parse(&"0123456789abcdef".repeat(4)).unwrap();
    let name: DomainName = domain.parse().unwrap();
    IdCodec::feistel(&KeyRing::new(secret), &name, Version::V8)
}

/// The id of a user, as text.
pub(crate) fn id(key: i64) -> String {
    String::from_utf8(codec("user").encode(Key::new(key)).to_text().to_vec()).unwrap()
}

/// The id of a user, in binary.
pub(crate) fn id_bytes(key: i64) -> [u8; 16] {
    codec("user").encode(Key::new(key)).to_bytes()
}

/// An annotation of the column `id` of a table.
pub(crate) fn annotation(name: &str, table: &str, types: ColumnTypes) -> IdAnnotation {
    IdAnnotation {
        name: name.to_owned(),
        column: ColumnName {
            schema: "public".to_owned(),
            table: table.to_owned(),
            column: "id".to_owned(),
        }
        .into(),
        references: Vec::new(),
        json: Vec::new(),
        types,
    }
}

thread_local! {
    static EVENTS: Mutex<Vec<Event>> = const { Mutex::new(Vec::new()) };
}

/// The events since the last call; each test has a thread of its own.
pub(crate) fn events() -> Vec<Event> {
    EVENTS.with(|events| std::mem::take(&mut *events.lock().unwrap()))
}

pub(crate) fn shared() -> Arc<Shared> {
    shared_within(Limits::default())
}

fn shared_within(limits: Limits) -> Arc<Shared> {
    shared_with(limits, Vec::new())
}

/// With more domains behind `user` and `order`.
pub(crate) fn shared_with(limits: Limits, more: Vec<(Arc<Codec>, IdAnnotation)>) -> Arc<Shared> {
    let domains = [
        (
            Arc::new(Codec::ids(codec("user"), Presentation::Native)),
            annotation("user", "users", ColumnTypes::INTEGERS_AS_UUIDS),
        ),
        (
            Arc::new(Codec::ids(codec("order"), Presentation::Native)),
            annotation("order", "orders", ColumnTypes::INTEGERS_AS_UUIDS),
        ),
    ];
    let member = |name: &str| PathStep::Member(name.to_owned());
    let channel = |name: &str, path: Vec<PathStep>| ChannelAnnotation {
        name: name.to_owned(),
        domain: Some(0),
        path,
    };
    let free = |name: &str| ChannelAnnotation {
        name: name.to_owned(),
        domain: None,
        path: Vec::new(),
    };
    let channels = [
        free("jobs:*"),
        free("seventh"),
        channel("user_*:changed", Vec::new()),
        channel("user_changed", Vec::new()),
        channel("document", vec![member("user")]),
        channel(
            "document",
            vec![member("list"), PathStep::Elements, member("user")],
        ),
    ];
    let shared = Shared::new(
        domains.into_iter().chain(more),
        limits,
        Analyzer {
            script: super::plans::analyse,
            is_clean: |text, _| text.starts_with(b"glance"),
            blank: |_, _| None,
            reach: super::faults::reach,
        },
        |event| {
            EVENTS.with(|events| events.lock().unwrap().push(event));
        },
    );
    Arc::new(shared.notifying(Arc::from(channels)))
}

/// One frame.
pub(crate) fn frame(kind: u8, body: &[u8]) -> Vec<u8> {
    let length = u32::try_from(body.len() + 4).unwrap();
    [&[kind][..], &length.to_be_bytes(), body].concat()
}

pub(crate) fn query(text: &str) -> Vec<u8> {
    frame(b'Q', format!("{text}\0").as_bytes())
}

pub(crate) fn parse(name: &str, text: &str, oids: &[u32]) -> Vec<u8> {
    let mut body = format!("{name}\0{text}\0").into_bytes();
    body.put_u16(u16::try_from(oids.len()).unwrap());
    oids.iter().for_each(|oid| body.put_u32(*oid));
    frame(b'P', &body)
}

pub(crate) fn bind(
    portal: &str,
    statement: &str,
    formats: &[u16],
    values: &[Option<&[u8]>],
    results: &[u16],
) -> Vec<u8> {
    let mut body = format!("{portal}\0{statement}\0").into_bytes();
    body.put_u16(u16::try_from(formats.len()).unwrap());
    formats.iter().for_each(|code| body.put_u16(*code));
    body.put_u16(u16::try_from(values.len()).unwrap());
    put_values(&mut body, values);
    body.put_u16(u16::try_from(results.len()).unwrap());
    results.iter().for_each(|code| body.put_u16(*code));
    frame(b'B', &body)
}

pub(crate) fn describe(kind: char, name: &str) -> Vec<u8> {
    frame(b'D', format!("{kind}{name}\0").as_bytes())
}

pub(crate) fn execute(portal: &str) -> Vec<u8> {
    frame(b'E', format!("{portal}\0\0\0\0\0").as_bytes())
}

pub(crate) fn sync() -> Vec<u8> {
    frame(b'S', b"")
}

fn put_values(body: &mut Vec<u8>, values: &[Option<&[u8]>]) {
    for value in values {
        match value {
            Some(value) => {
                body.put_u32(u32::try_from(value.len()).unwrap());
                body.put_slice(value);
            }
            None => body.put_i32(-1),
        }
    }
}

pub(crate) fn row(values: &[Option<&[u8]>]) -> Vec<u8> {
    let mut body = Vec::new();
    body.put_u16(u16::try_from(values.len()).unwrap());
    put_values(&mut body, values);
    frame(b'D', &body)
}

pub(crate) fn text_row(values: &[&str]) -> Vec<u8> {
    let values: Vec<Option<&[u8]>> = values.iter().map(|value| Some(value.as_bytes())).collect();
    row(&values)
}

/// A RowDescription: name, table, attribute number and type of each column.
pub(crate) fn columns(columns: &[(&str, u32, i16, u32)], format: i16) -> Vec<u8> {
    let mut body = Vec::new();
    body.put_u16(u16::try_from(columns.len()).unwrap());
    for (name, table, attnum, type_oid) in columns {
        body.put_slice(name.as_bytes());
        body.put_u8(0);
        body.put_u32(*table);
        body.put_i16(*attnum);
        body.put_u32(*type_oid);
        body.put_i16(8);
        body.put_i32(-1);
        body.put_i16(format);
    }
    frame(b'T', &body)
}

pub(crate) fn parameters(oids: &[u32]) -> Vec<u8> {
    let mut body = Vec::new();
    body.put_u16(u16::try_from(oids.len()).unwrap());
    oids.iter().for_each(|oid| body.put_u32(*oid));
    frame(b't', &body)
}

pub(crate) fn tag(tag: &str) -> Vec<u8> {
    frame(b'C', format!("{tag}\0").as_bytes())
}

pub(crate) fn ready(status: char) -> Vec<u8> {
    frame(b'Z', &[u8::try_from(status).unwrap()])
}

pub(crate) fn report(kind: u8, fields: &[(char, &str)]) -> Vec<u8> {
    let mut body = Vec::new();
    for (code, value) in fields {
        body.put_u8(u8::try_from(*code).unwrap());
        body.put_slice(value.as_bytes());
        body.put_u8(0);
    }
    body.put_u8(0);
    frame(kind, &body)
}

pub(crate) fn error(code: &str, message: &str) -> Vec<u8> {
    report(
        b'E',
        &[('S', "ERROR"), ('V', "ERROR"), ('C', code), ('M', message)],
    )
}

/// What Postgres says to a poisoned statement.
pub(crate) fn poison_error() -> Vec<u8> {
    let message = "column \"pgveil refuses this statement\" does not exist";
    let fields = [
        ('S', "ERROR"),
        ('V', "ERROR"),
        ('C', "42703"),
        ('M', message),
        ('P', "8"),
    ];
    report(b'E', &fields)
}

/// Frames as text: the type byte, then the body with zero bytes as `|` and other control bytes in
/// hexadecimal.
pub(crate) fn legible(bytes: &[u8]) -> Vec<String> {
    let mut rest = bytes;
    let mut frames = Vec::new();
    while rest.len() >= 5 {
        let length = u32::from_be_bytes(rest[1..5].try_into().unwrap()) as usize;
        let mut text = format!("{} ", char::from(rest[0]));
        for byte in &rest[5..=length] {
            match byte {
                0 => text.push('|'),
                b' '..=b'~' => text.push(char::from(*byte)),
                other => text.push_str(&format!("<{other:02x}>")),
            }
        }
        // Which rule it was, each refusal says in the same way.
        if let Some((before, after)) = text.split_once("|Fpgveil|L0|R") {
            let after = after.split_once('|').unwrap().1;
            text = format!("{before}|{after}");
        }
        frames.push(text.trim_end().to_owned());
        rest = &rest[length + 1..];
    }
    assert!(rest.is_empty(), "a part of a frame was left");
    frames
}

/// A session and the bytes that wait on both sides.
pub(crate) struct Stage {
    pub(crate) session: Session,
    from_client: BytesMut,
    from_server: BytesMut,
}

impl Stage {
    pub(crate) fn new(shared: &Arc<Shared>, mode: Mode) -> Self {
        Self {
            session: Session::new(Arc::clone(shared), mode),
            from_client: BytesMut::new(),
            from_server: BytesMut::new(),
        }
    }

    /// A session that has loaded the catalog, with its first ReadyForQuery sent.
    pub(crate) fn ready() -> Self {
        Self::in_mode(Mode::Enforce)
    }

    pub(crate) fn in_mode(mode: Mode) -> Self {
        Self::opened(&shared(), mode)
    }

    pub(crate) fn with(limits: Limits) -> Self {
        Self::opened(&shared_within(limits), Mode::Enforce)
    }

    fn opened(shared: &Arc<Shared>, mode: Mode) -> Self {
        Self::opened_with(shared, mode, &catalog())
    }

    /// A session whose server answers the question for the catalog with this.
    pub(crate) fn opened_with(shared: &Arc<Shared>, mode: Mode, catalog: &[u8]) -> Self {
        let mut stage = Self::new(shared, mode);
        stage.server(&ready('I'));
        stage.session.load_catalog(Earlier::Unknown);
        stage.sent();
        stage.server(catalog);
        assert_eq!(stage.shown(), ["Z I"]);
        stage.session.take_loaded().unwrap();
        stage
    }

    pub(crate) fn try_client(&mut self, bytes: &[u8]) -> Result<(), Fatal> {
        self.from_client.extend_from_slice(bytes);
        self.session.client_bytes(&mut self.from_client)
    }

    pub(crate) fn try_server(&mut self, bytes: &[u8]) -> Result<(), Fatal> {
        self.from_server.extend_from_slice(bytes);
        self.session.server_bytes(&mut self.from_server)?;
        // What waited for an answer.
        self.session.client_bytes(&mut self.from_client)
    }

    /// The client sends something.
    pub(crate) fn client(&mut self, bytes: &[u8]) {
        self.try_client(bytes).unwrap();
    }

    /// The server sends something.
    pub(crate) fn server(&mut self, bytes: &[u8]) {
        self.try_server(bytes).unwrap();
    }

    /// What the client is told of an answer that fails, alone or with its session, behind the rows
    /// that come before.
    pub(crate) fn fault(&mut self, answer: &[u8]) -> String {
        match self.try_server(answer) {
            Ok(()) => self.server(&tag("SELECT 1")),
            Err(fatal) => self.session.end(&fatal),
        }
        let shown = self.shown();
        let (told, rows) = shown.split_last().unwrap();
        assert!(told.starts_with("E "), "{shown:?}");
        let is_row = |frame: &String| frame.starts_with("D ") || frame.starts_with("d ");
        assert!(rows.iter().all(is_row), "{shown:?}");
        told.clone()
    }

    /// The SQLSTATE by which a result is refused that is not what it was taken for, by a failing
    /// statement or by the end of the session; none if it is shown. Nothing of it is told before.
    pub(crate) fn refusal_of(&mut self, result: &[u8]) -> Option<String> {
        if let Err(fatal) = self.try_server(result) {
            return Some(fatal.sqlstate().to_owned());
        }
        let mut shown = self.shown();
        if shown.is_empty() {
            self.server(&tag("SELECT 1"));
            shown = self.shown();
        }
        let told = shown.first().filter(|told| told.starts_with("E "))?;
        let (_, code) = told.split_once("|C")?;
        Some(code.split('|').next()?.to_owned())
    }

    pub(crate) fn sent_bytes(&mut self) -> Vec<u8> {
        drain(self.session.to_server())
    }

    pub(crate) fn shown_bytes(&mut self) -> Vec<u8> {
        drain(self.session.to_client())
    }

    /// What the server has got since the last call.
    pub(crate) fn sent(&mut self) -> Vec<String> {
        legible(&self.sent_bytes())
    }

    /// What the client has got since the last call.
    pub(crate) fn shown(&mut self) -> Vec<String> {
        legible(&self.shown_bytes())
    }

    /// What the client has sent and the session has not taken.
    pub(crate) fn waiting(&self) -> usize {
        self.from_client.len()
    }

    pub(crate) fn catalog(&mut self) -> Option<Arc<Catalog>> {
        self.session.take_loaded()
    }
}

fn drain(output: &mut impl Buf) -> Vec<u8> {
    let mut bytes = vec![0; output.remaining()];
    output.copy_to_slice(&mut bytes);
    bytes
}

/// What the session asks of its own, and nothing else: `relation` for a snapshot, `look` whether it
/// is right, `path` for the search path.
pub(crate) fn asked(sent: &[String]) -> Option<&'static str> {
    let own = |sent: &String| match sent.split_once(' ') {
        Some(("P" | "B" | "E" | "C", rest)) => {
            rest.trim_start_matches(['S', 'P']).starts_with("pgveil_")
        }
        Some(("Q", text)) => text.contains("set_config"),
        _ => sent == "S",
    };
    let all = sent.concat();
    let asked = ["'relation'", "'look'", "'search path'"];
    let asked = asked
        .into_iter()
        .find(|kind| all.contains(&format!("SELECT {kind}")));
    asked
        .filter(|_| sent.iter().all(own))
        .map(|kind| kind.trim_matches('\''))
}

pub(crate) fn asks_for_the_catalog(sent: &[String]) -> bool {
    asked(sent) == Some("relation")
}

pub(crate) fn asks_for_the_path(sent: &[String]) -> bool {
    asked(sent) == Some("search path")
}

/// The server's answer where it does not answer, and to what clears away what that has left.
pub(crate) fn failed(code: &str, message: &str) -> Vec<u8> {
    let closed = [frame(b'3', b""), frame(b'3', b"")].concat();
    [error(code, message), ready('I'), closed, ready('I')].concat()
}

/// The oids of the tables in [`catalog`].
pub(crate) const USERS: u32 = 16_400;
pub(crate) const ORDERS: u32 = 16_500;

/// The server's answer to the question for the catalog: users(id, email), orders(id, user_id,
/// total).
pub(crate) fn catalog() -> Vec<u8> {
    catalog_with(&[], 'I')
}

/// The same with another table, at the end of a batch or inside of a transaction.
pub(crate) fn changed_catalog(status: char) -> Vec<u8> {
    catalog_with(&["relation 16600 public more r -"], status)
}

/// The same with more lines.
pub(crate) fn catalog_with(more: &[&str], status: char) -> Vec<u8> {
    let lines = [
        "relation 16400 public users r -",
        "relation 16500 public orders r -",
        "column 16400 1 id 20",
        "column 16400 2 email 25",
        "column 16500 1 id 20",
        "column 16500 2 user_id 20",
        "column 16500 3 total 23",
        "foreign_key 16500 orders_user_id_fkey 2 16400 1",
        "search_path pg_catalog\\000public",
    ];
    let mut answer = Vec::new();
    for line in lines.iter().chain(more) {
        let kind = line.split(' ').next().unwrap().replace('_', " ");
        let values = line.split(' ').skip(1).map(|word| match word {
            "-" => None,
            word => Some(word.as_bytes()),
        });
        let values: Vec<Option<&[u8]>> = std::iter::once(Some(kind.as_bytes()))
            .chain(values)
            .collect();
        answer.extend(row(&values));
    }
    answer.extend(tag("SELECT 9"));
    answer.extend(ready(status));
    answer
}
