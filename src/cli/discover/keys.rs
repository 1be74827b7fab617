//! What a column that defines keys is proposed as: which one does, `catalog::keys` judges.

use crate::catalog::KeyType;
use crate::catalog::keys::{self, Candidate, Filled, Sort};

use super::Ids;
use super::survey::Site;

/// What is thought of a column as one that defines keys.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Judgement {
    /// The column holds keys.
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
    let judged = keys::judge(&Candidate {
        table: &site.relation.name,
        column: site.column,
        unique: site.unique,
        filled: site.filled,
        referred: followers > 0,
    });
    let sort = match judged {
        keys::Judgement::Key(sort) => sort,
        keys::Judgement::Unfit => {
            return Judgement::Unfit(unfit(site));
        }
        keys::Judgement::LeftOut(reason) => return Judgement::LeftOut(reason.to_owned()),
        keys::Judgement::Nothing => return Judgement::Nothing,
    };
    let tail = tail(site, followers);
    let (certain, evidence, settings) = match sort {
        Sort::Integer { certain, doubt, .. } => {
            let declared = site.key_type().map_or("integer", |(of, _)| of.name());
            let settings = match ids {
                Ids::Uuid => Vec::new(),
                Ids::Native => native(narrowest),
            };
            (certain, format!("{declared}{tail}{doubt}"), settings)
        }
        Sort::OrderedUuid => {
            let evidence = format!("uuid, in order by its default{tail}");
            (true, evidence, Vec::new())
        }
        Sort::TimedUuid => (
            false,
            format!("uuid, of version 1 by its default: time and machine{tail}"),
            vec!["versions = { 1 = 8 }".to_owned()],
        ),
        Sort::Uuid { .. } => (
            false,
            format!("uuid{tail}; nothing says whether the application makes them in order"),
            Vec::new(),
        ),
        Sort::Text { made, form, .. } => text(site, made, form, &tail, ids),
        Sort::Bytes => {
            let evidence = format!("bytea{tail}: its keys must be of 32 bytes");
            (false, evidence, Vec::new())
        }
    };
    Judgement::Key(Key {
        certain,
        definite: sort.is_definite(),
        evidence,
        settings,
    })
}

/// Why keys have no ids.
fn unfit(site: &Site<'_>) -> String {
    let declared = &site.fact.declared;
    match site.key_type() {
        Some((_, false)) => format!("{declared}, made of the numbers of a sequence"),
        _ => format!("{declared}, a type that there are no ids for"),
    }
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

/// What is said of text that is a key: whether that is certain, the evidence and the settings.
fn text(
    site: &Site<'_>,
    made: bool,
    form: Option<&'static str>,
    tail: &str,
    ids: Ids,
) -> (bool, String, Vec<String>) {
    let form = form.or_else(|| by_width(&site.fact.declared));
    let mut settings = vec![format!("key_form = \"{}\"", form.unwrap_or("ulid"))];
    if ids == Ids::Native {
        settings.push("form = \"native\"".to_owned());
    }
    let doubt = match form {
        Some(_) if made => "",
        Some(_) => "; how they are written is a guess",
        None => "; nothing says how they are written",
    };
    let evidence = format!("{}{tail}{doubt}", site.fact.declared);
    (made && form.is_some(), evidence, settings)
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

/// What speaks for a key besides its type.
fn tail(site: &Site<'_>, followers: usize) -> String {
    let counted = match site.filled {
        Filled { identity: true, .. } => ", identity",
        Filled { counted: true, .. } => ", by a sequence",
        _ => "",
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
