//! Keys that are uuids beside text: where they are cast to it beside keys that are text, which refer to
//! them, and where the database makes them and their ids are text.

use crate::catalog::KeyType;

use super::{Id, Shape, TypeVar, Types};

impl Types<'_> {
    /// A node stands for the cast of a key that is a uuid to text, which is a key of columns of text.
    pub(in crate::sql) fn casts_to_text(&mut self, node: TypeVar) {
        self.text_casts.insert(self.root(node), node);
    }

    /// Beside a key that is text a uuid that is cast to text stays text.
    pub(super) fn keep_text(&mut self, cast: TypeVar, other: TypeVar) {
        let (Shape::Id(uuid), Shape::Id(text)) = (self.shape(cast), self.shape(other)) else {
            return;
        };
        let is_meant = uuid.domain == text.domain
            && uuid.key_type == KeyType::Uuid
            && text.key_type.is_text()
            && uuid.shown.is_text()
            && text.shown.is_text();
        if let Some(first) = self.text_casts.get(&cast).copied().filter(|_| is_meant) {
            let kept = Shape::Id(Id {
                key_type: uuid.shown,
                ..uuid
            });
            self.set_shape(first, kept.clone());
            self.set_shape(cast, kept);
        }
    }

    /// A uuid that the database makes is a key of columns of uuids, also where their ids are text.
    pub(super) fn take_made(&mut self, made: TypeVar, other: TypeVar) -> bool {
        let is_key = match self.shape(other) {
            Shape::Id(id) => id.key_type == KeyType::Uuid && id.shown.is_text(),
            _ => false,
        };
        let is_made = is_key
            && matches!(self.shape(made), Shape::Typed(KeyType::Uuid))
            && self.made_nodes.contains(&made);
        if is_made {
            self.link(made, other);
        }
        is_made
    }
}
