//! The keywords of libpq and their variables, each in every form in which it can be said: the commands
//! follow it or refuse it, and pass over none.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;

use crate::commands::{config, config_at, run};
use crate::stand::{SCRAM, stand};

type Pairs = Vec<(String, String)>;

/// A keyword, its variable, a value with which the command works, and one with which it can't.
type Case = (&'static str, &'static str, String, String);

/// Where the server is, and who asks.
fn base() -> Pairs {
    let port = stand().postgres.port().to_string();
    let pairs = [
        ("host", "127.0.0.1"),
        ("port", &*port),
        ("user", "over tls"),
        ("dbname", "postgres"),
        ("sslmode", "require"),
    ];
    pairs
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .to_vec()
}

fn plain(pairs: &Pairs) -> String {
    let quoted = |text: &str| text.replace('\\', "\\\\").replace('\'', "\\'");
    let pairs = pairs
        .iter()
        .map(|(name, value)| format!("{name} = '{}'", quoted(value)));
    pairs.collect::<Vec<_>>().join(" ")
}

/// With every character of it escaped, of names too.
fn url(pairs: &Pairs) -> String {
    let escaped =
        |text: &str| -> String { text.bytes().map(|byte| format!("%{byte:02x}")).collect() };
    let pairs = pairs
        .iter()
        .map(|(name, value)| format!("{}={}", escaped(name), escaped(value)));
    format!("postgres://?{}", pairs.collect::<Vec<_>>().join("&"))
}

fn explain(file: &str) -> Vec<String> {
    ["explain", "-c", file, "select 1"]
        .map(str::to_owned)
        .to_vec()
}

/// Says it in every form in which it can be said; gives what the command says to each.
async fn said(
    file: &str,
    keyword: &str,
    variable: &str,
    value: &str,
    beside: &Pairs,
) -> Vec<(String, Result<String, String>)> {
    let words = explain(file);
    let mut rest = beside.clone();
    rest.retain(|(name, _)| name != keyword);
    let mut whole = rest.clone();
    whole.push((keyword.to_owned(), value.to_owned()));
    let mut all = Vec::new();
    if !keyword.is_empty() {
        for text in [plain(&whole), url(&whole)] {
            all.push((text.clone(), run(&words, Some(&text), &[]).await));
        }
        // A service has no service.
        if !keyword.starts_with("service") {
            let lines: Vec<String> = whole
                .iter()
                .map(|(name, value)| format!("{name}={value}\n"))
                .collect();
            let service = stand().file(&format!("[it]\n{}", lines.concat()));
            let service = [
                ("PGSERVICE", "it"),
                ("PGSERVICEFILE", service.to_str().unwrap()),
            ];
            all.push((
                format!("service {keyword}"),
                run(&words, None, &service).await,
            ));
        }
    }
    if !variable.is_empty() {
        let text = plain(&rest);
        all.push((
            format!("{variable} {text}"),
            run(&words, Some(&text), &[(variable, value)]).await,
        ));
    }
    all
}

