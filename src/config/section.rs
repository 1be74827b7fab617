//! Reads tables of a TOML document key by key. A value of the wrong type and a key that nobody
//! asked for become faults with their line; reading goes on.

use std::collections::BTreeMap;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::fault::Faults;

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
}

impl<'i> Section<'i> {
    /// The whole document, or nothing if it is not TOML.
    pub(super) fn document(text: &'i str, faults: &mut Faults<'_>) -> Option<Self> {
        match DeTable::parse(text) {
            Ok(table) => Some(Self::new(String::new(), 1, table.into_inner(), faults)),
            Err(error) => {
                let line = error.span().map_or(1, |span| faults.line_of(span.start));
                let cause = error.message().trim().replace('\n', ", ");
                faults.add(line, cause, "correct the TOML syntax");
                None
            }
        }
    }

    fn new(name: String, line: usize, table: DeTable<'i>, faults: &Faults<'_>) -> Self {
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
        }
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
        let At { value, line } = self.take(key)?;
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
        let At { value, line } = self.take(key)?;
        let value = whole_number(&value, line, &self.path(key), faults)?;
        Some(At { value, line })
    }

    /// A table of whole numbers, by names that the operator chose; `None` if one is something else.
    pub(super) fn integers(
        &mut self,
        key: &'static str,
        faults: &mut Faults<'_>,
    ) -> Option<At<Vec<(String, i64)>>> {
        let Section {
            name: path,
            line,
            entries,
            ..
        } = self.section(key, faults)?;
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
        let At { value, line } = self.take(key)?;
        if let DeValue::Boolean(value) = value {
            return Some(At { value, line });
        }
        wrong_type(&self.path(key), &value, line, "true or false", faults);
        None
    }

    /// A list of strings, each with its line.
    pub(super) fn texts(
        &mut self,
        key: &'static str,
        faults: &mut Faults<'_>,
    ) -> Option<At<Vec<At<String>>>> {
        let At { value, line } = self.take(key)?;
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
        let At { value, line } = self.take(key)?;
        let path = self.path(key);
        if let DeValue::String(text) = value {
            let value = text.into_owned();
            return Some(TextOrTable::Text(At { value, line }));
        }
        let entries = table(value, line, path.clone(), faults);
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
        table(value, line, self.path(key), faults)
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
            sections.extend(table(element.into_inner(), line, path.clone(), faults));
        }
        sections
    }

    /// Every entry of this table as a table, by a name that the operator chose.
    pub(super) fn named_sections(self, faults: &mut Faults<'_>) -> Vec<(String, Self)> {
        let path = self.name;
        let mut sections = Vec::new();
        for (name, At { value, line }) in self.entries {
            let path = format!("{path}.{name}");
            sections.extend(table(value, line, path, faults).map(|section| (name, section)));
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
    path: String,
    faults: &mut Faults<'_>,
) -> Option<Section<'i>> {
    if let DeValue::Table(table) = value {
        return Some(Section::new(path, line, table, faults));
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
