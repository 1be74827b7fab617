//! What a running session does with descriptions: of parameters, of result columns, of COPY. This
//! is where it is decided whether rows may be shown.

use std::sync::Arc;

use bytes::BytesMut;

use super::expected::{Expected, Glanced, QueryResult};
use super::explain::LastLine;
use super::fatal::{Fatal, disagreement};
use super::frame_cursor::FrameCursor;
use super::plans::Lookup;
use super::result::{self, Age, Description, ResultShape};
use super::running::{Running, Wanted};
use super::shared::{Epoch, Mode};
use super::stage::Stage;
use super::statements::{MOST_TOLD_BYTES, ResultFormats, Statement as Prepared, Told, Used};
use crate::sql::plan::{Columns, Plan, SentParameter};
use crate::sql::{Refusal, Statement, Verdict};
use crate::wire::WireError;
use crate::wire::backend::{self, Field};
use crate::wire::frame::{self, Header};
use crate::wire::frontend::Format;

impl Running {
    /// CopyOutResponse. Its data tell nothing of their origin.
    pub(super) fn copy_out(
        &mut self,
        header: Header,
        front: &mut FrameCursor<'_>,
    ) -> Result<(), Fatal> {
        let doubtful = match self.queue.head() {
            Some(Expected::Execute(portal)) => portal.doubtful || portal.statement.is_unresolved(),
            Some(Expected::Query(query)) => query.is_doubtful() || query.is_unresolved(),
            _ => return Err(Fatal::Unexpected(b'H')),
        };
        if doubtful && self.catalog().snapshot.can_have_ids() {
            self.tolerate(result::doubtful())?;
        }
        let body = frame::body(front.rest(), header).map_err(Fatal::Server)?;
        self.begin_copy_out(body)?;
        self.begin_answer();
        front.pass(header.total);
        Ok(())
    }

    pub(super) fn no_data(
        &mut self,
        header: Header,
        front: &mut FrameCursor<'_>,
    ) -> Result<(), Fatal> {
        let (statement, own) = match self.queue.pop() {
            Some(Expected::DescribeStatement(described)) => {
                (Arc::clone(described.explained()), false)
            }
            Some(Expected::DescribePortal(portal)) => (Arc::clone(&portal.explained), false),
            Some(Expected::OwnDescribe(portal)) => (Arc::clone(&portal.explained), true),
            _ => return Err(Fatal::Unexpected(b'n')),
        };
        // If rows come nevertheless, nothing is known of them.
        let may_have_rows = match statement.plan().map(|plan| &plan.columns) {
            None | Some(Columns::Clean | Columns::Copy(_)) => statement.is_unresolved(),
            Some(Columns::Known(_) | Columns::Explained(_)) => true,
        };
        let nothing = || Arc::new(ResultShape::default());
        let state = self.statements.state_mut(&statement);
        state.set_result((!may_have_rows).then(nothing));
        if own {
            front.skip(header.total);
        } else {
            front.pass(header.total);
        }
        Ok(())
    }

    pub(super) fn parameter_description(
        &mut self,
        header: Header,
        front: &mut FrameCursor<'_>,
    ) -> Result<(), Fatal> {
        self.reach(Stage::Description);
        let Some(Expected::DescribeStatement(described)) = self.queue.head() else {
            return Err(Fatal::Unexpected(b't'));
        };
        let Some(parameters) = described.statement.id_parameters() else {
            front.pass(header.total);
            return Ok(());
        };
        let frame = front.take(header.total);
        let body = frame::body(&frame, header).map_err(Fatal::Server)?;
        let sent = backend::parameter_description(body).map_err(Fatal::Server)?;
        if sent.len() != parameters.sent.len() {
            return Err(Fatal::Server(WireError::Range));
        }
        let shown = parameters.shown.iter().enumerate().map(|(source, shown)| {
            shown.unwrap_or_else(|| {
                let carries = |(_, parameter): &(&u32, &SentParameter)| parameter.source == source;
                let mut carriers = sent.iter().zip(&parameters.sent);
                carriers.find(carries).map_or(0, |(oid, _)| *oid)
            })
        });
        backend::put_parameter_description(shown, front.built());
        Ok(())
    }