/// Those that libpq 18 and earlier ones document, with a value that works and one that does not.
const FOLLOWED: &[[&str; 4]] = &[
    ["host", "PGHOST", "127.0.0.1", "/nowhere"],
    ["host", "PGHOST", "127.0.0.1", "@abstract"],
    ["hostaddr", "PGHOSTADDR", "127.0.0.1", "::ffff"],
    ["hostaddr", "PGHOSTADDR", "127.0.0.1", "localhost"],
    ["hostaddr", "PGHOSTADDR", "127.0.0.1", "127.0.0.1,127.0.0.1"],
    ["port", "PGPORT", "{port}", "1"],
    ["port", "PGPORT", "{port}", "70000"],
    ["port", "PGPORT", "{port}", "5432,5432"],
    ["dbname", "PGDATABASE", "postgres", "nowhere"],
    ["user", "PGUSER", "over tls", "nobody"],
    ["connect_timeout", "PGCONNECT_TIMEOUT", "30", "soon"],
    ["options", "PGOPTIONS", "-c geqo=off", "-c nonsense=on"],
    ["keepalives", "", "1", "x"],
    ["keepalives_idle", "", "60", "x"],
    ["keepalives_interval", "", "60", "x"],
    ["keepalives_count", "", "2", "x"],
    ["tcp_user_timeout", "", "60000", "x"],
    ["sslmode", "PGSSLMODE", "prefer", "disable"],
    ["sslmode", "PGSSLMODE", "allow", "nonsense"],
    ["sslnegotiation", "PGSSLNEGOTIATION", "postgres", "nonsense"],
    ["sslrootcert", "PGSSLROOTCERT", "{ca}", "/nowhere"],
    ["sslcert", "PGSSLCERT", "", "/nowhere"],
    ["sslkey", "PGSSLKEY", "", "/nowhere"],
    ["sslsni", "PGSSLSNI", "0", "x"],
    ["sslcertmode", "PGSSLCERTMODE", "disable", "require"],
    ["channel_binding", "PGCHANNELBINDING", "prefer", "nonsense"],
    ["channel_binding", "PGCHANNELBINDING", "disable", "require"],
    ["load_balance_hosts", "PGLOADBALANCEHOSTS", "random", "x"],
    ["client_encoding", "PGCLIENTENCODING", "UTF8", "LATIN1"],
    ["replication", "", "off", "database"],
    ["gssencmode", "PGGSSENCMODE", "prefer", "require"],
    ["gssdelegation", "PGGSSDELEGATION", "0", "1"],
    ["sslcompression", "PGSSLCOMPRESSION", "0", "1"],
    [
        "ssl_min_protocol_version",
        "PGSSLMINPROTOCOLVERSION",
        "TLSv1.2",
        "TLSv1.3",
    ],
    [
        "ssl_max_protocol_version",
        "PGSSLMAXPROTOCOLVERSION",
        "TLSv1.3",
        "TLSv1.2",
    ],
    ["min_protocol_version", "PGMINPROTOCOLVERSION", "3.0", "3.2"],
    [
        "max_protocol_version",
        "PGMAXPROTOCOLVERSION",
        "latest",
        "2.0",
    ],
    // Settings of the session that have no keyword.
    ["", "PGDATESTYLE", "ISO, DMY", "x"],
    ["", "PGTZ", "Europe/Berlin", "x"],
    ["", "PGGEQO", "off", "x"],
];

/// Those that are refused whatever they say.
const REFUSED: &[[&str; 2]] = &[
    ["requirepeer", "PGREQUIREPEER"],
    ["require_auth", "PGREQUIREAUTH"],
    ["sslcrl", "PGSSLCRL"],
    ["sslcrldir", "PGSSLCRLDIR"],
    ["krbsrvname", "PGKRBSRVNAME"],
    ["gsslib", "PGGSSLIB"],
    ["sslpassword", ""],
    ["sslkeylogfile", ""],
    ["scram_client_key", ""],
    ["scram_server_key", ""],
    ["oauth_issuer", ""],
    ["oauth_client_id", ""],
    ["oauth_client_secret", ""],
    ["oauth_scope", ""],
    ["nonsense", ""],
];

fn cases() -> Vec<Case> {
    let stand = stand();
    let port = stand.postgres.port().to_string();
    let ca = stand.authority.ca().display().to_string();
    let case = |[keyword, variable, good, bad]: [&'static str; 4]| -> Case {
        let good = good.replace("{port}", &port).replace("{ca}", &ca);
        (keyword, variable, good, bad.to_owned())
    };
    let mut cases: Vec<Case> = FOLLOWED.iter().copied().map(case).collect();
    for target in ["read-write", "primary", "prefer-standby", "any"] {
        for bad in ["standby", "read-only", "nonsense"] {
            cases.push(case([
                "target_session_attrs",
                "PGTARGETSESSIONATTRS",
                target,
                bad,
            ]));
        }
    }
    for &[keyword, variable] in REFUSED {
        let good = if keyword == "nonsense" { "unasked" } else { "" };
        cases.push(case([keyword, variable, good, "hush"]));
    }
    cases
}

