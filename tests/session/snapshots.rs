//! The snapshots of the database that a session has: the one that all share, and its own temporary
//! relations on top. With the real analysis.

use std::sync::Arc;

use pgveil::catalog::{ColumnTypes, Snapshot};
use pgveil::codec::{Codec, Presentation};
use pgveil::config::ColumnName;
use pgveil::session::{Analyzer, Limits, Mode, Shared};

use crate::questions::path;
use crate::stage::*;

const MADE: u32 = 17_000;

fn analysed() -> Arc<Shared> {
    let codec = Arc::new(Codec::ids(codec("user"), Presentation::Native));
    let mut annotation = annotation("user", "users", ColumnTypes::INTEGERS_AS_UUIDS);
    annotation.references.push(
        ColumnName {
            schema: "public".to_owned(),
            table: "kept".to_owned(),
            column: "user_id".to_owned(),
        }
        .into(),
    );
    let (limits, analyse) = (Limits::default(), Analyzer::default());
    Arc::new(Shared::new([(codec, annotation)], limits, analyse, |_| {}))
}

fn open(shared: &Arc<Shared>) -> Stage {
    Stage::opened_with(shared, Mode::Enforce, &catalog())
}

/// A temporary table x(id, email), seen by the session that it belongs to.
fn with_made(status: char) -> Vec<u8> {
    let lines = [
        "relation 17000 pg_temp_3 x r -",
        "column 17000 1 id 20",
        "column 17000 2 email 25",
        "search_path pg_temp_3\\000pg_catalog\\000public",
    ];
    catalog_with(&lines, status)
}

const MAKE: &str = "create temp table x as select id, email from users";

fn make(stage: &mut Stage, status: char) {
    stage.client(&query(MAKE));
    assert_eq!(stage.sent(), [format!("Q {MAKE}|")]);
    stage.server(&[tag("SELECT 2"), ready(status)].concat());
    assert!(asks_for_the_catalog(&stage.sent()));
    stage.server(&with_made(status));
    assert_eq!(stage.shown(), ["C SELECT 2|", &format!("Z {status}")]);
}

/// What comes back for a column of x, or the refusal.
fn shows(stage: &mut Stage, text: &str, attnum: i16) -> String {
    stage.client(&query(text));
    let sent = stage.sent().concat();
    if sent.contains("pgveil refuses") {
        stage.server(&[poison_error(), ready('I')].concat());
        return stage.shown().concat();
    }
    assert_eq!(sent, format!("Q {text}|"));
    let described = columns(&[("id", MADE, attnum, 20)], 0);
    stage.server(&[described, text_row(&["7"]), tag("SELECT 1"), ready('I')].concat());
    stage.shown().concat()
}

#[test]
fn a_temporary_table_holds_what_the_statement_says_that_makes_it() {
    let mut stage = open(&analysed());
    make(&mut stage, 'I');
    assert!(stage.catalog().is_none(), "it is nobody else's business");
    assert!(shows(&mut stage, "select id from x", 1).contains(&id(7)));
    assert!(shows(&mut stage, "select id + 1 from x", 0).contains("42883"));
}

/// Pools send it whenever they hand a session on.
#[test]
fn what_takes_temporary_tables_away_is_looked_at_only_where_there_are_some() {
    for text in ["discard all", "DISCARD TEMP", "discard temporary"] {
        let tag_of = tag(&text.to_uppercase());
        let mut stage = open(&analysed());
        // Code of the database may have run, but what it has made is gone.
        assert!(shows(&mut stage, "select id + 1 from users", 0).contains("42883"));
        stage.client(&query(text));
        assert_eq!(stage.sent(), [format!("Q {text}|")]);
        stage.server(&[tag_of.clone(), ready('I')].concat());
        assert!(asks_for_the_path(&stage.sent()), "{text}");
        stage.server(&path("public", 'I'));
        stage.shown();
        make(&mut stage, 'I');
        stage.client(&query(text));
        stage.sent();
        stage.server(&[tag_of.clone(), ready('I')].concat());
        assert!(asks_for_the_catalog(&stage.sent()), "{text}");
        stage.server(&catalog());
        stage.shown();
        // What is under way may have made some.
        stage.client(&query(&format!("{MAKE}; {text}")));
        stage.sent();
        stage.server(&[tag("SELECT 2"), tag_of, ready('I')].concat());
        assert!(asks_for_the_catalog(&stage.sent()), "{text}");
    }
}

#[test]
fn a_table_that_is_not_as_the_statement_says_is_hidden() {
    let mut stage = open(&analysed());
    stage.client(&query(MAKE));
    stage.sent();
    stage.server(&[tag("SELECT 2"), ready('I')].concat());
    stage.sent();
    let more = [
        "relation 17000 pg_temp_3 x r -",
        "column 17000 1 id 20",
        "search_path pg_temp_3\\000pg_catalog\\000public",
    ];
    stage.server(&catalog_with(&more, 'I'));
    stage.shown();
    assert!(shows(&mut stage, "select id from x", 1).contains("0A000"));
}

