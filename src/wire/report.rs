//! ErrorResponse and NoticeResponse: a list of fields, each a code byte and a string.

use bytes::{BufMut, BytesMut};

use super::{Reader, WireError, message};

/// The codes of the fields.
pub mod field {
    /// The severity, possibly translated.
    pub const SEVERITY: u8 = b'S';
    /// The severity, never translated.
    pub const SEVERITY_PLAIN: u8 = b'V';
    /// The SQLSTATE.
    pub const CODE: u8 = b'C';
    /// The main message.
    pub const MESSAGE: u8 = b'M';
    /// More about the cause; this is where Postgres quotes keys.
    pub const DETAIL: u8 = b'D';
    /// What to do.
    pub const HINT: u8 = b'H';
    /// A place in the client's text, in characters from 1.
    pub const POSITION: u8 = b'P';
    /// A place in `INTERNAL_QUERY`.
    pub const INTERNAL_POSITION: u8 = b'p';
    /// A statement that the server ran by itself.
    pub const INTERNAL_QUERY: u8 = b'q';
    /// The context: a stack of what was being done.
    pub const WHERE: u8 = b'W';
    /// The schema of the table.
    pub const SCHEMA: u8 = b's';
    /// The table.
    pub const TABLE: u8 = b't';
    /// The column.
    pub const COLUMN: u8 = b'c';
    /// The data type.
    pub const DATA_TYPE: u8 = b'd';
    /// The constraint.
    pub const CONSTRAINT: u8 = b'n';
    /// The file of the server's source that raises it; no code of users can choose it.
    pub const FILE: u8 = b'F';
    /// The line in that file.
    pub const LINE: u8 = b'L';
    /// What raises it in that file.
    pub const ROUTINE: u8 = b'R';
}

/// The fields of one ErrorResponse or NoticeResponse, borrowed from its frame.
#[derive(Debug, Clone, Default)]
pub struct Report<'a> {
    fields: Vec<(u8, &'a [u8])>,
}

impl<'a> Report<'a> {
    /// Decodes the body of a frame.
    ///
    /// # Errors
    /// If the fields don't fill it.
    pub fn decode(body: &'a [u8]) -> Result<Self, WireError> {
        let mut reader = Reader::new(body);
        let mut fields = Vec::new();
        loop {
            match reader.u8()? {
                0 => break,
                code => fields.push((code, reader.string()?)),
            }
        }
        reader.finish()?;
        Ok(Self { fields })
    }

    /// The value of a field.
    #[must_use]
    pub fn get(&self, code: u8) -> Option<&'a [u8]> {
        self.fields
            .iter()
            .find(|(found, _)| *found == code)
            .map(|(_, value)| *value)
    }

    /// The value of a field as text, if it is UTF-8.
    #[must_use]
    pub fn text(&self, code: u8) -> Option<&'a str> {
        std::str::from_utf8(self.get(code)?).ok()
    }

    /// Sets a field where it stands, or at the end.
    pub fn set(&mut self, code: u8, value: &'a [u8]) {
        match self.fields.iter_mut().find(|(found, _)| *found == code) {
            Some(field) => field.1 = value,
            None => self.fields.push((code, value)),
        }
    }

    /// Removes a field.
    pub fn remove(&mut self, code: u8) {
        self.fields.retain(|(found, _)| *found != code);
    }

    /// Appends the frame. A zero byte inside a value would end it: what follows is cut off.
    pub fn encode(&self, kind: u8, out: &mut BytesMut) {
        message(out, kind, |out| {
            for (code, value) in &self.fields {
                out.put_u8(*code);
                let end = memchr::memchr(0, value).unwrap_or(value.len());
                out.put_slice(value.get(..end).unwrap_or_default());
                out.put_u8(0);
            }
            out.put_u8(0);
        });
    }
}

/// Appends an ErrorResponse with which the server ends a connection.
pub fn fatal(sqlstate: &str, text: &str, detail: Option<&str>, out: &mut BytesMut) {
    let mut report = Report::default();
    report.set(field::SEVERITY, b"FATAL");
    report.set(field::SEVERITY_PLAIN, b"FATAL");
    report.set(field::CODE, sqlstate.as_bytes());
    report.set(field::MESSAGE, text.as_bytes());
    if let Some(detail) = detail {
        report.set(field::DETAIL, detail.as_bytes());
    }
    report.encode(b'E', out);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn round_trips_and_refuses_every_truncation() {
        let mut out = BytesMut::new();
        fatal("08P01", "invalid message length", Some("why"), &mut out);
        let body = &out[5..];
        let report = Report::decode(body).unwrap();
        assert_eq!(report.text(field::CODE), Some("08P01"));
        assert_eq!(report.text(field::DETAIL), Some("why"));
        let mut again = BytesMut::new();
        report.encode(b'E', &mut again);
        assert_eq!(again, out);
        for length in 0..body.len() {
            assert!(Report::decode(&body[..length]).is_err());
        }
        assert!(Report::decode(&[body, b"x"].concat()).is_err());
    }
}
