//! The YAML format: a property a line, strings in the quotes of JSON.

use super::PlanMasker;
use super::json::string_end;
use super::labels::{SETTINGS, is_name};

impl PlanMasker<'_> {
    /// A plan in YAML; `None` if it is none.
    pub(super) fn yaml(&self, text: &[u8]) -> Option<Vec<u8>> {
        text.strip_prefix(b"- ")?;
        let mut out = Vec::with_capacity(text.len());
        let mut label: &[u8] = b"";
        // The indent of the settings, as long as their lines follow.
        let mut settings: Option<usize> = None;
        for (number, line) in text.split(|byte| *byte == b'\n').enumerate() {
            if number > 0 {
                out.push(b'\n');
            }
            let indent = line.iter().take_while(|byte| b" -".contains(byte)).count();
            settings = settings.filter(|outer| indent > *outer);
            let (head, mut rest) = line.split_at_checked(indent)?;
            out.extend_from_slice(head);
            if let Some(colon) = label_end(rest) {
                let (name, after) = rest.split_at_checked(colon)?;
                label = name;
                rest = after;
                out.extend_from_slice(name);
                if name == SETTINGS {
                    settings = Some(indent);
                }
            }
            let known = settings.is_some() || is_name(label);
            self.values(rest, known, &mut out)?;
        }
        Some(out)
    }

    /// What follows the name of a property: strings, or a number or word.
    fn values(&self, text: &[u8], known: bool, out: &mut Vec<u8>) -> Option<()> {
        let mut at = 0;
        while let Some(byte) = text.get(at).copied() {
            if byte == b'"' {
                let end = string_end(text, at)?;
                self.string(text.get(at..end)?, known, out)?;
                at = end;
                continue;
            }
            if !byte.is_ascii_alphanumeric() && !b": .,+-[]".contains(&byte) {
                return None;
            }
            out.push(byte);
            at += 1;
        }
        Some(())
    }
}

/// Where the name of a property ends, if a line begins with one.
fn label_end(line: &[u8]) -> Option<usize> {
    let colon = memchr::memchr(b':', line)?;
    let quote = memchr::memchr(b'"', line);
    quote.is_none_or(|quote| colon < quote).then_some(colon)
}
