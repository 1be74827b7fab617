//! What a suite stands on: a server, the databases, and pgveil in front.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use pgveil::config::Mode;
use pgveil::postgres::{Options, Postgres};

use super::case::Case;
use super::client::{Address, Client};
use super::kind::Kind;
use super::proxy::Proxy;
use super::suite::{Report, Side, Suite};
use super::world::{self, Form, Names};

/// A server that the tests may do with as they like, without passwords.
#[derive(Debug, Clone)]
pub(crate) struct Server {
    pub(crate) address: Address,
    pub(crate) superuser: String,
}

/// The one server of this test binary: a throwaway, started with the first test.
pub(crate) fn local() -> &'static Server {
    static LOCAL: OnceLock<(Postgres, Server)> = OnceLock::new();
    let (_, server) = LOCAL.get_or_init(start);
    server
}

/// Starts a server, which ends with the first of the two. One of its own is for those who must not be
/// seen by others: the views of activity show all sessions of a server.
pub(crate) fn start() -> (Postgres, Server) {
    // What a vacuum finds out about a table may change the plans of one side only. Nobody wants
    // the log of what hundreds of databases are filled with.
    let options = Options::from_env()
        .setting("max_connections", "300")
        .setting("max_wal_size", "192MB")
        .setting("autovacuum", "off");
    let postgres = Postgres::start(&options).expect("a Postgres can be had");
    let address = Address {
        host: postgres.host().to_owned(),
        port: postgres.port(),
    };
    let superuser = postgres.superuser().to_owned();
    let server = Server { address, superuser };
    world::create_role(&server.address, &server.superuser).expect("a role for the tests");
    (postgres, server)
}

/// A way to a database that is compared with the twin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Other {
    /// A second twin, other ids.
    Twin,
    /// Integer keys, bare.
    Keys,
    /// Integer keys through pgveil.
    Veiled,
    /// Integer keys through a pgveil that looks at the database before each batch.
    Watched,
    /// Integer keys through a pgveil that passes on what it would refuse.
    Audited,
    /// Integer keys through a pgveil behind which the catalogs say what is stored.
    Truthful,
    /// Integer keys through a pgveil that reaches the database by a PgBouncer in transaction mode.
    Pooled,
    /// Integer keys through such a PgBouncer, and pgveil behind it.
    PooledBefore,
}

/// Makes a twin and something else; `name` keeps the databases of suites apart.
pub(crate) fn build(server: &Server, name: &str, other: Other) -> Result<Suite, String> {
    let names = Names::load();
    let at = &server.address;
    let create = |database: &str, form| names.create(at, &server.superuser, database, form);
    let (twin, beside) = (format!("{name}_twin"), format!("{name}_beside"));
    let salted = Form::Uuid { salt: 1 };
    let form = match other {
        Other::Twin => Form::Uuid { salt: 2 },
        _ => Form::Key,
    };
    create(&twin, salted)?;
    create(&beside, form)?;
    let proxy = match other {
        Other::Veiled => Some(Proxy::start(at)?),
        Other::Watched => Some(Proxy::watchful(at)?),
        Other::Audited => Some(Proxy::auditing(at)?),
        Other::Truthful => Some(Proxy::truthful(at)?),
        Other::Pooled => Some(Proxy::before_a_pooler(at)?),
        Other::PooledBefore => Some(Proxy::behind_a_pooler(at)?),
        Other::Twin | Other::Keys => None,
    };
    let address = proxy.as_ref().map_or(at, |proxy| &proxy.address);
    Ok(Suite {
        twin: Side::new(&names, at, at, &twin, salted)?,
        other: Side::new(&names, at, address, &beside, form)?,
        veiled: !matches!(other, Other::Twin | Other::Audited),
        audited: other == Other::Audited,
        names,
        proxy,
    })
}

/// Makes a twin of this kind, and a way to a database with keys of this kind: bare, or through a
/// pgveil that refuses or audits.
pub(crate) fn build_kind(
    server: &Server,
    name: &str,
    kind: Kind,
    other: Other,
) -> Result<Suite, String> {
    let at = &server.address;
    let names = Names::of(kind, at, &server.superuser)?;
    let create = |database: &str, form| names.create(at, &server.superuser, database, form);
    let (twin, beside) = (format!("{name}_twin"), format!("{name}_beside"));
    let form = Form::Uuid { salt: 1 };
    create(&twin, form)?;
    create(&beside, Form::Key)?;
    let proxy = match other {
        Other::Audited => Some(Proxy::of(kind, Mode::Audit, at)?),
        Other::Keys => None,
        _ => Some(Proxy::of(kind, Mode::Enforce, at)?),
    };
    let address = proxy.as_ref().map_or(at, |proxy| &proxy.address);
    Ok(Suite {
        twin: Side::new(&names, at, at, &twin, form)?,
        other: Side::new(&names, at, address, &beside, Form::Key)?,
        veiled: other != Other::Audited,
        audited: other == Other::Audited,
        names,
        proxy,
    })
}

/// Drops the databases of a suite of this name, whoever is still connected.
pub(crate) fn drop_databases(server: &Server, name: &str) -> Result<(), String> {
    let mut root = Client::connect(&server.address, &server.superuser, "postgres")?;
    for side in ["twin", "beside"] {
        root.run(&format!(
            "drop database if exists {name}_{side} with (force)"
        ))?;
    }
    Ok(())
}

/// How many suites share the cases of a run: while the server of one works, another's pgveil does.
const WORKERS: usize = 4;

/// Runs cases on twins and on something else, in suites that have databases of their own.
pub(crate) fn run(
    server: &Server,
    name: &str,
    other: Other,
    cases: &[Case],
) -> Result<Report, String> {
    let next = AtomicUsize::new(0);
    let work = |worker: usize| -> Result<Report, String> {
        let mut suite = build(server, &format!("{name}{worker}"), other)?;
        let mut report = Report::default();
        while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
            report.add(suite.run(std::slice::from_ref(case)));
        }
        Ok(report)
    };
    let mut whole = Report::default();
    std::thread::scope(|scope| {
        let workers = (0..WORKERS).map(|worker| {
            let work = &work;
            scope.spawn(move || work(worker))
        });
        let workers: Vec<_> = workers.collect();
        for worker in workers {
            whole.add(worker.join().map_err(|_| "a worker has panicked")??);
        }
        Ok::<(), String>(())
    })?;
    whole.differences.sort();
    Ok(whole)
}
