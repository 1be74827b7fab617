//! What a running session does with the messages of the server. Descriptions are in
//! [`super::describe`].

use std::sync::Arc;
use std::time::Duration;

use bytes::BytesMut;

use super::asking::changed_by;
use super::copy::Copying;
use super::expected::Expected;
use super::explain::LastLine;
use super::fatal::{Failure, Fatal};
use super::frame_cursor::FrameCursor;
use super::memory::Lease;
use super::named::{Nameable, Named};
use super::queue::CopyData;
use super::report::{self, Place};
use super::result::ResultShape;
use super::rows::{MOST_TOGETHER_BYTES, RowEncoder, Rules};
use super::running::{Flow, Running, Streaming};
use super::shared::Mode;
use super::splice::one_by_one;
use super::stage::Stage;
use super::statements::{Change, Undo, Used};
use super::turn::{Effort, Progress, Turn, Weight, together};
use crate::sql::plan::{Effect, PathChange, Plan};
use crate::wire::Output;
use crate::wire::backend::{self, TransactionStatus};
use crate::wire::frame::{self, Header};
use crate::wire::report::{Report, field};

impl Running {
    /// Takes the messages at the front of `input`. A result that can't be explained ends the
    /// session, and the snapshot that it was judged by is not trusted any longer: the next statement
    /// of any other looks at the database.
    pub(super) fn server_bytes(
        &mut self,
        now: Duration,
        input: &mut BytesMut,
        outputs: (&mut Output, &mut Output),
        lease: &mut Lease,
        effort: Effort,
    ) -> Result<Progress, Fatal> {
        self.now = now;
        let taken = self.take_in_order(input, outputs, lease, effort);
        if self.queue.is_empty() && self.flow != Flow::Synced {
            self.own_moves.halt();
        }
        if matches!(taken, Err(Fatal::Result(_))) {
            self.catalog_view.mark_stale();
            self.moves.advance();
        }
        taken
    }

    /// What has been held back comes first, once it may be shown.
    fn take_in_order(
        &mut self,
        input: &mut BytesMut,
        (to_client, to_server): (&mut Output, &mut Output),
        lease: &mut Lease,
        effort: Effort,
    ) -> Result<Progress, Fatal> {
        self.settle_hold(to_server.buffer())?;
        loop {
            if let Some(mut held) = self.released() {
                let outputs = (&mut *to_client, &mut *to_server);
                let taken = self.take_server_bytes(&mut held, outputs, lease, effort);
                self.put_back(held);
                let progress = taken?;
                if progress != Progress::Done {
                    return Ok(progress);
                }
            }
            let outputs = (&mut *to_client, &mut *to_server);
            let progress = self.take_server_bytes(input, outputs, lease, effort)?;
            if progress != Progress::Done || !self.is_released() {
                return Ok(progress);
            }
        }
    }

    fn take_server_bytes(
        &mut self,
        input: &mut BytesMut,
        (to_client, to_server): (&mut Output, &mut Output),
        lease: &mut Lease,
        effort: Effort,
    ) -> Result<Progress, Fatal> {
        let mut turn = Turn::new(effort);
        let mut front = FrameCursor::new(input, to_client, lease);
        while self.from_server.advance(&mut front) {
            let header = Header::from_server(front.rest()).map_err(Fatal::Server)?;
            let Some(header) = header else { break };
            if self.holds_back(header.kind)? {
                if !self.gather(header, &mut front, to_server.buffer())? {
                    break;
                }
                continue;
            }
            if self.failure.unshown.is_some() && matches!(header.kind, b'D' | b'd' | b'c') {
                self.from_server = Streaming::Dropping(header.total);
                continue;
            }
            if !self.is_paused() && self.streams(header.kind)? {
                let progress = turn.begin(Weight::LIGHT);
                if progress != Progress::Done {
                    return Ok(progress);
                }
                front.pass_all(header.kind, Header::from_server);
                let next = Header::from_server(front.rest()).map_err(Fatal::Server)?;
                if let Some(next) = next.filter(|next| next.kind == header.kind) {
                    self.from_server = Streaming::Passing(next.total);
                }
                continue;
            }
            if front.rest().len() < header.total {
                front.make_room(header.total)?;
                break;
            }
            let weight = self.weight_out(header, front.rest());
            let progress = turn.begin(weight);
            if progress != Progress::Done {
                self.burden.brief = weight.is_brief();
                return Ok(progress);
            }
            if header.kind == b'D' && !self.is_paused() {
                let shown = self.data_rows(header, &mut front);
                self.or_unshown(shown)?;
            } else if matches!(header.kind, b'd' | b'c') && !self.is_paused() {
                let shown = self.copied_out(header, &mut front);
                self.or_unshown(shown)?;
            } else {
                self.heard += 1;
                self.stage = Stage::Messages;
                self.server_message(header, &mut front, to_server)?;
            }
        }
        Ok(Progress::Done)
    }

