//! A database with a domain for each type of keys and of ids, and an example of each.

use std::sync::Arc;

use bytes::BufMut;
use pgveil::catalog::IdAnnotation;
use pgveil::codec::{
    Codec, Direction, DomainName, Ff1Width, Form, FormName, IdCodec, IdValue, IntCodec, Key,
    KeyRing, KeyValue, Presentation, Secret, Session40, Split, UuidCodec, UuidKey, UuidRounds,
    VersionMap, Wide, WideForm, WideKey, WidePresentation,
};
use pgveil::session::{Limits, Mode};

use crate::plans::KINDS;
use crate::stage::*;

fn codec_of(name: &str) -> Codec {
    let secret = Secret::parse(&"0123456789abcdef".repeat(4)).unwrap();
    let domain: DomainName = name.parse().unwrap();
    let form = |name, prefix| Presentation::Text(Form::new(name, prefix).unwrap());
    let aes = UuidCodec::aes(&secret, &domain, Direction::Forward);
    let wide = Wide::new(&secret, &domain);
    match name {
        "event" => {
            let versions = VersionMap::new(&[(7, 8)]).unwrap();
            let codec = UuidCodec::uuid(&secret, &domain, versions, UuidRounds::Six, Split::At60);
            Codec::uuids(codec, Presentation::Native, Presentation::Native)
        }
        "invoice" => Codec::uuids(aes, form(FormName::Ulid, ""), form(FormName::TypeId, "inv")),
        "token" => Codec::wide(wide, WidePresentation::Native, WidePresentation::Native),
        "visit" => Codec::sessions(Session40::new(&secret, &domain)),
        "ticket" => Codec::integers(IntCodec::ff1(&secret, &domain, Ff1Width::B53)),
        "parcel" => {
            let codec = IdCodec::aes_int(&KeyRing::new(secret), &domain);
            Codec::ids(codec, form(FormName::Base62, "p-"))
        }
        "page" => Codec::uuids(aes, form(FormName::Uuid, ""), Presentation::Native),
        _ => {
            let outside = WidePresentation::Text(WideForm::Compact43);
            Codec::wide(wide, WidePresentation::Native, outside)
        }
    }
}

/// A value of some type in both formats.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Both {
    pub(crate) text: Vec<u8>,
    pub(crate) binary: Vec<u8>,
}

impl Both {
    fn same(text: &[u8]) -> Self {
        Self {
            text: text.to_vec(),
            binary: text.to_vec(),
        }
    }

    fn bytes(bytes: &[u8]) -> Self {
        let digits: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        Self {
            text: format!("\\x{digits}").into_bytes(),
            binary: bytes.to_vec(),
        }
    }

    fn integer(value: i64, size: usize) -> Self {
        Self {
            text: value.to_string().into_bytes(),
            binary: value.to_be_bytes()[8 - size..].to_vec(),
        }
    }

    fn uuid(bytes: [u8; 16]) -> Self {
        let id = pgveil::codec::OpaqueId::from_bytes(bytes);
        Self {
            text: id.to_string().into_bytes(),
            binary: bytes.to_vec(),
        }
    }

    pub(crate) fn of(&self, format: u16) -> &[u8] {
        if format == 0 {
            &self.text
        } else {
            &self.binary
        }
    }
}

/// The oids of the key and its array, and a key with its id.
pub(crate) struct Example {
    pub(crate) name: &'static str,
    pub(crate) key: Both,
    pub(crate) id: Both,
    pub(crate) key_oid: u32,
    pub(crate) key_array: u32,
    pub(crate) id_oid: u32,
    pub(crate) id_array: u32,
    /// What the server gets for ids that were never issued.
    pub(crate) sentinel: Both,
}

const UUID7: [u8; 16] = [
    0x01, 0x92, 0xf3, 0xa4, 0x5b, 0x6c, 0x7d, 0x8e, 0x9f, 0x10, 0x21, 0x32, 0x43, 0x54, 0x65, 0x76,
];

