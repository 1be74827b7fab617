//! Statement text and catalog to plan. sqlparser lives in here and nowhere else; sockets, keys
//! and the wire format don't.
#![warn(
    clippy::indexing_slicing,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_possible_wrap
)]

mod alter;
mod anchors;
mod assumed;
mod budget;
mod code;
mod constant;
mod copy;
mod create;
mod definition;
mod elsewhere;
mod encoding;
mod explain;
mod explain_tag;
mod fast_path;
mod implicit_calls;
mod infer;
mod late;
#[expect(
    clippy::indexing_slicing,
    reason = "a scanner that lost its place must not go on"
)]
mod lex;
pub mod lineage;
mod normalize;
mod notify;
pub mod objects;
#[cfg(test)]
mod oracle;
#[expect(
    clippy::indexing_slicing,
    reason = "tokens are found by their numbers, of which none is made up"
)]
mod parse;
pub mod plan;
mod prepare;
mod references;
pub mod refusal;
mod scope;
mod session_state;
mod setter;
mod setting;
mod shadowed;
mod shape;
mod solve;
mod split;
mod standing;
mod statement;
mod types;
mod unseen;
mod updatable_view;

use std::ops::Range;
use std::sync::Arc;

use crate::catalog::{SearchPath, Snapshot};
use budget::Budget;
pub use budget::DEFAULT_STEPS;
pub(crate) use constant::is_probe;
pub use encoding::{UNKNOWN as UNKNOWN_ENCODING, reads_in_one_way};
pub use fast_path::{is_clean_at_a_glance, may_return_rows};
pub(crate) use implicit_calls::words_for;
pub(crate) use lex::possible_names;
use lineage::LineageTrace;
pub use normalize::{Normalized, Sharing, blank};
pub(crate) use notify::{payload_of as channel_payload, shape as channel_shape};
use objects::Objects;
use plan::{Columns, Effect, PathChange, Paths};
pub use plan::{Plan, Verdict};
use refusal::Code;
pub use refusal::Refusal;
pub use shape::{quotes, remedy, shape, statements, with_named_literals};
pub use standing::{Standing, standing};
use statement::Outcome;
pub(crate) use updatable_view::table_behind;

/// What a statement means depends on these.
#[derive(Debug, Clone, Copy)]
pub struct Context<'a> {
    /// The database.
    pub snapshot: &'a Snapshot,
    /// Where unqualified names are looked for; `None` if it is not known at the moment.
    pub search_path: Option<&'a SearchPath>,
    /// The paths behind the ends of the open transaction, if it has changed the path.
    pub paths: Option<&'a Paths>,
    /// The setting `standard_conforming_strings`.
    pub standard_conforming_strings: bool,
    /// The setting `client_encoding`, as the server reports it.
    pub client_encoding: &'a str,
    /// The parameter types that Parse declares; empty for a simple query.
    pub declared: &'a [u32],
    /// Whether the snapshot was taken for the sake of this text, so that names that it does not
    /// know do not exist (or are temporary).
    pub fresh: bool,
    /// Whether a relation has been made with keys in it that the snapshot does not show yet, or a
    /// name may have come to mean such a relation.
    pub made: bool,
    /// Whether code of the database may mean by its names what the session has made, and the snapshot
    /// does not show yet.
    pub fronted: bool,
    /// Whether code has been defined that the snapshot does not show yet.
    pub unseen: bool,
    /// Whether the open transaction has changed the database, which its end may take back.
    pub unsettled: bool,
    /// How many steps the analysis of a text may take; see [`DEFAULT_STEPS`].
    pub steps: usize,
    /// Where to keep why the verdicts are what they are; `None` where nobody asks.
    pub trace: Option<&'a LineageTrace>,
}

impl<'a> Context<'a> {
    /// A session that has changed none of its settings, with a snapshot taken for the text.
    #[must_use]
    pub const fn new(snapshot: &'a Snapshot, search_path: &'a SearchPath) -> Self {
        Self {
            snapshot,
            search_path: Some(search_path),
            paths: None,
            standard_conforming_strings: true,
            client_encoding: "UTF8",
            declared: &[],
            fresh: true,
            made: false,
            fronted: false,
            unseen: false,
            unsettled: false,
            steps: DEFAULT_STEPS,
            trace: None,
        }
    }
}

