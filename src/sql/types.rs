//! The types of the inference, as far as ids are concerned, and their unification.
//!
//! Every expression has a node. A literal or parameter of unknown type starts as a free node and
//! is bound by the place where it stands, exactly as Postgres resolves `unknown`; nodes through
//! which one value flows are linked, so what is found out about one holds for all.

mod facts;
mod json;
mod node;
mod text_casts;
#[expect(
    clippy::indexing_slicing,
    reason = "nodes are numbers that only this forest gives out"
)]
mod union;

pub(super) use crate::catalog::IdType as Id;
use crate::catalog::KeyType;
use crate::pg::oid;
pub(super) use crate::pg::oid::{BOOL, INT4, INT8, JSON, JSONB, NUMERIC, TEXT, UUID, VOID};
pub(super) use json::{Kind, Leaf, Place, Step};
pub(super) use node::TypeVar;

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use super::budget::Budget;
use super::lineage::{How, LineageTrace, Meeting};
use super::plan::{Bound, TargetColumn};
use facts::Facts;
use union::Set;
pub(super) use union::Tags;

/// What is known of a node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Shape {
    /// A literal or parameter whose type the context decides.
    Unknown,
    /// A literal, number or parameter of the client's that is declared to be of this type, by the
    /// way it is written, by a cast or by the client: an id if it meets one that is shown as such
    /// a type, otherwise a value like any other.
    Typed(KeyType),
    /// No key; the oid of the Postgres type, 0 if it is not known.
    Plain(u32),
    /// A key.
    Id(Id),
    /// Text or JSON with keys in it, each in a tag; the oid of the Postgres type. It is carried to
    /// the client and can't be used in any other way. Where the oid is that of `uuid`, the value
    /// is the text of a real uuid, or a tag and nothing else, and shown as `uuid`.
    Tagged(u32),
    /// A JSON document whose parts may be ids, or a part of one; the oid of the Postgres type.
    Json(Place, u32),
    /// The text of a value in such a document.
    JsonText(Place),
    /// An array.
    Array(TypeVar),
    /// A row value.
    Record(Rc<[TypeVar]>),
    /// Something with keys in it that nobody can explain: a column of a view that is computed from
    /// ids in a way that can't be undone. It can be counted, and else nothing.
    Hidden,
}

/// A uuid that the database makes.
#[derive(Debug, Clone)]
pub(super) struct MadeUuid {
    pub(super) node: TypeVar,
    pub(super) version: u8,
    /// Where in the text.
    pub(super) place: std::ops::Range<usize>,
}

/// Why a column can't be shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Because {
    /// It is a view's, and computed in a way that can't be undone.
    View,
    /// It is a view's over catalogs, and tells what is stored.
    Catalog,
    /// It is generated from keys.
    Generated,
    /// It counts with the sequence of keys.
    Counts,
    /// What is said of it can't be true of it.
    Closed,
    /// It is a temporary table's, and nobody knows what has been put into it.
    Temporary,
    /// It holds keys that nobody has decided on.
    Undecided,
    /// It holds keys of several domains, and nothing tells of which.
    Polymorphic,
    /// It holds keys of several domains, which a statement has put among each other.
    Mixed,
    /// It is built in the statement, of something that holds keys.
    Built,
}

/// Two types that don't go together; the shapes at the place where they differ.
#[derive(Debug)]
pub(super) struct Clash(pub(super) Shape, pub(super) Shape);

