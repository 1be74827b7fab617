//! The table of clients and features, which the README has between two comments.

use std::collections::HashMap;

use super::FEATURES;

/// The mark of a feature that gives the same as with uuids.
pub(crate) const SAME: &str = "✓";
/// The mark of one that gives something else, which fails the test.
pub(crate) const DIFFERS: &str = "differs";

const BEGIN: &str = "<!-- matrix: `BLESS=1 cargo test --test matrix` writes what follows -->\n";
const END: &str = "<!-- end of the matrix -->";

/// Rows in their order: a client, and a cell for each feature.
pub(crate) struct Table(Vec<(String, Vec<String>)>);

/// Where the table begins in the README, and where it ends.
fn place(readme: &str) -> (usize, usize) {
    let begin = readme.find(BEGIN).expect("the README has a table") + BEGIN.len();
    let end = readme[begin..].find(END).expect("the table has an end");
    (begin, begin + end)
}

impl Table {
    /// Reads the table of the README.
    pub(crate) fn of(readme: &str) -> Self {
        let (begin, end) = place(readme);
        let rows = readme[begin..end].lines().skip(2).map(|line| {
            let mut cells = line.trim_matches('|').split('|').map(str::trim);
            let name = cells.next().unwrap_or_default().to_owned();
            (name, cells.map(str::to_owned).collect())
        });
        Self(rows.collect())
    }

    /// The table with the rows of this run in the place of what it had, in the order of the names.
    pub(crate) fn with(&self, run: &HashMap<&str, Vec<String>>, names: &[&str]) -> Self {
        let rows = names.iter().filter_map(|name| {
            let known = self.0.iter().find(|(known, _)| known == name);
            let row = run.get(name).or(known.map(|(_, row)| row))?;
            Some(((*name).to_owned(), row.clone()))
        });
        Self(rows.collect())
    }

    /// The table as Markdown has it.
    pub(crate) fn text(&self) -> String {
        let mut text = format!("| | {} |\n", FEATURES.join(" | "));
        text.push_str(&format!("|{}\n", " --- |".repeat(FEATURES.len() + 1)));
        for (name, row) in &self.0 {
            text.push_str(&format!("| {name} | {} |\n", row.join(" | ")));
        }
        text
    }

    /// The README with this table in it.
    pub(crate) fn written_into(&self, readme: &str) -> String {
        let (begin, end) = place(readme);
        format!("{}{}{}", &readme[..begin], self.text(), &readme[end..])
    }
}
