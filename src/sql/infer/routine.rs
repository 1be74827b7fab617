//! Calls of functions of the user: what the configuration declares of them, what their bodies do,
//! and what the type of their results rules out. Everything else may return a key.

use std::borrow::Cow;
use std::ops::Range;

use sqlparser::ast::{Expr, FunctionArg, FunctionArgExpr, Ident, TableAlias, Value as SqlValue};

use crate::catalog::{
    Argument, Code as Body, Declared, DeclaredResult, Function, FunctionKind, HiddenCall, IdColumn,
    RelationKind, Returns, is_temporary,
};
use crate::pg::functions::{effect, reads_data};
use crate::pg::oid;
use crate::sql::implicit_calls::{hidden_calls, hides_calls};
use crate::sql::lex;
use crate::sql::plan::{PathChange, TargetColumn};
use crate::sql::refusal::{Code, Refusal};
use crate::sql::scope::{Output, Scope};
use crate::sql::types::{Shape, TypeVar, VOID};

use super::call::returns_data;
use super::callee::Callee;
use super::cast::unnested;
use super::from::named;
use super::span::At;
use super::{Binder, Check};

/// How deep functions of other languages that call each other are followed.
const MAX_CALLS: usize = 4;

/// So much of the code of a function is read in one step of the analysis.
const BYTES_A_STEP: usize = 32;

/// What a call gives.
pub(super) enum Returned {
    Value(Output),
    Row(Vec<Output>),
    /// A value or a row without keys.
    Clean,
}

impl<'a> Binder<'a> {
    /// What a call gives that may mean a function of the user. `None` if it means one of
    /// `pg_catalog`.
    pub(super) fn user_call(
        &mut self,
        callee: &Callee<'_>,
        args: &[TypeVar],
        at: At<'_>,
    ) -> Check<Option<Returned>> {
        if !callee.is_own {
            return Ok(None);
        }
        let (schema, function) = (callee.schema, callee.name);
        let functions = self.context.snapshot.functions();
        let mut all = functions.of_user(schema, function);
        if all.any(|one| one.changes_settings) {
            self.path_change = PathChange::Unknown;
        }
        self.orders |= !args.is_empty();
        let mut candidates = self.functions_meant(callee);
        candidates.retain(|candidate| candidate.takes(args.len()));
        if let Some(version) = effect(function).makes_uuid()
            && args.is_empty()
            && !candidates.is_empty()
            && candidates.iter().all(|one| one.compiled)
        {
            return Ok(Some(Returned::Value(output(
                "",
                self.made_uuid(version, at),
            ))));
        }
        let has_id = args.iter().any(|arg| self.types.has_id(*arg));
        let built_in = callee.otherwise != FunctionKind::Unknown;
        let trusted = |binder: &Self| {
            candidates
                .iter()
                .all(|one| binder.is_trusted(one, MAX_CALLS))
        };
        match candidates.as_slice() {
            [only] if !built_in => self.routine(only, args, at).map(Some),
            _ if built_in && candidates.iter().all(|one| self.is_not_meant(one, args)) => Ok(None),
            [] => Err(opaque(function, None, self.place(at))),
            _ if has_id || !trusted(self) => {
                let reason = "several functions have this name";
                Err(opaque(function, Some(reason), self.place(at)))
            }
            _ if built_in => Ok(None),
            _ => {
                self.settle_all(args);
                Ok(Some(Returned::Clean))
            }
        }
    }

