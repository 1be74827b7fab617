//! Ids inside text and JSON: where a key is about to become part of one, it is wrapped in a tag,
//! by which the session finds it again. A tag is carried to the client and to nowhere else.

use std::ops::Range;
use std::rc::Rc;

use sqlparser::ast::{
    Expr, Function, FunctionArg, FunctionArgExpr, FunctionArguments, ObjectName, Spanned,
    Value as SqlValue,
};

use crate::catalog::KeyType;
use crate::pg::functions::{Build, Rule};
use crate::sql::parse::{range, string_value};
use crate::sql::scope::Table;
use crate::sql::types::{JSON, JSONB, Shape, Step, TEXT, Tags, TypeVar, may_be_text};

use super::document::has_pairs;
use super::placed::JsonArgument;
use super::span::At;
use super::{Binder, Check, Tag, TagPart};

/// Around a key of type `bytea`, for JSON and arrays escape the backslash of its usual form.
const ENCODE: &str = "pg_catalog.encode(";
const ENCODED: &str = ", 'hex')";

/// Around text that may be the tag of a number, which becomes that of text. A tag that is only a
/// part of the text is one of a document.
const NUMBER_AS_TEXT: [&str; 2] = [
    "pg_catalog.regexp_replace(",
    ", '^(~pv[0-9a-f]{30}:[0-9]+:)n([248]:[0-9]+~)$', E'\\\\1\\\\2')",
];

/// No id that is shown as text has fewer characters.
const SHORTEST_TEXT: usize = 22;

/// What the values that are tagged become part of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Carrier {
    /// Text.
    Text,
    /// The text of a row.
    Row,
    /// JSON, in which integers are numbers.
    Json,
}

