//! The schemas in which Postgres looks for an unqualified name.

/// The effective search path of a session as `current_schemas(true)` gives it: with
/// `pg_catalog` and the temporary schema at their implicit places, without schemas that don't
/// exist or may not be used.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct SearchPath(Vec<String>);

impl SearchPath {
    /// Asks the server for the path; one row with one column, for [`SearchPath::parse`].
    pub const QUERY: &str = "SELECT pg_catalog.array_to_string(\
        pg_catalog.current_schemas(true), pg_catalog.chr(1))";

    /// Takes the schemas in search order.
    #[must_use]
    pub fn new(schemas: Vec<String>) -> Self {
        Self(schemas)
    }

    /// Reads the answer to [`SearchPath::QUERY`].
    #[must_use]
    pub fn parse(answer: &str) -> Self {
        Self(
            answer
                .split('\u{1}')
                .filter(|schema| !schema.is_empty())
                .map(str::to_owned)
                .collect(),
        )
    }

    /// The schemas in search order.
    pub fn schemas(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }
}

impl Default for SearchPath {
    fn default() -> Self {
        Self(vec!["pg_catalog".to_owned(), "public".to_owned()])
    }
}
