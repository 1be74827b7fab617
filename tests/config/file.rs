//! The configuration file as an operator meets it: what it accepts, and the words of every fault.
#![expect(clippy::expect_used, reason = "a test that panics has failed")]

use std::collections::HashMap;
use std::path::Path;

use pgveil::config::{
    CatalogShows, Config, Environment, Fault, Files, IntegerType, Listen, LogFormat, Mode,
    TargetSession, ValueType,
};

const EXAMPLE: &str = include_str!("../../config/example.toml");
const KEY: &str = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";
const OLDER: &str = "AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyA=";
const INT8: ValueType = ValueType::Integer(IntegerType::Int8);
pub(super) const UPSTREAM: &str = "[upstream]\naddress = \"127.0.0.1:5432\"\n";

fn parse_in(folder: &Path, text: &str) -> Result<Config, Vec<Fault>> {
    let env = HashMap::from([("PGVEIL_KEY_2026_11", KEY), ("PGVEIL_KEY_2025_06", OLDER)]);
    let env = |name: &str| env.get(name).map(|value| (*value).to_owned());
    Config::parse(text, &Environment { folder, env: &env })
}

pub(super) fn parse(text: &str) -> Result<Config, Vec<Fault>> {
    parse_in(Path::new("."), text)
}

/// The faults as `line: cause | advice`.
pub(super) fn faults(text: &str) -> Vec<String> {
    let show = |fault: Fault| format!("{}: {} | {}", fault.line, fault.cause, fault.advice);
    let faults = parse(text).expect_err("a fault");
    faults.into_iter().map(show).collect()
}

#[test]
fn reads_the_example() {
    let config = parse(EXAMPLE).expect("the example is sound");
    assert_eq!(config.listen, [Listen::parse("127.0.0.1:6432", 0).unwrap()]);
    assert_eq!(config.upstream.to_string(), "127.0.0.1:5432");
    assert_eq!(config.max_connections, 1000);
    assert_eq!(config.policy.mode, Mode::Enforce);
    assert_eq!(config.policy.bypass_roles, ["migrator"]);
    assert_eq!(config.policy.catalog, CatalogShows::Ids);
    assert_eq!(config.log.format, LogFormat::Json);
    let annotations = config.annotations();
    assert_eq!(annotations.len(), 12);
    let types = |name: &str| {
        let found = annotations
            .iter()
            .find(|annotation| annotation.name == name);
        found.expect(name).types
    };
    for (name, column, shown) in [
        ("order", INT8, ValueType::Uuid),
        ("invoice", INT8, ValueType::Text),
        ("ticket", INT8, INT8),
        ("payment", INT8, INT8),
        ("event", ValueType::Uuid, ValueType::Uuid),
        ("trace", ValueType::Uuid, ValueType::Uuid),
        ("device", ValueType::Uuid, ValueType::Text),
        ("batch", ValueType::Uuid, ValueType::Uuid),
        ("document", ValueType::Text, ValueType::Text),
        ("token", ValueType::Bytes, ValueType::Text),
        ("session", ValueType::Text, ValueType::Text),
    ] {
        assert_eq!(types(name).shown(column), Some(shown), "{name}");
    }
    assert_eq!(annotations[0].name, "user");
    assert_eq!(annotations[0].column.to_string(), "public.users.id");
    assert_eq!(
        annotations[0].references[0].to_string(),
        "public.audit_log.actor_id"
    );
}

#[test]
fn an_upstream_is_enough() {
    let config = parse(UPSTREAM).expect("a relay without ids");
    assert!(config.domains.is_empty());
    assert_eq!(config.listen[0].to_string(), "127.0.0.1:6432");
}

#[test]
fn several_hosts_are_named_once_each_and_not_beside_a_single_one() {
    let several = "[upstream]\naddresses = [\"a:1\", \"[::1]:2\", \"unix:/run\"]\n\
                   target_session_attrs = \"prefer-standby\"\n";
    let config = parse(several).expect("sound");
    assert_eq!(config.upstream.to_string(), "a:1, [::1]:2, unix:/run:5432");
    assert_eq!(config.upstream.target, TargetSession::PreferStandby);
    for (text, fault) in [
        (
            "address = \"a:1\"\naddresses = [\"b:1\"]",
            "3: `upstream.address` and",
        ),
        ("addresses = []", "2: `upstream.addresses` is empty"),
        ("addresses = [\"a:1\",\n\"a:1\"]", "3: `a:1` is named twice"),
        ("addresses = [\"a:1\",\n\"a\"]", "3: `a` is no address"),
        (
            "address = \"a:1\"\ntarget_session_attrs = \"master\"",
            "3: `upstream.target_session_attrs` can't be \"master\"",
        ),
        (
            "addresses = [\"a:1\", \"unix:/run\"]\ntls = { mode = \"require\" }",
            "3: a Unix socket has no TLS",
        ),
    ] {
        let found = faults(&format!("[upstream]\n{text}\n"));
        assert!(
            matches!(&found[..], [one] if one.starts_with(fault)),
            "{found:?}"
        );
    }
}

