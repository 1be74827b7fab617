//! What the admin endpoint shows, as far as the terminal shows it too.

use std::collections::BTreeMap;
use std::time::Instant;

use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::Source;
use crate::admin::ask_with;
use crate::cli::CliError;

/// One look at all the documents.
#[derive(Debug)]
pub(super) struct Numbers {
    pub(super) at: Instant,
    pub(super) is_ready: bool,
    /// One for each check of `/readyz`.
    pub(super) ready: Vec<String>,
    pub(super) status: Status,
    pub(super) statements: Statements,
    pub(super) sessions: Sessions,
    pub(super) keys: Keys,
}

#[derive(Debug, Deserialize)]
pub(super) struct Status {
    pub(super) version: String,
    pub(super) state: String,
    pub(super) uptime_s: u64,
    pub(super) upstream: Upstream,
    pub(super) sessions: BTreeMap<String, u64>,
    pub(super) statements: Verdicts,
    pub(super) refusals: BTreeMap<String, Refusals>,
    pub(super) turned_away: BTreeMap<String, u64>,
    pub(super) memory: Memory,
    pub(super) domains: Vec<Domain>,
    pub(super) catalogs: Vec<Catalog>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Upstream {
    pub(super) hosts: Vec<Host>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Host {
    pub(super) address: String,
    pub(super) up: bool,
    pub(super) role: Option<String>,
    pub(super) used: bool,
}

#[derive(Debug, Deserialize)]
pub(super) struct Verdicts {
    pub(super) forwarded: u64,
    pub(super) edited: u64,
    pub(super) refused: u64,
    pub(super) would_refuse: u64,
}

#[derive(Debug, Deserialize)]
pub(super) struct Refusals {
    pub(super) refused: u64,
    pub(super) would_refuse: u64,
}

#[derive(Debug, Deserialize)]
pub(super) struct Memory {
    pub(super) held_bytes: u64,
    pub(super) limit_bytes: u64,
}

#[derive(Debug, Deserialize)]
pub(super) struct Domain {
    pub(super) name: String,
    pub(super) column: Option<String>,
    pub(super) encoded: u64,
    pub(super) decoded: BTreeMap<String, u64>,
    pub(super) unknown: u64,
}

#[derive(Debug, Deserialize)]
pub(super) struct Catalog {
    pub(super) database: String,
    pub(super) age_s: f64,
    pub(super) undecided_keys: u64,
}

#[derive(Debug, Deserialize)]
pub(super) struct Statements {
    pub(super) statements: Vec<Observed>,
    pub(super) refused: Vec<Refused>,
    pub(super) refused_beyond: u64,
    pub(super) beyond: u64,
}

#[derive(Debug, Deserialize)]
pub(super) struct Observed {
    pub(super) shape: String,
    pub(super) calls: u64,
    pub(super) ready: bool,
    pub(super) code: Option<String>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Refused {
    pub(super) shape: String,
    pub(super) calls: u64,
    pub(super) verdict: String,
    pub(super) code: String,
}

#[derive(Debug, Deserialize)]
pub(super) struct Sessions {
    pub(super) sessions: Vec<Session>,
    pub(super) beyond: u64,
}

#[derive(Debug, Deserialize)]
pub(super) struct Session {
    pub(super) session: u64,
    pub(super) role: String,
    pub(super) database: String,
    pub(super) application: String,
    pub(super) peer: String,
    pub(super) mode: String,
    pub(super) age_s: u64,
    pub(super) state: String,
    pub(super) statements: u64,
}

#[derive(Debug, Deserialize)]
pub(super) struct Keys {
    pub(super) keys: Vec<Key>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Key {
    pub(super) name: String,
    pub(super) state: String,
    pub(super) decoded: u64,
}

impl Numbers {
    /// Asks for all of them.
    pub(super) async fn ask(source: &Source) -> Result<Self, CliError> {
        let status = document(source, "/v1/status").await?;
        let (is_ready, lines) = ask_with(&source.at, "/readyz", None).await?;
        Ok(Self {
            at: Instant::now(),
            is_ready,
            ready: lines.lines().map(str::to_owned).collect(),
            status,
            statements: document(source, "/v1/statements").await?,
            sessions: document(source, "/v1/sessions").await?,
            keys: document(source, "/v1/keys").await?,
        })
    }
}

async fn document<T: DeserializeOwned>(source: &Source, path: &str) -> Result<T, CliError> {
    let (is_well, text) = ask_with(&source.at, path, source.token.as_ref()).await?;
    let refused = |said: String| CliError::Numbers {
        at: source.at.to_string(),
        said,
    };
    if !is_well {
        let said = text.lines().next().unwrap_or_default();
        return Err(refused(said.escape_debug().to_string()));
    }
    serde_json::from_str(&text).map_err(|error| refused(format!("{path}: {error}")))
}

impl Domain {
    /// How many ids of it came in.
    pub(super) fn all_decoded(&self) -> u64 {
        self.decoded.values().sum()
    }
}

impl Verdicts {
    pub(super) const fn all(&self) -> u64 {
        self.forwarded + self.edited + self.refused + self.would_refuse
    }
}
