//! A statement that comes with ever new literals, asked of one plan cache in any order, is answered
//! as an analysis of its own would answer it; and what the cache keeps for it is bounded.

use std::sync::Arc;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use pgveil::catalog::{Loader, SearchPath, Snapshot};
use pgveil::sql::{self, Context, Plan, Verdict};

use super::mutated::Mutator;
use super::{shop, shop_and};

/// CHECKs, policies, triggers with WHEN and indexes of expressions on keys, and a domain over keys.
pub(super) fn computing() -> Snapshot {
    shop_and(include_str!("computing.tsv"))
}

/// What stands in the place of a literal: of each kind what the cache itself puts there, too.
const LITERALS: &[&str] = &[
    "1",
    "7",
    "2147483647",
    "2013265921",
    "3000000000",
    "4611686018427387847",
    "1.5",
    "2013265921.5",
    "99999999999999999999",
    "-1",
    "''",
    "'a'",
    "'b'",
    "'id'",
    "'{}'",
    "'{id}'",
    "'%'",
    "'%s'",
    "'a,b'",
    "'TimeZone'",
    "'search_path'",
    "'7d3f0b52-9a41-4c68-b1de-5e2f8c90a7b4'",
    "'{7d3f0b52-9a41-4c68-b1de-5e2f8c90a7b4}'",
    "'user-7d3f0b52-9a41-4c68-b1de-5e2f8c90a7b4'",
    "NULL",
    "$1",
];

/// Relations with a column of ids and one of something else.
const RELATIONS: &[(&str, &str, &str)] = &[
    ("users", "id", "name"),
    ("orders", "user_id", "status"),
    ("order_items", "order_id", "qty"),
    ("comments", "parent_id", "body"),
    ("events", "actor_id", "payload"),
    ("tickets", "holder", "kind"),
    ("teams", "owner_id", "slug"),
    ("ledger", "id", "id"),
    ("tags", "id", "name"),
];

/// Values with `%` in the place of each literal, `<id>` and `<other>` in that of the columns.
const VALUES: &[&str] = &[
    "%",
    "%::uuid",
    "%::text",
    "<id>",
    "<other>",
    "<id>::text",
    "% || <id>",
    "<id> || %",
    "coalesce(<id>::text, %)",
    "coalesce(<other>, %)",
    "nullif(% || <id>, %)",
    "format(%, <id>)",
    "<other> ->> %",
    "<other> #>> %",
    "json_build_object(%, <id>) ->> %",
    "jsonb_build_object(%, <id>)",
    "extract(% from now())",
    "string_to_array(%, %)",
    "lower(%)",
    "CASE WHEN <other> = % THEN <id> ELSE % END",
    "set_config(%, %, true)",
    "least(%, <id>)",
];

const CONDITIONS: &[&str] = &[
    "<value> = <value>",
    "<id> = %",
    "% = <id>",
    "<id> IN (%, %)",
    "<other> IN (%, %, %)",
    "<id> = ANY (%)",
    "<id> = ANY (string_to_array(%, %)::uuid[])",
    "<id> BETWEEN % AND %",
    "<id>::text LIKE %",
    "<id>::text LIKE '%' || % ESCAPE %",
    "<value> <> %",
    "<other> LIKE %",
    "EXISTS (SELECT FROM users WHERE id = <id> AND email = % LIMIT %)",
    "(<id>, <other>) > (%, %)",
];

fn condition() -> impl Strategy<Value = String> {
    (select(CONDITIONS), vec(select(VALUES), 2)).prop_map(|(condition, values)| {
        let filled = |text: String, value: &&str| text.replacen("<value>", value, 1);
        values.iter().fold(condition.to_owned(), filled)
    })
}

