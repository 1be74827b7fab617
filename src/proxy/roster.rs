//! The sessions one by one: whose each is, what it does, and a way to end it. What a session does it
//! writes into numbers of its own; the list is touched when one begins or ends, and by whoever looks.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use tokio::sync::oneshot;
use tokio::time::Instant;

use super::cancels::Bell;
use crate::audit::{Activity, Doing, escaped};

/// The sessions that run now.
#[derive(Debug, Clone, Default)]
pub(super) struct Roster(Arc<Mutex<BTreeMap<u64, Row>>>);

#[derive(Debug)]
struct Row {
    whose: Whose,
    since: SystemTime,
    began: Instant,
    activity: Arc<Activity>,
    /// Each is used once.
    at_once: Option<oneshot::Sender<()>>,
    when_idle: Option<oneshot::Sender<()>>,
}

/// What an operator wants of a session, or its client from another connection.
#[derive(Debug)]
pub(super) enum Order {
    /// It ends now.
    AtOnce,
    /// It ends as soon as it is idle.
    WhenIdle,
    /// It says when it has taken what its client has sent.
    Hear(Arc<Bell>),
}

/// What a session is told, each order to end once.
#[derive(Debug)]
pub(super) struct Orders {
    at_once: oneshot::Receiver<()>,
    when_idle: oneshot::Receiver<()>,
    /// By which a cancellation asks, where one can.
    pub(super) bell: Option<Arc<Bell>>,
}

/// Waits until a bell is rung, and gives it.
async fn rung(bell: Option<&Arc<Bell>>) -> Arc<Bell> {
    match bell {
        Some(bell) => {
            bell.rung().await;
            Arc::clone(bell)
        }
        None => std::future::pending().await,
    }
}

/// Whose a session is, and where it goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Whose {
    /// The number of the session, as the log has it.
    pub number: u64,
    /// The client's address.
    pub peer: String,
    /// The database role, escaped.
    pub role: String,
    /// The database, escaped.
    pub database: String,
    /// What the client called itself when it came, escaped; empty if it did not say.
    pub application: String,
    /// What is done with its statements.
    pub mode: &'static str,
    /// The server that it is connected to.
    pub host: String,
}

/// A session as it is seen at one moment.
#[derive(Debug, Clone)]
pub struct Seen {
    /// Whose session it is.
    pub whose: Whose,
    /// When it began.
    pub since: SystemTime,
    /// How long ago that was.
    pub age: Duration,
    /// What it is doing.
    pub doing: Doing,
    /// How many statements it has had ([`Activity::statements`]).
    pub statements: u64,
}

/// A session on the list. It is off it when this is dropped.
#[derive(Debug)]
pub(super) struct Listed {
    roster: Roster,
    number: u64,
    pub(super) activity: Arc<Activity>,
    pub(super) orders: Orders,
}

impl Orders {
    /// Waits for the next one. It costs a look at three numbers of the session's own.
    pub(super) async fn next(&mut self) -> Order {
        tokio::select! {
            biased;
            _ = &mut self.at_once, if !self.at_once.is_terminated() => Order::AtOnce,
            _ = &mut self.when_idle, if !self.when_idle.is_terminated() => Order::WhenIdle,
            bell = rung(self.bell.as_ref()) => Order::Hear(bell),
        }
    }

    /// Whether it was told to end at once.
    pub(super) fn has_ended_it(&self) -> bool {
        self.at_once.is_terminated()
    }
}

impl Roster {
    /// Puts a session on the list.
    pub(super) fn begin(&self, whose: Whose) -> Listed {
        let ((at_once, now), (when_idle, later)) = (oneshot::channel(), oneshot::channel());
        let (number, activity) = (whose.number, Arc::<Activity>::default());
        let row = Row {
            whose,
            since: SystemTime::now(),
            began: Instant::now(),
            activity: Arc::clone(&activity),
            at_once: Some(at_once),
            when_idle: Some(when_idle),
        };
        self.lock().insert(number, row);
        Listed {
            roster: self.clone(),
            number,
            activity,
            orders: Orders {
                at_once: now,
                when_idle: later,
                bell: None,
            },
        }
    }

