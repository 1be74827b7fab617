//! The console: by psql, by psycopg, by tokio-postgres, and by those who send what they should not.

use std::fs;
use std::io::{Read as _, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::{Duration, Instant};

use pgveil::postgres::{Options, Postgres};
use tokio_postgres::error::SqlState;
use tokio_postgres::{Client, NoTls};

use super::http::get;
use super::{PATIENCE, Serve, ask, free_port};

/// A proxy with a console, and an endpoint to compare with.
async fn served(upstream: u16) -> (Serve, u16) {
    let listen = free_port();
    let admin =
        format!("[admin]\nlisten = \"127.0.0.1:{listen}\"\nconsole = \"unix:FOLDER:6433\"\n");
    (Serve::start_with(upstream, &admin).await, listen)
}

fn socket(serve: &Serve) -> PathBuf {
    serve.path(".s.PGSQL.6433")
}

async fn console(serve: &Serve) -> Client {
    let mut config = tokio_postgres::Config::new();
    config.host_path(serve.folder.path()).port(6433);
    config.user("anybody").dbname("pgveil");
    let (client, connection) = config.connect(NoTls).await.unwrap();
    tokio::spawn(connection);
    client
}

/// What psql prints, as a program that is given no file of the user.
fn psql(serve: &Serve, arguments: &[&str]) -> Output {
    let output = Command::new("psql")
        .args(["-X", "-p", "6433", "-U", "pgveil", "-d", "pgveil", "-h"])
        .arg(serve.folder.path())
        .args(arguments)
        .output();
    output.unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

#[tokio::test]
async fn psql_reads_it_as_any_database() {
    let (serve, _) = served(1).await;
    let table = text(&psql(&serve, &["-c", "SHOW KEYS"]).stdout);
    assert_eq!(
        table,
        " name |  state  | decoded \n------+---------+---------\n old  | current |       0\n(1 row)\n\n"
    );
    let expanded = text(&psql(&serve, &["-x", "-c", "show domains;"]).stdout);
    for line in ["name    | user", "column  | public.users.id", "encoded | 0"] {
        assert!(expanded.lines().any(|other| other == line), "{expanded}");
    }
    let csv = text(&psql(&serve, &["--csv", "-c", "SHOW CONFIG"]).stdout);
    assert!(csv.starts_with("table,name,value,origin\n"), "{csv}");
    assert!(
        csv.contains("[policy],mode,\"\"\"enforce\"\"\",default\n"),
        "{csv}"
    );
    let several = psql(&serve, &["-At", "-c", "show version; show sessions"]);
    assert_eq!(
        text(&several.stdout),
        concat!("pgveil ", env!("CARGO_PKG_VERSION"), "\n")
    );
    let help = text(&psql(&serve, &["-At", "-c", "SHOW HELP"]).stdout);
    assert!(help.contains("KILL number|"), "{help}");

    // Errors are Postgres's.
    let wrong = psql(&serve, &["-v", "VERBOSITY=verbose", "-c", "SHOW tables"]);
    assert_eq!(
        text(&wrong.stderr),
        "ERROR:  42601: syntax error at or near \"tables\"\nLINE 1: SHOW tables\n             ^\n\
         HINT:  SHOW HELP lists the commands.\n"
    );
    assert!(!wrong.status.success());
    let missing = text(&psql(&serve, &["-v", "VERBOSITY=verbose", "-c", "KILL 7"]).stderr);
    assert!(
        missing.starts_with("ERROR:  42704: session 7 does not exist\n"),
        "{missing}"
    );
    // `\d` and its kin ask the catalogs, which there are none of.
    assert!(text(&psql(&serve, &["-c", "\\d"]).stderr).contains("SHOW HELP"));
}

#[tokio::test]
async fn it_shows_what_the_endpoint_shows_in_both_protocols_and_formats() {
    let postgres = Postgres::start(&Options::from_env()).unwrap();
    let inside = super::connect(&postgres.url("postgres")).await;
    let table = "CREATE TABLE users (id bigint PRIMARY KEY, name text)";
    inside.batch_execute(table).await.unwrap();
    let (serve, listen) = served(postgres.port()).await;
    let client = serve.session().await;
    ask(&client, "SELECT 1").await;
    let refused = "SELECT md5(id::text) FROM users WHERE name = 'secret'";
    client.batch_execute(refused).await.unwrap_err();
    let console = console(&serve).await;
    let number = |row: &tokio_postgres::Row, name: &str| row.get::<_, i64>(name);
    // What it does is written when it has sent its answer.
    while !get(listen, "/v1/sessions").body.contains("\"idle\"") {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    // Prepared, described, bound, and in binary.
    let rows = console.query("SHOW SESSIONS", &[]).await.unwrap();
    let told: serde_json::Value = serde_json::from_str(&get(listen, "/v1/sessions").body).unwrap();
    assert_eq!(rows.len(), 1);
    let row = &told["sessions"][0];
    assert_eq!(
        number(&rows[0], "session"),
        row["session"].as_i64().unwrap()
    );
    assert_eq!(
        number(&rows[0], "statements"),
        row["statements"].as_i64().unwrap()
    );
    let fields = row.as_object().unwrap().keys().map(String::as_str);
    let mut columns: Vec<&str> = rows[0].columns().iter().map(|of| of.name()).collect();
    columns.sort_unstable();
    assert_eq!(columns, fields.collect::<Vec<_>>());
    for name in ["role", "database", "peer", "mode", "host", "since", "state"] {
        assert_eq!(
            rows[0].get::<_, &str>(name),
            row[name].as_str().unwrap(),
            "{name}"
        );
    }
    for (list, page, inside) in [
        ("DOMAINS", "/v1/domains", "domains"),
        ("KEYS", "/v1/keys", "keys"),
        ("CONFIG", "/v1/config", "settings"),
    ] {
        let rows = console.query(&format!("show {list}"), &[]).await.unwrap();
        let told: serde_json::Value = serde_json::from_str(&get(listen, page).body).unwrap();
        let told = told[inside].as_array().unwrap();
        assert_eq!(rows.len(), told.len());
        for (row, told) in rows.iter().zip(told) {
            assert_eq!(row.get::<_, &str>("name"), told["name"].as_str().unwrap());
            assert_eq!(
                row.columns().len(),
                told.as_object().unwrap().len(),
                "{list}"
            );
        }
    }
    let statements = console.query("SHOW STATEMENTS", &[]).await.unwrap();
    let field = |name: &str| statements[0].get::<_, &str>(name);
    let shape = "SELECT md5(id::text) FROM users WHERE name = ?";
    assert_eq!((field("verdict"), field("code")), ("refused", "expression"));
    assert_eq!(
        (field("shape"), number(&statements[0], "calls")),
        (shape, 1)
    );
    let version = ask(&console, "SHOW VERSION").await.unwrap();
    assert!(version.starts_with("pgveil "));
}

#[tokio::test]
async fn what_it_does_is_what_the_endpoint_does() {
    let postgres = Postgres::start(&Options::from_env()).unwrap();
    let (serve, _) = served(postgres.port()).await;
    let (client, console) = (serve.session().await, console(&serve).await);
    let rows = console.query("SHOW SESSIONS", &[]).await.unwrap();
    let session: i64 = rows[0].get("session");
    console
        .batch_execute(&format!("KILL {session}"))
        .await
        .unwrap();
    let started = Instant::now();
    while !client.is_closed() {
        assert!(started.elapsed() < PATIENCE);
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    assert!(
        console
            .query("SHOW SESSIONS", &[])
            .await
            .unwrap()
            .is_empty()
    );
    console.batch_execute("RELOAD").await.unwrap();
    serve.logs("told by the console to reload").await;
    let sound = fs::read_to_string(serve.path("pgveil.toml")).unwrap();
    fs::write(serve.path("pgveil.toml"), "[upstream]\n").unwrap();
    let refused = console.batch_execute("reload").await.unwrap_err();
    assert_eq!(refused.code(), Some(&SqlState::CONFIG_FILE_ERROR));
    fs::write(serve.path("pgveil.toml"), sound).unwrap();
    console.batch_execute("RECYCLE").await.unwrap();
    // Of a transaction there is nothing but its state, as drivers want it.
    console.batch_execute("BEGIN").await.unwrap();
    console.query("SHOW KEYS", &[]).await.unwrap();
    console.batch_execute("COMMIT").await.unwrap();
    let error = console.query("SELECT $1", &[&1_i64]).await.unwrap_err();
    assert_eq!(error.code(), Some(&SqlState::SYNTAX_ERROR));
    assert_eq!(console.query("SHOW KEYS", &[]).await.unwrap().len(), 1);
    console.batch_execute("DRAIN").await.unwrap();
    serve.logs("told by the console to drain").await;
}

#[tokio::test]
async fn psycopg_reads_it_without_being_told_anything() {
    let python = Path::new(env!("CARGO_MANIFEST_DIR")).join(".venv/bin/python");
    if !python.exists() {
        eprintln!("skipped: there is no .venv with psycopg");
        return;
    }
    let (serve, _) = served(1).await;
    let program = "
import sys, psycopg
with psycopg.connect(host=sys.argv[1], port=6433, user='x', dbname='pgveil') as c:
    print(c.execute('SHOW KEYS').fetchall())
    with c.cursor(binary=True) as k:
        k.execute('SHOW DOMAINS', prepare=True)
        print(k.fetchone()[:3], [d.name for d in k.description][:2])
    try:
        c.execute('SELECT 1')
    except psycopg.errors.SyntaxError as e:
        print(e.sqlstate, e.diag.message_hint)
";
    let output = Command::new(python)
        .args(["-c", program])
        .arg(serve.folder.path())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_eq!(
        text(&output.stdout),
        "[('old', 'current', 0)]\n('user', 'public.users.id', 0) ['name', 'column']\n\
         42601 SHOW HELP lists the commands.\n"
    );
}

fn startup() -> Vec<u8> {
    let body = b"\0\x03\0\0user\0x\0\0";
    let length = u32::try_from(body.len() + 4).unwrap();
    [&length.to_be_bytes()[..], body].concat()
}

/// What comes back until the console closes, or until it has said this.
fn hears(stream: &mut UnixStream, until: &[u8]) -> Vec<u8> {
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    let mut heard = Vec::new();
    let mut bytes = [0; 4096];
    while !heard.ends_with(until) || until.is_empty() {
        let read = match stream.read(&mut bytes) {
            Err(error) if error.kind() == std::io::ErrorKind::ConnectionReset => 0,
            // After so long it neither answers nor closes.
            read => read.unwrap(),
        };
        if read == 0 {
            break;
        }
        heard.extend_from_slice(&bytes[..read]);
    }
    heard
}

#[tokio::test]
async fn hostile_bytes_end_their_own_session_and_nothing_else() {
    const READY: &[u8] = b"Z\0\0\0\x05I";
    let (serve, listen) = served(1).await;
    let mode = fs::metadata(socket(&serve)).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let begin = || {
        let mut stream = UnixStream::connect(socket(&serve)).unwrap();
        stream.write_all(&startup()).unwrap();
        assert!(hears(&mut stream, READY).ends_with(READY));
        stream
    };
    let huge = [&b"Q\x3f\xff\xff\xf0"[..], &[b'x'; 256 * 1024]].concat();
    for bytes in [
        &b"Q\0\0\0\x03"[..],
        b"Q\0\0\0\0",
        b"Q\xff\xff\xff\xff",
        b"!\0\0\0\x04",
        b"P\0\0\0\x04",
        b"P\0\0\0\x0ax\0y\0\xff\xff",
        b"B\0\0\0\x08\0\0\xff\xff",
        b"B\0\0\0\x0e\0\0\0\0\0\x01\x7f\xff\xff\xff",
        b"D\0\0\0\x04",
        b"d\0\0\0\x04",
        b"p\0\0\0\x04",
    ] {
        let mut stream = begin();
        // It may have closed before it has all of it.
        let _ = stream.write_all(bytes);
        let _ = stream.shutdown(std::net::Shutdown::Write);
        hears(&mut stream, b"");
    }
    // A message that is longer than any that there is, is not waited for either.
    let mut stream = begin();
    let _ = stream.write_all(&huge);
    hears(&mut stream, b"");
    // Bytes that are no startup packet, and silence, are not waited for.
    for bytes in [
        &b"GET / HTTP/1.1\r\n\r\n"[..],
        b"\0\0\0\x08\x04\xd2\x16\x2f",
        b"\0",
    ] {
        let mut stream = UnixStream::connect(socket(&serve)).unwrap();
        stream.write_all(bytes).unwrap();
        hears(&mut stream, b"");
    }
    // Names without an end are few.
    let mut stream = begin();
    let mut heard = Vec::new();
    for number in 0..1100 {
        let body = format!("s{number}\0SHOW KEYS\0\0\0");
        let length = u32::try_from(body.len() + 4).unwrap();
        let parse = [
            b"P",
            &length.to_be_bytes()[..],
            body.as_bytes(),
            b"S\0\0\0\x04",
        ]
        .concat();
        stream.write_all(&parse).unwrap();
        heard.extend(hears(&mut stream, READY));
    }
    assert!(String::from_utf8_lossy(&heard).contains("too many prepared statements"));
    // The oldest give way to those who come, and the proxy has noticed nothing.
    let many: Vec<UnixStream> = (0..40).map(|_| begin()).collect();
    hears(&mut stream, b"");
    drop(many);
    assert_eq!(get(listen, "/livez").status, 200);
    assert_eq!(
        psql(&serve, &["-At", "-c", "SHOW KEYS"]).stdout,
        b"old|current|0\n"
    );
}
