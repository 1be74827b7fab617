//! Function calls: what the signature table says of ids, and what may be called at all.

use std::ops::Range;

use sqlparser::ast::{
    Expr, Function, FunctionArg, FunctionArgExpr, FunctionArgOperator, FunctionArgumentClause,
    FunctionArgumentList, FunctionArguments, Value as SqlValue, WindowFrameBound, WindowFrameUnits,
    WindowSpec, WindowType,
};

use crate::catalog::{FunctionKind, KeyType};
use crate::pg::functions::{self, Build, Builtin, Effect, Rule};
use crate::sql::parse::string_value;
use crate::sql::plan::{Bound, PathChange};
use crate::sql::refusal::{Code, Refusal};
use crate::sql::types::{Clash, Id, MadeUuid, Shape, TEXT, TypeVar, UUID};

use super::callee::Callee;
use super::column_name::last;
use super::document::has_pairs;
use super::json::json_oid;
use super::routine::Returned;
use super::span::{At, span_of};
use super::{Binder, Check};

/// So many arguments can a call have (`FUNC_MAX_ARGS`).
const MOST_ARGUMENTS: usize = 100;

impl Binder<'_> {
    /// A call in an expression.
    pub(super) fn function(&mut self, function: &Function) -> Check<TypeVar> {
        let at = At::Call(function);
        let name = last(&function.name);
        if !matches!(function.parameters, FunctionArguments::None) || function.uses_odbc_syntax {
            return self.unsupported("this form of call", self.place(at));
        }
        let callee = self.callee(&function.name)?;
        self.note_level(function, &callee);
        let arguments = match &function.args {
            FunctionArguments::None => Vec::new(),
            FunctionArguments::Subquery(query) if name.eq_ignore_ascii_case("array") => {
                let outputs = self.query_of_values(query)?;
                let element = outputs.first().map(|output| output.node);
                let element = element.unwrap_or_else(|| self.types.native(0));
                return Ok(self.array_of(element));
            }
            FunctionArguments::Subquery(_) => {
                return self.unsupported("this form of call", self.place(at));
            }
            FunctionArguments::List(list) => {
                for clause in &list.clauses {
                    match clause {
                        FunctionArgumentClause::OrderBy(keys) => {
                            for key in keys {
                                self.sorted(&key.expr)?;
                            }
                        }
                        FunctionArgumentClause::JsonNullClause(_)
                        | FunctionArgumentClause::JsonReturningClause(_) => {}
                        _ => return self.unsupported("this clause of a call", self.place(at)),
                    }
                }
                if let Some(result) = self.notification(&callee, list, at)? {
                    return Ok(result);
                }
                let nodes = self.arguments(&list.args, &callee, at)?;
                self.takes_signatures(&callee, &nodes, self.place(at))?;
                if json_of(list).is_none() && nodes.iter().any(|node| self.types.has_id(*node)) {
                    return Err(self.shows(&name, self.place(at)));
                }
                let is_mixed = nodes.iter().any(|node| self.types.is_mixed(*node));
                let counts = callee.builtin.is_some_and(Builtin::counts_rows);
                if is_mixed && list.duplicate_treatment.is_some() && !counts {
                    return Err(self.unordered(self.place(at)));
                }
                self.in_order(&callee, &list.args, nodes, at)?
            }
        };
        if let Some(filter) = &function.filter {
            self.condition(filter, "FILTER")?;
        }
        if let Some(result) = self.over_sorted(function, &callee, &arguments)? {
            return Ok(result);
        }
        if let Some(WindowType::WindowSpec(spec)) = &function.over {
            self.window(spec)?;
        }
        self.watch_settings(&callee, function);
        if let Some(first) = self.nullif_constant(function, &arguments) {
            return Ok(first);
        }
        if let [value, _] = arguments.as_slice()
            && self.nulls_constant(function, &callee, *value)
        {
            return Ok(*value);
        }
        self.retell(function, &callee)?;
        self.settle_argument(function, &callee);
        self.applied(function, &callee, arguments)
    }

    /// The result of a call over what its arguments are.
    fn applied(
        &mut self,
        function: &Function,
        callee: &Callee<'_>,
        mut arguments: Vec<TypeVar>,
    ) -> Check<TypeVar> {
        let at = At::Call(function);
        let builtin = callee.only_builtin();
        let rule = callee.rule().map(|rule| made_by(rule, at));
        if matches!(rule, Some(Rule::Json(..))) {
            self.note_json_arguments(function, &arguments);
        }
        if let Some(builtin) = builtin
            && let Some(known) = self.taken_apart_or_carried(function, builtin, &arguments)?
        {
            return Ok(known);
        }
        if let Some(rule) = rule {
            self.tag_arguments(function, rule, &mut arguments);
        }
        if let (Some(Rule::Json(oid, build)), Some(_)) = (rule, builtin)
            && let Some(document) = self.build_document(function, (oid, build), &arguments)
        {
            return Ok(document);
        }
        if rule == Some(Rule::Format) && self.cuts_tags(function, &arguments) {
            return Err(self.shows(callee.name, self.place(at)));
        }
        self.call(callee, &arguments, at)
    }

    /// What a function of `pg_catalog` gives that has a rule of its own.
    fn taken_apart_or_carried(
        &mut self,
        function: &Function,
        builtin: &Builtin,
        arguments: &[TypeVar],
    ) -> Check<Option<TypeVar>> {
        if let Some(part) = self.json_call(function, builtin, arguments) {
            return Ok(Some(part));
        }
        if let Some(document) = self.document_call(function, builtin, arguments) {
            return Ok(Some(document));
        }
        let at = At::Call(function);
        if let Some(columns) = self.populated_row(builtin, arguments, at)? {
            return Ok(Some(self.known_members(columns, self.place(at))));
        }
        match builtin.rule {
            Some(Rule::TypeOf) => Ok(self.type_of(function, arguments)),
            _ => Ok(None),
        }
    }

    /// Refuses more arguments than a call can have before they are looked at, as each may be a row.
    pub(super) fn count_arguments(
        &self,
        args: &[FunctionArg],
        callee: &Callee<'_>,
        at: At<'_>,
    ) -> Check<()> {
        let any_number = callee.builtin.is_some_and(|builtin| builtin.any_number);
        if args.len() <= MOST_ARGUMENTS || any_number {
            return Ok(());
        }
        let message = format!("cannot pass more than {MOST_ARGUMENTS} arguments to a function");
        Err(Box::new(
            Refusal::new(Code::Unparsed, "54023", message).at(self.place(at)),
        ))
    }

    fn arguments(
        &mut self,
        args: &[FunctionArg],
        callee: &Callee<'_>,
        at: At<'_>,
    ) -> Check<Vec<TypeVar>> {
        self.count_arguments(args, callee, at)?;
        let mut nodes = Vec::new();
        for arg in args {
            match arg {
                // The name of a member is a value like others.
                FunctionArg::ExprNamed {
                    name,
                    arg: FunctionArgExpr::Expr(expr),
                    operator: FunctionArgOperator::Colon | FunctionArgOperator::Value,
                } => {
                    nodes.push(self.expr(name)?);
                    nodes.push(self.expr(expr)?);
                }
                FunctionArg::Named {
                    operator: FunctionArgOperator::Colon | FunctionArgOperator::Value,
                    ..
                } => return self.unsupported("this form of argument", self.place(at)),
                FunctionArg::Unnamed(FunctionArgExpr::Expr(expr))
                | FunctionArg::Named {
                    arg: FunctionArgExpr::Expr(expr),
                    ..
                }
                | FunctionArg::ExprNamed {
                    name: Expr::Identifier(_),
                    arg: FunctionArgExpr::Expr(expr),
                    ..
                } => {
                    nodes.push(self.expr(expr)?);
                }
                // `ROW(u.*)` is no call: there the columns are fields of the row.
                FunctionArg::Unnamed(FunctionArgExpr::QualifiedWildcard(table))
                    if callee.rule() == Some(Rule::Row) =>
                {
                    let fields = self.columns_of_row(table)?;
                    if self.context.trace.is_some() {
                        let row = self.record(fields.clone());
                        self.found_row(table, row);
                    }
                    nodes.extend(fields);
                }
                FunctionArg::Unnamed(FunctionArgExpr::QualifiedWildcard(table)) => {
                    let row = self.whole_row(table)?;
                    self.found_row(table, row);
                    nodes.push(row);
                }
                // `count(*)`: the rows are counted, not looked at.
                FunctionArg::Unnamed(FunctionArgExpr::Wildcard)
                    if callee.builtin.is_some_and(Builtin::counts_rows) => {}
                _ => return self.unsupported("this form of argument", self.place(at)),
            }
        }
        Ok(nodes)
    }

    pub(super) fn window(&mut self, spec: &WindowSpec) -> Check<()> {
        for expr in &spec.partition_by {
            self.expr(expr)?;
        }
        let mut keys = Vec::new();
        for key in &spec.order_by {
            keys.push(self.sorted(&key.expr)?);
        }
        let Some(frame) = &spec.window_frame else {
            return Ok(());
        };
        for bound in [Some(&frame.start_bound), frame.end_bound.as_ref()]
            .into_iter()
            .flatten()
        {
            if let WindowFrameBound::Preceding(Some(expr))
            | WindowFrameBound::Following(Some(expr)) = bound
            {
                self.native(expr)?;
                // Rows are told by how far apart their keys are.
                if frame.units == WindowFrameUnits::Range {
                    for key in &keys {
                        if self.types.has_id(*key) {
                            let at = span_of(expr);
                            return self.unsupported("RANGE with an offset over ids", at);
                        }
                        self.types.resolve_plain(*key);
                    }
                }
            }
        }
        Ok(())
    }

    /// `set_config` can change the search path, and how literals are read.
    fn watch_settings(&mut self, callee: &Callee<'_>, function: &Function) {
        if !callee.does(Effect::Sets) {
            return;
        }
        let first = match &function.args {
            FunctionArguments::List(list) => match list.args.first() {
                Some(FunctionArg::Unnamed(FunctionArgExpr::Expr(Expr::Value(value)))) => {
                    string_value(&value.value)
                }
                _ => None,
            },
            _ => None,
        };
        let harmless = first.is_some_and(|setting| {
            ![
                "client_encoding",
                "search_path",
                "role",
                "session_authorization",
                "standard_conforming_strings",
            ]
            .iter()
            .any(|name| setting.eq_ignore_ascii_case(name))
        });
        if !harmless {
            self.path_change = PathChange::Unknown;
        }
    }

    /// Refuses a function of Postgres's own that may return keys whatever it is given.
    pub(super) fn data_read_by(&self, callee: &Callee<'_>, at: At<'_>) -> Check<()> {
        match callee.otherwise {
            FunctionKind::BuiltIn { returns_data: true } => {
                Err(returns_data(callee.name, self.place(at)))
            }
            _ => Ok(()),
        }
    }

    /// The result of a call with these arguments.
    pub(super) fn call(
        &mut self,
        callee: &Callee<'_>,
        args: &[TypeVar],
        at: At<'_>,
    ) -> Check<TypeVar> {
        let function = callee.name;
        match self.user_call(callee, args, at)? {
            Some(Returned::Value(value)) => return Ok(value.node),
            Some(Returned::Row(columns)) => return Ok(self.row_value(columns, self.place(at))),
            Some(Returned::Clean) => return Ok(self.types.native(0)),
            None => {}
        }
        if !callee.otherwise.is_built_in() {
            return Err(self.unknown_function(function, args, self.place(at)));
        }
        self.data_read_by(callee, at)?;
        // `coalesce('…'::uuid, NULL)` may become an id later, so the types of its arguments are
        // linked even if none is an id yet.
        match callee.rule().map(|rule| made_by(rule, at)) {
            Some(Rule::Row) => Ok(self.types.node(Shape::Record(args.into()))),
            Some(rule) if compares(rule) && self.have_tags(args) => {
                Err(self.shows(function, self.place(at)))
            }
            Some(rule) if self.orders_text(rule, args) => Err(self.shows(function, self.place(at))),
            // What stands beside them would have to be told apart from them.
            Some(Rule::CarryOrDefault | Rule::ArrayArray)
                if args.len() != 1 && args.iter().any(|arg| self.types.is_mixed(*arg)) =>
            {
                Err(self.shows(function, self.place(at)))
            }
            Some(rule) => self.apply(rule, function, args, at),
            None if args.iter().any(|arg| self.types.has_id(*arg)) => {
                Err(self.no_function(function, args, at))
            }
            None => match callee.makes_uuid() {
                Some(version) if args.is_empty() => Ok(self.made_uuid(version, at)),
                _ => {
                    self.settle_all(args);
                    Ok(self.types.native(callee.builtin.map_or(0, |of| of.result)))
                }
            },
        }
    }

    /// A uuid of this version that the database makes: a key where keys are uuids and it is used as one.
    pub(super) fn made_uuid(&mut self, version: u8, at: At<'_>) -> TypeVar {
        if !self.context.snapshot.stores_uuids() {
            return self.types.native(UUID);
        }
        let node = self.types.node(Shape::Typed(KeyType::Uuid));
        let place = self.place(at);
        self.types.made_nodes.insert(node);
        self.types.made.push(MadeUuid {
            node,
            version,
            place,
        });
        node
    }

    /// Refuses a uuid that the database makes in the place of a key that is none, or of one for which
    /// the codec has no id.
    pub(in crate::sql) fn check_made(&self) -> Check<()> {
        for made in &self.types.made {
            let shape = self.types.shape(made.node);
            let Shape::Id(id) = shape else {
                continue;
            };
            if id.key_type != KeyType::Uuid {
                let clash = Clash(shape, Shape::Plain(UUID));
                return Err(self.mixed(&clash, made.place.clone()));
            }
            if !(self.context.snapshot.column_types(id.domain)).has_uuids_of(made.version) {
                return Err(self.not_shown_once_made(&id, made));
            }
        }
        Ok(())
    }

    /// Nobody could be shown the new key, nor give it back.
    fn not_shown_once_made(&self, id: &Id, made: &MadeUuid) -> Box<Refusal> {
        let (domain, version) = (self.context.snapshot.domain_name(id.domain), made.version);
        let message = format!(
            "a uuid of version {version} that the database makes can't be a key of \"{domain}\": its \
             codec has no id for it"
        );
        Refusal::unsupported(Code::MixedDomains, message)
            .hint(
                "Let the codec show such keys: add the version to `versions`, as in \
                 versions = { 7 = 8, 4 = 4 }, without `epochs`, which leaves random keys no room, or \
                 take codec = \"aes\", which shows every uuid.",
            )
            .at(made.place.clone())
            .into()
    }

    /// Whether a function finds the least or greatest of ids that are cast to text and other text.
    fn orders_text(&self, rule: Rule, args: &[TypeVar]) -> bool {
        let is_id =
            |arg: &TypeVar| matches!(self.types.shape(*arg), Shape::Id(_) | Shape::Array(_));
        match rule {
            Rule::Same => {
                let is_text = args.iter().any(|arg| self.has_id_as_text(*arg));
                is_text && !args.iter().all(is_id)
                    || !args.iter().all(|arg| self.sorts_as_keys(*arg))
                    || args.iter().any(|arg| self.has_key_in_document(*arg))
            }
            Rule::Extreme => !args.iter().all(|arg| self.sorts_as_keys(*arg)),
            Rule::SortArray => !args.first().is_some_and(|array| self.sorts_as_keys(*array)),
            _ => false,
        }
    }

    /// The arguments are none of them ids, and will not be.
    pub(super) fn settle_all(&mut self, args: &[TypeVar]) {
        for arg in args {
            self.types.resolve_plain(*arg);
        }
    }

    fn apply(&mut self, rule: Rule, name: &str, args: &[TypeVar], at: At<'_>) -> Check<TypeVar> {
        let ids =
            |binder: &Self, args: &[TypeVar]| args.iter().any(|arg| binder.types.has_id(*arg));
        let has_id = ids(self, args);
        match (rule, args) {
            (Rule::First, [first, rest @ ..]) => self.one_of(*first, rest, name, at),
            (Rule::Same, [first, rest @ ..]) => {
                let result = self.one_of(*first, rest, name, at)?;
                self.types.ranges(result);
                Ok(self.chosen(result))
            }
            (Rule::NullIf, [first, second]) => {
                self.compare_nodes((*first, *second), "=", at)?;
                Ok(self.compared_as_text(*first))
            }
            // An offset or a position that is a key would show the key by what it selects.
            (Rule::Carry | Rule::Extreme | Rule::CarryOrDefault, [first, rest @ ..])
                if !ids(self, rest.get(..1).unwrap_or_default()) =>
            {
                self.carried(rule, (*first, rest), name, at)
            }
            (Rule::Count(oid) | Rule::Rank(oid), _) => Ok(self.types.native(oid)),
            (Rule::Collect, [first, ..]) => Ok(self.array_of(*first)),
            (Rule::Elements | Rule::Measure(_), [first, rest @ ..])
                if has_id && !ids(self, rest) =>
            {
                self.settle_all(rest);
                match (self.types.shape(*first), rule) {
                    (Shape::Array(element), Rule::Elements) => Ok(element),
                    (Shape::Array(_), Rule::Measure(oid)) => Ok(self.types.native(oid)),
                    _ => Err(self.no_function(name, args, at)),
                }
            }
            // The array of a literal may become one of ids later.
            (Rule::CarryArray | Rule::SortArray, [first, rest @ ..])
                if !ids(self, rest) && matches!(self.types.shape(*first), Shape::Array(_)) =>
            {
                self.settle_all(rest);
                if rule == Rule::SortArray {
                    self.order([(*first, Bound::First)]);
                }
                Ok(*first)
            }
            (Rule::Search(oid), [array, element, rest @ ..]) if !ids(self, rest) => {
                self.settle_all(rest);
                self.element_of(*array, *element, name, args, at)?;
                Ok(self.types.native(oid))
            }
            (Rule::Append | Rule::Remove | Rule::ArrayReplace, [array, elements @ ..]) => {
                for element in elements {
                    self.element_of(*array, *element, name, args, at)?;
                }
                Ok(*array)
            }
            (Rule::Prepend, [element, array]) => {
                self.element_of(*array, *element, name, args, at)?;
                Ok(*array)
            }
            (Rule::ArrayArray, [a, b]) => {
                self.flow_args(*a, *b, name, |binder| binder.place(at))?;
                Ok(*a)
            }
            (rule, _) if self.have_tags(args) => self.carry_tags(rule, name, args, at),
            (_, _) if has_id && builds_text(rule) => Err(self.shows(name, self.place(at))),
            _ if has_id => Err(self.no_function(name, args, at)),
            (Rule::Elements, [first]) => Ok(self.elements(*first)),
            _ => {
                self.settle_all(args);
                Ok(self.types.native(result_of(rule)))
            }
        }
    }

    /// The first argument as the result of a function that carries it.
    fn carried(
        &mut self,
        rule: Rule,
        (first, rest): (TypeVar, &[TypeVar]),
        name: &str,
        at: At<'_>,
    ) -> Check<TypeVar> {
        match (rule, rest) {
            (Rule::CarryOrDefault, [offset, default]) => {
                self.types.resolve_plain(*offset);
                self.flow_args(first, *default, name, |binder| binder.place(at))?;
            }
            _ if rest.iter().any(|arg| self.types.has_id(*arg)) => {
                let args: Vec<TypeVar> =
                    std::iter::once(first).chain(rest.iter().copied()).collect();
                return Err(self.no_function(name, &args, at));
            }
            _ => self.settle_all(rest),
        }
        if rule != Rule::Extreme {
            return Ok(first);
        }
        let result = self.chosen(first);
        if let Shape::Id(id) = self.types.shape(result) {
            if is_unordered(id) {
                return Err(uncomputable(name, self.place(at)));
            }
            self.types.set_shape(result, Shape::Id(extreme(id)));
        }
        Ok(result)
    }

    /// What `nullif` gives of its first argument, which is compared as text if it is any.
    fn compared_as_text(&mut self, first: TypeVar) -> TypeVar {
        match self.types.shape(first) {
            Shape::Id(id) if extreme(id) != id => {
                let node = self.types.node(Shape::Id(extreme(id)));
                self.types.flows_into(first, node);
                node
            }
            _ => first,
        }
    }

    /// One of the arguments: the first that there is, or the least or greatest.
    fn one_of(
        &mut self,
        first: TypeVar,
        rest: &[TypeVar],
        name: &str,
        at: At<'_>,
    ) -> Check<TypeVar> {
        for (index, arg) in rest.iter().enumerate() {
            self.flow_args(first, *arg, name, |binder| {
                binder.place_of_argument(at, index + 1)
            })?;
        }
        Ok(first)
    }

    fn flow_args(
        &mut self,
        a: TypeVar,
        b: TypeVar,
        name: &str,
        place: impl Fn(&Self) -> Range<usize>,
    ) -> Check<()> {
        self.types.unify(a, b).map_err(|clash| {
            self.clash(&clash, (a, b), place(self), |a, b| {
                let name = name.to_uppercase();
                let message = format!("{name} types {a} and {b} cannot be matched");
                Refusal::new(Code::UuidType, "42804", message)
            })
        })
    }

    fn element_of(
        &mut self,
        array: TypeVar,
        element: TypeVar,
        name: &str,
        args: &[TypeVar],
        at: At<'_>,
    ) -> Check<()> {
        let wanted = self.types.node(Shape::Array(element));
        self.types.unify(array, wanted).map_err(|clash| {
            let args: Option<Vec<String>> =
                args.iter().map(|arg| self.describe_node(*arg)).collect();
            self.clash(&clash, (array, wanted), self.place(at), |_, _| {
                Refusal::no_function(name, &args.unwrap_or_default())
            })
        })
    }

    /// Nobody knows it; a newer snapshot may.
    fn unknown_function(&mut self, name: &str, args: &[TypeVar], at: Range<usize>) -> Box<Refusal> {
        self.unknown_name.get_or_insert_with(|| name.to_owned());
        let names: Option<Vec<String>> = args.iter().map(|arg| self.describe_node(*arg)).collect();
        let refusal = Refusal {
            code: Code::UnknownName,
            ..Refusal::no_function(name, &names.unwrap_or_default())
        };
        Box::new(refusal.at(at).not_seen("function", self.context.fresh))
    }

    /// A function that takes no id: one that does not exist for uuid, or one that would show the
    /// key, as those for text and numbers do.
    pub(super) fn no_function(&self, name: &str, args: &[TypeVar], at: At<'_>) -> Box<Refusal> {
        let at = self.place(at);
        let names: Option<Vec<String>> = args.iter().map(|arg| self.describe_node(*arg)).collect();
        match names {
            // What the grammar takes of any type and in any number exists for uuid too.
            _ if functions::named(name).is_some_and(Builtin::takes_anything) => {
                self.shows(name, at)
            }
            Some(names) if args.iter().all(|arg| self.types.is_uuid_or_native(*arg)) => {
                Box::new(Refusal::no_function(name, &names).at(at))
            }
            Some(_) => uncomputable(name, at),
            None => self.shows(name, at),
        }
    }

    /// A function or operator that exists for the type of the ids but would show the key.
    pub(super) fn shows(&self, name: &str, at: Range<usize>) -> Box<Refusal> {
        let message = format!("pgveil can't encrypt an id inside the result of {name}");
        Box::new(
            Refusal::unsupported(Code::Expression, message).at(at).hint(
                "Select the id as a column of its own, and build the value in the application.",
            ),
        )
    }

    /// An argument that can't be an id, of this type if it is not known otherwise.
    pub(super) fn native_of(&mut self, expr: &Expr, oid: u32) -> Check<TypeVar> {
        let node = self.native(expr)?;
        if matches!(self.types.shape(node), Shape::Unknown) {
            let native = self.types.native(oid);
            let _ = self.types.unify(node, native);
        }
        Ok(node)
    }
}

