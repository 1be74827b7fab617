//! Something that `check` has found in a live database.

use std::fmt::Display;

use crate::config::{Fault, Files};

/// A finding. It sorts as its text does, but for the file.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Finding {
    /// What it is about, as it is shown before the message: a column.
    pub(super) column: Option<String>,
    pub(super) line: Option<usize>,
    pub(super) message: String,
    pub(super) advice: Option<String>,
    /// Of which sort it is: stable, for programs.
    pub(super) code: &'static str,
    /// What a sample has shown.
    pub(super) found: Option<Found>,
}

/// How much of a sample is keys.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Found {
    /// Whose keys.
    pub(super) domain: String,
    /// Where in documents they stand; none for the values of the column themselves.
    pub(super) path: Option<String>,
    /// How many rows there are in the sample.
    pub(super) rows: usize,
    /// How many values could be keys.
    pub(super) values: usize,
    /// How many of them are.
    pub(super) keys: usize,
}

impl Finding {
    /// A line of the configuration that does not fit.
    pub(super) fn fault(fault: Fault) -> Self {
        Self {
            column: None,
            line: Some(fault.line),
            message: fault.cause,
            advice: Some(fault.advice),
            code: "misfit",
            found: None,
        }
    }

    /// Something about a column.
    pub(super) fn column(code: &'static str, column: &dyn Display, message: String) -> Self {
        Self {
            column: Some(column.to_string()),
            ..Self::other(code, message)
        }
    }

    /// A column in which a sample has shown keys.
    pub(super) fn sampled(column: &dyn Display, found: Found) -> Self {
        let Found {
            domain,
            rows,
            values,
            keys,
            ..
        } = &found;
        let (at, advice) = match &found.path {
            Some(path) => (format!("at {path}, "), "add an [[id.json]] for the path"),
            None => (String::new(), "add it to references"),
        };
        let message = format!(
            "{at}{keys} of {values} values that could be keys, in {rows} rows, are keys of `{domain}`; {advice}"
        );
        Self {
            found: Some(found),
            ..Self::column("sample", column, message)
        }
    }

    /// A finding about nothing in particular.
    pub(super) fn other(code: &'static str, message: String) -> Self {
        Self {
            column: None,
            line: None,
            message,
            advice: None,
            code,
            found: None,
        }
    }

    /// Whether listing the column as one that stays as it is would settle it.
    pub(super) fn can_be_plain(&self) -> bool {
        [
            "key",
            "reference",
            "pair",
            "document",
            "unfit-key",
            "sample",
        ]
        .contains(&self.code)
    }

    /// Gives this finding the line of the configuration because of which it is one.
    pub(super) fn on(self, line: usize) -> Self {
        let line = Some(line);
        Self { line, ..self }
    }

    /// For people: where it is, and the advice below.
    pub(super) fn text(&self, files: &Files) -> String {
        let place = match (&self.column, self.line) {
            (None, Some(line)) => format!("{}: ", files.show(line)),
            _ => String::new(),
        };
        let advice = self.advice.iter().map(|advice| format!("\n  {advice}"));
        format!("{place}{}{}", self.told(), advice.collect::<String>())
    }

    /// The message, and the column that it is about.
    pub(super) fn told(&self) -> String {
        match &self.column {
            Some(column) => format!("{column}: {}", self.message),
            None => self.message.clone(),
        }
    }
}
