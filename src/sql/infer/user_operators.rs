//! Operators that the user has defined over Postgres's own types. Where the search path has them in
//! front of Postgres's, or their types fit better, a statement means them by the same names: an `=`
//! may add. What is known of operators is known of Postgres's own.

use crate::catalog::{KeyType, Oid};
use crate::sql::refusal::{Code, Refusal};
use crate::sql::types::{JSON, JSONB, Shape, TypeVar};

use super::span::At;
use super::{Binder, Check};

/// `record`.
use crate::pg::oid::RECORD;

/// `any`, `anyarray`, `anyelement`, `anynonarray`, `anycompatible`, `anycompatiblearray` and
/// `anycompatiblenonarray`: whatever stands there fits.
const POLYMORPHIC: [u32; 7] = [2276, 2277, 2283, 2776, 5077, 5078, 5079];

impl Binder<'_> {
    /// Refuses an operator over keys, or over what is built of them, if it may be another one than
    /// Postgres's.
    pub(super) fn check_user_operator(
        &self,
        (a, b): (TypeVar, TypeVar),
        word: &str,
        at: At<'_>,
    ) -> Check<()> {
        let redefined = self.context.snapshot.functions().redefined(word);
        let takes_keys = |types: &(Oid, Oid)| {
            self.may_take_keys(*types) && self.may_become(a, types.0) && self.may_become(b, types.1)
        };
        if !redefined.iter().any(takes_keys) || !(self.types.has_id(a) || self.types.has_id(b)) {
            return Ok(());
        }
        let message =
            format!("operator {word} is defined by the user and its result may hold a key");
        let refusal = Refusal::unsupported(Code::Function, message).at(self.place(at));
        Err(Box::new(refusal.hint(
            "Give the operator another name, or its arguments a type of their own.",
        )))
    }

    /// Whether Postgres could give a value to an operator that takes this type: keys, arrays of them and
    /// documents are cast to few others unasked, an integer to wider ones only.
    fn may_become(&self, node: TypeVar, side: Oid) -> bool {
        if POLYMORPHIC.contains(&side.0) {
            return true;
        }
        let shape = self.types.shape(node);
        let (key_type, is_array) = match shape {
            Shape::Id(id) => (id.key_type, false),
            Shape::Array(element) => match self.types.shape(element) {
                Shape::Id(id) => (id.key_type, true),
                _ => return true,
            },
            Shape::Json(_, oid @ (JSON | JSONB)) => return side.0 == oid,
            _ => return true,
        };
        match KeyType::from_oid(side.0) {
            Some((of, array)) if array == is_array => {
                of.is_like(key_type) && (!of.is_integer() || of.joined(key_type) == of)
            }
            Some(_) => false,
            None => true,
        }
    }

    /// Whether an operator over these types could be meant where keys, arrays of them, or text and
    /// documents that they are built into, stand on a side. What both sides are is known to agree.
    fn may_take_keys(&self, (left, right): (Oid, Oid)) -> bool {
        if [left, right]
            .iter()
            .any(|side| POLYMORPHIC.contains(&side.0))
        {
            return true;
        }
        let element = |side: Oid| match KeyType::from_oid(side.0) {
            Some((key_type, _)) => key_type.oid(),
            None => side.0,
        };
        let built = |side: u32| {
            matches!(side, JSON | JSONB | RECORD)
                || KeyType::from_oid(side).is_some_and(|(key_type, _)| key_type.is_text())
        };
        let (a, b) = (element(left), element(right));
        a == b
            && (built(a)
                || self.context.snapshot.may_hold_keys(Oid(a)) && KeyType::from_oid(a).is_some())
    }
}
