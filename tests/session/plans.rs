//! The analyser of these tests: a table of texts.

use std::ops::Range;

use pgveil::catalog::{DomainId, IdType, KeyType, SearchPath};
use pgveil::sql::plan::{
    Argument, ArgumentValue, Column, ColumnValue, Columns, CopyColumn, CopyDirection, CopyFormat,
    CopyLines, CopyPlan, Edit, Edits, Effect, Ended, IdUsage, JsonLeaf, JsonShape, JsonUsage,
    KeptKind, NamedObject, Parameters, PathChange, PlanFormat, Reading, Replacement, SentParameter,
    Source, TargetColumn,
};
use pgveil::sql::refusal::Code;
use pgveil::sql::{Context, DEFAULT_STEPS, Plan, Refusal, Script, Statement, Verdict};

const USER: IdType = IdType {
    domain: DomainId(0),
    key_type: KeyType::Int8,
    shown: KeyType::Uuid,
};

/// The domains of [`crate::kinds`] by name: the types of their keys and of their ids.
pub(crate) const KINDS: [(&str, KeyType, KeyType); 8] = [
    ("event", KeyType::Uuid, KeyType::Uuid),
    ("invoice", KeyType::Varchar, KeyType::Text),
    ("token", KeyType::Bytea, KeyType::Bytea),
    ("visit", KeyType::Bpchar, KeyType::Text),
    ("ticket", KeyType::Int8, KeyType::Int8),
    ("parcel", KeyType::Int4, KeyType::Text),
    ("page", KeyType::Text, KeyType::Uuid),
    ("blob", KeyType::Bytea, KeyType::Text),
];

fn usage(id: IdType) -> IdUsage {
    IdUsage {
        id,
        stored: None,
        bound: None,
    }
}

fn stored(id: IdType) -> IdUsage {
    IdUsage {
        stored: Some(Box::new(TargetColumn {
            schema: "public".to_owned(),
            table: "orders".to_owned(),
            column: "user_id".to_owned(),
            foreign_key: Some(("orders_user_id_fkey".to_owned(), "users".to_owned())),
            others: Vec::new(),
        })),
        ..usage(id)
    }
}

fn column(value: ColumnValue) -> Column {
    Column {
        name: String::new(),
        value,
        modifier: -1,
        computed: false,
        column: None,
    }
}

fn id() -> Column {
    column(ColumnValue::Id(USER))
}

fn clean() -> Column {
    column(ColumnValue::Clean)
}

fn parameter(id: Option<IdUsage>, array: bool) -> Parameters {
    let (declared, shown) = match (&id, array) {
        (None, _) => (0, None),
        (Some(usage), false) => (usage.id.key_type.oid(), Some(usage.id.shown.oid())),
        (Some(usage), true) => (
            usage.id.key_type.array_oid(),
            Some(usage.id.shown.array_oid()),
        ),
    };
    Parameters {
        shown: vec![shown],
        sent: vec![SentParameter {
            json: None,
            row: None,
            source: 0,
            declared,
            id,
            array,
            textual: false,
            reading: Reading::Plain,
            when: None,
        }],
    }
}

/// A document with ids at `id`, in every element of `list`, and as an array at `ids`.
fn shape(usage: &IdUsage) -> JsonShape {
    let value = |array: bool| JsonShape {
        leaf: Some(JsonLeaf {
            usage: usage.clone(),
            array,
            written: None,
        }),
        ..JsonShape::default()
    };
    let list = JsonShape {
        elements: Some(Box::new(value(false))),
        ..JsonShape::default()
    };
    let members = [("id", value(false)), ("list", list), ("ids", value(true))];
    JsonShape {
        members: members.map(|(name, part)| (name.to_owned(), part)).into(),
        ..JsonShape::default()
    }
}

/// A parameter that is such a document.
fn document(usage: &IdUsage, type_oid: u32) -> Parameters {
    let mut parameters = parameter(None, false);
    parameters.sent[0].declared = type_oid;
    parameters.sent[0].json = Some(Box::new(JsonUsage {
        shape: shape(usage),
        type_oid,
    }));
    parameters
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
    plan.edits = Edits::new(edits).unwrap();
    plan
}

