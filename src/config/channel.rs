//! The `[[channel]]` tables: which channels of `NOTIFY` carry an id as their payload, or ids at
//! places of a JSON document.

use super::fault::Faults;
use super::name::MAX_NAME_BYTES;
use super::path::{self, PathStep};
use super::raw;
use super::section::nearest;

/// What is declared of a channel: its payload is an id of the domain at this position, as text, or
/// a JSON document with such an id at a path, or holds no ids.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChannelAnnotation {
    /// The name, as `pg_notify` takes it: case matters. Each `*` in it stands for anything.
    pub name: String,
    /// The domain; `None` if the channel carries no ids.
    pub domain: Option<u16>,
    /// The place in the document; empty if the id is the whole payload.
    pub path: Vec<PathStep>,
}

/// The id of a channel that carries none.
const NO_IDS: &str = "-";

/// The declarations that have no fault.
pub(super) fn channels(
    channels: Vec<raw::Channel>,
    ids: &[raw::Id],
    faults: &mut Faults<'_>,
) -> Vec<ChannelAnnotation> {
    let names = ids.iter().map(|id| id.name.as_ref());
    let domains: Vec<&str> = names
        .map(|name| name.map_or("", |name| name.value.as_str()))
        .collect();
    let mut known: Vec<ChannelAnnotation> = Vec::new();
    for channel in channels {
        let line = channel.line;
        let Some(new) = annotation(channel, &domains, faults) else {
            continue;
        };
        let clashes = |known: &ChannelAnnotation| {
            let whole = known.path.is_empty() || new.path.is_empty();
            known.name == new.name && (whole || known.path == new.path)
        };
        if known.iter().any(clashes) {
            let cause = format!("channel `{}` is declared twice", new.name);
            let advice = "remove one of the two [[channel]], or give each another path";
            faults.add(line, cause, advice);
        }
        known.push(new);
    }
    known
}

fn annotation(
    raw: raw::Channel,
    domains: &[&str],
    faults: &mut Faults<'_>,
) -> Option<ChannelAnnotation> {
    let Some(name) = raw.name else {
        let advice = "add name = \"channel\", as LISTEN has it";
        faults.add(raw.line, "[[channel]] has no name", advice);
        return None;
    };
    if name.value.is_empty() || name.value.len() > MAX_NAME_BYTES {
        let cause = format!("`{}` is no channel", name.value);
        faults.add(name.line, cause, "a name has 1 to 63 bytes");
        return None;
    }
    let Some(id) = raw.id else {
        let cause = format!("channel `{}` has no id", name.value);
        let advice = "add id = \"…\": the name of the [[id]] that its payload is of, or \"-\"";
        faults.add(raw.line, cause, advice);
        return None;
    };
    if id.value == NO_IDS {
        if let Some(path) = raw.path {
            let cause = format!("channel `{}` has a path and no ids", name.value);
            faults.add(
                path.line,
                cause,
                "leave out path, or name the id that stands there",
            );
            return None;
        }
        return Some(ChannelAnnotation {
            name: name.value,
            domain: None,
            path: Vec::new(),
        });
    }
    let Some(domain) = domains.iter().position(|domain| *domain == id.value) else {
        let cause = format!("there is no id domain `{}`", id.value);
        let advice = match nearest(&id.value, domains) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "write the name of an [[id]]".to_owned(),
        };
        faults.add(id.line, cause, advice);
        return None;
    };
    let path = match raw.path {
        None => Vec::new(),
        Some(text) => {
            let path = path::steps(&text.value).filter(|path| !path.is_empty());
            if path.is_none() {
                let cause = format!("`{}` is no path", text.value);
                let advice = "write \"$.member\", \"$.member.other\", \"$.members[*].id\"";
                faults.add(text.line, cause, advice);
            }
            path?
        }
    };
    Some(ChannelAnnotation {
        path,
        name: name.value,
        domain: Some(u16::try_from(domain).ok()?),
    })
}
