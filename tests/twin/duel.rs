//! Two sessions that are sent the same, one with the twin and one with pgveil: whether what they
//! answer is the same but for a renaming of ids, whether pgveil refuses, and whether a key is
//! among its bytes. Unlike a case of the suite, nobody has said what to expect.

use super::twin::canary::Canary;
use super::twin::case::Step;
use super::twin::client::{Address, Client};
use super::twin::compare::{Comparison, Relations};
use super::twin::message::{Message, Raw, query};
use super::twin::renaming::Renaming;
use super::twin::skeleton;
use super::twin::world::ROLE;

/// The SQLSTATEs by which pgveil refuses what Postgres would do: not supported, not parsed, too
/// complex, and a name that its catalog does not have.
const REFUSALS: [&str; 5] = ["0A000", "42601", "54001", "42P01", "42703"];

/// What came of a statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// Both did it, with the same answers.
    Equal,
    /// Both refused it in the same words; the SQLSTATE.
    EqualError(String),
    /// The twin does it, pgveil does not; the SQLSTATE and the gist of the message.
    Refused(String),
    /// The twin fails, and so does pgveil, but with a refusal of its own.
    RefusedError(String),
    /// Anything else.
    Differing(String),
    /// A key was among the bytes that pgveil sent.
    Leaked(String),
}

/// A way to a database.
pub(crate) struct Way {
    address: Address,
    database: String,
    relations: Relations,
    client: Option<Client>,
}

impl Way {
    /// The way to a database of this server through that address.
    pub(crate) fn new(server: &Address, address: &Address, database: &str) -> Result<Self, String> {
        let known = "select oid, oid::regclass from pg_class where oid >= 16384";
        let rows = Client::connect(server, ROLE, database)?.rows(known)?;
        let relation = |row: &Vec<String>| Some((row.first()?.parse().ok()?, row.get(1)?.clone()));
        Ok(Self {
            address: address.clone(),
            database: database.to_owned(),
            relations: rows.iter().filter_map(relation).collect(),
            client: None,
        })
    }

    /// The session, opened if there is none.
    pub(crate) fn client(&mut self) -> Result<&mut Client, String> {
        if self.client.is_none() {
            self.client = Some(Client::connect(&self.address, ROLE, &self.database)?);
        }
        self.client.as_mut().ok_or_else(|| "no session".to_owned())
    }

    /// The answers up to each ReadyForQuery.
    fn ask(&mut self, exchange: &Exchange) -> Result<Vec<Vec<Message>>, String> {
        let answers = self.client()?.exchange(&exchange.bytes, exchange.ready)?;
        let is_end = |message: &Message| matches!(message, Message::ReadyForQuery(_));
        let groups: Vec<_> = answers.split_inclusive(is_end).map(<[_]>::to_vec).collect();
        if groups.len() == exchange.ready {
            Ok(groups)
        } else {
            Err(format!("the session ended: {:?}", groups.last()))
        }
    }
}

/// Messages that are sent at once.
#[derive(Debug, Clone, Default)]
pub(crate) struct Exchange {
    bytes: Vec<u8>,
    ready: usize,
    /// Which of the answers are compared.
    judged: Vec<usize>,
}

impl Exchange {
    /// Adds a statement that prepares or cleans up; how it ends is not looked at.
    pub(crate) fn aside(&mut self, sql: &str) {
        self.bytes.extend(query(sql));
        self.ready += 1;
    }

    /// Adds messages that end in one ReadyForQuery; the answers are compared.
    pub(crate) fn judged(&mut self, bytes: &[u8]) {
        self.bytes.extend(bytes);
        self.judged.push(self.ready);
        self.ready += 1;
    }
}

/// The two sessions.
pub(crate) struct Duel {
    pub(crate) twin: Way,
    pub(crate) veil: Way,
    canary: Canary,
    /// What was wanted of a row but is there already, by the twin's last answers.
    pub(crate) conflict: Option<String>,
    /// The SQLSTATEs with which the two sides failed last.
    pub(crate) ends: (Option<String>, Option<String>),
    /// Whether rows are compared.
    pub(crate) rows: bool,
    /// Whether it is a refusal, and no difference, where pgveil says of a value that it was never issued.
    pub(crate) unissued: bool,
    /// Whether pgveil passes on what it would refuse: then only that no message is missing is judged.
    pub(crate) audited: bool,
}

