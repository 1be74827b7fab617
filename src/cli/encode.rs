//! `pgveil encode`: keys to ids, one a line, in the order of the arguments or of standard input. A
//! key that has no id leaves an empty line, so that lines and arguments still match.

use std::io::Write;

use clap::Args;

use super::convert::{Options, Way};
use super::{CliError, Outcome};

#[derive(Debug, Args)]
pub(super) struct Encode {
    #[command(flatten)]
    options: Options,
    /// The keys; without any, or with `-`, the lines of standard input.
    #[arg(value_name = "KEY", allow_hyphen_values = true)]
    keys: Vec<String>,
}

impl Encode {
    pub(super) fn run(
        self,
        out: &mut dyn Write,
        notes: &mut dyn Write,
    ) -> Result<Outcome, CliError> {
        self.options.run(Way::Encode, &self.keys, out, notes)
    }
}
