//! From the mirror of the file to checked types. Whatever this version can't do is a fault that
//! says so: a setting that is silently ignored would promise a protection that nobody gives.

use std::sync::Arc;
use std::time::Duration;

use super::fault::Faults;
use super::raw::{self, Raw};
use super::section::At;
use super::{
    Address, ColumnName, Config, Fault, IdAnnotation, IdDomain, Limits, Log, LogFormat, Mode,
    Policy, Surroundings, keys,
};
use crate::codec::{Codec, ColumnTypes, DomainName, IdCodec, Presentation, Version};

const LISTEN: &str = "127.0.0.1:6432";
const LISTEN_PORT: u16 = 6432;
const POSTGRES_PORT: u16 = 5432;
const MAX_CONNECTIONS: usize = 1000;

/// Reads and judges a text.
pub(super) fn check(text: &str, around: &Surroundings<'_>) -> Result<Config, Vec<Fault>> {
    let mut faults = Faults::new(text);
    let config = Raw::read(text, &mut faults).and_then(|raw| whole(raw, around, &mut faults));
    let found = faults.into_sorted();
    match config {
        Some(config) if found.is_empty() => Ok(config),
        _ => Err(found),
    }
}

fn whole(raw: Raw, around: &Surroundings<'_>, faults: &mut Faults<'_>) -> Option<Config> {
    no_tls(raw.server.tls.as_ref(), "between client and pgveil", faults);
    no_tls(
        raw.upstream.tls.as_ref(),
        "between pgveil and Postgres",
        faults,
    );
    if let Some(metrics) = raw.metrics {
        let cause = "this version has no metrics endpoint";
        faults.add(metrics.line, cause, "remove [metrics]");
    }
    let listen = listen(raw.server.listen, faults);
    let max_connections = positive(raw.server.max_connections, "max_connections", faults);
    let upstream = upstream(raw.upstream, faults);
    let policy = policy(raw.policy, faults);
    let limits = limits(&raw.limits, faults);
    let log = log(raw.log, faults);
    let domains = domains(raw.keys, raw.ids, around, faults);
    Some(Config {
        listen,
        max_connections: max_connections.unwrap_or(MAX_CONNECTIONS),
        upstream: upstream?,
        policy,
        domains: domains?,
        log,
        limits,
    })
}

fn no_tls(tls: Option<&raw::Tls>, leg: &str, faults: &mut Faults<'_>) {
    let Some(tls) = tls else { return };
    let (line, mode) = match &tls.mode {
        Some(mode) => (mode.line, mode.value.as_str()),
        None => (tls.line, ""),
    };
    if mode != "disable" {
        let cause = format!("this version has no TLS {leg}");
        let advice =
            "write mode = \"disable\" or remove it, and keep this leg on a private network";
        faults.add(line, cause, advice);
    }
}

fn listen(raw: Option<At<Vec<At<String>>>>, faults: &mut Faults<'_>) -> Vec<Address> {
    let Some(raw) = raw else {
        return Address::parse(LISTEN, LISTEN_PORT).into_iter().collect();
    };
    if raw.value.is_empty() {
        let advice = format!("name at least one address, such as \"{LISTEN}\"");
        faults.add(raw.line, "`server.listen` is empty", advice);
    }
    let parse = |text: &At<String>| address(text, LISTEN_PORT, faults);
    raw.value.iter().filter_map(parse).collect()
}

fn address(text: &At<String>, default_port: u16, faults: &mut Faults<'_>) -> Option<Address> {
    let address = Address::parse(&text.value, default_port);
    if address.is_none() {
        let cause = format!("`{}` is no address", text.value);
        faults.add(text.line, cause, "write \"host:port\" or \"unix:/folder\"");
    }
    address
}

fn upstream(raw: raw::Upstream, faults: &mut Faults<'_>) -> Option<Address> {
    let Some(text) = raw.address else {
        let cause = "it does not say where Postgres is";
        let advice = "add [upstream] with address = \"127.0.0.1:5432\"";
        faults.add(raw.line.unwrap_or(1), cause, advice);
        return None;
    };
    address(&text, POSTGRES_PORT, faults)
}

