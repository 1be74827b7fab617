//! The analysis of statements, without a server: cases in files, each a statement and what the
//! analysis makes of it. The catalog is one recorded from a real database.
//!
//! `BLESS=1 cargo test --test sql` writes the results into the case files; read the difference.

#![expect(clippy::expect_used, reason = "a test reports by failing")]

#[path = "sql/absent.rs"]
mod absent;
#[path = "sql/altered.rs"]
mod altered;
#[path = "sql/code.rs"]
mod code;
#[path = "sql/columns.rs"]
mod columns;
#[path = "sql/deep.rs"]
mod deep;
#[path = "sql/doubled.rs"]
mod doubled;
#[path = "sql/encodings.rs"]
mod encodings;
#[path = "sql/mutated.rs"]
mod mutated;
#[path = "sql/own.rs"]
mod own;
#[path = "sql/references.rs"]
mod references;
#[path = "sql/varied.rs"]
mod varied;

use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;

use pgveil::catalog::{ColumnTypes, IdType, KeyType, Loader, SearchPath, Snapshot};
use pgveil::codec::{
    Codec, Direction, Ff1Width, Form, FormName, IdCodec, IntCodec, KeyRange, KeyRing, Presentation,
    Secret, Session40, Stride, UuidCodec, Wide, WidePresentation,
};
use pgveil::config::{
    ChannelAnnotation, ColumnName, ColumnPattern, FunctionAnnotation, FunctionResult, IdAnnotation,
    JsonAnnotation, PathStep,
};
use pgveil::sql::plan::{
    Bound, ColumnValue, Columns, CopyFormat, CopyPlan, IdUsage, JsonKind, JsonShape, Replacement,
    SentField, SentRow,
};
use pgveil::sql::{self, Context, Verdict};

fn column(name: &str) -> ColumnPattern {
    let mut parts = name.split('.').map(str::to_owned);
    let mut next = || parts.next().expect("schema.table.column");
    let name = ColumnName {
        schema: next(),
        table: next(),
        column: next(),
    };
    name.into()
}

fn annotation(name: &str, defining: &str, references: &[&str]) -> IdAnnotation {
    IdAnnotation {
        name: name.to_owned(),
        column: column(defining),
        references: references.iter().map(|name| column(name)).collect(),
        json: Vec::new(),
        types: ColumnTypes::INTEGERS_AS_UUIDS,
    }
}

/// Domains whose keys or ids are of other types.
fn other_kinds() -> [IdAnnotation; 8] {
    let domain = "note".parse().expect("a name");
    let secret = Secret::generate().expect("randomness");
    let ring = KeyRing::new(Secret::generate().expect("randomness"));
    let text = |name| Presentation::Text(Form::new(name, "").expect("no prefix"));
    let uuids = |inside, outside| {
        let codec = UuidCodec::aes(&secret, &domain, Direction::Forward);
        Codec::uuids(codec, inside, outside)
    };
    let wide = Wide::new(&secret, &domain);
    let range = KeyRange::new(1, 1000).expect("a range");
    let stride = Stride::new(128).expect("a stride");
    let small = IntCodec::fastprp(&secret, &domain, range, stride, &mut |_, _| {});
    let ff1 = IntCodec::ff1(&secret, &domain, Ff1Width::B53);
    let invoices = Codec::ids(IdCodec::aes_int(&ring, &domain), text(FormName::Base62));
    let members = uuids(text(FormName::Ulid), Presentation::Native);
    let notes = uuids(text(FormName::Ulid), text(FormName::Base62));
    let traces = uuids(Presentation::Native, Presentation::Native);
    let tokens = Codec::wide(wide, WidePresentation::Native, WidePresentation::Native);
    let counters = Codec::integers(small.expect("a stride that fits"));
    let sessions = Codec::sessions(Session40::new(&secret, &domain));
    let of = |name: &str, codec: &Codec, references: &[&str]| IdAnnotation {
        types: codec.column_types(),
        ..annotation(name, &format!("public.{name}s.id"), references)
    };
    [
        of("token", &tokens, &[]),
        of("trace", &traces, &[]),
        of("note", &notes, &[]),
        IdAnnotation {
            types: Codec::integers(ff1).column_types(),
            ..annotation("ledger", "public.ledger.id", &[])
        },
        of("counter", &counters, &["public.counter_uses.small_id"]),
        of("session", &sessions, &[]),
        of("invoice", &invoices, &["public.invoices.related"]),
        of("member", &members, &[]),
    ]
}

