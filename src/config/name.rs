//! Names of the database. Postgres cuts longer ones, so that a name in the file would mean
//! nothing, or something else than it says.

use super::fault::Faults;
use super::section::At;

/// The longest name that Postgres keeps (`NAMEDATALEN - 1`), in bytes.
pub(super) const MAX_NAME_BYTES: usize = 63;

/// Whether Postgres keeps a name as it is written in this line; if not, that is a fault.
pub(super) fn is_kept(name: &str, line: usize, faults: &mut Faults<'_>) -> bool {
    let fits = name.len() <= MAX_NAME_BYTES;
    if !fits {
        let cause = format!("`{name}` is longer than names are in Postgres");
        faults.add(
            line,
            cause,
            "write the name as the database has it: it was cut to 63 bytes",
        );
    }
    fits
}

/// Reports a list without names, or with one that nobody has. `what` says what the list is of.
pub(super) fn is_of_somebody(list: &At<Vec<At<String>>>, what: &str, faults: &mut Faults<'_>) {
    let has_empty = list.value.iter().any(|name| name.value.is_empty());
    if list.value.is_empty() || has_empty {
        let advice = "leave the list out if all are meant, or name some";
        let cause = format!("the {what} is about a name that nobody has");
        faults.add(list.line, cause, advice);
    }
}

/// The names of a list that Postgres keeps.
pub(super) fn kept(names: Option<At<Vec<At<String>>>>, faults: &mut Faults<'_>) -> Vec<String> {
    let names = names.map_or_else(Vec::new, |names| names.value);
    let kept = names
        .into_iter()
        .filter(|name| is_kept(&name.value, name.line, faults));
    kept.map(|name| name.value).collect()
}
