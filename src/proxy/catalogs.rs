//! The pictures of the databases that the sessions of one configuration share. The first session
//! of a database loads one while the others wait for it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::time::Instant;

use crate::session::Catalog;

/// By the name of the database. A name gets in here only after Postgres has let a session in, so
/// that strangers can't fill the map.
#[derive(Debug, Default)]
pub(super) struct Catalogs(Mutex<HashMap<Box<[u8]>, Arc<Database>>>);

/// The newest picture of a database.
#[derive(Debug)]
pub(super) struct Database {
    newest: watch::Sender<Option<Dated>>,
    /// One permit: whoever has it loads.
    loading: Arc<Semaphore>,
}

/// A picture and the time from which on others could use it.
#[derive(Debug, Clone)]
struct Dated {
    catalog: Arc<Catalog>,
    since: Instant,
}

/// What a session that needs a picture is to do.
#[derive(Debug)]
pub(super) enum Supply {
    /// Use this one.
    Use(Arc<Catalog>),
    /// Load one; the others wait until the permit is dropped.
    /// The second is the picture that has become too old.
    Load(Option<OwnedSemaphorePermit>, Option<Arc<Catalog>>),
}

/// Notices newer pictures.
#[derive(Debug)]
pub(super) struct News(watch::Receiver<Option<Dated>>);

impl Catalogs {
    /// The entry of a database.
    pub(super) fn database(&self, name: &[u8]) -> Arc<Database> {
        let mut databases = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(database) = databases.get(name) {
            return Arc::clone(database);
        }
        let database = Arc::new(Database {
            newest: watch::Sender::new(None),
            loading: Arc::new(Semaphore::new(1)),
        });
        databases.insert(name.into(), Arc::clone(&database));
        database
    }
}

impl Database {
    /// A picture no older than `max_age`, or the order to load one. Waits while another session
    /// loads.
    pub(super) async fn supply(&self, max_age: Duration) -> Supply {
        let young = || {
            let dated = self.newest.borrow().clone();
            dated.filter(|dated| !dated.catalog.is_stale() && dated.since.elapsed() <= max_age)
        };
        if let Some(dated) = young() {
            return Supply::Use(dated.catalog);
        }
        // The semaphore is never closed; if it were, everyone would load on their own.
        let permit = Arc::clone(&self.loading).acquire_owned().await.ok();
        match young() {
            Some(dated) => Supply::Use(dated.catalog),
            None => {
                let old = self
                    .newest
                    .borrow()
                    .as_ref()
                    .map(|dated| Arc::clone(&dated.catalog));
                Supply::Load(permit, old)
            }
        }
    }

    /// Hands a picture to everyone.
    pub(super) fn publish(&self, catalog: Arc<Catalog>) {
        let since = Instant::now();
        self.newest.send_replace(Some(Dated { catalog, since }));
    }

    /// For a session that wants to hear of newer pictures.
    pub(super) fn news(&self) -> News {
        News(self.newest.subscribe())
    }
}

impl News {
    /// The newest picture, if it was published after the last call.
    pub(super) fn take(&mut self) -> Option<Arc<Catalog>> {
        if !self.0.has_changed().unwrap_or(false) {
            return None;
        }
        let dated = self.0.borrow_and_update();
        dated.as_ref().map(|dated| Arc::clone(&dated.catalog))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::Snapshot;
    use crate::session::{Analyse, Limits, Shared};

    fn shared() -> Shared {
        Shared::new([], Limits::default(), Analyse::default(), |_| {})
    }

    #[tokio::test]
    async fn one_session_loads_while_the_others_wait() {
        let (shared, catalogs) = (shared(), Catalogs::default());
        let database = catalogs.database(b"shop");
        let age = Duration::from_secs(60);
        let Supply::Load(permit, _) = database.supply(age).await else {
            panic!("nothing is there yet");
        };
        let other = catalogs.database(b"shop");
        let waiting = tokio::spawn(async move { other.supply(age).await });
        tokio::task::yield_now().await;
        assert!(!waiting.is_finished());
        let catalog = shared.number(Snapshot::default());
        database.publish(Arc::clone(&catalog));
        drop(permit);
        let Supply::Use(used) = waiting.await.unwrap() else {
            panic!("it was published");
        };
        assert_eq!(used.epoch, catalog.epoch);
    }

    #[tokio::test]
    async fn the_next_session_loads_if_the_first_gives_up() {
        let catalogs = Catalogs::default();
        let database = catalogs.database(b"shop");
        let first = database.supply(Duration::MAX).await;
        assert!(matches!(first, Supply::Load(..)));
        drop(first);
        let second = database.supply(Duration::MAX).await;
        assert!(matches!(second, Supply::Load(..)));
    }

    #[tokio::test]
    async fn an_old_picture_is_loaded_anew_and_news_reach_running_sessions() {
        let (shared, catalogs) = (shared(), Catalogs::default());
        let database = catalogs.database(b"shop");
        let mut news = database.news();
        assert!(news.take().is_none());
        database.publish(shared.number(Snapshot::default()));
        assert!(news.take().is_some());
        assert!(news.take().is_none());
        tokio::time::sleep(Duration::from_millis(2)).await;
        let supply = database.supply(Duration::from_millis(1)).await;
        assert!(matches!(supply, Supply::Load(..)));
    }
}
