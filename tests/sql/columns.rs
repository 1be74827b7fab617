//! Which columns belong to which domain, and what that says of types, by rows that a database
//! could give.

#![expect(clippy::unwrap_used, reason = "a test reports by failing")]

use std::sync::Arc;

use pgveil::catalog::{
    CatalogShows, ColumnTypes, IdAnnotation, KeyType, Loader, Oid, SearchPath, Snapshot,
};
use pgveil::codec::{
    Codec, Direction, Ff1Width, IntCodec, Presentation, Secret, Session40, UuidCodec,
};
use pgveil::config::{ColumnName, JsonAnnotation, PathStep};
use pgveil::sql::{self, Context, Verdict};

fn annotation(name: &str, column: &str, types: ColumnTypes) -> IdAnnotation {
    let mut parts = column.split('.').map(str::to_owned);
    let mut next = || parts.next().unwrap();
    let column = ColumnName {
        schema: "public".to_owned(),
        table: next(),
        column: next(),
    };
    IdAnnotation {
        name: name.to_owned(),
        column: column.into(),
        references: Vec::new(),
        json: Vec::new(),
        types,
    }
}

fn texts() -> ColumnTypes {
    let secret = Secret::generate().unwrap();
    Codec::sessions(Session40::new(&secret, &"session".parse().unwrap())).column_types()
}

/// A database of tables with one column `id` of a type each, and foreign keys between them.
fn load(
    annotations: Vec<IdAnnotation>,
    tables: &[(&str, &str, &str)],
    keys: &[(&str, &str)],
) -> Snapshot {
    let mut loader = Loader::new(Arc::from(annotations));
    let mut row = |fields: &[&str]| {
        let fields: Vec<_> = fields.iter().map(|field| Some(field.as_bytes())).collect();
        loader.row(&fields).unwrap();
    };
    for (oid, name, type_oid) in tables {
        row(&["relation", oid, "public", name, "r", ""]);
        row(&["column", oid, "1", "id", type_oid]);
    }
    for (child, parent) in keys {
        row(&["foreign key", child, "fk", "1", parent, "1"]);
    }
    row(&["domain", "16900", "16901"]);
    row(&["domain", "16901", "1043"]);
    loader.finish().snapshot
}

/// The columns that can't hold ids, in words; all of them are closed.
fn misfits(snapshot: &Snapshot) -> String {
    let misfits = snapshot.misfits().iter().map(|misfit| {
        let pattern = misfit.column.clone().into();
        let (_, column) = snapshot.matching(&pattern)[0];
        assert!(column.derived && column.id.is_none(), "{misfit}");
        misfit.to_string()
    });
    misfits.collect::<Vec<_>>().join("\n")
}

#[test]
fn a_foreign_key_may_be_of_another_type_of_the_same_kind() {
    let annotations = vec![
        annotation("a", "a.id", ColumnTypes::INTEGERS_AS_UUIDS),
        annotation("s", "s.id", texts()),
    ];
    let tables = [
        ("1", "a", "20"),
        ("2", "b", "23"),
        ("3", "s", "25"),
        ("4", "t", "16900"),
        ("5", "u", "1042"),
    ];
    let keys = [("2", "1"), ("4", "3"), ("5", "4")];
    let snapshot = load(annotations, &tables, &keys);
    let id = |table| snapshot.provenance(Oid(table), 1).unwrap().id;
    assert_eq!(
        (id(1).key_type, id(1).shown),
        (KeyType::Int8, KeyType::Uuid)
    );
    assert_eq!(
        (id(2).key_type, id(2).shown),
        (KeyType::Int4, KeyType::Uuid)
    );
    assert_eq!(
        (id(3).key_type, id(3).shown),
        (KeyType::Text, KeyType::Text)
    );
    // A domain over a domain over varchar.
    assert_eq!(
        (id(4).key_type, id(4).shown),
        (KeyType::Varchar, KeyType::Text)
    );
    assert_eq!(
        (id(5).key_type, id(5).shown),
        (KeyType::Bpchar, KeyType::Text)
    );
}

