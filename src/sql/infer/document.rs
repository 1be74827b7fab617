//! Documents of the database on their way through operators and functions: where a document goes
//! in whose keys have known places, one comes out whose keys have known places. What does anything
//! else with such a document is refused where it is met.

use std::ops::Range;

use sqlparser::ast::{
    DataType, Expr, Function, FunctionArg, FunctionArgExpr, FunctionArgOperator, FunctionArguments,
    ObjectName, Spanned, Value as SqlValue,
};

use crate::catalog::KeyType;
use crate::pg::functions::{Build, Builtin, Document, Rule};
use crate::sql::normalize::string_of;
use crate::sql::parse::{range, string_value};
use crate::sql::plan::JsonKind;
use crate::sql::types::{BOOL, Id, JSON, JSONB, Kind, Leaf, Place, Shape, Step, TEXT, TypeVar};

use super::cast::unnested;
use super::column_name::last;
use super::dml::stored_in;
use super::json::{is_number, keeps_text, names};
use super::span::{end_of, span_of};
use super::tag::text;
use super::target::Target;
use super::{Binder, Check};

impl Binder<'_> {
    /// A document with keys in it, of type `json` or `jsonb`.
    fn document_of(&self, node: TypeVar) -> Option<(Place, u32)> {
        match self.types.shape(node) {
            Shape::Json(place, oid @ (JSON | JSONB)) if self.types.has_id(node) => {
                let known = self.types.known(place)?;
                known.declared.then_some((place, oid))
            }
            _ => None,
        }
    }

    /// Whether it is such a document.
    pub(super) fn is_document(&self, node: TypeVar) -> bool {
        self.document_of(node).is_some()
    }

    /// Whether no name in a document of the database is an id.
    pub(super) fn names_are_clean(&self, node: TypeVar) -> bool {
        let place = self.document_of(node).map(|(place, _)| place);
        place.is_some_and(|place| !self.types.place_has_tag(place))
    }

    /// An operator over a document of the database whose result has its keys where the document
    /// has them, or none.
    pub(super) fn document_operator(
        &mut self,
        (a, left): (TypeVar, &Expr),
        word: &str,
        (b, right): (TypeVar, &Expr),
    ) -> Option<TypeVar> {
        if word == "||" {
            let found = match (self.document_of(a), self.document_of(b)) {
                (Some((place, JSONB)), _) => self.joined_document(place, (b, right)),
                (None, Some((place, JSONB))) => self.joined_document(place, (a, left)),
                _ => None,
            };
            if found.is_some() {
                self.note_joined((a, left), (b, right));
            }
            return found;
        }
        let (place, JSONB) = self.document_of(a)? else {
            return None;
        };
        if word == "?"
            && let Some(found) = self.has_key_element(place, (b, right))
        {
            return Some(found);
        }
        if self.types.has_id(b) {
            return None;
        }
        let of_members = matches!(self.types.kind(place), Kind::Object | Kind::Clean);
        let result = match word {
            // The elements of an array are named by their texts.
            "-" if of_members || is_number_literal(right) => Shape::Json(place, JSONB),
            "#-" if names(right).is_some() => Shape::Json(place, JSONB),
            "?" | "?|" | "?&" if of_members && !self.types.place_has_tag(place) => {
                Shape::Plain(BOOL)
            }
            _ => return None,
        };
        if self.types.kind(place) == Kind::Key {
            return None;
        }
        self.types.resolve_plain(b);
        Some(self.types.node(result))
    }

    /// Takes down the literals and parameters that are a side of `document || other`, or may be.
    fn note_joined(&mut self, (a, left): (TypeVar, &Expr), (b, right): (TypeVar, &Expr)) {
        let extents = (
            self.extent_of_operation(left),
            self.extent_of_operation(right),
        );
        let (Some(left), Some(right)) = extents else {
            return;
        };
        let heads = [self.types.head(a), self.types.head(b)];
        self.types.spend(self.occurrences.len());
        let values = self.occurrences.iter();
        let values = values.filter(|value| (left.start..right.end).contains(&value.span.start));
        let values = values.filter(|value| heads.contains(&self.types.head(value.node)));
        let starts: Vec<usize> = values.map(|value| value.span.start).collect();
        self.joined.extend(starts);
    }

    /// `document ? id`: whether an id is one of the strings in an array of them.
    fn has_key_element(&mut self, place: Place, (b, right): (TypeVar, &Expr)) -> Option<TypeVar> {
        if self.types.kind(place) != Kind::Array || self.types.in_definition {
            return None;
        }
        let element = self.types.part(place, &Step::Element);
        let leaf = self.types.known(element)?.leaf?;
        if leaf.written != JsonKind::String {
            return None;
        }
        let extent = self.extent_of_operation(right)?;
        let shown = KeyType::Text;
        let id = self.types.node(Shape::Id(Id { shown, ..leaf.id }));
        self.types.compare(b, id).ok()?;
        self.enclose(&extent, vec![text("(")], vec![text(")::pg_catalog.text")]);
        Some(self.types.native(BOOL))
    }

    /// `document || other`: the other has its keys in the same places, or none in any of them.
    fn joined_document(
        &mut self,
        place: Place,
        (other, expr): (TypeVar, &Expr),
    ) -> Option<TypeVar> {
        let kind = self.types.kind(place);
        if matches!(kind, Kind::Key | Kind::Any) {
            return None;
        }
        let result = self.types.node(Shape::Json(place, JSONB));
        match self.types.shape(other) {
            Shape::Unknown | Shape::Json(_, JSONB) => {
                self.types.unify(other, result).ok()?;
                Some(result)
            }
            Shape::Plain(JSONB) | Shape::Tagged(JSONB)
                if self.joins_keys(place, expr, result).is_some() =>
            {
                Some(result)
            }
            Shape::Plain(JSONB) | Shape::Tagged(JSONB) => {
                let tagged = self.types.has_tag(other);
                let built = self.built_members(expr)?;
                let members = || built.iter().map(|name| Step::Member(name.clone()));
                // In an array with keys the object would be an element.
                let known = self.types.known(place)?;
                let mut parts = known.parts.iter();
                let meets = |(step, part): &(Step, Place)| {
                    let named = *step == Step::Other || members().any(|name| name == *step);
                    named && self.types.place_has_key(*part)
                };
                if kind == Kind::Array || parts.any(meets) {
                    return None;
                }
                if !tagged {
                    return Some(result);
                }
                let parts = self.types.known(place)?.parts.clone();
                let both = self.types.built(parts, true);
                Some(self.types.node(Shape::Json(both, JSONB)))
            }
            _ => None,
        }
    }

    /// A call that carries a document of the database, or changes a part of it.
    pub(super) fn document_call(
        &mut self,
        function: &Function,
        builtin: &Builtin,
        args: &[TypeVar],
    ) -> Option<TypeVar> {
        let first = args.first()?;
        let does = builtin.document.map(|(document, _)| document);
        let alone = args.len() == 1;
        if alone
            && does == Some(Document::Pretty)
            && self.types.shape(*first) == Shape::Tagged(JSONB)
        {
            return Some(self.types.tagged_as(*first, TEXT));
        }
        let (place, oid) = self.document_of(*first)?;
        let shape = match (does, builtin.rule) {
            (Some(Document::Changed), _) if oid == JSONB => {
                let exprs = argument_exprs(function)?;
                return self.with_part(place, (&exprs, args));
            }
            _ if !alone => return None,
            (Some(Document::Pretty), _) => Shape::Json(place, TEXT),
            (Some(Document::Keys), _) if self.names_are_clean(*first) => Shape::Plain(TEXT),
            (_, Some(Rule::Json(oid, Build::Whole | Build::Stripped))) => Shape::Json(place, oid),
            (_, Some(Rule::Size(result))) => {
                if result == TEXT {
                    self.typed_as_shown(place, function, oid)?;
                }
                Shape::Plain(result)
            }
            _ => return None,
        };
        Some(self.types.node(shape))
    }

    /// Lets `jsonb_typeof` tell the type that an id in a document is shown as, and null where no key can
    /// be.
    fn typed_as_shown(&mut self, place: Place, function: &Function, oid: u32) -> Option<()> {
        let Some(Leaf { id, .. }) = self.types.known(place).and_then(|known| known.leaf) else {
            return Some(());
        };
        if self.types.in_definition {
            return Some(());
        }
        let number = if id.shown.is_integer() { "0" } else { "\"\"" };
        let (json, word) = match oid {
            JSONB => ("jsonb", "jsonb_typeof"),
            _ => ("json", "json_typeof"),
        };
        let argument = self.argument_extents(function)?.first()?.clone();
        let of_each = format!(
            "{{\"number\":{number},\"string\":\"\",\"boolean\":false,\"object\":null,\"array\":null,\"null\":null}}"
        );
        let open =
            format!("('{of_each}'::pg_catalog.{json} OPERATOR(pg_catalog.->) pg_catalog.{word}(");
        self.keeping_tags(|binder| binder.enclose(&argument, vec![text(&open)], vec![text("))")]));
        Some(())
    }

    /// `jsonb_set(document, path, value)`: the value has its keys where the document has them below
    /// the path.
    fn with_part(
        &mut self,
        place: Place,
        (exprs, args): (&[&Expr], &[TypeVar]),
    ) -> Option<TypeVar> {
        let ([_, path, ..], [_, path_node, value, rest @ ..]) = (exprs, args) else {
            return None;
        };
        let part = self.part_at(place, &names(path)?)?;
        let result = self.types.node(Shape::Json(place, JSONB));
        if rest.iter().any(|arg| self.types.has_id(*arg)) {
            return None;
        }
        self.settle_all(rest);
        self.types.resolve_plain(*path_node);
        // The keys of another document go nowhere.
        let is_built =
            matches!(self.types.shape(*value), Shape::Plain(JSONB)) || self.types.has_tag(*value);
        match part {
            Some(part) if is_built && self.place_keys((exprs.get(2)?, part), result).is_some() => {}
            Some(part) if self.types.place_has_id(part) => {
                let wanted = self.types.node(Shape::Json(part, JSONB));
                if !matches!(
                    self.types.shape(*value),
                    Shape::Unknown | Shape::Json(_, JSONB)
                ) {
                    return None;
                }
                self.types.unify(*value, wanted).ok()?;
                self.types.flows_into(wanted, result);
            }
            _ if self.types.has_id(*value) => return None,
            _ => self.types.resolve_plain(*value),
        }
        Some(result)
    }

    /// The place that a path leads to. Without a place no keys are there, whatever the value on
    /// the way is; `None` if that can't be told.
    fn part_at(&mut self, place: Place, names: &[String]) -> Option<Option<Place>> {
        let mut place = place;
        for name in names {
            let step = match (self.types.kind(place), is_number(name)) {
                // Of an empty object the same step would make a member.
                (Kind::Array | Kind::Any, true) => return None,
                _ => Step::Member(name.clone()),
            };
            if !self.types.leads_on(place, &step) {
                return Some(None);
            }
            place = self.types.part(place, &step);
        }
        Some(Some(place))
    }

    /// `SET document['name'] = value`, if keys are in the document. Whether it is one.
    pub(super) fn assigned_part(
        &mut self,
        name: &ObjectName,
        value: &Expr,
        target: &Target,
    ) -> Check<bool> {
        let column = target.relation.column(&last(name)).cloned();
        let Some(column) = column.filter(|column| !column.json.is_empty()) else {
            return Ok(false);
        };
        let Some(names) = self.subscripts(range(name.span()).end) else {
            return Ok(false);
        };
        let at = span_of(value);
        let document = self.column_node(&target.relation, &column, &at)?;
        let Some((place, JSONB)) = self.document_of(document) else {
            return Ok(false);
        };
        let node = self.expr(value)?;
        let part = match self.part_at(place, &names) {
            Some(Some(part)) if self.types.place_has_id(part) => Shape::Json(part, JSONB),
            Some(_) => Shape::Plain(JSONB),
            None => return Ok(false),
        };
        let wanted = self.types.node(part);
        let stored = stored_in(self.context.snapshot, &target.relation, &column);
        if self.stores_keys(node, wanted, Some(value)) {
            self.types.store(wanted, &stored);
            return Ok(true);
        }
        self.assign(node, (wanted, &column), &stored, Some(value))?;
        Ok(true)
    }

    /// The subscripts behind a name, if there are any and all are strings.
    fn subscripts(&self, from: usize) -> Option<Vec<String>> {
        let mut tokens = self.tokens_from(from).iter();
        let mut names = Vec::new();
        loop {
            let open = tokens.next()?;
            if open.written(self.text) != "[" {
                return (!names.is_empty()).then_some(names);
            }
            names.push(string_of(tokens.next()?)?.to_owned());
            let close = tokens.next()?;
            if close.written(self.text) != "]" {
                return None;
            }
        }
    }

    /// A document that a call builds of others: its parts are where the call puts them.
    pub(super) fn build_document(
        &mut self,
        function: &Function,
        (oid, build): (u32, Build),
        args: &[TypeVar],
    ) -> Option<TypeVar> {
        if !args.iter().any(|arg| self.has_document(*arg)) {
            return None;
        }
        let exprs = argument_exprs(function)?;
        let extents = self.argument_extents(function)?;
        if extents.len() != args.len() || self.spreads(function) {
            return None;
        }
        let places: Vec<Place> = (args.iter())
            .map(|arg| self.value_at(*arg))
            .collect::<Option<_>>()?;
        let parts = match (build, places.as_slice()) {
            (Build::Whole | Build::Array, [document]) => {
                return Some(self.types.node(Shape::Json(*document, oid)));
            }
            (Build::Element, [element]) => vec![(Step::Element, *element)],
            (Build::Member, [_, member]) => {
                if self.types.has_id(*args.first()?) && self.tagged(*args.first()?).is_none() {
                    return None;
                }
                vec![(Step::Other, *member)]
            }
            (Build::Elements, elements) => self.one_element(elements)?,
            (Build::Members, pairs) => self.members_of(&exprs, pairs)?,
            _ => return None,
        };
        let tagged = args.iter().any(|arg| self.types.has_tag(*arg));
        let place = self.types.built(parts, tagged);
        self.types.build_of(place, args);
        Some(self.types.node(Shape::Json(place, oid)))
    }

    /// Whether the elements of an array are arguments of a call.
    pub(super) fn spreads(&self, function: &Function) -> bool {
        let is_spread = |extent: &Range<usize>| {
            let first = self.tokens_from(extent.start).first();
            first.is_none_or(|token| token.keyword() == Some("variadic"))
        };
        let extents = self.argument_extents(function);
        extents.is_none_or(|extents| extents.iter().any(is_spread))
    }

    /// The names of the members that `jsonb_build_object` makes, if all are constants.
    fn built_members(&self, expr: &Expr) -> Option<Vec<String>> {
        let Expr::Function(function) = unnested(expr) else {
            return None;
        };
        let callee = self.callee(&function.name).ok()?;
        let Some(Rule::Json(JSONB, Build::Members)) = callee.only_builtin()?.rule else {
            return None;
        };
        let exprs = argument_exprs(function)?;
        exprs.iter().step_by(2).map(|name| name_of(name)).collect()
    }

    fn has_document(&self, node: TypeVar) -> bool {
        match self.types.shape(node) {
            Shape::Array(element) => self.has_document(element),
            _ => self.document_of(node).is_some(),
        }
    }

    /// The place of a value that goes into a document; a value without keys has none in it.
    fn value_at(&mut self, node: TypeVar) -> Option<Place> {
        match self.types.shape(node) {
            Shape::Json(place, JSON | JSONB) if self.document_of(node).is_some() => Some(place),
            Shape::Tagged(_) => Some(self.types.built(Vec::new(), true)),
            Shape::Array(element) if self.has_document(element) => {
                let element = self.value_at(element)?;
                Some(self.types.built(vec![(Step::Element, element)], false))
            }
            Shape::Array(_) if self.tagged(node).is_some() => {
                Some(self.types.built(Vec::new(), true))
            }
            _ if self.types.has_id(node) => None,
            _ => {
                self.types.resolve_plain(node);
                Some(self.types.built(Vec::new(), false))
            }
        }
    }

    /// An array of several values: only one of them may say where keys are.
    fn one_element(&mut self, elements: &[Place]) -> Option<Vec<(Step, Place)>> {
        match elements {
            [element] => Some(vec![(Step::Element, *element)]),
            _ => None,
        }
    }

    /// The members of `json_build_object`, by name.
    fn members_of(&mut self, exprs: &[&Expr], places: &[Place]) -> Option<Vec<(Step, Place)>> {
        if let ([_, _], [_, member]) = (exprs, places)
            && name_of(exprs.first()?).is_none()
        {
            return Some(vec![(Step::Other, *member)]);
        }
        let mut parts: Vec<(Step, Place)> = Vec::new();
        for (name, pair) in exprs.chunks(2).zip(places.chunks(2)) {
            let (Some(name), [_, place]) = (name_of(name.first()?), pair) else {
                return None;
            };
            let step = Step::Member(name);
            if parts.iter().any(|(known, _)| *known == step) {
                return None;
            }
            parts.push((step, *place));
        }
        Some(parts)
    }

    /// A cast of a document of the database to text.
    pub(super) fn cast_document(
        &mut self,
        (node, place): (TypeVar, Place),
        inner: &Expr,
        data_type: &DataType,
    ) -> Option<TypeVar> {
        if !self.types.known(place)?.declared || !self.types.place_has_id(place) {
            return None;
        }
        let target = self.cast_target(|| end_of(inner), data_type)?;
        let is_text = matches!(target.key_type, KeyType::Text | KeyType::Varchar);
        if !is_text || target.array || target.length.is_some() {
            return None;
        }
        Some(self.document_as((node, place), target.key_type.oid()))
    }

    /// Makes the node of a document as another type: where that is stored, the document is.
    pub(super) fn document_as(&mut self, (node, place): (TypeVar, Place), oid: u32) -> TypeVar {
        let cast = self.types.node(Shape::Json(place, oid));
        self.types.flows_into(node, cast);
        cast
    }
}

