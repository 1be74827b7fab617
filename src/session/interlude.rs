//! The session's own questions to the server, between two messages of the client: a picture of
//! the database, whether an earlier one is still right, or the search path. The client sees nothing of them.

use std::sync::Arc;

use bytes::BytesMut;

use super::fatal::Fatal;
use super::shared::Catalog;
use crate::catalog::{CatalogError, Loaded, Loader, SearchPath, Version};
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
    /// Whether the catalogs still have a version; if not, what to load with.
    Version(Version, Box<Loader>, Box<Loader>),
    SearchPath(Option<SearchPath>),
}

/// The answer.
#[derive(Debug)]
pub(super) enum Answer {
    /// A picture of the database, and the search path.
    Catalog(Box<Loaded>),
    /// The earlier picture is right, and the search path.
    Verified(SearchPath),
    /// The search path.
    SearchPath(SearchPath),
}

impl Interlude {
    /// Asks for a picture of the database.
    pub(super) fn catalog(loader: Loader, out: &mut BytesMut) -> Self {
        ask(Loader::QUERY, out);
        Self {
            question: Question::Catalog(Box::new(loader)),
            error: None,
        }
    }

    /// Asks whether an earlier picture is still right, and for a new one if it isn't.
    pub(super) fn verify(loader: Loader, earlier: &Catalog, out: &mut BytesMut) -> Self {
        let Some(version) = earlier.version() else {
            return Self::catalog(loader, out);
        };
        ask(Loader::VERSION_QUERY, out);
        let probe = Loader::new(Arc::from([]));
        Self {
            question: Question::Version(version, Box::new(probe), Box::new(loader)),
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

    /// Takes a message of the server, and may ask on. Returns the status of the transaction with the
    /// last one.
    pub(super) fn message(
        &mut self,
        kind: u8,
        body: &[u8],
        out: &mut BytesMut,
    ) -> Result<Option<TransactionStatus>, Fatal> {
        match kind {
            b'D' => {
                let row = backend::data_row(body).map_err(Fatal::Server)?;
                match &mut self.question {
                    Question::Catalog(loader) | Question::Version(_, loader, _) => {
                        loader.row(&row).map_err(undescribable)?;
                    }
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
                let status = TransactionStatus::decode(body).map_err(Fatal::Server)?;
                match std::mem::replace(&mut self.question, Question::SearchPath(None)) {
                    Question::Version(version, probe, loader)
                        if self.error.is_none() && probe.seen().0 != Some(version) =>
                    {
                        *self = Self::catalog(*loader, out);
                        return Ok(None);
                    }
                    question => self.question = question,
                }
                return Ok(Some(status));
            }
            b'T' | b'C' | b'N' => {}
            kind => return Err(Fatal::Unexpected(kind)),
        }
        Ok(None)
    }

    /// Whether it asks for a picture of the database, which takes its time to be put together.
    pub(super) const fn is_for_catalog(&self) -> bool {
        matches!(self.question, Question::Catalog(_))
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
            Question::Version(_, probe, _) => Ok(Answer::Verified(probe.seen().1.clone())),
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
