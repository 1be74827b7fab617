//! What is in a type, known without a walk over it: each set keeps what holds of its shape or of
//! anything inside, and tells the arrays and rows that contain it when more is found out. Asked at
//! every level of rows in rows, walks would take the square of their depth.

use super::{Shape, UUID};

/// What may be in a type. Of keys and tags it holds once it is told, and is told of all that are in
/// no document; the others may have gone since.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Facts(u8);

impl Facts {
    pub(super) const NONE: Self = Self(0);
    /// A key, or something with keys in it.
    pub(super) const ID: Self = Self(1);
    /// A tag.
    pub(super) const TAG: Self = Self(2);
    /// A tag around one of ids of several kinds.
    pub(super) const MIXED: Self = Self(4);
    /// A document, or a part of one: what is in it is found out elsewhere.
    pub(super) const DOCUMENT: Self = Self(8);
    /// Something that has no type so far.
    pub(super) const OPEN: Self = Self(16);
    /// An id that is shown as text, or text with ids in it.
    pub(super) const TEXT: Self = Self(32);

    /// What holds of a shape itself; of an array or a row what is in it does.
    pub(super) const fn of(shape: &Shape) -> Self {
        match shape {
            Shape::Id(id) if id.shown.is_text() => Self(Self::ID.0 | Self::TEXT.0),
            Shape::Id(_) | Shape::Hidden => Self::ID,
            Shape::Tagged(UUID) => Self(Self::ID.0 | Self::TAG.0 | Self::MIXED.0),
            Shape::Tagged(_) => Self(Self::ID.0 | Self::TAG.0 | Self::TEXT.0),
            Shape::Json(..) | Shape::JsonText(_) => Self(Self::DOCUMENT.0 | Self::OPEN.0),
            Shape::Unknown | Shape::Typed(_) => Self::OPEN,
            Shape::Plain(_) | Shape::Array(_) | Shape::Record(_) => Self::NONE,
        }
    }

    pub(super) const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(super) const fn has(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}
