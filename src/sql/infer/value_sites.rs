//! Where the values of a column of a set operation are written, so that they can be edited there.

use std::ops::Range;

use sqlparser::ast::{Expr, Query, Select, SelectItem, SetExpr, Value as SqlValue};

use crate::sql::parse::{is_string, range};
use crate::sql::scope::Output;
use crate::sql::types::{Shape, TypeVar, UUID};

use super::cast::unnested;
use super::multi_domain::{UUID_TEXT, named};
use super::tag::{Carrier, text};
use super::{Alias, Binder, ItemName, Tag, TagPart};

/// The words that may follow a query within a set operation.
const FOLLOWING: [&str; 8] = [
    "union",
    "intersect",
    "except",
    "order",
    "limit",
    "offset",
    "fetch",
    "for",
];

/// A place where values of a column come from.
pub(super) enum Site {
    /// An expression; whether its result column has no name of its own.
    Item {
        extent: Range<usize>,
        nameless: bool,
    },
    /// A query whose columns are only reached from outside.
    Whole(Range<usize>),
}

impl Binder<'_> {
    /// Adds the places that the values of a column come from.
    pub(super) fn sites(&self, body: &SetExpr, index: usize, sites: &mut Vec<Site>) -> Option<()> {
        match body {
            SetExpr::Select(select) => {
                let item = self.item(select, index);
                sites.push(match item {
                    Some(item) => item,
                    None => self.whole(body)?,
                });
            }
            SetExpr::Query(query) if is_bare(query) => self.sites(&query.body, index, sites)?,
            SetExpr::Query(_) => sites.push(self.whole(body)?),
            SetExpr::SetOperation { left, right, .. } => {
                self.sites(left, index, sites)?;
                self.sites(right, index, sites)?;
            }
            SetExpr::Values(values) => {
                for row in &values.rows {
                    let extent = self.extent_of_operation(row.content.get(index)?)?;
                    sites.push(Site::Item {
                        extent,
                        nameless: false,
                    });
                }
            }
            SetExpr::Insert(_)
            | SetExpr::Update(_)
            | SetExpr::Delete(_)
            | SetExpr::Merge(_)
            | SetExpr::Table(_) => return None,
        }
        Some(())
    }

    /// An item of a SELECT list. With `*` in the list nobody can count to it.
    fn item(&self, select: &Select, index: usize) -> Option<Site> {
        let is_one = |item: &SelectItem| {
            matches!(
                item,
                SelectItem::UnnamedExpr(_) | SelectItem::ExprWithAlias { .. }
            )
        };
        if !select.projection.iter().take(index + 1).all(is_one) {
            return None;
        }
        let (expr, nameless) = match select.projection.get(index)? {
            SelectItem::UnnamedExpr(expr) => (expr, true),
            SelectItem::ExprWithAlias { expr, .. } => (expr, false),
            _ => return None,
        };
        // The members of a row are several columns.
        if matches!(unnested(expr), Expr::CompoundFieldAccess { .. }) {
            return None;
        }
        let extent = self.extent_of_operation(expr)?;
        Some(Site::Item { extent, nameless })
    }

    /// A query as a whole. As a subquery it would make text of its values of no known type.
    fn whole(&self, body: &SetExpr) -> Option<Site> {
        (!has_untyped(body)).then(|| self.extent_of_query(body).map(Site::Whole))?
    }

    /// The bytes of a query within a set operation, with its parentheses.
    fn extent_of_query(&self, body: &SetExpr) -> Option<Range<usize>> {
        match body {
            SetExpr::Select(select) => {
                let start = range(select.select_token.0.span).start;
                Some(start..self.end_of_query(start))
            }
            SetExpr::Query(query) => {
                let first = match &query.with {
                    Some(with) => range(with.with_token.0.span).start,
                    None => self.extent_of_query(&query.body)?.start,
                };
                self.bracketed(first, "(")
            }
            SetExpr::SetOperation { left, right, .. } => {
                Some(self.extent_of_query(left)?.start..self.extent_of_query(right)?.end)
            }
            SetExpr::Values(values) => {
                let first = range(values.rows.first()?.opening_token.0.span);
                let last = range(values.rows.last()?.closing_token.0.span);
                Some(self.token_before(first.start).start..last.end)
            }
            SetExpr::Insert(_)
            | SetExpr::Update(_)
            | SetExpr::Delete(_)
            | SetExpr::Merge(_)
            | SetExpr::Table(_) => None,
        }
    }

    /// The end of a SELECT: what may follow it are reserved words.
    fn end_of_query(&self, start: usize) -> usize {
        let (mut end, mut is_name) = (start, false);
        for step in self.level(self.index_of(start)) {
            self.types.spend(step.tokens.len());
            if !is_name && (step.written == ";" || step.is_word(&FOLLOWING)) {
                break;
            }
            // Any word can be the name of a column there.
            is_name = step.written == "." || step.is_word(&["as"]);
            end = step.span.end;
        }
        end
    }

    /// Gives the item that ends at a place the name that it had before it was edited.
    pub(super) fn name_item(&mut self, end: usize, name: &str) {
        let is_here = |alias: &mut Alias| alias.at == end;
        match self.item_names.get(&end).copied() {
            Some(ItemName::Type(place)) => {
                let named = self.type_names.get_mut(place);
                named.and_then(|named| named.alias.take_if(is_here));
            }
            Some(ItemName::Value(place)) => {
                let named = self.occurrences.get_mut(place);
                named.and_then(|named| named.alias.take_if(is_here));
            }
            Some(ItemName::Tag(place)) => {
                let is_name = |tag: &&mut Tag| {
                    let with = &tag.with;
                    tag.span == (end..end)
                        && matches!(with, TagPart::Text(text) if text.starts_with(" AS \""))
                };
                // It goes behind all others at its place.
                if let Some(tag) = self.tags.get_mut(place).filter(is_name) {
                    tag.with = text("");
                }
            }
            None => {}
        }
        self.keeping_tags(|binder| binder.add_tag(end..end, named(name)));
        let place = self.tags.len() - 1;
        self.item_names.insert(end, ItemName::Tag(place));
    }

    /// Puts a query into one that tells a column of it apart from others.
    pub(super) fn tell_query_apart(
        &mut self,
        node: TypeVar,
        extent: &Range<usize>,
        (outputs, index): (&[Output], usize),
        oid: u32,
    ) -> TypeVar {
        let number = self.tags.len();
        let mut open = vec![text("SELECT ")];
        for (at, output) in outputs.iter().enumerate() {
            if at > 0 {
                open.push(text(", "));
            }
            let value = format!("pgveil_q{number}.c{at}");
            let [before, behind] = UUID_TEXT;
            match self.types.shape(node) {
                _ if at != index => open.push(text(&value)),
                Shape::Id(id) => {
                    self.tells_apart(id);
                    match self.wrapped(node, &value, Carrier::Text) {
                        Some(parts) => open.extend(parts),
                        None => return node,
                    }
                }
                _ => {
                    self.types.resolve_plain(node);
                    open.push(text(&format!("{before}{value}{behind}")));
                }
            }
            open.push(named(&output.name));
        }
        open.push(text(" FROM ("));
        let columns: Vec<String> = (0..outputs.len()).map(|at| format!("c{at}")).collect();
        let close = format!(") AS pgveil_q{number}({})", columns.join(", "));
        self.keeping_tags(|binder| binder.enclose(extent, open, vec![text(&close)]));
        debug_assert!(oid == UUID || matches!(self.types.shape(node), Shape::Id(_)));
        self.types.node(Shape::Tagged(oid)).via(node.origin())
    }
}

