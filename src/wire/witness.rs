//! A second opinion on the protocol: pgwire, which knows nothing of this tree. Every message that
//! it has is written by one side and read by the other, in both directions; where pgwire reads what
//! is no message, the last test says so by name.
//!
//! It has no FunctionCall, which pgveil refuses whole, and no GSSAPI or SSPI. Messages that pgveil
//! does not decode (they pass as they came) are framed only.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Debug;
use std::panic::catch_unwind;

use bytes::{BufMut as _, Bytes, BytesMut};
use pgwire::messages::cancel::CancelRequest;
use pgwire::messages::response::TransactionStatus as Status;
use pgwire::messages::startup::Authentication;
use pgwire::messages::terminate::Terminate;
use pgwire::messages::{
    DecodeContext, Message, ProtocolVersion, copy, data, extendedquery as extended, response,
    simplequery, startup,
};
use proptest::collection::{btree_map, vec};
use proptest::prelude::*;

use super::backend::{
    Field, Notification, TransactionStatus, data_row, parameter_description, parameter_status,
    put_parameter_description, put_row_description, row_description,
};
use super::frame::{FrameLimits, Header, body};
use super::frontend::{Bind, BindWriter, Execute, Parse, Query, Target, copy_fail, parse};
use super::report::Report;
use super::startup::{Packet, negotiate_first_version, packet, packet_bytes, ssl_request};
use super::{WireError, message};

fn context() -> DecodeContext {
    let mut context = DecodeContext::new(ProtocolVersion::PROTOCOL3_2);
    context.awaiting_frontend_ssl = false;
    context.awaiting_frontend_startup = false;
    context
}

/// What pgwire writes.
fn written<M: Message>(message: &M) -> BytesMut {
    let mut bytes = BytesMut::new();
    message.encode(&mut bytes).unwrap();
    bytes
}

/// What pgwire reads from exactly these bytes.
fn read<M: Message>(bytes: &[u8]) -> M {
    let mut bytes = BytesMut::from(bytes);
    let message = M::decode(&mut bytes, &context()).unwrap().unwrap();
    assert!(bytes.is_empty());
    message
}

/// The body of a message that pgwire has written and a client sends.
fn from_client<M: Message>(message: &M) -> Vec<u8> {
    let bytes = written(message);
    let header = Header::from_client(&bytes, FrameLimits::default());
    framed(&bytes, header)
}

/// The body of a message that pgwire has written and a server sends.
fn from_server<M: Message>(message: &M) -> Vec<u8> {
    let bytes = written(message);
    framed(&bytes, Header::from_server(&bytes))
}

fn framed(bytes: &[u8], header: Result<Option<Header>, WireError>) -> Vec<u8> {
    let header = header.unwrap().unwrap();
    assert_eq!((header.kind, header.total), (bytes[0], bytes.len()));
    body(bytes, header).unwrap().to_vec()
}

/// A frame of the phase in which `proxy` reads the type byte itself: only the length is judged.
fn of_startup<M: Message + PartialEq + Debug>(kind: u8, sent: &M) {
    let bytes = written(sent);
    let mut again = BytesMut::new();
    message(&mut again, kind, |out| out.put_slice(&bytes[5..]));
    assert_eq!(again, bytes);
    assert_eq!(read::<M>(&again), *sent);
}

/// What pgveil writes.
fn ours(write: impl FnOnce(&mut BytesMut)) -> BytesMut {
    let mut out = BytesMut::new();
    write(&mut out);
    out
}

/// pgwire has no name for the unnamed.
fn name(text: &str) -> Option<String> {
    (!text.is_empty()).then(|| text.to_owned())
}

fn on_the_wire(codes: &[i16]) -> Vec<u8> {
    codes.iter().flat_map(|code| code.to_be_bytes()).collect()
}

