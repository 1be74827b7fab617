//! Which columns define keys that nobody has annotated, by what the catalogs say of them: what fills
//! them, in which unique keys they are, what refers to them, what they are called. No value is looked
//! at, so of text and of uuids that the application makes it can only be guessed.
//!
//! These are the rules of `pgveil discover` and `pgveil check`, and of the proxy while it runs.

mod families;
pub(crate) mod words;

pub(crate) use families::Families;

use super::{Column, KeyType};
use crate::pg::oid;

/// In which keys a column is.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Unique {
    /// It is the primary key.
    pub(crate) primary: bool,
    /// It is unique, the primary key or another.
    pub(crate) alone: bool,
    /// It is a part of a key.
    pub(crate) part: bool,
}

impl Unique {
    /// Takes a key that the column is in.
    pub(crate) const fn add(&mut self, columns: usize, primary: bool) {
        self.part = true;
        self.alone |= columns == 1;
        self.primary |= columns == 1 && primary;
    }
}

/// What fills a column that is given no value.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Filled<'a> {
    /// It is `GENERATED … AS IDENTITY`.
    pub(crate) identity: bool,
    /// Its default draws from a sequence, whatever it makes of the number.
    pub(crate) counted: bool,
    /// The names of the functions that its default calls.
    pub(crate) functions: Option<&'a str>,
    /// It calls a function that may draw from a sequence for all that is known.
    pub(crate) unknown: bool,
}

impl Filled<'_> {
    const fn is_counted(&self) -> bool {
        self.identity || self.counted
    }
}

/// A column that may define keys.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Candidate<'a> {
    /// The name of its table.
    pub(crate) table: &'a str,
    pub(crate) column: &'a Column,
    pub(crate) unique: Unique,
    pub(crate) filled: Filled<'a>,
    /// Others refer to it.
    pub(crate) referred: bool,
}

/// What is thought of a column as one that defines keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Judgement {
    /// The column holds keys.
    Key(Sort),
    /// The column holds keys, and they are of a type or a form that there are no ids for.
    Unfit,
    /// It looks like one, but shows nothing; this is why.
    LeftOut(&'static str),
    /// Nothing speaks for it.
    Nothing,
}

/// Of which sort keys are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sort {
    /// Integers; they are `definite` if the column is a key whatever its name says that it refers to.
    Integer {
        certain: bool,
        definite: bool,
        /// What speaks against it.
        doubt: &'static str,
    },
    /// UUIDs in order by what fills the column.
    OrderedUuid,
    /// UUIDs of version 1.
    TimedUuid,
    /// UUIDs of which nothing says how they are made.
    Uuid { definite: bool },
    /// Text: whether a default makes it, whether that or the name says that it is a key, and how it
    /// is written, as far as these tell.
    Text {
        made: bool,
        definite: bool,
        form: Option<&'static str>,
    },
    /// Bytes.
    Bytes,
}

impl Sort {
    /// Whether the column is a key whatever its name says that it refers to.
    pub(crate) const fn is_definite(self) -> bool {
        match self {
            Self::Integer { definite, .. }
            | Self::Uuid { definite }
            | Self::Text { definite, .. } => definite,
            Self::OrderedUuid | Self::TimedUuid | Self::Bytes => true,
        }
    }
}

/// Judges a column.
pub(crate) fn judge(of: &Candidate<'_>) -> Judgement {
    if of.column.generated {
        return Judgement::Nothing;
    }
    let Some((key_type, false)) = KeyType::from_oid(of.column.type_oid.0) else {
        return of_no_type(of);
    };
    let (counted, is_uuid) = (of.filled.is_counted(), key_type == KeyType::Uuid);
    if key_type.is_integer() {
        integer(of)
    } else if counted && !is_uuid {
        // A number written as text or bytes is none of the forms that such keys have.
        Judgement::Unfit
    } else if !of.unique.part && !of.referred && !counted {
        Judgement::Nothing
    } else if key_type.is_text() {
        text(of)
    } else if is_uuid {
        uuid(of)
    } else {
        Judgement::Key(Sort::Bytes)
    }
}

/// Types of numbers that are no integers of ours.
const NUMBERS: &[u32] = &[
    oid::NUMERIC,
    oid::FLOAT4,
    oid::FLOAT8,
    oid::OID,
    oid::XID,
    oid::XID8,
    oid::MONEY,
];

/// What a sequence fills is a key whatever its type, and numbers need not be integers to count.
fn of_no_type(of: &Candidate<'_>) -> Judgement {
    let is_number = NUMBERS.contains(&of.column.type_oid.0);
    let called = || IDS.contains(&&*words::snake(&of.column.name));
    let counts = || is_number && (of.referred || is_called_after_its_table(of));
    let is_key = of.filled.is_counted()
        || of.unique.part && of.filled.unknown
        || of.unique.alone && (called() || counts());
    match is_key {
        true => Judgement::Unfit,
        false => Judgement::Nothing,
    }
}

