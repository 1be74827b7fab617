//! Errors and notices that quote keys.

use crate::stage::*;
use pgveil::session::Mode;

/// The fields of a report about `orders` as the client gets them.
fn shown(fields: &[(char, &str)]) -> String {
    let mut stage = Stage::ready();
    stage.client(&query("something"));
    let mut all = vec![('S', "ERROR"), ('V', "ERROR"), ('M', "m"), ('s', "public")];
    all.extend(fields);
    stage.server(&report(b'E', &all));
    stage.shown().remove(0)
}

fn detail(code: &str, table: &str, constraint: &str, detail: &str) -> Option<String> {
    let fields = [
        ('C', code),
        ('t', table),
        ('n', constraint),
        ('D', detail),
        ('F', "execMain.c"),
    ];
    let report = shown(&fields);
    let start = report.find("|D")? + 2;
    Some(report[start..].split('|').next()?.to_owned())
}

#[test]
fn shows_ids_in_details_and_keeps_their_grammar() {
    for (code, table, constraint, before, after) in [
        (
            "23505",
            "users",
            "users_pkey",
            "Key (id)=(7) already exists.",
            "Key (id)=(<7>) already exists.",
        ),
        (
            "23505",
            "orders",
            "k",
            "Key (user_id, total)=(7, 12) already exists.",
            "Key (user_id, total)=(<7>, 12) already exists.",
        ),
        (
            "23503",
            "orders",
            "orders_user_id_fkey",
            "Key (user_id)=(7) is not present in table \"users\".",
            "Key (user_id)=(<7>) is not present in table \"users\".",
        ),
        // The columns are those of `users`.
        (
            "23503",
            "orders",
            "orders_user_id_fkey",
            "Key (id)=(7) is still referenced from table \"orders\".",
            "Key (id)=(<7>) is still referenced from table \"orders\".",
        ),
        (
            "23P01",
            "orders",
            "x",
            "Key (user_id)=(7) conflicts with existing key (user_id)=(8).",
            "Key (user_id)=(<7>) conflicts with existing key (user_id)=(<8>).",
        ),
        (
            "23502",
            "users",
            "",
            "Failing row contains (7, null).",
            "Failing row contains (<7>, null).",
        ),
        (
            "23514",
            "users",
            "",
            "Failing row contains (id) = (7).",
            "Failing row contains (id) = (<7>).",
        ),
        (
            "23514",
            "users",
            "",
            "Partition key of the failing row contains (id) = (7).",
            "Partition key of the failing row contains (id) = (<7>).",
        ),
    ] {
        let after = after.replace("<7>", &id(7)).replace("<8>", &id(8));
        assert_eq!(detail(code, table, constraint, before), Some(after));
    }
}

#[test]
fn drops_details_that_could_be_read_in_two_ways() {
    for (table, constraint, before) in [
        (
            "orders",
            "k",
            "Key (user_id, total)=(7, 12, 3) already exists.",
        ),
        ("users", "k", "Key ((id + 1))=(8) already exists."),
        ("users", "k", "Schlüssel »(id)=(7)« existiert bereits."),
        ("users", "k", "Failing row contains (7)."),
        (
            "orders",
            "gone",
            "Key (id)=(7) is still referenced from table \"orders\".",
        ),
        ("elsewhere", "k", "Key (id)=(7) already exists."),
    ] {
        assert_eq!(detail("23505", table, constraint, before), None, "{before}");
    }
}