    pub(super) fn row_description(
        &mut self,
        header: Header,
        front: &mut FrameCursor<'_>,
    ) -> Result<(), Fatal> {
        self.reach(Stage::Description);
        match self.described(header, front) {
            Err(Fatal::Result(refusal)) => self.misjudged(refusal, header, front),
            described => described,
        }
    }

    /// Lets the statement fail whose result is not what it was taken for, if its rows are what comes
    /// next: none of them is shown, and what stands behind it is judged by another look.
    fn misjudged(
        &mut self,
        refusal: Box<Refusal>,
        header: Header,
        front: &mut FrameCursor<'_>,
    ) -> Result<(), Fatal> {
        let has_rows_next = match self.queue.head() {
            Some(Expected::Query(query)) => !query.is_beyond_its_end(),
            Some(Expected::Execute(_)) => true,
            _ => false,
        };
        if !has_rows_next {
            return Err(Fatal::Result(refusal));
        }
        match self.or_unshown(Err(Fatal::Unshown(refusal))) {
            Err(Fatal::Unshown(refusal)) => return Err(Fatal::Result(refusal)),
            failing => failing?,
        }
        self.catalog_view.mark_stale();
        self.moves.advance();
        self.wanted = Wanted::Catalog;
        front.skip(header.total);
        Ok(())
    }

    fn described(&mut self, header: Header, front: &mut FrameCursor<'_>) -> Result<(), Fatal> {
        if matches!(self.queue.head(), Some(Expected::Query(_))) {
            return self.describe_query(header, front);
        }
        let (statement, portal, own) = match self.queue.pop() {
            Some(Expected::DescribeStatement(described)) => {
                self.check_used(described.used.as_ref())?;
                (Arc::clone(described.explained()), None, false)
            }
            Some(Expected::DescribePortal(portal)) => {
                self.check_used(portal.used.as_ref())?;
                (Arc::clone(&portal.explained), Some(portal), false)
            }
            Some(Expected::OwnDescribe(portal)) => {
                self.check_used(portal.used.as_ref())?;
                (Arc::clone(&portal.explained), Some(portal), true)
            }
            _ => return Err(Fatal::Unexpected(b'T')),
        };
        let body = frame::body(front.rest(), header).map_err(Fatal::Server)?;
        let doubtful = portal.as_ref().is_some_and(|portal| portal.doubtful);
        let doubtful = doubtful || statement.is_unresolved();
        let unknown = portal.is_some_and(|portal| portal.formats == ResultFormats::Unknown);
        let words = self.hash(body);
        let snapshot = self.sole_snapshot().filter(|_| !doubtful && !own);
        let state = self.statements.state(&statement);
        if let Some(told) = snapshot.and_then(|snapshot| state.told(snapshot, words)) {
            match told {
                Told::TheSame => return pass(header, front),
                Told::Instead(told) if !unknown => return put(&told, header, front),
                Told::Instead(_) => {}
            }
        }
        let mut fields = backend::row_description(body).map_err(Fatal::Server)?;
        let plan = statement.plan();
        let plan = plan.filter(|_| !self.has_passed(Some(&statement)));
        let description = self.explain(plan, doubtful, &mut fields)?;
        let is_current = description.age == Age::Current;
        let mut is_explained = false;
        let shape = match self.note(description) {
            Some(shape) if unknown && !shape.is_clean() => {
                self.tolerate(disagreement())?;
                // Nobody knows in which format the values come.
                Some(Arc::default())
            }
            Some(shape) => {
                is_explained =
                    is_current && (shape.is_clean() || self.is_by_plan(statement.plan(), &shape));
                Some(Arc::new(shape))
            }
            // Without the client's own Describe the rows follow at once.
            None if own => return Err(self.outdated()),
            // The client may go on when the snapshot is new.
            None => None,
        };
        let state = self.statements.state_mut(&statement);
        state.set_result(shape);
        let told = match shown(&fields, state.has_ids(), header.total) {
            Some(shown) => Told::Instead(shown.freeze()),
            None => Told::TheSame,
        };
        let is_kept = is_explained && !doubtful && header.total <= MOST_TOLD_BYTES;
        if let Some(snapshot) = self.sole_snapshot().filter(|_| is_kept) {
            let state = self.statements.state_mut(&statement);
            state.set_told(snapshot, words, told.clone());
        }
        match told {
            _ if own => front.skip(header.total),
            Told::Instead(shown) => return put(&shown, header, front),
            Told::TheSame => front.pass(header.total),
        }
        Ok(())
    }

