//! The configuration file: TOML text to checked types. Knows nothing of sockets or databases;
//! whether the annotations fit a database is the catalog's question.
//!
//! `raw` mirrors the file, `check` judges it and reports all faults at once: `keys` the ring, `ids`
//! the list of domains, `domain` each of them by the table in `codecs`.

mod address;
mod admin;
mod audit;
mod auth;
mod auth_query;
mod channel;
mod check;
mod codecs;
mod counters;
mod domain;
mod fault;
mod files;
mod function;
mod ids;
mod json;
mod keys;
mod limit;
mod name;
mod overrides;
mod path;
mod pattern;
mod plain;
mod polymorphic;
mod program;
mod raw;
mod reading;
mod rule;
mod scope;
mod section;
mod settings;
mod shown;
mod stand_ins;
mod table;
mod tls;
mod upstream;
mod variables;
mod written;

use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use ipnet::IpNet;

pub use crate::codec::{Codec, ColumnTypes, IntegerType, ValueType};
pub use address::{Address, Listen};
pub use admin::{Admin, AdminAddress, Token, TokenError};
pub use audit::{Audit, AuditSink};
pub use auth::{Auth, Verifier, Verifiers};
pub use auth_query::AuthQuery;
pub use channel::ChannelAnnotation;
pub use codecs::advice_for;
pub use fault::{ConfigError, Fault};
pub use files::Files;
pub use function::{FunctionAnnotation, FunctionResult};
pub use json::JsonAnnotation;
pub use keys::{KeySource, RingKey};
pub use limit::SessionLimit;
pub use overrides::Overrides;
pub use path::PathStep;
pub use pattern::{ColumnPattern, NamePattern};
pub use polymorphic::PolymorphicAnnotation;
pub use reading::{ReadSetting, ReadTable};
pub use rule::{Client, Rule};
pub use scope::{Held, Holding, Scope};
pub use shown::{ShownSetting, ShownTable, page, shown};
pub use stand_ins::StandIns;
pub use table::{INCLUDED, LISTS, SETTINGS, Setting, SettingKind, TABLES};
pub use tls::{
    ChannelBinding, ClientCertificate, ClientCertificates, Roots, ServerTls, ServerTlsMode,
    TlsWords, UpstreamTls, UpstreamTlsMode,
};
pub use upstream::{ApplicationName, TargetSession, Upstream};

/// A checked configuration.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Config {
    /// The file, setting by setting.
    written: written::Written,
    /// The tables as they were read.
    read: Vec<ReadTable>,
    /// The file, and those that it includes.
    files: Files,
    /// Where clients connect; at least one.
    pub listen: Vec<Listen>,
    /// Whether other processes may listen at the same ports, such as the one that replaces this.
    pub reuse_port: bool,
    /// From where connections begin with a header of the PROXY protocol.
    pub proxy_protocol: Vec<IpNet>,
    /// How many clients may be connected at once.
    pub max_connections: usize,
    /// How many of them may come from one address; `None`: as many as there are.
    pub max_per_address: Option<usize>,
    /// How many logins from one address may fail within a minute; `None`: all.
    pub failed_logins_per_minute: Option<usize>,
    /// How many threads serve clients; `None` for one for each processor.
    pub threads: Option<NonZero<usize>>,
    /// Who may connect to a Unix socket: its permissions, as for chmod.
    pub socket_mode: u32,
    /// TLS between clients and pgveil, if there is any.
    pub tls: Option<ServerTls>,
    /// Where Postgres is.
    pub upstream: Upstream,
    /// Whether it is a pooler that takes another session of Postgres for each transaction.
    pub upstream_pooled: bool,
    /// TLS between pgveil and Postgres, if there is any.
    pub upstream_tls: Option<UpstreamTls>,
    /// Who authenticates clients.
    pub auth: Auth,
    /// What gives unknown roles their salts, the same in all proxies with this current key; `None`
    /// without keys.
    pub stand_ins: Option<Arc<StandIns>>,
    /// What is rewritten and refused.
    pub policy: Policy,
    /// The keys of the ring, the current one first.
    pub keys: Vec<RingKey>,
    /// The id domains; a [`crate::catalog::DomainId`] is a position in this list.
    pub domains: Vec<IdDomain>,
    /// What is declared of functions.
    pub functions: Arc<[FunctionAnnotation]>,
    /// Which channels carry ids.
    pub channels: Arc<[ChannelAnnotation]>,
    /// Columns with keys of several domains, each by what stands beside it.
    pub polymorphic: Arc<[PolymorphicAnnotation]>,
    /// Columns that look like keys and are to stay as they are, with the lines that say so.
    pub plain: Vec<(ColumnPattern, usize)>,
    /// How to log.
    pub log: Log,
    /// Where health, metrics and status are shown.
    pub admin: Admin,
    /// Times and bounds that an operator may choose.
    pub limits: Limits,
    /// How many sessions some roles and databases may have at once.
    pub session_limits: Vec<SessionLimit>,
    /// What an operator should know, although the configuration can be used.
    pub warnings: Vec<Fault>,
}

