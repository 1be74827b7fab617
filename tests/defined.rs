//! What the database itself tells of keys by what is defined in it, by the role that asks or by
//! another: where a row lies, what a definition of the session's own computes.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test reports by failing"
)]

#[path = "defined/behind.rs"]
mod behind;
#[path = "defined/cases.rs"]
mod cases;
#[path = "defined/estimates.rs"]
mod estimates;
#[path = "defined/going.rs"]
mod going;
#[path = "defined/stored.rs"]
mod stored;
#[path = "twin/mod.rs"]
mod twin;
#[path = "defined/unshown.rs"]
mod unshown;

use std::collections::BTreeSet;

use behind::{Change, Reach};
use twin::canary::Canary;
use twin::client::{Address, Client};
use twin::message::{self, Message};
use twin::stand::{Other, build, local};
use twin::world::ROLE;

/// Tables whose rows lie where their keys say, and one whose rows do not.
const PARTITIONED: &str = "
    create table hashed (user_id bigint references public.users (id), n int) partition by hash (user_id);
    create table hashed_0 partition of hashed for values with (modulus 2, remainder 0);
    create table hashed_1 partition of hashed for values with (modulus 2, remainder 1);
    create table ranged (user_id bigint references public.users (id), n int) partition by range (n, user_id);
    create table ranged_0 partition of ranged default;
    create table computed (user_id bigint references public.users (id), n int) partition by list ((user_id % 2));
    create table computed_0 partition of computed default;
    create table nested (user_id bigint references public.users (id), n int) partition by list (n);
    create table nested_0 partition of nested default partition by hash (user_id);
    create table nested_00 partition of nested_0 for values with (modulus 1, remainder 0);
    create view lying as select tableoid::regclass as place, n, user_id from hashed;
    create table plain (user_id bigint references public.users (id), n int) partition by list (n);
    create table plain_0 partition of plain default;
    ";

#[test]
fn where_a_row_lies_is_not_told_if_its_keys_say_so() {
    let suite = build(local(), "placed", Other::Veiled).unwrap();
    let proxy = &suite.proxy.as_ref().unwrap().address;
    let mut inside = Client::connect(&local().address, ROLE, "placed_beside").unwrap();
    inside.run(PARTITIONED).unwrap();
    let mut client = Client::connect(proxy, ROLE, "placed_beside").unwrap();
    for table in ["hashed", "ranged", "computed", "nested", "nested_0"] {
        let insert = format!("insert into {table} select id, 1 from public.users");
        client.run(&insert).unwrap();
        for asked in [
            "select tableoid from {}",
            "select tableoid::regclass, user_id from {}",
            "select t.tableoid::int8 + 1 from {} as t",
            "select {}.tableoid from {}",
            "select count(*) from {} group by tableoid",
            "select user_id from {} order by tableoid",
            "select user_id from {} where tableoid = 1",
            "select max(tableoid) from {}",
            "select row(tableoid), to_json(tableoid) from {}",
            "select s.t from (select tableoid as t from {}) s",
            "with s as (select tableoid as t from {}) select t from s",
            "select (select tableoid from {} limit 1)",
            "select t.tableoid from {} t join public.users u on u.id = t.user_id",
            "update {} set n = n returning tableoid",
            "delete from {} where n = 7 returning tableoid::regclass",
            "insert into {} select id, 1 from public.users returning tableoid",
            "copy (select tableoid from {}) to stdout",
            "create temporary table kept as select tableoid as t from {}",
        ] {
            let asked = asked.replace("{}", table);
            assert!(client.run(&asked).is_err(), "{asked}");
        }
        client
            .run(&format!("select user_id, n from {table}"))
            .unwrap();
    }
    assert!(client.run("select place from lying").is_err());
    client.run("select n, user_id from lying").unwrap();
    for allowed in [
        "select tableoid::regclass, user_id from plain",
        "select tableoid, id from public.users",
        "select n, xmax from hashed",
    ] {
        client.run(allowed).unwrap();
    }
    assert_eq!(Canary::new().find(&client.recorded()), None);
}

/// How definitions and the question behind them are sent: so many statements awaited at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    Awaited,
    InTransaction,
    OneQuery,
    Pipelined,
    Batch,
    Prepared,
}

const WAYS: [Way; 6] = [
    Way::Awaited,
    Way::InTransaction,
    Way::OneQuery,
    Way::Pipelined,
    Way::Batch,
    Way::Prepared,
];