fn declared_functions() -> Arc<[FunctionAnnotation]> {
    let function = |name: &str, arguments: &[Option<u16>], result| FunctionAnnotation {
        schema: "public".to_owned(),
        name: name.to_owned(),
        arguments: arguments.to_vec(),
        result,
    };
    let columns = vec![("user_id".to_owned(), Some(0))];
    Arc::from([
        function("report", &[Some(0), None], FunctionResult::Columns(columns)),
        function("astray", &[Some(0)], FunctionResult::Value(None)),
        function("trace_of", &[Some(2)], FunctionResult::Value(Some(7))),
    ])
}

fn shop() -> Snapshot {
    shop_and("")
}

/// The shop with more in its catalog.
fn shop_and(more: &str) -> Snapshot {
    shop_with(more, &[])
}

/// The shop with more in its catalog, and with channels that carry ids.
fn shop_with(more: &str, channels: &[ChannelAnnotation]) -> Snapshot {
    let member = |name: &str| PathStep::Member(name.to_owned());
    let payload = |path: Vec<PathStep>, numbers: Option<bool>| JsonAnnotation {
        column: column("public.events.payload"),
        path,
        numbers,
        line: 1,
    };
    let annotations = [
        IdAnnotation {
            json: vec![
                payload(vec![member("user"), member("id")], None),
                payload(vec![member("ids"), PathStep::Elements], Some(false)),
            ],
            ..annotation(
                "user",
                "public.users.id",
                &["public.events.participant_ids", "public.audit_log.actor_id"],
            )
        },
        annotation("team", "public.teams.id", &[]),
        annotation("order", "public.orders.id", &[]),
        annotation("order_item", "public.order_items.id", &[]),
        annotation("comment", "public.comments.id", &[]),
        annotation("event", "public.events.id", &[]),
    ];
    let annotations: Vec<_> = annotations.into_iter().chain(other_kinds()).collect();
    let mut loader = Loader::new(Arc::from(annotations))
        .declaring(declared_functions())
        .notifying(Arc::from(channels));
    let recorded = include_str!("sql/catalog.tsv").lines();
    for line in recorded.chain(more.lines()) {
        let fields: Vec<Option<&[u8]>> = line
            .split('\t')
            .map(|field| (field != "\\N").then_some(field.as_bytes()))
            .collect();
        loader.row(&fields).expect("a recorded row");
    }
    loader.finish().snapshot
}

/// The domain of an id; with the types if they are not the usual ones.
fn id_name(id: IdType, snapshot: &Snapshot) -> String {
    let name = snapshot.domain_name(id.domain);
    if id.shown == KeyType::Uuid && id.key_type == KeyType::Int8 {
        return name.to_owned();
    }
    let short = |key_type: KeyType| key_type.sql().trim_start_matches("pg_catalog.");
    format!("{name}({} as {})", short(id.key_type), short(id.shown))
}

/// The analysis in a few words: edited text with `<domain>` for literals that become keys, types
/// of parameters, types of columns; or the refusal.
fn describe(text: &str, snapshot: &Snapshot, declared: &[u32]) -> String {
    let path = SearchPath::default();
    let context = Context {
        declared,
        ..Context::new(snapshot, &path)
    };
    let script = sql::analyse(text.as_bytes(), &context);
    let mut lines = Vec::new();
    for statement in &script.statements {
        match &statement.verdict {
            Verdict::Refuse(refusal) => {
                let code = refusal.code.as_str();
                let place = refusal
                    .span
                    .clone()
                    .and_then(|span| text.get(span))
                    .unwrap_or("");
                let lacks = lacks(refusal, text);
                lines.push(format!(
                    "refused {code} {}: {} [{place}]{lacks}",
                    refusal.sqlstate, refusal.message
                ));
            }
            Verdict::Forward(plan) => {
                lines.push(forwarded(text, statement.range.clone(), plan, snapshot))
            }
        }
    }
    lines.join("\n")
}

