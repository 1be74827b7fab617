//! demo
use std::io::Write;

use super::{CliError, Outcome};
#[derive(Debug, clap::Args)]
pub(super) struct Demo {}
impl Demo {
    pub(super) fn run(self, _: &mut dyn Write) -> Result<Outcome, CliError> {
        Ok(Outcome::Success)
    }
}