/// A statement with `%` in the place of each literal.
fn statement() -> impl Strategy<Value = String> {
    let conditions = vec(condition(), 1..3).prop_map(|all| all.join(" AND "));
    let values = vec(select(VALUES), 1..3).prop_map(|all| all.join(", "));
    let tails = select(
        &[
            "",
            " LIMIT %",
            " ORDER BY 1 LIMIT % OFFSET %",
            " FOR UPDATE",
        ][..],
    );
    let forms = select(
        &[
            "SELECT <values> FROM <relation> WHERE <conditions><tail>",
            "SELECT <id>, <values> INTO copy FROM <relation> WHERE <conditions>",
            "WITH x AS (SELECT <values> FROM <relation> WHERE <conditions>) SELECT * FROM x<tail>",
            "INSERT INTO <relation> (<id>, <other>) VALUES (%, %)",
            "INSERT INTO <relation> (<id>, <other>) VALUES (%, %), (%, %) RETURNING <values>",
            "INSERT INTO <relation> (<id>) SELECT % FROM <relation> WHERE <conditions><tail>",
            "UPDATE <relation> SET <id> = %, <other> = % WHERE <conditions>",
            "UPDATE <relation> SET <other> = % WHERE <conditions> RETURNING <values>",
            "DELETE FROM <relation> WHERE <conditions> RETURNING <values>",
        ][..],
    );
    let parts = (forms, select(RELATIONS), values, conditions, tails);
    parts.prop_map(|(form, (relation, id, other), values, conditions, tail)| {
        form.replace("<values>", &values)
            .replace("<conditions>", &conditions)
            .replace("<tail>", tail)
            .replace("<relation>", relation)
            .replace("<id>", id)
            .replace("<other>", other)
    })
}

/// A statement, and the literals that it comes with, time after time.
fn varied() -> impl Strategy<Value = (String, Vec<Vec<&'static str>>)> {
    statement().prop_flat_map(|statement| {
        let count = statement.matches('%').count();
        let literals = vec(vec(select(LITERALS), count), 2..7);
        (Just(statement), literals)
    })
}

fn filled(statement: &str, literals: &[&str]) -> String {
    let mut parts = statement.split('%');
    let mut text = parts.next().unwrap_or_default().to_owned();
    for (part, literal) in parts.zip(literals) {
        text.push_str(literal);
        text.push_str(part);
    }
    text
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_500))]
    #[test]
    fn a_statement_with_other_literals_is_answered_as_by_an_analysis_of_its_own(
        (statement, all) in varied(),
    ) {
        thread_local! {
            static SHOP: Snapshot = computing();
        }
        let mut mutator = Mutator::new(SHOP.with(Snapshot::clone), SearchPath::default());
        for literals in &all {
            mutator.compare(&filled(&statement, literals));
        }
        prop_assert!(mutator.wrong.is_empty(), "{}", mutator.wrong.join("\n"));
    }
}

#[test]
fn relations_that_compute_with_keys_share_plans() {
    let literals = ["a", "b", "c", "d", "it''s"];
    let numbers = ["1", "7", "1.5", "0.5", "3000000000", "4000000000"];
    for (what, statements) in [
        (
            "strings beside a count",
            literals.map(|id| format!("SELECT kind FROM tickets WHERE holder = '{id}' LIMIT 1")),
        ),
        (
            "an id and another value",
            literals.map(|id| format!("UPDATE orders SET status = '{id}' WHERE id = '{id}'")),
        ),
        (
            "rows",
            literals
                .map(|id| format!("INSERT INTO tickets (holder, kind) VALUES ('{id}', '{id}')")),
        ),
    ] {
        let mut mutator = Mutator::new(computing(), SearchPath::default());
        statements.iter().for_each(|text| mutator.compare(text));
        assert!(mutator.wrong.is_empty(), "{what}: {:?}", mutator.wrong);
        assert_eq!(mutator.shared, literals.len() - 1, "{what}");
    }
    let mut mutator = Mutator::new(computing(), SearchPath::default());
    for number in numbers {
        mutator.compare(&format!(
            "INSERT INTO tickets (seats, kind) VALUES ({number}, 'x')"
        ));
    }
    assert!(mutator.wrong.is_empty(), "{:?}", mutator.wrong);
    // One for each type of number.
    assert_eq!(mutator.shared, numbers.len() - 3);
}

