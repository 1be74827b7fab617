//! The voice of a session: what it tells of goes to the audit trail with whose session it is, and is
//! counted. Nothing else enters its span, so that a session that has nothing to tell does not pay for
//! one.

use std::sync::Arc;

use tracing::Span;

use super::shared::{Mode, Shared};
use crate::audit::{Activity, Counters, Event, Statement, Statements};
use crate::sql::Refusal;

/// Tells what happens in one session.
#[derive(Debug, Clone)]
pub(super) struct Teller {
    report: fn(Event),
    counters: Arc<Counters>,
    activity: Arc<Activity>,
    span: Span,
}

impl Teller {
    /// Speaks for a session of which nobody knows whose it is.
    pub(super) fn new(shared: &Shared) -> Self {
        Self {
            report: shared.report,
            counters: Arc::clone(&shared.counters),
            activity: Arc::default(),
            span: Span::none(),
        }
    }

    /// Says whose session it is.
    pub(super) fn speak_in(&mut self, span: &Span) {
        self.span = span.clone();
    }

    /// Says who watches the session, to whom its statements are shown as a number.
    pub(super) fn count_in(&mut self, activity: &Arc<Activity>) {
        self.activity = Arc::clone(activity);
    }

    /// Counts a statement that the server is asked to run.
    pub(super) fn runs(&self, mode: Mode, is_plain: bool) {
        let statements = self.statements(mode);
        match is_plain {
            true => statements.forwarded.add(1),
            false => statements.edited.add(1),
        }
        self.activity.statements.add(1);
    }

    /// What is counted of the statements of a mode; nothing is known of those that bypass.
    fn statements(&self, mode: Mode) -> &Statements {
        match mode {
            Mode::Enforce | Mode::Observe | Mode::Bypass => &self.counters.enforced,
            Mode::Audit => &self.counters.audited,
        }
    }

    /// Tells of a refusal of a value or a message, or of one that would have been.
    pub(super) fn refused(&self, mode: Mode, refusal: &Refusal, passed: bool) {
        self.refused_at(mode, refusal, passed, (None, None));
    }

    /// Tells of a refusal of a statement, or of one that would have been, and of the place that the
    /// client is told.
    pub(super) fn refused_at(
        &self,
        mode: Mode,
        refusal: &Refusal,
        passed: bool,
        (statement, position): (Option<Statement>, Option<usize>),
    ) {
        let code = refusal.code.as_str();
        // What is only observed has a table of its own, which counts.
        if mode != Mode::Observe {
            let statements = self.statements(mode);
            match passed {
                true => statements.would_refuse.add(code),
                false => {
                    statements.refused.add(code);
                    self.activity.statements.add(1);
                }
            }
            if let Some(statement) = &statement {
                let why = (code, refusal.sqlstate);
                self.counters.refusals.add(statement, why, passed);
            }
        }
        self.tell(Event::Refused {
            code,
            sqlstate: refusal.sqlstate,
            passed,
            statement,
            position,
        });
    }

    pub(super) fn tell(&self, event: Event) {
        match &event {
            Event::Disagreement { .. } => self.counters.disagreements.add(1),
            Event::Fault { .. } => self.counters.faults.add(1),
            Event::NotificationDropped { passed: false } => {
                self.counters.notifications_dropped.add(1);
            }
            _ => {}
        }
        self.span.in_scope(|| (self.report)(event));
    }
}
