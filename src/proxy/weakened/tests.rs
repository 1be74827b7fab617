//! Each setting by which a reload may demand or protect less, and those by which none does.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use super::*;
use crate::config::{Environment, SETTINGS};

/// A configuration that demands all that can be demanded.
const STRICT: &str = include_str!("strict.toml");

/// A setting, the text that has it, and one in its place by which less is demanded or protected.
const WEAKER: &[(&str, &str, &str)] = &[
    (
        "server.max_per_address",
        "max_per_address = 5",
        "max_per_address = 6",
    ),
    ("server.max_per_address", "max_per_address = 5", ""),
    (
        "server.failed_logins_per_minute",
        "failed_logins_per_minute = 5",
        "failed_logins_per_minute = 6",
    ),
    (
        "server.failed_logins_per_minute",
        "failed_logins_per_minute = 5",
        "",
    ),
    (
        "server.proxy_protocol.from",
        "\"10.0.0.0/8\"",
        "\"10.0.0.0/8\", \"192.0.2.0/24\"",
    ),
    (
        "server.tls.mode",
        "mode = \"require\"\nclient_ca = \"cert\"\nclient_cert = \"verify-full\"",
        "mode = \"prefer\"\nclient_ca = \"cert\"\nclient_cert = \"optional\"",
    ),
    (
        "server.tls.client_ca",
        "client_ca = \"cert\"\nclient_cert = \"verify-full\"\n",
        "",
    ),
    (
        "server.tls.client_cert",
        "client_cert = \"verify-full\"",
        "client_cert = \"require\"",
    ),
    (
        "server.tls.channel_binding",
        "\"verify-full\"\nchannel_binding = \"require\"",
        "\"verify-full\"",
    ),
    ("upstream.pooler", "pooler = \"transaction\"", ""),
    (
        "upstream.tls.mode",
        "mode = \"verify-full\"",
        "mode = \"verify-ca\"",
    ),
    (
        "upstream.tls.ca",
        "mode = \"verify-full\"\nca = \"cert\"",
        "mode = \"require\"",
    ),
    (
        "upstream.tls.channel_binding",
        "\"cert\"\nchannel_binding = \"require\"",
        "\"cert\"",
    ),
    (
        "auth.mode",
        "channel_binding = \"require\"\n[upstream]\naddress = \"127.0.0.1:5432\"\npooler = \"transaction\"\n[upstream.tls]\nmode = \"verify-full\"\nca = \"cert\"\nchannel_binding = \"require\"\n[auth]\nmode = \"verifier\"\nrequire_scram = true\n[auth.query]\nstatement = \"SELECT $1\"\nuser = \"u\"\nmax_age_s = 5\n",
        "[upstream]\naddress = \"127.0.0.1:5432\"\npooler = \"transaction\"\n[upstream.tls]\nmode = \"verify-full\"\nca = \"cert\"\n",
    ),
    (
        "auth.require_scram",
        "require_scram = true",
        "require_scram = false",
    ),
    (
        "auth.query.max_age_s",
        "user = \"u\"\nmax_age_s = 5",
        "user = \"u\"\nmax_age_s = 60",
    ),
    ("policy.mode", "[policy]", "[policy]\nmode = \"audit\""),
    (
        "policy.bypass_roles",
        "bypass_roles = [\"a\"]",
        "bypass_roles = [\"a\", \"b\"]",
    ),
    (
        "policy.catalog",
        "[policy]",
        "[policy]\ncatalog = \"truth\"",
    ),
    (
        "policy.new_keys",
        "new_keys = \"refuse\"",
        "new_keys = \"warn\"",
    ),
    ("policy.rule.mode", "mode = \"enforce\"", "mode = \"audit\""),
    (
        "policy.rule.roles",
        "[[policy.rule]]",
        "[[policy.rule]]\nroles = [\"s\"]\nmode = \"audit\"\n[[policy.rule]]",
    ),
    (
        "policy.rule.databases",
        "[[policy.rule]]",
        "[[policy.rule]]\ndatabases = [\"e\"]\nmode = \"audit\"\n[[policy.rule]]",
    ),
    (
        "policy.rule.domains",
        "[[policy.rule]]",
        "[[policy.rule]]\ndomains = [\"order\"]\nmode = \"observe\"\n[[policy.rule]]",
    ),
    (
        "limits.catalog_max_age_s",
        "catalog_max_age_s = 5",
        "catalog_max_age_s = 6",
    ),
    (
        "limit.max_connections",
        "databases = [\"d\"]\nmax_connections = 5",
        "databases = [\"d\"]\nmax_connections = 6",
    ),
    (
        "limit.roles",
        "roles = [\"a\"]\ndatabases",
        "roles = [\"c\"]\ndatabases",
    ),
    (
        "limit.databases",
        "databases = [\"d\"]",
        "databases = [\"e\"]",
    ),
    (
        "limit.databases",
        "[[limit]]\nroles = [\"a\"]\ndatabases = [\"d\"]\nmax_connections = 5",
        "",
    ),
    (
        "id.name",
        "[[id]]\nname = \"spare\"\ncolumn = \"public.spare.id\"",
        "",
    ),
    (
        "id.name",
        "name = \"spare\"\ncolumn = \"public.spare.id\"",
        "name = \"other\"\ncolumn = \"public.other.id\"",
    ),
    ("id.column", "\"public.users.id\"", "\"public.people.id\""),
    ("id.column", "\"public.orders.id\"", "\"other.orders.id\""),
    ("id.database", "database = \"d\"", "database = \"e\""),
    ("id.references", "references = [\"public.log.actor\"]", ""),
    (
        "id.references",
        "\"public.log.actor\"",
        "\"public.log.actor_id\"",
    ),
    (
        "id.as_is",
        "as_is = [",
        "as_is = [\"00000000-0000-0000-0000-000000000001\", ",
    ),
    (
        "id.json.column",
        "\"public.docs.body\"",
        "\"public.docs.other\"",
    ),
    (
        "id.json.column",
        "[[id.json]]\ncolumn = \"public.docs.body\"\npath = \"$.user\"",
        "",
    ),
    ("id.json.path", "\"$.user\"", "\"$.user.id\""),
    (
        "channel.name",
        "[[function]]",
        "[[channel]]\nname = \"*\"\nid = \"-\"\n[[function]]",
    ),
    (
        "channel.id",
        "name = \"alone\"\nid = \"order\"",
        "name = \"alone\"\nid = \"-\"",
    ),
    ("channel.path", "\"$.b\"", "\"$.z\""),
    (
        "function.name",
        "[[function]]",
        "[[function]]\nname = \"public.g\"\narguments = []\nresult = \"-\"\n[[function]]",
    ),
    (
        "function.arguments",
        "arguments = [\"order\"]",
        "arguments = [\"-\"]",
    ),
    ("function.result", "result = \"order\"", "result = \"-\""),
    (
        "polymorphic.column",
        "\"public.tags.item_id\"",
        "\"public.tags.other_id\"",
    ),
    ("check.plain", "plain = [", "plain = [\"public.x.z\", "),
    (
        "audit.statements",
        "statements = \"shape\"",
        "statements = \"fingerprint\"",
    ),
    ("audit.window_s", "window_s = 5", "window_s = 6"),
    ("audit.max_per_s", "max_per_s = 50", "max_per_s = 40"),
    ("admin.token_file", "token_file = \"token\"", ""),
];

