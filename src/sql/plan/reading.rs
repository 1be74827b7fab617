//! How ids are written in a value that the client sends, where it is not the id itself.

use std::sync::Arc;

use crate::catalog::KeyType;

/// How the ids of a value are written in it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub enum Reading {
    /// As what they are.
    #[default]
    Plain,
    /// As what a cast reads behind what the statement does to the text.
    Behind(TextChange),
    /// As what they are; a value that is one of these texts is NULL, as NULLIF makes it.
    Nulled(Vec<String>),
    /// As the elements of an array of this type of text, which the statement casts.
    Texts(KeyType),
    /// As a list with this between them, which becomes the text of an array ([`listed`]).
    List(Split),
    /// As a pattern of LIKE that no more than one id matches.
    Pattern(Pattern),
    /// As what they are once the value is cut to so many characters.
    Cut(usize),
    /// It is no id but the name of a member that is one: one of these names.
    Member(Vec<String>),
}

/// How a text is taken apart.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Split {
    /// What stands between two parts.
    pub separator: String,
    /// An empty text has one part, which is empty; otherwise it has none.
    pub keeps_empty: bool,
}

impl Reading {
    /// Whether a value is NULL to the statement.
    #[must_use]
    pub fn nulls(&self, value: &[u8]) -> bool {
        let Self::Nulled(texts) = self else {
            return false;
        };
        texts.iter().any(|text| text.as_bytes() == value)
    }
}

/// What a statement does to a text before it reads an id from it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct TextChange {
    /// What it compares the text with and is no id: then the value stays as it is.
    pub kept: Arc<[String]>,
    /// It takes blanks away from both ends.
    pub trimmed: bool,
    /// It makes all letters small or capital.
    pub folded: bool,
}

impl TextChange {
    /// Whether a value is one of those that stay as they are.
    #[must_use]
    pub fn keeps(&self, value: &[u8]) -> bool {
        let value = self.read(value);
        self.kept.iter().any(|text| {
            let text = self.read(text.as_bytes());
            text == value || self.folded && text.eq_ignore_ascii_case(value)
        })
    }

    /// The part of a value that an id is read from.
    #[must_use]
    pub fn read<'v>(&self, value: &'v [u8]) -> &'v [u8] {
        let mut read = value;
        if !self.trimmed {
            return read;
        }
        while let [b' ', rest @ ..] | [rest @ .., b' '] = read {
            read = rest;
        }
        read
    }
}

/// The first characters of a value, if they are of ASCII, as those of ids are.
#[must_use]
pub fn cut(value: &[u8], length: usize) -> &[u8] {
    let head = value.get(..length).filter(|head| head.is_ascii());
    head.unwrap_or(value)
}

/// The text form of the array that `string_to_array` makes of a text.
#[must_use]
pub fn listed(text: &str, split: &Split) -> String {
    if text.is_empty() && !split.keeps_empty {
        return "{}".to_owned();
    }
    let parts: Vec<String> = text.split(&split.separator).map(quoted_element).collect();
    format!("{{{}}}", parts.join(","))
}

/// An element in the text form of an array.
#[must_use]
pub fn quoted_element(text: &str) -> String {
    let escaped = text.replace('\\', "\\\\").replace('"', "\\\"");
    format!("\"{escaped}\"")
}

/// The letters of an id that a pattern is matched with, or that are taken for one another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Letters {
    /// The text of the id as it is.
    Small,
    /// Hexadecimal digits in capitals.
    Capital,
    /// Letters in both forms are the same.
    Any,
}

/// How a pattern is read.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Pattern {
    /// What it is matched with.
    pub letters: Letters,
    /// Whether it is compared as it is: no letter in it stands for others.
    pub literal: bool,
    /// What takes the next letter for itself.
    pub escape: Option<char>,
    /// What the statement puts in front of the value.
    pub before: String,
    /// What the statement puts behind the value.
    pub after: String,
}

/// What a pattern is matched by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Sought {
    /// This uuid alone, as Postgres writes it.
    One(String),
    /// No uuid.
    Nothing,
    /// Perhaps several: only the text of ids tells.
    Several,
}

