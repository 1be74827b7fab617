//! What has been defined anew between two snapshots, be it as before: in between it may have meant
//! anything, and the server may have answered by that. The catalogs don't show what was there then,
//! but by which transaction each of their rows was written.
//!
//! Mostly it is nothing, or what nobody else names. So it is found first, with what is defined by way
//! of it, and then a text is searched for its names.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::passed::without_literals;
use super::shared::Epoch;
use crate::catalog::{Code, Function, Relation, SearchPath, Snapshot, is_temporary};
use crate::sql::objects::{Name, Names};
use crate::sql::words_for;

/// No text is searched for more names: then anything is taken for concerned.
const MOST_NAMES: usize = 200;

/// All that has been defined anew.
#[derive(Debug)]
pub(super) struct Revisions {
    /// Between which snapshots.
    between: (Epoch, Epoch),
    /// What was there only in between.
    transient: Names,
    things: Vec<Thing>,
    /// Names, in lower case, behind which code may say where names are looked for.
    setters: Vec<String>,
    /// Functions that run where nothing names them, or too much.
    anything: bool,
}

/// A relation, a function or an operator, in lower case. What is not known may be any.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Thing {
    schema: Option<String>,
    name: Option<String>,
    part: Part,
    /// It is concerned only where all of these schemas are on the path, by which its code finds what
    /// has been defined anew.
    found_in: BTreeSet<String>,
}

/// How much of it.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Part {
    All,
    /// These columns, or who reads whole rows.
    Columns(Vec<String>),
}

impl Revisions {
    /// Finds them.
    pub(super) fn between(
        then: (Epoch, &Snapshot),
        now: (Epoch, &Snapshot),
        transient: Names,
    ) -> Self {
        let mut revisions = Self {
            between: (then.0, now.0),
            things: transient.iter().map(Thing::transient).collect(),
            setters: Vec::new(),
            anything: then.1.hidden_version() != now.1.hidden_version(),
            transient,
        };
        let (then, now) = (then.1, now.1);
        let relations = then.relations();
        revisions.things.extend(relations.filter_map(|relation| {
            let later = now.relation(relation.oid);
            let part = later.map_or(Some(Part::All), |later| {
                revised(relation, later, [then, now])
            });
            part.map(|part| Thing::new(&relation.schema, &relation.name, part))
        }));
        let later = |function: &Function| now.functions().function(function.oid);
        let is_redefined = |function: &&Function| {
            later(function).is_none_or(|later| {
                later.version != function.version
                    || (&later.schema, &later.name) != (&function.schema, &function.name)
            })
        };
        // Nobody but their own session finds, or defines, those of a temporary schema.
        let lasts = |function: &&Function| !is_temporary(&function.schema);
        let functions: Vec<&Function> = then.functions().all_of_user().filter(lasts).collect();
        let said_anew = |function: &&Function| {
            later(function).is_some_and(|later| later.schema_version != function.schema_version)
        };
        let said_anew: Vec<&Function> = functions.iter().copied().filter(said_anew).collect();
        let ambiguous = [then, now].map(|of| of.with_namesakes(&said_anew));
        let is_ambiguous =
            |function: &Function| ambiguous.iter().any(|of| of.contains(&function.oid));
        let functions = functions.into_iter();
        let functions = functions.filter(|of| is_redefined(of) || is_ambiguous(of));
        let functions = functions.map(|of| Thing::new(&of.schema, &of.name, Part::All));
        revisions.things.extend(functions);
        revisions.spread(then);
        if !revisions.things.is_empty() {
            let setters = [then, now].map(|of| of.functions().setters().map(str::to_lowercase));
            revisions.setters = setters.into_iter().flatten().collect();
        }
        revisions
    }

    /// Whether they are between these snapshots.
    pub(super) fn are_between(&self, then: Epoch, now: Epoch, transient: &Names) -> bool {
        self.between == (then, now) && self.transient == *transient
    }

