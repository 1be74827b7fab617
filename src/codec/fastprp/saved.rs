//! Counters as bytes, for a file: sealed, so that only who has the secret can make them.
//!
//! ```text
//! seal, 32 bytes || LE8(stride) || LE4 of each count
//! ```
//!
//! They tell something of the permutation, and it is up to others to keep them as the secret is
//! kept.

use sha2::{Digest as _, Sha256};
use zeroize::Zeroizing;

use super::counters::Counters;
use super::{KeyRange, Stride, ident};
use crate::codec::error::CounterError;
use crate::codec::secret::Secret;
use crate::codec::subkey::{DomainName, subkey};

/// The length of the seal.
const SEAL: usize = 32;

/// Counts that were made before.
pub(super) struct Saved {
    pub(super) stride: Stride,
    pub(super) counts: Zeroizing<Vec<u32>>,
}

impl Saved {
    /// Counts from bytes that [`seal`] gave for the same arguments.
    pub(super) fn open(
        secret: &Secret,
        domain: &DomainName,
        range: KeyRange,
        bytes: &[u8],
    ) -> Result<Self, CounterError> {
        let (seal, body) = bytes.split_first_chunk().ok_or(CounterError::Saved)?;
        let (stride, counts) = body.split_first_chunk().ok_or(CounterError::Saved)?;
        if seal != &*seal_of(secret, domain, range, body) {
            return Err(CounterError::Saved);
        }
        let stride = Stride::new(u64::from_le_bytes(*stride))?;
        let (counts, rest) = counts.as_chunks::<4>();
        if !rest.is_empty() || counts.len() as u64 != Counters::count(range.size, stride.0)? {
            return Err(CounterError::Saved);
        }
        let counts = counts.iter().map(|bytes| u32::from_le_bytes(*bytes));
        Ok(Self {
            stride,
            counts: Zeroizing::new(counts.collect()),
        })
    }
}

/// Counts as bytes.
pub(super) fn seal(
    secret: &Secret,
    domain: &DomainName,
    range: KeyRange,
    stride: u64,
    counts: &[u32],
) -> Zeroizing<Vec<u8>> {
    let mut bytes = Zeroizing::new(Vec::with_capacity(SEAL + 8 + 4 * counts.len()));
    bytes.extend([0; SEAL]);
    bytes.extend(stride.to_le_bytes());
    for count in counts {
        bytes.extend(count.to_le_bytes());
    }
    let (seal, body) = bytes.split_at_mut(SEAL);
    seal.copy_from_slice(&*seal_of(secret, domain, range, body));
    bytes
}

/// The seal is a subkey whose label is the digest of what it seals: a function that only who has
/// the secret can compute.
fn seal_of(
    secret: &Secret,
    domain: &DomainName,
    range: KeyRange,
    body: &[u8],
) -> Zeroizing<[u8; SEAL]> {
    let digest = data_encoding::HEXLOWER.encode(&Sha256::digest(body));
    subkey(secret, &ident(range), domain, &format!("counters/{digest}"))
}
