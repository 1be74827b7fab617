//! Counts statements by their shape and by what they need.

use std::collections::HashMap;

use crate::audit::without_values;
use crate::sql::{Refusal, remedy, shape};

use super::report::{Example, Fix, Report};

/// How many shapes are told apart; what comes after them is counted together.
const MOST: usize = 100_000;

/// Stands for the shape of what can't be cut into tokens.
const UNREADABLE: &str = "(a text that can't be read)";
/// Stands for the shapes that came after all that are told apart.
const OTHERS: &str = "(others)";
/// Stands for a remedy that would quote the statement.
const UNSAID: &str = "see what `pgveil explain` says of it";

/// What a statement needs: a rule of the analysis and its remedy.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Need {
    code: String,
    remedy: String,
}

/// The statements so far.
#[derive(Debug, Default)]
pub(super) struct Tally {
    /// The calls of each shape, by what it needs. A shape may need different things, for the
    /// literals of its statements may differ.
    calls: HashMap<(String, Option<Need>), u64>,
    unreadable: u64,
}

impl Tally {
    /// Counts a text that was sent so often.
    pub(super) fn add(&mut self, text: &str, calls: u64, refusal: Option<Refusal>) {
        // What pg_stat_statements says instead of the text of another role.
        if text == "<insufficient privilege>" {
            self.unreadable = self.unreadable.saturating_add(calls);
            return;
        }
        let need = refusal.map(|refusal| Need::new(&refusal, text));
        let shape = shape(text).unwrap_or_else(|| UNREADABLE.to_owned());
        self.count(shape, calls, need);
    }

    /// Counts a statement that was judged elsewhere: the code of its refusal and the remedy, if one can
    /// be told.
    pub(super) fn add_judged(
        &mut self,
        shape: String,
        calls: u64,
        refused: Option<(String, Option<String>)>,
    ) {
        let need = refused.map(|(code, remedy)| Need {
            code,
            remedy: remedy.unwrap_or_else(|| UNSAID.to_owned()),
        });
        self.count(shape, calls, need);
    }

    fn count(&mut self, shape: String, calls: u64, need: Option<Need>) {
        let key = (shape, need);
        let key = match self.calls.len() < MOST || self.calls.contains_key(&key) {
            true => key,
            false => (OTHERS.to_owned(), key.1),
        };
        let sum = self.calls.entry(key).or_default();
        *sum = sum.saturating_add(calls);
    }

    /// What there is to say of all of them.
    pub(super) fn report(self) -> Report {
        let mut report = Report {
            hidden_calls: self.unreadable,
            ..Report::default()
        };
        let mut fixes: HashMap<Need, Fix> = HashMap::new();
        for ((shape, need), calls) in self.calls {
            report.statements += 1;
            report.calls = report.calls.saturating_add(calls);
            let Some(need) = need else {
                report.ready_statements += 1;
                report.ready_calls = report.ready_calls.saturating_add(calls);
                continue;
            };
            let fix = fixes.entry(need.clone()).or_insert_with(|| Fix {
                code: need.code.clone(),
                remedy: need.remedy,
                calls: 0,
                examples: Vec::new(),
            });
            fix.calls = fix.calls.saturating_add(calls);
            fix.examples.push(Example { shape, calls });
        }
        report.fixes = fixes.into_values().collect();
        for fix in &mut report.fixes {
            let order = |a: &Example, b: &Example| {
                b.calls.cmp(&a.calls).then_with(|| a.shape.cmp(&b.shape))
            };
            fix.examples.sort_by(order);
        }
        report.fixes.sort_by(|a, b| {
            let by_name = || (&a.code, &a.remedy).cmp(&(&b.code, &b.remedy));
            b.calls.cmp(&a.calls).then_with(by_name)
        });
        report
    }
}

impl Need {
    /// What a refusal of this text asks for.
    fn new(refusal: &Refusal, text: &str) -> Self {
        Self {
            code: refusal.code.as_str().to_owned(),
            remedy: remedy(refusal, text).map_or_else(|| UNSAID.to_owned(), without_values),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sql::refusal::Code;

    #[test]
    fn no_remedy_quotes_a_statement() {
        let text = "select id from users 'it''s secret'";
        let message = "syntax error at or near \"'it''s secret'\"";
        for code in [
            Code::Unparsed,
            Code::MalformedId,
            Code::Expression,
            Code::UuidType,
        ] {
            let refusal = Refusal::new(code, "42601", message);
            assert_eq!(Need::new(&refusal, text).remedy, UNSAID, "{code:?}");
        }
        let refusal = Refusal::new(Code::Unparsed, "42601", message).hint("Write it otherwise.");
        assert_eq!(Need::new(&refusal, text).remedy, "Write it otherwise.");
        let refusal = Refusal::new(Code::Expression, "0A000", message).hint("Not 'it''s secret'.");
        assert_eq!(Need::new(&refusal, text).remedy, UNSAID);
        let refusal = Refusal::no_operator("+", Some("uuid"), "integer");
        let said = "operator does not exist: uuid + integer";
        assert_eq!(Need::new(&refusal, text).remedy, said);
    }
}
