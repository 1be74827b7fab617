//! Foreign keys to columns of keys, by the types that clients see of them and by those of the
//! database: what believes in the former is refused with the type to write, what is of the latter
//! is made, and so is what Postgres itself has another word for.

use pgveil::catalog::SearchPath;
use pgveil::sql::{self, Context, Verdict};

use super::shop_and;

/// Domains over a uuid, over such a domain, over the type of keys, and of another schema; and primary
/// keys.
const DOMAINS: &str = "domain\t90001\t2950\tpublic\tuid
domain\t90002\t90001\tpublic\tdeep
domain\t90003\t20\tpublic\tbig
domain\t90004\t2950\tother\tfar
unique\t16386\t1\tprimary
unique\t16414\t1,2\tprimary
unique\t16434\t1\tprimary";

/// The refusal of a text.
fn refused(text: &str) -> Option<(String, String)> {
    let (snapshot, path) = (shop_and(DOMAINS), SearchPath::default());
    let context = Context::new(&snapshot, &path);
    let statements = sql::analyse(text.as_bytes(), &context).statements;
    statements.into_iter().find_map(|of| match of.verdict {
        Verdict::Forward(_) => None,
        Verdict::Refuse(refusal) => {
            assert_eq!(refusal.sqlstate, "0A000", "{text}");
            Some((refusal.message, refusal.hint.unwrap_or_default()))
        }
    })
}

const REFUSED: &[&str] = &[
    "CREATE TABLE x (user_id uuid REFERENCES users)",
    "CREATE TABLE x (n int, user_id uuid NOT NULL DEFAULT (f(1, 2)) REFERENCES users (id) ON DELETE CASCADE)",
    "CREATE TABLE IF NOT EXISTS x (\"user_id\" pg_catalog.uuid CONSTRAINT k REFERENCES public.users)",
    "CREATE UNLOGGED TABLE x (u uid REFERENCES users)",
    "CREATE TABLE x (u deep REFERENCES users(id))",
    "CREATE TABLE x (u other.far REFERENCES users(id))",
    "CREATE TABLE x (u uuid, FOREIGN KEY (u) REFERENCES users)",
    "CREATE TABLE x (FOREIGN KEY (u) REFERENCES users (id), u uuid)",
    "CREATE TABLE x (u uuid, t bigint, CONSTRAINT k FOREIGN KEY (t, u) REFERENCES memberships (team_id, user_id))",
    "CREATE TABLE x (u uuid, t uuid, FOREIGN KEY (t, u) REFERENCES memberships)",
    "ALTER TABLE x ADD COLUMN user_id uuid REFERENCES users(id)",
    "ALTER TABLE tags ADD user_id uuid REFERENCES users",
    "ALTER TABLE ONLY tags ADD n int, ADD COLUMN IF NOT EXISTS u uuid, ADD CONSTRAINT k FOREIGN KEY (u) REFERENCES users NOT VALID",
    "ALTER TABLE tags ALTER COLUMN name TYPE uuid USING NULL, ADD FOREIGN KEY (name) REFERENCES users",
    "ALTER TABLE users ADD FOREIGN KEY (auth_subject) REFERENCES users (id)",
    "ALTER TABLE IF EXISTS users * ADD FOREIGN KEY (auth_subject) REFERENCES orders",
];

const MADE: &[&str] = &[
    "CREATE TABLE x (user_id bigint REFERENCES users)",
    "CREATE TABLE x (user_id int REFERENCES users(id), u uuid)",
    "CREATE TABLE x (user_id big REFERENCES users, u uuid UNIQUE)",
    "CREATE TABLE x (id uuid PRIMARY KEY, FOREIGN KEY (u) REFERENCES users, u bigint)",
    "CREATE TABLE x (u bigint, t bigint, FOREIGN KEY (t, u) REFERENCES memberships)",
    // It may refer to a real uuid.
    "CREATE TABLE x (u uuid REFERENCES users (auth_subject))",
    "CREATE TABLE x (u uuid REFERENCES nowhere)",
    "CREATE TABLE x (u uuid REFERENCES tags)",
    "CREATE TABLE x (id uuid PRIMARY KEY, of uuid REFERENCES x)",
    // Postgres says what is wrong with these.
    "CREATE TABLE x (u text REFERENCES users(id))",
    "CREATE TABLE x (u uuid[] REFERENCES users(id))",
    "CREATE TABLE x (u far REFERENCES users(id))",
    "CREATE TEMP TABLE x (u uuid REFERENCES users)",
    // What is there already.
    "CREATE TABLE IF NOT EXISTS orders (id uuid PRIMARY KEY, user_id uuid REFERENCES users)",
    "ALTER TABLE orders ADD COLUMN IF NOT EXISTS user_id uuid REFERENCES users",
    "ALTER TABLE tags ADD n int REFERENCES users, ADD u uuid",
    "ALTER TABLE orders ADD FOREIGN KEY (user_id) REFERENCES users",
    "ALTER TABLE users ALTER auth_subject SET DATA TYPE bigint USING NULL, ADD FOREIGN KEY (auth_subject) REFERENCES users (id)",
    "GRANT REFERENCES ON users TO somebody",
];

#[test]
fn a_foreign_key_of_the_type_that_clients_see_is_refused_with_the_one_to_write() {
    for text in REFUSED {
        let (message, hint) = refused(text).unwrap_or_else(|| panic!("{text} is made"));
        assert!(
            message.contains(" of type uuid as a foreign key to "),
            "{text}: {message}"
        );
        assert!(hint.starts_with("Write bigint: "), "{text}: {hint}");
    }
    let made: Vec<_> = MADE
        .iter()
        .filter_map(|text| refused(text).map(|why| (text, why)))
        .collect();
    assert!(made.is_empty(), "{made:#?}");
}
