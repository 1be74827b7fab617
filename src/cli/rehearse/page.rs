//! The report as one page of HTML that asks for nothing else: no script, no font, no snapshot, no
//! address. It is read in a browser, on a phone too, by people who have no pgveil.
//!
//! What comes from the data is written by [`text`] alone, so it can't become a part of the page; and
//! the page forbids the browser whatever it does not need itself.

use std::fmt::{self, Write as _};
use std::io;

use data_encoding::BASE64;
use sha2::{Digest as _, Sha256};

use super::report::{Example, Fix, Report, escaped, noun_of, share, shown};
use crate::cli::explain_code;

const STYLE: &str = include_str!("page.css");

/// How long the page may become by its statements, in bytes: a phone shows it at once.
const LONGEST: usize = 120 << 10;
/// How many statements of a fix stand open; the rest is folded up.
const OPEN: usize = 5;
/// How much is shown of a statement, in characters.
const WIDEST: usize = 400;
/// How many fixes have an entry; what comes behind them brings least.
const MOST: usize = 100;

/// Writes the page.
pub(super) fn page(report: &Report, of: &str, out: &mut dyn io::Write) -> io::Result<()> {
    let mut page = Page {
        html: String::new(),
        limit: LONGEST,
    };
    // Nothing that is written into a string fails.
    let _ = page.whole(report, of);
    out.write_all(page.html.as_bytes())
}

/// A page that is being written.
struct Page {
    html: String,
    /// How long it may be when another statement is added.
    limit: usize,
}

impl Page {
    fn whole(&mut self, report: &Report, of: &str) -> fmt::Result {
        let of = text(of);
        let hash = BASE64.encode(&Sha256::digest(STYLE));
        let version = env!("CARGO_PKG_VERSION");
        write!(
            self.html,
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; \
             style-src 'sha256-{hash}'; img-src data:; base-uri 'none'; form-action 'none'\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta name=\"color-scheme\" content=\"light dark\">\n\
             <meta name=\"referrer\" content=\"no-referrer\">\n\
             <link rel=\"icon\" href=\"data:,\">\n<title>Rehearsal: {of}</title>\n\
             <style>{STYLE}</style>\n</head>\n<body>\n<main>\n\
             <header>\n<p class=\"kind\">pgveil rehearse</p>\n<h1>{of}</h1>\n"
        )?;
        self.head(report)?;
        self.html.write_str("</header>\n")?;
        self.fixes(report)?;
        self.notes(report)?;
        self.codes(report)?;
        write!(
            self.html,
            "<footer><p>In a statement <code>?</code> stands for a literal, and <code>\"…\"</code> \
             for a name that may be a value. No value is on this page.</p>\n\
             <p>pgveil {version}</p></footer>\n</main>\n</body>\n</html>\n"
        )
    }

    /// How much is ready, by calls and by statements.
    fn head(&mut self, report: &Report) -> fmt::Result {
        if report.calls == 0 {
            return self
                .html
                .write_str("<p>Nothing that was sent to this database is in it.</p>\n");
        }
        self.html.write_str("<div class=\"measures\">\n")?;
        self.measure("calls", report.ready_calls, report.calls)?;
        let (ready, all) = (report.ready_statements as u64, report.statements as u64);
        self.measure("statements", ready, all)?;
        self.html.write_str("</div>\n")?;
        let fixes = report.fixes.len() as u64;
        match fixes {
            0 => self
                .html
                .write_str("<p class=\"sum\">Everything is ready.</p>\n"),
            _ => writeln!(
                self.html,
                "<p class=\"sum\">{} would make the rest ready. Those that bring most come first.</p>",
                many(fixes, "fix")
            ),
        }
    }

    fn measure(&mut self, of: &str, part: u64, whole: u64) -> fmt::Result {
        let percent = shown(share(part, whole));
        writeln!(
            self.html,
            "<div class=\"measure\"><p><strong>{percent} %</strong> of {of} ready</p>\n{}\
             <p class=\"small\">{} of {}</p></div>",
            Bar {
                before: 0.0,
                part: share(part, whole)
            },
            number(part),
            number(whole)
        )
    }

