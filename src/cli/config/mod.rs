//! `pgveil config`: the settings there are, and those that hold.

mod reference;
mod schema;

use std::io::Write;

use clap::{Args, Subcommand};

use super::{CliError, ConfigFile, Outcome, Overriding};
use crate::config::{self, Config};

#[derive(Debug, Args)]
pub(super) struct ConfigCommand {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Print the settings of a file as they are read: variables replaced, further files included.
    Print(Print),
    /// Print what each setting means, as Markdown.
    Reference,
    /// Print the JSON schema of the file, for editors.
    Schema,
}

#[derive(Debug, Args)]
struct Print {
    #[command(flatten)]
    file: ConfigFile,
    #[command(flatten)]
    overriding: Overriding,
    /// Print what holds where a setting is left out, too.
    #[arg(long)]
    effective: bool,
    /// Print behind each setting where it comes from.
    #[arg(long)]
    origin: bool,
}

impl ConfigCommand {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<Outcome, CliError> {
        let text = match self.action {
            Action::Print(print) => print.text()?,
            Action::Reference => reference::page(),
            Action::Schema => format!("{:#}\n", schema::schema()),
        };
        out.write_all(text.as_bytes())?;
        Ok(Outcome::Success)
    }
}

impl Print {
    fn text(self) -> Result<String, CliError> {
        let file = self.file.path()?;
        let overrides = self.overriding.into_overrides();
        let (files, tables) = Config::peek_settings(&file, &overrides)?;
        let shown = config::shown(&tables, self.effective);
        Ok(config::page(&shown, self.origin.then_some(&files)))
    }
}
