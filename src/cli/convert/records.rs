//! Records of a stream: where each ends, and where in it the text is that is converted. All other
//! bytes are passed on as they are, so that an empty string in quotes stays one and NULL stays
//! NULL.

use std::borrow::Cow;
use std::ops::Range;

/// How a stream falls into records.
pub(super) enum Records {
    /// A record is a line.
    Lines(Lines),
    /// A record is one of CSV.
    Csv(Csv),
}

/// Lines that end in a line feed, perhaps behind a carriage return.
pub(super) struct Lines;

/// CSV with one column to convert.
pub(super) struct Csv {
    delimiter: u8,
    column: Column,
}

/// The column to convert.
enum Column {
    /// To be found in the header.
    Named(Vec<u8>),
    /// From 0.
    At(usize),
}

/// A record of a chunk.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Record {
    /// Behind its line feed.
    pub(super) end: usize,
    pub(super) cell: Cell,
}

/// What of a record is converted.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Cell {
    /// Nothing: a header, or an empty line.
    None,
    /// These bytes.
    At(Range<usize>),
    /// The record is too short.
    Missing,
}

/// Why a stream has no records.
#[derive(Debug, thiserror::Error)]
pub(super) enum RecordError {
    /// The header does not have the column.
    #[error("there is no column `{0}`\n  the header has: {1}")]
    Column(String, String),
}

impl Records {
    /// The record that begins at `start`, or none if the chunk ends before it does. The chunk is
    /// all there is if it is the `last`.
    pub(super) fn next(
        &mut self,
        chunk: &[u8],
        start: usize,
        last: bool,
    ) -> Result<Option<Record>, RecordError> {
        match self {
            Self::Lines(Lines) => Ok(line(chunk, start, last)),
            Self::Csv(csv) => csv.next(chunk, start, last),
        }
    }

    /// The text in a cell; none if its quotes are not those of CSV.
    pub(super) fn text<'a>(&self, cell: &'a [u8]) -> Option<Cow<'a, [u8]>> {
        match self {
            Self::Lines(_) => Some(Cow::Borrowed(cell)),
            Self::Csv(_) => unquoted(cell),
        }
    }

    /// Whether the text that stands in the place of a cell has to be in quotes.
    pub(super) fn needs_quotes(&self, cell: &[u8], text: &[u8]) -> bool {
        match self {
            Self::Lines(_) => false,
            Self::Csv(csv) => cell.starts_with(b"\"") || text.contains(&csv.delimiter),
        }
    }
}

fn line(chunk: &[u8], start: usize, last: bool) -> Option<Record> {
    let rest = &chunk[start..];
    let length = match memchr::memchr(b'\n', rest) {
        Some(length) => length,
        None if last && !rest.is_empty() => rest.len(),
        None => return None,
    };
    let text = rest[..length]
        .strip_suffix(b"\r")
        .unwrap_or(&rest[..length]);
    Some(Record {
        end: (start + length + 1).min(chunk.len()),
        cell: Cell::At(start..start + text.len()),
    })
}

impl Csv {
    pub(super) fn named(delimiter: u8, name: &str) -> Self {
        Self {
            delimiter,
            column: Column::Named(name.as_bytes().to_owned()),
        }
    }

    /// The column of this number, from 1.
    pub(super) fn numbered(delimiter: u8, number: usize) -> Self {
        Self {
            delimiter,
            column: Column::At(number - 1),
        }
    }

    fn next(
        &mut self,
        chunk: &[u8],
        start: usize,
        last: bool,
    ) -> Result<Option<Record>, RecordError> {
        let mut fields = Vec::new();
        let mut at = match self.column {
            // Some programs put a mark before the header.
            Column::Named(_) if chunk[start..].starts_with("\u{feff}".as_bytes()) => start + 3,
            _ => start,
        };
        let end = loop {
            let Some(end) = field(chunk, at, self.delimiter, last) else {
                return Ok(None);
            };
            fields.push(at..end);
            match chunk.get(end) {
                Some(byte) if *byte == self.delimiter => at = end + 1,
                Some(_) => break end + 1,
                None => break end,
            }
        };
        if let Some(field) = fields.last_mut()
            && chunk[field.clone()].ends_with(b"\r")
        {
            field.end -= 1;
        }
        let blank = matches!(fields.as_slice(), [only] if only.is_empty());
        let cell = match &self.column {
            _ if blank => Cell::None,
            Column::At(place) => fields.get(*place).cloned().map_or(Cell::Missing, Cell::At),
            Column::Named(name) => {
                let place = place_of(name, chunk, &fields)?;
                self.column = Column::At(place);
                Cell::None
            }
        };
        Ok(Some(Record { end, cell }))
    }
}

