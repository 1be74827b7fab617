//! Every way in which a client reads what is stored: the statements, and how they are sent.

use crate::twin::client::Client;
use crate::twin::message::{self, Fields, Message, Raw};

/// Queries; `{shown}` is the type of ids.
pub(crate) const QUERIES: &[&str] = &[
    "select id from owners order by n",
    "select n, id from owners order by id",
    "select * from owners order by n",
    "select o from owners o order by n",
    "select o.*, o from owners o order by n",
    "select row(id, n), row(row(id)) from owners order by n",
    "select id::text, n from owners order by n",
    "select '<' || id || '>' from owners order by n",
    "select array[id, null]::text, array[[id], [id]] from owners order by n",
    "select to_jsonb(o), row_to_json(o) from owners o order by n",
    "select json_build_object('id', id, 'n', n) from owners order by n",
    "select array_agg(id order by n) from owners",
    "select json_agg(id order by n), jsonb_agg(o order by n) from owners o",
    "select string_agg(id::text, ', ' order by n) from owners",
    "select array[id, null, id] from owners order by n",
    "select distinct id from owners",
    "select id, count(*) from owners group by id",
    "select coalesce(null, id), case when n > 0 then id end from owners order by n",
    "select id from owners union select ref from held",
    "with o as (select id, n from owners) select id from o where n > 0 order by n",
    "select lag(id) over (order by n), first_value(id) over (order by n) from owners",
    "select (select id from owners o where o.n = h.n) from held h order by h.n",
    "select id from owners where n = (select min(n) from owners)",
    "select o.id, h.ref, h.n from owners o join held h on h.ref = o.id order by h.n",
    "select n from held where ref = (select id from owners order by n limit 1) order by n",
    "select n from held where ref in (select id from owners) order by n",
    "select count(*), count(distinct ref), count(ref) from held",
    "select ref, refs from held order by n",
    "select row(n, ref)::text, concat_ws('/', n, ref) from held order by n",
    "select refs from held order by n",
    "select h from held h order by n",
    "select n, refs::text, array_ndims(refs), array_lower(refs, 1) from held order by n",
    "select n, cardinality(refs), refs[1] from held order by n",
    "select h.n, e from held h, unnest(h.refs) e order by h.n",
    "select to_jsonb(refs), to_jsonb(h) from held h order by n",
    "select n, ref = any (refs), refs && array[ref] from held order by n",
    "select array_to_string(refs, ',', '-') from held order by n",
    "select array_agg(ref order by n) from held",
    "select * from seen order by n",
    "select ref_of(n), n from held order by n",
    "select * from held_of() order by n",
    "select n, doc, raw, said from notes order by n",
    "select d from notes d order by n",
    "select n, doc -> 'w', doc ->> 'w', doc #> '{s}', doc #>> '{to,0}' from notes order by n",
    "select n, raw -> 'w', raw ->> 'w' from notes order by n",
    "select n, (doc ->> 's')::{shown} from notes order by n",
    "select n, said::json ->> 'w' from notes order by n",
    "select d.n, e from notes d, jsonb_array_elements_text(d.doc -> 'to') e order by d.n",
    "select doc::text, jsonb_pretty(doc) from notes order by n",
    "select to_jsonb(d), row_to_json(d) from notes d order by n",
    "select jsonb_agg(doc order by n), array_agg(doc order by n) from notes",
    "select n, jsonb_typeof(doc -> 'w'), doc ? 'w' from notes order by n",
    "select o.n, d.n from owners o join notes d on d.doc ->> 'w' = o.id::text order by d.n",
    "select n, kind, to_id, to_text from linked order by n",
    "select * from linked order by n",
    "select to_id, to_text from linked where kind = 'owner' order by n",
    "select code_of(n), n from held order by n",
    "select * from rows_of()",
];

/// Statements that change rows and show them, or that fail over what they would store.
pub(crate) const WRITES: &[&str] = &[
    "update owners set n = n returning id",
    "update owners o set n = n returning o, to_jsonb(o), '<' || id || '>'",
    "delete from owners returning *",
    "insert into held (n, ref) select n + 1000, id from owners returning ref, n",
    "update held set n = n returning ref, refs",
    "with w as (update held set n = n returning ref, n) select ref, n from w order by n",
    "with w as (delete from held returning ref, n) select array_agg(ref order by n) from w",
    "update notes set n = n returning doc, raw, said",
    "insert into owners (id, n) select id, n + 1000 from owners order by n limit 1",
    "insert into owners (id, n) select id, n + 1000 from owners on conflict (id) do update set n = 0 returning id",
    "update owners set n = -1 where n = (select min(n) from owners)",
    "update held set n = -1 where n = (select max(n) from held)",
];

/// Commands that show what is stored.
pub(crate) const COMMANDS: &[&str] = &[
    "copy owners to stdout",
    "copy owners (n, id) to stdout (format csv, force_quote *)",
    "copy held to stdout (format binary)",
    "copy held (refs, ref) to stdout (format csv, null 'none')",
    "copy notes to stdout",
    "copy notes (said, doc) to stdout (format csv)",
    "copy notes to stdout (format binary)",
    "explain (costs off) select o, o.id from owners o where id is not null",
];

/// Whether the rows come in an order of the keys, which ids don't have, or in none.
pub(crate) fn is_unordered(sql: &str) -> bool {
    let words = [
        "order by id",
        "distinct id",
        "group by id",
        "union",
        "copy ",
    ];
    words.iter().any(|word| sql.contains(word)) || sql.contains("returning")
}

