//! Functions by their signatures: values of `regprocedure`, and what tells of any object of the
//! database. Where functions are declared, such a value is read from the signature that clients see
//! of them and becomes text as it. As itself it may be compared and given to functions that take the
//! oid; what would show it otherwise is refused, for the server would write what is stored.

use std::ops::Range;

use sqlparser::ast::{
    DataType, Expr, Function, FunctionArg, FunctionArgExpr, FunctionArguments, Spanned,
    Value as SqlValue,
};

use crate::pg::functions::{Builtin, Effect, Told};
use crate::pg::oid;
use crate::sql::parse::{is_string, range, string_value};
use crate::sql::refusal::{Code, Refusal};
use crate::sql::types::{Shape, TEXT, TypeVar};

use super::callee::Callee;
use super::cast::unnested;
use super::column_name::last;
use super::signatures::{
    Missing, around_description, around_procedure, around_shown_procedure, tells_signatures,
};
use super::span::span_of;
use super::tag::text;
use super::type_name::{element_type, named_oid};
use super::{Binder, Check};

/// Types whose values are oids of functions, or become such without being read.
const OIDS: [u32; 6] = [
    oid::OID,
    oid::REGPROC,
    oid::REGPROCEDURE,
    oid::INT2,
    oid::INT4,
    oid::INT8,
];

/// Functions that take an oid beside those whose names begin with `pg_` or `has_`.
const TAKE_OIDS: [&str; 4] = ["count", "max", "min", "obj_description"];

