//! Ids that come back out of JSON that a statement builds:
//! `(jsonb_build_object('k', id) ->> 'k')::uuid`. There the database has a tag, which no client can
//! write, and takes the key out of it again.

use sqlparser::ast::Expr;

use crate::catalog::KeyType;
use crate::sql::types::{Id, Shape, Tags, TypeVar};

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
        // A plan would show what tags are known by.
        let is_meant = KeyType::from_oid(of).is_some_and(|(of, array)| of.is_text() && !array)
            && !target.array
            && !target.key_type.is_text()
            && (target.key_type == id.shown || id.shown.is_text() && is_uuid)
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
}
