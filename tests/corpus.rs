//! What clients really send: the recorded statements of drivers and ORMs, each run on a database
//! with uuids and through pgveil on one with integer keys. Both must describe and answer it the
//! same but for a renaming of ids; what pgveil refuses is counted by client.
//!
//! `CORPUS=text` runs only the statements that contain the text.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test reports by failing"
)]

#[path = "twin/duel.rs"]
mod duel;
#[path = "corpus/dumped.rs"]
mod dumped;
#[path = "corpus/introspection.rs"]
mod introspection;
#[path = "corpus/parsed.rs"]
mod parsed;
#[path = "corpus/statement.rs"]
mod statement;
#[path = "corpus/tools.rs"]
mod tools;
#[path = "twin/mod.rs"]
mod twin;
#[path = "corpus/world.rs"]
mod world;

use std::collections::BTreeMap;
use std::path::Path;

use duel::{Duel, Verdict, Way};
use pgveil::config::{Config, Environment, Mode};
use statement::Statement;
use twin::case::Step;
use twin::client::Address;
use twin::proxy::Proxy;
use twin::say;
use twin::stand::local;
use world::{Form, Ids};

/// The share of statements, of those that work on the twin, that pgveil may refuse. It only ever
/// goes down.
const REFUSED_SHARE: f64 = 0.005;

/// Statements whose answers differ for a reason: a part of the statement, a part of the difference,
/// and the reason. Only rows of statements that are marked as introspection are not compared
/// anyway, for catalogs show types, names and oids that differ between the databases.
const EXCEPTIONS: &[(&str, &str, &str)] = &[
    (
        "current_catalog",
        "corpus_keys",
        "the databases have different names",
    ),
    (
        "current_database()",
        "corpus_keys",
        "the databases have different names",
    ),
    (
        "id in '(@",
        "syntax error",
        "an error quotes ids without hyphens, which the comparison does not know as ids",
    ),
    (
        "(d.id)::uuid",
        "ParameterDescription",
        "a parameter of VALUES that is cast outside is described as uuid, not as text",
    ),
    (
        "audit_log",
        "was never issued as an id",
        "a column with ids of several domains can be annotated with one only",
    ),
];

/// What makes room for a row that is there already, by the constraint that says so.
const CLEARINGS: &[(&str, &str)] = &[
    (
        "users_email_key",
        "update users set email = 'old ' || email",
    ),
    ("tags_name_key", "update tags set name = 'old ' || name"),
    ("teams_slug_key", "update teams set slug = 'old ' || slug"),
    ("memberships_pkey", "delete from memberships"),
    ("order_tags_pkey", "delete from order_tags"),
    ("order_items_order_id_sku_key", "delete from order_items"),
];

fn proxy(upstream: &Address) -> Proxy {
    proxy_that(Mode::Enforce, upstream)
}

fn proxy_that(mode: Mode, upstream: &Address) -> Proxy {
    let text = include_str!("corpus/pgveil.toml").replace(
        "{upstream}",
        &format!("{}:{}", upstream.host, upstream.port),
    );
    let around = Environment {
        folder: Path::new(""),
        env: &|name| (name == "TWIN_KEY").then(|| "5eed".repeat(16)),
    };
    let mut config = Config::parse(&text, &around).unwrap();
    config.policy.mode = mode;
    Proxy::with(config).unwrap()
}

/// The two databases and what their ids are.
struct Stage {
    duel: Duel,
    twin: Ids,
    veil: Ids,
    _proxy: Proxy,
}

impl Stage {
    fn new(name: &str, mode: Mode) -> Self {
        let server = local();
        let (twin, keys) = (format!("{name}_twin"), format!("{name}_keys"));
        world::create(server, &twin, Form::Uuid).unwrap();
        world::create(server, &keys, Form::Key).unwrap();
        let proxy = proxy_that(mode, &server.address);
        let at = &server.address;
        let mut twin = Way::new(at, at, &twin).unwrap();
        let mut veil = Way::new(at, &proxy.address, &keys).unwrap();
        let mut stage = Self {
            twin: Ids::shown(twin.client().unwrap()).unwrap(),
            veil: Ids::shown(veil.client().unwrap()).unwrap(),
            duel: Duel::new(twin, veil),
            _proxy: proxy,
        };
        stage.duel.audited = mode == Mode::Audit;
        stage
    }

