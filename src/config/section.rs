//! Reads tables of a TOML document key by key. A value of the wrong type and a key that nobody
//! asked for become faults with their line; reading goes on. Values may name variables of the
//! environment, but for those of `[keys]`, whose commands have variables of their own.

use std::cell::Cell;
use std::collections::BTreeMap;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::fault::Faults;
use super::reading::{ReadSetting, Reading};
use super::table::SettingKind as Kind;
use super::variables::{NoValue, expand};
use super::written;

/// A value and the line on which it stands.
#[derive(Debug, Clone)]
pub(super) struct At<T> {
    pub(super) value: T,
    pub(super) line: usize,
}

/// What may be a string or a table of strings.
#[derive(Debug, Clone)]
pub(super) enum TextOrTable {
    Text(At<String>),
    Table(Vec<(String, At<String>)>),
}

/// A table that is being read.
pub(super) struct Section<'i> {
    /// As in the file: `server.tls`.
    pub(super) name: String,
    /// The line of its header.
    pub(super) line: usize,
    entries: BTreeMap<String, At<DeValue<'i>>>,
    known: Vec<&'static str>,
    reading: &'i Reading<'i>,
    /// How it is told among the tables that are read, once something has been asked of it.
    header: String,
    number: Cell<Option<usize>>,
}

/// A value that has been taken out of a table.
struct Taken<'i> {
    value: DeValue<'i>,
    line: usize,
    /// Whether variables stood in it.
    replaced: bool,
}

impl Taken<'_> {
    /// A number or a boolean that comes from a variable, and so stands in a string.
    fn plain(&self, kind: Kind) -> Option<&str> {
        let DeValue::String(text) = &self.value else {
            return None;
        };
        let fits = match kind {
            Kind::Integer => text.parse::<i64>().is_ok(),
            Kind::Boolean => text.parse::<bool>().is_ok(),
            _ => false,
        };
        (self.replaced && fits).then_some(text)
    }
}

/// The header of what has none.
const INLINE: &str = "{}";

/// How a table is written.
#[derive(Clone, Copy)]
enum Header {
    /// `[name]`
    One,
    /// `[[name]]`
    Many,
    /// As a value: it is a setting itself.
    Inline,
}

impl<'i> Section<'i> {
    /// The whole document, or nothing if it is not TOML.
    pub(super) fn document(
        text: &'i str,
        reading: &'i Reading<'i>,
        faults: &mut Faults<'_>,
    ) -> Option<Self> {
        match DeTable::parse(text) {
            Ok(table) => {
                let line = faults.line_of(0);
                let table = table.into_inner();
                let header = Header::One;
                Some(Self::new(
                    String::new(),
                    line,
                    (table, header),
                    reading,
                    faults,
                ))
            }
            Err(error) => {
                let line = error.span().map_or(1, |span| faults.line_of(span.start));
                let cause = error.message().trim().replace('\n', ", ");
                faults.add(line, cause, "correct the TOML syntax");
                None
            }
        }
    }

