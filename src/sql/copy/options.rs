//! What the options of COPY mean (`ProcessCopyOptions`). The server judges them too, so that only
//! those need care that change how the data are read.

use super::syntax::{Setting, Value};
use crate::sql::encoding::is_ascii_safe;
use crate::sql::plan::{CopyDirection, CopyFormat, CopyLines};
use crate::sql::refusal::{Code, Refusal};

/// The columns that an option names.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) enum Chosen {
    #[default]
    None,
    All,
    Some(Vec<String>),
}

impl Chosen {
    pub(super) fn has(&self, column: &str) -> bool {
        match self {
            Self::None => false,
            Self::All => true,
            Self::Some(names) => names.iter().any(|name| name == column),
        }
    }
}

/// All options that matter for the data.
#[derive(Debug)]
pub(super) struct Options {
    pub(super) format: CopyFormat,
    pub(super) force_quote: Chosen,
    pub(super) force_not_null: Chosen,
    pub(super) force_null: Chosen,
}

/// A refusal and the token that it is about.
pub(super) type Refused = (Box<Refusal>, Option<usize>);

#[derive(Default)]
struct Draft {
    format: Option<String>,
    delimiter: Option<String>,
    null: Option<String>,
    default: Option<String>,
    quote: Option<String>,
    escape: Option<String>,
    header: bool,
    encoding: Option<String>,
    force_quote: Chosen,
    force_not_null: Chosen,
    force_null: Chosen,
}

/// Reads the options of a COPY with ids in it. `client_encoding` holds unless one of them says
/// otherwise.
pub(super) fn read(
    settings: &[Setting],
    direction: CopyDirection,
    client_encoding: &str,
) -> Result<Options, Refused> {
    let mut draft = Draft::default();
    let mut seen: Vec<&str> = Vec::new();
    for setting in settings {
        let at = |refusal| (refusal, Some(setting.token));
        if seen.contains(&setting.name.as_str()) {
            let refusal = Refusal::new(Code::Unparsed, "42601", "conflicting or redundant options");
            return Err(at(Box::new(refusal)));
        }
        seen.push(&setting.name);
        draft.take(setting, direction).map_err(at)?;
    }
    draft
        .finish(client_encoding)
        .map_err(|refusal| (refusal, None))
}

fn invalid(sqlstate: &'static str, message: impl Into<String>) -> Box<Refusal> {
    Box::new(Refusal::new(Code::Unparsed, sqlstate, message))
}

impl Draft {
    fn take(&mut self, setting: &Setting, direction: CopyDirection) -> Result<(), Box<Refusal>> {
        let Setting { name, value, .. } = setting;
        let text = || match value {
            Value::Text(text) => Ok(Some(text.clone())),
            _ => Err(invalid("42601", format!("{name} requires a parameter"))),
        };
        let columns = || match value {
            Value::All => Ok(Chosen::All),
            Value::List(names) => Ok(Chosen::Some(names.clone())),
            _ => {
                let message =
                    format!("argument to option \"{name}\" must be a list of column names");
                Err(invalid("22023", message))
            }
        };
        match name.as_str() {
            "format" => self.format = text()?,
            "delimiter" => self.delimiter = text()?,
            "null" => self.null = text()?,
            "default" => self.default = text()?,
            "quote" => self.quote = text()?,
            "escape" => self.escape = text()?,
            "encoding" => self.encoding = text()?,
            "header" => self.header = header(value)?,
            "force_quote" => self.force_quote = columns()?,
            "force_not_null" => self.force_not_null = columns()?,
            "force_null" => self.force_null = columns()?,
            "freeze" | "log_verbosity" => {}
            // A record with an id that is none can't be skipped by the server.
            "on_error"
                if direction == CopyDirection::FromClient && text()?.as_deref() != Some("stop") =>
            {
                let message = "pgveil does not support ON_ERROR other than stop in a COPY with ids";
                let refusal = Refusal::unsupported(Code::Unsupported, message);
                return Err(Box::new(refusal.hint("Leave ON_ERROR out.")));
            }
            "on_error" | "reject_limit" => {}
            _ => {
                return Err(invalid(
                    "42601",
                    format!("option \"{name}\" not recognized"),
                ));
            }
        }
        Ok(())
    }

    fn finish(self, client_encoding: &str) -> Result<Options, Box<Refusal>> {
        let csv = match self.format.as_deref() {
            None | Some("text") => false,
            Some("csv") => true,
            Some("binary") => {
                return Ok(Options {
                    format: CopyFormat::Binary,
                    force_quote: Chosen::None,
                    force_not_null: Chosen::None,
                    force_null: Chosen::None,
                });
            }
            Some(format) => {
                let message = format!("COPY format \"{format}\" not recognized");
                return Err(invalid("22023", message));
            }
        };
        let encoding = self.encoding.as_deref().unwrap_or(client_encoding);
        if !is_ascii_safe(encoding) {
            let message = format!("pgveil can't translate COPY data in encoding {encoding}");
            let refusal = Refusal::unsupported(Code::Unsupported, message);
            return Err(Box::new(refusal.hint("SET client_encoding TO 'UTF8'.")));
        }
        let given = [
            &self.delimiter,
            &self.null,
            &self.default,
            &self.quote,
            &self.escape,
        ];
        // A letter beyond ASCII stands for itself only in UTF-8; the analysis sees a `z`.
        let utf8 = matches!(client_encoding, "UTF8" | "UNICODE" | "");
        if !utf8 && given.into_iter().flatten().any(|text| text.contains('z')) {
            let message = format!(
                "pgveil can't read the options of this COPY in client_encoding {client_encoding}"
            );
            let refusal = Refusal::unsupported(Code::Unsupported, message);
            return Err(Box::new(refusal.hint("SET client_encoding TO 'UTF8'.")));
        }
        let default = if csv { "," } else { "\t" };
        let delimiter = character("delimiter", self.delimiter.as_deref().unwrap_or(default))?;
        let quotes = if csv {
            let quote = character("quote", self.quote.as_deref().unwrap_or("\""))?;
            let escape = self.escape.as_deref();
            let escape = escape.map_or(Ok(quote), |escape| character("escape", escape))?;
            Some((quote, escape))
        } else {
            None
        };
        let null = self
            .null
            .unwrap_or_else(|| if csv { "" } else { "\\N" }.to_owned());
        Ok(Options {
            format: CopyFormat::Lines(CopyLines {
                delimiter,
                null,
                default: self.default,
                header: self.header,
                quotes,
            }),
            force_quote: self.force_quote,
            force_not_null: self.force_not_null,
            force_null: self.force_null,
        })
    }
}

fn header(value: &Value) -> Result<bool, Box<Refusal>> {
    let text = match value {
        Value::None => return Ok(true),
        Value::Text(text) => text.to_ascii_lowercase(),
        Value::All | Value::List(_) => String::new(),
    };
    match text.as_str() {
        "1" | "true" | "on" | "match" => Ok(true),
        "0" | "false" | "off" => Ok(false),
        _ => Err(invalid(
            "42601",
            "header requires a Boolean value or \"match\"",
        )),
    }
}

fn character(name: &str, text: &str) -> Result<u8, Box<Refusal>> {
    match text.as_bytes() {
        [b'\n' | b'\r'] => {
            let message = format!("COPY {name} cannot be newline or carriage return");
            Err(invalid("22023", message))
        }
        [byte] if byte.is_ascii() => Ok(*byte),
        _ => {
            let message = format!("COPY {name} must be a single one-byte character");
            Err(invalid("0A000", message))
        }
    }
}
