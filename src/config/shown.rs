//! The settings of a file as they hold, without what is secret: for `pgveil config print`, and for
//! whoever asks a running proxy.

use std::borrow::Cow;

use super::{Files, LISTS, ReadSetting, ReadTable, SETTINGS, Setting, TABLES};

/// The programs that print keys may be given secrets.
const SECRET: (&str, &str) = ("keys.ring.NAME", "command");

/// What holds only beside a setting that is given, and is a fault without it.
const BESIDE: [&str; 5] = [
    "auth.require_scram",
    "audit.rotate",
    "audit.keep",
    "server.tls.client_cert",
    "keys.ring.NAME.timeout_s",
];

/// What is printed in the place of what it names.
const INCLUDE: &str = "include";

/// Tables that switch something on by being there.
const SWITCHES: [&str; 4] = ["server.tls", "upstream.tls", "auth.query", "keys.ring.NAME"];

/// A table as it holds.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ShownTable {
    /// Its header, such as `[server]` or `[[id]]`; empty for the settings at the top.
    pub header: String,
    /// What is in it.
    pub settings: Vec<ShownSetting>,
}

/// A setting as it holds.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ShownSetting {
    /// Its name within the table.
    pub name: &'static str,
    /// What it is, as TOML; `…` for what is secret.
    pub value: String,
    /// Where it stands, counted through all files; `None` if it is left out, and the default holds.
    pub line: Option<usize>,
}

/// The settings as TOML, and behind each where it comes from, if the files are given.
#[must_use]
pub fn page(tables: &[ShownTable], origin: Option<&Files>) -> String {
    let mut page = String::new();
    for table in tables {
        if !page.is_empty() {
            page.push('\n');
        }
        if !table.header.is_empty() {
            page.push_str(&table.header);
            page.push('\n');
        }
        for ShownSetting { name, value, line } in &table.settings {
            page.push_str(name);
            page.push_str(" = ");
            page.push_str(value);
            if let Some(files) = origin {
                let place =
                    line.map_or_else(|| "default".to_owned(), |line| files.show(line).to_string());
                page.push_str("  # ");
                page.push_str(&place);
            }
            page.push('\n');
        }
    }
    page
}

/// The settings that were read, table by table: in the order of the reference, and then in that of the
/// file; with `effective` also what holds where a setting is left out.
#[must_use]
pub fn shown(tables: &[ReadTable], effective: bool) -> Vec<ShownTable> {
    Shown { effective }.tables(tables)
}

/// What is shown of settings.
struct Shown {
    effective: bool,
}

impl Shown {
    fn tables(&self, tables: &[ReadTable]) -> Vec<ShownTable> {
        let mut page = Vec::new();
        // What stands below an entry of a list follows it.
        let follows = |name: &str| name.strip_suffix(".json").is_some_and(is_list);
        for (name, _) in TABLES.iter().filter(|(name, _)| !follows(name)) {
            let mut found = tables.iter().filter(|table| table.name == *name).peekable();
            let is_neutral = !is_list(name) && !SWITCHES.contains(name);
            if found.peek().is_none() && self.effective && is_neutral {
                self.absent(name, &mut page);
            }
            for table in joined(name, found) {
                self.table(&table, &mut page);
                let number = tables.iter().position(|other| std::ptr::eq(other, &*table));
                let behind = tables
                    .iter()
                    .skip(number.map_or(tables.len(), |number| number + 1));
                for below in behind.take_while(|other| follows(&other.name)) {
                    self.table(below, &mut page);
                }
            }
        }
        page
    }

    fn table(&self, table: &ReadTable, page: &mut Vec<ShownTable>) {
        let mut lines = Vec::new();
        for setting in settings_of(&table.name) {
            let (_, name) = setting.place();
            if setting.name == INCLUDE {
                continue;
            }
            let read = table.settings.iter().find(|read| read.name == name);
            let read = read.and_then(|read| Some((read, read.value.as_ref()?)));
            match read {
                Some((read, value)) => lines.push(line(table, read, value)),
                None => lines.extend(self.default(setting)),
            }
        }
        // A table that has nothing says something by being there.
        if !lines.is_empty() || !table.header.is_empty() {
            page.push(ShownTable {
                header: table.header.clone(),
                settings: lines,
            });
        }
    }

    /// A table that no file has.
    fn absent(&self, name: &str, page: &mut Vec<ShownTable>) {
        let lines = settings_of(name).filter_map(|setting| self.default(setting));
        let settings: Vec<_> = lines.collect();
        if settings.is_empty() {
            return;
        }
        let header = match name {
            "" => String::new(),
            name => format!("[{name}]"),
        };
        page.push(ShownTable { header, settings });
    }

    /// What holds where a setting is left out.
    fn default(&self, setting: &Setting) -> Option<ShownSetting> {
        let (table, name) = setting.place();
        // Which settings an entry of a list takes depends on the others in it.
        let is_told = self.effective && !is_list(table) && !BESIDE.contains(&setting.name);
        if !is_told || setting.default.is_empty() {
            return None;
        }
        Some(ShownSetting {
            name,
            value: setting.default.to_owned(),
            line: None,
        })
    }
}

fn line(table: &ReadTable, read: &ReadSetting, value: &str) -> ShownSetting {
    let value = match (table.name.as_str(), read.name) == SECRET {
        true => "[\"…\"]",
        false => value,
    };
    ShownSetting {
        name: read.name,
        value: value.to_owned(),
        line: Some(read.line),
    }
}

/// The tables of a name: each entry of a list, and one of what several files have parts of.
fn joined<'t>(
    name: &str,
    mut tables: impl Iterator<Item = &'t ReadTable>,
) -> Vec<Cow<'t, ReadTable>> {
    if is_list(name) || name.ends_with(".NAME") {
        return tables.map(Cow::Borrowed).collect();
    }
    let Some(mut whole) = tables.next().map(Cow::Borrowed) else {
        return Vec::new();
    };
    for part in tables {
        let whole = whole.to_mut();
        for more in part.settings.iter().filter(|more| more.value.is_some()) {
            let mut settings = whole.settings.iter_mut();
            match settings.find(|known| known.name == more.name) {
                Some(known) if known.value.is_some() => {
                    known.value = known.value.take().zip(more.value.as_deref()).map(join);
                }
                Some(known) => known.clone_from(more),
                None => whole.settings.push(more.clone()),
            }
        }
    }
    vec![whole]
}

/// Two lists as one.
fn join((one, other): (String, &str)) -> String {
    match (one.strip_suffix(']'), other.strip_prefix('[')) {
        (Some("["), Some(_)) => other.to_owned(),
        (Some(one), Some(other)) => format!("{one}, {other}"),
        _ => other.to_owned(),
    }
}

fn is_list(name: &str) -> bool {
    LISTS.contains(&name)
}

fn settings_of(table: &str) -> impl Iterator<Item = &'static Setting> {
    let settings = SETTINGS.iter();
    settings.filter(move |setting| setting.place().0 == table)
}
