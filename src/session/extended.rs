//! What a running session does with the messages of the extended protocol.
//!
//! Each is read in the light of the ones before it, although the server may not have answered
//! them yet: inside of a batch that is safe, because the server skips the rest of a batch in which
//! it refuses anything. What an earlier batch is to bring about is waited for.

use std::sync::Arc;

use bytes::{Bytes, BytesMut};

use super::bind::{self, Rejected};
use super::edit::{POISON, POISON_NAME};
use super::edited::{PositionMap, Refused};
use super::expected::{Described, Expected};
use super::fatal::Fatal;
use super::frame_cursor::FrameCursor;
use super::ids::Sentinels;
use super::judged::{Stale, again_under};
use super::plans::{Analysis, Lookup, refusal_of};
use super::quota::working_bytes;
use super::running::{Flow, Running};
use super::stage::Stage;
use super::statements::{Change, Portal, ResultFormats, Statement, Undo, Used};
use super::turn::HEAVY_TEXT_BYTES;
use super::turn::Step;
use crate::sql::plan::{self, Columns, Source};
use crate::sql::refusal::Code;
use crate::sql::{Plan, Refusal};
use crate::wire::backend::TransactionStatus;
use crate::wire::frame::{self, Header};
use crate::wire::frontend::{self, Bind, Execute, Parse, Target};

impl Running {
    pub(super) fn parse(
        &mut self,
        header: Header,
        front: &mut FrameCursor<'_>,
    ) -> Result<Step, Fatal> {
        let (rest, lease) = front.rest_and_lease();
        let body = frame::body(rest, header).map_err(Fatal::Client)?;
        let message = Parse::decode(body).map_err(Fatal::Client)?;
        if self.may_be_another_name(message.name) {
            return self.refuse_parse(beyond_ascii(), header, front);
        }
        if !message.name.is_empty() && !self.is_certain_of_statement(message.name) {
            return Ok(Step::Waits);
        }
        if let Some(refusal) = self.editor().no_room_for_statement(message.name, 0) {
            return self.refuse_parse(refusal, header, front);
        }
        if self.may_be_misread(message.text) {
            if self.flow == Flow::Synced {
                return Ok(Step::Waits);
            }
            return self.refuse_parse(misread(), header, front);
        }
        let working = working_bytes(message.text);
        if let Err(exceeded) = lease.ask(working) {
            return self.refuse_parse(exceeded.refusal(), header, front);
        }
        let declared = message.declared.as_bytes();
        let analysis = match self.analysis_of(message.text, declared) {
            Ok(analysis) => analysis,
            Err(step) => return Ok(step),
        };
        if analysis.script.statements.len() > 1 {
            self.parse_several(header, analysis, front)?;
            return Ok(Step::Taken);
        }
        if !self.is_certain_of_names(&analysis) {
            return Ok(Step::Waits);
        }
        self.reach(Stage::Edit);
        let edited = self.editor().edit(&analysis)?;
        lease.release(working);
        let refused = (edited.refused.into_iter().next()).map(|(_, refused)| refused);
        let under = Some(self.circumstances_of(message.text));
        let edits = (edited.shifts, edited.sentinels);
        let mut statement =
            Statement::new(self.statements.owner(), analysis, under, edits, self.batch);
        statement.executes = self.executed_by(&statement);
        statement.sent = self.sent_as((&message, &edited.text), &statement, refused.is_some());
        if let Err(exceeded) = self.count(message.name, &mut statement) {
            return self.refuse_parse(exceeded.refusal(), header, front);
        }
        let statement = Arc::new(statement);
        let change = self.prepare(message.name, &statement);
        if statement.sent.is_some() {
            self.send_parse(&change.name, &statement, header, front);
        } else {
            let text = match refused.is_some() && self.has_failed_before() {
                true => Some(POISON.as_bytes()),
                false => edited.text.as_deref(),
            };
            let parameters = statement.id_parameters().filter(|_| refused.is_none());
            if text.is_none() && parameters.is_none() {
                front.pass(header.total);
            } else {
                put_parse(header, text, parameters, front)?;
            }
        }
        self.flow = Flow::Batch;
        self.queue.push(Expected::Parse {
            change,
            statement,
            refused,
        });
        Ok(Step::Taken)
    }