impl Duel {
    /// The sessions are opened when they are needed.
    pub(crate) fn new(twin: Way, veil: Way) -> Self {
        Self {
            twin,
            veil,
            canary: Canary::new(),
            conflict: None,
            ends: (None, None),
            rows: true,
            unissued: false,
            audited: false,
        }
    }

    /// Sends each side its messages and judges the answers. `step` says how to compare; what the
    /// ids of the two sides stand for is taken from `renaming` and added to it.
    pub(crate) fn judge(
        &mut self,
        step: &Step,
        renaming: &mut Renaming,
        (to_twin, to_veil): (&Exchange, &Exchange),
    ) -> Result<Verdict, String> {
        let twin = self.twin.ask(to_twin);
        if twin.is_err() {
            self.twin.client = None;
        }
        let veil = self.veil.ask(to_veil);
        let recorded = match self.veil.client.as_mut() {
            Some(client) => client.recorded(),
            None => Vec::new(),
        };
        if veil.is_err() {
            self.veil.client = None;
        }
        if let (Some(form), false) = (self.canary.find(&recorded), self.audited) {
            let answers = String::from_utf8_lossy(&recorded).into_owned();
            return Ok(Verdict::Leaked(format!("as {form}: {answers:?}")));
        }
        let (twin, veil) = match (twin, veil) {
            (Ok(twin), Ok(veil)) => (twin, veil),
            (Err(twin), Err(_)) => return Err(twin),
            (Err(twin), Ok(_)) => return Ok(Verdict::Differing(format!("only the twin: {twin}"))),
            (Ok(_), Err(veil)) => return Ok(Verdict::Differing(format!("only pgveil: {veil}"))),
        };
        let last = to_twin.judged.last().map(|&group| twin[group].as_slice());
        self.conflict = last.and_then(conflict);
        let mut verdicts = Vec::new();
        for &group in &to_twin.judged {
            verdicts.push(match preparation(&twin, &veil, group) {
                Some(gist) => Verdict::Refused(gist),
                None => self.compare(step, renaming, &twin[group], &veil[group]),
            });
        }
        // What pgveil knows when it describes a statement, the twin may find out when it runs it.
        Ok(match verdicts.pop() {
            Some(error @ Verdict::EqualError(_)) => error,
            last => {
                let first = verdicts.into_iter().chain(last);
                first
                    .reduce(|a, b| if a == Verdict::Equal { b } else { a })
                    .unwrap_or(Verdict::Equal)
            }
        })
    }

    fn compare(
        &mut self,
        step: &Step,
        renaming: &mut Renaming,
        twin: &[Message],
        veil: &[Message],
    ) -> Verdict {
        let (twin_state, veil_state) = (state(twin), state(veil));
        if self.audited {
            return self.heard(twin, veil);
        }
        self.ends = (twin_state.clone(), veil_state.clone());
        let refused = veil_state.as_deref().is_some_and(|state| {
            let is_same =
                veil_state == twin_state && (state != "0A000" || gist(veil) == gist(twin));
            // What was never issued is told like a key that is missing, where both fail for that.
            let of_rows = |state: &String| state.starts_with("23");
            let is_missing = state == "22023" && twin_state.as_ref().is_some_and(of_rows);
            let is_refusal = REFUSALS.contains(&state) || self.unissued && state == "22023";
            is_refusal && !is_same && !is_missing
        });
        match (&twin_state, refused) {
            (None, true) => return Verdict::Refused(gist(veil)),
            (Some(_), true) => return Verdict::RefusedError(gist(veil)),
            _ => {}
        }
        let (mut twin, mut veil) = (unpacked(twin), unpacked(veil));
        if !self.rows {
            let is_row = |answer: &Message| {
                matches!(answer, Message::DataRow(_) | Message::CommandComplete(_))
            };
            twin.retain(|answer| !is_row(answer));
            veil.retain(|answer| !is_row(answer));
        }
        let mut step = step.clone();
        if twin_state.as_deref() == Some("42601") {
            // pgveil says in the detail why it has to parse a statement at all.
            step.except.push('D');
        }
        let difference = Comparison {
            step: &step,
            veiled: true,
            relations: (&self.twin.relations, &self.veil.relations),
            renaming,
        }
        .difference(&twin, &veil);
        match (difference, twin_state) {
            (None, None) => Verdict::Equal,
            (None, Some(state)) => Verdict::EqualError(state),
            (Some(difference), _) => Verdict::Differing(difference),
        }
    }
}

