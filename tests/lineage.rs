//! A second opinion on where keys flow: Postgres analyses each statement, too, as the body of a
//! function, and keeps the tree. A result column that is made of an annotated column, by that
//! tree, must not be clean in the plan, nor of another domain, and `explain` must name the column.
//! The statements are those of the twin's cases and of the corpus, and random ones. What the table of
//! its own functions says of them Postgres is asked, too.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test reports by failing"
)]

#[path = "lineage/builtins.rs"]
mod builtins;
#[path = "lineage/flow.rs"]
mod flow;
#[path = "lineage/judge.rs"]
mod judge;
#[path = "lineage/node.rs"]
mod node;
#[path = "twin/mod.rs"]
mod twin;
#[path = "corpus/world.rs"]
#[allow(dead_code, reason = "of the corpus only the database is used")]
mod world;

use std::path::Path;

use judge::{Finding, Judge};
use pgveil::config::{Config, Environment};
use twin::case::Kind;
use twin::client::Client;
use twin::say;
use twin::stand::local;
use twin::world::{Form, Names, ROLE};

/// Differences that are none: a part of the statement and the reason.
const EXCEPTIONS: &[(&str, &str)] = &[
    ("select (x.o).* from (select o from orders o) x", OF_A_ROW),
    ("select (s.u).* from (select u from users u) s", OF_A_ROW),
    ("select json_agg(l order by id) -> 0 -> 'body'", OF_JSON),
    ("select to_jsonb(l) -> 'body', to_jsonb(l) -> 'id'", OF_JSON),
    ("(select row(id, name) from users)) as q(a uuid", OF_A_ROW),
    ("(select row(user_id, count(*)) from orders", OF_A_ROW),
    ("(select array_agg(row(id, participant_ids, kind)", OF_A_ROW),
    ("unnest(e.participant_ids, array[1, 2]) with", OF_A_CALL),
    ("from users u, jsonb_populate_record(u, $1) y", OF_A_CALL),
];

const OF_JSON: &str = "of a member of JSON the tree tells only what the whole is made of";
const OF_A_CALL: &str = "of a column of a call the tree tells only what the call is made of";
const OF_A_ROW: &str = "of a column of a row the tree tells only which row it is of";

/// How the statements ended.
#[derive(Default)]
struct Report {
    judged: usize,
    with_ids: usize,
    skipped: usize,
    wrong: Vec<String>,
}

impl Report {
    fn add(&mut self, sql: &str, finding: Finding) {
        match finding {
            Finding::Agreed(ids) => {
                self.judged += 1;
                self.with_ids += usize::from(ids > 0);
            }
            Finding::Nothing => self.skipped += 1,
            Finding::Wrong(_) if EXCEPTIONS.iter().any(|(part, _)| sql.contains(part)) => {}
            Finding::Wrong(told) => self.wrong.push(format!("{sql}\n    {told}")),
        }
    }

    fn check(&self, what: &str, least: usize) {
        let Self {
            judged,
            with_ids,
            skipped,
            wrong,
        } = self;
        say(&format!(
            "lineage of {what}: Postgres agrees on {judged} statements, {with_ids} of them with \
             ids in the result; {skipped} are refused or can't be in a function"
        ));
        assert!(
            wrong.is_empty(),
            "{}\n{} are wrong",
            wrong.join("\n"),
            wrong.len()
        );
        assert!(*with_ids > least);
    }
}

#[test]
fn the_table_of_functions_is_that_of_postgres() {
    let server = local();
    let mut client = Client::connect(&server.address, ROLE, "postgres").unwrap();
    let differences = builtins::differences(&mut client).unwrap();
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

#[test]
fn columns_of_the_cases_hold_what_postgres_says_that_they_are_made_of() {
    let server = local();
    let names = Names::load();
    names
        .create(&server.address, &server.superuser, "lineage", Form::Key)
        .unwrap();
    let config = twin::proxy::config(&server.address).unwrap();
    let client = Client::connect(&server.address, ROLE, "lineage").unwrap();
    let mut judge = Judge::new(client, &config).unwrap();
    let ids = names.inside(Form::Uuid { salt: 1 });
    let mut report = Report::default();
    for case in twin::cases() {
        for step in case
            .steps
            .iter()
            .filter(|step| step.kind == Kind::Statement)
        {
            let sql = names.fill(&step.text, &ids).unwrap();
            report.add(&sql, judge.judge(&sql).unwrap());
        }
    }
    report.check("the cases", 300);
}

#[test]
fn columns_of_the_corpus_hold_what_postgres_says_that_they_are_made_of() {
    let server = local();
    world::create(server, "lineage_corpus", world::Form::Key).unwrap();
    let text = include_str!("corpus/pgveil.toml").replace("{upstream}", "127.0.0.1:1");
    let around = Environment {
        folder: Path::new(""),
        env: &|name| (name == "TWIN_KEY").then(|| "5eed".repeat(16)),
    };
    let config = Config::parse(&text, &around).unwrap();
    let client = Client::connect(&server.address, ROLE, "lineage_corpus").unwrap();
    let mut judge = Judge::new(client, &config).unwrap();
    let id = "7d3f0b52-9a41-4c68-b1de-5e2f8c90a7b4";
    let mut report = Report::default();
    for line in include_str!("corpus/statements.jsonl").lines() {
        let json: serde_json::Value = serde_json::from_str(line).unwrap();
        let sql = json["sql"].as_str().unwrap();
        // `@users.1@` stands for an id.
        let pieces = sql.split('@').map(|piece| {
            let is_id = piece.split_once('.').is_some_and(|(table, row)| {
                table
                    .bytes()
                    .all(|byte| byte.is_ascii_lowercase() || byte == b'_')
                    && row.starts_with(|first: char| first.is_ascii_digit())
            });
            if is_id {
                format!("\0{id}\0")
            } else {
                piece.to_owned()
            }
        });
        let sql = pieces.collect::<Vec<_>>().join("@");
        let sql = sql.replace("@\0", "").replace("\0@", "");
        report.add(&sql, judge.judge(&sql).unwrap());
    }
    report.check("the corpus", 300);
}
