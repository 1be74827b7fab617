//! What a running session does with the messages of its client. Those of the extended protocol
//! are in [`super::extended`].

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use bytes::{Bytes, BytesMut};

use super::copy::{Copying, FAILURE};
use super::edit::POISON;
use super::edited::Refused;
use super::expected::{Expected, Glanced, Query};
use super::extended::{changed, misread};
use super::fatal::{Fatal, OutOfPlace};
use super::frame_cursor::FrameCursor;
use super::memory::{Exceeded, Lease, SMALL_BYTES};
use super::own_query::Cancellation;
use super::plans::Analysis;
use super::quota::working_bytes;
use super::running::{Flow, Running, Streaming, Wanted};
use super::stage::Stage;
use super::turn::{Burden, Effort, Progress, Step, Turn, Weight};
use crate::splice::{Misplaced, part};
use crate::sql::plan::{Plan, Source};
use crate::sql::refusal::Code;
use crate::sql::{self, Refusal, Verdict};
use crate::wire::frame::{self, HEADER_BYTES, Header};
use crate::wire::frontend;
use crate::wire::{Output, WireError, message};

impl Running {
    /// Takes the messages at the front of `input`.
    pub(super) fn client_bytes(
        &mut self,
        now: Duration,
        input: &mut BytesMut,
        to_server: &mut Output,
        lease: &mut Lease,
        effort: Effort,
    ) -> Result<Progress, Fatal> {
        if self.is_waiting() {
            return Ok(Progress::Done);
        }
        self.now = now;
        let mut turn = Turn::new(effort);
        let mut progress = Progress::Done;
        let mut front = FrameCursor::new(input, to_server, lease);
        self.waits = false;
        while self.advance_client(&mut front) && self.accepts() {
            if self.owes_too_much(&mut front) {
                self.wait_for_answers(&mut front);
                break;
            }
            // What is passed on stays together as long as nothing is built behind it.
            self.begin_judging();
            if !front.rest().is_empty() && self.cancelled.is_none() {
                self.check_age(front.rest());
            }
            if self.wanted != Wanted::Nothing
                && !front.rest().is_empty()
                && self.cancelled.is_none()
            {
                let waits = self.can_do_without_path() && keeps_no_path(front.rest());
                if !waits && self.ask(None, front.built()) {
                    break;
                }
            }
            let step = match Header::from_client(front.rest(), self.shared.limits.frames) {
                Ok(None) => break,
                Err(WireError::Type(kind)) if self.stumbles(kind, &mut front) => break,
                Ok(Some(header)) => {
                    let weight = self.weight_in(header, front.rest());
                    progress = turn.begin(weight);
                    if progress != Progress::Done {
                        self.burden.brief = weight.is_brief();
                        break;
                    }
                    self.burden = Burden::of(turn.effort(weight));
                    let step = self.client_message(header, &mut front);
                    turn.end(self.burden.used);
                    step
                }
                Err(error) => Err(Fatal::of_client(error)),
            };
            match step {
                Ok(Step::Taken) => self.flushed = false,
                Ok(Step::Incomplete) => break,
                Ok(Step::Heavy) => {
                    (progress, self.burden.brief) = (Progress::Heavy, false);
                    break;
                }
                Ok(Step::Waits) => {
                    self.waits = !self.ask(None, front.built());
                    // Nothing that comes would end the wait.
                    if self.waits && self.queue.is_empty() {
                        return Err(Fatal::Internal);
                    }
                    self.waits_since = self.heard;
                    self.flush(&mut front);
                    break;
                }
                // The server would first answer what came before.
                Err(Fatal::Client(_) | Fatal::Type(_)) if self.owes_answers() => {
                    self.wait_for_answers(&mut front);
                    break;
                }
                Err(fatal) => return Err(fatal),
            }
        }
        if progress != Progress::Heavy && !self.translate_within(&turn, &mut front) {
            (progress, self.burden.brief) = (Progress::Heavy, false);
        }
        Ok(progress)
    }

