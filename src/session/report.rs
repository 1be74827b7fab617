//! Errors and notices on their way to the client: refusals take the place of the errors that were
//! provoked for them, places are those of the client's text, and keys become ids or disappear.

use super::constraint_detail::{self, Rewritten};
use super::edited::{PositionMap, Refused};
use std::sync::Arc;

use super::call_stack;
use super::codecs::Codecs;
use super::copy::FAILURE;
use super::edit::POISON_NAME;
use super::expected::{Described, Expected};
use super::ids::Sentinels;
use super::mask::KeyTypes;
use super::shared::{Catalog, Mode};
use super::unanalysed;
use crate::catalog::Snapshot;
use crate::sql::plan::{ColumnValue, CopyPlan, Plan};
use crate::wire::report::{Report, field};
use crate::wire::sqlstate;

/// The SQLSTATE of refusals that are pgveil's own.
const NOT_SUPPORTED: &str = "0A000";

/// The SQLSTATEs of values, operators, functions, casts and operator classes that do not fit a type.
const OF_TYPES: [&[u8]; 5] = [b"22P02", b"42704", b"42804", b"42846", b"42883"];

/// What may be the cause of these, where something is defined.
const STORED_TYPES: &[u8] = b"What is defined is defined by the types of the database, where keys \
     have another one than clients see through pgveil. Run migrations with a role listed in \
     bypass_roles, and with these types. See docs/migrations.md.";

/// What a report is about.
#[derive(Default)]
pub(super) struct Place<'a> {
    poison: Option<Poison<'a>>,
    shifts: Option<&'a PositionMap>,
    sentinels: Option<&'a Sentinels>,
    /// The COPY that is being answered.
    copy: Option<&'a CopyPlan>,
    /// The text of a statement that computes with keys in ways that nobody has judged.
    unanalysed: Option<&'a [u8]>,
    /// The definitions may have changed since it was judged, and nobody has looked at them: its
    /// text.
    unseen: Option<&'a [u8]>,
    /// It defines something by the types that are stored, where clients see others.
    of_stored_types: bool,
    /// The session has changed the database since the snapshot was taken: names in a report may be
    /// those of something else.
    pub(super) changed: bool,
}

