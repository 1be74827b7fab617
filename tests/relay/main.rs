//! The proxy before a real Postgres, without annotations: it must be a wire. Startup in all its
//! variants, authentication, cancellation, streams, hostile bytes, many connections, the end.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test that panics has failed"
)]

mod alike;
mod bounds;
mod cancelled;
mod crowd;
mod definitions;
mod door;
mod encodings;
mod ending;
mod frames;
mod gone;
mod lasting;
mod limits;
mod locks;
mod memory;
mod named;
mod own;
mod pieces;
mod pressure;
mod process;
mod startup;
mod streams;
mod support;
mod versions;
