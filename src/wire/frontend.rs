//! The messages of a client that the proxy inspects, decoded from the body of a frame, and their
//! encoders for those that it changes.

use bytes::{BufMut, BytesMut};

use super::{Reader, WireError, kept_name, message, set_word, sized};

/// The format of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Format {
    /// As text.
    #[default]
    Text,
    /// In the binary form of its type.
    Binary,
}

/// Simple query.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Query<'a> {
    /// The text, in the client's encoding.
    pub text: &'a [u8],
}

impl<'a> Query<'a> {
    /// Decodes the body of a frame.
    ///
    /// # Errors
    /// If the fields don't fill it.
    pub fn decode(body: &'a [u8]) -> Result<Self, WireError> {
        let mut reader = Reader::new(body);
        let text = reader.string()?;
        reader.finish()?;
        Ok(Self { text })
    }

    /// Decodes a whole frame, if it is one of these and nothing is behind it.
    #[must_use]
    pub fn alone(sent: &'a [u8]) -> Option<Self> {
        let (&[b'Q', a, b, c, d], body) = sent.split_first_chunk()? else {
            return None;
        };
        let length = u32::from_be_bytes([a, b, c, d]) as usize;
        let is_whole = length == sent.len() - 1;
        Self::decode(body).ok().filter(|_| is_whole)
    }

    /// Appends the frame.
    pub fn encode(&self, out: &mut BytesMut) {
        message(out, b'Q', |out| put_string(out, self.text));
    }
}

/// Parse: a prepared statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Parse<'a> {
    /// The name; empty for the unnamed statement.
    pub name: &'a [u8],
    /// The text.
    pub text: &'a [u8],
    /// The declared parameter types: oids of four bytes each.
    pub declared: Oids<'a>,
}

/// A list of oids as it is on the wire.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Oids<'a>(&'a [u8]);

impl<'a> Oids<'a> {
    /// The oids in order.
    pub fn iter(self) -> impl ExactSizeIterator<Item = u32> + use<'a> {
        let (oids, _) = self.0.as_chunks::<4>();
        oids.iter().map(|oid| u32::from_be_bytes(*oid))
    }

    /// The bytes.
    #[must_use]
    pub const fn as_bytes(self) -> &'a [u8] {
        self.0
    }
}

impl<'a> Parse<'a> {
    /// Decodes the body of a frame.
    ///
    /// # Errors
    /// If the fields don't fill it.
    pub fn decode(body: &'a [u8]) -> Result<Self, WireError> {
        let mut reader = Reader::new(body);
        let name = kept_name(reader.string()?);
        let text = reader.string()?;
        let count = reader.count()?;
        let declared = Oids(reader.bytes(count * 4)?);
        reader.finish()?;
        Ok(Self {
            name,
            text,
            declared,
        })
    }
}

/// Appends a Parse.
pub fn parse(
    name: &[u8],
    text: &[u8],
    declared: impl ExactSizeIterator<Item = u32>,
    out: &mut BytesMut,
) {
    message(out, b'P', |out| {
        put_string(out, name);
        put_string(out, text);
        put_count(out, declared.len());
        for oid in declared {
            out.put_u32(oid);
        }
    });
}

/// Appends a CopyFail with the reason.
pub fn copy_fail(reason: &[u8], out: &mut BytesMut) {
    message(out, b'f', |out| put_string(out, reason));
}

/// Bind: a portal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bind<'a> {
    /// The name of the portal.
    pub portal: &'a [u8],
    /// The name of the statement.
    pub statement: &'a [u8],
    /// The formats of the parameters.
    pub formats: Formats<'a>,
    /// The number of values.
    pub count: usize,
    /// The values as they are on the wire, already found to be whole.
    values: &'a [u8],
    /// The formats of the result columns.
    pub results: Formats<'a>,
}

/// Format codes as they are on the wire: none for text throughout, one for all, or one each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Formats<'a>(&'a [u8]);

impl<'a> Formats<'a> {
    fn decode(reader: &mut Reader<'a>) -> Result<Self, WireError> {
        let count = reader.count()?;
        reader.bytes(count * 2).map(Self)
    }

