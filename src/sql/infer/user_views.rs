//! Views of users over catalogs. The server answers them by what is stored, so what they tell of
//! columns of keys is hidden: a column that is made of nothing that catalogs tell otherwise is
//! answered as it stands, and a view whose rows depend on such is refused. Views of extensions are
//! answered as they stand.

use std::ops::Range;

use sqlparser::ast::Expr;

use crate::catalog::{Relation, RelationKind};
use crate::sql::lex;
use crate::sql::lineage::Origin;
use crate::sql::refusal::{Code, Refusal};
use crate::sql::scope::Output;
use crate::sql::types::Because;

use super::catalogs::Catalog;
use super::retold::tells_otherwise;
use super::{Binder, Check};

/// What to do where a view tells what is stored.
pub(super) const INSTEAD: &str = "`[policy] catalog = \"ids\"` asks for what clients see, which the \
     view does not tell: query the catalogs that it reads, or set catalog = \"truth\".";

impl Binder<'_> {
    /// The columns of a view of users over catalogs, or those of a catalog below one, with those
    /// hidden that would tell what is stored; `None` for other relations.
    pub(super) fn told_by_view(
        &mut self,
        relation: &Relation,
        at: Range<usize>,
    ) -> Check<Option<Vec<Output>>> {
        // One that holds keys is refused as it is outside of a view.
        if self.hides_catalogs && !relation.protected && !relation.columns.is_empty() {
            let snapshot = self.context.snapshot;
            if let Some(catalog) = Catalog::of(&relation.schema, &relation.name, snapshot) {
                return Ok(Some(self.stored_columns(relation, catalog)));
            }
        }
        if !self.reads_catalogs(relation) {
            return Ok(None);
        }
        let before = (self.protected, self.unanalysed);
        let found = self.view_columns(relation, at.clone());
        (self.protected, self.unanalysed) = before;
        let found = match found {
            Ok(found) => found,
            Err(_) => {
                self.budget.check()?;
                self.retold = true;
                let message = format!(
                    "the rows of view \"{}\" depend on what catalogs store",
                    relation.name
                );
                let refusal = Refusal::unsupported(Code::SystemRelation, message).at(at);
                return Err(Box::new(refusal.hint(INSTEAD)));
            }
        };
        let columns = relation.columns.iter().zip(found);
        let columns = columns.map(|(column, output)| {
            let is_hidden = self.types.has_id(output.node);
            self.retold |= is_hidden;
            let node = match is_hidden {
                true => self.types.hidden(Because::Catalog),
                false => self.types.native(column.type_oid.0),
            };
            Output {
                name: column.name.clone(),
                node: self.column_of(relation, &column.name, node, Origin::UNKNOWN),
            }
        });
        Ok(Some(columns.collect()))
    }

    /// Whether a column that can't be explained is only hidden where a view hands it on.
    pub(super) const fn is_hidden_in_view(&self, column: &Expr) -> bool {
        let is_column = matches!(column, Expr::Identifier(_) | Expr::CompoundIdentifier(_));
        is_column && self.hides_catalogs && self.hides_unexplained
    }

    /// The columns of a catalog as a view reads them.
    fn stored_columns(&mut self, relation: &Relation, catalog: &Catalog) -> Vec<Output> {
        let columns = relation.columns.iter().map(|column| {
            let node = match catalog.tells_otherwise(&column.name) {
                true => self.types.hidden(Because::Catalog),
                false => self.types.native(column.type_oid.0),
            };
            Output {
                name: column.name.clone(),
                node: self.column_of(relation, &column.name, node, Origin::UNKNOWN),
            }
        });
        columns.collect()
    }

    /// Whether it is a view of users without keys that reads something of a catalog that is told
    /// otherwise, as far as its words show that.
    fn reads_catalogs(&self, relation: &Relation) -> bool {
        let snapshot = self.context.snapshot;
        let is_view = matches!(
            relation.kind,
            RelationKind::View | RelationKind::MaterializedView
        );
        let is_told = snapshot.has_ids() && snapshot.shows_ids();
        let may_be = is_view && is_told && !relation.protected && !relation.of_extension;
        if !may_be || !snapshot.is_view_of_catalogs(&relation.name) {
            return false;
        }
        let definition = relation.definition.as_deref().unwrap_or_default();
        self.types.spend(definition.len() / BYTES_A_STEP);
        let Ok(tokens) = lex::lex(definition, true) else {
            return true;
        };
        let words: Vec<&str> = tokens.iter().filter_map(|token| token.word()).collect();
        tells_otherwise(&words, definition.contains(".*"), snapshot)
    }
}

/// So much of a definition is looked at in one step of the analysis.
const BYTES_A_STEP: usize = 32;
