//! Statements behind a change of the database in one text or batch: what they mean nobody knows before
//! it has run, so that their results may be refused. That is an error of theirs, and no more.

use crate::batch;
use crate::twin::canary::Canary;
use crate::twin::client::Client;
use crate::twin::message::{self, Message};
use crate::twin::stand::{Other, build, local};
use crate::twin::world::ROLE;

const MADE: &str = "create table plain (a int, b text); insert into plain values (1, 'b');
    create view seen as select name from users";

/// Changes, what reads behind them, and what makes them undone.
const CHANGES: &[(&[&str], &str, &str)] = &[
    (
        &["alter table plain add column zz int"],
        "select * from plain",
        "alter table plain drop column if exists zz",
    ),
    (
        &["alter table plain drop column if exists b"],
        "select a + 1 from plain",
        "alter table plain drop column if exists b; alter table plain add column b text",
    ),
    (
        &["drop table plain", "create table plain (x int)"],
        "select * from plain",
        "drop table plain; create table plain (a int, b text)",
    ),
    (
        &["alter table users add column zz int"],
        "select * from users",
        "alter table users drop column if exists zz",
    ),
    (
        &["alter table users add column zz bigint default 7"],
        "select u from users u",
        "alter table users drop column if exists zz",
    ),
    (
        &["alter table users alter login_count set default 4"],
        "select lower(name), count(*) from users group by 1",
        "alter table users alter login_count set default 0",
    ),
    (
        &["alter table users alter login_count set default 4"],
        "update users set name = name where false returning *",
        "alter table users alter login_count set default 0",
    ),
    (
        &[
            "drop view seen",
            "create view seen as select id, name from users",
        ],
        "select * from seen",
        "drop view seen; create view seen as select name from users",
    ),
    (
        &[
            "drop view seen",
            "create view seen as select id + 0 as n from users",
        ],
        "select n from seen",
        "drop view seen; create view seen as select name from users",
    ),
];

/// What a client sends and how many ReadyForQuery come.
fn sent(texts: &[&str], in_a_batch: bool) -> (Vec<u8>, usize) {
    match in_a_batch {
        true => batch(&mut texts.iter().copied()),
        false => (message::query(&texts.join("; ")), 1),
    }
}

#[test]
fn a_change_and_what_reads_behind_it_in_one_text_end_no_session() {
    let suite = build(local(), "behind_changes", Other::Veiled).unwrap();
    let proxy = &suite.proxy.as_ref().unwrap().address;
    let database = "behind_changes_beside";
    let mut inside = Client::connect(&local().address, ROLE, database).unwrap();
    inside.run(MADE).unwrap();
    let mut client = Client::connect(proxy, ROLE, database).unwrap();
    let mut wrong = Vec::new();
    for (changes, reads, undo) in CHANGES {
        for (in_a_batch, begin) in [(false, ""), (false, "begin"), (true, ""), (true, "begin")] {
            let texts: Vec<&str> = changes.iter().copied().chain([*reads]).collect();
            client.run(begin).unwrap();
            let (bytes, ready) = sent(&texts, in_a_batch);
            let answer = client.exchange(&bytes, ready);
            let code = |message: &Message| message.sqlstate().map(str::to_owned);
            let codes: Option<Vec<String>> = answer
                .as_ref()
                .ok()
                .map(|answer| answer.iter().filter_map(code).collect());
            let is_said = |codes: &Vec<String>| {
                let known =
                    |code: &String| ["0A000", "25P02", "42703", "58000"].contains(&code.as_str());
                codes.iter().all(known)
            };
            let goes_on = client.run("rollback").is_ok() && client.run("select 1").is_ok();
            if !goes_on || !codes.as_ref().is_some_and(is_said) {
                wrong.push(format!("{in_a_batch} {begin} {texts:?}: {answer:?}"));
            }
            if !goes_on {
                client = Client::connect(proxy, ROLE, database).unwrap();
            }
            inside.run(undo).unwrap();
        }
    }
    assert!(wrong.is_empty(), "{}\n{}", wrong.len(), wrong.join("\n"));
    assert_eq!(Canary::new().find(&client.recorded()), None);
}
