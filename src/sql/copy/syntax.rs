//! The grammar of COPY, old and new, from tokens. What the options mean is not judged here.

use std::ops::Range;

use crate::sql::lex::{Cursor, Token, TokenKind};
use crate::sql::plan::CopyDirection;

/// A COPY statement.
#[derive(Debug)]
pub(super) struct Copy {
    pub(super) target: Target,
    pub(super) direction: CopyDirection,
    /// Whether the data come from the client or go to it: no file and no program of the server.
    pub(super) is_stream: bool,
    pub(super) options: Vec<Setting>,
    /// The tokens behind WHERE.
    pub(super) condition: Option<Range<usize>>,
}

/// What is copied.
#[derive(Debug)]
pub(super) enum Target {
    Table {
        schema: Option<String>,
        table: String,
        /// The tokens of the name.
        name: Range<usize>,
        /// The columns that are listed.
        columns: Option<Vec<String>>,
    },
    /// The tokens of a query in parentheses.
    Query(Range<usize>),
}

/// An option, under its name in the new syntax.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Setting {
    pub(super) name: String,
    pub(super) value: Value,
    /// Its first token.
    pub(super) token: usize,
}

/// The value of an option.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Value {
    None,
    /// A word, a string or a number.
    Text(String),
    /// `*`
    All,
    /// Names in parentheses.
    List(Vec<String>),
}

/// The token at which a statement stops being a COPY.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Unexpected(pub(super) usize);

type Parsed<T> = Result<T, Unexpected>;

/// Parses a whole statement.
pub(super) fn parse(text: &str, tokens: &[Token<'_>]) -> Parsed<Copy> {
    let cursor = Cursor::new(text, tokens, 1);
    let end = tokens.len();
    Parser { cursor, end }.statement()
}

struct Parser<'a> {
    cursor: Cursor<'a>,
    /// How many tokens there are.
    end: usize,
}

impl Parser<'_> {
    const fn unexpected<T>(&self) -> Parsed<T> {
        Err(Unexpected(self.cursor.at))
    }

    fn takes(&mut self, keyword: &str) -> bool {
        self.cursor.takes(keyword)
    }

    fn takes_sign(&mut self, sign: &str) -> bool {
        self.cursor.takes_sign(sign)
    }

    fn expect(&mut self, keyword: &str) -> Parsed<()> {
        match self.takes(keyword) {
            true => Ok(()),
            false => self.unexpected(),
        }
    }

    fn expect_sign(&mut self, sign: &str) -> Parsed<()> {
        match self.takes_sign(sign) {
            true => Ok(()),
            false => self.unexpected(),
        }
    }

    fn name(&mut self) -> Parsed<String> {
        let name = self.cursor.take_word().map(str::to_owned);
        name.map_or_else(|| self.unexpected(), Ok)
    }

    fn string(&mut self) -> Parsed<String> {
        let value = self.cursor.take_string().map(str::to_owned);
        value.map_or_else(|| self.unexpected(), Ok)
    }

    fn statement(&mut self) -> Parsed<Copy> {
        let mut options = Vec::new();
        let target = if self.cursor.written() == "(" {
            Target::Query(self.query()?)
        } else {
            let token = self.cursor.at;
            if self.takes("binary") {
                options.push(format("binary", token));
            }
            self.table()?
        };
        let direction = if self.takes("to") {
            CopyDirection::ToClient
        } else if matches!(target, Target::Table { .. }) && self.takes("from") {
            CopyDirection::FromClient
        } else {
            return self.unexpected();
        };
        let is_stream = if self.takes("program") {
            self.string()?;
            false
        } else if self.takes("stdin") || self.takes("stdout") {
            true
        } else {
            self.string()?;
            false
        };
        if matches!(target, Target::Table { .. }) {
            let token = self.cursor.at;
            let using = self.takes("using");
            if self.takes("delimiters") {
                let value = Value::Text(self.string()?);
                options.push(setting("delimiter", value, token));
            } else if using {
                return self.unexpected();
            }
        }
        self.takes("with");
        if self.takes_sign("(") {
            self.generic_options(&mut options)?;
        } else {
            while self.old_option(&mut options)? {}
        }
        let mut condition = None;
        if direction == CopyDirection::FromClient && self.takes("where") {
            condition = Some(self.cursor.at..self.end);
            self.cursor.at = self.end;
        }
        if self.cursor.at < self.end {
            return self.unexpected();
        }
        Ok(Copy {
            target,
            direction,
            is_stream,
            options,
            condition,
        })
    }

    /// What stands in parentheses.
    fn query(&mut self) -> Parsed<Range<usize>> {
        let start = self.cursor.at + 1;
        let end = self.cursor.closing();
        self.cursor.at = end.map_or(self.end, |end| end + 1);
        end.map_or_else(|| self.unexpected(), |end| Ok(start..end))
    }

    fn table(&mut self) -> Parsed<Target> {
        let start = self.cursor.at;
        let mut parts = vec![self.name()?];
        while self.takes_sign(".") {
            parts.push(self.name()?);
        }
        let name = start..self.cursor.at;
        let (Some(table), schema, 0..=1) = (parts.pop(), parts.pop(), parts.len()) else {
            return self.unexpected();
        };
        let columns = if self.takes_sign("(") {
            let columns = self.list()?;
            self.expect_sign(")")?;
            Some(columns)
        } else {
            None
        };
        Ok(Target::Table {
            schema,
            table,
            name,
            columns,
        })
    }

    fn list(&mut self) -> Parsed<Vec<String>> {
        let mut names = vec![self.name()?];
        while self.takes_sign(",") {
            names.push(self.name()?);
        }
        Ok(names)
    }

    /// Behind the opening parenthesis of the options of Postgres 9.0 and later.
    fn generic_options(&mut self, options: &mut Vec<Setting>) -> Parsed<()> {
        loop {
            let token = self.cursor.at;
            let name = self.name()?;
            let value = self.generic_value()?;
            options.push(setting(&name, value, token));
            if !self.takes_sign(",") {
                return self.expect_sign(")");
            }
        }
    }

    fn generic_value(&mut self) -> Parsed<Value> {
        if self.takes_sign("*") {
            return Ok(Value::All);
        }
        if self.takes_sign("(") {
            // Of the elements, which the grammar takes for names or strings, only names are right.
            let names = self.list()?;
            self.expect_sign(")")?;
            return Ok(Value::List(names));
        }
        let negative = self.takes_sign("-");
        let signed = negative || self.takes_sign("+");
        let Some(token) = self.cursor.token() else {
            return self.unexpected();
        };
        Ok(match &token.kind {
            TokenKind::Number => {
                let digits = self.cursor.written();
                self.cursor.at += 1;
                let sign = if negative { "-" } else { "" };
                Value::Text(format!("{sign}{digits}"))
            }
            _ if signed => return self.unexpected(),
            TokenKind::Word { .. } => Value::Text(self.name()?),
            TokenKind::String(_) => Value::Text(self.string()?),
            _ => Value::None,
        })
    }

    /// An option of Postgres before 9.0. Returns whether there was one.
    fn old_option(&mut self, options: &mut Vec<Setting>) -> Parsed<bool> {
        let token = self.cursor.at;
        for (word, value) in [("binary", "binary"), ("csv", "csv")] {
            if self.takes(word) {
                options.push(format(value, token));
                return Ok(true);
            }
        }
        for word in ["freeze", "header"] {
            if self.takes(word) {
                options.push(setting(word, Value::None, token));
                return Ok(true);
            }
        }
        for word in ["delimiter", "null", "quote", "escape", "encoding"] {
            if self.takes(word) {
                if word != "encoding" {
                    self.takes("as");
                }
                let value = Value::Text(self.string()?);
                options.push(setting(word, value, token));
                return Ok(true);
            }
        }
        if !self.takes("force") {
            return Ok(false);
        }
        let name = if self.takes("quote") {
            "force_quote"
        } else if self.takes("null") {
            "force_null"
        } else {
            self.expect("not")?;
            self.expect("null")?;
            "force_not_null"
        };
        let value = if self.takes_sign("*") {
            Value::All
        } else {
            Value::List(self.list()?)
        };
        options.push(setting(name, value, token));
        Ok(true)
    }
}