    /// The functions of the user that a name may mean: on the path, if any of the name is.
    fn functions_meant(&self, callee: &Callee<'_>) -> Vec<&'a Function> {
        let functions = self.context.snapshot.functions();
        let all = functions.of_user(callee.schema, callee.name);
        let mut all: Vec<&'a Function> = all.collect();
        if callee.schema.is_none() {
            // Postgres looks for functions there only where they are named with the schema.
            all.retain(|function| !is_temporary(&function.schema));
            let is_on_path = |function: &Function| {
                let mut schemas = self.path.schemas();
                schemas.any(|schema| schema == function.schema)
            };
            if all.iter().any(|function| is_on_path(function)) {
                all.retain(|function| is_on_path(function));
            }
        }
        all
    }

    /// `t.f` is the function f of a row of t, if t has no column of this name.
    pub(super) fn called_as_column(
        &mut self,
        schema: Option<&str>,
        table: &str,
        function: &Ident,
        at: At<'_>,
    ) -> Check<Option<TypeVar>> {
        let mut scopes = self.scopes.iter().rev();
        let Some(row) = scopes.find_map(|scope| scope.table(schema, table)) else {
            return Ok(None);
        };
        let columns = row.columns.iter().map(|column| column.node).collect();
        let row = self.record(columns);
        self.called_on(row, function, at)
    }

    /// `(value).f` is the function f of the value, if that has no member of this name.
    pub(super) fn called_on(
        &mut self,
        value: TypeVar,
        function: &Ident,
        at: At<'_>,
    ) -> Check<Option<TypeVar>> {
        let callee = self.callee_of(None, &function.value);
        if !callee.is_own {
            let result = self.data_read_by(&callee, at);
            self.protected |= result.is_err();
            return result.map(|()| None);
        }
        self.protected = true;
        match self.user_call(&callee, &[value], at)? {
            Some(Returned::Value(output)) => Ok(Some(output.node)),
            Some(Returned::Clean) => Ok(Some(self.types.native(0))),
            Some(Returned::Row(_)) | None => {
                self.unsupported("this call of a function as a column", self.place(at))
            }
        }
    }

    /// Whether the type of an argument makes the call mean Postgres's function of the name rather than
    /// this one: there is no way from a key to a type that an extension has made, and where there is one
    /// from another of Postgres's types, what takes that as it is comes first.
    fn is_not_meant(&self, function: &Function, args: &[TypeVar]) -> bool {
        let mut pairs = function.arguments.iter().zip(args);
        pairs.any(|(argument, arg)| {
            argument.type_oid.0 >= oid::FIRST_NORMAL
                && (self.types.has_id(*arg) || !argument.is_enum && self.is_of_postgres(*arg))
        })
    }

    /// Whether a value is known to be of a type of Postgres's own.
    fn is_of_postgres(&self, value: TypeVar) -> bool {
        match self.types.shape(value) {
            Shape::Typed(_) => true,
            Shape::Plain(of) => of != 0 && of != oid::UNKNOWN && of < oid::FIRST_NORMAL,
            _ => false,
        }
    }

    fn routine(&mut self, function: &'a Function, args: &[TypeVar], at: At<'_>) -> Check<Returned> {
        // Whoever may make temporary objects has written it: nothing that is said of it holds.
        let own = is_temporary(&function.schema);
        if let Some(part) = &function.misfit {
            let reason = format!("{part} is not what the configuration says of it");
            return Err(opaque(&function.name, Some(&reason), self.place(at)));
        }
        if let Some(declared) = &function.declared
            && !own
        {
            return self.declared_call(function, declared, args, at);
        }
        let mut reason = None;
        if let Some((text, path)) = self.query_of(function) {
            match self.body(function, (text, path), args, at)? {
                Ok(returned) => return Ok(returned),
                Err(cause) => {
                    // It runs all the same if it is let, and an error tells of what it computes.
                    self.unanalysed = true;
                    reason = Some(cause);
                }
            }
        }
        if own {
            let default = "it is one of pg_temp, and no single query";
            let reason = reason.as_deref().unwrap_or(default);
            return Err(opaque(&function.name, Some(reason), self.place(at)));
        }
        // What could be read and was not explained is not believed.
        let known_row = match reason {
            Some(_) => None,
            None => self.known_row(function, at)?,
        };
        let has_id = args.iter().any(|arg| self.types.has_id(*arg));
        if has_id || !(known_row.is_some() || self.returns_no_key(function, MAX_CALLS)) {
            return Err(opaque(&function.name, reason.as_deref(), self.place(at)));
        }
        if self.may_go_by_keys(function, MAX_CALLS) {
            return Err(goes_by_keys(&function.name, self.place(at)));
        }
        self.settle_all(args);
        if let Some(columns) = known_row {
            return Ok(Returned::Row(columns));
        }
        Ok(self.clean(&function.returns))
    }

    /// Refuses operators and casts behind which stands a function that may return a key. They are
    /// looked for by name alone, for the types decide which one is meant.
    pub(in crate::sql) fn check_implicit_calls(&mut self) -> Check<()> {
        for (call, at) in hidden_calls(self.tokens, self.text, self.context) {
            let refusal = match call {
                HiddenCall::Defined(function) if self.is_trusted(function, MAX_CALLS) => continue,
                HiddenCall::Defined(function) => opaque(&function.name, None, at),
                HiddenCall::BuiltIn(name) => returns_data(name, at),
            };
            self.protected = true;
            return Err(refusal);
        }
        Ok(())
    }

    /// Whether no call with clean arguments returns a key, or goes by one.
    fn is_trusted(&self, function: &Function, depth: usize) -> bool {
        if is_temporary(&function.schema) || function.misfit.is_some() {
            return false;
        }
        if let Some(declared) = &function.declared {
            let clean = |id: &Option<IdColumn>| id.is_none();
            return declared.arguments.iter().all(clean)
                && match &declared.result {
                    DeclaredResult::Value(id) => id.is_none(),
                    DeclaredResult::Columns(columns) => columns.iter().all(|(_, id)| id.is_none()),
                };
        }
        (self.returns_no_key(function, depth) || self.computes_in_sql(function, depth))
            && !self.may_go_by_keys(function, depth)
    }

    /// Whether a function in SQL that is said to depend on its arguments alone names nothing else.
    fn computes_in_sql(&self, function: &Function, depth: usize) -> bool {
        let (Body::Sql(body) | Body::Atomic(body)) = &function.code else {
            return false;
        };
        let is_harmless = || !self.names_protected(function, body, depth);
        function.immutable && !self.makes_relation(function) && is_harmless()
    }

    /// Whether no call with clean arguments returns a key: by the types of its results, or because
    /// it is said to depend on its arguments alone.
    fn returns_no_key(&self, function: &Function, depth: usize) -> bool {
        let snapshot = self.context.snapshot;
        let harmless =
            |result: &Argument| result.is_enum || !snapshot.may_hold_keys(result.type_oid);
        let by_type = match &function.returns {
            Returns::Value(value) => harmless(value),
            Returns::Columns(columns) => columns.iter().all(harmless),
            Returns::Row(_) | Returns::Record => false,
        };
        by_type && !self.makes_relation(function)
            || function.immutable
                && match &function.code {
                    Body::Hidden => true,
                    // Its body could not be explained, so its mark is no reason to trust it.
                    Body::Sql(_) | Body::Atomic(_) => false,
                    Body::Other(body) => !self.names_protected(function, body, depth),
                }
    }

    /// Whether a call may find or change rows by keys that it is given: an argument can hold one, and
    /// the code mentions something in which keys can be seen. An id would mean nothing there, and a
    /// number too much, whatever the result is.
    fn may_go_by_keys(&self, function: &Function, depth: usize) -> bool {
        let snapshot = self.context.snapshot;
        let could =
            |argument: &Argument| !argument.is_enum && snapshot.may_hold_keys(argument.type_oid);
        let (body, could) = match &function.code {
            // What could be read and was not explained may compute a key of anything.
            Body::Sql(body) | Body::Atomic(body) => (body, !function.arguments.is_empty()),
            Body::Other(body) => (body, function.arguments.iter().any(could)),
            Body::Hidden => return false,
        };
        could && self.names_protected(function, body, depth)
    }

    /// Whether a function in SQL may make a relation of keys, about which nobody would know.
    fn makes_relation(&self, function: &Function) -> bool {
        let (Body::Sql(body) | Body::Atomic(body)) = &function.code else {
            return false;
        };
        let words: Vec<String> = lex::possible_names(body).collect();
        let makes = words.iter().any(|word| word == "create");
        let protected = |word: &String| self.context.snapshot.is_protected_name(word);
        makes && words.iter().any(protected)
    }

    /// Whether code of another language mentions something in which keys can be seen, or runs
    /// statements that it puts together.
    fn names_protected(&self, function: &Function, body: &str, depth: usize) -> bool {
        let place = (function.oid, depth);
        if let Some(known) = self.naming.borrow().get(&place) {
            return *known;
        }
        self.types.spend(body.len() / BYTES_A_STEP);
        let names = self.names_protected_now(function, body, depth);
        self.naming.borrow_mut().insert(place, names);
        names
    }

    fn names_protected_now(&self, function: &Function, body: &str, depth: usize) -> bool {
        let snapshot = self.context.snapshot;
        let calls = |word: &str| {
            let mut called = snapshot.functions().of_user(None, word);
            called.any(|called| {
                called.oid != function.oid && (depth == 0 || !self.is_trusted(called, depth - 1))
            })
        };
        if hides_calls(body, self.context) {
            return true;
        }
        let own = without_catalog_names(body);
        let mut own = lex::possible_names(&own);
        own.any(|word| snapshot.is_protected_name(&word) || calls(&word))
            || lex::possible_names(body).any(|word| word == "execute" || reads_data(&word))
    }

    /// Whether a function that nobody has read may store what it is given: by a statement of its own, by
    /// one that it puts together, or by another function.
    fn may_store(&self, function: &Function) -> bool {
        const WRITING: [&str; 6] = ["call", "copy", "execute", "insert", "merge", "update"];
        if !function.volatile {
            return false;
        }
        let (Body::Sql(body) | Body::Atomic(body) | Body::Other(body)) = &function.code else {
            return true;
        };
        self.types.spend(body.len() / BYTES_A_STEP);
        let functions = self.context.snapshot.functions();
        lex::possible_names(body).any(|word| {
            let mut called = functions.of_user(None, &word);
            WRITING.contains(&word.as_str())
                || called.any(|called| called.volatile && called.oid != function.oid)
        })
    }

    /// The columns of a row of a table or view, which are what they are there.
    fn known_row(&mut self, function: &Function, at: At<'_>) -> Check<Option<Vec<Output>>> {
        let Returns::Row(oid) = function.returns else {
            return Ok(None);
        };
        let snapshot = self.context.snapshot;
        let Some(relation) = snapshot.relation(oid) else {
            return Ok(None);
        };
        match relation.kind {
            RelationKind::Table | RelationKind::View | RelationKind::MaterializedView => {
                self.protected |= relation.protected;
                self.relation_columns(relation, self.place(at)).map(Some)
            }
            RelationKind::Composite if relation.protected => {
                self.relation_columns(relation, self.place(at)).map(Some)
            }
            RelationKind::Composite | RelationKind::Sequence => Ok(None),
        }
    }

    /// A result without keys.
    pub(super) fn clean(&mut self, returns: &Returns) -> Returned {
        match returns {
            Returns::Value(value) => {
                let node = self.types.native(value.type_oid.0);
                Returned::Value(output(&value.name, node))
            }
            Returns::Columns(columns) => {
                let column = |column: &Argument| {
                    let node = self.types.native(column.type_oid.0);
                    output(&column.name, node)
                };
                Returned::Row(columns.iter().map(column).collect())
            }
            Returns::Row(_) | Returns::Record => Returned::Clean,
        }
    }

    fn declared_call(
        &mut self,
        function: &Function,
        declared: &Declared,
        args: &[TypeVar],
        at: At<'_>,
    ) -> Check<Returned> {
        self.protected = true;
        for (index, arg) in args.iter().enumerate() {
            match declared.arguments.get(index).copied().flatten() {
                Some(id) => {
                    let wanted = self.of_column(id);
                    self.argument(function, args, (*arg, wanted), at)?;
                    if self.may_store(function) {
                        let by = TargetColumn::by_function(&function.schema, &function.name);
                        self.types.store(*arg, &by);
                    }
                }
                None if self.types.has_id(*arg) => {
                    let reason = "the configuration says that this argument is no id";
                    return Err(opaque(&function.name, Some(reason), self.place(at)));
                }
                None => self.types.resolve_plain(*arg),
            }
        }
        let returned = match &declared.result {
            DeclaredResult::Value(None) => match self.known_row(function, at)? {
                Some(columns) => Returned::Row(columns),
                None => self.clean(&function.returns),
            },
            DeclaredResult::Value(Some(id)) => {
                let name = match &function.returns {
                    Returns::Value(value) => value.name.as_str(),
                    _ => "",
                };
                Returned::Value(output(name, self.of_column(*id)))
            }
            DeclaredResult::Columns(columns) => {
                let column = |(name, id): &(String, Option<IdColumn>)| {
                    let node = match id {
                        Some(id) => self.of_column(*id),
                        None => self.types.native(0),
                    };
                    output(name, node)
                };
                Returned::Row(columns.iter().map(column).collect())
            }
        };
        for (arg, id) in args.iter().zip(&declared.arguments) {
            if let Some(id) = id {
                self.may_return((*arg, *id), &returned);
            }
        }
        Ok(returned)
    }

    /// Takes down that what a function returns may be an id that it is given: where that is stored, this
    /// is.
    pub(super) fn may_return(&mut self, (arg, id): (TypeVar, IdColumn), returned: &Returned) {
        let results = match returned {
            Returned::Value(result) => std::slice::from_ref(result),
            Returned::Row(columns) => columns.as_slice(),
            Returned::Clean => &[],
        };
        for result in results {
            let node = match self.types.shape(result.node) {
                Shape::Array(element) => element,
                _ => result.node,
            };
            if matches!(self.types.shape(node), Shape::Id(found) if found.domain == id.id.domain) {
                self.types.may_be(result.node, arg);
            }
        }
    }

    pub(super) fn of_column(&mut self, column: IdColumn) -> TypeVar {
        let node = self.types.node(Shape::Id(column.id));
        if column.array {
            self.types.node(Shape::Array(node))
        } else {
            node
        }
    }

    /// An argument must be what the function takes.
    pub(super) fn argument(
        &mut self,
        function: &Function,
        args: &[TypeVar],
        (arg, wanted): (TypeVar, TypeVar),
        at: At<'_>,
    ) -> Check<()> {
        self.taken_by(&function.name, wanted);
        self.types.unify(arg, wanted).map_err(|clash| {
            let names: Option<Vec<String>> =
                args.iter().map(|arg| self.describe_node(*arg)).collect();
            self.clash(&clash, (arg, wanted), self.place(at), |_, _| {
                Refusal::no_function(&function.name, &names.unwrap_or_default())
            })
        })
    }

    /// A row as a value.
    pub(super) fn row_value(&mut self, columns: Vec<Output>, at: Range<usize>) -> TypeVar {
        if columns.iter().any(|column| self.types.has_id(column.node)) {
            self.known_members(columns, at)
        } else {
            self.types.native(0)
        }
    }

    /// What a call offers in the place of a table.
    pub(super) fn returned(
        &mut self,
        mut columns: Vec<Output>,
        ordinality: bool,
        alias: Option<&TableAlias>,
        function: &str,
    ) -> Scope {
        // The only column without a name is called as the table is.
        let visible = alias.map_or(function, |alias| alias.name.value.as_str());
        for column in columns.iter_mut().filter(|column| column.name.is_empty()) {
            visible.clone_into(&mut column.name);
        }
        if ordinality {
            columns.push(output("ordinality", self.place_of_row()));
        }
        Scope::of(named(columns, alias, function))
    }

    /// The arguments of a call, as Postgres counts them: parameters that the client declares to be
    /// of type `void` are none. The JDBC driver declares what stands for a result so.
    pub(super) fn without_void<'e>(&self, args: &'e [FunctionArg]) -> Cow<'e, [FunctionArg]> {
        let is_void = |arg: &FunctionArg| match arg {
            FunctionArg::Unnamed(FunctionArgExpr::Expr(expr)) => match unnested(expr) {
                Expr::Value(value) => self.is_declared_void(&value.value),
                _ => false,
            },
            _ => false,
        };
        if !self.context.declared.contains(&VOID) || !args.iter().any(is_void) {
            return Cow::Borrowed(args);
        }
        Cow::Owned(args.iter().filter(|arg| !is_void(arg)).cloned().collect())
    }

    fn is_declared_void(&self, value: &SqlValue) -> bool {
        let SqlValue::Placeholder(name) = value else {
            return false;
        };
        let number = name
            .strip_prefix('$')
            .and_then(|digits| digits.parse().ok());
        let index = number.and_then(|number: usize| number.checked_sub(1));
        let said = index.and_then(|index| self.context.declared.get(index));
        said == Some(&VOID) && self.parameters.is_none()
    }

    /// Arguments in the order of the function, if the call names some of them.
    pub(super) fn in_order(
        &mut self,
        callee: &Callee<'_>,
        args: &[FunctionArg],
        nodes: Vec<TypeVar>,
        at: At<'_>,
    ) -> Check<Vec<TypeVar>> {
        let named = |arg: &FunctionArg| match arg {
            FunctionArg::Named { name, .. }
            | FunctionArg::ExprNamed {
                name: Expr::Identifier(name),
                ..
            } => Some(name.value.clone()),
            FunctionArg::Unnamed(_) | FunctionArg::ExprNamed { .. } => None,
        };
        if !callee.is_own || args.iter().all(|arg| named(arg).is_none()) {
            return Ok(nodes);
        }
        let candidates = self.functions_meant(callee);
        let [only] = candidates.as_slice() else {
            let reason = "several functions have this name";
            return Err(opaque(callee.name, Some(reason), self.place(at)));
        };
        let mut ordered: Vec<Option<TypeVar>> = vec![None; only.arguments.len()];
        for (index, (arg, node)) in args.iter().zip(nodes).enumerate() {
            let place = match named(arg) {
                Some(name) => only.position(&name),
                None => Some(index),
            };
            match place.and_then(|place| ordered.get_mut(place)) {
                Some(slot @ None) => *slot = Some(node),
                _ => return self.unsupported("this form of argument", self.place(at)),
            }
        }
        let last = ordered.iter().rposition(Option::is_some);
        ordered.truncate(last.map_or(0, |last| last + 1));
        match ordered.into_iter().collect::<Option<Vec<TypeVar>>>() {
            Some(nodes) => Ok(nodes),
            None => self.unsupported("leaving out arguments in the middle", self.place(at)),
        }
    }
}

