//! Refusing statements and values the Postgres way: a poisoned message in their place, and the
//! error that it provokes rewritten.

use crate::stage::*;
use pgveil::audit;
use pgveil::session::{Event, Mode};
use pgveil::sql::refusal::Code;

const POISON: &str = "SELECT \"pgveil refuses this statement\"";

#[test]
fn refuses_one_statement_of_several() {
    let mut stage = Stage::ready();
    stage.client(&query("one; é refuse !; three"));
    assert_eq!(
        stage.sent(),
        [format!("Q one; {POISON};<c3><a9> refuse !; three|")]
    );
    stage.server(&[tag("SET"), poison_error(), ready('I')].concat());
    assert_eq!(
        stage.shown(),
        [
            "C SET|",
            "E SERROR|VERROR|C42883|Mno such operator|P15||",
            "Z I"
        ]
    );
    assert_eq!(
        events(),
        [Event::Refused {
            code: Code::Expression.as_str(),
            sqlstate: "42883",
            passed: false,
            statement: Some(audit::Statement::new("é refuse !")),
            position: Some(15),
        }]
    );
}

#[test]
fn a_parse_is_refused_once_the_server_has_parsed_what_stands_behind_the_poison() {
    let two = "cannot insert multiple commands into a prepared statement";
    let syntax = |place: usize| {
        let place = place.to_string();
        let fields = [
            ('S', "ERROR"),
            ('V', "ERROR"),
            ('C', "42601"),
            ('M', "syntax error"),
            ('P', &place),
        ];
        report(b'E', &fields)
    };
    let told = |answer: Vec<u8>| {
        let mut stage = Stage::ready();
        stage.client(&[parse("", "refuse !", &[]), sync()].concat());
        stage.server(&[answer, ready('I')].concat());
        stage.shown().swap_remove(0)
    };
    let refused = "E SERROR|VERROR|C42883|Mno such operator|P8||";
    assert_eq!(told(error("42601", two)), refused);
    let place = POISON.len() + 1 + 8;
    assert_eq!(
        told(syntax(place)),
        "E SERROR|VERROR|C42601|Msyntax error|P8||"
    );
}

#[test]
fn a_transaction_that_has_failed_says_so_of_what_is_refused() {
    let mut stage = Stage::ready();
    stage.client(&query("nothing"));
    stage.server(&[error("22012", "division by zero"), ready('E')].concat());
    stage.sent();
    stage.client(&[parse("", "refuse !", &[]), sync()].concat());
    assert_eq!(stage.sent()[0], format!("P |{POISON}|||"));
}

#[test]
fn passes_other_errors_in_the_place_of_the_provoked_one() {
    let mut stage = Stage::ready();
    stage.client(&query("refuse"));
    stage.server(&[error("25P02", "aborted"), ready('E')].concat());
    assert_eq!(stage.shown()[0], "E SERROR|VERROR|C25P02|Maborted||");
}

#[test]
fn refuses_a_parse_and_lets_the_server_skip_the_rest() {
    let mut stage = Stage::ready();
    let batch = [
        parse("s", "refuse !", &[25]),
        bind("", "s", &[], &[], &[]),
        execute(""),
        sync(),
        query("nothing"),
    ];
    stage.client(&batch.concat());
    let sent = stage.sent_bytes();
    let poisoned = parse("s", &format!("{POISON};refuse !"), &[25]);
    assert_eq!(sent[..poisoned.len()], poisoned);
    stage.server(&[poison_error(), ready('I'), tag("SET"), ready('I')].concat());
    assert_eq!(
        stage.shown(),
        [
            "E SERROR|VERROR|C42883|Mno such operator|P8||",
            "Z I",
            "C SET|",
            "Z I"
        ]
    );
    assert!(stage.session.is_idle());
}

#[test]
fn drops_what_the_server_would_skip() {
    let mut stage = Stage::ready();
    stage.client(&parse("", "refuse", &[]));
    stage.sent();
    stage.server(&poison_error());
    stage.client(&[query("ids"), bind("", "", &[], &[], &[]), sync()].concat());
    assert_eq!(stage.sent(), ["S"]);
    stage.server(&ready('I'));
    assert!(stage.session.is_idle());
}

#[test]
fn several_statements_in_a_parse_are_refused_by_the_server() {
    let batch = [
        parse("s", "by literal 'x'; ids", &[]),
        bind("", "s", &[], &[], &[]),
        execute(""),
        sync(),
    ];
    let mut stage = Stage::ready();
    stage.client(&batch.concat());
    // What would use it waits until the server has refused it.
    assert_eq!(stage.sent(), ["P s|by literal 'x'; ids|||", "H"]);
    let message = "cannot insert multiple commands into a prepared statement";
    stage.server(&error("42601", message));
    assert_eq!(
        stage.shown(),
        [format!("E SERROR|VERROR|C42601|M{message}||")]
    );
    assert_eq!(stage.sent(), ["S"]);
    stage.server(&ready('I'));
    assert!(stage.session.is_idle());
    // A server that takes them for one statement takes something else for a string.
    let mut stage = Stage::ready();
    stage.client(&batch.concat());
    assert!(stage.try_server(&frame(b'1', b"")).is_err());
}

