//! Values of each type.

use super::schema::{Type, home};
use super::scope::{Generator, Scope};
use super::tree::{Sort, Tree};

impl Generator {
    /// A value of this type, nested at most so deep.
    pub(crate) fn value(&mut self, of: &Type, scope: &Scope, depth: usize) -> Tree {
        if depth == 0 || self.random.once_in(3) {
            return self.simple(of, scope);
        }
        match of {
            Type::Boolean => return self.condition(scope, depth),
            Type::Text => return self.text(scope, depth),
            Type::Json => return self.json(scope, depth),
            _ => {}
        }
        if self.random.once_in(3) {
            return self.chosen(of, scope, depth - 1);
        }
        match of {
            Type::Id(domain) => self.id(domain, scope, depth - 1),
            Type::IdArray(domain) => self.array(domain, scope, depth - 1),
            Type::Integer => self.integer(scope, depth - 1),
            _ => self.simple(of, scope),
        }
    }

    /// A column or a literal.
    fn simple(&mut self, of: &Type, scope: &Scope) -> Tree {
        if !self.random.once_in(8)
            && let Some(column) = self.column(of, scope)
        {
            return column;
        }
        if scope.aggregated.is_some() && !self.random.once_in(3) {
            return self.aggregate(of, scope, 0);
        }
        self.literal(of)
    }

