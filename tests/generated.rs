//! Statements that nobody thought of: random ones from a grammar of all that uuids can do, each
//! run on a database with uuids and through pgveil on one with integer keys. The answers must be
//! the same but for a renaming of ids, or pgveil refuses; no key may be in any byte it sends.
//!
//! `PGVEIL_GENERATED=n` runs so many statements, `PGVEIL_SEED=n` other ones, and
//! `PGVEIL_GENERATED_AT=n` only the one of this number, which is printed with what came of it.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test reports by failing"
)]

#[path = "generated/checks.rs"]
mod checks;
#[path = "generated/condition.rs"]
mod condition;
#[path = "twin/duel.rs"]
mod duel;
#[path = "generated/filter.rs"]
mod filter;
#[path = "lineage/flow.rs"]
mod flow;
#[path = "generated/from.rs"]
mod from;
#[path = "lineage/judge.rs"]
mod judge;
#[path = "generated/made_of.rs"]
mod made_of;
#[path = "sql/mutated.rs"]
mod mutated;
#[path = "lineage/node.rs"]
mod node;
#[path = "generated/plans.rs"]
mod plans;
#[path = "generated/query.rs"]
mod query;
#[path = "generated/random.rs"]
mod random;
#[path = "generated/run.rs"]
mod run;
#[path = "generated/schema.rs"]
mod schema;
#[path = "generated/scope.rs"]
mod scope;
#[path = "generated/text.rs"]
mod text;
#[path = "generated/tree.rs"]
mod tree;
#[path = "twin/mod.rs"]
mod twin;
#[path = "generated/value.rs"]
mod value;
#[path = "generated/write.rs"]
mod write;

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use duel::Verdict;
use random::Random;
use run::{Arena, Kept, Other, Protocol, shrink, spelled};
use scope::Generator;
use tree::Tree;
use twin::proxy::Proxy;
use twin::say;
use twin::stand::local;

/// How many statements a run has, if nothing else is said.
const STATEMENTS: usize = 20_000;

/// The share of the statements that work on the twin of which pgveil refuses less. It only ever goes
/// down.
const REFUSED_SHARE: f64 = 0.05;

/// How many are sent through a pgveil that audits.
const AUDITED: usize = 2_000;

/// How many failures are made small; the others are only counted.
const SHRUNK: usize = 40;

/// Sessions that run statements at the same time, each with databases of its own.
const ARENAS: usize = 3;

/// Statements longer than this are left out.
const LONGEST: usize = 6_000;

/// Differences that are none of pgveil's making: what the answers say, and why.
const EXCEPTIONS: &[(&str, &str)] = &[
    (
        "function max(uuid) does not exist",
        "Postgres 15 has no max(uuid), and pgveil does not see an id",
    ),
    (
        "function min(uuid) does not exist",
        "Postgres 15 has no min(uuid), and pgveil does not see an id",
    ),
    (
        "is not composite",
        "an error about a value that is no row names the type of the key",
    ),
    (
        "wal_records",
        "statistics of the server go on between the two",
    ),
    (
        "relation \\\"urgent_notes\\\"",
        "Postgres shows a row of an inheriting table with its parent's columns: no DETAIL",
    ),
];

