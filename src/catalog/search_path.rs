//! The schemas in which Postgres looks for an unqualified name.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use super::is_temporary;
use super::row::LIST;

/// What a path begins with that names the schema of temporary objects, at whatever place: no schema
/// is called so.
const TEMPORARY: &str = "pg_temp";

/// Postgres cuts names to this many bytes (`NAMEDATALEN - 1`).
const MOST_BYTES: usize = 63;

/// A setting that is longer than this, in bytes, is not read: a client may make it as long as it likes.
const LONGEST_SETTING: usize = 16 * 1024;

/// The effective search path of a session as `current_schemas(true)` gives it: with
/// `pg_catalog` and the temporary schema at their implicit places, without schemas that don't
/// exist or may not be used. That function would make a temporary schema that the path names and
/// that does not exist yet, so it is not asked then.
///
/// Two paths are the same that find the same: what they pass over does not count.
#[derive(Debug, Clone)]
pub struct SearchPath {
    schemas: Arc<[String]>,
    /// The schemas that the setting names besides: they don't exist, or may not be used. `None` if
    /// they may be any, as nobody has read it.
    passed_over: Option<Arc<[String]>>,
    /// Whether a statement has named the schemas, and nobody has asked the server which of them the
    /// role may use: it passes over the others.
    assumed: bool,
}

impl SearchPath {
    /// Takes the schemas in search order.
    #[must_use]
    pub fn new(schemas: Vec<String>) -> Self {
        schemas.into_iter().collect()
    }

    /// Takes the list of schemas that a server gives.
    pub(super) fn parse(names: &str) -> Self {
        let names = names.split(LIST).filter(|schema| !schema.is_empty());
        names.map(str::to_owned).collect()
    }

    /// Gives this path with what the server passes over of its setting, which it gives behind the
    /// name of the role.
    #[must_use]
    pub(crate) fn set_by(self, role_and_setting: &str) -> Self {
        let (role, setting) = role_and_setting.split_once(LIST).unwrap_or_default();
        let named = schemas_of(setting).map(|mut name| match &*name {
            "$user" => role.to_owned(),
            _ => {
                // As a name is cut.
                name.truncate(name.floor_char_boundary(MOST_BYTES));
                name
            }
        });
        let is_passed_over = |name: &String| name != TEMPORARY && !self.schemas.contains(name);
        let is_read = setting.len() <= LONGEST_SETTING;
        Self {
            passed_over: is_read.then(|| named.filter(is_passed_over).collect()),
            ..self
        }
    }

    /// Gives this path as one of which only a statement has told so far.
    #[must_use]
    pub fn assumed(self) -> Self {
        Self {
            assumed: true,
            ..self
        }
    }

    /// Whether the server may pass over a schema of this path.
    #[must_use]
    pub const fn is_assumed(&self) -> bool {
        self.assumed
    }

    /// Gives this path with other schemas in it.
    fn with(&self, schemas: impl Iterator<Item = String>) -> Self {
        Self {
            schemas: schemas.collect(),
            passed_over: self.passed_over.clone(),
            assumed: self.assumed,
        }
    }

    /// The path without the schema of temporary objects.
    #[must_use]
    pub fn lasting(&self) -> Self {
        let lasting = self
            .schemas()
            .filter(|schema| *schema != TEMPORARY && !is_temporary(schema));
        self.with(lasting.map(str::to_owned))
    }

    /// Gives this path for any session of the server: without the number of its own temporary
    /// schema.
    #[must_use]
    pub fn of_any_session(self) -> Self {
        let schemas = self.schemas().filter(|schema| !is_temporary(schema));
        self.with(schemas.map(str::to_owned))
    }

    /// The schemas as the setting names them, which does not name those that stand at their
    /// implicit places. Where the path names the temporary schema is not known before there is one:
    /// then it comes last, as one that is named should.
    #[must_use]
    pub fn named(&self) -> Vec<&str> {
        let implicit = ["pg_catalog"];
        let (temporary, lasting): (Vec<&str>, Vec<&str>) =
            self.schemas().partition(|schema| *schema == TEMPORARY);
        let lasting = lasting.strip_prefix(&implicit).unwrap_or(&lasting);
        [lasting, &temporary].concat()
    }

    /// Gives this path with the schema of temporary objects named in front.
    #[must_use]
    pub fn naming_temporary(self) -> Self {
        let schemas = std::iter::once(TEMPORARY).chain(self.schemas());
        self.with(schemas.map(str::to_owned))
    }

    /// Whether what is created without a schema may be temporary: the path names that schema, and
    /// no other that is there before it.
    #[must_use]
    pub fn creates_temporary(&self) -> bool {
        let mut others = self.schemas().filter(|schema| *schema != "pg_catalog");
        let names = others.next() == Some(TEMPORARY);
        let is_there = self.schemas().any(is_temporary);
        names && (!is_there || others.next().is_some_and(is_temporary))
    }

