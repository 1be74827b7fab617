//! The two databases that the corpus runs on: its schema, with uuids and with integer keys, and
//! the same few rows in both. `@users.1@` stands for the id of a row, `@users.1/hex@` for the
//! same without hyphens, `@users.1/upper@` in capitals.

use std::fmt::Write as _;

use super::twin::client::Client;
use super::twin::renaming::Renaming;
use super::twin::stand::Server;
use super::twin::world::{FIRST_KEY, ROLE};

const UUIDS: &str = include_str!("schema_uuid.sql");
const KEYS: &str = include_str!("schema_bigint.sql");

/// The tables with an id, each an id domain.
const TABLES: [&str; 9] = [
    "users",
    "teams",
    "orders",
    "order_items",
    "comments",
    "tags",
    "documents",
    "events",
    "audit_log",
];

/// Rows of each of these tables; no client uses more.
const ROWS: usize = 6;

/// Keys of different domains lie this far apart.
const SPACING: i64 = 50_000;

/// What ids are inside a database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    Uuid,
    Key,
}

/// The ids of the rows, by table and number.
#[derive(Debug, Clone)]
pub(crate) struct Ids(Vec<Vec<String>>);

impl Ids {
    fn inside(form: Form) -> Self {
        let id = |table: usize, row: usize| match form {
            Form::Uuid => uuid(table, row),
            Form::Key => (first_key(table) + row as i64).to_string(),
        };
        let rows = |table| (1..=ROWS).map(|row| id(table, row)).collect();
        Self((0..TABLES.len()).map(rows).collect())
    }

    /// As a client of this session is shown them.
    pub(crate) fn shown(client: &mut Client) -> Result<Self, String> {
        let mut shown = Vec::new();
        for table in TABLES {
            let rows = client.rows(&format!("select id from {table} order by id"))?;
            shown.push(rows.concat());
        }
        Ok(Self(shown))
    }

    /// The text with every mention replaced by the id.
    pub(crate) fn fill(&self, text: &str) -> Result<String, String> {
        let mut filled = String::new();
        for (index, piece) in text.split('@').enumerate() {
            match self.mentioned(piece) {
                // Not the first piece, so there is an `@` before it, and one behind.
                Some(id) if index > 0 => {
                    filled.pop();
                    filled.push_str(&id?);
                }
                _ => {
                    filled.push_str(piece);
                    filled.push('@');
                }
            }
        }
        filled.pop();
        Ok(filled)
    }

    fn mentioned(&self, mention: &str) -> Option<Result<String, String>> {
        let (name, spelling) = mention.split_once('/').unwrap_or((mention, ""));
        let (table, row) = name.split_once('.')?;
        let table = TABLES.iter().position(|known| *known == table)?;
        let row = row.parse::<usize>().ok()?.checked_sub(1)?;
        let Some(id) = self.0[table].get(row) else {
            return Some(Err(format!("there is no row {name}")));
        };
        Some(match spelling {
            "" => Ok(id.clone()),
            "hex" => Ok(id.replace('-', "")),
            "upper" => Ok(id.to_uppercase()),
            other => Err(format!("no spelling is called {other}")),
        })
    }

    /// Which ids stand for each other.
    pub(crate) fn renaming(&self, veil: &Self) -> Renaming {
        let mut renaming = Renaming::default();
        for (twin, veil) in self.0.iter().flatten().zip(veil.0.iter().flatten()) {
            renaming.pair(twin, veil);
        }
        renaming
    }
}

fn first_key(table: usize) -> i64 {
    FIRST_KEY + SPACING * table as i64
}

/// A uuid that sorts by table and row and looks random otherwise.
fn uuid(table: usize, row: usize) -> String {
    let noise = (table * 1000 + row).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let low = noise >> 16 & 0xffff_ffff_ffff;
    format!(
        "{:02x}{row:06x}-{:04x}-4a51-841b-{low:012x}",
        table + 16,
        noise & 0xffff
    )
}

/// Makes the database, with schema and rows, in place of one of that name.
pub(crate) fn create(server: &Server, database: &str, form: Form) -> Result<(), String> {
    let at = &server.address;
    let mut root = Client::connect(at, &server.superuser, "postgres")?;
    root.run(&format!("drop database if exists {database}"))?;
    root.run(&format!("create database {database} owner {ROLE}"))?;
    root.run(&format!("alter database {database} set timezone = 'UTC'"))?;
    let mut inside = Client::connect(at, &server.superuser, database)?;
    inside.run(&format!("grant all on schema public to {ROLE}"))?;
    let mut owner = Client::connect(at, ROLE, database)?;
    owner.run(&schema(form))?;
    if form == Form::Key {
        // Not where the sequences start, which is in the catalog for everybody to see.
        for (table, name) in TABLES.iter().enumerate() {
            let next = first_key(table) + 1001;
            owner.run(&format!("alter table {name} alter id restart with {next}"))?;
        }
    }
    owner.run(&Ids::inside(form).fill(&rows())?)?;
    Ok(())
}

