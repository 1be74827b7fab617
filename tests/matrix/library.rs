//! The client libraries, and whether what they need is here.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::program::{folder, output, python};
use super::say;

/// What runs a program.
enum Runtime {
    /// The Python of `.venv`, with a module that is to be imported.
    Python(&'static str),
    /// Node, with the packages of `node`.
    Node,
    /// The program of `go`, which has all clients of that language.
    Go,
}

/// A client library and its program.
pub(crate) struct Library {
    pub(crate) name: &'static str,
    /// The name of the file, without what it ends with; for Go, what the program is told.
    program: &'static str,
    runtime: Runtime,
}

/// All of them, in the order of the table.
pub(crate) const LIBRARIES: [Library; 15] = [
    of_python("psycopg 3", "with_psycopg", "psycopg"),
    of_python("psycopg2", "with_psycopg2", "psycopg2"),
    of_python("asyncpg", "with_asyncpg", "asyncpg"),
    of_python("SQLAlchemy", "with_sqlalchemy", "sqlalchemy"),
    of_python("pg8000", "with_pg8000", "pg8000"),
    of_python("peewee", "with_peewee", "peewee"),
    of_node("node-postgres", "with_pg"),
    of_node("postgres.js", "with_postgres"),
    of_node("knex", "with_knex"),
    of_node("Drizzle", "with_drizzle"),
    of_node("Kysely", "with_kysely"),
    of_node("Sequelize", "with_sequelize"),
    of_node("TypeORM", "with_typeorm"),
    of_go("pgx", "pgx"),
    of_go("lib/pq", "pq"),
];

const fn of_python(name: &'static str, program: &'static str, module: &'static str) -> Library {
    Library {
        name,
        program,
        runtime: Runtime::Python(module),
    }
}

const fn of_node(name: &'static str, program: &'static str) -> Library {
    Library {
        name,
        program,
        runtime: Runtime::Node,
    }
}

const fn of_go(name: &'static str, program: &'static str) -> Library {
    Library {
        name,
        program,
        runtime: Runtime::Go,
    }
}

impl Library {
    /// The beginning of the names of its databases.
    pub(crate) fn database(&self) -> String {
        format!("matrix_{}", self.program)
    }

    /// Whether its runtime and its packages are here; without them it is skipped aloud.
    pub(crate) fn is_here(&self) -> bool {
        let missing = match self.runtime {
            Runtime::Python(module) => missing_module(module),
            Runtime::Node => missing_packages(),
            Runtime::Go => missing_modules(),
        };
        if let Some(missing) = &missing {
            // Machines that check the rest need no Go.
            let required = std::env::var_os("PGVEIL_REQUIRE_MATRIX").is_some();
            let required = required && !matches!(self.runtime, Runtime::Go);
            assert!(!required, "{}: {missing}", self.name);
            say(&format!("SKIPPED: {}, {missing}", self.name));
        }
        missing.is_none()
    }

    /// Its program, which wants to be told where its database is.
    pub(crate) fn command(&self) -> Command {
        match self.runtime {
            Runtime::Python(_) => {
                let mut command = Command::new(python());
                // Nothing is written beside the sources.
                command.arg("-B").arg(file("python", self.program, "py"));
                command
            }
            Runtime::Node => {
                let mut command = Command::new("node");
                command.arg(file("node", self.program, "mjs"));
                command
            }
            Runtime::Go => {
                let mut command = Command::new(go_program());
                command.arg(self.program);
                command
            }
        }
    }
}

fn file(language: &str, program: &str, extension: &str) -> PathBuf {
    let folder = folder().join("tests/matrix").join(language);
    folder.join(program).with_extension(extension)
}

/// Whether a program can be run and is content.
fn succeeds(program: impl AsRef<Path>, arguments: &[&str]) -> bool {
    let mut command = Command::new(program.as_ref());
    command.args(arguments);
    let status = command.stdout(Stdio::null()).stderr(Stdio::null()).status();
    status.is_ok_and(|status| status.success())
}

fn missing_module(module: &str) -> Option<String> {
    let import = format!("import {module}");
    let missing = !succeeds(python(), &["-c", &import]);
    missing.then(|| format!("there is no {module} in .venv"))
}

/// Installs the packages of `node` where they are missing.
fn missing_packages() -> Option<String> {
    if !succeeds("npm", &["--version"]) {
        return Some("there is no npm".to_owned());
    }
    let packages = folder().join("tests/matrix/node");
    if !packages.join("node_modules/.package-lock.json").exists() {
        let mut install = Command::new("npm");
        install.args(["ci", "--no-audit", "--no-fund", "--ignore-scripts"]);
        output(install.current_dir(&packages));
    }
    None
}

/// Where the program of `go` is built.
fn go_program() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("matrix_go")
}

/// Builds the program of `go`, with modules that are fetched where they are missing.
fn missing_modules() -> Option<String> {
    if !succeeds("go", &["version"]) {
        return Some("there is no Go".to_owned());
    }
    let sources = folder().join("tests/matrix/go");
    let sources = sources.to_str().expect("the folder has a name of letters");
    if !succeeds("go", &["-C", sources, "mod", "download"]) {
        return Some("the modules of Go can't be had".to_owned());
    }
    let mut build = Command::new("go");
    build.args(["-C", sources, "build", "-o"]).arg(go_program());
    output(build.arg("."));
    None
}
