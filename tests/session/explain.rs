//! What EXPLAIN tells: ids in the place of marks, other constants masked, in every format.

use crate::kinds;
use crate::stage::*;

/// A session that has sent a statement with marks in it, and what stands in the marks.
fn explaining(text: &str) -> (Stage, String) {
    let mut stage = Stage::ready();
    stage.client(&query(text));
    let tag = tag_in(&stage.sent().concat());
    (stage, tag)
}

fn tag_in(sent: &str) -> String {
    let from = sent.find("concat('").unwrap() + 8;
    let to = from + sent[from..].find('\'').unwrap();
    sent[from..to].to_owned()
}

/// A mark as Postgres writes it out.
fn mark(tag: &str, value: &str, of: &str) -> String {
    format!("CASE WHEN (concat('{tag}'::text) IS NOT NULL) THEN {value} ELSE NULL::{of} END")
}

fn described(type_oid: u32, format: i16) -> Vec<u8> {
    columns(&[("QUERY PLAN", 0, 0, type_oid)], format)
}

/// What the client gets for lines of a plan.
fn shown(stage: &mut Stage, type_oid: u32, lines: &[&str]) -> Vec<String> {
    let rows: Vec<u8> = lines.iter().flat_map(|line| text_row(&[line])).collect();
    let end = [tag("EXPLAIN"), ready('I')].concat();
    stage.server(&[described(type_oid, 0), rows, end].concat());
    let shown = stage.shown();
    assert_eq!(shown.last().unwrap(), "Z I");
    shown[1..shown.len() - 2].to_vec()
}

fn rows(lines: &[&str]) -> Vec<String> {
    legible(
        &lines
            .iter()
            .flat_map(|line| text_row(&[line]))
            .collect::<Vec<u8>>(),
    )
}

#[test]
fn marks_the_ids_of_a_statement_and_shows_them_in_its_plan() {
    let mut stage = Stage::ready();
    stage.client(&query(&format!("explain text by literal '{}'", id(KEY))));
    let sent = stage.sent().concat();
    let tag = tag_in(&sent);
    assert!(
        tag.starts_with("~pv") && tag.ends_with(":0:8:u:0~"),
        "{tag}"
    );
    let expected = format!(
        "Q explain text by literal (CASE WHEN pg_catalog.concat('{tag}'::pg_catalog.text) \
         IS NOT NULL THEN '{KEY}' END)|"
    );
    assert_eq!(sent, expected);
    let found = shown(
        &mut stage,
        25,
        &[
            "Index Scan using users_pkey on users u_2  (cost=0.29..8.30 rows=1 width=21) (actual time=0.003..0.004 rows=1 loops=1)",
            &format!(
                "  Index Cond: (id = {})",
                mark(&tag, &format!("'{KEY}'::bigint"), "bigint")
            ),
            "  Filter: ((n > 5) AND (name = 'Ann'::text) AND (code = 'x 7'::text))",
            "  Rows Removed by Filter: 9",
            "Planning Time: 0.058 ms",
        ],
    );
    assert_eq!(
        found,
        rows(&[
            "Index Scan using users_pkey on users u_2  (cost=0.29..8.30 rows=1 width=21) (actual time=0.003..0.004 rows=1 loops=1)",
            &format!("  Index Cond: (id = '{}'::uuid)", id(KEY)),
            "  Filter: ((n > ***) AND (name = 'Ann'::text) AND (code = '***'::text))",
            "  Rows Removed by Filter: 9",
            "Planning Time: 0.058 ms",
        ])
    );
}

#[test]
fn a_constant_that_equals_a_key_is_masked_wherever_it_comes_from() {
    let (mut stage, tag) = explaining(&format!("explain text by literal '{}'", id(KEY)));
    let cond = mark(&tag, &format!("'{KEY}'::bigint"), "bigint");
    let line = format!(
        "  Filter: ((id = {cond}) AND (id <> '{KEY}'::bigint) AND (n = ANY ('{{{KEY},1}}'::bigint[])) AND (n <> {KEY}))"
    );
    let found = shown(&mut stage, 25, &[&line]);
    let expected = format!(
        "  Filter: ((id = '{}'::uuid) AND (id <> '***'::bigint) AND (n = ANY ('***'::bigint[])) AND (n <> ***))",
        id(KEY)
    );
    assert_eq!(found, rows(&[&expected]));
}

