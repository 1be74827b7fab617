//! Definitions that change and change back: a statement is judged by what they were, answered by
//! what they are meanwhile, and when pgveil looks they look as they did. No key is in the answer.
//! What leaves alone what a statement means is no such change, though it rewrites the same rows of
//! the catalogs, and is not noticed.
//!
//! Between pgveil and Postgres stands a gate that stops the statement before Postgres reads it, and
//! its answer or what pgveil sends next, so that what others do comes in between for certain.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Mutex, Semaphore};

use crate::definitions::{Stand, shows_key};
use crate::support::*;

/// One cell in so many is tried, in which every change occurs; with `PGVEIL_LOCKS=all` each.
fn is_shared_out(cell: &mut usize, share: usize) -> bool {
    *cell += 1;
    let all = std::env::var("PGVEIL_LOCKS").is_ok_and(|all| all == "all");
    all || cell.is_multiple_of(share)
}

/// What the gate stops.
const MARK: &[u8] = b"marked";

/// A gate in front of Postgres.
struct Gate {
    address: SocketAddr,
    guard: Arc<Mutex<Guard>>,
}

/// What is stopped, and may go on.
#[derive(Clone)]
struct Guard {
    stopped: Arc<Semaphore>,
    go: Arc<Semaphore>,
    /// The marked message has passed, and the answer is to be stopped.
    stops_answer: Arc<AtomicBool>,
    answers: bool,
}

impl Guard {
    fn new(answers: bool) -> Self {
        let none = || Arc::new(Semaphore::new(0));
        Self {
            stopped: none(),
            go: none(),
            stops_answer: Arc::default(),
            answers,
        }
    }

    /// Waits until it may go on. Returns whether it may.
    async fn stop(&self) -> bool {
        self.stopped.add_permits(1);
        let go = self.go.acquire().await;
        go.map(|go| go.forget()).is_ok()
    }
}

impl Gate {
    async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let guard = Arc::new(Mutex::new(Guard::new(false)));
        let current = Arc::clone(&guard);
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let upstream = (postgres().host(), postgres().port());
                let Ok(server) = TcpStream::connect(upstream).await else {
                    continue;
                };
                let (from_client, to_client) = client.into_split();
                let (from_server, to_server) = server.into_split();
                let guard = current.lock().await.clone();
                tokio::spawn(pass_answers(from_server, to_client, guard.clone()));
                tokio::spawn(pass_marked(from_client, to_server, guard));
            }
        });
        Self { address, guard }
    }

    /// Forgets what it has stopped before, and guards the connections to come: stops the answer, or
    /// what comes behind it.
    async fn begin_anew(&self, answers: bool) -> Guard {
        let mut guard = self.guard.lock().await;
        guard.go.close();
        *guard = Guard::new(answers);
        guard.clone()
    }
}

async fn pass_answers(mut from: OwnedReadHalf, mut to: OwnedWriteHalf, guard: Guard) {
    let mut bytes = vec![0; 1 << 16];
    while let Ok(count) = from.read(&mut bytes).await {
        let chunk = bytes.get(..count).unwrap_or_default();
        let stops = !chunk.is_empty() && guard.stops_answer.swap(false, Ordering::AcqRel);
        let passes = !stops || guard.stop().await;
        if chunk.is_empty() || !passes || to.write_all(chunk).await.is_err() {
            break;
        }
    }
    let _ = to.shutdown().await;
}

/// Stops twice: at what is marked, and at what comes next.
async fn pass_marked(mut from: OwnedReadHalf, mut to: OwnedWriteHalf, guard: Guard) {
    let mut bytes = vec![0; 1 << 16];
    let mut stops = 2;
    while let Ok(count) = from.read(&mut bytes).await {
        let Some(chunk) = bytes.get(..count).filter(|chunk| !chunk.is_empty()) else {
            break;
        };
        let is_marked = chunk.windows(MARK.len()).any(|part| part == MARK);
        if stops == 1 || stops == 2 && is_marked {
            stops -= 1;
            if !guard.stop().await {
                break;
            }
            if guard.answers {
                stops = 0;
                guard.stops_answer.store(true, Ordering::Release);
            }
        }
        if to.write_all(chunk).await.is_err() {
            break;
        }
    }
    let _ = to.shutdown().await;
}