fn queries(text: &str) {
    let sent = simplequery::Query::new(text.to_owned());
    let mine = Query {
        text: text.as_bytes(),
    };
    assert_eq!(Query::decode(&from_client(&sent)), Ok(mine));
    let read: simplequery::Query = read(&ours(|out| mine.encode(out)));
    assert_eq!(read, sent);
}

fn parses(statement: &str, text: &str, oids: &[u32]) {
    let sent = extended::Parse::new(name(statement), text.to_owned(), oids.to_vec());
    let bytes = from_client(&sent);
    let decoded = Parse::decode(&bytes).unwrap();
    assert_eq!(decoded.name, statement.as_bytes());
    assert_eq!(decoded.text, text.as_bytes());
    assert_eq!(decoded.declared.iter().collect::<Vec<_>>(), oids);
    let mine = ours(|out| parse(decoded.name, decoded.text, decoded.declared.iter(), out));
    assert_eq!(read::<extended::Parse>(&mine), sent);
}

fn binds(
    [portal, statement]: [&str; 2],
    [formats, results]: [&[i16]; 2],
    values: &[Option<Vec<u8>>],
) {
    let parameters = values.iter().map(|value| value.clone().map(Bytes::from));
    let sent = extended::Bind::new(
        name(portal),
        name(statement),
        formats.to_vec(),
        parameters.collect(),
        results.to_vec(),
    );
    let bytes = from_client(&sent);
    let decoded = Bind::decode(&bytes).unwrap();
    assert_eq!(decoded.portal, portal.as_bytes());
    assert_eq!(decoded.statement, statement.as_bytes());
    assert_eq!(Bind::statement(&bytes), Ok(statement.as_bytes()));
    assert_eq!(decoded.formats.as_bytes(), on_the_wire(formats));
    assert_eq!(decoded.results.as_bytes(), on_the_wire(results));
    let as_read: Vec<_> = decoded.values().collect();
    let expected: Vec<_> = values.iter().map(Option::as_deref).collect();
    assert_eq!(as_read, expected);
    let mine = ours(|out| {
        let codes = decoded.formats.codes();
        let mut bind = BindWriter::new(out, decoded.portal, decoded.statement, codes, values.len());
        for value in values {
            match value {
                Some(value) => bind.value(|out| out.put_slice(value)),
                None => bind.null(),
            }
        }
        bind.finish(decoded.results);
    });
    assert_eq!(read::<extended::Bind>(&mine), sent);
}

fn targets(text: &str) {
    for (kind, target) in [
        (b'S', Target::Statement(text.as_bytes())),
        (b'P', Target::Portal(text.as_bytes())),
    ] {
        let describe = extended::Describe::new(kind, name(text));
        assert_eq!(Target::decode(&from_client(&describe)), Ok(target));
        let mine = ours(|out| target.describe(out));
        assert_eq!(read::<extended::Describe>(&mine), describe);
        let close = extended::Close::new(kind, name(text));
        assert_eq!(Target::decode(&from_client(&close)), Ok(target));
        let mine = ours(|out| target.close(out));
        assert_eq!(read::<extended::Close>(&mine), close);
    }
}

fn executes(portal: &str, limit: i32) {
    let sent = extended::Execute::new(name(portal), limit);
    let portal = portal.as_bytes();
    let mine = Execute { portal, limit };
    assert_eq!(Execute::decode(&from_client(&sent)), Ok(mine));
    let mine = ours(|out| mine.encode(out));
    assert_eq!(read::<extended::Execute>(&mine), sent);
}

