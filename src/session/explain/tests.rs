//! What is masked, by the types of the keys that a database has.

use super::{End, PlanMasker};
use crate::session::codecs::Codecs;
use crate::session::ids::Sentinels;
use crate::session::mask::KeyTypes;
use crate::session::shared::{Analyzer, Limits, Shared};

const INTEGERS: KeyTypes = KeyTypes {
    uuids: false,
    bytes: false,
    texts: false,
};

const UUIDS: KeyTypes = KeyTypes {
    uuids: true,
    ..INTEGERS
};

fn codecs() -> Codecs {
    Codecs::new(&Shared::new(
        [],
        Limits::default(),
        Analyzer::default(),
        |_| (),
    ))
}

/// Runs a test with a scribe.
fn with<T>(stored: KeyTypes, test: impl FnOnce(PlanMasker<'_>) -> T) -> T {
    let codecs = codecs();
    let sentinels = Sentinels::default();
    test(PlanMasker {
        codecs: &codecs,
        sentinels: &sentinels,
        stored,
    })
}

fn expression(stored: KeyTypes, text: &str) -> String {
    with(stored, |scribe| {
        let mut out = Vec::new();
        assert_eq!(
            scribe.expression(text.as_bytes(), End::Closed, &mut out),
            End::Closed,
            "{text}"
        );
        String::from_utf8(out).unwrap()
    })
}

fn lines(stored: KeyTypes, plan: &[&str]) -> Vec<String> {
    with(stored, |scribe| {
        let mut end = End::Closed;
        let line = |line: &&str| {
            let (shown, after) = scribe.line(line.as_bytes(), end);
            end = after;
            String::from_utf8(shown).unwrap()
        };
        plan.iter().map(line).collect()
    })
}

#[test]
fn masks_numbers_and_strings_with_digits_and_nothing_else() {
    for (text, expected) in [
        ("(a_1 = 5)", "(a_1 = ***)"),
        ("(a = '-5'::integer)", "(a = '***'::integer)"),
        ("(x > 4.2e+01)", "(x > ***)"),
        ("b[1:3]", "b[***:***]"),
        ("'\\x2a'::bytea", "'***'::bytea"),
        ("'x7'::text", "'***'::text"),
        ("'new'::text", "'new'::text"),
        ("'it''s 5'::text", "'***'::text"),
        ("\"a 7\".\"b\"\"8\"", "\"a 7\".\"b\"\"8\""),
        ("$0", "$0"),
        ("(hashed SubPlan 1)", "(hashed SubPlan 1)"),
        ("(InitPlan 1).col1", "(InitPlan 1).col1"),
        ("\"SubPlan\" 1", "\"SubPlan\" ***"),
        ("subplan 1", "subplan ***"),
        ("(a)::numeric(12,2)", "(a)::numeric(12,2)"),
        ("a::character varying(20)", "a::character varying(20)"),
        ("f(a)::text = g(12)", "f(a)::text = g(***)"),
        ("numeric(12)", "numeric(***)"),
        ("'2024-01-31'::date", "'2024-01-31'::date"),
        ("'2024-01-31'::text", "'***'::text"),
        ("'20240131'::date", "'***'::date"),
        (
            "'2024-01-31 00:00:00+00'::timestamp with time zone",
            "'2024-01-31 00:00:00+00'::timestamp with time zone",
        ),
        (
            "'12345678-1234-8234-8234-123456789012'::uuid",
            "'12345678-1234-8234-8234-123456789012'::uuid",
        ),
        ("B'101'", "B'***'"),
        (
            "CASE WHEN (concat('~pv0:0:8:u:0~'::text) IS NOT NULL) THEN 5 ELSE NULL::bigint END",
            "CASE WHEN (concat('***'::text) IS NOT NULL) THEN *** ELSE NULL::bigint END",
        ),
        ("ARRAY[1, 2]", "ARRAY[***, ***]"),
        ("CASE", "CASE"),
    ] {
        assert_eq!(expression(INTEGERS, text), expected);
    }
}

#[test]
fn masks_whatever_keys_can_be_made_of_where_they_are_words() {
    let key = "'0190a3b4-0000-7000-8000-000000000001'";
    assert_eq!(
        expression(UUIDS, &format!("(a_1 = {key}::uuid)")),
        "(a_1 = '***'::uuid)"
    );
    assert_eq!(expression(UUIDS, "'abcdefghijklmnopqrstuvwxyz'"), "'***'");
    assert_eq!(expression(UUIDS, "'new'::text"), "'new'::text");
    let bytes = KeyTypes {
        bytes: true,
        ..INTEGERS
    };
    assert_eq!(expression(bytes, "(a = 'x') AND b"), "(a = '***') AND b");
}

#[test]
fn shows_what_is_measured_and_the_names_of_nodes() {
    for line in [
        "  ->  Index Scan using \"i 1\" on t_2 t  (cost=0.29..8.30 rows=1 width=21) (never executed)",
        "Sort  (cost=1.00..2.00 rows=3 width=4) (actual time=0.1..0.2 rows=3.00 loops=1)",
        "Sort (actual rows=3 loops=1)",
        "  Sort Method: quicksort  Memory: 25kB",
        "  Worker 0:  actual time=0.1..0.2 rows=3 loops=1",
        "  CTE it's 5",
        "Trigger for constraint a_1: time=0.074 calls=1",
        "  Settings: work_mem = '64 MB', jit = 'off'",
        "  InitPlan 1 (returns $0)",
        "  Buffers: shared hit=1 read=2",
        " Planning Time: 0.058 ms",
    ] {
        assert_eq!(lines(INTEGERS, &[line]), [line]);
        assert_eq!(lines(UUIDS, &[line]), [line]);
    }
    assert_eq!(
        lines(
            INTEGERS,
            &["  Output: (rows=5)", "  Rows: 5", "Seq Scan on t  (cost=5)"]
        ),
        [
            "  Output: (rows=***)",
            "  Rows: ***",
            "Seq Scan on t  (cost=***)"
        ]
    );
}

#[test]
fn behind_a_string_that_ends_in_another_row_words_are_masked_as_prose() {
    let plan = [
        "  Filter: (a = 'x",
        "Heap Fetches: 42'::text)",
        "  Filter: (b = '0190a3b4-0000-7000-8000-000000000001'::uuid)",
        "  Heap Fetches: 42",
    ];
    assert_eq!(
        lines(UUIDS, &plan),
        [
            "  Filter: (a = 'x",
            "Heap Fetches: ***'::text)",
            "  Filter: (b = '***'::uuid)",
            "  Heap Fetches: ***",
        ]
    );
    assert_eq!(
        lines(INTEGERS, &plan)[1..],
        [
            "***'::text)",
            "  Filter: (b = '0190a3b4-0000-7000-8000-000000000001'::uuid)",
            "  Heap Fetches: 42"
        ]
    );
}

#[test]
fn refuses_documents_that_are_cut_short_at_every_byte() {
    let json = br#"[{"Plan": {"Output": ["a", "'b\"c'"], "Plan Rows": 5}}]"#;
    let xml = b"<explain><Plan><Output><Item>a</Item></Output></Plan></explain>";
    with(INTEGERS, |scribe| {
        assert_eq!(scribe.json(json).as_deref(), Some(&json[..]));
        assert_eq!(scribe.xml(xml).as_deref(), Some(&xml[..]));
        for at in 1..json.len() {
            assert_eq!(scribe.json(&json[..at]), None, "{at}");
        }
        for at in 1..xml.len() {
            assert_eq!(scribe.xml(&xml[..at]), None, "{at}");
        }
        for yaml in [
            "Plan: 5",
            "- Plan: \"a",
            "- Filter: (a = 5)",
            "- a: \"\\x\"",
        ] {
            assert_eq!(scribe.yaml(yaml.as_bytes()), None, "{yaml}");
        }
    });
}

#[test]
fn no_digits_of_a_string_or_number_are_left_however_quotes_are_mixed() {
    // Every text of these pieces, up to five of them.
    let pieces = ["'", "\"", "8613972450000001", " ", "x", "::", "(", "E"];
    let mut texts = vec![String::new()];
    for _ in 0..5 {
        let longer = texts
            .iter()
            .flat_map(|text| pieces.map(|piece| format!("{text}{piece}")));
        texts = longer.collect();
        for text in &texts {
            // Within double quotes stands a name.
            if text.contains('"') || text.contains("x8") || text.contains("E8") {
                continue;
            }
            for before in [End::Closed, End::String] {
                let shown = line(text, before);
                assert!(!shown.contains("8613"), "{text} became {shown}");
            }
        }
    }
}

fn line(text: &str, before: End) -> String {
    thread_local! {
        static CODECS: Codecs = codecs();
    }
    CODECS.with(|codecs| {
        let scribe = PlanMasker {
            codecs,
            sentinels: &Sentinels::default(),
            stored: INTEGERS,
        };
        let (line, _) = scribe.line(text.as_bytes(), before);
        String::from_utf8(line).unwrap()
    })
}
