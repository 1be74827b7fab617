//! The settings of a file as TOML.

use std::borrow::Cow;

use crate::config::{Files, LISTS, ReadSetting, ReadTable, SETTINGS, Setting, TABLES};

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

/// What is shown of settings.
pub(super) struct Shown<'f> {
    /// What holds where a setting is left out, too.
    pub(super) effective: bool,
    /// Where each comes from.
    pub(super) origin: Option<&'f Files>,
}

impl Shown<'_> {
    /// The settings, table by table: in the order of the reference, and then in that of the file.
    pub(super) fn page(&self, tables: &[ReadTable]) -> String {
        let mut page = String::new();
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

    fn table(&self, table: &ReadTable, page: &mut String) {
        let mut lines = Vec::new();
        for setting in settings_of(&table.name) {
            let (_, name) = setting.place();
            if setting.name == INCLUDE {
                continue;
            }
            let read = table.settings.iter().find(|read| read.name == name);
            let read = read.and_then(|read| Some((read, read.value.as_ref()?)));
            match read {
                Some((read, value)) => lines.push(self.line(table, read, value)),
                None => lines.extend(self.default(setting)),
            }
        }
        // A table that has nothing says something by being there.
        if !lines.is_empty() || !table.header.is_empty() {
            write_table(&table.header, &lines, page);
        }
    }

    /// A table that no file has.
    fn absent(&self, name: &str, page: &mut String) {
        let lines = settings_of(name).filter_map(|setting| self.default(setting));
        let lines: Vec<String> = lines.collect();
        if lines.is_empty() {
            return;
        }
        let header = match name {
            "" => String::new(),
            name => format!("[{name}]"),
        };
        write_table(&header, &lines, page);
    }

    fn line(&self, table: &ReadTable, read: &ReadSetting, value: &str) -> String {
        let value = match (table.name.as_str(), read.name) == SECRET {
            true => "[\"…\"]",
            false => value,
        };
        let line = format!("{} = {value}", read.name);
        match self.origin {
            Some(files) => format!("{line}  # {}", files.show(read.line)),
            None => line,
        }
    }

    /// What holds where a setting is left out.
    fn default(&self, setting: &Setting) -> Option<String> {
        let (table, name) = setting.place();
        // Which settings an entry of a list takes depends on the others in it.
        let is_told = self.effective && !is_list(table) && !BESIDE.contains(&setting.name);
        if !is_told || setting.default.is_empty() {
            return None;
        }
        let line = format!("{name} = {}", setting.default);
        Some(match self.origin {
            Some(_) => format!("{line}  # default"),
            None => line,
        })
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

fn write_table(header: &str, lines: &[String], page: &mut String) {
    if !page.is_empty() {
        page.push('\n');
    }
    if !header.is_empty() {
        page.push_str(header);
        page.push('\n');
    }
    for line in lines {
        page.push_str(line);
        page.push('\n');
    }
}
