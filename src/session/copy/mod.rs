//! The data of COPY, where a plan says that ids are in them.

mod input;
mod output;

use std::sync::Arc;

use super::codecs::Codecs;
use super::edited::Refused;
use super::expected::Expected;
use super::fatal::Fatal;
use super::price::Price;
use super::result;
use super::result::has_ids;
use super::running::Running;
use super::stage::Stage;
use crate::sql::plan::{
    ColumnValue, Columns, CopyColumn, CopyDirection, CopyFormat, CopyPlan, Plan,
};
use crate::wire::Reader;
use crate::wire::WireError;
use crate::wire::copy::{Column, Direction, Format, Lines, Quotes, Syntax};
use crate::wire::value::Shape;
pub(super) use input::CopyIn;
pub(super) use output::CopyOut;

/// What the client gets to hear of a CopyFail that the session sends in its name. By this the
/// server's error is known.
pub(super) const FAILURE: &str = "pgveil refuses this data";

/// A longer id is none, in whatever form. It has to be held back until all of it is there.
const SCALAR_BYTES: usize = 1 << 20;

/// The same for an array of ids.
const ARRAY_BYTES: usize = 16 << 20;

/// The same for a document.
const DOCUMENT_BYTES: usize = 64 << 20;

/// The COPY under way, if ids have to be translated in it.
#[derive(Debug, Default)]
pub(super) enum Copying {
    #[default]
    Nothing,
    /// The client's data become the server's.
    In(Box<CopyIn>),
    /// The session has sent CopyFail in the client's name and drops the rest of its data.
    Failed,
    /// The server's data become the client's.
    Out(Box<CopyOut>),
}

impl Copying {
    /// What the ids in the client's data cost: in their bytes, and for each value.
    pub(super) fn price_in(&self) -> (Price, Price) {
        match self {
            Self::In(copy) => copy.price(),
            Self::Nothing | Self::Failed | Self::Out(_) => Default::default(),
        }
    }

    /// What the ids in the server's data cost.
    pub(super) fn price_out(&self) -> Price {
        match self {
            Self::Out(copy) => copy.price(),
            Self::Nothing | Self::Failed | Self::In(_) => Price::default(),
        }
    }

    /// What the data that wait for the rest of a value take in memory.
    pub(super) fn held(&self) -> usize {
        match self {
            Self::In(copy) => copy.held(),
            Self::Nothing | Self::Failed | Self::Out(_) => 0,
        }
    }
}

/// What the ids of a column cost in the bytes of the data.
fn price_of(codecs: &Codecs, column: &CopyColumn) -> Price {
    match &column.value {
        ColumnValue::Clean => Price::default(),
        ColumnValue::Id(id) => codecs.price(id.domain, Shape::Scalar),
        ColumnValue::IdArray(id) => codecs.price(id.domain, Shape::Array),
        ColumnValue::Json(_)
        | ColumnValue::JsonArray(_)
        | ColumnValue::Tagged { .. }
        | ColumnValue::Record { .. } => codecs.slowest(),
    }
}

/// How the data of a COPY are to be read.
fn syntax(plan: &CopyPlan) -> Syntax {
    let columns = plan.columns.iter().enumerate();
    let columns = columns.filter_map(|(index, column)| {
        let limit_bytes = match column.value {
            ColumnValue::Clean => return None,
            ColumnValue::Id(_) => SCALAR_BYTES,
            ColumnValue::Json(_)
            | ColumnValue::JsonArray(_)
            | ColumnValue::Tagged { .. }
            | ColumnValue::Record { .. } => DOCUMENT_BYTES,
            ColumnValue::IdArray(_) => ARRAY_BYTES,
        };
        Some(Column {
            index,
            limit_bytes,
            force_quote: column.force_quote,
            force_not_null: column.force_not_null,
            force_null: column.force_null,
            uuids: false,
        })
    });
    Syntax {
        direction: match plan.direction {
            CopyDirection::FromClient => Direction::In,
            CopyDirection::ToClient => Direction::Out,
        },
        format: match &plan.format {
            CopyFormat::Binary => Format::Binary(plan.columns.len()),
            CopyFormat::Lines(lines) => Format::Lines(Lines {
                delimiter: lines.delimiter,
                null: lines.null.clone().into_bytes(),
                default: lines.default.clone().map(String::into_bytes),
                header: lines.header,
                quotes: lines.quotes.map(|(quote, escape)| Quotes { quote, escape }),
            }),
        },
        columns: columns.collect(),
    }
}

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
            return Err(Fatal::Result(result::disagreement()));
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
        return Err(Fatal::Result(result::disagreement()));
    }
    let mut reader = Reader::new(body);
    let mut read = || -> Result<(u8, usize), WireError> { Ok((reader.u8()?, reader.count()?)) };
    let (format, count) = read().map_err(Fatal::Server)?;
    // The format of what has no ids is not known: nothing in it is looked at.
    let ids = has_ids(copy);
    let binary = copy.format == CopyFormat::Binary;
    if count != copy.columns.len() || ids && (format == 1) != binary {
        return Err(Fatal::Result(result::disagreement()));
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

    /// The same for a COPY.
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
            return self.tolerate(result::disagreement()).map(|()| None);
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
