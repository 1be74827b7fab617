//! Bulk loads: psql's `\copy` of rows with two id columns, in and out, in each format: direct,
//! through pgveil, and through PgBouncer where it is installed, in alternating runs against the same
//! throwaway Postgres. Needs `psql`.
//!
//! `cargo bench --bench copy -- [--rows 10000000] [--rounds 3]`. The direct way copies keys, that
//! through pgveil ids. PgBouncer carries a table of the same rows with uuids in it: as many bytes as
//! pgveil sends. Beside COPY to, in text, the same rows are read as the result of a query. In the first round the content is checked: what came out through pgveil is record
//! by record what came out direct, once the codec has turned its ids into keys; and what went in is,
//! either way, what was there. The table has the rows per second of the first two ways (medians),
//! their ratio, the processor time of both proxies for a million rows, and the peak of the proxy's
//! memory after each line. At no time are more than three tables and three files on the disk: 10
//! million rows need less than 6 GB.
#![expect(
    clippy::print_stdout,
    clippy::expect_used,
    clippy::unwrap_used,
    clippy::panic,
    reason = "a benchmark prints, and has nobody to report a fault to"
)]

#[path = "../tests/poolers/pgbouncer.rs"]
mod pgbouncer;
#[path = "process.rs"]
mod process;
#[path = "copy/records.rs"]
mod records;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use pgbouncer::PgBouncer;
use pgveil::postgres::{Environment, Options, Postgres, program};
use process::{Proxy, number};
use records::assert_same;

/// The formats of COPY.
const FORMATS: [&str; 3] = ["text", "csv", "binary"];

/// The id domains, with the columns that no foreign key tells of.
const IDS: &[(&str, &str, &str)] = &[
    (
        "user",
        "public.users.id",
        "references = [\"public.items.user_id\", \"public.copies.user_id\"]",
    ),
    (
        "item",
        "public.items.id",
        "references = [\"public.copies.id\"]",
    ),
];

/// Without WAL, which would be the same for both ways.
const SCHEMA: &str = "CREATE TABLE users (id bigint PRIMARY KEY);
    CREATE UNLOGGED TABLE items (id bigint, user_id bigint, note text);
    CREATE UNLOGGED TABLE copies (id bigint, user_id bigint, note text);
    CREATE SCHEMA uuids;
    CREATE UNLOGGED TABLE uuids.items (id uuid, user_id uuid, note text);
    CREATE UNLOGGED TABLE uuids.copies (id uuid, user_id uuid, note text);";

/// A way to the database, and the file that is copied on it.
struct Way<'a> {
    psql: &'a Path,
    port: u16,
    user: &'a str,
    file: PathBuf,
    /// That of the tables.
    schema: &'a str,
    /// The processor time of what is on the way.
    cpu_seconds: &'a dyn Fn() -> Option<f64>,
}

/// What copies took: seconds, and those of the processor.
#[derive(Default)]
struct Taken {
    seconds: Vec<f64>,
    cpu: Vec<f64>,
}

impl Way<'_> {
    /// Runs a command of psql and gives what it prints.
    fn run(&self, command: &str) -> String {
        self.run_each(&[command])
    }

    fn run_each(&self, commands: &[&str]) -> String {
        let command = commands.join("; ");
        let output = Command::new(self.psql)
            .args(["-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1"])
            .args(["-h", "127.0.0.1", "-p", &self.port.to_string()])
            .args(["-U", self.user, "-d", "postgres"])
            .args(commands.iter().flat_map(|command| ["-c", command]))
            .output()
            .expect("psql");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{command}: {errors}");
        String::from_utf8_lossy(&output.stdout).trim().to_owned()
    }

    /// Copies the table `items` to the file, or the file to the table `copies`.
    fn copy(&self, direction: &str, format: &str, taken: &mut Taken) {
        let schema = self.schema;
        let table = if direction == "to" { "items" } else { "copies" };
        let file = self.file.display();
        let command =
            format!("\\copy {schema}.{table} {direction} '{file}' with (format {format})");
        self.time(&[&command], taken);
    }

    /// Reads the table `items` as the result of a query, which psql prints nowhere.
    fn select(&self, taken: &mut Taken) {
        let select = format!("SELECT * FROM {}.items", self.schema);
        self.time(&["\\o /dev/null", &select], taken);
    }

    fn time(&self, commands: &[&str], taken: &mut Taken) {
        let before = (self.cpu_seconds)();
        let started = Instant::now();
        self.run_each(commands);
        taken.seconds.push(started.elapsed().as_secs_f64());
        if let (Some(before), Some(after)) = (before, (self.cpu_seconds)()) {
            taken.cpu.push(after - before);
        }
    }

    /// A hash over all rows of a table, whatever their order.
    fn fingerprint(&self, table: &str) -> String {
        self.run(&format!(
            "SELECT count(*), sum(hashtextextended(format('%s,%s,%s', id, user_id, note), 0))
             FROM {table}"
        ))
    }
}

/// The ways, and the proxy on the second.
struct Bench<'a> {
    direct: Way<'a>,
    through: Way<'a>,
    pooled: Option<Way<'a>>,
    proxy: &'a Proxy,
    rows: u64,
    rounds: u64,
}

