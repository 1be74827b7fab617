//! When and how a running session asks the server something of its own, and what it does with the
//! answer. The questions themselves are in [`super::interlude`].

use std::sync::Arc;
use std::time::Duration;

use bytes::BytesMut;
use tracing::debug;

use super::fatal::Fatal;
use super::held::Sight;
use super::own_query::{Answer, Extent, Failure, OwnQuery, Way};
use super::pending_query::{Asked, Attempt, BARE_ATTEMPT, MAX_ATTEMPTS, PendingQuery, Step};
use super::running::{Running, Wanted};
use super::stage::Stage;
use crate::catalog::Reading;
use crate::wire::backend::TransactionStatus;

/// What a statement has defined that is about no relation, as its tag says: the next
/// question asks for that at once.
const SHARED: [&[u8]; 11] = [
    b"AGGREGATE",
    b"CAST",
    b"DOMAIN",
    b"EXTENSION",
    b"FUNCTION",
    b"LANGUAGE",
    b"OPERATOR",
    b"PROCEDURE",
    b"ROUTINE",
    b"SCHEMA",
    b"TYPE",
];

/// What a statement with this tag has changed in the database, if anything.
pub(super) fn changed_by(tag: &[u8]) -> Extent {
    let (verb, object) = tag.split_at(tag.iter().position(|byte| *byte == b' ').unwrap_or(0));
    let defines = matches!(verb, b"CREATE" | b"ALTER" | b"DROP");
    let object = object.trim_ascii_start();
    if defines && SHARED.iter().any(|name| object.starts_with(name)) {
        Extent::Shared
    } else {
        Extent::Changes
    }
}

/// For so long a question that was not answered is not asked again.
const RETRY_AFTER: Duration = Duration::from_secs(1);

impl Running {
    /// Asks what is wanted, if that is possible now. Returns whether the client has to wait;
    /// then it gets `held` as ReadyForQuery afterwards.
    pub(super) fn ask(&mut self, held: Option<TransactionStatus>, server: &mut BytesMut) -> bool {
        if self.wanted == Wanted::Nothing || !self.may_ask() {
            return false;
        }
        self.put(Attempt::FIRST, held, server);
        true
    }

    /// Whether the path may wait: nothing that the client has sent needs it, and a question would
    /// be the first query of a transaction, before which it may still say what kind it is to be.
    pub(super) fn can_do_without_path(&self) -> bool {
        self.wanted == Wanted::SearchPath && self.status == TransactionStatus::Open
    }

    fn put(&mut self, attempt: Attempt, held: Option<TransactionStatus>, server: &mut BytesMut) {
        if attempt.is_first() && self.may_join() {
            let after = self.moves.last_look();
            let step = Step::InLine { after };
            self.pause = Some(PendingQuery {
                step,
                held,
                attempt,
            });
            return;
        }
        self.put_now((attempt, false), held, server);
    }

    /// Whether the look of any other session would do for this one.
    fn may_join(&self) -> bool {
        self.place.joins
            && self.wanted == Wanted::Version
            && self.status == TransactionStatus::Idle
            && self.patient_for.is_empty()
            && self.catalog_view.are_shared()
    }

    /// Whether its question stands in line.
    pub(super) fn is_in_line(&self) -> bool {
        let step = self.pause.as_ref().map(|pause| &pause.step);
        matches!(step, Some(Step::InLine { .. }))
    }

    /// Goes on with a question that stands in line: asks for the path alone if another session has
    /// looked since, and the snapshot that it has found to be right is the one that is used.
    pub(super) fn leave_line(&mut self, now: Duration, server: &mut BytesMut) {
        let Some((pause, after)) = self.called(now) else {
            return;
        };
        let looked =
            self.catalog_view.last_look() > Some(after) && !self.catalog_view.base().is_stale();
        let joined = looked && self.may_join();
        if joined {
            self.wanted = Wanted::SearchPath;
        }
        self.put_now((pause.attempt, joined), pause.held, server);
    }

    /// Whether it has asked for others and has no answer; once.
    pub(super) fn take_failed(&mut self) -> bool {
        std::mem::take(&mut self.place.failed)
    }

    /// Asks a question that stands in line, for all those behind it.
    pub(super) fn head_line(&mut self, now: Duration, server: &mut BytesMut) {
        if let Some((pause, _)) = self.called(now) {
            self.place.heads = true;
            self.put_now((pause.attempt, false), pause.held, server);
        }
    }

