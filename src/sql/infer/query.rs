//! Queries: WITH, SELECT, VALUES, set operations.

use std::cell::OnceCell;
use std::collections::HashMap;

use sqlparser::ast::{
    Cte, Distinct, Expr, FunctionArg, FunctionArgExpr, FunctionArguments, GroupByExpr,
    GroupByWithModifier, LimitClause, NamedWindowExpr, OrderBy, OrderByKind, Query, Select,
    SetExpr, SetOperator, SetQuantifier, Spanned, Statement, Value as SqlValue, With,
};

use crate::sql::parse::range;
use crate::sql::refusal::{Code, Refusal};
use crate::sql::scope::{Output, Scope};
use crate::sql::types::{Because, INT8, Shape, TypeVar};

use super::column_name::last;
use super::grouping::Grouping;
use super::join::are_distinct;
use super::multi_domain::Side;
use super::projection::{star, unknown_columns};
use super::span::span_of;
use super::value::hidden;
use super::{Binder, Check};

impl Binder<'_> {
    /// The result columns of a statement.
    pub(in crate::sql) fn statement(&mut self, statement: &Statement) -> Check<Vec<Output>> {
        match statement {
            Statement::Query(query) => self.query(query),
            Statement::Insert(insert) => self.insert(insert),
            Statement::Update(update) => self.update(update),
            Statement::Delete(delete) => self.delete(delete),
            Statement::Merge(merge) => self.merge_into(merge),
            _ => self.unsupported(
                "this kind of statement",
                crate::sql::split::bytes(self.tokens),
            ),
        }
    }

    /// The result columns of a statement of which no word names what holds keys. They need not all be
    /// known, as long as it reaches none.
    pub(in crate::sql) fn clean_statement(&mut self, statement: &Statement) -> Check<Vec<Output>> {
        let Statement::Query(query) = statement else {
            return self.statement(statement);
        };
        let outputs = self.open_query(query)?;
        match outputs.iter().any(Output::is_rest) && self.protected {
            true => Err(unknown_columns(star(&query.body))),
            false => Ok(outputs),
        }
    }

    /// The columns that a query puts out.
    pub(in crate::sql) fn query(&mut self, query: &Query) -> Check<Vec<Output>> {
        let outputs = self.open_query(query)?;
        match outputs.iter().any(Output::is_rest) {
            true => Err(unknown_columns(star(&query.body))),
            false => Ok(outputs),
        }
    }

    /// The columns of a query that stands for values. One that is not known is a value without a key.
    pub(super) fn query_of_values(&mut self, query: &Query) -> Check<Vec<Output>> {
        let mut outputs = self.open_query(query)?;
        if outputs.iter().any(Output::is_rest) {
            outputs.retain(Output::is_rest);
            outputs.truncate(1);
        }
        Ok(outputs)
    }

    /// A query of which some columns may not be known.
    pub(super) fn open_query(&mut self, query: &Query) -> Check<Vec<Output>> {
        self.nested(|binder| {
            let ctes = binder.ctes.len();
            let result = binder.query_with_ctes(query);
            binder.forget_ctes(ctes);
            result
        })
    }

    fn query_with_ctes(&mut self, query: &Query) -> Check<Vec<Output>> {
        if let Some(with) = &query.with {
            self.with(with)?;
        }
        if query.for_clause.is_some()
            || query.settings.is_some()
            || query.format_clause.is_some()
            || !query.pipe_operators.is_empty()
        {
            return self.unsupported("this clause", range(query.span()));
        }
        let outputs = match query.body.as_ref() {
            SetExpr::Select(select) => self.select(select, query.order_by.as_ref())?,
            body => {
                let outputs = self.set_expr(body)?;
                if let Some(order_by) = &query.order_by {
                    self.order_by(order_by, &Keys::of(&outputs, true))?;
                }
                outputs
            }
        };
        self.limits(query)?;
        Ok(outputs)
    }

    /// LIMIT, OFFSET and FETCH take bigint.
    fn limits(&mut self, query: &Query) -> Check<()> {
        let mut counts: Vec<&Expr> = Vec::new();
        match &query.limit_clause {
            Some(LimitClause::LimitOffset {
                limit,
                offset,
                limit_by,
            }) => {
                counts.extend(limit);
                counts.extend(offset.as_ref().map(|offset| &offset.value));
                counts.extend(limit_by);
            }
            Some(LimitClause::OffsetCommaLimit { offset, limit }) => counts.extend([offset, limit]),
            None => {}
        }
        counts.extend(
            query
                .fetch
                .as_ref()
                .and_then(|fetch| fetch.quantity.as_ref()),
        );
        for count in counts {
            self.native_of(count, INT8)?;
        }
        Ok(())
    }

    pub(super) fn with(&mut self, with: &With) -> Check<()> {
        let first = self.ctes.len();
        if with.recursive {
            // Every query of WITH RECURSIVE may name every other, also those that come later.
            for cte in &with.cte_tables {
                self.add_cte(&cte.alias.name.value, None);
            }
        }
        for (index, cte) in with.cte_tables.iter().enumerate() {
            let outputs = self.cte(cte, with.recursive.then_some(first + index))?;
            match self.ctes.get_mut(first + index) {
                Some((_, columns)) => *columns = Some(outputs),
                None => self.add_cte(&cte.alias.name.value, Some(outputs)),
            }
        }
        Ok(())
    }

    fn add_cte(&mut self, name: &str, outputs: Option<Vec<Output>>) {
        let places = self.cte_places.entry(name.to_owned());
        places.or_default().push(self.ctes.len());
        self.ctes.push((name.to_owned(), outputs));
    }

    /// Takes all CTEs but the first out of reach.
    fn forget_ctes(&mut self, first: usize) {
        while self.ctes.len() > first
            && let Some((name, _)) = self.ctes.pop()
        {
            if let Some(places) = self.cte_places.get_mut(&name) {
                places.pop();
            }
        }
    }

    /// The columns of a CTE with those that SEARCH and CYCLE add; `own` is its place if it may
    /// name itself.
    fn cte(&mut self, cte: &Cte, own: Option<usize>) -> Check<Vec<Output>> {
        let outputs = self.cte_query(cte, own)?;
        self.note_text_columns(&cte.query, &outputs);
        self.with_added(outputs, cte)
    }

    /// The columns of a CTE's query; `own` is its place if it may name itself.
    fn cte_query(&mut self, cte: &Cte, own: Option<usize>) -> Check<Vec<Output>> {
        let rename = |mut outputs: Vec<Output>| {
            for (output, column) in outputs.iter_mut().zip(&cte.alias.columns) {
                output.name.clone_from(&column.name.value);
            }
            outputs
        };
        // `t AS (first UNION [ALL] second)`: the type comes from the first branch, which can't
        // name `t`; the second is then checked against it.
        if let Some(own) = own
            && cte.query.with.is_none()
            && let SetExpr::SetOperation {
                op: op @ SetOperator::Union,
                set_quantifier,
                left,
                right,
            } = cte.query.body.as_ref()
        {
            let first = rename(self.set_expr(left)?);
            let outputs =
                self.recurse((first, left), right, word(op, set_quantifier), (own, cte))?;
            if let Some(order_by) = &cte.query.order_by {
                self.order_by(order_by, &Keys::of(&outputs, true))?;
            }
            self.limits(&cte.query)?;
            return Ok(rename(outputs));
        }
        match cte.alias.columns.is_empty() {
            true => self.open_query(&cte.query),
            false => self.query(&cte.query).map(rename),
        }
    }

    pub(super) fn set_expr(&mut self, body: &SetExpr) -> Check<Vec<Output>> {
        self.nested(|binder| match body {
            SetExpr::Select(select) => binder.select(select, None),
            SetExpr::Query(query) => binder.open_query(query),
            SetExpr::SetOperation {
                op,
                left,
                right,
                set_quantifier,
            } => {
                let first = binder.set_expr(left)?;
                let second = binder.set_expr(right)?;
                let word = word(op, set_quantifier);
                binder.unite((first, left), (&second, right), word)
            }
            SetExpr::Values(values) => {
                let mut columns: Vec<Vec<(TypeVar, &Expr)>> = Vec::new();
                for row in &values.rows {
                    for (index, expr) in row.content.iter().enumerate() {
                        let value = (binder.expr(expr)?, expr);
                        match columns.get_mut(index) {
                            Some(column) => column.push(value),
                            None => columns.push(vec![value]),
                        }
                    }
                }
                let columns = columns.iter_mut().enumerate();
                columns
                    .map(|(index, column)| binder.values_column(index, column))
                    .collect()
            }
            SetExpr::Insert(Statement::Insert(insert)) => binder.insert(insert),
            SetExpr::Update(Statement::Update(update)) => binder.update(update),
            SetExpr::Delete(Statement::Delete(delete)) => binder.delete(delete),
            SetExpr::Merge(Statement::Merge(merge)) => binder.merge_into(merge),
            SetExpr::Insert(_)
            | SetExpr::Update(_)
            | SetExpr::Delete(_)
            | SetExpr::Merge(_)
            | SetExpr::Table(_) => binder.unsupported("this kind of query", range(body.span())),
        })
    }

    /// A column of VALUES.
    fn values_column(&mut self, index: usize, values: &mut [(TypeVar, &Expr)]) -> Check<Output> {
        self.mix(values);
        let name = format!("column{}", index + 1);
        let (mut first, rest) = match values {
            [(first, _), rest @ ..] => (*first, rest),
            [] => (self.types.node(Shape::Unknown), values),
        };
        for (node, expr) in rest {
            self.flow(*node, first, expr, |a, b| {
                format!("VALUES types {b} and {a} cannot be matched")
            })?;
            first = self.joined("VALUES", first, *node);
        }
        Ok(Output { name, node: first })
    }

    /// The columns of a set operation: each pair must be of one type.
    pub(super) fn unite(
        &mut self,
        (mut first, left): (Vec<Output>, &SetExpr),
        (second, right): (&[Output], &SetExpr),
        word: &str,
    ) -> Check<Vec<Output>> {
        let at = right;
        // Which columns of the two meet is not known unless the same are not.
        let [ours, theirs] =
            [first.as_slice(), second].map(|side| side.iter().map(Output::is_rest));
        if ours.clone().chain(theirs.clone()).any(|is_rest| is_rest) && !ours.eq(theirs) {
            return Err(unknown_columns(range(at.span())));
        }
        if first.len() != second.len() {
            let word = word.trim_end_matches(" ALL");
            let message = format!("each {word} query must have the same number of columns");
            return Err(Box::new(Refusal::new(Code::UuidType, "42601", message)));
        }
        for (index, b) in second.iter().enumerate() {
            let sides = [(left, first.as_slice()), (right, second)];
            let sides = sides.map(|(body, outputs)| Side { body, outputs });
            let mixed = self.mix_column(sides, index, word);
            let Some(a) = first.get_mut(index) else {
                continue;
            };
            let mut b = b.clone();
            if let Some(nodes) = mixed {
                [a.node, b.node] = nodes;
            }
            if self.modifier(a.node) != self.modifier(b.node) {
                self.set_modifier(a.node, -1);
            }
            let (hands_on, keeps_all) = (matches!(word, UNION | UNION_ALL), word == UNION_ALL);
            let word = if hands_on { UNION } else { word };
            if !hands_on && self.types.has_tag(a.node) != self.types.has_tag(b.node) {
                return Err(self.shows(word, range(at.span())));
            }
            let [tagged, other] = [a.node, b.node].map(|node| self.types.has_tag(node));
            if tagged != other {
                let body = if tagged { right } else { left };
                self.check_free_of_ids(body, index, word)?;
            }
            let is_read = !self.types.in_definition;
            if keeps_all && is_read && self.are_of_two_kinds(a.node, b.node) {
                a.node = self.types.hidden(Because::Mixed);
                continue;
            }
            let mixed = self.is_of_several_kinds(a);
            if let Some(refusal) = mixed.or_else(|| self.is_of_several_kinds(&b)) {
                return Err(Box::new(refusal.at(range(at.span()))));
            }
            self.types.unify(a.node, b.node).map_err(|clash| {
                self.clash(&clash, (a.node, b.node), range(at.span()), |a, b| {
                    let message = format!("{word} types {a} and {b} cannot be matched");
                    Refusal::new(Code::UuidType, "42804", message)
                })
            })?;
            a.node = self.joined(word, a.node, b.node);
            self.told_columns.remove(&a.node);
        }
        Ok(first)
    }

    /// Whether two columns hold ids of two domains that are stored and shown alike: nobody can tell
    /// them apart behind UNION ALL, nor needs to who does not look at them.
    fn are_of_two_kinds(&self, a: TypeVar, b: TypeVar) -> bool {
        let is_mixed = |node| self.types.is_hidden(node) == Some(Because::Mixed);
        let holds_kinds = |node| is_mixed(node) || matches!(self.types.shape(node), Shape::Id(_));
        if is_mixed(a) || is_mixed(b) {
            return holds_kinds(a) && holds_kinds(b);
        }
        let is_kind = |node| match self.types.shape(node) {
            Shape::Id(id) => Some(id),
            _ => None,
        };
        is_kind(a).zip(is_kind(b)).is_some_and(|(a, b)| {
            a.domain != b.domain && a.key_type.is_like(b.key_type) && a.shown.is_like(b.shown)
        })
    }

    /// The refusal of a column of a query that holds ids of several kinds, if it is one.
    pub(in crate::sql) fn is_of_several_kinds(&self, column: &Output) -> Option<Box<Refusal>> {
        let because = self.types.is_hidden(column.node)?;
        (because == Because::Mixed).then(|| Box::new(hidden(&column.name, because)))
    }

    fn select(&mut self, select: &Select, order_by: Option<&OrderBy>) -> Check<Vec<Output>> {
        if let Some(into) = &select.into {
            return self.unsupported(
                "SELECT INTO",
                range(
                    into.targets
                        .first()
                        .map_or_else(|| select.span(), Spanned::span),
                ),
            );
        }
        let foreign = select.top.is_some()
            || select.exclude.is_some()
            || !select.lateral_views.is_empty()
            || select.prewhere.is_some()
            || !select.connect_by.is_empty()
            || !select.cluster_by.is_empty()
            || !select.distribute_by.is_empty()
            || !select.sort_by.is_empty()
            || select.qualify.is_some()
            || select.value_table_mode.is_some();
        if foreign {
            return self.unsupported("this clause", range(select.span()));
        }
        let grouping = std::mem::replace(&mut self.grouping, Grouping::of(&select.group_by));
        let facts = self.facts(select.selection.as_ref(), &select.from);
        let outputs = self.knowing(facts, |binder| {
            binder.in_from_clause(|binder| {
                binder.within(Scope::default(), |binder| {
                    binder.select_in_scope(select, order_by)
                })
            })
        });
        self.grouping = grouping;
        outputs
    }

    fn select_in_scope(
        &mut self,
        select: &Select,
        order_by: Option<&OrderBy>,
    ) -> Check<Vec<Output>> {
        for item in &select.from {
            let scope = self.table_with_joins(item)?;
            if let Some(current) = self.scopes.last_mut() {
                are_distinct(current, &scope)?;
                current.extend(scope);
            }
        }
        // What a value of the client's is compared with tells what it is in the result.
        let selection = select.selection.as_ref();
        let selected = selection.map_or(Ok(()), |selection| self.condition(selection, "WHERE"));
        let outputs = self.projection(&select.projection, range(select.select_token.0.span).end);
        let outputs = told_first(outputs, selected)?;
        self.group_dependent(select);
        let keys = Keys::of(&outputs, false);
        self.group_by(&select.group_by, &keys)?;
        if let Some(having) = &select.having {
            self.condition(having, "HAVING")?;
        }
        for window in &select.named_window {
            if let NamedWindowExpr::WindowSpec(spec) = &window.1 {
                self.window(spec)?;
            }
        }
        match &select.distinct {
            Some(Distinct::On(exprs)) => {
                for expr in exprs {
                    self.sort_key(expr, &keys)?;
                }
            }
            Some(Distinct::Distinct) => {
                let mut mixed = outputs.iter();
                if let Some(refusal) = mixed.find_map(|column| self.is_of_several_kinds(column)) {
                    return Err(Box::new(refusal.at(range(select.select_token.0.span))));
                }
            }
            _ => {}
        }
        if let Some(order_by) = order_by {
            self.order_by(order_by, &keys)?;
        }
        Ok(outputs)
    }

    fn group_by(&mut self, group_by: &GroupByExpr, keys: &Keys<'_>) -> Check<()> {
        let (exprs, modifiers): (&[Expr], &[GroupByWithModifier]) = match group_by {
            GroupByExpr::All(modifiers) => (&[], modifiers),
            GroupByExpr::Expressions(exprs, modifiers) => (exprs, modifiers),
        };
        for expr in exprs {
            // A name is that of a column of the tables before it is that of an output.
            if self.is_fixed(expr) {
                self.expr(expr)?;
            } else {
                self.sort_key(expr, keys)?;
            }
        }
        if modifiers.is_empty() {
            return Ok(());
        }
        self.unsupported("this form of GROUP BY", range(group_by.span()))
    }

    pub(super) fn order_by(&mut self, order_by: &OrderBy, keys: &Keys<'_>) -> Check<()> {
        match &order_by.kind {
            OrderByKind::Expressions(exprs) => {
                for item in exprs {
                    let Some(node) = self.sort_key(&item.expr, keys)? else {
                        continue;
                    };
                    if self.types.is_mixed(node) {
                        return Err(self.unordered(range(order_by.span())));
                    }
                    if !self.sorts_as_keys(node) {
                        return Err(self.shows("ORDER BY", span_of(&item.expr)));
                    }
                    // A set operation may mix texts with ids in them and others, which sort unlike
                    // tags.
                    if keys.only && self.types.has_tag(node) {
                        return Err(self.shows("ORDER BY", range(order_by.span())));
                    }
                }
                Ok(())
            }
            OrderByKind::All(_) => self.unsupported("ORDER BY ALL", range(order_by.span())),
        }
    }

    /// An expression of ORDER BY, GROUP BY or DISTINCT ON: the number or the name of an output
    /// column, or an expression over the input. Its type, if it is one.
    fn sort_key(&mut self, expr: &Expr, keys: &Keys<'_>) -> Check<Option<TypeVar>> {
        self.types.spend(1);
        match expr {
            Expr::Value(value) if let SqlValue::Number(digits, _) = &value.value => {
                let place = digits
                    .parse::<usize>()
                    .ok()
                    .and_then(|at| at.checked_sub(1));
                let output = place.and_then(|place| keys.outputs.get(place));
                if let Some(refusal) = output.and_then(|output| self.is_of_several_kinds(output)) {
                    return Err(Box::new(refusal.at(range(value.span))));
                }
                Ok(output.map(|output| output.node))
            }
            Expr::Identifier(ident) if let Some(node) = keys.named(&ident.value) => {
                let node = self.uncollated(node, expr);
                match self.types.is_hidden(node) {
                    Some(Because::Mixed) => {
                        let refusal = hidden(&ident.value, Because::Mixed);
                        Err(Box::new(refusal.at(range(ident.span))))
                    }
                    _ => Ok(Some(node)),
                }
            }
            Expr::GroupingSets(sets) | Expr::Cube(sets) | Expr::Rollup(sets) => {
                for expr in sets.iter().flatten() {
                    for expr in within_sets(expr) {
                        self.sort_key(expr, keys)?;
                    }
                }
                Ok(None)
            }
            Expr::Nested(inner) => self.sort_key(inner, keys),
            _ if keys.only => {
                // Postgres takes nothing but names and numbers here.
                self.native(expr).map(Some)
            }
            _ => {
                let node = self.expr(expr)?;
                if matches!(self.types.shape(node), Shape::Unknown) {
                    let text = self.types.native(crate::sql::types::TEXT);
                    let _ = self.types.unify(node, text);
                }
                Ok(Some(node))
            }
        }
    }

    pub(super) fn condition(&mut self, expr: &Expr, clause: &str) -> Check<()> {
        let node = self.expr(expr)?;
        if self.types.has_id(node) {
            let found = self
                .describe_node(node)
                .unwrap_or_else(|| "uuid".to_owned());
            let message = format!("argument of {clause} must be type boolean, not type {found}");
            let refusal = Refusal::new(Code::UuidType, "42804", message);
            return Err(Box::new(refusal.at(span_of(expr))));
        }
        self.types.resolve_plain(node);
        Ok(())
    }
}

