//! The settings, each once: what the reference of the configuration, its JSON schema and its printed
//! form are made from. A test holds the table and the reader together.

/// What a setting may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum SettingKind {
    /// A string.
    Text,
    /// A list of strings.
    Texts,
    /// A whole number.
    Integer,
    /// True or false.
    Boolean,
    /// A table of whole numbers.
    Integers,
    /// A string, or a table of strings.
    TextOrTable,
}

/// A setting of the configuration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Setting {
    /// Its full name; `NAME` stands for a name that the operator chooses.
    pub name: &'static str,
    /// What it may be.
    pub kind: SettingKind,
    /// What holds without it, as TOML; empty if nothing does.
    pub default: &'static str,
    /// What it means. Words such as `adopt.md` and `codecs.md#marks` name pages of the documentation.
    pub about: &'static str,
}

impl Setting {
    /// The table that it is in, and its name there.
    #[must_use]
    pub fn place(&self) -> (&'static str, &'static str) {
        self.name.rsplit_once('.').unwrap_or(("", self.name))
    }
}

/// Tables of which there may be several.
pub const LISTS: [&str; 7] = [
    "channel",
    "function",
    "id",
    "id.json",
    "limit",
    "policy.rule",
    "polymorphic",
];

/// The tables that an included file may have.
pub const INCLUDED: [&str; 5] = ["channel", "check", "function", "id", "polymorphic"];

/// What each table is for, in the order in which they are told.
pub const TABLES: [(&str, &str); 23] = [
    ("", "At the top of the file."),
    ("server", "The side of the clients."),
    (
        "server.proxy_protocol",
        "Where clients really come from, as a balancer says it.",
    ),
    ("server.tls", "TLS with clients."),
    ("upstream", "The side of Postgres."),
    ("upstream.tls", "TLS with Postgres."),
    ("auth", "Who authenticates clients."),
    ("auth.query", "Verifiers that Postgres tells."),
    ("policy", "What becomes of statements."),
    (
        "policy.rule",
        "What holds for some sessions instead of `policy.mode`.",
    ),
    ("limits", "Times and bounds."),
    (
        "limit",
        "How many sessions some roles may have at once, or those in some databases. Each limit that fits holds.",
    ),
    (
        "keys",
        "The ring of keys. Variables are not replaced in here: commands have their own.",
    ),
    ("keys.ring.NAME", "A key, from one of three sources."),
    (
        "id",
        "An id domain: a name, and the column that holds the keys.",
    ),
    ("id.json", "Ids inside documents."),
    (
        "function",
        "A function that pgveil can't explain by itself.",
    ),
    (
        "channel",
        "A channel of NOTIFY whose payload is an id, or has ids in it.",
    ),
    (
        "polymorphic",
        "A column with keys of several tables, of which another column of the row tells ([polymorphic.md](polymorphic.md)).",
    ),
    ("check", "Decisions that `pgveil check` keeps to."),
    ("log", "The log."),
    ("audit", "The audit trail."),
    (
        "admin",
        "Health, metrics and status by HTTP, and a console for psql.",
    ),
];

const fn setting(
    name: &'static str,
    kind: SettingKind,
    default: &'static str,
    about: &'static str,
) -> Setting {
    Setting {
        name,
        kind,
        default,
        about,
    }
}

