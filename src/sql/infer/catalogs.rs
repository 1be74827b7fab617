//! What the catalogs say of columns of keys: which rows of which relations a database whose ids are
//! real would not have, and which of their columns would say something else. One table for all; how
//! it comes into a statement is the matter of [`super::facade`].
//!
//! The texts are SQL over a row `r` of the relation. In them `{free}` and `{counting}` stand for the
//! oids of the sequences from which no keys come, and of those from which keys do, `{owned}` for those
//! among the latter that a database with real ids would not have. `r.shown` is the oid of the type
//! that clients see in the place of a column's, null where that is its own; where a row is about
//! several columns it is `{shown}`, of the column that [`Place`] finds.

use std::collections::BTreeMap;

use crate::catalog::{KeyType, Oid, Snapshot};

use super::Binder;
use super::shown::ShownColumn;
use super::signatures::{with_signatures, writes_signatures};

/// A relation of the system that is not answered as it stands.
#[derive(Debug)]
pub(super) struct Catalog {
    pub(super) schema: &'static str,
    pub(super) name: &'static str,
    /// Whether it is told of to nobody, and not only where catalogs say what clients see.
    always: bool,
    /// What stands in its place before anything else is said of a row, with `{hidden}` for the
    /// columns that a statement has to name; empty for the relation itself.
    from: &'static str,
    /// The condition for a row; empty for all rows.
    rows: &'static str,
    /// Which column a row is about; empty if it is about none.
    column: Place,
    /// The columns of its primary key, if a statement may group by them.
    key: &'static [&'static str],
    /// The columns that say something else, and what.
    instead: &'static [(&'static str, &'static str)],
}

/// How the column is found that a row of a catalog is about.
#[derive(Debug)]
struct Place {
    /// The condition under which it can be a column of keys by its type, which is soon judged.
    by_type: &'static str,
    /// The number of the column in the database; see [`number`].
    number: &'static str,
}

/// A row is about no column.
const NONE: Place = Place {
    by_type: "",
    number: "",
};

/// What is neither hidden nor told otherwise.
const AS_IT_IS: Catalog = Catalog {
    schema: "pg_catalog",
    name: "",
    always: false,
    from: "",
    rows: "",
    column: NONE,
    key: &[],
    instead: &[],
};

/// What `pg_type` says of the type that is shown.
macro_rules! of_type {
    ($own:literal, $column:literal) => {
        (
            $own,
            concat!(
                "CASE WHEN r.shown IS NULL THEN r.",
                $own,
                " ELSE (SELECT t.",
                $column,
                " FROM pg_catalog.pg_type t WHERE t.oid OPERATOR(pg_catalog.=) r.shown) END"
            ),
        )
    };
}

/// This, where another type is shown.
macro_rules! shown {
    ($own:literal, $instead:literal) => {
        (
            $own,
            concat!(
                "CASE WHEN r.shown IS NULL THEN r.",
                $own,
                " ELSE ",
                $instead,
                " END"
            ),
        )
    };
}

/// This, of a function that is declared.
macro_rules! declared {
    ($own:literal, $instead:literal) => {
        (
            $own,
            concat!(
                "CASE WHEN r.oid OPERATOR(pg_catalog.=) ANY ({declared}) THEN ",
                $instead,
                " ELSE r.",
                $own,
                " END"
            ),
        )
    };
}

/// The oid at the end of the name that the information schema gives a function.
macro_rules! oid_of_routine {
    () => {
        "pg_catalog.substring(r.specific_name::pg_catalog.text, '[0-9]+$')::pg_catalog.oid"
    };
}

/// The type that is shown of a parameter of the information schema.
macro_rules! one_of_any {
    () => {
        "(SELECT {any} FROM (SELECT r.ordinal_position::pg_catalog.int4 AS k) x)"
    };
}

/// What the information schema calls a type of the system.
macro_rules! word_of_type {
    () => {
        "(CASE WHEN t.typlen OPERATOR(pg_catalog.=) '-1' AND t.typelem OPERATOR(pg_catalog.<>) '0' \
         THEN 'ARRAY' ELSE pg_catalog.format_type(t.oid, NULL) \
         END)::information_schema.character_data"
    };
}

