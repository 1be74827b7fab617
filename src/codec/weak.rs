//! Choices that look like codecs and hide nothing: refused before a key is derived, each with
//! the attack that it falls to.

/// Why a number of rounds is refused: the operator's fault. The tests carry each attack out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WeakChoice {
    /// Two rounds over an integer key, whose other half is constant. The first round's output is
    /// then one constant, so the exclusive or of two ids shows that of their keys, and one known
    /// key reveals all others.
    #[error(
        "two rounds over an integer key: its other half is constant, and one known key reveals \
         all others; use six rounds"
    )]
    ConstantHalf,
    /// Fewer than two rounds: one half is masked with a function of the other, which is shown.
    /// Equal shown halves give the exclusive or of the hidden ones, and link one row across
    /// tables.
    #[error(
        "one round masks one half of the key and shows the other, which links rows and reveals \
         differences; use six rounds"
    )]
    MaskedHalf,
    /// Four rounds: proven up to about 2^28 ids, which big tables reach, at hardly less cost.
    #[error("four rounds are proven for 2^28 ids only, which big tables reach; use six rounds")]
    FourRounds,
    /// No codec has this number of rounds.
    #[error("no codec has this number of rounds; use six")]
    Undefined,
}

/// The rounds of a codec over UUID keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum UuidRounds {
    /// The codec `uuid`: needs nothing of the keys.
    #[default]
    Six,
    /// The codec `feistel2`: only for keys whose low 62 bits are random (or distinct), and that
    /// clients never supply, since decoding is malleable.
    Two,
}

impl UuidRounds {
    /// Checks a number of rounds over UUID keys.
    ///
    /// # Errors
    /// [`WeakChoice`] for all but 6 and 2.
    pub const fn new(rounds: u32) -> Result<Self, WeakChoice> {
        match rounds {
            6 => Ok(Self::Six),
            2 => Ok(Self::Two),
            4 => Err(WeakChoice::FourRounds),
            0 | 1 => Err(WeakChoice::MaskedHalf),
            _ => Err(WeakChoice::Undefined),
        }
    }
}

/// Checks a number of rounds over integer keys. There is one that is good.
///
/// # Errors
/// [`WeakChoice`] for all but 6.
pub const fn check_integer_rounds(rounds: u32) -> Result<(), WeakChoice> {
    match rounds {
        6 => Ok(()),
        4 => Err(WeakChoice::FourRounds),
        2 => Err(WeakChoice::ConstantHalf),
        0 | 1 => Err(WeakChoice::MaskedHalf),
        _ => Err(WeakChoice::Undefined),
    }
}

#[cfg(test)]
mod tests {
    use aes::Aes128;

    use super::*;
    use crate::codec::Secret;
    use crate::codec::feistel_network::{Network, Shape};
    use crate::codec::prf::RoundFunction;

    const LOW_62: u128 = (1 << 62) - 1;

    fn network(left: u32, right: u32, pairs: usize) -> Network {
        let shape = Shape { left, right, pairs };
        let secret = Secret::generate().unwrap();
        Network::derive(&secret, "weak", &"user".parse().unwrap(), shape)
    }

    /// Two rounds with the key on the left and a constant nonce on the right.
    #[test]
    fn over_a_constant_half_two_rounds_give_up_every_key_for_a_known_one() {
        assert_eq!(check_integer_rounds(2), Err(WeakChoice::ConstantHalf));
        let nonce = 0x0123_4567;
        let weak = network(60, 62, 1);
        let encode = |key: u128| weak.encrypt(key, nonce);

        // The attacker knows one pair, and only sees the ids of the others.
        let (known, id) = (8_613_972_450_000_001, encode(8_613_972_450_000_001));
        for secret in [1, 42, 8_613_972_450_000_002, (1 << 60) - 1] {
            let seen = encode(secret);
            assert_eq!(seen.0 ^ id.0 ^ known, secret, "the attack finds the key");
        }

        // Six rounds over the same input: the same computation finds nothing.
        let strong = network(60, 62, 3);
        let id = strong.encrypt(known, nonce);
        for secret in [1, 42, 8_613_972_450_000_002] {
            let seen = strong.encrypt(secret, nonce);
            assert_ne!(seen.0 ^ id.0 ^ known, secret);
        }
    }

    /// The time of a UUIDv7 is masked with a function of its random part, which is shown.
    #[test]
    fn a_masked_half_shows_differences_of_times_and_links_rows_across_tables() {
        assert_eq!(UuidRounds::new(1), Err(WeakChoice::MaskedHalf));
        let secret = Secret::generate().unwrap();
        let mask = |domain: &str, time: u128, random: u128| {
            let function = Aes128::derive(&secret, "masked", &domain.parse().unwrap(), "mask");
            let output = function.apply(&random.to_le_bytes().into());
            let mask = u128::from_le_bytes(output.into()) & ((1 << 48) - 1);
            (time ^ mask, random)
        };
        let (earlier, later, random) = (1_760_000_000_000, 1_760_000_123_456, 77);
        // Two rows whose random parts are equal, as a weak generator makes them.
        let (one, other) = (mask("a", earlier, random), mask("a", later, random));
        assert_eq!(one.0 ^ other.0, earlier ^ later, "the difference is shown");
        // One row, shown by two tables with independent keys.
        let elsewhere = mask("b", earlier, random);
        assert_eq!(one.1, elsewhere.1, "the row is recognised");

        // Six rounds: neither half of one row is equal in two tables.
        let (a, b) = (network(60, 62, 3), network(60, 62, 3));
        let (a, b) = (a.encrypt(earlier, random), b.encrypt(earlier, random));
        assert!(a.0 != b.0 && a.1 != b.1 && a.1 != random & LOW_62);
    }

    #[test]
    fn only_the_sound_numbers_of_rounds_are_accepted() {
        assert_eq!(UuidRounds::new(6), Ok(UuidRounds::Six));
        assert_eq!(UuidRounds::new(2), Ok(UuidRounds::Two));
        assert_eq!(UuidRounds::new(4), Err(WeakChoice::FourRounds));
        assert_eq!(check_integer_rounds(6), Ok(()));
        for rounds in [3, 5, 7, 8, u32::MAX] {
            assert_eq!(UuidRounds::new(rounds), Err(WeakChoice::Undefined));
            assert_eq!(check_integer_rounds(rounds), Err(WeakChoice::Undefined));
        }
        assert_eq!(check_integer_rounds(4), Err(WeakChoice::FourRounds));
        assert_eq!(check_integer_rounds(1), Err(WeakChoice::MaskedHalf));
    }
}