/// The reason for which a difference is none.
fn exception(verdict: &Verdict) -> Option<&'static str> {
    let Verdict::Differing(difference) = verdict else {
        return None;
    };
    let known = EXCEPTIONS
        .iter()
        .find(|(part, _)| difference.contains(part));
    let told = |text: &str| difference.matches(text).count();
    let is_twice = "cannot affect row a second time";
    let is_row = told("Failing row contains") + told("Key (") + told(is_twice) == 2;
    let of_rows = is_row.then_some("which of several rows fails first is not said");
    let is_cut = told("Failing row contains") == 1 && difference.contains("...");
    let is_listed =
        told("Failing row contains") + told("Key (") == 1 && difference.contains("[\\\"a\\\", 1]");
    let of_list = is_listed
        .then_some("a value with a comma in a DETAIL can't be told from two, and there is none");
    let is_unevaluated = told("more than one row returned by a subquery") == 1;
    let of_order = is_unevaluated.then_some("which condition is evaluated first is up to the plan");
    let of_length = is_cut.then_some("a long value is cut in a DETAIL, and ids with it");
    let is_elsewhere = told("\"42P01\"") == 2
        && told("invalid reference to FROM-clause entry") == 1
        && told("missing FROM-clause entry") == 1;
    let of_elsewhere = is_elsewhere
        .then_some("a table in another part of the query is told from one that is nowhere");
    let is_ungrouped = told("\"42803\"") == 2
        && told("must appear in the GROUP BY clause") == 1
        && told("subquery uses ungrouped column") == 1;
    let of_ungrouped =
        is_ungrouped.then_some("JSON of a whole row is made by a subquery, which the error names");
    known
        .map(|(_, reason)| *reason)
        .or(of_rows)
        .or(of_length)
        .or(of_list)
        .or(of_order)
        .or(of_elsewhere)
        .or(of_ungrouped)
}

/// A number from the environment.
fn number(name: &str) -> Option<u64> {
    let value = std::env::var(name).ok()?;
    let number = value.parse();
    Some(number.unwrap_or_else(|_| panic!("{name}={value} is no number")))
}

/// A statement of a run.
struct Statement {
    tree: Tree,
    writes: bool,
    protocol: Protocol,
}

impl Statement {
    fn generate(seed: u64, number: usize) -> Self {
        let mut random = Random::new(seed, number as u64);
        let everything = random.once_in(3);
        let protocol = match random.below(6) {
            0 => Protocol::Extended(0),
            // Rows and JSON in binary are not compared.
            1 if !everything => Protocol::Extended(1),
            _ => Protocol::Simple,
        };
        // Drawn apart, so that the statement of a number is the same in whatever way it is asked.
        let mut ways = Random::new(!seed, number as u64);
        let kept = ways.once_in(5).then(|| *ways.choose(&Kept::ALL));
        let (tree, writes) = Generator::new(random, everything).statement();
        let protocol = match (protocol, kept) {
            (Protocol::Simple, Some(kept)) if !writes => Protocol::Kept(kept),
            _ => protocol,
        };
        Self {
            tree,
            writes,
            protocol,
        }
    }

    fn render(&self) -> tree::Rendered {
        self.tree.render(self.protocol.has_parameters())
    }
}

/// What the run came to.
#[derive(Default)]
struct Report {
    run: usize,
    equal: usize,
    errors: BTreeMap<String, usize>,
    refused_errors: usize,
    /// How often pgveil refused with these words, and the shortest statement.
    refusals: BTreeMap<String, (usize, String)>,
    excepted: BTreeMap<&'static str, usize>,
    failures: Vec<String>,
    failed: usize,
}

impl Report {
    fn add(&mut self, statement: &str, verdict: &Verdict) {
        self.run += 1;
        if let Some(reason) = exception(verdict) {
            *self.excepted.entry(reason).or_default() += 1;
            return;
        }
        match verdict {
            Verdict::Equal => self.equal += 1,
            Verdict::EqualError(state) => {
                *self.errors.entry(state.clone()).or_default() += 1;
            }
            Verdict::RefusedError(_) => self.refused_errors += 1,
            Verdict::Refused(gist) => {
                let new = || (0, statement.to_owned());
                let (count, example) = self.refusals.entry(gist.clone()).or_insert_with(new);
                *count += 1;
                if statement.len() < example.len() {
                    statement.clone_into(example);
                }
            }
            Verdict::Differing(_) | Verdict::Leaked(_) => self.failed += 1,
        }
    }

    /// How many of those that work on the twin are refused.
    fn refused(&self) -> usize {
        self.refusals.values().map(|(count, _)| count).sum()
    }