/// What is said of the type that is shown in the place of that of a function, if one is.
macro_rules! of_routine {
    ($own:literal, $shown:expr, $said:expr) => {
        (
            $own,
            concat!(
                "CASE WHEN r.oid OPERATOR(pg_catalog.=) ANY ({declared}) AND ",
                $shown,
                " IS NOT NULL THEN (SELECT ",
                $said,
                " FROM pg_catalog.pg_type t WHERE t.oid OPERATOR(pg_catalog.=) ",
                $shown,
                ") ELSE r.",
                $own,
                " END"
            ),
        )
    };
}

/// The oid of a relation by its name.
macro_rules! oid_of {
    ($schema:literal, $name:literal) => {
        concat!(
            "(SELECT c.oid FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid \
             OPERATOR(pg_catalog.=) c.relnamespace WHERE c.relname OPERATOR(pg_catalog.=) ",
            $name,
            " AND n.nspname OPERATOR(pg_catalog.=) ",
            $schema,
            ")"
        )
    };
}

/// The expressions by which columns of keys count.
macro_rules! counters {
    () => {
        "ARRAY(SELECT pg_catalog.format('nextval(%L::regclass)', o.o::pg_catalog.regclass) FROM \
         pg_catalog.unnest({counting}) o(o))"
    };
}

/// An expression that is the default of no column: a list. It stands for the one that fills a column
/// at random, which the server may not have anywhere, and nobody can write an expression.
macro_rules! at_random {
    () => {
        "(SELECT p.proargdefaults FROM pg_catalog.pg_proc p WHERE p.oid OPERATOR(pg_catalog.=) \
         'pg_catalog.make_interval'::pg_catalog.regproc)"
    };
}

/// The text of a statement, in the word that Postgres has for what a role must not see.
macro_rules! unshown {
    ($own:literal) => {
        (
            $own,
            concat!(
                "CASE WHEN r.",
                $own,
                " IS NOT NULL THEN '<insufficient privilege>'::pg_catalog.text END"
            ),
        )
    };
}

/// A vector of oids, one for each column of an index: this one, if there is one.
macro_rules! of_each {
    ($own:literal, $instead:literal) => {
        (
            $own,
            concat!(
                "(SELECT COALESCE(pg_catalog.string_agg(COALESCE((",
                $instead,
                "), r.",
                $own,
                "[k.k])::pg_catalog.text, ' ' ORDER BY k.k), '')::pg_catalog.oidvector FROM \
                 pg_catalog.generate_series(0, pg_catalog.array_upper(r.",
                $own,
                ", 1)) k(k))"
            ),
        )
    };
}

/// The type of a column of the information schema, if it is one of the system.
macro_rules! in_catalog {
    () => {
        "(SELECT t.oid FROM pg_catalog.pg_type t WHERE t.typname OPERATOR(pg_catalog.=) r.udt_name \
         AND t.typnamespace OPERATOR(pg_catalog.=) 'pg_catalog'::pg_catalog.regnamespace AND \
         r.domain_name IS NULL)"
    };
}

/// By what a column of uuids is filled, and what is written of another type in the default of one of
/// arrays.
macro_rules! default {
    () => {
        concat!(
            "CASE WHEN r.is_identity OPERATOR(pg_catalog.=) 'YES' OR r.column_default \
             OPERATOR(pg_catalog.=) ANY (",
            counters!(),
            ") THEN 'gen_random_uuid()'::information_schema.character_data ELSE \
             pg_catalog.replace(r.column_default::pg_catalog.text, '::' OPERATOR(pg_catalog.||) \
             pg_catalog.format_type(",
            in_catalog!(),
            ", NULL), '::' OPERATOR(pg_catalog.||) pg_catalog.format_type(r.shown, NULL))\
             ::information_schema.character_data END"
        )
    };
}

