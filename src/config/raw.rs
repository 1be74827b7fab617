//! The mirror of the file: the same names and nesting, every value optional and with its line.
//! Judges nothing but the types.

use super::fault::Faults;
use super::reading::Reading;
use super::section::{At, Section, TextOrTable};
use super::{admin, audit, auth, limit, rule, tls};

type Text = Option<At<String>>;
type Texts = Option<At<Vec<At<String>>>>;
type Integer = Option<At<i64>>;
type Boolean = Option<At<bool>>;

/// The whole file.
#[derive(Debug, Default)]
pub(super) struct Raw {
    pub(super) version: Integer,
    pub(super) include: Texts,
    pub(super) server: Server,
    pub(super) upstream: Upstream,
    pub(super) auth: Option<auth::Raw>,
    pub(super) policy: Policy,
    pub(super) limits: Limits,
    pub(super) session_limits: Vec<limit::Raw>,
    pub(super) keys: Option<Keys>,
    pub(super) ids: Vec<Id>,
    pub(super) functions: Vec<Function>,
    pub(super) channels: Vec<Channel>,
    pub(super) polymorphic: Vec<Polymorphic>,
    pub(super) check: Check,
    pub(super) log: Log,
    pub(super) audit: audit::Raw,
    pub(super) admin: Option<admin::Raw>,
    pub(super) metrics: Option<Metrics>,
}

/// `[server]`
#[derive(Debug, Default)]
pub(super) struct Server {
    pub(super) listen: Texts,
    pub(super) reuse_port: Boolean,
    pub(super) max_connections: Integer,
    pub(super) max_per_address: Integer,
    pub(super) failed_logins_per_minute: Integer,
    pub(super) threads: Integer,
    pub(super) socket_mode: Text,
    pub(super) proxy_protocol: Texts,
    pub(super) tls: Option<tls::Raw>,
}

/// `[upstream]`
#[derive(Debug, Default)]
pub(super) struct Upstream {
    pub(super) line: Option<usize>,
    pub(super) address: Text,
    pub(super) addresses: Texts,
    pub(super) target_session_attrs: Text,
    pub(super) pooler: Text,
    pub(super) application_name: Text,
    pub(super) tls: Option<tls::Raw>,
}

/// `[policy]`
#[derive(Debug, Default)]
pub(super) struct Policy {
    pub(super) mode: Text,
    pub(super) bypass_roles: Texts,
    pub(super) catalog: Text,
    pub(super) new_keys: Text,
    pub(super) rules: Vec<rule::Raw>,
}

/// `[limits]`
#[derive(Debug, Default)]
pub(super) struct Limits {
    pub(super) startup_timeout_s: Integer,
    pub(super) drain_delay_s: Integer,
    pub(super) drain_spread_s: Integer,
    pub(super) drain_timeout_s: Integer,
    pub(super) catalog_max_age_s: Integer,
    pub(super) idle_timeout_s: Integer,
    pub(super) max_message_bytes: Integer,
    pub(super) max_statements: Integer,
    pub(super) max_portals: Integer,
    pub(super) plan_cache_bytes: Integer,
    pub(super) memory_bytes: Integer,
    pub(super) analysis_steps: Integer,
}

/// `[keys]`
#[derive(Debug)]
pub(super) struct Keys {
    pub(super) line: usize,
    pub(super) current: Text,
    pub(super) ring: Vec<RingKey>,
}

/// `[keys.ring.NAME]`
#[derive(Debug)]
pub(super) struct RingKey {
    pub(super) name: String,
    pub(super) line: usize,
    pub(super) env: Text,
    pub(super) file: Text,
    pub(super) command: Texts,
    pub(super) timeout_s: Integer,
    pub(super) epoch: Integer,
}

/// `[[id]]`
#[derive(Debug)]
pub(super) struct Id {
    pub(super) line: usize,
    pub(super) name: Text,
    pub(super) column: Text,
    pub(super) database: Text,
    pub(super) references: Texts,
    pub(super) json: Vec<Json>,
    pub(super) codec: Text,
    pub(super) form: Text,
    pub(super) prefix: Text,
    pub(super) key_form: Text,
    pub(super) version: Integer,
    pub(super) prf: Text,
    pub(super) rounds: Integer,
    pub(super) versions: Option<At<Vec<(String, i64)>>>,
    pub(super) split: Integer,
    pub(super) epochs: Boolean,
    pub(super) reverse: Boolean,
    pub(super) low: Integer,
    pub(super) size: Integer,
    pub(super) stride: Integer,
    pub(super) counters: Text,
    pub(super) bits: Integer,
    pub(super) as_is: Texts,
}

