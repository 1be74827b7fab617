//! `pgveil explain-code`: the entry of a code on the page of refusals, for those who have nothing but
//! the binary and an error.

use std::io::Write;

use clap::Args;

use super::{CliError, Outcome};

/// The page; each entry begins with a heading, the code.
const PAGE: &str = include_str!("../../docs/refusals.md");

/// What a heading of an entry begins with.
const HEADING: &str = "## ";

#[derive(Debug, Args)]
pub(super) struct ExplainCode {
    /// The code, as the error, the log and the metrics have it. Left out: the names of all codes.
    #[arg(value_name = "CODE")]
    code: Option<String>,
}

impl ExplainCode {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<Outcome, CliError> {
        let Some(name) = self.code else {
            for (code, _) in entries() {
                writeln!(out, "{code}")?;
            }
            return Ok(Outcome::Success);
        };
        let Some(entry) = entry(&name) else {
            let known: Vec<&str> = entries().map(|(code, _)| code).collect();
            let known = known.join(", ");
            return Err(CliError::Code { name, known });
        };
        writeln!(out, "{}", entry.trim())?;
        Ok(Outcome::Success)
    }
}

/// What the page says of a code.
pub(super) fn entry(code: &str) -> Option<&'static str> {
    entries().find_map(|(known, entry)| (known == code).then_some(entry))
}

/// The codes with what stands under each.
fn entries() -> impl Iterator<Item = (&'static str, &'static str)> {
    let mut begins = PAGE.match_indices("\n## ").map(|(at, _)| at + 1).peekable();
    std::iter::from_fn(move || {
        let begin = begins.next()?;
        let end = begins.peek().map_or(PAGE.len(), |next| *next);
        let entry = PAGE.get(begin..end)?.strip_prefix(HEADING)?;
        entry.split_once('\n')
    })
}