    /// The most that may be refused: of the statements of this seed and number a share, of others by
    /// chance up to three deviations more.
    fn most_refused(&self, is_chance: bool) -> f64 {
        let works = (self.equal + self.refused()) as f64;
        let deviation = (works * REFUSED_SHARE * (1.0 - REFUSED_SHARE)).sqrt();
        works * REFUSED_SHARE + if is_chance { 3.0 * deviation } else { 0.0 }
    }

    fn print(&self) {
        let refused = self.refused();
        let share = 100.0 * refused as f64 / (self.equal + refused).max(1) as f64;
        say(&format!(
            "{} statements: {} equal, {refused} refused ({share:.1} % of those that work), \
             {} wrong; {} fail on both sides alike, {} are refused but fail anyway",
            self.run,
            self.equal,
            self.failed,
            self.errors.values().sum::<usize>(),
            self.refused_errors,
        ));
        say(&format!("failing alike: {:?}", self.errors));
        say(&format!("excepted: {:?}", self.excepted));
        let mut refusals: Vec<_> = self.refusals.iter().collect();
        refusals.sort_by_key(|(_, (count, _))| std::cmp::Reverse(*count));
        for (gist, (count, example)) in refusals.iter().take(30) {
            say(&format!("{count:6} {gist}\n         {example}"));
        }
    }
}

/// Runs a statement, and makes it small if it fails.
fn run_one(arena: &mut Arena, number: usize, seed: u64, report: &Mutex<Report>) {
    let statement = Statement::generate(seed, number);
    let rendered = statement.render();
    if rendered.sql.len() > LONGEST {
        return;
    }
    let judged = arena.judge(&rendered, statement.writes, statement.protocol);
    let verdict = judged.unwrap_or_else(|reason| panic!("{number}: {}\n{reason}", rendered.sql));
    let is_shrunk = {
        let mut report = report.lock().unwrap();
        report.add(&spelled(&statement.tree, statement.protocol), &verdict);
        report.failed <= SHRUNK && exception(&verdict).is_none()
    };
    let (Verdict::Differing(_) | Verdict::Leaked(_), true) = (&verdict, is_shrunk) else {
        return;
    };
    let (small, protocol) = shrink(arena, &statement.tree, statement.writes, statement.protocol);
    let rendered = small.render(protocol.has_parameters());
    let before = verdict;
    let verdict = arena.judge(&rendered, statement.writes, protocol);
    let told = match verdict {
        Ok(Verdict::Differing(told)) => told,
        Ok(Verdict::Leaked(told)) => format!("A KEY GOT OUT {told}"),
        other => format!("once only: {before:?}; now {other:?}"),
    };
    let told: String = told.chars().take(3_000).collect();
    let text = format!(
        "seed {seed}, statement {number}\n    {}\n    {told}",
        spelled(&small, protocol)
    );
    report.lock().unwrap().failures.push(text);
}

#[test]
fn generated_statements_are_answered_as_by_the_twin() {
    let seed = number("PGVEIL_SEED").unwrap_or(1);
    let only = number("PGVEIL_GENERATED_AT").map(|number| usize::try_from(number).unwrap());
    let count = number("PGVEIL_GENERATED").map_or(STATEMENTS, |count| count as usize);
    let server = local();
    let proxy = Proxy::start(&server.address).unwrap();
    let report = Mutex::new(Report::default());
    let next = AtomicUsize::new(0);
    if let Some(number) = only {
        let mut arena = Arena::new(server, "one", Other::Veiled(&proxy.address)).unwrap();
        let statement = Statement::generate(seed, number);
        say(&spelled(&statement.tree, statement.protocol));
        run_one(&mut arena, number, seed, &report);
    } else {
        std::thread::scope(|scope| {
            for place in 0..ARENAS {
                let (report, next, proxy) = (&report, &next, &proxy.address);
                scope.spawn(move || {
                    let mut arena =
                        Arena::new(server, &format!("arena{place}"), Other::Veiled(proxy)).unwrap();
                    loop {
                        let number = next.fetch_add(1, Ordering::Relaxed);
                        if number >= count {
                            break;
                        }
                        run_one(&mut arena, number, seed, report);
                    }
                });
            }
        });
    }
    let report = report.into_inner().unwrap();
    report.print();
    assert!(
        report.failed == 0,
        "{}\n\n{} statements are answered wrongly",
        report.failures.join("\n\n"),
        report.failed
    );
    let works = report.equal * 2 > report.run;
    assert!(works || only.is_some(), "most statements do not work");
    let is_chance = seed != 1 || count != STATEMENTS;
    let most = report.most_refused(is_chance);
    assert!(
        (report.refused() as f64) < most || only.is_some(),
        "{} of the statements that work are refused, not less than {most:.0}",
        report.refused()
    );
}

