//! What in the values of a column could be keys, by where in documents it stands: numbers, uuids and
//! longer texts. Nothing of it is shown but the names of members, and these only if they look like
//! names of a program.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::chance::SMALL;

/// More places than these are not told apart, and no more values of one place are kept.
const MOST: usize = 2_000;

/// How long keys of text are: shorter texts are words, which may be keys by chance.
const TEXT: std::ops::RangeInclusive<usize> = 16..=64;

/// What could be keys at one place.
#[derive(Debug, Default)]
pub(super) struct Seen {
    pub(super) numbers: BTreeSet<i64>,
    pub(super) uuids: BTreeSet<String>,
    pub(super) texts: BTreeSet<String>,
}

/// The values of a column.
#[derive(Debug, Default)]
pub(super) struct Values {
    /// By path; none is the value itself, if it is no document.
    pub(super) at: BTreeMap<Option<String>, Seen>,
    /// How many were not looked at, as they are large.
    pub(super) large: usize,
}

impl Values {
    /// Takes a value: a document, or a scalar.
    pub(super) fn take(&mut self, text: &str, is_json: bool) {
        let opens = text.trim_start().starts_with(['{', '[']);
        let document = (is_json || opens).then(|| serde_json::from_str::<Value>(text).ok());
        match document.flatten() {
            Some(document) => self.walk(&document, "$"),
            None => self.scalar(text, None),
        }
    }

    fn walk(&mut self, value: &Value, path: &str) {
        match value {
            Value::Object(members) => {
                for (name, member) in members {
                    self.walk(member, &format!("{path}.{}", shown(name)));
                }
            }
            Value::Array(elements) => {
                let path = format!("{path}[*]");
                for element in elements {
                    self.walk(element, &path);
                }
            }
            Value::String(text) => self.scalar(text, Some(path)),
            Value::Number(number) => self.scalar(&number.to_string(), Some(path)),
            Value::Null | Value::Bool(_) => {}
        }
    }

    fn scalar(&mut self, text: &str, path: Option<&str>) {
        let path = path.map(str::to_owned);
        if self.at.len() >= MOST && !self.at.contains_key(&path) {
            return;
        }
        let seen = self.at.entry(path).or_default();
        if let Ok(number) = text.parse::<i64>() {
            if number > SMALL && number.to_string() == text && seen.numbers.len() < MOST {
                seen.numbers.insert(number);
            }
            return;
        }
        if let Some(uuid) = uuid(text)
            && seen.uuids.len() < MOST
        {
            seen.uuids.insert(uuid);
        }
        let is_word = |c: char| c.is_ascii_graphic();
        if TEXT.contains(&text.len()) && text.chars().all(is_word) && seen.texts.len() < MOST {
            seen.texts.insert(text.to_owned());
        }
    }
}

/// The digits of a uuid, with hyphens or without.
fn uuid(text: &str) -> Option<String> {
    let hyphens = text.len() == 36
        && [8, 13, 18, 23]
            .iter()
            .all(|at| text.as_bytes()[*at] == b'-');
    let digits: String = text.chars().filter(|c| *c != '-' || !hyphens).collect();
    let is_one = digits.len() == 32 && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_one.then(|| digits.to_ascii_lowercase())
}

/// The name of a member as it is shown: one that may be a value, as the key of a map is, is `*`.
fn shown(name: &str) -> &str {
    let mut chars = name.chars();
    let begins = chars
        .next()
        .is_some_and(|c| c.is_ascii_alphabetic() || c == '_');
    let is_name = begins && chars.all(|c| c.is_ascii_alphanumeric() || c == '_');
    let digits = name.bytes().filter(u8::is_ascii_digit).count();
    match is_name && name.len() <= 40 && digits < 3 && uuid(name).is_none() {
        true => name,
        false => "*",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_found_by_where_they_stand() {
        let mut values = Values::default();
        let document = r#"{"user": {"id": 5001}, "ids": [6001, "7001", 3], "86139": 8001,
            "jo@example.org": {"at": "5B1D6E1C-0000-7000-8000-000000000001"}, "note": "short", "n": 5.5}"#;
        values.take(document, true);
        values.take(" {\"user\": {\"id\": \"05001\"}}", false);
        values.take("9001", false);
        let numbers: Vec<_> = values
            .at
            .iter()
            .filter(|(_, seen)| !seen.numbers.is_empty())
            .map(|(path, seen)| (path.as_deref(), seen.numbers.iter().copied().collect()))
            .collect();
        let expected: [(_, Vec<i64>); 4] = [
            (None, vec![9001]),
            (Some("$.*"), vec![8001]),
            (Some("$.ids[*]"), vec![6001, 7001]),
            (Some("$.user.id"), vec![5001]),
        ];
        assert_eq!(numbers, expected);
        let uuids = &values.at[&Some("$.*.at".to_owned())].uuids;
        assert!(uuids.contains("5b1d6e1c000070008000000000000001"));
        values.take("{not a document", true);
        values.take("é-------------------------------------", false);
    }
}
