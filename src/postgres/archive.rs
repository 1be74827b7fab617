//! Postgres from an archive: the binaries that the project `embedded-postgres-binaries` publishes
//! on Maven Central, a jar with a `.txz` inside. Each archive that may be used is pinned here by
//! its SHA-256 and nothing of it is read before that is checked. Holds no psql and no pgbench.
//! Unpacked once, into a cache.

use std::fs;
use std::io::{self, Cursor, Read as _};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use sha2::{Digest as _, Sha256};

use super::{Environment, Reason};

/// The major version where none is asked for.
const USUAL_VERSION: u32 = 17;

/// A bound on what is read: the archives have 10 to 15 MB.
const MAX_ARCHIVE_BYTES: u64 = 64 << 20;

/// A bound on connecting, and on a download as a whole over a slow line.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(15);
const DOWNLOAD_TIMEOUT: Duration = Duration::from_secs(600);

const CENTRAL: &str = "https://repo1.maven.org/maven2";

/// One archive: major version, version, operating system and processor as Rust names them, the
/// publisher's name of both, SHA-256.
struct Pin {
    major: u32,
    version: &'static str,
    machine: (&'static str, &'static str),
    platform: &'static str,
    sha256: &'static str,
}

const fn pin(
    major: u32,
    version: &'static str,
    machine: (&'static str, &'static str),
    platform: &'static str,
    sha256: &'static str,
) -> Pin {
    Pin {
        major,
        version,
        machine,
        platform,
        sha256,
    }
}

const LINUX: (&str, &str) = ("linux", "x86_64");
const LINUX_ARM: (&str, &str) = ("linux", "aarch64");
const MAC: (&str, &str) = ("macos", "x86_64");
const MAC_ARM: (&str, &str) = ("macos", "aarch64");

/// The digests are those that Maven Central publishes beside the archives (`….jar.sha256`).
#[rustfmt::skip]
const PINS: &[Pin] = &[
    pin(16, "16.15.0", LINUX, "linux-amd64", "653abc065c682b85d3da50168fb95dc524bd85426cdec9ce3695a550ef431df2"),
    pin(16, "16.15.0", LINUX_ARM, "linux-arm64v8", "f846a9989d686b7977d6eca9bc9d8b2b69e3f70c7eb60e032197d9c574a6136c"),
    pin(16, "16.15.0", MAC, "darwin-amd64", "1229188b99515d2160d5cb6222bc96d9c5f3a248268df3bc2dfe0047e6c233d8"),
    pin(16, "16.15.0", MAC_ARM, "darwin-arm64v8", "65b953905f0a4d46030767a6b44a52360170d69a7985f1b02aa435f2f6256a83"),
    pin(17, "17.11.0", LINUX, "linux-amd64", "0dd7b72b6f335b8ecfb355fa24c5781e8a93edd09880bb77eb52ebbf29b3e96d"),
    pin(17, "17.11.0", LINUX_ARM, "linux-arm64v8", "8b042e0ea418b1927d95399207950da0734d27fe01e29503ade3bdc464ad4c2b"),
    pin(17, "17.11.0", MAC, "darwin-amd64", "d464ff178e9860ba204662ac23fa547504b7fd392392ff2fb92e3fd73b5bdb64"),
    pin(17, "17.11.0", MAC_ARM, "darwin-arm64v8", "a1c2786acb0c398f9b2d76806fc52f5dc8b222cbc8e9383a9b9702084daaf3a5"),
    pin(18, "18.4.0", LINUX, "linux-amd64", "401d4e69baba9072d3772607710df0d47b39a7632c6b01b2a5f5d85a9514e212"),
    pin(18, "18.4.0", LINUX_ARM, "linux-arm64v8", "a9ec284923b9a7d2db41509bfb88c3d0eeb9f4aa5e2b29ea0aac5e8dbaf4c335"),
    pin(18, "18.4.0", MAC, "darwin-amd64", "68381ed1488edd337345c6c4bc6ae0c823832a4dd7af8b04656ee5c218c291b5"),
    pin(18, "18.4.0", MAC_ARM, "darwin-arm64v8", "ab698c4486a795d2aa8a158b3a41e1201a77e7ff72a6255094cd5900080853c2"),
];

