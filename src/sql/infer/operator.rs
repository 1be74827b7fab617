//! Operators: comparisons, arrays, and everything that uuid refuses.

use std::ops::Range;

use sqlparser::ast::{BinaryOperator, Expr, Query, UnaryOperator, Value as SqlValue};

use crate::catalog::KeyType;
use crate::pg::oid;
use crate::sql::parse::range;
use crate::sql::plan::Bound;
use crate::sql::refusal::Refusal;
use crate::sql::types::{BOOL, Id, Shape, TEXT, TypeVar, may_be_text};

use super::call::uncomputable;
use super::ordered::bounds_of;
use super::span::{At, start_of};
use super::{Binder, Check};

/// The operators whose operands are text if they have no type.
const OF_TEXT: [&str; 6] = ["||", "~", "~*", "!~", "!~*", "^@"];

/// The operators that compare two values of one type.
const COMPARISONS: [&str; 7] = ["=", "<>", "!=", "<", "<=", ">", ">="];

impl Binder<'_> {
    pub(super) fn binary(
        &mut self,
        left: &Expr,
        op: &BinaryOperator,
        right: &Expr,
    ) -> Check<TypeVar> {
        let word = op.to_string();
        if matches!(op, BinaryOperator::And | BinaryOperator::Or) {
            return self.connective(left, op, right);
        }
        // `OPERATOR(pg_catalog.=)` binds otherwise, and means the same.
        match word.as_str() {
            "!=" => return self.comparison(left, right, "<>"),
            "=" | "<>" | "<" | "<=" | ">" | ">=" => return self.comparison(left, right, &word),
            _ => {}
        }
        if let Some(result) = self.id_like(&word, left, right, None)? {
            return Ok(result);
        }
        let (a, b) = (self.expr(left)?, self.expr(right)?);
        let at = At::Between(left, right);
        self.check_user_operator((a, b), &word, at)?;
        self.writes_no_signature(&[a, b], self.place(at))?;
        if let Some(part) = self.json_operator((a, left), &word, right) {
            self.types.resolve_plain(b);
            return Ok(part);
        }
        if !self.types.has_id(a) && !self.types.has_id(b) {
            if OF_TEXT.contains(&word.as_str()) && self.are_text(a, b) {
                self.settle_alone(left);
                self.settle_alone(right);
            }
            return self.native_operator(&word, a, b);
        }
        if let Some(document) = self.document_operator((a, left), &word, (b, right)) {
            return Ok(document);
        }
        if let Some(tagged) = self.tagged_operator((a, left), &word, (b, right)) {
            return Ok(tagged);
        }
        match (word.as_str(), self.types.shape(a), self.types.shape(b)) {
            ("@>" | "<@", Shape::Json(..), Shape::Json(..) | Shape::Unknown)
            | ("@>" | "<@", Shape::Unknown, Shape::Json(..)) => {
                self.compare_nodes((a, b), &word, at)?;
                Ok(self.types.native(BOOL))
            }
            ("@>" | "<@" | "&&", Shape::Array(_), _) | ("@>" | "<@" | "&&", _, Shape::Array(_)) => {
                self.compare_nodes((a, b), &word, at)?;
                Ok(self.types.native(BOOL))
            }
            // What stands beside ids of several kinds would have to be told apart from them.
            ("||", Shape::Array(_), _) | ("||", _, Shape::Array(_))
                if self.types.is_mixed(a) || self.types.is_mixed(b) =>
            {
                Err(self.shows("||", self.place(at)))
            }
            ("||", Shape::Array(element), ref other) if self.is_appended(element, b, other) => {
                self.flow(b, element, right, |a, b| {
                    format!("ARRAY types {b} and {a} cannot be matched")
                })?;
                Ok(a)
            }
            ("||", ref other, Shape::Array(element)) if self.is_appended(element, a, other) => {
                self.flow(a, element, left, |a, b| {
                    format!("ARRAY types {b} and {a} cannot be matched")
                })?;
                Ok(b)
            }
            ("||", Shape::Array(_), Shape::Array(_) | Shape::Unknown)
            | ("||", Shape::Unknown, Shape::Array(_)) => {
                self.flow(b, a, right, |a, b| {
                    format!("ARRAY types {b} and {a} cannot be matched")
                })?;
                Ok(a)
            }
            _ => Err(self.no_operator((a, b), &word, self.place(at))),
        }
    }

    /// Whether a value may become an element of an array: an id, or text where some of it has ids
    /// in it.
    fn is_appended(&self, element: TypeVar, value: TypeVar, shape: &Shape) -> bool {
        match shape {
            Shape::Id(_) | Shape::Typed(_) => true,
            Shape::Tagged(_) | Shape::Plain(_) => {
                self.types.has_tag(element) || self.types.has_tag(value)
            }
            _ => false,
        }
    }

    /// AND and OR. A chain of thousands leans to the left, so it is walked in a loop.
    fn connective(&mut self, left: &Expr, op: &BinaryOperator, right: &Expr) -> Check<TypeVar> {
        let mut operands = vec![(op, right)];
        let mut spine = left;
        while let Expr::BinaryOp {
            left,
            op: op @ (BinaryOperator::And | BinaryOperator::Or),
            right,
        } = spine
        {
            operands.push((op, right));
            spine = left;
        }
        let innermost = operands.last().map_or(op, |(op, _)| op);
        self.condition(spine, &innermost.to_string())?;
        for (op, operand) in operands.into_iter().rev() {
            self.condition(operand, &op.to_string())?;
        }
        Ok(self.types.native(BOOL))
    }

    /// An operator over values that hold no key. What it computes with stays native.
    /// Whether two operands are text as far as they have a type.
    fn are_text(&self, a: TypeVar, b: TypeVar) -> bool {
        let is_text = |node| match self.types.shape(node) {
            Shape::Unknown => true,
            Shape::Plain(of) => matches!(of, TEXT | oid::VARCHAR | oid::BPCHAR),
            Shape::Typed(of) => of.is_text(),
            _ => false,
        };
        is_text(a) && is_text(b)
    }

    fn native_operator(&mut self, word: &str, a: TypeVar, b: TypeVar) -> Check<TypeVar> {
        let (x, y) = (self.types.shape(a), self.types.shape(b));
        if word == "||" && (matches!(x, Shape::Array(_)) || matches!(y, Shape::Array(_))) {
            return Ok(self.native_append((a, x), (b, y)));
        }
        let oid = match (word, x.native_oid(), y.native_oid()) {
            ("+" | "-" | "*" | "/" | "%", Some(x), Some(y)) if x == y => x,
            ("+" | "-" | "*" | "/" | "%", Some(x), None) if matches!(y, Shape::Unknown) => x,
            ("+" | "-" | "*" | "/" | "%", None, Some(y)) if matches!(x, Shape::Unknown) => y,
            ("||" | "->>" | "#>>", ..) => TEXT,
            ("@>" | "<@" | "&&" | "~" | "~*" | "!~" | "!~*" | "?" | "?|" | "?&", ..) => BOOL,
            _ => 0,
        };
        self.types.resolve_plain(a);
        self.types.resolve_plain(b);
        Ok(self.types.native(oid))
    }

    /// An array and an element or another array, none of them known to hold ids so far: all
    /// elements are of one type.
    fn native_append(&mut self, (a, x): (TypeVar, Shape), (b, y): (TypeVar, Shape)) -> TypeVar {
        let (array, joined) = match (x, y) {
            (Shape::Array(element), Shape::Typed(_)) => (a, self.types.unify(b, element)),
            (Shape::Typed(_), Shape::Array(element)) => (b, self.types.unify(a, element)),
            (Shape::Array(element), Shape::Plain(_)) => {
                self.types.resolve_plain(element);
                (a, Ok(()))
            }
            (Shape::Plain(_), Shape::Array(element)) => {
                self.types.resolve_plain(element);
                (b, Ok(()))
            }
            (Shape::Array(_), _) => (a, self.types.unify(b, a)),
            _ => (b, self.types.unify(a, b)),
        };
        if joined.is_err() {
            self.types.resolve_plain(a);
            self.types.resolve_plain(b);
        }
        array
    }

    pub(super) fn unary(&mut self, op: &UnaryOperator, expr: &Expr) -> Check<TypeVar> {
        if matches!(op, UnaryOperator::Not) {
            self.condition(expr, "NOT")?;
            return Ok(self.types.native(BOOL));
        }
        let signed = matches!(op, UnaryOperator::Minus | UnaryOperator::Plus);
        if let (true, Expr::Value(value)) = (signed, expr)
            && let SqlValue::Number(digits, _) = &value.value
        {
            let sign = if matches!(op, UnaryOperator::Minus) {
                "-"
            } else {
                ""
            };
            let span = range(value.span);
            let span = self.token_before(span.start).start..span.end;
            return Ok(self.number(format!("{sign}{digits}"), span));
        }
        let node = self.expr(expr)?;
        let shape = self.types.shape(node);
        if self.types.has_id(node) {
            let at = self.token_before(start_of(expr));
            if matches!(shape, Shape::Id(Id { shown, .. }) if shown.is_integer()) {
                return Err(uncomputable(&op.to_string(), at));
            }
            let operand = self
                .describe_node(node)
                .unwrap_or_else(|| "uuid".to_owned());
            let refusal = Refusal::no_operator(&op.to_string(), None, &operand);
            return Err(Box::new(refusal.at(at)));
        }
        self.types.resolve_plain(node);
        Ok(self.types.native(shape.native_oid().unwrap_or(0)))
    }

    pub(super) fn comparison(&mut self, left: &Expr, right: &Expr, word: &str) -> Check<TypeVar> {
        if let Some(result) = self.polymorphic_comparison(left, right, word)? {
            return Ok(result);
        }
        if let Some(result) = self.id_in_case(word, left, right)? {
            return Ok(result);
        }
        let (a, b) = (self.expr(left)?, self.expr(right)?);
        let operator = if word == "IS DISTINCT FROM" {
            "="
        } else {
            word
        };
        let at = At::Between(left, right);
        if bounds_of(operator).is_some()
            && (self.is_id_as_text(left, a) || self.is_id_as_text(right, b))
        {
            return Err(self.shows(operator, self.place(at)));
        }
        self.compare_exprs((a, left), operator, (b, right), at)?;
        Ok(self.types.native(BOOL))
    }

    /// Whether an expression is an id that the statement casts to text. Its text has another order
    /// than its key.
    fn is_id_as_text(&self, expr: &Expr, node: TypeVar) -> bool {
        match expr {
            Expr::Nested(inner) => self.is_id_as_text(inner, node),
            Expr::Cast { .. } | Expr::BinaryOp { .. } => {
                matches!(self.types.shape(node), Shape::Id(id) if id.shown.is_text() && !id.key_type.is_text())
            }
            _ => false,
        }
    }

    pub(super) fn compare_nodes<'e>(
        &mut self,
        (a, b): (TypeVar, TypeVar),
        word: &str,
        at: impl Into<At<'e>>,
    ) -> Check<()> {
        self.compare_as((a, b), word, bounds_of(word), at.into())
    }

    /// Compares two values, for order if they bound a range.
    pub(super) fn compare_as(
        &mut self,
        (a, b): (TypeVar, TypeVar),
        word: &str,
        bounds: Option<[Bound; 2]>,
        at: At<'_>,
    ) -> Check<()> {
        self.check_user_operator((a, b), word, at)?;
        if self.types.has_tag(a) || self.types.has_tag(b) {
            return Err(self.shows(word, self.place(at)));
        }
        if bounds.is_some() {
            self.check_order(&[a, b], word, at)?;
        }
        self.types.compare(a, b).map_err(|clash| {
            self.clash(&clash, (a, b), self.place(at), |a, b| {
                Refusal::no_operator(word, Some(a), b)
            })
        })?;
        if COMPARISONS.contains(&word) {
            self.note_compared(a, b);
        }
        if let Some(bounds) = bounds {
            self.order([a, b].into_iter().zip(bounds));
            self.types.ranges(a);
            self.types.ranges(b);
        }
        Ok(())
    }

    pub(super) fn no_operator(
        &self,
        (a, b): (TypeVar, TypeVar),
        word: &str,
        at: Range<usize>,
    ) -> Box<Refusal> {
        if self.types.has_tag(a) || self.types.has_tag(b) {
            return self.shows(word, at);
        }
        let (x, y) = (self.types.shape(a), self.types.shape(b));
        if matches!(x, Shape::Json(..)) || matches!(y, Shape::Json(..)) {
            return self.shows(word, at);
        }
        if is_operator_outside(word, &x, &y) || is_operator_outside(word, &y, &x) {
            let of_uuid = |node| self.types.is_uuid_or_native(node);
            if of_uuid(a) && of_uuid(b) {
                return self.shows(word, at);
            }
            let written = self.text.get(at.clone()).unwrap_or(word);
            return uncomputable(&written.to_uppercase(), at);
        }
        match (self.describe(&x), self.describe(&y)) {
            (Some(a), Some(b)) => Box::new(Refusal::no_operator(word, Some(&a), &b).at(at)),
            _ => self.shows(word, at),
        }
    }

    pub(super) fn in_subquery(&mut self, expr: &Expr, word: &str, query: &Query) -> Check<TypeVar> {
        let left = self.expr(expr)?;
        let outputs = self.query_of_values(query)?;
        let right = match outputs.as_slice() {
            [single] => single.node,
            _ => self.record(outputs.iter().map(|output| output.node).collect()),
        };
        let at = At::EndOf(expr);
        self.compare_nodes((left, right), word, at)?;
        Ok(self.types.native(BOOL))
    }

    /// `left op ANY (right)`: right is an array or a subquery.
    pub(super) fn quantified(
        &mut self,
        left: &Expr,
        op: &BinaryOperator,
        right: &Expr,
        quantifier: &'static str,
    ) -> Check<TypeVar> {
        let word = op.to_string();
        let mut inner = right;
        while let Expr::Nested(nested) = inner {
            inner = nested;
        }
        if let Expr::Subquery(query) = inner {
            return self.in_subquery(left, &word, query);
        }
        if let Some(result) = self.polymorphic_array(left, &word, inner, quantifier)? {
            return Ok(result);
        }
        let (a, b) = (self.expr(left)?, self.expr(right)?);
        let at = At::Between(left, right);
        let is_comparison = COMPARISONS.contains(&word.as_str());
        match self.types.shape(b) {
            Shape::Array(element) if is_comparison => {
                self.compare_nodes((a, element), &word, at)?;
            }
            Shape::Unknown if is_comparison => {
                let element = self.types.node(Shape::Unknown);
                let array = self.types.node(Shape::Array(element));
                self.compare_nodes((a, element), &word, at)?;
                let _ = self.types.unify(b, array);
            }
            _ if !self.types.has_id(a) && !self.types.has_id(b) => {
                self.types.resolve_plain(a);
                self.types.resolve_plain(b);
            }
            _ => {
                let array = self.describe_node(b).unwrap_or_default();
                let left = self.describe_node(a).unwrap_or_default();
                return Err(match array.strip_suffix("[]") {
                    // An array that is computed: nobody knows of what.
                    Some(element) if element == left => self.shows(&word, self.place(at)),
                    Some(element) => Box::new(
                        Refusal::no_operator(&word, Some(&left), element).at(self.place(at)),
                    ),
                    None => self.no_operator((a, b), &word, self.place(at)),
                });
            }
        }
        Ok(self.types.native(BOOL))
    }
}

/// Whether an operator exists for the type that an id is shown as, beside another operand, so that
/// it would work if the column were of that type. Its result would show the key.
fn is_operator_outside(word: &str, id: &Shape, other: &Shape) -> bool {
    let Shape::Id(Id { shown, .. }) = id else {
        return false;
    };
    let other = match other {
        Shape::Unknown => 0,
        Shape::Array(_) | Shape::Record(_) | Shape::Hidden => return false,
        scalar => scalar.outside_oid(),
    };
    // Whatever is joined with text becomes text.
    if word == "||" && (shown.is_text() || may_be_text(other)) {
        return true;
    }
    match shown {
        KeyType::Int2 | KeyType::Int4 | KeyType::Int8 => {
            matches!(
                word,
                "+" | "-" | "*" | "/" | "%" | "^" | "&" | "|" | "#" | "<<" | ">>"
            )
        }
        KeyType::Text | KeyType::Varchar | KeyType::Bpchar => may_be_text(other),
        KeyType::Bytea => matches!(word, "||" | "~~" | "!~~") && matches!(other, 0 | oid::BYTEA),
        KeyType::Uuid => false,
    }
}
