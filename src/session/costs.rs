//! What the messages of a session cost, and so on which thread they are taken.

use super::expected::Expected;
use super::price::Price;
use super::running::Running;
use super::stage::Stage;
use super::statements::{Change, Statement, Undo};
use super::turn::{HEAVY_ANSWER_BYTES, HEAVY_TEXT_BYTES, Weight, together};
use crate::wire::frame::{self, Header};
use crate::wire::frontend::Bind;

impl Running {
    /// To be called when a stage begins.
    pub(super) fn reach(&mut self, stage: Stage) {
        self.stage = stage;
        self.shared.reach(stage);
    }

    /// What the client's message at the front costs. One of COPY that is not there yet, or that
    /// has to wait, costs nothing worth mentioning.
    pub(super) fn weight_in(&self, header: Header, rest: &[u8]) -> Weight {
        if rest.len() < header.total || self.must_wait() {
            return Weight::LIGHT;
        }
        let mut weight = match header.kind {
            b'Q' | b'P' => Weight::of_text(header.total, self.codecs.slowest()),
            b'B' => {
                let mut weight = Weight::of_values(header.total, self.price_in(header, rest));
                weight.heavy |= self.has_refreshed && self.may_be_renewed(header, rest);
                weight
            }
            b'd' | b'H' | b'S' | b'X' => return Weight::LIGHT,
            _ => Weight::LIGHT,
        };
        // It ends a COPY, whose data come first.
        let data = Weight::of_copy(self.staged(), self.copying.price_in());
        weight.heavy |= data.heavy;
        weight.cost = weight.cost.max(data.cost);
        weight
    }

    /// What the server's message at the front costs.
    pub(super) fn weight_out(&self, header: Header, rest: &[u8]) -> Weight {
        if self.is_paused() {
            // The client decides how long some of what is told is, such as the setting of its path.
            let told = Weight::of_values(header.total, Price::default());
            let ends = header.kind == b'Z' && (self.asks_for_catalog() || self.looks_behind());
            let heavy = told.heavy || ends;
            return Weight { heavy, ..told };
        }
        match header.kind {
            // Those behind it are taken with it.
            b'D' | b'd' => {
                let price = self.price_out(header.kind);
                let run = rest.len().min(together(price)).max(header.total);
                Weight {
                    heavy: Weight::of_values(header.total, price).heavy,
                    ..Weight::of_values(run, price)
                }
            }
            // A notification may be a document.
            b'A' => Weight::of_values(header.total, self.codecs.slowest()),
            b'1' => Weight::of_answer(0, self.of_head(replaced_bytes), HEAVY_ANSWER_BYTES),
            b'T' => {
                let light = match self.queue.head() {
                    Some(Expected::Query(_)) => HEAVY_TEXT_BYTES,
                    _ => HEAVY_ANSWER_BYTES,
                };
                Weight::of_answer(header.total, self.of_head(described_bytes), light)
            }
            b'E' | b'N' | b't' | b'Z' => {
                Weight::of_answer(header.total, self.of_head(text_bytes), HEAVY_ANSWER_BYTES)
            }
            _ => Weight::of_answer(header.total, 0, 0),
        }
    }

    /// How many bytes of text what is being answered is about.
    fn of_head(&self, bytes: fn(&Expected) -> usize) -> usize {
        self.queue.head().map_or(0, bytes)
    }

    /// What the ids among the parameters of a Bind cost: none where the statement takes none.
    fn price_in(&self, header: Header, rest: &[u8]) -> Price {
        let slowest = self.codecs.slowest();
        if header.total <= together(slowest) {
            return slowest;
        }
        let name = frame::body(rest, header).and_then(Bind::statement).ok();
        let statement = name.and_then(|name| self.statements.get(name));
        let plan = statement.as_ref().and_then(|statement| statement.plan());
        match plan {
            Some(plan) if plan.parameters.is_plain() => Price::default(),
            _ => slowest,
        }
    }

    /// What the ids in the server's rows or in its data of COPY cost.
    pub(super) fn price_out(&self, kind: u8) -> Price {
        if kind == b'd' {
            return self.copying.price_out();
        }
        match self.queue.head() {
            Some(Expected::Execute(portal)) => {
                let shape = self.statements.state(&portal.explained).result();
                shape.map_or_else(Price::default, |shape| shape.price(&self.codecs))
            }
            Some(Expected::Query(query)) => {
                let result = query.result.as_ref();
                result.map_or_else(Price::default, |result| result.shape.price(&self.codecs))
            }
            _ => Price::default(),
        }
    }
}

/// The text whose result is described: in a script, that of its statement.
fn described_bytes(expected: &Expected) -> usize {
    match expected {
        Expected::Query(query) => query.judged_bytes(),
        expected => text_bytes(expected),
    }
}

/// The text of what is answered.
fn text_bytes(expected: &Expected) -> usize {
    match expected {
        Expected::Parse { statement, .. } => statement.analysis.text.len(),
        Expected::Bind { portal, .. }
        | Expected::DescribePortal(portal)
        | Expected::OwnDescribe(portal)
        | Expected::Execute(portal) => portal.statement.analysis.text.len(),
        Expected::DescribeStatement(described) => described.statement.analysis.text.len(),
        Expected::Query(query) => {
            let glanced = query
                .glanced
                .as_ref()
                .map_or(0, |glanced| glanced.text.len());
            query.analysis.text.len().max(glanced)
        }
        _ => 0,
    }
}

/// The text of a statement that goes away when this one is there.
fn replaced_bytes(expected: &Expected) -> usize {
    let of = |change: &Change<Statement>| match &change.undo {
        Undo::Restore(Some(before)) => before.analysis.text.len(),
        _ => 0,
    };
    match expected {
        Expected::Parse { change, .. } => of(change),
        _ => 0,
    }
}
