//! The bodies of functions in SQL: their statements are read like the definition of a view, with the
//! arguments of the call for parameters. What one of them stores is stored by the call.

use sqlparser::ast::Statement;

use crate::catalog::{
    Argument, Code as Body, Column, Function, IdColumn, KeyType, Returns, SearchPath, is_temporary,
};
use crate::sql::lex::{self, Token};
use crate::sql::plan::{Bound, PathChange, TargetColumn};
use crate::sql::scope::{Output, Scope, Table, Tells};
use crate::sql::types::{Id, Shape, TypeVar, Types, VOID};
use crate::sql::{parse, split};

use super::definition::Definition;
use super::routine::{Returned, output};
use super::span::At;
use super::{Binder, Check};

/// What a body says of an argument.
#[derive(Debug, Default, Clone)]
struct Told {
    /// What it must be.
    id: Option<IdColumn>,
    /// Where it is stored.
    stored: Option<TargetColumn>,
    /// What it bounds, if it is compared for order.
    bound: Option<Bound>,
}

/// What the statements of a body say.
struct Read {
    /// By the last of them.
    returned: Explained,
    told: Vec<Told>,
    /// Ids are compared with something else.
    compares_keys: bool,
}

/// What the analysis of a body says: what the call gives, or why nobody can tell.
pub(super) type Explained = Result<Returned, String>;

impl<'a> Binder<'a> {
    /// The query that a function runs, and where its names are looked for.
    pub(super) fn query_of(&self, function: &'a Function) -> Option<(&'a str, &'a SearchPath)> {
        match &function.code {
            Body::Sql(text) => Some((text, self.caller_path)),
            Body::Atomic(text) => Some((
                text,
                self.context.snapshot.definition_path(&function.schema),
            )),
            Body::Hidden | Body::Other(_) => None,
        }
    }

    /// The result of a function as its body computes it from these arguments.
    pub(super) fn body(
        &mut self,
        function: &'a Function,
        (text, path): (&'a str, &'a SearchPath),
        args: &[TypeVar],
        at: At<'_>,
    ) -> Check<Explained> {
        if self.nests_too_deep(function.oid, 1) {
            return Ok(Err("it calls itself or nests too deep".to_owned()));
        }
        let complete = args.len() == function.arguments.len();
        if function.variadic || !(complete || function.plain_defaults) {
            return Ok(Err("its arguments are not all known".to_owned()));
        }
        if args.iter().any(|arg| !self.is_plain(*arg)) {
            return Ok(Err("an argument has ids in it but is none".to_owned()));
        }
        let scs = match function.code {
            Body::Atomic(_) => true,
            _ => self.context.standard_conforming_strings,
        };
        self.budget.pay_to_read(text.len())?;
        // What the session brings is trusted to ask and no more.
        let writes = !is_temporary(&function.schema);
        let Some(tokens) = lex::lex(text, scs).ok() else {
            return Ok(Err("its body can't be read".to_owned()));
        };
        let statements = match statements(text, &tokens, writes) {
            Ok(statements) => statements,
            Err(cause) => return Ok(Err(cause.to_owned())),
        };
        let read = match self.statements(function, (text, &statements, path), args)? {
            Ok(read) => read,
            Err(cause) => return Ok(Err(cause)),
        };
        // What is not explained is judged by names and types alone, on whatever path.
        let is_explained = read.returned.is_ok() || read.told.iter().any(|told| told.id.is_some());
        let by_path = matches!(function.code, Body::Sql(_)) && self.context.snapshot.has_ids();
        self.late |= by_path && is_explained;
        for (arg, told) in args.iter().zip(read.told) {
            let Some(id) = told.id else {
                self.types.resolve_plain(*arg);
                continue;
            };
            let wanted = self.of_column(id);
            self.argument(function, args, (*arg, wanted), at)?;
            if let Some(stored) = &told.stored {
                self.types.store(*arg, stored);
            }
            if let Some(bound) = told.bound {
                self.order([(*arg, bound)]);
            }
            if let Ok(returned) = &read.returned {
                self.may_return((*arg, id), returned);
            }
        }
        Ok(read.returned)
    }

