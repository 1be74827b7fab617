//! How the values of expressions come about, for a trace: which parts of an expression its value
//! is made of. Nothing here decides anything; without a trace nothing here runs.

use sqlparser::ast::{
    Expr, Function, FunctionArg, FunctionArgExpr, FunctionArguments, ObjectName, Spanned,
};

use crate::catalog::Relation;
use crate::sql::lineage::{Cause, How, LineageTrace, Meeting, Origin, Part, Reasons, Step};
use crate::sql::parse::range;
use crate::sql::scope::{Output, Scope};
use crate::sql::types::{BOOL, INT8, Shape, TypeVar, Types};

use super::column_name::{FirstNames, last};
use super::span::span_of;
use super::{Binder, Check, Value};

impl Types<'_> {
    /// How the value at a node came about: of a row and an array, how their parts did.
    pub(in crate::sql) fn origin(&self, node: TypeVar) -> Origin {
        let (Some(trace), Origin::UNKNOWN) = (self.trace, node.origin()) else {
            return node.origin();
        };
        match self.shape(node) {
            Shape::Array(element) => self.origin(element),
            Shape::Record(fields) => trace.add(Step::Computed {
                by: "a row".to_owned(),
                of: fields.iter().map(|field| self.origin(*field)).collect(),
                carries: self.has_id(node),
                truth: false,
            }),
            _ => Origin::UNKNOWN,
        }
    }
}

