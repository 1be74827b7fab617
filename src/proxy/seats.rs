//! The seats of sessions: how many there are of a role in a database, and how many from an address.
//! All of them are counted in one place, under whatever configuration they have begun, so that a
//! limit that a reload brings counts those who are there.

use std::collections::{BTreeSet, HashMap};
use std::pin::pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

use super::origin::Origin;
use crate::config::SessionLimit;

/// The seats that are taken.
#[derive(Debug, Default)]
pub(super) struct Seats {
    taken: Mutex<Taken>,
    freed: Notify,
}

/// Who sits where, by the numbers of their places. None of the sets is empty.
#[derive(Debug, Default)]
struct Taken {
    of: HashMap<Names, BTreeSet<u64>>,
    from: HashMap<Origin, BTreeSet<u64>>,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Names {
    role: Box<[u8]>,
    database: Box<[u8]>,
}

/// What a client wants a seat for, and what is to hold then.
#[derive(Debug, Clone, Copy)]
pub(super) struct Claim<'c> {
    /// The number of its place.
    pub(super) number: u64,
    pub(super) role: &'c [u8],
    pub(super) database: &'c [u8],
    /// Where it comes from, if that is known.
    pub(super) origin: Option<Origin>,
    pub(super) limits: &'c [SessionLimit],
    pub(super) max_per_address: Option<usize>,
}

/// A limit that is reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Full {
    /// Of some roles, in all databases or some.
    Role,
    /// Of all roles in some databases.
    Database,
    /// Of an address.
    Address,
}

/// A limit that is reached, and by whom.
#[derive(Debug)]
pub(super) struct Crowded {
    pub(super) full: Full,
    /// The numbers of their places.
    pub(super) holders: BTreeSet<u64>,
}

/// A seat, free again when it is dropped.
#[derive(Debug)]
pub(super) struct Seat {
    seats: Arc<Seats>,
    number: u64,
    names: Names,
    origin: Option<Origin>,
}

impl Seats {
    /// Takes a seat, unless a limit is reached.
    pub(super) fn take(self: &Arc<Self>, claim: &Claim<'_>) -> Result<Seat, Crowded> {
        let mut taken = self.lock();
        taken.judge(claim)?;
        let names = Names {
            role: claim.role.into(),
            database: claim.database.into(),
        };
        let sitting = taken.of.entry(names.clone()).or_default();
        sitting.insert(claim.number);
        if let Some(origin) = claim.origin {
            taken.from.entry(origin).or_default().insert(claim.number);
        }
        Ok(Seat {
            seats: Arc::clone(self),
            number: claim.number,
            names,
            origin: claim.origin,
        })
    }

    /// Takes a seat as soon as there is one.
    pub(super) async fn taken(self: &Arc<Self>, claim: &Claim<'_>) -> Seat {
        loop {
            let mut freed = pin!(self.freed.notified());
            freed.as_mut().enable();
            if let Ok(seat) = self.take(claim) {
                return seat;
            }
            freed.await;
        }
    }

    fn lock(&self) -> MutexGuard<'_, Taken> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Taken {
    /// Says which limit keeps a client from its seat.
    fn judge(&self, claim: &Claim<'_>) -> Result<(), Crowded> {
        if let Some(most) = claim.max_per_address
            && let Some(origin) = claim.origin
            && let Some(holders) = self.from.get(&origin)
            && holders.len() >= most
        {
            let (full, holders) = (Full::Address, holders.clone());
            return Err(Crowded { full, holders });
        }
        let limits = claim.limits.iter();
        for limit in limits.filter(|limit| limit.fits(claim.role, claim.database)) {
            let counted = || {
                let of = self.of.iter();
                of.filter(|(names, _)| limit.fits(&names.role, &names.database))
            };
            let sum: usize = counted().map(|(_, numbers)| numbers.len()).sum();
            if sum >= limit.max_connections {
                let full = match limit.roles.is_empty() {
                    true => Full::Database,
                    false => Full::Role,
                };
                let holders = counted().flat_map(|(_, numbers)| numbers).copied();
                let holders = holders.collect();
                return Err(Crowded { full, holders });
            }
        }
        Ok(())
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        let mut taken = self.seats.lock();
        if let Some(sitting) = taken.of.get_mut(&self.names) {
            sitting.remove(&self.number);
            if sitting.is_empty() {
                taken.of.remove(&self.names);
            }
        }
        if let Some(origin) = self.origin
            && let Some(sitting) = taken.from.get_mut(&origin)
        {
            sitting.remove(&self.number);
            if sitting.is_empty() {
                taken.from.remove(&origin);
            }
        }
        drop(taken);
        self.seats.freed.notify_waiters();
    }
}

