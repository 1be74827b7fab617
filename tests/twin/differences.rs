//! The comparison can fail: every way in which the answers of pgveil could differ from the
//! twin's is made from equal answers by one change, and must be found.

use super::twin::case::Step;
use super::twin::compare::{Comparison, Relations};
use super::twin::message::{Column, Fields, Message, Raw};
use super::twin::renaming::Renaming;

/// Changes one thing.
type Change<T> = fn(&mut T);

const ANN: &str = "10000001-8729-4729-8d11-d11e8ef31505";
const BOB: &str = "10000002-cadb-4adb-82da-2daf3eaf5847";
const VEILED_ANN: &str = "6f1d4c1e-83a5-8b60-9d2e-52f7a9c4b310";
const VEILED_BOB: &str = "0c7be9f4-5a17-8e02-b6d3-94a1f0e8c725";

fn column(name: &str, type_oid: u32) -> Column {
    Column {
        name: name.to_owned(),
        table: 20_000,
        attribute: 1,
        type_oid,
        size: 16,
        modifier: -1,
        format: 0,
    }
}

fn row(values: &[&str]) -> Message {
    Message::DataRow(
        values
            .iter()
            .map(|value| Some(Raw(value.as_bytes().to_vec())))
            .collect(),
    )
}

fn error(fields: &[(char, &str)]) -> Message {
    Message::Error(
        fields
            .iter()
            .map(|(letter, text)| (*letter, (*text).to_owned()))
            .collect::<Fields>(),
    )
}

/// Answers over two ids, as one side sees them.
fn answers(ann: &str, bob: &str) -> Vec<Message> {
    vec![
        Message::ParameterDescription(vec![2950]),
        Message::RowDescription(vec![column("id", 2950), column("name", 25)]),
        row(&[ann, "Ann"]),
        row(&[bob, "Bob"]),
        row(&[ann, "Ann again"]),
        Message::CommandComplete("SELECT 3".to_owned()),
        error(&[
            ('C', "23503"),
            ('M', "it fails"),
            ('D', &format!("Key (id)=({bob}) is gone.")),
        ]),
        Message::ReadyForQuery('E'),
    ]
}

fn compare(sql: &str, twin: &[Message], veil: &[Message]) -> Option<String> {
    let relations: Relations = [(20_000, "users".to_owned()), (20_001, "orders".to_owned())].into();
    Comparison {
        step: &Step::statement(sql),
        veiled: true,
        relations: (&relations, &relations),
        renaming: &mut Renaming::default(),
    }
    .difference(twin, veil)
}

const ORDERED: &str = "select id, name from users order by id";

#[test]
fn a_renaming_of_ids_is_no_difference() {
    let found = compare(
        ORDERED,
        &answers(ANN, BOB),
        &answers(VEILED_ANN, VEILED_BOB),
    );
    assert_eq!(found, None);
}

#[test]
fn rows_in_another_order_differ_only_where_the_statement_orders_them() {
    let mut veil = answers(VEILED_ANN, VEILED_BOB);
    veil.swap(2, 3);
    // Without an order two ids that nobody has seen before may stand for each other either way;
    // the names beside them tell which.
    assert_eq!(
        compare("select id, name from users", &answers(ANN, BOB), &veil),
        None
    );
    assert!(compare(ORDERED, &answers(ANN, BOB), &veil).is_some());
}