/// What a refusal does not say that each has to: why, on the page of refusals, and what to write
/// instead if it is not Postgres's own. Not each has a place, but what it points at is there.
fn lacks(refusal: &sql::Refusal, text: &str) -> &'static str {
    let code = refusal.code.as_str();
    let page = include_str!("../docs/refusals.md");
    if !page.contains(&format!("\n## {code}\n")) {
        return " WITHOUT AN ENTRY";
    }
    let is_own = refusal.sqlstate == "0A000" && code != "unparsed";
    if is_own && refusal.hint.is_none() {
        return " WITHOUT A HINT";
    }
    let place = refusal.span.clone().map(|span| text.get(span));
    match place {
        Some(Some(_)) | None => "",
        Some(None) => " WITHOUT A PLACE",
    }
}

fn forwarded(
    text: &str,
    range: std::ops::Range<usize>,
    plan: &sql::Plan,
    snapshot: &Snapshot,
) -> String {
    let name = |id: IdType| id_name(id, snapshot);
    let mut edited = String::new();
    let mut at = range.start;
    for edit in &plan.edits {
        edited.push_str(&text[at..edit.span.start]);
        match &edit.with {
            Replacement::Text(text) => edited.push_str(text),
            Replacement::Id { usage, .. } => {
                let _ = write!(edited, "<{}{}>", name(usage.id), used_as(usage));
            }
            Replacement::IdArray { usage, .. } => {
                let bound = used_as(usage).replace(" stored", "");
                let _ = write!(edited, "<{}[]{bound}>", name(usage.id));
            }
            Replacement::TagOpen { id, number } => {
                let number = if *number { "number " } else { "" };
                let _ = write!(edited, "<tag {number}{}: ", name(*id));
            }
            Replacement::TagClose | Replacement::KeyClose(_) => edited.push('>'),
            Replacement::Untag(id) => {
                let _ = write!(edited, ", <untag {}>))", name(*id));
            }
            Replacement::KeyOpen(id) => {
                let _ = write!(edited, "<key {}: ", name(*id));
            }
            Replacement::MarkOpen {
                id,
                array,
                estimated,
            } => {
                let brackets = if *array { "[]" } else { "" };
                let estimated = if *estimated { "" } else { "unestimated " };
                let _ = write!(edited, "<mark {estimated}{}{brackets}: ", name(*id));
            }
            Replacement::Json { shape, .. } => {
                let _ = write!(edited, "<{}>", json_shape(shape, snapshot));
            }
            Replacement::Row { row, .. } => {
                let _ = write!(edited, "<{}>", sent_row(row, snapshot));
            }
        }
        at = edit.span.end;
    }
    edited.push_str(&text[at..range.end]);
    let mut line = if plan.edits.is_empty() {
        "same".to_owned()
    } else {
        format!("edited {edited}")
    };
    if !plan.parameters.is_plain() {
        let _ = write!(line, " | parameters {}", parameters(plan, snapshot));
    }
    line.push_str(&result(&plan.columns, snapshot, name));
    if plan.effect.ddl {
        line.push_str(" | ddl");
    }
    line
}

/// What the result is.
fn result(columns: &Columns, snapshot: &Snapshot, name: impl Fn(IdType) -> String) -> String {
    match columns {
        Columns::Clean => " | clean".to_owned(),
        Columns::Known(columns) => {
            let columns = columns.iter().map(|column| match &column.value {
                ColumnValue::Json(shape) => {
                    format!("{}:{}", column.name, json_shape(shape, snapshot))
                }
                ColumnValue::JsonArray(shape) => {
                    format!("{}:{}[]", column.name, json_shape(shape, snapshot))
                }
                ColumnValue::Clean => column.name.clone(),
                ColumnValue::Id(id) => format!("{}:{}", column.name, name(*id)),
                ColumnValue::IdArray(id) => {
                    format!("{}:{}[]", column.name, name(*id))
                }
                ColumnValue::Record { .. } => {
                    format!("{}:{}", column.name, record(&column.value, &name))
                }
                ColumnValue::Tagged { array, uuid } => {
                    let kind = if *uuid { "mixed" } else { "tagged" };
                    format!("{}:{kind}{}", column.name, if *array { "[]" } else { "" })
                }
            });
            let columns = columns.collect::<Vec<_>>().join(", ");
            let columns = if columns.is_empty() { "none" } else { &columns };
            format!(" | columns {columns}")
        }
        Columns::Copy(copy) => copied(copy, name),
        Columns::Explained(format) => format!(" | explained {format:?}"),
    }
}

