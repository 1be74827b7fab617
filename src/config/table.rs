//! The settings, each once: what the reference of the configuration, its JSON schema and its printed
//! form are made from. A test holds the table and the reader together.

mod listed;

pub use listed::SETTINGS;

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

#[cfg(test)]
mod tests;
