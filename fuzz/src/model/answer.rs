//! What the model sends: the messages of its results, with a canary in each key.

use bytes::{BufMut, BytesMut};
use pgveil::wire::frontend::Formats;
use pgveil::wire::{message, sized};

use super::super::world::CANARY;
use super::ROWS;
use super::texts::{Column, Value};

pub(super) fn tag(words: &str, out: &mut BytesMut) {
    message(out, b'C', |out| {
        out.put_slice(words.as_bytes());
        out.put_u8(0);
    });
}

pub(super) fn described(columns: &[Column], formats: &[u8], out: &mut BytesMut) {
    message(out, b'T', |out| {
        out.put_u16(columns.len() as u16);
        for (index, column) in columns.iter().enumerate() {
            out.put_slice(b"column\0");
            out.put_u32(column.table);
            out.put_i16(column.attnum);
            out.put_u32(column.type_oid);
            out.put_i16(if column.type_oid == 20 { 8 } else { -1 });
            out.put_i32(-1);
            out.put_u16(Formats::from_bytes(formats).code(index));
        }
    });
}

pub(super) fn row(values: &[Option<Vec<u8>>], out: &mut BytesMut) {
    message(out, b'D', |out| {
        out.put_u16(values.len() as u16);
        for value in values {
            match value {
                None => out.put_i32(-1),
                Some(value) => sized(out, |out| out.put_slice(value)),
            }
        }
    });
}

pub(super) fn value(of: Value, binary: bool, number: usize, text: &[u8]) -> Option<Vec<u8>> {
    let key = CANARY + number as i64;
    Some(match (of, binary) {
        (Value::Key, false) => key.to_string().into_bytes(),
        (Value::Key, true) => key.to_be_bytes().to_vec(),
        (Value::Keys, false) => format!("{{{key},NULL,{key}}}").into_bytes(),
        (Value::Keys, true) => {
            let mut array = BytesMut::new();
            for word in [1, 0, 20, 1, 1, 8] {
                array.put_i32(word);
            }
            array.put_i64(key);
            array.to_vec()
        }
        (Value::Text, _) => b"somebody".to_vec(),
        (Value::Number, false) => b"7".to_vec(),
        (Value::Number, true) => 7_i32.to_be_bytes().to_vec(),
        (Value::Tagged, _) => tagged(text, key)?,
        (Value::Quoted, _) => {
            let text = String::from_utf8_lossy(text);
            let (_, literal) = text.split_once("user_id = ")?;
            let literal = literal.split(' ').next()?;
            format!("  Filter: (user_id = {literal}::bigint)").into_bytes()
        }
    })
}

/// What `'u' || id` is with the tag that the session has put around the id.
fn tagged(text: &[u8], key: i64) -> Option<Vec<u8>> {
    let text = String::from_utf8_lossy(text);
    let (_, tag) = text.split_once("('~")?;
    let (tag, _) = tag.split_once('\'')?;
    Some(format!("u~{tag}{key}~").into_bytes())
}

pub(super) fn copy_response(kind: u8, binary: bool, out: &mut BytesMut) {
    let format = u8::from(binary);
    message(out, kind, |out| {
        out.put_slice(&[format, 0, 2, 0, format, 0, format]);
    });
}

pub(super) fn copy_out(binary: bool, out: &mut BytesMut) {
    copy_response(b'H', binary, out);
    for number in 0..ROWS as i64 {
        message(out, b'd', |out| {
            if !binary {
                out.put_slice(format!("{}\tsomebody\n", CANARY + number).as_bytes());
                return;
            }
            if number == 0 {
                out.put_slice(b"PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0");
            }
            out.put_slice(b"\0\x02\0\0\0\x08");
            out.put_i64(CANARY + number);
            out.put_slice(b"\0\0\0\x08somebody");
        });
    }
    if binary {
        message(out, b'd', |out| out.put_slice(b"\xff\xff"));
    }
    message(out, b'c', |_| ());
    tag("COPY 3", out);
}