    /// Whether a message passes without a look at its content: rows and data of COPY without keys.
    fn streams(&self, kind: u8) -> Result<bool, Fatal> {
        let copies = matches!(
            self.queue.head(),
            Some(Expected::Execute(_) | Expected::Query(_))
        );
        match kind {
            b'd' | b'c' if matches!(self.copying, Copying::Out(_)) => Ok(false),
            b'd' | b'c' if copies => Ok(true),
            b'D' => match self.queue.head() {
                Some(Expected::Execute(portal)) if self.is_there(portal) => {
                    let explained = self.statements.state(&portal.explained);
                    Ok(explained.has_ids() == Some(false))
                }
                Some(Expected::Query(query)) => match &query.result {
                    Some(result) => Ok(result.shape.is_clean()),
                    None => Err(Fatal::Unexpected(kind)),
                },
                _ => Err(Fatal::Unexpected(kind)),
            },
            _ => Ok(false),
        }
    }

    /// Encrypts all whole CopyData messages at the front, or lets CopyDone pass.
    fn copied_out(&mut self, first: Header, front: &mut FrameCursor<'_>) -> Result<(), Fatal> {
        self.reach(Stage::Copy);
        let Copying::Out(mut copy) = std::mem::take(&mut self.copying) else {
            return Err(Fatal::Unexpected(first.kind));
        };
        if first.kind == b'c' {
            front.pass(first.total);
            return Ok(());
        }
        let frames = take_run(first, together(self.price_out(first.kind)), front)?;
        let sentinels = match self.queue.head() {
            Some(Expected::Execute(portal)) => &portal.sentinels,
            Some(Expected::Query(query)) => &query.sentinels,
            _ => return Err(Fatal::Unexpected(b'd')),
        };
        let out = front.built_of(ids_bytes(&frames))?;
        let (start, mut is_lost) = (out.len(), false);
        let mut encoded = copy.encode(&self.codecs, sentinels, &frames, out);
        if encoded.as_ref().is_err_and(|fatal| self.is_of_a_row(fatal)) {
            out.truncate(start);
            encoded = one_by_one(&frames, |frame| {
                if is_lost {
                    out.extend_from_slice(frame);
                    return Ok(());
                }
                match copy.encode(&self.codecs, sentinels, frame, out) {
                    Err(fatal) if self.lets_pass(&fatal) => {
                        // Where the next rows begin nobody knows.
                        is_lost = true;
                        out.extend_from_slice(frame);
                        Ok(())
                    }
                    encoded => encoded,
                }
            });
        }
        if !is_lost {
            self.copying = Copying::Out(copy);
        }
        encoded
    }

    /// Whether the rows in front of the one that is at fault are shown as they would be alone.
    fn is_of_a_row(&self, fatal: &Fatal) -> bool {
        matches!(fatal, Fatal::Unshown(_)) || self.mode == Mode::Audit
    }

    /// Encrypts all whole rows at the front.
    fn data_rows(&mut self, first: Header, front: &mut FrameCursor<'_>) -> Result<(), Fatal> {
        self.reach(Stage::Rows);
        let frames = take_run(first, together(self.price_out(first.kind)), front)?;
        let (shown, working) = self.shown_bytes(&frames);
        front.lease().ask(working)?;
        let out = front.built_of(shown)?;
        let start = out.len();
        let encoded = self.encode_rows(&frames, out);
        if shown > 0 {
            front.lease().release(working);
            // It keeps its buffers.
            self.rows = RowEncoder::default();
        }
        if !encoded.as_ref().is_err_and(|fatal| self.is_of_a_row(fatal)) {
            return encoded;
        }
        let out = front.built();
        out.truncate(start);
        one_by_one(&frames, |frame| {
            let start = out.len();
            self.rows = RowEncoder::default();
            match self.encode_rows(frame, out) {
                Err(fatal) if self.lets_pass(&fatal) => {
                    out.truncate(start);
                    out.extend_from_slice(frame);
                    Ok(())
                }
                encoded => encoded,
            }
        })
    }