#[test]
fn the_answers_to_what_came_before_a_message_out_of_place_are_not_lost() {
    for wrong in [
        frame(b'p', b"secret\0"),
        frame(b'Q', b"")[..4].iter().copied().chain([3]).collect(),
    ] {
        let mut stage = Stage::ready();
        stage.client(&[query("ids"), wrong.clone(), query("ids")].concat());
        assert_eq!(stage.sent(), ["Q ids|"]);
        let row = columns(&[("id", USERS, 1, 20), ("e", USERS, 2, 25)], 0);
        stage.server(&[row, text_row(&["7", "a"])].concat());
        assert!(stage.shown()[1].contains(&id(7)));
        let fatal = stage.try_server(&[tag("SELECT 1"), ready('I')].concat());
        assert_eq!(fatal.unwrap_err().sqlstate(), "08P01");
        assert_eq!(stage.shown(), ["C SELECT 1|", "Z I"]);
        // Inside of a batch the server has to be asked for them.
        let mut stage = Stage::ready();
        stage.client(&[parse("", "ids", &[]), wrong].concat());
        assert_eq!(stage.sent(), ["P |ids|||", "H"]);
        let fatal = stage.try_server(&frame(b'1', b""));
        assert_eq!(fatal.unwrap_err().sqlstate(), "08P01");
        assert_eq!(stage.shown(), ["1"]);
    }
}

/// A batch with one value for `$1` and the error that the server raises for it.
fn refused_value(text: &str, format: u16, value: &[u8], code: &str) -> (Vec<String>, Vec<String>) {
    let mut stage = Stage::ready();
    let batch = [
        parse("", text, &[]),
        bind("", "", &[format], &[Some(value)], &[]),
        execute(""),
        sync(),
    ];
    stage.client(&batch.concat());
    let sent = stage.sent();
    stage.server(&[frame(b'1', b""), error(code, "provoked"), ready('I')].concat());
    assert!(stage.session.is_idle());
    (sent, stage.shown())
}

#[test]
fn refuses_values_that_are_no_ids_as_uuid_does() {
    let (sent, shown) = refused_value("by id $1", 0, b"42", "22P02");
    assert!(sent[1].contains("pgveil"));
    assert_eq!(
        shown[1],
        "E SERROR|VERROR|C22P02|Minvalid input syntax for type uuid: \"42\"||"
    );
    let (sent, shown) = refused_value("by id $1", 1, &42_i64.to_be_bytes(), "08P01");
    assert!(sent[1].contains("<03>|||"), "three bytes: {}", sent[1]);
    assert!(shown[1].contains("C08P01|Minsufficient data left in message"));
    let (_, shown) = refused_value("by ids $1", 0, b"{42", "22P02");
    assert!(shown[1].contains("Mmalformed array literal: \"{42\""));
}

#[test]
fn passes_other_errors_of_a_bind() {
    let (_, shown) = refused_value("by id $1", 0, b"42", "26000");
    assert_eq!(shown[1], "E SERROR|VERROR|C26000|Mprovoked||");
}

#[test]
fn never_stores_what_was_not_issued() {
    let nil = "00000000-0000-0000-0000-000000000000";
    let mut stage = Stage::ready();
    let batch = [
        parse("", "store $1", &[]),
        bind("", "", &[], &[Some(nil.as_bytes())], &[]),
        execute(""),
        sync(),
    ];
    stage.client(&batch.concat());
    // NULL, and no Execute.
    let expected = [
        parse("", "store $1", &[20]),
        bind("", "", &[], &[None], &[]),
        parse("pgveil refuses this statement", POISON, &[]),
        sync(),
    ];
    assert_eq!(stage.sent(), legible(&expected.concat()));
    let answer = [
        frame(b'1', b""),
        frame(b'2', b""),
        poison_error(),
        ready('I'),
    ];
    stage.server(&answer.concat());
    let shown = stage.shown();
    assert!(shown[2].contains(
        "C23503|Minsert or update on table \"orders\" violates foreign key constraint \
         \"orders_user_id_fkey\"|D"
    ));
    assert!(shown[2].contains(&format!(
        "DKey (user_id)=({nil}) is not present in table \"users\"."
    )));
    assert!(shown[2].contains("spublic|torders|norders_user_id_fkey|"));
    assert!(stage.session.is_idle());

    let mut stage = Stage::ready();
    stage.client(&query(&format!("store literal '{nil}'")));
    assert_eq!(stage.sent(), [format!("Q {POISON};store literal '{nil}'|")]);
}

#[test]
fn counts_the_parameters_that_the_client_sees() {
    let mut stage = Stage::ready();
    let batch = [
        parse("", "twice $1 $1", &[]),
        bind("", "", &[], &[Some(b"a"), Some(b"b")], &[]),
        sync(),
    ];
    stage.client(&batch.concat());
    assert_eq!(stage.sent()[1], "B ||||||||", "no values at all");
    stage.server(&[frame(b'1', b""), error("08P01", "provoked"), ready('I')].concat());
    assert!(
        stage.shown()[1].contains(
            "Mbind message supplies 2 parameters, but prepared statement \"\" requires 1"
        )
    );
}

