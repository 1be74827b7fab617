//! Programs that the tests run: what they print, and the Python that has the drivers.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// The standard output of a program that must succeed.
pub(crate) fn output(command: &mut Command) -> String {
    let Output {
        status,
        stdout,
        stderr,
    } = command.stdin(Stdio::null()).output().unwrap();
    let (out, err) = (
        String::from_utf8_lossy(&stdout),
        String::from_utf8_lossy(&stderr),
    );
    assert!(status.success(), "{command:?}: {status}\n{out}\n{err}");
    format!("{out}{err}")
}

/// The folder of the crate.
pub(crate) fn folder() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The Python of `.venv`, made with the three drivers and Django where they are missing.
pub(crate) fn python() -> PathBuf {
    let environment = folder().join(".venv");
    let python = environment.join("bin/python");
    let has_packages = |python: &Path| {
        let mut import = Command::new(python);
        import
            .args([
                "-c",
                "import psycopg, psycopg2, psycopg_binary, asyncpg, django",
            ])
            .stderr(Stdio::null());
        import.status().is_ok_and(|status| status.success())
    };
    if !has_packages(&python) {
        output(
            Command::new("python3")
                .args(["-m", "venv"])
                .arg(&environment),
        );
        let packages = ["psycopg[binary]", "psycopg2-binary", "asyncpg", "django"];
        output(
            Command::new(&python)
                .args(["-m", "pip", "install", "--quiet"])
                .args(packages),
        );
    }
    python
}
