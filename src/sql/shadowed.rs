//! What a session owns in front of what lasts: code of the database that looks for its names when it
//! runs means the session's temporary relations and types, which it has filled as it likes. What a
//! trigger writes there would be a key in the open, and what it finds there for an annotated column a
//! number of the client's choice.
//!
//! Code that Postgres reads when it is defined means what it meant then: views, expressions, and
//! bodies in the syntax of SQL. What a statement says itself, and functions in SQL that it calls, are
//! analysed by what their names mean. For all other code it is enough that any of it names what the
//! session owns: then no statement runs any. Code that puts names together may name whatever there is.

use std::collections::{HashMap, HashSet};

use super::Context;
use super::elsewhere::LateNames;
use super::implicit_calls::hidden_calls;
use super::late::{builds_names, late_code, looked_for, made_by, makes_in_front};
use super::lex::{self, identifiers, identifiers_in_body, names_in_code, possible_names};
use super::parse::keywords::is_keyword;
use super::plan::PathChange;
use super::refusal::Refusal;
use super::statement::Analysis;
use crate::catalog::{
    Code, Function, HiddenCall, Oid, Relation, SearchPath, Snapshot, is_temporary,
};

const HINT: &str = "Give the temporary relation or type a name that no code of the database has in \
                    it, or drop it before.";

const STRAYING: &str = "a statement that runs code of the database which finds, by this search_path, a \
                        table with other ids in it than the one of that name where the code is defined";

const HINT_STRAYING: &str = "Have the code say the schema of what it names, give its function a \
                             search_path of its own, or annotate both tables alike.";

const HINT_BUILT: &str = "Drop the session's temporary relations and types before.";

/// Words that make a column count by a sequence of its own.
const COUNTING: &[&str] = &[
    "bigserial",
    "identity",
    "including",
    "serial",
    "serial2",
    "serial4",
    "serial8",
    "smallserial",
];

/// What begins a statement that only reads, as far as its other words tell.
const READING: &[&str] = &[
    "", "declare", "explain", "fetch", "move", "prepare", "select", "table", "values", "with",
];

/// What begins a statement that runs no code of the database.
const RUNS_NOTHING: [&str; 5] = ["close", "deallocate", "discard", "drop", "show"];

/// So many bytes of a table's name are in that of a sequence of it for certain, which Postgres may
/// have shortened.
const LEAST_OF_TABLE: usize = 25;

/// What gets a name of the session's own.
struct Put<'t> {
    name: &'t str,
    /// The names of its sequences, as far as they are said.
    sequences: Vec<&'t str>,
    /// Whether there may be others, which have its name in theirs.
    counts: bool,
}

impl Put<'_> {
    /// Whether something of it may have a name.
    fn may_be(&self, name: &str) -> bool {
        let of_table = self.name.floor_char_boundary(LEAST_OF_TABLE);
        self.name == name
            || self.sequences.contains(&name)
            || self.counts
                && name.contains("_seq")
                && (self.name.get(..of_table)).is_some_and(|table| name.starts_with(table))
    }
}

/// Whether a statement may run code that means what the session owns: some code of the database has a
/// name of that in it, or may put it together.
fn may_stand_in_front(context: &Context<'_>) -> bool {
    let snapshot = context.snapshot;
    let owned = snapshot.owned();
    let own_code = || {
        let schema = snapshot.temporary_schema();
        schema.is_some_and(|schema| snapshot.functions().are_in(schema))
    };
    snapshot.has_ids()
        && (context.fronted
            || !owned.is_empty()
                && (late_code(snapshot).builds || stands_in_front(snapshot) || own_code()))
}

/// Whether names in code that a statement may run can mean other relations than where it is defined,
/// be they the session's own.
pub(super) fn may_mean_others(context: &Context<'_>) -> bool {
    may_stand_in_front(context)
        || context.snapshot.has_ids() && !context.snapshot.diverging().is_empty()
}

/// Whether late code has the name of something that the session owns.
fn stands_in_front(snapshot: &Snapshot) -> bool {
    let names = &late_code(snapshot).names;
    let mut owned = snapshot.owned().iter();
    owned.any(|own| names.contains(own.as_str()))
}

