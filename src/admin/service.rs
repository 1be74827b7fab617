//! What is answered to whom.
//!
//! Health is for everyone who gets there, and so is the live page, in which there is nothing to see
//! before it has asked for more. On `listen`, everything else is for those who show the
//! token; where there is none, for those on this machine. A browser is on this machine too: what a
//! page has it send is known by its `Origin`, and a name that a stranger has pointed at this machine
//! by its `Host`.

use std::sync::Arc;
use std::time::Duration;

use http_body_util::{BodyExt, Full, Limited};
use hyper::body::{Bytes, Incoming};
use hyper::header::{
    ALLOW, AUTHORIZATION, CONTENT_TYPE, HOST, HeaderName, HeaderValue, ORIGIN, WWW_AUTHENTICATE,
};
use hyper::http::uri::Authority;
use hyper::{HeaderMap, Method, Request, Response, StatusCode};
use prometheus_client::registry::Registry;
use serde::Serialize;
use subtle::ConstantTimeEq;
use tokio::time::timeout;
use tracing::warn;

use super::operations::{Operations, Reloaded};
use super::{domains, live, metrics, ready, sessions, settings, statements, status};

/// The longest body that is read: a directive for the log.
const BODY_BYTES: usize = 4096;

/// How long a body may take to come.
const BODY_TIMEOUT: Duration = Duration::from_secs(5);

const TEXT: &str = "text/plain; charset=utf-8";

/// What browsers are told with every answer: it is what it says that it is, no page of others may
/// embed it, and none of it is kept.
const FOR_BROWSERS: [(&str, &str); 5] = [
    ("content-security-policy", live::POLICY),
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "no-referrer"),
    ("cache-control", "no-store"),
    ("cross-origin-resource-policy", "same-origin"),
];

/// Who has something done, for the log.
const BY: &str = "the admin endpoint";

const JSON: &str = "application/json";

/// How much of it is served on a listener.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reach {
    /// All of it.
    Everything,
    /// Health and metrics.
    Probes,
}

/// Who gets to a listener.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// The user of this process, by a Unix socket.
    Socket,
    /// Programs on this machine.
    Loopback,
    /// Whoever the network lets in.
    Network,
}

/// What is served on one listener.
pub(super) struct Service {
    pub(super) reach: Reach,
    pub(super) place: Place,
    pub(super) operations: Operations,
    pub(super) registry: Arc<Registry>,
}

/// What is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Page {
    Live,
    Ready,
    /// A file of the live page.
    View(live::Part),
    Metrics,
    Status,
    Statements,
    Sessions,
    Domains,
    Keys,
    Config,
    Reload,
    Drain,
    Recycle,
    /// The number of the session.
    Kill(u64),
    Level,
}

impl Page {
    fn named(path: &str) -> Option<Self> {
        Some(match path {
            "/livez" => Self::Live,
            "/readyz" => Self::Ready,
            "/metrics" => Self::Metrics,
            "/v1/status" => Self::Status,
            "/v1/statements" => Self::Statements,
            "/v1/sessions" => Self::Sessions,
            "/v1/domains" => Self::Domains,
            "/v1/keys" => Self::Keys,
            "/v1/config" => Self::Config,
            "/v1/reload" => Self::Reload,
            "/v1/drain" => Self::Drain,
            "/v1/recycle" => Self::Recycle,
            "/v1/log-level" => Self::Level,
            _ => match live::part(path) {
                Some(part) => Self::View(part),
                None => Self::Kill(killed(path)?),
            },
        })
    }

    const fn is_health(self) -> bool {
        matches!(self, Self::Live | Self::Ready)
    }

    const fn is_probe(self) -> bool {
        self.is_health() || matches!(self, Self::Metrics)
    }

    /// The method that it takes; HEAD goes with GET.
    const fn method(self) -> &'static str {
        match self {
            Self::Reload | Self::Drain | Self::Recycle | Self::Kill(_) => "POST",
            Self::Level => "PUT",
            _ => "GET",
        }
    }
}

