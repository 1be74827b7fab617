//! The client libraries, and whether what they need is here.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use super::program::{folder, output, python};
use super::say;

/// What runs a program.
enum Runtime {
    /// The Python of `.venv`, with a module that is to be imported.
    Python(&'static str),
    /// Node, with the packages of this folder.
    Node(&'static str),
    /// The program of `go`, which has all clients of that language.
    Go,
    /// The same with the client whose code has to be generated.
    GoGenerated,
    /// The program of `java`, likewise.
    Java,
    /// The program of `rust`, likewise.
    Rust,
    /// Ruby, with a library that is to be required.
    Ruby(&'static str),
    /// PHP, with an extension.
    Php(&'static str),
}

/// A client library and its program.
pub(crate) struct Library {
    pub(crate) name: &'static str,
    /// The name of the file, without what it ends with; for Go and Java, what the program is told.
    program: &'static str,
    runtime: Runtime,
}

/// The folder of Prisma, which takes many packages, and writes its client itself.
const PRISMA: &str = "prisma";

/// All of them, in the order of the table.
pub(crate) const LIBRARIES: [Library; 32] = [
    of_python("psycopg 3", "with_psycopg", "psycopg"),
    of_python("psycopg2", "with_psycopg2", "psycopg2"),
    of_python("asyncpg", "with_asyncpg", "asyncpg"),
    of_python("SQLAlchemy", "with_sqlalchemy", "sqlalchemy"),
    of_python("SQLAlchemy async", "with_sqlalchemy_async", "greenlet"),
    of_python("Django", "with_django", "django"),
    of_python("Tortoise ORM", "with_tortoise", "tortoise"),
    of_python("pg8000", "with_pg8000", "pg8000"),
    of_python("peewee", "with_peewee", "peewee"),
    of_node("node-postgres", "with_pg"),
    of_node("postgres.js", "with_postgres"),
    of_node("knex", "with_knex"),
    of_node("Drizzle", "with_drizzle"),
    of_node("Kysely", "with_kysely"),
    of_node("Sequelize", "with_sequelize"),
    of_node("TypeORM", "with_typeorm"),
    of_node("MikroORM", "with_mikro_orm"),
    Library {
        name: "Prisma",
        program: "with_prisma",
        runtime: Runtime::Node(PRISMA),
    },
    of_go("pgx", "pgx"),
    of_go("lib/pq", "pq"),
    of_go("GORM", "gorm"),
    of_go("Bun", "bun"),
    Library {
        name: "ent",
        program: "ent",
        runtime: Runtime::GoGenerated,
    },
    of_java("pgjdbc", "pgjdbc"),
    of_java("Hibernate ORM", "hibernate"),
    of_java("MyBatis", "mybatis"),
    of_java("jOOQ", "jooq"),
    of_rust("tokio-postgres", "tokio_postgres"),
    of_rust("sqlx", "sqlx"),
    Library {
        name: "pg (Ruby)",
        program: "with_pg",
        runtime: Runtime::Ruby("pg"),
    },
    Library {
        name: "ActiveRecord",
        program: "with_activerecord",
        runtime: Runtime::Ruby("active_record"),
    },
    Library {
        name: "PDO",
        program: "with_pdo",
        runtime: Runtime::Php("pdo_pgsql"),
    },
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
        runtime: Runtime::Node("node"),
    }
}

const fn of_go(name: &'static str, program: &'static str) -> Library {
    Library {
        name,
        program,
        runtime: Runtime::Go,
    }
}

const fn of_java(name: &'static str, program: &'static str) -> Library {
    Library {
        name,
        program,
        runtime: Runtime::Java,
    }
}

const fn of_rust(name: &'static str, program: &'static str) -> Library {
    Library {
        name,
        program,
        runtime: Runtime::Rust,
    }
}

impl Library {
    /// Whether it is run only where it is named, or all are: what needs a long time to be built.
    pub(crate) fn is_by_flag(&self) -> bool {
        match self.runtime {
            Runtime::Java | Runtime::GoGenerated | Runtime::Rust => true,
            Runtime::Node(folder) => folder == PRISMA,
            Runtime::Python(_) | Runtime::Go | Runtime::Ruby(_) | Runtime::Php(_) => false,
        }
    }

    /// The beginning of the names of its databases.
    pub(crate) fn database(&self) -> String {
        match self.runtime {
            Runtime::Ruby(_) => format!("matrix_ruby_{}", self.program),
            _ => format!("matrix_{}", self.program),
        }
    }

    /// Whether its runtime and its packages are here; without them it is skipped aloud.
    pub(crate) fn is_here(&self) -> bool {
        let missing = match self.runtime {
            Runtime::Python(module) => missing_module(module),
            Runtime::Node(folder) => missing_packages(folder),
            Runtime::Go => missing_modules(&[]),
            Runtime::GoGenerated => missing_modules(&["-tags", "generated"]),
            Runtime::Java => missing_archive(),
            Runtime::Rust => missing_crates(),
            Runtime::Ruby(library) => missing_library(library),
            Runtime::Php(extension) => missing_extension(extension),
        };
        if let Some(missing) = &missing {
            // Machines that check the rest need no Go, Java, Ruby or PHP.
            let required = std::env::var_os("PGVEIL_REQUIRE_MATRIX").is_some();
            let required =
                required && matches!(self.runtime, Runtime::Python(_) | Runtime::Node(_));
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
            Runtime::Node(folder) => {
                let mut command = Command::new("node");
                command.arg(file(folder, self.program, "mjs"));
                command
            }
            Runtime::Go | Runtime::GoGenerated => {
                let mut command = Command::new(go_program());
                command.arg(self.program);
                command
            }
            Runtime::Java => {
                let mut command = Command::new("java");
                // It is over before anything would be compiled for speed.
                command.args(["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-jar"]);
                command.arg(archive()).arg(self.program);
                command
            }
            Runtime::Rust => {
                let mut command = Command::new(rust_target().join("debug/matrix"));
                command.arg(self.program);
                command
            }
            Runtime::Ruby(_) => {
                let mut command = Command::new("ruby");
                command.arg(file("ruby", self.program, "rb"));
                command
            }
            Runtime::Php(_) => {
                let mut command = Command::new("php");
                command.arg(file("php", self.program, "php"));
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

/// Where the program of `rust` is built.
fn rust_target() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("matrix_rust")
}

/// Builds the program of `rust`, with crates that are fetched where they are missing.
fn missing_crates() -> Option<String> {
    static BUILT: OnceLock<bool> = OnceLock::new();
    let is_built = BUILT.get_or_init(|| {
        let mut build = Command::new(env!("CARGO"));
        build.args(["build", "--quiet", "--locked", "--target-dir"]);
        build.arg(rust_target());
        build.current_dir(folder().join("tests/matrix/rust"));
        build.status().is_ok_and(|status| status.success())
    });
    (!is_built).then(|| "the crates of Rust's clients can't be had".to_owned())
}

fn missing_library(library: &str) -> Option<String> {
    let missing = !succeeds("ruby", &["-r", library, "-e", ""]);
    missing.then(|| format!("there is no Ruby with {library}"))
}

fn missing_extension(extension: &str) -> Option<String> {
    let asks = format!("exit((int) !extension_loaded('{extension}'));");
    let missing = !succeeds("php", &["-r", &asks]);
    missing.then(|| format!("there is no PHP with {extension}"))
}

/// Installs the packages of a folder where they are missing, and has Prisma write its client.
fn missing_packages(of: &str) -> Option<String> {
    if !succeeds("npm", &["--version"]) {
        return Some("there is no npm".to_owned());
    }
    let packages = folder().join("tests/matrix").join(of);
    let npm = |arguments: &[&str]| {
        let mut npm = Command::new("npm");
        output(npm.args(arguments).current_dir(&packages));
    };
    let lock = |path: &str| std::fs::metadata(packages.join(path)).and_then(|file| file.modified());
    // Packages of an earlier lock are others.
    let installed = lock("node_modules/.package-lock.json").ok();
    if installed
        .is_none_or(|installed| lock("package-lock.json").is_ok_and(|lock| lock > installed))
    {
        npm(&["ci", "--no-audit", "--no-fund", "--ignore-scripts"]);
    }
    if of == PRISMA
        && !packages
            .join("node_modules/.prisma/client/index.js")
            .exists()
    {
        npm(&["run", "generate"]);
    }
    None
}

/// Where the program of `go` is built.
fn go_program() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("matrix_go")
}

/// Builds the program of `go`, with modules that are fetched where they are missing, and with what
/// has to be generated if a tag asks for that.
fn missing_modules(tags: &[&str]) -> Option<String> {
    if !succeeds("go", &["version"]) {
        return Some("there is no Go".to_owned());
    }
    let sources = folder().join("tests/matrix/go");
    let go = |arguments: &[&str]| {
        let mut go = Command::new("go");
        go.arg("-C").arg(&sources).args(arguments);
        go
    };
    let download = go(&["mod", "download"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    if !download.is_ok_and(|status| status.success()) {
        return Some("the modules of Go can't be had".to_owned());
    }
    if !tags.is_empty() {
        output(&mut go(&["generate", "./schema"]));
    }
    output(
        go(&["build"])
            .args(tags)
            .arg("-o")
            .arg(go_program())
            .arg("."),
    );
    None
}

/// Where the program of `java` is built.
fn archive() -> PathBuf {
    folder().join("tests/matrix/java/target/matrix.jar")
}

/// Builds the program of `java`, with artifacts that are fetched where they are missing.
fn missing_archive() -> Option<String> {
    if !succeeds("java", &["-version"]) || !succeeds("mvn", &["-version"]) {
        return Some("there is no Java with Maven".to_owned());
    }
    static BUILT: OnceLock<bool> = OnceLock::new();
    let is_built = BUILT.get_or_init(|| {
        let mut build = Command::new("mvn");
        build.args(["-q", "-B", "package"]);
        build.current_dir(folder().join("tests/matrix/java"));
        let built = build.stdout(Stdio::null()).stderr(Stdio::null()).status();
        built.is_ok_and(|status| status.success())
    });
    (!is_built).then(|| "the artifacts of Java can't be had".to_owned())
}
