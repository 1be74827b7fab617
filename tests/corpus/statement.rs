//! A statement of the corpus: what a client put on the wire, and how it is put there again.

use std::collections::HashMap;

use serde_json::Value as Json;

use super::duel::Exchange;
use super::twin::case::Argument;
use super::twin::message::{self, Value};
use super::twin::mode::{encoded, inlined};
use super::world::Ids;

const STATEMENTS: &str = include_str!("statements.jsonl");

/// A value of a parameter or of a row that is copied in.
#[derive(Debug, Clone)]
enum Given {
    Null,
    Text(String),
    /// The binary form that this type has for the text.
    Typed(u32, String),
    Binary(Vec<u8>),
}

/// A statement as a client sent it.
#[derive(Debug, Clone)]
pub(crate) struct Statement {
    pub(crate) client: String,
    pub(crate) sql: String,
    /// `None` for the simple protocol.
    extended: Option<Extended>,
    /// Whether it asks about the schema.
    pub(crate) introspection: bool,
    /// The SQLSTATEs with which the client saw it fail.
    pub(crate) fails: Vec<String>,
    copy: Option<Copy>,
    /// What has to be run before it, in the same transaction.
    before: Vec<String>,
}

#[derive(Debug, Clone)]
struct Extended {
    types: Vec<u32>,
    parameters: Vec<Given>,
    results: Vec<i16>,
}

#[derive(Debug, Clone)]
enum Copy {
    Text(String),
    Rows(Vec<Vec<Given>>),
}

impl Given {
    fn read(json: &Json) -> Self {
        let text = |name: &str| json[name].as_str().map(str::to_owned);
        match (json.as_str(), text("text"), text("hex")) {
            (Some(text), ..) => Self::Text(text.to_owned()),
            (_, Some(text), _) => Self::Typed(number(&json["oid"]), text),
            (.., Some(hex)) => Self::Binary(bytes(&hex)),
            _ => Self::Null,
        }
    }

    fn value(&self, ids: &Ids) -> Result<Value, String> {
        let (format, bytes) = match self {
            Self::Null => (0, None),
            Self::Text(text) => (0, Some(ids.fill(text)?.into_bytes())),
            Self::Binary(bytes) => (1, Some(bytes.clone())),
            Self::Typed(oid, text) => {
                let argument = Argument::Text(ids.fill(text)?);
                let values = encoded(&[argument], &[*oid]);
                return values
                    .into_iter()
                    .next()
                    .ok_or_else(|| "no value".to_owned());
            }
        };
        Ok(Value { format, bytes })
    }

    fn argument(&self) -> Argument {
        match self {
            Self::Text(text) | Self::Typed(_, text) => Argument::Text(text.clone()),
            Self::Null | Self::Binary(_) => Argument::Null,
        }
    }
}

fn number(json: &Json) -> u32 {
    let number = json.as_u64().expect("an oid");
    u32::try_from(number).expect("an oid has 32 bits")
}

fn bytes(hex: &str) -> Vec<u8> {
    let byte = |at| u8::from_str_radix(&hex[at..at + 2], 16).expect("hexadecimal digits");
    (0..hex.len()).step_by(2).map(byte).collect()
}

/// The items of a list; none where there is no list.
fn list<T>(json: &Json, item: impl Fn(&Json) -> T) -> Vec<T> {
    json.as_array().into_iter().flatten().map(item).collect()
}

/// The whole corpus, each statement with those before it that it needs.
pub(crate) fn corpus() -> Vec<Statement> {
    let mut cursors = HashMap::new();
    let mut statements = Vec::new();
    for line in STATEMENTS.lines() {
        let json: Json = serde_json::from_str(line).expect("a line is JSON");
        let mut statement = Statement::read(&json);
        let words: Vec<_> = statement.sql.split_whitespace().collect();
        let cursor = words
            .last()
            .map(|word| (statement.client.clone(), (*word).to_owned()));
        match words[..] {
            ["DECLARE", name, ..] => {
                let key = (statement.client.clone(), name.to_owned());
                cursors.insert(key, statement.inlined());
            }
            ["FETCH" | "CLOSE", ..] => {
                statement
                    .before
                    .extend(cursor.and_then(|key| cursors.get(&key).cloned()));
            }
            _ => statement.before.extend(transaction(&statement.sql)),
        }
        statements.push(statement);
    }
    statements
}

/// The savepoint to which a statement returns.
fn transaction(sql: &str) -> Option<String> {
    let lower = sql.to_lowercase();
    let words: Vec<_> = lower.split_whitespace().collect();
    match words[..] {
        ["rollback", "to", .., name] | ["release", name] => Some(format!("savepoint {name}")),
        _ => None,
    }
}

