//! What a rotation means, and what is kept beside the keys.

use std::path::Path;

use pgveil::codec::{Key, KeyValue, ValueType};

use super::{INT8, KEY, UUID7, domain, faults_of, parse_in, shown, text, uuid};

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
    // What is something else is not written over.
    std::fs::write(folder.path().join("c"), KEY).expect("written");
    let faults = parse_in(folder.path(), &text).expect_err("a fault");
    assert!(
        faults[0].cause.ends_with("c is no file of counters"),
        "{faults:?}"
    );
    std::fs::remove_file(folder.path().join("c")).expect("still there");
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
