//! Postgres judges a plan: what it says of where the columns of a result come from is compared
//! with what the plan says that they hold.

use std::collections::{BTreeSet, HashMap};

use pgveil::catalog::{Oid, SearchPath, Snapshot};
use pgveil::config::Config;
use pgveil::sql::lineage::{LineageTrace, Reasons};
use pgveil::sql::plan::{ColumnValue, Columns, Plan, Replacement};
use pgveil::sql::{Context, Verdict, analyse};

use super::flow::{Column, Flow};
use super::node::Node;
use super::twin::client::Client;
use super::twin::message::{self, Message};
use super::twin::snapshot::snapshot_of;

/// What came of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Finding {
    /// Postgres and the plan agree; how many columns hold ids.
    Agreed(usize),
    /// Postgres does not take the statement, or pgveil refuses it.
    Nothing,
    /// A column is made of keys, and the plan calls it clean or of another domain.
    Wrong(String),
}

pub(crate) struct Judge {
    client: Client,
    snapshot: Snapshot,
    path: SearchPath,
    flow: Flow,
    /// The names of types by oid.
    types: HashMap<u32, String>,
    /// The names of columns, as `explain` gives them.
    names: HashMap<Column, String>,
}

impl Judge {
    /// Through this session with a database of integer keys.
    pub(crate) fn new(mut client: Client, config: &Config) -> Result<Self, String> {
        let (snapshot, path) = snapshot_of(&mut client, config)?;
        let mut flow = Flow::default();
        for row in client.rows("select oid, proname from pg_proc")? {
            flow.functions.insert(row[0].clone(), row[1].clone());
        }
        let views = "select ev_class::oid, ev_action from pg_rewrite r \
             join pg_class c on c.oid = ev_class where rulename = '_RETURN' and c.oid >= 16384";
        for row in client.rows(views)? {
            let tree = Node::read(&row[1])?;
            let query = tree.items().first().ok_or("a view is a list of a query")?;
            flow.views.insert(number(&row[0]), query.clone());
        }
        let mut names = HashMap::new();
        let attributes = "select c.oid, attnum, concat_ws('.', nspname, relname, attname) \
             from pg_attribute join pg_class c on c.oid = attrelid \
             join pg_namespace n on n.oid = relnamespace \
             where attrelid >= 16384 and attnum > 0";
        for row in client.rows(attributes)? {
            let (table, column) = (number(&row[0]), row[1].parse().unwrap_or(0));
            flow.attributes.entry(table).or_default().push(column);
            names.insert((table, column), row[2].clone());
        }
        let types = client.rows("select oid, format_type(oid, null) from pg_type")?;
        let types = types
            .into_iter()
            .map(|row| (number(&row[0]), row[1].clone()));
        Ok(Self {
            types: types.collect(),
            names,
            client,
            snapshot,
            path,
            flow,
        })
    }

    /// Judges the plan of a statement whose ids are those of clients.
    pub(crate) fn judge(&mut self, sql: &str) -> Result<Finding, String> {
        let trace = LineageTrace::default();
        let context = Context {
            trace: Some(&trace),
            ..Context::new(&self.snapshot, &self.path)
        };
        let script = analyse(sql.as_bytes(), &context);
        let [statement] = script.statements.as_slice() else {
            return Ok(Finding::Nothing);
        };
        let Verdict::Forward(plan) = &statement.verdict else {
            return Ok(Finding::Nothing);
        };
        let (start, end) = (statement.range.start, statement.range.end);
        let Some(edited) = edited(&sql[..end], start, plan) else {
            return Ok(Finding::Nothing);
        };
        let sent = plan.parameters.sent.iter();
        let declared: Vec<u32> = sent.map(|sent| sent.declared).collect();
        let Some(tree) = self.tree(&edited, &declared)? else {
            return Ok(Finding::Nothing);
        };
        // A statement of nothing but a comment has no tree.
        let Some(query) = tree.items().first().and_then(|body| body.items().first()) else {
            return Ok(Finding::Nothing);
        };
        let found = self.flow.columns(query, &[]);
        let finding = self.compare(plan, &found);
        let told = trace.take().pop().unwrap_or_default();
        Ok(match self.unsaid((sql, &told), plan, &found) {
            Some(unsaid) if finding != Finding::Nothing => Finding::Wrong(unsaid),
            _ => finding,
        })
    }

