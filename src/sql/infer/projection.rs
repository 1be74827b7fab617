//! SELECT lists and RETURNING: the columns that a query puts out.

use std::ops::Range;

use sqlparser::ast::{
    Expr, ObjectNamePart, SelectItem, SelectItemQualifiedWildcardKind, SetExpr, Spanned,
    WildcardAdditionalOptions,
};

use crate::sql::lex::Token;
use crate::sql::parse::range;
use crate::sql::refusal::{Code, Refusal};
use crate::sql::scope::Output;
use crate::sql::types::{Because, Shape, TypeVar};

use super::column_name::{is_case, is_cast, is_nameless_value, is_text_of_json};
use super::{Alias, Binder, Check, ItemName};

impl Binder<'_> {
    /// The items of RETURNING.
    pub(super) fn returning_items(&mut self, items: &[SelectItem]) -> Check<Vec<Output>> {
        let first = items.first().map_or(0, |item| range(item.span()).start);
        let is_returning =
            |token: &&Token<'_>| token.word() == Some("returning") && token.span.start < first;
        let keyword = self.tokens.iter().rfind(is_returning);
        let behind = keyword.map_or(first, |token| token.span.end);
        let outputs = self.projection(items, behind)?;
        match outputs.iter().any(Output::is_rest) {
            true => Err(unknown_columns(first..first)),
            false => Ok(outputs),
        }
    }

    /// The items of a SELECT list, which begins behind a place.
    pub(super) fn projection(&mut self, items: &[SelectItem], behind: usize) -> Check<Vec<Output>> {
        let mut outputs = Vec::new();
        let mut open = None;
        let starts = self.item_starts(behind, items.len());
        for (number, item) in items.iter().enumerate() {
            let start = starts.get(number).copied();
            let start = start.unwrap_or_else(|| range(item.span()).start);
            match item {
                SelectItem::UnnamedExpr(expr) => match self.all_members(expr) {
                    Some(members) => {
                        let members = members?;
                        if members.iter().any(Output::is_rest) {
                            open = Some(range(item.span()));
                        }
                        outputs.extend(members);
                    }
                    None => match self.unnamed(expr, start) {
                        Err(_) if self.is_hidden_in_view(expr) => {
                            let name = self.first_names.column_name(expr);
                            let node = self.types.hidden(Because::View);
                            outputs.push(Output { name, node });
                        }
                        found => outputs.push(found?),
                    },
                },
                SelectItem::ExprWithAlias { expr, alias } => {
                    let told = self
                        .handed_on(expr)
                        .map_or_else(|| self.told_item(expr, None), |of| Ok(Some(of)))?;
                    let node = match told.map_or_else(|| self.expr(expr), Ok) {
                        Err(_) if self.hides_unexplained => {
                            self.unanalysed = true;
                            self.types.hidden(Because::View)
                        }
                        found => found?,
                    };
                    let node = self.item_of_rows(expr, node);
                    self.note_modifier(expr, node);
                    self.tell_place(expr, node);
                    outputs.push(Output {
                        name: alias.value.clone(),
                        node,
                    });
                }
                SelectItem::Wildcard(_) | SelectItem::QualifiedWildcard(..) => {
                    let mut columns = self.covered(item)?;
                    if columns.last().is_some_and(Output::is_rest) {
                        open = Some(range(item.span()));
                    }
                    outputs.append(&mut columns);
                }
                SelectItem::ExprWithAliases { .. } => {
                    return self.unsupported("several aliases for one column", range(item.span()));
                }
            }
        }
        self.first_names.note(behind, items);
        // The row of them all is one without keys, as are the rows of what a `*` covers here.
        for output in outputs.iter().filter(|_| open.is_some()) {
            self.types.resolve_plain(output.node);
        }
        match open {
            Some(star)
                if !outputs
                    .iter()
                    .all(|output| self.is_without_keys(output.node)) =>
            {
                Err(unknown_columns(star))
            }
            _ => Ok(outputs),
        }
    }

    /// The columns that a `*` covers.
    fn covered(&mut self, item: &SelectItem) -> Check<Vec<Output>> {
        match item {
            SelectItem::Wildcard(options) => {
                self.plain_wildcard(options)?;
                let (mut columns, mut stand_ins) = (Vec::new(), Vec::new());
                let mut is_open = false;
                if let Some(scope) = self.scopes.last() {
                    self.types.spend(scope.width());
                    columns.extend(scope.columns().cloned());
                    stand_ins.extend(scope.stand_ins());
                    is_open = scope.is_open();
                }
                let is_plain = stand_ins.is_empty();
                self.asks_whole(stand_ins);
                if is_open {
                    columns.push(Output::rest(self.types.native(0)));
                    return Ok(columns);
                }
                let star = range(options.wildcard_token.0.span);
                self.told_whole(&mut columns, star, |binder| {
                    let scope = binder.scopes.last().filter(|_| is_plain)?;
                    Self::tables_of(scope)
                })?;
                Ok(columns)
            }
            SelectItem::QualifiedWildcard(kind, options) => {
                self.plain_wildcard(options)?;
                let mut columns = self.table_wildcard(kind, item)?;
                if columns.last().is_some_and(Output::is_rest) {
                    return Ok(columns);
                }
                let star = range(options.wildcard_token.0.span);
                let span = range(kind.span()).start..star.end;
                let listed = columns.clone();
                self.told_whole(&mut columns, span.clone(), |binder| {
                    let written = binder.text.get(span.start..star.start)?;
                    Some(vec![(written.to_owned(), listed)])
                })?;
                Ok(columns)
            }
            _ => Ok(Vec::new()),
        }
    }

    pub(super) fn is_without_keys(&self, node: TypeVar) -> bool {
        match self.types.shape(node) {
            Shape::Plain(_) => true,
            Shape::Array(element) => self.types.step() && self.is_without_keys(element),
            _ => false,
        }
    }

    /// A select item without an alias. Where an edit would change its name, it needs one.
    fn unnamed(&mut self, expr: &Expr, start: usize) -> Check<Output> {
        let (types, values) = (self.type_names.len(), self.occurrences.len());
        let (tags, lists) = (self.tags.len(), self.lists.len());
        if let Some(node) = self.handed_on(expr) {
            let name = self.first_names.column_name(expr);
            return Ok(Output { name, node });
        }
        if self.is_polymorphic(expr) {
            if self.hides_unexplained && !self.is_fixed(expr) {
                let name = self.first_names.column_name(expr);
                let node = self.types.hidden(Because::View);
                return Ok(Output { name, node });
            }
            let at = self.item_end(start);
            let name = self.first_names.column_name(expr);
            if let Some(node) = self.told_item(expr, Some(at))? {
                return Ok(Output { name, node });
            }
            let tags = self.tags.len();
            let node = self.expr(expr)?;
            if self.tags.len() > tags {
                self.name_told(at, &name);
            }
            self.tell_place(expr, node);
            return Ok(Output { name, node });
        }
        let node = self.expr(expr)?;
        self.note_modifier(expr, node);
        self.tell_place(expr, node);
        let name = self.first_names.column_name(expr);
        let is_leaf = self.leaves.contains_key(&node);
        let is_renamed = is_cast(expr)
            || name != "case" && is_case(expr)
            || is_leaf
            || self.numbers && is_text_of_json(expr);
        if self.tags.len() > tags && is_renamed {
            // It has the name of what is cast, or of its last branch, which is now in a tag; or
            // none, but stands in a call now.
            let at = self.item_end(start);
            let kept = self.tags.iter().skip(tags).any(|tag| tag.kept);
            let before = std::mem::replace(&mut self.keeps_tags, kept);
            self.add_tag(at..at, super::multi_domain::named(&name));
            self.keeps_tags = before;
            self.item_names
                .insert(at, ItemName::Tag(self.tags.len() - 1));
        } else if self.first_names.is_named_after_type(expr)
            || is_cast(expr) && self.lists.len() > lists
        {
            let at = self.item_end(start);
            if let Some(cast) = self.type_names.get_mut(types..).and_then(<[_]>::last_mut) {
                let name = name.clone();
                cast.alias = Some(Alias { at, name });
                let place = self.type_names.len() - 1;
                self.item_names.insert(at, ItemName::Type(place));
            }
        } else if is_nameless_value(expr) {
            let at = self.item_end(start);
            if let Some(value) = self.occurrences.get_mut(values..).and_then(<[_]>::last_mut) {
                let name = name.clone();
                value.alias = Some(Alias { at, name });
                let place = self.occurrences.len() - 1;
                self.item_names.insert(at, ItemName::Value(place));
            }
        }
        Ok(Output { name, node })
    }

    /// Where the items of a list begin: sqlparser's spans leave out parentheses.
    fn item_starts(&self, behind: usize, count: usize) -> Vec<usize> {
        let mut starts = Vec::new();
        let (mut begins, mut on) = (true, false);
        for step in self.level(self.index_of(behind)) {
            self.types.spend(1);
            // DISTINCT ON (…) comes before the first item.
            if begins && starts.is_empty() && step.is_word(&["all", "distinct", "on"]) {
                on = step.is_word(&["on"]);
                continue;
            }
            if begins && !on {
                starts.push(step.span.start);
                begins = false;
            }
            match step.written {
                "(" | "[" => on = false,
                "," => begins = true,
                _ => {}
            }
            if starts.len() == count && !begins {
                break;
            }
            self.types.spend(step.tokens.len() - 1);
        }
        starts
    }

    /// The end of a select item: sqlparser's spans leave out closing parentheses, `[]` and type
    /// names, so the tokens say where the next comma or clause begins.
    fn item_end(&self, start: usize) -> usize {
        const CLAUSES: [&str; 14] = [
            "from",
            "where",
            "union",
            "intersect",
            "except",
            "order",
            "limit",
            "group",
            "having",
            "offset",
            "fetch",
            "for",
            "window",
            "into",
        ];
        let (mut end, mut goes_on) = (start, false);
        for step in self.level(self.index_of(start)) {
            self.types.spend(1);
            if matches!(step.written, "," | ";") || !goes_on && step.is_word(&CLAUSES) {
                break;
            }
            // IS DISTINCT FROM, WITHIN GROUP; and any word can be the name of a column.
            goes_on = step.written == "." || step.is_word(&["distinct", "within"]);
            end = step.span.end;
        }
        end
    }

    fn plain_wildcard(&self, options: &WildcardAdditionalOptions) -> Check<()> {
        let extras = options.opt_ilike.is_some()
            || options.opt_exclude.is_some()
            || options.opt_except.is_some()
            || options.opt_replace.is_some()
            || options.opt_rename.is_some()
            || options.opt_alias.is_some();
        if extras {
            return self.unsupported("this form of *", range(options.span()));
        }
        Ok(())
    }

    fn table_wildcard(
        &mut self,
        kind: &SelectItemQualifiedWildcardKind,
        item: &SelectItem,
    ) -> Check<Vec<Output>> {
        let SelectItemQualifiedWildcardKind::ObjectName(name) = kind else {
            return self.unsupported("the members of an expression", range(item.span()));
        };
        let (schema, table) = self.relation_name(name)?;
        let parts = name.0.iter().filter_map(ObjectNamePart::as_ident);
        self.unqualify(schema, &parts.cloned().collect::<Vec<_>>());
        let found = self
            .scopes
            .iter()
            .rev()
            .find_map(|scope| scope.table(schema, table));
        match found {
            Some(table) => {
                let is_open = table.open;
                self.types.spend(table.columns.len());
                let (columns, stands_in) = (table.columns.clone(), table.stands_in);
                self.asks_whole(stands_in);
                let rest = is_open.then(|| Output::rest(self.types.native(0)));
                Ok(columns.iter().cloned().chain(rest).collect())
            }
            None => {
                let message = format!("missing FROM-clause entry for table \"{table}\"");
                Err(Box::new(
                    Refusal::new(Code::UnknownName, "42P01", message).at(range(item.span())),
                ))
            }
        }
    }
}

/// What covers columns that are not known can't be shown, or told from those that are.
pub(super) fn unknown_columns(at: Range<usize>) -> Box<Refusal> {
    let message = "* covers a relation whose columns pgveil does not know";
    let refusal = Refusal::unsupported(Code::Unsupported, message).at(at);
    Box::new(refusal.hint("List the columns."))
}

/// The first `*` of a query.
pub(super) fn star(mut body: &SetExpr) -> Range<usize> {
    loop {
        body = match body {
            SetExpr::Query(query) => &query.body,
            SetExpr::SetOperation { left, .. } => left,
            SetExpr::Select(select) => {
                let is_star = |item: &&SelectItem| {
                    matches!(
                        item,
                        SelectItem::Wildcard(_) | SelectItem::QualifiedWildcard(..)
                    )
                };
                let star = select.projection.iter().find(is_star);
                return range(star.map_or_else(|| select.span(), Spanned::span));
            }
            _ => return range(body.span()),
        };
    }
}
