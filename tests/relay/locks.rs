//! A lock between judgement and answer: a statement waits in Postgres for another session that
//! changes what it means, and is then answered by the new definitions. Whatever changes, however it
//! is sent and whoever changes it, no key is in the answer; and what means the same is answered.
//!
//! Each run takes one cell of the table in `SHARE`, in which every change and way occurs; with
//! `PGVEIL_LOCKS=all` it takes them all.

mod changes;

use std::slice;
use std::sync::Mutex;
use std::time::Duration;

use futures_util::future::join_all;

use changes::{CHANGES, Change};

use crate::definitions::{Stand, shows_key};
use crate::support::*;

const SHARE: usize = 11;

fn parse(name: &str, text: &str) -> Vec<u8> {
    let body = [name.as_bytes(), b"\0", text.as_bytes(), b"\0\0\0"].concat();
    message(b'P', &body)
}

fn bind(portal: &str, statement: &str) -> Vec<u8> {
    let names = [portal.as_bytes(), b"\0", statement.as_bytes(), b"\0"].concat();
    message(b'B', &[&names[..], &[0; 6]].concat())
}

fn execute(portal: &str) -> Vec<u8> {
    message(b'E', &[portal.as_bytes(), &[0; 5]].concat())
}

fn sync() -> Vec<u8> {
    message(b'S', b"")
}

fn unnamed(text: &str) -> Vec<u8> {
    let describe = message(b'D', b"P\0");
    [parse("", text), bind("", ""), describe, execute("")].concat()
}

/// How a statement reaches the server: what is answered before, what waits and how often the server
/// is ready behind it, and what comes afterwards.
#[derive(Clone)]
struct Way {
    name: &'static str,
    before: Vec<Vec<u8>>,
    flight: (Vec<u8>, usize),
    after: Vec<Vec<u8>>,
    /// Whether the session may end although nothing has changed that concerns it.
    may_end: bool,
}

impl Way {
    fn new(name: &'static str, flight: Vec<u8>) -> Self {
        Self {
            name,
            before: Vec::new(),
            flight: (flight, 1),
            after: Vec::new(),
            may_end: false,
        }
    }

    fn behind(mut self, before: &[Vec<u8>]) -> Self {
        self.before = before.to_vec();
        self
    }

    fn then(mut self, after: &[Vec<u8>]) -> Self {
        self.after = after.to_vec();
        self
    }

    /// All ways for a statement.
    fn all(text: &str) -> Vec<Self> {
        let begin = || query("begin");
        let prepare = query(&format!("prepare p as {text}"));
        let is_query = text.starts_with("select");
        let named = [parse("s", text), sync()].concat();
        let run = |portal: &str, name: &str| [bind(portal, name), execute(portal)].concat();
        let mut ways = vec![
            Self::new("simple", query(text)),
            Self::new("several", query(&format!("select 1; {text}; select 2"))),
            Self::new("extended", [unnamed(text), sync()].concat()),
            Self::new("prepared", [run("", "s"), sync()].concat()).behind(slice::from_ref(&named)),
            Self::new(
                "a batch",
                [unnamed("select 1"), unnamed(text), sync()].concat(),
            ),
            Self::new("in a transaction", query(text))
                .behind(&[begin()])
                .then(&[query(text), query("commit")]),
            Self::new("later in a transaction", [unnamed(text), sync()].concat())
                .behind(&[begin(), query("select 1")])
                .then(&[query("select 1"), query("commit")]),
            Self::new("executed", query("execute p")).behind(slice::from_ref(&prepare)),
            Self::new(
                "executed by a parse",
                [unnamed("execute p"), sync()].concat(),
            )
            .behind(slice::from_ref(&prepare)),
            Self::new(
                "prepared and executed",
                query(&format!("prepare p as {text}; execute p")),
            ),
            Self::new(
                "explained",
                query(&format!("explain (analyze, verbose) {text}")),
            ),
        ];
        ways.extend(Self::hard(text, &named));
        if is_query {
            ways.extend(Self::leaving(text));
        }
        ways
    }

    /// Several answers at once, and those that the session can't settle by a look of its own.
    fn hard(text: &str, named: &[u8]) -> Vec<Self> {
        let mut ways = Vec::new();
        let mut piped = Self::new("pipelined", [query("select 1"), query(text)].concat());
        piped.flight.1 = 2;
        ways.push(piped);
        let mut synced = [unnamed(text), sync(), unnamed("select 1"), sync()].concat();
        synced.extend(query("select 2"));
        let mut synced = Self::new("in front of others", synced);
        synced.flight.1 = 3;
        ways.push(synced);
        let portal = [bind("q", "s"), sync()].concat();
        ways.push(
            Self::new("a portal", portal)
                .behind(&[named.to_vec(), query("begin")])
                .then(&[[execute("q"), sync()].concat(), query("commit")]),
        );
        let flushed = [unnamed(text), message(b'H', b"")].concat();
        let mut flushed = Self::new("flushed", flushed).then(&[sync()]);
        flushed.flight.1 = 0;
        flushed.may_end = true;
        ways.push(flushed);
        let mut repeatable = Self::new("repeatable read", query(text))
            .behind(&[
                query("begin isolation level repeatable read"),
                query("select 1"),
            ])
            .then(&[query("commit")]);
        repeatable.may_end = true;
        ways.push(repeatable);
        ways
    }