    /// Forwards the data of COPY that can be translated, unless that is too much for the turn.
    /// Returns whether it is not.
    fn translate_within(&mut self, turn: &Turn, front: &mut FrameCursor<'_>) -> bool {
        let Some(found) = self.scan_copy() else {
            return true;
        };
        let may = turn.allows(Weight::of_copy(found, self.copying.price_in()));
        if may {
            self.translate_copy(false, front);
        }
        may
    }

    /// Whether the client's next message waits for an answer of the server, and none has come since
    /// that was found.
    pub(super) const fn is_waiting(&self) -> bool {
        self.waits && self.waits_since == self.heard
    }

    /// Whether the server will answer something without anything more from the client.
    fn owes_answers(&self) -> bool {
        !self.queue.is_empty() && self.flow != Flow::CopyIn
    }

    /// Whether there is no memory for more answers that are owed, so that some have to come before the
    /// next message.
    fn owes_too_much(&self, front: &mut FrameCursor<'_>) -> bool {
        !front.rest().is_empty() && front.lease().ask_for_queued(self.queue.len()).is_err()
    }

    /// Takes nothing more of the client before the server has answered.
    fn wait_for_answers(&mut self, front: &mut FrameCursor<'_>) {
        self.waits = true;
        self.waits_since = self.heard;
        self.flush(front);
    }

    /// Tells the server to send the answers for which the client's next message waits: inside of a
    /// batch it would keep them to itself.
    fn flush(&mut self, front: &mut FrameCursor<'_>) {
        if self.waits && self.flow == Flow::Batch && !self.flushed {
            self.flushed = true;
            self.flushed_batch = self.batch;
            message(front.built(), b'H', |_| ());
        }
    }

    /// Moves what is there of a frame that was begun. Returns whether it is through.
    fn advance_client(&mut self, front: &mut FrameCursor<'_>) -> bool {
        let Streaming::Copying(remaining) = &mut self.from_client else {
            return self.from_client.advance(front);
        };
        let count = front.rest().len().min(*remaining);
        *remaining -= count;
        let through = *remaining == 0;
        if through {
            self.from_client = Streaming::Nothing;
        }
        let mut staged = Ok(());
        if let Copying::In(copy) = &mut self.copying {
            let (data, lease) = front.rest_and_lease();
            let (data, _) = data.split_at(count);
            staged = copy.stage(data, lease);
            // What is found in it tells how much it weighs to translate it.
            copy.scan();
        }
        front.skip(count);
        if let Err(exceeded) = staged {
            if let Streaming::Copying(remaining) = self.from_client {
                self.from_client = Streaming::Dropping(remaining);
            }
            self.fail_copy(exceeded.refusal(), front);
        }
        through
    }

    /// Forwards the data of COPY that have been taken, with keys in the place of ids; all of them
    /// at the end. If they are refused, the server gets CopyFail. Returns whether they are not.
    fn translate_copy(&mut self, end: bool, front: &mut FrameCursor<'_>) -> bool {
        if matches!(self.copying, Copying::In(_)) {
            self.reach(Stage::Copy);
        }
        let Copying::In(copy) = &mut self.copying else {
            return true;
        };
        let translated = match front.built_of(copy.translated_bytes(end)) {
            Ok(out) => copy.translate(&self.codecs, end, out),
            Err(exceeded) => Err(Box::new(exceeded.refusal())),
        };
        let Err(refusal) = translated else {
            return true;
        };
        self.fail_copy(*refusal, front);
        false
    }

    /// Ends a COPY FROM STDIN in the client's name, whose data are refused.
    fn fail_copy(&mut self, refusal: Refusal, front: &mut FrameCursor<'_>) {
        self.copy_refused = Some(self.refuse(refusal));
        frontend::copy_fail(FAILURE.as_bytes(), front.built());
        self.copying = Copying::Failed;
        self.copy_end();
    }

