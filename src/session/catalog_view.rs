//! The snapshots of the database that a session reads its statements by: the one that all sessions
//! share, or one of what its transaction has done and not committed yet; and on top of it the
//! temporary relations, which are the session's own.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use super::loosened::Losses;
use super::moves::Mark;
use super::shared::{Catalog, Shared};
use crate::catalog::{
    CreatedRelation, Facts, Loaded, Loader, Oid, Relation, Snapshot, Temporary, Told, Version,
};
use crate::sql::plan::Effect;
use crate::wire::backend::TransactionStatus;

/// Who may use the snapshot under the temporary relations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Visibility {
    /// All sessions.
    Shared,
    /// This one: it shows what its transaction has done and not committed yet.
    Private,
}

/// So many dropped relations are remembered.
const MOST_GONE: usize = 1000;

/// The snapshots of a session.
#[derive(Debug)]
pub(super) struct CatalogView {
    base: Arc<Catalog>,
    /// How often the database may have changed when the session has looked from inside of its
    /// transaction, at something that it does not share.
    seen: u64,
    /// How often the database may have changed when the session has looked from inside of its
    /// transaction, whatever was under way then.
    counted: u64,
    /// The last one that all sessions could use: what has not changed since is taken from it.
    settled: Arc<Catalog>,
    visibility: Visibility,
    temporary: Temporary,
    /// What is known of temporary relations, those too that may come back.
    facts: Facts,
    /// Both together.
    whole: Arc<Catalog>,
    /// Relations that have been dropped: a cursor may still show their rows.
    gone: HashMap<Oid, Arc<Relation>>,
    /// What has been made since, with keys in it. Until it has been looked at, nothing is read
    /// that may be about it.
    made: Vec<Arc<CreatedRelation>>,
    /// A relation with keys in it may have come out behind a temporary one of its name.
    shown_again: bool,
    /// Code of the database may mean what the session has made since.
    fronted: bool,
    /// Code of the database may have run since, and have made relations of the session's.
    ran: bool,
    /// Something has been defined that the snapshot does not show yet.
    changed: bool,
    /// Code is among it.
    defined: bool,
    /// The open transaction has changed the database: its end may change it back.
    unsettled: bool,
    /// Another session has seen a change; what is temporary has to be seen in its light.
    outdated: bool,
    /// The annotations that the open transaction takes away.
    pub(super) losses: Losses,
}

impl CatalogView {
    pub(super) fn new(shared: &Shared, base: Arc<Catalog>, temporary: Temporary) -> Self {
        let mut facts = Facts::default();
        facts.learn(&temporary);
        let mut catalog_view = Self {
            facts,
            whole: Arc::clone(&base),
            settled: Arc::clone(&base),
            base,
            seen: 0,
            counted: 0,
            visibility: Visibility::Shared,
            temporary,
            gone: HashMap::new(),
            made: Vec::new(),
            shown_again: false,
            fronted: false,
            ran: false,
            changed: false,
            defined: false,
            unsettled: false,
            outdated: false,
            losses: Losses::default(),
        };
        catalog_view.put_together(shared);
        catalog_view
    }

    fn put_together(&mut self, shared: &Shared) {
        self.whole = if self.temporary.is_empty() {
            Arc::clone(&self.base)
        } else {
            shared.number(self.base.snapshot.with(&self.temporary))
        };
    }

    /// What the session knows of the database.
    pub(super) const fn catalog(&self) -> &Arc<Catalog> {
        &self.whole
    }

    /// What all sessions know of it.
    pub(super) const fn base(&self) -> &Arc<Catalog> {
        &self.base
    }

    /// What the catalogs have told that all sessions can see, and what the server called that. What
    /// has changed since they can tell, but not what the end of a transaction has undone.
    pub(super) fn known(&self) -> Option<(Version, Arc<Told>)> {
        self.settled.known()
    }

    /// The server has shown something that is not in the snapshot.
    pub(super) fn mark_stale(&self) {
        self.base.mark_stale();
    }

    /// Whether it is time to look at the database.
    pub(super) fn is_due(&self, now: Duration, max_age: Duration) -> bool {
        self.base.is_due(now, max_age)
    }

