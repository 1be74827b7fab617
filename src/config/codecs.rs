//! The codecs by the names that the file uses: which settings and forms belong to which, and what
//! a domain gets that names none.

use super::section::nearest;
use crate::codec::{FormName, IntegerType, ValueType, WideForm};

/// A codec as the file names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Name {
    Feistel,
    AesInt,
    Uuid,
    Feistel2,
    Aes,
    CycleWalk,
    FastPrp,
    Ff1,
    Wide,
    Session40,
}

/// What the ids of a codec can be, or the keys in a text column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FormWord {
    /// The type of the column itself.
    Native,
    /// Sixteen bytes.
    Sixteen(FormName),
    /// 32 bytes.
    Wide(WideForm),
    /// The format of session ids.
    Session40,
}

/// Which of the ring's keys decode.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Rotation {
    /// All: redundancy tells which of them.
    Ring,
    /// All, if the domain has epochs; otherwise the current one.
    Epochs,
    /// The current one.
    CurrentOnly,
}

/// What belongs to a codec.
#[derive(Debug)]
pub(super) struct Kind {
    pub(super) codec: Name,
    pub(super) name: &'static str,
    /// The forms of its ids; the first is the default.
    pub(super) forms: &'static [FormWord],
    /// The forms that keys in a text column can have.
    pub(super) key_forms: &'static [FormWord],
    /// The settings that it takes besides those that all have.
    pub(super) settings: &'static [&'static str],
    pub(super) rotation: Rotation,
}

const UUID: FormWord = FormWord::Sixteen(FormName::Uuid);
const HEX: FormWord = FormWord::Sixteen(FormName::Hex);
const COMPACT: FormWord = FormWord::Sixteen(FormName::Compact);
const BASE62: FormWord = FormWord::Sixteen(FormName::Base62);
const ULID: FormWord = FormWord::Sixteen(FormName::Ulid);
const TYPEID: FormWord = FormWord::Sixteen(FormName::TypeId);
const COMPACT43: FormWord = FormWord::Wide(WideForm::Compact43);
const BYTEA: FormWord = FormWord::Wide(WideForm::Bytea);

const OF_INTEGERS: &[FormWord] = &[UUID, HEX, COMPACT, BASE62, ULID, TYPEID];
const OF_SIXTEEN: &[FormWord] = &[UUID, HEX, COMPACT, BASE62, ULID, TYPEID, FormWord::Native];
const SIXTEEN_AS_TEXT: &[FormWord] = &[UUID, HEX, COMPACT, BASE62, ULID];

/// Every codec with what belongs to it.
pub(super) static KINDS: [Kind; 10] = [
    Kind {
        codec: Name::Feistel,
        name: "feistel",
        forms: OF_INTEGERS,
        key_forms: &[],
        settings: &["version", "prf", "rounds"],
        rotation: Rotation::Ring,
    },
    Kind {
        codec: Name::AesInt,
        name: "aes-int",
        forms: OF_INTEGERS,
        key_forms: &[],
        settings: &[],
        rotation: Rotation::Ring,
    },
    Kind {
        codec: Name::Uuid,
        name: "uuid",
        forms: OF_SIXTEEN,
        key_forms: SIXTEEN_AS_TEXT,
        settings: &["key_form", "versions", "rounds", "epochs"],
        rotation: Rotation::Epochs,
    },
    Kind {
        codec: Name::Feistel2,
        name: "feistel2",
        forms: OF_SIXTEEN,
        key_forms: SIXTEEN_AS_TEXT,
        settings: &["key_form", "versions", "rounds", "epochs", "split"],
        rotation: Rotation::Epochs,
    },
    Kind {
        codec: Name::Aes,
        name: "aes",
        forms: OF_SIXTEEN,
        key_forms: SIXTEEN_AS_TEXT,
        settings: &["key_form", "reverse"],
        rotation: Rotation::CurrentOnly,
    },
    Kind {
        codec: Name::CycleWalk,
        name: "cycle_walk",
        forms: OF_SIXTEEN,
        key_forms: SIXTEEN_AS_TEXT,
        settings: &["key_form"],
        rotation: Rotation::CurrentOnly,
    },
    Kind {
        codec: Name::FastPrp,
        name: "fastprp",
        forms: &[FormWord::Native],
        key_forms: &[],
        settings: &["low", "size", "stride", "counters"],
        rotation: Rotation::CurrentOnly,
    },
    Kind {
        codec: Name::Ff1,
        name: "ff1",
        forms: &[FormWord::Native],
        key_forms: &[],
        settings: &["bits"],
        rotation: Rotation::CurrentOnly,
    },
    Kind {
        codec: Name::Wide,
        name: "wide",
        forms: &[FormWord::Native, COMPACT43, BYTEA],
        key_forms: &[COMPACT43, BYTEA],
        settings: &["key_form"],
        rotation: Rotation::CurrentOnly,
    },
    Kind {
        codec: Name::Session40,
        name: "session40",
        forms: &[FormWord::Session40],
        key_forms: &[FormWord::Session40],
        settings: &["key_form"],
        rotation: Rotation::CurrentOnly,
    },
];

/// The forms, in the order in which faults list them.
const FORM_WORDS: [(&str, FormWord); 10] = [
    ("uuid", UUID),
    ("hex", HEX),
    ("compact", COMPACT),
    ("base62", BASE62),
    ("ulid", ULID),
    ("typeid", TYPEID),
    ("compact43", COMPACT43),
    ("bytea", BYTEA),
    ("session40", FormWord::Session40),
    ("native", FormWord::Native),
];

