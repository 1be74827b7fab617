//! The types of the inference, as far as ids are concerned, and their unification.
//!
//! Every expression has a node. A literal or parameter of unknown type starts as a free node and
//! is bound by the place where it stands, exactly as Postgres resolves `unknown`; nodes through
//! which one value flows are linked, so what is found out about one holds for all.

pub(super) use crate::catalog::IdType as Id;

use super::plan::Stored;

/// An expression's type: an index into the arena.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Node(usize);

/// What is known of a node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Shape {
    /// A literal or parameter whose type the context decides.
    Unknown,
    /// Declared as uuid by a cast or by the client: an id if it meets one, otherwise a real uuid.
    Uuid,
    /// No key; the oid of the Postgres type, 0 if it is not known.
    Native(u32),
    /// A key.
    Id(Id),
    /// An array.
    Array(Node),
    /// A row value.
    Record(Vec<Node>),
}

/// Two types that don't go together; the shapes at the place where they differ.
#[derive(Debug)]
pub(super) struct Clash(pub(super) Shape, pub(super) Shape);

#[derive(Debug)]
enum Slot {
    Root {
        shape: Shape,
        stored: Option<Stored>,
    },
    Link(Node),
}

/// All nodes of one analysis.
#[derive(Debug, Default)]
pub(super) struct Types {
    slots: Vec<Slot>,
    /// While the definition of a view is read: keys are compared with integers there.
    pub(super) inside: bool,
}

impl Types {
    pub(super) fn node(&mut self, shape: Shape) -> Node {
        self.slots.push(Slot::Root {
            shape,
            stored: None,
        });
        Node(self.slots.len() - 1)
    }

    pub(super) fn native(&mut self, oid: u32) -> Node {
        self.node(Shape::Native(oid))
    }

    fn root(&self, mut node: Node) -> Node {
        while let Some(Slot::Link(next)) = self.slots.get(node.0) {
            node = *next;
        }
        node
    }

    pub(super) fn shape(&self, node: Node) -> Shape {
        match self.slots.get(self.root(node).0) {
            Some(Slot::Root { shape, .. }) => shape.clone(),
            Some(Slot::Link(_)) | None => Shape::Native(0),
        }
    }

    /// The column that the value at this node would be stored in.
    pub(super) fn stored(&self, node: Node) -> Option<&Stored> {
        match self.slots.get(self.root(node).0) {
            Some(Slot::Root { stored, .. }) => stored.as_ref(),
            Some(Slot::Link(_)) | None => None,
        }
    }

    /// Records that the value at this node is stored in a column; its elements if it is an array.
    pub(super) fn store(&mut self, node: Node, into: &Stored) {
        let root = self.root(node);
        if let Shape::Array(element) = self.shape(root) {
            self.store(element, into);
        }
        if let Some(Slot::Root { stored, .. }) = self.slots.get_mut(root.0) {
            stored.get_or_insert_with(|| into.clone());
        }
    }

    /// Whether a key is anywhere in the type.
    pub(super) fn has_id(&self, node: Node) -> bool {
        match self.shape(node) {
            Shape::Id(_) => true,
            Shape::Array(element) => self.has_id(element),
            Shape::Record(fields) => fields.iter().any(|field| self.has_id(*field)),
            Shape::Unknown | Shape::Uuid | Shape::Native(_) => false,
        }
    }

    fn link(&mut self, from: Node, to: Node) {
        let (from, to) = (self.root(from), self.root(to));
        if from == to {
            return;
        }
        let Some(slot) = self.slots.get_mut(from.0) else {
            return;
        };
        let before = std::mem::replace(slot, Slot::Link(to));
        if let Slot::Root {
            stored: Some(stored),
            ..
        } = before
        {
            self.store(to, &stored);
        }
    }

