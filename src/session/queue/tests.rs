//! What the queue keeps beside its entries agrees with a walk over them.

use std::collections::VecDeque;
use std::sync::Arc;

use proptest::prelude::*;

use super::*;
use crate::session::edited::PositionMap;
use crate::session::ids::Sentinels;
use crate::session::named::Nameable;
use crate::session::plans::{Analysis, Circumstances, Hashed};
use crate::session::shared::Epoch;
use crate::sql::plan::{
    ColumnValue, Columns, CopyColumn, CopyDirection, CopyFormat, CopyPlan, Plan,
};
use crate::sql::{self, Verdict};

const NAMES: [&[u8]; 3] = [b"", b"a", b"b"];

#[derive(Debug, Clone, Copy)]
enum Kind {
    Parse,
    Bind,
    CloseStatement,
    ClosePortal,
    KeepStatement,
    KeepCursor,
    Execute,
    Query,
    Sync,
    Fault,
    CopyEnd,
}

#[derive(Debug, Clone, Copy)]
enum Step {
    /// A message of this kind is forwarded that is about this name; whether it is expected to succeed;
    /// which of its statements, if any, take ids in the data of COPY.
    Push(Kind, usize, bool, u8),
    /// The head has been answered.
    Pop,
    /// One more statement of the head has.
    Answer,
    CopyIn,
    Fail,
}

fn kinds() -> impl Strategy<Value = Kind> {
    prop_oneof![
        Just(Kind::Parse),
        Just(Kind::Bind),
        Just(Kind::CloseStatement),
        Just(Kind::ClosePortal),
        Just(Kind::KeepStatement),
        Just(Kind::KeepCursor),
        Just(Kind::Execute),
        Just(Kind::Query),
        Just(Kind::Sync),
        Just(Kind::Fault),
        Just(Kind::CopyEnd),
    ]
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let push = (kinds(), 0..NAMES.len(), any::<bool>(), 0..8_u8);
    let push =
        push.prop_map(|(kind, name, succeeds, copies)| Step::Push(kind, name, succeeds, copies));
    let step = prop_oneof![
        12 => push,
        5 => Just(Step::Pop),
        1 => Just(Step::Answer),
        1 => Just(Step::CopyIn),
        1 => Just(Step::Fail),
    ];
    prop::collection::vec(step, 0..80)
}

/// A text of three statements, of which those in the bits take ids in the data of COPY.
fn analysis(copies: u8) -> Arc<Analysis> {
    let mut analysis = Analysis::unknown();
    analysis.script.statements = (0..3)
        .map(|number| {
            let mut plan = Plan::default();
            if copies >> number & 1 == 1 {
                plan.columns = Columns::Copy(Box::new(CopyPlan {
                    direction: CopyDirection::FromClient,
                    table: String::new(),
                    format: CopyFormat::Binary,
                    columns: vec![CopyColumn {
                        value: ColumnValue::Tagged {
                            array: false,
                            uuid: false,
                        },
                        ..CopyColumn::default()
                    }],
                }));
            }
            sql::Statement {
                range: 0..0,
                verdict: Verdict::Forward(plan),
            }
        })
        .collect();
    Arc::new(analysis)
}

fn statement(of: &Named<Statement>, number: u64, copies: u8) -> Arc<Statement> {
    let edited = (PositionMap::default(), Sentinels::default());
    let analysis = analysis(copies);
    Arc::new(Statement::new(of.owner(), analysis, None, edited, number))
}

fn query(copies: u8) -> Query {
    let circumstances = Hashed::new(Circumstances {
        epoch: Epoch::default(),
        path: None,
        paths: None,
        standard_conforming_strings: true,
        client_encoding: String::new(),
        made: false,
        fronted: false,
        unseen: false,
        unsettled: false,
    });
    Query::new(0, analysis(copies), circumstances)
}

/// Objects by name, by the numbers that stand for their batches, and what the entries of the queue
/// have replaced.
#[derive(Debug, Default)]
struct Plain {
    statements: [Option<u64>; 3],
    portals: [Option<u64>; 3],
    entries: VecDeque<PlainEntry>,
}

/// Whether it is about a statement, its name, and what to put back.
type PlainChange = (bool, usize, Option<u64>);

#[derive(Debug, Clone, Copy)]
struct PlainEntry {
    kind: Kind,
    change: Option<PlainChange>,
}

impl Plain {
    fn map(&mut self, is_statement: bool) -> &mut [Option<u64>; 3] {
        match is_statement {
            true => &mut self.statements,
            false => &mut self.portals,
        }
    }

