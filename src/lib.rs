//! pgveil: a Postgres-compatible edge proxy. Ordered keys inside, opaque UUIDs outside.
//!
//! The modules, each above everything that it imports (`tests/architecture.rs` holds them to it):
//!
//! | module | is for | knows nothing of |
//! | --- | --- | --- |
//! | `splice` | texts and rows with some of their places replaced | what these are |
//! | [`codec`] | keys to ids and back: keyed permutations | everything else |
//! | [`wire`] | frames, messages and values of the protocol | SQL, keys, sockets |
//! | [`config`] | the TOML file to checked types | sockets, databases |
//! | [`catalog`] | what a database consists of, and which columns hold keys | statements, sockets |
//! | [`sql`] | statement text and catalog to a plan, or a refusal | the wire, keys, sockets |
//! | [`session`] | one client's state machine, bytes in and bytes out | how analysis works, sockets |
//! | [`postgres`] | a throwaway Postgres, for the demo and the tests | pgveil |
//! | [`proxy`] | the I/O: listeners, startup, authentication, the relay | what a statement means |
//! | [`cli`] | the command line, one file for each subcommand | |

pub mod audit;
pub mod catalog;
pub mod cli;
pub mod codec;
pub mod config;
pub mod postgres;
pub mod proxy;
pub mod session;
mod splice;
pub mod sql;
pub mod wire;
