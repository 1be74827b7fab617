//! No key gets out: hostile statements by every channel that is known, and a sweep over all that
//! Postgres has to offer an expression. The cases of the twin watch the canary too.

#[path = "twin/mod.rs"]
mod twin;

use std::collections::BTreeMap;
use std::io::Write as _;

use twin::canary::Canary;
use twin::client::Client;
use twin::mode::Mode;
use twin::stand::{Other, build, local};
use twin::suite::{Outcome, Suite};
use twin::world::{FIRST_KEY, FIRST_KEY4, ROLE};

const HOSTILE: &str = include_str!("twin/hostile.sql");

/// Says what was run, also where the test runner keeps the output of good tests to itself.
fn say(text: &str) {
    writeln!(std::io::stderr(), "{text}").unwrap();
}

#[test]
fn the_search_finds_a_key_in_each_of_its_forms() {
    let canary = Canary::new();
    for key in [FIRST_KEY + 1, FIRST_KEY + 301_234] {
        let group = |power: u32| i16::try_from(key / 10_i64.pow(power) % 10_000).unwrap();
        let numeric = [12, 8, 4, 0]
            .map(|power| group(power).to_be_bytes())
            .concat();
        let forms = [
            ("decimal text", format!("id {key}, and on").into_bytes()),
            ("scientific text", format!("{:e}", key as f64).into_bytes()),
            ("hexadecimal text", format!("\\x{key:016x}").into_bytes()),
            ("an 8-byte integer", key.to_be_bytes().to_vec()),
            ("a double", (key as f64).to_be_bytes().to_vec()),
            ("a binary numeric", numeric),
        ];
        for (form, bytes) in forms {
            assert_eq!(canary.find(&bytes), Some(form));
            assert_eq!(
                canary.find(&[b"before", &bytes[..], b"behind"].concat()),
                Some(form)
            );
        }
    }
    let narrow = FIRST_KEY4 + 101;
    let text = format!("{{{narrow}}}").into_bytes();
    assert_eq!(canary.find(&text), Some("decimal text of 4 bytes"));
    let bytes = i32::try_from(narrow).unwrap().to_be_bytes();
    assert_eq!(canary.find(&bytes), Some("a 4-byte integer"));
    assert_eq!(
        canary.find(b"an id 17000001-1a51-4a51-841b-41bc80b0e01c and 8613 others"),
        None
    );
}

#[test]
fn the_search_finds_the_keys_that_a_server_sends() {
    let suite = build(local(), "sent", Other::Keys).unwrap();
    let find = |database: &str, statement: &str, binary: i16| {
        let mut client = Client::connect(local().address, ROLE, database).unwrap();
        let all = [
            twin::message::parse("", statement, &[]),
            twin::message::bind("", "", &[], binary),
            twin::message::execute("", 0),
            twin::message::sync(),
        ];
        client.exchange(&all.concat(), 1).unwrap();
        Canary::new().find(&client.recorded())
    };
    let statements = [
        "select id from users",
        "select id from products",
        "select participant_ids from events",
        "select id::numeric from users",
        "select id::float8 from users",
        "select row_to_json(u) from users u",
        "select u from users u",
    ];
    for statement in statements {
        assert!(
            find("sent_beside", statement, 0).is_some(),
            "{statement} as text"
        );
        assert!(
            find("sent_beside", statement, 1).is_some(),
            "{statement} in binary"
        );
    }
    for statement in ["select id from users", "select row_to_json(u) from users u"] {
        assert_eq!(find("sent_twin", statement, 0), None);
        assert_eq!(find("sent_twin", statement, 1), None);
    }
    drop(suite);
}

/// The statements of a file, each up to a line that ends with `;`.
fn statements(text: &str) -> Vec<String> {
    let lines = text
        .lines()
        .filter(|line| !line.starts_with("-- ") && !line.is_empty());
    let lines: Vec<_> = lines.collect();
    let ends = |line: &&str| line.ends_with(';') || line.contains("; -- '");
    lines
        .split_inclusive(ends)
        .map(|lines| lines.join("\n"))
        .collect()
}

