//! What a query reads from.

use super::query::order_of;
use super::schema::{TABLES, Table, Type};
use super::scope::{Column, Generator, Scope};
use super::tree::{Sort, Tree};

/// A FROM: the text, what it gives, expressions that order its rows completely, and the names
/// that stand for rows.
pub(crate) struct Source {
    pub(crate) tree: Tree,
    pub(crate) columns: Vec<Column>,
    pub(crate) order: String,
    pub(crate) rows: Vec<String>,
}

/// One item of it.
struct Item {
    tree: Tree,
    columns: Vec<Column>,
    order: String,
    row: String,
    /// The table, if it is one with all its columns.
    table: Option<&'static Table>,
}

impl Generator {
    /// A FROM with up to three items.
    pub(crate) fn from(&mut self, outer: &Scope, depth: usize) -> Source {
        let first = self.item(outer, depth);
        let mut source = Source {
            tree: first.tree,
            columns: first.columns,
            order: first.order,
            rows: vec![first.row],
        };
        let mut last = first.table;
        let more = if depth == 0 {
            0
        } else {
            self.random.weighted(&[5, 4, 1])
        };
        for _ in 0..more {
            let lateral = Scope {
                columns: [source.columns.clone(), outer.columns.clone()].concat(),
                ..Scope::default()
            };
            let is_lateral = self.random.once_in(4);
            let item = if is_lateral {
                self.lateral(&lateral, depth - 1)
            } else {
                self.item(outer, depth - 1)
            };
            if let (Some(one), Some(two), false) = (last, item.table, is_lateral)
                && more == 1
                && self.random.once_in(2)
                && let Some(joined) = self.using(one, two, &source, &item)
            {
                return joined;
            }
            last = None;
            source = self.join(source, item, outer, depth, is_lateral);
        }
        if self.random.once_in(8) {
            unqualified(&mut source.columns);
        }
        source
    }

    /// A join by columns of the same name, or by all of them.
    fn using(&mut self, one: &Table, two: &Table, left: &Source, right: &Item) -> Option<Source> {
        let in_two = |name: &str| two.columns.iter().find(|(other, _)| *other == name);
        let shared: Vec<_> = one
            .columns
            .iter()
            .filter_map(|(name, of)| in_two(name).map(|(_, other)| (*name, of, other)))
            .collect();
        let fitting: Vec<_> = shared.iter().filter(|(_, of, other)| of == other).collect();
        let &&(name, of, _) = if fitting.is_empty() {
            return None;
        } else {
            self.random.choose(&fitting)
        };
        let kind = *self
            .random
            .choose(&["join", "left join", "right join", "full join"]);
        let known = |table: &Table| table.name != "measurements";
        let is_natural = shared.len() == fitting.len() && known(one) && known(two);
        let (template, merged) = if is_natural && self.random.once_in(2) {
            let names = shared
                .iter()
                .map(|(name, of, _)| Column::new((*name).to_owned(), of));
            (format!("{{}} natural {kind} {{}}"), names.collect())
        } else {
            let merged = vec![Column::new(name.to_owned(), of)];
            (format!("{{}} {kind} {{}} using ({name})"), merged)
        };
        let columns = [merged, left.columns.clone(), right.columns.clone()].concat();
        Some(Source {
            tree: Tree::new(
                Sort::From,
                &template,
                [left.tree.clone(), right.tree.clone()],
            ),
            order: format!("{}, {}", left.order, right.order),
            rows: vec![left.rows.concat(), right.row.clone()],
            columns,
        })
    }

    fn join(
        &mut self,
        left: Source,
        right: Item,
        outer: &Scope,
        depth: usize,
        is_lateral: bool,
    ) -> Source {
        let condition = self.meeting(&left, &right, outer, depth);
        let is_equality = condition.render(false).sql.contains(" = ") && depth > 0;
        let parts = [left.tree, right.tree, condition];
        let kind = self.random.weighted(&[5, 3, 1, 1, 1]);
        let tree = match kind {
            1 => Tree::new(Sort::From, "{} left join {} on {}", parts),
            2 if !is_lateral => Tree::new(Sort::From, "{} right join {} on {}", parts),
            3 if is_equality && !is_lateral => {
                Tree::new(Sort::From, "{} full join {} on {}", parts)
            }
            4 => {
                let [one, two, _] = parts;
                let between = *self.random.choose(&["{} cross join {}", "{}, {}"]);
                Tree::new(Sort::From, between, [one, two])
            }
            _ => Tree::new(Sort::From, "{} join {} on {}", parts),
        };
        Source {
            tree,
            columns: [left.columns, right.columns].concat(),
            order: format!("{}, {}", left.order, right.order),
            rows: [left.rows, vec![right.row]].concat(),
        }
    }

