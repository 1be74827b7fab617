//! How much a call of a session takes upon itself. The threads that serve sockets serve those of
//! others too: there a call is over after a bounded amount of work, and what takes longer is left
//! to a thread of its own.

use std::time::{Duration, Instant};

use super::price::Price;

/// Which thread a call runs on.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Effort {
    /// One that serves sockets.
    #[default]
    Light,
    /// One that may take its time.
    Heavy,
}

/// Why a call is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// Nothing more can be taken.
    Done,
    /// More can be taken at once, after others have had their turn.
    More,
    /// What comes next is for [`Effort::Heavy`].
    Heavy,
}

/// Whether the message at the front was taken.
pub(super) enum Step {
    Taken,
    /// The rest of it has to come first.
    Incomplete,
    /// An answer of the server has to come first.
    Waits,
    /// It is for [`Effort::Heavy`].
    Heavy,
}

/// A text longer than this is analysed with [`Effort::Heavy`]. A shorter one takes some
/// milliseconds at most, even if all of it is nesting.
pub(super) const HEAVY_TEXT_BYTES: usize = 4 * 1024;

/// What a text longer than this has left behind is judged and dropped with [`Effort::Heavy`], too.
pub(super) const HEAVY_ANSWER_BYTES: usize = 16 * 1024;

/// Parameters and values in which ids are looked for are translated with [`Effort::Heavy`] if they
/// are longer than this, which takes less than to analyse a text.
pub(super) const HEAVY_VALUES_BYTES: usize = 64 * 1024;

/// Data of COPY longer than this are translated with [`Effort::Heavy`]. More than what is read at
/// once stays only of values that are longer.
const HEAVY_COPY_BYTES: usize = 256 * 1024;

/// Data of COPY with more values than this are translated with [`Effort::Heavy`].
const HEAVY_COPY_VALUES: usize = 8 * 1024;

/// So many answers that are owed are dropped in a light call.
pub(super) const HEAVY_KEPT: usize = 100;

/// What a light call may spend. About a millisecond, by the costs below.
const LIGHT_COST: usize = 1000;

/// So long a light call goes on behind a text. What one takes depends on more than its bytes: on the
/// columns, views and functions that it names.
const LIGHT_TIME: Duration = Duration::from_millis(1);

/// The cost of any message.
const MESSAGE_COST: usize = 1;

/// The cost of a text, beside its bytes: it may have to be analysed.
const TEXT_COST: usize = 30;

/// So many bytes of a text cost one.
const TEXT_BYTES: usize = 32;

/// So many bytes of values cost one.
const VALUE_BYTES: usize = 128;

/// So many values in data of COPY cost one, beside their bytes.
const COPY_VALUES: usize = 4;

/// What costs more than this is heavy, whatever its length.
const HEAVY_COST: usize = 2 * LIGHT_COST;

/// What is heavy and costs no more than this is brief, about some milliseconds.
const BRIEF_COST: usize = 10 * LIGHT_COST;

/// What the message in hand takes upon itself.
#[derive(Debug, Default)]
pub(super) struct Burden {
    /// The effort that it may take.
    pub(super) effort: Effort,
    /// Whether it has taken that.
    pub(super) used: bool,
    /// Whether what was left to a heavy call takes some milliseconds at most.
    pub(super) brief: bool,
}

/// How many bytes a light call takes together, with ids in them at this price.
pub(super) fn together(price: Price) -> usize {
    let affordable = price.affordable(LIGHT_COST);
    affordable.map_or(HEAVY_VALUES_BYTES, |bytes| bytes.min(HEAVY_VALUES_BYTES))
}

/// What is left of a call.
#[derive(Debug)]
pub(super) struct Turn {
    effort: Effort,
    left: usize,
    /// When the first text was begun.
    began: Option<Instant>,
    /// What is begun may take longer than its weight says.
    timed: bool,
}

/// What taking a message means.
#[derive(Debug, Clone, Copy)]
pub(super) struct Weight {
    pub(super) cost: usize,
    pub(super) heavy: bool,
}

