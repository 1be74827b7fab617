//! Whole statements: queries, and what changes rows.

use super::query::order_of;
use super::schema::{TABLES, Table, Type};
use super::scope::{Column, Common, Generator, Scope};
use super::tree::{Sort, Tree};

/// Tables that statements insert into, with the columns that they give; the others are made by
/// the database.
const TARGETS: &[(&str, &[&str])] = &[
    ("users", &["email", "name", "created_at"]),
    ("teams", &["name", "slug", "owner_id", "created_at"]),
    ("orders", &["user_id", "status", "note", "placed_at"]),
    ("order_items", &["order_id", "sku"]),
    (
        "comments",
        &["author_id", "order_id", "parent_id", "body", "created_at"],
    ),
    ("memberships", &["team_id", "user_id", "role", "created_at"]),
    ("order_tags", &["order_id", "tag_id"]),
    ("tags", &["name"]),
    (
        "events",
        &["kind", "actor_id", "participant_ids", "occurred_at"],
    ),
    (
        "audit_log",
        &["table_name", "record_id", "actor_id", "action", "at"],
    ),
    ("products", &["name", "maker_id"]),
    ("notes", &["author_id", "body"]),
];

/// What makes a row collide with one that is there.
const CONFLICTS: &[(&str, &str, &str)] = &[
    ("users", "(email)", "name"),
    ("teams", "on constraint teams_slug_key", "name"),
    ("memberships", "(team_id, user_id)", "role"),
    ("order_tags", "(order_id, tag_id)", "tag_id"),
    ("tags", "(name)", "name"),
];

/// Targets whose rows have no id of their own.
const PAIRS: &[&str] = &["memberships", "order_tags"];

fn target(name: &str) -> &'static Table {
    TABLES
        .iter()
        .find(|table| table.name == name)
        .expect("a target is a table")
}

fn type_of(table: &Table, column: &str) -> Type {
    let found = table.columns.iter().find(|(name, _)| *name == column);
    found.expect("a column of the table").1.clone()
}

impl Generator {
    /// A statement, and whether it changes rows.
    pub(crate) fn statement(&mut self) -> (Tree, bool) {
        let depth = 1 + self.random.below(3);
        match self.random.weighted(&[60, 8, 6, 5, self.rare(3), 4]) {
            0 => (self.top(depth), false),
            1 => (self.insert(depth), true),
            2 => (self.update(depth), true),
            3 => (self.delete(depth), true),
            4 => (self.merge(depth), true),
            _ => (self.writing_with(depth), true),
        }
    }

    /// A query by itself.
    fn top(&mut self, depth: usize) -> Tree {
        let scope = Scope::default();
        if self.everything && self.random.once_in(12) {
            return self.whole_rows(depth);
        }
        let count = 1 + self.random.below(4);
        let types: Vec<_> = (0..count).map(|_| self.any_type(&scope)).collect();
        self.query(&types, &scope, depth, false)
    }

    /// A query for rows as values.
    fn whole_rows(&mut self, depth: usize) -> Tree {
        let scope = Scope::default();
        let source = self.from(&scope, depth);
        let inner = Scope {
            columns: source.columns,
            ..Scope::default()
        };
        let condition = self.condition(&inner, depth.min(1));
        let row = self.random.choose(&source.rows).clone();
        let (one, two) = (self.any_type(&inner), self.any_type(&inner));
        let (one, two) = (self.value(&one, &inner, 1), self.value(&two, &inner, 1));
        let template = match self.random.below(6) {
            0 => format!("select {row} from {{}} where {{}}"),
            1 => format!("select ({row}).* from {{}} where {{}}"),
            2 => "select * from {} where {}".to_owned(),
            3 => format!("select {row}.* from {{}} where {{}}"),
            _ => {
                let parts = [one, two, source.tree, condition];
                return Tree::new(Sort::Part, "select row({}, {}) from {} where {}", parts);
            }
        };
        Tree::new(Sort::Part, &template, [source.tree, condition])
    }

    /// The columns of a table by a name for it.
    fn columns(table: &Table, alias: &str) -> Vec<Column> {
        let columns = table.columns.iter();
        columns
            .map(|(name, of)| Column::new(format!("{alias}.{name}"), of))
            .collect()
    }

