//! Threads on which a session may take its time, away from those that serve sockets. There are no more
//! of them in the process than things that may take their time at once, as each has a large stack.

use std::io;
use std::sync::Arc;

use bytes::BytesMut;
use tokio::runtime::{Builder, Handle, Runtime};
use tokio::sync::Semaphore;
use tokio::task::JoinError;

use super::{limits, memory, processors};
use crate::session::{Catalog, Effort, Fatal, Progress, Session};

/// Bounds how many sessions take their time at once: one processor is left for the others, where
/// there are several, but for what is soon over.
#[derive(Debug)]
pub(super) struct Workshop {
    places: Arc<Semaphore>,
    /// For what takes some milliseconds: it need not wait for what takes longer.
    brief: Arc<Semaphore>,
    /// For snapshots of databases, on which logins wait.
    catalogs: Arc<Semaphore>,
    /// For what is left of sessions that are over.
    discards: Arc<Semaphore>,
    threads: Threads,
}

/// The threads, which belong to a runtime on which nothing else runs. Nobody waits for what they do when
/// it is dropped.
#[derive(Debug)]
struct Threads {
    handle: Handle,
    runtime: Option<Runtime>,
}

impl Threads {
    fn start(count: usize) -> io::Result<Self> {
        let runtime = Builder::new_current_thread()
            .thread_name("pgveil-beside")
            .thread_stack_size(memory::stack_of(count, limits::STACK_BESIDE_BYTES))
            .max_blocking_threads(count)
            .build()?;
        Ok(Self {
            handle: runtime.handle().clone(),
            runtime: Some(runtime),
        })
    }
}

impl Drop for Threads {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

/// What there is to do for a session.
#[derive(Debug, Default)]
pub(super) struct Work {
    /// The client's bytes.
    pub(super) client: bool,
    /// The server's bytes.
    pub(super) server: bool,
    /// A newer snapshot of the database.
    pub(super) catalog: Option<Arc<Catalog>>,
    /// The snapshot that it has said it needs.
    pub(super) supply: Option<Arc<Catalog>>,
    /// The snapshot that the server has described is to be put together.
    pub(super) opens: bool,
}

/// A session on its way to a thread of its own, and back.
#[derive(Debug)]
pub(super) struct Job {
    pub(super) session: Session,
    pub(super) from_client: BytesMut,
    pub(super) from_server: BytesMut,
    pub(super) work: Work,
    /// Something has come of it: bytes were taken or made, or a snapshot was used.
    pub(super) fruitful: bool,
}

impl Work {
    pub(super) const fn is_some(&self) -> bool {
        self.client || self.server || self.has_catalog()
    }

    const fn has_catalog(&self) -> bool {
        self.catalog.is_some() || self.supply.is_some()
    }
}

/// What of the workshop is one place, whatever the machine: for what is brief, for snapshots and for
/// what is left.
const OTHER_PLACES: usize = 3;

impl Workshop {
    /// Starts it, without a thread yet.
    ///
    /// # Errors
    /// If the system does not give what threads need.
    pub(super) fn start() -> io::Result<Self> {
        let places = processors().saturating_sub(1).max(1);
        Ok(Self {
            places: Arc::new(Semaphore::new(places)),
            brief: Arc::new(Semaphore::new(1)),
            catalogs: Arc::new(Semaphore::new(1)),
            discards: Arc::new(Semaphore::new(1)),
            threads: Threads::start(places + OTHER_PLACES)?,
        })
    }

    /// Does the work of a session as soon as there is a place. If the session is given up
    /// meanwhile, what was begun keeps its place until it is through.
    ///
    /// # Errors
    /// If the runtime ends.
    pub(super) async fn run(&self, job: Job) -> Result<(Job, Result<(), Fatal>), JoinError> {
        // It is never closed.
        let place = Arc::clone(self.places_for(&job)).acquire_owned().await;
        let place = place.ok();
        let work = move || {
            let _place = place;
            job.run()
        };
        self.threads.handle.spawn_blocking(work).await
    }

    const fn places(&self, concerns_all: bool, is_brief: bool) -> &Arc<Semaphore> {
        match (concerns_all, is_brief) {
            (true, _) => &self.catalogs,
            (false, true) => &self.brief,
            (false, false) => &self.places,
        }
    }

    fn places_for(&self, job: &Job) -> &Arc<Semaphore> {
        let concerns_all = job.work.has_catalog() || job.work.opens;
        self.places(concerns_all, job.session.is_brief())
    }

    /// Drops a session that is over, elsewhere if that takes its time: one after the other, as each
    /// thread takes a stack.
    pub(super) fn discard(&self, session: Session) {
        if !session.is_large() {
            return;
        }
        let discards = Arc::clone(&self.discards);
        let threads = self.threads.handle.clone();
        tokio::spawn(async move {
            let _place = discards.acquire_owned().await;
            let _ = threads.spawn_blocking(move || drop(session)).await;
        });
    }
}

impl Job {
    /// Work to be done for a session.
    pub(super) fn new(
        session: Session,
        (from_client, from_server): (BytesMut, BytesMut),
        work: Work,
    ) -> Self {
        Self {
            session,
            from_client,
            from_server,
            work,
            fruitful: false,
        }
    }

    fn run(mut self) -> (Self, Result<(), Fatal>) {
        let (has_catalog, before) = (self.work.has_catalog(), self.stand());
        let done = self.turns().map(drop);
        self.fruitful = has_catalog || self.stand() != before;
        (self, done)
    }

    /// What is there to be taken and what has been made, in bytes: whatever a session does with what
    /// has come changes it.
    fn stand(&mut self) -> [usize; 5] {
        [
            self.from_client.len(),
            self.from_server.len(),
            self.session.to_client().len(),
            self.session.to_server().len(),
            self.session.held_back(),
        ]
    }

    fn turns(&mut self) -> Result<Progress, Fatal> {
        if let Some(catalog) = self.work.catalog.take() {
            self.session.use_catalog(catalog);
        }
        if let Some(catalog) = self.work.supply.take() {
            self.session.supply_catalog(catalog);
        }
        let mut progress = Progress::Done;
        if self.work.server {
            progress = self
                .session
                .server_turn(&mut self.from_server, Effort::Heavy)?;
        }
        if self.work.client {
            progress = self
                .session
                .client_turn(&mut self.from_client, Effort::Heavy)?;
        }
        Ok(progress)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn what_is_brief_does_not_wait_for_what_takes_long() {
        let workshop = Workshop::start().unwrap();
        let all = workshop.places(false, false);
        let count = u32::try_from(all.available_permits()).unwrap();
        let _taken = all.acquire_many(count).await.unwrap();
        assert!(workshop.places(false, true).try_acquire().is_ok());
        assert!(workshop.places(true, false).try_acquire().is_ok());
        assert!(workshop.places(false, false).try_acquire().is_err());
    }
}
