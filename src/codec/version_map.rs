//! Which version a UUID key shows outside: the map from the versions in the database to those
//! that clients see, and back.

use super::error::VersionMapError;

/// An injective map from internal to external version digits. It is how decoding restores the
/// internal digit; no key depends on it. The default shows version 7 as version 8.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VersionMap {
    /// Pairs of digits, at most one for each.
    outside: [Option<u8>; 16],
    inside: [Option<u8>; 16],
}

impl VersionMap {
    /// The map of these pairs, internal digit first.
    ///
    /// # Errors
    /// [`VersionMapError`] if there is no pair, a digit is above 15, or one occurs twice on the
    /// same side.
    pub fn new(pairs: &[(u8, u8)]) -> Result<Self, VersionMapError> {
        if pairs.is_empty() {
            return Err(VersionMapError::Empty);
        }
        let mut map = Self {
            outside: [None; 16],
            inside: [None; 16],
        };
        for (internal, external) in pairs {
            set(&mut map.outside, *internal, *external)?;
            set(&mut map.inside, *external, *internal)?;
        }
        Ok(map)
    }

    /// The digit that a key of this version shows.
    #[inline]
    pub(super) fn outside(&self, version: u128) -> Option<u128> {
        look_up(&self.outside, version)
    }

    /// The digit of the key that an id of this version stands for.
    #[inline]
    pub(super) fn inside(&self, version: u128) -> Option<u128> {
        look_up(&self.inside, version)
    }
}

impl Default for VersionMap {
    fn default() -> Self {
        let (mut outside, mut inside) = ([None; 16], [None; 16]);
        (outside[7], inside[8]) = (Some(8), Some(7));
        Self { outside, inside }
    }
}

fn set(table: &mut [Option<u8>; 16], from: u8, to: u8) -> Result<(), VersionMapError> {
    let place = table
        .get_mut(usize::from(from))
        .ok_or(VersionMapError::Digit)?;
    match place.replace(to) {
        None => Ok(()),
        Some(_) => Err(VersionMapError::Twice { version: from }),
    }
}

fn look_up(table: &[Option<u8>; 16], version: u128) -> Option<u128> {
    let index = usize::try_from(version).ok()?;
    table.get(index).copied().flatten().map(u128::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_map_leads_back_to_where_it_came_from() {
        let map = VersionMap::new(&[(7, 8), (4, 4), (1, 1)]).unwrap();
        for version in 0..20 {
            let back = map.outside(version).and_then(|v| map.inside(v));
            let known = matches!(version, 1 | 4 | 7);
            assert_eq!(back, known.then_some(version));
        }
        assert_eq!(VersionMap::new(&[(7, 8)]), Ok(VersionMap::default()));
    }

    #[test]
    fn a_map_that_could_not_be_undone_is_refused() {
        assert_eq!(VersionMap::new(&[]), Err(VersionMapError::Empty));
        let twice = |version| Err(VersionMapError::Twice { version });
        assert_eq!(VersionMap::new(&[(7, 8), (4, 8)]), twice(8));
        assert_eq!(VersionMap::new(&[(7, 8), (7, 4)]), twice(7));
        assert_eq!(VersionMap::new(&[(16, 8)]), Err(VersionMapError::Digit));
        assert_eq!(VersionMap::new(&[(7, 16)]), Err(VersionMapError::Digit));
    }
}