    /// RETURNING, or nothing, and what it returns.
    fn returning(&mut self, columns: &[Column], always: bool) -> (Tree, Vec<Type>) {
        if !always && self.random.once_in(3) {
            return (Tree::nothing(), Vec::new());
        }
        let scope = Scope {
            columns: columns.to_vec(),
            ..Scope::default()
        };
        let count = 1 + self.random.below(3);
        let types: Vec<_> = (0..count).map(|_| self.any_type(&scope)).collect();
        let items = types.iter().map(|of| self.value(of, &scope, 1));
        let items = items.collect::<Vec<_>>();
        (
            Tree::optional(" returning {}", [Tree::list(items, ", ", 1)]),
            types,
        )
    }

    fn insert(&mut self, depth: usize) -> Tree {
        if self.random.once_in(6) {
            return self.insert_made();
        }
        self.insert_returning(depth, false).0
    }

    /// A row whose id the database makes where clients of uuids have it made.
    fn insert_made(&mut self) -> Tree {
        let targets = TARGETS.iter().filter(|(name, _)| !PAIRS.contains(name));
        let targets: Vec<_> = targets.collect();
        let (name, columns) = **self.random.choose(&targets);
        let table = target(name);
        let types: Vec<_> = columns
            .iter()
            .map(|column| type_of(table, column))
            .collect();
        let row = self.new_row(&types);
        let made = *self.random.choose(&["gen_random_uuid()", "default"]);
        // It has no place among the other ids that would be the same in both worlds.
        let returning = Tree::optional(" returning x.id", []);
        let list = columns.join(", ");
        let template = format!("insert into {name} as x (id, {list}) values ({made}, {{}}){{}}");
        Tree::new(Sort::Part, &template, [row, returning])
    }

    fn insert_returning(&mut self, depth: usize, always: bool) -> (Tree, Vec<Type>) {
        let (name, columns) = *self.random.choose(TARGETS);
        let table = target(name);
        let types: Vec<_> = columns
            .iter()
            .map(|column| type_of(table, column))
            .collect();
        let list = columns.join(", ");
        let scope = Scope::default();
        let rows = if self.random.once_in(3) {
            let query = self.query(&types, &scope, depth, false);
            Tree::new(Sort::Part, "{}", [query])
        } else {
            let count = 1 + self.random.below(3);
            let row = |row| Tree::new(Sort::Part, "({})", [row]);
            let rows = (0..count).map(|_| row(self.new_row(&types))).collect();
            Tree::new(Sort::Part, "values {}", [Tree::list(rows, ", ", 1)])
        };
        let conflict = CONFLICTS.iter().find(|(of, ..)| *of == name);
        let conflict = match conflict {
            Some((_, target, set)) if !self.random.once_in(3) => {
                let arbiter = target.strip_prefix('(').map_or(*target, |_| target);
                let then = match self.random.below(3) {
                    0 => "do nothing".to_owned(),
                    1 => format!("do update set {set} = excluded.{set}"),
                    _ => format!("do update set {set} = excluded.{set} where x.{set} is not null"),
                };
                Tree::optional(&format!(" on conflict {arbiter} {then}"), [])
            }
            _ if self.random.once_in(8) => Tree::optional(" on conflict do nothing", []),
            _ => Tree::nothing(),
        };
        let (returning, returned) = self.returning(&Self::columns(table, "x"), always);
        let template = format!("insert into {name} as x ({list}) {{}}{{}}{{}}");
        let tree = Tree::new(Sort::Part, &template, [rows, conflict, returning]);
        (tree, returned)
    }

    /// The values of a row to insert: literals, and text that is new.
    fn new_row(&mut self, types: &[Type]) -> Tree {
        let items = types.iter().map(|of| match of {
            Type::Text if !self.random.once_in(4) => {
                let word = self.name("new");
                Tree::value(of, &word, "")
            }
            Type::Id(domain) if self.random.once_in(2) => {
                let id = self.row(domain);
                Tree::value(of, &id, "")
            }
            of => self.literal(of),
        });
        let items = items.collect::<Vec<_>>();
        let least = items.len();
        Tree::list(items, ", ", least)
    }

    /// Tables of which rows are changed.
    fn changed(&mut self) -> (&'static Table, &'static str) {
        let (name, columns) = *self.random.choose(TARGETS);
        let column = *self.random.choose(columns);
        (target(name), column)
    }

    fn update(&mut self, depth: usize) -> Tree {
        self.update_returning(depth, false).0
    }

