//! Whether two transcripts are the same but for a one-to-one renaming of ids. Everything counts:
//! the sequence of the messages, names, types, formats and origins of columns, tags, transaction
//! states, and all fields of errors and notices. What does not count is listed here and nowhere
//! else: the place in Postgres's source that raised an error (`F`, `L`, `R`), and what the
//! directives of a case except.

use std::collections::{BTreeSet, HashMap};

use super::case::{Kind, Step};
use super::message::{Column, Fields, Message};
use super::renaming::{Renaming, uuid_text};
use super::rows;

/// Error fields that say where in Postgres's source an error was raised.
const SOURCE: [char; 3] = ['F', 'L', 'R'];

/// Relations and types with lower oids are the system's and the same in every database.
const FIRST_OID: u32 = 16_384;

/// The names of a database's relations by oid, since oids differ between databases.
pub(crate) type Relations = HashMap<u32, String>;

/// A comparison of the answers to one step.
pub(crate) struct Comparison<'a> {
    pub(crate) step: &'a Step,
    /// Whether the answers come from pgveil, so that masking is expected.
    pub(crate) veiled: bool,
    pub(crate) relations: (&'a Relations, &'a Relations),
    pub(crate) renaming: &'a mut Renaming,
}

impl Comparison<'_> {
    /// The first difference.
    pub(crate) fn difference(&mut self, twin: &[Message], veil: &[Message]) -> Option<String> {
        let (twin, veil) = (self.relevant(twin), self.relevant(veil));
        let (twin, veil) = if self.step.is_ordered() {
            (twin, veil)
        } else {
            let (twin_sorted, veil_sorted) = (
                self.sorted(&twin, |text| self.renaming.mask_twin(text)),
                self.sorted(&veil, |text| self.renaming.mask_veil(text)),
            );
            (twin_sorted, veil_sorted)
        };
        let mut columns = Vec::new();
        for (number, (left, right)) in twin.iter().zip(&veil).enumerate() {
            if !self.agree(&columns, left, right) {
                return Some(format!(
                    "answer {number}:\n    twin {left:?}\n    here {right:?}"
                ));
            }
            columns = columns_after(columns, left);
        }
        (twin.len() != veil.len()).then(|| {
            let rest = twin
                .iter()
                .skip(veil.len())
                .chain(veil.iter().skip(twin.len()));
            let rest: Vec<_> = rest.collect();
            format!(
                "{} answers of the twin, {} here; in excess {rest:?}",
                twin.len(),
                veil.len()
            )
        })
    }

    /// Where an error may come from Parse or Bind instead of Execute, the answers without what
    /// comes between these and the error; a single statement counts up to its first error.
    fn relevant(&self, answers: &[Message]) -> Vec<Message> {
        let mut relevant: Vec<Message> = Vec::new();
        for answer in answers {
            let failed = self.step.early && answer.sqlstate().is_some();
            while failed
                && relevant
                    .pop_if(|before| is_before_execution(before))
                    .is_some()
            {}
            relevant.push(answer.clone());
            if failed && self.step.kind == Kind::Statement {
                break;
            }
        }
        relevant
    }

    fn agree(&mut self, columns: &[Column], twin: &Message, veil: &Message) -> bool {
        match (twin, veil) {
            (Message::RowDescription(twin), Message::RowDescription(veil)) => {
                twin.len() == veil.len()
                    && twin.iter().zip(veil).all(|pair| self.agree_columns(pair))
            }
            (Message::DataRow(twin), Message::DataRow(veil)) => {
                twin.len() == veil.len()
                    && twin
                        .iter()
                        .zip(veil)
                        .enumerate()
                        .all(|(index, pair)| match pair {
                            (None, None) => true,
                            (Some(twin), Some(veil)) => {
                                let of = columns.get(index);
                                let (mut twin, veil) =
                                    (self.readable(of, &twin.0), self.readable(of, &veil.0));
                                if self.masked() && of.is_some_and(|of| of.name == "QUERY PLAN") {
                                    twin = masked_plan(&twin);
                                }
                                self.renaming.pair_texts(&twin, &veil)
                            }
                            _ => false,
                        })
            }
            (Message::Other('d', twin), Message::Other('d', veil)) => self
                .renaming
                .pair_texts(&readable_copy(&twin.0), &readable_copy(&veil.0)),
            (Message::Notification(channel, twin), Message::Notification(other, veil)) => {
                channel == other && self.renaming.pair_texts(twin.as_bytes(), veil.as_bytes())
            }
            (Message::ParameterDescription(twin), Message::ParameterDescription(veil)) => {
                let like = |(twin, veil): (&u32, &u32)| self.agree_types(*twin, *veil);
                twin.len() == veil.len() && twin.iter().zip(veil).all(like)
            }
            (Message::Error(twin), Message::Error(veil)) => self.agree_fields(twin, veil),
            (Message::Notice(twin), Message::Notice(veil)) => self.agree_fields(twin, veil),
            _ => twin == veil,
        }
    }

    fn agree_columns(&mut self, (twin, veil): (&Column, &Column)) -> bool {
        let names = (
            self.relations.0.get(&twin.table),
            self.relations.1.get(&veil.table),
        );
        // What pgveil says in the place of a catalog is computed, and so comes from nowhere.
        let is_retold = (1..FIRST_OID).contains(&twin.table) && veil.table == 0;
        let same_origin = match names {
            _ if is_retold => true,
            (Some(twin), Some(veil)) => twin == veil,
            // A relation of the system, or one that the case has made.
            (None, None) if twin.table < FIRST_OID || veil.table < FIRST_OID => {
                twin.table == veil.table
            }
            (None, None) => self.renaming.pair(
                &format!("oid {}", twin.table),
                &format!("oid {}", veil.table),
            ),
            _ => false,
        };
        let same_type = self.agree_types(twin.type_oid, veil.type_oid);
        let rest = |column: &Column| Column {
            table: 0,
            attribute: if is_retold { 0 } else { column.attribute },
            type_oid: 0,
            ..column.clone()
        };
        same_origin && same_type && rest(twin) == rest(veil)
    }

    fn agree_types(&mut self, twin: u32, veil: u32) -> bool {
        if twin < FIRST_OID || veil < FIRST_OID {
            return twin == veil;
        }
        let (twin, veil) = (format!("type {twin}"), format!("type {veil}"));
        self.renaming.pair(&twin, &veil)
    }

    fn agree_fields(&mut self, twin: &Fields, veil: &Fields) -> bool {
        let letters: BTreeSet<char> = twin.keys().chain(veil.keys()).copied().collect();
        letters.into_iter().all(|letter| {
            let (left, right) = (twin.get(&letter), veil.get(&letter));
            match (left, right) {
                _ if SOURCE.contains(&letter) || self.step.except.contains(&letter) => true,
                (Some(left), Some(right)) if "MDHW".contains(letter) && self.masked() => {
                    mask_all(left) == *right
                }
                (_, right) if "qp".contains(letter) && self.masked() => right.is_none(),
                (Some(left), Some(right)) => {
                    self.renaming.pair_texts(left.as_bytes(), right.as_bytes())
                }
                _ => false,
            }
        })
    }

    /// A value with binary ids written out.
    fn readable(&self, column: Option<&Column>, value: &[u8]) -> Vec<u8> {
        let type_oid = column.map(|column| column.type_oid);
        if let Some(written) = type_oid.and_then(|oid| rows::readable(oid, value)) {
            return written;
        }
        let value = readable(column, value);
        let element = match type_oid {
            Some(1005) => 21_u32,
            Some(1007) => 23,
            Some(1016) => 20,
            Some(1001) => 17,
            _ => return self.renaming.readable(type_oid, &value),
        };
        if value.get(8..12) != Some(&element.to_be_bytes()) {
            return value;
        }
        let readable = |value: &[u8]| self.renaming.readable(Some(element), value);
        readable_array(&value, readable).unwrap_or(value)
    }

    /// The messages with every run of rows sorted, ids by what they are known to stand for.
    fn sorted(&self, messages: &[Message], mask: impl Fn(&[u8]) -> Vec<u8>) -> Vec<Message> {
        let mut sorted = messages.to_vec();
        let mut columns = Vec::new();
        let is_row = |message: &Message| matches!(message, Message::DataRow(_));
        for run in sorted.chunk_by_mut(|a, b| is_row(a) && is_row(b)) {
            if let Some(first) = run.first() {
                columns = columns_after(columns, first);
            }
            run.sort_by_cached_key(|message| match message {
                Message::DataRow(values) => values
                    .iter()
                    .enumerate()
                    .map(|(index, value)| {
                        let of = columns.get(index);
                        value
                            .as_ref()
                            .map(|value| mask(&self.readable(of, &value.0)))
                    })
                    .collect(),
                _ => Vec::new(),
            });
        }
        sorted
    }

    fn masked(&self) -> bool {
        self.veiled && self.step.masked
    }
}