#[test]
fn no_known_channel_lets_a_key_out() {
    let mut suite = build(local(), "hostile", Other::Veiled).unwrap();
    let statements = statements(HOSTILE);
    let mut outcomes = BTreeMap::new();
    let mut leaks = Vec::new();
    for statement in &statements {
        for mode in [Mode::Simple, Mode::Text, Mode::Binary] {
            match suite.expose(mode, statement) {
                Ok(outcome) => *outcomes.entry(format!("{outcome:?}")).or_insert(0) += 1,
                Err(reason) => leaks.push(format!("[{}] {statement}\n    {reason}", mode.name())),
            }
        }
    }
    say(&format!(
        "hostile statements: {}, {outcomes:?}",
        statements.len()
    ));
    assert!(leaks.is_empty(), "{}", leaks.join("\n\n"));
}

/// Functions that would disturb the tests rather than answer.
const DISTURBING: &str = "pg_sleep|pg_terminate|pg_cancel|pg_reload|pg_rotate|pg_promote|\
    pg_switch|pg_create_restore|pg_wal_replay|pg_backup|pg_log_|pg_stat_reset|pg_advisory|pg_try";

/// Expressions over ids with every function, operator and type that the server has.
fn expressions(suite: &Suite) -> Vec<String> {
    let mut client = Client::connect(local().address, ROLE, "sweep_twin").unwrap();
    let mut names = |sql: &str| {
        let rows = client.rows(sql).unwrap();
        rows.into_iter()
            .map(|row| row[0].clone())
            .collect::<Vec<_>>()
    };
    let functions = names(&format!(
        "select distinct quote_ident(proname) from pg_proc where pronamespace = 'pg_catalog'::regnamespace
         and prokind <> 'p' and proname !~ '^({DISTURBING})' order by 1"
    ));
    let operators = names("select distinct oprname from pg_operator order by 1");
    let types = names(
        "select distinct format_type(oid, null) from pg_type
         where typnamespace = 'pg_catalog'::regnamespace and typtype in ('b', 'r', 'd', 'm') order by 1",
    );
    let mut all = Vec::new();
    for function in functions {
        for arguments in [
            "id",
            "id::text",
            "u",
            "ids",
            "id, id",
            "id, 1",
            "id::text, 1",
            "id::text, 'a'",
            "'a', id::text",
            "ids, id",
            "ids, ','",
            "id::text, 1, 2",
        ] {
            all.push(format!("{function}({arguments})"));
        }
    }
    for operator in operators {
        for (left, right) in [
            ("id", "id"),
            ("id", "1"),
            ("1", "id"),
            ("id::text", "'1'"),
            ("'a'", "id::text"),
            ("ids", "ids"),
            ("ids", "id"),
            ("id", "ids"),
            ("", "id"),
            ("", "id::text"),
            ("u", "u"),
        ] {
            all.push(format!("{left} {operator} {right}"));
        }
    }
    for name in types {
        all.push(format!("id::{name}"));
        all.push(format!("id::text::{name}"));
        all.push(format!("ids::{name}"));
        all.push(format!("cast(u as {name})"));
    }
    let _ = suite;
    all
}

#[test]
fn every_expression_over_an_id_is_refused_or_answered_as_for_uuid() {
    let mut suite = build(local(), "sweep", Other::Veiled).unwrap();
    let expressions = expressions(&suite);
    let (mut answered, mut wrong) = (Vec::new(), Vec::new());
    let from = "from (select id, array[id] as ids from users where email = 'ann@example.test') u";
    for expression in &expressions {
        match suite.probe(&format!("select {expression} as x {from}")) {
            Ok(Outcome::Answered) => answered.push(expression.as_str()),
            Ok(Outcome::Refused) => {}
            Err(difference) => wrong.push(format!("{expression}\n    {difference}")),
        }
    }
    say(&format!(
        "expressions over an id: {}, {} answered as for uuid, {} refused",
        expressions.len(),
        answered.len(),
        expressions.len() - answered.len() - wrong.len()
    ));
    assert!(
        wrong.is_empty(),
        "{} wrong answers\n{}",
        wrong.len(),
        wrong.join("\n\n")
    );
    assert!(
        answered.contains(&"id = id"),
        "nothing was answered at all: {answered:?}"
    );
}
