//! What becomes of a text that is edited, and where places of it are found again in what the
//! client has written.

use std::ops::Range;
use std::sync::Arc;

use super::ids::Sentinels;
use crate::sql::Refusal;

/// A refusal on its way to the client.
#[derive(Debug)]
pub(super) struct Refused {
    pub(super) refusal: Refusal,
    /// The place in the client's text, in characters from 1.
    pub(super) position: Option<usize>,
}

impl Refused {
    /// Whether it tells of a cancellation, or of a timeout, that has hit a question of pgveil's in
    /// front of the statement.
    pub(super) fn is_cancellation(&self) -> bool {
        matches!(self.refusal.sqlstate, "57014" | "55P03")
    }
}

/// What the server gets in place of a text.
#[derive(Debug, Default)]
pub(super) struct Edited {
    /// The new text; `None` if it is the client's.
    pub(super) text: Option<Vec<u8>>,
    /// What is refused, by the number of the statement in the text.
    pub(super) refused: Vec<(usize, Arc<Refused>)>,
    /// Where the two texts differ.
    pub(super) shifts: PositionMap,
    /// The ids in literals that stand for no key.
    pub(super) sentinels: Sentinels,
}

/// One replaced place, in characters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Shift {
    pub(super) original: Range<usize>,
    pub(super) edited: Range<usize>,
}

/// Maps places of an edited text to places of the original.
#[derive(Debug, Clone, Default)]
pub(super) struct PositionMap(Box<[Shift]>);

impl PositionMap {
    /// Takes the replaced places, ascending.
    pub(super) fn new(shifts: Vec<Shift>) -> Self {
        Self(shifts.into())
    }

    /// What it takes in memory.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(&*self.0)
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The place in the original of a character (from 1) of the edited text.
    pub(super) fn original(&self, position: usize) -> usize {
        let edited = position.saturating_sub(1);
        let mut place = edited;
        for shift in &self.0 {
            if edited < shift.edited.start {
                break;
            }
            place = if edited < shift.edited.end {
                shift.original.start
            } else {
                shift.original.end + (edited - shift.edited.end)
            };
        }
        place + 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_places_of_an_edited_text_again() {
        // "ab<cd>ef" became "ab<xyz>ef<!>".
        let shifts = PositionMap(Box::new([
            Shift {
                original: 2..4,
                edited: 2..5,
            },
            Shift {
                original: 6..6,
                edited: 7..8,
            },
        ]));
        let places = [1, 2, 3, 4, 5, 6, 7, 8, 9].map(|place| shifts.original(place));
        assert_eq!(places, [1, 2, 3, 3, 3, 5, 6, 7, 7]);
        assert_eq!(PositionMap::default().original(5), 5);
    }
}