fn with_effect(ddl: bool, search_path: PathChange) -> Plan {
    let mut plan = plan(Vec::new());
    plan.effect = Effect {
        ddl,
        search_path,
        ..Effect::default()
    };
    plan
}

/// `execute s(argument)`
fn executing(value: ArgumentValue) -> Plan {
    let mut plan = from(Source::Prepared("s".to_owned()));
    plan.arguments = vec![Argument {
        span: 10..14,
        value,
    }];
    plan
}

fn keeping(kind: KeptKind, name: &str, query: Range<usize>) -> Plan {
    let mut plan = plan(Vec::new());
    plan.effect.keeps = Some(Box::new(NamedObject {
        kind,
        name: name.to_owned(),
        query,
        declared: Vec::new(),
        takes_ids: kind == KeptKind::Statement,
    }));
    plan
}

fn from(source: Source) -> Plan {
    let mut plan = Plan::default();
    plan.source = source;
    plan
}

/// A copy of `orders`: an id of a user, and something else.
fn copy(direction: CopyDirection, format: CopyFormat) -> Plan {
    let mut plan = Plan::default();
    let columns = vec![
        CopyColumn {
            name: "user_id".to_owned(),
            value: ColumnValue::Id(USER),
            stored: stored(USER).stored,
            ..CopyColumn::default()
        },
        CopyColumn {
            name: "status".to_owned(),
            ..CopyColumn::default()
        },
    ];
    plan.columns = Columns::Copy(Box::new(CopyPlan {
        direction,
        table: "orders".to_owned(),
        format,
        columns,
    }));
    plan
}

fn lines() -> CopyFormat {
    CopyFormat::Lines(CopyLines {
        delimiter: b'\t',
        null: "\\N".to_owned(),
        default: None,
        header: false,
        quotes: None,
    })
}

/// The same parameter as an id and as something else.
fn twice(offset: usize) -> Plan {
    let mut parameters = parameter(Some(usage(USER)), false);
    parameters.sent.push(SentParameter {
        json: None,
        row: None,
        source: 0,
        declared: 2950,
        id: None,
        array: false,
        textual: false,
        reading: Reading::Plain,
        when: None,
    });
    let mut plan = with_parameters(parameters, vec![id()]);
    plan.edits = Edits::new(vec![Edit {
        span: offset + 9..offset + 11,
        with: Replacement::Text("$2".to_owned()),
    }])
    .unwrap();
    plan
}

