//! `pgveil health`: asks a running proxy how it is, for those who have nothing but the binary: an
//! image without a shell, an exec probe.

use std::io::Write;

use clap::Args;

use super::{CliError, ConfigFile, Outcome};
use crate::admin::{AskError, Target, ask};
use crate::config::Config;

#[derive(Debug, Args)]
pub(super) struct Health {
    /// The file, whose [admin] says where to ask.
    #[command(flatten)]
    file: ConfigFile,
    /// Where to ask instead: http://host:port or unix:/path/of/socket.
    #[arg(long, value_name = "URL")]
    url: Option<String>,
    /// Ask whether the process lives, not whether it is ready for clients.
    #[arg(long)]
    live: bool,
}

impl Health {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<Outcome, CliError> {
        let target = self.target()?;
        let page = if self.live { "/livez" } else { "/readyz" };
        let page = target.path.as_deref().unwrap_or(page);
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        match runtime.block_on(ask(&target.at, page)) {
            Ok((is_well, text)) => {
                out.write_all(text.as_bytes())?;
                Ok(if is_well {
                    Outcome::Success
                } else {
                    Outcome::Finding
                })
            }
            Err(error @ AskError::Url(_)) => Err(error.into()),
            // Whoever is not there is not well.
            Err(error) => {
                writeln!(out, "no {error}")?;
                Ok(Outcome::Finding)
            }
        }
    }

    fn target(&self) -> Result<Target, CliError> {
        if let Some(url) = &self.url {
            return Ok(Target::parse(url)?);
        }
        let admin = Config::peek_admin(&self.file.path()?)?;
        let address = admin.listen.as_ref().or(admin.probes.as_ref());
        address.map(Target::here).ok_or(CliError::NoAdmin)
    }
}