/// What is rewritten and refused.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Policy {
    /// What becomes of a statement that would leak.
    pub mode: Mode,
    /// Database roles inside the trust boundary: their sessions are not rewritten, whatever rules say.
    pub bypass_roles: Vec<String>,
    /// What holds for some instead of `mode`: the first that fits.
    pub rules: Vec<Rule>,
    /// What the catalogs of the database say of columns of keys.
    pub catalog: CatalogShows,
    /// What becomes of columns of keys that nobody has decided on.
    pub new_keys: NewKeys,
}

/// What becomes of statements, from the loosest to the strictest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Mode {
    /// Everything passes as it is, and nobody looks.
    Bypass,
    /// Everything passes as it is, and what would become of it is told.
    Observe,
    /// Ids are translated; what would leak is passed on and told.
    Audit,
    /// Ids are translated; what would leak is refused.
    Enforce,
}

impl Mode {
    const ALL: [Self; 4] = [Self::Bypass, Self::Observe, Self::Audit, Self::Enforce];

    /// The word for it in the file.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Bypass => "bypass",
            Self::Observe => "observe",
            Self::Audit => "audit",
            Self::Enforce => "enforce",
        }
    }
}

/// What the catalogs of the database say of columns of keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum CatalogShows {
    /// What clients see of them: `uuid`, filled at random.
    #[default]
    Ids,
    /// What is stored: `bigint`, counted by a sequence.
    Truth,
}

/// What becomes of columns of keys that nobody has decided on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum NewKeys {
    /// They are told of, and shown as they are.
    #[default]
    Warn,
    /// They are told of, and what reads them is refused.
    Refuse,
}

/// What is decided of columns beside those of the domains.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Decisions {
    /// Those that stay as they are.
    pub plain: Arc<[ColumnPattern]>,
    /// What becomes of the others, if they hold keys.
    pub new_keys: NewKeys,
    /// Those with keys of several domains.
    pub polymorphic: Arc<[PolymorphicAnnotation]>,
}

/// One id domain with its codec.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct IdDomain {
    /// What the catalog needs to know.
    pub annotation: IdAnnotation,
    /// The database that has it; `None`: every one.
    pub database: Option<String>,
    /// Converts between keys and ids of this domain.
    pub codec: Arc<Codec>,
    /// The types of columns whose ids the older keys of the ring do not decode, if the domain names
    /// no codec, so that only the type of the column can tell. Otherwise it is a warning.
    pub current_only: Vec<ColumnTypes>,
    /// The codecs that it may have: one that the file names, or one for each type of column.
    pub codecs: Vec<CodecRotation>,
    /// Where the file names the columns: the defining one, then the references.
    pub lines: Vec<usize>,
}

/// What a rotation of keys means for the ids of a codec.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct CodecRotation {
    /// The codec, as the file names it.
    pub name: &'static str,
    /// Whether ids of older keys of the ring decode.
    pub decodes_older: bool,
}

impl IdDomain {
    /// The columns that the file names, the defining one first, with their lines.
    pub fn columns(&self) -> impl Iterator<Item = (&ColumnPattern, usize)> {
        let IdAnnotation {
            column, references, ..
        } = &self.annotation;
        let columns = std::iter::once(column).chain(references);
        columns.zip(self.lines.iter().copied())
    }
}

/// How far the counters of a domain are that take long to build.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Building<'a> {
    /// The domain.
    pub domain: &'a str,
    /// How much is done.
    pub done: u64,
    /// How much there is to do.
    pub of: u64,
}

/// How to log.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Log {
    /// The form of a record.
    pub format: LogFormat,
    /// A directive for `tracing`'s filter, such as `info` or `pgveil=debug,warn`.
    pub level: String,
    /// What becomes of audit events.
    pub audit: Audit,
}

/// The form of a log record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum LogFormat {
    /// One JSON object a line.
    Json,
    /// For people.
    Pretty,
}

