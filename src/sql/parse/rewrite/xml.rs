//! What XML is made of, and `ROWS FROM`: calls with words between their brackets that are no values.
//! Those are left out.

use sqlparser::tokenizer::Token as ParserToken;

use super::Rewriter;

/// What stands for `ROWS FROM`. No name of a text has such a letter.
pub(crate) const ROWS_FROM: &str = "rows\0from";

impl Rewriter<'_> {
    /// `XMLELEMENT(NAME a, XMLATTRIBUTES(b AS c), d)` to `xmlelement((b), d)`, and its relatives.
    pub(super) fn xml_call(&mut self, word: &str) -> bool {
        if self.mark(self.at + 1) != Some("(") {
            return false;
        }
        let Some(close) = self.behind_brackets(self.at + 1).map(|end| end - 1) else {
            return false;
        };
        let first = self.at + 2;
        let named = matches!(word, "xmlelement" | "xmlpi")
            && self.word(first) == Some("name")
            && self.name(first + 1).is_some();
        let behind = match word {
            "xmlattributes" if self.in_call_of(&["xmlelement"]) => {
                self.at += 1;
                return true;
            }
            "xmlelement" | "xmlpi" if named && self.mark(first + 2) == Some(",") => first + 3,
            "xmlelement" | "xmlpi" if named && first + 2 == close => close,
            "xmlparse" | "xmlserialize"
                if matches!(self.word(first), Some("content" | "document")) =>
            {
                first + 1
            }
            "xmlforest" => first,
            _ => return false,
        };
        let span = self.tokens[self.at].span.clone();
        self.write_word(word, false, span);
        self.at += 1;
        self.copy();
        self.at = behind;
        if behind == close {
            // A call that has something between its brackets is one of something.
            self.write_keyword("null", first);
        }
        true
    }

    /// ` AS name` behind a value in such a call, and the type that it is written as.
    pub(super) fn name_in_xml(&mut self) -> bool {
        if !self.follows_operand(self.at) {
            return false;
        }
        let close = self
            .open
            .last()
            .and_then(|open| self.partners.of_bracket(*open));
        if self.in_call_of(&["xmlserialize"])
            && let Some(close) = close
        {
            self.at = close;
            return true;
        }
        let is_name =
            self.name(self.at + 1).is_some() && matches!(self.mark(self.at + 2), Some("," | ")"));
        if !is_name || !self.in_call_of(&["xmlattributes", "xmlforest"]) {
            return false;
        }
        self.at += 2;
        true
    }

    /// Whether the innermost bracket that is open is that of a call of one of these.
    fn in_call_of(&self, names: &[&str]) -> bool {
        let name = self.open.last().and_then(|open| self.word_before(*open));
        name.is_some_and(|name| names.contains(&name))
    }

    /// `ROWS FROM (f(a), g(b))` to a call with these as its arguments.
    pub(super) fn rows_from(&mut self) -> bool {
        if self.word(self.at + 1) != Some("from") || self.mark(self.at + 2) != Some("(") {
            return false;
        }
        let span = self.tokens[self.at].span.start..self.tokens[self.at + 1].span.end;
        self.write_name(ROWS_FROM, span);
        self.at += 2;
        true
    }

    /// `a.*` before an operator to `(a.*)`: the row as a value.
    pub(super) fn star_as_value(&mut self) -> bool {
        const BEFORE: [&str; 8] = [
            "between", "ilike", "in", "is", "isnull", "like", "not", "notnull",
        ];
        let is_value = self.mark(self.at + 1) == Some("*")
            && match self.word(self.at + 2) {
                Some(word) => BEFORE.contains(&word),
                None => matches!(
                    self.mark(self.at + 2),
                    Some("::" | "=" | "<>" | "!=" | "<" | ">" | "<=" | ">=")
                ),
            };
        if !is_value {
            return false;
        }
        let mut first = self.at.saturating_sub(1);
        while self.mark_before(first) == Some(".") && first > 1 {
            first -= 2;
        }
        if self.name(first).is_none() {
            return false;
        }
        let tokens = self.at - first;
        let start = self.tokens[first].span.start;
        self.write(ParserToken::LParen, start..start);
        let place = self.written.len() - 1 - tokens;
        if let Some(last) = self.written.get_mut(place..) {
            last.rotate_right(1);
        }
        self.copy();
        self.copy();
        let end = self.tokens[self.at - 1].span.end;
        self.write(ParserToken::RParen, end..end);
        true
    }
}
