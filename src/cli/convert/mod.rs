//! What `encode` and `decode` have in common: where texts come from (arguments, lines, a CSV
//! column), what a text is as a value, and what becomes of those that can't be converted.

mod records;
mod stream;
mod values;

use std::io::{self, IsTerminal as _, Write};

use clap::{Args, ValueEnum};

use self::records::{Csv, Lines, Records};
use self::stream::{Stream, Tally};
use self::values::{Converter, KEYS};
pub(super) use self::values::{Reason, Value};
use super::progress::is_terminal;
use super::{CliError, ConfigFile, Outcome};
use crate::config::{Config, IdDomain, IntegerType, ValueType};

/// Which way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    /// Keys to ids.
    Encode,
    /// Ids to keys.
    Decode,
}

#[derive(Debug, Args)]
pub(super) struct Options {
    #[command(flatten)]
    file: ConfigFile,
    /// The id domain.
    domain: String,
    /// The type of the column that holds the keys, if the domain has codecs for several. Left
    /// out: for keys, what they look like; for ids, an integer type if it can be one.
    #[arg(long = "type", value_name = "TYPE")]
    column_type: Option<ColumnType>,
    /// Convert this column of CSV on standard input: its name in the header, or with
    /// --no-header its number from 1.
    #[arg(long, value_name = "COLUMN")]
    csv: Option<String>,
    /// The CSV has no header.
    #[arg(long, requires = "csv")]
    no_header: bool,
    /// What separates the fields of the CSV; `\t` is a tab.
    #[arg(long, value_name = "CHARACTER", default_value = ",", requires = "csv")]
    delimiter: String,
    /// Tell how far a stream is, also where standard error is no terminal.
    #[arg(long)]
    progress: bool,
}

/// The types of columns that keys can have.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum ColumnType {
    #[value(alias = "int2")]
    Smallint,
    #[value(aliases = ["int", "int4"])]
    Integer,
    #[value(alias = "int8")]
    Bigint,
    Uuid,
    #[value(aliases = ["varchar", "char"])]
    Text,
    Bytea,
}

impl ColumnType {
    const fn value_type(self) -> ValueType {
        match self {
            Self::Smallint => ValueType::Integer(IntegerType::Int2),
            Self::Integer => ValueType::Integer(IntegerType::Int4),
            Self::Bigint => ValueType::Integer(IntegerType::Int8),
            Self::Uuid => ValueType::Uuid,
            Self::Text => ValueType::Text,
            Self::Bytea => ValueType::Bytes,
        }
    }

    fn name(self) -> String {
        let value = self.to_possible_value();
        value.map_or_else(String::new, |value| value.get_name().to_owned())
    }
}

impl Options {
    /// Converts the texts, or standard input if there are none.
    pub(super) fn run(
        &self,
        way: Way,
        texts: &[String],
        out: &mut dyn Write,
        notes: &mut dyn Write,
    ) -> Result<Outcome, CliError> {
        let config = self.file.load(notes)?;
        let domain = domain(&config, &self.domain)?;
        let column = self.column_type.map(ColumnType::value_type);
        let converter = Converter::new(domain, way, column);
        if let Some(column_type) = self.column_type.filter(|_| !converter.has_ids()) {
            return Err(CliError::ColumnType {
                domain: self.domain.clone(),
                column_type: column_type.name(),
            });
        }
        if self.csv.is_some() && !texts.is_empty() {
            return Err(CliError::CsvAndArguments);
        }
        let is_stream = matches!(texts, []) || texts == ["-"];
        if !is_stream {
            return arguments(&converter, texts, out, notes);
        }
        let input = io::stdin();
        let tally = Tally::new(self.progress, !input.is_terminal() && is_terminal());
        let mut stream = Stream {
            converter: &converter,
            records: self.records()?,
            tally,
            out,
            notes,
        };
        stream.run(&mut input.lock())
    }

    fn records(&self) -> Result<Records, CliError> {
        let Some(column) = &self.csv else {
            return Ok(Records::Lines(Lines));
        };
        let delimiter = match self.delimiter.as_bytes() {
            b"\\t" => b'\t',
            [delimiter] if !b"\"\r\n".contains(delimiter) => *delimiter,
            _ => return Err(CliError::Delimiter(self.delimiter.clone())),
        };
        let csv = if self.no_header {
            let number = column.parse().ok().filter(|number: &usize| *number > 0);
            Csv::numbered(
                delimiter,
                number.ok_or_else(|| CliError::ColumnNumber(column.clone()))?,
            )
        } else {
            Csv::named(delimiter, column)
        };
        Ok(Records::Csv(csv))
    }
}

/// Finds the domains that an id may be of, with the type of the column and the key that it stands for.
pub(super) fn owners<'c>(config: &'c Config, id: &str) -> Vec<(&'c IdDomain, ValueType, Value)> {
    let mut owners = Vec::new();
    for domain in &config.domains {
        for column in KEYS {
            let converter = Converter::new(domain, Way::Decode, Some(column));
            if converter.has_ids() {
                let keys = converter.convert(&[id.as_bytes()]).into_iter().flatten();
                owners.extend(keys.map(|key| (domain, column, key)));
            }
        }
    }
    owners
}

/// Whether a key, as text, has an id in a column of this type.
pub(super) fn has_id(domain: &IdDomain, column: ValueType, key: &str) -> Result<(), Reason> {
    let key = values::key(key.as_bytes(), column)?;
    Ok(domain.codec.encode(&key).map(drop)?)
}

/// Converts the arguments, one a line.
fn arguments(
    converter: &Converter<'_>,
    texts: &[String],
    out: &mut dyn Write,
    notes: &mut dyn Write,
) -> Result<Outcome, CliError> {
    let bytes: Vec<&[u8]> = texts.iter().map(String::as_bytes).collect();
    let mut outcome = Outcome::Success;
    let mut line = Vec::new();
    for (text, converted) in texts.iter().zip(converter.convert(&bytes)) {
        line.clear();
        match converted {
            Ok(value) => value.write(&mut line),
            Err(reason) => {
                notes.write_all(format!("{text}: {reason}\n").as_bytes())?;
                outcome = Outcome::Finding;
            }
        }
        line.push(b'\n');
        out.write_all(&line)?;
    }
    Ok(outcome)
}

/// The id domain of this name.
fn domain<'c>(config: &'c Config, name: &str) -> Result<&'c IdDomain, CliError> {
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
