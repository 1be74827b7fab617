//! Runs the cases on two sides and reports what differs.

use std::collections::{BTreeMap, HashMap};

use super::case::{self, Case, Expectation, Kind, Step};
use super::client::{Address, Client};
use super::compare::{Comparison, Relations};
use super::message::Message;
use super::mode::{self, Call, Mode};
use super::proxy::Proxy;
use super::renaming::Renaming;
use super::skeleton;
use super::wire_script;
use super::world::{Form, Ids, Names, ROLE, forged};

/// A way to one of the worlds.
pub(crate) struct Side {
    /// Where the cases are run.
    address: Address,
    /// Where the database can be put back: the server itself.
    server: Address,
    database: String,
    form: Form,
    /// What a client of this side is shown for the names.
    ids: Ids,
    relations: Relations,
    functions: HashMap<String, u32>,
    /// The types that are none of Postgres's own.
    types: HashMap<String, u32>,
    /// The major version of its Postgres.
    version: u32,
    client: Option<Client>,
}

impl Side {
    /// Looks at a database that exists, through an address that leads to it.
    pub(crate) fn new(
        names: &Names,
        server: &Address,
        address: &Address,
        database: &str,
        form: Form,
    ) -> Result<Self, String> {
        let mut direct = Client::connect(server, ROLE, database)?;
        let relations =
            direct.rows("select oid, oid::regclass from pg_class where oid >= 16384")?;
        let functions = direct.rows(
            "select oid, case when oid < 16384 then proname || '(' || oidvectortypes(proargtypes) || ')'
             else proname end from pg_proc",
        )?;
        let types = direct.rows("select oid, oid::regtype from pg_type where oid >= 16384")?;
        let version = direct.rows("select current_setting('server_version_num')::int / 10000")?;
        let oid = |row: &[String]| row[0].parse::<u32>().expect("an oid is a number");
        let mut client = Client::connect(address, ROLE, database)?;
        Ok(Self {
            ids: names.shown(&mut client)?,
            relations: relations
                .iter()
                .map(|row| (oid(row), row[1].clone()))
                .collect(),
            functions: functions
                .iter()
                .map(|row| (row[1].clone(), oid(row)))
                .collect(),
            types: types.iter().map(|row| (row[1].clone(), oid(row))).collect(),
            version: oid(&version[0]),
            address: address.clone(),
            server: server.clone(),
            database: database.to_owned(),
            form,
            client: Some(client),
        })
    }

    /// The types of the same names as those of another side; 0 for what only that has.
    fn types_like(&self, other: &Self, types: &[u32]) -> Vec<u32> {
        let like = |oid: &u32| {
            let mut names = other.types.iter();
            let name = names.find(|(_, known)| *known == oid).map(|(name, _)| name);
            name.and_then(|name| self.types.get(name)).copied()
        };
        let of = |oid: &u32| match oid {
            0..16_384 => *oid,
            oid => like(oid).unwrap_or(0),
        };
        types.iter().map(of).collect()
    }

    fn connect(&mut self) -> Result<(), String> {
        if self.client.is_none() {
            self.client = Some(Client::connect(&self.address, ROLE, &self.database)?);
        }
        Ok(())
    }

    fn client(&mut self) -> Result<&mut Client, String> {
        self.connect()?;
        self.client.as_mut().ok_or_else(|| "no session".to_owned())
    }

    /// Sends a step and gives the answers.
    fn perform(
        &mut self,
        names: &Names,
        mode: Mode,
        step: &Step,
        known: &[u32],
    ) -> Result<Vec<Message>, String> {
        let text = names.fill(&step.text, &self.ids)?;
        let mut arguments = step.arguments.clone();
        for argument in &mut arguments {
            if let case::Argument::Text(text) = argument {
                *text = names.fill(text, &self.ids)?;
            }
        }
        self.connect()?;
        let client = self.client.as_mut().ok_or("no session")?;
        match step.kind {
            Kind::Wire => wire_script::run(client, &text, |name| {
                let found = self.functions.get(name).copied();
                found.ok_or_else(|| format!("no function is called {name}"))
            }),
            Kind::Statement | Kind::Script => mode::run(
                client,
                mode,
                &Call {
                    sql: &text,
                    arguments: &arguments,
                    types: &step.types,
                    known,
                },
            ),
        }
    }
}

/// What a run of the cases came to.
#[derive(Debug, Default)]
pub(crate) struct Report {
    /// The number of cases by mode.
    pub(crate) runs: BTreeMap<Mode, usize>,
    pub(crate) cases: usize,
    /// The cases that work on the twin, and those of them with a statement that must be refused.
    pub(crate) by_case: Share,
    /// The same of single statements.
    pub(crate) by_statement: Share,
    pub(crate) differences: Vec<String>,
}

