//! What of the audit trail is written, so that a flood costs few lines and none of it is lost from the
//! count: the first event of its kind at once, its repeats as one line when a window is over; and no
//! more than so many kinds in a second.

use std::collections::HashMap;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use super::counters::lock;

/// So many kinds are remembered. Those beyond have no window, only the bound of a second.
const MOST_KINDS: usize = 1000;

const SECOND: Duration = Duration::from_secs(1);

/// Decides which records are written.
#[derive(Debug)]
pub struct Trail<R> {
    window: Duration,
    per_second: u32,
    state: Mutex<State<R>>,
}

#[derive(Debug)]
struct State<R> {
    /// By what makes records one kind.
    open: HashMap<String, Open<R>>,
    /// When the second began, and what it has seen.
    began: Instant,
    written: HashMap<&'static str, u32>,
    suppressed: u64,
}

/// A kind that has been told of not long ago.
#[derive(Debug)]
struct Open<R> {
    until: Instant,
    /// The last of those that are held back, and how much all of them stand for.
    held: Option<(R, u64)>,
}

/// What is to be written.
#[derive(Debug, PartialEq, Eq)]
pub enum Line<R> {
    /// A record, and how much it stands for.
    Record(R, u64),
    /// That so many events were left out.
    Suppressed(u64),
}

impl<R> Trail<R> {
    /// Holds repeats back for a window, and writes no more than so many lines of one event in a
    /// second: a flood of one event does not hide another one.
    #[must_use]
    pub fn new(window: Duration, per_second: u32, now: Instant) -> Self {
        Self {
            window,
            per_second,
            state: Mutex::new(State {
                open: HashMap::new(),
                began: now,
                written: HashMap::new(),
                suppressed: 0,
            }),
        }
    }