/// The columns that ORDER BY, GROUP BY and DISTINCT ON may name.
pub(super) struct Keys<'o> {
    outputs: &'o [Output],
    /// The first of each name.
    names: OnceCell<HashMap<&'o str, TypeVar>>,
    /// Whether there is nothing else to sort by, as behind a set operation.
    only: bool,
}

impl<'o> Keys<'o> {
    fn of(outputs: &'o [Output], only: bool) -> Self {
        let names = OnceCell::new();
        Self {
            outputs,
            names,
            only,
        }
    }

    fn named(&self, name: &str) -> Option<TypeVar> {
        let all = self.outputs.iter().rev();
        let names = || {
            all.map(|output| (output.name.as_str(), output.node))
                .collect()
        };
        self.names.get_or_init(names).get(name).copied()
    }
}

/// What rows of both queries become.
pub(super) const UNION: &str = "UNION";
pub(super) const UNION_ALL: &str = "UNION ALL";

/// A set operation as messages name it, with ALL if no row is looked for among others.
const fn word(op: &SetOperator, quantifier: &SetQuantifier) -> &'static str {
    let is_all = matches!(quantifier, SetQuantifier::All | SetQuantifier::AllByName);
    match op {
        SetOperator::Union if is_all => UNION_ALL,
        SetOperator::Union => UNION,
        SetOperator::Intersect => "INTERSECT",
        SetOperator::Except | SetOperator::Minus => "EXCEPT",
    }
}

/// What a set of GROUPING SETS groups by. A ROLLUP or CUBE there sqlparser takes for a call.
fn within_sets(expr: &Expr) -> Vec<&Expr> {
    let Expr::Function(function) = expr else {
        return vec![expr];
    };
    let FunctionArguments::List(list) = &function.args else {
        return vec![expr];
    };
    let is_set = matches!(last(&function.name).as_str(), "rollup" | "cube");
    let arguments = list.args.iter().map(|argument| match argument {
        FunctionArg::Unnamed(FunctionArgExpr::Expr(argument)) => Some(argument),
        _ => None,
    });
    let arguments: Option<Vec<&Expr>> = arguments.collect();
    let plain = is_set && function.name.0.len() == 1;
    arguments.filter(|_| plain).unwrap_or_else(|| vec![expr])
}

/// The outcome of two parts of a statement in the order in which Postgres looks at them: of two
/// faults it tells the first. What it would not refuse itself is no fault there.
pub(super) fn told_first<T>(first: Check<T>, second: Check<()>) -> Check<T> {
    match (first, second) {
        (first, Ok(())) => first,
        (Err(first), Err(_)) if first.sqlstate != "0A000" => Err(first),
        (_, Err(second)) => Err(second),
    }
}
