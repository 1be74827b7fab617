//! What was judged stays true: whatever changes what a name means, whatever takes that back, and
//! however the two and the question behind them reach the server, the answer is that of the twin
//! or a refusal, and no key is in it.
//!
//! The table `users` stands in two schemas. In `plainer` it has no ids, so that `id + 0` is a
//! number like any other; in `public` it would show a key.
//!
//! Each run takes one cell of the table in `SHARE`, in which every change, end and way occurs; with
//! `PGVEIL_JUDGED=all` it takes them all, for some minutes.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test reports by failing"
)]

#[path = "judged/behind.rs"]
mod behind;
#[path = "judged/cursors.rs"]
mod cursors;
#[path = "judged/elsewhere.rs"]
mod elsewhere;
#[path = "judged/tables.rs"]
mod tables;
#[path = "twin/mod.rs"]
mod twin;
#[path = "judged/untold.rs"]
mod untold;

use std::collections::BTreeMap;

use cursors::{BESIDE_CODE, ENDED, OPENS};
use elsewhere::{FINDS_ELSEWHERE, FINDS_LATER, GOES_ON, PATHS, PLAINER_TOO, PUT_OFF, TOGETHER};
use tables::{
    BESIDE, BROUGHT_ABOUT, BY_NAME, IN_FRONT, LOOKS_LATE, NAMES, PLAINER, SETTERS, TEMPORARY,
    Table, UNASKED, is_lasting,
};
use twin::canary::Canary;
use twin::client::{Address, Client};
use twin::message::{self, Message};
use twin::say;
use twin::stand::{Other, build, local};
use twin::world::ROLE;

/// One cell in so many is tried if nothing is said.
const SHARE: usize = 53;

/// A message or several, and how often the server is ready behind them.
type Flight = (Vec<u8>, usize);

fn simple(sql: &str) -> Flight {
    (message::query(sql), 1)
}

/// Parse, Bind and Execute without names, with no Sync behind.
fn unsynced(sql: &str) -> Vec<u8> {
    let bind = message::bind("", "", &[], 0);
    [message::parse("", sql, &[]), bind, message::execute("", 0)].concat()
}

fn run_named(name: &str) -> Flight {
    let bind = message::bind("", name, &[], 0);
    ([bind, message::execute("", 0), message::sync()].concat(), 1)
}

fn together(flights: impl IntoIterator<Item = Flight>) -> Flight {
    let mut all = (Vec::new(), 0);
    for (bytes, ready) in flights {
        all.0.extend(bytes);
        all.1 += ready;
    }
    all
}

/// A way to the server by its name.
type Way = (&'static str, Vec<Flight>);

/// What is sent: a change, its end and a probe.
struct Cell<'a> {
    change: &'a [&'a str],
    end: &'a str,
    probe: &'a str,
}