    /// Whether it is so for certain: before that schema is there, nobody knows at which place the path
    /// names it.
    #[must_use]
    pub fn creates_only_temporary(&self) -> bool {
        self.creates_temporary() && self.schemas().any(is_temporary)
    }

    /// The schemas in search order.
    pub fn schemas(&self) -> impl Iterator<Item = &str> {
        self.schemas.iter().map(String::as_str)
    }

    /// Whether a schema is on the path, or will be as soon as it is there and may be used. Upper and
    /// lower case are the same.
    #[must_use]
    pub fn may_find_in(&self, schema: &str) -> bool {
        let Some(passed_over) = &self.passed_over else {
            return true;
        };
        let mut schemas = self.schemas.iter().chain(&**passed_over);
        schemas.any(|known| known.to_lowercase() == schema)
    }

    const fn found(&self) -> (&Arc<[String]>, bool) {
        (&self.schemas, self.assumed)
    }
}

/// The names in a list of schemas, as the setting has it.
fn schemas_of(setting: &str) -> impl Iterator<Item = String> {
    let ends = |c: char| c.is_ascii_whitespace() || c == '\u{b}' || c == ',';
    let mut rest = setting;
    std::iter::from_fn(move || {
        rest = rest.trim_start_matches(ends);
        if let Some(quoted) = rest.strip_prefix('"') {
            let mut name = String::new();
            let mut chars = quoted.char_indices();
            while let Some((at, c)) = chars.next() {
                rest = quoted.get(at + 1..).unwrap_or_default();
                match c {
                    '"' if !rest.starts_with('"') => return Some(name),
                    '"' => drop(chars.next()),
                    _ => {}
                }
                name.push(c);
            }
            rest = "";
            return None;
        }
        let end = rest.find(ends);
        let (name, behind) = rest.split_at(end.unwrap_or(rest.len()));
        rest = behind;
        (!name.is_empty()).then(|| name.to_lowercase())
    })
}

impl PartialEq for SearchPath {
    fn eq(&self, other: &Self) -> bool {
        self.found() == other.found()
    }
}

impl Eq for SearchPath {}

impl Hash for SearchPath {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.found().hash(state);
    }
}

impl FromIterator<String> for SearchPath {
    fn from_iter<T: IntoIterator<Item = String>>(schemas: T) -> Self {
        Self {
            schemas: schemas.into_iter().collect(),
            passed_over: Some(Arc::default()),
            assumed: false,
        }
    }
}

impl Default for SearchPath {
    fn default() -> Self {
        ["pg_catalog", "public"]
            .map(str::to_owned)
            .into_iter()
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_setting_names_what_is_not_there_by_itself() {
        for (schemas, expected) in [
            (&["pg_catalog", "public"][..], &["public"][..]),
            (&["pg_temp_3", "pg_catalog", "a", "b"], &["a", "b"]),
            (
                &["pg_temp", "pg_catalog", "a", "pg_temp_3"],
                &["a", "pg_temp"],
            ),
            (&["a", "pg_catalog"], &["a", "pg_catalog"]),
            (&["pg_catalog"], &[]),
        ] {
            let schemas = schemas.iter().map(|schema| (*schema).to_owned());
            let path = SearchPath::new(schemas.collect()).of_any_session();
            assert_eq!(path.named(), expected);
        }
    }

    #[test]
    fn what_a_setting_names_may_be_found_once_it_is_there() {
        let path = SearchPath::parse("pg_catalog\0public\0Ä");
        for (setting, found, others) in [
            (
                "\"$user\", public",
                &["ann", "public", "ä"][..],
                &["$user", "x"][..],
            ),
            (
                " A,\"b,\"\"C\" ,pg_temp",
                &["a", "b,\"c"],
                &["ann", "b", "pg_temp"],
            ),
            ("\"ü\", $user", &["ü", "ann"], &[]),
            ("", &["public"], &["ann"]),
            ("\"", &["public"], &["ann", ""]),
        ] {
            let set = path.clone().set_by(&format!("ann\0{setting}"));
            assert_eq!(set, path);
            for schema in found {
                assert!(set.may_find_in(schema), "{setting}: {schema}");
            }
            for schema in others {
                assert!(!set.may_find_in(schema), "{setting}: {schema}");
            }
        }
    }

    #[test]
    fn a_setting_of_any_length_is_not_carried() {
        let set = |bytes| {
            let setting = "s0, ".repeat(bytes / 4);
            SearchPath::default().set_by(&format!("ann\0{setting}"))
        };
        assert!(!set(LONGEST_SETTING).may_find_in("other"));
        let many = set(LONGEST_SETTING + 4);
        assert!(many.may_find_in("other") && many.passed_over.is_none());
        assert_eq!(many, SearchPath::default());
    }
}
