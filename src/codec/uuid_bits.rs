//! A UUID as bit fields (RFC 9562, section 5.8). Knows nothing of what the fields hold.
//!
//! ```text
//! bits 127..80  left >> 12      48 bits      bits 63..62  variant, binary 10
//! bits  79..76  version          4 bits      bits 61..0   right, 62 bits
//! bits  75..64  left & 0xfff    12 bits
//! ```

/// The low 62 bits.
pub(super) const LOW_62: u128 = (1 << 62) - 1;

/// The one variant that RFC 9562 describes.
const VARIANT: u128 = 0b10;

/// The UUID with these halves, in the order of its bytes; `version` is one digit.
#[inline(always)]
pub(super) fn pack(left: u128, right: u128, version: u128) -> [u8; 16] {
    let number = (left >> 12) << 80 | version << 76 | (left & 0xfff) << 64 | VARIANT << 62 | right;
    number.to_be_bytes()
}

/// Left half of 60 bits and right half of 62.
#[inline(always)]
pub(super) fn halves(uuid: [u8; 16]) -> (u128, u128) {
    let number = u128::from_be_bytes(uuid);
    ((number >> 80) << 12 | number >> 64 & 0xfff, number & LOW_62)
}

/// The version digit, if the variant is that of RFC 9562.
#[inline(always)]
pub(super) fn version(uuid: [u8; 16]) -> Option<u128> {
    let number = u128::from_be_bytes(uuid);
    (number >> 62 & 0b11 == VARIANT).then_some(number >> 76 & 0xf)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn unpacking_is_the_inverse_of_packing(
            left in 0..1_u128 << 60, right in 0..=LOW_62, digit in 0..16_u128
        ) {
            let uuid = pack(left, right, digit);
            prop_assert_eq!((halves(uuid), version(uuid)), ((left, right), Some(digit)));
        }

        #[test]
        fn another_variant_has_no_version(bytes in any::<[u8; 16]>()) {
            prop_assert_eq!(version(bytes).is_some(), bytes[8] >> 6 == 2);
        }
    }
}