/// `[[id.json]]`
#[derive(Debug)]
pub(super) struct Json {
    pub(super) line: usize,
    pub(super) column: Text,
    pub(super) path: Text,
    pub(super) written: Text,
}

/// `[[function]]`
#[derive(Debug)]
pub(super) struct Function {
    pub(super) line: usize,
    pub(super) name: Text,
    pub(super) arguments: Texts,
    pub(super) result: Option<TextOrTable>,
}

/// `[[channel]]`
#[derive(Debug)]
pub(super) struct Channel {
    pub(super) line: usize,
    pub(super) name: Text,
    pub(super) path: Text,
    pub(super) id: Text,
}

/// `[[polymorphic]]`
#[derive(Debug)]
pub(super) struct Polymorphic {
    pub(super) line: usize,
    pub(super) column: Text,
    pub(super) by: Text,
    pub(super) ids: Option<TextOrTable>,
}

/// `[check]`
#[derive(Debug, Default)]
pub(super) struct Check {
    pub(super) plain: Texts,
}

/// `[log]`
#[derive(Debug, Default)]
pub(super) struct Log {
    pub(super) format: Text,
    pub(super) level: Text,
}

/// `[metrics]`
#[derive(Debug)]
pub(super) struct Metrics {
    pub(super) line: usize,
}

impl Raw {
    /// Reads the text; `None` if it is not TOML at all.
    pub(super) fn read(text: &str, reading: &Reading<'_>, faults: &mut Faults<'_>) -> Option<Self> {
        let mut top = Section::document(text, reading, faults)?;
        let raw = Self {
            version: top.integer("version", faults),
            include: top.texts("include", faults),
            server: read(&mut top, "server", faults, Server::read).unwrap_or_default(),
            upstream: read(&mut top, "upstream", faults, Upstream::read).unwrap_or_default(),
            auth: read(&mut top, "auth", faults, auth::Raw::read),
            policy: read(&mut top, "policy", faults, Policy::read).unwrap_or_default(),
            limits: read(&mut top, "limits", faults, Limits::read).unwrap_or_default(),
            session_limits: limit::Raw::read_all(&mut top, faults),
            keys: read(&mut top, "keys", faults, Keys::read),
            ids: Id::read_all(&mut top, faults),
            functions: Function::read_all(&mut top, faults),
            channels: Channel::read_all(&mut top, faults),
            polymorphic: Polymorphic::read_all(&mut top, faults),
            check: read(&mut top, "check", faults, Check::read).unwrap_or_default(),
            log: read(&mut top, "log", faults, Log::read).unwrap_or_default(),
            audit: read(&mut top, "audit", faults, audit::Raw::read).unwrap_or_default(),
            admin: read(&mut top, "admin", faults, admin::Raw::read),
            metrics: read(&mut top, "metrics", faults, Metrics::read),
        };
        top.finish(faults);
        Some(raw)
    }

    /// Reads the text of an included file, and adds what it has.
    pub(super) fn include(&mut self, text: &str, reading: &Reading<'_>, faults: &mut Faults<'_>) {
        let Some(mut top) = Section::document(text, reading, faults) else {
            return;
        };
        self.ids.extend(Id::read_all(&mut top, faults));
        self.functions.extend(Function::read_all(&mut top, faults));
        self.channels.extend(Channel::read_all(&mut top, faults));
        self.polymorphic
            .extend(Polymorphic::read_all(&mut top, faults));
        let check = read(&mut top, "check", faults, Check::read);
        match (&mut self.check.plain, check.and_then(|check| check.plain)) {
            (Some(plain), Some(more)) => plain.value.extend(more.value),
            (plain @ None, more) => *plain = more,
            (Some(_), None) => {}
        }
        top.finish(faults);
    }
}

