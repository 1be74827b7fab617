//! A cursor over the body of one message. Every read is checked against the end of the message,
//! and [`Reader::finish`] refuses leftovers, so that no message can hide bytes from the proxy
//! that the server would read, or the other way round.

use super::WireError;

/// Reads the fields of one message in order.
#[derive(Debug, Clone, Copy)]
pub struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    /// Starts at the first byte of the body, that is behind the length word.
    #[must_use]
    pub const fn new(body: &'a [u8]) -> Self {
        Self { rest: body }
    }

    /// The bytes not read yet.
    #[must_use]
    pub const fn rest(&self) -> &'a [u8] {
        self.rest
    }

    /// The next `count` bytes.
    ///
    /// # Errors
    /// [`WireError::Truncated`] if the message is shorter.
    pub const fn bytes(&mut self, count: usize) -> Result<&'a [u8], WireError> {
        match self.rest.split_at_checked(count) {
            Some((taken, rest)) => {
                self.rest = rest;
                Ok(taken)
            }
            None => Err(WireError::Truncated),
        }
    }

    const fn array<const N: usize>(&mut self) -> Result<[u8; N], WireError> {
        match self.rest.split_first_chunk::<N>() {
            Some((taken, rest)) => {
                self.rest = rest;
                Ok(*taken)
            }
            None => Err(WireError::Truncated),
        }
    }

    /// One byte.
    ///
    /// # Errors
    /// [`WireError::Truncated`] if there is none.
    pub fn u8(&mut self) -> Result<u8, WireError> {
        self.array().map(u8::from_be_bytes)
    }

    /// An Int16.
    ///
    /// # Errors
    /// [`WireError::Truncated`] if there are too few bytes.
    pub fn i16(&mut self) -> Result<i16, WireError> {
        self.array().map(i16::from_be_bytes)
    }

    /// An Int16 that counts something. Postgres reads it as unsigned: 65,535 parameters are
    /// allowed.
    ///
    /// # Errors
    /// [`WireError::Truncated`] if there are too few bytes.
    pub fn count(&mut self) -> Result<usize, WireError> {
        self.array()
            .map(|bytes| usize::from(u16::from_be_bytes(bytes)))
    }

    /// An Int32.
    ///
    /// # Errors
    /// [`WireError::Truncated`] if there are too few bytes.
    pub fn i32(&mut self) -> Result<i32, WireError> {
        self.array().map(i32::from_be_bytes)
    }

    /// An Int64.
    ///
    /// # Errors
    /// [`WireError::Truncated`] if there are too few bytes.
    pub fn i64(&mut self) -> Result<i64, WireError> {
        self.array().map(i64::from_be_bytes)
    }

    /// An Int32 that is an oid.
    ///
    /// # Errors
    /// [`WireError::Truncated`] if there are too few bytes.
    pub fn u32(&mut self) -> Result<u32, WireError> {
        self.array().map(u32::from_be_bytes)
    }

    /// A string up to its zero byte, which is consumed and not part of the result.
    ///
    /// # Errors
    /// [`WireError::Unterminated`] if the message ends before it.
    pub fn string(&mut self) -> Result<&'a [u8], WireError> {
        let end = memchr::memchr(0, self.rest).ok_or(WireError::Unterminated)?;
        let string = self.bytes(end)?;
        self.bytes(1)?;
        Ok(string)
    }

    /// A value with its length in front; `None` for NULL (length -1).
    ///
    /// # Errors
    /// [`WireError::Truncated`] if there are too few bytes, [`WireError::Range`] if the length is
    /// negative and not -1.
    pub fn value(&mut self) -> Result<Option<&'a [u8]>, WireError> {
        let length = self.i32()?;
        if length == -1 {
            return Ok(None);
        }
        let length = usize::try_from(length).map_err(|_| WireError::Range)?;
        self.bytes(length).map(Some)
    }

    /// Ends the reading.
    ///
    /// # Errors
    /// [`WireError::Leftover`] if bytes are left.
    pub const fn finish(self) -> Result<(), WireError> {
        if self.rest.is_empty() {
            Ok(())
        } else {
            Err(WireError::Leftover)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_each_kind_of_field_and_refuses_leftovers() {
        let mut reader = Reader::new(b"\x07\x00\x02\xff\xff\xff\xffab\0\0\0\0\x01zq");
        assert_eq!(reader.u8(), Ok(7));
        assert_eq!(reader.count(), Ok(2));
        assert_eq!(reader.value(), Ok(None));
        assert_eq!(reader.string(), Ok(&b"ab"[..]));
        assert_eq!(reader.value(), Ok(Some(&b"z"[..])));
        assert_eq!(reader.finish(), Err(WireError::Leftover));
    }

    #[test]
    fn refuses_a_negative_length_and_a_missing_terminator() {
        assert_eq!(
            Reader::new(b"\xff\xff\xff\xfeab").value(),
            Err(WireError::Range)
        );
        assert_eq!(Reader::new(b"ab").string(), Err(WireError::Unterminated));
        assert_eq!(
            Reader::new(b"\0\0\0\x05ab").value(),
            Err(WireError::Truncated)
        );
    }
}