    /// What the others need, with what each brings and how far one is then.
    fn fixes(&mut self, report: &Report) -> fmt::Result {
        if report.fixes.is_empty() {
            return Ok(());
        }
        self.html.write_str("<ol class=\"fixes\">\n")?;
        let mut ready = report.ready_calls;
        for fix in report.fixes.iter().take(MOST) {
            self.fix(fix, ready, report)?;
            ready = ready.saturating_add(fix.calls);
        }
        self.html.write_str("</ol>\n")?;
        let rest = report.fixes.get(MOST..).unwrap_or_default();
        if !rest.is_empty() {
            let calls = rest
                .iter()
                .fold(0_u64, |sum, fix| sum.saturating_add(fix.calls));
            writeln!(
                self.html,
                "<p>And {} for {} %, which <code>--format json</code> has.</p>",
                many(rest.len() as u64, "more fix"),
                shown(share(calls, report.calls))
            )?;
        }
        Ok(())
    }

    fn fix(&mut self, fix: &Fix, before: u64, report: &Report) -> fmt::Result {
        let calls = report.calls;
        let gain = shown(share(fix.calls, calls));
        let statements = fix.examples.len() as u64;
        let of_statements = shown(share(statements, report.statements as u64));
        let then = shown(share(before.saturating_add(fix.calls), calls));
        let bar = Bar {
            before: share(before, calls),
            part: share(fix.calls, calls),
        };
        writeln!(
            self.html,
            "<li>\n<h2>{}</h2>\n<p class=\"gain\"><strong>+{gain} %</strong> of calls, \
             <strong>+{of_statements} %</strong> of statements: then {then} % of calls are ready</p>\n{bar}<p class=\"small\">{}, {}, code <code>{}</code></p>",
            text(&fix.remedy),
            many(statements, "statement"),
            many(fix.calls, "call"),
            text(&fix.code)
        )?;
        let (open, folded) = fix.examples.split_at(fix.examples.len().min(OPEN));
        self.statements(open)?;
        if !folded.is_empty() {
            let more = many(folded.len() as u64, "more statement");
            writeln!(self.html, "<details><summary>{more}</summary>")?;
            self.statements(folded)?;
            self.html.write_str("</details>\n")?;
        }
        self.html.write_str("</li>\n")
    }

    /// As many as there is room for.
    fn statements(&mut self, examples: &[Example]) -> fmt::Result {
        self.html.write_str("<ul class=\"statements\">\n")?;
        let mut rest = examples.iter();
        while self.html.len() < self.limit
            && let Some(example) = rest.next()
        {
            let mut shape: String = example.shape.chars().take(WIDEST).collect();
            if shape.len() < example.shape.len() {
                shape.push('…');
            }
            writeln!(
                self.html,
                "<li><span class=\"calls\">{}</span> <code>{}</code></li>",
                number(example.calls),
                text(&shape)
            )?;
        }
        let left = rest.len() as u64;
        if left > 0 {
            writeln!(
                self.html,
                "<li>and {} that <code>--format json</code> has</li>",
                many(left, "other")
            )?;
        }
        self.html.write_str("</ul>\n")
    }

    fn notes(&mut self, report: &Report) -> fmt::Result {
        if report.hidden_calls > 0 {
            writeln!(
                self.html,
                "<p class=\"note\">Not in these numbers: {} of statements that the role may not see. \
                 Ask as a member of <code>pg_read_all_stats</code>.</p>",
                many(report.hidden_calls, "call")
            )?;
        }
        if report.unjudged_calls > 0 {
            writeln!(
                self.html,
                "<p class=\"note\">Not in these numbers: {} that passed without being judged.</p>",
                many(report.unjudged_calls, "statement")
            )?;
        }
        if let Some(unseen @ [_, ..]) = report.unseen_domains.as_deref() {
            writeln!(
                self.html,
                "<p class=\"note\">No statement has carried an id of {}: is each column named as it \
                 is?</p>",
                text(&unseen.join(", "))
            )?;
        }
        Ok(())
    }

