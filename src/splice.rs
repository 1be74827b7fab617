//! Copies a text with some of its places replaced: the only loop that does so, for statements,
//! documents, rows and the data of COPY. A place that is wrong is a fault of the caller's, and
//! never text that is dropped or sent twice.

use std::ops::Range;

use bytes::BytesMut;

/// A place lies outside of the text, or begins before the end of the place in front of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("internal error: a place to replace lies outside of its text or overlaps another")]
pub struct Misplaced;

/// What can be cut: bytes anywhere, and characters between them.
pub(crate) trait Text {
    /// The part at a place; `None` if there is no such place.
    fn part(&self, place: Range<usize>) -> Option<&Self>;
    /// The number of bytes.
    fn bytes(&self) -> usize;
}

impl Text for [u8] {
    #[inline]
    fn part(&self, place: Range<usize>) -> Option<&Self> {
        self.get(place)
    }

    #[inline]
    fn bytes(&self) -> usize {
        self.len()
    }
}

impl Text for str {
    fn part(&self, place: Range<usize>) -> Option<&Self> {
        self.get(place)
    }

    fn bytes(&self) -> usize {
        self.len()
    }
}

/// Gives the part of a text at a place.
///
/// # Errors
/// If the text has no such place.
pub(crate) fn part<T: Text + ?Sized>(text: &T, place: Range<usize>) -> Result<&T, Misplaced> {
    text.part(place).ok_or(Misplaced)
}

/// What a text is copied to.
pub(crate) trait Sink<T: ?Sized> {
    /// Appends a part.
    fn append(&mut self, part: &T);
}

impl Sink<[u8]> for BytesMut {
    #[inline]
    fn append(&mut self, part: &[u8]) {
        self.extend_from_slice(part);
    }
}

impl Sink<[u8]> for Vec<u8> {
    fn append(&mut self, part: &[u8]) {
        self.extend_from_slice(part);
    }
}

impl Sink<str> for String {
    fn append(&mut self, part: &str) {
        self.push_str(part);
    }
}

/// What one step has passed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Passed<'t, T: ?Sized> {
    /// What has been copied: the text between the place before and this one.
    pub(crate) copied: &'t T,
    /// What has not: the text at the place.
    pub(crate) replaced: &'t T,
}

/// A copy under way, from the first place to the last. What takes the place of each, the caller
/// appends.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Splice<'t, T: ?Sized> {
    text: &'t T,
    /// The end of what has been passed.
    behind: usize,
}

impl<'t, T: Text + ?Sized> Splice<'t, T> {
    /// Begins with a text.
    #[inline]
    pub(crate) const fn new(text: &'t T) -> Self {
        Self::from(text, 0)
    }

    /// Begins in the middle of a text.
    #[inline]
    pub(crate) const fn from(text: &'t T, start: usize) -> Self {
        Self {
            text,
            behind: start,
        }
    }

    /// The end of what has been passed.
    #[inline]
    pub(crate) const fn behind(&self) -> usize {
        self.behind
    }

    /// What has not been passed yet; `None` if the copy began behind the end.
    #[inline]
    pub(crate) fn rest(&self) -> Option<&'t T> {
        self.text.part(self.behind..self.text.bytes())
    }

    /// Copies what stands before a place, and goes on behind it.
    ///
    /// # Errors
    /// If the place is not in what is left of the text. Nothing has been copied then.
    #[inline]
    pub(crate) fn replace(
        &mut self,
        place: Range<usize>,
        out: &mut impl Sink<T>,
    ) -> Result<Passed<'t, T>, Misplaced> {
        let end = place.end;
        let copied = self.text.part(self.behind..place.start).ok_or(Misplaced)?;
        let replaced = self.text.part(place).ok_or(Misplaced)?;
        out.append(copied);
        self.behind = end;
        Ok(Passed { copied, replaced })
    }

    /// Copies what is left, up to here.
    ///
    /// # Errors
    /// If that is not in what is left of the text.
    pub(crate) fn finish_at(self, end: usize, out: &mut impl Sink<T>) -> Result<(), Misplaced> {
        out.append(self.text.part(self.behind..end).ok_or(Misplaced)?);
        Ok(())
    }

    /// Copies all that is left.
    ///
    /// # Errors
    /// As [`Self::finish_at`].
    pub(crate) fn finish(self, out: &mut impl Sink<T>) -> Result<(), Misplaced> {
        let end = self.text.bytes();
        self.finish_at(end, out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The text with these places replaced by `!`.
    fn marked(text: &str, places: &[Range<usize>]) -> Result<String, Misplaced> {
        let mut out = String::new();
        let mut splice = Splice::new(text);
        for place in places {
            splice.replace(place.clone(), &mut out)?;
            out.push('!');
        }
        splice.finish(&mut out)?;
        Ok(out)
    }

    #[test]
    fn replaces_places_that_are_in_order_and_refuses_all_others() {
        let marks = |places: &[(usize, usize)]| {
            let places: Vec<_> = places.iter().map(|(start, end)| *start..*end).collect();
            marked("abcö", &places)
        };
        assert_eq!(marks(&[]).unwrap(), "abcö");
        assert_eq!(marks(&[(0, 1), (1, 1), (2, 3)]).unwrap(), "!!b!ö");
        assert_eq!(marks(&[(5, 5)]).unwrap(), "abcö!");
        let wrong: [&[(usize, usize)]; 7] = [
            &[(0, 2), (1, 3)],
            &[(2, 3), (0, 1)],
            &[(0, 2), (1, 1)],
            &[(2, 1)],
            &[(4, 5)],
            &[(3, 6)],
            &[(6, 6)],
        ];
        for places in wrong {
            assert_eq!(marks(places), Err(Misplaced), "{places:?}");
        }
    }

    proptest! {
        #[test]
        fn no_byte_outside_of_the_places_is_lost_or_sent_twice(
            text in "[a-dö]{0,12}",
            places in prop::collection::vec((0_usize..16, 0_usize..16), 0..4),
        ) {
            let places: Vec<_> = places.iter().map(|(start, end)| *start..*end).collect();
            let mut end = 0;
            let suits = places.iter().all(|place| {
                let suits = end <= place.start && text.get(place.clone()).is_some();
                end = place.end;
                suits
            });
            let result = marked(&text, &places);
            prop_assert_eq!(result.is_ok(), suits);
            if let Ok(marked) = result {
                let mut kept = text.clone();
                for place in places.iter().rev() {
                    kept.replace_range(place.clone(), "!");
                }
                prop_assert_eq!(marked, kept);
            }
        }
    }
}
