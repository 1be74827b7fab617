//! The text form of arrays: `{1,NULL,3}`, `{{…},{…}}`, `[0:2]={…}`, `{"a b","\\x00"}`.
//!
//! Everything that `array_in` takes is taken, and judged completely: what would be malformed must
//! not reach the server, whose error would quote the translated text. What is written is what
//! `array_out` writes.

use std::borrow::Cow;

use bytes::{BufMut, BytesMut};

use super::frontend::Format;
use super::integer::put_decimal;
use super::value::{MAX_DIMENSIONS, Malformed, Scalar, Type, Types};

/// Translates an array; see [`super::value::translate`].
pub(super) fn translate<'a, 'o, E: From<Malformed<'a>>>(
    text: &'a [u8],
    types: Types,
    out: &mut BytesMut,
    mut convert: impl FnMut(Scalar<'_>) -> Result<Scalar<'o>, E>,
) -> Result<(), E> {
    rewrite(text, out, |element, out| {
        let scalar = match &element {
            Cow::Borrowed(text) => Scalar::decode(text, Format::Text, types.from)?,
            Cow::Owned(text) => {
                Scalar::decode(text, Format::Text, types.from).map_err(Malformed::into_owned)?
            }
        };
        put_element(&convert(scalar)?, types.to, out);
        Ok(())
    })
}

/// Writes an array anew, with `element` to append each element that is not NULL, quoted if need be.
pub(crate) fn rewrite<'a, E: From<Malformed<'a>>>(
    text: &'a [u8],
    out: &mut BytesMut,
    element: impl FnMut(Cow<'a, [u8]>, &mut BytesMut) -> Result<(), E>,
) -> Result<(), E> {
    let mut parser = Parser {
        text,
        rest: text,
        lengths: [None; MAX_DIMENSIONS],
        leaf: None,
        element,
    };
    parser.array(out)
}

const END: &str = "Unexpected end of input.";
const RAGGED: &str = "Multidimensional arrays must have sub-arrays with matching dimensions.";
const ELEMENT: &str = "Unexpected array element.";

struct Parser<'a, F> {
    text: &'a [u8],
    rest: &'a [u8],
    /// The number of items in each list of a depth, once the first one is complete: arrays are
    /// rectangular.
    lengths: [Option<usize>; MAX_DIMENSIONS],
    /// The depth at which elements stand.
    leaf: Option<usize>,
    element: F,
}

