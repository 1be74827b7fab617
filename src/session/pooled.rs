//! Behind a pooler in transaction mode the server's session is another one in each transaction, and
//! whatever it was left with is not what this client's was: its path may come from a default that
//! has changed since, and a name may mean the statement of somebody else. So pgveil brings along
//! what the statements of its client depend on, in the same transaction and without a round trip.
//! It sets the path before the first statement that could need it, and prepares under a name what
//! the client has prepared there, when that is used.
//!
//! Which transaction a message belongs to must be certain for that: each batch waits for the answer
//! to the one before.

use std::sync::Arc;

use super::edit::{Setters, quoted};
use super::edited::Refused;
use super::expected::{Expected, Own};
use super::fatal::Fatal;
use super::frame_cursor::FrameCursor;
use super::plans::{Analysis, Hashed};
use super::running::{Flow, Running, Wanted};
use super::statements::Statement;
use crate::catalog::SearchPath;
use crate::sql::plan::{Effect, PathChange, Paths};
use crate::sql::refusal::Code;
use crate::sql::{self, Plan, Refusal, Standing, Verdict};
use crate::wire::backend::TransactionStatus;
use crate::wire::frame::{self, Header};
use crate::wire::frontend::{Bind, BindWriter, Execute, Formats, Parse, Target, parse};

impl Running {
    /// Whether a message has to wait because it would begin a batch while another is under way:
    /// nobody knows then which transaction it will belong to.
    pub(super) fn begins_too_early(&mut self, kind: u8) -> bool {
        let Some(link) = &mut self.link else {
            return false;
        };
        if self.flow != Flow::Synced || !matches!(kind, b'Q' | b'P' | b'B' | b'D' | b'E' | b'C') {
            return false;
        }
        if !self.queue.is_empty() {
            return true;
        }
        link.block = self.status != TransactionStatus::Idle;
        if !link.block {
            link.number += 1;
            link.path_is_set = false;
        }
        false
    }

    /// The path for which a statement must not run under any other, if that is not in force.
    fn lacks_path(&self, standing: Standing) -> Option<&SearchPath> {
        let link = self.link.as_ref()?;
        let needs = standing == Standing::Inside
            && !link.path_is_set
            && self.status != TransactionStatus::Failed
            && self.catalog().snapshot.can_have_ids();
        let own = link.own.as_ref().filter(|_| needs)?;
        (self.paths.now.as_ref() == Some(own)).then_some(own)
    }

    fn standing(&self, text: &[u8]) -> Standing {
        sql::standing(text, self.settings.standard_conforming_strings)
    }

    /// The circumstances under which a text will be carried out, which may be others than those of
    /// now: what can't be in one transaction with anything else gets the path that it finds.
    pub(super) fn circumstances_of(&self, text: &[u8]) -> Hashed {
        let is_set = self.link.as_ref().is_none_or(|link| link.path_is_set);
        let finds_a_path = || {
            let path = self.paths.now.as_ref();
            self.standing(text) == Standing::Alone
                || !path.is_some_and(|path| self.can_be_told(path))
        };
        if is_set || !finds_a_path() {
            return self.circumstances.clone();
        }
        self.circumstances_behind(&Paths::default(), false)
    }

    /// Whether the server will read a path as it is written.
    fn can_be_told(&self, path: &SearchPath) -> bool {
        self.is_utf8() || path.schemas().all(str::is_ascii)
    }