/// What the statements are about besides.
const MORE: &str = "
    drop schema if exists one cascade;
    drop schema if exists two cascade;
    create schema one;
    create schema two;
    create table one.items (note text);
    insert into one.items values ('third');
    create view two.items as select id::text as note from users;
    create view crowd as select email || note as whole from people;
    create function louder() returns text language sql stable as 'select upper(label())';
    create table box (note text);
    create view boxes as select note from box;
    create rule put as on insert to boxes do instead
      insert into box values (new.note) returning box.note;
    create sequence counter";

/// A change, what takes it back, and statements that would show a key meanwhile.
struct Change {
    name: &'static str,
    there: &'static str,
    back: &'static str,
    statements: &'static [&'static str],
}

const BACK_AND_FORTH: &[Change] = &[
    Change {
        name: "columns are renamed",
        there: "alter table users rename email to old; alter table users rename id to email",
        back: "alter table users rename email to id; alter table users rename old to email",
        statements: &[
            "select upper(email::text) || '' as marked from users",
            "select whole as marked from (select email::text || '-' as whole from users) u",
            "update users set note = note returning email::text || 'x' as marked",
        ],
    },
    Change {
        name: "a column is made anew",
        there: "alter table users drop column note cascade;
                alter table users add column note text generated always as (id::text) stored",
        back: "alter table users drop column note;
               alter table users add column note text",
        statements: &["select upper(note) as marked from users"],
    },
    Change {
        name: "a column has another type",
        there: "drop view people cascade;
                alter table users alter column note type bigint using id",
        back: "alter table users alter column note type text using ''",
        statements: &["select note::text || '' as marked from users"],
    },
    Change {
        name: "a table is dropped and made again",
        there: "drop table plain; create view plain as select id, id::text as email, note from users",
        back: "drop view plain;
               create table plain (id bigint primary key, email text, note text)",
        statements: &["select upper(email) as marked from plain"],
    },
    Change {
        name: "the view is replaced",
        there: "create or replace view people as select id::text as email, note from users",
        back: "create or replace view people as select email, note from users",
        statements: &[
            "select upper(email) as marked from people",
            "select whole || '' as marked from crowd",
        ],
    },
    Change {
        name: "the view is made anew",
        there: "drop view people cascade;
                create view people as select id::text as email, note from users",
        back: "drop view people; create view people as select email, note from users",
        statements: &["select upper(email) as marked from people"],
    },
    Change {
        name: "the function is replaced",
        there: "create or replace function label() returns text language sql stable
                as 'select id::text from users limit 1'",
        back: "create or replace function label() returns text language sql stable
               as 'select email from users limit 1'",
        statements: &[
            "select note || label() as marked from users",
            "select louder() as marked",
        ],
    },
    Change {
        name: "the function is replaced, and written otherwise",
        there: "create or replace function label() returns text language sql stable
                as 'select id::text from users limit 1'",
        back: "create or replace function label() returns text language sql stable
               as 'select  email  from users limit 1'",
        statements: &["select note || label() as marked from users"],
    },
    Change {
        name: "a rule is replaced",
        there: "create or replace rule put as on insert to boxes do instead
                insert into box values (new.note) returning (select id::text from users limit 1)",
        back: "create or replace rule put as on insert to boxes do instead
               insert into box values (new.note) returning box.note",
        statements: &["insert into boxes values ('x') returning upper(note) as marked"],
    },
    Change {
        name: "tables are swapped",
        there: "alter table users rename to other; alter table plain rename to users;
                alter table other rename to plain",
        back: "alter table plain rename to other; alter table users rename to plain;
               alter table other rename to users",
        statements: &[
            "select upper(id::text) as marked from plain",
            "select id + 0 as marked from plain",
        ],
    },
    Change {
        name: "schemas are swapped",
        there: "alter schema one rename to three; alter schema two rename to one",
        back: "alter schema one rename to two; alter schema three rename to one",
        statements: &["select upper(note) as marked from one.items"],
    },
];