    fn new(
        name: String,
        line: usize,
        (table, header): (DeTable<'i>, Header),
        reading: &'i Reading<'i>,
        faults: &Faults<'_>,
    ) -> Self {
        let header = match header {
            Header::One if name.is_empty() => String::new(),
            Header::One => format!("[{}]", header_of(&name)),
            Header::Many => format!("[[{name}]]"),
            Header::Inline => INLINE.to_owned(),
        };
        let entry = |(key, value): (Spanned<_>, Spanned<DeValue<'i>>)| {
            let line = faults.line_of(key.span().start);
            let key: std::borrow::Cow<'_, str> = key.into_inner();
            let value = value.into_inner();
            (key.into_owned(), At { value, line })
        };
        Self {
            name,
            line,
            entries: table.into_iter().map(entry).collect(),
            known: Vec::new(),
            reading,
            header,
            number: Cell::new(None),
        }
    }

    /// Notes what a setting is.
    fn note(&self, name: &'static str, kind: Kind, value: Option<String>, line: usize) {
        let setting = ReadSetting {
            name,
            kind,
            value,
            line,
        };
        if self.header != INLINE {
            let begin = || self.reading.begin(self.header.clone(), &self.name);
            let number = self.number.get().unwrap_or_else(begin);
            self.number.set(Some(number));
            self.reading.note(number, setting);
        }
    }

    /// Takes a setting out, with its variables replaced; notes what it is.
    fn setting(
        &mut self,
        key: &'static str,
        kind: Kind,
        faults: &mut Faults<'_>,
    ) -> Option<Taken<'i>> {
        let Some(At { mut value, line }) = self.take(key) else {
            self.note(key, kind, None, 0);
            return None;
        };
        let path = self.path(key);
        let replaced = match self.name.starts_with("keys") {
            true => Replaced::None,
            false => replace_variables(&mut value, self.reading, (&path, line), faults),
        };
        let is_sound = replaced != Replaced::Faulty;
        let taken = Taken {
            value,
            line,
            replaced: replaced == Replaced::Some,
        };
        let shown = match taken.plain(kind) {
            Some(text) => text.to_owned(),
            // As a file would have it.
            None if self.name.starts_with("keys") => written::text(&taken.value),
            None => written::text(&taken.value).replace("${", "$${"),
        };
        self.note(key, kind, is_sound.then_some(shown), line);
        is_sound.then_some(taken)
    }

