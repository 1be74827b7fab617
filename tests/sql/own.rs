//! Functions of the user under names of Postgres's own: which of the two a call means the arguments
//! decide, and so what is known of the one does not hold.

use super::{describe, shop, shop_and};

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
            "function\tpublic\t{name}\t17990\tfv-b-o--\t20\t0\t{argument}\t0\t\\N\t\\N\t\\N\t\\N"
        );
        let found = describe(statement, &shop(), &[]);
        assert!(!found.starts_with("refused"), "{statement}: {found}");
        let found = describe(statement, &shop_and(&own), &[]);
        assert!(found.starts_with("refused"), "{statement}: {found}");
    }
}

/// The type of a parameter is known by its name alone, and a cast of it may come later.
#[test]
fn a_parameter_of_a_type_of_the_user_may_be_cast() {
    let cast = "hidden call\t\\N\t17000\t17990\t\\N\n\
                function\taside\town\t17990\tfv-b-o--\t20\t0\t17000\t0\t\\N\t\\N\t\\N\t\\N";
    for types in ["aside.mood", "mood", "int, aside.mood[]"] {
        let text = format!("PREPARE p ({types}) AS SELECT $1::text, name FROM users");
        let found = describe(&text, &shop(), &[]);
        assert!(!found.starts_with("refused"), "{text}: {found}");
        let found = describe(&text, &shop_and(cast), &[]);
        assert!(found.contains("is defined by the user"), "{text}: {found}");
    }
}
