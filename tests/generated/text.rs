//! Text and JSON, also such as is made of ids.

use super::schema::Type;
use super::scope::{Generator, Scope};
use super::tree::Tree;

impl Generator {
    /// Text.
    pub(crate) fn text(&mut self, scope: &Scope, depth: usize) -> Tree {
        let of = &Type::Text;
        let depth = depth - 1;
        if !self.everything || self.random.once_in(3) {
            return self.plain_text(scope, depth);
        }
        let domain = self.domain(scope);
        let id = self.value(&Type::Id(domain), scope, depth);
        let other = self.value(&Type::Text, scope, depth);
        match self.random.weighted(&[3, 3, 2, 2, 2, 2, 1, 1, 1, 1, 1, 2]) {
            0 => Tree::expression(of, "{}::text", [id]),
            1 => Tree::expression(of, "('id ' || {})", [id]),
            2 => Tree::expression(of, "format('%s: %s', {}, {})", [id, other]),
            3 => Tree::expression(of, "concat('[', {}, ' ', {}, ']')", [id, other]),
            4 => Tree::expression(of, "concat_ws('/', {}, {})", [id, other]),
            5 => {
                let array = self.value(&Type::IdArray(domain), scope, depth);
                Tree::expression(of, "array_to_string({}, ',')", [array])
            }
            6 => {
                let json = self.value(&Type::Json, scope, depth);
                Tree::expression(of, "{}::text", [json])
            }
            7 => Tree::expression(of, "(jsonb_build_object('a', {}) ->> 'a')", [id]),
            8 => Tree::expression(of, "cast({} as varchar)", [id]),
            9 => Tree::expression(of, "(row({}, {}))::text", [id, other]),
            10 => Tree::expression(of, "json_build_array({}, {})::text", [id, other]),
            _ => Tree::expression(
                of,
                "json_build_object('id', {}, 't', {})::text",
                [id, other],
            ),
        }
    }

    /// Text without ids.
    fn plain_text(&mut self, scope: &Scope, depth: usize) -> Tree {
        let of = &Type::Text;
        let fitting: Vec<_> = scope.columns.iter().filter(|one| one.of == *of).collect();
        if fitting.is_empty() || scope.aggregated.is_some() {
            return self.literal(of);
        }
        // A text column of a subquery may hold ids, and then be refused.
        let column = self.random.choose(&fitting).text.clone();
        match self.random.weighted(&[4, 1, 1, 1, 1]) {
            0 => Tree::expression(of, &column, []),
            1 => Tree::expression(of, &format!("coalesce({column}, '-')"), []),
            2 => Tree::expression(of, &format!("({column} || '!')"), []),
            3 => {
                let condition = self.condition(scope, depth);
                Tree::expression(
                    of,
                    &format!("case when {{}} then {column} end"),
                    [condition],
                )
            }
            _ => Tree::expression(of, &format!("concat({column}, '.')"), []),
        }
    }

    /// JSON.
    pub(crate) fn json(&mut self, scope: &Scope, depth: usize) -> Tree {
        let of = &Type::Json;
        let depth = depth - 1;
        if !self.everything {
            return self.value(of, scope, 0);
        }
        if scope.aggregated.is_some() && self.random.once_in(2) {
            return self.aggregate(of, scope, depth);
        }
        let domain = self.domain(scope);
        let id = self.value(&Type::Id(domain), scope, depth);
        let rows = usize::from(!scope.rows.is_empty() && scope.aggregated.is_none());
        match self
            .random
            .weighted(&[4, 2, 2, 1, 3 * rows, 2 * rows, 1, 1, 1, 2])
        {
            0 => {
                let kind = self.any_type(scope);
                let other = self.value(&kind, scope, depth);
                Tree::expression(of, "jsonb_build_object('id', {}, 'x', {})", [id, other])
            }
            1 => Tree::expression(of, "to_jsonb({})", [id]),
            2 => {
                let kind = self.any_type(scope);
                let other = self.value(&kind, scope, depth);
                Tree::expression(of, "jsonb_build_array({}, {})", [id, other])
            }
            3 => {
                let array = self.value(&Type::IdArray(domain), scope, depth);
                let made = *self
                    .random
                    .choose(&["to_jsonb({})", "array_to_json({})::jsonb"]);
                Tree::expression(of, made, [array])
            }
            4 => {
                let row = self.random.choose(&scope.rows).clone();
                Tree::expression(of, &format!("to_jsonb({row})"), [])
            }
            5 => {
                let row = self.random.choose(&scope.rows).clone();
                Tree::expression(of, &format!("row_to_json({row})::jsonb"), [])
            }
            6 => {
                let json = self.value(of, scope, depth);
                Tree::expression(of, "(jsonb_build_object('a', {}) -> 'a')", [json])
            }
            7 => {
                let one = self.value(of, scope, depth);
                Tree::expression(
                    of,
                    "(jsonb_build_object('b', {}) || jsonb_build_object('c', {}))",
                    [one, id],
                )
            }
            8 => Tree::expression(of, "(jsonb_build_object('d', {}, 'e', 1) - 'e')", [id]),
            _ => {
                let kinds = [Type::Id(domain), self.any_type(scope)];
                let query = self.query(&kinds, &scope.plain(), depth, true);
                let built = "(select to_jsonb(j) from ({}) j(id, x))";
                Tree::expression(of, built, [query])
            }
        }
    }
}
