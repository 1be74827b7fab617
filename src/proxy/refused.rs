//! Why a client with a sound startup packet gets no session, and what it is told: never the
//! address of Postgres or the state of its certificate, which are the operator's business.

use std::io;

use bytes::BytesMut;

use super::authentication::AuthenticationError;
use super::lookup::LookupError;
use super::scram::{LoginError, ScramError};
use super::seats;
use super::startup::Request;
use super::tls::CertificateRefused;
use super::upstream::UpstreamError;
use super::way::Fault;
use crate::config::TargetSession;
use crate::session::Fatal;
use crate::wire::report;

/// Why a client gets no session.
#[derive(Debug, thiserror::Error)]
pub(super) enum Refused {
    #[error("replication is refused")]
    Replication,
    #[error("the proxy is shutting down")]
    Closing,
    #[error("too many clients")]
    Full,
    #[error("too many clients {}", of(*.0))]
    Limited(seats::Full),
    #[error("too many connections that have not started a session")]
    GaveWay,
    #[error("startup takes too long")]
    Late,
    #[error("Postgres does not answer within startup_timeout_s")]
    Unanswered,
    #[error("the client comes without TLS")]
    Unencrypted,
    #[error("the client has no certificate")]
    NoCertificate,
    #[error("the client's certificate is for another role")]
    OtherCertificate,
    #[error("{0}")]
    Upstream(#[from] UpstreamError),
    #[error("client lost: {0}")]
    Client(io::Error),
    #[error("{0}")]
    Lookup(#[from] LookupError),
    #[error("authentication: {0}")]
    Authentication(#[from] AuthenticationError),
}

impl From<CertificateRefused> for Refused {
    fn from(refused: CertificateRefused) -> Self {
        match refused {
            CertificateRefused::Missing => Self::NoCertificate,
            CertificateRefused::OtherRole => Self::OtherCertificate,
        }
    }
}

impl Refused {
    /// Whether it says nothing of this client that others would not hear too.
    pub(super) fn is_for_anyone(&self) -> bool {
        match self {
            Self::Closing
            | Self::Full
            | Self::Limited(_)
            | Self::GaveWay
            | Self::Late
            | Self::Unanswered
            | Self::Upstream(_)
            | Self::Lookup(_)
            | Self::Client(_) => true,
            // What `pg_isready` does, and whoever has to ask for a password first.
            Self::Authentication(error) => matches!(
                error,
                AuthenticationError::Barred
                    | AuthenticationError::ClientGone
                    | AuthenticationError::Lost(_)
                    | AuthenticationError::NotNow(_)
                    | AuthenticationError::Silent
            ),
            _ => false,
        }
    }

    /// Whether it is the host's trouble, so that another one may do better.
    pub(super) fn is_of_the_host(&self) -> bool {
        match self {
            Self::Upstream(_) => true,
            Self::Authentication(error) => error.is_of_the_host(),
            _ => false,
        }
    }

    /// What is wrong with the host, if it is the host's trouble.
    pub(super) fn fault(&self) -> Option<Fault> {
        match self {
            Self::Upstream(error) => error.fault(),
            Self::Authentication(error) => error.fault(),
            _ => None,
        }
    }

    /// Whether Postgres takes no sessions at this time.
    pub(super) fn is_not_now(&self) -> bool {
        matches!(self, Self::Authentication(AuthenticationError::NotNow(_)))
    }

    /// Its kind, as metrics have it.
    pub(super) fn reason(&self) -> &'static str {
        match self {
            Self::Replication => "replication",
            Self::Closing => "closing",
            Self::Full | Self::GaveWay => "crowd",
            Self::Limited(seats::Full::Role) => "role_limit",
            Self::Limited(seats::Full::Database) => "database_limit",
            Self::Limited(seats::Full::Address) => "address_limit",
            Self::Late => "late",
            Self::Unencrypted => "unencrypted",
            Self::NoCertificate | Self::OtherCertificate => "certificate",
            Self::Client(_) => "client_lost",
            Self::Unanswered | Self::Upstream(_) | Self::Lookup(LookupError::Upstream(_)) => {
                "upstream"
            }
            Self::Lookup(_) => "lookup",
            Self::Authentication(error) => match error {
                AuthenticationError::ClientGone | AuthenticationError::Lost(_) => "client_lost",
                AuthenticationError::NotNow(_) | AuthenticationError::Silent => "upstream",
                AuthenticationError::Barred => "failed_logins",
                _ => "authentication",
            },
        }
    }

    /// Whether nobody answers where Postgres should be.
    pub(super) fn is_unreachable(&self) -> bool {
        match self {
            Self::Upstream(error) | Self::Lookup(LookupError::Upstream(error)) => {
                error.is_unreachable()
            }
            _ => false,
        }
    }

    /// Whether it is the operator who can do something about it.
    pub(super) fn is_for_the_operator(&self) -> bool {
        matches!(self, Self::Authentication(AuthenticationError::Login(_)))
    }

    /// Whether the client's proof does not fit the verifier, or the verifier not Postgres's.
    pub(super) fn is_wrong_password(&self) -> bool {
        let Self::Authentication(error) = self else {
            return false;
        };
        matches!(
            error,
            AuthenticationError::Scram(ScramError::Password)
                | AuthenticationError::Login(LoginError::Stale)
        )
    }

    /// What the client is told; nothing if Postgres has told it already. There may be no request
    /// yet.
    pub(super) fn words(&self, request: Option<&Request>) -> BytesMut {
        let mut words = BytesMut::new();
        let user = request.map_or_else(Default::default, |request| {
            String::from_utf8_lossy(&request.user)
        });
        let database = request.map_or_else(Default::default, |request| {
            String::from_utf8_lossy(&request.database)
        });
        let mut say = |sqlstate, text: &str, detail| {
            report::fatal(sqlstate, text, detail, &mut words);
        };
        match self {
            Self::Replication => say(
                "0A000",
                "replication connections are refused: they would show internal keys",
                Some("Connect to Postgres itself, or with a role listed in bypass_roles."),
            ),
            Self::Closing => say("57P03", "the database system is shutting down", None),
            Self::Full | Self::GaveWay => Fatal::TooManyClients.encode(&mut words),
            Self::Limited(full) => {
                let (text, detail) = limited(*full, &user, &database);
                say("53300", &text, detail);
            }
            // "the server closes the connection": Postgres has no words for a client that does
            // not get on.
            Self::Late => {}
            Self::Unanswered | Self::Authentication(AuthenticationError::Silent) => say(
                "08006",
                "the database server does not answer pgveil in time",
                None,
            ),
            // The one code by which `pg_isready` tells that there is no use in connecting, and
            // by which libpq goes on to the next host.
            _ if self.is_unreachable() => say(
                "57P03",
                "the database system is not accepting connections",
                Some("pgveil can't reach the database server."),
            ),
            Self::Unencrypted => {
                let text = format!(
                    "no entry for user \"{user}\", database \"{database}\", no encryption: \
                     connect with TLS (sslmode=require or stronger)"
                );
                say("28000", &text, None);
            }
            Self::NoCertificate => say(
                "28000",
                "connection requires a valid client certificate",
                Some("Connect with sslcert and sslkey."),
            ),
            Self::OtherCertificate => {
                let text = format!("certificate authentication failed for user \"{user}\"");
                say("28000", &text, None);
            }
            Self::Upstream(UpstreamError::Misfit(target, _) | UpstreamError::NoneFits(target)) => {
                say("57P03", &no_server_is(*target), Some(NO_SERVER_DETAIL));
            }
            Self::Upstream(UpstreamError::Unreachable(error))
                if super::is_out_of_descriptors(error) =>
            {
                Fatal::TooManyClients.encode(&mut words);
            }
            Self::Upstream(error) if error.is_insecure() => {
                let text = "pgveil has no secure connection to the database server";
                say("08006", text, Some("The log of pgveil says why."));
            }
            Self::Upstream(_) => Fatal::ServerGone.encode(&mut words),
            Self::Lookup(_) => {
                let text = "pgveil can't find out who may log in";
                say("08006", text, Some("The log of pgveil says why."));
            }
            Self::Client(_) => {}
            Self::Authentication(error) => authentication(error, &user, &mut words),
        }
        words
    }
}

/// Why it is not just any server.
const NO_SERVER_DETAIL: &str =
    "pgveil connects to nothing else: upstream.target_session_attrs. Try again in a moment.";

fn no_server_is(target: TargetSession) -> String {
    let word = target.as_str();
    format!("the database system is not accepting connections: no server is {word:?}")
}

fn authentication(error: &AuthenticationError, user: &str, words: &mut BytesMut) {
    let failed = || format!("password authentication failed for user \"{user}\"");
    match error {
        AuthenticationError::Fatal(fatal) => fatal.encode(words),
        // Its own words.
        AuthenticationError::NotNow(message) => words.extend_from_slice(message),
        AuthenticationError::Bound => {
            let text = "channel binding can't pass through pgveil";
            let detail = "pgveil and Postgres show different certificates. Connect with \
                          channel_binding=disable, or have pgveil authenticate: [auth] with \
                          mode = \"verifier\".";
            report::fatal("28000", text, Some(detail), words);
        }
        AuthenticationError::Scram(ScramError::Password)
        | AuthenticationError::Login(LoginError::Stale) => {
            report::fatal("28P01", &failed(), None, words);
        }
        AuthenticationError::Scram(error) => {
            report::fatal(error.sqlstate(), &error.to_string(), error.detail(), words);
        }
        AuthenticationError::Login(_) => {
            let text = "pgveil can't log in to the database server";
            report::fatal("08006", text, Some("The log of pgveil says why."), words);
        }
        AuthenticationError::Barred => {
            let text = "too many failed logins from this address";
            let detail = "Try again in a minute: server.failed_logins_per_minute.";
            report::fatal("28000", text, Some(detail), words);
        }
        // It has words above.
        AuthenticationError::Silent
        | AuthenticationError::Refused
        | AuthenticationError::Denied(_)
        | AuthenticationError::ClientGone
        | AuthenticationError::Lost(_) => {}
    }
}

/// Of whom there are too many.
const fn of(full: seats::Full) -> &'static str {
    match full {
        seats::Full::Role => "of this role",
        seats::Full::Database => "of this database",
        seats::Full::Address => "from this address",
    }
}

/// What a client above a limit is told: Postgres's own words, where it has some.
fn limited(full: seats::Full, role: &str, database: &str) -> (String, Option<&'static str>) {
    match full {
        seats::Full::Role => (format!("too many connections for role \"{role}\""), None),
        seats::Full::Database => (
            format!("too many connections for database \"{database}\""),
            None,
        ),
        seats::Full::Address => (
            "too many connections from this address".to_owned(),
            Some("There may be as many at once as server.max_per_address says."),
        ),
    }
}
