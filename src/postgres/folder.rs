//! The folder in which a server lives: where it may be, and whose it is. Postgres refuses to run
//! as root, so root gives the folder to another user and runs server and guard as that one.

use std::fs;
use std::io;
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, PermissionsExt as _, chown};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use super::{Environment, Reason};

/// The longest path that a Unix socket may have on macOS, which allows less than Linux does.
const MAX_SOCKET_PATH_BYTES: usize = 103;

/// The user whom root runs the server as.
#[derive(Debug, Clone, Copy)]
pub(super) struct Account {
    pub(super) uid: u32,
    pub(super) gid: u32,
}

impl Account {
    /// `postgres`, else `nobody`, of a file like `/etc/passwd`.
    fn find(passwd: &str) -> Option<Self> {
        let find = |wanted: &str| {
            passwd.lines().find_map(|line| {
                let mut fields = line.split(':');
                let name = fields.next()?;
                let (uid, gid) = (fields.nth(1)?, fields.next()?);
                (name == wanted).then_some(Self {
                    uid: number(uid)?,
                    gid: number(gid)?,
                })
            })
        };
        find("postgres").or_else(|| find("nobody"))
    }
}

/// A user's number; `nobody` is -2 on macOS.
fn number(text: &str) -> Option<u32> {
    text.parse()
        .ok()
        .or_else(|| text.parse::<i32>().ok().map(i32::cast_unsigned))
}

/// A folder of our own below the temporary one, closed to everybody else.
pub(super) struct Folder {
    pub(super) path: PathBuf,
    /// Whom it belongs to, where we are root.
    pub(super) account: Option<Account>,
}

impl Folder {
    /// Creates it with an owner who can run a server.
    pub(super) fn create(environment: &Environment) -> Result<Self, Reason> {
        let parents = environment
            .path("TMPDIR")
            .into_iter()
            .chain(["/tmp".into(), "/var/tmp".into()]);
        let path = parents
            .filter_map(|parent| create_below(&parent))
            .next()
            .ok_or(Reason::NoFolder)?;
        let prepare = || {
            let owner = fs::metadata(&path)
                .map_err(Reason::io("cannot read", &path))?
                .uid();
            if owner != 0 {
                return Ok(None);
            }
            let passwd = fs::read_to_string("/etc/passwd")
                .map_err(Reason::io("cannot read", "/etc/passwd"))?;
            let account = Account::find(&passwd).ok_or(Reason::NoAccount)?;
            chown(&path, Some(account.uid), Some(account.gid))
                .map_err(Reason::io("cannot give away", &path))?;
            Ok(Some(account))
        };
        match prepare() {
            Ok(account) => Ok(Self { path, account }),
            Err(reason) => {
                let _ = fs::remove_dir(&path);
                Err(reason)
            }
        }
    }

    /// Writes a file that only the server's user can read.
    pub(super) fn write(&self, name: &str, content: &str) -> Result<(), Reason> {
        let path = self.path.join(name);
        let write = || -> io::Result<()> {
            fs::write(&path, content)?;
            fs::set_permissions(&path, fs::Permissions::from_mode(0o600))?;
            self.account.map_or(Ok(()), |account| {
                chown(&path, Some(account.uid), Some(account.gid))
            })
        };
        write().map_err(|error| {
            let _ = fs::remove_dir_all(&self.path);
            Reason::io("cannot write", &path)(error)
        })
    }
}

/// Creates a folder with a name that nobody has yet, unless its parent will not do for a server.
fn create_below(parent: &Path) -> Option<PathBuf> {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let parent = fs::canonicalize(parent).ok()?;
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    let nanos = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |now| now.subsec_nanos());
    let path = parent.join(format!(
        "pgveil-postgres-{}-{count}-{nanos:x}",
        std::process::id()
    ));
    if path.join(".s.PGSQL.65535").as_os_str().len() > MAX_SOCKET_PATH_BYTES {
        return None;
    }
    // Creation fails if the name exists, also as a symbolic link that somebody else put there.
    fs::DirBuilder::new().mode(0o700).create(&path).ok()?;
    let is_root = fs::metadata(&path).is_ok_and(|meta| meta.uid() == 0);
    // The server's user has to enter the folder and, in the end, to remove it from its parent.
    let is_removable = fs::metadata(&parent).is_ok_and(|meta| meta.mode() & 0o002 != 0);
    if is_root && !(is_removable && open_to_others(&parent)) {
        let _ = fs::remove_dir(&path);
        return None;
    }
    Some(path)
}

/// Whether every user may go through a folder and all above it.
pub(super) fn open_to_others(folder: &Path) -> bool {
    folder.ancestors().all(|ancestor| {
        ancestor
            .metadata()
            .is_ok_and(|meta| meta.mode() & 0o001 != 0)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn root_runs_the_server_as_postgres_else_as_nobody() {
        let passwd = "root:x:0:0::/:/bin/sh\nnobody:*:-2:-2::/:/bin/false\n";
        assert_eq!(
            Account::find(passwd).map(|a| (a.uid, a.gid)),
            Some((4_294_967_294, 4_294_967_294))
        );
        let passwd = format!("{passwd}postgres:x:112:113::/:/bin/sh\n");
        assert_eq!(
            Account::find(&passwd).map(|a| (a.uid, a.gid)),
            Some((112, 113))
        );
        assert!(Account::find("root:x:0:0::/:/bin/sh").is_none());
    }

    #[test]
    fn a_parent_with_too_long_a_path_is_passed_over() {
        let parent = tempfile::tempdir().unwrap();
        let long = parent.path().join("x".repeat(90));
        fs::create_dir(&long).unwrap();
        assert!(create_below(&long).is_none());
        assert!(fs::read_dir(&long).unwrap().next().is_none());
    }
}
