//! The session's own questions to the server, between two messages of the client: a picture of
//! the database, or the search path. The client sees nothing of them.

use std::sync::Arc;

use bytes::BytesMut;

use super::fatal::Fatal;
use crate::catalog::{CatalogError, Loaded, Loader, Made, SearchPath, Snapshot};
use crate::wire::backend::{self, TransactionStatus};
use crate::wire::frontend::Query;
use crate::wire::report::{Report, field};

/// A question under way.
#[derive(Debug)]
pub(super) struct Interlude {
    question: Question,
    /// The SQLSTATE of the server's refusal to answer.
    error: Option<String>,
}

#[derive(Debug)]
enum Question {
    Catalog(Box<Loader>),
    SearchPath(Option<SearchPath>),
}

/// The answer.
#[derive(Debug)]
pub(super) enum Answer {
    /// A picture of the database, and the search path.
    Catalog(Box<Loaded>),
    /// The search path.
    SearchPath(SearchPath),
}

impl Interlude {
    /// Asks for a picture of the database, after what the session has made since the earlier one.
    pub(super) fn catalog(
        loader: Loader,
        earlier: &Snapshot,
        made: Vec<Arc<Made>>,
        out: &mut BytesMut,
    ) -> Self {
        ask(Loader::QUERY, out);
        let loader = loader.after(earlier).making(made);
        Self {
            question: Question::Catalog(Box::new(loader)),
            error: None,
        }
    }

    /// Asks for the search path.
    pub(super) fn search_path(out: &mut BytesMut) -> Self {
        ask(SearchPath::QUERY, out);
        Self {
            question: Question::SearchPath(None),
            error: None,
        }
    }

    /// Takes a message of the server. Returns the status of the transaction with the last one.
    pub(super) fn message(
        &mut self,
        kind: u8,
        body: &[u8],
    ) -> Result<Option<TransactionStatus>, Fatal> {
        match kind {
            b'D' => {
                let row = backend::data_row(body).map_err(Fatal::Server)?;
                match &mut self.question {
                    Question::Catalog(loader) => loader.row(&row).map_err(undescribable)?,
                    Question::SearchPath(path) => {
                        let answer = row.first().copied().flatten().unwrap_or_default();
                        *path = Some(SearchPath::parse(&String::from_utf8_lossy(answer)));
                    }
                }
            }
            b'E' => {
                let report = Report::decode(body).map_err(Fatal::Server)?;
                let code = report.text(field::CODE).unwrap_or_default();
                if matches!(report.text(field::SEVERITY_PLAIN), Some("FATAL" | "PANIC")) {
                    return Err(match code {
                        "57P01" => Fatal::Shutdown,
                        _ => Fatal::ServerGone,
                    });
                }
                self.error.get_or_insert_with(|| code.to_owned());
            }
            b'Z' => {
                return TransactionStatus::decode(body)
                    .map(Some)
                    .map_err(Fatal::Server);
            }
            b'T' | b'C' | b'N' => {}
            kind => return Err(Fatal::Unexpected(kind)),
        }
        Ok(None)
    }

    /// Whether a cancellation that was meant for the client's own statement has hit the question.
    pub(super) fn was_cancelled(&self) -> bool {
        self.error.as_deref() == Some("57014")
    }

    /// The answer, once the last message has come.
    pub(super) fn finish(self) -> Result<Answer, Fatal> {
        if let Some(code) = self.error {
            return Err(Fatal::Undescribed(code));
        }
        match self.question {
            Question::Catalog(loader) => {
                let loaded = loader.finish().map_err(undescribable)?;
                Ok(Answer::Catalog(Box::new(loaded)))
            }
            Question::SearchPath(Some(path)) => Ok(Answer::SearchPath(path)),
            Question::SearchPath(None) => Err(Fatal::Undescribed("02000".to_owned())),
        }
    }
}

fn undescribable(error: CatalogError) -> Fatal {
    Fatal::Catalog(Box::new(error))
}

fn ask(text: &str, out: &mut BytesMut) {
    Query {
        text: text.as_bytes(),
    }
    .encode(out);
}
