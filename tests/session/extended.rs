//! The extended protocol: statements, portals, pipelines.

use std::sync::Arc;

use pgveil::session::{Analyzer, Limits, Mode, Shared};

use crate::stage::*;

fn one_id(format: i16) -> Vec<u8> {
    columns(&[("id", USERS, 1, 20)], format)
}

/// Prepares `by id $1` under a name.
fn prepare(stage: &mut Stage, name: &str) {
    stage.client(&[parse(name, "by id $1", &[]), sync()].concat());
    stage.sent();
    stage.server(&[frame(b'1', b""), ready('I')].concat());
    stage.shown();
}

#[test]
fn declares_the_types_of_id_parameters_and_shows_them_as_uuid() {
    let mut stage = Stage::ready();
    stage.client(&[parse("s", "by id $1", &[2950]), describe('S', "s"), sync()].concat());
    let expected = [parse("s", "by id $1", &[20]), describe('S', "s"), sync()];
    assert_eq!(stage.sent_bytes(), expected.concat());
    let answer = [frame(b'1', b""), parameters(&[20]), one_id(0), ready('I')];
    stage.server(&answer.concat());
    let shown = stage.shown_bytes();
    assert_eq!(shown[..5], frame(b'1', b""));
    assert_eq!(legible(&shown)[1], legible(&parameters(&[2950]))[0]);
    assert!(legible(&shown)[2].contains("<0b><86>"), "2950");
    assert!(stage.session.is_idle());
}

#[test]
fn translates_values_in_text_and_binary_each_in_its_format() {
    for (format, sent, shown) in [
        (0_u16, KEY.to_string().into_bytes(), id(KEY).into_bytes()),
        (1, KEY.to_be_bytes().to_vec(), id_bytes(KEY).to_vec()),
    ] {
        let mut stage = Stage::ready();
        prepare(&mut stage, "s");
        let batch = [
            bind("", "s", &[format], &[Some(&shown)], &[format]),
            describe('P', ""),
            execute(""),
            sync(),
        ];
        stage.client(&batch.concat());
        let expected = [
            bind("", "s", &[format], &[Some(&sent)], &[format]),
            describe('P', ""),
            execute(""),
            sync(),
        ];
        assert_eq!(stage.sent_bytes(), expected.concat());
        let rows = [row(&[Some(&sent)]), row(&[None])].concat();
        let answer = [
            frame(b'2', b""),
            one_id(i16::try_from(format).unwrap()),
            rows,
            tag("SELECT 2"),
            ready('I'),
        ];
        stage.server(&answer.concat());
        let got = stage.shown();
        assert_eq!(got[2], legible(&row(&[Some(&shown)]))[0]);
        assert_eq!(got[3], legible(&row(&[None]))[0]);
    }
}

#[test]
fn gives_a_parameter_with_two_meanings_two_values() {
    let mut stage = Stage::ready();
    stage.client(&[parse("", "twice $1 $1", &[]), describe('S', "")].concat());
    let value = id_bytes(KEY);
    stage.client(
        &[
            bind("", "", &[1], &[Some(&value)], &[]),
            execute(""),
            sync(),
        ]
        .concat(),
    );
    let expected = [
        parse("", "twice $1 $2", &[20, 2950]),
        describe('S', ""),
        bind("", "", &[1], &[Some(&KEY.to_be_bytes()), Some(&value)], &[]),
        execute(""),
        sync(),
    ];
    assert_eq!(stage.sent_bytes(), expected.concat());
    stage.server(&[frame(b'1', b""), parameters(&[20, 2950]), one_id(0)].concat());
    assert_eq!(stage.shown()[1], legible(&parameters(&[2950]))[0]);
}