    fn judge(&mut self, statement: &Statement, clearing: Option<&str>) -> Verdict {
        let tried = clearing.is_some();
        let mut renaming = self.twin.renaming(&self.veil);
        // What is an id in the text, but of no row, is the same in both.
        renaming.pair_texts(statement.sql.as_bytes(), statement.sql.as_bytes());
        let mut step = Step::statement(&statement.sql);
        step.early = true;
        let exchanges = (
            statement.exchange(&self.twin, clearing).unwrap(),
            statement.exchange(&self.veil, clearing).unwrap(),
        );
        self.duel.rows = !statement.introspection;
        let judged = self
            .duel
            .judge(&step, &mut renaming, (&exchanges.0, &exchanges.1));
        let verdict = judged.unwrap_or_else(|reason| panic!("{}\n{reason}", statement.sql));
        // The client's rows were not there yet: make room and try again.
        let wanted = statement.fails.iter().any(|state| state == "23505");
        let clearing = CLEARINGS
            .iter()
            .find(|(constraint, _)| !wanted && self.duel.conflict.as_deref() == Some(constraint));
        match (clearing, tried) {
            (Some((_, sql)), false) => self.judge(statement, Some(sql)),
            _ => verdict,
        }
    }
}

/// How the statements of a client ended.
#[derive(Default)]
struct Row {
    equal: usize,
    errors: usize,
    refused: usize,
    differing: usize,
    excepted: usize,
}

impl Row {
    fn count(&mut self, verdict: &Verdict, excepted: bool) {
        let field = match verdict {
            _ if excepted => &mut self.excepted,
            Verdict::Equal => &mut self.equal,
            Verdict::EqualError(_) | Verdict::RefusedError(_) => &mut self.errors,
            Verdict::Refused(_) => &mut self.refused,
            Verdict::Differing(_) | Verdict::Leaked(_) => &mut self.differing,
        };
        *field += 1;
    }

    /// The refused part of what works on the twin.
    fn refused_share(&self) -> f64 {
        self.refused as f64 / (self.equal + self.refused).max(1) as f64
    }
}

impl std::fmt::Display for Row {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { equal, errors, .. } = self;
        let percent = 100.0 * self.refused_share();
        write!(f, "{equal:7}{errors:8}{:9}{percent:6.1} %", self.refused)?;
        write!(f, "{:11}{:10}", self.differing, self.excepted)
    }
}

/// What the run came to.
#[derive(Default)]
struct Report {
    clients: BTreeMap<String, Row>,
    all: Row,
    /// How often pgveil refused with these words, and a statement.
    refusals: BTreeMap<String, (usize, String)>,
    excepted: BTreeMap<&'static str, usize>,
    wrong: Vec<String>,
}

impl Report {
    fn add(&mut self, statement: &Statement, verdict: Verdict) {
        let exception = match &verdict {
            Verdict::Differing(difference) => EXCEPTIONS.iter().find(|(part, why, _)| {
                statement.sql.to_lowercase().contains(part) && difference.contains(why)
            }),
            _ => None,
        };
        if let Some((.., reason)) = exception {
            *self.excepted.entry(reason).or_default() += 1;
        }
        let client = self.clients.entry(statement.client.clone()).or_default();
        client.count(&verdict, exception.is_some());
        self.all.count(&verdict, exception.is_some());
        match verdict {
            Verdict::Refused(gist) => {
                let new = (0, statement.sql.clone());
                self.refusals.entry(gist).or_insert(new).0 += 1;
            }
            Verdict::Differing(text) | Verdict::Leaked(text) if exception.is_none() => {
                let Statement { client, sql, .. } = statement;
                self.wrong.push(format!("{client}: {sql}\n    {text}"));
            }
            _ => {}
        }
    }

