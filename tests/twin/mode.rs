//! The ways in which a client can run one statement, as real clients do it.

use super::case::Argument;
use super::client::Client;
use super::message::{self, Message, Value};

/// A way to run a statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Mode {
    /// One Query with the parameters as literals (psycopg2, psql).
    Simple,
    /// Parse and Describe with unknown types, then Bind in text (node-postgres, lib/pq).
    Text,
    /// Everything at once with declared types, binary parameters and text results (psycopg 3,
    /// pgjdbc).
    Declared,
    /// Parameters encoded by the ParameterDescription, everything binary (asyncpg,
    /// tokio-postgres).
    Binary,
    /// A named statement, run twice: text, then binary results (pgjdbc past its threshold).
    Prepared,
    /// Messages or scripts as the case has them.
    Raw,
}

impl Mode {
    /// The modes of a case that consists of statements.
    pub(crate) const STATEMENT: [Self; 5] = [
        Self::Simple,
        Self::Text,
        Self::Declared,
        Self::Binary,
        Self::Prepared,
    ];

    /// The mode of this name.
    pub(crate) fn named(name: &str) -> Result<Self, String> {
        Self::STATEMENT
            .into_iter()
            .chain([Self::Raw])
            .find(|mode| mode.name() == name)
            .ok_or_else(|| format!("no mode is called {name}"))
    }

    /// Its name.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Simple => "simple",
            Self::Text => "text",
            Self::Declared => "declared",
            Self::Binary => "binary",
            Self::Prepared => "prepared",
            Self::Raw => "raw",
        }
    }
}

/// A statement ready to be sent.
pub(crate) struct Call<'a> {
    pub(crate) sql: &'a str,
    pub(crate) arguments: &'a [Argument],
    /// The types that the case declares.
    pub(crate) types: &'a [u32],
    /// The types that the twin has described before, for a client that knows them by itself.
    pub(crate) known: &'a [u32],
}

/// Runs the statement and gives every answer.
pub(crate) fn run(
    client: &mut Client,
    mode: Mode,
    call: &Call<'_>,
) -> Result<Vec<Message>, String> {
    match mode {
        Mode::Simple | Mode::Raw => {
            client.exchange(&message::query(&inlined(call.sql, call.arguments)), 1)
        }
        Mode::Text => run_described(client, call, false),
        Mode::Binary => run_described(client, call, true),
        Mode::Declared => {
            let types = if call.types.is_empty() {
                call.known
            } else {
                call.types
            };
            let values = encoded(call.arguments, types);
            let all = [
                message::parse("", call.sql, types),
                message::bind("", "", &values, 0),
                message::on(b'D', b'P', ""),
                message::execute("", 0),
                message::sync(),
            ];
            client.exchange(&all.concat(), 1)
        }
        Mode::Prepared => run_prepared(client, call),
    }
}

fn describe(client: &mut Client, name: &str, call: &Call<'_>) -> Result<Vec<Message>, String> {
    let all = [
        message::parse(name, call.sql, call.types),
        message::on(b'D', b'S', name),
        message::sync(),
    ];
    client.exchange(&all.concat(), 1)
}

fn has_failed(answers: &[Message]) -> bool {
    answers.iter().any(|answer| answer.sqlstate().is_some())
}

/// The types of a ParameterDescription among the answers.
pub(crate) fn described(answers: &[Message]) -> &[u32] {
    let types = |answer: &'_ Message| matches!(answer, Message::ParameterDescription(_));
    match answers.iter().find(|answer| types(answer)) {
        Some(Message::ParameterDescription(types)) => types,
        _ => &[],
    }
}

fn run_described(
    client: &mut Client,
    call: &Call<'_>,
    binary: bool,
) -> Result<Vec<Message>, String> {
    let mut answers = describe(client, "", call)?;
    if has_failed(&answers) {
        return Ok(answers);
    }
    let types = if binary { described(&answers) } else { &[] };
    let values = encoded(call.arguments, types);
    let mut all = vec![message::bind("", "", &values, i16::from(binary))];
    if !binary {
        all.push(message::on(b'D', b'P', ""));
    }
    all.extend([message::execute("", 0), message::sync()]);
    answers.extend(client.exchange(&all.concat(), 1)?);
    Ok(answers)
}

fn run_prepared(client: &mut Client, call: &Call<'_>) -> Result<Vec<Message>, String> {
    let mut answers = describe(client, "kept", call)?;
    if has_failed(&answers) {
        return Ok(answers);
    }
    let values = encoded(call.arguments, &[]);
    let first = [
        message::bind("", "kept", &values, 0),
        message::execute("", 0),
        message::sync(),
    ];
    answers.extend(client.exchange(&first.concat(), 1)?);
    let second = [
        message::bind("again", "kept", &values, 1),
        message::on(b'D', b'P', "again"),
        message::execute("again", 0),
        message::on(b'C', b'P', "again"),
        message::sync(),
    ];
    answers.extend(client.exchange(&second.concat(), 1)?);
    let close = [message::on(b'C', b'S', "kept"), message::sync()];
    answers.extend(client.exchange(&close.concat(), 1)?);
    Ok(answers)
}

