//! The layers of the crate. Inside one crate no compiler keeps modules apart, so this test does:
//! it reads the sources and fails on an import that the table does not have. Change the table
//! when the design changes, never around it.
#![expect(clippy::unwrap_used, reason = "a test that panics has failed")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Each module and what it may import, leaves first.
const IMPORTS: &[(&str, &[&str])] = &[
    ("splice", &[]),
    ("pg", &[]),
    ("codec", &["pg"]),
    ("wire", &["pg"]),
    ("audit", &[]),
    ("postgres", &[]),
    ("config", &["codec"]),
    ("catalog", &["config", "pg"]),
    ("sql", &["catalog", "pg", "splice"]),
    (
        "session",
        &["audit", "catalog", "codec", "pg", "splice", "sql", "wire"],
    ),
    (
        "proxy",
        &[
            "audit", "catalog", "codec", "config", "session", "sql", "wire",
        ],
    ),
    ("admin", &["audit", "config", "proxy"]),
    (
        "cli",
        &[
            "admin", "audit", "catalog", "codec", "config", "pg", "postgres", "proxy", "session",
            "sql", "wire",
        ],
    ),
];

/// A circle of rooms has no more than these.
const MOST_IN_A_CIRCLE: usize = 4;

/// The rooms inside `session`: each imports only what stands before it. Rooms on one line import
/// each other in a circle; no line grows, and one that is no circle any more is taken apart.
const SESSION: &[&[&str]] = &[
    &["mask"],
    &["call_stack"],
    &["memory"],
    &["fatal"],
    &["frame_cursor"],
    &["own_query"],
    &["transient"],
    &["loosened"],
    &["moves"],
    &["owed"],
    &["passed"],
    &["price"],
    &["misfit"],
    &["sentinel"],
    &["settings"],
    &["splice"],
    &["stage"],
    &["unanalysed"],
    &["plan_size"],
    &["plans", "shared"],
    &["revised"],
    &["path_sight"],
    &["teller"],
    &["catalog_view"],
    &["id_field"],
    &["codecs", "ids", "tags"],
    &["json"],
    &["explain"],
    &["result"],
    &["documents"],
    &["parts", "rows"],
    &["sent_rows"],
    &["sent_value"],
    &["bind"],
    &["constraint_detail"],
    &["edited"],
    &["owned"],
    &["statements"],
    &["named"],
    &["keyed"],
    &["edit"],
    &["trial"],
    &["observer"],
    &["tap"],
    &["expected"],
    &["queue"],
    &["link"],
    &["held"],
    &["turn"],
    &["pending_query"],
    &["copy"],
    &["running"],
    &["again"],
    &["asking"],
    &["copying"],
    &["costs"],
    &["hold"],
    &["untold"],
    &["losses"],
    &["pooled"],
    &["outcome"],
    &["quota"],
    &["bypass"],
    &["describe"],
    &["judged"],
    &["extended"],
    &["client"],
    &["sql_names"],
    &["notification"],
    &["report"],
    &["unshown"],
    &["opening"],
    &["server"],
];

/// The same inside `sql`.
const SQL: &[&[&str]] = &[
    &["lex"],
    &["assumed"],
    &["constant"],
    &["objects"],
    &["plan", "refusal"],
    &["budget"],
    &["encoding"],
    &["lineage"],
    &["types"],
    &["scope"],
    &["split"],
    &["implicit_calls"],
    &["shape"],
    &["normalize"],
    &["parse"],
    &["updatable_view"],
    &["setter"],
    &["infer"],
    &["explain_tag"],
    &["solve"],
    &["create", "definition", "setting", "statement"],
    &["alter"],
    &["anchors"],
    &["code"],
    &["copy"],
    &["explain"],
    &["late"],
    &["elsewhere"],
    &["shadowed"],
    &["fast_path"],
    &["prepare"],
    &["notify"],
    &["oracle"],
    &["references"],
    &["session_state"],
    &["standing"],
    &["unseen"],
];

/// A crate, and the modules that may use it.
const CRATES: &[(&str, &[&str])] = &[
    ("tokio", &["admin", "proxy", "cli"]),
    ("hyper", &["admin"]),
    ("hyper_util", &["admin"]),
    ("http_body_util", &["admin"]),
    ("prometheus_client", &["admin"]),
    ("socket2", &["proxy"]),
    ("rustls", &["config", "proxy"]),
    ("tokio_rustls", &["proxy"]),
    ("hmac", &["proxy"]),
    ("pbkdf2", &["proxy"]),
    ("x509_cert", &["proxy"]),
    ("indicatif", &["cli"]),
    ("ratatui", &["cli"]),
    ("tokio_postgres", &["cli"]),
    ("tokio_postgres_rustls", &["cli"]),
    ("clap", &["cli"]),
    ("tracing_appender", &["cli"]),
    ("tracing_subscriber", &["cli"]),
    ("clap_complete", &["cli"]),
    ("clap_complete_nushell", &["cli"]),
    ("clap_mangen", &["cli"]),
    ("sqlparser", &["sql"]),
    ("aes", &["codec"]),
    ("toml", &["config"]),
    ("pgwire", &["admin", "wire"]),
    ("async_trait", &["admin"]),
    ("futures_util", &["admin"]),
    ("tokio_util", &["admin"]),
];

