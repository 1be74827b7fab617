//! A session between its first ReadyForQuery and its end: what it remembers, and when it asks
//! the server something of its own. What it does with each message is in [`super::client`] and
//! [`super::server`].

use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;
use std::time::Duration;

use tracing::Span;

use super::catalog_view::CatalogView;
use super::codecs::Codecs;
use super::copy::Copying;
use super::edit::Editor;
use super::edited::Refused;
use super::fatal::{Failure, OutOfPlace};
use super::frame_cursor::FrameCursor;
use super::held::Hold;
use super::link::Link;
use super::memory::{self, Account};
use super::moves::{About, Mark, Moves, Own};
use super::named::Named;
use super::own_query::{Cancellation, Extent};
use super::path_sight::PathSight;
use super::pending_query::{MAX_ATTEMPTS, PendingQuery, PlaceInLine};
use super::plans::{Analysis, Circumstances, Hashed, Lookup};
use super::queue::Queue;
use super::revised::Revisions;
use super::rows::RowEncoder;
use super::settings::{Doubt, Settings};
use super::shared::{Catalog, Epoch, Mode, Shared};
use super::stage::Stage;
use super::statements::{Portal, Statement};
use super::turn::{Burden, Effort, HEAVY_ANSWER_BYTES, HEAVY_KEPT, Step};
use crate::audit::{Activity, Doing};
use crate::catalog::{Oid, SearchPath};
use crate::sql;
use crate::sql::plan::{Effect, PathChange, Paths};
use crate::wire::backend::TransactionStatus;
use crate::wire::frontend::Query;

/// No more answers than this are owed at once: then the client has to wait. Each is at least
/// five bytes long, so the server has flushed its buffer of 8 KB long before, and the wait ends.
const MAX_EXPECTED: usize = 16_384;

/// Where the server is in reading what was forwarded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Flow {
    /// At the end of a batch: the last message was Sync or Query.
    Synced,
    /// Inside a batch of the extended protocol.
    Batch,
    /// After an error, discarding everything up to the next Sync.
    Skipping,
    /// In COPY … FROM STDIN, taking data.
    CopyIn,
}

/// What has to be asked at the next opportunity; the later includes the former.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Wanted {
    Nothing,
    SearchPath,
    /// Whether the snapshot of the database is still right.
    Version,
    Catalog,
}

impl Wanted {
    /// What is asked for to begin with.
    fn by(paths: &Paths) -> Self {
        paths
            .now
            .as_ref()
            .map_or(Self::SearchPath, |_| Self::Nothing)
    }
}

/// A frame of which the rest is yet to come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Streaming {
    /// No frame has begun.
    #[default]
    Nothing,
    /// So many bytes pass.
    Passing(usize),
    /// So many bytes are dropped.
    Dropping(usize),
    /// So many bytes of CopyData are translated.
    Copying(usize),
}

impl Streaming {
    /// Moves what is there. Returns whether the frame is through.
    pub(super) fn advance(&mut self, front: &mut FrameCursor<'_>) -> bool {
        match self {
            Self::Nothing => return true,
            Self::Passing(remaining) => {
                front.stream(remaining);
                if *remaining > 0 {
                    return false;
                }
            }
            Self::Dropping(remaining) => {
                let count = front.rest().len().min(*remaining);
                front.skip(count);
                *remaining -= count;
                if *remaining > 0 {
                    return false;
                }
            }
            // By [`Running::advance_client`].
            Self::Copying(_) => return false,
        }
        *self = Self::Nothing;
        true
    }
}