/// What an id is used as beside being compared.
fn used_as(usage: &IdUsage) -> &'static str {
    match (&usage.stored, usage.bound) {
        (Some(_), _) => " stored",
        (None, Some(Bound::First)) => " first",
        (None, Some(Bound::Other)) => " bound",
        (None, None) => "",
    }
}

/// Where ids stand in a document.
fn sent_row(row: &SentRow, snapshot: &Snapshot) -> String {
    let of = |usage: &IdUsage, array: &str| {
        let name = id_name(usage.id, snapshot);
        format!("{name}{array}{}", used_as(usage))
    };
    let fields = row.fields.iter().map(|field| match field {
        SentField::Clean => "-".to_owned(),
        SentField::Id(usage) => of(usage, ""),
        SentField::IdArray(usage) => of(usage, "[]"),
        SentField::Row(row) => sent_row(row, snapshot),
    });
    let fields: Vec<String> = fields.collect();
    let brackets = if row.array { "[]" } else { "" };
    format!("({}){brackets}", fields.join(", "))
}

fn json_shape(shape: &JsonShape, snapshot: &Snapshot) -> String {
    let mut parts = Vec::new();
    if let Some(leaf) = &shape.leaf {
        let array = if leaf.array { "[]" } else { "" };
        let written = match leaf.written {
            None => "",
            Some(JsonKind::Number) => " as number",
            Some(JsonKind::String) => " as string",
        };
        let name = id_name(leaf.usage.id, snapshot);
        parts.push(format!("{name}{array}{written}{}", used_as(&leaf.usage)));
    }
    for (name, part) in &shape.members {
        parts.push(format!("{name}: {}", json_shape(part, snapshot)));
    }
    if let Some(others) = &shape.others {
        parts.push(format!("others: {}", json_shape(others, snapshot)));
    }
    if let Some(elements) = &shape.elements {
        parts.push(format!("*: {}", json_shape(elements, snapshot)));
    }
    if shape.tagged {
        parts.push("tagged".to_owned());
    }
    let is_leaf = !shape.tagged && shape.containers() == (false, false);
    let parts = parts.join(", ");
    if is_leaf {
        parts
    } else {
        format!("{{{parts}}}")
    }
}

/// What becomes of each parameter: its domain, the type that is sent, and the type that is shown
/// if it is not uuid.
fn parameters(plan: &sql::Plan, snapshot: &Snapshot) -> String {
    let name = |id: IdType| id_name(id, snapshot);
    let sent = plan.parameters.sent.iter().map(|parameter| {
        let id = parameter.id.as_ref().map_or("-".to_owned(), |usage| {
            format!(
                "{}{}{}",
                name(usage.id),
                if parameter.array { "[]" } else { "" },
                used_as(usage)
            )
        });
        let id = match &parameter.json {
            Some(json) => json_shape(&json.shape, snapshot),
            None => id,
        };
        let id = match &parameter.row {
            Some(row) => sent_row(row, snapshot),
            None => id,
        };
        let shown = plan.parameters.shown.get(parameter.source);
        let shown = match (shown.copied().flatten(), &parameter.id) {
            (Some(shown), Some(_)) if !matches!(shown, 2950 | 2951) => {
                format!(" shown {shown}")
            }
            _ => String::new(),
        };
        let textual = if parameter.textual { " textual" } else { "" };
        let (source, declared) = (parameter.source + 1, parameter.declared);
        format!("${source}:{id}:{declared}{shown}{textual}")
    });
    sent.collect::<Vec<_>>().join(", ")
}

/// The fields of a row: `-` for one that is clean.
fn record(value: &ColumnValue, name: &impl Fn(IdType) -> String) -> String {
    match value {
        ColumnValue::Clean => "-".to_owned(),
        ColumnValue::Id(id) => name(*id),
        ColumnValue::IdArray(id) => format!("{}[]", name(*id)),
        ColumnValue::Tagged { .. } => "tagged".to_owned(),
        ColumnValue::Json(_) => "json".to_owned(),
        ColumnValue::JsonArray(_) => "json[]".to_owned(),
        ColumnValue::Record { fields, array } => {
            let fields: Vec<String> = fields.iter().map(|field| record(field, name)).collect();
            let brackets = if *array { "[]" } else { "" };
            format!("({}){brackets}", fields.join(", "))
        }
    }
}