impl Bench<'_> {
    fn ways(&self) -> impl Iterator<Item = &Way<'_>> {
        [&self.direct, &self.through]
            .into_iter()
            .chain(&self.pooled)
    }

    /// Out and in, in each round on all ways.
    fn compare(&self, format: &str) {
        let original = self.direct.fingerprint("items");
        let (mut out, mut into) = (Taken::three(), Taken::three());
        let mut results = Taken::three();
        for round in 0..self.rounds {
            for (way, taken) in self.ways().zip(&mut out) {
                way.copy("to", format, taken);
            }
            if round == 0 {
                assert_same(&self.direct.file, &self.through.file, format, self.rows);
            }
            if format == "text" {
                for (way, taken) in self.ways().zip(&mut results) {
                    way.select(taken);
                }
            }
            for (way, taken) in self.ways().zip(&mut into) {
                self.direct.run("TRUNCATE copies, uuids.copies");
                way.copy("from", format, taken);
                if round == 0 && way.schema == "public" {
                    let copied = self.direct.fingerprint("copies");
                    assert_eq!(copied, original, "what went in is something else");
                }
            }
        }
        if format == "text" {
            self.print(format, "result", results);
        }
        self.print(format, "out", out);
        self.print(format, "in", into);
        for way in self.ways() {
            fs::remove_file(&way.file).expect("a file");
        }
        self.direct.run("TRUNCATE copies, uuids.copies");
    }

    fn print(&self, format: &str, direction: &str, taken: [Taken; 3]) {
        let millions = self.rows as f64 / 1e6;
        let [direct, through, pooled] = taken;
        let cpu = [through.cpu, pooled.cpu].map(|cpu| {
            let median = (!cpu.is_empty()).then(|| median(cpu) / millions);
            median.map_or("?".to_owned(), |seconds| format!("{seconds:.3}"))
        });
        let [direct, through] =
            [direct.seconds, through.seconds].map(|seconds| self.rows as f64 / median(seconds));
        println!(
            "| {format} | {direction} | {direct:.0} | {through:.0} | {:.2} | {} | {} | {} |",
            through / direct,
            cpu[0],
            cpu[1],
            mebibytes(self.proxy)
        );
    }
}

impl Taken {
    fn three() -> [Self; 3] {
        std::array::from_fn(|_| Self::default())
    }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// The peak of the proxy's memory so far.
fn mebibytes(proxy: &Proxy) -> String {
    let peak = proxy.memory_kib("VmHWM");
    peak.map_or("?".to_owned(), |kib| format!("{:.1}", kib as f64 / 1024.0))
}

fn main() {
    // `cargo test --benches` runs this, too; measuring is for `cargo bench`.
    if !std::env::args().any(|argument| argument == "--bench") {
        return;
    }
    let (rows, rounds) = (number("--rows", 10_000_000), number("--rounds", 3));
    let psql = program(&Environment::of_process(), "psql").expect("psql in PATH");
    // Each copy begins with the first row; a checkpoint in the middle would hit one way only.
    let options = Options::from_env()
        .setting("synchronize_seqscans", "off")
        .setting("checkpoint_timeout", "1h")
        .setting("max_wal_size", "4GB");
    let postgres = Postgres::start(&options).expect("a Postgres");
    let folder = tempfile::tempdir().unwrap();
    let none = || None;
    let way = |port, file: &str, schema, cpu_seconds| Way {
        psql: &psql,
        port,
        user: postgres.superuser(),
        file: folder.path().join(file),
        schema,
        cpu_seconds,
    };
    let direct = way(postgres.port(), "keys", "public", &none as &dyn Fn() -> _);
    direct.run(SCHEMA);
    direct.run(&format!(
        "INSERT INTO items SELECT 8613972450000000 + n, n % 100003 + 1, 'note ' || n
         FROM generate_series(1, {rows}) n"
    ));
    direct.run(
        "INSERT INTO uuids.items SELECT gen_random_uuid(), gen_random_uuid(), note FROM items",
    );
    direct.run("VACUUM ANALYZE items, uuids.items");
    let proxy = Proxy::start(&postgres, folder.path(), IDS);
    let upstream = (postgres.host(), postgres.port());
    let pooler = PgBouncer::start(upstream, "session", 20, "");
    if let Err(reason) = &pooler {
        println!("without PgBouncer: {reason}");
    }
    let of_pgveil = || proxy.cpu_seconds();
    let of_pooler = || process::cpu_seconds(pooler.as_ref().ok()?.id()?);
    let pooled = pooler.as_ref().ok().map(|pooler| pooler.port);
    let bench = Bench {
        direct,
        through: way(proxy.port, "ids", "public", &of_pgveil),
        pooled: pooled.map(|port| way(port, "uuids", "uuids", &of_pooler)),
        proxy: &proxy,
        rows,
        rounds,
    };
    bench.through.run("SELECT count(*) FROM items");
    println!(
        "{rows} rows, {rounds} rounds; pgveil takes {} MiB before\n",
        mebibytes(&proxy)
    );
    println!(
        "| format | direction | direct rows/s | pgveil rows/s | ratio | CPU s/M rows, pgveil | CPU s/M rows, PgBouncer | peak MiB of pgveil |"
    );
    println!("| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |");
    for format in FORMATS {
        bench.compare(format);
    }
}