impl Statement {
    fn read(json: &Json) -> Self {
        let text = |json: &Json| json.as_str().unwrap_or_default().to_owned();
        let extended = json.get("oids").map(|oids| Extended {
            types: list(oids, number),
            parameters: list(&json["params"], Given::read),
            results: list(&json["results"], |format| i16::from(*format == 1)),
        });
        let copy = json.get("copy").map(|copy| match copy["text"].as_str() {
            Some(text) => Copy::Text(text.to_owned()),
            None => Copy::Rows(list(&copy["rows"], |row| list(row, Given::read))),
        });
        Self {
            client: text(&json["client"]),
            sql: text(&json["sql"]),
            extended,
            introspection: json["introspection"] == true,
            fails: list(&json["fails"], text),
            copy,
            before: Vec::new(),
        }
    }

    /// The statement with its parameters as literals.
    pub(crate) fn inlined(&self) -> String {
        let parameters = self
            .extended
            .iter()
            .flat_map(|extended| &extended.parameters);
        let arguments: Vec<_> = parameters.map(Given::argument).collect();
        inlined(&self.sql, &arguments)
    }

    /// A statement that begins or ends transactions, or none at all.
    fn is_control(&self) -> bool {
        let first = self
            .sql
            .split(|c: char| !c.is_alphabetic())
            .next()
            .unwrap_or_default();
        let control = ["begin", "start", "commit", "end", "rollback", ""];
        control.contains(&first.to_lowercase().as_str()) && self.before.is_empty()
    }

    /// What is sent: the statement within a transaction that is rolled back. `clearing` makes room
    /// for it.
    pub(crate) fn exchange(&self, ids: &Ids, clearing: Option<&str>) -> Result<Exchange, String> {
        let sql = ids.fill(&self.sql)?;
        let mut exchange = Exchange::default();
        let is_single = !sql.trim_end().trim_end_matches(';').contains(';');
        if self.extended.is_none() && is_single && !self.is_control() {
            exchange.aside("begin");
            let described = [
                message::parse("", &sql, &[]),
                message::on(b'D', b'S', ""),
                message::sync(),
            ];
            exchange.judged(&described.concat());
            exchange.aside("rollback");
        }
        let begins = sql.trim_start().to_lowercase();
        if !begins.starts_with("begin") && !begins.starts_with("start") {
            exchange.aside("begin");
        }
        for before in clearing
            .iter()
            .copied()
            .chain(self.before.iter().map(String::as_str))
        {
            exchange.aside(&ids.fill(before)?);
        }
        exchange.judged(&self.messages(&sql, ids)?);
        exchange.aside("rollback");
        Ok(exchange)
    }

    fn messages(&self, sql: &str, ids: &Ids) -> Result<Vec<u8>, String> {
        let copied = self.copied(ids)?;
        let Some(extended) = &self.extended else {
            return Ok([message::query(sql), copied].concat());
        };
        let values = extended.parameters.iter().map(|given| given.value(ids));
        let values = values.collect::<Result<Vec<_>, _>>()?;
        let all = [
            message::parse("", sql, &extended.types),
            message::on(b'D', b'S', ""),
            bind(&values, &extended.results),
            message::execute("", 0),
            copied,
            message::sync(),
        ];
        Ok(all.concat())
    }

    /// CopyData and CopyDone.
    fn copied(&self, ids: &Ids) -> Result<Vec<u8>, String> {
        let data = match &self.copy {
            None => return Ok(Vec::new()),
            Some(Copy::Text(text)) => ids.fill(text)?.into_bytes(),
            Some(Copy::Rows(rows)) => {
                let mut data = b"PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0".to_vec();
                for row in rows {
                    data.extend(count(row.len()).to_be_bytes());
                    for given in row {
                        match given.value(ids)?.bytes {
                            None => data.extend((-1_i32).to_be_bytes()),
                            Some(bytes) => {
                                data.extend(u32::from(count(bytes.len())).to_be_bytes());
                                data.extend(bytes);
                            }
                        }
                    }
                }
                data.extend((-1_i16).to_be_bytes());
                data
            }
        };
        Ok([frame(b'd', &data), frame(b'c', &[])].concat())
    }
}

fn count(items: usize) -> u16 {
    u16::try_from(items).expect("the corpus is small")
}

fn frame(letter: u8, body: &[u8]) -> Vec<u8> {
    let length = u32::from(count(body.len() + 4)).to_be_bytes();
    [&[letter][..], &length, body].concat()
}

/// Bind with the formats of the results as the client gave them.
fn bind(values: &[Value], results: &[i16]) -> Vec<u8> {
    let mut body = b"\0\0".to_vec();
    body.extend(count(values.len()).to_be_bytes());
    body.extend(values.iter().flat_map(|value| value.format.to_be_bytes()));
    body.extend(count(values.len()).to_be_bytes());
    for value in values {
        match &value.bytes {
            None => body.extend((-1_i32).to_be_bytes()),
            Some(bytes) => {
                body.extend(u32::from(count(bytes.len())).to_be_bytes());
                body.extend(bytes);
            }
        }
    }
    body.extend(count(results.len()).to_be_bytes());
    body.extend(results.iter().flat_map(|format| format.to_be_bytes()));
    frame(b'B', &body)
}
