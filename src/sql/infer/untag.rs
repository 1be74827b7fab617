//! Ids that come back out of text: `(jsonb_build_object('k', id) ->> 'k')::uuid`. There the database
//! has a tag, which no client can write, and takes the key out of it again.

use sqlparser::ast::Expr;

use crate::catalog::KeyType;
use crate::sql::plan::JsonKind;
use crate::sql::types::{Id, JSONB, Place, Shape, Tags, TypeVar};

use super::cast::Target;
use super::tag::text;
use super::{Binder, TagPart, TypeName};

impl Binder<'_> {
    /// A cast of text that holds one id, and is nothing else, to the type of the id. `None` if it
    /// is no such cast, or ids of several domains may be in the text.
    pub(super) fn untag(
        &mut self,
        node: TypeVar,
        inner: &Expr,
        target: &Target,
    ) -> Option<TypeVar> {
        let Shape::Tagged(of) = self.types.shape(node) else {
            return None;
        };
        let Tags::Of(id) = self.types.tags(node) else {
            return None;
        };
        let is_uuid = target.key_type == KeyType::Uuid && self.is_uuid(id);
        let is_kept = |shown: KeyType| {
            let to = target.key_type;
            shown.is_like(to) && (!to.is_integer() || shown.joined(to) == to)
        };
        // A plan would show what tags are known by.
        let is_meant = KeyType::from_oid(of).is_some_and(|(of, array)| of.is_text() && !array)
            && !target.array
            && !target.key_type.is_text()
            && (is_kept(id.shown) || id.shown.is_text() && is_uuid)
            && (id.key_type.is_integer() || id.key_type == KeyType::Uuid)
            && !self.explained;
        if !is_meant {
            return None;
        }
        let extent = self.extent(inner);
        let extent = extent.or_else(|| self.extent_of_operation(inner))?;
        let shown = target.key_type;
        let id = Id { shown, ..id };
        let open = text("(pg_catalog.regexp_replace(");
        self.enclose(&extent, vec![open], vec![TagPart::Untag(id)]);
        let node = self.types.node(Shape::Id(id));
        self.name_type(TypeName {
            node,
            span: target.span.clone(),
            named: target.key_type,
            length: None,
            alias: None,
        });
        Some(node)
    }

    /// A value that is made of an id, `to_jsonb(id)`, becomes the key that a document has at a place.
    /// `None` if it is made of other ids, or the place is none of a key.
    pub(super) fn untag_leaf(&mut self, node: TypeVar, value: &Expr, place: Place) -> Option<()> {
        let Tags::Of(id) = self.types.tags(node) else {
            return None;
        };
        let leaf = self.types.known(place)?.leaf?;
        let is_meant = self.types.shape(node) == Shape::Tagged(JSONB)
            && leaf.id.is_of_keys_like(id)
            && has_tags_of_text(id)
            && !self.explained;
        if !is_meant {
            return None;
        }
        let as_text = match leaf.written {
            JsonKind::String => "::pg_catalog.text",
            JsonKind::Number => "",
        };
        let extent = self.extent(value)?;
        let open = "pg_catalog.to_jsonb((pg_catalog.regexp_replace((";
        let close = vec![
            text(") OPERATOR(pg_catalog.#>>) '{}'"),
            TagPart::Untag(id),
            text(&format!("::{}{as_text})", id.key_type.sql())),
        ];
        self.enclose(&extent, vec![text(open)], close);
        Some(())
    }
}

/// Whether the keys of such ids can be taken out of tags, and their tags are those of text.
fn has_tags_of_text(id: Id) -> bool {
    let is_taken = id.key_type.is_integer() || id.key_type == KeyType::Uuid;
    is_taken && !id.shown.is_integer()
}
