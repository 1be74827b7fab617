//! The permutation written out, in both directions: for small domains.

use std::cell::Cell;

use zeroize::Zeroizing;

use super::MAX_DEPTH;
use super::stream::Stream;

/// Two tables of 4 bytes for each number. They are read at addresses that depend on keys, and
/// wiped when dropped.
pub(super) struct Tables {
    forward: Zeroizing<Vec<u32>>,
    backward: Zeroizing<Vec<u32>>,
}

impl Tables {
    /// Partitions 0 to n-1 by the bits of the stream, level by level, until every part is one
    /// number: what the permutation is by definition.
    pub(super) fn build(stream: &Stream, n: u32) -> Self {
        // `backward` holds at each place the number that ends up there.
        let mut backward = Zeroizing::new((0..n).collect::<Vec<u32>>());
        let mut scratch = Zeroizing::new(Vec::with_capacity(backward.len()));
        let mut bits = Zeroizing::new(Vec::new());
        let mut parts = Zeroizing::new(vec![(0, backward.len())]);
        for level in 0..MAX_DEPTH {
            parts.retain(|(_, length)| *length > 1);
            if parts.is_empty() {
                break;
            }
            let start = u64::from(level) * u64::from(n);
            bits.clear();
            stream.words(start, start + u64::from(n), &mut bits);
            let bit = |place: usize| {
                let place = usize::try_from(start % 128).unwrap_or_default() + place;
                bits.get(place / 128)
                    .is_some_and(|word| word >> (place % 128) & 1 == 1)
            };
            let mut next = Zeroizing::new(Vec::with_capacity(2 * parts.len()));
            for &(start, length) in &*parts {
                let zeros = partition(&mut backward, start, length, bit, &mut scratch);
                next.push((start, zeros));
                next.push((start + zeros, length - zeros));
            }
            parts = next;
        }
        let mut forward = Zeroizing::new(vec![0; backward.len()]);
        for (place, number) in (0..).zip(backward.iter()) {
            if let Some(slot) = usize::try_from(*number)
                .ok()
                .and_then(|n| forward.get_mut(n))
            {
                *slot = place;
            }
        }
        Self { forward, backward }
    }

    #[inline]
    pub(super) fn permute(&self, x: u64) -> Option<u64> {
        look_up(&self.forward, x)
    }

    #[inline]
    pub(super) fn unpermute(&self, y: u64) -> Option<u64> {
        look_up(&self.backward, y)
    }
}

/// Moves the numbers whose bit is zero before the others, both in their order, and says how many
/// there are.
fn partition(
    numbers: &mut [u32],
    start: usize,
    length: usize,
    bit: impl Fn(usize) -> bool,
    scratch: &mut Vec<u32>,
) -> usize {
    let Some(part) = numbers.get_mut(start..start + length) else {
        return 0;
    };
    scratch.clear();
    let cells = Cell::from_mut(part).as_slice_of_cells();
    let mut places = cells.iter();
    for (place, cell) in (start..).zip(cells) {
        if bit(place) {
            scratch.push(cell.get());
        } else if let Some(next) = places.next() {
            next.set(cell.get());
        }
    }
    for (next, number) in places.zip(scratch.iter()) {
        next.set(*number);
    }
    length - scratch.len()
}

fn look_up(table: &[u32], index: u64) -> Option<u64> {
    let index = usize::try_from(index).ok()?;
    table.get(index).copied().map(u64::from)
}
