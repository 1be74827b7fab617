//! What is put into a statement that names columns with keys of several domains: the conditions that a
//! row has a key of one, and that key.

use crate::catalog::{KeyType, Polymorphic, PolymorphicKind};

use super::TagPart;
use super::polymorphic::{Form, Mention};
use super::tag::text;

impl Mention {
    /// Whether nothing is known of what its keys are.
    pub(super) fn is_open(&self) -> bool {
        self.sighted.fixed.is_none()
    }

    /// What its keys may be.
    pub(super) fn kinds(&self) -> Vec<PolymorphicKind> {
        let is_meant = |kind: &&PolymorphicKind| {
            let fixed = self.sighted.fixed;
            fixed.is_none_or(|id| kind.id == id)
        };
        self.sighted
            .of
            .kinds
            .iter()
            .filter(is_meant)
            .cloned()
            .collect()
    }

    /// The condition that a row has a key of a kind.
    pub(super) fn condition(&self, kind: &PolymorphicKind) -> String {
        condition(&self.by(), &self.sighted.of, kind)
    }

    fn by(&self) -> String {
        format!("{}{}", self.prefix, quoted(&self.sighted.of.by))
    }

    /// What makes a comparison NULL in rows with keys of no kind, whatever these are.
    pub(super) fn or_unknown(&self) -> String {
        let kinds = self.sighted.of.kinds.iter();
        let known: Vec<String> = kinds.map(|kind| self.condition(kind)).collect();
        format!(
            " OR (NULL::pg_catalog.bool AND NOT ({}))",
            known.join(" OR ")
        )
    }

    /// Its key of a kind, in rows that have one.
    pub(super) fn key(&self, kind: &PolymorphicKind) -> String {
        match self.sighted.of.written {
            true => self.key_alone(kind),
            false => self.column.clone(),
        }
    }

    /// Its key of a kind, and NULL in all other rows.
    pub(super) fn key_alone(&self, kind: &PolymorphicKind) -> String {
        let (open, close) = self.around(kind);
        format!("{open}{}{close}", self.column)
    }

    /// What stands around it for that.
    pub(super) fn around(&self, kind: &PolymorphicKind) -> (String, String) {
        let (condition, column) = (self.condition(kind), &self.column);
        let key_type = kind.id.key_type;
        let (is_key, cast) = match self.sighted.of.written {
            true => (
                format!(" AND {}", is_written(column, key_type)),
                format!("::{}", key_type.sql()),
            ),
            false => (String::new(), String::new()),
        };
        let open = format!("CASE WHEN {condition}{is_key} THEN ");
        (open, format!("{cast} END"))
    }
}

/// The condition that a text is a key as Postgres writes it: the cast of another fails, and the error
/// quotes it.
fn is_written(column: &str, key_type: KeyType) -> String {
    let pattern = match key_type.is_integer() {
        true => format!("^(0|-?({}))$", up_to(&key_type.maximum().to_string())),
        false => "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$".to_owned(),
    };
    format!("{column} OPERATOR(pg_catalog.~) '{pattern}'")
}

/// A regular expression of the numbers from 1 to one, as they are written.
fn up_to(most: &str) -> String {
    let mut parts = vec![format!("[1-9][0-9]{{0,{}}}", most.len().saturating_sub(2))];
    for (place, digit) in most.char_indices() {
        let least = if place == 0 { '1' } else { '0' };
        if let Some(below) = char::from_u32(u32::from(digit).saturating_sub(1))
            && below >= least
        {
            let (before, behind) = (
                most.get(..place).unwrap_or_default(),
                most.len() - place - 1,
            );
            parts.push(format!("{before}[{least}-{below}][0-9]{{{behind}}}"));
        }
    }
    parts.push(most.to_owned());
    parts.join("|")
}

/// Gives these parts, with texts that follow each other in one.
pub(super) fn joined(parts: Vec<TagPart>) -> Vec<TagPart> {
    let mut joined: Vec<TagPart> = Vec::new();
    for part in parts {
        match (joined.last_mut(), part) {
            (Some(TagPart::Text(last)), TagPart::Text(more)) => last.push_str(&more),
            (_, part) => joined.push(part),
        }
    }
    joined
}

/// The condition that a value is one of those of a kind. Texts are compared as they are, whatever the
/// collation of the column takes for equal.
pub(super) fn condition(value: &str, of: &Polymorphic, kind: &PolymorphicKind) -> String {
    let collation = match KeyType::from_oid(of.by_type).is_some_and(|(by, _)| by.is_integer()) {
        true => "",
        false => " COLLATE pg_catalog.\"C\"",
    };
    let tests = kind.values.iter().map(|known| {
        let known = string(known);
        format!("{value} OPERATOR(pg_catalog.=) {known}{collation}")
    });
    format!("({})", tests.collect::<Vec<_>>().join(" OR "))
}

/// The comparison of a key with values.
pub(super) fn comparison(
    key: &str,
    key_type: KeyType,
    form: Form<'_>,
    again: Vec<TagPart>,
) -> Vec<TagPart> {
    let mut parts = Vec::new();
    let cast = format!("::{}", key_type.sql());
    let key = format!("({key})");
    let (before, after) = match form {
        Form::One(word) => (format!("{key} OPERATOR(pg_catalog.{word}) "), cast.clone()),
        Form::List(negated) => {
            let not = if negated { "NOT " } else { "" };
            (format!("{key} {not}IN ("), format!("{cast})"))
        }
        Form::Array(word, quantifier) => (
            format!("{key} OPERATOR(pg_catalog.{word}) {quantifier} ("),
            format!("{cast}[])"),
        ),
    };
    parts.push(text(&before));
    for (number, again) in again.into_iter().enumerate() {
        if number > 0 {
            parts.push(text(&format!("{cast}, ")));
        }
        parts.push(again);
    }
    parts.push(text(&after));
    parts
}

pub(super) fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// A string constant, whatever the settings.
pub(super) fn string(value: &str) -> String {
    let escaped = value.replace('\'', "''");
    match escaped.contains('\\') {
        true => format!(" E'{}'", escaped.replace('\\', "\\\\")),
        false => format!("'{escaped}'"),
    }
}
