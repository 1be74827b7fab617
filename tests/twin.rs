//! Runs the cases of the twin.

#[path = "twin/mod.rs"]
mod twin;

use twin::client::Address;
use twin::suite::{Side, Suite};
use twin::world::{Form, Names};

fn server() -> Address {
    Address {
        host: "127.0.0.1".to_owned(),
        port: 55419,
    }
}

#[test]
fn a_twin_is_equal_to_another_twin() {
    let names = Names::load();
    let server = server();
    names
        .create(&server, "postgres", "twin", Form::Uuid { salt: 1 })
        .unwrap();
    names
        .create(&server, "postgres", "other", Form::Uuid { salt: 2 })
        .unwrap();
    names
        .create(&server, "postgres", "keys", Form::Key)
        .unwrap();
    let side = |database, salt| {
        Side::new(&names, &server, &server, database, Form::Uuid { salt }).unwrap()
    };
    let mut suite = Suite {
        names: &names,
        twin: side("twin", 1),
        other: side("other", 2),
        veiled: false,
    };
    let mut cases = twin::cases();
    if let Ok(only) = std::env::var("TWIN_CASE") {
        cases.retain(|case| case.name.contains(&only));
    }
    let report = suite.run(&cases);
    println!("{report}");
    assert!(
        report.differences.is_empty(),
        "{}",
        report.differences.join("\n\n")
    );
}