fn is_number_literal(expr: &Expr) -> bool {
    let Expr::Value(value) = unnested(expr) else {
        return false;
    };
    matches!(value.value, SqlValue::Number(..))
}

/// The arguments of a call, names and values of members one after the other, if none is named.
pub(super) fn argument_exprs(function: &Function) -> Option<Vec<&Expr>> {
    let FunctionArguments::List(list) = &function.args else {
        return None;
    };
    let mut exprs = Vec::new();
    for arg in &list.args {
        match arg {
            FunctionArg::Unnamed(FunctionArgExpr::Expr(expr)) => exprs.push(expr),
            FunctionArg::ExprNamed {
                name,
                arg: FunctionArgExpr::Expr(expr),
                operator: FunctionArgOperator::Colon | FunctionArgOperator::Value,
            } => exprs.extend([name, expr]),
            _ => return None,
        }
    }
    Some(exprs)
}

/// Whether the arguments of a call are names and values of members: `json_object('id': id)`.
pub(super) fn has_pairs(function: &Function) -> bool {
    let FunctionArguments::List(list) = &function.args else {
        return false;
    };
    let is_pair = |arg: &FunctionArg| {
        matches!(
            arg,
            FunctionArg::ExprNamed {
                operator: FunctionArgOperator::Colon | FunctionArgOperator::Value,
                ..
            }
        )
    };
    !list.args.is_empty() && list.args.iter().all(is_pair)
}

/// The name of a member, if it is a constant.
pub(super) fn name_of(expr: &Expr) -> Option<String> {
    match unnested(expr) {
        Expr::Value(value) => string_value(&value.value).map(str::to_owned),
        Expr::Cast {
            expr, data_type, ..
        } if keeps_text(data_type) => name_of(expr),
        _ => None,
    }
}

/// The text of a constant, before any cast.
pub(super) fn constant(expr: &Expr) -> Option<String> {
    match unnested(expr) {
        Expr::Value(value) => string_value(&value.value).map(str::to_owned),
        Expr::Cast { expr, .. } => constant(expr),
        _ => None,
    }
}