    fn encode_rows(&mut self, frames: &[u8], out: &mut BytesMut) -> Result<(), Fatal> {
        match self.queue.head() {
            Some(Expected::Execute(portal)) => {
                let shape = self.statements.state(&portal.explained).result();
                let rules = Rules {
                    shape: shape.ok_or_else(|| self.outdated())?,
                    format: |column| portal.formats.format(column),
                    sentinels: &portal.sentinels,
                };
                let read = portal.used_portal().unwrap_or(portal);
                let mut last = self.portals.state(read).last;
                let rules = (&rules, &mut last);
                self.rows.encode(&self.codecs, rules, frames, out)?;
                self.portals.state_mut(read).last = last;
                Ok(())
            }
            Some(Expected::Query(query)) => {
                let result = query.result.as_ref().ok_or(Fatal::Unexpected(b'D'))?;
                let rules = Rules {
                    shape: &result.shape,
                    format: |column| result.formats.get(column).copied().unwrap_or_default(),
                    sentinels: &query.sentinels,
                };
                // FETCH goes on where the portal was left.
                let read = query.used().and_then(Used::portal);
                let mut last = read.map_or(result.last, |read| self.portals.state(read).last);
                let rules = (&rules, &mut last);
                self.rows.encode(&self.codecs, rules, frames, out)?;
                match read {
                    Some(read) => self.portals.state_mut(read).last = last,
                    None => self.queue.set_last_line(last),
                }
                Ok(())
            }
            _ => Err(Fatal::Unexpected(b'D')),
        }
    }

    /// What a large row takes with ids in the place of keys, and what is rewritten on the way to
    /// that; nothing for small ones.
    fn shown_bytes(&self, frames: &[u8]) -> (usize, usize) {
        if frames.len() <= MOST_TOGETHER_BYTES {
            return (0, 0);
        }
        let simple = |shape: &ResultShape| shape.has_scalars_only();
        let is_simple = match self.queue.head() {
            Some(Expected::Execute(portal)) => {
                let shape = self.statements.state(&portal.explained).result();
                shape.is_some_and(|shape| simple(shape))
            }
            Some(Expected::Query(query)) => query
                .result
                .as_ref()
                .is_some_and(|result| simple(&result.shape)),
            _ => false,
        };
        if is_simple {
            // There are 1,664 columns at most.
            (frames.len() + MOST_TOGETHER_BYTES, 0)
        } else {
            (ids_bytes(frames), 2 * ids_bytes(frames))
        }
    }

    fn server_message(
        &mut self,
        header: Header,
        front: &mut FrameCursor<'_>,
        to_server: &mut Output,
    ) -> Result<(), Fatal> {
        let body = frame::body(front.rest(), header).map_err(Fatal::Server)?;
        match header.kind {
            // "These can arrive at any time."
            b'S' => {
                let (name, value) = backend::parameter_status(body).map_err(Fatal::Server)?;
                if self.settings.take(name, value) {
                    self.doubt.told();
                    self.refresh();
                }
                front.pass(header.total);
                return Ok(());
            }
            b'A' => return self.notification(header, front),
            _ => {}
        }
        if !matches!(header.kind, b'N' | b'Z') && (header.kind != b'E' || self.is_paused()) {
            self.stray_syncs = 0;
        }
        if self.is_paused() && !(header.kind == b'Z' && self.stray_syncs > 0) {
            let frame = front.take(header.total);
            let body = frame::body(&frame, header).map_err(Fatal::Server)?;
            let (client, server) = (front.built(), to_server.buffer());
            return self.overhear(header.kind, body, client, server);
        }
        if header.kind != b'N' && self.pass_unshown(header, front, to_server.buffer())? {
            return Ok(());
        }
        if self.is_own_answer(header.kind) {
            front.skip(header.total);
            return Ok(());
        }
        match header.kind {
            b'Z' => self.ready(header, front, to_server),
            b'E' | b'N' => self.report(header, front),
            b'T' => self.row_description(header, front),
            b't' => self.parameter_description(header, front),
            b'n' => self.no_data(header, front),
            b'1' | b'2' | b'3' => self.complete(header, front),
            b'C' | b'I' | b's' => self.executed(header, front),
            b'G' => self.copy_in(header, front),
            b'H' => self.copy_out(header, front),
            // FunctionCall is only sent where nothing is annotated.
            b'V' if !self.catalog().snapshot.can_have_ids() => {
                front.pass(header.total);
                Ok(())
            }
            kind => Err(Fatal::Unexpected(kind)),
        }
    }

