//! The SQLSTATEs that Postgres itself raises (`errcodes.txt` of 15 to 18), by class. Any other one
//! is made up by code of the user, who may put anything into it.

/// Each class with the rest of its codes.
const CLASSES: &[(&[u8; 2], &[&[u8; 3]])] = &[
    (b"00", &[b"000"]),
    (
        b"01",
        &[
            b"000", b"003", b"004", b"006", b"007", b"008", b"00C", b"P01",
        ],
    ),
    (b"02", &[b"000", b"001"]),
    (b"03", &[b"000"]),
    (
        b"08",
        &[b"000", b"001", b"003", b"004", b"006", b"007", b"P01"],
    ),
    (b"09", &[b"000"]),
    (b"0A", &[b"000"]),
    (b"0B", &[b"000"]),
    (b"0F", &[b"000", b"001"]),
    (b"0L", &[b"000", b"P01"]),
    (b"0P", &[b"000"]),
    (b"0Z", &[b"000", b"002"]),
    (b"20", &[b"000"]),
    (b"21", &[b"000"]),
    (
        b"22",
        &[
            b"000", b"001", b"002", b"003", b"004", b"005", b"007", b"008", b"009", b"00B", b"00C",
            b"00D", b"00F", b"00G", b"00H", b"00L", b"00M", b"00N", b"00S", b"00T", b"010", b"011",
            b"012", b"013", b"014", b"015", b"016", b"018", b"019", b"01B", b"01E", b"01F", b"01G",
            b"01W", b"01X", b"021", b"022", b"023", b"024", b"025", b"026", b"027", b"02E", b"02G",
            b"02H", b"030", b"031", b"032", b"033", b"034", b"035", b"036", b"037", b"038", b"039",
            b"03A", b"03B", b"03C", b"03D", b"03E", b"03F", b"03G", b"P01", b"P02", b"P03", b"P04",
            b"P05", b"P06",
        ],
    ),
    (
        b"23",
        &[b"000", b"001", b"502", b"503", b"505", b"514", b"P01"],
    ),
    (b"24", &[b"000"]),
    (
        b"25",
        &[
            b"000", b"001", b"002", b"003", b"004", b"005", b"006", b"007", b"008", b"P01", b"P02",
            b"P03", b"P04",
        ],
    ),
    (b"26", &[b"000"]),
    (b"27", &[b"000"]),
    (b"28", &[b"000", b"P01"]),
    (b"2B", &[b"000", b"P01"]),
    (b"2D", &[b"000"]),
    (b"2F", &[b"000", b"002", b"003", b"004", b"005"]),
    (b"34", &[b"000"]),
    (b"38", &[b"000", b"001", b"002", b"003", b"004"]),
    (b"39", &[b"000", b"001", b"004", b"P01", b"P02", b"P03"]),
    (b"3B", &[b"000", b"001"]),
    (b"3D", &[b"000"]),
    (b"3F", &[b"000"]),
    (b"40", &[b"000", b"001", b"002", b"003", b"P01"]),
    (
        b"42",
        &[
            b"000", b"501", b"601", b"602", b"611", b"622", b"701", b"702", b"703", b"704", b"710",
            b"712", b"723", b"725", b"803", b"804", b"809", b"830", b"846", b"883", b"8C9", b"939",
            b"P01", b"P02", b"P03", b"P04", b"P05", b"P06", b"P07", b"P08", b"P09", b"P10", b"P11",
            b"P12", b"P13", b"P14", b"P15", b"P16", b"P17", b"P18", b"P19", b"P20", b"P21", b"P22",
        ],
    ),
    (b"44", &[b"000"]),
    (b"53", &[b"000", b"100", b"200", b"300", b"400"]),
    (b"54", &[b"000", b"001", b"011", b"023"]),
    (b"55", &[b"000", b"006", b"P02", b"P03", b"P04"]),
    (
        b"57",
        &[b"000", b"014", b"P01", b"P02", b"P03", b"P04", b"P05"],
    ),
    (b"58", &[b"000", b"030", b"P01", b"P02"]),
    (b"72", &[b"000"]),
    (b"F0", &[b"000", b"001"]),
    (
        b"HV",
        &[
            b"000", b"001", b"002", b"004", b"005", b"006", b"007", b"008", b"009", b"00A", b"00B",
            b"00C", b"00D", b"00J", b"00K", b"00L", b"00M", b"00N", b"00P", b"00Q", b"00R", b"010",
            b"014", b"021", b"024", b"090", b"091",
        ],
    ),
    (b"P0", &[b"000", b"001", b"002", b"003", b"004"]),
    (b"XX", &[b"000", b"001", b"002"]),
];

/// Whether Postgres itself raises errors, warnings or notices with this SQLSTATE.
#[must_use]
pub fn is_known(code: &[u8]) -> bool {
    let Some((class, rest)) = code.split_first_chunk::<2>() else {
        return false;
    };
    let mut classes = CLASSES.iter().filter(|(known, _)| *known == class);
    classes.any(|(_, codes)| codes.iter().any(|known| known.as_slice() == rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knows_what_postgres_raises_and_nothing_else() {
        for code in ["00000", "23505", "P0001", "XX000", "72000"] {
            assert!(is_known(code.as_bytes()), "{code}");
        }
        for code in ["", "2350", "235050", "PT404", "00042", "P0042", "23599"] {
            assert!(!is_known(code.as_bytes()), "{code}");
        }
    }
}