/// What was forwarded so that the server raises an error, and what the client is told instead.
enum Poison<'a> {
    /// A statement.
    Statement(&'a Refused),
    /// A value in a Bind.
    Value(&'a Refused),
    /// The data of COPY.
    Copy(&'a Refused),
}

impl<'a> Place<'a> {
    /// A report belongs to the message that is being answered.
    pub(super) fn of(head: Option<&'a Expected>) -> Self {
        match head {
            Some(Expected::Parse {
                statement, refused, ..
            }) => Self {
                poison: refused.as_deref().map(Poison::Statement),
                shifts: Some(&statement.shifts),
                sentinels: Some(&statement.sentinels),
                of_stored_types: is_of_stored_types(statement.plan()),
                ..Self::default()
            },
            Some(Expected::Bind {
                portal, refused, ..
            }) => Self {
                poison: refused.as_deref().map(Poison::Value),
                shifts: Some(&portal.statement.shifts),
                sentinels: Some(&portal.sentinels),
                unanalysed: portal.unanalysed(),
                ..Self::default()
            },
            Some(
                Expected::Execute(portal)
                | Expected::DescribePortal(portal)
                | Expected::OwnDescribe(portal),
            ) => Self {
                shifts: Some(&portal.statement.shifts),
                sentinels: Some(&portal.sentinels),
                unanalysed: portal.unanalysed(),
                of_stored_types: is_of_stored_types(portal.statement.plan()),
                ..Self::default()
            },
            Some(Expected::Query(query)) => Self {
                poison: query.refused().map(|refused| Poison::Statement(refused)),
                shifts: Some(&query.shifts),
                sentinels: Some(&query.sentinels),
                unanalysed: query.unanalysed(),
                of_stored_types: is_of_stored_types(query.own_plan()),
                ..Self::default()
            },
            Some(Expected::Refusal(refused)) => Self {
                poison: Some(Poison::Statement(refused)),
                ..Self::default()
            },
            Some(Expected::DescribeStatement(Described { statement, .. })) => Self {
                shifts: Some(&statement.shifts),
                sentinels: Some(&statement.sentinels),
                ..Self::default()
            },
            _ => Self::default(),
        }
    }

    /// The statement has been judged by definitions that may be others by now.
    pub(super) fn unseen(self, head: Option<&'a Expected>) -> Self {
        let text = match head {
            Some(Expected::Parse { statement, .. }) => &statement.analysis.text,
            Some(
                Expected::Bind { portal, .. }
                | Expected::Execute(portal)
                | Expected::DescribePortal(portal)
                | Expected::OwnDescribe(portal),
            ) => &portal.statement.analysis.text,
            Some(Expected::Query(query)) => match &query.glanced {
                Some(glanced) => &*glanced.text,
                None => &query.analysis.text,
            },
            _ => &[][..],
        };
        Self {
            unseen: Some(text),
            ..self
        }
    }

    /// Whether what is defined may not fit the types that are stored.
    fn is_by_stored_types(&self, report: &Report<'_>) -> bool {
        let code = report.get(field::CODE).unwrap_or_default();
        self.of_stored_types && OF_TYPES.contains(&code)
    }

    /// What becomes of a detail.
    fn detail(
        &self,
        codecs: &Codecs,
        snapshot: &Snapshot,
        report: &Report<'_>,
        detail: &str,
    ) -> Rewritten {
        if self.changed && constraint_detail::may_quote(report, detail) {
            return Rewritten::Unclear;
        }
        let nothing = Sentinels::default();
        let sentinels = self.sentinels.unwrap_or(&nothing);
        constraint_detail::rewrite(codecs, snapshot, sentinels, report, detail)
    }

    /// It is about a COPY, of which the data may be refused.
    pub(super) fn copying(
        self,
        plan: Option<&'a CopyPlan>,
        refused: Option<&'a Arc<Refused>>,
    ) -> Self {
        Self {
            poison: refused.map(|refused| Poison::Copy(refused)).or(self.poison),
            copy: plan,
            ..self
        }
    }
}

/// Passes the report to `emit` as the client may see it, if it may.
pub(super) fn rewrite(
    codecs: &Codecs,
    catalog: &Catalog,
    place: &Place<'_>,
    report: &Report<'_>,
    emit: impl FnOnce(&Report<'_>),
) {
    if is_plan_talk(report) {
        return;
    }
    if let Some(refused) = provoked(place, report) {
        return refusal(refused, report, emit);
    }
    if let Some(raised) = place.sentinels.and_then(|all| all.raised(report)) {
        codecs.teller.refused(Mode::Enforce, raised, false);
        let refused = Refused {
            refusal: raised.clone(),
            position: None,
        };
        return refusal(&refused, report, emit);
    }
    let mut shown = report.clone();
    let position = original_position(place, report);
    if let Some(position) = &position {
        shown.set(field::POSITION, position.as_bytes());
    }
    let snapshot = &catalog.snapshot;
    if !snapshot.has_ids() {
        return emit(&shown);
    }
    let detail = report.text(field::DETAIL);
    let detail = detail.map(|detail| place.detail(codecs, snapshot, report, detail));
    match &detail {
        Some(Rewritten::Unchanged) => {}
        Some(Rewritten::Ids(detail)) => shown.set(field::DETAIL, detail.as_bytes()),
        None if report.get(field::DETAIL).is_none() => {}
        Some(Rewritten::Unclear) | None => conceal(&mut shown),
    }
    let texts;
    let context = report.get(field::WHERE);
    let copied = place.copy.zip(context);
    let copied = copied.and_then(|(plan, context)| CopyContext::read(plan, context));
    let foreign = match &copied {
        Some(copied) => !copied.of_the_client,
        None => context.is_some_and(|context| !is_parameter_context(context)),
    };
    if report.get(field::CODE) == Some(b"P0001") || foreign {
        // Raised in code of the user: what the texts say is the user's, and so are their values.
        texts = Texts::masked(catalog.stored, &shown);
        texts.put(&mut shown, matches!(detail, Some(Rewritten::Ids(_))));
        let code = report.text(field::CODE).unwrap_or_default();
        mask_names(catalog.stored, snapshot.functions().raise(code), &mut shown);
        if let Some(copied) = &copied {
            shown.set(field::WHERE, copied.shown);
        }
    }
    let known;
    let sent = context.is_some_and(is_parameter_context);
    if place.unseen.is_some() && !sent {
        // Whose values they are is not known, either.
        conceal(&mut shown);
    }
    let unanalysed = place.unanalysed.or(place.unseen);
    if let Some(text) = unanalysed.filter(|_| !sent && unanalysed::may_quote(report)) {
        let quoting = shown.get(field::MESSAGE).unwrap_or_default();
        known = unanalysed::known_words(quoting, text);
        conceal(&mut shown);
        shown.set(field::MESSAGE, &known);
    }
    without_tags(codecs, &mut shown);
    if place.is_by_stored_types(report) {
        shown.set(field::HINT, STORED_TYPES);
    }
    emit(&shown);
}

fn is_of_stored_types(plan: Option<&Plan>) -> bool {
    plan.is_some_and(|plan| plan.effect.of_stored_types)
}

/// Passes the report to `emit` as the client may see it before anything is known of the database:
/// code of the user, which may run when a session begins, can put keys into whatever it raises.
pub(super) fn rewrite_early(report: &Report<'_>, emit: impl FnOnce(&Report<'_>)) {
    if is_plan_talk(report) {
        return;
    }
    let mut shown = report.clone();
    let texts;
    if report.get(field::CODE) == Some(b"P0001") || report.get(field::WHERE).is_some() {
        texts = Texts::masked(KeyTypes::UNKNOWN, report);
        texts.put(&mut shown, false);
        mask_names(KeyTypes::UNKNOWN, false, &mut shown);
    }
    emit(&shown);
}

/// The texts of a report of the user's code, without what could be a key.
struct Texts {
    message: Vec<u8>,
    detail: Option<Vec<u8>>,
    hint: Option<Vec<u8>>,
    context: Option<Vec<u8>>,
}

impl Texts {
    fn masked(stored: KeyTypes, report: &Report<'_>) -> Self {
        let text = |code| report.get(code).map(|text| stored.masked(text));
        Self {
            message: stored.masked(report.get(field::MESSAGE).unwrap_or_default()),
            detail: text(field::DETAIL),
            hint: text(field::HINT),
            context: report
                .get(field::WHERE)
                .map(|frames| call_stack::masked(stored, frames)),
        }
    }

    /// Puts them in the place of what the code has said. `is_shown` says of the detail that its
    /// keys are ids by now.
    fn put<'t>(&'t self, report: &mut Report<'t>, is_shown: bool) {
        report.set(field::MESSAGE, &self.message);
        let detail = self.detail.as_ref().filter(|_| !is_shown);
        let texts = [
            (field::DETAIL, detail),
            (field::HINT, self.hint.as_ref()),
            (field::WHERE, self.context.as_ref()),
        ];
        for (code, text) in texts {
            if let Some(text) = text {
                report.set(code, text);
            }
        }
        report.remove(field::INTERNAL_QUERY);
        report.remove(field::INTERNAL_POSITION);
    }
}

/// Takes out of a report of the user's code what could be a key: RAISE chooses the SQLSTATE and
/// names at will. `written` says that the SQLSTATE is a constant of that code.
fn mask_names(stored: KeyTypes, written: bool, report: &mut Report<'_>) {
    if constraint_detail::is_of_the_server(report) {
        return;
    }
    for code in [
        field::SCHEMA,
        field::TABLE,
        field::COLUMN,
        field::DATA_TYPE,
        field::CONSTRAINT,
    ] {
        if report.get(code).is_some_and(|name| stored.occur_in(name)) {
            report.remove(code);
        }
    }
    let code = report.get(field::CODE).unwrap_or_default();
    if !written && !sqlstate::is_known(code) && stored.occur_in(code) {
        report.set(field::CODE, b"P0001");
    }
}

/// With `debug_print_plan` messages of these levels hold the constants of plans.
fn is_plan_talk(report: &Report<'_>) -> bool {
    let severity = report.get(field::SEVERITY_PLAIN).unwrap_or_default();
    severity == b"LOG" || severity.starts_with(b"DEBUG")
}

/// A message about a text that the query builds, such as one that is no JSON, may quote it.
fn without_tags(codecs: &Codecs, report: &mut Report<'_>) {
    for code in [
        field::DETAIL,
        field::HINT,
        field::WHERE,
        field::INTERNAL_QUERY,
    ] {
        let text = report.get(code);
        if text.is_some_and(|text| codecs.tags.occur_in(text)) {
            report.remove(code);
        }
    }
    let message = report.get(field::MESSAGE);
    if message.is_some_and(|text| codecs.tags.occur_in(text)) {
        report.set(field::MESSAGE, b"the message could show a key");
    }
}

/// The context that the server gives an error in the data of COPY (`CopyFromErrorCallback`).
struct CopyContext<'r> {
    /// What may be shown of it: all, or all but the line, which holds keys.
    shown: &'r [u8],
    /// Whether it is about a value that the client itself has sent in this form.
    of_the_client: bool,
}