/// A function of Postgres's own that may return keys whatever it is given.
pub(super) fn returns_data(function: &str, at: Range<usize>) -> Box<Refusal> {
    let message = format!("the result of function {function} may hold a key");
    let refusal = Refusal::unsupported(Code::Function, message).at(at);
    Box::new(refusal.hint("To learn the id of a new row, use INSERT … RETURNING."))
}

/// The type of a result without ids.
const fn result_of(rule: Rule) -> u32 {
    match rule {
        Rule::Json(oid, _) | Rule::JsonPath(oid) | Rule::Size(oid) | Rule::Members(oid) => oid,
        Rule::Text | Rule::Format | Rule::Join => TEXT,
        _ => 0,
    }
}

/// Whether a function makes text or JSON of its arguments.
const fn builds_text(rule: Rule) -> bool {
    shows_value(rule)
        || matches!(
            rule,
            Rule::Text | Rule::Format | Rule::Join | Rule::Json(..) | Rule::JsonPath(_)
        )
}

/// Whether a function looks at what its arguments are, and not only hands them on.
const fn compares(rule: Rule) -> bool {
    use Rule::{ArrayReplace, Extreme, NullIf, Remove, Same, Search};
    let compares = matches!(
        rule,
        Same | Extreme | NullIf | Remove | ArrayReplace | Search(_)
    );
    compares || shows_value(rule)
}