    fn ready(
        &mut self,
        header: Header,
        front: &mut FrameCursor<'_>,
        to_server: &mut Output,
    ) -> Result<(), Fatal> {
        let body = frame::body(front.rest(), header).map_err(Fatal::Server)?;
        let status = TransactionStatus::decode(body).map_err(Fatal::Server)?;
        if self.is_stray() {
            return self.stray_ready(header, front, to_server);
        }
        let batch = match self.queue.pop() {
            Some(Expected::Sync { batch }) => batch,
            Some(Expected::Query(query)) => query.batch,
            _ => return Err(Fatal::Unexpected(b'Z')),
        };
        if self.flow == Flow::CopyIn {
            self.flow = Flow::Synced;
        }
        let failed = std::mem::take(&mut self.failed);
        let is_open = status == TransactionStatus::Open;
        self.failure = Failure {
            begun: is_open,
            changed: is_open,
            ..Failure::default()
        };
        if status == TransactionStatus::Idle {
            self.end_cursors(!failed);
            // Portals end with their transaction.
            self.portals.end(batch);
        }
        if self.queue.is_empty() {
            self.overtaken = None;
            // Before the question for what it has changed.
            self.own_moves.end();
            if status == TransactionStatus::Idle {
                self.own_moves.end_transaction(&self.moves);
            }
        }
        self.settle(batch, status);
        if !self.can_do_without_path() && self.ask(Some(status), to_server.buffer()) {
            front.skip(header.total);
        } else {
            front.pass(header.total);
        }
        Ok(())
    }

    /// Whether a ReadyForQuery answers a Sync that might have been taken for nothing.
    fn is_stray(&self) -> bool {
        let fits = match self.queue.head() {
            Some(Expected::Sync { .. }) => true,
            // Any other answer of it would have come first.
            Some(Expected::Query(_)) => self.failed,
            _ => false,
        };
        self.stray_syncs > 0 && (self.is_paused() || !fits)
    }

    /// The COPY had failed before the server read a Sync that was sent behind it.
    fn stray_ready(
        &mut self,
        header: Header,
        front: &mut FrameCursor<'_>,
        to_server: &mut Output,
    ) -> Result<(), Fatal> {
        self.stray_syncs -= 1;
        if self.flow == Flow::Skipping {
            self.sync();
            return self.ready(header, front, to_server);
        }
        front.pass(header.total);
        Ok(())
    }

    /// ParseComplete, BindComplete, CloseComplete.
    fn complete(&mut self, header: Header, front: &mut FrameCursor<'_>) -> Result<(), Fatal> {
        match (header.kind, self.queue.pop()) {
            (
                b'1',
                Some(Expected::Parse {
                    change,
                    statement,
                    refused: None,
                }),
            ) => {
                if statement.is_several() {
                    return Err(Fatal::Unexpected(b'1'));
                }
                confirm(change, &mut self.statements, statement);
            }
            (
                b'2',
                Some(Expected::Bind {
                    change,
                    portal,
                    refused: None,
                }),
            ) => {
                if !self.statements.is_live(&portal.statement) {
                    // The server has bound another statement than the one that was looked up.
                    return Err(Fatal::Unexpected(b'2'));
                }
                if self.shows_unseen() {
                    // What it would show nobody knows.
                    self.portals.set_live(&portal, true);
                    self.portals.replace(&change.name, None);
                } else {
                    confirm(change, &mut self.portals, portal);
                }
            }
            (b'3', Some(Expected::CloseStatement(_) | Expected::ClosePortal(_))) => {}
            (kind, _) => return Err(Fatal::Unexpected(kind)),
        }
        front.pass(header.total);
        Ok(())
    }

