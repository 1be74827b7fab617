//! The XML format: an element a property, and `Item` for each value of a list.

use super::PlanMasker;
use super::labels::{SETTINGS, is_name, is_number};

/// What is escaped in text, as Postgres does (`escape_xml`).
const ENTITIES: [(u8, &[u8]); 4] = [
    (b'&', b"&amp;"),
    (b'<', b"&lt;"),
    (b'>', b"&gt;"),
    (b'\r', b"&#x0d;"),
];

impl PlanMasker<'_> {
    /// A plan in XML; `None` if it is none.
    pub(super) fn xml(&self, text: &[u8]) -> Option<Vec<u8>> {
        let mut out = Vec::with_capacity(text.len());
        let mut open: Vec<&[u8]> = Vec::new();
        let mut rest = text;
        while !rest.is_empty() {
            let bracket = memchr::memchr(b'<', rest).unwrap_or(rest.len());
            let (value, after) = rest.split_at_checked(bracket)?;
            self.content(&open, value, &mut out)?;
            if after.is_empty() {
                break;
            }
            let end = memchr::memchr(b'>', after)? + 1;
            let (element, after) = after.split_at_checked(end)?;
            let name = element.strip_prefix(b"<")?.strip_suffix(b">")?;
            if let Some(closed) = name.strip_prefix(b"/") {
                if open.pop()? != closed {
                    return None;
                }
            } else if !name.ends_with(b"/") {
                let attributes = memchr::memchr(b' ', name).unwrap_or(name.len());
                open.push(name.get(..attributes)?);
            }
            out.extend_from_slice(element);
            rest = after;
        }
        open.is_empty().then_some(out)
    }

    /// What stands in an element.
    fn content(&self, open: &[&[u8]], text: &[u8], out: &mut Vec<u8>) -> Option<()> {
        let label = match open {
            [.., list, b"Item"] => list,
            [.., label] => label,
            [] => &b""[..],
        };
        let settings = open
            .iter()
            .rev()
            .nth(1)
            .is_some_and(|outer| *outer == SETTINGS);
        let digits = |byte: &u8| byte.is_ascii_digit() || b".+-e".contains(byte);
        let measured = is_number(label) && text.iter().all(digits);
        if settings || is_name(label) || measured || text.iter().all(u8::is_ascii_whitespace) {
            out.extend_from_slice(text);
            return Some(());
        }
        let shown = self.property(&unescaped(text)?);
        escape(&shown, out);
        Some(())
    }
}

fn unescaped(text: &[u8]) -> Option<Vec<u8>> {
    let mut value = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = memchr::memchr(b'&', rest) {
        let (before, from) = rest.split_at_checked(at)?;
        value.extend_from_slice(before);
        let mut known = ENTITIES.iter();
        let (byte, entity) = known.find(|(_, entity)| from.starts_with(entity))?;
        value.push(*byte);
        rest = from.get(entity.len()..)?;
    }
    value.extend_from_slice(rest);
    Some(value)
}

fn escape(value: &[u8], out: &mut Vec<u8>) {
    for byte in value {
        match ENTITIES.iter().find(|(known, _)| known == byte) {
            Some((_, entity)) => out.extend_from_slice(entity),
            None => out.push(*byte),
        }
    }
}
