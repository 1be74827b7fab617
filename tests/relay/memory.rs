//! The budget of memory: what exceeds it is refused alone, in its turn where the protocol has one;
//! nobody else notices, and the memory is given back. The proxy is a process of its own, under
//! `ulimit -v`: an allocation that failed would end it.

use std::time::{Duration, Instant};

use crate::process::{Process, configuration};
use crate::support::*;

const MIB: usize = 1 << 20;

/// What the sessions may hold back in these tests.
const BUDGET_BYTES: usize = 48 * MIB;

/// What analysed statements may take beside that.
const PLANS_BYTES: usize = 16 * MIB;

/// What the process takes beside the budget: plans, threads, read buffers, the allocator's idea of
/// order.
const BESIDE_BYTES: usize = 28 * MIB;

/// How long freed memory may stay with the allocator: it gives back what nobody has used for ten
/// seconds.
const DECAY: Duration = Duration::from_secs(12);

/// Far more than the budget.
const MESSAGE_BYTES: usize = 160 * MIB;

/// Address space for the process, in KiB.
const ULIMIT: &str = "ulimit -v 800000";

/// The configuration with an annotated table.
fn tables() -> String {
    format!(
        "[limits]\nmemory_bytes = {BUDGET_BYTES}\nplan_cache_bytes = {PLANS_BYTES}\n\
         [keys]\ncurrent = \"a\"\n[keys.ring.a]\nfile = \"key.txt\"\n\
         [[id]]\nname = \"held\"\ncolumn = \"public.held.id\"\n\
         [[id.json]]\ncolumn = \"public.held.doc\"\npath = \"$.id\"\n"
    )
}

/// A proxy with a budget, and a session that has nothing to do with what others do.
async fn bounded() -> (Process, Raw) {
    static MADE: tokio::sync::OnceCell<()> = tokio::sync::OnceCell::const_new();
    let make = async {
        let text = "CREATE TABLE held (id bigserial PRIMARY KEY, body text, doc text)";
        direct().await.batch_execute(text).await.unwrap();
    };
    MADE.get_or_init(|| make).await;
    let upstream = postgres().port();
    let text = |port| configuration(port, 300, upstream) + &tables();
    let process = Process::within(ULIMIT, text).await;
    let bystander = process.session().await;
    (process, bystander)
}

/// Whether the session still answers, with ids too.
async fn answers(raw: &mut Raw) {
    raw.send(&query("SELECT 1; SELECT id FROM held LIMIT 1"))
        .await;
    let answer = raw.until_ready().await;
    assert!(answer.kinds().starts_with("TDCT"), "{answer:?}");
}

