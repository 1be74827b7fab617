//! A server that is as honest as Postgres and knows only the statements of [`TEXTS`]: it keeps
//! statements, portals and the state of the transaction, answers in order, and has a canary in
//! every key. What it sends is what the session must not show.

mod answer;
mod texts;

use std::collections::{BTreeMap, VecDeque};

use bytes::{BufMut, BytesMut};
use pgveil::wire::frontend::{Bind, Execute, Formats, Parse, Query, Target};
use pgveil::wire::message;

use super::world::CANARY;
use answer::{copy_out, copy_response, described, row, tag, value};
use texts::{CATALOG, Value, column};
pub use texts::{Column, Does, MARK, TEXTS};

/// What a portal or a statement will do.
#[derive(Debug, Clone)]
struct Planned {
    does: Does,
    parameters: usize,
    /// The text, as it arrived.
    text: Vec<u8>,
}

#[derive(Debug)]
struct Portal {
    planned: Planned,
    formats: Vec<u8>,
    /// Rows that have been returned.
    returned: usize,
}

/// How many rows a result has.
const ROWS: usize = 3;

/// The server.
#[derive(Debug, Default)]
pub struct Model {
    received: VecDeque<u8>,
    statements: BTreeMap<Vec<u8>, Planned>,
    portals: BTreeMap<Vec<u8>, Portal>,
    in_transaction: bool,
    failed: bool,
    /// Everything up to the next Sync is ignored.
    skipping: bool,
    /// Taking data, begun by a simple query or not.
    copying: Option<bool>,
    /// The next statement fails in this way.
    pub fault: Option<usize>,
    /// What the session asks of its own.
    own: Vec<u8>,
    /// It has closed the connection.
    over: bool,
}

/// Why a message gets an error: its SQLSTATE, or a fault that was ordered.
type Fault = &'static str;

impl Model {
    /// Takes what the session has written.
    pub fn receive(&mut self, bytes: &[u8]) {
        self.received.extend(bytes);
    }

    /// Whether a message is there that has not been answered.
    pub fn is_busy(&self) -> bool {
        self.received.len() >= 5
    }

    /// Answers the next message.
    pub fn answer(&mut self, out: &mut BytesMut) {
        if self.over {
            return self.received.clear();
        }
        let header: Vec<u8> = self.received.iter().take(5).copied().collect();
        let [kind, a, b, c, d] = header[..] else {
            return;
        };
        let length = u32::from_be_bytes([a, b, c, d]) as usize + 1;
        if self.received.len() < length {
            return;
        }
        let frame: Vec<u8> = self.received.drain(..length).collect();
        let body = &frame[5..];
        if self.skipping && kind != b'S' && kind != b'X' {
            return;
        }
        if let Some(simple) = self.copying
            && !matches!(kind, b'd' | b'H' | b'S')
        {
            self.copying = None;
            match kind {
                b'c' => tag("COPY 3", out),
                b'f' => self.fail("57014", out),
                _ => return self.lose_step(out),
            }
            if simple {
                self.ready(out);
            } else if kind != b'c' {
                self.skipping = true;
            }
            return;
        }
        match kind {
            b'Q' => {
                if let Ok(query) = Query::decode(body) {
                    self.query(query.text, out);
                }
            }
            b'S' if self.copying.is_some() => {}
            b'S' => {
                self.skipping = false;
                self.ready(out);
            }
            b'P' | b'B' | b'E' | b'C' if self.is_own(kind, body, out) => {}
            b'P' | b'B' | b'D' | b'E' | b'C' => {
                if let Err(fault) = self.extended(kind, body, out) {
                    self.fail(fault, out);
                    self.skipping = true;
                }
            }
            _ => {}
        }
    }

    /// What comes unasked.
    pub fn unasked(&mut self, number: usize, out: &mut BytesMut) {
        match number % 3 {
            0 => message(out, b'S', |out| out.put_slice(b"search_path\0public\0")),
            1 => message(out, b'N', |out| {
                let words =
                    format!("SNOTICE\0VNOTICE\0C00000\0Mrow {CANARY}\0WPL/pgSQL function f()\0\0");
                out.put_slice(words.as_bytes());
            }),
            _ => message(out, b'A', |out| out.put_slice(b"\0\0\0\x01shop\0open\0")),
        }
    }