    /// What rows of two sides have in common: an id of the same domain where there is one.
    fn meeting(&mut self, left: &Source, right: &Item, outer: &Scope, depth: usize) -> Tree {
        let is_id = |column: &&Column| matches!(column.of, Type::Id(_));
        let mut pairs = Vec::new();
        for one in left.columns.iter().filter(is_id) {
            for two in &right.columns {
                let is_loose =
                    matches!((&one.of, &two.of), (Type::Id(a), Type::Loose(b)) if a == b);
                if one.of == two.of || is_loose {
                    pairs.push(format!("{} = {}", one.text, two.text));
                }
            }
        }
        if pairs.is_empty() || self.random.once_in(6) {
            let scope = Scope {
                columns: [&left.columns[..], &right.columns, &outer.columns].concat(),
                ..Scope::default()
            };
            return self.condition(&scope, depth.min(1));
        }
        let pair = self.random.choose(&pairs).clone();
        Tree::expression(&Type::Boolean, &pair, [])
    }

    /// A subquery that sees what stands before it.
    fn lateral(&mut self, scope: &Scope, depth: usize) -> Item {
        match self.random.below(4) {
            0 => self.unnested(scope, depth),
            _ => {
                let mut item = self.subquery(scope, depth);
                item.tree = Tree::new(Sort::From, "lateral {}", [item.tree]);
                item
            }
        }
    }

    fn item(&mut self, outer: &Scope, depth: usize) -> Item {
        let nested = usize::from(depth > 0);
        let commons = usize::from(!self.commons.is_empty());
        let rare = self.rare(1);
        match self
            .random
            .weighted(&[12, 4 * nested, 1, nested, 6 * commons, rare, 1, rare])
        {
            1 => self.subquery(outer, depth - 1),
            2 => self.values(),
            3 => self.unnested(outer, depth - 1),
            4 => self.common_item(),
            5 => self.recordset(),
            6 => {
                let name = self.name("g");
                let tree = format!("generate_series(1, 3) as {name}(n)");
                named(
                    &name,
                    Tree::leaf(Sort::From, tree),
                    &["n"],
                    &[Type::Integer],
                )
            }
            7 if self.random.once_in(2) => self.of_the_system(),
            _ => self.table_item(),
        }
    }

    /// A relation of Postgres's own of one row, whose columns no snapshot of the database has.
    fn of_the_system(&mut self) -> Item {
        let relation = *self.random.choose(&[
            "pg_stat_archiver",
            "pg_stat_wal",
            "pg_catalog.pg_stat_bgwriter",
        ]);
        let alias = self.name("s");
        let tree = Tree::leaf(Sort::From, format!("{relation} {alias}"));
        named(&alias, tree, &["stats_reset"], &[Type::Time])
    }

    fn table_item(&mut self) -> Item {
        // The first tables are read more often.
        let limit = 1 + self.random.below(TABLES.len());
        let table = &TABLES[self.random.below(limit)];
        let names: Vec<_> = table.columns.iter().map(|(name, _)| *name).collect();
        let types: Vec<_> = table.columns.iter().map(|(_, of)| of.clone()).collect();
        let bare = table.name.rsplit('.').next().unwrap_or(table.name);
        if self.random.once_in(6) && !self.bare.contains(&bare) {
            self.bare.push(bare);
            let tree = Tree::leaf(Sort::From, table.name);
            return self.keyed(table, named(bare, tree, &names, &types));
        }
        let alias = self.name("t");
        if self.random.once_in(8) && table.name != "measurements" {
            // Other names for the first two columns.
            let mut names = names.clone();
            let renamed = ["first", "second"];
            for (name, new) in names.iter_mut().zip(renamed) {
                *name = new;
            }
            let count = names.len().min(2);
            let text = format!("{} as {alias}({})", table.name, renamed[..count].join(", "));
            let mut item = named(&alias, Tree::leaf(Sort::From, text), &names, &types);
            item.order = order_of(&item.columns[..table.keys]);
            return item;
        }
        let text = match self.random.below(6) {
            0 => format!("{} as {alias}", table.name),
            1 if table.name != "user_order_totals" => format!("only {} {alias}", table.name),
            2 if !table.name.contains('.') => format!("public.{} {alias}", table.name),
            _ => format!("{} {alias}", table.name),
        };
        self.keyed(
            table,
            named(&alias, Tree::leaf(Sort::From, text), &names, &types),
        )
    }