#[test]
fn asks_for_a_description_once_if_the_client_does_not() {
    let mut stage = Stage::ready();
    prepare(&mut stage, "s");
    let value = id(KEY);
    let batch = [
        bind("", "s", &[], &[Some(value.as_bytes())], &[]),
        execute(""),
        sync(),
    ]
    .concat();
    stage.client(&batch);
    let kinds = |sent: Vec<String>| sent.iter().map(|f| f[..1].to_owned()).collect::<String>();
    assert_eq!(kinds(stage.sent()), "BDES");
    let rows = [row(&[Some(b"7")]), tag("SELECT 1"), ready('I')].concat();
    stage.server(&[frame(b'2', b""), one_id(0), rows.clone()].concat());
    assert_eq!(kinds(stage.shown()), "2DCZ");
    stage.client(&batch);
    assert_eq!(kinds(stage.sent()), "BES");
    stage.server(&[frame(b'2', b""), rows].concat());
    assert!(stage.shown()[1].contains(&id(7)));
}

#[test]
fn takes_back_what_the_server_refused() {
    let mut stage = Stage::ready();
    prepare(&mut stage, "s");
    // The second Parse of the name fails, and with it the rest of its batch: `s` stays.
    let value = id(KEY);
    let by_s = [bind("", "s", &[], &[Some(value.as_bytes())], &[]), sync()].concat();
    let failing = [parse("s", "other", &[]), frame(b'C', b"Ss\0"), sync()].concat();
    stage.client(&[failing, by_s].concat());
    // What is closed is known only when the Parse has been answered.
    assert_eq!(stage.sent(), ["P s|other|||", "H"]);
    assert!(!stage.session.accepts_client_input());
    stage.server(&error("42P05", "exists"));
    let sent = stage.sent();
    assert_eq!(sent[0], "S");
    assert!(sent[1].contains(&KEY.to_string()));
    stage.server(&ready('I'));
    stage.server(&[frame(b'2', b""), ready('I')].concat());
    assert!(stage.session.is_idle() && stage.session.accepts_client_input());
}

#[test]
fn keeps_the_first_of_two_statements_of_one_name_in_a_pipeline() {
    let mut stage = Stage::ready();
    let value = id(KEY);
    stage.client(
        &[
            parse("s", "by id $1", &[]),
            sync(),
            parse("s", "other", &[]),
            sync(),
            bind("", "s", &[], &[Some(value.as_bytes())], &[]),
            sync(),
        ]
        .concat(),
    );
    assert_eq!(stage.sent().len(), 2);
    stage.server(&[frame(b'1', b""), ready('I')].concat());
    stage.server(&[error("42P05", "exists"), ready('I')].concat());
    assert!(stage.sent()[2].contains(&KEY.to_string()));
    stage.server(&[frame(b'2', b""), ready('I')].concat());
    assert!(stage.session.is_idle());
}

#[test]
fn asks_the_server_what_has_a_name_that_may_have_become_free() {
    let mut stage = Stage::ready();
    prepare(&mut stage, "s");
    // A DEALLOCATE that the session has not seen: the server takes the second Parse, and a Bind
    // that was read in the light of the first one would show keys.
    stage.client(
        &[
            parse("s", "other", &[]),
            bind("", "s", &[], &[], &[]),
            sync(),
        ]
        .concat(),
    );
    assert_eq!(stage.sent(), ["P s|other|||", "H"], "a Flush, and no Bind");
    stage.server(&frame(b'1', b""));
    assert_eq!(stage.sent().len(), 2);
    stage.server(&[frame(b'2', b""), ready('I')].concat());
    assert!(stage.session.is_idle());
}