    /// How the lines of a plan ended that MOVE has gone over nobody knows.
    fn pass_over(&mut self, header: Header, rest: &[u8]) -> Result<(), Fatal> {
        let body = frame::body(rest, header).map_err(Fatal::Server)?;
        if header.kind == b'C' && body.starts_with(b"MOVE ") {
            let used = match self.queue.head() {
                Some(Expected::Execute(portal)) => portal.used_portal(),
                Some(Expected::Query(query)) => query.used().and_then(Used::portal),
                _ => None,
            };
            if let Some(used) = used {
                self.portals.state_mut(used).last = LastLine::LOST;
            }
        }
        Ok(())
    }

    /// CommandComplete, EmptyQueryResponse, PortalSuspended.
    fn executed(&mut self, header: Header, front: &mut FrameCursor<'_>) -> Result<(), Fatal> {
        self.pass_over(header, front.rest())?;
        let tag = match header.kind {
            b'C' => Some(frame::body(front.rest(), header).map_err(Fatal::Server)?),
            _ => None,
        };
        if let Some(tag) = tag {
            self.end_definition(false);
            self.note_done(tag);
        }
        let undone_in_part = |plan: &Plan| plan.effect.search_path == PathChange::Reverted;
        let (ended, in_part, keeping) = if let Some(Expected::Execute(portal)) = self.queue.head() {
            let plan = portal.statement.plan();
            let ended = plan.and_then(|plan| plan.effect.ends.clone());
            let in_part = plan.is_some_and(undone_in_part);
            self.queue.pop();
            (ended, in_part, self.queue.take_kept())
        } else if let Some(query) = self.queue.query_mut().filter(|_| header.kind != b's') {
            let ended = query.own_plan().and_then(|plan| plan.effect.ends.clone());
            let in_part = query.own_plan().is_some_and(undone_in_part);
            let keeping = query.take_kept();
            query.current += 1;
            query.result = None;
            (ended, in_part, keeping)
        } else {
            return Err(Fatal::Unexpected(header.kind));
        };
        self.end_answer();
        if let Some(ended) = ended.filter(|_| tag.is_some()) {
            self.end_kept(&ended);
        }
        if let Some(keeping) = keeping {
            self.kept(keeping);
        }
        self.end_copy();
        match tag {
            None => {}
            Some(b"DEALLOCATE\0") => self.deallocated = true,
            Some(b"DEALLOCATE ALL\0" | b"DISCARD ALL\0") => self.end_statements(),
            Some(b"COMMIT\0") => self.end_cursors(true),
            // `ROLLBACK TO` ends no transaction.
            Some(b"ROLLBACK\0") if !in_part => self.end_cursors(false),
            Some(b"CLOSE CURSOR\0" | b"CLOSE CURSOR ALL\0") => self.keeps = true,
            Some(tag) => self.extent = self.extent.max(changed_by(tag)),
        }
        front.pass(header.total);
        Ok(())
    }

    /// What the statement does that is being answered, if that is known.
    pub(super) fn effect(&self) -> Option<&Effect> {
        let plan = match self.queue.head() {
            Some(Expected::Execute(portal)) => portal.statement.plan(),
            Some(Expected::Query(query)) => query.own_plan(),
            _ => None,
        };
        plan.map(|plan| &plan.effect)
    }

    /// A statement is answered, which may have created or dropped something.
    pub(super) fn end_definition(&mut self, failed: bool) {
        let Some(effect) = self
            .effect()
            .filter(|effect| effect.ddl || effect.ends_transaction)
        else {
            return;
        };
        let effect = effect.clone();
        if self.own_moves.answered(&effect, failed)
            && !failed
            && let Some(objects) = &effect.objects
        {
            self.own_moves.take(&self.moves, objects);
        }
    }

    /// The server may say that a definition is for nothing.
    fn hear(&mut self, report: &Report<'_>) {
        let field = |code| report.text(code).unwrap_or_default();
        let vain = self.effect().and_then(|effect| effect.vain);
        if vain.is_some_and(|vain| vain.is_said_by(field(field::CODE), field(field::ROUTINE))) {
            self.own_moves.hear_in_vain();
        }
    }

