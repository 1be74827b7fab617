//! Finds fields in the text format and in CSV. Where a line and a field end is judged as
//! `CopyReadLineText` and the readers of attributes judge it, in one go.

use super::{Column, Direction, Fault, Field, Lines, Malformed};

/// How the lines of the data end. The first line decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ending {
    Unknown,
    Newline,
    Return,
    Both,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// Outside of quotes.
    Plain,
    /// Text: behind a backslash, which takes the special meaning of any byte.
    Escaped,
    /// CSV: inside quotes, and whether behind an escape character.
    Quoted { escaped: bool },
    /// Behind a carriage return that ends a line if no newline follows, and also if one does.
    Return,
    /// Behind the end-of-data mark of the text format. The server ignores what follows.
    Ended,
}

/// Which bytes mean something.
type Class = [bool; 256];

#[derive(Debug, Clone)]
pub(super) struct LineScanner {
    direction: Direction,
    csv: bool,
    /// The bytes that mean something outside of quotes. Behind the last column that is looked for
    /// delimiters don't: there the ends of lines do, and this byte.
    plain: Class,
    mark: u8,
    state: State,
    ending: Ending,
    line: u64,
    /// The number of the field.
    field: usize,
    /// The next column that is looked for, by its place in the list.
    next: usize,
    /// In the header line, whose fields are names.
    header: bool,
    /// Where the current field begins in the data, if it is looked for.
    start: usize,
    /// So much of the data has been looked at before.
    scanned: usize,
}

impl LineScanner {
    pub(super) fn new(lines: &Lines, direction: Direction) -> Self {
        let class = |bytes: &[u8]| {
            std::array::from_fn(|byte| bytes.iter().any(|b| usize::from(*b) == byte))
        };
        let mark = lines.quotes.map_or(b'\\', |quotes| quotes.quote);
        let mut specials = vec![b'\n', mark, lines.delimiter];
        let mut ending = Ending::Newline;
        if direction == Direction::In {
            ending = Ending::Unknown;
            specials.push(b'\r');
        }
        Self {
            direction,
            csv: lines.quotes.is_some(),
            plain: class(&specials),
            mark,
            state: State::Plain,
            ending,
            line: 1,
            field: 0,
            next: 0,
            header: lines.header,
            start: 0,
            scanned: 0,
        }
    }

    pub(super) const fn line(&self) -> u64 {
        self.line
    }

