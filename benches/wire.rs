//! What the session costs without its sockets: rows that only pass, rows whose keys become ids,
//! and one prepared statement from Bind to ReadyForQuery.
//!
//! ```text
//! cargo bench --bench wire
//! ```
#![allow(clippy::unwrap_used, missing_docs, reason = "a benchmark")]

use std::sync::Arc;

use bytes::{Buf, BufMut, BytesMut};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use pgveil::catalog::{DomainId, IdAnnotation, IdType, KeyType};
use pgveil::codec::{Codec, Form, FormName, IdCodec, KeyRing, Presentation, Secret, Version};
use pgveil::config::ColumnName;
use pgveil::session::{Analyse, Limits, Mode, Session, Shared};
use pgveil::sql::plan::{Column, ColumnValue, Columns};
use pgveil::sql::{Context, Plan, Script, Statement, Verdict};
use pgveil::wire::message;

const ROWS: usize = 100;

/// `ids` and `texts` have an id in their first column, a uuid or a TypeID; everything else none.
fn analyse(text: &[u8], _: &Context<'_>) -> Script {
    let column = |value| Column {
        name: String::new(),
        value,
    };
    let mut plan = Plan::default();
    let kind = match text {
        b"ids" => Some((DomainId(0), KeyType::Uuid)),
        b"texts" => Some((DomainId(1), KeyType::Text)),
        _ => None,
    };
    if let Some((domain, shown)) = kind {
        let id = ColumnValue::Id(IdType {
            domain,
            key_type: KeyType::Int8,
            shown,
        });
        plan.columns = Columns::Known(vec![column(id), column(ColumnValue::Clean)]);
    }
    Script {
        statements: vec![Statement {
            range: 0..text.len(),
            verdict: Verdict::Forward(plan),
        }],
        unknown_name: None,
    }
}

fn shared() -> Arc<Shared> {
    let ring = KeyRing::new(Secret::generate().unwrap());
    let domain = |name: &str| name.parse().unwrap();
    let form = Form::new(FormName::TypeId, "order").unwrap();
    let codecs = [
        Codec::ids(
            IdCodec::feistel(&ring, &domain("user"), Version::V8),
            Presentation::Native,
        ),
        Codec::ids(
            IdCodec::aes_int(&ring, &domain("order")),
            Presentation::Text(form),
        ),
    ];
    let domains = codecs
        .into_iter()
        .zip(["user", "order"])
        .map(|(codec, name)| {
            let annotation = IdAnnotation {
                name: name.to_owned(),
                column: ColumnName {
                    schema: "public".to_owned(),
                    table: format!("{name}s"),
                    column: "id".to_owned(),
                },
                references: Vec::new(),
                types: codec.column_types(),
            };
            (Arc::new(codec), annotation)
        });
    Arc::new(Shared::new(
        domains,
        Limits::default(),
        Analyse {
            script: analyse,
            is_clean: |_, _| false,
        },
        |_| {},
    ))
}

/// A session with its two read buffers.
struct Stage {
    session: Session,
    from_client: BytesMut,
    from_server: BytesMut,
}

impl Stage {
    fn new() -> Self {
        let mut stage = Self {
            session: Session::new(shared(), Mode::Enforce),
            from_client: BytesMut::new(),
            from_server: BytesMut::new(),
        };
        let ready = frame(b'Z', b"I");
        stage.server(&ready);
        stage.session.load_catalog(None);
        stage.server(&ready);
        stage
    }

    fn client(&mut self, bytes: &[u8]) {
        self.from_client.extend_from_slice(bytes);
        self.session.client_bytes(&mut self.from_client).unwrap();
        let count = self.session.to_server().remaining();
        self.session.to_server().advance(count);
    }

    fn server(&mut self, bytes: &[u8]) {
        self.from_server.extend_from_slice(bytes);
        self.session.server_bytes(&mut self.from_server).unwrap();
        let count = self.session.to_client().remaining();
        self.session.to_client().advance(count);
    }
}

fn frame(kind: u8, body: &[u8]) -> Vec<u8> {
    let mut out = BytesMut::new();
    message(&mut out, kind, |out| out.put_slice(body));
    out.to_vec()
}

fn description(format: i16) -> Vec<u8> {
    let mut body = Vec::new();
    body.put_i16(2);
    for (name, type_oid) in [("id", 20), ("email", 25)] {
        body.put_slice(name.as_bytes());
        body.put_slice(&[0; 7]);
        body.put_u32(type_oid);
        body.put_i16(8);
        body.put_i32(-1);
        body.put_i16(format);
    }
    frame(b'T', &body)
}

fn rows(binary: bool) -> Vec<u8> {
    let row = |key: i64| {
        let key = if binary {
            key.to_be_bytes().to_vec()
        } else {
            key.to_string().into_bytes()
        };
        let mut body = Vec::new();
        body.put_i16(2);
        for value in [&key[..], b"somebody@somewhere.example"] {
            body.put_i32(value.len().try_into().unwrap());
            body.put_slice(value);
        }
        frame(b'D', &body)
    };
    let keys = 8_613_972_450_000_001..;
    keys.take(ROWS).flat_map(row).collect()
}

/// Results of 100 rows, one of the two columns an id or not.
fn results(c: &mut Criterion) {
    let mut group = c.benchmark_group("rows");
    group.throughput(Throughput::Elements(ROWS.try_into().unwrap()));
    for (name, text, binary) in [
        ("pass", "clean", false),
        ("text", "ids", false),
        ("binary", "ids", true),
        ("typeid", "texts", false),
    ] {
        let mut stage = Stage::new();
        let query = frame(b'Q', format!("{text}\0").as_bytes());
        let end = [frame(b'C', b"SELECT 100\0"), frame(b'Z', b"I")].concat();
        let answer = [description(binary.into()), rows(binary), end].concat();
        group.bench_function(name, |b| {
            b.iter(|| {
                stage.client(&query);
                stage.server(&answer);
            });
        });
    }
    group.finish();
}

/// One round trip of a prepared statement that returns one row.
fn round_trips(c: &mut Criterion) {
    let mut group = c.benchmark_group("prepared");
    for (name, text) in [("clean", "clean"), ("ids", "ids")] {
        let mut stage = Stage::new();
        stage.client(&frame(b'P', format!("s\0{text}\0\0\0").as_bytes()));
        stage.client(&frame(b'D', b"Ss\0"));
        stage.client(&frame(b'S', b""));
        let prepared = [
            frame(b'1', b""),
            frame(b't', b"\0\0"),
            description(0),
            frame(b'Z', b"I"),
        ];
        stage.server(&prepared.concat());
        let batch = [
            frame(b'B', b"\0s\0\0\0\0\0\0\0"),
            frame(b'E', b"\0\0\0\0\0"),
            frame(b'S', b""),
        ];
        let rows = rows(false);
        let one = &rows[..rows.len() / ROWS];
        let answer = [
            &frame(b'2', b"")[..],
            one,
            &frame(b'C', b"SELECT 1\0"),
            &frame(b'Z', b"I"),
        ];
        let (batch, answer) = (batch.concat(), answer.concat());
        group.bench_function(name, |b| {
            b.iter(|| {
                stage.client(&batch);
                stage.server(&answer);
            });
        });
    }
    group.finish();
}

criterion_group!(benches, results, round_trips);
criterion_main!(benches);
