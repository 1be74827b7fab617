//! The sessions that are recorded for the corpus, as messages of a client.

use super::targets::world::{self, CANARY};

pub(crate) fn message(kind: u8, body: &[u8]) -> Vec<u8> {
    let length = u32::try_from(body.len() + 4).expect("a short message");
    [&[kind][..], &length.to_be_bytes(), body].concat()
}

pub(crate) fn query(text: &str) -> Vec<u8> {
    message(b'Q', format!("{text}\0").as_bytes())
}

fn parse(name: &str, text: &str) -> Vec<u8> {
    message(b'P', format!("{name}\0{text}\0\0\0").as_bytes())
}

/// Bind with parameters in one format, results in another.
fn bind(portal: &str, statement: &str, format: u8, values: &[&[u8]], results: u8) -> Vec<u8> {
    let mut body = format!("{portal}\0{statement}\0").into_bytes();
    body.extend([0, 1, 0, format]);
    body.extend(
        u16::try_from(values.len())
            .expect("few values")
            .to_be_bytes(),
    );
    for value in values {
        body.extend(
            u32::try_from(value.len())
                .expect("a short value")
                .to_be_bytes(),
        );
        body.extend(*value);
    }
    body.extend([0, 1, 0, results]);
    message(b'B', &body)
}

fn execute(portal: &str, limit: u8) -> Vec<u8> {
    message(b'E', &[portal.as_bytes(), &[0, 0, 0, 0, limit]].concat())
}

fn describe(what: &str) -> Vec<u8> {
    message(b'D', format!("{what}\0").as_bytes())
}

fn sync() -> Vec<u8> {
    message(b'S', b"")
}