impl<'r> CopyContext<'r> {
    /// Reads `COPY t, line 3`, perhaps with `: "the line"` or `, column c: "the value"`. In front of
    /// a context of the user's code stands that code.
    fn read(plan: &CopyPlan, context: &'r [u8]) -> Option<Self> {
        let head = format!("COPY {}, line ", plan.table);
        let rest = context.strip_prefix(head.as_bytes())?;
        let digits = rest.iter().take_while(|c| c.is_ascii_digit()).count();
        let (_, rest) = rest.split_at_checked(digits)?;
        let place = context.get(..context.len() - rest.len())?;
        let of_column = plan.columns.iter().any(|column| {
            let rest = rest.strip_prefix(b", column ");
            let rest = rest.and_then(|rest| rest.strip_prefix(column.name.as_bytes()));
            let clean = column.value == ColumnValue::Clean;
            clean && rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(b": "))
        });
        Some(Self {
            shown: if of_column { context } else { place },
            of_the_client: of_column,
        })
    }
}

fn conceal(report: &mut Report<'_>) {
    for code in [
        field::DETAIL,
        field::HINT,
        field::WHERE,
        field::INTERNAL_QUERY,
        field::INTERNAL_POSITION,
    ] {
        report.remove(code);
    }
}

/// The refusal, if this is the error that was provoked for it.
fn provoked<'a>(place: &Place<'a>, report: &Report<'_>) -> Option<&'a Refused> {
    let code = report.get(field::CODE)?;
    match place.poison {
        Some(Poison::Statement(refused)) => {
            let message = report.get(field::MESSAGE)?;
            let ours = memchr::memmem::find(message, POISON_NAME.as_bytes()).is_some();
            // A cancellation may have ended the client's transaction already.
            let ended = code == b"25P02" && refused.is_cancellation();
            // In a Parse the refused one stands behind it: two are too many, once both are parsed.
            let parsed = code == b"42601" && report.get(field::POSITION).is_none();
            (code == b"42703" && ours || ended || parsed).then_some(refused)
        }
        Some(Poison::Copy(refused)) => {
            let message = report.get(field::MESSAGE)?;
            let ours = memchr::memmem::find(message, FAILURE.as_bytes()).is_some();
            (code == b"57014" && ours).then_some(refused)
        }
        Some(Poison::Value(refused)) => {
            matches!(code, b"22021" | b"22P02" | b"22P03" | b"08P01").then_some(refused)
        }
        None => None,
    }
}