    /// Whether the database may have changed since it was looked at.
    pub(super) fn has_moved(&self, count: u64) -> bool {
        self.base.has_moved(count)
    }

    /// How often the database may have changed when the snapshot was right for certain.
    pub(super) fn right_until(&self) -> u64 {
        self.base.settled().max(self.seen)
    }

    /// How often the database had changed when the question was asked that the snapshot answers, or
    /// one that has shown later that it is right. What was over by then is in it.
    pub(super) fn counted(&self) -> u64 {
        self.base.counted().max(self.counted)
    }

    /// The number of the last question, of whatever session, that has shown that the snapshot is right;
    /// none of one that shows what others do not see.
    pub(super) fn last_look(&self) -> Option<u64> {
        (self.visibility == Visibility::Shared).then(|| self.base.looked())
    }

    /// The session has looked, and the snapshot is right.
    pub(super) fn saw(&mut self, mark: Mark) {
        self.counted = self.counted.max(mark.count);
        if mark.settled {
            self.seen = mark.count;
        }
    }

    /// Whether the snapshot is what any other session would see, and nothing is to be added to it.
    pub(super) fn are_shared(&self) -> bool {
        let owes =
            self.changed || self.unsettled || self.outdated || self.fronted || self.is_blind();
        let is_shared = self.visibility == Visibility::Shared && self.temporary.is_empty();
        is_shared && self.made.is_empty() && !owes
    }

    /// Whether another session has seen a change that this one has not.
    pub(super) const fn is_outdated(&self) -> bool {
        self.outdated
    }

    /// Takes a snapshot that another session has published. Returns whether it is used now.
    pub(super) fn use_newer(&mut self, newer: Arc<Catalog>) -> bool {
        let elsewhere = newer.is_of_another(self.base.identity().as_ref());
        if self.visibility == Visibility::Private || elsewhere || !newer.is_newer_than(&self.base) {
            return false;
        }
        if !self.temporary.is_empty() {
            self.outdated = true;
            return false;
        }
        self.seen = 0;
        let before = std::mem::replace(&mut self.whole, Arc::clone(&newer));
        self.settled = Arc::clone(&newer);
        self.base = newer;
        self.remember(&before.snapshot);
        true
    }

    /// Remembers what a statement that is being forwarded makes and changes. Returns whether the
    /// database has to be looked at then.
    pub(super) fn foresee(&mut self, effect: &Effect) -> bool {
        match &effect.creates {
            // What code has made of that name may be there, and the statement does nothing.
            Some(_) if effect.fronts && self.ran => self.shown_again = true,
            Some(made) => self.made.push(Arc::clone(made)),
            None => {}
        }
        // Nothing temporary is known, and what code has made unseen is gone as well.
        let is_vain = effect.discards && self.are_shared();
        let defines = effect.ddl && !is_vain;
        let changes = defines || effect.ends_transaction && self.unsettled;
        let is_back = effect.ends_transaction && self.unsettled;
        let may_show = effect.blinds || is_back;
        self.shown_again |= may_show || changes && self.whole.snapshot.shadows();
        self.fronted |= effect.fronts;
        self.changed |= changes;
        self.defined |= effect.defines;
        self.unsettled |= defines;
        changes
    }

    /// Remembers that the server may run code of the database.
    pub(super) const fn note_run(&mut self) {
        self.ran = true;
    }

    /// Whether code of the database may have run since the last look.
    pub(super) const fn has_run(&self) -> bool {
        self.ran
    }

    /// Remembers what has been dropped since an earlier snapshot.
    fn remember(&mut self, before: &Snapshot) {
        let dropped = before.relations().filter(|relation| {
            self.whole.snapshot.relation(relation.oid).is_none() && !relation.columns.is_empty()
        });
        let dropped: Vec<_> = dropped.cloned().collect();
        if self.gone.len() + dropped.len() > MOST_GONE {
            self.gone.clear();
        }
        let dropped = dropped.into_iter().take(MOST_GONE);
        self.gone
            .extend(dropped.map(|relation| (relation.oid, relation)));
    }