fn unsynced(sql: &str) -> Vec<u8> {
    let bind = message::bind("", "", &[], 0);
    [message::parse("", sql, &[]), bind, message::execute("", 0)].concat()
}

/// Sends statements. Gives whether all of them succeeded.
fn all_succeed(client: &mut Client, way: Way, statements: &[String]) -> bool {
    let flights: Vec<(Vec<u8>, usize)> = match way {
        Way::Awaited => each(statements),
        Way::InTransaction => {
            let begin = ["begin".to_owned()];
            each(&[&begin, statements].concat())
        }
        Way::OneQuery => vec![(message::query(&statements.join("; ")), 1)],
        Way::Pipelined => {
            let all = each(statements);
            let ready = all.len();
            vec![(
                all.into_iter().flat_map(|(bytes, _)| bytes).collect(),
                ready,
            )]
        }
        Way::Batch => {
            let mut bytes: Vec<u8> = statements.iter().flat_map(|sql| unsynced(sql)).collect();
            bytes.extend(message::sync());
            vec![(bytes, 1)]
        }
        Way::Prepared => {
            let (last, first) = statements.split_last().unwrap();
            let mut all = each(first);
            all.extend(each(&[
                format!("prepare asked as {last}"),
                "execute asked".to_owned(),
            ]));
            all
        }
    };
    flights.into_iter().all(|(bytes, ready)| {
        let answers = client.exchange(&bytes, ready);
        let failed = |answer: &Message| answer.sqlstate().is_some();
        answers.is_ok_and(|answers| !answers.iter().any(failed))
    })
}

fn each(statements: &[String]) -> Vec<(Vec<u8>, usize)> {
    let query = |sql: &String| (message::query(sql), 1);
    statements.iter().map(query).collect()
}

fn in_session(at: &Address, database: &str, way: Way, statements: &[String]) -> (bool, Vec<u8>) {
    let mut client = Client::connect(at, ROLE, database).unwrap();
    let succeeded = all_succeed(&mut client, way, statements);
    (succeeded, client.recorded())
}