impl Analysis<'_> {
    /// Refuses a statement that runs code of the database in which a name means, for this session,
    /// something of its own.
    pub(super) fn check_shadowed(&self) -> Result<(), Box<Refusal>> {
        let snapshot = self.context.snapshot;
        if !snapshot.has_ids() {
            return Ok(());
        }
        if let Some(put) = self.put_in_front() {
            let mut reach = self.put_off();
            reach.follow(|named| put.may_be(named))?;
            if reach.is_named || reach.builds {
                return Err(self.refuse(
                    "a temporary relation or type in front of one that deferred triggers name",
                    HINT,
                ));
            }
        }
        if RUNS_NOTHING.contains(&self.word(0)) || !may_mean_others(self.context) {
            return Ok(());
        }
        let owned = snapshot.owned();
        let reach = self.reached(Said::Late, |name| owned.iter().any(|own| own == name))?;
        if reach.is_late && self.context.fronted {
            return Err(self.unseen());
        }
        if reach.strays {
            return Err(self.refuse(STRAYING, HINT_STRAYING));
        }
        if reach.is_named || reach.is_late && stands_in_front(snapshot) {
            return Err(self.refuse(
                "a statement that runs code of the database while the session has put a temporary \
                 relation or type in front of what such code names",
                HINT,
            ));
        }
        if reach.builds && !owned.is_empty() {
            return Err(self.refuse(
                "a statement that runs code of the database which puts names together, while the \
                 session has temporary relations or types that these could mean",
                HINT_BUILT,
            ));
        }
        Ok(())
    }

    /// Refuses a statement that may move the search path itself, and runs code that finds others by
    /// another one.
    pub(super) fn check_moving(&self, change: &PathChange) -> Result<(), Box<Refusal>> {
        let moves = matches!(change, PathChange::Predicted { .. } | PathChange::Unknown);
        let snapshot = self.context.snapshot;
        let only_moves = ["set", "reset", "discard"].contains(&self.word(0));
        if !moves || only_moves || !snapshot.has_ids() || snapshot.diverging().is_empty() {
            return Ok(());
        }
        match self.reached(Said::Elsewhere, |_| false)?.strays {
            true => Err(self.refuse(STRAYING, HINT_STRAYING)),
            false => Ok(()),
        }
    }

    /// Whether code that the statement runs may put a temporary relation in front of one that lasts:
    /// a name behind it means that, and no statement tells what is in it.
    pub(super) fn makes_in_front(&self) -> Result<bool, Box<Refusal>> {
        let by_path = self.path.is_some_and(SearchPath::creates_temporary);
        let is_inert = RUNS_NOTHING.contains(&self.word(0)) || self.defines_for_later();
        let may = makes_in_front(self.context.snapshot) || by_path;
        if is_inert || !may || !self.context.snapshot.has_ids() {
            return Ok(false);
        }
        let reach = match self.word(0) {
            "commit" | "end" => {
                let mut reach = self.put_off();
                reach.follow(|_| false)?;
                reach
            }
            _ => self.reached(Said::Late, |_| false)?,
        };
        // What puts names together may call what makes one.
        Ok(reach.makes || reach.builds || by_path && reach.is_late)
    }

    /// What the statement may run, where code in it looks for names so, and whether that has one for
    /// which something holds.
    fn reached(&self, late: Said, holds: impl Fn(&str) -> bool) -> Result<Reach<'_>, Box<Refusal>> {
        let mut reach = Reach::new(self);
        reach.late = late;
        let literals = self.context.standard_conforming_strings;
        let inside = identifiers_in_body(self.tokens, literals);
        let done = self.done().max(Done::by(inside.iter().map(String::as_str)));
        reach.say(self.text, self.tokens, Said::Here, done);
        for word in &inside {
            reach.add(word, Said::Here, done);
        }
        reach.follow(holds)?;
        Ok(reach)
    }

    /// What the statement does by its own words.
    fn done(&self) -> Done {
        let locks = |at: usize| matches!(self.word(at), "for" | "key");
        let words = (0..self.tokens.len())
            // `FOR UPDATE`, `FOR NO KEY UPDATE`
            .filter(|at| !(self.word(*at) == "update" && at.checked_sub(1).is_some_and(locks)))
            .map(|at| self.word(at));
        let least = match READING.contains(&self.word(0)) {
            true => Done::Read,
            false => Done::Written,
        };
        least.max(Done::by(words))
    }

    /// What the statement makes of the session's own.
    fn put_in_front(&self) -> Option<Put<'_>> {
        const KINDS: [&str; 5] = ["table", "view", "sequence", "type", "domain"];
        let name = match self.defined() {
            Some(of) if of.creates && KINDS.contains(&of.kind) => {
                let at = self.behind_options(of.at + 1);
                self.makes_temporary_at(at, of.at)
                    .then(|| self.name_at(at).1)
            }
            Some(of) if !of.creates && KINDS.contains(&of.kind) => {
                let at = self.behind_options(of.at + 1);
                let is_type = matches!(of.kind, "type" | "domain");
                let is_own = is_type || self.temporary_at(at).is_some();
                match self.position("rename") {
                    Some(at) if self.word(at + 1) == "to" => is_own.then(|| self.last_word()),
                    // A column, a value of an enum.
                    Some(_) => None,
                    None => (is_own && !is_type).then(|| self.name_at(at).1),
                }
            }
            Some(of) if !of.creates && self.position("rename").is_some() => {
                let at = self.behind_options(of.at + 1);
                self.temporary_at(at).map(|_| self.last_word())
            }
            None if matches!(self.word(0), "select" | "with") => {
                let into = self.selects_into()?;
                let name = self.name_at(self.named_into(into)).1;
                self.stores_temporary(into).then_some(name)
            }
            _ => None,
        };
        let said = (0..self.tokens.len())
            .filter(|at| self.word(*at) == "sequence" && self.word(at + 1) == "name");
        Some(Put {
            name: name?,
            sequences: said.map(|at| self.name_at(at + 2).1).collect(),
            counts: identifiers(self.tokens).any(|word| COUNTING.contains(&word)),
        })
    }

    /// Whether names of the statements behind it, or of their code, mean something else: it takes the
    /// name of what lasts.
    pub(super) fn puts_in_front(&self) -> bool {
        let lasts = |put: Put<'_>| {
            let mut named = self.context.snapshot.named(put.name);
            named.any(|relation| !is_temporary(&relation.schema))
        };
        self.context.snapshot.has_ids() && self.put_in_front().is_some_and(lasts)
    }

    /// Whether names of the statements behind it mean something else as it takes relations of keys away
    /// that are the session's own.
    pub(super) fn takes_own_keys(&self) -> bool {
        const MANY: [&str; 7] = [
            "all",
            "cascade",
            "owned",
            "schema",
            "temp",
            "temporary",
            "type",
        ];
        let snapshot = self.context.snapshot;
        if !matches!(self.word(0), "drop" | "discard") {
            return false;
        }
        let is_own = |name: &str| {
            let mut named = snapshot.named(name);
            named.any(|relation| relation.protected && is_temporary(&relation.schema))
        };
        let takes_many = identifiers(self.tokens).any(|word| MANY.contains(&word));
        let mut owned = snapshot.owned().iter();
        identifiers(self.tokens).any(is_own) || takes_many && owned.any(|name| is_own(name))
    }

    /// Whether code of the database may mean what the statement makes.
    pub(super) fn may_front(&self) -> bool {
        let snapshot = self.context.snapshot;
        let is_meant = |put: Put<'_>| {
            let late = late_code(snapshot);
            late.builds || late.names.iter().any(|name| put.may_be(name))
        };
        snapshot.has_ids() && self.put_in_front().is_some_and(is_meant)
    }

    /// Whether one of some words is a name that such code has which may run when the transaction
    /// ends, or that code may put names together.
    pub(super) fn names_late(&self, words: &[String]) -> Result<bool, Box<Refusal>> {
        let snapshot = self.context.snapshot;
        let mut reach = self.put_off();
        reach.follow(|named| {
            let may_be_made = snapshot.is_relation_name(named) || !is_keyword(named);
            may_be_made && words.iter().any(|word| word == named)
        })?;
        Ok(reach.is_named || reach.builds)
    }

    /// The code that may run when the transaction ends.
    fn put_off(&self) -> Reach<'_> {
        let mut reach = Reach::new(self);
        for relation in self.context.snapshot.relations() {
            for run in relation.runs.iter().filter(|run| run.late) {
                reach.run(run.function, None, Said::Late);
                for name in run
                    .arguments
                    .as_deref()
                    .into_iter()
                    .flat_map(possible_names)
                {
                    reach.add(&name, Said::Late, Done::Changed);
                }
            }
        }
        reach
    }
}

