//! TLS and authentication on both legs, before a real Postgres and with real clients: what works,
//! what is refused, and what someone on the way can't do. Certificates are made anew in each run.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test that panics has failed"
)]

mod authority;
mod certificates;
mod clients;
mod commands;
mod demands;
mod hostile;
mod keywords;
mod passing;
mod query;
mod reload;
mod settings;
mod stand;
mod streams;
mod verifier;
mod wire;
