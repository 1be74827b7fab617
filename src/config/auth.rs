//! `[auth]`: who authenticates clients. Where pgveil does, the SCRAM verifiers of the roles come
//! from a file or a query; there is never a password of a client.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use data_encoding::BASE64;
use zeroize::Zeroizing;

use super::Environment;
use super::auth_query::{self, AuthQuery};
use super::check::choice;
use super::fault::Faults;
use super::keys::is_open_to_others;
use super::name::MAX_NAME_BYTES;
use super::section::{At, Section};

/// What `pg_authid.rolpassword` begins with for a password that SCRAM can use.
const SCRAM: &str = "SCRAM-SHA-256$";

/// Who authenticates clients.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub enum Auth {
    /// Postgres: every message is passed on.
    #[default]
    PassThrough,
    /// pgveil, by SCRAM on each leg.
    Verifier(Arc<Verifiers>),
    /// pgveil, by SCRAM on each leg with the verifiers that a query gives.
    Query(Arc<AuthQuery>),
}

impl Auth {
    /// Whether a client proves its password to Postgres itself.
    #[must_use]
    pub fn passes_through(&self) -> bool {
        matches!(self, Self::PassThrough)
    }
}

/// The verifiers by the name of the role.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Verifiers {
    by_role: HashMap<Box<[u8]>, Verifier>,
    /// What each of them has, ascending.
    iterations: Vec<u32>,
    /// Whether Postgres must have the role proven, and not just trust pgveil.
    pub require_scram: bool,
}

/// What a server stores instead of a password (RFC 5803).
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Verifier {
    /// How often the password was hashed.
    pub iterations: u32,
    /// With what it was hashed.
    pub salt: Box<[u8]>,
    /// The hash of the ClientKey: checks the proof of the client.
    pub stored_key: [u8; 32],
    /// Proves the server. Who has it can pose as the server to this role.
    pub server_key: Zeroizing<[u8; 32]>,
}

impl fmt::Debug for Verifier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Verifier({} iterations)", self.iterations)
    }
}

impl Verifiers {
    /// The verifier of a role.
    #[must_use]
    pub fn of(&self, role: &[u8]) -> Option<&Verifier> {
        self.by_role.get(role)
    }

    /// How often the password of a role that is not here would have been hashed, if it were one of
    /// these: always as often for one name, and as often as passwords are hashed here.
    #[must_use]
    pub fn iterations_of(&self, role: &[u8]) -> u32 {
        let sum = role.iter().fold(0xcbf2_9ce4_8422_2325_u64, |sum, byte| {
            (sum ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
        });
        let count = self.iterations.len().max(1) as u64;
        let at = usize::try_from((sum >> 17) % count).unwrap_or_default();
        self.iterations.get(at).copied().unwrap_or(4096)
    }

    /// Reads one role a line: `role:SCRAM-SHA-256$…`, or `"role" "SCRAM-SHA-256$…"` as in
    /// PgBouncer's file. Empty lines and those that begin with `#` or `;` say nothing.
    ///
    /// # Errors
    /// The first line that is neither, from 1, and what is wrong with it.
    fn parse(text: &str) -> Result<Self, (usize, &'static str)> {
        let mut by_role = HashMap::new();
        for (index, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with(['#', ';']) {
                continue;
            }
            let fault = |cause| (index + 1, cause);
            let (role, password) = role_and_password(line)
                .ok_or_else(|| fault("is neither role:verifier nor \"role\" \"verifier\""))?;
            let verifier = Verifier::parse(password)
                .ok_or_else(|| fault("has a password that is no verifier of SCRAM-SHA-256"))?;
            if role.len() > MAX_NAME_BYTES {
                return Err(fault("names a role that Postgres would cut to 63 bytes"));
            }
            let role = role.into_bytes().into_boxed_slice();
            if by_role.insert(role, verifier).is_some() {
                return Err(fault("names a role for the second time"));
            }
        }
        let mut iterations: Vec<u32> = by_role.values().map(|of| of.iterations).collect();
        iterations.sort_unstable();
        Ok(Self {
            by_role,
            iterations,
            require_scram: true,
        })
    }
}

fn role_and_password(line: &str) -> Option<(String, &str)> {
    let Some(quoted) = line.strip_prefix('"') else {
        // A name may hold colons, a verifier may too: the first of its words tells them apart.
        let at = line.find(&format!(":{SCRAM}")).or_else(|| line.find(':'))?;
        let (role, password) = line.split_at(at);
        return Some((role.to_owned(), &password[1..]));
    };
    let mut role = String::new();
    let mut rest = quoted;
    loop {
        let (part, after) = rest.split_once('"')?;
        role.push_str(part);
        // "" stands for one quote.
        let Some(more) = after.strip_prefix('"') else {
            let password = after.trim_start().strip_prefix('"')?.strip_suffix('"')?;
            return Some((role, password));
        };
        role.push('"');
        rest = more;
    }
}

impl Verifier {
    /// Reads `SCRAM-SHA-256$iterations:salt$StoredKey:ServerKey`.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (costs, keys) = text.strip_prefix(SCRAM)?.split_once('$')?;
        let (iterations, salt) = costs.split_once(':')?;
        let (stored, server) = keys.split_once(':')?;
        let key = |text: &str| <[u8; 32]>::try_from(BASE64.decode(text.as_bytes()).ok()?).ok();
        let salt = BASE64.decode(salt.as_bytes()).ok()?;
        Some(Self {
            iterations: iterations.parse().ok().filter(|count| *count > 0)?,
            salt: Some(salt).filter(|salt| !salt.is_empty())?.into(),
            stored_key: key(stored)?,
            server_key: Zeroizing::new(key(server)?),
        })
    }
}

