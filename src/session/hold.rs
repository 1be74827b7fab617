//! Between judgement and answer others may change what a statement means: it waits in the server
//! for a lock, and is then planned by the new definitions. So each answer that could show a key, or
//! that leaves a portal or a relation behind, is compared with how often the definitions have
//! changed. That is a load and a comparison, and as long as nothing has moved it is all.
//!
//! If others have changed something since the snapshot was right by which the statement was judged,
//! the answer is held back. Only the server can say what it has used, and it is busy answering; so
//! all that it owes is gathered, up to a bound, and then it is asked. What it has used it had read
//! by then, so the look that follows shows it, or something later. Every statement whose answer is
//! held is judged again by what the look has shown: what is judged as before is shown, anything
//! else ends the session. Nothing ends because something has changed that is of no account.
//!
//! Where this session can't look (its transaction has failed, or sees what others had committed when
//! it began; the answer is larger than the bound; the client waits without a Sync), a look that
//! another session has begun and ended meanwhile serves as well. If none comes, the session ends.
//! Errors and notices are not held in a transaction that has failed by them: they lose what they
//! may quote.
//!
//! Where no snapshot is trusted (`catalog_max_age_s = 0`) others may move without telling, and every
//! such answer is held until the server has been asked.

use std::sync::Arc;
use std::time::Duration;

use bytes::BytesMut;

use super::again::Likeness;
use super::expected::{Expected, Query};
use super::fatal::Fatal;
use super::frame_cursor::FrameCursor;
use super::held::{Hold, Sight, Stage};
use super::pending_query::MAX_ATTEMPTS;
use super::plans::Analysis;
use super::running::{Flow, Running, Streaming, Wanted};
use super::shared::{Catalog, Mode};
use super::statements::Portal;
use super::turn::HEAVY_ANSWER_BYTES;
use crate::catalog::Snapshot;
use crate::sql::plan::{KeptKind, Plan};
use crate::sql::{self, Verdict};
use crate::wire::backend::TransactionStatus;
use crate::wire::frame::{self, Header};
use crate::wire::report::{Report, field};

/// No more of an answer is held back than this, in bytes, but where no snapshot is trusted.
const MOST_HELD_BYTES: usize = 4 << 20;

/// Who has sent so much of a batch behind an error in it, in bytes, hears of that before its end.
const MOST_IN_VAIN_BYTES: usize = 64 << 10;

/// So much of the texts of portals is read when another snapshot is used, in bytes.
const MOST_READ_BYTES: usize = 1 << 20;

/// So long another session's look is waited for, where this one can't look.
const PATIENCE: Duration = Duration::from_secs(5);

/// After so long another session is asked for one, and so long after that again.
const PLEA_AFTER: Duration = Duration::from_millis(250);

impl Running {
    /// Whether others may have changed what a statement means that is being answered, since it was
    /// judged.
    fn is_overtaken(&self) -> bool {
        self.overtaken.is_some()
            || self.others_have_moved()
            || self.path_may_have_moved()
            || !self.own_moves.transient(&self.moves).is_empty()
    }

    fn others_have_moved(&self) -> bool {
        let (count, settled) = (self.moves.count(), self.catalog_view.right_until());
        count != settled && self.own_moves.others_have_moved(settled, count)
    }

    /// Whether what the server says now may be about definitions that nobody has looked at.
    pub(super) fn is_unseen(&self) -> bool {
        match &self.hold {
            Some(_) => self.shows_unseen(),
            None => self.watches() && self.is_overtaken(),
        }
    }

    fn watches(&self) -> bool {
        self.mode == Mode::Enforce && self.shared.annotates()
    }

    /// Whether what is held back is about the definitions of the snapshot, or the snapshot that has come
    /// since.
    fn is_sure(&self) -> bool {
        let has_moved = self.others_have_moved() || self.path_may_have_moved();
        !has_moved && !self.looks_always() || self.is_shown()
    }

