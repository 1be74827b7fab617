//! Every bound and timeout of the proxy that is not in the configuration, with its unit and its
//! reason. What the configuration sets is in [`crate::config::Limits`].

use std::time::Duration;

/// Bytes that wait for one socket before the proxy stops to read from the other. Large enough
/// that a burst fills the socket's own buffer, small enough that a thousand clients that do not
/// read cost 256 MiB at most.
pub const HIGH_WATER_BYTES: usize = 256 * 1024;

/// The size of a read buffer at first: a query and its answer, or a few rows.
pub const READ_SMALL_BYTES: usize = 8 * 1024;

/// Read buffers kept for the next connection that has something to read: more than are in use at
/// the same instant on most machines.
pub const SPARE_BUFFERS: usize = 64;

/// The size that a read buffer grows to while a stream fills it: COPY, long results. Beyond this
/// the system calls no longer dominate.
pub const READ_LARGE_BYTES: usize = 128 * 1024;

/// A read buffer with less room than this is not read into: many tiny reads would cost more than
/// a new buffer.
pub const READ_ROOM_BYTES: usize = 2 * 1024;

/// The stack of a thread that serves clients: a tree of some thousand levels is walked on it, and only
/// for a deeper one another is mapped and given back. Only what has been used of it takes memory.
pub const STACK_BYTES: usize = 16 << 20;

/// The stack of a thread on which what is long is read, where there is room for that. A statement nests
/// some thousand levels at ten kilobytes or more; to map another stack takes longer than to read what is
/// on it. A thread that has nothing to do for ten seconds ends, and gives back what it has used.
pub const STACK_BESIDE_BYTES: usize = 64 << 20;

/// How many names of servers are looked up at once.
pub const LOOKUPS: usize = 4;

/// A thread that is busy for a larger share of its time than this gets no further client, as long as
/// another is less so: what comes in bursts still finds it free.
pub const NEARLY_FULL: f64 = 0.7;

/// What share of a thread's time a client is taken to need as long as nobody knows: half of what one
/// takes that asks for one row after the other, as there are those who ask for nothing.
pub const NEWCOMER: f64 = 0.04;

/// How long sessions wait for the snapshot of the database that another one loads, before one of them
/// loads it: long enough for a large database.
pub const SNAPSHOT_PATIENCE: Duration = Duration::from_secs(5);

/// How old a session is before draining ends it while it is idle: a client that has come at that
/// moment has not said anything yet.
pub const NEW_SESSION: Duration = Duration::from_secs(1);

/// How long a thread is watched before its load is known anew.
pub const LOAD_INTERVAL: Duration = Duration::from_secs(1);

/// Slices handed to one vectored write. Linux takes up to 1024; runs of untouched frames are few
/// and large, so that more would only grow the stack.
pub const WRITE_SLICES: usize = 32;

/// The largest message during authentication: what Postgres allows for a token of GSSAPI
/// (`PG_MAX_AUTH_TOKEN_LENGTH`), the largest of all.
pub const AUTHENTICATION_MESSAGE_BYTES: usize = 65_535;

/// Where the last word of a server is looked for, at the end of what it sent: its messages are
/// far shorter.
pub const LAST_WORD_BYTES: usize = 2048;

/// Clients that may be between `accept` and their startup packet, or ask for a cancellation,
/// beyond `max_connections`. A client over the limit needs a place to be told so.
pub const STARTUP_SURPLUS: usize = 128;

/// How long connecting to Postgres may take. Less than the timeout of most clients, so that they
/// get an answer instead of their own timeout.
pub const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// How long connecting to one of several hosts may take, TLS with it, and its answer to a login: the
/// next one is to have its turn before the client goes. What TCP repeats once or twice still arrives.
pub const HOST_TIMEOUT: Duration = Duration::from_secs(3);

/// A host that had less time than this for an answer does not count as one that gives none: how much
/// of a login is left may be the client's doing.
pub const FAIR_TIME: Duration = Duration::from_secs(1);

/// How long a login waits for what another one finds out about a host: longer than a login takes, and
/// short where it is a client that does not answer.
pub const SCOUT_PATIENCE: Duration = Duration::from_secs(2);

/// How long the client of a login that finds out about a host may owe an answer before another one
/// may find out: more than a few ways around the world, and a part of the above, so that clients which
/// never answer do not use it up.
pub const SCOUT_OWES: Duration = Duration::from_millis(250);

/// How long a login keeps of its time for a session that will do, while better hosts are tried.
pub const RESERVE: Duration = Duration::from_secs(1);

