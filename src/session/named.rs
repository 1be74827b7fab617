//! Statements and portals by name. Those that end with something are listed beside the map, so that
//! their end walks none of those that stay.

use std::collections::{BTreeSet, HashMap};
use std::fmt::Debug;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use super::statements::{Portal, Statement, is_live, set_live};

type Name = Arc<[u8]>;

/// What can stand under a name.
pub(super) trait Nameable: Sized {
    /// Those that end with something.
    type Lists: Lists<Self>;
}

/// Lists of names beside a map.
pub(super) trait Lists<T>: Debug + Default {
    /// Lists what stands under a name, as far as it is due; it may be listed already.
    fn add(&mut self, name: &Name, object: &T);

    /// Lists it no longer.
    fn remove(&mut self, name: &Name, object: &T);
}

impl Nameable for Statement {
    type Lists = Prepared;
}

/// The names of the statements that the server has.
#[derive(Debug, Default)]
pub(super) struct Prepared(BTreeSet<Name>);

impl Lists<Statement> for Prepared {
    fn add(&mut self, name: &Name, statement: &Statement) {
        if is_live(&statement.live) {
            self.0.insert(Arc::clone(name));
        }
    }

    fn remove(&mut self, name: &Name, _: &Statement) {
        self.0.remove(name);
    }
}

impl Nameable for Portal {
    type Lists = Passing;
}

/// The names of the portals that have not outlived a transaction.
#[derive(Debug, Default)]
pub(super) struct Passing {
    /// All names, by the batch of their portals.
    by_batch: BTreeSet<(u64, Name)>,
    /// The cursors `WITH HOLD` that the server has.
    held: BTreeSet<Name>,
}

impl Lists<Portal> for Passing {
    fn add(&mut self, name: &Name, portal: &Portal) {
        if portal.is_kept() {
            return;
        }
        self.by_batch.insert((portal.batch, Arc::clone(name)));
        if portal.held && is_live(&portal.live) {
            self.held.insert(Arc::clone(name));
        }
    }

    fn remove(&mut self, name: &Name, portal: &Portal) {
        self.by_batch.remove(&(portal.batch, Arc::clone(name)));
        self.held.remove(name);
    }
}

/// Objects by name; the unnamed one apart, for it is the usual one, and in no list.
#[derive(Debug)]
pub(super) struct Named<T: Nameable> {
    unnamed: Option<Arc<T>>,
    named: HashMap<Name, Arc<T>>,
    lists: T::Lists,
}

impl<T: Nameable> Default for Named<T> {
    fn default() -> Self {
        Self {
            unnamed: None,
            named: HashMap::new(),
            lists: T::Lists::default(),
        }
    }
}

impl<T: Nameable> Named<T> {
    pub(super) fn get(&self, name: &[u8]) -> Option<&Arc<T>> {
        if name.is_empty() {
            self.unnamed.as_ref()
        } else {
            self.named.get(name)
        }
    }

    /// Puts something (or nothing) under a name and gives what was there.
    pub(super) fn replace(&mut self, name: &[u8], with: Option<Arc<T>>) -> Option<Arc<T>> {
        if name.is_empty() {
            return std::mem::replace(&mut self.unnamed, with);
        }
        let removed = self.remove(name);
        match with {
            Some(object) => {
                let name = Name::from(name);
                self.lists.add(&name, &object);
                self.named.insert(name, object);
            }
            None => self.shrink(),
        }
        removed
    }

    /// The server has what stands under a name.
    pub(super) fn confirm(&mut self, name: &[u8]) {
        if let Some((name, object)) = self.named.get_key_value(name) {
            self.lists.add(name, object);
        }
    }

    fn remove(&mut self, name: &[u8]) -> Option<Arc<T>> {
        let (name, object) = self.named.remove_entry(name)?;
        self.lists.remove(&name, &object);
        Some(object)
    }

    /// Gives back the room of many that are gone.
    fn shrink(&mut self) {
        const SMALL: usize = 64;
        if self.named.capacity() > SMALL && self.named.len() < self.named.capacity() / 8 {
            self.named.shrink_to(2 * self.named.len());
        }
    }

    /// How many have names.
    pub(super) fn named_count(&self) -> usize {
        self.named.len()
    }

    pub(super) fn each(&self, mut of: impl FnMut(&T)) {
        for object in self.unnamed.iter().chain(self.named.values()) {
            of(object);
        }
    }
}

impl Named<Statement> {
    /// All that the server has under names are gone.
    pub(super) fn end(&mut self) {
        for name in std::mem::take(&mut self.lists.0) {
            if let Some(statement) = self.remove(&name) {
                set_live(&statement.live, false);
            }
        }
        self.shrink();
    }
}

impl Named<Portal> {
    /// A transaction has ended: of the cursors `WITH HOLD` those outlive it that the server has, if it
    /// was committed, and are gone if it was not.
    pub(super) fn end_held(&mut self, committed: bool) {
        for name in std::mem::take(&mut self.lists.held) {
            let Some(portal) = self.named.get(&name) else {
                continue;
            };
            if committed {
                self.lists.remove(&name, portal);
                portal.outlives.store(true, Ordering::Relaxed);
            } else {
                set_live(&portal.live, false);
                self.remove(&name);
            }
        }
        self.shrink();
    }

    /// All that the server has under names are closed.
    pub(super) fn close(&mut self) {
        let live = |portal: &Portal| is_live(&portal.live);
        for portal in self.take(live) {
            set_live(&portal.live, false);
        }
    }

