//! Casts: to the types that ids are shown as, where a literal or parameter may turn out to be an
//! id, and from ids.

use std::collections::HashSet;
use std::ops::Range;

use sqlparser::ast::{CastKind, CharacterLength, DataType, Expr, Spanned, Value as SqlValue};

use crate::catalog::KeyType;
use crate::pg::oid;
use crate::sql::lex::Token;
use crate::sql::parse::{is_string, range};
use crate::sql::plan::{Edit, Replacement};
use crate::sql::refusal::{Code, Refusal};
use crate::sql::types::{Id, Shape, TEXT, TypeVar, UUID};

use super::column_name::last;
use super::json::as_key;
use super::span::{end_of, span_of};
use super::texts::TextLeaves;
use super::type_name::{element_type, innermost, is_text_name, is_unknown, key_type, named_oid};
use super::{Binder, Check, TypeName, Value};

/// The target of a cast, if it is a type that ids are shown as.
#[derive(Clone)]
pub(super) struct Target {
    pub(super) key_type: KeyType,
    pub(super) array: bool,
    /// The name with its modifiers.
    pub(super) span: Range<usize>,
    /// The modifier: the length to which text is cut.
    pub(super) length: Option<u64>,
}

impl Binder<'_> {
    pub(super) fn cast(
        &mut self,
        kind: &CastKind,
        inner: &Expr,
        data_type: &DataType,
    ) -> Check<TypeVar> {
        if let Some(read) = self.cast_text_column(inner, data_type)? {
            return Ok(read);
        }
        let first = self.occurrences.len();
        let node = self.expr(inner)?;
        if is_text_name(data_type) && matches!(unnested(inner), Expr::Value(_)) {
            self.settle_alone(inner);
        }
        if let Some(cast) = self.cast_procedure(inner, node, data_type)? {
            return Ok(cast);
        }
        // Where Postgres writes out a definition, a NULL beside keys has their type.
        if self.types.in_definition
            && matches!(unnested(inner), Expr::Value(value) if value.value == SqlValue::Null)
        {
            return Ok(node);
        }
        if let Some(json) = self.cast_json((inner, first), node, data_type) {
            return Ok(json);
        }
        if let Some(row) = self.cast_to_row((inner, first), node, (kind, data_type))? {
            return Ok(row);
        }
        // What has no type stays without.
        if is_literal(inner) && is_unknown(data_type) {
            let at = span_of(unnested(inner));
            let mut occurrences = self.occurrences.iter_mut().rev();
            if let Some(literal) = occurrences.find(|occurrence| occurrence.span == at) {
                literal.cast = true;
            }
            return Ok(node);
        }
        let target = self.cast_target(|| end_of(inner), data_type);
        if self.types.has_id(node) {
            if let Some(target) = &target {
                if self.recast(node, target) {
                    return Ok(node);
                }
                if let Some(text) = self.cast_to_text(node, target) {
                    return Ok(text);
                }
                if let Some(id) = self.cast_from_text(node, inner, target) {
                    return Ok(id);
                }
                if let Some(id) = self.untag(node, inner, target) {
                    return Ok(id);
                }
            }
            if let Some(tagged) = self.cast_tagged(node, inner, data_type) {
                return Ok(tagged);
            }
            let at = self.cast_place(kind, inner);
            return Err(self.refuse_cast(node, data_type, at));
        }
        if let Some(target) = target {
            return Ok(self.cast_declared((inner, first), node, target));
        }
        let (name, dimensions) = element_type(data_type);
        let word = name.map(last);
        let oid = if dimensions > 0 {
            0
        } else {
            named_oid(data_type, word.as_deref())
        };
        let native = self.types.native(oid);
        match self.types.shape(node) {
            Shape::Unknown => {
                let _ = self.types.unify(node, native);
            }
            _ => self.types.resolve_plain(node),
        }
        Ok(native)
    }

    /// Takes down a place where a cast names a type.
    pub(super) fn name_type(&mut self, name: TypeName) {
        self.type_name_starts.insert(name.span.start);
        self.type_name_ends.insert(name.span.end);
        self.type_names.push(name);
    }

    /// A literal or parameter that is cast takes the type of the cast; `first` is the first of
    /// those in the expression. An expression of nothing
    /// but those, such as CASE, is text in Postgres's eyes, which the cast then reads: its
    /// parameters stay text and hold the text of ids, as does one that the client declares so.
    fn cast_declared(
        &mut self,
        (inner, first): (&Expr, usize),
        node: TypeVar,
        target: Target,
    ) -> TypeVar {
        let Target {
            key_type,
            array,
            span,
            length,
        } = target;
        let element = self.types.node(Shape::Typed(key_type));
        let whole = if array {
            self.types.node(Shape::Array(element))
        } else {
            element
        };
        let name = TypeName {
            node: element,
            span,
            named: key_type,
            length,
            alias: None,
        };
        let shape = self.types.shape(node);
        let reads = match array {
            true => {
                self.read_text((inner, first), &shape, (key_type, true), whole)
                    || self.read_elements((inner, first), element)
            }
            false => {
                self.read_rows((inner, first), &shape, element)
                    || self.read_text((inner, first), &shape, (key_type, false), whole)
            }
        };
        if reads {
            self.name_type(name);
            return whole;
        }
        if !self.is_carried(&shape, key_type, array) {
            // Computed, or of another type: never an id.
            self.types.resolve_plain(node);
            let oid = if array {
                key_type.array_oid()
            } else {
                key_type.oid()
            };
            return self.types.native(oid);
        }
        let _ = self.types.unify(node, whole);
        if let Expr::Value(_) = unnested(inner) {
            let at = span_of(unnested(inner));
            let cast = self
                .occurrences
                .iter_mut()
                .rev()
                .find(|occurrence| occurrence.span == at);
            if let Some(occurrence) = cast {
                // A number has a type of its own, which the cast changes.
                match occurrence.value {
                    Value::Number(_) => occurrence.declared = Some(key_type),
                    _ => _ = occurrence.declared.get_or_insert(key_type),
                }
                occurrence.cast = true;
            }
        }
        if key_type.is_text()
            && !array
            && let Some(at) = behind_casts(inner)
        {
            self.cut_value(&at, length);
        }
        self.name_type(name);
        whole
    }

    /// Reads the elements of an array of text, or the parts of a text that is taken apart, each of which
    /// the cast is applied to. False if the expression is no such thing.
    fn read_rows(
        &mut self,
        (inner, first): (&Expr, usize),
        shape: &Shape,
        element: TypeVar,
    ) -> bool {
        if let Some(list) = self.elements_taken_apart(inner, element) {
            let elements = self.types.node(Shape::Array(element));
            self.read_from_text((&list.leaves, first), elements);
            self.lists.push(list);
            return true;
        }
        let (Shape::Typed(of), Shape::Typed(key_type)) = (shape, self.types.shape(element)) else {
            return false;
        };
        let is_text = of.is_text() && !key_type.is_text();
        let Some(leaf) = self.elements_of_text(inner).filter(|_| is_text) else {
            return false;
        };
        let elements = self.types.node(Shape::Array(element));
        self.read_from_text((std::slice::from_ref(&leaf), first), elements);
        self.text_arrays.insert(leaf.start, *of);
        true
    }

    /// Reads what is text in Postgres's eyes. False if the expression is no such thing.
    fn read_text(
        &mut self,
        (inner, first): (&Expr, usize),
        shape: &Shape,
        target: (KeyType, bool),
        whole: TypeVar,
    ) -> bool {
        let leaves = self.read_leaves(inner, shape, target);
        if let Some(leaves) = &leaves {
            self.read_from_text((leaves, first), whole);
        }
        leaves.is_some()
    }

    /// Gives literals and parameters that stay text the type that a cast reads from it; `first` is the
    /// first that may be one of them.
    pub(super) fn read_from_text(
        &mut self,
        (leaves, first): (&[Range<usize>], usize),
        node: TypeVar,
    ) {
        let starts: HashSet<usize> = leaves.iter().map(|leaf| leaf.start).collect();
        let within = self.occurrences.get_mut(first..).unwrap_or_default();
        for occurrence in within {
            if starts.contains(&occurrence.span.start) {
                occurrence.node = node;
                if let Value::Parameter { textual, .. } = &mut occurrence.value {
                    *textual = true;
                }
            }
        }
    }

    /// The literals and parameters of an expression of nothing but those, if the cast reads what
    /// is text in Postgres's eyes.
    fn read_leaves(
        &mut self,
        inner: &Expr,
        shape: &Shape,
        (key_type, array): (KeyType, bool),
    ) -> Option<Vec<Range<usize>>> {
        if let Some(list) = self.taken_apart(inner).filter(|_| array) {
            let leaves = list.leaves.clone();
            self.lists.push(list);
            return Some(leaves);
        }
        if array && let Some(of) = self.elements_are_text(inner, shape) {
            let leaf = text_array_leaf(inner).filter(|_| !key_type.is_text())?;
            self.text_arrays.insert(leaf.start, of);
            return Some(vec![leaf]);
        }
        let is_text = match shape {
            Shape::Typed(declared) => declared.is_text(),
            Shape::Unknown => {
                !matches!(unnested(inner), Expr::Value(_)) || self.is_settled_as_text(inner)
            }
            Shape::Plain(oid::NAME) => matches!(unnested(inner), Expr::Value(_)),
            Shape::Plain(TEXT) => matches!(
                unnested(inner),
                Expr::Function(_) | Expr::Trim { .. } | Expr::Case { .. } | Expr::Subquery(_)
            ),
            _ => false,
        };
        // What is in it is looked through last: in a chain of casts each would look at all.
        if !is_text || key_type.is_text() && !array {
            return None;
        }
        let mut read = TextLeaves::default();
        if !read.read(inner) {
            return None;
        }
        self.folded.extend(&read.folded);
        self.change_text(&read);
        Some(read.leaves)
    }

    /// Whether a cast hands a value through that may become an id.
    fn is_carried(&self, shape: &Shape, key_type: KeyType, array: bool) -> bool {
        match shape {
            Shape::Unknown => true,
            Shape::Typed(declared) => !array && declared.is_like(key_type),
            Shape::Array(element) => {
                array
                    && match self.types.shape(*element) {
                        Shape::Unknown => true,
                        Shape::Typed(declared) => declared.is_like(key_type),
                        _ => false,
                    }
            }
            Shape::Plain(_)
            | Shape::Id(_)
            | Shape::Tagged(_)
            | Shape::Json(..)
            | Shape::JsonText(_)
            | Shape::Record(_)
            | Shape::Hidden => false,
        }
    }

    /// A cast of an id to a type that shows it unchanged, such as its own; false if it does not.
    pub(super) fn recast(&mut self, node: TypeVar, target: &Target) -> bool {
        let place = match (self.types.shape(node), target.array) {
            (Shape::Array(element), true) => element,
            (Shape::Id(_), false) => node,
            _ => return false,
        };
        let Shape::Id(id) = self.types.shape(place) else {
            return false;
        };
        let keeps = |from: KeyType| {
            let (from, to) = (from, target.key_type);
            from.is_like(to) && (!to.is_integer() || from.joined(to) == to) && self.fits(id, target)
        };
        // Inside a view the cast is one of the key.
        let inside = self.types.in_definition && keeps(id.key_type);
        if !inside && !keeps(id.shown) {
            return false;
        }
        let recast = Id {
            domain: id.domain,
            key_type: if keeps(id.key_type) {
                target.key_type
            } else {
                id.key_type
            },
            shown: if keeps(id.shown) {
                target.key_type
            } else {
                id.shown
            },
        };
        self.types.set_shape(place, Shape::Id(recast));
        if !inside {
            self.name_type(TypeName {
                node: place,
                span: target.span.clone(),
                named: target.key_type,
                length: target.length,
                alias: None,
            });
        }
        true
    }

    /// The id in a value that is cast, or in the elements of an array.
    fn cast_id(&self, node: TypeVar, target: &Target) -> Option<(TypeVar, Id)> {
        let place = match (self.types.shape(node), target.array) {
            (Shape::Array(element), true) => element,
            (Shape::Id(_), false) => node,
            _ => return None,
        };
        match self.types.shape(place) {
            Shape::Id(id) => Some((place, id)),
            _ => None,
        }
    }

    /// A cast of an id to text: the database casts the key to its own type, and the session writes
    /// the id as text.
    fn cast_to_text(&mut self, node: TypeVar, target: &Target) -> Option<TypeVar> {
        let (place, id) = self.cast_id(node, target)?;
        if self.types.in_definition
            || !target.key_type.is_text()
            || id.shown.is_text()
            || !self.fits(id, target)
        {
            return None;
        }
        let node = self.shown_as((place, id), target);
        let types = self.context.snapshot.column_types(id.domain);
        if id.key_type == KeyType::Uuid && !target.array && types.are_texts_of_uuids() {
            self.types.casts_to_text(node);
        }
        Some(node)
    }

    /// A cast of the text of an id back to the type of the ids.
    fn cast_from_text(&mut self, node: TypeVar, inner: &Expr, target: &Target) -> Option<TypeVar> {
        let (place, id) = self.cast_id(node, target)?;
        if !id.shown.is_text() || target.key_type != KeyType::Uuid || self.types.in_definition {
            return None;
        }
        let types = self.context.snapshot.column_types(id.domain);
        let is_text = id.key_type.is_text() && types.are_texts_of_uuids();
        let uuid = KeyType::Uuid.value_type();
        let id = match types.shown(uuid) == Some(uuid) {
            // The cast reads the key that the text is. What is none becomes NULL: an error about it
            // would quote it.
            true if is_text && !target.array => {
                let id = Id {
                    key_type: KeyType::Uuid,
                    ..id
                };
                let extent = self.extent_of_operation(inner)?;
                let [open, close] = as_key(id)?;
                self.keeping_tags(|binder| binder.enclose(&extent, vec![open], vec![close]));
                id
            }
            true if is_text => return None,
            _ if self.is_uuid(id) => id,
            _ => return None,
        };
        let node = self.shown_as((place, id), target);
        self.recomputed.insert(node);
        Some(node)
    }

    /// Makes the node of an id that is cast to another type. What was found out about the one goes
    /// on to hold for it, but not for the other; where that is stored, the one is.
    fn shown_as(&mut self, (place, id): (TypeVar, Id), target: &Target) -> TypeVar {
        let shown = target.key_type;
        let node = self.types.node(Shape::Id(Id { shown, ..id }));
        self.types.flows_into(place, node);
        self.name_type(TypeName {
            node,
            span: target.span.clone(),
            named: target.key_type,
            length: target.length,
            alias: None,
        });
        if target.array {
            self.types.node(Shape::Array(node))
        } else {
            node
        }
    }

    /// A cast between text and JSON leaves tags as they are, and one to text those in an array or
    /// a row.
    fn cast_tagged(
        &mut self,
        node: TypeVar,
        inner: &Expr,
        data_type: &DataType,
    ) -> Option<TypeVar> {
        let word = match data_type {
            DataType::Custom(name, modifiers) if modifiers.is_empty() => Some(last(name)),
            DataType::Text | DataType::JSON | DataType::JSONB => None,
            DataType::CharacterVarying(None) | DataType::Varchar(None) => None,
            _ => return None,
        };
        let oid = named_oid(data_type, word.as_deref());
        match self.types.shape(node) {
            Shape::Tagged(UUID) => match oid {
                UUID => {
                    let target = self.cast_target(|| end_of(inner), data_type)?;
                    self.replaced.push(Edit {
                        span: target.span,
                        with: Replacement::Text(KeyType::Text.sql().to_owned()),
                    });
                    Some(node)
                }
                TEXT | oid::VARCHAR => Some(self.types.node(Shape::Tagged(oid))),
                _ => None,
            },
            Shape::Tagged(_) if oid::is_text_or_document(oid) => {
                Some(self.types.tagged_as(node, oid))
            }
            Shape::Array(_) | Shape::Record(_) if matches!(oid, TEXT | oid::VARCHAR) => {
                self.tag_for_text(node, inner, oid)
            }
            _ => None,
        }
    }

    /// What a type that is written behind a place says of a value cast to it.
    pub(super) fn cast_target(
        &self,
        behind: impl FnOnce() -> usize,
        data_type: &DataType,
    ) -> Option<Target> {
        let (element, array) = match data_type {
            DataType::Array(_) => (innermost(data_type), true),
            _ => (data_type, false),
        };
        match element {
            DataType::Custom(name, modifiers) => {
                let key_type = key_type(name, !modifiers.is_empty())?;
                let length = match modifiers.as_slice() {
                    [] => None,
                    [length] => Some(length.parse().unwrap_or(0)),
                    _ => return None,
                };
                let mut span = range(name.span());
                if length.is_some() {
                    span.end = self.closing_bracket(span.end)?;
                }
                Some(Target {
                    key_type,
                    array,
                    span,
                    length,
                })
            }
            DataType::CharacterVarying(length) => {
                let length = match length {
                    None => None,
                    Some(CharacterLength::IntegerLength { length, .. }) => Some(*length),
                    Some(CharacterLength::Max) => return None,
                };
                let mut span = self.character_varying(behind())?;
                if length.is_some() {
                    span.end = self.closing_bracket(span.end)?;
                }
                Some(Target {
                    key_type: KeyType::Varchar,
                    array,
                    span,
                    length,
                })
            }
            _ => None,
        }
    }

    /// The end of the next closing parenthesis.
    fn closing_bracket(&self, from: usize) -> Option<usize> {
        let mut tokens = self.tokens_from(from).iter();
        let closing = tokens.find(|token| token.written(self.text) == ")");
        closing.map(|token| token.span.end)
    }

    /// The words `character varying` behind a place, of a cast that has not been seen.
    fn character_varying(&self, from: usize) -> Option<Range<usize>> {
        let tokens = self.tokens_from(from);
        let is_word = |token: &Token<'_>, word: &str| token.keyword() == Some(word);
        let spans = tokens.windows(2).filter_map(|pair| match pair {
            [first, second]
                if (is_word(first, "character") || is_word(first, "char"))
                    && is_word(second, "varying") =>
            {
                Some(first.span.start..second.span.end)
            }
            _ => None,
        });
        // Only casts inside this one can stand in between.
        let seen = |span: &Range<usize>| {
            self.budget.spend(1);
            self.type_name_starts.contains(&span.start)
        };
        spans.into_iter().find(|span| !seen(span))
    }

    fn refuse_cast(&self, node: TypeVar, data_type: &DataType, at: Range<usize>) -> Box<Refusal> {
        let (name, dimensions) = element_type(data_type);
        let word = name.map(last);
        let oid = named_oid(data_type, word.as_deref());
        let target = match oid::name(oid) {
            Some(name) => name.to_owned(),
            None => word.unwrap_or_else(|| "this type".to_owned()),
        };
        let shown = match self.types.shape(node) {
            Shape::Id(id) => Some(id.shown),
            _ => None,
        };
        let is_number = matches!(
            oid,
            oid::INT2
                | oid::INT4
                | oid::INT8
                | oid::NUMERIC
                | oid::FLOAT4
                | oid::FLOAT8
                | oid::BOOL
        );
        let of_json = is_number && matches!(self.types.shape(node), Shape::Json(_, oid::JSONB));
        // Of a type that nobody knows there may be any casts.
        let may_be_there = dimensions > 0 || oid == 0 || of_json;
        if may_be_there || self.types.has_tag(node) || is_cast_outside(shown, oid) {
            let message = format!("pgveil can't encrypt an id that is cast to {target}");
            let hint = match shown {
                Some(shown) => format!(
                    "Leave the cast out: the client receives the id as {}.",
                    with_article(shown)
                ),
                None => "Leave the cast out.".to_owned(),
            };
            return Box::new(
                Refusal::unsupported(Code::Expression, message)
                    .at(at)
                    .hint(hint),
            );
        }
        let source = self
            .describe_node(node)
            .unwrap_or_else(|| "uuid".to_owned());
        let message = format!("cannot cast type {source} to {target}");
        Box::new(Refusal::new(Code::UuidType, "42846", message).at(at))
    }
}