/// All of them.
const CATALOGS: &[Catalog] = &[
    Catalog {
        name: "pg_sequence",
        always: true,
        rows: "r.seqrelid OPERATOR(pg_catalog.=) ANY ({free})",
        ..AS_IT_IS
    },
    Catalog {
        name: "pg_sequences",
        always: true,
        rows: concat!(
            oid_of!("r.schemaname", "r.sequencename"),
            " OPERATOR(pg_catalog.=) ANY ({free})"
        ),
        ..AS_IT_IS
    },
    Catalog {
        schema: "information_schema",
        name: "sequences",
        always: true,
        rows: concat!(
            oid_of!("r.sequence_schema", "r.sequence_name"),
            " OPERATOR(pg_catalog.=) ANY ({free})"
        ),
        ..AS_IT_IS
    },
    Catalog {
        name: "pg_class",
        key: &["oid"],
        rows: "r.oid OPERATOR(pg_catalog.<>) ALL ({owned})",
        ..AS_IT_IS
    },
    Catalog {
        name: "pg_depend",
        rows: "NOT (r.classid OPERATOR(pg_catalog.=) 'pg_catalog.pg_class'::pg_catalog.regclass AND \
               r.objid OPERATOR(pg_catalog.=) ANY ({owned}) OR r.refclassid \
               OPERATOR(pg_catalog.=) 'pg_catalog.pg_class'::pg_catalog.regclass AND r.refobjid \
               OPERATOR(pg_catalog.=) ANY ({owned}))",
        ..AS_IT_IS
    },
    Catalog {
        name: "pg_proc",
        key: &["oid"],
        instead: &[
            declared!("prorettype", "COALESCE({result}, r.prorettype)"),
            declared!(
                "proargtypes",
                "(SELECT COALESCE(pg_catalog.string_agg(COALESCE({argument}, \
                 r.proargtypes[k.k])::pg_catalog.text, ' ' ORDER BY k.k), '')::pg_catalog.oidvector \
                 FROM pg_catalog.generate_series(0, pg_catalog.array_upper(r.proargtypes, 1)) k(k))"
            ),
            declared!(
                "proallargtypes",
                "CASE WHEN r.proallargtypes IS NOT NULL THEN ARRAY(SELECT COALESCE({any}, x.t) FROM \
                 pg_catalog.unnest(r.proallargtypes) WITH ORDINALITY x(t, k) ORDER BY x.k) END"
            ),
        ],
        ..AS_IT_IS
    },
    Catalog {
        schema: "information_schema",
        name: "routines",
        from: concat!(
            "SELECT r.*, ",
            oid_of_routine!(),
            " AS oid FROM information_schema.routines r"
        ),
        instead: &[
            of_routine!("data_type", "{result}", word_of_type!()),
            of_routine!(
                "type_udt_name",
                "{result}",
                "t.typname::information_schema.sql_identifier"
            ),
        ],
        ..AS_IT_IS
    },
    Catalog {
        schema: "information_schema",
        name: "parameters",
        from: concat!(
            "SELECT r.*, p.oid, p.proargmodes FROM information_schema.parameters r JOIN \
             pg_catalog.pg_proc p ON p.oid OPERATOR(pg_catalog.=) ",
            oid_of_routine!()
        ),
        instead: &[
            of_routine!("data_type", one_of_any!(), word_of_type!()),
            of_routine!(
                "udt_name",
                one_of_any!(),
                "t.typname::information_schema.sql_identifier"
            ),
            of_routine!(
                "parameter_default",
                one_of_any!(),
                "CASE WHEN r.parameter_default IS NOT NULL THEN ('NULL::' \
                 OPERATOR(pg_catalog.||) pg_catalog.format_type(t.oid, \
                 NULL))::information_schema.character_data END"
            ),
        ],
        ..AS_IT_IS
    },
    // Texts of statements as the server has got them, with keys in them.
    Catalog {
        name: "pg_stat_activity",
        always: true,
        instead: &[unshown!("query")],
        ..AS_IT_IS
    },
    Catalog {
        name: "pg_cursors",
        always: true,
        instead: &[unshown!("statement")],
        ..AS_IT_IS
    },
    Catalog {
        name: "pg_prepared_statements",
        always: true,
        instead: &[unshown!("statement")],
        ..AS_IT_IS
    },
    Catalog {
        name: "pg_attribute",
        key: &["attrelid", "attnum"],
        column: Place {
            by_type: "r.atttypid",
            // A column of an index is one of its table.
            number: "COALESCE((SELECT i.indrelid::pg_catalog.int8 OPERATOR(pg_catalog.*) 65536 \
                     OPERATOR(pg_catalog.+) i.indkey[r.attnum OPERATOR(pg_catalog.-) 1] FROM \
                     pg_catalog.pg_index i WHERE i.indexrelid OPERATOR(pg_catalog.=) r.attrelid), \
                     r.attrelid::pg_catalog.int8 OPERATOR(pg_catalog.*) 65536 \
                     OPERATOR(pg_catalog.+) r.attnum)",
        },
        instead: &[
            ("atttypid", "COALESCE(r.shown, r.atttypid)"),
            of_type!("attlen", "typlen"),
            of_type!("attbyval", "typbyval"),
            of_type!("attalign", "typalign"),
            of_type!("attstorage", "typstorage"),
            of_type!("attcollation", "typcollation"),
            shown!("atttypmod", "'-1'::pg_catalog.int4"),
            shown!("attidentity", "''::pg_catalog.\"char\""),
            (
                "atthasdef",
                "(r.atthasdef OR r.shown IS NOT NULL AND r.attidentity OPERATOR(pg_catalog.<>) '')",
            ),
        ],
        ..AS_IT_IS
    },
    Catalog {
        name: DEFAULTS,
        key: &["oid"],
        // A column with an identity has none, but one that is filled at random does.
        from: "SELECT r.oid, r.adrelid, r.adnum, r.adbin{hidden} FROM pg_catalog.pg_attrdef r UNION \
               ALL SELECT r.attrelid, r.attrelid, r.attnum, NULL{hidden} FROM \
               pg_catalog.pg_attribute r WHERE r.attidentity OPERATOR(pg_catalog.<>) '' AND NOT \
               r.attisdropped",
        rows: "(r.adbin IS NOT NULL OR r.shown IS NOT NULL)",
        column: Place {
            by_type: "(SELECT a.atttypid FROM pg_catalog.pg_attribute a WHERE a.attrelid \
                      OPERATOR(pg_catalog.=) r.adrelid AND a.attnum OPERATOR(pg_catalog.=) r.adnum)",
            number: "(r.adrelid::pg_catalog.int8 OPERATOR(pg_catalog.*) 65536 \
                     OPERATOR(pg_catalog.+) r.adnum)",
        },
        instead: &[(
            "adbin",
            concat!(
                "CASE WHEN r.shown IS NOT NULL AND (r.adbin IS NULL OR \
                 pg_catalog.pg_get_expr(r.adbin, r.adrelid) OPERATOR(pg_catalog.=) ANY (",
                counters!(),
                ")) THEN ",
                at_random!(),
                " ELSE r.adbin END"
            ),
        )],
        ..AS_IT_IS
    },
    Catalog {
        name: "pg_index",
        key: &["indexrelid"],
        column: Place {
            by_type: "(SELECT a.atttypid FROM pg_catalog.pg_attribute a WHERE a.attrelid \
                      OPERATOR(pg_catalog.=) r.indrelid AND a.attnum OPERATOR(pg_catalog.=) \
                      r.indkey[k.k])",
            number: "(r.indrelid::pg_catalog.int8 OPERATOR(pg_catalog.*) 65536 \
                     OPERATOR(pg_catalog.+) r.indkey[k.k])",
        },
        instead: &[
            of_each!(
                "indclass",
                "SELECT n.oid FROM pg_catalog.pg_opclass o JOIN pg_catalog.pg_opclass n ON \
                 n.opcmethod OPERATOR(pg_catalog.=) o.opcmethod WHERE o.oid \
                 OPERATOR(pg_catalog.=) r.indclass[k.k] AND o.opcdefault AND n.opcdefault AND \
                 n.opcintype OPERATOR(pg_catalog.=) {shown}"
            ),
            of_each!(
                "indcollation",
                "SELECT t.typcollation FROM pg_catalog.pg_type t WHERE t.oid \
                 OPERATOR(pg_catalog.=) {shown}"
            ),
        ],
        ..AS_IT_IS
    },
    Catalog {
        schema: "information_schema",
        name: "columns",
        column: Place {
            by_type: in_catalog!(),
            number: concat!(
                oid_of!("r.table_schema", "r.table_name"),
                "::pg_catalog.int8 OPERATOR(pg_catalog.*) 65536 OPERATOR(pg_catalog.+) \
                 r.ordinal_position"
            ),
        },
        instead: &[
            shown!(
                "data_type",
                "(SELECT CASE WHEN t.typlen OPERATOR(pg_catalog.=) '-1' AND t.typelem \
                 OPERATOR(pg_catalog.<>) '0' THEN 'ARRAY' ELSE pg_catalog.format_type(t.oid, NULL) \
                 END FROM pg_catalog.pg_type t WHERE t.oid OPERATOR(pg_catalog.=) r.shown)\
                 ::information_schema.character_data"
            ),
            shown!(
                "udt_name",
                "(SELECT t.typname FROM pg_catalog.pg_type t WHERE t.oid OPERATOR(pg_catalog.=) \
                 r.shown)::information_schema.sql_identifier"
            ),
            shown!("numeric_precision", "NULL"),
            shown!("numeric_precision_radix", "NULL"),
            shown!("numeric_scale", "NULL"),
            shown!("character_maximum_length", "NULL"),
            (
                "character_octet_length",
                "CASE WHEN r.shown IS NULL THEN r.character_octet_length WHEN r.shown \
                 OPERATOR(pg_catalog.=) 'pg_catalog.text'::pg_catalog.regtype THEN \
                 '1073741824'::information_schema.cardinal_number END",
            ),
            shown!("collation_catalog", "NULL"),
            shown!("collation_schema", "NULL"),
            shown!("collation_name", "NULL"),
            (
                "column_default",
                concat!(
                    "CASE WHEN r.shown IS NULL THEN r.column_default ELSE ",
                    default!(),
                    " END"
                ),
            ),
            shown!("is_identity", "'NO'::information_schema.yes_or_no"),
            shown!("identity_generation", "NULL"),
            shown!("identity_start", "NULL"),
            shown!("identity_increment", "NULL"),
            shown!("identity_maximum", "NULL"),
            shown!("identity_minimum", "NULL"),
            shown!("identity_cycle", "'NO'::information_schema.yes_or_no"),
        ],
        ..AS_IT_IS
    },
];