/// How a statement is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Way {
    Simple,
    /// Parse, Bind, Execute, with results in this format.
    Extended(i16),
    /// A portal that gives one row at a time first.
    Limited(i16),
    /// A statement with a name, run twice.
    Prepared,
    /// A cursor of SQL.
    Fetched,
    /// COPY in this format.
    Copied(&'static str),
    /// Behind a savepoint, to which the transaction goes back.
    Guarded,
}

impl Way {
    pub(crate) const ALL: [Self; 10] = [
        Self::Simple,
        Self::Extended(0),
        Self::Extended(1),
        Self::Limited(0),
        Self::Limited(1),
        Self::Prepared,
        Self::Fetched,
        Self::Copied("text"),
        Self::Copied("csv, header"),
        Self::Copied("binary"),
    ];

    /// The ways of commands that change nothing.
    pub(crate) const COMMANDING: [Self; 4] = [
        Self::Simple,
        Self::Extended(0),
        Self::Extended(1),
        Self::Guarded,
    ];

    /// The ways of what changes rows.
    pub(crate) const WRITING: [Self; 6] = [
        Self::Simple,
        Self::Extended(0),
        Self::Extended(1),
        Self::Limited(1),
        Self::Copied("text"),
        Self::Guarded,
    ];

    /// The messages, each up to where the server is ready.
    fn messages(self, sql: &str) -> Vec<Vec<u8>> {
        let parse = |name: &str| message::parse(name, sql, &[]);
        let bind = |name: &str, format| message::bind("", name, &[], format);
        let queries = |all: &[&str]| all.iter().map(|sql| message::query(sql)).collect();
        let batch = |all: &[Vec<u8>]| [all.concat(), message::sync()].concat();
        match self {
            Self::Simple => queries(&[sql]),
            Self::Extended(format) => vec![batch(&[
                parse(""),
                message::on(b'D', b'S', ""),
                bind("", format),
                message::execute("", 0),
            ])],
            Self::Limited(format) => vec![batch(&[
                parse(""),
                bind("", format),
                message::on(b'D', b'P', ""),
                message::execute("", 1),
                message::execute("", 1),
                message::execute("", 0),
            ])],
            Self::Prepared => vec![
                batch(&[parse("kept")]),
                batch(&[bind("kept", 0), message::execute("", 0)]),
                batch(&[bind("kept", 1), message::execute("", 0)]),
            ],
            Self::Fetched => queries(&[
                &format!("declare c cursor for {sql}"),
                "fetch 1 from c",
                "fetch all from c",
            ]),
            Self::Copied(format) => {
                queries(&[&format!("copy ({sql}) to stdout (format {format})")])
            }
            Self::Guarded => queries(&["savepoint s", sql]),
        }
    }

    /// Whether it wants a transaction.
    const fn is_in_transaction(self) -> bool {
        matches!(self, Self::Fetched | Self::Guarded)
    }
}

/// What came of a statement.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Answer {
    pub(crate) rows: Vec<Vec<Option<Raw>>>,
    pub(crate) error: Option<Fields>,
}

/// The header of the binary format of COPY, which comes with the first row.
const HEADER: &[u8] = b"PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0";

impl Answer {
    /// The rows in an order that is the same for the same rows.
    pub(crate) fn sorted(&self) -> Vec<String> {
        let row = |row: &Vec<Option<Raw>>| match row.as_slice() {
            [Some(Raw(data))] => data
                .strip_prefix(HEADER)
                .unwrap_or(data)
                .escape_ascii()
                .to_string(),
            row => format!("{row:?}"),
        };
        let mut rows: Vec<String> = self.rows.iter().map(row).collect();
        rows.sort();
        rows
    }

    pub(crate) fn state(&self) -> Option<&str> {
        self.error.as_ref()?.get(&'C').map(String::as_str)
    }
}

/// Runs a statement, in a transaction that is rolled back if it `writes`, and sees that the session
/// goes on.
pub(crate) fn ask(
    client: &mut Client,
    way: Way,
    sql: &str,
    writes: bool,
) -> Result<Answer, String> {
    let is_in_transaction = writes || way.is_in_transaction();
    if is_in_transaction {
        client.run("begin")?;
    }
    let mut answer = Answer::default();
    for bytes in way.messages(sql) {
        collect(client.exchange(&bytes, 1)?, &mut answer)?;
        if answer.error.is_some() {
            break;
        }
    }
    if way == Way::Guarded {
        client.run("rollback to savepoint s")?;
        client.run("release savepoint s")?;
    }
    if is_in_transaction {
        client.run("rollback")?;
    }
    if way == Way::Prepared {
        client.exchange(
            &[message::on(b'C', b'S', "kept"), message::sync()].concat(),
            1,
        )?;
    }
    if client.rows("select 'goes on'")? != [["goes on"]] {
        return Err("the session does not go on".to_owned());
    }
    Ok(answer)
}

/// Adds what a batch has been answered.
pub(crate) fn collect(messages: Vec<Message>, answer: &mut Answer) -> Result<(), String> {
    for message in messages {
        match message {
            Message::DataRow(values) => answer.rows.push(values),
            Message::Other('d', data) => answer.rows.push(vec![Some(data)]),
            Message::Error(fields) if fields.get(&'V').is_none_or(|one| one != "ERROR") => {
                return Err(format!("the session ends: {fields:?}"));
            }
            Message::Error(fields) => answer.error = Some(fields),
            _ => {}
        }
    }
    if answer.error.is_some() {
        // Rows that came before an error mean nothing.
        answer.rows.clear();
    }
    Ok(())
}
