//! Steps that are written message by message:
//!
//! ```text
//! parse NAME [types]: sql               `-` is the unnamed statement or portal
//! bind PORTAL STATEMENT [text|binary] [types]: values    result format, binary parameter types
//! describe statement|portal NAME        close statement|portal NAME
//! execute PORTAL [rows]
//! call FUNCTION(TYPES): values          FunctionCall
//! query: sql                            skipped query: sql      is not answered
//! sync        flush
//! line: text                            CopyData with a line; `~t`, `~n`, `~r` are tab, newline, …
//! part: text                            the same without the end of the line
//! header      trailer                   CopyData of the binary format
//! tuple TYPES: values                   likewise: a record
//! done        fail: reason              CopyDone, CopyFail
//! wait N                                read N answers before going on
//! ```

use super::case::{arguments, type_oid};
use super::client::Client;
use super::message::{self, Message};
use super::mode::encoded;

/// Sends the messages of the script and gives every answer. `oids` finds functions by signature.
pub(crate) fn run(
    client: &mut Client,
    script: &str,
    oids: impl Fn(&str) -> Result<u32, String>,
) -> Result<Vec<Message>, String> {
    let mut answers = Vec::new();
    let mut ready = 0;
    let mut unsent = Vec::new();
    for line in script.lines() {
        let (head, tail) = line.split_once(": ").unwrap_or((line, ""));
        let words: Vec<_> = head.split(' ').collect();
        if let ["wait", count] = words[..] {
            client.send(&std::mem::take(&mut unsent))?;
            for _ in 0..count.parse::<usize>().map_err(|error| error.to_string())? {
                let answer = client.receive()?;
                ready -= usize::from(matches!(answer, Message::ReadyForQuery(_)));
                answers.push(answer);
            }
            continue;
        }
        ready += usize::from(matches!(words[0], "sync" | "query" | "call"));
        unsent.extend(encode(&words, tail, &oids)?);
    }
    answers.extend(client.exchange(&unsent, ready)?);
    Ok(answers)
}

fn spelled(text: &str) -> String {
    let text = text.replace("~t", "\t").replace("~n", "\n");
    text.replace("~r", "\r")
}

fn named(name: &str) -> &str {
    if name == "-" { "" } else { name }
}

fn encode(
    words: &[&str],
    tail: &str,
    oids: &impl Fn(&str) -> Result<u32, String>,
) -> Result<Vec<u8>, String> {
    let types = |words: &[&str]| {
        words
            .iter()
            .map(|word| type_oid(word))
            .collect::<Result<Vec<_>, _>>()
    };
    Ok(match words {
        ["parse", name, rest @ ..] => message::parse(named(name), tail, &types(rest)?),
        ["bind", portal, statement, rest @ ..] => {
            let (format, rest) = match rest.split_first() {
                Some((&"binary", rest)) => (1, rest),
                Some((&"text", rest)) => (0, rest),
                _ => (0, rest),
            };
            let values = encoded(&arguments(tail), &types(rest)?);
            message::bind(named(portal), named(statement), &values, format)
        }
        ["describe", "statement", name] => message::on(b'D', b'S', named(name)),
        ["describe", "portal", name] => message::on(b'D', b'P', named(name)),
        ["close", "statement", name] => message::on(b'C', b'S', named(name)),
        ["close", "portal", name] => message::on(b'C', b'P', named(name)),
        ["execute", portal] => message::execute(named(portal), 0),
        ["execute", portal, rows] => {
            let rows = rows
                .parse()
                .map_err(|_| format!("{rows} is no number of rows"))?;
            message::execute(named(portal), rows)
        }
        ["call", ..] => message::call(
            oids(&words[1..].join(" "))?,
            &encoded(&arguments(tail), &[]),
        ),
        ["query"] | ["skipped", "query"] => message::query(tail),
        ["line"] => message::copy_data(format!("{}\n", spelled(tail)).as_bytes()),
        ["part"] => message::copy_data(spelled(tail).as_bytes()),
        ["header"] => message::copy_data(b"PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0"),
        ["tuple", rest @ ..] => message::copy_tuple(&encoded(&arguments(tail), &types(rest)?)),
        ["trailer"] => message::copy_data(b"\xff\xff"),
        ["done"] => message::copy_done(),
        ["fail"] => message::copy_fail(tail),
        ["sync"] => message::sync(),
        ["flush"] => message::flush(),
        _ => return Err(format!("no message is called {}", words.join(" "))),
    })
}