/// Where a name is said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Said {
    /// By the statement.
    Here,
    /// By a definition, which names what it meant when it was made.
    Before,
    /// By code that looks for it when it runs, by the path of the session.
    Late,
    /// By such code, by the path of another role or time.
    Elsewhere,
    /// By such code, by a path that a function has of its own: no session chooses what is found.
    Settled,
}

impl Said {
    const fn is_late(self) -> bool {
        matches!(self, Self::Late | Self::Elsewhere | Self::Settled)
    }
}

/// What is done to rows, by the words of the text that names a relation.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Done {
    /// They are read.
    #[default]
    Read,
    /// They may be written, and what runs then may run.
    Written,
    /// They may be changed or deleted, and with them those that refer to them.
    Changed,
}

impl Done {
    /// What a text does that has these words, in whatever order.
    fn by<'w>(words: impl Iterator<Item = &'w str>) -> Self {
        let done = words.map(|word| match word {
            "delete" | "merge" | "truncate" | "update" => Self::Changed,
            "copy" | "insert" => Self::Written,
            _ => Self::Read,
        });
        done.max().unwrap_or_default()
    }
}

/// A name that is to be followed.
type Name = (String, Said, Done);

/// What may be run, found by the names in code.
struct Reach<'a> {
    analysis: &'a Analysis<'a>,
    /// Names to be followed.
    names: Vec<Name>,
    seen: HashSet<Name>,
    /// Functions to be followed that run as late code, and the relations for which they do.
    functions: Vec<(Oid, Option<Oid>, Said)>,
    ran: HashSet<(Oid, Option<Oid>, Said)>,
    /// Relations to be followed.
    relations: Vec<(Oid, Done, Said)>,
    touched: HashMap<(Oid, Said), Done>,
    /// How the code that is run by the statement itself looks for names.
    late: Said,
    /// Whether code runs that looks for names.
    is_late: bool,
    /// Whether such code has a name that is looked for.
    is_named: bool,
    /// Whether such code may put names together.
    builds: bool,
    /// Whether code makes temporary relations.
    makes: bool,
    /// Whether such code finds others than it should.
    strays: bool,
    /// Of which code that is known.
    looked: HashSet<(Oid, Option<Oid>, Said)>,
}

