//! What pgveil brings along to each of the server's sessions that a pooler lends it: the path, and
//! what is prepared under a name.

use super::raw::{Heard, Raw, Say, codes, errors, kinds};
use super::*;

/// The poolers that a configuration with `pooler = "transaction"` may have behind it.
const POOLERS: [&str; 2] = [
    "",
    "server_reset_query = DISCARD ALL\nserver_reset_query_always = 1",
];

/// A database of its own behind a pooler behind pgveil.
struct Stand {
    database: &'static str,
    /// Without either.
    direct: Client,
    pooler: PgBouncer,
    veil: Veil,
}

impl Stand {
    async fn new(database: &'static str, pool: usize, more: &str) -> Self {
        let port = postgres().port();
        let admin = connect(port).await;
        for sql in [
            format!("DROP DATABASE IF EXISTS {database} WITH (FORCE)"),
            format!("CREATE DATABASE {database}"),
        ] {
            admin.batch_execute(&sql).await.unwrap();
        }
        let direct = connect_to(port, database).await;
        direct.batch_execute(SCHEMA).await.unwrap();
        let pooler = pooler(port, pool, more);
        let veil = Veil::with(pooler.port, "pooler = \"transaction\"").await;
        Self {
            database,
            direct,
            pooler,
            veil,
        }
    }

    fn session(&self) -> Raw {
        Raw::connect(self.veil.port, self.database)
    }

    /// A session of the pooler's that does not come through pgveil.
    fn stranger(&self) -> Raw {
        Raw::connect(self.pooler.port, self.database)
    }

    /// Gives new sessions of the server this setting, and has the pooler begin new ones.
    async fn set(&self, setting: &str) {
        let database = self.database;
        let sql = format!("ALTER DATABASE {database} SET {setting}");
        self.direct.batch_execute(&sql).await.unwrap();
        let sql = "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
            WHERE datname = current_database() AND pid <> pg_backend_pid()";
        self.direct.batch_execute(sql).await.unwrap();
    }
}

fn query(text: &str) -> Say {
    Say::Query(text.to_owned())
}

fn run(text: &str) -> Say {
    Say::Do(text.to_owned())
}

fn prepare(name: &'static str, text: &str) -> Say {
    Say::Parse(name, text.to_owned())
}

/// Texts in which something is asked in a transaction of its own, or where the path has just gone.
const TEXTS: [&str; 19] = [
    "LOOK",
    "/* first */ LOOK",
    "SELECT 1; LOOK",
    "LOOK; SELECT 1",
    "BEGIN; LOOK; COMMIT",
    "BEGIN; SELECT 1; COMMIT; LOOK",
    "BEGIN; LOOK; COMMIT; LOOK",
    "BEGIN; LOOK; COMMIT AND CHAIN; LOOK; COMMIT",
    "BEGIN; LOOK; ROLLBACK AND CHAIN; LOOK; COMMIT",
    "BEGIN; LOOK; ROLLBACK; LOOK",
    "BEGIN; SAVEPOINT a; LOOK; ROLLBACK TO a; LOOK; COMMIT",
    "BEGIN; SET LOCAL search_path = pg_catalog; COMMIT; LOOK",
    "SET LOCAL search_path = pg_catalog; COMMIT; LOOK",
    "SHOW search_path; LOOK",
    "WITH w AS (LOOK) SELECT * FROM w",
    "EXPLAIN ANALYZE LOOK; LOOK",
    "BEGIN; DECLARE c CURSOR FOR LOOK; FETCH ALL c; COMMIT",
    "DO $$ begin perform 1; end $$; LOOK",
    "COPY (LOOK) TO STDOUT",
];

/// Texts behind which only the server knows the path, so that nothing has to be shown.
const UNKNOWN: [&str; 3] = [
    "BEGIN; SAVEPOINT a; SELECT set_config('search_path', 'pg_catalog', true); ROLLBACK TO a; COMMIT; LOOK",
    "RESET search_path; LOOK",
    "BEGIN; PREPARE TRANSACTION 'x'; LOOK",
];

