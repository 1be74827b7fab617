//! Fetches the keys that the file names: from the environment, a file or a command. A key never
//! stands in the configuration itself, and no fault shows what was read.

use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::time::Duration;

use zeroize::Zeroizing;

use super::fault::Faults;
use super::program::Program;
use super::raw::{self, Id, Keys};
use super::section::At;
use super::{Environment, StandIns, check};
use crate::codec::{EpochError, EpochRing, KeyRing, Secret};

/// How long a command may take that prints a key, if the file does not say: what asks a service on
/// the network takes a second or two.
const TIMEOUT: Duration = Duration::from_secs(10);

/// The keys with what the domains need to know of them.
pub(super) struct Ring {
    /// The name of the key that encodes.
    pub(super) current: String,
    /// What is known of all keys but the keys themselves, that one first.
    pub(super) entries: Vec<RingKey>,
    pub(super) keys: KeyRing,
    /// If every key has an epoch.
    epochs: Option<EpochRing>,
    /// The keys that have none.
    without_epoch: Vec<String>,
}

/// A key of the ring, without the key itself.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct RingKey {
    /// Its name.
    pub name: String,
    /// Where it comes from.
    pub source: KeySource,
    /// Its number, if it has one.
    pub epoch: Option<u8>,
}

/// Where a key comes from, as the file says it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum KeySource {
    /// A variable of the environment.
    Env(String),
    /// A file.
    File(String),
    /// A program. What it is given stays out: it may be a secret.
    Command(String),
}

/// One key that could be fetched.
struct Entry {
    name: String,
    source: KeySource,
    line: usize,
    epoch: Option<u8>,
    secret: Secret,
    /// The secret once more: it can't be cloned.
    again: Secret,
}

impl Ring {
    pub(super) fn has_older(&self) -> bool {
        !self.keys.older.is_empty()
    }

    /// What gives unknown roles their salts.
    pub(super) fn stand_ins(&self) -> StandIns {
        StandIns::of(&self.keys.current)
    }

    /// The keys by epochs, for a domain that says so on this line.
    pub(super) fn epochs(&self, line: usize, faults: &mut Faults<'_>) -> Option<&EpochRing> {
        if self.epochs.is_none() {
            let keys = self.without_epoch.join("`, `");
            let cause = format!("epochs need a number for each key, and `{keys}` has none");
            let advice = "add epoch = 0 to 15 to each [keys.ring.NAME], another one for each key";
            faults.add(line, cause, advice);
        }
        self.epochs.as_ref()
    }
}

/// The ring of a file that has one; ids need it.
pub(super) fn given(
    keys: Option<Keys>,
    ids: &[Id],
    around: &Environment<'_>,
    faults: &mut Faults<'_>,
) -> Option<Ring> {
    if let Some(keys) = keys {
        return ring(keys, around, faults);
    }
    if let Some(id) = ids.first() {
        let advice = "add [keys] with current = \"NAME\", and [keys.ring.NAME] with env, file or \
                      command; `pgveil keygen` makes a key";
        faults.add(id.line, "there is no key to encode ids with", advice);
    }
    None
}

/// The ring, or `None` with the faults that stand in the way.
fn ring(keys: Keys, around: &Environment<'_>, faults: &mut Faults<'_>) -> Option<Ring> {
    let Some(current) = keys.current else {
        let advice = "add current = \"NAME\", the name of the key in [keys.ring.NAME] that encodes";
        faults.add(
            keys.line,
            "[keys] does not say which key is current",
            advice,
        );
        return None;
    };
    let named = keys.ring.iter().any(|key| key.name == current.value);
    if !named {
        let cause = format!("the current key `{}` is not in the ring", current.value);
        let advice = format!(
            "add [keys.ring.{}] with env, file or command; `pgveil keygen` makes a key",
            current.value
        );
        faults.add(current.line, cause, advice);
    }
    let mut entries = Vec::new();
    let mut complete = named;
    for key in &keys.ring {
        match entry(key, around, faults) {
            Some(entry) => entries.push(entry),
            None => complete = false,
        }
    }
    complete &= distinct(&entries, faults);
    entries.sort_by_key(|entry| entry.name != current.value);
    complete.then(|| join(current.value, entries))?
}

/// No two keys may be one, nor of one epoch.
fn distinct(entries: &[Entry], faults: &mut Faults<'_>) -> bool {
    let mut sound = true;
    for (place, entry) in entries.iter().enumerate() {
        let earlier = entries.get(..place).unwrap_or_default();
        if let Some(same) = earlier.iter().find(|e| e.secret.is_same(&entry.secret)) {
            let cause = format!("the keys `{}` and `{}` are the same", same.name, entry.name);
            let advice =
                "a rotation needs a new key: `pgveil keygen` makes one; or remove one of the two";
            faults.add(entry.line, cause, advice);
            sound = false;
        }
        let epoch = |e: &&Entry| e.epoch.is_some() && e.epoch == entry.epoch;
        if let Some(same) = earlier.iter().find(epoch) {
            let cause = format!(
                "the keys `{}` and `{}` have the same epoch",
                same.name, entry.name
            );
            let advice = "give each key an epoch of its own, and leave that of older keys as it is";
            faults.add(entry.line, cause, advice);
            sound = false;
        }
    }
    sound
}

