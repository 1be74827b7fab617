//! The texts by which a database is asked about itself.
//!
//! All of a snapshot comes from one statement and so shows one moment of the database. Whether
//! one is still right the catalogs tell by the transactions of their rows, some of which are
//! younger than it, and by which rows there are, if one is gone. What has changed they tell in
//! buckets: each row belongs to that of its relation, or to one for all that is about no relation.
//! So a later snapshot asks for the relations of some buckets, and for what names them.
//!
//! All names say their schema, those of operators too: the session that asks may have put others
//! in front of `pg_catalog`, and its answer is believed by all. `IN` can't say it.
//!
//! Names come as `encode(convert_to(…, 'SQL_ASCII'), 'escape')`: in ASCII whatever the
//! client_encoding of the session that asks, and as the bytes that the database has, as a conversion
//! could fail ([`crate::pg::Encoding`]). Oids are cast to text so that no setting
//! changes their form.

use std::fmt::Write as _;
use std::sync::Arc;

use super::Oid;
use super::snapshot::SYSTEM_RELATIONS;
use crate::pg::functions::{harmless_volatile, readers};

/// What the server calls a state of its catalogs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Version {
    /// The database, and when its server has started: before that numbers of transactions may
    /// have meant others.
    pub(super) identity: Arc<str>,
    /// Rows of older transactions than this one were all seen.
    pub(super) horizon: u32,
    /// The snapshot.
    pub(super) moment: Arc<str>,
    /// A sum over which rows there are, and over the younger ones as they are.
    pub(super) seen: Arc<str>,
    /// The sums over the rows, as in `seen`, for each bucket of them.
    pub(super) buckets: Arc<str>,
}

impl Version {
    /// Which database of which server it is of, for as long as that runs.
    #[must_use]
    pub const fn identity(&self) -> &Arc<str> {
        &self.identity
    }

    /// Gives this version as it is seen in another snapshot.
    #[must_use]
    pub fn at(mut self, moment: &Arc<str>) -> Self {
        self.moment = Arc::clone(moment);
        self
    }
}

/// Which definitions are read. To read one Postgres locks the relations that it names, and may
/// have to wait for that.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Reading {
    /// Those for which nothing has to be waited for.
    #[default]
    Free,
    /// Those of these relations whatever has to be waited for, and those for which nothing has.
    Patient(Vec<Oid>),
    /// Those of these relations, whatever has to be waited for.
    Only(Vec<Oid>),
    /// None, as others change them all the time.
    Nothing,
}

/// Lets the first of the questions take as long as it takes.
pub const PATIENCE: &str = include_str!("patience.sql");

/// Asks whether what a transaction of a higher isolation level sees of the catalogs has been
/// superseded: it sees them as they were when it began, but a row of theirs tells by whom it was
/// replaced or deleted since. What has been added since does not show, unless it is a relation that
/// takes the name of another.
pub const SUPERSEDED: &str = include_str!("superseded.sql").trim_ascii_end();

/// Asks for the search path and its setting, for how much of what others commit a transaction sees and for who is
/// asked, and makes the settings those of the questions.
pub const SETTINGS: &str = concat!(
    "SELECT 'search path', ",
    include_str!("search_path.sql"),
    ", pg_catalog.current_setting('transaction_isolation'), pg_catalog.getdatabaseencoding(),\n",
    include_str!("identity.sql"),
    ",\n",
    include_str!("path_setting.sql"),
    ",\n",
    include_str!("settings.sql")
);

/// How much is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope<'v> {
    /// Everything is asked for.
    All,
    /// What is about relations that have changed since this version.
    Changes(&'v Version),
    /// What is about relations that have changed since this version, and all that is about no
    /// relation.
    Shared(&'v Version),
}

impl Scope<'_> {
    pub(super) const fn version(&self) -> Option<&Version> {
        match self {
            Self::All => None,
            Self::Changes(version) | Self::Shared(version) => Some(version),
        }
    }
}

