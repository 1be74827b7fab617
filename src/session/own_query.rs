//! The session's own questions to the server, between two messages of the client: a snapshot of
//! the database, whether an earlier one is still right, or the search path. The client sees nothing of them.
//!
//! They touch nothing of the client's. What they set is local to a transaction of their own, which
//! none of the client's defaults apply to, or to a part of the client's that is rolled back; the
//! statements of the extended protocol have a secret name, so that the unnamed one stays.

use std::fmt;
use std::sync::Arc;

use bytes::BytesMut;

use super::fatal::Fatal;
use crate::catalog::{
    CatalogError, Lack, Loaded, Loader, PATIENCE, Reading, SETTINGS, SUPERSEDED, Scope, SearchPath,
    Told, Version,
};
use crate::wire::backend::{self, TransactionStatus};
use crate::wire::frontend::{BindWriter, Execute, Formats, Query, Target, parse};
use crate::wire::message;
use crate::wire::report::{Report, field};

/// How the server is asked.
#[derive(Debug, Clone, Copy)]
pub(super) struct Way<'n> {
    /// A name that the client can't know.
    pub(super) name: &'n str,
    /// Whether the server's session is another one in each transaction: then by the simple
    /// protocol, as nothing prepared can be relied on, neither the client's nor this.
    pub(super) pooled: bool,
    /// Whether the client has a transaction open.
    pub(super) status: TransactionStatus,
    /// Whether an answer is held back until this is known.
    pub(super) behind: bool,
}

/// A question under way.
#[derive(Debug)]
pub(super) struct OwnQuery {
    question: Question,
    /// Takes the rows.
    loader: Box<Loader>,
    name: Box<str>,
    pooled: bool,
    /// A transaction of the client's was open.
    inside: bool,
    /// The settings of the question are in force: no timeout of the client's is.
    settled: bool,
    /// It waits for the client's sake, no longer than the client would.
    patient: bool,
    failure: Option<Failure>,
    /// How often what the failure has left behind has been cleared away.
    clearings: u8,
}

/// How often: a cancellation may hit the clearing, too.
const MAX_CLEARINGS: u8 = 4;

#[derive(Debug)]
enum Question {
    /// For a snapshot.
    Catalog,
    /// Whether this version is that of now.
    Look(Version),
    SearchPath,
}

/// How much of a snapshot is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Extent {
    /// What is about relations that have changed.
    Changes,
    /// That, and all that is about no relation.
    Shared,
    All,
}

/// Why a statement does not go on, as Postgres says it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cancellation {
    User,
    StatementTimeout,
    LockTimeout,
}

impl Cancellation {
    /// The SQLSTATE and the message.
    pub(super) const fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::User => ("57014", "canceling statement due to user request"),
            Self::StatementTimeout => ("57014", "canceling statement due to statement timeout"),
            Self::LockTimeout => ("55P03", "canceling statement due to lock timeout"),
        }
    }
}

/// Why a question was not answered.
#[derive(Debug)]
pub(super) enum Failure {
    /// Somebody has cancelled it, or a timeout of the client's has come while it waited for the
    /// client's sake.
    Cancelled(Cancellation),
    /// The SQLSTATE of the server's refusal.
    Refused(String),
    /// What the server has said can't be understood, or does not fit the configuration.
    Unfit(Box<CatalogError>),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cancelled(why) => f.write_str(why.words().1),
            Self::Refused(code) => write!(f, "SQLSTATE {code}"),
            Self::Unfit(error) => error.fmt(f),
        }
    }
}

impl From<Failure> for Fatal {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Cancelled(why) => Self::Undescribed(why.words().0.to_owned()),
            Failure::Refused(code) => Self::Undescribed(code),
            Failure::Unfit(error) => Self::Catalog(error),
        }
    }
}

/// The answer, each with the search path if that was told.
#[derive(Debug)]
pub(super) enum Answer {
    /// A snapshot of the database.
    Catalog(Box<Loaded>),
    /// The earlier snapshot is right, at this version.
    Verified(Version),
    /// The earlier snapshot is not right, and this is to be asked for.
    Outdated(Extent),
    /// No more was asked for.
    SearchPath,
    /// The question has failed.
    Failed(Failure),
}

/// What makes the settings those of a question.
const BEFORE: &[&str] = &[PATIENCE, SETTINGS];

