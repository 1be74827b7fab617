//! pgveil: a Postgres-compatible edge proxy. Ordered keys inside, opaque UUIDs outside.

pub mod audit;
pub mod catalog;
pub mod codec;
pub mod config;
pub mod sql;