fn setting(name: &str, value: Value, token: usize) -> Setting {
    Setting {
        name: name.to_owned(),
        value,
        token,
    }
}

fn format(name: &str, token: usize) -> Setting {
    setting("format", Value::Text(name.to_owned()), token)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sql::lex::lex;

    fn read(text: &str) -> Parsed<Copy> {
        let tokens = lex(text, true).unwrap();
        parse(text, &tokens)
    }

    #[test]
    fn reads_both_syntaxes_alike() {
        for (old, new) in [
            (
                "copy binary t to stdout",
                "copy t to stdout (format binary)",
            ),
            (
                "copy t from stdin using delimiters '|' with null as 'x' csv header",
                "copy t from stdin with (delimiter '|', null 'x', format 'csv', header)",
            ),
            (
                "copy t to stdout csv quote '''' escape as '\\' force quote a, b force not null c",
                "copy t to stdout (format csv, quote '''', escape '\\', force_quote (a, b),
                 force_not_null (c))",
            ),
            (
                "copy t to stdin csv force quote * encoding 'latin1'",
                "copy t to stdout (format csv, force_quote *, encoding latin1)",
            ),
        ] {
            let values = |text| -> Vec<_> {
                let options = read(text).unwrap().options.into_iter();
                options.map(|option| (option.name, option.value)).collect()
            };
            assert_eq!(values(old), values(new));
        }
    }

    #[test]
    fn tells_streams_from_files_and_programs() {
        for (text, expected) in [
            ("copy t from stdin", true),
            ("copy t from stdout", true),
            ("copy t from '/a'", false),
            ("copy t to program 'a' csv", false),
            ("copy (select ')', (1)) to stdout", true),
        ] {
            assert_eq!(read(text).unwrap().is_stream, expected, "{text}");
        }
    }

    #[test]
    fn says_where_the_grammar_is_left() {
        for (text, at) in [
            ("copy t", 2),
            ("copy t (a b) to stdout", 4),
            ("copy (select 1) from stdin", 5),
            ("copy t to stdout where true", 4),
            ("copy t to stdout (format csv) header", 8),
            ("copy a.b.c.d to stdout", 8),
            ("copy t to stdout csv x", 5),
        ] {
            assert_eq!(read(text).unwrap_err(), Unexpected(at), "{text}");
        }
        let copy = read("copy t from stdin csv where a = 1").unwrap();
        assert_eq!(copy.condition, Some(6..9));
    }
}