    /// Whether a plan that a server has agreed with tells where the keys of a result are, so that the
    /// same words come to the same again, and nothing is said of them.
    fn is_by_plan(&self, plan: Option<&Plan>, shape: &ResultShape) -> bool {
        let is_confirmed = plan.is_some_and(Plan::is_confirmed);
        self.mode == Mode::Enforce && shape.explained.is_none() && is_confirmed
    }

    /// Takes the RowDescription of the result of a simple query.
    fn describe_query(&mut self, header: Header, front: &mut FrameCursor<'_>) -> Result<(), Fatal> {
        let Some(Expected::Query(query)) = self.queue.head() else {
            return Err(Fatal::Unexpected(b'T'));
        };
        let body = frame::body(front.rest(), header).map_err(Fatal::Server)?;
        let mut fields = backend::row_description(body).map_err(Fatal::Server)?;
        if query.is_beyond_its_end() {
            self.tolerate(disagreement())?;
        }
        self.check_used(query.used())?;
        if let Some(glanced) = &query.glanced {
            self.check_glance(glanced, &fields)?;
        }
        let doubtful = query.is_doubtful() || query.is_unresolved();
        let explained = query.used().map(|used| &**used.explained());
        let plan = query.plan().filter(|_| !self.has_passed(explained));
        let description = self.explain(plan, doubtful, &mut fields)?;
        let shape = self.note(description).ok_or_else(|| self.outdated())?;
        let shown = shown(&fields, Some(!shape.is_clean()), header.total);
        let formats = formats(&fields);
        if let Some(query) = self.queue.query_mut() {
            query.result = Some(QueryResult {
                shape,
                formats,
                last: LastLine::default(),
            });
        }
        self.begin_answer();
        match shown {
            Some(shown) => return put(&shown, header, front),
            None => front.pass(header.total),
        }
        Ok(())
    }

    /// The snapshot by which a description is understood, if by nothing but that.
    fn sole_snapshot(&self) -> Option<Epoch> {
        let remembers = self.catalog_view.remembers_any();
        (!remembers).then(|| self.catalog().epoch)
    }