/// The mirror of `[auth]`.
#[derive(Debug)]
pub(super) struct Raw {
    line: usize,
    mode: Option<At<String>>,
    file: Option<At<String>>,
    require_scram: Option<At<bool>>,
    query: Option<auth_query::Raw>,
}

impl Raw {
    pub(super) fn read(section: &mut Section<'_>, faults: &mut Faults<'_>) -> Self {
        Self {
            line: section.line,
            mode: section.text("mode", faults),
            file: section.text("file", faults),
            require_scram: section.boolean("require_scram", faults),
            query: auth_query::Raw::read(section, faults),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    PassThrough,
    Verifier,
}

/// Judges `[auth]`.
pub(super) fn check(
    raw: Option<Raw>,
    around: &Environment<'_>,
    faults: &mut Faults<'_>,
) -> Option<Auth> {
    let Some(raw) = raw else {
        return Some(Auth::PassThrough);
    };
    let modes = [
        ("pass-through", Mode::PassThrough),
        ("verifier", Mode::Verifier),
    ];
    let mode = match raw.mode {
        None => Mode::PassThrough,
        mode => choice(mode, "auth.mode", &modes, faults)?,
    };
    if let (Mode::PassThrough, Some(required)) = (mode, &raw.require_scram) {
        let cause = "nobody but Postgres knows how a client is authenticated by it";
        let advice = "write mode = \"verifier\", or remove require_scram";
        faults.add(required.line, cause, advice);
        return None;
    }
    let require_scram = raw.require_scram.is_none_or(|required| required.value);
    match (mode, raw.query, &raw.file) {
        (_, None, _) => {}
        (Mode::PassThrough, Some(query), _) => {
            let cause = "nobody asks for verifiers while authentication is passed through";
            let advice = "write mode = \"verifier\", or remove [auth.query]";
            faults.add(query.line, cause, advice);
            return None;
        }
        (Mode::Verifier, Some(query), Some(_)) => {
            let cause = "[auth] has a file of verifiers and a query for them";
            faults.add(query.line, cause, "remove file, or [auth.query]");
            return None;
        }
        (Mode::Verifier, Some(query), None) => {
            let mut query = auth_query::check(query, around, faults)?;
            query.require_scram = require_scram;
            return Some(Auth::Query(Arc::new(query)));
        }
    }
    match (mode, raw.file) {
        (Mode::Verifier, Some(file)) => {
            let mut verifiers = read(&file, around, faults)?;
            verifiers.require_scram = require_scram;
            Some(Auth::Verifier(Arc::new(verifiers)))
        }
        (Mode::Verifier, None) => {
            let cause = "[auth] says mode = \"verifier\", but not where the verifiers are";
            let advice = "add file = \"FILE\" with a line role:SCRAM-SHA-256$… for each role; \
                          pg_authid.rolpassword has them; or an [auth.query]";
            faults.add(raw.line, cause, advice);
            None
        }
        (Mode::PassThrough, Some(file)) => {
            let cause = "nobody uses the verifiers while authentication is passed through";
            faults.add(
                file.line,
                cause,
                "write mode = \"verifier\", or remove file",
            );
            None
        }
        (Mode::PassThrough, None) => Some(Auth::PassThrough),
    }
}

fn read(file: &At<String>, around: &Environment<'_>, faults: &mut Faults<'_>) -> Option<Verifiers> {
    let path = around.folder.join(&file.value);
    if is_open_to_others(&path) {
        let shown = path.display();
        let cause = format!("[auth]: {shown} is open to the group or to others");
        faults.warn(file.line, cause, format!("chmod 600 {shown}"));
    }
    let text = match std::fs::read_to_string(&path) {
        Ok(text) => Zeroizing::new(text),
        Err(error) => {
            let cause = format!("cannot read {}: {error}", path.display());
            let advice = "name a file that this user can read; relative paths start at the \
                          configuration file";
            faults.add(file.line, cause, advice);
            return None;
        }
    };
    match Verifiers::parse(&text) {
        Ok(verifiers) => Some(verifiers),
        Err((line, cause)) => {
            let cause = format!("line {line} of {} {cause}", file.value);
            let advice = "write role:SCRAM-SHA-256$iterations:salt$StoredKey:ServerKey; a role \
                          with another kind of password needs it set anew, with \
                          password_encryption = 'scram-sha-256'";
            faults.add(file.line, cause, advice);
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of RFC 7677, as Postgres stores it.
    const PENCIL: &str = "SCRAM-SHA-256$4096:W22ZaJ0SNY7soEsUEjb6gQ==$\
                          WG5d8oPm3OtcPnkdi4Uo7BkeZkBFzpcXkuLmtbsT4qY=:\
                          wfPLwcE6nTWhTAmQ7tl2KeoiWGPlZqQxSrmfPwDl2dU=";

    #[test]
    fn reads_lines_of_both_kinds() {
        let text = format!(
            "# roles\n\nann:{PENCIL}\na:b:{PENCIL}\n\"say \"\"hi\"\"\" \"{PENCIL}\"\n; end\n"
        );
        let verifiers = Verifiers::parse(&text).unwrap();
        for role in ["ann", "a:b", "say \"hi\""] {
            let verifier = verifiers.of(role.as_bytes()).expect(role);
            assert_eq!((verifier.iterations, verifier.salt.len()), (4096, 16));
        }
        assert!(verifiers.of(b"nobody").is_none());
    }

    #[test]
    fn an_unknown_role_has_as_many_iterations_as_one_that_is_known() {
        let many = PENCIL.replace("$4096:", "$600000:");
        let mut text = String::new();
        for number in 0..10 {
            let verifier = if number < 7 { &many } else { PENCIL };
            text.push_str(&format!("role{number}:{verifier}\n"));
        }
        let verifiers = Verifiers::parse(&text).unwrap();
        let counts: Vec<u32> = (0..1000)
            .map(|number| verifiers.iterations_of(format!("unknown{number}").as_bytes()))
            .collect();
        let frequent = counts.iter().filter(|count| **count == 600_000).count();
        let rare = counts.iter().filter(|count| **count == 4096).count();
        assert_eq!(frequent + rare, 1000);
        assert!((600..800).contains(&frequent), "{frequent}");
        let none = Verifiers::parse("").unwrap();
        assert_eq!(none.iterations_of(b"unknown"), 4096);
    }

    #[test]
    fn names_the_line_of_what_it_cannot_use() {
        let line = |text: &str| Verifiers::parse(text).unwrap_err().0;
        assert_eq!(line(&format!("ann:{PENCIL}\nbob:md5abc\n")), 2);
        assert_eq!(line(&format!("ann:{PENCIL}\nann:{PENCIL}\n")), 2);
        assert_eq!(line(&format!("{}:{PENCIL}\n", "a".repeat(64))), 1);
        assert!(Verifiers::parse(&format!("{}:{PENCIL}\n", "a".repeat(63))).is_ok());
        assert_eq!(line("ann\n"), 1);
        assert_eq!(line("\"ann\" secret\n"), 1);
        for end in 0..PENCIL.len() {
            assert!(Verifier::parse(&PENCIL[..end]).is_none(), "{end}");
        }
        assert!(Verifier::parse(&PENCIL.replace("4096", "0")).is_none());
    }

    #[test]
    fn shows_no_key() {
        let shown = format!("{:?}", Verifiers::parse(&format!("ann:{PENCIL}")).unwrap());
        assert!(
            !shown.contains("stored_key") && !shown.contains("server_key"),
            "{shown}"
        );
    }
}