impl Binder<'_> {
    /// Whether a column carries nothing but tags; then, whether it is an array.
    pub(in crate::sql) fn tagged(&self, node: TypeVar) -> Option<bool> {
        match self.types.shape(node) {
            Shape::Tagged(_) => Some(false),
            Shape::Array(element) => {
                matches!(self.types.shape(element), Shape::Tagged(_)).then_some(true)
            }
            _ => None,
        }
    }

    /// `||` with text, and the members of JSON; `None` if the operator is no such.
    pub(super) fn tagged_operator(
        &mut self,
        (a, left): (TypeVar, &Expr),
        word: &str,
        (b, right): (TypeVar, &Expr),
    ) -> Option<TypeVar> {
        match (word, self.types.shape(a), self.types.shape(b)) {
            ("->" | "#>" | "-" | "#-", Shape::Tagged(oid @ (JSON | JSONB)), _)
                if is_constant_path(right) =>
            {
                self.types.resolve_plain(b);
                Some(self.part_of(a, oid))
            }
            ("->>" | "#>>", Shape::Tagged(JSON | JSONB), _) if is_constant_path(right) => {
                self.types.resolve_plain(b);
                self.as_text(left, right)?;
                Some(self.part_of(a, TEXT))
            }
            ("||", x, y) => {
                let is_json = |shape: &Shape| {
                    matches!(
                        shape,
                        Shape::Tagged(JSONB) | Shape::Plain(JSONB) | Shape::Json(_, JSONB)
                    )
                };
                if is_json(&x) || is_json(&y) {
                    let joined = |shape: &Shape| is_json(shape) || *shape == Shape::Unknown;
                    if !joined(&x) || !joined(&y) {
                        return None;
                    }
                    self.types.resolve_plain(a);
                    self.types.resolve_plain(b);
                    let tags = self.types.tags(a).and(self.types.tags(b));
                    let joined = self.types.node(Shape::Tagged(JSONB));
                    self.types.tag_like(joined, tags);
                    return Some(joined);
                }
                if !is_text(&x) && !is_text(&y) || !is_joinable(&x) || !is_joinable(&y) {
                    return None;
                }
                let leads = self.types.has_id(a) || is_literal(left);
                let sorting = |node| !self.types.has_id(node) || self.types.sorts(node);
                let sorts = leads && sorting(a) && sorting(b);
                for (node, expr) in [(a, left), (b, right)] {
                    if let Shape::Id(_) = self.types.shape(node) {
                        let extent = self.extent(expr)?;
                        self.wrap(node, extent, Carrier::Text)?;
                    } else {
                        self.types.resolve_plain(node);
                    }
                }
                let built = self.types.node(Shape::Tagged(TEXT));
                self.types.sort_like(built, sorts);
                Some(built)
            }
            _ => None,
        }
    }

    /// Text that is taken out of JSON: a number there is text like any other from here on.
    pub(super) fn as_text(&mut self, left: &Expr, right: &Expr) -> Option<()> {
        if self.numbers {
            let left = self.extent_of_operation(left)?;
            let right = self.extent_of_operation(right)?;
            let [open, close] = NUMBER_AS_TEXT.map(|part| vec![text(part)]);
            self.enclose(&(left.start..right.end), open, close);
        }
        Some(())
    }

    /// What is taken out of JSON that is built from ids, at one place for all rows.
    fn part_of(&mut self, document: TypeVar, oid: u32) -> TypeVar {
        let part = self.types.tagged_as(document, oid);
        self.types.sort_like(part, self.types.sorts(document));
        part
    }

    /// Takes down for a call that builds JSON in which of its arguments no ids are; of the others nothing
    /// is known yet.
    pub(super) fn note_json_arguments(&mut self, function: &Function, nodes: &[TypeVar]) {
        let start = range(function.name.span()).start;
        let arguments = nodes.iter().map(|node| match self.types.has_id(*node) {
            true => JsonArgument::Tagged,
            false => JsonArgument::Clean,
        });
        let arguments = arguments.collect();
        self.json_arguments.insert(start, arguments);
    }

    /// Tags the ids among the arguments of a call that makes text or JSON of them. What can't be
    /// tagged stays as it is, to be refused.
    pub(super) fn tag_arguments(&mut self, function: &Function, rule: Rule, nodes: &mut [TypeVar]) {
        let FunctionArguments::List(list) = &function.args else {
            return;
        };
        if !nodes.iter().any(|node| self.types.has_id(*node)) {
            return;
        }
        if rule == Rule::First {
            return self.tag_choices(&list.args, nodes);
        }
        let start = range(function.name.span()).start;
        let (made, build) = match rule {
            Rule::Text | Rule::Join => (Carrier::Text, None),
            Rule::Json(_, build) => (Carrier::Json, Some(build)),
            Rule::Format if carries_its_arguments(function) => (Carrier::Text, None),
            _ => return,
        };
        // With DISTINCT the arguments and what they are sorted by must be the same.
        if list.duplicate_treatment.is_some() && !list.clauses.is_empty() {
            return;
        }
        if let ([node], [arg], Some(Build::Elements)) = (&mut *nodes, &*list.args, build)
            && !matches!(arg, FunctionArg::Unnamed(_))
        {
            if let Some(tagged) = self.tag_query(*node, function) {
                *node = tagged;
                self.json_arguments
                    .insert(start, vec![JsonArgument::Tagged]);
            }
            return;
        }
        let Some(extents) = self.argument_extents(function) else {
            return;
        };
        let pairs = has_pairs(function);
        let is_named = |arg: &FunctionArg| !matches!(arg, FunctionArg::Unnamed(_));
        if extents.len() != nodes.len() || !pairs && list.args.iter().any(is_named) {
            return;
        }
        if build == Some(Build::Texts) && !nodes.iter().all(|node| self.is_text_array(*node)) {
            return;
        }
        let mut arguments = Vec::new();
        for (index, (node, extent)) in nodes.iter_mut().zip(extents).enumerate() {
            let has_id = self.types.has_id(*node);
            if !has_id || self.tagged(*node).is_some() {
                arguments.push(match has_id {
                    true => JsonArgument::Tagged,
                    false => JsonArgument::Clean,
                });
                continue;
            }
            // The names of members are text.
            let made = if build.is_some_and(|build| is_name(build, index)) {
                Carrier::Text
            } else {
                made
            };
            let first = self.tags.len();
            let is_key = made == Carrier::Json && matches!(self.types.shape(*node), Shape::Id(_));
            arguments.push(JsonArgument::Tagged);
            if let Some(tagged) = self.tag(*node, extent, made) {
                if let (true, Some(argument)) = (is_key, arguments.last_mut()) {
                    *argument = JsonArgument::Key(*node, first..self.tags.len());
                }
                *node = tagged;
            }
        }
        if build.is_some() {
            self.json_arguments.insert(start, arguments);
        }
    }

    /// Tags the ids that a query gives as the elements of an array, in their order.
    fn tag_query(&mut self, node: TypeVar, function: &Function) -> Option<TypeVar> {
        let extent = self.query_extent(function)?;
        let mut open = vec![text("SELECT ")];
        open.extend(self.wrapped(node, "pgveil_q.v", Carrier::Json)?);
        open.push(text(" FROM ("));
        self.enclose(&extent, open, vec![text(") AS pgveil_q(v)")]);
        let tagged = self.types.node(Shape::Tagged(TEXT));
        self.types.tag_like(tagged, self.tags_of(node));
        Some(tagged)
    }

    /// Tags the ids among the arguments of a call that gives one of them.
    fn tag_choices(&mut self, args: &[FunctionArg], nodes: &mut [TypeVar]) {
        let exprs = args.iter().map(|arg| match arg {
            FunctionArg::Unnamed(FunctionArgExpr::Expr(expr)) => Some(expr),
            _ => None,
        });
        let Some(exprs) = exprs.collect::<Option<Vec<_>>>() else {
            return;
        };
        let mut branches: Vec<_> = nodes.iter().copied().zip(exprs).collect();
        self.tag_branches(&mut branches);
        for (node, (tagged, _)) in nodes.iter_mut().zip(branches) {
            *node = tagged;
        }
    }

    /// Whether a value can be an array of text, as the client sees it.
    fn is_text_array(&self, node: TypeVar) -> bool {
        match self.types.shape(node) {
            Shape::Array(element) => is_text(&self.types.shape(element)),
            Shape::Unknown | Shape::Plain(_) => true,
            _ => false,
        }
    }

    /// Whether a call of `format` would do with tags what it would not do with ids.
    pub(super) fn cuts_tags(&self, format: &Function, args: &[TypeVar]) -> bool {
        self.have_tags(args) && !carries_its_arguments(format)
    }

    /// An array of ids or a whole row becomes one with tags, where a cast makes text of it.
    pub(super) fn tag_for_text(&mut self, node: TypeVar, expr: &Expr, oid: u32) -> Option<TypeVar> {
        let is_row = match self.types.shape(node) {
            Shape::Array(element) => match self.types.shape(element) {
                Shape::Tagged(_) => return Some(self.types.node(Shape::Tagged(oid))),
                Shape::Id(_) => false,
                _ => return None,
            },
            Shape::Record(_) => true,
            _ => return None,
        };
        if is_row && self.tag_fields(node, expr).is_some() {
            return Some(self.types.node(Shape::Tagged(oid)));
        }
        let extent = self.extent(expr)?;
        let made = if is_row { Carrier::Row } else { Carrier::Text };
        let tagged = self.tag(node, extent, made)?;
        // A document in a row has its keys where only JSON can be read for them.
        if self.types.has_key(tagged) {
            return None;
        }
        Some(self.types.node(Shape::Tagged(oid)))
    }

    /// Tags the ids among values of one type, if they are shown as text and others are text that
    /// is no id, or one of another domain: `coalesce(id::text, name)`.
    pub(super) fn tag_branches(&mut self, branches: &mut [(TypeVar, &Expr)]) {
        let shapes: Vec<Shape> = (branches.iter())
            .map(|(node, _)| self.types.shape(*node))
            .collect();
        let is_plain = |(shape, (_, expr)): (&Shape, &(TypeVar, &Expr))| match shape {
            Shape::Plain(oid) | Shape::Tagged(oid) => may_be_text(*oid),
            // A constant that is no id. As one that was never issued it could be shown again only
            // if there were no other in the statement.
            Shape::Unknown => is_short_text(expr),
            _ => false,
        };
        let mut domains = shapes.iter().filter_map(|shape| match shape {
            Shape::Id(id) if id.shown.is_text() => Some(id.domain),
            _ => None,
        });
        let first = domains.next();
        let are_many = domains.any(|domain| Some(domain) != first);
        if !are_many && !shapes.iter().zip(branches.iter()).any(is_plain) {
            return self.mix(branches);
        }
        self.keeping_tags(|binder| {
            for ((node, expr), shape) in branches.iter_mut().zip(shapes) {
                // The type of a text that is filled up with blanks is not kept.
                if let Shape::Id(id) = shape
                    && matches!(id.shown, KeyType::Text | KeyType::Varchar)
                    && let Some(extent) = binder.extent(expr)
                    && let Some(tagged) = binder.wrap(*node, extent.clone(), Carrier::Text)
                {
                    *node = tagged;
                    if id.shown == KeyType::Varchar {
                        let cast = format!("::{}", id.shown.sql());
                        binder.enclose(&extent, Vec::new(), vec![text(&cast)]);
                        *node = binder.types.node(Shape::Tagged(id.shown.oid()));
                    }
                }
            }
        });
        self.mix(branches);
    }

    pub(super) fn have_tags(&self, args: &[TypeVar]) -> bool {
        args.iter().any(|arg| self.types.has_tag(*arg))
    }

    /// The result of a call over tags.
    pub(super) fn carry_tags(
        &mut self,
        rule: Rule,
        name: &str,
        args: &[TypeVar],
        at: At<'_>,
    ) -> Check<TypeVar> {
        if let ([document], Rule::Size(oid) | Rule::Members(oid)) = (args, rule)
            && self.tagged(*document) == Some(false)
        {
            // A number stands there as a string.
            if self.numbers && matches!(rule, Rule::Size(TEXT) | Rule::Members(TEXT)) {
                return Err(self.shows(name, self.place(at)));
            }
            return Ok(match rule {
                Rule::Members(_) => self.types.tagged_as(*document, oid),
                _ => self.types.node(Shape::Plain(oid)),
            });
        }
        let ids = args.iter().enumerate();
        let ids: Vec<(usize, TypeVar)> = (ids.map(|(index, arg)| (index, *arg)))
            .filter(|(_, arg)| self.types.has_id(*arg))
            .collect();
        let is_place = |index: usize| match rule {
            Rule::Text | Rule::Format | Rule::Json(..) => true,
            Rule::Join => index == 0,
            Rule::JsonPath(_) => index != 1,
            _ => false,
        };
        if !(ids.iter()).all(|(index, arg)| is_place(*index) && self.tagged(*arg).is_some()) {
            return Err(self.shows(name, self.place(at)));
        }
        // In all rows the same.
        let is_constant =
            |node: &TypeVar| matches!(self.types.shape(*node), Shape::Unknown | Shape::Typed(_));
        // An aggregate leaves NULL out, as `concat` does, but of nothing else comes text.
        let joins = rule == Rule::Join || name == "string_agg";
        let is_list = joins && args.len() == 2 && args.last().is_some_and(is_constant);
        for arg in args {
            self.types.resolve_plain(*arg);
        }
        let oid = match rule {
            Rule::Json(oid, _) | Rule::JsonPath(oid) => oid,
            _ => TEXT,
        };
        let built = self.types.node(Shape::Tagged(oid));
        let tags = args.iter().map(|arg| self.types.tags(*arg));
        let tags = match rule {
            Rule::Json(..) => tags.fold(Tags::Unknown, Tags::and),
            // More than a tag is no id.
            _ => Tags::Several,
        };
        self.types.tag_like(built, tags);
        // What stands for NULL in a joined array would be other text.
        if oid != TEXT || is_list {
            let sorts = args.iter().all(|arg| self.sorts_as_keys(*arg));
            self.types.sort_like(built, sorts);
        }
        Ok(built)
    }

    /// `t.*` as an argument.
    pub(super) fn whole_row(&mut self, name: &ObjectName) -> Check<TypeVar> {
        let at = range(name.span());
        let table = self.starred(name)?;
        let fields = table.columns.iter().map(|column| column.node).collect();
        let node = self.record(fields);
        // The dot and the star follow.
        let star = self.tokens_from(at.end).get(1);
        let end = star.map_or(at.end, |star| star.span.end);
        self.asks_row(table.stands_in, at.start..end);
        self.note_row(node, at.start..end, table);
        Ok(node)
    }

    /// The columns of a table in the FROM clause, where `x.*` stands for each of them.
    pub(super) fn columns_of_row(&mut self, name: &ObjectName) -> Check<Vec<TypeVar>> {
        let table = self.starred(name)?;
        let nodes: Vec<TypeVar> = table.columns.iter().map(|column| column.node).collect();
        // What is put in their place could not be told apart from what stands beside them.
        match nodes.iter().any(|node| self.types.has_tag(*node)) {
            true => self.unsupported("ROW(x.*) over text with ids in it", range(name.span())),
            false => Ok(nodes),
        }
    }

    /// The table in the FROM clause that stands before a star.
    fn starred(&mut self, name: &ObjectName) -> Check<Rc<Table>> {
        let at = range(name.span());
        let (schema, table) = self.relation_name(name)?;
        let found = self.scopes.iter().rev();
        let found = found.filter_map(|scope| scope.table(schema, table)).next();
        match found.cloned() {
            Some(table) if !table.open => {
                self.asks_whole(table.stands_in);
                self.types.spend(table.columns.len());
                let mut mixed = table.columns.iter();
                match mixed.find_map(|column| self.is_of_several_kinds(column)) {
                    Some(refusal) => Err(Box::new(refusal.at(at))),
                    None => Ok(table),
                }
            }
            _ => self.unsupported("this form of argument", at),
        }
    }

    pub(super) fn tag(
        &mut self,
        node: TypeVar,
        extent: Range<usize>,
        made: Carrier,
    ) -> Option<TypeVar> {
        match self.types.shape(node) {
            Shape::Id(_) => self.wrap(node, extent, made),
            Shape::Array(element) => {
                if self.has_level(&extent) {
                    return None;
                }
                let head = "(SELECT CASE WHEN pgveil_a.v IS NOT NULL THEN ARRAY(SELECT ";
                let middle = " FROM pg_catalog.unnest(pgveil_a.v) WITH ORDINALITY AS \
                              pgveil_e(v, o) ORDER BY pgveil_e.o) END FROM (SELECT ";
                let mut open = vec![text(head)];
                open.extend(self.wrapped(element, "pgveil_e.v", made)?);
                open.push(text(middle));
                self.enclose(&extent, open, vec![text(" AS v) AS pgveil_a)")]);
                let sorts = self.types.sorts(element);
                let tags = self.tags_of(element);
                let element = self.types.node(Shape::Tagged(TEXT));
                self.types.sort_like(element, sorts);
                self.types.tag_like(element, tags);
                Some(self.types.node(Shape::Array(element)))
            }
            Shape::Record(_) if made != Carrier::Text => {
                let row = self.rows.iter().rev().find(|row| {
                    row.node == node && extent.start <= row.span.start && row.span.end <= extent.end
                })?;
                let (span, table) = (row.span.clone(), row.table.clone());
                self.tag_row(span, &table, made)
            }
            _ => None,
        }
    }

    /// A whole row becomes a row of the same columns, in which the ids are tagged. The row of a
    /// table that an outer join has not found is NULL and stays so.
    fn tag_row(&mut self, span: Range<usize>, table: &Table, made: Carrier) -> Option<TypeVar> {
        if table.open || table.other_row {
            return None;
        }
        let name = self.text.get(span.clone())?;
        let name = name.strip_suffix(".*").unwrap_or(name).to_owned();
        let mut parts = vec![text("(SELECT pgveil_r FROM (SELECT ")];
        let (mut documents, mut tags) = (Vec::new(), Tags::Unknown);
        for (index, column) in table.columns.iter().enumerate() {
            let quoted = format!("\"{}\"", column.name.replace('"', "\"\""));
            let value = format!("{name}.{quoted}");
            if index > 0 {
                parts.push(text(", "));
            }
            match self.types.shape(column.node) {
                Shape::Id(id) => {
                    tags = tags.and(Tags::Of(id));
                    parts.extend(self.wrapped(column.node, &value, made)?);
                }
                Shape::Array(element) if self.types.has_id(element) => {
                    tags = Tags::Several;
                    if !self.types.has_tag(element) {
                        parts.push(text(&format!(
                            "CASE WHEN {value} IS NOT NULL THEN ARRAY(SELECT "
                        )));
                        parts.extend(self.wrapped(element, "pgveil_e.v", made)?);
                        parts.push(text(&format!(
                            " FROM pg_catalog.unnest({value}) WITH ORDINALITY AS \
                             pgveil_e(v, o) ORDER BY pgveil_e.o) END"
                        )));
                    } else {
                        parts.push(text(&value));
                    }
                }
                Shape::Tagged(_) => {
                    tags = tags.and(self.types.tags(column.node));
                    parts.push(text(&value));
                }
                Shape::Json(place, JSON | JSONB) if self.is_document(column.node) => {
                    documents.push((Step::Member(column.name.clone()), place));
                    parts.push(text(&value));
                }
                _ if self.types.has_id(column.node) => return None,
                // It goes in as it is, so it must not become an id later.
                _ => {
                    self.types.resolve_plain(column.node);
                    parts.push(text(&value));
                }
            }
            parts.push(text(&format!(" AS {quoted}")));
        }
        parts.push(text(&format!(
            ") AS pgveil_r WHERE {name} IS DISTINCT FROM NULL)"
        )));
        self.replace(&span, parts);
        if documents.is_empty() {
            let row = self.types.node(Shape::Tagged(JSON));
            self.types.tag_like(row, tags);
            return Some(row);
        }
        let row = self.types.built(documents, true);
        Some(self.types.node(Shape::Json(row, JSON)))
    }

    /// Puts a tag around an expression.
    pub(super) fn wrap(
        &mut self,
        node: TypeVar,
        extent: Range<usize>,
        made: Carrier,
    ) -> Option<TypeVar> {
        let (mut open, mut close) = (vec![self.open(node, made)?], vec![TagPart::Close]);
        if self.is_bytea(node) {
            open.push(text(ENCODE));
            close.insert(0, text(ENCODED));
        }
        self.enclose(&extent, open, close);
        let tagged = self.types.node(Shape::Tagged(TEXT));
        self.types.sort_like(tagged, self.types.sorts(node));
        self.types.tag_like(tagged, self.tags_of(node));
        Some(tagged)
    }

    pub(super) fn wrapped(
        &mut self,
        node: TypeVar,
        value: &str,
        made: Carrier,
    ) -> Option<[TagPart; 3]> {
        let open = self.open(node, made)?;
        let value = if self.is_bytea(node) {
            format!("{ENCODE}{value}{ENCODED}")
        } else {
            value.to_owned()
        };
        Some([open, text(&value), TagPart::Close])
    }

    /// The beginning of a tag around the id at a node, if it can be shown in text. A view is what
    /// it is, and bytes are written with a backslash, also where they have been cast to text.
    fn open(&mut self, node: TypeVar, made: Carrier) -> Option<TagPart> {
        let Shape::Id(id) = self.types.shape(node) else {
            return None;
        };
        let bytes = KeyType::Bytea.value_type();
        let types = self.context.snapshot.column_types(id.domain);
        let has_backslash = id.key_type == KeyType::Bytea && types.shown(bytes) == Some(bytes);
        if self.types.in_definition || id.shown == KeyType::Bytea || has_backslash {
            return None;
        }
        let number = made == Carrier::Json && id.shown.is_integer();
        self.short_ids |= self.context.snapshot.longest_id(id) < SHORTEST_TEXT;
        self.numbers |= number;
        Some(TagPart::Open { node, number })
    }

    /// What the tags around the ids at a node are.
    fn tags_of(&self, node: TypeVar) -> Tags {
        match self.types.shape(node) {
            Shape::Id(id) => Tags::Of(id),
            _ => Tags::Several,
        }
    }

    fn is_bytea(&self, node: TypeVar) -> bool {
        matches!(self.types.shape(node), Shape::Id(id) if id.key_type == KeyType::Bytea)
    }

    /// Puts parts around an expression, outside of what has been put around it before.
    pub(super) fn enclose(
        &mut self,
        extent: &Range<usize>,
        open: Vec<TagPart>,
        close: Vec<TagPart>,
    ) {
        // What comes first at one place is outermost.
        self.tags_in_front += i64::try_from(open.len()).unwrap_or(i64::MAX);
        for (order, with) in (-self.tags_in_front..).zip(open) {
            self.put_tag(extent.start..extent.start, order, with);
        }
        for with in close {
            self.add_tag(extent.end..extent.end, with);
        }
    }

    /// Puts a tag behind all others at its place.
    pub(super) fn add_tag(&mut self, span: Range<usize>, with: TagPart) {
        let order = i64::try_from(self.tags.len()).unwrap_or(i64::MAX);
        self.put_tag(span, order, with);
    }

    fn put_tag(&mut self, span: Range<usize>, order: i64, with: TagPart) {
        self.types.spend(1);
        let kept = self.keeps_tags;
        self.tags.push(Tag {
            span,
            order,
            with,
            kept,
        });
    }

    /// What is put in meanwhile a statement that is only explained needs too.
    pub(super) fn keeping_tags<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> T {
        let before = std::mem::replace(&mut self.keeps_tags, true);
        let result = work(self);
        self.keeps_tags = before;
        result
    }

    /// Replaces a range by parts.
    pub(super) fn replace(&mut self, span: &Range<usize>, parts: Vec<TagPart>) {
        if !self.tagged_rows.insert(span.clone()) {
            return;
        }
        let mut at = span.clone();
        for with in parts {
            let next = at.end..at.end;
            let kept = std::mem::take(&mut self.keeps_tags);
            self.add_tag(at, with);
            self.keeps_tags = kept;
            at = next;
        }
    }
}

