//! How far something is that takes long: one line on a terminal that is written over, or two plain
//! lines elsewhere. What is quick says nothing.

use std::io::{self, IsTerminal as _, Write};
use std::time::{Duration, Instant};

use crate::config::Building;

/// What is done sooner is not worth a word.
const PATIENCE: Duration = Duration::from_millis(300);
/// How often a line on a terminal is written over.
const REFRESH: Duration = Duration::from_millis(100);

/// Tells on a writer for notes.
pub(super) struct Progress<'w> {
    notes: &'w mut dyn Write,
    terminal: bool,
    slow: Slow,
    line: Line,
}

/// Judges which work is slow enough to be told of.
#[derive(Default)]
pub(super) struct Slow {
    domain: String,
    started: Option<Instant>,
    told: bool,
}

/// What is worth telling.
pub(super) enum Step {
    /// It is going to take a while.
    Begins,
    /// It has taken a while.
    Ends(Duration),
}

impl Slow {
    pub(super) fn step(&mut self, building: Building<'_>) -> Option<Step> {
        if self.domain != building.domain {
            building.domain.clone_into(&mut self.domain);
            (self.started, self.told) = (None, false);
        }
        let took = self.started.get_or_insert_with(Instant::now).elapsed();
        if building.done == building.of {
            return self.told.then_some(Step::Ends(took));
        }
        let begins = !self.told && took > PATIENCE;
        self.told |= begins;
        begins.then_some(Step::Begins)
    }
}

impl<'w> Progress<'w> {
    pub(super) fn new(notes: &'w mut dyn Write) -> Self {
        Self {
            notes,
            terminal: io::stderr().is_terminal(),
            slow: Slow::default(),
            line: Line::default(),
        }
    }

    /// Tells how far the counters of a domain are.
    pub(super) fn building(&mut self, building: Building<'_>) {
        let Building { domain, done, of } = building;
        let step = self.slow.step(building);
        if self.terminal {
            let percent = 100 * done / of.max(1);
            let ended = done == of;
            if !self.slow.told {
                return;
            }
            return self.line.show(self.notes, ended, || {
                format!("building counters of `{domain}`: {percent}%")
            });
        }
        // That a note can't be written changes nothing.
        let _ = match step {
            None => Ok(()),
            Some(Step::Begins) => writeln!(self.notes, "building counters of `{domain}` …"),
            Some(Step::Ends(took)) => {
                writeln!(self.notes, "counters of `{domain}` built in {took:.1?}")
            }
        };
    }
}

/// A line on a terminal that is written over.
#[derive(Default)]
pub(super) struct Line {
    shown: Option<Instant>,
}

impl Line {
    /// Writes over the line, now and then; removes it at the end.
    pub(super) fn show(
        &mut self,
        notes: &mut dyn Write,
        ended: bool,
        text: impl FnOnce() -> String,
    ) {
        let now = Instant::now();
        if ended {
            self.clear(notes);
        } else if self.shown.is_none_or(|shown| now - shown > REFRESH) {
            self.shown = Some(now);
            // That a note can't be written changes nothing.
            let _ = write!(notes, "\r\x1b[2K{}", text()).and_then(|()| notes.flush());
        }
    }

    /// Removes the line, so that something else can be written.
    pub(super) fn clear(&mut self, notes: &mut dyn Write) {
        if self.shown.take().is_some() {
            let _ = write!(notes, "\r\x1b[2K").and_then(|()| notes.flush());
        }
    }
}
