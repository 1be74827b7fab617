//! Relations of the system that are not answered as they stand. In the place of each stands a
//! subquery over it with the same columns, so that every way of asking agrees: it leaves out the rows
//! that a database with real ids would not have, and says of columns what clients see of them. What
//! that is [`super::catalogs`] tells.

use std::collections::BTreeSet;
use std::ops::Range;

use sqlparser::ast::{
    Expr, Function, FunctionArg, FunctionArgExpr, FunctionArguments, Ident, ObjectName, Spanned,
    TableAlias,
};

use crate::catalog::{Relation, Snapshot};
use crate::pg::functions::{Effect, Told};
use crate::sql::lineage::Origin;
use crate::sql::parse::range;
use crate::sql::plan::{Edit, Replacement};
use crate::sql::refusal::Refusal;
use crate::sql::scope::{Columns, Found, Output, Scope, Table};

use super::around::{DEFAULTS, around_expression, around_serial_sequence};
use super::callee::Callee;
use super::catalog_rows::Mention;
use super::catalogs::{Catalog, DOMAINS, SAMPLED};
use super::from::{call_of, named};
use super::polymorphic_text::quoted;
use super::procedures::tells_procedure;
use super::signatures::{around_signature, tells_signatures};
use super::{Binder, Check};

/// A subquery in the place of a relation.
#[derive(Debug)]
pub(in crate::sql) struct StandIn {
    pub(super) catalog: &'static Catalog,
    /// The bytes that it replaces.
    span: Range<usize>,
    /// What stands before it.
    before: &'static str,
    /// The name that it is given, if the statement gives it none.
    alias: Option<&'static str>,
    pub(super) columns: Vec<String>,
    /// The name by which the statement calls it.
    pub(super) called: String,
    /// Its columns as the statement sees them.
    pub(super) seen: Columns,
    /// What the statement names of its rows.
    pub(super) mentions: Vec<Mention>,
    /// The hidden columns of the relation that the statement names.
    pub(super) hidden: BTreeSet<&'static str>,
    /// Whether the statement means all its columns.
    pub(super) is_whole: bool,
    /// Whether the relation stays where it is, and is answered as it stands.
    is_left: bool,
    /// The clause by which only some rows of the relation are read.
    sample: Option<Sample>,
}

/// TABLESAMPLE, which no subquery may have behind it. So it stays where it is, behind the relation in
/// the subquery, which goes around it.
#[derive(Debug)]
struct Sample {
    /// What stands between the name of the relation and the clause: the alias.
    alias: Range<usize>,
    /// Where the clause ends.
    end: usize,
}

