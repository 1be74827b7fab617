//! Prints what `check` has to say: for people, for programs, and for GitHub's actions.

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::path::Path;

use serde_json::{Value, json};

use super::Format;
use super::finding::{Finding, Found};
use crate::cli::rehearse::escaped;
use crate::config::{Config, Fault, Files, Held};

/// What is said of a configuration that is sound.
pub(super) struct Report<'a> {
    pub(super) file: &'a Path,
    /// It, and what it includes.
    pub(super) files: &'a Files,
    /// What it says.
    pub(super) config: &'a Config,
    pub(super) warnings: Vec<Fault>,
    /// What an operator should know of the database.
    pub(super) notes: Vec<String>,
    /// What `--sample` has not looked at, and why; none if it was not asked for.
    pub(super) skipped: Option<Vec<String>>,
    /// What does not fit; none if no database was asked.
    pub(super) findings: Option<BTreeSet<Finding>>,
}

/// Where notes are explained.
const ABOUT_NOTES: &str = "see docs/security.md on who may define things";

impl Report<'_> {
    pub(super) fn print(&self, format: Format, out: &mut dyn Write) -> io::Result<()> {
        match format {
            Format::Text => self.text(out),
            Format::Json => writeln!(out, "{:#}", self.json()),
            Format::Github => self.github(out),
        }
    }

    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        let file = self.file;
        let domains = count(self.config.domains.len(), "id domain");
        writeln!(out, "{}: sound, {domains}", file.display())?;
        self.policy(out)?;
        for warning in &self.warnings {
            let warning = self.files.fault(warning).to_string();
            writeln!(out, "warning: {}", lines(&warning, ""))?;
        }
        for note in &self.notes {
            writeln!(out, "note: {}\n  {ABOUT_NOTES}", escaped(note))?;
        }
        for skipped in self.skipped.iter().flatten() {
            writeln!(out, "not looked at: {}", escaped(skipped))?;
        }
        let Some(findings) = &self.findings else {
            return Ok(());
        };
        if findings.is_empty() {
            return writeln!(out, "the database fits");
        }
        writeln!(out, "the database: {}", count(findings.len(), "finding"))?;
        for finding in findings {
            writeln!(out, "  {}", lines(&finding.text(self.files), "  "))?;
        }
        if findings.iter().any(Finding::can_be_plain) {
            writeln!(
                out,
                "what is to stay as it is: list it under [check] in plain"
            )?;
        }
        Ok(())
    }

    /// Prints what holds for whom, where rules make it different.
    fn policy(&self, out: &mut dyn Write) -> io::Result<()> {
        let rules = &self.config.policy.rules;
        let mut domains = self.config.domains.iter();
        if rules.is_empty() && domains.all(|domain| domain.database.is_none()) {
            return Ok(());
        }
        let name = |name: Option<&str>, other: &str| match name {
            Some(name) => escaped(name),
            None => other.to_owned(),
        };
        writeln!(out, "mode by role and database:")?;
        for held in self.config.table() {
            let role = name(held.role, "other roles");
            let (database, mode) = (name(held.database, "other databases"), held.mode);
            let plain = match held.plain.as_slice() {
                [] => String::new(),
                plain => format!(", but keys of {} are shown", plain.join(", ")),
            };
            writeln!(out, "  {role:<20} {database:<20} {}{plain}", mode.as_str())?;
        }
        for rule in rules {
            if !rule.applications.is_empty() {
                let list = |names: &[String], all: &str| match names {
                    [] => all.to_owned(),
                    names => escaped(&names.join(", ")),
                };
                let applications = escaped(&rule.applications.join(", "));
                let roles = list(&rule.roles, "any role");
                let databases = list(&rule.databases, "any database");
                let mode = rule.mode.as_str();
                let of = match rule.domains.as_slice() {
                    [] => String::new(),
                    domains => format!(" for {}", domains.join(", ")),
                };
                writeln!(
                    out,
                    "  {roles} in {databases} who says to be {applications}: at least {mode}{of}"
                )?;
            }
        }
        Ok(())
    }

    /// The shape is documented in docs/adopt.md.
    fn json(&self) -> Value {
        let place = |finding: &Finding| finding.line.map(|line| self.files.place(line));
        let finding = |finding: &Finding| {
            json!({
                "code": finding.code,
                "column": finding.column,
                "file": place(finding).map(|(file, _)| file.display().to_string()),
                "line": place(finding).map(|(_, line)| line),
                "message": finding.message,
                "advice": finding.advice,
                "sample": finding.found.as_ref().map(sample),
            })
        };
        let row = |held: &Held<'_>| {
            json!({
                "role": held.role,
                "database": held.database,
                "mode": held.mode.as_str(),
                "plain": held.plain,
            })
        };
        let findings = self.findings.as_ref();
        json!({
            "file": self.file.display().to_string(),
            "sound": true,
            "domains": self.config.domains.len(),
            "faults": [],
            "policy": self.config.table().iter().map(row).collect::<Vec<_>>(),
            "warnings": self.warnings.iter().map(|one| fault(self.files, one)).collect::<Vec<_>>(),
            "notes": self.notes,
            "skipped": self.skipped,
            "fits": findings.map(BTreeSet::is_empty),
            "findings": findings.map(|findings| findings.iter().map(finding).collect::<Vec<_>>()),
        })
    }

    fn github(&self, out: &mut dyn Write) -> io::Result<()> {
        for warning in &self.warnings {
            let message = format!("{}\n{}", warning.cause, warning.advice);
            let (file, line) = self.files.place(warning.line);
            annotation(out, "warning", file, Some(line), &message)?;
        }
        for note in &self.notes {
            annotation(out, "notice", self.file, None, note)?;
        }
        for skipped in self.skipped.iter().flatten() {
            let message = format!("not looked at: {skipped}");
            annotation(out, "notice", self.file, None, &message)?;
        }
        for finding in self.findings.iter().flatten() {
            let advice = finding.advice.iter();
            let advice: String = advice.map(|advice| format!("\n{advice}")).collect();
            let message = format!("{}{advice}", finding.told());
            let place = finding.line.map(|line| self.files.place(line));
            let file = place.map_or(self.file, |(file, _)| file);
            annotation(out, "error", file, place.map(|(_, line)| line), &message)?;
        }
        Ok(())
    }
}

