//! Relations of the system that tell of sequences. In the place of each stands a subquery over it
//! with the same columns, and without the rows of sequences from which keys come: a database whose
//! ids are made at random would have none.

use std::ops::Range;

use sqlparser::ast::{Function, Ident, ObjectName, Spanned, TableAlias};

use crate::catalog::{Oid, Relation, Snapshot};
use crate::sql::parse::range;
use crate::sql::plan::{Edit, Replacement};
use crate::sql::scope::{Output, Scope};
use crate::sql::why::Origin;

use super::from::named;
use super::name::last;
use super::{Binder, Check};

/// A relation of the system with a row for each sequence.
struct Listing {
    schema: &'static str,
    name: &'static str,
    /// Its columns, which are the same in all versions of Postgres from 10 on.
    columns: &'static [&'static str],
    /// The oid of the sequence that a row `s` is about.
    sequence: &'static str,
}

const LISTINGS: &[Listing] = &[
    Listing {
        schema: "pg_catalog",
        name: "pg_sequence",
        columns: &[
            "seqrelid",
            "seqtypid",
            "seqstart",
            "seqincrement",
            "seqmax",
            "seqmin",
            "seqcache",
            "seqcycle",
        ],
        sequence: "s.seqrelid",
    },
    Listing {
        schema: "pg_catalog",
        name: "pg_sequences",
        columns: &[
            "schemaname",
            "sequencename",
            "sequenceowner",
            "data_type",
            "start_value",
            "min_value",
            "max_value",
            "increment_by",
            "cycle",
            "cache_size",
            "last_value",
        ],
        sequence: "(SELECT c.oid FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON \
                   n.oid OPERATOR(pg_catalog.=) c.relnamespace WHERE c.relname \
                   OPERATOR(pg_catalog.=) s.sequencename AND n.nspname OPERATOR(pg_catalog.=) \
                   s.schemaname)",
    },
    Listing {
        schema: "information_schema",
        name: "sequences",
        columns: &[
            "sequence_catalog",
            "sequence_schema",
            "sequence_name",
            "data_type",
            "numeric_precision",
            "numeric_precision_radix",
            "numeric_scale",
            "start_value",
            "minimum_value",
            "maximum_value",
            "increment",
            "cycle_option",
        ],
        sequence: "(SELECT c.oid FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON \
                   n.oid OPERATOR(pg_catalog.=) c.relnamespace WHERE c.relname \
                   OPERATOR(pg_catalog.=) s.sequence_name AND n.nspname \
                   OPERATOR(pg_catalog.=) s.sequence_schema)",
    },
];

