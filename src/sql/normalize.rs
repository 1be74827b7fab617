//! A text with blanks in the place of its literals, so that texts that differ in nothing else
//! share one analysis.
//!
//! The analysis of such a text never sees the literals. A blank string is a value of unknown type
//! that is no constant ([`string_value`](super::parse::string_value) finds none); which of them
//! somebody would have read is [`asked`], and those stay written out. A number is blanked only
//! where its place leaves nothing but its type to matter, and the number in its stead is of the
//! same type. A blank string holds a NUL, which no client can send.

mod asked;
mod literals;

use std::borrow::Cow;
use std::ops::Range;

use super::lex::{self, Token, TokenKind};
use super::plan::{
    Columns, Edit, Edits, Effect, NamedObject, PathChange, Plan, Replacement, Source, Verdict,
};
use super::{Context, Script, Statement, encoding, split};
use crate::splice::{Misplaced, Splice};
use literals::{Found, Kind, Literals};

/// The value of a blank string.
const BLANK: &str = "\0";

/// A blank string as it is written.
const BLANK_STRING: &str = "'\0'";

/// Longer texts are not blanked; nobody sends them twice.
const LONGEST: usize = 256 * 1024;

/// The value of a string token. It has none if it is blank, and then someone has asked for it.
pub(super) fn string_of<'t>(token: &'t Token<'_>) -> Option<&'t str> {
    match &token.kind {
        TokenKind::String(value) if value == BLANK => {
            asked::note(token.span.start);
            None
        }
        TokenKind::String(value) => Some(value),
        _ => None,
    }
}

/// Where a token begins that is a blank string, as the syntax tree has it; nobody has asked for its
/// value yet.
pub(super) fn placeholder(token: &Token<'_>) -> Option<String> {
    let is_blank = matches!(&token.kind, TokenKind::String(value) if value == BLANK);
    is_blank.then(|| token.span.start.to_string())
}

/// Records that someone would have read the value of a [`placeholder`].
pub(super) fn ask(placeholder: &str) {
    if let Ok(place) = placeholder.parse() {
        asked::note(place);
    }
}

/// The digits of a number at a place. It has none if it is blank, and then someone has asked for it.
pub(super) fn number(digits: &str, place: usize) -> Option<&str> {
    if Kind::is_in(digits) {
        asked::note(place);
        return None;
    }
    Some(digits)
}

/// A blank string as a value that nobody has asked for.
pub(super) fn unanalysed() -> String {
    BLANK.to_owned()
}

/// A text with blanks.
#[derive(Debug)]
pub struct Normalized<'a> {
    original: &'a str,
    key: String,
    blanks: Vec<Blank<'a>>,
}

/// A literal that was blanked.
#[derive(Debug, Clone)]
struct Blank<'a> {
    /// The bytes of the blank in the text that is analysed.
    here: Range<usize>,
    /// The literal in the original.
    there: Found<'a>,
}

/// For which texts the analysis of one holds.
#[derive(Debug, PartialEq)]
pub enum Sharing {
    /// For all that differ in the literals that are blank; this is the analysis of the text with
    /// the blanks.
    All(Script),
    /// At most for those that have these of the literals in common, by number, ascending.
    With(Vec<usize>),
}

/// Blanks the literals of a text that is one query or data-modifying statement. `None` if it
/// is something else or has no literal that can be blanked.
#[must_use]
pub fn blank<'a>(text: &'a [u8], context: &Context<'_>) -> Option<Normalized<'a>> {
    if text.len() > LONGEST || memchr::memchr(0, text).is_some() {
        return None;
    }
    let Cow::Borrowed(_) = encoding::readable(text, context).ok()? else {
        return None;
    };
    let text = std::str::from_utf8(text).ok()?;
    let tokens = lex::lex(text, context.standard_conforming_strings).ok()?;
    let is_statement = matches!(
        tokens.first()?.keyword()?,
        "select" | "insert" | "update" | "delete" | "with" | "values" | "merge"
    );
    if !is_statement || split::split(text, &tokens).len() != 1 {
        return None;
    }
    let found = Literals::new(text, &tokens).find();
    (!found.is_empty())
        .then(|| Normalized::with(text, found).ok())
        .flatten()
}

impl<'a> Normalized<'a> {
    fn with(original: &'a str, literals: Vec<Found<'a>>) -> Result<Self, Misplaced> {
        let mut key = String::with_capacity(original.len());
        let mut blanks = Vec::with_capacity(literals.len());
        // How long the text with the blanks is, up to the end of what was copied.
        let mut length = 0;
        let mut splice = Splice::new(original);
        for there in literals {
            let passed = splice.replace(there.span.clone(), &mut key)?;
            key.push_str(there.kind.mark());
            let start = length + passed.copied.len();
            length = start + there.kind.stand_in().len();
            let here = start..length;
            blanks.push(Blank { here, there });
        }
        splice.finish(&mut key)?;
        Ok(Self {
            original,
            key,
            blanks,
        })
    }

