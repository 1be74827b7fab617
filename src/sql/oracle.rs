//! Postgres's own parser as a judge of ours: the same tokens, the same statements, and the same
//! trees, for texts that clients sent and for Postgres's regression queries. It runs as a Python
//! program, `tests/oracle/judge.py`, with the package `pglast`, which has libpg_query in it;
//! `pip install pglast` into `.venv` brings it. Where it is missing the test says so and is
//! skipped; with `PGVEIL_REQUIRE_PGLAST` set it fails.
//!
//! Trees are compared by printing ours and giving that to Postgres's parser: once as it is, and
//! once with all operators in parentheses, so that it shows how they bind.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::{Value, json};
use sqlparser::ast::{
    Expr, FunctionArguments, Ident, ObjectName, ObjectNamePart, Statement, TableFactor,
    VisitMut as _, VisitorMut,
};

use super::lex::{Token, TokenKind, lex};
use super::parse::{joined, parse};
use super::split;

/// The statements of these beginnings are parsed.
const PARSED: &[&str] = &[
    "select", "with", "values", "table", "insert", "update", "delete", "merge",
];

/// Puts parentheses around operators.
struct Parentheses;

impl VisitorMut for Parentheses {
    type Break = ();

    fn post_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<()> {
        let is_operator = matches!(
            expr,
            Expr::BinaryOp { .. }
                | Expr::UnaryOp { .. }
                | Expr::IsNull(_)
                | Expr::IsNotNull(_)
                | Expr::IsTrue(_)
                | Expr::IsNotTrue(_)
                | Expr::IsFalse(_)
                | Expr::IsNotFalse(_)
                | Expr::IsUnknown(_)
                | Expr::IsNotUnknown(_)
                | Expr::IsDistinctFrom(..)
                | Expr::IsNotDistinctFrom(..)
                | Expr::Like { .. }
                | Expr::ILike { .. }
                | Expr::SimilarTo { .. }
                | Expr::Between { .. }
                | Expr::InList { .. }
                | Expr::InSubquery { .. }
                | Expr::AnyOp { .. }
                | Expr::AllOp { .. }
                | Expr::Cast { .. }
                | Expr::AtTimeZone { .. }
        );
        if is_operator {
            let inner = std::mem::replace(expr, Expr::Identifier(Ident::new("x")));
            *expr = Expr::Nested(Box::new(inner));
        }
        ControlFlow::Continue(())
    }
}

/// Puts joins in brackets where they are subqueries.
struct Joins;

impl VisitorMut for Joins {
    type Break = ();

    fn post_visit_table_factor(&mut self, table: &mut TableFactor) -> ControlFlow<()> {
        if let TableFactor::Derived {
            subquery, alias, ..
        } = table
            && let Some(joins) = joined(subquery)
        {
            *table = TableFactor::NestedJoin {
                table_with_joins: Box::new(joins.clone()),
                alias: alias.clone(),
            };
        }
        ControlFlow::Continue(())
    }
}

/// Writes SQL/JSON and XML as calls, which their clauses have been taken out of: in quotes a name is that of a
/// function.
struct Calls;

fn quote(name: &mut ObjectName) {
    if let [ObjectNamePart::Identifier(name)] = &mut *name.0 {
        let name_of = name.value.to_lowercase();
        let known = [
            "json_exists",
            "json_query",
            "json_table",
            "json_value",
            "xmlelement",
            "xmlforest",
            "xmlparse",
            "xmlpi",
            "xmlserialize",
        ];
        if known.contains(&name_of.as_str()) {
            *name = Ident::with_quote('"', name_of);
        }
    }
}

impl VisitorMut for Calls {
    type Break = ();

    fn post_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<()> {
        if let Expr::Function(function) = expr {
            quote(&mut function.name);
            if function.name.to_string().starts_with('"')
                && let FunctionArguments::List(list) = &mut function.args
            {
                list.clauses.clear();
            }
        }
        ControlFlow::Continue(())
    }

    fn post_visit_table_factor(&mut self, table: &mut TableFactor) -> ControlFlow<()> {
        if let TableFactor::Table {
            name,
            args: Some(_),
            ..
        }
        | TableFactor::Function { name, .. } = table
        {
            quote(name);
        }
        ControlFlow::Continue(())
    }
}

