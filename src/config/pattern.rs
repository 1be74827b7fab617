//! The columns that an annotation is about: one that is written out, or all whose names are as a
//! pattern says, those too that are made later. Which these are only a database tells.

use std::borrow::Cow;
use std::collections::HashSet;

use super::ColumnName;

/// `schema.table.column`, where `*` stands for any characters within its part.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ColumnPattern {
    text: ColumnName,
    /// Of each part, whether its stars are more than themselves.
    open: [bool; 3],
}

impl From<ColumnName> for ColumnPattern {
    /// One column, whose stars are a part of its name.
    fn from(text: ColumnName) -> Self {
        let open = [false; 3];
        Self { text, open }
    }
}

impl std::fmt::Display for ColumnPattern {
    /// As the file names it: a star that is one stands in quotes.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let [schema, table, column] = [0, 1, 2].map(|number| self.part(number).written());
        write!(f, "{schema}.{table}.{column}")
    }
}

impl ColumnPattern {
    /// A pattern of these parts; of each whether it stood without quotes, so that a star in it is
    /// one.
    pub(super) fn of([schema, table, column]: [(String, bool); 3]) -> Self {
        let is_open = |(part, bare): &(String, bool)| *bare && part.contains('*');
        let open = [is_open(&schema), is_open(&table), is_open(&column)];
        let text = ColumnName {
            schema: schema.0,
            table: table.0,
            column: column.0,
        };
        Self { text, open }
    }

    /// The column, if it is one that is written out.
    #[must_use]
    pub fn name(&self) -> Option<&ColumnName> {
        (self.open == [false; 3]).then_some(&self.text)
    }

    /// The table, if its name is written out.
    #[must_use]
    pub fn table(&self) -> Option<&str> {
        (!self.open[1]).then_some(&self.text.table)
    }

    /// What stands for the names of the column: of a pattern, with its stars.
    #[must_use]
    pub const fn words(&self) -> &ColumnName {
        &self.text
    }

    /// Whether it is about columns of a schema. Those of Postgres's own are meant by their names
    /// only.
    #[must_use]
    pub fn matches_schema(&self, schema: &str) -> bool {
        let own = schema.starts_with("pg_") || schema == "information_schema";
        self.part(0).matches(schema) && !(self.open[0] && own)
    }

    /// Whether it is about columns of a table, in whatever schema.
    #[must_use]
    pub fn matches_table(&self, table: &str) -> bool {
        self.part(1).matches(table)
    }

    /// Whether it is about columns of this name, in whatever table.
    #[must_use]
    pub fn matches_column(&self, column: &str) -> bool {
        self.part(2).matches(column)
    }

    /// Whether it is about a column.
    #[must_use]
    pub fn matches(&self, name: &ColumnName) -> bool {
        self.matches_schema(&name.schema)
            && self.matches_table(&name.table)
            && self.matches_column(&name.column)
    }

    /// Whether a column could have a name that both are about.
    #[must_use]
    pub fn meets(&self, other: &Self) -> bool {
        (0..3).all(|number| self.part(number).meets(other.part(number)))
    }

    fn part(&self, number: usize) -> NamePattern<'_> {
        let ColumnName {
            schema,
            table,
            column,
        } = &self.text;
        let text = match number {
            0 => schema,
            1 => table,
            _ => column,
        };
        let open = self.open.get(number).copied().unwrap_or_default();
        NamePattern { text, open }
    }
}

/// A part of a name as a file has it: one with a dot or a star in it stands in quotes.
pub(super) fn quoted(part: &str) -> Cow<'_, str> {
    match part.contains(['.', '*']) {
        true => format!("\"{part}\"").into(),
        false => part.into(),
    }
}

/// A name, or a pattern of names, in which each `*` stands for any characters.
#[derive(Debug, Clone, Copy)]
pub struct NamePattern<'t> {
    text: &'t str,
    open: bool,
}

impl<'t> NamePattern<'t> {
    /// A pattern in which a star is never itself.
    #[must_use]
    pub const fn new(text: &'t str) -> Self {
        Self { text, open: true }
    }