/// All nodes of one analysis.
#[derive(Debug, Clone, Default)]
pub(super) struct Types<'a> {
    sets: union::Sets,
    places: json::Places,
    /// Each mention of a column with the column.
    mentions: Vec<(TypeVar, TypeVar)>,
    /// The mentions of each column, by its slot.
    mentions_of: HashMap<usize, Vec<TypeVar>>,
    /// While the definition of a view is read: keys are compared with constants of their own type
    /// there.
    pub(super) in_definition: bool,
    /// That definition is the session's own, in which keys are compared with no constants.
    pub(super) own: bool,
    /// It compares a key with something that is no id.
    pub(super) compares_keys: bool,
    /// The parameters of the function whose body is read: what they are compared with tells what
    /// they are.
    open_parameters: Vec<TypeVar>,
    /// The casts of keys that are uuids to text, which are the keys of columns of text: by the nodes that
    /// stand for them.
    text_casts: HashMap<TypeVar, TypeVar>,
    /// The uuids that the database makes.
    pub(super) made: Vec<MadeUuid>,
    /// Their nodes.
    pub(super) made_nodes: HashSet<TypeVar>,
    /// The values that are compared for order where that may decide how many rows there are.
    ranging: Vec<TypeVar>,
    /// The values of which documents are built, by the places of these: they are stored with them.
    built_of: HashMap<Place, Vec<TypeVar>>,
    /// The columns that can't be shown, by their slots.
    hidden: HashMap<usize, Because>,
    /// Whether somebody wants to know why.
    pub(super) trace: Option<&'a LineageTrace>,
    /// What the walk may cost.
    budget: Option<&'a Budget>,
    /// How the values at slots came about, as far as it tells what became of others that were
    /// linked to them; empty without a trace.
    sources: HashMap<usize, Meeting>,
}

