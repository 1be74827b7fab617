//! The settings that hold, as `pgveil config print --effective --origin` shows them: programs that
//! print keys are not told, and what is in files that the configuration names is not read.

use serde::Serialize;

use crate::proxy::Vitals;

/// The document.
#[derive(Debug, Serialize)]
pub(super) struct Settings {
    settings: Vec<Setting>,
}

#[derive(Debug, Serialize)]
pub(super) struct Setting {
    /// The header, such as `[server]` or `[[id]]`; an entry of a list follows the one before.
    table: String,
    name: &'static str,
    /// As TOML.
    value: String,
    /// File and line, or `default`.
    origin: String,
}

/// All settings, as they stand.
pub(super) fn of(vitals: &Vitals) -> Settings {
    Settings {
        settings: list(vitals),
    }
}

/// The settings, table by table.
pub(super) fn list(vitals: &Vitals) -> Vec<Setting> {
    vitals.with_config(|config| {
        let mut list = Vec::new();
        for table in config.effective() {
            for setting in table.settings {
                let place = |line| config.files().show(line).to_string();
                list.push(Setting {
                    table: table.header.clone(),
                    name: setting.name,
                    value: setting.value,
                    origin: setting.line.map_or_else(|| "default".to_owned(), place),
                });
            }
        }
        list
    })
}
