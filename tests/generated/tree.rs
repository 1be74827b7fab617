//! A statement as a tree of which parts can be left out or put in the place of others of their
//! sort, so that a statement that fails becomes a small one that still does.

use super::schema::Type;

/// What may stand in the place of what.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Sort {
    /// A value of this type.
    Expression(Type),
    /// A query with columns of these types.
    Query(Vec<Type>),
    /// An item of FROM.
    From,
    /// May be left out.
    Optional,
    /// Anything else.
    Part,
}

#[derive(Debug, Clone)]
enum Piece {
    Text(String),
    Tree(Tree),
    /// Items with what divides them, and how many there must be.
    List(Vec<Tree>, &'static str, usize),
    /// A value that the client passes: its text and the cast that it needs as a literal.
    Value(String, &'static str),
    /// A value that the client passes once for both places: its text, what stands between the places,
    /// and the cast that it has in the second.
    Twice(String, &'static str, &'static str),
}

/// A part of a statement.
#[derive(Debug, Clone)]
pub(crate) struct Tree {
    sort: Sort,
    pieces: Vec<Piece>,
}

/// A statement as text, with the values of its parameters.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Rendered {
    pub(crate) sql: String,
    pub(crate) values: Vec<String>,
    extended: bool,
}

impl Tree {
    /// Text without parts.
    pub(crate) fn leaf(sort: Sort, text: impl Into<String>) -> Self {
        Self {
            sort,
            pieces: vec![Piece::Text(text.into())],
        }
    }

    /// A template with a `{}` for each of the parts.
    pub(crate) fn new(sort: Sort, template: &str, parts: impl IntoIterator<Item = Self>) -> Self {
        let mut parts = parts.into_iter();
        let mut pieces = Vec::new();
        for (place, text) in template.split("{}").enumerate() {
            if place > 0 {
                pieces.push(Piece::Tree(parts.next().expect("a part for each {}")));
            }
            pieces.push(Piece::Text(text.to_owned()));
        }
        assert!(parts.next().is_none(), "a {{}} for each part: {template}");
        Self { sort, pieces }
    }

    /// A value of this type.
    pub(crate) fn expression(
        of: &Type,
        template: &str,
        parts: impl IntoIterator<Item = Self>,
    ) -> Self {
        Self::new(Sort::Expression(of.clone()), template, parts)
    }

    /// A value that may be passed as a parameter.
    pub(crate) fn value(of: &Type, text: &str, cast: &'static str) -> Self {
        Self {
            sort: Sort::Expression(of.clone()),
            pieces: vec![Piece::Value(text.to_owned(), cast)],
        }
    }

    /// A value that may be passed as one parameter, and is named twice.
    pub(crate) fn twice(of: &Type, text: &str, between: &'static str, cast: &'static str) -> Self {
        Self {
            sort: Sort::Expression(of.clone()),
            pieces: vec![Piece::Twice(text.to_owned(), between, cast)],
        }
    }

    /// Items, of which so many are needed.
    pub(crate) fn list(items: Vec<Self>, divider: &'static str, least: usize) -> Self {
        Self {
            sort: Sort::Part,
            pieces: vec![Piece::List(items, divider, least)],
        }
    }

    /// A part that may be left out.
    pub(crate) fn optional(template: &str, parts: impl IntoIterator<Item = Self>) -> Self {
        Self::new(Sort::Optional, template, parts)
    }

    /// Nothing.
    pub(crate) fn nothing() -> Self {
        Self::leaf(Sort::Part, "")
    }

    /// The text, with parameters or with literals in their place.
    pub(crate) fn render(&self, extended: bool) -> Rendered {
        let mut rendered = Rendered {
            extended,
            ..Rendered::default()
        };
        self.write(&mut rendered);
        rendered
    }

    fn write(&self, into: &mut Rendered) {
        for piece in &self.pieces {
            match piece {
                Piece::Text(text) => into.sql.push_str(text),
                Piece::Tree(tree) => tree.write(into),
                Piece::List(items, divider, _) => {
                    for (place, item) in items.iter().enumerate() {
                        if place > 0 {
                            into.sql.push_str(divider);
                        }
                        item.write(into);
                    }
                }
                Piece::Value(text, cast) if into.extended => {
                    into.values.push(text.clone());
                    into.sql.push_str(&format!("${}{cast}", into.values.len()));
                }
                Piece::Value(text, cast) => {
                    into.sql.push_str(&format!("'{text}'{cast}"));
                }
                Piece::Twice(text, between, cast) => {
                    let mut name = format!("'{text}'");
                    if into.extended {
                        into.values.push(text.clone());
                        name = format!("${}", into.values.len());
                    }
                    into.sql.push_str(&format!("{name}{between}{name}{cast}"));
                }
            }
        }
    }

    /// The least that is of this sort.
    fn least(sort: &Sort) -> Option<Self> {
        let text = match sort {
            Sort::Expression(of) => of.least(),
            Sort::Query(types) => {
                let columns: Vec<_> = types.iter().map(Type::least).collect();
                format!("select {}", columns.join(", "))
            }
            Sort::Optional => String::new(),
            Sort::From | Sort::Part => return None,
        };
        Some(Self::leaf(sort.clone(), text))
    }

    fn len(&self) -> usize {
        self.render(false).sql.len()
    }

    /// Trees that are this one with something made smaller, the greatest steps first.
    pub(crate) fn smaller(&self) -> Vec<Self> {
        let mut found = Vec::new();
        self.reduce(&mut |tree| found.push(tree));
        let size = self.len();
        found.retain(|tree| tree.len() < size);
        found.sort_by_cached_key(Self::len);
        found
    }

    /// Gives every tree that comes from one step of reduction in one place.
    fn reduce(&self, give: &mut dyn FnMut(Self)) {
        if let Some(least) = Self::least(&self.sort) {
            give(least);
        }
        let mut within = Vec::new();
        self.collect(&mut within);
        for part in within {
            if part.sort == self.sort && self.sort != Sort::Part {
                give(part.clone());
            }
        }
        for (place, piece) in self.pieces.iter().enumerate() {
            let mut with = |piece: Piece| {
                let mut tree = self.clone();
                tree.pieces[place] = piece;
                give(tree);
            };
            match piece {
                Piece::Text(_) | Piece::Value(..) | Piece::Twice(..) => {}
                Piece::Tree(tree) => tree.reduce(&mut |smaller| with(Piece::Tree(smaller))),
                Piece::List(items, divider, least) => {
                    for at in 0..items.len() {
                        if items.len() > *least {
                            let mut fewer = items.clone();
                            fewer.remove(at);
                            with(Piece::List(fewer, divider, *least));
                        }
                        items[at].reduce(&mut |smaller| {
                            let mut changed = items.clone();
                            changed[at] = smaller;
                            with(Piece::List(changed, divider, *least));
                        });
                    }
                }
            }
        }
    }

    /// All parts, however deep.
    fn collect<'a>(&'a self, into: &mut Vec<&'a Self>) {
        for piece in &self.pieces {
            let parts = match piece {
                Piece::Tree(tree) => std::slice::from_ref(tree),
                Piece::List(items, ..) => items,
                Piece::Text(_) | Piece::Value(..) | Piece::Twice(..) => &[],
            };
            for part in parts {
                into.push(part);
                part.collect(into);
            }
        }
    }
}
