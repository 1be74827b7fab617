//! Keys and ids: what the parsers of the forms take stands for the bytes that come back, and
//! each codec decodes what it encodes, whatever else it is asked to decode.

use std::sync::LazyLock;

use pgveil::codec::{
    Codec, Direction, DomainName, Ff1Width, Form, FormName, IdCodec, IdValue, IntCodec,
    IntegerType, Key, KeyRing, KeyValue, OpaqueId, Presentation, Secret, Session40, UuidCodec,
    UuidKey, ValueType, Version, Wide, WideForm, WideId, WideKey, WidePresentation,
};

use super::input::Input;

static CODECS: LazyLock<Vec<Codec>> = LazyLock::new(|| {
    let secret = || Secret::parse(&"0123456789abcdef".repeat(4)).expect("a secret");
    let domain: DomainName = "user".parse().expect("a name");
    let ring = KeyRing::new(secret());
    let secret = secret();
    let text = |name| Presentation::Text(Form::new(name, "").expect("no prefix"));
    let aes = UuidCodec::aes(&secret, &domain, Direction::Forward);
    let feistel = IdCodec::feistel(&ring, &domain, Version::V8);
    vec![
        Codec::ids(feistel, Presentation::Native),
        Codec::ids(IdCodec::aes_int(&ring, &domain), text(FormName::Base62)),
        Codec::uuids(aes, text(FormName::Ulid), Presentation::Native),
        Codec::wide(
            Wide::new(&secret, &domain),
            WidePresentation::Native,
            WidePresentation::Native,
        ),
        Codec::integers(IntCodec::ff1(&secret, &domain, Ff1Width::B53)),
        Codec::sessions(Session40::new(&secret, &domain)),
    ]
});

static FORMS: LazyLock<Vec<Form>> = LazyLock::new(|| {
    let form = |name, prefix| Form::new(name, prefix).expect("a form");
    vec![
        form(FormName::Uuid, ""),
        form(FormName::Hex, ""),
        form(FormName::Hex, "u-"),
        form(FormName::Ulid, ""),
        form(FormName::Compact, ""),
        form(FormName::Compact, "c."),
        form(FormName::Base62, ""),
        form(FormName::TypeId, "user"),
        form(FormName::TypeId, ""),
    ]
});

/// The target.
pub fn run(data: &[u8]) {
    let mut input = Input::new(data);
    let choice = input.byte();
    let text = input.rest();
    forms(&FORMS[usize::from(choice) % FORMS.len()], text);
    wide_forms(text);
    if let Ok(id) = OpaqueId::parse(text) {
        assert_eq!(OpaqueId::parse(&id.to_text()), Ok(id));
    }
    if let Ok(text) = std::str::from_utf8(text) {
        let _ = Secret::parse(text);
        let _ = text.parse::<DomainName>();
        let _ = Form::new(FormName::TypeId, text);
        if let Ok(key) = Key::parse(text, IntegerType::Int2) {
            assert_eq!(i16::try_from(key.get()).map(i64::from), Ok(key.get()));
        }
    }
    let codec = &CODECS[usize::from(choice) % CODECS.len()];
    encodes(codec, text);
    decodes(codec, text);
}

fn forms(form: &Form, text: &[u8]) {
    let exact = form.parse_exact(text);
    let Ok(bytes) = form.parse(text) else {
        assert!(exact.is_err(), "only the exact parser takes it");
        return;
    };
    let mut again = String::new();
    form.render(bytes, &mut again);
    assert_eq!(form.parse(again.as_bytes()), Ok(bytes));
    assert_eq!(form.parse_exact(again.as_bytes()), Ok(bytes));
    assert_eq!(exact.is_ok(), again.as_bytes() == text);
}

fn wide_forms(text: &[u8]) {
    for form in [WideForm::Bytea, WideForm::Compact43] {
        if let Ok(bytes) = form.parse(text) {
            let mut again = String::new();
            form.render(bytes, &mut again);
            assert_eq!(form.parse_exact(again.as_bytes()), Ok(bytes));
        }
    }
}

fn first<const N: usize>(bytes: &[u8]) -> [u8; N] {
    std::array::from_fn(|index| bytes.get(index).copied().unwrap_or_default())
}

/// A key comes back from its id.
fn encodes(codec: &Codec, bytes: &[u8]) {
    let keys = [
        (
            KeyValue::Integer(Key::new(i64::from_be_bytes(first(bytes)))),
            ValueType::Integer(IntegerType::Int8),
        ),
        (
            KeyValue::Uuid(UuidKey::from_bytes(first(bytes))),
            ValueType::Uuid,
        ),
        (
            KeyValue::Bytes(WideKey::from_bytes(first(bytes))),
            ValueType::Bytes,
        ),
        (
            KeyValue::Text(String::from_utf8_lossy(bytes).into_owned()),
            ValueType::Text,
        ),
    ];
    for (key, column) in keys {
        let Ok(id) = codec.encode(&key) else { continue };
        assert!(
            codec.decode(&id, column) == Ok(key),
            "a key does not come back"
        );
    }
}

/// An id that stands for a key is the id of that key.
fn decodes(codec: &Codec, bytes: &[u8]) {
    let ids = [
        IdValue::Uuid(OpaqueId::from_bytes(first(bytes))),
        IdValue::Bytes(WideId::from_bytes(first(bytes))),
        IdValue::Text(String::from_utf8_lossy(bytes).into_owned()),
    ];
    let columns = [
        ValueType::Integer(IntegerType::Int8),
        ValueType::Uuid,
        ValueType::Bytes,
        ValueType::Text,
    ];
    for id in ids {
        for column in columns {
            let Ok(key) = codec.decode(&id, column) else {
                continue;
            };
            let again = codec.encode(&key).expect("a key that has an id");
            if !matches!(id, IdValue::Text(_)) {
                assert!(again == id, "an id that was not issued stands for a key");
            }
        }
    }
}