    fn print(&self) {
        say("client                      equal  errors  refused   share  differing  excepted");
        for (client, row) in &self.clients {
            say(&format!("{client:26} {row}"));
        }
        say(&format!("{:26} {}", "all", self.all));
        let mut refusals: Vec<_> = self.refusals.iter().collect();
        refusals.sort_by_key(|(_, (count, _))| std::cmp::Reverse(*count));
        say("\nrefused, an example of each kind");
        for (gist, (count, example)) in refusals {
            let example: String = example.chars().take(300).collect();
            say(&format!("{count:6} {gist}\n         {example}"));
        }
        say("\nexcepted");
        for (reason, count) in &self.excepted {
            say(&format!("{count:6} {reason}"));
        }
    }
}

#[test]
fn clients_are_answered_as_by_the_twin() {
    let only = std::env::var("CORPUS").unwrap_or_default();
    let mut stage = Stage::new("corpus", Mode::Enforce);
    let mut report = Report::default();
    for statement in statement::corpus() {
        if statement.sql.contains(&only) {
            let verdict = stage.judge(&statement, None);
            report.add(&statement, verdict);
        }
    }
    report.print();
    let wrong = &report.wrong;
    assert!(
        wrong.is_empty(),
        "{}\n\n{} statements differ",
        wrong.join("\n\n"),
        wrong.len()
    );
    let share = report.all.refused_share();
    assert!(
        share <= REFUSED_SHARE || !only.is_empty(),
        "{share} of the statements are refused"
    );
}

/// What audit mode need not pass on it answers as enforce mode does; and whatever it passes on, it loses
/// no message and ends no session.
#[test]
fn clients_miss_no_message_in_audit_mode() {
    let only = std::env::var("CORPUS").unwrap_or_default();
    let mut audited = Stage::new("audited", Mode::Audit);
    let mut enforced = Stage::new("enforced", Mode::Enforce);
    let mut wrong = Vec::new();
    for statement in statement::corpus() {
        if !statement.sql.contains(&only) {
            continue;
        }
        let missing = match audited.judge(&statement, None) {
            Verdict::Differing(missing) => missing,
            Verdict::Refused(gist) if enforced.judge(&statement, None) == Verdict::Equal => gist,
            _ => continue,
        };
        wrong.push(format!("{}\n    {missing}", statement.sql));
    }
    assert!(wrong.is_empty(), "{}: {}", wrong.len(), wrong.join("\n\n"));
}

#[test]
fn a_dump_through_pgveil_is_that_of_a_database_with_uuids() {
    dumped::compare();
}

#[test]
fn catalogs_tell_what_those_of_the_twin_tell() {
    let (asked, differing) = introspection::compare();
    say(&format!("{asked} statements about the schema"));
    assert!(
        differing.is_empty(),
        "{}\n\n{} of {asked} are told something else",
        differing.join("\n\n"),
        differing.len()
    );
}

#[test]
fn catalogs_tell_of_domains_elements_and_attributes_what_those_of_the_twin_tell() {
    let (asked, differing) = introspection::compare_more();
    assert!(
        differing.is_empty(),
        "{}\n\n{} of {asked} are told something else",
        differing.join("\n\n"),
        differing.len()
    );
}

#[test]
fn what_is_no_sql_is_told_in_the_words_of_postgres_and_what_is_never_called_so() {
    let (asked, none, wrong) = parsed::compare();
    say(&format!("{asked} texts, {none} times no SQL"));
    assert!(none > asked / 2, "only {none} of {asked} are no SQL");
    assert!(
        wrong.is_empty(),
        "{}\n\n{} of {asked} are told something else",
        wrong.join("\n\n"),
        wrong.len()
    );
}

#[test]
fn no_question_about_a_catalog_is_estimated_so_high_that_postgres_compiles_it() {
    let compiled = introspection::compiled();
    assert!(compiled.is_empty(), "{}", compiled.join("\n"));
}

#[test]
fn tools_are_told_of_the_schema_what_they_are_told_of_the_twin() {
    are_told_alike(tools::compare());
}

#[test]
fn tools_are_told_it_beside_extensions_that_have_operators_and_functions_of_these_names() {
    are_told_alike(tools::compare_extended());
}

fn are_told_alike((counts, differing): (Vec<String>, Vec<String>)) {
    say(&counts.join("\n"));
    assert!(
        differing.is_empty(),
        "{}\n\n{} are told something else",
        differing.join("\n\n"),
        differing.len()
    );
}