impl Cell<'_> {
    /// The ways in which it reaches the server.
    fn ways(&self) -> Vec<Way> {
        [self.at_once(), self.parsed(), self.prepared(), self.bound()].concat()
    }

    fn all(&self) -> impl Iterator<Item = &str> {
        self.change.iter().copied().chain([self.end, self.probe])
    }

    /// The change, awaited, and what comes then.
    fn after(&self, flights: Vec<Flight>) -> Vec<Flight> {
        let before = self.change.iter().map(|sql| simple(sql));
        before.chain(flights).collect()
    }

    fn end(&self) -> Flight {
        simple(self.end)
    }

    /// Statements that are read where they run.
    fn at_once(&self) -> Vec<Way> {
        let Self { end, probe, .. } = self;
        let behind = simple(&format!("{end}; {probe}"));
        let whole = simple(&self.all().collect::<Vec<_>>().join("; "));
        let synced = self.all().map(|sql| batch(&mut [sql].into_iter()));
        let declared = simple(&format!("declare c cursor for {probe}"));
        vec![
            ("awaited", self.all().map(simple).collect()),
            ("one query", self.after(vec![behind])),
            ("all in one query", vec![whole]),
            ("pipelined", vec![together(self.all().map(simple))]),
            (
                "pipelined behind",
                self.after(vec![together([self.end(), simple(probe)])]),
            ),
            ("synced", vec![together(synced)]),
            (
                "a batch behind",
                self.after(vec![batch(&mut [*end, *probe].into_iter())]),
            ),
            ("all in a batch", vec![batch(&mut self.all())]),
            (
                "declared",
                self.after(vec![declared, self.end(), simple("fetch all from c")]),
            ),
        ]
    }

    /// Statements that the protocol has prepared.
    fn parsed(&self) -> Vec<Way> {
        let parse = |sql: &str| ([message::parse("s", sql, &[]), message::sync()].concat(), 1);
        let early = || parse(self.probe);
        let at_first = self.after(vec![self.end(), run_named("s")]);
        vec![
            (
                "parsed before",
                self.after(vec![early(), self.end(), run_named("s")]),
            ),
            (
                "parsed before, pipelined",
                self.after(vec![early(), together([self.end(), run_named("s")])]),
            ),
            ("parsed at first", [vec![early()], at_first].concat()),
            (
                "parsed, executed",
                self.after(vec![early(), self.end(), simple("execute s")]),
            ),
            (
                "executed by a parse",
                self.after(vec![
                    self.end(),
                    together([parse("execute p"), run_named("s")]),
                ]),
            ),
        ]
    }

    /// Statements that SQL has prepared.
    fn prepared(&self) -> Vec<Way> {
        let Self { end, probe, .. } = self;
        let prepare = || simple(&format!("prepare p as {probe}"));
        let execute = || simple("execute p");
        let behind = simple(&format!("{end}; execute p"));
        let midway = format!("prepare p as {probe}; {end}; execute p");
        let kept = [
            "create temporary table kept as execute p",
            "select * from kept",
        ];
        let kept = [prepare(), self.end()].into_iter().chain(kept.map(simple));
        let at_first = self.after(vec![self.end(), execute()]);
        let explained = simple("explain (costs off) execute p");
        vec![
            (
                "prepared",
                self.after(vec![prepare(), self.end(), execute()]),
            ),
            ("prepared at first", [vec![prepare()], at_first].concat()),
            (
                "prepared, pipelined",
                self.after(vec![prepare(), together([self.end(), execute()])]),
            ),
            ("prepared, one query", self.after(vec![prepare(), behind])),
            (
                "prepared, a batch",
                self.after(vec![prepare(), batch(&mut [*end, "execute p"].into_iter())]),
            ),
            (
                "prepared, bound",
                self.after(vec![prepare(), self.end(), run_named("p")]),
            ),
            (
                "prepared, explained",
                self.after(vec![prepare(), self.end(), explained]),
            ),
            ("prepared, kept", self.after(kept.collect())),
            ("prepared midway", self.after(vec![simple(&midway)])),
            (
                "prepared midway, all in one query",
                vec![simple(&format!("{}; {midway}", self.change.join("; ")))],
            ),
        ]
    }

    /// Portals that are open while names come to mean something else.
    fn bound(&self) -> Vec<Way> {
        let synced = |parts: &[Vec<u8>]| ([parts.concat(), message::sync()].concat(), 1);
        let run = || message::execute("b", 0);
        let ways = UTILITIES.iter().flat_map(|(names, statement, behind)| {
            let text = statement.replace('~', self.probe);
            let open = [
                message::parse("b", &text, &[]),
                message::bind("b", "b", &[], 0),
            ]
            .concat();
            let end = unsynced(self.end);
            let changed: Vec<u8> = self.change.iter().flat_map(|sql| unsynced(sql)).collect();
            let flights = [
                self.after(vec![synced(&[open.clone(), end.clone(), run()])]),
                self.after(vec![
                    synced(std::slice::from_ref(&open)),
                    self.end(),
                    synced(&[run()]),
                ]),
                vec![synced(&[open, changed, run(), end])],
            ];
            let behind = move || behind.iter().map(|sql| simple(sql));
            let flights = flights.map(|flights| flights.into_iter().chain(behind()).collect());
            names.iter().copied().zip(flights)
        });
        ways.collect()
    }
}

