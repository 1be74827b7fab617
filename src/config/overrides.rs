//! What stands in the place of settings of the file: flags, and variables of the environment.

use super::raw::Raw;
use super::reading::ReadTable;
use super::section::At;
use super::written::quoted;

/// What stands in the place of what the file says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Overrides {
    /// Instead of `server.listen`, unless it is empty.
    pub listen: Vec<String>,
    /// Instead of `upstream.address` or `upstream.addresses`.
    pub upstream: Option<String>,
    /// Instead of `log.level`.
    pub log: Option<String>,
}

/// The line of what is on no line of a file.
const COMMAND_LINE: usize = 0;

impl Overrides {
    /// Puts them into what was read.
    pub(super) fn apply(&self, raw: &mut Raw) {
        let at = |value: &String| At {
            value: value.clone(),
            line: COMMAND_LINE,
        };
        if !self.listen.is_empty() {
            raw.server.listen = Some(At {
                value: self.listen.iter().map(at).collect(),
                line: COMMAND_LINE,
            });
        }
        if let Some(upstream) = &self.upstream {
            raw.upstream.address = Some(at(upstream));
            raw.upstream.addresses = None;
        }
        if let Some(level) = &self.log {
            raw.log.level = Some(at(level));
        }
    }

    /// Puts them into what is shown of what was read.
    pub(super) fn show(&self, mut tables: Vec<ReadTable>) -> Vec<ReadTable> {
        let list = |texts: &[String]| {
            let texts: Vec<String> = texts.iter().map(|text| quoted(text)).collect();
            (!texts.is_empty()).then(|| format!("[{}]", texts.join(", ")))
        };
        let given = [
            ("server", "listen", list(&self.listen)),
            ("upstream", "address", self.upstream.as_deref().map(quoted)),
            ("log", "level", self.log.as_deref().map(quoted)),
        ];
        for (table, name, value) in given {
            let Some(value) = value else {
                continue;
            };
            if !tables.iter().any(|read| read.name == table) {
                tables.push(ReadTable::new(table));
            }
            let tables = tables.iter_mut().filter(|read| read.name == table);
            for read in tables {
                read.set(name, value.clone(), COMMAND_LINE);
                if (table, name) == ("upstream", "address") {
                    read.unset("addresses");
                }
            }
        }
        tables
    }
}
