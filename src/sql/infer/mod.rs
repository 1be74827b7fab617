//! Binds a statement against the catalog and infers where keys flow: which literals and
//! parameters stand for ids, and which result columns carry keys.
//!
//! The walk follows the grammar. A construct that it does not know is refused, for then nobody
//! can say what it does with a key.

mod around;
mod body;
mod call;
mod callee;
mod cast;
mod catalog_rows;
mod catalog_texts;
mod catalogs;
mod column_name;
mod definition;
mod dml;
mod document;
mod explained;
mod expr;
mod extent;
mod facade;
mod from;
mod grouping;
mod join;
mod json;
mod level;
mod lineage;
mod made;
mod merge;
mod multi_domain;
mod notify;
mod operator;
mod ordered;
mod ordered_set;
mod pattern;
mod pg_typeof;
mod placed;
mod polymorphic;
mod polymorphic_shown;
mod polymorphic_text;
mod polymorphic_writes;
mod procedures;
mod projection;
mod query;
mod recursion;
mod retold;
mod rewrite_rules;
mod routine;
mod row;
mod row_type;
mod rows_from;
mod shown;
mod signatures;
mod span;
mod string_to_array;
mod subscript;
mod tag;
mod tag_comparison;
mod tag_row;
mod target;
mod texts;
mod type_name;
mod typmod;
mod untag;
mod user_operators;
mod user_views;
mod value;
mod value_sites;

use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::ops::Range;
use std::rc::Rc;

use sqlparser::ast::{Ident, ObjectName, ObjectNamePart, Spanned, Statement};

use crate::catalog::{KeyType, Oid, Relation, RelationKind, SearchPath, is_temporary};
use crate::pg::oid;

use definition::Definition;
pub(super) use dml::stored_in;
pub(super) use explained::ConstantList;
use facade::StandIn;
use grouping::Grouping;
pub(super) use retold::{first_retold, is_told_otherwise, may_be_retold};
use shown::ShownColumn;
pub(super) use string_to_array::List;

use super::Context;
use super::budget::{Budget, too_deep};
use super::lex::{Partners, Token, TokenKind};
use super::lineage::Origin;
use super::parse::{self, range};
use super::plan::{Edit, PathChange, Reading, When};
use super::refusal::{Code, Refusal};
use super::scope::{Output, Scope, Scopes, Table};
use super::types::{Because, Clash, Id, Shape, TypeVar, Types, are_related};

/// The result of looking at a part of a statement.
pub(super) type Check<T> = Result<T, Box<Refusal>>;

/// A literal or a parameter, whose type its place decides.
#[derive(Debug, Clone)]
pub(super) struct Occurrence {
    pub(super) node: TypeVar,
    pub(super) span: Range<usize>,
    pub(super) value: Value,
    /// The type that the client gives it, or the statement by a cast, if either does.
    pub(super) declared: Option<KeyType>,
    /// Whether it is what a cast casts, so that its type is written behind it.
    pub(super) cast: bool,
    /// Present if it is a result column without a name, so that a cast would give it one.
    pub(super) alias: Option<Alias>,
    /// Whether it stands only where it is put in once more ([`TagPart::Again`]).
    pub(super) again: bool,
    /// Beside which values of another parameter it is sent, if not beside all.
    pub(super) when: Option<When>,
}

impl Occurrence {
    const fn new(node: TypeVar, span: Range<usize>, value: Value) -> Self {
        Self {
            node,
            span,
            value,
            declared: None,
            cast: false,
            alias: None,
            again: false,
            when: None,
        }
    }
}

/// What stands at an occurrence.
#[derive(Debug, Clone)]
pub(super) enum Value {
    /// A string.
    Literal(String),
    /// An integer, with its sign.
    Number(String),
    /// The index of the parameter, from 0. `textual` if the client declares it as text and the
    /// statement casts it.
    Parameter { index: usize, textual: bool },
}