/// What shows the answer of a probe by a portal that is opened before and run behind: the names, the
/// statement, and what comes after it. Some of these Postgres reads when the portal is opened, others
/// when it is run.
const UTILITIES: [([&str; 3], &str, Option<&str>); 4] = [
    (
        [
            "copy, bound",
            "copy, bound and awaited",
            "copy, bound at first",
        ],
        "copy (~) to stdout",
        None,
    ),
    (
        [
            "declare, bound",
            "declare, bound and awaited",
            "declare, bound at first",
        ],
        "declare c cursor with hold for ~",
        Some("fetch all from c"),
    ),
    (
        [
            "prepare, bound",
            "prepare, bound and awaited",
            "prepare, bound at first",
        ],
        "prepare p as ~",
        Some("execute p"),
    ),
    (
        [
            "kept, bound",
            "kept, bound and awaited",
            "kept, bound at first",
        ],
        "create temporary table kept as ~",
        Some("select * from kept"),
    ),
];

/// Statements of the extended protocol with one Sync behind them.
pub(crate) fn batch(statements: &mut dyn Iterator<Item = &str>) -> Flight {
    let mut bytes: Vec<u8> = statements.flat_map(unsynced).collect();
    bytes.extend(message::sync());
    (bytes, 1)
}

/// What came back, as far as it must be the same: values, tags, errors.
fn told(answers: &[Message]) -> Vec<String> {
    let show = |answer: &Message| match answer {
        Message::DataRow(values) => Some(format!("{values:?}")),
        Message::CommandComplete(tag) => Some(tag.clone()),
        Message::Error(_) => answer.sqlstate().map(str::to_owned),
        Message::ReadyForQuery(status) => Some(status.to_string()),
        Message::Other('d', data) => Some(format!("{data:?}")),
        _ => None,
    };
    answers.iter().filter_map(show).collect()
}

/// Runs the flights in a session of their own. Gives what was told, and the bytes.
fn perform(
    at: &Address,
    database: &str,
    flights: &[Flight],
) -> (Result<Vec<String>, String>, Vec<u8>) {
    let mut client = Client::connect(at, ROLE, database).unwrap();
    let mut all = Vec::new();
    for (bytes, ready) in flights {
        match client.exchange(bytes, *ready) {
            Ok(answers) => all.extend(told(&answers)),
            Err(reason) => return (Err(reason), client.recorded()),
        }
    }
    (Ok(all), client.recorded())
}

/// Whether answers are those of the twin up to a refusal: an error, of which the client hears.
fn is_refused(truth: &[String], told: &[String]) -> bool {
    let alike = truth
        .iter()
        .zip(told)
        .take_while(|(truth, told)| truth == told);
    let is_error = |told: &String| {
        let bytes = told.as_bytes();
        bytes.len() == 5 && bytes.iter().all(u8::is_ascii_alphanumeric) && told != "BEGIN"
    };
    told.get(alike.count()).is_some_and(is_error)
}

/// Whether a change takes a column out of the reach of its annotation, which is refused however it
/// is sent.
fn is_beyond_reach(change: &[&str]) -> bool {
    change
        .iter()
        .any(|sql| sql.starts_with("alter table users rename"))
}

