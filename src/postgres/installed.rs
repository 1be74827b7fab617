//! Programs of Postgres that are installed on this machine: `PG_BIN`, `PATH`, and the usual places
//! of Debian, RHEL, Homebrew, Postgres.app and a build from source.

use std::cmp::Reverse;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::{Environment, Reason};

/// The oldest server that the guard can start: `initdb --no-instructions` came with 14.
const OLDEST: u32 = 14;

/// Folders whose subfolders, one per version, hold a `bin`.
const VERSIONED: &[&str] = &[
    "/usr/lib/postgresql",
    "/usr",
    "/opt/homebrew/opt",
    "/usr/local/opt",
    "/Applications/Postgres.app/Contents/Versions",
];

/// Folders that hold programs themselves.
const PLAIN: &[&str] = &[
    "/usr/bin",
    "/usr/local/bin",
    "/opt/homebrew/bin",
    "/usr/local/pgsql/bin",
];

/// The directory of the first installed server of the wanted version; of the newest version where
/// nothing is wanted and `PATH` has none.
pub(super) fn find(environment: &Environment, version: Option<u32>) -> Result<PathBuf, Reason> {
    let mut found = Vec::new();
    for bin in places(environment) {
        let Some(server) = ["initdb", "postgres"]
            .iter()
            .map(|name| fs::canonicalize(bin.join(name)).ok())
            .collect::<Option<Vec<_>>>()
        else {
            continue;
        };
        // Debian links single programs into PATH; initdb looks for its neighbours where it really
        // is.
        let bin = server
            .first()
            .and_then(|initdb| initdb.parent())
            .map_or(bin, Path::to_path_buf);
        let Some(major) = major_version(&bin) else {
            continue;
        };
        if version.map_or(major >= OLDEST, |wanted| wanted == major) {
            return Ok(bin);
        }
        found.push(format!("{major} in {}", bin.display()));
    }
    if found.is_empty() {
        return Err(Reason::NotInstalled);
    }
    found.dedup();
    let wanted = version.map_or_else(|| format!("{OLDEST} or newer"), |wanted| wanted.to_string());
    Err(Reason::WrongVersion {
        found: found.join(", "),
        wanted,
    })
}

/// The path of a program such as `psql` or `pgbench`.
pub(super) fn find_program(environment: &Environment, name: &str) -> Option<PathBuf> {
    let first = environment.path("PG_BIN");
    first
        .into_iter()
        .chain(usual_places(environment))
        .map(|bin| bin.join(name))
        .find(|path| path.is_file())
}

fn places(environment: &Environment) -> Vec<PathBuf> {
    environment
        .path("PG_BIN")
        .map_or_else(|| usual_places(environment), |bin| vec![bin])
}

fn usual_places(environment: &Environment) -> Vec<PathBuf> {
    let mut places = environment.search_path();
    for parent in VERSIONED {
        places.extend(versions(Path::new(parent)));
    }
    places.extend(PLAIN.iter().map(PathBuf::from));
    places
}

/// The `bin` of each version below a folder, the newest first. A version's folder is called `17`,
/// `pgsql-17` or `postgresql@17`.
fn versions(parent: &Path) -> Vec<PathBuf> {
    let mut versions: Vec<(u32, PathBuf)> = fs::read_dir(parent)
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| {
            let name = entry.file_name().into_string().ok()?;
            let number = ["pgsql-", "postgresql@"]
                .iter()
                .find_map(|prefix| name.strip_prefix(prefix))
                .unwrap_or(&name);
            Some((number.parse().ok()?, entry.path().join("bin")))
        })
        .collect();
    versions.sort_by_key(|(version, _)| Reverse(*version));
    versions.into_iter().map(|(_, bin)| bin).collect()
}

fn major_version(bin: &Path) -> Option<u32> {
    let output = Command::new(bin.join("postgres"))
        .arg("--version")
        .output()
        .ok()?;
    parse_version(std::str::from_utf8(&output.stdout).ok()?)
}

/// Reads `postgres (PostgreSQL) 17.11`; also the `18beta1` of a pre-release.
fn parse_version(text: &str) -> Option<u32> {
    let number = text.split_whitespace().nth(2)?;
    number
        .split(|c: char| !c.is_ascii_digit())
        .next()?
        .parse()
        .ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_directory_holds_no_server() {
        let empty = tempfile::tempdir().unwrap();
        let environment = Environment::default().with("PG_BIN", empty.path());
        assert!(matches!(
            find(&environment, None),
            Err(Reason::NotInstalled)
        ));
    }

    #[test]
    fn the_newest_version_comes_first() {
        let parent = tempfile::tempdir().unwrap();
        for name in ["9", "pgsql-16", "postgresql@18", "17", "share"] {
            fs::create_dir(parent.path().join(name)).unwrap();
        }
        let names: Vec<_> = versions(parent.path());
        let expected = ["postgresql@18", "17", "pgsql-16", "9"]
            .map(|name| parent.path().join(name).join("bin"));
        assert_eq!(names, expected);
    }

    #[test]
    fn versions_are_read_from_releases_and_pre_releases() {
        assert_eq!(
            parse_version("postgres (PostgreSQL) 15.14 (Debian 15.14-0+deb12u1)\n"),
            Some(15)
        );
        assert_eq!(parse_version("postgres (PostgreSQL) 19beta2"), Some(19));
        assert_eq!(parse_version("postgres"), None);
    }
}