/// Makes the database with the schema as the application has written it, and no rows.
pub(crate) fn create_empty(server: &Server, database: &str, form: Form) -> Result<(), String> {
    let at = &server.address;
    let mut root = Client::connect(at, &server.superuser, "postgres")?;
    root.run(&format!("drop database if exists {database}"))?;
    root.run(&format!("create database {database} owner {ROLE}"))?;
    let mut inside = Client::connect(at, &server.superuser, database)?;
    inside.run(&format!("grant all on schema public to {ROLE}"))?;
    let mut owner = Client::connect(at, ROLE, database)?;
    owner.run(match form {
        Form::Uuid => UUIDS,
        Form::Key => KEYS,
    })?;
    Ok(())
}

/// The schema with ids that ascend, and with a clock that stands still.
fn schema(form: Form) -> String {
    let (text, default) = match form {
        Form::Uuid => (UUIDS, "default gen_random_uuid()"),
        Form::Key => (KEYS, "generated by default as identity"),
    };
    let mut schema = String::new();
    if form == Form::Uuid {
        schema.push_str(PRELUDE);
    }
    for (index, piece) in text.split("create table ").enumerate() {
        let name: String = piece.chars().take_while(|c| *c != ' ').collect();
        let table = TABLES.iter().position(|known| *known == name).unwrap_or(0);
        let instead = match form {
            Form::Uuid => {
                let _ = writeln!(schema, "create sequence inner_ids.of_{index} start 1001;");
                format!("default inner_ids.next({table}, {index})")
            }
            Form::Key => default.to_owned(),
        };
        if index > 0 {
            schema.push_str("create table ");
        }
        let piece = piece.replace(default, &instead);
        schema.push_str(&piece.replace("default now()", "default '2026-01-01 10:00Z'"));
    }
    schema
}

/// What the twin needs before its schema; Postgres has `min` and `max` over uuid from 18 on.
const PRELUDE: &str = "create schema inner_ids;
create function inner_ids.next(domain int, number int) returns uuid language plpgsql as $$
declare n bigint := nextval('inner_ids.of_' || number);
begin
  return (lpad(to_hex(domain + 16), 2, '0') || lpad(to_hex(n), 6, '0')
    || substr(md5(domain || '/' || n), 9))::uuid;
end $$;
create function inner_ids.least(uuid, uuid) returns uuid language sql immutable strict
  as 'select least($1, $2)';
create function inner_ids.greatest(uuid, uuid) returns uuid language sql immutable strict
  as 'select greatest($1, $2)';
create aggregate public.min(uuid) (sfunc = inner_ids.least, stype = uuid, sortop = <);
create aggregate public.max(uuid) (sfunc = inner_ids.greatest, stype = uuid, sortop = >);
";

/// The rows: the three users whom the clients look for, and some more of everything.
fn rows() -> String {
    let mut sql = String::new();
    let names = ["Ann", "Bob", "Cy", "Dee", "Eli", "Fay"];
    for (row, name) in (1..=ROWS).zip(names) {
        let email = name.to_lowercase();
        let _ = writeln!(
            sql,
            "insert into users (id, email, name, login_count) values ('@users.{row}@', '{email}@x.io', '{name}', {row});"
        );
    }
    for row in 1..=ROWS {
        let next = row % ROWS + 1;
        let parent = if row > 1 {
            format!("'@comments.{}@'", row - 1)
        } else {
            "null".to_owned()
        };
        let _ = write!(
            sql,
            "insert into teams (id, name, slug, owner_id) values ('@teams.{row}@', 'Team {row}', 'team-{row}', '@users.{row}@');
insert into memberships (team_id, user_id) values ('@teams.{row}@', '@users.{row}@'), ('@teams.{row}@', '@users.{next}@');
insert into orders (id, user_id, status, total_cents) values ('@orders.{row}@', '@users.{}@', 'paid', {row}50);
insert into order_items (id, order_id, sku) values ('@order_items.{row}@', '@orders.{row}@', 'sku-{row}');
insert into comments (id, author_id, order_id, parent_id, body) values ('@comments.{row}@', '@users.{row}@', '@orders.{row}@', {parent}, 'text {row}');
insert into tags (id, name) values ('@tags.{row}@', 'tag {row}');
insert into order_tags (order_id, tag_id) values ('@orders.{row}@', '@tags.{row}@');
insert into documents (id, owner_id, title) values ('@documents.{row}@', '@users.{row}@', 'Title {row}');
insert into events (id, kind, actor_id, participant_ids) values ('@events.{row}@', 'kind {row}', '@users.{row}@', '{{@users.1@,@users.{next}@}}');
insert into audit_log (id, table_name, record_id, actor_id, action) values ('@audit_log.{row}@', 'orders', '@orders.{row}@', '@users.{row}@', 'made');\n",
            // Three, two and one, so that counts differ.
            [1, 1, 1, 2, 2, 3][row - 1],
        );
    }
    sql
}