impl Types<'_> {
    pub(super) fn node(&mut self, shape: Shape) -> TypeVar {
        self.spend(1);
        self.sets.add(shape)
    }

    /// Takes steps from what the analysis may cost.
    pub(super) fn spend(&self, steps: usize) {
        if let Some(budget) = self.budget {
            budget.spend(steps);
        }
    }

    /// Takes a step of a walk over what is in a type; false if there is none left, so that the walk
    /// ends with the worst of answers, for a statement that is refused. Values that are used twice
    /// at each of n levels are a tree of 2ⁿ for who walks over them.
    pub(super) fn step(&self) -> bool {
        self.spend(1);
        !self.budget.is_some_and(Budget::is_spent)
    }

    /// How many nodes there are.
    pub(super) fn len(&self) -> usize {
        self.sets.len()
    }

    pub(super) fn native(&mut self, oid: u32) -> TypeVar {
        self.node(Shape::Plain(oid))
    }

    /// A parameter of the function whose body is read.
    pub(super) fn open_parameter(&mut self) -> TypeVar {
        let node = self.node(Shape::Unknown);
        self.open_parameters.push(node);
        node
    }

    /// A column with keys in it that can't be shown; to be named is all that is known of it.
    pub(super) fn hidden(&mut self, because: Because) -> TypeVar {
        let node = self.node(Shape::Hidden);
        self.hidden.insert(node.slot, because);
        node
    }

    /// Whether a node is such a column, and why.
    pub(super) fn is_hidden(&self, node: TypeVar) -> Option<Because> {
        let is_hidden = matches!(self.set(node).shape, Shape::Hidden);
        is_hidden.then(|| {
            let because = self.hidden.get(&node.slot).copied();
            because.unwrap_or(Because::Built)
        })
    }

    fn root(&self, node: TypeVar) -> TypeVar {
        self.sets.head(node)
    }

    fn set(&self, node: TypeVar) -> &Set {
        self.sets.get(node)
    }

    pub(super) fn shape(&self, node: TypeVar) -> Shape {
        self.set(node).shape.clone()
    }

    /// The column that the value at this node would be stored in.
    pub(super) fn stored(&self, node: TypeVar) -> Option<&TargetColumn> {
        self.set(node).stored.as_ref()
    }

    /// The column that the value at this node would be stored in, by itself or where it is mentioned.
    pub(super) fn stored_as_mentioned(&self, node: TypeVar) -> Option<&TargetColumn> {
        let (mut nodes, mut seen) = (vec![node], HashSet::new());
        while let Some(node) = nodes.pop() {
            if let Some(stored) = self.stored(node) {
                return Some(stored);
            }
            if seen.insert(node.slot) && self.step() {
                nodes.extend(self.mentions_of.get(&node.slot).into_iter().flatten());
            }
        }
        None
    }

    /// Records that the value at this node is stored in a column; its elements if it is an array,
    /// its fields if it is a row.
    pub(super) fn store(&mut self, node: TypeVar, into: &TargetColumn) {
        if !self.step() {
            return;
        }
        match self.shape(node) {
            Shape::Array(element) => self.store(element, into),
            Shape::Record(fields) => {
                for field in &*fields {
                    self.store(*field, into);
                }
            }
            Shape::Json(place, _) => self.store_built(place, into),
            _ => {}
        }
        let stored = &mut self.sets.get_mut(node).stored;
        stored.get_or_insert_with(|| into.clone());
    }

    /// Records that a document of this place, and so what it is built of, is stored in a column.
    pub(super) fn store_built(&mut self, place: Place, into: &TargetColumn) {
        for part in self.built_of.remove(&place).unwrap_or_default() {
            self.store(part, into);
        }
    }

    /// Takes down of which values a document is built.
    pub(super) fn build_of(&mut self, place: Place, values: &[TypeVar]) {
        self.built_of.entry(place).or_default().extend(values);
    }

    /// Whether a key is anywhere in the type.
    pub(super) fn has_id(&self, node: TypeVar) -> bool {
        let facts = self.sets.facts(node);
        if !self.step() || facts.has(Facts::ID) {
            return true;
        }
        if !facts.has(Facts::DOCUMENT) {
            return false;
        }
        match self.shape(node) {
            Shape::Id(_) | Shape::Tagged(_) | Shape::Hidden => true,
            Shape::Json(place, _) | Shape::JsonText(place) => self.place_has_id(place),
            Shape::Array(element) => self.has_id(element),
            Shape::Record(fields) => fields.iter().any(|field| self.has_id(*field)),
            Shape::Unknown | Shape::Typed(_) | Shape::Plain(_) => false,
        }
    }

    /// Whether a document, or a part of one, may be anywhere in the type.
    pub(super) fn may_have_document(&self, node: TypeVar) -> bool {
        self.sets.facts(node).has(Facts::DOCUMENT)
    }

    /// Whether a tag is anywhere in the type.
    pub(super) fn has_tag(&self, node: TypeVar) -> bool {
        let facts = self.sets.facts(node);
        if !self.step() || facts.has(Facts::TAG) {
            return true;
        }
        if !facts.has(Facts::DOCUMENT) {
            return false;
        }
        match self.shape(node) {
            Shape::Tagged(_) => true,
            Shape::Array(element) => self.has_tag(element),
            Shape::Record(fields) => fields.iter().any(|field| self.has_tag(*field)),
            Shape::Json(place, _) => self.place_has_tag(place),
            Shape::Id(_)
            | Shape::Unknown
            | Shape::Typed(_)
            | Shape::Plain(_)
            | Shape::JsonText(_)
            | Shape::Hidden => false,
        }
    }

    /// Whether ids of several kinds, told apart by tags, are anywhere in the type.
    pub(super) fn is_mixed(&self, node: TypeVar) -> bool {
        self.sets.facts(node).has(Facts::MIXED)
    }

    /// Whether an id that is shown as text, or text with ids in it, may be anywhere in the type.
    pub(super) fn may_have_text(&self, node: TypeVar) -> bool {
        self.sets.facts(node).has(Facts::TEXT)
    }

    /// Whether all ids in the type are shown as uuid.
    pub(super) fn is_uuid_or_native(&self, node: TypeVar) -> bool {
        if !self.step() {
            return false;
        }
        match self.shape(node) {
            Shape::Id(id) => id.shown == KeyType::Uuid,
            Shape::Tagged(oid) => oid == UUID,
            Shape::Hidden => false,
            Shape::Json(place, _) | Shape::JsonText(place) => !self.place_has_id(place),
            Shape::Array(element) => self.is_uuid_or_native(element),
            Shape::Record(fields) => fields.iter().all(|field| self.is_uuid_or_native(*field)),
            Shape::Unknown | Shape::Typed(_) | Shape::Plain(_) => true,
        }
    }

    fn link(&mut self, from: TypeVar, to: TypeVar) {
        if let Some(stored) = self.sets.link(from, to) {
            self.store(to, &stored);
        }
    }

    /// The type of one mention of a column: what is found out about it where it is mentioned does
    /// not touch other mentions. A value of the client's stays the same value everywhere.
    pub(super) fn instantiate(&mut self, column: TypeVar) -> TypeVar {
        if self.stored(column).is_some() {
            return column;
        }
        match self.shape(column) {
            shape @ (Shape::Id(_) | Shape::Plain(_) | Shape::Tagged(_)) => {
                let mention = self.node(shape).via(column.origin);
                self.sort_like(mention, self.sorts(column));
                self.tag_like(mention, self.tags(column));
                self.flows_into(column, mention);
                self.source(mention, How::Beside)
            }
            Shape::Json(place, _) if self.known(place).is_some_and(|known| known.declared) => {
                let mention = self.node(self.shape(column)).via(column.origin);
                self.flows_into(column, mention);
                mention
            }
            Shape::Array(element) if self.has_id(element) => {
                let element = self.instantiate(element.like(column));
                self.node(Shape::Array(element)).via(column.origin)
            }
            _ => column,
        }
    }

    /// Whether the values at a node sort as their keys do.
    pub(super) fn sorts(&self, node: TypeVar) -> bool {
        self.set(node).sorts
    }

    /// Records whether they do.
    pub(super) fn sort_like(&mut self, node: TypeVar, sorts: bool) {
        self.sets.get_mut(node).sorts = sorts;
    }

    /// What the keys in the tags at a node are.
    pub(super) fn tags(&self, node: TypeVar) -> Tags {
        match self.shape(node) {
            Shape::Array(element) => self.set(element).tags,
            _ => self.set(node).tags,
        }
    }

    /// A node of text or JSON with the same keys in its tags as another.
    pub(super) fn tagged_as(&mut self, like: TypeVar, oid: u32) -> TypeVar {
        let node = self.node(Shape::Tagged(oid));
        self.tag_like(node, self.tags(like));
        node
    }

    /// Records what they are.
    pub(super) fn tag_like(&mut self, node: TypeVar, tags: Tags) {
        self.sets.get_mut(node).tags = tags;
    }

    /// Values of `from` may be shown as values of `column`: by a join that merges the two.
    pub(super) fn flows_into(&mut self, from: TypeVar, column: TypeVar) {
        self.sets.forget_found(column);
        self.sets.get_mut(column).mention = Some(self.mentions.len());
        self.mentions.push((column, from));
        self.mentions_of.entry(from.slot).or_default().push(column);
    }

    /// What the values at a node bound, if they are compared for order.
    pub(super) fn bound(&self, node: TypeVar) -> Option<Bound> {
        self.set(node).bound
    }

    /// Records what the values at a node bound, and those in it if it is a row or an array: they
    /// are compared one after the other.
    pub(super) fn bounds(&mut self, node: TypeVar, bound: Bound) {
        if !self.step() {
            return;
        }
        match self.shape(node) {
            Shape::Array(element) => self.bounds(element, bound),
            Shape::Record(fields) => {
                for field in &*fields {
                    self.bounds(*field, bound);
                }
            }
            _ => {}
        }
        let set = self.sets.get_mut(node);
        set.bound = Bound::and(set.bound, Some(bound));
    }

    /// Records that the values at a node may decide how many rows there are by their order.
    pub(super) fn ranges(&mut self, node: TypeVar) {
        self.ranging.push(node);
    }

    /// Whether any values that are compared for order are ids, or have ids in them.
    pub(super) fn orders_ids(&self) -> bool {
        self.ranging.iter().any(|node| self.has_id(*node))
    }

    /// Marks the node of a key that is taken out of a document.
    pub(super) fn mark_leaf(&mut self, node: TypeVar) {
        self.sets.forget_found(node);
        self.sets.get_mut(node).leaf = Some(node);
    }

    /// The key taken out of a document that a node is, or is a mention of, by whatever way. A value
    /// that is cast over and over is a mention of a mention: what is found is kept for all of them.
    pub(super) fn leaf(&self, node: TypeVar) -> Option<TypeVar> {
        let (mut node, mut walked) = (node, Vec::new());
        let found = loop {
            self.spend(1);
            if let Some(found) = self.sets.found(node) {
                break found;
            }
            walked.push(node);
            let set = self.set(node);
            let mention = set.mention.and_then(|mention| self.mentions.get(mention));
            match mention {
                Some((_, column)) if set.leaf.is_none() && walked.len() <= self.mentions.len() => {
                    node = *column;
                }
                _ => break set.leaf,
            }
        };
        self.sets.keep_found(&walked, found);
        found
    }

    /// The node that all others of its value are linked to.
    pub(super) fn head(&self, node: TypeVar) -> TypeVar {
        self.root(node)
    }

    /// Records that a value may be another one, or one of its elements, so that where it is stored the
    /// other is stored too.
    pub(super) fn may_be(&mut self, value: TypeVar, other: TypeVar) {
        self.mentions.push((value, other));
        if let Shape::Array(element) = self.shape(value) {
            self.mentions.push((element, other));
        }
    }

    /// What is stored by way of a mention of a column is stored from the values of the column: in
    /// a subquery a parameter may be among them. So is what bounds a range. To be called when the
    /// walk is done.
    pub(super) fn trace_mentions(&mut self) {
        let mentions = std::mem::take(&mut self.mentions);
        self.mentions_of.clear();
        // A column is made before it is mentioned, so that one pass from the end reaches all.
        for (mention, column) in mentions.into_iter().rev() {
            if let Some(stored) = self.stored(mention).cloned() {
                self.store(column, &stored);
            }
            if let Some(bound) = self.bound(mention) {
                self.bounds(column, bound);
            }
        }
    }

    /// A copy of a type that shares nothing with it, for a value that is compared with it but
    /// does not flow into it. Parts that aren't known yet stay shared, to be found out together.
    fn detached(&mut self, node: TypeVar) -> TypeVar {
        if !self.step() {
            return node;
        }
        match self.shape(node) {
            Shape::Array(element) => {
                let element = self.detached(element.like(node));
                self.node(Shape::Array(element))
            }
            Shape::Record(fields) => {
                let fields = fields.iter().map(|field| self.detached(*field)).collect();
                self.node(Shape::Record(fields))
            }
            shape @ (Shape::Id(_) | Shape::Plain(_) | Shape::Tagged(_) | Shape::Hidden) => {
                let detached = self.node(shape).via(node.origin);
                if let Some(cast) = self.text_casts.get(&self.root(node)) {
                    self.text_casts.insert(self.root(detached), *cast);
                }
                self.source(detached, How::Compared)
            }
            // Beside it a value is text, as beside any value of type varchar.
            Shape::Json(place, oid) if self.known(place).is_some_and(|known| known.declared) => {
                let oid = if may_be_text(oid) { TEXT } else { oid };
                self.node(Shape::Json(place, oid))
            }
            Shape::Unknown | Shape::Typed(_) | Shape::Json(..) | Shape::JsonText(_) => node,
        }
    }

    /// One value flows through both: branches of CASE, UNION, a value and the column it goes to.
    #[expect(clippy::too_many_lines, reason = "one arm per pair of shapes")]
    pub(super) fn unify(&mut self, a: TypeVar, b: TypeVar) -> Result<(), Clash> {
        let (a, b) = (self.root(a), self.root(b));
        if a == b || !self.step() {
            return Ok(());
        }
        if self.take_piece(a, b) || self.take_piece(b, a) {
            return Ok(());
        }
        // Beside tags a document is JSON like any other.
        for (tagged, document) in [(a, b), (b, a)] {
            if matches!(self.shape(tagged), Shape::Tagged(_)) {
                self.settle_document(document);
            }
        }
        if self.take_made(a, b) || self.take_made(b, a) {
            return Ok(());
        }
        self.keep_text(a, b);
        self.keep_text(b, a);
        match (self.shape(a), self.shape(b)) {
            // Whatever it is, nobody can say that the other is the same.
            (x @ Shape::Hidden, y) | (x, y @ Shape::Hidden) => return Err(Clash(x, y)),
            // Nothing is a part of itself, and who walked over it would come to no end.
            (x @ Shape::Unknown, y) if self.sets.is_within(a, b) => return Err(Clash(x, y)),
            (x, y @ Shape::Unknown) if self.sets.is_within(b, a) => return Err(Clash(x, y)),
            (Shape::Unknown, _) => self.link(a, b),
            (_, Shape::Unknown) => self.link(b, a),
            (Shape::Typed(x), Shape::Typed(y)) if x.is_like(y) => {
                self.link(a, b);
                self.set_shape(b, Shape::Typed(y.joined(x)));
            }
            // Such a pair has no common type in Postgres either.
            (Shape::Typed(_), Shape::Typed(_)) => {}
            (Shape::Typed(declared), Shape::Id(id)) if id.shown.is_like(declared) => {
                self.link(a, b);
                self.set_shape(b, Shape::Id(beside(id, declared)));
            }
            (Shape::Id(id), Shape::Typed(declared)) if id.shown.is_like(declared) => {
                self.link(b, a);
                self.set_shape(a, Shape::Id(beside(id, declared)));
            }
            (Shape::Typed(_), Shape::Plain(_)) => self.link(a, b),
            (Shape::Plain(_), Shape::Typed(_)) => self.link(b, a),
            (Shape::Id(x), Shape::Id(y))
                if x.domain == y.domain
                    && x.key_type.is_like(y.key_type)
                    && x.shown.is_like(y.shown) =>
            {
                self.link(a, b);
                let joined = Id {
                    domain: y.domain,
                    key_type: y.key_type.joined(x.key_type),
                    shown: y.shown.joined(x.shown),
                };
                self.set_shape(b, Shape::Id(joined));
            }
            (Shape::Tagged(x), Shape::Tagged(y)) if x == y || are_alike(x, y) => self.link(a, b),
            (Shape::Tagged(x), Shape::Plain(y)) if are_alike(x, y) => self.link(b, a),
            (Shape::Plain(x), Shape::Tagged(y)) if are_alike(x, y) => self.link(a, b),
            (Shape::Tagged(x), Shape::Typed(y)) if are_alike(x, y.oid()) => self.link(b, a),
            (Shape::Typed(x), Shape::Tagged(y)) if are_alike(x.oid(), y) => self.link(a, b),
            (Shape::Json(..), Shape::Json(..)) => self.same_document(a, b)?,
            (Shape::Json(_, x), Shape::Typed(y)) if may_be_text(x) && y.is_text() => {
                self.link(b, a);
            }
            (Shape::Typed(y), Shape::Json(_, x)) if may_be_text(x) && y.is_text() => {
                self.link(a, b);
            }
            (Shape::Json(..), Shape::Plain(_) | Shape::Typed(_))
            | (Shape::Plain(_) | Shape::Typed(_), Shape::Json(..))
                if !self.has_id(a) && !self.has_id(b) =>
            {
                self.resolve_plain(a);
                self.resolve_plain(b);
            }
            (Shape::Array(x), Shape::Array(y)) => {
                self.unify(x, y)?;
                // Elements without ids may differ, in what is Postgres's business: one may even be
                // the other array.
                if self.root(x) == self.root(y) {
                    self.link(a, b);
                }
            }
            (Shape::Record(x), Shape::Record(y)) if x.len() == y.len() => {
                for (x, y) in x.iter().zip(&*y) {
                    self.unify(*x, *y)?;
                }
            }
            // Native types differ in ways that are Postgres's business.
            (Shape::Plain(_), Shape::Plain(_)) => {}
            (Shape::Plain(_), Shape::Array(_) | Shape::Record(_)) if !self.has_id(b) => {
                self.resolve_plain(b);
            }
            (Shape::Array(_) | Shape::Record(_), Shape::Plain(_)) if !self.has_id(a) => {
                self.resolve_plain(a);
            }
            (x, y) => return Err(Clash(x, y)),
        }
        Ok(())
    }

    /// The value is used in a way that only values can be used that are no ids. What may still
    /// have become one, in another place where the same value is used, can't from here on.
    pub(super) fn resolve_plain(&mut self, node: TypeVar) {
        if !self.step() || !self.sets.facts(node).has(Facts::OPEN) {
            return;
        }
        match self.shape(node) {
            Shape::Unknown => self.set_shape(node, Shape::Plain(0)),
            Shape::Typed(declared) => self.set_shape(node, Shape::Plain(declared.oid())),
            Shape::Array(element) => {
                self.resolve_plain(element);
                self.sets.close(node);
            }
            Shape::Record(fields) => {
                for field in &*fields {
                    self.resolve_plain(*field);
                }
                self.sets.close(node);
            }
            Shape::JsonText(_) => self.settle_piece(node),
            Shape::Json(..) => self.settle_document(node),
            Shape::Plain(_) | Shape::Id(_) | Shape::Tagged(_) | Shape::Hidden => {}
        }
    }

    /// Changes what is known of a node and all that are linked with it.
    pub(super) fn set_shape(&mut self, node: TypeVar, new: Shape) {
        self.sets.set_shape(node, new);
    }

    /// The two are compared: their types must agree, but no value flows from one to the other.
    pub(super) fn compare(&mut self, a: TypeVar, b: TypeVar) -> Result<(), Clash> {
        if self.in_definition
            && !self.own
            && (self.is_key_constant(a, b) || self.is_key_constant(b, a))
        {
            self.compares_keys = true;
            return Ok(());
        }
        if !self.step() {
            return Ok(());
        }
        let (a, b) = (self.detached(a), self.detached(b));
        match (self.shape(a), self.shape(b)) {
            (Shape::Record(x), Shape::Record(y)) if x.len() == y.len() => {
                for (x, y) in x.iter().zip(&*y) {
                    self.compare(*x, *y)?;
                }
                Ok(())
            }
            _ => self.unify(a, b),
        }
    }

    /// Whether a key is compared with a constant of the type in which it is stored.
    fn is_key_constant(&self, key: TypeVar, other: TypeVar) -> bool {
        let Shape::Id(Id { key_type, .. }) = self.shape(key) else {
            return false;
        };
        match self.shape(other) {
            Shape::Unknown => {
                let other = self.root(other);
                !self
                    .open_parameters
                    .iter()
                    .any(|node| self.root(*node) == other)
            }
            Shape::Typed(declared) => declared.is_like(key_type),
            // What comes from elsewhere may be a number of the client's choice.
            Shape::Plain(_)
            | Shape::Id(_)
            | Shape::Tagged(_)
            | Shape::Json(..)
            | Shape::JsonText(_)
            | Shape::Array(_)
            | Shape::Record(_)
            | Shape::Hidden => false,
        }
    }
}

