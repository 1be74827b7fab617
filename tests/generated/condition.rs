//! Conditions.

use super::schema::Type;
use super::scope::{Generator, Scope};
use super::tree::Tree;

/// Which ids that no row has may stand in a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Strange {
    /// Any: they only have to differ from all others.
    Any,
    /// The first and the last of all.
    Ends,
}

impl Generator {
    /// A condition.
    pub(crate) fn condition(&mut self, scope: &Scope, depth: usize) -> Tree {
        if depth == 0 {
            return self.comparison(scope, 0);
        }
        let depth = depth - 1;
        let unissued = usize::from(self.random.once_in(24));
        match self.random.weighted(&[8, 6, 6, 4, 3, 1, 1, unissued]) {
            0 => self.comparison(scope, depth),
            1 => self.junction(scope, depth),
            2 => self.membership(scope, depth),
            3 => self.test(scope, depth),
            4 => self.of_rows(scope, depth),
            5 => self.optional_filter(scope, depth),
            6 => self.member(scope, depth),
            _ => self.unissued(scope, depth),
        }
    }

    fn boolean(template: &str, parts: impl IntoIterator<Item = Tree>) -> Tree {
        Tree::expression(&Type::Boolean, template, parts)
    }

    /// What an id is compared with: a literal without a type, or any id.
    fn operand(
        &mut self,
        domain: &'static str,
        scope: &Scope,
        depth: usize,
        strange: Strange,
    ) -> Tree {
        let of = &Type::Id(domain);
        if self.random.once_in(3)
            && let Some(column) = self.column(&Type::Loose(domain), scope)
        {
            return column;
        }
        match self.random.weighted(&[5, 3, 2, 1]) {
            0 => self.value(of, scope, depth),
            1 => {
                let id = self.row(domain);
                Tree::value(of, &id, "")
            }
            2 => {
                let id = self.row(domain);
                Tree::expression(of, &format!("'{id}'"), [])
            }
            _ => {
                let forged = format!("{}/forged", self.row(domain));
                let any = [":fixed.nil", ":fixed.max", ":fixed.unknown", &forged];
                let known = if strange == Strange::Any { 4 } else { 2 };
                let id = *self.random.choose(&any[..known]);
                Tree::value(of, id, "::uuid")
            }
        }
    }

    /// A comparison of two values.
    fn comparison(&mut self, scope: &Scope, depth: usize) -> Tree {
        let domain = self.domain(scope);
        let id = &Type::Id(domain);
        let text = self.rare(2);
        match self.random.weighted(&[8, 4, 3, 2, 2, text, 1]) {
            0 => {
                let one = self.value(id, scope, depth);
                let two = self.operand(domain, scope, depth, Strange::Any);
                let sign = *self
                    .random
                    .choose(&["{} = {}", "{} = {}", "{} <> {}", "{} != {}"]);
                Self::boolean(sign, [one, two])
            }
            1 => {
                let one = self.value(id, scope, depth);
                let two = self.operand(domain, scope, depth, Strange::Ends);
                let sign = *self
                    .random
                    .choose(&["{} < {}", "{} <= {}", "{} > {}", "{} >= {}"]);
                Self::boolean(sign, [one, two])
            }
            2 => {
                let one = self.value(&Type::Integer, scope, depth);
                let two = self.value(&Type::Integer, scope, depth);
                let sign = *self.random.choose(&["{} = {}", "{} < {}", "{} >= {}"]);
                Self::boolean(sign, [one, two])
            }
            3 => {
                let one = self.value(&Type::Text, scope, 0);
                let two = self.literal(&Type::Text);
                let sign = *self.random.choose(&["{} = {}", "{} > {}", "{} like {}"]);
                Self::boolean(sign, [one, two])
            }
            4 => {
                let one = self.value(id, scope, depth);
                let two = self.operand(domain, scope, depth, Strange::Any);
                let sign = *self
                    .random
                    .choose(&["{} is distinct from {}", "{} is not distinct from {}"]);
                Self::boolean(sign, [one, two])
            }
            5 => {
                let one = self.value(id, scope, depth);
                let two = self.row(domain);
                let sign = *self
                    .random
                    .choose(&["{}::text = '¤'", "{}::text in ('¤', 'x')"]);
                Self::boolean(&sign.replace('¤', &two), [one])
            }
            _ => self
                .column(&Type::Boolean, scope)
                .unwrap_or_else(|| self.literal(&Type::Boolean)),
        }
    }

    /// Conditions joined or turned round.
    fn junction(&mut self, scope: &Scope, depth: usize) -> Tree {
        let one = self.condition(scope, depth);
        let two = self.condition(scope, depth);
        match self.random.weighted(&[3, 3, 1]) {
            0 => Self::boolean("({} and {})", [one, two]),
            1 => Self::boolean("({} or {})", [one, two]),
            _ => Self::boolean("(not {})", [one]),
        }
    }