impl Binder<'_> {
    /// Whether signatures of functions are something else for clients, in what is read now.
    fn tells_procedures(&self) -> bool {
        tells_signatures(self.context.snapshot) && !self.is_stored()
    }

    /// A cast of a value, which has been walked, to a function by its signature or from one; `None`
    /// for other casts.
    pub(super) fn cast_procedure(
        &mut self,
        inner: &Expr,
        node: TypeVar,
        data_type: &DataType,
    ) -> Check<Option<TypeVar>> {
        let is_hidden = self.hides_catalogs && tells_signatures(self.context.snapshot);
        if !self.tells_procedures() && !is_hidden {
            return Ok(None);
        }
        let (name, dimensions) = element_type(data_type);
        let word = name.map(last);
        let to = named_oid(data_type, word.as_deref());
        if is_hidden {
            return match to {
                oid::REGPROCEDURE => Err(self.shown_signature(span_of(inner))),
                _ => Ok(None),
            };
        }
        match (to, dimensions) {
            (oid::REGPROCEDURE, 0) => self.cast_to_procedure(inner, node).map(Some),
            (oid::REGPROCEDURE, _) => Err(self.shown_signature(span_of(inner))),
            (to, 0) if self.is_procedure(node) && !OIDS.contains(&to) => {
                self.write_procedure(inner)?;
                Ok(Some(self.types.native(to)))
            }
            _ if self.is_procedure(node) => Ok(None),
            _ => self.shows_no_signature(node, inner).map(|()| None),
        }
    }

    /// The value that a text names.
    fn cast_to_procedure(&mut self, inner: &Expr, node: TypeVar) -> Check<TypeVar> {
        self.retold = true;
        let value = match unnested(inner) {
            Expr::Value(value) => Some(&value.value),
            _ => None,
        };
        let is_null = matches!(value, Some(SqlValue::Null));
        let is_other = value.is_some_and(|value| self.is_of_others(value));
        if is_other {
            self.types.resolve_plain(node);
            return Ok(self.types.native(0));
        }
        let shape = self.types.shape(node);
        let is_oid = shape.native_oid().is_some_and(|oid| OIDS.contains(&oid));
        if is_oid || is_null || matches!(value, Some(SqlValue::Number(..))) {
            self.types.resolve_plain(node);
            return Ok(self.types.native(oid::REGPROCEDURE));
        }
        let is_untyped = matches!(shape, Shape::Unknown) && !value.is_none_or(is_string);
        let extent = self.extent_of_operation(inner);
        let extent = extent.filter(|extent| !is_untyped && self.is_cast_behind(extent));
        let Some(extent) = extent else {
            return Err(self.unread_signature(span_of(inner)));
        };
        let native = self.types.native(TEXT);
        match shape {
            Shape::Unknown => drop(self.types.unify(node, native)),
            _ => self.types.resolve_plain(node),
        }
        self.surround(
            &extent,
            around_procedure(Missing::Fails, self.context.snapshot),
        );
        Ok(self.types.native(oid::REGPROCEDURE))
    }

    /// Whether a literal can't be the signature of a function of which another is told.
    fn is_of_others(&self, literal: &SqlValue) -> bool {
        let functions = self.context.snapshot.functions();
        let written = string_value(literal).map(str::to_lowercase);
        written.is_some_and(|text| {
            let mut names = functions.names_shown_otherwise();
            !names.any(|name| text.contains(&name.to_lowercase()))
        })
    }

    /// Whether the type of a cast stands behind the value, as it does not in `regprocedure '…'`.
    fn is_cast_behind(&self, value: &Range<usize>) -> bool {
        let behind = self.tokens_from(value.end).iter();
        let mut behind = behind.map(|token| self.written(&token.span));
        let sign = behind.find(|sign| *sign != ")");
        sign.is_some_and(|sign| sign == "::" || sign.eq_ignore_ascii_case("as"))
    }

    /// Writes a value that is cast to something that is no oid as the client sees it.
    fn write_procedure(&mut self, inner: &Expr) -> Check<()> {
        self.retold = true;
        let Some(extent) = self.extent_of_operation(inner) else {
            return Err(self.shown_signature(span_of(inner)));
        };
        self.surround(&extent, around_shown_procedure(self.context.snapshot));
        Ok(())
    }

    /// Puts texts around an expression, also in a statement that is only explained.
    fn surround(&mut self, extent: &Range<usize>, [open, close]: [String; 2]) {
        self.types.spend(open.len() / BYTES_A_STEP);
        self.keeping_tags(|binder| binder.enclose(extent, vec![text(&open)], vec![text(&close)]));
    }

    /// Puts it around a call that tells of a function by its oid, or finds it by its signature.
    pub(super) fn retell_procedure(&mut self, name: &str, function: &Function) -> Check<()> {
        if !self.tells_procedures() {
            return Ok(());
        }
        self.retold = true;
        let snapshot = self.context.snapshot;
        let around = match name {
            "to_regprocedure" => Some(around_procedure(Missing::Null, snapshot)),
            "pg_describe_object" => Some(around_description(snapshot)),
            "has_function_privilege" => {
                self.retell_privilege(function);
                return Ok(());
            }
            _ => None,
        };
        let place = range(function.name.span());
        let (Some(around), Some(call)) = (around, self.extent_of_call(function)) else {
            return Err(self.unread_signature(place));
        };
        let open = self.tokens_from(place.end).first();
        let Some(open) = open.map(|token| token.span.end) else {
            return Err(self.unread_signature(place));
        };
        self.put_around_arguments(call, open, around);
        Ok(())
    }

    /// The function among the arguments, which are a role, the function and the privilege: another
    /// value than a literal is an oid, or text by which it is not found.
    fn retell_privilege(&mut self, function: &Function) {
        let FunctionArguments::List(list) = &function.args else {
            return;
        };
        let named = list.args.iter().rev().nth(1);
        if let Some(FunctionArg::Unnamed(FunctionArgExpr::Expr(Expr::Value(value)))) = named
            && is_string(&value.value)
            && !self.is_of_others(&value.value)
        {
            let [open, close] = around_procedure(Missing::Fails, self.context.snapshot);
            let close = format!("{close}::pg_catalog.oid");
            self.surround(&range(value.span), [open, close]);
        }
    }

    /// Whether a value is a function by its signature.
    fn is_procedure(&self, node: TypeVar) -> bool {
        matches!(self.types.shape(node), Shape::Plain(oid::REGPROCEDURE))
    }

    /// Whether such a value is in another.
    pub(in crate::sql) fn has_procedure(&self, node: TypeVar) -> bool {
        self.types.step()
            && match self.types.shape(node) {
                Shape::Plain(oid) => oid == oid::REGPROCEDURE,
                Shape::Array(element) => self.has_procedure(element),
                Shape::Record(fields) => fields.iter().any(|field| self.has_procedure(*field)),
                _ => false,
            }
    }

    /// Refuses a value that would be shown with such a one in it.
    fn shows_no_signature(&self, node: TypeVar, expr: &Expr) -> Check<()> {
        match self.has_procedure(node) {
            true => Err(self.shown_signature(span_of(expr))),
            false => Ok(()),
        }
    }

    /// Refuses such values as operands of what would write them.
    pub(in crate::sql) fn writes_no_signature(
        &self,
        nodes: &[TypeVar],
        at: Range<usize>,
    ) -> Check<()> {
        let is_shown =
            self.tells_procedures() && nodes.iter().any(|node| self.has_procedure(*node));
        match is_shown {
            true => Err(self.shown_signature(at)),
            false => Ok(()),
        }
    }

    /// Refuses such values as arguments of a function that may write them.
    pub(super) fn takes_signatures(
        &self,
        callee: &Callee<'_>,
        nodes: &[TypeVar],
        at: Range<usize>,
    ) -> Check<()> {
        let name = callee.name;
        let takes_oids =
            name.starts_with("pg_") || name.starts_with("has_") || TAKE_OIDS.contains(&name);
        match takes_oids {
            true => Ok(()),
            false => self.writes_no_signature(nodes, at),
        }
    }

    /// The refusal of what would show a signature as it is stored.
    pub(in crate::sql) fn shown_signature(&self, at: Range<usize>) -> Box<Refusal> {
        let message = "a function is shown by its signature, which clients see otherwise";
        Refusal::unsupported(Code::Unsupported, message)
            .hint(
                "Cast it to text (f::regprocedure::text) or to oid: with `[policy] catalog = \"ids\"` \
                 pgveil writes the signature as it is seen outside.",
            )
            .at(at)
            .into()
    }

    /// The refusal of what looks for a function in a way that is not read.
    fn unread_signature(&self, at: Range<usize>) -> Box<Refusal> {
        let message = "pgveil can't say of which function this is the signature";
        Refusal::unsupported(Code::Unsupported, message)
            .hint(
                "Name the function as a text: 'f(uuid)'::regprocedure, to_regprocedure($1), \
                 pg_describe_object(…). `[policy] catalog = \"ids\"` asks for signatures as they are \
                 seen outside.",
            )
            .at(at)
            .into()
    }
}

/// Whether a function finds or tells a function by its signature.
pub(super) fn tells_procedure(builtin: Option<&Builtin>) -> bool {
    builtin.is_some_and(|builtin| builtin.effect == Effect::Tells(Told::Procedure))
}

/// So much of a subquery is written in one step of the analysis.
const BYTES_A_STEP: usize = 32;
