//! `[[policy.rule]]`: whose sessions are under which mode.

#![expect(clippy::expect_used, reason = "a test that panics has failed")]

use pgveil::config::{Client, Config, Mode};

use super::file::{UPSTREAM, faults, parse};

fn rules(policy: &str) -> Config {
    parse(&format!("{UPSTREAM}[policy]\n{policy}")).expect("a sound policy")
}

fn mode(config: &Config, role: &str, database: &str, application: &str) -> Mode {
    config.mode_of(Client {
        role: role.as_bytes(),
        database: database.as_bytes(),
        application: application.as_bytes(),
    })
}

const RULES: &str = "mode = \"observe\"\nbypass_roles = [\"dba\"]\n\
    [[policy.rule]]\nroles = [\"old\"]\ndatabases = [\"shop\"]\nmode = \"audit\"\n\
    [[policy.rule]]\ndatabases = [\"shop\"]\nmode = \"enforce\"\n\
    [[policy.rule]]\napplications = [\"metabase\"]\nmode = \"enforce\"\n\
    [[policy.rule]]\nroles = [\"dump\"]\nmode = \"bypass\"\n";

#[test]
fn the_first_rule_that_fits_decides() {
    let config = rules(RULES);
    for (role, database, application, expected) in [
        ("old", "shop", "", Mode::Audit),
        ("old", "mail", "", Mode::Observe),
        ("new", "shop", "", Mode::Enforce),
        ("new", "mail", "psql", Mode::Observe),
        ("new", "mail", "metabase", Mode::Enforce),
        // It says so itself, and is the stricter for it.
        ("dump", "mail", "metabase", Mode::Enforce),
        ("dump", "mail", "", Mode::Bypass),
        ("dump", "shop", "", Mode::Enforce),
        ("dba", "shop", "metabase", Mode::Bypass),
    ] {
        let found = mode(&config, role, database, application);
        assert_eq!(found, expected, "{role} {database} {application}");
    }
}

#[test]
fn the_table_has_each_that_is_named_and_all_others() {
    let config = rules(RULES);
    let table = config.table();
    assert_eq!(table.len(), 4 * 2);
    let told: Vec<_> = table
        .iter()
        .map(|held| (held.role, held.database, held.mode))
        .collect();
    assert_eq!(told[0], (Some("old"), Some("shop"), Mode::Audit));
    assert_eq!(told.last(), Some(&(None, None, Mode::Observe)));
    assert!(config.policy.observes());
}

#[test]
fn a_name_that_a_client_chooses_may_only_demand_more() {
    let looser = "by its `applications` this rule is looser";
    for (policy, expected) in [
        (
            "[[policy.rule]]\napplications = [\"a\"]\nmode = \"audit\"",
            looser,
        ),
        (
            "mode = \"audit\"\n[[policy.rule]]\napplications = [\"a\"]\nmode = \"observe\"",
            looser,
        ),
        (
            "mode = \"observe\"\n[[policy.rule]]\napplications = [\"a\"]\nroles = [\"r\"]\n\
             mode = \"audit\"\n[[policy.rule]]\nroles = [\"r\", \"s\"]\nmode = \"enforce\"",
            looser,
        ),
        (
            "[[policy.rule]]\nmode = \"audit\"",
            "the rule is about everybody",
        ),
        (
            "[[policy.rule]]\nroles = []\ndatabases = [\"d\"]\nmode = \"bypass\"",
            "a name that nobody has",
        ),
        (
            "[[policy.rule]]\nroles = [\"a\"]",
            "does not say what is to be done",
        ),
        (
            "[[policy.rule]]\nroles = [\"a\"]\nmode = \"strict\"",
            "`policy.rule.mode` can't be",
        ),
        (
            "[[policy.rule]]\nrole = [\"a\"]\nmode = \"audit\"",
            "did you mean `roles`?",
        ),
    ] {
        let found = faults(&format!("{UPSTREAM}[policy]\n{policy}"));
        assert!(
            found.iter().any(|fault| fault.contains(expected)),
            "{policy}: {found:?}"
        );
    }
    // Of others than those whom a later rule is about nothing is demanded.
    rules(
        "mode = \"observe\"\n[[policy.rule]]\napplications = [\"a\"]\nroles = [\"r\"]\n\
         mode = \"audit\"\n[[policy.rule]]\nroles = [\"s\"]\nmode = \"enforce\"",
    );
}