/// What is copied and how.
fn copied(copy: &CopyPlan, name: impl Fn(IdType) -> String) -> String {
    let mut line = format!(" | {:?} {:?}", copy.direction, copy.table);
    let columns = copy.columns.iter().map(|column| {
        let value = match &column.value {
            ColumnValue::Json(_) => ":json".to_owned(),
            ColumnValue::JsonArray(_) => ":json[]".to_owned(),
            ColumnValue::Clean => String::new(),
            ColumnValue::Id(id) => format!(":{}", name(*id)),
            ColumnValue::IdArray(id) => format!(":{}[]", name(*id)),
            ColumnValue::Tagged { .. } => ":tagged".to_owned(),
            ColumnValue::Record { .. } => format!(":{}", record(&column.value, &name)),
        };
        let stored = column.stored.as_ref().map_or("", |stored| {
            if stored.foreign_key.is_some() {
                " foreign"
            } else {
                " stored"
            }
        });
        let force = [
            (column.force_quote, " quoted"),
            (column.force_not_null, " not null"),
            (column.force_null, " null"),
        ];
        let force: String = force
            .iter()
            .filter(|(on, _)| *on)
            .map(|(_, name)| *name)
            .collect();
        format!("{}{value}{stored}{force}", column.name)
    });
    let _ = write!(line, " ({})", columns.collect::<Vec<_>>().join(", "));
    let ids = copy
        .columns
        .iter()
        .any(|column| column.value != ColumnValue::Clean);
    match &copy.format {
        _ if !ids => {}
        CopyFormat::Binary => line.push_str(" binary"),
        CopyFormat::Lines(lines) => {
            let character = |byte: u8| char::from(byte).escape_default().to_string();
            let _ = write!(
                line,
                " {} null {:?}",
                character(lines.delimiter),
                lines.null
            );
            if let Some(default) = &lines.default {
                let _ = write!(line, " default {default:?}");
            }
            if lines.header {
                line.push_str(" header");
            }
            if let Some((quote, escape)) = lines.quotes {
                let _ = write!(line, " csv {} {}", character(quote), character(escape));
            }
        }
    }
    line
}

/// The parameter types that a case declares: `/* 25, 20 */` before the statement.
fn declared(statement: &str) -> Vec<u32> {
    let comment = statement
        .strip_prefix("/*")
        .and_then(|rest| rest.split_once("*/"));
    let Some((types, _)) = comment else {
        return Vec::new();
    };
    types
        .split(',')
        .map(|oid| oid.trim().parse().expect("an oid"))
        .collect()
}

/// A case: lines of SQL, then lines that begin with `-- `, then a blank line.
#[test]
fn statements_are_analysed_as_the_case_files_say() {
    let snapshot = shop();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/sql/cases");
    let mut files: Vec<_> = std::fs::read_dir(&folder)
        .expect("case files")
        .map(|entry| entry.expect("a file").path())
        .collect();
    files.sort();
    let (mut count, mut wrong, mut incomplete) = (0, Vec::new(), Vec::new());
    for file in files {
        let written = std::fs::read_to_string(&file).expect("readable");
        let mut blessed = String::new();
        for case in written
            .split("\n\n")
            .map(str::trim)
            .filter(|case| !case.is_empty())
        {
            let statement: Vec<&str> = case
                .lines()
                .filter(|line| !line.starts_with("-- "))
                .collect();
            let statement = statement.join("\n");
            let expected: Vec<&str> = case
                .lines()
                .filter_map(|line| line.strip_prefix("-- "))
                .collect();
            let found = describe(&statement, &snapshot, &declared(&statement));
            let found_lines: Vec<&str> = found.lines().collect();
            if found.contains(" WITHOUT ") {
                incomplete.push(format!("{statement}\n  {found}"));
            }
            if found_lines != expected {
                wrong.push(format!(
                    "{statement}\n  expected {expected:?}\n  found    {found_lines:?}"
                ));
            }
            let _ = writeln!(blessed, "{statement}");
            for line in found_lines {
                let _ = writeln!(blessed, "-- {line}");
            }
            blessed.push('\n');
            count += 1;
        }
        if std::env::var_os("BLESS").is_some() {
            std::fs::write(&file, blessed).expect("writable");
        }
    }
    println!("{count} statements analysed");
    assert!(count > 0);
    assert_eq!(incomplete, Vec::<String>::new());
    assert!(
        wrong.is_empty() || std::env::var_os("BLESS").is_some(),
        "{}",
        wrong.join("\n\n")
    );
}