    /// Whether the transaction has failed for certain: then the server says so of any one statement,
    /// but not of two.
    fn has_failed_before(&self) -> bool {
        self.status == TransactionStatus::Failed && self.queue.is_empty()
    }

    /// The analysis of a text, or what a glance tells where nothing is annotated. There a glance is
    /// enough, for no description of a result could contradict it.
    fn analysis_of(&mut self, text: &[u8], declared: &[u8]) -> Result<Arc<Analysis>, Step> {
        if !self.catalog().snapshot.can_have_ids() && self.may_glance() {
            let lookup = Lookup {
                circumstances: &self.circumstances,
                text,
                declared,
                fresh: false,
            };
            if let Some(analysis) = self.shared.at_a_glance(self.catalog(), lookup) {
                return Ok(analysis);
            }
        }
        self.look_up(text, declared)
    }

    /// Several statements in one Parse, which the server refuses once it has read all of them.
    /// Nothing of them is edited; if the server takes them for one, the session ends.
    fn parse_several(
        &mut self,
        header: Header,
        analysis: Arc<Analysis>,
        front: &mut FrameCursor<'_>,
    ) -> Result<(), Fatal> {
        let body = frame::body(front.rest(), header).map_err(Fatal::Client)?;
        let message = Parse::decode(body).map_err(Fatal::Client)?;
        let unedited = (PositionMap::default(), Sentinels::default());
        let statement = Statement::new(
            self.statements.owner(),
            analysis,
            None,
            unedited,
            self.batch,
        );
        let statement = Arc::new(statement);
        let change = self.prepare(message.name, &statement);
        front.pass(header.total);
        self.flow = Flow::Batch;
        self.queue.push(Expected::Parse {
            change,
            statement,
            refused: None,
        });
        Ok(())
    }