impl Kind {
    /// The codec of this name.
    pub(super) fn named(name: &str) -> Option<&'static Self> {
        KINDS.iter().find(|kind| kind.name == name)
    }

    pub(super) fn of(codec: Name) -> &'static Self {
        // Every name is in the table, which a test checks.
        let found = KINDS.iter().find(|kind| kind.codec == codec);
        found.unwrap_or(&KINDS[0])
    }

    /// What to write in the place of a name that no codec has.
    pub(super) fn instead_of(word: &str) -> String {
        let names: Vec<&str> = KINDS.iter().map(|kind| kind.name).collect();
        match nearest(word, &names) {
            Some(near) => format!(
                "did you mean \"{near}\"? the codecs are {}",
                names.join(", ")
            ),
            None => format!("the codecs are {}", names.join(", ")),
        }
    }

    /// The codecs that take a setting, for a remedy.
    pub(super) fn with_setting(setting: &str) -> String {
        names(|kind| kind.settings.contains(&setting))
    }

    /// The codecs whose ids have a form, for a remedy.
    pub(super) fn with_form(form: FormWord) -> String {
        names(|kind| kind.forms.contains(&form))
    }
}

fn names(which: impl Fn(&Kind) -> bool) -> String {
    let kinds = KINDS.iter().filter(|kind| which(kind));
    kinds.map(|kind| kind.name).collect::<Vec<_>>().join(", ")
}

impl FormWord {
    /// The form of this name.
    pub(super) fn named(name: &str) -> Option<Self> {
        let mut words = FORM_WORDS.iter();
        words.find(|(word, _)| *word == name).map(|(_, form)| *form)
    }

    pub(super) fn word(self) -> &'static str {
        let mut words = FORM_WORDS.iter();
        words
            .find(|(_, form)| *form == self)
            .map_or("", |(word, _)| word)
    }

    /// Their names in quotes, for a remedy.
    pub(super) fn list(forms: &[Self]) -> String {
        let words: Vec<_> = forms
            .iter()
            .map(|form| format!("\"{}\"", form.word()))
            .collect();
        words.join(", ")
    }

    /// What to write in the place of a name that no form has.
    pub(super) fn instead_of(word: &str) -> String {
        let words = FORM_WORDS.map(|(word, _)| word);
        match nearest(word, &words) {
            Some(near) => format!(
                "did you mean \"{near}\"? the forms are {}",
                words.join(", ")
            ),
            None => format!("the forms are {}", words.join(", ")),
        }
    }
}

/// The codecs of a domain that names none: one for each kind of column that it may turn out to
/// have. Where keys are text, their form decides.
pub(super) fn defaults(form: Option<FormWord>, key_form: Option<FormWord>) -> &'static [Name] {
    match (key_form, form) {
        (Some(UUID), _) => &[Name::Uuid],
        (Some(FormWord::Sixteen(_)), _) => &[Name::Aes],
        (Some(FormWord::Wide(_)), _) | (_, Some(FormWord::Wide(_))) => &[Name::Wide],
        (Some(FormWord::Session40), _) | (_, Some(FormWord::Session40)) => &[Name::Session40],
        (_, None) => &[Name::Feistel, Name::Uuid, Name::Wide],
        (_, Some(UUID)) => &[Name::Feistel, Name::Uuid],
        (_, Some(FormWord::Sixteen(_))) => &[Name::AesInt, Name::Uuid],
        (_, Some(FormWord::Native)) => &[],
    }
}

/// What gives a column of this type ids, in the words of a remedy.
#[must_use]
pub const fn advice_for(column: ValueType) -> &'static str {
    match column {
        ValueType::Integer(IntegerType::Int2) => {
            "for smallint, write codec = \"feistel\" (a uuid), \"aes-int\" with a text form, or \
             \"fastprp\" with a range within -32768 to 32767"
        }
        ValueType::Integer(IntegerType::Int4) => {
            "for integer, write codec = \"feistel\" (a uuid), \"aes-int\" with a text form, \
             \"ff1\" with bits = 31 or 32, or \"fastprp\" with a range within the type"
        }
        ValueType::Integer(IntegerType::Int8) => {
            "for bigint, write codec = \"feistel\" (a uuid), \"aes-int\" with a text form, \
             \"ff1\" with bits, or \"fastprp\" with a range"
        }
        ValueType::Uuid => {
            "for uuid, write codec = \"uuid\", \"aes\" or \"cycle_walk\", with any form but those \
             of 32 bytes"
        }
        ValueType::Bytes => "for bytea, write codec = \"wide\": keys of 32 bytes",
        ValueType::Text => {
            "for text, add key_form, how the keys are written: \"uuid\", \"hex\", \"compact\", \
             \"base62\" or \"ulid\" (sixteen bytes), \"compact43\" or \"bytea\" (32 bytes), \
             \"session40\""
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_codec_and_every_form_has_one_name() {
        for kind in &KINDS {
            assert!(std::ptr::eq(Kind::of(kind.codec), kind));
            assert!(Kind::named(kind.name).is_some_and(|named| named.codec == kind.codec));
            for form in kind.forms.iter().chain(kind.key_forms) {
                assert_eq!(FormWord::named(form.word()), Some(*form));
            }
        }
    }

    #[test]
    fn the_remedy_for_an_unknown_name_is_the_nearest() {
        assert!(Kind::instead_of("cycle-walk").starts_with("did you mean \"cycle_walk\"?"));
        assert!(Kind::instead_of("aes_int").starts_with("did you mean \"aes-int\"?"));
        assert!(Kind::instead_of("rot13").starts_with("the codecs are feistel, aes-int"));
        assert!(FormWord::instead_of("type_id").starts_with("did you mean \"typeid\"?"));
    }
}