    /// Takes a record that stands for `count` events of a kind, and gives it back if it is to be
    /// written now.
    pub fn take(
        &self,
        now: Instant,
        (event, kind): (&'static str, String),
        record: R,
        count: u64,
    ) -> Option<Line<R>> {
        let mut state = lock(&self.state);
        if let Some(open) = state.open.get_mut(&kind) {
            let before = open.held.take().map_or(0, |(_, count)| count);
            if now < open.until {
                open.held = Some((record, before.saturating_add(count)));
                return None;
            }
            open.until = now + self.window;
            return state.told(self.per_second, event, record, before.saturating_add(count));
        }
        let line = state.told(self.per_second, event, record, count)?;
        if !self.window.is_zero() && state.open.len() < MOST_KINDS {
            let until = now + self.window;
            state.open.insert(kind, Open { until, held: None });
        }
        Some(line)
    }

    /// Gives what has waited until now. To be called once in a second.
    pub fn tick(&self, now: Instant) -> Vec<Line<R>> {
        let mut state = lock(&self.state);
        let state = &mut *state;
        if now.saturating_duration_since(state.began) < SECOND {
            return Vec::new();
        }
        state.began = now;
        state.written.clear();
        let suppressed = std::mem::take(&mut state.suppressed);
        let mut lines: Vec<_> = match suppressed {
            0 => Vec::new(),
            count => vec![Line::Suppressed(count)],
        };
        let mut room = self.per_second;
        let window = self.window;
        state.open.retain(|_, open| {
            if now < open.until {
                return true;
            }
            // What finds no room waits for the next second.
            match open.held.take_if(|_| room > 0) {
                Some((record, count)) => {
                    room -= 1;
                    open.until = now + window;
                    lines.push(Line::Record(record, count));
                    true
                }
                None => open.held.is_some(),
            }
        });
        lines
    }

    /// Gives everything that still waits: at the end.
    pub fn finish(&self) -> Vec<Line<R>> {
        let mut state = lock(&self.state);
        let held = state.open.drain().filter_map(|(_, open)| open.held);
        let mut lines: Vec<_> = held
            .map(|(record, count)| Line::Record(record, count))
            .collect();
        let suppressed = std::mem::take(&mut state.suppressed);
        lines.extend((suppressed > 0).then_some(Line::Suppressed(suppressed)));
        lines
    }
}

impl<R> State<R> {
    /// The record, if the second has room for it.
    fn told(
        &mut self,
        per_second: u32,
        event: &'static str,
        record: R,
        count: u64,
    ) -> Option<Line<R>> {
        let written = self.written.entry(event).or_default();
        if *written >= per_second {
            self.suppressed = self.suppressed.saturating_add(count);
            return None;
        }
        *written += 1;
        Some(Line::Record(record, count))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WINDOW: Duration = Duration::from_secs(60);

    /// All that lines stand for.
    fn sum(lines: &[Line<u64>]) -> u64 {
        let counts = lines.iter().map(|line| match line {
            Line::Record(_, count) | Line::Suppressed(count) => *count,
        });
        counts.sum()
    }

    #[test]
    fn a_flood_of_one_kind_is_two_lines_that_stand_for_all_of_it() {
        let start = Instant::now();
        let trail = Trail::new(WINDOW, 50, start);
        let mut lines = Vec::new();
        for number in 0..100_000 {
            let now = start + WINDOW / 200_000 * u32::try_from(number).unwrap();
            lines.extend(trail.take(now, ("refused", "one".to_owned()), number, 1));
        }
        assert_eq!(lines.len(), 1);
        assert!(trail.tick(start + WINDOW / 2).is_empty());
        lines.extend(trail.tick(start + WINDOW));
        assert_eq!(lines[1], Line::Record(99_999, 99_999));
        // Then it is told of at once again, when it has been silent for a window.
        assert!(trail.tick(start + 2 * WINDOW).is_empty());
        let now = start + 2 * WINDOW;
        assert_eq!(
            trail.take(now, ("refused", "one".to_owned()), 7, 1),
            Some(Line::Record(7, 1))
        );
    }

    #[test]
    fn a_flood_of_many_kinds_is_bounded_in_lines_and_memory() {
        let start = Instant::now();
        let trail = Trail::new(WINDOW, 50, start);
        let mut lines = Vec::new();
        let mut total = 0;
        for second in 1..=60 {
            let now = start + SECOND * second;
            for number in 0..2000 {
                let kind = format!("{second} {number}");
                lines.extend(trail.take(now, ("refused", kind), number, 1));
                total += 1;
            }
            lines.extend(trail.tick(now));
        }
        assert!(lines.len() <= 101 * 60 + 50, "{}", lines.len());
        assert!(lock(&trail.state).open.len() <= MOST_KINDS);
        lines.extend(trail.finish());
        assert_eq!(sum(&lines), total);
    }

    #[test]
    fn a_flood_of_one_event_hides_no_other_and_one_line_a_second_is_enough() {
        let start = Instant::now();
        let trail = Trail::new(WINDOW, 1, start);
        for second in 1..=3 {
            let now = start + SECOND * second;
            trail.tick(now);
            let told = |event, number: u64| {
                let kind = format!("{event} {second} {number}");
                trail.take(now, (event, kind), number, 1).is_some()
            };
            let refused: Vec<_> = (0..9).filter(|number| told("refused", *number)).collect();
            assert_eq!(refused, [0]);
            assert!(told("fault", 0));
        }
        // Repeats come out in their turn.
        let kind = || ("fault", "fault 1 0".to_owned());
        assert_eq!(trail.take(start + SECOND * 3, kind(), 8, 1), None);
        let lines = trail.tick(start + SECOND + WINDOW);
        assert!(lines.contains(&Line::Record(8, 1)), "{lines:?}");
    }

    #[test]
    fn what_is_held_at_the_end_is_told() {
        let start = Instant::now();
        let trail = Trail::new(WINDOW, 50, start);
        let mut lines: Vec<_> = (0..3)
            .flat_map(|n| trail.take(start, ("refused", "a".to_owned()), n, 2))
            .collect();
        lines.extend(trail.finish());
        assert_eq!(lines, [Line::Record(0, 2), Line::Record(2, 4)]);
    }
}
