//! `[[function]]` and `[[channel]]` as an operator meets them: what they say, and the words of every
//! fault.
#![expect(clippy::expect_used, reason = "a test that panics has failed")]

use std::path::Path;

use pgveil::config::{Config, Environment, Fault, FunctionResult, PathStep};

const HEAD: &str = "[upstream]\naddress = \"127.0.0.1:5432\"\n[keys]\ncurrent = \"a\"\n\
    [keys.ring.a]\nenv = \"A\"\n\
    [[id]]\nname = \"user\"\ncolumn = \"public.users.id\"\n\
    [[id]]\nname = \"order\"\ncolumn = \"public.orders.id\"\n";

fn parse(functions: &str) -> Result<Config, Vec<Fault>> {
    let env = |_: &str| Some("00".repeat(31) + "01");
    let around = Environment {
        folder: Path::new("."),
        env: &env,
    };
    Config::parse(&format!("{HEAD}{functions}"), &around)
}

/// The one fault, as `line: cause | advice`; line 1 is the first of `functions`.
fn fault(functions: &str) -> String {
    let faults = parse(functions).expect_err("a fault");
    assert_eq!(faults.len(), 1, "{faults:?}");
    let Fault {
        line,
        cause,
        advice,
        ..
    } = &faults[0];
    format!("{}: {cause} | {advice}", line - 12)
}

#[test]
fn a_function_says_which_arguments_and_results_are_ids() {
    let config = parse(
        "[[function]]\nname = \"public.owner\"\narguments = [\"order\", \"-\"]\nresult = \"user\"\n\
         [[function]]\nname = 'api.\"Bill\"'\nresult = { order_id = \"order\", cents = \"-\" }\n\
         [[function]]\nname = \"public.owner\"\nresult = \"-\"\n",
    );
    let config = config.expect("no fault");
    let [owner, bill, overloaded] = &*config.functions else {
        panic!("three functions: {:?}", config.functions);
    };
    assert_eq!(owner.to_string(), "public.owner");
    assert_eq!(owner.arguments, [Some(1), None]);
    assert_eq!(owner.result, FunctionResult::Value(Some(0)));
    assert_eq!((bill.schema.as_str(), bill.name.as_str()), ("api", "Bill"));
    assert!(bill.arguments.is_empty());
    let columns = vec![("cents".to_owned(), None), ("order_id".to_owned(), Some(1))];
    assert_eq!(bill.result, FunctionResult::Columns(columns));
    assert_eq!(overloaded.result, FunctionResult::Value(None));
}

#[test]
fn what_is_missing_or_unknown_is_a_fault() {
    assert_eq!(
        fault("[[function]]\nresult = \"-\""),
        "1: [[function]] has no name | add name = \"schema.function\""
    );
    assert_eq!(
        fault("[[function]]\nname = \"owner\"\nresult = \"-\""),
        "2: `owner` is no function | write \"schema.function\", such as \"public.newest_user\""
    );
    assert_eq!(
        fault("[[function]]\nname = \"public.owner\""),
        "1: function `public.owner` has no result | add result = \"…\": the name of an id domain, \
         \"-\" if it holds no id, or a table of column = domain"
    );
    assert_eq!(
        fault("[[function]]\nname = \"public.owner\"\nresult = \"users\""),
        "3: there is no id domain `users` | did you mean `user`?"
    );
    assert_eq!(
        fault(
            "[[function]]\nname = \"public.owner\"\narguments = [\n\"-\",\n\"zebra\"]\nresult = \"-\""
        ),
        "5: there is no id domain `zebra` | write the name of an [[id]], or \"-\" for what is no id"
    );
    assert_eq!(
        fault("[[function]]\nname = \"public.owner\"\nresult = { id = 1 }"),
        "3: `function.result.id` is a whole number | write a string"
    );
    assert!(
        fault("[[function]]\nname = \"a.b\"\nresults = \"-\"\nresult = \"-\"")
            .starts_with("3: unknown key `results` in [function] | did you mean `result`?")
    );
}

#[test]
fn a_function_is_declared_once() {
    let twice = "[[function]]\nname = \"public.owner\"\nresult = \"-\"\n".repeat(2);
    assert_eq!(
        fault(&twice),
        "4: public.owner with 0 arguments is declared twice | remove one of the two [[function]]"
    );
}

#[test]
fn a_channel_says_which_ids_it_carries() {
    let config = parse(
        "[[channel]]\nname = \"user_changed\"\nid = \"user\"\n\
         [[channel]]\nname = \"Order made\"\nid = \"order\"\n",
    );
    let config = config.expect("no fault");
    let channels = config.channels.iter();
    let channels: Vec<_> = channels.map(|it| (it.name.as_str(), it.domain)).collect();
    assert_eq!(
        channels,
        [("user_changed", Some(0)), ("Order made", Some(1))]
    );
    let config = parse("[[channel]]\nname = \"queue#*\"\nid = \"-\"\n").expect("no fault");
    assert_eq!(config.channels[0].name, "queue#*");
    assert_eq!(config.channels[0].domain, None);
    let config = parse(
        "[[channel]]\nname = \"c\"\npath = \"$.user_id\"\nid = \"user\"\n\
         [[channel]]\nname = \"c\"\npath = \"$.lines[*].order-id\"\nid = \"order\"\n",
    );
    let config = config.expect("no fault");
    let member = |name: &str| PathStep::Member(name.to_owned());
    let paths: Vec<_> = config.channels.iter().map(|it| it.path.clone()).collect();
    let lines = vec![member("lines"), PathStep::Elements, member("order-id")];
    assert_eq!(paths, [vec![member("user_id")], lines]);
}

#[test]
fn what_is_wrong_with_a_channel_is_a_fault() {
    assert_eq!(
        fault("[[channel]]\nid = \"user\""),
        "1: [[channel]] has no name | add name = \"channel\", as LISTEN has it"
    );
    assert_eq!(
        fault(&format!(
            "[[channel]]\nname = \"{0}\"\nid = \"user\"",
            "c".repeat(64)
        )),
        format!(
            "2: `{}` is no channel | a name has 1 to 63 bytes",
            "c".repeat(64)
        )
    );
    assert_eq!(
        fault("[[channel]]\nname = \"c\""),
        "1: channel `c` has no id | add id = \"…\": the name of the [[id]] that its payload is of, or \"-\""
    );
    assert_eq!(
        fault("[[channel]]\nname = \"c\"\npath = \"$.n\"\nid = \"-\""),
        "3: channel `c` has a path and no ids | leave out path, or name the id that stands there"
    );
    assert_eq!(
        fault("[[channel]]\nname = \"c\"\nid = \"users\""),
        "3: there is no id domain `users` | did you mean `user`?"
    );
    let twice = "[[channel]]\nname = \"c\"\nid = \"user\"\n".repeat(2);
    assert_eq!(
        fault(&twice),
        "4: channel `c` is declared twice | remove one of the two [[channel]], or give each \
         another path"
    );
    let mixed = format!("{twice}path = \"$.a\"\n");
    assert!(fault(&mixed).contains("declared twice"));
    for path in [
        "", "$", "a", "$a", "$.", "$.a.", "$.a[0]", "$.a b", "$..a", "$[*]x",
    ] {
        let channel = format!("[[channel]]\nname = \"c\"\nid = \"user\"\npath = \"{path}\"");
        assert!(
            fault(&channel).starts_with(&format!("4: `{path}` is no path | ")),
            "{path}"
        );
    }
}
