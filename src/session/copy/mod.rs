//! The data of COPY, where a plan says that ids are in them.

mod input;
mod output;

use super::codecs::Codecs;
use super::price::Price;
use crate::sql::plan::{ColumnValue, CopyColumn, CopyDirection, CopyFormat, CopyPlan};
use crate::wire::copy::{Column, Direction, Format, Lines, Quotes, Syntax};
use crate::wire::value::Shape;
pub(super) use input::CopyIn;
pub(super) use output::CopyOut;

/// What the client gets to hear of a CopyFail that the session sends in its name. By this the
/// server's error is known.
pub(super) const FAILURE: &str = "pgveil refuses this data";

/// A longer id is none, in whatever form. It has to be held back until all of it is there.
const SCALAR_BYTES: usize = 1 << 20;

/// A longer array of ids is none. It has to be held back until all of it is there.
const ARRAY_BYTES: usize = 16 << 20;

/// A document in a row may be that long, in bytes.
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