/// The same, statement by statement.
const PARTS: [&[&str]; 8] = [
    &["BEGIN", "LOOK", "COMMIT", "LOOK"],
    &[
        "BEGIN",
        "SAVEPOINT a",
        "LOOK",
        "ROLLBACK TO a",
        "LOOK",
        "COMMIT",
    ],
    &[
        "BEGIN ISOLATION LEVEL SERIALIZABLE",
        "LOOK",
        "COMMIT AND CHAIN",
        "LOOK",
        "COMMIT",
    ],
    &[
        "BEGIN",
        "SET TRANSACTION ISOLATION LEVEL SERIALIZABLE",
        "LOOK",
        "ROLLBACK",
    ],
    &[
        "BEGIN",
        "SET LOCAL search_path = pg_catalog",
        "COMMIT",
        "LOOK",
    ],
    &[
        "BEGIN",
        "SET LOCAL search_path = pg_catalog",
        "ROLLBACK",
        "LOOK",
    ],
    &["LOOK", "BEGIN", "LOOK", "COMMIT"],
    &["COPY (LOOK) TO STDOUT", "LOOK"],
];

/// Of these a batch does not get to its end, or is refused from some point on.
const BROKEN: [&[&str]; 3] = [
    &[
        "BEGIN",
        "SAVEPOINT a",
        "SELECT id FROM nowhere",
        "ROLLBACK TO a",
        "LOOK",
        "COMMIT",
    ],
    &[
        "BEGIN",
        "CREATE TEMP TABLE t ON COMMIT DROP AS LOOK",
        "SELECT * FROM t",
        "SAVEPOINT a",
        "ROLLBACK TO a",
        "LOOK",
    ],
    &["DISCARD ALL", "LOOK"],
];

/// What must come of a way.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Shows {
    /// Everything, without an error.
    All,
    /// Something, beside errors.
    Something,
    Nothing,
}

/// The ways to ask for something, and what must come of them.
fn ways(look: &str) -> Vec<(Vec<Say>, Shows)> {
    let text = |text: &str| text.replace("LOOK", look);
    let queries = |of: &[&str], shows| {
        let way = |way: &&str| (vec![Say::Query(text(way))], shows);
        of.iter().map(way).collect::<Vec<_>>()
    };
    let mut ways = [
        queries(&TEXTS, Shows::All),
        queries(&UNKNOWN, Shows::Nothing),
    ]
    .concat();
    let whole = PARTS.iter().map(|parts| (parts, Shows::All));
    let broken = BROKEN.iter().map(|parts| (parts, Shows::Something));
    for (parts, shows) in whole.chain(broken) {
        let texts = || parts.iter().map(|part| text(part));
        ways.push((texts().map(Say::Query).collect(), shows));
        let each = texts().flat_map(|part| [Say::Do(part), Say::Sync]);
        ways.push((each.collect(), shows));
        // In one batch.
        let together = texts().map(Say::Do).chain([Say::Sync]).collect();
        if shows == Shows::Something {
            ways.push((together, Shows::Nothing));
            // What is not there can't be prepared, and PgBouncer ends a session that binds it.
            continue;
        }
        ways.push((together, shows));
        // All of them prepared before.
        const NAMES: [&str; 6] = ["a", "b", "c", "d", "e", "f"];
        let names = || NAMES.iter().take(parts.len());
        let named = |(name, part): (&&'static str, String)| Say::Parse(name, part);
        let prepared = || names().zip(texts()).map(named).chain([Say::Sync]);
        let closed = || names().map(|name| Say::Close(name)).chain([Say::Sync]);
        let each = names().flat_map(|name| [Say::Run(name), Say::Sync]);
        ways.push((prepared().chain(each).chain(closed()).collect(), shows));
        let all = names().map(|name| Say::Run(name)).chain([Say::Sync]);
        ways.push((prepared().chain(all).chain(closed()).collect(), shows));
    }
    ways.extend(around_an_end(look));
    let cursor = format!("DECLARE c CURSOR FOR {look}");
    for way in [
        vec![prepare("", look), Say::Sync, Say::Run(""), Say::Sync],
        vec![
            query("BEGIN"),
            run(look),
            Say::Sync,
            query(look),
            query("COMMIT"),
            query(look),
        ],
        vec![
            query("BEGIN"),
            run(&cursor),
            Say::Sync,
            query("FETCH c"),
            run("COMMIT"),
            Say::Sync,
        ],
    ] {
        ways.push((way, Shows::All));
    }
    ways
}

/// One statement on both sides of an end: the server plans it anew where the path has changed.
fn around_an_end(look: &str) -> Vec<(Vec<Say>, Shows)> {
    let mut ways = Vec::new();
    let [begin, end] = ["BEGIN", "COMMIT"];
    for all in [
        [Say::Run("b"), Say::Run("s"), Say::Run("e"), Say::Run("s")],
        [Say::Run("s"), Say::Run("b"), Say::Run("e"), Say::Run("s")],
        [
            Say::Run("s"),
            Say::Run("b"),
            Say::Run("e"),
            Say::Describe("s"),
        ],
    ] {
        let prepared = [prepare("b", begin), prepare("s", look), prepare("e", end)];
        let closed = ["b", "s", "e"].map(Say::Close);
        let parts = [&prepared[..], &all, &[Say::Sync], &closed, &[Say::Sync]];
        ways.push((parts.concat(), Shows::All));
    }
    ways
}

/// What was seen of `users`: whether it is that of `other`, which has no ids. `None` if nothing.
fn seen(heard: &[Heard]) -> Vec<bool> {
    let rows = heard.iter().filter(|(kind, _)| matches!(kind, b'D' | b'd'));
    let texts = rows.map(|(_, body)| String::from_utf8_lossy(body).into_owned());
    let is_id = |text: &str| text.matches('-').count() >= 4 && !text.contains("cost");
    let told = texts.filter(|text| text.contains("no id") || is_id(text));
    told.map(|text| text.contains("no id")).collect()
}

/// The path of the server's next session is another one; the session's own is brought along,
/// whatever it asks and however.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn before_a_pooler_the_path_is_the_sessions_own_in_each_transaction() {
    if !is_installed() {
        return;
    }
    for more in POOLERS {
        let stand = Stand::new("brought_paths", 2, more).await;
        for (first, then) in [("other", "public"), ("public", "other")] {
            stand.set(&format!("search_path = {first}")).await;
            let mut session = stand.session();
            stand.set(&format!("search_path = {then}")).await;
            for (way, shows) in ways(LOOKS[1]) {
                for pipelined in [false, true] {
                    let heard = session.say(&way, pipelined);
                    let seen = seen(&heard);
                    let told = || (kinds(&heard), errors(&heard));
                    let expected = |other: &bool| *other == (first == "other");
                    let is_there = match shows {
                        Shows::All => !seen.is_empty() && codes(&heard).is_empty(),
                        Shows::Something => !seen.is_empty(),
                        Shows::Nothing => true,
                    };
                    let as_expected = seen.iter().all(expected) && is_there;
                    let goes_on = heard.iter().all(|(kind, _)| *kind != b'!');
                    assert!(
                        as_expected && goes_on,
                        "{first}: {way:?}, {pipelined}: {seen:?} {:?}",
                        told()
                    );
                    session.say(&[query("ROLLBACK")], false);
                }
            }
        }
    }
}