    /// The column that the current field belongs to, if it is looked for.
    fn column<'c>(&self, columns: &'c [Column]) -> Option<&'c Column> {
        let column = columns.get(self.next)?;
        (column.index == self.field && !self.header).then_some(column)
    }

    pub(super) fn scan(
        &mut self,
        lines: &Lines,
        columns: &[Column],
        data: &[u8],
        fields: &mut Vec<Field>,
    ) -> Result<usize, Malformed> {
        let mut at = self.scanned;
        while let Some(byte) = data.get(at).copied() {
            at = match self.state {
                State::Plain => {
                    let looking = self.next < columns.len() && !self.header;
                    match self.next_special(data.get(at..).unwrap_or_default(), looking) {
                        Some(count) => self.special(lines, columns, data, at + count, fields)?,
                        None => data.len(),
                    }
                }
                State::Quoted { escaped } => self.quoted(lines, byte, at, escaped),
                State::Escaped if byte == b'.' && self.direction == Direction::In => {
                    self.end_of_data(columns, data, at.saturating_sub(1), fields)?;
                    data.len()
                }
                State::Escaped => {
                    self.state = State::Plain;
                    at + 1
                }
                State::Return => self.behind_return(columns, data, at, fields)?,
                State::Ended => data.len(),
            };
        }
        let held = match self.column(columns) {
            Some(column) if self.state != State::Ended => {
                let held = data.len() - self.start;
                // Whether the last byte belongs to the field only the next one tells.
                let open = matches!(self.state, State::Return | State::Escaped);
                self.check_length(column, held - usize::from(open))?;
                held
            }
            _ => 0,
        };
        self.start = 0;
        self.scanned = held;
        Ok(data.len() - held)
    }

    /// Where the next byte outside of quotes is that means something. Fields that are looked for are
    /// short, and so is the way to it; what is behind them may be long.
    fn next_special(&self, rest: &[u8], looking: bool) -> Option<usize> {
        if looking {
            let special = |byte: &u8| self.plain.get(usize::from(*byte)).copied() == Some(true);
            return rest.iter().position(special);
        }
        match self.direction {
            Direction::In => memchr::memchr3(b'\n', b'\r', self.mark, rest),
            Direction::Out => memchr::memchr2(b'\n', self.mark, rest),
        }
    }

    /// A byte outside of quotes that means something. Returns where to go on.
    fn special(
        &mut self,
        lines: &Lines,
        columns: &[Column],
        data: &[u8],
        at: usize,
        fields: &mut Vec<Field>,
    ) -> Result<usize, Malformed> {
        let byte = data.get(at).copied().unwrap_or_default();
        if byte == b'\n' {
            if matches!(self.ending, Ending::Return | Ending::Both) {
                return Err(self.malformed(Fault::LiteralNewline, Fault::UnquotedNewline));
            }
            self.ending = Ending::Newline;
            self.end_line(columns, data, at, fields)?;
            self.begin_line(at + 1);
        } else if byte == b'\r' && self.direction == Direction::In {
            match self.ending {
                Ending::Unknown | Ending::Both => self.state = State::Return,
                Ending::Newline => {
                    return Err(self.malformed(Fault::LiteralReturn, Fault::UnquotedReturn));
                }
                Ending::Return => {
                    self.end_line(columns, data, at, fields)?;
                    self.begin_line(at + 1);
                }
            }
        } else if byte == lines.delimiter {
            self.end_field(columns, at, fields)?;
            self.field += 1;
            self.start = at + 1;
        } else if self.csv {
            self.state = State::Quoted { escaped: false };
        } else {
            self.state = State::Escaped;
        }
        Ok(at + 1)
    }

    fn malformed(&self, text: Fault, csv: Fault) -> Malformed {
        Malformed {
            fault: if self.csv { csv } else { text },
            line: self.line,
        }
    }

    /// A byte inside quotes. Returns where to go on.
    fn quoted(&mut self, lines: &Lines, byte: u8, at: usize, escaped: bool) -> usize {
        let Some(quotes) = lines.quotes else {
            self.state = State::Plain;
            return at;
        };
        // "If the quote char is also the escape char, there's no problem - we just use the char
        // as a toggle."
        let escape = quotes.escape != quotes.quote && byte == quotes.escape;
        self.state = if escape {
            State::Quoted { escaped: !escaped }
        } else if byte == quotes.quote && !escaped {
            State::Plain
        } else {
            State::Quoted { escaped: false }
        };
        let counted = if self.ending == Ending::Newline {
            b'\n'
        } else {
            b'\r'
        };
        if byte == counted && self.state != State::Plain {
            self.line += 1;
        }
        at + 1
    }

    /// The byte behind a carriage return.
    fn behind_return(
        &mut self,
        columns: &[Column],
        data: &[u8],
        at: usize,
        fields: &mut Vec<Field>,
    ) -> Result<usize, Malformed> {
        let newline = data.get(at) == Some(&b'\n');
        let next = if newline { at + 1 } else { at };
        self.ending = match (newline, self.ending) {
            (true, _) => Ending::Both,
            (false, Ending::Both) => {
                return Err(self.malformed(Fault::LiteralReturn, Fault::UnquotedReturn));
            }
            (false, _) => Ending::Return,
        };
        self.end_line(columns, data, at.saturating_sub(1), fields)?;
        self.begin_line(next);
        Ok(next)
    }

    /// `\.`: what stands before it in its line is a record.
    fn end_of_data(
        &mut self,
        columns: &[Column],
        data: &[u8],
        end: usize,
        fields: &mut Vec<Field>,
    ) -> Result<(), Malformed> {
        if self.has_begun(end) {
            self.end_line(columns, data, end, fields)?;
        }
        self.state = State::Ended;
        Ok(())
    }

    /// Whether the current field, if it is looked for, belongs to a line with anything in it.
    const fn has_begun(&self, end: usize) -> bool {
        self.field > 0 || end > self.start
    }

    fn end_line(
        &mut self,
        columns: &[Column],
        data: &[u8],
        end: usize,
        fields: &mut Vec<Field>,
    ) -> Result<(), Malformed> {
        // The end-of-data mark of CSV before Postgres 18, which is no value there.
        let mark = self.csv && self.field == 0 && data.get(self.start..end) == Some(b"\\.");
        if mark {
            return Ok(());
        }
        self.end_field(columns, end, fields)
    }

    fn begin_line(&mut self, at: usize) {
        self.state = State::Plain;
        self.line += 1;
        self.header = false;
        self.field = 0;
        self.next = 0;
        self.start = at;
    }

    fn end_field(
        &mut self,
        columns: &[Column],
        end: usize,
        fields: &mut Vec<Field>,
    ) -> Result<(), Malformed> {
        let Some(column) = self.column(columns) else {
            return Ok(());
        };
        self.check_length(column, end.saturating_sub(self.start))?;
        fields.push(Field {
            range: self.start..end,
            column: self.next,
            line: self.line,
        });
        self.next += 1;
        Ok(())
    }

    fn check_length(&self, column: &Column, length: usize) -> Result<(), Malformed> {
        if length <= column.limit_bytes {
            return Ok(());
        }
        Err(Malformed {
            fault: Fault::TooLong(column.limit_bytes),
            line: self.line,
        })
    }

    /// A last line need not end as the others do.
    pub(super) fn finish(
        &mut self,
        columns: &[Column],
        data: &[u8],
        fields: &mut Vec<Field>,
    ) -> Result<(), Malformed> {
        let looking = self.column(columns).is_some();
        let end = match self.state {
            State::Ended => return Ok(()),
            State::Quoted { .. } if looking => {
                return Err(self.malformed(Fault::Unterminated, Fault::Unterminated));
            }
            // The server drops the backslash, and takes the carriage return for an end.
            State::Escaped | State::Return => data.len().saturating_sub(1),
            State::Plain | State::Quoted { .. } => data.len(),
        };
        let begun = self.has_begun(end) || self.state != State::Plain;
        self.scanned = 0;
        self.state = State::Ended;
        if looking && begun {
            self.end_line(columns, data, end, fields)?;
        }
        Ok(())
    }
}