/// The Rust files below a folder.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files
}

/// The code of every module, without comments: module, file, text.
fn code() -> Vec<(String, PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut found = Vec::new();
    for file in sources(&root) {
        let below = file.strip_prefix(&root).unwrap();
        let first = below.components().next().unwrap().as_os_str();
        let module = first.to_str().unwrap().trim_end_matches(".rs").to_owned();
        if module == "lib" || module == "main" {
            continue;
        }
        let text = fs::read_to_string(&file).unwrap();
        let lines = text
            .lines()
            .map(|line| line.split("//").next().unwrap_or(""));
        found.push((module, file.clone(), lines.collect::<Vec<_>>().join("\n")));
    }
    assert!(
        found.len() > 20,
        "the sources are not where this test looks"
    );
    found
}

/// The words that follow `prefix` in a text, also in a group: `crate::{a, b::c}`.
fn words_after(text: &str, prefix: &str) -> BTreeSet<String> {
    let word = |text: &str| -> String {
        let is_part = |c: &char| c.is_alphanumeric() || *c == '_';
        text.trim_start().chars().take_while(is_part).collect()
    };
    let mut words = BTreeSet::new();
    for (start, _) in text.match_indices(prefix) {
        let rest = &text[start + prefix.len()..];
        let Some(group) = rest.strip_prefix('{') else {
            words.insert(word(rest));
            continue;
        };
        let mut depth = 0;
        let mut item = String::new();
        for c in group.chars() {
            match c {
                '{' => depth += 1,
                '}' if depth == 0 => break,
                '}' => depth -= 1,
                ',' if depth == 0 => {
                    words.insert(word(&item));
                    item.clear();
                    continue;
                }
                _ => {}
            }
            item.push(c);
        }
        words.insert(word(&item));
    }
    words.remove("");
    words
}