#[test]
fn names_all_faults_at_once_with_their_lines() {
    let text = "[server]\nlisten = [\"nowhere\"]\nmax_conections = 3\n[upstream]\n\
                address = 5432\n[policy]\nmode = \"strict\"\ncatalog = \"lies\"\n[limts]\n";
    assert_eq!(
        faults(text),
        [
            "2: `nowhere` is no address | write \"host:port\" or \"unix:/folder\"",
            "3: unknown key `max_conections` in [server] | did you mean `max_connections`?",
            "4: it does not say where Postgres is | add [upstream] with address = \"127.0.0.1:5432\"",
            "5: `upstream.address` is a whole number | write a string",
            "7: `policy.mode` can't be \"strict\" | write \"enforce\" or \"audit\" or \"observe\"",
            "8: `policy.catalog` can't be \"lies\" | write \"ids\" or \"truth\"",
            "9: unknown key `limts` at the top of the file | did you mean `limits`?",
        ]
    );
}

#[test]
fn a_name_that_postgres_would_cut_is_a_fault_wherever_it_stands() {
    let long = "x".repeat(64);
    let places = [
        format!("[policy]\nbypass_roles = [\"ann\", \"{long}\"]"),
        format!("[[id]]\nname = \"a\"\ncolumn = \"public.t.{long}\""),
        format!("[[id]]\nname = \"a\"\ncolumn = \"{long}.t.id\""),
        format!(
            "[[id]]\nname = \"a\"\ncolumn = \"public.t.id\"\nreferences = [\"public.{long}.b\"]"
        ),
        format!("[[function]]\nname = \"public.{long}\"\nresult = \"-\""),
    ];
    for place in places {
        let found = faults(&format!("{UPSTREAM}{place}\n")).join("\n");
        assert!(
            found.contains("is longer than names are in Postgres"),
            "{place}: {found}"
        );
        let short = place.replace(&long, &"x".repeat(63));
        let found = parse(&format!("{UPSTREAM}{short}\n")).err();
        let shown = format!("{found:?}");
        assert!(!shown.contains("is longer than names"), "{shown}");
    }
}

#[test]
fn names_the_known_keys_where_none_is_near() {
    let text = format!("{UPSTREAM}[log]\nzzz = 1\n");
    assert_eq!(
        faults(&text),
        ["4: unknown key `zzz` in [log] | known keys in [log]: format, level"]
    );
}

#[test]
fn says_where_the_syntax_ends() {
    let faults = faults("[upstream]\naddress = \n");
    assert!(faults[0].starts_with("2: "), "{faults:?}");
    assert!(faults[0].ends_with("correct the TOML syntax"), "{faults:?}");
}

#[test]
fn says_where_metrics_are() {
    let text = format!("{UPSTREAM}[metrics]\nlisten = \"127.0.0.1:9090\"\n");
    assert!(faults(&text)[0].starts_with("3: there is no [metrics]: they are a part of [admin]"));
}

#[test]
fn tls_that_is_switched_off_is_no_fault() {
    let text =
        format!("{UPSTREAM}tls = {{ mode = \"disable\" }}\n[server.tls]\nmode = \"disable\"\n");
    parse(&text).expect("sound");
}

#[test]
fn keys_come_from_the_environment_a_file_or_a_command() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("key"), format!("{KEY}\n")).unwrap();
    for source in [
        "env = \"PGVEIL_KEY_2026_11\"".to_owned(),
        "file = \"key\"".to_owned(),
        "command = [\"cat\", \"key\"]".to_owned(),
    ] {
        let text = format!(
            "{UPSTREAM}[keys]\ncurrent = \"a\"\n[keys.ring.a]\n{source}\n\
             [[id]]\nname = \"user\"\ncolumn = \"public.users.id\"\n"
        );
        let config = parse_in(folder.path(), &text).expect(&source);
        assert_eq!(config.domains.len(), 1);
    }
}

