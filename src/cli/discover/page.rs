//! Writes proposals as a configuration: what is certain as it is to stand there, what is guessed as
//! comments, and at the end what was left out and why.
//!
//! Names come from the database. In TOML they stand in strings that are escaped, in comments
//! without characters that could end one.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::path::Path;

use super::proposal::{Domain, Found, Proposal, What};
use crate::config::{ColumnName, Config};

/// Where comments begin.
const COMMENTS: usize = 43;

/// What is to be written.
pub(super) struct Page<'a> {
    pub(super) found: &'a Found,
    /// How many views there are.
    pub(super) views: usize,
    /// What is decided already.
    pub(super) config: Option<&'a Config>,
}

impl Page<'_> {
    /// A whole configuration for the database at this address.
    pub(super) fn whole(&self, out: &mut dyn Write, address: &str) -> io::Result<()> {
        let address = text(address);
        writeln!(
            out,
            "# Proposed by `pgveil discover` from the catalogs of the database. What is commented out \
             is a guess:\n# uncomment it, or leave its column as it is and list it in plain, below.\n\
             \n[server]\nlisten = [\"127.0.0.1:6432\"]\n\n[upstream]\naddress = {address}\n\n\
             [keys]                                     # `pgveil keygen` makes one\n\
             current = \"first\"\n[keys.ring.first]\nenv = \"PGVEIL_KEY\"\n"
        )?;
        self.domains(out)?;
        self.pairs(out)?;
        self.plain(out)?;
        self.left_out(out)
    }

    /// What a configuration has not decided yet.
    pub(super) fn news(&self, out: &mut dyn Write, file: &Path) -> io::Result<()> {
        let file = plain_words(&file.display().to_string());
        if self.found.proposals.is_empty() {
            return writeln!(
                out,
                "# {file} has decided on every column that could show keys."
            );
        }
        writeln!(out, "# What {file} has not decided yet.\n")?;
        self.additions(out)?;
        self.domains(out)?;
        self.pairs(out)?;
        self.plain(out)
    }

    fn keys(&self) -> impl Iterator<Item = (&Proposal, &Domain)> {
        let proposals = self.found.proposals.iter();
        proposals.filter_map(|proposal| match &proposal.what {
            What::Key(domain) => Some((proposal, domain)),
            _ => None,
        })
    }

    /// The proposals that hold keys of a domain.
    fn referring<'p>(&'p self, domain: &'p str) -> impl Iterator<Item = &'p Proposal> {
        let proposals = self.found.proposals.iter();
        proposals.filter(move |proposal| match &proposal.what {
            What::Reference(whose) => whose.domain == domain,
            _ => false,
        })
    }

    /// Whether a column stands in an `[[id]]` of the page or of the configuration. One that refers to
    /// a schema that was not asked for does not.
    fn has_place(&self, proposal: &Proposal) -> bool {
        match &proposal.what {
            What::Key(_) => true,
            What::Reference(whose) => {
                whose.configured || self.keys().any(|(_, domain)| domain.name == whose.domain)
            }
            _ => false,
        }
    }

    /// What belongs into the references of domains that the configuration has.
    fn additions(&self, out: &mut dyn Write) -> io::Result<()> {
        let domains = self.config.map_or(&[][..], |config| &config.domains);
        for domain in domains {
            let name = &domain.annotation.name;
            let mut references = self.referring(name).peekable();
            if references.peek().is_none() {
                continue;
            }
            writeln!(out, "# To the references of `{name}`:")?;
            for proposal in references {
                reference(out, "#   ", proposal)?;
            }
            writeln!(out)?;
        }
        Ok(())
    }

    fn domains(&self, out: &mut dyn Write) -> io::Result<()> {
        for (proposal, domain) in self.keys() {
            let Domain { name, settings } = domain;
            let prefix = if proposal.certain { "" } else { "# " };
            let doubt = if proposal.certain { "" } else { "guess: " };
            let evidence = format!("{doubt}{}", proposal.evidence);
            line(out, &format!("{prefix}[[id]]"), &evidence)?;
            writeln!(out, "{prefix}name = {}", text(name))?;
            writeln!(out, "{prefix}column = {}", text(&proposal.column.written()))?;
            for setting in settings {
                writeln!(out, "{prefix}{setting}")?;
            }
            let references: Vec<&Proposal> = self.referring(name).collect();
            if !references.is_empty() {
                writeln!(out, "{prefix}references = [")?;
                for other in references {
                    let inner = match (proposal.certain, other.certain) {
                        (true, true) => "  ",
                        (true, false) => "  # ",
                        (false, _) => "#   ",
                    };
                    reference(out, inner, other)?;
                }
                writeln!(out, "{prefix}]")?;
            }
            writeln!(out)?;
        }
        Ok(())
    }

    /// Columns with keys of several tables. Which values tell of them only rows could say.
    fn pairs(&self, out: &mut dyn Write) -> io::Result<()> {
        for proposal in &self.found.proposals {
            let What::Pair { by, kinds } = &proposal.what else {
                continue;
            };
            line(out, "# [[polymorphic]]", &proposal.evidence)?;
            writeln!(out, "# column = {}", text(&proposal.column.written()))?;
            let by = ColumnName {
                column: by.clone(),
                ..proposal.column.clone()
            };
            writeln!(out, "# by = {}", text(&by.written()))?;
            let (values, which) = match kinds.is_empty() {
                true => (
                    "# ids = { 1 = \"…\" }",
                    "its numbers, and whose keys stand beside",
                ),
                false => ("# [polymorphic.ids]", "its values, by the names of tables"),
            };
            line(out, values, &format!("{which}: keep what occurs"))?;
            for (value, domain) in kinds {
                writeln!(out, "# {} = {}", key(value), text(domain))?;
            }
            writeln!(out)?;
        }
        Ok(())
    }

    /// What no `[[id]]` can be proposed for, to be decided.
    fn plain(&self, out: &mut dyn Write) -> io::Result<()> {
        let open: Vec<&Proposal> = self
            .found
            .proposals
            .iter()
            .filter(|proposal| !self.has_place(proposal))
            .collect();
        if open.is_empty() {
            return Ok(());
        }
        // What is pasted into another file is not a table by itself.
        let prefix = if self.config.is_some() { "# " } else { "" };
        writeln!(
            out,
            "# No [[id]] can be proposed for these. Add them to the references of one, or paths to its\n\
             # [[id.json]], or uncomment a [[polymorphic]]; or uncomment what may be shown as it is.\n\
             {prefix}[check]\n{prefix}plain = ["
        )?;
        for proposal in open {
            let inner = if self.config.is_some() {
                "#   "
            } else {
                "  # "
            };
            let comment = match &proposal.what {
                What::Reference(whose) => {
                    format!("{}: keys of {}", proposal.evidence, whose.column)
                }
                _ => proposal.evidence.clone(),
            };
            entry(out, inner, &proposal.column, &comment)?;
        }
        writeln!(out, "{prefix}]\n")
    }

    fn left_out(&self, out: &mut dyn Write) -> io::Result<()> {
        if self.views > 0 {
            let (are, their) = match self.views {
                1 => ("1 view follows", "its definition"),
                _ => ("views follow", "their definitions"),
            };
            let number = match self.views {
                1 => String::new(),
                many => format!("{many} "),
            };
            writeln!(out, "# {number}{are} from {their}.")?;
        }
        if self.found.left_out.is_empty() {
            return Ok(());
        }
        writeln!(out, "# Left out:")?;
        for (column, reason) in &self.found.left_out {
            line(
                out,
                &format!("#   {}", plain_words(&column.to_string())),
                reason,
            )?;
        }
        Ok(())
    }
}