fn policy(raw: raw::Policy, faults: &mut Faults<'_>) -> Policy {
    let modes = [("enforce", Mode::Enforce), ("audit", Mode::Audit)];
    let roles = raw.bypass_roles.map_or_else(Vec::new, |roles| roles.value);
    Policy {
        mode: choice(raw.mode, "policy.mode", &modes, faults).unwrap_or(Mode::Enforce),
        bypass_roles: roles.into_iter().map(|role| role.value).collect(),
    }
}

fn limits(raw: &raw::Limits, faults: &mut Faults<'_>) -> Limits {
    let mut seconds = |value: &Option<At<i64>>, name, default| {
        let count = positive(value.clone(), name, faults);
        count.map_or(default, |count| Duration::from_secs(count as u64))
    };
    let Limits {
        startup_timeout,
        drain_timeout,
        catalog_max_age,
    } = Limits::default();
    Limits {
        startup_timeout: seconds(&raw.startup_timeout_s, "startup_timeout_s", startup_timeout),
        drain_timeout: seconds(&raw.drain_timeout_s, "drain_timeout_s", drain_timeout),
        catalog_max_age: seconds(&raw.catalog_max_age_s, "catalog_max_age_s", catalog_max_age),
    }
}

fn log(raw: raw::Log, faults: &mut Faults<'_>) -> Log {
    let formats = [("json", LogFormat::Json), ("pretty", LogFormat::Pretty)];
    Log {
        format: choice(raw.format, "log.format", &formats, faults).unwrap_or(LogFormat::Json),
        level: raw
            .level
            .map_or_else(|| "info".to_owned(), |level| level.value),
    }
}

