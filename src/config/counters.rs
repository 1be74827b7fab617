//! Counters of `fastprp`: they take up to seconds to build, so they can be kept in a file. It
//! tells something of the permutation and is for its owner's eyes, as the key is.

use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use zeroize::Zeroizing;

use super::Building;
use super::fault::Faults;
use super::keys::is_open_to_others;
use super::section::At;
use crate::codec::{DomainName, IntCodec, KeyRange, Secret, Stride};

/// How such a file begins, so that no other is taken for one and written over.
const MARK: &[u8] = b"pgveil counters 1\n";

/// What a codec of the kind `fastprp` is made of.
pub(super) struct Work<'a> {
    pub(super) secret: &'a Secret,
    pub(super) domain: &'a DomainName,
    pub(super) range: KeyRange,
    pub(super) stride: Stride,
    pub(super) line: usize,
    pub(super) file: Option<&'a At<PathBuf>>,
}

/// What a file has.
enum Kept {
    /// Counters, of whatever key, range and stride.
    Counters(Zeroizing<Vec<u8>>),
    /// Nothing that can be read.
    Nothing,
    /// The id belongs to something else.
    Foreign,
}

impl Work<'_> {
    /// The codec, with counters from the file if it has those; otherwise they are built, and kept
    /// for the next time. A file that can't be used costs time only, so it is a warning.
    pub(super) fn codec(
        &self,
        progress: &dyn Fn(Building<'_>),
        faults: &mut Faults<'_>,
    ) -> Option<IntCodec> {
        let saved = match self.file.map(|file| kept(file, faults)) {
            Some(Kept::Foreign) => return None,
            Some(Kept::Counters(saved)) => Some(saved),
            Some(Kept::Nothing) | None => None,
        };
        let domain = self.domain.as_str();
        let mut tell = |done, of| progress(Building { domain, done, of });
        let Self {
            secret,
            domain,
            range,
            stride,
            ..
        } = *self;
        if let Some(saved) = &saved
            && let Ok(codec) = IntCodec::fastprp_with_saved(secret, domain, range, stride, saved)
        {
            return Some(codec);
        }
        // The counters of another stride shorten the work.
        let resized = saved.and_then(|saved| {
            IntCodec::fastprp_resized(secret, domain, range, stride, &saved, &mut tell).ok()
        });
        let built = match resized {
            Some(codec) => Ok(codec),
            None => IntCodec::fastprp(secret, domain, range, stride, &mut tell),
        };
        let codec = match built {
            Ok(codec) => codec,
            Err(error) => {
                let advice = "write a larger stride, such as 16384";
                faults.add(self.line, format!("`{domain}`: {error}"), advice);
                return None;
            }
        };
        if let Some(file) = self.file {
            self.keep(&codec, file, faults);
        }
        Some(codec)
    }

    fn keep(&self, codec: &IntCodec, file: &At<PathBuf>, faults: &mut Faults<'_>) {
        let Some(saved) = codec.saved_counters(self.secret, self.domain) else {
            let cause = format!(
                "`counters` has no effect: `{}` is small enough for tables",
                self.domain
            );
            faults.add(file.line, cause, "remove counters");
            return;
        };
        if let Err(error) = replace(&file.value, &saved) {
            warn(file, "write", &error, faults);
        }
    }
}

fn kept(file: &At<PathBuf>, faults: &mut Faults<'_>) -> Kept {
    let saved = match fs::read(&file.value) {
        Ok(saved) => Zeroizing::new(saved),
        Err(error) => {
            if error.kind() != io::ErrorKind::NotFound {
                warn(file, "read", &error, faults);
            }
            return Kept::Nothing;
        }
    };
    let path = file.value.display();
    let Some(saved) = saved.strip_prefix(MARK) else {
        let cause = format!("{path} is no file of counters");
        faults.add(file.line, cause, "name a file that pgveil may create");
        return Kept::Foreign;
    };
    if is_open_to_others(&file.value) {
        let cause = format!("others can read the counters in {path}");
        let advice = format!("chmod 600 {path}: they tell something of the permutation");
        faults.warn(file.line, cause, advice);
    }
    Kept::Counters(Zeroizing::new(saved.to_vec()))
}

fn warn(file: &At<PathBuf>, verb: &str, error: &io::Error, faults: &mut Faults<'_>) {
    let path = file.value.display();
    let cause = format!("cannot {verb} the counters in {path}: {error}");
    let advice = "they are built anew at each start; name a file that this user can read and write";
    faults.warn(file.line, cause, advice);
}

/// Writes beside the file and renames, so that a reader finds the old one or the new one.
fn replace(file: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut name = file.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.new", std::process::id()));
    let beside = file.with_file_name(name);
    let mut options = OpenOptions::new();
    let mut new = options
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(&beside)?;
    let written = new
        .write_all(MARK)
        .and_then(|()| new.write_all(bytes))
        .and_then(|()| new.sync_all())
        .and_then(|()| fs::rename(&beside, file));
    if written.is_err() {
        // It is of no use; that it could not be removed would change nothing for the caller.
        let _ = fs::remove_file(&beside);
    }
    written
}