    /// CopyData.
    fn copy_data(&mut self, header: Header, front: &mut FrameCursor<'_>) -> Step {
        self.from_client = match self.copying {
            Copying::In(_) => {
                front.skip(HEADER_BYTES);
                Streaming::Copying(header.total - HEADER_BYTES)
            }
            Copying::Failed => Streaming::Dropping(header.total),
            // A COPY that has not been answered yet may take ids.
            _ if self.flow != Flow::CopyIn && self.queue.may_copy_ids_in() => return Step::Waits,
            // Outside of COPY the server ignores it.
            _ if front.rest().len() < header.total => Streaming::Passing(header.total),
            _ => {
                let frames = self.shared.limits.frames;
                front.pass_all(b'd', |bytes| Header::from_client(bytes, frames));
                Streaming::Nothing
            }
        };
        Step::Taken
    }

    /// CopyDone and CopyFail.
    fn copy_done(&mut self, header: Header, front: &mut FrameCursor<'_>) {
        if matches!(self.copying, Copying::Failed) {
            // The server has been told already.
            self.copying = Copying::Nothing;
            front.skip(header.total);
            return;
        }
        if !self.translate_copy(header.kind == b'c', front) {
            self.copying = Copying::Nothing;
            front.skip(header.total);
            return;
        }
        self.copying = Copying::Nothing;
        self.copy_end();
        front.pass(header.total);
    }

    fn client_message(
        &mut self,
        header: Header,
        front: &mut FrameCursor<'_>,
    ) -> Result<Step, Fatal> {
        self.stage = Stage::Messages;
        self.note_sent(header.total);
        if self.flow == Flow::Skipping && !matches!(header.kind, b'S' | b'X') {
            self.from_client = Streaming::Dropping(header.total);
            return Ok(Step::Taken);
        }
        if header.kind == b'd' {
            return Ok(self.copy_data(header, front));
        }
        if header.kind == b'F' && self.flow != Flow::CopyIn && self.passes_calls() {
            self.push_query(self.query_of(&self.shared.unknown));
            self.from_client = Streaming::Passing(header.total);
            return Ok(Step::Taken);
        }
        if front.rest().len() < header.total {
            return match front.grow(header.total) {
                Ok(()) => Ok(Step::Incomplete),
                Err(exceeded) => self.refuse_incomplete(header, exceeded, front),
            };
        }
        let is_of_copy = matches!(header.kind, b'c' | b'f' | b'H' | b'S' | b'X');
        if !is_of_copy && self.stumbles(header.kind, front) {
            return Ok(Step::Taken);
        }
        if let Some(why) = self.cancelled.take()
            && self.cancel(why, header, front)
        {
            return Ok(Step::Taken);
        }
        if matches!(header.kind, b'Q' | b'P' | b'B') && self.must_wait()
            || self.begins_too_early(header.kind)
        {
            return Ok(Step::Waits);
        }
        let length = front.rest().len();
        match self.whole_message(header, front) {
            Err(Fatal::Client(fault)) if front.rest().len() == length => {
                self.refuse_malformed(fault, header, front);
                Ok(Step::Taken)
            }
            step => step,
        }
    }

    /// Refuses a message whose fields don't fill it. Where it ends is known, so that the next is read
    /// as if nothing were wrong.
    fn refuse_malformed(&mut self, fault: WireError, header: Header, front: &mut FrameCursor<'_>) {
        let message = match (fault, header.kind) {
            (WireError::Subtype(kind), b'D') => format!("invalid DESCRIBE message subtype {kind}"),
            (WireError::Subtype(kind), _) => format!("invalid CLOSE message subtype {kind}"),
            (WireError::Truncated, b'D' | b'C') => "no data left in message".to_owned(),
            (fault, _) => fault.to_string(),
        };
        let refusal = Refusal::new(Code::Protocol, "08P01", message);
        if header.kind == b'Q' {
            return self.refuse_query(refusal, header, front);
        }
        front.skip(header.total);
        let refused = self.refuse(refusal);
        self.poison_batch(refused, front);
    }

