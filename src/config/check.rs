//! From the mirror of the file to checked types. Whatever this version can't do is a fault that
//! says so: a setting that is silently ignored would promise a protection that nobody gives.

use std::net::IpAddr;
use std::num::NonZero;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use ipnet::IpNet;

use super::fault::Faults;
use super::files::{self, Files};
use super::name;
use super::raw::{self, Raw};
use super::reading::{ReadTable, Reading};
use super::rule;
use super::section::At;
use super::{
    Address, Admin, Audit, Auth, Building, CatalogShows, Config, Environment, Fault, Limits,
    Listen, Log, LogFormat, Mode, NewKeys, Overrides, Policy, admin, audit, auth, channel,
    function, ids, keys, limit, plain, polymorphic, tls, upstream, written,
};

const LISTEN: &str = "127.0.0.1:6432";
const LISTEN_PORT: u16 = 6432;
const MAX_CONNECTIONS: usize = 1000;

/// More threads than this serve nobody better.
const MOST_THREADS: usize = 1024;
/// Everyone on the machine may connect, as to Postgres: who gets in is decided by the login.
const SOCKET_MODE: u32 = 0o777;

/// The version of the form of the file.
const VERSION: i64 = 1;

/// A configuration that is being read: its file, and those that it includes.
struct Document<'t> {
    raw: Option<Raw>,
    faults: Faults<'t>,
    files: Files,
    written: written::Written,
}