/// A part of a pattern.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Letter(char),
    /// `_`
    Some,
    /// `%`
    Rest,
}

/// The length of the text of a uuid.
const LENGTH: usize = 36;

/// No pattern with so many letters matches, and the rest may be as long as it likes.
const MOST_PARTS: usize = 4 * LENGTH;

impl Pattern {
    /// Which uuids a value matches.
    #[must_use]
    pub fn sought(&self, value: &str) -> Sought {
        let written = format!("{}{value}{}", self.before, self.after);
        let parts = match self.literal {
            true => Some(written.chars().take(MOST_PARTS).map(Part::Letter).collect()),
            false => parts(&written, self.escape),
        };
        let Some(parts) = parts else {
            return Sought::Several;
        };
        let fixed: Vec<Part> = (parts.iter().copied())
            .filter(|part| *part != Part::Rest)
            .collect();
        if !may_match(&parts, self.letters) {
            return Sought::Nothing;
        }
        let whole = fixed.iter().enumerate().map(|(place, part)| match part {
            Part::Letter(letter) => Some(letter.to_ascii_lowercase()),
            Part::Some if is_hyphen(place) => Some('-'),
            Part::Some | Part::Rest => None,
        });
        match whole.collect::<Option<String>>() {
            Some(uuid) if fixed.len() == LENGTH => Sought::One(uuid),
            _ => Sought::Several,
        }
    }
}

/// The parts of a pattern; `None` if it ends within an escape, which is an error of LIKE.
fn parts(pattern: &str, escape: Option<char>) -> Option<Vec<Part>> {
    let mut parts = Vec::new();
    let mut letters = pattern.chars();
    while let Some(letter) = letters.next() {
        parts.push(match letter {
            letter if Some(letter) == escape => Part::Letter(letters.next()?),
            '%' if parts.last() == Some(&Part::Rest) => continue,
            '%' => Part::Rest,
            '_' => Part::Some,
            letter => Part::Letter(letter),
        });
        if parts.len() > MOST_PARTS {
            break;
        }
    }
    Some(parts)
}

/// Whether the text of some uuid matches: what stands at one place of it says nothing of another.
fn may_match(parts: &[Part], letters: Letters) -> bool {
    // The places that the parts up to here may end at.
    let mut ends = vec![false; LENGTH + 1];
    if let Some(start) = ends.first_mut() {
        *start = true;
    }
    for part in parts {
        let mut next = vec![false; LENGTH + 1];
        let mut before = false;
        for (place, end) in next.iter_mut().enumerate() {
            *end = match part {
                Part::Rest => before || ends.get(place) == Some(&true),
                Part::Some => before,
                Part::Letter(letter) => before && fits(*letter, place - 1, letters),
            };
            before = match part {
                Part::Rest => *end,
                Part::Some | Part::Letter(_) => ends.get(place) == Some(&true),
            };
        }
        ends = next;
    }
    ends.last() == Some(&true)
}

/// Whether a letter may stand at a place of the text of a uuid.
fn fits(letter: char, place: usize, letters: Letters) -> bool {
    if is_hyphen(place) {
        return letter == '-';
    }
    match letter {
        '0'..='9' => true,
        'a'..='f' => letters != Letters::Capital,
        'A'..='F' => letters != Letters::Small,
        _ => false,
    }
}

const fn is_hyphen(place: usize) -> bool {
    matches!(place, 8 | 13 | 18 | 23)
}

#[cfg(test)]
mod tests {
    use super::*;

    const UUID: &str = "a2020e46-17f6-4475-9fb8-a3a8a91b8b98";

    fn sought(pattern: &str, letters: Letters) -> Sought {
        let pattern_of = Pattern {
            letters,
            literal: false,
            escape: Some('\\'),
            before: String::new(),
            after: String::new(),
        };
        pattern_of.sought(pattern)
    }

    fn small(pattern: &str) -> Sought {
        sought(pattern, Letters::Small)
    }

