//! Columns with keys of several domains, of which another column of the row tells: `*_type` beside
//! `*_id`. Such a column can't be shown ([`Because::Polymorphic`]), and whoever does not know of it
//! refuses it. Here are the ways in which it can be told what its keys are, each by the database
//! itself, row by row:
//!
//! - The query takes only rows of one domain, `commentable_type = 'Post'` in its WHERE: then it is a
//!   column of ids like others.
//! - It is compared with ids of one domain: then the rows of others are no match.
//! - It is compared with values of the client: these are read once for each domain, and each reading
//!   is compared with the rows of its domain.
//! - It is put out: each key becomes a tag of its domain, as where ids of several kinds meet.

use std::ops::Range;
use std::sync::Arc;

use sqlparser::ast::{
    BinaryOperator, Expr, Query, TableWithJoins, UnaryOperator, Value as SqlValue,
};

use crate::catalog::{IdType, KeyType, Polymorphic, PolymorphicKind, Relation};
use crate::sql::parse::{is_string, range, string_value};
use crate::sql::refusal::Refusal;
use crate::sql::scope::{Found, Output, Table};
use crate::sql::types::{BOOL, Because, Shape, TypeVar};

use super::polymorphic_text::{comparison, joined, quoted};
use super::span::{At, span_of, start_of};
use super::tag::text;
use super::type_name::is_text_name;
use super::value::hidden;
use super::{Binder, Check, Occurrence, TagPart};

/// Such a column of a table that the statement names.
#[derive(Debug, Clone)]
pub(super) struct Sighted {
    pub(super) of: Arc<Polymorphic>,
    pub(super) node: TypeVar,
    /// Its name.
    pub(super) name: String,
    /// The relation and the number of the column.
    pub(super) place: (u32, i16),
    /// The column that tells.
    by: TypeVar,
    /// How the query calls its table.
    table: String,
    /// What its keys are in all rows that matter, if that is known.
    pub(super) fixed: Option<IdType>,
}

/// What all rows have in common that a query is made of.
#[derive(Debug, Clone)]
pub(super) struct Fact {
    /// The name of the table; `None` if there is only one.
    table: Option<String>,
    column: String,
    /// One of these.
    values: Vec<String>,
}

/// A place where such a column is named.
pub(super) struct Mention {
    pub(super) sighted: Sighted,
    /// Its bytes.
    pub(super) at: Range<usize>,
    /// What stands before the names of its columns: nothing, or the name of the table with a dot.
    pub(super) prefix: String,
    /// Its name with that.
    pub(super) column: String,
    /// Its name as the database has it.
    pub(super) name: String,
}

/// How a value of the client's is compared.
#[derive(Clone, Copy)]
pub(super) enum Form<'w> {
    /// `a = b`
    One(&'w str),
    /// `a IN (b, c)`; whether it is NOT IN.
    List(bool),
    /// `a = ANY (b)`
    Array(&'w str, &'static str),
}