#[test]
fn literals_that_a_plan_depends_on_are_learned_as_far_as_they_are_of_use() {
    const TEXTS: usize = 5_000;
    let member = |name: usize, id: usize| {
        format!("SELECT payload ->> 'm{name}' FROM events WHERE id = '{id}'")
    };
    let mut mutator = Mutator::new(shop(), SearchPath::default());
    // Each with a member of its own, so that nothing that is learned is of use.
    for number in 0..TEXTS {
        mutator.compare(&member(number, number));
    }
    let beyond = mutator.analysed() - TEXTS;
    assert!(beyond < 50, "{beyond} texts were analysed twice");
    // What is of use is learned all the same.
    let mut mutator = Mutator::new(shop(), SearchPath::default());
    for number in 0..TEXTS {
        mutator.compare(&member(number % 20, number));
    }
    assert!(mutator.wrong.is_empty(), "{:?}", mutator.wrong);
    assert!(mutator.shared > TEXTS - 25, "{}", mutator.shared);
}

#[test]
fn endless_literals_do_not_push_out_what_is_of_use() {
    let mut mutator = Mutator::within(shop(), 100_000);
    let useful = |number: usize| format!("SELECT id FROM users WHERE name = '{number}' LIMIT 10");
    mutator.compare(&useful(0));
    mutator.compare(&useful(1));
    let before = mutator.analysed();
    for number in 0..3_000 {
        mutator.compare(&format!("SELECT payload ->> 'm{number}' FROM events"));
        assert!(mutator.bytes() <= 100_000);
        if number % 10 == 0 {
            mutator.compare(&useful(number + 2));
        }
    }
    assert!(mutator.wrong.is_empty(), "{:?}", mutator.wrong);
    let beyond = mutator.analysed() - before - 3_000;
    assert!(beyond < 50, "{beyond} more were analysed");
}

#[test]
fn what_a_glance_clears_where_nothing_is_annotated_leaves_nothing_by_the_analysis_either() {
    let mut loader = Loader::new(Arc::from([]));
    for line in include_str!("catalog.tsv").lines() {
        let fields = line.split('\t');
        let fields = fields.map(|field| (field != "\\N").then_some(field.as_bytes()));
        loader
            .row(&fields.collect::<Vec<_>>())
            .expect("a recorded row");
    }
    let plain = loader.finish().snapshot;
    let path = SearchPath::default();
    let mut cleared = 0;
    let mut check = |text: &str, snapshot: &Snapshot| {
        let context = Context::new(snapshot, &path);
        let is_clean = sql::is_clean_at_a_glance(text.as_bytes(), &context);
        if is_clean {
            cleared += 1;
            let script = sql::analyse(text.as_bytes(), &context);
            let [statement] = script.statements.as_slice() else {
                panic!("{text}: {script:?}");
            };
            let Verdict::Forward(plan) = &statement.verdict else {
                panic!("{text}: {script:?}");
            };
            let mut clean = Plan::default();
            // Where nothing is annotated these tell nothing.
            (clean.constant, clean.unresolved) = (plan.constant, plan.unresolved);
            assert_eq!(*plan, clean, "{text}");
        }
        is_clean
    };
    for line in include_str!("corpus.jsonl").lines() {
        let text: String = serde_json::from_str(line).expect("a text");
        check(&text, &plain);
        check(&text, &Snapshot::default());
    }
    for text in [
        "SELECT user_email(1), set_config('search_path', 'x', false)",
        "SELECT 1; SELECT 2",
        "SELECT 1 INTO TEMP x",
        "WITH x AS (SELECT 1) SELECT * INTO y FROM x",
        "SELECT pg_notify('a', 'b')",
        "SET search_path = x",
        "CREATE TABLE x ()",
        "PREPARE x AS SELECT 1",
        "SELECT 'no end",
        "",
    ] {
        assert!(!check(text, &plain), "{text}");
    }
    for text in [
        "SELECT young($1::int4 + $2), users.* FROM users, younger;",
        "INSERT INTO users VALUES (1) RETURNING id",
        "WITH x AS (DELETE FROM users RETURNING *) SELECT * FROM x",
    ] {
        assert!(check(text, &plain), "{text}");
    }
    assert!(cleared > 800, "{cleared}");
}
