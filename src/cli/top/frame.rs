//! One look as lines and tables of text, for the screen and for `--once`. What has come from the
//! endpoint is shown in characters that can be seen: none of it moves the cursor.

use std::fmt::Write as _;

use super::numbers::{Domain, Numbers, Session};

/// What is shown.
#[derive(Debug)]
pub(super) struct Frame {
    pub(super) is_ready: bool,
    /// The state in a line, and then names with what they stand for.
    pub(super) title: String,
    pub(super) head: Vec<(&'static str, String)>,
    pub(super) panels: Vec<Panel>,
    /// Statements per second, if there was a look before.
    pub(super) rate: Option<f64>,
}

/// A table.
#[derive(Debug)]
pub(super) struct Panel {
    pub(super) name: &'static str,
    pub(super) columns: Vec<Column>,
    pub(super) rows: Vec<Vec<String>>,
    /// What stands in the place of rows, or beneath them.
    pub(super) note: String,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Column {
    pub(super) label: &'static str,
    pub(super) is_number: bool,
}

/// A table of these columns; labels of numbers end with `#`.
fn panel(
    name: &'static str,
    labels: &[&'static str],
    rows: Vec<Vec<String>>,
    note: String,
) -> Panel {
    let columns = labels.iter().map(|label| Column {
        label: label.trim_end_matches('#'),
        is_number: label.ends_with('#'),
    });
    Panel {
        name,
        columns: columns.collect(),
        rows,
        note,
    }
}

/// Two looks, and what has grown between them.
struct Between<'n> {
    now: &'n Numbers,
    /// `None` also if the process began anew in between, and counts from 0.
    before: Option<&'n Numbers>,
}

impl Between<'_> {
    /// How fast a number grows; `None` as long as nobody knows.
    fn rate(&self, read: impl Fn(&Numbers) -> u64) -> Option<f64> {
        let before = self.before?;
        let seconds = self.now.at.duration_since(before.at).as_secs_f64();
        let grown = read(self.now).saturating_sub(read(before));
        // Counters of a process are far from where a float begins to round.
        (seconds > 0.0).then(|| grown as f64 / seconds)
    }

    fn shown(&self, read: impl Fn(&Numbers) -> u64) -> String {
        rate_text(self.rate(read))
    }
}

impl Frame {
    /// What a look shows, with rates since the one before.
    pub(super) fn of(at: &str, now: &Numbers, before: Option<&Numbers>) -> Self {
        let before = before.filter(|before| before.status.uptime_s <= now.status.uptime_s);
        let between = Between { now, before };
        let status = &now.status;
        let is_ready = if now.is_ready { "ready" } else { "not ready" };
        let title = format!(
            "pgveil {} at {at}: {}, {is_ready}, up {}",
            visible(&status.version),
            visible(&status.state),
            span(status.uptime_s)
        );
        Self {
            is_ready: now.is_ready,
            title,
            head: head(&between),
            panels: vec![
                sessions(now),
                refused(now),
                codes(now),
                domains(&between),
                keys(now),
                hosts(now),
                catalogs(now),
                observed(now),
            ],
            rate: between.rate(|numbers| numbers.status.statements.all()),
        }
    }

    /// The whole of it as text, for a pipe.
    pub(super) fn plain(&self) -> String {
        let mut text = format!("{}\n", self.title);
        for (name, line) in &self.head {
            // A string takes all that is written.
            let _ = writeln!(text, "{name:<12}{line}");
        }
        for panel in &self.panels {
            let _ = write!(text, "\n{}\n", panel.name);
            panel.write(&mut text);
        }
        text
    }
}

impl Panel {
    /// How wide each column has to be.
    pub(super) fn widths(&self) -> Vec<usize> {
        let columns = self.columns.iter().enumerate();
        let width = |(place, column): (usize, &Column)| {
            let cells = self.rows.iter().filter_map(|row| row.get(place));
            let widest = cells.map(|cell| cell.chars().count()).max();
            widest.unwrap_or_default().max(column.label.len())
        };
        columns.map(width).collect()
    }

