//! The columns that SEARCH and CYCLE add to a recursive query: constants that mark a cycle, and
//! rows by which it can be sorted.

use sqlparser::ast::Cte;

use crate::sql::parse::{Added, range};
use crate::sql::scope::Output;
use crate::sql::types::{INT8, Node, Shape};

use super::{Binder, Check};

impl Binder<'_> {
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
            let nodes: Option<Vec<Node>> = columns.iter().map(node_of).collect();
            let Some(mut nodes) = nodes else {
                return self.unsupported("this column of SEARCH or CYCLE", range(from.span));
            };
            if !is_path {
                nodes.insert(0, self.types.native(INT8));
            }
            let mut node = self.types.node(Shape::Record(nodes));
            if is_path {
                node = self.types.node(Shape::Array(node));
            }
            outputs.push(Output { name: into, node });
        }
        Ok(outputs)
    }
}
