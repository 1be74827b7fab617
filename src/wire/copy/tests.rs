//! Tests of COPY data against readers that follow Postgres's step by step: first lines, then
//! their attributes.

use super::*;
use proptest::prelude::*;

const LIMIT: usize = 1000;

fn lines(quotes: Option<Quotes>) -> Lines {
    Lines {
        delimiter: if quotes.is_some() { b',' } else { b'\t' },
        null: if quotes.is_some() {
            vec![]
        } else {
            b"\\N".to_vec()
        },
        default: None,
        header: false,
        quotes,
    }
}

const CSV: Quotes = Quotes {
    quote: b'"',
    escape: b'"',
};

fn syntax(direction: Direction, format: Format, columns: &[usize]) -> Syntax {
    let column = |index: &usize| Column {
        index: *index,
        limit_bytes: LIMIT,
        ..Column::default()
    };
    Syntax {
        direction,
        format,
        columns: columns.iter().map(column).collect(),
    }
}

fn text_in(columns: &[usize]) -> Syntax {
    syntax(Direction::In, Format::Lines(lines(None)), columns)
}

fn csv_in(columns: &[usize]) -> Syntax {
    syntax(Direction::In, Format::Lines(lines(Some(CSV))), columns)
}

/// What the fields of the columns are: line, place in the list, value.
type Found = Vec<(u64, usize, Option<Vec<u8>>)>;

/// What the stream becomes with `replace` for the values, the fields that were found, and the
/// error that ended it.
fn translate(
    syntax: &Syntax,
    chunks: &[&[u8]],
    replace: impl Fn(&[u8]) -> Vec<u8>,
) -> (Vec<u8>, Found, Option<Malformed>) {
    let mut scanner = Scanner::new(syntax);
    let (mut out, mut found) = (BytesMut::new(), Found::new());
    let mut held: Vec<u8> = Vec::new();
    for number in 0..=chunks.len() {
        let mut fields = Vec::new();
        let result = match chunks.get(number) {
            Some(chunk) => {
                held.extend_from_slice(chunk);
                scanner.scan(syntax, &held, &mut fields)
            }
            None => scanner
                .finish(syntax, &held, &mut fields)
                .map(|()| held.len()),
        };
        let mut copied = 0;
        for field in fields {
            let column = &syntax.columns[field.column];
            let value = syntax.value(column, &held[field.range.clone()]);
            found.push((
                field.line,
                field.column,
                value.as_deref().map(<[u8]>::to_vec),
            ));
            let Some(value) = value else { continue };
            out.put_slice(&held[copied..field.range.start]);
            syntax.put(column, &replace(&value), &mut out);
            copied = field.range.end;
        }
        match result {
            Ok(settled) => {
                out.put_slice(&held[copied..settled]);
                held.drain(..settled);
                assert!(held.len() <= LIMIT + 4, "{}", held.len());
            }
            Err(error) => return (out.to_vec(), found, Some(error)),
        }
    }
    (out.to_vec(), found, None)
}

fn shout(syntax: &Syntax, data: &str) -> String {
    let upper = |value: &[u8]| value.to_ascii_uppercase();
    let (out, _, error) = translate(syntax, &[data.as_bytes()], upper);
    assert_eq!(error, None, "{data:?}");
    String::from_utf8(out).unwrap()
}

#[test]
fn replaces_the_columns_and_nothing_else() {
    assert_eq!(
        shout(&text_in(&[1]), "a\tb\tc\n\\N\t\\N\t\\N\nd\te\tf"),
        "a\tB\tc\n\\N\t\\N\t\\N\nd\tE\tf"
    );
    assert_eq!(
        shout(&csv_in(&[0, 2]), "a,b,c\r\n,,\r\n\"a\",\"b\r\nb\",c\r\n"),
        "A,b,C\r\n,,\r\nA,\"b\r\nb\",C\r\n"
    );
}

#[test]
fn reads_every_escape_of_the_text_format() {
    let (_, found, _) = translate(
        &text_in(&[0]),
        &[b"\\\\\\b\\f\\n\\r\\t\\v\\101\\1019\\x41\\x4g\\xg\\\t\\\n\\q\\N\n"],
        <[u8]>::to_vec,
    );
    let value = b"\\\x08\x0c\n\r\t\x0bAA9A\x04gxg\t\nqN".to_vec();
    assert_eq!(found, [(1, 0, Some(value))]);
}

