//! Conditions as applications put them together: filters that an empty value turns off, bounds that
//! nobody was given as an id, and members of documents in the place of ids.

use super::schema::Type;
use super::scope::{Generator, Scope};
use super::tree::Tree;

/// Members of documents that are ids of users: what stands in front of `where`, and the member as text.
const MEMBERS: &[(&str, &str)] = &[
    ("letters d", "d.body -> 'user' ->> 'id'"),
    ("letters d", "d.body #>> '{user,id}'"),
    ("letters d", "d.raw ->> 'from'"),
    (
        "letters d, jsonb_array_elements_text(d.body -> 'to') e",
        "e",
    ),
    ("memos d", "d.body::json -> 'author' ->> 'id'"),
    ("parcels d", "d.doc ->> 'owner'"),
];

impl Generator {
    fn holds(template: &str, parts: impl IntoIterator<Item = Tree>) -> Tree {
        Tree::expression(&Type::Boolean, template, parts)
    }

    /// What a client passes that filters by a row, or by nothing.
    fn passed(&mut self, domain: &'static str) -> String {
        if self.random.once_in(3) {
            self.row(domain)
        } else {
            String::new()
        }
    }

    /// A filter that an empty value turns off.
    pub(crate) fn optional_filter(&mut self, scope: &Scope, depth: usize) -> Tree {
        let domain = self.domain(scope);
        let id = self.value(&Type::Id(domain), scope, depth.min(1));
        let passed = self.passed(domain);
        let text = Tree::value(&Type::Text, &passed, "");
        match self.random.weighted(&[3, 2, 2, 2, 1]) {
            0 => {
                let again = text.clone();
                let template = "(nullif({}, '')::uuid is null or {} = nullif({}, '')::uuid)";
                Self::holds(template, [text, id, again])
            }
            1 => {
                // As a literal, an empty one is no uuid.
                let row = self.row(domain);
                let both = Tree::twice(&Type::Boolean, &row, " = '' or ", "::uuid");
                Self::holds("({} = {})", [both, id])
            }
            2 => {
                let same = id.clone();
                Self::holds("{} = coalesce(nullif({}, '')::uuid, {})", [id, text, same])
            }
            3 => {
                let again = text.clone();
                let template = "case when {} <> '' then {} = nullif({}, '')::uuid else true end";
                Self::holds(template, [text, id, again])
            }
            _ => {
                let any = "{} = any (string_to_array({}, ',')::uuid[])";
                Self::holds(any, [id, text])
            }
        }
    }

    /// A comparison with what nobody was given as an id: with a number, which fails, or for order with
    /// a uuid, of which the place among the keys is not known.
    pub(crate) fn unissued(&mut self, scope: &Scope, depth: usize) -> Tree {
        let domain = self.domain(scope);
        let id = self.value(&Type::Id(domain), scope, depth.min(1));
        if self.random.once_in(2) {
            let with_number = *self.random.choose(&[
                "{} > 0",
                "{} = 5",
                "({} between 1 and 100)",
                "(least({}, 5) is not null)",
                "{} in (0, -1)",
            ]);
            return Self::holds(with_number, [id]);
        }
        let unknown = *self.random.choose(&[":fixed.unknown", ":fixed.unknown8"]);
        let unknown = Tree::value(&Type::Id(domain), unknown, "::uuid");
        let for_order = *self.random.choose(&[
            "{} > {}",
            "({} between {} and 'ffffffff-ffff-ffff-ffff-ffffffffffff')",
            "(greatest({}, {}) is not null)",
            "(({}, 1) < ({}, 2))",
        ]);
        Self::holds(for_order, [id, unknown])
    }

    /// An id of a user that is a member of a document, cast or compared as text.
    pub(crate) fn member(&mut self, scope: &Scope, depth: usize) -> Tree {
        let (from, member) = *self.random.choose(MEMBERS);
        let id = self.value(&Type::Id("users"), scope, depth.min(1));
        match self.random.below(4) {
            0 => {
                let row = Tree::value(&Type::Text, &self.row("users"), "");
                let found = format!("exists (select 1 from {from} where {member} = {{}})");
                Self::holds(&found, [row])
            }
            1 => {
                let any = format!("{{}} in (select ({member})::uuid from {from})");
                Self::holds(&any, [id])
            }
            2 => {
                let text = format!("exists (select 1 from {from} where {member} = {{}}::text)");
                Self::holds(&text, [id])
            }
            _ => {
                let cast = format!("exists (select 1 from {from} where ({member})::uuid = {{}})");
                Self::holds(&cast, [id])
            }
        }
    }

    /// A member of a document as an id.
    pub(crate) fn member_id(&mut self) -> Tree {
        let (from, member) = *self.random.choose(MEMBERS);
        let of = &Type::Id("users");
        // Documents are in the order of their making in both worlds.
        let query = format!(
            "(select ({member})::uuid from {from} where {member} is not null order by d.id, 1 limit 1)"
        );
        Tree::expression(of, &query, [])
    }
}