/// The bound holds, if the system tells. What has just been freed the allocator gives back a moment
/// later: it is not held.
fn within_budget(process: &Process, what: &str) {
    let most = BUDGET_BYTES + BESIDE_BYTES;
    let started = Instant::now();
    while let Some(memory) = process.memory().filter(|memory| *memory >= most) {
        assert!(started.elapsed() < DECAY, "{what}: {memory} bytes");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Waits until the process has given back what it held.
async fn gives_back(process: &Process, what: &str) {
    let started = Instant::now();
    while process.memory().is_some_and(|memory| memory > BESIDE_BYTES) {
        let memory = process.memory();
        assert!(started.elapsed() < PATIENCE, "{what}: {memory:?} stay");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// The type byte and the length word of a message of [`MESSAGE_BYTES`].
fn header(kind: u8) -> Vec<u8> {
    let length = u32::try_from(MESSAGE_BYTES - 1).unwrap();
    [&[kind][..], &length.to_be_bytes()].concat()
}

/// A large message: its name, what comes before it, its type byte and the beginning of its body,
/// what follows it, and what is answered in all.
type Kind = (
    &'static str,
    &'static str,
    u8,
    &'static [u8],
    &'static str,
    &'static str,
);

/// One of each kind.
const KINDS: &[Kind] = &[
    ("a query", "", b'Q', b"SELECT 'x", "", "EZ"),
    ("a parse", "", b'P', b"name\0SELECT 'x", "S", "EZ"),
    (
        "a bind",
        "P",
        b'B',
        b"\0\0\0\0\0\x01\x0f\0\0\0",
        "ES",
        "1EZ",
    ),
    ("a function call", "", b'F', b"\0\0\0\x01", "", "EZ"),
    (
        "copied data",
        "COPY held (doc) FROM STDIN",
        b'd',
        b"{",
        "c",
        "GEZ",
    ),
];

#[tokio::test]
async fn a_message_that_exceeds_the_budget_is_refused_in_its_turn_whatever_its_kind() {
    let (process, mut bystander) = bounded().await;
    for (name, before, kind, body, behind, kinds) in KINDS {
        let mut raw = process.session().await;
        let parse = message(b'P', b"\0SELECT $1::text\0\0\0");
        match *before {
            "" => {}
            "P" => raw.send(&parse).await,
            text => raw.send(&query(text)).await,
        }
        let (reader, mut writer) = raw.0.into_split();
        let start = [header(*kind), body.to_vec()].concat();
        let rest = MESSAGE_BYTES - start.len();
        let messages = behind.bytes().map(|kind| match kind {
            b'E' => message(kind, b"\0\0\0\0\0"),
            kind => message(kind, b""),
        });
        let end: Vec<u8> = messages.flatten().collect();
        let sending = tokio::spawn(async move {
            use tokio::io::AsyncWriteExt as _;
            writer.write_all(&start).await.unwrap();
            let piece = vec![b'x'; MIB];
            let mut left = rest;
            while left > 0 {
                let count = left.min(MIB);
                writer.write_all(&piece[..count]).await.unwrap();
                left -= count;
            }
            writer.write_all(&end).await.unwrap();
            writer
        });
        let watching = async {
            while !sending.is_finished() {
                within_budget(&process, name);
                answers(&mut bystander).await;
            }
        };
        watching.await;
        let writer = sending.await.unwrap();
        let mut raw = Raw(reader.reunite(writer).unwrap());
        let answer = raw.until_ready().await;
        assert_eq!(answer.kinds(), *kinds, "{name}");
        if *kind == b'F' {
            // Where something is annotated there are none.
            assert!(answer.error(b'C').is_some());
        } else {
            assert_eq!(answer.error(b'C').as_deref(), Some("53200"), "{name}");
            let hint = answer.error(b'H').unwrap_or_default();
            assert!(hint.contains("memory_bytes"), "{name}: {hint}");
        }
        // The session goes on.
        answers(&mut raw).await;
        gives_back(&process, name).await;
    }
    answers(&mut bystander).await;
}

#[tokio::test]
async fn a_password_is_bounded_by_itself() {
    roles().await;
    let (process, mut bystander) = bounded().await;
    let mut raw = process.connect().await;
    let user = ["user", "with password", "database", "postgres"];
    raw.send(&startup(3 << 16, &user)).await;
    assert_eq!(raw.read(|kind| kind == b'R').await.kinds(), "R");
    raw.send(&header(b'p')).await;
    let answer = raw.until_closed().await;
    assert_eq!(answer.error(b'C').as_deref(), Some("08P01"));
    answers(&mut bystander).await;
}

#[tokio::test]
async fn what_is_only_announced_costs_nothing() {
    let (process, mut bystander) = bounded().await;
    let before = process.memory();
    let mut clients = Vec::new();
    for kind in [b'Q', b'P', b'B', b'F', b'd'].repeat(10) {
        let mut raw = process.session().await;
        let announced = [&[kind][..], &0x3fff_ff00_u32.to_be_bytes(), b"SELECT 1"].concat();
        raw.send(&announced).await;
        clients.push(raw);
    }
    answers(&mut bystander).await;
    if let (Some(before), Some(after)) = (before, process.memory()) {
        let growth = after.saturating_sub(before);
        assert!(
            growth < 12 * MIB,
            "{growth} bytes for {} clients",
            clients.len()
        );
    }
}

#[tokio::test]
async fn many_unfinished_messages_share_the_budget_and_end_nobody_else() {
    let (process, mut bystander) = bounded().await;
    let mut clients = Vec::new();
    let piece = vec![b'x'; 8 * MIB];
    for _ in 0..20 {
        let mut raw = process.session().await;
        raw.send(&[&header(b'Q')[..], &piece].concat()).await;
        clients.push(raw);
        within_budget(&process, "unfinished");
        answers(&mut bystander).await;
    }
    drop(clients);
    gives_back(&process, "unfinished").await;
    answers(&mut bystander).await;
}

#[tokio::test]
async fn statements_are_kept_by_bytes_and_those_of_one_text_count_once() {
    const TEXT_BYTES: usize = 20_000;
    const EACH: usize = 200;
    let (process, mut bystander) = bounded().await;
    // Together more than three times the budget, if each counted by itself.
    let mut sessions = Vec::new();
    let statement = |session: usize, number: usize| {
        let text = format!(
            "SELECT body, '{session} {number} {}' FROM held WHERE id = $1",
            "x".repeat(TEXT_BYTES)
        );
        message(b'P', format!("s{number}\0{text}\0\0\0").as_bytes())
    };
    for _ in 0..40 {
        let mut raw = process.session().await;
        let mut kinds = String::new();
        for number in 0..EACH {
            raw.send(&statement(0, number)).await;
        }
        raw.send(&message(b'S', b"")).await;
        kinds.push_str(&raw.until_ready().await.kinds());
        assert_eq!(kinds, "1".repeat(EACH) + "Z");
        within_budget(&process, "the same statements");
        sessions.push(raw);
    }
    drop(sessions);
    let mut sessions = Vec::new();
    let mut refused = 0;
    for session in 1..=20 {
        let mut raw = process.session().await;
        for number in 0..EACH {
            let batch = [statement(session, number), message(b'S', b"")].concat();
            raw.send(&batch).await;
        }
        for _ in 0..EACH {
            let answer = raw.until_ready().await;
            match answer.kinds().as_str() {
                "1Z" => {}
                "EZ" => {
                    assert_eq!(answer.error(b'C').as_deref(), Some("53200"));
                    refused += 1;
                }
                other => panic!("{other}: {answer:?}"),
            }
        }
        within_budget(&process, "other statements");
        answers(&mut bystander).await;
        answers(&mut raw).await;
        sessions.push(raw);
    }
    assert!(refused > 0, "the budget is used up");
    // A small one works whatever the others have.
    let small = [
        message(b'P', b"s\0SELECT id FROM held\0\0\0"),
        message(b'S', b""),
    ]
    .concat();
    bystander.send(&small).await;
    assert_eq!(bystander.until_ready().await.kinds(), "1Z");
    drop(sessions);
    // There is room again, once the others are gone.
    let started = Instant::now();
    loop {
        let large = [statement(0, 0), message(b'S', b"")].concat();
        let mut raw = process.session().await;
        raw.send(&large).await;
        if raw.until_ready().await.kinds() == "1Z" {
            break;
        }
        assert!(started.elapsed() < PATIENCE);
    }
}

#[tokio::test]
async fn clients_that_do_not_read_their_ids_stay_within_the_budget() {
    let (process, mut bystander) = bounded().await;
    let rows = "SELECT h.id, repeat('x', 5000) FROM held h, generate_series(1, 3000)";
    let admin = direct().await;
    let insert = "INSERT INTO held VALUES (1, 'x') ON CONFLICT DO NOTHING";
    admin.batch_execute(insert).await.unwrap();
    let mut clients = Vec::new();
    for number in 0..200 {
        let mut raw = process.session().await;
        raw.send(&query(rows)).await;
        clients.push(raw);
        if number < 100 {
            // Who comes later finds that others have used up the budget, and is read in small pieces.
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
    tokio::time::sleep(Duration::from_millis(500)).await;
    within_budget(&process, "slow readers");
    answers(&mut bystander).await;
    // Each gets all of its rows.
    for raw in clients.iter_mut().take(10) {
        let answer = raw.until_ready().await;
        assert_eq!(answer.messages.len(), 3003);
        within_budget(&process, "slow readers");
    }
}

#[tokio::test]
async fn a_row_that_exceeds_the_budget_ends_its_session_alone() {
    let (process, mut bystander) = bounded().await;
    let admin = direct().await;
    let insert = "INSERT INTO held VALUES (1, 'x') ON CONFLICT DO NOTHING";
    admin.batch_execute(insert).await.unwrap();
    let mut raw = process.session().await;
    let text = format!("SELECT id, repeat('x', {MESSAGE_BYTES}) FROM held");
    raw.send(&query(&text)).await;
    let answer = raw.until_closed().await;
    assert_eq!(answer.error(b'C').as_deref(), Some("53200"));
    assert_eq!(answer.error(b'S').as_deref(), Some("FATAL"));
    within_budget(&process, "a row");
    answers(&mut bystander).await;
    gives_back(&process, "a row").await;
    // One without ids passes, whatever its size.
    let text = format!("SELECT repeat('x', {MESSAGE_BYTES})");
    bystander.send(&query(&text)).await;
    assert_eq!(bystander.until_ready().await.kinds(), "TDCZ");
    within_budget(&process, "a row without ids");
}

/// Small things in a queue count as well, and who has more of them than there is room for waits.
#[tokio::test]
async fn what_waits_in_queues_stays_within_the_budget() {
    let (process, mut bystander) = bounded().await;
    let gate = direct().await;
    let lock = "SELECT pg_advisory_lock(2)";
    gate.batch_execute(lock).await.unwrap();
    let bind = |id: usize| {
        let ids = format!("{{00000000-0000-4000-8000-{id:012}}}");
        let length = u32::try_from(ids.len()).unwrap().to_be_bytes();
        let body = [b"\0s\0\0\0\0\x01", &length[..], ids.as_bytes(), b"\0\0"].concat();
        message(b'B', &body)
    };
    let mut pipeline = Vec::new();
    for number in 0..16_000 {
        pipeline.extend(bind(number));
    }
    let mut clients = Vec::new();
    for _ in 0..40 {
        let mut raw = process.session().await;
        let prepared = [
            message(b'P', b"s\0SELECT id FROM held WHERE id = ANY ($1)\0\0\0"),
            message(b'P', b"w\0SELECT pg_advisory_lock_shared(2)\0\0\0"),
            message(b'S', b""),
        ];
        raw.send(&prepared.concat()).await;
        assert_eq!(raw.until_ready().await.kinds(), "11Z");
        let waits = [
            message(b'B', b"\0w\0\0\0\0\0\0\0"),
            message(b'E', b"\0\0\0\0\0"),
        ];
        raw.send(&[waits.concat(), pipeline.clone()].concat()).await;
        clients.push(raw);
        within_budget(&process, "pipelines");
    }
    tokio::time::sleep(Duration::from_secs(2)).await;
    within_budget(&process, "pipelines");
    answers(&mut bystander).await;
    for raw in &mut clients {
        let closed = tokio::time::timeout(Duration::from_millis(20), raw.until_closed()).await;
        assert!(closed.is_err(), "{closed:?}");
    }
    drop(clients);
    // Behind a full queue nobody sees that a client has gone, as nothing is read from it.
    drop(gate);
    gives_back(&process, "pipelines").await;
}
