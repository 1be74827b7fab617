//! Why a plan is what it is: the columns that a result column is made of, what makes a literal or
//! a parameter an id, and which ids a refusal is about. It is kept while a statement is analysed,
//! for `pgveil explain`. The proxy asks for none of it, and then none of it is kept.

mod report;

use std::cell::RefCell;
use std::ops::Range;

/// Keeps what analyses see; hand it over in [`Context`](super::Context).
#[derive(Debug, Default)]
pub struct LineageTrace(RefCell<Seen>);

#[derive(Debug, Default)]
struct Seen {
    steps: Vec<Step>,
    /// The expressions in progress, with what has been found of their parts.
    frames: Vec<Vec<Part>>,
    told: Vec<Reasons>,
}

/// Why the verdict on one statement is what it is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reasons {
    /// For each column of the result.
    pub columns: Vec<Lineage>,
    /// For each literal and each mention of a parameter that is an id.
    pub values: Vec<Cause>,
    /// The ids in the expression that is refused.
    pub clues: Vec<Clue>,
}

/// Where the values of a result column come from.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Lineage {
    /// The columns of tables (`schema.table.column`) and the parameters (`$1`) that its values
    /// are, or are computed from.
    pub from: Vec<String>,
    /// What stands in between: functions, operators, views, the outermost first.
    pub through: Vec<String>,
    /// Why they are ids, or can't be keys.
    pub why: String,
}

/// What makes a value of the client's an id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cause {
    /// Where the literal or the parameter stands.
    pub span: Range<usize>,
    /// The index of the parameter, from 0; `None` for a literal.
    pub parameter: Option<usize>,
    /// `compared with public.users.id`
    pub why: String,
}

/// An id in an expression that is refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clue {
    /// Where it stands.
    pub span: Range<usize>,
    /// What came about.
    pub what: String,
}

/// How a value came about: an index into the steps of a trace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Origin(u32);

impl Origin {
    /// Nobody has asked.
    pub(super) const UNKNOWN: Self = Self(u32::MAX);
}

/// What a value has met that is an id.
#[derive(Debug, Clone, Copy)]
pub(super) struct Meeting {
    pub(super) origin: Origin,
    pub(super) how: How,
}

/// How two values meet.
#[derive(Debug, Clone, Copy)]
pub(super) enum How {
    /// They are compared, none becomes a part of the other.
    Compared,
    /// They stand for each other: branches of CASE, both sides of UNION.
    Beside,
    /// One is the argument of a function of the user, which takes ids there.
    Given,
}

/// The part of an expression.
#[derive(Debug, Clone)]
pub(super) struct Part {
    /// The address of its tree, by which its parent knows it.
    pub(super) tree: usize,
    pub(super) span: Range<usize>,
    pub(super) origin: Origin,
    pub(super) carries: bool,
}

/// How a value comes about.
#[derive(Debug)]
pub(super) enum Step {
    /// From a column.
    Column {
        /// `schema.table.column`
        name: String,
        /// Whether keys are in it.
        carries: bool,
        /// For a column of a view: how its definition makes it.
        behind: Origin,
    },
    /// A value of the client's that stands in the text.
    Constant,
    /// A parameter, by its index.
    Parameter(usize),
    /// By a function, an operator or another construct.
    Computed {
        by: String,
        of: Vec<Origin>,
        carries: bool,
        /// Whether it is true or false.
        truth: bool,
    },
}

impl LineageTrace {
    /// What the analyses that have used the trace say, statement by statement; it is empty then.
    #[must_use]
    pub fn take(&self) -> Vec<Reasons> {
        std::mem::take(&mut *self.0.borrow_mut()).told
    }

    /// A statement begins.
    pub(super) fn begin(&self) {
        let mut seen = self.0.borrow_mut();
        seen.steps.clear();
        seen.frames.clear();
        seen.told.push(Reasons::default());
    }

    /// The statement, or the one inside it, is done.
    pub(super) fn tell(&self, reasons: Reasons) {
        if let Some(last) = self.0.borrow_mut().told.last_mut() {
            *last = reasons;
        }
    }

    /// An expression can't be explained; of these parts it consists.
    pub(super) fn blame(&self, parts: &[Part]) {
        let clues = parts.iter().filter_map(|part| self.clue(part)).collect();
        if let Some(last) = self.0.borrow_mut().told.last_mut()
            && last.clues.is_empty()
        {
            last.clues = clues;
        }
    }

    pub(super) fn add(&self, step: Step) -> Origin {
        let mut seen = self.0.borrow_mut();
        let Ok(index) = u32::try_from(seen.steps.len()) else {
            return Origin::UNKNOWN;
        };
        seen.steps.push(step);
        Origin(index)
    }

    /// An expression begins.
    pub(super) fn open(&self) {
        self.0.borrow_mut().frames.push(Vec::new());
    }

    /// The expression is read; its parts.
    pub(super) fn close(&self) -> Vec<Part> {
        self.0.borrow_mut().frames.pop().unwrap_or_default()
    }

    /// A part of the expression in progress.
    pub(super) fn found(&self, part: Part) {
        if let Some(frame) = self.0.borrow_mut().frames.last_mut() {
            frame.push(part);
        }
    }
}
