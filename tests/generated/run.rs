//! Runs generated statements on the twin and through pgveil.

use super::duel::{Duel, Exchange, Verdict, Way};
use super::tree::{Rendered, Tree};
use super::twin::case::{Argument, Step};
use super::twin::client::{Address, Client};
use super::twin::message::{self, Value};
use super::twin::renaming::Renaming;
use super::twin::stand::Server;
use super::twin::world::{FIXED, Form, Ids, Names, ROLE, forged};

/// New ids are drawn again from the start after so many statements, before they run out.
const RESTART: usize = 100;

/// How a statement is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Protocol {
    Simple,
    /// Parse, Describe, Bind, Execute; the format of the results.
    Extended(i16),
    /// As something that the session keeps, and is asked for then.
    Kept(Kept),
}

/// What a session keeps of a query.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kept {
    /// `PREPARE`, behind a change of the path that ends before `EXECUTE`.
    Statement,
    /// A cursor, the transaction of which has gone on from another one.
    Cursor,
    /// A temporary view.
    View,
    /// Its rows in a temporary table, dropped and brought back.
    Table,
}

impl Kept {
    pub(crate) const ALL: [Self; 4] = [Self::Statement, Self::Cursor, Self::View, Self::Table];

    /// What is sent: before the statement that is compared, that one, and behind it.
    fn statements(self, sql: &str) -> (Vec<String>, &'static str, &'static [&'static str]) {
        let (before, asked, after): (&[&str], _, &[&str]) = match self {
            Self::Statement => (
                &[
                    "begin",
                    "set local search_path = pg_catalog",
                    "commit and chain",
                    "prepare w as {}",
                ],
                "execute w",
                &["rollback", "deallocate w"],
            ),
            Self::Cursor => (
                &[
                    "begin",
                    "commit and chain",
                    "declare w no scroll cursor for {}",
                ],
                "fetch all from w",
                &["rollback"],
            ),
            Self::View => (
                &["begin", "create temp view w as {}"],
                "select * from w",
                &["rollback"],
            ),
            Self::Table => (
                &[
                    "begin",
                    "create temp table w as {}",
                    "savepoint s",
                    "drop table w",
                    "rollback to s",
                ],
                "table w",
                &["rollback"],
            ),
        };
        let before = before.iter().map(|text| text.replace("{}", sql));
        (before.collect(), asked, after)
    }
}

impl Protocol {
    /// Whether ids are sent beside the text.
    pub(crate) const fn has_parameters(self) -> bool {
        matches!(self, Self::Extended(_))
    }
}

/// What the twin is compared with.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Other<'a> {
    /// Integer keys through pgveil, which listens here.
    Veiled(&'a Address),
    /// Integer keys through a pgveil that passes on what it would refuse.
    Audited(&'a Address),
    /// Integer keys, bare.
    Keys,
    /// Another twin, with other ids.
    Twin,
}

/// Two databases and a session with each.
pub(crate) struct Arena {
    duel: Duel,
    names: Names,
    twin: Ids,
    veil: Ids,
    inside: [Client; 2],
    /// Whether the other is a twin, too.
    is_twin: bool,
    until_restart: usize,
}

impl Arena {
    pub(crate) fn new(server: &Server, name: &str, other: Other<'_>) -> Result<Self, String> {
        let names = Names::load();
        let (at, root) = (&server.address, &server.superuser);
        let databases = [format!("{name}_twin"), format!("{name}_other")];
        let (form, way) = match other {
            Other::Veiled(proxy) | Other::Audited(proxy) => (Form::Key, proxy),
            Other::Keys => (Form::Key, at),
            Other::Twin => (Form::Uuid { salt: 2 }, at),
        };
        names.create(at, root, &databases[0], Form::Uuid { salt: 1 })?;
        names.create(at, root, &databases[1], form)?;
        let mut twin = Way::new(at, at, &databases[0])?;
        let mut veil = Way::new(at, way, &databases[1])?;
        let shown = (names.shown(twin.client()?)?, names.shown(veil.client()?)?);
        let mut duel = Duel::new(twin, veil);
        duel.unissued = true;
        duel.audited = matches!(other, Other::Audited(_));
        Ok(Self {
            twin: shown.0,
            veil: shown.1,
            duel,
            inside: [
                Client::connect(at, ROLE, &databases[0])?,
                Client::connect(at, ROLE, &databases[1])?,
            ],
            names,
            is_twin: form != Form::Key,
            until_restart: 0,
        })
    }

    /// Runs a statement, within a transaction that is rolled back if it changes rows.
    pub(crate) fn judge(
        &mut self,
        statement: &Rendered,
        writes: bool,
        protocol: Protocol,
    ) -> Result<Verdict, String> {
        if writes {
            self.restart()?;
        }
        let mut step = Step::statement(&statement.sql);
        step.early = true;
        let mut renaming = self.renaming();
        let exchanges = (
            self.exchange(statement, writes, protocol, &self.twin)?,
            self.exchange(statement, writes, protocol, &self.veil)?,
        );
        self.duel
            .judge(&step, &mut renaming, (&exchanges.0, &exchanges.1))
    }

    /// What ended the statement on both sides, for a failure to be told from another.
    pub(crate) fn ends(&self) -> (Option<String>, Option<String>) {
        self.duel.ends.clone()
    }

    /// A session with the database of the other.
    pub(crate) fn other(&mut self) -> &mut Client {
        &mut self.inside[1]
    }

    /// A statement with ids for the names of rows.
    pub(crate) fn filled(&self, statement: &Rendered) -> Result<String, String> {
        self.names.fill(&statement.sql, &self.twin)
    }

    /// Draws ids from the start again.
    fn restart(&mut self) -> Result<(), String> {
        if let Some(left) = self.until_restart.checked_sub(1) {
            self.until_restart = left;
            return Ok(());
        }
        self.until_restart = RESTART;
        let [twin, other] = &mut self.inside;
        for (index, domain) in self.names.domains.iter().enumerate() {
            let of_twin = format!("alter sequence twin.ids_{index} restart");
            twin.run(&of_twin)?;
            if self.is_twin {
                other.run(&of_twin)?;
            } else {
                other.run(&format!("alter table {} alter id restart", domain.table()))?;
            }
        }
        Ok(())
    }

    fn renaming(&self) -> Renaming {
        let mut renaming = Renaming::default();
        let shown: std::collections::HashMap<_, _> = self.veil.iter().collect();
        for (name, twin) in self.twin.iter() {
            let veil = shown[name];
            renaming.pair(twin, veil);
            renaming.pair(&forged(twin), &forged(veil));
        }
        for (_, id) in FIXED {
            renaming.pair(id, id);
        }
        renaming
    }

    fn exchange(
        &self,
        statement: &Rendered,
        writes: bool,
        protocol: Protocol,
        ids: &Ids,
    ) -> Result<Exchange, String> {
        let sql = self.names.fill(&statement.sql, ids)?;
        let mut exchange = Exchange::default();
        if writes {
            exchange.aside("begin");
        }
        match protocol {
            Protocol::Simple => exchange.judged(&message::query(&sql)),
            Protocol::Kept(kept) => {
                let (before, asked, after) = kept.statements(&sql);
                before.iter().for_each(|text| exchange.aside(text));
                exchange.judged(&message::query(asked));
                after.iter().for_each(|text| exchange.aside(text));
            }
            Protocol::Extended(format) => {
                let value = |text: &String| {
                    let bytes = Some(self.names.fill(text, ids)?.into_bytes());
                    Ok(Value { format: 0, bytes })
                };
                let values = statement.values.iter().map(value);
                let values = values.collect::<Result<Vec<_>, String>>()?;
                let all = [
                    message::parse("", &sql, &[]),
                    message::on(b'D', b'S', ""),
                    message::bind("", "", &values, format),
                    message::execute("", 0),
                    message::sync(),
                ];
                exchange.judged(&all.concat());
            }
        }
        if writes {
            exchange.aside("rollback");
        }
        Ok(exchange)
    }
}

/// A statement that failed, made as small as it will go.
pub(crate) fn shrink(
    arena: &mut Arena,
    tree: &Tree,
    writes: bool,
    protocol: Protocol,
) -> (Tree, Protocol) {
    let mut smallest = tree.clone();
    let mut budget = 600_usize;
    let Some(failure) = failure(arena, &smallest, writes, protocol) else {
        return (smallest, protocol);
    };
    let protocol = match self::failure(arena, &smallest, writes, Protocol::Simple) {
        Some(other) if other == failure => Protocol::Simple,
        _ => protocol,
    };
    loop {
        let mut next = None;
        for smaller in smallest.smaller() {
            if budget == 0 {
                break;
            }
            budget -= 1;
            if self::failure(arena, &smaller, writes, protocol).as_ref() == Some(&failure) {
                next = Some(smaller);
                break;
            }
        }
        match next {
            Some(smaller) => smallest = smaller,
            None => return (smallest, protocol),
        }
    }
}

/// How a statement fails: whether a key got out, and the errors of both sides.
type Failure = (bool, (Option<String>, Option<String>));

fn failure(arena: &mut Arena, tree: &Tree, writes: bool, protocol: Protocol) -> Option<Failure> {
    let rendered = tree.render(protocol.has_parameters());
    match arena.judge(&rendered, writes, protocol) {
        Ok(Verdict::Leaked(_)) => Some((true, (None, None))),
        Ok(ref verdict @ Verdict::Differing(_)) if super::exception(verdict).is_none() => {
            Some((false, arena.ends()))
        }
        _ => None,
    }
}

/// The statement as one can run it by hand.
pub(crate) fn spelled(tree: &Tree, protocol: Protocol) -> String {
    let Rendered { sql, values, .. } = tree.render(protocol.has_parameters());
    let values: Vec<_> = values.into_iter().map(Argument::Text).collect();
    match protocol {
        Protocol::Simple => sql,
        Protocol::Kept(kept) => {
            let (before, asked, after) = kept.statements(&sql);
            let after = after.iter().map(|text| (*text).to_owned());
            let all = before.into_iter().chain([asked.to_owned()]).chain(after);
            all.collect::<Vec<_>>().join(";\n    ")
        }
        Protocol::Extended(format) => format!("{sql}\n    -- format {format}, values {values:?}"),
    }
}
