//! Messages of clients as bytes.

/// A message: type byte, length, body.
pub(crate) fn message(kind: u8, body: &[u8]) -> Vec<u8> {
    let length = u32::try_from(body.len() + 4).unwrap();
    [&[kind][..], &length.to_be_bytes(), body].concat()
}

pub(crate) fn query(text: &str) -> Vec<u8> {
    message(b'Q', format!("{text}\0").as_bytes())
}

pub(crate) fn parse(name: &str, text: &str) -> Vec<u8> {
    message(b'P', format!("{name}\0{text}\0\0\0").as_bytes())
}

/// Bind with text parameters and results.
pub(crate) fn bind(portal: &str, statement: &str, values: &[&str]) -> Vec<u8> {
    let mut body = format!("{portal}\0{statement}\0\0\0").into_bytes();
    body.extend(u16::try_from(values.len()).unwrap().to_be_bytes());
    for value in values {
        body.extend(u32::try_from(value.len()).unwrap().to_be_bytes());
        body.extend(value.as_bytes());
    }
    body.extend([0, 0]);
    message(b'B', &body)
}

pub(crate) fn describe(what: &str) -> Vec<u8> {
    message(b'D', format!("{what}\0").as_bytes())
}

pub(crate) fn close(what: &str) -> Vec<u8> {
    message(b'C', format!("{what}\0").as_bytes())
}

pub(crate) fn execute(portal: &str, limit: u8) -> Vec<u8> {
    message(b'E', &[portal.as_bytes(), &[0, 0, 0, 0, limit]].concat())
}

pub(crate) fn sync() -> Vec<u8> {
    message(b'S', b"")
}

/// A packet without a type byte: a startup or a request in its place.
pub(crate) fn packet(body: &[u8]) -> Vec<u8> {
    let length = u32::try_from(body.len() + 4).unwrap();
    [&length.to_be_bytes()[..], body].concat()
}

/// A startup packet with names and values in turn.
pub(crate) fn startup(parameters: &[&str]) -> Vec<u8> {
    let mut body = (3_u32 << 16).to_be_bytes().to_vec();
    for text in parameters {
        body.extend(text.as_bytes());
        body.push(0);
    }
    body.push(0);
    packet(&body)
}
