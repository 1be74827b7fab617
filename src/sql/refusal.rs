//! Why a statement is not run, in Postgres's own terms: an SQLSTATE, a message, where in the
//! text, and what to write instead.

use std::ops::Range;

use super::plan::Overlap;
use crate::splice::Misplaced;

/// A refusal of a statement or of a value in it.
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Refusal {
    /// The rule that was broken; stable, an anchor in `docs/refusals.md`.
    pub code: Code,
    /// The SQLSTATE that the client gets.
    pub sqlstate: &'static str,
    /// The main message.
    pub message: String,
    /// More about the cause.
    pub detail: Option<String>,
    /// What to do instead.
    pub hint: Option<String>,
    /// Where it was found, for a value in the data of COPY.
    pub context: Option<String>,
    /// The place: byte offsets into the statement's text.
    pub span: Option<Range<usize>>,
    /// The schema, table and constraint fields of the error, for errors about constraints.
    pub constraint: Option<ConstraintFields>,
    /// The function of Postgres that raises this error; by it drivers know some that they heal from.
    pub routine: Option<&'static str>,
}

impl std::fmt::Debug for Refusal {
    /// The message may quote what the client sent, so only the code and the SQLSTATE show.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Refusal")
            .field("code", &self.code)
            .field("sqlstate", &self.sqlstate)
            .finish_non_exhaustive()
    }
}

/// The fields `s`, `t` and `n` of an ErrorResponse.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConstraintFields {
    /// The schema of the table.
    pub schema: String,
    /// The table.
    pub table: String,
    /// The constraint.
    pub constraint: String,
}

/// The rules by which statements and values are refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Code {
    /// What `uuid` refuses too: an operator, function or cast that does not exist for it, or a
    /// value of another type in the place of an id.
    UuidType,
    /// Text in the place of an id that is not the text form of a uuid.
    MalformedId,
    /// A value to be stored that was never issued as an id of the domain.
    ForeignId,
    /// Ids of two domains, or an id and a value that is none, in one place.
    MixedDomains,
    /// An expression that would turn a key into something that can't be encrypted on the way out.
    Expression,
    /// A function whose result may hold a key.
    Function,
    /// A construct, a kind of statement or a relation that the analysis does not handle.
    Unsupported,
    /// The text could not be parsed and names something protected.
    Unparsed,
    /// A relation or column that the catalog does not know, beside a protected one.
    UnknownName,
    /// A relation of the system that shows keys (statistics, sequences, other sessions' queries).
    SystemRelation,
    /// A column of keys that is neither annotated nor said to stay as it is.
    Undecided,
    /// The analysis and the server disagree on a result column.
    Disagreement,
    /// A part of the protocol that could carry a key past the analysis.
    Protocol,
    /// One prepared statement or portal more than a session may keep.
    Limit,
    /// A fault of pgveil's own, in the analysis of the statement.
    Fault,
}

impl Code {
    /// The stable name, which is also the anchor in `docs/refusals.md`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::UuidType => "uuid-type",
            Self::MalformedId => "malformed-id",
            Self::ForeignId => "foreign-id",
            Self::MixedDomains => "mixed-domains",
            Self::Expression => "expression",
            Self::Function => "function",
            Self::Unsupported => "unsupported",
            Self::Unparsed => "unparsed",
            Self::UnknownName => "unknown-name",
            Self::SystemRelation => "system-relation",
            Self::Undecided => "undecided",
            Self::Disagreement => "disagreement",
            Self::Protocol => "protocol",
            Self::Limit => "limit",
            Self::Fault => "fault",
        }
    }
}

impl From<Overlap> for Box<Refusal> {
    fn from(overlap: Overlap) -> Self {
        Self::new(Refusal::new(Code::Fault, "XX000", overlap.to_string()))
    }
}

impl From<Misplaced> for Box<Refusal> {
    fn from(misplaced: Misplaced) -> Self {
        Self::new(Refusal::new(Code::Fault, "XX000", misplaced.to_string()))
    }
}

impl Refusal {
    pub(crate) fn new(code: Code, sqlstate: &'static str, message: impl Into<String>) -> Self {
        Self {
            code,
            sqlstate,
            message: message.into(),
            detail: None,
            hint: None,
            context: None,
            span: None,
            constraint: None,
            routine: None,
        }
    }

    /// A refusal of something that pgveil can't do: 0A000, `feature_not_supported`.
    pub(crate) fn unsupported(code: Code, message: impl Into<String>) -> Self {
        Self::new(code, "0A000", message)
    }

    pub(crate) fn at(mut self, span: Range<usize>) -> Self {
        self.span = Some(span);
        self
    }

    pub(crate) fn detail(mut self, detail: impl Into<String>) -> Self {
        self.detail = Some(detail.into());
        self
    }

