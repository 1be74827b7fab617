//! Queries.

use super::from::Source;
use super::schema::Type;
use super::scope::{Column, Common, Generator, Scope};
use super::tree::{Sort, Tree};

impl Generator {
    /// A query with columns of these types; `single` for one with at most one row.
    pub(crate) fn query(
        &mut self,
        types: &[Type],
        outer: &Scope,
        depth: usize,
        single: bool,
    ) -> Tree {
        let sort = Sort::Query(types.to_vec());
        if depth == 0 || single {
            return self.select(types, outer, depth, single);
        }
        match self.random.weighted(&[8, 3, 1, 2, self.rare(1)]) {
            0 => self.select(types, outer, depth, false),
            1 => self.union(types, outer, depth - 1),
            2 => {
                let count = 1 + self.random.below(3);
                let rows = (0..count).map(|_| self.literals(types)).collect();
                Tree::new(sort, "values {}", [Tree::list(rows, ", ", 1)])
            }
            3 => self.with(types, outer, depth - 1),
            _ => match self.common(types) {
                Some(common) => Tree::leaf(sort, format!("table {common}")),
                None => self.select(types, outer, depth, false),
            },
        }
    }

    /// A relation of a WITH that has just these columns.
    fn common(&mut self, types: &[Type]) -> Option<String> {
        let found = self.commons.iter().find(|common| common.types == types);
        found.map(|common| common.name.clone())
    }

    /// A row of literals in parentheses.
    pub(crate) fn literals(&mut self, types: &[Type]) -> Tree {
        let items = types.iter().map(|of| self.literal(of)).collect::<Vec<_>>();
        let least = items.len();
        Tree::new(Sort::Part, "({})", [Tree::list(items, ", ", least)])
    }

    /// Two queries in one.
    fn union(&mut self, types: &[Type], outer: &Scope, depth: usize) -> Tree {
        let sort = Sort::Query(types.to_vec());
        let one = self.query(types, outer, depth, false);
        let two = if self.random.once_in(4) {
            // NULL and text without a type, which take the type of the other side.
            let items = types.iter().map(|of| match (of, self.random.below(2)) {
                (Type::Id(domain), 0) => Tree::leaf(Sort::Part, format!("'{}'", self.row(domain))),
                _ => Tree::leaf(Sort::Part, "null"),
            });
            let items = items.collect::<Vec<_>>();
            let least = items.len();
            Tree::new(sort.clone(), "select {}", [Tree::list(items, ", ", least)])
        } else {
            self.query(types, outer, depth, false)
        };
        if !types.iter().all(Type::is_sortable) {
            return Tree::new(sort, "({}) union all ({})", [one, two]);
        }
        let operator = *self.random.choose(&[
            "({}) union all ({}){}",
            "({}) union ({}){}",
            "({}) intersect ({}){}",
            "({}) except ({}){}",
            "({}) except all ({}){}",
            "({}) intersect all ({}){}",
        ]);
        let order = self.ordinals(types, 3);
        Tree::new(sort, operator, [one, two, order])
    }

    /// An order by all columns, one in so many times, and a limit.
    fn ordinals(&mut self, types: &[Type], times: usize) -> Tree {
        if !types.iter().all(Type::is_sortable) || !self.random.once_in(times) {
            return Tree::nothing();
        }
        let ordinals: Vec<_> = (1..=types.len()).map(|number| number.to_string()).collect();
        let direction = *self.random.choose(&["", " desc", " nulls first"]);
        let limit = *self.random.choose(&["", " limit 3", " limit 2 offset 1"]);
        let order = ordinals.join(&format!("{direction}, "));
        Tree::optional(&format!(" order by {order}{direction}{limit}"), [])
    }

    /// A query with a WITH.
    fn with(&mut self, types: &[Type], outer: &Scope, depth: usize) -> Tree {
        let name = self.name("w");
        let known = self.commons.len();
        let clause = if self.random.once_in(3) {
            let (clause, inner) = self.recursive(&name);
            self.commons.push(Common { name, types: inner });
            clause
        } else {
            let count = 1 + self.random.below(3);
            let inner: Vec<_> = (0..count).map(|_| self.any_type(outer)).collect();
            let query = self.query(&inner, &outer.plain(), depth, false);
            let columns: Vec<_> = (1..=count).map(|number| format!("k{number}")).collect();
            let kind = *self
                .random
                .choose(&["", "", " materialized", " not materialized"]);
            let head = format!("with {name}({}) as{kind} ({{}})", columns.join(", "));
            self.commons.push(Common { name, types: inner });
            Tree::optional(&head, [query])
        };
        let query = self.select(types, outer, depth, false);
        self.commons.truncate(known);
        Tree::new(Sort::Query(types.to_vec()), "{} {}", [clause, query])
    }

    /// A recursive WITH over one of the trees of the schema: id, parent, path and level.
    fn recursive(&mut self, name: &str) -> (Tree, Vec<Type>) {
        let (table, parent, domain) = *self.random.choose(&[
            ("comments", "parent_id", "comments"),
            ("regions", "within", "regions"),
        ]);
        let union = *self.random.choose(&["union all", "union"]);
        let step = *self.random.choose(&[
            "r.k3 || t.id",
            "array_append(r.k3, t.id)",
            "r.k3 || array[t.id]",
        ]);
        let start = match self.random.below(3) {
            0 => format!("id = '{}'", self.row(domain)),
            1 => "true".to_owned(),
            _ => format!("{parent} is null"),
        };
        let text = format!(
            "with recursive {name}(k1, k2, k3, k4) as (select id, {parent}, array[id], 1 from {table} \
             where {start} {union} select t.id, t.{parent}, {step}, r.k4 + 1 from {table} t \
             join {name} r on t.{parent} = r.k1 where r.k4 < 5 and not t.id = any (r.k3))"
        );
        let types = vec![
            Type::Id(domain),
            Type::Id(domain),
            Type::IdArray(domain),
            Type::Integer,
        ];
        (Tree::optional(&text, []), types)
    }

