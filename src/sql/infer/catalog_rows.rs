//! Rows of catalogs as values. Where a subquery stands for a relation its rows have no type of their
//! own; one that is used as a value becomes one of the relation's. And the hidden columns of a
//! relation beside all others: they are looked up by its key, as the subquery would else show them.

use std::ops::Range;

use sqlparser::ast::Expr;

use crate::sql::plan::{Edit, Replacement};
use crate::sql::refusal::Refusal;
use crate::sql::scope::hidden_column;

use super::Binder;
use super::cast::unnested;
use super::facade::StandIn;
use super::polymorphic_text::quoted;
use super::span::start_of;

/// Where a statement names something of a row.
#[derive(Debug)]
pub(super) struct Mention {
    span: Range<usize>,
    /// The hidden column that is meant; otherwise it is the row itself.
    hidden: Option<&'static str>,
}

impl Binder<'_> {
    /// Takes down that the row of what a subquery stands for is used as a value.
    pub(super) fn asks_row(&mut self, of: Option<usize>, span: Range<usize>) {
        if let Some(stand_in) = of.and_then(|of| self.stand_ins.get_mut(of)) {
            let hidden = None;
            stand_in.mentions.push(Mention { span, hidden });
            stand_in.is_whole = true;
        }
    }

    /// Takes down that the statement names a hidden column of what a subquery stands for.
    pub(super) fn asks_hidden(&mut self, of: Option<usize>, name: &str, span: Range<usize>) {
        let stand_in = of.and_then(|of| self.stand_ins.get_mut(of));
        if let (Some(stand_in), Some(name)) = (stand_in, hidden_column(name)) {
            let hidden = Some(name);
            stand_in.mentions.push(Mention { span, hidden });
            stand_in.hidden.insert(name);
        }
    }

    /// What members are taken of is no value: `(a).attname` is the column.
    pub(super) fn takes_members(&mut self, row: &Expr) {
        let row = unnested(row);
        if !matches!(row, Expr::Identifier(_) | Expr::QualifiedWildcard(..)) {
            return;
        }
        let start = start_of(row);
        for stand_in in &mut self.stand_ins {
            let last = stand_in.mentions.last();
            if last.is_some_and(|last| last.hidden.is_none() && last.span.start == start) {
                stand_in.mentions.pop();
            }
        }
    }

    /// The edits for what a statement names of the rows of a relation.
    pub(super) fn mention_edits(&self, of: &StandIn) -> Result<Vec<Edit>, Box<Refusal>> {
        let mut edits = Vec::new();
        for mention in &of.mentions {
            let text = match mention.hidden {
                None => row(of),
                Some(_) if !of.is_whole => continue,
                Some(hidden) => match looked_up(of, hidden) {
                    Some(text) => text,
                    None => {
                        let what = "a hidden column of this catalog beside *";
                        return self.unsupported(what, mention.span.clone());
                    }
                },
            };
            edits.push(Edit {
                span: mention.span.clone(),
                with: Replacement::Text(text),
            });
        }
        Ok(edits)
    }
}

/// The row of a table as one of the relation's type. What an outer join has found no row for is
/// null, and no row of nulls.
fn row(of: &StandIn) -> String {
    let (name, relation) = (quoted(&of.called), of.catalog.relation());
    format!(
        "(SELECT CASE WHEN {name}.* IS NOT DISTINCT FROM NULL THEN NULL ELSE \
         ROW({name}.*)::{relation} END AS {name})"
    )
}

/// A hidden column of the row with the key of this one; `None` for a relation without a key.
fn looked_up(of: &StandIn, hidden: &str) -> Option<String> {
    let (name, relation) = (quoted(&of.called), of.catalog.relation());
    // Not what the statement calls its table.
    let own = match of.called.as_str() {
        "pgveil" => "pgveil_h",
        _ => "pgveil",
    };
    let is_it = |key: &&str| {
        let place = of.columns.iter().position(|column| column == key)?;
        let column = quoted(&of.seen.iter().nth(place)?.name);
        Some(format!(
            "{own}.{key} OPERATOR(pg_catalog.=) {name}.{column}"
        ))
    };
    let same = of.catalog.key.iter().map(is_it);
    let same = same.collect::<Option<Vec<String>>>()?.join(" AND ");
    let found = match hidden {
        // That of a row, too, which the catalog does not have.
        "tableoid" => format!(
            "(SELECT CASE WHEN {name}.* IS DISTINCT FROM NULL THEN \
             '{relation}'::pg_catalog.regclass::pg_catalog.oid END AS tableoid)"
        ),
        _ => format!("(SELECT {own}.{hidden} FROM {relation} AS {own} WHERE {same} LIMIT 1)"),
    };
    (!same.is_empty()).then_some(found)
}