    /// Takes the question that stands in line, with the number of the last one in front of it.
    fn called(&mut self, now: Duration) -> Option<(PendingQuery, u64)> {
        let in_line = |pause: &mut PendingQuery| matches!(pause.step, Step::InLine { .. });
        let pause = self.pause.take_if(in_line)?;
        let Step::InLine { after } = pause.step else {
            return None;
        };
        self.now = now;
        Some((pause, after))
    }

    fn put_now(
        &mut self,
        (attempt, joined): (Attempt, bool),
        held: Option<TransactionStatus>,
        server: &mut BytesMut,
    ) {
        let way = Way {
            name: &self.own_name,
            pooled: self.shared.limits.pooled,
            status: self.status,
            behind: self.looks_behind(),
        };
        let version = self.catalog_view.base().version();
        let interlude = match (self.wanted, version) {
            (Wanted::Nothing | Wanted::SearchPath, _) if attempt.snapshot.is_none() => {
                OwnQuery::search_path(way, server)
            }
            (Wanted::Version, Some(version)) if attempt.snapshot.is_none() => {
                OwnQuery::look(version, way, server)
            }
            _ => {
                let loader = self.catalog_view.remind(self.shared.loader());
                let known = self.catalog_view.known();
                let extent = attempt.snapshot.unwrap_or(self.extent);
                let reading = match &*self.patient_for {
                    [] if attempt.number >= BARE_ATTEMPT => Reading::Nothing,
                    [] => Reading::Free,
                    views if attempt.number >= BARE_ATTEMPT => Reading::Only(views.to_vec()),
                    views => Reading::Patient(views.to_vec()),
                };
                OwnQuery::catalog(loader, known, (&reading, extent), way, server)
            }
        };
        if self.shared.limits.pooled {
            // A simple query replaces the unnamed statement and portal.
            self.doubt_statements();
            self.portals.replace(b"", None);
        }
        let asked = Asked {
            interlude,
            at: (self.now, self.moves.mark()),
            joined,
        };
        self.pause = Some(PendingQuery {
            step: Step::Asked(asked),
            held,
            attempt,
        });
    }

    /// Asks what is wanted although the client has not got the answers that came before.
    pub(super) fn put_first(&mut self, server: &mut BytesMut) {
        self.put(Attempt::FIRST, None, server);
    }

    pub(super) const fn is_paused(&self) -> bool {
        self.pause.is_some()
    }

    /// Whether the answer to the question under way is a snapshot of the database.
    pub(super) fn asks_for_catalog(&self) -> bool {
        let step = self.pause.as_ref().map(|pause| &pause.step);
        matches!(step, Some(Step::Asked(asked)) if asked.interlude.is_for_catalog())
    }

    /// Takes a message of the server that answers the session's own question.
    pub(super) fn overhear(
        &mut self,
        kind: u8,
        body: &[u8],
        client: &mut BytesMut,
        server: &mut BytesMut,
    ) -> Result<(), Fatal> {
        let Some(pause) = &mut self.pause else {
            return Ok(());
        };
        let Step::Asked(asked) = &mut pause.step else {
            // The server owes nothing.
            return Err(Fatal::Unexpected(kind));
        };
        let Some(status) = asked.interlude.message(kind, body, server)? else {
            return Ok(());
        };
        let Some(PendingQuery {
            step: Step::Asked(asked),
            held,
            attempt,
        }) = self.pause.take()
        else {
            return Ok(());
        };
        self.status = status;
        let held = held.map(|_| status);
        let sight = match self.answered(asked, held.is_some(), attempt) {
            Ok(sight) => sight,
            Err(next) => {
                self.put(next, held, server);
                return Ok(());
            }
        };
        self.dismiss_line(sight);
        self.refresh();
        if self.looks_behind() {
            return self.looked_behind(sight, server);
        }
        if let Some(held) = held {
            held.encode(client);
        }
        Ok(())
    }

    /// Lets those in line behind it go on, if it was asked for them too.
    fn dismiss_line(&mut self, sight: Sight) {
        if std::mem::take(&mut self.place.heads) {
            if sight == Sight::None {
                self.place.failed = true;
            } else {
                self.loaded
                    .get_or_insert_with(|| Arc::clone(self.catalog_view.base()));
            }
        }
    }

