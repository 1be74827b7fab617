//! Aggregates over sorted groups: `mode`, `percentile_disc` and the ranks that a value would have,
//! `WITHIN GROUP (ORDER BY …)` of keys with ids in them. Over anything else they are calls as any.

use sqlparser::ast::Function;

use crate::pg::functions::Rule;
use crate::pg::oid;
use crate::sql::plan::Bound;
use crate::sql::refusal::{Code, Refusal};
use crate::sql::types::{Shape, TypeVar};

use super::callee::Callee;
use super::span::At;
use super::{Binder, Check};

/// The types that a fraction is written as.
const FRACTIONS: [u32; 6] = [
    oid::INT2,
    oid::INT4,
    oid::INT8,
    oid::FLOAT4,
    oid::FLOAT8,
    oid::NUMERIC,
];

impl Binder<'_> {
    /// The result of a call over a sorted group; `None` if no id is sorted.
    pub(super) fn over_sorted(
        &mut self,
        function: &Function,
        callee: &Callee<'_>,
        arguments: &[TypeVar],
    ) -> Check<Option<TypeVar>> {
        let mut keys = Vec::with_capacity(function.within_group.len());
        for key in &function.within_group {
            keys.push(self.expr(&key.expr)?);
        }
        if !keys.iter().any(|key| self.types.has_id(*key)) {
            self.settle_all(&keys);
            return Ok(None);
        }
        let at = At::Call(function);
        let (name, rule) = (callee.name, callee.rule());
        let is_plain =
            |node: &TypeVar| !self.types.has_tag(*node) && self.types.is_hidden(*node).is_none();
        let ranks = arguments.len() == keys.len() && rule != Some(Rule::Percentile);
        if !keys.iter().all(|key| self.sorts_as_keys(*key))
            || ranks && keys.iter().any(|key| self.has_id_as_text(*key))
        {
            return Err(self.shows(name, self.place(at)));
        }
        if callee.is_own || !keys.iter().chain(arguments).all(is_plain) {
            return Err(self.shows(name, self.place(at)));
        }
        match (rule, arguments, keys.as_slice()) {
            (Some(Rule::Mode), [], [key]) => Ok(Some(*key)),
            (Some(Rule::Percentile), [fraction], [key]) => {
                let result = match self.types.shape(*fraction) {
                    Shape::Array(each) if self.is_fraction(each) => {
                        let element = self.chosen(*key);
                        self.types.node(Shape::Array(element))
                    }
                    _ if self.is_fraction(*fraction) => self.chosen(*key),
                    _ => return Err(self.shows(name, self.place(at))),
                };
                self.types.resolve_plain(*fraction);
                Ok(Some(result))
            }
            (Some(Rule::Rank(oid)), ..) if arguments.len() == keys.len() => {
                self.check_order(&keys, name, at)?;
                self.check_order(arguments, name, at)?;
                for (argument, key) in arguments.iter().zip(&keys) {
                    self.placed(*argument, *key, at)?;
                }
                Ok(Some(self.types.native(oid)))
            }
            _ => {
                let all: Vec<TypeVar> = arguments.iter().chain(&keys).copied().collect();
                Err(self.no_function(name, &all, at))
            }
        }
    }

    fn is_fraction(&self, node: TypeVar) -> bool {
        let oid = self.types.shape(node).native_oid();
        oid.is_some_and(|oid| FRACTIONS.contains(&oid))
    }

    /// A value that is looked for among the sorted ones.
    fn placed(&mut self, argument: TypeVar, key: TypeVar, at: At<'_>) -> Check<()> {
        self.types.compare(argument, key).map_err(|clash| {
            self.clash(&clash, (key, argument), self.place(at), |key, argument| {
                let message = format!("WITHIN GROUP types {key} and {argument} cannot be matched");
                Refusal::new(Code::UuidType, "42804", message)
            })
        })?;
        self.order([(argument, Bound::First), (key, Bound::First)]);
        Ok(())
    }
}
