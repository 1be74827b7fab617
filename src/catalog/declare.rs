//! From rows of the system catalogs and `[[function]]` tables to the functions of a snapshot.

use std::collections::HashSet;
use std::sync::Arc;

use crate::config::{FunctionAnnotation, FunctionResult, IdAnnotation};
use crate::pg::oid;

use super::domains::id_type;
use super::function::{
    Argument, Code, Cursors, Declared, DeclaredResult, Function, Functions, Returns,
};
use super::row::{LIST, hash};
use super::snapshot::ByOid;
use super::{DomainId, IdColumn, Oid, Relation};

/// The fields of a row behind its kind: schema, name, oid, properties, type and relation of the
/// result, types of the arguments, number of defaults, modes, names and types of all arguments
/// with those of the result, body.
pub(super) fn function(row: &[Option<&str>]) -> Option<Function> {
    let &[
        schema,
        name,
        oid,
        properties,
        type_oid,
        relation,
        arguments,
        defaults,
        modes,
        names,
        all,
        body,
    ] = row
    else {
        return None;
    };
    let arguments = oids(arguments?, ' ')?;
    let (defaults, versions) = defaults?.split_once(' ').unwrap_or((defaults?, "0"));
    let (schema_version, version) = versions.split_once(' ').unwrap_or(("0", versions));
    let properties: Vec<char> = properties?.chars().collect();
    let [
        _,
        volatility,
        variadic,
        result_type,
        altered,
        language,
        default,
        cursors,
    ] = *properties.as_slice()
    else {
        return None;
    };
    let all = all.map_or_else(|| Some(arguments.clone()), |all| oids(all, ','))?;
    let of_mode = |wanted| of_mode(&all, modes.unwrap_or_default(), names, wanted);
    let results = of_mode(['o', 'b', 't']);
    let value = Argument {
        name: String::new(),
        type_oid: Oid(type_oid?.parse().ok()?),
        is_enum: result_type == 'e',
    };
    Some(Function {
        oid: Oid(oid?.parse().ok()?),
        schema: schema?.to_owned(),
        name: name?.to_owned(),
        arguments: of_mode(['i', 'b', 'v']),
        defaults: defaults.parse().ok()?,
        plain_defaults: default == '-',
        variadic: variadic == 'v',
        immutable: volatility == 'i',
        volatile: volatility == 'v',
        compiled: language == 'c',
        changes_settings: false,
        altered: altered != '-',
        has_path: altered == 'p',
        cursors: match cursors {
            '-' => Cursors::Left,
            _ => Cursors::Opened,
        },
        returns: returns(Oid(relation?.parse().ok()?), value, results),
        code: code(body, language, altered != '-'),
        declared: None,
        misfit: None,
        version: hash(&[Some(version)]),
        schema_version: hash(&[Some(schema_version)]),
    })
}

/// The arguments that have one of these modes.
fn of_mode(all: &[Oid], modes: &str, names: Option<&str>, wanted: [char; 3]) -> Vec<Argument> {
    let names: Vec<&str> = names.map_or_else(Vec::new, |names| names.split(LIST).collect());
    let modes = modes.chars().chain(std::iter::repeat('i'));
    let arguments = all.iter().zip(modes).enumerate();
    let arguments = arguments.filter(|(_, (_, mode))| wanted.contains(mode));
    arguments
        .map(|(index, (type_oid, _))| Argument {
            name: names.get(index).copied().unwrap_or_default().to_owned(),
            type_oid: *type_oid,
            is_enum: false,
        })
        .collect()
}

fn returns(relation: Oid, value: Argument, results: Vec<Argument>) -> Returns {
    let is_record = value.type_oid == RECORD;
    match (relation, results.as_slice()) {
        (Oid(0), []) if is_record => Returns::Record,
        (Oid(0), []) => Returns::Value(value),
        (Oid(0), [only]) if !is_record => Returns::Value(Argument {
            name: only.name.clone(),
            ..value
        }),
        (Oid(0), _) => Returns::Columns(results),
        (relation, _) => Returns::Row(relation),
    }
}

/// The oid of `record`.
const RECORD: Oid = Oid(oid::RECORD);

/// `altered`: the function runs under settings or a role of its own.
fn code(body: Option<&str>, language: char, altered: bool) -> Code {
    match (body, language) {
        (Some(body), 'a') => atomic(body).map_or(Code::Hidden, |query| Code::Atomic(query.into())),
        (Some(body), 's') if !altered => Code::Sql(Arc::from(body)),
        (Some(body), _) => Code::Other(Arc::from(body)),
        _ => Code::Hidden,
    }
}

/// The query in what `pg_get_functiondef` gives for a function with a body of SQL's own syntax.
fn atomic(definition: &str) -> Option<String> {
    if let Some((_, body)) = definition.split_once("\nBEGIN ATOMIC\n") {
        let query = body.trim_end().strip_suffix("END")?;
        return Some(query.to_owned());
    }
    let (_, value) = definition.split_once("\nRETURN ")?;
    Some(format!("SELECT {value}"))
}

fn oids(text: &str, separator: char) -> Option<Vec<Oid>> {
    let numbers = text.split(separator).filter(|number| !number.is_empty());
    numbers.map(|number| number.parse().ok().map(Oid)).collect()
}