/// Whether an argument of a function that makes JSON is the name of a member.
const fn is_name(build: Build, index: usize) -> bool {
    match build {
        Build::Member => index == 0,
        Build::Members => index.is_multiple_of(2),
        _ => false,
    }
}

/// Whether the right side of an operator on JSON names members by constants, none of them an id.
fn is_constant_path(expr: &Expr) -> bool {
    match expr {
        Expr::Nested(inner) | Expr::Cast { expr: inner, .. } => is_constant_path(inner),
        Expr::UnaryOp { expr: inner, .. } => is_constant_path(inner),
        Expr::Array(array) => array.elem.iter().all(is_constant_path),
        Expr::Value(value) => {
            let is_number = matches!(value.value, SqlValue::Number(..));
            is_number || string_value(&value.value).is_some_and(is_no_id)
        }
        _ => false,
    }
}

/// Whether an expression is the same for all rows.
fn is_literal(expr: &Expr) -> bool {
    match expr {
        Expr::Nested(inner) | Expr::Cast { expr: inner, .. } => is_literal(inner),
        Expr::Value(_) => true,
        _ => false,
    }
}

fn is_short_text(expr: &Expr) -> bool {
    match expr {
        Expr::Value(value) => string_value(&value.value).is_some_and(is_no_id),
        _ => false,
    }
}