impl Service {
    /// Answers a request.
    pub(super) async fn answer(&self, request: Request<Incoming>) -> Response<Full<Bytes>> {
        let page = Page::named(request.uri().path());
        let served = page.filter(|page| self.reach == Reach::Everything || page.is_probe());
        let Some(page) = served else {
            return text(StatusCode::NOT_FOUND, "there is no such page\n");
        };
        if let Some(refusal) = self.refusal(page, request.headers()) {
            return refusal;
        }
        let is_head = request.method() == Method::HEAD && page.method() == "GET";
        if request.method().as_str() != page.method() && !is_head {
            let mut refusal = text(StatusCode::METHOD_NOT_ALLOWED, "not by this method\n");
            let method = HeaderValue::from_static(page.method());
            refusal.headers_mut().insert(ALLOW, method);
            return refusal;
        }
        let vitals = &self.operations.vitals;
        match page {
            Page::Live => text(StatusCode::OK, "live\n"),
            Page::View(part) => typed(StatusCode::OK, part.content_type, part.body),
            Page::Ready => match ready::check(vitals).await {
                (true, lines) => text(StatusCode::OK, lines),
                (false, lines) => text(StatusCode::SERVICE_UNAVAILABLE, lines),
            },
            Page::Metrics => {
                vitals.probe().await;
                match metrics::text(&self.registry) {
                    Some(text) => typed(StatusCode::OK, metrics::CONTENT_TYPE, text),
                    None => failed(),
                }
            }
            Page::Status => {
                vitals.probe().await;
                document(&status::of(vitals))
            }
            Page::Statements => document(&statements::of(vitals)),
            Page::Sessions => match after(request.uri().query()) {
                Some(after) => document(&sessions::of(vitals, after)),
                None => text(StatusCode::BAD_REQUEST, "write ?after=NUMBER, or nothing\n"),
            },
            Page::Domains => document(&domains::domains(vitals)),
            Page::Keys => document(&domains::keys(vitals)),
            Page::Config => document(&settings::of(vitals)),
            Page::Reload => self.reload().await,
            Page::Drain => {
                self.operations.drain(BY);
                text(StatusCode::ACCEPTED, "draining\n")
            }
            Page::Recycle => {
                let sessions = self.operations.recycle(BY);
                let said = format!("ending {sessions} sessions, each when it is idle\n");
                text(StatusCode::ACCEPTED, said)
            }
            Page::Kill(session) => match self.operations.kill(session, BY) {
                true => text(StatusCode::ACCEPTED, "ending\n"),
                false => text(StatusCode::NOT_FOUND, "there is no such session\n"),
            },
            Page::Level => self.set_level(request.into_body()).await,
        }
    }

    /// Why a request may not have a page, if so; see the head of this file.
    fn refusal(&self, page: Page, headers: &HeaderMap) -> Option<Response<Full<Bytes>>> {
        if self.reach == Reach::Probes {
            return None;
        }
        if headers.contains_key(ORIGIN) {
            return Some(text(StatusCode::FORBIDDEN, "not for pages of the web\n"));
        }
        if page.is_health() {
            return None;
        }
        match self.operations.vitals.token() {
            // It asks for the token by itself, which a browser can't show with a link.
            Some(_) if matches!(page, Page::View(_)) => None,
            Some(token) if shows(headers, token.as_bytes()) => None,
            Some(_) => {
                let mut refusal = text(StatusCode::UNAUTHORIZED, "show the token\n");
                let scheme = HeaderValue::from_static("Bearer");
                refusal.headers_mut().insert(WWW_AUTHENTICATE, scheme);
                Some(refusal)
            }
            None if self.place == Place::Socket => None,
            None if self.place == Place::Loopback && names_this_machine(headers) => None,
            None => Some(text(StatusCode::FORBIDDEN, "not without a token\n")),
        }
    }

    async fn reload(&self) -> Response<Full<Bytes>> {
        let (status, said) = match self.operations.reload(BY).await {
            Reloaded::Taken => (StatusCode::OK, "reloaded\n"),
            Reloaded::Refused => (
                StatusCode::UNPROCESSABLE_ENTITY,
                "not reloaded: the log says why\n",
            ),
            Reloaded::Busy => (
                StatusCode::SERVICE_UNAVAILABLE,
                "another reload is under way\n",
            ),
        };
        text(status, said)
    }

    async fn set_level(&self, body: Incoming) -> Response<Full<Bytes>> {
        let body = Limited::new(body, BODY_BYTES).collect();
        let Ok(Ok(body)) = timeout(BODY_TIMEOUT, body).await else {
            return text(
                StatusCode::BAD_REQUEST,
                "the body is too long, or too slow\n",
            );
        };
        let body = body.to_bytes();
        let level = std::str::from_utf8(&body).map(str::trim);
        match level {
            Ok(level) if !level.is_empty() && self.changes_level(level) => {
                text(StatusCode::OK, "set until the next start\n")
            }
            _ => {
                let said = "write a level such as info or pgveil=debug,warn\n";
                text(StatusCode::BAD_REQUEST, said)
            }
        }
    }