impl OwnQuery {
    /// Asks for a snapshot of the database: for so much of it, if it is known what an earlier one was
    /// put together from and what the server called that.
    pub(super) fn catalog(
        mut loader: Loader,
        known: Option<(Version, Arc<Told>)>,
        (reading, extent): (&Reading, Extent),
        way: Way<'_>,
        out: &mut BytesMut,
    ) -> Self {
        let (mut version, mut extent) = (None, extent);
        if let Some((known, told)) = known {
            if extent == Extent::Changes && told.changes_settings() {
                extent = Extent::Shared;
            }
            loader = loader.since(told);
            version = Some(known);
        }
        let scope = match (extent, &version) {
            (Extent::All, _) | (_, None) => Scope::All,
            (Extent::Changes, Some(version)) => Scope::Changes(version),
            (Extent::Shared, Some(version)) => Scope::Shared(version),
        };
        let text = loader.question(reading, scope);
        let patient = matches!(reading, Reading::Patient(_) | Reading::Only(_));
        let before = if patient {
            [SETTINGS].as_slice()
        } else {
            BEFORE
        };
        let texts = [before, &[&text]].concat();
        Self::ask((Question::Catalog, patient), loader, &texts, way, out)
    }

    /// Asks whether an earlier snapshot is still right.
    pub(super) fn look(version: Version, way: Way<'_>, out: &mut BytesMut) -> Self {
        let text = Loader::look(&version);
        let loader = Loader::new(Arc::from([]));
        let texts = [BEFORE, &[&text]].concat();
        Self::ask((Question::Look(version), false), loader, &texts, way, out)
    }

    /// Asks for the search path.
    pub(super) fn search_path(way: Way<'_>, out: &mut BytesMut) -> Self {
        let loader = Loader::new(Arc::from([]));
        Self::ask((Question::SearchPath, false), loader, BEFORE, way, out)
    }

    fn ask(
        (question, patient): (Question, bool),
        loader: Loader,
        texts: &[&str],
        way: Way<'_>,
        out: &mut BytesMut,
    ) -> Self {
        let this = Self {
            question,
            loader: Box::new(loader),
            name: way.name.into(),
            pooled: way.pooled,
            inside: way.status != TransactionStatus::Idle,
            settled: false,
            patient,
            failure: None,
            clearings: 0,
        };
        let begin = if this.inside {
            format!("SAVEPOINT {}", way.name)
        } else {
            // Each default that a client may have set is said.
            "BEGIN ISOLATION LEVEL READ COMMITTED READ ONLY NOT DEFERRABLE".to_owned()
        };
        let end = this.end();
        let after = end.iter().map(String::as_str);
        // In front of the settings, as which relation a name means is a matter of the client's path,
        // and behind what lets it take as long as it takes.
        let own = usize::from(texts.first() == Some(&PATIENCE));
        let (patience, texts) = texts.split_at_checked(own).unwrap_or_default();
        let superseded = (this.inside && way.behind).then_some(SUPERSEDED);
        let all = std::iter::once(begin.as_str()).chain(patience.iter().copied());
        let all = all.chain(superseded).chain(texts.iter().copied());
        this.send(&all.chain(after).collect::<Vec<_>>(), out);
        this
    }

    /// Takes back what was set.
    fn end(&self) -> Vec<String> {
        if self.inside {
            let name = &self.name;
            vec![
                format!("ROLLBACK TO SAVEPOINT {name}"),
                format!("RELEASE SAVEPOINT {name}"),
            ]
        } else {
            vec!["ROLLBACK".to_owned()]
        }
    }

    fn send(&self, texts: &[&str], out: &mut BytesMut) {
        if self.pooled {
            let text = texts.join(";\n");
            let text = text.as_bytes();
            Query { text }.encode(out);
            return;
        }
        let name = self.name.as_bytes();
        for text in texts {
            parse(name, text.as_bytes(), [].into_iter(), out);
            BindWriter::new(out, name, name, [].into_iter(), 0).finish(Formats::default());
            let limit = 0;
            Execute {
                portal: name,
                limit,
            }
            .encode(out);
            self.close(out);
        }
        message(out, b'S', |_| ());
    }

    fn close(&self, out: &mut BytesMut) {
        let name = self.name.as_bytes();
        Target::Portal(name).close(out);
        Target::Statement(name).close(out);
    }