/// The session.
#[derive(Debug)]
pub(super) struct Running {
    pub(super) shared: Arc<Shared>,
    pub(super) codecs: Codecs,
    pub(super) mode: Mode,
    pub(super) settings: Settings,
    /// Whether these are the settings that the next text will be read by.
    pub(super) doubt: Doubt,
    pub(super) catalog_view: CatalogView,
    /// Whether the database has changed.
    pub(super) moves: Arc<Moves>,
    /// What this session has sent that may change it, or may end a transaction which has.
    pub(super) own_moves: Own,
    pub(super) paths: Paths,
    /// Present behind a pooler that takes another session of the server for each transaction.
    pub(super) link: Option<Link>,
    /// The open transaction has changed the path, so its end may change it back.
    pub(super) path_changed: bool,
    /// What the server has said of the path last. Schemas that others make or drop, or whose rights
    /// they change, move it without a word of the session's own.
    pub(super) path_sight: PathSight,
    pub(super) circumstances: Hashed,
    /// They have changed since the session began, so that statements may be judged by others.
    pub(super) has_refreshed: bool,
    pub(super) status: TransactionStatus,
    pub(super) queue: Queue,
    pub(super) statements: Named<Statement>,
    pub(super) portals: Named<Portal>,
    /// What these and the queue take.
    pub(super) account: Account,
    /// A DEALLOCATE has run: names that seem taken may be free.
    pub(super) deallocated: bool,
    /// Cursors have been declared, or statements prepared, in SQL: likewise.
    pub(super) keeps: bool,
    /// The number of the batch that is being forwarded.
    pub(super) batch: u64,
    pub(super) flow: Flow,
    pub(super) wanted: Wanted,
    pub(super) pause: Option<PendingQuery>,
    pub(super) place: PlaceInLine,
    /// How much of the snapshot may have changed since the last one.
    pub(super) extent: Extent,
    /// A question was not answered: until when none is asked.
    pub(super) given_up_until: Option<Duration>,
    /// The client has cancelled what it takes for the statement that it has sent last.
    pub(super) cancelled: Option<Cancellation>,
    /// What questions are prepared as: a name that the client does not know.
    pub(super) own_name: Box<str>,
    /// The client's next message is there and waits for an answer of the server.
    pub(super) waits: bool,
    /// How much had been heard of the server when that was found.
    pub(super) waits_since: u64,
    /// Counts what changes whether a message of the client has to wait.
    pub(super) heard: u64,
    /// The server has been told to send the answers that it has.
    pub(super) flushed: bool,
    /// The batch in which it was told so last, or by the client.
    pub(super) flushed_batch: u64,
    /// What others have changed may concern an answer that is held back until that is known.
    pub(super) hold: Option<Box<Hold>>,
    /// The snapshot by which statements were forwarded to which answers are owed, if another one has
    /// been taken since.
    pub(super) overtaken: Option<Arc<Catalog>>,
    /// What has been defined anew between that one and the snapshot of now, once that was looked for.
    pub(super) revisions: Option<Box<Revisions>>,
    /// The server has begun to show what the statement that is being answered has come to.
    pub(super) begun: bool,
    /// Whether that may run code of the user, if it is known.
    pub(super) runs_code: Option<bool>,
    /// The hash of a text with an unknown name for the sake of which the server is being asked or
    /// has just been asked, and for what.
    pub(super) fresh_for: Option<(u64, Wanted)>,
    /// The client has said that it goes.
    pub(super) terminated: bool,
    /// The views whose definitions it needs, which could not be read before.
    pub(super) patient_for: Vec<Oid>,
    /// How often they were asked for.
    pub(super) patience: u8,
    /// A snapshot that came while another one was needed: it is taken later.
    deferred: Option<Arc<Catalog>>,
    hasher: RandomState,
    pub(super) loaded: Option<Arc<Catalog>>,
    /// The time, as the owner told it last.
    pub(super) now: Duration,
    /// The batch before which the snapshot of the database was verified last.
    pub(super) verified_batch: u64,
    /// The one before which the search path was asked for last, and the snapshot of then: while a
    /// change is under way nobody can say more of it.
    pub(super) path_asked: Option<(u64, Epoch)>,
    pub(super) rows: RowEncoder,
    pub(super) copying: Copying,
    /// Why the data of the COPY under way are refused. The server has been sent CopyFail.
    pub(super) copy_refused: Option<Arc<Refused>>,
    /// The message that had no place in COPY. The server ends the connection for it; nothing more
    /// is taken from the client.
    pub(super) out_of_place: Option<OutOfPlace>,
    /// How many Syncs the server may have taken for nothing during COPY FROM STDIN, or may answer
    /// next: where the COPY had failed before it read them.
    pub(super) stray_syncs: usize,
    /// The server has raised an error since its last ReadyForQuery.
    pub(super) failed: bool,
    pub(super) from_client: Streaming,
    pub(super) from_server: Streaming,
    /// What was begun last.
    pub(super) stage: Stage,
    /// What the message in hand takes upon itself.
    pub(super) burden: Burden,
    /// Whether the statement that is being answered fails: a value of its result can't be shown.
    pub(super) failure: Failure,
}