impl Binder<'_> {
    /// Takes down which columns of a table are such, under the name by which the query calls it.
    pub(super) fn sight(&mut self, relation: &Relation, columns: &[Output], name: &str) {
        let known = relation.columns.iter().zip(columns);
        for (column, output) in known.clone() {
            let Some(of) = &column.polymorphic else {
                continue;
            };
            let by = known.clone().find(|(column, _)| column.name == of.by);
            let Some((_, by)) = by else { continue };
            let sighted = Sighted {
                of: Arc::clone(of),
                node: output.node,
                name: column.name.clone(),
                place: (relation.oid.0, column.attnum),
                by: by.node,
                table: name.to_owned(),
                fixed: self.fixed(of, name),
            };
            self.polymorphic.insert(output.node, sighted);
        }
    }

    /// What the keys of such a column of a table are in all rows that the query is made of.
    fn fixed(&self, of: &Polymorphic, table: &str) -> Option<IdType> {
        let about = |fact: &&Fact| {
            fact.column == of.by && fact.table.as_deref().is_none_or(|name| name == table)
        };
        self.facts.iter().filter(about).find_map(|fact| {
            let mut kinds = fact.values.iter().map(|value| kind_of(of, value));
            let first = kinds.next()??.id;
            kinds
                .all(|kind| kind.is_some_and(|kind| kind.id == first))
                .then_some(first)
        })
    }

    /// Forgets what is known of a table's rows, which are others from here on.
    pub(super) fn forget_facts(&mut self, table: &Table) {
        for column in table.columns.iter() {
            if let Some(sighted) = self.polymorphic.get_mut(&column.node) {
                sighted.fixed = None;
            }
        }
    }

    /// Runs `walk` where something is known of the rows.
    pub(super) fn knowing<T>(
        &mut self,
        facts: Vec<Fact>,
        walk: impl FnOnce(&mut Self) -> Check<T>,
    ) -> Check<T> {
        let before = std::mem::replace(&mut self.facts, facts);
        let result = walk(self);
        self.facts = before;
        result
    }

    /// What a WHERE says of all rows that it lets through: that a column is equal to constants.
    pub(super) fn facts(&self, selection: Option<&Expr>, from: &[TableWithJoins]) -> Vec<Fact> {
        // An operator of the user may take anything for equal.
        let is_own = !self.context.snapshot.functions().redefined("=").is_empty();
        let mut facts = Vec::new();
        let mut open: Vec<&Expr> = selection.into_iter().filter(|_| !is_own).collect();
        let is_single = from.len() <= 1 && from.iter().all(|item| item.joins.is_empty());
        while let Some(condition) = open.pop() {
            self.types.spend(1);
            match condition {
                Expr::Nested(inner) => open.push(inner),
                Expr::BinaryOp {
                    left,
                    op: BinaryOperator::And,
                    right,
                } => open.extend([&**left, right]),
                Expr::BinaryOp {
                    left,
                    op: BinaryOperator::Eq,
                    right,
                } => {
                    let fact = self.fact(left, &[right], is_single);
                    facts.extend(fact.or_else(|| self.fact(right, &[left], is_single)));
                }
                Expr::InList {
                    expr,
                    list,
                    negated: false,
                } => {
                    let list: Vec<&Expr> = list.iter().collect();
                    facts.extend(self.fact(expr, &list, is_single));
                }
                _ => {}
            }
        }
        facts
    }

    fn fact(&self, column: &Expr, values: &[&Expr], is_single: bool) -> Option<Fact> {
        let (table, column) = match as_text(column) {
            Expr::Identifier(column) if is_single => (None, column),
            Expr::CompoundIdentifier(parts) => match parts.as_slice() {
                [table, column] => (Some(table.value.clone()), column),
                _ => return None,
            },
            _ => return None,
        };
        if !self.context.snapshot.tells(&column.value) {
            return None;
        }
        let values = values.iter().map(|value| constant(value));
        Some(Fact {
            table,
            column: column.value.clone(),
            values: values.collect::<Option<_>>()?,
        })
    }

    /// A mention of such a column where it is a column of ids like others.
    pub(super) fn opened(&mut self, node: TypeVar, at: &Range<usize>) -> Option<TypeVar> {
        let sighted = self.polymorphic.get(&node)?.clone();
        let id = sighted.fixed?;
        if self.is_stored() && !sighted.of.written {
            return Some(self.types.node(Shape::Id(id)).via(node.origin()));
        }
        let mention = self.mention_of(sighted, at.clone())?;
        self.only_as(&mention, id)
    }

    /// Lets a mention be the key of one domain, and NULL in other rows: what the WHERE says of rows
    /// may be tested behind what is computed from them.
    fn only_as(&mut self, mention: &Mention, id: IdType) -> Option<TypeVar> {
        self.enclose_key(mention, mention.sighted.of.of(id.domain)?);
        let node = self.types.node(Shape::Id(id));
        Some(node.via(mention.sighted.node.origin()))
    }

    fn enclose_key(&mut self, mention: &Mention, kind: &PolymorphicKind) {
        let (open, close) = mention.around(kind);
        self.keeping_tags(|binder| {
            let (open, close) = (format!("({open}"), format!("{close})"));
            binder.enclose(&mention.at, vec![text(&open)], vec![text(&close)]);
        });
    }

    /// What a column is that has keys of one domain alone.
    pub(super) fn told_as(&mut self, mention: &Mention, id: IdType) -> TypeVar {
        let node = self.types.node(Shape::Id(id));
        let node = node.via(mention.sighted.node.origin());
        self.told_columns.insert(node, mention.sighted.place);
        node
    }

    /// Whether a column can be told to be null or not, whatever its keys are.
    pub(super) fn is_polymorphic(&self, expr: &Expr) -> bool {
        self.sighted(expr).is_some()
    }

    /// Whether it is known what the keys of such a column are.
    pub(super) fn is_fixed(&self, expr: &Expr) -> bool {
        self.sighted(expr)
            .is_some_and(|(sighted, _)| sighted.fixed.is_some())
    }

    /// Says of an item of a SELECT list which column it is, if that is one that is computed.
    pub(super) fn tell_place(&mut self, expr: &Expr, node: TypeVar) {
        let Some(column) = self.column_named(expr) else {
            return;
        };
        let own = self.polymorphic.get(&column).map(|own| own.place);
        let own = own.filter(|_| !self.is_stored());
        if let Some(place) = own.or_else(|| self.told_columns.get(&column).copied()) {
            self.told_columns.insert(node, place);
        }
    }

    /// The column that an expression names and that is all of it.
    fn column_named(&self, expr: &Expr) -> Option<TypeVar> {
        if self.polymorphic.is_empty() {
            return None;
        }
        let found = match bare(expr) {
            Expr::Identifier(column) => self.scopes.unqualified(&column.value),
            Expr::CompoundIdentifier(parts) => match parts.as_slice() {
                [table, column] => self.scopes.qualified(None, &table.value, &column.value),
                [schema, table, column] => {
                    let schema = Some(schema.value.as_str());
                    self.scopes.qualified(schema, &table.value, &column.value)
                }
                _ => return None,
            },
            _ => return None,
        };
        match found {
            Found::Column(node) => Some(node),
            _ => None,
        }
    }

    fn sighted(&self, expr: &Expr) -> Option<(Sighted, Range<usize>)> {
        let node = self.column_named(expr)?;
        Some((self.polymorphic.get(&node)?.clone(), span_of(bare(expr))))
    }

    /// A mention of such a column in the text of the client. Where rows are grouped by it, what is
    /// known to be of one domain stays what it is grouped by.
    pub(super) fn instantiate(&self, expr: &Expr) -> Option<Mention> {
        let (sighted, at) = self.sighted(expr)?;
        let mention = self.mention_of(sighted, at)?;
        let grouped = mention.sighted.fixed.is_some() && self.is_grouped(&mention);
        (!grouped).then_some(mention)
    }

    /// Whether rows are grouped by a column, and not by what stands beside it.
    pub(super) fn is_grouped(&self, mention: &Mention) -> bool {
        let has = |name: &String| self.grouping.columns.contains(name);
        has(&mention.name) && !has(&mention.sighted.of.by)
    }

    fn mention_of(&self, sighted: Sighted, at: Range<usize>) -> Option<Mention> {
        if self.is_stored() {
            return None;
        }
        let name = self.token_before(at.end);
        let written = self.text.get(name)?;
        let mut prefix = self.text.get(at.start..at.end - written.len())?.to_owned();
        // Its neighbour must be its neighbour.
        let is_by = |found: Found| matches!(found, Found::Column(node) if node == sighted.by);
        let by = &sighted.of.by;
        if prefix.is_empty() && !is_by(self.scopes.unqualified(by)) {
            if !is_by(self.scopes.qualified(None, &sighted.table, by)) {
                return None;
            }
            prefix = format!("{}.", quoted(&sighted.table));
        }
        Some(Mention {
            column: format!("{prefix}{written}"),
            name: sighted.name.clone(),
            sighted,
            at,
            prefix,
        })
    }

    /// Lets a mention be the key of one domain, and NULL in the rows of others.
    fn read_as(&mut self, mention: &Mention, id: IdType) {
        let Some(kind) = mention.sighted.of.of(id.domain) else {
            return;
        };
        if !mention.sighted.of.written {
            return;
        }
        self.enclose_key(mention, kind);
    }

    /// `=` and `<>` beside such a column.
    pub(super) fn polymorphic_comparison(
        &mut self,
        left: &Expr,
        right: &Expr,
        word: &str,
    ) -> Check<Option<TypeVar>> {
        if !matches!(word, "=" | "<>") {
            return Ok(None);
        }
        let open = |mention: &Option<Mention>| mention.as_ref().is_some_and(Mention::is_open);
        let (mention, other) = match (self.instantiate(left), self.instantiate(right)) {
            (Some(one), other) if other.is_none() || one.is_open() && !open(&other) => (one, right),
            (other, Some(one)) if other.is_none() || one.is_open() && !open(&other) => (one, left),
            _ => return Ok(None),
        };
        let start = self.extent_of_operation(left);
        let end = self.extent_of_operation(right);
        let (Some(start), Some(end)) = (start, end) else {
            return Ok(None);
        };
        let whole = start.start..end.end;
        let form = Form::One(word);
        if is_of_the_client(other) {
            return self.read_each(&mention, &[other], form, &whole);
        }
        if word != "=" {
            return Ok(None);
        }
        let found = self.expr(other)?;
        self.guard(&mention, found, &whole, At::Between(left, right))
    }

    /// `IN (…)` and `NOT IN (…)` behind such a column.
    pub(super) fn polymorphic_list(
        &mut self,
        expr: &Expr,
        list: &[Expr],
        negated: bool,
    ) -> Check<Option<TypeVar>> {
        let Some(mention) = self.instantiate(expr) else {
            return Ok(None);
        };
        let first = list.first().map(start_of);
        let brackets = first.and_then(|first| self.bracketed(first, "("));
        let (Some(start), Some(brackets)) = (self.extent(expr), brackets) else {
            return Ok(None);
        };
        if !list.iter().all(is_of_the_client) {
            return Ok(None);
        }
        let list: Vec<&Expr> = list.iter().collect();
        let whole = start.start..brackets.end;
        self.read_each(&mention, &list, Form::List(negated), &whole)
    }

    /// `= ANY (…)` and `<> ALL (…)` of an array behind such a column.
    pub(super) fn polymorphic_array(
        &mut self,
        left: &Expr,
        word: &str,
        right: &Expr,
        quantifier: &'static str,
    ) -> Check<Option<TypeVar>> {
        let is_meant = matches!((word, quantifier), ("=", "ANY") | ("<>", "ALL"));
        let Some(mention) = self.instantiate(left).filter(|_| is_meant) else {
            return Ok(None);
        };
        let brackets = self.bracketed(start_of(right), "(");
        let (Some(start), Some(brackets)) = (self.extent(left), brackets) else {
            return Ok(None);
        };
        if !is_of_the_client(right) {
            return Ok(None);
        }
        let whole = start.start..brackets.end;
        self.read_each(&mention, &[right], Form::Array(word, quantifier), &whole)
    }

    /// `IN (SELECT …)` behind such a column.
    pub(super) fn polymorphic_subquery(
        &mut self,
        expr: &Expr,
        query: &Query,
    ) -> Check<Option<TypeVar>> {
        let Some(mention) = self.instantiate(expr) else {
            return Ok(None);
        };
        let first = start_of_query(query);
        let brackets = first.and_then(|first| self.bracketed(first, "("));
        let (Some(start), Some(brackets)) = (self.extent(expr), brackets) else {
            return Ok(None);
        };
        let outputs = self.query_of_values(query)?;
        let [output] = outputs.as_slice() else {
            return Err(self.unknown_kind(&mention));
        };
        let whole = start.start..brackets.end;
        self.guard(&mention, output.node, &whole, At::EndOf(expr))
    }

    /// A comparison with ids of one domain: no row of another is a match.
    fn guard(
        &mut self,
        mention: &Mention,
        other: TypeVar,
        whole: &Range<usize>,
        at: At<'_>,
    ) -> Check<Option<TypeVar>> {
        let kind = match self.types.shape(other) {
            Shape::Id(id) => mention.sighted.of.of(id.domain).cloned(),
            _ => None,
        };
        let Some(kind) = kind else {
            let fixed = mention.sighted.fixed;
            let Some(node) = fixed.and_then(|id| self.only_as(mention, id)) else {
                return Err(self.unknown_kind(mention));
            };
            self.compare_nodes((node, other), "=", at)?;
            return Ok(Some(self.types.native(BOOL)));
        };
        let node = self.types.node(Shape::Id(kind.id));
        let node = node.via(mention.sighted.node.origin());
        self.read_as(mention, kind.id);
        self.compare_nodes((node, other), "=", at)?;
        let condition = mention.condition(&kind);
        let close = format!(" AND {condition}{})", mention.or_unknown());
        self.keeping_tags(|binder| binder.enclose(whole, vec![text("(")], vec![text(&close)]));
        Ok(Some(self.types.native(BOOL)))
    }

    /// A comparison with values of the client: what stands there is that of the first domain, and
    /// behind it stands the same for each other.
    fn read_each(
        &mut self,
        mention: &Mention,
        values: &[&Expr],
        form: Form<'_>,
        whole: &Range<usize>,
    ) -> Check<Option<TypeVar>> {
        let kinds = mention.kinds();
        let Some((first, others)) = kinds.split_first() else {
            return Ok(None);
        };
        if self.explained && !others.is_empty() {
            return self.unsupported(
                "EXPLAIN of a comparison with ids of several kinds",
                whole.clone(),
            );
        }
        // What is compared with `varchar` is text.
        let compared = |id: IdType| match id.shown {
            KeyType::Varchar => IdType {
                shown: KeyType::Text,
                ..id
            },
            _ => id,
        };
        let column = self.types.node(Shape::Id(compared(first.id)));
        let column = column.via(mention.sighted.node.origin());
        let before = self.occurrences.len();
        for value in values {
            let node = self.expr(value)?;
            match form {
                Form::Array(word, _) => {
                    let element = self.types.node(Shape::Unknown);
                    let array = self.types.node(Shape::Array(element));
                    let at = At::from(span_of(value));
                    if self.types.unify(node, array).is_err() {
                        return Err(self.unknown_kind(mention));
                    }
                    self.compare_nodes((column, element), word, at)?;
                }
                Form::One(word) => {
                    self.compare_nodes((column, node), word, At::from(span_of(value)))?;
                }
                Form::List(_) => {
                    self.compare_nodes((column, node), "=", At::from(span_of(value)))?;
                }
            }
        }
        if self.occurrences.len() != before + values.len() {
            return Err(self.unknown_kind(mention));
        }
        self.read_as(mention, first.id);
        let open = format!("(({} AND ", mention.condition(first));
        let mut close = vec![text(")")];
        for kind in others {
            close.push(text(&format!(" OR ({} AND ", mention.condition(kind))));
            let array = matches!(form, Form::Array(..));
            let mut again = Vec::new();
            for place in before..before + values.len() {
                again.push(self.again(place, compared(kind.id), array));
            }
            close.extend(comparison(
                &mention.key(kind),
                kind.id.key_type,
                form,
                again,
            ));
            close.push(text(")"));
        }
        close.push(text(&format!("{})", mention.or_unknown())));
        let close = joined(close);
        self.keeping_tags(|binder| binder.enclose(whole, vec![text(&open)], close));
        Ok(Some(self.types.native(BOOL)))
    }

    /// A value of the client's once more, as the id of another domain.
    pub(super) fn again(&mut self, place: usize, id: IdType, array: bool) -> TagPart {
        let node = self.types.node(Shape::Id(id));
        let node = match array {
            true => self.types.node(Shape::Array(node)),
            false => node,
        };
        self.again_as(place, node)
    }

    pub(super) fn again_as(&mut self, place: usize, node: TypeVar) -> TagPart {
        if let Some(first) = self.occurrences.get(place) {
            let again = Occurrence {
                node,
                again: true,
                ..first.clone()
            };
            self.occurrences.push(again);
        }
        TagPart::Again(self.occurrences.len() - 1)
    }

    /// The refusal of a mention of which it can't be told what it is.
    pub(super) fn unknown_kind(&self, mention: &Mention) -> Box<Refusal> {
        let name = mention.column.rsplit('.').next().unwrap_or_default();
        let refusal = hidden(name.trim_matches('"'), Because::Polymorphic);
        Box::new(refusal.at(mention.at.clone()))
    }
}

