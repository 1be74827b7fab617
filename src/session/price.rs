//! What ids cost by the bytes in which they stand: a message of a few kilobytes may hold thousands of
//! them, and how long one of them takes is its codec's to say.

/// What one of the costs of a turn is in nanoseconds.
const COST_NANOSECONDS: u64 = 1000;

/// How many nanoseconds it takes to find, to read and to write an id that is a value of its own.
pub(super) const VALUE_NANOSECONDS: u64 = 40;

/// So many bytes such a value has at least: its length, and a digit.
pub(super) const LEAST_VALUE_BYTES: u64 = 5;

/// How many nanoseconds it takes to find, to read and to write an id inside of a value, in an
/// array, a document or a row.
pub(super) const PART_NANOSECONDS: u64 = 300;

/// A digit and what parts it from the next.
pub(super) const LEAST_PART_BYTES: u64 = 2;

/// What ids cost at the most, by the bytes in which they stand: in nanoseconds for each.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Price(u64);

impl Price {
    /// Of values that are ids, whose codec takes so many nanoseconds.
    pub(super) const fn of_values(nanoseconds: u64) -> Self {
        Self((nanoseconds + VALUE_NANOSECONDS) / LEAST_VALUE_BYTES)
    }

    /// Of values in which ids stand.
    pub(super) const fn of_parts(nanoseconds: u64) -> Self {
        Self((nanoseconds + PART_NANOSECONDS) / LEAST_PART_BYTES)
    }

    /// Of values, for each, whose codec takes so many nanoseconds, beside what they cost without it.
    pub(super) const fn of_codec(nanoseconds: u64) -> Self {
        Self(nanoseconds)
    }

    /// Of literals in a text, whose bytes cost what a text does besides.
    pub(super) const fn of_literals(self) -> Self {
        Self(self.0.saturating_sub(PART_NANOSECONDS / LEAST_PART_BYTES))
    }

    /// What so many bytes cost.
    pub(super) fn of(self, bytes: usize) -> usize {
        let nanoseconds = self.0.saturating_mul(bytes as u64);
        usize::try_from(nanoseconds / COST_NANOSECONDS).unwrap_or(usize::MAX)
    }

    /// How many bytes can be had for so much; `None` if that is no matter.
    pub(super) fn affordable(self, cost: usize) -> Option<usize> {
        let bytes = (cost as u64 * COST_NANOSECONDS).checked_div(self.0)?;
        usize::try_from(bytes).ok()
    }
}
