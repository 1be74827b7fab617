//! Variables of the environment in values: `${NAME}`, and `${NAME:-default}` for what holds without
//! it. `$${` stands for the two characters `${`.

use std::borrow::Cow;

/// Why a value has no meaning.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum NoValue<'t> {
    /// The variable of this name is not set.
    Unset(&'t str),
    /// What follows `${` is no name and no `}`.
    Malformed,
}

/// Puts the values of variables in the place of their names.
pub(super) fn expand<'t>(
    text: &'t str,
    env: &dyn Fn(&str) -> Option<String>,
) -> Result<Cow<'t, str>, NoValue<'t>> {
    if !text.contains("${") {
        return Ok(Cow::Borrowed(text));
    }
    let (mut expanded, mut rest) = (String::new(), text);
    while let Some((before, behind)) = rest.split_once("${") {
        if let Some(before) = before.strip_suffix('$') {
            expanded.push_str(before);
            expanded.push_str("${");
            rest = behind;
            continue;
        }
        let (inside, behind) = behind.split_once('}').ok_or(NoValue::Malformed)?;
        let (name, default) = match inside.split_once(":-") {
            Some((name, default)) => (name, Some(default)),
            None => (inside, None),
        };
        if !is_name(name) {
            return Err(NoValue::Malformed);
        }
        // As in a shell, what is empty is as good as unset where there is a default.
        let value = env(name).filter(|value| default.is_none() || !value.is_empty());
        let value = value.or_else(|| default.map(str::to_owned));
        expanded.push_str(before);
        expanded.push_str(&value.ok_or(NoValue::Unset(name))?);
        rest = behind;
    }
    expanded.push_str(rest);
    Ok(Cow::Owned(expanded))
}

/// Whether a shell would take this for the name of a variable.
fn is_name(text: &str) -> bool {
    let mut bytes = text.bytes();
    let first = bytes.next();
    first.is_some_and(|byte| byte == b'_' || byte.is_ascii_alphabetic())
        && bytes.all(|byte| byte == b'_' || byte.is_ascii_alphanumeric())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expanded(text: &str) -> Result<String, NoValue<'_>> {
        let env = |name: &str| match name {
            "HOST" => Some("db".to_owned()),
            "_P1" => Some("54${HOST}".to_owned()),
            "EMPTY" => Some(String::new()),
            _ => None,
        };
        expand(text, &env).map(Cow::into_owned)
    }

    #[test]
    fn names_are_replaced_once_and_by_defaults_where_nothing_is_set() {
        for (text, wanted) in [
            ("plain $HOST $ {HOST}", "plain $HOST $ {HOST}"),
            ("${HOST}:${_P1}", "db:54${HOST}"),
            ("${PORT:-5432}", "5432"),
            ("${EMPTY:-5432}", "5432"),
            ("a${EMPTY}b", "ab"),
            ("${PORT:-}", ""),
            ("${HOST:-other}", "db"),
            ("$${HOST} ${HOST}", "${HOST} db"),
            ("${HOST}$", "db$"),
        ] {
            assert_eq!(expanded(text), Ok(wanted.to_owned()), "{text}");
        }
        assert_eq!(expanded("${PORT}"), Err(NoValue::Unset("PORT")));
        for text in ["${HOST", "${}", "${1A}", "${A-B}", "${ HOST}", "${:-x}"] {
            assert_eq!(expanded(text), Err(NoValue::Malformed), "{text}");
        }
    }
}