    /// What comes during COPY and is no part of it is the end of the connection.
    fn lose_step(&mut self, out: &mut BytesMut) {
        self.fail("08P01", out);
        message(out, b'E', |out| {
            out.put_slice(b"SFATAL\0VFATAL\0C08P01\0Mprotocol synchronization was lost\0\0");
        });
        self.over = true;
    }

    fn ready(&mut self, out: &mut BytesMut) {
        let status = match (self.in_transaction, self.failed) {
            (true, true) => b'E',
            (true, false) => b'T',
            _ => b'I',
        };
        if !self.in_transaction {
            self.failed = false;
            self.portals.clear();
        }
        message(out, b'Z', |out| out.put_u8(status));
    }

    fn fail(&mut self, code: &str, out: &mut BytesMut) {
        self.failed = self.in_transaction;
        let (code, words) = match self.fault.take().filter(|_| code == "ordered") {
            None => (code, "MSomething is wrong\0".to_owned()),
            Some(fault) => match fault % 4 {
                0 => (
                    "23505",
                    format!(
                        "Mduplicate key value violates unique constraint \"users_pkey\"\0\
                     DKey (id)=({CANARY}) already exists.\0spublic\0tusers\0nusers_pkey\0Fnbtinsert.c\0"
                    ),
                ),
                1 => (
                    "23503",
                    format!(
                        "Minsert or update on table \"orders\" violates foreign key constraint\0\
                     DKey (user_id)=({CANARY}) is not present in table \"users\".\0\
                     spublic\0torders\0norders_user_id_fkey\0Fri_triggers.c\0"
                    ),
                ),
                2 => (
                    "23514",
                    format!(
                        "Mnew row for relation \"orders\" violates check constraint \"c\"\0\
                     DFailing row contains ({CANARY}, {CANARY}, 1).\0spublic\0torders\0nc\0FexecMain.c\0"
                    ),
                ),
                _ => (
                    "P0001",
                    format!("Mno order {CANARY}\0D{CANARY}\0WPL/pgSQL function f() line 3\0"),
                ),
            },
        };
        message(out, b'E', |out| {
            out.put_slice(format!("SERROR\0VERROR\0C{code}\0{words}\0").as_bytes());
        });
    }

    /// Which of the statements a text is.
    fn plan(&self, text: &[u8]) -> Result<Planned, Fault> {
        let text_of = String::from_utf8_lossy(text);
        if text_of.contains("pgveil refuses") {
            return Err("42703");
        }
        let (_, number) = text_of.rsplit_once(MARK).ok_or("42601")?;
        let number: usize = number.trim_end_matches("*/").parse().map_err(|_| "42601")?;
        let (_, does, parameters) = *TEXTS.get(number).ok_or("42601")?;
        if text_of.contains("nowhere") {
            return Err("42P01");
        }
        Ok(Planned {
            does,
            parameters,
            text: text.to_vec(),
        })
    }

    fn query(&mut self, text: &[u8], out: &mut BytesMut) {
        self.statements.remove(&b""[..]);
        self.portals.remove(&b""[..]);
        let words = String::from_utf8_lossy(text).into_owned();
        if words.contains("pg_catalog.pg_class") {
            return self.catalog(out);
        }
        if words.contains("search_path") && !words.contains(MARK) {
            described(&[column(0, 0, 25, Value::Text)], &[], out);
            row(&[Some("pg_catalog\\000public".as_bytes().to_vec())], out);
            tag("SELECT 1", out);
            return self.ready(out);
        }
        for text in words.split(';') {
            let done = self.plan_and_run(text.trim().as_bytes(), out);
            if let Err(fault) = done {
                self.fail(fault, out);
                break;
            }
            if self.copying.is_some() {
                return;
            }
        }
        self.ready(out);
    }

    fn plan_and_run(&mut self, text: &[u8], out: &mut BytesMut) -> Result<(), Fault> {
        let planned = self.plan(text)?;
        self.check(&planned)?;
        if let Some(columns) = self.columns(&planned)? {
            described(columns, &[], out);
        }
        let mut portal = Portal {
            planned,
            formats: Vec::new(),
            returned: 0,
        };
        self.run(&mut portal, 0, true, out)
    }