/// What Postgres can allocate at once, and takes as a message.
const MAX_MESSAGE_BYTES: usize = 0x3fff_fffe;

/// Times and bounds that an operator may choose.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// From the connection to the first query: startup, authentication, first catalog.
    pub startup_timeout: Duration,
    /// How long clients are still taken after SIGTERM, until whoever sends them has noticed.
    pub drain_delay: Duration,
    /// Over which time idle sessions end after that, each at its own moment.
    pub drain_spread: Duration,
    /// How long a session may go on after that.
    pub drain_timeout: Duration,
    /// How old the snapshot of a database may be: when it is older, a session looks at the database
    /// before it goes on with its next batch.
    pub catalog_max_age: Duration,
    /// How long a session outside of a transaction may be silent; `None`: as long as it likes.
    pub idle_timeout: Option<Duration>,
    /// The largest message from a client in bytes, and with it the longest statement.
    pub max_message_bytes: usize,
    /// Named prepared statements of one session.
    pub max_statements: usize,
    /// Named portals of one session.
    pub max_portals: usize,
    /// The memory that analysed statements may take, shared by all sessions.
    pub plan_cache_bytes: usize,
    /// The memory that all sessions together may hold back, in bytes; `None`: half of what the
    /// system lets the process have.
    pub memory_bytes: Option<usize>,
    /// How many steps the analysis of one text may take: tokens that are parsed, and nodes.
    pub analysis_steps: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            startup_timeout: Duration::from_secs(60),
            drain_delay: Duration::ZERO,
            drain_spread: Duration::ZERO,
            // Kubernetes kills after 30 s; the rest is for the delay and for the last words.
            drain_timeout: Duration::from_secs(20),
            catalog_max_age: Duration::from_secs(60),
            idle_timeout: None,
            max_message_bytes: MAX_MESSAGE_BYTES,
            max_statements: 10_000,
            max_portals: 10_000,
            plan_cache_bytes: 64 << 20,
            memory_bytes: None,
            analysis_steps: 600_000,
        }
    }
}

/// `schema.table.column`
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ColumnName {
    /// The schema.
    pub schema: String,
    /// The table.
    pub table: String,
    /// The column.
    pub column: String,
}

impl std::fmt::Display for ColumnName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{}.{}", self.schema, self.table, self.column)
    }
}

impl ColumnName {
    /// As the file names it: a part with a dot or a star in it stands in quotes.
    #[must_use]
    pub fn written(&self) -> String {
        let parts = [&self.schema, &self.table, &self.column];
        parts.map(|part| pattern::quoted(part)).join(".")
    }

    /// Whether a file can name it: quotes can't be told from those around a part.
    #[must_use]
    pub fn is_writable(&self) -> bool {
        let read = ids::identifiers(&self.written());
        let parts = [&self.schema, &self.table, &self.column];
        read.is_some_and(|read| read.iter().map(|(part, _)| part).eq(parts))
    }
}

/// One id domain, as far as the catalog needs to know it.
#[derive(Debug, Clone)]
pub struct IdAnnotation {
    /// The name of the domain.
    pub name: String,
    /// The defining column, or several in tables alike.
    pub column: ColumnPattern,
    /// Soft references.
    pub references: Vec<ColumnPattern>,
    /// Keys inside documents.
    pub json: Vec<JsonAnnotation>,
    /// Which columns its codec has ids for.
    pub types: ColumnTypes,
}

/// What is around a file: where its keys, its variables and further files come from.
pub struct Environment<'a> {
    /// Relative paths start here.
    pub folder: &'a Path,
    /// Looks up an environment variable.
    pub env: &'a dyn Fn(&str) -> Option<String>,
}

/// Where relative paths of a configuration start.
fn folder_of(file: &Path) -> &Path {
    let folder = file.parent();
    let folder = folder.filter(|folder| !folder.as_os_str().is_empty());
    folder.unwrap_or(Path::new("."))
}

