//! Tests of the parser.

use super::super::lex::{TokenKind, lex};
use super::super::split::split;
use super::*;

/// Statements of drivers and ORMs, one JSON string a line.
const CORPUS: &str = include_str!("../../../tests/sql/corpus.jsonl");

fn corpus() -> impl Iterator<Item = String> {
    CORPUS
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
}

fn tree(text: &str) -> Result<Statement, ParseError> {
    let tokens = lex(text, true).unwrap();
    let statements = split(text, &tokens);
    parse(
        text,
        &tokens[statements.first().cloned().unwrap_or_default()],
    )
}

/// The statement as sqlparser prints it; string literals come out as `E'…'`.
fn printed(text: &str) -> String {
    match tree(text) {
        Ok(statement) => statement.to_string(),
        Err(error) => format!("{error:?}"),
    }
}

/// Asserts that a statement is printed as it was written.
fn is_kept(text: &str) {
    assert_eq!(printed(text), text);
}

/// Literals and parameters of a text for which the trees have no value with that span.
fn lost_values(text: &str) -> Vec<String> {
    let tokens = lex(text, true).unwrap();
    let trees = split(text, &tokens).into_iter();
    let trees: String = trees
        .map(|all| format!("{:?}", parse(text, &tokens[all])))
        .collect();
    let debug = |token: &Token<'_>| {
        let value = match &token.kind {
            TokenKind::String(value) => format!("EscapedStringLiteral({value:?})"),
            TokenKind::Parameter(number) => format!("Placeholder(\"${number}\")"),
            _ => return None,
        };
        let Range { start, end } = token.span;
        Some(format!(
            "{value}, span: Span(Location(1,{start})..Location(1,{end}))"
        ))
    };
    tokens
        .iter()
        .filter_map(debug)
        .filter(|value| !trees.contains(value))
        .collect()
}

#[test]
fn parses_what_drivers_and_orms_send_and_keeps_every_value_in_its_place() {
    for text in corpus() {
        let tokens = lex(&text, true).unwrap();
        for statement in split(&text, &tokens) {
            assert!(parse(&text, &tokens[statement]).is_ok(), "{text}");
        }
        assert!(lost_values(&text).is_empty(), "{text}");
    }
}

#[test]
fn a_span_of_the_tree_is_a_range_of_bytes() {
    let text = "select 'é', uuid E'a'\n'b' , x::\"uuid\"[]";
    assert!(lost_values(text).is_empty());
    let tree = format!("{:?}", tree(text).unwrap());
    let spot = |part: &str| {
        let start = text.find(part).unwrap();
        format!(
            "Span(Location(1,{start})..Location(1,{}))",
            start + part.len()
        )
    };
    for part in ["E'a'\n'b'", "uuid", "\"uuid\""] {
        assert!(tree.contains(&spot(part)), "{part}");
    }
}

#[test]
fn a_typed_literal_is_a_cast() {
    assert_eq!(
        printed("SELECT uuid 'a', citext 'x'"),
        "SELECT E'a'::uuid, E'x'::citext"
    );
    assert_eq!(
        printed("SELECT pg_catalog.int8 '5', numeric(10,2) '1', \"char\" 'x' - int '3', N'x'"),
        "SELECT E'5'::pg_catalog.int8, E'1'::numeric(10, 2), E'x'::\"char\" - E'3'::int, E'x'::nchar"
    );
    assert_eq!(
        printed("SELECT numeric(2,-3) '1500', 1500::numeric(2, -3), CAST(x AS dec(2,-3)), 2-3"),
        "SELECT E'1500'::numeric(2, -3), 1500::numeric(2, -3), CAST(x AS dec(2, -3)), 2 - 3"
    );
    is_kept("SELECT INTERVAL E'1' DAY, TIMESTAMP WITH TIME ZONE E'now', TIME(3) E'10:00'");
}

#[test]
fn a_type_name_can_be_the_name_of_a_column() {
    assert_eq!(
        printed("SELECT timestamp \"x\", interval, date \"z\", text, t.user, path \"p\" FROM t"),
        "SELECT timestamp AS \"x\", interval, date AS \"z\", text, t.user, path AS \"p\" FROM t"
    );
}