impl Running {
    pub(super) fn new(
        shared: Arc<Shared>,
        mode: Mode,
        settings: Settings,
        catalog_view: CatalogView,
        (path, asked_at): (Option<SearchPath>, (Duration, Mark)),
        account: Account,
    ) -> Self {
        let doubt = Doubt::default();
        let pooled = shared.limits.pooled;
        let path = path.map(|path| path_for(path, pooled));
        let link = pooled.then(|| Link::new(path.clone()));
        let path_sight = PathSight::new(path.clone(), asked_at);
        let paths = Paths::settled(path);
        let circumstances = circumstances(&catalog_view, &paths, &settings, doubt.is_there());
        Self {
            codecs: Codecs::new(&shared),
            wanted: Wanted::by(&paths),
            shared,
            mode,
            settings,
            doubt,
            catalog_view,
            moves: Arc::default(),
            own_moves: Own::default(),
            paths,
            link,
            path_changed: false,
            path_sight,
            circumstances,
            has_refreshed: false,
            status: TransactionStatus::Idle,
            queue: Queue::default(),
            statements: Named::default(),
            portals: Named::default(),
            account,
            deallocated: false,
            keeps: false,
            batch: 1,
            flow: Flow::Synced,
            pause: None,
            place: PlaceInLine::default(),
            extent: Extent::Changes,
            given_up_until: None,
            cancelled: None,
            own_name: own_name(),
            waits: false,
            waits_since: 0,
            heard: 0,
            flushed: false,
            flushed_batch: 0,
            hold: None,
            overtaken: None,
            revisions: None,
            begun: false,
            runs_code: None,
            fresh_for: None,
            terminated: false,
            patient_for: Vec::new(),
            patience: 0,
            deferred: None,
            hasher: RandomState::new(),
            loaded: None,
            now: Duration::ZERO,
            verified_batch: 0,
            path_asked: None,
            rows: RowEncoder::default(),
            copying: Copying::default(),
            copy_refused: None,
            out_of_place: None,
            stray_syncs: 0,
            failed: false,
            from_client: Streaming::Nothing,
            from_server: Streaming::Nothing,
            stage: Stage::default(),
            burden: Burden::default(),
            failure: Failure::default(),
        }
    }

    /// Tells with which sessions it shares a database.
    pub(super) fn beside(mut self, moves: &Arc<Moves>) -> Self {
        self.moves = Arc::clone(moves);
        self
    }

    /// Says whether its owner brings it what others look for ([`super::Session::in_line`]).
    pub(super) const fn joining(mut self, joins: bool) -> Self {
        self.place.joins = joins;
        self
    }

    /// Says whose session it is, and who watches it.
    pub(super) fn speaking_in(mut self, span: &Span, activity: &Arc<Activity>) -> Self {
        self.codecs.teller.speak_in(span);
        self.codecs.teller.count_in(activity);
        self
    }

    /// Wants a look at the database if the snapshot of it is older than the operator allows. Not
    /// inside of a transaction: there a query of the session's own would come before those
    /// settings that a transaction takes only before its first query. Nor if all that the client has
    /// sent is a query that asks for nothing of the database: whatever comes behind it is held to
    /// the same age.
    pub(super) fn check_age(&mut self, sent: &[u8]) {
        if self.shared.annotates() && self.is_quiet() && self.status == TransactionStatus::Idle {
            let due = self.due(sent);
            let is_probe = || Query::alone(sent).is_some_and(|query| sql::is_probe(query.text));
            if due > self.wanted && !is_probe() {
                self.wanted = due;
            }
        }
    }