impl Catalog {
    /// That of a name, if the configuration does not ask for the truth. Sequences of keys are told
    /// of to nobody.
    pub(super) fn of(schema: &str, name: &str, snapshot: &Snapshot) -> Option<&'static Self> {
        let mut catalogs = CATALOGS.iter();
        let found = catalogs.find(|catalog| catalog.schema == schema && catalog.name == name)?;
        let is_told = found.always || snapshot.shows_ids() && found.differs(snapshot);
        is_told.then_some(found)
    }

    /// Whether a query that groups its rows by these columns may name others beside its key: then it
    /// is told as it is.
    pub(super) fn is_grouped_by(&self, columns: &[String]) -> bool {
        let names = |key: &&str| columns.iter().any(|column| column == key);
        !self.always && !self.key.is_empty() && self.key.iter().all(names)
    }

    /// Whether it says anything else here: where no sequence is hidden, relations are all there.
    fn differs(&self, snapshot: &Snapshot) -> bool {
        let of_functions = self
            .instead
            .iter()
            .any(|(_, text)| text.contains("{declared}"));
        if of_functions {
            return !snapshot.functions().shown_otherwise().is_empty();
        }
        !self.rows.contains("{owned}") || !snapshot.sequences_of_ids().is_empty()
    }

    /// The query over the relation that has these columns, and these of the hidden ones.
    pub(super) fn query(&self, columns: &[&str], hidden: &[&str], binder: &Binder<'_>) -> String {
        let column = |name: &&str| {
            let instead = self.instead.iter().find(|(own, _)| own == name);
            match instead {
                Some((own, text)) => format!("{text} AS {own}"),
                None => format!("r.{name}"),
            }
        };
        let list: Vec<String> = columns.iter().chain(hidden).map(column).collect();
        let list = list.join(", ");
        let hidden: String = hidden.iter().map(|name| format!(", r.{name}")).collect();
        let Self { schema, name, .. } = self;
        let (mut from, hidden) = match self.from {
            "" => (format!("{schema}.{name} r"), hidden),
            query => (
                format!("({}) r", query.replace("{hidden}", &hidden)),
                String::new(),
            ),
        };
        let asks = |text: &str| text.contains("r.shown");
        if asks(self.rows) || asks(&list) {
            let shown = self.shown(binder.shown_columns());
            from = format!("(SELECT r.*{hidden}, {shown} AS shown FROM {from}) r");
        }
        let mut query = format!("SELECT {list} FROM {from}");
        if !self.rows.is_empty() {
            query += &format!(" WHERE {}", self.rows);
            if self.always {
                // No condition of the statement's is asked about a row before this one.
                query += " OFFSET 0";
            }
        }
        if query.contains("{shown}") {
            query = query.replace("{shown}", &self.shown(binder.shown_columns()));
        }
        let snapshot = binder.context.snapshot;
        with_signatures(&with_sequences(&query, snapshot), snapshot)
    }

    /// The oid of the type that is shown of the column that a row is about; null if it is its own.
    fn shown(&self, columns: &[ShownColumn]) -> String {
        let mut by_type: BTreeMap<u32, Vec<String>> = BTreeMap::new();
        let mut stored: Vec<u32> = Vec::new();
        for column in columns {
            let numbers = by_type.entry(column.shown).or_default();
            numbers.push(number(column.relation, column.attnum));
            stored.push(column.stored);
        }
        if by_type.is_empty() {
            return "NULL::pg_catalog.oid".to_owned();
        }
        stored.sort_unstable();
        stored.dedup();
        let stored: Vec<String> = stored.iter().map(u32::to_string).collect();
        let mut text = format!(
            "CASE WHEN {} OPERATOR(pg_catalog.=) ANY ('{{{}}}'::pg_catalog._oid) THEN CASE",
            self.column.by_type,
            stored.join(",")
        );
        for (shown, numbers) in by_type {
            text += &format!(
                " WHEN {} OPERATOR(pg_catalog.=) ANY ('{{{}}}'::pg_catalog._int8) THEN \
                 '{shown}'::pg_catalog.oid",
                self.column.number,
                numbers.join(",")
            );
        }
        text + " END END"
    }
}