    fn take(&mut self, key: &'static str) -> Option<At<DeValue<'i>>> {
        self.known.push(key);
        self.entries.remove(key)
    }

    fn path(&self, key: &str) -> String {
        if self.name.is_empty() {
            key.to_owned()
        } else {
            format!("{}.{key}", self.name)
        }
    }

    pub(super) fn text(
        &mut self,
        key: &'static str,
        faults: &mut Faults<'_>,
    ) -> Option<At<String>> {
        let Taken { value, line, .. } = self.setting(key, Kind::Text, faults)?;
        let path = self.path(key);
        Some(At {
            value: string(value, line, &path, faults)?,
            line,
        })
    }

    pub(super) fn integer(
        &mut self,
        key: &'static str,
        faults: &mut Faults<'_>,
    ) -> Option<At<i64>> {
        let taken = self.setting(key, Kind::Integer, faults)?;
        let line = taken.line;
        let plain = taken
            .plain(Kind::Integer)
            .and_then(|text| text.parse().ok());
        let value = match plain {
            Some(number) => number,
            None => whole_number(&taken.value, line, &self.path(key), faults)?,
        };
        Some(At { value, line })
    }

    /// A table of whole numbers, by names that the operator chose; `None` if one is something else.
    pub(super) fn integers(
        &mut self,
        key: &'static str,
        faults: &mut Faults<'_>,
    ) -> Option<At<Vec<(String, i64)>>> {
        let Taken { value, line, .. } = self.setting(key, Kind::Integers, faults)?;
        let path = self.path(key);
        let Section { entries, .. } = table(
            value,
            line,
            (path.clone(), Header::Inline),
            self.reading,
            faults,
        )?;
        let number = |(name, entry): (String, At<DeValue<'_>>)| {
            let path = format!("{path}.{name}");
            let number = whole_number(&entry.value, entry.line, &path, faults);
            number.map(|number| (name, number))
        };
        let numbers: Vec<_> = entries.into_iter().map(number).collect();
        let value = numbers.into_iter().collect::<Option<_>>()?;
        Some(At { value, line })
    }

    pub(super) fn boolean(
        &mut self,
        key: &'static str,
        faults: &mut Faults<'_>,
    ) -> Option<At<bool>> {
        let taken = self.setting(key, Kind::Boolean, faults)?;
        let line = taken.line;
        let plain = taken
            .plain(Kind::Boolean)
            .and_then(|text| text.parse().ok());
        let is = match taken.value {
            DeValue::Boolean(is) => Some(is),
            _ => plain,
        };
        if is.is_none() {
            wrong_type(&self.path(key), &taken.value, line, "true or false", faults);
        }
        is.map(|value| At { value, line })
    }

    /// A list of strings, each with its line.
    pub(super) fn texts(
        &mut self,
        key: &'static str,
        faults: &mut Faults<'_>,
    ) -> Option<At<Vec<At<String>>>> {
        let Taken { value, line, .. } = self.setting(key, Kind::Texts, faults)?;
        let path = self.path(key);
        let DeValue::Array(array) = value else {
            wrong_type(&path, &value, line, "a list of strings", faults);
            return None;
        };
        let mut texts = Vec::new();
        for element in array {
            let line = faults.line_of(element.span().start);
            let value = string(element.into_inner(), line, &path, faults);
            texts.extend(value.map(|value| At { value, line }));
        }
        Some(At { value: texts, line })
    }

    /// A string, or a table of strings by names that the operator chose. What is neither becomes
    /// a fault and an empty table.
    pub(super) fn text_or_table(
        &mut self,
        key: &'static str,
        faults: &mut Faults<'_>,
    ) -> Option<TextOrTable> {
        let Taken { value, line, .. } = self.setting(key, Kind::TextOrTable, faults)?;
        let path = self.path(key);
        if let DeValue::String(text) = value {
            let value = text.into_owned();
            return Some(TextOrTable::Text(At { value, line }));
        }
        let inline = (path.clone(), Header::Inline);
        let entries = table(value, line, inline, self.reading, faults);
        let entries = entries.map_or_else(BTreeMap::new, |section| section.entries);
        let entry = |(name, At { value, line }): (String, At<DeValue<'_>>)| {
            let value = string(value, line, &format!("{path}.{name}"), faults)?;
            Some((name, At { value, line }))
        };
        Some(TextOrTable::Table(
            entries.into_iter().filter_map(entry).collect(),
        ))
    }

    /// A table below this one.
    pub(super) fn section(&mut self, key: &'static str, faults: &mut Faults<'_>) -> Option<Self> {
        let At { value, line } = self.take(key)?;
        let path = (self.path(key), Header::One);
        table(value, line, path, self.reading, faults)
    }

    /// A list of tables (`[[key]]`), each with the line of its header.
    pub(super) fn sections(&mut self, key: &'static str, faults: &mut Faults<'_>) -> Vec<Self> {
        let Some(At { value, line }) = self.take(key) else {
            return Vec::new();
        };
        let path = self.path(key);
        let DeValue::Array(array) = value else {
            wrong_type(&path, &value, line, "a list of tables, [[…]]", faults);
            return Vec::new();
        };
        let mut sections = Vec::new();
        for element in array {
            let line = faults.line_of(element.span().start);
            let path = (path.clone(), Header::Many);
            sections.extend(table(
                element.into_inner(),
                line,
                path,
                self.reading,
                faults,
            ));
        }
        sections
    }

    /// Every entry of this table as a table, by a name that the operator chose.
    pub(super) fn named_sections(self, faults: &mut Faults<'_>) -> Vec<(String, Self)> {
        let path = self.name;
        let mut sections = Vec::new();
        for (name, At { value, line }) in self.entries {
            let path = (format!("{path}.{name}"), Header::One);
            let section = table(value, line, path, self.reading, faults);
            sections.extend(section.map(|section| (name, section)));
        }
        sections
    }

    /// Reports every key that was not asked for.
    pub(super) fn finish(self, faults: &mut Faults<'_>) {
        let place = match self.name.as_str() {
            "" => "at the top of the file".to_owned(),
            name => format!("in [{name}]"),
        };
        for (key, At { line, .. }) in &self.entries {
            let advice = match nearest(key, &self.known) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("known keys {place}: {}", self.known.join(", ")),
            };
            faults.add(*line, format!("unknown key `{key}` {place}"), advice);
        }
    }
}

/// A name of a table as a header has it: what an operator has chosen may need quotes.
fn header_of(name: &str) -> std::borrow::Cow<'_, str> {
    let is_bare = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    match name.strip_prefix("keys.ring.") {
        Some(key) if !key.bytes().all(is_bare) => {
            format!("keys.ring.{}", written::quoted(key)).into()
        }
        _ => name.into(),
    }
}

