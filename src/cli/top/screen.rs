//! The frames on a terminal, one after another, and the keys that lead through them. Another thread
//! asks the endpoint, so that a proxy that does not answer keeps no key from working.

use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use ratatui::DefaultTerminal;
use ratatui::crossterm::event::{self, Event, KeyCode, KeyEventKind, KeyModifiers};
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Cell, Paragraph, Row, Sparkline, Table, TableState, Tabs};

use super::Source;
use super::frame::{Frame, Panel, visible};
use super::numbers::Numbers;
use crate::cli::CliError;

/// How long a key may wait for what the other thread has.
const PATIENCE: Duration = Duration::from_millis(100);

/// Rates that are kept: as many as a wide terminal has columns.
const MOST_RATES: usize = 400;

const HINT: &str = "q leaves   Tab or 1 to 8 changes the table   arrows scroll   p pauses";

/// A look, or why there is none.
type Look = Result<Numbers, CliError>;

/// Shows frames until somebody leaves.
pub(super) fn show(source: Source) -> Result<(), CliError> {
    let at = source.at.to_string();
    let (sender, looks) = channel();
    let asking = std::thread::Builder::new().name("top".to_owned());
    asking.spawn(move || look(&source, &sender))?;
    let mut terminal = ratatui::try_init()?;
    let shown = Screen::new(at).run(&mut terminal, &looks);
    ratatui::try_restore()?;
    shown
}

/// Looks again and again, until nobody wants to know.
fn look(source: &Source, sender: &Sender<Look>) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    let runtime = match runtime {
        Ok(runtime) => runtime,
        Err(error) => {
            let _ = sender.send(Err(error.into()));
            return;
        }
    };
    while sender.send(runtime.block_on(Numbers::ask(source))).is_ok() {
        std::thread::sleep(source.interval);
    }
}

/// What is on the screen.
struct Screen {
    at: String,
    before: Option<Numbers>,
    frame: Option<Frame>,
    fault: Option<String>,
    rates: VecDeque<u64>,
    panel: usize,
    table: TableState,
    is_paused: bool,
}

impl Screen {
    fn new(at: String) -> Self {
        Self {
            at,
            before: None,
            frame: None,
            fault: None,
            rates: VecDeque::new(),
            panel: 0,
            table: TableState::default(),
            is_paused: false,
        }
    }

    fn run(
        mut self,
        terminal: &mut DefaultTerminal,
        looks: &Receiver<Look>,
    ) -> Result<(), CliError> {
        loop {
            for look in looks.try_iter() {
                self.take(look);
            }
            terminal.draw(|frame| self.draw(frame))?;
            if event::poll(PATIENCE)? && self.leaves(&event::read()?) {
                return Ok(());
            }
        }
    }

    fn take(&mut self, look: Look) {
        match look {
            Ok(numbers) => {
                self.fault = None;
                if self.is_paused {
                    return;
                }
                let frame = Frame::of(&self.at, &numbers, self.before.as_ref());
                if let Some(rate) = frame.rate {
                    // A part of a statement per second is none on a bar.
                    self.rates.push_back(rate as u64);
                    self.rates
                        .drain(..self.rates.len().saturating_sub(MOST_RATES));
                }
                (self.frame, self.before) = (Some(frame), Some(numbers));
            }
            Err(error) => {
                let said = error.to_string();
                self.fault = Some(visible(said.lines().next().unwrap_or_default()));
            }
        }
    }

    /// Does what a key stands for; true for one that leaves.
    fn leaves(&mut self, event: &Event) -> bool {
        let Event::Key(key) = event else { return false };
        if key.kind == KeyEventKind::Release {
            return false;
        }
        let panels = self.frame.as_ref().map_or(1, |frame| frame.panels.len());
        match key.code {
            KeyCode::Char('c') if key.modifiers.contains(KeyModifiers::CONTROL) => return true,
            KeyCode::Char('q') | KeyCode::Esc => return true,
            KeyCode::Char('p') => self.is_paused = !self.is_paused,
            KeyCode::Tab | KeyCode::Right => self.turn_to((self.panel + 1) % panels),
            KeyCode::BackTab | KeyCode::Left => self.turn_to((self.panel + panels - 1) % panels),
            KeyCode::Char(digit @ '1'..='9') => {
                let place = digit as usize - '1' as usize;
                if place < panels {
                    self.turn_to(place);
                }
            }
            KeyCode::Down => self.scroll(1),
            KeyCode::Up => self.scroll(-1),
            KeyCode::PageDown => self.scroll(10),
            KeyCode::PageUp => self.scroll(-10),
            _ => {}
        }
        false
    }

