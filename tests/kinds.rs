//! Every kind of key and of id behaves as its twin: the basic cases, in every mode, for each codec
//! and each form, with the column type that belongs to it.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test reports by failing"
)]

#[path = "kinds/anything.rs"]
mod anything;
#[path = "kinds/document.rs"]
mod document;
#[path = "generated/random.rs"]
mod random;
#[path = "kinds/reading.rs"]
mod reading;
#[path = "twin/mod.rs"]
mod twin;
#[path = "kinds/value.rs"]
mod value;

use std::sync::Mutex;

use twin::client::Client;
use twin::kind::{KINDS, Kind};
use twin::say;
use twin::stand::{Other, build_kind, drop_databases, local};
use twin::world::ROLE;

/// All kinds, or those whose name contains `TWIN_KIND`.
fn chosen() -> impl Iterator<Item = (usize, &'static Kind)> {
    let only = std::env::var("TWIN_KIND").unwrap_or_default();
    let all = KINDS.iter().enumerate();
    all.filter(move |(_, kind)| kind.name.contains(&only))
}

/// What a test finds out about each kind in databases of its own, several at a time: most of it is
/// waiting for them. `test` keeps their names apart.
fn of_each(test: &str, find: impl Fn(&str, &'static Kind) -> Vec<String> + Sync) -> Vec<String> {
    let kinds = Mutex::new(chosen());
    let work = || {
        let mut found = Vec::new();
        loop {
            let next = kinds.lock().unwrap().next();
            let Some((index, kind)) = next else { break };
            let name = format!("{test}{index}");
            let here = find(&name, kind).into_iter();
            found.extend(here.map(|one| format!("{}: {one}", kind.name)));
            // All of them together would be gigabytes.
            drop_databases(local(), &name).unwrap();
        }
        found
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..4).map(|_| scope.spawn(work)).collect();
        let found = workers
            .into_iter()
            .flat_map(|worker| worker.join().unwrap());
        found.collect()
    })
}

#[test]
fn every_kind_behaves_as_its_twin() {
    let differences = of_each("kind", |name, kind| {
        match build_kind(local(), name, *kind, Other::Veiled) {
            Ok(mut suite) => {
                let report = suite.run(&kind.cases());
                say(&format!("{}: {report}", kind.name));
                report.differences
            }
            Err(reason) => vec![reason],
        }
    });
    assert!(differences.is_empty(), "{}", differences.join("\n\n"));
}

/// Whatever kind keys are of, audit mode loses no message: every case in one of its modes, in turn.
#[test]
fn no_kind_misses_a_message_in_audit_mode() {
    let differences = of_each("heard", |name, kind| {
        let mut cases = kind.cases();
        for (turn, case) in cases.iter_mut().enumerate() {
            case.in_turn(turn);
        }
        match build_kind(local(), name, *kind, Other::Audited) {
            Ok(mut suite) => suite.run(&cases).differences,
            Err(reason) => vec![reason],
        }
    });
    assert!(differences.is_empty(), "{}", differences.join("\n\n"));
}

#[test]
fn keys_of_each_kind_without_pgveil_are_found_out() {
    let faults = of_each("bare", |name, kind| {
        if kind.name.ends_with("int2") {
            // There is nothing that tells so small a number from any other.
            return Vec::new();
        }
        let mut suite = build_kind(local(), name, *kind, Other::Keys).unwrap();
        let report = suite.run(&kind.cases());
        let wrong = |one: &&String| one.contains("the case is wrong");
        let mut faults: Vec<_> = report.differences.iter().filter(wrong).cloned().collect();
        let leaks = report.differences.iter();
        let leaks = leaks.filter(|one| one.contains("A KEY GOT OUT")).count();
        if leaks <= 50 {
            faults.push(format!("only {leaks} leaks were seen: {report}"));
        }
        faults
    });
    assert!(faults.is_empty(), "{}", faults.join("\n\n"));
}

