//! The text form of arrays: `{1,NULL,3}`, `{{…},{…}}`, `[0:2]={…}`.
//!
//! From the client everything that `array_in` takes is taken, and judged completely: what would
//! be malformed must not reach the server, whose error would quote the translated text.

use bytes::{BufMut, BytesMut};

use super::value::{MAX_DIMENSIONS, Malformed, decimal};
use super::{WireError, uuid_text, value};

/// Translates an array of integers as the server writes it; see [`value::to_client`].
pub(super) fn to_client(
    text: &[u8],
    out: &mut BytesMut,
    mut key: impl FnMut(i64, &mut BytesMut),
) -> Result<(), WireError> {
    let brace = memchr::memchr(b'{', text).ok_or(WireError::Range)?;
    let (bounds, mut rest) = text.split_at_checked(brace).ok_or(WireError::Range)?;
    if !bounds.iter().all(|c| b"[]:=-+0123456789".contains(c)) {
        return Err(WireError::Range);
    }
    out.put_slice(bounds);
    while let Some((&first, tail)) = rest.split_first() {
        if matches!(first, b'{' | b'}' | b',') {
            out.put_u8(first);
            rest = tail;
            continue;
        }
        let end = memchr::memchr3(b'{', b'}', b',', rest).unwrap_or(rest.len());
        let (element, tail) = rest.split_at_checked(end).ok_or(WireError::Range)?;
        if element == b"NULL" {
            out.put_slice(element);
        } else {
            key(decimal(element)?, out);
        }
        rest = tail;
    }
    Ok(())
}

/// Translates an array of uuids as a client writes it; see [`value::to_server`].
pub(super) fn to_server<'a, E>(
    text: &'a [u8],
    out: &mut BytesMut,
    decode: impl FnMut([u8; 16]) -> Result<i64, E>,
) -> Result<(), Malformed<'a, E>> {
    let mut parser = Parser {
        text,
        rest: text,
        lengths: [None; MAX_DIMENSIONS],
        leaf: None,
        decode,
    };
    parser.array(out)
}

const END: &str = "Unexpected end of input.";
const RAGGED: &str = "Multidimensional arrays must have sub-arrays with matching dimensions.";

struct Parser<'a, D> {
    text: &'a [u8],
    rest: &'a [u8],
    /// The number of items in each list of a depth, once the first one is complete: arrays are
    /// rectangular.
    lengths: [Option<usize>; MAX_DIMENSIONS],
    /// The depth at which elements stand.
    leaf: Option<usize>,
    decode: D,
}

impl<'a, E, D: FnMut([u8; 16]) -> Result<i64, E>> Parser<'a, D> {
    const fn malformed<T>(&self, detail: &'static str) -> Result<T, Malformed<'a, E>> {
        let text = self.text;
        Err(Malformed::Array { text, detail })
    }

    /// What stands at the front may not stand there.
    fn unexpected<T>(&self) -> Result<T, Malformed<'a, E>> {
        self.malformed(match self.rest.first() {
            None => END,
            Some(b'{') => "Unexpected \"{\" character.",
            Some(b'}') => "Unexpected \"}\" character.",
            Some(b',') => "Unexpected \",\" character.",
            Some(b'"') => "Unexpected \"\"\" character.",
            Some(b'\\') => "Unexpected \"\\\" character.",
            Some(_) => "Unexpected array element.",
        })
    }

