//! `pgveil keys`: what is known of the keys of a file, and what a rotation means for its ids. No key is
//! shown.

use std::io::Write;

use clap::{Args, Subcommand};
use serde_json::json;

use super::{CliError, ConfigFile, Outcome};
use crate::config::{CodecRotation, Config, IdDomain, KeySource, RingKey};

#[derive(Debug, Args)]
pub(super) struct KeysCommand {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Fetch the keys, and say which there are, where each comes from, and which ids decode.
    Status(Status),
}

#[derive(Debug, Args)]
struct Status {
    #[command(flatten)]
    file: ConfigFile,
    /// Print one object of JSON.
    #[arg(long)]
    json: bool,
}

impl KeysCommand {
    pub(super) fn run(
        self,
        out: &mut dyn Write,
        notes: &mut dyn Write,
    ) -> Result<Outcome, CliError> {
        let Action::Status(status) = self.action;
        let config = status.file.load(notes)?;
        if status.json {
            writeln!(out, "{:#}", as_json(&config))?;
        } else {
            print(&config, out)?;
        }
        Ok(Outcome::Success)
    }
}

fn print(config: &Config, out: &mut dyn Write) -> Result<(), CliError> {
    if config.keys.is_empty() {
        writeln!(out, "no [keys], and no id domain")?;
        return Ok(());
    }
    let keys = config.keys.iter().enumerate().map(|(place, key)| {
        let epoch = key
            .epoch
            .map_or_else(String::new, |epoch| epoch.to_string());
        [key.name.clone(), role(place).to_owned(), source(key), epoch]
    });
    table(["key", "use", "source", "epoch"], keys.collect(), out)?;
    writeln!(out)?;
    let domains = config.domains.iter().map(|domain| {
        let name = domain.annotation.name.clone();
        [name, names(&domain.codecs), of_older_keys(domain)]
    });
    table(
        ["domain", "codec", "ids of older keys"],
        domains.collect(),
        out,
    )
}

/// The first key of a ring is the one that encodes.
const fn role(place: usize) -> &'static str {
    if place == 0 { "current" } else { "older" }
}

fn source(key: &RingKey) -> String {
    let (kind, name) = kind_and_name(&key.source);
    format!("{kind} {name}")
}

fn kind_and_name(source: &KeySource) -> (&'static str, &str) {
    match source {
        KeySource::Env(name) => ("env", name),
        KeySource::File(path) => ("file", path),
        KeySource::Command(program) => ("command", program),
    }
}

fn names(codecs: &[CodecRotation]) -> String {
    let mut names: Vec<&str> = codecs.iter().map(|codec| codec.name).collect();
    match names.pop() {
        Some(last) if !names.is_empty() => format!("{} or {last}", names.join(", ")),
        last => last.unwrap_or_default().to_owned(),
    }
}

/// What becomes of them; where only the type of the column tells the codec, for each.
fn of_older_keys(domain: &IdDomain) -> String {
    let all = &domain.codecs;
    let good: Vec<CodecRotation> = all.iter().copied().filter(|c| c.decodes_older).collect();
    match good.len() {
        0 => "mean other rows, or none".to_owned(),
        count if count == all.len() => "decode".to_owned(),
        _ => format!("decode with {}", names(&good)),
    }
}

/// Writes rows whose columns begin below each other.
fn table<const N: usize>(
    head: [&str; N],
    rows: Vec<[String; N]>,
    out: &mut dyn Write,
) -> Result<(), CliError> {
    let mut lines = vec![head.map(str::to_owned)];
    lines.extend(rows);
    let mut widths = [0; N];
    for line in &lines {
        for (width, cell) in widths.iter_mut().zip(line) {
            *width = cell.chars().count().max(*width);
        }
    }
    for line in &lines {
        let cells = line.iter().zip(widths);
        let cells: Vec<String> = cells
            .map(|(cell, width)| format!("{cell:width$}"))
            .collect();
        writeln!(out, "{}", cells.join("  ").trim_end())?;
    }
    Ok(())
}

fn as_json(config: &Config) -> serde_json::Value {
    let keys = config.keys.iter().enumerate().map(|(place, key)| {
        let (kind, name) = kind_and_name(&key.source);
        json!({
            "name": key.name,
            "use": role(place),
            "source": { "kind": kind, "name": name },
            "epoch": key.epoch,
        })
    });
    let domains = config.domains.iter().map(|domain| {
        let codecs = domain
            .codecs
            .iter()
            .map(|codec| json!({ "name": codec.name, "decodes_older_keys": codec.decodes_older }));
        json!({
            "name": domain.annotation.name,
            "codecs": codecs.collect::<Vec<_>>(),
        })
    });
    json!({
        "keys": keys.collect::<Vec<_>>(),
        "domains": domains.collect::<Vec<_>>(),
    })
}
