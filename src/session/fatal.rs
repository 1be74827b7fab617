//! Why a session ends, by blame, and what the client is told.

use bytes::BytesMut;

use super::memory::Exceeded;
use crate::catalog::CatalogError;
use crate::splice::Misplaced;
use crate::sql::Refusal;
use crate::sql::refusal::Code;
use crate::wire::value::Malformed;
use crate::wire::{WireError, report};

/// A message that has no place in COPY FROM STDIN, and what the server got in its stead: by their
/// types.
#[derive(Debug, Clone, Copy)]
pub(super) struct OutOfPlace {
    pub(super) meant: u8,
    pub(super) sent: u8,
}

impl OutOfPlace {
    /// No message of a client starts with this byte, whatever the state of the session.
    const NEVER: u8 = b'!';

    /// Something over which the server stumbles always takes its place.
    pub(super) const fn replaced(meant: u8) -> Self {
        let sent = Self::NEVER;
        Self { meant, sent }
    }

    /// What the server says of the one, in whatever language, as it would say it of the other.
    pub(super) fn told(self, text: &str) -> String {
        let hex = |kind: u8| format!("0x{kind:02X}");
        let told = text.replace(&hex(self.sent), &hex(self.meant));
        told.replace(&self.sent.to_string(), &self.meant.to_string())
    }
}

/// How far the failure of a statement has come whose result can't be shown.
#[derive(Debug)]
pub(super) enum Unshown {
    /// The rest of its answer is passed over.
    Passing(Box<Refusal>),
    /// The client has the error, and waits for the end of the batch.
    Told,
    /// The server's transaction is made to fail.
    Failing,
}

/// How a statement fails whose result can't be shown, and what its batch has done before.
#[derive(Debug, Default)]
pub(super) struct Failure {
    /// Present while one fails.
    pub(super) unshown: Option<Unshown>,
    /// A transaction block is open: it was when the batch began, or a statement of it has begun one.
    pub(super) begun: bool,
    /// More has been done than to read, which is stored when the batch ends, or the block does that it
    /// has begun: the server has no reason to let that fail. Of a block from before nothing is known.
    pub(super) changed: bool,
    /// What comes behind the one that fails ends the block, which has only read: that is then done.
    pub(super) ends: bool,
    /// What its batch changes may be stored, for the server has no reason to undo it.
    pub(super) stays: bool,
}

impl Failure {
    /// Whether nothing of the client is taken before a statement has failed. The end of its batch
    /// is, where the client is still to send it.
    pub(super) const fn is_awaited(&self, skipping: bool) -> bool {
        match self.unshown {
            None => false,
            Some(Unshown::Told) => !skipping,
            Some(Unshown::Passing(_) | Unshown::Failing) => true,
        }
    }
}

