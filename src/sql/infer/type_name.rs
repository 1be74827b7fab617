//! What the name of a type says in a cast or a declaration.

use sqlparser::ast::{ArrayElemTypeDef, CharacterLength, DataType, ObjectName};

use crate::catalog::KeyType;
use crate::pg::oid;

use super::column_name::last;

/// The name of a type, without array brackets, and the number of brackets.
pub(super) fn element_type(data_type: &DataType) -> (Option<&ObjectName>, usize) {
    match data_type {
        DataType::Custom(name, _) => (Some(name), 0),
        DataType::Array(
            ArrayElemTypeDef::SquareBracket(element, _)
            | ArrayElemTypeDef::AngleBracket(element)
            | ArrayElemTypeDef::Parenthesis(element)
            | ArrayElemTypeDef::Qualified(element, _),
        ) => {
            let (name, dimensions) = element_type(element);
            (name, dimensions + 1)
        }
        DataType::Array(ArrayElemTypeDef::None) => (None, 1),
        _ => (None, 0),
    }
}

/// Whether a type is that of a literal that has none yet.
pub(super) fn is_unknown(data_type: &DataType) -> bool {
    matches!(data_type, DataType::Custom(name, modifiers)
        if modifiers.is_empty() && last(name) == "unknown")
}

/// Whether a type is that of any text.
pub(super) fn is_text_name(data_type: &DataType) -> bool {
    match data_type {
        DataType::Text | DataType::CharacterVarying(None) => true,
        DataType::Custom(name, modifiers) => {
            modifiers.is_empty()
                && matches!(
                    key_type(name, false),
                    Some(KeyType::Text | KeyType::Varchar)
                )
        }
        _ => false,
    }
}

/// The type that a name means, if ids are shown as that type. `char` without a length cuts text
/// to one letter.
pub(super) fn key_type(name: &ObjectName, modified: bool) -> Option<KeyType> {
    let idents = name.0.iter().map(|part| part.as_ident());
    let idents = idents.collect::<Option<Vec<_>>>()?;
    let (word, exact) = match idents.as_slice() {
        [word] => (word, word.quote_style.is_some()),
        [schema, word] if schema.value == "pg_catalog" => (word, true),
        _ => return None,
    };
    let (key_type, array) = KeyType::from_oid(oid::named(&word.value))?;
    let is_name = key_type.sql().strip_prefix("pg_catalog.") == Some(word.value.as_str());
    let cuts = matches!(word.value.as_str(), "char" | "character") && !modified;
    ((is_name || !exact) && !array && !cuts).then_some(key_type)
}

/// The length that a type of text has, or one of arrays of them.
pub(super) fn length(data_type: &DataType) -> Option<u64> {
    match innermost(data_type) {
        DataType::Custom(_, modifiers) => match modifiers.as_slice() {
            [length] => length.parse().ok(),
            _ => None,
        },
        DataType::CharacterVarying(Some(CharacterLength::IntegerLength { length, .. })) => {
            Some(*length)
        }
        _ => None,
    }
}

/// The type of an array's elements.
pub(super) fn innermost(data_type: &DataType) -> &DataType {
    match data_type {
        DataType::Array(
            ArrayElemTypeDef::SquareBracket(element, _)
            | ArrayElemTypeDef::AngleBracket(element)
            | ArrayElemTypeDef::Parenthesis(element)
            | ArrayElemTypeDef::Qualified(element, _),
        ) => innermost(element),
        other => other,
    }
}

/// The oid of a type of Postgres's own by the word that names it, or else as it is written; 0 for others.
pub(super) fn named_oid(data_type: &DataType, word: Option<&str>) -> u32 {
    match word {
        Some(word) => oid::named(word),
        None => {
            let written = data_type.to_string().to_lowercase();
            let word = written
                .split('(')
                .next()
                .unwrap_or_default()
                .trim()
                .to_owned();
            oid::named(&word)
        }
    }
}
