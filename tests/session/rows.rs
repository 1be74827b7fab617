//! Results: the two lines of defence, the sentinels, and every shape of value.

use crate::stage::*;
use pgveil::session::Event;

#[test]
fn encrypts_by_origin_what_the_plan_took_for_clean() {
    let mut stage = Stage::ready();
    stage.client(&query("clean"));
    let answer = [
        columns(&[("n", 0, 0, 20), ("user_id", ORDERS, 2, 20)], 0),
        text_row(&["7", "7"]),
        tag("SELECT 1"),
        ready('I'),
    ];
    stage.server(&answer.concat());
    assert_eq!(stage.shown()[1], legible(&text_row(&["7", &id(7)]))[0]);
    let expected = Event::Disagreement {
        table: ORDERS,
        attnum: 2,
    };
    assert_eq!(events(), [expected]);
}

#[test]
fn ends_a_session_whose_result_does_not_fit_its_plan() {
    for description in [
        columns(&[("id", 0, 0, 20)], 0),
        columns(&[("id", 0, 0, 20), ("e", 0, 0, 25), ("more", 0, 0, 20)], 0),
        // A type that holds no key.
        columns(&[("id", 0, 0, 1700), ("e", 0, 0, 25)], 0),
    ] {
        let mut stage = Stage::ready();
        stage.client(&query("ids"));
        let refused = stage.refusal_of(&description);
        assert_eq!(refused.as_deref(), Some("58000"));
    }
}

#[test]
fn ends_a_session_that_gets_rows_without_a_description() {
    let mut stage = Stage::ready();
    stage.client(&query("clean"));
    assert!(stage.try_server(&text_row(&["7"])).is_err());
    assert!(stage.shown().is_empty());
}

const UNKNOWN: &str = "11111111-1111-8111-8111-111111111111";
const OTHER: &str = "22222222-2222-8222-8222-222222222222";
const NIL: &str = "00000000-0000-0000-0000-000000000000";
const MAX: &str = "ffffffff-ffff-ffff-ffff-ffffffffffff";

/// The result of a query by these literals whose answer holds `key`.
fn echoed(literals: &[&str], key: i64) -> Result<String, String> {
    let mut stage = Stage::ready();
    let literals: Vec<String> = literals
        .iter()
        .map(|literal| format!(" '{literal}'"))
        .collect();
    stage.client(&query(&format!("by literal{}", literals.concat())));
    stage.server(&columns(&[("id", 0, 0, 20)], 0));
    stage.shown();
    let rows = [text_row(&["7"]), text_row(&[&key.to_string()])].concat();
    stage.try_server(&rows).unwrap();
    let shown = stage.shown();
    match shown.get(1) {
        Some(row) => Ok(row[row.len() - 36..].to_owned()),
        None => Err(stage.fault(b"")),
    }
}

#[test]
fn shows_the_id_that_was_sent_where_the_server_shows_the_sentinel() {
    assert_eq!(echoed(&[UNKNOWN], i64::MIN), Ok(UNKNOWN.to_owned()));
    assert_eq!(
        echoed(&[UNKNOWN, UNKNOWN], i64::MIN),
        Ok(UNKNOWN.to_owned())
    );
    assert_eq!(echoed(&[MAX], i64::MAX), Ok(MAX.to_owned()));
    assert_eq!(echoed(&[UNKNOWN], i64::MAX), Ok(id(i64::MAX)));
}

#[test]
fn shows_no_sentinel_that_could_stand_for_two_ids_or_for_none() {
    let none = |literals: &[&str], key| echoed(literals, key).unwrap_err();
    assert!(none(&[], i64::MIN).contains("|CXX000|"));
    assert!(none(&[UNKNOWN], i64::MIN + 1).contains("|CXX000|"));
}

