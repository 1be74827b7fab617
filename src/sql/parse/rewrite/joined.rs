//! Joins in brackets that begin with another bracket. sqlparser reads what is in such brackets as a
//! subquery first, through all brackets in it, and once more as joins when that fails; so they
//! become a subquery, by a SELECT that no statement can have.

use sqlparser::ast::{
    Expr, GroupByExpr, Query, Select, SelectItem, SetExpr, TableWithJoins, Value,
};
use sqlparser::tokenizer::Token as ParserToken;

use super::Rewriter;

impl Rewriter<'_> {
    /// `(` to `(SELECT … FROM`, with a literal of a kind that is written for no other token.
    pub(super) fn begin_joined(&mut self, at: usize) {
        self.write_word("select", true, at..at);
        self.write(ParserToken::UnicodeStringLiteral(String::new()), at..at);
        self.write_word("from", true, at..at);
    }
}

/// The joins that stand in brackets where sqlparser sees a subquery.
pub(crate) fn joined(query: &Query) -> Option<&TableWithJoins> {
    let mut query = query;
    loop {
        let is_bare = query.with.is_none()
            && query.order_by.is_none()
            && query.limit_clause.is_none()
            && query.fetch.is_none()
            && query.locks.is_empty();
        match query.body.as_ref() {
            SetExpr::Query(inner) if is_bare => query = inner,
            SetExpr::Select(select) if is_bare => return begun(select),
            _ => return None,
        }
    }
}

fn begun(select: &Select) -> Option<&TableWithJoins> {
    let [SelectItem::UnnamedExpr(Expr::Value(value))] = select.projection.as_slice() else {
        return None;
    };
    let [joins] = select.from.as_slice() else {
        return None;
    };
    let is_grouped = match &select.group_by {
        GroupByExpr::All(_) => true,
        GroupByExpr::Expressions(exprs, modifiers) => !exprs.is_empty() || !modifiers.is_empty(),
    };
    let is_bare = select.distinct.is_none()
        && select.selection.is_none()
        && !is_grouped
        && select.having.is_none()
        && select.named_window.is_empty();
    let is_begun = matches!(value.value, Value::UnicodeStringLiteral(_));
    (is_begun && is_bare && !joins.joins.is_empty()).then_some(joins)
}