#[test]
fn a_table_that_was_there_before_is_not_taken_for_the_new_one() {
    let shared = analysed();
    let mut stage = Stage::opened_with(&shared, Mode::Enforce, &with_made('I'));
    let text = "create temp table if not exists x as select id, email from users";
    stage.client(&query(text));
    stage.sent();
    stage.server(&[tag("CREATE TABLE AS"), ready('I')].concat());
    stage.sent();
    stage.server(&with_made('I'));
    stage.shown();
    let shown = shows(&mut stage, "select id from x", 1);
    assert!(!shown.contains(&id(7)), "{shown}");
}

#[test]
fn knows_its_own_table_when_others_see_changes() {
    let shared = analysed();
    let mut stage = open(&shared);
    make(&mut stage, 'I');
    stage
        .session
        .use_catalog(shared.number(Snapshot::default()));
    stage.client(&query("select id from x"));
    assert!(asks_for_the_catalog(&stage.sent()));
    stage.server(&with_made('I'));
    assert_eq!(stage.sent(), ["Q select id from x|"]);
    let described = columns(&[("id", MADE, 1, 20)], 0);
    stage.server(&[described, text_row(&["7"])].concat());
    assert!(stage.shown().concat().contains(&id(7)));
}

#[test]
fn looks_again_when_the_transaction_ends_that_made_it() {
    for end in ["rollback", "commit"] {
        let mut stage = open(&analysed());
        stage.client(&query("begin"));
        stage.sent();
        stage.server(&[tag("BEGIN"), ready('T')].concat());
        stage.shown();
        make(&mut stage, 'T');
        stage.client(&[query(end), query("select id + 0 from x")].concat());
        assert_eq!(stage.sent(), [format!("Q {end}|")], "the other waits");
        stage.server(&[tag(&end.to_uppercase()), ready('I')].concat());
        assert!(asks_for_the_catalog(&stage.sent()));
    }
}

#[test]
fn reads_nothing_behind_it_in_the_same_batch() {
    let mut stage = open(&analysed());
    let batch = [
        parse("", MAKE, &[]),
        bind("", "", &[], &[], &[]),
        execute(""),
        parse("", "insert into more (n) select id from x", &[]),
        sync(),
    ];
    stage.client(&batch.concat());
    let sent = stage.sent();
    assert!(sent[3].contains("pgveil refuses"), "{sent:?}");

    let mut stage = open(&analysed());
    stage.client(&query(&format!("{MAKE}; select 1")));
    assert!(stage.sent()[0].contains("pgveil refuses"));
    let mut stage = open(&analysed());
    stage.client(&query(&format!("begin; {MAKE}; commit")));
    assert!(!stage.sent()[0].contains("pgveil refuses"));
}

#[test]
fn knows_where_a_cursor_s_rows_come_from_when_their_table_is_gone() {
    let mut stage = open(&analysed());
    make(&mut stage, 'I');
    stage.client(&query("declare c cursor with hold for select id from x"));
    stage.server(&[tag("DECLARE CURSOR"), ready('I')].concat());
    stage.client(&query("drop table x"));
    stage.server(&[tag("DROP TABLE"), ready('I')].concat());
    stage.server(&catalog());
    stage.sent();
    stage.shown();
    assert!(shows(&mut stage, "fetch c", 1).contains(&id(7)));
}

#[test]
fn forgets_a_cursor_that_outlives_its_transaction_if_that_is_rolled_back() {
    for (end, known) in [("commit", true), ("rollback", false)] {
        let mut stage = open(&analysed());
        for text in [
            "begin",
            "declare c cursor with hold for select id from users",
        ] {
            stage.client(&query(text));
            let done = text.split(' ').next().unwrap().to_uppercase();
            stage.server(&[tag(&done), ready('T')].concat());
        }
        stage.client(&query(end));
        stage.server(&[tag(&end.to_uppercase()), ready('I')].concat());
        stage.sent();
        stage.shown();
        // Of a cursor that nobody knows only the origin of a column tells something.
        stage.client(&query("fetch c"));
        let type_oid = if known { 20 } else { 16 };
        stage.server(&[columns(&[("n", 0, 0, type_oid)], 0), text_row(&["7"])].concat());
        assert_eq!(stage.shown().concat().contains(&id(7)), known);
    }
}

#[test]
fn makes_a_lasting_table_of_ids_only_if_it_is_annotated_already() {
    for (text, refused) in [
        ("create table kept (user_id) as select id from users", false),
        ("select id as user_id into kept from users", false),
        ("create table kept as select id from users", true),
        (
            "create table other.kept (user_id) as select id from users",
            true,
        ),
        ("select id as user_id into other from users", true),
    ] {
        let mut stage = open(&analysed());
        stage.client(&query(text));
        let sent = stage.sent();
        assert_eq!(sent[0].contains("pgveil refuses"), refused, "{sent:?}");
    }
}
