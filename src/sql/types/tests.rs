//! Which types go together, and what is found out about one value through another.

use super::*;
use crate::catalog::DomainId;

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

fn id(key_type: KeyType, shown: KeyType) -> Id {
    Id {
        domain: DomainId(2),
        key_type,
        shown,
    }
}

#[test]
fn a_declared_value_is_an_id_where_it_meets_one_shown_as_its_type() {
    for (declared, shown, fits) in [
        (KeyType::Uuid, KeyType::Uuid, true),
        (KeyType::Varchar, KeyType::Text, true),
        (KeyType::Int4, KeyType::Int8, true),
        (KeyType::Bytea, KeyType::Bytea, true),
        (KeyType::Text, KeyType::Uuid, false),
        (KeyType::Int8, KeyType::Text, false),
        (KeyType::Uuid, KeyType::Bytea, false),
    ] {
        let mut types = Types::default();
        let key = types.node(Shape::Id(id(KeyType::Int8, shown)));
        let value = types.node(Shape::Typed(declared));
        assert_eq!(types.compare(value, key).is_ok(), fits);
        assert_eq!(types.has_id(value), fits);
    }
}

#[test]
fn a_declared_value_beside_a_native_one_stays_native() {
    let mut types = Types::default();
    let (value, native) = (types.node(Shape::Typed(KeyType::Int4)), types.native(INT8));
    types.compare(value, native).unwrap();
    let key = types.node(Shape::Id(id(KeyType::Int8, KeyType::Int8)));
    assert!(types.compare(value, key).is_err());
    assert_eq!(types.shape(value), Shape::Plain(INT8));
}

#[test]
fn what_has_been_computed_with_is_no_id_any_more() {
    let mut types = Types::default();
    let value = types.node(Shape::Typed(KeyType::Int4));
    let array = types.node(Shape::Array(value));
    types.resolve_plain(array);
    let key = types.node(Shape::Id(id(KeyType::Int8, KeyType::Int8)));
    assert!(types.compare(value, key).is_err());
    let (elements, native) = (types.node(Shape::Unknown), types.native(1016));
    let array = types.node(Shape::Array(elements));
    types.unify(array, native).unwrap();
    assert!(types.unify(elements, key).is_err());
}

#[test]
fn native_integers_in_one_place_take_the_wider_type() {
    let mut types = Types::default();
    let narrow = types.node(Shape::Id(id(KeyType::Int4, KeyType::Int4)));
    let value = types.node(Shape::Typed(KeyType::Int8));
    types.unify(value, narrow).unwrap();
    assert_eq!(
        types.shape(narrow),
        Shape::Id(id(KeyType::Int8, KeyType::Int8))
    );
    let mut types = Types::default();
    let (narrow, wide) = (
        types.node(Shape::Id(id(KeyType::Int4, KeyType::Uuid))),
        types.node(Shape::Id(id(KeyType::Int8, KeyType::Uuid))),
    );
    types.unify(wide, narrow).unwrap();
    assert_eq!(
        types.shape(narrow),
        Shape::Id(id(KeyType::Int8, KeyType::Uuid))
    );
    // A comparison changes neither side.
    let mut types = Types::default();
    let narrow = types.node(Shape::Id(id(KeyType::Int4, KeyType::Int4)));
    let value = types.node(Shape::Typed(KeyType::Int8));
    types.compare(value, narrow).unwrap();
    assert_eq!(
        types.shape(narrow),
        Shape::Id(id(KeyType::Int4, KeyType::Int4))
    );
}

#[test]
fn keys_of_one_domain_in_columns_of_two_kinds_clash() {
    let mut types = Types::default();
    let integer = types.node(Shape::Id(id(KeyType::Int8, KeyType::Uuid)));
    let uuid = types.node(Shape::Id(id(KeyType::Uuid, KeyType::Uuid)));
    assert!(types.compare(integer, uuid).is_err());
}

