//! What the session costs without its sockets: rows that only pass, rows whose keys become ids, the
//! same in COPY in both directions, and one prepared statement from Bind to ReadyForQuery.
//!
//! ```text
//! cargo bench --bench wire
//! ```
#![allow(clippy::unwrap_used, missing_docs, reason = "a benchmark")]

use std::sync::Arc;

use bytes::{Buf, BufMut, BytesMut};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use pgveil::catalog::{DomainId, IdAnnotation, IdType, KeyType};
use pgveil::codec::{Codec, Form, FormName, IdCodec, Key, KeyRing, Presentation, Secret, Version};
use pgveil::config::ColumnName;
use pgveil::session::{Analyzer, Limits, Mode, Session, Shared};
use pgveil::sql::plan::{
    Column, ColumnValue, Columns, CopyColumn, CopyDirection, CopyFormat, CopyLines, CopyPlan,
    TargetColumn,
};
use pgveil::sql::{Context, Plan, Script, Statement, Verdict};
use pgveil::wire::message;

const ROWS: usize = 100;

/// `ids` and `texts` have an id in their first column, a uuid or a TypeID; everything else none.
fn analyse(text: &[u8], _: &Context<'_>) -> Script {
    let column = |value| Column {
        name: String::new(),
        value,
        modifier: -1,
        computed: false,
        column: None,
    };
    let mut plan = Plan::default();
    let kind = match text {
        b"ids" => Some((DomainId(0), KeyType::Uuid)),
        b"texts" => Some((DomainId(1), KeyType::Text)),
        _ => None,
    };
    let words: Vec<&[u8]> = text.split(|byte| *byte == b' ').collect();
    if let [b"copy", direction, format] = words[..] {
        let id = ColumnValue::Id(IdType {
            domain: DomainId(0),
            key_type: KeyType::Int8,
            shown: KeyType::Uuid,
        });
        plan.columns = Columns::Copy(Box::new(copy(id, direction == b"in", format)));
    }
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
        ..Script::default()
    }
}

/// A COPY of an id and something else.
fn copy(id: ColumnValue, from_client: bool, format: &[u8]) -> CopyPlan {
    let column = |value| CopyColumn {
        value,
        stored: from_client.then(|| {
            Box::new(TargetColumn {
                schema: String::new(),
                table: String::new(),
                column: String::new(),
                others: Vec::new(),
                foreign_key: None,
            })
        }),
        ..CopyColumn::default()
    };
    let csv = format == b"csv";
    CopyPlan {
        direction: if from_client {
            CopyDirection::FromClient
        } else {
            CopyDirection::ToClient
        },
        table: String::new(),
        format: match format {
            b"binary" => CopyFormat::Binary,
            _ => CopyFormat::Lines(CopyLines {
                delimiter: if csv { b',' } else { b'\t' },
                null: if csv { "" } else { "\\N" }.to_owned(),
                default: None,
                header: false,
                quotes: csv.then_some((b'"', b'"')),
            }),
        },
        columns: vec![column(id), column(ColumnValue::Clean)],
    }
}

fn ring() -> KeyRing {
    KeyRing::new(Secret::parse(&"5eed".repeat(16)).unwrap())
}

fn codec() -> IdCodec {
    IdCodec::feistel(&ring(), &"user".parse().unwrap(), Version::V8)
}