    /// The relation that a column of a result comes from.
    pub(super) fn origin(&self, oid: Oid) -> Option<&Relation> {
        let known = self.whole.snapshot.relation(oid);
        known
            .or_else(|| self.gone.get(&oid))
            .map(|relation| &**relation)
    }

    /// Whether a column of a result may come from a relation that is remembered, and in the snapshot
    /// no longer.
    pub(super) fn remembers_any(&self) -> bool {
        !self.gone.is_empty()
    }

    /// Tells what is known from before the next look. What the open transaction has dropped was
    /// there in the last snapshot that all sessions could use.
    pub(super) fn remind(&self, loader: Loader) -> Loader {
        let loader = loader.after(&self.whole.snapshot).knowing(&self.facts);
        let loader = match self.visibility {
            Visibility::Shared => loader,
            Visibility::Private => loader.after(&self.settled.snapshot),
        };
        loader.making(self.made.clone())
    }

    /// Whether there may be keys where the snapshot shows none.
    pub(super) fn is_blind(&self) -> bool {
        self.shown_again || self.made.iter().any(|made| made.keyed)
    }

    /// Whether code of the database may mean what the session has made, and the snapshot does not show.
    pub(super) const fn is_fronted(&self) -> bool {
        self.fronted
    }

    /// A column of keys of which the catalogs will say nothing any more if the open transaction is
    /// committed.
    pub(super) fn orphan(&self) -> Option<String> {
        let orphan = self.base.snapshot.orphaned_since(&self.settled.snapshot);
        orphan.map(|column| column.to_string())
    }

    /// Whether something has been defined that the snapshot does not show yet.
    pub(super) const fn is_behind(&self) -> bool {
        self.changed
    }

    /// Whether code is among it.
    pub(super) const fn has_unseen_code(&self) -> bool {
        self.defined
    }

    /// Whether the end of the transaction may change the database back.
    pub(super) const fn is_unsettled(&self) -> bool {
        self.unsettled
    }

    /// The transaction has ended. Returns whether the database has to be looked at.
    pub(super) fn end_transaction(&mut self) -> bool {
        let unsettled = std::mem::take(&mut self.unsettled);
        unsettled || self.visibility == Visibility::Private
    }

    /// Takes what a look at the database has shown. Returns a snapshot for other sessions.
    pub(super) fn take(
        &mut self,
        shared: &Shared,
        loaded: Loaded,
        status: TransactionStatus,
        asked_at: (Duration, Mark),
    ) -> Option<Arc<Catalog>> {
        let known = self.base.fingerprint == loaded.fingerprint;
        let same = loaded.temporary.fingerprint() == self.temporary.fingerprint();
        // A snapshot that has not changed keeps its number, and with it all plans.
        let identity = loaded.version.as_ref().map(Version::identity);
        let elsewhere = self.base.is_of_another(identity);
        let renews = !known || self.base.is_stale() || elsewhere;
        // The snapshot of a transaction may be an old one.
        let right_at = match status {
            TransactionStatus::Idle => asked_at,
            _ => (Duration::ZERO, Mark::default()),
        };
        if renews {
            self.base = shared.numbered(loaded.snapshot, loaded.fingerprint, right_at.0);
        }
        self.base.verify(right_at);
        self.facts.learn(&loaded.temporary);
        if status == TransactionStatus::Idle {
            self.facts.settle(&loaded.temporary);
            self.base.set_known(loaded.version, loaded.told);
            self.settled = Arc::clone(&self.base);
        }
        if renews || !same {
            let before = Arc::clone(&self.whole);
            self.temporary = loaded.temporary;
            self.put_together(shared);
            self.remember(&before.snapshot);
        }
        self.made.clear();
        (self.outdated, self.shown_again, self.fronted) = (false, false, false);
        (self.changed, self.defined, self.ran) = (false, false, false);
        let was = self.visibility;
        self.visibility = match status {
            TransactionStatus::Idle => Visibility::Shared,
            _ if known => was,
            _ => Visibility::Private,
        };
        self.unsettled = status != TransactionStatus::Idle && (self.unsettled || !known || !same);
        let is_old = known && !elsewhere && was == Visibility::Shared;
        let news = self.visibility == Visibility::Shared && !is_old;
        news.then(|| Arc::clone(&self.base))
    }
}
