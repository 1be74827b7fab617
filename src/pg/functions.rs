//! Postgres's own functions, and a few of extensions: one table of what is known of each by its name.
//! What is marked volatile in `pg_proc`, and whether a name means a function of the user, it does not
//! say: that differs between databases.

mod table;

use std::collections::HashMap;
use std::sync::LazyLock;

use foldhash::fast::RandomState;

/// What is known of the functions of one name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Builtin {
    /// The name.
    pub name: &'static str,
    /// Where it comes from.
    pub home: Home,
    /// The first version of Postgres that has it in `pg_proc`; those before 15 count as 15.
    pub since: u16,
    /// Whether the grammar takes so many arguments as there are, which no call can have.
    pub any_number: bool,
    /// Whether it is an aggregate.
    pub aggregate: bool,
    /// Whether it is a window function.
    pub window: bool,
    /// What it returns.
    pub rows: Rows,
    /// What it does with an id among its arguments; `None` if it takes no uuid.
    pub rule: Option<Rule>,
    /// What it does with a document whose parts are known, and the oid of the type of that.
    pub document: Option<(Document, u32)>,
    /// What its result may be beside what its arguments make of it.
    pub effect: Effect,
    /// How it changes a text that is read as an id behind it.
    pub reading: Option<Reading>,
    /// The type of a result without ids in it, where an error is to name that; otherwise 0.
    pub result: u32,
}

/// Where a function comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Home {
    /// `pg_catalog`.
    Catalog,
    /// The grammar: it is written like a call, and has no row in `pg_proc`.
    Syntax,
    /// The grammar of SQL/JSON, which later versions of Postgres have. `pg_catalog` may have functions
    /// of the same name.
    SqlJson,
    /// An extension.
    Extension,
}

/// What a function returns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rows {
    /// A value.
    Value,
    /// A set.
    Set,
    /// A set of values, which under FROM is one column.
    Column,
}

/// What a function does with an id among its arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    /// All arguments are of one type, which is the result's, and the first that there is is it:
    /// `coalesce`.
    First,
    /// All arguments are of one type, and the result is the least or greatest: `greatest`.
    Same,
    /// The first two arguments are compared; the result is the first: `nullif`.
    NullIf,
    /// The arguments are the fields of a row: `row`.
    Row,
    /// The result is the least or greatest of an argument: `max`.
    Extreme,
    /// The result is the first argument; the others are none of its type: `nth_value`.
    Carry,
    /// The result is the first argument, the third a value of the same type: `lag`.
    CarryOrDefault,
    /// The result is of this type and says how many arguments there are: `count`.
    Count(u32),
    /// The result is of this type and says which place a row has among others: `rank`.
    Rank(u32),
    /// The result is what is sorted, the one that is most frequent: `mode`.
    Mode,
    /// The result is what is sorted, at the fractions that are the argument: `percentile_disc`.
    Percentile,
    /// The result is the array of all arguments: `array_agg`.
    Collect,
    /// The argument is an array, the result its elements: `unnest`.
    Elements,
    /// The first argument is an array, the result of this type says nothing of the elements.
    Measure(u32),
    /// An array and an element give an array with it: `array_append`.
    Append,
    /// An array and an element give an array without it: `array_remove`.
    Remove,
    /// An element and an array give an array: `array_prepend`.
    Prepend,
    /// Two arrays give an array: `array_cat`.
    ArrayArray,
    /// An array, an element and another give an array: `array_replace`.
    ArrayReplace,
    /// An array and an element give a place in it: `array_position`.
    Search(u32),
    /// An array that is cut or shuffled: `trim_array`.
    CarryArray,
    /// An array that is sorted: `array_sort`.
    SortArray,
    /// The arguments, one after the other as text: `concat`.
    Text,
    /// The arguments as text, put together as the first one says: `format`.
    Format,
    /// The elements of an array as text: `array_to_string`.
    Join,
    /// The arguments, or parts of them, as JSON of this type, which is put together so.
    Json(u32, Build),
    /// A document, a path in it and a value for the place: `jsonb_set`.
    JsonPath(u32),
    /// A document built of ids, of which the result of this type tells the size or the kind.
    Size(u32),
    /// A document built of ids, whose members are of this type.
    Members(u32),
    /// The result is the type of the argument: `pg_typeof`.
    TypeOf,
    /// Takes a value of any type and shows it: exists for uuid too, but can't be undone outside.
    Show,
}

