//! Functions of the user under names of Postgres's own: which of the two a call means the arguments
//! decide, and so what is known of the one does not hold.

use pgveil::catalog::{SearchPath, Snapshot};
use pgveil::sql::{self, Context, Verdict};

use super::{describe, shop, shop_and};

/// What the user has in a schema `aside` under names that everybody uses, a statement that means it
/// where that is on the path, and one that names the schema.
const ASIDE: &[(&str, &str, &str)] = &[
    (
        "function\taside\tjsonb_pretty\t17990\tfv-b-o-\t20\t0\t3802\t0\t\\N\t\\N\t\\N\t\\N",
        "SELECT jsonb_pretty(payload) FROM events",
        "SELECT aside.jsonb_pretty(payload) FROM events",
    ),
    (
        "function\taside\tuser_email\t17990\tfv-b-o-\t20\t0\t20\t0\t\\N\t\\N\t\\N\t\\N",
        "SELECT user_email(id) FROM users",
        "SELECT aside.user_email(id) FROM users",
    ),
    (
        "function\taside\tupper\t17990\tfv-b-o-\t20\t0\t25\t0\t\\N\t\\N\t\\N\t\\N",
        "SELECT upper(name) FROM users WHERE id IS NULL",
        "SELECT \"aside\".upper(name) FROM users",
    ),
    (
        "operator\t=\t20\t20\taside",
        "SELECT name FROM users WHERE id = 'USER_1'",
        "",
    ),
    (
        "operator\t=\t20\t20\taside",
        "SELECT o.name FROM users JOIN users o USING (id)",
        "",
    ),
    (
        "operator\t>=\t20\t20\taside",
        "SELECT a.name FROM users a JOIN users b ON a.id BETWEEN b.id AND b.id",
        "",
    ),
    (
        "hidden call\t@@@\t\\N\t17990\t\\N\taside\nfunction\taside\town\t17990\tfv-b-o-\t20\t0\t25 25\t0\t\\N\t\\N\t\\N\t\\N",
        "SELECT name @@@ name FROM users",
        "SELECT name OPERATOR(aside.@@@) name FROM users",
    ),
    (
        "hidden call\tmood\t\\N\t17990\t\\N\taside\nfunction\taside\town\t17990\tfv-b-o-\t20\t0\t25 25\t0\t\\N\t\\N\t\\N\t\\N",
        "SELECT name::mood FROM users",
        "SELECT name::aside.mood FROM users",
    ),
];

/// Why the first statement of a text is refused, if it is.
fn verdict(text: &str, snapshot: &Snapshot, path: &SearchPath) -> Result<(), String> {
    let script = sql::analyse(text.as_bytes(), &Context::new(snapshot, path));
    match &script.statements[0].verdict {
        Verdict::Forward(_) => Ok(()),
        Verdict::Refuse(refusal) => Err(refusal.message.clone()),
    }
}

#[test]
fn what_is_not_on_the_path_is_not_meant() {
    let beside = SearchPath::default();
    let on = SearchPath::new(["pg_catalog", "aside", "public"].map(str::to_owned).into());
    let means_own = |verdict: &Result<(), String>| {
        verdict
            .as_ref()
            .is_err_and(|why| why.contains("is defined by the user"))
    };
    for (own, text, named) in ASIDE {
        let snapshot = shop_and(own);
        let alone = verdict(text, &shop(), &beside);
        assert!(!means_own(&alone), "{text}: {alone:?}");
        assert_eq!(verdict(text, &snapshot, &beside), alone, "{text}");
        let meant = verdict(text, &snapshot, &on);
        assert!(means_own(&meant), "{text}: {meant:?}");
        if !named.is_empty() {
            let meant = verdict(named, &snapshot, &beside);
            assert!(means_own(&meant), "{named}: {meant:?}");
        }
    }
}

#[test]
fn a_name_of_postgres_that_the_user_has_too_is_not_taken_for_the_former() {
    let calls = [
        (
            "jsonb_pretty",
            3802,
            "SELECT jsonb_pretty(payload) FROM events",
        ),
        ("to_jsonb", 3802, "SELECT to_jsonb(payload) FROM events"),
        (
            "jsonb_array_length",
            3802,
            "SELECT jsonb_array_length(payload -> 'ids') FROM events",
        ),
        (
            "jsonb_array_elements",
            3802,
            "SELECT jsonb_array_elements(payload -> 'ids') FROM events",
        ),
        (
            "jsonb_build_array",
            3802,
            "SELECT jsonb_build_array(payload) FROM events",
        ),
        ("pg_typeof", 20, "SELECT pg_typeof(id) FROM events"),
        (
            "unnest",
            1016,
            "SELECT e FROM events, unnest(participant_ids) e",
        ),
    ];
    for (name, argument, statement) in calls {
        let own = format!(
            "function\tpublic\t{name}\t17990\tfv-b-o-\t20\t0\t{argument}\t0\t\\N\t\\N\t\\N\t\\N"
        );
        let found = describe(statement, &shop(), &[]);
        assert!(!found.starts_with("refused"), "{statement}: {found}");
        let found = describe(statement, &shop_and(&own), &[]);
        assert!(found.starts_with("refused"), "{statement}: {found}");
    }
}