/// Settings by which nothing is demanded or protected less: what is the same by another name or at
/// another place, how much there may be of something, what changes with a restart only, which
/// codec there is and which keys, and what is refused where it is not said.
const OTHERS: &[&str] = &[
    "version",
    "include",
    "server.listen",
    "server.reuse_port",
    "server.max_connections",
    "server.threads",
    "server.socket_mode",
    "server.tls.cert",
    "server.tls.key",
    "upstream.address",
    "upstream.addresses",
    "upstream.target_session_attrs",
    "upstream.application_name",
    "upstream.tls.cert",
    "upstream.tls.key",
    "auth.file",
    "policy.rule.applications",
    "auth.query.statement",
    "auth.query.user",
    "auth.query.database",
    "auth.query.env",
    "auth.query.file",
    "limits.startup_timeout_s",
    "limits.drain_delay_s",
    "limits.drain_spread_s",
    "limits.drain_timeout_s",
    "limits.idle_timeout_s",
    "limits.max_message_bytes",
    "limits.max_statements",
    "limits.max_portals",
    "limits.plan_cache_bytes",
    "limits.memory_bytes",
    "limits.analysis_steps",
    "keys.current",
    "keys.ring.NAME.env",
    "keys.ring.NAME.file",
    "keys.ring.NAME.command",
    "keys.ring.NAME.timeout_s",
    "keys.ring.NAME.epoch",
    "id.codec",
    "id.form",
    "id.prefix",
    "id.key_form",
    "id.version",
    "id.prf",
    "id.rounds",
    "id.versions",
    "id.split",
    "id.epochs",
    "id.reverse",
    "id.low",
    "id.size",
    "id.stride",
    "id.counters",
    "id.bits",
    "id.json.as",
    "polymorphic.by",
    "polymorphic.ids",
    "log.format",
    "log.level",
    "audit.sink",
    "audit.file",
    "audit.rotate",
    "audit.keep",
    "admin.listen",
    "admin.probes",
    "admin.console",
];

