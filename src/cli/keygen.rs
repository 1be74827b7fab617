//! `pgveil keygen`: prints a new key.

use std::io::Write;

use super::{CliError, Outcome};
use crate::codec::Secret;

pub(super) fn run(out: &mut dyn Write) -> Result<Outcome, CliError> {
    writeln!(out, "{}", *Secret::generate_hex()?)?;
    Ok(Outcome::Success)
}