fn integer(of: &Candidate<'_>) -> Judgement {
    let (unique, referred) = (of.unique, of.referred);
    let called = || words::snake(&of.column.name) == "id" || is_called_after_its_table(of);
    let (certain, definite, doubt) = match (of.filled.is_counted(), unique.alone, unique.part) {
        (true, _, true) => (true, true, ""),
        (true, ..) if referred || called() => (true, true, ""),
        (true, ..) => (false, true, "; it counts rows, but is in no key"),
        (false, true, _) if referred || called() => (true, true, ""),
        (false, _, true) if of.filled.unknown => (false, true, UNKNOWN),
        (false, true, _) if unique.primary => (
            false,
            false,
            "; nothing counts it and nothing refers to it: it may be a number of its own meaning",
        ),
        (false, true, _) => (
            false,
            false,
            "; nothing counts it: it may be a natural number",
        ),
        (false, _, true) if words::snake(&of.column.name) == "id" => (true, true, ""),
        (false, _, true) if referred => (false, false, "; a part of a key that others refer to"),
        (false, _, _) if words::snake(&of.column.name) == "id" => {
            (false, true, "; by its name only: it is in no key")
        }
        _ => return Judgement::Nothing,
    };
    Judgement::Key(Sort::Integer {
        certain,
        definite,
        doubt,
    })
}

/// What is said of a key that a function makes of which nothing is known.
const UNKNOWN: &str = "; a function fills it, which may count";

/// Why uuids are no matter.
const RANDOM: &str = "uuids that are random by their default show no order";

fn uuid(of: &Candidate<'_>) -> Judgement {
    let filled = of.filled.functions.map(str::to_lowercase);
    Judgement::Key(match filled.as_deref() {
        _ if of.filled.is_counted() => Sort::OrderedUuid,
        Some(filled) if is_ordered(filled) => Sort::OrderedUuid,
        Some(filled) if filled.contains("uuid_generate_v1") => Sort::TimedUuid,
        _ if of.filled.unknown => Sort::Uuid { definite: true },
        Some(filled) if is_random(filled) => return Judgement::LeftOut(RANDOM),
        _ => {
            let named = IDS.contains(&&*words::snake(&of.column.name));
            let definite = named || is_called_after_its_table(of);
            Sort::Uuid { definite }
        }
    })
}

/// Whether what fills a column is random, by the names of functions that are.
fn is_random(filled: &str) -> bool {
    filled.contains("random_uuid") || filled.contains("uuid_generate_v4")
}

/// Whether a function that somebody has defined draws from no sequence, by its name.
pub(crate) fn is_harmless(function: &str) -> bool {
    let name = function.to_lowercase();
    is_random(&name) || name == "gen_random_bytes"
}

/// Whether what fills a column makes keys in the order of time, by the names of functions that do.
fn is_ordered(filled: &str) -> bool {
    let names = [
        "uuidv7",
        "sequence_uuid",
        "uuid_v7",
        "uuid7",
        "generate_v7",
        "ulid",
        "tuid",
        "uuid_v6",
        "ksuid",
    ];
    names.iter().any(|name| filled.contains(name))
}

/// Names that keys have and nothing else.
const IDS: &[&str] = &["id", "uid", "ulid", "uuid", "guid"];

/// Whether a column is called after its own table: `user_id` of `users`.
fn is_called_after_its_table(of: &Candidate<'_>) -> bool {
    let name = words::snake(&of.column.name);
    let own = || words::singular(&words::snake(of.table));
    words::stem(&name, false).is_some_and(|stem| stem == own())
}

/// Text is a key where its name or what fills it says so; other text is natural.
fn text(of: &Candidate<'_>) -> Judgement {
    let name = words::snake(&of.column.name);
    let named = IDS.contains(&name.as_str());
    let filled = of.filled.functions.unwrap_or("").to_lowercase();
    let unknown = of.filled.unknown && of.unique.part;
    if filled.contains("random_uuid") && !unknown {
        return Judgement::LeftOut(RANDOM);
    }
    let made = is_ordered(&filled);
    let definite = made || named || unknown;
    if !(definite || words::stem(&name, false).is_some_and(|_| of.unique.primary)) {
        // What it may refer to is looked for by its name.
        return match words::stem(&name, false) {
            Some(_) => Judgement::Nothing,
            None => Judgement::LeftOut("text that is unique by its meaning, as it seems"),
        };
    }
    let form = match () {
        () if filled.contains("ulid") || name == "ulid" => Some("ulid"),
        () if filled.contains("uuid") || name == "uuid" || name == "guid" => Some("uuid"),
        () => None,
    };
    Judgement::Key(Sort::Text {
        made,
        definite,
        form,
    })
}