/// Where in the header the column is.
fn place_of(name: &[u8], chunk: &[u8], fields: &[Range<usize>]) -> Result<usize, RecordError> {
    let mut names = fields.iter().map(|field| {
        let raw = &chunk[field.clone()];
        unquoted(raw).unwrap_or(Cow::Borrowed(raw))
    });
    if let Some(place) = names.clone().position(|known| *known == *name) {
        return Ok(place);
    }
    let text = |name: &[u8]| String::from_utf8_lossy(name).into_owned();
    let known: Vec<_> = names.by_ref().map(|name| text(&name)).collect();
    Err(RecordError::Column(text(name), known.join(", ")))
}

/// The end of the field that begins here: at a delimiter, a line feed or, in the last chunk, its
/// end. A field that opens with a quote goes on to the quote that closes it.
fn field(chunk: &[u8], start: usize, delimiter: u8, last: bool) -> Option<usize> {
    let mut at = start;
    if chunk.get(at) == Some(&b'"') {
        at += 1;
        loop {
            match memchr::memchr(b'"', &chunk[at..]) {
                // A quote in the field is doubled.
                Some(length) if chunk.get(at + length + 1) == Some(&b'"') => at += length + 2,
                Some(length) => break at += length + 1,
                None => return last.then_some(chunk.len()),
            }
        }
    }
    match memchr::memchr2(delimiter, b'\n', &chunk[at..]) {
        Some(length) => Some(at + length),
        None => last.then_some(chunk.len()),
    }
}

fn unquoted(field: &[u8]) -> Option<Cow<'_, [u8]>> {
    let Some(rest) = field.strip_prefix(b"\"") else {
        return Some(Cow::Borrowed(field));
    };
    let inner = rest.strip_suffix(b"\"")?;
    if memchr::memchr(b'"', inner).is_none() {
        return Some(Cow::Borrowed(inner));
    }
    let mut text = Vec::with_capacity(inner.len());
    let mut bytes = inner.iter();
    while let Some(byte) = bytes.next() {
        if *byte == b'"' && bytes.next() != Some(&b'"') {
            return None;
        }
        text.push(*byte);
    }
    Some(Cow::Owned(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The cells of a text that arrives in one chunk.
    fn cells(mut records: Records, text: &str) -> Vec<String> {
        let chunk = text.as_bytes();
        let (mut start, mut found) = (0, Vec::new());
        while let Some(record) = records.next(chunk, start, true).unwrap() {
            found.push(match record.cell {
                Cell::At(range) => {
                    let cell = records.text(&chunk[range]).map(Cow::into_owned);
                    cell.map_or("malformed".to_owned(), |cell| {
                        String::from_utf8(cell).unwrap()
                    })
                }
                Cell::None => "none".to_owned(),
                Cell::Missing => "missing".to_owned(),
            });
            start = record.end;
            if start == chunk.len() {
                break;
            }
        }
        found
    }

    #[test]
    fn a_line_ends_at_its_line_feed_and_the_last_one_without() {
        let lines = cells(Records::Lines(Lines), "1\n\n22\r\n3");
        assert_eq!(lines, ["1", "", "22", "3"]);
        assert_eq!(cells(Records::Lines(Lines), ""), [""; 0]);
    }

    #[test]
    fn a_field_may_hold_delimiters_quotes_and_line_feeds() {
        let text = "a,id,c\n1,2,3\r\n\"x,\ny\",\"4\"\"\",\"\"\"\"\n\n5\n,,\n1,\"2\"3,4\n7,8";
        let csv = || Records::Csv(Csv::named(b',', "id"));
        assert_eq!(
            cells(csv(), text),
            ["none", "2", "4\"", "none", "missing", "", "malformed", "8"]
        );
        let numbered = Records::Csv(Csv::numbered(b';', 2));
        assert_eq!(cells(numbered, "a;b\n\"c;\";d\n"), ["b", "d"]);
    }

    #[test]
    fn a_record_in_two_chunks_is_the_same_record() {
        let text = b"\"a\nb\"\"\",1\nc,2\n";
        for cut in 0..10 {
            let mut csv = Records::Csv(Csv::numbered(b',', 2));
            assert_eq!(csv.next(&text[..cut], 0, false).unwrap(), None, "{cut}");
            let record = csv.next(text, 0, false).unwrap().unwrap();
            assert_eq!(record.cell, Cell::At(8..9));
            assert_eq!(record.end, 10);
        }
    }

    #[test]
    fn a_header_without_the_column_is_refused_with_what_it_has() {
        let mut csv = Records::Csv(Csv::named(b',', "id"));
        let error = csv
            .next("\u{feff}\"i,d\",Id\n".as_bytes(), 0, false)
            .unwrap_err();
        assert_eq!(
            error.to_string(),
            "there is no column `id`\n  the header has: i,d, Id"
        );
    }
}
