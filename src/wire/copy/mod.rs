//! The data of COPY, in both directions and all three formats: finds the fields of some columns in
//! a stream of bytes that is cut anywhere, and reads and writes their values. All other bytes pass
//! as they are, without being held back. What a value becomes is the caller's business.
//!
//! A [`Scanner`] goes through the stream as `CopyReadLine` and the functions behind it do, and
//! says where the fields are ([`Field`]); it holds back no more than one unfinished field of the
//! columns. [`Syntax`] reads such a field ([`Syntax::value`]) and writes another in its place
//! ([`Syntax::put`]).

mod binary;
mod lines;
mod quoted;
mod text;

#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::ops::Range;

use bytes::{BufMut, BytesMut};

use super::frontend;
use binary::BinaryScanner;
use lines::LineScanner;

/// Where the data go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// `COPY … FROM STDIN`: a client has written them, in any way that the server takes.
    In,
    /// `COPY … TO STDOUT`: the server has written them.
    Out,
}

/// How the data are written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Format {
    /// Text or CSV.
    Lines(Lines),
    /// Binary, with this number of fields in each record.
    Binary(usize),
}

/// The options of text and CSV. All characters are bytes of ASCII, as Postgres demands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lines {
    /// Between two fields.
    pub delimiter: u8,
    /// What stands for NULL.
    pub null: Vec<u8>,
    /// What stands for the default of a column, if anything does (since Postgres 16).
    pub default: Option<Vec<u8>>,
    /// Whether the first line is no record.
    pub header: bool,
    /// Present for CSV.
    pub quotes: Option<Quotes>,
}

/// The characters of CSV.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Quotes {
    /// Around a value.
    pub quote: u8,
    /// Before such a character in a value, and before itself.
    pub escape: u8,
}

/// A column whose values are looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Column {
    /// Its place among the fields of a record, from 0.
    pub index: usize,
    /// A longer field is an error: it would have to be held back.
    pub limit_bytes: usize,
    /// `FORCE_QUOTE`
    pub force_quote: bool,
    /// `FORCE_NOT_NULL`
    pub force_not_null: bool,
    /// `FORCE_NULL`
    pub force_null: bool,
    /// Whether most values are uuids in their canonical form, which [`Syntax::writes_uuids_bare`].
    pub uuids: bool,
}

/// What is to be known of the data of one COPY.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Syntax {
    /// Whether the rows come or go.
    pub direction: Direction,
    /// How they are written.
    pub format: Format,
    /// The columns, in ascending order.
    pub columns: Vec<Column>,
}

/// A field that has been found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// Its bytes in the data that were scanned; in binary with the length word.
    pub range: Range<usize>,
    /// Its place in [`Syntax::columns`].
    pub column: usize,
    /// The number of the line or record that it ends in, from 1, as Postgres counts.
    pub line: u64,
    /// The uuid that stands there as it is, if it was looked for ([`Column::uuids`]).
    pub uuid: Option<[u8; 16]>,
}

/// Data that are none of the format, and the line or record in which that shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{fault}")]
pub struct Malformed {
    /// What is wrong.
    pub fault: Fault,
    /// From 1, as Postgres counts.
    pub line: u64,
}

/// What can be wrong with the data, in the words of Postgres, whose code for all of it is 22P04.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say it")]
pub enum Fault {
    #[error("literal newline found in data")]
    LiteralNewline,
    #[error("unquoted newline found in data")]
    UnquotedNewline,
    #[error("literal carriage return found in data")]
    LiteralReturn,
    #[error("unquoted carriage return found in data")]
    UnquotedReturn,
    #[error("unterminated CSV quoted field")]
    Unterminated,
    #[error("COPY file signature not recognized")]
    Signature,
    #[error("invalid COPY file header (WITH OIDS)")]
    Oids,
    #[error("unrecognized critical flags in COPY file header")]
    Flags,
    #[error("invalid COPY file header (wrong length)")]
    HeaderLength,
    #[error("row field count is {found}, expected {expected}")]
    FieldCount { found: i16, expected: usize },
    #[error("invalid field size")]
    FieldSize,
    #[error("unexpected EOF in COPY data")]
    End,
    /// Not of Postgres: it would not object to the length as such.
    #[error("a field of an id column is longer than {0} bytes")]
    TooLong(usize),
}

impl Fault {
    /// The hint that Postgres gives.
    #[must_use]
    pub const fn hint(self) -> Option<&'static str> {
        match self {
            Self::LiteralNewline => Some("Use \"\\n\" to represent newline."),
            Self::UnquotedNewline => Some("Use quoted CSV field to represent newline."),
            Self::LiteralReturn => Some("Use \"\\r\" to represent carriage return."),
            Self::UnquotedReturn => Some("Use quoted CSV field to represent carriage return."),
            _ => None,
        }
    }
}

impl Syntax {
    /// The format in which values are written.
    #[must_use]
    pub const fn value_format(&self) -> frontend::Format {
        match self.format {
            Format::Lines(_) => frontend::Format::Text,
            Format::Binary(_) => frontend::Format::Binary,
        }
    }