fn rest_of_a_client(text: &str, data: &Bytes) {
    let fail = copy::CopyFail::new(text.to_owned());
    assert_eq!(from_client(&fail), [text.as_bytes(), b"\0"].concat());
    let mine = ours(|out| copy_fail(text.as_bytes(), out));
    assert_eq!(read::<copy::CopyFail>(&mine), fail);
    assert_eq!(from_client(&copy::CopyData::new(data.clone())), **data);
    for empty in [
        from_client(&extended::Flush::new()),
        from_client(&extended::Sync::new()),
        from_client(&Terminate::new()),
        from_client(&copy::CopyDone::new()),
    ] {
        assert!(empty.is_empty());
    }
    of_startup(b'p', &startup::Password::new(text.to_owned()));
    for data in [None, Some(data.clone())] {
        let first = startup::SASLInitialResponse::new(text.to_owned(), data);
        of_startup(b'p', &first);
    }
    of_startup(b'p', &startup::SASLResponse::new(data.clone()));
}

fn packets(parameters: &BTreeMap<String, String>, process: i32, key: &[u8]) {
    let mut sent = startup::Startup::new();
    sent.parameters = parameters.clone();
    let bytes = written(&sent);
    assert_eq!(packet_bytes(&bytes), Ok(Some(bytes.len())));
    let Ok(Packet::Startup(decoded)) = packet(&bytes) else {
        panic!("no startup message");
    };
    assert_eq!(decoded.version, 3 << 16);
    let pairs = parameters.iter().map(|(k, v)| (k.as_bytes(), v.as_bytes()));
    assert!(decoded.parameters().eq(pairs));
    let mut known = parameters.clone();
    known.retain(|name, _| !name.starts_with("_pq_."));
    let first: startup::Startup = read(&decoded.as_first_version());
    assert_eq!(first.parameters, known);
    let options = parameters.keys().filter(|name| !known.contains_key(*name));
    let told = startup::NegotiateProtocolVersion::new(3 << 16, options.cloned().collect());
    let mine = ours(|out| negotiate_first_version(&decoded, out));
    assert_eq!(read::<startup::NegotiateProtocolVersion>(&mine), told);

    let ssl = startup::SslRequest::new();
    assert_eq!(packet(&written(&ssl)), Ok(Packet::Ssl));
    assert_eq!(read::<startup::SslRequest>(&ssl_request()), ssl);
    let gssenc = startup::GssEncRequest::new();
    assert_eq!(packet(&written(&gssenc)), Ok(Packet::GssEnc));
    let secret = startup::SecretKey::Bytes(key.to_vec().into());
    let cancel = CancelRequest::new(process, secret.clone());
    assert_eq!(packet(&written(&cancel)), Ok(Packet::Cancel));
    let body = from_server(&startup::BackendKeyData::new(process, secret));
    assert_eq!(body, [&process.to_be_bytes(), key].concat());
}

/// A field as both sides have it.
type Column = (String, u32, (i16, u32, i16, i32), i16);

fn descriptions(columns: &[Column], oids: &[u32]) {
    let both = columns.iter().map(|column| {
        let (name, table, (attnum, type_oid, type_size, type_modifier), format) = column.clone();
        let theirs = data::FieldDescription::new(
            name,
            table.cast_signed(),
            attnum,
            type_oid,
            type_size,
            type_modifier,
            format,
        );
        let mine = Field {
            name: column.0.as_bytes(),
            table,
            attnum,
            type_oid,
            type_size,
            type_modifier,
            format,
        };
        (theirs, mine)
    });
    let (theirs, mine): (Vec<_>, Vec<_>) = both.unzip();
    let sent = data::RowDescription::new(theirs);
    assert_eq!(row_description(&from_server(&sent)).unwrap(), mine);
    let bytes = ours(|out| put_row_description(&mine, out));
    assert_eq!(read::<data::RowDescription>(&bytes), sent);

    let sent = data::ParameterDescription::new(oids.to_vec());
    assert_eq!(parameter_description(&from_server(&sent)).unwrap(), oids);
    let bytes = ours(|out| put_parameter_description(oids.iter().copied(), out));
    assert_eq!(read::<data::ParameterDescription>(&bytes), sent);
}