#[test]
fn a_view_compares_keys_with_constants_of_their_type() {
    let mut types = Types {
        in_definition: true,
        ..Types::default()
    };
    let key = types.node(Shape::Id(id(KeyType::Text, KeyType::Uuid)));
    let constant = types.node(Shape::Typed(KeyType::Varchar));
    types.compare(key, constant).unwrap();
    assert!(!types.has_id(constant));
    let number = types.node(Shape::Typed(KeyType::Int4));
    assert!(types.compare(key, number).is_err());
}

#[test]
fn keys_of_two_domains_clash() {
    let mut types = Types::default();
    let (user, order) = (types.node(Shape::Id(USER)), types.node(Shape::Id(ORDER)));
    assert!(types.compare(user, order).is_err());
    assert!(types.unify(user, order).is_err());
}

#[test]
fn a_comparison_does_not_make_a_value_stored() {
    let mut types = Types::default();
    let (literal, key) = (types.node(Shape::Unknown), types.node(Shape::Id(USER)));
    types.compare(literal, key).unwrap();
    let into = TargetColumn {
        schema: "public".into(),
        table: "orders".into(),
        column: "user_id".into(),
        foreign_key: None,
        others: Vec::new(),
    };
    types.store(key, &into);
    assert!(types.stored(literal).is_none());
}

#[test]
fn what_flows_into_a_column_is_stored() {
    let mut types = Types::default();
    let (literal, case) = (types.node(Shape::Unknown), types.node(Shape::Unknown));
    types.unify(literal, case).unwrap();
    let into = TargetColumn {
        schema: "public".into(),
        table: "orders".into(),
        column: "user_id".into(),
        foreign_key: None,
        others: Vec::new(),
    };
    types.store(case, &into);
    assert!(types.stored(literal).is_some());
}

/// What is in a type, by a walk over all of it.
fn walked(types: &Types<'_>, node: TypeVar, is: &dyn Fn(&Shape) -> bool) -> bool {
    match types.shape(node) {
        Shape::Array(element) => walked(types, element, is),
        Shape::Record(fields) => fields.iter().any(|field| walked(types, *field, is)),
        shape => is(&shape),
    }
}

/// Nodes that steps make, and what they find out about them.
fn played(types: &mut Types<'_>, steps: Vec<(u8, usize, usize)>) -> Vec<TypeVar> {
    let mut nodes = vec![types.node(Shape::Unknown)];
    for (step, one, other) in steps {
        let (one, other) = (nodes[one % nodes.len()], nodes[other % nodes.len()]);
        match (step, types.shape(one)) {
            (0, _) => types.resolve_plain(one),
            (1, _) => drop(types.compare(one, other)),
            (2 | 3, _) => drop(types.unify(one, other)),
            (4, _) => nodes.push(types.node(Shape::Unknown)),
            (5, _) => nodes.push(types.node(Shape::Typed(KeyType::Uuid))),
            (6, _) => nodes.push(types.native(TEXT)),
            (7, _) => nodes.push(types.node(Shape::Id(USER))),
            (8, _) => nodes.push(types.node(Shape::Id(id(KeyType::Text, KeyType::Text)))),
            (9, _) => nodes.push(types.node(Shape::Tagged(UUID))),
            (10, _) => nodes.push(types.node(Shape::Tagged(TEXT))),
            (11, _) => nodes.push(types.node(Shape::Array(one))),
            (12, _) => nodes.push(types.node(Shape::Record([one, other].into()))),
            (13, _) => nodes.push(types.document(JSONB)),
            (14, Shape::Json(place, _)) => {
                let part = types.part(place, &Step::Element);
                nodes.push(types.node(Shape::Json(part, JSONB)));
            }
            (15, Shape::Json(place, _)) => nodes.push(types.text_of(place)),
            (16, Shape::Json(place, _)) => {
                let element = types.node(Shape::Typed(KeyType::Uuid));
                let array = types.node(Shape::Array(element));
                types.read(place, array);
                nodes.extend([element, array]);
            }
            _ => {}
        }
    }
    nodes
}

