//! The documentation as a set: links lead to files and headings that are there, every page can be
//! found from the index, and tables of codes are those of the sources. No network is asked: whether
//! addresses of others still answer is not checked.
#![expect(clippy::unwrap_used, reason = "a test that panics has failed")]

#[path = "docs/kit.rs"]
mod kit;
#[path = "docs/pages.rs"]
mod pages;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use pages::Page;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(name: &str) -> String {
    fs::read_to_string(root().join(name)).unwrap()
}

/// Files with an extension below a folder, but for what is fetched or built.
fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        if path.is_dir() && !path.is_symlink() {
            if !name.starts_with('.') && !["target", "node_modules"].contains(&name) {
                found.extend(files(&path, extension));
            }
        } else if path.extension().is_some_and(|kind| kind == extension) {
            found.push(path);
        }
    }
    found.sort();
    found
}

#[test]
fn links_lead_to_files_and_headings_that_are_there() {
    let pages: Vec<Page> = files(root(), "md")
        .iter()
        .map(|file| Page::read(file))
        .collect();
    let mut faults = Vec::new();
    let mut count = 0;
    for page in &pages {
        for link in &page.links {
            if link.contains("://") || link.starts_with("mailto:") {
                continue;
            }
            count += 1;
            let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target = match file {
                "" => page.file.clone(),
                _ => page.file.parent().unwrap().join(file),
            };
            let Ok(target) = target.canonicalize() else {
                faults.push(format!("{}: no file {link}", page.file.display()));
                continue;
            };
            let there = pages.iter().find(|page| page.file == target);
            if !anchor.is_empty() && !there.is_some_and(|page| page.anchors.contains(anchor)) {
                faults.push(format!("{}: no heading {link}", page.file.display()));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(count > 200, "only {count} links are found");
}

/// Files of the repository that are named in code, configuration and messages: `docs/x.md#y`.
#[test]
fn what_sources_and_examples_say_of_pages_is_there() {
    let mut faults = Vec::new();
    let mut count = 0;
    let folders = ["src", "examples", "config", "benches", ".ci"];
    let kinds = [
        "rs", "toml", "yaml", "yml", "sql", "service", "json", "md", "txt",
    ];
    for file in folders.iter().flat_map(|folder| {
        let folder = root().join(folder);
        kinds.iter().flat_map(move |kind| files(&folder, kind))
    }) {
        let text = fs::read_to_string(&file).unwrap();
        for (start, _) in text.match_indices("docs/") {
            let part = |c: char| c.is_ascii_alphanumeric() || "/._-#".contains(c);
            let name: &str = text[start..].split(|c| !part(c)).next().unwrap();
            let name = name.trim_end_matches(['.', '#']);
            let (path, anchor) = name.split_once('#').unwrap_or((name, ""));
            if !path.ends_with(".md") {
                continue;
            }
            count += 1;
            let page = root().join(path);
            let is_there =
                page.exists() && (anchor.is_empty() || Page::read(&page).anchors.contains(anchor));
            if !is_there {
                faults.push(format!("{}: {name}", file.display()));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(count > 10, "only {count} pages are named");
}

#[test]
fn the_index_has_every_page() {
    let index = Page::read(&root().join("docs/README.md"));
    for page in files(&root().join("docs"), "md") {
        let name = page.strip_prefix(root().join("docs")).unwrap();
        let name = name.to_str().unwrap();
        let is_linked = name == "README.md" || index.links.iter().any(|link| link == name);
        assert!(is_linked, "docs/README.md does not link {name}");
    }
}

/// The first cells of the rows of a table, below a heading.
fn first_cells(page: &str, heading: &str) -> Vec<String> {
    let (_, part) = page.split_once(heading).unwrap();
    let part = part.split("\n## ").next().unwrap();
    let rows = part.lines().filter_map(|line| line.strip_prefix("| "));
    let cells = rows.filter_map(|row| row.split(" | ").next());
    cells.skip(2).map(str::to_owned).collect()
}

#[test]
fn troubleshooting_has_every_code_of_a_refusal() {
    let codes = read("docs/refusals.md");
    let codes: Vec<&str> = codes
        .lines()
        .filter_map(|line| line.strip_prefix("## "))
        .collect();
    let cells = first_cells(&read("docs/troubleshooting.md"), "## By code");
    let expected: Vec<String> = codes
        .iter()
        .map(|code| format!("[{code}](refusals.md#{code})"))
        .collect();
    assert_eq!(cells, expected);
}

/// SQLSTATEs that stand in the sources and that no client is told: they are read in what others say,
/// or are no SQLSTATEs.
const READ_ONLY: &[&str] = &[
    "00000", "01006", "01007", "02000", "23505", "23P01", "25P02", "42501", "42710", "42P06",
    "42P07", "44000",
];

/// Rust files whose strings of five characters are SQLSTATEs.
fn is_about_sqlstates(file: &Path) -> bool {
    let below = file.strip_prefix(root().join("src")).unwrap();
    let name = below.to_str().unwrap();
    ["sql/", "session/", "proxy/"]
        .iter()
        .any(|part| name.starts_with(part))
        && !name.contains("tests")
}

#[test]
fn troubleshooting_has_every_sqlstate_that_pgveil_gives() {
    let mut given = BTreeSet::new();
    for file in files(&root().join("src"), "rs") {
        if !is_about_sqlstates(&file) {
            continue;
        }
        let text = fs::read_to_string(&file).unwrap();
        let code = text.split("#[cfg(test)]").next().unwrap();
        for word in code.split('"').skip(1).step_by(2) {
            let is_code = word.len() == 5
                && word.starts_with(|c: char| c.is_ascii_digit() || "XP".contains(c))
                && word
                    .chars()
                    .all(|c| c.is_ascii_digit() || c.is_ascii_uppercase())
                && word.chars().any(|c| c.is_ascii_digit());
            if is_code && !READ_ONLY.contains(&word) {
                given.insert(word.to_owned());
            }
        }
    }
    let cells = first_cells(&read("docs/troubleshooting.md"), "## By SQLSTATE");
    let told: BTreeSet<String> = cells
        .iter()
        .flat_map(|cell| cell.split(", "))
        .map(str::to_owned)
        .collect();
    let missing: Vec<_> = given.difference(&told).collect();
    assert!(
        missing.is_empty(),
        "{missing:?} is not in docs/troubleshooting.md"
    );
    // Postgres says these in the place of pgveil, which only names them by their bytes.
    let vain: Vec<_> = told
        .difference(&given)
        .filter(|code| *code != "P0001")
        .collect();
    assert!(
        vain.is_empty(),
        "{vain:?} is in docs/troubleshooting.md and nowhere else"
    );
    assert!(given.len() > 25, "{given:?}");
}