/// The sessions: what the client sends, in batches between which it listens.
#[expect(clippy::too_many_lines, reason = "a table")]
pub(crate) fn sessions() -> Vec<(&'static str, Vec<Vec<u8>>)> {
    let (ann, ann_bytes) = world::id(CANARY);
    let line = |text: &str| message(b'd', text.as_bytes());
    let done = || message(b'c', b"");
    let extended = |results| {
        vec![
            [
                parse(
                    "s",
                    "SELECT id, user_id, total FROM orders WHERE user_id = $1",
                ),
                describe("Ss"),
                bind("", "s", 0, &[ann.as_bytes()], results),
                describe("P"),
                execute("", 0),
                sync(),
            ]
            .concat(),
            [
                bind("p", "s", 1, &[&ann_bytes], results),
                execute("p", 1),
                message(b'H', b""),
                execute("p", 0),
                message(b'C', b"Ss\0"),
                sync(),
            ]
            .concat(),
        ]
    };
    let tuple = [
        &b"\0\x02\0\0\0\x10"[..],
        &world::id(CANARY + 50).1,
        b"\0\0\0\x01x",
    ]
    .concat();
    let binary = [
        &b"PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0"[..],
        &tuple,
        b"\xff\xff",
    ]
    .concat();
    vec![
        (
            "simple",
            vec![
                query("SELECT id, email FROM users"),
                query(""),
                query("SELECT 1; SELECT max(id) FROM orders"),
                query(&format!(
                    "UPDATE users SET email = 'x' WHERE id = '{ann}' RETURNING *"
                )),
                query("SELEC"),
            ],
        ),
        ("extended_text", extended(0)),
        ("extended_binary", extended(1)),
        (
            "pipeline",
            vec![
                [
                    parse("", "SELECT id FROM users"),
                    bind("", "", 0, &[], 1),
                    execute("", 0),
                    sync(),
                    parse("", "SELECT nothing"),
                    bind("", "", 0, &[], 0),
                    execute("", 0),
                    sync(),
                    query("SELECT email FROM users"),
                ]
                .concat(),
            ],
        ),
        (
            "refused",
            vec![
                query("SELECT md5(id::text) FROM users; SELECT 1"),
                [parse("", "SELECT id + 1 FROM users"), describe("S"), sync()].concat(),
                message(b'F', b"\0\0\0\x01\0\0\0\0\0\0"),
            ],
        ),
        (
            "copy_out",
            vec![
                query("COPY users TO STDOUT"),
                query("COPY orders TO STDOUT (FORMAT csv, HEADER)"),
                query("COPY orders TO STDOUT (FORMAT binary)"),
            ],
        ),
        (
            "copy_in",
            vec![
                query("COPY orders (user_id, total) FROM STDIN"),
                [line(&format!("{ann}\t1\n{ann}\t")), line("2\n"), done()].concat(),
                query("COPY orders (user_id, total) FROM STDIN (FORMAT csv)"),
                [line(&format!("\"{ann}\",1\n")), done()].concat(),
                query("COPY orders (user_id, total) FROM STDIN"),
                [line("7\t1\n"), done()].concat(),
                query("COPY orders (user_id, total) FROM STDIN"),
                message(b'f', b"enough\0"),
            ],
        ),
        (
            "copy_in_binary",
            vec![
                query("COPY users (id, email) FROM STDIN (FORMAT binary)"),
                [message(b'd', &binary), done()].concat(),
            ],
        ),
        (
            "names",
            vec![
                query("PREPARE q AS SELECT id FROM users; EXECUTE q; BEGIN"),
                query("DECLARE c CURSOR FOR SELECT * FROM orders"),
                query("FETCH 2 FROM c; MOVE c"),
                [
                    parse("", "FETCH ALL FROM c"),
                    bind("", "", 0, &[], 0),
                    execute("", 0),
                    sync(),
                ]
                .concat(),
                query("CLOSE c"),
                query("COMMIT; DEALLOCATE q; DISCARD ALL"),
            ],
        ),
        (
            "tags",
            vec![
                query("SELECT 'user ' || id FROM users"),
                query("SELECT row_to_json(o) FROM orders o"),
                query(
                    "SELECT json_agg(id) FROM users; SELECT string_agg(id::text, ',') FROM users",
                ),
                [
                    parse("", "SELECT jsonb_build_object('id', id) FROM users"),
                    bind("", "", 0, &[], 1),
                    execute("", 0),
                    sync(),
                ]
                .concat(),
            ],
        ),
        (
            "arrays",
            vec![
                query("SELECT array_agg(id), ARRAY[id, NULL] FROM users GROUP BY id"),
                [
                    parse("", "SELECT id FROM users WHERE id = ANY($1)"),
                    bind("", "", 0, &[format!("{{{ann},NULL}}").as_bytes()], 1),
                    execute("", 0),
                    sync(),
                ]
                .concat(),
            ],
        ),
        (
            "errors",
            vec![
                query(&format!(
                    "INSERT INTO users (id, email) VALUES ('{ann}', 'y')"
                )),
                query("INSERT INTO users (email) VALUES ('bob')"),
                query("DELETE FROM users"),
                query(
                    "INSERT INTO orders (user_id) VALUES ('00000000-0000-0000-0000-000000000000')",
                ),
                query("SELECT * FROM users WHERE id = 'no id'"),
            ],
        ),
        (
            "schema",
            vec![
                query("CREATE TEMP TABLE t (id bigint)"),
                query("SELECT * FROM t"),
                query("ALTER TABLE users ADD note text"),
                query("SELECT * FROM users"),
                query("SET search_path = pg_temp"),
                query("SELECT id FROM public.users"),
                query("ROLLBACK"),
            ],
        ),
        (
            "watching",
            vec![
                query("LISTEN shop; NOTIFY shop, 'open'"),
                query("DO $$BEGIN RAISE NOTICE 'note 1'; END$$"),
                query(&format!("EXPLAIN SELECT * FROM users WHERE id = '{ann}'")),
                query("SET client_encoding = 'LATIN1'"),
                query("SELECT email FROM users"),
                message(b'X', b""),
            ],
        ),
        (
            "transaction",
            vec![
                query("BEGIN"),
                query("SELECT 1/0"),
                query("SELECT id FROM users"),
                query("ROLLBACK"),
                query("BEGIN; SELECT id FROM users FOR UPDATE; COMMIT"),
            ],
        ),
    ]
}
