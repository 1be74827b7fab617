//! `[[id]]` as an operator meets it: which codecs, forms and settings go together, the ids that
//! they give, and the words of every fault.
#![expect(clippy::expect_used, reason = "a test that panics has failed")]

use std::path::Path;

use pgveil::codec::{IdValue, IntegerType, Key, KeyValue, UuidKey, ValueType, WideKey};
use pgveil::config::{Config, Fault, IdDomain, Surroundings};

const KEY: &str = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";
const OLDER: &str = "AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyA=";
const HEAD: &str = "[upstream]\naddress = \"127.0.0.1:5432\"\n[keys]\ncurrent = \"a\"\n";
const RING: &str = "[keys.ring.a]\nenv = \"A\"\nepoch = 1\n";
const UUID7: &str = "018f3e5c-9b2a-7c41-8d5e-6f708192a3b4";
const INT8: ValueType = ValueType::Integer(IntegerType::Int8);

fn parse_in(folder: &Path, text: &str) -> Result<Config, Vec<Fault>> {
    let env = |name: &str| match name {
        "A" => Some(KEY.to_owned()),
        "B" => Some(OLDER.to_owned()),
        _ => None,
    };
    Config::parse(text, &Surroundings { folder, env: &env })
}

/// A file with one domain, whose settings begin in line 11.
fn text(settings: &str) -> String {
    format!("{HEAD}{RING}[[id]]\nname = \"user\"\ncolumn = \"public.users.id\"\n{settings}\n")
}

fn domain(settings: &str) -> IdDomain {
    let config = parse_in(Path::new("."), &text(settings)).expect(settings);
    config.domains.into_iter().next().expect("one domain")
}

/// The faults as `line: cause | advice`.
fn faults_of(text: &str) -> Vec<String> {
    let show = |fault: Fault| format!("{}: {} | {}", fault.line, fault.cause, fault.advice);
    let faults = parse_in(Path::new("."), text).expect_err("a fault");
    faults.into_iter().map(show).collect()
}

/// The one fault of these settings.
fn fault(settings: &str) -> String {
    let mut faults = faults_of(&text(settings));
    assert_eq!(faults.len(), 1, "{faults:#?}");
    faults.remove(0)
}

fn uuid(text: &str) -> KeyValue {
    let digits = text.replace('-', "");
    KeyValue::Uuid(UuidKey::from_bytes(
        u128::from_str_radix(&digits, 16)
            .expect("hex")
            .to_be_bytes(),
    ))
}

fn shown(id: &IdValue) -> String {
    match id {
        IdValue::Integer(id) => id.get().to_string(),
        IdValue::Uuid(id) => id.to_string(),
        IdValue::Bytes(_) => "bytes".to_owned(),
        IdValue::Text(text) => text.clone(),
    }
}

/// The id of a key, which decodes to the key again.
fn id(settings: &str, key: &KeyValue, column: ValueType) -> String {
    let codec = domain(settings).codec;
    let id = codec.encode(key).expect(settings);
    assert_eq!(codec.decode(&id, column), Ok(key.clone()), "{settings}");
    shown(&id)
}

