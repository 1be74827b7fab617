//! What the catalogs say of columns of keys: which rows of which relations a database whose ids are
//! real would not have, and which of their columns would say something else. One table for all; how
//! it comes into a statement is the matter of [`super::facade`].
//!
//! The texts are SQL over a row `r` of the relation. In them `{free}` and `{counting}` stand for the
//! oids of the sequences from which no keys come, and of those from which keys do, `{owned}` for those
//! among the latter that a database with real ids would not have. `r.shown` is the oid of the type
//! that clients see in the place of a column's or a domain's, null where that is its own; where a row
//! is about several columns it is `{shown}`, of the column that [`Place`] finds. `{told}` are the oids
//! of the domains of which another type is told, and `{element}` that type for the elements of a row's
//! type.

use std::collections::BTreeMap;

use crate::catalog::{Oid, Snapshot};

use super::Binder;
use super::around::DEFAULTS;
use super::catalog_texts::{
    at_random, class_of_shown, collation_of_shown, counters, declared, default, default_of_domain,
    in_catalog, name_of_shown, of_each, of_routine, of_sizes, of_type, oid_of, oid_of_domain,
    oid_of_routine, one_of_any, operators_of_each, shown, state_of_aggregate, unshown,
    word_of_shown, word_of_type,
};
use super::shown::ShownColumn;
use super::signatures::with_signatures;

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
    /// The oid of the domain that a row is about; empty if it is about none.
    domain: &'static str,
    /// The columns of its primary key, if a statement may group by them.
    pub(super) key: &'static [&'static str],
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
    domain: "",
    key: &[],
    instead: &[],
};

/// Where in a query the clause stands by which only some rows of its relation are read.
pub(super) const SAMPLED: &str = "{sampled}";

