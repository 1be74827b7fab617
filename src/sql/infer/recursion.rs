//! Recursive queries: what their second part does to the types of the first, and the columns that
//! SEARCH and CYCLE add, constants that mark a cycle and rows by which it can be sorted.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use sqlparser::ast::{Cte, SetExpr, Spanned};

use crate::sql::parse::{Added, range};
use crate::sql::scope::Output;
use crate::sql::types::{INT8, Id, Shape, TypeVar, Types};

use super::{Binder, Check, Tag};

/// How far the walk has come.
struct Progress<'a> {
    types: Types<'a>,
    tags: Vec<Tag>,
    told_apart: usize,
    occurrences: usize,
    type_names: usize,
    replaced: usize,
    rows: usize,
    scalars: HashSet<TypeVar>,
    modifiers: HashMap<TypeVar, i32>,
    recomputed: HashSet<TypeVar>,
    folded: HashSet<usize>,
    lists: usize,
    constant_lists: usize,
    stand_ins: usize,
    row_of: HashMap<TypeVar, usize>,
    tagged_rows: HashSet<Range<usize>>,
    leaves: HashMap<TypeVar, Id>,
}

impl<'a> Binder<'a> {
    /// The columns of `first UNION [ALL] second`, where the second query names the result, the
    /// CTE at place `own`. If the second puts tags into a column, it is read again as one that
    /// finds them there.
    pub(super) fn recurse(
        &mut self,
        (first, left): (Vec<Output>, &SetExpr),
        right: &SetExpr,
        word: &str,
        (own, cte): (usize, &Cte),
    ) -> Check<Vec<Output>> {
        let mut visible = first.clone();
        // Each time at least one column more has tags.
        for _ in 0..=first.len() {
            let progress = self.progress();
            let tags = |binder: &Self, columns: &[Output]| {
                let columns = columns.iter();
                let tags = columns.map(|output| binder.types.has_tag(output.node));
                tags.collect::<Vec<_>>()
            };
            // Before the two are linked.
            let seen = tags(self, &visible);
            let columns = self.with_added(visible.clone(), cte)?;
            if let Some((_, known)) = self.ctes.get_mut(own) {
                *known = Some(columns);
            }
            let second = self.set_expr(right)?;
            let outputs = self.unite((first.clone(), left), (&second, right), word)?;
            // The recursive part has taken them for ids of one kind.
            let mut mixed = outputs
                .iter()
                .filter_map(|output| self.is_of_several_kinds(output));
            if let Some(refusal) = mixed.next() {
                return Err(Box::new(refusal.at(range(right.span()))));
            }
            let shapes: Vec<Shape> = (outputs.iter())
                .map(|output| self.types.shape(output.node))
                .collect();
            if tags(self, &outputs) == seen {
                return Ok(outputs);
            }
            self.go_back(progress);
            for (column, shape) in visible.iter_mut().zip(shapes) {
                if matches!(shape, Shape::Tagged(_)) {
                    column.node = self.types.node(shape);
                }
            }
        }
        self.unsupported("text that a recursion builds from ids", range(right.span()))
    }

    fn progress(&self) -> Progress<'a> {
        self.types.spend(self.types.len() + self.tags.len());
        Progress {
            types: self.types.clone(),
            tags: self.tags.clone(),
            told_apart: self.told_apart.len(),
            occurrences: self.occurrences.len(),
            type_names: self.type_names.len(),
            replaced: self.replaced.len(),
            rows: self.rows.len(),
            scalars: self.scalars.clone(),
            modifiers: self.modifiers.clone(),
            recomputed: self.recomputed.clone(),
            folded: self.folded.clone(),
            lists: self.lists.len(),
            constant_lists: self.constant_lists.len(),
            stand_ins: self.stand_ins.len(),
            row_of: self.row_of.clone(),
            tagged_rows: self.tagged_rows.clone(),
            leaves: self.leaves.clone(),
        }
    }

    fn go_back(&mut self, progress: Progress<'a>) {
        self.types = progress.types;
        self.tags = progress.tags;
        self.told_apart.truncate(progress.told_apart);
        self.occurrences.truncate(progress.occurrences);
        self.type_names.truncate(progress.type_names);
        self.replaced.truncate(progress.replaced);
        self.rows.truncate(progress.rows);
        self.scalars = progress.scalars;
        self.modifiers = progress.modifiers;
        self.recomputed = progress.recomputed;
        self.folded = progress.folded;
        self.lists.truncate(progress.lists);
        self.constant_lists.truncate(progress.constant_lists);
        self.stand_ins.truncate(progress.stand_ins);
        self.row_of = progress.row_of;
        self.tagged_rows = progress.tagged_rows;
        self.leaves = progress.leaves;
    }

    /// The columns of a recursive query with those that are added.
    pub(super) fn with_added(&mut self, mut outputs: Vec<Output>, cte: &Cte) -> Check<Vec<Output>> {
        let Some(from) = &cte.from else {
            return Ok(outputs);
        };
        let Some(clauses) = Added::decode(&from.value) else {
            return self.unsupported("this clause", range(from.span));
        };
        for clause in clauses {
            let (columns, into, is_path) = match clause {
                Added::Mark { into } => {
                    let node = self.types.native(0);
                    outputs.push(Output { name: into, node });
                    continue;
                }
                Added::Path { columns, into } => (columns, into, true),
                Added::Row { columns, into } => (columns, into, false),
            };
            let node_of = |name: &String| {
                let named = outputs.iter().find(|output| output.name == *name);
                named.map(|output| output.node)
            };
            let nodes: Option<Vec<TypeVar>> = columns.iter().map(node_of).collect();
            let Some(mut nodes) = nodes else {
                return self.unsupported("this column of SEARCH or CYCLE", range(from.span));
            };
            if !is_path {
                nodes.insert(0, self.types.native(INT8));
            }
            let mut node = self.types.node(Shape::Record(nodes.into()));
            if is_path {
                node = self.types.node(Shape::Array(node));
            }
            outputs.push(Output { name: into, node });
        }
        Ok(outputs)
    }
}