    fn fail(&mut self) {
        let is_sync = |entry: &PlainEntry| matches!(entry.kind, Kind::Sync);
        let sync = self.entries.iter().position(is_sync);
        let skipped: Vec<_> = self
            .entries
            .drain(..sync.unwrap_or(self.entries.len()))
            .collect();
        for (is_statement, name, previous) in skipped.iter().rev().filter_map(|entry| entry.change)
        {
            let mut later = self
                .entries
                .iter_mut()
                .filter_map(|entry| entry.change.as_mut());
            let of_name = |change: &&mut PlainChange| (change.0, change.1) == (is_statement, name);
            match later.find(of_name) {
                Some(later) => later.2 = previous,
                None => self.map(is_statement)[name] = previous,
            }
        }
    }
}

#[derive(Debug, Default)]
struct Both {
    queue: Queue,
    statements: Named<Statement>,
    portals: Named<Portal>,
    plain: Plain,
    number: u64,
}

impl Both {
    fn put<T: Nameable>(
        map: &mut Named<T>,
        name: usize,
        with: Option<Arc<T>>,
        succeeds: bool,
    ) -> Change<T> {
        let name = NAMES[name];
        let undo = match succeeds {
            true => Undo::Restore(map.replace(name, with)),
            false => Undo::Nothing,
        };
        Change {
            name: name.into(),
            undo,
        }
    }

    fn push(&mut self, kind: Kind, name: usize, succeeds: bool, copies: u8) {
        self.number += 1;
        let number = self.number;
        let new_statement = statement(&self.statements, number, copies);
        let of = statement(&self.statements, number, copies);
        let new_portal = Arc::new(Portal::new(self.portals.owner(), of, number));
        let succeeds = succeeds || !matches!(kind, Kind::Parse | Kind::Bind);
        let of = match kind {
            Kind::Parse | Kind::KeepStatement => Some((true, Some(number))),
            Kind::CloseStatement => Some((true, None)),
            Kind::Bind | Kind::KeepCursor => Some((false, Some(number))),
            Kind::ClosePortal => Some((false, None)),
            _ => None,
        };
        let change = of.filter(|_| succeeds).map(|(is_statement, with)| {
            let previous = std::mem::replace(&mut self.plain.map(is_statement)[name], with);
            (is_statement, name, previous)
        });
        let statement_change =
            |map: &mut Named<Statement>, with| Self::put(map, name, with, succeeds);
        let portal_change = |map: &mut Named<Portal>, with| Self::put(map, name, with, succeeds);
        let entry = match kind {
            Kind::Parse => Expected::Parse {
                change: statement_change(&mut self.statements, Some(Arc::clone(&new_statement))),
                statement: new_statement,
                refused: None,
            },
            Kind::Bind => Expected::Bind {
                change: portal_change(&mut self.portals, Some(Arc::clone(&new_portal))),
                portal: new_portal,
                refused: None,
            },
            Kind::CloseStatement => {
                Expected::CloseStatement(statement_change(&mut self.statements, None))
            }
            Kind::ClosePortal => Expected::ClosePortal(portal_change(&mut self.portals, None)),
            Kind::KeepStatement => Expected::Keep(PendingName::Statement {
                change: statement_change(&mut self.statements, Some(Arc::clone(&new_statement))),
                statement: new_statement,
            }),
            Kind::KeepCursor => Expected::Keep(PendingName::Cursor {
                change: portal_change(&mut self.portals, Some(Arc::clone(&new_portal))),
                portal: new_portal,
            }),
            Kind::Execute => Expected::Execute(new_portal),
            Kind::Query => Expected::Query(Box::new(query(copies))),
            Kind::Sync => Expected::Sync { batch: number },
            Kind::Fault => Expected::Fault,
            Kind::CopyEnd => Expected::CopyEnd,
        };
        if !(matches!(kind, Kind::CopyEnd) && self.plain.entries.is_empty()) {
            self.plain.entries.push_back(PlainEntry { kind, change });
        }
        self.queue.push(entry);
    }

    fn drop_copy_ends(&mut self) {
        while matches!(self.plain.entries.front(), Some(entry) if matches!(entry.kind, Kind::CopyEnd))
        {
            self.plain.entries.pop_front();
        }
    }