/// What may stand in the place of a key and is one for few kinds or for none.
const MEMBERS: &[&str] = &[
    "0",
    "5",
    "-5",
    "1.5",
    "1.0",
    "1e3",
    "-0",
    "32767",
    "-32767",
    "-32768",
    "2147483647",
    "-2147483648",
    "-2147483600",
    "2147483648",
    "4294967296",
    "9223372036854775807",
    "-9223372036854775808",
    "-9223372036854775700",
    "9223372036854775808",
    "-9223372036854775809",
    "99999999999999999999",
    "true",
    "false",
    "null",
    "{}",
    "[]",
    r#"{"a": 1}"#,
    "[1]",
    r#""""#,
    r#""x""#,
    r#"" ""#,
    r#""5""#,
    r#""05""#,
    r#""5 ""#,
    r#"" 5""#,
    r#""+5""#,
    r#""-0""#,
    r#""0""#,
    r#""-32768""#,
    r#""9223372036854775808""#,
    r#""99999999999999999999""#,
    r#""5\n""#,
    r#""\u0663""#,
    r#""pgveil""#,
    r#""pgveil7""#,
    r#""00000000-0000-0000-0000-000000000000""#,
    r#""ffffffff-ffff-ffff-ffff-ffffffffffff""#,
    r#""00000000-0000-0000-7067-7665696c0001""#,
    r#""0192faca-de00-7000-8000-000000000000""#,
    r#""0192FACA-DE00-7000-8000-00000000000A""#,
    r#""{0192faca-de00-7000-8000-000000000000}""#,
    r#""0192facade007000800000000000000a""#,
    r#""1192faca-de00-7000-8000-000000000000""#,
    r#""f192faca-de00-7000-8000-000000000000""#,
    r#""8192faca-de00-7000-8000-000000000000""#,
    r#""0192facade007000800000000000000A""#,
    r#""7ZZZZZZZZZZZZZZZZZZZZZZZZZ""#,
    r#""8ZZZZZZZZZZZZZZZZZZZZZZZZZ""#,
    r#""7zzzzzzzzzzzzzzzzzzzzzzzzz""#,
    r#""0IIIIIIIIIIIIIIIIIIIIIIIII""#,
    r#""AAAAAAAAAAAAAAAAAAAAAA""#,
    r#""AAAAAAAAAAAAAAAAAAAAAB""#,
    r#""AAAAAAAAAAAAAAAAAAAAAg""#,
    r#""_____________________w""#,
    r#""zzzzzzzzzzzzzzzzzzzzzz""#,
    r#""7n42DGM5Tflk9n8mt7Fhc7""#,
    r#""7n42DGM5Tflk9n8mt7Fhc8""#,
    r#""owner_7zzzzzzzzzzzzzzzzzzzzzzzzz""#,
    r#""0000000001bbbbbbbbbbbbbbbbbbbbbbbbbbbaV1""#,
    r#""0000000001bbbbbbbbbbbbbbbbbbbbbbbbbbbbV1""#,
    r#""0000000001bbbbbbbbbbbbbbbbbbbbbbbbbbbqVf""#,
    r#""0000000001bbbbbbbbbbbbbbbbbbbbbbbbbbbqVg""#,
    r#""0000000001bbbbbbbbbbbbbbbbbbbbbbbbbbbqv1""#,
    r#""00000000000000000000000000000000000000ff""#,
    r#""00000000000000000000000000000000000000FF""#,
];

/// The same with UUIDs of all versions.
fn members() -> Vec<String> {
    let mut members: Vec<String> = MEMBERS.iter().copied().map(str::to_owned).collect();
    for version in "0123456789abcdef".chars() {
        for variant in "07 8b c f".split(' ').flat_map(str::chars) {
            let uuid = format!("0192faca-de00-{version}000-{variant}000-00000000000a");
            members.push(format!("\"{uuid}\""));
        }
    }
    members
}

/// The same made of a true key.
fn nearly(key: &str) -> Vec<String> {
    let mut texts = vec![
        format!("{key} "),
        format!(" {key}"),
        format!("{key}\\n"),
        format!("{key}0"),
        format!("0{key}"),
        key.to_uppercase(),
        key.to_lowercase(),
        key.chars().skip(1).collect(),
    ];
    for last in "09AaBbQqgwz-_".chars() {
        let head: String = key.chars().take(key.chars().count() - 1).collect();
        texts.push(format!("{head}{last}"));
        texts.push(format!("{last}{}", key.chars().skip(1).collect::<String>()));
    }
    texts.iter().map(|text| format!("\"{text}\"")).collect()
}