/// The statement with its parameters as literals.
pub(crate) fn inlined(sql: &str, arguments: &[Argument]) -> String {
    let mut text = String::new();
    let mut rest = sql;
    while let Some(at) = rest.find('$') {
        let digits = rest[at + 1..]
            .bytes()
            .take_while(u8::is_ascii_digit)
            .count();
        let number = rest[at + 1..at + 1 + digits].parse::<usize>().unwrap_or(0);
        text.push_str(&rest[..at]);
        match number.checked_sub(1).and_then(|index| arguments.get(index)) {
            Some(Argument::Null) => text.push_str("null"),
            Some(Argument::Bare(word)) => text.push_str(word),
            Some(Argument::Text(value)) => {
                text.push_str(&format!("'{}'", value.replace('\'', "''")));
            }
            None => text.push_str(&rest[at..=at + digits]),
        }
        rest = &rest[at + 1 + digits..];
    }
    text.push_str(rest);
    text
}

/// The values in the binary format of their types, in text where the type is not known.
pub(crate) fn encoded(arguments: &[Argument], types: &[u32]) -> Vec<Value> {
    let value = |(index, argument): (usize, &Argument)| {
        let text = match argument {
            Argument::Null => {
                return Value {
                    format: 0,
                    bytes: None,
                };
            }
            Argument::Bare(text) | Argument::Text(text) => text,
        };
        match binary(types.get(index).copied().unwrap_or(0), text) {
            Some(bytes) => Value {
                format: 1,
                bytes: Some(bytes),
            },
            None => Value {
                format: 0,
                bytes: Some(text.as_bytes().to_vec()),
            },
        }
    };
    arguments.iter().enumerate().map(value).collect()
}

/// The binary form of a value, `None` where this client would send text.
fn binary(oid: u32, text: &str) -> Option<Vec<u8>> {
    match oid {
        16 => Some(vec![u8::from(text == "true")]),
        20 => Some(text.parse::<i64>().ok()?.to_be_bytes().to_vec()),
        21 => Some(text.parse::<i16>().ok()?.to_be_bytes().to_vec()),
        23 => Some(text.parse::<i32>().ok()?.to_be_bytes().to_vec()),
        17 => bytes(text),
        25 | 1043 => Some(text.as_bytes().to_vec()),
        2950 => uuid(text),
        1001 => array(17, text),
        1005 => array(21, text),
        1007 => array(23, text),
        1009 => array(25, text),
        1016 => array(20, text),
        2951 => array(2950, text),
        3802 => Some([b"\x01", text.as_bytes()].concat()),
        _ => None,
    }
}

fn bytes(text: &str) -> Option<Vec<u8>> {
    let digits = text.strip_prefix("\\x")?;
    let byte = |at| u8::from_str_radix(digits.get(at..at + 2)?, 16).ok();
    (0..digits.len()).step_by(2).map(byte).collect()
}

fn uuid(text: &str) -> Option<Vec<u8>> {
    let digits: String = text.chars().filter(|c| !"{}-".contains(*c)).collect();
    if digits.len() != 32 || !digits.is_ascii() {
        return None;
    }
    let byte = |at| u8::from_str_radix(&digits[at..at + 2], 16).ok();
    (0..32).step_by(2).map(byte).collect()
}

/// An array of one dimension, without quotes in its text form.
fn array(element: u32, text: &str) -> Option<Vec<u8>> {
    let inner = text.strip_prefix('{')?.strip_suffix('}')?;
    if inner.contains(['{', '"']) {
        return None;
    }
    let items: Vec<_> = inner.split(',').filter(|item| !item.is_empty()).collect();
    let nulls = items.iter().any(|item| item.eq_ignore_ascii_case("null"));
    let dimensions = u32::from(!items.is_empty());
    let mut bytes = Vec::new();
    for word in [dimensions, u32::from(nulls), element] {
        bytes.extend(word.to_be_bytes());
    }
    if !items.is_empty() {
        bytes.extend(u32::try_from(items.len()).ok()?.to_be_bytes());
        bytes.extend(1_u32.to_be_bytes());
    }
    for item in items {
        if item.eq_ignore_ascii_case("null") {
            bytes.extend((-1_i32).to_be_bytes());
            continue;
        }
        let value = binary(element, item)?;
        bytes.extend(u32::try_from(value.len()).ok()?.to_be_bytes());
        bytes.extend(value);
    }
    Some(bytes)
}