/// A place where a cast names a type that ids are shown as.
#[derive(Debug)]
pub(super) struct TypeName {
    /// The value, or each element if it is an array.
    pub(super) node: TypeVar,
    /// The name of the type with its modifiers, without `[]`.
    pub(super) span: Range<usize>,
    /// The type.
    pub(super) named: KeyType,
    /// The modifier, `varchar(40)`: the length to which text is cut.
    pub(super) length: Option<u64>,
    /// Present if the result column is called after the type.
    pub(super) alias: Option<Alias>,
}

/// The name that a result column must be given if its expression is edited.
#[derive(Debug, Clone)]
pub(super) struct Alias {
    pub(super) at: usize,
    pub(super) name: String,
}

/// An insertion that makes a key part of a text, or a part of one.
#[derive(Debug, Clone)]
pub(super) struct Tag {
    pub(super) span: Range<usize>,
    /// The order of those at one place.
    pub(super) order: i64,
    pub(super) with: TagPart,
    /// Whether a statement that is only explained needs it too, for values that stand in one place
    /// are of one type by it.
    pub(super) kept: bool,
}

/// What gives an item of a SELECT list its name, by its place among its like.
#[derive(Debug, Clone, Copy)]
enum ItemName {
    Type(usize),
    Value(usize),
    Tag(usize),
}

/// What is inserted.
#[derive(Debug, Clone)]
pub(super) enum TagPart {
    Text(String),
    /// The end of what takes such a key out of a tag.
    Untag(Id),
    /// The beginning of a tag around the key at this node; whether it is one of a number in JSON.
    Open {
        node: TypeVar,
        number: bool,
    },
    Close,
    /// What stands at an occurrence, once more.
    Again(usize),
    /// The beginning and the end of what makes a key of a text.
    KeyOpen(Id),
    KeyClose(Id),
}

/// A place where the name of a table stands for its whole row.
#[derive(Debug)]
struct Row {
    node: TypeVar,
    span: Range<usize>,
    table: Rc<Table>,
}

