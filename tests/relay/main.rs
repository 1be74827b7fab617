//! The proxy before a real Postgres, without annotations: it must be a wire. Startup in all its
//! variants, authentication, cancellation, streams, hostile bytes, many connections, the end.

mod crowd;
mod ending;
mod frames;
mod process;
mod startup;
mod streams;
mod support;