    fn whole_message(
        &mut self,
        header: Header,
        front: &mut FrameCursor<'_>,
    ) -> Result<Step, Fatal> {
        if matches!(header.kind, b'P' | b'B' | b'D') && self.refuse_name(header, front)? {
            return Ok(Step::Taken);
        }
        match header.kind {
            b'Q' => return self.query(header, front),
            b'P' => return self.parse(header, front),
            b'B' => return self.bind(header, front),
            b'D' => return self.describe(header, front),
            b'E' => return self.execute(header, front),
            b'C' => return self.close(header, front),
            b'F' => self.function_call(header, front),
            b'S' if self.flow == Flow::CopyIn => {
                self.stray_syncs += 1;
                front.pass(header.total);
            }
            // "Ignore Flush/Sync for the convenience of client libraries", whatever is in it.
            b'H' if self.flow == Flow::CopyIn && header.total > HEADER_BYTES => {
                front.skip(header.total);
            }
            b'H' if self.flow == Flow::CopyIn => front.pass(header.total),
            b'S' => {
                self.sync();
                front.pass(header.total);
            }
            b'H' => {
                self.flushed_batch = self.batch;
                if header.total > HEADER_BYTES {
                    // "invalid message format", and all is skipped up to the next Sync.
                    self.queue.push(Expected::Fault);
                    self.flow = Flow::Batch;
                }
                front.pass(header.total);
            }
            b'c' | b'f' => self.copy_done(header, front),
            _ => self.terminate(header, front),
        }
        Ok(Step::Taken)
    }

    /// Terminate, whatever is in it.
    fn terminate(&mut self, header: Header, front: &mut FrameCursor<'_>) {
        if header.kind == b'X' {
            self.terminated = true;
            // Whoever comes next need not wait until the server has closed the connection.
            self.part(false);
        }
        front.pass(header.total);
    }

    /// Whether the server stumbles over a message that has no place in COPY FROM STDIN, because it
    /// takes data. It ends the connection for it, unless its COPY has just failed: then it would
    /// carry the message out. Which of the two can't be known here, so it gets one over which it
    /// stumbles always.
    fn stumbles(&mut self, kind: u8, front: &mut FrameCursor<'_>) -> bool {
        // The COPY is over if what came before is refused.
        if self.flow != Flow::CopyIn || !self.translate_copy(false, front) {
            return false;
        }
        let out_of_place = OutOfPlace::replaced(kind);
        message(front.built(), out_of_place.sent, |_| ());
        self.out_of_place = Some(out_of_place);
        true
    }

    /// A Sync is on its way to the server. With a body it gets an error in front of its answer.
    pub(super) fn sync(&mut self) {
        self.own_moves.go_on(&self.moves);
        self.queue.push(Expected::Sync { batch: self.batch });
        self.batch += 1;
        self.flow = Flow::Synced;
    }

    /// Answers a message as if the server had been cancelled when it carried it out. Returns
    /// whether it is one that can be cancelled.
    fn cancel(&mut self, why: Cancellation, header: Header, front: &mut FrameCursor<'_>) -> bool {
        let (sqlstate, message) = why.words();
        let refusal = Refusal::new(Code::Protocol, sqlstate, message);
        let position = None;
        let refused = Arc::new(Refused { refusal, position });
        match header.kind {
            b'Q' | b'F' => self.refuse_query_with(refused, header, front),
            b'P' | b'B' | b'D' | b'E' | b'C' => {
                front.skip(header.total);
                self.poison_batch(refused, front);
            }
            _ => return false,
        }
        true
    }

