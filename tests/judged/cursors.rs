//! Cursors that code of the database opens under names that those of the client have had.

/// What opens one, in the database behind pgveil.
pub(crate) const OPENS: &str = "
    create table opening (n int);
    create table jotted (n int);
    create function opens() returns trigger language plpgsql as
      $f$declare c refcursor := 'c'; begin open c for select id + 0 from users; return new; end$f$;
    create trigger opens before insert on opening for each row execute function opens();
    ";

/// What ends a cursor, and shows what code has opened then.
pub(crate) const ENDED: &[&[&str]] = &[
    &["begin", DECLARE, "close c", OPEN, "fetch c"],
    &["begin", DECLARE, "close all", OPEN, "fetch c"],
    &["begin", DECLARE, "commit", "begin", OPEN, "fetch c"],
    &[
        "begin",
        DECLARE,
        "end",
        "begin",
        OPEN,
        "move c",
        "fetch all c",
    ],
    &["begin", DECLARE, "rollback", "begin", OPEN, "fetch c"],
    &["begin", DECLARE, "abort and chain", OPEN, "fetch c"],
    &["begin", HOLD, "rollback", "begin", OPEN, "fetch c"],
    &[
        "begin",
        HOLD,
        "commit",
        "close all",
        "begin",
        OPEN,
        "fetch c",
    ],
    &[HOLD, "close c", "begin", OPEN, "fetch c"],
    &[
        "begin",
        "savepoint s",
        DECLARE,
        "rollback to s",
        OPEN,
        "fetch c",
    ],
    &[
        "begin",
        "savepoint s",
        HOLD,
        "rollback to savepoint s",
        OPEN,
        "fetch c",
    ],
    &[
        "begin",
        "prepare e as close all",
        DECLARE,
        "execute e",
        OPEN,
        "fetch c",
    ],
    &["begin", DECLARE, "discard all", OPEN, "fetch c"],
];

/// What goes on beside such code.
pub(crate) const BESIDE_CODE: &[&str] = &[
    "begin",
    "declare c cursor for select id from users",
    "declare d cursor with hold for select id from users",
    "insert into jotted values (1)",
    "fetch c",
    "close c",
    "fetch d",
    "commit",
    "fetch d",
    "close all",
];

const DECLARE: &str = "declare c cursor for select 1::bigint + 0";
const HOLD: &str = "declare c cursor with hold for select 1::bigint + 0";
const OPEN: &str = "insert into opening values (1)";