/// All relations of the catalogs that show something of annotated columns.
const CATALOGS: &[Catalog] = &[
    Catalog {
        name: "pg_sequence",
        key: &["seqrelid"],
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
    // Each number that is taken reads the block of its sequence.
    Catalog {
        name: "pg_statio_all_sequences",
        always: true,
        rows: "r.relid OPERATOR(pg_catalog.=) ANY ({free})",
        ..AS_IT_IS
    },
    Catalog {
        name: "pg_statio_sys_sequences",
        always: true,
        rows: "r.relid OPERATOR(pg_catalog.=) ANY ({free})",
        ..AS_IT_IS
    },
    Catalog {
        name: "pg_statio_user_sequences",
        always: true,
        rows: "r.relid OPERATOR(pg_catalog.=) ANY ({free})",
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
        // It has none. All columns find one row of those that are alike.
        key: &[
            "classid",
            "objid",
            "objsubid",
            "refclassid",
            "refobjid",
            "refobjsubid",
            "deptype",
        ],
        // A column with an identity has no default that would depend on it, but one that is filled at
        // random does.
        from: "SELECT r.classid, r.objid, r.objsubid, r.refclassid, r.refobjid, r.refobjsubid, \
               r.deptype{hidden} FROM pg_catalog.pg_depend r UNION ALL SELECT \
               'pg_catalog.pg_attrdef'::pg_catalog.regclass::pg_catalog.oid, r.objid, \
               '0'::pg_catalog.int4, r.refclassid, r.refobjid, r.refobjsubid, \
               'a'::pg_catalog.\"char\"{hidden} FROM pg_catalog.pg_depend r WHERE r.classid \
               OPERATOR(pg_catalog.=) 'pg_catalog.pg_class'::pg_catalog.regclass AND r.deptype \
               OPERATOR(pg_catalog.=) 'i' AND r.objid OPERATOR(pg_catalog.=) ANY ({owned})",
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
                 FROM (SELECT (u.k OPERATOR(pg_catalog.-) 1)::pg_catalog.int4 AS k FROM \
                 pg_catalog.unnest(r.proargtypes::pg_catalog._oid) WITH ORDINALITY u(v, k)) k)"
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
        name: "pg_aggregate",
        key: &["aggfnoid"],
        from: "SELECT r.*{hidden}, r.aggfnoid::pg_catalog.oid AS oid FROM pg_catalog.pg_aggregate \
               r{sampled}",
        instead: &[
            declared!("aggtranstype", state_of_aggregate!("aggtranstype")),
            declared!("aggmtranstype", state_of_aggregate!("aggmtranstype")),
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
        // A column of an index is one of its table. That is found once for each row, and not for each
        // thing that is said of it, which Postgres would compile the statement for; and the rows stay in
        // their order, as they would not in a join.
        from: "SELECT r.*{hidden}, s.number FROM pg_catalog.pg_attribute r{sampled} CROSS JOIN LATERAL (SELECT \
               COALESCE((SELECT i.indrelid::pg_catalog.int8 OPERATOR(pg_catalog.*) 65536 \
               OPERATOR(pg_catalog.+) i.indkey[r.attnum OPERATOR(pg_catalog.-) 1] FROM \
               pg_catalog.pg_index i WHERE i.indexrelid OPERATOR(pg_catalog.=) r.attrelid), \
               r.attrelid::pg_catalog.int8 OPERATOR(pg_catalog.*) 65536 OPERATOR(pg_catalog.+) \
               r.attnum) AS number OFFSET 0) s",
        column: Place {
            by_type: "r.atttypid",
            number: "r.number",
        },
        instead: &[
            (
                "atttypid",
                "CASE WHEN r.atttypid OPERATOR(pg_catalog.=) ANY ({told}) THEN r.atttypid ELSE \
                 COALESCE(r.shown, r.atttypid) END",
            ),
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
        // A column with an identity has none, but one that is filled at random does. It has the oid of the
        // sequence, which nobody is told of.
        from: "SELECT r.oid, r.adrelid, r.adnum, r.adbin{hidden} FROM pg_catalog.pg_attrdef r UNION \
               ALL SELECT (SELECT d.objid FROM pg_catalog.pg_depend d WHERE d.refclassid \
               OPERATOR(pg_catalog.=) 'pg_catalog.pg_class'::pg_catalog.regclass AND d.refobjid \
               OPERATOR(pg_catalog.=) r.attrelid AND d.refobjsubid OPERATOR(pg_catalog.=) r.attnum \
               AND d.deptype OPERATOR(pg_catalog.=) 'i' AND d.classid OPERATOR(pg_catalog.=) \
               'pg_catalog.pg_class'::pg_catalog.regclass), r.attrelid, r.attnum, NULL{hidden} FROM \
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
            of_each!("indclass", class_of_shown!("indclass")),
            of_each!("indcollation", collation_of_shown!()),
        ],
        ..AS_IT_IS
    },
    Catalog {
        name: "pg_constraint",
        key: &["oid"],
        column: Place {
            by_type: "(SELECT a.atttypid FROM pg_catalog.pg_attribute a WHERE a.attrelid \
                      OPERATOR(pg_catalog.=) r.conrelid AND a.attnum OPERATOR(pg_catalog.=) \
                      r.conkey[k.k])",
            number: "(r.conrelid::pg_catalog.int8 OPERATOR(pg_catalog.*) 65536 \
                     OPERATOR(pg_catalog.+) r.conkey[k.k])",
        },
        instead: &[
            operators_of_each!("conpfeqop"),
            operators_of_each!("conppeqop"),
            operators_of_each!("conffeqop"),
            operators_of_each!("conexclop"),
        ],
        ..AS_IT_IS
    },
    Catalog {
        schema: "information_schema",
        name: "columns",
        column: Place {
            by_type: in_catalog!("oid", "r.udt_name"),
            number: concat!(
                oid_of!("r.table_schema", "r.table_name"),
                "::pg_catalog.int8 OPERATOR(pg_catalog.*) 65536 OPERATOR(pg_catalog.+) \
                 r.ordinal_position"
            ),
        },
        instead: of_sizes![
            shown!("data_type", word_of_shown!()),
            shown!("udt_name", name_of_shown!()),
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
    Catalog {
        schema: "information_schema",
        name: "attributes",
        column: Place {
            by_type: in_catalog!("oid", "r.attribute_udt_name"),
            number: concat!(
                oid_of!("r.udt_schema", "r.udt_name"),
                "::pg_catalog.int8 OPERATOR(pg_catalog.*) 65536 OPERATOR(pg_catalog.+) \
                 r.ordinal_position"
            ),
        },
        instead: of_sizes![
            shown!("data_type", word_of_shown!()),
            shown!("attribute_udt_name", name_of_shown!()),
        ],
        ..AS_IT_IS
    },
    Catalog {
        schema: "information_schema",
        name: "element_types",
        column: Place {
            by_type: concat!(
                "CASE WHEN r.object_type OPERATOR(pg_catalog.=) ANY ('{TABLE,USER-DEFINED TYPE}'\
                 ::pg_catalog._text) THEN ",
                in_catalog!("typarray", "r.udt_name"),
                " END"
            ),
            number: concat!(
                oid_of!("r.object_schema", "r.object_name"),
                "::pg_catalog.int8 OPERATOR(pg_catalog.*) 65536 OPERATOR(pg_catalog.+) \
                 r.collection_type_identifier::pg_catalog.text::pg_catalog.int4"
            ),
        },
        domain: concat!(
            "CASE WHEN r.object_type OPERATOR(pg_catalog.=) 'DOMAIN' THEN ",
            oid_of_domain!("r.object_schema", "r.object_name"),
            " END"
        ),
        instead: &[
            shown!(
                "data_type",
                "(SELECT pg_catalog.format_type(t.typelem, NULL) FROM pg_catalog.pg_type t WHERE \
                 t.oid OPERATOR(pg_catalog.=) r.shown)::information_schema.character_data"
            ),
            shown!(
                "udt_name",
                "(SELECT e.typname FROM pg_catalog.pg_type t JOIN pg_catalog.pg_type e ON e.oid \
                 OPERATOR(pg_catalog.=) t.typelem WHERE t.oid OPERATOR(pg_catalog.=) \
                 r.shown)::information_schema.sql_identifier"
            ),
        ],
        ..AS_IT_IS
    },
    Catalog {
        schema: "information_schema",
        name: "domains",
        domain: oid_of_domain!("r.domain_schema", "r.domain_name"),
        instead: of_sizes![
            shown!(
                "data_type",
                "pg_catalog.format_type(r.shown, NULL)::information_schema.character_data"
            ),
            shown!("udt_name", name_of_shown!()),
            default_of_domain!(
                "domain_default",
                "r.domain_default",
                "'gen_random_uuid()'::information_schema.character_data"
            ),
        ],
        ..AS_IT_IS
    },
    Catalog {
        name: DOMAINS,
        key: &["oid"],
        domain: "r.oid",
        instead: &[
            of_type!("typlen", "typlen"),
            of_type!("typbyval", "typbyval"),
            of_type!("typcategory", "typcategory"),
            of_type!("typoutput", "typoutput"),
            of_type!("typsend", "typsend"),
            of_type!("typanalyze", "typanalyze"),
            of_type!("typstorage", "typstorage"),
            of_type!("typcollation", "typcollation"),
            (
                "typalign",
                // An array begins where its elements may, but never at less than an integer.
                "COALESCE((SELECT CASE WHEN r.shown IS NULL AND t.typalign OPERATOR(pg_catalog.<>) \
                 'd' THEN 'i' ELSE t.typalign END FROM pg_catalog.pg_type t WHERE t.oid \
                 OPERATOR(pg_catalog.=) COALESCE(r.shown, {element})), r.typalign)",
            ),
            (
                "typbasetype",
                "CASE WHEN r.typbasetype OPERATOR(pg_catalog.=) ANY ({told}) THEN r.typbasetype \
                 ELSE COALESCE(r.shown, r.typbasetype) END",
            ),
            shown!("typtypmod", "'-1'::pg_catalog.int4"),
            default_of_domain!(
                "typdefault",
                "pg_catalog.pg_get_expr(r.typdefaultbin, '0')",
                "'gen_random_uuid()'"
            ),
            default_of_domain!(
                "typdefaultbin",
                "pg_catalog.pg_get_expr(r.typdefaultbin, '0')",
                at_random!()
            ),
        ],
        ..AS_IT_IS
    },
    Catalog {
        name: "pg_partitioned_table",
        key: &["partrelid"],
        column: Place {
            by_type: "(SELECT a.atttypid FROM pg_catalog.pg_attribute a WHERE a.attrelid \
                      OPERATOR(pg_catalog.=) r.partrelid AND a.attnum OPERATOR(pg_catalog.=) \
                      r.partattrs[k.k])",
            number: "(r.partrelid::pg_catalog.int8 OPERATOR(pg_catalog.*) 65536 \
                     OPERATOR(pg_catalog.+) r.partattrs[k.k])",
        },
        instead: &[
            of_each!("partclass", class_of_shown!("partclass")),
            of_each!("partcollation", collation_of_shown!()),
        ],
        ..AS_IT_IS
    },
];

impl Catalog {
    /// Whether one of them has this name.
    pub(super) fn is_name(name: &str) -> bool {
        CATALOGS.iter().any(|catalog| catalog.name == name)
    }

    /// That of a name, if the configuration does not ask for the truth. Sequences of keys are told
    /// of to nobody.
    pub(super) fn of(schema: &str, name: &str, snapshot: &Snapshot) -> Option<&'static Self> {
        let mut catalogs = CATALOGS.iter();
        let found = catalogs.find(|catalog| catalog.schema == schema && catalog.name == name)?;
        let is_told = found.always || snapshot.shows_ids() && found.differs(snapshot);
        is_told.then_some(found)
    }

    /// Whether it says something else of a column.
    pub(super) fn tells_otherwise(&self, column: &str) -> bool {
        self.instead.iter().any(|(own, _)| *own == column)
    }

    /// Whether one of those that are not answered as they stand is among words, and one of the columns
    /// of which it says something else, or all of them.
    pub(super) fn is_read(words: &[&str], whole: bool, snapshot: &Snapshot) -> bool {
        CATALOGS.iter().any(|catalog| {
            words.contains(&catalog.name)
                && Self::of(catalog.schema, catalog.name, snapshot).is_some()
                && (whole || words.iter().any(|word| catalog.tells_otherwise(word)))
        })
    }

    /// Whether the primary key is among columns, so that all others depend on these. Postgres knows it of
    /// no view.
    pub(super) fn is_key(&self, columns: &[&str]) -> bool {
        !self.always && !self.key.is_empty() && self.key.iter().all(|key| columns.contains(key))
    }

    /// Its name with its schema.
    pub(super) fn relation(&self) -> String {
        format!("{}.{}", self.schema, self.name)
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
        if self.column.number.is_empty() && !self.domain.is_empty() {
            return !told_domains(snapshot).is_empty();
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
            "" => (format!("{schema}.{name} r{SAMPLED}"), hidden),
            query => (
                format!("({}) r", query.replace("{hidden}", &hidden)),
                String::new(),
            ),
        };
        let asks = |text: &str| text.contains("r.shown");
        if asks(self.rows) || asks(&list) {
            let shown = self.shown(binder);
            from = match (self.column.number, self.domain) {
                ("", _) | (_, "") => {
                    format!("(SELECT r.*{hidden}, {shown} AS shown FROM {from}) r")
                }
                // What is long is written and planned once, not wherever it is asked for.
                _ => format!(
                    "(SELECT r.*{hidden}, s.shown FROM {from} CROSS JOIN LATERAL (SELECT {shown} AS \
                     shown OFFSET 0) s) r"
                ),
            };
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
            query = query.replace("{shown}", &self.shown(binder));
        }
        let snapshot = binder.context.snapshot;
        if query.contains("{told}") {
            let told = told_domains(snapshot);
            let told: Vec<Oid> = told.into_iter().map(|(domain, _)| domain).collect();
            query = query.replace("{told}", &oids(&told));
            query = query.replace("{element}", &of_domain("r.typelem", snapshot));
        }
        with_signatures(&with_sequences(&query, snapshot), snapshot)
    }

    /// The oid of the type that is shown of the column or the domain that a row is about; null if it is
    /// its own.
    fn shown(&self, binder: &Binder<'_>) -> String {
        let snapshot = binder.context.snapshot;
        match (self.column.number, self.domain) {
            (_, "") => self.of_column(binder.shown_columns(), snapshot),
            ("", domain) => of_domain(domain, snapshot),
            (_, domain) => format!(
                "COALESCE({}, {})",
                self.of_column(binder.shown_columns(), snapshot),
                of_domain(domain, snapshot)
            ),
        }
    }

    /// What is shown in the place of one column.
    fn of_column(&self, columns: &[ShownColumn], snapshot: &Snapshot) -> String {
        let mut by_type: BTreeMap<u32, Vec<String>> = BTreeMap::new();
        let domains = snapshot.domains_of_ids().iter();
        let mut stored: Vec<u32> = domains.map(|(domain, _)| domain.0).collect();
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
        let stored: Vec<Oid> = stored.into_iter().map(Oid).collect();
        let mut text = format!(
            "CASE WHEN {} OPERATOR(pg_catalog.=) ANY ({}) THEN CASE",
            self.column.by_type,
            oids(&stored)
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

/// The domains of which another type is told, and that type.
fn told_domains(snapshot: &Snapshot) -> Vec<(Oid, u32)> {
    let domains = snapshot.domains_of_ids().iter();
    let told = domains.filter_map(|(domain, shown)| Some((*domain, (*shown)?)));
    told.collect()
}

/// The oid of the type that is shown of a domain by its oid; null if it is its own.
fn of_domain(oid: &str, snapshot: &Snapshot) -> String {
    let mut by_type: BTreeMap<u32, Vec<Oid>> = BTreeMap::new();
    for (domain, shown) in told_domains(snapshot) {
        by_type.entry(shown).or_default().push(domain);
    }
    if by_type.is_empty() {
        return "NULL::pg_catalog.oid".to_owned();
    }
    let mut text = "CASE".to_owned();
    for (shown, domains) in by_type {
        let domains = oids(&domains);
        text += &format!(
            " WHEN {oid} OPERATOR(pg_catalog.=) ANY ({domains}) THEN '{shown}'::pg_catalog.oid"
        );
    }
    text + " END"
}

/// A number for each column of a database.
pub(super) fn number(relation: Oid, attnum: i16) -> String {
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
pub(super) fn oids(oids: &[Oid]) -> String {
    let oids: Vec<String> = oids.iter().map(|oid| oid.0.to_string()).collect();
    format!("'{{{}}}'::pg_catalog._oid", oids.join(","))
}

/// The catalog of types, with the defaults of domains.
pub(super) const DOMAINS: &str = "pg_type";
