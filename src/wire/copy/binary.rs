//! Finds fields in the binary format: a header, then records of a field count and fields with
//! their lengths in front, then a count of -1.

use super::{Column, Fault, Field, Malformed};

const SIGNATURE: &[u8; 11] = b"PGCOPY\n\xff\r\n\0";

/// "Bit 16: If 1, OIDs are included in the data; if 0, not. Oid system columns are not supported
/// in PostgreSQL anymore." Bits 16–31 are critical.
const OIDS: i32 = 1 << 16;
const CRITICAL: u32 = 0xffff_0000;

/// What comes next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum State {
    /// The header.
    #[default]
    Header,
    /// A field count.
    Count,
    /// A field, so many of the record being left.
    Fields(usize),
    /// So many bytes that are not looked at, then [`State::Fields`] or [`State::Count`].
    Skip { bytes: usize, then: usize },
    /// Nothing: behind the trailer. The server judges what follows.
    Ended,
}

#[derive(Debug, Default, Clone)]
pub(super) struct BinaryScanner {
    state: State,
    /// How many records have begun.
    line: u64,
    /// The next column that is looked for, by its place in the list.
    next: usize,
}

impl BinaryScanner {
    pub(super) const fn line(&self) -> u64 {
        self.line
    }

    pub(super) fn scan(
        &mut self,
        count: usize,
        columns: &[Column],
        data: &[u8],
        fields: &mut Vec<Field>,
    ) -> Result<usize, Malformed> {
        let mut at = 0;
        loop {
            let rest = data.get(at..).unwrap_or_default();
            let step = match self.state {
                State::Header => self.header(rest)?,
                State::Count => self.count(count, rest)?,
                State::Fields(0) => {
                    self.state = State::Count;
                    Some(0)
                }
                State::Fields(left) => self.field(count, left, columns, rest, at, fields)?,
                State::Skip { bytes, then } => {
                    let here = bytes.min(rest.len());
                    self.state = match bytes - here {
                        0 => State::Fields(then),
                        bytes => State::Skip { bytes, then },
                    };
                    if here < bytes {
                        return Ok(at + here);
                    }
                    Some(here)
                }
                State::Ended => return Ok(data.len()),
            };
            match step {
                Some(bytes) => at += bytes,
                None => return Ok(at),
            }
        }
    }

    fn malformed(&self, fault: Fault) -> Malformed {
        Malformed {
            fault,
            line: self.line,
        }
    }

    /// Returns the bytes of the header, of which the extension may be skipped.
    fn header(&mut self, rest: &[u8]) -> Result<Option<usize>, Malformed> {
        let Some((signature, behind)) = rest.split_first_chunk::<11>() else {
            return Ok(None);
        };
        if signature != SIGNATURE {
            return Err(self.malformed(Fault::Signature));
        }
        let Some((flags, behind)) = behind.split_first_chunk::<4>() else {
            return Ok(None);
        };
        if i32::from_be_bytes(*flags) & OIDS != 0 {
            return Err(self.malformed(Fault::Oids));
        }
        if u32::from_be_bytes(*flags) & CRITICAL != 0 {
            return Err(self.malformed(Fault::Flags));
        }
        let Some(length) = behind.first_chunk::<4>() else {
            return Ok(None);
        };
        let bytes = usize::try_from(i32::from_be_bytes(*length));
        let bytes = bytes.map_err(|_| self.malformed(Fault::HeaderLength))?;
        self.state = State::Skip { bytes, then: 0 };
        Ok(Some(SIGNATURE.len() + 8))
    }

    fn count(&mut self, expected: usize, rest: &[u8]) -> Result<Option<usize>, Malformed> {
        let Some(word) = rest.first_chunk::<2>() else {
            return Ok(None);
        };
        self.line += 1;
        self.next = 0;
        let found = i16::from_be_bytes(*word);
        if found == -1 {
            self.state = State::Ended;
        } else if usize::try_from(found) == Ok(expected) {
            self.state = State::Fields(expected);
        } else {
            return Err(self.malformed(Fault::FieldCount { found, expected }));
        }
        Ok(Some(2))
    }

    /// Returns the bytes of the field, or of its length if it is not looked for; `None` if they
    /// are not all there.
    fn field(
        &mut self,
        count: usize,
        left: usize,
        columns: &[Column],
        rest: &[u8],
        at: usize,
        fields: &mut Vec<Field>,
    ) -> Result<Option<usize>, Malformed> {
        let Some(word) = rest.first_chunk::<4>() else {
            return Ok(None);
        };
        let length = match i32::from_be_bytes(*word) {
            -1 => 0,
            length => usize::try_from(length).map_err(|_| self.malformed(Fault::FieldSize))?,
        };
        let column = columns.get(self.next);
        let Some(column) = column.filter(|column| column.index + left == count) else {
            self.state = State::Skip {
                bytes: length,
                then: left - 1,
            };
            return Ok(Some(4));
        };
        if length > column.limit_bytes {
            return Err(self.malformed(Fault::TooLong(column.limit_bytes)));
        }
        if rest.len() < 4 + length {
            return Ok(None);
        }
        fields.push(Field {
            range: at..at + 4 + length,
            column: self.next,
            uuid: None,
            line: self.line,
        });
        self.next += 1;
        self.state = State::Fields(left - 1);
        Ok(Some(4 + length))
    }

    pub(super) fn finish(&self, data: &[u8]) -> Result<(), Malformed> {
        if data.is_empty() {
            Ok(())
        } else {
            Err(self.malformed(Fault::End))
        }
    }
}
