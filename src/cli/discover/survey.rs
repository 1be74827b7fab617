//! What a live database says of its columns beyond the snapshot: what fills them, which are unique,
//! what is said of them. It reads catalogs only, never a row of a table.

use std::collections::{BTreeMap, HashMap, HashSet};

use tokio_postgres::{Client, SimpleQueryRow};

use crate::catalog::keys::{Filled, Unique};
use crate::catalog::{Column, KeyType, Oid, Relation, RelationKind, Snapshot, Told};
use crate::cli::CliError;
use crate::cli::database::{Database, rows};
use crate::config::ColumnName;
use crate::pg::oid;

use super::proposal::Decided;

const QUESTION: &str = include_str!("survey.sql");

/// A column: its relation and attribute number.
pub(super) type Place = (Oid, i16);

/// What is said of a column.
#[derive(Debug, Default)]
pub(super) struct Fact {
    /// What somebody has written about it. It is searched for words and never shown.
    pub(super) comment: Option<String>,
    /// Its type as it is declared.
    pub(super) declared: String,
}

/// Columns of tables, without those that a partition or a child has of its parent.
pub(in crate::cli) struct Survey<'s> {
    pub(super) snapshot: &'s Snapshot,
    told: &'s Told,
    facts: HashMap<Place, Fact>,
    unique: HashMap<Place, Unique>,
    parents: HashMap<Oid, Vec<Oid>>,
}

/// A column with all that is known of it.
#[derive(Clone, Copy)]
pub(super) struct Site<'s> {
    pub(super) place: Place,
    pub(super) relation: &'s Relation,
    pub(super) column: &'s Column,
    pub(super) fact: &'s Fact,
    pub(super) unique: Unique,
    pub(super) filled: Filled<'s>,
}

impl<'s> Survey<'s> {
    /// Asks the database that the snapshot is of.
    pub(in crate::cli) async fn read(
        client: &Client,
        database: &'s Database,
    ) -> Result<Self, CliError> {
        let mut survey = Self {
            snapshot: &database.snapshot,
            told: &database.told,
            facts: HashMap::new(),
            unique: HashMap::new(),
            parents: HashMap::new(),
        };
        for row in rows(client, QUESTION).await? {
            survey.take(&row);
        }
        Ok(survey)
    }

    fn take(&mut self, row: &SimpleQueryRow) -> Option<()> {
        let text = |index: usize| row.get(index).map(str::to_owned);
        let relation = Oid(row.get(1)?.parse().ok()?);
        match row.get(0)? {
            "column" => {
                let fact = Fact {
                    comment: text(3),
                    declared: text(4).unwrap_or_default(),
                };
                self.facts
                    .insert((relation, row.get(2)?.parse().ok()?), fact);
            }
            "inherits" => {
                let parent = Oid(row.get(2)?.parse().ok()?);
                self.parents.entry(relation).or_default().push(parent);
            }
            kind => {
                let columns: Vec<i16> = row
                    .get(2)?
                    .split(',')
                    .filter_map(|number| number.parse().ok())
                    .collect();
                for column in &columns {
                    let unique = self.unique.entry((relation, *column)).or_default();
                    unique.add(columns.len(), kind == "primary");
                }
            }
        }
        Some(())
    }

    /// The columns, by schema, table and place in the table.
    pub(super) fn sites(&self) -> Vec<Site<'_>> {
        let mut tables: Vec<&Relation> = self
            .snapshot
            .relations()
            .map(AsRef::as_ref)
            .filter(|relation| relation.kind == RelationKind::Table)
            .collect();
        tables.sort_by_key(|relation| (&relation.schema, &relation.name));
        let columns = tables.into_iter().flat_map(|relation| {
            relation
                .columns
                .iter()
                .map(move |column| (relation, column))
        });
        let site = |(relation, column): (_, &'s Column)| self.of(relation, column);
        columns.filter_map(site).collect()
    }

