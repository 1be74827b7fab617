//! The way of one login to a host of Postgres: the hosts that may be tried, each once, and what came
//! of it.

use std::sync::Arc;
use std::vec;

use tokio::time::sleep;

use super::buffers::Buffers;
use super::hosts::{Fit, Greeting, Host};
use super::leg::Leg;
use super::limits;
use super::settings::Settings;
use super::upstream::UpstreamError;
use super::waiting::Waiting;

/// What a login has left to try.
pub(super) struct Way<'a> {
    settings: &'a Settings,
    waiting: &'a Waiting,
    buffers: &'a Arc<Buffers>,
    role: &'a [u8],
    left: vec::IntoIter<&'a Host>,
    /// Why the last one was of no use.
    failure: Option<UpstreamError>,
}

impl<'a> Way<'a> {
    pub(super) fn new(
        settings: &'a Settings,
        waiting: &'a Waiting,
        buffers: &'a Arc<Buffers>,
        role: &'a [u8],
    ) -> Self {
        Self {
            settings,
            waiting,
            buffers,
            role,
            left: settings.hosts.candidates(role).into_iter(),
            failure: None,
        }
    }

    /// The next host that can be reached, and a connection with it; why the last was of no use, if
    /// there is none.
    pub(super) async fn next(&mut self) -> Result<(&'a Host, Leg), UpstreamError> {
        while let Some(host) = self.left.next() {
            match self.connect(host).await {
                Ok(server) => return Ok((host, server)),
                Err(error) if error.is_ours() => return Err(error),
                Err(error) => self.failure = Some(error),
            }
        }
        let target = self.settings.hosts.target;
        let failure = self.failure.take();
        Err(failure.unwrap_or(UpstreamError::NoneFits(target)))
    }

    /// Connects to a host, unless it is known to be down. Where there is no descriptor for that,
    /// clients that have not begun give theirs up.
    pub(super) async fn connect(&self, host: &Host) -> Result<Leg, UpstreamError> {
        let attempt = host.reach.attempt()?;
        loop {
            let buffers = Arc::clone(self.buffers);
            let connected = self.settings.connect(host, &attempt, buffers).await;
            match &connected {
                Err(error) if error.is_ours() && self.waiting.make_room() => {
                    sleep(limits::ACCEPT_PAUSE).await;
                }
                _ => return connected,
            }
        }
    }

    /// Whether a session may be on this host, by what it has told; if so, whether it is what is
    /// preferred.
    pub(super) fn judge(&self, host: &Host, greeting: &Greeting) -> Result<bool, UpstreamError> {
        let hosts = &self.settings.hosts;
        match hosts.judge(host, self.role, greeting) {
            Fit::Fits => Ok(true),
            Fit::WillDo => Ok(false),
            Fit::Misfit(misfit) => Err(UpstreamError::Misfit(hosts.target, misfit)),
        }
    }
}