#[test]
fn shows_lists_of_marks_as_the_array_that_postgres_folds_constants_into() {
    let (mut stage, tag) = explaining(&format!("explain text by literal '{}'", id(KEY)));
    let one = |key: i64| mark(&tag, &format!("'{key}'::bigint"), "bigint");
    let line = |list: String| format!("  Filter: (id = ANY (ARRAY[{list}]))");
    let whole = line(format!("{}, NULL::bigint, {}", one(KEY), one(KEY + 1)));
    let mixed = line(format!("{}, other", one(KEY)));
    let found = shown(&mut stage, 25, &[&whole, &mixed]);
    let (a, b) = (id(KEY), id(KEY + 1));
    let expected = [
        format!("  Filter: (id = ANY ('{{{a},NULL,{b}}}'::uuid[]))"),
        line(format!("'{a}'::uuid, other")),
    ];
    assert_eq!(found, rows(&[&expected[0], &expected[1]]));
}

#[test]
fn shows_arrays_parameters_and_nulls_in_marks() {
    let text = format!("explain text by array literal '{{{}}}'", id(KEY));
    let (mut stage, tag) = explaining(&text);
    assert!(tag.ends_with(":0:8:u:1~"), "{tag}");
    let lines = [
        format!("'{{{KEY},NULL}}'::bigint[]"),
        "$1".to_owned(),
        "($1)::text".to_owned(),
        "NULL::bigint[]".to_owned(),
        "'{1,x}'::bigint[]".to_owned(),
        "(a + 1)".to_owned(),
    ];
    let lines = lines.map(|value| format!("  Filter: {}", mark(&tag, &value, "bigint[]")));
    let found = shown(&mut stage, 25, &lines.each_ref().map(String::as_str));
    let array = format!("  Filter: '{{{},NULL}}'::uuid[]", id(KEY));
    assert_eq!(
        found,
        rows(&[
            &array,
            "  Filter: $1",
            "  Filter: $1",
            "  Filter: NULL::uuid[]",
            "  Filter: '***'::uuid[]",
            "  Filter: '***'::uuid[]",
        ])
    );
}

#[test]
fn shows_documents_as_they_are_but_for_constants() {
    let plans = [
        (
            "json",
            114,
            "[\n  {\n    \"Plan\": {\n      \"Relation Name\": \"t \\\"2\\\" 3\",\n      \"Plan Rows\": 5,\n      \"Output\": [\"id\", \"7\", \"'a\\\"b'::text\", \"\\\"n 2\\\"\"],\n      \"Filter\": \"(id = @)\"\n    },\n    \"Settings\": {\n      \"work_mem\": \"64 MB\"\n    },\n    \"Execution Time\": 0.013\n  }\n]",
            "\"7\"",
            "\"***\"",
        ),
        (
            "yaml",
            25,
            "- Plan: \n    Relation Name: \"t \\\"2\\\" 3\"\n    Plan Rows: 5\n    Output: \n      - \"id\"\n      - \"7\"\n      - \"'a\\\"b'::text\"\n    Filter: \"(id = @)\"\n  Settings: \n    work_mem: \"64 MB\"\n  Execution Time: 0.013",
            "\"7\"",
            "\"***\"",
        ),
        (
            "xml",
            142,
            "<explain xmlns=\"http://www.postgresql.org/2009/explain\">\n  <Query>\n    <Plan>\n      <Relation-Name>t 2</Relation-Name>\n      <Plan-Rows>5</Plan-Rows>\n      <Output>\n        <Item>id</Item>\n        <Item>7</Item>\n        <Item>('a&lt;b'::text &lt;&gt; c)</Item>\n      </Output>\n      <Filter>(id = @)</Filter>\n    </Plan>\n    <Settings>\n      <work_mem>64 MB</work_mem>\n    </Settings>\n    <Execution-Time>0.013</Execution-Time>\n  </Query>\n</explain>",
            "<Item>7<",
            "<Item>***<",
        ),
    ];
    for (format, type_oid, plan, number, masked) in plans {
        let text = format!("explain {format} by literal '{}'", id(KEY));
        let (mut stage, tag) = explaining(&text);
        let cond = mark(&tag, &format!("'{KEY}'::bigint"), "bigint");
        let found = shown(&mut stage, type_oid, &[&plan.replace('@', &cond)]);
        let expected = plan.replace('@', &format!("'{}'::uuid", id(KEY)));
        assert_eq!(
            found,
            rows(&[&expected.replace(number, masked)]),
            "{format}"
        );
    }
}

#[test]
fn ends_a_session_whose_plan_is_of_another_format() {
    let text = format!("explain json by literal '{}'", id(KEY));
    for (type_oid, plan) in [
        (25, "[]"),
        (114, "Seq Scan on users"),
        (114, "[\"a"),
        (114, "[}"),
    ] {
        let (mut stage, _) = explaining(&text);
        let answer = [described(type_oid, 0), text_row(&[plan])].concat();
        assert!(stage.refusal_of(&answer).is_some(), "{plan}");
    }
    for format in ["text", "yaml"] {
        let other = if format == "yaml" {
            "Result"
        } else {
            "- Plan: \n    Output: \n      - \"42\""
        };
        let text = format!("explain {format} by literal '{}'", id(KEY));
        let (mut stage, _) = explaining(&text);
        let answer = [described(25, 0), text_row(&[other])].concat();
        assert!(stage.refusal_of(&answer).is_some(), "{format}");
    }
    let (mut stage, _) = explaining(&text);
    let two = columns(&[("QUERY PLAN", 0, 0, 114), ("n", 0, 0, 20)], 0);
    assert!(stage.refusal_of(&two).is_some());
    // The value of a document may not be a table's column.
    let (mut stage, _) = explaining(&text);
    let of_a_table = columns(&[("id", USERS, 1, 114)], 0);
    assert!(stage.refusal_of(&of_a_table).is_some());
}

