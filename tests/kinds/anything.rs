//! Nothing that a database holds ends a session: columns of keys and documents are filled with
//! anything that their types hold, and read in every way. What a client is shown of each value by
//! itself is stored in a twin; whatever else it reads must be what the twin shows, or an error of
//! that statement alone. An id that is shown finds its rows, and no key is in any byte.
//!
//! `PGVEIL_ANYTHING=n` fills the tables so many times for each kind, `PGVEIL_SEED=n` with others.

use std::collections::{BTreeMap, HashSet};
use std::sync::Mutex;

use crate::document::{self, Column};
use crate::of_each;
use crate::random::Random;
use crate::reading::{Answer, COMMANDS, QUERIES, WRITES, Way, ask, collect, is_unordered};
use crate::twin::case::Argument;
use crate::twin::client::Client;
use crate::twin::kind::{DOCUMENTS, Keys, Kind, Shown};
use crate::twin::message::{Message, Raw};
use crate::twin::mode::{self, Call, Mode};
use crate::twin::proxy::{Proxy, filled};
use crate::twin::say;
use crate::twin::stand::local;
use crate::twin::world::ROLE;
use crate::value::{self, Value, quoted, quoted_in_array};

/// How often the tables are filled for each kind, if nothing else is said.
const TIMES: u64 = 3;

/// The tables, once with keys and once with ids.
const SCHEMA: &str = "
create table {in}.owners (id {type} constraint owners_pkey primary key, n int constraint counted check (n >= 0));
create table {in}.things (id {type} constraint things_pkey primary key, n int);
create table {in}.held (n int constraint held_pkey primary key constraint counted check (n >= 0), ref {type}, refs {type}[]);
create table {in}.notes (n int primary key, doc jsonb, raw json, said text);
create table {in}.linked (n int primary key, kind text, to_id {type}, to_text {text});
create view {in}.seen as select n, ref, refs from {in}.held;
create function {in}.ref_of(int) returns {type} language sql stable as 'select ref from {in}.held where n = $1';
create function {in}.code_of(int) returns {type} language plpgsql stable as 'begin return (select ref from {in}.held where n = $1); end';
create function {in}.rows_of() returns table (ref {type}, n int) language plpgsql stable as 'begin return query select h.ref, h.n from {in}.held h order by h.n; end';
create function {in}.held_of() returns setof {in}.held language sql stable as 'select * from {in}.held';
";

const TABLES: [&str; 4] = ["owners", "held", "notes", "linked"];

/// The columns that are filled with anything: their tables and types.
const COLUMNS: &[(&str, &str, &str)] = &[
    ("owners", "id", "{type}"),
    ("held", "ref", "{type}"),
    ("held", "refs", "{type}[]"),
    ("notes", "doc", "jsonb"),
    ("notes", "raw", "json"),
    ("notes", "said", "text"),
    ("linked", "to_id", "{type}"),
    ("linked", "to_text", "{text}"),
];

/// Texts that are not written as Postgres writes a key.
const ODD: [&str; 6] = ["007", "x5", " 5", "", "5.0", "{}"];

/// What shows ids elsewhere than in columns of their own.
const AROUND: &str = r#"
[[polymorphic]]
column = "public.linked.to_id"
by = "public.linked.kind"
ids = { owner = "owner", thing = "thing" }
[[polymorphic]]
column = "public.linked.to_text"
by = "public.linked.kind"
ids = { owner = "owner", thing = "thing" }
[[function]]
name = "public.code_of"
arguments = ["-"]
result = "owner"
[[function]]
name = "public.rows_of"
result = { ref = "owner", n = "-" }
[[channel]]
name = "held"
id = "owner"
"#;

/// How a statement fails over what is stored: it can't be shown, or not be asked for like this.
const REFUSALS: &[&str] = &["XX000", "0A000", "22023", "54000"];