#[tokio::test]
async fn every_keyword_of_libpq_is_followed_or_refused_in_every_form() {
    let file = config("").display().to_string();
    let mut tasks = tokio::task::JoinSet::new();
    let mut all: Vec<(Case, bool)> = Vec::new();
    for case in cases() {
        all.push((case.clone(), true));
        all.push((case, false));
    }
    let mut faults = Vec::new();
    for chunk in all.chunks(12) {
        for ((keyword, variable, good, bad), works) in chunk.iter().cloned() {
            let file = file.clone();
            tasks.spawn(async move {
                let value = if works { good } else { bad };
                if value == "unasked" {
                    return Vec::new();
                }
                let all = said(&file, keyword, variable, &value, &base()).await;
                let wrong = all.into_iter().filter(|(_, said)| match said {
                    Ok(_) => !works,
                    Err(text) => {
                        works || text.contains("hush") || !is_clear(text, keyword, variable)
                    }
                });
                wrong
                    .map(|wrong| format!("{keyword} {variable} {works}: {wrong:?}"))
                    .collect()
            });
        }
        while let Some(wrong) = tasks.join_next().await {
            let wrong: Vec<String> = wrong.unwrap();
            faults.extend(wrong);
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    // Services by their keywords, of which the string itself says more.
    let folder = stand().authority.folder();
    let text = plain(&base())
        .replace('\'', "")
        .replace(" = ", "=")
        .replace("over tls", "nobody");
    let text = text
        .replace(" port=", "\nport=")
        .replace(" user=", "\nuser=")
        .replace(" dbname=", "\ndbname=");
    let service = stand().file(&format!(
        "[good]\n{}\n[bad]\nservice=good\n",
        text.replace(" sslmode", "\nsslmode")
    ));
    let nowhere = folder.join("nowhere.conf");
    for (name, file_of, user, works) in [
        ("good", &service, "user='over tls'", true),
        ("good", &service, "", false),
        ("bad", &service, "user='over tls'", false),
        ("none", &service, "user='over tls'", false),
        ("good", &nowhere, "user='over tls'", false),
    ] {
        let text = format!("service={name} servicefile='{}' {user}", file_of.display());
        let said = run(&explain(&file), Some(&text), &[]).await;
        assert_eq!(said.is_ok(), works, "{text}: {said:?}");
    }
}

/// Whether a refusal says what it is about.
fn is_clear(text: &str, keyword: &str, variable: &str) -> bool {
    let names = [format!("`{keyword}`"), variable.to_owned()];
    let named = names
        .iter()
        .any(|name| !name.is_empty() && text.contains(name));
    let of_tls = ["TLS with the database", "no keyword", "/nowhere"]
        .iter()
        .any(|of| text.contains(of));
    let by_server = text.contains("the database:");
    (named || of_tls || by_server) && !text.contains("panicked")
}

/// What a server is told at the start, by a command with this connection string and these variables.
async fn told(text: &str, variables: &[(&str, &str)]) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let file = config("").display().to_string();
    let hears = async {
        let (mut client, _) = listener.accept().await.unwrap();
        let mut buffer = vec![0; 4096];
        let length = client.read(&mut buffer).await.unwrap();
        client
            .write_all(b"E\0\0\0\x17SFATAL\0C28000\0Mno\0\0\0")
            .await
            .unwrap();
        String::from_utf8_lossy(&buffer[8..length]).replace('\0', "|")
    };
    let text = format!("user=u {text} host=127.0.0.1 port={port} sslmode=disable");
    let words = explain(&file);
    let (heard, _) = tokio::join!(hears, run(&words, Some(&text), variables));
    heard
}

#[tokio::test]
async fn servers_are_told_what_keywords_and_variables_say() {
    let name = |name| format!("|application_name|{name}|");
    let id = std::process::Command::new("id").arg("-un").output();
    let me = String::from_utf8(id.unwrap().stdout).unwrap();
    let me = me.trim();
    for (text, variables, told_of) in [
        ("", &[][..], name("pgveil")),
        ("application_name=a", &[("PGAPPNAME", "b")][..], name("a")),
        (
            "fallback_application_name=a",
            &[("PGAPPNAME", "b")],
            name("b"),
        ),
        ("fallback_application_name=a", &[], name("a")),
        ("application_name=''", &[("PGAPPNAME", "b")], name("pgveil")),
        (
            "dbname=d",
            &[("PGDATABASE", "e")],
            "|database|d|".to_owned(),
        ),
        ("", &[("PGDATABASE", "e")], "|database|e|".to_owned()),
        ("", &[], "|database|u|".to_owned()),
        // Nobody is named: whom the process runs as.
        ("user=''", &[], format!("|user|{me}|")),
        ("user=''", &[], format!("|database|{me}|")),
        ("user=''", &[("USER", "")], format!("|user|{me}|")),
        ("user=''", &[("USER", "x")], "|user|x|".to_owned()),
        (
            "options='-c a=b'",
            &[("PGOPTIONS", "-c c=d")],
            "|options|-c a=b|".to_owned(),
        ),
        (
            "",
            &[("PGOPTIONS", "-c c=d")],
            "|options|-c c=d|".to_owned(),
        ),
        (
            "options='-c a=b'",
            &[
                ("PGDATESTYLE", "ISO, DMY"),
                ("PGTZ", "UTC"),
                ("PGGEQO", "off"),
            ],
            r"|options|-c DateStyle=ISO,\ DMY -c TimeZone=UTC -c geqo=off -c a=b|".to_owned(),
        ),
    ] {
        let heard = format!("|{}", told(text, variables).await);
        assert!(heard.contains(&told_of), "{text} {variables:?}: {heard}");
    }
}

#[tokio::test]
async fn each_of_several_hosts_has_its_own_password_and_patience() {
    let stand = stand();
    let folder = stand.authority.folder();
    let port = stand.postgres.port();
    let file = config("").display().to_string();
    let words = explain(&file);
    let passwords = folder.join("passwords");
    let own = |text: &str| {
        fs::write(&passwords, text.replace("{port}", &port.to_string())).unwrap();
        fs::set_permissions(&passwords, fs::Permissions::from_mode(0o600)).unwrap();
    };
    let passfile = passwords.display();
    // Nobody listens at the first.
    let several = format!(
        "host=127.0.0.9,127.0.0.1 port=1,{port} user='{SCRAM}' dbname=postgres passfile={passfile}"
    );
    own("127.0.0.9:*:*:*:wrong\n127.0.0.1:{port}:*:*:secret\n");
    let said = run(&words, Some(&several), &[]).await;
    assert!(said.is_ok(), "{said:?}");
    // As in libpq, no other host is asked once one has refused a password.
    own("127.0.0.1:{port}:*:*:wrong\nlocalhost:*:*:*:secret\n");
    let said = run(
        &words,
        Some(&several.replace("127.0.0.9", "localhost")),
        &[],
    )
    .await;
    assert!(said.unwrap_err().contains("password authentication failed"));
    // By its address, where it has no name.
    own("127.0.0.1:*:*:*:secret\n");
    let unnamed = format!("hostaddr=127.0.0.1 port={port} user='{SCRAM}' dbname=postgres");
    let said = run(&words, Some(&format!("{unnamed} passfile={passfile}")), &[]).await;
    assert!(said.is_ok(), "{said:?}");
    let variables = [("PGPASSFILE", passwords.to_str().unwrap())];
    fs::set_permissions(&passwords, fs::Permissions::from_mode(0o644)).unwrap();
    let said = run(&words, Some(&unnamed), &variables).await.unwrap_err();
    assert!(
        said.contains("warning: password file") && said.contains("chmod 600"),
        "{said}"
    );
    // A server that never answers.
    let silent = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let (silent, began) = (silent.local_addr().unwrap().port(), Instant::now());
    let late = format!(
        "user='over tls' dbname=postgres connect_timeout=1 host=127.0.0.1,127.0.0.1 port={silent}"
    );
    let said = run(&words, Some(&format!("{late},{silent}")), &[])
        .await
        .unwrap_err();
    assert!(said.contains("no answer within 1 s"), "{said}");
    let said = run(&words, Some(&format!("{late},{port}")), &[]).await;
    assert!(said.is_ok(), "{said:?}");
    let one = format!("host=127.0.0.1 port={silent} user=u");
    let said = run(&words, Some(&one), &[]).await.unwrap_err();
    assert!(said.contains("no answer within 10 s"), "{said}");
    assert!(began.elapsed() < Duration::from_secs(60));
}

#[tokio::test]
async fn the_hosts_of_the_file_are_asked_for_what_it_wants_of_them() {
    let stand = stand();
    let here = stand.upstream();
    let who = [("PGUSER", "over tls"), ("PGDATABASE", "postgres")];
    let tls = stand.upstream_tls();
    for (target, variable, works) in [
        ("any", "", true),
        ("primary", "", true),
        ("prefer-standby", "", true),
        ("standby", "", false),
        ("standby", "any", true),
        ("any", "standby", false),
    ] {
        let upstream = format!(
            "addresses = [\"127.0.0.1:1\", \"{here}\"]\ntarget_session_attrs = \"{target}\"\n{tls}"
        );
        let file = config_at(&upstream).display().to_string();
        let mut variables = who.to_vec();
        variables.push(("PGTARGETSESSIONATTRS", variable));
        let said = run(&explain(&file), None, &variables).await;
        assert_eq!(said.is_ok(), works, "{target} {variable}: {said:?}");
        if let Err(said) = said {
            assert!(said.contains("it is no standby"), "{said}");
        }
    }
}

#[tokio::test]
async fn what_a_session_is_set_to_makes_it_read_only() {
    let file = config("").display().to_string();
    for (target, works) in [
        ("read-only", true),
        ("read-write", false),
        ("primary", true),
    ] {
        let mut pairs = base();
        pairs.push(("target_session_attrs".to_owned(), target.to_owned()));
        pairs.push((
            "options".to_owned(),
            "-c default_transaction_read_only=on".to_owned(),
        ));
        let said = run(&explain(&file), Some(&plain(&pairs)), &[]).await;
        assert_eq!(said.is_ok(), works, "{target}: {said:?}");
    }
}

#[tokio::test]
async fn no_value_of_a_connection_string_is_printed() {
    let file = config("").display().to_string();
    let port = stand().postgres.port();
    let at = format!("127.0.0.1:{port}/postgres");
    for (text, says) in [
        (
            format!("postgresql+psycopg2://app:hunter2@{at}?connect_timeout=9"),
            "URL of another scheme",
        ),
        (
            format!("postgresql+psycopg2://app:hunter2@{at}"),
            "URL of another scheme",
        ),
        (
            format!("jdbc:postgresql://{at}?password=hunter2"),
            "URL of another scheme",
        ),
        (format!("postgres://app:1?hunter2@{at}"), "without a value"),
        (format!("postgres://app:1?hunter2=1@{at}"), "no keyword"),
        (
            format!("postgres://app:1?hunter2&host=1@{at}"),
            "without a value",
        ),
        (format!("postgres://app:hunter2/1@{at}"), "`port`"),
        (format!("postgres://u@{at}?sslmode=hunter2"), "`sslmode`"),
        (
            format!("postgres://u@{at}?requiressl=hunter2"),
            "`requiressl`",
        ),
        ("host=127.0.0.1 hunter2=1".to_owned(), "no keyword"),
        ("host=127.0.0.1 service=hunter2".to_owned(), "`service`"),
        ("host='hunter2 hunter2' user=u".to_owned(), "the host"),
        ("host=127.0.0.1 port=hunter2".to_owned(), "`port`"),
        ("host=127.0.0.1 hostaddr=hunter2".to_owned(), "`hostaddr`"),
        ("host=127.0.0.1 gsslib=hunter2".to_owned(), "`gsslib`"),
        (
            "host=127.0.0.1 sslrootcert=hunter2".to_owned(),
            "sslrootcert",
        ),
        ("host=127.0.0.1 sslcert=hunter2".to_owned(), "sslcert"),
        (
            "host=127.0.0.1 sslcert=/dev/null sslkey=hunter2".to_owned(),
            "sslkey",
        ),
        ("service=a servicefile=hunter2".to_owned(), "service file"),
    ] {
        let said = run(&explain(&file), Some(&text), &[]).await;
        let said = said.expect_err(&text);
        assert!(!said.contains("hunter2"), "{text}: {said}");
        assert!(said.contains(says), "{text}: {said}");
        assert!(!said.contains("upstream.tls"), "{text}: {said}");
    }
}

#[tokio::test]
async fn where_a_word_must_be_chosen_nothing_is_none() {
    let file = config("").display().to_string();
    for (keyword, variable) in [
        ("sslmode", "PGSSLMODE"),
        ("sslnegotiation", "PGSSLNEGOTIATION"),
        ("channel_binding", "PGCHANNELBINDING"),
        ("target_session_attrs", "PGTARGETSESSIONATTRS"),
        ("load_balance_hosts", "PGLOADBALANCEHOSTS"),
    ] {
        let all = said(&file, keyword, variable, "", &base()).await;
        for (form, said) in all {
            // A variable that is empty is not set.
            match form.starts_with("PG") {
                true => assert!(said.is_ok(), "{form}: {said:?}"),
                false => assert!(
                    said.unwrap_err().contains(&format!("`{keyword}`")),
                    "{form}"
                ),
            }
        }
    }
}