#[test]
fn a_tag_that_is_not_in_a_mark_is_not_passed_on() {
    let (mut stage, tag) = explaining(&format!("explain text by literal '{}'", id(KEY)));
    let nonce = tag.split(':').next().unwrap().to_owned();
    let lines = [
        format!("  Output: concat('{tag}'::text)"),
        format!(
            "  Output: {}",
            mark(&tag.replace(":u:", ":x:"), "'5'::bigint", "bigint")
        ),
        format!(
            "  Output: {}",
            mark(&tag.replace(":0:8", ":99:8"), "'5'::bigint", "bigint")
        ),
        format!("  Output: \"{nonce}\".a"),
        format!("  CTE {nonce}"),
    ];
    let found = shown(&mut stage, 25, &lines.each_ref().map(String::as_str));
    let nonce = nonce.trim_start_matches('~');
    assert!(found.iter().all(|line| !line.contains(nonce)), "{found:?}");
    assert!(
        found[2].contains("'***'::uuid"),
        "no such kind of id: {}",
        found[2]
    );
    assert_eq!(found[3..], rows(&["***", "***"]));
}

#[test]
fn an_id_that_nobody_has_is_shown_as_it_was_sent_and_no_other_sentinel() {
    let foreign = "00000000-0000-4000-8000-000000000001";
    for (sent, expected) in [(foreign, foreign), (&*id(KEY), "***")] {
        let (mut stage, tag) = explaining(&format!("explain text by literal '{sent}'"));
        let least = format!("'{}'::bigint", i64::MIN);
        let line = format!("  Filter: (id = {})", mark(&tag, &least, "bigint"));
        let found = shown(&mut stage, 25, &[&line]);
        let expected = format!("  Filter: (id = '{expected}'::uuid)");
        assert_eq!(found, rows(&[&expected]));
    }
}

#[test]
fn a_string_goes_on_in_the_next_row() {
    let (mut stage, _) = explaining(&format!("explain text by literal '{}'", id(KEY)));
    let lines = [
        "  Filter: ((a = 'x 1",
        "  Heap Fetches: 42",
        "y'::text) AND (b = \"c",
        "d 5\") AND (n = 7))",
        "  Heap Fetches: 42",
    ];
    let found = shown(&mut stage, 25, &lines);
    assert_eq!(
        found,
        rows(&[
            "  Filter: ((a = '***",
            "***",
            "y'::text) AND (b = \"c",
            "d 5\") AND (n = ***))",
            "  Heap Fetches: 42",
        ])
    );
}

/// The lines that an execution of a prepared EXPLAIN shows.
fn executed(stage: &mut Stage, portal: &str, lines: &[&str], is_cut: bool) -> Vec<String> {
    let rows: Vec<u8> = lines.iter().flat_map(|line| text_row(&[line])).collect();
    let end = if is_cut {
        frame(b's', b"")
    } else {
        tag("EXPLAIN")
    };
    stage.client(&[execute(portal), frame(b'H', b"")].concat());
    stage.server(&[rows, end].concat());
    let shown = stage.shown();
    shown[..shown.len() - 1].to_vec()
}

