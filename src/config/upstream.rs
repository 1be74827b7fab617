//! `[upstream]`: the hosts of Postgres, and which of them a session may be on.

use std::fmt;

use super::check::choice;
use super::fault::Faults;
use super::section::At;
use super::{Address, Environment, UpstreamTls, raw, tls};

const POSTGRES_PORT: u16 = 5432;

/// Where Postgres is, as an advice.
const ADVICE: &str = "add [upstream] with address = \"127.0.0.1:5432\"";

/// The hosts of Postgres, and which of them sessions may be on.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Upstream {
    /// At least one, each once, in the order of preference.
    pub addresses: Vec<Address>,
    /// What a host must be.
    pub target: TargetSession,
    /// As what Postgres knows the sessions.
    pub application_name: ApplicationName,
}

/// What Postgres sees as the `application_name` of a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum ApplicationName {
    /// What the client says.
    #[default]
    Keep,
    /// What the client says and the client's address.
    AppendPeer,
}

/// What a host must be for a session to be on it: the words of libpq's `target_session_attrs`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum TargetSession {
    /// Anything.
    #[default]
    Any,
    /// It takes transactions that write.
    ReadWrite,
    /// It takes none, unless a transaction says so.
    ReadOnly,
    /// No standby.
    Primary,
    /// A standby.
    Standby,
    /// A standby, as long as one can be had.
    PreferStandby,
}

impl TargetSession {
    /// The words.
    pub(crate) const WORDS: [(&str, Self); 6] = [
        ("any", Self::Any),
        ("read-write", Self::ReadWrite),
        ("read-only", Self::ReadOnly),
        ("primary", Self::Primary),
        ("standby", Self::Standby),
        ("prefer-standby", Self::PreferStandby),
    ];

    /// The word for it in the file.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        let mut words = Self::WORDS.into_iter();
        words
            .find(|(_, target)| *target == self)
            .map_or("any", |(word, _)| word)
    }
}

impl fmt::Display for Upstream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let addresses: Vec<String> = self.addresses.iter().map(ToString::to_string).collect();
        f.write_str(&addresses.join(", "))
    }
}

/// Judges `[upstream]`; nothing, where no host is named that can be used.
pub(super) fn check(
    raw: raw::Upstream,
    authenticates: bool,
    around: &Environment<'_>,
    faults: &mut Faults<'_>,
) -> (Option<Upstream>, Option<UpstreamTls>) {
    let line = raw.line.unwrap_or(1);
    let addresses = addresses(raw.address, raw.addresses, line, faults);
    let target = choice(
        raw.target_session_attrs,
        "upstream.target_session_attrs",
        &TargetSession::WORDS,
        faults,
    );
    let names = [
        ("keep", ApplicationName::Keep),
        ("append-peer", ApplicationName::AppendPeer),
    ];
    let application_name = choice(
        raw.application_name,
        "upstream.application_name",
        &names,
        faults,
    );
    let tls = tls::upstream(raw.tls, &addresses, authenticates, around, faults);
    let upstream = Upstream {
        addresses,
        target: target.unwrap_or_default(),
        application_name: application_name.unwrap_or_default(),
    };
    ((!upstream.addresses.is_empty()).then_some(upstream), tls)
}

fn addresses(
    one: Option<At<String>>,
    several: Option<At<Vec<At<String>>>>,
    line: usize,
    faults: &mut Faults<'_>,
) -> Vec<Address> {
    let texts = match (one, several) {
        (Some(one), Some(several)) => {
            let cause = "`upstream.address` and `upstream.addresses` are both given";
            let advice = "keep one of them: `address` is for one host, `addresses` for several";
            faults.add(several.line.max(one.line), cause, advice);
            return Vec::new();
        }
        (Some(one), None) => vec![one],
        (None, Some(several)) if several.value.is_empty() => {
            let advice = "name at least one address, such as \"127.0.0.1:5432\"";
            faults.add(several.line, "`upstream.addresses` is empty", advice);
            return Vec::new();
        }
        (None, Some(several)) => several.value,
        (None, None) => {
            faults.add(line, "it does not say where Postgres is", ADVICE);
            return Vec::new();
        }
    };
    let mut addresses = Vec::new();
    for text in &texts {
        let Some(address) = super::check::address(text, POSTGRES_PORT, faults) else {
            continue;
        };
        if addresses.contains(&address) {
            let cause = format!("`{}` is named twice", text.value);
            faults.add(text.line, cause, "name each host once");
        } else {
            addresses.push(address);
        }
    }
    addresses
}