pub(crate) fn example(name: &'static str) -> Example {
    let text = |text: &str| (KeyValue::Text(text.to_owned()), Both::same(text.as_bytes()));
    let (value, key, sentinel) = match name {
        "event" => {
            let value = KeyValue::Uuid(UuidKey::from_bytes(UUID7));
            (value, Both::uuid(UUID7), Both::uuid([0; 16]))
        }
        "ticket" => {
            let value = KeyValue::Integer(Key::new(KEY));
            (value, Both::integer(KEY, 8), Both::integer(i64::MIN, 8))
        }
        "parcel" => {
            let least = Both::integer(i32::MIN.into(), 4);
            (
                KeyValue::Integer(Key::new(77_001)),
                Both::integer(77_001, 4),
                least,
            )
        }
        "token" | "blob" => {
            let bytes = *b"\0\x01'\\\"thirty-two bytes of a \xff tok";
            let value = KeyValue::Bytes(WideKey::from_bytes(bytes));
            (value, Both::bytes(&bytes), Both::bytes(b"pgveil1"))
        }
        _ => {
            let (value, key) = text(match name {
                "invoice" => "01ARZ3NDEKTSV4RRFFQ69G5FAV",
                "visit" => "687260e3c6lygg5g7fl7gafj2a2vnwmatncbsqV2",
                _ => "0192f3a4-5b6c-7d8e-9f10-213243546576",
            });
            // Of uuids the nil one is sent, which stands for itself.
            let sentinel: &[u8] = if name == "page" { b"" } else { b"pgveil1" };
            (value, key, Both::same(sentinel))
        }
    };
    let id = match codec_of(name).encode(&value).unwrap() {
        IdValue::Integer(id) => Both::integer(id.get(), 8),
        IdValue::Uuid(id) => Both::uuid(id.to_bytes()),
        IdValue::Bytes(id) => Both::bytes(&id.to_bytes()),
        IdValue::Text(id) => Both::same(id.as_bytes()),
    };
    let (_, of, shown) = KINDS.iter().find(|(kind, ..)| *kind == name).unwrap();
    Example {
        name,
        key,
        id,
        key_oid: of.oid(),
        key_array: of.array_oid(),
        id_oid: shown.oid(),
        id_array: shown.array_oid(),
        sentinel,
    }
}

pub(crate) fn examples() -> impl Iterator<Item = Example> {
    KINDS.iter().map(|(name, ..)| example(name))
}

/// A session with a database that has a table `<name>s` for each domain, with the columns `id`
/// and `note`; their oids are 17000, 17001 …
pub(crate) fn stage_of(names: &[&str]) -> Stage {
    let domains = KINDS
        .iter()
        .map(|(name, ..)| -> (Arc<Codec>, IdAnnotation) {
            let codec = Arc::new(codec_of(name));
            let types = codec.column_types();
            (codec, annotation(name, &format!("{name}s"), types))
        });
    let shared = shared_with(Limits::default(), domains.collect());
    let mut lines = Vec::new();
    for ((name, of, _), oid) in KINDS.iter().zip(17_000..) {
        if names.contains(name) {
            lines.push(format!("relation {oid} public {name}s r -"));
            lines.push(format!("column {oid} 1 id {}", of.oid()));
            lines.push(format!("column {oid} 2 note 25"));
        }
    }
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    Stage::opened_with(&shared, Mode::Enforce, &catalog_with(&lines, 'I'))
}

pub(crate) fn stage() -> Stage {
    stage_of(&KINDS.map(|(name, ..)| name))
}

pub(crate) fn table(name: &str) -> u32 {
    let place = KINDS.iter().position(|(kind, ..)| *kind == name).unwrap();
    17_000 + u32::try_from(place).unwrap()
}

/// A list as an array of one dimension.
pub(crate) fn array(format: u16, oid: u32, elements: &[Option<&[u8]>]) -> Vec<u8> {
    if format == 0 {
        let quoted = |element: &&[u8]| {
            let text = String::from_utf8_lossy(element);
            if text.is_empty() || text == "null" || text.contains(['\\', '"', '{', ' ', ',']) {
                format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
            } else {
                text.into_owned()
            }
        };
        let elements: Vec<String> = elements
            .iter()
            .map(|element| element.as_ref().map_or("NULL".to_owned(), quoted))
            .collect();
        return format!("{{{}}}", elements.join(",")).into_bytes();
    }
    let mut value = Vec::new();
    let count = u32::try_from(elements.len()).unwrap();
    for word in [1, 1, oid, count, 1] {
        value.put_u32(word);
    }
    for element in elements {
        match element {
            Some(element) => {
                value.put_u32(u32::try_from(element.len()).unwrap());
                value.put_slice(element);
            }
            None => value.put_i32(-1),
        }
    }
    value
}

/// A string constant, as the session writes it.
pub(crate) fn literal(value: &[u8]) -> String {
    let text = String::from_utf8(value.to_vec())
        .unwrap()
        .replace('\'', "''");
    match text.contains('\\') {
        true => format!(" E'{}'", text.replace('\\', "\\\\")),
        false => format!("'{text}'"),
    }
}

/// `text $1` bound to a value: what the server gets as the value.
pub(crate) fn sent(
    stage: &mut Stage,
    text: &str,
    format: u16,
    value: &[u8],
    declared: u32,
) -> Vec<u8> {
    let batch = [
        parse("", text, &[]),
        bind("", "", &[format], &[Some(value)], &[]),
        sync(),
    ];
    stage.client(&batch.concat());
    let sent = stage.sent_bytes();
    let parsed = parse("", text, &[declared]);
    assert_eq!(legible(&sent)[0], legible(&parsed)[0]);
    let message = &sent[parsed.len()..sent.len() - sync().len()];
    // Kind, length, two names, one format, one value with its length; no result formats.
    message[5 + 2 + 4 + 2 + 4..message.len() - 2].to_vec()
}