    /// The value of a field of a column, from its bytes; `None` if it passes as it is: for NULL
    /// and for what stands for a default.
    #[must_use]
    pub fn value<'a>(&'a self, column: &Column, field: &'a [u8]) -> Option<Cow<'a, [u8]>> {
        match &self.format {
            Format::Binary(_) => match field.split_first_chunk::<4>() {
                Some((&[0xff, 0xff, 0xff, 0xff], _)) | None => None,
                Some((_, value)) => Some(Cow::Borrowed(value)),
            },
            Format::Lines(lines) => match lines.quotes {
                None => text::value(lines, field),
                Some(quotes) => quoted::value(lines, quotes, column, field),
            },
        }
    }

    /// Whether a uuid, which is written with hexadecimal digits and hyphens, stands in a field of a
    /// column as it is: with nothing around it, and nothing escaped.
    #[must_use]
    pub fn writes_uuids_bare(&self, column: &Column) -> bool {
        let Format::Lines(lines) = &self.format else {
            return false;
        };
        let apart = |byte: u8| byte != b'-' && !byte.is_ascii_hexdigit();
        let is_uuid = |text: &[u8]| text.len() == super::uuid_text::TEXT_BYTES;
        let quotes = lines.quotes.is_none_or(|quotes| {
            !column.force_quote && apart(quotes.quote) && apart(quotes.escape)
        });
        quotes
            && apart(lines.delimiter)
            && !is_uuid(&lines.null)
            && !lines.default.as_deref().is_some_and(is_uuid)
    }

    /// Whether a number stands in a field of a column as it is.
    #[must_use]
    pub fn writes_numbers_bare(&self, column: &Column) -> bool {
        let Format::Lines(lines) = &self.format else {
            return false;
        };
        let apart = |byte: u8| byte != b'-' && !byte.is_ascii_digit();
        let is_number = |text: &[u8]| !text.is_empty() && !text.iter().copied().any(apart);
        let quotes = lines.quotes.is_none_or(|quotes| {
            !column.force_quote && apart(quotes.quote) && apart(quotes.escape)
        });
        quotes
            && apart(lines.delimiter)
            && !is_number(&lines.null)
            && !lines.default.as_deref().is_some_and(is_number)
    }

    /// Appends a field with this value.
    pub fn put(&self, column: &Column, value: &[u8], out: &mut BytesMut) {
        match &self.format {
            Format::Binary(_) => super::sized(out, |out| out.put_slice(value)),
            Format::Lines(lines) => match lines.quotes {
                None => text::put(lines, self.direction, value, out),
                Some(quotes) => quoted::put(lines, quotes, column, value, out),
            },
        }
    }
}

/// Goes through the data of one COPY.
#[derive(Debug, Clone)]
pub struct Scanner(Kind);

#[derive(Debug, Clone)]
enum Kind {
    Lines(Box<LineScanner>),
    Binary(BinaryScanner),
}

impl Scanner {
    /// Before the first byte.
    #[must_use]
    pub fn new(syntax: &Syntax) -> Self {
        Self(match &syntax.format {
            Format::Lines(lines) => {
                Kind::Lines(Box::new(LineScanner::new(lines, syntax.direction)))
            }
            Format::Binary(_) => Kind::Binary(BinaryScanner::default()),
        })
    }

    /// Finds the fields that end in `data` and appends them to `fields`. Returns how many bytes at
    /// the front are settled; the others must be presented again, with more behind them.
    ///
    /// # Errors
    /// If the data are malformed; the fields before that place have been appended. The scanner
    /// must not be used any more.
    pub fn scan(
        &mut self,
        syntax: &Syntax,
        data: &[u8],
        fields: &mut Vec<Field>,
    ) -> Result<usize, Malformed> {
        match (&mut self.0, &syntax.format) {
            (Kind::Lines(scanner), Format::Lines(lines)) => {
                scanner.scan(lines, &syntax.columns, data, fields)
            }
            (Kind::Binary(scanner), Format::Binary(count)) => {
                scanner.scan(*count, &syntax.columns, data, fields)
            }
            _ => Ok(0),
        }
    }

    /// Finds the fields that end at the end of the stream, and appends them to `fields`: `data` is
    /// what was not settled, and is settled now.
    ///
    /// # Errors
    /// If the end cuts a field of the columns off. Other incomplete data pass: the server judges.
    pub fn finish(
        &mut self,
        syntax: &Syntax,
        data: &[u8],
        fields: &mut Vec<Field>,
    ) -> Result<(), Malformed> {
        match &mut self.0 {
            Kind::Lines(scanner) => scanner.finish(&syntax.columns, data, fields),
            Kind::Binary(scanner) => scanner.finish(data),
        }
    }

    /// The number of the line or record that has been reached, from 1.
    #[must_use]
    pub fn line(&self) -> u64 {
        match &self.0 {
            Kind::Lines(scanner) => scanner.line(),
            Kind::Binary(scanner) => scanner.line(),
        }
    }
}
