//! Things in a line that grows at both ends: each keeps its place when others come before it, so
//! that who has noted where something is finds it again.

use std::collections::VecDeque;
use std::ops::Range;

#[derive(Debug, Clone)]
pub(super) struct Line<T> {
    items: VecDeque<T>,
    /// The place of the first.
    first: i64,
}

impl<T> Default for Line<T> {
    fn default() -> Self {
        Self::from(Vec::new())
    }
}

impl<T> From<Vec<T>> for Line<T> {
    fn from(items: Vec<T>) -> Self {
        let items = VecDeque::from(items);
        Self { items, first: 0 }
    }
}

impl<T> Extend<T> for Line<T> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, items: I) {
        self.items.extend(items);
    }
}

impl<T> IntoIterator for Line<T> {
    type Item = T;
    type IntoIter = std::collections::vec_deque::IntoIter<T>;

    fn into_iter(self) -> Self::IntoIter {
        self.items.into_iter()
    }
}

const fn signed(index: usize) -> i64 {
    index.cast_signed() as i64
}

impl<T> Line<T> {
    pub(super) fn len(&self) -> usize {
        self.items.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    pub(super) fn push(&mut self, item: T) {
        self.items.push_back(item);
    }

    pub(super) fn iter(&self) -> std::collections::vec_deque::Iter<'_, T> {
        self.items.iter()
    }

    pub(super) fn iter_mut(&mut self) -> std::collections::vec_deque::IterMut<'_, T> {
        self.items.iter_mut()
    }

    /// The place of the one at an index.
    pub(super) const fn place(&self, index: usize) -> i64 {
        self.first + signed(index)
    }

    /// The places of all.
    pub(super) fn places(&self) -> Range<i64> {
        self.first..self.place(self.items.len())
    }

    pub(super) fn get(&self, place: i64) -> Option<&T> {
        let index = usize::try_from(place - self.first).ok()?;
        self.items.get(index)
    }

    pub(super) fn get_mut(&mut self, place: i64) -> Option<&mut T> {
        let index = usize::try_from(place - self.first).ok()?;
        self.items.get_mut(index)
    }

    /// What stands before some places and behind them, with where it is.
    pub(super) fn unseen(
        &self,
        seen: &Range<i64>,
    ) -> [impl DoubleEndedIterator<Item = (i64, &T)>; 2] {
        let index = |place: i64| usize::try_from(place - self.first).unwrap_or(0);
        let (start, end) = match seen.is_empty() {
            true => (0, 0),
            false => (index(seen.start), index(seen.end)),
        };
        let items = move |range: Range<usize>| {
            let places = range.clone().map(|index| self.place(index));
            places.zip(self.items.range(range))
        };
        [items(0..start), items(end.min(self.len())..self.len())]
    }

    /// Puts another line behind this one. What stays where it is is the other one, if it is to.
    pub(super) fn join(&mut self, other: Self, other_stays: bool) {
        if !other_stays {
            self.items.extend(other.items);
            return;
        }
        let before = std::mem::replace(self, other);
        self.first -= signed(before.len());
        for item in before.items.into_iter().rev() {
            self.items.push_front(item);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Line;

    #[test]
    fn what_stays_keeps_its_place_whatever_comes_before_or_behind() {
        let mut line = Line::from(vec!["c", "d"]);
        let seen = line.places();
        line.join(Line::from(vec!["e"]), false);
        let mut before = Line::from(vec!["a", "b"]);
        before.join(line, true);
        assert_eq!(
            before.iter().copied().collect::<Vec<_>>(),
            ["a", "b", "c", "d", "e"]
        );
        assert_eq!(before.get(seen.start), Some(&"c"));
        assert_eq!(before.get(seen.start - 2), Some(&"a"));
        assert_eq!(before.get(seen.start - 3), None);
        let [unseen_before, unseen_behind] = before.unseen(&seen);
        let names = |(place, name): (i64, &&str)| {
            assert_eq!(before.get(place).copied(), Some(*name));
            name.to_string()
        };
        assert_eq!(unseen_before.map(names).collect::<String>(), "ab");
        assert_eq!(unseen_behind.map(names).collect::<String>(), "e");
    }
}