/// What others do without changing what anything means, or what that statement means.
const NEIGHBOURS: &[&str] = &[
    "create index if not exists by_note on users (note)",
    "analyze",
    "vacuum",
    "grant select on users, plain, people to public",
    "grant select (email, note) on users to public",
    "revoke execute on function label() from public",
    "comment on column users.email is 'known'",
    "truncate plain",
    "alter table users alter column email set statistics 77",
    "alter table users alter column note set default 'none'",
    "alter table users alter column note set storage external",
    "alter table users set (fillfactor = 90)",
    "alter table users disable trigger all",
    "alter table users enable trigger all",
    "alter table users owner to postgres",
    "alter function label() cost 77",
    "insert into plain values (8, 'eve', 'fourth')",
    "update users set note = note",
    "vacuum full users",
    "cluster plain using plain_pkey",
    "reindex table users",
    "refresh materialized view kept",
    "alter table users add column if not exists more int",
    "alter table plain rename to plainer",
    "create or replace view boxes as select note from box",
    "create or replace function unused() returns int language sql as 'select 1'",
    "create schema if not exists neighbours",
    "grant usage on schema one to public",
    "create table if not exists another (user_id bigint references users)",
    "create temporary table passing as select 1 as one",
    "alter sequence counter restart",
    "select nextval('counter')",
];

const BESIDE: &[&str] = &[
    "select email || note as marked from users",
    "select upper(email) as marked, label() from people",
    "insert into box values ('x') returning note as marked",
];

/// How the marked statement is sent.
#[derive(Debug, Clone, Copy)]
enum Way {
    Simple,
    Extended,
    Prepared,
    InTransaction,
    Executed,
    ACursor,
}

const WAYS: [Way; 6] = [
    Way::Simple,
    Way::Extended,
    Way::Prepared,
    Way::InTransaction,
    Way::Executed,
    Way::ACursor,
];

fn parse(name: &str, text: &str) -> Vec<u8> {
    let body = [name.as_bytes(), b"\0", text.as_bytes(), b"\0\0\0"].concat();
    message(b'P', &body)
}

fn run(statement: &str) -> Vec<u8> {
    let names = [MARK, b"\0", statement.as_bytes(), b"\0"].concat();
    let bind = message(b'B', &[&names[..], &[0; 6]].concat());
    let describe = message(b'D', &[b"P", MARK, b"\0"].concat());
    let execute = message(b'E', &[MARK, &[0; 5]].concat());
    [bind, describe, execute, message(b'S', b"")].concat()
}

impl Way {
    /// What is answered before, what is stopped, and what comes afterwards.
    fn messages(self, text: &str) -> (Vec<Vec<u8>>, Vec<u8>, Vec<Vec<u8>>) {
        let unmarked = text.replace("marked", "m");
        let begin = query("begin");
        match self {
            Self::Simple => (vec![], query(text), vec![]),
            Self::Extended => (vec![], [parse("", text), run("")].concat(), vec![]),
            Self::Prepared => {
                let parse = [parse("s", &unmarked), message(b'S', b"")].concat();
                (vec![parse], run("s"), vec![])
            }
            Self::InTransaction => (
                vec![begin, query("select 1 from plain")],
                query(text),
                vec![],
            ),
            Self::Executed => (
                vec![query(&format!("prepare p as {unmarked}"))],
                query("execute p -- marked"),
                vec![],
            ),
            Self::ACursor => (
                vec![begin],
                query(&format!("declare marked cursor for {unmarked}")),
                vec![query("fetch all from marked")],
            ),
        }
    }

    fn fits(self, text: &str) -> bool {
        !matches!(self, Self::ACursor) || text.starts_with("select")
    }
}