    /// An id among several.
    fn membership(&mut self, scope: &Scope, depth: usize) -> Tree {
        let domain = self.domain(scope);
        let (id, array) = (&Type::Id(domain), &Type::IdArray(domain));
        let one = self.value(id, scope, depth);
        match self.random.weighted(&[4, 4, 4, 2, 2, 2, 2]) {
            0 => {
                let count = 1 + self.random.below(3);
                let items = (0..count)
                    .map(|_| self.operand(domain, scope, 0, Strange::Any))
                    .collect();
                let items = Tree::list(items, ", ", 1);
                let sign = *self.random.choose(&["{} in ({})", "{} not in ({})"]);
                Self::boolean(sign, [one, items])
            }
            1 => {
                let query = self.query(std::slice::from_ref(id), &scope.plain(), depth, false);
                let sign = *self.random.choose(&[
                    "{} in ({})",
                    "{} not in ({})",
                    "{} = any ({})",
                    "{} <> all ({})",
                    "{} < any ({})",
                ]);
                Self::boolean(sign, [one, query])
            }
            2 => self.among(one, domain, scope, depth),
            3 => {
                let (low, high) = (
                    self.operand(domain, scope, depth, Strange::Ends),
                    self.operand(domain, scope, depth, Strange::Ends),
                );
                let sign = *self.random.choose(&[
                    "({} between {} and {})",
                    "({} not between {} and {})",
                    "({} between symmetric {} and {})",
                    "(array[{}]::uuid[] between array[{}]::uuid[] and array[{}]::uuid[])",
                    "(({}, 1) >= ({}, 1) and row({}) is not null)",
                ]);
                Self::boolean(sign, [one, low, high])
            }
            4 => {
                let ids = self.value(array, scope, depth);
                let others = if self.random.once_in(3) {
                    self.loose_array(domain)
                } else {
                    self.value(array, scope, depth)
                };
                let sign = *self
                    .random
                    .choose(&["{} @> {}", "{} <@ {}", "{} && {}", "{} = {}", "{} < {}"]);
                Self::boolean(sign, [ids, others])
            }
            5 => {
                let rows = [self.row(domain), self.row(domain)];
                let values = format!("{{}} in (values ('{}'::uuid), ('{}'))", rows[0], rows[1]);
                Self::boolean(&values, [one])
            }
            _ => {
                let ids = self.value(array, scope, depth);
                let member = "exists (select 1 from unnest({}) m where m = {})";
                Self::boolean(member, [ids, one])
            }
        }
    }

    /// An id among those of an array.
    fn among(&mut self, one: Tree, domain: &'static str, scope: &Scope, depth: usize) -> Tree {
        let array = &Type::IdArray(domain);
        let ids = if self.random.once_in(3) {
            let text = format!("{{{},{}}}", self.row(domain), self.row(domain));
            Tree::value(array, &text, "")
        } else if self.random.once_in(3) {
            self.loose_array(domain)
        } else {
            let ids = self.value(array, scope, depth);
            // A query in two pairs of parentheses would be one for several rows.
            Tree::expression(array, "{}::uuid[]", [ids])
        };
        let sign = *self
            .random
            .choose(&["{} = any ({})", "{} <> all ({})", "{} >= some ({})"]);
        Self::boolean(sign, [one, ids])
    }

    /// A test of one value, or for rows.
    fn test(&mut self, scope: &Scope, depth: usize) -> Tree {
        let of = self.any_type(scope);
        match self.random.weighted(&[2, 3]) {
            0 => {
                let one = self.value(&of, scope, depth);
                let sign =
                    *self
                        .random
                        .choose(&["({} is null)", "({} is not null)", "({} isnull)"]);
                Self::boolean(sign, [one])
            }
            _ => {
                let query = self.query(&[of], &scope.plain(), depth, false);
                let sign = *self.random.choose(&["exists ({})", "not exists ({})"]);
                Self::boolean(sign, [query])
            }
        }
    }

    /// Several values at once.
    fn of_rows(&mut self, scope: &Scope, depth: usize) -> Tree {
        let domains = [self.domain(scope), self.domain(scope)];
        let ids = domains.map(Type::Id);
        let [one, two] = [0, 1].map(|at| self.value(&ids[at], scope, depth));
        match self.random.weighted(&[3, 2, 3]) {
            0 => {
                let [three, four] =
                    domains.map(|domain| self.operand(domain, scope, 0, Strange::Ends));
                let sign = *self.random.choose(&[
                    "({}, {}) = ({}, {})",
                    "({}, {}) < ({}, {})",
                    "({}, {}) >= ({}, {})",
                    "row({}, {}) is distinct from row({}, {})",
                ]);
                Self::boolean(sign, [one, two, three, four])
            }
            1 => {
                let [three, four] = ids.map(|id| self.literal(&id));
                Self::boolean("({}, {}) in (({}, {}))", [one, two, three, four])
            }
            _ => {
                let query = self.query(&ids, &scope.plain(), depth, false);
                let sign = *self
                    .random
                    .choose(&["({}, {}) in ({})", "({}, {}) not in ({})"]);
                Self::boolean(sign, [one, two, query])
            }
        }
    }
}
