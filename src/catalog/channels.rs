//! What the payloads of channels are: those of a name, and those of names that match a pattern.

use std::collections::HashMap;

use crate::config::{ChannelAnnotation, PathStep};

use super::draft::Draft;
use super::{DomainId, IdType};

/// An id in the payload of a channel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChannelId {
    /// The place in a JSON document; empty if it is the whole payload.
    pub path: Vec<PathStep>,
    /// The id.
    pub id: IdType,
}

/// The channels that the configuration declares. One without ids carries none.
#[derive(Debug, Default, Clone)]
pub(super) struct Channels {
    named: HashMap<String, Vec<ChannelId>>,
    /// Names with `*` in them, which stands for anything.
    patterns: Vec<(String, Vec<ChannelId>)>,
}

impl Channels {
    /// The declared channels, but those of domains that this database does not have. An id is of
    /// the type of the column that defines its domain.
    pub(super) fn new(draft: &Draft, declarations: &[ChannelAnnotation]) -> Self {
        let defining = draft.defining.iter().filter_map(|(relation, attnum)| {
            let column = draft.relations.get(relation)?.attribute(*attnum)?;
            Some(column.id?.id)
        });
        let defining: Vec<IdType> = defining.collect();
        let mut channels = Self::default();
        for channel in declarations {
            let id = match channel.domain {
                None => None,
                Some(domain) => {
                    let of = |id: &&IdType| id.domain == DomainId(domain);
                    let Some(id) = defining.iter().find(of) else {
                        continue;
                    };
                    let path = channel.path.clone();
                    Some(ChannelId { path, id: *id })
                }
            };
            channels.of(&channel.name).extend(id);
        }
        channels
    }

    /// What is declared under a name or a pattern.
    fn of(&mut self, name: &str) -> &mut Vec<ChannelId> {
        if !name.contains('*') {
            return self.named.entry(name.to_owned()).or_default();
        }
        let known = self
            .patterns
            .iter()
            .position(|(pattern, _)| pattern == name);
        let at = known.unwrap_or_else(|| {
            self.patterns.push((name.to_owned(), Vec::new()));
            self.patterns.len() - 1
        });
        &mut self.patterns[at].1
    }

    /// What is declared of a channel: by its name, or else by a pattern that it matches, of several
    /// by one with ids.
    pub(super) fn get(&self, name: &str) -> Option<&[ChannelId]> {
        if let Some(ids) = self.named.get(name) {
            return Some(ids);
        }
        let matching = self
            .patterns
            .iter()
            .filter(|(pattern, _)| matches(pattern, name));
        let ids = matching.max_by_key(|(pattern, ids)| (!ids.is_empty(), pattern.len()));
        ids.map(|(_, ids)| ids.as_slice())
    }

    /// Whether any channel carries ids.
    pub(super) fn carry_ids(&self) -> bool {
        let patterns = self.patterns.iter().map(|(_, ids)| ids);
        self.named
            .values()
            .chain(patterns)
            .any(|ids| !ids.is_empty())
    }
}

/// Whether a name is what a pattern says, in which each `*` stands for anything.
fn matches(pattern: &str, name: &str) -> bool {
    let Some((first, rest)) = pattern.split_once('*') else {
        return pattern == name;
    };
    let Some(mut name) = name.strip_prefix(first) else {
        return false;
    };
    let mut parts: Vec<&str> = rest.split('*').collect();
    let last = parts.pop().unwrap_or_default();
    for part in parts {
        let Some(at) = name.find(part) else {
            return false;
        };
        name = &name[at + part.len()..];
    }
    name.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_stands_for_anything() {
        let matching = [
            ("queue#*", "queue#default"),
            ("queue#*", "queue#"),
            ("*", ""),
            ("*:insert", "jobs:insert"),
            ("a*b*c", "abc"),
            ("a*b*c", "a-b-b-c"),
            ("a**c", "ac"),
        ];
        let others = [
            ("queue#*", "queue"),
            ("queue#*", "a queue#default"),
            ("*:insert", "jobs:insert:"),
            ("a*b*c", "acb"),
            ("a*a", "a"),
            ("ab*bc", "abc"),
        ];
        assert!(
            matching
                .iter()
                .all(|(pattern, name)| matches(pattern, name))
        );
        assert!(!others.iter().any(|(pattern, name)| matches(pattern, name)));
    }
}