#[test]
fn an_execution_that_is_cut_off_within_a_string_colours_no_other() {
    let mut stage = Stage::ready();
    let of = |portal| bind(portal, "s", &[], &[], &[]);
    let text = format!("explain text by literal '{}'", id(KEY));
    let parsed = parse("s", &text, &[]);
    stage.client(
        &[
            parsed,
            of("a"),
            of("b"),
            describe('P', "a"),
            frame(b'H', b""),
        ]
        .concat(),
    );
    let begun = [frame(b'1', b""), frame(b'2', b""), frame(b'2', b"")].concat();
    stage.server(&[begun, described(25, 0)].concat());
    stage.shown();
    let first = executed(&mut stage, "a", &["  Filter: (a = 'x 1"], true);
    assert_eq!(first, rows(&["  Filter: (a = '***"]));
    let whole = ["Seq Scan on users", "  Filter: (n = 7)"];
    let masked = rows(&["Seq Scan on users", "  Filter: (n = ***)"]);
    assert_eq!(executed(&mut stage, "b", &whole, false), masked);
    // The first goes on within its string.
    let rest = executed(&mut stage, "a", &["select 7", "y') AND (n = 7)"], false);
    assert_eq!(rest, rows(&["***", "y') AND (n = ***)"]));
    // FETCH goes on where Execute has stopped; what MOVE has gone over may have opened a string.
    for (first, moves, expected) in [
        ("  Filter: (a = 'x 1", false, "***"),
        ("Seq Scan on users", false, "  Heap Fetches: 42"),
        ("Seq Scan on users", true, "  Heap Fetches: ***"),
    ] {
        stage.client(&[of("p"), frame(b'H', b"")].concat());
        stage.server(&frame(b'2', b""));
        stage.shown();
        executed(&mut stage, "p", &[first], true);
        stage.client(&[execute("p"), sync()].concat());
        stage.server(&[frame(b's', b""), ready('T')].concat());
        stage.shown();
        if moves {
            stage.client(&query("move p"));
            stage.server(&[tag("MOVE 1"), ready('T')].concat());
        }
        stage.client(&query("fetch p"));
        stage.shown();
        let found = shown(&mut stage, 25, &["  Heap Fetches: 42"]);
        assert_eq!(found, rows(&[expected]));
    }
    // And one of the same name begins anew.
    stage.client(&[of("a"), frame(b'H', b"")].concat());
    stage.server(&frame(b'2', b""));
    stage.shown();
    executed(&mut stage, "a", &["  Filter: (a = 'x 1"], true);
    stage.client(&[of("a"), frame(b'H', b"")].concat());
    stage.server(&frame(b'2', b""));
    stage.shown();
    assert_eq!(executed(&mut stage, "a", &whole, false), masked);
}

#[test]
fn explains_through_the_extended_protocol_in_every_format() {
    for format in [0_u16, 1] {
        let mut stage = Stage::ready();
        let key = id_bytes(KEY);
        let batch = [
            parse("s", "explain text by id $1", &[]),
            bind("", "s", &[1], &[Some(&key)], &[format]),
            describe('P', ""),
            execute(""),
            sync(),
        ];
        stage.client(&batch.concat());
        let sent = stage.sent();
        let tag_text = tag_in(&sent[0]);
        assert!(sent[0].contains("THEN $1 END)"), "{}", sent[0]);
        let line = format!(
            "  Filter: (id = {})",
            mark(&tag_text, &format!("'{KEY}'::bigint"), "bigint")
        );
        let format = i16::try_from(format).unwrap();
        let begin = [frame(b'1', b""), frame(b'2', b""), described(25, format)].concat();
        let rest = [text_row(&[&line]), tag("EXPLAIN"), ready('I')].concat();
        stage.server(&[begin, rest].concat());
        let expected = format!("  Filter: (id = '{}'::uuid)", id(KEY));
        assert_eq!(stage.shown()[3..4], rows(&[&expected]));
    }
}

#[test]
fn of_what_was_prepared_every_constant_is_masked() {
    let mut stage = Stage::ready();
    stage.client(&query("prepare s as by id $1"));
    stage.sent();
    stage.server(&[tag("PREPARE"), ready('I')].concat());
    stage.shown();
    stage.client(&query("explain execute s('id')"));
    let sent = stage.sent().concat();
    assert!(sent.starts_with("Q explain execute s('7'"), "{sent}");
    let found = shown(
        &mut stage,
        25,
        &["Seq Scan on users", "  Filter: (id = '7'::bigint)"],
    );
    assert_eq!(
        found,
        rows(&["Seq Scan on users", "  Filter: (id = '***'::bigint)"])
    );
}

#[test]
fn shows_ids_of_every_type_as_constants_of_their_type() {
    for name in [
        "event", "invoice", "token", "visit", "ticket", "parcel", "page", "blob",
    ] {
        let example = kinds::example(name);
        let text = |both: &kinds::Both| String::from_utf8(both.text.clone()).unwrap();
        let (key, id) = (text(&example.key), text(&example.id));
        let mut stage = kinds::stage();
        stage.client(&query(&format!("{name} explain text by literal '{id}'")));
        let tag = tag_in(&stage.sent().concat());
        let line = format!(
            "  Filter: (a = {})",
            mark(&tag, &format!("'{key}'::x"), "x")
        );
        let other = format!("  Filter: (a = '{key}'::x)");
        let found = shown(&mut stage, 25, &[&line, &other]);
        let of = pgveil::catalog::KeyType::from_oid(example.id_oid)
            .unwrap()
            .0;
        let expected = format!("  Filter: (a = '{id}'::{})", of.name());
        assert_eq!(
            found,
            rows(&[&expected, "  Filter: (a = '***'::x)"]),
            "{name}"
        );
    }
}
