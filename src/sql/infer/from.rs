//! FROM items: tables, subqueries and functions in the place of tables.

use sqlparser::ast::{
    Expr, Function, FunctionArg, FunctionArgExpr, FunctionArgOperator, FunctionArgumentList,
    FunctionArguments, ObjectName, Spanned, TableAlias, TableFactor,
};

use crate::catalog::Relation;
use crate::pg::functions::{Effect, Reading, Rows, Rule};
use crate::sql::parse::{ROWS_FROM, joined, range};
use crate::sql::refusal::{Code, Refusal};
use crate::sql::scope::{Columns, Output, Scope, Table, Tells};
use crate::sql::types::{Because, Shape, TypeVar};

use super::callee::Callee;
use super::column_name::last;
use super::routine::Returned;
use super::span::At;
use super::{Binder, Check, List};

impl Binder<'_> {
    #[expect(clippy::too_many_lines, reason = "one arm per kind of FROM item")]
    pub(super) fn table_factor(&mut self, factor: &TableFactor) -> Check<Scope> {
        self.nested(|binder| match factor {
            TableFactor::Table {
                name,
                alias,
                args: None,
                with_ordinality: false,
                sample,
                ..
            } => {
                if sample.is_some() {
                    return binder.unsupported("TABLESAMPLE", range(factor.span()));
                }
                binder.named_table(name, alias.as_ref())
            }
            TableFactor::Table {
                name,
                alias,
                args: Some(args),
                ..
            } if last(name) == ROWS_FROM => binder.rows_from(&args.args, alias.as_ref()),
            TableFactor::Table {
                name,
                alias,
                args: Some(args),
                with_ordinality,
                ..
            } => binder.called_in_from(&last(name), |binder| {
                binder.function_table(name, &args.args, *with_ordinality, alias.as_ref())
            }),
            TableFactor::Function {
                name,
                args,
                alias,
                with_ordinality,
                ..
            } => binder.called_in_from(&last(name), |binder| {
                binder.function_table(name, args, *with_ordinality, alias.as_ref())
            }),
            TableFactor::UNNEST {
                alias,
                array_exprs,
                with_ordinality,
                with_offset: false,
                ..
            } if !binder.callee_of(None, "unnest").is_own => binder
                .called_in_from("unnest", |binder| {
                    binder.unnest(array_exprs, *with_ordinality, alias.as_ref())
                }),
            TableFactor::Derived {
                subquery,
                alias,
                lateral: false,
                sample: None,
            } if let Some(joins) = joined(subquery) => {
                binder.joins_in_brackets(joins, alias.as_ref())
            }
            TableFactor::Derived {
                subquery,
                alias,
                lateral,
                sample: None,
            } => {
                let columns = if *lateral {
                    binder.open_query(subquery)?
                } else {
                    binder.without_siblings(|binder| binder.open_query(subquery))?
                };
                binder.note_text_columns(subquery, &columns);
                let mut table = binder.of_query(columns, alias.as_ref(), "")?;
                table.other_row = false;
                Ok(Scope::of(table))
            }
            TableFactor::NestedJoin {
                table_with_joins,
                alias,
            } => binder.joins_in_brackets(table_with_joins, alias.as_ref()),
            TableFactor::Table { .. }
            | TableFactor::UNNEST { .. }
            | TableFactor::Derived { .. }
            | TableFactor::TableFunction { .. }
            | TableFactor::JsonTable { .. }
            | TableFactor::OpenJsonTable { .. }
            | TableFactor::Pivot { .. }
            | TableFactor::Unpivot { .. }
            | TableFactor::UnpivotExpr { .. }
            | TableFactor::MatchRecognize { .. }
            | TableFactor::XmlTable { .. }
            | TableFactor::SemanticView { .. } => {
                binder.unsupported("this kind of FROM item", range(factor.span()))
            }
        })
    }

    fn named_table(&mut self, name: &ObjectName, alias: Option<&TableAlias>) -> Check<Scope> {
        let (schema, table_name) = self.relation_name(name)?;
        let cte = self
            .cte_places
            .get(table_name)
            .and_then(|places| places.last());
        match cte
            .filter(|_| schema.is_none())
            .and_then(|place| self.ctes.get(*place))
        {
            Some((_, Some(outputs))) => {
                self.types.spend(outputs.len());
                let columns = outputs.clone();
                let mut table = self.of_query(columns, alias, table_name)?;
                table.other_row = false;
                return Ok(Scope::of(table));
            }
            Some((_, None)) => {
                return self.unsupported("this reference of WITH RECURSIVE", range(name.span()));
            }
            None => {}
        }
        let Some(relation) = self.relation(name)? else {
            let open = Table {
                name: alias
                    .map_or(table_name, |alias| alias.name.value.as_str())
                    .to_owned(),
                schema: schema.map(str::to_owned),
                columns: Vec::new().into(),
                open: true,
                tells: Tells::Nothing,
                other_row: true,
                stands_in: None,
            };
            let system = matches!(schema, Some("pg_catalog" | "information_schema"));
            return if system {
                Ok(Scope::of(open))
            } else {
                self.unknown_relation(name)
            };
        };
        if let Some(stand_in) = self.stand_in(&relation, name, alias)? {
            return Ok(stand_in);
        }
        let columns = match self.told_by_view(&relation, range(name.span()))? {
            Some(columns) => columns,
            None => self.relation_columns(&relation, range(name.span()))?,
        };
        // Under other names its columns are others.
        if alias.is_none_or(|alias| alias.columns.is_empty()) {
            let called = alias.map_or(table_name, |alias| alias.name.value.as_str());
            self.sight(&relation, &columns, called);
        }
        let mut table = named(columns, alias, table_name);
        table.other_row = alias.is_some_and(|alias| !alias.columns.is_empty());
        if alias.is_none() {
            table.schema = Some(relation.schema.clone());
        }
        table.open = is_open(&relation);
        table.tells = Tells::of(&relation);
        Ok(Scope::of(table))
    }

    /// What a query offers under FROM.
    fn of_query(
        &mut self,
        mut columns: Vec<Output>,
        alias: Option<&TableAlias>,
        name: &str,
    ) -> Check<Table> {
        let all = columns.len();
        columns.retain(|column| !column.is_rest());
        let open = columns.len() < all;
        if let Some(column) = alias.and_then(|alias| alias.columns.first())
            && open
        {
            let at = range(column.name.span);
            return self.unsupported("names for columns that it does not know", at);
        }
        self.set_text_columns_apart(&mut columns);
        let table = named(columns, alias, name);
        Ok(Table { open, ..table })
    }

    pub(super) fn unknown_relation<T>(&self, name: &ObjectName) -> Check<T> {
        let parts = name.0.iter().filter_map(|part| part.as_ident());
        let parts: Vec<&str> = parts.map(|part| part.value.as_str()).collect();
        let written = parts.join(".");
        let message = format!("relation \"{written}\" does not exist");
        let refusal = Refusal::new(Code::UnknownName, "42P01", message).at(range(name.span()));
        Err(Box::new(refusal.not_seen("relation", self.context.fresh)))
    }

    fn function_arguments<'e>(
        &self,
        name: &ObjectName,
        args: &'e [FunctionArg],
    ) -> Check<Vec<&'e Expr>> {
        let mut exprs: Vec<&Expr> = Vec::new();
        for arg in args {
            match arg {
                // The name of a member is a value like others.
                FunctionArg::ExprNamed {
                    operator: FunctionArgOperator::Colon | FunctionArgOperator::Value,
                    ..
                }
                | FunctionArg::Named {
                    operator: FunctionArgOperator::Colon | FunctionArgOperator::Value,
                    ..
                } => return self.unsupported("this form of argument", range(name.span())),
                FunctionArg::Unnamed(FunctionArgExpr::Expr(expr))
                | FunctionArg::Named {
                    arg: FunctionArgExpr::Expr(expr),
                    ..
                }
                | FunctionArg::ExprNamed {
                    name: Expr::Identifier(_),
                    arg: FunctionArgExpr::Expr(expr),
                    ..
                } => exprs.push(expr),
                FunctionArg::Unnamed(_)
                | FunctionArg::Named { .. }
                | FunctionArg::ExprNamed { .. } => {
                    return self.unsupported("this form of argument", range(name.span()));
                }
            }
        }
        Ok(exprs)
    }

    /// A function in the place of a table. Its columns are known if it has one; otherwise any
    /// name may be one of them, and none holds a key.
    fn function_table(
        &mut self,
        name: &ObjectName,
        args: &[FunctionArg],
        ordinality: bool,
        alias: Option<&TableAlias>,
    ) -> Check<Scope> {
        let function = last(name);
        let callee = self.callee(name)?;
        let notifies = callee.does(Effect::Notifies) && self.context.snapshot.has_channels();
        let is_retold = self.is_retold(&callee);
        if notifies {
            return self.unsupported(&format!("{function} in FROM"), range(name.span()));
        }
        if is_retold {
            self.retell_in_from(name, args, &callee, (ordinality, alias))?;
        }
        let args = &*self.without_void(args);
        let exprs = self.function_arguments(name, args)?;
        if callee.rule() == Some(Rule::Elements) && !callee.is_own {
            let exprs: Vec<Expr> = exprs.into_iter().cloned().collect();
            return self.unnest(&exprs, ordinality, alias);
        }
        let at = At::from(range(name.span()));
        self.count_arguments(args, &callee, at)?;
        let nodes = exprs.iter().map(|expr| self.expr(expr));
        let nodes = nodes.collect::<Check<Vec<TypeVar>>>()?;
        let nodes = self.in_order(&callee, args, nodes, at)?;
        let node = match self.user_call(&callee, &nodes, at)? {
            Some(Returned::Value(column)) => {
                return Ok(self.returned(vec![column], ordinality, alias, &function));
            }
            Some(Returned::Row(columns)) => {
                return Ok(self.returned(columns, ordinality, alias, &function));
            }
            Some(Returned::Clean) => self.types.native(0),
            None => {
                if let Some(builtin) = callee.builtin {
                    let given = (exprs.as_slice(), nodes.as_slice());
                    let table = self.json_table((name, builtin), given, ordinality, alias)?;
                    if let Some(table) = table {
                        return Ok(table);
                    }
                }
                if let Some(builtin) = callee.only_builtin()
                    && let Some(row) = self.populated_row(builtin, &nodes, at)?
                {
                    return Ok(self.returned(row, ordinality, alias, &function));
                }
                self.call(&callee, &nodes, at)?
            }
        };
        if self.types.has_id(node) {
            return self.unsupported("this function in FROM", range(name.span()));
        }
        let mut parts = None;
        if callee.builtin.and_then(|of| of.reading) == Some(Reading::SplitToRows) && alias.is_some()
        {
            parts = self.rows_taken_apart(&Expr::Function(call_of(name, args)));
        }
        Ok(Scope::of(
            self.clean_table(&callee, ordinality, alias, parts),
        ))
    }

    /// The columns of a function that returns no id; the parts of a text, if it takes one apart.
    fn clean_table(
        &mut self,
        callee: &Callee<'_>,
        ordinality: bool,
        alias: Option<&TableAlias>,
        parts: Option<List>,
    ) -> Table {
        let declared = alias.map_or(&[][..], |alias| &alias.columns);
        let single = callee.builtin.is_some_and(|of| of.rows == Rows::Column);
        let mut columns = Vec::new();
        if single || !declared.is_empty() {
            let visible = alias.map_or(callee.name, |alias| alias.name.value.as_str());
            let width = declared.len().max(1);
            for index in 0..width {
                let name = declared
                    .get(index)
                    .map_or(visible, |column| column.name.value.as_str());
                let node = self.types.native(0);
                columns.push(Output {
                    name: name.to_owned(),
                    node,
                });
            }
        }
        if let (Some(list), [column, ..]) = (parts, &mut *columns) {
            column.node = self.column_of_parts(list, column.node);
            self.set_rows_apart(&mut columns);
        }
        let complete = single || declared.iter().all(|column| column.data_type.is_some());
        let open = columns.is_empty() || !complete;
        if ordinality && !open && declared.len() < 2 {
            let node = self.place_of_row();
            columns.push(Output {
                name: "ordinality".to_owned(),
                node,
            });
        }
        let mut table = named(columns, None, callee.name);
        if let Some(alias) = alias {
            table.name.clone_from(&alias.name.value);
        }
        table.open = open;
        table.other_row = false;
        table
    }

    /// `unnest(a, b, …) [WITH ORDINALITY]`: one column for each array.
    fn unnest(
        &mut self,
        arrays: &[Expr],
        ordinality: bool,
        alias: Option<&TableAlias>,
    ) -> Check<Scope> {
        let mut columns = Vec::new();
        for array in arrays {
            let node = self.expr(array)?;
            let names = match self.types.shape(node) {
                Shape::Plain(TSVECTOR) => &OF_TSVECTOR[..],
                _ => &["unnest"],
            };
            let node = self.elements(node);
            let node = self.column_of_elements(array, node);
            if let Some(members) = self.named_members(node) {
                columns.extend(members);
                continue;
            }
            columns.extend(names.iter().map(|name| Output {
                name: (*name).to_owned(),
                node,
            }));
        }
        // Rows without names, whose columns the statement names with their types.
        let declared = alias.map_or(&[][..], |alias| &alias.columns);
        if let Some(alias) = alias
            && declared.iter().any(|column| column.data_type.is_some())
        {
            columns = self.defined_columns(&columns, alias)?;
        }
        if ordinality {
            let node = self.place_of_row();
            columns.push(Output {
                name: "ordinality".to_owned(),
                node,
            });
        }
        // With a single column the alias of the table names the column too.
        if let (Some(alias), Some(column)) = (alias, columns.first_mut())
            && alias.columns.is_empty()
            && arrays.len() == 1
            && column.name == "unnest"
        {
            column.name.clone_from(&alias.name.value);
        }
        self.set_rows_apart(&mut columns);
        Ok(Scope::of(named(columns, alias, "unnest")))
    }

    /// The fields of rows without names, as a list of column definitions names and types them.
    fn defined_columns(&mut self, rows: &[Output], alias: &TableAlias) -> Check<Vec<Output>> {
        let at = range(alias.name.span);
        let fields = match rows {
            [row] => match self.types.shape(row.node) {
                Shape::Record(fields) if fields.len() == alias.columns.len() => Some(fields),
                _ => None,
            },
            _ => None,
        };
        if fields.is_none() && rows.iter().any(|row| self.types.has_id(row.node)) {
            return self.unsupported("a list of column definitions", at);
        }
        let mut columns = Vec::new();
        for (index, column) in alias.columns.iter().enumerate() {
            let field = fields
                .as_ref()
                .and_then(|fields| fields.get(index))
                .copied();
            let node = match field.filter(|field| self.types.has_id(*field)) {
                Some(field) => {
                    let field = self.types.instantiate(field);
                    let behind = range(column.name.span).end;
                    let of = column.data_type.as_ref();
                    let target = of.and_then(|of| self.cast_target(|| behind, of));
                    if !target.is_some_and(|target| self.recast(field, &target)) {
                        let message =
                            "function return row and query-specified return row do not match";
                        return Err(Box::new(
                            Refusal::new(Code::UuidType, "42804", message).at(at),
                        ));
                    }
                    field
                }
                None => {
                    field
                        .into_iter()
                        .for_each(|field| self.types.resolve_plain(field));
                    self.types.native(0)
                }
            };
            columns.push(Output {
                name: column.name.value.clone(),
                node,
            });
        }
        Ok(columns)
    }

    /// The type of an array's elements. A literal or parameter that is unnested without a cast is
    /// none of ours: Postgres can't tell its type either.
    pub(super) fn elements(&mut self, array: TypeVar) -> TypeVar {
        match self.types.shape(array) {
            Shape::Array(element) => self.element(element, array),
            _ if self.types.has_id(array) => self.types.hidden(Because::Built),
            _ => {
                self.types.resolve_plain(array);
                let node = self.types.native(0);
                self.element(node, array)
            }
        }
    }
}