impl Binder<'_> {
    /// Whether it is the definition of a view or a function that is being read.
    pub(super) fn reads_definition(&self) -> bool {
        !self.views.is_empty() || self.parameters.is_some()
    }

    /// A column of a relation, in which keys are or not; `behind` is how a view makes it.
    pub(super) fn column_of(
        &mut self,
        relation: &Relation,
        name: &str,
        node: TypeVar,
        behind: Origin,
    ) -> TypeVar {
        let Some(trace) = self.context.trace else {
            return node;
        };
        let origin = trace.add(Step::Column {
            name: format!("{}.{}.{name}", relation.schema, relation.name),
            carries: self.types.has_id(node),
            behind,
        });
        self.types.source(node.via(origin), How::Beside)
    }

    /// A column of something whose columns are not known.
    pub(super) fn unnamed_column(&mut self, table: Option<&str>, name: &str) -> TypeVar {
        let node = self.types.native(0);
        let Some(trace) = self.context.trace else {
            return node;
        };
        let name = table.map_or_else(|| name.to_owned(), |table| format!("{table}.{name}"));
        node.via(trace.add(Step::Column {
            name,
            carries: false,
            behind: Origin::UNKNOWN,
        }))
    }

    /// An element comes from wherever its array does.
    pub(super) fn element(&self, element: TypeVar, array: TypeVar) -> TypeVar {
        match self.types.origin(array) {
            Origin::UNKNOWN => element,
            known => element.via(known),
        }
    }

    /// The column that WITH ORDINALITY adds.
    pub(super) fn place_of_row(&mut self) -> TypeVar {
        let node = self.types.native(INT8);
        let Some(trace) = self.context.trace else {
            return node;
        };
        node.via(trace.add(Step::Computed {
            by: "WITH ORDINALITY".to_owned(),
            of: Vec::new(),
            carries: false,
            truth: false,
        }))
    }

    /// An argument of a function of the user is an id.
    pub(super) fn taken_by(&mut self, function: &str, wanted: TypeVar) {
        let Some(trace) = self.context.trace else {
            return;
        };
        let origin = trace.add(Step::Computed {
            by: function.to_owned(),
            of: Vec::new(),
            carries: true,
            truth: false,
        });
        let node = match self.types.shape(wanted) {
            Shape::Array(element) => element,
            _ => wanted,
        };
        self.types.source(node.via(origin), How::Given);
    }

    /// The node of one of two values that are in one column.
    pub(super) fn joined(&self, by: &str, a: TypeVar, b: TypeVar) -> TypeVar {
        let Some(trace) = self.context.trace else {
            return a;
        };
        a.via(trace.add(Step::Computed {
            by: by.to_owned(),
            of: vec![self.types.origin(a), self.types.origin(b)],
            carries: self.types.has_id(a),
            truth: false,
        }))
    }

    /// The columns of a function in FROM come from its arguments.
    pub(super) fn called_in_from(
        &mut self,
        name: &str,
        walk: impl FnOnce(&mut Self) -> Check<Scope>,
    ) -> Check<Scope> {
        let Some(trace) = self.context.trace else {
            return walk(self);
        };
        trace.open();
        let scope = walk(self);
        let of: Vec<Origin> = trace.close().iter().map(|part| part.origin).collect();
        let mut scope = scope?;
        scope.change_columns(|column| {
            if self.types.origin(column.node) == Origin::UNKNOWN {
                let made = trace.add(Step::Computed {
                    by: name.to_owned(),
                    of: of.clone(),
                    carries: self.types.has_id(column.node),
                    truth: false,
                });
                column.node = self.types.source(column.node.via(made), How::Beside);
            }
        });
        Ok(scope)
    }

    /// Keeps of what a row (`t.*`) is made that is the argument of a call.
    pub(super) fn found_row(&self, name: &ObjectName, row: TypeVar) {
        if let Some(trace) = self.context.trace {
            trace.found(Part {
                tree: address(name),
                span: range(name.span()),
                origin: self.types.origin(row),
                carries: self.types.has_id(row),
            });
        }
    }

    /// Keeps how the value of an expression came about.
    pub(super) fn came_about(
        &mut self,
        trace: &LineageTrace,
        expr: &Expr,
        node: TypeVar,
        parts: &[Part],
    ) -> TypeVar {
        let known = self.types.origin(node);
        let origin = match expr {
            Expr::Identifier(_)
            | Expr::CompoundIdentifier(_)
            | Expr::Subquery(_)
            | Expr::CompoundFieldAccess { .. }
                if known != Origin::UNKNOWN =>
            {
                known
            }
            Expr::Value(value) if known == Origin::UNKNOWN => {
                let written = value.value.to_string();
                let number = written
                    .strip_prefix('$')
                    .and_then(|digits| digits.parse().ok());
                trace.add(match number {
                    Some(number @ 1..) => Step::Parameter(number - 1),
                    _ => Step::Constant,
                })
            }
            Expr::Value(_) => known,
            // The type says what is in a row.
            Expr::Cast { .. } if self.is_named_row(node) => known,
            Expr::Nested(_) | Expr::Cast { .. } | Expr::Collate { .. } => {
                parts.first().map_or(known, |part| part.origin)
            }
            Expr::TypedString(_) | Expr::Interval(_) => trace.add(Step::Constant),
            _ => trace.add(Step::Computed {
                by: word(expr),
                of: value_parts(expr, parts),
                carries: self.types.has_id(node),
                truth: self.types.shape(node) == Shape::Plain(BOOL),
            }),
        };
        trace.found(Part {
            tree: address(expr),
            span: self.extent(expr).unwrap_or_else(|| span_of(expr)),
            origin,
            carries: self.types.has_id(node),
        });
        node.via(origin)
    }

    /// Whether a value is a row of a type with names for its members, or an array of such rows.
    fn is_named_row(&self, node: TypeVar) -> bool {
        let row = match self.types.shape(node) {
            Shape::Array(element) => element,
            _ => node,
        };
        self.named_members(row).is_some()
    }

    /// Why the result columns, and the values of the client's, are what they are.
    pub(in crate::sql) fn reasons(&self, trace: &LineageTrace, outputs: &[Output]) -> Reasons {
        let columns = outputs.iter().map(|output| {
            let carries = self.types.has_id(output.node);
            trace.lineage(self.types.origin(output.node), carries)
        });
        let own = self.occurrences.iter().filter(|one| !one.again);
        let values = own.filter_map(|occurrence| {
            let node = occurrence.node;
            self.types.has_id(node).then_some(())?;
            let parameter = match occurrence.value {
                Value::Parameter { index, .. } => Some(index),
                Value::Literal(_) | Value::Number(_) => None,
            };
            let met = |node| {
                self.types
                    .met(node)
                    .and_then(|met: Meeting| trace.cause(met))
            };
            let stored = match self.types.shape(node) {
                Shape::Array(element) => self.types.stored(element),
                _ => None,
            };
            let why = match self.types.stored(node).or(stored) {
                Some(stored) if stored.is_in_channel() => {
                    format!("sent to channel {}", stored.table)
                }
                Some(stored) if stored.is_by_function() => {
                    format!("given to function {}, which may store it", stored.table)
                }
                Some(stored) => format!("stored in {}.{}", stored.table, stored.column),
                None => met(node)?,
            };
            Some(Cause {
                span: occurrence.span.clone(),
                parameter,
                why,
            })
        });
        Reasons {
            columns: columns.collect(),
            values: values.collect(),
            clues: Vec::new(),
        }
    }
}

