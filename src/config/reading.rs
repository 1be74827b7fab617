//! What goes along while the tables of a file are read: the variables that values may name, and what
//! is asked for, so that the settings can be listed as they are read.

use std::cell::RefCell;

use super::table::SettingKind as Kind;

/// A table of a file, or of one that it includes, as it was read.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReadTable {
    /// Its header: `[server]`, `[[id]]`; empty for the settings at the top.
    pub header: String,
    /// Its name in the table of settings, such as `keys.ring.NAME`.
    pub name: String,
    /// What was asked for, in this order.
    pub settings: Vec<ReadSetting>,
}

/// A setting as it was read.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReadSetting {
    /// Its name within the table.
    pub name: &'static str,
    /// What it may be.
    pub(super) kind: Kind,
    /// What it is, as TOML, with the values of variables in the place of their names; `None` if it
    /// is left out, or of another type.
    pub value: Option<String>,
    /// Where it is, counted through all files.
    pub line: usize,
}

impl ReadTable {
    /// One that no file has.
    pub(super) fn new(name: &str) -> Self {
        Self {
            header: format!("[{name}]"),
            name: name.to_owned(),
            settings: Vec::new(),
        }
    }

    /// Puts a value in the place of what was read, if anything was.
    pub(super) fn set(&mut self, name: &'static str, value: String, line: usize) {
        let mut settings = self.settings.iter_mut();
        match settings.find(|setting| setting.name == name) {
            Some(setting) => (setting.value, setting.line) = (Some(value), line),
            None => self.settings.push(ReadSetting {
                name,
                kind: Kind::Text,
                value: Some(value),
                line,
            }),
        }
    }

    /// Takes away what was read.
    pub(super) fn unset(&mut self, name: &str) {
        for setting in &mut self.settings {
            if setting.name == name {
                setting.value = None;
            }
        }
    }
}

/// What goes along.
pub(super) struct Reading<'r> {
    env: &'r dyn Fn(&str) -> Option<String>,
    tables: RefCell<Vec<ReadTable>>,
}

impl<'r> Reading<'r> {
    pub(super) const fn new(env: &'r dyn Fn(&str) -> Option<String>) -> Self {
        Self {
            env,
            tables: RefCell::new(Vec::new()),
        }
    }

    /// The variables.
    pub(super) fn env(&self) -> &dyn Fn(&str) -> Option<String> {
        self.env
    }

    /// Notes a table that is about to be read; gives its number. `path` is its name in the file.
    pub(super) fn begin(&self, header: String, path: &str) -> usize {
        let name = match path.strip_prefix("keys.ring.") {
            Some(_) => "keys.ring.NAME".to_owned(),
            None => path.to_owned(),
        };
        let mut tables = self.tables.borrow_mut();
        tables.push(ReadTable {
            header,
            name,
            settings: Vec::new(),
        });
        tables.len() - 1
    }

    /// Notes a setting of a table.
    pub(super) fn note(&self, table: usize, setting: ReadSetting) {
        if let Some(table) = self.tables.borrow_mut().get_mut(table) {
            table.settings.push(setting);
        }
    }

    /// What was noted.
    pub(super) fn into_tables(self) -> Vec<ReadTable> {
        self.tables.into_inner()
    }
}
