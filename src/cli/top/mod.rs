//! `pgveil top`: what the live page shows, in a terminal. It asks the admin endpoint for the same
//! documents, and changes nothing there. `--once` prints one frame as plain text.

mod frame;
mod numbers;
mod screen;

use std::io::{IsTerminal as _, Write};
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use super::{CliError, ConfigFile, Outcome};
use crate::admin::Target;
use crate::config::{AdminAddress, Config, Token};
use frame::Frame;
use numbers::Numbers;

#[derive(Debug, Args)]
pub(super) struct Top {
    /// The file, whose [admin] says where to ask and what the token is.
    #[command(flatten)]
    file: ConfigFile,
    /// Where to ask instead: http://host:port or unix:/path/of/socket.
    #[arg(long, value_name = "URL")]
    url: Option<String>,
    /// The file with the token of the operator; with --url there is none but this.
    #[arg(long, value_name = "FILE")]
    token_file: Option<PathBuf>,
    /// Seconds between two looks, from 1 to 3600.
    #[arg(long, value_name = "SECONDS", default_value_t = 2, value_parser = clap::value_parser!(u64).range(1..=3600))]
    interval: u64,
    /// Print one frame as plain text, after two looks.
    #[arg(long)]
    once: bool,
}

/// Whom to ask, and how often.
#[derive(Debug, Clone)]
struct Source {
    at: AdminAddress,
    token: Option<Token>,
    interval: Duration,
}

impl Top {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<Outcome, CliError> {
        if !self.once && !std::io::stdout().is_terminal() {
            return Err(CliError::NoTerminal);
        }
        let source = self.source()?;
        match self.once {
            true => print(&source, out)?,
            false => screen::show(source)?,
        }
        Ok(Outcome::Success)
    }

    /// Nobody else is shown the token of the configuration than whom it names.
    fn source(&self) -> Result<Source, CliError> {
        let (at, token_file) = match &self.url {
            Some(url) => (Target::parse(url)?.at, None),
            None => {
                let admin = Config::peek_admin(&self.file.path()?)?;
                let listen = admin.listen.as_ref().ok_or(CliError::NoListen)?;
                (Target::here(listen).at, admin.token_file)
            }
        };
        let token_file = self.token_file.clone().or(token_file);
        Ok(Source {
            at,
            token: token_file.map(|file| Token::read(&file)).transpose()?,
            interval: Duration::from_secs(self.interval),
        })
    }
}

fn print(source: &Source, out: &mut dyn Write) -> Result<(), CliError> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let before = runtime.block_on(Numbers::ask(source))?;
    std::thread::sleep(source.interval);
    let now = runtime.block_on(Numbers::ask(source))?;
    let frame = Frame::of(&source.at.to_string(), &now, Some(&before));
    Ok(out.write_all(frame.plain().as_bytes())?)
}
