//! The snapshots of the databases that the sessions of one configuration share. The first session
//! of a database loads one while the others wait for it.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use crate::audit::{Event, escaped};
use crate::catalog::Snapshot;
use crate::session::{Catalog, Earlier, Moves};

use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::time::timeout;

use super::drift::Drift;
use super::homes::Homes;
use super::limits;

/// By the name of the database and the host: a standby may lag behind, and a host that takes the
/// place of another may lack what that one had. A name gets in here only after Postgres has let a
/// session in, so that strangers can't fill the map.
#[derive(Debug, Default)]
pub(super) struct Catalogs {
    sites: Mutex<HashMap<Place, Arc<Site>>>,
    movements: Arc<Movements>,
    homes: Arc<Homes>,
}

/// The name of a database, and the host.
type Place = (Box<[u8]>, Box<str>);

/// What is known of the databases on whatever host, by their names: standbys follow. It outlives a
/// configuration, as sessions do.
#[derive(Debug, Default)]
pub(super) struct Movements(Mutex<HashMap<Box<[u8]>, Arc<Movement>>>);

/// How a database changes.
#[derive(Debug, Default)]
struct Movement {
    /// The definitions that are under way.
    moves: Arc<Moves>,
    /// What has come that nobody has decided on.
    drift: Drift,
}

/// So many databases are remembered behind a name besides the last: short sessions by turns, as behind
/// a balancer, find their snapshots.
const MOST_OTHERS: usize = 3;

/// What a name of a database on a host leads to. Behind an address may be several servers, as with
/// a balancer or where it moves: each has its own database of that name.
#[derive(Debug)]
pub(super) struct Site {
    found: Mutex<Found>,
    movement: Arc<Movement>,
    homes: Arc<Homes>,
    name: Box<[u8]>,
    host: Box<str>,
}

/// The databases that a name has led to.
#[derive(Debug)]
struct Found {
    /// The one that it led to last.
    last: Arc<Database>,
    /// Those that it has led to before, the last one first.
    others: Vec<Arc<Database>>,
}

/// The newest snapshot of a database of one server.
#[derive(Debug)]
pub(super) struct Database {
    /// Which one it is, once somebody has looked.
    identity: OnceLock<Arc<str>>,
    newest: watch::Sender<Option<Arc<Catalog>>>,
    /// What the last session asked for that can't look by itself.
    plea: watch::Sender<u64>,
    /// A snapshot of a database of this name on another server, until there is one of this.
    elsewhere: Mutex<Option<Arc<Catalog>>>,
    /// One permit: whoever has it loads.
    loading: Mutex<Arc<Semaphore>>,
}

/// What a session that needs a snapshot is to do.
#[derive(Debug)]
pub(super) enum Supply {
    /// Use this one.
    Use(Arc<Catalog>),
    /// Load one; the others wait until the permit is dropped.
    Load(Option<OwnedSemaphorePermit>, Earlier),
}

/// Notices newer snapshots.
#[derive(Debug)]
pub(super) struct News(watch::Receiver<Option<Arc<Catalog>>>);

impl Catalogs {
    /// Snapshots for a new configuration.
    pub(super) fn beside(movements: Arc<Movements>, homes: Arc<Homes>) -> Self {
        Self {
            sites: Mutex::default(),
            movements,
            homes,
        }
    }

    /// The databases of which there is a snapshot, with the time when that was last right, on the
    /// clock of the sessions; of several hosts the last one.
    pub(super) fn verified(&self) -> Vec<(Box<[u8]>, Duration)> {
        let mut verified: BTreeMap<Box<[u8]>, Duration> = BTreeMap::new();
        for ((name, _), site) in self.lock().iter() {
            if let Some(newest) = &*site.database(None).newest.borrow() {
                let at = verified.entry(name.clone()).or_default();
                *at = newest.verified_at().max(*at);
            }
        }
        verified.into_iter().collect()
    }