/// A client that leaves statements under names that others have.
struct Stranger(Raw);

impl Stranger {
    fn leaves(&mut self) {
        let theirs = "SELECT 8613972450000001";
        let left = [
            Say::Close("s"),
            Say::Close("t"),
            prepare("s", "SELECT max(id) FROM users"),
            prepare("t", theirs),
            prepare("", theirs),
            Say::Sync,
        ];
        self.0.say(&left, false);
    }
}

/// How many rows there are, all of which end in this.
fn rows_of(heard: &[Heard], row: &str) -> usize {
    let rows = heard.iter().filter(|(kind, _)| *kind == b'D');
    let mut texts = rows.clone().map(|(_, body)| String::from_utf8_lossy(body));
    assert!(texts.all(|text| text.ends_with(row)), "{:?}", kinds(heard));
    rows.count()
}

/// What somebody else has left under a name, or under that of nothing, is never run.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn before_a_pooler_a_name_means_what_its_own_client_has_prepared() {
    if !is_installed() {
        return;
    }
    let stand = Stand::new("brought_names", 1, "").await;
    let mut session = stand.session();
    let mut stranger = Stranger(stand.stranger());
    for (sql, row) in [
        ("SELECT 7", "7"),
        ("SELECT name FROM users LIMIT 1", "user 1"),
    ] {
        stranger.leaves();
        // Whose name is taken by somebody else, to begin with.
        let heard = session.say(&[prepare("s", sql), Say::Describe("s"), Say::Sync], false);
        assert_eq!(kinds(&heard), "1tTZ", "{:?}", codes(&heard));
        for pipelined in [false, true] {
            stranger.leaves();
            let way = [
                Say::Run("s"),
                Say::Run("s"),
                Say::Sync,
                Say::Run("s"),
                Say::Sync,
            ];
            let heard = session.say(&way, pipelined);
            assert_eq!(kinds(&heard), "2TDC2TDCZ2TDCZ", "{:?}", codes(&heard));
            assert_eq!(rows_of(&heard, row), 3);
            stranger.leaves();
            let heard = session.say(&[Say::Describe("s"), Say::Sync], pipelined);
            assert_eq!(kinds(&heard), "tTZ", "{:?}", codes(&heard));
            // The unnamed one is a name as any other.
            let heard = session.say(&[prepare("", sql), Say::Sync], pipelined);
            assert_eq!(kinds(&heard), "1Z");
            stranger.leaves();
            let heard = session.say(&[Say::Run(""), Say::Sync], pipelined);
            assert_eq!(kinds(&heard), "2TDCZ", "{:?}", codes(&heard));
            // In a transaction too, also behind an error.
            let way = [
                query("BEGIN; SAVEPOINT a"),
                Say::Run("s"),
                Say::Sync,
                query("SELECT id FROM nowhere"),
                query("ROLLBACK TO a"),
                Say::Run("s"),
                Say::Sync,
                query("COMMIT"),
            ];
            let heard = session.say(&way, pipelined);
            assert_eq!(rows_of(&heard, row), 2, "{:?}", codes(&heard));
        }
        session.say(&[Say::Close("s"), Say::Sync], false);
    }
}

