//! The analysis of any text: whatever it makes of it, statements and edits lie where they should,
//! the edited text consists of as many statements, and what is clean at a glance is clean.

use std::ops::Range;
use std::sync::LazyLock;

use pgveil::catalog::{SearchPath, Snapshot};
use pgveil::sql::plan::{ColumnValue, Columns, Replacement};
use pgveil::sql::{self, Context, Plan, Script, Verdict};

use super::input::Input;
use super::world;

static SHOP: LazyLock<Snapshot> = LazyLock::new(world::shop);

/// Beyond this an input only takes time.
const LONGEST_BYTES: usize = 4096;

/// The target.
pub fn run(data: &[u8]) {
    let mut input = Input::new(data);
    let flags = input.byte();
    let text = input.rest();
    let text = &text[..text.len().min(LONGEST_BYTES)];
    let path = SearchPath::default();
    let encodings = ["UTF8", "UTF8", "LATIN1", "SJIS"];
    let declared: &[u32] = if flags & 32 == 0 {
        &[]
    } else {
        &[20, 2950, 25, 0]
    };
    let context = Context {
        snapshot: &SHOP,
        search_path: (flags & 1 == 0).then_some(&path),
        paths: None,
        standard_conforming_strings: flags & 2 == 0,
        client_encoding: encodings[usize::from(flags >> 2 & 3)],
        declared,
        fresh: flags & 16 == 0,
        made: flags & 64 != 0,
        unseen: flags & 128 != 0,
        fronted: flags & 32 != 0,
        unsettled: flags & 64 != 0,
        steps: sql::DEFAULT_STEPS,
        trace: None,
    };
    let script = sql::analyse(text, &context);
    let mut from = 0;
    for statement in &script.statements {
        let range = statement.range.clone();
        assert!(from <= range.start && range.start <= range.end && range.end <= text.len());
        from = range.end;
        match &statement.verdict {
            Verdict::Forward(plan) => check_plan(text, &range, plan),
            Verdict::Refuse(refusal) => {
                if let Some(span) = &refusal.span {
                    assert!(
                        span.start <= span.end && span.end <= text.len(),
                        "{refusal:?}"
                    );
                }
            }
        }
    }
    check_edited(text, &script, &context);
    if declared.is_empty() && sql::is_clean_at_a_glance(text, &context) {
        check_clean(&script);
    }
}

fn check_plan(text: &[u8], range: &Range<usize>, plan: &Plan) {
    let inside = |span: &Range<usize>| {
        assert!(range.start <= span.start && span.start <= span.end && span.end <= range.end);
        if let Ok(text) = std::str::from_utf8(text) {
            assert!(text.is_char_boundary(span.start) && text.is_char_boundary(span.end));
        }
    };
    let mut from = range.start;
    for edit in &plan.edits {
        inside(&edit.span);
        assert!(from <= edit.span.start, "edits overlap");
        from = edit.span.end;
    }
    plan.arguments
        .iter()
        .for_each(|argument| inside(&argument.span));
    if let Some(kept) = &plan.effect.keeps {
        inside(&kept.query);
    }
}

/// The server counts as many statements in the edited text as the client has written: the
/// session finds the results of each by counting.
fn check_edited(text: &[u8], script: &Script, context: &Context<'_>) {
    let mut edited = Vec::new();
    let mut at = 0;
    for statement in &script.statements {
        let Verdict::Forward(plan) = &statement.verdict else {
            continue;
        };
        for edit in &plan.edits {
            edited.extend_from_slice(&text[at..edit.span.start]);
            match &edit.with {
                Replacement::Text(text) => edited.extend_from_slice(text.as_bytes()),
                Replacement::Id { .. } => edited.extend_from_slice(b"'42'"),
                Replacement::Json { .. } => edited.extend_from_slice(b"'{}'"),
                Replacement::Row { .. } => edited.extend_from_slice(b"'()'"),
                Replacement::IdArray { .. } => edited.extend_from_slice(b"'{42}'"),
                Replacement::TagOpen { .. } => {
                    edited.extend_from_slice(b"('~0:8:' OPERATOR(pg_catalog.||) (")
                }
                Replacement::MarkOpen { .. } => {
                    edited.extend_from_slice(b"(CASE WHEN concat('~0:8:u:0~') IS NOT NULL THEN ");
                }
                Replacement::Untag(_) => edited.extend_from_slice(b", '~', ''))"),
                Replacement::KeyOpen(_) => edited.extend_from_slice(b"("),
                Replacement::KeyClose(_) => edited.extend_from_slice(b")::pg_catalog.int8"),
                Replacement::TagClose => {
                    edited.extend_from_slice(b")::pg_catalog.text OPERATOR(pg_catalog.||) '~')");
                }
            }
            at = edit.span.end;
        }
    }
    if at == 0 {
        return;
    }
    edited.extend_from_slice(&text[at..]);
    let again = sql::analyse(&edited, context);
    assert_eq!(
        again.statements.len(),
        script.statements.len(),
        "the edits make other statements: {}",
        String::from_utf8_lossy(&edited)
    );
}

fn check_clean(script: &Script) {
    let [statement] = &script.statements[..] else {
        panic!(
            "clean at a glance, but {} statements",
            script.statements.len()
        );
    };
    let Verdict::Forward(plan) = &statement.verdict else {
        // Refused for what Postgres would not take either.
        return;
    };
    assert!(plan.edits.is_empty(), "clean at a glance, but edited");
    assert!(
        plan.parameters.is_plain(),
        "clean at a glance, but with ids as parameters"
    );
    let columns = match &plan.columns {
        Columns::Clean => true,
        Columns::Known(columns) => columns
            .iter()
            .all(|column| column.value == ColumnValue::Clean),
        Columns::Copy(_) | Columns::Explained(_) => false,
    };
    assert!(columns, "clean at a glance, but with {:?}", plan.columns);
}