    /// Whether a look has shown the definitions that began when what is held back could not be about
    /// others any more: whoever has looked, and whatever is under way.
    fn is_shown(&self) -> bool {
        let after = self.hold.as_ref().map(|hold| hold.after);
        let is_later = self.catalog_view.last_look() > after && after.is_some();
        let is_of_then = || self.path_sight.is_of(self.catalog_view.base().epoch);
        is_later && (!self.path_may_have_moved() || is_of_then())
    }

    /// Takes down that the next message is by the definitions of now, unless the server holds the
    /// locks by which it is by those of the message in front.
    fn date_answer(&mut self, kind: u8) {
        let is_first = self
            .hold
            .as_ref()
            .is_some_and(|hold| hold.completed == 0 && hold.ready == 0);
        let is_row = matches!(kind, b'D' | b'd');
        if !(is_row && is_first && !self.runs_code()) {
            self.date(self.moves.last_look());
        }
    }

    /// Takes down by which definitions all is that comes behind what there is room for.
    fn date_rest(&mut self) {
        if self.runs_code() {
            self.date(u64::MAX);
        }
    }

    fn date(&mut self, after: u64) {
        if let Some(hold) = &mut self.hold {
            hold.after = after;
        }
    }

    /// Whether an answer is being gathered, so that the next message belongs to it; or it begins
    /// with a message of this kind.
    pub(super) fn holds_back(&mut self, kind: u8) -> Result<bool, Fatal> {
        if self.is_paused() || self.failure.unshown.is_some() {
            return Ok(false);
        }
        if let Some(hold) = &self.hold {
            return Ok(hold.stage == Stage::Gathering);
        }
        let looks_always = self.looks_always();
        if !(looks_always || self.is_overtaken()) || !self.watches() || !self.shows(kind) {
            return Ok(false);
        }
        if matches!(kind, b'D' | b'd') && !looks_always && self.is_planned() && !self.runs_code() {
            return Ok(false);
        }
        if !looks_always && !self.others_have_moved() && !self.path_may_have_moved() {
            // Another session has looked.
            match self.judge_again() {
                Likeness::Same => return Ok(false),
                Likeness::Unread(_) => {}
                Likeness::Other => return Err(self.redefined()),
            }
        }
        self.path_sight.watch();
        self.hold = Some(Box::new(Hold {
            after: self.moves.last_look(),
            ..Hold::default()
        }));
        Ok(true)
    }

    fn looks_always(&self) -> bool {
        self.shared.limits.catalog_max_age.is_zero()
    }

    /// Whether a message shows what the statement has come to, or what it has left behind.
    fn shows(&self, kind: u8) -> bool {
        let leaves = |plan: Option<&Plan>| plan.is_some_and(leaves);
        match self.queue.head() {
            Some(Expected::Query(query)) => match kind {
                b'T' | b'D' | b'd' | b'H' => {
                    !is_the_same_always(query_text(query), query.own_plan())
                }
                b'C' => leaves(query.own_plan()),
                b'E' => self.looks_always() && query.refused().is_none(),
                _ => false,
            },
            Some(Expected::Execute(portal)) => match kind {
                b'D' | b'd' | b'H' => !is_portal_the_same_always(portal),
                b'C' => leaves(portal.statement.plan()),
                b'E' => self.looks_always(),
                _ => false,
            },
            Some(Expected::DescribePortal(portal) | Expected::OwnDescribe(portal)) => {
                kind == b'T' && !is_portal_the_same_always(portal)
            }
            // What a portal does is settled when it is opened, or shown when it is run: COPY, which
            // may take data, during which nobody could look.
            Some(Expected::Bind {
                portal,
                refused: None,
                ..
            }) => {
                kind == b'2'
                    && portal.statement.is_planned_when_bound()
                    && !is_portal_the_same_always(portal)
            }
            _ => false,
        }
    }

