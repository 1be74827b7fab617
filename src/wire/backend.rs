//! The messages of the server that the proxy inspects. Reports (errors and notices) are in
//! [`super::report`].

use bytes::{BufMut, BytesMut};

use super::frontend::{put_count, put_string};
use super::{Reader, WireError, message};

/// The state of the session's transaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TransactionStatus {
    /// None is open.
    #[default]
    Idle,
    /// One is open.
    Open,
    /// One has failed and waits for its end.
    Failed,
}

impl TransactionStatus {
    /// Decodes the body of a ReadyForQuery.
    ///
    /// # Errors
    /// If it is not one known byte.
    pub const fn decode(body: &[u8]) -> Result<Self, WireError> {
        match body {
            b"I" => Ok(Self::Idle),
            b"T" => Ok(Self::Open),
            b"E" => Ok(Self::Failed),
            [_] => Err(WireError::Range),
            [] => Err(WireError::Truncated),
            _ => Err(WireError::Leftover),
        }
    }

    /// Appends a ReadyForQuery.
    pub fn encode(self, out: &mut BytesMut) {
        message(out, b'Z', |out| {
            out.put_u8(match self {
                Self::Idle => b'I',
                Self::Open => b'T',
                Self::Failed => b'E',
            });
        });
    }
}

/// A column as RowDescription tells it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Field<'a> {
    /// The name.
    pub name: &'a [u8],
    /// The table that it comes from, or 0.
    pub table: u32,
    /// The attribute number in the table, or 0.
    pub attnum: i16,
    /// The type.
    pub type_oid: u32,
    /// `pg_type.typlen`
    pub type_size: i16,
    /// The modifier, or -1.
    pub type_modifier: i32,
    /// The format code.
    pub format: i16,
}

/// Decodes the body of a RowDescription.
///
/// # Errors
/// If the fields don't fill it.
pub fn row_description(body: &[u8]) -> Result<Vec<Field<'_>>, WireError> {
    let mut reader = Reader::new(body);
    let count = reader.count()?;
    let mut fields = Vec::with_capacity(count.min(body.len() / 19));
    for _ in 0..count {
        fields.push(Field {
            name: reader.string()?,
            table: reader.u32()?,
            attnum: reader.i16()?,
            type_oid: reader.u32()?,
            type_size: reader.i16()?,
            type_modifier: reader.i32()?,
            format: reader.i16()?,
        });
    }
    reader.finish()?;
    Ok(fields)
}

/// Appends a RowDescription.
pub fn put_row_description(fields: &[Field<'_>], out: &mut BytesMut) {
    message(out, b'T', |out| {
        put_count(out, fields.len());
        for field in fields {
            put_string(out, field.name);
            out.put_u32(field.table);
            out.put_i16(field.attnum);
            out.put_u32(field.type_oid);
            out.put_i16(field.type_size);
            out.put_i32(field.type_modifier);
            out.put_i16(field.format);
        }
    });
}

/// Decodes the body of a ParameterDescription.
///
/// # Errors
/// If the fields don't fill it.
pub fn parameter_description(body: &[u8]) -> Result<Vec<u32>, WireError> {
    let mut reader = Reader::new(body);
    let count = reader.count()?;
    let mut oids = Vec::with_capacity(count.min(body.len() / 4));
    for _ in 0..count {
        oids.push(reader.u32()?);
    }
    reader.finish()?;
    Ok(oids)
}

/// Appends a ParameterDescription.
pub fn put_parameter_description(oids: impl ExactSizeIterator<Item = u32>, out: &mut BytesMut) {
    message(out, b't', |out| {
        put_count(out, oids.len());
        for oid in oids {
            out.put_u32(oid);
        }
    });
}

/// Decodes the body of a ParameterStatus: name and value.
///
/// # Errors
/// If the fields don't fill it.
pub fn parameter_status(body: &[u8]) -> Result<(&[u8], &[u8]), WireError> {
    let mut reader = Reader::new(body);
    let status = (reader.string()?, reader.string()?);
    reader.finish()?;
    Ok(status)
}

/// A NotificationResponse.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Notification<'a> {
    /// The process that has sent it.
    pub process: i32,
    /// The channel.
    pub channel: &'a [u8],
    /// What; empty for nothing.
    pub payload: &'a [u8],
}

impl<'a> Notification<'a> {
    /// Decodes the body of the message.
    ///
    /// # Errors
    /// If the fields don't fill it.
    pub fn decode(body: &'a [u8]) -> Result<Self, WireError> {
        let mut reader = Reader::new(body);
        let notification = Self {
            process: reader.i32()?,
            channel: reader.string()?,
            payload: reader.string()?,
        };
        reader.finish()?;
        Ok(notification)
    }

    /// Appends the message.
    pub fn encode(&self, out: &mut BytesMut) {
        message(out, b'A', |out| {
            out.put_i32(self.process);
            put_string(out, self.channel);
            put_string(out, self.payload);
        });
    }
}

/// Decodes the body of a DataRow; `None` for NULL.
///
/// # Errors
/// If the fields don't fill it.
pub fn data_row(body: &[u8]) -> Result<Vec<Option<&[u8]>>, WireError> {
    let mut reader = Reader::new(body);
    let count = reader.count()?;
    let mut values = Vec::with_capacity(count.min(body.len() / 4));
    for _ in 0..count {
        values.push(reader.value()?);
    }
    reader.finish()?;
    Ok(values)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_a_row_description_and_writes_it_back() {
        let field = Field {
            name: b"id",
            table: 16_384,
            attnum: 1,
            type_oid: 20,
            type_size: 8,
            type_modifier: -1,
            format: 1,
        };
        let fields = [field, Field { name: b"", ..field }];
        let mut out = BytesMut::new();
        put_row_description(&fields, &mut out);
        assert_eq!(row_description(&out[5..]).unwrap(), fields);
        for length in 0..out.len() - 5 {
            assert!(row_description(&out[5..5 + length]).is_err());
        }
        out.put_u8(0);
        assert_eq!(row_description(&out[5..]), Err(WireError::Leftover));
    }

    #[test]
    fn reads_a_parameter_description_and_writes_it_back() {
        let mut out = BytesMut::new();
        put_parameter_description([20, 2950].into_iter(), &mut out);
        assert_eq!(parameter_description(&out[5..]).unwrap(), [20, 2950]);
        for length in 0..out.len() - 5 {
            assert!(parameter_description(&out[5..5 + length]).is_err());
        }
    }

    #[test]
    fn knows_the_three_states_of_a_transaction() {
        for status in [
            TransactionStatus::Idle,
            TransactionStatus::Open,
            TransactionStatus::Failed,
        ] {
            let mut out = BytesMut::new();
            status.encode(&mut out);
            assert_eq!(TransactionStatus::decode(&out[5..]), Ok(status));
        }
        assert!(TransactionStatus::decode(b"X").is_err());
    }

    proptest::proptest! {
        #[test]
        fn never_panics_on_any_bytes(body: Vec<u8>) {
            let _ = row_description(&body);
            let _ = parameter_description(&body);
            let _ = parameter_status(&body);
            let _ = data_row(&body);
            let _ = Notification::decode(&body);
        }
    }
}
