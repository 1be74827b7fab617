//! Generated columns: what is computed from keys shows them, and what is taken out of a document
//! beside its keys does not.

use crate::config::PathStep;
use crate::pg::oid;

use super::draft::Draft;
use super::{Column, Relation};

/// Marks generated columns, and those that are computed from what holds keys or shows them: the word
/// of a column anywhere in the expression is enough, unless it is a document of which other members
/// are taken. One that just repeats a key is a key itself.
/// Says whether there are any that were not marked before.
pub(super) fn derive(draft: &mut Draft) -> bool {
    let mut found = false;
    for ((oid, attnum), expression) in draft.generated.clone() {
        let Some(relation) = draft.relations.get(&oid) else {
            continue;
        };
        let derived = is_made_of(expression.as_deref(), relation, shows_keys);
        let repeats = |column: &&Column| {
            expression.as_deref().is_some_and(|expression| {
                expression == column.name || expression == quoted(&column.name)
            })
        };
        let repeated = relation.columns.iter().find(repeats).map(|repeated| {
            let id = repeated.id.filter(|_| !repeated.derived);
            (repeated.type_oid, id)
        });
        if let Some(column) = draft.column_mut((oid, attnum)) {
            column.generated = true;
            if column.derived {
                continue;
            }
            let is_the_same = repeated.is_some_and(|(type_oid, id)| {
                type_oid == column.type_oid
                    && id.is_some_and(|id| *column.id.get_or_insert(id) == id)
            });
            column.derived = derived && !is_the_same;
            found |= column.derived;
        }
    }
    found
}

/// Whether the values of a column are keys or tell of them.
pub(super) fn shows_keys(column: &Column) -> bool {
    column.holds_keys() || column.derived || column.row.is_some()
}

/// Whether an expression takes keys or what tells of them from any column of these; one that could not
/// be read may take all.
fn is_made_of(expression: Option<&str>, relation: &Relation, of: impl Fn(&Column) -> bool) -> bool {
    let Some(expression) = expression else {
        return relation.columns.iter().any(of);
    };
    let mut columns = relation.columns.iter().filter(|column| of(column));
    columns.any(|column| {
        let mut mentions = mentions(expression, &column.name);
        mentions.any(|around| !takes_no_key(column, around))
    })
}

/// Whether a character is part of a name.
fn is_part(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}

/// What stands before and behind each place where an expression may name a column: also in a string.
fn mentions<'e>(expression: &'e str, name: &str) -> impl Iterator<Item = (&'e str, &'e str)> {
    let written = name.replace('"', "\"\"");
    let places: Vec<usize> = expression
        .match_indices(&written)
        .map(|(start, _)| start)
        .collect();
    places.into_iter().filter_map(move |start| {
        let (before, from) = expression.split_at_checked(start)?;
        let behind = from.get(written.len()..)?;
        let is_whole = !before.ends_with(is_part) && !behind.starts_with(is_part);
        is_whole.then_some((before, behind))
    })
}

/// Whether what stands around the mention of a document takes a member of it that is no key and has
/// none in it.
fn takes_no_key(column: &Column, around: (&str, &str)) -> bool {
    let is_document = !column.json.is_empty()
        && column.id.is_none()
        && !column.derived
        && column.row.is_none()
        && matches!(column.type_oid.0, oid::JSON | oid::JSONB);
    if !is_document {
        return false;
    }
    let taken = members(around);
    column.json.iter().all(|key| {
        let mut steps = key.path.iter().zip(&taken);
        steps.any(|(step, taken)| matches!(step, PathStep::Member(name) if name != taken))
    })
}

/// The members that are taken out of a document one after the other, as Postgres writes it:
/// `((body -> 'a'::text) ->> 'b'::text)`. A bracket belongs to them if it opens before the document
/// and is not that of a call.
fn members((before, behind): (&str, &str)) -> Vec<String> {
    let mut members = Vec::new();
    let (before, mut rest) = match (before.strip_suffix('"'), behind.strip_prefix('"')) {
        (Some(before), Some(behind)) => (before, behind),
        _ => (before, behind),
    };
    let ahead = before.trim_end_matches('(');
    let is_call = ahead.ends_with(|c| is_part(c) || c == '"');
    let mut open = (before.len() - ahead.len()).saturating_sub(usize::from(is_call));
    loop {
        while let Some(behind) = rest
            .strip_prefix(')')
            .filter(|_| open > 0 && !members.is_empty())
        {
            (open, rest) = (open - 1, behind);
        }
        rest = rest.trim_start();
        let (is_text, operand) = match (rest.strip_prefix("->>"), rest.strip_prefix("->")) {
            (Some(operand), _) => (true, operand),
            (None, Some(operand)) => (false, operand),
            (None, None) => return members,
        };
        let Some((member, behind)) = constant(operand.trim_start()) else {
            return members;
        };
        members.push(member);
        if is_text {
            return members;
        }
        rest = behind;
    }
}

/// A constant of type text that a text begins with, and what stands behind it.
fn constant(text: &str) -> Option<(String, &str)> {
    let (mut value, mut rest) = (String::new(), text.strip_prefix('\'')?);
    loop {
        let (part, behind) = rest.split_once('\'')?;
        value.push_str(part);
        match behind.strip_prefix('\'') {
            Some(more) => {
                value.push('\'');
                rest = more;
            }
            None => {
                // What the database's encoding could not tell may be any name.
                let is_known = !value.contains(char::REPLACEMENT_CHARACTER);
                let behind = behind.strip_prefix("::text")?;
                return is_known.then_some((value, behind));
            }
        }
    }
}

/// How Postgres writes a name that needs quotes.
fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_are_read_as_postgres_writes_them() {
        let taken = |text: &str| {
            let around = text.split_once("body").unwrap();
            members(around).join("/")
        };
        assert_eq!(taken("(body ->> 'title'::text)"), "title");
        assert_eq!(
            taken("((\"body\" -> 'a'::text) ->> 'it''s'::text)"),
            "a/it's"
        );
        assert_eq!(taken("((body ->> 'a'::text) -> 'b'::text)"), "a");
        assert_eq!(taken("(f((body -> 'a'::text)) -> 'b'::text)"), "a");
        assert_eq!(taken("(\"F\"((body -> 'a'::text)) -> 'b'::text)"), "a");
        let others = [
            "(body -> 0)",
            "(body ->> name)",
            "(body #>> '{a}'::text[])",
            "(f(body) -> 'a'::text)",
        ];
        for other in others.into_iter().chain(["(body -> E'a'::text)", "body"]) {
            assert_eq!(taken(other), "", "{other}");
        }
    }

    #[test]
    fn a_column_is_named_by_whole_words_only() {
        let found = |name: &str| mentions("f(body, \"a b\", somebody)", name).count();
        assert_eq!((found("body"), found("a b"), found("some")), (1, 1, 0));
    }
}