    /// A SELECT.
    pub(crate) fn select(
        &mut self,
        types: &[Type],
        outer: &Scope,
        depth: usize,
        single: bool,
    ) -> Tree {
        let Source {
            tree: from,
            columns,
            order,
            rows,
        } = self.from(outer, depth);
        let mut scope = Scope {
            columns: columns.clone(),
            aggregated: None,
            order: None,
            rows,
        };
        scope.columns.extend(outer.columns.iter().cloned());
        let filter = if self.random.once_in(2) {
            Tree::nothing()
        } else {
            let condition = self.condition(&scope, depth);
            Tree::optional(" where {}", [condition])
        };
        if self.random.once_in(4) {
            return self.grouped(types, outer, (from, filter, columns), depth, single);
        }
        let sort = Sort::Query(types.to_vec());
        scope.order = Some(order.clone());
        let order = if single {
            Tree::leaf(Sort::Part, format!(" order by {order} limit 1"))
        } else {
            match self.random.below(5) {
                0 => Tree::optional(&format!(" order by {order}"), []),
                1 => Tree::optional(&format!(" order by {order} desc limit 3"), []),
                2 => Tree::optional(&format!(" order by {order} fetch first 2 rows only"), []),
                _ => Tree::nothing(),
            }
        };
        let distinct = if single || !types.iter().all(Type::is_sortable) {
            0
        } else {
            self.random.weighted(&[10, 2, 2])
        };
        match distinct {
            0 => {
                let items = self.items(types, &scope, depth);
                Tree::new(sort, "select {} from {}{}{}", [items, from, filter, order])
            }
            1 => {
                let items = self.items(types, &scope, depth);
                let order = self.ordinals(types, 2);
                Tree::new(
                    sort,
                    "select distinct {} from {}{}{}",
                    [items, from, filter, order],
                )
            }
            _ => {
                scope.order = None;
                let first = self.random.choose(&columns).clone();
                let all = order_of(&columns);
                if !first.of.is_sortable() {
                    let items = self.items(types, &scope, depth);
                    return Tree::new(sort, "select {} from {}{}", [items, from, filter]);
                }
                let items = self.items(types, &scope, depth);
                let first = &first.qualified;
                let template = format!(
                    "select distinct on ({first}) {{}} from {{}}{{}} order by {first}, {all}"
                );
                Tree::new(sort, &template, [items, from, filter])
            }
        }
    }

    /// The expressions of a SELECT.
    fn items(&mut self, types: &[Type], scope: &Scope, depth: usize) -> Tree {
        let items = types.iter().map(|of| self.value(of, scope, depth));
        let items = items.collect::<Vec<_>>();
        Tree::list(items, ", ", 1)
    }

    /// A SELECT with groups.
    fn grouped(
        &mut self,
        types: &[Type],
        outer: &Scope,
        (from, filter, columns): (Tree, Tree, Vec<Column>),
        depth: usize,
        single: bool,
    ) -> Tree {
        let sort = Sort::Query(types.to_vec());
        let sortable: Vec<_> = columns.iter().filter(|one| one.of.is_sortable()).collect();
        let mut keys: Vec<Column> = Vec::new();
        if !single && !sortable.is_empty() && !self.random.once_in(4) {
            for _ in 0..1 + self.random.below(2) {
                keys.push((*self.random.choose(&sortable)).clone());
            }
            keys.dedup_by(|one, two| one.qualified == two.qualified);
        }
        let names: Vec<_> = keys.iter().map(|key| key.qualified.as_str()).collect();
        let list = names.join(", ");
        let clause = match (keys.len(), self.random.below(6)) {
            (0, _) => String::new(),
            (_, 0) => format!(" group by rollup ({list})"),
            (_, 1) => format!(" group by cube ({list})"),
            (_, 2) => format!(" group by grouping sets (({list}), ({}), ())", names[0]),
            _ => format!(" group by {list}"),
        };
        let mut scope = Scope {
            columns: keys,
            aggregated: Some(columns),
            ..Scope::default()
        };
        scope.columns.extend(outer.columns.iter().cloned());
        let having = if self.random.once_in(4) {
            let condition = self.condition(&scope, depth.min(1));
            Tree::optional(" having {}", [condition])
        } else {
            Tree::nothing()
        };
        let items = self.items(types, &scope, depth);
        let order = self.ordinals(types, 3);
        let template = format!("select {{}} from {{}}{{}}{clause}{{}}{{}}");
        Tree::new(sort, &template, [items, from, filter, having, order])
    }
}

/// An order by all columns that have one.
pub(crate) fn order_of(columns: &[Column]) -> String {
    let sortable = columns.iter().filter(|column| column.of.is_sortable());
    let names: Vec<_> = sortable.map(|column| column.qualified.as_str()).collect();
    if names.is_empty() {
        "1".to_owned()
    } else {
        names.join(", ")
    }
}