impl<'t> Document<'t> {
    /// Reads a text. What the command line says stands in the place of what the text does.
    fn read(
        (file, text): (&Path, &'t str),
        around: &Environment<'_>,
        reading: &Reading<'_>,
        overrides: &Overrides,
    ) -> Self {
        let mut faults = Faults::new(text);
        let mut files = Files::of(file);
        let mut written = written::settings(text);
        let mut raw = Raw::read(text, reading, &mut faults);
        if let Some(raw) = &mut raw {
            version(raw.version.as_ref(), &mut faults);
            let mut before = text.lines().count();
            for (path, text) in files::included(raw.include.take(), around.folder, &mut faults) {
                files.push(path, before);
                let mut inside = Faults::behind(&text, before);
                raw.include(&text, reading, &mut inside);
                faults.take(inside);
                written::add(&text, &mut written);
                before += text.lines().count();
            }
            overrides.apply(raw);
        }
        Self {
            raw,
            faults,
            files,
            written,
        }
    }
}

/// Reads and judges a text. `progress` is told of what takes long.
pub(super) fn check(
    (file, text): (&Path, &str),
    around: &Environment<'_>,
    overrides: &Overrides,
    progress: &dyn Fn(Building<'_>),
) -> Result<Config, (Files, Vec<Fault>)> {
    let reading = Reading::new(around.env);
    let document = Document::read((file, text), around, &reading, overrides);
    let Document {
        raw,
        mut faults,
        files,
        written,
    } = document;
    let config = raw.and_then(|raw| whole(raw, around, progress, &mut faults));
    let (found, warnings) = faults.into_sorted();
    match config {
        Some(config) if found.is_empty() => Ok(Config {
            warnings,
            written,
            files,
            read: overrides.show(reading.into_tables()),
            ..config
        }),
        _ => Err((files, found)),
    }
}

/// How to log, whatever else is in the text.
pub(super) fn peek_log(text: &str, around: &Environment<'_>, overrides: &Overrides) -> Log {
    let reading = Reading::new(around.env);
    let document = Document::read((Path::new(""), text), around, &reading, overrides);
    let Document {
        raw, mut faults, ..
    } = document;
    let raw = raw.unwrap_or_default();
    let audit = audit::check(raw.audit, around.folder, &mut faults);
    log(raw.log, audit, &mut faults)
}

/// Where health is shown, whatever else is in the text; the faults, if nobody can tell for them.
pub(super) fn peek_admin(
    (file, text): (&Path, &str),
    around: &Environment<'_>,
) -> Result<Admin, (Files, Vec<Fault>)> {
    let reading = Reading::new(around.env);
    let document = Document::read((file, text), around, &reading, &Overrides::default());
    let Document {
        raw,
        mut faults,
        files,
        ..
    } = document;
    let addresses = |raw| admin::addresses(&raw, around, &mut faults);
    let found = raw.unwrap_or_default().admin.map(addresses);
    let found = found.unwrap_or_default();
    let (faults, _) = faults.into_sorted();
    let is_told = found.listen.is_some() || found.probes.is_some();
    match is_told || faults.is_empty() {
        true => Ok(found),
        false => Err((files, faults)),
    }
}

/// The settings as they are read, whether or not they can be used, but for what is no TOML: then its
/// faults.
pub(super) fn peek_settings(
    (file, text): (&Path, &str),
    around: &Environment<'_>,
    overrides: &Overrides,
) -> Result<(Files, Vec<ReadTable>), (Files, Vec<Fault>)> {
    let reading = Reading::new(around.env);
    let document = Document::read((file, text), around, &reading, overrides);
    let Document { faults, files, .. } = document;
    let (faults, _) = faults.into_sorted();
    match faults.is_empty() {
        true => Ok((files, overrides.show(reading.into_tables()))),
        false => Err((files, faults)),
    }
}

fn version(raw: Option<&At<i64>>, faults: &mut Faults<'_>) {
    if let Some(At { value, line }) = raw
        && *value != VERSION
    {
        let cause = format!("the file is of version {value}, and this pgveil reads version 1");
        let advice = "write version = 1, or run the pgveil that the file was written for";
        faults.add(*line, cause, advice);
    }
}

fn whole(
    raw: Raw,
    around: &Environment<'_>,
    progress: &dyn Fn(Building<'_>),
    faults: &mut Faults<'_>,
) -> Option<Config> {
    let auth = auth::check(raw.auth, around, faults);
    let authenticates = !auth.as_ref().is_some_and(Auth::passes_through);
    let tls = tls::server(raw.server.tls, authenticates, around, faults);
    if let Some(metrics) = raw.metrics {
        let cause = "there is no [metrics]: they are a part of [admin]";
        let advice = "write [admin] with probes = \"0.0.0.0:9633\", or with listen";
        faults.add(metrics.line, cause, advice);
    }
    let listen = listen(raw.server.listen, faults);
    let proxy_protocol = networks(raw.server.proxy_protocol, faults);
    let reuse_port = raw.server.reuse_port.map(|of| of.value);
    let max_connections = positive(raw.server.max_connections, "max_connections", faults);
    let max_per_address = positive(raw.server.max_per_address, "max_per_address", faults);
    let failed_logins = raw.server.failed_logins_per_minute;
    let failed_logins = positive(failed_logins, "failed_logins_per_minute", faults);
    let threads = threads(raw.server.threads, faults);
    let socket_mode = socket_mode(raw.server.socket_mode, faults);
    let poolers = [("none", false), ("session", false), ("transaction", true)];
    let pooler = raw.upstream.pooler.clone();
    let upstream_pooled = choice(pooler, "upstream.pooler", &poolers, faults).unwrap_or(false);
    let (upstream, upstream_tls) = upstream::check(raw.upstream, authenticates, around, faults);
    let policy = policy(raw.policy, &raw.ids, faults);
    let limits = limits(&raw.limits, faults);
    let session_limits = limit::check(raw.session_limits, faults);
    let audit = audit::check(raw.audit, around.folder, faults);
    let log = log(raw.log, audit, faults);
    let admin = admin::check(raw.admin, around, faults);
    let functions = function::functions(raw.functions, &raw.ids, faults);
    let channels = channel::channels(raw.channels, &raw.ids, faults);
    let polymorphic = polymorphic::annotations(raw.polymorphic, &raw.ids, faults);
    let ring = keys::given(raw.keys, &raw.ids, around, faults);
    let stand_ins = ring.as_ref().map(|ring| Arc::new(ring.stand_ins()));
    let keys = ring
        .as_ref()
        .map_or_else(Vec::new, |ring| ring.entries.clone());
    let plain = plain::columns(raw.check, faults);
    let domains = ids::domains(ring, raw.ids, around, progress, faults);
    plain::distinct(&plain, domains.as_deref().unwrap_or_default(), faults);
    polymorphic::distinct(&polymorphic, domains.as_deref(), faults);
    Some(Config {
        listen,
        reuse_port: reuse_port.unwrap_or_default(),
        proxy_protocol,
        max_connections: max_connections.unwrap_or(MAX_CONNECTIONS),
        max_per_address,
        failed_logins_per_minute: failed_logins,
        threads,
        socket_mode: socket_mode.unwrap_or(SOCKET_MODE),
        tls,
        upstream: upstream?,
        upstream_pooled,
        upstream_tls,
        auth: auth?,
        stand_ins,
        policy,
        keys,
        domains: domains?,
        functions: functions.into(),
        channels: channels.into(),
        polymorphic: polymorphic.into(),
        plain,
        log,
        admin,
        limits,
        session_limits,
        warnings: Vec::new(),
        written: written::Written::new(),
        read: Vec::new(),
        files: Files::default(),
    })
}

fn listen(raw: Option<At<Vec<At<String>>>>, faults: &mut Faults<'_>) -> Vec<Listen> {
    let Some(raw) = raw else {
        return Listen::parse(LISTEN, LISTEN_PORT).into_iter().collect();
    };
    if raw.value.is_empty() {
        let advice = format!("name at least one address, such as \"{LISTEN}\"");
        faults.add(raw.line, "`server.listen` is empty", advice);
    }
    let parse = |text: &At<String>| match Listen::parse(&text.value, LISTEN_PORT) {
        None => address(text, LISTEN_PORT, faults).map(Listen::At),
        listen => listen,
    };
    raw.value.iter().filter_map(parse).collect()
}

/// Addresses, each alone or with the length of its network.
fn networks(raw: Option<At<Vec<At<String>>>>, faults: &mut Faults<'_>) -> Vec<IpNet> {
    let mut networks = Vec::new();
    for At { value, line } in raw.into_iter().flat_map(|raw| raw.value) {
        let alone = || value.parse().map(|address: IpAddr| address.into()).ok();
        match value.parse().ok().or_else(alone) {
            Some(network) => networks.push(network),
            None => {
                let cause = format!("`{value}` is no network");
                let advice = "write an address, with the length of its network: \"10.0.0.0/8\"";
                faults.add(line, cause, advice);
            }
        }
    }
    networks
}

/// The permissions of a Unix socket.
fn socket_mode(raw: Option<At<String>>, faults: &mut Faults<'_>) -> Option<u32> {
    let At { value, line } = raw?;
    let is_octal = value.bytes().all(|byte| matches!(byte, b'0'..=b'7'));
    let mode = u32::from_str_radix(&value, 8).ok();
    let mode = mode.filter(|mode| is_octal && *mode <= 0o777);
    if mode.is_none() {
        let cause = format!("`server.socket_mode` can't be \"{value}\"");
        let advice = "write the permissions as for chmod, such as \"0777\" (everyone) or \"0770\" \
                      (the group)";
        faults.add(line, cause, advice);
    }
    mode
}

pub(super) fn address(
    text: &At<String>,
    default_port: u16,
    faults: &mut Faults<'_>,
) -> Option<Address> {
    let address = Address::parse(&text.value, default_port);
    if address.is_none() {
        let cause = format!("`{}` is no address", text.value);
        faults.add(text.line, cause, "write \"host:port\" or \"unix:/folder\"");
    }
    address
}

fn policy(raw: raw::Policy, ids: &[raw::Id], faults: &mut Faults<'_>) -> Policy {
    let modes = [
        ("enforce", Mode::Enforce),
        ("audit", Mode::Audit),
        ("observe", Mode::Observe),
    ];
    let shows = [("ids", CatalogShows::Ids), ("truth", CatalogShows::Truth)];
    let new_keys = [("warn", NewKeys::Warn), ("refuse", NewKeys::Refuse)];
    let roles = raw.bypass_roles.map_or_else(Vec::new, |roles| roles.value);
    let mode = choice(raw.mode, "policy.mode", &modes, faults).unwrap_or(Mode::Enforce);
    Policy {
        mode,
        rules: rule::check(raw.rules, ids, mode, faults),
        bypass_roles: roles
            .into_iter()
            .filter(|role| name::is_kept(&role.value, role.line, faults))
            .map(|role| role.value)
            .collect(),
        catalog: choice(raw.catalog, "policy.catalog", &shows, faults).unwrap_or_default(),
        new_keys: choice(raw.new_keys, "policy.new_keys", &new_keys, faults).unwrap_or_default(),
    }
}

fn limits(raw: &raw::Limits, faults: &mut Faults<'_>) -> Limits {
    let defaults = Limits::default();
    // Zero looks at the database before every batch.
    let catalog_max_age = zero_or_more(&raw.catalog_max_age_s, "catalog_max_age_s", faults);
    let drain_delay = zero_or_more(&raw.drain_delay_s, "drain_delay_s", faults);
    let drain_spread = zero_or_more(&raw.drain_spread_s, "drain_spread_s", faults);
    let memory_bytes = bytes(raw.memory_bytes.clone(), "memory_bytes", faults);
    let mut count = |value: &Option<At<i64>>, name| positive(value.clone(), name, faults);
    let seconds = |count: usize| Duration::from_secs(count as u64);
    let limits = Limits {
        startup_timeout: count(&raw.startup_timeout_s, "startup_timeout_s")
            .map_or(defaults.startup_timeout, seconds),
        drain_delay: drain_delay.map_or(defaults.drain_delay, seconds),
        drain_spread: drain_spread.map_or(defaults.drain_spread, seconds),
        drain_timeout: count(&raw.drain_timeout_s, "drain_timeout_s")
            .map_or(defaults.drain_timeout, seconds),
        catalog_max_age: catalog_max_age.map_or(defaults.catalog_max_age, seconds),
        idle_timeout: count(&raw.idle_timeout_s, "idle_timeout_s").map(seconds),
        max_message_bytes: count(&raw.max_message_bytes, "max_message_bytes")
            .map_or(defaults.max_message_bytes, |most| {
                most.min(defaults.max_message_bytes)
            }),
        max_statements: count(&raw.max_statements, "max_statements")
            .unwrap_or(defaults.max_statements),
        max_portals: count(&raw.max_portals, "max_portals").unwrap_or(defaults.max_portals),
        plan_cache_bytes: count(&raw.plan_cache_bytes, "plan_cache_bytes")
            .unwrap_or(defaults.plan_cache_bytes),
        memory_bytes,
        analysis_steps: count(&raw.analysis_steps, "analysis_steps")
            .unwrap_or(defaults.analysis_steps),
    };
    if let Some(spread) = &raw.drain_spread_s
        && limits.drain_spread >= limits.drain_timeout
    {
        let timeout = limits.drain_timeout.as_secs();
        let cause = format!(
            "`drain_spread_s` is {}, and all sessions are ended after `drain_timeout_s`, {timeout}",
            spread.value
        );
        let advice = "write a spread that is over before that, or a longer drain_timeout_s";
        faults.add(spread.line, cause, advice);
    }
    limits
}

fn log(raw: raw::Log, audit: Audit, faults: &mut Faults<'_>) -> Log {
    let formats = [("json", LogFormat::Json), ("pretty", LogFormat::Pretty)];
    Log {
        format: choice(raw.format, "log.format", &formats, faults).unwrap_or(LogFormat::Json),
        level: raw
            .level
            .map_or_else(|| "info".to_owned(), |level| level.value),
        audit,
    }
}

/// One of a few words.
pub(super) fn choice<T: Copy>(
    raw: Option<At<String>>,
    name: &str,
    words: &[(&str, T)],
    faults: &mut Faults<'_>,
) -> Option<T> {
    let At { value, line } = raw?;
    let chosen = words.iter().find(|(word, _)| *word == value);
    if chosen.is_none() {
        let words: Vec<String> = words
            .iter()
            .map(|(word, _)| format!("\"{word}\""))
            .collect();
        let advice = format!("write {}", words.join(" or "));
        faults.add(line, format!("`{name}` can't be \"{value}\""), advice);
    }
    chosen.map(|(_, meaning)| *meaning)
}

/// As many bytes as a machine may have.
fn bytes(raw: Option<At<i64>>, name: &str, faults: &mut Faults<'_>) -> Option<usize> {
    let At { value, line } = raw?;
    let bytes = usize::try_from(value).ok().filter(|bytes| *bytes > 0);
    if bytes.is_none() {
        let advice = "write a number of bytes, 1 or more";
        faults.add(line, format!("`{name}` can't be {value}"), advice);
    }
    bytes
}

pub(super) fn zero_or_more(
    raw: &Option<At<i64>>,
    name: &str,
    faults: &mut Faults<'_>,
) -> Option<usize> {
    match raw {
        Some(At { value: 0, .. }) => Some(0),
        other => positive(other.clone(), name, faults),
    }
}

/// How many threads are to serve clients.
fn threads(raw: Option<At<i64>>, faults: &mut Faults<'_>) -> Option<NonZero<usize>> {
    let At { value, line } = raw?;
    let count = usize::try_from(value).ok().and_then(NonZero::new);
    let count = count.filter(|count| count.get() <= MOST_THREADS);
    if count.is_none() {
        let advice = "write a whole number from 1 to 1024: one for each processor is enough";
        faults.add(line, format!("`threads` can't be {value}"), advice);
    }
    count
}

pub(super) fn positive(raw: Option<At<i64>>, name: &str, faults: &mut Faults<'_>) -> Option<usize> {
    let At { value, line } = raw?;
    let count = u32::try_from(value).ok().filter(|count| *count > 0);
    if count.is_none() {
        let advice = "write a whole number from 1 to 4294967295";
        faults.add(line, format!("`{name}` can't be {value}"), advice);
    }
    count.and_then(|count| usize::try_from(count).ok())
}
