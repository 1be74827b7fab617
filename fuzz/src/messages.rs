//! The bodies of messages: what is taken apart is the same when it has been put together again.
//! A decoder that reads less or more than there is would show here.

use bytes::BytesMut;
use pgveil::wire::frame::HEADER_BYTES;
use pgveil::wire::frontend::Target;
use pgveil::wire::report::Report;
use pgveil::wire::{MAX_NAME_BYTES, backend, frontend};

use super::input::Input;

/// The target.
#[expect(clippy::too_many_lines, reason = "one arm per kind of message")]
pub fn run(data: &[u8]) {
    let mut input = Input::new(data);
    let kind = input.byte();
    let body = input.rest();
    let mut out = BytesMut::new();
    match kind % 14 {
        0 => {
            let Ok(query) = frontend::Query::decode(body) else {
                return;
            };
            query.encode(&mut out);
        }
        1 => {
            let Ok(parse) = frontend::Parse::decode(body) else {
                return;
            };
            if may_be_cut(parse.name) {
                return;
            }
            frontend::parse(parse.name, parse.text, parse.declared.iter(), &mut out);
        }
        2 => {
            let Ok(bind) = frontend::Bind::decode(body) else {
                return;
            };
            if may_be_cut(bind.portal) || may_be_cut(bind.statement) {
                return;
            }
            write_bind(&bind, &mut out);
        }
        3 => {
            let Ok(target) = Target::decode(body) else {
                return;
            };
            let (Target::Statement(name) | Target::Portal(name)) = target;
            if may_be_cut(name) {
                return;
            }
            target.describe(&mut out);
        }
        4 => {
            let Ok(fields) = backend::row_description(body) else {
                return;
            };
            backend::put_row_description(&fields, &mut out);
        }
        5 => {
            let Ok(oids) = backend::parameter_description(body) else {
                return;
            };
            backend::put_parameter_description(oids.into_iter(), &mut out);
        }
        6 => {
            let Ok(report) = Report::decode(body) else {
                return;
            };
            report.encode(b'E', &mut out);
        }
        7 => {
            let Ok(status) = backend::TransactionStatus::decode(body) else {
                return;
            };
            status.encode(&mut out);
        }
        8 => return data_row(body),
        9 => {
            if let Ok((name, value)) = backend::parameter_status(body) {
                assert_eq!(name.len() + value.len() + 2, body.len());
            }
            return;
        }
        10 => {
            let Ok(notification) = backend::Notification::decode(body) else {
                return;
            };
            notification.encode(&mut out);
        }
        11 => {
            if let Ok(execute) = frontend::Execute::decode(body) {
                assert!(may_be_cut(execute.portal) || execute.portal.len() + 5 == body.len());
            }
            return;
        }
        _ => return changed_report(body),
    }
    assert_eq!(&out[HEADER_BYTES..], body, "a message has changed");
    let length = u32::try_from(out.len() - 1).expect("a short message");
    assert_eq!(out[1..HEADER_BYTES], length.to_be_bytes());
}

/// Whether a name may be the beginning of a longer one: of those no more comes back.
fn may_be_cut(name: &[u8]) -> bool {
    name.len() == MAX_NAME_BYTES
}

fn write_bind(bind: &frontend::Bind<'_>, out: &mut BytesMut) {
    for index in [0, 1, bind.count] {
        let code = bind.formats.code(index);
        assert_eq!(bind.formats.format(index).is_some(), code < 2);
    }
    let (portal, statement) = (bind.portal, bind.statement);
    let codes = bind.formats.codes();
    let mut writer = frontend::BindWriter::new(out, portal, statement, codes, bind.count);
    for value in bind.values() {
        writer.value_or_null(|out| {
            out.extend_from_slice(value.unwrap_or_default());
            value.is_some()
        });
    }
    writer.finish(bind.results);
}

fn data_row(body: &[u8]) {
    let Ok(values) = backend::data_row(body) else {
        return;
    };
    let mut again = u16::try_from(values.len())
        .expect("a count")
        .to_be_bytes()
        .to_vec();
    for value in values {
        let length = value.map_or(-1, |value| i32::try_from(value.len()).expect("a length"));
        again.extend(length.to_be_bytes());
        again.extend(value.unwrap_or_default());
    }
    assert_eq!(again, body);
}

/// Fields that are set and removed are the only ones that change, and zero bytes end a value.
fn changed_report(body: &[u8]) {
    let (value, body) = body.split_at(body.len().min(8));
    let Ok(mut report) = Report::decode(body) else {
        return;
    };
    report.set(b'M', value);
    report.remove(b'D');
    let mut out = BytesMut::new();
    report.encode(b'N', &mut out);
    let again = Report::decode(&out[HEADER_BYTES..]).expect("a report of our own");
    let end = value
        .iter()
        .position(|byte| *byte == 0)
        .unwrap_or(value.len());
    assert_eq!(again.get(b'M'), value.get(..end));
    assert!(again.get(b'D').is_none());
}
