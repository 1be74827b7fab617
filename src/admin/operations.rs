//! What an operator may have done, whichever way they ask for it: by HTTP or on the console.

use tokio::sync::oneshot;
use tracing::info;

use super::Controls;
use crate::proxy::Vitals;

/// A running proxy, and the ways to have something done to it.
#[derive(Clone)]
pub(super) struct Operations {
    pub(super) vitals: Vitals,
    pub(super) controls: Controls,
}

/// What has become of a reload.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reloaded {
    /// The configuration was taken.
    Taken,
    /// It was not, and the log says why.
    Refused,
    /// Another one waits already: what the file says then is what this one wants, too.
    Busy,
}

impl Operations {
    /// Reads the configuration anew.
    pub(super) async fn reload(&self, by: &str) -> Reloaded {
        let (answer, taken) = oneshot::channel();
        // One waits at most.
        if self.controls.reloads.try_send(answer).is_err() {
            return Reloaded::Busy;
        }
        info!("told by {by} to reload");
        match taken.await {
            Ok(true) => Reloaded::Taken,
            Ok(false) | Err(_) => Reloaded::Refused,
        }
    }

    /// Drains as a signal does, but is none: a signal that follows is the first one.
    pub(super) fn drain(&self, by: &str) {
        info!("told by {by} to drain");
        self.controls.drain.send_replace(true);
    }

    /// Ends the sessions that run now, each as soon as it is idle; says how many there are.
    pub(super) fn recycle(&self, by: &str) -> usize {
        let sessions = self.vitals.recycle();
        info!(sessions, "told by {by} to recycle");
        sessions
    }

    /// Ends a session; says whether there is one of this number.
    pub(super) fn kill(&self, session: u64, by: &str) -> bool {
        let is_there = self.vitals.terminate(session);
        if is_there {
            info!(session, "told by {by} to end a session");
        }
        is_there
    }
}