impl Report {
    /// What another run has come to.
    pub(crate) fn add(&mut self, other: Self) {
        for (mode, runs) in other.runs {
            *self.runs.entry(mode).or_default() += runs;
        }
        self.cases += other.cases;
        self.by_case.add(&other.by_case);
        self.by_statement.add(&other.by_statement);
        self.differences.extend(other.differences);
    }

    /// A case of which a statement is refused counts as one that is.
    fn count(&mut self, case: &Case) {
        let (working, refused) = (case.working(), case.refused());
        self.by_case.working += usize::from(working > 0);
        self.by_case.refused += usize::from(refused > 0);
        self.by_statement.working += working;
        self.by_statement.refused += refused;
    }
}

/// How many of those that work on the twin are refused.
#[derive(Debug, Default)]
pub(crate) struct Share {
    pub(crate) working: usize,
    pub(crate) refused: usize,
}

impl Share {
    fn add(&mut self, other: &Self) {
        self.working += other.working;
        self.refused += other.refused;
    }
}

impl std::fmt::Display for Share {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let percent = 100.0 * self.refused as f64 / self.working.max(1) as f64;
        write!(f, "{} of {} ({percent:.1} %)", self.refused, self.working)
    }
}

impl std::fmt::Display for Report {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (cases, statements) = (&self.by_case, &self.by_statement);
        write!(
            f,
            "{} cases, refused of those that work on the twin: {cases}",
            self.cases
        )?;
        write!(f, " cases, {statements} statements")?;
        for (mode, runs) in &self.runs {
            write!(f, ", {} {runs}", mode.name())?;
        }
        write!(f, "; {} differences", self.differences.len())
    }
}

/// Two sides to compare: the twin and another.
pub(crate) struct Suite {
    pub(crate) names: Names,
    pub(crate) twin: Side,
    pub(crate) other: Side,
    /// Whether the other side is pgveil, which refuses, and must keep its keys to itself.
    pub(crate) veiled: bool,
    /// Whether it is a pgveil that passes on what it would refuse, of which only that no message is
    /// missing is expected.
    pub(crate) audited: bool,
    /// What the other side is reached through; it goes after the sides.
    pub(crate) proxy: Option<Proxy>,
}

/// What came of a statement that may be refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    Answered,
    Refused,
}

impl Suite {
    /// Runs the cases in all their modes, but for those that use what this version of Postgres does
    /// not have.
    pub(crate) fn run(&mut self, cases: &[Case]) -> Report {
        let mut report = Report::default();
        for case in cases {
            if case.since > self.twin.version {
                continue;
            }
            report.cases += 1;
            report.count(case);
            let mut known = vec![Vec::new(); case.steps.len()];
            for &mode in &case.modes {
                *report.runs.entry(mode).or_default() += 1;
                for difference in self.run_case(case, mode, &mut known) {
                    let at = format!("{} [{}]", case.name, mode.name());
                    report.differences.push(format!("{at}: {difference}"));
                }
                if mode == Mode::Raw {
                    // Statements and portals of the case's own may be left.
                    self.renew();
                }
            }
        }
        report
    }

    /// Lets the sessions that there are begin anew: that is less work for the server than others.
    fn renew(&mut self) {
        for side in [&mut self.twin, &mut self.other] {
            let anew = |client: &mut Client| {
                client.run("rollback")?;
                client.run("discard all")?;
                client.rows("select 'anew'")
            };
            let is_anew = |client: &mut Client| anew(client).is_ok_and(|rows| rows == [["anew"]]);
            if !side.client.as_mut().is_none_or(is_anew) {
                side.client = None;
            }
        }
    }

    fn disconnect(&mut self) {
        self.twin.client = None;
        self.other.client = None;
    }

    /// What is known to stand for each other before a case begins.
    fn renaming(&self, case: &Case) -> Renaming {
        let mut renaming = Renaming::of(self.names.kind);
        let shown: HashMap<_, _> = self.other.ids.iter().collect();
        for (name, twin) in self.twin.ids.iter() {
            let other = shown[name];
            renaming.pair(twin, other);
            renaming.pair(&forged(twin), &forged(other));
        }
        for id in self.names.fixed() {
            renaming.pair(id, id);
        }
        for step in &case.steps {
            renaming.pair_texts(step.text.as_bytes(), step.text.as_bytes());
        }
        renaming
    }