/// A kind, with marks or without: the database behind pgveil, its twin, and a session with each.
struct Arena {
    kind: Kind,
    keys: Vec<String>,
    inside: Client,
    twin: Client,
    veiled: Client,
    proxy: Proxy,
    database: String,
    /// What was refused though each value can be shown: statements and ways, with the reason.
    refused: BTreeMap<(&'static str, Way), String>,
    faults: Vec<String>,
    counts: Counts,
}

/// What a run came to.
#[derive(Debug, Default)]
struct Counts {
    asked: usize,
    right: usize,
    failing_alike: usize,
    refused: usize,
    unshown: usize,
}

impl Counts {
    fn add(&mut self, other: &Self) {
        self.asked += other.asked;
        self.right += other.right;
        self.failing_alike += other.failing_alike;
        self.refused += other.refused;
        self.unshown += other.unshown;
    }
}

/// What the tables hold at one time.
#[derive(Default)]
struct Filling {
    /// Whether there are true keys only.
    is_ordinary: bool,
    /// Whether ids are of the type of their keys.
    is_native: bool,
    /// What nobody may see.
    telling: Vec<Vec<u8>>,
    /// Whether there are arrays of several dimensions, or with a first element that is not the first.
    has_odd_arrays: bool,
    /// Whether a text is no document. It is shown as one.
    has_broken: bool,
    /// Whether there are truth values in documents.
    has_booleans: bool,
    /// Where a value can't be shown: its table, its column, and its row.
    unshown: HashSet<(&'static str, &'static str, usize)>,
}

impl Filling {
    fn hide(&mut self, values: impl IntoIterator<Item = Value>) {
        // Native ids keep what no sequence gives.
        let is_kept = |value: &Value| self.is_native && value.text.starts_with('-');
        let telling = values.into_iter();
        let telling: Vec<Value> = telling
            .filter(|value| value.is_telling && !is_kept(value))
            .collect();
        for value in telling {
            let digits = value.text.trim_start_matches("\\x").replace('-', "");
            let is_hex = digits.len() >= 16 && digits.bytes().all(|one| one.is_ascii_hexdigit());
            if is_hex {
                let bytes = (0..digits.len() / 2).map(|at| &digits[2 * at..2 * at + 2]);
                let bytes = bytes.filter_map(|two| u8::from_str_radix(two, 16).ok());
                self.telling.push(bytes.collect());
                self.telling.push(digits.to_lowercase().into_bytes());
            }
            if let Ok(number) = value.text.parse::<i64>() {
                let bytes = number.to_be_bytes();
                let is_narrow = i32::try_from(number).is_ok();
                self.telling
                    .push(bytes[4 * usize::from(is_narrow)..].to_vec());
            }
            self.telling.push(value.text.into_bytes());
        }
    }

    /// Whether a statement is one of those that answer otherwise than for ids, as docs/refusals.md tells:
    /// an array of several dimensions is one list in text and JSON, and what is no key in a document has
    /// no text.
    fn is_excepted(&self, sql: &str) -> bool {
        let reads = |parts: &[&str]| parts.iter().any(|part| sql.contains(part));
        self.has_odd_arrays && reads(&["refs::text", "to_jsonb(refs)"])
            || self.has_booleans && reads(&["->>", "elements_text"])
            || self.has_broken && reads(&["said::json"])
            || !self.is_ordinary && reads(&["jsonb_typeof"])
    }