/// What an id and a value of a declared type are in one place: integers take the wider type.
const fn beside(id: Id, declared: KeyType) -> Id {
    if !id.is_native() {
        return id;
    }
    Id {
        domain: id.domain,
        key_type: id.key_type.joined(declared),
        shown: id.shown.joined(declared),
    }
}

impl Shape {
    /// The type of a value that is no id, as far as it is known.
    pub(super) const fn native_oid(&self) -> Option<u32> {
        match self {
            Self::Typed(declared) => Some(declared.oid()),
            Self::Plain(oid) | Self::Json(_, oid) => Some(*oid),
            Self::JsonText(_) => Some(TEXT),
            Self::Unknown
            | Self::Id(_)
            | Self::Tagged(_)
            | Self::Array(_)
            | Self::Record(_)
            | Self::Hidden => None,
        }
    }

    /// The type of a value as the client knows it; 0 if it is not known, or no scalar.
    pub(super) const fn outside_oid(&self) -> u32 {
        match self {
            Self::Typed(declared) => declared.oid(),
            Self::Plain(oid) | Self::Tagged(oid) | Self::Json(_, oid) => *oid,
            Self::JsonText(_) => TEXT,
            Self::Id(id) => id.shown.oid(),
            Self::Unknown | Self::Array(_) | Self::Record(_) | Self::Hidden => 0,
        }
    }
}

