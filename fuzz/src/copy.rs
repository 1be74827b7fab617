//! The data of COPY: the same fields are found wherever the stream is cut, little is held back,
//! and a value that is put in the place of a field is read as itself.

use bytes::BytesMut;
use pgveil::wire::copy::{
    Column, Direction, Fault, Field, Format, Lines, Malformed, Quotes, Scanner, Syntax,
};

use super::input::{Cuts, Input};

/// What no scanner may hold back beyond a field: a header, a length word, an end of line.
const BESIDE_BYTES: usize = 64;

/// A field: its column, its line and its bytes.
type Found = (usize, u64, Vec<u8>);

/// The target.
pub fn run(data: &[u8]) {
    let mut input = Input::new(data);
    let syntax = syntax(&mut input);
    let mut cuts = Cuts::read(&mut input);
    let stream = input.rest();
    let whole = scan(&syntax, &[stream], usize::MAX);
    let longest = syntax.columns.iter().map(|column| column.limit_bytes).max();
    let held = longest.unwrap_or_default() + BESIDE_BYTES;
    let pieces = scan(&syntax, &cuts.cut(stream), held);
    assert_eq!(whole.0, pieces.0, "the cuts of a stream change its fields");
    let too_long = |end: &Result<(), Malformed>| matches!(end, Err(malformed) if matches!(malformed.fault, Fault::TooLong(_)));
    // Of two faults in one field the other one may be seen first.
    let same = whole.1 == pieces.1 || whole.1.is_err() && too_long(&pieces.1);
    assert!(same, "the cuts of a stream change its end");
    for (column, _, bytes) in whole.0 {
        let column = &syntax.columns[column];
        // The server itself writes what could be read as NULL, nobody else does; and where quotes
        // make NULL of it, the analysis refuses a key that is written like NULL.
        if syntax.direction == Direction::In
            && !column.force_null
            && let Some(value) = syntax.value(column, &bytes)
        {
            put(&syntax, column, &value);
        }
    }
}

/// A syntax that the server could have taken: characters are of ASCII and differ.
fn syntax(input: &mut Input<'_>) -> Syntax {
    let delimiter = input.choice(b"\t,|;:");
    let quotes = input.flag().then(|| {
        let quote = input.choice(b"\"'~");
        let escape = if input.flag() { quote } else { b'\\' };
        Quotes { quote, escape }
    });
    let null = input.choice(&[&b"\\N"[..], b"", b"NULL", b"x"]);
    let default = input.choice(&[None, Some(&b"\\D"[..])]);
    let lines = Lines {
        delimiter,
        null: null.to_vec(),
        default: default.map(<[u8]>::to_vec),
        header: input.flag(),
        quotes,
    };
    let format = match input.below(3) {
        0 => Format::Binary(1 + input.below(4)),
        _ => Format::Lines(lines),
    };
    let direction = input.choice(&[Direction::In, Direction::Out]);
    let mask = 1 + input.below(15);
    let options = input.byte();
    let columns = (0..4).filter(|index| mask >> index & 1 == 1);
    let columns = columns.map(|index| Column {
        index,
        limit_bytes: 16 + usize::from(options),
        force_quote: options & 1 == 1,
        force_not_null: options & 2 == 2,
        force_null: options & 4 == 4,
        uuids: false,
    });
    Syntax {
        direction,
        format,
        columns: columns.collect(),
    }
}

/// The fields in a stream that arrives in pieces, and whether it is malformed.
fn scan(syntax: &Syntax, pieces: &[&[u8]], held: usize) -> (Vec<Found>, Result<(), Malformed>) {
    let mut scanner = Scanner::new(syntax);
    let mut buffer = Vec::new();
    let mut found = Vec::new();
    let mut fields = Vec::new();
    let mut take = |fields: &mut Vec<Field>, buffer: &[u8]| {
        let mut from = 0;
        for field in fields.drain(..) {
            assert!(field.range.start >= from, "fields overlap");
            from = field.range.end;
            found.push((field.column, field.line, buffer[field.range].to_vec()));
        }
    };
    for piece in pieces {
        buffer.extend_from_slice(piece);
        let settled = scanner.scan(syntax, &buffer, &mut fields);
        take(&mut fields, &buffer);
        match settled {
            Ok(settled) => drop(buffer.drain(..settled)),
            Err(malformed) => return (found, Err(malformed)),
        }
        assert!(buffer.len() <= held, "{} bytes are held back", buffer.len());
    }
    let end = scanner.finish(syntax, &buffer, &mut fields);
    take(&mut fields, &buffer);
    (found, end)
}

/// A value that is written is read as itself.
fn put(syntax: &Syntax, column: &Column, value: &[u8]) {
    let mut out = BytesMut::new();
    syntax.put(column, value, &mut out);
    let again = syntax.value(column, &out);
    assert_eq!(
        again.as_deref(),
        Some(value),
        "a value is written as another"
    );
}