fn shared() -> Arc<Shared> {
    let domain = |name: &str| name.parse().unwrap();
    let form = Form::new(FormName::TypeId, "order").unwrap();
    let codecs = [
        Codec::ids(codec(), Presentation::Native),
        Codec::ids(
            IdCodec::aes_int(&ring(), &domain("order")),
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
                }
                .into(),
                references: Vec::new(),
                json: Vec::new(),
                types: codec.column_types(),
            };
            (Arc::new(codec), annotation)
        });
    Arc::new(Shared::new(
        domains,
        Limits::default(),
        Analyzer {
            script: analyse,
            is_clean: |_, _| false,
            blank: |_, _| None,
            reach: |_| (),
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
        stage.server(&frame(b'Z', b"I"));
        stage
            .session
            .load_catalog(pgveil::session::Earlier::Unknown);
        stage.server(&catalog());
        stage.session.take_loaded().unwrap();
        stage
    }

    fn client(&mut self, bytes: &[u8]) {
        self.from_client.extend_from_slice(bytes);
        self.session.client_bytes(&mut self.from_client).unwrap();
        let count = self.session.to_server().remaining();
        self.session.to_server().advance(count);
    }

    /// The server sends something. Returns how many bytes the client gets of it.
    fn server(&mut self, bytes: &[u8]) -> usize {
        self.from_server.extend_from_slice(bytes);
        self.session.server_bytes(&mut self.from_server).unwrap();
        let count = self.session.to_client().remaining();
        self.session.to_client().advance(count);
        count
    }
}

fn frame(kind: u8, body: &[u8]) -> Vec<u8> {
    let mut out = BytesMut::new();
    message(&mut out, kind, |out| out.put_slice(body));
    out.to_vec()
}

/// The server's answer to the question for the catalog: two tables with a column of keys.
fn catalog() -> Vec<u8> {
    let lines: [&[&str]; 5] = [
        &["relation", "16400", "public", "users", "r"],
        &["relation", "16500", "public", "orders", "r"],
        &["column", "16400", "1", "id", "20"],
        &["column", "16500", "1", "id", "20"],
        &["search path", "pg_catalog\\000public"],
    ];
    let row = |values: &[&str]| {
        let mut body = Vec::new();
        body.put_i16(values.len().try_into().unwrap());
        for value in values {
            body.put_i32(value.len().try_into().unwrap());
            body.put_slice(value.as_bytes());
        }
        frame(b'D', &body)
    };
    let end = [frame(b'C', b"SELECT 5\0"), frame(b'Z', b"I")].concat();
    lines.into_iter().flat_map(row).chain(end).collect()
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
        // Ids are longer than keys.
        stage.client(&query);
        assert_eq!(stage.server(&answer) > answer.len(), text != "clean");
        group.bench_function(name, |b| {
            b.iter(|| {
                stage.client(&query);
                stage.server(&answer);
            });
        });
    }
    group.finish();
}

/// The data of a COPY of 100 records: one in each message out, all in one message in.
fn records(format: &str, id: &dyn Fn(i64) -> (String, Vec<u8>)) -> Vec<Vec<u8>> {
    let record = |key: i64| {
        let (text, binary) = id(key);
        let email = "somebody@somewhere.example";
        match format {
            "binary" => {
                let mut record = vec![0, 2];
                for value in [&binary[..], email.as_bytes()] {
                    record.put_i32(value.len().try_into().unwrap());
                    record.put_slice(value);
                }
                record
            }
            "csv" => format!("{text},{email}\n").into_bytes(),
            _ => format!("{text}\t{email}\n").into_bytes(),
        }
    };
    let header = b"PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0".to_vec();
    let header = (format == "binary").then_some(header);
    let keys = 8_613_972_450_000_001..;
    header
        .into_iter()
        .chain(keys.take(ROWS).map(record))
        .collect()
}

/// COPY of 100 records, out and in.
fn copies(c: &mut Criterion) {
    let codec = codec();
    let key = |key: i64| (key.to_string(), key.to_be_bytes().to_vec());
    let id = |key: i64| {
        let id = codec.encode(Key::new(key));
        (
            String::from_utf8(id.to_text().to_vec()).unwrap(),
            id.to_bytes().to_vec(),
        )
    };
    let mut group = c.benchmark_group("copy");
    group.throughput(Throughput::Elements(ROWS.try_into().unwrap()));
    for format in ["text", "csv", "binary"] {
        let binary = u8::from(format == "binary");
        let response = |kind| frame(kind, &[binary, 0, 2, 0, binary, 0, binary]);
        let end = [frame(b'C', b"COPY 100\0"), frame(b'Z', b"I")].concat();
        let mut stage = Stage::new();
        let query = frame(b'Q', format!("copy out {format}\0").as_bytes());
        let mut answer = response(b'H');
        for record in records(format, &key) {
            answer.extend(frame(b'd', &record));
        }
        answer.extend(frame(b'c', b""));
        answer.extend_from_slice(&end);
        group.bench_function(format!("out {format}"), |b| {
            b.iter(|| {
                stage.client(&query);
                stage.server(&answer);
            });
        });
        let query = frame(b'Q', format!("copy in {format}\0").as_bytes());
        let data = frame(b'd', &records(format, &id).concat());
        let data = [data, frame(b'c', b"")].concat();
        let response = response(b'G');
        group.bench_function(format!("in {format}"), |b| {
            b.iter(|| {
                stage.client(&query);
                stage.server(&response);
                stage.client(&data);
                stage.server(&end);
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

criterion_group!(benches, results, copies, round_trips);
criterion_main!(benches);