/// How long a host counts as something else than what is wanted, for whoever asks whether pgveil is
/// ready: many would be sent here in vain otherwise. If nobody is sent, nobody finds out better.
pub const MISFIT_FOR: Duration = Duration::from_secs(30);

/// How long one address of Postgres may take to answer before the next one of the same name is
/// tried beside it: more than a packet takes around the world, less than its first repetition.
pub const HEAD_START: Duration = Duration::from_millis(500);

/// While Postgres can't be reached, one client in this time finds out whether it is back. The
/// others are told at once.
pub const RETRY_INTERVAL: Duration = Duration::from_millis(500);

/// How long a connection that came about tells that Postgres is there, where pgveil would ask a
/// client for its password before it connects for it.
pub const REACHED_FOR: Duration = Duration::from_secs(5);

/// How long a connection that came about tells whoever asks whether pgveil is ready.
pub const READY_FOR: Duration = Duration::from_secs(10);

/// If none has come about for so long, whoever asks has one made: half of the above, so that one
/// look that fails for another reason is not the end.
pub const PROBE_INTERVAL: Duration = Duration::from_secs(5);

/// How long whoever asks waits for that: less than the second that Kubernetes gives a probe.
pub const PROBE_PATIENCE: Duration = Duration::from_millis(800);

/// How long a client may owe an answer during its authentication while nobody else needs its
/// place. One that proves itself by a program takes well under a second.
pub const ANSWER_PATIENCE: Duration = Duration::from_secs(3);

/// How long a newcomer waits for the place of a client that was asked to go: it goes at once.
pub const HANDOVER_TIMEOUT: Duration = Duration::from_secs(1);

/// How long a client that finds no place may take to read that.
pub const TURN_AWAY_TIMEOUT: Duration = Duration::from_millis(100);

/// Between two lines of the log about what anybody may cause as often as they like.
pub const LOG_INTERVAL: Duration = Duration::from_secs(10);

/// How long a client may take to read the last error before its socket is closed.
pub const FAREWELL_TIMEOUT: Duration = Duration::from_secs(2);

/// How long a cancellation waits until its session has taken what the client has sent in front of it:
/// longer than one text takes to be judged, unless others are in front of it.
pub const CANCEL_PATIENCE: Duration = Duration::from_secs(1);

/// How long the relay of a cancellation may take as a whole.
pub const CANCEL_TIMEOUT: Duration = Duration::from_secs(10);

/// The first TCP keepalive probe after this much silence: below the idle timeouts of common
/// firewalls and load balancers (350 s and more).
pub const KEEPALIVE_IDLE: Duration = Duration::from_secs(60);

/// Between two keepalive probes.
pub const KEEPALIVE_INTERVAL: Duration = Duration::from_secs(15);

/// Unanswered keepalive probes until the peer counts as gone.
pub const KEEPALIVE_PROBES: u32 = 4;

/// How long sent bytes may stay unacknowledged until the peer counts as gone
/// (`TCP_USER_TIMEOUT`): the keepalive only watches connections with nothing on the way.
pub const USER_TIMEOUT: Duration = Duration::from_secs(120);

/// The length of the queue of the operating system for connections not yet accepted.
pub const BACKLOG: u32 = 1024;

/// The pause after a failed `accept`, so that a lack of descriptors does not become a busy loop.
pub const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// Rounds of a session until the others get their turn. Each is a bounded amount of work.
pub const ROUNDS: usize = 8;

/// Bytes that a session reads until the others get their turn: to translate them takes some
/// milliseconds at most.
pub const TURN_BYTES: u64 = 64 * 1024;

/// How often a client is looked at that is not being read from. It costs no system call.
pub const LOOK_INTERVAL: Duration = Duration::from_secs(1);

/// How often it is looked whether another session has looked at the database, where one that can't
/// holds an answer back.
pub const OTHERS_INTERVAL: Duration = Duration::from_millis(20);

/// How long a client that sends nothing more is waited for, while nothing moves and what it has
/// sent can't be forwarded. It may have closed its sending side only and wait for an answer; if it
/// is gone, its locks are held as long.
pub const SILENT_TIMEOUT: Duration = Duration::from_secs(5);

/// How long whoever judges the statements of observed sessions rests between two looks at the queue.
/// To wake it for each statement would cost those who forward them.
pub const OBSERVER_PAUSE: Duration = Duration::from_millis(20);

/// By how much its thread yields to those that serve.
pub const OBSERVER_NICENESS: i32 = 10;
