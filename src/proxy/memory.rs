//! How much memory the process may have, by what the system tells: the budget of the sessions
//! where the configuration has none.

use std::fs;
use std::path::Path;

use rustix::process::{Resource, getrlimit};

/// The budget where the system tells nothing, in bytes.
const UNTOLD_BYTES: usize = 1 << 30;

/// Where control groups are, of the second version.
const GROUPS: &str = "/sys/fs/cgroup";

/// Half of the least of what the machine has, the control groups give and `ulimit -v` allows. The
/// other half is for everything else: the code, threads, catalogs, the plan cache, TLS, and what
/// the allocator loses.
pub(super) fn half() -> usize {
    let told = [machine(), group(), address_space()];
    told.into_iter()
        .flatten()
        .min()
        .map_or(UNTOLD_BYTES, |most| most / 2)
}

/// The size of each of so many stacks, in bytes: no more than this, and all together no more than a
/// quarter of the address space that the process may have.
pub(super) fn stack_of(threads: usize, most: usize) -> usize {
    let share = address_space().map_or(most, |space| space / 4 / threads.max(1));
    most.min(share)
}

fn machine() -> Option<usize> {
    let text = fs::read_to_string("/proc/meminfo").ok()?;
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix("MemTotal:"))?;
    let kibibytes: usize = line.split_whitespace().next()?.parse().ok()?;
    kibibytes.checked_mul(1024)
}

/// The least of this group and those above it.
fn group() -> Option<usize> {
    let text = fs::read_to_string("/proc/self/cgroup").ok()?;
    let own = text.lines().find_map(|line| line.strip_prefix("0::/"))?;
    let folder = Path::new(GROUPS).join(own);
    let folders = folder
        .ancestors()
        .take_while(|folder| folder.starts_with(GROUPS));
    let limits = folders.filter_map(|folder| {
        let text = fs::read_to_string(folder.join("memory.max")).ok()?;
        text.trim().parse().ok()
    });
    limits.min()
}

fn address_space() -> Option<usize> {
    let limit = getrlimit(Resource::As).current?;
    usize::try_from(limit).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_of_what_there_is_is_less_than_the_machine_has() {
        let half = half();
        assert!(half > 0);
        if let Some(machine) = machine() {
            assert!(half <= machine / 2);
        }
    }
}
