//! `pgveil decode`: ids to keys, one a line, in the order of the arguments or of standard input.
//! An id that stands for no key leaves an empty line, so that lines and arguments still match.

use std::io::Write;

use clap::Args;

use super::convert::{Options, Way};
use super::{CliError, Outcome};

#[derive(Debug, Args)]
pub(super) struct Decode {
    #[command(flatten)]
    options: Options,
    /// The ids; without any, or with `-`, the lines of standard input.
    #[arg(value_name = "ID", allow_hyphen_values = true)]
    ids: Vec<String>,
}

impl Decode {
    pub(super) fn run(
        self,
        out: &mut dyn Write,
        notes: &mut dyn Write,
    ) -> Result<Outcome, CliError> {
        self.options.run(Way::Decode, &self.ids, out, notes)
    }
}
