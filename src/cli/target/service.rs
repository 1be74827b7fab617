//! The service files of libpq: settings of connections by a name.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use super::keywords::variable;
use crate::cli::CliError;

/// What the service of a name says: by the file that is named, or `~/.pg_service.conf`, or
/// `pg_service.conf` in the folder of `PGSYSCONFDIR`; the first that has it.
pub(super) fn read(service: &str, named: Option<&str>) -> Result<Vec<(String, String)>, CliError> {
    let own = match named {
        Some(file) => Some(PathBuf::from(file)),
        None => env::home_dir().map(|home| home.join(".pg_service.conf")),
    };
    let shared = variable("PGSYSCONFDIR").map(|folder| Path::new(&folder).join("pg_service.conf"));
    for file in own.into_iter().chain(shared) {
        let text = match fs::read_to_string(&file) {
            Ok(text) => text,
            Err(error) if named.is_some_and(|named| Path::new(named) == file) => {
                let cause = format!("the service file can't be read: {error}");
                return Err(CliError::connection(cause, ADVICE.to_owned()));
            }
            Err(_) => continue,
        };
        if let Some(pairs) = section(&text, service)? {
            return Ok(pairs);
        }
    }
    let cause = "`service` names a service that no file has";
    Err(CliError::connection(cause.to_owned(), ADVICE.to_owned()))
}

const ADVICE: &str = "write [name] and below it keyword=value into ~/.pg_service.conf, or name another \
                      file in PGSERVICEFILE";

fn section(text: &str, service: &str) -> Result<Option<Vec<(String, String)>>, CliError> {
    let mut found: Option<Vec<(String, String)>> = None;
    for (index, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        if let Some(name) = line.strip_prefix('[') {
            if found.is_some() {
                break;
            }
            if name.split(']').next() == Some(service) && name.contains(']') {
                found = Some(Vec::new());
            }
            continue;
        }
        let Some(pairs) = &mut found else { continue };
        let fault = |cause: &str, advice: &str| {
            let cause = format!("line {} of the service file: {cause}", index + 1);
            Err(CliError::connection(cause, advice.to_owned()))
        };
        if line.starts_with("ldap") {
            return fault(
                "pgveil asks no LDAP server",
                "write the keywords themselves",
            );
        }
        match line.split_once('=') {
            Some(("service" | "servicefile", _)) => {
                return fault("a service names another", "write the keywords themselves");
            }
            Some((name, value)) => pairs.push((name.to_owned(), value.to_owned())),
            None => return fault("there is no =", "write keyword=value"),
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_service_is_what_stands_below_its_name() {
        let text = "# ours\n[a]\nhost=x\n\n[b]\n  host=y z\nport=1  \n[c]\nnonsense\n[d]\nservice=a\n[b]\nuser=u\n";
        let read = |name| section(text, name);
        let pairs = [("host", "y z"), ("port", "1")];
        let pairs = pairs.map(|(name, value)| (name.to_owned(), value.to_owned()));
        assert_eq!(read("b").unwrap().unwrap(), pairs);
        assert!(read("x").unwrap().is_none());
        for name in ["c", "d"] {
            assert!(read(name).is_err(), "{name}");
        }
    }
}