#[test]
fn skips_the_header_and_counts_it_as_a_line() {
    let mut csv = lines(Some(CSV));
    csv.header = true;
    let syntax = syntax(Direction::In, Format::Lines(csv), &[0]);
    let (out, found, _) = translate(&syntax, &[b"\"i\nd\",x\na,b\n"], |_| b"-".to_vec());
    assert_eq!(out, b"\"i\nd\",x\n-,b\n");
    // Before the end of the first line is known, Postgres counts carriage returns.
    assert_eq!(found, [(2, 0, Some(b"a".to_vec()))]);
}

#[test]
fn stops_at_the_end_of_data_mark() {
    assert_eq!(
        shout(&text_in(&[0]), "a\tb\n\\.\nc\td\n"),
        "A\tb\n\\.\nc\td\n"
    );
    assert_eq!(shout(&text_in(&[0]), "a\\\\.\tb\n"), "A\\\\.\tb\n");
    // In CSV it may be a value, and is one since Postgres 18: what follows is translated.
    assert_eq!(shout(&csv_in(&[0]), "a,b\n\\.\nc,d\n"), "A,b\n\\.\nC,d\n");
    assert_eq!(
        shout(&csv_in(&[0]), "\\.,d\n\"\\.\"\n"),
        "\"\\.\",d\n\"\\.\"\n"
    );
}

#[test]
fn objects_to_line_ends_that_differ_from_the_first() {
    let fault = |syntax: &Syntax, data: &str| {
        let (_, _, error) = translate(syntax, &[data.as_bytes()], <[u8]>::to_vec);
        error.map(|error| (error.line, error.to_string()))
    };
    let literal = |what| format!("literal {what} found in data");
    let unquoted = |what| format!("unquoted {what} found in data");
    let (text, csv) = (text_in(&[1]), csv_in(&[1]));
    assert_eq!(
        fault(&text, "a\tb\nc\td\r\n"),
        Some((2, literal("carriage return")))
    );
    assert_eq!(fault(&text, "a\r\nb\n"), Some((2, literal("newline"))));
    assert_eq!(fault(&csv, "a\rb\rc\n"), Some((3, unquoted("newline"))));
    assert_eq!(
        fault(&csv, "a\r\nb\rc"),
        Some((2, unquoted("carriage return")))
    );
    assert_eq!(
        fault(&csv, "a,\"b"),
        Some((1, "unterminated CSV quoted field".to_owned()))
    );
    assert_eq!(fault(&csv, "\"b"), None);
}

#[test]
fn bounds_what_it_holds_back_to_one_field() {
    let long = vec![b'x'; LIMIT + 1];
    for syntax in [text_in(&[0]), csv_in(&[0])] {
        let (_, _, error) = translate(&syntax, &[&long], <[u8]>::to_vec);
        let fault = Fault::TooLong(LIMIT);
        assert_eq!(error, Some(Malformed { fault, line: 1 }));
    }
    // Other fields are never held back.
    let mut scanner = Scanner::new(&text_in(&[0]));
    let mut fields = Vec::new();
    let data = [b"a\t", &long[..]].concat();
    let settled = scanner.scan(&text_in(&[0]), &data, &mut fields);
    assert_eq!(settled, Ok(data.len()));
}

#[test]
fn takes_a_field_of_exactly_the_limit_wherever_the_line_is_cut() {
    for (syntax, ending) in [
        (text_in(&[0]), "\r\n"),
        (csv_in(&[0]), "\r\n"),
        (text_in(&[0]), "\n\\."),
    ] {
        let field = vec![b'x'; LIMIT];
        let stream = [&field, ending.as_bytes()].concat();
        for cut in LIMIT..stream.len() {
            let chunks = [&stream[..cut], &stream[cut..]];
            let (_, found, error) = translate(&syntax, &chunks, <[u8]>::to_vec);
            assert_eq!(error, None, "{cut}");
            assert_eq!(found, [(1, 0, Some(field.clone()))], "{cut}");
        }
    }
}

#[test]
fn knows_null_and_default_as_postgres_does() {
    let mut options = lines(Some(CSV));
    options.null = b"none".to_vec();
    options.default = Some(b"\\D".to_vec());
    let mut syntax = syntax(Direction::In, Format::Lines(options), &[0]);
    let value = |syntax: &Syntax, field: &[u8]| {
        let value = syntax.value(&syntax.columns[0], field);
        value.map(|value| String::from_utf8(value.into_owned()).unwrap())
    };
    let some = |text: &str| Some(text.to_owned());
    assert_eq!(value(&syntax, b"none"), None);
    assert_eq!(value(&syntax, b"\\D"), None);
    assert_eq!(value(&syntax, b"\"none\""), some("none"));
    assert_eq!(value(&syntax, b"\"\\D\""), some("\\D"));
    assert_eq!(value(&syntax, b""), some(""));
    syntax.columns[0].force_null = true;
    assert_eq!(value(&syntax, b"\"none\""), None);
    syntax.columns[0].force_not_null = true;
    assert_eq!(value(&syntax, b"none"), some("none"));
}

