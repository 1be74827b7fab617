//! The two worlds: one schema and one set of rows, written once, with uuid ids or with integer
//! keys. Rows have names (`:users.ann`) that the cases use; what a name stands for differs by
//! world and by what the client gets to see.

use std::collections::HashMap;
use std::ops::Range;

use super::canary::Canary;
use super::client::{Address, Client};
use super::kind::Kind;

const SCHEMA: &str = include_str!("schema.sql");
const SEED: &str = include_str!("seed.sql");
const BASIC_SCHEMA: &str = include_str!("basic/schema.sql");
const BASIC_SEED: &str = include_str!("basic/seed.sql");

/// The ordinary role that owns everything and that the cases run as.
pub(crate) const ROLE: &str = "app";

/// The lowest key of the integer world by width: numbers that nothing else would send. The
/// domains of 8-byte keys lie `SPACING` apart.
pub(crate) const FIRST_KEY: i64 = 8_613_972_450_000_000;
pub(crate) const FIRST_KEY4: i64 = 1_861_397_000;
pub(crate) const FIRST_KEY2: i64 = 31_800;
const SPACING: i64 = 20_000;

/// Fixed values, the same in both worlds: `:fixed.nil`.
pub(crate) const FIXED: &[(&str, &str)] = &[
    ("nil", "00000000-0000-0000-0000-000000000000"),
    ("max", "ffffffff-ffff-ffff-ffff-ffffffffffff"),
    ("unknown", "7d3f0b52-9a41-4c68-b1de-5e2f8c90a7b4"),
    ("unknown8", "5b1c9e70-42d8-8f36-9a07-c3e4d2f1b680"),
    ("subject_ann", "c0ffee00-0000-4000-9000-0000000000aa"),
    ("subject_bob", "c0ffee00-0000-4000-9000-0000000000bb"),
    ("subject_eli", "c0ffee00-0000-4000-9000-0000000000ee"),
];

/// What the ids of a world are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// uuid columns. Two twins with different salts differ in every id.
    Uuid { salt: u64 },
    /// Integer columns.
    Key,
}

/// An id domain: its name and the width of its keys in bytes.
#[derive(Debug, Clone)]
pub(crate) struct Domain {
    pub(crate) name: String,
    pub(crate) width: u8,
}

impl Domain {
    /// The table whose `id` defines the domain.
    pub(crate) fn table(&self) -> &str {
        match self.name.as_str() {
            "shop_users" => "shop.users",
            "carts" => "shop.carts",
            name => name,
        }
    }
}

/// The names of the rows.
#[derive(Debug)]
pub(crate) struct Names {
    pub(crate) domains: Vec<Domain>,
    /// Name to (index of the domain, number of the row from 1).
    rows: HashMap<String, (usize, i64)>,
    schema: &'static str,
    seed: &'static str,
    /// Integer keys and uuids if nothing is said.
    pub(crate) kind: Option<Kind>,
    /// What the rows of each domain are called: inside, and by the twin. Asked of the server,
    /// for worlds that have a kind.
    made: Vec<[Vec<String>; 2]>,
    fixed: Vec<(String, String)>,
}

/// A name in a text: its place, itself, and how it is to be spelled.
pub(crate) struct Mention<'a> {
    range: Range<usize>,
    pub(crate) name: &'a str,
    spelling: Option<&'a str>,
}

impl Names {
    /// Reads them from the schema and the seed.
    pub(crate) fn load() -> Self {
        let fixed = FIXED
            .iter()
            .map(|(name, id)| ((*name).to_owned(), (*id).to_owned()));
        Self::read(SCHEMA, SEED, None, fixed.collect())
    }

    /// Those of the basic schema, for one kind of keys and ids.
    pub(crate) fn of(kind: Kind, at: &Address, superuser: &str) -> Result<Self, String> {
        let mut names = Self::read(BASIC_SCHEMA, BASIC_SEED, Some(kind), Vec::new());
        for (index, domain) in names.domains.iter().enumerate() {
            let ids = |inside| kind.ids(at, superuser, inside, (index, &domain.name));
            names.made.push([ids(true)?, ids(false)?]);
        }
        let unknown = names.made[0][1].last().cloned().unwrap_or_default();
        names.fixed = vec![("unknown".to_owned(), unknown)];
        Ok(names)
    }

