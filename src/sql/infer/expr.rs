//! Expressions.

use std::ops::Range;

use sqlparser::ast::{
    AccessExpr, ArrayElemTypeDef, BinaryOperator, CaseWhen, DataType, Expr, Ident, ObjectName,
    Query, Spanned, Subscript, UnaryOperator, Value as SqlValue,
};

use crate::sql::parse::{range, string_value};
use crate::sql::plan::Stored;
use crate::sql::refusal::{Code, Refusal};
use crate::sql::scope::{self, Found};
use crate::sql::types::{BOOL, INT4, Node, Shape, TEXT, UUID, UUID_ARRAY, type_oid};

use super::call::literal_oid;
use super::name::last;
use super::{Binder, Check, Occurrence, UuidName, Value};

impl Binder<'_> {
    /// The type of an expression.
    pub(in crate::sql) fn expr(&mut self, expr: &Expr) -> Check<Node> {
        self.nested(|binder| binder.expr_here(expr))
    }

    fn expr_here(&mut self, expr: &Expr) -> Check<Node> {
        match expr {
            Expr::Identifier(ident) => self.identifier(ident),
            Expr::CompoundIdentifier(idents) => self.compound(idents),
            Expr::Value(value) => self.value(&value.value, range(value.span)),
            Expr::Nested(inner) => self.expr(inner),
            Expr::Cast {
                expr, data_type, ..
            } => self.cast(expr, data_type),
            Expr::Function(function) => self.function(function),
            Expr::BinaryOp { left, op, right } => self.binary(left, op, right),
            Expr::UnaryOp { op, expr } => self.unary(op, expr),
            Expr::IsNull(inner) | Expr::IsNotNull(inner) => {
                self.expr(inner)?;
                Ok(self.types.native(BOOL))
            }
            Expr::IsDistinctFrom(a, b) | Expr::IsNotDistinctFrom(a, b) => {
                self.comparison(a, b, "IS DISTINCT FROM")
            }
            Expr::InList { expr, list, .. } => {
                let left = self.expr(expr)?;
                for item in list {
                    let right = self.expr(item)?;
                    let at = self.between_exprs(expr, item);
                    self.compare_nodes((left, right), "=", at)?;
                }
                Ok(self.types.native(BOOL))
            }
            Expr::InSubquery { expr, subquery, .. } => self.in_subquery(expr, "=", subquery),
            Expr::Between {
                expr,
                low,
                high,
                negated,
            } => {
                let node = self.expr(expr)?;
                for (bound, op) in [
                    (low, if *negated { "<" } else { ">=" }),
                    (high, if *negated { ">" } else { "<=" }),
                ] {
                    let right = self.expr(bound)?;
                    self.compare_nodes((node, right), op, self.between_exprs(expr, bound))?;
                }
                Ok(self.types.native(BOOL))
            }
            Expr::AnyOp {
                left,
                compare_op,
                right,
                ..
            }
            | Expr::AllOp {
                left,
                compare_op,
                right,
            } => self.quantified(left, compare_op, right),
            Expr::Case {
                operand,
                conditions,
                else_result,
                ..
            } => self.case(operand.as_deref(), conditions, else_result.as_deref()),
            Expr::Exists { subquery, .. } => {
                self.query(subquery)?;
                Ok(self.types.native(BOOL))
            }
            Expr::Subquery(query) => {
                let outputs = self.query(query)?;
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
            other => self.over_native(other),
        }
    }

    fn record(&mut self, nodes: Vec<Node>) -> Node {
        self.types.node(Shape::Record(nodes))
    }

    /// Expressions over values that can't be ids; the result is none either.
    fn over_native(&mut self, expr: &Expr) -> Check<Node> {
        let at = range(expr.span());
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
                ..
            } => {
                let operator = if *negated { "!~~" } else { "~~" };
                return self.pattern(operator, expr, pattern, escape_char.as_deref());
            }
            Expr::ILike {
                expr,
                pattern,
                escape_char,
                negated,
                ..
            } => {
                let operator = if *negated { "!~~*" } else { "~~*" };
                return self.pattern(operator, expr, pattern, escape_char.as_deref());
            }
            Expr::SimilarTo {
                expr,
                pattern,
                escape_char,
                negated,
            } => {
                let operator = if *negated { "!~" } else { "~" };
                return self.pattern(operator, expr, pattern, escape_char.as_deref());
            }
            Expr::AtTimeZone {
                timestamp,
                time_zone,
            } => (0, vec![timestamp, time_zone]),
            Expr::Extract { expr, .. } => (1700, vec![expr]),
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
            Expr::Collate { expr, .. } => {
                let node = self.native(expr)?;
                return Ok(node);
            }
            Expr::Interval(interval) => (1186, vec![&interval.value]),
            Expr::TypedString(_) => (0, Vec::new()),
            _ => return self.unsupported("this expression", at),
        };
        for operand in operands {
            self.native(operand)?;
        }
        Ok(self.types.native(oid))
    }

    fn pattern(
        &mut self,
        operator: &str,
        expr: &Expr,
        pattern: &Expr,
        escape: Option<&Expr>,
    ) -> Check<Node> {
        let (left, right) = (self.expr(expr)?, self.expr(pattern)?);
        if self.types.has_id(left) || self.types.has_id(right) {
            return Err(self.no_operator(
                (left, right),
                operator,
                self.between_exprs(expr, pattern),
            ));
        }
        if let Some(escape) = escape {
            self.native(escape)?;
        }
        Ok(self.types.native(BOOL))
    }

    /// An expression that must not hold a key.
    pub(super) fn native(&mut self, expr: &Expr) -> Check<Node> {
        let node = self.expr(expr)?;
        if self.types.has_id(node) {
            let message = "pgveil can't encrypt the result of this expression over an id";
            let refusal = Refusal::unsupported(Code::Expression, message).at(range(expr.span()));
            return Err(Box::new(refusal.hint(
                "Select the id as a column of its own, and compute the value in the application.",
            )));
        }
        Ok(node)
    }

    fn identifier(&mut self, ident: &Ident) -> Check<Node> {
        let at = range(ident.span);
        let found = scope::unqualified(&self.scopes, &ident.value);
        self.found(found, &ident.value, None, at)
    }

    fn compound(&mut self, idents: &[Ident]) -> Check<Node> {
        let at = idents.first().map_or(0..0, |first| {
            range(first.span).start..range(idents.last().unwrap_or(first).span).end
        });
        let (schema, table, column) = match idents {
            [table, column] => (None, table, column),
            [schema, table, column] | [_, schema, table, column] => {
                (Some(schema.value.as_str()), table, column)
            }
            _ => return self.unsupported("this form of a column name", at),
        };
        let found = scope::qualified(&self.scopes, schema, &table.value, &column.value);
        self.found(found, &column.value, Some(&table.value), at)
    }

    fn found(
        &mut self,
        found: Found,
        name: &str,
        table: Option<&str>,
        at: Range<usize>,
    ) -> Check<Node> {
        match found {
            // A copy of a key's type: what is compared with one mention of a column does not flow
            // into another.
            Found::Column(node) => match self.types.shape(node) {
                shape @ (Shape::Id(_) | Shape::Native(_)) if self.types.stored(node).is_none() => {
                    Ok(self.types.node(shape))
                }
                _ => Ok(node),
            },
            Found::Open => {
                let types = &self.types;
                if table.is_none()
                    && scope::any_column(&self.scopes, name, |node| types.has_id(node))
                {
                    let message =
                        format!("pgveil can't tell which relation column {name:?} belongs to");
                    let refusal = Refusal::unsupported(Code::UnknownName, message).at(at);
                    return Err(Box::new(
                        refusal.hint("Write it with the name of its table."),
                    ));
                }
                Ok(self.types.native(0))
            }
            Found::Row(table) => {
                let fields: Vec<Node> = table.columns.iter().map(|column| column.node).collect();
                Ok(self.record(fields))
            }
            Found::Hidden { protected: true } => {
                let message =
                    format!("system column {name:?} tells the order in which rows were stored");
                let refusal = Refusal::unsupported(Code::Expression, message).at(at);
                Err(Box::new(refusal.hint("Use the primary key to name a row.")))
            }
            Found::Hidden { protected: false } => Ok(self.types.native(0)),
            Found::Nothing => {
                self.unknown_name.get_or_insert_with(|| name.to_owned());
                let message = match table {
                    Some(table) => format!("column {table}.{name} does not exist"),
                    None => format!("column \"{name}\" does not exist"),
                };
                Err(Box::new(
                    Refusal::new(Code::UnknownName, "42703", message).at(at),
                ))
            }
        }
    }

    fn value(&mut self, value: &SqlValue, span: Range<usize>) -> Check<Node> {
        if let Some(literal) = string_value(value) {
            let node = self.types.node(Shape::Unknown);
            let value = Value::Literal(literal.to_owned());
            self.occurrences.push(Occurrence { node, span, value });
            return Ok(node);
        }
        match value {
            SqlValue::Number(digits, _) => Ok(self.number(digits)),
            SqlValue::Null => Ok(self.types.node(Shape::Unknown)),
            SqlValue::Placeholder(name) => self.parameter(name, span),
            other => match literal_oid(other) {
                Some(oid) => Ok(self.types.native(oid)),
                None => self.unsupported("this kind of literal", span),
            },
        }
    }

    fn parameter(&mut self, name: &str, span: Range<usize>) -> Check<Node> {
        let number = name
            .strip_prefix('$')
            .and_then(|digits| digits.parse::<usize>().ok());
        // Postgres takes $1 to $65535.
        let Some(number @ 1..=65_535) = number else {
            let refusal = Refusal::new(
                Code::UuidType,
                "42P02",
                format!("there is no parameter {name}"),
            );
            return Err(Box::new(refusal.at(span)));
        };
        let shape = match self.context.declared.get(number - 1).copied() {
            None | Some(0 | 705) => Shape::Unknown,
            Some(UUID) => Shape::Uuid,
            Some(UUID_ARRAY) => Shape::Array(self.types.node(Shape::Uuid)),
            Some(oid) => Shape::Native(oid),
        };
        let node = self.types.node(shape);
        let value = Value::Parameter {
            index: number - 1,
            textual: false,
        };
        self.occurrences.push(Occurrence { node, span, value });
        Ok(node)
    }

    fn cast(&mut self, inner: &Expr, data_type: &DataType) -> Check<Node> {
        let first = self.occurrences.len();
        let node = self.expr(inner)?;
        let (name, dimensions) = element_type(data_type);
        let word = name.map(last);
        if word.as_deref() == Some("uuid") && name.is_some_and(is_plain_or_catalog) {
            let Some(span) = name.map(|name| range(name.span())) else {
                return self.unsupported("this cast", range(inner.span()));
            };
            let uuid = self.types.node(Shape::Uuid);
            self.uuid_names.push(UuidName {
                node: uuid,
                span,
                alias_at: None,
            });
            let target = if dimensions > 0 {
                self.types.node(Shape::Array(uuid))
            } else {
                uuid
            };
            return self.cast_to_uuid(node, target, first);
        }
        if self.types.has_id(node) {
            return Err(self.refuse_cast(node, word.as_deref(), dimensions, inner));
        }
        let oid = if dimensions > 0 {
            0
        } else {
            named_oid(data_type, word.as_deref())
        };
        let native = self.types.native(oid);
        if matches!(self.types.shape(node), Shape::Unknown) {
            let _ = self.types.same(node, native);
        }
        Ok(native)
    }

    fn cast_to_uuid(&mut self, node: Node, target: Node, first: usize) -> Check<Node> {
        match self.types.shape(node) {
            // `cast($1 as uuid)` with `$1` declared as text: its value is the text of an id.
            Shape::Native(TEXT | 1043 | 1042) => {
                let parameter = self
                    .occurrences
                    .get_mut(first..)
                    .and_then(|found| match found {
                        [occurrence] if occurrence.node == node => Some(occurrence),
                        _ => None,
                    });
                match parameter {
                    Some(occurrence) => {
                        if let Value::Parameter { textual, .. } = &mut occurrence.value {
                            *textual = true;
                        }
                        occurrence.node = target;
                        Ok(target)
                    }
                    None => Ok(self.types.native(UUID)),
                }
            }
            // Text that the statement computes, or a real uuid: never an id.
            Shape::Native(_) => Ok(self.types.native(UUID)),
            _ => {
                // A mismatch (an array cast to a scalar) is Postgres's to refuse.
                let _ = self.types.same(node, target);
                if self.types.has_id(node) {
                    Ok(node)
                } else {
                    Ok(target)
                }
            }
        }
    }

    fn refuse_cast(
        &self,
        node: Node,
        word: Option<&str>,
        dimensions: usize,
        inner: &Expr,
    ) -> Box<Refusal> {
        let at = range(inner.span());
        let target = word.unwrap_or("this type");
        if dimensions > 0
            || matches!(
                target,
                "text" | "varchar" | "bpchar" | "char" | "name" | "character varying"
            )
        {
            let message = format!("pgveil can't encrypt an id that is cast to {target}");
            return Box::new(
                Refusal::unsupported(Code::Expression, message)
                    .at(at)
                    .hint("Leave the cast out: the client receives the id as a uuid."),
            );
        }
        let source = self
            .describe_node(node)
            .unwrap_or_else(|| "uuid".to_owned());
        let name = crate::sql::types::type_name(type_oid(target)).unwrap_or(target);
        let message = format!("cannot cast type {source} to {name}");
        Box::new(Refusal::new(Code::UuidType, "42846", message).at(at))
    }

    fn array(&mut self, elements: &[Expr]) -> Check<Node> {
        let result = self.types.node(Shape::Unknown);
        for element in elements {
            let node = self.expr(element)?;
            // A nested constructor adds a dimension, which the type of an array doesn't show.
            let node = match (element, self.types.shape(node)) {
                (Expr::Array(_), Shape::Array(inner)) => inner,
                _ => node,
            };
            self.flow(node, result, element, |a, b| {
                format!("ARRAY types {b} and {a} cannot be matched")
            })?;
        }
        Ok(self.types.node(Shape::Array(result)))
    }

    fn access(&mut self, root: &Expr, chain: &[AccessExpr]) -> Check<Node> {
        let mut node = self.expr(root)?;
        for access in chain {
            match access {
                AccessExpr::Subscript(Subscript::Index { index }) => {
                    self.native_of(index, 0)?;
                    node = match self.types.shape(node) {
                        Shape::Array(element) => element,
                        Shape::Native(_) | Shape::Unknown => self.types.native(0),
                        _ => return self.unsupported("a subscript here", range(root.span())),
                    };
                }
                AccessExpr::Subscript(Subscript::Slice {
                    lower_bound,
                    upper_bound,
                    stride: None,
                }) => {
                    for bound in lower_bound.iter().chain(upper_bound) {
                        self.native_of(bound, INT4)?;
                    }
                }
                AccessExpr::Dot(_) if !self.types.has_id(node) => node = self.types.native(0),
                AccessExpr::Dot(_) | AccessExpr::Subscript(_) => {
                    return self.unsupported("a member of a row", range(root.span()));
                }
            }
        }
        Ok(node)
    }

    fn case(
        &mut self,
        operand: Option<&Expr>,
        conditions: &[CaseWhen],
        else_result: Option<&Expr>,
    ) -> Check<Node> {
        let operand = operand
            .map(|expr| self.expr(expr).map(|node| (node, expr)))
            .transpose()?;
        let result = self.types.node(Shape::Unknown);
        let mismatch = |a: &str, b: &str| format!("CASE types {b} and {a} cannot be matched");
        for branch in conditions {
            match operand {
                Some((node, expr)) => {
                    let value = self.expr(&branch.condition)?;
                    let at = self.between_exprs(expr, &branch.condition);
                    self.compare_nodes((node, value), "=", at)?;
                }
                None => self.condition(&branch.condition, "CASE/WHEN")?,
            }
            let node = self.expr(&branch.result)?;
            self.flow(node, result, &branch.result, mismatch)?;
        }
        if let Some(expr) = else_result {
            let node = self.expr(expr)?;
            self.flow(node, result, expr, mismatch)?;
        }
        Ok(result)
    }

    /// A value that becomes part of `into`.
    pub(super) fn flow(
        &mut self,
        node: Node,
        into: Node,
        expr: &Expr,
        mismatch: impl Fn(&str, &str) -> String,
    ) -> Check<()> {
        self.types.same(node, into).map_err(|clash| {
            self.clash(&clash, (node, into), range(expr.span()), |a, b| {
                Refusal::new(Code::UuidType, "42804", mismatch(a, b))
            })
        })
    }

    fn binary(&mut self, left: &Expr, op: &BinaryOperator, right: &Expr) -> Check<Node> {
        let word = op.to_string();
        match op {
            BinaryOperator::And | BinaryOperator::Or => {
                self.condition(left, &word)?;
                self.condition(right, &word)?;
                return Ok(self.types.native(BOOL));
            }
            BinaryOperator::Eq
            | BinaryOperator::NotEq
            | BinaryOperator::Lt
            | BinaryOperator::LtEq
            | BinaryOperator::Gt
            | BinaryOperator::GtEq => {
                let word = if word == "!=" { "<>" } else { &word };
                return self.comparison(left, right, word);
            }
            _ => {}
        }
        let (a, b) = (self.expr(left)?, self.expr(right)?);
        let at = self.between_exprs(left, right);
        if !self.types.has_id(a) && !self.types.has_id(b) {
            return self.native_operator(&word, a, b);
        }
        match (word.as_str(), self.types.shape(a), self.types.shape(b)) {
            ("@>" | "<@" | "&&", Shape::Array(_), _) | ("@>" | "<@" | "&&", _, Shape::Array(_)) => {
                self.compare_nodes((a, b), &word, at)?;
                Ok(self.types.native(BOOL))
            }
            ("||", Shape::Array(element), Shape::Id(_) | Shape::Uuid) => {
                self.flow(b, element, right, |a, b| {
                    format!("ARRAY types {b} and {a} cannot be matched")
                })?;
                Ok(a)
            }
            ("||", Shape::Id(_) | Shape::Uuid, Shape::Array(element)) => {
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
            ("||", Shape::Id(_), Shape::Unknown | Shape::Native(TEXT | 1043 | 0))
            | ("||", Shape::Unknown | Shape::Native(TEXT | 1043 | 0), Shape::Id(_)) => {
                Err(self.shows("||", at))
            }
            _ => Err(self.no_operator((a, b), &word, at)),
        }
    }

    /// An operator over values that hold no key. A cast to uuid on one side stays a real uuid.
    fn native_operator(&mut self, word: &str, a: Node, b: Node) -> Check<Node> {
        let oid = match (word, self.types.shape(a), self.types.shape(b)) {
            ("||", Shape::Array(element), _) | ("||", _, Shape::Array(element)) => {
                // The other side may be an element or an array; both sides stay native.
                let _ = element;
                return Ok(if matches!(self.types.shape(a), Shape::Array(_)) {
                    a
                } else {
                    b
                });
            }
            ("+" | "-" | "*" | "/" | "%", Shape::Native(x), Shape::Native(y)) if x == y => x,
            ("+" | "-" | "*" | "/" | "%", Shape::Native(x), Shape::Unknown)
            | ("+" | "-" | "*" | "/" | "%", Shape::Unknown, Shape::Native(x)) => x,
            ("||" | "->>" | "#>>", ..) => TEXT,
            ("@>" | "<@" | "&&" | "~" | "~*" | "!~" | "!~*" | "?" | "?|" | "?&", ..) => BOOL,
            _ => 0,
        };
        Ok(self.types.native(oid))
    }

    fn unary(&mut self, op: &UnaryOperator, expr: &Expr) -> Check<Node> {
        if matches!(op, UnaryOperator::Not) {
            self.condition(expr, "NOT")?;
            return Ok(self.types.native(BOOL));
        }
        let node = self.expr(expr)?;
        if self.types.has_id(node) {
            let operand = self
                .describe_node(node)
                .unwrap_or_else(|| "uuid".to_owned());
            let start = range(expr.span()).start;
            let refusal = Refusal::no_operator(&op.to_string(), None, &operand);
            return Err(Box::new(refusal.at(start..start)));
        }
        Ok(node)
    }

    fn comparison(&mut self, left: &Expr, right: &Expr, word: &str) -> Check<Node> {
        let (a, b) = (self.expr(left)?, self.expr(right)?);
        let operator = if word == "IS DISTINCT FROM" {
            "="
        } else {
            word
        };
        self.compare_nodes((a, b), operator, self.between_exprs(left, right))?;
        Ok(self.types.native(BOOL))
    }

    pub(super) fn compare_nodes(
        &mut self,
        (a, b): (Node, Node),
        word: &str,
        at: Range<usize>,
    ) -> Check<()> {
        self.types.compare(a, b).map_err(|clash| {
            self.clash(&clash, (a, b), at, |a, b| {
                Refusal::no_operator(word, Some(a), b)
            })
        })
    }

    fn no_operator(&self, (a, b): (Node, Node), word: &str, at: Range<usize>) -> Box<Refusal> {
        match (self.describe_node(a), self.describe_node(b)) {
            (Some(a), Some(b)) => Box::new(Refusal::no_operator(word, Some(&a), &b).at(at)),
            _ => self.shows(word, at),
        }
    }

    /// The operator between two expressions.
    fn between_exprs(&self, left: &Expr, right: &Expr) -> Range<usize> {
        self.operator_between(range(left.span()).end, range(right.span()).start)
    }

    fn in_subquery(&mut self, expr: &Expr, word: &str, query: &Query) -> Check<Node> {
        let left = self.expr(expr)?;
        let outputs = self.query(query)?;
        let right = match outputs.as_slice() {
            [single] => single.node,
            _ => self.record(outputs.iter().map(|output| output.node).collect()),
        };
        let at = range(expr.span()).end..range(expr.span()).end;
        self.compare_nodes((left, right), word, at)?;
        Ok(self.types.native(BOOL))
    }

    /// `left op ANY (right)`: right is an array or a subquery.
    fn quantified(&mut self, left: &Expr, op: &BinaryOperator, right: &Expr) -> Check<Node> {
        let word = op.to_string();
        let mut inner = right;
        while let Expr::Nested(nested) = inner {
            inner = nested;
        }
        if let Expr::Subquery(query) = inner {
            return self.in_subquery(left, &word, query);
        }
        let (a, b) = (self.expr(left)?, self.expr(right)?);
        let at = self.between_exprs(left, right);
        let is_comparison = matches!(word.as_str(), "=" | "<>" | "!=" | "<" | "<=" | ">" | ">=");
        match self.types.shape(b) {
            Shape::Array(element) if is_comparison => {
                self.compare_nodes((a, element), &word, at)?;
            }
            Shape::Unknown if is_comparison && self.types.has_id(a) => {
                let element = self.types.node(Shape::Unknown);
                let array = self.types.node(Shape::Array(element));
                self.compare_nodes((a, element), &word, at)?;
                let _ = self.types.same(b, array);
            }
            _ if !self.types.has_id(a) && !self.types.has_id(b) => {}
            _ => {
                let element = match self.types.shape(b) {
                    Shape::Array(element) => element,
                    _ => b,
                };
                return Err(self.no_operator((a, element), &word, at));
            }
        }
        Ok(self.types.native(BOOL))
    }

    /// A value that is stored in a column.
    pub(super) fn assign(
        &mut self,
        node: Node,
        column: (Node, &crate::catalog::Column),
        into: &Stored,
        expr: Option<&Expr>,
    ) -> Check<()> {
        let at = expr.map_or(0..0, |expr| range(expr.span()));
        let name = &column.1.name;
        if self.types.has_id(node) && matches!(column.1.type_oid.0, 18 | 19 | TEXT | 1042 | 1043) {
            let message = format!("pgveil can't store an id as text in column {name:?}");
            let refusal = Refusal::unsupported(Code::Expression, message).at(at);
            return Err(Box::new(refusal.hint(
                "Store it in a column of the key's type, with a foreign key.",
            )));
        }
        self.types.same(node, column.0).map_err(|clash| {
            self.clash(&clash, (column.0, node), at, |wanted, given| {
                let message = format!(
                    "column {name:?} is of type {wanted} but expression is of type {given}"
                );
                Refusal::new(Code::UuidType, "42804", message)
                    .hint("You will need to rewrite or cast the expression.")
            })
        })?;
        self.types.store(node, into);
        Ok(())
    }
}