#[test]
fn tells_apart_several_ids_that_were_never_issued() {
    for (key, expected) in [(i64::MIN, UNKNOWN), (i64::MIN + 1, OTHER)] {
        let shown = echoed(&[UNKNOWN, OTHER, UNKNOWN], key);
        assert_eq!(shown.unwrap(), expected);
    }
    // The nil UUID is where ranges begin, and all sentinels are.
    for (key, expected) in [(i64::MIN, UNKNOWN), (i64::MIN + 1, NIL)] {
        assert_eq!(echoed(&[UNKNOWN, NIL], key).unwrap(), expected);
    }
    assert_eq!(echoed(&[NIL, OTHER], i64::MIN).unwrap(), NIL);
    // More of them than there are sentinels share the first.
    let many: Vec<String> = (0..300)
        .map(|n| format!("11111111-1111-8111-8111-{n:012}"))
        .collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    assert_eq!(echoed(&many, i64::MIN + 7).unwrap(), many[7]);
    assert!(echoed(&many, i64::MIN).unwrap_err().contains("|C54000|"));
}

#[test]
fn sends_sentinels_for_ids_that_were_never_issued() {
    let mut stage = Stage::ready();
    let foreign = codec("order").encode(pgveil::codec::Key::new(5)).to_text();
    let foreign = String::from_utf8(foreign.to_vec()).unwrap();
    stage.client(&query(&format!(
        "by literal '{NIL}' '{MAX}' '{foreign}' '{foreign}'"
    )));
    let (min, max) = (i64::MIN, i64::MAX);
    let next = min + 1;
    assert_eq!(
        stage.sent(),
        [format!("Q by literal '{min}' '{max}' '{next}' '{next}'|")]
    );
}

#[test]
fn translates_arrays_of_parameters() {
    let mut stage = Stage::ready();
    let (a, b) = (id(1), id(2));
    let text = format!("{{{a},NULL,\"{b}\"}}");
    stage.client(
        &[
            parse("", "by ids $1", &[]),
            bind("", "", &[], &[Some(text.as_bytes())], &[]),
            sync(),
        ]
        .concat(),
    );
    let expected = [
        parse("", "by ids $1", &[1016]),
        bind("", "", &[], &[Some(b"{1,NULL,2}")], &[]),
        sync(),
    ];
    assert_eq!(stage.sent_bytes(), expected.concat());
}

#[test]
fn translates_many_rows_of_binary_arrays() {
    let array = |element_type: u32, elements: &[&[u8]]| {
        let mut value = Vec::new();
        for word in [1, 0, element_type, elements.len() as u32, 1] {
            value.extend(word.to_be_bytes());
        }
        for element in elements {
            value.extend((element.len() as u32).to_be_bytes());
            value.extend(*element);
        }
        value
    };
    let mut stage = Stage::ready();
    let batch = [
        parse("", "arrays", &[]),
        bind("", "", &[], &[], &[1]),
        describe('P', ""),
    ];
    stage.client(&[batch.concat(), execute(""), sync()].concat());
    let answer = [
        frame(b'1', b""),
        frame(b'2', b""),
        columns(&[("a", 0, 0, 1016)], 1),
    ];
    stage.server(&answer.concat());
    stage.shown();
    let (mut rows, mut expected) = (Vec::new(), Vec::new());
    for key in 0..200_i64 {
        let keys = [key.to_be_bytes(), (key + 1).to_be_bytes()];
        rows.extend(row(&[Some(&array(20, &[&keys[0], &keys[1]]))]));
        let ids = [id_bytes(key), id_bytes(key + 1)];
        expected.extend(row(&[Some(&array(2950, &[&ids[0], &ids[1]]))]));
    }
    stage.server(&rows);
    assert!(stage.shown_bytes() == expected);
}

#[test]
fn analyses_what_a_glance_has_cleared_if_the_origin_of_its_result_is_not_known() {
    for (text, description, shown) in [
        (
            "glance at unknown",
            columns(&[("email", USERS, 2, 25)], 0),
            true,
        ),
        ("glance at unknown", columns(&[("max", 0, 0, 20)], 0), false),
        ("glance", columns(&[("count", 0, 0, 20)], 0), true),
        ("glance", columns(&[("id", USERS, 1, 20)], 0), true),
    ] {
        let mut stage = Stage::ready();
        stage.client(&query(text));
        assert_eq!(stage.sent(), [format!("Q {text}|")]);
        assert_eq!(stage.refusal_of(&description).is_none(), shown, "{text}");
    }
}