pub(super) fn refusal(refused: &Refused, provoked: &Report<'_>, emit: impl FnOnce(&Report<'_>)) {
    let refusal = &refused.refusal;
    let mut report = Report::default();
    for code in [field::SEVERITY, field::SEVERITY_PLAIN] {
        report.set(code, provoked.get(code).unwrap_or(b"ERROR"));
    }
    report.set(field::CODE, refusal.sqlstate.as_bytes());
    report.set(field::MESSAGE, refusal.message.as_bytes());
    if let Some(detail) = &refusal.detail {
        report.set(field::DETAIL, detail.as_bytes());
    }
    let hint = refusal.hint.as_deref().map(|hint| {
        // What Postgres would say of uuid is in its own words.
        match refusal.sqlstate {
            NOT_SUPPORTED => format!("{hint} See docs/refusals.md#{}.", refusal.code.as_str()),
            _ => hint.to_owned(),
        }
    });
    if let Some(hint) = &hint {
        report.set(field::HINT, hint.as_bytes());
    }
    // What was sent in the place of the value is nothing that the client knows.
    let context = provoked.get(field::WHERE).filter(|context| {
        is_parameter_context(context) && memchr::memmem::find(context, b"pgveil").is_none()
    });
    let context = context.or(refusal.context.as_deref().map(str::as_bytes));
    if let Some(context) = context {
        report.set(field::WHERE, context);
    }
    let position = refused.position.map(|position| position.to_string());
    if let Some(position) = &position {
        report.set(field::POSITION, position.as_bytes());
    }
    if let Some(constraint) = &refusal.constraint {
        report.set(field::SCHEMA, constraint.schema.as_bytes());
        report.set(field::TABLE, constraint.table.as_bytes());
        report.set(field::CONSTRAINT, constraint.constraint.as_bytes());
    }
    // Where the server says what part of itself raises it. psql shows it by `\errverbose`.
    report.set(field::FILE, b"pgveil");
    report.set(field::LINE, b"0");
    let routine = refusal.routine.unwrap_or(refusal.code.as_str());
    report.set(field::ROUTINE, routine.as_bytes());
    emit(&report);
}

/// Whether a context tells no more than which parameter of Bind is meant (`bind_param_error_callback`).
/// With a value in it, which a setting can bring about, it could show a key.
fn is_parameter_context(context: &[u8]) -> bool {
    let context = context.strip_suffix(b" = '...'").unwrap_or(context);
    let digits = context.iter().rev().take_while(|c| c.is_ascii_digit());
    let name = context.get(..context.len() - digits.count());
    let name = name.and_then(|name| name.strip_suffix(b" parameter $"));
    name.is_some_and(|name| {
        name == b"unnamed portal" || name.starts_with(b"portal \"") && !name.contains(&b'\n')
    })
}

fn original_position(place: &Place<'_>, report: &Report<'_>) -> Option<String> {
    let shifts = place.shifts.filter(|shifts| !shifts.is_empty())?;
    let position = report.text(field::POSITION)?.parse().ok()?;
    Some(shifts.original(position).to_string())
}
