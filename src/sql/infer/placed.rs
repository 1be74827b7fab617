//! Keys that a statement puts into documents of the database:
//! `jsonb_set(body, '{owner}', to_jsonb(owner_id))`. What a call builds of keys has tags in it, for
//! it may go to the client. Where it goes into a document that has such keys at the same places,
//! the keys go there as they are, and the call is the one that the client has written.

use std::ops::Range;

use sqlparser::ast::{
    Expr, Function, FunctionArguments, GroupByExpr, SelectItem, SetExpr, Spanned, Value as SqlValue,
};

use crate::catalog::KeyType;
use crate::pg::functions::{Build, Rule};
use crate::sql::parse::range;
use crate::sql::plan::JsonKind;
use crate::sql::types::{JSON, JSONB, Kind, Leaf, Place, Shape, Step, TypeVar};

use super::cast::unnested;
use super::document::{argument_exprs, constant, name_of};
use super::tag::text;
use super::{Binder, TagPart};

/// What is known of an argument of a call that builds JSON, if keys are in any.
#[derive(Debug, Clone)]
pub(super) enum JsonArgument {
    /// A key, and which of the tags are around it.
    Key(TypeVar, Range<usize>),
    /// Something else with tags in it.
    Tagged,
    Clean,
}

/// A key that goes into a document.
struct Placed {
    id: TypeVar,
    /// The tags that go.
    tags: Range<usize>,
    written: JsonKind,
}

