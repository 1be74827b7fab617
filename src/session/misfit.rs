//! Values that a cast in the statement reads as ids and that are none. To the server they are text, and
//! it may never get to the cast (`CASE WHEN $1 LIKE '%@%' THEN email = $1 ELSE id = $1::uuid END`): so it
//! gets a text that no cast of its own reads, and only if it raises an error of that, the client gets
//! the error for the value that it has sent.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::catalog::KeyType;
use crate::sql::Refusal;
use crate::sql::plan::{IdUsage, Reading, SentParameter};
use crate::sql::refusal::Code;
use crate::wire::report::{Report, field};

/// What the texts begin with that stand for such values, in small letters. The statement may make
/// capitals of them.
const MARK: &str = "pgveil#";

/// Of more of them in one message each is refused at once: all stay in memory as long as the message's
/// portal.
const MOST: usize = 256;

/// The number of the next one: they are told apart also where values of several messages meet.
static NEXT: AtomicU64 = AtomicU64::new(1);

/// The values of a message that are no ids, each with what the client is told if a cast reads it.
#[derive(Debug, Clone, Default)]
pub(super) struct Misfits(Vec<Misfit>);

#[derive(Debug, Clone)]
struct Misfit {
    number: u64,
    value: Box<[u8]>,
    refusal: Arc<Refusal>,
}

impl Misfits {
    /// The text that stands for a value, or why it is refused now: it is for another reason than that
    /// it is no id, or there are too many.
    pub(super) fn stand_in(
        &mut self,
        value: &[u8],
        refusal: Box<Refusal>,
    ) -> Result<String, Box<Refusal>> {
        let Self(all) = self;
        if let Some(known) = all.iter().find(|known| *known.value == *value) {
            return Ok(known.text());
        }
        let is_raised_by_casts = matches!(refusal.sqlstate, "22P02" | "22003");
        if refusal.code != Code::MalformedId || !is_raised_by_casts || all.len() == MOST {
            return Err(refusal);
        }
        let misfit = Misfit {
            number: NEXT.fetch_add(1, Ordering::Relaxed),
            value: value.into(),
            refusal: Arc::from(refusal),
        };
        let text = misfit.text();
        all.push(misfit);
        Ok(text)
    }

    /// What the client is told in the place of an error that a cast of such a text raises.
    pub(super) fn raised(&self, report: &Report<'_>) -> Option<&Refusal> {
        let Self(all) = self;
        if all.is_empty() || report.get(field::CODE) != Some(b"22P02") {
            return None;
        }
        let message = report.text(field::MESSAGE)?.to_ascii_lowercase();
        let (_, behind) = message.split_once(MARK)?;
        let digits = behind.split(|c: char| !c.is_ascii_digit()).next()?;
        let number: u64 = digits.parse().ok()?;
        let found = all.iter().find(|known| known.number == number)?;
        Some(&found.refusal)
    }

    /// Adds those of another message.
    pub(super) fn extend(&mut self, other: &Self) {
        self.0.extend_from_slice(&other.0);
    }

    /// What they take in memory beside themselves.
    pub(super) fn bytes(&self) -> usize {
        let of = |misfit: &Misfit| {
            let Refusal {
                message, detail, ..
            } = &*misfit.refusal;
            let texts = message.len() + detail.as_deref().map_or(0, str::len);
            size_of::<Misfit>() + size_of::<Refusal>() + misfit.value.len() + texts
        };
        self.0.iter().map(of).sum()
    }
}

impl Misfit {
    fn text(&self) -> String {
        format!("{MARK}{}", self.number)
    }
}

/// Whether a cast of the statement's own reads a value, and has texts that it refuses: text and bytes
/// are whatever they are.
pub(super) fn is_read_by_a_cast(parameter: &SentParameter, usage: &IdUsage) -> bool {
    let key_type = usage.id.key_type;
    let by_a_cast = match parameter.reading {
        Reading::Behind(_) => parameter.textual,
        Reading::Texts(_) | Reading::List(_) => true,
        _ => false,
    };
    by_a_cast && (key_type.is_integer() || key_type == KeyType::Uuid)
}