/// A kind of token by which the judge knows it.
fn kind(token: &Token<'_>) -> &'static str {
    match token.kind {
        TokenKind::Word { .. } => "word",
        TokenKind::String(_) => "string",
        TokenKind::BitString(_) => "bits",
        TokenKind::HexString(_) => "hex",
        TokenKind::Number => "number",
        TokenKind::Parameter(_) => "parameter",
        TokenKind::Operator | TokenKind::Punctuation => "sign",
    }
}

/// What the judge is to look at: a text, and what we make of it.
fn question(text: &str) -> Value {
    let Ok(tokens) = lex(text, true) else {
        return json!({ "text": text, "tokens": null });
    };
    let statements = split::split(text, &tokens).into_iter().map(|range| {
        let tokens = &tokens[range];
        let bytes = split::bytes(tokens);
        let first = match &tokens[0].kind {
            TokenKind::Word { value, .. } => value.as_ref(),
            _ => "select",
        };
        let printed = PARSED
            .contains(&first)
            .then(|| parse(text, tokens).ok().map(printed));
        json!({ "bytes": [bytes.start, bytes.end], "printed": printed })
    });
    let statements: Vec<Value> = statements.collect();
    let tokens = tokens.iter();
    let tokens: Vec<Value> = tokens
        .map(|token| json!([token.span.start, token.span.end, kind(token)]))
        .collect();
    json!({ "text": text, "tokens": tokens, "statements": statements })
}

/// The statement as it is and with its operators in parentheses.
fn printed(mut statement: Statement) -> [String; 2] {
    let _ = statement.visit(&mut Joins);
    let _ = statement.visit(&mut Calls);
    let plain = statement.to_string();
    let _ = statement.visit(&mut Parentheses);
    [plain, statement.to_string()]
}

fn folder() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Every text, with where it is from.
fn texts() -> Vec<(&'static str, String)> {
    let mut texts = Vec::new();
    for line in include_str!("../../tests/sql/corpus.jsonl").lines() {
        texts.push(("clients", serde_json::from_str(line).unwrap()));
    }
    for line in include_str!("../../tests/corpus/statements.jsonl").lines() {
        let statement: Value = serde_json::from_str(line).unwrap();
        texts.push(("clients", statement["sql"].as_str().unwrap().to_owned()));
    }
    for file in files(&folder().join("tests/sql/cases")) {
        for case in file.split("\n\n") {
            let lines = case.lines().filter(|line| !line.starts_with("-- "));
            texts.push(("cases", lines.collect::<Vec<_>>().join("\n")));
        }
    }
    let newer = include_str!("../../tests/twin/cases/newer.sql").lines();
    let newer = newer.filter_map(|line| line.strip_suffix(';'));
    texts.extend(newer.map(|text| ("newer", text.to_owned())));
    for file in regress()
        .iter()
        .flat_map(|folder| files(&folder.join("sql")))
    {
        // Commands of psql are no SQL, and what follows `COPY … FROM stdin` are rows.
        for chunk in file.split("\n\n") {
            let foreign = chunk
                .lines()
                .any(|line| line.starts_with('\\') || line == "\\.");
            if !foreign
                && !chunk.contains('\\')
                && ![":'", ":{"].iter().any(|variable| chunk.contains(variable))
            {
                texts.push(("regress", chunk.to_owned()));
            }
        }
    }
    texts
}

fn files(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).into_iter().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let texts = paths
        .iter()
        .filter_map(|path| std::fs::read_to_string(path).ok());
    texts.collect()
}

/// Postgres's regression queries, if `cargo test --test regress` has brought them.
fn regress() -> Option<PathBuf> {
    let given = std::env::var_os("PGVEIL_REGRESS_FOLDER").map(PathBuf::from);
    let program = std::env::current_exe().ok()?;
    let fetched = program.ancestors().nth(3)?.join("tmp/regress-15");
    Some(given.unwrap_or(fetched)).filter(|folder| folder.join("sql").is_dir())
}

/// The Python that has the judge's package.
fn python() -> Option<PathBuf> {
    let own = folder().join(".venv/bin/python");
    [own, PathBuf::from("python3")].into_iter().find(|python| {
        let mut import = Command::new(python);
        import.args(["-c", "import pglast"]).stderr(Stdio::null());
        import.status().is_ok_and(|status| status.success())
    })
}

#[test]
fn tokens_statements_and_trees_are_those_of_postgres() {
    let Some(python) = python() else {
        let required = std::env::var_os("PGVEIL_REQUIRE_PGLAST").is_some();
        assert!(!required, "there is no pglast");
        eprintln!(
            "SKIPPED: there is no pglast; python3 -m venv .venv && .venv/bin/pip install pglast"
        );
        return;
    };
    let mut questions = texts();
    questions.sort();
    questions.dedup();
    let lines = questions.iter().map(|(from, text)| {
        let mut question = question(text);
        question["from"] = json!(from);
        format!("{question}\n")
    });
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), lines.collect::<String>()).unwrap();
    let judged = Command::new(python)
        .arg(folder().join("tests/oracle/judge.py"))
        .arg(file.path())
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&judged.stdout);
    eprint!("{told}{}", String::from_utf8_lossy(&judged.stderr));
    assert!(judged.status.success(), "{told}");
}
