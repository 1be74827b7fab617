//! Drawings of what a benchmark has measured, as SVG.
#![allow(dead_code, reason = "each benchmark uses a part of it")]

use std::path::Path;

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

/// The colours of what is compared, apart for those who see no difference of red and green too.
const COLOURS: [RGBColor; 3] = [
    RGBColor(0x9a, 0xa5, 0xb1),
    RGBColor(0x1f, 0x6f, 0xb4),
    RGBColor(0xd9, 0x7f, 0x1d),
];

/// The height of a bar, in pixels, and the room between two groups of them.
const BAR: usize = 16;
const GAP: usize = 14;

/// The width of a drawing, and of the names at its left.
const WIDTH: usize = 760;
const NAMES: usize = 150;

/// Values of several things, one for each of the series of a drawing.
pub(crate) struct Group {
    pub(crate) name: String,
    pub(crate) values: Vec<f64>,
}

/// Draws groups of horizontal bars into a file. Each bar has its value beside it, as `told` writes
/// it.
pub(crate) fn bars(
    file: &Path,
    title: &str,
    series: &[&str],
    groups: &[Group],
    told: impl Fn(f64) -> String,
) -> Result<(), Box<dyn std::error::Error>> {
    let pixels = |count: usize| i32::try_from(count).unwrap_or(i32::MAX);
    let top = 64;
    let height = top + groups.len() * (series.len() * BAR + GAP);
    let size = (u32::try_from(WIDTH)?, u32::try_from(height)?);
    let area = SVGBackend::new(file, size).into_drawing_area();
    area.fill(&WHITE)?;
    let font = |size: i32| ("sans-serif", size).into_font().color(&BLACK);
    area.draw(&Text::new(title, (12, 10), font(16)))?;
    let mut x = pixels(NAMES);
    for (name, colour) in series.iter().zip(COLOURS) {
        area.draw(&Rectangle::new([(x, 40), (x + 12, 52)], colour.filled()))?;
        area.draw(&Text::new(*name, (x + 18, 39), font(13)))?;
        x += 40 + 8 * pixels(name.len());
    }
    let values = groups.iter().flat_map(|group| &group.values);
    let most = values.fold(f64::MIN_POSITIVE, |most, value| value.max(most));
    let room = WIDTH - NAMES - 90;
    for (place, group) in groups.iter().enumerate() {
        let y = top + place * (series.len() * BAR + GAP);
        let middle = pixels(y + series.len() * BAR / 2);
        let name = font(13).pos(Pos::new(HPos::Right, VPos::Center));
        area.draw(&Text::new(
            group.name.as_str(),
            (pixels(NAMES - 10), middle),
            name,
        ))?;
        for (nth, (value, colour)) in group.values.iter().zip(COLOURS).enumerate() {
            let y = pixels(y + nth * BAR);
            #[expect(clippy::cast_possible_truncation, reason = "within the drawing")]
            let end = pixels(NAMES) + (value / most * f64::from(pixels(room))) as i32;
            let corners = [
                (pixels(NAMES), y),
                (end.max(pixels(NAMES) + 1), y + pixels(BAR) - 2),
            ];
            area.draw(&Rectangle::new(corners, colour.filled()))?;
            area.draw(&Text::new(told(*value), (end + 6, y + 1), font(12)))?;
        }
    }
    area.present()?;
    Ok(())
}

/// Draws the values of each series, from the least to the largest, as a line of dots, with one more
/// line at `limit`.
pub(crate) fn sorted(
    file: &Path,
    title: &str,
    series: &[(&str, Vec<f64>)],
    limit: f64,
) -> Result<(), Box<dyn std::error::Error>> {
    let area = SVGBackend::new(file, (u32::try_from(WIDTH)?, 360)).into_drawing_area();
    area.fill(&WHITE)?;
    let most = series.iter().map(|(_, values)| values.len()).max();
    let most = i32::try_from(most.unwrap_or_default())?;
    let mut chart = ChartBuilder::on(&area)
        .caption(title, ("sans-serif", 16))
        .margin(12)
        .x_label_area_size(30)
        .y_label_area_size(40)
        .build_cartesian_2d(0..most, 0.0..limit + 0.4)?;
    chart
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .x_desc("ways in which a statement can be long")
        .label_style(("sans-serif", 12))
        .draw()?;
    for ((name, values), colour) in series.iter().zip(COLOURS) {
        let mut values = values.clone();
        values.sort_by(f64::total_cmp);
        let points = values
            .into_iter()
            .zip(0..)
            .map(|(value, place)| (place, value));
        chart
            .draw_series(points.map(|point| Circle::new(point, 2, colour.filled())))?
            .label(*name)
            .legend(move |(x, y)| Circle::new((x + 10, y), 4, colour.filled()));
    }
    let line = LineSeries::new([(0, limit), (most, limit)], &RED);
    chart.draw_series(line)?;
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::LowerRight)
        .background_style(WHITE)
        .label_font(("sans-serif", 13))
        .draw()?;
    area.present()?;
    Ok(())
}
