//! Which columns of tables the columns of a result are made of, by the tree of Postgres's own
//! analysis. It shares nothing with the inference of pgveil, knows no ids, and does not ask what
//! a function does: whatever goes into an expression is in its result, unless the result is true
//! or false, the function is one of [`COUNTS`], or it is a user's.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};

use super::node::Node;

/// A column: the oid of the table and its number.
pub(crate) type Column = (u32, i16);

/// Functions whose result says how many values there are, where or of what type, but not which.
const COUNTS: &[&str] = &[
    "count",
    "cume_dist",
    "dense_rank",
    "array_length",
    "array_lower",
    "array_ndims",
    "array_dims",
    "array_position",
    "array_positions",
    "array_upper",
    "cardinality",
    "generate_subscripts",
    "json_array_length",
    "json_typeof",
    "jsonb_array_length",
    "jsonb_typeof",
    "num_nonnulls",
    "num_nulls",
    "percent_rank",
    "pg_typeof",
    "rank",
];

const BOOL: &str = "16";

/// What has to be known of the database.
#[derive(Debug, Default)]
pub(crate) struct Flow {
    /// The names of functions by their oids.
    pub(crate) functions: HashMap<String, String>,
    /// The trees of views.
    pub(crate) views: HashMap<u32, Node>,
    /// The columns of tables.
    pub(crate) attributes: HashMap<u32, Vec<i16>>,
    /// The recursive CTEs that are being looked at.
    visiting: RefCell<Vec<String>>,
}

type Found = BTreeSet<Column>;

impl Flow {
    /// For each column of the result, what goes into it. `around` are the queries that this one
    /// stands in, outermost first.
    pub(crate) fn columns(&self, query: &Node, around: &[&Node]) -> Vec<Found> {
        let stack = [around, &[query]].concat();
        let returning = query.field("returningList").items();
        let list = if query.atom("commandType") == "1" {
            query.field("targetList").items()
        } else {
            returning
        };
        let shown: Vec<&Node> = list
            .iter()
            .filter(|entry| entry.atom("resjunk") != "true")
            .collect();
        let mut leaves = Vec::new();
        leaves_of(query.field("setOperations"), &mut leaves);
        let mut columns: Vec<Found> = shown
            .iter()
            .map(|entry| self.into(entry.field("expr"), &stack))
            .collect();
        for leaf in leaves {
            for (index, column) in columns.iter_mut().enumerate() {
                column.extend(self.of_relation(leaf, index + 1, &stack));
            }
        }
        columns
    }

    /// What goes into an expression.
    fn into(&self, expr: &Node, stack: &[&Node]) -> Found {
        let all = |nodes: &[&Node]| {
            let each = nodes.iter().flat_map(|node| self.into(node, stack));
            each.collect::<Found>()
        };
        match expr.name() {
            "VAR" => {
                let level = stack.len().saturating_sub(expr.number("varlevelsup"));
                let column = expr.atom("varattno").parse().unwrap_or(0);
                self.of_relation(expr.number("varno"), column, &stack[..level])
            }
            "BOOLEXPR" | "NULLTEST" | "BOOLEANTEST" | "SCALARARRAYOPEXPR" | "DISTINCTEXPR"
            | "ROWCOMPARE" | "ROWCOMPAREEXPR" | "GROUPINGFUNC" => Found::new(),
            "SUBLINK" => match expr.number("subLinkType") {
                4..=6 => {
                    let columns = self.columns(expr.field("subselect"), stack);
                    columns.into_iter().flatten().collect()
                }
                _ => Found::new(),
            },
            "CASE" | "CASEEXPR" => {
                let results = expr.field("args").items().iter();
                let mut parts: Vec<&Node> = results.map(|when| when.field("result")).collect();
                parts.push(expr.field("defresult"));
                all(&parts)
            }
            // Of a field of a row the tree tells only the row. Keys are integers in these databases.
            "FIELDSELECT"
                if !matches!(
                    expr.number("resulttype"),
                    20 | 21 | 23 | 1005 | 1007 | 1016 | 2249 | 2287 | 16384..
                ) =>
            {
                Found::new()
            }
            "NULLIFEXPR" => all(&[&expr.field("args").items()[0]]),
            "SUBSCRIPTINGREF" | "SUBSCRIPTINGREFEXPR" => {
                all(&[expr.field("refexpr"), expr.field("refassgnexpr")])
            }
            "AGGREF" | "WINDOWFUNC" | "FUNCEXPR" | "OPEXPR" => {
                let types = ["aggtype", "wintype", "funcresulttype", "opresulttype"];
                let oids = ["aggfnoid", "winfnoid", "funcid", "opfuncid"];
                let names = oids
                    .iter()
                    .filter_map(|oid| self.functions.get(expr.atom(oid)));
                let mut names = names.map(String::as_str);
                let is_truth = types.iter().any(|of| expr.atom(of) == BOOL);
                // What a user's function makes of its arguments its declaration or body says.
                let is_users = expr.number("funcid").max(expr.number("aggfnoid")) >= 16384;
                if is_truth || is_users || names.any(|name| COUNTS.contains(&name)) {
                    return Found::new();
                }
                // An aggregate is not made of what it sorts by.
                let arguments = expr.field("args");
                let is_value = |entry: &&Node| entry.atom("resjunk") != "true";
                let mut parts: Vec<&Node> = match arguments.items() {
                    [] => vec![arguments],
                    items => items.iter().filter(is_value).collect(),
                };
                if expr.atom("aggkind") == "o" {
                    // WITHIN GROUP
                    parts.push(expr.field("aggdirectargs"));
                }
                all(&parts)
            }
            "QUERY" => self.columns(expr, stack).into_iter().flatten().collect(),
            _ => {
                let children = expr.children();
                children.flat_map(|child| self.into(child, stack)).collect()
            }
        }
    }