    /// Analyses a text that was cleared by a glance, if the origins of its result are not known. It
    /// may name a column that the snapshot of the database lacks.
    fn check_glance(&self, glanced: &Glanced, fields: &[Field<'_>]) -> Result<(), Fatal> {
        let certain = |field: &Field<'_>| result::is_certain(&self.catalog_view, field);
        if !self.catalog().snapshot.has_ids() || fields.iter().all(certain) {
            return Ok(());
        }
        let circumstances = match &glanced.circumstances {
            then if then.get().epoch == self.catalog().epoch => then,
            _ => &self.circumstances,
        };
        let lookup = Lookup {
            circumstances,
            text: &glanced.text,
            declared: &[],
            fresh: false,
        };
        let analysis = self.shared.analysis(self.catalog(), lookup);
        let clean = |statement: &Statement| match &statement.verdict {
            Verdict::Forward(plan) => plan.edits.is_empty() && plan.columns == Columns::Clean,
            Verdict::Refuse(_) => false,
        };
        let script = &analysis.script;
        if script.unknown_name.is_none() && script.statements.iter().all(clean) {
            Ok(())
        } else {
            self.catalog_view.mark_stale();
            self.tolerate(result::outdated())
        }
    }

    /// Says which columns of a result hold keys. A doubtful result, which may be about what the
    /// batch itself has made or what the analysis took for unknown, must consist of columns that
    /// can be judged without the analysis.
    fn explain(
        &self,
        plan: Option<&Plan>,
        doubtful: bool,
        fields: &mut [Field<'_>],
    ) -> Result<Description, Fatal> {
        let (catalog, catalog_view) = (self.catalog(), &self.catalog_view);
        let passes = self.mode == Mode::Audit;
        let before = passes.then(|| fields.to_vec());
        let description = match result::describe(&self.codecs.teller, catalog_view, plan, fields) {
            Ok(description) => description,
            Err(refusal) => {
                self.tolerate(refusal)?;
                fields.copy_from_slice(&before.unwrap_or_default());
                self.by_origin(fields)
            }
        };
        let certain = |field: &Field<'_>| result::is_certain(catalog_view, field);
        // Of a plan nothing is shown that depends on the analysis.
        let doubtful = doubtful && description.shape.explained.is_none();
        if doubtful && catalog.snapshot.can_have_ids() && !fields.iter().all(certain) {
            match plan {
                // That it passes was said when it was sent.
                None if passes => {}
                _ => self.tolerate(result::doubtful())?,
            }
        }
        // A plan of which the server has said nothing for certain stays without its word.
        if let Some(plan) = plan.filter(|_| description.agreed && !doubtful) {
            plan.confirm();
        }
        Ok(description)
    }

    /// Whether what a name stands for has passed without being explained, as far as anybody knows: of
    /// that it was said.
    fn has_passed(&self, explained: Option<&Prepared>) -> bool {
        self.mode == Mode::Audit && explained.is_some_and(Prepared::is_unknown)
    }

    /// What the origins of columns tell of a result that passes.
    fn by_origin(&self, fields: &mut [Field<'_>]) -> Description {
        let before = fields.to_vec();
        let described = result::describe(&self.codecs.teller, &self.catalog_view, None, fields);
        described.unwrap_or_else(|_| {
            fields.copy_from_slice(&before);
            Description {
                shape: ResultShape::default(),
                age: Age::Current,
                agreed: false,
            }
        })
    }

    /// What explains a result must be what the server has used for it.
    fn check_used(&self, used: Option<&Used>) -> Result<(), Fatal> {
        match used.is_none_or(|used| self.has_used(used)) {
            true => Ok(()),
            false => self.tolerate(disagreement()),
        }
    }

    /// Whether values that can't be shown as ids are shown as they are, which is said then.
    pub(super) fn lets_pass(&self, fatal: &Fatal) -> bool {
        match fatal {
            Fatal::Result(refusal) | Fatal::Unshown(refusal) => {
                self.tolerate(refusal.clone()).is_ok()
            }
            Fatal::Server(_) => self.tolerate(disagreement()).is_ok(),
            _ => false,
        }
    }

    /// Ends the session over what can't be shown, or lets it pass and says so.
    pub(super) fn tolerate(&self, refusal: Box<Refusal>) -> Result<(), Fatal> {
        if self.mode != Mode::Audit {
            return Err(Fatal::Result(refusal));
        }
        self.codecs.teller.refused(self.mode, &refusal, true);
        Ok(())
    }

    /// Remembers that the snapshot is stale, if it is and if that matters. `None` if the rows must
    /// not be shown.
    fn note(&mut self, description: Description) -> Option<ResultShape> {
        if description.age > Age::Current && self.shared.annotates() {
            self.catalog_view.mark_stale();
            self.wanted = Wanted::Catalog;
        }
        let shown = description.age < Age::Dangerous || self.mode == Mode::Audit;
        shown.then_some(description.shape)
    }

    /// New sessions load the catalog anew; this one has to end, for its rows can't be held back.
    pub(super) fn outdated(&self) -> Fatal {
        self.catalog_view.mark_stale();
        Fatal::Result(result::outdated())
    }
}

/// The description that the client gets in the place of the server's, where they differ.
fn shown(fields: &[Field<'_>], has_ids: Option<bool>, length: usize) -> Option<BytesMut> {
    (has_ids != Some(false)).then(|| {
        // Only types change, which are as long as others.
        let mut shown = BytesMut::with_capacity(length);
        backend::put_row_description(fields, &mut shown);
        shown
    })
}

fn pass(header: Header, front: &mut FrameCursor<'_>) -> Result<(), Fatal> {
    front.pass(header.total);
    Ok(())
}

fn put(shown: &[u8], header: Header, front: &mut FrameCursor<'_>) -> Result<(), Fatal> {
    front.skip(header.total);
    front.built().extend_from_slice(shown);
    Ok(())
}

fn formats(fields: &[Field<'_>]) -> Vec<Format> {
    fields
        .iter()
        .map(|field| match field.format {
            1 => Format::Binary,
            _ => Format::Text,
        })
        .collect()
}
