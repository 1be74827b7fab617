//! What Postgres's own functions do with ids: one table for all of them. The surface is finite:
//! a function that is not listed takes no uuid, or would turn the id into something else.

use crate::pg::functions::{HARMLESS_VOLATILE, READERS};
use crate::pg::oid;

/// What a function does with an id among its arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Rule {
    /// All arguments are of one type, which is the result's: `coalesce`.
    Same,
    /// The first two arguments are compared; the result is the first: `nullif`.
    NullIf,
    /// The result is the first argument; the others are none of its type: `max`, `nth_value`.
    Carry,
    /// The result is the first argument, the third a value of the same type: `lag`.
    CarryOrDefault,
    /// The result is of this type and says nothing about the value of the argument: `count`.
    Count(u32),
    /// The result is the array of all arguments: `array_agg`.
    Collect,
    /// The argument is an array, the result its elements: `unnest`.
    Elements,
    /// The first argument is an array, the result of this type says nothing of the elements.
    Measure(u32),
    /// An array and an element give an array: `array_append`, `array_remove`.
    ArrayElement,
    /// An element and an array give an array: `array_prepend`.
    ElementArray,
    /// Two arrays give an array: `array_cat`.
    ArrayArray,
    /// An array, an element and another give an array: `array_replace`.
    ArrayReplace,
    /// An array and an element give a place in it: `array_position`.
    Search(u32),
    /// An array that is cut or shuffled: `trim_array`.
    CarryArray,
    /// The arguments, one after the other as text: `concat`.
    Text,
    /// The arguments as text, put together as the first one says: `format`.
    Format,
    /// The elements of an array as text: `array_to_string`.
    Join,
    /// The arguments, or parts of them, as JSON of this type.
    Json(u32),
    /// A document, a path in it and a value for the place: `jsonb_set`.
    JsonPath(u32),
    /// A document built of ids, of which the result of this type tells the size or the kind.
    Size(u32),
    /// A document built of ids, whose members are of this type.
    Members(u32),
    /// Takes a value of any type and shows it: exists for uuid too, but can't be undone outside.
    Show,
}

/// The rule for a function of `pg_catalog`; `None` if it takes no uuid.
pub(super) fn rule(name: &str) -> Option<Rule> {
    use super::types::{INT4, INT8, JSON, JSONB, TEXT};
    Some(match name {
        "coalesce" | "greatest" | "least" => Rule::Same,
        "nullif" => Rule::NullIf,
        "min" | "max" | "any_value" | "first_value" | "last_value" | "nth_value" => Rule::Carry,
        "lag" | "lead" => Rule::CarryOrDefault,
        "count" | "row_number" | "rank" | "dense_rank" => Rule::Count(INT8),
        "num_nulls" | "num_nonnulls" | "grouping" => Rule::Count(INT4),
        "percent_rank" | "cume_dist" => Rule::Count(oid::FLOAT8),
        "array_agg" => Rule::Collect,
        "unnest" => Rule::Elements,
        "cardinality" | "array_length" | "array_ndims" | "array_lower" | "array_upper" => {
            Rule::Measure(INT4)
        }
        "generate_subscripts" => Rule::Measure(INT4),
        "array_dims" => Rule::Measure(TEXT),
        "array_append" | "array_remove" => Rule::ArrayElement,
        "array_prepend" => Rule::ElementArray,
        "array_cat" => Rule::ArrayArray,
        "array_replace" => Rule::ArrayReplace,
        "array_position" => Rule::Search(INT4),
        "array_positions" => Rule::Search(oid::INT4_ARRAY),
        "trim_array" | "array_reverse" | "array_sample" | "array_shuffle" | "array_sort" => {
            Rule::CarryArray
        }
        // A tag is quoted as what it stands for: it has no quote and no backslash either.
        "concat" | "concat_ws" | "quote_literal" | "quote_nullable" | "string_agg" => Rule::Text,
        "format" => Rule::Format,
        "array_to_string" => Rule::Join,
        "array_to_json" | "json_agg" | "json_agg_strict" | "json_array" | "json_arrayagg"
        | "json_build_array" | "json_build_object" | "json_object" | "json_object_agg"
        | "json_objectagg" | "json_strip_nulls" | "row_to_json" | "to_json" => Rule::Json(JSON),
        "jsonb_agg" | "jsonb_agg_strict" | "jsonb_build_array" | "jsonb_build_object"
        | "jsonb_object" | "jsonb_object_agg" | "jsonb_strip_nulls" | "to_jsonb" => {
            Rule::Json(JSONB)
        }
        "jsonb_set" => Rule::JsonPath(JSONB),
        "json_array_length" | "jsonb_array_length" => Rule::Size(INT4),
        "json_typeof" | "jsonb_typeof" => Rule::Size(TEXT),
        "json_array_elements" => Rule::Members(JSON),
        "jsonb_array_elements" => Rule::Members(JSONB),
        "json_array_elements_text" | "jsonb_array_elements_text" => Rule::Members(TEXT),
        "array_fill"
        | "array_to_tsvector"
        | "hash_array"
        | "hash_record"
        | "json"
        | "json_exists"
        | "json_query"
        | "json_scalar"
        | "json_serialize"
        | "json_table"
        | "json_value"
        | "pg_column_compression"
        | "pg_column_size"
        | "pg_column_toast_chunk_id"
        | "pg_typeof"
        | "text"
        | "uuid_extract_timestamp"
        | "uuid_extract_version"
        | "uuid_hash"
        | "uuid_hash_extended"
        | "uuid_send"
        | "width_bucket"
        | "mode"
        | "percentile_disc" => Rule::Show,
        _ => return None,
    })
}

/// Whether a function of `pg_catalog` may return keys whatever its arguments are.
pub(super) fn reads_data(name: &str) -> bool {
    READERS.binary_search(&name).is_ok()
}

/// Whether a volatile function of `pg_catalog` is known to return no data of a table.
pub(super) fn is_harmless_volatile(name: &str) -> bool {
    HARMLESS_VOLATILE.binary_search(&name).is_ok()
}

/// Whether a function of `pg_catalog`, of which a variant may be volatile, may return data that is
/// not its arguments'.
pub(super) fn may_return_data(name: &str, volatile: bool) -> bool {
    reads_data(name) || (volatile && !is_harmless_volatile(name))
}

/// The function, whose first argument is the channel and whose second is the payload.
pub(super) const PG_NOTIFY: &str = "pg_notify";

/// Functions that make a uuid nobody has seen before.
const GENERATORS: [&str; 6] = [
    "gen_random_uuid",
    "uuid_generate_v1",
    "uuid_generate_v1mc",
    "uuid_generate_v4",
    "uuidv4",
    "uuidv7",
];

/// Whether a function of this name, of Postgres or of an extension, makes a uuid that nobody has
/// seen before.
pub(super) fn makes_uuid(name: &str) -> bool {
    GENERATORS.contains(&name)
}

/// The result types of a few functions whose results are compared with ids by mistake, so that
/// the error names them as Postgres does.
pub(super) fn result_oid(name: &str) -> u32 {
    use super::types::{INT4, INT8, TEXT, UUID};
    match name {
        "now" | "clock_timestamp" | "statement_timestamp" | "transaction_timestamp" => {
            oid::TIMESTAMPTZ
        }
        "gen_random_uuid" | "uuidv4" | "uuidv7" => UUID,
        "lower" | "upper" | "concat" | "md5" | "substr" | "left" | "right" | "replace"
        | "current_setting" => TEXT,
        "length" | "char_length" => INT4,
        "count" => INT8,
        _ => 0,
    }
}