#[test]
fn no_definition_of_a_session_s_own_tells_of_numbers() {
    let suite = build(local(), "defined", Other::Veiled).unwrap();
    let proxy = &suite.proxy.as_ref().unwrap().address;
    let mut inside = Client::connect(&local().address, ROLE, "defined_beside").unwrap();
    let rows = inside.rows("select min(id) from public.users").unwrap();
    let key = &rows[0][0];
    let mut wrong = Vec::new();
    for (definitions, asked) in cases::ORACLES {
        let all = definitions.iter().chain([asked]);
        let all: Vec<String> = all.map(|sql| sql.replace("KEY", key)).collect();
        let (succeeds, _) = in_session(&local().address, "defined_beside", Way::Awaited, &all);
        assert!(succeeds, "Postgres refuses it: {all:?}");
        inside.run(cases::AGAIN).unwrap();
        // Parse takes one statement.
        let scripts = all
            .iter()
            .any(|sql| sql.contains("; ") && !sql.contains("create function"));
        for way in WAYS
            .into_iter()
            .filter(|way| !(scripts && *way == Way::Batch))
        {
            let (succeeds, seen) = in_session(proxy, "defined_beside", way, &all);
            if succeeds || Canary::new().find(&seen).is_some() {
                wrong.push(format!("{way:?} {all:?}"));
            }
        }
        inside.run(cases::AGAIN).unwrap();
    }
    assert!(
        wrong.is_empty(),
        "{} wrong\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

/// The statements that come before a change, and lead to the code in a way: that is made before what
/// is taken back begins.
fn made_before(change: &Change, reach: &Reach) -> Vec<String> {
    let (before, ready) = (change.before, reach.ready);
    let begins = |sql: &&str| **sql == *"begin" || sql.starts_with("savepoint");
    let at = before.iter().rposition(begins).unwrap_or(before.len());
    let (first, last) = before.split_at(at);
    let all = first.iter().chain(ready).chain(last);
    all.map(|sql| (*sql).to_owned()).collect()
}

/// What a session is shown of code that changes, and runs in the same flight.
fn changed_and_run(
    at: &Address,
    database: &str,
    way: Way,
    change: &Change,
    reach: &Reach,
) -> Vec<u8> {
    let mut client = Client::connect(at, ROLE, database).unwrap();
    for sql in made_before(change, reach) {
        // One of them fails on purpose, and pgveil may refuse others.
        let _ = client.run(&sql);
    }
    let statements = [change.change]
        .into_iter()
        .chain(reach.asked.iter().copied());
    let statements: Vec<String> = statements.map(str::to_owned).collect();
    all_succeed(&mut client, way, &statements);
    client.recorded()
}

/// Looks for keys in the answers to each change × way to the code, sent in one manner after the
/// other, beginning with one; in all of them with `PGVEIL_CANARY=all`.
fn run_behind(name: &str, other: Other, first: usize) {
    let suite = build(local(), name, other).unwrap();
    let proxy = &suite.proxy.as_ref().unwrap().address;
    let database = format!("{name}_beside");
    let canary = Canary::new();
    let all = std::env::var("PGVEIL_CANARY").is_ok_and(|word| word == "all");
    let changes = behind::CHANGES.iter().enumerate();
    let cases = changes.flat_map(|(number, change)| {
        let reaches = behind::REACHES.iter().enumerate();
        reaches.map(move |(at, reach)| (first + number + at, change, reach))
    });
    let (mut told, mut wrong) = (0, Vec::new());
    for (number, change, reach) in cases {
        for (at, way) in TOGETHER.into_iter().enumerate() {
            if !all && at != number % TOGETHER.len() {
                continue;
            }
            let seen = |at| {
                let seen = changed_and_run(at, &database, way, change, reach);
                canary.find(&seen).is_some()
            };
            // Not each way leads to the code behind each change.
            if !seen(&local().address) {
                continue;
            }
            told += 1;
            if seen(proxy) {
                let (change, asked) = (change.change, reach.asked);
                wrong.push(format!("{way:?} {change}: {:?} {asked:?}", reach.ready));
            }
        }
    }
    assert!(told > 150, "Postgres tells {told} times only");
    assert!(
        wrong.is_empty(),
        "{} of {told}\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

/// Ways in which the code runs in the flight in which it is changed, and the one in which it does
/// not.
const TOGETHER: [Way; 4] = [Way::Awaited, Way::OneQuery, Way::Pipelined, Way::Batch];

#[test]
fn code_that_a_batch_changes_tells_nothing_by_any_way_to_it() {
    run_behind("behind", Other::Veiled, 0);
}

#[test]
fn code_that_a_batch_changes_tells_nothing_where_each_batch_is_looked_at() {
    run_behind("behind_looked", Other::Watched, 1);
}

/// The distinct plans of a statement for pairs of ids, without their conditions. `None` where one is
/// refused.
fn plans(
    client: &mut Client,
    statement: &str,
    ids: &[String],
    ways: usize,
) -> Option<BTreeSet<String>> {
    let mut plans = BTreeSet::new();
    let (low, _) = ids.split_at(ids.len() - 1);
    for id in low {
        let high = ids.last().unwrap();
        let sql = statement.replace("LOW", id).replace("HIGH", high);
        let explained = format!("explain {sql}");
        let bytes = match ways {
            0 => message::query(&explained),
            _ => extended(&explained, 0),
        };
        let answers = client.exchange(&bytes, 1).unwrap();
        let mut lines = Vec::new();
        for answer in &answers {
            match answer {
                Message::DataRow(values) => {
                    let line = values[0].as_ref().unwrap();
                    lines.push(String::from_utf8(line.0.clone()).unwrap());
                }
                error if error.sqlstate().is_some() => return None,
                _ => {}
            }
        }
        lines.retain(|line| line.contains("rows="));
        plans.insert(lines.join("\n"));
    }
    Some(plans)
}

#[test]
fn what_the_planner_expects_tells_nothing_of_a_key() {
    let suite = build(local(), "estimates", Other::Veiled).unwrap();
    let proxy = &suite.proxy.as_ref().unwrap().address;
    let connect = |at: &Address| Client::connect(at, ROLE, "estimates_beside").unwrap();
    let mut inside = connect(&local().address);
    inside.run(estimates::FUNCTION).unwrap();
    inside.run("insert into public.users (name, email) select 'many', n from generate_series(1, 5000) n").unwrap();
    inside
        .run("analyze public.users; analyze public.orders")
        .unwrap();
    let mut client = connect(proxy);
    let some = "select id from public.users where name <> 'many' or id in (select max(id) from public.users) order by id";
    let first = |client: &mut Client| -> Vec<String> {
        client
            .rows(some)
            .unwrap()
            .into_iter()
            .map(|row| row[0].clone())
            .collect()
    };
    let (keys, ids) = (first(&mut inside), first(&mut client));
    let (mut told, mut wrong) = (0, Vec::new());
    for statement in estimates::ORDERED {
        let bare = statement.replace("uuid", "bigint");
        let truth = plans(&mut inside, &bare, &keys, 0).expect(statement);
        told += usize::from(truth.len() > 1);
        for way in [0, 1] {
            match plans(&mut client, statement, &ids, way) {
                Some(plans) if plans.len() == 1 => {}
                other => wrong.push(format!("{way} {statement}: {other:?} of {truth:?}")),
            }
        }
    }
    assert!(wrong.is_empty(), "{}\n{}", wrong.len(), wrong.join("\n"));
    assert!(
        told > estimates::ORDERED.len() / 2,
        "Postgres tells {told} times only"
    );
    for statement in estimates::UNMARKED {
        let explained = format!("explain {}", statement.replace("LOW", &ids[0]));
        assert!(client.run(&explained).is_err(), "{statement}");
    }
    for prepared in ["id < $1", "name = 'a' and id >= $1", "id between $1 and $1"] {
        let prepare =
            format!("prepare kept (uuid) as select name from public.users where {prepared}");
        client.run(&prepare).unwrap();
        let refused = client.run(&format!("explain execute kept ('{}')", ids[0]));
        assert!(refused.is_err_and(|error| error.contains("compares ids for order")));
        client
            .run(&format!("execute kept ('{}'); deallocate kept", ids[0]))
            .unwrap();
    }
    client
        .run("prepare kept (uuid) as select name from public.users where id = $1")
        .unwrap();
    client
        .run(&format!("explain execute kept ('{}')", ids[0]))
        .unwrap();
    assert_eq!(Canary::new().find(&client.recorded()), None);
}

#[test]
fn definitions_that_compute_with_no_ids_go_on() {
    let suite = build(local(), "harmless", Other::Veiled).unwrap();
    let proxy = &suite.proxy.as_ref().unwrap().address;
    let mut client = Client::connect(proxy, ROLE, "harmless_beside").unwrap();
    for sql in cases::HARMLESS {
        client.run(sql).unwrap();
    }
    assert_eq!(Canary::new().find(&client.recorded()), None);
}

#[test]
fn what_a_session_changes_of_its_own_relations_ends_it_never() {
    for (name, other) in [("own", Other::Veiled), ("own_looked", Other::Watched)] {
        let suite = build(local(), name, other).unwrap();
        let proxy = &suite.proxy.as_ref().unwrap().address;
        let database = format!("{name}_beside");
        for own in cases::OWN {
            let mut client = Client::connect(proxy, ROLE, &database).unwrap();
            for sql in own.split("; ") {
                client.run(sql).unwrap();
            }
            assert_eq!(Canary::new().find(&client.recorded()), None);
        }
    }
}

#[test]
fn a_transaction_that_fails_behind_a_definition_in_its_text_ends_no_session() {
    let suite = build(local(), "failing", Other::Watched).unwrap();
    let proxy = &suite.proxy.as_ref().unwrap().address;
    let mut client = Client::connect(proxy, ROLE, "failing_beside").unwrap();
    for text in cases::FAILING {
        let failed = outcome(&mut client, &message::query(text)).expect(text);
        assert!(matches!(failed, (Some(_), 'E')), "{text}: {failed:?}");
        client.run("rollback").expect(text);
    }
    client.run("select id from public.users").unwrap();
    assert_eq!(Canary::new().find(&client.recorded()), None);
    // Behind a savepoint it may come back, and it could not look: another session does, or it ends.
    let text = "begin; create temporary table q (a int); Savepoint s; select 1 / 0";
    let (code, status) = outcome(&mut client, &message::query(text)).unwrap();
    match code.as_deref() {
        Some("22012") => {
            assert_eq!(status, 'E');
            for text in ["rollback to s", "select count(*) from q", "commit"] {
                client.run(text).expect(text);
            }
        }
        code => assert_eq!((code, status), (Some("40001"), '?')),
    }
}

#[test]
fn what_a_stored_definition_computes_no_error_tells() {
    let suite = build(local(), "told", Other::Veiled).unwrap();
    let proxy = &suite.proxy.as_ref().unwrap().address;
    let connect = |at: &Address| Client::connect(at, ROLE, "told_beside").unwrap();
    let mut inside = connect(&local().address);
    let letter = "insert into public.letters (body)
        select jsonb_build_object('user', jsonb_build_object('id', min(id)::text)) from public.users";
    inside.run(letter).unwrap();
    let mut client = connect(proxy);
    let (mut wrong, mut cases) = (Vec::new(), 0);
    for (expression, from) in cases::QUOTING {
        for (definitions, asked) in cases::TOLD {
            cases += 1;
            let numbered = |sql: &str| sql.replace('#', &cases.to_string());
            let definitions = numbered(&definitions.replace("EXPR", expression));
            let definitions = definitions.replace("FROM", from);
            inside.run(&definitions).unwrap();
            for sql in asked {
                let sql = numbered(sql);
                inside.recorded();
                assert!(inside.run(&sql).is_err(), "{definitions}; {sql}");
                let told = Canary::new().find(&inside.recorded());
                assert!(
                    told.is_some(),
                    "Postgres tells nothing: {definitions}; {sql}"
                );
                assert!(client.run(&sql).is_err(), "{definitions}; {sql}");
                for other in explained(&sql) {
                    let _ = client.run(&other);
                    client.run("rollback; deallocate all").unwrap();
                }
                if Canary::new().find(&client.recorded()).is_some() {
                    wrong.push(format!("{definitions}; {sql}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}\n{}", wrong.len(), wrong.join("\n"));
}

/// Other ways to run a statement, in which its plan is shown.
fn explained(sql: &str) -> [String; 3] {
    [
        format!("explain analyze {sql}"),
        format!("prepare p as {sql}; execute p"),
        format!("prepare q as {sql}; explain analyze execute q"),
    ]
}

/// The statement in the extended protocol, with a result in text or in binary.
fn extended(sql: &str, format: i16) -> Vec<u8> {
    let bind = message::bind("", "", &[], format);
    let (parse, execute) = (message::parse("", sql, &[]), message::execute("", 0));
    [parse, bind, execute, message::sync()].concat()
}

/// The SQLSTATE of the first error, and how the transaction stands behind it.
fn outcome(client: &mut Client, bytes: &[u8]) -> Result<(Option<String>, char), String> {
    let answer = client.exchange(bytes, 1)?;
    let code = answer.iter().find_map(|message| message.sqlstate());
    let status = answer.iter().find_map(|message| match message {
        Message::ReadyForQuery(status) => Some(*status),
        _ => None,
    });
    Ok((code.map(str::to_owned), status.unwrap_or('?')))
}

#[test]
fn a_stored_value_that_cannot_be_shown_fails_its_statement_alone() {
    let suite = build(local(), "unshown", Other::Veiled).unwrap();
    let proxy = &suite.proxy.as_ref().unwrap().address;
    let connect = |at: &Address| Client::connect(at, ROLE, "unshown_beside").unwrap();
    let mut inside = connect(&local().address);
    inside.run(unshown::STORED).unwrap();
    let mut client = connect(proxy);
    let mut wrong = Vec::new();
    for sql in unshown::READING {
        for bytes in [message::query(sql), extended(sql, 0), extended(sql, 1)] {
            for (begin, status) in [("", 'I'), ("begin", 'E')] {
                client.run(begin).unwrap();
                match outcome(&mut client, &bytes) {
                    Ok((Some(code), found)) if code == "XX000" && found == status => {}
                    other => wrong.push(format!("{begin} {sql}: {other:?}")),
                }
                if client.run("rollback").is_err() || client.run("select 1").is_err() {
                    wrong.push(format!("{begin} {sql}: the session has ended"));
                    client = connect(proxy);
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}\n{}", wrong.len(), wrong.join("\n"));
    assert_eq!(Canary::new().find(&client.recorded()), None);
}

#[test]
fn a_change_whose_result_cannot_be_shown_is_undone_or_said_to_be_stored() {
    let suite = build(local(), "undone", Other::Veiled).unwrap();
    let proxy = &suite.proxy.as_ref().unwrap().address;
    let connect = |at: &Address| Client::connect(at, ROLE, "undone_beside").unwrap();
    let mut inside = connect(&local().address);
    inside.run(unshown::STORED).unwrap();
    for sql in unshown::WRITING {
        for bytes in [message::query(sql), extended(sql, 0)] {
            let before = inside.rows(unshown::CHANGED).unwrap();
            let mut client = connect(proxy);
            client.run("begin").unwrap();
            let failed = outcome(&mut client, &bytes).unwrap();
            assert_eq!(failed, (Some("XX000".to_owned()), 'E'), "{sql}");
            client.run("commit").unwrap();
            assert_eq!(inside.rows(unshown::CHANGED).unwrap(), before, "{sql}");
            // Outside of a transaction it has been stored when its result comes.
            let failed = outcome(&mut client, &bytes).unwrap();
            assert_eq!(failed, (Some("XX000".to_owned()), 'I'), "{sql}");
            assert_ne!(inside.rows(unshown::CHANGED).unwrap(), before, "{sql}");
            client.run("select 1").unwrap();
            let told = String::from_utf8_lossy(&client.recorded()).into_owned();
            assert_eq!(told.matches("has carried out").count(), 1, "{sql}");
        }
    }
}

#[test]
fn a_function_of_the_owner_goes_by_no_number() {
    let suite = build(local(), "going", Other::Veiled).unwrap();
    let proxy = &suite.proxy.as_ref().unwrap().address;
    let connect = |at: &Address| Client::connect(at, ROLE, "going_beside").unwrap();
    let mut inside = connect(&local().address);
    let key = inside.rows("select min(id) from public.users").unwrap()[0][0].clone();
    let inner = "create function public.inner_one(n bigint) returns bool language plpgsql
        as 'begin return exists (select from public.users where id = n); end'";
    inside.run(inner).unwrap();
    let (bad, good) = (going::GOING_BY_KEYS, going::GOING_BY_OTHERS);
    let all = bad.iter().map(|case| (case, true));
    let all = all.chain(good.iter().map(|case| (case, false)));
    let mut wrong = Vec::new();
    for (number, ((language, arguments, result, code), goes)) in all.enumerate() {
        let create = format!(
            "create function public.going_{number} ({arguments}) returns {result} \
             language {language} as $code${code}$code$"
        );
        inside.run(&create).unwrap();
        let value = match arguments {
            _ if arguments.is_empty() => String::new(),
            _ if arguments.ends_with("bool") => "true".to_owned(),
            _ if arguments.ends_with("interval") => "'1 day'".to_owned(),
            _ if ["u date", "u timestamptz"].contains(arguments) => "'2001-01-01'".to_owned(),
            _ => format!("'{key}'"),
        };
        for sql in [
            format!("select public.going_{number}({value})"),
            format!("select count(*) from public.going_{number}({value})"),
            format!("select 1 where public.going_{number}({value}) is null"),
            format!("select u.name from public.users u, public.going_{number}({value}) g"),
        ] {
            // Not each of them may stand everywhere.
            if inside.run(&sql).is_err() {
                continue;
            }
            // A fresh session knows the function.
            if connect(proxy).run(&sql).is_err() != goes {
                wrong.push(format!("{create}: {sql}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn no_way_through_a_function_stores_an_id_that_was_not_issued() {
    const BAD: &str = "6cdbc8b1-a2f6-8059-897d-f638763e6379";
    let suite = build(local(), "storing", Other::Veiled).unwrap();
    let proxy = &suite.proxy.as_ref().unwrap().address;
    let connect = |at: &Address| Client::connect(at, ROLE, "storing_beside").unwrap();
    let mut inside = connect(&local().address);
    inside.run(stored::THROUGH).unwrap();
    let seed = "insert into public.audit_log (table_name, record_id, actor_id, action)
        select 's', (select id from public.orders limit 1), null, 'seed'";
    inside.run(seed).unwrap();
    let user = "select id from public.users order by id limit 1";
    let good = connect(proxy).rows(user).unwrap()[0][0].clone();
    let key = inside.rows(user).unwrap()[0][0].clone();
    let (mut wrong, mut works) = (Vec::new(), 0);
    let bodies = stored::all();
    for (number, body) in bodies.iter().enumerate() {
        let function = format!("public.storing_{number}");
        let returns = if body.contains("count(*)") {
            "bigint"
        } else {
            "void"
        };
        let create = format!(
            "create function {function}(uid bigint) returns {returns} language sql as $body${body}$body$"
        );
        inside.run(&create).unwrap();
        let mut client = connect(proxy);
        for call in stored::calls(&function, BAD) {
            let _ = client.run(&call);
            let _ = client.run("deallocate all");
            let stored = "select count(*) from public.audit_log
                where actor_id is not null and actor_id not in (select id from public.users)";
            if inside.rows(stored).unwrap()[0][0] != "0" {
                wrong.push(format!("{body}: {call}"));
                inside
                    .run("delete from public.audit_log where actor_id < 0")
                    .unwrap();
                inside.run(seed).unwrap();
            }
        }
        // What was issued comes to its key.
        let worked = client.run(&format!("select {function}('{good}')")).is_ok();
        let of_key = format!("select count(*) > 0 from public.audit_log where actor_id = {key}");
        let there = inside.rows(&of_key).unwrap()[0][0] == "t";
        works += usize::from(worked);
        if worked != there {
            wrong.push(format!("{body}: an id of a user"));
        }
        inside
            .run("delete from public.audit_log where action = 'f'")
            .unwrap();
        inside
            .run("update public.audit_log set actor_id = null where action = 'seed'")
            .unwrap();
    }
    assert!(wrong.is_empty(), "{}\n{}", wrong.len(), wrong.join("\n"));
    assert!(
        4 * works > 3 * bodies.len(),
        "only {works} of {} work",
        bodies.len()
    );
}

/// Documents with an id that was not issued, however they are cast on their way to a column: each is
/// refused or fails, and none is stored.
#[test]
fn no_cast_stores_a_document_with_an_id_that_was_not_issued() {
    const BAD: &str = "6cdbc8b1-a2f6-8059-897d-f638763e6379";
    let suite = build(local(), "casting", Other::Veiled).unwrap();
    let proxy = &suite.proxy.as_ref().unwrap().address;
    let connect = |at: &Address| Client::connect(at, ROLE, "casting_beside").unwrap();
    let mut inside = connect(&local().address);
    let user = "select id from public.users order by id limit 1";
    let good = connect(proxy).rows(user).unwrap()[0][0].clone();
    let types = ["json", "jsonb", "text"];
    let mut chains = vec![String::from("~")];
    let mut begin = 0;
    for _ in 0..3 {
        let end = chains.len();
        for at in begin..end {
            for of in types {
                let chain = &chains[at];
                let casts = [format!("({chain})::{of}"), format!("cast({chain} as {of})")];
                chains.push(casts[chains.len() % 2].clone());
            }
        }
        begin = end;
    }
    let wraps: [&str; 5] = [
        "~",
        "coalesce(~, ~)",
        "case when true then ~ end",
        "(select ~)",
        "nullif(~, null)",
    ];
    let (mut wrong, mut works) = (Vec::new(), 0);
    let mut client = connect(proxy);
    for (column, document) in [
        ("body", r#"'{"user": {"id": "!"}}'"#),
        ("raw", r#"'{"from": "!"}'"#),
    ] {
        for (number, chain) in chains.iter().enumerate() {
            let wrap = wraps[number % wraps.len()];
            let of = if column == "body" { "jsonb" } else { "json" };
            let value = wrap.replace('~', &format!("({chain})::{of}"));
            let ways = [
                format!("insert into letters ({column}) values ({value})"),
                format!("update letters set {column} = {value}"),
                format!(
                    "prepare p as insert into letters ({column}) select {value}; execute p; deallocate p"
                ),
            ];
            for way in ways {
                let with = |id: &str| way.replace('~', &document.replace('!', id));
                let _ = client.run(&with(BAD));
                let _ = client.run("deallocate all");
                let stored = "select count(*) from letters where
                    body::text ~ '-[0-9]{18}|6cdbc8b1' or raw::text ~ '-[0-9]{18}|6cdbc8b1'";
                if inside.rows(stored).unwrap()[0][0] != "0" {
                    wrong.push(with("…"));
                    inside.run("delete from letters").unwrap();
                }
                works += usize::from(client.run(&with(&good)).is_ok());
                let _ = client.run("deallocate all");
            }
        }
    }
    assert!(wrong.is_empty(), "{}\n{}", wrong.len(), wrong.join("\n"));
    let all = 6 * chains.len();
    assert!(2 * works > all, "only {works} of {all} work");
}