    fn take(&mut self, step: Step) {
        match step {
            Step::Push(kind, name, succeeds, copies) => self.push(kind, name, succeeds, copies),
            Step::Pop => {
                self.queue.pop();
                self.plain.entries.pop_front();
                self.drop_copy_ends();
            }
            Step::Answer => {
                if let Some(query) = self.queue.query_mut() {
                    query.current += 1;
                }
            }
            Step::CopyIn => {
                if !matches!(
                    self.queue.head(),
                    Some(Expected::Execute(_) | Expected::Query(_))
                ) {
                    return;
                }
                let before = self.queue.len();
                self.queue.copy_in();
                self.plain.entries.drain(1..=before - self.queue.len());
            }
            Step::Fail => {
                if matches!(self.queue.head(), None | Some(Expected::Query(_))) {
                    return;
                }
                let is_to_come = self
                    .queue
                    .skip_to_sync(&mut self.statements, &mut self.portals);
                self.plain.fail();
                assert_eq!(is_to_come, self.queue.is_empty());
            }
        }
    }

    fn check(&self) {
        assert_eq!(self.queue.len(), self.plain.entries.len());
        for failed in [false, true] {
            assert_eq!(
                self.queue.readies(failed),
                readies(&self.queue.entries, failed)
            );
        }
        assert_eq!(self.queue.may_copy_ids_in(), copies(&self.queue.entries));
        for (number, name) in NAMES.into_iter().enumerate() {
            let batch = |statement: &Arc<Statement>| statement.batch;
            assert_eq!(
                self.statements.get(name).map(batch),
                self.plain.statements[number]
            );
            let batch = |portal: &Arc<Portal>| portal.batch;
            assert_eq!(
                self.portals.get(name).map(batch),
                self.plain.portals[number]
            );
            self.check_name(name);
        }
        for (entry, plain) in self.queue.entries.iter().zip(&self.plain.entries) {
            assert_eq!(
                put_back(entry),
                plain.change.map(|(_, _, previous)| previous)
            );
        }
    }

    fn check_name(&self, name: &[u8]) {
        let entries = &self.queue.entries;
        let end = entries.iter().rposition(Expected::is_end).unwrap_or(0);
        let mut earlier = entries.iter().take(end);
        let closes = earlier.clone().any(
            |entry| matches!(entry, Expected::CloseStatement(change) if *change.name == *name),
        );
        assert_eq!(self.queue.may_close_statement(name), closes);
        let closes = earlier
            .any(|entry| matches!(entry, Expected::ClosePortal(change) if *change.name == *name));
        assert_eq!(self.queue.may_close_portal(name), closes);
        let replaces = entries.iter().any(|entry| {
            matches!(entry, Expected::Parse { change, refused: None, .. }
                if change.is_unforeseen() && *change.name == *name)
        });
        assert_eq!(self.queue.may_replace_statement(name), replaces);
        let replaces = entries.iter().any(|entry| {
            matches!(entry, Expected::Bind { change, refused: None, .. }
                if change.is_unforeseen() && *change.name == *name)
        });
        assert_eq!(self.queue.may_replace_portal(name), replaces);
    }
}

/// What is to be put back if an entry is undone, by its batch.
fn put_back(entry: &Expected) -> Option<Option<u64>> {
    if let Some(change) = entry.statement_change() {
        return match &change.undo {
            Undo::Restore(previous) => Some(previous.as_ref().map(|statement| statement.batch)),
            Undo::Nothing => None,
        };
    }
    match &entry.portal_change()?.undo {
        Undo::Restore(previous) => Some(previous.as_ref().map(|portal| portal.batch)),
        Undo::Nothing => None,
    }
}

/// How many ReadyForQuery are owed, by a walk.
fn readies(entries: &VecDeque<Expected>, failed: bool) -> Option<usize> {
    let mut inside = false;
    let mut count = 0;
    for entry in entries {
        if failed && inside && matches!(entry, Expected::Query(_)) {
            return None;
        }
        inside = (inside || !matches!(entry, Expected::CopyEnd)) && !entry.is_end();
        count += usize::from(entry.is_end());
    }
    Some(count)
}

/// Whether ids may be in the data of COPY, by a walk.
fn copies(entries: &VecDeque<Expected>) -> bool {
    let takes = |verdict: &Verdict| matches!(verdict, Verdict::Forward(plan) if takes_ids(plan));
    entries.iter().any(|entry| match entry {
        Expected::Execute(portal) => portal.explained.plan().is_some_and(takes_ids),
        Expected::Query(query) => {
            let mut rest = query.analysis.script.statements.iter().skip(query.current);
            rest.any(|statement| takes(&statement.verdict))
        }
        _ => false,
    })
}

proptest! {
    #[test]
    fn what_is_kept_beside_the_entries_agrees_with_a_walk(steps in steps()) {
        let mut both = Both::default();
        for step in steps {
            both.take(step);
            both.check();
        }
        while both.queue.pop().is_some() {}
        prop_assert!(both.queue.index.places.is_empty());
        let counts = (both.queue.ends, both.queue.inside, both.queue.copies);
        prop_assert_eq!(counts, (0, 0, 0));
    }
}