/// What the client has not prepared, or not any longer, is not there, whoever has left what.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn before_a_pooler_nobody_finds_the_names_of_others() {
    if !is_installed() {
        return;
    }
    let stand = Stand::new("foreign_names", 1, "").await;
    let mut session = stand.session();
    let mut stranger = Stranger(stand.stranger());
    session.say(&[prepare("s", "SELECT 7"), Say::Sync], false);
    for pipelined in [false, true] {
        for (say, code) in [
            (Say::Run("t"), "26000"),
            (Say::Describe("t"), "26000"),
            (prepare("s", "SELECT 1"), "42P05"),
        ] {
            stranger.leaves();
            let heard = session.say(&[say.clone(), Say::Sync], pipelined);
            assert_eq!(codes(&heard), [code], "{say:?}");
        }
    }
    let heard = session.say(&[Say::Close("s"), Say::Sync], false);
    assert_eq!(kinds(&heard), "3Z");
    stranger.leaves();
    let heard = session.say(&[Say::Run("s"), Say::Sync], false);
    assert_eq!(codes(&heard), ["26000"]);
    // The unnamed one is gone with a query, and comes back in no other way.
    session.say(&[prepare("", "SELECT 7"), Say::Sync], false);
    session.say(&[query("SELECT 1")], false);
    stranger.leaves();
    let heard = session.say(&[Say::Run(""), Say::Sync], false);
    assert_eq!(codes(&heard), ["26000"]);
    // It goes on as if nothing had been.
    let heard = session.say(&[run("SELECT 7"), Say::Sync], false);
    assert_eq!(rows_of(&heard, "7"), 1);
}

/// PgBouncer gives each client the settings by which texts are read that it was told of, whatever
/// they are in new sessions of the server; so what is a literal for pgveil is one for the server.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn before_a_pooler_literals_are_read_as_the_session_was_told() {
    if !is_installed() {
        return;
    }
    let both = r"SELECT '\', min(id) FROM users --'";
    for (first, then) in [("off", "on"), ("on", "off")] {
        // PgBouncer tells clients what the first session of a pool was told.
        let stand = Stand::new("brought_settings", 2, "").await;
        let set = |to: &str| format!("standard_conforming_strings = {to}");
        stand.set(&set(first)).await;
        let mut session = stand.session();
        stand.set(&set(then)).await;
        for pipelined in [false, true] {
            for way in [
                vec![query(both)],
                vec![run(both), Say::Sync],
                vec![
                    query("BEGIN"),
                    query(both),
                    run(both),
                    Say::Sync,
                    query("COMMIT"),
                ],
                vec![
                    prepare("s", both),
                    Say::Sync,
                    Say::Run("s"),
                    Say::Close("s"),
                    Say::Sync,
                ],
            ] {
                let heard = session.say(&way, pipelined);
                let rows = heard.iter().filter(|(kind, _)| *kind == b'D');
                let literal = "', min(id) FROM users --";
                for (_, body) in rows {
                    let text = String::from_utf8_lossy(body);
                    assert_eq!(text.contains(literal), first == "off", "{way:?}: {text}");
                }
            }
        }
    }
}
