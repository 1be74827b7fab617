//! The findings for programs.

use serde_json::{Value, json};

use super::{Page, anchor, named};
use crate::sql::lineage::Lineage;
use crate::sql::plan::{ColumnValue, Columns, Edit, Misplaced, Parameters, Plan};
use crate::sql::{Refusal, Verdict};

impl Page<'_> {
    pub(super) fn json(&self) -> Result<Value, Misplaced> {
        Ok(match &self.statement.verdict {
            Verdict::Refuse(refusal) => self.json_refusal(refusal),
            Verdict::Forward(plan) => json!({
                "statement": self.source(),
                "verdict": "forward",
                "parameters": self.json_parameters(&plan.parameters),
                "columns": self.json_columns(&plan.columns),
                "edits": self.json_edits(plan),
                "forwarded": self.edited(plan)?,
                "reuse": self.reuse.name(),
            }),
        })
    }

    fn json_refusal(&self, refusal: &Refusal) -> Value {
        let clues = self.reasons.iter().flat_map(|reasons| &reasons.clues);
        let clues: Value = clues
            .map(|clue| json!({ "span": [clue.span.start, clue.span.end], "what": clue.what }))
            .collect();
        json!({
            "statement": self.source(),
            "verdict": "refuse",
            "code": refusal.code.as_str(),
            "sqlstate": refusal.sqlstate,
            "message": refusal.message,
            "detail": refusal.detail,
            "hint": refusal.hint,
            "anchor": anchor(refusal),
            "span": refusal.span.as_ref().map(|span| [span.start, span.end]),
            "ids": clues,
        })
    }

    fn json_parameters(&self, parameters: &Parameters) -> Value {
        let parameter = |(index, shown): (usize, &Option<u32>)| {
            let uses = parameters.sent.iter().filter(|sent| sent.source == index);
            let uses = uses.filter_map(|sent| {
                let id = sent.id.as_ref()?;
                Some(json!({
                    "domain": self.domain(id.id.domain),
                    "key_type": id.id.key_type.name(),
                    "shown": id.id.shown.name(),
                    "array": sent.array,
                    "stored": id.stored.is_some(),
                }))
            });
            json!({
                "shown": shown,
                "ids": uses.collect::<Value>(),
                "why": self.causes(index),
            })
        };
        parameters.shown.iter().enumerate().map(parameter).collect()
    }

    fn json_edits(&self, plan: &Plan) -> Value {
        let edit = |edit: &Edit| {
            json!({
                "span": [edit.span.start, edit.span.end],
                "with": self.replacement(edit),
                "why": self.purpose(edit, plan),
            })
        };
        plan.edits.iter().map(edit).collect()
    }

    /// `null` if the result has no key, whatever its columns are.
    fn json_columns(&self, columns: &Columns) -> Value {
        match columns {
            Columns::Clean => return Value::Null,
            Columns::Explained(_) => {
                return json!([{ "name": "QUERY PLAN", "id": null, "explained": true }]);
            }
            Columns::Known(_) | Columns::Copy(_) => {}
        }
        let lineage = self.lineage(columns);
        let column = |(index, (name, value)): (usize, (&str, &ColumnValue))| {
            let mut column = self.json_column(name, value);
            if let Some(Lineage { from, through, why }) = lineage.get(index) {
                column["from"] = json!(from);
                column["through"] = json!(through);
                column["why"] = json!(why);
            }
            column
        };
        named(columns).into_iter().enumerate().map(column).collect()
    }

    fn json_column(&self, name: &str, value: &ColumnValue) -> Value {
        let (id, array) = match value {
            ColumnValue::Clean => return json!({ "name": name, "id": null }),
            ColumnValue::Id(id) => (id, false),
            ColumnValue::IdArray(id) => (id, true),
            ColumnValue::Json(_) => return json!({ "name": name, "id": null, "json": true }),
            ColumnValue::JsonArray(_) => {
                return json!({ "name": name, "id": null, "json": true, "array": true });
            }
            ColumnValue::Tagged { array, .. } => {
                return json!({ "name": name, "id": null, "tagged": true, "array": array });
            }
            ColumnValue::Record { fields, array } => {
                let fields = fields.iter().enumerate();
                let fields =
                    fields.map(|(at, field)| self.json_column(&format!("f{}", at + 1), field));
                let fields: Value = fields.collect();
                return json!({ "name": name, "id": null, "record": fields, "array": array });
            }
        };
        let id = json!({
            "domain": self.domain(id.domain),
            "key_type": id.key_type.name(),
            "shown": id.shown.name(),
            "array": array,
        });
        json!({ "name": name, "id": id })
    }
}