    /// The tree of a statement, if it is one that a function can have.
    fn tree(&mut self, edited: &str, declared: &[u32]) -> Result<Option<Node>, String> {
        let described = [
            message::parse("", edited, declared),
            message::on(b'D', b'S', ""),
            message::sync(),
        ];
        let answers = self.client.exchange(&described.concat(), 1)?;
        let types = answers.iter().find_map(|answer| match answer {
            Message::ParameterDescription(types) => Some(types),
            _ => None,
        });
        let Some(types) = types else {
            return Ok(None);
        };
        let names = types
            .iter()
            .map(|oid| self.types.get(oid).cloned().unwrap_or_default());
        let names: Vec<String> = names.collect();
        let function = format!(
            "create or replace function pg_temp.judged({}) returns void language sql \
             begin atomic {edited}; end",
            names.join(", ")
        );
        let all = format!(
            "begin; {function}; select prosqlbody from pg_proc \
             where oid = (select max(oid) from pg_proc where proname = 'judged'); rollback"
        );
        let answers = self.client.exchange(&message::query(&all), 1)?;
        if answers.iter().any(|answer| answer.sqlstate().is_some()) {
            self.client.run("rollback")?;
            return Ok(None);
        }
        let body = answers.iter().find_map(|answer| match answer {
            Message::DataRow(values) => values.first()?.as_ref(),
            _ => None,
        });
        let body = body.ok_or("a function has no body")?;
        Node::read(&String::from_utf8_lossy(&body.0)).map(Some)
    }

    /// A column of a table that a result column is made of, and that `explain` does not name.
    fn unsaid(
        &self,
        (sql, told): (&str, &Reasons),
        plan: &Plan,
        found: &[BTreeSet<Column>],
    ) -> Option<String> {
        if plan.columns == Columns::Clean {
            return None;
        }
        found.iter().enumerate().find_map(|(index, columns)| {
            let lineage = told.columns.get(index)?;
            let mut names = columns.iter().filter_map(|column| self.names.get(column));
            let is_said = |name: &String| {
                // Of a member of a row the tree tells only the row, also in FROM.
                let table = name.rsplit_once('.').map_or("", |(table, _)| table);
                let is_member = [").", "].", "unnest("]
                    .iter()
                    .any(|part| sql.contains(part));
                let same = |from: &String| from == name || is_member && from.starts_with(table);
                lineage.from.iter().any(same)
            };
            let unsaid = names.find(|name| !is_said(name))?;
            Some(format!(
                "column {index} is made of {unsaid}, not only {lineage:?}"
            ))
        })
    }

    fn compare(&self, plan: &Plan, found: &[BTreeSet<Column>]) -> Finding {
        let mut ids = 0;
        for (index, columns) in found.iter().enumerate() {
            let domains: Vec<_> = columns
                .iter()
                .filter_map(|(table, number)| self.snapshot.provenance(Oid(*table), *number))
                .map(|column| column.id.domain)
                .collect();
            let said = match &plan.columns {
                Columns::Known(columns) => columns.get(index).map(|column| column.value.clone()),
                _ => Some(ColumnValue::Clean),
            };
            let agrees = match &said {
                Some(ColumnValue::Clean) => domains.is_empty(),
                Some(ColumnValue::Id(id) | ColumnValue::IdArray(id)) => {
                    domains.is_empty() || domains.contains(&id.domain)
                }
                None => false,
                // Text, JSON or rows with ids in them.
                Some(_) => true,
            };
            if !agrees {
                let told = format!("column {index} holds {said:?}, made of {domains:?}");
                return Finding::Wrong(told);
            }
            ids += usize::from(!domains.is_empty());
        }
        Finding::Agreed(ids)
    }
}

fn number(text: &str) -> u32 {
    text.parse().expect("an oid")
}

/// The statement as the server would get it, but with some key in the place of each id.
fn edited(sql: &str, start: usize, plan: &Plan) -> Option<String> {
    let mut is_known = true;
    let text = plan.edits.rewrite(sql, start..sql.len(), |edit| {
        let with = match &edit.with {
            Replacement::Text(with) => with,
            Replacement::Id { .. } => "'1'",
            Replacement::IdArray { .. } => "'{1}'",
            Replacement::TagOpen { .. } => "('~' operator(pg_catalog.||) (",
            Replacement::KeyOpen(_) => "(",
            Replacement::KeyClose(_) => ")::int8",
            Replacement::TagClose => ")::text operator(pg_catalog.||) '~')",
            Replacement::Untag(_) => ", '^~([0-9]+)~$', E'\\\\1'))",
            #[allow(unreachable_patterns, reason = "there may be more")]
            _ => {
                is_known = false;
                ""
            }
        };
        with.to_owned()
    });
    text.ok().filter(|_| is_known)
}