    fn read(
        schema: &'static str,
        seed: &'static str,
        kind: Option<Kind>,
        fixed: Vec<(String, String)>,
    ) -> Self {
        let mut names = Self {
            domains: Vec::new(),
            rows: HashMap::new(),
            schema,
            seed,
            kind,
            made: Vec::new(),
            fixed,
        };
        for (marker, width) in [("{id ", 8), ("{id4 ", 4), ("{id2 ", 2)] {
            for piece in schema.split(marker).skip(1) {
                if let Some((name, _)) = piece.split_once('}')
                    && name != "NAME"
                {
                    let name = name.to_owned();
                    names.domains.push(Domain { name, width });
                }
            }
        }
        let mut counts = vec![0; names.domains.len()];
        for mention in names.mentions(seed) {
            let (domain, _) = mention.name.split_once('.').expect("a name has a dot");
            if let Some(index) = names.domains.iter().position(|known| known.name == domain)
                && !names.rows.contains_key(mention.name)
            {
                counts[index] += 1;
                names
                    .rows
                    .insert(mention.name.to_owned(), (index, counts[index]));
            }
        }
        names
    }

    /// Every `:domain.row` of a text, `/spelling` included.
    pub(crate) fn mentions<'a>(&self, text: &'a str) -> Vec<Mention<'a>> {
        let word = |from: usize| {
            let rest = &text[from..];
            let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
            &rest[..end.unwrap_or(rest.len())]
        };
        let mut mentions = Vec::new();
        for (colon, _) in text.match_indices(':') {
            let domain = word(colon + 1);
            let dot = colon + 1 + domain.len();
            let known = domain == "fixed" || self.domains.iter().any(|known| known.name == domain);
            if !known || text.as_bytes().get(dot) != Some(&b'.') || text[..colon].ends_with(':') {
                continue;
            }
            let mut end = dot + 1 + word(dot + 1).len();
            let name = &text[colon + 1..end];
            let mut spelling = None;
            if text.as_bytes().get(end) == Some(&b'/') {
                spelling = Some(word(end + 1));
                end += 1 + word(end + 1).len();
            }
            let range = colon..end;
            mentions.push(Mention {
                range,
                name,
                spelling,
            });
        }
        mentions
    }

    /// The text with every name replaced by what it stands for.
    pub(crate) fn fill(&self, text: &str, ids: &Ids) -> Result<String, String> {
        let mut filled = String::new();
        let mut done = 0;
        for mention in self.mentions(text) {
            filled.push_str(&text[done..mention.range.start]);
            filled.push_str(&ids.spelled(&mention)?);
            done = mention.range.end;
        }
        filled.push_str(&text[done..]);
        Ok(filled)
    }

    /// What the names stand for inside a world.
    pub(crate) fn inside(&self, form: Form) -> Ids {
        let id = |(name, &(domain, row)): (&String, &(usize, i64))| {
            let made = |inside: usize| {
                let of = self.made.get(domain)?;
                of[inside]
                    .get(usize::try_from(row).ok()?.checked_sub(1)?)
                    .cloned()
            };
            let id = match form {
                Form::Uuid { .. } if self.kind.is_some() => made(1).unwrap_or_default(),
                Form::Key if self.kind.is_some() => made(0).unwrap_or_default(),
                Form::Uuid { salt } => twin_id(domain, row, salt),
                Form::Key => self.key(domain, row).to_string(),
            };
            (name.clone(), id)
        };
        self.named(self.rows.iter().map(id))
    }

    fn named(&self, rows: impl IntoIterator<Item = (String, String)>) -> Ids {
        let fixed = self
            .fixed
            .iter()
            .map(|(name, id)| (format!("fixed.{name}"), id.clone()));
        Ids(rows.into_iter().chain(fixed).collect())
    }

    /// The ids that stand for themselves on both sides.
    pub(crate) fn fixed(&self) -> impl Iterator<Item = &str> {
        self.fixed.iter().map(|(_, id)| id.as_str())
    }

    /// The search for keys among what a client receives.
    pub(crate) fn canary(&self) -> Canary {
        self.kind.map_or_else(Canary::new, |kind| kind.canary())
    }

    /// What a client is shown for the names, asked for in the order of creation.
    pub(crate) fn shown(&self, client: &mut Client) -> Result<Ids, String> {
        let mut shown = Vec::new();
        for (index, domain) in self.domains.iter().enumerate() {
            let table = domain.table();
            let ids = client.rows(&format!("select id from {table} order by id"))?;
            let mut rows: Vec<_> = self
                .rows
                .iter()
                .filter(|(_, (of, _))| *of == index)
                .collect();
            rows.sort_by_key(|(_, (_, number))| *number);
            if rows.len() != ids.len() {
                return Err(format!(
                    "{table} has {} rows, not {}",
                    ids.len(),
                    rows.len()
                ));
            }
            let pairs = rows.into_iter().zip(ids);
            shown.extend(pairs.map(|((name, _), id)| (name.clone(), id[0].clone())));
        }
        Ok(self.named(shown))
    }

    /// The key of a row.
    pub(crate) fn key(&self, domain: usize, row: i64) -> i64 {
        row + match self.domains[domain].width {
            8 => FIRST_KEY + SPACING * i64::try_from(domain).expect("a small index"),
            4 => FIRST_KEY4,
            _ => FIRST_KEY2,
        }
    }

    /// The schema's text for a world.
    fn schema(&self, form: Form) -> String {
        let mut text = self.schema.to_owned();
        if let Some(kind) = self.kind {
            let sql_type = kind.sql_type(form == Form::Key);
            for (index, domain) in self.domains.iter().enumerate() {
                let column = format!("{sql_type} default twin.next_{index}()");
                text = text.replace(&format!("{{id {}}}", domain.name), &column);
            }
            return text.replace("{key}", sql_type);
        }
        for (index, domain) in self.domains.iter().enumerate() {
            let (marker, integer) = match domain.width {
                8 => ("id", "bigint"),
                4 => ("id4", "integer"),
                _ => ("id2", "smallint"),
            };
            let column = match form {
                Form::Uuid { .. } => format!("uuid default twin.next_id({index})"),
                Form::Key => {
                    let first = self.key(index, if domain.width == 2 { 101 } else { 1001 });
                    format!("{integer} generated by default as identity (start with {first})")
                }
            };
            text = text.replace(&format!("{{{marker} {}}}", domain.name), &column);
        }
        for (marker, integer) in [
            ("{key}", "bigint"),
            ("{key4}", "integer"),
            ("{key2}", "smallint"),
        ] {
            let column = if form == Form::Key { integer } else { "uuid" };
            text = text.replace(marker, column);
        }
        text
    }

    /// Makes a database of this form, with schema and rows, in place of one of that name.
    pub(crate) fn create(
        &self,
        server: &Address,
        superuser: &str,
        database: &str,
        form: Form,
    ) -> Result<(), String> {
        let mut root = Client::connect(server, superuser, "postgres")?;
        root.run(&format!("drop database if exists {database}"))?;
        root.run(&format!("create database {database} owner {ROLE}"))?;
        root.run(&format!("alter database {database} set timezone = 'UTC'"))?;
        let mut inside = Client::connect(server, superuser, database)?;
        inside.run(&format!("grant all on schema public to {ROLE}"))?;
        if let Some(kind) = self.kind {
            inside.run(&self.prelude(kind, form == Form::Key))?;
        } else if let Form::Uuid { salt } = form {
            inside.run(&self.twin_prelude(salt))?;
        }
        let mut owner = Client::connect(server, ROLE, database)?;
        owner.run(&self.schema(form))?;
        owner.run(&self.seed(form)?)?;
        Ok(())
    }

    /// The rows for a world.
    fn seed(&self, form: Form) -> Result<String, String> {
        let seed = match self.kind {
            Some(kind) => self.seed.replace("{key}", kind.sql_type(form == Form::Key)),
            None => self.seed.to_owned(),
        };
        self.fill(&seed, &self.inside(form))
    }

    /// The functions that make the ids of new rows, for worlds that have a kind.
    fn prelude(&self, kind: Kind, inside: bool) -> String {
        let mut sql = format!("create schema twin authorization {ROLE}; set role {ROLE};\n");
        for (index, domain) in self.domains.iter().enumerate() {
            sql.push_str(&format!(
                "create sequence twin.ids_{index} start 101;
                 create function twin.next_{index}() returns {sql_type} language sql volatile as
                   $$ select {expression}::{sql_type} from (select {index} * 20000 + nextval('twin.ids_{index}') as n) t $$;\n",
                sql_type = kind.sql_type(inside),
                expression = kind.sql(inside, &domain.name),
            ));
        }
        sql.push_str("reset role;");
        sql
    }

    /// Puts the rows back as they were.
    pub(crate) fn reset(&self, server: &Address, database: &str, form: Form) -> Result<(), String> {
        let mut owner = Client::connect(server, ROLE, database)?;
        let tables = "select string_agg(oid::regclass::text, ', ') from pg_class \
            where relkind in ('r', 'p') and not relispartition \
            and relnamespace in ('public'::regnamespace, 'shop'::regnamespace)";
        let tables = owner.rows(tables)?.concat().concat();
        owner.run(&format!("truncate {tables}"))?;
        owner.run(&self.seed(form)?)?;
        Ok(())
    }

    /// What the twin needs before the schema: ids that ascend in the order of creation, and
    /// `min` and `max` over uuid, which Postgres has of its own from version 18 on.
    fn twin_prelude(&self, salt: u64) -> String {
        let mut sql = format!("create schema twin authorization {ROLE}; set role {ROLE};\n");
        for index in 0..self.domains.len() {
            sql.push_str(&format!("create sequence twin.ids_{index} start 1001;\n"));
        }
        sql.push_str(&format!(
            "create function twin.next_id(domain int) returns uuid language plpgsql as $$
             declare n bigint := nextval('twin.ids_' || domain);
             begin
               return (lpad(to_hex(domain + 16), 2, '0') || lpad(to_hex(n), 6, '0')
                 || substr(md5('{salt}/' || domain || '/' || n), 9))::uuid;
             end $$;
             create function twin.least(uuid, uuid) returns uuid language sql immutable strict
               as 'select least($1, $2)';
             create function twin.greatest(uuid, uuid) returns uuid language sql immutable strict
               as 'select greatest($1, $2)';
             create aggregate public.min(uuid) (sfunc = twin.least, stype = uuid, sortop = <);
             create aggregate public.max(uuid) (sfunc = twin.greatest, stype = uuid, sortop = >);
             reset role;"
        ));
        sql
    }
}