#[test]
fn a_faulty_key_is_named_but_not_shown() {
    let keys =
        |source: &str| format!("{UPSTREAM}[keys]\ncurrent = \"a\"\n[keys.ring.a]\n{source}\n");
    let text = keys("env = \"UNSET\"");
    assert_eq!(
        faults(&text),
        ["6: key `a`: the environment variable UNSET is not set | \
          set it to the output of `pgveil keygen`"]
    );
    let text = keys("command = [\"echo\", \"a-secret-of-wrong-length\"]");
    let faulty = faults(&text);
    assert!(faulty[0].starts_with("6: key `a`: "), "{faulty:?}");
    assert!(!faulty[0].contains("a-secret"), "{faulty:?}");
    assert!(faults(&keys("command = [\"false\"]"))[0].contains("exit status: 1"));
    assert!(faults(&keys("file = \"/nowhere/key\""))[0].contains("cannot read /nowhere/key"));
    assert!(faults(&keys(""))[0].starts_with("5: [keys.ring.a] needs exactly one source"));
}

#[test]
fn a_command_that_gives_no_key_in_time_is_a_fault_and_what_it_says_a_warning() {
    let keys =
        |source: &str| format!("{UPSTREAM}[keys]\ncurrent = \"a\"\n[keys.ring.a]\n{source}\n");
    let hangs = keys("command = [\"sleep\", \"3600\"]\ntimeout_s = 1");
    assert_eq!(
        faults(&hangs),
        [
            "6: key `a`: sleep has not ended within 1 s | the command must print the key and exit; \
             timeout_s gives it more time"
        ]
    );
    let script = format!("echo {KEY}; echo rotate me >&2");
    let talks = keys(&format!("command = [\"sh\", \"-c\", \"{script}\"]"));
    let config = parse(&talks).expect("sound");
    let [said] = config.warnings.as_slice() else {
        panic!("{:?}", config.warnings);
    };
    assert_eq!(said.cause, "key `a`: the command wrote to standard error");
    assert_eq!(said.stderr.as_deref(), Some("rotate me"));
    let shown = Files::of(Path::new("pgveil.toml"));
    let shown = shown.fault(said).to_string();
    assert!(shown.ends_with("\n  > rotate me"), "{shown}");
    let nothing = keys("env = \"PGVEIL_KEY_2026_11\"\ntimeout_s = 1");
    assert_eq!(
        faults(&nothing),
        ["7: key `a`: `timeout_s` is for commands | remove it"]
    );
}

#[test]
fn a_socket_is_for_everyone_unless_the_file_says_otherwise() {
    let text = |mode: &str| format!("[server]\nsocket_mode = \"{mode}\"\n{UPSTREAM}");
    assert_eq!(parse(UPSTREAM).expect("sound").socket_mode, 0o777);
    for (mode, bits) in [("0777", 0o777), ("770", 0o770), ("0", 0)] {
        assert_eq!(parse(&text(mode)).expect("sound").socket_mode, bits);
    }
    for mode in ["rwx", "", "0o777", "1777", "+7", "888"] {
        let faulty = faults(&text(mode));
        assert!(
            faulty[0].contains("`server.socket_mode` can't be"),
            "{faulty:?}"
        );
    }
}

#[test]
fn draining_begins_at_once_and_ends_before_anybody_kills() {
    let limits = parse(UPSTREAM).expect("sound").limits;
    assert!(limits.drain_delay.is_zero());
    assert!(limits.drain_timeout.as_secs() <= 20);
    let text = |delay: &str| format!("{UPSTREAM}[limits]\ndrain_delay_s = {delay}\n");
    let limits = parse(&text("5")).expect("sound").limits;
    assert_eq!(limits.drain_delay.as_secs(), 5);
    assert!(parse(&text("0")).is_ok() && parse(&text("-1")).is_err());
}

#[test]
fn a_key_is_in_the_ring_once() {
    let upper = KEY.to_uppercase();
    let text = format!(
        "{UPSTREAM}[keys]\ncurrent = \"a\"\n[keys.ring.a]\nenv = \"PGVEIL_KEY_2026_11\"\n\
         [keys.ring.b]\ncommand = [\"echo\", \"{upper}\"]\n"
    );
    assert_eq!(
        faults(&text),
        [
            "7: the keys `a` and `b` are the same | a rotation needs a new key: `pgveil keygen` \
          makes one; or remove one of the two"
        ]
    );
}

#[test]
fn a_key_file_that_others_can_read_is_worth_a_warning() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("key");
    std::fs::write(&file, KEY).unwrap();
    let text = format!("{UPSTREAM}[keys]\ncurrent = \"a\"\n[keys.ring.a]\nfile = \"key\"\n");
    for (mode, warned) in [(0o600, false), (0o400, false), (0o640, true), (0o604, true)] {
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(mode)).unwrap();
        let warnings = parse_in(folder.path(), &text).expect("sound").warnings;
        assert_eq!(warnings.len(), usize::from(warned), "{mode:o}");
        for Fault {
            line,
            cause,
            advice,
            ..
        } in warnings
        {
            assert_eq!(line, 6);
            assert!(
                cause.ends_with("key is open to the group or to others"),
                "{cause}"
            );
            assert!(advice.starts_with("chmod 600 "), "{advice}");
        }
    }
}

