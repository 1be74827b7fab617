//! Statements and portals by name. Those that end with something are listed beside the map, so that
//! their end walks none of those that stay.

use std::collections::{BTreeSet, HashMap};
use std::fmt::Debug;
use std::sync::Arc;

use super::owned::{Owner, Stateful};
use super::statements::{Portal, PortalState, Statement};

type Name = Arc<[u8]>;

/// What can stand under a name.
pub(super) trait Nameable: Stateful + Sized {
    /// Those that end with something.
    type Lists: Lists<Self>;
}

/// Lists of names beside a map.
pub(super) trait Lists<T>: Debug + Default {
    /// Lists what stands under a name, as far as it is due; it may be listed already.
    fn add(&mut self, owner: &Owner, name: &Name, object: &T);

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
    fn add(&mut self, owner: &Owner, name: &Name, statement: &Statement) {
        if statement.is_live(owner) {
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
    fn add(&mut self, owner: &Owner, name: &Name, portal: &Portal) {
        let state = portal.state(owner);
        if state.outlives {
            return;
        }
        self.by_batch.insert((portal.batch, Arc::clone(name)));
        if portal.held && state.live {
            self.held.insert(Arc::clone(name));
        }
    }

    fn remove(&mut self, name: &Name, portal: &Portal) {
        self.by_batch.remove(&(portal.batch, Arc::clone(name)));
        self.held.remove(name);
    }
}

/// Objects by name; the unnamed one apart, for it is the usual one, and in no list. It owns what changes
/// about them, wherever else they are held.
#[derive(Debug)]
pub(super) struct Named<T: Nameable> {
    owner: Owner,
    unnamed: Option<Arc<T>>,
    named: HashMap<Name, Arc<T>>,
    lists: T::Lists,
}

impl<T: Nameable> Default for Named<T> {
    fn default() -> Self {
        Self {
            owner: Owner::default(),
            unnamed: None,
            named: HashMap::new(),
            lists: T::Lists::default(),
        }
    }
}

impl<T: Nameable> Named<T> {
    pub(super) const fn owner(&self) -> &Owner {
        &self.owner
    }

    pub(super) const fn owner_mut(&mut self) -> &mut Owner {
        &mut self.owner
    }

    pub(super) fn state<'a>(&'a self, of: &'a T) -> &'a T::State {
        of.state(&self.owner)
    }

    pub(super) fn state_mut<'a>(&'a mut self, of: &'a T) -> &'a mut T::State {
        of.state_mut(&mut self.owner)
    }

    /// Whether the server has it.
    pub(super) fn is_live(&self, object: &T) -> bool {
        object.is_live(&self.owner)
    }

    /// Takes down whether the server has it.
    pub(super) fn set_live(&mut self, object: &T, to: bool) {
        object.set_live(&mut self.owner, to);
    }

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
                self.lists.add(&self.owner, &name, &object);
                self.named.insert(name, object);
            }
            None => self.shrink(),
        }
        removed
    }

    /// The server has what stands under a name.
    pub(super) fn confirm(&mut self, name: &[u8]) {
        if let Some((name, object)) = self.named.get_key_value(name) {
            self.lists.add(&self.owner, name, object);
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

    pub(super) fn each(&self) -> impl Iterator<Item = &Arc<T>> {
        self.unnamed.iter().chain(self.named.values())
    }
}

impl Named<Statement> {
    /// All that the server has under names are gone.
    pub(super) fn end(&mut self) {
        for name in std::mem::take(&mut self.lists.0) {
            if let Some(statement) = self.remove(&name) {
                self.set_live(&statement, false);
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
                portal.state_mut(&mut self.owner).outlives = true;
            } else if let Some(portal) = self.remove(&name) {
                self.set_live(&portal, false);
            }
        }
        self.shrink();
    }

    /// All that the server has under names are closed.
    pub(super) fn close(&mut self) {
        for portal in self.take(|state, _| state.live) {
            self.set_live(&portal, false);
        }
    }

    /// Takes those with names out of which this is true.
    pub(super) fn take(
        &mut self,
        mut of: impl FnMut(&PortalState, &Portal) -> bool,
    ) -> Vec<Arc<Portal>> {
        let owner = &self.owner;
        let named = (self.named.iter()).filter(|(_, portal)| of(portal.state(owner), portal));
        let names: Vec<_> = named.map(|(name, _)| Arc::clone(name)).collect();
        let taken = names.iter().filter_map(|name| self.remove(name)).collect();
        self.shrink();
        taken
    }

    /// A transaction has ended with a batch, and with it the portals that have not outlived it.
    pub(super) fn end(&mut self, batch: u64) {
        let owner = &self.owner;
        let ends =
            |portal: &mut Arc<Portal>| !portal.state(owner).outlives && portal.batch <= batch;
        if let Some(portal) = self.unnamed.take_if(ends) {
            self.set_live(&portal, false);
        }
        while let Some((of, _)) = self.lists.by_batch.first()
            && *of <= batch
            && let Some((_, name)) = self.lists.by_batch.pop_first()
        {
            if let Some(portal) = self.remove(&name) {
                self.set_live(&portal, false);
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

    fn statement(owner: &Owner, batch: u64) -> Arc<Statement> {
        let edited = (PositionMap::default(), Sentinels::default());
        let analysis = Arc::new(Analysis::unknown());
        Arc::new(Statement::new(owner, analysis, None, edited, batch))
    }

    fn portal(owner: &Owner, of: Arc<Statement>, held: bool) -> Arc<Portal> {
        let batch = of.batch;
        Arc::new(Portal {
            held,
            ..Portal::new(owner, of, batch)
        })
    }

    fn answer<T: Nameable>(map: &mut Named<T>, name: u8) {
        if let Some(object) = map.get(&[name]).cloned() {
            map.set_live(&object, true);
        }
        map.confirm(&[name]);
    }

    /// The names of those that stay, by a walk over all.
    fn staying<T: Nameable>(map: &Named<T>, stays: impl Fn(&T, &T::State) -> bool) -> Vec<Name> {
        let staying =
            (map.named.iter()).filter(|(_, object)| stays(object, object.state(&map.owner)));
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
                        let statement = statement(statements.owner(), batch);
                        statements.replace(&[name], Some(Arc::clone(&statement)));
                        let portal = portal(portals.owner(), statement, held);
                        closed = portals.replace(&[name], Some(portal));
                    }
                    Step::Close { name } => {
                        statements.replace(&[name], None);
                        closed = portals.replace(&[name], None);
                    }
                    Step::PutBack { name } => {
                        portals.replace(&[name], closed.take());
                    }
                    Step::Answer { name } => {
                        answer(&mut statements, name);
                        answer(&mut portals, name);
                    }
                    Step::Sync => batch += 1,
                    Step::End { committed } => {
                        let stays = staying(&statements, |object, _| !statements.is_live(object));
                        statements.end();
                        prop_assert_eq!(staying(&statements, |_, _| true), stays);
                        let is_held =
                            |object: &Portal, state: &PortalState| object.held && state.live;
                        let stays = staying(&portals, |object, state| {
                            committed || state.outlives || !is_held(object, state)
                        });
                        portals.end_held(committed);
                        prop_assert_eq!(staying(&portals, |_, _| true), stays);
                        let outlive = staying(&portals, is_held);
                        prop_assert_eq!(staying(&portals, |_, state| state.outlives), outlive);
                    }
                    Step::Idle { back } => {
                        let ended = batch.saturating_sub(back);
                        let stays = staying(&portals, |object, state| {
                            state.outlives || object.batch > ended
                        });
                        portals.end(ended);
                        prop_assert_eq!(staying(&portals, |_, _| true), stays);
                    }
                }
                // Nothing is listed that has gone or stays for good.
                let listed = portals.lists.by_batch.iter().map(|(_, name)| Arc::clone(name));
                prop_assert_eq!(sorted(listed), staying(&portals, |_, state| !state.outlives));
                let held = |object: &Portal, state: &PortalState| {
                    object.held && state.live && !state.outlives
                };
                prop_assert_eq!(sorted(portals.lists.held.iter().cloned()), staying(&portals, held));
                let live = staying(&statements, |object, _| statements.is_live(object));
                prop_assert_eq!(sorted(statements.lists.0.iter().cloned()), live);
            }
        }
    }
}
