//! `pgveil completions`: what a shell needs to complete the command line.

use std::io::Write;

use clap::{Args, CommandFactory as _, ValueEnum};
use clap_complete::{generate, shells};
use clap_complete_nushell::Nushell;

use super::{Arguments, CliError, Outcome};

#[derive(Debug, Args)]
pub(super) struct Completions {
    /// The shell.
    shell: Shell,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Shell {
    Bash,
    Zsh,
    Fish,
    Nu,
}

impl Completions {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<Outcome, CliError> {
        let mut command = Arguments::command();
        let name = command.get_name().to_owned();
        // The generators panic where they can't write.
        let mut script = Vec::new();
        match self.shell {
            Shell::Bash => generate(shells::Bash, &mut command, name, &mut script),
            Shell::Zsh => generate(shells::Zsh, &mut command, name, &mut script),
            Shell::Fish => generate(shells::Fish, &mut command, name, &mut script),
            Shell::Nu => generate(Nushell, &mut command, name, &mut script),
        }
        out.write_all(&script)?;
        Ok(Outcome::Success)
    }
}