impl Binder<'_> {
    /// What a relation offers under FROM that is not answered as it stands; `None` for others, and
    /// in definitions, which stay as they are.
    pub(super) fn stand_in(
        &mut self,
        relation: &Relation,
        name: &ObjectName,
        alias: Option<&TableAlias>,
    ) -> Check<Option<Scope>> {
        let snapshot = self.context.snapshot;
        let known = !relation.columns.is_empty() && !self.is_stored() && snapshot.has_ids();
        let catalog = known.then(|| Catalog::of(&relation.schema, &relation.name, snapshot));
        let Some(catalog) = catalog.flatten() else {
            return Ok(None);
        };
        let (span, before) = self.phrase(name);
        let sample = self.sample_behind(span.end, alias);
        let outputs = relation.columns.iter().map(|column| {
            let node = self.types.native(column.type_oid.0);
            Output {
                name: column.name.clone(),
                node: self.column_of(relation, &column.name, node, Origin::UNKNOWN),
            }
        });
        let outputs: Vec<Output> = outputs.collect();
        let mut table = named(outputs, alias, catalog.name);
        table.stands_in = Some(self.stand_ins.len());
        if alias.is_none() {
            table.schema = Some(relation.schema.clone());
        }
        let columns = relation.columns.iter();
        self.stand_ins.push(StandIn {
            catalog,
            span,
            before,
            alias: alias.is_none().then_some(catalog.name),
            columns: columns.map(|column| column.name.clone()).collect(),
            called: table.name.clone(),
            seen: table.columns.clone(),
            mentions: Vec::new(),
            hidden: BTreeSet::new(),
            is_whole: false,
            is_left: false,
            sample,
        });
        self.retold = true;
        Ok(Some(Scope::of(table)))
    }

    /// The bytes of the name of a relation and of the words before it that nothing else may follow,
    /// and what stands for those before a subquery.
    fn phrase(&self, name: &ObjectName) -> (Range<usize>, &'static str) {
        let mut span = range(name.span());
        // `FROM t *`
        let behind = self.tokens_from(span.end).first();
        if let Some(star) = behind.filter(|token| self.written(&token.span) == "*") {
            span.end = star.span.end;
        }
        let before = self.token_before(span.start);
        if self.is_written(&before, "(") {
            let only = self.token_before(before.start);
            if self.is_written(&only, "only") {
                span = only.start..self.closing(before.start).unwrap_or(span.end);
            }
        } else if self.is_written(&before, "only") {
            span.start = before.start;
        }
        let before = self.token_before(span.start);
        if self.is_written(&before, "table") {
            return (before.start..span.end, "SELECT * FROM ");
        }
        (span, "")
    }

    /// Whether a keyword or a sign stands at a place.
    pub(super) fn is_written(&self, place: &Range<usize>, keyword: &str) -> bool {
        self.written(place).eq_ignore_ascii_case(keyword)
    }

    /// Whether what is read has not been written by the client: what has been defined stays as it
    /// is.
    pub(super) fn is_stored(&self) -> bool {
        self.types.in_definition || self.reads_definition()
    }

    /// The TABLESAMPLE behind a relation.
    fn sample_behind(&self, name: usize, alias: Option<&TableAlias>) -> Option<Sample> {
        let next = |end: usize| Some(self.tokens_from(end).first()?.span.clone());
        let mut end = alias.map_or(name, |alias| range(alias.name.span).end);
        if alias.is_some_and(|alias| !alias.columns.is_empty()) {
            end = self.closing(next(end)?.start)?;
        }
        let word = next(end)?;
        if !self.is_written(&word, "tablesample") {
            return None;
        }
        let alias = name..end;
        let open = |span: &Range<usize>| self.is_written(span, "(");
        let arguments = self.tokens_from(word.end).iter();
        let mut arguments = arguments.map(|token| token.span.clone());
        let mut end = self.closing(arguments.find(open)?.start)?;
        if let Some(repeatable) = next(end)
            && self.is_written(&repeatable, "repeatable")
        {
            end = self.closing(next(repeatable.end)?.start)?;
        }
        Some(Sample { alias, end })
    }

    /// Takes the schema away from a name in front of that of a column or `*`: a subquery has none.
    /// The parts are those of the name up to the table's.
    pub(super) fn unqualify(&mut self, schema: Option<&str>, parts: &[Ident]) {
        let [first, .., table] = parts else {
            return;
        };
        let mut scopes = self.scopes.iter().rev();
        let found = scopes.find_map(|scope| scope.table(schema, &table.value));
        if found.is_some_and(|table| table.stands_in.is_some()) {
            self.replaced.push(Edit {
                span: range(first.span).start..range(table.span).start,
                with: Replacement::Text(String::new()),
            });
        }
    }

    /// Takes down that the statement means all columns of what subqueries stand for.
    pub(super) fn asks_whole(&mut self, of: impl IntoIterator<Item = usize>) {
        for of in of {
            self.types.spend(1);
            if let Some(stand_in) = self.stand_ins.get_mut(of) {
                stand_in.is_whole = true;
            }
        }
    }

    /// Whether columns of a table are the key of what a subquery stands for, on which its others depend.
    pub(super) fn has_key(&self, of: usize, table: &Table, is_it: impl Fn(&str) -> bool) -> bool {
        let Some(stand_in) = self.stand_ins.get(of) else {
            return false;
        };
        let columns = stand_in.columns.iter().zip(table.columns.iter());
        let columns = columns.filter(|(_, column)| is_it(&column.name));
        let columns: Vec<&str> = columns.map(|(own, _)| own.as_str()).collect();
        stand_in.catalog.is_key(&columns)
    }

    /// Whether the statement means all columns of what a subquery stands for.
    pub(super) fn is_whole(&self, of: usize) -> bool {
        let stand_in = self.stand_ins.get(of);
        stand_in.is_some_and(|stand_in| stand_in.is_whole)
    }

    /// Leaves the relation where a subquery was to stand for it.
    pub(super) fn leave(&mut self, of: usize) {
        if let Some(stand_in) = self.stand_ins.get_mut(of) {
            stand_in.is_left = true;
        }
    }

    /// The edits that put the subqueries in.
    pub(in crate::sql) fn stand_in_edits(&self) -> Result<Vec<Edit>, Box<Refusal>> {
        let stand_ins = self.stand_ins.iter().filter(|stand_in| !stand_in.is_left);
        let edits = stand_ins.map(|stand_in| {
            let columns: Vec<&str> = stand_in.columns.iter().map(String::as_str).collect();
            let hidden = stand_in.hidden.iter().copied();
            let hidden: Vec<&str> = hidden.filter(|_| !stand_in.is_whole).collect();
            let query = stand_in.catalog.query(&columns, &hidden, self);
            self.types.spend(query.len() / BYTES_A_STEP);
            // What is spent before all views are read makes others of their columns.
            self.budget.check()?;
            let mut edits = self.put_in(stand_in, &query)?;
            edits.append(&mut self.mention_edits(stand_in)?);
            Ok(edits)
        });
        edits
            .collect::<Result<Vec<_>, _>>()
            .map(|edits| edits.concat())
    }

    /// The edits that put a query in, with a mark for what only some rows are read by.
    fn put_in(&self, stand_in: &StandIn, query: &str) -> Result<Vec<Edit>, Box<Refusal>> {
        let name = stand_in.alias.map(|alias| format!(" AS {alias}"));
        let name = name.unwrap_or_default();
        let edit = |span: Range<usize>, text: String| Edit {
            span,
            with: Replacement::Text(text),
        };
        let StandIn { span, before, .. } = stand_in;
        let Some(Sample { alias, end }) = &stand_in.sample else {
            let query = query.replace(SAMPLED, "");
            let text = format!("{before}({query}){name}");
            return Ok(vec![edit(span.clone(), text)]);
        };
        let mut parts = query.split(SAMPLED);
        let (Some(open), Some(close), None) = (parts.next(), parts.next(), parts.next()) else {
            return self.unsupported("TABLESAMPLE of this relation", alias.end..*end);
        };
        let alias = self.text.get(alias.clone()).unwrap_or_default();
        Ok(vec![
            edit(
                span.start..span.end + alias.len(),
                format!("{before}({open} "),
            ),
            edit(*end..*end, format!("{close}){alias}{name}")),
        ])
    }

    /// Puts around a call what lets it tell of columns of keys what catalogs tell.
    pub(super) fn retell(&mut self, function: &Function, callee: &Callee<'_>) -> Check<()> {
        let snapshot = self.context.snapshot;
        let effect = callee.only_builtin().map(|builtin| builtin.effect);
        if self.hides_catalogs && tells(effect, snapshot) {
            return self.unsupported("this call in a view", range(function.name.span()));
        }
        let around = match effect {
            Some(Effect::Tells(Told::Sequence)) => around_serial_sequence(snapshot),
            Some(Effect::Tells(Told::Expression)) if self.names_defaults() => {
                let row = default_in(function).and_then(|row| self.default_row(row));
                let known = row.map_or(&[][..], |_| self.shown_columns());
                self.budget.pay(known.len() / COLUMNS_A_STEP)?;
                Some(around_expression(known, row.flatten()))
            }
            Some(Effect::Tells(Told::Signature)) if tells_signatures(snapshot) => {
                return self.retell_signature(callee.name, function);
            }
            Some(Effect::Tells(Told::Procedure)) => {
                return self.retell_procedure(callee.name, function);
            }
            _ => None,
        };
        let Some([open, close]) = around else {
            return Ok(());
        };
        if self.is_stored() {
            return Ok(());
        }
        let Some(call) = self.extent_of_call(function) else {
            return Ok(());
        };
        self.types.spend(open.len() / BYTES_A_STEP);
        self.put(call.start, open);
        self.put(call.end, close);
        self.retold = true;
        Ok(())
    }
}