    /// The sessions behind a number, so many of them at most, by their numbers; and how many there
    /// are beyond these.
    pub(super) fn seen(&self, after: u64, most: usize) -> (Vec<Seen>, usize) {
        let rows = self.lock();
        let mut behind = rows.range(after.saturating_add(1)..);
        let seen = behind.by_ref().take(most).map(|(_, row)| row.seen());
        (seen.collect(), behind.count())
    }

    /// Has a session end; says whether there is one of this number.
    pub(super) fn end(&self, number: u64) -> bool {
        let mut rows = self.lock();
        let Some(row) = rows.get_mut(&number) else {
            return false;
        };
        tell(&mut row.at_once);
        true
    }

    /// Has all sessions end that run now, each as soon as it is idle; says how many there are.
    pub(super) fn recycle(&self) -> usize {
        let mut rows = self.lock();
        rows.values_mut().for_each(|row| tell(&mut row.when_idle));
        rows.len()
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<u64, Row>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn tell(order: &mut Option<oneshot::Sender<()>>) {
    if let Some(order) = order.take() {
        // One that is ending by itself does not listen any more.
        let _ = order.send(());
    }
}

impl Row {
    fn seen(&self) -> Seen {
        Seen {
            whose: self.whose.clone(),
            since: self.since,
            age: self.began.elapsed(),
            doing: self.activity.doing(),
            statements: self.activity.statements.get(),
        }
    }
}

impl Whose {
    /// A session of these names, which are cut and escaped.
    pub(super) fn new(
        (number, peer): (u64, &str),
        (role, database, application): (&[u8], &[u8], &[u8]),
        (mode, host): (&'static str, String),
    ) -> Self {
        Self {
            number,
            peer: peer.to_owned(),
            role: escaped(role),
            // Postgres takes the name of the role if the client names none.
            database: escaped(if database.is_empty() { role } else { database }),
            application: escaped(application),
            mode,
            host,
        }
    }
}

impl Drop for Listed {
    fn drop(&mut self) {
        self.roster.lock().remove(&self.number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn begin(roster: &Roster, number: u64) -> Listed {
        let long = "x\n".repeat(1000);
        let names = (&b"app"[..], &b""[..], long.as_bytes());
        roster.begin(Whose::new(
            (number, "peer"),
            names,
            ("enforce", "db:5432".to_owned()),
        ))
    }

    #[test]
    fn a_session_is_on_the_list_as_long_as_it_lives() {
        let roster = Roster::default();
        let (first, second) = (begin(&roster, 7), begin(&roster, 9));
        first.activity.set(Doing::Active);
        first.activity.statements.add(3);
        let (seen, beyond) = roster.seen(0, 1);
        assert_eq!((seen.len(), beyond), (1, 1));
        let only = &seen[0];
        assert_eq!((only.doing, only.statements), (Doing::Active, 3));
        assert_eq!(only.whose.database, "app");
        assert!(only.whose.application.len() < 200 && !only.whose.application.contains('\n'));
        let numbers = |(seen, _): (Vec<Seen>, usize)| -> Vec<u64> {
            seen.iter().map(|seen| seen.whose.number).collect()
        };
        assert_eq!(numbers(roster.seen(7, 10)), [9]);
        assert_eq!(numbers(roster.seen(u64::MAX, 10)), [0; 0]);
        drop(first);
        assert_eq!(numbers(roster.seen(0, 10)), [9]);
        drop(second);
    }

    #[tokio::test]
    async fn each_order_is_heard_once_and_by_whom_it_is_for() {
        let roster = Roster::default();
        let (mut first, mut second) = (begin(&roster, 7), begin(&roster, 9));
        assert_eq!(roster.recycle(), 2);
        assert!(roster.end(7) && roster.end(7) && !roster.end(8));
        assert!(matches!(first.orders.next().await, Order::AtOnce));
        assert!(matches!(first.orders.next().await, Order::WhenIdle));
        assert!(matches!(second.orders.next().await, Order::WhenIdle));
        assert!(first.orders.has_ended_it() && !second.orders.has_ended_it());
        let nothing = tokio::time::timeout(Duration::from_millis(1), second.orders.next());
        assert!(nothing.await.is_err());
    }
}
