//! The configuration file: any text is a configuration, or has faults that lie in it. What would
//! reach out of the text (commands, files) or takes long (the tables of one codec) is left out.

use std::path::Path;

use pgveil::config::{Config, Environment, Files};

/// Words that make the parser do something else than parsing.
pub const LEFT_OUT: &[&str] = &[
    "command", "file", "include", "fastprp", "system", "size", "/", "\\",
];

/// The target.
pub fn run(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    let lower = text.to_ascii_lowercase();
    if LEFT_OUT.iter().any(|word| lower.contains(word)) {
        return;
    }
    let around = Environment {
        folder: Path::new("/nonexistent"),
        env: &|name| name.contains("KEY").then(|| "0123456789abcdef".repeat(4)),
    };
    match Config::parse(text, &around) {
        Ok(config) => {
            assert_eq!(config.annotations().len(), config.domains.len());
        }
        Err(faults) => {
            assert!(!faults.is_empty(), "refused without a reason");
            let files = Files::of(Path::new("f"));
            let report = faults.iter().map(|fault| files.fault(fault).to_string());
            assert!(report.into_iter().all(|line| !line.is_empty()));
        }
    }
}
