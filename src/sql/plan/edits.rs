//! The changes to the text of a statement, as a list that can be carried out.

use std::ops::{Deref, Range};

use super::Edit;
use crate::splice::{Misplaced, Splice};

/// The changes to a text: each at its place, none across another, in ascending order.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Edits(Vec<Edit>);

/// Two changes want the same bytes, or stand in another order than their places, or one ends before
/// it begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("internal error: two changes to a statement overlap")]
pub struct Overlap;

impl Edits {
    /// Takes the changes as they stand.
    ///
    /// # Errors
    /// If they overlap or are in disorder.
    pub fn new(edits: Vec<Edit>) -> Result<Self, Overlap> {
        let mut end = 0;
        for Edit { span, .. } in &edits {
            if span.start < end || span.end < span.start {
                return Err(Overlap);
            }
            end = span.end;
        }
        Ok(Self(edits))
    }

    /// Takes the changes out, to make other ones of them.
    #[must_use]
    pub fn into_vec(self) -> Vec<Edit> {
        self.0
    }

    /// The part of a text at `range` with `with` in the place of each changed part.
    ///
    /// # Errors
    /// If a change lies outside of that part of the text.
    pub fn rewrite(
        &self,
        text: &str,
        range: Range<usize>,
        mut with: impl FnMut(&Edit) -> String,
    ) -> Result<String, Misplaced> {
        let mut out = String::new();
        let mut splice = Splice::from(text, range.start);
        for edit in &self.0 {
            splice.replace(edit.span.clone(), &mut out)?;
            out.push_str(&with(edit));
        }
        splice.finish_at(range.end, &mut out)?;
        Ok(out)
    }

    pub(super) fn shrink_to_fit(&mut self) {
        self.0.shrink_to_fit();
    }
}

impl Deref for Edits {
    type Target = [Edit];

    fn deref(&self) -> &[Edit] {
        &self.0
    }
}

impl<'e> IntoIterator for &'e Edits {
    type Item = &'e Edit;
    type IntoIter = std::slice::Iter<'e, Edit>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::super::Replacement;
    use super::*;

    fn edits(spans: &[(usize, usize)]) -> Result<Edits, Overlap> {
        let edit = |(start, end): &(usize, usize)| Edit {
            span: *start..*end,
            with: Replacement::Text("!".to_owned()),
        };
        Edits::new(spans.iter().map(edit).collect())
    }

    #[test]
    fn refuses_what_overlaps_and_what_is_in_disorder() {
        // Several insertions may stand at one place, also at an end of what is replaced.
        for spans in [&[][..], &[(1, 1), (1, 1), (1, 3), (3, 3), (3, 4)]] {
            let edits = edits(spans).unwrap();
            assert_eq!(edits.len(), spans.len());
        }
        let wrong: [&[(usize, usize)]; 5] = [
            &[(1, 3), (2, 4)],
            &[(1, 3), (2, 2)],
            &[(1, 3), (1, 3)],
            &[(3, 4), (1, 2)],
            &[(2, 1)],
        ];
        for spans in wrong {
            assert_eq!(edits(spans), Err(Overlap), "{spans:?}");
        }
    }

    #[test]
    fn rewrites_no_text_that_is_shorter_than_its_edits() {
        let edits = edits(&[(2, 3), (5, 5)]).unwrap();
        let rewrite = |range| edits.rewrite("abcde", range, |_| "!".to_owned());
        assert_eq!(rewrite(1..5).unwrap(), "b!de!");
        assert_eq!(rewrite(1..4), Err(Misplaced));
        assert_eq!(rewrite(3..5), Err(Misplaced));
        assert_eq!(rewrite(0..6), Err(Misplaced));
    }
}
