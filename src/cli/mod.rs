//! The command line: one file for each subcommand. Results go to the writers that the caller
//! gives, errors back to it.

mod cache_scope;
mod check;
mod column_types;
mod completions;
mod config;
mod convert;
mod database;
mod decode;
mod demo;
mod discover;
mod encode;
mod error;
mod explain;
mod explain_code;
mod health;
mod journal;
mod key_range;
mod keygen;
mod keys;
mod log;
mod man;
mod progress;
mod rehearse;
mod serve;
mod target;
#[cfg(feature = "top")]
mod top;
mod whose;

use std::cell::RefCell;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::{Args, Parser, Subcommand};

use crate::config::{Building, Config, Overrides};
use progress::Progress;

pub use error::CliError;

/// A Postgres-compatible edge proxy: ordered keys inside, opaque UUIDs outside.
#[derive(Debug, Parser)]
#[command(name = "pgveil", version, max_term_width = 100)]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Run the proxy; SIGHUP reloads the configuration, SIGTERM drains.
    Serve(serve::Serve),
    /// Validate the configuration, also against a live database.
    Check(check::Check),
    /// Show the settings: what there is, what each means, and what holds.
    Config(config::ConfigCommand),
    /// Propose a configuration for a live database, from its catalogs.
    Discover(discover::Discover),
    /// Show what becomes of a statement: its parameters, results and edits, or the refusal.
    Explain(explain::Explain),
    /// Say what a code of a refusal means, and what to write instead.
    ExplainCode(explain_code::ExplainCode),
    /// Judge the statements that an application sends, before it does through pgveil.
    Rehearse(rehearse::Rehearse),
    /// Turn keys into ids.
    Encode(encode::Encode),
    /// Turn ids into keys.
    Decode(decode::Decode),
    /// Find out what an id is an id of.
    Whose(whose::Whose),
    /// Print a new key for the configuration.
    Keygen,
    /// Show the ring of keys, without the keys.
    Keys(keys::KeysCommand),
    /// Ask a running proxy whether it is ready: exit status 0, or 1.
    Health(health::Health),
    /// Show what a running proxy does, in the terminal: rates, refusals, domains, sessions.
    #[cfg(feature = "top")]
    Top(top::Top),
    /// Start a throwaway Postgres with a sample shop and the proxy, and show both sides.
    Demo(demo::Demo),
    /// Print what a shell needs to complete the command line.
    Completions(completions::Completions),
    /// Print the manual page, or write those of all commands.
    Man(man::Man),
}

/// Where the configuration is.
#[derive(Debug, Args)]
struct ConfigFile {
    /// The configuration file; by default the one that the variable PGVEIL_CONFIG names, else
    /// pgveil.toml here, else /etc/pgveil/pgveil.toml.
    #[arg(short = 'c', long = "config", value_name = "FILE")]
    config: Option<PathBuf>,
}

impl ConfigFile {
    /// The file that is named, or the one that is found where it is looked for.
    fn path(&self) -> Result<PathBuf, CliError> {
        // A variable may be there and empty.
        let named = std::env::var_os("PGVEIL_CONFIG").filter(|name| !name.is_empty());
        match self.config.clone().or(named.map(PathBuf::from)) {
            Some(file) => Ok(file),
            None => Ok(Config::found()?),
        }
    }

    /// Loads it.
    fn load_silently(&self) -> Result<Config, CliError> {
        let file = self.path()?;
        Ok(Config::load_with_progress(
            &file,
            &of_environment(),
            &|_| {},
        )?)
    }

    /// Loads it, and tells of what takes long.
    fn load(&self, notes: &mut dyn Write) -> Result<Config, CliError> {
        load(&self.path()?, notes)
    }
}

/// What stands in the place of settings of the file.
#[derive(Debug, Args)]
struct Overriding {
    /// Where clients connect, instead of server.listen: host:port or unix:/folder, with commas
    /// between several.
    #[arg(
        long,
        value_name = "ADDRESS",
        env = "PGVEIL_LISTEN",
        value_delimiter = ',',
        hide_env_values = true
    )]
    listen: Vec<String>,
    /// Where Postgres is, instead of upstream.address.
    #[arg(
        long,
        value_name = "ADDRESS",
        env = "PGVEIL_UPSTREAM",
        hide_env_values = true
    )]
    upstream: Option<String>,
    /// What is logged, instead of log.level.
    #[arg(long, value_name = "LEVEL", env = "PGVEIL_LOG", hide_env_values = true)]
    log: Option<String>,
}

impl Overriding {
    fn into_overrides(self) -> Overrides {
        let Self {
            listen,
            upstream,
            log,
        } = self;
        // A variable may be there and empty.
        let given = |text: Option<String>| text.filter(|text| !text.is_empty());
        Overrides {
            listen: listen.into_iter().filter(|text| !text.is_empty()).collect(),
            upstream: given(upstream),
            log: given(log),
        }
    }
}

/// The settings that variables of the environment give, for commands that have no flags for them.
fn of_environment() -> Overrides {
    let given = |name: &str| std::env::var(name).ok();
    let listen = given("PGVEIL_LISTEN").unwrap_or_default();
    let overriding = Overriding {
        listen: listen.split(',').map(str::to_owned).collect(),
        upstream: given("PGVEIL_UPSTREAM"),
        log: given("PGVEIL_LOG"),
    };
    overriding.into_overrides()
}

/// Loads a configuration, and tells of what takes long.
fn load(file: &Path, notes: &mut dyn Write) -> Result<Config, CliError> {
    let progress = RefCell::new(Progress::new(notes));
    let tell = |building: Building<'_>| progress.borrow_mut().building(building);
    Ok(Config::load_with_progress(file, &of_environment(), &tell)?)
}

/// How a command ended that did what it was asked to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// Exit status 0.
    Success,
    /// Exit status 1: it found something to complain about.
    Finding,
}

/// Runs a command: results to `out`, what is beside them to `notes`.
///
/// # Errors
/// If the command can't do what it was asked to (exit status 2).
pub fn run(
    arguments: Arguments,
    out: &mut dyn Write,
    notes: &mut dyn Write,
) -> Result<Outcome, CliError> {
    match arguments.command {
        Command::Serve(serve) => serve.run(),
        Command::Check(check) => check.run(out, notes),
        Command::Config(config) => config.run(out),
        Command::Discover(discover) => discover.run(out, notes),
        Command::Explain(explain) => explain.run(out, notes),
        Command::ExplainCode(explain_code) => explain_code.run(out),
        Command::Rehearse(rehearse) => rehearse.run(out, notes),
        Command::Encode(encode) => encode.run(out, notes),
        Command::Decode(decode) => decode.run(out, notes),
        Command::Whose(whose) => whose.run(out, notes),
        Command::Keygen => keygen::run(out),
        Command::Keys(keys) => keys.run(out, notes),
        Command::Health(health) => health.run(out),
        #[cfg(feature = "top")]
        Command::Top(top) => top.run(out),
        Command::Demo(demo) => demo.run(out),
        Command::Completions(completions) => completions.run(out),
        Command::Man(man) => man.run(out),
    }
}
