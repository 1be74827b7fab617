//! That the table and the reader know the same settings.

use super::*;
use crate::config::fault::Faults;
use crate::config::raw::Raw;
use crate::config::reading::Reading;

/// A file with each table.
fn each_table() -> String {
    let headers = TABLES.iter().map(|(table, _)| match *table {
        "" => String::new(),
        table if LISTS.contains(&table) => format!("[[{table}]]\n"),
        table => format!("[{table}]\n"),
    });
    headers.collect()
}

#[test]
fn the_table_has_what_the_reader_asks_for_and_nothing_else() {
    let text = each_table();
    let reading = Reading::new(&|_| None);
    let mut faults = Faults::new(&text);
    Raw::read(&text, &reading, &mut faults).expect("TOML");
    let mut asked = Vec::new();
    for table in reading.into_tables() {
        for setting in table.settings {
            let name = match table.name.as_str() {
                "" => setting.name.to_owned(),
                table => format!("{table}.{}", setting.name),
            };
            asked.push((name, setting.kind));
        }
    }
    asked.sort_by(|one, other| one.0.cmp(&other.0));
    let known = SETTINGS
        .iter()
        .map(|setting| (setting.name.to_owned(), setting.kind));
    let mut known: Vec<_> = known.collect();
    known.sort_by(|one, other| one.0.cmp(&other.0));
    assert_eq!(asked, known);
    let (faults, _) = faults.into_sorted();
    assert_eq!(faults, []);
}

#[test]
fn defaults_are_values_of_their_kind() {
    use toml::de::DeValue;
    for setting in SETTINGS
        .iter()
        .filter(|setting| !setting.default.is_empty())
    {
        let value = DeValue::parse(setting.default).expect("TOML").into_inner();
        let fits = match setting.kind {
            SettingKind::Text => value.is_str(),
            SettingKind::Texts => value.is_array(),
            SettingKind::Integer => value.is_integer(),
            SettingKind::Boolean => value.is_bool(),
            SettingKind::Integers => value.is_table(),
            SettingKind::TextOrTable => value.is_table() || value.is_str(),
        };
        assert!(fits, "{}", setting.name);
        assert!(SettingKind::Texts != setting.kind || !setting.about.is_empty());
    }
}
