//! `[auth.query]`: the statement that gives the verifier of a role, and the role that runs it.

use std::fmt;
use std::time::Duration;

use zeroize::Zeroizing;

use super::Environment;
use super::fault::Faults;
use super::keys::is_open_to_others;
use super::section::{At, Section};

/// Where verifiers come from if they don't stand in a file.
#[derive(Clone)]
#[non_exhaustive]
pub struct AuthQuery {
    /// The statement. `$1` is the role that wants to log in; the result is its name and its
    /// verifier, in one row, or nothing.
    pub statement: String,
    /// Who runs it.
    pub user: String,
    /// The database that is asked.
    pub database: String,
    /// What that role logs in with by SCRAM, if Postgres asks it for anything.
    pub password: Option<Zeroizing<String>>,
    /// For so long an answer holds.
    pub max_age: Duration,
    /// Whether Postgres must have the role proven, and not just trust pgveil.
    pub require_scram: bool,
}

impl fmt::Debug for AuthQuery {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "AuthQuery({} in {})", self.user, self.database)
    }
}

/// A password that was changed is known after a minute, or after one refused login.
const MAX_AGE: Duration = Duration::from_secs(60);

/// The mirror of the table.
#[derive(Debug)]
pub(super) struct Raw {
    pub(super) line: usize,
    statement: Option<At<String>>,
    user: Option<At<String>>,
    database: Option<At<String>>,
    env: Option<At<String>>,
    file: Option<At<String>>,
    max_age_s: Option<At<i64>>,
}

impl Raw {
    pub(super) fn read(parent: &mut Section<'_>, faults: &mut Faults<'_>) -> Option<Self> {
        let mut section = parent.section("query", faults)?;
        let raw = Self {
            line: section.line,
            statement: section.text("statement", faults),
            user: section.text("user", faults),
            database: section.text("database", faults),
            env: section.text("env", faults),
            file: section.text("file", faults),
            max_age_s: section.integer("max_age_s", faults),
        };
        section.finish(faults);
        Some(raw)
    }
}

/// Judges the table.
pub(super) fn check(
    raw: Raw,
    around: &Environment<'_>,
    faults: &mut Faults<'_>,
) -> Option<AuthQuery> {
    let mut needed = |text: Option<At<String>>, name: &str, advice: &str| {
        if text.is_none() {
            faults.add(raw.line, format!("[auth.query] has no {name}"), advice);
        }
        text
    };
    let statement = needed(
        raw.statement,
        "statement",
        "add statement = \"SELECT rolname, rolpassword FROM pg_authid WHERE rolname = $1\"",
    );
    let user = needed(
        raw.user,
        "user",
        "add user = \"…\": a role that may run the statement",
    );
    let statement = statement?;
    if !statement.value.contains("$1") {
        let advice = "write $1 where the name of the role belongs";
        faults.add(statement.line, "the statement names no role", advice);
        return None;
    }
    let max_age = match raw.max_age_s {
        None => MAX_AGE,
        Some(At { value, line }) => match u32::try_from(value) {
            Ok(seconds) => Duration::from_secs(seconds.into()),
            Err(_) => {
                let cause = format!("`max_age_s` can't be {value}");
                faults.add(line, cause, "write a number of seconds, 0 to ask each time");
                return None;
            }
        },
    };
    let password = password(raw.env, raw.file, around, faults)?;
    Some(AuthQuery {
        statement: statement.value,
        user: user?.value,
        database: raw
            .database
            .map_or_else(|| "postgres".to_owned(), |database| database.value),
        password,
        max_age,
        require_scram: true,
    })
}

/// The password, if there is one; the outer `None` if it can't be read.
#[expect(clippy::option_option, reason = "faulty, or left out")]
fn password(
    env: Option<At<String>>,
    file: Option<At<String>>,
    around: &Environment<'_>,
    faults: &mut Faults<'_>,
) -> Option<Option<Zeroizing<String>>> {
    let (line, text) = match (env, file) {
        (None, None) => return Some(None),
        (Some(env), Some(_)) => {
            let cause = "[auth.query] has two sources of a password";
            faults.add(env.line, cause, "remove env or file");
            return None;
        }
        (Some(env), None) => {
            let cause = format!("the environment variable {} is not set", env.value);
            (env.line, (around.env)(&env.value).ok_or(cause))
        }
        (None, Some(file)) => {
            let path = around.folder.join(&file.value);
            if is_open_to_others(&path) {
                let shown = path.display();
                let cause = format!("[auth.query]: {shown} is open to the group or to others");
                faults.warn(file.line, cause, format!("chmod 600 {shown}"));
            }
            let text = std::fs::read_to_string(&path);
            let cause = |error| format!("cannot read {}: {error}", path.display());
            (file.line, text.map_err(cause))
        }
    };
    let text = match text {
        Ok(text) => Zeroizing::new(text),
        Err(cause) => {
            let advice = "give the password of the role that runs the statement";
            faults.add(line, cause, advice);
            return None;
        }
    };
    let text = Zeroizing::new(text.trim_end_matches(['\r', '\n']).to_owned());
    // SCRAM prepares others by the rules of SASLprep.
    if text.is_empty() || !text.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
        let cause = "the password is empty, or has characters beyond ASCII";
        faults.add(line, cause, "give the role another password");
        return None;
    }
    Some(Some(text))
}