    /// Adds what is defined by way of them: views, rules, functions, and columns that hold rows.
    fn spread(&mut self, then: &Snapshot) {
        let mut searched = 0;
        while searched < self.things.len() && !self.anything {
            self.anything =
                self.things.len() > MOST_NAMES || self.things.iter().any(Thing::may_be_any);
            let new = self.things.get(searched..).unwrap_or_default();
            let mut found = Vec::new();
            for relation in then.relations() {
                let rules = relation.rules.iter().map(|rule| &rule.definition);
                let texts = relation.definition.iter().chain(rules);
                // Postgres has written these texts, with the schemas of all that is not its own.
                let ways =
                    texts.flat_map(|text| Text::new(text.as_bytes()).ways(new, Finds::Named));
                let mut thing = Thing::new(&relation.schema, &relation.name, Part::All);
                found.extend(ways.map(|found_in| Thing {
                    found_in,
                    ..thing.clone()
                }));
                if let Some(part) = rows_of(relation, then, new) {
                    thing.part = part;
                    found.push(thing);
                }
            }
            for function in then.functions().all_of_user() {
                let (code, finds) = match &function.code {
                    Code::Atomic(code) => (code, Finds::Named),
                    Code::Sql(code) | Code::Other(code) => (code, Finds::of(function, code)),
                    Code::Hidden => continue,
                };
                let thing = Thing::new(&function.schema, &function.name, Part::All);
                let ways = Text::new(code.as_bytes()).ways(new, finds);
                found.extend(ways.into_iter().map(|found_in| Thing {
                    found_in,
                    ..thing.clone()
                }));
            }
            // Operators and casts over functions that are concerned.
            let is_new = |function: &Function| {
                let mut new = new.iter();
                new.any(|thing| thing.may_be(&function.schema, &function.name))
            };
            let (names, unnamed) = then.run_by(is_new);
            self.anything |= unnamed;
            found.extend(names.into_iter().map(Thing::anywhere));
            searched = self.things.len();
            for thing in found {
                if self.things.len() > MOST_NAMES {
                    break;
                }
                if !self.things.iter().any(|known| known.covers(&thing)) {
                    self.things.push(thing);
                }
            }
        }
    }

    /// Whether any concerns a text: where its names are looked for is given, if that is known.
    pub(super) fn concern(&self, text: &[u8], path: Option<&SearchPath>) -> bool {
        self.anything
            || !self.things.is_empty() && {
                let plain = without_literals(text);
                let path = path.filter(|_| !self.may_move_path(text));
                Text::new(plain.as_deref().unwrap_or(text)).names_any(&self.things, path)
            }
    }

    /// Whether a text may say itself where its names are looked for, or those of its functions.
    fn may_move_path(&self, text: &[u8]) -> bool {
        let text = Text::new(text);
        says_where(&text) || self.setters.iter().any(|name| text.may_have(name))
    }
}

/// Which names a text finds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Finds {
    /// Those whose schemas it names.
    Named,
    /// Those whose schemas are on the path of whoever runs it, too.
    OnPath,
    /// All.
    Anywhere,
}

impl Finds {
    /// What the code of a function finds.
    fn of(function: &Function, code: &str) -> Self {
        let is_elsewhere = function.altered || function.changes_settings;
        match is_elsewhere || says_where(&Text::new(code.as_bytes())) {
            true => Self::Anywhere,
            false => Self::OnPath,
        }
    }
}

/// What of a relation has been defined anew. Where its schema had another name in between, or could
/// not be used, its own name meant one in another schema, or nothing; if there is none, it has only
/// been said anew who may use the schema, which any role may say in vain of one that it may use.
fn revised(
    relation: &Arc<Relation>,
    later: &Arc<Relation>,
    snapshots: [&Snapshot; 2],
) -> Option<Part> {
    if Arc::ptr_eq(relation, later) {
        return None;
    }
    let has_namesake = || snapshots.iter().any(|of| of.has_namesake(relation));
    if relation.version != later.version
        || relation.schema != later.schema
        || relation.schema_version != later.schema_version && has_namesake()
    {
        return Some(Part::All);
    }
    let (columns, others) = relation.revised_columns(later);
    let columns: Vec<String> = columns.into_iter().map(str::to_lowercase).collect();
    (others || !columns.is_empty()).then_some(Part::Columns(columns))
}

