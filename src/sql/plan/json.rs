//! Where ids stand in a JSON document.

use crate::catalog::{JsonKey, PathStep};

use super::{IdUsage, TargetColumn};

/// Where ids stand in a JSON document, or in a part of one.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct JsonShape {
    /// Present if the value itself is an id, or an array of them.
    pub leaf: Option<JsonLeaf>,
    /// The members of an object that have ids in them, by name.
    pub members: Vec<(String, JsonShape)>,
    /// Every other member of an object.
    pub others: Option<Box<JsonShape>>,
    /// The elements of an array.
    pub elements: Option<Box<JsonShape>>,
    /// Whether it is a document of the database: then a value that is no object where members
    /// have keys, or no array where elements have, may hold keys anywhere.
    pub stored: bool,
    /// Whether tags may be anywhere in it.
    pub tagged: bool,
    /// Whether it is compared as text, beside which a text may stand that is no document.
    pub text: bool,
    /// Whether `||` joins it with such a document, or with an array in it: of an object and
    /// anything else that makes an array, in which nobody would find the keys.
    pub joined: bool,
}

impl JsonShape {
    /// Where the keys of a column stand; if documents are stored in it, what is told of ids that
    /// nobody has.
    #[must_use]
    pub fn of_column(keys: &[JsonKey], stored: Option<&TargetColumn>) -> Self {
        let mut shape = Self::of_database();
        for key in keys {
            let leaf = JsonLeaf {
                usage: IdUsage {
                    id: key.id,
                    stored: stored.cloned().map(Box::new),
                    bound: None,
                },
                array: false,
                written: Some(if key.number {
                    JsonKind::Number
                } else {
                    JsonKind::String
                }),
            };
            shape.put(&key.path, leaf);
        }
        shape
    }

    fn of_database() -> Self {
        Self {
            stored: true,
            ..Self::default()
        }
    }

    /// An id stands at the end of this path.
    pub(crate) fn put(&mut self, path: &[PathStep], leaf: JsonLeaf) {
        match path.split_first() {
            None => self.leaf = Some(leaf),
            Some((PathStep::Elements, rest)) => {
                let stored = self.stored;
                let elements = self.elements.get_or_insert_default();
                elements.stored = stored;
                elements.put(rest, leaf);
            }
            Some((PathStep::Member(name), rest)) => {
                let mut members = self.members.iter_mut();
                if let Some((_, member)) = members.find(|(known, _)| known == name) {
                    return member.put(rest, leaf);
                }
                let mut member = Self {
                    stored: self.stored,
                    ..Self::default()
                };
                member.put(rest, leaf);
                self.members.push((name.clone(), member));
            }
        }
    }

    /// Whether there is no id in it.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        !self.has_keys() && !self.tagged
    }

    /// Whether there is an id in it that is in no tag.
    #[must_use]
    pub fn has_keys(&self) -> bool {
        self.leaf.is_some() || self.containers() != (false, false)
    }

    /// The member of this name.
    #[must_use]
    pub fn member(&self, name: &[u8]) -> Option<&Self> {
        let mut members = self.members.iter();
        let found = members.find(|(member, _)| member.as_bytes() == name);
        found.map(|(_, shape)| shape).or(self.others.as_deref())
    }
}

impl JsonShape {
    /// Whether keys are found in an object, and in an array.
    #[must_use]
    pub fn containers(&self) -> (bool, bool) {
        let object = !self.members.is_empty() || self.others.is_some();
        (object, self.elements.is_some())
    }
}

/// A value in a JSON document that is an id.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct JsonLeaf {
    /// What the id stands for.
    pub usage: IdUsage,
    /// Whether the value is read as an array of ids, as a column of an array type is.
    pub array: bool,
    /// How keys are written in the database; `None`: as the client writes the id.
    pub written: Option<JsonKind>,
}

/// The kind of value as which a key is written in JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum JsonKind {
    /// `42`
    Number,
    /// `"42"`
    String,
}

/// A JSON document that the client sends.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct JsonUsage {
    /// Where ids stand in it.
    pub shape: JsonShape,
    /// The type that the server reads it as: that of `json`, `jsonb` or text.
    pub type_oid: u32,
}

impl JsonUsage {
    /// Gives this usage for a server that reads the document as another type.
    pub(crate) fn declared(&self, type_oid: u32) -> Box<Self> {
        let shape = self.shape.clone();
        Box::new(Self { shape, type_oid })
    }
}
