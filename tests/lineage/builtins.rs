//! What the table of Postgres's own functions says of them, beside what `pg_proc` does.

use std::collections::BTreeMap;

use pgveil::pg::functions::{self, Home, Rows};

use crate::twin::client::Client;

/// All functions of one name.
#[derive(Default)]
struct Known {
    aggregate: bool,
    window: bool,
    set: bool,
    volatile: bool,
}

/// The functions of `pg_catalog`, by name.
fn functions(client: &mut Client) -> Result<BTreeMap<String, Known>, String> {
    let mut all: BTreeMap<String, Known> = BTreeMap::new();
    let rows = client.rows(
        "select proname, prokind, proretset, provolatile from pg_proc \
         where pronamespace = 'pg_catalog'::regnamespace",
    )?;
    for row in rows {
        let known = all.entry(row[0].clone()).or_default();
        known.aggregate |= row[1] == "a";
        known.window |= row[1] == "w";
        known.set |= row[2] == "t";
        known.volatile |= row[3] == "v";
    }
    Ok(all)
}

/// Where the two differ.
pub(crate) fn differences(client: &mut Client) -> Result<Vec<String>, String> {
    let version = client.rows("select current_setting('server_version_num')::int / 10000")?;
    let version: u16 = version[0][0].parse().map_err(|_| "no version")?;
    let all = functions(client)?;
    let mut wrong = Vec::new();
    let mut say = |name: &str, what: &str| wrong.push(format!("{name}: {what}"));
    let harmless: Vec<&str> = functions::harmless_volatile().collect();
    for builtin in functions::all() {
        let name = builtin.name;
        let Some(known) = all.get(name) else {
            if builtin.home == Home::Catalog && builtin.since <= version {
                say(name, "it is not there");
            }
            continue;
        };
        match builtin.home {
            Home::Catalog if builtin.since > version => say(name, "it is there"),
            Home::Extension | Home::Syntax => say(name, "it is in pg_catalog"),
            Home::Catalog | Home::SqlJson => {}
        }
        if builtin.aggregate != known.aggregate {
            say(name, "one is an aggregate");
        }
        if builtin.window != known.window {
            say(name, "one is a window function");
        }
        if (builtin.rows != Rows::Value) != known.set {
            say(name, "one returns a set");
        }
        if harmless.contains(&name) && !known.volatile {
            say(name, "no variant is volatile");
        }
    }
    for (name, known) in all {
        let is_told = functions::named(&name).is_some_and(|builtin| builtin.aggregate);
        if known.aggregate && !is_told {
            say(&name, "the table does not know that it is an aggregate");
        }
    }
    Ok(wrong)
}
