//! Values of several kinds in one place: ids of different domains, or ids beside real uuids. Their
//! keys overlap, so that nothing would tell them apart. Where such a value goes to the client, each
//! becomes text on its way: an id its tag, a real uuid its usual form. Two of them are the same text
//! only if they are the same id, so that DISTINCT, GROUP BY and UNION do what they do with uuids;
//! sorting does not, and is refused.

use std::ops::Range;

use sqlparser::ast::{Expr, SetExpr};

use crate::catalog::KeyType;
use crate::pg::oid;
use crate::sql::refusal::{Code, Refusal};
use crate::sql::scope::Output;
use crate::sql::types::{Id, Shape, TEXT, TypeVar, UUID};

use super::cast::unnested;
use super::query::{UNION, UNION_ALL};
use super::span::span_of;
use super::tag::{Carrier, text};
use super::value_sites::Site;
use super::{Binder, Check, TagPart};

/// Around a value of the client's or a real uuid.
pub(super) const UUID_TEXT: [&str; 2] = ["(", ")::pg_catalog.uuid::pg_catalog.text"];

/// The oid of `character varying`.
use crate::pg::oid::VARCHAR;

/// The values of a CASE with more branches than this are told apart around the whole of it: for each
/// operator in a branch Postgres reckons with work in each row, and compiles for long what it
/// takes for long work.
const MANY_BRANCHES: usize = 16;

/// One side of a set operation.
pub(super) struct Side<'s> {
    pub(super) body: &'s SetExpr,
    pub(super) outputs: &'s [Output],
}

