//! Where a server is and who may enter: read from a connection URL and written as one. Knows the
//! part of libpq's URLs that has one TCP host; lists of hosts and Unix sockets in URLs are
//! refused.

use std::fmt::Write as _;

use super::Reason;

/// Address and superuser of a server.
#[derive(Clone)]
pub(super) struct Address {
    pub(super) host: String,
    pub(super) port: u16,
    pub(super) user: String,
    pub(super) password: Option<String>,
    /// What follows `?` in a URL that was given to us, for example `sslmode=require`.
    parameters: Option<String>,
}

impl Address {
    pub(super) fn local(port: u16, user: &str, password: Option<String>) -> Self {
        Self {
            host: "127.0.0.1".to_owned(),
            port,
            user: user.to_owned(),
            password,
            parameters: None,
        }
    }

    /// Reads `postgres://user:password@host:port/database?parameters`. The database is not kept:
    /// callers name their own.
    pub(super) fn parse(url: &str) -> Result<Self, Reason> {
        let parsed = || {
            let rest = url
                .strip_prefix("postgres://")
                .or_else(|| url.strip_prefix("postgresql://"))?;
            let (rest, parameters) = match rest.split_once('?') {
                Some((rest, parameters)) => (rest, Some(parameters.to_owned())),
                None => (rest, None),
            };
            let authority = rest
                .split_once('/')
                .map_or(rest, |(authority, _)| authority);
            let (login, place) = authority
                .rsplit_once('@')
                .unwrap_or(("postgres", authority));
            let (user, password) = match login.split_once(':') {
                Some((user, password)) => (decode(user)?, Some(decode(password)?)),
                None => (decode(login)?, None),
            };
            let (host, port) = split_port(place)?;
            Some(Self {
                host: decode(host)?,
                port,
                user,
                password,
                parameters,
            })
        };
        parsed()
            .filter(|address| !address.host.is_empty())
            .ok_or(Reason::MalformedUrl)
    }

    /// The URL of one database of the server.
    pub(super) fn url(&self, database: &str) -> String {
        let mut url = format!("postgres://{}", encode(&self.user));
        if let Some(password) = &self.password {
            let _ = write!(url, ":{}", encode(password));
        }
        let host = if self.host.contains(':') {
            format!("[{}]", self.host)
        } else {
            encode(&self.host)
        };
        let _ = write!(url, "@{host}:{}/{}", self.port, encode(database));
        if let Some(parameters) = &self.parameters {
            let _ = write!(url, "?{parameters}");
        }
        url
    }
}

/// `host:port`, `host`, `[::1]:port` or `[::1]`.
fn split_port(place: &str) -> Option<(&str, u16)> {
    let (host, port) = match place.strip_prefix('[') {
        Some(rest) => rest.split_once(']')?,
        None => place.find(':').map_or((place, ""), |at| place.split_at(at)),
    };
    let port = match port.strip_prefix(':') {
        Some(digits) => digits.parse().ok()?,
        None if port.is_empty() => 5432,
        None => return None,
    };
    Some((host, port))
}

/// Writes everything but RFC 3986's unreserved characters as `%XX`.
fn encode(text: &str) -> String {
    text.bytes()
        .fold(String::with_capacity(text.len()), |mut out, byte| {
            if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
                out.push(char::from(byte));
            } else {
                let _ = write!(out, "%{byte:02X}");
            }
            out
        })
}

fn decode(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        rest = after;
        if *first == b'%' {
            let digits = std::str::from_utf8(rest.get(..2)?).ok()?;
            bytes.push(u8::from_str_radix(digits, 16).ok()?);
            rest = rest.get(2..)?;
        } else {
            bytes.push(*first);
        }
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_keeps_all_but_its_database() {
        let address =
            Address::parse("postgresql://o%40k:p%2Fw%25@db.example:6543/first?sslmode=require")
                .unwrap();
        assert_eq!(
            (address.user.as_str(), address.password.as_deref()),
            ("o@k", Some("p/w%"))
        );
        assert_eq!((address.host.as_str(), address.port), ("db.example", 6543));
        assert_eq!(
            address.url("my db"),
            "postgres://o%40k:p%2Fw%25@db.example:6543/my%20db?sslmode=require"
        );
    }

    #[test]
    fn user_port_and_database_may_be_left_out() {
        let address = Address::parse("postgres://[::1]").unwrap();
        assert_eq!(
            address.url("postgres"),
            "postgres://postgres@[::1]:5432/postgres"
        );
    }

    #[test]
    fn refuses_what_is_no_url_of_one_host() {
        for url in [
            "",
            "mysql://h/db",
            "postgres://",
            "postgres:///db",
            "postgres://h:x/db",
            "postgres://u:%zz@h/db",
            "postgres://h:1,h:2/db",
        ] {
            assert!(
                matches!(Address::parse(url), Err(Reason::MalformedUrl)),
                "{url}"
            );
        }
    }
}