#[test]
fn a_column_of_a_type_without_ids_is_closed_with_words_that_name_both() {
    let annotations = vec![annotation("a", "a.id", ColumnTypes::INTEGERS_AS_UUIDS)];
    let snapshot = load(annotations, &[("1", "a", "1700")], &[]);
    assert_eq!(
        misfits(&snapshot),
        "public.a.id is of type numeric and belongs to id \"a\", whose codec has ids for \
         columns of type smallint, integer or bigint"
    );
    // A foreign key takes its column along.
    let secret = Secret::generate().unwrap();
    let codec = IntCodec::ff1(&secret, &"a".parse().unwrap(), Ff1Width::B53);
    let wide = vec![annotation(
        "a",
        "a.id",
        Codec::integers(codec).column_types(),
    )];
    let snapshot = load(wide, &[("1", "a", "20"), ("2", "b", "23")], &[("2", "1")]);
    assert_eq!(
        misfits(&snapshot),
        "public.b.id is of type integer and belongs to id \"a\", whose codec has ids for \
         columns of type bigint"
    );
}

#[test]
fn what_may_hold_keys_depends_on_the_types_of_the_keys() {
    let integers = vec![annotation("a", "a.id", ColumnTypes::INTEGERS_AS_UUIDS)];
    let integers = load(integers, &[("1", "a", "20")], &[]);
    let holds = |snapshot: &Snapshot, oids: &[u32]| {
        oids.iter()
            .map(|oid| snapshot.may_hold_keys(Oid(*oid)))
            .collect::<Vec<_>>()
    };
    // bigint, integer[], uuid, text, jsonb, boolean, a type of the user's
    let oids = [20, 1007, 2950, 25, 3802, 16, 20_000];
    let expected = [true, true, false, true, true, false, true];
    assert_eq!(holds(&integers, &oids), expected);

    let codec = UuidCodec::aes(
        &Secret::generate().unwrap(),
        &"a".parse().unwrap(),
        Direction::Forward,
    );
    let native = || Presentation::Native;
    let uuids = Codec::uuids(codec, native(), native()).column_types();
    let uuids = load(
        vec![annotation("a", "a.id", uuids)],
        &[("1", "a", "2950")],
        &[],
    );
    let expected = [false, false, true, true, true, false, true];
    assert_eq!(holds(&uuids, &oids), expected);

    let none = load(Vec::new(), &[("1", "a", "20")], &[]);
    assert!(!holds(&none, &oids).contains(&true));
    assert!(!none.has_ids());
}

#[test]
fn documents_whose_keys_have_no_column_that_says_what_they_are_are_hidden() {
    let mut user = annotation("user", "users.id", ColumnTypes::INTEGERS_AS_UUIDS);
    user.json.push(JsonAnnotation {
        column: annotation("", "letters.id", ColumnTypes::INTEGERS_AS_UUIDS).column,
        path: vec![PathStep::Member("user".to_owned())],
        numbers: None,
        line: 1,
    });
    let letters = ("2", "letters", "3802");
    let users = ("1", "users", "20");
    let known = load(vec![user.clone()], &[users, letters], &[]);
    let column = |snapshot: &Snapshot| snapshot.relation(Oid(2)).unwrap().columns[0].clone();
    assert_eq!(
        (column(&known).json.len(), column(&known).derived),
        (1, false)
    );
    let unknown = load(vec![user.clone()], &[letters], &[]);
    assert_eq!(
        (column(&unknown).json.len(), column(&unknown).derived),
        (0, true)
    );
    assert!(unknown.has_ids() && unknown.is_protected_name("letters"));
    let nothing = load(vec![user], &[("3", "other", "20")], &[]);
    assert!(!nothing.has_ids() && nothing.missing().len() == 2);
}