    fn write(&self, text: &mut String) {
        let widths = self.widths();
        let labels: Vec<&str> = self.columns.iter().map(|column| column.label).collect();
        let rows = self.rows.iter();
        let rows = rows.map(|row| row.iter().map(String::as_str).collect());
        let labels = (!self.rows.is_empty()).then_some(labels);
        for row in labels.into_iter().chain(rows) {
            let mut line = String::from(" ");
            for ((cell, width), column) in row.iter().zip(&widths).zip(&self.columns) {
                let _ = match column.is_number {
                    true => write!(line, " {cell:>width$}"),
                    false => write!(line, " {cell:<width$}"),
                };
            }
            text.push_str(line.trim_end());
            text.push('\n');
        }
        let note = match self.rows.is_empty() && self.note.is_empty() {
            true => "none",
            false => self.note.as_str(),
        };
        if !note.is_empty() {
            let _ = writeln!(text, "  {note}");
        }
    }
}

fn head(between: &Between<'_>) -> Vec<(&'static str, String)> {
    let status = &between.now.status;
    let modes = status.sessions.iter().filter(|(_, number)| **number > 0);
    let modes: Vec<String> = modes
        .map(|(mode, number)| format!("{number} {}", visible(mode)))
        .collect();
    let shown = |read: fn(&Numbers) -> u64| between.shown(read);
    let sum = |read: fn(&Domain) -> u64| status.domains.iter().map(read).sum::<u64>();
    let ready: Vec<String> = between.now.ready.iter().map(|line| visible(line)).collect();
    let turned = &status.turned_away;
    let turned: Vec<String> = turned
        .iter()
        .map(|(reason, number)| format!("{number} {}", visible(reason)))
        .collect();
    let listed = |words: Vec<String>| match words.is_empty() {
        true => "none".to_owned(),
        false => words.join(", "),
    };
    vec![
        ("checks", listed(ready)),
        ("sessions", listed(modes)),
        ("turned away", listed(turned)),
        (
            "statements",
            format!(
                "{}/s: {} edited, {} forwarded, {} refused, {} would be refused; {} so far",
                shown(|n| n.status.statements.all()),
                shown(|n| n.status.statements.edited),
                shown(|n| n.status.statements.forwarded),
                shown(|n| n.status.statements.refused),
                shown(|n| n.status.statements.would_refuse),
                status.statements.all(),
            ),
        ),
        (
            "ids",
            format!(
                "{}/s out, {}/s in; {} out, {} in, {} unknown so far",
                shown(|n| n.status.domains.iter().map(|domain| domain.encoded).sum()),
                shown(|n| n.status.domains.iter().map(Domain::all_decoded).sum()),
                sum(|domain| domain.encoded),
                sum(Domain::all_decoded),
                sum(|domain| domain.unknown),
            ),
        ),
        (
            "held back",
            format!(
                "{} of {}",
                bytes(status.memory.held_bytes),
                bytes(status.memory.limit_bytes)
            ),
        ),
    ]
}

/// Those who do something first.
fn sessions(now: &Numbers) -> Panel {
    let order = |session: &Session| match session.state.as_str() {
        "active" => 0,
        "idle in transaction (aborted)" => 1,
        "idle in transaction" => 2,
        "idle" => 4,
        _ => 3,
    };
    let mut all: Vec<&Session> = now.sessions.sessions.iter().collect();
    all.sort_by_key(|session| (order(session), std::cmp::Reverse(session.age_s)));
    let rows = all.into_iter().map(|session| {
        vec![
            session.session.to_string(),
            visible(&session.state),
            visible(&session.role),
            visible(&session.database),
            visible(&session.application),
            visible(&session.mode),
            visible(&session.peer),
            span(session.age_s),
            session.statements.to_string(),
        ]
    });
    let labels = [
        "session#",
        "state",
        "role",
        "database",
        "application",
        "mode",
        "peer",
        "since#",
        "statements#",
    ];
    let rows = rows.collect();
    panel(
        "sessions",
        &labels,
        rows,
        beyond(now.sessions.beyond, "sessions"),
    )
}

fn refused(now: &Numbers) -> Panel {
    let mut all: Vec<_> = now.statements.refused.iter().collect();
    all.sort_by_key(|row| std::cmp::Reverse(row.calls));
    let rows = all.into_iter().map(|row| {
        vec![
            row.calls.to_string(),
            visible(&row.verdict.replace('_', " ")),
            visible(&row.code),
            visible(&row.shape),
        ]
    });
    let rows = rows.collect();
    let note = beyond(
        now.statements.refused_beyond,
        "refusals of shapes that are not kept",
    );
    panel(
        "refused",
        &["calls#", "verdict", "code", "shape"],
        rows,
        note,
    )
}

fn codes(now: &Numbers) -> Panel {
    let mut all: Vec<_> = now.status.refusals.iter().collect();
    all.sort_by_key(|(_, sums)| std::cmp::Reverse(sums.refused + sums.would_refuse));
    let rows = all.into_iter().map(|(code, sums)| {
        vec![
            visible(code),
            sums.refused.to_string(),
            sums.would_refuse.to_string(),
        ]
    });
    let rows = rows.collect();
    panel(
        "codes",
        &["code", "refused#", "would be#"],
        rows,
        String::new(),
    )
}

fn domains(between: &Between<'_>) -> Panel {
    let rows = between.now.status.domains.iter().map(|domain| {
        let of = |numbers: &Numbers, read: fn(&Domain) -> u64| {
            let mut domains = numbers.status.domains.iter();
            domains
                .find(|other| other.name == domain.name)
                .map_or(0, read)
        };
        vec![
            visible(&domain.name),
            visible(
                domain
                    .column
                    .as_deref()
                    .unwrap_or("of an earlier configuration"),
            ),
            domain.encoded.to_string(),
            domain.all_decoded().to_string(),
            domain.unknown.to_string(),
            between.shown(|numbers| of(numbers, |domain| domain.encoded)),
            between.shown(|numbers| of(numbers, Domain::all_decoded)),
        ]
    });
    let labels = [
        "domain", "column", "out#", "in#", "unknown#", "out/s#", "in/s#",
    ];
    panel("domains", &labels, rows.collect(), String::new())
}

fn keys(now: &Numbers) -> Panel {
    let rows = now.keys.keys.iter().map(|key| {
        vec![
            visible(&key.name),
            visible(&key.state),
            key.decoded.to_string(),
        ]
    });
    panel(
        "keys",
        &["key", "state", "ids in#"],
        rows.collect(),
        String::new(),
    )
}

fn hosts(now: &Numbers) -> Panel {
    let rows = now.status.upstream.hosts.iter().map(|host| {
        let word = |is: bool, word: &str| if is { word.to_owned() } else { String::new() };
        vec![
            visible(&host.address),
            if host.up { "up" } else { "down" }.to_owned(),
            visible(host.role.as_deref().unwrap_or("unknown")),
            word(host.used, "comes here first"),
        ]
    });
    let labels = ["address", "state", "role", "next session"];
    panel("hosts", &labels, rows.collect(), String::new())
}

fn catalogs(now: &Numbers) -> Panel {
    let rows = now.status.catalogs.iter().map(|catalog| {
        vec![
            visible(&catalog.database),
            // An age is no less than 0, and no more than the time since the start.
            format!("{:.0} s", catalog.age_s),
            catalog.undecided_keys.to_string(),
        ]
    });
    let labels = ["database", "age of its snapshot#", "undecided keys#"];
    panel("catalogs", &labels, rows.collect(), String::new())
}

fn observed(now: &Numbers) -> Panel {
    let mut all: Vec<_> = now.statements.statements.iter().collect();
    all.sort_by_key(|row| (row.ready, std::cmp::Reverse(row.calls)));
    let rows = all.into_iter().map(|row| {
        vec![
            row.calls.to_string(),
            if row.ready { "served" } else { "refused" }.to_owned(),
            visible(row.code.as_deref().unwrap_or_default()),
            visible(&row.shape),
        ]
    });
    let labels = ["calls#", "would be", "code", "shape"];
    let note = beyond(
        now.statements.beyond,
        "statements of shapes that are not kept",
    );
    panel("observed", &labels, rows.collect(), note)
}

fn beyond(number: u64, what: &str) -> String {
    match number {
        0 => String::new(),
        number => format!("and {number} {what}"),
    }
}

/// A text in one line, in which every character can be seen.
pub(super) fn visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        let is_plain = matches!(c, '\'' | '"' | '\\') || c.escape_debug().len() == 1;
        match c {
            '\n' | '\r' | '\t' => shown.push(' '),
            _ if is_plain => shown.push(c),
            _ => shown.extend(c.escape_debug()),
        }
    }
    shown
}