#[test]
fn writes_nothing_that_would_be_read_as_null_or_default() {
    for (null, default) in [("42", "\\0642"), ("\\0642", "42"), ("42", "7"), ("7", "42")] {
        let mut options = lines(None);
        options.null = null.into();
        options.default = Some(default.into());
        let syntax = syntax(Direction::In, Format::Lines(options), &[0]);
        let mut out = BytesMut::new();
        syntax.put(&syntax.columns[0], b"42", &mut out);
        let read = syntax.value(&syntax.columns[0], &out);
        assert_eq!(read.as_deref(), Some(&b"42"[..]), "{null} {default}");
    }
}

#[test]
fn quotes_as_postgres_does() {
    let options = lines(Some(Quotes {
        quote: b'\'',
        escape: b'\\',
    }));
    let mut syntax = syntax(Direction::Out, Format::Lines(options), &[0]);
    let put = |syntax: &Syntax, value: &str| {
        let mut out = BytesMut::new();
        syntax.put(&syntax.columns[0], value.as_bytes(), &mut out);
        String::from_utf8(out.to_vec()).unwrap()
    };
    assert_eq!(put(&syntax, "plain \\ \""), "plain \\ \"");
    assert_eq!(put(&syntax, "it's \\"), "'it\\'s \\\\'");
    assert_eq!(put(&syntax, "a,b"), "'a,b'");
    assert_eq!(put(&syntax, "a\nb"), "'a\nb'");
    assert_eq!(put(&syntax, ""), "''");
    syntax.columns[0].force_quote = true;
    assert_eq!(put(&syntax, "a"), "'a'");
}

/// A binary stream of these records.
fn binary(records: &[Vec<Option<Vec<u8>>>]) -> Vec<u8> {
    let mut data = BytesMut::new();
    data.put_slice(b"PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\x03ext");
    for record in records {
        data.put_i16(record.len().try_into().unwrap());
        for field in record {
            match field {
                Some(value) => super::super::sized(&mut data, |out| out.put_slice(value)),
                None => data.put_i32(-1),
            }
        }
    }
    data.put_i16(-1);
    data.to_vec()
}

fn binary_in(columns: &[usize], count: usize) -> Syntax {
    syntax(Direction::In, Format::Binary(count), columns)
}

#[test]
fn replaces_binary_values_with_others_of_another_length() {
    let value = |text: &str| Some(text.as_bytes().to_vec());
    let before = binary(&[
        vec![value("a"), value("bb"), None],
        vec![None, value("c"), value("d")],
    ]);
    let after = binary(&[
        vec![value("A!"), value("bb"), None],
        vec![None, value("c"), value("D!")],
    ]);
    let syntax = binary_in(&[0, 2], 3);
    let longer = |value: &[u8]| [&value.to_ascii_uppercase(), &b"!"[..]].concat();
    let (out, found, error) = translate(&syntax, &[&before], longer);
    assert_eq!((out, error), (after, None));
    assert_eq!(
        found.iter().map(|(line, ..)| *line).collect::<Vec<_>>(),
        [1, 1, 2, 2]
    );
}

#[test]
fn objects_to_what_is_no_binary_stream() {
    let syntax = binary_in(&[0], 1);
    let fault = |data: &[u8]| {
        let (_, _, error) = translate(&syntax, &[data], <[u8]>::to_vec);
        error.map(|error| error.fault)
    };
    let header = b"PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0";
    let with = |rest: &[u8]| fault(&[&header[..], rest].concat());
    assert_eq!(fault(b"PGCOPY\n\xff\n\n\0"), Some(Fault::Signature));
    assert_eq!(fault(b"PGCOPY\n\xff\r\n\0\0\x01\0\0"), Some(Fault::Oids));
    assert_eq!(fault(b"PGCOPY\n\xff\r\n\0\x80\0\0\0"), Some(Fault::Flags));
    assert_eq!(
        fault(b"PGCOPY\n\xff\r\n\0\0\0\0\0\xff\0\0\0"),
        Some(Fault::HeaderLength)
    );
    for found in [0, 2, -2] {
        let expected = 1;
        let fault = Fault::FieldCount { found, expected };
        assert_eq!(with(&found.to_be_bytes()), Some(fault));
    }
    assert_eq!(with(b"\0\x01\xff\xff\xff\xfe"), Some(Fault::FieldSize));
    assert_eq!(with(b"\0\x01\x7f\xff\xff\xff"), Some(Fault::TooLong(LIMIT)));
    assert_eq!(with(b"\0\x01\0\0\0\x02a"), Some(Fault::End));
    // The server objects to what follows the trailer.
    assert_eq!(with(b"\xff\xffjunk"), None);
}