    /// Whether it was settled when it was last compared what the statement means that is being
    /// answered: the server has planned it, and holds the locks by which it stays as it is.
    fn is_planned(&self) -> bool {
        match self.queue.head() {
            Some(Expected::Execute(portal)) => {
                self.begun || portal.used.is_none() && portal.statement.is_planned_when_bound()
            }
            _ => self.begun,
        }
    }

    /// Whether it may run code of the user, which no lock keeps as it is.
    fn runs_code(&mut self) -> bool {
        if let Some(known) = self.runs_code {
            return known;
        }
        let snapshot = &self.catalog().snapshot;
        let runs = match self.queue.head() {
            Some(Expected::Execute(portal)) => {
                let analysis = &portal.explained.analysis;
                analysis.text.is_empty() || self.names_code(analysis)
            }
            Some(Expected::Query(query)) if query.used.is_empty() => match query_text(query) {
                [] => true,
                text => names_code(snapshot, text),
            },
            _ => return true,
        };
        self.runs_code = Some(runs);
        runs
    }

    /// Whether a text may run code of the user, by the words in it.
    pub(super) fn names_code(&self, analysis: &Analysis) -> bool {
        let mut all = usize::MAX;
        has_code(self.catalog(), analysis, &mut all)
    }

    /// Whether a text may call what does more than to compute, by the words in it.
    pub(super) fn names_changes(&self, analysis: &Analysis) -> bool {
        let read = || names_changes(&self.catalog().snapshot, &analysis.text);
        analysis.changes.by(self.catalog().epoch, read)
    }

    /// Whether a text names a function that may do more than to compute, or is too long to be read
    /// for that.
    pub(super) fn calls_changes(&self, analysis: &Analysis) -> bool {
        if analysis.text.len() > HEAVY_ANSWER_BYTES {
            return true;
        }
        let text = String::from_utf8_lossy(&analysis.text);
        let functions = self.catalog().snapshot.functions();
        sql::possible_names(&text).any(|name| functions.may_change(&name))
    }

    /// Whether code of the user runs unasked behind a relation that a text names.
    pub(super) fn runs_unasked(&self, analysis: &Analysis) -> bool {
        runs_unasked(&self.catalog().snapshot, &analysis.text)
    }

    /// Takes down which portals may run code of the user, by the snapshot from before another one is
    /// used: what that calls such code may be something else. There may be many portals of many long
    /// texts: what is too much to be read at once is taken for code.
    pub(super) fn overtake_portals(&mut self, before: &Catalog) {
        if before.epoch == self.catalog().epoch {
            return;
        }
        let mut left = MOST_READ_BYTES;
        for portal in self.portals.each() {
            let statement = &portal.statement;
            let state = self.statements.state_mut(statement);
            if state.overtaken {
                continue;
            }
            let runs = has_code(before, &statement.analysis, &mut left) || {
                let rest = left.checked_sub(statement.analysis.text.len());
                left = rest.unwrap_or_default();
                rest.is_none() || runs_unasked(&before.snapshot, &statement.analysis.text)
            };
            state.overtaken = runs;
        }
    }

    /// Takes down which portals may run code of the user where this session has looked, perhaps
    /// behind an answer.
    pub(super) fn overtake_by_own_look(&mut self, before: Arc<Catalog>) {
        self.overtake_portals(&before);
        if self.looks_behind() {
            self.overtake(before);
        }
    }

    /// Keeps the snapshot by which was forwarded what is being answered, in front of another one.
    pub(super) fn overtake(&mut self, before: Arc<Catalog>) {
        if !self.queue.is_empty() {
            self.overtaken.get_or_insert(before);
        }
    }

    /// The client has sent a message of so many bytes.
    pub(super) fn note_sent(&mut self, bytes: usize) {
        if let Some(hold) = self.hold.as_mut().filter(|hold| hold.failed) {
            hold.behind = hold.behind.saturating_add(bytes);
        }
    }

    /// To be called before a message is judged, which may leave something in the queue.
    pub(super) fn begin_judging(&mut self) {
        self.use_deferred();
        match self.queue.is_empty() {
            true => self.own_moves.forward(self.catalog_view.counted()),
            false => self.own_moves.go_through(),
        }
    }