    /// The codes in order.
    pub fn codes(self) -> impl ExactSizeIterator<Item = u16> + use<'a> {
        let (codes, _) = self.0.as_chunks::<2>();
        codes.iter().map(|code| u16::from_be_bytes(*code))
    }

    /// The code that holds for the value at `index`.
    #[must_use]
    pub fn code(self, index: usize) -> u16 {
        let (codes, _) = self.0.as_chunks::<2>();
        let code = match codes {
            [] => return 0,
            [all] => Some(all),
            each => each.get(index),
        };
        code.map_or(0, |code| u16::from_be_bytes(*code))
    }

    /// The format of the value at `index`, or `None` for a code that is none.
    #[must_use]
    pub fn format(self, index: usize) -> Option<Format> {
        match self.code(index) {
            0 => Some(Format::Text),
            1 => Some(Format::Binary),
            _ => None,
        }
    }

    /// Whether there is no code, or one for each of `count` values, or one for all.
    #[must_use]
    pub const fn suits(self, count: usize) -> bool {
        let codes = self.0.len() / 2;
        codes <= 1 || codes == count
    }

    /// The bytes, without the count.
    #[must_use]
    pub const fn as_bytes(self) -> &'a [u8] {
        self.0
    }

    /// Takes bytes from [`Formats::as_bytes`].
    #[must_use]
    pub const fn from_bytes(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }
}

impl<'a> Bind<'a> {
    /// Decodes the body of a frame.
    ///
    /// # Errors
    /// If the fields don't fill it.
    pub fn decode(body: &'a [u8]) -> Result<Self, WireError> {
        let mut reader = Reader::new(body);
        let portal = kept_name(reader.string()?);
        let statement = kept_name(reader.string()?);
        let formats = Formats::decode(&mut reader)?;
        let count = reader.count()?;
        let start = reader.rest();
        for _ in 0..count {
            reader.value()?;
        }
        let length = start.len() - reader.rest().len();
        let values = start.get(..length).ok_or(WireError::Truncated)?;
        let results = Formats::decode(&mut reader)?;
        reader.finish()?;
        Ok(Self {
            portal,
            statement,
            formats,
            count,
            values,
            results,
        })
    }

    /// The name of the statement in the body of a frame, whatever follows it.
    ///
    /// # Errors
    /// If there is none.
    pub fn statement(body: &'a [u8]) -> Result<&'a [u8], WireError> {
        let mut reader = Reader::new(body);
        reader.string()?;
        reader.string().map(kept_name)
    }

    /// The values in order; `None` for NULL.
    pub fn values(&self) -> impl Iterator<Item = Option<&'a [u8]>> + use<'a> {
        let mut reader = Reader::new(self.values);
        (0..self.count).map(move |_| reader.value().unwrap_or_default())
    }
}

/// Builds a Bind value by value.
#[derive(Debug)]
pub struct BindWriter<'o> {
    out: &'o mut BytesMut,
    start: usize,
}

impl<'o> BindWriter<'o> {
    /// Starts a message of `count` values.
    pub fn new(
        out: &'o mut BytesMut,
        portal: &[u8],
        statement: &[u8],
        formats: impl ExactSizeIterator<Item = u16>,
        count: usize,
    ) -> Self {
        let start = out.len();
        out.put_slice(b"B\0\0\0\0");
        put_string(out, portal);
        put_string(out, statement);
        put_count(out, formats.len());
        for code in formats {
            out.put_u16(code);
        }
        put_count(out, count);
        Self { out, start }
    }

    /// Appends a value that is written by `write`.
    pub fn value(&mut self, write: impl FnOnce(&mut BytesMut)) {
        sized(self.out, write);
    }

    /// Appends a value that `write` appends, or NULL in its place if `write` says no.
    pub fn value_or_null(&mut self, write: impl FnOnce(&mut BytesMut) -> bool) {
        let start = self.out.len();
        let mut keep = true;
        sized(self.out, |out| keep = write(out));
        if !keep {
            self.out.truncate(start);
            self.null();
        }
    }

    /// Appends NULL.
    pub fn null(&mut self) {
        self.out.put_i32(-1);
    }

    /// Ends the message.
    pub fn finish(self, results: Formats<'_>) {
        put_count(self.out, results.codes().len());
        self.out.put_slice(results.as_bytes());
        let start = self.start + 1;
        set_word(self.out, start, self.out.len() - start);
    }
}

/// What Describe and Close name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target<'a> {
    /// A prepared statement.
    Statement(&'a [u8]),
    /// A portal.
    Portal(&'a [u8]),
}

impl<'a> Target<'a> {
    /// Decodes the body of a Describe or Close.
    ///
    /// # Errors
    /// If the fields don't fill it, or if it names something else.
    pub fn decode(body: &'a [u8]) -> Result<Self, WireError> {
        let mut reader = Reader::new(body);
        let kind = reader.u8()?;
        let name = kept_name(reader.string()?);
        reader.finish()?;
        match kind {
            b'S' => Ok(Self::Statement(name)),
            b'P' => Ok(Self::Portal(name)),
            kind => Err(WireError::Subtype(kind)),
        }
    }

    /// Appends a Describe.
    pub fn describe(self, out: &mut BytesMut) {
        self.encode(b'D', out);
    }

    /// Appends a Close.
    pub fn close(self, out: &mut BytesMut) {
        self.encode(b'C', out);
    }

    fn encode(self, message_kind: u8, out: &mut BytesMut) {
        let (kind, name) = match self {
            Self::Statement(name) => (b'S', name),
            Self::Portal(name) => (b'P', name),
        };
        message(out, message_kind, |out| {
            out.put_u8(kind);
            put_string(out, name);
        });
    }
}

/// Execute.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Execute<'a> {
    /// The name of the portal.
    pub portal: &'a [u8],
    /// The most rows to return; 0 for all.
    pub limit: i32,
}

