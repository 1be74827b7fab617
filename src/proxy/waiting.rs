//! The places of clients, and who gives one up when all are taken. Whoever is silent must not
//! keep others out: of the clients that have no session yet, the oldest that has sent nothing
//! gives way first.
//!
//! Two kinds of places are given up. One is the connection itself: a newcomer takes it over. The
//! other is the permit for a session, which a client holds while it authenticates: one that owes
//! an answer for long is asked to go, and the permit is free once it has gone.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::{Instant, sleep};

/// How far a client has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stage {
    /// It has sent nothing.
    Silent,
    /// It has begun: a part of a packet, a request for encryption, a TLS handshake.
    Begun,
    /// It has said what it wants, and waits for Postgres or for pgveil.
    Served,
    /// Postgres has let it in, and makes its session ready.
    Settling,
    /// It was asked to prove who it is, and owes the answer.
    Asked,
    /// It has been told that there is no session, and may still be reading that.
    Told,
    /// It has a session.
    In,
}

/// All the places.
#[derive(Debug)]
pub(super) struct Waiting {
    places: usize,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// Clients that hold a place.
    clients: HashMap<u64, Client>,
    /// The next number, of a client or of its place in a queue.
    next: u64,
    told: Queue,
    silent: Queue,
    begun: Queue,
    asked: Queue,
}

/// Clients of one stage, the one that reached it first in front: order and number.
type Queue = BTreeMap<u64, u64>;

#[derive(Debug)]
struct Client {
    stage: Stage,
    since: Instant,
    /// Its place in the queue of the stage.
    order: u64,
    /// It is to go, although nobody has taken its place.
    asked_to_go: bool,
    go: Arc<Notify>,
}

/// The place of one client, free again when it is dropped.
#[derive(Debug)]
pub(super) struct Place {
    waiting: Arc<Waiting>,
    number: u64,
    go: Arc<Notify>,
}

/// What a newcomer gets.
#[derive(Debug)]
pub(super) enum Accepted {
    /// A place that was free.
    Free(Place),
    /// The place of another, which goes.
    TakenOver(Place),
    /// None: nobody has one that could be given up.
    Full,
}

impl Waiting {
    pub(super) fn new(places: usize) -> Self {
        Self {
            places,
            state: Mutex::default(),
        }
    }

    /// A place for a client that has just come.
    pub(super) fn accept(self: &Arc<Self>) -> Accepted {
        let mut state = self.lock();
        if state.clients.len() < self.places {
            Accepted::Free(self.place(&mut state))
        } else if state.give_up() {
            Accepted::TakenOver(self.place(&mut state))
        } else {
            Accepted::Full
        }
    }

    /// Ends a client that may be ended, if there is one: when sockets themselves are scarce.
    pub(super) fn make_room(&self) -> bool {
        self.lock().give_up()
    }

    /// Asks the client to go that has owed an answer for longest of those whose numbers these are, if
    /// that is long enough. It gives up what it holds when it has heard.
    pub(super) fn hurry(&self, patience: Duration, is_meant: impl Fn(u64) -> bool) -> bool {
        let mut state = self.lock();
        let mut asked = state.asked.iter();
        let longest = asked.find(|(_, number)| is_meant(**number));
        let Some((&order, &number)) = longest else {
            return false;
        };
        let Some(client) = state.clients.get_mut(&number) else {
            return false;
        };
        if client.since.elapsed() < patience {
            return false;
        }
        client.asked_to_go = true;
        client.go.notify_one();
        state.asked.remove(&order);
        true
    }