#[cfg(test)]
mod tests {
    use std::net::{IpAddr, Ipv4Addr};

    use super::*;
    use crate::config::{Config, Environment};

    fn limits(text: &str) -> Vec<SessionLimit> {
        let text = format!("[upstream]\naddress = \"db:5432\"\n{text}");
        let around = Environment {
            folder: std::path::Path::new("."),
            env: &|_| None,
        };
        Config::parse(&text, &around).unwrap().session_limits
    }

    fn claim<'c>(number: u64, names: (&'c str, &'c str), limits: &'c [SessionLimit]) -> Claim<'c> {
        let address = u32::try_from(number).unwrap();
        Claim {
            number,
            role: names.0.as_bytes(),
            database: names.1.as_bytes(),
            origin: Some(Origin::of(IpAddr::V4(Ipv4Addr::from_bits(address / 2)))),
            limits,
            max_per_address: Some(2),
        }
    }

    #[test]
    fn every_limit_that_fits_holds_and_counts_all_who_fit_it() {
        let limits = limits(
            "[[limit]]\nroles = [\"a\", \"b\"]\nmax_connections = 3\n\
             [[limit]]\ndatabases = [\"shop\"]\nmax_connections = 2\n\
             [[limit]]\nroles = [\"a\"]\ndatabases = [\"mail\"]\nmax_connections = 1\n",
        );
        let seats = Arc::<Seats>::default();
        let take = |number, names| seats.take(&claim(number, names, &limits));
        let shop = take(2, ("a", "shop")).unwrap();
        let mail = take(4, ("a", "mail")).unwrap();
        assert_eq!(take(6, ("a", "mail")).unwrap_err().full, Full::Role);
        let other = take(8, ("c", "shop")).unwrap();
        let crowded = take(10, ("b", "shop")).unwrap_err();
        assert_eq!(crowded.full, Full::Database);
        assert_eq!(crowded.holders, BTreeSet::from([2, 8]));
        let third = take(12, ("b", "mail")).unwrap();
        let crowded = take(14, ("a", "else")).unwrap_err();
        assert_eq!(crowded.full, Full::Role);
        assert_eq!(crowded.holders, BTreeSet::from([2, 4, 12]));
        // Whom none is about nothing limits but the address.
        let free = [
            take(16, ("c", "mail")).unwrap(),
            take(17, ("", "")).unwrap(),
        ];
        drop(shop);
        let again = take(18, ("a", "shop")).unwrap();
        drop((mail, other, third, free, again));
        let taken = seats.lock();
        assert!(taken.of.is_empty() && taken.from.is_empty());
    }

    /// What a reload limits counts those who had come before; what it allows, it allows.
    #[test]
    fn those_of_an_earlier_configuration_count_for_a_later_one() {
        let seats = Arc::<Seats>::default();
        let before: Vec<_> = (0..4)
            .map(|number| seats.take(&claim(2 * number, ("a", "shop"), &[])).unwrap())
            .collect();
        let limits = limits("[[limit]]\nroles = [\"a\"]\nmax_connections = 2\n");
        let take = || seats.take(&claim(100, ("a", "shop"), &limits));
        for seat in before {
            assert!(seats.lock().from.len() < 3 || take().is_err());
            drop(seat);
        }
        assert!(take().is_ok());
    }

    #[tokio::test]
    async fn whoever_waits_gets_the_seat_that_is_given_up() {
        let seats = Arc::<Seats>::default();
        let seat = |number| {
            let seats = Arc::clone(&seats);
            async move { seats.taken(&claim(number, ("a", "shop"), &[])).await }
        };
        let (first, second) = (seat(2).await, seat(3).await);
        let mut claim = claim(3, ("a", "shop"), &[]);
        claim.number = 9;
        assert_eq!(seats.take(&claim).unwrap_err().full, Full::Address);
        let give_up = async {
            tokio::task::yield_now().await;
            drop(first);
        };
        let (third, ()) = tokio::join!(seats.taken(&claim), give_up);
        drop((second, third));
    }
}