impl Weight {
    pub(super) const LIGHT: Self = Self {
        cost: MESSAGE_COST,
        heavy: false,
    };

    /// Of a message in which values are translated, with ids in them at this price.
    pub(super) fn of_values(bytes: usize, ids: Price) -> Self {
        let cost = (MESSAGE_COST + bytes / VALUE_BYTES).saturating_add(ids.of(bytes));
        Self {
            cost,
            heavy: bytes > HEAVY_VALUES_BYTES || cost > HEAVY_COST,
        }
    }

    /// Of data of COPY: a record, or many, that have come together, with so many values that are
    /// looked at, which may have no bytes at all, and ids at these prices: in their bytes, and for
    /// each value.
    pub(super) fn of_copy((bytes, values): (usize, usize), (parts, each): (Price, Price)) -> Self {
        let ids = parts.of(bytes).saturating_add(each.of(values));
        let cost = MESSAGE_COST + bytes / VALUE_BYTES + values / COPY_VALUES;
        let cost = cost.saturating_add(ids);
        Self {
            cost,
            heavy: bytes > HEAVY_COPY_BYTES || values > HEAVY_COPY_VALUES || cost > HEAVY_COST,
        }
    }

    /// Of a message with a text that is analysed, and with ids among its literals at this price.
    pub(super) fn of_text(bytes: usize, ids: Price) -> Self {
        let literals = ids.of_literals().of(bytes);
        let cost = (TEXT_COST + bytes / TEXT_BYTES).saturating_add(literals);
        Self {
            cost,
            heavy: bytes > HEAVY_TEXT_BYTES || cost > HEAVY_COST,
        }
    }

    /// Whether it takes some milliseconds at most, though it is heavy.
    pub(super) const fn is_brief(self) -> bool {
        self.cost <= BRIEF_COST
    }

    /// Of a message that is long, or that is about a text of so many bytes, which takes its time if it
    /// has more than are light.
    pub(super) const fn of_answer(bytes: usize, text: usize, light: usize) -> Self {
        let is_long = text > light;
        let reading = if is_long { text / TEXT_BYTES } else { 0 };
        Self {
            cost: MESSAGE_COST + bytes / VALUE_BYTES + reading,
            heavy: is_long || bytes > HEAVY_ANSWER_BYTES,
        }
    }
}

impl Burden {
    pub(super) const fn of(effort: Effort) -> Self {
        Self {
            effort,
            used: false,
            brief: false,
        }
    }
}

impl Turn {
    pub(super) const fn new(effort: Effort) -> Self {
        Self {
            effort,
            left: LIGHT_COST,
            began: None,
            timed: false,
        }
    }

    /// Begins the work on a message: [`Progress::Done`] if it may be taken. A heavy call takes one
    /// that is heavy, so that those of other sessions get their turn.
    pub(super) fn begin(&mut self, weight: Weight) -> Progress {
        if self.left == 0 {
            return Progress::More;
        }
        if weight.heavy {
            if matches!(self.effort, Effort::Light) {
                return Progress::Heavy;
            }
            self.effort = Effort::Light;
        }
        self.left = self.left.saturating_sub(weight.cost);
        self.timed = weight.cost >= TEXT_COST;
        if self.timed {
            self.began.get_or_insert_with(Instant::now);
        }
        Progress::Done
    }

    /// Whether what weighs so much may be done beside the messages.
    pub(super) const fn allows(&self, weight: Weight) -> bool {
        !weight.heavy || matches!(self.effort, Effort::Heavy)
    }

    /// What the message that was begun last may take upon itself, by its weight.
    pub(super) const fn effort(&self, weight: Weight) -> Effort {
        match weight.heavy {
            true => Effort::Heavy,
            false => self.effort,
        }
    }