/// Asks whether a snapshot is still right: with little work if no transaction has ended since, and
/// without a lock that anybody could hold for long.
pub(super) fn look(version: &Version) -> String {
    let mut text = include_str!("look.sql")
        .replace("{rows}", ROWS)
        .replace("{identity}", IDENTITY)
        .replace("{since}", &horizon(version))
        .replace("{known identity}", &version.identity)
        .replace("{known moment}", &version.moment)
        .replace("{known}", &version.seen);
    fill(&mut text, "{schema ", SCHEMA);
    text
}

/// Asks for a snapshot, or for a part of one; `unanalysed` are relations that are asked for whether they
/// have changed or not.
pub(super) fn load(reading: &Reading, scope: Scope<'_>, unanalysed: &[Oid]) -> String {
    let part = |text: &str| format!(",\n{}", text.trim_end());
    let (changed, extent, among, since) = match scope.version() {
        None => {
            let now = "pg_catalog.age(m.horizon)".to_owned();
            (String::new(), "NULL, NULL", "", now)
        }
        Some(version) => {
            let changed = part(include_str!("changed.sql"))
                .replace("{known}", &version.buckets)
                .replace("{moment}", &version.moment)
                .replace("{asked}", &array(unanalysed));
            (changed, EXTENT, AMONG, horizon(version))
        }
    };
    let (changing, shared) = match scope {
        Scope::Changes(_) => (String::new(), String::new()),
        Scope::All | Scope::Shared(_) => {
            let shared = include_str!("shared.sql").trim_end();
            let shared = format!("\nUNION ALL\n{shared}");
            let parts = [include_str!("changing.sql"), include_str!("casting.sql")];
            (parts.map(part).concat(), shared)
        }
    };
    let mut text = include_str!("load.sql")
        .trim_end()
        .replace("{changed}", &changed)
        .replace("{extent}", extent)
        .replace("{changing}", &changing)
        .replace("{shared}", &shared)
        .replace("{rows}", ROWS)
        .replace("{identity}", IDENTITY)
        .replace("{since}", &since)
        .replace("{buckets}", &format!("'{BUCKETS}'::pg_catalog.int8"))
        .replace("{compiled}", COMPILED)
        .replace("{readers}", &list(readers()))
        .replace("{harmless}", &list(harmless_volatile()))
        .replace(
            "{showing}",
            &list(SYSTEM_RELATIONS.iter().map(|(_, name)| *name)),
        );
    for (bound, value) in BOUNDS {
        text = text.replace(bound, &format!("'{value}'::pg_catalog.int8"));
    }
    let readable = match reading {
        Reading::Nothing => "false".to_owned(),
        Reading::Free => READABLE.to_owned(),
        Reading::Only(oids) => {
            format!("({} OPERATOR(pg_catalog.=) ANY ({}))", "{}", array(oids))
        }
        Reading::Patient(oids) => format!(
            "({} OPERATOR(pg_catalog.=) ANY ({}) OR {READABLE})",
            "{}",
            array(oids)
        ),
    };
    fill(&mut text, "{readable ", &readable);
    fill(&mut text, "{among ", among);
    fill(&mut text, "{called ", CALLED);
    fill(&mut text, "{schema ", SCHEMA);
    text
}

fn horizon(version: &Version) -> String {
    format!("pg_catalog.age('{}'::pg_catalog.xid)", version.horizon)
}

/// A snapshot for the simple protocol, with the settings and the search path.
pub(super) fn alone() -> String {
    format!("{SETTINGS};\n{}", load(&Reading::Free, Scope::All, &[]))
}

/// Longer code of a function is not read, in bytes, nor what comes behind so much of all: who may
/// create functions, be they temporary, must not make the question take long, or fail.
const MOST_CODE_BYTES: usize = 256 << 10;
const MOST_CODE_BYTES_TOGETHER: usize = 16 << 20;