/// An answer to Parse, Bind, or Describe, or the end of them.
fn is_before_execution(message: &Message) -> bool {
    matches!(
        message,
        Message::Other('1' | '2' | 'n', _)
            | Message::ParameterDescription(_)
            | Message::RowDescription(_)
            | Message::ReadyForQuery(_)
    )
}

/// Every uuid as `***`, as the messages of user code show numerals.
fn mask_all(text: &str) -> String {
    let masked = Renaming::default().mask_twin(text.as_bytes());
    String::from_utf8_lossy(&masked).replace("<?>", "***")
}

/// A plan with `***` in the place of strings with digits in them, but for uuids, and of numbers.
fn masked_plan(plan: &[u8]) -> Vec<u8> {
    let plan = String::from_utf8_lossy(plan).replace("''", "\u{1}");
    let mut masked = String::new();
    for (number, piece) in plan.split('\'').enumerate() {
        let digits = |text: &str| text.chars().any(|c| c.is_ascii_digit());
        if number > 0 {
            masked.push('\'');
        }
        if number % 2 == 1 {
            let rest = Renaming::default().mask_twin(piece.as_bytes());
            let is_date = piece.starts_with("2024-");
            let hidden = digits(&String::from_utf8_lossy(&rest)) && !is_date;
            masked.push_str(if hidden { "***" } else { piece });
            continue;
        }
        for word in piece.split_inclusive(|c: char| !c.is_alphanumeric() && c != '_' && c != '.') {
            let (text, end) = match word.chars().last() {
                Some(c) if !c.is_alphanumeric() && c != '_' && c != '.' => {
                    word.split_at(word.len() - c.len_utf8())
                }
                _ => (word, ""),
            };
            let is_number = text.starts_with(|c: char| c.is_ascii_digit());
            let of_type = masked.ends_with("numeric(") || masked.ends_with("numeric(12,");
            let of_part = masked.ends_with("Plan ") || masked.ends_with('$');
            let hidden = is_number && !of_type && !of_part;
            masked.push_str(if hidden { "***" } else { text });
            masked.push_str(end);
        }
    }
    masked.replace('\u{1}', "''").into_bytes()
}

