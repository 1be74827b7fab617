//! `pgveil encode`: keys to ids, one a line, in the order of the arguments.

use std::io::Write;

use clap::Args;

use super::{CliError, ConfigFile, Outcome};
use crate::codec::{IdValue, IntegerType, Key, KeyValue};
use crate::config::{Config, IdDomain};

#[derive(Debug, Args)]
pub(super) struct Encode {
    #[command(flatten)]
    file: ConfigFile,
    /// The id domain.
    domain: String,
    /// The keys.
    #[arg(required = true, value_name = "KEY", allow_hyphen_values = true)]
    keys: Vec<String>,
}

impl Encode {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<Outcome, CliError> {
        let config = Config::load(&self.file.config)?;
        let codec = &domain(&config, &self.domain)?.codec;
        for argument in self.keys {
            // The width of the column is no part of an id, so the widest type serves all.
            let key = Key::parse(&argument, IntegerType::Int8)
                .map_err(|source| CliError::Key { argument, source })?;
            let id = codec.encode(&KeyValue::Integer(key));
            if let Ok(IdValue::Uuid(id)) = id {
                writeln!(out, "{id}")?;
            }
        }
        Ok(Outcome::Success)
    }
}

/// The id domain of this name.
pub(super) fn domain<'c>(config: &'c Config, name: &str) -> Result<&'c IdDomain, CliError> {
    let mut domains = config.domains.iter();
    let found = domains.find(|domain| domain.annotation.name == name);
    found.ok_or_else(|| {
        let names = config
            .domains
            .iter()
            .map(|domain| domain.annotation.name.as_str());
        let known: Vec<&str> = names.collect();
        CliError::Domain {
            name: name.to_owned(),
            known: if known.is_empty() {
                "none".to_owned()
            } else {
                known.join(", ")
            },
        }
    })
}