    /// What a column of an item of FROM is made of; of all its columns for number 0.
    fn of_relation(&self, number: usize, column: usize, stack: &[&Node]) -> Found {
        let Some(query) = stack.last() else {
            return Found::new();
        };
        let items = query.field("rtable").items();
        let Some(item) = number.checked_sub(1).and_then(|index| items.get(index)) else {
            return Found::new();
        };
        let pick = |columns: Vec<Found>| match column.checked_sub(1) {
            Some(index) => columns.into_iter().nth(index).unwrap_or_default(),
            None => columns.into_iter().flatten().collect(),
        };
        let around = &stack[..stack.len() - 1];
        match item.number("rtekind") {
            0 => self.of_table(u32::try_from(item.number("relid")).unwrap_or(0), column),
            1 => pick(self.columns(item.field("subquery"), stack)),
            2 => {
                let aliases = item.field("joinaliasvars").items().iter();
                pick(aliases.map(|alias| self.into(alias, stack)).collect())
            }
            3 => {
                let functions = item.field("functions");
                let mut left = column;
                for function in functions.items() {
                    match left.checked_sub(function.number("funccolcount")) {
                        Some(behind @ 1..) => left = behind,
                        _ if column > 0 => return self.into(function, stack),
                        _ => return self.into(functions, stack),
                    }
                }
                // Behind the columns of functions is WITH ORDINALITY's.
                Found::new()
            }
            5 => {
                let rows = item.field("values_lists").items();
                let values = rows.iter().flat_map(|row| match column.checked_sub(1) {
                    Some(index) => row.items().get(index).into_iter().collect(),
                    None => row.items().iter().collect::<Vec<_>>(),
                });
                values.flat_map(|value| self.into(value, stack)).collect()
            }
            6 => {
                let level = around.len().saturating_sub(item.number("ctelevelsup"));
                pick(self.of_cte(item.atom("ctename"), &stack[..=level]))
            }
            _ => Found::new(),
        }
    }

    fn of_table(&self, table: u32, column: usize) -> Found {
        if let Some(view) = self.views.get(&table) {
            let columns = self.columns(view, &[]);
            return match column.checked_sub(1) {
                Some(index) => columns.into_iter().nth(index).unwrap_or_default(),
                None => columns.into_iter().flatten().collect(),
            };
        }
        if let Ok(number @ 1..) = i16::try_from(column) {
            return [(table, number)].into();
        }
        let all = self.attributes.get(&table).into_iter().flatten();
        all.map(|number| (table, *number)).collect()
    }

    fn of_cte(&self, name: &str, stack: &[&Node]) -> Vec<Found> {
        let ctes = stack
            .last()
            .map_or(&[][..], |query| query.field("cteList").items());
        let Some(cte) = ctes.iter().find(|cte| cte.atom("ctename") == name) else {
            return Vec::new();
        };
        let known = format!("{name} {}", stack.len());
        if self.visiting.borrow().contains(&known) {
            return Vec::new();
        }
        self.visiting.borrow_mut().push(known);
        let columns = self.columns(cte.field("ctequery"), stack);
        self.visiting.borrow_mut().pop();
        columns
    }
}

/// The items of FROM that a tree of UNION and its like is made of.
fn leaves_of(node: &Node, leaves: &mut Vec<usize>) {
    match node.name() {
        "RANGETBLREF" => leaves.push(node.number("rtindex")),
        "SETOPERATIONSTMT" => {
            leaves_of(node.field("larg"), leaves);
            leaves_of(node.field("rarg"), leaves);
        }
        _ => {}
    }
}
