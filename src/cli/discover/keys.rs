//! Which columns define keys: by what fills them, what refers to them, and their type. No value is
//! looked at, so of text and of uuids that the application makes it can only be guessed.

use crate::catalog::KeyType;

use super::Ids;
use super::survey::{Counted, Site};
use super::words;

/// What is thought of a column as one that defines keys.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Judgement {
    /// It does.
    Key(Key),
    /// It holds keys of a type that there are no ids for.
    Unfit(String),
    /// It looks like one, but shows nothing; this is why.
    LeftOut(String),
    /// Nothing speaks for it.
    Nothing,
}

/// A column that defines keys.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Key {
    /// It is sure enough to stand in a configuration.
    pub(super) certain: bool,
    /// It is one whatever its name says that it refers to.
    pub(super) definite: bool,
    /// In words.
    pub(super) evidence: String,
    /// The settings of its domain, as they stand in the file.
    pub(super) settings: Vec<String>,
}

/// Judges a column that `followers` refer to, of which the narrowest is of this type.
pub(super) fn judge(site: &Site<'_>, followers: usize, narrowest: KeyType, ids: Ids) -> Judgement {
    let Some((key_type, array)) = site.key_type() else {
        return of_no_type(site);
    };
    if array || site.column.generated {
        return Judgement::Nothing;
    }
    if key_type.is_integer() {
        integer(site, followers, narrowest, ids)
    } else if !site.unique.part && followers == 0 {
        Judgement::Nothing
    } else if key_type.is_text() {
        text(site, followers, ids)
    } else if key_type == KeyType::Uuid {
        uuid(site, followers)
    } else {
        let evidence = format!(
            "bytea{}: its keys must be of 32 bytes",
            tail(site, followers)
        );
        Judgement::Key(guess(evidence, Vec::new()))
    }
}

/// Numbers that a sequence fills need not be integers.
fn of_no_type(site: &Site<'_>) -> Judgement {
    let is_number = site.fact.declared.starts_with("numeric");
    let called = site.column.name.eq_ignore_ascii_case("id");
    if is_number && site.unique.alone && (site.fact.counted.is_some() || called) {
        return Judgement::Unfit("numeric, a type that there are no ids for".to_owned());
    }
    Judgement::Nothing
}

fn integer(site: &Site<'_>, followers: usize, narrowest: KeyType, ids: Ids) -> Judgement {
    let name = words::snake(&site.column.name);
    let own = words::singular(&words::snake(&site.relation.name));
    let called = name == "id" || words::stem(&name, false).is_some_and(|stem| stem == own);
    let counted = site.fact.counted.is_some();
    let unique = site.unique;
    let referred = followers > 0;
    let (certain, definite, doubt) = match (counted, unique.alone, unique.part) {
        (true, _, true) => (true, true, ""),
        (true, ..) if referred || called => (true, true, ""),
        (true, ..) => (false, true, "; it counts rows, but is in no key"),
        (false, true, _) if referred || called => (true, true, ""),
        (false, true, _) if unique.primary => (
            false,
            false,
            "; nothing counts it and nothing refers to it: it may be a number of its own meaning",
        ),
        (false, true, _) => (
            false,
            false,
            "; nothing counts it: it may be a natural number",
        ),
        (false, _, true) if name == "id" => (true, true, ""),
        (false, _, true) if referred => (false, false, "; a part of a key that others refer to"),
        (false, _, _) if name == "id" => (false, true, "; by its name only: it is in no key"),
        _ => return Judgement::Nothing,
    };
    let declared = site.key_type().map_or("integer", |(of, _)| of.name());
    let settings = match ids {
        Ids::Uuid => Vec::new(),
        Ids::Native => native(narrowest),
    };
    Judgement::Key(Key {
        certain,
        definite,
        evidence: format!("{declared}{}{doubt}", tail(site, followers)),
        settings,
    })
}

/// The codec whose ids are integers that fit into every column of the family. It takes no key
/// below zero, nor one beyond these bounds.
fn native(narrowest: KeyType) -> Vec<String> {
    let settings: &[&str] = match narrowest {
        KeyType::Int2 => &["codec = \"fastprp\"", "low = 0", "size = 32768"],
        KeyType::Int4 => &["codec = \"ff1\"", "bits = 31"],
        _ => &["codec = \"ff1\"", "bits = 63"],
    };
    let form = "form = \"native\"";
    let settings = settings.iter().chain([&form]);
    settings.map(|setting| (*setting).to_owned()).collect()
}