    /// A copy of a type that shares nothing with it, for a value that is compared with it but
    /// does not flow into it. Parts that aren't known yet stay shared, to be found out together.
    fn detached(&mut self, node: Node) -> Node {
        match self.shape(node) {
            Shape::Array(element) => {
                let element = self.detached(element);
                self.node(Shape::Array(element))
            }
            Shape::Record(fields) => {
                let fields = fields
                    .into_iter()
                    .map(|field| self.detached(field))
                    .collect();
                self.node(Shape::Record(fields))
            }
            shape @ (Shape::Id(_) | Shape::Native(_)) => self.node(shape),
            Shape::Unknown | Shape::Uuid => node,
        }
    }

    /// One value flows through both: branches of CASE, UNION, a value and the column it goes to.
    pub(super) fn same(&mut self, a: Node, b: Node) -> Result<(), Clash> {
        let (a, b) = (self.root(a), self.root(b));
        if a == b {
            return Ok(());
        }
        match (self.shape(a), self.shape(b)) {
            (Shape::Unknown, _) => self.link(a, b),
            (_, Shape::Unknown) => self.link(b, a),
            (Shape::Uuid, Shape::Id(_) | Shape::Uuid) => self.link(a, b),
            (Shape::Id(_), Shape::Uuid) => self.link(b, a),
            (Shape::Uuid, Shape::Native(UUID | 0)) => self.link(a, b),
            (Shape::Native(UUID | 0), Shape::Uuid) => self.link(b, a),
            (Shape::Id(x), Shape::Id(y)) if x.domain == y.domain => self.link(a, b),
            (Shape::Array(x), Shape::Array(y)) => {
                self.same(x, y)?;
                self.link(a, b);
            }
            (Shape::Record(x), Shape::Record(y)) if x.len() == y.len() => {
                for (x, y) in x.iter().zip(&y) {
                    self.same(*x, *y)?;
                }
            }
            (Shape::Native(_), Shape::Native(_)) => {}
            (Shape::Native(_), Shape::Array(element))
            | (Shape::Array(element), Shape::Native(_))
                if !self.has_id(element) => {}
            (Shape::Native(_), Shape::Record(fields))
            | (Shape::Record(fields), Shape::Native(_))
                if !fields.iter().any(|field| self.has_id(*field)) => {}
            // Native types differ in ways that are Postgres's business.
            (Shape::Uuid, Shape::Native(_)) | (Shape::Native(_), Shape::Uuid) => {}
            (x, y) => return Err(Clash(x, y)),
        }
        Ok(())
    }

    /// The two are compared: their types must agree, but no value flows from one to the other.
    pub(super) fn compare(&mut self, a: Node, b: Node) -> Result<(), Clash> {
        if self.inside && (self.is_key_integer(a, b) || self.is_key_integer(b, a)) {
            return Ok(());
        }
        let (a, b) = (self.detached(a), self.detached(b));
        match (self.shape(a), self.shape(b)) {
            (Shape::Record(x), Shape::Record(y)) if x.len() == y.len() => {
                for (x, y) in x.iter().zip(&y) {
                    self.compare(*x, *y)?;
                }
                Ok(())
            }
            _ => self.same(a, b),
        }
    }

    fn is_key_integer(&self, key: Node, other: Node) -> bool {
        matches!(self.shape(key), Shape::Id(_))
            && matches!(
                self.shape(other),
                Shape::Native(20 | 21 | 23) | Shape::Unknown
            )
    }
}

/// The oid of `uuid`.
pub(super) const UUID: u32 = 2950;
/// The oid of `uuid[]`.
pub(super) const UUID_ARRAY: u32 = 2951;
/// The oid of `boolean`.
pub(super) const BOOL: u32 = 16;
/// The oid of `integer`.
pub(super) const INT4: u32 = 23;
/// The oid of `bigint`.
pub(super) const INT8: u32 = 20;
/// The oid of `numeric`.
pub(super) const NUMERIC: u32 = 1700;
/// The oid of `text`.
pub(super) const TEXT: u32 = 25;