    /// The server begins to show what the statement that is being answered has come to.
    pub(super) const fn begin_answer(&mut self) {
        (self.begun, self.runs_code) = (true, None);
    }

    /// It has been answered.
    pub(super) const fn end_answer(&mut self) {
        (self.begun, self.runs_code) = (false, None);
    }

    /// Takes the message at the front into what is held. Returns whether there may be more.
    pub(super) fn gather(
        &mut self,
        header: Header,
        front: &mut FrameCursor<'_>,
        server: &mut BytesMut,
    ) -> Result<bool, Fatal> {
        self.date_answer(header.kind);
        let Some(hold) = &mut self.hold else {
            return Ok(false);
        };
        // The client is to send data now, and has seen nothing of what came before.
        if header.kind == b'G' {
            return Err(self.unseen());
        }
        // Where every answer is held, all of it is, as long as there is memory.
        let is_large = hold.bytes.len().saturating_add(header.total) > MOST_HELD_BYTES;
        let is_large = is_large && !self.shared.limits.catalog_max_age.is_zero();
        if is_large || front.lease().ask(header.total).is_err() {
            hold.full = true;
            self.date_rest();
            self.settle_hold(server)?;
            return Ok(false);
        }
        if front.rest().len() < header.total {
            front.lease().release(header.total);
            front.grow(header.total)?;
            return Ok(false);
        }
        if header.kind == b'E' && is_fatal(front.rest(), header)? {
            // The last word of the server: nothing will come that could settle the rest.
            hold.bytes.clear();
            hold.stage = Stage::Released { unseen: true };
            return Ok(true);
        }
        hold.push(header, &front.take(header.total))?;
        if header.kind == b'Z' {
            self.settle_hold(server)?;
        }
        Ok(true)
    }

    /// Decides what becomes of what is held, if it can be decided now.
    pub(super) fn settle_hold(&mut self, server: &mut BytesMut) -> Result<(), Fatal> {
        let Some(hold) = self.hold.as_ref().filter(|hold| hold.is_open()) else {
            return Ok(());
        };
        let readies = self.queue.readies(hold.failed);
        let all = self.flow == Flow::Synced
            && self.from_client == Streaming::Nothing
            && readies == Some(hold.ready);
        let status = hold.status.filter(|_| all);
        let can_look = !hold.full && !hold.dim;
        let failed = status == Some(TransactionStatus::Failed);
        // What has failed has left nothing behind, and takes with it what its transaction has made.
        let alone = (failed && hold.ready == 1).then_some(hold.completed);
        let leaves = || hold.completed > 0 && self.leaves_anything(alone);
        // The client goes on sending as long as it hears nothing.
        let goes_on = match self.flow {
            Flow::CopyIn => true,
            Flow::Batch => hold.behind > MOST_IN_VAIN_BYTES,
            _ => false,
        };
        if (failed || hold.failed && goes_on) && can_look && !hold.rows && !leaves() {
            self.release(true);
            return Ok(());
        }
        let mut unanalysed = Vec::new();
        if self.is_sure() {
            match self.judge_again() {
                Likeness::Same => {
                    self.release(false);
                    return Ok(());
                }
                Likeness::Other => return Err(self.redefined()),
                Likeness::Unread(views) => unanalysed = views,
            }
        }
        if let Some(status) = status.filter(|_| can_look && !failed) {
            self.patient_for = unanalysed;
            self.look_behind(status, server);
            return Ok(());
        }
        self.wait_for_others(all || readies.is_none() || self.is_batch_halted())
    }

    /// Whether a batch that is open won't go on before what is held back is shown: the client waits
    /// for that, or its next message does, or nothing more of it is taken.
    fn is_batch_halted(&self) -> bool {
        let is_flushed = self.flushed_batch == self.batch;
        self.flow == Flow::Batch && (is_flushed || self.waits || !self.takes_more())
    }