/// Puts base types in the place of domains, and finds the enumerations.
pub(super) fn resolve(
    functions: &mut Functions,
    base: impl Fn(Oid) -> Oid,
    enumerations: &HashSet<Oid>,
) {
    for (_, of) in functions.domains.values_mut().flatten() {
        *of = base(*of);
    }
    for function in functions.by_name.values_mut().flatten() {
        let results = match &mut function.returns {
            Returns::Value(value) => std::slice::from_mut(value),
            Returns::Columns(columns) => columns,
            Returns::Row(_) | Returns::Record => &mut [],
        };
        for argument in function.arguments.iter_mut().chain(results) {
            argument.type_oid = base(argument.type_oid);
            argument.is_enum = enumerations.contains(&argument.type_oid);
        }
    }
}

/// The declared functions that a database has not got, or not as they are declared.
#[derive(Debug, Default)]
pub(super) struct Astray {
    pub(super) missing: Vec<String>,
    pub(super) misfits: Vec<String>,
}

/// Adds what the configuration says of functions, and closes those of which it does not hold. Gives
/// both these and the ones that this database does not have.
pub(super) fn declare(
    functions: &mut Functions,
    declarations: &[FunctionAnnotation],
    annotations: &[IdAnnotation],
    relations: &ByOid<Arc<Relation>>,
) -> Astray {
    let mut astray = Astray::default();
    for declaration in declarations {
        let count = declaration.arguments.len();
        let known = functions.by_name.get_mut(&declaration.name);
        let named = known.into_iter().flatten();
        let meant: Vec<&mut Function> = named
            .filter(|function| {
                function.schema == declaration.schema && function.arguments.len() == count
            })
            .collect();
        if meant.is_empty() {
            let missing = format!("{declaration} with {count} arguments");
            astray.missing.push(missing);
        }
        for function in meant {
            match declared(function, declaration, annotations, relations) {
                Ok(declared) => function.declared = Some(declared),
                Err(Misfit(part)) => {
                    astray.misfits.push(format!(
                        "function {declaration}: {part} is not what the configuration says of it"
                    ));
                    function.misfit = Some(part);
                }
            }
        }
    }
    astray
}

/// The part of a function that is not what the configuration says of it.
struct Misfit(String);

fn declared(
    function: &Function,
    declaration: &FunctionAnnotation,
    annotations: &[IdAnnotation],
    relations: &ByOid<Arc<Relation>>,
) -> Result<Declared, Misfit> {
    let id = |domain: Option<u16>, type_oid: Oid, part: String| match domain {
        None => Ok(None),
        Some(domain) => match id_type(annotations, DomainId(domain), type_oid) {
            Some((id, array)) => Ok(Some(IdColumn { id, array })),
            None => Err(Misfit(part)),
        },
    };
    let pairs = declaration.arguments.iter().zip(&function.arguments);
    let arguments = pairs.enumerate().map(|(index, (domain, argument))| {
        let part = format!("argument {}", index + 1);
        id(*domain, argument.type_oid, part)
    });
    let columns: Vec<(String, Oid)> = match &function.returns {
        Returns::Columns(columns) => {
            let column = |column: &Argument| (column.name.clone(), column.type_oid);
            columns.iter().map(column).collect()
        }
        Returns::Row(relation) => {
            let columns = relations.get(relation).map(|relation| &relation.columns);
            let columns = columns.into_iter().flatten();
            columns
                .map(|column| (column.name.clone(), column.type_oid))
                .collect()
        }
        Returns::Value(_) | Returns::Record => Vec::new(),
    };
    let result = match (&declaration.result, &function.returns) {
        (FunctionResult::Value(domain), Returns::Value(value)) => {
            DeclaredResult::Value(id(*domain, value.type_oid, "the result".to_owned())?)
        }
        (FunctionResult::Value(None), _) => DeclaredResult::Value(None),
        (FunctionResult::Value(Some(_)), _) => return Err(Misfit("the result".to_owned())),
        (FunctionResult::Columns(domains), _) => {
            for (name, _) in domains {
                if !columns.iter().any(|(known, _)| known == name) {
                    return Err(Misfit(format!("result column {name:?}")));
                }
            }
            let column = |(name, type_oid): &(String, Oid)| {
                let domain = domains.iter().find(|(known, _)| known == name);
                let domain = domain.and_then(|(_, domain)| *domain);
                let part = format!("result column {name:?}");
                Ok((name.clone(), id(domain, *type_oid, part)?))
            };
            let columns = columns.iter().map(column);
            DeclaredResult::Columns(columns.collect::<Result<_, Misfit>>()?)
        }
    };
    Ok(Declared {
        arguments: arguments.collect::<Result<_, _>>()?,
        result,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_query_of_a_standard_body_is_found() {
        let head = "CREATE OR REPLACE FUNCTION public.f(n bigint)\n RETURNS bigint\n LANGUAGE sql";
        let atomic_body = format!("{head}\nBEGIN ATOMIC\n SELECT 1;\nEND\n");
        assert_eq!(atomic(&atomic_body).as_deref(), Some(" SELECT 1;\n"));
        let returned = format!("{head}\nRETURN (n + 1)\n");
        assert_eq!(atomic(&returned).as_deref(), Some("SELECT (n + 1)\n"));
        assert_eq!(atomic(head), None);
    }

    #[test]
    fn a_function_that_returns_a_table_has_its_columns() {
        let row = [
            "public",
            "f",
            "7",
            "fs-p-s--",
            "2249",
            "0",
            "20",
            "0",
            "itt",
            "n\0id\0name",
            "20,20,25",
        ];
        let mut row: Vec<Option<&str>> = row.into_iter().map(Some).collect();
        row.push(None);
        let function = function(&row).unwrap();
        assert_eq!(function.arguments.len(), 1);
        let Returns::Columns(columns) = function.returns else {
            panic!("a row");
        };
        let names: Vec<_> = columns.iter().map(|column| column.name.as_str()).collect();
        assert_eq!(names, ["id", "name"]);
    }
}