/// What has become of the variables in a value, from the least to the most.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Replaced {
    /// There are none.
    None,
    /// Their values stand in their places.
    Some,
    /// One has no value, which is a fault.
    Faulty,
}

/// Puts the values of variables in the place of their names in a value, and in those of a list or an
/// inline table.
fn replace_variables(
    value: &mut DeValue<'_>,
    reading: &Reading<'_>,
    (path, line): (&str, usize),
    faults: &mut Faults<'_>,
) -> Replaced {
    let mut within = |value: &mut Spanned<DeValue<'_>>| {
        replace_variables(value.get_mut(), reading, (path, line), faults)
    };
    let text = match value {
        DeValue::String(text) => text,
        DeValue::Array(values) => {
            return values
                .iter_mut()
                .map(within)
                .max()
                .unwrap_or(Replaced::None);
        }
        DeValue::Table(table) => {
            let values = table.iter_mut().map(|(_, value)| value);
            return values.map(&mut within).max().unwrap_or(Replaced::None);
        }
        DeValue::Integer(_) | DeValue::Float(_) | DeValue::Boolean(_) | DeValue::Datetime(_) => {
            return Replaced::None;
        }
    };
    let expanded = match expand(text, reading.env()) {
        Ok(std::borrow::Cow::Borrowed(_)) => return Replaced::None,
        Ok(std::borrow::Cow::Owned(expanded)) => expanded,
        Err(NoValue::Unset(name)) => {
            let cause = format!("`{path}` names the variable {name}, which is not set");
            let advice = format!("set it, or write ${{{name}:-what holds without it}}");
            faults.add(line, cause, advice);
            return Replaced::Faulty;
        }
        Err(NoValue::Malformed) => {
            let cause = format!("`{path}` has `${{` in it, and no name of a variable behind it");
            let advice = "write ${NAME} or ${NAME:-default}, or $${ for the two characters";
            faults.add(line, cause, advice);
            return Replaced::Faulty;
        }
    };
    *text = std::borrow::Cow::Owned(expanded);
    Replaced::Some
}

fn string(value: DeValue<'_>, line: usize, path: &str, faults: &mut Faults<'_>) -> Option<String> {
    if let DeValue::String(text) = value {
        return Some(text.into_owned());
    }
    wrong_type(path, &value, line, "a string", faults);
    None
}

fn whole_number(
    value: &DeValue<'_>,
    line: usize,
    path: &str,
    faults: &mut Faults<'_>,
) -> Option<i64> {
    if let DeValue::Integer(integer) = value
        && let Ok(number) = i64::from_str_radix(integer.as_str(), integer.radix())
    {
        return Some(number);
    }
    wrong_type(path, value, line, "a whole number", faults);
    None
}

fn table<'i>(
    value: DeValue<'i>,
    line: usize,
    (path, header): (String, Header),
    reading: &'i Reading<'i>,
    faults: &mut Faults<'_>,
) -> Option<Section<'i>> {
    if let DeValue::Table(table) = value {
        return Some(Section::new(path, line, (table, header), reading, faults));
    }
    wrong_type(&path, &value, line, "a table", faults);
    None
}

fn wrong_type(
    path: &str,
    found: &DeValue<'_>,
    line: usize,
    expected: &str,
    faults: &mut Faults<'_>,
) {
    let found = match found {
        DeValue::String(_) => "a string",
        DeValue::Integer(_) => "a whole number",
        DeValue::Float(_) => "a fraction",
        DeValue::Boolean(_) => "true or false",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "a list",
        DeValue::Table(_) => "a table",
    };
    let cause = format!("`{path}` is {found}");
    faults.add(line, cause, format!("write {expected}"));
}

/// The known word that is close enough to be what was meant.
pub(super) fn nearest<'k>(key: &str, known: &[&'k str]) -> Option<&'k str> {
    known
        .iter()
        .map(|candidate| (strsim::jaro_winkler(key, candidate), *candidate))
        .filter(|(similarity, _)| *similarity > 0.75)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, candidate)| candidate)
}
