//! The columns of the tables of a FROM clause. A join in brackets with a name of its own is a table
//! whose columns are those of the tables in it. It shares them: such joins may stand in one
//! another, and copied at each level they would take the square of its depth.

use std::cell::{OnceCell, RefCell};
use std::collections::{HashMap, VecDeque};
use std::ops::Range;
use std::rc::Rc;

use super::line::Line;
use super::{MANY, Output};
use crate::sql::types::TypeVar;

/// The columns of one table. A copy shares them.
#[derive(Debug, Clone)]
pub(in crate::sql) struct Columns(Rc<Block>);

#[derive(Debug)]
enum Block {
    Listed {
        columns: Vec<Output>,
        /// The first of each name, once somebody has asked for one of many.
        names: OnceCell<HashMap<String, TypeVar>>,
    },
    Joined(Seen),
    /// All but so many first ones, which have got other names.
    Behind(Columns, usize),
}

impl From<Vec<Output>> for Columns {
    fn from(columns: Vec<Output>) -> Self {
        let names = OnceCell::new();
        Self(Rc::new(Block::Listed { columns, names }))
    }
}

impl From<Seen> for Columns {
    fn from(seen: Seen) -> Self {
        match seen.parts.iter().next() {
            Some(only) if seen.parts.len() == 1 => only.clone(),
            _ => Self(Rc::new(Block::Joined(seen))),
        }
    }
}

impl Columns {
    pub(in crate::sql) fn len(&self) -> usize {
        match &*self.0 {
            Block::Listed { columns, .. } => columns.len(),
            Block::Joined(seen) => seen.len,
            Block::Behind(of, first) => of.len().saturating_sub(*first),
        }
    }

    /// How many steps a walk over them takes: what has been taken out of joins has left its place.
    fn steps(&self) -> usize {
        match &*self.0 {
            Block::Listed { columns, .. } => columns.len() + 1,
            Block::Joined(seen) => seen.steps,
            Block::Behind(of, _) => of.steps(),
        }
    }

    pub(in crate::sql) fn iter(&self) -> Iter<'_> {
        let mut columns = Iter::default();
        columns.open(self);
        columns
    }

    /// The column of a table that has no other.
    pub(in crate::sql) fn only(&self) -> Option<&Output> {
        self.iter().next().filter(|_| self.len() == 1)
    }

    /// Gives these columns, the first ones under these names.
    pub(in crate::sql) fn renamed<'n>(mut self, names: impl Iterator<Item = &'n str>) -> Self {
        let mut names = names.peekable();
        if names.peek().is_none() {
            return self;
        }
        let rename = |(column, name): (&mut Output, &str)| name.clone_into(&mut column.name);
        if let Some(Block::Listed { columns, names: of }) = Rc::get_mut(&mut self.0) {
            columns.iter_mut().zip(names).for_each(rename);
            of.take();
            return self;
        }
        let mut columns = self.iter();
        let mut first: Vec<Output> = Vec::new();
        for name in names {
            let Some(column) = columns.next() else {
                break;
            };
            let (name, node) = (name.to_owned(), column.node);
            first.push(Output { name, node });
        }
        let count = first.len();
        let mut seen = Seen::from(Self::from(first));
        seen.push(Self(Rc::new(Block::Behind(self, count))));
        seen.into()
    }

    /// The first column of a name.
    pub(super) fn find(&self, name: &str) -> Option<TypeVar> {
        match &*self.0 {
            Block::Listed { columns, .. } if columns.len() < MANY => {
                let found = columns.iter().find(|column| column.name == name);
                found.map(|column| column.node)
            }
            Block::Listed { columns, names } => {
                // Of columns of one name the first remains.
                let all = columns.iter().rev().map(|c| (c.name.clone(), c.node));
                names.get_or_init(|| all.collect()).get(name).copied()
            }
            Block::Joined(seen) => seen.find(name),
            Block::Behind(of, first) if of.iter().take(*first).any(|c| c.name == name) => {
                let found = self.iter().find(|column| column.name == name);
                found.map(|column| column.node)
            }
            Block::Behind(of, _) => of.find(name),
        }
    }

    /// Gives these columns without the first one of a name.
    fn without(&self, name: &str) -> Self {
        if let Block::Joined(seen) = &*self.0 {
            let mut seen = Seen {
                parts: seen.parts.clone(),
                len: seen.len,
                steps: seen.steps,
                names: RefCell::default(),
            };
            seen.take(name);
            return Self(Rc::new(Block::Joined(seen)));
        }
        let mut is_left = false;
        let mut is_kept = |column: &&Output| {
            let is_kept = is_left || column.name != name;
            is_left |= !is_kept;
            is_kept
        };
        let kept: Vec<Output> = self.iter().filter(|c| is_kept(c)).cloned().collect();
        kept.into()
    }

    /// Whether they are few, one behind the other.
    fn are_few(&self) -> bool {
        matches!(&*self.0, Block::Listed { columns, .. } if columns.len() < 4 * MANY)
    }
}