/// A folder with the files that the configuration names.
fn files() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let signed = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    let key = signed.signing_key.serialize_pem();
    let token = "0123456789abcdef".repeat(2);
    for (name, text) in [("cert", signed.cert.pem()), ("key", key), ("token", token)] {
        let file = folder.path().join(name);
        fs::write(&file, text).unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
    }
    folder
}

fn parsed(folder: &Path, text: &str) -> Config {
    let key = "11".repeat(32);
    let around = Environment {
        folder,
        env: &|_| Some(key.clone()),
    };
    Config::parse(text, &around).unwrap_or_else(|faults| panic!("{text}\n{faults:?}"))
}

#[test]
fn each_setting_that_weakens_is_told_of_and_what_strengthens_is_not() {
    let folder = files();
    let strict = parsed(folder.path(), STRICT);
    assert_eq!(weakened(&strict, &strict), Vec::<String>::new());
    let mut wrong = Vec::new();
    for (setting, text, weaker) in WEAKER {
        assert_eq!(STRICT.matches(text).count(), 1, "{setting}: {text}");
        let weak = parsed(folder.path(), &STRICT.replace(text, weaker));
        let found = weakened(&strict, &weak);
        if found.is_empty() {
            wrong.push(format!("{setting}: {weaker} is not told of"));
        }
        // What is only elsewhere, or told with less, is weaker either way.
        let moved = !weaker.is_empty() && setting.starts_with("id.") && *setting != "id.as_is";
        let other = moved
            || matches!(
                *setting,
                "limit.roles" | "limit.databases" | "channel.path" | "polymorphic.column"
            );
        let back = weakened(&weak, &strict);
        if !other && !back.is_empty() {
            wrong.push(format!("{setting}: back from {weaker} it says {back:?}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn each_setting_is_known_to_weaken_or_not_to() {
    let weaker: BTreeSet<&str> = WEAKER.iter().map(|(setting, ..)| *setting).collect();
    let others: BTreeSet<&str> = OTHERS.iter().copied().collect();
    assert!(weaker.is_disjoint(&others));
    let known: BTreeSet<&str> = weaker.union(&others).copied().collect();
    let all: BTreeSet<&str> = SETTINGS.iter().map(|setting| setting.name).collect();
    assert_eq!(known, all);
}
