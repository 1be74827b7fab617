//! Builds a snapshot from what a database says about itself.

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use crate::config::{ChannelAnnotation, FunctionAnnotation, IdAnnotation};

use super::declare;
use super::domains::{self, Draft};
use super::function::Functions;
use super::snapshot::SYSTEM_RELATIONS;
use super::temporary::{self, Known};
use super::{
    Column, DomainId, ForeignKey, KeyType, Made, Oid, Relation, RelationKind, SearchPath, Snapshot,
    Temporary, Write, WriteRule, is_temporary,
};

/// Why no snapshot could be built.
#[derive(Debug, thiserror::Error)]
pub enum CatalogError {
    /// The server's answer has not the shape that the query asks for.
    #[error("unexpected row in the answer of the system catalogs (kind {0:?})")]
    Row(String),
    /// An annotated column is of a type that the domain's codec has no ids for.
    #[error(
        "{column} is of type {found} and belongs to id {domain:?}, whose codec has ids for columns of type {}{}",
        wanted(fitting), if *arrays { " or arrays of it" } else { "" }
    )]
    Type {
        /// The annotated column, or one with a foreign key to it.
        column: String,
        /// The domain.
        domain: String,
        /// The type of the column, as Postgres writes it.
        found: String,
        /// The types that the codec has ids for.
        fitting: Vec<&'static str>,
        /// Whether an array would do.
        arrays: bool,
    },
    /// A column would belong to two domains.
    #[error(
        "{column} belongs to id {first:?} and, through its keys or the configuration, to id {second:?} too"
    )]
    TwoDomains {
        /// The column.
        column: String,
        /// The domain found first.
        first: String,
        /// The other domain.
        second: String,
    },
    /// A column for documents with ids is none.
    #[error(
        "{column} is of type {found}; ids of {domain:?} can stand inside documents of type json, \
         jsonb, text and varchar, if they are no bytea"
    )]
    Json {
        /// The annotated column.
        column: String,
        /// The domain.
        domain: String,
        /// The type of the column.
        found: String,
    },
    /// A declared function has other arguments or another result than the configuration says.
    #[error("function {function}: {part} is not what the configuration says of it")]
    Function {
        /// The function.
        function: String,
        /// What does not fit.
        part: String,
    },
}