/// A statement may be as deep or as long as a client likes.
#[test]
fn deep_and_long_statements_end_in_a_verdict() {
    let snapshot = shop();
    let chain = |joint: &str, times: usize| {
        let condition = "id = $1".to_owned();
        format!(
            "SELECT id FROM users WHERE {}",
            vec![condition; times].join(joint)
        )
    };
    assert!(describe(&chain(" OR ", 5_000), &snapshot, &[]).starts_with("same"));
    // Postgres has no bound for these, but what an analysis may cost has one.
    assert!(describe(&chain(" OR ", 20_000), &snapshot, &[]).starts_with("same"));
    assert!(describe(&chain(" OR ", 500_000), &snapshot, &[]).starts_with("refused"));
    // Just below the bound on chains, and far above it.
    for times in [9_900, 100_000] {
        for (start, link, end) in [
            ("id = $1", " AND id = $1", ""),
            ("total_cents = 1", " + 1", ""),
            ("name = 'a'", " || 'a'", ""),
            ("total_cents = 1", "::bigint", ""),
            ("id = (ARRAY[$1])", "[1]", ""),
            ("", "NOT ", "true"),
            ("total_cents = ", "- ", "1"),
            ("id IN ($1", ", $1", ")"),
        ] {
            let links = link.repeat(times);
            let text = format!("SELECT id FROM orders WHERE {start}{links}{end}");
            assert!(!describe(&text, &snapshot, &[]).is_empty());
        }
    }
    // A statement that names nothing protected passes, however deep it is.
    let deep = format!("SELECT {}true", "NOT ".repeat(100_000));
    assert_eq!(describe(&deep, &snapshot, &[]), "same | clean");
    // But where Postgres's parser has no room for what is open nobody reads on.
    let deep = format!("SELECT {}1{}", "(".repeat(100_000), ")".repeat(100_000));
    let refused = "refused unparsed 54001: stack depth limit exceeded []";
    assert_eq!(describe(&deep, &snapshot, &[]), refused);
    for depth in [10, 100, 1_000, 100_000] {
        let (open, close) = ("(".repeat(depth), ")".repeat(depth));
        let nested = format!("SELECT id FROM users WHERE {open}id = $1{close}");
        assert!(!describe(&nested, &snapshot, &[]).is_empty());
        let queries = "(SELECT id FROM users WHERE id = ".repeat(depth);
        let nested = format!("SELECT id FROM users WHERE id = {queries} $1{close}");
        assert!(!describe(&nested, &snapshot, &[]).is_empty());
        let unions = "SELECT id FROM users UNION ALL ".repeat(depth);
        assert!(!describe(&format!("{unions} SELECT id FROM users"), &snapshot, &[]).is_empty());
    }
}

#[test]
fn a_declared_function_that_does_not_fit_is_closed_and_no_other() {
    let row = |argument: &str| {
        let recorded = include_str!("sql/catalog.tsv").lines();
        let mut rows = recorded.filter(|line| line.split('\t').any(|field| field == "trace_of"));
        let row = rows.next().expect("a recorded function");
        let mut fields: Vec<&str> = row.split('\t').collect();
        fields[2] = "astray";
        fields[3] = "999999";
        fields[7] = argument;
        fields.join("\t")
    };
    let fitting = shop_and(&row("20"));
    assert_eq!(fitting.misfit_functions(), [""; 0]);
    let verdict = describe("SELECT astray($1)", &fitting, &[]);
    assert!(!verdict.starts_with("refused"), "{verdict}");
    let astray = shop_and(&row("16"));
    let what = "function public.astray: argument 1 is not what the configuration says of it";
    assert_eq!(astray.misfit_functions(), [what]);
    for call in [
        "SELECT astray($1)",
        "SELECT astray(true)",
        "SELECT * FROM astray(false)",
        "SELECT name FROM users WHERE astray(true) IS NULL",
    ] {
        let verdict = describe(call, &astray, &[]);
        assert!(verdict.starts_with("refused function"), "{call}: {verdict}");
    }
    let other = "SELECT trace_of($1)";
    let verdict = describe(other, &astray, &[]);
    assert_eq!(verdict, describe(other, &shop(), &[]));
}