impl<'a, E, F> Parser<'a, F>
where
    E: From<Malformed<'a>>,
    F: FnMut(Cow<'a, [u8]>, &mut BytesMut) -> Result<(), E>,
{
    fn malformed<T>(&self, detail: &'static str) -> Result<T, E> {
        let text = self.text.into();
        Err(Malformed::Array { text, detail }.into())
    }

    /// What stands at the front may not stand there.
    fn unexpected<T>(&self) -> Result<T, E> {
        self.malformed(match self.rest.first() {
            None => END,
            Some(b'{') => "Unexpected \"{\" character.",
            Some(b'}') => "Unexpected \"}\" character.",
            Some(b',') => "Unexpected \",\" character.",
            Some(b'\\') => "Unexpected \"\\\" character.",
            Some(_) => ELEMENT,
        })
    }

    fn array(&mut self, out: &mut BytesMut) -> Result<(), E> {
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
            put_decimal(i64::from(lower), out);
            out.put_u8(b':');
            put_decimal(i64::from(upper), out);
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
    fn list(&mut self, depth: usize, out: &mut BytesMut) -> Result<(), E> {
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

    fn item(&mut self, depth: usize, out: &mut BytesMut) -> Result<(), E> {
        if self.rest.first() == Some(&b'{') {
            if self.leaf.is_some_and(|leaf| leaf <= depth) {
                return self.unexpected();
            }
            return self.list(depth + 1, out);
        }
        if *self.leaf.get_or_insert(depth) != depth {
            return self.unexpected();
        }
        let element: Cow<'a, [u8]> = if self.take(b'"') {
            self.quoted()?.into()
        } else {
            let (element, escaped) = self.unquoted()?;
            if !escaped && element.eq_ignore_ascii_case(b"null") {
                out.put_slice(b"NULL");
                return Ok(());
            }
            element
        };
        (self.element)(element, out)
    }

    /// Behind the opening quote.
    fn quoted(&mut self) -> Result<Vec<u8>, E> {
        let mut element = Vec::new();
        loop {
            match self.next() {
                Some(b'"') => return Ok(element),
                Some(b'\\') => match self.next() {
                    Some(escaped) => element.push(escaped),
                    None => return self.malformed(END),
                },
                Some(plain) => element.push(plain),
                None => return self.malformed(END),
            }
        }
    }

    /// An element without quotes, and whether there are escapes in it. Blanks behind it are not
    /// part of it, unless they are escaped.
    fn unquoted(&mut self) -> Result<(Cow<'a, [u8]>, bool), E> {
        let is_plain = |c: &u8| !matches!(c, b',' | b'{' | b'}' | b'"' | b'\\');
        let start = self.rest;
        let plain = start.iter().take_while(|c| is_plain(c)).count();
        let (element, rest) = start.split_at_checked(plain).unwrap_or((start, &[]));
        self.rest = rest;
        if rest.first() != Some(&b'\\') {
            let element = without_blanks(element);
            return match rest.first() {
                Some(b',' | b'}') if !element.is_empty() => Ok((element.into(), false)),
                _ => self.unexpected(),
            };
        }
        let mut element = element.to_vec();
        let mut kept = 0;
        loop {
            match self.rest.first() {
                Some(b'\\') => {
                    self.next();
                    match self.next() {
                        Some(escaped) => element.push(escaped),
                        None => return self.malformed(END),
                    }
                    kept = element.len();
                }
                Some(b',' | b'}') => break,
                Some(plain) if is_plain(plain) => {
                    element.push(*plain);
                    self.next();
                }
                _ => return self.unexpected(),
            }
        }
        let tail = element.get(kept..).unwrap_or_default();
        element.truncate(kept + without_blanks(tail).len());
        Ok((element.into(), true))
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

    fn skip_blanks(&mut self) {
        while let Some((first, rest)) = self.rest.split_first()
            && is_blank(*first)
        {
            self.rest = rest;
        }
    }
}

/// `array_isspace`
const fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c)
}

/// Without the blanks at the end.
fn without_blanks(text: &[u8]) -> &[u8] {
    let blanks = text.iter().rev().take_while(|byte| is_blank(**byte));
    text.get(..text.len() - blanks.count()).unwrap_or_default()
}

/// Appends an element as `array_out` does. Of numbers and uuids none needs quotes.
fn put_element(element: &Scalar<'_>, of: Type, out: &mut BytesMut) {
    let text = match element {
        Scalar::Int(_) | Scalar::Uuid(_) => return element.encode(Format::Text, of, out),
        Scalar::Text(text) => Cow::Borrowed(&**text),
        Scalar::Bytes(_) => {
            let mut text = BytesMut::new();
            element.encode(Format::Text, of, &mut text);
            Cow::Owned(text.into())
        }
    };
    put_quoted(&text, out);
}

/// Appends the text of an element, in quotes where it needs them.
pub(crate) fn put_quoted(text: &[u8], out: &mut BytesMut) {
    let special = |c: &u8| matches!(c, b'"' | b'\\' | b'{' | b'}' | b',') || is_blank(*c);
    if !text.is_empty() && !text.eq_ignore_ascii_case(b"null") && !text.iter().any(special) {
        return out.put_slice(text);
    }
    out.put_u8(b'"');
    for byte in text {
        if matches!(byte, b'"' | b'\\') {
            out.put_u8(b'\\');
        }
        out.put_u8(*byte);
    }
    out.put_u8(b'"');
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const A: &str = "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11";

    fn named(error: &Malformed<'_>) -> &'static str {
        match error {
            Malformed::Syntax(..) => "element",
            Malformed::Array { .. } => "array",
            _ => "other",
        }
    }

    /// An array of uuids in which each becomes a number.
    fn numbers(text: &str) -> Result<String, &'static str> {
        let mut out = BytesMut::new();
        let text = text.replace('A', A);
        let types = Types {
            from: Type::Uuid,
            to: Type::Int8,
        };
        translate::<Malformed<'_>>(text.as_bytes(), types, &mut out, |_| Ok(Scalar::Int(-7)))
            .map(|()| String::from_utf8(out.to_vec()).unwrap())
            .map_err(|error| named(&error))
    }

    /// The elements of an array of texts, and the array as it is written.
    fn texts(text: &[u8]) -> Result<(Vec<Vec<u8>>, Vec<u8>), &'static str> {
        let (mut elements, mut out) = (Vec::new(), BytesMut::new());
        let types = Types {
            from: Type::Text,
            to: Type::Varchar,
        };
        translate::<Malformed<'_>>(text, types, &mut out, |scalar| {
            let Scalar::Text(element) = &scalar else {
                panic!("{scalar:?}")
            };
            elements.push(element.to_vec());
            Ok(scalar.into_owned())
        })
        .map_err(|error| named(&error))?;
        Ok((elements, out.to_vec()))
    }

    #[test]
    fn takes_what_postgres_takes() {
        for (text, expected) in [
            ("{}", "{}"),
            ("{A}", "{-7}"),
            (" { A\x0b, \"A\" , null } ", "{-7,-7,NULL}"),
            ("{\\A}", "{-7}"),
            ("{{A,NULL},{A,A}}", "{{-7,NULL},{-7,-7}}"),
            ("[0:1]={A,A}", "[0:1]={-7,-7}"),
            ("[2]={A,A}", "[1:2]={-7,-7}"),
            ("[-1:0][1:1]={{A},{A}}", "[-1:0][1:1]={{-7},{-7}}"),
        ] {
            assert_eq!(numbers(text), Ok(expected.to_owned()), "{text}");
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
            "{\"A\" A}",
            "{A\\",
            "{\"A\\",
            "{{{{{{{A}}}}}}}",
            "[1:1][1:2]={A}",
            "{{}}",
        ] {
            assert_eq!(numbers(text), Err("array"), "{text}");
        }
        assert_eq!(numbers("{42}"), Err("element"));
        assert_eq!(numbers("{\"\"}"), Err("element"));
        assert_eq!(numbers("{\"null\"}"), Err("element"));
    }

    #[test]
    fn reads_and_writes_quotes_and_escapes_of_text_as_postgres_does() {
        for (text, elements, written) in [
            (r#"{a b , "c d" }"#, &["a b", "c d"][..], r#"{"a b","c d"}"#),
            (r#"{"","null",nULL}"#, &["", "null"], r#"{"","null",NULL}"#),
            (
                r"{\null,a\ , \,\}}",
                &["null", "a ", ",}"],
                r#"{"null","a ",",}"}"#,
            ),
            (r#"{"\"\\",\"}"#, &["\"\\", "\""], r#"{"\"\\","\""}"#),
            (r#"{"{1,2}",x'y}"#, &["{1,2}", "x'y"], r#"{"{1,2}",x'y}"#),
            ("{é}", &["é"], "{é}"),
        ] {
            let found: Vec<Vec<u8>> = elements.iter().map(|e| e.as_bytes().to_vec()).collect();
            let expected = Ok((found, written.as_bytes().to_vec()));
            assert_eq!(texts(text.as_bytes()), expected, "{text}");
        }
        for text in [r#"{a"b}"#, r#"{a"b"}"#, r#"{"a"b}"#, "{a{b}", "{a\\"] {
            assert_eq!(texts(text.as_bytes()), Err("array"), "{text}");
        }
    }

    #[test]
    fn writes_bytea_in_quotes() {
        let mut out = BytesMut::new();
        let types = Types {
            from: Type::Bytea,
            to: Type::Bytea,
        };
        let text = br#"{"\\x01ff",\\001}"#;
        translate::<Malformed<'_>>(text, types, &mut out, |scalar| Ok(scalar.into_owned()))
            .unwrap();
        assert_eq!(out, &br#"{"\\x01ff","\\x01"}"#[..]);
    }

    #[test]
    fn refuses_an_array_of_text_cut_anywhere() {
        let text = br#"[0:1][1:2]={{"a \"b",\c},{NULL," "}}"#;
        texts(text).unwrap();
        for length in 0..text.len() {
            assert_eq!(texts(&text[..length]), Err("array"), "{length}");
        }
    }

    proptest! {
        #[test]
        fn reads_back_every_text_that_it_writes(
            elements in proptest::collection::vec(
                proptest::collection::vec(
                    proptest::sample::select(br#"aN\"{},[=]: 'xul"#.to_vec()),
                    0..6,
                ),
                1..6,
            )
        ) {
            let mut out = BytesMut::from("{");
            for (place, element) in elements.iter().enumerate() {
                if place > 0 {
                    out.put_u8(b',');
                }
                put_element(&Scalar::Text(element.into()), Type::Text, &mut out);
            }
            out.put_u8(b'}');
            let expected = (elements, out.to_vec());
            prop_assert_eq!(texts(&out), Ok(expected));
        }

        #[test]
        fn never_panics_on_any_text(
            text in proptest::collection::vec(
                proptest::sample::select(br#"aN\"{},[=]:1 "#.to_vec()),
                0..24,
            )
        ) {
            let _ = texts(&text);
        }
    }
}