/// The columns of a relation that hold rows of one of these things.
fn rows_of(relation: &Relation, then: &Snapshot, things: &[Thing]) -> Option<Part> {
    let holds = |of: &Relation| {
        let mut things = things.iter();
        things.any(|thing| thing.may_be(&of.schema, &of.name))
    };
    let columns = relation.columns.iter().filter(|column| {
        let of = column.row.and_then(|(of, _)| then.relation(of));
        of.is_some_and(|of| holds(of))
    });
    let columns: Vec<String> = columns.map(|of| of.name.to_lowercase()).collect();
    (!columns.is_empty()).then_some(Part::Columns(columns))
}

/// Whether a text may say where names are looked for.
fn says_where(text: &Text) -> bool {
    ["search_path", "set_config", "schema", "discard", "reset"]
        .iter()
        .any(|word| text.has(word))
}

impl Thing {
    fn new(schema: &str, name: &str, part: Part) -> Self {
        Self {
            schema: Some(schema.to_lowercase()),
            name: Some(name.to_lowercase()),
            part,
            found_in: BTreeSet::new(),
        }
    }

    fn transient(name: &Name) -> Self {
        Self {
            schema: name.schema.as_deref().map(str::to_owned),
            name: name.name.as_deref().map(str::to_owned),
            part: Part::All,
            found_in: BTreeSet::new(),
        }
    }

    /// One that may be in any schema.
    fn anywhere(name: &str) -> Self {
        Self {
            schema: None,
            ..Self::new("", name, Part::All)
        }
    }

    /// Whether nothing is known of it.
    const fn may_be_any(&self) -> bool {
        self.schema.is_none() && self.name.is_none()
    }

    /// Whether it may be what has this name in this schema.
    fn may_be(&self, schema: &str, name: &str) -> bool {
        let is = |known: &Option<String>, own: &str| {
            let mut known = known.iter();
            known.all(|known| *known == own.to_lowercase())
        };
        is(&self.name, name) && is(&self.schema, schema)
    }

    /// Whether whoever is concerned by another one is concerned by this one.
    fn covers(&self, other: &Self) -> bool {
        let is_same = self.schema == other.schema && self.name == other.name;
        is_same
            && (self.part == Part::All || self.part == other.part)
            && self.found_in.is_subset(&other.found_in)
    }
}

/// A text, to be searched for names.
struct Text {
    /// In lower case.
    folded: String,
    /// Names in it may be spelled in other ways.
    is_spelled: bool,
}

impl Text {
    fn new(text: &[u8]) -> Self {
        let folded = String::from_utf8_lossy(text).to_lowercase();
        let is_spelled = folded.contains("&\"") || folded.contains("\"\"");
        Self { folded, is_spelled }
    }

    /// Whether it may name one of these things.
    fn names_any(&self, things: &[Thing], path: Option<&SearchPath>) -> bool {
        things.iter().any(|thing| self.names(thing, path))
    }

    /// The schemas that have to be on the path each time that one of these things is found by it.
    fn ways(&self, things: &[Thing], finds: Finds) -> Vec<BTreeSet<String>> {
        let way = |thing: &Thing| {
            let is_there = self.names(thing, None);
            let mut found_in = thing.found_in.clone();
            match (&thing.schema, finds) {
                (Some(schema), Finds::Named | Finds::OnPath) if !self.may_have(schema) => {
                    // Whoever has all of a schema on the path is concerned, whatever runs then.
                    if finds == Finds::Named || thing.name.is_none() {
                        return None;
                    }
                    found_in.insert(schema.clone());
                }
                (_, Finds::Anywhere) => found_in.clear(),
                _ => {}
            }
            is_there.then_some(found_in)
        };
        things.iter().filter_map(way).collect()
    }

    fn names(&self, thing: &Thing, path: Option<&SearchPath>) -> bool {
        let Thing {
            schema,
            name,
            part,
            found_in,
        } = thing;
        name.as_ref().is_none_or(|name| self.may_have(name))
            && match (schema, path) {
                (Some(schema), Some(path)) => path.may_find_in(schema) || self.may_have(schema),
                _ => true,
            }
            && path.is_none_or(|path| found_in.iter().all(|schema| path.may_find_in(schema)))
            && match (part, name) {
                (Part::Columns(columns), Some(name)) => {
                    columns.iter().any(|column| self.may_have(column)) || self.reads_rows(name)
                }
                _ => true,
            }
    }