    /// Ends the work on a message that has used its effort, or not.
    pub(super) fn end(&mut self, used: bool) {
        if used {
            self.effort = Effort::Light;
        }
        let took = self
            .began
            .filter(|_| self.timed)
            .map(|began| began.elapsed());
        if took.is_some_and(|took| took >= LIGHT_TIME) {
            self.left = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::price::{
        LEAST_PART_BYTES, LEAST_VALUE_BYTES, PART_NANOSECONDS, VALUE_NANOSECONDS,
    };
    use super::*;

    const HEAVY: Weight = Weight {
        cost: 1,
        heavy: true,
    };

    #[test]
    fn a_light_call_begins_nothing_heavy_and_a_heavy_one_one_thing() {
        assert_eq!(Turn::new(Effort::Light).begin(HEAVY), Progress::Heavy);
        let mut turn = Turn::new(Effort::Heavy);
        assert_eq!(turn.begin(HEAVY), Progress::Done);
        assert_eq!(turn.begin(Weight::LIGHT), Progress::Done);
        assert_eq!(turn.begin(HEAVY), Progress::Heavy);
    }

    #[test]
    fn a_call_is_over_behind_a_text_that_has_taken_its_time() {
        let mut turn = Turn::new(Effort::Light);
        let text = Weight::of_text(100, Price::default());
        assert_eq!(turn.begin(text), Progress::Done);
        turn.began = turn.began.and_then(|began| began.checked_sub(LIGHT_TIME));
        turn.end(false);
        assert_eq!(turn.begin(text), Progress::More);
    }

    /// A row or a parameter of the length that is light for values without ids may have 32,000 ids.
    #[test]
    fn what_has_many_ids_in_few_bytes_is_heavy_by_what_its_codec_takes() {
        let is_heavy = |bytes, price| Weight::of_values(bytes, price).heavy;
        assert!(!is_heavy(HEAVY_VALUES_BYTES, Price::default()));
        for (nanoseconds, light_values, light_parts) in [
            (20, 64 * 1024, 8 * 1024),
            (5_000, 1_500, 500),
            (40_000, 100, 50),
        ] {
            let (values, parts) = (Price::of_values(nanoseconds), Price::of_parts(nanoseconds));
            assert!(!is_heavy(light_values, values) && !is_heavy(light_parts, parts));
            let least = |price: Price| (0..).find(|bytes| is_heavy(*bytes, price)).unwrap();
            for (price, least_bytes, beside) in [
                (values, LEAST_VALUE_BYTES, VALUE_NANOSECONDS),
                (parts, LEAST_PART_BYTES, PART_NANOSECONDS),
            ] {
                let ids = least(price).min(HEAVY_VALUES_BYTES) as u64 / least_bytes;
                assert!(ids * (nanoseconds + beside) <= 3_000_000);
                assert!(together(price) <= least(price));
            }
            let text = Weight::of_text(HEAVY_TEXT_BYTES, parts);
            assert_eq!(text.heavy, nanoseconds > 1_000);
        }
    }

    #[test]
    fn what_is_heavy_is_brief_or_not() {
        let document = Weight::of_values(40_000, Price::of_parts(20));
        assert!(document.heavy && document.is_brief());
        let slow = Weight::of_values(40_000, Price::of_parts(5_000));
        assert!(slow.heavy && !slow.is_brief());
        let text = Weight::of_text(10 << 20, Price::default());
        assert!(text.heavy && !text.is_brief());
        let answer = |text| Weight::of_answer(10, text, HEAVY_ANSWER_BYTES);
        assert!(answer(20 << 10).heavy && answer(20 << 10).is_brief());
        assert!(answer(10 << 20).heavy && !answer(10 << 20).is_brief());
    }

    #[test]
    fn no_call_goes_on_for_ever() {
        for effort in [Effort::Light, Effort::Heavy] {
            let mut turn = Turn::new(effort);
            let taken = (0..).take_while(|_| turn.begin(Weight::LIGHT) == Progress::Done);
            assert!(taken.count() <= LIGHT_COST);
            assert_eq!(turn.begin(Weight::LIGHT), Progress::More);
        }
    }
}