fn known(text: &str, offset: usize, context: &Context<'_>) -> Option<Plan> {
    let changed = SearchPath::new(vec!["changed".to_owned()]);
    let other = || SearchPath::new(vec!["other".to_owned()]);
    Some(match text {
        "by fresh circumstances $1" if context.search_path == Some(&changed) => {
            with_parameters(parameter(Some(usage(USER)), false), vec![id()])
        }
        "twice $1 $1" => twice(offset),
        "ddl" => with_effect(true, PathChange::Unchanged),
        "set path" => with_effect(
            false,
            PathChange::Predicted {
                path: other(),
                local: false,
            },
        ),
        "set settings" => {
            let mut plan = plan(Vec::new());
            plan.effect.settings = true;
            plan
        }
        "set any path" => with_effect(false, PathChange::Unknown),
        "copy in" => copy(CopyDirection::FromClient, lines()),
        "copy in binary" => copy(CopyDirection::FromClient, CopyFormat::Binary),
        "copy out" => copy(CopyDirection::ToClient, lines()),
        "copy out binary" => copy(CopyDirection::ToClient, CopyFormat::Binary),
        "execute s" => from(Source::Prepared("s".to_owned())),
        "execute s(now())" => executing(ArgumentValue::Other),
        "explain execute s('id')" => {
            let mut plan = executing(ArgumentValue::Literal {
                literal: crate::stage::id(7),
                cast: 0,
            });
            plan.arguments[0].span = 18..22;
            plan.columns = Columns::Explained(PlanFormat::Text);
            plan
        }
        "execute s('id')" => executing(ArgumentValue::Literal {
            literal: crate::stage::id(7),
            cast: 0,
        }),
        "execute s('{}')" => executing(ArgumentValue::Literal {
            literal: format!(r#"{{"id": "{}"}}"#, crate::stage::id(7)),
            cast: 0,
        }),
        "declare p as ids" => keeping(KeptKind::Cursor { held: false }, "p", 13..16),
        "prepare s as by id $1" => keeping(KeptKind::Statement, "s", 13..21),
        "close p" => {
            let mut plan = Plan::default();
            plan.effect.ends = Some(Ended::Portal("p".to_owned()));
            plan
        }
        "fetch p" | "move p" => from(Source::Portal("p".to_owned())),
        _ if text.contains("explain ") => explained(text, offset)?,
        _ => {
            let kind = KINDS
                .iter()
                .zip(2..)
                .find_map(|((name, of, shown), number)| {
                    let rest = text.strip_prefix(name)?.strip_prefix(' ')?;
                    let id = IdType {
                        domain: DomainId(number),
                        key_type: *of,
                        shown: *shown,
                    };
                    Some((id, rest))
                });
            let (id, rest) = kind.unwrap_or((USER, text));
            return of_domain(id, rest, offset + text.len() - rest.len());
        }
    })
}

/// `explain json by literal 'id'`, `visit explain text by id $1` and so on.
fn explained(text: &str, offset: usize) -> Option<Plan> {
    let kind = KINDS.iter().zip(2..);
    let kind = kind.map(|((name, of, shown), number)| {
        let id = IdType {
            domain: DomainId(number),
            key_type: *of,
            shown: *shown,
        };
        (*name, id)
    });
    let of = kind.into_iter().find(|(name, _)| text.starts_with(name));
    let id = of.map_or(USER, |(_, id)| id);
    let array = text.contains("array");
    let around = |span: Range<usize>| {
        let (at, end) = (span.start, span.end);
        let open = Replacement::MarkOpen {
            id,
            array,
            estimated: true,
        };
        let close = Replacement::Text(" END)".to_owned());
        [(at..at, open), (end..end, close)].map(|(span, with)| Edit { span, with })
    };
    let (mut plan, mut edits) = (Plan::default(), Vec::new());
    for mut edit in literal_edits(text, offset, &usage(id)) {
        edits.extend(around(edit.span.clone()));
        if let (Replacement::Id { usage, literal }, true) = (&edit.with, array) {
            let (usage, literal) = (usage.clone(), literal.clone());
            edit.with = Replacement::IdArray { usage, literal };
        }
        edits.push(edit);
    }
    if let Some(at) = text.find("$1") {
        edits.extend(around(offset + at..offset + at + 2));
        plan.parameters = parameter(Some(usage(id)), array);
    }
    edits.sort_by_key(|edit| (edit.span.start, edit.span.end));
    plan.edits = Edits::new(edits).unwrap();
    plan.columns = Columns::Explained(if text.contains("json") {
        PlanFormat::Json
    } else if text.contains("xml") {
        PlanFormat::Xml
    } else if text.contains("yaml") {
        PlanFormat::Yaml
    } else {
        PlanFormat::Text
    });
    text.contains("explain ").then_some(plan)
}

fn stored_documents(id: IdType) -> ColumnValue {
    let mut shape = shape(&usage(id));
    // A column has no places that are read as arrays.
    shape.members.retain(|(name, _)| name != "ids");
    let parts = shape.members.iter_mut().map(|(_, part)| part);
    parts.for_each(|part| part.stored = true);
    shape.stored = true;
    ColumnValue::Json(shape.into())
}

/// A text behind a word that becomes tagged.
fn tagged(id: IdType, text: &str, offset: usize) -> Plan {
    let end = offset + text.len();
    let edit = |at: usize, with: Replacement| Edit { span: at..at, with };
    let number = text.starts_with("number");
    let (array, uuid) = (text.contains("_array "), text.starts_with("mixed"));
    let start = end - text.len() + text.find(' ').unwrap_or_default() + 1;
    let edits = vec![
        edit(start, Replacement::TagOpen { id, number }),
        edit(end, Replacement::TagClose),
    ];
    with_edits(
        edits,
        vec![column(ColumnValue::Tagged { array, uuid }), clean()],
    )
}

/// The texts about ids of one domain.
fn of_domain(id: IdType, text: &str, offset: usize) -> Option<Plan> {
    let ids = || vec![column(ColumnValue::Id(id))];
    let mut textual = parameter(Some(usage(id)), false);
    textual.sent[0].textual = true;
    textual.sent[0].declared = 25;
    Some(match text {
        "ids" => plan(vec![column(ColumnValue::Id(id)), clean()]),
        "arrays" => plan(vec![column(ColumnValue::IdArray(id))]),
        "by id $1" => with_parameters(parameter(Some(usage(id)), false), ids()),
        "by ids $1" => with_parameters(parameter(Some(usage(id)), true), ids()),
        "by text $1" => with_parameters(textual, ids()),
        "documents" => plan(vec![column(stored_documents(id)), clean()]),
        "by jsonb $1" => with_parameters(document(&usage(id), 3802), ids()),
        "by json $1" => with_parameters(document(&usage(id), 114), ids()),
        "by json text $1" => {
            let mut parameters = document(&usage(id), 25);
            parameters.sent[0].textual = true;
            with_parameters(parameters, ids())
        }
        "store json $1" => with_parameters(document(&stored(id), 114), Vec::new()),
        _ if text.starts_with("by json literal") => {
            let mut edits = literal_edits(text, offset, &usage(id));
            for edit in &mut edits {
                if let Replacement::Id { usage, literal } = &edit.with {
                    let (shape, literal) = (shape(usage), literal.clone());
                    edit.with = Replacement::Json { shape, literal };
                }
            }
            with_edits(edits, ids())
        }
        "store $1" => with_parameters(parameter(Some(stored(id)), false), Vec::new()),
        _ if ["tag ", "tag_array ", "mixed ", "mixed_array "]
            .iter()
            .any(|word| text.starts_with(word)) =>
        {
            tagged(id, text, offset)
        }
        "text ids" => {
            let shown = KeyType::Text;
            plan(vec![column(ColumnValue::Id(IdType { shown, ..id }))])
        }
        "by text id $1" => {
            let shown = KeyType::Text;
            with_parameters(parameter(Some(usage(IdType { shown, ..id })), false), ids())
        }
        _ if text.starts_with("by literal") => {
            with_edits(literal_edits(text, offset, &usage(id)), ids())
        }
        _ if text.starts_with("by array literal") => {
            let mut edits = literal_edits(text, offset, &usage(id));
            for edit in &mut edits {
                if let Replacement::Id { usage, literal } = &edit.with {
                    let (usage, literal) = (usage.clone(), literal.clone());
                    edit.with = Replacement::IdArray { usage, literal };
                }
            }
            with_edits(edits, ids())
        }
        "misplaced" => with_edits(
            vec![Edit {
                span: offset + text.len() + 1..offset + text.len() + 2,
                with: Replacement::Text("!".to_owned()),
            }],
            ids(),
        ),
        _ if text.starts_with("store literal") => {
            with_edits(literal_edits(text, offset, &stored(id)), Vec::new())
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
        context: None,
        span: Some(at..at + 1),
        constraint: None,
        routine: None,
    }
}

/// What is not in the table is clean, but what says `refuse` is refused at the `!`, and what says
/// `unknown` names something unknown, and is then refused unless the snapshot is fresh. `constant`
/// is what the client has written itself.
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
        script.spent |= piece.contains("far") && context.steps < DEFAULT_STEPS;
        let refused = piece.contains("refuse")
            || script.spent
            || piece.contains("unknown") && !context.fresh
            || piece.contains("path?") && context.search_path.is_none();
        let verdict = if refused {
            let at = range.start + piece.find('!').unwrap_or(0);
            Verdict::Refuse(refusal(at))
        } else {
            let mut plan = known(piece, range.start, context).unwrap_or_default();
            plan.unresolved = piece.contains("unknown");
            plan.constant = piece == "constant";
            Verdict::Forward(plan)
        };
        if piece.contains("unknown") {
            script.unknown_name = Some("unknown".to_owned());
        }
        script.statements.push(Statement { range, verdict });
    }
    script
}
