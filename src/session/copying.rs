//! The COPY under way: whether the server's word on it is what the plan says, and what has been taken of
//! the client's data.

use std::sync::Arc;

use super::copy::{CopyIn, CopyOut, Copying};
use super::edited::Refused;
use super::expected::Expected;
use super::fatal::{Fatal, disagreement};
use super::result::has_ids;
use super::running::Running;
use super::stage::Stage;
use crate::sql::plan::{
    ColumnValue, Columns, CopyColumn, CopyDirection, CopyFormat, CopyPlan, Plan,
};
use crate::wire::{Reader, WireError};

/// Compares CopyInResponse or CopyOutResponse with the plan. Returns the plan if ids are in the
/// data.
fn agreed<'p>(
    plan: Option<&'p Plan>,
    direction: CopyDirection,
    body: &[u8],
) -> Result<Option<&'p CopyPlan>, Fatal> {
    let copy = match plan.map(|plan| &plan.columns) {
        None | Some(Columns::Clean) => return Ok(None),
        Some(Columns::Copy(copy)) if copy.direction == direction => copy,
        Some(Columns::Copy(_) | Columns::Known(_) | Columns::Explained(_)) => {
            return Err(Fatal::Result(disagreement()));
        }
    };
    // A client sends no rows: a table with such columns is not copied to.
    let is_unreadable = |column: &CopyColumn| {
        let value = &column.value;
        let is_composed = matches!(
            value,
            ColumnValue::Tagged { .. } | ColumnValue::Record { .. } | ColumnValue::JsonArray(_)
        );
        is_composed && direction == CopyDirection::FromClient
    };
    if copy.columns.iter().any(is_unreadable) {
        return Err(Fatal::Result(disagreement()));
    }
    let mut reader = Reader::new(body);
    let mut read = || -> Result<(u8, usize), WireError> { Ok((reader.u8()?, reader.count()?)) };
    let (format, count) = read().map_err(Fatal::Server)?;
    // The format of what has no ids is not known: nothing in it is looked at.
    let ids = has_ids(copy);
    let binary = copy.format == CopyFormat::Binary;
    if count != copy.columns.len() || ids && (format == 1) != binary {
        return Err(Fatal::Result(disagreement()));
    }
    Ok(ids.then_some(copy))
}

impl Running {
    /// The plan of what is being answered.
    fn current_plan(&self) -> Option<&Plan> {
        match self.queue.head() {
            Some(Expected::Execute(portal)) => portal.explained.plan(),
            Some(Expected::Query(query)) => query.plan(),
            _ => None,
        }
    }

    /// The plan of the COPY that is being answered.
    pub(super) fn copy_plan(&self) -> Option<&CopyPlan> {
        match &self.current_plan()?.columns {
            Columns::Copy(copy) => Some(copy),
            Columns::Clean | Columns::Known(_) | Columns::Explained(_) => None,
        }
    }

    /// The plan that the server agrees with.
    fn agreed(&self, direction: CopyDirection, body: &[u8]) -> Result<Option<&CopyPlan>, Fatal> {
        let is_unknown = self.current_plan().is_some_and(|plan| plan.unresolved);
        if is_unknown && self.catalog().snapshot.can_have_ids() {
            // No description would tell what is in the data of a relation that nobody has seen.
            return self.tolerate(disagreement()).map(|()| None);
        }
        match agreed(self.current_plan(), direction, body) {
            Err(Fatal::Result(refusal)) => self.tolerate(refusal).map(|()| None),
            agreed => agreed,
        }
    }

    /// Judges CopyInResponse, before the client's data are taken.
    pub(super) fn begin_copy_in(&mut self, body: &[u8]) -> Result<(), Fatal> {
        if let Some(plan) = self.agreed(CopyDirection::FromClient, body)? {
            let copy = CopyIn::new(&self.codecs, plan, self.is_utf8());
            self.copying = Copying::In(Box::new(copy));
        }
        Ok(())
    }

    /// Judges CopyOutResponse.
    pub(super) fn begin_copy_out(&mut self, body: &[u8]) -> Result<(), Fatal> {
        if let Some(plan) = self.agreed(CopyDirection::ToClient, body)? {
            let copy = CopyOut::new(&self.codecs, plan);
            self.copying = Copying::Out(Box::new(copy));
        }
        Ok(())
    }

    /// How much of the client's data has been taken and not been translated, in bytes and in the
    /// values that were found in it.
    pub(super) fn staged(&self) -> (usize, usize) {
        match &self.copying {
            Copying::In(copy) => copy.staged(),
            _ => (0, 0),
        }
    }

    /// Looks for what is complete in the client's data. Returns how many bytes of them can be
    /// translated, and how many values are in them, if there is anything to be done.
    pub(super) fn scan_copy(&mut self) -> Option<(usize, usize)> {
        if matches!(self.copying, Copying::In(_)) {
            self.reach(Stage::Copy);
        }
        match &mut self.copying {
            Copying::In(copy) => copy.scan(),
            _ => None,
        }
    }

    /// The COPY is over, one way or the other.
    pub(super) fn end_copy(&mut self) {
        self.copying = Copying::Nothing;
        self.copy_refused = None;
    }

    /// Why the client's data are refused, if they are.
    pub(super) fn refused_copy(&self) -> Option<&Arc<Refused>> {
        self.copy_refused.as_ref()
    }
}