/// The lines of data in the text format or in CSV (`CopyReadLineText`), with the number that
/// Postgres gives each; `None` for an error.
fn read_lines(options: &Lines, data: &[u8]) -> Option<Vec<(u64, Vec<u8>)>> {
    let (mut read, mut at, mut number) = (Vec::new(), 0, 0);
    let mut ending: Option<&[u8]> = None;
    while at < data.len() {
        number += 1;
        let start = at;
        let (mut in_quote, mut last_was_escape) = (false, false);
        let end = loop {
            let Some(c) = data.get(at).copied() else {
                break at;
            };
            at += 1;
            if let Some(Quotes { quote, escape }) = options.quotes {
                let escape = Some(escape).filter(|escape| *escape != quote);
                if in_quote && Some(c) == escape {
                    last_was_escape = !last_was_escape;
                }
                if c == quote && !last_was_escape {
                    in_quote = !in_quote;
                }
                if Some(c) != escape {
                    last_was_escape = false;
                }
                let counted = if ending == Some(b"\n") { b'\n' } else { b'\r' };
                number += u64::from(in_quote && c == counted);
            }
            if c == b'\r' && !in_quote {
                let both = data.get(at) == Some(&b'\n');
                let found: &[u8] = if both { b"\r\n" } else { b"\r" };
                if ending == Some(b"\r") {
                    break at - 1;
                }
                if *ending.get_or_insert(found) != found {
                    return None;
                }
                at += found.len() - 1;
                break at - found.len();
            }
            if c == b'\n' && !in_quote {
                if *ending.get_or_insert(b"\n") != b"\n" {
                    return None;
                }
                break at - 1;
            }
            if c == b'\\' && options.quotes.is_none() {
                if data.get(at) == Some(&b'.') {
                    let line = data[start..at - 1].to_vec();
                    if !line.is_empty() {
                        read.push((number, line));
                    }
                    return Some(read);
                }
                if at < data.len() {
                    at += 1;
                }
            }
        };
        read.push((number, data[start..end].to_vec()));
    }
    Some(read)
}

/// The raw attributes of a line of text.
fn split_text(delimiter: u8, line: &[u8]) -> Vec<Vec<u8>> {
    let mut attributes = vec![Vec::new()];
    let mut rest = line.iter().copied();
    while let Some(c) = rest.next() {
        let last = attributes.last_mut().unwrap();
        match c {
            b'\\' => {
                if let Some(next) = rest.next() {
                    last.extend([c, next]);
                }
            }
            c if c == delimiter => attributes.push(Vec::new()),
            c => last.push(c),
        }
    }
    attributes
}

/// The raw attributes of a line of CSV; `None` if a quote is open at its end.
fn split_csv(options: &Lines, line: &[u8]) -> Option<Vec<Vec<u8>>> {
    let Quotes { quote, escape } = options.quotes.unwrap();
    let mut attributes = vec![Vec::new()];
    let mut rest = line.iter().copied().peekable();
    let mut inside = false;
    while let Some(c) = rest.next() {
        let last = attributes.last_mut().unwrap();
        if !inside && c == options.delimiter {
            attributes.push(Vec::new());
            continue;
        }
        last.push(c);
        if inside
            && c == escape
            && let Some(next) = rest.next_if(|next| *next == escape || *next == quote)
        {
            last.push(next);
            continue;
        }
        if c == quote {
            inside = !inside;
        }
    }
    (!inside).then_some(attributes)
}