fn rows(values: &[Option<Vec<u8>>]) {
    let mut fields = BytesMut::new();
    for value in values {
        let length = value.as_ref().map(|value| i32::try_from(value.len()));
        fields.put_i32(length.map_or(-1, Result::unwrap));
        fields.put_slice(value.as_deref().unwrap_or_default());
    }
    let sent = data::DataRow::new(fields, i16::try_from(values.len()).unwrap());
    let expected: Vec<_> = values.iter().map(Option::as_deref).collect();
    assert_eq!(data_row(&from_server(&sent)).unwrap(), expected);
}

fn notices(process: i32, first: &str, second: &str) {
    let (channel, payload) = (first.as_bytes(), second.as_bytes());
    let sent = response::NotificationResponse::new(process, first.to_owned(), second.to_owned());
    let mine = Notification {
        process,
        channel,
        payload,
    };
    assert_eq!(Notification::decode(&from_server(&sent)), Ok(mine));
    let bytes = ours(|out| mine.encode(out));
    assert_eq!(read::<response::NotificationResponse>(&bytes), sent);
    let sent = startup::ParameterStatus::new(first.to_owned(), second.to_owned());
    let body = from_server(&sent);
    assert_eq!(parameter_status(&body), Ok((channel, payload)));
}

fn reports(fields: &[(u8, String)]) {
    let error = response::ErrorResponse::new(fields.to_vec());
    let notice = response::NoticeResponse::new(fields.to_vec());
    let body = from_server(&error);
    assert_eq!(body, from_server(&notice));
    let decoded = Report::decode(&body).unwrap();
    for (code, value) in fields {
        assert_eq!(decoded.text(*code), Some(value.as_str()));
    }
    let bytes = ours(|out| decoded.encode(b'E', out));
    assert_eq!(read::<response::ErrorResponse>(&bytes), error);
    let bytes = ours(|out| decoded.encode(b'N', out));
    assert_eq!(read::<response::NoticeResponse>(&bytes), notice);
}

fn rest_of_a_server(text: &str, bytes: &Bytes, formats: &[i16]) {
    let tag = response::CommandComplete::new(text.to_owned());
    assert_eq!(from_server(&tag), [text.as_bytes(), b"\0"].concat());
    assert_eq!(from_server(&copy::CopyData::new(bytes.clone())), **bytes);
    let count = i16::try_from(formats.len()).unwrap();
    let expected = [&[0][..], &count.to_be_bytes(), &on_the_wire(formats)].concat();
    for copied in [
        from_server(&copy::CopyInResponse::new(0, count, formats.to_vec())),
        from_server(&copy::CopyOutResponse::new(0, count, formats.to_vec())),
        from_server(&copy::CopyBothResponse::new(0, count, formats.to_vec())),
    ] {
        assert_eq!(copied, expected);
    }
    for empty in [
        from_server(&extended::ParseComplete::new()),
        from_server(&extended::BindComplete::new()),
        from_server(&extended::CloseComplete::new()),
        from_server(&extended::PortalSuspended::new()),
        from_server(&response::EmptyQueryResponse::new()),
        from_server(&data::NoData::new()),
        from_server(&copy::CopyDone::new()),
    ] {
        assert!(empty.is_empty());
    }
    for sent in [
        Authentication::Ok,
        Authentication::CleartextPassword,
        Authentication::KerberosV5,
        Authentication::MD5Password(vec![1, 2, 3, 4]),
        Authentication::SASL(vec!["SCRAM-SHA-256".to_owned()]),
        Authentication::SASLContinue(bytes.clone()),
        Authentication::SASLFinal(bytes.clone()),
    ] {
        of_startup(b'R', &sent);
    }
}

/// Text without a zero byte, and short enough for a name that is kept whole.
const TEXT: &str = "[^\0]{0,15}";

fn codes() -> impl Strategy<Value = Vec<i16>> {
    vec(0..=1_i16, 0..5)
}

