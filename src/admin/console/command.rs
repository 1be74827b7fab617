//! The words that the console takes, in any case and with any blanks between them.

/// What can be shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum List {
    Sessions,
    Statements,
    Domains,
    Keys,
    Config,
    Version,
    Help,
}

/// A command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Command {
    Show(List),
    Reload,
    Drain,
    Recycle,
    /// The number of the session.
    Kill(u64),
    /// A transaction begins, of which there is nothing but its state: drivers open one by themselves.
    Begin,
    Commit,
    Rollback,
}

/// A word that is none of these, and where it stands, in characters from 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SyntaxError {
    /// `None` at the end of the text.
    pub(super) near: Option<String>,
    pub(super) position: usize,
}

/// What `SHOW HELP` shows: a command, and what it does.
pub(super) const HELP: &[(&str, &str)] = &[
    (
        "SHOW SESSIONS",
        "each session: whose it is, its state, how many statements",
    ),
    (
        "SHOW STATEMENTS",
        "statements that were refused or observed, by shape",
    ),
    (
        "SHOW DOMAINS",
        "id domains: encoded, decoded and unknown ids",
    ),
    (
        "SHOW KEYS",
        "keys of the ring by name, and what they still decode",
    ),
    ("SHOW CONFIG", "the settings that hold, without secrets"),
    ("SHOW VERSION", "the version of pgveil"),
    ("SHOW HELP", "this list"),
    ("RELOAD", "reads the configuration anew, as SIGHUP does"),
    ("DRAIN", "takes no more clients, and ends when all are gone"),
    ("RECYCLE", "ends the sessions of now, each when it is idle"),
    (
        "KILL number",
        "ends a session, as pg_terminate_backend does",
    ),
];

/// Reads the commands of a text, between semicolons.
pub(super) fn commands(text: &str) -> Result<Vec<Command>, SyntaxError> {
    let mut found = Vec::new();
    let mut start = 0;
    for part in text.split(';') {
        let words = words(part, start);
        start += part.chars().count() + 1;
        if !words.is_empty() {
            found.push(command(&words, start)?);
        }
    }
    Ok(found)
}

/// The words of a text that begins at a place, with their own places.
fn words(text: &str, start: usize) -> Vec<(&str, usize)> {
    let mut found = Vec::new();
    let mut at = start + 1;
    for word in text.split(char::is_whitespace) {
        if !word.is_empty() {
            found.push((word, at));
        }
        at += word.chars().count() + 1;
    }
    found
}

fn command(words: &[(&str, usize)], end: usize) -> Result<Command, SyntaxError> {
    let upper: Vec<String> = words
        .iter()
        .map(|(word, _)| word.to_ascii_uppercase())
        .collect();
    let upper: Vec<&str> = upper.iter().map(String::as_str).collect();
    let (command, length) = match *upper.as_slice() {
        ["SHOW", what, ..] => (list(what).map(Command::Show), 2),
        ["KILL", number, ..] => (number_of(number).map(Command::Kill), 2),
        ["RELOAD", ..] => (Some(Command::Reload), 1),
        ["DRAIN", ..] => (Some(Command::Drain), 1),
        ["RECYCLE", ..] => (Some(Command::Recycle), 1),
        ["START", "TRANSACTION", ..] => (Some(Command::Begin), 2),
        ["BEGIN", ..] => (Some(Command::Begin), 1),
        ["COMMIT" | "END", ..] => (Some(Command::Commit), 1),
        ["ROLLBACK" | "ABORT", ..] => (Some(Command::Rollback), 1),
        ["SHOW" | "KILL"] => (None, 2),
        _ => (None, 1),
    };
    let is_whole = command.is_some();
    let wrong = if is_whole { length } else { length - 1 };
    match command {
        Some(command) if words.len() <= length => Ok(command),
        _ => Err(match words.get(wrong) {
            Some((word, position)) => SyntaxError {
                near: Some(shortened(word)),
                position: *position,
            },
            None => SyntaxError {
                near: None,
                position: end,
            },
        }),
    }
}

fn list(word: &str) -> Option<List> {
    Some(match word {
        "SESSIONS" => List::Sessions,
        "STATEMENTS" => List::Statements,
        "DOMAINS" => List::Domains,
        "KEYS" => List::Keys,
        "CONFIG" => List::Config,
        "VERSION" => List::Version,
        "HELP" => List::Help,
        _ => return None,
    })
}

fn number_of(word: &str) -> Option<u64> {
    let is_number = word.bytes().all(|byte| byte.is_ascii_digit());
    word.parse().ok().filter(|_| is_number)
}

/// Enough of a word to know it by.
fn shortened(word: &str) -> String {
    word.chars().take(64).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_words_in_any_case() {
        let show = |list| Command::Show(list);
        for (text, expected) in [
            ("show sessions", vec![show(List::Sessions)]),
            ("  Show\n\tHELP ; ", vec![show(List::Help)]),
            (
                "KILL 7; reload;;drain",
                vec![Command::Kill(7), Command::Reload, Command::Drain],
            ),
            ("start transaction", vec![Command::Begin]),
            ("", vec![]),
        ] {
            assert_eq!(commands(text), Ok(expected), "{text}");
        }
    }

    #[test]
    fn what_is_none_is_told_with_its_place() {
        for (text, near, position) in [
            ("select 1", Some("select"), 1),
            ("show  tables", Some("tables"), 7),
            ("show sessions where x", Some("where"), 15),
            ("kill 7 8", Some("8"), 8),
            ("kill -1", Some("-1"), 6),
            ("kill +1", Some("+1"), 6),
            ("kill 18446744073709551616", Some("18446744073709551616"), 6),
            ("reload; nö it", Some("nö"), 9),
            ("show", None, 5),
        ] {
            let error = commands(text).unwrap_err();
            assert_eq!(
                (error.near.as_deref(), error.position),
                (near, position),
                "{text}"
            );
        }
    }

    #[test]
    fn all_that_is_shown_as_help_is_taken() {
        for (text, _) in HELP {
            assert!(commands(&text.replace("number", "1")).is_ok(), "{text}");
        }
    }
}
