//! `pgveil whose`: what an id is an id of, for those who have nothing but the id, such as a support
//! desk. It asks every id domain of the configuration, and writes that somebody has asked to the audit
//! trail.

use std::io::Write;

use clap::Args;

use super::convert::owners;
use super::{CliError, ConfigFile, Outcome, log};
use crate::audit::Event;
use crate::config::ValueType;

#[derive(Debug, Args)]
pub(super) struct Whose {
    #[command(flatten)]
    file: ConfigFile,
    /// The id, in any form.
    #[arg(value_name = "ID", allow_hyphen_values = true)]
    id: String,
    /// Why it is asked for: the audit trail has it.
    #[arg(long, value_name = "TEXT")]
    reason: Option<String>,
    /// Print the key, too.
    #[arg(long)]
    reveal: bool,
}

impl Whose {
    pub(super) fn run(
        self,
        out: &mut dyn Write,
        notes: &mut dyn Write,
    ) -> Result<Outcome, CliError> {
        let config = self.file.load(notes)?;
        let owners = owners(&config, &self.id);
        let logging = log::start(&config.log)?;
        let names = owners.iter();
        let mut names: Vec<&str> = names.map(|(of, ..)| of.annotation.name.as_str()).collect();
        names.dedup();
        let event = Event::OperatorDecode {
            domains: names.join(", "),
            reason: self.reason,
            revealed: self.reveal,
        };
        event.emit();
        // Before anything is shown that it is about.
        drop(logging);
        for (domain, column, key) in &owners {
            let annotation = &domain.annotation;
            let line = format!(
                "{} {} {}",
                annotation.name,
                annotation.column,
                kind(*column)
            );
            out.write_all(line.as_bytes())?;
            if self.reveal {
                let mut text = vec![b' '];
                key.write(&mut text);
                out.write_all(&text)?;
            }
            writeln!(out)?;
        }
        if owners.is_empty() {
            writeln!(notes, "no id domain of the configuration has issued it")?;
            return Ok(Outcome::Finding);
        }
        Ok(Outcome::Success)
    }
}

/// What keys of such a column are called.
const fn kind(column: ValueType) -> &'static str {
    match column {
        ValueType::Integer(_) => "integer",
        ValueType::Uuid => "uuid, if its keys are: then every uuid is an id",
        ValueType::Bytes => "bytea",
        ValueType::Text => "text",
    }
}