fn values() -> impl Strategy<Value = Vec<Option<Vec<u8>>>> {
    vec(any::<Option<Vec<u8>>>(), 0..5)
}

fn column() -> impl Strategy<Value = Column> {
    (TEXT, any::<u32>(), any::<(i16, u32, i16, i32)>(), 0..=1_i16)
}

proptest! {
    #[test]
    fn what_a_client_says_is_the_same_to_pgwire(
        (first, second, text) in (TEXT, TEXT, "[^\0]*"),
        (formats, results, values) in (codes(), codes(), values()),
        oids: Vec<u32>,
        limit: i32,
        data: Vec<u8>,
    ) {
        queries(&text);
        parses(&first, &text, &oids);
        binds([&first, &second], [&formats, &results], &values);
        targets(&first);
        executes(&first, limit);
        rest_of_a_client(&text, &data.into());
    }

    #[test]
    fn what_begins_a_session_is_the_same_to_pgwire(
        parameters in btree_map("[^\0]{1,9}|_pq_[.]a", TEXT, 0..6),
        process: i32,
        key in vec(any::<u8>(), 4..=256),
    ) {
        packets(&parameters, process, &key);
    }

    #[test]
    fn what_a_server_says_is_the_same_to_pgwire(
        (first, text) in (TEXT, "[^\0]*"),
        (columns, values, formats) in (vec(column(), 0..5), values(), codes()),
        fields in btree_map(1..=255_u8, "[^\0]*", 0..6),
        oids: Vec<u32>,
        process: i32,
        data: Vec<u8>,
    ) {
        descriptions(&columns, &oids);
        rows(&values);
        notices(process, &first, &text);
        reports(&fields.into_iter().collect::<Vec<_>>());
        rest_of_a_server(&text, &data.into(), &formats);
    }
}

#[test]
fn the_state_of_a_transaction_is_the_same_to_pgwire() {
    for (theirs, mine) in [
        (Status::Idle, TransactionStatus::Idle),
        (Status::Transaction, TransactionStatus::Open),
        (Status::Error, TransactionStatus::Failed),
    ] {
        let sent = response::ReadyForQuery::new(theirs);
        assert_eq!(TransactionStatus::decode(&from_server(&sent)), Ok(mine));
        let bytes = ours(|out| mine.encode(out));
        assert_eq!(read::<response::ReadyForQuery>(&bytes), sent);
    }
}

/// What pgwire does with a frame whose body is no message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Fault {
    /// It panics.
    Panics,
    /// It reads on in the next frame.
    ReadsTheNext,
    /// It takes a part of the body for the message, and the rest for the next frame.
    LeavesTheRest,
    /// It takes the body for a message.
    Accepts,
}

/// What pgwire does with a frame of this body that another frame follows; `None` if it says that
/// the body is no message.
fn fault<M: Message>(kind: u8, body: &[u8]) -> Option<Fault> {
    let next = b"S\0\0\0\x04";
    let mut bytes = ours(|out| message(out, kind, |out| out.put_slice(body)));
    bytes.put_slice(next);
    let outcome = catch_unwind(move || {
        let decoded = M::decode(&mut bytes, &context());
        decoded.map(|_| bytes.len()).ok()
    });
    Some(match outcome {
        Err(_) => Fault::Panics,
        Ok(left) => match left?.cmp(&next.len()) {
            std::cmp::Ordering::Less => Fault::ReadsTheNext,
            std::cmp::Ordering::Greater => Fault::LeavesTheRest,
            std::cmp::Ordering::Equal => Fault::Accepts,
        },
    })
}

