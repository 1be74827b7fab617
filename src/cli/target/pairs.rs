//! A connection string as libpq reads it: a URL, or `name = value` pairs. Gives what each keyword is
//! said to be, in the order of the text; the meaning of the keywords is the matter of
//! [`super::keywords`].

use percent_encoding::percent_decode_str;

use crate::cli::CliError;

type Pairs = Vec<(String, String)>;

/// The pairs of a connection string.
pub(super) fn read(text: &str) -> Result<Pairs, CliError> {
    let of_url = ["postgres://", "postgresql://"];
    match of_url.iter().find_map(|scheme| text.strip_prefix(scheme)) {
        Some(rest) => url(rest),
        None if is_url(text) => {
            let advice = "write postgres:// in front, without the name of a driver";
            Err(fault("is a URL of another scheme", advice))
        }
        None => plain(text),
    }
}

/// Whether a text begins as a URL does, where a keyword would be.
fn is_url(text: &str) -> bool {
    let of_name = |char: &char| *char != '=' && !char.is_ascii_whitespace();
    let front: String = text.trim_start().chars().take_while(of_name).collect();
    front.contains("://")
}

fn fault(cause: &str, advice: &str) -> CliError {
    CliError::connection(format!("the connection string {cause}"), advice.to_owned())
}

/// `user:password@host:port,host:port/database?name=value&…`, each part as it is left out.
fn url(text: &str) -> Result<Pairs, CliError> {
    let (head, query) = match text.split_once('?') {
        Some((head, query)) => (head, Some(query)),
        None => (text, None),
    };
    let (authority, database) = match head.split_once('/') {
        Some((authority, database)) => (authority, Some(database)),
        None => (head, None),
    };
    let (identity, hosts) = match authority.rsplit_once('@') {
        Some((identity, hosts)) => (Some(identity), hosts),
        None => (None, authority),
    };
    let mut pairs = Vec::new();
    if let Some(identity) = identity {
        let (user, password) = identity.split_once(':').unwrap_or((identity, ""));
        for (name, value) in [("user", user), ("password", password)] {
            if !value.is_empty() {
                pairs.push((name.to_owned(), decoded(value)?));
            }
        }
    }
    if !hosts.is_empty() {
        let (hosts, ports) = places(hosts)?;
        pairs.push(("host".to_owned(), hosts));
        pairs.push(("port".to_owned(), ports));
    }
    if let Some(database) = database.filter(|name| !name.is_empty()) {
        pairs.push(("dbname".to_owned(), decoded(database)?));
    }
    for pair in query.into_iter().flat_map(|query| query.split('&')) {
        if pair.is_empty() {
            continue;
        }
        let advice = "write name=value, and %3D for a = in a value";
        let Some((name, value)) = pair.split_once('=') else {
            return Err(fault("has a keyword without a value", advice));
        };
        if value.contains('=') {
            return Err(fault("has a second = behind a keyword", advice));
        }
        let (name, value) = (decoded(name)?, decoded(value)?);
        // What JDBC calls it.
        if name == "ssl" && value == "true" {
            pairs.push(("sslmode".to_owned(), "require".to_owned()));
        } else {
            pairs.push((name, value));
        }
    }
    Ok(pairs)
}

/// The hosts and the ports of `host:port,host:port`, as their keywords have them.
fn places(text: &str) -> Result<(String, String), CliError> {
    let (mut hosts, mut ports) = (Vec::new(), Vec::new());
    for place in text.split(',') {
        let (host, rest) = match place.strip_prefix('[') {
            Some(bracketed) => {
                let advice = "write [::1]:5432";
                let found = bracketed.split_once(']');
                let (host, rest) = found.ok_or_else(|| fault("has a [ without a ]", advice))?;
                if !(rest.is_empty() || rest.starts_with(':')) {
                    return Err(fault("has more than a port behind a ]", advice));
                }
                (host, rest)
            }
            None => place.split_at(place.find(':').unwrap_or(place.len())),
        };
        hosts.push(decoded(host)?);
        ports.push(decoded(rest.strip_prefix(':').unwrap_or(rest))?);
    }
    // One for all is the default for all.
    match ports.iter().all(String::is_empty) {
        true => Ok((hosts.join(","), String::new())),
        false => Ok((hosts.join(","), ports.join(","))),
    }
}