    /// What leaves something behind that is read later.
    fn leaving(text: &str) -> Vec<Self> {
        let mut ways = Vec::new();
        let cursor = |hold: &str| query(&format!("declare c cursor {hold} for {text}"));
        let fetch = || query("fetch all from c");
        ways.push(
            Self::new("a cursor", cursor(""))
                .behind(&[query("begin")])
                .then(&[fetch()]),
        );
        ways.push(Self::new("a cursor that is held", cursor("with hold")).then(&[fetch()]));
        ways.push(Self::new(
            "copied",
            query(&format!("copy ({text}) to stdout")),
        ));
        let kept = query(&format!("create temporary table kept as {text}"));
        ways.push(Self::new("kept", kept).then(&[query("select * from kept")]));
        ways
    }
}

/// Who changes the definitions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Who {
    /// A role inside the trust boundary, through the proxy.
    Migrator,
    /// An ordinary one, as far as it may.
    Session,
    /// Nobody that the proxy knows.
    Direct,
}

/// What has become of a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Outcome {
    Answered,
    Ended,
    /// The change was refused.
    Unchanged,
}

async fn read(session: &mut Raw, ready: usize) -> Vec<Answer> {
    let mut answers = Vec::new();
    if ready == 0 {
        answers.push(session.read(|kind| matches!(kind, b'C' | b'E')).await);
    }
    for _ in 0..ready {
        answers.push(session.until_ready().await);
    }
    answers
}

/// Answers as text.
fn legible(answers: &[Answer]) -> String {
    let messages = answers.iter().flat_map(|answer| &answer.messages);
    let texts = messages.map(|(kind, body)| {
        let body = body.iter().map(|byte| match byte {
            b' '..=b'~' => char::from(*byte),
            _ => '.',
        });
        format!("{} {}", char::from(*kind), body.collect::<String>())
    });
    texts.collect::<Vec<_>>().join(" | ")
}