    /// Runs the steps up to one after which the two sides can't be brought together again.
    fn run_case(&mut self, case: &Case, mode: Mode, known: &mut [Vec<u32>]) -> Vec<String> {
        let mut renaming = self.renaming(case);
        let mut differences = Vec::new();
        let mut result = self.both(case, "begin");
        for (step, known) in case.steps.iter().zip(known) {
            if result.is_err() {
                break;
            }
            let found = self.run_step(case, mode, step, known, &mut renaming);
            let Some(difference) = found.transpose() else {
                continue;
            };
            let (Ok(text) | Err(text)) = &difference;
            differences.push(format!("{}\n    {text}", step.text.replace('\n', "\n    ")));
            result = match difference {
                Ok(_) if is_guarded(case, step) => self.both(case, "rollback to guard"),
                Ok(_) | Err(_) => Err("the sides have parted".to_owned()),
            };
        }
        if result.is_err() {
            self.renew();
        }
        if let Err(reason) = self.finish(case) {
            differences.push(reason);
            self.disconnect();
        }
        differences
    }

    /// Leaves both databases as they were.
    fn finish(&mut self, case: &Case) -> Result<(), String> {
        if !case.autocommit {
            return self.both(case, "rollback");
        }
        self.disconnect();
        for side in [&self.twin, &self.other] {
            self.names.reset(&side.server, &side.database, side.form)?;
        }
        Ok(())
    }

    /// Runs SQL of the suite's own on both sides, if the case is within a transaction.
    fn both(&mut self, case: &Case, sql: &str) -> Result<(), String> {
        if !case.autocommit {
            self.twin.client()?.run(sql)?;
            self.other.client()?.run(sql)?;
        }
        Ok(())
    }

    /// The answers of the other side, none of which may hold a key.
    fn answers_of_other(
        &mut self,
        mode: Mode,
        step: &Step,
        known: &[u32],
    ) -> Result<Vec<Message>, String> {
        let answers = self.other.perform(&self.names, mode, step, known);
        let recorded = self.other.client()?.recorded();
        match self.names.canary().find(&recorded) {
            Some(form) if self.veiled => Err(format!("A KEY GOT OUT as {form}: {answers:?}")),
            _ => answers,
        }
    }

    /// Runs a step by itself, of which only that no key gets out is expected.
    pub(crate) fn expose(&mut self, mode: Mode, step: &Step) -> Result<Outcome, String> {
        let answers = self.answers_of_other(mode, step, &[]);
        match answers.as_ref().map(|answers| answers.last()) {
            Ok(Some(Message::ReadyForQuery('I'))) => {}
            Ok(Some(Message::ReadyForQuery(_))) => drop(self.other.client()?.run("rollback")?),
            // The session is over: by an error that says so, or without a word.
            _ => self.disconnect(),
        }
        Ok(outcome(&answers?))
    }

    /// The answers of the other side, which may hold keys.
    fn answers_unseen(&mut self, mode: Mode, step: &Step) -> Result<Vec<Message>, String> {
        let answers = self.other.perform(&self.names, mode, step, &[]);
        drop(self.other.client()?.recorded());
        answers
    }

    /// Runs a step by itself, of which only that the session goes on is expected. Tells whether it did
    /// what it says.
    pub(crate) fn survive(&mut self, mode: Mode, step: &Step) -> Result<Outcome, String> {
        let answers = self.answers_unseen(mode, step);
        match answers.as_ref().map(|answers| answers.last()) {
            Ok(Some(Message::ReadyForQuery('I'))) => {}
            Ok(Some(Message::ReadyForQuery(_))) => drop(self.other.client()?.run("rollback")?),
            _ => {
                self.disconnect();
                let last = answers.map(|answers| answers.last().cloned());
                return Err(format!("{last:?}"));
            }
        }
        Ok(outcome(&answers?))
    }

    /// Runs the steps of a case of which only that the session goes on is expected, and leaves
    /// nothing of them. Tells of each whether it did what it says.
    pub(crate) fn endure(
        &mut self,
        case: &Case,
        mode: Mode,
        steps: &[&Step],
    ) -> Result<Vec<Result<Outcome, String>>, String> {
        let mut outcomes = Vec::new();
        for step in steps {
            let is_guarded = is_guarded(case, step);
            if is_guarded {
                // Where the last step has ended the transaction there is another one.
                let other = self.other.client()?;
                other.run("begin")?;
                other.run("savepoint guard")?;
            }
            let answers = self.answers_unseen(mode, step);
            let last = answers.as_ref().map(|answers| answers.last());
            outcomes.push(match last {
                Ok(Some(Message::ReadyForQuery(status))) => {
                    if *status == 'E' {
                        let back = ["rollback", "rollback to guard"][usize::from(is_guarded)];
                        self.other.client()?.run(back)?;
                    }
                    answers.map(|answers| outcome(&answers))
                }
                _ => {
                    self.disconnect();
                    Err(format!("{:?}", answers.map(|all| all.last().cloned())))
                }
            });
        }
        self.finish_other(case)?;
        Ok(outcomes)
    }

