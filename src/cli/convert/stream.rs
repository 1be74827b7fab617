//! A stream of records through a converter: as much as one read gives is one batch, so that a
//! pipe that is full goes in large ones and a terminal line by line.

use std::fmt::Display;
use std::io::{Read, Write};
use std::time::{Duration, Instant};

use indicatif::ProgressBar;

use super::records::{Cell, Record, Records};
use super::values::{Converter, Reason};
use crate::cli::progress::bar;
use crate::cli::{CliError, Outcome};

/// How much is asked for in one read.
const CHUNK: usize = 1 << 18;
/// A record longer than this is none.
const LONGEST: usize = 1 << 26;
/// How often a stream tells how far it is, where that is not a line that is written over.
const PERIOD: Duration = Duration::from_secs(1);

/// A stream that is being converted.
pub(super) struct Stream<'a> {
    pub(super) converter: &'a Converter<'a>,
    pub(super) records: Records,
    pub(super) tally: Tally,
    pub(super) out: &'a mut dyn Write,
    pub(super) notes: &'a mut dyn Write,
}

/// What a stream has come to.
pub(super) struct Tally {
    /// Whether it tells in lines.
    lines: bool,
    /// If it tells on a terminal.
    shown: Option<ProgressBar>,
    started: Instant,
    told: Instant,
    records: u64,
    faults: u64,
    /// The line of the input, from 1, on which the next record begins.
    line: u64,
}

impl Tally {
    pub(super) fn new(asked: bool, terminal: bool) -> Self {
        let now = Instant::now();
        Self {
            lines: asked && !terminal,
            shown: terminal.then(|| bar(None, "{human_pos} converted, {per_sec}{msg}")),
            started: now,
            told: now,
            records: 0,
            faults: 0,
            line: 1,
        }
    }

    fn rate(&self) -> String {
        let seconds = self.started.elapsed().as_secs_f64().max(1e-9);
        #[expect(clippy::cast_precision_loss, reason = "a rate, for people")]
        let rate = self.records as f64 / seconds;
        let (records, faults) = (self.records, self.not_converted());
        format!("{records} converted, {rate:.0} a second{faults}")
    }

    fn not_converted(&self) -> String {
        match self.faults {
            0 => String::new(),
            faults => format!(", {faults} not converted"),
        }
    }

    fn tell(&mut self, notes: &mut dyn Write, ended: bool) {
        if self.lines && (ended || self.told.elapsed() > PERIOD) {
            self.told = Instant::now();
            // That a note can't be written changes nothing.
            let _ = writeln!(notes, "{}", self.rate());
        }
        match &self.shown {
            Some(bar) if ended => bar.finish_and_clear(),
            Some(bar) => {
                bar.set_message(self.not_converted());
                bar.set_position(self.records);
            }
            None => {}
        }
    }
}

