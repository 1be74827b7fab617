//! JSON documents: what is known of the values at each of their places.
//!
//! A document of the client's is open: what its parts are used as tells which of them are ids, as
//! it does for a literal. All uses of a place are remembered, so that in the end none of them sees
//! a key where another reads an id.

use std::cell::Cell;
use std::collections::HashMap;

use crate::catalog::{JsonKey, PathStep};
use crate::sql::plan::JsonKind;

use super::{Clash, Id, Shape, TEXT, TypeVar, Types};

/// A place in a document: an index into the arena.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(in crate::sql) struct Place(usize);

/// From a value to one inside.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(in crate::sql) enum Step {
    /// The member of an object.
    Member(String),
    /// Every member of an object that is not named.
    Other,
    /// Every element of an array.
    Element,
}

/// What a value must be for the keys in it to be found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::sql) enum Kind {
    /// There is no key in it.
    Clean,
    /// It is a key itself.
    Key,
    Object,
    Array,
    /// Either of the two, or more than can be told.
    Any,
}

/// A key in a document of the database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::sql) struct Leaf {
    pub(in crate::sql) id: Id,
    pub(in crate::sql) written: JsonKind,
}

/// What is known of the value at a place.
#[derive(Debug, Clone, Default)]
pub(in crate::sql) struct Known {
    /// Whether the configuration says where keys are, so that nothing is left to find out.
    pub(in crate::sql) declared: bool,
    pub(in crate::sql) leaf: Option<Leaf>,
    pub(in crate::sql) parts: Vec<(Step, Place)>,
    /// The first part of each step, once there are many.
    places: HashMap<Step, Place>,
    /// So many parts have come into that table.
    placed: usize,
    /// The values that its text is read as.
    pub(in crate::sql) reads: Vec<TypeVar>,
    /// It is used, as a whole or as text, in a way that shows what is in it.
    pub(in crate::sql) used: bool,
    /// There may be tags anywhere in it.
    pub(in crate::sql) tagged: bool,
    /// It is no part of another.
    root: bool,
}

/// From so many parts on they are looked up by a table.
const MANY: usize = 16;

impl Known {
    /// The part that a step leads to.
    fn part(&self, step: &Step) -> Option<Place> {
        if self.parts.len() < MANY {
            let found = self.parts.iter().find(|(known, _)| known == step);
            return found.map(|(_, part)| *part);
        }
        self.places.get(step).copied()
    }

    /// Fills the table with what has come since it was asked last.
    fn look_at_parts(&mut self) {
        if self.parts.len() < MANY {
            return;
        }
        for (step, part) in self.parts.iter().skip(self.placed) {
            self.places.entry(step.clone()).or_insert(*part);
        }
        self.placed = self.parts.len();
    }
}

/// All places of one analysis.
#[derive(Debug, Clone, Default)]
pub(super) struct Places {
    /// Towards the place that each was linked to; that one's is its own.
    parents: Vec<Cell<usize>>,
    known: Vec<Known>,
}