/// Lets others do something before the statement is read, and before pgveil looks behind it.
async fn play(
    stand: &Stand,
    gate: &Gate,
    (text, way, who): (&str, Way, Who),
    meanwhile: [&str; 2],
    what: &str,
) -> Vec<Answer> {
    let guard = gate.begin_anew(who == Who::WatchedMigrator).await;
    let mut session = stand.session().await;
    let (before, marked, after) = way.messages(text);
    for before in before {
        session.send(&before).await;
        let answer = session.until_ready().await;
        assert_eq!(answer.error(b'C'), None, "{what}: {answer:?}");
    }
    session.send(&marked).await;
    let mut answers = Vec::new();
    for (turn, others) in meanwhile.into_iter().enumerate() {
        tokio::select! {
            stopped = guard.stopped.acquire() => stopped.unwrap().forget(),
            // It has ended before pgveil has asked.
            answer = session.until_ready() => answers.push(answer),
        }
        assert!(answers.is_empty() || turn == 1, "{what}: {answers:?}");
        who.change(stand, others, turn, what).await;
        guard.go.add_permits(1);
    }
    if answers.is_empty() {
        answers.push(session.until_ready().await);
    }
    for after in after {
        if answers.iter().all(|answer| !answer.closed) {
            session.send(&after).await;
            answers.push(session.until_ready().await);
        }
    }
    answers
}

async fn stand(name: &str, limits: &str) -> (Stand, Gate) {
    let gate = Gate::start().await;
    let stand = Stand::behind(name, limits, &gate.address.to_string()).await;
    (stand, gate)
}

/// Who changes the definitions and changes them back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Who {
    /// Nobody that pgveil knows.
    Direct,
    /// The same, while another session looks at each state.
    Watched,
    /// A role inside the trust boundary, through pgveil.
    Migrator,
    /// The same, and another session looks when all is as it was.
    WatchedMigrator,
}

impl Who {
    async fn change(self, stand: &Stand, text: &str, turn: usize, what: &str) {
        match self {
            Self::Migrator | Self::WatchedMigrator => {
                let mut migrator = stand.migrator().await;
                migrator.send(&query(text)).await;
                let answer = migrator.until_ready().await;
                assert_eq!(answer.error(b'C'), None, "{what}: {answer:?}");
            }
            Self::Direct | Self::Watched => {
                stand.direct.batch_execute(text).await.expect(what);
            }
        }
        if self == Self::Watched || self == Self::WatchedMigrator && turn == 1 {
            let mut watching = stand.session().await;
            watching.send(&query("select note from box")).await;
            watching.until_ready().await;
        }
    }
}