    /// Takes those with names out of which this is true.
    pub(super) fn take(&mut self, mut of: impl FnMut(&Portal) -> bool) -> Vec<Arc<Portal>> {
        let named = self.named.iter().filter(|(_, portal)| of(portal));
        let names: Vec<_> = named.map(|(name, _)| Arc::clone(name)).collect();
        let taken = names.iter().filter_map(|name| self.remove(name)).collect();
        self.shrink();
        taken
    }

    /// A transaction has ended with a batch, and with it the portals that have not outlived it.
    pub(super) fn end(&mut self, batch: u64) {
        let ends = |portal: &mut Arc<Portal>| !portal.is_kept() && portal.batch <= batch;
        if let Some(portal) = self.unnamed.take_if(ends) {
            set_live(&portal.live, false);
        }
        while let Some((of, _)) = self.lists.by_batch.first()
            && *of <= batch
            && let Some((_, name)) = self.lists.by_batch.pop_first()
        {
            if let Some(portal) = self.remove(&name) {
                set_live(&portal.live, false);
            }
        }
        self.shrink();
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::session::edited::PositionMap;
    use crate::session::ids::Sentinels;
    use crate::session::plans::Analysis;

    fn statement(batch: u64) -> Arc<Statement> {
        let edited = (PositionMap::default(), Sentinels::default());
        let analysis = Arc::new(Analysis::unknown());
        Arc::new(Statement::new(analysis, None, edited, batch))
    }

    fn portal(batch: u64, held: bool) -> Arc<Portal> {
        Arc::new(Portal {
            held,
            ..Portal::new(statement(batch), batch)
        })
    }

    /// The names of those that stay, by a walk over all.
    fn staying<T: Nameable>(map: &Named<T>, stays: impl Fn(&T) -> bool) -> Vec<Name> {
        let staying = map.named.iter().filter(|(_, object)| stays(object));
        sorted(staying.map(|(name, _)| Arc::clone(name)))
    }

    fn sorted(names: impl Iterator<Item = Name>) -> Vec<Name> {
        let mut names: Vec<_> = names.collect();
        names.sort();
        names
    }

    #[derive(Debug, Clone, Copy)]
    enum Step {
        Open { name: u8, held: bool },
        Close { name: u8 },
        PutBack { name: u8 },
        Answer { name: u8 },
        Sync,
        End { committed: bool },
        Idle { back: u64 },
    }

    fn steps() -> impl Strategy<Value = Vec<Step>> {
        let name = || 0..5_u8;
        let step = prop_oneof![
            6 => (name(), any::<bool>()).prop_map(|(name, held)| Step::Open { name, held }),
            2 => name().prop_map(|name| Step::Close { name }),
            2 => name().prop_map(|name| Step::PutBack { name }),
            4 => name().prop_map(|name| Step::Answer { name }),
            3 => Just(Step::Sync),
            2 => any::<bool>().prop_map(|committed| Step::End { committed }),
            2 => (0..3_u64).prop_map(|back| Step::Idle { back }),
        ];
        prop::collection::vec(step, 0..80)
    }

    proptest! {
        #[test]
        fn the_lists_end_what_a_walk_would_end(steps in steps()) {
            let mut statements = Named::<Statement>::default();
            let mut portals = Named::<Portal>::default();
            let (mut batch, mut closed) = (1, None);
            for step in steps {
                match step {
                    Step::Open { name, held } => {
                        statements.replace(&[name], Some(statement(batch)));
                        closed = portals.replace(&[name], Some(portal(batch, held)));
                    }
                    Step::Close { name } => {
                        statements.replace(&[name], None);
                        closed = portals.replace(&[name], None);
                    }
                    Step::PutBack { name } => {
                        portals.replace(&[name], closed.take());
                    }
                    Step::Answer { name } => {
                        statements.get(&[name]).inspect(|object| set_live(&object.live, true));
                        portals.get(&[name]).inspect(|object| set_live(&object.live, true));
                        statements.confirm(&[name]);
                        portals.confirm(&[name]);
                    }
                    Step::Sync => batch += 1,
                    Step::End { committed } => {
                        let stays = staying(&statements, |object| !is_live(&object.live));
                        statements.end();
                        prop_assert_eq!(staying(&statements, |_| true), stays);
                        let is_held = |object: &Portal| object.held && is_live(&object.live);
                        let stays =
                            staying(&portals, |object| committed || object.is_kept() || !is_held(object));
                        portals.end_held(committed);
                        prop_assert_eq!(staying(&portals, |_| true), stays);
                        let outlive = staying(&portals, is_held);
                        prop_assert_eq!(staying(&portals, Portal::is_kept), outlive);
                    }
                    Step::Idle { back } => {
                        let ended = batch.saturating_sub(back);
                        let stays =
                            staying(&portals, |object| object.is_kept() || object.batch > ended);
                        portals.end(ended);
                        prop_assert_eq!(staying(&portals, |_| true), stays);
                    }
                }
                // Nothing is listed that has gone or stays for good.
                let listed = portals.lists.by_batch.iter().map(|(_, name)| Arc::clone(name));
                prop_assert_eq!(sorted(listed), staying(&portals, |object| !object.is_kept()));
                let held = |object: &Portal| {
                    object.held && is_live(&object.live) && !object.is_kept()
                };
                prop_assert_eq!(sorted(portals.lists.held.iter().cloned()), staying(&portals, held));
                let live = staying(&statements, |object| is_live(&object.live));
                prop_assert_eq!(sorted(statements.lists.0.iter().cloned()), live);
            }
        }
    }
}