/// All settings, table by table.
pub const SETTINGS: &[Setting] = &[
    setting(
        "version",
        SettingKind::Integer,
        "1",
        "The version of the file's form. This pgveil reads 1.",
    ),
    setting(
        "include",
        SettingKind::Texts,
        "",
        "Files with more of `[[id]]`, `[[function]]`, `[[channel]]`, `[[polymorphic]]` and `[check]`, such as `ids.d/*.toml`; relative paths start at this file's folder.",
    ),
    setting(
        "server.listen",
        SettingKind::Texts,
        "[\"127.0.0.1:6432\"]",
        "Where clients connect: `host:port`, `unix:/folder[:port]`, or `systemd` for the sockets that systemd has opened.",
    ),
    setting(
        "server.reuse_port",
        SettingKind::Boolean,
        "false",
        "Whether another pgveil may listen at the same ports (`SO_REUSEPORT`), such as the one that takes this one's place.",
    ),
    setting(
        "server.max_connections",
        SettingKind::Integer,
        "1000",
        "How many clients may be connected at once; the next one gets 53300.",
    ),
    setting(
        "server.max_per_address",
        SettingKind::Integer,
        "",
        "How many of them may come from one address, 53300 beyond; IPv6 addresses count by their /64 (security.md#crowds-at-the-door). Default: as many as there are.",
    ),
    setting(
        "server.failed_logins_per_minute",
        SettingKind::Integer,
        "",
        "How many logins with a wrong proof may come from one address within a minute; until it is over the next ones get 28000 and are asked nothing (security.md#crowds-at-the-door). Default: any number.",
    ),
    setting(
        "server.threads",
        SettingKind::Integer,
        "",
        "How many threads serve clients, up to 1024. Default: one for each processor.",
    ),
    setting(
        "server.socket_mode",
        SettingKind::Text,
        "\"0777\"",
        "Who may connect to a Unix socket: permissions as for chmod.",
    ),
    setting(
        "server.proxy_protocol.from",
        SettingKind::Texts,
        "[]",
        "The addresses of the balancers, such as `10.0.0.0/8`: what comes from there begins with a header of the PROXY protocol, version 1 or 2, and nothing else does.",
    ),
    setting(
        "server.tls.mode",
        SettingKind::Text,
        "\"prefer\"",
        "`prefer`: TLS for whoever asks; `require`: nobody gets in without; `disable`.",
    ),
    setting(
        "server.tls.cert",
        SettingKind::Text,
        "",
        "The certificates in PEM, the server's own first.",
    ),
    setting(
        "server.tls.key",
        SettingKind::Text,
        "",
        "Its key in PEM, without a password.",
    ),
    setting(
        "server.tls.client_ca",
        SettingKind::Text,
        "",
        "Who signs certificates of clients, in PEM. None are asked for without it.",
    ),
    setting(
        "server.tls.client_cert",
        SettingKind::Text,
        "\"require\"",
        "`require` a certificate, `verify-full`: its common name must be the role, or `optional`.",
    ),
    setting(
        "server.tls.channel_binding",
        SettingKind::Text,
        "\"prefer\"",
        "`require` takes only logins that are bound to the TLS connection; needs `auth.mode = \"verifier\"`.",
    ),
    setting(
        "upstream.address",
        SettingKind::Text,
        "",
        "Where Postgres is: `host:port`, or `unix:/folder[:port]`. This or `addresses` must be given.",
    ),
    setting(
        "upstream.addresses",
        SettingKind::Texts,
        "",
        "Several hosts of Postgres, such as a primary and its standbys; the first that can be used is (availability.md).",
    ),
    setting(
        "upstream.target_session_attrs",
        SettingKind::Text,
        "\"any\"",
        "Which of them: `any`, `read-write`, `read-only`, `primary`, `standby` or `prefer-standby`, as libpq means them. Postgres 14 and later tell what they are.",
    ),
    setting(
        "upstream.pooler",
        SettingKind::Text,
        "\"none\"",
        "What is there: `none`, or a pooler in `session` or `transaction` mode (security.md#poolers).",
    ),
    setting(
        "upstream.application_name",
        SettingKind::Text,
        "\"keep\"",
        "What Postgres sees as `application_name`: `keep`, what the client says; `append-peer`, that and the client's address (security.md#who-someone-is).",
    ),
    setting(
        "upstream.tls.mode",
        SettingKind::Text,
        "",
        "`disable`, `prefer`, `require`, `verify-ca` or `verify-full`, as libpq's sslmode. Must be given.",
    ),
    setting(
        "upstream.tls.ca",
        SettingKind::Text,
        "",
        "Who signed the certificate of Postgres, in PEM; or `system`.",
    ),
    setting(
        "upstream.tls.cert",
        SettingKind::Text,
        "",
        "A certificate to show to Postgres, in PEM.",
    ),
    setting(
        "upstream.tls.key",
        SettingKind::Text,
        "",
        "Its key in PEM, without a password.",
    ),
    setting(
        "upstream.tls.channel_binding",
        SettingKind::Text,
        "\"prefer\"",
        "`require` logs in only where that is bound to the TLS connection; needs `auth.mode = \"verifier\"`.",
    ),
    setting(
        "auth.mode",
        SettingKind::Text,
        "\"pass-through\"",
        "`pass-through`: Postgres authenticates; `verifier`: pgveil does (security.md).",
    ),
    setting(
        "auth.file",
        SettingKind::Text,
        "",
        "For `verifier`: `role:SCRAM-SHA-256$…` in each line.",
    ),
    setting(
        "auth.require_scram",
        SettingKind::Boolean,
        "true",
        "With `verifier`: Postgres must ask for SCRAM too, and not just trust pgveil.",
    ),
    setting(
        "auth.query.statement",
        SettingKind::Text,
        "",
        "Instead of `auth.file`: what gives the verifier of the role `$1`.",
    ),
    setting(
        "auth.query.user",
        SettingKind::Text,
        "",
        "The role that may run it.",
    ),
    setting(
        "auth.query.database",
        SettingKind::Text,
        "\"postgres\"",
        "Where it is run.",
    ),
    setting(
        "auth.query.env",
        SettingKind::Text,
        "",
        "The variable with that role's password.",
    ),
    setting(
        "auth.query.file",
        SettingKind::Text,
        "",
        "Or the file with it; neither if Postgres trusts the role.",
    ),
    setting(
        "auth.query.max_age_s",
        SettingKind::Integer,
        "60",
        "How long an answer holds, in seconds; a refused proof asks again.",
    ),
    setting(
        "policy.mode",
        SettingKind::Text,
        "\"enforce\"",
        "`enforce`: refuse what would leak; `audit`: pass it on and tell; `observe`: translate nothing and tell what would become of it (adopt.md).",
    ),
    setting(
        "policy.bypass_roles",
        SettingKind::Texts,
        "[]",
        "Database roles inside the trust boundary, whose sessions are not rewritten.",
    ),
    setting(
        "policy.catalog",
        SettingKind::Text,
        "\"ids\"",
        "What catalogs say of columns of keys: `ids`, what clients see (`uuid`), or `truth`, what is stored.",
    ),
    setting(
        "policy.new_keys",
        SettingKind::Text,
        "\"warn\"",
        "What becomes of columns of keys that are neither annotated nor in `check.plain`: `warn` tells of them (adopt.md); `refuse` also refuses what reads them.",
    ),
    setting(
        "policy.rule.roles",
        SettingKind::Texts,
        "",
        "To which roles the rule applies; left out: to all. The first rule that fits holds.",
    ),
    setting(
        "policy.rule.databases",
        SettingKind::Texts,
        "",
        "In which databases; left out: in all.",
    ),
    setting(
        "policy.rule.applications",
        SettingKind::Texts,
        "",
        "Under which `application_name`, which a client chooses: such a rule may only be stricter.",
    ),
    setting(
        "policy.rule.mode",
        SettingKind::Text,
        "",
        "`enforce`, `audit`, `observe` or `bypass`.",
    ),
    setting(
        "limits.startup_timeout_s",
        SettingKind::Integer,
        "60",
        "From the connection to the first query, in seconds.",
    ),
    setting(
        "limits.drain_delay_s",
        SettingKind::Integer,
        "0",
        "How long clients are still taken after SIGTERM, until load balancers know, in seconds.",
    ),
    setting(
        "limits.drain_spread_s",
        SettingKind::Integer,
        "0",
        "Over how long idle sessions end then, each at its own moment, in seconds; shorter than `drain_timeout_s`. 0: all at once.",
    ),
    setting(
        "limits.drain_timeout_s",
        SettingKind::Integer,
        "20",
        "How long sessions in the middle of their work may go on then, in seconds; a second SIGTERM ends them.",
    ),
    setting(
        "limits.catalog_max_age_s",
        SettingKind::Integer,
        "60",
        "How long others may change the database unseen, in seconds; 0: not at all.",
    ),
    setting(
        "limits.idle_timeout_s",
        SettingKind::Integer,
        "",
        "The silence outside of a transaction that ends a session, in seconds. Default: none does.",
    ),
    setting(
        "limits.max_message_bytes",
        SettingKind::Integer,
        "1073741822",
        "The longest statement or Bind of a client; more is 08P01, as in Postgres.",
    ),
    setting(
        "limits.max_statements",
        SettingKind::Integer,
        "10000",
        "Named prepared statements of a session; one more is refused (53400).",
    ),
    setting(
        "limits.max_portals",
        SettingKind::Integer,
        "10000",
        "Named portals of a session.",
    ),
    setting(
        "limits.plan_cache_bytes",
        SettingKind::Integer,
        "67108864",
        "The memory for analysed statements, shared by all sessions.",
    ),
    setting(
        "limits.memory_bytes",
        SettingKind::Integer,
        "",
        "What all sessions together may hold back. Default: half of what the system lets the process have.",
    ),
    setting(
        "limits.analysis_steps",
        SettingKind::Integer,
        "600000",
        "What the analysis of one text may cost: its tokens and what they lead to; beyond that, 54001.",
    ),
    setting(
        "limit.roles",
        SettingKind::Texts,
        "",
        "The roles that count, all of them together; left out: all.",
    ),
    setting(
        "limit.databases",
        SettingKind::Texts,
        "",
        "In which databases; left out: in all.",
    ),
    setting(
        "limit.max_connections",
        SettingKind::Integer,
        "",
        "How many sessions they may have at once; the next one gets 53300 and does not reach Postgres.",
    ),
    setting(
        "keys.current",
        SettingKind::Text,
        "",
        "The key of the ring that encodes.",
    ),
    setting(
        "keys.ring.NAME.env",
        SettingKind::Text,
        "",
        "The variable with the key: 32 bytes in hexadecimal or base64.",
    ),
    setting(
        "keys.ring.NAME.file",
        SettingKind::Text,
        "",
        "Or the file with it.",
    ),
    setting(
        "keys.ring.NAME.command",
        SettingKind::Texts,
        "",
        "Or the program that prints it, with its arguments.",
    ),
    setting(
        "keys.ring.NAME.timeout_s",
        SettingKind::Integer,
        "10",
        "How long the program may take, in seconds.",
    ),
    setting(
        "keys.ring.NAME.epoch",
        SettingKind::Integer,
        "",
        "0 to 15, another one for each key: for domains with `epochs`.",
    ),
    setting(
        "id.name",
        SettingKind::Text,
        "",
        "The name of the id domain. It is part of how ids are made.",
    ),
    setting(
        "id.column",
        SettingKind::Text,
        "",
        "The column that holds the keys, `schema.table.column`. Foreign keys to it follow by themselves. `*` stands for anything in a part without quotes: `tenant_*.users.id` means the column in each such schema, those too that are made later.",
    ),
    setting(
        "id.references",
        SettingKind::Texts,
        "[]",
        "Further columns with keys of this domain, arrays too; with `*` as in `column`.",
    ),
    setting(
        "id.codec",
        SettingKind::Text,
        "",
        "How keys become ids (codecs.md). Default: by the type of the column.",
    ),
    setting(
        "id.form",
        SettingKind::Text,
        "",
        "How ids are written: `uuid`, `hex`, `compact`, `compact43`, `base62`, `ulid`, `typeid`, `native`. Default: by codec and type.",
    ),
    setting(
        "id.prefix",
        SettingKind::Text,
        "",
        "What stands before an id: with `typeid` its type; with `hex`, `compact` and `base62` as it is.",
    ),
    setting(
        "id.key_form",
        SettingKind::Text,
        "",
        "How keys are written in columns of text: `uuid`, `hex`, `compact`, `compact43`, `base62`, `ulid`.",
    ),
    setting(
        "id.version",
        SettingKind::Integer,
        "8",
        "The version that UUIDs show: 8, or 4 for clients that know no newer one.",
    ),
    setting(
        "id.prf",
        SettingKind::Text,
        "\"aes128\"",
        "The round function: `aes128`, or `siphash24` or `blake3` on machines without AES instructions.",
    ),
    setting(
        "id.rounds",
        SettingKind::Integer,
        "",
        "Not to be set: each codec has its sound number.",
    ),
    setting(
        "id.versions",
        SettingKind::Integers,
        "{ 7 = 8 }",
        "For UUID keys: the version inside = the version shown.",
    ),
    setting(
        "id.split",
        SettingKind::Integer,
        "60",
        "For UUID keys: how many bits behind the time are hidden by the first half, 60 or 48.",
    ),
    setting(
        "id.epochs",
        SettingKind::Boolean,
        "false",
        "For UUID keys: the first digit of an id tells the key of the ring.",
    ),
    setting(
        "id.reverse",
        SettingKind::Boolean,
        "false",
        "For `aes`: the stored values are the opaque ones.",
    ),
    setting(
        "id.low",
        SettingKind::Integer,
        "0",
        "For `fastprp`: the smallest key.",
    ),
    setting(
        "id.size",
        SettingKind::Integer,
        "",
        "For `fastprp`: how many keys there will ever be, at most 4294967296.",
    ),
    setting(
        "id.stride",
        SettingKind::Integer,
        "16384",
        "For `fastprp` above 2^20 keys: memory against time; changes no id.",
    ),
    setting(
        "id.counters",
        SettingKind::Text,
        "",
        "For `fastprp` above 2^20 keys: the file that keeps what takes a second to build.",
    ),
    setting(
        "id.bits",
        SettingKind::Integer,
        "",
        "For `ff1`: the width of the keys, 31, 32, 53, 63 or 64.",
    ),
    setting(
        "id.as_is",
        SettingKind::Texts,
        "[]",
        "Marks of the application that are the same inside and outside (codecs.md#marks).",
    ),
    setting(
        "id.json.column",
        SettingKind::Text,
        "",
        "A column of documents with ids of this domain inside: json, jsonb or text; with `*` as in `id.column`.",
    ),
    setting(
        "id.json.path",
        SettingKind::Text,
        "",
        "Where in them: members by name, `[*]` for every element.",
    ),
    setting(
        "id.json.as",
        SettingKind::Text,
        "",
        "How the database has the keys there: `number` (default of integers) or `string`.",
    ),
    setting(
        "function.name",
        SettingKind::Text,
        "",
        "A function of the user, `schema.name`.",
    ),
    setting(
        "function.arguments",
        SettingKind::Texts,
        "[]",
        "For each argument the id domain, or `-` for what is no id.",
    ),
    setting(
        "function.result",
        SettingKind::TextOrTable,
        "",
        "The domain of its result, or `-`; for columns a table `{ column = \"domain\" }`.",
    ),
    setting(
        "channel.name",
        SettingKind::Text,
        "",
        "A channel of NOTIFY; `*` stands for anything.",
    ),
    setting(
        "channel.path",
        SettingKind::Text,
        "",
        "Where in a JSON payload ids are; without it the payload is one.",
    ),
    setting(
        "channel.id",
        SettingKind::Text,
        "",
        "Their domain, or `-` if numbers in the payload are no keys.",
    ),
    setting(
        "polymorphic.column",
        SettingKind::Text,
        "",
        "The column with the keys, `schema.table.column`; with `*` as in `id.column`.",
    ),
    setting(
        "polymorphic.by",
        SettingKind::Text,
        "",
        "The column of the same table that tells what each of them is a key of.",
    ),
    setting(
        "polymorphic.ids",
        SettingKind::TextOrTable,
        "",
        "For each of its values the id domain, `{ Post = \"post\", User = \"user\" }`; keys beside other values are shown as NULL.",
    ),
    setting(
        "check.plain",
        SettingKind::Texts,
        "[]",
        "Columns that look like keys and are to stay as they are; with `*` as in `id.column`.",
    ),
    setting(
        "log.format",
        SettingKind::Text,
        "\"json\"",
        "`json` or `pretty`.",
    ),
    setting(
        "log.level",
        SettingKind::Text,
        "\"info\"",
        "`error`, `warn`, `info`, `debug`, `trace`, or a list by module, such as `pgveil=debug,warn`.",
    ),
    setting(
        "audit.sink",
        SettingKind::Text,
        "\"log\"",
        "Where the audit trail goes (audit.md): `log`, `stdout` or `file`.",
    ),
    setting(
        "audit.file",
        SettingKind::Text,
        "",
        "The file, with `sink = \"file\"`.",
    ),
    setting(
        "audit.rotate",
        SettingKind::Text,
        "\"daily\"",
        "`daily` appends the day to its name; `never`.",
    ),
    setting(
        "audit.keep",
        SettingKind::Integer,
        "14",
        "How many files of the past are kept.",
    ),
    setting(
        "audit.statements",
        SettingKind::Text,
        "\"shape\"",
        "`shape`: statements without their literals; `fingerprint`: not even those.",
    ),
    setting(
        "audit.window_s",
        SettingKind::Integer,
        "60",
        "Repeats within so many seconds are one record.",
    ),
    setting(
        "audit.max_per_s",
        SettingKind::Integer,
        "50",
        "Records of each event in a second.",
    ),
    setting(
        "admin.listen",
        SettingKind::Text,
        "",
        "Where everything is shown (metrics.md): `host:port`, or `unix:/path/of/socket`. Off without it.",
    ),
    setting(
        "admin.token_file",
        SettingKind::Text,
        "",
        "What must be shown there; needed where other machines get there.",
    ),
    setting(
        "admin.probes",
        SettingKind::Text,
        "",
        "Where health and metrics are shown, and nothing else, without a token.",
    ),
    setting(
        "admin.console",
        SettingKind::Text,
        "",
        "The console for psql (metrics.md): `unix:/folder:6433` makes the socket `/folder/.s.PGSQL.6433`, for the user of the process and root alone. Off without it.",
    ),
];

#[cfg(test)]
mod tests;
