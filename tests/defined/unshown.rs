//! Values that are stored and can't be shown, and every way to ask for them.

use super::*;

/// The rows with them. The smallest integer stands for ids that nobody has, so that it is no key.
pub(crate) const STORED: &str = "
    insert into public.users (id, email, name) overriding system value
        values (-9223372036854775808, 'least@example.org', 'least');
    insert into public.letters (body) values ('{\"user\": {\"id\": \"-9223372036854775808\"}}');";

/// What only reads.
pub(crate) const READING: &[&str] = &[
    "select id from public.users order by name",
    "select name, id from public.users where name = 'least'",
    "select array_agg(id) from public.users",
    "select u from public.users u",
    "select row(id, name) from public.users",
    "select array[row(id)] from public.users",
    "select id::text from public.users",
    "select 'user ' || id from public.users",
    "select string_agg(id::text, ',') from public.users",
    "select to_jsonb(u) from public.users u",
    "select json_agg(id) from public.users",
    "select json_build_object('id', id) from public.users",
    "select least(max(id), min(id)) from public.users",
    "with t as (select id from public.users) select * from t",
    "select id from public.users union select id from public.users",
    "copy public.users (id) to stdout",
    "copy public.users (id) to stdout (format csv, header)",
    "copy public.users (id) to stdout (format binary)",
    "copy (select name, id from public.users) to stdout",
];

/// What changes rows and shows such a value.
pub(crate) const WRITING: &[&str] = &[
    "update public.users set login_count = login_count + 1 where name = 'least' returning id",
    "with u as (update public.users set login_count = login_count + 1 where name = 'least' \
     returning id) select id from u",
    "update public.users u set login_count = login_count + 1 where name = 'least' returning u",
    "update public.users u set login_count = login_count + 1 where name = 'least' returning *",
    "update public.users u set login_count = login_count + 1 where name = 'least' \
     returning to_jsonb(u), 'user ' || id",
    "with u as (update public.users set login_count = login_count + 1 where name = 'least' \
     returning id) select array_agg(id) from u",
];

/// How often rows have been changed.
pub(crate) const CHANGED: &str = "select login_count from public.users where name = 'least'";

/// What becomes of a batch with such a value in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Undone {
    /// All of it, or there is nothing to undo.
    Always,
    /// All of it inside of a transaction block; outside of one it stays.
    InBlock,
    /// All of it outside of a block, where it begins and ends one.
    Outside,
    /// Nobody could undo what has been done.
    Never,
}

/// Whether the session goes on behind what is sent in one go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Lives {
    Always,
    /// Outside of a block: inside of one other statements of it may be with the server.
    Outside,
    Never,
}

const CHANGES: &str = "update public.users set login_count = login_count + 1 where name = 'least'";

/// A text that is too long to be read for what it calls while its answers come.
static LONG_TEXT: [u8; 17_000] = {
    let (mut text, words) = ([b' '; 17_000], b"select 1");
    text.split_at_mut(words.len()).0.copy_from_slice(words);
    text
};
const LONG: &str = match std::str::from_utf8(&LONG_TEXT) {
    Ok(text) => text,
    Err(_) => "",
};

/// Statements of one batch, before and behind another.
pub(crate) type Around = (&'static [&'static str], &'static [&'static str]);

/// What stands in one batch around a statement that shows such a value.
pub(crate) const AROUND: &[(Around, Undone)] = &[
    ((&["select 1"], &[]), Undone::Always),
    ((&[], &["select 2"]), Undone::Always),
    (
        (
            &[],
            &["select name, id from public.users where name = 'bob'"],
        ),
        Undone::Always,
    ),
    (
        (
            &[],
            &["values (1), (2)", "with t as (select 1) select * from t"],
        ),
        Undone::Always,
    ),
    (
        (&[], &["select id from public.users order by name"]),
        Undone::Always,
    ),
    ((&[], &["select 1 / 0"]), Undone::Always),
    ((&["begin"], &[]), Undone::Always),
    ((&["begin", CHANGES], &["select 2"]), Undone::Always),
    ((&[CHANGES], &[]), Undone::InBlock),
    ((&[CHANGES, "select 1"], &["select 2"]), Undone::InBlock),
    ((&[], &[CHANGES]), Undone::Never),
    ((&[], &["set search_path = public"]), Undone::Never),
    ((&[], &["commit"]), Undone::Never),
    ((&["begin"], &["commit"]), Undone::Outside),
    (
        (&["begin read only", "select 1"], &["select 2", "end"]),
        Undone::Outside,
    ),
    ((&["begin"], &["rollback", "select 2"]), Undone::Outside),
    ((&["begin"], &["commit and chain"]), Undone::Outside),
    ((&["begin", CHANGES], &["commit"]), Undone::Never),
    ((&["begin"], &[CHANGES, "commit"]), Undone::Never),
    (
        (&["begin"], &["select pg_notify('behind', 'x')", "commit"]),
        Undone::Never,
    ),
    (
        (&["begin"], &["prepare transaction 'behind'"]),
        Undone::Never,
    ),
    ((&["begin"], &["rollback prepared 'behind'"]), Undone::Never),
    ((&[], &["select pg_notify('behind', 'x')"]), Undone::InBlock),
    ((&[LONG], &[]), Undone::InBlock),
    ((&["begin", LONG], &["commit"]), Undone::Never),
    ((&["commit", CHANGES], &[]), Undone::Never),
    ((&["rollback", CHANGES], &[]), Undone::Never),
    (
        (&["begin", "savepoint s", CHANGES, "rollback to s"], &[]),
        Undone::Always,
    ),
    (
        (
            &[
                "prepare w as with u as (update public.users set login_count = login_count + 1) select 1",
                "execute w",
            ],
            &[],
        ),
        Undone::InBlock,
    ),
    (
        (&["select set_config('pgveil.behind', 'x', false)"], &[]),
        Undone::InBlock,
    ),
    ((&[], &["prepare left_behind as select 1"]), Undone::Never),
];