/// A number for each column of a database.
fn number(relation: Oid, attnum: i16) -> String {
    (i64::from(relation.0) * 65536 + i64::from(attnum)).to_string()
}

/// The text with the oids of sequences in it.
fn with_sequences(text: &str, snapshot: &Snapshot) -> String {
    let mut text = text.to_owned();
    for name in ["{free}", "{counting}", "{owned}"] {
        if text.contains(name) {
            let meant = match name {
                "{free}" => snapshot.sequences(false),
                "{counting}" => snapshot.sequences(true),
                _ => snapshot.sequences_of_ids().to_vec(),
            };
            text = text.replace(name, &oids(&meant));
        }
    }
    text
}

/// An array of oids as a literal.
fn oids(oids: &[Oid]) -> String {
    let oids: Vec<String> = oids.iter().map(|oid| oid.0.to_string()).collect();
    format!("'{{{}}}'::pg_catalog._oid", oids.join(","))
}

/// The function that tells which sequence a column has.
pub(super) const SERIAL_SEQUENCE: &str = "pg_get_serial_sequence";

/// What stands before and behind a call of that function, so that it gives null where keys come from
/// the sequence: a column that is filled at random has none. `None` if there is no such sequence.
pub(super) fn around_serial_sequence(snapshot: &Snapshot) -> Option<[String; 2]> {
    let counting = snapshot.sequences(true);
    if counting.is_empty() || !snapshot.shows_ids() {
        return None;
    }
    let open = format!(
        "(SELECT CASE WHEN pgveil.s::pg_catalog.regclass::pg_catalog.oid \
         OPERATOR(pg_catalog.=) ANY ({}) THEN NULL ELSE pgveil.s END AS {SERIAL_SEQUENCE} FROM \
         (SELECT ",
        oids(&counting)
    );
    Some([open, " AS s) AS pgveil)".to_owned()])
}

