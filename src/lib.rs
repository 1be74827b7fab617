//! pgveil: a Postgres-compatible edge proxy. Ordered keys inside, opaque UUIDs outside.
//!
//! A program that wants the proxy inside itself needs a [`Config`] and a [`Server`]:
//!
//! ```
//! use std::path::Path;
//!
//! use pgveil::{Config, Secret, Server, Environment};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let key = Secret::generate_hex()?;
//! let text = r#"
//!     [server]
//!     listen = ["127.0.0.1:0"]
//!     [upstream]
//!     address = "127.0.0.1:5432"
//!     [keys]
//!     current = "first"
//!     [keys.ring.first]
//!     env = "KEY"
//!     [[id]]
//!     name = "user"
//!     column = "public.users.id"
//! "#;
//! let around = Environment {
//!     folder: Path::new("."),
//!     env: &|_| Some(key.to_string()),
//! };
//! let config = Config::parse(text, &around).map_err(|faults| format!("{faults:?}"))?;
//!
//! let server = Server::bind(config.clone()).await?;
//! assert!(server.local_addr().is_some());
//! let reload = server.reload();
//! reload.apply(config);
//! // It serves until this future is ready, and then drains.
//! server.run(std::future::ready(())).await;
//! # Ok(())
//! # }
//! ```
//!
//! One that has no use for a proxy takes the ids alone:
//!
//! ```
//! use pgveil::codec::{IntegerType, Version};
//! use pgveil::{IdCodec, Key, KeyRing, Secret};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let ring = KeyRing::new(Secret::generate()?);
//! let users = IdCodec::feistel(&ring, &"user".parse()?, Version::V8);
//! let id = users.encode(Key::new(42));
//! assert_eq!(users.decode(id, IntegerType::Int8)?, Key::new(42));
//! # Ok(())
//! # }
//! ```
//!
//! `examples/` goes further: `embedded` runs a proxy before a throwaway [`postgres::Postgres`],
//! `service` hides numbers without a proxy.
//!
//! The modules, each above everything that it imports (`tests/architecture.rs` holds them to it):
//!
//! | module | is for | knows nothing of |
//! | --- | --- | --- |
//! | `splice` | texts and rows with some of their places replaced | what these are |
//! | [`pg`] | the types of Postgres: oids, names, values, which are reserved | what a key is for |
//! | [`codec`] | keys to ids and back: keyed permutations | everything else |
//! | [`wire`] | frames, messages and values of the protocol | SQL, keys, sockets |
//! | [`audit`] | what an operator should hear of | everything else |
//! | [`config`] | the TOML file to checked types | sockets, databases |
//! | [`catalog`] | what a database consists of, and which columns hold keys | statements, sockets |
//! | [`sql`] | statement text and catalog to a plan, or a refusal | the wire, keys, sockets |
//! | [`session`] | one client's state machine, bytes in and bytes out | how analysis works, sockets |
//! | [`postgres`] | a throwaway Postgres, for the demo and the tests | pgveil |
//! | [`proxy`] | the I/O: listeners, startup, authentication, the relay | what a statement means |
//! | [`admin`] | health, metrics and status by HTTP | statements, sessions |
//! | [`cli`] | the command line, one file for each subcommand | |
//!
//! [`codec`], [`config`], [`postgres`] and [`proxy`] are meant for others. The rest is public for
//! the benches, the fuzz targets and the tests alone, changes at any time, and is not in the
//! documentation.

#[cfg_attr(doc, doc(hidden))]
pub mod admin;
#[cfg_attr(doc, doc(hidden))]
pub mod audit;
#[cfg_attr(doc, doc(hidden))]
pub mod catalog;
#[cfg_attr(doc, doc(hidden))]
pub mod cli;
pub mod codec;
pub mod config;
#[cfg_attr(doc, doc(hidden))]
pub mod pg;
pub mod postgres;
pub mod proxy;
#[cfg_attr(doc, doc(hidden))]
pub mod session;
mod splice;
#[cfg_attr(doc, doc(hidden))]
pub mod sql;
#[cfg_attr(doc, doc(hidden))]
pub mod wire;

pub use codec::{Codec, DecodeError, DomainName, IdCodec, Key, KeyRing, OpaqueId, Secret};
pub use config::{Config, ConfigError, Environment, Fault};
pub use proxy::{ProxyError, Reload, Server};
