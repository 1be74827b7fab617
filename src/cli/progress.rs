//! How far something is that takes long: a bar on a terminal, or two plain lines elsewhere. What is
//! quick says nothing.

use std::borrow::Cow;
use std::io::Write;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::config::Building;

/// What is done sooner is not worth a word.
const PATIENCE: Duration = Duration::from_millis(300);

/// A bar on the terminal of standard error, for so many steps if that is known. Where there is no
/// terminal it is never seen.
pub(super) fn bar(of: Option<u64>, template: &str) -> ProgressBar {
    // A template with a fault in it gives the usual bar.
    let style = ProgressStyle::with_template(template);
    ProgressBar::with_draw_target(of, ProgressDrawTarget::stderr())
        .with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

/// True if a [`bar`] can be seen.
pub(super) fn is_terminal() -> bool {
    !ProgressDrawTarget::stderr().is_hidden()
}

/// Tells on a writer for notes, or on the terminal.
pub(super) struct Progress<'w> {
    notes: &'w mut dyn Write,
    terminal: bool,
    slow: Slow,
    bar: Option<ProgressBar>,
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
            terminal: is_terminal(),
            slow: Slow::default(),
            bar: None,
        }
    }

    /// Tells how far the counters of a domain are.
    pub(super) fn building(&mut self, building: Building<'_>) {
        let Building { domain, done, of } = building;
        // That a note can't be written changes nothing.
        let _ = match self.slow.step(building) {
            Some(Step::Begins) if self.terminal => {
                let template = "building counters of `{msg}` {wide_bar} {percent}%, {eta} left";
                let message = Cow::from(domain.to_owned());
                self.bar = Some(bar(Some(of), template).with_message(message));
                Ok(())
            }
            Some(Step::Begins) => writeln!(self.notes, "building counters of `{domain}` …"),
            Some(Step::Ends(took)) if !self.terminal => {
                writeln!(self.notes, "counters of `{domain}` built in {took:.1?}")
            }
            Some(Step::Ends(_)) | None => Ok(()),
        };
        match &self.bar {
            Some(bar) if done == of => bar.finish_and_clear(),
            Some(bar) => bar.set_position(done),
            None => {}
        }
    }
}