/// Everything that the walk over a statement finds.
pub(super) struct Binder<'a> {
    pub(super) context: &'a Context<'a>,
    pub(super) path: &'a SearchPath,
    pub(super) text: &'a str,
    pub(super) tokens: &'a [Token<'a>],
    /// What the walk may cost, and those that it leads to.
    budget: &'a Budget,
    /// Which brackets belong together, once somebody has asked.
    brackets: OnceCell<Partners>,
    pub(super) types: Types<'a>,
    pub(super) occurrences: Vec<Occurrence>,
    pub(super) type_names: Vec<TypeName>,
    /// Where they begin and end.
    type_name_starts: HashSet<usize>,
    type_name_ends: HashSet<usize>,
    pub(super) tags: Vec<Tag>,
    /// The ranges that tags replace.
    tagged_rows: HashSet<Range<usize>>,
    /// How many tags were put before all others.
    tags_in_front: i64,
    /// Where calls begin that belong to the query in which they stand.
    levels: BTreeSet<usize>,
    /// Whether a statement that is only explained needs those that are put in now.
    keeps_tags: bool,
    /// Edits that the walk itself has decided on.
    pub(super) replaced: Vec<Edit>,
    rows: Vec<Row>,
    /// The first row at each node, by the node that the others are linked to.
    row_of: HashMap<TypeVar, usize>,
    /// The only columns of functions in FROM that return values: the row is the value.
    scalars: HashSet<TypeVar>,
    /// The lengths that casts give to columns of text, as Postgres's type modifiers.
    modifiers: HashMap<TypeVar, i32>,
    /// Ids that are cast to text and back, which changes nothing about their keys.
    pub(super) recomputed: HashSet<TypeVar>,
    /// Columns of tables that are computed from these here: the relation and the number.
    pub(super) told_columns: HashMap<TypeVar, (u32, i16)>,
    /// Where the literals and parameters begin that `lower` or `upper` is applied to before they
    /// are read as ids.
    pub(super) folded: HashSet<usize>,
    /// Text that is taken apart before it is read as ids.
    pub(super) lists: Vec<List>,
    pub(super) texts: texts::Texts,
    /// The types of text in arrays that are read as ids, by where the values begin.
    pub(super) text_arrays: HashMap<usize, KeyType>,
    /// Where values begin that `||` joins with documents of the database.
    pub(super) joined: HashSet<usize>,
    /// How parameters are read that are patterns of ids or names of members, by where they begin.
    pub(super) readings: HashMap<usize, Reading>,
    /// Keys taken out of documents as text, with what their ids are.
    leaves: HashMap<TypeVar, Id>,
    /// The arguments of calls that build JSON of keys, by where the calls begin.
    json_arguments: HashMap<usize, Vec<placed::JsonArgument>>,
    /// Whether an id is in a tag that is shown as an integer, so that any digits could be it.
    short_ids: bool,
    /// Whether an integer has become a number in JSON, where its tag is a string.
    numbers: bool,
    /// The ids that are told apart by tags from those of other domains.
    told_apart: Vec<Id>,
    /// A relation that keys can be seen in was named.
    pub(super) protected: bool,
    /// Something of the system was named that is not answered as it stands.
    pub(super) retold: bool,
    /// The subqueries that stand for it.
    stand_ins: Vec<StandIn>,
    grouping: Grouping,
    /// The columns of which they say something else, once somebody has asked.
    shown_columns: OnceCell<Vec<ShownColumn>>,
    /// A name that the snapshot does not know.
    pub(super) unknown_name: Option<String>,
    pub(super) path_change: PathChange,
    /// Functions run whose names are looked for on the path of then.
    pub(super) late: bool,
    /// Whether the statement is not to be answered but explained.
    pub(super) explained: bool,
    /// The lists of literals in such a statement.
    pub(super) constant_lists: Vec<ConstantList>,
    first_names: column_name::FirstNames,
    /// What gives items of SELECT lists the names that an edit would change, by where they end.
    item_names: HashMap<usize, ItemName>,
    scopes: Scopes,
    /// The columns with keys of several domains, by their nodes.
    polymorphic: HashMap<TypeVar, polymorphic::Sighted>,
    /// What is known of the rows that the query in progress is made of.
    facts: Vec<polymorphic::Fact>,
    /// The CTEs in reach, innermost last. `None` for one that WITH RECURSIVE announces and whose
    /// columns are not known yet.
    ctes: Vec<(String, Option<Vec<Output>>)>,
    /// The places in `ctes` by name, innermost last.
    cte_places: HashMap<String, Vec<usize>>,
    depth: usize,
    /// The views and functions whose definitions are being read.
    views: Vec<Oid>,
    /// The path under which functions run that name tables when they are called.
    caller_path: &'a SearchPath,
    /// The parameters of the function whose body is read.
    parameters: Option<Vec<TypeVar>>,
    /// Whether a result column that can't be explained is only hidden.
    hides_unexplained: bool,
    /// Whether what catalogs tell otherwise is hidden, too.
    hides_catalogs: bool,
    /// Whether one has been: the server may compute it all the same.
    pub(super) unanalysed: bool,
    /// Rows are changed.
    pub(super) writes: bool,
    /// Definitions that it leads to may compare for order what they are given.
    orders: bool,
    /// Which functions of other languages name what holds keys, each with the calls that are
    /// followed from there.
    naming: RefCell<HashMap<(Oid, usize), bool>>,
}

/// How deep a statement may nest, in expressions and queries: its own tree ends before, so that
/// this is a bound for what views and functions nest on top of it.
const MAX_DEPTH: usize = 60_000;

/// Bytes of stack that one level may take, with room to spare in a debug build; below that a new
/// segment of [`STACK_SEGMENT`] bytes is taken.
const RED_ZONE: usize = 128 * 1024;
const STACK_SEGMENT: usize = 1024 * 1024;