/// Reads the table `key` with `fields` and reports the keys that `fields` left.
fn read<T>(
    parent: &mut Section<'_>,
    key: &'static str,
    faults: &mut Faults<'_>,
    fields: impl FnOnce(&mut Section<'_>, &mut Faults<'_>) -> T,
) -> Option<T> {
    let mut section = parent.section(key, faults)?;
    let value = fields(&mut section, faults);
    section.finish(faults);
    Some(value)
}

impl Server {
    fn read(section: &mut Section<'_>, faults: &mut Faults<'_>) -> Self {
        Self {
            listen: section.texts("listen", faults),
            reuse_port: section.boolean("reuse_port", faults),
            max_connections: section.integer("max_connections", faults),
            max_per_address: section.integer("max_per_address", faults),
            failed_logins_per_minute: section.integer("failed_logins_per_minute", faults),
            threads: section.integer("threads", faults),
            socket_mode: section.text("socket_mode", faults),
            proxy_protocol: read(section, "proxy_protocol", faults, |section, faults| {
                section.texts("from", faults)
            })
            .flatten(),
            tls: read(section, "tls", faults, tls::Raw::of_server),
        }
    }
}

impl Upstream {
    fn read(section: &mut Section<'_>, faults: &mut Faults<'_>) -> Self {
        Self {
            line: Some(section.line),
            address: section.text("address", faults),
            addresses: section.texts("addresses", faults),
            target_session_attrs: section.text("target_session_attrs", faults),
            pooler: section.text("pooler", faults),
            application_name: section.text("application_name", faults),
            tls: read(section, "tls", faults, tls::Raw::of_upstream),
        }
    }
}

impl Policy {
    fn read(section: &mut Section<'_>, faults: &mut Faults<'_>) -> Self {
        Self {
            mode: section.text("mode", faults),
            bypass_roles: section.texts("bypass_roles", faults),
            catalog: section.text("catalog", faults),
            new_keys: section.text("new_keys", faults),
            rules: rule::Raw::read_all(section, faults),
        }
    }
}

impl Limits {
    fn read(section: &mut Section<'_>, faults: &mut Faults<'_>) -> Self {
        Self {
            startup_timeout_s: section.integer("startup_timeout_s", faults),
            drain_delay_s: section.integer("drain_delay_s", faults),
            drain_spread_s: section.integer("drain_spread_s", faults),
            drain_timeout_s: section.integer("drain_timeout_s", faults),
            catalog_max_age_s: section.integer("catalog_max_age_s", faults),
            idle_timeout_s: section.integer("idle_timeout_s", faults),
            max_message_bytes: section.integer("max_message_bytes", faults),
            max_statements: section.integer("max_statements", faults),
            max_portals: section.integer("max_portals", faults),
            plan_cache_bytes: section.integer("plan_cache_bytes", faults),
            memory_bytes: section.integer("memory_bytes", faults),
            analysis_steps: section.integer("analysis_steps", faults),
        }
    }
}

impl Keys {
    fn read(section: &mut Section<'_>, faults: &mut Faults<'_>) -> Self {
        let current = section.text("current", faults);
        let ring = section.section("ring", faults);
        let ring = ring.map_or_else(Vec::new, |ring| ring.named_sections(faults));
        Self {
            line: section.line,
            current,
            ring: ring
                .into_iter()
                .map(|(name, section)| RingKey::read(name, section, faults))
                .collect(),
        }
    }
}

impl RingKey {
    fn read(name: String, mut section: Section<'_>, faults: &mut Faults<'_>) -> Self {
        let key = Self {
            name,
            line: section.line,
            env: section.text("env", faults),
            file: section.text("file", faults),
            command: section.texts("command", faults),
            timeout_s: section.integer("timeout_s", faults),
            epoch: section.integer("epoch", faults),
        };
        section.finish(faults);
        key
    }
}