#[test]
fn a_glance_clears_only_what_the_analysis_finds_clean() {
    let snapshot = shop();
    let glance = |text: &str| {
        let path = SearchPath::default();
        let context = Context {
            fresh: false,
            ..Context::new(&snapshot, &path)
        };
        sql::is_clean_at_a_glance(text.as_bytes(), &context)
    };
    for clean in [
        "SELECT name FROM tags WHERE id = 5;",
        "UPDATE tags SET name = 'x' WHERE id = 5",
        "INSERT INTO tags (name) VALUES ('users'), ('b')",
        "DELETE FROM public.tags WHERE lower(name) IN ('a', 'b')",
        "SELECT count(*), now() FROM tags ORDER BY name, id",
        "BEGIN",
    ] {
        assert!(glance(clean), "{clean}");
        assert_eq!(
            describe(clean.trim_end_matches(';'), &snapshot, &[]),
            "same | clean"
        );
    }
    for other in [
        "SELECT * FROM users",
        "SELECT * FROM tags, users",
        "SELECT * FROM tags, young",
        "SELECT * FROM young",
        "SELECT young()",
        "SELECT user_email(1)",
        "SELECT set_config('search_path', 'x', false)",
        "SELECT nextval('users_id_seq')",
        "SELECT name INTO copy FROM tags",
        "SELECT 1; SELECT 2",
        "WITH tags AS (SELECT 1) SELECT * FROM tags",
        "SET search_path TO x",
        "CREATE TABLE x ()",
    ] {
        assert!(!glance(other), "{other}");
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/sql/cases");
    for file in std::fs::read_dir(folder).expect("case files") {
        let written = std::fs::read_to_string(file.expect("a file").path()).expect("readable");
        for case in written.split("\n\n") {
            let statement: Vec<&str> = case
                .lines()
                .filter(|line| !line.starts_with("-- "))
                .collect();
            let statement = statement.join("\n");
            let clean = describe(&statement, &snapshot, &[]) == "same | clean";
            assert!(clean || !glance(&statement), "{statement}");
        }
    }
}

#[test]
fn texts_that_differ_in_literals_share_a_plan_only_where_it_is_the_same() {
    let mut mutator = mutated::Mutator::new(shop(), SearchPath::default());
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/sql/cases");
    for file in std::fs::read_dir(folder).expect("case files") {
        let written = std::fs::read_to_string(file.expect("a file").path()).expect("readable");
        for case in written.split("\n\n") {
            let lines = case.lines().filter(|line| !line.starts_with("-- "));
            mutator.check(&lines.collect::<Vec<_>>().join("\n"), 12);
        }
    }
    let cases = (mutator.compared, mutator.shared);
    for line in include_str!("sql/corpus.jsonl").lines() {
        mutator.check(&serde_json::from_str::<String>(line).expect("a text"), 12);
    }
    let mut computing = mutated::Mutator::new(varied::computing(), SearchPath::default());
    for line in include_str!("sql/corpus.jsonl").lines().step_by(3) {
        computing.check(&serde_json::from_str::<String>(line).expect("a text"), 4);
    }
    assert!(3 * computing.shared > computing.compared);
    mutator.wrong.append(&mut computing.wrong);
    let wrong = &mutator.wrong;
    let (compared, shared) = (mutator.compared - cases.0, mutator.shared - cases.1);
    eprintln!("of {cases:?} cases and {compared} texts of clients {shared} were not analysed");
    assert!(
        wrong.is_empty(),
        "{}\n{}",
        wrong[..wrong.len().min(20)].join("\n"),
        wrong.len()
    );
    // Members of JSON are named by literals, on which the plan depends.
    assert!(3 * shared > compared && 6 * cases.1 > cases.0);
}

#[test]
fn the_plan_cache_stays_within_its_bytes() {
    let mut mutator = mutated::Mutator::within(shop(), 200_000);
    for number in 0..3_000 {
        mutator.compare(&format!(
            "SELECT id AS a{number} FROM users WHERE name = '{number}'"
        ));
        assert!(mutator.bytes() <= 200_000);
    }
    assert!(mutator.bytes() > 100_000 && mutator.wrong.is_empty());
}