/// Whether no part of a constant can be an id: a uuid has 32 digits at least, and the other forms
/// are not much shorter.
fn is_no_id(text: &str) -> bool {
    let mut parts = text.split([',', '{', '}', '"']);
    parts.all(|name| name.len() < 20)
}

pub(super) fn text(text: &str) -> TagPart {
    TagPart::Text(text.to_owned())
}

fn is_text(shape: &Shape) -> bool {
    match shape {
        Shape::Unknown | Shape::JsonText(_) => true,
        Shape::Typed(declared) => declared.is_text(),
        Shape::Plain(oid) | Shape::Tagged(oid) => may_be_text(*oid),
        Shape::Id(id) => id.shown.is_text(),
        Shape::Array(_) | Shape::Record(_) | Shape::Json(..) | Shape::Hidden => false,
    }
}

/// Whether `||` makes text of a value beside text.
const fn is_joinable(shape: &Shape) -> bool {
    !matches!(shape, Shape::Array(_) | Shape::Record(_) | Shape::Hidden)
}

/// Whether the first argument of `format` is known and shows the others as they are.
fn carries_its_arguments(format: &Function) -> bool {
    let FunctionArguments::List(list) = &format.args else {
        return false;
    };
    let first = list.args.first();
    let Some(FunctionArg::Unnamed(FunctionArgExpr::Expr(Expr::Value(value)))) = first else {
        return false;
    };
    let Some(text) = string_value(&value.value) else {
        return false;
    };
    // `%s`, `%1$s`, `%L` and `%%`; a width would count the characters of a tag.
    text.replace("%%", "").split('%').skip(1).all(|rest| {
        let rest = match rest.split_once('$') {
            Some((digits, rest)) if digits.bytes().all(|c| c.is_ascii_digit()) => rest,
            _ => rest,
        };
        rest.starts_with(['s', 'L'])
    })
}
