//! The messages of the protocol, as bytes to send and as answers to compare. Small and strict:
//! an answer that does not fill its frame exactly is an error. Nothing here is shared with the
//! crate's own `wire`, so that a mistake there cannot hide itself.

use std::collections::BTreeMap;

/// A column of a RowDescription.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Column {
    pub(crate) name: String,
    pub(crate) table: u32,
    pub(crate) attribute: i16,
    pub(crate) type_oid: u32,
    pub(crate) size: i16,
    pub(crate) modifier: i32,
    pub(crate) format: i16,
}

/// The fields of an ErrorResponse or NoticeResponse by their letter.
pub(crate) type Fields = BTreeMap<char, String>;

/// Bytes that show as text where they are text.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Raw(pub(crate) Vec<u8>);

impl std::fmt::Debug for Raw {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "'{}'", self.0.escape_ascii())
    }
}

/// A message from the server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Message {
    ParameterDescription(Vec<u32>),
    RowDescription(Vec<Column>),
    DataRow(Vec<Option<Raw>>),
    CommandComplete(String),
    Error(Fields),
    Notice(Fields),
    ParameterStatus(String, String),
    ReadyForQuery(char),
    /// The channel and the payload; the process of the sender differs between sessions.
    Notification(String, String),
    /// Any other message: its letter and its body.
    Other(char, Raw),
}

impl Message {
    /// Reads the body of the frame with this letter.
    pub(crate) fn parse(letter: u8, body: &[u8]) -> Result<Self, String> {
        let mut cursor = Cursor(body);
        let message = match letter {
            b't' => Self::ParameterDescription(cursor.list(Cursor::u32)?),
            b'T' => Self::RowDescription(cursor.list(Cursor::column)?),
            b'D' => Self::DataRow(cursor.list(Cursor::value)?),
            b'C' => Self::CommandComplete(cursor.string()?),
            b'E' => Self::Error(cursor.fields()?),
            b'N' => Self::Notice(cursor.fields()?),
            b'S' => Self::ParameterStatus(cursor.string()?, cursor.string()?),
            b'A' => {
                cursor.u32()?;
                Self::Notification(cursor.string()?, cursor.string()?)
            }
            b'Z' => Self::ReadyForQuery(char::from(cursor.take(1)?[0])),
            other => Self::Other(char::from(other), Raw(cursor.take(body.len())?.to_vec())),
        };
        if cursor.0.is_empty() {
            Ok(message)
        } else {
            Err(format!(
                "{} bytes are left over in a message '{}'",
                cursor.0.len(),
                char::from(letter)
            ))
        }
    }

    /// The SQLSTATE of an error.
    pub(crate) fn sqlstate(&self) -> Option<&str> {
        match self {
            Self::Error(fields) => fields.get(&'C').map(String::as_str),
            _ => None,
        }
    }
}

/// What is left to read of a body.
struct Cursor<'a>(&'a [u8]);

impl<'a> Cursor<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8], String> {
        let (taken, rest) = self
            .0
            .split_at_checked(count)
            .ok_or("a message ends early")?;
        self.0 = rest;
        Ok(taken)
    }

    fn u32(&mut self) -> Result<u32, String> {
        let bytes = self.take(4)?;
        Ok(u32::from_be_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
    }

    fn i32(&mut self) -> Result<i32, String> {
        self.u32().map(u32::cast_signed)
    }

    fn i16(&mut self) -> Result<i16, String> {
        let bytes = self.take(2)?;
        Ok(i16::from_be_bytes([bytes[0], bytes[1]]))
    }

    fn string(&mut self) -> Result<String, String> {
        let end = self.0.iter().position(|byte| *byte == 0);
        let text = self.take(end.ok_or("a string has no end")?)?;
        self.take(1)?;
        Ok(String::from_utf8_lossy(text).into_owned())
    }

    fn list<T>(&mut self, item: fn(&mut Self) -> Result<T, String>) -> Result<Vec<T>, String> {
        let count = self.i16()?;
        (0..count).map(|_| item(self)).collect()
    }

    fn column(&mut self) -> Result<Column, String> {
        Ok(Column {
            name: self.string()?,
            table: self.u32()?,
            attribute: self.i16()?,
            type_oid: self.u32()?,
            size: self.i16()?,
            modifier: self.i32()?,
            format: self.i16()?,
        })
    }

    fn value(&mut self) -> Result<Option<Raw>, String> {
        match usize::try_from(self.i32()?) {
            Ok(length) => Ok(Some(Raw(self.take(length)?.to_vec()))),
            Err(_) => Ok(None),
        }
    }

    fn fields(&mut self) -> Result<Fields, String> {
        let mut fields = Fields::new();
        loop {
            match self.take(1)?[0] {
                0 => return Ok(fields),
                letter => fields.insert(char::from(letter), self.string()?),
            };
        }
    }
}

