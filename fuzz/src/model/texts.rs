//! The statements that the model knows, and its database.

/// The tables of the database.
const USERS: u32 = 16_400;
const ORDERS: u32 = 16_500;

/// In the comment behind a statement, so that the server knows it again however it was edited.
/// No other bytes of a client hold it.
pub const MARK: &str = "/*model ";

/// What a statement returns or does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Does {
    /// Rows of these columns.
    Rows(&'static [Column]),
    /// Nothing but its tag.
    Tag(&'static str),
    /// Begins a transaction.
    Begin,
    /// Ends it.
    Commit,
    /// COPY to the client, in text or binary.
    CopyOut(bool),
    /// COPY from the client.
    CopyIn(bool),
    /// Declares the cursor `c` for rows of these columns.
    Declare(&'static [Column]),
    /// Fetches from it.
    Fetch,
    /// Prepares the statement `p`, a statement of this number.
    Prepare(usize),
    /// Executes it.
    Execute,
    /// Forgets all prepared statements.
    Deallocate,
}

/// A column of a result.
#[derive(Debug, PartialEq, Eq)]
pub struct Column {
    pub(super) table: u32,
    pub(super) attnum: i16,
    pub(super) type_oid: u32,
    pub(super) value: Value,
}

/// The values of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Value {
    Key,
    Keys,
    Text,
    Number,
    /// Text with the key in it that the session has asked to be tagged.
    Tagged,
    /// A line of EXPLAIN that quotes the literal of the statement.
    Quoted,
}

pub(super) const fn column(table: u32, attnum: i16, type_oid: u32, value: Value) -> Column {
    Column {
        table,
        attnum,
        type_oid,
        value,
    }
}

const USER: &[Column] = &[
    column(USERS, 1, 20, Value::Key),
    column(USERS, 2, 25, Value::Text),
];
const ORDER: &[Column] = &[
    column(ORDERS, 1, 20, Value::Key),
    column(ORDERS, 2, 20, Value::Key),
    column(ORDERS, 3, 23, Value::Number),
];
const KEY: &[Column] = &[column(0, 0, 20, Value::Key)];
const KEYS: &[Column] = &[column(0, 0, 1016, Value::Keys)];
const COUNT: &[Column] = &[column(0, 0, 20, Value::Number)];
const NUMBER: &[Column] = &[column(ORDERS, 3, 23, Value::Number)];
const TAGGED: &[Column] = &[column(0, 0, 25, Value::Tagged)];
const QUOTED: &[Column] = &[column(0, 0, 25, Value::Quoted)];

/// The statements, what they do, and how many parameters they have. `ID` is the id of a user.
pub const TEXTS: &[(&str, Does, usize)] = &[
    ("SELECT id, email FROM users", Does::Rows(USER), 0),
    (
        "SELECT * FROM orders WHERE user_id = $1",
        Does::Rows(ORDER),
        1,
    ),
    ("SELECT max(id) FROM orders", Does::Rows(KEY), 0),
    ("SELECT array_agg(user_id) FROM orders", Does::Rows(KEYS), 0),
    ("SELECT count(*) FROM orders", Does::Rows(COUNT), 0),
    (
        "SELECT total FROM orders WHERE user_id = $1",
        Does::Rows(NUMBER),
        1,
    ),
    (
        "SELECT id, email FROM users WHERE id = 'ID'",
        Does::Rows(USER),
        0,
    ),
    ("SELECT 'u' || id FROM users", Does::Rows(TAGGED), 0),
    (
        "EXPLAIN SELECT total FROM orders WHERE user_id = 'ID'",
        Does::Rows(QUOTED),
        0,
    ),
    (
        "INSERT INTO users (email) VALUES ($1) RETURNING id",
        Does::Rows(KEY),
        1,
    ),
    (
        "INSERT INTO orders (user_id) VALUES ($1)",
        Does::Tag("INSERT 0 1"),
        1,
    ),
    ("BEGIN", Does::Begin, 0),
    ("COMMIT", Does::Commit, 0),
    ("COPY users TO STDOUT", Does::CopyOut(false), 0),
    (
        "COPY users TO STDOUT (FORMAT binary)",
        Does::CopyOut(true),
        0,
    ),
    ("COPY users FROM STDIN", Does::CopyIn(false), 0),
    (
        "COPY users FROM STDIN (FORMAT binary)",
        Does::CopyIn(true),
        0,
    ),
    (
        "DECLARE c CURSOR FOR SELECT id, email FROM users",
        Does::Declare(USER),
        0,
    ),
    ("FETCH ALL FROM c", Does::Fetch, 0),
    (
        "PREPARE p AS SELECT id, email FROM users",
        Does::Prepare(0),
        0,
    ),
    ("EXECUTE p", Does::Execute, 0),
    ("DEALLOCATE ALL", Does::Deallocate, 0),
    ("CREATE TABLE other (n int)", Does::Tag("CREATE TABLE"), 0),
    ("SET search_path = public", Does::Tag("SET"), 0),
    ("SELECT nothing FROM nowhere", Does::Tag("SELECT 0"), 0),
    ("SELECT md5(id::text) FROM users", Does::Rows(KEY), 0),
];

/// The snapshot of the database that the session asks for.
pub(super) const CATALOG: &[&str] = &[
    "relation 16400 public users r -",
    "relation 16500 public orders r -",
    "column 16400 1 id 20",
    "column 16400 2 email 25",
    "column 16500 1 id 20",
    "column 16500 2 user_id 20",
    "column 16500 3 total 23",
    "foreign_key 16500 orders_user_id_fkey 2 16400 1",
    "built_in array_agg\u{1}count\u{1}lower\u{1}max\u{1}md5",
    "search_path pg_catalog\u{2}public",
];
