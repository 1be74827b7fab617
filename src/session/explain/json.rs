//! The JSON format, and strings in quotes of JSON, which YAML has too.

use super::labels::{SETTINGS, is_name};
use super::{End, PlanMasker};

/// An object or array that has been opened.
struct Open {
    /// The property whose value it is, or that is being read.
    label: Vec<u8>,
    is_object: bool,
    /// Whether the next string names a property.
    wants_label: bool,
    /// Whether it is the object of the settings.
    settings: bool,
}

impl PlanMasker<'_> {
    /// A plan in JSON; `None` if it is none.
    pub(super) fn json(&self, text: &[u8]) -> Option<Vec<u8>> {
        let mut out = Vec::with_capacity(text.len());
        let mut open: Vec<Open> = Vec::new();
        let mut at = 0;
        while let Some(byte) = text.get(at).copied() {
            match byte {
                b'"' => {
                    let end = string_end(text, at)?;
                    let string = text.get(at..end)?;
                    let inside = open.last_mut()?;
                    if inside.wants_label {
                        inside.label = unescaped(string)?;
                        inside.wants_label = false;
                        out.extend_from_slice(string);
                    } else {
                        let known = inside.settings || is_name(&inside.label);
                        self.string(string, known, &mut out)?;
                    }
                    at = end;
                    continue;
                }
                b'{' | b'[' => {
                    let label = open
                        .last()
                        .map_or_else(Vec::new, |outer| outer.label.clone());
                    let is_object = byte == b'{';
                    open.push(Open {
                        settings: is_object && label == SETTINGS,
                        wants_label: is_object,
                        is_object,
                        label,
                    });
                }
                b'}' | b']' => drop(
                    open.pop()
                        .filter(|inside| inside.is_object == (byte == b'}'))?,
                ),
                b',' => {
                    let inside = open.last_mut()?;
                    inside.wants_label = inside.is_object;
                }
                b':' | b' ' | b'\n' => {}
                // Numbers are counted or measured; constants stand in strings.
                b'0'..=b'9' | b'.' | b'+' | b'-' | b'a'..=b'z' | b'A'..=b'Z'
                    if !open.is_empty() => {}
                _ => return None,
            }
            out.push(byte);
            at += 1;
        }
        open.is_empty().then_some(out)
    }

    /// A string with its quotes, rewritten unless it is a name.
    pub(super) fn string(&self, string: &[u8], known: bool, out: &mut Vec<u8>) -> Option<()> {
        if known {
            out.extend_from_slice(string);
            return Some(());
        }
        let value = self.property(&unescaped(string)?);
        escape(&value, out);
        Some(())
    }

    /// The value of a property that may be an expression.
    pub(super) fn property(&self, value: &[u8]) -> Vec<u8> {
        let mut shown = Vec::with_capacity(value.len());
        match self.expression(value, End::Closed, &mut shown) {
            End::Closed => shown,
            _ if self.stored.are_words() => self.stored.masked(value),
            _ => shown,
        }
    }
}

/// Where the string ends that begins at a place, behind its quote.
pub(super) fn string_end(text: &[u8], start: usize) -> Option<usize> {
    let mut at = start + 1;
    loop {
        match text.get(at)? {
            b'"' => return Some(at + 1),
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
}

/// The value of a string with its quotes.
fn unescaped(string: &[u8]) -> Option<Vec<u8>> {
    let inside = string.strip_prefix(b"\"")?.strip_suffix(b"\"")?;
    let mut value = Vec::with_capacity(inside.len());
    let mut bytes = inside.iter();
    while let Some(byte) = bytes.next() {
        if *byte != b'\\' {
            value.push(*byte);
            continue;
        }
        value.push(match bytes.next()? {
            b'b' => 8,
            b'f' => 12,
            b'n' => b'\n',
            b'r' => b'\r',
            b't' => b'\t',
            b'u' => {
                let digits = bytes.as_slice().get(..4)?;
                bytes = bytes.as_slice().get(4..)?.iter();
                let code = std::str::from_utf8(digits).ok()?;
                // Postgres writes control characters so, and no others.
                u8::from_str_radix(code, 16)
                    .ok()
                    .filter(|code| *code < 0x20)?
            }
            escaped @ (b'"' | b'\\' | b'/') => *escaped,
            _ => return None,
        });
    }
    Some(value)
}

/// Writes a string as Postgres does (`escape_json`).
fn escape(value: &[u8], out: &mut Vec<u8>) {
    out.push(b'"');
    for byte in value {
        match byte {
            8 => out.extend_from_slice(b"\\b"),
            12 => out.extend_from_slice(b"\\f"),
            b'\n' => out.extend_from_slice(b"\\n"),
            b'\r' => out.extend_from_slice(b"\\r"),
            b'\t' => out.extend_from_slice(b"\\t"),
            b'"' | b'\\' => out.extend_from_slice(&[b'\\', *byte]),
            0..0x20 => out.extend_from_slice(format!("\\u{byte:04x}").as_bytes()),
            _ => out.push(*byte),
        }
    }
    out.push(b'"');
}
