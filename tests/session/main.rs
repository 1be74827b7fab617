//! The session as a state machine: transcripts without sockets and without a server. The analyser
//! is a table of texts, so that these tests say what the session does with a plan, whatever
//! statement leads to it.

#![expect(clippy::unwrap_used, reason = "a test that can't go on fails")]

mod cancelled;
mod changes;
mod copy;
mod copy_ids;
mod errors;
mod every_type;
mod explain;
mod extended;
mod faults;
mod held;
mod hostile;
mod in_line;
mod json;
mod kept;
mod kinds;
mod made_up;
mod plans;
mod pooled;
mod questions;
mod refusals;
mod rows;
mod settings;
mod simple;
mod snapshots;
mod stage;
mod tags;
mod turns;