    /// How a file has it.
    fn written(self) -> Cow<'t, str> {
        match self.open {
            true => self.text.into(),
            false => quoted(self.text),
        }
    }

    /// Whether a name is as the pattern says.
    #[must_use]
    pub fn matches(self, name: &str) -> bool {
        if !self.open {
            return self.text == name;
        }
        let Some((first, rest)) = self.text.split_once('*') else {
            return self.text == name;
        };
        let Some(mut name) = name.strip_prefix(first) else {
            return false;
        };
        let mut parts: Vec<&str> = rest.split('*').collect();
        let last = parts.pop().unwrap_or_default();
        for part in parts {
            let Some((_, behind)) = name.split_once(part) else {
                return false;
            };
            name = behind;
        }
        name.ends_with(last)
    }

    /// Whether a name could be as both say: whether one walk leads through both, in which a star
    /// takes whatever the other has.
    fn meets(self, other: Self) -> bool {
        let (own, others) = (self.steps(), other.steps());
        let mut seen = HashSet::new();
        let mut open = vec![(0, 0)];
        while let Some(place) = open.pop() {
            let (one, two) = place;
            if !seen.insert(place) {
                continue;
            }
            let ahead = match (own.get(one), others.get(two)) {
                (None, None) => return true,
                (Some(Step::Any), _) | (_, Some(Step::Any)) => vec![(one + 1, two), (one, two + 1)],
                (Some(one_step), Some(two_step)) if one_step == two_step => {
                    vec![(one + 1, two + 1)]
                }
                _ => continue,
            };
            let is_inside = |(one, two): &(usize, usize)| *one <= own.len() && *two <= others.len();
            open.extend(ahead.into_iter().filter(is_inside));
        }
        false
    }

    fn steps(self) -> Vec<Step> {
        let step = |c: char| match c {
            '*' if self.open => Step::Any,
            c => Step::One(c),
        };
        self.text.chars().map(step).collect()
    }
}

/// One step through a pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    One(char),
    Any,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pattern(text: &str) -> ColumnPattern {
        let parts: Vec<&str> = text.split('.').collect();
        let part = |number: usize| match parts[number].strip_prefix('"') {
            Some(quoted) => (quoted.trim_end_matches('"').to_owned(), false),
            None => (parts[number].to_owned(), true),
        };
        ColumnPattern::of([part(0), part(1), part(2)])
    }

    fn name(text: &str) -> ColumnName {
        let parts: Vec<String> = text.split('.').map(str::to_owned).collect();
        let [schema, table, column] = parts.try_into().unwrap();
        ColumnName {
            schema,
            table,
            column,
        }
    }

    #[test]
    fn a_star_stands_for_any_characters() {
        for (pattern, of, is_so) in [
            ("sales", "sales", true),
            ("sales", "sales_old", false),
            ("sales*", "sales_old", true),
            ("*_old", "sales_old", true),
            ("s*e*d", "sales_old", true),
            ("a*b*c", "a-b-b-c", true),
            ("a*b*c", "acb", false),
            ("ab*bc", "abc", false),
            ("a**c", "ac", true),
            ("a*a", "a", false),
            ("*", "", true),
        ] {
            assert_eq!(
                NamePattern::new(pattern).matches(of),
                is_so,
                "{pattern} {of}"
            );
        }
    }

    #[test]
    fn it_is_shown_as_a_file_has_it() {
        for text in [
            "tenant_*.users.id",
            "tenant_a.\"us*rs\".id",
            "*.\"a*b\".*_id",
        ] {
            assert_eq!(pattern(text).to_string(), text);
        }
    }

    #[test]
    fn a_star_stays_within_its_part_and_out_of_the_systems_schemas() {
        for (of, column, is_so) in [
            ("tenant_*.users.id", "tenant_a.users.id", true),
            ("tenant_*.users.id", "tenant_a.other_users.id", false),
            ("*.users.id", "pg_temp_3.users.id", false),
            ("*.tables.id", "information_schema.tables.id", false),
            ("pg_catalog.users.id", "pg_catalog.users.id", true),
            ("\"tenant_*\".users.id", "tenant_a.users.id", false),
            ("\"tenant_*\".users.id", "tenant_*.users.id", true),
            ("public.*.*_id", "public.orders.user_id", true),
        ] {
            assert_eq!(pattern(of).matches(&name(column)), is_so, "{of} {column}");
        }
    }

    #[test]
    fn patterns_meet_where_a_name_could_be_as_both_say() {
        for (one, other, is_so) in [
            ("a.b.c", "a.b.c", true),
            ("a.b.c", "a.b.d", false),
            ("a*.b.c", "ab.b.c", true),
            ("a*.b.c", "*b.b.c", true),
            ("a*.b.c", "b*.b.c", false),
            ("a*c.b.c", "ab*.b.c", true),
            ("a*c.b.c", "a*d.b.c", false),
            ("*.b.c", "*.b.d", false),
            ("x*x.b.c", "x.b.c", false),
            ("*a*.b.c", "*b*.b.c", true),
            ("\"*\".b.c", "a*.b.c", false),
            ("\"*\".b.c", "*.b.c", true),
        ] {
            assert_eq!(pattern(one).meets(&pattern(other)), is_so, "{one} {other}");
            assert_eq!(pattern(other).meets(&pattern(one)), is_so, "{other} {one}");
        }
    }
}