    /// Takes an answer. Gives what it shows, or how to ask again if that is to be done.
    fn answered(&mut self, asked: Asked, holds: bool, attempt: Attempt) -> Result<Sight, Attempt> {
        let Asked {
            interlude,
            at: asked_at,
            joined,
        } = asked;
        self.reach(Stage::Catalog);
        let epoch = self.catalog_view.base().epoch;
        self.path_asked = Some((self.batch, epoch));
        if let Some(path) = interlude.path() {
            self.path_sight.tell(&path, asked_at, Some(epoch));
            self.found_path(path, self.status);
        }
        let sees_commits = interlude.sees_commits();
        let sight = match sees_commits {
            true => Sight::Clear,
            false if interlude.is_superseded() => return Ok(Sight::Superseded),
            false => Sight::Dim,
        };
        let identity = interlude.identity();
        let answer = interlude.finish();
        let is_news = matches!(answer, Answer::Catalog(_) | Answer::Failed(_));
        if !is_news && self.catalog_view.base().is_of_another(identity.as_ref()) {
            // Behind an address, or a pooler, there is another server now.
            return Err(Attempt {
                snapshot: Some(Extent::All),
                ..attempt
            });
        }
        match answer {
            // What it shows is older than what it is asked for.
            Answer::Catalog(_) if !sees_commits && self.looks_behind() => return Ok(Sight::Dim),
            Answer::Catalog(loaded) => {
                let before = Arc::clone(self.catalog());
                let news = self
                    .catalog_view
                    .take(&self.shared, *loaded, self.status, asked_at);
                self.overtake_by_own_look(before);
                self.loaded = news.or_else(|| self.loaded.take());
                self.extent = Extent::Changes;
                if sees_commits {
                    self.catalog_view.saw(asked_at.1);
                }
                self.verified_batch = self.batch;
            }
            Answer::Verified(version) => {
                self.catalog_view.base().set_version(version);
                if self.status == TransactionStatus::Idle {
                    self.catalog_view.base().verify(asked_at);
                }
                if sees_commits {
                    self.catalog_view.saw(asked_at.1);
                }
                self.verified_batch = self.batch;
            }
            Answer::SearchPath if joined => self.verified_batch = self.batch,
            Answer::SearchPath => {}
            Answer::Outdated(extent) => {
                return Err(Attempt {
                    snapshot: Some(extent.max(self.extent)),
                    ..attempt
                });
            }
            Answer::Failed(failure) => {
                self.unanswered(&failure, holds, attempt)?;
                return Ok(Sight::None);
            }
        }
        (self.wanted, self.given_up_until) = (Wanted::Nothing, None);
        self.patient_for.clear();
        self.own_moves.forget(self.catalog_view.right_until());
        Ok(sight)
    }

    /// There is no answer: it is asked again if that is of use.
    fn unanswered(
        &mut self,
        failure: &Failure,
        holds: bool,
        attempt: Attempt,
    ) -> Result<(), Attempt> {
        let unfit = matches!(failure, Failure::Unfit(_));
        // A cancellation that comes behind the end of a statement is for nothing.
        self.cancelled = match failure {
            Failure::Cancelled(why) if !holds && !self.looks_behind() => Some(*why),
            _ => None,
        };
        let asks_again = self.cancelled.is_none();
        if asks_again && attempt.number < MAX_ATTEMPTS && self.status != TransactionStatus::Failed {
            return Err(attempt.again(unfit));
        }
        debug!(%failure, "the catalogs could not be read; what was known is used");
        self.give_up();
        Ok(())
    }

    /// Goes on with what is known. Others are warned of it, and what is wanted is asked for later.
    fn give_up(&mut self) {
        if self.wanted != Wanted::SearchPath {
            self.catalog_view.mark_stale();
        }
        if self.wanted == Wanted::Version {
            self.wanted = Wanted::Nothing;
        }
        self.verified_batch = self.batch;
        // What has a name that is not known has not been looked for.
        (self.fresh_for, self.patience) = (None, 0);
        self.patient_for.clear();
        let until = if self.cancelled.is_some() {
            self.now
        } else {
            self.now + RETRY_AFTER
        };
        self.given_up_until = Some(until);
    }
}
