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

/// A column that may define keys.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Candidate<'a> {
    /// The name of its table.
    pub(crate) table: &'a str,
    pub(crate) column: &'a Column,
    pub(crate) unique: Unique,
    /// A sequence fills it.
    pub(crate) counted: bool,
    /// The expression that fills it, or the names of the functions in that.
    pub(crate) filled: Option<&'a str>,
    /// Others refer to it.
    pub(crate) referred: bool,
}

/// What is thought of a column as one that defines keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Judgement {
    /// It does.
    Key(Sort),
    /// It does, and they are numbers of a type that there are no ids for.
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
    /// Text: whether a default makes it, whether the name says that it is a key, and how it is
    /// written, as far as these tell.
    Text {
        made: bool,
        named: bool,
        form: Option<&'static str>,
    },
    /// Bytes.
    Bytes,
}

impl Sort {
    /// Whether the column is a key whatever its name says that it refers to.
    pub(crate) const fn is_definite(self) -> bool {
        match self {
            Self::Integer { definite, .. } | Self::Uuid { definite } => definite,
            Self::Text { made, named, .. } => made || named,
            Self::OrderedUuid | Self::TimedUuid | Self::Bytes => true,
        }
    }
}

/// Judges a column.
pub(crate) fn judge(of: &Candidate<'_>) -> Judgement {
    let Some((key_type, array)) = KeyType::from_oid(of.column.type_oid.0) else {
        return of_no_type(of);
    };
    if array || of.column.generated {
        return Judgement::Nothing;
    }
    if key_type.is_integer() {
        integer(of)
    } else if !of.unique.part && !of.referred {
        Judgement::Nothing
    } else if key_type.is_text() {
        text(of)
    } else if key_type == KeyType::Uuid {
        uuid(of)
    } else {
        Judgement::Key(Sort::Bytes)
    }
}

/// Numbers that a sequence fills need not be integers.
fn of_no_type(of: &Candidate<'_>) -> Judgement {
    let is_number = of.column.type_oid.0 == oid::NUMERIC;
    let called = of.column.name.eq_ignore_ascii_case("id");
    match is_number && of.unique.alone && (of.counted || called) {
        true => Judgement::Unfit,
        false => Judgement::Nothing,
    }
}

fn integer(of: &Candidate<'_>) -> Judgement {
    let (unique, referred) = (of.unique, of.referred);
    let called = || words::snake(&of.column.name) == "id" || is_called_after_its_table(of);
    let (certain, definite, doubt) = match (of.counted, unique.alone, unique.part) {
        (true, _, true) => (true, true, ""),
        (true, ..) if referred || called() => (true, true, ""),
        (true, ..) => (false, true, "; it counts rows, but is in no key"),
        (false, true, _) if referred || called() => (true, true, ""),
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

/// Why uuids are no matter.
const RANDOM: &str = "uuids that are random by their default show no order";

fn uuid(of: &Candidate<'_>) -> Judgement {
    let filled = of.filled.map(str::to_lowercase);
    Judgement::Key(match filled.as_deref() {
        Some(filled) if is_ordered(filled) => Sort::OrderedUuid,
        Some(filled) if filled.contains("random_uuid") || filled.contains("uuid_generate_v4") => {
            return Judgement::LeftOut(RANDOM);
        }
        Some(filled) if filled.contains("uuid_generate_v1") => Sort::TimedUuid,
        _ => {
            let named = IDS.contains(&&*words::snake(&of.column.name));
            let definite = named || is_called_after_its_table(of);
            Sort::Uuid { definite }
        }
    })
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
    let filled = of.filled.unwrap_or("").to_lowercase();
    if filled.contains("random_uuid") {
        return Judgement::LeftOut(RANDOM);
    }
    let made = is_ordered(&filled);
    if !(made || named || words::stem(&name, false).is_some_and(|_| of.unique.primary)) {
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
    Judgement::Key(Sort::Text { made, named, form })
}
