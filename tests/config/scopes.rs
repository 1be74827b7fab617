//! Which id domains hold for whom: `domains` of a rule and the `database` of an `[[id]]`.

#![expect(clippy::unwrap_used, reason = "a test that panics has failed")]

use std::fmt::Write as _;

use pgveil::config::{Client, Config, FunctionResult, Holding, Mode};

use super::file::{faults, parse};

const HEAD: &str = "[upstream]\naddress = \"127.0.0.1:5432\"\n\
    [keys]\ncurrent = \"a\"\n[keys.ring.a]\nenv = \"PGVEIL_KEY_2026_11\"\n";

/// Of these `c` is in the database `e` only.
const IDS: &str = "[[id]]\nname = \"a\"\ncolumn = \"public.a.id\"\n\
    [[id]]\nname = \"b\"\ncolumn = \"public.b.id\"\nreferences = [\"public.log.b\"]\n\
    [[id]]\nname = \"c\"\ncolumn = \"public.c.id\"\ndatabase = \"e\"\n";

fn client<'c>(role: &'c str, database: &'c str, application: &'c str) -> Client<'c> {
    Client {
        role: role.as_bytes(),
        database: database.as_bytes(),
        application: application.as_bytes(),
    }
}

/// A rule as it is written, and as this test reads it.
#[derive(Debug, Clone, Copy)]
struct Rule {
    role: Option<&'static str>,
    database: Option<&'static str>,
    application: Option<&'static str>,
    domain: Option<&'static str>,
    mode: Mode,
}

impl Rule {
    fn write(&self, text: &mut String) {
        text.push_str("[[policy.rule]]\n");
        for (list, name) in [
            ("roles", self.role),
            ("databases", self.database),
            ("applications", self.application),
            ("domains", self.domain),
        ] {
            if let Some(name) = name {
                writeln!(text, "{list} = [\"{name}\"]").unwrap();
            }
        }
        writeln!(text, "mode = \"{}\"", self.mode.as_str()).unwrap();
    }

    fn fits(&self, [role, database, application]: [&str; 3], domain: Option<&str>) -> bool {
        self.role.is_none_or(|of| of == role)
            && self.database.is_none_or(|of| of == database)
            && self.application.is_none_or(|of| of == application)
            && self.domain.is_none_or(|of| domain == Some(of))
    }
}

const MODES: [Mode; 4] = [Mode::Bypass, Mode::Observe, Mode::Audit, Mode::Enforce];

/// Rules of every kind that differ in what they are about.
fn candidates() -> Vec<Rule> {
    let mut rules = Vec::new();
    for (role, database, application, domain) in [
        (Some("r"), None, None, None),
        (None, Some("d"), None, None),
        (None, None, None, Some("a")),
        (Some("r"), None, None, Some("a")),
        (Some("r"), Some("d"), None, Some("b")),
        (None, None, Some("x"), Some("a")),
        (None, None, Some("x"), None),
        (None, None, None, Some("c")),
    ] {
        rules.extend(MODES.map(|mode| Rule {
            role,
            database,
            application,
            domain,
            mode,
        }));
    }
    rules
}

/// What the rules demand for a domain, or for what is of none.
fn demanded(rules: &[Rule], otherwise: Mode, of: [&str; 3], domain: Option<&str>) -> Mode {
    let first = rules.iter().find(|rule| rule.fits(of, domain));
    first.map_or(otherwise, |rule| rule.mode)
}

/// For everybody whom the rules tell apart: what is demanded is done, no more is translated than
/// that, and nobody gets less by a name that he gives himself.
fn judge(config: &Config, rules: &[Rule], otherwise: Mode) {
    for role in ["r", "s"] {
        for database in ["d", "e"] {
            for application in ["", "x"] {
                let of = [role, database, application];
                let whose = client(role, database, application);
                let names = ["a", "b", "c"];
                let names = names
                    .into_iter()
                    .filter(|name| *name != "c" || database == "e");
                let wants = |domain| demanded(rules, otherwise, of, domain);
                let strictest = names.clone().map(|name| wants(Some(name)));
                let strictest = strictest.chain([wants(None)]).max().unwrap();
                let Holding { mode, .. } = config.holding(whose);
                let about = || format!("{of:?} under {otherwise:?} and {rules:#?}");
                assert_eq!(mode, strictest, "{}", about());
                for name in names {
                    let (want, got) = (wants(Some(name)), config.modes(whose)[name]);
                    let translates = want >= Mode::Audit;
                    let expected = match translates || want == strictest {
                        true => strictest,
                        false => Mode::Bypass,
                    };
                    assert_eq!(got, expected, "{name} of {}", about());
                    let without = config.modes(client(role, database, ""))[name];
                    let is_less = got < without.max(Mode::Observe) && without >= Mode::Audit;
                    assert!(!is_less, "{name} of {}", about());
                }
                if database == "d" {
                    assert_eq!(config.modes(whose)["c"], Mode::Bypass, "{}", about());
                }
            }
        }
    }
}

#[test]
fn each_domain_gets_what_is_demanded_for_it() {
    let ids = format!("{HEAD}{IDS}");
    let (mut sound, mut looser) = (0, 0);
    for first in candidates() {
        for second in candidates() {
            for otherwise in [Mode::Observe, Mode::Audit, Mode::Enforce] {
                let rules = [first, second];
                let mut text = format!("{ids}[policy]\nmode = \"{}\"\n", otherwise.as_str());
                rules.iter().for_each(|rule| rule.write(&mut text));
                match parse(&text) {
                    Ok(config) => {
                        judge(&config, &rules, otherwise);
                        sound += 1;
                    }
                    Err(faults) => {
                        let is_looser = |cause: &str| cause.contains("by its `applications`");
                        assert!(
                            faults.iter().all(|fault| is_looser(&fault.cause)),
                            "{faults:?}"
                        );
                        looser += 1;
                    }
                }
            }
        }
    }
    assert!(sound > 1500 && looser > 300, "{sound} {looser}");
}

