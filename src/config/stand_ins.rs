//! What answers for roles that nobody knows. A client that names one gets a challenge like others,
//! and must not tell by it that the role does not exist: neither today and tomorrow, nor from one
//! replica and the next.

use std::fmt;

use zeroize::Zeroizing;

use crate::codec::Secret;

/// A secret from which unknown roles get their salts.
pub struct StandIns(Zeroizing<[u8; 32]>);

impl StandIns {
    /// The one of all proxies whose current key is this one.
    pub(super) fn of(current: &Secret) -> Self {
        Self(current.key_for("scram/unknown-roles"))
    }

    /// One that no other proxy has, for a configuration without keys.
    ///
    /// # Errors
    /// If the system has no randomness.
    pub fn random() -> Result<Self, getrandom::Error> {
        let mut bytes = Zeroizing::new([0; 32]);
        getrandom::fill(bytes.as_mut_slice())?;
        Ok(Self(bytes))
    }

    /// The secret itself.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl fmt::Debug for StandIns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("StandIns(..)")
    }
}
