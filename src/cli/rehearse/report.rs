//! Prints how much is ready, and what would make more so, the most frequent first.

use std::io::{self, Write};

use serde_json::{Value, json};

/// What was found.
#[derive(Debug, Default)]
pub(super) struct Report {
    pub(super) statements: usize,
    pub(super) calls: u64,
    pub(super) ready_statements: usize,
    pub(super) ready_calls: u64,
    /// Calls of statements whose text the role may not see.
    pub(super) hidden_calls: u64,
    /// Calls of statements that a proxy has seen and not judged.
    pub(super) unjudged_calls: u64,
    /// The domains of which a proxy has seen no id; `None` where none was asked.
    pub(super) unseen_domains: Option<Vec<String>>,
    pub(super) fixes: Vec<Fix>,
}

/// What some statements need.
#[derive(Debug)]
pub(super) struct Fix {
    pub(super) code: String,
    pub(super) remedy: String,
    pub(super) calls: u64,
    pub(super) examples: Vec<Example>,
}

/// A statement without its literals.
#[derive(Debug)]
pub(super) struct Example {
    pub(super) shape: String,
    pub(super) calls: u64,
}

/// How many examples of each fix people are shown; JSON has them all.
const SHOWN: usize = 5;
/// How much of a statement, in characters.
const WIDEST: usize = 110;

impl Report {
    /// The share of all calls that is ready, in percent. Of no calls all are.
    pub(super) fn percent(&self) -> f64 {
        share(self.ready_calls, self.calls)
    }

    /// The share that is known to be ready: of statements that the role may not see nobody knows.
    pub(super) fn proven(&self) -> f64 {
        let unknown = self.hidden_calls.saturating_add(self.unjudged_calls);
        share(self.ready_calls, self.calls.saturating_add(unknown))
    }

    pub(super) fn text(&self, of: &str, out: &mut dyn Write) -> io::Result<()> {
        let Self {
            statements, calls, ..
        } = self;
        writeln!(
            out,
            "{}: {}, {}",
            escaped(of),
            many(*statements as u64, "statement"),
            many(*calls, "call")
        )?;
        if *calls == 0 {
            writeln!(out, "note: nothing that was sent to this database is in it")?;
        } else {
            let ready = shown(self.percent());
            let number = self.ready_statements;
            let of = many(*statements as u64, "statement");
            writeln!(out, "  ready  {ready:>7} % of calls  {number} of {of}")?;
        }
        for (index, fix) in self.fixes.iter().enumerate() {
            let gain = shown(share(fix.calls, self.calls));
            let number = many(fix.examples.len() as u64, "statement");
            writeln!(
                out,
                "  fix {:<2} {:>+7} %  {number}  docs/refusals.md#{}\n    {}",
                index + 1,
                format!("+{gain}"),
                fix.code,
                escaped(&fix.remedy.replace('\n', " "))
            )?;
            for example in fix.examples.iter().take(SHOWN) {
                writeln!(out, "      {:>6}  {}", example.calls, cut(&example.shape))?;
            }
            let more = fix.examples.len().saturating_sub(SHOWN);
            if more > 0 {
                writeln!(out, "              and {more} more")?;
            }
        }
        if self.hidden_calls > 0 {
            let hidden = many(self.hidden_calls, "call");
            writeln!(
                out,
                "note: {hidden} of statements that this role may not see, which --fail-under takes \
                 for not ready; ask as a member of pg_read_all_stats"
            )?;
        }
        if self.unjudged_calls > 0 {
            let unjudged = many(self.unjudged_calls, "statement");
            writeln!(
                out,
                "note: {unjudged} passed without being judged, which --fail-under takes for not ready"
            )?;
        }
        if let Some(unseen @ [_, ..]) = self.unseen_domains.as_deref() {
            let unseen = escaped(&unseen.join(", "));
            writeln!(
                out,
                "note: no statement has carried an id of {unseen}: is each column named as it is?"
            )?;
        }
        Ok(())
    }

    /// The shape is documented in docs/adopt.md.
    pub(super) fn json(&self, of: &str, out: &mut dyn Write) -> io::Result<()> {
        let example =
            |example: &Example| json!({ "statement": example.shape, "calls": example.calls });
        let fix = |fix: &Fix| {
            json!({
                "code": fix.code,
                "anchor": format!("docs/refusals.md#{}", fix.code),
                "remedy": fix.remedy,
                "calls": fix.calls,
                "percent": share(fix.calls, self.calls),
                "statements": fix.examples.iter().map(example).collect::<Vec<Value>>(),
            })
        };
        let report = json!({
            "source": of,
            "statements": self.statements,
            "calls": self.calls,
            "hidden_calls": self.hidden_calls,
            "unjudged_calls": self.unjudged_calls,
            "unseen_domains": self.unseen_domains,
            "ready": {
                "statements": self.ready_statements,
                "calls": self.ready_calls,
                "percent": self.percent(),
            },
            "fixes": self.fixes.iter().map(fix).collect::<Vec<Value>>(),
        });
        writeln!(out, "{report:#}")
    }
}

#[expect(
    clippy::cast_precision_loss,
    reason = "a share is shown with two digits"
)]
pub(super) fn share(part: u64, whole: u64) -> f64 {
    match whole {
        0 => 100.0,
        _ => part as f64 * 100.0 / whole as f64,
    }
}

/// A share with two digits, rounded down: what is not all is never shown as all.
pub(super) fn shown(percent: f64) -> String {
    format!("{:.2}", (percent * 100.0).floor() / 100.0)
}

fn many(number: u64, noun: &str) -> String {
    format!("{number} {}", noun_of(number, noun))
}

/// A noun behind a number.
pub(super) fn noun_of(number: u64, noun: &str) -> String {
    let plural = match (number, noun.ends_with('x')) {
        (1, _) => "",
        (_, true) => "es",
        (_, false) => "s",
    };
    format!("{noun}{plural}")
}

/// A text on one line, in which nothing moves the cursor or turns the direction of what follows:
/// such characters are shown as escapes.
pub(in crate::cli) fn escaped(text: &str) -> String {
    let controls =
        |c: char| c.is_control() || matches!(c, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let mut line = String::with_capacity(text.len());
    for c in text.chars() {
        if controls(c) {
            line.extend(c.escape_default());
        } else {
            line.push(c);
        }
    }
    line
}

/// The beginning of a shape.
fn cut(shape: &str) -> String {
    let line = escaped(shape);
    match line.char_indices().nth(WIDEST) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_is_printed_controls_a_terminal() {
        assert_eq!(escaped("é ? \"a\""), "é ? \"a\"");
        assert_eq!(
            escaped("\u{1b}[2J\n\t\u{9b}\u{202e}"),
            "\\u{1b}[2J\\n\\t\\u{9b}\\u{202e}"
        );
    }

    #[test]
    fn what_can_t_be_seen_is_not_ready() {
        let report = Report {
            calls: 9,
            ready_calls: 9,
            hidden_calls: 1,
            ..Report::default()
        };
        assert!(report.percent() > 99.9 && report.proven() < 90.1);
    }
}