fn columns_after(columns: Vec<Column>, message: &Message) -> Vec<Column> {
    match message {
        Message::RowDescription(next) => next.clone(),
        _ => columns,
    }
}

/// A value with binary ids written out, so that ids are text everywhere; what is binary and what
/// is text stays apart. A column that was never described is judged by its value.
fn readable(column: Option<&Column>, value: &[u8]) -> Vec<u8> {
    let element = value.get(8..12) == Some(&2950_u32.to_be_bytes());
    match column.map(|column| column.type_oid) {
        Some(2950) | None if value.len() == 16 => {
            format!("binary {}", uuid_text(value)).into_bytes()
        }
        Some(2951) | None if element => {
            let id = |id: &[u8]| match id.len() {
                16 => uuid_text(id).into_bytes(),
                _ => format!("{id:?}").into_bytes(),
            };
            readable_array(value, id).unwrap_or_else(|| value.to_vec())
        }
        _ => value.to_vec(),
    }
}

/// Dimensions, flag, element type and bounds as they are, then the elements.
fn readable_array(value: &[u8], readable: impl Fn(&[u8]) -> Vec<u8>) -> Option<Vec<u8>> {
    let dimensions = usize::try_from(u32::from_be_bytes(value.get(..4)?.try_into().ok()?)).ok()?;
    let (head, mut rest) = value.split_at_checked(12 + 8 * dimensions)?;
    let mut text = format!("binary {head:?}").into_bytes();
    while let Some((length, after)) = rest.split_at_checked(4) {
        let length = i32::from_be_bytes(length.try_into().ok()?);
        let (element, after) = match usize::try_from(length) {
            Err(_) => (None, after),
            Ok(length) => {
                let (element, after) = after.split_at_checked(length)?;
                (Some(element), after)
            }
        };
        match element {
            None => text.extend(b" null"),
            Some(element) => {
                text.push(b' ');
                text.extend(readable(element));
            }
        }
        rest = after;
    }
    rest.is_empty().then_some(text)
}

/// The data of COPY, in which a record of the binary format is written out.
fn readable_copy(data: &[u8]) -> Vec<u8> {
    readable_record(data).map_or_else(|| data.to_vec(), String::into_bytes)
}

/// A header perhaps, then fields with their lengths, which fill the data exactly.
fn readable_record(data: &[u8]) -> Option<String> {
    let (header, data) = match data.starts_with(b"PGCOPY\n\xff\r\n\0") {
        true => data.split_at_checked(19)?,
        false => data.split_at_checked(0)?,
    };
    let (count, mut rest) = data.split_at_checked(2)?;
    let count = u16::from_be_bytes(count.try_into().ok()?);
    let mut text = format!("binary {header:?} {count}");
    for _ in 0..count {
        let (length, after) = rest.split_at_checked(4)?;
        let length = i32::from_be_bytes(length.try_into().ok()?);
        rest = after;
        if let Ok(length) = usize::try_from(length) {
            let (value, after) = rest.split_at_checked(length)?;
            rest = after;
            let row = rows::readable(FIRST_OID, value);
            let value = row.unwrap_or_else(|| readable(None, value));
            text.push_str(&format!(" {}", String::from_utf8_lossy(&value)));
        } else {
            text.push_str(" null");
        }
    }
    rest.is_empty().then_some(text)
}