impl Config {
    /// Where a file is looked for if none is named.
    pub const PLACES: [&'static str; 2] = ["pgveil.toml", "/etc/pgveil/pgveil.toml"];

    /// The file where one is looked for if none is named.
    ///
    /// # Errors
    /// If there is none.
    pub fn found() -> Result<PathBuf, ConfigError> {
        let mut places = Self::PLACES.iter().map(PathBuf::from);
        let found = places.find(|place| place.exists());
        found.ok_or(ConfigError::Nowhere)
    }

    /// Reads and checks a file; keys and variables come from the process's environment.
    ///
    /// # Errors
    /// If the file can't be read, or with all the faults in it.
    pub fn load(file: &Path) -> Result<Self, ConfigError> {
        Self::load_with_progress(file, &Overrides::default(), &|_| {})
    }

    /// Reads and checks a file, with other settings than the file's; `progress` is told of what
    /// takes long.
    ///
    /// # Errors
    /// As [`Config::load`].
    pub fn load_with_progress(
        file: &Path,
        overrides: &Overrides,
        progress: &dyn Fn(Building<'_>),
    ) -> Result<Self, ConfigError> {
        let text = read(file)?;
        let checked = check::check((file, &text), &of_process(file), overrides, progress);
        checked.map_err(faulty)
    }

    /// How a file says to log, whatever else is in it: so that the loading itself can be logged.
    ///
    /// # Errors
    /// If the file can't be read.
    pub fn peek_log(file: &Path, overrides: &Overrides) -> Result<Log, ConfigError> {
        let text = read(file)?;
        Ok(check::peek_log(&text, &of_process(file), overrides))
    }

    /// Where a file says that health is shown, whatever else is in it: nothing is fetched for that,
    /// and the token is not read.
    ///
    /// # Errors
    /// If the file can't be read, or with its faults if it does not say for them.
    pub fn peek_admin(file: &Path) -> Result<Admin, ConfigError> {
        let text = read(file)?;
        check::peek_admin((file, &text), &of_process(file)).map_err(faulty)
    }

    /// The settings of a file, table by table, whether or not they can be used; nothing is fetched
    /// for that.
    ///
    /// # Errors
    /// If the file can't be read, or with its faults if it is no file of settings.
    pub fn peek_settings(
        file: &Path,
        overrides: &Overrides,
    ) -> Result<(Files, Vec<ReadTable>), ConfigError> {
        let text = read(file)?;
        check::peek_settings((file, &text), &of_process(file), overrides).map_err(faulty)
    }

    /// Checks a text.
    ///
    /// # Errors
    /// All the faults in it, by line.
    pub fn parse(text: &str, around: &Environment<'_>) -> Result<Self, Vec<Fault>> {
        let file = (Path::new(""), text);
        let checked = check::check(file, around, &Overrides::default(), &|_| {});
        checked.map_err(|(_, faults)| faults)
    }

    /// The file, and those that it includes.
    #[must_use]
    pub const fn files(&self) -> &Files {
        &self.files
    }

    /// The settings that hold, without what is secret.
    #[must_use]
    pub fn effective(&self) -> Vec<ShownTable> {
        shown(&self.read, true)
    }

    /// The settings of the file that another one has otherwise, each as `name: before → after`; of
    /// those of keys the names alone.
    #[must_use]
    pub fn changes_since(&self, before: &Self) -> Vec<String> {
        written::changes(&before.written, &self.written)
    }

    /// The values of `as_is` of a domain, as they are written.
    pub(crate) fn marks_of(&self, domain: &str) -> Option<&str> {
        let name = format!("id.{}.as_is", domain.escape_debug());
        self.written.get(&name).map(String::as_str)
    }

    /// What is decided of columns beside those of the domains.
    #[must_use]
    pub fn decisions(&self) -> Decisions {
        Decisions {
            plain: self.plain.iter().map(|(of, _)| of.clone()).collect(),
            new_keys: self.policy.new_keys,
            polymorphic: Arc::clone(&self.polymorphic),
        }
    }

    /// The names of the keys of the ring, the current one first.
    #[must_use]
    pub fn key_names(&self) -> Vec<String> {
        self.keys.iter().map(|key| key.name.clone()).collect()
    }

    /// What the catalog needs to know of the domains, in their order.
    #[must_use]
    pub fn annotations(&self) -> Vec<IdAnnotation> {
        let annotation = |domain: &IdDomain| domain.annotation.clone();
        self.domains.iter().map(annotation).collect()
    }
}

/// What is around a file for a process.
fn of_process(file: &Path) -> Environment<'_> {
    Environment {
        folder: folder_of(file),
        env: &|name| std::env::var(name).ok(),
    }
}

fn faulty((files, faults): (Files, Vec<Fault>)) -> ConfigError {
    ConfigError::Faulty { files, faults }
}

fn read(file: &Path) -> Result<String, ConfigError> {
    std::fs::read_to_string(file).map_err(|source| ConfigError::Unreadable {
        file: file.to_owned(),
        source,
    })
}
