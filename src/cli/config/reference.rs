//! The page of the documentation that says what each setting means.

use crate::config::{Config, INCLUDED, LISTS, SETTINGS, SettingKind, TABLES};

/// The head of the page.
const HEAD: &str = "\
# The configuration

Every setting of `pgveil.toml`, made by `pgveil config reference`. `config/example.toml` shows most of them in use, `pgveil check` says what is wrong with a file, line by line, and `pgveil config print --effective --origin` what holds and where it comes from.
";

/// The page, in Markdown.
pub(super) fn page() -> String {
    let mut page = HEAD.to_owned();
    page.push_str(&whereabouts());
    for (table, about) in TABLES {
        let header = match table {
            "" => "At the top".to_owned(),
            table if LISTS.contains(&table) => format!("`[[{table}]]`"),
            table => format!("`[{table}]`"),
        };
        let about = match table {
            "" => "",
            _ => about,
        };
        page.push_str(&format!("\n## {header}\n\n"));
        if !about.is_empty() {
            page.push_str(&format!("{about}\n\n"));
        }
        page.push_str("| setting | is | default | what it means |\n| --- | --- | --- | --- |\n");
        for setting in SETTINGS {
            let (of, name) = setting.place();
            if of != table {
                continue;
            }
            let default = match setting.default {
                "" => String::new(),
                default => format!("`{}`", cell(default)),
            };
            let (kind, about) = (word(setting.kind), cell(&linked(setting.about)));
            page.push_str(&format!("| `{name}` | {kind} | {default} | {about} |\n"));
        }
    }
    page
}

/// Where a file is looked for, and what may stand in its values.
fn whereabouts() -> String {
    let places = Config::PLACES.map(|place| format!("`{place}`"));
    let included = INCLUDED.map(|table| match LISTS.contains(&table) {
        true => format!("`[[{table}]]`"),
        false => format!("`[{table}]`"),
    });
    format!(
        "\n**Where it is.** Each command takes the file that `-c` names, else the one that the \
         variable `PGVEIL_CONFIG` names, else {}.\n\
         \n**Variables.** `${{NAME}}` in a string stands for the variable NAME of the environment, \
         `${{NAME:-text}}` for the text if it is empty or not set, and `$${{` for those two \
         characters. A number, or true and false, may be a string with a variable, but not in \
         an inline table. Nothing is replaced in `[keys]`.\n\
         \n**Further files.** `include` names files with more of {}. Faults are told with the file \
         and the line.\n\
         \n**Flags.** `pgveil serve --listen`, `--upstream` and `--log`, and the variables \
         `PGVEIL_LISTEN`, `PGVEIL_UPSTREAM` and `PGVEIL_LOG`, stand in the place of \
         `server.listen`, `upstream.address` and `log.level`, after a reload too. The variables \
         hold for all commands.\n",
        places.join(", else "),
        included.join(", "),
    )
}

fn word(kind: SettingKind) -> &'static str {
    match kind {
        SettingKind::Text => "string",
        SettingKind::Texts => "list of strings",
        SettingKind::Integer => "whole number",
        SettingKind::Boolean => "boolean",
        SettingKind::Integers => "table of whole numbers",
        SettingKind::TextOrTable => "string, or table of strings",
    }
}

/// A text in which the names of pages are links.
fn linked(about: &str) -> String {
    let words = about.split(' ').map(|word| {
        let name = word.trim_matches(|sign| matches!(sign, '(' | ')' | '.' | ';' | ',' | ':'));
        let is_page = name.ends_with(".md") || name.contains(".md#");
        match is_page && !name.starts_with('`') {
            true => word.replacen(name, &format!("[{name}]({name})"), 1),
            false => word.to_owned(),
        }
    });
    words.collect::<Vec<_>>().join(" ")
}

/// A text in a cell of a table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}
