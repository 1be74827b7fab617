//! Expressions.

use crate::pg::oid;
use sqlparser::ast::{AccessExpr, CaseWhen, Expr};

use crate::sql::lineage::LineageTrace;
use crate::sql::parse::range;
use crate::sql::plan::TargetColumn;
use crate::sql::refusal::{Code, Refusal};
use crate::sql::types::{BOOL, INT4, Shape, TEXT, TypeVar};

use super::span::{At, span_of};
use super::subscript::consecutive;
use super::{Binder, Check};

impl Binder<'_> {
    /// The type of an expression.
    pub(in crate::sql) fn expr(&mut self, expr: &Expr) -> Check<TypeVar> {
        if let Some(compared) = self.compare_text_column(expr)? {
            return Ok(compared);
        }
        match self.context.trace {
            None => self.nested(|binder| binder.expr_here(expr)),
            Some(trace) => self.traced(trace, expr),
        }
    }

    fn traced(&mut self, trace: &LineageTrace, expr: &Expr) -> Check<TypeVar> {
        trace.open();
        let found = self.nested(|binder| binder.expr_here(expr));
        let parts = trace.close();
        match found {
            Ok(node) => Ok(self.came_about(trace, expr, node, &parts)),
            Err(refusal) => {
                if !self.reads_definition() {
                    trace.blame(&parts);
                }
                Err(refusal)
            }
        }
    }

    #[expect(clippy::too_many_lines, reason = "one arm per kind of expression")]
    pub(super) fn expr_here(&mut self, expr: &Expr) -> Check<TypeVar> {
        match expr {
            Expr::Identifier(ident) => {
                let node = self.identifier(ident)?;
                Ok(self.uncollated(node, expr))
            }
            Expr::CompoundIdentifier(idents) => {
                let node = self.compound(idents)?;
                Ok(self.uncollated(node, expr))
            }
            Expr::Value(value) => self.value(&value.value, range(value.span)),
            Expr::Nested(inner) => self.expr(inner),
            Expr::Cast {
                kind,
                expr,
                data_type,
                ..
            } => self.cast(kind, expr, data_type),
            Expr::Function(function) => self.function(function),
            Expr::BinaryOp { left, op, right } => self.binary(left, op, right),
            Expr::UnaryOp { op, expr } => self.unary(op, expr),
            Expr::IsNull(inner) | Expr::IsNotNull(inner) => {
                if !self.is_polymorphic(inner) {
                    self.expr(inner)?;
                }
                Ok(self.types.native(BOOL))
            }
            Expr::IsDistinctFrom(a, b) | Expr::IsNotDistinctFrom(a, b) => {
                self.comparison(a, b, "IS DISTINCT FROM")
            }
            Expr::InList {
                expr,
                list,
                negated,
            } => {
                if let Some(result) = self.polymorphic_list(expr, list, *negated)? {
                    return Ok(result);
                }
                if self.ids_in_case(expr, list)? {
                    return Ok(self.types.native(BOOL));
                }
                let left = self.expr(expr)?;
                let at = At::Behind(expr);
                let before = self.occurrences.len();
                for item in list {
                    let right = self.expr(item)?;
                    self.compare_exprs((left, expr), "=", (right, item), at)?;
                }
                self.explain_in(expr, *negated, list, before);
                Ok(self.types.native(BOOL))
            }
            Expr::InSubquery {
                expr,
                subquery,
                negated,
            } => {
                if !negated && let Some(result) = self.polymorphic_subquery(expr, subquery)? {
                    return Ok(result);
                }
                self.in_subquery(expr, "=", subquery)
            }
            Expr::Between {
                expr,
                low,
                high,
                negated,
            } => {
                self.between((expr, *negated), (low, high))?;
                Ok(self.types.native(BOOL))
            }
            Expr::AnyOp {
                left,
                compare_op,
                right,
                ..
            } => self.quantified(left, compare_op, right, "ANY"),
            Expr::AllOp {
                left,
                compare_op,
                right,
            } => self.quantified(left, compare_op, right, "ALL"),
            Expr::Case {
                operand,
                conditions,
                else_result,
                ..
            } => self.case(expr, operand.as_deref(), conditions, else_result.as_deref()),
            Expr::Exists { subquery, .. } => {
                self.open_query(subquery)?;
                Ok(self.types.native(BOOL))
            }
            Expr::Subquery(query) => {
                let outputs = self.query_of_values(query)?;
                match outputs.first() {
                    Some(output) if outputs.len() == 1 => Ok(output.node),
                    _ => Ok(self.record(outputs.iter().map(|output| output.node).collect())),
                }
            }
            Expr::Tuple(exprs) => {
                let nodes = exprs
                    .iter()
                    .map(|expr| self.expr(expr))
                    .collect::<Check<Vec<_>>>()?;
                Ok(self.record(nodes))
            }
            Expr::Array(array) => self.array(&array.elem),
            Expr::CompoundFieldAccess { root, access_chain } => self.access(root, access_chain),
            // The row as a value.
            Expr::QualifiedWildcard(name, _) => {
                let row = self.whole_row(name)?;
                match self.types.has_id(row) {
                    true => self.unsupported("this form of a row", span_of(expr)),
                    false => Ok(row),
                }
            }
            other => self.over_native(other),
        }
    }

    pub(super) fn record(&mut self, nodes: Vec<TypeVar>) -> TypeVar {
        self.types.node(Shape::Record(nodes.into()))
    }

    /// Expressions over values that can't be ids; the result is none either.
    #[expect(clippy::too_many_lines, reason = "one arm per kind of expression")]
    fn over_native(&mut self, expr: &Expr) -> Check<TypeVar> {
        let (oid, operands): (u32, Vec<&Expr>) = match expr {
            Expr::IsTrue(a)
            | Expr::IsNotTrue(a)
            | Expr::IsFalse(a)
            | Expr::IsNotFalse(a)
            | Expr::IsUnknown(a)
            | Expr::IsNotUnknown(a) => (BOOL, vec![a]),
            Expr::IsJson { expr, .. } | Expr::IsNormalized { expr, .. } => (BOOL, vec![expr]),
            Expr::Like {
                expr,
                pattern,
                escape_char,
                negated,
                any,
            } => {
                let operator = if *negated { "!~~" } else { "~~" };
                if *any {
                    return self.native_pattern(operator, expr, pattern, None);
                }
                let found = self.pattern(operator, expr, pattern, escape_char.as_deref())?;
                self.settle_alone(expr);
                self.settle_alone(pattern);
                return Ok(found);
            }
            Expr::ILike {
                expr,
                pattern,
                escape_char,
                negated,
                any,
            } => {
                let operator = if *negated { "!~~*" } else { "~~*" };
                if *any {
                    return self.native_pattern(operator, expr, pattern, None);
                }
                let found = self.pattern(operator, expr, pattern, escape_char.as_deref())?;
                self.settle_alone(expr);
                self.settle_alone(pattern);
                return Ok(found);
            }
            Expr::SimilarTo {
                expr,
                pattern,
                escape_char,
                negated,
            } => {
                let operator = if *negated { "!~" } else { "~" };
                let found = self.pattern(operator, expr, pattern, escape_char.as_deref())?;
                self.settle_alone(expr);
                self.settle_alone(pattern);
                return Ok(found);
            }
            Expr::AtTimeZone {
                timestamp,
                time_zone,
            } => (0, vec![timestamp, time_zone]),
            Expr::Extract { expr, .. } => (oid::NUMERIC, vec![expr]),
            Expr::Ceil { expr, .. } | Expr::Floor { expr, .. } => (0, vec![expr]),
            Expr::Position { expr, r#in } => (INT4, vec![expr, r#in]),
            Expr::Substring {
                expr,
                substring_from,
                substring_for,
                ..
            } => {
                let rest = substring_from
                    .iter()
                    .chain(substring_for)
                    .map(|expr| &**expr);
                (TEXT, std::iter::once(&**expr).chain(rest).collect())
            }
            Expr::Trim {
                expr,
                trim_what,
                trim_characters,
                ..
            } => {
                let rest = trim_what
                    .iter()
                    .map(|expr| &**expr)
                    .chain(trim_characters.iter().flatten());
                (TEXT, std::iter::once(&**expr).chain(rest).collect())
            }
            Expr::Overlay {
                expr,
                overlay_what,
                overlay_from,
                overlay_for,
            } => {
                let rest = overlay_for.iter().map(|expr| &**expr);
                (
                    TEXT,
                    [&**expr, overlay_what, overlay_from]
                        .into_iter()
                        .chain(rest)
                        .collect(),
                )
            }
            Expr::Collate { expr, .. } => (TEXT, vec![expr]),
            Expr::Interval(interval) => (oid::INTERVAL, vec![&interval.value]),
            Expr::TypedString(_) => (0, Vec::new()),
            _ => return self.unsupported("this expression", span_of(expr)),
        };
        for operand in &operands {
            self.native(operand)?;
        }
        let texts = match expr {
            Expr::Position { .. } => operands.len(),
            _ => usize::from(oid == TEXT),
        };
        for text in operands.into_iter().take(texts) {
            self.settle_alone(text);
        }
        Ok(self.types.native(oid))
    }

    /// An expression that must not hold a key.
    pub(super) fn native(&mut self, expr: &Expr) -> Check<TypeVar> {
        let node = self.expr(expr)?;
        if self.types.has_id(node) {
            let message = "pgveil can't encrypt the result of this expression over an id";
            let refusal = Refusal::unsupported(Code::Expression, message).at(span_of(expr));
            return Err(Box::new(refusal.hint(
                "Select the id as a column of its own, and compute the value in the application.",
            )));
        }
        self.types.resolve_plain(node);
        Ok(node)
    }

    fn array(&mut self, elements: &[Expr]) -> Check<TypeVar> {
        let before = self.occurrences.len();
        let mut values = elements
            .iter()
            .map(|element| Ok((self.expr(element)?, element)))
            .collect::<Check<Vec<_>>>()?;
        self.explain_array(elements, before);
        self.tag_branches(&mut values);
        let result = self.types.node(Shape::Unknown);
        for (node, element) in values {
            self.flow(node, result, element, |a, b| {
                format!("ARRAY types {b} and {a} cannot be matched")
            })?;
        }
        Ok(self.array_of(result))
    }

    /// What members are taken of: `(x.*).member` is one of the row as `(x).member` is.
    fn row_of_members(&mut self, root: &Expr, chain: &[AccessExpr]) -> Check<TypeVar> {
        let row = self.row_of_one(root, chain)?;
        self.takes_members(root);
        Ok(row)
    }

    fn row_of_one(&mut self, root: &Expr, chain: &[AccessExpr]) -> Check<TypeVar> {
        let is_one = matches!(
            chain.first(),
            Some(AccessExpr::Dot(Expr::Identifier(field))) if field.value != "*"
        );
        match root {
            Expr::Nested(inner) if is_one => match inner.as_ref() {
                Expr::QualifiedWildcard(name, _) => self.whole_row(name),
                _ => self.expr(root),
            },
            _ => self.expr(root),
        }
    }

    fn access(&mut self, root: &Expr, chain: &[AccessExpr]) -> Check<TypeVar> {
        let (mut node, chain) = match self.subscripted_column(root, chain) {
            Some((column, length)) => (column?, chain.get(length..).unwrap_or_default()),
            None => (self.row_of_members(root, chain)?, chain),
        };
        let mut rest = chain;
        while let [access, behind @ ..] = rest {
            rest = behind;
            match access {
                AccessExpr::Subscript(first) => {
                    let (subscripts, behind) = consecutive(first, behind);
                    rest = behind;
                    node = self.subscripted(node, &subscripts, root)?;
                }
                // `(row).*` gives an unknown number of columns.
                AccessExpr::Dot(Expr::Identifier(field)) if field.value == "*" => {
                    return self.unsupported("the members of a row", span_of(root));
                }
                AccessExpr::Dot(Expr::Identifier(field)) if self.types.has_id(node) => {
                    node = match self.member(node, field) {
                        Some(member) => member,
                        None => return self.unsupported("a member of a row", span_of(root)),
                    };
                }
                AccessExpr::Dot(field) if !self.types.has_id(node) => {
                    let called = match field {
                        Expr::Identifier(field) if self.member(node, field).is_none() => {
                            self.called_on(node, field, range(field.span).into())?
                        }
                        _ => None,
                    };
                    self.types.resolve_plain(node);
                    node = called.unwrap_or_else(|| self.types.native(0));
                }
                AccessExpr::Dot(_) => {
                    return self.unsupported("a member of a row", span_of(root));
                }
            }
        }
        Ok(node)
    }

    fn case(
        &mut self,
        whole: &Expr,
        operand: Option<&Expr>,
        conditions: &[CaseWhen],
        else_result: Option<&Expr>,
    ) -> Check<TypeVar> {
        let operand = operand
            .map(|expr| self.expr(expr).map(|node| (node, expr)))
            .transpose()?;
        let result = self.types.node(Shape::Unknown);
        let mut results = Vec::new();
        let mismatch = |a: &str, b: &str| format!("CASE types {b} and {a} cannot be matched");
        for branch in conditions {
            match operand {
                Some((node, expr)) => {
                    let value = self.expr(&branch.condition)?;
                    let at = At::Behind(expr);
                    self.compare_exprs((node, expr), "=", (value, &branch.condition), at)?;
                }
                None => self.condition(&branch.condition, "CASE/WHEN")?,
            }
            results.push((self.expr(&branch.result)?, &branch.result));
        }
        if let Some(expr) = else_result {
            results.push((self.expr(expr)?, expr));
        }
        if self.tell_whole_apart(whole, &mut results).is_none() {
            self.tag_branches(&mut results);
        }
        for (node, expr) in results {
            self.flow(node, result, expr, mismatch)?;
        }
        Ok(result)
    }

    /// A value that becomes part of `into`.
    pub(super) fn flow(
        &mut self,
        node: TypeVar,
        into: TypeVar,
        expr: &Expr,
        mismatch: impl Fn(&str, &str) -> String,
    ) -> Check<()> {
        self.types.unify(node, into).map_err(|clash| {
            self.clash(&clash, (node, into), span_of(expr), |a, b| {
                Refusal::new(Code::UuidType, "42804", mismatch(a, b))
            })
        })
    }

    /// A value that is stored in a column.
    pub(super) fn assign(
        &mut self,
        node: TypeVar,
        column: (TypeVar, &crate::catalog::Column),
        into: &TargetColumn,
        expr: Option<&Expr>,
    ) -> Check<()> {
        let at = expr.map_or(0..0, span_of);
        let name = &column.1.name;
        let is_text = oid::is_string(column.1.type_oid.0);
        if self.types.is_mixed(node) {
            let message = format!("pgveil can't store ids of several kinds in column \"{name}\"");
            let refusal = Refusal::unsupported(Code::MixedDomains, message).at(at);
            return Err(Box::new(refusal.hint("Store ids of one kind only.")));
        }
        if self.stores_keys(node, column.0, expr) {
            self.types.store(column.0, into);
            return Ok(());
        }
        let is_built = self.types.has_tag(node);
        let is_declared = column.1.holds_keys();
        if is_built || self.types.has_id(node) && is_text && !is_declared {
            let message = format!("pgveil can't store an id as text in column \"{name}\"");
            let refusal = Refusal::unsupported(Code::Expression, message).at(at);
            return Err(Box::new(refusal.hint(
                "Store it in a column of the key's type, with a foreign key.",
            )));
        }
        // Then it is that of the column.
        let shape = self.types.shape(node);
        self.types.unify(node, column.0).map_err(|clash| {
            if column.1.undecided {
                return Box::new(Refusal::undecided(name).at(at));
            }
            // Postgres turns whatever is stored in a column of text into text.
            let to_text = |shape: &Shape| matches!(shape, Shape::Id(id) if id.shown.is_text());
            if to_text(&self.types.shape(column.0)) {
                return self.mixed(&clash, at);
            }
            self.clash(&clash, (column.0, node), at, |wanted, given| {
                let message = format!(
                    "column \"{name}\" is of type {wanted} but expression is of type {given}"
                );
                Refusal::new(Code::UuidType, "42804", message)
                    .hint("You will need to rewrite or cast the expression.")
            })
        })?;
        if let Shape::Json(place, _) = shape {
            self.types.store_built(place, into);
        }
        self.types.store(node, into);
        Ok(())
    }
}