/// A reason to end a session.
#[derive(Debug, thiserror::Error)]
pub enum Fatal {
    /// The client broke the protocol.
    #[error("{0}")]
    Client(WireError),
    /// No message that a client may send in a session starts with this byte. The words are
    /// Postgres's.
    #[error("invalid frontend message type {0}")]
    Type(u8),
    /// The server sent what the protocol does not allow at this place.
    #[error("the server broke the protocol: {0}")]
    Server(WireError),
    /// The server sent a message that answers nothing: its type byte.
    #[error("the server sent an unexpected message of type {0}")]
    Unexpected(u8),
    /// A result can't be shown without showing a key.
    #[error("{0}")]
    Result(Box<Refusal>),
    /// A value that is stored can't be shown. It ends the session if its statement can't fail alone.
    #[error("{0}")]
    Unshown(Box<Refusal>),
    /// What a statement means has changed between its judgement and its answer, so that the answer
    /// could show a key.
    #[error("the definitions by which the statement was judged have changed while it ran")]
    Redefined(Fate),
    /// Nobody could look whether it has: the transaction sees an earlier state, or the client waits
    /// for the answer inside of a batch.
    #[error(
        "the definitions by which the statement was judged could not be compared with those of now"
    )]
    Unseen(Fate),
    /// The server did not answer the proxy's own query: its SQLSTATE.
    #[error("the server refused to describe the database ({0})")]
    Undescribed(String),
    /// The description of the database does not fit the configuration.
    #[error("{0}")]
    Catalog(Box<CatalogError>),
    /// The server does not answer the proxy's own query in the time of a login.
    #[error("Postgres does not describe the database within startup_timeout_s")]
    Unanswered,
    /// The operator ends the proxy.
    #[error("terminating connection due to administrator command")]
    Shutdown,
    /// The client was silent for too long.
    #[error("terminating connection due to idle-session timeout")]
    Idle,
    /// The server closed the connection.
    #[error("the connection to the server was lost")]
    ServerGone,
    /// A fault of pgveil's own.
    #[error("internal error")]
    Internal,
    /// A place in a statement or in a row is wrong, which is such a fault too.
    #[error(transparent)]
    Misplaced(#[from] Misplaced),
    /// What the session holds is too large, in the middle of an answer.
    #[error(transparent)]
    Memory(#[from] Exceeded),
    /// Too many clients are connected.
    #[error("sorry, too many clients already")]
    TooManyClients,
}

/// A result that is not what the analysis expects.
pub(super) fn disagreement() -> Box<Refusal> {
    Box::new(Refusal::new(
        Code::Disagreement,
        "58000",
        "the result of the statement is not what the analysis expects, so that it could \
                  show a key",
    ))
}

/// A value from the server that is none of the type which the analysis expects: the message that it
/// is in is a whole one, and the next is read as if nothing were wrong.
impl From<Malformed<'_>> for Fatal {
    fn from(_: Malformed<'_>) -> Self {
        Self::Unshown(disagreement())
    }
}

/// What has become of a statement whose answer the client does not get.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// It has changed nothing, or its transaction ends with the session.
    Undone,
    /// It may have been carried out and committed.
    Unknown,
}

impl Fate {
    const fn remedy(self) -> &'static str {
        match self {
            Self::Undone => "Connect anew and run it again.",
            Self::Unknown => {
                "The statement may have been carried out: connect anew and look before you run it \
                 again."
            }
        }
    }
}

impl Fatal {
    /// What is wrong with what the client sent.
    pub(super) const fn of_client(error: WireError) -> Self {
        match error {
            WireError::Type(kind) => Self::Type(kind),
            error => Self::Client(error),
        }
    }

    /// What the client gets as code.
    #[must_use]
    pub const fn sqlstate(&self) -> &'static str {
        match self {
            Self::Client(_) | Self::Type(_) => "08P01",
            Self::Server(_) | Self::Unexpected(_) => "08000",
            Self::Result(refusal) | Self::Unshown(refusal) => refusal.sqlstate,
            Self::Redefined(Fate::Undone) | Self::Unseen(Fate::Undone) => "40001",
            Self::Redefined(Fate::Unknown) | Self::Unseen(Fate::Unknown) => "40003",
            Self::Undescribed(_) | Self::Catalog(_) => "58000",
            Self::Shutdown => "57P01",
            Self::Idle => "57P05",
            Self::ServerGone | Self::Unanswered => "08006",
            Self::Internal | Self::Misplaced(_) => "XX000",
            Self::Memory(_) => "53200",
            Self::TooManyClients => "53300",
        }
    }

    /// Appends the ErrorResponse.
    pub fn encode(&self, out: &mut BytesMut) {
        let detail = match self {
            Self::Result(refusal) | Self::Unshown(refusal) => refusal.detail.clone(),
            Self::Redefined(fate) => Some(fate.remedy().to_owned()),
            Self::Unseen(fate) => {
                let why = "An answer is compared behind a Sync, outside of REPEATABLE READ.";
                Some(format!("{why} {}", fate.remedy()))
            }
            Self::Memory(exceeded) => Some(format!("{} {}", exceeded.detail(), Exceeded::HINT)),
            _ => None,
        };
        report::fatal(self.sqlstate(), &self.to_string(), detail.as_deref(), out);
    }
}