    fn keyed(&mut self, table: &'static Table, mut item: Item) -> Item {
        item.order = order_of(&item.columns[..table.keys]);
        item.table = Some(table);
        item
    }

    fn subquery(&mut self, scope: &Scope, depth: usize) -> Item {
        let count = 1 + self.random.below(3);
        let types: Vec<_> = (0..count).map(|_| self.any_type(scope)).collect();
        let query = self.query(&types, &scope.plain(), depth, false);
        let alias = self.name("q");
        let names = ["a", "b", "c"];
        let template = format!("({{}}) as {alias}({})", names[..count].join(", "));
        let tree = Tree::new(Sort::From, &template, [query]);
        named(&alias, tree, &names, &types)
    }

    fn values(&mut self) -> Item {
        let domain = *self.random.choose(&["users", "orders", "teams"]);
        let types = [Type::Loose(domain), Type::Text, Type::Integer];
        let rows = (1..=2).map(|number| {
            let (id, word) = (self.literal(&types[0]), self.literal(&types[1]));
            Tree::new(Sort::Part, &format!("({{}}, {{}}, {number})"), [id, word])
        });
        let rows = rows.collect();
        let alias = self.name("v");
        let template = format!("(values {{}}) as {alias}(id, word, n)");
        let tree = Tree::new(Sort::From, &template, [Tree::list(rows, ", ", 1)]);
        named(&alias, tree, &["id", "word", "n"], &types)
    }

    fn unnested(&mut self, scope: &Scope, depth: usize) -> Item {
        let domain = self.domain(scope);
        let (id, array) = (Type::Id(domain), Type::IdArray(domain));
        let one = self.value(&array, &scope.plain(), depth);
        let alias = self.name("n");
        match self.random.below(3) {
            0 => {
                let template = format!("unnest({{}}) as {alias}(id)");
                named(
                    &alias,
                    Tree::new(Sort::From, &template, [one]),
                    &["id"],
                    &[id],
                )
            }
            1 => {
                let template = format!("unnest({{}}) with ordinality as {alias}(id, n)");
                let tree = Tree::new(Sort::From, &template, [one]);
                named(&alias, tree, &["id", "n"], &[id, Type::Integer])
            }
            _ => {
                let two = self.value(&array, &scope.plain(), depth);
                let template = format!("unnest({{}}, {{}}) as {alias}(id, other)");
                let tree = Tree::new(Sort::From, &template, [one, two]);
                named(&alias, tree, &["id", "other"], &[id.clone(), id])
            }
        }
    }

    fn common_item(&mut self) -> Item {
        let common = self.random.choose(&self.commons).clone();
        let alias = self.name("c");
        let names = ["k1", "k2", "k3", "k4"];
        let tree = Tree::leaf(Sort::From, format!("{} as {alias}", common.name));
        named(&alias, tree, &names, &common.types)
    }

    /// Rows from JSON that the client sends.
    fn recordset(&mut self) -> Item {
        let domain = *self.random.choose(&["users", "orders", "teams"]);
        let (one, two) = (self.row(domain), self.row(domain));
        let alias = self.name("j");
        let text = format!(
            "jsonb_to_recordset('[{{\"id\": \"{one}\", \"n\": 1}}, {{\"id\": \"{two}\", \"n\": 2}}]') \
             as {alias}(id uuid, n integer)"
        );
        let types = [Type::Loose(domain), Type::Integer];
        named(&alias, Tree::leaf(Sort::From, text), &["id", "n"], &types)
    }
}

/// Names columns without their tables where one table alone has them.
fn unqualified(columns: &mut [Column]) {
    let bare = |column: &Column| {
        column
            .text
            .rsplit('.')
            .next()
            .unwrap_or_default()
            .to_owned()
    };
    let names: Vec<_> = columns.iter().map(bare).collect();
    for (column, name) in columns.iter_mut().zip(&names) {
        if names.iter().filter(|other| *other == name).count() == 1 {
            column.text.clone_from(name);
        }
    }
}

/// An item whose columns are reached by its name.
fn named(alias: &str, tree: Tree, names: &[&str], types: &[Type]) -> Item {
    let pairs = names.iter().zip(types);
    let columns: Vec<_> = pairs
        .map(|(name, of)| Column::new(format!("{alias}.{name}"), of))
        .collect();
    Item {
        tree,
        order: order_of(&columns),
        columns,
        row: alias.to_owned(),
        table: None,
    }
}
