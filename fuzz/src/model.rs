//! A server that is as honest as Postgres and knows only the statements of [`TEXTS`]: it keeps
//! statements, portals and the state of the transaction, answers in order, and has a canary in
//! every key. What it sends is what the session must not show.

use std::collections::{BTreeMap, VecDeque};

use bytes::{BufMut, BytesMut};
use pgveil::wire::frontend::{Bind, Execute, Formats, Parse, Query, Target};
use pgveil::wire::{message, sized};

use super::world::CANARY;

/// The tables of the database.
const USERS: u32 = 16_400;
const ORDERS: u32 = 16_500;

/// In the comment behind a statement, so that the server knows it again however it was edited.
/// No other bytes of a client hold it.
pub const MARK: &str = "/*model ";

/// What a statement returns or does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Does {
    /// Rows of these columns.
    Rows(&'static [Column]),
    /// Nothing but its tag.
    Tag(&'static str),
    /// Begins a transaction.
    Begin,
    /// Ends it.
    Commit,
    /// COPY to the client, in text or binary.
    CopyOut(bool),
    /// COPY from the client.
    CopyIn(bool),
    /// Declares the cursor `c` for rows of these columns.
    Declare(&'static [Column]),
    /// Fetches from it.
    Fetch,
    /// Prepares the statement `p`, a statement of this number.
    Prepare(usize),
    /// Executes it.
    Execute,
    /// Forgets all prepared statements.
    Deallocate,
}

/// A column of a result.
#[derive(Debug, PartialEq, Eq)]
pub struct Column {
    table: u32,
    attnum: i16,
    type_oid: u32,
    value: Value,
}

/// The values of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Value {
    Key,
    Keys,
    Text,
    Number,
    /// Text with the key in it that the session has asked to be tagged.
    Tagged,
    /// A line of EXPLAIN that quotes the literal of the statement.
    Quoted,
}

const fn column(table: u32, attnum: i16, type_oid: u32, value: Value) -> Column {
    Column {
        table,
        attnum,
        type_oid,
        value,
    }
}

const USER: &[Column] = &[
    column(USERS, 1, 20, Value::Key),
    column(USERS, 2, 25, Value::Text),
];
const ORDER: &[Column] = &[
    column(ORDERS, 1, 20, Value::Key),
    column(ORDERS, 2, 20, Value::Key),
    column(ORDERS, 3, 23, Value::Number),
];
const KEY: &[Column] = &[column(0, 0, 20, Value::Key)];
const KEYS: &[Column] = &[column(0, 0, 1016, Value::Keys)];
const COUNT: &[Column] = &[column(0, 0, 20, Value::Number)];
const NUMBER: &[Column] = &[column(ORDERS, 3, 23, Value::Number)];
const TAGGED: &[Column] = &[column(0, 0, 25, Value::Tagged)];
const QUOTED: &[Column] = &[column(0, 0, 25, Value::Quoted)];

/// The statements, what they do, and how many parameters they have. `ID` is the id of a user.
pub const TEXTS: &[(&str, Does, usize)] = &[
    ("SELECT id, email FROM users", Does::Rows(USER), 0),
    (
        "SELECT * FROM orders WHERE user_id = $1",
        Does::Rows(ORDER),
        1,
    ),
    ("SELECT max(id) FROM orders", Does::Rows(KEY), 0),
    ("SELECT array_agg(user_id) FROM orders", Does::Rows(KEYS), 0),
    ("SELECT count(*) FROM orders", Does::Rows(COUNT), 0),
    (
        "SELECT total FROM orders WHERE user_id = $1",
        Does::Rows(NUMBER),
        1,
    ),
    (
        "SELECT id, email FROM users WHERE id = 'ID'",
        Does::Rows(USER),
        0,
    ),
    ("SELECT 'u' || id FROM users", Does::Rows(TAGGED), 0),
    (
        "EXPLAIN SELECT total FROM orders WHERE user_id = 'ID'",
        Does::Rows(QUOTED),
        0,
    ),
    (
        "INSERT INTO users (email) VALUES ($1) RETURNING id",
        Does::Rows(KEY),
        1,
    ),
    (
        "INSERT INTO orders (user_id) VALUES ($1)",
        Does::Tag("INSERT 0 1"),
        1,
    ),
    ("BEGIN", Does::Begin, 0),
    ("COMMIT", Does::Commit, 0),
    ("COPY users TO STDOUT", Does::CopyOut(false), 0),
    (
        "COPY users TO STDOUT (FORMAT binary)",
        Does::CopyOut(true),
        0,
    ),
    ("COPY users FROM STDIN", Does::CopyIn(false), 0),
    (
        "COPY users FROM STDIN (FORMAT binary)",
        Does::CopyIn(true),
        0,
    ),
    (
        "DECLARE c CURSOR FOR SELECT id, email FROM users",
        Does::Declare(USER),
        0,
    ),
    ("FETCH ALL FROM c", Does::Fetch, 0),
    (
        "PREPARE p AS SELECT id, email FROM users",
        Does::Prepare(0),
        0,
    ),
    ("EXECUTE p", Does::Execute, 0),
    ("DEALLOCATE ALL", Does::Deallocate, 0),
    ("CREATE TABLE other (n int)", Does::Tag("CREATE TABLE"), 0),
    ("SET search_path = public", Does::Tag("SET"), 0),
    ("SELECT nothing FROM nowhere", Does::Tag("SELECT 0"), 0),
    ("SELECT md5(id::text) FROM users", Does::Rows(KEY), 0),
];

/// The picture of the database that the session asks for.
const CATALOG: &[&str] = &[
    "relation 16400 public users r -",
    "relation 16500 public orders r -",
    "column 16400 1 id 20",
    "column 16400 2 email 25",
    "column 16500 1 id 20",
    "column 16500 2 user_id 20",
    "column 16500 3 total 23",
    "foreign_key 16500 orders_user_id_fkey 2 16400 1",
    "built_in array_agg\u{1}count\u{1}lower\u{1}max\u{1}md5",
    "search_path pg_catalog\u{2}public",
];

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
                _ => self.fail("57014", out),
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
                     DKey (id)=({CANARY}) already exists.\0spublic\0tusers\0nusers_pkey\0"
                    ),
                ),
                1 => (
                    "23503",
                    format!(
                        "Minsert or update on table \"orders\" violates foreign key constraint\0\
                     DKey (user_id)=({CANARY}) is not present in table \"users\".\0\
                     spublic\0torders\0norders_user_id_fkey\0"
                    ),
                ),
                2 => (
                    "23514",
                    format!(
                        "Mnew row for relation \"orders\" violates check constraint \"c\"\0\
                     DFailing row contains ({CANARY}, {CANARY}, 1).\0spublic\0torders\0nc\0"
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
            row(&[Some("pg_catalog\u{1}public".as_bytes().to_vec())], out);
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
        for line in CATALOG {
            let mut words = line.split(' ');
            let kind = words.next().unwrap_or_default().replace('_', " ");
            let values = words.map(|word| match word {
                "-" => None,
                word => Some(
                    word.replace('\u{1}', " ")
                        .replace('\u{2}', "\u{1}")
                        .into_bytes(),
                ),
            });
            let values: Vec<_> = std::iter::once(Some(kind.into_bytes()))
                .chain(values)
                .collect();
            row(&values, out);
        }
        tag("SELECT 10", out);
        self.ready(out);
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

fn tag(words: &str, out: &mut BytesMut) {
    message(out, b'C', |out| {
        out.put_slice(words.as_bytes());
        out.put_u8(0);
    });
}

fn described(columns: &[Column], formats: &[u8], out: &mut BytesMut) {
    message(out, b'T', |out| {
        out.put_u16(columns.len() as u16);
        for (index, column) in columns.iter().enumerate() {
            out.put_slice(b"column\0");
            out.put_u32(column.table);
            out.put_i16(column.attnum);
            out.put_u32(column.type_oid);
            out.put_i16(if column.type_oid == 20 { 8 } else { -1 });
            out.put_i32(-1);
            out.put_u16(Formats::from_bytes(formats).code(index));
        }
    });
}

fn row(values: &[Option<Vec<u8>>], out: &mut BytesMut) {
    message(out, b'D', |out| {
        out.put_u16(values.len() as u16);
        for value in values {
            match value {
                None => out.put_i32(-1),
                Some(value) => sized(out, |out| out.put_slice(value)),
            }
        }
    });
}

fn value(of: Value, binary: bool, number: usize, text: &[u8]) -> Option<Vec<u8>> {
    let key = CANARY + number as i64;
    Some(match (of, binary) {
        (Value::Key, false) => key.to_string().into_bytes(),
        (Value::Key, true) => key.to_be_bytes().to_vec(),
        (Value::Keys, false) => format!("{{{key},NULL,{key}}}").into_bytes(),
        (Value::Keys, true) => {
            let mut array = BytesMut::new();
            for word in [1, 0, 20, 1, 1, 8] {
                array.put_i32(word);
            }
            array.put_i64(key);
            array.to_vec()
        }
        (Value::Text, _) => b"somebody".to_vec(),
        (Value::Number, false) => b"7".to_vec(),
        (Value::Number, true) => 7_i32.to_be_bytes().to_vec(),
        (Value::Tagged, _) => tagged(text, key)?,
        (Value::Quoted, _) => {
            let text = String::from_utf8_lossy(text);
            let (_, literal) = text.split_once("user_id = ")?;
            let literal = literal.split(' ').next()?;
            format!("  Filter: (user_id = {literal}::bigint)").into_bytes()
        }
    })
}

/// What `'u' || id` is with the tag that the session has put around the id.
fn tagged(text: &[u8], key: i64) -> Option<Vec<u8>> {
    let text = String::from_utf8_lossy(text);
    let (_, tag) = text.split_once("('~")?;
    let (tag, _) = tag.split_once('\'')?;
    Some(format!("u~{tag}{key}~").into_bytes())
}

fn copy_response(kind: u8, binary: bool, out: &mut BytesMut) {
    let format = u8::from(binary);
    message(out, kind, |out| {
        out.put_slice(&[format, 0, 2, 0, format, 0, format]);
    });
}

fn copy_out(binary: bool, out: &mut BytesMut) {
    copy_response(b'H', binary, out);
    for number in 0..ROWS as i64 {
        message(out, b'd', |out| {
            if !binary {
                out.put_slice(format!("{}\tsomebody\n", CANARY + number).as_bytes());
                return;
            }
            if number == 0 {
                out.put_slice(b"PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0");
            }
            out.put_slice(b"\0\x02\0\0\0\x08");
            out.put_i64(CANARY + number);
            out.put_slice(b"\0\0\0\x08somebody");
        });
    }
    if binary {
        message(out, b'd', |out| out.put_slice(b"\xff\xff"));
    }
    message(out, b'c', |_| ());
    tag("COPY 3", out);
}
