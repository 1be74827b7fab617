//! Documents, as columns of json, jsonb and text may hold them: with keys where the configuration
//! says that some are, and with anything else there.

use crate::random::Random;
use crate::twin::kind::{Keys, Kind};

use super::value::{self, Value};

/// Members that are no keys, and what can't be told from one but by its type.
const MEMBERS: &[&str] = &[
    "null",
    "true",
    "false",
    "0",
    "-0",
    "-1",
    "5",
    "5.0",
    "5e0",
    "1e400",
    "-1e400",
    "1e-400",
    "99999999999999999999999999",
    "0.1",
    "{}",
    "[]",
    "[[]]",
    "[null]",
    "{\"a\": {\"b\": [1, 2, {\"c\": null}]}}",
    "\"\"",
    "\" \"",
    "\"x\"",
    "\"5\"",
    "\"it's\"",
    "\"a\\\"b\\\\c\\nd\\u00e9\"",
    "\"Zoë 日本語 🙂\"",
    "\"\\ud83d\\ude42\"",
    "\"00000000-0000-0000-0000-000000000000\"",
];

/// What is no object at the top of a document.
const TOPS: &[&str] = &[
    "null",
    "true",
    "7",
    "1e400",
    "\"text\"",
    "[]",
    "[1, null]",
    "{}",
    "[[{\"w\": 1}]]",
];

/// What only json and text hold: members that occur twice, and blanks.
const LOOSE: &[&str] = &[
    " { \"w\" : 1 , \"w\" : null } ",
    "{\"w\": {\"w\": 1}, \"w\": \"x\"}",
    "\n[ ]\t",
    "{\"x\": 1.50, \"x\": 1.5}",
];

/// What only text holds: no documents at all.
const BROKEN: &[&str] = &[
    "",
    " ",
    "{",
    "nothing",
    "{\"w\": }",
    "{'w': 1}",
    "[1,]",
    "\\",
];

/// A column of documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Column {
    Jsonb,
    Json,
    Text,
}

/// A random document for a column, and the keys in it.
pub(crate) fn of(
    column: Column,
    kind: &Kind,
    random: &mut Random,
    keys: &[String],
) -> (String, Vec<Value>) {
    let others: &[&[&str]] = match column {
        Column::Jsonb => &[TOPS],
        Column::Json => &[TOPS, LOOSE],
        Column::Text => &[TOPS, LOOSE, BROKEN],
    };
    if random.once_in(4) {
        let texts = *random.choose(others);
        return ((*random.choose(texts)).to_owned(), Vec::new());
    }
    let mut used = Vec::new();
    let mut members = Vec::new();
    for (name, odds) in [("w", 4), ("s", 4), ("title", 2), ("x", 2)] {
        if random.below(5) >= odds {
            continue;
        }
        let is_annotated = match column {
            Column::Jsonb => name == "w" || name == "s",
            Column::Json | Column::Text => name == "w",
        };
        let is_string = name == "s";
        let member = if is_annotated {
            member(kind, random, keys, is_string, &mut used)
        } else {
            (*random.choose(MEMBERS)).to_owned()
        };
        members.push(format!("\"{name}\": {member}"));
    }
    if column == Column::Jsonb && random.below(4) > 0 {
        let count = random.below(4);
        let items: Vec<String> = (0..count)
            .map(|_| member(kind, random, keys, false, &mut used))
            .collect();
        members.push(format!("\"to\": [{}]", items.join(", ")));
    }
    if random.once_in(12) {
        let depth = *random.choose(&[10, 150]);
        let nested = format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        members.push(format!("\"deep\": {nested}"));
    }
    (format!("{{{}}}", members.join(", ")), used)
}

/// A document with nothing but true keys where such are.
pub(crate) fn ordinary(kind: &Kind, keys: &[String]) -> String {
    let string = serde_json::Value::from(keys[0].as_str()).to_string();
    let number = if is_number(kind) { &keys[0] } else { &string };
    format!("{{\"w\": {number}, \"s\": {string}, \"to\": [{number}, null], \"title\": \"x\"}}")
}

fn is_number(kind: &Kind) -> bool {
    matches!(kind.keys, Keys::Int2 | Keys::Int4 | Keys::Int8)
}

/// What stands where keys are: as often as not one.
fn member(
    kind: &Kind,
    random: &mut Random,
    keys: &[String],
    is_string: bool,
    used: &mut Vec<Value>,
) -> String {
    let value = match random.below(8) {
        0..4 => value::key(kind, random, keys),
        4 => value::of(kind, random, keys),
        _ => return (*random.choose(MEMBERS)).to_owned(),
    };
    let as_number = is_number(kind) && random.below(8) > usize::from(is_string) * 6;
    let text = if as_number {
        value.text.clone()
    } else {
        serde_json::Value::from(value.text.as_str()).to_string()
    };
    used.push(value);
    text
}
