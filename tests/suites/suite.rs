//! The suites: what a server must have for each, and how they are run.

use std::ffi::OsString;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use pgveil::postgres::Options;

use crate::stage::{Stage, Way};
use crate::verdicts::{Outcomes, Runner};

/// Seconds after which the tests are ended; what they have told until then counts.
const LONGEST_S: u32 = 900;

/// Seconds that a script has beyond them, to build something first.
const MARGIN_S: u32 = 300;

/// A driver's own tests.
pub(crate) struct Suite {
    /// The name of its script, too.
    pub(crate) name: &'static str,
    pub(crate) runner: Runner,
    /// The database that it uses.
    pub(crate) database: &'static str,
    /// The only port that it knows, if it knows but one.
    pub(crate) port: Option<u16>,
    /// Roles that Postgres asks for a password by this method.
    methods: &'static [(&'static str, &'static str)],
    /// In the database `postgres`.
    roles: &'static str,
    /// In its own.
    objects: &'static str,
    /// Tests of what pgveil refuses or hides on purpose where something is annotated, and what that
    /// is. Docs/leaks.md and docs/refusals.md tell why.
    refused: &'static [(&'static str, &'static [&'static str])],
}

const NUMBERS: &str = "numbers in messages of code of users are masked";
const NOTIFIED: &str = "notifications with numbers in them are dropped";
const ACTIVITY: &str = "statements of sessions can't be read";
const DETAILS: &str =
    "details of errors in code of users, or in what nobody has judged, are dropped";
const COLUMNS: &str = "the columns of the system's relations have to be listed";
const FUNCTIONS: &str = "what functions of users return may hold keys";
const LARGE_OBJECTS: &str = "what large objects hold may be keys";
const TEMPORARY: &str = "what a session defines in pg_temp runs no code of the session unasked";
const MADE: &str = "what a text makes is not known to what follows in it";
const CODES: &str = "codes of errors that are none of Postgres's are masked";
const UNSEEN: &str =
    "where no snapshot is trusted, answers wait for a Sync, and rows before an error are not shown";
const BLOCKS: &str = "a DO block that runs a text, or an operator of the user, may run any code";
const STRINGS: &str = "strings are read as the SQL standard does";