    /// The columns of text and documents that nothing has been decided on, by tables.
    pub(in crate::cli) fn written(&self, decided: &Decided<'_>) -> Vec<(&Relation, Vec<&Column>)> {
        const WRITTEN: [u32; 4] = [oid::TEXT, oid::VARCHAR, oid::JSON, oid::JSONB];
        let mut tables: Vec<(&Relation, Vec<&Column>)> = Vec::new();
        for site in self.sites() {
            let Site {
                relation, column, ..
            } = site;
            let is_closed = column.derived && !column.undecided;
            let is_written = WRITTEN.contains(&column.type_oid.0);
            if !is_written || column.id.is_some() || is_closed || decided.is_plain(&site.name()) {
                continue;
            }
            match tables.last_mut() {
                Some((last, columns)) if last.oid == relation.oid => columns.push(column),
                _ => tables.push((relation, vec![column])),
            }
        }
        tables
    }

    fn of<'a>(&'a self, relation: &'a Relation, column: &'a Column) -> Option<Site<'a>> {
        let place = (relation.oid, column.attnum);
        let unique = self.unique.get(&place).copied().unwrap_or_default();
        Some(Site {
            place,
            relation,
            column,
            fact: self.facts.get(&place)?,
            unique,
            filled: self.told.filled(place),
        })
    }

    /// Whether a column is the primary key of its table.
    pub(super) fn is_primary(&self, place: Place) -> bool {
        self.unique.get(&place).is_some_and(|unique| unique.primary)
    }

    /// The pairs of columns that foreign keys make: the one that refers, and the other. A column of
    /// a partition or a child is that of its parent.
    pub(super) fn references(&self) -> Vec<(Place, Place)> {
        let mut pairs = Vec::new();
        for relation in self.snapshot.relations() {
            for key in &relation.foreign_keys {
                for (column, referenced) in key.columns.iter().zip(&key.referenced_columns) {
                    let from = self.home((relation.oid, *column));
                    let to = self.home((key.referenced, *referenced));
                    pairs.extend(from.zip(to).filter(|(from, to)| from != to));
                }
            }
        }
        pairs.sort_unstable();
        pairs.dedup();
        pairs
    }

    /// Where a column was declared.
    fn home(&self, place: Place) -> Option<Place> {
        let mut open = vec![place];
        let mut seen = HashSet::new();
        while let Some(place) = open.pop() {
            if self.facts.contains_key(&place) {
                return Some(place);
            }
            let name = &self.snapshot.relation(place.0)?.attribute(place.1)?.name;
            for parent in self.parents.get(&place.0).into_iter().flatten() {
                let column = self.snapshot.relation(*parent)?.column(name)?;
                if seen.insert(*parent) {
                    open.push((*parent, column.attnum));
                }
            }
        }
        None
    }

    /// How many views and materialized views there are in each schema.
    pub(super) fn views(&self) -> Vec<(String, usize)> {
        let mut views: BTreeMap<String, usize> = BTreeMap::new();
        for relation in self.snapshot.relations() {
            let is_view = matches!(
                relation.kind,
                RelationKind::View | RelationKind::MaterializedView
            );
            if is_view && !is_system(&relation.schema) {
                *views.entry(relation.schema.clone()).or_default() += 1;
            }
        }
        views.into_iter().collect()
    }
}

/// Whether a schema is one of Postgres's own.
fn is_system(schema: &str) -> bool {
    schema == "information_schema" || schema.starts_with("pg_")
}

impl Site<'_> {
    /// The type of keys that it could hold, and whether it is an array of them.
    pub(super) fn key_type(&self) -> Option<(KeyType, bool)> {
        KeyType::from_oid(self.column.type_oid.0)
    }

    /// The name that a configuration has for it.
    pub(super) fn name(&self) -> ColumnName {
        self.relation.name_of(self.column)
    }
}