proptest::proptest! {
    /// Arrays and rows know what is in them, whatever is found out about it and in what order.
    #[test]
    fn what_is_known_of_a_type_is_what_a_walk_finds(
        steps in proptest::collection::vec((0..13_u8, 0..64_usize, 0..64_usize), 1..80)
    ) {
        let mut types = Types::default();
        let nodes = played(&mut types, steps);
        let text = id(KeyType::Text, KeyType::Text);
        for node in nodes {
            let is_id = |shape: &Shape| matches!(shape, Shape::Id(_) | Shape::Tagged(_));
            assert_eq!(types.has_id(node), walked(&types, node, &is_id));
            let is_tag = |shape: &Shape| matches!(shape, Shape::Tagged(_));
            assert_eq!(types.has_tag(node), walked(&types, node, &is_tag));
            let is_mixed = |shape: &Shape| matches!(shape, Shape::Tagged(UUID));
            assert_eq!(types.is_mixed(node), walked(&types, node, &is_mixed));
            let is_text = |shape: &Shape| *shape == Shape::Id(text) || *shape == Shape::Tagged(TEXT);
            assert!(types.may_have_text(node) || !walked(&types, node, &is_text));
            types.resolve_plain(node);
            let is_open = |shape: &Shape| matches!(shape, Shape::Unknown | Shape::Typed(_));
            assert!(!walked(&types, node, &is_open));
        }
    }

    /// Nothing is a part of itself, be it by a document whose text is read as it: all walks end.
    #[test]
    fn every_walk_over_a_type_ends(
        steps in proptest::collection::vec((0..17_u8, 0..64_usize, 0..64_usize), 1..120)
    ) {
        let mut types = Types::default();
        for node in played(&mut types, steps) {
            let has_key = types.has_id(node);
            assert!(has_key || !types.has_tag(node));
            assert!(types.is_uuid_or_native(node) || has_key);
            types.resolve_plain(node);
        }
        types.contradiction();
    }
}

/// The key of a document that a node is or mentions, by a walk that remembers nothing.
fn walked_to_leaf(types: &Types<'_>, mut node: TypeVar) -> Option<TypeVar> {
    for _ in 0..=types.mentions.len() {
        let set = types.set(node);
        if set.leaf.is_some() {
            return set.leaf;
        }
        node = types.mentions.get(set.mention?)?.1;
    }
    None
}

proptest::proptest! {
    /// What was found for mentions of mentions is found anew once it has changed.
    #[test]
    fn a_mention_leads_to_the_key_that_a_walk_finds(
        steps in proptest::collection::vec((0..8_u8, 0..12_usize, 0..12_usize), 1..60)
    ) {
        let mut types = Types::default();
        let mut nodes: Vec<TypeVar> = (0..4).map(|_| types.node(Shape::Unknown)).collect();
        for (step, a, b) in steps {
            let [a, b] = [a, b].map(|at| nodes[at % nodes.len()]);
            match step {
                0 => types.mark_leaf(a),
                1 | 2 => types.flows_into(a, b),
                3 => drop(types.unify(a, b)),
                4 | 5 => {
                    let mention = types.node(Shape::Unknown);
                    types.flows_into(a, mention);
                    nodes.push(mention);
                }
                _ => assert_eq!(types.leaf(a), walked_to_leaf(&types, a)),
            }
        }
        for node in nodes {
            assert_eq!(types.leaf(node), walked_to_leaf(&types, node));
        }
    }
}

#[test]
fn nothing_is_a_part_of_itself() {
    let mut types = Types::default();
    let part = types.node(Shape::Unknown);
    let row = types.node(Shape::Record([part].into()));
    let around = types.node(Shape::Record([row].into()));
    assert!(types.unify(row, around).is_err());
    assert!(types.compare(around, row).is_err());
    let array = types.node(Shape::Array(part));
    assert!(types.unify(part, array).is_err());
    assert!(types.unify(array, part).is_err());
    types.resolve_plain(around);
    assert_eq!(types.shape(part), Shape::Plain(0));
    // What has no ids may stand for an array, and that be the one around it.
    let scalar = types.native(TEXT);
    let array = types.node(Shape::Array(scalar));
    let around = types.node(Shape::Array(array));
    types.unify(array, around).unwrap();
    assert!(!types.has_id(around) && types.is_uuid_or_native(array));
}
