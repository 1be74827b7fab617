//! Runs a program that prints a secret, within a time. What it prints goes nowhere else.

use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process_group};
use zeroize::Zeroizing;

use super::keys::Fetched;

const ADVICE: &str = "the command must print the key to standard output and exit 0";

/// So much of what a program says to its operator is passed on, in characters.
const MOST_SAID: usize = 500;

/// A program that prints a secret.
pub(super) struct Program<'a> {
    /// Its name and its arguments.
    pub(super) words: &'a [&'a str],
    /// Where it runs.
    pub(super) folder: &'a Path,
    /// How long it may take.
    pub(super) timeout: Duration,
}

impl Program<'_> {
    /// What it prints, and what it says besides, on standard error.
    pub(super) fn run(&self) -> (Fetched, String) {
        let Some((program, arguments)) = self.words.split_first() else {
            return (
                Err(("the command is empty".to_owned(), ADVICE)),
                String::new(),
            );
        };
        let spawned = Command::new(program)
            .args(arguments)
            .current_dir(self.folder)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            // A group of its own, to end with it what it has started.
            .process_group(0)
            .spawn();
        let ended = spawned.map(|child| self.wait(child));
        let output = match ended {
            Ok(Some(output)) => output,
            Ok(None) => {
                let cause = format!(
                    "{program} has not ended within {} s",
                    self.timeout.as_secs()
                );
                let advice =
                    "the command must print the key and exit; timeout_s gives it more time";
                return (Err((cause, advice)), String::new());
            }
            Err(error) => {
                let cause = format!("cannot run {program}: {error}");
                return (Err((cause, ADVICE)), String::new());
            }
        };
        let said: String = String::from_utf8_lossy(&output.stderr)
            .trim()
            .chars()
            .take(MOST_SAID)
            .collect();
        if !output.status.success() {
            let cause = match said.as_str() {
                "" => format!("{program}: {}", output.status),
                said => format!("{program}: {}: {said}", output.status),
            };
            return (Err((cause, ADVICE)), String::new());
        }
        let printed = Zeroizing::new(output.stdout);
        let text = match std::str::from_utf8(&printed) {
            Ok(text) => Ok(Zeroizing::new(text.to_owned())),
            Err(_) => Err((format!("{program} printed bytes that are no text"), ADVICE)),
        };
        (text, said)
    }

    /// All that it writes until it ends; `None` if it was killed because of the time.
    fn wait(&self, child: Child) -> Option<Output> {
        let group = Pid::from_child(&child);
        let (done, ended) = mpsc::channel();
        // It ends when the program and whatever holds its output have ended.
        thread::spawn(move || done.send(child.wait_with_output().ok()));
        let output = ended.recv_timeout(self.timeout).ok().flatten();
        if output.is_none() {
            // It may have ended by now.
            let _ = kill_process_group(group, Signal::KILL);
        }
        output
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(script: &str, timeout: Duration) -> (Fetched, String) {
        let program = Program {
            words: &["sh", "-c", script],
            folder: Path::new("."),
            timeout,
        };
        program.run()
    }

    const LONG: Duration = Duration::from_secs(60);

    #[test]
    fn gives_what_is_printed_and_what_is_said_besides() {
        let (printed, said) = run("echo key; echo soon to expire >&2", LONG);
        assert_eq!(printed.unwrap().as_str(), "key\n");
        assert_eq!(said, "soon to expire");
    }

    #[test]
    fn says_why_there_is_no_key_without_showing_what_was_printed() {
        let (printed, _) = run("echo secret; echo no such key >&2; exit 3", LONG);
        let (cause, _) = printed.unwrap_err();
        assert!(cause.contains("exit status: 3") && cause.contains("no such key"));
        assert!(!cause.contains("secret"));
        let (printed, _) = run("printf '\\377'", LONG);
        assert!(printed.unwrap_err().0.contains("no text"));
    }

    /// A shell is killed with what it waits for: the output of `sleep` is that of the shell.
    #[test]
    fn ends_a_program_that_does_not_end_with_all_that_it_has_started() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("pid");
        let script = format!("sleep 600 & echo $! > '{}'; wait", file.display());
        let (printed, _) = run(&script, Duration::from_millis(500));
        let (cause, advice) = printed.unwrap_err();
        assert!(cause.contains("not ended within") && advice.contains("timeout_s"));
        let pid = std::fs::read_to_string(&file).unwrap();
        let stat = format!("/proc/{}/stat", pid.trim());
        let is_alive = || std::fs::read_to_string(&stat).is_ok_and(|stat| !stat.contains(") Z "));
        while is_alive() {
            thread::sleep(Duration::from_millis(5));
        }
    }
}
