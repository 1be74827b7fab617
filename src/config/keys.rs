//! Fetches the keys that the file names: from the environment, a file or a command. A key never
//! stands in the configuration itself, and no fault shows what was read.

use std::path::Path;
use std::process::{Command, Stdio};

use zeroize::Zeroizing;

use super::Surroundings;
use super::fault::Faults;
use super::raw::{Keys, RingKey};
use crate::codec::{KeyRing, Secret};

/// The ring, or `None` with the faults that stand in the way.
pub(super) fn ring(
    keys: Keys,
    around: &Surroundings<'_>,
    faults: &mut Faults<'_>,
) -> Option<KeyRing> {
    let Some(current) = keys.current else {
        let advice = "add current = \"NAME\", the name of the key in [keys.ring.NAME] that encodes";
        faults.add(
            keys.line,
            "[keys] does not say which key is current",
            advice,
        );
        return None;
    };
    let mut encodes = None;
    let mut older = Vec::new();
    let mut complete = true;
    let mut named = false;
    for key in &keys.ring {
        let is_current = key.name == current.value;
        named |= is_current;
        match secret(key, around, faults) {
            Some(secret) if is_current => encodes = Some(secret),
            Some(secret) => older.push(secret),
            None => complete = false,
        }
    }
    if !named {
        let cause = format!("the current key `{}` is not in the ring", current.value);
        let advice = format!(
            "add [keys.ring.{}] with env, file or command; `pgveil keygen` makes a key",
            current.value
        );
        faults.add(current.line, cause, advice);
    }
    let current = encodes.filter(|_| complete)?;
    Some(KeyRing { current, older })
}

fn secret(key: &RingKey, around: &Surroundings<'_>, faults: &mut Faults<'_>) -> Option<Secret> {
    let (line, text) = match (&key.env, &key.file, &key.command) {
        (Some(env), None, None) => (env.line, from_env(&env.value, around)),
        (None, Some(file), None) => (file.line, from_file(&around.folder.join(&file.value))),
        (None, None, Some(command)) => {
            let words: Vec<&str> = command
                .value
                .iter()
                .map(|word| word.value.as_str())
                .collect();
            (command.line, from_command(&words, around.folder))
        }
        _ => {
            let cause = format!("[keys.ring.{}] needs exactly one source", key.name);
            let advice = "write one of env = \"NAME\", file = \"PATH\", command = [\"PROGRAM\", …]";
            faults.add(key.line, cause, advice);
            return None;
        }
    };
    let text = match text {
        Ok(text) => text,
        Err((cause, advice)) => {
            faults.add(line, format!("key `{}`: {cause}", key.name), advice);
            return None;
        }
    };
    match Secret::parse(&text) {
        Ok(secret) => Some(secret),
        Err(error) => {
            let advice = "use what `pgveil keygen` prints";
            faults.add(line, format!("key `{}`: {error}", key.name), advice);
            None
        }
    }
}

type Fetched = Result<Zeroizing<String>, (String, &'static str)>;

fn from_env(name: &str, around: &Surroundings<'_>) -> Fetched {
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

fn from_command(words: &[&str], folder: &Path) -> Fetched {
    const ADVICE: &str = "the command must print the key to standard output and exit 0";
    let Some((program, arguments)) = words.split_first() else {
        return Err(("the command is empty".to_owned(), ADVICE));
    };
    let output = Command::new(program)
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| (format!("cannot run {program}: {error}"), ADVICE))?;
    if !output.status.success() {
        return Err((format!("{program}: {}", output.status), ADVICE));
    }
    match String::from_utf8(output.stdout) {
        Ok(text) => Ok(Zeroizing::new(text)),
        Err(_) => Err((format!("{program} printed bytes that are no text"), ADVICE)),
    }
}