    /// Whether a statement may run now.
    fn check(&self, planned: &Planned) -> Result<(), Fault> {
        if self.fault.is_some() {
            return Err("ordered");
        }
        if self.failed && !matches!(planned.does, Does::Commit) {
            return Err("25P02");
        }
        Ok(())
    }

    fn catalog(&mut self, out: &mut BytesMut) {
        if self.failed {
            self.fail("25P02", out);
            return self.ready(out);
        }
        Self::describe_itself(out);
        tag("SELECT 10", out);
        self.ready(out);
    }

    fn describe_itself(out: &mut BytesMut) {
        for line in CATALOG {
            let mut words = line.split(' ');
            let kind = words.next().unwrap_or_default().replace('_', " ");
            let values = words.map(|word| match word {
                "-" => None,
                word => Some(
                    word.replace('\u{1}', " ")
                        .replace('\u{2}', "\\000")
                        .into_bytes(),
                ),
            });
            let values: Vec<_> = std::iter::once(Some(kind.into_bytes()))
                .chain(values)
                .collect();
            row(&values, out);
        }
    }

    /// Whether a message belongs to a question of the session's own, which is answered then.
    fn is_own(&mut self, kind: u8, body: &[u8], out: &mut BytesMut) -> bool {
        let name = if kind == b'C' {
            body.get(1..)
        } else {
            Some(body)
        };
        if !name.is_some_and(|name| name.starts_with(b"pgveil_")) {
            return false;
        }
        match kind {
            b'P' => {
                self.own = body.to_vec();
                message(out, b'1', |_| ());
            }
            b'B' => message(out, b'2', |_| ()),
            b'E' => {
                let text = String::from_utf8_lossy(&self.own).into_owned();
                if text.contains("SELECT 'relation'") {
                    Self::describe_itself(out);
                } else if text.contains("SELECT 'search path'") {
                    let path = b"pg_catalog\\000public".to_vec();
                    row(&[Some(b"search path".to_vec()), Some(path)], out);
                }
                tag("SELECT 1", out);
            }
            _ => message(out, b'3', |_| ()),
        }
        true
    }

    fn extended(&mut self, kind: u8, body: &[u8], out: &mut BytesMut) -> Result<(), Fault> {
        let malformed = |_| "08P01";
        match kind {
            b'P' => {
                let parse = Parse::decode(body).map_err(malformed)?;
                let planned = self.plan(parse.text)?;
                if !parse.name.is_empty() && self.statements.contains_key(parse.name) {
                    return Err("42P05");
                }
                self.statements.insert(parse.name.to_vec(), planned);
                message(out, b'1', |_| ());
            }
            b'B' => {
                let bind = Bind::decode(body).map_err(malformed)?;
                let planned = self.statements.get(bind.statement).ok_or("26000")?.clone();
                if bind.count != planned.parameters || !bind.formats.suits(bind.count) {
                    return Err("08P01");
                }
                self.check(&planned)?;
                if !bind.portal.is_empty() && self.portals.contains_key(bind.portal) {
                    return Err("42P03");
                }
                let columns = self.columns(&planned)?.map_or(0, <[Column]>::len);
                if !bind.results.suits(columns) {
                    return Err("08P01");
                }
                let portal = Portal {
                    planned,
                    formats: bind.results.as_bytes().to_vec(),
                    returned: 0,
                };
                self.portals.insert(bind.portal.to_vec(), portal);
                message(out, b'2', |_| ());
            }
            b'D' => match Target::decode(body).map_err(malformed)? {
                Target::Statement(name) => {
                    let planned = self.statements.get(name).ok_or("26000")?;
                    message(out, b't', |out| {
                        out.put_u16(planned.parameters as u16);
                        (0..planned.parameters).for_each(|_| out.put_u32(20));
                    });
                    self.describe(planned, &[], out)?;
                }
                Target::Portal(name) => {
                    let portal = self.portals.get(name).ok_or("34000")?;
                    self.describe(&portal.planned, &portal.formats, out)?;
                }
            },
            b'E' => {
                let execute = Execute::decode(body).map_err(malformed)?;
                let mut portal = self.portals.remove(execute.portal).ok_or("34000")?;
                self.check(&portal.planned)?;
                let limit = usize::try_from(execute.limit).unwrap_or(0);
                self.run(&mut portal, limit, false, out)?;
                self.portals.insert(execute.portal.to_vec(), portal);
            }
            _ => {
                match Target::decode(body).map_err(malformed)? {
                    Target::Statement(name) => drop(self.statements.remove(name)),
                    Target::Portal(name) => drop(self.portals.remove(name)),
                }
                message(out, b'3', |_| ());
            }
        }
        Ok(())
    }