impl Binder<'_> {
    /// Puts what a call builds into a document of the database, at a place. `None`, and nothing is
    /// changed, if keys would come to stand where the document has none of their kind, other values
    /// where it has keys, or anything else in it has tags.
    pub(super) fn place_keys(
        &mut self,
        (expr, place): (&Expr, Place),
        into: TypeVar,
    ) -> Option<()> {
        let mut found = Vec::new();
        let tagged = self.keys_of(expr, place, &mut found)?;
        if tagged {
            return None;
        }
        for Placed { id, tags, written } in found {
            let close = match written {
                JsonKind::String => ")::pg_catalog.text",
                JsonKind::Number => ")",
            };
            for tag in self.tags.get_mut(tags).unwrap_or_default() {
                tag.with = match tag.with {
                    TagPart::Open { .. } => text("("),
                    _ => text(close),
                };
                tag.kept = true;
            }
            self.types.flows_into(id, into);
        }
        Some(())
    }

    /// Joins what a call builds to a document, if nothing else in it has tags: members to an object,
    /// to an array its elements or one of them.
    pub(super) fn joins_keys(&mut self, place: Place, expr: &Expr, into: TypeVar) -> Option<()> {
        let built = self.json_built_by(only_value(expr).unwrap_or(expr))?;
        let place = match (self.types.kind(place), built) {
            (Kind::Object, (_, Build::Members))
            | (Kind::Array, (_, Build::Elements | Build::Element)) => place,
            (Kind::Array, _) => self.types.part(place, &Step::Element),
            _ => return None,
        };
        self.place_keys((expr, place), into)
    }

    /// Whether a value that is stored becomes, at a node, a document with keys and no tags.
    pub(super) fn stores_keys(
        &mut self,
        node: TypeVar,
        wanted: TypeVar,
        expr: Option<&Expr>,
    ) -> bool {
        match (self.types.shape(wanted), expr) {
            (Shape::Json(place, JSON | JSONB), Some(expr)) if self.types.has_tag(node) => {
                self.place_keys((expr, place), wanted).is_some()
            }
            _ => false,
        }
    }

    /// What an expression that is a call builds JSON by.
    fn json_built_by<'e>(&self, expr: &'e Expr) -> Option<(&'e Function, Build)> {
        let Expr::Function(function) = unnested(expr) else {
            return None;
        };
        let callee = self.callee(&function.name).ok()?;
        match callee.only_builtin()?.rule? {
            Rule::Json(_, build) => Some((function, build)),
            _ => None,
        }
    }

    /// The values that one is, which of them no matter.
    fn branches_of<'e>(&self, expr: &'e Expr) -> Option<Vec<&'e Expr>> {
        match unnested(expr) {
            Expr::Case {
                conditions,
                else_result,
                ..
            } => {
                let results = conditions.iter().map(|branch| &branch.result);
                Some(results.chain(else_result.as_deref()).collect())
            }
            Expr::Function(function) => {
                let rule = self.callee(&function.name).ok()?.only_builtin()?.rule;
                (rule == Some(Rule::First)).then(|| argument_exprs(function))?
            }
            _ => None,
        }
    }

    /// Looks for the keys in what a call builds. Gives whether there are tags that must stay.
    fn keys_of(&mut self, expr: &Expr, place: Place, found: &mut Vec<Placed>) -> Option<bool> {
        if let Some(branches) = self.branches_of(expr) {
            let mut tagged = false;
            let of_key = self.types.kind(place) == Kind::Key;
            for branch in branches {
                tagged |= !is_empty(branch, of_key) && self.keys_of(branch, place, found)?;
            }
            return Some(tagged);
        }
        if let Some(only) = only_value(expr) {
            return self.keys_of(only, place, found);
        }
        let (function, build) = self.json_built_by(expr)?;
        let exprs = argument_exprs(function)?;
        let start = range(function.name.span()).start;
        let known = self.json_arguments.get(&start).cloned()?;
        // An array could be spread over the arguments; values of which each is taken once are
        // sorted, and text sorts unlike ids.
        if known.len() != exprs.len() || self.spreads(function) || takes_each_once(function) {
            return None;
        }
        let mut arguments = exprs.into_iter().zip(known);
        match build {
            Build::Whole => {
                let (argument, None) = (arguments.next()?, arguments.next()) else {
                    return None;
                };
                self.key_at_place(argument, Some(place), found)
            }
            Build::Elements | Build::Element if self.types.kind(place) == Kind::Array => {
                let part = self.part_of_place(place, &Step::Element);
                let mut tagged = false;
                for argument in arguments {
                    tagged |= self.key_at_place(argument, part, found)?;
                }
                Some(tagged)
            }
            Build::Members if self.types.kind(place) == Kind::Object => {
                let mut tagged = false;
                while let Some((name, is)) = arguments.next() {
                    let step = Step::Member(name_of(name)?);
                    let part = self.part_of_place(place, &step);
                    tagged |= matches!(is, JsonArgument::Tagged);
                    tagged |= self.key_at_place(arguments.next()?, part, found)?;
                }
                Some(tagged)
            }
            _ => None,
        }
    }

    fn part_of_place(&mut self, place: Place, step: &Step) -> Option<Place> {
        let leads_on = self.types.leads_on(place, step);
        leads_on.then(|| self.types.part(place, step))
    }

    /// A value that comes to stand at a place, if the document has one there.
    fn key_at_place(
        &mut self,
        (expr, is): (&Expr, JsonArgument),
        place: Option<Place>,
        found: &mut Vec<Placed>,
    ) -> Option<bool> {
        let kind = place.map_or(Kind::Clean, |place| self.types.kind(place));
        match (kind, is) {
            (Kind::Clean, is) => Some(!matches!(is, JsonArgument::Clean)),
            _ if is_null(expr) => Some(false),
            (Kind::Key, JsonArgument::Key(id, tags)) => {
                let leaf = self.types.known(place?)?.leaf?;
                let written = leaf.written;
                let placed = Placed { id, tags, written };
                self.is_kept_as(id, leaf).then(|| found.push(placed))?;
                Some(false)
            }
            (Kind::Object | Kind::Array, _) => self.keys_of(expr, place?, found),
            _ => None,
        }
    }

    /// Whether an id is shown in JSON as the key would be shown that stands in a document.
    fn is_kept_as(&self, node: TypeVar, leaf: Leaf) -> bool {
        let Shape::Id(id) = self.types.shape(node) else {
            return false;
        };
        let are_alike = id.key_type.is_like(leaf.id.key_type)
            || id.key_type.is_integer() && leaf.id.key_type.is_integer();
        let is_number = leaf.written == JsonKind::Number && leaf.id.shown.is_integer();
        id.domain == leaf.id.domain
            && are_alike
            && id.key_type != KeyType::Bytea
            && id.shown.is_integer() == is_number
            // Of text in a document that is no key comes NULL, and of that no document.
            && self.types.leaf(node).is_none()
    }
}

/// Whether a constant is no value, or JSON in which there is none; beside a key only `null` is shown.
fn is_empty(expr: &Expr, of_key: bool) -> bool {
    let is_json = |json: String| match json.trim() {
        "null" => true,
        "{}" | "[]" => !of_key,
        _ => false,
    };
    is_null(expr) || constant(expr).is_some_and(is_json)
}

/// The only value of a query in brackets that does nothing else with it.
fn only_value(expr: &Expr) -> Option<&Expr> {
    let Expr::Subquery(query) = unnested(expr) else {
        return None;
    };
    let SetExpr::Select(select) = &*query.body else {
        return None;
    };
    let groups = match &select.group_by {
        GroupByExpr::Expressions(exprs, _) => !exprs.is_empty(),
        GroupByExpr::All(_) => true,
    };
    let is_alone = query.order_by.is_none() && select.distinct.is_none() && !groups;
    match select.projection.as_slice() {
        [SelectItem::UnnamedExpr(expr)] if is_alone => Some(expr),
        _ => None,
    }
}

fn takes_each_once(function: &Function) -> bool {
    matches!(&function.args, FunctionArguments::List(list) if list.duplicate_treatment.is_some())
}

fn is_null(expr: &Expr) -> bool {
    matches!(unnested(expr), Expr::Value(value) if value.value == SqlValue::Null)
}