#[test]
fn a_string_is_never_a_name() {
    for text in ["SELECT 'a' 'b'", "SELECT a AS 'b'", "SELECT * FROM 't'"] {
        assert!(
            matches!(tree(text), Err(ParseError::Syntax { .. })),
            "{text}"
        );
    }
    assert_eq!(printed("SELECT 'a'\n'b'"), "SELECT E'ab'");
}

#[test]
fn keywords_of_other_dialects_are_names() {
    is_kept("SELECT top, qualify, format, sample, map, struct, div, xor FROM pivot");
    is_kept("SELECT id AS match FROM users asof JOIN t semi ON true");
    let aliases = printed("SELECT id match, a xor, b top FROM t final");
    assert_eq!(
        aliases,
        "SELECT id AS match, a AS xor, b AS top FROM t final"
    );
}

#[test]
fn operators_bind_as_in_postgres() {
    let grouped = |text: &str| {
        let Ok(Statement::Query(query)) = tree(text) else {
            panic!("{text}")
        };
        let debug = format!("{:?}", query.body);
        // The operator of the outermost node is printed after everything on its left.
        let left = debug.find("BinaryOp { left: BinaryOp").is_some();
        if left { "left" } else { "right" }
    };
    assert_eq!(grouped("SELECT a = b ~ c"), "right");
    assert_eq!(grouped("SELECT a ~ b = c"), "left");
    assert_eq!(grouped("SELECT a !~~* b || c"), "left");
    assert_eq!(grouped("SELECT a || b = c"), "left");
    assert_eq!(grouped("SELECT a = b <-> c"), "right");
    assert_eq!(grouped("SELECT a OPERATOR(pg_catalog.=) b + c"), "right");
    assert_eq!(grouped("SELECT a OPERATOR(pg_catalog.*) b + c"), "right");
    let debug = |text: &str| format!("{:?}", tree(text).unwrap());
    assert!(debug("SELECT - a ^ b").contains("BinaryOp { left: UnaryOp"));
    assert!(debug("SELECT ~ a + b").contains("UnaryOp { op: BitwiseNot, expr: BinaryOp"));
    assert!(debug("SELECT a = b OPERATOR(pg_catalog.=) ANY (c)").contains("right: AnyOp"));
}

#[test]
fn values_is_a_query_and_a_reserved_word_is_no_column() {
    for text in [
        "SELECT (VALUES (1))",
        "SELECT a = ANY (VALUES (1), (2))",
        "SELECT f((VALUES (1)))",
    ] {
        assert!(
            format!("{:?}", tree(text).unwrap()).contains("body: Values"),
            "{text}"
        );
    }
    for text in ["SELECT INTO t FROM u", "SELECT only FROM t"] {
        assert!(tree(text).is_err(), "{text}");
    }
    assert_eq!(
        printed("SET enable_seqscan TO on"),
        "SET enable_seqscan = on"
    );
}

#[test]
fn a_named_argument_takes_the_whole_expression() {
    assert_eq!(
        printed("SELECT f(flag := a > b)"),
        "SELECT f(flag => a > b)"
    );
    is_kept("SELECT json_object(E'a' : b)");
    assert_eq!(
        printed("SELECT f(a, VARIADIC b)"),
        "SELECT f(a, \"variadic\" => b)"
    );
}