/// The faults of pgwire with a message, when it is cut anywhere or goes on behind its end; pgveil
/// refuses each of those.
fn faults<M: Message>(sent: &M, is_ours: impl Fn(&[u8]) -> bool) -> Vec<Fault> {
    let bytes = written(sent);
    let (kind, whole) = (bytes[0], &bytes[5..]);
    assert!(is_ours(whole));
    let cut = (0..whole.len()).map(|length| whole[..length].to_vec());
    let longer = [whole, b"\0"].concat();
    let mut found = BTreeSet::new();
    for body in cut.chain([longer]) {
        assert!(!is_ours(&body), "{body:?}");
        found.extend(fault::<M>(kind, &body));
    }
    found.into_iter().collect()
}

/// The bounds of pgwire 0.42.1. It says no to some of these bodies, but each message has others
/// with which it does what stands here: a Parse or Bind that is cut makes it panic or takes bytes of
/// the next message, and what is left of a longer one is read as a message of its own.
#[test]
fn pgwire_takes_what_is_no_message_and_pgveil_does_not() {
    use Fault::{Accepts, LeavesTheRest, Panics, ReadsTheNext};
    let some = |text: &str| Some(text.to_owned());
    let query = simplequery::Query::new("SELECT 1".to_owned());
    let parse = extended::Parse::new(some("s"), "SELECT $1".to_owned(), vec![23, 25]);
    let values = vec![Some(Bytes::from_static(b"1234")), None];
    let bind = extended::Bind::new(some("p"), some("s"), vec![0, 1], values, vec![1]);
    let describe = extended::Describe::new(b'S', some("s"));
    let close = extended::Close::new(b'S', some("s"));
    let execute = extended::Execute::new(some("p"), 1);
    let field = data::FieldDescription::new("id".to_owned(), 1, 1, 20, 8, -1, 0);
    let columns = data::RowDescription::new(vec![field]);
    let types = data::ParameterDescription::new(vec![20, 25]);
    let row = data::DataRow::new(BytesMut::from(&b"\0\0\0\x011"[..]), 1);
    let notice = response::NotificationResponse::new(1, "c".to_owned(), "p".to_owned());
    let status = startup::ParameterStatus::new("a".to_owned(), "b".to_owned());
    let error = response::ErrorResponse::new(vec![(b'C', "42601".to_owned())]);
    let ready = response::ReadyForQuery::new(Status::Idle);
    let strings = [ReadsTheNext, LeavesTheRest];
    let counts = [Panics, ReadsTheNext, LeavesTheRest];
    let found = faults(&query, |body| Query::decode(body).is_ok());
    assert_eq!(found, strings, "Query");
    let found = faults(&parse, |body| Parse::decode(body).is_ok());
    assert_eq!(found, counts, "Parse");
    let found = faults(&bind, |body| Bind::decode(body).is_ok());
    assert_eq!(found, counts, "Bind");
    let found = faults(&describe, |body| Target::decode(body).is_ok());
    assert_eq!(found, strings, "Describe");
    let found = faults(&close, |body| Target::decode(body).is_ok());
    assert_eq!(found, strings, "Close");
    let found = faults(&execute, |body| Execute::decode(body).is_ok());
    assert_eq!(found, counts, "Execute");
    let found = faults(&columns, |body| row_description(body).is_ok());
    assert_eq!(found, counts, "RowDescription");
    let found = faults(&types, |body| parameter_description(body).is_ok());
    assert_eq!(found, counts, "ParameterDescription");
    // Its fields are read later, by whoever wants them.
    let found = faults(&row, |body| data_row(body).is_ok());
    assert_eq!(found, [Panics, Accepts], "DataRow");
    let found = faults(&notice, |body| Notification::decode(body).is_ok());
    assert_eq!(found, strings, "NotificationResponse");
    let found = faults(&status, |body| parameter_status(body).is_ok());
    assert_eq!(found, strings, "ParameterStatus");
    let found = faults(&error, |body| Report::decode(body).is_ok());
    assert_eq!(found, strings, "ErrorResponse");
    let found = faults(&ready, |body| TransactionStatus::decode(body).is_ok());
    assert_eq!(found, [LeavesTheRest], "ReadyForQuery");
}