    /// What texts have in common that differ in nothing but the literals that are blank here, and
    /// no others have: it tells which literals those are.
    #[must_use]
    pub fn key(&self) -> &[u8] {
        self.key.as_bytes()
    }

    /// The text with the blanks, as it is analysed.
    fn text(&self) -> Result<String, Misplaced> {
        let mut text = String::with_capacity(self.original.len());
        let mut splice = Splice::new(self.original);
        for Blank { there, .. } in &self.blanks {
            splice.replace(there.span.clone(), &mut text)?;
            text.push_str(there.kind.stand_in());
        }
        splice.finish(&mut text)?;
        Ok(text)
    }

    /// Gives the text with its blanks, but with these literals, in ascending order, as they are
    /// written. `None` if it can't be written; then nothing is shared.
    #[must_use]
    pub fn keeping(&self, literals: &[usize]) -> Option<Self> {
        let blanks = self.blanks.iter().enumerate();
        let blanks = blanks.filter(|(index, _)| literals.binary_search(index).is_err());
        let blanks = blanks.map(|(_, blank)| blank.there.clone());
        Self::with(self.original, blanks.collect()).ok()
    }

    /// Finds for which other texts the analysis of the original holds, by the analysis of the text
    /// with the blanks.
    #[must_use]
    pub fn sharing(&self, original: &Script, analyse: impl FnOnce(&[u8]) -> Script) -> Sharing {
        let Ok(text) = self.text() else {
            return Sharing::With((0..self.len()).collect());
        };
        let (shared, asked) = asked::listen(|| analyse(text.as_bytes()));
        if !asked.is_empty() {
            let begins = |place: &usize| self.blanks.binary_search_by_key(place, |b| b.here.start);
            return match asked.iter().map(begins).collect() {
                Ok(literals) => Sharing::With(literals),
                Err(_) => Sharing::With((0..self.len()).collect()),
            };
        }
        // Nobody has asked for anything, so this is the same for all. It is made sure of by the one
        // that is there.
        if self
            .placed(&shared)
            .is_some_and(|placed| placed == *original)
        {
            return Sharing::All(shared);
        }
        let others = self.others(original);
        Sharing::With(if others.is_empty() {
            (0..self.len()).collect()
        } else {
            others
        })
    }

    /// The literals that are no ids, by the analysis of the original.
    fn others(&self, original: &Script) -> Vec<usize> {
        let edits = match original.statements.as_slice() {
            [
                Statement {
                    verdict: Verdict::Forward(plan),
                    ..
                },
            ] => &plan.edits[..],
            _ => &[],
        };
        let is_id = |edit: &Edit| {
            matches!(
                edit.with,
                Replacement::Id { .. }
                    | Replacement::IdArray { .. }
                    | Replacement::Row { .. }
                    | Replacement::Json { .. }
            )
        };
        let mut ids = edits.iter().filter(|edit| is_id(edit)).peekable();
        let mut others = Vec::new();
        for (index, Blank { there, .. }) in self.blanks.iter().enumerate() {
            while ids.next_if(|id| id.span.start < there.span.start).is_some() {}
            if ids.next_if(|id| id.span == there.span).is_none() {
                others.push(index);
            }
        }
        others
    }