    /// Sets the path in the batch under way, if a statement of this text has to have that before a
    /// message of this kind.
    pub(super) fn bring_path(&mut self, text: &[u8], before: u8, front: &mut FrameCursor<'_>) {
        if self.link.as_ref().is_none_or(|link| link.path_is_set) {
            return;
        }
        let Some(path) = self.lacks_path(self.standing(text)) else {
            return;
        };
        if !self.can_be_told(path) {
            return;
        }
        let block = self.link.as_ref().is_some_and(|link| link.block);
        let text = if block {
            set_local(path)
        } else {
            // Outside of a block the server would warn, and write that to its log.
            let names = path.named().into_iter().map(identifier).collect::<Vec<_>>();
            let names = literal(&names.join(", "));
            format!("SELECT WHERE pg_catalog.set_config('search_path', {names}, true) IS NULL")
        };
        let name = self.own_name.clone();
        let name = name.as_bytes();
        // It may be there from a transaction that has failed.
        self.close_name(name, before, front);
        let out = front.built();
        parse(name, text.as_bytes(), [].into_iter(), out);
        BindWriter::new(out, name, name, [].into_iter(), 0).finish(Formats::default());
        let limit = 0;
        let portal = name;
        Execute { portal, limit }.encode(out);
        self.expect_own(3, before);
        self.path_is_brought();
    }

    /// Closes a statement that may be anybody's, and a portal that is nobody's: what PgBouncer (since
    /// 1.21) answers itself comes too early if it has nothing to wait for.
    pub(super) fn close_name(&mut self, name: &[u8], before: u8, front: &mut FrameCursor<'_>) {
        let out = front.built();
        Target::Portal(self.own_name.as_bytes()).close(out);
        Target::Statement(name).close(out);
        self.expect_own(2, before);
    }

    fn expect_own(&mut self, answers: usize, before: u8) {
        self.queue.push(Expected::Own(Own { answers, before }));
        self.flow = Flow::Batch;
    }

    /// The path of the open transaction is being set.
    fn path_is_brought(&mut self) {
        if let Some(link) = &mut self.link {
            link.path_is_set = true;
        }
    }

    /// Remembers what the statement of this number in a text will have changed.
    pub(super) fn foresee_behind(
        &mut self,
        setters: &Setters,
        (analysis, number): (&Analysis, usize),
        plan: &Plan,
    ) {
        if setters.before.binary_search(&number).is_ok() {
            self.path_is_brought();
        }
        self.foresee(&plan.effect);
        self.foresee_used(plan);
        let statement = analysis.script.statements.get(number);
        let text = statement.and_then(|statement| analysis.text.get(statement.range.clone()));
        self.note_block(text.unwrap_or_default(), &plan.effect);
        self.note_run(text.unwrap_or_default(), Some(&plan.effect));
    }

    /// Remembers what an `EXECUTE`, a `FETCH` or a `MOVE` that is being forwarded may have changed.
    pub(super) fn foresee_used(&mut self, plan: &Plan) {
        if self.runs_what_moves_meanings(plan) {
            self.foresee(&Effect {
                search_path: PathChange::Unknown,
                settings: true,
                ..Effect::default()
            });
        }
    }

    /// Where in a text the path has to be set.
    pub(super) fn setters(&self, analysis: &Analysis) -> Setters {
        let Some(link) = &self.link else {
            return Setters::default();
        };
        let mut paths = self.paths.clone();
        let mut is_set = link.path_is_set;
        let mut setters = Setters::default();
        let is_single = analysis.script.statements.len() == 1;
        for (number, statement) in analysis.script.statements.iter().enumerate() {
            let text = analysis.text.get(statement.range.clone());
            let mut standing = self.standing(text.unwrap_or_default());
            if standing == Standing::Alone && !is_single {
                // It will be refused.
                standing = Standing::Inside;
            }
            if !is_set
                && standing == Standing::Inside
                && paths.now == link.own
                && let Some(path) = self.lacks_path_in_text()
            {
                setters.before.push(number);
                setters.text = set_local(path) + "; ";
                is_set = true;
            }
            if let Verdict::Forward(plan) = &statement.verdict {
                is_set = is_set_behind(is_set, &plan.effect);
                paths.change(&plan.effect.search_path);
            }
        }
        setters
    }

    /// The path of the client's session, if a text may and must set it.
    fn lacks_path_in_text(&self) -> Option<&SearchPath> {
        let own = self.link.as_ref()?.own.as_ref()?;
        let needs = self.status != TransactionStatus::Failed
            && self.catalog().snapshot.can_have_ids()
            && self.can_be_told(own);
        needs.then_some(own)
    }