    /// What has to be asked before a batch that begins with these bytes.
    fn due(&self, sent: &[u8]) -> Wanted {
        let max_age = self.shared.limits.catalog_max_age;
        if self.catalog_view.is_outdated() || self.makes_in_a_batch(sent) {
            Wanted::Catalog
        } else if self.verified_batch != self.batch
            && (self.catalog_view.is_due(self.now, max_age)
                || self.catalog_view.has_moved(self.moves.count()))
        {
            Wanted::Version
        } else if self.path_asked != Some((self.batch, self.catalog_view.base().epoch))
            && (self.path_may_have_moved() || self.path_sight.is_older(max_age, self.now))
        {
            Wanted::SearchPath
        } else {
            Wanted::Nothing
        }
    }

    /// What its buffers take in memory, but for those that are always small.
    pub(super) fn buffers(&self) -> usize {
        self.copying.held() + self.held_back() + memory::queued_bytes(self.queue.len())
    }

    /// Whether a message of the client may be taken now. While answers are held back, what completes
    /// a batch or a message still may.
    pub(super) fn accepts(&self) -> bool {
        let is_complete = self.flow == Flow::Synced && self.from_client == Streaming::Nothing;
        (self.hold.is_none() || !is_complete) && self.takes_more()
    }

    /// Whether a message of the client may be taken now, whatever is held back.
    pub(super) fn takes_more(&self) -> bool {
        self.pause.is_none()
            && !self.failure.is_awaited(self.flow == Flow::Skipping)
            && self.out_of_place.is_none()
            && self.queue.len() < MAX_EXPECTED
    }

    /// Whether no answer is owed and no batch is open.
    pub(super) fn is_quiet(&self) -> bool {
        self.queue.is_empty() && self.flow == Flow::Synced && self.pause.is_none()
    }

    /// What it shows of itself.
    pub(super) fn doing(&self) -> Doing {
        match self.is_quiet() {
            true => super::between(self.status),
            false => Doing::Active,
        }
    }

    pub(super) fn is_idle(&self) -> bool {
        self.is_quiet()
            && self.status == TransactionStatus::Idle
            && self.from_client == Streaming::Nothing
    }

    /// Whether the session may ask something of its own: nothing is under way, and the server
    /// would answer.
    pub(super) fn may_ask(&self) -> bool {
        let given_up = self.given_up_until.is_some_and(|until| self.now < until);
        self.is_quiet()
            && self.status != TransactionStatus::Failed
            && !given_up
            && !self.is_passing()
    }

    /// Whether a part of a client's frame is on its way to the server: nothing may come between.
    fn is_passing(&self) -> bool {
        matches!(self.from_client, Streaming::Passing(_))
    }

    /// Whether it keeps many bytes, or many answers, of which small ones are not counted.
    pub(super) fn is_large(&self) -> bool {
        !self.account.is_small_with(0) || self.queue.len() > HEAVY_KEPT
    }

    /// Whether the client has got only a part of a frame.
    pub(super) fn is_inside_a_frame(&self) -> bool {
        self.from_server != Streaming::Nothing
    }

    /// Offers a snapshot to other sessions.
    pub(super) fn publish(&mut self, catalog: Arc<Catalog>) {
        self.loaded = Some(catalog);
    }

    pub(super) fn take_loaded(&mut self) -> Option<Arc<Catalog>> {
        self.loaded.take()
    }

    /// Takes a snapshot that another session has published. One that lacks definitions is taken
    /// where the session can ask for those, which it can't inside of a batch, and none in the
    /// place of a snapshot that was taken for the sake of the text that waits.
    pub(super) fn use_catalog(&mut self, catalog: Arc<Catalog>) {
        self.heard += 1;
        let lacks_definitions = catalog.is_unread() && self.flow != Flow::Synced;
        if lacks_definitions || self.patience > 0 {
            self.deferred = Some(catalog);
            return;
        }
        self.deferred = None;
        let before = Arc::clone(self.catalog());
        if self.catalog_view.use_newer(catalog) {
            self.overtake_portals(&before);
            self.overtake(before);
            self.refresh();
        }
    }

