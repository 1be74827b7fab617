//! The trees that Postgres keeps of analysed queries, `pg_node_tree`, as text.

/// A node, a list, or anything else as it is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Node {
    Named(String, Vec<(String, Node)>),
    List(Vec<Node>),
    Atom(String),
}

const NOTHING: &Node = &Node::List(Vec::new());

impl Node {
    /// Reads the text of a tree.
    pub(crate) fn read(text: &str) -> Result<Self, String> {
        let tokens = tokens(text);
        let mut rest = tokens.as_slice();
        Self::value(&mut rest)
    }

    fn value(rest: &mut &[String]) -> Result<Self, String> {
        let (first, behind) = rest.split_first().ok_or("a tree ends early")?;
        *rest = behind;
        match first.as_str() {
            "{" => Self::fields(rest),
            "(" => {
                let mut items = Vec::new();
                while rest.first().ok_or("a list has no end")? != ")" {
                    items.push(Self::value(rest)?);
                }
                *rest = &rest[1..];
                Ok(Self::List(items))
            }
            atom => Ok(Self::Atom(atom.to_owned())),
        }
    }

    fn fields(rest: &mut &[String]) -> Result<Self, String> {
        let (name, behind) = rest.split_first().ok_or("a node has no name")?;
        *rest = behind;
        let mut fields: Vec<(String, Self)> = Vec::new();
        loop {
            match rest.first().ok_or("a node has no end")?.as_str() {
                "}" => {
                    *rest = &rest[1..];
                    return Ok(Self::Named(name.clone(), fields));
                }
                field if field.starts_with(':') => {
                    fields.push((field[1..].to_owned(), Self::List(Vec::new())));
                    *rest = &rest[1..];
                }
                _ => {
                    let value = Self::value(rest)?;
                    // Of a constant, which has several, nobody asks for the value.
                    if let Some((_, last)) = fields.last_mut() {
                        *last = value;
                    }
                }
            }
        }
    }

    pub(crate) fn name(&self) -> &str {
        match self {
            Self::Named(name, _) => name,
            _ => "",
        }
    }

    /// A field; an empty list if there is none.
    pub(crate) fn field(&self, name: &str) -> &Self {
        match self {
            Self::Named(_, fields) => {
                let field = fields.iter().find(|(known, _)| known == name);
                field.map_or(NOTHING, |(_, value)| value)
            }
            _ => NOTHING,
        }
    }

    /// A field that is a number or a word.
    pub(crate) fn atom(&self, name: &str) -> &str {
        match self.field(name) {
            Self::Atom(text) => text,
            _ => "",
        }
    }

    pub(crate) fn number(&self, name: &str) -> usize {
        self.atom(name).parse().unwrap_or(0)
    }

    /// The items of a list; none of anything else.
    pub(crate) fn items(&self) -> &[Self] {
        match self {
            Self::List(items) => items,
            _ => &[],
        }
    }

    /// The nodes directly below.
    pub(crate) fn children(&self) -> impl Iterator<Item = &Self> {
        let fields: &[(String, Self)] = match self {
            Self::Named(_, fields) => fields,
            _ => &[],
        };
        let fields = fields.iter().map(|(_, value)| value);
        fields.chain(self.items())
    }
}

/// Brackets, and words between blanks; a backslash makes the next letter part of a word.
fn tokens(text: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    let mut word = String::new();
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        let is_bracket = "(){}".contains(letter);
        if is_bracket || letter.is_whitespace() {
            if !word.is_empty() {
                tokens.push(std::mem::take(&mut word));
            }
            if is_bracket {
                tokens.push(letter.to_string());
            }
        } else if letter == '\\' {
            word.extend(letters.next());
        } else {
            word.push(letter);
        }
    }
    tokens
}