/// Compares what is found with what Postgres reads.
fn check_against_postgres(syntax: &Syntax, data: &[u8]) {
    let Format::Lines(options) = &syntax.format else {
        return;
    };
    let (out, found, error) = translate(syntax, &[data], <[u8]>::to_vec);
    let Some(expected) = read_lines(options, data) else {
        // At the very end it is the server that objects.
        assert!(error.is_some() || data.ends_with(b"\r"));
        return;
    };
    let mut fields = Found::new();
    for (number, line) in expected {
        let attributes = match options.quotes {
            None => split_text(options.delimiter, &line),
            Some(_) if line == b"\\." => continue,
            Some(_) => match split_csv(options, &line) {
                Some(attributes) => attributes,
                // The server objects to it, if the scanner does not.
                None => return,
            },
        };
        for (place, column) in syntax.columns.iter().enumerate() {
            if let Some(raw) = attributes.get(column.index) {
                let value = syntax.value(column, raw).map(Cow::into_owned);
                fields.push((number, place, value));
            }
        }
    }
    let values = |found: &Found| -> Vec<_> {
        found
            .iter()
            .map(|(_, place, value)| (*place, value.clone()))
            .collect()
    };
    assert_eq!((values(&found), error), (values(&fields), None));
    if options.quotes.is_none() {
        assert_eq!(found, fields);
    }
    // What was written anew is read as the same.
    let (_, again, error) = translate(syntax, &[&out], <[u8]>::to_vec);
    assert_eq!((values(&again), error), (values(&found), None));
}

fn quotes() -> impl Strategy<Value = Option<Quotes>> {
    prop_oneof![
        Just(None),
        Just(Some(CSV)),
        Just(Some(Quotes {
            quote: b'"',
            escape: b'\\'
        })),
        Just(Some(Quotes {
            quote: b'q',
            escape: b','
        })),
    ]
}

fn hostile() -> impl Strategy<Value = Vec<u8>> {
    let bytes = prop_oneof![
        Just(b'\\'),
        Just(b'"'),
        Just(b','),
        Just(b'\t'),
        Just(b'\n'),
        Just(b'\r'),
        Just(b'.'),
        Just(b'a'),
        Just(b'N'),
        Just(b'x'),
        Just(b'0'),
        Just(b'q'),
    ];
    prop::collection::vec(bytes, 0..40)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn finds_the_fields_that_postgres_reads(data in hostile(), quotes in quotes(), columns in 0..8_usize) {
        let columns: Vec<usize> = (0..3).filter(|column| columns >> column & 1 == 1).collect();
        let syntax = syntax(Direction::In, Format::Lines(lines(quotes)), &columns);
        check_against_postgres(&syntax, &data);
    }

    #[test]
    fn splitting_the_stream_anywhere_changes_nothing(
        data in hostile(),
        quotes in quotes(),
        header: bool,
        columns in 0..8_usize,
        cuts in prop::collection::vec(0..40_usize, 0..5),
    ) {
        let columns: Vec<usize> = (0..3).filter(|column| columns >> column & 1 == 1).collect();
        let mut options = lines(quotes);
        options.header = header;
        let syntax = syntax(Direction::In, Format::Lines(options), &columns);
        let whole = translate(&syntax, &[&data], <[u8]>::to_ascii_uppercase);
        let each: Vec<&[u8]> = data.chunks(1).collect();
        let bytes = translate(&syntax, &each, <[u8]>::to_ascii_uppercase);
        let mut cuts: Vec<usize> = cuts.into_iter().map(|cut| cut.min(data.len())).collect();
        cuts.sort_unstable();
        let ends = cuts.iter().copied().chain([data.len()]);
        let pieces: Vec<&[u8]> = std::iter::once(0).chain(cuts.iter().copied())
            .zip(ends).map(|(from, to)| &data[from..to]).collect();
        let pieces = translate(&syntax, &pieces, <[u8]>::to_ascii_uppercase);
        // Up to an error, what has been given out depends on the pieces.
        prop_assert_eq!((&whole.1, whole.2), (&bytes.1, bytes.2));
        prop_assert_eq!((&whole.1, whole.2), (&pieces.1, pieces.2));
        if whole.2.is_none() {
            prop_assert_eq!(&whole.0, &bytes.0);
            prop_assert_eq!(&whole.0, &pieces.0);
        }
    }

    #[test]
    fn values_of_any_bytes_survive(
        values in prop::collection::vec(prop::collection::vec(prop::option::of(".{1,6}"), 3), 0..5),
        quotes in quotes(),
        null in prop_oneof![Just(""), Just("\\N"), Just("a")],
        force_quote: bool,
    ) {
        let mut options = lines(quotes);
        options.null = null.into();
        let mut syntax = syntax(Direction::In, Format::Lines(options), &[0, 1, 2]);
        for column in &mut syntax.columns {
            column.force_quote = force_quote;
        }
        let mut data = BytesMut::new();
        let Format::Lines(options) = &syntax.format else { unreachable!() };
        for record in &values {
            for (place, value) in record.iter().enumerate() {
                if place > 0 {
                    data.put_u8(options.delimiter);
                }
                match value {
                    Some(value) => syntax.put(&syntax.columns[place], value.as_bytes(), &mut data),
                    None => data.put_slice(&options.null),
                }
            }
            data.put_u8(b'\n');
        }
        let (out, found, error) = translate(&syntax, &[&data], <[u8]>::to_vec);
        prop_assert_eq!(error, None);
        prop_assert_eq!(&out[..], &data[..]);
        let expected = values.iter().flatten().map(|value| value.clone().map(String::into_bytes));
        let found = found.into_iter().map(|(_, _, value)| value);
        prop_assert_eq!(found.collect::<Vec<_>>(), expected.collect::<Vec<_>>());
    }

    #[test]
    fn splitting_a_binary_stream_anywhere_changes_nothing(
        records in prop::collection::vec(
            prop::collection::vec(prop::option::of(prop::collection::vec(any::<u8>(), 0..5)), 3), 0..5),
        columns in 0..8_usize,
    ) {
        let columns: Vec<usize> = (0..3).filter(|column| columns >> column & 1 == 1).collect();
        let syntax = binary_in(&columns, 3);
        let data = binary(&records);
        let longer = |value: &[u8]| [value, b"!"].concat();
        let whole = translate(&syntax, &[&data], longer);
        let each: Vec<&[u8]> = data.chunks(1).collect();
        prop_assert_eq!(&whole, &translate(&syntax, &each, longer));
        let mut expected = records;
        for record in &mut expected {
            for column in &columns {
                if let Some(value) = &mut record[*column] {
                    value.push(b'!');
                }
            }
        }
        prop_assert_eq!(whole.0, binary(&expected));
    }

    #[test]
    fn never_panics_on_any_bytes(data: Vec<u8>, junk in hostile(), quotes in quotes()) {
        for direction in [Direction::In, Direction::Out] {
            for format in [Format::Lines(lines(quotes)), Format::Binary(2)] {
                let syntax = syntax(direction, format, &[0, 1]);
                for data in [&data, &junk] {
                    translate(&syntax, &[data, data], <[u8]>::to_vec);
                }
            }
        }
    }
}