/// All of them, the quick ones first.
pub(crate) const SUITES: &[Suite] = &[
    Suite {
        name: "pq",
        runner: Runner::Go,
        database: "pqgo",
        port: None,
        methods: &[
            ("pqgomd5", "md5"),
            ("pqgopassword", "password"),
            ("pqgoscram", "scram-sha-256"),
        ],
        roles: "create role pqgo superuser login;
            create role pqgopassword login password 'wordpass';
            create role pqgoscram login password 'wordpass';
            set password_encryption = md5;
            create role pqgomd5 login password 'wordpass';",
        objects: "create extension hstore;",
        refused: &[
            (NUMBERS, &["TestConnectorWithNoticeHandler_Simple"]),
            (
                NOTIFIED,
                &[
                    "TestConnectorWithNotificationHandler_Simple",
                    "TestListenerPing",
                ],
            ),
            (ACTIVITY, &["TestCleanup"]),
            (DETAILS, &["TestError"]),
            (FUNCTIONS, &["TestQueryRowBugWorkaround"]),
            (TEMPORARY, &["TestCopyInRaiseStmtTrigger"]),
        ],
    },
    Suite {
        name: "tokio-postgres",
        runner: Runner::Cargo,
        database: "postgres",
        port: Some(5433),
        methods: &[
            ("pass_user", "password"),
            ("md5_user", "md5"),
            ("scram_user", "scram-sha-256"),
        ],
        roles: "create role pass_user login password 'password';
            create role scram_user login password 'password';
            create role ssl_user login;
            set password_encryption = md5;
            create role md5_user login password 'password';",
        objects: "create extension hstore; create extension citext; create extension ltree;",
        refused: &[
            (TEMPORARY, &["custom_domain", "types::domain"]),
            (FUNCTIONS, &["custom_range"]),
            (MADE, &["simple_query", "binary_copy::read_many_rows"]),
        ],
    },
    Suite {
        name: "asyncpg",
        runner: Runner::Pytest,
        database: "postgres",
        port: None,
        methods: &[],
        roles: "",
        objects: "",
        refused: &[
            (
                ACTIVITY,
                &["tests/test_copy.py::TestCopyTo::test_copy_records_to_table_no_stmt_cache"],
            ),
            (
                DETAILS,
                &[
                    "tests/test_exceptions.py::TestExceptions::test_exceptions_str",
                    "tests/test_listeners.py::TestLogListeners::test_log_listener_01",
                ],
            ),
            (
                FUNCTIONS,
                &["tests/test_listeners.py::TestLogListeners::test_log_listener_02"],
            ),
            (
                CODES,
                &["tests/test_listeners.py::TestLogListeners::test_log_listener_03"],
            ),
            (
                NUMBERS,
                &["tests/test_prepare.py::TestPrepare::test_prepare_09_raise_error"],
            ),
            (
                NOTIFIED,
                &["tests/test_listeners.py::TestListeners::test_listen_notletters"],
            ),
        ],
    },
    Suite {
        name: "pgx",
        runner: Runner::Go,
        database: "pgx_test",
        port: None,
        methods: &[
            ("pgx_md5", "md5"),
            ("pgx_pw", "password"),
            ("pgx_scram", "scram-sha-256"),
        ],
        roles: "create user pgx_pw superuser password 'secret';
            create user pgx_scram superuser password 'secret';
            create user \" tricky, ' } \"\" \\\\ test user \" superuser password 'secret';
            set password_encryption = md5;
            create user pgx_md5 superuser password 'secret';",
        objects: "create extension hstore; create extension ltree;
            create domain uint64 as numeric(20,0);",
        refused: &[
            (
                ACTIVITY,
                &[
                    "TestPrepareHandlesTimeoutBetweenParseAndDescribe",
                    "TestPrepareWithDigestedNameHandlesTimeoutBetweenParseAndDescribe",
                    "TestConnMultiplePrepareAndDeallocate",
                    "TestConnContextCanceledCancelsRunningQueryOnServer",
                ],
            ),
            (
                FUNCTIONS,
                &[
                    "TestQueryWithProcedureParametersInAndOut",
                    "TestQueryWithFunctionOutParameters",
                    "TestMultirangeCodecTextBounds",
                    "TestRangeCodecTextBounds",
                    "TestRangeCodecTextFiniteBounds",
                ],
            ),
            (
                UNSEEN,
                &[
                    "TestConnExecBatchHuge",
                    "TestConnSendBatchQueryError",
                    "TestPipelineFlushForRequestSeries",
                    "TestPipelineFlushForSingleRequests",
                    "TestPipelineFlushWithError",
                    "TestQueryContextErrorWhileReceivingRows",
                ],
            ),
            (
                TEMPORARY,
                &[
                    "TestConnCopyFromNoticeResponseReceivedMidStream",
                    "TestConnQueryRowConstraintErrors",
                ],
            ),
            (MADE, &["TestConnQueryJSONIntoByteSlice"]),
            (
                LARGE_OBJECTS,
                &[
                    "TestLargeObjects",
                    "TestLargeObjectsSimpleProtocol",
                    "TestLargeObjectsMultipleTransactions",
                ],
            ),
            (COLUMNS, &["TestTextCodecACLItemRoleWithSpecialCharacters"]),
            (
                STRINGS,
                &["TestConnSimpleProtocolRefusesNonStandardConformingStrings"],
            ),
        ],
    },
    Suite {
        name: "psycopg",
        runner: Runner::Pytest,
        database: "psycopg_test",
        port: None,
        methods: &[],
        roles: "",
        objects: "",
        refused: &[
            (
                ACTIVITY,
                &[
                    "tests/pq/test_pgconn.py::test_cancel_conn_blocking",
                    "tests/pq/test_pgconn.py::test_cancel_conn_nonblocking",
                    "tests/test_prepared.py::test_evict_lru",
                    "tests/test_prepared_async.py::test_evict_lru[asyncio]",
                    "tests/test_prepared.py::test_evict_lru_deallocate",
                    "tests/test_prepared_async.py::test_evict_lru_deallocate[asyncio]",
                ],
            ),
            (
                NOTIFIED,
                &[
                    "tests/pq/test_pgconn.py::test_notify",
                    "tests/test_notify.py::test_notify_handlers",
                    "tests/test_notify_async.py::test_notify_handlers[asyncio]",
                    "tests/test_notify.py::test_generator_and_handler",
                    "tests/test_notify_async.py::test_generator_and_handler[asyncio]",
                ],
            ),
            (
                STRINGS,
                &[
                    "tests/pq/test_escaping.py::test_escape_literal_1char[off]",
                    "tests/pq/test_escaping.py::test_escape_identifier_1char[off]",
                    "tests/pq/test_escaping.py::test_escape_string_1char[off]",
                    "tests/test_sql.py::test_quote_roundtrip[off]",
                    "tests/test_sql.py::test_quote_stable_despite_deranged_libpq[off]",
                    "tests/types/test_string.py::test_quote_1char[off]",
                    "tests/types/test_string.py::test_quote_1byte[bytes-off]",
                    "tests/types/test_string.py::test_quote_1byte[bytearray-off]",
                    "tests/types/test_string.py::test_quote_1byte[memoryview-off]",
                    "tests/types/test_string.py::test_quote_1byte[Binary-off]",
                ],
            ),
            (
                UNSEEN,
                &[
                    "tests/test_generators.py::test_pipeline_communicate_uniqviol",
                    "tests/test_copy.py::test_copy_out_error_with_copy_not_finished",
                    "tests/test_copy_async.py::test_copy_out_error_with_copy_not_finished[asyncio]",
                ],
            ),
            (
                MADE,
                &[
                    "tests/test_pipeline.py::test_outer_transaction",
                    "tests/test_pipeline_async.py::test_outer_transaction[asyncio]",
                ],
            ),
            (
                NUMBERS,
                &["tests/test_errors.py::test_diag_encoding[latin9]"],
            ),
            (
                BLOCKS,
                &[
                    "tests/test_errors.py::test_error_encoding[utf8]",
                    "tests/test_errors.py::test_error_encoding[latin9]",
                    "tests/test_errors.py::test_unknown_sqlstate",
                ],
            ),
        ],
    },
];