impl Binder<'_> {
    /// What such a relation offers under FROM; `None` for others, and in definitions, which stay as
    /// they are.
    pub(super) fn listing_of_sequences(
        &mut self,
        relation: &Relation,
        name: &ObjectName,
        alias: Option<&TableAlias>,
    ) -> Check<Option<Scope>> {
        let mut listings = LISTINGS.iter();
        let listing = listings
            .find(|listing| listing.schema == relation.schema && listing.name == relation.name)
            .filter(|_| !self.is_stored());
        let Some(listing) = listing else {
            return Ok(None);
        };
        if let Some(sample) = self.sample_behind(name, alias) {
            return self.unsupported("TABLESAMPLE of this relation", sample);
        }
        let free = self.context.snapshot.sequences(false);
        self.types.spend(free.len());
        let columns: Vec<String> = (listing.columns.iter())
            .map(|column| format!("s.{column}"))
            .collect();
        let Listing {
            schema,
            name: listed,
            sequence,
            ..
        } = listing;
        let subquery = format!(
            "(SELECT {} FROM {schema}.{listed} s WHERE {sequence} OPERATOR(pg_catalog.=) ANY ({}))",
            columns.join(", "),
            array(&free)
        );
        self.stand_in(name, alias, listed, subquery);
        let outputs = listing.columns.iter().map(|column| {
            let node = self.types.native(0);
            Output {
                name: (*column).to_owned(),
                node: self.column_of(relation, column, node, Origin::UNKNOWN),
            }
        });
        let outputs: Vec<Output> = outputs.collect();
        let mut table = named(outputs, alias, listed);
        table.other_row = true;
        table.stands_in = true;
        if alias.is_none() {
            table.schema = Some((*schema).to_owned());
        }
        Ok(Some(Scope::of(table)))
    }

    /// Puts a subquery in the place of a relation, and of the words before it that only the name of
    /// a relation may follow.
    fn stand_in(
        &mut self,
        name: &ObjectName,
        alias: Option<&TableAlias>,
        known_as: &str,
        subquery: String,
    ) {
        let mut text = subquery;
        if alias.is_none() {
            text += &format!(" AS {known_as}");
        }
        let mut span = range(name.span());
        let mut before = self.token_before(span.start);
        if self.is_keyword(&before, "(") {
            let only = self.token_before(before.start);
            if self.is_keyword(&only, "only") {
                span = only.start..self.closing(before.start).unwrap_or(span.end);
            }
        } else if self.is_keyword(&before, "only") {
            span.start = before.start;
        }
        before = self.token_before(span.start);
        if self.is_keyword(&before, "table") {
            span.start = before.start;
            text = format!("SELECT * FROM {text}");
        }
        let with = Replacement::Text(text);
        self.replaced.push(Edit { span, with });
        self.retold = true;
    }

    /// Whether a keyword or a sign stands at a place.
    fn is_keyword(&self, place: &Range<usize>, keyword: &str) -> bool {
        self.written(place).eq_ignore_ascii_case(keyword)
    }

    /// Whether what is read has not been written by the client: what has been defined stays as it
    /// is.
    fn is_stored(&self) -> bool {
        self.types.inside || self.reads_definition()
    }

    /// The TABLESAMPLE behind a relation, which no subquery may have.
    fn sample_behind(&self, name: &ObjectName, alias: Option<&TableAlias>) -> Option<Range<usize>> {
        let mut end = match alias {
            Some(alias) => range(alias.name.span).end,
            None => range(name.span()).end,
        };
        let next = |end: usize| Some(self.tokens_from(end).first()?.span.clone());
        if alias.is_some_and(|alias| !alias.columns.is_empty()) {
            end = self.closing(next(end)?.start)?;
        }
        let mut word = next(end)?;
        while self.is_keyword(&word, ")") {
            word = next(word.end)?;
        }
        self.is_keyword(&word, "tablesample").then_some(word)
    }

    /// Takes the schema away from a name in front of that of a column or `*`: a subquery has none.
    /// The parts are those of the name up to the table's.
    pub(super) fn unqualify(&mut self, schema: Option<&str>, parts: &[Ident]) {
        let [first, .., table] = parts else {
            return;
        };
        let mut scopes = self.scopes.iter().rev();
        let found = scopes.find_map(|scope| scope.table(schema, &table.value));
        if found.is_some_and(|table| table.stands_in) {
            self.replaced.push(Edit {
                span: range(first.span).start..range(table.span).start,
                with: Replacement::Text(String::new()),
            });
        }
    }

    /// A call of `pg_get_serial_sequence` gives null where keys come from the sequence: a column
    /// that is filled at random has none.
    pub(super) fn serial_sequence(&mut self, function: &Function) -> Check<()> {
        if last(&function.name) != SERIAL_SEQUENCE
            || self.is_stored()
            || self.may_be_own(&function.name)?
        {
            return Ok(());
        }
        let counting = self.context.snapshot.sequences(true);
        let Some(call) = self
            .extent_of_call(function)
            .filter(|_| !counting.is_empty())
        else {
            return Ok(());
        };
        self.types.spend(counting.len());
        let open = format!(
            "(SELECT CASE WHEN s.s::pg_catalog.regclass::pg_catalog.oid OPERATOR(pg_catalog.=) \
             ANY ({}) THEN NULL ELSE s.s END AS {SERIAL_SEQUENCE} FROM (SELECT ",
            array(&counting)
        );
        let close = " AS s) AS s)".to_owned();
        for (at, text) in [(call.start, open), (call.end, close)] {
            let with = Replacement::Text(text);
            self.replaced.push(Edit { span: at..at, with });
        }
        self.retold = true;
        Ok(())
    }
}

/// The function that tells which sequence a column has.
const SERIAL_SEQUENCE: &str = "pg_get_serial_sequence";

/// Whether a word of a statement may name what is not answered as it stands.
pub(in crate::sql) fn may_be_retold(word: &str, snapshot: &Snapshot) -> bool {
    word == SERIAL_SEQUENCE && snapshot.has_ids()
}

/// An array of oids as a literal.
fn array(oids: &[Oid]) -> String {
    let oids: Vec<String> = oids.iter().map(|oid| oid.0.to_string()).collect();
    format!("'{{{}}}'::pg_catalog._oid", oids.join(","))
}