/// Longer defaults of arguments are not read, nor what comes behind so much of all, in bytes as
/// they are stored, which is up to a hundred times less than what they are: behind that they count
/// as calls.
const MOST_DEFAULT_BYTES: usize = 4 << 10;
const MOST_DEFAULT_BYTES_TOGETHER: usize = 1 << 20;

/// The bounds by their names in the questions.
const BOUNDS: [(&str, usize); 5] = [
    ("{code bytes}", MOST_CODE_BYTES),
    ("{all code bytes}", MOST_CODE_BYTES_TOGETHER),
    ("{default bytes}", MOST_DEFAULT_BYTES),
    ("{all default bytes}", MOST_DEFAULT_BYTES_TOGETHER),
    ("{comparisons}", MOST_COMPARISONS),
];

/// So many comparisons of names generated columns may take to be written out, all together: some
/// tenths of a second. What comes behind them counts as unread.
const MOST_COMPARISONS: usize = 50_000_000;

const READABLE: &str =
    "{} OPERATOR(pg_catalog.<>) ALL (ARRAY(SELECT h.oid FROM held h WHERE h.oid IS NOT NULL))";

/// The functions that an expression calls, also by operators: all names, and the oids of those that
/// somebody has defined.
const CALLED: &str = "(SELECT pg_catalog.encode(pg_catalog.convert_to(pg_catalog.string_agg(p.proname::pg_catalog.text, ' ' ORDER BY p.oid), 'SQL_ASCII'), 'escape') AS names,
              pg_catalog.string_agg(p.oid::pg_catalog.text, ' ' ORDER BY p.oid) FILTER (WHERE p.oid OPERATOR(pg_catalog.>=) 16384::pg_catalog.oid) AS defined
       FROM pg_catalog.pg_proc p WHERE p.oid OPERATOR(pg_catalog.=) ANY (ARRAY(
         SELECT m.found[1]::pg_catalog.oid FROM pg_catalog.regexp_matches({}::pg_catalog.text, ':(?:funcid|opfuncid) ([0-9]+)', 'g') m (found))))";

/// The languages of functions whose code is no text, `internal` and `c`; they have the same oids
/// everywhere.
const COMPILED: &str = "('{12,13}'::pg_catalog.oid[])";

const EXTENT: &str = "(SELECT e.changes FROM extent e), (SELECT e.lacks FROM extent e)";

const AMONG: &str = "\n    AND {} OPERATOR(pg_catalog.=) ANY (ARRAY(SELECT m.oid FROM changed m))";

/// Into how many buckets relations are put, by their oids. A prime, as those have a stride. Each
/// costs two dozen bytes in a question, and with each change all relations of some are told.
const BUCKETS: i64 = 509;

/// In which bucket a relation is.
pub(super) fn bucket(oid: Oid) -> i64 {
    i64::from(oid.0) % BUCKETS
}

/// The rows of the catalogs.
const ROWS: &str = include_str!("rows.sql").trim_ascii_end();

/// The version of a schema: whatever has been done to it and undone again, its row has been written
/// anew.
const SCHEMA: &str = include_str!("schema.sql").trim_ascii_end();

const IDENTITY: &str = include_str!("identity.sql").trim_ascii_end();

/// Replaces all `{name column}` by what the template makes of the column.
fn fill(text: &mut String, name: &str, template: &str) {
    while let Some(begin) = text.find(name) {
        let rest = text.get(begin + name.len()..).unwrap_or_default();
        let length = rest.find('}').unwrap_or(0);
        let column = rest.get(..length).unwrap_or_default();
        let with = template.replace("{}", column);
        text.replace_range(begin..begin + name.len() + length + 1, &with);
    }
}

/// The inside of an array of names as a literal.
fn list<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let names: Vec<&str> = names.collect();
    format!("{{{}}}", names.join(","))
}

