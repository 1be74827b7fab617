//! Sweeps over all that Postgres has to offer an expression.

use super::twin::canary::Canary;
use super::twin::client::{Address, Client};
use super::twin::message::{Message, query};
use super::twin::say;
use super::twin::stand::{Other, build, local};
use super::twin::suite::Outcome;
use super::twin::world::ROLE;

/// Functions that would disturb the tests rather than answer.
const DISTURBING: &str = "pg_sleep|pg_terminate|pg_cancel|pg_reload|pg_rotate|pg_promote|\
    pg_switch|pg_create_restore|pg_wal_replay|pg_backup|pg_log_|pg_stat_reset|pg_advisory|pg_try";

/// What the functions are called with.
const ARGUMENTS: &[&str] = &[
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
    "1, id",
    "'a', id",
    "id, id, id",
    "array[u]",
    "row(id)",
    "to_jsonb(id)",
    "to_jsonb(u)",
    "row_to_json(u)",
    "jsonb_build_object('a', id), 'a'",
    "'x' || id, 'x'",
    "variadic ids",
    "ids, ids",
    "id, ids",
    "id order by id",
    "id) over (order by id",
    "id) within group (order by id",
    "0.5) within group (order by id",
];

/// What stands on the two sides of the operators.
const OPERANDS: &[(&str, &str)] = &[
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
];

/// Expressions over ids with every function, operator and type that the server has.
fn expressions() -> Vec<String> {
    let mut client = Client::connect(&local().address, ROLE, "sweep_twin").unwrap();
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
        for arguments in ARGUMENTS {
            all.push(format!("{function}({arguments})"));
        }
    }
    for operator in operators {
        for (left, right) in OPERANDS {
            all.push(format!("{left} {operator} {right}"));
        }
    }
    for name in types {
        all.push(format!("id::{name}"));
        all.push(format!("id::text::{name}"));
        all.push(format!("ids::{name}"));
        all.push(format!("cast(u as {name})"));
    }
    all
}

/// Whether a database runs the statement, be it without end.
fn runs(client: &mut Client, sql: &str) -> bool {
    let answers = client.exchange(&query(sql), 1).unwrap();
    let mut errors = answers.iter().filter_map(Message::sqlstate);
    errors.all(|sqlstate| sqlstate == "57014")
}

/// Values that a function could find keys by, each of a type.
const BASES: &[&str] = &[
    "'users_id_seq'::regclass",
    "'users'::regclass",
    "'users_id_seq'::text",
    "'select to_tsvector(''simple'', id::text) from users'::text",
    "'users'::regclass::oid",
    "'users'::name",
    "1::int4",
    "null::int4",
    "1::int8",
];

/// The same by their types, for operators.
const OPERANDS_OF: &[(&str, &str)] = &[
    ("regclass", "'users_id_seq'::regclass"),
    ("text", "'users_id_seq'::text"),
    (
        "text",
        "'select ''a''::tsquery, plainto_tsquery(id::text) from users'::text",
    ),
    ("oid", "'users_id_seq'::regclass::oid"),
    ("oid", "'users'::regclass::oid"),
    ("name", "'users'::name"),
    ("integer", "1::int4"),
    ("integer", "null::int4"),
    ("bigint", "1::int8"),
    ("tsquery", "'a'::tsquery"),
];

/// What came of statements that Postgres answers.
struct Shown {
    answered: usize,
    /// How many of the answers have a key.
    exposed: usize,
    /// Those that have one through pgveil.
    wrong: Vec<String>,
}

/// Sends statements to Postgres, and those that it answers through pgveil.
fn show(at: [&Address; 2], database: &str, statements: impl Iterator<Item = String>) -> Shown {
    let connect = |at| {
        let mut client = Client::connect(at, ROLE, database).unwrap();
        client.run("set statement_timeout = '200ms'").unwrap();
        client
    };
    let (mut bare, mut veil) = (connect(at[0]), connect(at[1]));
    let (mut answered, mut exposed, mut wrong) = (0, 0, Vec::new());
    for sql in statements {
        let answers = bare.exchange(&query(&sql), 1).unwrap();
        if answers.iter().any(|answer| answer.sqlstate().is_some()) {
            continue;
        }
        answered += 1;
        exposed += usize::from(Canary::new().find(&bare.recorded()).is_some());
        if veil.exchange(&query(&sql), 1).is_err() {
            veil = connect(at[1]);
        }
        if let Some(form) = Canary::new().find(&veil.recorded()) {
            wrong.push(format!("{sql}: {form}"));
        }
    }
    say(&format!(
        "{database}: {answered} answered by Postgres, {exposed} with keys, {} through pgveil",
        wrong.len()
    ));
    Shown {
        answered,
        exposed,
        wrong,
    }
}