    /// What the statements of a body say: of one after the other, and anew once an argument has turned
    /// out to be an id, for that holds in all of them.
    fn statements(
        &mut self,
        function: &'a Function,
        (text, statements, path): (&str, &[&[Token<'_>]], &SearchPath),
        args: &[TypeVar],
    ) -> Check<Result<Read, String>> {
        let mut read = Read {
            returned: Err("its body is empty".to_owned()),
            told: vec![Told::default(); function.arguments.len()],
            compares_keys: false,
        };
        loop {
            let before = read.told.clone();
            for tokens in statements {
                self.budget.pay(parse::cost(text, tokens))?;
                let walked = parse::with_tree(text, tokens, |parsed| match parsed {
                    Ok(parsed) => {
                        let body = (text, *tokens, path);
                        self.parsed_body(function, body, parsed, (args, &mut read))
                    }
                    Err(_) => Ok(Err("its body can't be parsed".to_owned())),
                })?;
                if let Err(cause) = walked {
                    return Ok(Err(cause));
                }
            }
            let mut pairs = read.told.iter().zip(&before);
            if statements.len() == 1 || pairs.all(|(now, then)| now.id == then.id) {
                break;
            }
        }
        // What it compares may be computed of its arguments, of whatever type they are.
        if read.compares_keys && !function.arguments.is_empty() {
            return Ok(Err("it compares ids with values that are none".to_owned()));
        }
        Ok(Ok(read))
    }

    /// Reads one statement of a body: what it says of the arguments, and what the function would return
    /// if it were the last. Gives why nobody can tell.
    fn parsed_body(
        &mut self,
        function: &'a Function,
        (text, tokens, path): (&str, &[Token<'_>], &SearchPath),
        statement: &Statement,
        (args, read): (&[TypeVar], &mut Read),
    ) -> Check<Result<(), String>> {
        let mut inner = self.reader(&Definition {
            oid: function.oid,
            own: is_temporary(&function.schema),
            text,
            tokens,
            path,
        });
        let parameters = inner.take_arguments(function, &self.types, args, &read.told);
        let walked = inner.check_implicit_calls();
        let walked = walked.and_then(|()| inner.statement(statement));
        let outputs = match self.absorb(&inner, walked)? {
            Ok(outputs) => outputs,
            Err(cause) => return Ok(Err(cause)),
        };
        if inner.path_change != PathChange::Unchanged {
            return Ok(Err("it changes settings".to_owned()));
        }
        if is_temporary(&function.schema) && inner.writes {
            return Ok(Err("it changes something".to_owned()));
        }
        read.compares_keys |= inner.types.compares_keys;
        inner.types.trace_mentions();
        let found = parameters.into_iter().zip(&function.arguments);
        for ((parameter, argument), told) in found.zip(&mut read.told) {
            match inner.as_argument(parameter, argument) {
                Ok(id) => told.id = told.id.or(id),
                Err(cause) => return Ok(Err(cause)),
            }
            let stored = told.stored.take();
            told.stored = stored.or_else(|| inner.stored_argument(parameter));
            told.bound = Bound::and(told.bound, inner.types.bound(parameter));
        }
        read.returned = self.results(function, &inner, &outputs);
        Ok(Ok(()))
    }

    /// Where a parameter of the function is stored, or its elements are.
    fn stored_argument(&self, parameter: TypeVar) -> Option<TargetColumn> {
        let stored = self.types.stored(parameter);
        let stored = stored.or_else(|| match self.types.shape(parameter) {
            Shape::Array(element) => self.types.stored(element),
            _ => None,
        });
        stored.cloned()
    }

    /// Whether an argument is an id, an array of ids, or has none in it.
    fn is_plain(&self, arg: TypeVar) -> bool {
        let element = match self.types.shape(arg) {
            Shape::Array(element) => element,
            _ => arg,
        };
        matches!(self.types.shape(element), Shape::Id(_)) || !self.types.has_id(arg)
    }

    /// The parameters of the function whose body this binder reads. One that is given an id is
    /// that id; another may turn out to be one where the body uses it.
    fn take_arguments(
        &mut self,
        function: &Function,
        outer: &Types<'_>,
        args: &[TypeVar],
        told: &[Told],
    ) -> Vec<TypeVar> {
        let mut nodes = Vec::new();
        for (index, argument) in function.arguments.iter().enumerate() {
            let node = match args.get(index).map(|arg| outer.shape(*arg)) {
                Some(shape @ Shape::Id(_)) => self.types.node(shape),
                Some(Shape::Array(element)) if outer.has_id(element) => {
                    let element = self.types.node(outer.shape(element));
                    self.types.node(Shape::Array(element))
                }
                _ if let Some(id) = told.get(index).and_then(|told| told.id) => self.of_column(id),
                // Nobody looks at what a default is: it is no id.
                None => match KeyType::from_oid(argument.type_oid.0) {
                    Some((key, true)) => {
                        let element = self.types.native(key.oid());
                        self.types.node(Shape::Array(element))
                    }
                    _ => self.types.native(argument.type_oid.0),
                },
                _ => match KeyType::from_oid(argument.type_oid.0) {
                    Some((_, false)) => self.types.open_parameter(),
                    Some((_, true)) => {
                        let element = self.types.open_parameter();
                        self.types.node(Shape::Array(element))
                    }
                    None => self.types.native(argument.type_oid.0),
                },
            };
            nodes.push(node);
        }
        let named = function.arguments.iter().zip(&nodes);
        let columns: Vec<Output> = named
            .filter(|(argument, _)| !argument.name.is_empty())
            .map(|(argument, node)| output(&argument.name, *node))
            .collect();
        self.scopes.push(Scope::of(Table {
            name: function.name.clone(),
            schema: None,
            columns: columns.into(),
            open: false,
            tells: Tells::Nothing,
            other_row: true,
            stands_in: None,
        }));
        self.parameters = Some(nodes.clone());
        nodes
    }

    /// What a parameter of the function has turned out to be, if it is an id.
    /// Gives why nobody can tell, if ids are something else in it, or something else in them.
    fn as_argument(
        &self,
        parameter: TypeVar,
        argument: &Argument,
    ) -> Result<Option<IdColumn>, String> {
        let (node, array) = match self.types.shape(parameter) {
            Shape::Array(element) => (element, true),
            _ => (parameter, false),
        };
        let id = match self.types.shape(node) {
            Shape::Id(id) => id,
            Shape::Unknown | Shape::Plain(_) | Shape::Typed(_) => return Ok(None),
            _ => return Err("an argument has ids in it but is none".to_owned()),
        };
        let key = KeyType::from_oid(argument.type_oid.0);
        let key = key.filter(|(key, is_array)| *is_array == array && key.is_like(id.key_type));
        let Some((key_type, _)) = key else {
            return Err(
                "an argument is of another type than the ids that it is used as".to_owned(),
            );
        };
        let shown = if id.is_native() { key_type } else { id.shown };
        let id = Id {
            key_type,
            shown,
            ..id
        };
        Ok(Some(IdColumn { id, array }))
    }

    /// What a body gives, as the function returns it.
    fn results(
        &mut self,
        function: &Function,
        inner: &Binder<'_>,
        outputs: &[Output],
    ) -> Explained {
        let columns: Vec<Argument> = match &function.returns {
            Returns::Value(value) if value.type_oid.0 == VOID => {
                return Ok(self.clean(&function.returns));
            }
            Returns::Value(value) => vec![value.clone()],
            Returns::Columns(columns) => columns.clone(),
            Returns::Row(oid) => {
                let relation = self.context.snapshot.relation(*oid);
                let columns = relation.map(|relation| &relation.columns);
                let argument = |column: &Column| Argument {
                    name: column.name.clone(),
                    type_oid: column.type_oid,
                    is_enum: false,
                };
                columns.into_iter().flatten().map(argument).collect()
            }
            Returns::Record => return Err("the call says what columns it has".to_owned()),
        };
        let found: Vec<TypeVar> = match outputs {
            // A row as a value.
            [row] if columns.len() != 1 => match inner.types.shape(row.node) {
                Shape::Record(fields) => fields.to_vec(),
                _ => Vec::new(),
            },
            outputs => outputs.iter().map(|output| output.node).collect(),
        };
        if columns.len() != found.len() {
            return Err("its result is not what its body puts out".to_owned());
        }
        if let Returns::Row(oid) = function.returns
            && let Some(relation) = self.context.snapshot.relation(oid)
        {
            // Whoever takes it for a row of the table finds ids where that has them.
            let mut pairs = relation.columns.iter().zip(&found);
            let has_ids = |column: &Column| column.id.is_some() || !column.json.is_empty();
            if pairs.any(|(column, found)| has_ids(column) != inner.types.has_id(*found)) {
                return Err("its rows have ids in other places than their type".to_owned());
            }
        }
        let mut results = Vec::new();
        for (column, found) in columns.iter().zip(found) {
            let fits = match inner.types.shape(found) {
                Shape::Id(id) => id.key_type.oid() == column.type_oid.0,
                Shape::Array(element) => match inner.types.shape(element) {
                    Shape::Id(id) => id.key_type.array_oid() == column.type_oid.0,
                    _ => !inner.types.has_id(element),
                },
                Shape::Json(_, oid) => oid == column.type_oid.0,
                _ => !inner.types.has_id(found),
            };
            let node = self.import(&inner.types, found, column.type_oid.0);
            let Some(node) = node.filter(|_| fits) else {
                return Err("it returns an id as something else".to_owned());
            };
            results.push(output(&column.name, node));
        }
        Ok(match (&function.returns, results.as_slice()) {
            (Returns::Value(_), [only]) => Returned::Value(only.clone()),
            _ => Returned::Row(results),
        })
    }
}

/// The statements of a body; only queries that change nothing unless it may write.
fn statements<'t, 'x>(
    text: &str,
    tokens: &'t [Token<'x>],
    writes: bool,
) -> Result<Vec<&'t [Token<'x>]>, &'static str> {
    const CHANGES: [&str; 5] = ["insert", "update", "delete", "merge", "into"];
    let ranges = split::split(text, tokens);
    let statements = ranges.into_iter().filter_map(|range| tokens.get(range));
    let statements: Vec<&[Token<'_>]> = statements.filter(|tokens| !tokens.is_empty()).collect();
    let changes = |token: &Token<'_>| token.keyword().is_some_and(|word| CHANGES.contains(&word));
    let is_query = matches!(statements.as_slice(), [only] if !only.iter().any(changes));
    match writes || is_query {
        true => Ok(statements),
        false => Err("its body is not a single query"),
    }
}