#[test]
fn executes_what_was_parsed_behind_a_deallocation_that_is_under_way() {
    for same_batch in [false, true] {
        let mut stage = Stage::ready();
        stage.client(&[parse("s", "other", &[]), sync()].concat());
        stage.server(&[frame(b'1', b""), ready('I')].concat());
        let deallocate = if same_batch {
            let text = parse("", "deallocate", &[]);
            [text, bind("", "", &[], &[], &[]), execute("")].concat()
        } else {
            query("deallocate")
        };
        stage.client(&[deallocate, parse("s", "ids", &[]), query("execute s")].concat());
        stage.shown();
        assert!(!stage.sent().concat().contains("execute s"));
        if same_batch {
            let described = frame(b'n', b"");
            stage.server(&[frame(b'1', b""), frame(b'2', b""), described].concat());
        }
        stage.server(&tag("DEALLOCATE ALL"));
        if !same_batch {
            stage.server(&ready('I'));
        }
        stage.server(&frame(b'1', b""));
        assert_eq!(stage.sent(), ["Q execute s|"]);
        stage.shown();
        let described = columns(&[("max", 0, 0, 20), ("email", 0, 0, 25)], 0);
        stage.server(&[described, text_row(&["7", "a"])].concat());
        assert!(stage.shown()[1].contains(&id(7)));
    }
}

#[test]
fn shows_nothing_of_a_statement_that_has_taken_the_place_of_another() {
    let mut stage = Stage::ready();
    prepare(&mut stage, "s");
    stage.client(&[query("deallocate"), query("execute s")].concat());
    // As if a function had prepared it anew.
    stage.server(&[tag("DEALLOCATE ALL"), ready('I')].concat());
    let described = columns(&[("max", 0, 0, 20)], 0);
    stage.shown();
    let refused = stage.refusal_of(&[described, text_row(&["7"])].concat());
    assert_eq!(refused.as_deref(), Some("58000"));
}

#[test]
fn forgets_statements_that_sql_deallocates() {
    for command in ["DEALLOCATE", "DEALLOCATE ALL", "DISCARD ALL"] {
        let mut stage = Stage::ready();
        prepare(&mut stage, "s");
        stage.client(&query("deallocate"));
        stage.server(&[tag(command), ready('I')].concat());
        stage.client(
            &[
                parse("s", "other", &[]),
                bind("", "s", &[], &[], &[]),
                sync(),
            ]
            .concat(),
        );
        stage.server(&[frame(b'1', b""), frame(b'2', b""), ready('I')].concat());
        assert!(stage.session.is_idle());
    }
}

#[test]
fn keeps_what_was_parsed_in_a_pipeline_behind_a_deallocation() {
    for command in ["DEALLOCATE ALL", "DISCARD ALL"] {
        let mut stage = Stage::ready();
        prepare(&mut stage, "old");
        stage.client(&[query("deallocate"), parse("s", "ids", &[]), sync()].concat());
        stage.server(&[tag(command), ready('I')].concat());
        stage.server(&[frame(b'1', b""), ready('I')].concat());
        stage.shown();
        stage.client(&query("execute s"));
        let described = columns(&[("max", 0, 0, 20), ("email", 0, 0, 25)], 0);
        let answer = [
            described,
            text_row(&["7", "a"]),
            tag("SELECT 1"),
            ready('I'),
        ];
        stage.server(&answer.concat());
        assert!(stage.shown()[1].contains(&id(7)), "{command}");
    }
}

#[test]
fn forgets_portals_at_the_end_of_their_transaction_but_not_later_ones() {
    let mut stage = Stage::ready();
    prepare(&mut stage, "s");
    let value = id(KEY);
    let open = |name: &str| bind(name, "s", &[], &[Some(value.as_bytes())], &[]);
    stage.client(&[open("p"), sync(), open("q"), sync()].concat());
    stage.server(&[frame(b'2', b""), ready('I'), frame(b'2', b""), ready('T')].concat());
    stage.sent();
    // The one is unknown again, so its result would have to be described.
    stage.client(&[execute("q"), execute("p")].concat());
    let sent = stage.sent();
    assert_eq!(sent, ["D Pq|", "E q|||||", "D Pp|", "E p|||||"]);
}

