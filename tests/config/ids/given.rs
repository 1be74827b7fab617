//! Which codec a domain has, and that its ids lead back to the keys.

use pgveil::codec::{IntegerType, Key, KeyValue, ValueType, WideKey};

use super::{INT8, UUID7, domain, id, uuid};

#[test]
fn a_domain_that_names_no_codec_serves_each_type_of_column() {
    let types = domain("").annotation.types;
    assert_eq!(types.shown(INT8), Some(ValueType::Uuid));
    assert_eq!(types.shown(ValueType::Uuid), Some(ValueType::Uuid));
    assert_eq!(types.shown(ValueType::Bytes), Some(ValueType::Bytes));
    // Text may refer to uuids, and is the text of their ids.
    assert_eq!(types.shown(ValueType::Text), Some(ValueType::Text));
    assert!(types.can_define(ValueType::Uuid) && !types.can_define(ValueType::Text));
    let types = domain("form = \"base62\"").annotation.types;
    assert_eq!(types.shown(INT8), Some(ValueType::Text));
    assert_eq!(types.shown(ValueType::Uuid), Some(ValueType::Text));
    assert_eq!(types.shown(ValueType::Bytes), None);
    let types = domain("key_form = \"ulid\"").annotation.types;
    assert_eq!(types.shown(INT8), None);
    assert_eq!(types.shown(ValueType::Text), Some(ValueType::Uuid));
}

#[test]
fn the_default_for_integers_is_feistel_and_with_a_text_form_aes_int() {
    let one = KeyValue::Integer(Key::new(1));
    assert_eq!(id("", &one, INT8), "e59bcce6-0853-8657-8814-127b2d43bf23");
    assert_eq!(id("codec = \"feistel\"", &one, INT8), id("", &one, INT8));
    for form in ["hex", "compact", "base62", "ulid", "typeid"] {
        let default = id(&format!("form = \"{form}\""), &one, INT8);
        let named = format!("codec = \"aes-int\"\nform = \"{form}\"");
        assert_eq!(default, id(&named, &one, INT8));
    }
    let typeid = id("form = \"typeid\"\nprefix = \"user\"", &one, INT8);
    assert!(
        typeid.starts_with("user_") && typeid.len() == 31,
        "{typeid}"
    );
    let other = id(
        "codec = \"feistel\"\nprf = \"siphash24\"\nversion = 4",
        &one,
        INT8,
    );
    assert_eq!(&other[14..15], "4");
}

#[test]
fn the_default_for_uuids_is_uuid_and_for_text_what_its_form_needs() {
    let key = uuid(UUID7);
    assert_eq!(
        id("", &key, ValueType::Uuid),
        id("codec = \"uuid\"", &key, ValueType::Uuid)
    );
    assert_eq!(&id("", &key, ValueType::Uuid)[14..15], "8");
    let shown_as_four = id("versions = { 7 = 4 }", &key, ValueType::Uuid);
    assert_eq!(&shown_as_four[14..15], "4");

    let ulid = KeyValue::Text("01ARZ3NDEKTSV4RRFFQ69G5FAV".to_owned());
    let named = "codec = \"aes\"\nkey_form = \"ulid\"\nform = \"ulid\"";
    let default = "key_form = \"ulid\"\nform = \"ulid\"";
    let native = "key_form = \"ulid\"\nform = \"native\"";
    let ids = [named, default, native].map(|settings| id(settings, &ulid, ValueType::Text));
    assert!(
        ids[0].len() == 26 && ids[0] == ids[1] && ids[1] == ids[2],
        "{ids:?}"
    );

    let session = KeyValue::Text("687260e3c6lygg5g7fl7gafj2a2vnwmatncbsqV2".to_owned());
    assert_eq!(
        id("key_form = \"session40\"", &session, ValueType::Text).len(),
        40
    );
}

#[test]
fn a_row_has_one_id_in_a_uuid_column_and_in_a_text_column() {
    for codec in ["uuid", "aes", "cycle_walk", "feistel2"] {
        for form in ["uuid", "base62"] {
            let settings = format!("codec = \"{codec}\"\nkey_form = \"uuid\"\nform = \"{form}\"");
            let text = KeyValue::Text(UUID7.to_owned());
            assert_eq!(
                id(&settings, &uuid(UUID7), ValueType::Uuid),
                id(&settings, &text, ValueType::Text)
            );
        }
    }
}

#[test]
fn every_codec_keeps_its_promise_through_the_file() {
    let int = KeyValue::Integer(Key::new(42));
    for (settings, key, column) in [
        (
            "codec = \"feistel\"\nform = \"compact\"\nprefix = \"u.\"",
            &int,
            INT8,
        ),
        ("codec = \"fastprp\"\nsize = 1000", &int, INT8),
        (
            "codec = \"fastprp\"\nlow = -100\nsize = 2000000\nstride = 1280",
            &int,
            INT8,
        ),
        ("codec = \"ff1\"\nbits = 53", &int, INT8),
        (
            "codec = \"feistel2\"\nsplit = 48",
            &uuid(UUID7),
            ValueType::Uuid,
        ),
        (
            "codec = \"uuid\"\nepochs = true",
            &uuid(UUID7),
            ValueType::Uuid,
        ),
        (
            "codec = \"aes\"\nreverse = true",
            &uuid(UUID7),
            ValueType::Uuid,
        ),
        (
            "codec = \"wide\"",
            &KeyValue::Bytes(WideKey::from_bytes([7; 32])),
            ValueType::Bytes,
        ),
        (
            "form = \"compact43\"",
            &KeyValue::Bytes(WideKey::from_bytes([7; 32])),
            ValueType::Bytes,
        ),
        (
            "key_form = \"compact43\"",
            &KeyValue::Text("BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc".to_owned()),
            ValueType::Text,
        ),
    ] {
        let id = id(settings, key, column);
        assert_ne!(id, "42");
    }
    let epoch = id(
        "codec = \"uuid\"\nepochs = true",
        &uuid(UUID7),
        ValueType::Uuid,
    );
    assert!(epoch.starts_with('1'), "{epoch}");
}

#[test]
fn ids_of_a_codec_that_keeps_the_type_need_a_column_for_all_of_them() {
    let types = domain("codec = \"fastprp\"\nsize = 32769").annotation.types;
    let int2 = ValueType::Integer(IntegerType::Int2);
    assert_eq!(types.shown(int2), None);
    let types = domain("codec = \"fastprp\"\nsize = 32768").annotation.types;
    assert_eq!(types.shown(int2), Some(int2));
}
