//! The admin endpoint: health, metrics, status, and the few things that an operator may have done,
//! by HTTP/1 on sockets of its own. Shows names, numbers and shapes only: no key, no id, no literal. It
//! answers while the proxy drains, and whatever happens here touches no session.
//!
//! `listen` has everything, `probes` health and metrics alone (`service` says who may what).

mod client;
#[cfg(feature = "console")]
mod console;
mod domains;
mod listener;
mod live;
pub mod metrics;
mod operations;
mod ready;
mod service;
mod sessions;
mod settings;
mod statements;
mod status;

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;

use tokio::sync::{mpsc, oneshot, watch};
use tokio::task::JoinSet;

use crate::config::Admin as Settings;
use crate::proxy::Vitals;
use listener::Listener;
use operations::Operations;
use service::{Reach, Service};

pub use client::{AskError, Target, ask, ask_with};

/// Why the endpoint can't start.
#[derive(Debug, thiserror::Error)]
#[error("cannot listen at {address}: {source}")]
pub struct AdminError {
    address: String,
    source: io::Error,
}

/// Sets the level of the log until the process ends; says whether it is one.
pub type SetLevel = Arc<dyn Fn(&str) -> bool + Send + Sync>;

/// The ways to have something done.
#[derive(Clone)]
pub struct Controls {
    /// Whoever reads the configuration anew, and answers whether it was taken.
    pub reloads: mpsc::Sender<oneshot::Sender<bool>>,
    /// Whether the proxy has been told to drain.
    pub drain: watch::Sender<bool>,
    /// The level of the log.
    pub set_level: SetLevel,
}

/// An endpoint that listens, and answers once it is run.
pub struct Admin {
    listeners: Vec<(Listener, Service)>,
    #[cfg(feature = "console")]
    console: Option<console::Console>,
}

impl Admin {
    /// Listens where the configuration says, if it does.
    ///
    /// # Errors
    /// If one of the addresses can't be listened at.
    pub async fn bind(
        settings: &Settings,
        vitals: &Vitals,
        controls: &Controls,
    ) -> Result<Self, AdminError> {
        let registry = Arc::new(metrics::registry(vitals.clone()));
        let operations = Operations {
            vitals: vitals.clone(),
            controls: controls.clone(),
        };
        let mut listeners = Vec::new();
        let wanted = [
            (&settings.listen, Reach::Everything),
            (&settings.probes, Reach::Probes),
        ];
        for (address, reach) in wanted {
            let Some(address) = address else { continue };
            let bound = Listener::bind(address).await;
            let bound = bound.map_err(|source| AdminError {
                address: address.to_string(),
                source,
            })?;
            listeners.extend(bound.into_iter().map(|listener| {
                let service = Service {
                    reach,
                    place: listener.place(),
                    operations: operations.clone(),
                    registry: Arc::clone(&registry),
                };
                (listener, service)
            }));
        }
        Ok(Self {
            listeners,
            #[cfg(feature = "console")]
            console: match &settings.console {
                Some(address) => {
                    let bound = console::Console::bind(address, operations);
                    Some(bound.map_err(|source| AdminError {
                        address: address.to_string(),
                        source,
                    })?)
                }
                None => None,
            },
        })
    }

    /// The addresses of the TCP listeners, `listen` first.
    #[must_use]
    pub fn local_addrs(&self) -> Vec<SocketAddr> {
        let addresses = self.listeners.iter();
        addresses
            .filter_map(|(listener, _)| listener.address())
            .collect()
    }

    /// Answers until it is dropped.
    pub async fn run(self) {
        let mut serving = JoinSet::new();
        for (listener, service) in self.listeners {
            serving.spawn(listener.serve(Arc::new(service)));
        }
        #[cfg(feature = "console")]
        if let Some(console) = self.console {
            serving.spawn(console.serve());
        }
        while serving.join_next().await.is_some() {}
        std::future::pending().await
    }
}