    /// Leaves the other database as it was, and its session.
    fn finish_other(&mut self, case: &Case) -> Result<(), String> {
        self.renew();
        if case.autocommit {
            self.names
                .reset(&self.other.server, &self.other.database, self.other.form)?;
        }
        Ok(())
    }

    /// Runs a statement by itself that pgveil may refuse, but not answer unlike the twin.
    pub(crate) fn probe(&mut self, sql: &str) -> Result<Outcome, String> {
        let step = Step::statement(sql);
        let case = Case::of(sql);
        let answers = self.answers_of_other(Mode::Simple, &step, &[]);
        if answers.is_err() {
            self.disconnect();
        }
        let answers = answers?;
        if outcome(&answers) == Outcome::Refused {
            return Ok(Outcome::Refused);
        }
        let twin = self.twin.perform(&self.names, Mode::Simple, &step, &[])?;
        let mut renaming = self.renaming(&case);
        let difference = Comparison {
            step: &step,
            veiled: self.veiled,
            relations: (&self.twin.relations, &self.other.relations),
            renaming: &mut renaming,
        }
        .difference(&twin, &answers);
        difference.map_or(Ok(Outcome::Answered), Err)
    }

    /// The difference between the answers to a step; an error if no answers can be compared.
    fn run_step(
        &mut self,
        case: &Case,
        mode: Mode,
        step: &Step,
        known: &mut Vec<u32>,
        renaming: &mut Renaming,
    ) -> Result<Option<String>, String> {
        let guarded = is_guarded(case, step);
        if guarded {
            self.both(case, "savepoint guard")?;
        }
        let twin = self.twin.perform(&self.names, mode, step, known)?;
        if mode == Mode::Text {
            *known = mode::described(&twin).to_vec();
        }
        check_twin(step, &twin)?;
        let known = self.other.types_like(&self.twin, known);
        let other = self.answers_of_other(mode, step, &known)?;
        let difference = match &step.expectation {
            Expectation::Same if self.audited => skeleton::missing(Some(&twin), &other),
            _ if self.audited => skeleton::missing(None, &other),
            Expectation::Refused(_) if !self.veiled => None,
            Expectation::Refused(state) => not_refused(state, &other, case),
            _ => Comparison {
                step,
                veiled: self.veiled,
                relations: (&self.twin.relations, &self.other.relations),
                renaming,
            }
            .difference(&twin, &other),
        };
        if guarded && difference.is_none() && step.expectation != Expectation::Same {
            self.both(case, "rollback to guard")?;
        }
        Ok(difference)
    }
}

/// Whether a savepoint is set before the step, to go on from if it fails.
fn is_guarded(case: &Case, step: &Step) -> bool {
    let controls = ["begin", "savepoint", "rollback", "release", "commit"];
    !case.autocommit && !controls.iter().any(|word| step.text.starts_with(word))
}

fn outcome(answers: &[Message]) -> Outcome {
    match answers.iter().find_map(Message::sqlstate) {
        Some(_) => Outcome::Refused,
        None => Outcome::Answered,
    }
}

/// A case whose twin does not do what it says is no oracle.
fn check_twin(step: &Step, twin: &[Message]) -> Result<(), String> {
    let state = twin.iter().find_map(Message::sqlstate);
    let done = twin
        .iter()
        .any(|answer| matches!(answer, Message::CommandComplete(_)));
    match (&step.expectation, state) {
        (Expectation::Same | Expectation::Refused(_), None) => Ok(()),
        // Run a second time, what must be refused may fail of itself.
        (Expectation::Refused(_), Some(_)) if done => Ok(()),
        (Expectation::Fails(states), Some(state)) if states.iter().any(|one| one == state) => {
            Ok(())
        }
        _ => Err(format!("the case is wrong, the twin answers {twin:?}")),
    }
}

/// Why the answers are not a refusal with this SQLSTATE.
fn not_refused(state: &str, answers: &[Message], case: &Case) -> Option<String> {
    let error = answers.iter().find_map(|answer| match answer {
        Message::Error(fields) => Some(fields),
        _ => None,
    });
    let Some(fields) = error else {
        return Some(format!("this is not refused but answered {answers:?}"));
    };
    let is = |letter, value: &str| fields.get(&letter).is_some_and(|field| field == value);
    let ready = Message::ReadyForQuery(if case.autocommit { 'I' } else { 'E' });
    let wrong = if !is('C', state) {
        "has another SQLSTATE"
    } else if !is('V', "ERROR") {
        "has another severity"
    } else if state == "0A000" && !fields.contains_key(&'H') {
        "does not say what to write instead"
    } else if !answers.contains(&ready) {
        "leaves the transaction in another state"
    } else {
        return None;
    };
    Some(format!("the refusal {wrong}: {answers:?}"))
}