    /// Takes a message of the server. Returns the status of the transaction with the last one.
    pub(super) fn message(
        &mut self,
        kind: u8,
        body: &[u8],
        out: &mut BytesMut,
    ) -> Result<Option<TransactionStatus>, Fatal> {
        match kind {
            b'D' => {
                let row = backend::data_row(body).map_err(Fatal::Server)?;
                self.settled = true;
                if let Err(error) = self.loader.row(&row) {
                    let unfit = Failure::Unfit(Box::new(error));
                    self.failure.get_or_insert(unfit);
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
                let failure = match self.cancellation(code, &report) {
                    Some(why) => Failure::Cancelled(why),
                    None => Failure::Refused(code.to_owned()),
                };
                if !matches!(self.failure, Some(Failure::Cancelled(_))) {
                    self.failure = Some(failure);
                }
            }
            b'Z' => {
                let status = TransactionStatus::decode(body).map_err(Fatal::Server)?;
                let refused = matches!(
                    self.failure,
                    Some(Failure::Refused(_) | Failure::Cancelled(_))
                );
                let failed = status == TransactionStatus::Failed;
                let clears = self.clearings == 0 || failed && self.clearings < MAX_CLEARINGS;
                if refused && clears && self.clear(status, out) {
                    return Ok(None);
                }
                return Ok(Some(status));
            }
            b'T' | b'C' | b'N' | b'1' | b'2' | b'3' | b'I' => {}
            kind => return Err(Fatal::Unexpected(kind)),
        }
        Ok(None)
    }

    /// Whether it asks for a snapshot of the database, which takes its time to be put together.
    pub(super) const fn is_for_catalog(&self) -> bool {
        matches!(self.question, Question::Catalog)
    }

    /// What has cancelled the client's statement too. Before the question's own settings are in
    /// force a timeout may have been the client's, and was for the question alone.
    fn cancellation(&self, code: &str, report: &Report<'_>) -> Option<Cancellation> {
        let text = report.text(field::MESSAGE).unwrap_or_default();
        let timeout = text.contains("timeout");
        match code {
            "55P03" if self.patient => Some(Cancellation::LockTimeout),
            "57014" if self.patient && timeout => Some(Cancellation::StatementTimeout),
            "57014" if self.settled || !timeout => Some(Cancellation::User),
            _ => None,
        }
    }

    /// Clears away what a failure has left. Returns whether there is anything.
    fn clear(&mut self, status: TransactionStatus, out: &mut BytesMut) -> bool {
        self.clearings += 1;
        let failed = status == TransactionStatus::Failed;
        if self.pooled && !failed {
            return false;
        }
        if !self.pooled {
            // Also in a transaction that has failed.
            self.close(out);
        }
        let end = self.end();
        let texts: Vec<&str> = end.iter().map(String::as_str).collect();
        self.send(if failed { &texts } else { &[] }, out);
        true
    }

    /// Whether the answer shows what others had committed when the question was asked.
    pub(super) fn sees_commits(&self) -> bool {
        !self.inside || self.loader.sees_commits()
    }

    /// Whether others have changed the database since the moment that the answer shows.
    pub(super) const fn is_superseded(&self) -> bool {
        self.loader.is_superseded()
    }

    /// The search path, if it was told.
    pub(super) fn path(&self) -> Option<SearchPath> {
        self.loader.search_path().cloned()
    }

    /// Which database of which server has answered.
    pub(super) fn identity(&self) -> Option<Arc<str>> {
        self.loader.identity().cloned()
    }

    /// The answer, once the last message has come.
    pub(super) fn finish(self) -> Answer {
        if let Some(failure) = self.failure {
            return Answer::Failed(failure);
        }
        match self.question {
            Question::SearchPath if self.loader.search_path().is_some() => Answer::SearchPath,
            Question::SearchPath => Answer::Failed(Failure::Refused("02000".to_owned())),
            Question::Look(version) => match self.loader.looked() {
                Some((true, moment)) => Answer::Verified(version.at(moment)),
                Some((false, _)) => Answer::Outdated(Extent::Changes),
                None => Answer::Failed(Failure::Refused("02000".to_owned())),
            },
            Question::Catalog => match (self.loader.lack(), self.loader) {
                (Lack::Shared, _) => Answer::Outdated(Extent::Shared),
                (Lack::All, _) => Answer::Outdated(Extent::All),
                (Lack::Nothing, loader) => Answer::Catalog(Box::new(loader.finish())),
            },
        }
    }
}