impl<'a> Binder<'a> {
    pub(super) fn new(
        context: &'a Context<'a>,
        path: &'a SearchPath,
        (text, tokens): (&'a str, &'a [Token<'a>]),
        budget: &'a Budget,
    ) -> Self {
        Self {
            context,
            path,
            text,
            tokens,
            budget,
            brackets: OnceCell::new(),
            types: Types::within(budget, context.trace),
            occurrences: Vec::new(),
            type_names: Vec::new(),
            type_name_starts: HashSet::new(),
            type_name_ends: HashSet::new(),
            tags: Vec::new(),
            tagged_rows: HashSet::new(),
            tags_in_front: 0,
            levels: BTreeSet::new(),
            keeps_tags: false,
            replaced: Vec::new(),
            rows: Vec::new(),
            row_of: HashMap::new(),
            scalars: HashSet::new(),
            modifiers: HashMap::new(),
            recomputed: HashSet::new(),
            told_columns: HashMap::new(),
            folded: HashSet::new(),
            lists: Vec::new(),
            texts: texts::Texts::default(),
            text_arrays: HashMap::new(),
            joined: HashSet::new(),
            readings: HashMap::new(),
            leaves: HashMap::new(),
            json_arguments: HashMap::new(),
            short_ids: false,
            numbers: false,
            told_apart: Vec::new(),
            protected: false,
            retold: false,
            stand_ins: Vec::new(),
            grouping: Grouping::default(),
            shown_columns: OnceCell::new(),
            unknown_name: None,
            path_change: PathChange::Unchanged,
            late: false,
            explained: false,
            constant_lists: Vec::new(),
            first_names: column_name::FirstNames::default(),
            item_names: HashMap::new(),
            scopes: Scopes::default(),
            polymorphic: HashMap::new(),
            facts: Vec::new(),
            ctes: Vec::new(),
            cte_places: HashMap::new(),
            depth: 0,
            views: Vec::new(),
            caller_path: path,
            parameters: None,
            hides_unexplained: false,
            hides_catalogs: false,
            unanalysed: false,
            writes: false,
            orders: false,
            naming: RefCell::default(),
        }
    }

    /// Runs `walk` one level deeper.
    fn nested<T>(&mut self, walk: impl FnOnce(&mut Self) -> Check<T>) -> Check<T> {
        if self.depth >= MAX_DEPTH {
            return Err(Box::new(too_deep()));
        }
        self.budget.check()?;
        self.depth += 1;
        let result = stacker::maybe_grow(RED_ZONE, STACK_SEGMENT, || walk(self));
        self.depth -= 1;
        result
    }

    /// Runs `walk` with another scope in reach.
    fn within<T>(&mut self, scope: Scope, walk: impl FnOnce(&mut Self) -> Check<T>) -> Check<T> {
        self.scopes.push(scope);
        let result = walk(self);
        self.scopes.pop();
        result
    }

    /// Runs `walk` with another scope in reach, which comes back as it is then.
    fn lending<T>(
        &mut self,
        scope: Scope,
        walk: impl FnOnce(&mut Self) -> Check<T>,
    ) -> Check<(Scope, T)> {
        self.scopes.push(scope);
        let result = walk(self);
        let scope = self.scopes.pop().unwrap_or_default();
        result.map(|found| (scope, found))
    }

    /// Runs `walk` where a FROM clause begins.
    fn in_from_clause<T>(&mut self, walk: impl FnOnce(&mut Self) -> Check<T>) -> Check<T> {
        self.scopes.enter();
        let result = walk(self);
        self.scopes.leave();
        result
    }

    /// Runs `walk` where the other items of the FROM clause in progress are out of reach: in a
    /// subquery without LATERAL, and in ON. A name there that an item has means the outer query's.
    fn without_siblings<T>(&mut self, walk: impl FnOnce(&mut Self) -> Check<T>) -> Check<T> {
        let siblings = self.scopes.hide();
        let result = walk(self);
        self.scopes.show(siblings);
        result
    }

    fn unsupported<T>(&self, what: &str, at: Range<usize>) -> Check<T> {
        let message =
            format!("pgveil does not support {what} in a statement that names annotated tables");
        Err(Box::new(
            Refusal::unsupported(Code::Unsupported, message)
                .at(at)
                .hint(
                    "Write the statement without it, or run it with a role listed in bypass_roles.",
                ),
        ))
    }

    /// The name of a type for messages, as the client knows it.
    fn describe(&self, shape: &Shape) -> Option<String> {
        Some(match shape {
            Shape::Unknown => "unknown".to_owned(),
            Shape::Typed(declared) => declared.name().to_owned(),
            Shape::Id(id) => id.shown.name().to_owned(),
            Shape::Plain(oid) | Shape::Tagged(oid) | Shape::Json(_, oid) => {
                oid::name(*oid)?.to_owned()
            }
            Shape::JsonText(_) => "text".to_owned(),
            Shape::Array(element) => format!("{}[]", self.describe(&self.types.shape(*element))?),
            Shape::Record(_) => "record".to_owned(),
            Shape::Hidden => return None,
        })
    }

    fn describe_node(&self, node: TypeVar) -> Option<String> {
        self.describe(&self.types.shape(node))
    }

    /// The error for two types that can't stand together: what Postgres says of the types as
    /// clients know them if it would refuse them too (`as_outside` is given the names of both),
    /// else our own refusal.
    fn clash(
        &self,
        clash: &Clash,
        (left, right): (TypeVar, TypeVar),
        at: Range<usize>,
        as_outside: impl FnOnce(&str, &str) -> Refusal,
    ) -> Box<Refusal> {
        let (a, b) = (self.describe_node(left), self.describe_node(right));
        if let (Some(a), Some(b)) = (a, b)
            && a != b
            && !are_related(clash.0.outside_oid(), clash.1.outside_oid())
        {
            return Box::new(as_outside(&a, &b).at(at));
        }
        self.mixed(clash, at)
    }

    /// Our own refusal of two types that can't stand together.
    fn mixed(&self, clash: &Clash, at: Range<usize>) -> Box<Refusal> {
        let name = |id: &Id| self.context.snapshot.domain_name(id.domain).to_owned();
        let refusal = match (&clash.0, &clash.1) {
            (Shape::Id(a), Shape::Id(b)) if a.domain == b.domain => {
                let (id, a, b) = (name(a), a.key_type.name(), b.key_type.name());
                let message = format!(
                    "an id of \"{id}\" that is stored as {a} can't be used together with one that is stored as {b}"
                );
                Refusal::unsupported(Code::MixedDomains, message)
                    .hint("Inside the database the two are of types that can't be compared.")
            }
            (Shape::Tagged(_), _) | (_, Shape::Tagged(_)) => {
                let message = "pgveil can't compare text or JSON that is built from ids";
                Refusal::unsupported(Code::Expression, message).hint("Compare the ids themselves.")
            }
            (Shape::Json(..) | Shape::JsonText(_), _)
            | (_, Shape::Json(..) | Shape::JsonText(_)) => {
                let message =
                    "JSON with ids in it can't be used together with JSON or text without";
                Refusal::unsupported(Code::MixedDomains, message)
                    .hint("Take the ids out of it first, and use them by themselves.")
            }
            (Shape::Id(a), Shape::Id(b)) => {
                let (a, b) = (name(a), name(b));
                let message = format!("ids of \"{a}\" and of \"{b}\" can't be used in one place");
                Refusal::unsupported(Code::MixedDomains, message).hint(
                    "Inside the database the two kinds of key overlap, so the result would be wrong. \
                     Compare ids of the same kind only.",
                )
            }
            (Shape::Id(id), _) | (_, Shape::Id(id)) => {
                let id = name(id);
                let message =
                    format!("an id of \"{id}\" can't be used together with a value that is no id");
                Refusal::unsupported(Code::MixedDomains, message).hint(
                    "If the other side is a reference to the same table, annotate it: a foreign key does \
                     it, or an entry in `references` of the id.",
                )
            }
            _ => Refusal::unsupported(Code::MixedDomains, "pgveil can't match these types"),
        };
        Box::new(refusal.at(at))
    }

    /// The tokens that begin at or after a place.
    fn tokens_from(&self, from: usize) -> &[Token<'_>] {
        self.tokens.get(self.index_of(from)..).unwrap_or_default()
    }

    /// The index of the first token that begins at or after a place.
    fn index_of(&self, place: usize) -> usize {
        self.tokens
            .partition_point(|token| token.span.start < place)
    }

    /// The operator between two places of the text: a sign, or the first word (`IN`, `LIKE`).
    fn operator_between(&self, from: usize, to: usize) -> Range<usize> {
        let tokens = self
            .tokens_from(from)
            .iter()
            .take_while(|token| token.span.start < to);
        let operator =
            |token: &&Token<'_>| matches!(token.kind, TokenKind::Operator | TokenKind::Word { .. });
        tokens
            .into_iter()
            .find(operator)
            .map_or(from..from, |token| token.span.clone())
    }

    /// The relation that a name in a FROM clause or at the head of a statement means.
    fn relation(&mut self, name: &ObjectName) -> Check<Option<std::sync::Arc<Relation>>> {
        let (schema, table) = self.relation_name(name)?;
        let snapshot = self.context.snapshot;
        if let Some(relation) = snapshot.resolve(schema, table, self.path) {
            self.protected |= relation.protected;
            self.unanalysed |= relation.computes;
            if snapshot.functions().sets(table, false) {
                self.path_change = PathChange::Unknown;
            }
            return Ok(Some(std::sync::Arc::clone(relation)));
        }
        let system = matches!(schema, Some("pg_catalog" | "information_schema"));
        if !system && self.unknown_name.is_none() {
            self.unknown_name = Some(table.to_owned());
        }
        Ok(None)
    }

    /// Splits `[database.][schema.]table`.
    fn relation_name<'n>(&self, name: &'n ObjectName) -> Check<(Option<&'n str>, &'n str)> {
        let parts: Option<Vec<&Ident>> = name.0.iter().map(ObjectNamePart::as_ident).collect();
        match parts.as_deref() {
            Some([table]) => Ok((None, table.value.as_str())),
            Some([schema, table] | [_, schema, table]) => {
                Ok((Some(schema.value.as_str()), table.value.as_str()))
            }
            _ => self.unsupported("this form of a table name", range(name.span())),
        }
    }

    /// The columns of a view: what the analysis of its definition says.
    fn view_columns(&mut self, view: &Relation, at: Range<usize>) -> Check<Vec<Output>> {
        let refuse = |cause: &str| {
            let message = format!(
                "pgveil can't explain the columns of view \"{}\": {cause}",
                view.name
            );
            Box::new(Refusal::unsupported(Code::Unsupported, message).at(at.clone()).hint(
                "Query the tables behind the view, or write its definition in a way that pgveil handles.",
            ))
        };
        let Some(definition) = view.definition.as_deref() else {
            if view.unanalysed {
                // It will be known.
                self.unknown_name.get_or_insert_with(|| view.name.clone());
            }
            return Err(refuse("its definition can't be read"));
        };
        if self.nests_too_deep(view.oid, 1) {
            return Err(refuse("its definition refers to itself or nests too deep"));
        }
        self.budget.pay_to_read(definition.len())?;
        let tokens = super::lex::lex(definition, true).map_err(|_| refuse("it can't be parsed"))?;
        let statements = super::split::split(definition, &tokens);
        let tokens = statements
            .first()
            .and_then(|range| tokens.get(range.clone()))
            .unwrap_or(&[]);
        self.budget.pay(parse::cost(definition, tokens))?;
        parse::with_tree(definition, tokens, |parsed| {
            let parsed = parsed.map_err(|_| refuse("it can't be parsed"))?;
            self.parsed_view(view, (definition, tokens), parsed, &refuse)
        })
    }

    /// The columns of a view whose definition has been parsed.
    fn parsed_view(
        &mut self,
        view: &Relation,
        (definition, tokens): (&str, &[Token<'_>]),
        parsed: &Statement,
        refuse: &dyn Fn(&str) -> Box<Refusal>,
    ) -> Check<Vec<Output>> {
        let context = self.context;
        let path = context.snapshot.definition_path(&view.schema);
        let mut inner = self.reader(&Definition {
            oid: view.oid,
            own: is_temporary(&view.schema),
            text: definition,
            tokens,
            path,
        });
        // What can't be explained is computed all the same, and an error tells of it.
        inner.hides_unexplained = !inner.types.own || !view.protected;
        inner.hides_catalogs = context.snapshot.shows_ids() && !view.of_extension;
        let Statement::Query(query) = parsed else {
            return Err(refuse("it is no query"));
        };
        let walked = inner.check_implicit_calls();
        let walked = walked.and_then(|()| inner.query(query));
        let outputs = self.absorb(&inner, walked)?;
        let outputs = outputs.map_err(|cause| refuse(&cause))?;
        if outputs.len() != view.columns.len() {
            return Err(refuse("its columns have changed"));
        }
        let columns = view.columns.iter().zip(outputs).map(|(column, output)| {
            let node = self.import(&inner.types, output.node, column.type_oid.0);
            let node = node.unwrap_or_else(|| self.types.hidden(Because::View));
            let behind = inner.types.origin(output.node);
            Output {
                name: column.name.clone(),
                node: self.column_of(view, &column.name, node, behind),
            }
        });
        Ok(columns.collect())
    }

    /// Whether ids may be compared for order, by the statement or by what it leads to.
    pub(super) fn orders_ids(&self) -> bool {
        self.orders || self.types.orders_ids()
    }

    /// Copies a type from the analysis of a view.
    fn import(&mut self, types: &Types<'_>, node: TypeVar, oid: u32) -> Option<TypeVar> {
        if !self.types.step() {
            return None;
        }
        Some(match types.shape(node) {
            shape @ Shape::Id(_) => self.types.node(shape),
            Shape::Json(place, oid) if types.has_id(node) => {
                let place = self.types.import_place(types, place)?;
                self.types.node(Shape::Json(place, oid))
            }
            Shape::Array(element) if types.has_id(element) => {
                let element = self.import(types, element, 0)?;
                self.types.node(Shape::Array(element))
            }
            Shape::Record(fields) if types.has_id(node) => {
                let fields = fields.iter().map(|field| self.import(types, *field, 0));
                let fields = fields.collect::<Option<_>>()?;
                self.types.node(Shape::Record(fields))
            }
            _ if types.has_id(node) => return None,
            _ => self.types.native(oid),
        })
    }

    /// What a table offers under FROM.
    fn relation_columns(&mut self, relation: &Relation, at: Range<usize>) -> Check<Vec<Output>> {
        match relation.kind {
            RelationKind::Sequence if relation.protected => {
                let message = format!("sequence \"{}\" shows keys", relation.name);
                Err(Box::new(
                    Refusal::unsupported(Code::SystemRelation, message)
                        .at(at)
                        .hint("Sequences of annotated columns can't be read through pgveil."),
                ))
            }
            _ if relation.protected
                && matches!(
                    relation.schema.as_str(),
                    "pg_catalog" | "information_schema"
                ) =>
            {
                let message = format!("{} shows keys", relation.name);
                Err(Box::new(Refusal::unsupported(Code::SystemRelation, message).at(at).hint(
                    "Statistics and other sessions' statements can't be read through pgveil; \
                     use a role listed in bypass_roles.",
                )))
            }
            RelationKind::View | RelationKind::MaterializedView if relation.protected => {
                self.view_columns(relation, at)
            }
            _ => (relation.columns.iter())
                .map(|column| {
                    let node = self.column_node(relation, column, &at)?;
                    Ok(Output {
                        name: column.name.clone(),
                        node: self.column_of(relation, &column.name, node, Origin::UNKNOWN),
                    })
                })
                .collect(),
        }
    }

    fn column_node(
        &mut self,
        relation: &Relation,
        column: &crate::catalog::Column,
        at: &Range<usize>,
    ) -> Check<TypeVar> {
        if let Some((relation, array)) = column.row {
            return self.row_column(relation, array, at);
        }
        if column.derived {
            // A key is in it, but not in a form that could be shown as an id.
            let because = match relation {
                _ if column.polymorphic.is_some() => Because::Polymorphic,
                _ if column.generated => Because::Generated,
                of if is_temporary(&of.schema) => Because::Temporary,
                _ if column.undecided => Because::Undecided,
                of if self.context.snapshot.is_closed(of.oid, column.attnum) => Because::Closed,
                _ => Because::Counts,
            };
            return Ok(self.types.hidden(because));
        }
        if !column.json.is_empty() {
            let oid = column.type_oid.0;
            return Ok(self.types.stored_document(oid, &column.json));
        }
        Ok(match column.id {
            Some(id) => self.of_column(id),
            None => self.types.native(column.type_oid.0),
        })
    }
}