/// Columns in their order.
#[derive(Debug, Default)]
pub(in crate::sql) struct Iter<'a> {
    open: Vec<Walk<'a>>,
    /// So many of the next ones are passed over.
    skipped: usize,
}

#[derive(Debug)]
enum Walk<'a> {
    Listed(std::slice::Iter<'a, Output>),
    Joined(std::collections::vec_deque::Iter<'a, Columns>),
}

impl<'a> Iter<'a> {
    fn open(&mut self, columns: &'a Columns) {
        let mut columns = columns;
        while let Block::Behind(of, first) = &*columns.0 {
            self.skipped += first;
            columns = of;
        }
        match &*columns.0 {
            Block::Listed { columns, .. } => self.open.push(Walk::Listed(columns.iter())),
            Block::Joined(seen) => self.open.push(Walk::Joined(seen.parts.iter())),
            Block::Behind(..) => {}
        }
    }
}

impl<'a> Iterator for Iter<'a> {
    type Item = &'a Output;

    fn next(&mut self) -> Option<&'a Output> {
        loop {
            match self.open.last_mut()? {
                Walk::Listed(columns) => match columns.next() {
                    Some(_) if self.skipped > 0 => self.skipped -= 1,
                    Some(column) => return Some(column),
                    None => drop(self.open.pop()),
                },
                Walk::Joined(parts) => match parts.next() {
                    Some(part) => self.open(part),
                    None => drop(self.open.pop()),
                },
            }
        }
    }
}

/// What `*` and names without a table see: the columns of all tables, merged ones once.
#[derive(Debug, Clone, Default)]
pub(in crate::sql) struct Seen {
    parts: Line<Columns>,
    len: usize,
    steps: usize,
    names: RefCell<Names>,
}

/// Where the columns of each name are, as far as somebody has asked.
#[derive(Debug, Clone, Default)]
struct Names {
    /// Among the parts of few columns, in order.
    of_few: HashMap<String, VecDeque<(i64, TypeVar)>>,
    /// The parts of many, in order: they are asked themselves.
    many: VecDeque<i64>,
    /// What was answered for names that such a part may have.
    asked: HashMap<String, Option<(i64, TypeVar)>>,
    /// The parts that have been looked at.
    seen: Range<i64>,
}

impl From<Columns> for Seen {
    fn from(columns: Columns) -> Self {
        let mut seen = Self::default();
        seen.push(columns);
        seen
    }
}

impl Seen {
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// How many steps a walk over them takes.
    pub(super) fn steps(&self) -> usize {
        self.steps
    }

    /// How many parts there are.
    pub(super) fn parts(&self) -> usize {
        self.parts.len()
    }