    /// A statement is being forwarded that has this effect.
    pub(super) fn lend(&mut self, effect: &Effect) {
        let Some(link) = &mut self.link else { return };
        link.path_is_set = is_set_behind(link.path_is_set, effect);
        match effect.search_path {
            PathChange::Committed | PathChange::RolledBack => link.block = false,
            // What is there of the path besides, such as the temporary schema, is not known.
            PathChange::Reverted if self.paths.now != link.own => self.path_changed = true,
            _ => {}
        }
    }

    /// A portal of this text is about to be carried out.
    pub(super) fn carries_out(&mut self, text: &[u8]) {
        if self.link.is_none() {
            return;
        }
        let standing = self.standing(text);
        let first = text.trim_ascii_start().get(..2).unwrap_or_default();
        if let Some(link) = &mut self.link {
            link.block |= standing == Standing::Begins;
            // Code outside of a block may end the transaction.
            link.path_is_set &= standing != Standing::Alone && !first.eq_ignore_ascii_case(b"do");
        }
    }

    /// To be called at the end of each batch.
    pub(super) fn give_back(&mut self, status: TransactionStatus) {
        let Some(link) = &mut self.link else { return };
        if status != TransactionStatus::Idle || link.own.is_none() {
            return;
        }
        link.path_is_set = false;
        self.path_changed = false;
        if self.wanted == Wanted::SearchPath {
            self.wanted = Wanted::Nothing;
        }
        let settled = Paths::settled(link.own.clone());
        if self.paths != settled {
            self.paths = settled;
            self.refresh();
        }
    }

    /// Takes what the server says of its path. Returns whether it has a pooler.
    pub(super) fn found_path_of_link(
        &mut self,
        path: &SearchPath,
        status: TransactionStatus,
    ) -> bool {
        let Some(link) = &mut self.link else {
            return false;
        };
        if status == TransactionStatus::Idle {
            // Of another of the server's sessions: it tells nothing of the next one.
            let own = link
                .own
                .get_or_insert_with(|| path.clone().of_any_session());
            self.paths = Paths::settled(Some(own.clone()));
        } else if self.path_changed || link.path_is_set {
            self.paths.now = Some(path.clone());
            link.path_is_set = true;
        }
        true
    }

    /// What was prepared in the server's session may be gone.
    pub(super) fn doubt_statements(&mut self) {
        if let Some(link) = &mut self.link {
            link.number += 1;
        }
    }

    /// Refuses a Parse, Bind or Describe for the name of its statement, as the server would that
    /// has what the client has prepared and nothing else. Returns whether it does.
    pub(super) fn refuse_name(
        &mut self,
        header: Header,
        front: &mut FrameCursor<'_>,
    ) -> Result<bool, Fatal> {
        if self.link.is_none() {
            return Ok(false);
        }
        let body = frame::body(front.rest(), header).map_err(Fatal::Client)?;
        let name = match header.kind {
            b'P' => Parse::decode(body).map_err(Fatal::Client)?.name,
            b'B' => Bind::decode(body).map_err(Fatal::Client)?.statement,
            _ => match Target::decode(body).map_err(Fatal::Client)? {
                Target::Statement(name) => name,
                Target::Portal(_) => return Ok(false),
            },
        };
        let shown = String::from_utf8_lossy(name);
        // Some clients prepare anew what is gone, which they tell by the routine.
        let (code, message, routine) = match header.kind {
            b'P' if self.is_taken(name) => {
                let message = format!("prepared statement \"{shown}\" already exists");
                ("42P05", message, "StorePreparedStatement")
            }
            b'P' => return Ok(false),
            _ if self.statements.get(name).is_some() => return Ok(false),
            _ if name.is_empty() => {
                let routine = match header.kind {
                    b'B' => "exec_bind_message",
                    _ => "exec_describe_statement_message",
                };
                let message = "unnamed prepared statement does not exist".to_owned();
                ("26000", message, routine)
            }
            _ => {
                let message = format!("prepared statement \"{shown}\" does not exist");
                ("26000", message, "FetchPreparedStatement")
            }
        };
        let refusal = Refusal::new(Code::Protocol, code, message).raised_by(routine);
        let position = None;
        let refused = Arc::new(Refused { refusal, position });
        front.skip(header.total);
        self.poison_batch(refused, front);
        Ok(true)
    }