    fn copy_in(&mut self, header: Header, front: &mut FrameCursor<'_>) -> Result<(), Fatal> {
        if !matches!(
            self.queue.head(),
            Some(Expected::Execute(_) | Expected::Query(_))
        ) {
            return Err(Fatal::Unexpected(b'G'));
        }
        let body = frame::body(front.rest(), header).map_err(Fatal::Server)?;
        self.begin_copy_in(body)?;
        self.out_of_place = self.queue.out_of_place();
        (self.flow, self.stray_syncs) = match self.queue.copy_in() {
            CopyData::Open { syncs } => (Flow::CopyIn, syncs),
            CopyData::Ended { syncs } => (self.flow, syncs),
            CopyData::Cut => (self.flow, 0),
        };
        if self.flow != Flow::CopyIn {
            // It has ended before it began.
            self.copying = Copying::Nothing;
        }
        front.pass(header.total);
        Ok(())
    }

    /// ErrorResponse and NoticeResponse.
    fn report(&mut self, header: Header, front: &mut FrameCursor<'_>) -> Result<(), Fatal> {
        self.reach(Stage::Report);
        let frame = front.take(header.total);
        let body = frame::body(&frame, header).map_err(Fatal::Server)?;
        let mut report = Report::decode(body).map_err(Fatal::Server)?;
        if header.kind == b'N' {
            self.hear(&report);
        }
        let stumbled = self.out_of_place.zip(report.text(field::MESSAGE));
        let stumbled = stumbled.map(|(over, text)| over.told(text));
        if let Some(text) = &stumbled {
            report.set(field::MESSAGE, text.as_bytes());
        }
        let head = self.queue.head();
        let place = Place::of(head).copying(self.copy_plan(), self.refused_copy());
        let mut place = match self.is_unseen() {
            true => place.unseen(head),
            false => place,
        };
        place.changed = self.catalog_view.is_behind();
        report::rewrite(&self.codecs, self.catalog(), &place, &report, |report| {
            report.encode(header.kind, front.built());
        });
        if header.kind == b'E' {
            self.end_definition(true);
            self.failed();
        }
        Ok(())
    }

    /// The server has raised an error.
    pub(super) fn failed(&mut self) {
        self.doubt_path();
        self.doubt_statements();
        self.end_copy();
        self.end_answer();
        self.failed = true;
        match self.queue.head() {
            // An error that answers nothing comes before the end of the connection.
            None => {}
            Some(Expected::Query(_)) => {
                if self.flow == Flow::CopyIn {
                    self.flow = Flow::Synced;
                }
                self.undo_kept();
            }
            Some(_) => {
                let skipping = self
                    .queue
                    .skip_to_sync(&mut self.statements, &mut self.portals);
                if skipping {
                    self.flow = Flow::Skipping;
                }
            }
        }
    }
}

/// What large rows take in which anything may be a key: an id is longer than a key by so much.
fn ids_bytes(frames: &[u8]) -> usize {
    const ID_BYTES: usize = 40;
    if frames.len() <= MOST_TOGETHER_BYTES {
        return 0;
    }
    2 * frames.len() + ID_BYTES * memchr::memchr_iter(b',', frames).count()
}

/// Takes the whole messages at the front that are of the kind of the first, but not too many.
fn take_run(first: Header, most: usize, front: &mut FrameCursor<'_>) -> Result<BytesMut, Fatal> {
    let mut total = first.total;
    while total < most
        && let Some(rest) = front.rest().get(total..)
        && let Some(header) = Header::from_server(rest).map_err(Fatal::Server)?
        && header.kind == first.kind
        && header.total <= rest.len()
    {
        total += header.total;
    }
    Ok(front.take(total))
}

/// Puts what the server has accepted into its map, if that was not expected, and returns what it
/// has replaced.
fn confirm<T: Nameable>(change: Change<T>, map: &mut Named<T>, object: Arc<T>) {
    map.set_live(&object, true);
    let previous = match change.undo {
        Undo::Nothing => map.replace(&change.name, Some(object)),
        Undo::Restore(previous) => {
            map.confirm(&change.name);
            previous
        }
    };
    if let Some(old) = previous {
        map.set_live(&old, false);
    }
}