fn array(oids: &[Oid]) -> String {
    let mut text = String::from("'{");
    for (index, oid) in oids.iter().enumerate() {
        let comma = if index == 0 { "" } else { "," };
        // Writing to a string does not fail.
        let _ = write!(text, "{comma}{}", oid.0);
    }
    text.push_str("}'::pg_catalog.oid[]");
    text
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    fn version() -> Version {
        Version {
            identity: "5 1".into(),
            horizon: 17,
            moment: "17:17:".into(),
            seen: "12".into(),
            buckets: "-1:5 8:7".into(),
        }
    }

    fn all() -> Vec<String> {
        let version = version();
        vec![
            alone(),
            look(&version),
            load(&Reading::Free, Scope::All, &[]),
            load(&Reading::Patient(vec![Oid(8), Oid(9)]), Scope::All, &[]),
            load(&Reading::Nothing, Scope::Shared(&version), &[Oid(8)]),
            load(&Reading::Free, Scope::Changes(&version), &[]),
        ]
    }

    #[test]
    fn all_places_of_the_texts_are_filled() {
        for text in all() {
            // Braces are left in arrays, `'{…}'`, alone.
            let open = text.match_indices('{');
            let stray: Vec<_> = open
                .filter(|(at, _)| !text[..*at].ends_with('\''))
                .collect();
            assert_eq!(stray, []);
        }
    }

    #[test]
    fn all_operators_of_the_questions_say_their_schema() {
        let bare = [
            " = ", " <> ", " ~ ", " !~ ", " || ", " > ", " < ", " <= ", " >= ", " IN ", "LIKE",
            "BETWEEN",
        ];
        for text in all() {
            let text: Vec<&str> = text
                .lines()
                .filter(|line| !line.trim_start().starts_with("--"))
                .collect();
            let text = text.join("\n");
            for code in text.split('\'').step_by(2) {
                let found = bare.iter().find(|operator| code.contains(**operator));
                assert_eq!(found, None, "{code}");
            }
        }
    }

    /// Neither the server nor a pgveil in front of it reads a text with a backslash before it knows
    /// what `standard_conforming_strings` is.
    #[test]
    fn the_questions_mean_the_same_under_all_settings() {
        for text in all() {
            assert!(!text.contains('\\'), "{text}");
        }
    }

    /// But for `pg_depend` and `pg_partitioned_table`, whose rows change only with those that they
    /// are about, and what is asked for anew each time.
    #[test]
    fn the_version_covers_every_catalog_that_is_read() {
        let read = |sql: &'static str| -> HashSet<&str> {
            let words: Vec<&str> = sql.split_whitespace().collect();
            let of = |pair: &[&'static str]| match pair {
                ["FROM" | "JOIN", name] if name.starts_with("pg_catalog.pg_") => {
                    Some(name.trim_end_matches([';', ')']))
                }
                _ => None,
            };
            words.windows(2).filter_map(of).collect()
        };
        let anew = HashSet::from([
            "pg_catalog.pg_depend",
            "pg_catalog.pg_partitioned_table",
            "pg_catalog.pg_locks",
            "pg_catalog.pg_database",
            // What a range is of is decided when its type is made.
            "pg_catalog.pg_range",
        ]);
        let seen = read(include_str!("rows.sql"));
        let asked: HashSet<_> = [
            include_str!("load.sql"),
            include_str!("changing.sql"),
            include_str!("casting.sql"),
            include_str!("shared.sql"),
        ]
        .into_iter()
        .flat_map(read)
        .collect();
        let uncovered: Vec<_> = asked.difference(&seen).collect();
        let uncovered: Vec<_> = uncovered
            .into_iter()
            .filter(|name| !anew.contains(**name))
            .collect();
        assert_eq!(uncovered, Vec::<&&str>::new());
        // What loses rows only with its relation is looked at where it is young alone.
        let arms = include_str!("rows.sql").split("UNION ALL");
        let uncounted: Vec<_> = arms
            .filter(|arm| arm.contains("'0'::pg_catalog.int8 AS there"))
            .collect();
        assert_eq!(uncounted.len(), 1);
        assert!(uncounted[0].contains("pg_catalog.pg_attribute"));
        assert!(asked.len() > 10);
    }
}
