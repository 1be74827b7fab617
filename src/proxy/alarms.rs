//! The times after which a session ends by itself: it has to take statements by one, may not be idle
//! for longer than another, and has its turn while the proxy drains.

use std::pin::Pin;
use std::time::Duration;

use tokio::time::{Instant, Sleep, sleep, sleep_until};

use super::relay::Relay;
use crate::session::Fatal;

/// Boxed, so that sessions without them do not carry a timer.
type Alarm = Pin<Box<Sleep>>;

/// The alarms that are set.
#[derive(Debug)]
pub(super) struct Alarms {
    opening: Option<Alarm>,
    idle: Option<(Duration, Alarm)>,
    turn: Option<Alarm>,
}

/// The one that has rung.
#[derive(Debug, Clone, Copy)]
pub(super) enum Rung {
    Opening,
    Idle,
    Turn,
}

impl Alarms {
    /// Sets those of a session that begins.
    pub(super) fn set(opens_by: Instant, idle_timeout: Option<Duration>) -> Self {
        Self {
            opening: Some(Box::pin(sleep_until(opens_by))),
            idle: idle_timeout.map(|after| (after, Box::pin(sleep(after)))),
            turn: None,
        }
    }

    /// Sets the time at which it is this session's turn to end, unless that is known.
    pub(super) fn set_turn(&mut self, left: Duration) {
        self.turn.get_or_insert_with(|| Box::pin(sleep(left)));
    }

    /// Waits for one of them; for ever if none is set.
    pub(super) async fn ring(&mut self) -> Rung {
        let opening = async {
            match &mut self.opening {
                Some(alarm) => alarm.await,
                None => std::future::pending().await,
            }
        };
        let idle = async {
            match &mut self.idle {
                Some((_, alarm)) => alarm.await,
                None => std::future::pending().await,
            }
        };
        let turn = async {
            match &mut self.turn {
                Some(alarm) => alarm.await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            biased;
            () = opening => Rung::Opening,
            () = idle => Rung::Idle,
            () = turn => Rung::Turn,
        }
    }

    /// Gives why a session is over now that one of them has rung, or sets it for later.
    pub(super) fn heed(&mut self, rung: Rung, relay: &mut Relay) -> Option<Fatal> {
        match rung {
            Rung::Opening => {
                self.opening = None;
                relay.session.is_opening().then_some(Fatal::Unanswered)
            }
            Rung::Idle => {
                let (after, alarm) = self.idle.as_mut()?;
                let Some(left) = relay.idle_time_left(*after) else {
                    return Some(Fatal::Idle);
                };
                alarm.set(sleep(left));
                None
            }
            Rung::Turn => {
                self.turn = None;
                relay.drain_unless_new();
                None
            }
        }
    }
}
