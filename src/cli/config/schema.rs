//! The JSON schema of the file: what editors complete and check it by.

use serde_json::{Map, Value, json};

use crate::config::{LISTS, SETTINGS, Setting, SettingKind, TABLES};

/// The schema, of draft-07, which editors of TOML know.
pub(super) fn schema() -> Value {
    let mut schema = table("");
    let about = json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "pgveil.toml",
        "description": "The configuration of pgveil",
    });
    if let (Value::Object(schema), Value::Object(about)) = (&mut schema, about) {
        schema.extend(about);
    }
    schema
}

/// A table with its settings, and with the tables in it.
fn table(name: &str) -> Value {
    let mut properties = Map::new();
    for setting in SETTINGS {
        let (of, key) = setting.place();
        if of == name {
            properties.insert(key.to_owned(), value(setting));
        }
    }
    let inner = TABLES.iter().filter_map(|(inner, about)| {
        let (of, key) = inner.rsplit_once('.').unwrap_or(("", inner));
        (of == name && !inner.is_empty()).then_some((*inner, key, *about))
    });
    for (inner, key, about) in inner {
        let mut schema = table(inner);
        if let Value::Object(schema) = &mut schema {
            schema.insert("description".to_owned(), about.into());
        }
        let schema = match LISTS.contains(&inner) {
            true => json!({ "type": "array", "items": schema }),
            false => schema,
        };
        properties.insert(key.to_owned(), schema);
    }
    // The ring has no settings of its own.
    if name == "keys" {
        let ring = json!({ "type": "object", "additionalProperties": table("keys.ring.NAME") });
        properties.insert("ring".to_owned(), ring);
    }
    json!({ "type": "object", "properties": properties, "additionalProperties": false })
}

fn value(setting: &Setting) -> Value {
    // Nothing is replaced there.
    let is_plain = setting.name.starts_with("keys.");
    let variable = json!({ "type": "string", "pattern": "\\$\\{" });
    let texts = json!({ "type": "object", "additionalProperties": { "type": "string" } });
    let mut schema = match setting.kind {
        SettingKind::Text => json!({ "type": "string" }),
        SettingKind::Integer if is_plain => json!({ "type": "integer" }),
        SettingKind::Texts => json!({ "type": "array", "items": { "type": "string" } }),
        SettingKind::Integer => json!({ "anyOf": [{ "type": "integer" }, variable] }),
        SettingKind::Boolean => json!({ "anyOf": [{ "type": "boolean" }, variable] }),
        SettingKind::Integers => {
            json!({ "type": "object", "additionalProperties": { "type": "integer" } })
        }
        SettingKind::TextOrTable => json!({ "anyOf": [{ "type": "string" }, texts] }),
    };
    if let Value::Object(schema) = &mut schema {
        schema.insert("description".to_owned(), setting.about.into());
    }
    schema
}