#[test]
fn what_is_generated_from_other_members_of_a_document_holds_no_key() {
    let mut user = annotation("user", "users.id", ColumnTypes::INTEGERS_AS_UUIDS);
    for path in [["owner", "id"].as_slice(), &["it's"]] {
        let member = |name: &&str| PathStep::Member((*name).to_owned());
        user.json.push(JsonAnnotation {
            column: annotation("", "letters.body", ColumnTypes::INTEGERS_AS_UUIDS).column,
            path: path.iter().map(member).collect(),
            numbers: None,
            line: 1,
        });
    }
    let is_derived = |expression: Option<&str>| {
        let mut loader = Loader::new(Arc::from([user.clone()]));
        let mut row = |fields: &[Option<&str>]| {
            let fields: Vec<_> = fields
                .iter()
                .map(|field| field.map(str::as_bytes))
                .collect();
            loader.row(&fields).unwrap();
        };
        for (oid, name, columns) in [
            ("1", "users", [("id", "20")].as_slice()),
            ("2", "letters", &[("body", "3802"), ("made", "25")]),
        ] {
            row(&["relation", oid, "public", name, "r", ""].map(Some));
            for (at, (name, type_oid)) in ["1", "2"].iter().zip(columns) {
                row(&["column", oid, at, name, type_oid].map(Some));
            }
        }
        row(&[Some("generated"), Some("2"), Some("2"), expression]);
        let snapshot = loader.finish().snapshot;
        let letters = snapshot.relation(Oid(2)).unwrap();
        assert!(letters.columns[1].generated);
        letters.columns[1].derived
    };
    for plain in [
        "(body ->> 'title'::text)",
        "upper((body ->> 'title'::text))",
        "((body -> 'owner'::text) ->> 'name'::text)",
        "(((body -> 'tags'::text) -> 0) ->> 'id'::text)",
        "((body ->> 'a'::text) || (body ->> 'it''s so'::text))",
    ] {
        assert!(!is_derived(Some(plain)), "{plain}");
    }
    for of_keys in [
        "(body ->> 'it''s'::text)",
        "(body -> 'owner'::text)",
        "((body -> 'owner'::text) ->> 'id'::text)",
        "((body ->> 'a'::text) || (body)::text)",
        "(jsonb_build_object('a', body) -> 'a'::text)",
        "(f((body -> 'owner'::text)) -> 'name'::text)",
        "(\"F\"((body -> 'owner'::text)) -> 'name'::text)",
        "((body || '{}'::jsonb) ->> 'title'::text)",
        "(body #>> '{title}'::text[])",
        "(body ->> made)",
        "(body ->> E'a\\\\b'::text)",
        "((body -> 'a\u{fffd}'::text))::text",
        "((body -> 0) ->> 'title'::text)",
        "(((body -> 'owner'::text) -> 0) ->> 'name'::text)",
    ] {
        assert!(is_derived(Some(of_keys)), "{of_keys}");
    }
    assert!(is_derived(None));
}

#[test]
fn catalogs_say_what_is_stored_where_the_configuration_wants_that() {
    let text = "SELECT atttypid FROM pg_catalog.pg_attribute";
    for (shows, edits) in [(CatalogShows::Ids, 1), (CatalogShows::Truth, 0)] {
        let annotations = [annotation("a", "a.id", ColumnTypes::INTEGERS_AS_UUIDS)];
        let mut loader = Loader::new(Arc::from(annotations)).showing(shows);
        for row in [
            &["relation", "1249", "pg_catalog", "pg_attribute", "r", ""][..],
            &["column", "1249", "3", "atttypid", "26"],
            &["relation", "1", "public", "a", "r", ""],
            &["column", "1", "1", "id", "20"],
        ] {
            let fields: Vec<_> = row.iter().map(|field| Some(field.as_bytes())).collect();
            loader.row(&fields).unwrap();
        }
        let snapshot = loader.finish().snapshot;
        let path = SearchPath::default();
        let script = sql::analyse(text.as_bytes(), &Context::new(&snapshot, &path));
        let [statement] = script.statements.as_slice() else {
            panic!("{script:?}");
        };
        let Verdict::Forward(plan) = &statement.verdict else {
            panic!("{script:?}");
        };
        assert_eq!(plan.edits.len(), edits, "{shows:?}");
    }
}