async fn changes(name: &str, limits: &str, whose: &[Who]) {
    let (stand, gate) = stand(name, limits).await;
    let mut wrong = Vec::new();
    let (mut cell, mut ended) = (0, 0);
    for change in BACK_AND_FORTH {
        for text in change.statements {
            // What has been read in a transaction is locked until its end.
            let in_one = |way: &Way| !matches!(way, Way::InTransaction | Way::ACursor);
            for way in WAYS.into_iter().filter(|way| way.fits(text) && in_one(way)) {
                for who in whose {
                    if !is_shared_out(&mut cell, 3) {
                        continue;
                    }
                    let what = format!("{}, {text}, {way:?}, {who:?}", change.name);
                    begin_anew(&stand, &what).await;
                    let meanwhile = [change.there, change.back];
                    let asked = (*text, way, *who);
                    let answers = play(&stand, &gate, asked, meanwhile, &what).await;
                    if answers.iter().any(shows_key) {
                        wrong.push(what);
                        continue;
                    }
                    ended += usize::from(answers.iter().any(|answer| answer.closed));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "a key is shown: {wrong:#?}");
    assert!(ended > 0);
}

/// Makes everything as it was, and lets pgveil see it.
async fn begin_anew(stand: &Stand, what: &str) {
    stand.begin_anew().await;
    stand.direct.batch_execute(MORE).await.expect(what);
    let mut migrator = stand.migrator().await;
    migrator.send(&query("create table told ()")).await;
    migrator.until_ready().await;
    let mut session = stand.session().await;
    session.send(&query("select note from plain")).await;
    session.until_ready().await;
}

#[tokio::test]
async fn what_has_changed_and_changed_back_meanwhile_shows_nothing() {
    let limits = "catalog_max_age_s = 0";
    changes("meanwhile_changes", limits, &[Who::Direct, Who::Watched]).await;
}

#[tokio::test]
async fn what_others_have_changed_and_changed_back_shows_nothing() {
    let limits = "catalog_max_age_s = 600";
    let whose = [Who::Migrator, Who::WatchedMigrator];
    changes("meanwhile_told", limits, &whose).await;
}

/// Functions are not locked by statements that call them.
#[tokio::test]
async fn a_function_that_changes_back_inside_of_a_transaction_shows_nothing() {
    let (stand, gate) = stand("meanwhile_functions", "catalog_max_age_s = 0").await;
    let changes = BACK_AND_FORTH.iter();
    for change in changes.filter(|change| change.name.contains("function")) {
        for text in change.statements {
            for way in [Way::InTransaction, Way::ACursor] {
                let what = format!("{}, {text}, {way:?}", change.name);
                begin_anew(&stand, &what).await;
                let meanwhile = [change.there, change.back];
                let asked = (*text, way, Who::Direct);
                let answers = play(&stand, &gate, asked, meanwhile, &what).await;
                assert!(!answers.iter().any(shows_key), "{what}: a key is shown");
            }
        }
    }
}

#[tokio::test]
async fn what_leaves_alone_what_a_statement_means_is_not_noticed() {
    let (stand, gate) = stand("meanwhile_neighbours", "catalog_max_age_s = 0").await;
    let kept = "create materialized view kept as select note from plain";
    let (mut cell, mut wrong) = (0, Vec::new());
    for (number, neighbour) in NEIGHBOURS.iter().enumerate() {
        for text in BESIDE {
            let turns = [[*neighbour, ""], ["", *neighbour]];
            for (turn, meanwhile) in turns.into_iter().enumerate() {
                if !is_shared_out(&mut cell, 5) {
                    continue;
                }
                // Each way in its turn.
                let ways = [Way::Simple, Way::Extended, Way::Prepared, Way::Executed];
                let way = ways[(number + turn) % ways.len()];
                let what = format!("{neighbour}, {text}, {way:?}, {turn}");
                begin_anew(&stand, &what).await;
                stand.direct.batch_execute(kept).await.expect(&what);
                let drop = "drop table if exists passing";
                stand.direct.batch_execute(drop).await.expect(&what);
                let asked = (*text, way, Who::Direct);
                let answers = play(&stand, &gate, asked, meanwhile, &what).await;
                let failed = |answer: &Answer| answer.closed || answer.error(b'C').is_some();
                if answers.iter().any(failed) {
                    wrong.push((what, format!("{answers:?}")));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// What a session defines itself, a function that it calls included, is no change of others.
#[tokio::test]
async fn what_a_session_defines_anew_itself_ends_nothing() {
    let stand = Stand::new("meanwhile_own", "catalog_max_age_s = 0").await;
    let remake = "create function remake() returns void language plpgsql as $$ begin
          drop table if exists mine; create table mine (note text);
          create or replace view yours as select note from plain; end $$";
    stand.direct.batch_execute(MORE).await.unwrap();
    stand.direct.batch_execute(remake).await.unwrap();
    let texts = [
        "drop table if exists mine; create table mine (note text); insert into mine values ('a');
         select note || 'b' from mine",
        "create or replace view people as select email, note from users;
         select upper(email) from people",
        "create or replace function label() returns text language sql stable
         as 'select email from users limit 1'; select label()",
        "select remake()",
        "begin; alter table plain rename note to remark; select upper(remark) from plain; rollback",
        "select upper(email) from users",
        "alter table plain rename note to remark; alter table plain rename remark to note;
         select upper(note) from plain",
    ];
    for _ in 0..2 {
        let mut session = stand.session().await;
        for _ in 0..2 {
            for text in texts {
                // In one, each by itself, and pipelined: what a text names that it makes itself may
                // be refused.
                let each: Vec<_> = text.split(';').map(query).collect();
                for (flight, count) in [(query(text), 1), (each.concat(), each.len())] {
                    session.send(&flight).await;
                    for _ in 0..count {
                        let answer = session.until_ready().await;
                        let ends = answer.error(b'C').is_some_and(|code| code == "40001");
                        assert!(!ends, "{text}: {answer:?}");
                        if answer.closed {
                            session = stand.session().await;
                            break;
                        }
                    }
                }
                for part in each {
                    session.send(&part).await;
                    let answer = session.until_ready().await;
                    let failed = answer.closed || answer.error(b'C').is_some();
                    assert!(!failed, "{text}: {answer:?}");
                }
            }
        }
    }
}