/// What an expression is called.
fn word(expr: &Expr) -> String {
    match expr {
        Expr::Function(function) => last(&function.name),
        Expr::BinaryOp { op, .. } => op.to_string(),
        Expr::UnaryOp { op, .. } => op.to_string(),
        Expr::IsNull(_) | Expr::IsNotNull(_) => "IS NULL".to_owned(),
        Expr::IsDistinctFrom(..) | Expr::IsNotDistinctFrom(..) => "IS DISTINCT FROM".to_owned(),
        Expr::InList { .. } | Expr::InSubquery { .. } => "IN".to_owned(),
        Expr::Between { .. } => "BETWEEN".to_owned(),
        Expr::AnyOp { .. } => "ANY".to_owned(),
        Expr::AllOp { .. } => "ALL".to_owned(),
        Expr::Case { .. } => "CASE".to_owned(),
        Expr::Exists { .. } => "EXISTS".to_owned(),
        Expr::Tuple(_) => "ROW".to_owned(),
        Expr::Array(_) => "ARRAY".to_owned(),
        Expr::Like { .. } | Expr::ILike { .. } | Expr::SimilarTo { .. } => "LIKE".to_owned(),
        other => match FirstNames::default().column_name(other).as_str() {
            "?column?" => "an expression".to_owned(),
            name => name.to_owned(),
        },
    }
}

/// The parts that an expression's value is made of, of all that are looked at.
fn value_parts(expr: &Expr, parts: &[Part]) -> Vec<Origin> {
    let trees: Vec<usize> = match expr {
        Expr::Function(function) if matches!(function.args, FunctionArguments::List(_)) => {
            arguments(function)
        }
        Expr::Case {
            conditions,
            else_result,
            ..
        } => {
            let results = conditions.iter().map(|branch| &branch.result);
            results.chain(else_result.as_deref()).map(address).collect()
        }
        _ => parts.iter().map(|part| part.tree).collect(),
    };
    let own = parts.iter().filter(|part| trees.contains(&part.tree));
    own.map(|part| part.origin).collect()
}

/// The arguments of a call, and what WITHIN GROUP sorts.
fn arguments(function: &Function) -> Vec<usize> {
    let list = match &function.args {
        FunctionArguments::List(list) => list.args.as_slice(),
        FunctionArguments::None | FunctionArguments::Subquery(_) => &[],
    };
    let arguments = list.iter().filter_map(|argument| match argument {
        FunctionArg::Unnamed(argument)
        | FunctionArg::Named { arg: argument, .. }
        | FunctionArg::ExprNamed { arg: argument, .. } => match argument {
            FunctionArgExpr::Expr(expr) => Some(address(expr)),
            FunctionArgExpr::QualifiedWildcard(name) => Some(address(name)),
            _ => None,
        },
    });
    let sorted = function.within_group.iter().map(|key| address(&key.expr));
    arguments.chain(sorted).collect()
}

/// By which a part of a tree is known while the tree is read.
fn address<T>(tree: &T) -> usize {
    std::ptr::from_ref(tree).addr()
}
