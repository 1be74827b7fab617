//! pgveil: a Postgres-compatible edge proxy. Ordered keys inside, opaque UUIDs outside.

pub mod catalog;
pub mod cli;
pub mod codec;
pub mod config;
pub mod proxy;
pub mod session;
pub mod sql;
pub mod wire;
