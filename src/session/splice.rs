//! Copies rows with some of their values replaced. What the values become is the caller's business.

use bytes::BytesMut;

use super::fatal::Fatal;
use crate::splice::{Misplaced, Splice};
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

/// Calls `each` with every frame of a run by itself, header and all.
///
/// # Errors
/// Those of `each`.
pub(super) fn one_by_one(
    frames: &[u8],
    mut each: impl FnMut(&[u8]) -> Result<(), Fatal>,
) -> Result<(), Fatal> {
    let (mut reader, mut rest) = (Reader::new(frames), frames);
    while !rest.is_empty() {
        next_frame(&mut reader).map_err(Fatal::Server)?;
        let (frame, behind) = rest.split_at(rest.len() - reader.rest().len());
        each(frame)?;
        rest = behind;
    }
    Ok(())
}

/// Copies rows with some values replaced, and corrects the lengths of the rows.
pub(super) struct RowSplice<'f> {
    frames: Splice<'f, [u8]>,
    /// That of the last replaced value.
    row: Option<Row>,
}

/// A row under way.
#[derive(Clone, Copy)]
struct Row {
    /// Where it begins in the frames, and where in the output.
    from: usize,
    to: usize,
    /// The length that it came with.
    length: usize,
}

impl<'f> RowSplice<'f> {
    pub(super) const fn new(frames: &'f [u8]) -> Self {
        Self {
            frames: Splice::new(frames),
            row: None,
        }
    }

    /// Copies what comes before a value with its length word, and goes on behind it. The value is
    /// the result.
    ///
    /// # Errors
    /// If there is no such value behind the last one.
    #[inline]
    pub(super) fn replace(
        &mut self,
        slot: &Slot,
        out: &mut BytesMut,
    ) -> Result<&'f [u8], Misplaced> {
        let replaced = self.replace_bare(slot, out)?;
        let (_, value) = replaced.split_at_checked(4).ok_or(Misplaced)?;
        Ok(value)
    }

    /// Copies what comes before a value that has no length word, and goes on behind it: all of the
    /// place is the result.
    ///
    /// # Errors
    /// As [`Self::replace`].
    #[inline]
    pub(super) fn replace_bare(
        &mut self,
        slot: &Slot,
        out: &mut BytesMut,
    ) -> Result<&'f [u8], Misplaced> {
        if self.row.as_ref().is_none_or(|row| row.from != slot.row) {
            self.begin_row(slot.row, out)?;
        }
        Ok(self.frames.replace(slot.start..slot.end, out)?.replaced)
    }

    fn begin_row(&mut self, from: usize, out: &mut BytesMut) -> Result<(), Misplaced> {
        self.end_row(out);
        // So that the row begins where the output ends.
        self.frames.replace(from..from, out)?;
        let head = self.frames.rest().and_then(<[u8]>::first_chunk);
        let [_, length @ ..]: [u8; 5] = *head.ok_or(Misplaced)?;
        let length = u32::from_be_bytes(length);
        self.row = Some(Row {
            from,
            to: out.len(),
            length: usize::try_from(length).map_err(|_| Misplaced)?,
        });
        Ok(())
    }

    /// Sets the length of a row of which the last value has been replaced.
    fn end_row(&self, out: &mut BytesMut) {
        let Some(Row { from, to, length }) = self.row else {
            return;
        };
        // What has been written of it, and what is yet to come.
        let passed = self.frames.behind() - from;
        set_word(out, to + 1, out.len() - to + length - passed);
    }

    /// Copies what comes behind the last value.
    ///
    /// # Errors
    /// If the last value lies outside of the rows.
    pub(super) fn finish(self, out: &mut BytesMut) -> Result<(), Misplaced> {
        self.end_row(out);
        self.frames.finish(out)
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
        let mut splice = RowSplice::new(&frames);
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
                let value = splice.replace(&slot, &mut out).unwrap();
                assert_eq!(value, old.as_bytes());
                crate::wire::sized(&mut out, |out| out.extend_from_slice(new.as_bytes()));
            }
            row = end;
        }
        splice.finish(&mut out).unwrap();
        let expected = rows(&["AAAA", "keep", "", "C", "keep"]);
        assert_eq!(out, [b"before", &expected[..]].concat());
    }
}
