//! `pgveil decode`: ids to keys, one a line, in the order of the arguments. An id that stands
//! for no key leaves an empty line, so that lines and arguments still match.

use std::io::Write;

use clap::Args;

use super::encode::domain;
use super::{CliError, ConfigFile, Outcome};
use crate::codec::{IdValue, IntegerType, KeyValue, OpaqueId, ValueType};
use crate::config::Config;

#[derive(Debug, Args)]
pub(super) struct Decode {
    #[command(flatten)]
    file: ConfigFile,
    /// The id domain.
    domain: String,
    /// The ids.
    #[arg(required = true, value_name = "ID")]
    ids: Vec<String>,
}

impl Decode {
    pub(super) fn run(
        self,
        out: &mut dyn Write,
        notes: &mut dyn Write,
    ) -> Result<Outcome, CliError> {
        let config = Config::load(&self.file.config)?;
        let codec = &domain(&config, &self.domain)?.codec;
        let mut outcome = Outcome::Success;
        for argument in self.ids {
            let decoded = match argument.parse::<OpaqueId>() {
                Ok(id) => codec
                    .decode(&IdValue::Uuid(id), ValueType::Integer(IntegerType::Int8))
                    .map_err(|error| error.to_string()),
                Err(error) => Err(error.to_string()),
            };
            match decoded {
                Ok(KeyValue::Integer(key)) => writeln!(out, "{}", key.get())?,
                Ok(_) => writeln!(out)?,
                Err(reason) => {
                    writeln!(out)?;
                    writeln!(notes, "{argument}: {reason}")?;
                    outcome = Outcome::Finding;
                }
            }
        }
        Ok(outcome)
    }
}