#[test]
fn modules_import_only_what_the_table_allows() {
    let table: BTreeMap<&str, &[&str]> = IMPORTS.iter().copied().collect();
    let mut faults = Vec::new();
    for (module, file, text) in code() {
        let Some(allowed) = table.get(module.as_str()) else {
            faults.push(format!(
                "{}: module {module} is not in the table",
                file.display()
            ));
            continue;
        };
        for import in words_after(&text, "crate::") {
            let known = table.contains_key(import.as_str());
            if known && import != module && !allowed.contains(&import.as_str()) {
                faults.push(format!("{}: {module} -> {import}", file.display()));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn the_table_has_no_cycle() {
    // Each module stands below everything that it may import.
    for (place, (module, allowed)) in IMPORTS.iter().enumerate() {
        for import in *allowed {
            let other = IMPORTS.iter().position(|(name, _)| name == import);
            assert!(
                other.is_some_and(|other| other < place),
                "{module} -> {import}"
            );
        }
    }
}

/// What each room of a module imports of the others: the files and folders right inside it are its
/// rooms. What stands in `mod.rs` belongs to all, and so do the tests.
fn rooms(module: &str) -> BTreeMap<String, BTreeSet<String>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("src")
        .join(module);
    let mut imports: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (_, file, text) in code() {
        let Ok(below) = file.strip_prefix(&root) else {
            continue;
        };
        let parts: Vec<&str> = below.iter().map(|part| part.to_str().unwrap()).collect();
        let room = parts[0].trim_end_matches(".rs");
        if ["mod", "tests"].contains(&room) {
            continue;
        }
        let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap();
        // How often `super` leads from a file to the module itself.
        let is_root = parts.last() == Some(&"mod.rs");
        let levels = parts.len() - usize::from(is_root);
        let known = imports.entry(room.to_owned()).or_default();
        known.extend(words_after(code, &format!("crate::{module}::")));
        for line in code.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':')) {
            let ups = line.matches("super::").count();
            let rest = line.trim_start_matches("super::");
            if ups == levels && !rest.is_empty() {
                let word = rest.split("::").next().unwrap();
                known.insert(word.to_owned());
            }
        }
        let path = "super::".repeat(levels);
        for (start, _) in code.match_indices(&format!("{path}{{")) {
            if !code[..start].ends_with("super::") {
                known.extend(words_after(&code[start..], &path));
            }
        }
    }
    let all: BTreeSet<String> = imports.keys().cloned().collect();
    for (room, known) in &mut imports {
        known.retain(|other| other != room && all.contains(other));
    }
    imports
}

/// All that a room reaches.
fn reached(from: &str, imports: &BTreeMap<String, BTreeSet<String>>) -> BTreeSet<String> {
    let mut reached = BTreeSet::new();
    let mut open = vec![from];
    while let Some(room) = open.pop() {
        for next in &imports[room] {
            if reached.insert(next.clone()) {
                open.push(next);
            }
        }
    }
    reached
}

/// The rooms in the order of the table, as they are: circles together, leaves first.
fn floors(imports: &BTreeMap<String, BTreeSet<String>>) -> Vec<Vec<String>> {
    let all: BTreeMap<&String, BTreeSet<String>> = imports
        .keys()
        .map(|room| (room, reached(room, imports)))
        .collect();
    let mut floors: Vec<Vec<String>> = Vec::new();
    let mut placed = BTreeSet::new();
    while placed.len() < all.len() {
        let circle = |room: &String| -> BTreeSet<String> {
            let back = |other: &&String| all[room].contains(*other) && all[*other].contains(room);
            let others = all.keys().copied().filter(back).cloned();
            others.chain([room.clone()]).collect()
        };
        let next = all.keys().copied().find(|room| {
            let together = circle(room);
            let is_below = |other: &String| placed.contains(other) || together.contains(other);
            !placed.contains(*room) && all[*room].iter().all(is_below)
        });
        let together = circle(next.unwrap());
        placed.extend(together.iter().cloned());
        floors.push(together.into_iter().collect());
    }
    floors
}

#[test]
fn rooms_inside_a_module_import_only_what_stands_below_them() {
    for (module, table) in [("session", SESSION), ("sql", SQL)] {
        let imports = rooms(module);
        let place = |room: &str| table.iter().position(|floor| floor.contains(&room));
        let mut faults = Vec::new();
        for (room, others) in &imports {
            let Some(own) = place(room) else {
                faults.push(format!("{room} is not in the table"));
                continue;
            };
            for other in others {
                let below = place(other).is_some_and(|other| other <= own);
                if !below {
                    faults.push(format!("{room} -> {other}"));
                }
            }
        }
        for floor in table {
            if floor.len() > MOST_IN_A_CIRCLE {
                faults.push(format!("{floor:?} are too many in one circle"));
            }
            for room in *floor {
                if !imports.contains_key(*room) {
                    faults.push(format!("{room} is in the table and nowhere else"));
                } else if floor.len() > 1 {
                    let all = reached(room, &imports);
                    let leaves = floor.iter().find(|other| !all.contains(**other));
                    if leaves.is_some() {
                        faults.push(format!("{room} is in no circle with {leaves:?}"));
                    }
                }
            }
        }
        let now: Vec<String> = floors(&imports)
            .iter()
            .map(|floor| format!("    &{floor:?},"))
            .collect();
        assert!(
            faults.is_empty(),
            "in {module}: {}\nthe rooms as they are:\n{}",
            faults.join("\n"),
            now.join("\n")
        );
    }
}

#[test]
fn crates_stay_in_the_modules_that_own_them() {
    let mut faults = Vec::new();
    for (module, file, text) in code() {
        for (name, owners) in CRATES {
            let used = text.match_indices(&format!("{name}::")).any(|(at, _)| {
                let before = text[..at].chars().next_back();
                !before.is_some_and(|c| c.is_alphanumeric() || c == '_')
            });
            if used && !owners.contains(&module.as_str()) {
                faults.push(format!("{}: {module} uses {name}", file.display()));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn every_file_says_what_it_is_for_and_stays_readable() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut faults = Vec::new();
    for folder in ["src", "tests", "benches", "examples"] {
        let folder = root.join(folder);
        for file in sources(&folder) {
            let text = fs::read_to_string(&file).unwrap();
            if !text.starts_with("//!") {
                faults.push(format!("{}: does not open with //!", file.display()));
            }
            if text.lines().count() >= 800 {
                faults.push(format!("{}: longer than 800 lines", file.display()));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// How the first sentence of a doc comment begins that nobody can read without what stands around it.
const VAGUE: &[&str] = &[
    "All of them.",
    "Each of them.",
    "How many.",
    "It can.",
    "It does.",
    "It does,",
    "It has.",
    "It is.",
    "None.",
    "Not at all.",
    "Nothing.",
    "One of them.",
    "Something else.",
    "The same ",
    "What it is.",
    "Where.",
    "Whether it does.",
    "Whether it has.",
    "Whether it is.",
    "Whether there are none.",
    "Whose it is.",
    "Why.",
    "Why it can't.",
];

#[test]
fn docs_can_be_read_by_themselves() {
    let mut faults = Vec::new();
    for file in sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src")) {
        let text = fs::read_to_string(&file).unwrap();
        let mut before = "";
        for (number, line) in (1..).zip(text.lines()) {
            let line = line.trim_start();
            let first = line
                .strip_prefix("/// ")
                .filter(|_| !before.starts_with("///"));
            if first.is_some_and(|first| VAGUE.iter().any(|vague| first.starts_with(vague))) {
                faults.push(format!("{}:{number}: {line}", file.display()));
            }
            before = line;
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn reads_imports_in_groups() {
    let words = words_after("use crate::{a, b::{c, d}, e};\ncrate::f::g()", "crate::");
    let expected = ["a", "b", "e", "f"].map(str::to_owned);
    assert_eq!(words, BTreeSet::from(expected));
}

/// Oids of Postgres's own types that are no other numbers of ours.
const OIDS: &[&str] = &[
    "1009", "1015", "1016", "1042", "1043", "1082", "1083", "1114", "1184", "1186", "1266", "1700",
    "2249", "2278", "2287", "2950", "2951", "3802", "3807",
];

#[test]
fn oids_stand_in_one_table() {
    let mut faults = Vec::new();
    for (module, path, text) in code() {
        let is_test = path.to_string_lossy().ends_with("tests.rs");
        if module == "pg" || is_test {
            continue;
        }
        let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap();
        for (number, line) in text.lines().enumerate() {
            let mut words = line.split(|c: char| !c.is_alphanumeric() && c != '_');
            // In a string they are in the words of Postgres's catalog.
            if !line.contains('"') && words.any(|word| OIDS.contains(&word)) {
                faults.push(format!("{}:{}: {line}", path.display(), number + 1));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Tests and cases of the twin that docs/protocol.md names in backticks: names with blanks are
/// the cases, `file: title`.
#[test]
fn every_test_that_the_protocol_page_names_exists() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = fs::read_to_string(root.join("docs/protocol.md")).unwrap();
    let files = [sources(&root.join("tests")), sources(&root.join("src"))].concat();
    let texts = files.iter().map(|file| fs::read_to_string(file).unwrap());
    let code = texts.collect::<Vec<_>>().join("\n");
    let mut named = 0;
    for span in page.split('`').skip(1).step_by(2) {
        if let Some((file, title)) = span.split_once(".sql: ") {
            let file = root.join("tests/twin/cases").join(format!("{file}.sql"));
            let cases = fs::read_to_string(file).unwrap();
            let case = format!("-- case: {title}");
            assert!(cases.lines().any(|line| line == case), "no case {span:?}");
            named += 1;
        } else if span.matches('_').count() > 2 && !span.contains(char::is_uppercase) {
            assert!(code.contains(&format!("fn {span}(")), "no test {span:?}");
            named += 1;
        }
    }
    assert!(named > 80, "the page names its tests in another way");
}

/// The maps in docs/architecture.md name every file of a room once, and nothing else.
#[test]
fn the_maps_of_the_rooms_are_those_of_the_tree() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = fs::read_to_string(root.join("docs/architecture.md")).unwrap();
    for (title, folder) in [
        ("### Inside `session`", "src/session"),
        ("### Inside `sql::infer`", "src/sql/infer"),
    ] {
        let (_, part) = text.split_once(title).unwrap();
        let part = part.split("\n#").next().unwrap();
        let rows = part.lines().filter(|line| line.starts_with("| "));
        let files = rows.filter_map(|row| row.split('|').nth(2));
        let mut named: Vec<&str> = files
            .flat_map(|cell| cell.split('`').skip(1).step_by(2))
            .collect();
        named.sort_unstable();
        let mut there = BTreeSet::new();
        for entry in fs::read_dir(root.join(folder)).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            there.insert(name.trim_end_matches(".rs").to_owned());
        }
        there.remove("tests");
        let missing: Vec<_> = there
            .iter()
            .filter(|name| !named.contains(&name.as_str()))
            .collect();
        assert!(
            missing.is_empty(),
            "{folder}: {missing:?} is not in docs/architecture.md"
        );
        assert_eq!(
            named,
            there.iter().map(String::as_str).collect::<Vec<_>>(),
            "{folder}"
        );
    }
}

#[test]
fn the_map_of_the_suites_has_them_all() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let map = fs::read_to_string(root.join("README.md")).unwrap();
    let rows: String = map.lines().filter(|line| line.starts_with("| ")).collect();
    let mut missing = Vec::new();
    for entry in fs::read_dir(&root).unwrap() {
        let path = entry.unwrap().path();
        let is_suite =
            path.extension().is_some_and(|kind| kind == "rs") || path.join("main.rs").exists();
        let name = path.file_stem().unwrap().to_str().unwrap();
        if is_suite && !rows.contains(&format!("`{name}`")) {
            missing.push(name.to_owned());
        }
    }
    assert!(missing.is_empty(), "{missing:?} is not in tests/README.md");
}