impl<'a> Execute<'a> {
    /// Decodes the body of a frame.
    ///
    /// # Errors
    /// If the fields don't fill it.
    pub fn decode(body: &'a [u8]) -> Result<Self, WireError> {
        let mut reader = Reader::new(body);
        let portal = kept_name(reader.string()?);
        let limit = reader.i32()?;
        reader.finish()?;
        Ok(Self { portal, limit })
    }

    /// Appends the message.
    pub fn encode(&self, out: &mut BytesMut) {
        message(out, b'E', |out| {
            put_string(out, self.portal);
            out.put_i32(self.limit);
        });
    }
}

/// Appends a string and its zero byte.
pub(crate) fn put_string(out: &mut BytesMut, string: &[u8]) {
    out.put_slice(string);
    out.put_u8(0);
}

/// Appends a count; those that are read fit, and what is built is no longer than what was read
/// or checked by the caller.
pub(crate) fn put_count(out: &mut BytesMut, count: usize) {
    out.put_u16(u16::try_from(count).unwrap_or(u16::MAX));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refuses_every_truncation_and_leftovers<T: std::fmt::Debug>(
        body: &[u8],
        decode: impl Fn(&[u8]) -> Result<T, WireError>,
    ) {
        for length in 0..body.len() {
            assert!(decode(&body[..length]).is_err(), "{length} of {body:?}");
        }
        decode(body).unwrap();
        assert!(decode(&[body, b"\0"].concat()).is_err());
    }

    #[test]
    fn reads_a_parse_and_writes_it_back() {
        let mut out = BytesMut::new();
        parse(b"s", b"SELECT $1", [2950, 0].into_iter(), &mut out);
        refuses_every_truncation_and_leftovers(&out[5..], |body| Parse::decode(body).map(|_| ()));
        let read = Parse::decode(&out[5..]).unwrap();
        assert_eq!((read.name, read.text), (&b"s"[..], &b"SELECT $1"[..]));
        assert_eq!(read.declared.iter().collect::<Vec<_>>(), [2950, 0]);
    }

    #[test]
    fn reads_a_bind_and_writes_it_back() {
        let mut out = BytesMut::new();
        let mut writer = BindWriter::new(&mut out, b"p", b"s", [1, 0, 7].into_iter(), 3);
        writer.value(|out| out.put_slice(b"abc"));
        writer.null();
        writer.value(|_| ());
        writer.finish(Formats::from_bytes(&[0, 1]));
        refuses_every_truncation_and_leftovers(&out[5..], |body| Bind::decode(body).map(|_| ()));
        let bind = Bind::decode(&out[5..]).unwrap();
        assert_eq!(
            bind.values().collect::<Vec<_>>(),
            [Some(&b"abc"[..]), None, Some(&b""[..])]
        );
        assert_eq!(bind.formats.format(0), Some(Format::Binary));
        assert_eq!(bind.formats.format(2), None);
        assert_eq!(bind.results.format(9), Some(Format::Binary));
        assert!(bind.formats.suits(3) && !bind.formats.suits(4));
        assert_eq!(
            out[1..5],
            u32::try_from(out.len() - 1).unwrap().to_be_bytes()
        );
    }

    #[test]
    fn reads_the_small_messages() {
        refuses_every_truncation_and_leftovers(b"select\0", |b| Query::decode(b).map(|_| ()));
        refuses_every_truncation_and_leftovers(b"Sname\0", |b| Target::decode(b).map(|_| ()));
        refuses_every_truncation_and_leftovers(b"p\0\0\0\0\x05", |b| {
            Execute::decode(b).map(|_| ())
        });
        assert_eq!(Target::decode(b"Xname\0"), Err(WireError::Subtype(b'X')));
    }

    proptest::proptest! {
        #[test]
        fn never_panics_on_any_bytes(body: Vec<u8>) {
            let _ = Query::decode(&body);
            let _ = Parse::decode(&body).map(|parse| parse.declared.iter().count());
            let _ = Bind::decode(&body).map(|bind| bind.values().count());
            let _ = Target::decode(&body);
            let _ = Execute::decode(&body);
        }
    }
}
