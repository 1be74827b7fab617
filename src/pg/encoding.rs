//! The encodings that the texts of a database can be in.
//!
//! What a database calls its relations and writes in its functions comes in the bytes that it has
//! them in: a server that is asked to convert them raises an error if a single one of them stands
//! for nothing in UTF8, and anybody may have put it there.

use std::borrow::Cow;

use encoding_rs as rs;

/// What Postgres calls `server_encoding`: how a database writes its texts.
#[derive(Debug, Clone, Copy, Default)]
pub struct Encoding(Kind);

#[derive(Debug, Clone, Copy, Default)]
enum Kind {
    /// Unicode in bytes.
    #[default]
    Utf8,
    /// Bytes that nobody looks at: clients take them for what they like.
    SqlAscii,
    /// The first 256 characters of Unicode.
    Latin1,
    /// By a table that agrees with Postgres's own but for these characters.
    Table(&'static rs::Encoding, &'static str),
    /// One that there is no table for.
    Unknown,
}

/// Begins what stands for a text that can't be converted. No text that can be has it.
const UNCONVERTED: char = '\u{fffe}';

impl Encoding {
    /// Finds an encoding by Postgres's name of it (`pg_encoding_to_char`).
    #[must_use]
    pub fn named(name: &str) -> Self {
        let table = |encoding| Kind::Table(encoding, "");
        Self(match name {
            "UTF8" => Kind::Utf8,
            "SQL_ASCII" => Kind::SqlAscii,
            "LATIN1" => Kind::Latin1,
            "LATIN2" => table(rs::ISO_8859_2),
            "LATIN3" => table(rs::ISO_8859_3),
            "LATIN4" => table(rs::ISO_8859_4),
            // Where that table has punctuation, Postgres has control characters.
            "LATIN5" => Kind::Table(rs::WINDOWS_1254, "€‚ƒ„…†‡ˆ‰Š‹Œ‘’“”•–—˜™š›œŸ"),
            "LATIN6" => table(rs::ISO_8859_10),
            "LATIN7" => table(rs::ISO_8859_13),
            "LATIN8" => table(rs::ISO_8859_14),
            "LATIN9" => table(rs::ISO_8859_15),
            "LATIN10" => table(rs::ISO_8859_16),
            "ISO_8859_5" => table(rs::ISO_8859_5),
            "ISO_8859_6" => table(rs::ISO_8859_6),
            "ISO_8859_7" => table(rs::ISO_8859_7),
            "ISO_8859_8" => table(rs::ISO_8859_8),
            "KOI8R" => table(rs::KOI8_R),
            "KOI8U" => Kind::Table(rs::KOI8_U, "ўЎ"),
            "WIN866" => table(rs::IBM866),
            "WIN874" => table(rs::WINDOWS_874),
            "WIN1250" => table(rs::WINDOWS_1250),
            "WIN1251" => table(rs::WINDOWS_1251),
            "WIN1252" => table(rs::WINDOWS_1252),
            "WIN1253" => table(rs::WINDOWS_1253),
            "WIN1254" => table(rs::WINDOWS_1254),
            "WIN1255" => table(rs::WINDOWS_1255),
            "WIN1256" => table(rs::WINDOWS_1256),
            "WIN1257" => table(rs::WINDOWS_1257),
            "WIN1258" => table(rs::WINDOWS_1258),
            "EUC_CN" => Kind::Table(rs::GBK, "·—"),
            "EUC_JP" => Kind::Table(rs::EUC_JP, "¦"),
            "EUC_KR" => table(rs::EUC_KR),
            _ => Kind::Unknown,
        })
    }

    /// Converts a text of the database, as Postgres would for a client that takes UTF8. A text that
    /// has no counterpart there gives one that Postgres takes from no client in UTF8; two different
    /// texts always give two different ones.
    #[must_use]
    pub fn decode<'t>(&self, text: &'t [u8]) -> Cow<'t, str> {
        let converted = match self.0 {
            _ if text.is_ascii() => std::str::from_utf8(text).ok().map(Cow::Borrowed),
            // Postgres sees to it that it is UTF8.
            Kind::Utf8 => return String::from_utf8_lossy(text),
            Kind::SqlAscii => std::str::from_utf8(text).ok().map(Cow::Borrowed),
            Kind::Latin1 => Some(Cow::Owned(latin1(text))),
            Kind::Table(table, differing) => by_table(table, differing, text),
            Kind::Unknown => None,
        };
        let converted = converted.filter(|text| !text.starts_with(UNCONVERTED));
        converted.unwrap_or_else(|| Cow::Owned(format!("{UNCONVERTED}{}", latin1(text))))
    }
}

/// Each byte as the character of that number.
fn latin1(text: &[u8]) -> String {
    text.iter().copied().map(char::from).collect()
}

/// Converts a text by a table if that has one way to write it, this one, and Postgres's table agrees.
fn by_table<'t>(
    table: &'static rs::Encoding,
    differing: &str,
    text: &'t [u8],
) -> Option<Cow<'t, str>> {
    let converted = table.decode_without_bom_handling_and_without_replacement(text)?;
    let agrees = !converted.contains(|character| differing.contains(character));
    let (back, _, unmappable) = table.encode(&converted);
    (agrees && !unmappable && back == text).then_some(converted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_ascii_are_themselves_everywhere() {
        for name in [
            "UTF8",
            "SQL_ASCII",
            "LATIN1",
            "EUC_TW",
            "WIN1252",
            "mystery",
        ] {
            assert_eq!(Encoding::named(name).decode(b"users"), "users", "{name}");
        }
    }

    #[test]
    fn texts_that_have_no_counterpart_stay_different() {
        for name in ["SQL_ASCII", "WIN1252", "EUC_JP", "EUC_TW"] {
            let encoding = Encoding::named(name);
            let texts: [&[u8]; 5] = [
                b"t\x81",
                b"t\x8d",
                b"t",
                b"\xef\xbf\xbet\xc2\x81",
                b"\xef\xbf\xbet",
            ];
            let decoded = texts.map(|text| encoding.decode(text));
            let distinct: std::collections::HashSet<_> = decoded.iter().collect();
            assert_eq!(distinct.len(), texts.len(), "{name}: {decoded:?}");
        }
        assert_eq!(Encoding::named("SQL_ASCII").decode("ä".as_bytes()), "ä");
        assert_eq!(Encoding::named("LATIN9").decode(b"\xa4"), "€");
    }
}