/// Whether a query in parentheses is nothing but its body.
pub(super) fn is_bare(query: &Query) -> bool {
    query.with.is_none()
        && query.order_by.is_none()
        && query.limit_clause.is_none()
        && query.fetch.is_none()
        && query.locks.is_empty()
}

/// Whether a query has a column that is a literal or a parameter without a type.
fn has_untyped(body: &SetExpr) -> bool {
    let is_untyped = |expr: &Expr| match unnested(expr) {
        Expr::Value(value) => {
            is_string(&value.value)
                || matches!(value.value, SqlValue::Null | SqlValue::Placeholder(_))
        }
        _ => false,
    };
    match body {
        SetExpr::Select(select) => select.projection.iter().any(|item| match item {
            SelectItem::UnnamedExpr(expr) | SelectItem::ExprWithAlias { expr, .. } => {
                is_untyped(expr)
            }
            _ => false,
        }),
        SetExpr::Query(query) => has_untyped(&query.body),
        SetExpr::SetOperation { left, right, .. } => has_untyped(left) || has_untyped(right),
        SetExpr::Values(values) => {
            let mut exprs = values.rows.iter().flat_map(|row| &row.content);
            exprs.any(is_untyped)
        }
        SetExpr::Insert(_)
        | SetExpr::Update(_)
        | SetExpr::Delete(_)
        | SetExpr::Merge(_)
        | SetExpr::Table(_) => true,
    }
}