impl Pin {
    fn for_this_machine(version: u32) -> Result<&'static Self, Reason> {
        let machine = (std::env::consts::OS, std::env::consts::ARCH);
        PINS.iter()
            .find(|pin| pin.major == version && pin.machine == machine)
            .ok_or_else(|| Reason::NoArchive {
                version,
                platform: format!("{} on {}", machine.0, machine.1),
            })
    }

    /// The path of the jar below any Maven repository.
    fn path(&self) -> String {
        let Self {
            version, platform, ..
        } = self;
        let artifact = format!("embedded-postgres-binaries-{platform}");
        format!("io/zonky/test/postgres/{artifact}/{version}/{artifact}-{version}.jar")
    }

    /// Refuses every byte sequence but the pinned one.
    fn check(&self, origin: &str, jar: &[u8]) -> Result<(), Reason> {
        let found = data_encoding::HEXLOWER.encode(&Sha256::digest(jar));
        if found == self.sha256 {
            Ok(())
        } else {
            Err(Reason::WrongDigest {
                origin: origin.to_owned(),
                found,
            })
        }
    }
}

/// Lets one thread of the process unpack.
static UNPACKING: Mutex<()> = Mutex::new(());

/// The directory of the programs of an unpacked archive: from the cache, else from a file, a local
/// Maven repository, or the net.
pub(super) fn find(environment: &Environment, version: Option<u32>) -> Result<PathBuf, Reason> {
    let pin = Pin::for_this_machine(version.unwrap_or(USUAL_VERSION))?;
    let cache = cache_folder(environment)?;
    let home = cache.join(format!("postgres-{}-{}", pin.version, pin.platform));
    // Two threads would unpack into one folder, and the one that is first run what the other writes.
    let _alone = UNPACKING.lock().unwrap_or_else(PoisonError::into_inner);
    if !home.is_dir() {
        let (origin, jar) = obtain(environment, pin)?;
        pin.check(&origin, &jar)?;
        // Unpacked beside its final place and renamed: other processes see the whole or nothing, and
        // of two that race one wins.
        let part = cache.join(format!(".{}-{}.part", pin.version, std::process::id()));
        let unpacked = unpack(&origin, &jar, &part);
        let renamed = unpacked
            .and_then(|()| fs::rename(&part, &home).map_err(Reason::io("cannot create", &home)));
        if renamed.is_err() {
            let _ = fs::remove_dir_all(&part);
        }
        if !home.is_dir() {
            renamed?;
        }
    }
    Ok(home.join("bin"))
}

/// The first folder that we can make and that the server's user can read. As root that user is
/// another one, and the home of root is usually closed to it.
fn cache_folder(environment: &Environment) -> Result<PathBuf, Reason> {
    let home = environment.path("HOME").map(|home| home.join(".cache"));
    let candidates = match environment.path("PGVEIL_CACHE") {
        Some(folder) => vec![folder],
        None => environment
            .path("XDG_CACHE_HOME")
            .into_iter()
            .chain(home)
            .chain([PathBuf::from("/var/cache")])
            .map(|cache| cache.join("pgveil"))
            .collect(),
    };
    candidates
        .into_iter()
        .find(|folder| is_usable(folder))
        .ok_or(Reason::NoCache)
}

fn is_usable(folder: &Path) -> bool {
    let existing = folder.ancestors().find(|ancestor| ancestor.exists());
    let reachable = |folder: &Path| {
        folder
            .metadata()
            .is_ok_and(|meta| meta.uid() != 0 || super::folder::open_to_others(folder))
    };
    existing.is_some_and(reachable)
        && fs::create_dir_all(folder).is_ok()
        && open_if_roots(folder).is_ok()
}

/// Whatever root's umask says, the server's user must be able to enter.
fn open_if_roots(folder: &Path) -> io::Result<()> {
    if folder.metadata()?.uid() == 0 {
        fs::set_permissions(folder, fs::Permissions::from_mode(0o755))?;
    }
    Ok(())
}

