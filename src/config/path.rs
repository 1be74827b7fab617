//! Paths to values inside JSON documents, as the configuration writes them.

/// From a JSON value to one inside.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum PathStep {
    /// `.name` or `."a name"`: the member of an object.
    Member(String),
    /// `[*]`: every element of an array.
    Elements,
}

/// Reads `$.a."b c"[*]`; `$` is the document itself.
pub(super) fn steps(text: &str) -> Option<Vec<PathStep>> {
    let mut rest = text.strip_prefix('$')?;
    let mut steps = Vec::new();
    while !rest.is_empty() {
        if let Some(behind) = rest.strip_prefix("[*]") {
            steps.push(PathStep::Elements);
            rest = behind;
            continue;
        }
        let behind = rest.strip_prefix('.')?;
        let (name, behind) = match behind.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"')?,
            None => behind.split_at(behind.find(['.', '[']).unwrap_or(behind.len())),
        };
        let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
        let is_quoted = rest.starts_with(".\"");
        if name.is_empty() || !is_quoted && !name.chars().all(is_plain) {
            return None;
        }
        steps.push(PathStep::Member(name.to_owned()));
        rest = behind;
    }
    Some(steps)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn member(name: &str) -> PathStep {
        PathStep::Member(name.to_owned())
    }

    #[test]
    fn a_path_is_read_step_by_step() {
        for (text, expected) in [
            ("$", vec![]),
            ("$.user.id", vec![member("user"), member("id")]),
            ("$[*]", vec![PathStep::Elements]),
            (
                "$.a[*][*].b",
                vec![
                    member("a"),
                    PathStep::Elements,
                    PathStep::Elements,
                    member("b"),
                ],
            ),
            ("$.\"a. b\".c", vec![member("a. b"), member("c")]),
        ] {
            assert_eq!(steps(text), Some(expected), "{text}");
        }
        for text in [
            "", "a", "$a", "$.", "$..a", "$[0]", "$.a[", "$.a b", "$.\"a", "$.*",
        ] {
            assert_eq!(steps(text), None, "{text}");
        }
    }
}
