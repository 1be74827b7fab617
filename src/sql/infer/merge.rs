//! MERGE.

use sqlparser::ast::{
    Merge, MergeAction, MergeClause, MergeClauseKind, MergeInsertExpr, MergeInsertKind,
    MergeUpdateKind, OutputClause, Spanned, TableFactor,
};

use crate::catalog::Column;
use crate::sql::parse::range;
use crate::sql::scope::{Output, Scope};

use super::target::Target;
use super::{Binder, Check};

/// What the clauses of a MERGE can name.
struct Sides {
    target: Target,
    source: Scope,
    both: Scope,
}

impl Binder<'_> {
    pub(super) fn merge_into(&mut self, merge: &Merge) -> Check<Vec<Output>> {
        self.writes = true;
        self.knowing(Vec::new(), |binder| {
            binder.in_from_clause(|binder| binder.merge_here(merge))
        })
    }

    fn merge_here(&mut self, merge: &Merge) -> Check<Vec<Output>> {
        let at = range(merge.table.span());
        let TableFactor::Table {
            name,
            alias,
            args: None,
            ..
        } = &merge.table
        else {
            return self.unsupported("this target of MERGE", at);
        };
        let items = match &merge.output {
            None => None,
            Some(OutputClause::Returning { select_items, .. }) => Some(&**select_items),
            Some(OutputClause::Output { .. }) => {
                return self.unsupported("this form of MERGE", at);
            }
        };
        let alias = alias.as_ref().map(|alias| alias.name.value.as_str());
        let target = self.target(name, alias, None)?;
        let source = self.table_factor(&merge.source)?;
        let mut both = Scope::of(target.table.clone());
        both.extend(source.clone());
        self.within(both.clone(), |binder| {
            binder.condition(&merge.on, "JOIN/ON")
        })?;
        let sides = Sides {
            target,
            source,
            both,
        };
        for clause in &merge.clauses {
            self.merge_clause(clause, &sides)?;
        }
        let mut returned = sides.source;
        returned.extend(Scope::of(sides.target.table.clone()));
        self.returning(items, returned, sides.target.table)
    }

    fn merge_clause(&mut self, clause: &MergeClause, sides: &Sides) -> Check<()> {
        let scope = match clause.clause_kind {
            MergeClauseKind::Matched => sides.both.clone(),
            MergeClauseKind::NotMatched | MergeClauseKind::NotMatchedByTarget => {
                sides.source.clone()
            }
            MergeClauseKind::NotMatchedBySource => Scope::of(sides.target.table.clone()),
        };
        self.within(scope, |binder| {
            if let Some(predicate) = &clause.predicate {
                binder.condition(predicate, "WHEN")?;
            }
            match &clause.action {
                MergeAction::Insert(insert) => binder.merge_insert(insert, &sides.target),
                MergeAction::Update(update) => {
                    let plain =
                        update.update_predicate.is_none() && update.delete_predicate.is_none();
                    match &update.kind {
                        MergeUpdateKind::Set(assignments) if plain => {
                            binder.assignments(assignments, &sides.target)
                        }
                        MergeUpdateKind::Set(_) | MergeUpdateKind::Wildcard => {
                            binder.unsupported("this form of MERGE", range(clause.span()))
                        }
                    }
                }
                MergeAction::Delete { .. } | MergeAction::DoNothing { .. } => Ok(()),
            }
        })
    }

    fn merge_insert(&mut self, insert: &MergeInsertExpr, target: &Target) -> Check<()> {
        let (MergeInsertKind::Values(values), None) = (&insert.kind, &insert.insert_predicate)
        else {
            return self.unsupported("this form of MERGE", range(insert.span()));
        };
        let columns: Vec<Column> = if insert.columns.is_empty() {
            target.relation.columns.clone()
        } else {
            let names = insert.columns.iter();
            names
                .map(|name| self.target_column(target, name))
                .collect::<Check<_>>()?
        };
        for row in &values.rows {
            self.row_of_values(&row.content, &columns, target)?;
        }
        Ok(())
    }
}
