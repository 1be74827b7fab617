//! What the payloads of channels are: those of a name, and those of names that match a pattern.

use std::collections::HashMap;

use crate::config::{ChannelAnnotation, NamePattern, PathStep};

use super::draft::Draft;
use super::{DomainId, IdType, json};

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
    /// the type of the columns that define its domain.
    pub(super) fn new(draft: &Draft, declarations: &[ChannelAnnotation]) -> Self {
        let mut channels = Self::default();
        for channel in declarations {
            let id = match channel.domain {
                None => None,
                Some(domain) => {
                    let Some(id) = json::defining(draft, DomainId(domain)) else {
                        continue;
                    };
                    let path = channel.path.clone();
                    Some(ChannelId { path, id })
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
            .filter(|(pattern, _)| NamePattern::new(pattern).matches(name));
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
