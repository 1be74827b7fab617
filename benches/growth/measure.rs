//! Sizes, times, and the exponent that fits them.

use std::cell::RefCell;
use std::fmt;
use std::time::{Duration, Instant};

/// No run that takes longer is repeated with the double of its size, the first time.
const LONG: Duration = Duration::from_millis(16);

/// A size is tried so many times at least, and at most, and in between for so long.
const ROUNDS: std::ops::Range<usize> = 3..24;
const ENOUGH: Duration = Duration::from_millis(12);

/// Times below are those of the clock and of what does not grow.
const SHORT: Duration = Duration::from_micros(60);

/// The first size, and the last.
const SIZES: std::ops::Range<usize> = 16..400_000;

/// More than the caches of a processor hold.
const CACHES_BYTES: usize = 64 << 20;

/// So many sizes are measured at least of what is treated in one way.
const ALIKE: usize = 3;

/// So many of the last sizes count: what is in proportion at first may not be so later.
const LAST: usize = 5;

/// How the time of one thing grows.
#[derive(Debug, Clone)]
pub(crate) struct Growth {
    pub(crate) exponent: f64,
    size: usize,
    time: Duration,
    refused: Option<String>,
}

impl fmt::Display for Growth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ms = self.time.as_secs_f64() * 1000.0;
        let mark = if self.refused.is_some() { "!" } else { "" };
        write!(f, "{:.2}{mark} ({}, {ms:.1})", self.exponent, self.size)
    }
}

/// Measures `run` with what `make` makes for ever larger sizes, until it refuses or takes long.
/// What looks bad is measured again, and further: other processes only ever make it look worse, and
/// so does a text that outgrows a cache, behind which one that is in proportion goes on as before.
/// Where that is too near to where it is refused, it helps if also the short ones find nothing in
/// the caches.
pub(crate) fn grow<T>(make: impl Fn(usize) -> T, run: impl Fn(&T) -> Result<(), String>) -> Growth {
    grow_apart(|_| false, make, run)
}

/// The same where what `is_other` is treated in another way: that it takes more at once than the
/// size before says nothing about how it grows.
pub(crate) fn grow_apart<T>(
    is_other: impl Fn(&T) -> bool,
    make: impl Fn(usize) -> T,
    run: impl Fn(&T) -> Result<(), String>,
) -> Growth {
    let mut best = grow_once((LONG, &mut || ()), &is_other, &make, &run);
    let mut others = vec![0_u8; CACHES_BYTES];
    for further in 0..4 {
        if best.exponent <= super::LIMIT {
            break;
        }
        let mut evict = || {
            others
                .iter_mut()
                .step_by(64)
                .for_each(|byte| *byte = byte.wrapping_add(1))
        };
        let long = LONG * 2_u32.pow(further);
        let again = grow_once((long, &mut evict), &is_other, &make, &run);
        if again.exponent < best.exponent {
            best = again;
        }
    }
    best
}

fn grow_once<T>(
    (long, before): (Duration, &mut dyn FnMut()),
    is_other: &impl Fn(&T) -> bool,
    make: &impl Fn(usize) -> T,
    run: &impl Fn(&T) -> Result<(), String>,
) -> Growth {
    let mut points: Vec<(usize, Duration)> = Vec::new();
    // From which point on they are others.
    let mut others = None;
    let mut refused = None;
    let mut size = SIZES.start;
    while size < SIZES.end {
        let mut best = Duration::MAX;
        let mut spent = Duration::ZERO;
        for round in 0..ROUNDS.end {
            if round >= ROUNDS.start && spent > ENOUGH {
                break;
            }
            let made = make(size);
            if is_other(&made) {
                others.get_or_insert(points.len());
            }
            before();
            let start = Instant::now();
            let result = run(&made);
            let took = start.elapsed();
            spent += took;
            best = best.min(took);
            if let Err(message) = result {
                refused = Some(message);
            }
        }
        if refused.is_some() && !points.is_empty() {
            break;
        }
        points.push((size, best));
        let alike = points.len() - others.unwrap_or(0);
        if best > long && alike >= ALIKE || best > 4 * long {
            break;
        }
        size *= 2;
    }
    if std::env::var_os("GROWTH_POINTS").is_some() {
        let times = points
            .iter()
            .map(|(size, time)| format!("{size}: {:.3}", time.as_secs_f64() * 1000.0));
        println!("  {}", times.collect::<Vec<_>>().join(", "));
    }
    let (size, time) = points.last().copied().unwrap_or_default();
    if std::env::var_os("GROWTH_REFUSALS").is_some()
        && let Some(message) = &refused
    {
        REFUSALS.with_borrow_mut(|told| {
            if told.iter().all(|known| known != message) {
                told.push(message.clone());
                println!("  refused at {size}: {message}");
            }
        });
    }
    Growth {
        exponent: slope(others.map_or(&points, |first| &points[first..])),
        size,
        time,
        refused,
    }
}

thread_local! {
    static REFUSALS: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

/// The exponent: the median of the last doublings, or the mean of the last two of them if that is
/// less, so that the one or two by which a text outgrows the caches of the processor (everything
/// takes five times as long from there on) are not taken for how it grows. What grows by more than in
/// proportion does so in its last doublings, too. 0 where nothing takes long enough.
#[expect(clippy::cast_precision_loss, reason = "sizes are small")]
fn slope(points: &[(usize, Duration)]) -> f64 {
    let long = points.iter().filter(|(_, time)| *time > SHORT);
    let logs: Vec<(f64, f64)> = long
        .map(|(size, time)| ((*size as f64).ln(), time.as_secs_f64().ln()))
        .collect();
    let logs = logs.get(logs.len().saturating_sub(LAST)..).unwrap_or(&[]);
    let slope = |pair: &[(f64, f64)]| match pair {
        [(from, then), (to, now)] => (now - then) / (to - from),
        _ => 0.0,
    };
    let mut slopes: Vec<f64> = logs.windows(2).map(slope).collect();
    let last = match slopes.as_slice() {
        [.., before, last] => f64::midpoint(*before, *last),
        _ => f64::INFINITY,
    };
    slopes.sort_by(f64::total_cmp);
    let middle = slopes.len() / 2;
    let median = match (slopes.get(middle.wrapping_sub(1)), slopes.get(middle)) {
        (Some(before), Some(after)) if slopes.len().is_multiple_of(2) => {
            f64::midpoint(*before, *after)
        }
        (_, Some(middle)) => *middle,
        _ => return 0.0,
    };
    median.min(last)
}