    pub(crate) fn raised_by(mut self, routine: &'static str) -> Self {
        self.routine = Some(routine);
        self
    }

    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// An id beside a value that tells nothing of what it is.
    pub(crate) fn unknown_sibling() -> Self {
        let message = "an id of one of several kinds can't be stored beside this value";
        Self::unsupported(Code::MixedDomains, message).hint(
            "The value that tells of which kind it is must be one of those that the configuration names.",
        )
    }

    /// A column that is closed as nobody has decided on it.
    pub(super) fn undecided(column: &str) -> Self {
        let message =
            format!("column \"{column}\" holds keys, and nobody has said what becomes of them");
        let hint = "Annotate it in the configuration of pgveil, or list it under [check] in plain \
                    if it is to be shown as it is.";
        Self::unsupported(Code::Undecided, message).hint(hint)
    }

    /// A pattern that several ids may match.
    pub(crate) fn part_of_id() -> Self {
        let message = "pgveil can't search for a part of an id: the database knows only its key";
        Self::unsupported(Code::Expression, message).hint("Search for the whole id.")
    }

    /// A member that is no id, of a document in which the statement takes one for an id.
    pub(crate) fn member_without_ids() -> Self {
        let message =
            "pgveil can't tell whether a member of a document is an id that a parameter names";
        Self::unsupported(Code::Expression, message)
            .hint("Write the name into the statement, as a literal.")
    }

    /// What Postgres says of an operator that no type has.
    pub(crate) fn no_operator(operator: &str, left: Option<&str>, right: &str) -> Self {
        let operands = match left {
            Some(left) => format!("{left} {operator} {right}"),
            None => format!("{operator} {right}"),
        };
        let hint = if left.is_some() {
            "No operator matches the given name and argument types. \
             You might need to add explicit type casts."
        } else {
            "No operator matches the given name and argument type. \
             You might need to add an explicit type cast."
        };
        let message = format!("operator does not exist: {operands}");
        Self::new(Code::UuidType, "42883", message).hint(hint)
    }

    /// What to do about a relation or a function that the snapshot of the database lacks, unless it
    /// was taken for the sake of the text.
    #[must_use]
    pub(super) fn not_seen(self, what: &str, is_fresh: bool) -> Self {
        if is_fresh {
            return self;
        }
        self.hint(format!(
            "pgveil has not seen this {what} yet. If it was created a moment ago in the same \
             pipeline, send this statement after the pipeline's end."
        ))
    }

    /// Says of a name that nobody knows that a statement before in the same text may have made it:
    /// that there is no such thing may be true no longer.
    pub(super) fn may_be_made(&mut self) {
        let is_unknown = ["42P01", "42703", "42883"].contains(&self.sqlstate);
        if self.code == Code::UnknownName && is_unknown {
            self.sqlstate = "0A000";
            self.message = format!("pgveil has not seen this yet: {}", self.message);
            self.hint = Some(SEND_LATER.to_owned());
        }
    }

    /// A statement that pgveil can't read. That it is none of SQL the server says itself, before.
    pub(super) fn unparsed(at_or_near: Option<&str>) -> Self {
        let place = at_or_near.map_or_else(
            || "at the end of this statement".to_owned(),
            |word| format!("at or near \"{word}\""),
        );
        let message = format!("pgveil does not know the syntax {place}");
        Self::unsupported(Code::Unparsed, message).hint("Write it without this syntax.")
    }

    /// What Postgres says of a function that does not exist for these arguments.
    pub(crate) fn no_function(name: &str, arguments: &[String]) -> Self {
        let call = format!("{name}({})", arguments.join(", "));
        Self::new(
            Code::UuidType,
            "42883",
            format!("function {call} does not exist"),
        )
        .hint(
            "No function matches the given name and argument types. \
             You might need to add explicit type casts.",
        )
    }
}

/// What to do where a statement depends on what those before it have made.
pub(super) const SEND_LATER: &str =
    "Send this statement after the one before it has been answered.";

/// Refuses text with ids in it as a column of a new relation.
pub(super) fn stores_text(column: &str, at: Range<usize>) -> Box<Refusal> {
    let message =
        format!("pgveil can't store text or JSON that is built from ids in column \"{column}\"");
    let refusal = Refusal::unsupported(Code::Expression, message).at(at);
    Box::new(refusal.hint("Store the ids themselves, and build the value when it is read."))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    #[test]
    fn the_page_of_refusals_has_an_entry_for_each_code_and_no_other() {
        let codes: BTreeSet<&str> = include_str!("refusal.rs")
            .lines()
            .filter_map(|line| line.trim().strip_prefix("Self::")?.split_once("=> \""))
            .filter_map(|(_, name)| name.strip_suffix("\","))
            .collect();
        let entries: BTreeSet<&str> = include_str!("../../docs/refusals.md")
            .lines()
            .filter_map(|line| line.strip_prefix("## "))
            .collect();
        assert!(codes.len() > 10);
        assert_eq!(codes, entries);
    }
}