/// The name of a type, without array brackets, and the number of brackets.
fn element_type(data_type: &DataType) -> (Option<&ObjectName>, usize) {
    match data_type {
        DataType::Custom(name, _) => (Some(name), 0),
        DataType::Array(
            ArrayElemTypeDef::SquareBracket(element, _)
            | ArrayElemTypeDef::AngleBracket(element)
            | ArrayElemTypeDef::Parenthesis(element)
            | ArrayElemTypeDef::Qualified(element, _),
        ) => {
            let (name, dimensions) = element_type(element);
            (name, dimensions + 1)
        }
        DataType::Array(ArrayElemTypeDef::None) => (None, 1),
        _ => (None, 0),
    }
}

/// `uuid` or `pg_catalog.uuid`.
fn is_plain_or_catalog(name: &ObjectName) -> bool {
    match name.0.as_slice() {
        [_] => true,
        [schema, _] => schema
            .as_ident()
            .is_some_and(|ident| ident.value == "pg_catalog"),
        _ => false,
    }
}

fn named_oid(data_type: &DataType, word: Option<&str>) -> u32 {
    match word {
        Some(word) => type_oid(word),
        None => {
            let written = data_type.to_string().to_lowercase();
            let word = written
                .split('(')
                .next()
                .unwrap_or_default()
                .trim()
                .to_owned();
            type_oid(&word)
        }
    }
}