    /// Takes the snapshot that came when it could not be used, if it can be now.
    pub(super) fn use_deferred(&mut self) {
        if self.flow == Flow::Synced
            && self.patience == 0
            && let Some(catalog) = self.deferred.take()
        {
            self.use_catalog(catalog);
        }
    }

    /// To be called when something has changed on which the meaning of texts depends.
    pub(super) fn refresh(&mut self) {
        let circumstances = self.circumstances_behind(&self.paths, false);
        // The same ones are kept, for they are compared by their address first.
        if circumstances != self.circumstances {
            self.circumstances = circumstances;
            self.has_refreshed = true;
        }
    }

    /// The circumstances of now, but for where names are looked for, and `in_doubt` if a statement in
    /// front may change the settings.
    pub(super) fn circumstances_behind(&self, paths: &Paths, in_doubt: bool) -> Hashed {
        let in_doubt = in_doubt || self.doubt.is_there();
        circumstances(&self.catalog_view, paths, &self.settings, in_doubt)
    }

    /// What the session knows of the database.
    pub(super) const fn catalog(&self) -> &Arc<Catalog> {
        self.catalog_view.catalog()
    }

    pub(super) fn editor(&self) -> Editor<'_> {
        Editor {
            shared: &self.shared,
            codecs: &self.codecs,
            statements: &self.statements,
            portals: &self.portals,
            account: &self.account,
            mode: self.mode,
            utf8: self.is_utf8(),
        }
    }

    /// Whether the client's text is UTF-8 for certain.
    pub(super) fn is_utf8(&self) -> bool {
        self.settings.is_utf8() && !self.doubt.is_there()
    }

    /// Whether the server may read a text in another way than the settings tell, which were those
    /// of its last answer.
    pub(super) fn may_be_misread(&self, text: &[u8]) -> bool {
        self.doubt.is_there() && !sql::reads_in_one_way(text)
    }

    /// The analysis of a text. If it names something that the snapshot does not have, the server is
    /// asked first whether that is still right, where that is possible; the text must then be
    /// looked up again. That is so each time, because nobody tells when such a name comes into being.
    pub(super) fn look_up(&mut self, text: &[u8], declared: &[u8]) -> Result<Arc<Analysis>, Step> {
        let circumstances = self.circumstances_of(text);
        self.look_up_patiently(&circumstances, text, declared)
    }

    /// The analysis of a text under these circumstances, if they are those of now but for how a
    /// text is read.
    pub(super) fn look_up_patiently(
        &mut self,
        circumstances: &Hashed,
        text: &[u8],
        declared: &[u8],
    ) -> Result<Arc<Analysis>, Step> {
        let lookup = Lookup {
            circumstances,
            text,
            declared,
            fresh: true,
        };
        let Some(analysis) = self.analysis_by_effort(lookup) else {
            return Err(Step::Heavy);
        };
        // Where nothing is annotated, no name is of any account.
        let absent = analysis.script.absent_name();
        let Some(absent) = absent.filter(|_| self.shared.annotates()) else {
            self.patience = 0;
            return Ok(analysis);
        };
        let hash = self.hash(text);
        // Another session's snapshot may have come in between, which lacks the definition.
        let unanalysed = self.catalog().snapshot.unanalysed(absent);
        let lacks = !unanalysed.is_empty() && self.patience < MAX_ATTEMPTS;
        // A look tells of no relation that only this session sees.
        let wanted = match unanalysed.is_empty() && self.has_nothing_temporary() {
            true => Wanted::Version,
            false => Wanted::Catalog,
        };
        let is_fresh = self
            .fresh_for
            .is_some_and(|(of, asked)| of == hash && asked >= wanted);
        let is_known = is_fresh && !lacks;
        if !is_known && self.flow == Flow::Synced && !self.queue.is_empty() {
            // It can be asked for once the server has answered what came before.
            return Err(Step::Waits);
        }
        if is_fresh && !(lacks && self.may_ask()) {
            (self.fresh_for, self.patience) = (None, 0);
            return Ok(analysis);
        }
        if !self.may_ask() {
            self.patience = 0;
            return Ok(self.look_up_in(circumstances, text, declared, false));
        }
        self.patience = self
            .patience
            .saturating_add(u8::from(!unanalysed.is_empty()));
        self.patient_for = unanalysed;
        self.fresh_for = Some((hash, wanted));
        self.wanted = self.wanted.max(wanted);
        Err(Step::Waits)
    }

    /// Whether a simple query has nothing to do with ids, by what is known now. A long one that
    /// shows rows is analysed before it runs: its result may ask for that, and by then it would be
    /// too late to refuse what takes more steps than it may.
    pub(super) fn is_clean(&self, text: &[u8]) -> bool {
        let is_long = text.len() > HEAVY_ANSWER_BYTES && self.catalog().snapshot.has_ids();
        if is_long && sql::may_return_rows(text) {
            return false;
        }
        let lookup = Lookup {
            circumstances: &self.circumstances,
            text,
            declared: &[],
            fresh: false,
        };
        self.may_glance() && self.shared.is_clean(self.catalog(), lookup)
    }

    /// Whether a glance at a text can tell anything: nothing is under way that changes what it
    /// means.
    pub(super) fn may_glance(&self) -> bool {
        self.wanted == Wanted::Nothing
            // The end of the transaction would change it back unseen.
            && !self.path_changed
            && !self.catalog_view.is_unsettled()
            && !self.doubt.may_change_back()
            && !self.makes_temporary()
    }

    /// The analysis of a text, unless it takes more than the message in hand may take upon itself.
    /// One that is made with [`Effort::Heavy`] uses that up for the messages behind: this one may
    /// need several, and the cache need not keep them for another try.
    fn analysis_by_effort(&mut self, lookup: Lookup<'_>) -> Option<Arc<Analysis>> {
        let catalog = self.catalog_view.catalog();
        let is_heavy = self.burden.effort == Effort::Heavy;
        let found = self.shared.light_analysis(catalog, lookup, is_heavy);
        if found.is_some() || !is_heavy {
            return found;
        }
        self.burden.used = true;
        Some(self.shared.analysis(catalog, lookup))
    }

    /// A hash that differs from session to session.
    pub(super) fn hash(&self, bytes: &[u8]) -> u64 {
        self.hasher.hash_one(bytes)
    }

    /// The analysis of a text, by what is known now.
    pub(super) fn look_up_now(&self, text: &[u8], declared: &[u8], fresh: bool) -> Arc<Analysis> {
        self.look_up_in(&self.circumstances, text, declared, fresh)
    }

    /// The analysis of a text under these circumstances, by what is known now.
    pub(super) fn look_up_in(
        &self,
        circumstances: &Hashed,
        text: &[u8],
        declared: &[u8],
        fresh: bool,
    ) -> Arc<Analysis> {
        let lookup = Lookup {
            circumstances,
            text,
            declared,
            fresh,
        };
        self.shared.analysis(self.catalog(), lookup)
    }

    /// Whether a text has to wait: what is forwarded may have changed what it means, and the
    /// server will tell without anything more from the client.
    pub(super) fn must_wait(&self) -> bool {
        self.wanted != Wanted::Nothing && self.flow == Flow::Synced && !self.queue.is_empty()
    }

    /// Whether the open batch has changed the database in ways that the analysis can't see.
    pub(super) fn is_in_doubt(&self) -> bool {
        let given_up = self.given_up_until.is_some();
        self.wanted == Wanted::Catalog && (self.flow == Flow::Batch || given_up)
    }

    /// Remembers what a statement that is being forwarded will have changed.
    pub(super) fn foresee(&mut self, effect: &Effect) {
        if self.doubt.foresee(effect, self.batch) {
            self.refresh();
        }
        if self.shared.annotates() && self.catalog_view.foresee(effect) {
            if !effect.private || effect.ends_transaction {
                let about = match effect.indexes && !effect.ends_transaction {
                    true => About::Index,
                    false => About::Meanings,
                };
                self.own_moves.begin(&self.moves, about);
            }
            self.wanted = Wanted::Catalog;
            if effect.ends_transaction || !(effect.private || effect.creates.is_some()) {
                self.path_sight.forget();
            }
            self.refresh();
        }
        self.lend(effect);
        self.forget_cursors(effect);
        match &effect.search_path {
            PathChange::Unchanged => return,
            PathChange::Reverted | PathChange::Committed | PathChange::RolledBack
                if !self.path_changed =>
            {
                return;
            }
            change => self.paths.change(change),
        }
        self.path_sight.forget();
        self.path_changed = true;
        self.wanted = self.wanted.max(Wanted::SearchPath);
        self.refresh();
    }

    /// To be called at the end of each batch with its number and the status that ReadyForQuery told.
    pub(super) fn settle(&mut self, batch: u64, status: TransactionStatus) {
        self.status = status;
        self.catalog_view
            .losses
            .settle(status, self.queue.is_empty());
        if self.doubt.answered(batch, status) {
            self.refresh();
        }
        if status == TransactionStatus::Idle {
            if self.path_changed {
                self.path_changed = false;
                self.path_sight.forget();
                self.wanted = self.wanted.max(Wanted::SearchPath);
            }
            if self.catalog_view.end_transaction() {
                self.wanted = Wanted::Catalog;
            }
        }
        self.give_back(status);
    }

    /// What was foreseen of the search path did not come true, or not for certain.
    pub(super) fn doubt_path(&mut self) {
        if self.path_changed && self.paths.now.is_some() {
            self.paths.forget();
            self.path_sight.forget();
            self.wanted = self.wanted.max(Wanted::SearchPath);
            self.refresh();
        }
    }

    /// Whether others may have moved the path since the server told it. A pooled session says it itself.
    pub(super) fn path_may_have_moved(&self) -> bool {
        let (seen, count) = (self.path_sight.count(), self.moves.count());
        seen != count && self.link.is_none() && self.own_moves.others_have_moved(seen, count)
    }

    /// Takes what the server says of the path.
    pub(super) fn found_path(&mut self, path: SearchPath, status: TransactionStatus) {
        if self.found_path_of_link(&path, status) {
            return;
        }
        if status == TransactionStatus::Idle {
            self.paths = Paths::settled(Some(path));
        } else {
            self.paths.now = Some(path);
        }
    }
}