/// Prints the faults of a configuration that is not sound, for who reads no standard error.
pub(super) fn faulty(
    (file, files): (&Path, &Files),
    faults: &[Fault],
    format: Format,
    out: &mut dyn Write,
) -> io::Result<()> {
    match format {
        Format::Text => Ok(()),
        Format::Json => {
            let faults: Vec<Value> = faults.iter().map(|one| fault(files, one)).collect();
            let file = file.display().to_string();
            let report = json!({
                "file": file, "sound": false, "domains": null, "policy": null, "faults": faults, "warnings": [],
                "notes": [], "skipped": null, "fits": null, "findings": null,
            });
            writeln!(out, "{report:#}")
        }
        Format::Github => faults.iter().try_for_each(|fault| {
            let message = format!("{}\n{}", fault.cause, fault.advice);
            let (file, line) = files.place(fault.line);
            annotation(out, "error", file, Some(line), &message)
        }),
    }
}

fn sample(found: &Found) -> Value {
    json!({
        "domain": found.domain,
        "path": found.path,
        "rows": found.rows,
        "values": found.values,
        "keys": found.keys,
    })
}

fn fault(files: &Files, fault: &Fault) -> Value {
    let (file, line) = files.place(fault.line);
    json!({
        "file": file.display().to_string(),
        "line": line,
        "message": fault.cause,
        "advice": fault.advice,
    })
}

/// Writes a workflow command, in which controls and the ends of lines and of fields are escaped:
/// <https://docs.github.com/actions/reference/workflow-commands-for-github-actions>.
fn annotation(
    out: &mut dyn Write,
    level: &str,
    file: &Path,
    line: Option<usize>,
    message: &str,
) -> io::Result<()> {
    let escape = |text: &str| {
        let text = lines(text, "").replace('%', "%25");
        text.replace('\n', "%0A")
    };
    let file = escape(&file.display().to_string());
    let file = file.replace(':', "%3A").replace(',', "%2C");
    let line = line.map_or_else(String::new, |line| format!(",line={line}"));
    writeln!(out, "::{level} file={file}{line}::{}", escape(message))
}

/// Lines whose characters control nothing, but for the first one indented so much more.
fn lines(text: &str, indent: &str) -> String {
    let lines: Vec<String> = text.split('\n').map(escaped).collect();
    lines.join(&format!("\n{indent}"))
}

fn count(number: usize, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {noun}{plural}")
}
