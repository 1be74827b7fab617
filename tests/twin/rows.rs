//! Rows as values in the binary format, and arrays of them, written out so that ids are text.

use super::renaming::uuid_text;

const RECORD: u32 = 2249;
const RECORDS: u32 = 2287;
/// Relations and types with lower oids are the system's and the same in every database.
const FIRST_OID: u32 = 16_384;

/// A value of a type that may be a row or an array of rows; `None` if it is none.
pub(crate) fn readable(type_oid: u32, value: &[u8]) -> Option<Vec<u8>> {
    let mut rest = value;
    let text = match type_oid {
        RECORD => row(&mut rest)?,
        RECORDS => array(&mut rest)?,
        FIRST_OID.. => row(&mut rest).or_else(|| {
            rest = value;
            array(&mut rest)
        })?,
        _ => return None,
    };
    rest.is_empty()
        .then(|| format!("binary {text}").into_bytes())
}

fn row(rest: &mut &[u8]) -> Option<String> {
    let count = usize::try_from(number(rest)?).ok()?;
    let mut fields = Vec::new();
    for _ in 0..count {
        let of = number(rest)?;
        fields.push(format!("{}: {}", name(of), value(of, rest)?));
    }
    Some(format!("({})", fields.join(", ")))
}

fn array(rest: &mut &[u8]) -> Option<String> {
    let dimensions = usize::try_from(number(rest)?).ok()?;
    let flag = number(rest)?;
    let of = number(rest)?;
    let (bounds, after) = rest.split_at_checked(8 * dimensions)?;
    *rest = after;
    let mut elements = Vec::new();
    while !rest.is_empty() {
        elements.push(value(of, rest)?);
    }
    let of = name(of);
    Some(format!(
        "{dimensions} {flag} {bounds:?} {of} [{}]",
        elements.join(", ")
    ))
}

/// A value with its length in front.
fn value(of: u32, rest: &mut &[u8]) -> Option<String> {
    let Ok(length) = usize::try_from(i32::from_be_bytes(number(rest)?.to_be_bytes())) else {
        return Some("null".to_owned());
    };
    let (value, after) = rest.split_at_checked(length)?;
    *rest = after;
    if value.len() == 16 && of == 2950 {
        return Some(uuid_text(value));
    }
    let mut inner = value;
    let nested = match of {
        2951 => array(&mut inner),
        _ => readable(of, value).map(|text| {
            inner = &[];
            String::from_utf8_lossy(&text).into_owned()
        }),
    };
    let nested = nested.filter(|_| inner.is_empty());
    // Whatever is no text is shown by its bytes.
    let plain = || match std::str::from_utf8(value) {
        Ok(text) => text.to_owned(),
        Err(_) => format!("{value:?}"),
    };
    Some(nested.unwrap_or_else(plain))
}

/// Types of the user have other oids in other databases.
fn name(of: u32) -> String {
    match of {
        FIRST_OID.. => "of the user".to_owned(),
        of => of.to_string(),
    }
}

fn number(rest: &mut &[u8]) -> Option<u32> {
    let (number, after) = rest.split_first_chunk()?;
    *rest = after;
    Some(u32::from_be_bytes(*number))
}
