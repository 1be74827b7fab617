//! Where a client comes from, as limits count it. Whoever has one address of IPv6 has a whole network
//! of them, so that those count together.

use std::net::{IpAddr, Ipv6Addr};

/// The bits of an address of IPv6 that a network has for itself: a /64 is the smallest one that is
/// given to somebody.
const NETWORK: u128 = !(u64::MAX as u128);

/// An address of IPv4, or a network of IPv6.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Origin(IpAddr);

impl Origin {
    /// The origin of who comes from this address.
    pub(super) fn of(address: IpAddr) -> Self {
        Self(match address.to_canonical() {
            IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() & NETWORK).into(),
            four @ IpAddr::V4(_) => four,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn origin(address: &str) -> Origin {
        Origin::of(address.parse().unwrap())
    }

    #[test]
    fn a_network_of_ipv6_is_one_origin_and_an_address_of_ipv4_another() {
        assert_eq!(origin("2001:db8::1"), origin("2001:db8::ffff:0:0:2"));
        assert_ne!(origin("2001:db8::1"), origin("2001:db8:0:1::1"));
        assert_ne!(origin("192.0.2.7"), origin("192.0.2.8"));
        assert_eq!(origin("192.0.2.7"), origin("::ffff:192.0.2.7"));
        assert_ne!(origin("::1"), origin("192.0.2.7"));
    }
}