    fn turn_to(&mut self, panel: usize) {
        self.panel = panel;
        self.table = TableState::default();
    }

    fn scroll(&mut self, rows: isize) {
        let panel = self
            .frame
            .as_ref()
            .and_then(|frame| frame.panels.get(self.panel));
        let last = panel.map_or(0, |panel| panel.rows.len().saturating_sub(1));
        let offset = self.table.offset().saturating_add_signed(rows).min(last);
        *self.table.offset_mut() = offset;
    }

    fn draw(&mut self, screen: &mut ratatui::Frame<'_>) {
        let Some(frame) = &self.frame else {
            let said = self.fault.as_deref().unwrap_or("asking");
            let text = format!("{said}\n\nq leaves");
            screen.render_widget(Paragraph::new(text), screen.area());
            return;
        };
        let head = u16::try_from(frame.head.len() + 1).unwrap_or(u16::MAX);
        let areas = Layout::vertical([
            Constraint::Length(head),
            Constraint::Length(3),
            Constraint::Length(1),
            Constraint::Min(1),
            Constraint::Length(1),
        ]);
        let [head, rates, tabs, table, foot] = areas.areas(screen.area());
        screen.render_widget(Paragraph::new(head_lines(frame)), head);
        let columns = usize::from(rates.width);
        let seen = self
            .rates
            .iter()
            .skip(self.rates.len().saturating_sub(columns));
        let bars = Sparkline::default().data(seen.copied().collect::<Vec<u64>>());
        screen.render_widget(bars.style(Style::new().fg(Color::Blue)), rates);
        let names = frame.panels.iter().enumerate();
        let names = names.map(|(place, panel)| format!("{} {}", place + 1, panel.name));
        screen.render_widget(Tabs::new(names).select(self.panel), tabs);
        if let Some(panel) = frame.panels.get(self.panel) {
            draw_table(panel, screen, table, &mut self.table);
        }
        let foot_line = match (&self.fault, self.is_paused) {
            (Some(fault), _) => Line::styled(fault.as_str(), Style::new().fg(Color::Red)),
            (None, true) => Line::styled("paused   p goes on", Style::new().fg(Color::Yellow)),
            (None, false) => Line::styled(HINT, Style::new().add_modifier(Modifier::DIM)),
        };
        screen.render_widget(foot_line, foot);
    }
}

fn head_lines(frame: &Frame) -> Vec<Line<'_>> {
    let color = if frame.is_ready {
        Color::Green
    } else {
        Color::Red
    };
    let title = Style::new().fg(color).add_modifier(Modifier::BOLD);
    let mut lines = vec![Line::styled(frame.title.as_str(), title)];
    lines.extend(frame.head.iter().map(|(name, line)| {
        let name = Span::styled(
            format!("{name:<12}"),
            Style::new().add_modifier(Modifier::DIM),
        );
        Line::from(vec![name, Span::raw(line.as_str())])
    }));
    lines
}

fn draw_table(panel: &Panel, screen: &mut ratatui::Frame<'_>, area: Rect, state: &mut TableState) {
    if panel.rows.is_empty() {
        screen.render_widget(Paragraph::new("none"), area);
        return;
    }
    let widths = panel.widths();
    let widths = widths.iter().zip(&panel.columns).enumerate();
    let last = panel.columns.len().saturating_sub(1);
    let widths = widths.map(|(place, (width, column))| {
        // What is left goes to a text at the end.
        if place == last && !column.is_number {
            return Constraint::Fill(1);
        }
        Constraint::Max(u16::try_from(*width).unwrap_or(u16::MAX))
    });
    let cells = |texts: Vec<&str>| {
        let cells = texts.into_iter().zip(&panel.columns);
        let cells = cells.map(|(text, column)| {
            let line = Line::from(text.to_owned());
            Cell::from(match column.is_number {
                true => line.right_aligned(),
                false => line,
            })
        });
        Row::new(cells.collect::<Vec<_>>())
    };
    let labels = panel.columns.iter().map(|column| column.label).collect();
    let head = cells(labels).style(Style::new().add_modifier(Modifier::REVERSED));
    let rows = panel.rows.iter();
    let rows = rows.map(|row| cells(row.iter().map(String::as_str).collect()));
    let table = Table::new(rows.collect::<Vec<_>>(), widths.collect::<Vec<_>>()).header(head);
    screen.render_stateful_widget(table, area, state);
}