fn rate_text(rate: Option<f64>) -> String {
    match rate {
        None => "-".to_owned(),
        Some(rate) if rate < 10.0 => format!("{rate:.1}"),
        Some(rate) => format!("{rate:.0}"),
    }
}

fn span(seconds: u64) -> String {
    let (minutes, hours, days) = (seconds / 60, seconds / 3600, seconds / 86_400);
    match seconds {
        ..60 => format!("{seconds} s"),
        60..3600 => format!("{minutes} min {} s", seconds % 60),
        3600..86_400 => format!("{hours} h {} min", minutes % 60),
        86_400.. => format!("{days} d {} h", hours % 24),
    }
}

fn bytes(number: u64) -> String {
    let units = ["B", "KiB", "MiB", "GiB", "TiB"];
    let (mut value, mut unit) = (number, 0);
    while value >= 10_240 && unit + 1 < units.len() {
        value /= 1024;
        unit += 1;
    }
    format!("{value} {}", units[unit])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_moves_the_cursor_or_hides() {
        for (text, shown) in [
            (
                "SELECT \"a\" FROM b WHERE c = '\\'",
                "SELECT \"a\" FROM b WHERE c = '\\'",
            ),
            ("a\n  b", "a   b"),
            ("\u{1b}[2J", "\\u{1b}[2J"),
            ("\u{9b}2J", "\\u{9b}2J"),
            ("a\u{202e}b", "a\\u{202e}b"),
            ("größe", "größe"),
        ] {
            assert_eq!(visible(text), shown);
        }
    }

    #[test]
    fn times_and_sizes_have_two_units_at_most() {
        assert_eq!(span(59), "59 s");
        assert_eq!(span(61), "1 min 1 s");
        assert_eq!(span(7_260), "2 h 1 min");
        assert_eq!(span(90_000), "1 d 1 h");
        assert_eq!(bytes(10_239), "10239 B");
        assert_eq!(bytes(4 << 30), "4096 MiB");
        assert_eq!(rate_text(Some(0.25)), "0.2");
        assert_eq!(rate_text(Some(1234.5)), "1234");
    }
}