/// How a document is put together of arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Build {
    /// It is the argument: `to_json`.
    Whole,
    /// It is the argument, which is an array: `array_to_json`.
    Array,
    /// It is the argument without some of its members: `json_strip_nulls`.
    Stripped,
    /// The values of an argument are the elements of an array: `json_agg`.
    Element,
    /// The arguments are the elements of an array: `json_build_array`.
    Elements,
    /// The values of two arguments are the names and values of members: `json_object_agg`.
    Member,
    /// The arguments are the names and values of members by turns: `json_build_object`.
    Members,
    /// It is made of arrays of text: `json_object`.
    Texts,
}

/// What a function does with a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Document {
    /// Gives the members that a list of column definitions names: `json_to_record(doc) AS x(id uuid)`.
    Defined {
        /// Whether the document is an array of records.
        set: bool,
    },
    /// Gives the members that a row has: `json_populate_record(null::t, doc)`.
    Populated {
        /// Whether the document is an array of records.
        set: bool,
    },
    /// Gives the elements: `json_array_elements(doc)`.
    Elements {
        /// Whether as text.
        text: bool,
    },
    /// Gives the names of the members: `json_object_keys(doc)`.
    Keys,
    /// Gives its text: `jsonb_pretty(doc)`.
    Pretty,
    /// Puts a value at a place of it: `jsonb_set(doc, path, value)`.
    Changed,
}

/// What the result of a function may be beside what its arguments make of it, and what it does
/// beside that.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// It computes with its arguments, unless it is marked volatile. Then it may do anything.
    Marked,
    /// It is marked volatile, for it gives another result each time or takes its time, and does no
    /// more than that.
    Computes,
    /// It is marked volatile, and its result is no data of a table.
    Harmless,
    /// Likewise; it makes a uuid of this version that nobody has seen before.
    MakesUuid(u8),
    /// Likewise; it sends its second argument to the channel that is its first.
    Notifies,
    /// Likewise; it changes a setting.
    Sets,
    /// It reads tables, sequences, files, statistics or other sessions' statements, and so may return
    /// keys whatever its arguments are.
    Reads,
    /// Likewise; it takes the next number of a sequence or sets it, by its name.
    Draws,
    /// Likewise; it runs a text as a query, or reads what it names, or the sequence that was used last.
    Looks,
    /// It tells of the catalogs as they stand.
    Tells(Told),
}

impl Effect {
    /// The version of the uuids that it makes.
    #[must_use]
    pub const fn makes_uuid(self) -> Option<u8> {
        match self {
            Self::MakesUuid(version) => Some(version),
            _ => None,
        }
    }
}

/// What a function tells of the catalogs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Told {
    /// The signature of a function, by its oid.
    Signature,
    /// A function by its signature, or an object of any kind.
    Procedure,
    /// An expression, as that which fills a column.
    Expression,
    /// The sequence that fills a column.
    Sequence,
}

/// How a function changes a text that is read as an id behind it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reading {
    /// To lower case: `lower`.
    Lower,
    /// To upper case: `upper`.
    Upper,
    /// To what is left without blanks at its ends: `btrim`.
    Trim,
    /// To an array of its parts: `string_to_array`.
    Split,
    /// To a row for each of its parts: `string_to_table`.
    SplitToRows,
}

impl Builtin {
    /// Whether the grammar takes values of whatever type as its arguments, and nothing is known of what
    /// becomes of them.
    #[must_use]
    pub const fn takes_anything(&self) -> bool {
        self.any_number && matches!(self.home, Home::Syntax) && self.rule.is_none()
    }