/// The kind that a constant means, as it stands in the statement.
pub(super) fn kind_of<'o>(of: &'o Polymorphic, value: &str) -> Option<&'o PolymorphicKind> {
    if KeyType::from_oid(of.by_type).is_some_and(|(by, _)| by.is_integer()) {
        let number: i64 = value.trim().parse().ok()?;
        return of.kind(&number.to_string());
    }
    of.kind(value)
}

/// A constant that is compared with a column of text or of integers.
pub(super) fn constant(expr: &Expr) -> Option<String> {
    match as_text(expr) {
        Expr::Value(value) => match &value.value {
            SqlValue::Number(digits, _) => {
                crate::sql::normalize::number(digits, range(value.span).start).map(str::to_owned)
            }
            other => string_value(other).map(str::to_owned),
        },
        _ => None,
    }
}

/// An expression without brackets around it, and without casts to text, which change nothing about
/// which texts are equal.
fn as_text(mut expr: &Expr) -> &Expr {
    loop {
        expr = match expr {
            Expr::Nested(inner) => inner,
            Expr::Cast {
                expr, data_type, ..
            } if is_text_name(data_type) => expr,
            _ => return expr,
        };
    }
}

/// Whether an expression is a value of the client's and nothing else, perhaps with its type.
pub(super) fn is_of_the_client(expr: &Expr) -> bool {
    match bare(expr) {
        Expr::Cast { expr, .. } => is_of_the_client(expr),
        Expr::UnaryOp {
            op: UnaryOperator::Minus,
            expr,
        } => matches!(&**expr, Expr::Value(value) if matches!(value.value, SqlValue::Number(..))),
        Expr::Value(value) => {
            is_string(&value.value)
                || matches!(value.value, SqlValue::Number(..) | SqlValue::Placeholder(_))
        }
        _ => false,
    }
}

/// An expression without brackets around it.
pub(super) fn bare(mut expr: &Expr) -> &Expr {
    while let Expr::Nested(inner) = expr {
        expr = inner;
    }
    expr
}

/// Where a plain query begins.
fn start_of_query(query: &Query) -> Option<usize> {
    let (None, sqlparser::ast::SetExpr::Select(select)) = (&query.with, query.body.as_ref()) else {
        return None;
    };
    Some(range(select.select_token.0.span).start)
}