/// Details of which a value, or a name, has written what stands between names and values, or behind
/// them: code, table, constraint and detail.
const WRITTEN: &[(&str, &str, &str, &str)] = &[
    // The whole row of a table whose first column is text.
    (
        "23514",
        "users",
        "",
        "Failing row contains (email) = (x, 7).",
    ),
    ("23514", "users", "", "Failing row contains (id) = (7, 8)."),
    (
        "23514",
        "users",
        "",
        "Failing row contains (email, id) = (x, 7).",
    ),
    (
        "23505",
        "orders",
        "k",
        "Key (total, user_id)=(a)=(b, 7) already exists.",
    ),
    (
        "23505",
        "orders",
        "k",
        "Key (total, user_id)=(a, null) already exists., 7) already exists.",
    ),
    (
        "23503",
        "orders",
        "orders_user_id_fkey",
        "Key (user_id)=(7) is not present in table \"x, 8) is not present in table \"users\".",
    ),
    (
        "23503",
        "orders",
        "orders_user_id_fkey",
        "Key (user_id)=(7) is still referenced from table \"x) is not present in table \"users\".",
    ),
    (
        "23503",
        "orders",
        "orders_user_id_fkey",
        "Key (user_id, total)=(7, 8) is not present in table \"users\".",
    ),
    (
        "23503",
        "orders",
        "orders_user_id_fkey",
        "Key (total)=(7) is not present in table \"users\".",
    ),
    (
        "23P01",
        "orders",
        "x",
        "Key (total, user_id)=(a, null) conflicts with existing key (total)=(z, 7) conflicts with \
         existing key (total, user_id)=(x, 8).",
    ),
    (
        "23505",
        "orders",
        "k",
        "Key (\"total\"\", user_id)=(7, 8) already exists.",
    ),
    (
        "23505",
        "orders",
        "k",
        "Key (\"total, user_id)=(7, 8) already exists.",
    ),
    ("23000", "orders", "k", "Key (user_id)=(7) already exists."),
];

#[test]
fn reads_no_detail_whose_grammar_a_value_has_written() {
    for (code, table, constraint, before) in WRITTEN {
        assert_eq!(detail(code, table, constraint, before), None, "{before}");
    }
}

/// Names are those of the moment when the error was raised.
#[test]
fn reads_no_detail_behind_a_definition_that_it_has_not_seen() {
    let mut stage = Stage::ready();
    stage.client(&query("ddl"));
    let fields = [
        ('V', "ERROR"),
        ('C', "23505"),
        ('s', "public"),
        ('t', "users"),
        ('D', "Key (id)=(7) already exists."),
        ('F', "nbtinsert.c"),
    ];
    stage.server(&report(b'E', &fields));
    assert!(!stage.shown()[0].contains("|D"));
}

#[test]
fn passes_details_that_quote_no_row() {
    let text = "There are 7 columns.";
    assert_eq!(detail("42P01", "", "", text), Some(text.to_owned()));
}

#[test]
fn shows_the_id_that_was_sent_in_a_detail_about_its_sentinel() {
    let mut stage = Stage::ready();
    let unknown = "11111111-1111-8111-8111-111111111111";
    stage.client(&query(&format!("by literal '{unknown}'")));
    let quoted = format!("Key (id)=({}) already exists.", i64::MIN);
    let fields = [
        ('V', "ERROR"),
        ('C', "23505"),
        ('s', "public"),
        ('t', "users"),
        ('D', &quoted),
        ('F', "nbtinsert.c"),
    ];
    stage.server(&report(b'E', &fields));
    assert!(stage.shown()[0].contains(&format!("Key (id)=({unknown}) already")));
}

#[test]
fn masks_numbers_in_what_code_of_users_raises() {
    let report = shown(&[
        ('C', "P0001"),
        ('D', "user 7"),
        ('H', "try 8"),
        ('W', "PL/pgSQL function f() line 3 at RAISE"),
    ]);
    assert_eq!(
        report,
        "E SERROR|VERROR|Mm|spublic|CP0001|Duser ***|Htry ***|\
         WPL/pgSQL function f() line 3 at RAISE||"
    );
    let mut stage = Stage::ready();
    stage.client(&query("something"));
    let fields = [
        ('V', "NOTICE"),
        ('C', "00000"),
        ('M', "user 7 of a7b8, user_7"),
        ('W', "f()"),
    ];
    stage.server(&self::report(b'N', &fields));
    assert_eq!(
        stage.shown(),
        ["N VNOTICE|C00000|Muser *** of a7b8, user_***|Wf()||"]
    );
}

use crate::stage::report;