    /// Whether it may return keys whatever its arguments are.
    #[must_use]
    pub const fn reads_data(&self) -> bool {
        let reads = matches!(self.effect, Effect::Reads | Effect::Draws | Effect::Looks);
        reads && !matches!(self.home, Home::Extension)
    }

    /// Whether it is a volatile function of `pg_catalog` that returns no data of a table.
    const fn is_harmless_volatile(&self) -> bool {
        use Effect::{Computes, Harmless, MakesUuid, Notifies, Sets};
        let effect = self.effect;
        let is_harmless = matches!(effect, Computes | Harmless | MakesUuid(_) | Notifies | Sets);
        is_harmless && !matches!(self.home, Home::Extension)
    }

    /// Whether it counts the rows that it is given: `count`.
    #[must_use]
    pub const fn counts_rows(&self) -> bool {
        let is_aggregate = self.aggregate && matches!(self.home, Home::Catalog);
        is_aggregate && matches!(self.rule, Some(Rule::Count(_)))
    }

    /// How it puts together a document, if it does.
    #[must_use]
    pub const fn builds(&self) -> Option<Build> {
        match self.rule {
            Some(Rule::Json(_, build)) => Some(build),
            _ => None,
        }
    }
}

/// What is known of a name.
#[must_use]
pub fn named(name: &str) -> Option<&'static Builtin> {
    /// The rows by their names, for each call of each statement asks several times.
    static BY_NAME: LazyLock<HashMap<&str, &Builtin, RandomState>> = LazyLock::new(|| {
        let rows = table::BUILTINS.iter();
        rows.map(|row| (row.name, row)).collect()
    });
    BY_NAME.get(name).copied()
}

/// The rule for a name.
#[must_use]
pub fn rule(name: &str) -> Option<Rule> {
    named(name)?.rule
}

/// What the result of a function of this name may be beside what its arguments make of it.
#[must_use]
pub fn effect(name: &str) -> Effect {
    named(name).map_or(Effect::Marked, |builtin| builtin.effect)
}

/// Whether it sends a notification.
#[must_use]
pub fn notifies(name: &str) -> bool {
    effect(name) == Effect::Notifies
}

/// Whether a function of `pg_catalog` may return keys whatever its arguments are.
#[must_use]
pub fn reads_data(name: &str) -> bool {
    named(name).is_some_and(Builtin::reads_data)
}

/// Whether a function of `pg_catalog`, of which a variant may be volatile, may return data that is
/// not its arguments'.
#[must_use]
pub fn may_return_data(name: &str, volatile: bool) -> bool {
    match named(name) {
        Some(builtin) => builtin.reads_data() || volatile && !builtin.is_harmless_volatile(),
        None => volatile,
    }
}

/// Whether a volatile function of `pg_catalog` does no more than to compute.
#[must_use]
pub fn computes(name: &str) -> bool {
    matches!(effect(name), Effect::Computes | Effect::MakesUuid(_))
}

/// Whether a name is part of the grammar, in some version of Postgres.
#[must_use]
pub fn is_syntax(name: &str) -> bool {
    named(name).is_some_and(|builtin| matches!(builtin.home, Home::Syntax | Home::SqlJson))
}

/// All rows of the table.
#[must_use]
pub const fn all() -> &'static [Builtin] {
    table::BUILTINS
}

/// The functions of `pg_catalog` that may return keys whatever their arguments are.
pub fn readers() -> impl Iterator<Item = &'static str> {
    let readers = all().iter().filter(|builtin| builtin.reads_data());
    readers.map(|builtin| builtin.name)
}

/// The volatile functions of `pg_catalog` whose result is no data of a table.
pub fn harmless_volatile() -> impl Iterator<Item = &'static str> {
    let harmless = all().iter().filter(|of| of.is_harmless_volatile());
    harmless.map(|builtin| builtin.name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted_and_names_each_once() {
        assert!(all().is_sorted_by(|one, other| one.name < other.name));
    }
}