/// Each setting that names a file with a secret in it.
#[test]
fn a_file_with_a_secret_that_others_can_read_is_worth_a_warning() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let signed = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    std::fs::write(at("cert"), signed.cert.pem()).unwrap();
    let tls_key = signed.signing_key.serialize_pem();
    let certificate = "cert = \"cert\"\nkey = \"secret\"\n";
    let query = "mode = \"verifier\"\n[auth.query]\nstatement = \"SELECT $1\"\nuser = \"u\"\n";
    let ring = "current = \"a\"\n[keys.ring.a]\n";
    let cases = [
        (KEY, format!("[keys]\n{ring}file = \"secret\"\n")),
        (&*tls_key, format!("[server.tls]\n{certificate}")),
        (
            &*tls_key,
            format!("[upstream.tls]\nmode = \"require\"\n{certificate}"),
        ),
        (
            "",
            "[auth]\nmode = \"verifier\"\nfile = \"secret\"\n".to_owned(),
        ),
        ("password", format!("[auth]\n{query}file = \"secret\"\n")),
        (
            "0123456789abcdef0123456789abcdef",
            "[admin]\nlisten = \"127.0.0.1:9\"\ntoken_file = \"secret\"\n".to_owned(),
        ),
    ];
    for (secret, table) in cases {
        std::fs::write(at("secret"), secret).unwrap();
        for (mode, warned) in [(0o600, false), (0o640, true), (0o644, true)] {
            let mode = std::fs::Permissions::from_mode(mode);
            std::fs::set_permissions(at("secret"), mode.clone()).unwrap();
            let config = parse_in(folder.path(), &format!("{UPSTREAM}{table}"));
            let warnings = config
                .unwrap_or_else(|faults| panic!("{table}: {faults:?}"))
                .warnings;
            let open = warnings
                .iter()
                .filter(|of| of.cause.contains("open to the group or to others"));
            assert_eq!(
                open.count(),
                usize::from(warned),
                "{table} {mode:?}: {warnings:?}"
            );
        }
    }
}

#[test]
fn the_current_key_must_be_in_the_ring() {
    let text =
        format!("{UPSTREAM}[keys]\ncurrent = \"b\"\n[keys.ring.a]\nenv = \"PGVEIL_KEY_2026_11\"\n");
    assert_eq!(
        faults(&text),
        ["4: the current key `b` is not in the ring | \
          add [keys.ring.b] with env, file or command; `pgveil keygen` makes a key"]
    );
}

#[test]
fn ids_need_a_key_a_name_and_a_column_of_their_own() {
    let text = format!("{UPSTREAM}[[id]]\nname = \"a\"\ncolumn = \"public.a.id\"\n");
    assert!(faults(&text)[0].starts_with("3: there is no key to encode ids with"));

    let twice = EXAMPLE.replace("name = \"order\"", "name = \"user\"");
    let twice = twice.replace("public.orders.id", "public.audit_log.actor_id");
    let causes: Vec<String> = parse(&twice)
        .unwrap_err()
        .into_iter()
        .map(|f| f.cause)
        .collect();
    assert_eq!(
        causes,
        [
            "there are two id domains `user`",
            "public.audit_log.actor_id is in id domain `user` already",
        ]
    );

    let text = EXAMPLE.replace("public.orders.id", "orders.id");
    assert!(faults(&text)[0].contains("`orders.id` is no column"));
    let text = EXAMPLE.replace("name = \"order\"", "name = \"an order\"");
    assert!(faults(&text)[0].contains("`an order` can't name an id domain"));
}

#[test]
fn a_quoted_part_of_a_column_may_hold_a_dot() {
    let text = EXAMPLE.replace("\"public.orders.id\"", "'\"my.schema\".orders.id'");
    let config = parse(&text).expect("sound");
    assert_eq!(
        config.domains[1].annotation.column.words().schema,
        "my.schema"
    );
}

#[test]
fn a_snapshot_of_the_database_may_be_looked_at_before_every_batch() {
    let text = |age: &str| {
        format!("[upstream]\naddress = \"127.0.0.1:5432\"\n[limits]\ncatalog_max_age_s = {age}\n")
    };
    let around = Environment {
        folder: Path::new(""),
        env: &|_| None,
    };
    let config = Config::parse(&text("0"), &around).unwrap();
    assert!(config.limits.catalog_max_age.is_zero());
    assert!(Config::parse(&text("-1"), &around).is_err());
}