    /// The columns of a result, if there is one.
    fn columns(&self, planned: &Planned) -> Result<Option<&'static [Column]>, Fault> {
        let of = |planned: &Planned| match planned.does {
            Does::Rows(columns) | Does::Declare(columns) => Some(columns),
            _ => None,
        };
        match planned.does {
            Does::Rows(columns) => Ok(Some(columns)),
            Does::Fetch => Ok(of(&self.portals.get(&b"c"[..]).ok_or("34000")?.planned)),
            Does::Execute => match self.statements.get(&b"p"[..]).ok_or("26000")?.does {
                Does::Rows(columns) => Ok(Some(columns)),
                _ => Ok(None),
            },
            _ => Ok(None),
        }
    }

    fn describe(&self, planned: &Planned, formats: &[u8], out: &mut BytesMut) -> Result<(), Fault> {
        match self.columns(planned)? {
            Some(columns) => described(columns, formats, out),
            None => message(out, b'n', |_| ()),
        }
        Ok(())
    }

    #[expect(clippy::too_many_lines, reason = "one arm per kind of statement")]
    fn run(
        &mut self,
        portal: &mut Portal,
        limit: usize,
        simple: bool,
        out: &mut BytesMut,
    ) -> Result<(), Fault> {
        let planned = portal.planned.clone();
        match planned.does {
            Does::Rows(_) | Does::Fetch | Does::Execute => {
                let Some(columns) = self.columns(&planned)? else {
                    return Err("0A000");
                };
                let left = ROWS.saturating_sub(portal.returned);
                let count = if limit == 0 { left } else { left.min(limit) };
                for number in portal.returned..portal.returned + count {
                    let values: Vec<_> = columns
                        .iter()
                        .enumerate()
                        .map(|(index, column)| {
                            let binary = Formats::from_bytes(&portal.formats).code(index) == 1;
                            value(column.value, binary, number, &planned.text)
                        })
                        .collect();
                    row(&values, out);
                }
                portal.returned += count;
                if limit > 0 && count == limit {
                    message(out, b's', |_| ());
                    return Ok(());
                }
                tag(&format!("SELECT {count}"), out);
                return Ok(());
            }
            Does::Tag(words) => tag(words, out),
            Does::Begin => {
                self.in_transaction = true;
                tag("BEGIN", out);
            }
            Does::Commit => {
                tag(if self.failed { "ROLLBACK" } else { "COMMIT" }, out);
                (self.in_transaction, self.failed) = (false, false);
            }
            Does::CopyOut(binary) => copy_out(binary, out),
            Does::CopyIn(binary) => {
                copy_response(b'G', binary, out);
                self.copying = Some(simple);
            }
            Does::Declare(_) => {
                if self.portals.contains_key(&b"c"[..]) {
                    return Err("42P03");
                }
                let cursor = Portal {
                    planned,
                    formats: Vec::new(),
                    returned: 0,
                };
                self.portals.insert(b"c".to_vec(), cursor);
                tag("DECLARE CURSOR", out);
            }
            Does::Prepare(number) => {
                if self.statements.contains_key(&b"p"[..]) {
                    return Err("42P05");
                }
                let (_, does, parameters) = TEXTS[number];
                let text = planned.text;
                let inner = Planned {
                    does,
                    parameters,
                    text,
                };
                self.statements.insert(b"p".to_vec(), inner);
                tag("PREPARE", out);
            }
            Does::Deallocate => {
                self.statements.clear();
                tag("DEALLOCATE ALL", out);
            }
        }
        Ok(())
    }
}