impl Binder<'_> {
    /// Puts it around a call in the place of a table, which becomes a subquery: the statement calls it
    /// and its column as it did.
    pub(super) fn retell_in_from(
        &mut self,
        name: &ObjectName,
        args: &[FunctionArg],
        callee: &Callee<'_>,
        (ordinality, alias): (bool, Option<&TableAlias>),
    ) -> Check<()> {
        let call = call_of(name, args);
        let extent = self.extent_of_call(&call);
        let Some(extent) = extent.filter(|_| !tells_procedure(callee.builtin)) else {
            return self.unsupported("this call in FROM", range(name.span()));
        };
        let before = self.token_before(extent.start);
        if !self.is_written(&before, "lateral") {
            // A function may name the tables before it, a subquery only so.
            self.put(extent.start, "LATERAL ".to_owned());
        }
        let [with, ordinality] = match self.tokens_from(extent.end) {
            [with, word, ..] if ordinality => [with.span.start, word.span.end],
            _ => [extent.end; 2],
        };
        if with < ordinality {
            self.put(extent.start, "(SELECT ".to_owned());
        }
        self.retell(&call, callee)?;
        if with < ordinality {
            // A value is one row.
            let name = callee.name;
            let text = format!(" AS {name}, '1'::pg_catalog.int8 AS ordinality)");
            self.put(extent.end, text);
            self.replaced.push(Edit {
                span: with..ordinality,
                with: Replacement::Text(String::new()),
            });
        }
        match alias {
            None => self.put(ordinality, format!(" AS {}", callee.name)),
            Some(alias) if alias.columns.is_empty() => {
                let column = format!("({})", quoted(&alias.name.value));
                self.put(range(alias.name.span).end, column);
            }
            Some(_) => {}
        }
        Ok(())
    }

    fn put(&mut self, at: usize, text: String) {
        let with = Replacement::Text(text);
        self.replaced.push(Edit { span: at..at, with });
    }

    /// Puts what is said of a function's signature in the place of a call that writes it.
    fn retell_signature(&mut self, name: &str, function: &Function) -> Check<()> {
        if self.is_stored() {
            return Ok(());
        }
        let Some(call) = self.extent_of_call(function) else {
            return Ok(());
        };
        let named = range(function.name.span());
        let first = self.tokens_from(named.end).first();
        let Some(first) = first.map(|token| token.span.clone()) else {
            return Ok(());
        };
        let around = around_signature(name, self.context.snapshot);
        self.put_around_arguments(call, first.end, around);
        self.retold = true;
        Ok(())
    }

    /// Puts texts in the place of a call, but for its arguments, which begin at a place.
    pub(super) fn put_around_arguments(
        &mut self,
        call: Range<usize>,
        arguments: usize,
        [open, close]: [String; 2],
    ) {
        self.types.spend(open.len() / BYTES_A_STEP);
        for (span, text) in [
            (call.start..arguments, open),
            (call.end.saturating_sub(1)..call.end, close),
        ] {
            let with = Replacement::Text(text);
            self.replaced.push(Edit { span, with });
        }
    }

    /// What stands in front of the columns of a row of the catalog of defaults, of which a column is
    /// named with this before it, if anything does. `None` if it is not a row of the catalog itself,
    /// and where rows are grouped.
    fn default_row(&self, row: &[Ident]) -> Option<Option<&str>> {
        if !self.grouping.columns.is_empty() {
            return None;
        }
        let Some(name) = row.last() else {
            let is_there = matches!(self.scopes.unqualified("adnum"), Found::Column(_));
            return is_there.then_some(None);
        };
        let mut scopes = self.scopes.iter().rev();
        let table = scopes.find_map(|scope| scope.table(None, &name.value))?;
        let of = self.stand_ins.get(table.stands_in?)?;
        let name = self.text.get(range(name.span))?;
        (of.catalog.name == DEFAULTS).then_some(Some(name))
    }

    /// Whether what a function tells is something else here.
    pub(super) fn is_retold(&self, callee: &Callee<'_>) -> bool {
        let snapshot = self.context.snapshot;
        let tells = match callee.builtin.map(|builtin| builtin.effect) {
            Some(Effect::Tells(Told::Sequence)) => around_serial_sequence(snapshot).is_some(),
            Some(Effect::Tells(Told::Expression)) => self.names_defaults(),
            Some(Effect::Tells(Told::Signature | Told::Procedure)) => tells_signatures(snapshot),
            _ => false,
        };
        tells && !self.is_stored()
    }

    /// Whether what has been read of the statement names a catalog with defaults.
    fn names_defaults(&self) -> bool {
        let mut stand_ins = self.stand_ins.iter();
        stand_ins.any(|stand_in| [DEFAULTS, DOMAINS].contains(&stand_in.catalog.name))
    }
}

/// Whether a function tells of keys, or signatures, what is stored, whatever it is given.
fn tells(effect: Option<Effect>, snapshot: &Snapshot) -> bool {
    match effect {
        Some(Effect::Tells(Told::Sequence)) => around_serial_sequence(snapshot).is_some(),
        Some(Effect::Tells(Told::Signature | Told::Procedure)) => tells_signatures(snapshot),
        _ => false,
    }
}

/// The names in front of the column, where the expression that a call is to tell is a default.
fn default_in(function: &Function) -> Option<&[Ident]> {
    let FunctionArguments::List(list) = &function.args else {
        return None;
    };
    let FunctionArg::Unnamed(FunctionArgExpr::Expr(expr)) = list.args.first()? else {
        return None;
    };
    let parts = match expr {
        Expr::Identifier(column) => std::slice::from_ref(column),
        Expr::CompoundIdentifier(parts) => parts,
        _ => return None,
    };
    let (column, row) = parts.split_last()?;
    (column.value == "adbin").then_some(row)
}

/// So much of a subquery is written in one step of the analysis.
const BYTES_A_STEP: usize = 32;

/// So many columns are looked at in one.
const COLUMNS_A_STEP: usize = 8;
