//! The text format: a line of a plan a row.

use super::labels::is_measure;
use super::{End, PlanMasker};

/// What a group in parentheses at the end of a node's line consists of: its words, each but those
/// of `never executed` with a number behind `=`.
const GROUPS: [&[&str]; 5] = [
    &["cost", "rows", "width"],
    &["actual", "time", "rows", "loops"],
    &["actual", "rows", "loops"],
    &["actual", "time", "rows"],
    &["never", "executed"],
];

impl PlanMasker<'_> {
    /// A line, where the one before ended so, and how this one ends.
    pub(super) fn line(&self, line: &[u8], before: End) -> (Vec<u8>, End) {
        if before == End::Unbalanced {
            return (self.stored.masked(line), End::Unbalanced);
        }
        let indent = line.iter().take_while(|byte| **byte == b' ').count();
        let (head, rest) = line.split_at_checked(indent).unwrap_or((&[], line));
        if before == End::Closed && (is_measure(rest) || is_title(rest)) {
            return (line.to_vec(), End::Closed);
        }
        let (text, measures) = match before {
            End::Closed => split_measures(rest),
            _ => (rest, &[][..]),
        };
        let mut out = head.to_vec();
        // Blanks at the beginning are within the quotes of the line before.
        let end = match before {
            End::Closed => self.expression(text, before, &mut out),
            _ => {
                out.clear();
                self.expression(line, before, &mut out)
            }
        };
        if end != End::Closed && self.stored.are_words() {
            return (self.stored.masked(line), End::Unbalanced);
        }
        out.extend_from_slice(measures);
        (out, end)
    }
}

/// Whether a line holds nothing but settings, or the name of a CTE, which has no quotes there.
fn is_title(line: &[u8]) -> bool {
    let cte = line.starts_with(b"CTE ") && !line.starts_with(b"CTE Scan on ");
    cte || line.starts_with(b"Settings: ")
}

/// Cuts costs and times off the end of a line.
fn split_measures(line: &[u8]) -> (&[u8], &[u8]) {
    let mut end = trigger(line).unwrap_or(line.len());
    while let Some(start) = last_group(line.get(..end).unwrap_or_default()) {
        end = start;
    }
    line.split_at_checked(end).unwrap_or((line, &[]))
}

/// Where `: time=0.1 calls=1` begins at the end of the line of a trigger.
fn trigger(line: &[u8]) -> Option<usize> {
    line.strip_prefix(b"Trigger ")?;
    let start = line.windows(2).rposition(|bytes| bytes == b": ")?;
    let words = line.get(start + 2..)?.split(|byte| *byte == b' ');
    let is_measure = |word: &[u8]| {
        let rest = word.strip_prefix(b"time=").or(word.strip_prefix(b"calls="));
        rest.is_some_and(is_number)
    };
    words.into_iter().all(is_measure).then_some(start)
}

/// Where a group begins that ends the line.
fn last_group(line: &[u8]) -> Option<usize> {
    let inside = line.strip_suffix(b")")?;
    let start = inside.windows(2).rposition(|bytes| bytes == b" (")?;
    let words: Vec<&[u8]> = inside
        .get(start + 2..)?
        .split(|byte| *byte == b' ')
        .collect();
    let is_group = |group: &&[&str]| {
        group.len() == words.len()
            && group
                .iter()
                .zip(&words)
                .all(|(name, word)| is_part(name, word))
    };
    GROUPS.iter().find(|group| is_group(group)).map(|_| start)
}

fn is_part(name: &str, word: &[u8]) -> bool {
    match word.strip_prefix(name.as_bytes()) {
        Some(b"") => matches!(name, "actual" | "never" | "executed"),
        Some(value) => value.strip_prefix(b"=").is_some_and(is_number),
        None => false,
    }
}

/// `5`, `0.29` or `0.29..8.30`
fn is_number(text: &[u8]) -> bool {
    !text.is_empty()
        && text
            .iter()
            .all(|byte| byte.is_ascii_digit() || *byte == b'.')
}