/// The catalog of the expressions that fill columns.
pub(super) const DEFAULTS: &str = "pg_attrdef";

/// The function that tells what an expression is.
pub(super) const EXPRESSION: &str = "pg_get_expr";

/// What stands before and behind a call of that function, so that it tells what fills a column at
/// random, and in the default of an array the type that clients see: whose default it is the row of
/// the catalog says, which is called `row` if it has a name.
pub(super) fn around_expression(columns: &[ShownColumn], row: Option<&str>) -> [String; 2] {
    let row = row.map_or(String::new(), |row| format!("{row}."));
    let mut arrays = String::new();
    for (stored, shown, numbers) in shown_arrays(columns) {
        arrays += &format!(
            " WHEN {row}adrelid::pg_catalog.int8 OPERATOR(pg_catalog.*) 65536 \
             OPERATOR(pg_catalog.+) {row}adnum OPERATOR(pg_catalog.=) ANY \
             ('{{{numbers}}}'::pg_catalog._int8) THEN pg_catalog.replace(pgveil.e, '::' \
             OPERATOR(pg_catalog.||) pg_catalog.format_type('{stored}', NULL), '::' \
             OPERATOR(pg_catalog.||) pg_catalog.format_type('{shown}', NULL))"
        );
    }
    let open = format!(
        "(SELECT CASE WHEN pgveil.e OPERATOR(pg_catalog.=) pg_catalog.pg_get_expr({}, '0') THEN \
         'gen_random_uuid()'{arrays} ELSE pgveil.e END AS {EXPRESSION} FROM (SELECT ",
        at_random!()
    );
    [open, " AS e) AS pgveil)".to_owned()]
}