impl Types<'_> {
    fn place(&mut self, known: Known) -> Place {
        let place = self.places.known.len();
        self.places.parents.push(Cell::new(place));
        self.places.known.push(known);
        Place(place)
    }

    /// What a place was linked to. Paths are halved on the way.
    fn root_place(&self, place: Place) -> Place {
        let mut at = place.0;
        while let Some(parent) = self.places.parents.get(at) {
            let above = parent.get();
            if above == at {
                break;
            }
            let next = self.places.parents.get(above).map_or(above, Cell::get);
            parent.set(next);
            at = next;
        }
        Place(at)
    }

    pub(in crate::sql) fn known(&self, place: Place) -> Option<&Known> {
        self.places.known.get(self.root_place(place).0)
    }

    fn known_mut(&mut self, place: Place) -> Option<&mut Known> {
        let root = self.root_place(place);
        self.places.known.get_mut(root.0)
    }

    /// A document of the client's.
    pub(in crate::sql) fn document(&mut self, oid: u32) -> TypeVar {
        let place = self.place(Known {
            root: true,
            ..Known::default()
        });
        self.node(Shape::Json(place, oid))
    }

    /// A document of the database.
    pub(in crate::sql) fn stored_document(&mut self, oid: u32, keys: &[JsonKey]) -> TypeVar {
        let declared = || Known {
            declared: true,
            ..Known::default()
        };
        let document = self.place(declared());
        for key in keys {
            let mut place = document;
            for step in &key.path {
                let step = match step {
                    PathStep::Member(name) => Step::Member(name.clone()),
                    PathStep::Elements => Step::Element,
                };
                place = self.part(place, &step);
            }
            if let Some(known) = self.known_mut(place) {
                known.leaf = Some(Leaf {
                    id: key.id,
                    written: if key.number {
                        JsonKind::Number
                    } else {
                        JsonKind::String
                    },
                });
            }
        }
        self.node(Shape::Json(document, oid))
    }

    /// A document of the database, of another analysis; `None` if more is known of it than where
    /// its keys are.
    pub(in crate::sql) fn import_place(
        &mut self,
        types: &Types<'_>,
        place: Place,
    ) -> Option<Place> {
        let known = types.known(place)?;
        if !known.declared || known.tagged || known.used || !known.reads.is_empty() {
            return None;
        }
        let mut parts = Vec::new();
        for (step, part) in &known.parts {
            parts.push((step.clone(), self.import_place(types, *part)?));
        }
        Some(self.place(Known {
            declared: true,
            leaf: known.leaf,
            parts,
            ..Known::default()
        }))
    }

    /// The part of a value; what is declared of the value says all of its parts.
    pub(in crate::sql) fn part(&mut self, place: Place, step: &Step) -> Place {
        if let Some(known) = self.known_mut(place) {
            known.look_at_parts();
        }
        let known = self.known(place);
        let (declared, tagged) = known.map_or((false, false), |k| (k.declared, k.tagged));
        let part = |wanted| known.and_then(|known| known.part(wanted));
        let other = matches!(step, Step::Member(_)).then_some(&Step::Other);
        if let Some(part) = part(step).or_else(|| part(other?)) {
            return part;
        }
        let part = self.place(Known {
            declared,
            tagged,
            ..Known::default()
        });
        if let Some(known) = self.known_mut(place) {
            known.parts.push((step.clone(), part));
        }
        part
    }

    /// The value at a place as text.
    pub(in crate::sql) fn text_of(&mut self, place: Place) -> TypeVar {
        self.node(Shape::JsonText(place))
    }

    /// The text at a place is read as this value.
    pub(in crate::sql) fn read(&mut self, place: Place, value: TypeVar) {
        if let Some(known) = self.known_mut(place) {
            known.reads.push(value);
        }
    }

    /// The value at a place is used in a way that shows what is in it.
    pub(in crate::sql) fn use_place(&mut self, place: Place) {
        if let Some(known) = self.known_mut(place) {
            known.used = true;
        }
    }

    /// Whether there is a key at a place or below, as far as it is known by now.
    pub(in crate::sql) fn place_has_id(&self, place: Place) -> bool {
        self.place_has_key(place) || self.place_has_tag(place)
    }

    /// Whether there is a key at a place or below that is in no tag.
    pub(in crate::sql) fn place_has_key(&self, place: Place) -> bool {
        self.spend(1);
        let Some(known) = self.known(place) else {
            return true;
        };
        known.leaf.is_some()
            || known.reads.iter().any(|read| self.has_id(*read))
            || known
                .parts
                .iter()
                .any(|(_, part)| self.place_has_key(*part))
    }

    /// Whether there is a key that is in no tag below a place: in an object or an array there.
    pub(in crate::sql) fn place_has_key_below(&self, place: Place) -> bool {
        self.spend(1);
        self.known(place).is_none_or(|known| {
            let mut parts = known.parts.iter();
            parts.any(|(_, part)| self.place_has_key(*part))
        })
    }

    /// Whether a node is a document with keys in it that are in no tag.
    pub(in crate::sql) fn has_key(&self, node: TypeVar) -> bool {
        matches!(self.shape(node), Shape::Json(place, _) if self.place_has_key(place))
    }

    /// Whether there may be tags at a place or below.
    pub(in crate::sql) fn place_has_tag(&self, place: Place) -> bool {
        self.spend(1);
        self.known(place).is_none_or(|known| {
            known.tagged || (known.parts.iter()).any(|(_, part)| self.place_has_tag(*part))
        })
    }

    /// What a value of the database must be for its keys to be found.
    pub(in crate::sql) fn kind(&self, place: Place) -> Kind {
        let Some(known) = self.known(place) else {
            return Kind::Any;
        };
        let parts = known.parts.iter();
        let mut with_keys = parts.filter(|(_, part)| self.place_has_key(*part));
        let is_element = |(step, _): &(Step, Place)| *step == Step::Element;
        match with_keys.next() {
            None if known.leaf.is_some() => Kind::Key,
            None => Kind::Clean,
            Some(_) if known.leaf.is_some() => Kind::Any,
            Some(first) => {
                let of_array = is_element(first);
                match with_keys.all(|part| is_element(part) == of_array) {
                    true if of_array => Kind::Array,
                    true => Kind::Object,
                    false => Kind::Any,
                }
            }
        }
    }

    /// Whether a step leads into a value of the database as its keys are found there. The other
    /// steps would find what was moved where nobody looks for it.
    pub(in crate::sql) fn leads_on(&self, place: Place, step: &Step) -> bool {
        if !self.known(place).is_some_and(|known| known.declared) {
            return true;
        }
        match self.kind(place) {
            Kind::Clean | Kind::Any => true,
            Kind::Key => false,
            Kind::Object => *step != Step::Element,
            Kind::Array => *step == Step::Element,
        }
    }

    /// A document that the database builds of these.
    pub(in crate::sql) fn built(&mut self, parts: Vec<(Step, Place)>, tagged: bool) -> Place {
        self.place(Known {
            declared: true,
            parts,
            tagged,
            ..Known::default()
        })
    }

    /// The text of a place meets another value: one that is an id as text, or one that shows what
    /// the text is. Whether it is the first.
    pub(super) fn take_piece(&mut self, piece: TypeVar, other: TypeVar) -> bool {
        let Shape::JsonText(place) = self.shape(piece) else {
            return false;
        };
        if let Shape::Id(id) = self.shape(other)
            && id.shown.is_text()
            && id.key_type.is_text()
        {
            self.read(place, other);
            self.link(piece, other);
            return true;
        }
        self.settle_piece(piece);
        false
    }

    /// The text of a place is used as text.
    pub(super) fn settle_piece(&mut self, node: TypeVar) {
        if let Shape::JsonText(place) = self.shape(node) {
            self.use_place(place);
            self.set_shape(node, Shape::Plain(TEXT));
        }
    }

    /// A document is used as a whole.
    pub(super) fn settle_document(&mut self, node: TypeVar) {
        if let Shape::Json(place, oid) = self.shape(node) {
            self.use_place(place);
            if !self.place_has_id(place) {
                self.set_shape(node, Shape::Plain(oid));
            }
        }
    }

    /// Documents that are compared for order are used as a whole: jsonb compares what is in them.
    pub(in crate::sql) fn order_documents(&mut self, node: TypeVar) {
        if !self.may_have_document(node) || !self.step() {
            return;
        }
        match self.shape(node) {
            Shape::Json(..) => self.settle_document(node),
            Shape::Array(element) => self.order_documents(element),
            Shape::Record(fields) => fields.iter().for_each(|field| self.order_documents(*field)),
            _ => {}
        }
    }

    /// A place whose value is read as an id, and is used in another way too.
    pub(in crate::sql) fn contradiction(&self) -> Option<&Known> {
        let known = self.places.known.iter().zip(&self.places.parents);
        let roots = known
            .enumerate()
            .filter(|(place, (_, parent))| parent.get() == *place);
        roots.map(|(_, (known, _))| known).find(|known| {
            let ids = |place: &Place| self.place_has_id(*place);
            let is_id = |read: &TypeVar| self.has_id(*read);
            let is_leaf = known.leaf.is_some() || known.tagged || known.reads.iter().any(is_id);
            let parts = || known.parts.iter().map(|(_, part)| part);
            known.used && (is_leaf || parts().any(ids))
                // A part of a key is a key: an element of an array of keys, or a scalar, which
                // Postgres takes for an array of one.
                || is_leaf && !known.tagged && !known.parts.is_empty()
                || is_leaf && !known.reads.iter().all(is_id)
        })
    }

    /// One document flows through both. Where keys are in it must be the same in both; only a
    /// document of which nothing is known yet can become another.
    pub(super) fn same_document(&mut self, a: TypeVar, b: TypeVar) -> Result<(), Clash> {
        let (Shape::Json(x, _), Shape::Json(y, _)) = (self.shape(a), self.shape(b)) else {
            return Ok(());
        };
        let (x, y) = (self.root_place(x), self.root_place(y));
        if x == y {
            self.link(a, b);
            return Ok(());
        }
        if self.is_fresh(x) {
            self.link_places(x, y);
        } else if self.is_fresh(y) {
            self.link_places(y, x);
        } else if !self.are_equal(x, y) {
            if self.has_id(a) || self.has_id(b) {
                return Err(Clash(self.shape(a), self.shape(b)));
            }
            self.settle_document(a);
            self.settle_document(b);
            return Ok(());
        }
        self.link(a, b);
        Ok(())
    }

    fn link_places(&mut self, from: Place, to: Place) {
        if let Some(parent) = self.places.parents.get(from.0) {
            parent.set(to.0);
        }
    }

    /// Whether nothing is known of a document of the client's.
    fn is_fresh(&self, place: Place) -> bool {
        self.known(place).is_some_and(|known| {
            known.root
                && !known.declared
                && known.leaf.is_none()
                && known.parts.is_empty()
                && known.reads.is_empty()
                && !known.used
        })
    }

    /// Whether what is declared of two documents is the same.
    fn are_equal(&self, a: Place, b: Place) -> bool {
        let (Some(x), Some(y)) = (self.known(a), self.known(b)) else {
            return false;
        };
        let covers = |x: &Known, y: &Known| {
            let others = y.parts.iter().rev();
            let others: HashMap<&Step, &Place> = others.map(|(step, part)| (step, part)).collect();
            x.parts.iter().all(|(step, part)| {
                self.spend(1);
                match others.get(step) {
                    Some(other) => self.are_equal(*part, **other),
                    None => !self.place_has_id(*part),
                }
            })
        };
        x.declared
            && y.declared
            && x.leaf == y.leaf
            && x.tagged == y.tagged
            && covers(x, y)
            && covers(y, x)
    }
}