/// A message to the server: the letter, then the length, then the body.
fn frame(letter: u8, body: &[u8]) -> Vec<u8> {
    let length = u32::try_from(body.len() + 4).expect("a message is short");
    let mut bytes = vec![letter];
    bytes.extend(length.to_be_bytes());
    bytes.extend(body);
    bytes
}

fn string(body: &mut Vec<u8>, text: &str) {
    body.extend(text.as_bytes());
    body.push(0);
}

fn count(body: &mut Vec<u8>, items: usize) {
    body.extend(u16::try_from(items).expect("a list is short").to_be_bytes());
}

/// StartupMessage, protocol 3.0.
pub(crate) fn startup(parameters: &[(&str, &str)]) -> Vec<u8> {
    let mut body = 196_608_u32.to_be_bytes().to_vec();
    for (name, value) in parameters {
        string(&mut body, name);
        string(&mut body, value);
    }
    body.push(0);
    frame(0, &body).split_off(1)
}

/// Query.
pub(crate) fn query(sql: &str) -> Vec<u8> {
    let mut body = Vec::new();
    string(&mut body, sql);
    frame(b'Q', &body)
}

/// Parse.
pub(crate) fn parse(name: &str, sql: &str, types: &[u32]) -> Vec<u8> {
    let mut body = Vec::new();
    string(&mut body, name);
    string(&mut body, sql);
    count(&mut body, types.len());
    for oid in types {
        body.extend(oid.to_be_bytes());
    }
    frame(b'P', &body)
}

/// A value of a Bind or FunctionCall and its format: 0 for text, 1 for binary.
#[derive(Debug, Clone)]
pub(crate) struct Value {
    pub(crate) format: i16,
    pub(crate) bytes: Option<Vec<u8>>,
}

fn values(body: &mut Vec<u8>, values: &[Value]) {
    count(body, values.len());
    for value in values {
        body.extend(value.format.to_be_bytes());
    }
    count(body, values.len());
    for value in values {
        sized(body, value);
    }
}

fn sized(body: &mut Vec<u8>, value: &Value) {
    match &value.bytes {
        None => body.extend((-1_i32).to_be_bytes()),
        Some(bytes) => {
            let length = u32::try_from(bytes.len()).expect("a value is short");
            body.extend(length.to_be_bytes());
            body.extend(bytes);
        }
    }
}

/// Bind, with one format for all results.
pub(crate) fn bind(portal: &str, statement: &str, parameters: &[Value], result: i16) -> Vec<u8> {
    let mut body = Vec::new();
    string(&mut body, portal);
    string(&mut body, statement);
    values(&mut body, parameters);
    count(&mut body, 1);
    body.extend(result.to_be_bytes());
    frame(b'B', &body)
}

/// Describe (`D`) or Close (`C`) of a statement (`S`) or portal (`P`).
pub(crate) fn on(letter: u8, kind: u8, name: &str) -> Vec<u8> {
    let mut body = vec![kind];
    string(&mut body, name);
    frame(letter, &body)
}

/// Execute; 0 rows is no limit.
pub(crate) fn execute(portal: &str, rows: u32) -> Vec<u8> {
    let mut body = Vec::new();
    string(&mut body, portal);
    body.extend(rows.to_be_bytes());
    frame(b'E', &body)
}

/// FunctionCall, with its result as text.
pub(crate) fn call(function: u32, arguments: &[Value]) -> Vec<u8> {
    let mut body = function.to_be_bytes().to_vec();
    values(&mut body, arguments);
    body.extend(0_i16.to_be_bytes());
    frame(b'F', &body)
}

/// Sync.
pub(crate) fn sync() -> Vec<u8> {
    frame(b'S', &[])
}

/// Flush.
pub(crate) fn flush() -> Vec<u8> {
    frame(b'H', &[])
}

/// CopyData.
pub(crate) fn copy_data(data: &[u8]) -> Vec<u8> {
    frame(b'd', data)
}

/// CopyData with a record of the binary format.
pub(crate) fn copy_tuple(values: &[Value]) -> Vec<u8> {
    let mut body = Vec::new();
    count(&mut body, values.len());
    for value in values {
        sized(&mut body, value);
    }
    frame(b'd', &body)
}

/// CopyDone.
pub(crate) fn copy_done() -> Vec<u8> {
    frame(b'c', &[])
}

/// CopyFail.
pub(crate) fn copy_fail(reason: &str) -> Vec<u8> {
    let mut body = Vec::new();
    string(&mut body, reason);
    frame(b'f', &body)
}