    fn copy_end(&mut self) {
        if self.flow == Flow::CopyIn {
            if let Some(Expected::Query(_)) = self.queue.head() {
                // Its text may copy once more, whose data do not end here.
                self.flow = Flow::Synced;
                return;
            }
            self.flow = Flow::Batch;
        }
        self.queue.push(Expected::CopyEnd);
    }

    fn query(&mut self, header: Header, front: &mut FrameCursor<'_>) -> Result<Step, Fatal> {
        let (rest, lease) = front.rest_and_lease();
        let body = frame::body(rest, header).map_err(Fatal::Client)?;
        let message = frontend::Query::decode(body).map_err(Fatal::Client)?;
        if self.may_be_misread(message.text) {
            if self.flow == Flow::Synced {
                return Ok(Step::Waits);
            }
            self.refuse_query(misread(), header, front);
            return Ok(Step::Taken);
        }
        if self.is_clean(message.text) {
            let length = message.text.len();
            let query = self.clean_query(passed_text(length, header, front)?);
            self.codecs.teller.runs(self.mode, true);
            self.push_query(query);
            return Ok(Step::Taken);
        }
        let working = working_bytes(message.text);
        if let Err(exceeded) = lease.ask(working) {
            self.refuse_query(exceeded.refusal(), header, front);
            return Ok(Step::Taken);
        }
        let analysis = match self.look_up(message.text, &[]) {
            Ok(analysis) => analysis,
            Err(step) => return Ok(step),
        };
        let waits = !self.is_certain_of_names(&analysis) || self.waits_for_block(&analysis);
        let first = waits.then_some(Step::Waits);
        if let Some(step) = first.or_else(|| self.lacks_a_definition_in(&analysis)) {
            return Ok(step);
        }
        if let Some(refusal) = self.judged_too_early(&analysis) {
            self.refuse_query(refusal, header, front);
            return Ok(Step::Taken);
        }
        let (doubtful_from, judged) = (self.doubtful_from(&analysis), self.query_of(&analysis));
        self.reach(Stage::Edit);
        let setters = self.setters(&analysis);
        let edited = self.editor().edit_query(&analysis, &setters)?;
        lease.release(working);
        put_query(header, edited.text.as_deref(), front)?;
        let mut sentinels = edited.sentinels;
        let (mut used, mut kept) = (Vec::new(), VecDeque::new());
        for (number, statement) in analysis.script.statements.iter().enumerate() {
            if let Verdict::Forward(plan) = &statement.verdict
                && !edited.refused.iter().any(|(refused, _)| *refused == number)
            {
                self.count_statement(plan);
                if let Some(found) = self.used_by(plan) {
                    sentinels.extend(found.sentinels());
                    used.push((number, found));
                }
                let keeping = self.keep(&analysis.text, plan, &sentinels)?;
                kept.extend(keeping.map(|keeping| (number, keeping)));
                self.foresee_behind(&setters, (&analysis, number), plan);
            }
        }
        let bytes = analysis.text.len() + edited.shifts.bytes() + sentinels.bytes();
        self.push_query(Query {
            _counted: self.account.hold_large(bytes),
            refused: edited.refused,
            shifts: edited.shifts,
            sentinels,
            used,
            kept,
            doubtful_from,
            setters: setters.before.into(),
            ..judged
        });
        Ok(Step::Taken)
    }

    /// Counts a statement that the server is asked to run.
    pub(super) fn count_statement(&self, plan: &Plan) {
        self.codecs.teller.runs(self.mode, plan.is_plain());
    }

    /// What comes first where a text runs prepared statements that have to be judged again; see
    /// [`Self::lacks_a_definition_of`].
    fn lacks_a_definition_in(&mut self, analysis: &Analysis) -> Option<Step> {
        let statements = analysis.script.statements.iter();
        let prepared = |statement: &sql::Statement| match &statement.verdict {
            Verdict::Forward(plan) => match &plan.source {
                Source::Prepared(name) => Some(name.clone()),
                Source::Itself | Source::Portal(_) => None,
            },
            Verdict::Refuse(_) => None,
        };
        let names: Vec<_> = statements.filter_map(prepared).collect();
        let mut names = names.iter();
        let first = names.find_map(|name| self.lacks_a_definition_of(name.as_bytes()));
        first.or_else(|| self.looks_before(analysis))
    }

