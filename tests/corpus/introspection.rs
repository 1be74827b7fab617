//! What the catalogs tell: each recorded statement that asks about the schema, on a database with
//! uuids and through pgveil on one with integer keys. The rows must be the same but for oids and the
//! names of the databases.

use super::statement::{Statement, corpus};
use super::twin::client::Client;
use super::twin::stand::local;
use super::twin::world::ROLE;
use super::world::{Form, create_empty};

/// The databases.
const NAMES: [&str; 2] = ["corpus_told_uuids", "corpus_told_keys"];

/// Oids of what users have made, and names with them, are not the same in two databases.
const FIRST_OID: u64 = 16_384;

/// How many statements there were, and those of which the answers differ.
pub(crate) fn compare() -> (usize, Vec<String>) {
    let server = local();
    create_empty(server, NAMES[0], Form::Uuid).unwrap();
    create_empty(server, NAMES[1], Form::Key).unwrap();
    let proxy = super::proxy(&server.address);
    let mut twin = Client::connect(&server.address, ROLE, NAMES[0]).unwrap();
    let mut veil = Client::connect(&proxy.address, ROLE, NAMES[1]).unwrap();
    let only = std::env::var("CORPUS").unwrap_or_default();
    let asked = corpus()
        .into_iter()
        .filter(|statement| statement.introspection);
    let mut texts: Vec<String> = asked
        .map(|statement| Statement::inlined(&statement))
        .collect();
    texts.sort();
    texts.dedup();
    texts.retain(|text| text.contains(&only));
    let mut differing = Vec::new();
    for text in &texts {
        let [told, shown] = [&mut twin, &mut veil].map(|client| answer(client, text));
        if told != shown {
            differing.push(difference(text, &told, &shown));
        }
    }
    (texts.len(), differing)
}

/// The rows in an order of their own, or the error.
fn answer(client: &mut Client, text: &str) -> Vec<String> {
    let rows = client.rows(text);
    let rows = rows.unwrap_or_else(|error| vec![vec![error]]);
    let mut rows: Vec<String> = rows.iter().map(|row| gist(&row.join(" | "))).collect();
    rows.sort();
    rows
}

/// A row without what two databases never have in common.
fn gist(row: &str) -> String {
    let mut row = row.to_owned();
    for name in NAMES {
        row = row.replace(name, "database");
    }
    let mut gist = String::new();
    let mut digits = String::new();
    for letter in row.chars().chain(['\n']) {
        if letter.is_ascii_digit() {
            digits.push(letter);
            continue;
        }
        match digits.parse::<u64>() {
            Ok(number) if (FIRST_OID..=u64::from(u32::MAX)).contains(&number) => gist.push('#'),
            _ => gist.push_str(&digits),
        }
        digits.clear();
        gist.push(letter);
    }
    gist
}

fn difference(text: &str, told: &[String], shown: &[String]) -> String {
    let lacks = |all: &[String], of: &[String]| {
        let lacking = of.iter().filter(|row| !all.contains(row)).take(4);
        lacking
            .map(|row| row.trim_end().to_owned())
            .collect::<Vec<_>>()
    };
    let (twin, here) = (lacks(shown, told), lacks(told, shown));
    let counts = (told.len(), shown.len());
    format!("{text}\n  {counts:?} rows\n  twin {twin:#?}\n  here {here:#?}")
}