#[test]
fn writes_differently_what_the_grammar_lacks() {
    let cases = [
        (
            "UPDATE ONLY t SET a = 1 WHERE CURRENT OF c",
            "UPDATE t SET a = 1",
        ),
        (
            "SELECT 1 FROM ONLY s.t, ONLY (u) x",
            "SELECT 1 FROM s.t, u x",
        ),
        (
            "SELECT a FROM t FOR NO KEY UPDATE OF t, u NOWAIT",
            "SELECT a FROM t FOR UPDATE NOWAIT",
        ),
        ("SELECT a FROM t FOR KEY SHARE", "SELECT a FROM t FOR SHARE"),
        ("TABLE t", "SELECT * FROM t"),
        (
            "SELECT 1 UNION ALL TABLE t",
            "SELECT 1 UNION ALL SELECT * FROM t",
        ),
        (
            "SELECT a FROM t GROUP BY DISTINCT a",
            "SELECT a FROM t GROUP BY a",
        ),
        (
            "SELECT a ISNULL, b NOTNULL",
            "SELECT a IS NULL, b IS NOT NULL",
        ),
        (
            "SELECT a BETWEEN SYMMETRIC (1) AND 2",
            "SELECT a BETWEEN (1) AND 2",
        ),
        ("SELECT x::text COLLATE \"C\" AS y", "SELECT x::text AS y"),
        ("SELECT current_schema", "SELECT current_schema()"),
        ("SELECT (f(x)).*", "SELECT (f(x)).\"*\""),
        (
            "SELECT * FROM s.f(g(1)) AS (a int)",
            "SELECT * FROM s.f(g(1)) AS \"f\" (a int)",
        ),
        (
            "SELECT a OPERATOR(pg_catalog.=) ANY (b)",
            "SELECT a = ANY(b)",
        ),
        ("SELECT a OPERATOR(s.=) b", "SELECT a s.= b"),
        (
            "SELECT sum(a) OVER (ORDER BY b ROWS UNBOUNDED PRECEDING EXCLUDE NO OTHERS)",
            "SELECT sum(a) OVER (ORDER BY b ROWS UNBOUNDED PRECEDING)",
        ),
        (
            "UPDATE t SET data['key'] = 1, b = c",
            "UPDATE t SET [index] = (E'key'), data.[element] = 1, b = c",
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(printed(text), expected);
    }
}

#[test]
fn writes_the_parts_of_an_insert_that_the_grammar_lacks_differently() {
    let insert = |conflict: &str| printed(&format!("INSERT INTO t (a) VALUES (1) {conflict}"));
    let kept = "INSERT INTO t (a) VALUES (1) ON CONFLICT";
    assert_eq!(
        insert("ON CONFLICT (a, b) DO NOTHING"),
        format!("{kept}(a, b) DO NOTHING")
    );
    assert_eq!(
        insert("ON CONFLICT (lower(a)) DO NOTHING"),
        format!("{kept} DO NOTHING")
    );
    assert_eq!(
        insert("ON CONFLICT (a) WHERE s = 'on' DO UPDATE SET a = 2 WHERE t.b"),
        format!("{kept}(a) DO UPDATE SET a = 2 WHERE t.b")
    );
    assert_eq!(
        printed("INSERT INTO t OVERRIDING USER VALUE SELECT 1 ON CONFLICT DO NOTHING"),
        "INSERT INTO t SELECT 1 ON CONFLICT DO NOTHING"
    );
}

#[test]
fn does_not_leave_out_what_might_be_an_id() {
    for text in [
        "INSERT INTO t VALUES (1) ON CONFLICT (a) WHERE b = '5' DO NOTHING",
        "INSERT INTO t VALUES (1) ON CONFLICT (a) WHERE b = 'cafe' DO NOTHING",
        "INSERT INTO t VALUES (1) ON CONFLICT (a) WHERE b = $1 DO NOTHING",
        "INSERT INTO t VALUES (1) ON CONFLICT (a) WHERE b = '{5,6}' DO NOTHING",
    ] {
        assert!(
            matches!(tree(text), Err(ParseError::Syntax { .. })),
            "{text}"
        );
    }
    for text in ["UPDATE t SET a['1'] = 2", "UPDATE t SET a[$1][$2] = $3"] {
        assert_eq!(lost_values(text), Vec::<String>::new(), "{text}");
    }
    is_kept("SELECT a, b[E'k'] = 3 FROM t");
}

#[test]
fn tells_where_a_statement_stops_making_sense() {
    assert_eq!(
        tree("select 'é' from ("),
        Err(ParseError::Syntax { at: None })
    );
    assert_eq!(
        tree("select 'é' from 5"),
        Err(ParseError::Syntax { at: Some(17) })
    );
    assert_eq!(tree("select 1 2"), Err(ParseError::Syntax { at: Some(9) }));
    assert_eq!(tree(""), Err(ParseError::Syntax { at: None }));
}

/// Whether there is a tree; it is dropped where there is stack for that.
fn is_parsed(text: &str) -> bool {
    let tokens = match lex(text, true) {
        Ok(tokens) => tokens,
        Err(error) => {
            assert_eq!(error.sqlstate, "54001");
            return false;
        }
    };
    with_tree(text, &tokens, |parsed| match parsed {
        Ok(_) => true,
        Err(ParseError::TooDeep) => false,
        Err(ParseError::Syntax { at }) => panic!("{:?} at {at:?}", text.get(..80)),
    })
}

#[test]
fn reads_chains_and_nests_as_deep_as_postgres_does() {
    let chain = |operator: &str, count: usize| format!("SELECT a{}", operator.repeat(count));
    let nest = |open: &str, close: &str, count: usize| {
        format!("SELECT {}1{}", open.repeat(count), close.repeat(count))
    };
    // As many as Postgres 17 takes with its defaults.
    for text in [
        chain(" + a", 4_300),
        chain(" || a", 4_300),
        chain("::int", 13_085),
        chain(" IS NULL", 13_085),
        chain(" AND a", 100_000),
        chain(" OR a = 1 AND b = 2", 50_000),
        chain(" UNION ALL SELECT a", 8_163),
        chain(" EXCEPT SELECT a", 2_046),
        nest("(", ")", 9_921),
        nest("(1 + ", ")", 3_312),
        nest("- ", "", 9_921),
        nest("NOT ", "", 9_218),
        nest("abs(", ")", 4_296),
        nest("(SELECT ", ")", 2_468),
        nest("CASE WHEN true THEN ", " END", 1_976),
        nest("CAST(", " AS int)", 4_859),
        nest("(SELECT 1 UNION SELECT ", ")", 2_000),
    ] {
        assert!(is_parsed(&text), "{}", &text[..60]);
    }
    for text in [
        chain(" + a", 50_000),
        chain("::int", 500_000),
        chain(" UNION ALL SELECT 1, 2", 20_000),
        nest("(", ")", 50_000),
        nest("- ", "", 500_000),
        nest("NOT ", "", 50_000),
        nest("(SELECT ", ")", 50_000),
        nest("CASE WHEN true THEN ", " END", 50_000),
        "(".repeat(500_000),
        format!("SELECT * FROM {}t", "(".repeat(50_000)),
        format!("SELECT {}", "CASE WHEN ".repeat(50_000)),
        format!("SELECT {}", "interval ".repeat(50_000)),
    ] {
        assert!(!is_parsed(&text), "{}", &text[..60]);
    }
}

#[test]
fn reads_long_lists() {
    let rows = format!(
        "INSERT INTO t VALUES (1){}",
        ", ($1::uuid, a || b)".repeat(20_000)
    );
    assert!(tree(&rows).is_ok());
}

#[test]
fn never_panics_on_a_statement_cut_anywhere() {
    for text in corpus().step_by(40) {
        let Ok(tokens) = lex(&text, true) else {
            continue;
        };
        for end in 0..=tokens.len() {
            let _ = parse(&text, &tokens[..end]);
            let _ = parse(&text, &tokens[end..]);
        }
    }
}

proptest::proptest! {
    #[test]
    fn never_panics_on_a_shuffled_statement(
        picks in proptest::collection::vec((0..CORPUS.len(), 1..12_usize), 1..6),
        noise in "[-'$+=a-z0-9 .:;()\\[\\],*]{0,10}",
    ) {
        let mut text = String::new();
        for (at, length) in picks {
            let rest = CORPUS.get(at..).unwrap_or_default();
            let words = rest.split_inclusive(' ').skip(1).take(length);
            text.extend(words.map(|word| word.replace(['\\', '\n'], "")));
            text.push_str(&noise);
        }
        if let Ok(tokens) = lex(&text, true) {
            for statement in split(&text, &tokens) {
                let _ = parse(&text, &tokens[statement]);
            }
        }
    }
}