    /// Why a part of a text may mean something else when it runs than it did when it was judged, if
    /// so.
    fn judged_too_early(&self, analysis: &Analysis) -> Option<Refusal> {
        if !self.executes_what_was_judged(analysis) {
            return Some(changed());
        }
        if self.moves_meanings_midway(analysis) {
            return Some(misread());
        }
        let may_change = self.doubt.may_change_back() && ends_midway(analysis);
        may_change.then(misread).or_else(|| self.loses_in(analysis))
    }

    /// A query that a glance has cleared.
    fn clean_query(&mut self, text: Bytes) -> Query {
        self.note_run(&text, None);
        self.catalog_view.losses.glance();
        Query {
            _counted: self.account.hold_large(text.len()),
            glanced: Some(Glanced {
                text,
                circumstances: self.circumstances.clone(),
            }),
            doubtful_from: usize::MAX,
            ..self.query_of(&self.shared.clean)
        }
    }

    /// What is answered like a query of which no more than this is known.
    fn query_of(&self, analysis: &Arc<Analysis>) -> Query {
        let circumstances = self.circumstances_of(&analysis.text);
        Query::new(self.batch, Arc::clone(analysis), circumstances)
    }

    /// The first statement of a text before which the database may have changed in ways that the
    /// analysis could not see.
    fn doubtful_from(&self, analysis: &Analysis) -> usize {
        if self.is_in_doubt() {
            return 0;
        }
        let statements = &analysis.script.statements;
        let unsettled = self.catalog_view.is_unsettled();
        let changes = |statement: &sql::Statement| matches!(&statement.verdict, Verdict::Forward(plan) if plan.effect.ddl || unsettled && plan.effect.ends_transaction);
        let ddl = statements.iter().position(changes);
        ddl.map_or(statements.len(), |ddl| ddl + 1)
    }

    fn push_query(&mut self, query: Query) {
        // It replaces the unnamed statement and portal.
        self.statements.replace(b"", None);
        self.portals.replace(b"", None);
        self.queue.push(Expected::Query(Box::new(query)));
        self.batch += 1;
        self.flow = Flow::Synced;
    }

    /// Refuses a message for which there is no memory, before the rest of it arrives.
    fn refuse_incomplete(
        &mut self,
        header: Header,
        exceeded: Exceeded,
        front: &mut FrameCursor<'_>,
    ) -> Result<Step, Fatal> {
        if self.stumbles(header.kind, front) {
            return Ok(Step::Taken);
        }
        let refused = self.refuse(exceeded.refusal());
        self.from_client = Streaming::Dropping(header.total);
        match header.kind {
            b'Q' | b'F' => self.poison_query(refused, front),
            // Which names it has does not matter: the server skips the rest of the batch.
            _ => self.poison_batch(refused, front),
        }
        Ok(Step::Taken)
    }

    /// Whether function calls pass: where nothing is annotated.
    fn passes_calls(&self) -> bool {
        !self.catalog().snapshot.can_have_ids()
    }

    /// A call by oid shows nothing that could be analysed. Its answer ends like that of a simple
    /// query, so a poisoned one takes its place.
    fn function_call(&mut self, header: Header, front: &mut FrameCursor<'_>) {
        let refusal = Refusal::unsupported(
            Code::Protocol,
            "function calls by the FunctionCall message are not supported",
        )
        .hint("Use SELECT function(…).");
        self.refuse_query(refusal, header, front);
    }