/// The jar and where it came from; not yet checked.
fn obtain(environment: &Environment, pin: &Pin) -> Result<(String, Vec<u8>), Reason> {
    let read = |path: &Path| {
        let bytes = fs::read(path).map_err(Reason::io("cannot read", path))?;
        Ok((path.display().to_string(), bytes))
    };
    if let Some(file) = environment.path("PGVEIL_POSTGRES_ARCHIVE") {
        return read(&file);
    }
    let local = environment
        .path("HOME")
        .map(|home| home.join(".m2/repository").join(pin.path()));
    if let Some(file) = local.filter(|file| file.is_file()) {
        return read(&file);
    }
    let repository = environment
        .text("PGVEIL_MAVEN_MIRROR")
        .unwrap_or_else(|| CENTRAL.to_owned());
    let address = format!("{}/{}", repository.trim_end_matches('/'), pin.path());
    let jar = download(&address).map_err(|error| Reason::NotFetched {
        address: address.clone(),
        detail: error.to_string(),
    })?;
    Ok((address, jar))
}

/// TLS trusts what the system trusts, so that a company's own authority works; a proxy comes from
/// the usual variables.
fn download(address: &str) -> Result<Vec<u8>, ureq::Error> {
    let tls = ureq::tls::TlsConfig::builder()
        .root_certs(ureq::tls::RootCerts::PlatformVerifier)
        .build();
    let agent = ureq::Agent::config_builder()
        .tls_config(tls)
        .timeout_connect(Some(CONNECT_TIMEOUT))
        .timeout_global(Some(DOWNLOAD_TIMEOUT))
        .build()
        .new_agent();
    agent
        .get(address)
        .call()?
        .body_mut()
        .with_config()
        .limit(MAX_ARCHIVE_BYTES)
        .read_to_vec()
}

fn unpack(origin: &str, jar: &[u8], folder: &Path) -> Result<(), Reason> {
    let malformed = |detail: String| Reason::MalformedArchive {
        origin: origin.to_owned(),
        detail,
    };
    let mut zip =
        zip::ZipArchive::new(Cursor::new(jar)).map_err(|error| malformed(error.to_string()))?;
    let is_inner = |name: &str| name.ends_with(".txz");
    let index = (0..zip.len())
        .find(|&index| {
            zip.by_index(index)
                .is_ok_and(|entry| entry.name().is_ok_and(|name| is_inner(&name)))
        })
        .ok_or_else(|| malformed("no .txz inside".to_owned()))?;
    let entry = zip
        .by_index(index)
        .map_err(|error| malformed(error.to_string()))?;
    let plain = liblzma::read::XzDecoder::new(entry.take(MAX_ARCHIVE_BYTES));
    // The tar crate creates nothing outside the folder.
    tar::Archive::new(plain)
        .unpack(folder)
        .map_err(|error| malformed(error.to_string()))?;
    open_folders(folder).map_err(Reason::io("cannot open to the server's user", folder))
}

fn open_folders(folder: &Path) -> io::Result<()> {
    open_if_roots(folder)?;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            open_folders(&entry.path())?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pin_is_a_digest_of_its_own() {
        let mut digests: Vec<_> = PINS.iter().map(|pin| pin.sha256).collect();
        assert!(
            digests
                .iter()
                .all(|digest| digest.len() == 64 && digest.bytes().all(|b| b.is_ascii_hexdigit()))
        );
        digests.sort_unstable();
        digests.dedup();
        assert_eq!(digests.len(), PINS.len());
        assert!(
            PINS.iter()
                .all(|pin| pin.version.starts_with(&format!("{}.", pin.major)))
        );
    }

    #[test]
    fn an_archive_that_is_not_the_pinned_one_is_not_even_opened() {
        let folder = tempfile::tempdir().unwrap();
        let jar = folder.path().join("some.jar");
        fs::write(&jar, b"not a jar").unwrap();
        let cache = folder.path().join("cache");
        let environment = Environment::default()
            .with("PGVEIL_POSTGRES_ARCHIVE", &jar)
            .with("PGVEIL_CACHE", &cache);
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
        let found = find(&environment, Some(17));
        assert!(
            matches!(
                found,
                Err(Reason::WrongDigest { .. } | Reason::NoArchive { .. })
            ),
            "{found:?}"
        );
        assert!(!cache.exists() || fs::read_dir(cache).unwrap().next().is_none());
    }

    #[test]
    fn a_version_without_a_pin_is_refused() {
        assert!(matches!(
            find(&Environment::default(), Some(12)),
            Err(Reason::NoArchive { version: 12, .. })
        ));
    }

    #[test]
    fn a_jar_without_postgres_leaves_nothing_behind() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("target");
        assert!(matches!(
            unpack("x", b"PK", &target),
            Err(Reason::MalformedArchive { .. })
        ));
        assert!(!target.exists());
    }
}