/// `a uuid`, `an integer`
fn with_article(shown: KeyType) -> String {
    let name = shown.name();
    match shown {
        KeyType::Int4 => format!("an {name}"),
        KeyType::Text => name.to_owned(),
        _ => format!("a {name}"),
    }
}

/// Whether Postgres has a cast from the type that an id is shown as; every type has one to text.
fn is_cast_outside(shown: Option<KeyType>, oid: u32) -> bool {
    if oid::is_string(oid) {
        return true;
    }
    match shown {
        // Text is cast by reading it.
        Some(shown) if shown.is_text() => true,
        // Everything but uuid, bytea, dates and times, and JSON.
        Some(shown) if shown.is_integer() => !matches!(
            oid,
            UUID | oid::BYTEA
                | oid::DATE
                | oid::TIME
                | oid::TIMESTAMP
                | oid::TIMESTAMPTZ
                | oid::INTERVAL
                | oid::TIMETZ
                | oid::JSON
                | oid::JSONB
                | oid::XML
        ),
        _ => false,
    }
}

pub(super) fn unnested(mut expr: &Expr) -> &Expr {
    while let Expr::Nested(inner) = expr {
        expr = inner;
    }
    expr
}

/// The place of the literal or parameter that is cast, once or many times in a row: looking without
/// an end would take the square of the time for a row as long as a statement.
fn behind_casts(mut expr: &Expr) -> Option<Range<usize>> {
    for _ in 0..64 {
        match unnested(expr) {
            Expr::Cast { expr: inner, .. } => expr = inner,
            value @ Expr::Value(_) => return Some(span_of(value)),
            _ => return None,
        }
    }
    None
}

fn is_literal(expr: &Expr) -> bool {
    matches!(unnested(expr), Expr::Value(value) if is_string(&value.value))
}

/// The only place of a value that is an array of text by a cast or as the client declares it.
pub(super) fn text_array_leaf(expr: &Expr) -> Option<Range<usize>> {
    match expr {
        Expr::Nested(inner) => text_array_leaf(inner),
        Expr::Cast {
            expr, data_type, ..
        } => {
            let is_text =
                matches!(data_type, DataType::Array(_)) && is_text_name(innermost(data_type));
            text_array_leaf(expr).filter(|_| is_text)
        }
        Expr::Value(value) => Some(range(value.span)),
        _ => None,
    }
}