#[test]
fn the_table_says_whose_keys_are_shown() {
    let policy = "[policy]\nmode = \"observe\"\n[[policy.rule]]\nroles = [\"new\"]\n\
        domains = [\"a\", \"c\"]\nmode = \"enforce\"\n";
    let config = parse(&format!("{HEAD}{IDS}{policy}")).expect("a sound file");
    let table = config.table();
    let told: Vec<_> = table
        .iter()
        .map(|held| (held.role, held.database, held.mode, held.plain.join(" ")))
        .collect();
    let plain = |plain: &str| plain.to_owned();
    assert_eq!(
        told,
        [
            (Some("new"), Some("e"), Mode::Enforce, plain("b")),
            (Some("new"), None, Mode::Enforce, plain("b")),
            (None, Some("e"), Mode::Observe, plain("")),
            (None, None, Mode::Observe, plain("")),
        ]
    );
}

#[test]
fn declarations_follow_their_domains() {
    let more = "[[function]]\nname = \"public.f\"\narguments = [\"a\", \"b\", \"-\"]\n\
        result = { x = \"c\", y = \"b\" }\n\
        [[function]]\nname = \"public.g\"\narguments = [\"b\"]\nresult = \"b\"\n\
        [[channel]]\nname = \"of_b\"\nid = \"b\"\npath = \"$.id\"\n\
        [[channel]]\nname = \"of_c\"\nid = \"c\"\n\
        [check]\nplain = [\"public.c.id\", \"public.other.id\"]\n\
        [policy]\nmode = \"observe\"\n[[policy.rule]]\ndomains = [\"a\", \"c\"]\nmode = \"enforce\"\n\
        [[policy.rule]]\nroles = [\"whole\"]\nmode = \"enforce\"\n";
    let config = parse(&format!("{HEAD}{IDS}{more}")).expect("a sound file");
    let within = |role, database| config.within(&config.holding(client(role, database, "")).scope);
    let names = |config: &Config| {
        let domains = config.domains.iter();
        let names: Vec<_> = domains
            .map(|domain| domain.annotation.name.clone())
            .collect();
        names.join(" ")
    };
    let plain = |config: &Config| {
        let columns: Vec<_> = config
            .plain
            .iter()
            .map(|(one, _)| one.to_string())
            .collect();
        columns.join(" ")
    };
    let f = |config: &Config| {
        let f = config.functions.iter().find(|one| one.name == "f");
        f.map(|f| (f.arguments.clone(), f.result.clone()))
    };
    let columns = |x, y| FunctionResult::Columns(vec![("x".to_owned(), x), ("y".to_owned(), y)]);

    let whole = within("whole", "e");
    assert_eq!(names(&whole), "a b c");
    assert_eq!(
        f(&whole),
        Some((vec![Some(0), Some(1), None], columns(Some(2), Some(1))))
    );
    // The keys of `b` are to be seen, so nobody asks about them.
    let partly = within("app", "e");
    assert_eq!(names(&partly), "a c");
    assert_eq!(plain(&partly), "public.other.id public.b.id public.log.b");
    assert_eq!(
        f(&partly),
        Some((vec![Some(0), None, None], columns(Some(1), None)))
    );
    let b = &partly.channels[0];
    assert_eq!((b.domain, b.path.len()), (None, 0));
    // Where there is no `c`, nothing is known of its function, and its column is plain.
    let elsewhere = within("whole", "d");
    assert_eq!(names(&elsewhere), "a b");
    assert_eq!((f(&elsewhere), elsewhere.functions.len()), (None, 1));
    assert_eq!(elsewhere.channels.len(), 1);
    assert_eq!(plain(&elsewhere), "public.c.id public.other.id");
    assert_eq!(names(&config.of_database("d")), "a b");
    assert_eq!(names(&config.of_database("e")), "a b c");
}

#[test]
fn two_databases_may_have_a_column_in_two_domains() {
    let ids = |one: &str, other: &str| {
        format!(
            "{HEAD}[[id]]\nname = \"a\"\ncolumn = \"public.users.id\"\n{one}\
             [[id]]\nname = \"b\"\ncolumn = \"public.users.id\"\n{other}"
        )
    };
    let of = |database: &str| format!("database = \"{database}\"\n");
    let config = parse(&ids(&of("d"), &of("e"))).expect("a sound file");
    assert_eq!(config.domains[0].database.as_deref(), Some("d"));
    for (one, other) in [("d", "d"), ("d", ""), ("", "e")] {
        let lines = |name: &str| {
            if name.is_empty() {
                String::new()
            } else {
                of(name)
            }
        };
        let found = faults(&ids(&lines(one), &lines(other)));
        assert!(
            found[0].contains("is in id domain `a` already"),
            "{found:?}"
        );
    }
    let long = "x".repeat(64);
    for (given, expected) in [
        ("database = \"\"\n".to_owned(), "names none"),
        (format!("database = \"{long}\"\n"), "longer than names are"),
        (
            "[policy]\n[[policy.rule]]\ndomains = [\"aa\"]\nmode = \"audit\"\n".to_owned(),
            "there is no id domain `aa` | did you mean `a`?",
        ),
        (
            "[policy]\n[[policy.rule]]\ndomains = []\nmode = \"audit\"\n".to_owned(),
            "a name that nobody has",
        ),
    ] {
        let found = faults(&ids(&of("d"), &of("e")).replace("database = \"e\"\n", &given));
        assert!(
            found.iter().any(|fault| fault.contains(expected)),
            "{given}: {found:?}"
        );
    }
}
