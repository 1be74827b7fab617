//! Columns with keys of several domains where a query puts them out: each key becomes a tag of its
//! domain, as where ids of several kinds meet. `*` becomes a list of all columns for that.

use std::ops::Range;
use std::sync::Arc;

use sqlparser::ast::Expr;

use crate::catalog::KeyType;
use crate::sql::scope::{Output, Scope};
use crate::sql::types::{Because, Shape, TypeVar};

use super::multi_domain::named;
use super::polymorphic::{Mention, Sighted, bare};
use super::polymorphic_text::{joined, quoted};
use super::tag::text;
use super::value::hidden;
use super::{Binder, Check, ItemName, TagPart};

impl Binder<'_> {
    /// What such a column becomes where it is put out.
    fn told(&mut self, mention: &Mention) -> Check<(Vec<TagPart>, TypeVar)> {
        let of = Arc::clone(&mention.sighted.of);
        let shown = of
            .kinds
            .first()
            .map_or(KeyType::Bytea, |kind| kind.id.shown);
        if !matches!(shown, KeyType::Uuid | KeyType::Text | KeyType::Varchar) {
            return Err(self.unknown_kind(mention));
        }
        let mut parts = vec![text("CASE")];
        for kind in &of.kinds {
            if !self.tells_apart_kind(kind.id) {
                return Err(self.unknown_kind(mention));
            }
            let node = self.types.node(Shape::Id(kind.id));
            parts.push(text(&format!(" WHEN {} THEN ", mention.condition(kind))));
            parts.push(TagPart::Open {
                node,
                number: false,
            });
            parts.push(text(&mention.key(kind)));
            parts.push(TagPart::Close);
        }
        parts.push(text(" END"));
        if shown == KeyType::Varchar {
            parts.insert(0, text("("));
            parts.push(text(")::"));
            parts.push(text(shown.sql()));
        }
        let told = self.types.node(Shape::Tagged(shown.oid()));
        let told = told.via(mention.sighted.node.origin());
        self.told_columns.insert(told, mention.sighted.place);
        Ok((parts, told))
    }

    /// An item of a SELECT list that is such a column, with its name if it has no alias.
    pub(super) fn told_item(
        &mut self,
        expr: &Expr,
        unnamed: Option<usize>,
    ) -> Check<Option<TypeVar>> {
        let Some(mention) = self.instantiate(expr).filter(Mention::is_open) else {
            return Ok(None);
        };
        if self.is_grouped(&mention) {
            return Err(self.unknown_kind(&mention));
        }
        let (parts, node) = self.told(&mention)?;
        self.replace(&mention.at, joined(parts));
        if let Some(at) = unnamed {
            let name = match bare(expr) {
                Expr::Identifier(column) => column.value.clone(),
                Expr::CompoundIdentifier(parts) => parts
                    .last()
                    .map_or_else(String::new, |column| column.value.clone()),
                _ => String::new(),
            };
            self.name_told(at, &name);
        }
        Ok(Some(node))
    }

    /// Names an item of a SELECT list, which ends at a place, as the column that it is.
    pub(super) fn name_told(&mut self, at: usize, name: &str) {
        let kept = std::mem::take(&mut self.keeps_tags);
        self.add_tag(at..at, named(name));
        self.keeps_tags = kept;
        self.item_names
            .insert(at, ItemName::Tag(self.tags.len() - 1));
    }

    /// The tables whose columns `*` means, each by the name that stands before its columns; `None`
    /// if some columns are those of several tables.
    pub(super) fn tables_of(scope: &Scope) -> Option<Vec<(String, Vec<Output>)>> {
        let mut tables = Vec::new();
        let mut width = 0;
        for table in scope.tables() {
            if width >= scope.width() {
                break;
            }
            width += table.columns.len();
            let prefix = format!("{}.", quoted(&table.name));
            tables.push((prefix, table.columns.iter().cloned().collect()));
        }
        let listed = tables
            .iter()
            .flat_map(|(_, columns): &(_, Vec<Output>)| columns);
        let is_all = listed
            .map(|column| column.node)
            .eq(scope.columns().map(|column| column.node));
        is_all.then_some(tables)
    }

    /// `*` over such columns becomes a list of all columns.
    pub(super) fn told_whole(
        &mut self,
        outputs: &mut [Output],
        span: Range<usize>,
        tables: impl FnOnce(&Self) -> Option<Vec<(String, Vec<Output>)>>,
    ) -> Check<()> {
        let sighted = |binder: &Self, node: TypeVar| binder.polymorphic.get(&node).cloned();
        let stored = self.is_stored();
        let is_edited =
            |sighted: &Sighted| !stored || sighted.fixed.is_none() || sighted.of.written;
        let mut edited = false;
        for output in &mut *outputs {
            let Some(sighted) = sighted(self, output.node) else {
                continue;
            };
            match sighted.fixed {
                Some(id) if !is_edited(&sighted) => {
                    output.node = self.types.node(Shape::Id(id)).via(output.node.origin());
                }
                _ => edited = true,
            }
        }
        if !edited || self.is_stored() {
            return Ok(());
        }
        // `TABLE` has no `*`.
        let is_star = self
            .text
            .get(span.clone())
            .is_some_and(|text| text.ends_with('*'));
        let Some(tables) = tables(self).filter(|_| is_star) else {
            let refusal = hidden("*", Because::Polymorphic).at(span);
            return Err(Box::new(refusal.hint("List the columns.")));
        };
        let mut parts = Vec::new();
        let mut places = outputs.iter_mut();
        for (prefix, columns) in tables {
            for column in columns {
                if !parts.is_empty() {
                    parts.push(text(", "));
                }
                let place = places.next();
                let name = format!("{prefix}{}", quoted(&column.name));
                let found = sighted(self, column.node).filter(is_edited);
                let Some((sighted, place)) = found.zip(place) else {
                    parts.push(text(&name));
                    continue;
                };
                let mention = Mention {
                    sighted,
                    at: span.clone(),
                    prefix: prefix.clone(),
                    column: name,
                    name: column.name.clone(),
                };
                let fixed = mention.sighted.fixed;
                let kind = fixed.and_then(|id| mention.sighted.of.of(id.domain));
                let node = if let Some(kind) = kind {
                    parts.push(text(&mention.key_alone(kind)));
                    self.told_as(&mention, kind.id)
                } else {
                    let (told, node) = self.told(&mention)?;
                    parts.extend(told);
                    node
                };
                parts.push(named(&column.name));
                place.node = node;
            }
        }
        self.types.spend(parts.len());
        self.replace(&span, joined(parts));
        Ok(())
    }
}
