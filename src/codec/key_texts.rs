//! Which texts are keys. A document of the database may have anything in the place of a key, and
//! what is no key must be known for none before it is read as one.

use super::digits::Alphabet;
use super::domain_codec::{Presentation, WidePresentation};
use super::form::{Form, FormName, WideForm};
use super::permutation::Permutation;

/// The texts that are keys of a column: all others have no id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KeyTexts {
    /// Integers in one of these ranges, first and last, in their shortest spelling.
    Integers(Vec<(i64, i64)>),
    /// What matches this advanced regular expression of Postgres as a whole. It has no capturing
    /// group, no quote and no backslash.
    Matching(String),
}

/// Values of `uuid` that are reserved for ids that were never issued.
const RESERVED: &str = "(?!00000000-0000-0000-)";

/// What the digits of sixteen bytes must be.
pub(super) struct Digits {
    /// The first.
    pub(super) first: &'static str,
    /// The one of the version, and of the variant.
    pub(super) version: String,
    pub(super) variant: &'static str,
}

impl Digits {
    pub(super) fn any() -> Self {
        Self {
            first: "[0-9a-f]",
            version: "[0-9a-f]".to_owned(),
            variant: "[0-9a-f]",
        }
    }
}

impl Permutation {
    /// The texts of its keys; `None` of keys that are bytes.
    pub(super) fn key_texts(&self) -> Option<KeyTexts> {
        let pattern = match self {
            Self::Integers { codec, keeps } => {
                let (low, high) = codec.bounds();
                return Some(KeyTexts::Integers(match keeps {
                    true if low > 1 => vec![(i64::MIN, 0), (low, high)],
                    true if low >= 0 => vec![(i64::MIN, high)],
                    _ => vec![(low, high)],
                }));
            }
            Self::IntegersAsBytes { .. } => {
                return Some(KeyTexts::Integers(vec![(i64::MIN, i64::MAX)]));
            }
            Self::Uuids { codec, inside, .. } => match inside {
                Presentation::Native => format!("{RESERVED}{}", uuid(&codec.digits())),
                Presentation::Text(form) => of_form(form, &codec.digits()),
            },
            Self::Wide { inside, .. } => match inside {
                WidePresentation::Native => return None,
                WidePresentation::Text(WideForm::Bytea) => {
                    "[[.backslash.]]x[0-9a-f]{64}".to_owned()
                }
                WidePresentation::Text(WideForm::Compact43) => {
                    format!("[A-Za-z0-9_-]{{42}}{}", last_digit(4))
                }
            },
            Self::Sessions(_) => {
                "(?:[0-9a-f]{10}[a-z2-7]{27}[aq]V[0-9a-f]|[0-9a-f]{40})".to_owned()
            }
        };
        Some(KeyTexts::Matching(format!("^{pattern}$")))
    }
}

fn uuid(digits: &Digits) -> String {
    let Digits {
        first,
        version,
        variant,
    } = digits;
    format!(
        "{first}[0-9a-f]{{7}}-[0-9a-f]{{4}}-{version}[0-9a-f]{{3}}-{variant}[0-9a-f]{{3}}-[0-9a-f]{{12}}"
    )
}

/// Sixteen bytes in a form. What a codec asks of their digits is only seen where four bits are one.
fn of_form(form: &Form, digits: &Digits) -> String {
    let prefix = form.prefix().replace('.', "[.]");
    let text = match form.name() {
        FormName::Uuid => uuid(digits),
        FormName::Hex => {
            let Digits {
                first,
                version,
                variant,
            } = digits;
            format!("{first}[0-9a-f]{{11}}{version}[0-9a-f]{{3}}{variant}[0-9a-f]{{15}}")
        }
        FormName::Ulid => "[0-7][0-9A-HJKMNP-TV-Z]{25}".to_owned(),
        FormName::TypeId => "[0-7][0-9a-hjkmnp-tv-z]{25}".to_owned(),
        FormName::Compact => format!("[A-Za-z0-9_-]{{21}}{}", last_digit(16)),
        FormName::Base62 => at_most(&{
            let mut largest = String::new();
            Form::bare(FormName::Base62).render([0xff; 16], &mut largest);
            largest
        }),
    };
    format!("{prefix}{text}")
}

/// The last digit of base64url where some of its bits fill it up.
fn last_digit(step: usize) -> String {
    let digits = (0..64).step_by(step);
    let digits = digits.map(|digit| char::from(Alphabet::Base64Url.character(digit)));
    format!("[{}]", digits.collect::<String>())
}

/// Numbers in base 62 with as many digits as this one and not larger.
fn at_most(largest: &str) -> String {
    let mut cases = vec![largest.to_owned()];
    for (at, digit) in largest.bytes().enumerate() {
        let (head, rest) = largest.split_at(at);
        let below = match digit {
            b'0' => continue,
            b'1'..=b'9' => format!("[0-{}]", char::from(digit - 1)),
            b'A' => "[0-9]".to_owned(),
            b'B'..=b'Z' => format!("[0-9A-{}]", char::from(digit - 1)),
            b'a' => "[0-9A-Z]".to_owned(),
            _ => format!("[0-9A-Za-{}]", char::from(digit - 1)),
        };
        cases.push(format!("{head}{below}[0-9A-Za-z]{{{}}}", rest.len() - 1));
    }
    format!("(?:{})", cases.join("|"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_bounded_by_their_digits() {
        assert_eq!(at_most("70"), "(?:70|[0-6][0-9A-Za-z]{1})");
        let two = "(?:Bc|[0-9A-A][0-9A-Za-z]{1}|B[0-9A-Za-b][0-9A-Za-z]{0})";
        assert_eq!(at_most("Bc"), two);
    }

    #[test]
    fn the_last_digit_has_bits_of_its_own_and_zeros() {
        assert_eq!(last_digit(16), "[AQgw]");
        assert_eq!(last_digit(4), "[AEIMQUYcgkosw048]");
    }

    #[test]
    fn no_expression_has_a_group_a_quote_or_a_backslash() {
        for name in [
            FormName::Uuid,
            FormName::Hex,
            FormName::Ulid,
            FormName::TypeId,
            FormName::Compact,
            FormName::Base62,
        ] {
            let pattern = of_form(&Form::bare(name), &Digits::any());
            let groups = pattern.matches('(').count() - pattern.matches("(?").count();
            assert_eq!(groups, 0, "{pattern}");
            assert!(!pattern.contains(['\'', '\\', '$']), "{pattern}");
        }
    }
}
