//! `SEARCH` and `CYCLE` behind a query of WITH RECURSIVE, which sqlparser does not know: they add
//! columns to it. They become a name behind FROM, where sqlparser takes one and Postgres has none.

use super::Rewriter;

/// What a clause adds to the rows of a recursive query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Added {
    /// `SEARCH DEPTH FIRST BY … SET column`: an array of the rows that lead to this one.
    Path { columns: Vec<String>, into: String },
    /// `SEARCH BREADTH FIRST BY … SET column`: a row of a depth and these columns.
    Row { columns: Vec<String>, into: String },
    /// `CYCLE … SET column`: a constant of the statement's own.
    Mark { into: String },
}

/// Stands between the parts of a clause. Nothing in a statement holds it.
const PART: char = '\0';

impl Added {
    fn encode(&self) -> String {
        let (kind, into, columns): (_, _, &[String]) = match self {
            Self::Path { columns, into } => ("path", into, columns),
            Self::Row { columns, into } => ("row", into, columns),
            Self::Mark { into } => ("mark", into, &[]),
        };
        let mut text = format!("{kind}{PART}{into}{PART}");
        for column in columns {
            text.push_str(column);
            text.push(PART);
        }
        text.push(PART);
        text
    }

    /// Reads what stands behind FROM.
    pub(crate) fn decode(name: &str) -> Option<Vec<Self>> {
        let clauses = name.split_terminator("\0\0");
        let clause = |text: &str| {
            let mut parts = text.split(PART).map(str::to_owned);
            let (kind, into) = (parts.next()?, parts.next()?);
            let columns = parts.filter(|column| !column.is_empty()).collect();
            Some(match kind.as_str() {
                "path" => Self::Path { columns, into },
                "row" => Self::Row { columns, into },
                "mark" => Self::Mark { into },
                _ => return None,
            })
        };
        clauses.map(clause).collect()
    }
}

impl Rewriter<'_> {
    /// `) SEARCH …` and `) CYCLE …`.
    pub(super) fn recursion(&mut self) -> bool {
        if self.mark_before(self.at) != Some(")") {
            return false;
        }
        let mut added = Vec::new();
        let mut at = self.at;
        if let Some((clause, end)) = self.search(at) {
            added.push(clause);
            at = end;
        }
        if let Some((clauses, end)) = self.cycle(at) {
            added.extend(clauses);
            at = end;
        }
        if added.is_empty() {
            return false;
        }
        let name: String = added.iter().map(Added::encode).collect();
        self.write_keyword("FROM", self.at);
        let span = self.tokens[self.at].span.clone();
        self.write_name(&name, span);
        self.at = at;
        true
    }

    /// `SEARCH { DEPTH | BREADTH } FIRST BY column, … SET name`
    fn search(&self, at: usize) -> Option<(Added, usize)> {
        let deep = self.are_words(at, &["search", "depth", "first", "by"]);
        if !deep && !self.are_words(at, &["search", "breadth", "first", "by"]) {
            return None;
        }
        let (columns, end) = self.names(at + 4)?;
        if self.word(end) != Some("set") {
            return None;
        }
        let into = self.name(end + 1)?.to_owned();
        let added = if deep {
            Added::Path { columns, into }
        } else {
            Added::Row { columns, into }
        };
        Some((added, end + 2))
    }

    /// `CYCLE column, … SET name [TO value DEFAULT value] USING name`
    fn cycle(&self, at: usize) -> Option<([Added; 2], usize)> {
        if self.word(at) != Some("cycle") {
            return None;
        }
        let (columns, end) = self.names(at + 1)?;
        if self.word(end) != Some("set") {
            return None;
        }
        let mark = self.name(end + 1)?.to_owned();
        let mut using = end + 2;
        if self.word(using) == Some("to") {
            let values = using;
            while self.word(using) != Some("using") {
                self.tokens.get(using)?;
                using += 1;
            }
            if !self.is_droppable(values..using) {
                return None;
            }
        }
        if self.word(using) != Some("using") {
            return None;
        }
        let into = self.name(using + 1)?.to_owned();
        let clauses = [Added::Mark { into: mark }, Added::Path { columns, into }];
        Some((clauses, using + 2))
    }

    /// A list of names, and the index behind it.
    fn names(&self, mut at: usize) -> Option<(Vec<String>, usize)> {
        let mut names = vec![self.name(at)?.to_owned()];
        while self.mark(at + 1) == Some(",") {
            at += 2;
            names.push(self.name(at)?.to_owned());
        }
        Some((names, at + 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let columns = || vec!["a".to_owned(), "b c".to_owned()];
        let into = || "seq".to_owned();
        let added = vec![
            Added::Path {
                columns: columns(),
                into: into(),
            },
            Added::Mark { into: into() },
            Added::Row {
                columns: columns(),
                into: into(),
            },
        ];
        let text: String = added.iter().map(Added::encode).collect();
        assert_eq!(Added::decode(&text), Some(added));
        assert_eq!(Added::decode("users"), None);
    }
}
