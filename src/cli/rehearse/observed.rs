//! The statements that a running proxy has seen under `policy.mode = "observe"`, already judged.

use serde::Deserialize;

use super::report::Report;
use super::tally::Tally;
use crate::admin::{Target, ask_with};
use crate::cli::CliError;
use crate::config::Config;

/// The page of the admin endpoint.
const PAGE: &str = "/v1/statements";

/// What it shows.
#[derive(Debug, Deserialize)]
struct Document {
    statements: Vec<Row>,
    unseen_domains: Vec<String>,
    dropped: u64,
    unjudged: u64,
    beyond: u64,
}

#[derive(Debug, Deserialize)]
struct Row {
    shape: String,
    calls: u64,
    code: Option<String>,
    remedy: Option<String>,
}

/// Asks the proxy at a URL, or the one that runs with this configuration: where it was asked, and what
/// it has seen.
pub(super) fn ask(url: &str, config: &Config) -> Result<(String, Report), CliError> {
    let target = match url {
        "" => {
            let listen = config.admin.listen.as_ref();
            listen.map(Target::here).ok_or(CliError::NoAdmin)?
        }
        url => Target::parse(url)?,
    };
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    // Nobody else is shown the token than whom the file names, or a program on this machine.
    let is_trusted = url.is_empty() || target.is_here();
    let token = config.admin.token.as_ref().filter(|_| is_trusted);
    let (is_well, text) = runtime.block_on(ask_with(&target.at, PAGE, token))?;
    let document = is_well.then(|| serde_json::from_str(&text).ok()).flatten();
    let document: Document = document.ok_or_else(|| CliError::Observed {
        at: target.at.to_string(),
        said: text.lines().next().unwrap_or_default().to_owned(),
    })?;
    Ok((format!("proxy at {}", target.at), document.report()))
}

impl Document {
    fn report(self) -> Report {
        let mut tally = Tally::default();
        for row in self.statements {
            tally.add_judged(
                row.shape,
                row.calls,
                row.code.map(|code| (code, row.remedy)),
            );
        }
        Report {
            unjudged_calls: self
                .dropped
                .saturating_add(self.unjudged)
                .saturating_add(self.beyond),
            unseen_domains: Some(self.unseen_domains),
            ..tally.report()
        }
    }
}