/// The built-in types that error messages and casts name: oid, the name that `format_type` gives,
/// and the other spellings.
const BUILT_IN: &[(u32, &str, &[&str])] = &[
    (BOOL, "boolean", &["bool"]),
    (17, "bytea", &[]),
    (18, "\"char\"", &[]),
    (19, "name", &[]),
    (INT8, "bigint", &["int8"]),
    (21, "smallint", &["int2"]),
    (INT4, "integer", &["int", "int4"]),
    (TEXT, "text", &[]),
    (26, "oid", &[]),
    (114, "json", &[]),
    (142, "xml", &[]),
    (700, "real", &["float4"]),
    (701, "double precision", &["float8", "float"]),
    (705, "unknown", &[]),
    (1042, "character", &["char", "bpchar"]),
    (1043, "character varying", &["varchar"]),
    (1082, "date", &[]),
    (1083, "time without time zone", &["time"]),
    (1114, "timestamp without time zone", &["timestamp"]),
    (1184, "timestamp with time zone", &["timestamptz"]),
    (1186, "interval", &[]),
    (1266, "time with time zone", &["timetz"]),
    (NUMERIC, "numeric", &["decimal", "dec"]),
    (2205, "regclass", &[]),
    (2249, "record", &[]),
    (UUID, "uuid", &[]),
    (UUID_ARRAY, "uuid[]", &[]),
    (1005, "smallint[]", &[]),
    (1007, "integer[]", &[]),
    (1009, "text[]", &[]),
    (1015, "character varying[]", &[]),
    (1016, "bigint[]", &[]),
    (3802, "jsonb", &[]),
];

/// The name of a built-in type as Postgres's messages write it.
pub(super) fn type_name(oid: u32) -> Option<&'static str> {
    BUILT_IN
        .iter()
        .find(|(known, ..)| *known == oid)
        .map(|(_, name, _)| *name)
}

/// The oid of a built-in type by any of its names, 0 if it is none of those listed.
pub(super) fn type_oid(name: &str) -> u32 {
    BUILT_IN
        .iter()
        .find(|(_, known, others)| *known == name || others.contains(&name))
        .map_or(0, |(oid, ..)| *oid)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::{DomainId, KeyType};

    const USER: Id = Id {
        domain: DomainId(0),
        key_type: KeyType::Int8,
        shown: KeyType::Uuid,
    };
    const ORDER: Id = Id {
        domain: DomainId(1),
        key_type: KeyType::Int8,
        shown: KeyType::Uuid,
    };

    #[test]
    fn a_literal_takes_the_type_of_what_it_is_compared_with() {
        let mut types = Types::default();
        let (literal, key) = (types.node(Shape::Unknown), types.node(Shape::Id(USER)));
        types.compare(literal, key).unwrap();
        assert_eq!(types.shape(literal), Shape::Id(USER));
    }

    #[test]
    fn keys_of_two_domains_clash() {
        let mut types = Types::default();
        let (user, order) = (types.node(Shape::Id(USER)), types.node(Shape::Id(ORDER)));
        assert!(types.compare(user, order).is_err());
        assert!(types.same(user, order).is_err());
    }

    #[test]
    fn a_comparison_does_not_make_a_value_stored() {
        let mut types = Types::default();
        let (literal, key) = (types.node(Shape::Unknown), types.node(Shape::Id(USER)));
        types.compare(literal, key).unwrap();
        let into = Stored {
            schema: "public".into(),
            table: "orders".into(),
            column: "user_id".into(),
            foreign_key: None,
        };
        types.store(key, &into);
        assert!(types.stored(literal).is_none());
    }

    #[test]
    fn what_flows_into_a_column_is_stored() {
        let mut types = Types::default();
        let (literal, case) = (types.node(Shape::Unknown), types.node(Shape::Unknown));
        types.same(literal, case).unwrap();
        let into = Stored {
            schema: "public".into(),
            table: "orders".into(),
            column: "user_id".into(),
            foreign_key: None,
        };
        types.store(case, &into);
        assert!(types.stored(literal).is_some());
    }
}