/// Whether the result would be an argument that is no id any more.
const fn shows_value(rule: Rule) -> bool {
    matches!(
        rule,
        Rule::Show | Rule::Mode | Rule::Percentile | Rule::TypeOf
    )
}

/// Whether Postgres has no `min` and `max` of keys of a type, and has them of what clients see.
const fn is_unordered(id: Id) -> bool {
    id.shown.is_text() && matches!(id.key_type, KeyType::Uuid | KeyType::Bytea)
}

/// What `min`, `max` and `nullif` give: text for every type of text but `bpchar`.
fn extreme(id: Id) -> Id {
    let text = |key_type| match key_type {
        KeyType::Varchar => KeyType::Text,
        other => other,
    };
    Id {
        domain: id.domain,
        key_type: text(id.key_type),
        shown: text(id.shown),
    }
}

/// An operator or a function that exists for the type that ids are shown as, and would compute
/// with the key.
pub(super) fn uncomputable(name: &str, at: Range<usize>) -> Box<Refusal> {
    let message = format!("pgveil can't apply {name} to an id: the database knows only its key");
    Box::new(
        Refusal::unsupported(Code::Expression, message).at(at).hint(
            "Select the id as a column of its own, and compute the value in the application.",
        ),
    )
}

/// Whether a value is text that names nothing but itself.
pub(super) fn literal_oid(value: &SqlValue) -> Option<u32> {
    match value {
        SqlValue::Boolean(_) => Some(crate::sql::types::BOOL),
        SqlValue::HexStringLiteral(_) | SqlValue::SingleQuotedByteStringLiteral(_) => Some(1560),
        _ => None,
    }
}

/// The type of the document that a call makes; `None` if it says that it makes no document. The
/// inner option is that of a call that says nothing.
fn json_of(list: &FunctionArgumentList) -> Option<Option<u32>> {
    let mut oid = None;
    for clause in &list.clauses {
        match clause {
            FunctionArgumentClause::OrderBy(_) | FunctionArgumentClause::JsonNullClause(_) => {}
            FunctionArgumentClause::JsonReturningClause(clause) => {
                oid = Some(json_oid(&clause.data_type)?);
            }
            _ => return None,
        }
    }
    Some(oid)
}

/// The rule of a call that may say of which type its document is, and what it is made of.
fn made_by(rule: Rule, at: At<'_>) -> Rule {
    let At::Call(function) = at else {
        return rule;
    };
    let FunctionArguments::List(list) = &function.args else {
        return rule;
    };
    let Rule::Json(usual, build) = rule else {
        return rule;
    };
    let build = match build {
        Build::Texts if has_pairs(function) => Build::Members,
        build => build,
    };
    match json_of(list) {
        Some(oid) => Rule::Json(oid.unwrap_or(usual), build),
        // Text or bytes.
        None => Rule::Json(0, build),
    }
}