    fn array(&mut self, out: &mut BytesMut) -> Result<(), Malformed<'a, E>> {
        self.skip_blanks();
        let Some(bounds) = self.bounds(out) else {
            return self.malformed("Array value must start with \"{\" or dimension information.");
        };
        self.list(0, out)?;
        self.skip_blanks();
        // `[1:3]={1,2}`: "Specified array dimensions do not match array contents."
        let lengths = self.lengths.iter().map_while(|length| *length);
        let lengths: Vec<usize> = lengths.take_while(|length| *length > 0).collect();
        let fits = bounds.is_empty() || bounds == lengths;
        if fits && self.rest.is_empty() {
            Ok(())
        } else {
            self.malformed(if fits {
                "Junk after closing right brace."
            } else {
                "Specified array dimensions do not match array contents."
            })
        }
    }

    /// `[lower:upper]…=` or nothing; the lengths that it states.
    fn bounds(&mut self, out: &mut BytesMut) -> Option<Vec<usize>> {
        let mut lengths = Vec::new();
        while self.take(b'[') {
            let first = self.integer()?;
            let (lower, upper) = if self.take(b':') {
                (first, self.integer()?)
            } else {
                (1, first)
            };
            let length = upper.checked_sub(lower)?.checked_add(1)?;
            lengths.push(usize::try_from(length).ok().filter(|length| *length > 0)?);
            if !self.take(b']') || lengths.len() > MAX_DIMENSIONS {
                return None;
            }
            out.put_u8(b'[');
            value::put_decimal(i64::from(lower), out);
            out.put_u8(b':');
            value::put_decimal(i64::from(upper), out);
            out.put_u8(b']');
            self.skip_blanks();
        }
        if !lengths.is_empty() {
            if !self.take(b'=') {
                return None;
            }
            out.put_u8(b'=');
            self.skip_blanks();
        }
        Some(lengths)
    }

    fn integer(&mut self) -> Option<i32> {
        let end = self
            .rest
            .iter()
            .position(|c| !(c.is_ascii_digit() || matches!(c, b'-' | b'+')))?;
        let (digits, rest) = self.rest.split_at_checked(end)?;
        self.rest = rest;
        std::str::from_utf8(digits).ok()?.parse().ok()
    }

    /// A list in braces at this depth; recursion is bounded by [`MAX_DIMENSIONS`].
    fn list(&mut self, depth: usize, out: &mut BytesMut) -> Result<(), Malformed<'a, E>> {
        if depth >= MAX_DIMENSIONS || !self.take(b'{') {
            return self.malformed("Array value must start with \"{\" or dimension information.");
        }
        out.put_u8(b'{');
        let mut items = 0_usize;
        self.skip_blanks();
        if !self.take(b'}') {
            loop {
                self.item(depth, out)?;
                items += 1;
                self.skip_blanks();
                if self.take(b'}') {
                    break;
                }
                if !self.take(b',') {
                    return self.unexpected();
                }
                out.put_u8(b',');
                self.skip_blanks();
            }
        } else if depth > 0 {
            // `{{}}` was an empty array before Postgres 17 and is malformed since: refused.
            return self.unexpected();
        }
        out.put_u8(b'}');
        match self.lengths.get_mut(depth) {
            Some(Some(length)) if *length != items => self.malformed(RAGGED),
            Some(length) => {
                *length = Some(items);
                Ok(())
            }
            None => self.malformed(RAGGED),
        }
    }

    fn item(&mut self, depth: usize, out: &mut BytesMut) -> Result<(), Malformed<'a, E>> {
        if self.rest.first() == Some(&b'{') {
            if self.leaf.is_some_and(|leaf| leaf <= depth) {
                return self.unexpected();
            }
            return self.list(depth + 1, out);
        }
        if *self.leaf.get_or_insert(depth) != depth {
            return self.unexpected();
        }
        let uuid = if self.take(b'"') {
            let mut element = Vec::with_capacity(uuid_text::TEXT_BYTES);
            loop {
                match self.next() {
                    Some(b'"') => break,
                    Some(b'\\') => match self.next() {
                        Some(escaped) => element.push(escaped),
                        None => return self.malformed(END),
                    },
                    Some(plain) => element.push(plain),
                    None => return self.malformed(END),
                }
            }
            uuid_text::parse(&element).ok_or(Malformed::Uuid(element.into()))?
        } else {
            let end = memchr::memchr3(b',', b'}', b'{', self.rest);
            let Some((element, rest)) = end.and_then(|end| self.rest.split_at_checked(end)) else {
                return self.malformed(END);
            };
            self.rest = rest;
            let element = element.trim_ascii_end();
            if element.eq_ignore_ascii_case(b"null") {
                out.put_slice(b"NULL");
                return Ok(());
            }
            if element.is_empty() || element.iter().any(|c| matches!(c, b'"' | b'\\')) {
                return self.unexpected();
            }
            uuid_text::parse(element).ok_or(Malformed::Uuid(element.into()))?
        };
        let key = (self.decode)(uuid).map_err(Malformed::Refused)?;
        value::put_decimal(key, out);
        Ok(())
    }

    fn next(&mut self) -> Option<u8> {
        let (&first, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(first)
    }

    fn take(&mut self, expected: u8) -> bool {
        match self.rest.split_first() {
            Some((&first, rest)) if first == expected => {
                self.rest = rest;
                true
            }
            _ => false,
        }
    }

    /// `array_isspace`
    fn skip_blanks(&mut self) {
        while let Some((b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c, rest)) = self.rest.split_first()
        {
            self.rest = rest;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: &str = "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11";

    fn server(text: &str) -> Result<String, &'static str> {
        let mut out = BytesMut::new();
        let text = text.replace('A', A);
        to_server(text.as_bytes(), &mut out, |_| Ok::<_, ()>(-7))
            .map(|()| String::from_utf8(out.to_vec()).unwrap())
            .map_err(|error| match error {
                Malformed::Uuid(_) => "uuid",
                Malformed::Array { .. } => "array",
                _ => "other",
            })
    }

    #[test]
    fn takes_what_postgres_takes() {
        for (text, expected) in [
            ("{}", "{}"),
            ("{A}", "{-7}"),
            (" { A , \"A\" , null } ", "{-7,-7,NULL}"),
            ("{{A,NULL},{A,A}}", "{{-7,NULL},{-7,-7}}"),
            ("[0:1]={A,A}", "[0:1]={-7,-7}"),
            ("[2]={A,A}", "[1:2]={-7,-7}"),
            ("[-1:0][1:1]={{A},{A}}", "[-1:0][1:1]={{-7},{-7}}"),
        ] {
            assert_eq!(server(text), Ok(expected.to_owned()), "{text}");
        }
    }

    #[test]
    fn refuses_what_postgres_would_quote_in_an_error() {
        for text in [
            "",
            "A",
            "{",
            "{A",
            "{A,",
            "{A,}",
            "{,A}",
            "{A}}",
            "{A} x",
            "{{A},A}",
            "{A,{A}}",
            "{{A},{A,A}}",
            "{{A},{{A}}}",
            "[1:3]={A,A}",
            "[2:1]={}",
            "[1:1]{A}",
            "{\"A}",
            "{A\"}",
            "{{{{{{{A}}}}}}}",
            "[1:1][1:2]={A}",
            "{{}}",
        ] {
            assert_eq!(server(text), Err("array"), "{text}");
        }
        assert_eq!(server("{42}"), Err("uuid"));
        assert_eq!(server("{\"\"}"), Err("uuid"));
    }

    #[test]
    fn shows_arrays_as_the_server_writes_them() {
        let show = |text: &str| {
            let mut out = BytesMut::new();
            to_client(text.as_bytes(), &mut out, |key, out| {
                out.put_slice(format!("<{key}>").as_bytes());
            })
            .map(|()| String::from_utf8(out.to_vec()).unwrap())
        };
        assert_eq!(show("{1,NULL,-3}").unwrap(), "{<1>,NULL,<-3>}");
        assert_eq!(
            show("[0:0][5:6]={{1,2}}").unwrap(),
            "[0:0][5:6]={{<1>,<2>}}"
        );
        assert_eq!(show("{}").unwrap(), "{}");
        assert!(show("1").is_err());
        assert!(show("{a}").is_err());
        assert!(show("a{1}").is_err());
    }
}