    /// Sets the level of the log, and says so where nothing may be written any more afterwards.
    fn changes_level(&self, level: &str) -> bool {
        let shown = level.escape_default();
        warn!("told by the admin endpoint to set the level of the log: {shown}");
        (self.operations.controls.set_level)(level)
    }
}

/// The number of a session in the path by which it is ended.
fn killed(path: &str) -> Option<u64> {
    let number = path.strip_prefix("/v1/sessions/")?.strip_suffix("/kill")?;
    let is_number = number.bytes().all(|byte| byte.is_ascii_digit());
    number.parse().ok().filter(|_| is_number)
}

/// The number behind which sessions are asked for; 0 if none is given.
fn after(query: Option<&str>) -> Option<u64> {
    match query {
        None => Some(0),
        Some(query) => query.strip_prefix("after=")?.parse().ok(),
    }
}

/// Whether a request shows the token, in a time that tells nothing of where it differs.
fn shows(headers: &HeaderMap, token: &[u8]) -> bool {
    let mut fields = headers.get_all(AUTHORIZATION).into_iter();
    let (Some(shown), None) = (fields.next(), fields.next()) else {
        return false;
    };
    let shown = shown.as_bytes().split_at_checked("Bearer ".len());
    shown.is_some_and(|(scheme, shown)| {
        scheme.eq_ignore_ascii_case(b"Bearer ") && bool::from(shown.ct_eq(token))
    })
}

/// Whether a request was meant for this machine, by a name that nobody else can give it.
fn names_this_machine(headers: &HeaderMap) -> bool {
    let host = headers.get(HOST).and_then(|host| host.to_str().ok());
    let authority = host.and_then(|host| host.parse::<Authority>().ok());
    authority.is_some_and(|authority| {
        let host = authority.host().trim_matches(['[', ']']);
        let address = host
            .parse()
            .map(|address: std::net::IpAddr| address.is_loopback());
        address.unwrap_or_else(|_| host.eq_ignore_ascii_case("localhost"))
    })
}

fn text(status: StatusCode, text: impl Into<Bytes>) -> Response<Full<Bytes>> {
    typed(status, TEXT, text)
}

fn document(value: &impl Serialize) -> Response<Full<Bytes>> {
    match serde_json::to_string(value) {
        Ok(json) => typed(StatusCode::OK, JSON, json),
        Err(_) => failed(),
    }
}

fn failed() -> Response<Full<Bytes>> {
    text(
        StatusCode::INTERNAL_SERVER_ERROR,
        "a fault of pgveil's own\n",
    )
}

fn typed(
    status: StatusCode,
    content_type: &'static str,
    body: impl Into<Bytes>,
) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::new(body.into()));
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(content_type));
    for (name, value) in FOR_BROWSERS {
        headers.insert(
            HeaderName::from_static(name),
            HeaderValue::from_static(value),
        );
    }
    response
}

#[cfg(test)]
mod tests {
    use hyper::header::HeaderName;

    use super::*;

    fn headers(name: HeaderName, value: &'static str) -> HeaderMap {
        [(name, HeaderValue::from_static(value))]
            .into_iter()
            .collect()
    }

    #[test]
    fn only_the_whole_token_is_the_token() {
        let token = b"0123456789abcdef";
        for (field, shows_it) in [
            ("Bearer 0123456789abcdef", true),
            ("bearer 0123456789abcdef", true),
            ("Bearer 0123456789abcde", false),
            ("Bearer 0123456789abcdef0", false),
            ("Bearer ", false),
            ("Bearer", false),
            ("Basic 0123456789abcdef", false),
            ("0123456789abcdef", false),
        ] {
            let headers = headers(AUTHORIZATION, field);
            assert_eq!(shows(&headers, token), shows_it, "{field}");
        }
        assert!(!shows(&HeaderMap::new(), token));
        let mut two = headers(AUTHORIZATION, "Bearer 0123456789abcdef");
        two.append(AUTHORIZATION, HeaderValue::from_static("Bearer x"));
        assert!(!shows(&two, token));
    }

    #[test]
    fn a_name_that_a_stranger_may_own_is_not_this_machine() {
        for (host, is_ours) in [
            ("127.0.0.1:9632", true),
            ("localhost:9632", true),
            ("LOCALHOST", true),
            ("[::1]:9632", true),
            ("evil.example:9632", false),
            ("localhost.evil.example", false),
            ("127.0.0.1.evil.example", false),
            ("10.0.0.1", false),
            ("", false),
        ] {
            assert_eq!(names_this_machine(&headers(HOST, host)), is_ours, "{host}");
        }
        assert!(!names_this_machine(&HeaderMap::new()));
    }
}