impl Id {
    fn read_all(top: &mut Section<'_>, faults: &mut Faults<'_>) -> Vec<Self> {
        let sections = top.sections("id", faults);
        let read = |mut section: Section<'_>| {
            let id = Self {
                line: section.line,
                name: section.text("name", faults),
                column: section.text("column", faults),
                database: section.text("database", faults),
                references: section.texts("references", faults),
                json: Json::read_all(&mut section, faults),
                codec: section.text("codec", faults),
                form: section.text("form", faults),
                prefix: section.text("prefix", faults),
                key_form: section.text("key_form", faults),
                version: section.integer("version", faults),
                prf: section.text("prf", faults),
                rounds: section.integer("rounds", faults),
                versions: section.integers("versions", faults),
                split: section.integer("split", faults),
                epochs: section.boolean("epochs", faults),
                reverse: section.boolean("reverse", faults),
                low: section.integer("low", faults),
                size: section.integer("size", faults),
                stride: section.integer("stride", faults),
                counters: section.text("counters", faults),
                bits: section.integer("bits", faults),
                as_is: section.texts("as_is", faults),
            };
            section.finish(faults);
            id
        };
        sections.into_iter().map(read).collect()
    }

    /// The settings that belong to some codecs only, as far as they are given: name and line.
    pub(super) fn settings(&self) -> impl Iterator<Item = (&'static str, usize)> {
        fn given<T>(name: &'static str, value: &Option<At<T>>) -> Option<(&'static str, usize)> {
            value.as_ref().map(|value| (name, value.line))
        }
        let settings = [
            given("key_form", &self.key_form),
            given("version", &self.version),
            given("prf", &self.prf),
            given("rounds", &self.rounds),
            given("versions", &self.versions),
            given("split", &self.split),
            given("epochs", &self.epochs),
            given("reverse", &self.reverse),
            given("low", &self.low),
            given("size", &self.size),
            given("stride", &self.stride),
            given("counters", &self.counters),
            given("bits", &self.bits),
        ];
        settings.into_iter().flatten()
    }
}

impl Json {
    fn read_all(id: &mut Section<'_>, faults: &mut Faults<'_>) -> Vec<Self> {
        let sections = id.sections("json", faults);
        let read = |mut section: Section<'_>| {
            let json = Self {
                line: section.line,
                column: section.text("column", faults),
                path: section.text("path", faults),
                written: section.text("as", faults),
            };
            section.finish(faults);
            json
        };
        sections.into_iter().map(read).collect()
    }
}

impl Function {
    fn read_all(top: &mut Section<'_>, faults: &mut Faults<'_>) -> Vec<Self> {
        let sections = top.sections("function", faults);
        let read = |mut section: Section<'_>| {
            let function = Self {
                line: section.line,
                name: section.text("name", faults),
                arguments: section.texts("arguments", faults),
                result: section.text_or_table("result", faults),
            };
            section.finish(faults);
            function
        };
        sections.into_iter().map(read).collect()
    }
}

impl Channel {
    fn read_all(top: &mut Section<'_>, faults: &mut Faults<'_>) -> Vec<Self> {
        let sections = top.sections("channel", faults);
        let read = |mut section: Section<'_>| {
            let channel = Self {
                line: section.line,
                name: section.text("name", faults),
                path: section.text("path", faults),
                id: section.text("id", faults),
            };
            section.finish(faults);
            channel
        };
        sections.into_iter().map(read).collect()
    }
}

impl Polymorphic {
    fn read_all(top: &mut Section<'_>, faults: &mut Faults<'_>) -> Vec<Self> {
        let sections = top.sections("polymorphic", faults);
        let read = |mut section: Section<'_>| {
            let polymorphic = Self {
                line: section.line,
                column: section.text("column", faults),
                by: section.text("by", faults),
                ids: section.text_or_table("ids", faults),
            };
            section.finish(faults);
            polymorphic
        };
        sections.into_iter().map(read).collect()
    }
}

impl Check {
    fn read(section: &mut Section<'_>, faults: &mut Faults<'_>) -> Self {
        let plain = section.texts("plain", faults);
        Self { plain }
    }
}

impl Log {
    fn read(section: &mut Section<'_>, faults: &mut Faults<'_>) -> Self {
        Self {
            format: section.text("format", faults),
            level: section.text("level", faults),
        }
    }
}

impl Metrics {
    fn read(section: &mut Section<'_>, faults: &mut Faults<'_>) -> Self {
        section.text("listen", faults);
        let line = section.line;
        Self { line }
    }
}