    /// A literal, with its type.
    pub(crate) fn literal(&mut self, of: &Type) -> Tree {
        match of {
            Type::Id(domain) => {
                let (id, home) = (self.row(domain), home(domain));
                Tree::new(
                    Sort::Expression(of.clone()),
                    &format!("(select id from {home} where id = {{}})"),
                    [Tree::value(&Type::Loose(domain), &id, "")],
                )
            }
            Type::Loose(domain) => {
                let id = self.row(domain);
                let spelling = *self
                    .random
                    .choose(&["", "", "", "", "/hex", "/upper", "/braced"]);
                match self.random.weighted(&[5, 1, 1, 1]) {
                    0 => Tree::value(of, &format!("{id}{spelling}"), "::uuid"),
                    1 => Tree::expression(of, &format!("uuid '{id}'"), []),
                    2 => Tree::expression(of, &format!("cast('{id}' as uuid)"), []),
                    _ => Tree::expression(of, "null::uuid", []),
                }
            }
            Type::IdArray(domain) => {
                let (one, two, home) = (self.row(domain), self.row(domain), home(domain));
                let query = match self.random.below(3) {
                    0 => format!(
                        "array(select id from {home} where id in ('{one}', '{two}') order by 1)"
                    ),
                    1 => format!(
                        "(select array_agg(id order by id desc) from {home} where id >= '{one}')"
                    ),
                    _ => format!("array(select id from {home} where false)"),
                };
                Tree::expression(of, &query, [])
            }
            Type::Uuid => Tree::expression(of, "'c0ffee00-0000-4000-9000-0000000000aa'::uuid", []),
            Type::Text => {
                let word = *self
                    .random
                    .choose(&["Ann", "paid", "red", "rush", "x y", ""]);
                Tree::value(of, word, "::text")
            }
            Type::Integer => {
                let number = self.random.below(6);
                Tree::expression(of, &number.to_string(), [])
            }
            Type::Boolean => {
                let word = *self.random.choose(&["true", "false", "null::boolean"]);
                Tree::expression(of, word, [])
            }
            Type::Time => Tree::expression(of, "timestamptz '2026-02-11 10:00:00Z'", []),
            Type::Json => Tree::expression(of, r#"'["a", 1]'::jsonb"#, []),
        }
    }

    /// One of several values, by any of the expressions that choose.
    fn chosen(&mut self, of: &Type, scope: &Scope, depth: usize) -> Tree {
        let one = self.value(of, scope, depth);
        let two = self.value(of, scope, depth);
        let is_sortable = usize::from(of.is_sortable());
        match self
            .random
            .weighted(&[3, 2, 3, 2 * is_sortable, is_sortable, 3, 1])
        {
            0 => Tree::expression(of, "coalesce({}, {})", [one, two]),
            1 => Tree::expression(of, "nullif({}, {})", [one, two]),
            2 => {
                let condition = self.condition(scope, depth);
                Tree::expression(
                    of,
                    "case when {} then {} else {} end",
                    [condition, one, two],
                )
            }
            3 => {
                let which = *self.random.choose(&["greatest({}, {})", "least({}, {})"]);
                Tree::expression(of, which, [one, two])
            }
            4 => {
                let domain = self.domain(scope);
                let subject = self.value(&Type::Id(domain), scope, depth);
                let when = format!(
                    "case {{}} when '{}' then {{}} else {{}} end",
                    self.row(domain)
                );
                Tree::expression(of, &when, [subject, one, two])
            }
            5 => {
                let inner = self.query(std::slice::from_ref(of), &scope.plain(), depth, true);
                Tree::expression(of, "({})", [inner])
            }
            _ => {
                let condition = self.condition(scope, depth);
                Tree::expression(of, "case when {} then {} end", [condition, one])
            }
        }
    }

    fn id(&mut self, domain: &'static str, scope: &Scope, depth: usize) -> Tree {
        let of = &Type::Id(domain);
        if scope.aggregated.is_some() && self.random.once_in(2) {
            return self.aggregate(of, scope, depth);
        }
        if scope.order.is_some() && self.random.once_in(3) {
            return self.window(domain, scope, depth);
        }
        let (text, json, row) = (self.rare(2), self.rare(1), self.rare(1));
        let member = usize::from(domain == "users");
        match self.random.weighted(&[4, 1, 1, text, json, row, member]) {
            0 => {
                let array = self.value(&Type::IdArray(domain), scope, depth);
                let at = 1 + self.random.below(2);
                Tree::expression(of, &format!("({{}})[{at}]"), [array])
            }
            1 => {
                let id = self.value(of, scope, depth);
                Tree::expression(of, "({})::uuid", [id])
            }
            2 => {
                let (one, two) = (self.value(of, scope, depth), self.value(of, scope, depth));
                Tree::expression(of, "(array[{}, {}])[2]", [one, two])
            }
            3 => {
                let id = self.value(of, scope, depth);
                let cast = *self
                    .random
                    .choose(&["({}::text)::uuid", "cast({}::varchar as uuid)"]);
                Tree::expression(of, cast, [id])
            }
            4 => {
                let id = self.value(of, scope, depth);
                let built = "(jsonb_build_object('k', {}) ->> 'k')::uuid";
                Tree::expression(of, built, [id])
            }
            6 => self.member_id(),
            _ => {
                let id = self.value(of, scope, depth);
                let member = *self.random.choose(&[
                    "(select (r.*).x from (select {} as x) r)",
                    "(select (r).x from (select {} as x) r)",
                ]);
                Tree::expression(of, member, [id])
            }
        }
    }

    /// A window function over ids.
    fn window(&mut self, domain: &'static str, scope: &Scope, depth: usize) -> Tree {
        let of = &Type::Id(domain);
        let inner = scope.plain();
        let order = scope.order.clone().unwrap_or_default();
        let id = self.value(of, &inner, depth);
        let partition = if self.random.once_in(2) {
            let partition = self.value(&Type::Text, &inner, 0);
            Tree::optional("partition by {} ", [partition])
        } else {
            Tree::nothing()
        };
        let function = *self.random.choose(&[
            "lag({})",
            "lag({}, 2)",
            "lead({}, 1)",
            "first_value({})",
            "last_value({})",
            "nth_value({}, 2)",
            "max({})",
            "min({})",
        ]);
        let frame = *self.random.choose(&[
            "",
            " rows between unbounded preceding and unbounded following",
            " rows between 1 preceding and current row",
        ]);
        let template = format!("{function} over ({{}}order by {order}{frame})");
        Tree::expression(of, &template, [id, partition])
    }

    fn array(&mut self, domain: &'static str, scope: &Scope, depth: usize) -> Tree {
        let (of, item) = (&Type::IdArray(domain), &Type::Id(domain));
        if scope.aggregated.is_some() && self.random.once_in(2) {
            return self.aggregate(of, scope, depth);
        }
        let choice = self.random.weighted(&[3, 2, 2, 2, 2, 2, 1, 1, 1]);
        if choice == 1 {
            let query = self.query(std::slice::from_ref(item), &scope.plain(), depth, true);
            return Tree::expression(of, "array({})", [query]);
        }
        let id = self.value(item, scope, depth);
        if choice == 0 {
            let other = self.value(item, scope, depth);
            return Tree::expression(of, "array[{}, {}]", [id, other]);
        }
        let array = self.value(of, scope, depth);
        match choice {
            2 => Tree::expression(of, "array_append({}, {})", [array, id]),
            3 => Tree::expression(of, "array_remove({}, {})", [array, id]),
            4 => Tree::expression(of, "({} || {})", [array, id]),
            5 => {
                let other = if self.random.once_in(3) {
                    self.loose_array(domain)
                } else {
                    self.value(of, scope, depth)
                };
                let both = *self.random.choose(&["({} || {})", "array_cat({}, {})"]);
                Tree::expression(of, both, [array, other])
            }
            6 => Tree::expression(of, "array_prepend({}, {})", [id, array]),
            7 => {
                let other = self.value(item, scope, depth);
                Tree::expression(of, "array_replace({}, {}, {})", [array, id, other])
            }
            _ => Tree::expression(of, "({})[1:2]", [array]),
        }
    }

    /// An array of ids that only what it is joined with makes ids.
    pub(crate) fn loose_array(&mut self, domain: &'static str) -> Tree {
        let of = &Type::IdArray(domain);
        let (one, two) = (self.row(domain), self.row(domain));
        match self.random.below(5) {
            0 => Tree::expression(of, &format!("array['{one}', '{two}']::uuid[]"), []),
            1 => Tree::expression(of, &format!("array['{one}'::uuid, null]"), []),
            2 => Tree::value(of, &format!("{{{one},{two}}}"), "::uuid[]"),
            3 => Tree::expression(of, "null::uuid[]", []),
            _ => Tree::expression(of, "array[]::uuid[]", []),
        }
    }

    fn integer(&mut self, scope: &Scope, depth: usize) -> Tree {
        let of = &Type::Integer;
        if scope.aggregated.is_some() && self.random.once_in(2) {
            return self.aggregate(of, scope, depth);
        }
        let domain = self.domain(scope);
        let windows = usize::from(scope.order.is_some());
        match self.random.weighted(&[3, 2, 1, 2, 3 * windows]) {
            0 => {
                let (one, two) = (self.value(of, scope, depth), self.value(of, scope, depth));
                Tree::expression(of, "({} + {})", [one, two])
            }
            1 => {
                let array = self.value(&Type::IdArray(domain), scope, depth);
                let count = *self
                    .random
                    .choose(&["cardinality({})", "array_length({}, 1)"]);
                Tree::expression(of, count, [array])
            }
            2 => {
                let array = self.value(&Type::IdArray(domain), scope, depth);
                let id = self.value(&Type::Id(domain), scope, depth);
                Tree::expression(of, "array_position({}, {})", [array, id])
            }
            3 => {
                let types = [self.any_type(scope)];
                let query = self.query(&types, &scope.plain(), depth, false);
                Tree::expression(of, "(select count(*) from ({}) n)", [query])
            }
            _ => {
                let order = scope.order.clone().unwrap_or_default();
                let function =
                    *self
                        .random
                        .choose(&["row_number()", "rank()", "count(*)", "ntile(2)"]);
                let id = self.value(&Type::Id(domain), &scope.plain(), 0);
                let template = format!("{function} over (partition by {{}} order by {order})");
                Tree::expression(of, &template, [id])
            }
        }
    }

    /// An aggregate with a result of this type.
    pub(crate) fn aggregate(&mut self, of: &Type, scope: &Scope, depth: usize) -> Tree {
        let inner = scope.within_aggregate();
        let domain = match of {
            Type::Id(domain) | Type::IdArray(domain) => domain,
            _ => self.domain(scope),
        };
        let id = self.value(&Type::Id(domain), &inner, depth);
        let again = id.clone();
        let made = match of {
            Type::Id(_) => match self.random.weighted(&[4, 2, 1, 1, 1]) {
                0 => Tree::expression(of, "max({})", [id]),
                1 => Tree::expression(of, "min({})", [id]),
                2 => Tree::expression(of, "(array_agg({} order by {}))[1]", [id, again]),
                3 => return Tree::expression(of, "mode() within group (order by {})", [id]),
                _ => {
                    let which = "percentile_disc(0.5) within group (order by {})";
                    return Tree::expression(of, which, [id]);
                }
            },
            Type::IdArray(_) => match self.random.weighted(&[2, 1, 1]) {
                0 => Tree::expression(of, "array_agg({} order by {})", [id, again]),
                1 => Tree::expression(of, "array_agg({} order by {} desc)", [id, again]),
                _ => Tree::expression(of, "array_agg(distinct {})", [id]),
            },
            Type::Integer => match self.random.weighted(&[2, 2, 2, 1]) {
                0 => Tree::expression(of, "count(*)", []),
                1 => Tree::expression(of, "count({})", [id]),
                2 => Tree::expression(of, "count(distinct {})", [id]),
                _ => {
                    let number = self.value(of, &inner, depth);
                    Tree::expression(of, "sum({})", [number])
                }
            },
            Type::Boolean => {
                let condition = self.condition(&inner, depth);
                let which = *self.random.choose(&["bool_or({})", "every({})"]);
                Tree::expression(of, which, [condition])
            }
            Type::Text if self.everything => match self.random.weighted(&[2, 1]) {
                0 => Tree::expression(of, "string_agg({}::text, ', ' order by {})", [id, again]),
                _ => {
                    let text = self.value(of, &inner, depth);
                    let order = text.clone();
                    Tree::expression(of, "string_agg({}, '+' order by {})", [text, order])
                }
            },
            Type::Json if self.everything => match self.random.weighted(&[2, 2, 1, 1]) {
                0 => Tree::expression(of, "jsonb_agg({} order by {})", [id, again]),
                1 => {
                    let built = "jsonb_agg(jsonb_build_object('id', {}) order by {})";
                    Tree::expression(of, built, [id, again])
                }
                2 => Tree::expression(of, "to_jsonb(json_agg({} order by {}))", [id, again]),
                _ => {
                    let built = "jsonb_object_agg(coalesce({}::text, '-'), {} order by {})";
                    let third = id.clone();
                    Tree::expression(of, built, [id, again, third])
                }
            },
            Type::Text => {
                let text = self.value(of, &inner, depth);
                Tree::expression(of, "max({})", [text])
            }
            _ => return self.literal(of),
        };
        if self.random.once_in(5) && !matches!(of, Type::Id(_)) {
            let condition = self.condition(&inner, depth);
            return Tree::expression(of, "{} filter (where {})", [made, condition]);
        }
        made
    }
}