pub(super) fn output(name: &str, node: TypeVar) -> Output {
    Output {
        name: name.to_owned(),
        node,
    }
}

/// Code without what it names in `pg_catalog`, where nobody defines anything.
fn without_catalog_names(code: &str) -> String {
    const SCHEMA: &str = "pg_catalog.";
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '"' | '.');
    let mut parts = code.split(SCHEMA);
    let mut rest = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        if rest.ends_with(is_part) {
            rest.push_str(SCHEMA);
            rest.push_str(part);
        } else {
            let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
            rest.push(' ');
            rest.push_str(part.trim_start_matches(is_name));
        }
    }
    rest
}

/// A function that may return a key, or may do anything with the one that it is given.
fn opaque(function: &str, reason: Option<&str>, at: Range<usize>) -> Box<Refusal> {
    let message =
        format!("function {function} is defined by the user and its result may hold a key");
    let refusal = Refusal::unsupported(Code::Function, message).at(at).hint(
        "Declare its arguments and its result in a [[function]] of the configuration, or write the \
         query that the function runs.",
    );
    Box::new(match reason {
        Some(reason) => refusal.detail(format!("Its definition does not tell: {reason}.")),
        None => refusal,
    })
}

/// A function that may find or change rows by what it is given.
fn goes_by_keys(function: &str, at: Range<usize>) -> Box<Refusal> {
    let message =
        format!("function {function} is defined by the user and may take its arguments for keys");
    let refusal = Refusal::unsupported(Code::Function, message).at(at).hint(
        "Declare its arguments and its result in a [[function]] of the configuration, or write the \
         query that the function runs.",
    );
    Box::new(
        refusal.detail("Its code names relations with keys, or runs statements that it makes."),
    )
}