/// Waits until so many wait for others.
async fn waits(stand: &Stand, many: i64) -> bool {
    for _ in 0..200 {
        let sql =
            "select count(distinct l.pid) from pg_locks l join pg_database d on d.oid = l.database
             where not granted and d.datname = current_database()";
        let row = stand.direct.query_one(sql, &[]).await.unwrap();
        if row.get::<_, i64>(0) >= many {
            return true;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    false
}

/// What becomes of a change before the session can look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    /// It stays.
    Stays,
    /// Somebody else waits behind the statement, and changes it back.
    Back,
}

async fn changer(stand: &Stand, who: Who) -> Raw {
    match who {
        Who::Migrator => stand.migrator().await,
        Who::Session => stand.session().await,
        Who::Direct => stand.beside().await,
    }
}

/// Sends a statement while others change the definitions and it waits for that; gives the answers.
async fn flight(
    stand: &Stand,
    change: &Change,
    way: &Way,
    (who, end): (Who, End),
    what: &str,
) -> Result<Vec<Answer>, Outcome> {
    let mut session = stand.session().await;
    for before in &way.before {
        session.send(before).await;
        let answer = session.until_ready().await;
        assert!(
            !answer.closed && answer.error(b'C').is_none(),
            "{what}: {answer:?}"
        );
    }
    let mut other = changer(stand, who).await;
    for text in ["begin", "lock table users, plain", change.sql] {
        other.send(&query(text)).await;
        let answer = other.until_ready().await;
        if answer.error(b'C').is_some() {
            assert_eq!(who, Who::Session, "{what}: {answer:?}");
            return Err(Outcome::Unchanged);
        }
    }
    let (mut sent, mut ready) = way.flight.clone();
    if end == End::Back {
        // It is looked at when this is answered, too.
        sent.extend(query("select pg_sleep(0.2)::text"));
        ready += 1;
    }
    session.send(&sent).await;
    assert!(waits(stand, 1).await, "{what}: it does not wait");
    let mut third = None;
    if end == End::Back {
        let third = third.insert(changer(stand, who).await);
        let back = format!("begin; {}; commit", change.back);
        third.send(&query(&back)).await;
        assert!(waits(stand, 2).await, "{what}: nobody waits behind it");
    }
    other.send(&query("commit")).await;
    let mut answers = read(&mut session, ready).await;
    for after in &way.after {
        if answers.iter().any(|answer| answer.closed) {
            break;
        }
        session.send(after).await;
        answers.push(session.until_ready().await);
    }
    drop(session);
    for other in [Some(&mut other), third.as_mut()].into_iter().flatten() {
        let answer = other.until_ready().await;
        let is_done = !answer.closed && answer.error(b'C').is_none();
        assert!(is_done, "{what}: {answer:?}");
    }
    Ok(answers)
}

/// Changes the definitions while a statement waits for that.
async fn play(
    stand: &Stand,
    change: &Change,
    way: &Way,
    whose: (Who, End),
    what: &str,
) -> Result<Outcome, String> {
    stand.begin_anew().await;
    let mut fresh = stand.session().await;
    // What has been made anew is seen.
    fresh
        .send(&query("create table if not exists told ()"))
        .await;
    fresh.until_ready().await;
    drop(fresh);
    let answers = match flight(stand, change, way, whose, what).await {
        Ok(answers) => answers,
        Err(outcome) => return Ok(outcome),
    };
    if answers.iter().any(shows_key) {
        return Err(format!("{what}: a key is shown: {}", legible(&answers)));
    }
    let closed = answers.iter().any(|answer| answer.closed);
    let failed = answers.iter().find_map(|answer| answer.error(b'C'));
    if change.harmless && !way.may_end && (closed || failed.is_some()) {
        return Err(format!("{what}: {}", legible(&answers)));
    }
    Ok(match closed {
        true => Outcome::Ended,
        false => Outcome::Answered,
    })
}

/// How many cells are played at a time, each on a stand of its own: while one waits, others work.
const LANES: usize = 3;

/// A cell of the table.
struct Cell {
    change: &'static Change,
    way: Way,
    who: Who,
    what: String,
}

/// The cells of a table that are played in this run.
fn cells(whose: &[Who], end: End) -> Vec<Cell> {
    let all = std::env::var("PGVEIL_LOCKS").is_ok_and(|all| all == "all");
    let share = if all { 1 } else { SHARE };
    let mut cell = 0;
    let mut cells = Vec::new();
    for change in CHANGES {
        for statement in change.statements {
            let ways = Way::all(statement).into_iter();
            // One that is not ready has nothing behind it.
            for way in ways.filter(|way| end == End::Stays || way.flight.1 > 0) {
                for &who in whose {
                    // Nothing has told pgveil of it, and nothing tells.
                    let is_secret = change.transient && end == End::Back && who == Who::Direct;
                    // Such a cursor is refused: it would be read when its transaction ends.
                    let is_late =
                        way.name == "a cursor that is held" && statement.contains("label()");
                    cell += 1;
                    if cell % share != 0 || is_secret || is_late {
                        continue;
                    }
                    let what = format!("{}, {statement}, {}, {who:?}", change.name, way.name);
                    let way = way.clone();
                    cells.push(Cell {
                        change,
                        way,
                        who,
                        what,
                    });
                }
            }
        }
    }
    cells
}

async fn table(name: &str, limits: &str, whose: &[Who], end: End) {
    let pending = Mutex::new(cells(whose, end));
    let next = || pending.lock().unwrap().pop();
    let lane = async |number: usize| {
        let stand = Stand::new(&format!("{name}_{number}"), limits).await;
        let mut outcomes = Vec::new();
        while let Some(Cell {
            change,
            way,
            who,
            what,
        }) = next()
        {
            outcomes.push(play(&stand, change, &way, (who, end), &what).await);
        }
        outcomes
    };
    let outcomes = join_all((0..LANES).map(lane)).await.concat();
    let wrong: Vec<&String> = outcomes
        .iter()
        .filter_map(|one| one.as_ref().err())
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    for outcome in [Outcome::Answered, Outcome::Ended] {
        assert!(outcomes.contains(&Ok(outcome)), "none is {outcome:?}");
    }
}

#[tokio::test]
async fn what_waits_for_others_is_answered_by_what_it_means_then_or_ends() {
    let limits = "catalog_max_age_s = 600";
    let whose = [Who::Migrator, Who::Session];
    table("locks_known", limits, &whose, End::Stays).await;
}

#[tokio::test]
async fn what_is_changed_back_before_anybody_looks_has_been_changed() {
    let limits = "catalog_max_age_s = 600";
    let whose = [Who::Migrator, Who::Session];
    table("locks_back", limits, &whose, End::Back).await;
}

#[tokio::test]
async fn where_no_snapshot_is_trusted_nobody_need_tell_of_a_change() {
    let limits = "catalog_max_age_s = 0";
    let whose = [Who::Direct, Who::Migrator];
    table("locks_unknown", limits, &whose, End::Stays).await;
}

#[tokio::test]
async fn where_no_snapshot_is_trusted_nobody_need_tell_of_one_that_is_changed_back() {
    let limits = "catalog_max_age_s = 0";
    let whose = [Who::Direct, Who::Migrator];
    table("locks_untold", limits, &whose, End::Back).await;
}

#[tokio::test]
async fn what_may_have_been_committed_nobody_is_told_to_run_again() {
    let stand = Stand::new("locks_done", "catalog_max_age_s = 600").await;
    let swap = &CHANGES[0];
    let written = "update plain set note = note || '!' returning id + 0";
    let marked = "select (select count(*) from users where note like '%!')
                       + (select count(*) from plain where note like '%!')";
    let mut codes = Vec::new();
    for text in [written, "select id + 0 from plain"] {
        for way in Way::all(text).into_iter().filter(|way| way.flight.1 > 0) {
            stand.begin_anew().await;
            let what = format!("{text}, {}", way.name);
            let flight = flight(&stand, swap, &way, (Who::Migrator, End::Stays), &what).await;
            let answers = flight.unwrap_or_default();
            let Some(closed) = answers.iter().find(|answer| answer.closed) else {
                continue;
            };
            let code = closed.error(b'C').unwrap();
            let row = stand.direct.query_one(marked, &[]).await.unwrap();
            let is_done = row.get::<_, i64>(0) > 0;
            assert!(
                ["40001", "40003"].contains(&&*code),
                "{what}: {}",
                legible(&answers)
            );
            assert!(
                !is_done || code == "40003",
                "{what}: it is done, and said to be undone"
            );
            codes.push((text == written, is_done, code));
        }
    }
    let seen =
        |is_written, is_done, code: &str| codes.contains(&(is_written, is_done, code.to_owned()));
    assert!(seen(true, true, "40003"), "{codes:?}");
    assert!(seen(true, false, "40001"), "{codes:?}");
    assert!(seen(false, false, "40001"), "{codes:?}");
}

/// What a transaction of a higher isolation level does not see of the catalogs, although Postgres
/// plans by it: changes from after its snapshot, for which nothing waits.
const ADDED: Change = Change {
    name: "a relation comes in front",
    sql: "create table front.plain as select id::text as email, note from users",
    back: "drop table front.plain",
    statements: &["select upper(email) from plain"],
    harmless: false,
    transient: false,
};

#[tokio::test]
async fn what_a_frozen_snapshot_does_not_show_is_noticed_where_no_snapshot_is_trusted() {
    let stand = Stand::new("locks_frozen", "catalog_max_age_s = 0").await;
    let mut wrong = Vec::new();
    for level in ["repeatable read", "serializable"] {
        // What is only added is not seen there, but for a relation.
        let changes = CHANGES.iter().filter(|change| !change.transient);
        for change in changes.chain([&ADDED]) {
            for statement in change.statements {
                let what = format!("{level}, {}, {statement}", change.name);
                let answers = behind_a_snapshot(&stand, level, change, statement).await;
                if answers.iter().any(shows_key) {
                    wrong.push(format!("{what}: a key is shown: {}", legible(&answers)));
                }
                // An error is masked.
                let stops = |answer: &Answer| answer.closed || answer.error(b'C').is_some();
                if !change.harmless && !answers.iter().any(stops) {
                    wrong.push(format!("{what}: {}", legible(&answers)));
                }
            }
        }
        // A table that others drop again is of no account.
        let temporary = Change {
            name: "temporary tables come and go",
            sql: "create temporary table t (user_id bigint); drop table t",
            back: "",
            statements: &[],
            harmless: true,
            transient: false,
        };
        let statement = "select upper(email) || note from users";
        let answers = behind_a_snapshot(&stand, level, &temporary, statement).await;
        if answers.iter().any(|answer| answer.closed) {
            wrong.push(format!(
                "{level}, {}: {}",
                temporary.name,
                legible(&answers)
            ));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Asks in a transaction that has read something, once others have changed definitions.
async fn behind_a_snapshot(
    stand: &Stand,
    level: &str,
    change: &Change,
    statement: &str,
) -> Vec<Answer> {
    stand.begin_anew().await;
    let schema = "drop schema if exists front cascade; create schema front;
                  create table front.first ()";
    stand.direct.batch_execute(schema).await.unwrap();
    let mut session = stand.session().await;
    let mut answers = Vec::new();
    let begin = format!("begin isolation level {level}");
    for text in [
        "set search_path = front, public",
        &begin,
        "select count(*) from first",
    ] {
        session.send(&query(text)).await;
        answers.push(session.until_ready().await);
    }
    assert!(!answers.iter().any(|answer| answer.error(b'C').is_some()));
    stand.direct.batch_execute(change.sql).await.unwrap();
    session.send(&query(statement)).await;
    answers.push(session.until_ready().await);
    answers
}