    /// Waits for the look of another session where this one can't look, but not for ever.
    fn wait_for_others(&mut self, must: bool) -> Result<(), Fatal> {
        let now = self.now;
        let Some(hold) = self.hold.as_mut().filter(|hold| must || hold.full) else {
            return Ok(());
        };
        let since = *hold.stuck_since.get_or_insert(now);
        match now.saturating_sub(since) > PATIENCE {
            true => Err(self.unseen()),
            false => Ok(()),
        }
    }

    /// Asks the server behind the answer.
    fn look_behind(&mut self, status: TransactionStatus, server: &mut BytesMut) {
        if let Some(hold) = &mut self.hold {
            hold.stage = Stage::Asking;
            hold.stuck_since = None;
        }
        let wanted = match self.patient_for.is_empty() {
            true => Wanted::Version,
            false => Wanted::Catalog,
        };
        self.status = status;
        self.wanted = self.wanted.max(wanted);
        self.put_first(server);
    }

    /// Whether the question under way is for what is held back.
    pub(super) fn looks_behind(&self) -> bool {
        let hold = self.hold.as_ref();
        hold.is_some_and(|hold| hold.stage == Stage::Asking)
    }

    /// The question has been answered.
    pub(super) fn looked_behind(
        &mut self,
        sight: Sight,
        server: &mut BytesMut,
    ) -> Result<(), Fatal> {
        // Names may have meant something else.
        if self.path_sight.has_drifted() {
            return Err(self.redefined());
        }
        let is_clear = match sight {
            Sight::Clear => true,
            Sight::Dim => !self.others_have_moved() || self.is_shown(),
            Sight::Superseded => return Err(self.redefined()),
            Sight::None => self.is_sure(),
        };
        let likeness = match is_clear {
            true => self.judge_again(),
            false => Likeness::Same,
        };
        let now = self.now;
        let Some(hold) = &mut self.hold else {
            return Ok(());
        };
        match likeness {
            Likeness::Other => return Err(self.redefined()),
            Likeness::Same if is_clear => self.release(false),
            Likeness::Unread(views) if hold.looks < MAX_ATTEMPTS => {
                hold.looks += 1;
                self.patient_for = views;
                self.look_behind(self.status, server);
            }
            Likeness::Same | Likeness::Unread(_) => {
                hold.stage = Stage::Gathering;
                hold.dim = true;
                hold.stuck_since = Some(now);
            }
        }
        Ok(())
    }

    fn release(&mut self, unseen: bool) {
        self.heard += 1;
        if let Some(hold) = &mut self.hold {
            hold.stage = Stage::Released { unseen };
        }
    }

    /// What is to be shown now, once all of it has been gathered and judged.
    pub(super) fn released(&mut self) -> Option<BytesMut> {
        let hold = self.hold.as_mut().filter(|hold| hold.is_released())?;
        Some(std::mem::take(&mut hold.bytes))
    }

    /// Whether there is such.
    pub(super) fn is_released(&self) -> bool {
        self.hold.as_ref().is_some_and(|hold| hold.is_released())
    }

    /// Keeps the rest of it for the next turn; there is none at the end.
    pub(super) fn put_back(&mut self, rest: BytesMut) {
        match &mut self.hold {
            Some(hold) if !rest.is_empty() => hold.bytes = rest,
            _ => self.hold = None,
        }
    }

    /// Whether another session's look is waited for.
    pub(super) fn is_stuck(&self) -> bool {
        let hold = self.hold.as_ref();
        hold.is_some_and(|hold| hold.stage == Stage::Gathering && hold.stuck_since.is_some())
    }