fn judge(table: &Table, other: Other, name: &str) {
    let suite = build(local(), name, other).unwrap();
    let (twin, veiled) = (format!("{name}_twin"), format!("{name}_beside"));
    for database in [&twin, &veiled] {
        let mut client = Client::connect(&local().address, ROLE, database).unwrap();
        client.run(PLAINER).unwrap();
        client.run(UNASKED).unwrap();
    }
    let proxy = &suite.proxy.as_ref().unwrap().address;
    let mut counts: BTreeMap<&str, [usize; 4]> = BTreeMap::new();
    let mut wrong = Vec::new();
    let share = match std::env::var("PGVEIL_JUDGED") {
        Ok(all) if all == "all" => 1,
        _ => SHARE,
    };
    let mut cell = 0;
    let cells = table
        .changes
        .iter()
        .flat_map(|change| table.ends.iter().map(move |end| (change, end)));
    for (change, end) in cells {
        for probe in table.probes {
            for (way, flights) in (Cell { change, end, probe }).ways() {
                cell += 1;
                if cell % share != 0 || is_lasting(change, end) {
                    continue;
                }
                let before = table.before.iter().map(|sql| simple(sql));
                let flights: Vec<Flight> = before.chain(flights).collect();
                let of = format!("[{way}] {} | {end} | {probe}", change.join("; "));
                let (truth, _) = perform(&local().address, &twin, &flights);
                let (seen, bytes) = perform(proxy, &veiled, &flights);
                let count = counts.entry(way).or_default();
                count[0] += 1;
                if let Some(form) = Canary::new().find(&bytes) {
                    wrong.push(format!("{of}\n    a key as {form}"));
                }
                match (truth, seen) {
                    (Ok(truth), Ok(seen)) if truth == seen => count[1] += 1,
                    // Who waits for answers notices nothing.
                    (truth, seen) if way == "awaited" && !is_beyond_reach(change) => {
                        wrong.push(format!("{of}\n    {truth:?}\n    {seen:?}"));
                    }
                    (Ok(truth), Ok(seen)) if is_refused(&truth, &seen) => count[2] += 1,
                    (Ok(_), Err(_)) => count[3] += 1,
                    (truth, seen) => wrong.push(format!("{of}\n    {truth:?}\n    {seen:?}")),
                }
            }
        }
    }
    for (way, [all, alike, refused, ended]) in &counts {
        say(&format!(
            "{way}: {all}, {alike} as the twin, {refused} refused, {ended} ended"
        ));
    }
    assert!(
        wrong.is_empty(),
        "{} wrong\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

#[test]
fn names_mean_what_they_mean_when_a_statement_runs() {
    judge(&NAMES, Other::Veiled, "judged");
}

#[test]
fn names_mean_what_they_mean_where_each_batch_is_looked_at() {
    judge(&NAMES, Other::Watched, "watched");
}

#[test]
fn a_temporary_relation_holds_what_it_holds_whatever_takes_it_back() {
    judge(&TEMPORARY, Other::Veiled, "staged");
}

#[test]
fn a_path_that_code_has_changed_unasked_is_asked_for() {
    judge(&SETTERS, Other::Veiled, "unasked");
}

/// In SJIS the second byte of a letter may be a backslash, behind which what ends a field would not.
#[test]
fn what_was_judged_in_one_encoding_is_not_shown_in_another() {
    const CHANGE: &str = "set client_encoding to 'SJIS'";
    let suite = build(local(), "encoded", Other::Veiled).unwrap();
    let proxy = &suite.proxy.as_ref().unwrap().address;
    let synced = |parts: &[Vec<u8>]| ([parts.concat(), message::sync()].concat(), 1);
    let open = |text: &str| {
        let bind = message::bind("b", "b", &[], 0);
        [message::parse("b", text, &[]), bind].concat()
    };
    let run = || message::execute("b", 0);
    for probe in [
        "select chr(12477) as letter, id, 424242 as number from users",
        "select row(chr(12477), id) from users",
        "select array[row(chr(12477), id)] from users",
        "select u from users u where email <> chr(12477)",
    ] {
        let mut ways = Vec::new();
        let utilities = UTILITIES.iter().map(|(_, text, behind)| (*text, *behind));
        for (text, behind) in utilities.chain([("~", None)]) {
            let text = text.replace('~', probe);
            let behind = || behind.iter().map(|sql| simple(sql));
            ways.push(vec![synced(&[open(&text), unsynced(CHANGE), run()])]);
            ways.push(vec![
                simple("begin"),
                synced(&[open(&text)]),
                simple(CHANGE),
                synced(&[run()]),
            ]);
            ways.push(vec![simple("begin"), simple(&text), simple(CHANGE)]);
            ways.push(vec![synced(&[open(&text), run(), unsynced(CHANGE)])]);
            for way in ways.iter_mut().rev().take(4) {
                way.extend(behind());
            }
        }
        for flights in ways {
            let (seen, bytes) = perform(proxy, "encoded_beside", &flights);
            assert_eq!(Canary::new().find(&bytes), None, "{probe}: {seen:?}");
            assert!(seen.is_ok(), "{probe}: {seen:?}");
        }
    }
    let data = [
        message::copy_data(b"\x83\x5c\t7777777\n"),
        message::copy_done(),
    ]
    .concat();
    let mut client = Client::connect(proxy, ROLE, "encoded_beside").unwrap();
    let copy = open("copy users (email, id) from stdin");
    let (flight, ready) = synced(&[copy, unsynced(CHANGE), run(), data]);
    let answers = client.exchange(&flight, ready).unwrap();
    assert!(told(&answers).contains(&"0A000".to_owned()), "{answers:?}");
}

/// FETCH and MOVE run what is open under a name, whoever has opened it, and what runs once is kept:
/// names that come back to what they were do not change it back.
#[test]
fn what_a_portal_runs_by_its_name_is_what_it_was_judged_by() {
    let suite = build(local(), "by_name", Other::Veiled).unwrap();
    let proxy = &suite.proxy.as_ref().unwrap().address;
    for (before, open, behind) in BY_NAME {
        for awaited in [true, false] {
            let first = ["begin"].into_iter().chain(before.iter().copied());
            let mut flights: Vec<Flight> = first.map(simple).collect();
            flights.extend(open.map(|sql| {
                let parts = [
                    message::parse("z", sql, &[]),
                    message::bind("p", "z", &[], 0),
                    message::sync(),
                ];
                (parts.concat(), 1)
            }));
            let rest = behind.iter().map(|sql| simple(sql));
            match awaited {
                true => flights.extend(rest),
                false => flights.push(together(rest)),
            }
            let (seen, bytes) = perform(proxy, "by_name_beside", &flights);
            assert_eq!(Canary::new().find(&bytes), None, "{behind:?}: {seen:?}");
            assert!(seen.is_ok(), "{behind:?}: {seen:?}");
        }
    }
}

/// Portals that take their rows from each other by the names of now take them from nobody.
#[test]
fn portals_that_use_each_other_end_nothing() {
    let suite = build(local(), "cycle", Other::Veiled).unwrap();
    let proxy = &suite.proxy.as_ref().unwrap().address;
    let mut client = Client::connect(proxy, ROLE, "cycle_beside").unwrap();
    client.run("begin").unwrap();
    let open = |portal: &str, sql: &str| {
        let bind = message::bind(portal, "", &[], 0);
        [message::parse("", sql, &[]), bind, message::sync()].concat()
    };
    client.run("declare q cursor for select 1").unwrap();
    for (portal, sql) in [("p", "fetch 1 from q"), ("r", "fetch 1 from p")] {
        client.exchange(&open(portal, sql), 1).unwrap();
    }
    client.run("close q").unwrap();
    client.exchange(&open("q", "fetch 1 from r"), 1).unwrap();
    assert!(client.run("fetch 1 from p").is_err());
    client.run("rollback").unwrap();
    client.run("select 1").unwrap();
}

/// What a statement brings about counts, whatever has run it.
#[test]
fn what_runs_by_a_name_changes_what_comes_behind() {
    let suite = build(local(), "brought", Other::Veiled).unwrap();
    let proxy = &suite.proxy.as_ref().unwrap().address;
    for texts in BROUGHT_ABOUT {
        let awaited: Vec<Flight> = texts.iter().map(|sql| simple(sql)).collect();
        let (last, before) = awaited.split_last().unwrap();
        let (runs, first) = before.split_last().unwrap();
        let pipelined = together([runs.clone(), last.clone()]);
        let text = texts.split_at(texts.len() - 2).1.join("; ");
        let batch = batch(&mut texts.split_at(texts.len() - 2).1.iter().copied());
        let ends = [vec![pipelined], vec![simple(&text)], vec![batch]];
        let ways = ends.map(|end| [first.to_vec(), end].concat());
        for flights in ways.into_iter().chain([awaited.clone()]) {
            let (seen, bytes) = perform(proxy, "brought_beside", &flights);
            assert_eq!(Canary::new().find(&bytes), None, "{texts:?}: {seen:?}");
            assert!(seen.is_ok(), "{texts:?}: {seen:?}");
        }
    }
}

/// Code that looks for its names when it runs does not run where they mean what the client has made:
/// it neither shows a key nor makes an id of one.
#[test]
fn code_of_the_database_finds_nothing_that_stands_in_front() {
    let suite = build(local(), "front", Other::Veiled).unwrap();
    let proxy = &suite.proxy.as_ref().unwrap().address;
    let mut inside = Client::connect(&local().address, ROLE, "front_beside").unwrap();
    inside.run(LOOKS_LATE).unwrap();
    let mut client = Client::connect(proxy, ROLE, "front_beside").unwrap();
    let one = |client: &mut Client| {
        let answers = client.exchange(&message::query(LAST_USER), 1).unwrap();
        told(&answers).swap_remove(0)
    };
    let (key, id) = (one(&mut inside), one(&mut client));
    let number: String = key.chars().filter(char::is_ascii_digit).collect();
    let user = (number.as_str(), id.as_str());
    for texts in IN_FRONT {
        shows_nothing_of(proxy, "front_beside", user, texts);
    }
    // What names nothing of it goes on, and so does all once the name is free.
    client.run(IN_FRONT[3][0]).unwrap();
    client.run("insert into users values (1, 'mine')").unwrap();
    client.run("select count(*) from users").unwrap();
    client.run("drop table pg_temp.users").unwrap();
    let insert = "insert into found (note) values ('a') returning owner";
    client.run(insert).unwrap();
    // A name that no code has stands in front of none, but of such as puts names together.
    client
        .run("create temporary table staged as select id from users")
        .unwrap();
    for texts in BESIDE {
        client.run(texts).unwrap();
    }
    assert!(
        client
            .run("insert into tasks select id from staged")
            .is_err()
    );
    client.run("drop table staged, more").unwrap();
    client
        .run("insert into tasks select max(id) from users")
        .unwrap();
}

/// Code that looks for its names when it runs does not run where the path that the session has set
/// leads it to other tables of those names.
#[test]
fn code_of_the_database_finds_nothing_elsewhere() {
    let suite = build(local(), "elsewhere", Other::Veiled).unwrap();
    let proxy = &suite.proxy.as_ref().unwrap().address;
    let database = "elsewhere_beside";
    let mut inside = Client::connect(&local().address, ROLE, database).unwrap();
    for schema in [PLAINER, LOOKS_LATE, PLAINER_TOO] {
        inside.run(schema).unwrap();
    }
    let mut client = Client::connect(proxy, ROLE, database).unwrap();
    // So that pgveil looks at the database.
    client.run("create table looked (n int)").unwrap();
    let one = |client: &mut Client| {
        let answers = client.exchange(&message::query(LAST_USER), 1).unwrap();
        told(&answers).swap_remove(0)
    };
    let (key, id) = (one(&mut inside), one(&mut client));
    let number: String = key.chars().filter(char::is_ascii_digit).collect();
    let try_all = |inside: &mut Client, finding: &[&[&str]]| {
        for path in PATHS {
            for texts in finding {
                let texts = texts.iter().flat_map(|text| match *text {
                    "!" => path.to_vec(),
                    text => vec![text],
                });
                let texts: Vec<&str> = texts.collect();
                shows_nothing_of(proxy, database, (&number, &id), &texts);
                inside
                .run("truncate plainer.audited, plainer.tasks_log, plainer.noted, plainer.shown, \
                      plainer.errands_log, plainer.counted_off, plainer.hidden, plainer.history")
                .unwrap();
            }
        }
    };
    try_all(&mut inside, FINDS_ELSEWHERE);
    for texts in TOGETHER {
        let texts: Vec<String> = texts.iter().map(|text| text.replace('^', &id)).collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        shows_nothing_of(proxy, database, (&number, &id), &texts);
    }
    // What the same text prepares is not explained, lest its estimates tell where keys lie.
    for text in [
        format!("prepare y as select email from users where id < '{id}'; explain execute y"),
        "prepare y as select 1; explain execute y".to_owned(),
    ] {
        assert!(client.run(&text).is_err(), "{text}");
        let _ = client.run("deallocate all");
    }
    client.run("set search_path = plainer, public").unwrap();
    for text in GOES_ON {
        client.run(text).unwrap();
    }
    inside.run(PUT_OFF).unwrap();
    client.run("drop table looked").unwrap();
    try_all(&mut inside, FINDS_LATER);
    // By whatever path it will run then.
    client.run("reset search_path").unwrap();
    let insert = "insert into late_found values ('a')";
    assert!(client.run(insert).is_err());
    let says = "alter function finds_late() set search_path = public";
    inside.run(says).unwrap();
    client.run("create table looked (n int)").unwrap();
    client.run(insert).unwrap();
}

/// A cursor that code of the database has opened is shown by nothing that was known of another one of
/// its name.
#[test]
fn a_cursor_of_code_is_none_that_was_judged() {
    let suite = build(local(), "cursors", Other::Veiled).unwrap();
    let proxy = &suite.proxy.as_ref().unwrap().address;
    let database = "cursors_beside";
    let mut inside = Client::connect(&local().address, ROLE, database).unwrap();
    inside.run(OPENS).unwrap();
    let mut client = Client::connect(proxy, ROLE, database).unwrap();
    // So that pgveil looks at the database.
    client.run("create table looked (n int)").unwrap();
    client.run("drop table looked").unwrap();
    for text in BESIDE_CODE {
        client.run(text).unwrap();
    }
    for texts in ENDED {
        shows_nothing_of(proxy, database, ("", ""), texts);
    }
}

/// A temporary table may have columns of types of the user, over which operators and casts run code: it
/// runs none of that unless it computes.
#[test]
fn columns_of_types_of_users_compute_nothing() {
    let suite = build(local(), "typed", Other::Veiled).unwrap();
    let proxy = &suite.proxy.as_ref().unwrap().address;
    let database = "typed_beside";
    let mut inside = Client::connect(&local().address, ROLE, database).unwrap();
    inside
        .run(
            "create extension citext;
             create type amount as (n int);
             create function alike(amount, amount) returns boolean language plpgsql as
               'begin return $1.n = $2.n; end';
             create operator === (leftarg = amount, rightarg = amount, function = alike);",
        )
        .unwrap();
    let mut client = Client::connect(proxy, ROLE, database).unwrap();
    client.run("create table looked (n int)").unwrap();
    for (text, goes_on) in [
        (
            "create temporary table bills (id serial primary key, a amount, b amount[], c citext)",
            true,
        ),
        ("alter table bills add d amount", true),
        ("insert into bills (id) values (1)", true),
        ("alter table bills add check (a === d)", false),
        (
            "alter table bills add e boolean default row(5)::amount === row(5)::amount",
            false,
        ),
        (
            "alter table bills alter a type text using case when a === d then 'a' end",
            false,
        ),
        (
            "create temporary table more (a amount, check (a === a))",
            false,
        ),
        (
            "create temporary table more (a amount, b boolean generated always as (a === a) stored)",
            false,
        ),
        ("create index on bills ((a === d))", false),
    ] {
        let told = client.run(text);
        assert_eq!(told.is_ok(), goes_on, "{text}: {told:?}");
    }
}

/// Performs some texts in all ways: no answer shows a key, or the id of the user whose number stands in
/// the place of `~`.
pub(crate) fn shows_nothing_of(
    proxy: &Address,
    database: &str,
    (number, id): (&str, &str),
    texts: &[&str],
) {
    let names_key = texts.iter().any(|text| text.contains('~'));
    let texts: Vec<String> = texts.iter().map(|text| text.replace('~', number)).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let (last, before) = texts.split_last().unwrap();
    let open = [
        message::parse("b", last, &[]),
        message::bind("b", "b", &[], 0),
    ];
    let synced = |bytes: &[u8]| ([bytes, &message::sync()].concat(), 1);
    let awaited: Vec<Flight> = texts.iter().map(|sql| simple(sql)).collect();
    let first = together(before.iter().map(|sql| simple(sql)));
    // Awaited, but for the last ones, which come in one Query.
    let partly = (1..texts.len()).map(|from| {
        let (first, rest) = (&awaited[..from - 1], &texts[from - 1..]);
        [first, &[simple(&rest.join("; "))]].concat()
    });
    let partly: Vec<Vec<Flight>> = partly.collect();
    // Or without waiting.
    let pipelined = (1..texts.len()).map(|from| {
        let (first, rest) = awaited.split_at(from);
        [first, &[together(rest.to_vec())]].concat()
    });
    let pipelined: Vec<Vec<Flight>> = pipelined.collect();
    for flights in [
        awaited.clone(),
        vec![together(awaited)],
        vec![batch(&mut texts.iter().copied())],
        vec![
            simple("begin"),
            synced(&open.concat()),
            first,
            synced(&message::execute("b", 0)),
        ],
    ]
    .into_iter()
    .chain(partly)
    .chain(pipelined)
    {
        let (seen, bytes) = perform(proxy, database, &flights);
        assert_eq!(Canary::new().find(&bytes), None, "{texts:?}: {seen:?}");
        let shown = seen.as_ref().unwrap().iter().any(|of| of == id);
        assert!(!names_key || !shown, "{texts:?}: {seen:?}");
    }
}

const LAST_USER: &str = "select max(id) from public.users";