    /// How many columns of keys nobody has decided on, by the names of the databases; of several
    /// hosts where there are most.
    pub(super) fn undecided(&self) -> Vec<(Box<[u8]>, usize)> {
        let mut undecided: BTreeMap<Box<[u8]>, usize> = BTreeMap::new();
        for ((name, _), site) in self.lock().iter() {
            if let Some(newest) = &*site.database(None).newest.borrow() {
                let most = undecided.entry(name.clone()).or_default();
                *most = newest.snapshot.undecided().len().max(*most);
            }
        }
        undecided.into_iter().collect()
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Place, Arc<Site>>> {
        self.sites.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The entry of a name of a database on a host.
    pub(super) fn site(&self, name: &[u8], host: &str) -> Arc<Site> {
        let mut sites = self.lock();
        let place = (Box::from(name), Box::from(host));
        if let Some(site) = sites.get(&place) {
            return Arc::clone(site);
        }
        // Of several hosts the one whose snapshot was right last.
        let others = sites.iter().filter(|((other, _), _)| **other == *name);
        let others = others.filter_map(|(_, site)| site.database(None).known());
        let elsewhere = others.max_by_key(|catalog| catalog.verified_at());
        let found = Found {
            last: Arc::new(Database::after(elsewhere)),
            others: Vec::new(),
        };
        let site = Arc::new(Site {
            found: Mutex::new(found),
            movement: self.movements.of(name),
            homes: Arc::clone(&self.homes),
            name: name.into(),
            host: host.into(),
        });
        sites.insert(place, Arc::clone(&site));
        site
    }
}

impl Movements {
    fn of(&self, name: &[u8]) -> Arc<Movement> {
        let mut databases = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(databases.entry(name.into()).or_default())
    }
}

impl Site {
    /// Whether it changes.
    pub(super) fn moves(&self) -> Arc<Moves> {
        Arc::clone(&self.movement.moves)
    }

    /// The database that is called so ([`Catalog::identity`]), or the one that the name led to last.
    pub(super) fn database(&self, identity: Option<&Arc<str>>) -> Arc<Database> {
        let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        let is_meant = |database: &Database| match (identity, database.identity.get()) {
            (Some(identity), Some(known)) => identity == known,
            (Some(_), None) => false,
            (None, _) => true,
        };
        if is_meant(&found.last) {
            return Arc::clone(&found.last);
        }
        let known = found.others.iter().position(|other| is_meant(other));
        let meant = match known {
            Some(known) => found.others.remove(known),
            None => Arc::new(Database::after(found.last.known())),
        };
        if let Some(identity) = identity {
            meant.identity.get_or_init(|| Arc::clone(identity));
        }
        let before = std::mem::replace(&mut found.last, Arc::clone(&meant));
        found.others.insert(0, before);
        found.others.truncate(MOST_OTHERS);
        meant
    }

    /// Hands a snapshot to everyone who uses the database that it is of, and gives that: the one
    /// whose snapshots the session that has loaded it uses, unless that shows another server's.
    pub(super) fn publish(&self, used: &Arc<Database>, catalog: Arc<Catalog>) -> Arc<Database> {
        let identity = catalog.identity();
        let is_used = identity
            .as_ref()
            .is_none_or(|identity| used.identity.get_or_init(|| Arc::clone(identity)) == identity);
        let database = match is_used {
            true => Arc::clone(used),
            false => self.database(identity.as_ref()),
        };
        let snapshot = Arc::clone(&catalog.snapshot);
        if database.publish(catalog) {
            let refused = snapshot.closes_undecided();
            for column in self.movement.drift.news(&self.host, &snapshot) {
                let column = escaped(column.to_string().as_bytes());
                Event::CatalogDrift { column, refused }.emit();
            }
            self.homes.settle(&self.name, &snapshot);
        }
        database
    }
}

impl Database {
    /// One of which nothing is known but a snapshot of a database of this name on another server.
    fn after(elsewhere: Option<Arc<Catalog>>) -> Self {
        Self {
            identity: OnceLock::new(),
            newest: watch::Sender::new(None),
            plea: watch::Sender::new(0),
            elsewhere: Mutex::new(elsewhere),
            loading: Mutex::new(Arc::new(Semaphore::new(1))),
        }
    }

    /// A snapshot no older than `max_age`, or the order to load one. Waits while another session
    /// loads; whoever has waited takes any snapshot that was asked for after the wait began, so that
    /// one look serves all who want one that young. `now` tells the time on the clock of the
    /// sessions.
    pub(super) async fn supply(&self, max_age: Duration, now: impl Fn() -> Duration) -> Supply {
        let asked_at = now();
        let young = || {
            let newest = self.newest.borrow().clone();
            newest.filter(|catalog| {
                let later = catalog.verified_at() > asked_at;
                !catalog.is_stale() && (later || catalog.is_younger(max_age, now()))
            })
        };
        loop {
            if let Some(catalog) = young() {
                return Supply::Use(catalog);
            }
            let loading = Arc::clone(&self.lock());
            let permit = Arc::clone(&loading).acquire_owned();
            // The semaphore is never closed; if it were, everyone would load on their own.
            if let Ok(permit) = timeout(limits::SNAPSHOT_PATIENCE, permit).await {
                return match young() {
                    Some(catalog) => Supply::Use(catalog),
                    None => Supply::Load(permit.ok(), self.earlier()),
                };
            }
            self.give_up(&loading);
        }
    }

    /// What is known of it.
    fn earlier(&self) -> Earlier {
        let newest = self.newest.borrow().clone();
        let elsewhere = || self.elsewhere().clone().map(Earlier::Elsewhere);
        let earlier = newest.map(Earlier::Here).or_else(elsewhere);
        earlier.unwrap_or(Earlier::Unknown)
    }

    /// The snapshot that there is of it, or else of the one in whose place it may be.
    fn known(&self) -> Option<Arc<Catalog>> {
        match self.earlier() {
            Earlier::Here(catalog) | Earlier::Elsewhere(catalog) => Some(catalog),
            Earlier::Unknown => None,
        }
    }

    fn elsewhere(&self) -> MutexGuard<'_, Option<Arc<Catalog>>> {
        self.elsewhere
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets another session load: the one that does gets no answer, as when its connection is lost
    /// without a word.
    fn give_up(&self, loading: &Arc<Semaphore>) {
        let mut known = self.lock();
        if Arc::ptr_eq(&known, loading) {
            *known = Arc::new(Semaphore::new(1));
        }
    }

    fn lock(&self) -> MutexGuard<'_, Arc<Semaphore>> {
        self.loading.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Hands a snapshot to everyone, unless there is one of a later state of the database. Says
    /// whether it has.
    fn publish(&self, catalog: Arc<Catalog>) -> bool {
        let snapshot = Arc::clone(&catalog.snapshot);
        let mut earlier = None;
        let published = self.newest.send_if_modified(|newest| {
            let keeps = newest
                .as_ref()
                .is_some_and(|newest| !newest.is_stale() && !catalog.is_newer_than(newest));
            if !keeps {
                earlier = newest.replace(catalog);
            }
            !keeps
        });
        if published {
            self.elsewhere().take();
            let earlier = earlier.as_ref().map(|earlier| &*earlier.snapshot);
            tell_closed(&snapshot, earlier);
        }
        published
    }

    /// Whether this is the snapshot that everyone has.
    pub(super) fn has(&self, catalog: &Arc<Catalog>) -> bool {
        let newest = self.newest.borrow();
        newest
            .as_ref()
            .is_some_and(|newest| Arc::ptr_eq(newest, catalog))
    }

    /// Asks the sessions that have nothing to do to look, for one that can't.
    pub(super) fn plead(&self, plea: u64) {
        self.plea.send_replace(plea);
    }

    /// For a session that looks for others when it has nothing to do.
    pub(super) fn pleas(&self) -> watch::Receiver<u64> {
        self.plea.subscribe()
    }

    /// For a session that wants to hear of newer snapshots.
    pub(super) fn news(&self) -> News {
        News(self.newest.subscribe())
    }
}

/// Tells what the configuration is about and is closed, for it is not what it says; once, as long as
/// it is so.
fn tell_closed(snapshot: &Snapshot, earlier: Option<&Snapshot>) {
    let known = earlier.map_or(&[][..], Snapshot::misfit_functions);
    let functions = snapshot.misfit_functions().iter();
    for function in functions.filter(|function| !known.contains(function)) {
        let function = function.clone();
        Event::Misfit { function }.emit();
    }
    let known = earlier.map_or(&[][..], Snapshot::misfits).iter();
    let known: HashSet<_> = known.map(|misfit| &misfit.column).collect();
    let columns = snapshot.misfits().iter().map(|misfit| &misfit.column);
    for column in columns.filter(|column| !known.contains(column)) {
        let column = escaped(column.to_string().as_bytes());
        Event::ColumnMisfit { column }.emit();
    }
}

impl News {
    /// The newest snapshot, if it was published after the last call.
    pub(super) fn take(&mut self) -> Option<Arc<Catalog>> {
        if !self.0.has_changed().unwrap_or(false) {
            return None;
        }
        self.0.borrow_and_update().clone()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::*;
    use crate::catalog::Snapshot;
    use crate::session::{Analyzer, Limits, Shared};

    const AGE: Duration = Duration::from_secs(60);

    fn shared() -> Shared {
        Shared::new([], Limits::default(), Analyzer::default(), |_| {})
    }

    fn seconds(seconds: u64) -> impl Fn() -> Duration + Clone {
        move || Duration::from_secs(seconds)
    }

    /// A snapshot that was asked for at this second.
    fn catalog_of(shared: &Shared, second: u64) -> Arc<Catalog> {
        shared.number_at(Snapshot::default(), Duration::from_secs(second))
    }

    #[tokio::test]
    async fn one_session_loads_while_the_others_wait() {
        let (shared, catalogs) = (shared(), Catalogs::default());
        let database = catalogs.site(b"shop", "a:1").database(None);
        let Supply::Load(permit, _) = database.supply(AGE, seconds(1)).await else {
            panic!("nothing is there yet");
        };
        let other = catalogs.site(b"shop", "a:1").database(None);
        let waiting = tokio::spawn(async move { other.supply(AGE, seconds(1)).await });
        tokio::task::yield_now().await;
        assert!(!waiting.is_finished());
        let catalog = catalog_of(&shared, 1);
        database.publish(Arc::clone(&catalog));
        drop(permit);
        let Supply::Use(used) = waiting.await.unwrap() else {
            panic!("it was published");
        };
        assert_eq!(used.epoch, catalog.epoch);
    }

    /// However young snapshots have to be: the first session looks, the second one too, as that look
    /// had begun before it came, and its look serves all who wait by then.
    #[tokio::test]
    async fn one_look_serves_all_who_wait_for_one_that_begins_after_they_came() {
        let (shared, catalogs) = (Arc::new(shared()), Catalogs::default());
        let database = catalogs.site(b"shop", "a:1").database(None);
        let clock = Arc::new(AtomicU64::new(1));
        let now = {
            let clock = Arc::clone(&clock);
            move || Duration::from_secs(clock.load(Ordering::Relaxed))
        };
        let first = database.supply(Duration::ZERO, now.clone()).await;
        assert!(matches!(first, Supply::Load(..)));
        clock.store(2, Ordering::Relaxed);
        let looks = Arc::new(AtomicU64::new(0));
        let waiting: Vec<_> = (0..200)
            .map(|_| {
                let (database, shared) = (
                    catalogs.site(b"shop", "a:1").database(None),
                    Arc::clone(&shared),
                );
                let (now, clock, looks) = (now.clone(), Arc::clone(&clock), Arc::clone(&looks));
                tokio::spawn(async move {
                    match database.supply(Duration::ZERO, now).await {
                        Supply::Use(catalog) => catalog.verified_at(),
                        Supply::Load(permit, _) => {
                            looks.fetch_add(1, Ordering::Relaxed);
                            let second = clock.fetch_add(1, Ordering::Relaxed) + 1;
                            let catalog = catalog_of(&shared, second);
                            let at = catalog.verified_at();
                            tokio::task::yield_now().await;
                            database.publish(catalog);
                            drop(permit);
                            at
                        }
                    }
                })
            })
            .collect();
        tokio::task::yield_now().await;
        database.publish(catalog_of(&shared, 1));
        drop(first);
        for waiting in waiting {
            assert!(waiting.await.unwrap() > Duration::from_secs(2));
        }
        assert_eq!(looks.load(Ordering::Relaxed), 1);
    }

    #[tokio::test]
    async fn a_session_that_gets_no_answer_keeps_nobody_from_loading() {
        let (shared, catalogs) = (shared(), Catalogs::default());
        let database = catalogs.site(b"shop", "a:1").database(None);
        let stuck = database.supply(AGE, seconds(1)).await;
        assert!(matches!(stuck, Supply::Load(Some(_), _)));
        let Supply::Load(permit, _) = database.supply(AGE, seconds(1)).await else {
            panic!("nothing is there yet");
        };
        // Others wait for that one.
        let other = Arc::clone(&database);
        let waiting = tokio::spawn(async move { other.supply(AGE, seconds(1)).await });
        tokio::task::yield_now().await;
        assert!(!waiting.is_finished());
        database.publish(catalog_of(&shared, 1));
        drop(permit);
        assert!(matches!(waiting.await.unwrap(), Supply::Use(_)));
        drop(stuck);
    }

    #[tokio::test]
    async fn each_host_has_a_snapshot_of_its_own() {
        let (shared, catalogs) = (shared(), Catalogs::default());
        let [one, other] = ["a:1", "b:1"].map(|host| catalogs.site(b"shop", host));
        let (here, there) = (one.database(None), other.database(None));
        here.publish(catalog_of(&shared, 1));
        let supply = there.supply(AGE, seconds(1)).await;
        assert!(matches!(supply, Supply::Load(_, Earlier::Unknown)));
        assert!(Arc::ptr_eq(&one.moves(), &other.moves()));
        there.publish(catalog_of(&shared, 5));
        assert_eq!(
            catalogs.verified(),
            [(b"shop"[..].into(), Duration::from_secs(5))]
        );
    }

    #[tokio::test]
    async fn the_next_session_loads_if_the_first_gives_up() {
        let catalogs = Catalogs::default();
        let database = catalogs.site(b"shop", "a:1").database(None);
        let first = database.supply(Duration::MAX, seconds(1)).await;
        assert!(matches!(first, Supply::Load(..)));
        drop(first);
        let second = database.supply(Duration::MAX, seconds(1)).await;
        assert!(matches!(second, Supply::Load(..)));
    }

    #[tokio::test]
    async fn an_old_snapshot_is_loaded_anew_and_news_reach_running_sessions() {
        let (shared, catalogs) = (shared(), Catalogs::default());
        let database = catalogs.site(b"shop", "a:1").database(None);
        let mut news = database.news();
        assert!(news.take().is_none());
        database.publish(catalog_of(&shared, 2));
        assert!(news.take().is_some());
        assert!(news.take().is_none());
        let supply = database.supply(AGE, seconds(61)).await;
        assert!(matches!(supply, Supply::Use(..)));
        let supply = database.supply(AGE, seconds(62)).await;
        assert!(matches!(supply, Supply::Load(..)));
    }

    #[tokio::test]
    async fn a_snapshot_of_an_earlier_state_takes_the_place_of_no_later_one() {
        let (shared, catalogs) = (shared(), Catalogs::default());
        let database = catalogs.site(b"shop", "a:1").database(None);
        let mut news = database.news();
        let later = catalog_of(&shared, 3);
        database.publish(Arc::clone(&later));
        assert!(news.take().is_some());
        database.publish(catalog_of(&shared, 2));
        assert!(news.take().is_none());
    }
}