    /// Sees to it that the server has under a name what the client has prepared there.
    pub(super) fn bring_statement(&mut self, name: &[u8], before: u8, front: &mut FrameCursor<'_>) {
        if self.link.is_none() {
            return;
        }
        let Some(statement) = self.statements.get(name).cloned() else {
            return;
        };
        // Also for one that is there, which the server plans anew if the path is another one.
        self.bring_path(&statement.analysis.text, before, front);
        let Some(link) = &self.link else { return };
        let presence = statement.presence_mut(self.statements.owner_mut());
        let is_there = std::mem::replace(&mut presence.there, link.number) == link.number;
        let Some(sent) = statement.sent.as_ref().filter(|_| !is_there) else {
            return;
        };
        self.close_name(name, before, front);
        front.built().extend_from_slice(sent);
        self.expect_own(1, before);
    }

    /// Sends a Parse of the client's, under a name that may be somebody else's in this session of the
    /// server.
    pub(super) fn send_parse(
        &mut self,
        name: &[u8],
        statement: &Statement,
        header: Header,
        front: &mut FrameCursor<'_>,
    ) {
        let (Some(link), Some(sent)) = (&self.link, &statement.sent) else {
            return;
        };
        statement.presence_mut(self.statements.owner_mut()).there = link.number;
        front.skip(header.total);
        self.bring_path(&statement.analysis.text, header.kind, front);
        if !name.is_empty() {
            self.close_name(name, header.kind, front);
        }
        front.built().extend_from_slice(sent);
    }

    /// Takes a message that answers something of the session's own, if it does.
    pub(super) fn is_own_answer(&mut self, kind: u8) -> bool {
        let is_answer = matches!(kind, b'1' | b'2' | b'3' | b'C');
        if let Some(own) = self.queue.own_mut() {
            if is_answer {
                own.answers = own.answers.saturating_sub(1);
                if own.answers == 0 {
                    self.queue.pop();
                }
            }
            return is_answer || kind == b'N';
        }
        if let Some(query) = self.queue.query_mut() {
            let is_setter = query.sets_path() && kind == b'C';
            if is_setter {
                query.setters.pop_front();
            }
            return is_setter;
        }
        match self.queue.head() {
            // PgBouncer answers by itself what it knows of names, also where an error has ended the
            // batch.
            None | Some(Expected::Sync { .. }) => {
                self.link.is_some() && self.failed && matches!(kind, b'1' | b'3')
            }
            _ => false,
        }
    }
}

/// Whether the path is set behind a statement with this effect.
const fn is_set_behind(is_set: bool, effect: &Effect) -> bool {
    match effect.search_path {
        PathChange::Unchanged => is_set,
        // The client's own business from now on.
        PathChange::Predicted { .. } | PathChange::Unknown => true,
        PathChange::Reverted | PathChange::Committed | PathChange::RolledBack => false,
    }
}

/// Sets the path in a transaction block. It is no query: the client may still say what kind of
/// transaction it is to be, and may lock before it looks.
fn set_local(path: &SearchPath) -> String {
    let names: Vec<String> = path.named().into_iter().map(literal).collect();
    let names = if names.is_empty() {
        "''".to_owned()
    } else {
        names.join(", ")
    };
    format!("SET LOCAL search_path = {names}")
}

fn identifier(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

fn literal(text: &str) -> String {
    String::from_utf8_lossy(&quoted(text.as_bytes())).into_owned()
}
