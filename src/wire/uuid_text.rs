//! The text form of a uuid: out as Postgres writes it, in exactly what its `uuid_in` takes.

/// The length of the canonical form.
pub const TEXT_BYTES: usize = 36;

/// Writes the canonical form: lower case, with hyphens.
pub fn write(uuid: &[u8; 16], out: &mut [u8; TEXT_BYTES]) {
    uuid::Uuid::from_bytes_ref(uuid)
        .hyphenated()
        .encode_lower(out);
}

/// The canonical form as a string.
#[must_use]
pub fn to_string(uuid: &[u8; 16]) -> String {
    uuid::Uuid::from_bytes_ref(uuid).hyphenated().to_string()
}

/// Reads what `uuid_in` takes, and nothing else: 32 hex digits of any case, a hyphen allowed
/// after each group of four digits but not at the end, optionally the whole in braces. No white
/// space.
#[must_use]
pub fn parse(text: &[u8]) -> Option<[u8; 16]> {
    if let Some(uuid) = text.try_into().ok().and_then(canonical) {
        return Some(uuid);
    }
    let mut rest = match text {
        [b'{', inner @ .., b'}'] => inner,
        [b'{', ..] => return None,
        bare => bare,
    };
    let mut uuid = [0; 16];
    for (index, byte) in uuid.iter_mut().enumerate() {
        let (&[high, low], tail) = rest.split_first_chunk::<2>()?;
        *byte = digit(high)? << 4 | digit(low)?;
        rest = tail;
        // "if (src[0] == '-' && (i % 2) == 1 && i < UUID_LEN - 1)"
        if index % 2 == 1
            && index < 15
            && let [b'-', tail @ ..] = rest
        {
            rest = tail;
        }
    }
    rest.is_empty().then_some(uuid)
}

/// Reads the canonical form, as nearly everyone writes it, by blocks of digits.
#[must_use]
pub fn canonical(text: &[u8; TEXT_BYTES]) -> Option<[u8; 16]> {
    let hyphens = [8, 13, 18, 23].map(|place| text.get(place) == Some(&b'-'));
    if hyphens != [true; 4] {
        return None;
    }
    let mut digits = [0; 32];
    let groups = [(0, 8), (9, 4), (14, 4), (19, 4), (24, 12)];
    let mut rest = digits.as_mut_slice();
    for (start, length) in groups {
        let (to, behind) = rest.split_at_mut_checked(length)?;
        to.copy_from_slice(text.get(start..start + length)?);
        rest = behind;
    }
    const_hex::decode_to_array(digits).ok()
}

const fn digit(letter: u8) -> Option<u8> {
    match letter {
        b'0'..=b'9' => Some(letter - b'0'),
        b'a'..=b'f' => Some(letter - b'a' + 10),
        b'A'..=b'F' => Some(letter - b'A' + 10),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const UUID: [u8; 16] = [
        0xa0, 0xee, 0xbc, 0x99, 0x9c, 0x0b, 0x4e, 0xf8, 0xbb, 0x6d, 0x6b, 0xb9, 0xbd, 0x38, 0x0a,
        0x11,
    ];

    /// The examples of Postgres's documentation.
    #[test]
    fn takes_every_spelling_that_postgres_takes() {
        for text in [
            "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11",
            "A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11",
            "{a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11}",
            "a0eebc999c0b4ef8bb6d6bb9bd380a11",
            "a0ee-bc99-9c0b-4ef8-bb6d-6bb9-bd38-0a11",
            "{a0eebc99-9c0b4ef8-bb6d6bb9-bd380a11}",
        ] {
            assert_eq!(parse(text.as_bytes()), Some(UUID), "{text}");
        }
    }

    #[test]
    fn takes_nothing_else() {
        for text in [
            "",
            "{}",
            "42",
            "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a1",
            "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11-",
            "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a1g",
            "{a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11",
            "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11}",
            " a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11",
            "a0-eebc99-9c0b-4ef8-bb6d-6bb9bd380a11",
            "a0eebc99--9c0b-4ef8-bb6d-6bb9bd380a11",
            "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a1100",
        ] {
            assert_eq!(parse(text.as_bytes()), None, "{text}");
        }
    }

    proptest::proptest! {
        #[test]
        fn reads_back_what_it_writes(uuid: [u8; 16]) {
            proptest::prop_assert_eq!(parse(to_string(&uuid).as_bytes()), Some(uuid));
        }

        #[test]
        fn never_panics_on_any_bytes(text: Vec<u8>) {
            let _ = parse(&text);
        }
    }
}