    fn shows(&self, bytes: &[u8]) -> bool {
        let found = |needle: &Vec<u8>| {
            let mut windows = bytes.windows(needle.len());
            windows.any(|window| window == needle)
        };
        self.telling.iter().any(found)
    }
}

/// The configuration of a kind for the tables.
fn config(kind: &Kind, has_marks: bool) -> String {
    let mut text = include_str!("../twin/pgveil.toml").to_owned();
    text.truncate(text.find("[[id]]").expect("the configuration has domains"));
    if kind.settings.contains("epochs") {
        text.push_str("epoch = 5\n");
    }
    let marks = if has_marks { value::marks(kind) } else { &[] };
    for (name, references) in [
        ("owner", r#"["public.held.ref", "public.held.refs"]"#),
        ("thing", "[]"),
    ] {
        let settings = kind.settings.replace("DOMAIN", name);
        text.push_str(&format!(
            "[[id]]\nname = \"{name}\"\ncolumn = \"public.{name}s.id\"\nreferences = {references}\nas_is = {marks:?}\n{settings}\n"
        ));
        if name == "owner" && kind.has_documents() {
            text.push_str(DOCUMENTS);
        }
    }
    text.push_str(AROUND);
    text
}

impl Arena {
    fn new(name: &str, kind: &Kind, has_marks: bool) -> Result<Self, String> {
        let server = local();
        let at = &server.address;
        let database = format!("{name}_beside");
        let mut root = Client::connect(at, &server.superuser, "postgres")?;
        root.run(&format!("drop database if exists {database} with (force)"))?;
        root.run(&format!("create database {database} owner {ROLE}"))?;
        let mut inside = Client::connect(at, ROLE, &database)?;
        inside.run("create schema shown")?;
        for (schema, of) in [
            ("public", kind.sql_type(true)),
            ("shown", kind.shown.sql_type()),
        ] {
            let text = if schema == "public" {
                "text"
            } else {
                text_of(kind)
            };
            let tables = SCHEMA.replace("{in}", schema).replace("{type}", of);
            inside.run(&tables.replace("{text}", text))?;
        }
        let mut twin = Client::connect(at, ROLE, &database)?;
        twin.run("set search_path = shown")?;
        let proxy = Proxy::with(filled(&config(kind, has_marks), at)?)?;
        let mut veiled = Client::connect(&proxy.address, ROLE, &database)?;
        veiled.run("listen held")?;
        Ok(Self {
            keys: kind.ids(at, &server.superuser, true, (0, "owners"))?,
            veiled,
            kind: *kind,
            inside,
            twin,
            proxy,
            database,
            refused: BTreeMap::new(),
            faults: Vec::new(),
            counts: Counts::default(),
        })
    }

    /// Fills the tables: with true keys only, or with anything.
    fn fill(&mut self, random: &mut Random, is_ordinary: bool) -> Result<Filling, String> {
        let mut filling = Filling {
            is_ordinary,
            is_native: self.kind.settings.contains("native"),
            ..Filling::default()
        };
        for schema in ["public", "shown"] {
            for table in TABLES {
                self.inside.run(&format!("delete from {schema}.{table}"))?;
            }
        }
        for n in 1..=1 + random.below(4) {
            let row = self.row(random, n, is_ordinary, &mut filling);
            self.inside.run(&row)?;
        }
        let is_so = |rows: Vec<Vec<String>>| rows == [["t"]];
        let odd =
            "select bool_or(array_ndims(refs) > 1 or array_lower(refs, 1) <> 1) from public.held";
        filling.has_odd_arrays = is_so(self.inside.rows(odd)?);
        let booleans = "select bool_or(concat(doc, raw, said) ~ 'true|false') from public.notes";
        filling.has_booleans = is_so(self.inside.rows(booleans)?);
        Ok(filling)
    }

    /// The statements that insert row `n` into each table.
    fn row(
        &self,
        random: &mut Random,
        n: usize,
        is_ordinary: bool,
        filling: &mut Filling,
    ) -> String {
        let (kind, of) = (&self.kind, self.kind.sql_type(true));
        let scalar = |random: &mut Random| {
            if is_ordinary {
                value::key(kind, random, &self.keys)
            } else {
                value::of(kind, random, &self.keys)
            }
        };
        let [id, reference, to] = [0; 3].map(|_| scalar(random));
        let (refs, inner) = if is_ordinary {
            (
                format!("{{{0},NULL,{0}}}", quoted_in_array(&id.text)),
                Vec::new(),
            )
        } else {
            value::array(kind, random, &self.keys)
        };
        let odd = random.below(24);
        let mut is_null = |text: String| {
            if random.once_in(6) {
                "null".to_owned()
            } else {
                text
            }
        };
        let reference_text = is_null(reference.literal());
        let refs = is_null(quoted(&refs));
        let to_id = is_null(to.literal());
        let to_text = match ODD.get(odd) {
            Some(text) if !is_ordinary => quoted(text),
            _ => is_null(to.literal()),
        };
        filling.hide([id.clone(), reference, to].into_iter().chain(inner));
        let documents = [Column::Jsonb, Column::Json, Column::Text].map(|column| {
            if random.once_in(8) || !kind.has_documents() {
                return "null".to_owned();
            }
            let (text, used) = if is_ordinary {
                (document::ordinary(kind, &self.keys), Vec::new())
            } else {
                document::of(column, kind, random, &self.keys)
            };
            filling.hide(used);
            quoted(&text)
        });
        let [doc, raw, said] = documents;
        let which = *random.choose(&["owner", "owner", "thing", "none"]);
        format!(
            "insert into public.owners (n, id) values ({n}, {}::{of}) on conflict do nothing;
             insert into public.held (n, ref, refs) values ({n}, {reference_text}::{of}, {refs}::{of}[]);
             insert into public.notes (n, doc, raw, said) values ({n}, {doc}, {raw}, {said});
             insert into public.linked (n, kind, to_id, to_text) values ({n}, '{which}', {to_id}::{of}, {to_text})",
            id.literal(),
        )
    }

    /// Shows each value by itself, and fills the twin with what is shown.
    fn show(&mut self, filling: &mut Filling, is_ordinary: bool) -> Result<(), String> {
        for table in TABLES {
            let rows = self.inside.rows(&format!("select n from public.{table}"))?;
            for row in rows {
                let n: usize = row.concat().parse().map_err(|_| "a row has a number")?;
                self.show_row(table, n, filling, is_ordinary)?;
            }
        }
        Ok(())
    }

    fn show_row(
        &mut self,
        table: &'static str,
        n: usize,
        filling: &mut Filling,
        is_ordinary: bool,
    ) -> Result<(), String> {
        let (mut names, mut values) = (vec!["n".to_owned()], vec!["n".to_owned()]);
        if table == "linked" {
            names.push("kind".to_owned());
            values.push("kind".to_owned());
        }
        let columns = COLUMNS.iter().filter(|(of, ..)| *of == table);
        for (_, column, of) in columns {
            let mut sql = format!("select {column} from {table} where n = {n}");
            if table == "linked" {
                let kind = self
                    .inside
                    .rows(&format!("select kind from public.linked where n = {n}"))?;
                let kind = kind.concat().concat();
                if kind != "none" {
                    sql.push_str(&format!(" and kind = '{kind}'"));
                }
            }
            let answer = ask(&mut self.veiled, Way::Simple, &sql, false);
            let answer = self.sound(answer, filling, &sql)?;
            let value = answer.rows.concat().pop().flatten();
            filling.has_broken |=
                *column == "said" && value.as_ref().is_some_and(|raw| raw.0 == b"null");
            let literal = match (&answer.error, value) {
                (None, None) => "null".to_owned(),
                (None, Some(raw)) => quoted(&String::from_utf8_lossy(&raw.0)),
                (Some(error), _) => {
                    let is_known = answer
                        .state()
                        .is_some_and(|state| REFUSALS.contains(&state));
                    if !is_known || is_ordinary && table != "linked" {
                        self.faults.push(format!("{sql}\n    {error:?}"));
                    }
                    filling.unshown.insert((table, *column, n));
                    let stored = format!(
                        "select hashtext({column}::text) from public.{table} where n = {n}"
                    );
                    let stored = self.inside.rows(&stored)?.concat().concat();
                    quoted(&self.stand_in(of, stored.parse().unwrap_or_default()))
                }
            };
            let of = of.replace("{type}", self.kind.shown.sql_type());
            let of = of.replace("{text}", text_of(&self.kind));
            names.push((*column).to_owned());
            values.push(format!("{literal}::{of}"));
        }
        let (names, values) = (names.join(", "), values.join(", "));
        self.inside.run(&format!(
            "insert into shown.{table} ({names}) select {values} from public.{table} where n = {n}"
        ))?;
        Ok(())
    }

    /// What stands in the twin for a value that can't be shown, the same for the same. No right answer
    /// has it.
    fn stand_in(&self, of: &str, hash: i32) -> String {
        let hash = hash.unsigned_abs();
        let scalar = match self.kind.shown {
            Shown::Uuid => format!("deadbeef-0000-0000-0000-{hash:012}"),
            Shown::Text => format!("stand-in {hash}"),
            Shown::Int2 => format!("-{}", 20_000 + hash % 10_000),
            Shown::Int4 | Shown::Int8 => format!("-{}", 1_000_000 + hash % 1_000_000_000),
            Shown::Bytea => format!("\\xdeadbeef{hash:012}"),
        };
        match of {
            "{type}" | "{text}" => scalar,
            "{type}[]" => format!("{{{}}}", quoted_in_array(&scalar)),
            _ => format!("{{\"stand-in\": {hash}}}"),
        }
    }

    /// The answer, if the session goes on; nothing in it may be a key.
    fn sound(
        &mut self,
        answer: Result<Answer, String>,
        filling: &Filling,
        sql: &str,
    ) -> Result<Answer, String> {
        self.counts.asked += 1;
        let bytes = self.veiled.recorded();
        if filling.shows(&bytes) {
            self.faults
                .push(format!("A KEY GOT OUT: {sql}\n    {answer:?}"));
        }
        answer.or_else(|reason| {
            self.faults.push(format!("{sql}\n    {reason}"));
            self.veiled = Client::connect(&self.proxy.address, ROLE, &self.database)?;
            self.veiled.run("listen held")?;
            Ok(Answer::default())
        })
    }
}

impl Arena {
    /// Asks everything, in some of its ways.
    fn ask_all(&mut self, random: &mut Random, filling: &Filling) -> Result<(), String> {
        for sql in QUERIES {
            for _ in 0..2 {
                self.ask_both(sql, *random.choose(&Way::ALL), filling, false)?;
            }
        }
        for sql in COMMANDS {
            self.ask_both(sql, *random.choose(&Way::COMMANDING), filling, false)?;
        }
        for sql in WRITES {
            self.ask_both(sql, *random.choose(&Way::WRITING), filling, true)?;
        }
        Ok(())
    }

    /// Asks for something of both.
    fn ask_both(
        &mut self,
        sql: &'static str,
        way: Way,
        filling: &Filling,
        writes: bool,
    ) -> Result<(), String> {
        if !self.kind.has_documents() && sql.contains("notes") {
            return Ok(());
        }
        let text = sql.replace("{shown}", self.kind.shown.sql_type());
        let twin = ask(&mut self.twin, way, &text, writes)?;
        let answer = ask(&mut self.veiled, way, &text, writes);
        let answer = self.sound(answer, filling, sql)?;
        let is_unordered = is_unordered(sql);
        let words = |table: &str| {
            sql.split(|c: char| !c.is_alphabetic())
                .any(|word| word == table)
        };
        let of_held = ["seen", "ref_of", "held_of", "code_of", "rows_of"]
            .iter()
            .any(|name| sql.contains(name));
        let unshown = filling.unshown.iter();
        let unshown: Vec<_> = unshown
            .filter(|(table, ..)| words(table) || *table == "held" && of_held)
            .collect();
        let has_unshown = !unshown.is_empty();
        // What stands in for these has other parts than what is stored; and in text that is built of an
        // integer of less than 8 bytes nothing says how wide it was, so that no value of it is reserved.
        let is_excepted = filling.is_excepted(sql);
        let is_vague = has_unshown && matches!(self.kind.keys, Keys::Int2 | Keys::Int4)
            || unshown
                .iter()
                .any(|(table, column, _)| *column == "refs" || *table == "notes");
        let is_right = if is_unordered {
            twin.sorted() == answer.sorted()
        } else {
            twin.rows == answer.rows
        };
        match (twin.state(), answer.state()) {
            (None, None) if is_right => self.counts.right += 1,
            (None, None) if is_vague => {}
            _ if is_excepted => {}
            (Some(one), Some(two)) if one == two => {
                self.counts.failing_alike += 1;
                let detail = |answer: &Answer| answer.error.as_ref()?.get(&'D').cloned();
                // Postgres cuts long values.
                let is_cut = detail(&twin).is_some_and(|text| text.contains("..."));
                let is_told = detail(&answer).is_some();
                if !has_unshown && !is_cut && is_told && detail(&twin) != detail(&answer) {
                    self.differ(sql, way, &twin, &answer);
                }
            }
            (_, Some(state)) if REFUSALS.contains(&state) => {
                self.counts.refused += 1;
                if (!has_unshown || filling.is_ordinary) && twin.error.is_none() {
                    self.refused
                        .entry((sql, way))
                        .or_insert_with(|| format!("{:?}", answer.error));
                }
            }
            _ => self.differ(sql, way, &twin, &answer),
        }
        Ok(())
    }

    fn differ(&mut self, sql: &str, way: Way, twin: &Answer, answer: &Answer) {
        self.faults
            .push(format!("{way:?} {sql}\n    {twin:?}\n    {answer:?}"));
    }

    /// Sends back what is shown: it finds the rows that hold the same inside, and no others.
    fn give_back(&mut self, filling: &Filling) -> Result<(), String> {
        let shown = "select n, doc ->> 'w' from shown.notes where doc ->> 'w' is not null";
        for row in self.inside.rows(shown)? {
            let n = row[0].parse().unwrap_or_default();
            if filling.unshown.contains(&("notes", "doc", n)) || filling.has_booleans {
                continue;
            }
            let id = quoted(&row[1]);
            let same = format!("select n from shown.notes where doc ->> 'w' = {id} order by n");
            let same = self.inside.rows(&same)?;
            let sql = "select n from notes where doc ->> 'w' = $1 order by n";
            self.find(sql, &row[1], &same, filling)?;
        }
        let found = [
            ("owners", "id", "{}.id = $1"),
            ("held", "ref", "{}.ref = $1"),
            ("held", "ref", "{}.ref in ($1)"),
            ("held", "ref", "{}.ref = any (array[$1]::{shown}[])"),
            ("held", "refs", "{}.refs = $1"),
        ];
        for (table, column, condition) in found {
            let shown = format!("select n, {column} from shown.{table} where {column} is not null");
            for row in self.inside.rows(&shown)? {
                let n = row[0].parse().unwrap_or_default();
                if filling.unshown.contains(&(table, column, n)) {
                    continue;
                }
                let same = format!(
                    "select n from public.{table} where {column} = (select {column} from public.{table} where n = {n}) order by n"
                );
                let same = self.inside.rows(&same)?;
                let condition = condition
                    .replace("{}", table)
                    .replace("{shown}", self.kind.shown.sql_type());
                let sql = format!("select n from {table} where {condition} order by n");
                self.find(&sql, &row[1], &same, filling)?;
            }
        }
        Ok(())
    }

    /// Asks for the rows that have an id, in some modes.
    fn find(
        &mut self,
        sql: &str,
        id: &str,
        same: &[Vec<String>],
        filling: &Filling,
    ) -> Result<(), String> {
        for mode in [Mode::Simple, Mode::Text, Mode::Declared, Mode::Binary] {
            let call = Call {
                sql,
                arguments: &[Argument::Text(id.to_owned())],
                types: &[],
                known: &[],
            };
            let messages = mode::run(&mut self.veiled, mode, &call);
            let answer = messages.and_then(|messages| {
                let mut answer = Answer::default();
                collect(messages, &mut answer)?;
                Ok(answer)
            });
            let answer = self.sound(answer, filling, sql)?;
            let number = |row: &Vec<Option<Raw>>| {
                let raw = &row.first()?.as_ref()?.0;
                let text = match raw.as_slice() {
                    [a @ 0, b, c, d] => u32::from_be_bytes([*a, *b, *c, *d]).to_string(),
                    text => String::from_utf8_lossy(text).into_owned(),
                };
                Some(vec![text])
            };
            let rows: Vec<_> = answer.rows.iter().filter_map(number).collect();
            if rows != same || answer.error.is_some() {
                let what = format!("{mode:?} {sql} with {id:?}: {answer:?}, not {same:?}");
                self.faults.push(what);
            }
        }
        Ok(())
    }

    /// Sends what is stored as notifications: those arrive whose payload can be shown.
    fn notify(&mut self, filling: &Filling) -> Result<(), String> {
        let shown = "select n, ref from shown.held where ref is not null order by n";
        let mut expected = Vec::new();
        for row in self.inside.rows(shown)? {
            let n = row[0].parse().unwrap_or_default();
            let send = "select pg_notify('held', ref::text) from public.held where length(ref::text) < 8000 and n =";
            self.inside.run(&format!("{send} {n}"))?;
            if !filling.unshown.contains(&("held", "ref", n)) {
                expected.push(row[1].clone());
            }
        }
        let mut arrived = Vec::new();
        for _ in 0..2 {
            for message in self.veiled.run("select 1")? {
                if let Message::Notification(_, payload) = message {
                    arrived.push(payload);
                }
            }
        }
        self.sound(Ok(Answer::default()), filling, "notify")?;
        let missing: Vec<_> = expected.iter().filter(|id| !arrived.contains(id)).collect();
        if !missing.is_empty() {
            self.faults
                .push(format!("notifications: {arrived:?}, not {expected:?}"));
        }
        Ok(())
    }

    /// Forgets the rows that can't be shown. Gives whether there were any.
    fn forget(&mut self, filling: &mut Filling) -> Result<bool, String> {
        let unshown = std::mem::take(&mut filling.unshown);
        self.counts.unshown += unshown.len();
        for (table, _, n) in &unshown {
            for schema in ["public", "shown"] {
                let delete = format!("delete from {schema}.{table} where n = {n}");
                self.inside.run(&delete)?;
            }
        }
        Ok(!unshown.is_empty())
    }

    /// Fills the tables time and again, and asks.
    fn run(&mut self, seed: u64, times: usize) -> Result<(), String> {
        for number in 0..times {
            let mut random = Random::new(seed, number as u64);
            let before = self.faults.len();
            let mut filling = self.fill(&mut random, false)?;
            self.show(&mut filling, false)?;
            self.notify(&filling)?;
            self.ask_all(&mut random, &filling)?;
            if self.forget(&mut filling)? {
                self.ask_all(&mut random, &filling)?;
            }
            self.give_back(&filling)?;
            for fault in &mut self.faults[before..] {
                *fault = format!("filling {number}, {fault}");
            }
        }
        self.ask_refused(&mut Random::new(seed, u64::MAX))
    }

    /// What was refused over values that can be shown is refused whatever is stored.
    fn ask_refused(&mut self, random: &mut Random) -> Result<(), String> {
        let mut filling = self.fill(random, true)?;
        self.show(&mut filling, true)?;
        for ((sql, way), reason) in std::mem::take(&mut self.refused) {
            self.ask_both(sql, way, &filling, WRITES.contains(&sql))?;
            if !self.refused.contains_key(&(sql, way)) {
                let what = format!("{way:?} {sql}\n    works with true keys only: {reason}");
                self.faults.push(what);
            }
        }
        Ok(())
    }
}

/// The type of ids of a column of text that is one of keys of several tables.
fn text_of(kind: &Kind) -> &'static str {
    match kind.keys {
        Keys::Ulid | Keys::Compact | Keys::Session | Keys::HexSession => kind.shown.sql_type(),
        Keys::Int2 | Keys::Int4 | Keys::Int8 | Keys::Uuid | Keys::RawUuid | Keys::Bytea => "text",
    }
}

fn number(name: &str, otherwise: u64) -> u64 {
    let text = std::env::var(name).unwrap_or_default();
    text.parse().unwrap_or(otherwise)
}

#[test]
fn nothing_that_is_stored_ends_a_session() {
    let seed = number("PGVEIL_SEED", 1);
    let times = usize::try_from(number("PGVEIL_ANYTHING", TIMES)).unwrap();
    let counts = Mutex::new(Counts::default());
    let judge = |name: &str, kind: &'static Kind, has_marks: bool| {
        let run = || {
            let mut arena = Arena::new(name, kind, has_marks)?;
            arena.run(seed, times)?;
            counts.lock().unwrap().add(&arena.counts);
            Ok(arena.faults)
        };
        run().unwrap_or_else(|reason: String| vec![reason])
    };
    let faults = of_each("anything", |name, kind| {
        let mut faults = judge(name, kind, false);
        if !value::marks(kind).is_empty() {
            let marked = judge(name, kind, true);
            faults.extend(
                marked
                    .into_iter()
                    .map(|fault| format!("with marks, {fault}")),
            );
        }
        faults
    });
    say(&format!("{:?}", counts.into_inner().unwrap()));
    assert!(
        faults.is_empty(),
        "seed {seed}, {} faults:\n{}",
        faults.len(),
        faults.join("\n")
    );
}
