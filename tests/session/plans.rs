//! The analyser of these tests: a table of texts.

use std::ops::Range;

use pgveil::catalog::{DomainId, IdType, KeyType, SearchPath};
use pgveil::sql::plan::{
    Column, ColumnValue, Columns, Edit, Effect, IdUsage, Parameters, PathChange, Replacement,
    SentParameter, Source, Stored,
};
use pgveil::sql::refusal::Code;
use pgveil::sql::{Context, Plan, Refusal, Script, Statement, Verdict};

const USER: IdType = IdType {
    domain: DomainId(0),
    key_type: KeyType::Int8,
    shown: KeyType::Uuid,
};

fn usage() -> IdUsage {
    IdUsage {
        id: USER,
        stored: None,
    }
}

fn stored() -> IdUsage {
    IdUsage {
        stored: Some(Stored {
            schema: "public".to_owned(),
            table: "orders".to_owned(),
            column: "user_id".to_owned(),
            foreign_key: Some(("orders_user_id_fkey".to_owned(), "users".to_owned())),
        }),
        ..usage()
    }
}

fn column(value: ColumnValue) -> Column {
    Column {
        name: String::new(),
        value,
    }
}

fn id() -> Column {
    column(ColumnValue::Id(USER))
}

fn ids() -> Column {
    column(ColumnValue::IdArray(USER))
}

fn clean() -> Column {
    column(ColumnValue::Clean)
}

fn parameter(id: Option<IdUsage>, array: bool) -> Parameters {
    let (declared, shown) = match (&id, array) {
        (None, _) => (0, None),
        (Some(_), false) => (20, Some(2950)),
        (Some(_), true) => (1016, Some(2951)),
    };
    Parameters {
        shown: vec![shown],
        sent: vec![SentParameter {
            source: 0,
            declared,
            id,
            array,
            textual: false,
        }],
    }
}

/// The quoted literals of a text, without the quotes.
fn literals(text: &str) -> Vec<Range<usize>> {
    let quotes: Vec<usize> = text.match_indices('\'').map(|(at, _)| at).collect();
    quotes.chunks(2).map(|pair| pair[0]..pair[1] + 1).collect()
}

fn literal_edits(text: &str, offset: usize, usage: &IdUsage) -> Vec<Edit> {
    let edit = |span: Range<usize>| Edit {
        with: Replacement::Id {
            usage: usage.clone(),
            literal: text[span.start + 1..span.end - 1].to_owned(),
        },
        span: span.start + offset..span.end + offset,
    };
    literals(text).into_iter().map(edit).collect()
}

fn plan(columns: Vec<Column>) -> Plan {
    let mut plan = Plan::default();
    plan.columns = Columns::Known(columns);
    plan
}

fn with_parameters(parameters: Parameters, columns: Vec<Column>) -> Plan {
    let mut plan = plan(columns);
    plan.parameters = parameters;
    plan
}

fn with_edits(edits: Vec<Edit>, columns: Vec<Column>) -> Plan {
    let mut plan = plan(columns);
    plan.edits = edits;
    plan
}

fn with_effect(ddl: bool, search_path: PathChange) -> Plan {
    let mut plan = plan(Vec::new());
    plan.effect = Effect { ddl, search_path };
    plan
}

fn from(source: Source) -> Plan {
    let mut plan = Plan::default();
    plan.source = source;
    plan
}

/// The same parameter as an id and as something else.
fn twice(offset: usize) -> Plan {
    let mut parameters = parameter(Some(usage()), false);
    parameters.sent.push(SentParameter {
        source: 0,
        declared: 2950,
        id: None,
        array: false,
        textual: false,
    });
    let mut plan = with_parameters(parameters, vec![id()]);
    plan.edits.push(Edit {
        span: offset + 9..offset + 11,
        with: Replacement::Text("$2".to_owned()),
    });
    plan
}

fn known(text: &str, offset: usize, context: &Context<'_>) -> Option<Plan> {
    let changed = SearchPath::new(vec!["changed".to_owned()]);
    let other = || SearchPath::new(vec!["other".to_owned()]);
    Some(match text {
        "ids" => plan(vec![id(), clean()]),
        "arrays" => plan(vec![ids()]),
        "by id $1" => with_parameters(parameter(Some(usage()), false), vec![id()]),
        "by ids $1" => with_parameters(parameter(Some(usage()), true), vec![id()]),
        "by fresh circumstances $1" if context.search_path == Some(&changed) => {
            with_parameters(parameter(Some(usage()), false), vec![id()])
        }
        "store $1" => with_parameters(parameter(Some(stored()), false), Vec::new()),
        "twice $1 $1" => twice(offset),
        "ddl" => with_effect(true, PathChange::Unchanged),
        "set path" => with_effect(false, PathChange::Predicted(other())),
        "set any path" => with_effect(false, PathChange::Unknown),
        "execute s" => from(Source::Prepared("s".to_owned())),
        "fetch p" => from(Source::Portal("p".to_owned())),
        _ if text.starts_with("by literal") => {
            with_edits(literal_edits(text, offset, &usage()), vec![id()])
        }
        _ if text.starts_with("store literal") => {
            with_edits(literal_edits(text, offset, &stored()), Vec::new())
        }
        _ => return None,
    })
}

fn refusal(at: usize) -> Refusal {
    Refusal {
        code: Code::Expression,
        sqlstate: "42883",
        message: "no such operator".to_owned(),
        detail: None,
        hint: None,
        span: Some(at..at + 1),
        constraint: None,
    }
}

/// What is not in the table is clean, but what says `refuse` is refused at the `!`, and what says
/// `unknown` names something unknown, and is then refused unless the snapshot is fresh.
pub(crate) fn analyse(text: &[u8], context: &Context<'_>) -> Script {
    let text = std::str::from_utf8(text).unwrap_or_default();
    let mut script = Script::default();
    let mut offset = 0;
    for piece in text.split(';') {
        let blanks = piece.len() - piece.trim_start().len();
        let range = offset + blanks..offset + blanks + piece.trim().len();
        offset += piece.len() + 1;
        if range.is_empty() {
            continue;
        }
        let piece = piece.trim();
        let refused = piece.contains("refuse")
            || piece.contains("unknown") && !context.fresh
            || piece.contains("path?") && context.search_path.is_none();
        let verdict = if refused {
            let at = range.start + piece.find('!').unwrap_or(0);
            Verdict::Refuse(refusal(at))
        } else {
            Verdict::Forward(known(piece, range.start, context).unwrap_or_default())
        };
        if piece.contains("unknown") {
            script.unknown_name = Some("unknown".to_owned());
        }
        script.statements.push(Statement { range, verdict });
    }
    script
}
