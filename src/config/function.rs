//! The `[[function]]` tables: which arguments and results of a function of the user are ids.
//! Whether the database has such a function is the catalog's question.

use super::fault::Faults;
use super::ids::identifiers;
use super::name;
use super::raw;
use super::section::{At, TextOrTable, nearest};

/// What is declared of a function, by the positions of the domains in the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FunctionAnnotation {
    /// The schema.
    pub schema: String,
    /// The name.
    pub name: String,
    /// The arguments: the domain of each, `None` for one that is no id.
    pub arguments: Vec<Option<u16>>,
    /// The result.
    pub result: FunctionResult,
}

/// What is declared of the result of a function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FunctionResult {
    /// A value of this domain, or anything without ids.
    Value(Option<u16>),
    /// A row. The columns that are not named are no ids.
    Columns(Vec<(String, Option<u16>)>),
}

impl std::fmt::Display for FunctionAnnotation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{}", self.schema, self.name)
    }
}

/// The declarations that have no fault.
pub(super) fn functions(
    functions: Vec<raw::Function>,
    ids: &[raw::Id],
    faults: &mut Faults<'_>,
) -> Vec<FunctionAnnotation> {
    let domains: Vec<&str> = ids
        .iter()
        .map(|id| id.name.as_ref().map_or("", |name| name.value.as_str()))
        .collect();
    let mut known: Vec<FunctionAnnotation> = Vec::new();
    for function in functions {
        let line = function.line;
        let Some(new) = annotation(function, &domains, faults) else {
            continue;
        };
        let is_same = |known: &FunctionAnnotation| {
            let count = known.arguments.len();
            known.schema == new.schema && known.name == new.name && count == new.arguments.len()
        };
        if known.iter().any(is_same) {
            let cause = format!(
                "{new} with {} arguments is declared twice",
                new.arguments.len()
            );
            faults.add(line, cause, "remove one of the two [[function]]");
        }
        known.push(new);
    }
    known
}

fn annotation(
    raw: raw::Function,
    domains: &[&str],
    faults: &mut Faults<'_>,
) -> Option<FunctionAnnotation> {
    let Some(text) = raw.name else {
        let advice = "add name = \"schema.function\"";
        faults.add(raw.line, "[[function]] has no name", advice);
        return None;
    };
    let parts = identifiers(&text.value);
    let Some([(schema, _), (function, _)]) = parts.as_deref() else {
        let cause = format!("`{}` is no function", text.value);
        let advice = "write \"schema.function\", such as \"public.newest_user\"";
        faults.add(text.line, cause, advice);
        return None;
    };
    for part in [schema, function] {
        name::is_kept(part, text.line, faults).then_some(())?;
    }
    let Some(result) = raw.result else {
        let cause = format!("function `{}` has no result", text.value);
        let advice = "add result = \"…\": the name of an id domain, \"-\" if it holds no id, or \
                      a table of column = domain";
        faults.add(raw.line, cause, advice);
        return None;
    };
    let arguments = raw
        .arguments
        .map_or_else(Vec::new, |arguments| arguments.value);
    let arguments: Vec<_> = arguments
        .iter()
        .map(|argument| domain(argument, domains, faults))
        .collect();
    let result = match result {
        TextOrTable::Text(text) => FunctionResult::Value(domain(&text, domains, faults)?),
        TextOrTable::Table(columns) => {
            let columns = columns
                .into_iter()
                .map(|(column, text)| Some((column, domain(&text, domains, faults)?)));
            FunctionResult::Columns(columns.collect::<Option<_>>()?)
        }
    };
    Some(FunctionAnnotation {
        schema: schema.clone(),
        name: function.clone(),
        arguments: arguments.into_iter().collect::<Option<_>>()?,
        result,
    })
}

/// A domain by its name, or none for `-`.
fn domain(text: &At<String>, domains: &[&str], faults: &mut Faults<'_>) -> Option<Option<u16>> {
    if text.value == "-" {
        return Some(None);
    }
    let found = domains.iter().position(|name| *name == text.value);
    let Some(found) = found else {
        let cause = format!("there is no id domain `{}`", text.value);
        let advice = match nearest(&text.value, domains) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "write the name of an [[id]], or \"-\" for what is no id".to_owned(),
        };
        faults.add(text.line, cause, advice);
        return None;
    };
    Some(u16::try_from(found).ok())
}