/// The columns of arrays in whose place clients see others: the types of the arrays, and the numbers
/// of the columns.
fn shown_arrays(columns: &[ShownColumn]) -> Vec<(u32, u32, String)> {
    let mut arrays: BTreeMap<(u32, u32), Vec<String>> = BTreeMap::new();
    let is_array = |column: &&ShownColumn| KeyType::from_oid(column.stored).is_some_and(|of| of.1);
    for column in columns.iter().filter(is_array) {
        let numbers = arrays.entry((column.stored, column.shown)).or_default();
        numbers.push(number(column.relation, column.attnum));
    }
    let arrays = arrays.into_iter();
    arrays
        .map(|((stored, shown), numbers)| (stored, shown, numbers.join(",")))
        .collect()
}

/// Whether a word of a statement may name what is not answered as it stands.
pub(in crate::sql) fn may_be_retold(word: &str, snapshot: &Snapshot) -> bool {
    let is_named = || {
        let is_writer = || writes_signatures(word, snapshot);
        word == SERIAL_SEQUENCE || CATALOGS.iter().any(|one| one.name == word) || is_writer()
    };
    // Cheap for the words of statements that are about something else.
    let may_be = word.starts_with("pg_")
        || ["columns", "parameters", "routines", "sequences"].contains(&word);
    may_be && snapshot.has_ids() && is_named()
}