#[test]
fn refuses_function_calls_in_their_turn() {
    let mut stage = Stage::ready();
    stage.client(
        &[
            query("nothing"),
            frame(b'F', b"\0\0\0\x01\0\0\0\0\0\0"),
            query("ids"),
        ]
        .concat(),
    );
    assert_eq!(
        stage.sent(),
        ["Q nothing|", &format!("Q {POISON}|"), "Q ids|"]
    );
    stage.server(&[tag("SET"), ready('T'), poison_error(), ready('E')].concat());
    let shown = stage.shown();
    assert!(shown[2].contains("C0A000|Mfunction calls"));
    assert_eq!(shown[3], "Z E");
}

#[test]
fn passes_what_would_be_refused_in_audit_mode_and_says_so() {
    let mut stage = Stage::in_mode(Mode::Audit);
    stage.client(&query("refuse; by literal 'x'"));
    assert_eq!(stage.sent(), ["Q refuse; by literal 'x'|"]);
    assert_eq!(events().len(), 2);
    // Provenance still encrypts.
    let answer = [columns(&[("id", USERS, 1, 20)], 0), text_row(&["7"])].concat();
    stage.server(&answer);
    assert!(stage.shown()[1].contains(&id(7)));
}

#[test]
fn audit_mode_ends_no_session_and_drops_no_message() {
    let mut stage = Stage::in_mode(Mode::Audit);
    // What is computed has no origin that could tell.
    stage.client(&query("refuse"));
    let computed = columns(&[("n", 0, 0, 20)], 0);
    stage.server(&[computed.clone(), text_row(&["7"])].concat());
    assert_eq!(stage.shown().len(), 2);
    stage.server(&[frame(b'C', b"SELECT 1\0"), ready('I')].concat());
    stage.shown();
    // What has been passed has left a name that nobody knows.
    stage.client(&query("execute s"));
    stage.server(&[computed, text_row(&["7"])].concat());
    assert_eq!(stage.shown().len(), 2);
    stage.server(&[frame(b'C', b"SELECT 1\0"), ready('I')].concat());
    stage.shown();
    events();
    // That a column that passes holds keys is no disagreement of the analysis.
    for text in ["refuse", "execute s", "fetch p"] {
        stage.client(&query(text));
        stage.server(&columns(&[("id", USERS, 1, 20)], 0));
        let told = events();
        let disagrees = |event: &Event| matches!(event, Event::Disagreement { .. });
        assert!(!told.iter().any(disagrees), "{text}: {told:?}");
        // Nor is it refused once more where its name is used.
        assert_eq!(told.is_empty(), text != "refuse", "{text}: {told:?}");
        stage.server(&[text_row(&["7"]), frame(b'C', b"SELECT 1\0"), ready('I')].concat());
        stage.shown();
    }
    stage.server(&frame(b'A', b"\0\0\0\x01c\0ticket 8613972450000001\0"));
    assert_eq!(stage.shown().len(), 1);
    assert!(matches!(
        events()[..],
        [Event::NotificationDropped { passed: true }]
    ));
}

#[test]
fn refuses_to_execute_in_sql_with_an_expression_for_an_id() {
    let mut stage = Stage::ready();
    stage.client(&[parse("s", "by id $1", &[]), sync()].concat());
    stage.server(&[frame(b'1', b""), ready('I')].concat());
    stage.sent();
    stage.client(&[query("execute s(now())"), query("execute s('id')")].concat());
    assert_eq!(
        stage.sent(),
        [
            format!("Q {POISON};execute s(now())|"),
            "Q execute s('7')|".to_owned()
        ]
    );
}

#[test]
fn refuses_to_execute_in_sql_what_the_same_text_prepares() {
    let mut stage = Stage::ready();
    stage.client(&query("prepare s as by id $1; execute s('id')"));
    assert_eq!(
        stage.sent(),
        [format!(
            "Q prepare s as by id $1; {POISON};execute s('id')|"
        )]
    );
}

#[test]
fn keeps_the_context_that_names_a_parameter() {
    for (context, kept) in [
        ("unnamed portal parameter $1 = '...'", true),
        ("unnamed portal parameter $1", true),
        ("portal \"p\" parameter $12 = '...'", true),
        ("unnamed portal parameter $1 = 'pgveil'", false),
        ("unnamed portal with parameters: $1 = '42'", false),
    ] {
        let mut stage = Stage::ready();
        stage.client(
            &[
                parse("", "by id $1", &[]),
                bind("", "", &[], &[Some(b"42")], &[]),
            ]
            .concat(),
        );
        stage.server(&frame(b'1', b""));
        stage.shown();
        let fields = [
            ('V', "ERROR"),
            ('C', "22P02"),
            ('M', "provoked"),
            ('W', context),
        ];
        stage.server(&report(b'E', &fields));
        assert_eq!(stage.shown()[0].contains(context), kept, "{context}");
    }
}
