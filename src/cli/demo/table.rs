//! Results as text, and two of them side by side.

use tokio_postgres::SimpleQueryRow;

/// The lines of a table: a heading, a rule, the rows.
pub(super) fn table(rows: &[SimpleQueryRow]) -> Vec<String> {
    let Some(first) = rows.first() else {
        return vec!["(no rows)".to_owned()];
    };
    let names: Vec<String> = first
        .columns()
        .iter()
        .map(|column| column.name().to_owned())
        .collect();
    let value = |row: &SimpleQueryRow, index| row.get(index).unwrap_or("∅").to_owned();
    let cells = rows
        .iter()
        .map(|row| (0..names.len()).map(|index| value(row, index)).collect());
    let cells: Vec<Vec<String>> = std::iter::once(names.clone()).chain(cells).collect();
    let width = |index: usize| {
        let widths = cells
            .iter()
            .filter_map(|line| line.get(index))
            .map(|cell| width_of(cell));
        widths.max().unwrap_or_default()
    };
    let widths: Vec<usize> = (0..names.len()).map(width).collect();
    let line = |cells: &Vec<String>| {
        let cells = cells
            .iter()
            .zip(&widths)
            .map(|(cell, width)| pad(cell, *width));
        cells.collect::<Vec<_>>().join(" │ ")
    };
    let rule = widths
        .iter()
        .map(|width| "─".repeat(*width))
        .collect::<Vec<_>>()
        .join("─┼─");
    let mut lines: Vec<String> = cells.iter().map(line).collect();
    lines.insert(1, rule);
    lines
}

/// Two tables next to each other, each under its title.
pub(super) fn side_by_side(left: (&str, Vec<String>), right: (&str, Vec<String>)) -> String {
    let (title, lines) = left;
    let width = lines
        .iter()
        .map(|line| width_of(line))
        .max()
        .unwrap_or_default();
    let width = width.max(width_of(title));
    let height = lines.len().max(right.1.len());
    let mut lines = std::iter::once(title.to_owned()).chain(lines);
    let mut others = std::iter::once(right.0.to_owned()).chain(right.1);
    let mut text = String::new();
    for _ in 0..=height {
        let left = pad(&lines.next().unwrap_or_default(), width);
        let right = others.next().unwrap_or_default();
        let line = format!("    {left}      {right}");
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

/// The number of characters; each is one column wide in what the demo shows.
fn width_of(text: &str) -> usize {
    text.chars().count()
}

fn pad(text: &str, width: usize) -> String {
    format!("{text}{}", " ".repeat(width.saturating_sub(width_of(text))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pads_the_left_side_and_leaves_no_blanks_at_the_end() {
        let lines = |lines: &[&str]| lines.iter().map(|line| (*line).to_owned()).collect();
        let text = side_by_side(("in", lines(&["a", "bbb"])), ("outside", lines(&["c"])));
        assert_eq!(text, "    in       outside\n    a        c\n    bbb\n");
    }
}
