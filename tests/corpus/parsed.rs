//! What is a syntax error is what Postgres calls one: each recorded statement with a word too few or
//! too many, and what Postgres's grammar has and ours lacks. Nothing of them is carried out.

use super::Form;
use super::statement::{Statement, corpus};
use super::twin::client::Client;
use super::twin::message::{self, Message};
use super::twin::stand::local;
use super::twin::world::ROLE;
use super::world::create_empty;

const NAMES: [&str; 2] = ["corpus_read_uuids", "corpus_read_keys"];

/// What is put between two words of a statement.
const STRAY: &[&str] = &[
    ")", "(", "from", "select", ",", "= =", "as", "'a'", "::", "$",
];

/// What Postgres reads, or read in some version, where ids are near.
const SPELLINGS: &[&str] = &[
    "select xmlelement(name a, xmlattributes(id as b), email) from users",
    "select xmlforest(email, id) from users",
    "select xmlpi(name php, email) from users",
    "select xmlparse(content email) from users",
    "select xmlroot(xmlparse(document email), version '1.0') from users",
    "select xmlserialize(content xmlelement(name a, id) as text) from users",
    "select xmlexists('/a' passing by value xmlparse(document email)) from users",
    "select * from users, xmltable('/a' passing xmlelement(name a, id) columns x text path '.')",
    "select email is document from users",
    "select json_table(email, '$' columns (a int)) from users",
    "select json_query(email, '$' with conditional array wrapper) from users",
    "merge into users using orders on false when not matched by source then delete",
    "insert into users (email) values ('a') returning with (old as o) o.id",
    "select id from users tablesample system ((select 100))",
    "select users.id from users natural join only (orders)",
    "copy users (id) to stdout somehow",
    "declare c insensitive scroll cursor with hold for select id from users for read only",
];

/// An error's SQLSTATE, its message and the place that it names.
type Fault = (String, String, String);

fn fault(answers: &[Message]) -> Option<Fault> {
    answers.iter().find_map(|answer| match answer {
        Message::Error(fields) => {
            let field = |code| fields.get(&code).cloned().unwrap_or_default();
            Some((field('C'), field('M'), field('P')))
        }
        _ => None,
    })
}

/// The text with one of its words left out, or with another one between them.
fn changed(text: &str, number: usize) -> String {
    let mut words: Vec<&str> = text.split_inclusive(' ').collect();
    let at = number.wrapping_mul(7919) % words.len();
    if number.is_multiple_of(2) {
        words.remove(at);
    } else {
        words.insert(at, STRAY[number / 2 % STRAY.len()]);
        words.insert(at + 1, " ");
    }
    words.concat()
}

/// How many texts there were, how many of them are no SQL, and those of which pgveil says otherwise.
pub(crate) fn compare() -> (usize, usize, Vec<String>) {
    let server = local();
    create_empty(server, NAMES[0], Form::Uuid).unwrap();
    create_empty(server, NAMES[1], Form::Key).unwrap();
    let proxy = super::proxy(&server.address);
    let mut twin = Client::connect(&server.address, ROLE, NAMES[0]).unwrap();
    let mut veil = Client::connect(&proxy.address, ROLE, NAMES[1]).unwrap();
    let mut texts: Vec<String> = corpus().iter().map(Statement::inlined).collect();
    texts.sort();
    texts.dedup();
    let changed = texts
        .iter()
        .enumerate()
        .map(|(number, text)| changed(text, number));
    let texts: Vec<String> = changed
        .chain(SPELLINGS.iter().map(|text| (*text).to_owned()))
        .collect();
    let (mut none, mut wrong) = (0, Vec::new());
    for text in &texts {
        // All of a text is parsed before any of it is carried out.
        let simple = message::query(&format!("select 1/0; {text}"));
        let parse = [message::parse("", text, &[]), message::sync()].concat();
        for flight in [simple, parse] {
            let [told, shown] =
                [&mut twin, &mut veil].map(|client| fault(&client.exchange(&flight, 1).unwrap()));
            let is_none = |fault: &Option<Fault>| {
                let of_syntax = |words: &str| {
                    words.starts_with("syntax error") || words.starts_with("unterminated")
                };
                fault
                    .as_ref()
                    .is_some_and(|(state, words, _)| state == "42601" && of_syntax(words))
            };
            none += usize::from(is_none(&told));
            let is_refused = |(state, ..): &Fault| state == "0A000";
            let is_known = SPELLINGS.contains(&&**text) && told.is_none();
            let is_denied = is_known && shown.as_ref().is_some_and(|fault| !is_refused(fault));
            if (is_none(&told) || is_none(&shown)) && told != shown || is_denied {
                wrong.push(format!("{text}\n    {told:?}\n    {shown:?}"));
            }
        }
    }
    (texts.len(), none, wrong)
}
