//! Arguments in, exit code out; the only place where errors become text on standard error.

use std::io::Write;
use std::process::ExitCode;

use clap::Parser;
use pgveil::cli::{Arguments, Outcome, run};

/// Gives memory back after a peak, as the system's own does not; Cargo.toml has the numbers.
#[cfg(not(target_env = "msvc"))]
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

fn main() -> ExitCode {
    let mut out = std::io::stdout().lock();
    let mut notes = std::io::stderr();
    match run(Arguments::parse(), &mut out, &mut notes) {
        Ok(Outcome::Success) => ExitCode::SUCCESS,
        Ok(Outcome::Finding) => ExitCode::from(1),
        Err(error) => {
            // If standard error is gone, the exit code has to say it alone.
            let _ = writeln!(notes, "pgveil: {error}");
            ExitCode::from(2)
        }
    }
}