impl Stream<'_> {
    /// Converts everything.
    pub(super) fn run(&mut self, input: &mut dyn Read) -> Result<Outcome, CliError> {
        let mut chunk: Vec<u8> = Vec::with_capacity(2 * CHUNK);
        let mut results = Vec::new();
        let mut last = false;
        while !last {
            let kept = chunk.len();
            if kept > LONGEST {
                return Err(CliError::Record(self.tally.line));
            }
            chunk.resize(kept + CHUNK, 0);
            let read = read(input, &mut chunk[kept..])?;
            chunk.truncate(kept + read);
            last = read == 0;
            let done = self.batch(&chunk, last, &mut results)?;
            self.out.write_all(&results)?;
            self.out.flush()?;
            results.clear();
            chunk.drain(..done);
            self.tell(last);
        }
        Ok(match self.tally.faults {
            0 => Outcome::Success,
            _ => Outcome::Finding,
        })
    }

    /// Converts the records that are complete, and says where they end.
    fn batch(
        &mut self,
        chunk: &[u8],
        last: bool,
        results: &mut Vec<u8>,
    ) -> Result<usize, CliError> {
        let mut records: Vec<Record> = Vec::new();
        let mut done = 0;
        while done < chunk.len() {
            let next = self.records.next(chunk, done, last);
            let Some(record) = next.map_err(|error| CliError::Csv(error.to_string()))? else {
                break;
            };
            done = record.end;
            records.push(record);
        }
        let empty = |cell: &[u8]| matches!(cell, b"" | b"\"\"");
        let mut texts = Vec::with_capacity(records.len());
        for record in &records {
            if let Cell::At(range) = &record.cell
                && !empty(&chunk[range.clone()])
            {
                texts.extend(self.records.text(&chunk[range.clone()]));
            }
        }
        let borrowed: Vec<&[u8]> = texts.iter().map(AsRef::as_ref).collect();
        let mut converted = self.converter.convert(&borrowed).into_iter();
        let mut start = 0;
        for Record { end, cell } in &records {
            let whole = &chunk[start..*end];
            match cell {
                Cell::None => results.extend(whole),
                Cell::Missing => {
                    self.fault(&"the record has no such column");
                    results.extend(whole);
                }
                Cell::At(range) if empty(&chunk[range.clone()]) => results.extend(whole),
                Cell::At(range) => {
                    results.extend(&chunk[start..range.start]);
                    let cell = &chunk[range.clone()];
                    let readable = self.records.text(cell).is_some();
                    match readable.then(|| converted.next()).flatten() {
                        Some(Ok(value)) => {
                            let from = results.len();
                            value.write(results);
                            if self.records.needs_quotes(cell, &results[from..]) {
                                results.insert(from, b'"');
                                results.push(b'"');
                            }
                        }
                        Some(Err(reason)) => self.bad(cell, reason),
                        None => self.bad(cell, Reason::Quotes),
                    }
                    results.extend(&chunk[range.end..*end]);
                    self.tally.records += 1;
                }
            }
            self.tally.line += memchr::memchr_iter(b'\n', whole).count() as u64;
            start = *end;
        }
        if last && results.last().is_some_and(|byte| *byte != b'\n') {
            results.push(b'\n');
        }
        Ok(done)
    }

    fn bad(&mut self, cell: &[u8], reason: Reason) {
        let text = String::from_utf8_lossy(cell);
        self.fault(&format_args!("{text}: {reason}"));
    }

    /// Notes what could not be converted; the stream goes on.
    fn fault(&mut self, what: &dyn Display) {
        self.tally.faults += 1;
        // In one piece: standard error has no buffer.
        let note = format!("line {}: {what}\n", self.tally.line);
        let mut write = || self.notes.write_all(note.as_bytes());
        let _ = match &self.tally.shown {
            Some(bar) => bar.suspend(write),
            None => write(),
        };
    }

    fn tell(&mut self, ended: bool) {
        self.tally.tell(self.notes, ended);
    }
}

fn read(input: &mut dyn Read, room: &mut [u8]) -> std::io::Result<usize> {
    loop {
        match input.read(room) {
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            result => return result,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::Way;
    use super::super::records::{Csv, Lines};
    use super::*;
    use crate::config::{Config, Environment};

    const FILE: &str = "[upstream]\naddress = \"127.0.0.1:1\"\n[keys]\ncurrent = \"a\"\n\
        [keys.ring.a]\nenv = \"A\"\n[[id]]\nname = \"user\"\ncolumn = \"public.users.id\"\n";

    /// Gives a few bytes at a time.
    struct Trickle<'a>(&'a [u8], usize);

    impl Read for Trickle<'_> {
        fn read(&mut self, room: &mut [u8]) -> std::io::Result<usize> {
            let few = room.len().min(self.1);
            self.0.read(&mut room[..few])
        }
    }

    /// What is written, and what is noted.
    fn run(records: Records, text: &str, few: usize) -> (String, String) {
        let around = Environment {
            folder: Path::new("."),
            env: &|_| Some("01".repeat(32)),
        };
        let config = Config::parse(FILE, &around).unwrap();
        let converter = Converter::new(&config.domains[0], Way::Encode, None);
        let (mut out, mut notes) = (Vec::new(), Vec::new());
        let mut stream = Stream {
            converter: &converter,
            records,
            tally: Tally::new(false, false),
            out: &mut out,
            notes: &mut notes,
        };
        stream.run(&mut Trickle(text.as_bytes(), few)).unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (text(out), text(notes))
    }

    #[test]
    fn however_the_input_is_cut_the_output_is_the_same() {
        let lines = "1\n\n-7\r\nx\n18446744073709551616\n42";
        let csv = "id,\"a\nb\"\n1,\"\"\n\"2\",\"x\n\"\"y\"\nz,\n,3\n4";
        let whole = run(Records::Lines(Lines), lines, 1000);
        let whole_csv = run(Records::Csv(Csv::named(b',', "id")), csv, 1000);
        for few in 1..20 {
            assert_eq!(run(Records::Lines(Lines), lines, few), whole);
            let cut = run(Records::Csv(Csv::named(b',', "id")), csv, few);
            assert_eq!(cut, whole_csv);
        }
        assert_eq!(whole.0.lines().count(), 6);
        assert_eq!(
            whole.1,
            "line 4: x: a key is a decimal number\n\
             line 5: 18446744073709551616: the key is out of range for type bigint\n"
        );
        assert_eq!(whole_csv.1, "line 6: z: a key is a decimal number\n");
        assert!(whole_csv.0.starts_with("id,\"a\nb\"\n"), "{}", whole_csv.0);
        assert!(whole_csv.0.contains("\n,\n,3\n"), "{}", whole_csv.0);
    }
}
