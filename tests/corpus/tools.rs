//! What tools ask of the catalogs: psql's commands, editors of databases, what generates code and
//! what migrates. Each file of `tools` has the statements of one of them, with a semicolon at the end
//! of the line behind each.

use std::collections::BTreeMap;
use std::path::Path;

use super::introspection::{EXTENDED_NAMES, TOOL_NAMES, answer, difference, filled_with};

/// Statements whose answers differ, by the tool, a part of the statement or of the difference, and
/// the reason.
const EXCEPTIONS: &[(&str, &str, &str)] = &[(
    "",
    "user_email",
    "the function is not declared in the configuration",
)];

/// So many are excepted; it only ever goes down.
const MOST_EXCEPTED: usize = 18;

/// Extensions whose operators and functions have the names of Postgres's own.
const EXTENSIONS: &str = "create extension citext; create extension cube; create extension hstore; \
                          create extension isn; create extension ltree";

/// The statements by their tools.
fn statements() -> BTreeMap<String, Vec<String>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus/tools");
    let mut tools = BTreeMap::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let text = std::fs::read_to_string(&path).unwrap();
        let each = text.split(";\n").map(|text| text.trim().to_owned());
        tools.insert(name, each.filter(|text| !text.is_empty()).collect());
    }
    tools
}

/// The tools with how many statements there are of each, and those of which the answers differ.
pub(crate) fn compare() -> (Vec<String>, Vec<String>) {
    compare_in(TOOL_NAMES, "")
}

/// Likewise, in databases whose extensions have operators and functions of such names.
pub(crate) fn compare_extended() -> (Vec<String>, Vec<String>) {
    compare_in(EXTENDED_NAMES, EXTENSIONS)
}

fn compare_in(names: [&str; 2], before: &str) -> (Vec<String>, Vec<String>) {
    let (_proxy, mut twin, mut veil) = filled_with(names, before);
    let (mut counts, mut differing, mut all_excepted) = (Vec::new(), Vec::new(), 0);
    for (tool, texts) in statements() {
        let mut excepted = 0;
        for text in &texts {
            let [told, shown] = [&mut twin, &mut veil].map(|client| answer(client, text));
            if told == shown {
                continue;
            }
            let difference = difference(text, &told, &shown);
            let is_known = |(of, part, _): &&(&str, &str, &str)| {
                tool.starts_with(of) && difference.to_lowercase().contains(part)
            };
            match EXCEPTIONS.iter().find(is_known) {
                Some(_) => excepted += 1,
                None => differing.push(format!("{tool}: {difference}")),
            }
        }
        counts.push(format!("{tool}: {}, {excepted} excepted", texts.len()));
        all_excepted += excepted;
    }
    assert!(all_excepted <= MOST_EXCEPTED, "{all_excepted} are excepted");
    (counts, differing)
}