    /// Asks for the look of another session, if this one has waited long enough for one that somebody
    /// has for reasons of their own. Gives the number of the last question.
    pub(super) fn plead(&mut self) -> Option<u64> {
        let (now, last) = (self.now, self.moves.last_look());
        let hold = self.hold.as_mut();
        let hold = hold.filter(|hold| hold.stage == Stage::Gathering)?;
        let since = hold.pleaded_at.max(hold.stuck_since)?;
        let is_due = hold.stuck_since.is_some() && now.saturating_sub(since) >= PLEA_AFTER;
        is_due.then(|| {
            hold.pleaded_at = Some(now);
            last
        })
    }

    /// Looks at the database because another session has asked for that, if nothing is under way here,
    /// and nobody has asked the server since.
    pub(super) fn heed_plea(&mut self, last_look: u64, server: &mut BytesMut) {
        let is_free = self.is_idle() && self.watches() && self.link.is_none();
        if is_free && self.moves.last_look() <= last_look {
            self.wanted = self.wanted.max(Wanted::Version);
            self.ask(None, server);
        }
    }

    /// Whether nothing more is held back, so that nothing more need be read.
    pub(super) fn is_full(&self) -> bool {
        self.is_stuck() && self.hold.as_ref().is_some_and(|hold| hold.full)
    }

    /// Whether what is shown now is shown although nobody has looked.
    pub(super) fn shows_unseen(&self) -> bool {
        let hold = self.hold.as_ref();
        hold.is_some_and(|hold| hold.stage == Stage::Released { unseen: true })
    }

    /// Whether what is held back has neither rows nor errors in it: that statements have been
    /// carried out, and no more.
    pub(super) fn holds_no_word(&self) -> bool {
        let hold = self.hold.as_ref();
        hold.is_some_and(|hold| !hold.rows && hold.rows_from.is_none() && !hold.failed)
    }

    /// Whether a statement that is being answered leaves a cursor or a relation behind. In a text
    /// that has ended in a transaction that has failed, so many have been carried out.
    fn leaves_anything(&self, until_failed: Option<usize>) -> bool {
        self.queue
            .iter()
            .any(|expected| match (expected, until_failed) {
                (Expected::Query(query), Some(completed)) => leaves_in_spite(query, completed),
                (Expected::Query(query), None) => plans(query, usize::MAX).any(leaves),
                (Expected::Execute(portal), _) => portal.statement.plan().is_some_and(leaves),
                _ => false,
            })
    }

    /// What the last ReadyForQuery told that is held back.
    pub(super) fn held_status(&self) -> Option<TransactionStatus> {
        self.hold.as_ref().and_then(|hold| hold.status)
    }

    /// Whether a text may run code of the user, by the words in it.
    pub(super) fn may_run_code(&self, text: &[u8]) -> bool {
        let snapshot = &self.catalog().snapshot;
        names_code(snapshot, text) || runs_unasked(snapshot, text)
    }

    /// How many bytes are held back.
    pub(super) fn held_back(&self) -> usize {
        self.hold.as_ref().map_or(0, |hold| hold.bytes.len())
    }
}

/// The text of a query.
pub(super) fn query_text(query: &Query) -> &[u8] {
    match &query.glanced {
        Some(glanced) => &glanced.text,
        None => &query.analysis.text,
    }
}

/// Whether a statement shows the same whatever is defined: constants, or a setting. It is no query
/// for the server, in front of which a transaction may still say what kind it is to be.
fn is_the_same_always(text: &[u8], plan: Option<&Plan>) -> bool {
    let is_setting = || {
        let text = text.trim_ascii();
        let text = text.strip_suffix(b";").unwrap_or(text);
        let word = text.get(..5).unwrap_or_default();
        word.eq_ignore_ascii_case(b"show ") && !text.contains(&b';')
    };
    // The plan of what is clean at a glance says nothing.
    plan.is_some_and(|plan| plan.constant) || sql::is_probe(text) || is_setting()
}

fn is_portal_the_same_always(portal: &Portal) -> bool {
    let statement = &portal.statement;
    is_the_same_always(&statement.analysis.text, statement.plan())
}