    /// Whether a name may be in it, or the symbol of an operator.
    fn may_have(&self, name: &str) -> bool {
        // In another encoding such a name is other bytes.
        let is_hidden = !name.is_ascii() && !self.folded.is_ascii();
        let is_symbol = !name.contains(|c: char| c.is_alphanumeric() || c == '_');
        self.is_spelled
            || is_hidden
            || self.has(name)
            || is_symbol
                && (self.folded.contains(name) || words_for(name).any(|word| self.has(word)))
    }

    /// Whether a word is in it.
    fn has(&self, word: &str) -> bool {
        self.places(word).next().is_some()
    }

    /// Where a word stands in it.
    fn places<'t>(&'t self, word: &'t str) -> impl Iterator<Item = usize> + 't {
        let is_part =
            |byte: u8| byte.is_ascii_alphanumeric() || b"_$".contains(&byte) || byte >= 128;
        let bytes = self.folded.as_bytes();
        let found = self.folded.match_indices(word).map(|(at, _)| at);
        found.filter(move |at| {
            let before = at.checked_sub(1).and_then(|at| bytes.get(at));
            let behind = bytes.get(at + word.len());
            ![before, behind]
                .into_iter()
                .flatten()
                .any(|byte| is_part(*byte))
        })
    }

    /// Whether it may read columns of a relation that it does not name: by a star, by whole rows, by
    /// other names for the columns.
    fn reads_rows(&self, relation: &str) -> bool {
        let counted = self.folded.replace("(*)", "");
        counted.contains('*')
            || counted.contains("--")
            || self.has("natural")
            || self.is_row(relation)
    }

    /// Whether a relation, or what it is called here, may stand for a row or have other names for its
    /// columns: it stands where it is not read, and no column behind it.
    fn is_row(&self, relation: &str) -> bool {
        let mut reads = 0;
        let read = self
            .places(relation)
            .filter_map(|at| Some((at, self.read_by(at)?)));
        for (at, word) in read {
            reads += 1;
            if DEFINES.contains(&word) {
                continue;
            }
            let rest = self.behind(at, relation);
            let as_word = rest
                .strip_prefix("as")
                .filter(|rest| rest.starts_with(is_blank));
            let rest = as_word.unwrap_or(rest).trim_start_matches(is_blank);
            let is_end = |alias: &str| match alias {
                "set" => word == "update",
                "values" => word == "into",
                alias => ENDS.contains(&alias),
            };
            // A name in quotes is no keyword.
            let is_name = as_word.is_some() || self.is_quoted(rest);
            let is_part = |c: char| c.is_alphanumeric() || c == '_';
            let alias = rest.get(..rest.find(|c| !is_part(c)).unwrap_or(rest.len()));
            let alias = alias.filter(|alias| !alias.is_empty() && (is_name || !is_end(alias)));
            let behind = rest.get(alias.map_or(0, str::len)..).unwrap_or_default();
            // INSERT names them.
            let is_renamed = word != "into" && behind.trim_start_matches(is_blank).starts_with('(');
            if is_renamed || alias.is_some_and(|alias| self.stands_alone(alias) > 1) {
                return true;
            }
        }
        self.stands_alone(relation) > reads
    }

    /// Whether the name with which the rest of the text begins is in quotes.
    fn is_quoted(&self, rest: &str) -> bool {
        let at = self.folded.len().saturating_sub(rest.len());
        let before = self.folded.get(..at).unwrap_or_default();
        let alias = rest.find(['"', ' ']).and_then(|end| rest.get(end..));
        before.ends_with('"') && alias.is_some_and(|behind| behind.starts_with('"'))
    }

    /// How often a word stands without a column behind it.
    fn stands_alone(&self, word: &str) -> usize {
        let places = self.places(word);
        places
            .filter(|at| !self.behind(*at, word).starts_with('.'))
            .count()
    }

    /// What stands behind a word.
    fn behind(&self, at: usize, word: &str) -> &str {
        let rest = self.folded.get(at + word.len()..).unwrap_or_default();
        rest.trim_start_matches(is_blank)
    }

