//! A file as the list of its settings, so that two can be compared: what a reload has changed is told
//! by their names.

use std::collections::BTreeMap;

use toml::de::{DeTable, DeValue};

/// The settings by their full names, with their values as they are written. Entries of a list of
/// tables are told apart by their `name`, or by their number.
pub(super) type Written = BTreeMap<String, String>;

/// A value that is not told: programs for keys may be given secrets.
const HIDDEN: &str = "…";

/// Tables whose values are not told.
const SECRET: &str = "keys.";

/// The settings of a text; none if it is no TOML.
pub(super) fn settings(text: &str) -> Written {
    let mut found = Written::new();
    add(text, &mut found);
    found
}

/// Adds those of another text.
pub(super) fn add(text: &str, found: &mut Written) {
    if let Ok(table) = DeTable::parse(text) {
        of_table("", table.get_ref(), found);
    }
}

/// What differs between two files, each as `name: before → after`; `-` stands for what is not there.
pub(super) fn changes(before: &Written, after: &Written) -> Vec<String> {
    let mut names: Vec<&String> = before.keys().chain(after.keys()).collect();
    names.sort_unstable();
    names.dedup();
    let differs = |name: &&String| before.get(*name) != after.get(*name);
    let shown = |name: &String| {
        let of = |file: &Written| match file.get(name) {
            None => "-".to_owned(),
            Some(_) if name.starts_with(SECRET) => HIDDEN.to_owned(),
            Some(value) => value.clone(),
        };
        format!("{name}: {} → {}", of(before), of(after))
    };
    names.into_iter().filter(differs).map(shown).collect()
}

fn of_table(path: &str, table: &DeTable<'_>, found: &mut Written) {
    for (key, value) in table {
        let key = key.get_ref().escape_debug();
        let path = match path {
            "" => key.to_string(),
            path => format!("{path}.{key}"),
        };
        of_value(path, value.get_ref(), found);
    }
}

fn of_value(path: String, value: &DeValue<'_>, found: &mut Written) {
    match value {
        DeValue::Table(table) => of_table(&path, table, found),
        DeValue::Array(values) => {
            let tables = values.iter().filter_map(|value| value.get_ref().as_table());
            if tables.clone().count() == 0 {
                // Files that are included bring more of a list.
                let list = found.entry(path).or_default();
                let between = if list.is_empty() { "" } else { " + " };
                *list += &format!("{between}{}", text(value));
                return;
            }
            for (number, table) in tables.enumerate() {
                let name = table.get("name").and_then(|name| name.get_ref().as_str());
                let name = name.map(|name| name.escape_debug().to_string());
                let mut name = name.unwrap_or_else(|| (number + 1).to_string());
                let begins = format!("{path}.{name}.");
                if found.keys().any(|known| known.starts_with(&begins)) {
                    // Functions of one name, for example.
                    name = format!("{name}#{}", number + 1);
                }
                of_table(&format!("{path}.{name}"), table, found);
            }
        }
        value => {
            found.insert(path, text(value));
        }
    }
}

/// A value as a file has it, but for blanks.
pub(super) fn text(value: &DeValue<'_>) -> String {
    match value {
        DeValue::String(text) => quoted(text),
        DeValue::Integer(number) => number.to_string(),
        DeValue::Float(number) => number.to_string(),
        DeValue::Boolean(is) => is.to_string(),
        DeValue::Datetime(moment) => moment.to_string(),
        DeValue::Array(values) => {
            let values: Vec<String> = values.iter().map(|value| text(value.get_ref())).collect();
            format!("[{}]", values.join(", "))
        }
        DeValue::Table(table) => {
            let entry = |(key, value): (&toml::Spanned<_>, &toml::Spanned<DeValue<'_>>)| {
                let key: &std::borrow::Cow<'_, str> = key.get_ref();
                format!("{key} = {}", text(value.get_ref()))
            };
            let entries: Vec<String> = table.iter().map(entry).collect();
            format!("{{ {} }}", entries.join(", "))
        }
    }
}

/// A string as TOML has it.
pub(super) fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for character in text.chars() {
        match character {
            '"' | '\\' => quoted.extend(['\\', character]),
            '\n' => quoted.push_str("\\n"),
            '\t' => quoted.push_str("\\t"),
            control if control.is_control() => {
                quoted.push_str(&format!("\\u{:04X}", u32::from(control)));
            }
            other => quoted.push(other),
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_differs_is_told_by_its_name_and_no_secret_is() {
        let before = settings(
            "[policy]\nmode = \"observe\"\nbypass_roles = [\"a\"]\n\
             [keys.ring.k]\ncommand = [\"print\", \"secret\"]\n\
             [[id]]\nname = \"user\"\ncolumn = \"public.users.id\"\n\
             [[policy.rule]]\nroles = [\"r\"]\nmode = \"audit\"\n",
        );
        let after = settings(
            "[policy]\nmode = \"enforce\"\nbypass_roles = [\"a\", \"b\"]\n\
             [keys.ring.k]\ncommand = [\"print\", \"other\"]\n\
             [[id]]\nname = \"order\"\ncolumn = \"public.orders.id\"\nbits = 53\n\
             [[id]]\nname = \"user\"\ncolumn = \"public.users.id\"\n\
             [[policy.rule]]\nroles = [\"r\"]\nmode = \"audit\"\n",
        );
        assert_eq!(
            changes(&before, &after),
            [
                "id.order.bits: - → 53",
                "id.order.column: - → \"public.orders.id\"",
                "id.order.name: - → \"order\"",
                "keys.ring.k.command: … → …",
                "policy.bypass_roles: [\"a\"] → [\"a\", \"b\"]",
                "policy.mode: \"observe\" → \"enforce\"",
            ]
        );
        assert_eq!(changes(&before, &before), [""; 0]);
        assert_eq!(settings("no = toml ="), Written::new());
    }
}