    /// The Parse that is sent in the place of a client's, where that is needed more than once.
    fn sent_as(
        &self,
        (message, text): (&Parse<'_>, &Option<Vec<u8>>),
        statement: &Statement,
        refused: bool,
    ) -> Option<Bytes> {
        if self.link.is_none() || refused {
            return None;
        }
        let text = text.as_deref().unwrap_or(message.text);
        let mut out = BytesMut::with_capacity(message.name.len() + text.len());
        match statement.id_parameters() {
            Some(parameters) => {
                let declared = parameters.sent.iter().map(|sent| sent.declared);
                frontend::parse(message.name, text, declared, &mut out);
            }
            None => frontend::parse(message.name, text, message.declared.iter(), &mut out),
        }
        Some(out.freeze())
    }

    /// Puts a statement under its name. The server refuses a second one of a name other than the
    /// empty one.
    fn prepare(&mut self, name: &[u8], statement: &Arc<Statement>) -> Change<Statement> {
        let undo = if self.is_taken(name) {
            Undo::Nothing
        } else {
            let new = Some(Arc::clone(statement));
            Undo::Restore(self.statements.replace(name, new))
        };
        Change {
            name: name.into(),
            undo,
        }
    }

    /// Whether the server has a statement of this name already, so that it will refuse another.
    pub(super) fn is_taken(&self, name: &[u8]) -> bool {
        let is_kept = !name.is_empty() && !self.deallocated && !self.keeps;
        is_kept && self.statements.get(name).is_some()
    }

    /// Whether it is certain what the server has under the name of a statement: it has answered,
    /// or whatever it refuses it skips the rest of the batch for.
    pub(super) fn is_certain_of_statement(&self, name: &[u8]) -> bool {
        self.is_certain_of_known(name, self.statements.get(name))
    }

    /// Whether it is certain what the server has under the name of a statement that has been looked
    /// up.
    fn is_certain_of_known(&self, name: &[u8], known: Option<&Arc<Statement>>) -> bool {
        match known {
            _ if self.queue.may_replace_statement(name) => false,
            Some(statement) if self.statements.is_live(statement) => true,
            Some(statement) => statement.batch == self.batch && !statement.is_several(),
            None => !self.queue.may_close_statement(name),
        }
    }

    /// Whether it is certain what the server has under the names that a statement uses or gives.
    fn is_certain_of_source(&self, statement: &Statement) -> bool {
        let plan = statement.plan();
        plan.is_none_or(|plan| self.is_certain_of_names_in(plan))
    }

    fn is_certain_of(&self, target: Target<'_>) -> bool {
        match target {
            Target::Statement(name) => self.is_certain_of_statement(name),
            Target::Portal(name) => self.is_certain_of_portal(name),
        }
    }

    /// Whether it is certain what the server has under the name of a portal.
    pub(super) fn is_certain_of_portal(&self, name: &[u8]) -> bool {
        match self.portals.get(name) {
            _ if self.queue.may_replace_portal(name) => false,
            Some(portal) => self.portals.is_live(portal) || portal.batch == self.batch,
            None => !self.queue.may_close_portal(name),
        }
    }

    /// What is known of a statement that the client names.
    fn statement(&self, name: &[u8]) -> Arc<Statement> {
        let known = self.statements.get(name).cloned();
        known.unwrap_or_else(|| self.unknown())
    }

    /// A statement that was not prepared in the sight of the session.
    fn unknown(&self) -> Arc<Statement> {
        let analysis = Arc::clone(&self.shared.unknown);
        let owner = self.statements.owner();
        let unedited = (PositionMap::default(), Sentinels::default());
        let statement = Statement::new(owner, analysis, None, unedited, self.batch);
        Arc::new(statement.live(owner))
    }

    /// What explains the result of a statement that is none itself, as the names stand now.
    pub(super) fn used_by(&self, plan: &Plan) -> Option<Used> {
        match &plan.source {
            Source::Itself => None,
            // Its own plan tells what EXPLAIN shows of it.
            Source::Prepared(_) if matches!(plan.columns, Columns::Explained(_)) => None,
            Source::Prepared(name) => Some(Used::Statement(self.statement(name.as_bytes()))),
            Source::Portal(name) => Some(Used::Portal(self.portal(name.as_bytes()))),
        }
    }

    /// What is known of a portal that the client names.
    fn portal(&self, name: &[u8]) -> Arc<Portal> {
        let known = self.portals.get(name).cloned();
        known.unwrap_or_else(|| {
            let owner = self.portals.owner();
            Arc::new(Portal::new(owner, self.unknown(), self.batch).live(owner))
        })
    }

    /// Whether the server has what explains a result under its name.
    pub(super) fn has_used(&self, used: &Used) -> bool {
        match used {
            Used::Statement(statement) => self.statements.is_live(statement),
            Used::Portal(portal) => self.portals.is_live(portal),
        }
    }

    /// Whether the server has a portal, and what it uses.
    pub(super) fn is_there(&self, portal: &Portal) -> bool {
        let used = portal.used.as_ref();
        self.portals.is_live(portal) && used.is_none_or(|used| self.has_used(used))
    }

    /// Why no portal can be opened for a statement, and for what it uses.
    fn unfit_to_run(&self, statement: &Statement, used: Option<&Used>) -> Option<Refusal> {
        match used {
            _ if !self.runs_what_was_judged(statement) => Some(changed()),
            // Postgres's own error, where it would need its stack for that.
            Some(used) if used.is_deep() => {
                let message = "stack depth limit exceeded";
                Some(Refusal::new(Code::Unparsed, "54001", message))
            }
            _ => None,
        }
    }

    /// Whether the bytes of a name may be those of another one, in another encoding.
    fn may_be_another_name(&self, name: &[u8]) -> bool {
        !name.is_ascii() && !self.is_utf8() && self.catalog().snapshot.has_ids()
    }

    /// Why no portal of this name can be opened.
    fn no_portal(&self, name: &[u8]) -> Option<Refusal> {
        let beyond = self.may_be_another_name(name).then(beyond_ascii);
        beyond.or_else(|| self.editor().no_room_for_portal(name, 0))
    }

    pub(super) fn bind(
        &mut self,
        header: Header,
        front: &mut FrameCursor<'_>,
    ) -> Result<Step, Fatal> {
        let body = frame::body(front.rest(), header).map_err(Fatal::Client)?;
        let bind = Bind::decode(body).map_err(Fatal::Client)?;
        let opens = bind.portal.is_empty() || self.is_certain_of_portal(bind.portal);
        let known = self.statements.get(bind.statement);
        let is_certain = opens && self.is_certain_of_known(bind.statement, known);
        let statement = known.cloned().unwrap_or_else(|| self.unknown());
        let first = (!is_certain).then_some(Step::Waits);
        if let Some(step) = first.or_else(|| self.lacks_a_definition_for(&statement)) {
            return Ok(step);
        }
        let name = Box::<[u8]>::from(bind.portal);
        let formats = ResultFormats::new(bind.results);
        if let Some(refusal) = self.no_portal(&name) {
            return self.refuse_bind(refusal, header, front);
        }
        let Ok(statement) = self.renewed(bind.statement, statement) else {
            return self.refuse_bind(changed(), header, front);
        };
        if !self.is_certain_of_source(&statement) {
            return Ok(Step::Waits);
        }
        let used = statement.plan().and_then(|plan| self.used_by(plan));
        if let Some(refusal) = self.unfit_to_run(&statement, used.as_ref()) {
            return self.refuse_bind(refusal, header, front);
        }
        self.bring_bound(header, front)?;
        let mut sentinels = statement.sentinels.clone();
        let rejected = if let Some(parameters) = statement.id_parameters() {
            self.put_bind(parameters, &mut sentinels, header, front)?
        } else {
            front.pass(header.total);
            None
        };
        let (refused, refused_later) = match rejected {
            Some(Rejected::Value(refusal)) => (Some(self.refuse(*refusal)), None),
            Some(Rejected::Stored(refusal)) => (None, Some(self.refuse(*refusal))),
            None => (None, None),
        };
        let doubtful = self.is_in_doubt() && !statement.plan().is_some_and(|plan| plan.constant);
        let explained = match &used {
            Some(used) => {
                sentinels.extend(used.sentinels());
                Arc::clone(used.explained())
            }
            None => Arc::clone(&statement),
        };
        let counted = self.count_portal(&name, formats.bytes() + sentinels.bytes());
        let portal = Arc::new(Portal {
            explained,
            used,
            doubtful,
            formats,
            refused: refused_later,
            sentinels,
            _counted: counted,
            ..Portal::new(self.portals.owner(), statement, self.batch)
        });
        let change = self.open(name, &portal);
        self.flow = Flow::Batch;
        self.queue.push(Expected::Bind {
            change,
            portal,
            refused,
        });
        Ok(Step::Taken)
    }

    /// Puts a Bind with keys in the place of the one at the front.
    fn put_bind(
        &self,
        parameters: &plan::Parameters,
        sentinels: &mut Sentinels,
        header: Header,
        front: &mut FrameCursor<'_>,
    ) -> Result<Option<Rejected>, Fatal> {
        let frame = front.take(header.total);
        let body = frame::body(&frame, header).map_err(Fatal::Client)?;
        let bind = Bind::decode(body).map_err(Fatal::Client)?;
        let (codecs, utf8) = (&self.codecs, self.is_utf8());
        let bytes = bind::translated_bytes(parameters, &bind, header.total);
        Ok(match front.built_of(bytes) {
            Ok(out) => bind::translate(codecs, parameters, &bind, utf8, sentinels, out),
            Err(exceeded) => {
                bind::poison(&bind, front.built());
                Some(Rejected::Value(Box::new(exceeded.refusal())))
            }
        })
    }

    /// What is known of a statement that the client names. If the circumstances have changed
    /// since it was analysed, it is analysed again, as the server plans it again.
    fn renewed(&mut self, name: &[u8], statement: Arc<Statement>) -> Result<Arc<Statement>, Stale> {
        let current = match &statement.circumstances {
            Some(then) => *then == self.circumstances_of(&statement.analysis.text),
            None => true,
        };
        if self.statements.is_live(&statement)
            && refusal_of(&statement.analysis, self.mode).is_some()
        {
            return Err(Stale);
        }
        // One that is refused is never there to be bound.
        if current || refusal_of(&statement.analysis, self.mode).is_some() {
            return Ok(statement);
        }
        let now = self.circumstances_of(&statement.analysis.text);
        let mut again = self.judged_again(&statement, &now)?;
        if !self.statements.is_live(&statement) {
            return Ok(Arc::new(again));
        }
        self.count_anyway(name, &mut again);
        let again = Arc::new(again);
        self.statements.replace(name, Some(Arc::clone(&again)));
        Ok(again)
    }

    /// Whether a Bind is of a statement with a long text that has to be analysed again.
    pub(super) fn may_be_renewed(&self, header: Header, rest: &[u8]) -> bool {
        let name = frame::body(rest, header).and_then(Bind::statement).ok();
        let statement = name.and_then(|name| self.statements.get(name));
        statement.is_some_and(|statement| {
            let then = statement.circumstances.as_ref();
            statement.analysis.text.len() > HEAVY_TEXT_BYTES
                && then.is_some_and(|then| *then != self.circumstances)
        })
    }

    /// What comes first where a statement that is about to run has to be judged again: a definition
    /// that could not be read, which has been asked for, or will be, or a call that may take its time.
    /// A lock on the table of a view keeps the statement waiting as it would in the server, and
    /// refuses nothing.
    pub(super) fn lacks_a_definition_of(&mut self, name: &[u8]) -> Option<Step> {
        let statement = self.statement(name);
        self.lacks_a_definition_for(&statement)
    }

    fn lacks_a_definition_for(&mut self, statement: &Statement) -> Option<Step> {
        if let Some(step) = self.lacks_a_definition(statement) {
            return Some(step);
        }
        match statement.plan().map(|plan| &plan.source) {
            Some(Source::Prepared(name)) => {
                let statement = self.statement(name.as_bytes());
                self.lacks_a_definition(&statement)
            }
            _ => self.looks_before(&statement.analysis),
        }
    }

    fn lacks_a_definition(&mut self, statement: &Statement) -> Option<Step> {
        let then = statement.circumstances.as_ref();
        let is_current = then.is_none_or(|then| *then == self.circumstances);
        if is_current || refusal_of(&statement.analysis, self.mode).is_some() {
            return None;
        }
        let circumstances = again_under(statement, &self.circumstances);
        let Analysis { text, declared, .. } = &*statement.analysis;
        self.look_up_patiently(&circumstances, text, declared).err()
    }

    /// Refuses a Parse. Nothing is put under its name.
    fn refuse_parse(
        &mut self,
        refusal: Refusal,
        header: Header,
        front: &mut FrameCursor<'_>,
    ) -> Result<Step, Fatal> {
        let frame = front.take(header.total);
        let body = frame::body(&frame, header).map_err(Fatal::Client)?;
        let message = Parse::decode(body).map_err(Fatal::Client)?;
        let text = POISON.as_bytes();
        frontend::parse(message.name, text, [].into_iter(), front.built());
        self.flow = Flow::Batch;
        self.queue.push(Expected::Parse {
            change: Change {
                name: message.name.into(),
                undo: Undo::Nothing,
            },
            statement: self.unknown(),
            refused: Some(self.refuse(refusal)),
        });
        Ok(Step::Taken)
    }

    /// Sees to it that the server has what a Bind names, which is about to be sent.
    fn bring_bound(&mut self, header: Header, front: &mut FrameCursor<'_>) -> Result<(), Fatal> {
        self.reach(Stage::Bind);
        if self.link.is_some() {
            let body = frame::body(front.rest(), header).map_err(Fatal::Client)?;
            let bind = Bind::decode(body).map_err(Fatal::Client)?;
            let name = Box::<[u8]>::from(bind.statement);
            self.bring_statement(&name, header.kind, front);
        }
        Ok(())
    }

    /// Refuses a Bind.
    fn refuse_bind(
        &mut self,
        refusal: Refusal,
        header: Header,
        front: &mut FrameCursor<'_>,
    ) -> Result<Step, Fatal> {
        self.bring_bound(header, front)?;
        let frame = front.take(header.total);
        let body = frame::body(&frame, header).map_err(Fatal::Client)?;
        let bind = Bind::decode(body).map_err(Fatal::Client)?;
        bind::poison(&bind, front.built());
        let refused = self.refuse(refusal);
        let statement = self.statement(bind.statement);
        let portal = Arc::new(Portal {
            doubtful: true,
            formats: ResultFormats::new(bind.results),
            ..Portal::new(self.portals.owner(), statement, self.batch)
        });
        let change = self.open(bind.portal.into(), &portal);
        self.flow = Flow::Batch;
        self.queue.push(Expected::Bind {
            change,
            portal,
            refused: Some(refused),
        });
        Ok(Step::Taken)
    }

    /// Puts a portal under its name. The server refuses a second one of a name other than the
    /// empty one.
    fn open(&mut self, name: Box<[u8]>, portal: &Arc<Portal>) -> Change<Portal> {
        let taken = !name.is_empty() && !self.keeps && self.portals.get(&name).is_some();
        let undo = if taken {
            Undo::Nothing
        } else {
            Undo::Restore(self.portals.replace(&name, Some(Arc::clone(portal))))
        };
        Change { name, undo }
    }

    pub(super) fn describe(
        &mut self,
        header: Header,
        front: &mut FrameCursor<'_>,
    ) -> Result<Step, Fatal> {
        let body = frame::body(front.rest(), header).map_err(Fatal::Client)?;
        let target = Target::decode(body).map_err(Fatal::Client)?;
        if !self.is_certain_of(target) {
            return Ok(Step::Waits);
        }
        let entry = match target {
            Target::Statement(name) => {
                let statement = self.statement(name);
                if !self.is_certain_of_source(&statement) {
                    return Ok(Step::Waits);
                }
                let used = statement.plan().and_then(|plan| self.used_by(plan));
                let name = Box::<[u8]>::from(name);
                self.bring_statement(&name, header.kind, front);
                let described = Described { statement, used };
                self.statements.state_mut(described.explained()).asked = self.batch;
                Expected::DescribeStatement(described)
            }
            Target::Portal(name) => {
                let portal = self.portal(name);
                self.statements.state_mut(&portal.explained).asked = self.batch;
                Expected::DescribePortal(portal)
            }
        };
        self.queue.push(entry);
        self.flow = Flow::Batch;
        front.pass(header.total);
        Ok(Step::Taken)
    }

    pub(super) fn execute(
        &mut self,
        header: Header,
        front: &mut FrameCursor<'_>,
    ) -> Result<Step, Fatal> {
        let body = frame::body(front.rest(), header).map_err(Fatal::Client)?;
        let execute = Execute::decode(body).map_err(Fatal::Client)?;
        if !self.is_certain_of_portal(execute.portal) {
            return Ok(Step::Waits);
        }
        let portal = self.portal(execute.portal);
        let name = Box::<[u8]>::from(execute.portal);
        if !self.is_certain_of_source(&portal.statement) {
            return Ok(Step::Waits);
        }
        self.flow = Flow::Batch;
        let changed = || self.has_changed(&portal).then(|| self.refuse(changed()));
        let loses = || {
            let refusal = portal.statement.plan().and_then(|plan| self.loses_by(plan));
            refusal.map(|refusal| self.refuse(refusal))
        };
        let refused = portal.refused.clone().or_else(changed).or_else(loses);
        if let Some(refused) = refused {
            front.skip(header.total);
            self.poison_batch(refused, front);
            return Ok(Step::Taken);
        }
        self.bring_path(&portal.statement.analysis.text, header.kind, front);
        // The rows can't be read without knowing which columns hold keys. In a batch that has
        // failed the server skips this Execute as it has skipped the Describe.
        let state = self.statements.state_mut(&portal.explained);
        let unknown = portal.doubtful || state.has_ids().is_none();
        if unknown && state.asked != self.batch {
            state.asked = self.batch;
            Target::Portal(&name).describe(front.built());
            self.queue.push(Expected::OwnDescribe(Arc::clone(&portal)));
        }
        self.queue.push(Expected::Execute(Arc::clone(&portal)));
        if let Some(plan) = portal.statement.plan() {
            self.count_statement(plan);
            let keeping = self.keep(&portal.statement.analysis.text, plan, &portal.sentinels)?;
            if let Some(keeping) = keeping {
                self.queue.push(Expected::Keep(keeping));
            }
            self.note_block(&portal.statement.analysis.text, &plan.effect);
            self.foresee(&plan.effect);
            self.foresee_used(plan);
        }
        let plan = portal.statement.plan();
        self.note_run(
            &portal.statement.analysis.text,
            plan.map(|plan| &plan.effect),
        );
        self.carries_out(&portal.statement.analysis.text);
        front.pass(header.total);
        Ok(Step::Taken)
    }

    /// Sends a message that the server refuses, and with it the rest of the batch.
    pub(super) fn poison_batch(&mut self, refused: Arc<Refused>, front: &mut FrameCursor<'_>) {
        // Under a name that no client has, so that it replaces nothing. It is never prepared.
        let (name, text) = (POISON_NAME.as_bytes(), POISON.as_bytes());
        if self.link.is_some() {
            // A pooler may believe that it is.
            self.close_name(name, b'P', front);
        }
        frontend::parse(name, text, [].into_iter(), front.built());
        self.flow = Flow::Batch;
        self.queue.push(Expected::Refusal(refused));
    }

    pub(super) fn close(
        &mut self,
        header: Header,
        front: &mut FrameCursor<'_>,
    ) -> Result<Step, Fatal> {
        let body = frame::body(front.rest(), header).map_err(Fatal::Client)?;
        let target = Target::decode(body).map_err(Fatal::Client)?;
        if !self.is_certain_of(target) {
            return Ok(Step::Waits);
        }
        let entry = match target {
            Target::Statement(name) => Expected::CloseStatement(Change {
                name: name.into(),
                undo: Undo::Restore(self.statements.replace(name, None)),
            }),
            Target::Portal(name) => Expected::ClosePortal(Change {
                name: name.into(),
                undo: Undo::Restore(self.portals.replace(name, None)),
            }),
        };
        self.queue.push(entry);
        self.flow = Flow::Batch;
        front.pass(header.total);
        Ok(Step::Taken)
    }
}

/// Puts a Parse in the place of the one at the front: with another text, or other parameters.
fn put_parse(
    header: Header,
    text: Option<&[u8]>,
    parameters: Option<&plan::Parameters>,
    front: &mut FrameCursor<'_>,
) -> Result<(), Fatal> {
    let frame = front.take(header.total);
    let body = frame::body(&frame, header).map_err(Fatal::Client)?;
    let message = Parse::decode(body).map_err(Fatal::Client)?;
    let text = text.unwrap_or(message.text);
    let types = parameters.map_or(0, |parameters| 4 * parameters.sent.len());
    let out = front.built_of(header.total + text.len() + types)?;
    match parameters {
        Some(parameters) => {
            let declared = parameters.sent.iter().map(|sent| sent.declared);
            frontend::parse(message.name, text, declared, out);
        }
        None => frontend::parse(message.name, text, message.declared.iter(), out),
    }
    Ok(())
}

/// Postgres's own error, on which clients prepare a statement anew.
pub(super) fn changed() -> Refusal {
    let message = "cached plan must not change result type";
    Refusal::unsupported(Code::Unsupported, message).raised_by("RevalidateCachedQuery")
}

/// A name whose letters are others in another encoding.
fn beyond_ascii() -> Refusal {
    let message = "pgveil takes names beyond ASCII in client_encoding UTF8 only";
    Refusal::unsupported(Code::Unsupported, message).hint("SET client_encoding TO 'UTF8'.")
}

/// A text behind a change of settings that the server has not told yet.
pub(super) fn misread() -> Refusal {
    let message = "pgveil does not know how the server reads this text: settings have just changed";
    Refusal::unsupported(Code::Unsupported, message)
        .hint("Send it after the statement that changes client_encoding or standard_conforming_strings has been answered.")
}
