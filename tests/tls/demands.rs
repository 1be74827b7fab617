//! What `[upstream]` demands of TLS holds for the commands that ask its servers: nothing but the
//! connection string itself weakens it.

use crate::authority::Authority;
use crate::commands::{config_at, run};
use crate::stand::stand;

const WHO: [(&str, &str); 2] = [("PGUSER", "over tls"), ("PGDATABASE", "postgres")];

/// What `explain` says with a file whose `[upstream]` is this.
async fn explain(
    upstream: &str,
    text: Option<&str>,
    variables: &[(&str, &str)],
) -> Result<String, String> {
    let file = config_at(upstream);
    let words = ["explain", "-c", &file.to_string_lossy(), "select 1"].map(str::to_owned);
    let variables = [&WHO[..], variables].concat();
    run(&words, text, &variables).await
}

/// An `[upstream]` with this address, mode and authority.
fn upstream(address: &str, mode: &str, ca: &str) -> String {
    let ca = match ca {
        "" => String::new(),
        ca => format!("ca = \"{ca}\"\n"),
    };
    format!("address = \"{address}\"\n[upstream.tls]\nmode = \"{mode}\"\n{ca}")
}

/// The same server by an address that its certificate does not name.
fn unnamed() -> String {
    format!("[::ffff:127.0.0.1]:{}", stand().postgres.port())
}

#[tokio::test]
async fn what_surrounds_a_connection_weakens_no_demand_of_the_file() {
    let stand = stand();
    let stranger = Authority::new();
    let (ours, other) = (stand.authority.ca(), stranger.ca());
    let (ours, other) = (ours.display().to_string(), other.display().to_string());
    let here = stand.upstream();
    let service = stand.file("[weak]\nsslmode=prefer\n");
    let service = [
        ("PGSERVICE", "weak"),
        ("PGSERVICEFILE", service.to_str().unwrap()),
    ];
    let weak = [
        &[("PGSSLMODE", "disable")][..],
        &[("PGSSLMODE", "allow")],
        &[("PGSSLMODE", "prefer")],
        &[("PGSSLMODE", "require")],
        &[("PGREQUIRESSL", "1")],
        &[("PGREQUIRESSL", "0")],
        &service,
    ];
    for variables in weak {
        for (address, mode, ca, works) in [
            (&here, "verify-full", &ours, true),
            (&here, "verify-full", &other, false),
            (&here, "verify-ca", &other, false),
            (&here, "require", &other, false),
            (&unnamed(), "verify-ca", &ours, true),
            (&unnamed(), "verify-full", &ours, false),
        ] {
            let said = explain(&upstream(address, mode, ca), None, variables).await;
            assert_eq!(said.is_ok(), works, "{variables:?} {mode} {ca}: {said:?}");
        }
    }
    // They strengthen it, by the authority that the file names.
    for (address, ca, variable, works) in [
        (&here, &ours, "verify-full", true),
        (&here, &other, "verify-full", false),
        (&unnamed(), &ours, "verify-ca", true),
        (&unnamed(), &ours, "verify-full", false),
        (&here, &String::new(), "require", true),
        (&here, &String::new(), "verify-ca", false),
    ] {
        let upstream = upstream(address, "prefer", ca);
        let said = explain(&upstream, None, &[("PGSSLMODE", variable)]).await;
        assert_eq!(said.is_ok(), works, "{address} {ca} {variable}: {said:?}");
    }
    // Or by one that is named.
    for (of_file, named, works) in [(&other, &ours, true), (&ours, &other, false)] {
        let variables = [("PGSSLMODE", "prefer"), ("PGSSLROOTCERT", &**named)];
        let upstream = upstream(&here, "verify-full", of_file);
        let said = explain(&upstream, None, &variables).await;
        assert_eq!(said.is_ok(), works, "{named}: {said:?}");
    }
}

#[tokio::test]
async fn a_connection_string_says_another_mode_and_keeps_the_authority() {
    let stand = stand();
    let stranger = Authority::new();
    let (ours, other) = (stand.authority.ca(), stranger.ca());
    let (ours, other) = (ours.display().to_string(), other.display().to_string());
    let here = stand.upstream();
    for (address, ca, text, works) in [
        (&here, &ours, "sslmode=require", true),
        (&here, &other, "sslmode=require", false),
        (&here, &ours, "sslmode=verify-full", true),
        (&unnamed(), &ours, "sslmode=verify-full", false),
        (&unnamed(), &ours, "sslmode=verify-ca", true),
        (&unnamed(), &ours, "sslmode=require", true),
        (&unnamed(), &ours, "requiressl=1", true),
        (&unnamed(), &other, "requiressl=1", false),
        (&here, &ours, "sslmode=disable", false),
        (&here, &ours, "", true),
    ] {
        // The string says it, whatever else is said around it.
        for variable in ["", "disable", "verify-full"] {
            let upstream = upstream(address, "verify-full", ca);
            let variables = [("PGSSLMODE", variable)];
            let said = explain(&upstream, Some(text), &variables).await;
            assert_eq!(said.is_ok(), works, "{text} {ca} {variable}: {said:?}");
        }
    }
}

#[tokio::test]
async fn what_the_machine_trusts_counts_for_a_name_alone() {
    let stand = stand();
    let ours = stand.authority.ca().display().to_string();
    // What the machine trusts, for this test.
    let machine = ("SSL_CERT_FILE", &*ours);
    let (here, unnamed) = (stand.upstream(), unnamed());
    for mode in ["disable", "prefer", "require", "verify-ca", "verify-full"] {
        let ca = match mode {
            "disable" => "",
            _ => &ours,
        };
        for (address, works) in [(&here, true), (&unnamed, false)] {
            let upstream = upstream(address, mode, ca);
            let said = explain(&upstream, Some("sslrootcert=system"), &[machine]).await;
            assert_eq!(said.is_ok(), works, "{mode} {address}: {said:?}");
            let variables = [machine, ("PGSSLROOTCERT", "system")];
            let said = explain(&upstream, None, &variables).await;
            assert_eq!(said.is_ok(), works, "{mode} {address}: {said:?}");
        }
    }
    // A weaker mode beside it is a fault, unless the file wants the name too.
    let weak = "sslmode=verify-ca sslrootcert=system";
    let said = explain(
        &upstream(&here, "verify-full", &ours),
        Some(weak),
        &[machine],
    )
    .await;
    assert!(said.unwrap_err().contains("sslrootcert=system"));
    for (mode, works) in [("verify-ca", false), ("verify-full", true)] {
        let variables = [
            machine,
            ("PGSSLMODE", "require"),
            ("PGSSLROOTCERT", "system"),
        ];
        let said = explain(&upstream(&here, mode, &ours), None, &variables).await;
        assert_eq!(said.is_ok(), works, "{mode}: {said:?}");
    }
    // The same without a file that says it.
    let port = stand.postgres.port();
    for (host, works) in [("127.0.0.1", true), ("::ffff:127.0.0.1", false)] {
        let text = format!("host={host} port={port} sslrootcert=system");
        let said = explain(&upstream(&here, "disable", ""), Some(&text), &[machine]).await;
        assert_eq!(said.is_ok(), works, "{host}: {said:?}");
    }
}