impl Duel {
    /// The verdict on what was passed on or translated: whether no message of the answer is missing.
    fn heard(&self, twin: &[Message], veil: &[Message]) -> Verdict {
        let both_work = state(twin).is_none() && state(veil).is_none();
        let compared = (both_work && self.rows).then_some(twin);
        match (skeleton::missing(compared, veil), state(veil)) {
            (Some(missing), _) => Verdict::Differing(missing),
            (None, Some(_)) if state(twin).is_none() => Verdict::Refused(gist(veil)),
            (None, Some(state)) => Verdict::EqualError(state),
            (None, None) => Verdict::Equal,
        }
    }
}

/// The SQLSTATE with which answers end.
fn state(answers: &[Message]) -> Option<String> {
    let found = answers.iter().find_map(Message::sqlstate);
    found.map(str::to_owned)
}

/// The constraint that a row violates by being there twice.
fn conflict(answers: &[Message]) -> Option<String> {
    let error = answers.iter().find_map(|answer| match answer {
        Message::Error(fields) => Some(fields),
        _ => None,
    })?;
    let is_unique = error.get(&'C').is_some_and(|state| state == "23505");
    is_unique.then(|| error.get(&'n').cloned()).flatten()
}

/// The refusal of what was to prepare a statement, if that is why pgveil does not run it.
fn preparation(twin: &[Vec<Message>], veil: &[Vec<Message>], group: usize) -> Option<String> {
    let aborted = Some("25P02".to_owned());
    if state(&veil[group]) != aborted || state(&twin[group]) == aborted {
        return None;
    }
    let failed = veil[..group]
        .iter()
        .find(|answers| state(answers).is_some());
    failed.map(|answers| gist(answers))
}

/// The SQLSTATE and message of the first error, without what is quoted in it.
pub(crate) fn gist(answers: &[Message]) -> String {
    let error = answers.iter().find_map(|answer| match answer {
        Message::Error(fields) => Some(fields),
        _ => None,
    });
    let field = |letter| {
        let found = error.and_then(|fields| fields.get(&letter));
        found.map(String::as_str).unwrap_or_default()
    };
    let mut message = String::new();
    let (mut is_quoted, mut depth) = (false, 0_u32);
    for character in field('M').chars() {
        match character {
            '"' | '`' => {
                is_quoted = !is_quoted;
                if is_quoted {
                    message.push('…');
                }
            }
            '(' if !is_quoted => {
                depth += 1;
                message.push_str("(…)");
            }
            ')' if !is_quoted => depth = depth.saturating_sub(1),
            other if !is_quoted && depth == 0 => message.push(other),
            _ => {}
        }
    }
    format!("{} {message}", field('C'))
}

/// The answers with the data of COPY as rows, so that ids in it are found.
fn unpacked(answers: &[Message]) -> Vec<Message> {
    let mut unpacked = Vec::new();
    for answer in answers {
        match answer {
            Message::Other('d', Raw(data)) if data.starts_with(b"PGCOPY\n\xff\r\n\0") => {
                unpacked.extend(binary_row(data.get(19..).unwrap_or_default()));
            }
            Message::Other('d', Raw(data)) => match binary_row(data) {
                Some(row) => unpacked.push(row),
                None => unpacked.push(Message::DataRow(vec![Some(Raw(data.clone()))])),
            },
            other => unpacked.push(other.clone()),
        }
    }
    unpacked
}

/// A tuple of COPY in binary that fills the data exactly; text never begins with a zero byte.
fn binary_row(data: &[u8]) -> Option<Message> {
    let (&[0, count], mut rest) = data.split_first_chunk()? else {
        return None;
    };
    let mut values = Vec::new();
    for _ in 0..count {
        let (length, after) = rest.split_first_chunk()?;
        rest = after;
        let Ok(length) = usize::try_from(i32::from_be_bytes(*length)) else {
            values.push(None);
            continue;
        };
        let (value, after) = rest.split_at_checked(length)?;
        values.push(Some(Raw(value.to_vec())));
        rest = after;
    }
    rest.is_empty().then_some(Message::DataRow(values))
}