/// A way to send the statements of a batch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    Simple,
    /// They have been prepared before.
    Prepared,
    /// Each is prepared without a name, which the server has then.
    Unnamed,
}

impl Way {
    /// Sends the batch, with one Sync behind all of it.
    fn send(
        self,
        client: &mut Client,
        statements: &[&str],
    ) -> Result<(Option<String>, char), String> {
        if self == Self::Simple {
            return outcome(client, &message::query(&statements.join("; ")));
        }
        let (mut first, mut batch) = (Vec::new(), Vec::new());
        for (number, sql) in statements.iter().enumerate() {
            let (name, parse) = match self {
                Self::Prepared => (format!("s{number}"), &mut first),
                _ => (String::new(), &mut batch),
            };
            parse.extend(message::parse(&name, sql, &[]));
            batch.extend(message::bind("", &name, &[], 0));
            batch.extend(message::execute("", 0));
        }
        if self == Self::Prepared {
            client.exchange(&[first, message::sync()].concat(), 1)?;
        }
        outcome(client, &[batch, message::sync()].concat())
    }
}

#[test]
fn a_stored_value_that_cannot_be_shown_fails_what_comes_behind_it_too() {
    let suite = build(local(), "behind", Other::Veiled).unwrap();
    let proxy = &suite.proxy.as_ref().unwrap().address;
    let connect = |at: &Address| Client::connect(at, ROLE, "behind_beside").unwrap();
    let mut inside = connect(&local().address);
    inside.run(STORED).unwrap();
    let mut client = connect(proxy);
    let mut wrong = Vec::new();
    let bad = "select id from public.users order by name";
    for ((before, behind), undone) in AROUND {
        let all: Vec<&str> = before
            .iter()
            .chain([&bad])
            .chain(*behind)
            .copied()
            .collect();
        // What EXECUTE names there is only when it runs.
        let by_name = all.iter().any(|sql| sql.starts_with("execute"));
        for way in [Way::Simple, Way::Prepared, Way::Unnamed] {
            if way == Way::Prepared && by_name {
                continue;
            }
            for (begin, status) in [("", 'I'), ("begin", 'E')] {
                let before = inside.rows(CHANGED).unwrap();
                client.run(begin).unwrap();
                let begun = all.first().is_some_and(|first| first.starts_with("begin"));
                let status = if begun { 'E' } else { status };
                let undone = match *undone {
                    Undone::Always => true,
                    Undone::InBlock => status == 'E',
                    Undone::Outside => begin.is_empty(),
                    Undone::Never => false,
                };
                match way.send(&mut client, &all) {
                    Ok((Some(code), found))
                        if code == "XX000" && (found == status || !undone && found == 'I') => {}
                    other => wrong.push(format!("{way:?} {begin} {all:?}: {other:?}")),
                }
                let goes_on = [
                    "rollback",
                    "deallocate all",
                    "reset search_path",
                    "select 1",
                ];
                if !goes_on.iter().all(|sql| client.run(sql).is_ok()) {
                    wrong.push(format!("{way:?} {begin} {all:?}: the session has ended"));
                    client = connect(proxy);
                }
                if undone && inside.rows(CHANGED).unwrap() != before {
                    wrong.push(format!("{way:?} {begin} {all:?}: something is changed"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}\n{}", wrong.len(), wrong.join("\n"));
    assert_eq!(Canary::new().find(&client.recorded()), None);
}

/// What is sent in one go around a statement that shows such a value, in the extended protocol, and
/// how many ReadyForQuery come behind it.
struct Sent {
    name: &'static str,
    bytes: Vec<u8>,
    ready: usize,
    lives: Lives,
}

/// Everything that a client may have sent before it hears of the error.
fn sent() -> Vec<Sent> {
    use Lives::{Always, Never, Outside};
    let bad = "select id from public.users where name = 'least'";
    let (all, some) = (asked(bad, 0), asked(bad, 1));
    let (good, sync, flush) = (asked("select 5", 0), message::sync(), message::flush());
    let close = |kind, name| message::on(b'C', kind, name);
    let (closed, portal) = (close(b'S', "other"), close(b'P', ""));
    let (query, next) = (message::query(bad), message::query("select 5"));
    let rest = message::execute("", 0);
    let table: [(&str, &[&[u8]], usize, Lives); 12] = [
        ("alone", &[&all, &sync], 1, Always),
        ("a row", &[&some, &sync], 1, Always),
        ("a row and the rest", &[&some, &rest, &sync], 1, Always),
        ("another without a name", &[&all, &good, &sync], 1, Always),
        ("closes its statement", &[&all, &closed, &sync], 1, Always),
        ("closes its portal", &[&all, &portal, &sync], 1, Always),
        ("another batch", &[&all, &sync, &good, &sync], 2, Outside),
        ("another Query", &[&all, &sync, &next], 2, Outside),
        ("two Queries", &[&query, &next], 2, Outside),
        ("both", &[&all, &good, &sync, &good, &sync], 2, Never),
        ("Flush", &[&all, &flush], 0, Always),
        ("Flush and Sync", &[&all, &flush, &sync], 1, Always),
    ];
    let sent = table.map(|(name, messages, ready, lives)| Sent {
        name,
        bytes: messages.concat(),
        ready,
        lives,
    });
    sent.into()
}

/// Parse, Bind and Execute, up to so many rows.
fn asked(sql: &str, rows: u32) -> Vec<u8> {
    let bind = message::bind("", "", &[], 0);
    [
        message::parse("", sql, &[]),
        bind,
        message::execute("", rows),
    ]
    .concat()
}

/// Reads up to the error and whatever more ReadyForQuery are owed. Gives its SQLSTATE.
fn error_of(client: &mut Client, sent: &Sent) -> Result<String, String> {
    client.send(&sent.bytes)?;
    let mut code = None;
    let mut ready = 0;
    while code.is_none() || ready < sent.ready {
        let message = client.receive()?;
        ready += usize::from(matches!(message, Message::ReadyForQuery(_)));
        code = code.or(message.sqlstate().map(str::to_owned));
    }
    if sent.ready == 0 {
        // What comes up to the end of the batch is skipped.
        let skipped = [message::parse("", "select 6", &[]), message::sync()].concat();
        let answer = client.exchange(&skipped, 1)?;
        if !matches!(answer.as_slice(), [Message::ReadyForQuery(_)]) {
            return Err(format!("{answer:?}"));
        }
    }
    code.ok_or_else(|| "no error".to_owned())
}

#[test]
fn a_stored_value_that_cannot_be_shown_ends_no_session_however_it_is_asked_for() {
    let suite = build(local(), "asked", Other::Veiled).unwrap();
    let proxy = &suite.proxy.as_ref().unwrap().address;
    let connect = |at: &Address| Client::connect(at, ROLE, "asked_beside").unwrap();
    connect(&local().address).run(STORED).unwrap();
    let mut client = connect(proxy);
    let mut wrong = Vec::new();
    for sent in sent() {
        for begin in ["", "begin"] {
            let lives = match sent.lives {
                Lives::Always => true,
                Lives::Outside => begin.is_empty(),
                Lives::Never => false,
            };
            client.run("prepare other as select 1").unwrap();
            client.run(begin).unwrap();
            let found = error_of(&mut client, &sent);
            if lives && found != Ok("XX000".to_owned()) {
                wrong.push(format!("{begin} {}: {found:?}", sent.name));
            }
            let goes_on = client.run("rollback").is_ok() && client.run("deallocate all").is_ok();
            if goes_on != lives {
                wrong.push(format!(
                    "{begin} {}: the session goes on: {goes_on}",
                    sent.name
                ));
            }
            if !goes_on {
                client = connect(proxy);
            }
        }
    }
    assert!(wrong.is_empty(), "{}\n{}", wrong.len(), wrong.join("\n"));
    assert_eq!(Canary::new().find(&client.recorded()), None);
}

#[test]
fn the_statement_without_a_name_is_no_other_than_the_client_takes_it_for() {
    let suite = build(local(), "unnamed", Other::Veiled).unwrap();
    let proxy = &suite.proxy.as_ref().unwrap().address;
    let connect = |at: &Address| Client::connect(at, ROLE, "unnamed_beside").unwrap();
    connect(&local().address).run(STORED).unwrap();
    let mut client = connect(proxy);
    let bad = message::parse(
        "bad",
        "select id from public.users where name = 'least'",
        &[],
    );
    let first = message::parse("", "select 1", &[]);
    client
        .exchange(&[bad, first, message::sync()].concat(), 1)
        .unwrap();
    let again = [message::bind("", "", &[], 0), message::execute("", 0)].concat();
    let batch = [
        [message::bind("", "bad", &[], 0), message::execute("", 0)].concat(),
        message::parse("", "select id from public.users where name = 'bob'", &[]),
        again.clone(),
        message::sync(),
    ];
    let found = outcome(&mut client, &batch.concat());
    assert_eq!(found, Ok((Some("XX000".to_owned()), 'I')));
    // Postgres would have the first; the server has the second.
    let rows = |answer: &[Message]| answer.iter().any(|one| matches!(one, Message::DataRow(_)));
    let answer = client.exchange(&[again, message::sync()].concat(), 1);
    assert!(!answer.is_ok_and(|answer| rows(&answer)));
}