#[test]
fn drops_messages_that_hold_plans() {
    let mut stage = Stage::ready();
    stage.client(&query("something"));
    for severity in ["LOG", "DEBUG", "DEBUG5"] {
        stage.server(&report(b'N', &[('V', severity), ('M', "{CONST 7}")]));
    }
    stage.server(&report(b'N', &[('V', "WARNING"), ('M', "careful")]));
    assert_eq!(stage.shown(), ["N VWARNING|Mcareful||"]);
}

#[test]
fn passes_errors_and_notices_that_answer_nothing() {
    let mut stage = Stage::ready();
    stage.server(&report(
        b'E',
        &[('V', "FATAL"), ('C', "57P01"), ('M', "bye")],
    ));
    stage.server(&frame(b'A', b"\0\0\0\x01c\0p\0"));
    stage.server(&frame(b'S', b"TimeZone\0UTC\0"));
    let shown = stage.shown();
    assert_eq!(shown.len(), 3);
    assert_eq!(shown[0], "E VFATAL|C57P01|Mbye||");
}

#[test]
fn masks_what_code_of_users_raises_before_the_session_is_ready() {
    let mut stage = Stage::new(&shared(), Mode::Enforce);
    let context = ('W', "PL/pgSQL function at_login() line 3 at RAISE");
    let fields = [
        ('V', "NOTICE"),
        ('C', "00000"),
        ('M', "user 7 of 01890a5d-ac96-774b-bcce-b302099a8057"),
        ('D', "key 7"),
        context,
    ];
    stage.server(&report(b'N', &fields));
    stage.server(&report(
        b'N',
        &[('V', "WARNING"), ('M', "an old collation")],
    ));
    stage.server(&report(b'N', &[('V', "LOG"), ('M', "{CONST 7}")]));
    stage.server(&frame(b'A', b"\0\0\0\x01c\x007\0"));
    let raised = [
        ('V', "FATAL"),
        ('C', "P0001"),
        ('M', "no 7"),
        ('H', "ask 7"),
    ];
    stage.server(&report(b'E', &raised));
    assert_eq!(
        stage.shown(),
        [
            "N VNOTICE|C00000|Muser *** of ***|Dkey ***|\
             WPL/pgSQL function at_login() line 3 at RAISE||",
            "N VWARNING|Man old collation||",
            "E VFATAL|CP0001|Mno ***|Hask ***||"
        ]
    );
}

/// RAISE chooses the SQLSTATE, the detail and all names; only the place in the server's source is
/// beyond it.
#[test]
fn what_code_of_users_says_of_rows_is_not_taken_for_the_servers_word() {
    let raised = |code: &'static str, more: &[(char, &'static str)]| {
        let mut fields = vec![('C', code), ('t', "users"), ('n', "users_pkey")];
        fields.extend([
            ('W', "PL/pgSQL function f() line 3 at RAISE"),
            ('F', "pl_exec.c"),
        ]);
        fields.extend(more);
        shown(&fields)
    };
    for code in [
        "23505", "23503", "23P01", "23514", "44000", "P0001", "00042",
    ] {
        for detail in [
            "Key (id)=(7) already exists.",
            "Key (id)=(7) is not present in table \"users\".",
            "Failing row contains (7, ann).",
        ] {
            let seen = raised(code, &[('D', detail)]);
            assert!(
                !seen.contains('7') && !seen.contains("<7>"),
                "{code} {detail}: {seen}"
            );
        }
    }
    for (code, known) in [
        ("23505", true),
        ("P0002", true),
        ("00042", false),
        ("U0007", false),
    ] {
        let seen = raised(code, &[]);
        assert_eq!(seen.contains(&format!("|C{code}|")), known, "{seen}");
        assert_eq!(seen.contains("|CP0001|"), !known, "{seen}");
    }
    for field in ['t', 'c', 'd', 'n'] {
        for name in ["user_42", "٤٢", "c42"] {
            let seen = shown(&[('C', "P0001"), (field, name), ('W', "f()")]);
            assert!(!seen.contains(name), "{seen}");
        }
        let seen = shown(&[('C', "P0001"), (field, "by_hand"), ('W', "f()")]);
        assert!(seen.contains(&format!("|{field}by_hand|")), "{seen}");
    }
}