#[test]
fn explains_execute_and_fetch_by_what_they_run() {
    let mut stage = Stage::ready();
    stage.client(
        &[
            parse("s", "ids", &[]),
            bind("p", "s", &[], &[], &[]),
            sync(),
        ]
        .concat(),
    );
    stage.server(&[frame(b'1', b""), frame(b'2', b""), ready('T')].concat());
    stage.shown();
    for text in ["execute s", "fetch p"] {
        stage.client(&query(text));
        let described = columns(&[("max", 0, 0, 20), ("email", 0, 0, 25)], 0);
        let answer = [described, text_row(&["7", "a"]), tag("FETCH 1"), ready('T')];
        stage.server(&answer.concat());
        assert!(stage.shown()[1].contains(&id(7)), "{text}");
    }
    stage.client(
        &[
            parse("", "execute s", &[]),
            bind("", "", &[], &[], &[1]),
            execute(""),
            sync(),
        ]
        .concat(),
    );
    let described = columns(&[("max", 0, 0, 20), ("email", 0, 0, 25)], 1);
    let rows = row(&[Some(&7_i64.to_be_bytes()), Some(b"a")]);
    let answer = [
        frame(b'1', b""),
        frame(b'2', b""),
        described,
        rows,
        tag("SELECT 1"),
    ];
    stage.server(&answer.concat());
    let shown = stage.shown();
    assert_eq!(
        shown[2],
        legible(&row(&[Some(&id_bytes(7)), Some(b"a")]))[0]
    );
}

#[test]
fn leaves_a_bind_of_a_statement_without_ids_untouched() {
    let mut stage = Stage::ready();
    let batch = [
        parse("", "plain $1", &[25]),
        bind("", "", &[1], &[Some(b"x")], &[1]),
        describe('P', ""),
        execute(""),
        frame(b'H', b""),
        sync(),
    ];
    stage.client(&batch.concat());
    assert_eq!(stage.sent_bytes(), batch.concat());
    let answer = [
        frame(b'1', b""),
        frame(b'2', b""),
        frame(b'n', b""),
        tag("INSERT 0 1"),
        ready('I'),
    ];
    stage.server(&answer.concat());
    assert_eq!(stage.shown_bytes(), answer.concat());
}

#[test]
fn goes_on_with_a_suspended_portal_across_sync() {
    let mut stage = Stage::ready();
    let batch = [
        parse("", "arrays", &[]),
        bind("p", "", &[], &[], &[]),
        describe('P', "p"),
        execute("p"),
        sync(),
    ];
    stage.client(&batch.concat());
    let first = text_row(&["{1,NULL}"]);
    let answer = [
        frame(b'1', b""),
        frame(b'2', b""),
        columns(&[("a", 0, 0, 1016)], 0),
        first,
        frame(b's', b""),
        ready('T'),
    ];
    stage.server(&answer.concat());
    assert!(stage.shown()[3].contains(&format!("{{{},NULL}}", id(1))));
    stage.client(&[execute("p"), sync()].concat());
    stage.server(&[text_row(&["{{2}}"]), tag("SELECT 1"), ready('T')].concat());
    assert!(stage.shown()[0].contains(&format!("{{{{{}}}}}", id(2))));
}

#[test]
fn a_parse_is_not_analysed_where_nothing_is_annotated() {
    let analyse = Analyzer {
        script: |_, _| unreachable!("a glance is enough"),
        is_clean: |_, _| true,
        blank: |_, _| None,
        reach: |_| (),
    };
    let shared = Arc::new(Shared::new([], Limits::default(), analyse, |_| ()));
    let mut stage = Stage::opened_with(&shared, Mode::Enforce, &catalog());
    for _ in 0..2 {
        let batch = [
            parse("", "any text with $1", &[23]),
            describe('S', ""),
            bind("", "", &[], &[Some(b"7")], &[]),
            execute(""),
            sync(),
        ];
        stage.client(&batch.concat());
        assert_eq!(stage.sent_bytes(), batch.concat());
        let answer = [
            frame(b'1', b""),
            parameters(&[23]),
            columns(&[("id", USERS, 1, 20)], 0),
            frame(b'2', b""),
            text_row(&["7"]),
            tag("SELECT 1"),
            ready('I'),
        ];
        stage.server(&answer.concat());
        assert_eq!(stage.shown_bytes(), answer.concat());
    }
}