impl<'a> Reach<'a> {
    fn new(analysis: &'a Analysis<'a>) -> Self {
        Self {
            analysis,
            names: Vec::new(),
            seen: HashSet::new(),
            functions: Vec::new(),
            ran: HashSet::new(),
            relations: Vec::new(),
            touched: HashMap::new(),
            is_late: false,
            is_named: false,
            builds: false,
            makes: false,
            strays: false,
            looked: HashSet::new(),
            late: Said::Late,
        }
    }

    const fn snapshot(&self) -> &'a Snapshot {
        self.analysis.context.snapshot
    }

    fn add(&mut self, name: &str, said: Said, done: Done) {
        let name = (name.to_owned(), said, done);
        if !self.seen.contains(&name) {
            self.names.push(name.clone());
            self.seen.insert(name);
        }
    }

    /// Takes the names in a text, and what runs by its operators.
    fn say(&mut self, text: &str, tokens: &[lex::Token<'_>], said: Said, done: Done) {
        for word in identifiers(tokens) {
            self.add(word, said, done);
        }
        self.run_hidden(text, tokens);
    }

    /// What runs by operators and casts in a text.
    fn run_hidden(&mut self, text: &str, tokens: &[lex::Token<'_>]) {
        let context = self.analysis.context;
        for (call, _) in hidden_calls(tokens, text, context) {
            if let HiddenCall::Defined(function) = call {
                self.run(function.oid, None, self.late);
            }
        }
    }

    /// Goes through all that may run, and whether late code has a name for which something holds.
    fn follow(&mut self, holds: impl Fn(&str) -> bool) -> Result<(), Box<Refusal>> {
        let snapshot = self.snapshot();
        loop {
            while let Some(function) = self.functions.pop() {
                let (function, relation, said) = function;
                if let Some(function) = snapshot.functions().function(function) {
                    self.call(function, said, relation)?;
                }
            }
            if let Some((name, said, done)) = self.names.pop() {
                self.is_named |= said.is_late() && holds(&name);
                let functions = snapshot.functions().of_user(None, &name);
                for function in functions.filter(|of| !of.is_of_triggers()) {
                    self.call(function, said, None)?;
                }
                let late = self.late_in(said);
                for function in snapshot.checked_by(&name) {
                    self.run(function, None, late);
                }
                let meant = self.meant(&name, said).into_iter();
                self.relations.extend(meant.map(|of| (of.oid, done, late)));
            }
            match self.relations.pop() {
                Some((relation, done, late)) => self.touch(relation, done, late)?,
                None if self.names.is_empty() && self.functions.is_empty() => return Ok(()),
                None => {}
            }
        }
    }

    /// The relations that a name may mean.
    fn meant(&self, name: &str, said: Said) -> Vec<&'a Relation> {
        let snapshot = self.snapshot();
        let own = |path| {
            let found = snapshot.resolve(None, name, path);
            found.is_some_and(|relation| is_temporary(&relation.schema))
        };
        let is_qualified = || {
            let tokens = 1..self.analysis.tokens.len();
            tokens.clone().any(|at| {
                self.analysis.word(at) == name && self.analysis.punctuation(at - 1) == "."
            })
        };
        let only_own = said == Said::Here && self.analysis.path.is_some_and(own) && !is_qualified();
        let named = snapshot.named(name);
        named
            .filter(|of| !only_own || is_temporary(&of.schema))
            .collect()
    }

    /// A function in SQL that a statement calls is analysed by its body, unless the configuration
    /// says what it takes and gives.
    fn call(
        &mut self,
        function: &Function,
        said: Said,
        relation: Option<Oid>,
    ) -> Result<(), Box<Refusal>> {
        let analysed = match said {
            said if said.is_late() => said,
            _ if function.declared.is_some() => self.late,
            _ => Said::Before,
        };
        let (code, said) = match &function.code {
            Code::Hidden => return Ok(()),
            Code::Sql(code) => (code, analysed),
            Code::Atomic(code) => (code, Said::Before),
            Code::Other(code) => (code, self.late_in(said)),
        };
        self.analysis.budget.pay_to_read(code.len())?;
        let builds = builds_names(code);
        self.builds |= builds;
        self.makes |= made_by(code).is_any();
        self.is_late |= said.is_late();
        let tokens = lex::lex(code, true).unwrap_or_default();
        self.run_hidden(code, &tokens);
        let names = names_in_code(code);
        let done = Done::by(names.iter().map(String::as_str));
        let inside = match said {
            said if !said.is_late() => said,
            _ if function.has_path && !is_temporary(&function.schema) => Said::Settled,
            _ if function.has_path => Said::Elsewhere,
            Said::Late if function.altered => Said::Elsewhere,
            said => said,
        };
        if matches!(inside, Said::Late | Said::Elsewhere)
            && self.has_diverging()
            && self.looked.insert((function.oid, relation, inside))
        {
            let of = relation.and_then(|relation| self.snapshot().relation(relation));
            let of = of.map(|of| of.schema.as_str());
            let homes: Vec<&str> = [function.schema.as_str()].into_iter().chain(of).collect();
            self.look_for((&looked_for(code), builds), &homes, inside)?;
        }
        for name in &names {
            self.add(name, inside, done);
        }
        Ok(())
    }

    fn has_diverging(&self) -> bool {
        !self.snapshot().diverging().is_empty()
    }

    /// Code of some schemas looks for some names, and may put others together.
    fn look_for(
        &mut self,
        (names, builds): (&[String], bool),
        homes: &[&str],
        said: Said,
    ) -> Result<(), Box<Refusal>> {
        let late = LateNames {
            homes,
            names,
            builds,
        };
        let Analysis { path, budget, .. } = self.analysis;
        let path = path.filter(|_| said == Said::Late);
        self.strays |= late.stray(self.snapshot(), path, budget)?;
        Ok(())
    }

    /// How late code looks for names that runs by way of a name that is said so.
    const fn late_in(&self, said: Said) -> Said {
        match said {
            Said::Elsewhere | Said::Settled => said,
            _ => self.late,
        }
    }

    /// A function that runs unasked, perhaps for rows of a relation.
    fn run(&mut self, function: Oid, relation: Option<Oid>, late: Said) {
        if self.ran.insert((function, relation, late)) {
            self.functions.push((function, relation, late));
        }
    }

    /// What a trigger gives its function, which may be compiled and look for that.
    fn take(
        &mut self,
        arguments: Option<&str>,
        of: &Relation,
        late: Said,
    ) -> Result<(), Box<Refusal>> {
        self.is_late |= arguments.is_some();
        let names: Vec<String> = arguments.into_iter().flat_map(possible_names).collect();
        if late != Said::Settled && self.has_diverging() {
            self.look_for((&names, false), &[of.schema.as_str()], late)?;
        }
        for name in names {
            self.add(&name, late, Done::Changed);
        }
        Ok(())
    }

    /// Follows what is done to a relation, as far as that has not been done yet.
    fn touch(&mut self, oid: Oid, done: Done, late: Said) -> Result<(), Box<Refusal>> {
        let before = self.touched.get(&(oid, late)).copied();
        let snapshot = self.snapshot();
        let Some(relation) = snapshot.relation(oid).filter(|_| before < Some(done)) else {
            return Ok(());
        };
        self.touched.insert((oid, late), done);
        self.analysis.budget.pay(1)?;
        self.read(relation, done, late)?;
        if done >= Done::Written {
            self.write(relation, done, late)?;
        }
        if done == Done::Changed {
            let referring = snapshot.referring(oid);
            self.relations.extend(referring.map(|of| (of, done, late)));
        }
        Ok(())
    }

    /// What runs when rows of a relation are read.
    fn read(&mut self, relation: &Relation, done: Done, late: Said) -> Result<(), Box<Refusal>> {
        for run in relation.runs.iter().filter(|run| run.reads) {
            self.run(run.function, None, late);
        }
        self.define(relation.definition.as_deref(), done)
    }

    /// What runs when they are written.
    fn write(&mut self, relation: &Relation, done: Done, late: Said) -> Result<(), Box<Refusal>> {
        let snapshot = self.snapshot();
        for run in relation.runs.iter().filter(|run| !run.reads) {
            // What is put off runs by the path of the end.
            let late = if run.late { Said::Elsewhere } else { late };
            self.run(run.function, Some(relation.oid), late);
            self.take(run.arguments.as_deref(), relation, late)?;
        }
        for function in snapshot.checks_of(relation.oid) {
            self.run(function, None, late);
        }
        if snapshot.draws_by_name(relation.oid) {
            (self.is_late, self.builds) = (true, true);
        }
        for rule in &relation.rules {
            self.define(Some(&rule.definition), Done::Read)?;
        }
        let children = snapshot.children(relation.oid);
        self.relations
            .extend(children.map(|child| (child, done, late)));
        Ok(())
    }

    /// What a view or a rule names; a view does to it what is done to the view.
    fn define(&mut self, definition: Option<&str>, done: Done) -> Result<(), Box<Refusal>> {
        let Some(definition) = definition else {
            return Ok(());
        };
        self.analysis.budget.pay_to_read(definition.len())?;
        let tokens = lex::lex(definition, true).unwrap_or_default();
        let done = done.max(Done::by(identifiers(&tokens)));
        self.say(definition, &tokens, Said::Before, done);
        Ok(())
    }
}