/// The call that stands in FROM.
pub(super) fn call_of(name: &ObjectName, args: &[FunctionArg]) -> Function {
    Function {
        name: name.clone(),
        uses_odbc_syntax: false,
        parameters: FunctionArguments::None,
        args: FunctionArguments::List(FunctionArgumentList {
            duplicate_treatment: None,
            args: args.to_vec(),
            clauses: Vec::new(),
        }),
        filter: None,
        null_treatment: None,
        over: None,
        within_group: Vec::new(),
    }
}

/// A table with its alias, and its first columns renamed as the alias says.
pub(super) fn named(columns: impl Into<Columns>, alias: Option<&TableAlias>, name: &str) -> Table {
    let names = alias.iter().flat_map(|alias| &alias.columns);
    let names = names.map(|column| column.name.value.as_str());
    let columns = columns.into().renamed(names);
    Table {
        name: alias
            .map_or(name, |alias| alias.name.value.as_str())
            .to_owned(),
        schema: None,
        columns,
        open: false,
        tells: Tells::Nothing,
        other_row: true,
        stands_in: None,
    }
}

/// Whether nothing is known of a relation's columns but that they are the system's.
pub(super) fn is_open(relation: &Relation) -> bool {
    let system = matches!(
        relation.schema.as_str(),
        "pg_catalog" | "information_schema"
    );
    system && relation.columns.is_empty()
}

use crate::pg::oid::TSVECTOR;

/// What `unnest` makes of a tsvector.
const OF_TSVECTOR: [&str; 3] = ["lexeme", "positions", "weights"];