    #[test]
    fn what_the_statement_puts_around_a_value_counts() {
        let around = |before: &str, escape, after: &str| Pattern {
            letters: Letters::Any,
            literal: false,
            escape,
            before: before.to_owned(),
            after: after.to_owned(),
        };
        let one = Sought::One(UUID.to_owned());
        assert_eq!(around("%", None, "%").sought(UUID), one);
        assert_eq!(around("%", None, "%").sought("\\"), Sought::Nothing);
        assert_eq!(around("%", Some('\\'), "%").sought("\\"), Sought::Nothing);
        assert_eq!(around("", Some('\\'), "").sought("\\"), Sought::Several);
        assert_eq!(around("%", Some('!'), "").sought(&format!("!{UUID}")), one);
        assert_eq!(around("%", Some('%'), "").sought(UUID), one);
        assert_eq!(around("%", None, "%").sought("a"), Sought::Several);
        assert_eq!(around("b", None, "").sought(UUID), Sought::Nothing);
    }

    #[test]
    fn what_is_compared_as_it_is_has_no_letter_that_stands_for_others() {
        let compared = |text: &str, letters| {
            let pattern = Pattern {
                letters,
                literal: true,
                escape: Some('\\'),
                before: String::new(),
                after: String::new(),
            };
            pattern.sought(text)
        };
        let one = Sought::One(UUID.to_owned());
        assert_eq!(compared(UUID, Letters::Small), one);
        assert_eq!(compared(&UUID.to_uppercase(), Letters::Any), one);
        assert_eq!(compared(&UUID.to_uppercase(), Letters::Capital), one);
        for text in [
            UUID.to_uppercase(),
            format!("%{UUID}"),
            UUID.replace('-', "_"),
            UUID.replace("a3", "\\a3"),
            UUID.replace('-', ""),
            format!("{UUID}{UUID}"),
            UUID.repeat(9),
            String::new(),
        ] {
            assert_eq!(compared(&text, Letters::Small), Sought::Nothing, "{text}");
        }
    }

    #[test]
    fn a_whole_uuid_is_sought_whatever_stands_around_it() {
        let one = Sought::One(UUID.to_owned());
        for pattern in [
            UUID.to_owned(),
            format!("%{UUID}%"),
            format!("%%{UUID}"),
            UUID.replace('-', "_"),
            UUID.replace('-', "%-%"),
            UUID.replace("a3", "\\a3"),
        ] {
            assert_eq!(small(&pattern), one, "{pattern}");
        }
        assert_eq!(sought(&UUID.to_uppercase(), Letters::Capital), one);
        assert_eq!(sought(&UUID.to_uppercase(), Letters::Any), one);
        assert_eq!(sought(UUID, Letters::Any), one);
    }

    #[test]
    fn what_no_uuid_matches_is_nothing() {
        let long = format!("{UUID}0");
        let short = UUID.get(1..).unwrap_or_default();
        let patterns = [
            "",
            "ann",
            "%ann%",
            "%a-b-c%",
            "%-%-%-%-%-%",
            "\\%",
            "%\\_%",
            "%A2020%",
            short,
            &long,
            "%ü%",
        ];
        for pattern in patterns {
            assert_eq!(small(pattern), Sought::Nothing, "{pattern}");
        }
        assert_eq!(sought(UUID, Letters::Capital), Sought::Nothing);
        assert_eq!(small(&UUID.to_uppercase()), Sought::Nothing);
    }

    #[test]
    fn a_part_of_a_uuid_may_be_that_of_several() {
        let hole = UUID.replacen('a', "_", 1);
        let short = format!("%{}", UUID.get(1..).unwrap_or_default());
        let patterns = [
            "%",
            "%%",
            "a2020e46%",
            "%a2020e46-17f6%",
            "%a%b%",
            "a\\",
            &hole,
            &short,
        ];
        for pattern in patterns {
            assert_eq!(small(pattern), Sought::Several, "{pattern}");
        }
        let letters: String = "%a".repeat(10_000);
        assert_eq!(small(&letters), Sought::Nothing);
    }
}