    /// How many literals are blank.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.blanks.len()
    }

    /// Whether no literal is blank.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.blanks.is_empty()
    }

    /// The script of the original, from that of the text with the blanks; `None` if that is not one
    /// that texts can share.
    #[must_use]
    pub fn placed(&self, shared: &Script) -> Option<Script> {
        let Script {
            statements,
            unknown_name: None,
            missing_name: None,
            spent: false,
        } = shared
        else {
            return None;
        };
        let [
            Statement {
                range,
                verdict: Verdict::Forward(plan),
            },
        ] = statements.as_slice()
        else {
            return None;
        };
        Some(Script {
            statements: vec![Statement {
                range: self.range(range)?,
                verdict: Verdict::Forward(self.plan(plan)?),
            }],
            ..Script::default()
        })
    }

    fn plan(&self, plan: &Plan) -> Option<Plan> {
        let Plan {
            edits,
            parameters,
            columns: columns @ (Columns::Clean | Columns::Known(_)),
            source: Source::Itself,
            arguments,
            effect,
            unresolved: false,
            constant,
            orders_ids,
            confirmed: _,
        } = plan
        else {
            return None;
        };
        let edits = edits.iter().map(|edit| self.edit(edit));
        arguments.is_empty().then_some(())?;
        Some(Plan {
            edits: Edits::new(edits.collect::<Option<_>>()?).ok()?,
            parameters: parameters.clone(),
            columns: columns.clone(),
            effect: self.effect(effect)?,
            constant: *constant,
            orders_ids: *orders_ids,
            ..Plan::default()
        })
    }

    /// What the session has to do once the original has run.
    fn effect(&self, effect: &Effect) -> Option<Effect> {
        let Effect {
            ddl,
            indexes,
            objects,
            private,
            discards,
            vain,
            unanalysed,
            of_stored_types,
            writes,
            blinds,
            fronts,
            defines,
            ends_transaction,
            anchors,
            creates,
            late,
            search_path,
            settings,
            remains,
            keeps,
            ends,
        } = effect;
        // It is told by names.
        anchors.is_none().then_some(())?;
        Some(Effect {
            ddl: *ddl,
            indexes: *indexes,
            objects: objects.clone(),
            private: *private,
            discards: *discards,
            vain: *vain,
            unanalysed: *unanalysed,
            of_stored_types: *of_stored_types,
            writes: *writes,
            blinds: *blinds,
            fronts: *fronts,
            defines: *defines,
            ends_transaction: *ends_transaction,
            anchors: None,
            // It is told by names and types.
            creates: creates.clone(),
            late: *late,
            search_path: match search_path {
                PathChange::Unchanged
                | PathChange::Reverted
                | PathChange::Committed
                | PathChange::RolledBack
                | PathChange::Unknown => search_path.clone(),
                // The schemas may stand in literals.
                PathChange::Predicted { .. } => return None,
            },
            settings: *settings,
            remains: *remains,
            keeps: match keeps.as_deref() {
                Some(kept) => Some(Box::new(NamedObject {
                    query: self.range(&kept.query)?,
                    ..kept.clone()
                })),
                None => None,
            },
            // By names.
            ends: ends.clone(),
        })
    }

    fn edit(&self, edit: &Edit) -> Option<Edit> {
        let value = |literal: &str| {
            let first = self
                .blanks
                .partition_point(|blank| blank.here.start < edit.span.start);
            match self.blanks.get(first) {
                Some(Blank { here, there }) if *here == edit.span => {
                    // What the analysis has made of a blank it makes of no other value.
                    let is_whole = match there.kind {
                        Kind::String => literal == BLANK,
                        number => literal == number.stand_in(),
                    };
                    is_whole.then(|| there.value.to_string())
                }
                _ if Kind::is_in(literal) => None,
                _ => Some(literal.to_owned()),
            }
        };
        let with = match &edit.with {
            Replacement::Id { usage, literal } => Replacement::Id {
                literal: value(literal)?,
                usage: usage.clone(),
            },
            Replacement::IdArray { usage, literal } => Replacement::IdArray {
                literal: value(literal)?,
                usage: usage.clone(),
            },
            Replacement::Row { row, literal } => Replacement::Row {
                literal: value(literal)?,
                row: row.clone(),
            },
            Replacement::Json { shape, literal } => Replacement::Json {
                literal: value(literal)?,
                shape: shape.clone(),
            },
            Replacement::Text(text) if Kind::is_in(text) => return None,
            Replacement::Text(_)
            | Replacement::TagOpen { .. }
            | Replacement::TagClose
            | Replacement::Untag(_)
            | Replacement::KeyOpen(_)
            | Replacement::KeyClose(_)
            | Replacement::MarkOpen { .. } => edit.with.clone(),
        };
        Some(Edit {
            span: self.range(&edit.span)?,
            with,
        })
    }

    fn range(&self, range: &Range<usize>) -> Option<Range<usize>> {
        Some(self.offset(range.start)?..self.offset(range.end)?)
    }

    /// The place in the original; `None` for one inside of a blank.
    fn offset(&self, here: usize) -> Option<usize> {
        let behind = self.blanks.partition_point(|blank| blank.here.end <= here);
        let next = self.blanks.get(behind);
        if next.is_some_and(|blank| blank.here.start < here) {
            return None;
        }
        let before = behind
            .checked_sub(1)
            .and_then(|index| self.blanks.get(index));
        Some(match before {
            Some(blank) => here - blank.here.end + blank.there.span.end,
            None => here,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::{SearchPath, Snapshot};

    fn blanked(text: &str) -> Option<String> {
        let snapshot = Snapshot::default();
        let path = SearchPath::default();
        let context = Context::new(&snapshot, &path);
        let blanked = blank(text.as_bytes(), &context)?;
        let marks = [
            (Kind::String, "'_'"),
            (Kind::Int4, "1"),
            (Kind::Int8, "3000000000"),
            (Kind::Numeric, "1.5"),
        ];
        let shown = |text: String, part: fn(Kind) -> &'static str| {
            marks
                .iter()
                .fold(text, |text, (kind, shown)| text.replace(part(*kind), shown))
        };
        let analysed = blanked.text().ok()?;
        let analysed = shown(analysed.replace("2013265921.5", "1.5"), Kind::stand_in);
        assert_eq!(analysed, shown(blanked.key.clone(), Kind::mark));
        for Blank { here, there } in &blanked.blanks {
            assert_eq!(&blanked.text().ok()?[here.clone()], there.kind.stand_in());
        }
        Some(analysed)
    }

    #[test]
    fn the_key_tells_which_literals_are_blanked() {
        let snapshot = Snapshot::default();
        let path = SearchPath::default();
        let context = Context::new(&snapshot, &path);
        for numbers in [
            ["1", "1.5", "3000000000"],
            ["2013265921", "2013265921.5", "4611686018427387847"],
            ["7", "7.0", "4611686018427387847"],
        ] {
            let text = format!("INSERT INTO t VALUES ('', {})", numbers.join(", "));
            let blanked = blank(text.as_bytes(), &context).expect("literals");
            let mut keys: Vec<Vec<u8>> = vec![text.clone().into_bytes()];
            // Every set of literals that are kept.
            for kept in 0..1 << 4 {
                let kept: Vec<usize> = (0..4).filter(|literal| kept >> literal & 1 == 1).collect();
                let keeping = blanked.keeping(&kept).unwrap();
                assert_eq!(keeping.len(), 4 - kept.len());
                if !keeping.is_empty() {
                    keys.push(keeping.key().to_vec());
                }
            }
            let count = keys.len();
            keys.sort();
            keys.dedup();
            assert_eq!(keys.len(), count, "{text}");
        }
    }

    #[test]
    fn strings_of_any_spelling_are_blanked() {
        assert_eq!(
            blanked("SELECT E'a\\'b', U&'\\0061', $x$ ' $x$, 'a'\n'b' -- 'c'").as_deref(),
            Some("SELECT '_', '_', '_', '_' -- 'c'")
        );
    }

    #[test]
    fn numbers_are_blanked_where_only_their_type_matters() {
        for (text, expected) in [
            (
                "SELECT a FROM t WHERE b = 52",
                "SELECT a FROM t WHERE b = 1",
            ),
            (
                "SELECT a FROM t WHERE b IN (7, 2147483648, 2.50) LIMIT 20 OFFSET 40",
                "SELECT a FROM t WHERE b IN (1, 3000000000, 1.5) LIMIT 1 OFFSET 1",
            ),
            (
                "INSERT INTO t VALUES (7, f(8), 9), (10, 11, -12) RETURNING g(13, 14)",
                "INSERT INTO t VALUES (1, f(8), 1), (1, 1, -12) RETURNING g(13, 14)",
            ),
        ] {
            assert_eq!(blanked(text).as_deref(), Some(expected));
        }
        for kept in [
            "SELECT a, b FROM t ORDER BY 1, 2",
            "SELECT a FROM t GROUP BY 3",
            "SELECT a[4], b::varchar(5), 6, f(7) FROM t",
            "SELECT a FROM t WHERE b = -8 AND c = 1e3 AND d = 99999999999999999999",
        ] {
            assert_eq!(blanked(kept), None, "{kept}");
        }
    }

    #[test]
    fn only_one_query_or_change_of_rows_is_blanked() {
        for other in [
            "SET search_path = 'a'",
            "PREPARE x AS SELECT 'a'",
            "COPY t FROM STDIN (DELIMITER 'x')",
            "SELECT 'a'; SELECT 'b'",
            "SELECT a FROM t",
            "SELECT 'a",
            "SELECT '\0'",
        ] {
            assert_eq!(blanked(other), None, "{other}");
        }
    }

    #[test]
    fn places_are_those_of_the_original() {
        let snapshot = Snapshot::default();
        let path = SearchPath::default();
        let context = Context::new(&snapshot, &path);
        let text = "SELECT 'one', 'twenty', x";
        let blanked = blank(text.as_bytes(), &context).expect("literals");
        for (here, there) in [(0, 0), (7, 7), (10, 12), (12, 14), (15, 22), (18, 25)] {
            assert_eq!(blanked.offset(here), Some(there));
        }
        assert_eq!(blanked.offset(8), None, "inside of a blank");
        let kept = blanked.keeping(&[0]).unwrap();
        assert_eq!(kept.text().unwrap(), "SELECT 'one', '\0', x");
        assert_eq!(kept.key(), b"SELECT 'one', \0s, x");
    }
}