/// Numbers, which Postgres compares and adds whatever their sizes.
const NUMBERS: [u32; 7] = [
    INT8,
    oid::INT2,
    INT4,
    oid::OID,
    oid::FLOAT4,
    oid::FLOAT8,
    NUMERIC,
];
/// Types of text, which Postgres compares with each other.
const TEXTS: [u32; 4] = [oid::NAME, TEXT, oid::BPCHAR, oid::VARCHAR];

/// Whether Postgres compares values of these types, and finds a common type for them.
pub(super) fn are_related(a: u32, b: u32) -> bool {
    a == b
        || [&NUMBERS[..], &TEXTS[..]]
            .iter()
            .any(|kind| kind.contains(&a) && kind.contains(&b))
}

/// Whether values of two types go together where one of them carries tags. What is shown as `uuid`
/// is text, which no real uuid is.
fn are_alike(a: u32, b: u32) -> bool {
    (a == b || a == 0 || b == 0 || TEXTS.contains(&a) && TEXTS.contains(&b))
        && a != UUID
        && b != UUID
}

/// Whether a value may be text: of a type of text, or one that is not known.
pub(super) fn may_be_text(oid: u32) -> bool {
    oid == 0 || TEXTS.contains(&oid)
}

#[cfg(test)]
mod tests;