/// Makes the role of the cases where it is not there yet.
pub(crate) fn create_role(server: &Address, superuser: &str) -> Result<(), String> {
    let mut root = Client::connect(server, superuser, "postgres")?;
    let known = format!("select 1 from pg_roles where rolname = '{ROLE}'");
    if root.rows(&known)?.is_empty() {
        root.run(&format!("create role {ROLE} login"))?;
    }
    Ok(())
}

/// What names stand for.
#[derive(Debug, Clone)]
pub(crate) struct Ids(HashMap<String, String>);

impl Ids {
    /// Every name with what it stands for.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&String, &String)> {
        self.0.iter()
    }

    /// What a name stands for, as its mention wants it written.
    pub(crate) fn spelled(&self, mention: &Mention<'_>) -> Result<String, String> {
        let name = mention.name;
        let id = self
            .0
            .get(name)
            .ok_or_else(|| format!("no row is called :{name}"))?;
        match mention.spelling {
            None => Ok(id.clone()),
            Some("upper") => Ok(id.to_uppercase()),
            Some("braced") => Ok(format!("{{{id}}}")),
            Some("hex") => Ok(id.replace('-', "")),
            Some("forged") => Ok(forged(id)),
            Some(other) => Err(format!("no spelling is called /{other}")),
        }
    }
}

/// An id that differs in its last digit.
pub(crate) fn forged(id: &str) -> String {
    let (head, last) = id.split_at(id.len() - 1);
    format!("{head}{}", if last == "0" { "1" } else { "0" })
}

/// A uuid that sorts by domain and row; the rest is noise.
fn twin_id(domain: usize, row: i64, salt: u64) -> String {
    let mut noise = salt ^ ((domain as u64) << 32) ^ row.cast_unsigned();
    // The finaliser of splitmix64.
    for (shift, factor) in [(30, 0xbf58_476d_1ce4_e5b9), (27, 0x94d0_49bb_1331_11eb)] {
        noise = (noise.wrapping_add(0x9e37_79b9_7f4a_7c15) ^ (noise >> shift)).wrapping_mul(factor);
    }
    let head = (domain as u64 + 16) << 24 | row.cast_unsigned();
    let (low, high) = (noise & 0xffff_ffff_ffff, noise >> 48);
    format!(
        "{head:08x}-{high:04x}-4{:03x}-8{:03x}-{low:012x}",
        high & 0xfff,
        low >> 36
    )
}