/// A ring of sound entries, the current one first.
fn join(current: String, entries: Vec<Entry>) -> Option<Ring> {
    let known = |entry: &Entry| RingKey {
        name: entry.name.clone(),
        source: entry.source.clone(),
        epoch: entry.epoch,
    };
    let known = entries.iter().map(known).collect();
    let mut without_epoch = Vec::new();
    let (mut secrets, mut epochs) = (Vec::new(), Vec::new());
    for entry in entries {
        secrets.push(entry.secret);
        match entry.epoch {
            Some(epoch) => epochs.push((epoch, entry.again)),
            None => without_epoch.push(entry.name),
        }
    }
    let split = |mut all: Vec<Secret>| (!all.is_empty()).then(|| (all.remove(0), all));
    let (encodes, older) = split(secrets)?;
    let epochs = (without_epoch.is_empty()).then(|| {
        let first = epochs.remove(0);
        // Their numbers have been checked.
        EpochRing::new(first, epochs).ok()
    });
    let keys = KeyRing {
        current: encodes,
        older,
    };
    Some(Ring {
        current,
        entries: known,
        keys,
        epochs: epochs.flatten(),
        without_epoch,
    })
}

fn entry(key: &raw::RingKey, around: &Environment<'_>, faults: &mut Faults<'_>) -> Option<Entry> {
    let epoch = epoch(key, faults);
    if let (Some(timeout), None) = (&key.timeout_s, &key.command) {
        let cause = format!("key `{}`: `timeout_s` is for commands", key.name);
        faults.add(timeout.line, cause, "remove it");
    }
    let (source, line, text) = fetch(key, around, faults)?;
    let mut parse = || {
        Secret::parse(&text).map_err(|error| {
            let advice = "use what `pgveil keygen` prints";
            faults.add(line, format!("key `{}`: {error}", key.name), advice);
        })
    };
    let secret = parse().ok()?;
    Some(Entry {
        name: key.name.clone(),
        source,
        line: key.line,
        epoch: epoch?,
        secret,
        again: parse().ok()?,
    })
}

/// The epoch, if one is given; the outer `None` if it can't be one.
#[expect(clippy::option_option, reason = "faulty, or left out")]
fn epoch(key: &raw::RingKey, faults: &mut Faults<'_>) -> Option<Option<u8>> {
    let Some(At { value, line }) = key.epoch else {
        return Some(None);
    };
    let epoch = u8::try_from(value).ok().filter(|epoch| *epoch < 16);
    if epoch.is_none() {
        let cause = format!("key `{}`: `epoch` can't be {value}", key.name);
        faults.add(line, cause, format!("{}", EpochError::Digit));
    }
    epoch.map(Some)
}

/// What the one source of a key gives, with its line.
fn fetch(
    key: &raw::RingKey,
    around: &Environment<'_>,
    faults: &mut Faults<'_>,
) -> Option<(KeySource, usize, Zeroizing<String>)> {
    let (source, line, text) = match (&key.env, &key.file, &key.command) {
        (Some(env), None, None) => (
            KeySource::Env(env.value.clone()),
            env.line,
            from_env(&env.value, around),
        ),
        (None, Some(file), None) => {
            let path = around.folder.join(&file.value);
            if is_open_to_others(&path) {
                let path = path.display();
                let cause = format!(
                    "key `{}`: {path} is open to the group or to others",
                    key.name
                );
                faults.warn(file.line, cause, format!("chmod 600 {path}"));
            }
            (
                KeySource::File(file.value.clone()),
                file.line,
                from_file(&path),
            )
        }
        (None, None, Some(command)) => {
            let program = command.value.first().map(|word| word.value.clone());
            (
                KeySource::Command(program.unwrap_or_default()),
                command.line,
                from_command(key, command, around, faults),
            )
        }
        _ => {
            let cause = format!("[keys.ring.{}] needs exactly one source", key.name);
            let advice = "write one of env = \"NAME\", file = \"PATH\", command = [\"PROGRAM\", …]";
            faults.add(key.line, cause, advice);
            return None;
        }
    };
    match text {
        Ok(text) => Some((source, line, text)),
        Err((cause, advice)) => {
            faults.add(line, format!("key `{}`: {cause}", key.name), advice);
            None
        }
    }
}

/// Whether the group or others may read or write a file.
pub(super) fn is_open_to_others(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|data| data.permissions().mode() & 0o066 != 0)
}

pub(super) type Fetched = Result<Zeroizing<String>, (String, &'static str)>;

fn from_env(name: &str, around: &Environment<'_>) -> Fetched {
    (around.env)(name).map(Zeroizing::new).ok_or_else(|| {
        let cause = format!("the environment variable {name} is not set");
        (cause, "set it to the output of `pgveil keygen`")
    })
}

fn from_file(path: &Path) -> Fetched {
    std::fs::read_to_string(path).map(Zeroizing::new).map_err(|error| {
        let cause = format!("cannot read {}: {error}", path.display());
        (cause, "name a file that this user can read; relative paths start at the configuration file")
    })
}

/// What a program prints. What it says to its operator is passed on.
fn from_command(
    key: &raw::RingKey,
    command: &At<Vec<At<String>>>,
    around: &Environment<'_>,
    faults: &mut Faults<'_>,
) -> Fetched {
    let timeout = check::positive(key.timeout_s.clone(), "timeout_s", faults);
    let timeout = timeout.map_or(TIMEOUT, |seconds| Duration::from_secs(seconds as u64));
    let words = command.value.iter().map(|word| word.value.as_str());
    let words: Vec<&str> = words.collect();
    let program = Program {
        words: &words,
        folder: around.folder,
        timeout,
    };
    let (fetched, said) = program.run();
    if !said.is_empty() {
        let cause = format!("key `{}`: the command wrote to standard error", key.name);
        let advice = "it may have given the key all the same; see what it says";
        faults.warn_of(command.line, cause, advice, said);
    }
    fetched
}