impl Binder<'_> {
    /// Tells values apart that meet in one place, if they are of several kinds and go together.
    pub(super) fn mix(&mut self, branches: &mut [(TypeVar, &Expr)]) {
        let nodes: Vec<TypeVar> = branches.iter().map(|(node, _)| *node).collect();
        let Some(oid) = self.mixture(&nodes) else {
            return;
        };
        let extents = branches.iter().map(|(node, expr)| {
            let extent = self.extent_of_operation(expr);
            extent.or_else(|| (!self.is_edited(*node, oid)).then_some(0..0))
        });
        let Some(extents) = extents.collect::<Option<Vec<Range<usize>>>>() else {
            return;
        };
        for ((node, _), extent) in branches.iter_mut().zip(extents) {
            *node = self.disambiguate(*node, &extent, oid);
        }
    }

    /// Tells the values of a CASE of many branches apart, all ids over keys of one type: each branch
    /// says beside its key which of the kinds it is, which costs no operator, and the tags stand
    /// around the whole. `None` where that is not possible, or would mean something else; then nothing
    /// has changed.
    pub(super) fn tell_whole_apart(
        &mut self,
        whole: &Expr,
        branches: &mut [(TypeVar, &Expr)],
    ) -> Option<()> {
        // Within a query of its own Postgres knows no expression again that rows are grouped by.
        if branches.len() <= MANY_BRANCHES || self.grouping.is_there {
            return None;
        }
        let nodes: Vec<TypeVar> = branches.iter().map(|(node, _)| *node).collect();
        let oid = self.mixture(&nodes).filter(|oid| *oid == UUID)?;
        let mut kinds: Vec<(Id, TypeVar)> = Vec::new();
        let mut pairs = Vec::with_capacity(branches.len());
        for (node, expr) in branches.iter() {
            // A parameter beside a number in quotes would be text.
            let Shape::Id(id) = self.types.shape(*node) else {
                return None;
            };
            if matches!(unnested(expr), Expr::Value(_)) {
                return None;
            }
            let kind = kinds.iter().position(|(known, _)| *known == id);
            let kind = kind.unwrap_or_else(|| {
                kinds.push((id, *node));
                kinds.len() - 1
            });
            pairs.push((self.extent_of_operation(expr)?, kind));
        }
        let extent = self.extent(whole)?;
        // A call may be an aggregate, or give another value for each row where such a query is asked
        // once.
        if self.text.get(extent.clone())?.contains('(') {
            return None;
        }
        let key_type = kinds.first()?.0.key_type;
        // Text of several collations can't be compared.
        if key_type.is_text() || kinds.iter().any(|(id, _)| id.key_type != key_type) {
            return None;
        }
        let number = |kind: usize| number_of_kind(key_type, kind);
        let mut open = vec![text("(SELECT CASE pgveil_k.v[1]")];
        for (kind, (_, node)) in kinds.iter().enumerate() {
            open.push(text(&format!(" WHEN {} THEN ", number(kind))));
            open.extend(self.wrapped(*node, "pgveil_k.v[2]", Carrier::Text)?);
        }
        open.push(text(" END FROM (SELECT "));
        let close = vec![text(" AS v OFFSET 0) AS pgveil_k)")];
        self.keeping_tags(|binder| {
            for (extent, kind) in pairs {
                let open = vec![text(&format!(" ARRAY[{}, ", number(kind)))];
                binder.enclose(&extent, open, vec![text("]")]);
            }
            binder.enclose(&extent, open, close);
        });
        for (id, _) in kinds {
            self.tells_apart(id);
        }
        for (node, _) in branches {
            *node = self.types.node(Shape::Tagged(oid)).via(node.origin());
        }
        Some(())
    }

    /// Tells the values of a column apart to which two sides of a set operation contribute. The
    /// new types of the column on both sides.
    pub(super) fn mix_column(
        &mut self,
        sides: [Side<'_>; 2],
        index: usize,
        word: &str,
    ) -> Option<[TypeVar; 2]> {
        let nodes = [0, 1].map(|side| Some(sides.get(side)?.outputs.get(index)?.node));
        let nodes = [nodes[0]?, nodes[1]?];
        let is_id = |node: &TypeVar| matches!(self.types.shape(*node), Shape::Id(_));
        let oid = self.mixture(&nodes)?;
        // Among real uuids an id might be that the client has stored there: it would not be found.
        // That is more likely of texts.
        let is_found = word == UNION_ALL || nodes.iter().all(is_id);
        if !is_found && (word != UNION || oid != UUID) {
            return None;
        }
        let mut sites = [Vec::new(), Vec::new()];
        for ((side, node), sites) in sides.iter().zip(nodes).zip(&mut sites) {
            if self.is_edited(node, oid) {
                self.sites(side.body, index, sites)?;
            }
        }
        let mut found = nodes;
        for ((side, node), sites) in sides.iter().zip(&mut found).zip(sites) {
            let before = *node;
            for site in sites {
                *node = match site {
                    Site::Item { extent, nameless } => {
                        let told = self.disambiguate(before, &extent, oid);
                        let name = side.outputs.get(index).filter(|_| nameless);
                        if let Some(output) = name {
                            self.name_item(extent.end, &output.name);
                        }
                        told
                    }
                    Site::Whole(extent) => {
                        self.tell_query_apart(before, &extent, (side.outputs, index), oid)
                    }
                };
            }
        }
        Some(found)
    }

    /// The type of values of several kinds in one place, if they have to be told apart and can be.
    fn mixture(&self, nodes: &[TypeVar]) -> Option<u32> {
        let (mut kind, mut ids): (Option<u32>, Vec<Id>) = (None, Vec::new());
        let (mut real, mut tagged) = (false, false);
        for node in nodes {
            let found = match self.types.shape(*node) {
                Shape::Unknown => continue,
                Shape::Id(id) => {
                    if !ids.contains(&id) {
                        ids.push(id);
                    }
                    kind_of(id.shown)?
                }
                Shape::Typed(declared) => kind_of(declared)?,
                Shape::Plain(oid) => {
                    real = true;
                    kind_of_native(oid)?
                }
                Shape::Tagged(oid) => {
                    tagged = true;
                    kind_of_native(oid)?
                }
                _ => return None,
            };
            if *kind.get_or_insert(found) != found {
                return None;
            }
        }
        // A uuid that the database makes is a key among keys that are uuids, and none among others.
        let made = |node: &TypeVar| self.types.made.iter().any(|made| made.node == *node);
        let is_uuid = |id: &Id| id.key_type == KeyType::Uuid;
        real |= !ids.iter().all(is_uuid) && nodes.iter().any(made);
        let is_mixed = match ids.first() {
            Some(first) => real || tagged || ids.iter().any(|id| id.domain != first.domain),
            None => real && tagged,
        };
        let told_apart = || ids.iter().all(|id| self.can_be_told_apart(&ids, *id));
        kind.filter(|_| is_mixed && !self.types.in_definition && told_apart())
    }

    /// Takes down an id that is told apart from others.
    pub(super) fn tells_apart(&mut self, id: Id) {
        if !self.told_apart.contains(&id) {
            self.told_apart.push(id);
        }
    }

    /// Takes down an id that is told apart from others, and says whether the tags of it are all
    /// alike.
    pub(super) fn tells_apart_kind(&mut self, id: Id) -> bool {
        let is_told = self.can_be_told_apart(&[], id);
        self.tells_apart(id);
        is_told
    }

    /// Whether all tags of one id are alike: those of keys of different types are not, but for
    /// integers, which are all of one width there.
    fn can_be_told_apart(&self, ids: &[Id], id: Id) -> bool {
        let is_alike = |known: &Id| {
            let both = |is: fn(KeyType) -> bool| is(known.key_type) && is(id.key_type);
            known.domain != id.domain
                || known.key_type == id.key_type
                || both(KeyType::is_text)
                || both(KeyType::is_integer)
        };
        self.told_apart.iter().chain(ids).all(is_alike)
    }

    /// Whether a value must be edited to be told apart.
    fn is_edited(&self, node: TypeVar, oid: u32) -> bool {
        match self.types.shape(node) {
            Shape::Id(_) => true,
            Shape::Plain(_) | Shape::Typed(_) | Shape::Unknown => oid == UUID,
            _ => false,
        }
    }

    /// The type of a value once it is told apart from others.
    fn disambiguate(&mut self, node: TypeVar, extent: &Range<usize>, oid: u32) -> TypeVar {
        let told = match self.types.shape(node) {
            Shape::Id(id) => {
                self.tells_apart(id);
                match self.keeping_tags(|binder| binder.wrap(node, extent.clone(), Carrier::Text)) {
                    Some(_) => self.types.node(Shape::Tagged(oid)),
                    None => node,
                }
            }
            Shape::Plain(_) | Shape::Typed(_) | Shape::Unknown => {
                self.types.resolve_plain(node);
                if oid == UUID {
                    let [open, close] = UUID_TEXT.map(|part| vec![text(part)]);
                    self.keeping_tags(|binder| binder.enclose(extent, open, close));
                    self.types.node(Shape::Tagged(UUID))
                } else {
                    node
                }
            }
            _ => node,
        };
        told.via(node.origin())
    }

    /// What something is sorted by.
    pub(super) fn sorted(&mut self, key: &Expr) -> Check<TypeVar> {
        let node = self.expr(key)?;
        if self.types.is_mixed(node) {
            return Err(self.unordered(span_of(key)));
        }
        if !self.sorts_as_keys(node) {
            return Err(self.shows("ORDER BY", span_of(key)));
        }
        Ok(node)
    }

    /// Whether values with ids in them sort by their keys. Beside other text a tag, or the key of
    /// an id that is cast to text, would stand where neither the id nor its text does.
    pub(super) fn sorts_as_keys(&self, node: TypeVar) -> bool {
        if !self.types.may_have_text(node) && !self.types.may_have_document(node) {
            return true;
        }
        if !self.types.step() {
            return false;
        }
        match self.types.shape(node) {
            Shape::Json(..) | Shape::JsonText(_) => !self.is_text_of_a_document(node),
            Shape::Tagged(oid) => oid == UUID || self.types.sorts(node),
            Shape::Id(id) => self.types.sorts(node) || !self.is_cast_to_text(id),
            Shape::Array(element) => self.sorts_as_keys(element),
            Shape::Record(fields) => fields.iter().all(|field| self.sorts_as_keys(*field)),
            _ => true,
        }
    }

    /// Whether an id that is cast to text, of which the database has only the key, is in a value.
    pub(super) fn has_id_as_text(&self, node: TypeVar) -> bool {
        if !self.types.may_have_text(node) && !self.types.may_have_document(node) {
            return false;
        }
        if !self.types.step() {
            return true;
        }
        match self.types.shape(node) {
            Shape::Json(..) | Shape::JsonText(_) => self.is_text_of_a_document(node),
            Shape::Id(id) => self.is_cast_to_text(id),
            Shape::Array(element) => self.has_id_as_text(element),
            Shape::Record(fields) => fields.iter().any(|field| self.has_id_as_text(*field)),
            _ => false,
        }
    }

    /// Whether a value is the text of a document with keys in it, which are compared digit by digit
    /// there.
    fn is_text_of_a_document(&self, node: TypeVar) -> bool {
        match self.types.shape(node) {
            Shape::Json(place, of) => {
                !matches!(of, oid::JSON | oid::JSONB) && self.types.place_has_key(place)
            }
            Shape::JsonText(place) => self.types.place_has_key_below(place),
            _ => false,
        }
    }

    fn is_cast_to_text(&self, id: Id) -> bool {
        id.shown.is_text() && !self.types.in_definition && !self.context.snapshot.stores(id)
    }

    /// The refusal to sort by ids of several kinds.
    pub(super) fn unordered(&self, at: Range<usize>) -> Box<Refusal> {
        let message = "ids of several kinds, or ids and other uuids, can't be sorted in one column";
        let refusal = Refusal::unsupported(Code::MixedDomains, message).at(at);
        Box::new(refusal.hint("Inside the database they are keys of several tables. Sort by another column, or in the application."))
    }
}

/// The alias of a result column.
pub(super) fn named(name: &str) -> TagPart {
    text(&format!(" AS \"{}\"", name.replace('"', "\"\"")))
}

/// A constant that tells one kind of keys from others in an array of keys of this type.
fn number_of_kind(key_type: KeyType, kind: usize) -> String {
    match key_type {
        KeyType::Uuid => format!("'00000000-0000-0000-0000-{kind:012}'"),
        KeyType::Bytea => format!("'{kind:04}'"),
        _ => format!("'{kind}'"),
    }
}

/// Whether ids of a type are told apart as uuids or as text. The other types of text would have
/// to be kept, with their lengths.
fn kind_of(shown: KeyType) -> Option<u32> {
    matches!(shown.oid(), UUID | TEXT).then(|| shown.oid())
}

/// Whether values that are no ids are told apart as uuids or as text: beside text those become
/// text.
fn kind_of_native(oid: u32) -> Option<u32> {
    match oid {
        UUID | TEXT => Some(oid),
        VARCHAR => Some(TEXT),
        _ => None,
    }
}