/// The statements of one Query or Parse message.
#[derive(Debug, Default, PartialEq)]
pub struct Script {
    /// In order; none for a text of blanks and comments.
    pub statements: Vec<Statement>,
    /// A name that the snapshot does not know. If it is not fresh, load a new one and analyse
    /// again; the verdicts then change.
    pub unknown_name: Option<String>,
    /// A name that is not there, as a snapshot shows that is fresh, or is taken to be.
    pub missing_name: Option<String>,
    /// Whether the analysis took all the steps that it may take: with more of them it may come to
    /// other verdicts.
    pub spent: bool,
}

/// One statement of a script.
#[derive(Debug, PartialEq)]
pub struct Statement {
    /// Its bytes in the text, without the semicolon. The edits and spans of the verdict count
    /// from the beginning of the whole text, not of this range.
    pub range: Range<usize>,
    /// What becomes of it.
    pub verdict: Verdict,
}

/// Says of a plan what the words of its statement tell.
fn describe(plan: &mut Plan, (text, tokens): (&str, &[lex::Token<'_>]), paths: &Paths) {
    plan.constant = constant::is_constant(text, tokens);
    if plan.effect.ddl && !plan.effect.private {
        let objects = Objects::of_statement(tokens, text, paths.now.as_ref());
        plan.effect.objects = (!objects.is_empty()).then(|| Arc::new(objects));
    }
}

/// Says of a verdict what the words of its statement tell, and whether what stands before it may have
/// `changed` what they mean.
fn complete(outcome: &mut Outcome, words: (&str, &[lex::Token<'_>]), paths: &Paths, changed: bool) {
    match &mut outcome.verdict {
        Verdict::Forward(plan) => {
            plan.unresolved |= outcome.unknown_name.is_some();
            describe(plan, words, paths);
        }
        Verdict::Refuse(refusal) if changed => refusal.may_be_made(),
        Verdict::Refuse(_) => {}
    }
}

/// Analyses the text of a Query or Parse message. Never fails: what it can't explain is refused.
#[must_use]
pub fn analyse(text: &[u8], context: &Context<'_>) -> Script {
    let masked = match encoding::readable(text, context) {
        Ok(masked) => masked,
        Err(refusal) => return Script::refused(0..text.len(), *refusal, context),
    };
    let tokens = match tokens_of(text, &masked, context) {
        Ok(tokens) => tokens,
        Err(script) => return *script,
    };
    let budget = Budget::new(context.steps);
    let mut script = Script::default();
    let mut paths = match context.paths {
        Some(paths) => paths.clone(),
        None => Paths::settled(context.search_path.cloned()),
    };
    // Whether a statement of this text may have changed what the ones behind it mean. No snapshot
    // can know that, however fresh.
    let mut changed = false;
    let (mut made, mut unseen) = (context.made, context.unseen);
    let (mut fronted, mut client_encoding) = (context.fronted, context.client_encoding);
    let verified = context.fresh;
    for range in split::split(&masked, &tokens) {
        let Some(tokens) = tokens.get(range) else {
            continue;
        };
        let context = Context {
            fresh: context.fresh && !changed,
            made,
            fronted,
            unseen,
            client_encoding,
            ..*context
        };
        if let Some(trace) = context.trace {
            trace.begin();
        }
        let now = assumed::certain(&context, paths.now.as_ref(), tokens);
        let analysis = statement::Analysis::new(&context, now, (&masked, tokens), &budget);
        let mut outcome = without_ids(analysis.run(), &context);
        if !verified {
            anchors::refuse_unverified(&mut outcome);
        }
        complete(&mut outcome, (&masked, tokens), &paths, changed);
        if !changed {
            script.unknown_name = script.unknown_name.or(outcome.unknown_name);
            script.missing_name = script.missing_name.or(outcome.missing_name);
        }
        if let Verdict::Forward(plan) = &outcome.verdict {
            let effect = &plan.effect;
            // An error in front of a COMMIT in the same text would have ended the text.
            let is_back =
                effect.ends_transaction && context.unsettled || effect.rolls_back() && changed;
            changed |= effect.ddl;
            unseen |= effect.defines;
            fronted |= effect.fronts;
            let uncovers = effect.ddl || effect.ends_transaction;
            made |= effect.creates_keys() || is_back || uncovers && context.snapshot.shadows();
            if effect.settings || effect.search_path == PathChange::Unknown {
                client_encoding = encoding::UNKNOWN;
                // Bodies of functions may be read in the other way.
                made |= !context.standard_conforming_strings;
            }
            paths.change(&effect.search_path);
        }
        script.statements.push(Statement {
            range: split::bytes(tokens),
            verdict: outcome.verdict,
        });
    }
    plan::restore(text, &mut script.statements);
    script.spent = budget.is_spent();
    script
}

/// The tokens of a text that was made readable, or what becomes of it without a look at them.
fn tokens_of<'m>(
    text: &[u8],
    masked: &'m str,
    context: &Context<'_>,
) -> Result<Vec<lex::Token<'m>>, Box<Script>> {
    let refused = |refusal| Box::new(Script::refused(0..text.len(), refusal, context));
    let tokens = match text == masked.as_bytes() {
        true => lex::lex_balanced(masked, context.standard_conforming_strings),
        // A byte that nobody knows may be half a letter and look like a bracket.
        false => lex::lex(masked, context.standard_conforming_strings).map(Some),
    };
    match tokens {
        Ok(Some(tokens)) if encoding::tells_names_apart(text, &tokens, context) => Ok(tokens),
        Ok(Some(_)) => Err(refused(*encoding::unreadable(context))),
        // Postgres parses all of a text before it runs any of it, and says what is wrong.
        Ok(None) => Err(Box::new(Script::clean(text.len()))),
        Err(error) => {
            let at = error.at.min(text.len());
            let refusal = Refusal::new(Code::Unparsed, error.sqlstate, error.message);
            Err(refused(refusal.at(at..at)))
        }
    }
}

/// Where nothing is annotated nothing is refused. If only a database that has changed meanwhile
/// could have ids, it is looked at before.
fn without_ids(outcome: Outcome, context: &Context<'_>) -> Outcome {
    let snapshot = context.snapshot;
    match outcome.verdict {
        Verdict::Refuse(_) if !snapshot.can_have_ids() => Outcome {
            verdict: Verdict::Forward(Plan::default()),
            ..outcome
        },
        // The snapshot is not kept up to date then, and what it says of columns may be wrong.
        Verdict::Forward(plan) if !snapshot.can_have_ids() => Outcome {
            verdict: Verdict::Forward(Plan {
                columns: Columns::Clean,
                ..plan
            }),
            ..outcome
        },
        Verdict::Refuse(_) if !snapshot.has_ids() && context.fresh => {
            let effect = Effect {
                ddl: true,
                search_path: PathChange::Unknown,
                ..Effect::default()
            };
            Outcome {
                verdict: Verdict::Forward(Plan {
                    effect,
                    ..Plan::default()
                }),
                missing_name: Some(String::new()),
                ..outcome
            }
        }
        verdict @ Verdict::Refuse(_) if !snapshot.has_ids() => Outcome {
            verdict,
            unknown_name: Some(outcome.unknown_name.unwrap_or_default()),
            ..outcome
        },
        verdict => Outcome { verdict, ..outcome },
    }
}

impl Script {
    /// A name that the snapshot lacks, by which the verdicts go.
    #[must_use]
    pub fn absent_name(&self) -> Option<&String> {
        self.unknown_name.as_ref().or(self.missing_name.as_ref())
    }

    /// One statement of so many bytes that is forwarded as it is.
    pub(crate) fn clean(length: usize) -> Self {
        Self {
            statements: vec![Statement {
                range: 0..length,
                verdict: Verdict::Forward(Plan::default()),
            }],
            ..Self::default()
        }
    }

    /// Gives back memory that nothing is in.
    pub fn shrink(&mut self) {
        self.statements.shrink_to_fit();
        for statement in &mut self.statements {
            if let Verdict::Forward(plan) = &mut statement.verdict {
                plan.shrink();
            }
        }
    }

    fn refused(range: Range<usize>, refusal: Refusal, context: &Context<'_>) -> Self {
        let refused = Outcome {
            verdict: Verdict::Refuse(refusal),
            unknown_name: None,
            missing_name: None,
        };
        let outcome = without_ids(refused, context);
        let verdict = outcome.verdict;
        Self {
            statements: vec![Statement { range, verdict }],
            unknown_name: outcome.unknown_name,
            missing_name: outcome.missing_name,
            spent: false,
        }
    }
}
