//! The words of every fault: cause, line and remedy.

use std::path::Path;

use super::{domain, fault, faults_of, parse_in, text};

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
