//! How many clients fit into the file descriptors that the system grants this process. Counted
//! once, at the start: a proxy that finds out when they have run out can't even say so.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use tracing::warn;

use super::limits::STARTUP_SURPLUS;

/// A client's socket and the one to Postgres.
const FOR_A_CLIENT: usize = 2;
/// For reading the configuration and keys again, and for what libraries open now and then.
const FOR_OURSELVES: usize = 6;
/// What the runtime has open where the system doesn't tell.
const USUALLY_OPEN: usize = 24;

/// How many clients are let in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Room {
    /// Clients with a session.
    pub(super) sessions: usize,
    /// Clients in all, with those that have not started a session or ask for a cancellation.
    pub(super) places: usize,
}

/// Raises the limit as far as this process may, and gives the room for `wanted` sessions in it.
pub(super) fn room(wanted: usize) -> Room {
    let limit = raised();
    let room = within(limit.map(|limit| limit.saturating_sub(open())), wanted);
    if room.sessions < wanted {
        let needed = FOR_A_CLIENT * (wanted + STARTUP_SURPLUS) + FOR_OURSELVES + open();
        warn!(
            max_connections = wanted,
            allowed = room.sessions,
            needed,
            "the limit of open files is too low for max_connections: raise it (ulimit -n, LimitNOFILE)"
        );
    }
    room
}

/// The room in so many free descriptors; `None` is no limit.
fn within(free: Option<usize>, wanted: usize) -> Room {
    let all = Room {
        sessions: wanted,
        places: wanted + STARTUP_SURPLUS,
    };
    let Some(free) = free else { return all };
    let places = free.saturating_sub(FOR_OURSELVES) / FOR_A_CLIENT;
    if places >= all.places {
        return all;
    }
    let surplus = (places / 8).clamp(1, STARTUP_SURPLUS);
    let sessions = places.saturating_sub(surplus).clamp(1, wanted);
    Room {
        sessions,
        places: sessions + surplus,
    }
}

/// The limit, raised to what the system allows; `None` if there is none.
fn raised() -> Option<usize> {
    let limit = getrlimit(Resource::Nofile);
    let highest = Rlimit {
        current: limit.maximum,
        ..limit
    };
    let current = match setrlimit(Resource::Nofile, highest) {
        Ok(()) => limit.maximum,
        Err(_) => limit.current,
    };
    current.map(|current| usize::try_from(current).unwrap_or(usize::MAX))
}

/// How many descriptors are open.
fn open() -> usize {
    std::fs::read_dir("/proc/self/fd").map_or(USUALLY_OPEN, Iterator::count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_client_has_two_descriptors_whatever_the_limit() {
        for free in 10..5000 {
            let room = within(Some(free), 1000);
            assert!(
                room.sessions >= 1 && room.places > room.sessions,
                "{room:?}"
            );
            assert!(
                FOR_A_CLIENT * room.places + FOR_OURSELVES <= free,
                "{free}: {room:?}"
            );
        }
    }

    #[test]
    fn there_is_room_for_all_where_the_limit_is_high() {
        let all = within(None, 1000);
        assert_eq!(all.sessions, 1000);
        assert_eq!(within(Some(1_000_000), 1000), all);
    }
}
