//! Copies rows with some of their values replaced. What the values become is the caller's business.

use bytes::BytesMut;

use super::fatal::Fatal;
use crate::wire::{Reader, WireError, set_word};

/// A value to replace.
#[derive(Debug, Clone, Copy)]
pub(super) struct Slot {
    /// Where the frame of its row begins.
    pub(super) row: usize,
    /// The value with its length word.
    pub(super) start: usize,
    pub(super) end: usize,
    /// Its place among the fields of the shape.
    pub(super) field: usize,
}

/// The next frame's body.
pub(super) fn next_frame<'b>(frames: &mut Reader<'b>) -> Result<&'b [u8], WireError> {
    frames.u8()?;
    let length = usize::try_from(frames.u32()?).map_err(|_| WireError::Length)?;
    frames.bytes(length.checked_sub(4).ok_or(WireError::Length)?)
}

/// Calls `found` with each value of some fields, which are in the order of the columns, but for
/// NULLs.
///
/// # Errors
/// If a row lacks one of the columns, and those of `found`.
pub(super) fn for_each_value<'f, T>(
    frames: &'f [u8],
    fields: &'f [T],
    column: impl Fn(&T) -> usize,
    mut found: impl FnMut(Slot, &'f T, &'f [u8]) -> Result<(), Fatal>,
) -> Result<(), Fatal> {
    let mut rest = Reader::new(frames);
    let mut row = 0;
    while !rest.rest().is_empty() {
        let body = next_frame(&mut rest).map_err(Fatal::Server)?;
        let behind = frames.len() - rest.rest().len();
        let mut reader = Reader::new(body);
        let count = reader.count().map_err(Fatal::Server)?;
        let mut sought = fields.iter().enumerate().peekable();
        for index in 0..count {
            let start = behind - reader.rest().len();
            let value = reader.value().map_err(Fatal::Server)?;
            let Some((number, field)) = sought.next_if(|(_, field)| column(field) == index) else {
                continue;
            };
            if let Some(value) = value {
                let slot = Slot {
                    row,
                    start,
                    end: behind - reader.rest().len(),
                    field: number,
                };
                found(slot, field, value)?;
            }
        }
        if sought.next().is_some() {
            return Err(Fatal::Server(WireError::Range));
        }
        row = behind;
    }
    Ok(())
}

/// Copies rows with some values replaced, and corrects the lengths of the rows.
pub(super) struct Splice<'f> {
    frames: &'f [u8],
    /// So much of them is in the output, or replaced there.
    copied: usize,
    /// Where the row of the last replaced value begins, in the frames and in the output.
    row: Option<(usize, usize)>,
}

impl<'f> Splice<'f> {
    pub(super) const fn new(frames: &'f [u8]) -> Self {
        Self {
            frames,
            copied: 0,
            row: None,
        }
    }

    /// Copies what comes before a value.
    pub(super) fn copy_to(&mut self, slot: &Slot, out: &mut BytesMut) {
        if self.row.is_none_or(|(from, _)| from != slot.row) {
            self.end_row(out);
            let to = out.len() + (slot.row - self.copied);
            self.row = Some((slot.row, to));
        }
        let between = self.frames.get(self.copied..slot.start);
        out.extend_from_slice(between.unwrap_or_default());
        self.copied = slot.start;
    }

    /// Goes on behind a value.
    pub(super) const fn skip(&mut self, slot: &Slot) {
        self.copied = slot.end;
    }

    /// Sets the length of a row of which the last value has been replaced.
    fn end_row(&self, out: &mut BytesMut) {
        let Some((from, to)) = self.row else { return };
        let word = self.frames.get(from + 1..).and_then(<[u8]>::first_chunk);
        let length = word.map_or(0, |word| u32::from_be_bytes(*word));
        let length = usize::try_from(length).unwrap_or_default();
        // What has been written of it, and what is yet to come.
        set_word(out, to + 1, out.len() - to + length - (self.copied - from));
    }

    /// Copies what comes behind the last value.
    pub(super) fn finish(self, out: &mut BytesMut) {
        self.end_row(out);
        out.extend_from_slice(self.frames.get(self.copied..).unwrap_or_default());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows of one value each, as frames.
    fn rows(values: &[&str]) -> Vec<u8> {
        let mut frames = Vec::new();
        for value in values {
            let length = u32::try_from(value.len()).unwrap();
            frames.push(b'D');
            frames.extend((length + 10).to_be_bytes());
            frames.extend([0, 1]);
            frames.extend(length.to_be_bytes());
            frames.extend(value.bytes());
        }
        frames
    }

    #[test]
    fn corrects_the_length_of_rows_that_grow_shrink_and_stay() {
        let frames = rows(&["aa", "keep", "bbbb", "c", "keep"]);
        let mut out = BytesMut::from("before");
        let mut splice = Splice::new(&frames);
        let mut row = 0;
        for (old, new) in [("aa", "AAAA"), ("keep", "keep"), ("bbbb", ""), ("c", "C")] {
            let end = row + 11 + old.len();
            let slot = Slot {
                row,
                start: row + 7,
                end,
                field: 0,
            };
            if old != "keep" {
                splice.copy_to(&slot, &mut out);
                crate::wire::sized(&mut out, |out| out.extend_from_slice(new.as_bytes()));
                splice.skip(&slot);
            }
            row = end;
        }
        splice.finish(&mut out);
        let expected = rows(&["AAAA", "keep", "", "C", "keep"]);
        assert_eq!(out, [b"before", &expected[..]].concat());
    }
}