/// Whatever is passed on in audit mode, no session ends and no message is missing; and what enforce
/// mode does, audit mode does.
#[test]
fn generated_statements_miss_no_message_in_audit_mode() {
    let seed = number("PGVEIL_SEED").unwrap_or(1);
    let count = number("PGVEIL_GENERATED").map_or(AUDITED, |count| count as usize);
    let server = local();
    let proxies = [
        Proxy::auditing(&server.address).unwrap(),
        Proxy::start(&server.address).unwrap(),
    ];
    let [audited, enforced] = [0, 1].map(|at: usize| &proxies[at].address);
    let (next, alike) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let wrong = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for place in 0..ARENAS {
            let (next, alike, wrong) = (&next, &alike, &wrong);
            scope.spawn(move || {
                let arena = |name: &str, other| {
                    Arena::new(server, &format!("{name}{place}"), other).unwrap()
                };
                let mut passed = arena("passed", Other::Audited(audited));
                let mut refused = arena("refused", Other::Veiled(enforced));
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= count {
                        break;
                    }
                    let statement = Statement::generate(seed, number);
                    let found = missing(&mut passed, &mut refused, &statement);
                    let found = found.unwrap_or_else(|| {
                        alike.fetch_add(1, Ordering::Relaxed);
                        None
                    });
                    let told = found.map(|found| format!("statement {number}: {found}"));
                    wrong.lock().unwrap().extend(told);
                }
            });
        }
    });
    let (alike, wrong) = (alike.into_inner(), wrong.into_inner().unwrap());
    say(&format!(
        "audit mode: {alike} of {count} are answered as by the twin"
    ));
    assert!(
        wrong.is_empty(),
        "seed {seed}, {}: {}",
        wrong.len(),
        wrong.join("\n\n")
    );
    assert!(2 * alike > count, "most statements do not work");
}

/// What audit mode loses of the answer to a statement; `None` if that is the twin's.
fn missing(
    passed: &mut Arena,
    refused: &mut Arena,
    statement: &Statement,
) -> Option<Option<String>> {
    let rendered = statement.render();
    if rendered.sql.len() > LONGEST {
        return Some(None);
    }
    let judged = |arena: &mut Arena| {
        let judged = arena.judge(&rendered, statement.writes, statement.protocol);
        judged.unwrap_or_else(|reason| panic!("{}\n{reason}", rendered.sql))
    };
    let missing = match judged(passed) {
        // What is passed on as it stands may find other rows than on the twin.
        Verdict::Differing(missing)
            if missing.contains(" of the twin, ") && judged(refused) != Verdict::Equal =>
        {
            return Some(None);
        }
        Verdict::Differing(missing) => missing,
        Verdict::Refused(gist) if judged(refused) == Verdict::Equal => gist,
        Verdict::Equal => return None,
        _ => return Some(None),
    };
    let missing: String = missing.chars().take(3_000).collect();
    let spelled = spelled(&statement.tree, statement.protocol);
    Some(Some(format!("{spelled}\n    {missing}")))
}