/// `(value).f` is `f(value)`, whatever the value is.
#[test]
fn no_function_that_is_called_behind_a_dot_lets_a_key_out() {
    let suite = build(local(), "dotted", Other::Veiled).unwrap();
    let at = [&local().address, &suite.proxy.as_ref().unwrap().address];
    let mut bare = Client::connect(at[0], ROLE, "dotted_beside").unwrap();
    let functions = bare.rows(&format!(
        "select distinct quote_ident(proname) from pg_proc
         where pronamespace = 'pg_catalog'::regnamespace and prokind = 'f'
           and pronargs >= 1 and pronargs - pronargdefaults <= 1 and proname !~ '^({DISTURBING})'
         order by 1"
    ));
    let functions = functions.unwrap().concat();
    let calls = BASES.iter().flat_map(|base| {
        let call = move |function: &String| format!("select ({base}).{function}");
        functions.iter().map(call)
    });
    let shown = show(at, "dotted_beside", calls);
    assert!(shown.wrong.is_empty(), "{}", shown.wrong.join("\n"));
    assert!(shown.answered > 500 && shown.exposed > 0);
}

/// The functions over one or two of the types that the bases are of, and an operator for each.
const OPERATORS: &str = "
    select format('create operator public.%s (%s rightarg = %s, function = pg_catalog.%I)', name,
                  case when pronargs = 2 then 'leftarg = ' || args[0]::regtype || ',' end,
                  args[pronargs - 1]::regtype, proname),
           name, case when pronargs = 2 then args[0]::regtype::text end, args[pronargs - 1]::regtype
    from (select *, translate(to_char(row_number() over (order by oid), 'FM0000'), '0123456789',
                              '#@&|~!%^?`') as name
          from (select oid, proname, pronargs, proargtypes as args from pg_proc
                where pronamespace = 'pg_catalog'::regnamespace and prokind = 'f' and not proretset
                  and pronargs in (1, 2) and proname !~ '^(DISTURBING)' and prorettype <> 'internal'::regtype
                  and proargtypes::oid[] <@ '{regclass,text,oid,name,int4,int8,tsquery}'::regtype[]::oid[]) f) f
    order by oid";

/// An operator runs a function that no text names, and everybody may define one that is temporary.
#[test]
fn no_operator_over_a_function_of_postgres_lets_a_key_out() {
    let suite = build(local(), "operated", Other::Veiled).unwrap();
    let at = [&local().address, &suite.proxy.as_ref().unwrap().address];
    let mut root = Client::connect(at[0], &local().superuser, "operated_beside").unwrap();
    let operators = root.rows(&OPERATORS.replace("DISTURBING", DISTURBING));
    let mut calls = Vec::new();
    for operator in operators.unwrap() {
        let [define, name, left, right] = &operator[..] else {
            panic!("{operator:?}");
        };
        if root.run(define).is_err() {
            continue;
        }
        let of = |wanted: &String| {
            let given = OPERANDS_OF.iter().filter(move |(of, _)| of == wanted);
            given.map(|(_, value)| *value).collect::<Vec<_>>()
        };
        let lefts = if left.is_empty() { vec![""] } else { of(left) };
        for left in lefts {
            let call = |right| format!("select {left} operator(public.{name}) {right}");
            calls.extend(of(right).into_iter().map(call));
        }
    }
    // The sequence gives keys, and what is defined tells pgveil to look.
    root.run("select setval('users_id_seq', max(id)) from users")
        .unwrap();
    let mut veil = Client::connect(at[1], ROLE, "operated_beside").unwrap();
    veil.run("create temp table told ()").unwrap();
    let shown = show(at, "operated_beside", calls.into_iter());
    assert!(shown.wrong.is_empty(), "{}", shown.wrong.join("\n"));
    assert!(shown.answered > 500 && shown.exposed > 0);
}

#[test]
fn every_expression_over_an_id_is_refused_or_answered_as_for_uuid() {
    let mut suite = build(local(), "sweep", Other::Veiled).unwrap();
    let mut bare = ["sweep_twin", "sweep_beside"]
        .map(|database| Client::connect(&local().address, ROLE, database).unwrap());
    let expressions = expressions();
    let (mut answered, mut refused, mut wrong) = (Vec::new(), 0, Vec::new());
    // `generate_series(1, id)` would never end.
    for client in &mut bare {
        client.run("set statement_timeout = '200ms'").unwrap();
    }
    let from =
        "from (select id, array[id] as ids from users where email = 'ann@example.test') u limit 3";
    for expression in &expressions {
        let sql = format!("select {expression} as x {from}");
        // What fails on both kinds of ids by itself needs no pgveil to fail.
        if !bare.iter_mut().any(|client| runs(client, &sql)) {
            continue;
        }
        match suite.probe(&sql) {
            Ok(Outcome::Answered) => answered.push(expression.as_str()),
            Ok(Outcome::Refused) => refused += 1,
            Err(difference) => wrong.push(format!("{expression}\n    {difference}")),
        }
    }
    say(&format!(
        "expressions over an id: {}, {} answered as for uuid, {refused} refused, the others impossible",
        expressions.len(),
        answered.len(),
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