/// `a, b or c`
fn wanted(fitting: &[&str]) -> String {
    match fitting {
        [] => "none".to_owned(),
        [only] => (*only).to_owned(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}

/// What a database has said about itself.
#[derive(Debug)]
pub struct Loaded {
    /// The picture that all sessions share.
    pub snapshot: Snapshot,
    /// Equal for pictures of the same state of a database, in whatever order the rows came.
    pub fingerprint: u64,
    /// The temporary relations of the session that asked.
    pub temporary: Temporary,
    /// Its search path.
    pub path: SearchPath,
    /// What the server calls this state of its catalogs; it was asked for before all else.
    pub version: Option<Version>,
}

/// The version of a database's catalogs: equal only if nothing in them has changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Version(u64);

/// Collects the answer to [`Loader::QUERY`].
#[derive(Debug)]
pub struct Loader {
    annotations: Arc<[IdAnnotation]>,
    draft: Draft,
    declarations: Arc<[FunctionAnnotation]>,
    channels: Arc<[ChannelAnnotation]>,
    base_types: HashMap<Oid, Oid>,
    enumerations: HashSet<Oid>,
    functions: Functions,
    search_path: SearchPath,
    version: Option<Version>,
    /// The columns that held keys before.
    earlier: Vec<(Oid, i16, DomainId)>,
    /// What was known of temporary relations before.
    known: Known,
    /// What a statement of the session has made meanwhile.
    made: Vec<Arc<Made>>,
    /// The sums of the hashes of the rows about the database and about temporary relations.
    fingerprints: [u64; 2],
}

impl Loader {
    /// A text for the simple protocol. It has several results; every row of each goes to
    /// [`Loader::row`].
    ///
    /// All names say their schema, those of operators too: the session that asks may have put others
    /// in front of `pg_catalog`, and its answer is believed by all. `IN` can't say it.
    ///
    /// Names come as `encode(convert_to(…, 'UTF8'), 'escape')`: ASCII whatever the
    /// client_encoding of the session that asks. Oids are cast to text so that no setting
    /// changes their form.
    pub const QUERY: &str = concat!(
        include_str!("version.sql"),
        include_str!("load.sql"),
        "SELECT 'search path', pg_catalog.encode(pg_catalog.convert_to(",
        include_str!("search_path.sql"),
        ", 'UTF8'), 'escape');"
    );

    /// The first and the last of these questions. If the version is that of a picture, the picture
    /// is right. It is a sum over the rows of the catalogs by their transactions and places: cheap,
    /// and unlike the definitions of views it waits for no lock, so that a table that is locked
    /// for hours stops nobody else.
    pub const VERSION_QUERY: &str = concat!(
        include_str!("version.sql"),
        "SELECT 'search path', pg_catalog.encode(pg_catalog.convert_to(",
        include_str!("search_path.sql"),
        ", 'UTF8'), 'escape');"
    );

    /// Starts a load for these annotations; the position in the list is the
    /// [`super::DomainId`].
    #[must_use]
    pub fn new(annotations: Arc<[IdAnnotation]>) -> Self {
        Self {
            annotations,
            draft: Draft::default(),
            declarations: Arc::from([]),
            channels: Arc::from([]),
            base_types: HashMap::new(),
            enumerations: HashSet::new(),
            functions: Functions::default(),
            search_path: SearchPath::default(),
            version: None,
            earlier: Vec::new(),
            known: Known::default(),
            made: Vec::new(),
            fingerprints: [0; 2],
        }
    }

    /// Lets the annotations of an earlier snapshot of the same database follow their columns: one
    /// that has been renamed or moved, or has lost its foreign key, still holds keys.
    #[must_use]
    pub fn after(mut self, earlier: &Snapshot) -> Self {
        self.earlier = earlier.id_columns().collect();
        self.draft.derived_before = earlier.derived_columns().collect();
        self.known = Known::of(earlier);
        self
    }

    /// Tells what the session has made since the earlier snapshot.
    #[must_use]
    pub fn making(mut self, made: Vec<Arc<Made>>) -> Self {
        self.made = made;
        self
    }

    /// Adds what is declared of functions.
    #[must_use]
    pub fn declaring(mut self, functions: Arc<[FunctionAnnotation]>) -> Self {
        self.declarations = functions;
        self
    }

    /// Adds which channels carry ids.
    #[must_use]
    pub fn notifying(mut self, channels: Arc<[ChannelAnnotation]>) -> Self {
        self.channels = channels;
        self
    }

    /// Takes one row: its fields in text format.
    ///
    /// # Errors
    /// If the row has not the shape that the query asks for.
    pub fn row(&mut self, fields: &[Option<&[u8]>]) -> Result<(), CatalogError> {
        let text: Vec<Option<String>> = fields.iter().map(|field| field.map(unescape)).collect();
        let text: Vec<Option<&str>> = text.iter().map(Option::as_deref).collect();
        let done = self.record(&text);
        self.count(&text);
        done.ok_or_else(|| {
            CatalogError::Row(
                text.first()
                    .copied()
                    .flatten()
                    .unwrap_or_default()
                    .to_owned(),
            )
        })
    }

    /// Adds a row to the fingerprint of the database, or of the session's own relations.
    fn count(&mut self, row: &[Option<&str>]) {
        const ABOUT_RELATIONS: [&str; 11] = [
            "relation",
            "column",
            "foreign key",
            "inherits",
            "sequence",
            "draws",
            "computes",
            "depends",
            "rule",
            "opaque view",
            "generated",
        ];
        let (kind, oid) = match row {
            // It changes with things that nobody here asks for.
            [Some("version"), ..] => return,
            [Some(kind), oid, ..] => (*kind, oid_of(*oid)),
            _ => return,
        };
        let relation = oid.and_then(|oid| self.draft.relations.get(&oid));
        let own = ABOUT_RELATIONS.contains(&kind)
            && relation.is_some_and(|relation| is_temporary(&relation.schema));
        let mut hasher = DefaultHasher::new();
        row.hash(&mut hasher);
        // The path is the session's, not the database's.
        let place = usize::from(own || kind == "search path");
        if let Some(sum) = self.fingerprints.get_mut(place) {
            *sum = sum.wrapping_add(hasher.finish());
        }
    }

    #[expect(clippy::too_many_lines, reason = "one arm per kind of row")]
    fn record(&mut self, row: &[Option<&str>]) -> Option<()> {
        match *row {
            [Some("relation"), oid, schema, name, kind, definition] => {
                let relation = Relation {
                    oid: oid_of(oid)?,
                    schema: schema?.to_owned(),
                    name: name?.to_owned(),
                    kind: kind_of(kind?)?,
                    columns: Vec::new(),
                    foreign_keys: Vec::new(),
                    definition: definition.map(Arc::from),
                    rules: Vec::new(),
                    protected: false,
                    computes: false,
                };
                self.draft.relations.insert(relation.oid, relation);
            }
            [Some("column"), relation, attnum, name, type_oid] => {
                let column = Column {
                    attnum: attnum?.parse().ok()?,
                    name: name?.to_owned(),
                    type_oid: oid_of(type_oid)?,
                    id: None,
                    json: Arc::from([]),
                    generated: false,
                    derived: false,
                    row: None,
                };
                self.draft
                    .relations
                    .get_mut(&oid_of(relation)?)?
                    .columns
                    .push(column);
            }
            [Some("domain"), oid, base] => {
                self.base_types.insert(oid_of(oid)?, oid_of(base)?);
            }
            [Some("row type"), oid, array, relation] => {
                let relation = oid_of(relation)?;
                let types = &mut self.draft.row_types;
                types.insert(oid_of(oid)?, (relation, false));
                types.insert(oid_of(array)?, (relation, true));
            }
            [
                Some("foreign key"),
                relation,
                name,
                columns,
                referenced,
                referenced_columns,
            ] => {
                let key = ForeignKey {
                    name: name?.to_owned(),
                    columns: attnums(columns?)?,
                    referenced: oid_of(referenced)?,
                    referenced_columns: attnums(referenced_columns?)?,
                };
                self.draft
                    .relations
                    .get_mut(&oid_of(relation)?)?
                    .foreign_keys
                    .push(key);
            }
            [Some("inherits"), child, parent] => {
                self.draft
                    .inheritance
                    .push((oid_of(child)?, oid_of(parent)?));
            }
            [Some("sequence"), sequence, table, attnum] => {
                let owner = (oid_of(table)?, attnum?.parse().ok()?);
                self.draft.sequence_owners.insert(oid_of(sequence)?, owner);
            }
            [Some("draws"), relation, attnum, sequence] => {
                let place = (oid_of(relation)?, attnum?.parse().ok()?);
                self.draft.draws.push((place, oid_of(sequence)?));
            }
            [Some("computes"), relation, of, attnum] => {
                let place = (oid_of(of)?, attnum?.parse().ok()?);
                self.draft.computing.push((oid_of(relation)?, place));
            }
            [Some("depends"), view, on] => {
                self.draft.dependencies.push((oid_of(view)?, oid_of(on)?));
            }
            [Some("rule"), relation, on, definition] => {
                let rule = WriteRule {
                    on: write_of(on?)?,
                    definition: Arc::from(definition?),
                };
                let relation = self.draft.relations.get_mut(&oid_of(relation)?)?;
                relation.rules.push(rule);
            }
            [Some("opaque view"), view] => self.draft.opaque_views.push(oid_of(view)?),
            [Some("function"), ref fields @ ..] => self.functions.add(declare::function(fields)?),
            [Some("changes settings"), oid] => self.functions.changes_settings(oid_of(oid)?),
            [Some("hidden call"), behind, function] => {
                self.functions.hide(oid_of(function)?, behind?);
            }
            [Some("operator"), name, left, right] => {
                let types = (oid_of(left)?, oid_of(right)?);
                self.functions.redefine(name?, types);
            }
            [Some("enumeration"), oid] => {
                self.enumerations.insert(oid_of(oid)?);
            }
            [Some("generated"), relation, attnum, expression] => {
                let place = (oid_of(relation)?, attnum?.parse().ok()?);
                self.draft.generated.push((place, expression?.to_owned()));
            }
            [Some("built in"), names] => {
                self.functions
                    .built_in
                    .extend(names?.split(' ').map(str::to_owned));
            }
            [Some("type"), name] => {
                self.functions.types.insert(name?.to_owned());
            }
            [Some("volatile"), names] => {
                self.functions
                    .volatile
                    .extend(names?.split(' ').map(str::to_owned));
            }
            [Some("version"), version] => {
                let mut hasher = DefaultHasher::new();
                version?.hash(&mut hasher);
                self.version = Some(Version(hasher.finish()));
            }
            [Some("search path"), path] => self.search_path = SearchPath::parse(path.unwrap_or("")),
            _ => return None,
        }
        Some(())
    }

    /// The version and the search path, if no more was asked for.
    #[must_use]
    pub fn seen(&self) -> (Option<Version>, &SearchPath) {
        (self.version, &self.search_path)
    }

    /// What was asked for.
    ///
    /// # Errors
    /// If an annotation does not fit the database.
    pub fn finish(mut self) -> Result<Loaded, CatalogError> {
        self.resolve_base_types();
        let made = temporary::find(&mut self.draft, &self.annotations, &self.made, &self.known);
        let missing = domains::spread(&mut self.draft, &self.annotations, &self.earlier, &made)?;
        let temporary = self.temporary();
        let awaited: Vec<_> = missing.keys.iter().map(|(name, _)| name.clone()).collect();
        let missing_functions = declare::declare(
            &mut self.functions,
            &self.declarations,
            &self.annotations,
            &self.draft.relations,
        )?;
        let channels = domains::channels(&self.draft, &self.channels);
        let mut names: HashMap<String, Vec<Oid>> = HashMap::new();
        let mut key_types = domains::key_types(&self.draft);
        if missing.meanings {
            key_types.extend(KeyType::ALL);
        }
        let mut protected_names = HashSet::new();
        for relation in self.draft.relations.values() {
            names
                .entry(relation.name.clone())
                .or_default()
                .push(relation.oid);
            if relation.protected {
                protected_names.insert(relation.name.clone());
            }
        }
        protected_names.extend(SYSTEM_RELATIONS.iter().map(|(_, name)| (*name).to_owned()));
        let snapshot = Snapshot {
            domain_names: self
                .annotations
                .iter()
                .map(|annotation| annotation.name.clone())
                .collect(),
            relations: self
                .draft
                .relations
                .into_iter()
                .map(|(oid, relation)| (oid, Arc::new(relation)))
                .collect(),
            names,
            protected_names,
            functions: Arc::new(self.functions),
            key_types,
            definition_path: self.search_path.lasting(),
            temporary_path: None,
            shadows: false,
            missing: awaited.into_iter().chain(missing.documents).collect(),
            awaited: missing.keys,
            missing_functions,
            channels,
            defining: self.draft.defining,
        };
        let [fingerprint, _] = self.fingerprints;
        Ok(Loaded {
            snapshot,
            fingerprint,
            temporary,
            path: self.search_path,
            version: self.version,
        })
    }

    /// Takes the temporary relations out.
    fn temporary(&mut self) -> Temporary {
        let relations = &mut self.draft.relations;
        let own = relations.extract_if(|_, relation| is_temporary(&relation.schema));
        let [_, fingerprint] = self.fingerprints;
        Temporary {
            relations: own.map(|(_, relation)| Arc::new(relation)).collect(),
            fingerprint,
            path: self.search_path.clone(),
        }
    }

    /// A column, an argument or a result of a domain type holds what the base type holds; domains
    /// may be nested.
    fn resolve_base_types(&mut self) {
        let base = |mut oid: Oid| {
            let mut budget = 32;
            while let Some(base) = self.base_types.get(&oid)
                && budget > 0
            {
                oid = *base;
                budget -= 1;
            }
            oid
        };
        let relations = self.draft.relations.values_mut();
        for column in relations.flat_map(|relation| &mut relation.columns) {
            column.type_oid = base(column.type_oid);
        }
        declare::resolve(&mut self.functions, base, &self.enumerations);
    }
}

fn oid_of(text: Option<&str>) -> Option<Oid> {
    text?.parse().ok().map(Oid)
}

/// `1,2,3`
fn attnums(text: &str) -> Option<Vec<i16>> {
    text.split(',').map(|number| number.parse().ok()).collect()
}

fn kind_of(relkind: &str) -> Option<RelationKind> {
    Some(match relkind {
        "r" | "p" | "f" => RelationKind::Table,
        "v" => RelationKind::View,
        "m" => RelationKind::MaterializedView,
        "S" => RelationKind::Sequence,
        "c" => RelationKind::Composite,
        _ => return None,
    })
}

/// `pg_rewrite.ev_type`
fn write_of(ev_type: &str) -> Option<Write> {
    Some(match ev_type {
        "2" => Write::Update,
        "3" => Write::Insert,
        "4" => Write::Delete,
        _ => return None,
    })
}

/// Undoes `encode(…, 'escape')`: `\\` is a backslash, `\ooo` a byte in octal.
fn unescape(field: &[u8]) -> String {
    let mut bytes = Vec::with_capacity(field.len());
    let mut rest = field;
    loop {
        match *rest {
            [] => break,
            [b'\\', b'\\', ref tail @ ..] => {
                bytes.push(b'\\');
                rest = tail;
            }
            [
                b'\\',
                a @ b'0'..=b'3',
                b @ b'0'..=b'7',
                c @ b'0'..=b'7',
                ref tail @ ..,
            ] => {
                bytes.push((a - b'0') << 6 | (b - b'0') << 3 | (c - b'0'));
                rest = tail;
            }
            [byte, ref tail @ ..] => {
                bytes.push(byte);
                rest = tail;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unescape_undoes_the_escape_encoding() {
        assert_eq!(unescape(br"benutzer_\303\244"), "benutzer_ä");
        assert_eq!(unescape(br"a\\b"), r"a\b");
    }

    #[test]
    fn all_operators_of_the_query_say_their_schema() {
        let bare = [
            " = ", " <> ", " ~ ", " !~ ", " || ", " > ", " < ", " IN ", "LIKE", "BETWEEN",
        ];
        for code in Loader::QUERY.split('\'').step_by(2) {
            let found = bare.iter().find(|operator| code.contains(**operator));
            assert_eq!(found, None, "{code}");
        }
    }

    #[test]
    fn the_version_covers_every_catalog_that_is_read() {
        let read = |sql: &'static str| -> HashSet<&str> {
            let words: Vec<&str> = sql.split_whitespace().collect();
            let of = |pair: &[&'static str]| match pair {
                ["FROM" | "JOIN", name] if name.starts_with("pg_catalog.pg_") => {
                    Some(name.trim_end_matches([';', ')']))
                }
                _ => None,
            };
            words.windows(2).filter_map(of).collect()
        };
        let (version, load) = (include_str!("version.sql"), include_str!("load.sql"));
        let uncovered: Vec<_> = read(load).difference(&read(version)).copied().collect();
        assert_eq!(uncovered, Vec::<&str>::new());
        assert!(read(load).len() > 10);
    }

    #[test]
    fn refuses_a_row_of_unknown_kind() {
        let mut loader = Loader::new(Arc::from([]));
        assert!(loader.row(&[Some(b"mystery")]).is_err());
        assert!(loader.row(&[]).is_err());
    }
}
