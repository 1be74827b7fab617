//! The audit trail: what happened at the trust boundary, as one `tracing` event each, and how
//! often. Does not decide anything, and knows nothing of sockets or statements.
//!
//! No event can hold a key, an opaque id, a parameter or a statement's text: the fields are
//! names, numbers of objects, and strings known when pgveil is compiled.

mod counters;
mod event;

pub use counters::{Counters, Totals};
pub use event::{Action, EndReason, Event, SessionId};