    /// What the codes mean that have come up, in the order of the fixes.
    fn codes(&mut self, report: &Report) -> fmt::Result {
        let mut known: Vec<(&str, &str)> = Vec::new();
        for Fix { code, .. } in &report.fixes {
            if let Some(entry) = explain_code::entry(code)
                && !known.iter().any(|(other, _)| other == code)
            {
                known.push((code, entry));
            }
        }
        if known.is_empty() {
            return Ok(());
        }
        self.html
            .write_str("<section>\n<h2>What the codes mean</h2>\n<dl>\n")?;
        for (code, entry) in known {
            let first = entry.trim().lines().next().unwrap_or_default();
            writeln!(
                self.html,
                "<dt><code>{}</code></dt>\n<dd>{}</dd>",
                text(code),
                spans(first)
            )?;
        }
        self.html.write_str(
            "</dl>\n<p class=\"small\"><code>pgveil explain-code</code> has more of each.</p>\n\
             </section>\n",
        )
    }
}

/// A bar: what is there, and what is added to it, of a hundred.
struct Bar {
    before: f64,
    part: f64,
}

impl fmt::Display for Bar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { before, part } = *self;
        // Numbers stand beside it.
        writeln!(
            f,
            "<svg viewBox=\"0 0 100 1\" preserveAspectRatio=\"none\" aria-hidden=\"true\">\
             <rect class=\"before\" width=\"{before:.2}\" height=\"1\"/>\
             <rect class=\"part\" x=\"{before:.2}\" width=\"{part:.2}\" height=\"1\"/></svg>"
        )
    }
}

/// A text from the data, on one line, of which nothing is markup, neither between tags nor in an
/// attribute.
fn text(text: &str) -> String {
    let line = escaped(&text.replace('\n', " "));
    let mut html = String::with_capacity(line.len());
    for c in line.chars() {
        match c {
            '&' => html.push_str("&amp;"),
            '<' => html.push_str("&lt;"),
            '>' => html.push_str("&gt;"),
            '"' => html.push_str("&quot;"),
            '\'' => html.push_str("&#39;"),
            c => html.push(c),
        }
    }
    html
}

/// A paragraph of our own pages, whose code is between backticks.
fn spans(paragraph: &str) -> String {
    let mut html = String::new();
    for (index, part) in paragraph.split('`').enumerate() {
        match index.is_multiple_of(2) {
            true => html.push_str(&text(part)),
            false => {
                html.push_str("<code>");
                html.push_str(&text(part));
                html.push_str("</code>");
            }
        }
    }
    html
}

/// So many of something.
fn many(of: u64, noun: &str) -> String {
    format!("{} {}", number(of), noun_of(of, noun))
}

/// A number with narrow spaces between its thousands.
fn number(number: u64) -> String {
    let digits = number.to_string();
    let mut parted = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            parted.push('\u{202f}');
        }
        parted.push(digit);
    }
    parted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_is_markup() {
        assert_eq!(
            text("<b a='1' c=\"2\">&amp;\n\u{202e}\u{0}</b>"),
            "&lt;b a=&#39;1&#39; c=&quot;2&quot;&gt;&amp;amp; \\u{202e}\\u{0}&lt;/b&gt;"
        );
    }

    #[test]
    fn thousands_stand_apart() {
        for (given, parted) in [
            (0, "0"),
            (999, "999"),
            (1000, "1\u{202f}000"),
            (48_200_001, "48\u{202f}200\u{202f}001"),
        ] {
            assert_eq!(number(given), parted);
        }
    }

    /// Whatever there is to tell: a phone loads it over a slow network, and shows it at once.
    #[test]
    fn the_page_of_much_is_short() {
        let example = || Example {
            shape: "<'\"&".repeat(5000),
            calls: u64::MAX,
        };
        let fix = |_| Fix {
            code: "expression".to_owned(),
            remedy: "Write it otherwise.".to_owned(),
            calls: u64::MAX,
            examples: (0..200).map(|_| example()).collect(),
        };
        let report = Report {
            calls: u64::MAX,
            statements: 200_000,
            fixes: (0..1000).map(fix).collect(),
            ..Report::default()
        };
        let mut html = Vec::new();
        page(&report, "much", &mut html).unwrap();
        let html = String::from_utf8(html).unwrap();
        assert!(html.len() < 512 << 10, "{}", html.len());
        assert!(html.contains("And 900 more fixes"), "{html}");
    }
}