fn uuid(site: &Site<'_>, followers: usize) -> Judgement {
    let tail = tail(site, followers);
    let default = site.fact.default.as_deref().map(str::to_lowercase);
    match default.as_deref() {
        Some(default) if is_ordered(default) => Judgement::Key(Key {
            certain: true,
            definite: true,
            evidence: format!("uuid, in order by its default{tail}"),
            settings: Vec::new(),
        }),
        Some(default)
            if default.contains("random_uuid") || default.contains("uuid_generate_v4") =>
        {
            Judgement::LeftOut("uuids that are random by their default show no order".to_owned())
        }
        Some(default) if default.contains("uuid_generate_v1") => Judgement::Key(guess(
            format!("uuid, of version 1 by its default: time and machine{tail}"),
            vec!["versions = { 1 = 8 }".to_owned()],
        )),
        _ => Judgement::Key(Key {
            definite: is_own_key(site),
            ..guess(
                format!("uuid{tail}; nothing says whether the application makes them in order"),
                Vec::new(),
            )
        }),
    }
}

/// Whether a default makes keys in the order of time, by the names of the functions that do.
fn is_ordered(default: &str) -> bool {
    let names = [
        "uuidv7",
        "sequence_uuid",
        "uuid_v7",
        "uuid7",
        "generate_v7",
        "ulid",
        "tuid",
        "uuid_v6",
        "ksuid",
    ];
    names.iter().any(|name| default.contains(name))
}

/// Names that keys have and nothing else.
const IDS: &[&str] = &["id", "uid", "ulid", "uuid", "guid"];

/// Whether a column is called as the key of its own table is.
fn is_own_key(site: &Site<'_>) -> bool {
    let name = words::snake(&site.column.name);
    let own = words::singular(&words::snake(&site.relation.name));
    IDS.contains(&name.as_str()) || words::stem(&name, false).is_some_and(|stem| stem == own)
}

/// Text is a key where its name or its default says so; other text is natural.
fn text(site: &Site<'_>, followers: usize, ids: Ids) -> Judgement {
    let name = words::snake(&site.column.name);
    let ids_by_name = IDS.contains(&name.as_str());
    let default = site.fact.default.as_deref().unwrap_or("").to_lowercase();
    if default.contains("random_uuid") {
        return Judgement::LeftOut("uuids that are random by their default show no order".into());
    }
    let made = is_ordered(&default);
    if !(made || ids_by_name || words::stem(&name, false).is_some_and(|_| site.unique.primary)) {
        // What it may refer to is looked for by its name.
        if words::stem(&name, false).is_some() {
            return Judgement::Nothing;
        }
        return Judgement::LeftOut("text that is unique by its meaning, as it seems".to_owned());
    }
    let form = match () {
        () if default.contains("ulid") || name == "ulid" => Some("ulid"),
        () if default.contains("uuid") || name == "uuid" || name == "guid" => Some("uuid"),
        () => by_width(&site.fact.declared),
    };
    let mut settings = vec![format!("key_form = \"{}\"", form.unwrap_or("ulid"))];
    if ids == Ids::Native {
        settings.push("form = \"native\"".to_owned());
    }
    let tail = tail(site, followers);
    let doubt = match form {
        Some(_) if made => "",
        Some(_) => "; how they are written is a guess",
        None => "; nothing says how they are written",
    };
    Judgement::Key(Key {
        certain: made && form.is_some(),
        definite: made || ids_by_name,
        evidence: format!("{}{tail}{doubt}", site.fact.declared),
        settings,
    })
}

/// How keys of so many characters are written.
fn by_width(declared: &str) -> Option<&'static str> {
    let width = declared.split_once('(')?.1.strip_suffix(')')?;
    match width {
        "22" => Some("compact"),
        "26" => Some("ulid"),
        "32" => Some("hex"),
        "36" => Some("uuid"),
        "40" => Some("session40"),
        "43" => Some("compact43"),
        _ => None,
    }
}

fn guess(evidence: String, settings: Vec<String>) -> Key {
    Key {
        certain: false,
        definite: true,
        evidence,
        settings,
    }
}

/// What speaks for a key besides its type.
fn tail(site: &Site<'_>, followers: usize) -> String {
    let counted = match site.fact.counted {
        Some(Counted::Identity) => ", identity",
        Some(Counted::Sequence) => ", by a sequence",
        None => "",
    };
    let unique = match site.unique {
        unique if unique.primary => ", primary key",
        unique if unique.alone => ", unique",
        unique if unique.part => ", part of a composite key",
        _ => "",
    };
    let follow = match followers {
        0 => String::new(),
        1 => ", 1 column follows by its foreign key".to_owned(),
        many => format!(", {many} columns follow by their foreign keys"),
    };
    format!("{counted}{unique}{follow}")
}