/// Characters that may be options of COPY, those of numbers and uuids among them.
fn option() -> impl Strategy<Value = u8> {
    proptest::sample::select(b",;|\t\"'-059afA~".to_vec())
}

/// A string for NULL or for a default.
fn string() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        Just(Vec::new()),
        Just(b"\\N".to_vec()),
        "-?[0-9]{1,3}".prop_map(String::into_bytes),
        Just(b"a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11".to_vec()),
        "[0-9a-f-]{36}".prop_map(String::into_bytes),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    /// What is said to stand in a field as it is does, in whatever way the data are written.
    #[test]
    fn what_stands_bare_is_written_as_it_is(
        (delimiter, quote, escape) in (option(), option(), option()),
        (null, default) in (string(), proptest::option::of(string())),
        (csv, force_quote, out) in (any::<bool>(), any::<bool>(), any::<bool>()),
        number in -120_i64..120,
        uuid in any::<[u8; 16]>(),
    ) {
        let quotes = csv.then_some(Quotes { quote, escape });
        let lines = Lines { delimiter, null, default, header: false, quotes };
        let direction = if out { Direction::Out } else { Direction::In };
        let syntax = syntax(direction, Format::Lines(lines), &[0]);
        let column = Column { force_quote, ..syntax.columns[0] };
        let written = |value: &str| {
            let mut field = BytesMut::new();
            syntax.put(&column, value.as_bytes(), &mut field);
            field
        };
        let number = number.to_string();
        if syntax.writes_numbers_bare(&column) {
            prop_assert_eq!(&written(&number)[..], number.as_bytes());
        }
        let uuids = [uuid, [0xa0, 0xee, 0xbc, 0x99, 0x9c, 0x0b, 0x4e, 0xf8, 0xbb, 0x6d, 0x6b, 0xb9,
            0xbd, 0x38, 0x0a, 0x11]];
        for uuid in uuids.map(|uuid| crate::wire::uuid_text::to_string(&uuid)) {
            if syntax.writes_uuids_bare(&column) {
                prop_assert_eq!(&written(&uuid)[..], uuid.as_bytes());
            }
        }
    }
}