    fn place(self: &Arc<Self>, state: &mut State) -> Place {
        let number = state.number();
        let go = Arc::new(Notify::new());
        let client = Client {
            stage: Stage::Silent,
            since: Instant::now(),
            order: number,
            asked_to_go: false,
            go: Arc::clone(&go),
        };
        state.clients.insert(number, client);
        state.silent.insert(number, number);
        Place {
            waiting: Arc::clone(self),
            number,
            go,
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn number(&mut self) -> u64 {
        self.next += 1;
        self.next
    }

    fn queue(&mut self, stage: Stage) -> Option<&mut Queue> {
        match stage {
            Stage::Told => Some(&mut self.told),
            Stage::Silent => Some(&mut self.silent),
            Stage::Begun => Some(&mut self.begun),
            Stage::Asked => Some(&mut self.asked),
            Stage::Served | Stage::Settling | Stage::In => None,
        }
    }

    /// Takes the place of the client that can be spared first, and tells it to go. Those who have
    /// been told that there is no session can go at once. The silent go before those who have
    /// begun, unless they are few: then it is the others who crowd the door, and a newcomer, who
    /// is silent too until its first bytes arrive, must have the time to send them.
    fn give_up(&mut self) -> bool {
        let crowd = self.silent.len() + self.begun.len();
        let stages = if 4 * self.silent.len() >= crowd {
            [Stage::Told, Stage::Silent, Stage::Begun]
        } else {
            [Stage::Told, Stage::Begun, Stage::Silent]
        };
        stages.into_iter().any(|stage| {
            let first = self.queue(stage).and_then(Queue::pop_first);
            let client = first.and_then(|(_, number)| self.clients.remove(&number));
            client.is_some_and(|client| {
                client.go.notify_one();
                true
            })
        })
    }

    fn leave_queue(&mut self, number: u64) {
        let client = self.clients.get(&number);
        let Some((stage, order)) = client.map(|client| (client.stage, client.order)) else {
            return;
        };
        if let Some(queue) = self.queue(stage) {
            queue.remove(&order);
        }
    }
}

impl Place {
    /// Its number, which no other place has.
    pub(super) fn number(&self) -> u64 {
        self.number
    }

    /// The client has come to another stage.
    pub(super) fn turn(&self, stage: Stage) {
        let mut state = self.waiting.lock();
        let is_news = |client: &Client| client.stage != stage;
        if !state.clients.get(&self.number).is_some_and(is_news) {
            return;
        }
        state.leave_queue(self.number);
        let order = state.number();
        if let Some(client) = state.clients.get_mut(&self.number) {
            client.stage = stage;
            client.since = Instant::now();
            client.order = order;
            client.asked_to_go = false;
        }
        let number = self.number;
        if let Some(queue) = state.queue(stage) {
            queue.insert(order, number);
        }
    }

    /// Whether the next step is Postgres's or pgveil's.
    pub(super) fn is_served(&self) -> bool {
        let state = self.waiting.lock();
        let client = state.clients.get(&self.number);
        client.is_some_and(|client| matches!(client.stage, Stage::Served | Stage::Settling))
    }

    /// For how long the client has waited to be let in; `None` if it does not.
    pub(super) fn served_for(&self) -> Option<Duration> {
        let state = self.waiting.lock();
        let client = state.clients.get(&self.number);
        let served = client.filter(|client| client.stage == Stage::Served);
        served.map(|client| client.since.elapsed())
    }

    /// Ready when the client has owed an answer for so long.
    pub(super) async fn owes_for(&self, time: Duration) {
        loop {
            let left = time.saturating_sub(self.asked_for());
            if left.is_zero() {
                return;
            }
            sleep(left).await;
        }
    }

    fn asked_for(&self) -> Duration {
        let state = self.waiting.lock();
        let client = state.clients.get(&self.number);
        let asked = client.filter(|client| client.stage == Stage::Asked);
        asked.map_or(Duration::ZERO, |client| client.since.elapsed())
    }

    /// Ready when the client is to go.
    pub(super) async fn given_up(&self) {
        while self.is_kept() {
            self.go.notified().await;
        }
    }

    fn is_kept(&self) -> bool {
        let state = self.waiting.lock();
        let client = state.clients.get(&self.number);
        client.is_some_and(|client| !client.asked_to_go)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut state = self.waiting.lock();
        state.leave_queue(self.number);
        state.clients.remove(&self.number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken(waiting: &Arc<Waiting>) -> Place {
        match waiting.accept() {
            Accepted::Free(place) | Accepted::TakenOver(place) => place,
            Accepted::Full => panic!("it is full"),
        }
    }

    fn kept(places: &[Place]) -> Vec<bool> {
        places.iter().map(Place::is_kept).collect()
    }

    #[test]
    fn the_oldest_that_is_silent_gives_way_before_the_one_that_has_begun() {
        let waiting = Arc::new(Waiting::new(4));
        let places: Vec<_> = (0..4).map(|_| taken(&waiting)).collect();
        places[0].turn(Stage::Begun);
        places[3].turn(Stage::In);
        let newcomer = taken(&waiting);
        assert_eq!(kept(&places), [true, false, true, true]);
        newcomer.turn(Stage::In);
        taken(&waiting).turn(Stage::In);
        assert_eq!(kept(&places), [true, false, false, true]);
    }

    /// Who sends one byte is no better than who sends none: a crowd of them must not end the
    /// newcomer whose bytes are on their way.
    #[test]
    fn a_crowd_of_those_who_have_begun_does_not_push_the_newcomer_out() {
        let waiting = Arc::new(Waiting::new(8));
        let crowd: Vec<_> = (0..8).map(|_| taken(&waiting)).collect();
        crowd.iter().for_each(|place| place.turn(Stage::Begun));
        let newcomer = taken(&waiting);
        assert!(!crowd[0].is_kept());
        let next = taken(&waiting);
        next.turn(Stage::Begun);
        assert!(newcomer.is_kept() && !crowd[1].is_kept() && crowd[2].is_kept());
    }

    #[test]
    fn whoever_is_served_or_has_a_session_keeps_its_place() {
        let waiting = Arc::new(Waiting::new(3));
        let places: Vec<_> = (0..3).map(|_| taken(&waiting)).collect();
        places[0].turn(Stage::In);
        places[1].turn(Stage::Served);
        places[2].turn(Stage::Asked);
        assert!(matches!(waiting.accept(), Accepted::Full));
        assert!(!waiting.make_room());
        assert_eq!(kept(&places), [true; 3]);
        places[1].turn(Stage::Told);
        assert!(matches!(waiting.accept(), Accepted::TakenOver(_)));
        assert_eq!(kept(&places), [true, false, true]);
    }

    #[tokio::test]
    async fn a_place_that_was_taken_over_is_not_freed_twice() {
        let waiting = Arc::new(Waiting::new(1));
        let first = taken(&waiting);
        let second = taken(&waiting);
        first.given_up().await;
        // What it still does changes nothing.
        first.turn(Stage::Begun);
        drop(first);
        second.turn(Stage::In);
        assert!(matches!(waiting.accept(), Accepted::Full));
        drop(second);
        assert!(matches!(waiting.accept(), Accepted::Free(_)));
    }

    #[tokio::test]
    async fn only_who_owes_an_answer_for_long_is_hurried() {
        let waiting = Arc::new(Waiting::new(2));
        let places: Vec<_> = (0..2).map(|_| taken(&waiting)).collect();
        places[0].turn(Stage::Served);
        places[1].turn(Stage::Asked);
        assert!(!waiting.hurry(Duration::from_secs(3600), |_| true));
        let (served, asked) = (places[0].number(), places[1].number());
        assert!(!waiting.hurry(Duration::ZERO, |number| number == served));
        assert!(waiting.hurry(Duration::ZERO, |number| number == asked));
        assert!(!waiting.hurry(Duration::ZERO, |_| true), "once is enough");
        places[1].given_up().await;
        assert!(places[0].is_kept());
        // It still has its place, to be told.
        places[1].turn(Stage::Told);
        assert!(places[1].is_kept());
    }
}
