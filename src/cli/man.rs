//! `pgveil man`: the manual pages, made of what `--help` prints.

use std::fs;
use std::io::Write;
use std::path::PathBuf;

use clap::{Args, CommandFactory as _};
use clap_mangen::{Man as Page, generate_to};

use super::{Arguments, CliError, Outcome};

#[derive(Debug, Args)]
pub(super) struct Man {
    /// Write the pages of all commands into this folder, instead of printing the one of pgveil.
    #[arg(value_name = "DIR")]
    folder: Option<PathBuf>,
}

impl Man {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<Outcome, CliError> {
        let mut command = Arguments::command().disable_help_subcommand(true);
        command.build();
        match self.folder {
            Some(folder) => {
                fs::create_dir_all(&folder)?;
                generate_to(command, folder)?;
            }
            None => Page::new(command).render(out)?,
        }
        Ok(Outcome::Success)
    }
}