    pub(super) fn iter(&self) -> Iter<'_> {
        Iter {
            open: vec![Walk::Joined(self.parts.iter())],
            skipped: 0,
        }
    }

    fn push(&mut self, columns: Columns) {
        self.len += columns.len();
        self.steps += columns.steps();
        self.parts.push(columns);
    }

    /// Puts others behind these. What is known of where names are stays with the ones that stay
    /// where they are.
    pub(super) fn join(&mut self, other: Self, other_stays: bool) {
        self.len += other.len;
        self.steps += other.steps;
        self.parts.join(other.parts, other_stays);
        if other_stays {
            self.names = other.names;
        }
    }

    /// Takes the first column of a name out.
    pub(super) fn take(&mut self, name: &str) {
        let Some((place, _)) = self.found(name) else {
            return;
        };
        let names = self.names.get_mut();
        names.asked.clear();
        if let Some(of_few) = names.of_few.get_mut(name) {
            of_few.pop_front_if(|(first, _)| *first == place);
        }
        if let Some(part) = self.parts.get_mut(place) {
            self.len -= part.len();
            self.steps -= part.steps();
            *part = part.without(name);
            self.len += part.len();
            self.steps += part.steps();
        }
    }

    /// The first column of a name.
    pub(super) fn find(&self, name: &str) -> Option<TypeVar> {
        self.found(name).map(|(_, node)| node)
    }

    /// Finds the first column of a name, with the place of its part.
    fn found(&self, name: &str) -> Option<(i64, TypeVar)> {
        if self.parts.len() < MANY && self.parts.iter().all(Columns::are_few) {
            let mut places = self.parts.places().zip(self.parts.iter());
            return places.find_map(|(place, part)| Some((place, part.find(name)?)));
        }
        let mut names = self.names.borrow_mut();
        self.look_at_unseen(&mut names);
        let of_few = names
            .of_few
            .get(name)
            .and_then(|of_few| of_few.front().copied());
        if names.many.is_empty() {
            return of_few;
        }
        if let Some(known) = names.asked.get(name) {
            return *known;
        }
        let is_before = |place: &i64| of_few.is_none_or(|(few, _)| *place < few);
        let mut many = names.many.iter().copied().take_while(is_before);
        let found = many.find_map(|place| Some((place, self.parts.get(place)?.find(name)?)));
        let found = found.or(of_few);
        names.asked.insert(name.to_owned(), found);
        found
    }

    fn look_at_unseen(&self, names: &mut Names) {
        let seen = std::mem::replace(&mut names.seen, self.parts.places());
        if seen == names.seen {
            return;
        }
        names.asked.clear();
        let [before, behind] = self.parts.unseen(&seen);
        for (place, part) in before.rev() {
            if !part.are_few() {
                names.many.push_front(place);
                continue;
            }
            let columns: Vec<&Output> = part.iter().collect();
            for column in columns.into_iter().rev() {
                let known = names.of_few.entry(column.name.clone());
                known.or_default().push_front((place, column.node));
            }
        }
        for (place, part) in behind {
            if !part.are_few() {
                names.many.push_back(place);
                continue;
            }
            for column in part.iter() {
                let known = names.of_few.entry(column.name.clone());
                known.or_default().push_back((place, column.node));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::types::{Shape, Types};
    use super::*;

    type Known = Vec<(String, TypeVar)>;

    fn shown(seen: &Seen) -> Known {
        let columns = seen.iter();
        columns.map(|c| (c.name.clone(), c.node)).collect()
    }

    proptest::proptest! {
        /// Shared or not, columns are those of a list that is copied each time.
        #[test]
        fn columns_are_those_of_a_list(
            steps in proptest::collection::vec((0..8_u8, 0..24_usize, 0..40_usize), 1..60)
        ) {
            let mut types = Types::default();
            let mut kept: Vec<(Seen, Known)> = vec![(Seen::default(), Known::new())];
            for (step, a, b) in steps {
                let (mut seen, mut known) = kept[a % kept.len()].clone();
                let name = format!("c{}", b % 20);
                match step {
                    0 => {
                        let names = (a..a + b).map(|n| format!("c{}", n % 20));
                        known = names.map(|name| (name, types.node(Shape::Unknown))).collect();
                        let columns = known.iter().cloned();
                        let columns = columns.map(|(name, node)| Output { name, node });
                        seen = Columns::from(columns.collect::<Vec<_>>()).into();
                    }
                    1 | 2 => {
                        let (other, more) = kept[b % kept.len()].clone();
                        seen.join(other, step == 1);
                        known.extend(more);
                    }
                    3 => seen = Columns::from(seen).into(),
                    4 => {
                        let names: Vec<String> = (0..b % 4).map(|n| format!("c{}", a + n)).collect();
                        let names = || names.iter().map(String::as_str);
                        seen = Columns::from(seen).renamed(names()).into();
                        for ((known, _), name) in known.iter_mut().zip(names()) {
                            name.clone_into(known);
                        }
                    }
                    5 => {
                        seen.take(&name);
                        let first = known.iter().position(|(known, _)| *known == name);
                        first.map(|first| known.remove(first));
                    }
                    _ => {
                        let first = known.iter().find(|(known, _)| *known == name);
                        assert_eq!(seen.find(&name), first.map(|(_, node)| *node));
                    }
                }
                if known.len() > 400 {
                    continue;
                }
                assert_eq!(shown(&seen), known);
                assert_eq!(seen.len(), known.len());
                kept.push((seen, known));
            }
        }
    }
}