    fn update_returning(&mut self, depth: usize, always: bool) -> (Tree, Vec<Type>) {
        let (table, column) = self.changed();
        let name = table.name;
        let columns = Self::columns(table, "x");
        let scope = Scope {
            columns: columns.clone(),
            ..Scope::default()
        };
        let of = type_of(table, column);
        let (returning, returned) = self.returning(&columns, always);
        let tree = match self.random.below(4) {
            // Each row meets one other row at most.
            0 => {
                let value = self.value(&of, &scope, 1);
                let (order, condition) =
                    (order_of(&columns[..table.keys]), self.condition(&scope, 1));
                let template = format!(
                    "update {name} as x set {column} = {{}} from (select distinct on ({order}) \
                     x.* from {name} x order by {order}) y where ({}) = ({}) and {{}}{{}}",
                    order,
                    order.replace("x.", "y."),
                );
                Tree::new(Sort::Part, &template, [value, condition, returning])
            }
            1 => {
                let value = self.value(&of, &scope, depth);
                let template =
                    format!("update {name} as x set ({column}) = row({{}}) where {{}}{{}}");
                let condition = self.condition(&scope, depth);
                Tree::new(Sort::Part, &template, [value, condition, returning])
            }
            _ => {
                let value = self.value(&of, &scope, depth);
                let condition = self.condition(&scope, depth);
                let template = format!("update {name} as x set {column} = {{}} where {{}}{{}}");
                Tree::new(Sort::Part, &template, [value, condition, returning])
            }
        };
        (tree, returned)
    }

    fn delete(&mut self, depth: usize) -> Tree {
        self.delete_returning(depth, false).0
    }

    fn delete_returning(&mut self, depth: usize, always: bool) -> (Tree, Vec<Type>) {
        let (table, _) = self.changed();
        let name = table.name;
        let columns = Self::columns(table, "x");
        let scope = Scope {
            columns: columns.clone(),
            ..Scope::default()
        };
        let (returning, returned) = self.returning(&columns, always);
        let tree = if self.random.once_in(3) {
            let source = self.from(&Scope::default(), depth.min(1));
            let inner = Scope {
                columns: [columns, source.columns].concat(),
                ..Scope::default()
            };
            let condition = self.condition(&inner, depth);
            let template = format!("delete from {name} as x using {{}} where {{}}{{}}");
            Tree::new(Sort::Part, &template, [source.tree, condition, returning])
        } else {
            let condition = self.condition(&scope, depth);
            let template = format!("delete from {name} as x where {{}}{{}}");
            Tree::new(Sort::Part, &template, [condition, returning])
        };
        (tree, returned)
    }

    fn merge(&mut self, depth: usize) -> Tree {
        let (name, columns) = *self.random.choose(TARGETS);
        let table = target(name);
        let column = *self.random.choose(columns);
        let types: Vec<_> = columns
            .iter()
            .map(|column| type_of(table, column))
            .collect();
        let query = self.query(&types, &Scope::default(), depth.min(2), false);
        let scope = Scope {
            columns: Self::columns(table, "x"),
            ..Scope::default()
        };
        let given = columns.join(", ");
        let values: Vec<_> = columns.iter().map(|column| format!("s.{column}")).collect();
        let matched = self.condition(&scope, 1);
        let value = self.value(&type_of(table, column), &scope, 1);
        let first = columns[0];
        let template = format!(
            "merge into {name} as x using (select distinct on ({first}) * from ({{}}) d({given}) \
             order by {given}) s on x.{first} = s.{first} \
             when matched and {{}} then update set {column} = {{}} \
             when not matched then insert ({given}) values ({})",
            values.join(", ")
        );
        Tree::new(Sort::Part, &template, [query, matched, value])
    }

    /// A WITH that changes rows, and a query for what it returns.
    fn writing_with(&mut self, depth: usize) -> Tree {
        let depth = depth.min(2);
        let (change, types) = match self.random.below(3) {
            0 => self.insert_returning(depth, true),
            1 => self.update_returning(depth, true),
            _ => self.delete_returning(depth, true),
        };
        let name = self.name("w");
        let columns: Vec<_> = (1..=types.len())
            .map(|number| format!("k{number}"))
            .collect();
        let head = format!("with {name}({}) as ({{}}) {{}}", columns.join(", "));
        self.commons.push(Common { name, types });
        let scope = Scope::default();
        let kinds = [self.any_type(&scope), Type::Integer];
        let query = self.select(&kinds, &scope, depth, false);
        Tree::new(Sort::Part, &head, [change, query])
    }
}