/// A column in a list, with a comment. One that can't stand there is only named.
fn entry(out: &mut dyn Write, prefix: &str, column: &ColumnName, comment: &str) -> io::Result<()> {
    let start = match column.is_writable() {
        true => format!("{prefix}{},", text(&column.written())),
        false => format!("{prefix}{}", plain_words(&column.to_string())),
    };
    line(out, &start, comment)
}

/// A column in a list of references, and what speaks for it.
fn reference(out: &mut dyn Write, prefix: &str, proposal: &Proposal) -> io::Result<()> {
    let doubt = if proposal.certain { "" } else { "guess: " };
    let comment = format!("{doubt}{}", proposal.evidence);
    entry(out, prefix, &proposal.column, &comment)
}

/// A line with a comment behind it.
fn line(out: &mut dyn Write, start: &str, comment: &str) -> io::Result<()> {
    let comment = plain_words(comment);
    let width = COMMENTS.max(start.chars().count() + 1);
    writeln!(out, "{start:<width$}# {comment}")
}

/// A key of TOML, bare where it can be.
fn key(name: &str) -> String {
    let is_bare = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    match !name.is_empty() && name.chars().all(is_bare) {
        true => name.to_owned(),
        false => text(name),
    }
}

/// A string of TOML.
fn text(value: &str) -> String {
    let mut text = String::from("\"");
    for c in value.chars() {
        match c {
            '"' | '\\' => text.extend(['\\', c]),
            c if c.is_control() => {
                // Writing into a String can't fail.
                let _ = write!(text, "\\u{:04X}", u32::from(c));
            }
            c => text.push(c),
        }
    }
    text.push('"');
    text
}

/// Words that end no comment.
fn plain_words(words: &str) -> String {
    let part = |c: char| if c.is_control() { '\u{fffd}' } else { c };
    words.chars().map(part).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_can_t_leave_their_strings_and_comments() {
        assert_eq!(text("a\"b\\c\nd"), r#""a\"b\\c\u000Ad""#);
        assert_eq!(plain_words("a\nb\u{85}c"), "a\u{fffd}b\u{fffd}c");
    }
}
