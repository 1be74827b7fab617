//! Relations of the system that tell of sequences. In the place of each stands a subquery over it
//! with the same columns, and without the rows of sequences from which keys come: a database whose
//! ids are made at random would have none.

use sqlparser::ast::{ObjectName, Spanned, TableAlias};

use crate::catalog::Relation;
use crate::sql::lex::TokenKind;
use crate::sql::parse::range;
use crate::sql::plan::{Edit, Replacement};
use crate::sql::scope::{Output, Scope};
use crate::sql::why::Origin;

use super::Binder;
use super::from::named;

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
        sequence: "pg_catalog.to_regclass(pg_catalog.format('%I.%I', s.schemaname, s.sequencename))\
                   ::pg_catalog.oid",
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
        sequence: "pg_catalog.to_regclass(pg_catalog.format('%I.%I', s.sequence_schema, \
                   s.sequence_name))::pg_catalog.oid",
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
    ) -> Option<Scope> {
        let mut listings = LISTINGS.iter();
        let listing = listings
            .find(|listing| listing.schema == relation.schema && listing.name == relation.name)
            .filter(|_| {
                !self.types.inside && self.given.is_none() && !self.is_behind_table(name)
            })?;
        let free = self.context.snapshot.free_sequences();
        let free: Vec<String> = (free.iter()).map(|oid| oid.0.to_string()).collect();
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
        let mut text = format!(
            "(SELECT {} FROM {schema}.{listed} s WHERE {sequence} OPERATOR(pg_catalog.=) \
             ANY ('{{{}}}'::pg_catalog._oid))",
            columns.join(", "),
            free.join(",")
        );
        if alias.is_none() {
            text += &format!(" AS {listed}");
        }
        self.replaced.push(Edit {
            span: range(name.span()),
            with: Replacement::Text(text),
        });
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
        Some(Scope::of(table))
    }

    /// Whether a name stands behind the word TABLE, where no subquery may.
    fn is_behind_table(&self, name: &ObjectName) -> bool {
        let start = range(name.span()).start;
        let before = self
            .tokens
            .partition_point(|token| token.span.start < start);
        let word = before
            .checked_sub(1)
            .and_then(|before| self.tokens.get(before));
        word.is_some_and(|token| {
            matches!(&token.kind, TokenKind::Word { value, quoted: false } if value == "table")
        })
    }
}