impl Suite {
    /// The server that it asks for.
    pub(crate) fn server(&self) -> Options {
        let options = Options::from_env()
            .setting("max_prepared_transactions", "20")
            .setting("max_connections", "200");
        let line = |(role, method)| format!("host all {role} all {method}");
        let lines = self.methods.iter().copied().map(line);
        lines.fold(options, |options, line| options.hba(&line))
    }

    /// The statements that prepare such a server, each with the database where it belongs.
    pub(crate) fn preparations(&self) -> Vec<(&'static str, String)> {
        let mut all = vec![("postgres", self.roles.to_owned())];
        if self.database != "postgres" {
            all.push(("postgres", format!("create database {}", self.database)));
        }
        all.push((self.database, self.objects.to_owned()));
        all
    }

    /// Where its files are.
    fn folder(&self) -> PathBuf {
        let given = std::env::var_os("PGVEIL_SUITES_FOLDER").map(PathBuf::from);
        let all = given.unwrap_or_else(|| Path::new(env!("CARGO_TARGET_TMPDIR")).join("suites"));
        all.join(self.name)
    }

    /// Gets the files if they are not there.
    pub(crate) fn fetch(&self) -> Result<(), String> {
        fs::create_dir_all(self.folder()).expect("a folder");
        let log = self.folder().join("fetch.log");
        let mut fetch = self.script("fetch", &log);
        let fetched = fetch.stdout(Stdio::null()).status().expect("a shell");
        if fetched.success() {
            return Ok(());
        }
        let log = fs::read(&log).unwrap_or_default();
        Err(String::from_utf8_lossy(&log).into_owned())
    }

    /// The tests that are left out on a way, each with the reason.
    pub(crate) fn left_out(&self, way: Way) -> Vec<(&'static str, &'static str)> {
        let refused = self
            .refused
            .iter()
            .flat_map(|(reason, tests)| tests.iter().map(|test| (*test, *reason)));
        refused.filter(|_| way == Way::Annotated).collect()
    }

    /// Runs these tests, or all if there are none, and keeps what was printed under this name.
    pub(crate) fn run(&self, stage: &Stage, tests: &[String], name: &str) -> Outcomes {
        let shown = self.folder().join(format!("{name}.out"));
        let log = self.folder().join(format!("{name}.log"));
        let left_out = self.left_out(stage.way).into_iter();
        let left_out: Vec<_> = left_out.map(|(test, _)| test).collect();
        let mut run = self.script("run", &log);
        run.args(tests)
            .env("SKIP", left_out.join("\n"))
            .env("HOST", "127.0.0.1")
            .env("PORT", stage.port.to_string())
            .env("SOCKETS", stage.sockets())
            .stdout(File::create(&shown).expect("a file"));
        run.status().expect("a shell");
        let output = fs::read(&shown).expect("a file");
        self.runner.read(&String::from_utf8_lossy(&output))
    }

    /// Its script, in its folder, for a bounded time.
    fn script(&self, what: &str, log: &Path) -> Command {
        let scripts = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/suites");
        let mut command = Command::new("timeout");
        command
            .args(["--kill-after=10", &(LONGEST_S + MARGIN_S).to_string()])
            .arg(scripts.join(self.name))
            .arg(what)
            .env("SUITES", &scripts)
            .env("LONGEST_S", LONGEST_S.to_string())
            .current_dir(self.folder())
            .stdin(Stdio::null())
            .stderr(File::create(log).expect("a file"));
        // What would lead the drivers elsewhere, and what cargo says to those that it runs.
        let leads = |name: &OsString| {
            let name = name.to_string_lossy();
            name.starts_with("PG") && !name.starts_with("PGVEIL_SUITES")
                || name.starts_with("CARGO_") && name != "CARGO_HOME"
        };
        for (name, _) in std::env::vars_os().filter(|(name, _)| leads(name)) {
            command.env_remove(name);
        }
        command
    }
}