    /// The word in front of a name that stands where a relation is read, or where a definition says
    /// which one it is about.
    fn read_by(&self, at: usize) -> Option<&'static str> {
        let before = self.folded.get(..at).unwrap_or_default();
        let before = before.trim_end_matches(is_blank);
        let before = match before.strip_suffix('.') {
            // That is its schema.
            Some(before) => {
                let before = before.trim_end_matches(is_blank);
                before.trim_end_matches(|c: char| !is_blank(c) && c != '(' && c != ',')
            }
            None => before,
        };
        let before = before.trim_end_matches(|c| is_blank(c) || c == '(');
        let words = ["from", "join", "update", "into", "only"];
        let mut words = words.into_iter().chain(DEFINES);
        words.find(|word| before.ends_with(word))
    }
}

/// Blanks, and the quotes of a name.
fn is_blank(c: char) -> bool {
    c.is_whitespace() || c == '"'
}

/// Words in front of a relation of which no row is read.
const DEFINES: [&str; 4] = ["references", "exists", "alter table", "drop table"];

/// Words that may stand behind a relation and are no other name for it.
const ENDS: [&str; 20] = [
    "where",
    "join",
    "left",
    "right",
    "full",
    "inner",
    "cross",
    "on",
    "order",
    "group",
    "limit",
    "union",
    "except",
    "intersect",
    "returning",
    "having",
    "offset",
    "for",
    "fetch",
    "window",
];

#[cfg(test)]
mod tests {
    use super::*;

    fn concerned(text: &str, things: &[(&str, &str, &[&str])]) -> bool {
        let part = |columns: &[&str]| match columns {
            [] => Part::All,
            columns => Part::Columns(columns.iter().map(|&column| column.to_owned()).collect()),
        };
        let things = things.iter();
        let revisions = Revisions {
            between: (Epoch::default(), Epoch::default()),
            transient: Names::default(),
            things: things
                .map(|(schema, name, columns)| Thing::new(schema, name, part(columns)))
                .collect(),
            setters: Vec::new(),
            anything: false,
        };
        let path = SearchPath::new(vec!["pg_catalog".to_owned(), "public".to_owned()]);
        let path = path.set_by("ann\0\"$user\", public");
        revisions.concern(text.as_bytes(), Some(&path))
    }

    #[test]
    fn what_a_text_names_concerns_it() {
        let things: &[(&str, &str, &[&str])] = &[
            ("public", "people", &[]),
            ("hid", "hv", &[]),
            ("ann", "hers", &[]),
            ("public", "Größe", &[]),
        ];
        for text in [
            "select upper(email) from people",
            "select 1 from \"people\" p",
            "select email from hid.hv",
            "set local search_path = hid; select email from hv",
            "select email from hers",
            "select email from U&\"\\0068id\".hv",
            "select 1 from \"GRÖßE\"",
        ] {
            assert!(concerned(text, things), "{text}");
        }
        for text in [
            "select email from hv",
            "select peoples from users",
            "select id from users where note = 'people'",
            "select id from tenant.users where note <> 'hid'",
        ] {
            assert!(!concerned(text, things), "{text}");
        }
    }

    #[test]
    fn columns_concern_who_names_them_or_reads_rows() {
        let things: &[(&str, &str, &[&str])] = &[("public", "users", &["more"])];
        for text in [
            "select more from users",
            "select * from users",
            "select u.* from users u",
            "select u from users u",
            "select row_to_json(u) from public.users as u where id = 1",
            "select a, users from users",
            "select u from users as\nu",
            "select u from users --\n u",
            "select set from users set",
            "select \"left\" from users \"left\"",
            "select upper(c) from users as u(a,b,c)",
            "select upper(c) from users u (a,b,c)",
            "table users",
            "copy users to stdout",
            "select id from a natural join users",
            "create view v as table users",
            "create table t (user_id bigint references users); select users from users",
        ] {
            assert!(concerned(text, things), "{text}");
        }
        for text in [
            "select id, upper(email) from users",
            "select count(*) from users",
            "select u.id from public.users as u join orders o on o.user_id = u.id",
            "select users.id from \"users\" where users.id = 1",
            "insert into users (email) values ('x') returning id",
            "update users set email = 'y' where id = 1 returning id",
            "delete from only users where id = 1",
            "create table t (id int, user_id bigint references users, note text)",
            "create table t (user_id bigint references public.users (id), note text)",
            "alter table users add column a int, add column b int",
            "drop table if exists users",
        ] {
            assert!(!concerned(text, things), "{text}");
        }
    }
}