#[test]
fn what_is_no_key_in_a_document_is_null_wherever_it_is_read() {
    let faults = of_each("members", |name, kind| {
        if kind.has_documents() {
            judge_members(name, kind).unwrap_or_else(|fault| vec![fault])
        } else {
            Vec::new()
        }
    });
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

fn judge_members(name: &str, kind: &Kind) -> Result<Vec<String>, String> {
    let shown = kind.shown.sql_type();
    let suite = build_kind(local(), name, *kind, Other::Veiled)?;
    let proxy = suite.proxy.as_ref().ok_or("no proxy")?;
    let database = format!("{name}_beside");
    let mut inside = Client::connect(&local().address, ROLE, &database)?;
    inside.run("delete from notes where said = ''")?;
    let key = inside.rows("select doc ->> 's' from notes where n = 1")?;
    let members = members().into_iter().chain(nearly(&key[0][0]));
    for (number, member) in members.enumerate() {
        let text = member.replace('\'', "''");
        let n = number + 100;
        inside.run(&format!(
            "insert into notes (n, doc, raw, said) values ({n}, '{{\"w\": {text}, \"s\": {text}, \"to\": [{text}]}}', '{{\"w\": {text}}}', '{{\"w\": {text}}}')"
        ))?;
    }
    let mut client = Client::connect(&proxy.address, ROLE, &database)?;
    let mut faults = raw_keys_found(&mut client, &key[0][0]);
    for (document, text) in [
        ("doc -> 'w'", "doc ->> 'w'"),
        ("doc -> 's'", "doc ->> 's'"),
        ("raw -> 'w'", "raw #>> '{w}'"),
        ("said::json -> 'w'", "said::json ->> 'w'"),
        (
            "doc -> 'to' -> 0",
            "(select e from jsonb_array_elements_text(doc -> 'to') e limit 1)",
        ),
    ] {
        let read = format!(
            "select n, {document}, {text}, ({text})::{shown}, '<' || ({text}) || '>', json_build_array({text}) from notes order by n"
        );
        for row in client.rows(&read)? {
            let [n, document, text, id, built, json] = row.as_slice() else {
                return Err(format!("{row:?}"));
            };
            let expected = match document.as_str() {
                "null" | "true" | "false" => String::new(),
                string => string.trim_matches('"').to_owned(),
            };
            let tagged = match expected.as_str() {
                "" => String::new(),
                some => format!("<{some}>"),
            };
            let listed = match expected.as_str() {
                "" => "[null]".to_owned(),
                some => format!("[\"{some}\"]"),
            };
            let is_empty = matches!(document.as_str(), "{}" | "[]");
            if !is_empty
                && (*text != expected || *id != expected || *built != tagged || *json != listed)
            {
                faults.push(format!("{n}: {document} {text} {id} {built} {json}"));
            }
        }
        let found = client.rows(&format!(
            "select n from notes where ({text})::{shown} = (select id from owners where name = 'Ann') and n < 100"
        ))?;
        if found != [["1".to_owned()]] {
            faults.push(format!("{text} finds {found:?}"));
        }
    }
    Ok(faults)
}

/// Conditions by which a key itself, in whatever way it is written, finds its document.
fn raw_keys_found(client: &mut Client, key: &str) -> Vec<String> {
    let mut conditions = vec![format!("doc ->> 'w' = '{key}'")];
    for member in ["w", "s"] {
        let spellings = [
            format!("\"{key}\""),
            key.to_owned(),
            format!("{key}.0"),
            format!("{key}e0"),
        ];
        for value in spellings {
            conditions.push(format!("doc @> '{{\"{member}\": {value}}}'"));
            conditions.push(format!("doc -> '{member}' = '{value}'"));
            conditions.push(format!("doc -> 'to' @> '{value}'"));
            conditions.push(format!("doc -> 'to' @> '[{value}]'"));
        }
    }
    let found = |condition: &String| -> bool {
        let rows = client.rows(&format!("select n from notes where {condition}"));
        rows.is_ok_and(|rows| rows.contains(&vec!["1".to_owned()]))
    };
    conditions.retain(found);
    conditions
}