impl Drop for Running {
    /// A session that ends before it has looked at what it has changed leaves that to the others.
    fn drop(&mut self) {
        if self.wanted == Wanted::Catalog || self.catalog_view.is_unsettled() {
            self.catalog_view.mark_stale();
        }
    }
}

/// The path by which a session judges: behind a pooler, that of any session there.
fn path_for(path: SearchPath, pooled: bool) -> SearchPath {
    match pooled {
        true => path.of_any_session(),
        false => path,
    }
}

/// A name for what the session itself prepares, which nobody can guess.
pub(super) fn own_name() -> Box<str> {
    let random = RandomState::new();
    let (first, second) = (random.hash_one(1), random.hash_one(2));
    format!("pgveil_{first:016x}{second:016x}").into()
}

/// What the meaning of texts depends on.
/// `in_doubt`: a statement in front may change the settings.
fn circumstances(
    catalog_view: &CatalogView,
    paths: &Paths,
    settings: &Settings,
    in_doubt: bool,
) -> Hashed {
    let client_encoding = if in_doubt {
        sql::UNKNOWN_ENCODING
    } else {
        &settings.client_encoding
    };
    Hashed::new(Circumstances {
        epoch: catalog_view.catalog().epoch,
        path: paths.now.clone(),
        paths: (!paths.are_settled() && *paths != Paths::default()).then(|| paths.clone()),
        standard_conforming_strings: settings.standard_conforming_strings,
        client_encoding: client_encoding.to_owned(),
        // Bodies of functions may be read in the other way.
        made: catalog_view.is_blind() || in_doubt && !settings.standard_conforming_strings,
        fronted: catalog_view.is_fronted(),
        unseen: catalog_view.has_unseen_code(),
        unsettled: catalog_view.is_unsettled(),
    })
}