    /// Refuses what is answered like a simple query.
    fn refuse_query(&mut self, refusal: Refusal, header: Header, front: &mut FrameCursor<'_>) {
        let refused = self.refuse(refusal);
        self.refuse_query_with(refused, header, front);
    }

    fn refuse_query_with(
        &mut self,
        refused: Arc<Refused>,
        header: Header,
        front: &mut FrameCursor<'_>,
    ) {
        front.skip(header.total);
        self.poison_query(refused, front);
    }

    /// Sends a query that the server refuses.
    fn poison_query(&mut self, refused: Arc<Refused>, front: &mut FrameCursor<'_>) {
        let text = POISON.as_bytes();
        frontend::Query { text }.encode(front.built());
        self.push_query(Query {
            refused: vec![(0, refused)],
            ..self.query_of(&self.shared.unknown)
        });
    }

    /// Reports a refusal that no analysis made.
    pub(super) fn refuse(&self, refusal: Refusal) -> Arc<Refused> {
        self.codecs.teller.refused(self.mode, &refusal, false);
        Arc::new(Refused {
            refusal,
            position: None,
        })
    }
}

/// Lets the query at the front pass, or puts one with this text in its place.
fn put_query(
    header: Header,
    text: Option<&[u8]>,
    front: &mut FrameCursor<'_>,
) -> Result<(), Exceeded> {
    let Some(text) = text else {
        front.pass(header.total);
        return Ok(());
    };
    front.skip(header.total);
    let out = front.built_of(text.len() + HEADER_BYTES + 1)?;
    frontend::Query { text }.encode(out);
    Ok(())
}

/// Lets a query pass and gives its text, of so many bytes: a copy, or a part of what passes where
/// that is large.
///
/// # Errors
/// If the message is shorter than its text.
fn passed_text(
    length: usize,
    header: Header,
    front: &mut FrameCursor<'_>,
) -> Result<Bytes, Misplaced> {
    let text = HEADER_BYTES..HEADER_BYTES + length;
    if header.total > SMALL_BYTES {
        return Ok(front.pass_kept(header.total).slice(text));
    }
    let copy = Bytes::copy_from_slice(part(front.rest(), text)?);
    front.pass(header.total);
    Ok(copy)
}

/// Whether the message at the front is a statement that says no name of a relation, and that the
/// server may have to read before any query: about settings or about the transaction.
fn keeps_no_path(rest: &[u8]) -> bool {
    let text = match rest.split_first_chunk::<HEADER_BYTES>() {
        Some(([b'Q', ..], text)) => text,
        Some(([b'P', ..], body)) => {
            let name = body.iter().position(|byte| *byte == 0);
            name.and_then(|name| body.get(name + 1..))
                .unwrap_or_default()
        }
        Some(([b'B' | b'D' | b'E' | b'S' | b'H' | b'C', ..], _)) => return true,
        _ => return false,
    };
    let text = text.split(|byte| *byte == 0).next().unwrap_or_default();
    let text = text.trim_ascii();
    let text = text.strip_suffix(b";").unwrap_or(text);
    let word = text.split(|byte| !byte.is_ascii_alphabetic()).next();
    let word = word.unwrap_or_default();
    let keeps = |known: &&str| known.as_bytes().eq_ignore_ascii_case(word);
    const WORDS: [&str; 11] = [
        "set",
        "show",
        "reset",
        "begin",
        "start",
        "commit",
        "end",
        "rollback",
        "abort",
        "savepoint",
        "release",
    ];
    WORDS.iter().any(keeps) && !text.contains(&b';')
}

/// Whether a statement of the text ends a transaction, or a part of one, and others follow.
fn ends_midway(analysis: &Analysis) -> bool {
    let ends = |statement: &sql::Statement| matches!(&statement.verdict, Verdict::Forward(plan) if plan.effect.ends_transaction);
    let before_last = analysis.script.statements.split_last();
    before_last.is_some_and(|(_, before)| before.iter().any(ends))
}