#[test]
fn a_domain_that_names_no_codec_serves_each_type_of_column() {
    let types = domain("").annotation.types;
    assert_eq!(types.shown(INT8), Some(ValueType::Uuid));
    assert_eq!(types.shown(ValueType::Uuid), Some(ValueType::Uuid));
    assert_eq!(types.shown(ValueType::Bytes), Some(ValueType::Bytes));
    assert_eq!(types.shown(ValueType::Text), None);
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

#[test]
fn an_unknown_name_gets_the_nearest() {
    assert_eq!(
        fault("codec = \"cyclewalk\""),
        "11: there is no codec \"cyclewalk\" | did you mean \"cycle_walk\"? the codecs are feistel, \
         aes-int, uuid, feistel2, aes, cycle_walk, fastprp, ff1, wide, session40"
    );
    assert!(fault("form = \"base_62\"").starts_with(
        "11: there is no form \"base_62\" | did you mean \"base62\"? the forms are uuid, hex"
    ));
    assert!(fault("key_form = \"uild\"").contains("did you mean \"ulid\"?"));
    assert!(fault("prf = \"md5\"").starts_with("11: there is no round function \"md5\""));
}

#[test]
fn a_form_that_the_codec_cannot_have_is_a_fault() {
    assert_eq!(
        fault("codec = \"feistel\"\nform = \"native\""),
        "12: the codec feistel has no form \"native\" | feistel has form = \"uuid\", \"hex\", \
         \"compact\", \"base62\", \"ulid\", \"typeid\"; form = \"native\" belongs to uuid, \
         feistel2, aes, cycle_walk, fastprp, ff1, wide"
    );
    assert_eq!(
        fault("codec = \"fastprp\"\nsize = 100\nform = \"uuid\""),
        "13: the codec fastprp has no form \"uuid\" | fastprp has form = \"native\"; form = \
         \"uuid\" belongs to feistel, aes-int, uuid, feistel2, aes, cycle_walk"
    );
    assert_eq!(
        fault("codec = \"aes\"\nkey_form = \"compact43\""),
        "12: the codec aes reads no keys of the form \"compact43\" | aes has key_form = \"uuid\", \
         \"hex\", \"compact\", \"base62\", \"ulid\""
    );
    assert!(fault("form = \"native\"").starts_with("11: form \"native\" needs a codec that keeps"));
}

#[test]
fn a_setting_that_the_codec_does_not_know_is_a_fault() {
    assert_eq!(
        fault("codec = \"ff1\"\nbits = 53\nlow = 1"),
        "13: the codec ff1 takes no `low` | remove it; ff1 takes bits, and `low` belongs to fastprp"
    );
    assert_eq!(
        fault("codec = \"aes-int\"\nversion = 8"),
        "12: the codec aes-int takes no `version` | remove it; it belongs to feistel"
    );
    assert_eq!(
        fault("form = \"hex\"\nversion = 4"),
        "12: `version` has no effect on aes-int, uuid | remove it, or name a codec that takes it: \
         feistel"
    );
    for (setting, codecs) in [
        ("epochs = true", "aes cycle_walk wide feistel"),
        ("split = 60", "uuid aes"),
        ("reverse = true", "uuid cycle_walk aes-int"),
        ("bits = 53", "feistel aes wide"),
        ("counters = \"c\"", "feistel wide session40"),
        ("key_form = \"uuid\"", "feistel aes-int"),
        ("versions = { 7 = 8 }", "aes feistel"),
        ("rounds = 6", "aes wide"),
    ] {
        for codec in codecs.split(' ') {
            let fault = fault(&format!("codec = \"{codec}\"\n{setting}"));
            assert!(
                fault.starts_with(&format!("12: the codec {codec} takes no `")),
                "{fault}"
            );
        }
    }
}

#[test]
fn a_prefix_is_of_the_characters_that_its_form_takes() {
    assert_eq!(
        fault("prefix = \"usr_\""),
        "11: ids of the form \"uuid\" have no prefix | remove prefix, or write form = \"typeid\", \
         \"hex\", \"compact\" or \"base62\""
    );
    for form in ["uuid", "ulid", "compact43", "session40"] {
        let fault = fault(&format!("form = \"{form}\"\nprefix = \"u\""));
        let cause = format!("12: ids of the form \"{form}\" have no prefix | remove prefix");
        assert!(fault.starts_with(&cause), "{fault}");
    }
    let prefixed = fault("codec = \"ff1\"\nbits = 53\nprefix = \"u\"");
    assert!(prefixed.starts_with("13: "), "{prefixed}");
    for (form, prefix) in [
        ("typeid", "Usr"),
        ("typeid", "usr_"),
        ("hex", "u r"),
        ("base62", "é"),
    ] {
        let fault = fault(&format!("form = \"{form}\"\nprefix = \"{prefix}\""));
        let cause = format!("12: `{prefix}` can't be a prefix: ");
        assert!(
            fault.starts_with(&cause) && fault.contains(" | write another"),
            "{fault}"
        );
    }
}

#[test]
fn weak_choices_are_refused_with_the_reason() {
    for (settings, reason) in [
        ("rounds = 2", "one known key reveals all others"),
        (
            "codec = \"feistel\"\nrounds = 2",
            "one known key reveals all others",
        ),
        ("codec = \"feistel\"\nrounds = 1", "masks one half"),
        (
            "codec = \"feistel\"\nrounds = 4",
            "proven for 2^28 ids only",
        ),
        ("codec = \"uuid\"\nrounds = 1", "masks one half"),
        ("codec = \"uuid\"\nrounds = 2", "are the codec feistel2"),
        ("codec = \"feistel2\"\nrounds = 6", "are the codec uuid"),
        ("codec = \"uuid\"\nrounds = 7", "no codec has this number"),
        ("codec = \"uuid\"\nrounds = -2", "no codec has this number"),
    ] {
        let fault = fault(settings);
        assert!(
            fault.contains("`rounds` can't be ") && fault.contains(reason),
            "{fault}"
        );
        assert!(fault.contains(" | remove rounds"), "{fault}");
    }
    domain("codec = \"feistel2\"\nrounds = 2");
    domain("rounds = 6");
}

#[test]
fn ranges_strides_and_widths_are_judged() {
    for (settings, start) in [
        (
            "codec = \"fastprp\"",
            "11: the codec fastprp needs the range",
        ),
        (
            "codec = \"fastprp\"\nsize = 0",
            "12: `low` = 0 and `size` = 0: the range of",
        ),
        (
            "codec = \"fastprp\"\nsize = -1",
            "12: `low` = 0 and `size` = -1: the range of",
        ),
        (
            "codec = \"fastprp\"\nsize = 4294967297",
            "12: `low` = 0 and `size` = 4294967297",
        ),
        (
            "codec = \"fastprp\"\nsize = 9\nlow = 9223372036854775800",
            "12: `low` = 9223372036854775800 and `size` = 9: the range goes beyond",
        ),
        (
            "codec = \"fastprp\"\nsize = 9\nstride = 100",
            "13: `stride` can't be 100",
        ),
        (
            "codec = \"fastprp\"\nsize = 9\nstride = -128",
            "13: `stride` can't be -128",
        ),
        (
            "codec = \"fastprp\"\nsize = 9\ncounters = \"c\"",
            "13: `counters` has no effect",
        ),
        ("codec = \"ff1\"", "11: the codec ff1 needs the width"),
        ("codec = \"ff1\"\nbits = 52", "12: `bits` can't be 52"),
    ] {
        let fault = fault(settings);
        assert!(fault.starts_with(start), "{fault}");
    }
}

#[test]
fn versions_splits_and_epochs_are_judged() {
    for (settings, start) in [
        (
            "codec = \"feistel2\"\nsplit = 61",
            "12: `split` can't be 61",
        ),
        ("version = 7", "11: ids can't be UUIDs of version 7"),
        (
            "versions = { 7 = 8, 4 = 8 }",
            "11: `versions` is no map: version 8 occurs twice",
        ),
        (
            "versions = { 7 = 16 }",
            "11: `versions` is no map: a UUID version is",
        ),
        (
            "versions = { x = 8 }",
            "11: `versions` is no map: a UUID version is",
        ),
        (
            "versions = {}",
            "11: `versions` is no map: a version map has",
        ),
        (
            "codec = \"feistel2\"\nsplit = 48\nepochs = true",
            "12: epochs have a split of their own",
        ),
        (
            "epochs = 1",
            "11: `id.epochs` is a whole number | write true or false",
        ),
        (
            "versions = { 7 = \"8\" }",
            "11: `id.versions.7` is a string | write a whole number",
        ),
    ] {
        let fault = fault(settings);
        assert!(fault.starts_with(start), "{fault}");
    }
}

#[test]
fn two_domains_with_one_prefix_and_form_would_be_confused() {
    let second =
        "[[id]]\nname = \"order\"\ncolumn = \"public.orders.id\"\nform = \"typeid\"\nprefix";
    let first = text("form = \"typeid\"\nprefix = \"usr\"");
    assert_eq!(
        faults_of(&format!("{first}{second} = \"usr\"\n")),
        [
            "17: ids of `user` have the form \"typeid\" and the prefix usr_ too | give each id \
             domain a prefix of its own, so that nobody takes one id for another"
        ]
    );
    parse_in(Path::new("."), &format!("{first}{second} = \"ord\"\n")).expect("two prefixes");
    let hex = text("form = \"hex\"\nprefix = \"usr\"");
    parse_in(Path::new("."), &format!("{hex}{second} = \"usr\"\n")).expect("two forms");
}

#[test]
fn after_a_rotation_a_codec_without_redundancy_is_worth_a_warning() {
    let rotated = |settings: &str| {
        let text = text(settings).replace(
            "epoch = 1",
            "epoch = 1\n[keys.ring.b]\nenv = \"B\"\nepoch = 0",
        );
        parse_in(Path::new("."), &text).expect(settings)
    };
    for settings in [
        "codec = \"uuid\"",
        "codec = \"aes\"",
        "codec = \"ff1\"\nbits = 53",
        "codec = \"wide\"",
    ] {
        let config = rotated(settings);
        assert_eq!(config.warnings.len(), 1, "{settings}");
        let warning = &config.warnings[0];
        assert_eq!(warning.line, 14);
        assert!(
            warning
                .cause
                .starts_with("`user` decodes with the current key `a` only")
        );
        assert!(config.domains[0].current_only.is_empty());
    }
    for settings in [
        "codec = \"feistel\"",
        "form = \"hex\"",
        "codec = \"uuid\"\nepochs = true",
        "",
    ] {
        assert!(rotated(settings).warnings.is_empty(), "{settings}");
    }
    // Whether a domain that names no codec is concerned depends on its column.
    let current_only = &rotated("").domains[0].current_only;
    let concerned = |column| {
        current_only
            .iter()
            .any(|types| types.shown(column).is_some())
    };
    assert!(concerned(ValueType::Uuid) && concerned(ValueType::Bytes) && !concerned(INT8));
    assert!(domain("codec = \"aes\"").current_only.is_empty());
}

#[test]
fn an_id_of_an_older_epoch_still_decodes() {
    let settings = "codec = \"uuid\"\nepochs = true";
    let key = uuid(UUID7);
    let before = domain(settings).codec.encode(&key).expect("an id");
    let text = text(settings)
        .replace("current = \"a\"", "current = \"b\"")
        .replace(
            "epoch = 1",
            "epoch = 1\n[keys.ring.b]\nenv = \"B\"\nepoch = 0xf",
        );
    let after = parse_in(Path::new("."), &text).expect("sound");
    let codec = &after.domains[0].codec;
    assert_eq!(codec.decode(&before, ValueType::Uuid), Ok(key.clone()));
    let now = shown(&codec.encode(&key).expect("an id"));
    assert!(now.starts_with('f') && shown(&before).starts_with('1'));
}

#[test]
fn epochs_need_a_number_for_each_key_and_another_one() {
    let epochs = text("epochs = true");
    let second = "[keys.ring.b]\nenv = \"B\"\n";
    assert_eq!(
        faults_of(&epochs.replace("[[id]]", &format!("{second}[[id]]"))),
        [
            "13: epochs need a number for each key, and `b` has none | add epoch = 0 to 15 to each \
             [keys.ring.NAME], another one for each key"
        ]
    );
    let twice = faults_of(&epochs.replace("[[id]]", &format!("{second}epoch = 1\n[[id]]")));
    assert!(
        twice[0].starts_with("8: the keys `a` and `b` have the same epoch"),
        "{twice:?}"
    );
    let beyond = faults_of(&epochs.replace("epoch = 1", "epoch = 16"));
    assert!(
        beyond[0].starts_with("7: key `a`: `epoch` can't be 16"),
        "{beyond:?}"
    );
}

#[test]
fn counters_are_kept_in_a_file_for_the_owner_alone() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("users.counters");
    let text = text("codec = \"fastprp\"\nsize = 3000000\ncounters = \"users.counters\"");
    let id = |text: &str| {
        let config = parse_in(folder.path(), text).expect("sound");
        assert!(config.warnings.is_empty(), "{:?}", config.warnings);
        let codec = &config.domains[0].codec;
        shown(
            &codec
                .encode(&KeyValue::Integer(Key::new(2_999_999)))
                .expect("an id"),
        )
    };
    let first = id(&text);
    let saved = std::fs::read(&file).expect("counters");
    let mode = std::fs::metadata(&file)
        .expect("counters")
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o600);
    assert_eq!(id(&text), first, "from the file");

    // What does not fit, or was changed, is built again; and no id changes with the stride.
    let coarse = text.replace("counters =", "stride = 32768\ncounters =");
    assert_eq!(id(&coarse), first);
    assert_ne!(std::fs::read(&file).expect("counters"), saved);
    let mut changed = saved.clone();
    changed[100] ^= 1;
    std::fs::write(&file, changed).expect("written");
    assert_eq!(id(&text), first);
    assert_eq!(std::fs::read(&file).expect("counters"), saved);
    assert_eq!(
        std::fs::read_dir(folder.path()).expect("a folder").count(),
        1
    );
}

#[test]
fn counters_that_cannot_be_kept_or_that_others_read_are_worth_a_warning() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().expect("a folder");
    let text = text("codec = \"fastprp\"\nsize = 3000000\ncounters = \"nowhere/c\"");
    let warnings = parse_in(folder.path(), &text).expect("sound").warnings;
    assert!(
        warnings[0]
            .cause
            .starts_with("cannot write the counters in "),
        "{warnings:?}"
    );
    let text = text.replace("nowhere/c", "c");
    parse_in(folder.path(), &text).expect("sound");
    let open = std::fs::Permissions::from_mode(0o644);
    std::fs::set_permissions(folder.path().join("c"), open).expect("a file");
    let warnings = parse_in(folder.path(), &text).expect("sound").warnings;
    assert!(
        warnings[0]
            .cause
            .starts_with("others can read the counters"),
        "{warnings:?}"
    );
    assert_eq!(warnings[0].line, 13);
}