fn decoded(text: &str) -> Result<String, CliError> {
    let advice = "write %25 for a percent sign, and two hexadecimal digits behind every other";
    let mut escapes = text.split('%').skip(1);
    let is_byte = |escape: &str| {
        let digits = escape.get(..2);
        digits.is_some_and(|of| of != "00" && of.bytes().all(|byte| byte.is_ascii_hexdigit()))
    };
    if !escapes.all(is_byte) {
        return Err(fault("has a percent sign that escapes nothing", advice));
    }
    let text = percent_decode_str(text).decode_utf8();
    let text = text.map_err(|_| fault("escapes what is no UTF-8", advice))?;
    Ok(text.into_owned())
}

/// `name = value name = 'value'`. A backslash takes the next character as it is.
fn plain(text: &str) -> Result<Pairs, CliError> {
    let mut pairs = Vec::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        let end = rest.find(|char: char| char == '=' || char.is_ascii_whitespace());
        let (name, behind) = rest.split_at(end.unwrap_or(rest.len()));
        let Some(behind) = behind.trim_start().strip_prefix('=') else {
            let advice = "write a URL, postgres://user@host/database, or host=… user=… dbname=…";
            return Err(fault("has a word without a = behind it", advice));
        };
        let (value, behind) = value(behind.trim_start())?;
        pairs.push((name.to_owned(), value));
        rest = behind.trim_start();
    }
    Ok(pairs)
}

/// The value at the front of a text, and what is behind it.
fn value(text: &str) -> Result<(String, &str), CliError> {
    let quoted = text.strip_prefix('\'');
    let mut chars = quoted.unwrap_or(text).char_indices();
    let mut value = String::new();
    while let Some((at, char)) = chars.next() {
        match char {
            '\\' => value.extend(chars.next().map(|(_, char)| char)),
            '\'' if quoted.is_some() => return Ok((value, chars.as_str())),
            char if quoted.is_none() && char.is_ascii_whitespace() => {
                return Ok((value, text.get(at..).unwrap_or_default()));
            }
            char => value.push(char),
        }
    }
    match quoted {
        Some(_) => Err(fault("has a quote without an end", "write 'value'")),
        None => Ok((value, "")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> String {
        let pairs = read(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        let pairs = pairs.iter().map(|(name, value)| format!("{name}={value}"));
        pairs.collect::<Vec<_>>().join("|")
    }

    #[test]
    fn both_forms_are_read_as_libpq_reads_them() {
        for (text, pairs) in [
            ("", ""),
            ("postgres://", ""),
            ("postgresql:///d", "dbname=d"),
            ("postgres://u@", "user=u"),
            (
                "postgres://u:p%40@h:1/d%20e",
                "user=u|password=p@|host=h|port=1|dbname=d e",
            ),
            ("postgres://h1:1,h2,[::1]:3", "host=h1,h2,::1|port=1,,3"),
            ("postgres://%2Frun%2Fpg/d", "host=/run/pg|port=|dbname=d"),
            ("postgres:///?ssl%6dode=disable", "sslmode=disable"),
            (
                "postgres://?ssl=true&user=a%3Db",
                "sslmode=require|user=a=b",
            ),
            (
                "host = h password='x \\'y' user=k\\ l  port=",
                "host=h|password=x 'y|user=k l|port=",
            ),
        ] {
            assert_eq!(shown(text), pairs, "{text}");
        }
    }

    #[test]
    fn what_is_neither_form_is_refused_without_its_values() {
        for text in [
            "secret",
            "host secret",
            "host=h secret",
            "password='secret",
            "postgres://h?secret",
            "postgres://h?password=secret=",
            "postgres://u:secret%@h",
            "postgres://u:secret%00@h",
            "postgres://u:secret%ff@h",
            "postgres://[::1/secret",
            "postgres://[::1]secret",
            "postgresql+psycopg2://u:secret@h/d?a=b",
            "jdbc:postgresql://h/d?password=secret",
        ] {
            let error = read(text).expect_err(text).to_string();
            assert!(!error.contains("secret"), "{error}");
        }
    }
}