/// The plans of the first so many statements of a text that are not refused.
fn plans(query: &Query, first: usize) -> impl Iterator<Item = &Plan> {
    let statements = query.analysis.script.statements.iter().take(first);
    statements.filter_map(|statement| match &statement.verdict {
        Verdict::Forward(plan) => Some(plan),
        Verdict::Refuse(_) => None,
    })
}

/// Whether a text that has ended in a transaction that has failed leaves something behind: what it
/// has prepared, or anything if another transaction has ended before among the statements that were
/// carried out, so many since it is held back, or if there is a savepoint to go back to.
fn leaves_in_spite(query: &Query, completed: usize) -> bool {
    let prepares = |plan: &Plan| {
        let kept = plan.effect.keeps.as_deref();
        kept.is_some_and(|kept| kept.kind == KeptKind::Statement)
    };
    let carried_out = || plans(query, query.current.saturating_add(completed));
    let savepoint = b"savepoint";
    let mut places = query.analysis.text.windows(savepoint.len());
    let lasts = carried_out().any(|plan| plan.effect.ends_transaction)
        || places.any(|place| place.eq_ignore_ascii_case(savepoint));
    carried_out().any(|plan| prepares(plan) || lasts && leaves(plan))
}

/// Whether a statement leaves something under a name that is explained by how it was judged.
fn leaves(plan: &Plan) -> bool {
    plan.effect.keeps.is_some() || plan.effect.creates.is_some()
}

/// Whether an error ends the connection.
fn is_fatal(message: &[u8], header: Header) -> Result<bool, Fatal> {
    let body = frame::body(message, header).map_err(Fatal::Server)?;
    let report = Report::decode(body).map_err(Fatal::Server)?;
    let severity = report.text(field::SEVERITY_PLAIN);
    Ok(matches!(severity, Some("FATAL" | "PANIC")))
}

/// Whether an analysed text may run code of the user, with so many bytes `left` to be read: if they
/// don't suffice, and nobody has read it before, it may.
fn has_code(catalog: &Catalog, analysis: &Analysis, left: &mut usize) -> bool {
    analysis.code.by(catalog.epoch, || {
        let rest = left.checked_sub(analysis.text.len());
        *left = rest.unwrap_or_default();
        rest.is_none() || names_code(&catalog.snapshot, &analysis.text)
    })
}

/// Whether a text may call what does more than to compute, by the words in it. That is asked at each of
/// the server's answers, so a text whose answers are heavy is taken for one, and not read.
pub(super) fn names_changes(snapshot: &Snapshot, text: &[u8]) -> bool {
    let may_change = |name: String| snapshot.functions().may_change(&name);
    text.len() > HEAVY_ANSWER_BYTES || names_code(snapshot, text) || {
        let text = String::from_utf8_lossy(text);
        sql::possible_names(&text).any(may_change)
    }
}

/// Whether code of the user runs unasked behind a relation that a text may name: of triggers, say.
fn runs_unasked(snapshot: &Snapshot, text: &[u8]) -> bool {
    let text = String::from_utf8_lossy(text);
    sql::possible_names(&text).any(|name| {
        let mut named = snapshot.named(&name);
        named.any(|relation| !relation.runs.is_empty() || snapshot.leads_on(relation.oid))
    })
}

/// Whether a text may run code of the user, by the names in it, whatever encoding they are in. What
/// may be a name that is spelled in another way is taken for one.
fn names_code(snapshot: &Snapshot, text: &[u8]) -> bool {
    let Some(text) = std::str::from_utf8(text)
        .ok()
        .filter(|text| text.is_ascii())
    else {
        return true;
    };
    // Operators of the user are no words, and casts need none; a name may be spelled
    // `U&"\0066"`, or have a quote in it.
    if snapshot.may_run_hidden(text) || text.contains("&\"") || text.contains("\"\"") {
        return true;
    }
    sql::possible_names(text).any(|name| {
        snapshot.functions().of_user(None, &name).next().is_some()
            || snapshot.is_relation_name(&name) && !snapshot.is_plain_table(&name)
    })
}