#[test]
fn every_single_change_is_found() {
    let changes: Vec<(&str, Change<Vec<Message>>)> = vec![
        ("one id for two", |veil| veil[3] = row(&[VEILED_ANN, "Bob"])),
        ("two ids for one", |veil| {
            veil[4] = row(&["11111111-83a5-8b60-9d2e-52f7a9c4b310", "Ann again"])
        }),
        ("ids that change places", |veil| {
            veil[4] = row(&[VEILED_BOB, "Ann again"])
        }),
        ("a key in place of an id", |veil| {
            veil[2] = row(&["8613972450000001", "Ann"])
        }),
        ("another value", |veil| veil[2] = row(&[VEILED_ANN, "ann"])),
        ("NULL", |veil| {
            veil[2] = Message::DataRow(vec![None, Some(Raw(b"Ann".to_vec()))])
        }),
        ("a value too few", |veil| veil[2] = row(&[VEILED_ANN])),
        ("a row too few", |veil| drop(veil.remove(4))),
        ("a row too many", |veil| {
            veil.insert(4, row(&[VEILED_BOB, "Bob"]))
        }),
        ("the type of a parameter", |veil| {
            veil[0] = Message::ParameterDescription(vec![20])
        }),
        ("another tag", |veil| {
            veil[5] = Message::CommandComplete("SELECT 2".to_owned())
        }),
        ("another state", |veil| {
            veil[7] = Message::ReadyForQuery('T')
        }),
        ("no error", |veil| drop(veil.remove(6))),
        ("a notice", |veil| {
            veil.insert(2, Message::Notice(Fields::new()))
        }),
        ("a status", |veil| {
            veil.insert(2, Message::ParameterStatus("a".to_owned(), "b".to_owned()))
        }),
    ];
    for (what, change) in changes {
        let mut veil = answers(VEILED_ANN, VEILED_BOB);
        change(&mut veil);
        for sql in [ORDERED, "select id, name from users"] {
            assert!(
                compare(sql, &answers(ANN, BOB), &veil).is_some(),
                "{what} is not found"
            );
        }
    }
}

#[test]
fn every_field_of_a_column_counts() {
    let changes: Vec<(&str, Change<Column>)> = vec![
        ("name", |column| column.name = "int8".to_owned()),
        ("origin", |column| column.table = 20_001),
        ("no origin", |column| column.table = 0),
        ("attribute", |column| column.attribute = 2),
        ("type", |column| column.type_oid = 20),
        ("size", |column| column.size = 8),
        ("modifier", |column| column.modifier = 4),
        ("format", |column| column.format = 1),
    ];
    for (what, change) in changes {
        let mut veil = answers(VEILED_ANN, VEILED_BOB);
        let mut changed = column("id", 2950);
        change(&mut changed);
        veil[1] = Message::RowDescription(vec![changed, column("name", 25)]);
        assert!(
            compare(ORDERED, &answers(ANN, BOB), &veil).is_some(),
            "{what} is not found"
        );
    }
}

#[test]
fn every_field_of_an_error_counts_but_its_place_in_the_source() {
    let detail = format!("Key (id)=({VEILED_BOB}) is gone.");
    let same = [('C', "23503"), ('M', "it fails"), ('D', detail.as_str())];
    let with = |letter: char, text: &str| {
        let mut fields: Vec<_> = same
            .iter()
            .copied()
            .filter(|(known, _)| *known != letter)
            .collect();
        fields.push((letter, text));
        let mut veil = answers(VEILED_ANN, VEILED_BOB);
        veil[6] = error(&fields);
        compare(ORDERED, &answers(ANN, BOB), &veil)
    };
    for letter in [
        'C', 'M', 'S', 'V', 'P', 'H', 'W', 's', 't', 'c', 'n', 'd', 'q', 'p',
    ] {
        assert!(
            with(letter, "42").is_some(),
            "the field {letter} is not compared"
        );
    }
    for detail in [
        format!("Key (id)=({VEILED_ANN}) is gone."),
        "Key (id)=(8613972450000002) is gone.".to_owned(),
        format!("Key (id)=({VEILED_BOB}) is gone"),
    ] {
        assert!(with('D', &detail).is_some(), "{detail}");
    }
    for letter in ['F', 'L', 'R'] {
        assert_eq!(with(letter, "elsewhere"), None);
    }
}

#[test]
fn binary_and_text_are_told_apart() {
    let id = |text: &str| {
        let digits: String = text.chars().filter(|c| *c != '-').collect();
        let byte = |at: usize| u8::from_str_radix(&digits[at..at + 2], 16).unwrap();
        (0..32).step_by(2).map(byte).collect::<Vec<u8>>()
    };
    let head = || Message::RowDescription(vec![column("id", 2950)]);
    let binary = |text: &str| vec![head(), Message::DataRow(vec![Some(Raw(id(text)))])];
    let text = |text: &str| vec![head(), row(&[text])];
    assert_eq!(compare(ORDERED, &binary(ANN), &binary(VEILED_ANN)), None);
    assert!(compare(ORDERED, &binary(ANN), &text(VEILED_ANN)).is_some());
    assert!(compare(ORDERED, &text(ANN), &binary(VEILED_ANN)).is_some());
}
