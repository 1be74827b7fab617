//! Names of the database. Postgres cuts longer ones, so that a name in the file would mean
//! nothing, or something else than it says.

use super::fault::Faults;

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