/// One of a few words.
fn choice<T: Copy>(
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

fn positive(raw: Option<At<i64>>, name: &str, faults: &mut Faults<'_>) -> Option<usize> {
    let At { value, line } = raw?;
    let count = u32::try_from(value).ok().filter(|count| *count > 0);
    if count.is_none() {
        let advice = "write a whole number from 1 to 4294967295";
        faults.add(line, format!("`{name}` can't be {value}"), advice);
    }
    count.and_then(|count| usize::try_from(count).ok())
}

/// The domains; `None` if the keys or an annotation are faulty.
fn domains(
    keys: Option<raw::Keys>,
    ids: Vec<raw::Id>,
    around: &Surroundings<'_>,
    faults: &mut Faults<'_>,
) -> Option<Vec<IdDomain>> {
    let ring = match keys {
        Some(keys) => keys::ring(keys, around, faults),
        None => {
            if let Some(id) = ids.first() {
                let advice = "add [keys] with current = \"NAME\", and [keys.ring.NAME] with env, \
                              file or command; `pgveil keygen` makes a key";
                faults.add(id.line, "there is no key to encode ids with", advice);
            }
            None
        }
    };
    if ids.len() > usize::from(u16::MAX) {
        faults.add(1, "too many [[id]] tables", "write at most 65535");
    }
    let mut domains: Vec<IdDomain> = Vec::new();
    let mut complete = true;
    for id in ids {
        not_built(&id, faults);
        let line = id.line;
        let Some((name, version, annotation)) = annotation(id, faults) else {
            complete = false;
            continue;
        };
        distinct(line, &annotation, &domains, faults);
        if let Some(ring) = &ring {
            let codec = IdCodec::feistel(ring, &name, version);
            let codec = Arc::new(Codec::ids(codec, Presentation::Native));
            domains.push(IdDomain { annotation, codec });
        } else {
            complete = false;
        }
    }
    complete.then_some(domains)
}

fn not_built(id: &raw::Id, faults: &mut Faults<'_>) {
    let mut check = |setting: &Option<At<String>>, name: &str, built: &str| {
        if let Some(At { value, line }) = setting
            && value != built
        {
            let cause = format!("this version has no {name} \"{value}\"");
            faults.add(
                *line,
                cause,
                format!("remove it, or write {name} = \"{built}\""),
            );
        }
    };
    check(&id.codec, "codec", "feistel");
    check(&id.form, "form", "uuid");
    if let Some(prefix) = &id.prefix {
        let cause = "a uuid has no prefix, and this version has no other form";
        faults.add(prefix.line, cause, "remove prefix");
    }
}

fn annotation(id: raw::Id, faults: &mut Faults<'_>) -> Option<(DomainName, Version, IdAnnotation)> {
    let Some(name) = id.name else {
        faults.add(
            id.line,
            "[[id]] has no name",
            "add name = \"…\", such as the table in singular",
        );
        return None;
    };
    let Some(column) = id.column else {
        let advice = "add column = \"schema.table.column\", the key that the ids stand for";
        faults.add(
            id.line,
            format!("id `{}` has no column", name.value),
            advice,
        );
        return None;
    };
    let domain = name.value.parse::<DomainName>();
    if domain.is_err() {
        let cause = format!("`{}` can't name an id domain", name.value);
        faults.add(
            name.line,
            cause,
            "use 1 to 64 of the characters A-Z a-z 0-9 . _ -",
        );
    }
    let version = match &id.version {
        None => Version::V8,
        Some(At { value: 8, .. }) => Version::V8,
        Some(At { value: 4, .. }) => Version::V4,
        Some(At { value, line }) => {
            let advice = "write version = 8, or 4 for clients that know no newer version";
            faults.add(
                *line,
                format!("ids can't be UUIDs of version {value}"),
                advice,
            );
            Version::V8
        }
    };
    let references = id.references.map_or_else(Vec::new, |list| list.value);
    let references: Vec<_> = references
        .iter()
        .filter_map(|reference| column_name(reference, faults))
        .collect();
    let annotation = IdAnnotation {
        column: column_name(&column, faults)?,
        name: name.value,
        references,
        types: ColumnTypes::INTEGERS_AS_UUIDS,
    };
    Some((domain.ok()?, version, annotation))
}

fn distinct(line: usize, new: &IdAnnotation, known: &[IdDomain], faults: &mut Faults<'_>) {
    for IdDomain { annotation, .. } in known {
        if annotation.name == new.name {
            let cause = format!("there are two id domains `{}`", new.name);
            faults.add(line, cause, "give each [[id]] a name of its own");
        }
        let columns = |id: &IdAnnotation| -> Vec<ColumnName> {
            std::iter::once(&id.column)
                .chain(&id.references)
                .cloned()
                .collect()
        };
        for column in columns(new)
            .iter()
            .filter(|column| columns(annotation).contains(column))
        {
            let cause = format!("{column} is in id domain `{}` already", annotation.name);
            faults.add(
                line,
                cause,
                "a column belongs to one id domain; remove it from the other",
            );
        }
    }
}

/// Reads `schema.table.column`; a part in double quotes may hold a dot.
fn column_name(text: &At<String>, faults: &mut Faults<'_>) -> Option<ColumnName> {
    let parts = identifiers(&text.value);
    if let Some([schema, table, column]) = parts.as_deref() {
        return Some(ColumnName {
            schema: schema.clone(),
            table: table.clone(),
            column: column.clone(),
        });
    }
    let cause = format!("`{}` is no column", text.value);
    faults.add(
        text.line,
        cause,
        "write \"schema.table.column\", such as \"public.users.id\"",
    );
    None
}

fn identifiers(text: &str) -> Option<Vec<String>> {
    let mut parts = Vec::new();
    let mut rest = text;
    loop {
        let (part, after) = match rest.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"')?,
            None => rest.split_at(rest.find('.').unwrap_or(rest.len())),
        };
        if part.is_empty() {
            return None;
        }
        parts.push(part.to_owned());
        match after.strip_prefix('.') {
            Some(next) => rest = next,
            None => return after.is_empty().then_some(parts),
        }
    }
}
